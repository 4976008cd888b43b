"""From Gordan's alternative to Albert and Anderson's three cases, level by level (facial reduction).

A witness says that no plane has every row right.  The rows that its rows span are tied: every w with Zw ≥ 0 is zero on
them.  The planes that are zero on them form the next level, on which only the other rows are left.  A plane on a later
level proves "quasi-separable", with the tied rows named; no rows left prove overlap.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

import numpy as np

from ..exact.dyadic import primitive
from ..exact.limits import Clock, UndecidedError
from ..exact.linalg import coefficients, null_space
from .gordan import Level, decide
from .signed_rows import WIDE, Table

NUMBERS = 2**20
"""Rows times columns up to which quasi-separation is looked for without being asked for."""
SPARSE_WORK = 10**6
"""Rows times columns² up to which a quasi-separating plane is sought in few columns."""
NOT_ASKED = f"quasi-separation was not looked for in data of more than {NUMBERS} numbers; quasi=True looks for it"


@dataclass
class Finding:
    """What was proved of a table, in whole numbers of the exact side, and what stayed open."""

    plane: list[int] | None = None
    witness: dict[int, int] = field(default_factory=dict)
    cover: dict[int, int] = field(default_factory=dict)  # with ``rest`` for the other tied rows: all positive, sum zero
    rest: int = 0
    open: str = ""


def decided(table: Table, quasi: bool | None, clock: Clock) -> Finding:
    """A plane that has every row right; or a witness and, where it is asked for, whether a plane has no row wrong."""
    level = Level(table)
    pair = table.contradiction() if table.width > WIDE else {}
    plane, witness = (None, pair) if pair else decide(level, clock)
    if plane is not None:
        return Finding(plane)
    witness = pair or table.contradiction() or witness
    if not (len(table.rows) * table.width <= NUMBERS if quasi is None else quasi):
        return Finding(witness=witness, open=NOT_ASKED if quasi is None else "")
    try:
        clock.say(f"no plane separates ({len(witness)} rows prove it); is there one without errors?")
        return quasi_or_overlap(table, witness, level, clock)
    except UndecidedError as why:
        return Finding(witness=witness, open=f"whether a plane has no row on its wrong side was not decided: {why}")


def quasi_or_overlap(table: Table, witness: dict[int, int], level: Level, clock: Clock) -> Finding:
    """Go from level to level, to the last."""
    wide = grown(table, witness, level.worked, clock)
    level, plane, wide = last_level(table, wide, clock)
    tied = np.setdiff1d(np.arange(len(table.rows)), level.rows)
    best = None if plane is None else in_few_columns(table, wide, level, plane, clock)
    return Finding(best, witness, *covering(table, wide, tied))


def last_level(table: Table, witness: dict[int, int], clock: Clock) -> tuple[Level, list[int] | None, dict[int, int]]:
    """The level on which no row is left, or a plane; with a witness whose rows span all that are tied there."""
    while True:
        level = Level(table, null_space([table.integers(k) for k in witness]), clock)
        if not len(level.rows):
            return level, None, witness
        clock()
        plane, new = decide(level, clock)
        if plane is not None:
            return level, plane, witness
        witness = combined(table, witness, {int(level.rows[k]): weight for k, weight in new.items()})
        witness = grown(table, witness, level.worked, clock)


def grown(table: Table, witness: dict[int, int], worked: np.ndarray, clock: Clock) -> dict[int, int]:
    """The widest witness among the rows that the search worked on, which saves levels of all rows."""
    rows = np.union1d(worked, list(witness))
    if 2 * len(rows) > len(table.rows):
        return witness
    places = {int(row): k for k, row in enumerate(rows)}
    _, _, wider = last_level(table.part(rows), {places[k]: weight for k, weight in witness.items()}, clock)
    return {int(rows[k]): weight for k, weight in wider.items()}


def combined(table: Table, old: dict[int, int], new: dict[int, int]) -> dict[int, int]:
    """A witness of the old rows and the new: Σ new lies in the span of the old rows, whose witness is positive."""
    total = [0] * table.width
    for k, weight in new.items():
        total = [a + weight * b for a, b in zip(total, table.integers(k), strict=True)]
    balanced, often = balance(table, old, total)
    weights = balanced | {k: often * v for k, v in new.items()}
    return dict(zip(weights, primitive(list(weights.values())), strict=True))


def covering(table: Table, witness: dict[int, int], tied: np.ndarray) -> tuple[dict[int, int], int]:
    """Positive weights of sum zero for all tied rows: the same one, returned last, for all that are not named."""
    others = np.setdiff1d(tied, list(witness))
    weights, rest = balance(table, witness, table.summed(others)) if len(others) else (witness, 1)
    return {k: v for k, v in weights.items() if v != rest}, rest


def balance(table: Table, witness: dict[int, int], total: list[int]) -> tuple[dict[int, int], int]:
    """Positive weights p and a positive c with Σ p_i·z_i = −c·total, which lies in the span of the witness's rows."""
    a = coefficients([table.integers(k) for k in witness], [-v for v in total])
    often = max(0, *(ceil(-v / witness[k]) + 1 for k, v in zip(witness, a, strict=True)))
    *weights, over = primitive([*(v + often * witness[k] for k, v in zip(witness, a, strict=True)), Fraction(1)])
    return dict(zip(witness, weights, strict=True)), over


def in_few_columns(table: Table, witness: dict[int, int], level: Level, plane: list[int], clock: Clock) -> list[int]:
    """A plane that proves the same of the same rows, none of whose columns can be left out."""
    best, lines = level.lifted(plane), [table.integers(k) for k in witness]
    if len(level.rows) * table.width**2 > SPARSE_WORK:
        return best
    for j in range(table.source.d):
        pinned = [*lines, [int(i == j) for i in range(table.width)]]
        face = Level(table, null_space(pinned), clock)
        if len(face.rows) < len(level.rows):
            continue
        try:
            found = decide(face, clock)[0]
        except UndecidedError:
            return best
        if found is not None:
            best, lines = face.lifted(found), pinned
    return best
