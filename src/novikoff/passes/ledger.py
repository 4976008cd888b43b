"""The ledger of a run: one line per problem, with what the passes count and the loop of passes decides by."""

from typing import Any, NamedTuple

COLUMNS = 14
(
    MISTAKES,
    LOWEST,
    PASS_UPDATES,
    UPDATES,
    TRAVELLED,
    ERRORS,
    VISITS,
    BEFORE,
    DRIFT,
    SQUARE,
    THRESHOLD,
    RATE,
    SHRINK,
    NORM,
) = range(COLUMNS)
"""Columns of the ledger.

Of the last pass: MISTAKES, the rows met on the wrong side; LOWEST, the least row margin if it only looked, or if it was
of two classes and made no update; PASS_UPDATES, its updates.  Of the run: UPDATES, all of them; TRAVELLED, the sum of
their steps; ERRORS, those made on rows on the wrong side; VISITS, rows looked at, and BEFORE, steps travelled, in
earlier runs that it goes on from; DRIFT, of a rule of second order, the sum over the updates of κ·Σ x²·w², with the
weights w that each leaves.  Of the moment: SQUARE, ‖w‖² as a rule that needs it keeps it up to date; THRESHOLD, the row
margin up to which an update is made; RATE and SHRINK, κ and β of the last update (see passes.rules); NORM, ‖w‖² at the
end of the last pass.
"""
CLOCK = slice(VISITS, BEFORE + 1)
"""The columns that a later run goes on from."""


class Targets(NamedTuple):
    """What is to be learnt: the class number of every row, and its sample weight, which is the step of its update.

    ``sample_weight`` has one entry per row, or a single one for all.
    """

    labels: Any
    sample_weight: Any
