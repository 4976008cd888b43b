"""The rules of the family: up to which lead y·(w·x) a row is updated, and by how long a step.

A rule is a named tuple; the passes are compiled for its type, so that each is as quick as if written for it alone.
"""

from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from .compiled import OPTIONS
from .rows import square

MISTAKES, LOWEST, FIRED, UPDATES, TRAVELLED, ERRORS, VISITS, BEFORE, SQUARE, BAR = range(10)
COLUMNS = 10
"""Columns of the ledger, one line a problem.

Of the last pass: MISTAKES, the rows met on the wrong side; LOWEST, the least lead if it only looked; FIRED, its
updates.  Of the run: UPDATES, all updates; TRAVELLED, the sum of their steps; ERRORS, those of rows on the
wrong side; VISITS, rows looked at, and BEFORE, steps travelled, in earlier runs that it goes on from.  Of the moment:
SQUARE, ‖w‖²; BAR, the lead up to which a row is updated.
"""


class Plain(NamedTuple):
    """The perceptron's rule: while y·(w·x) ≤ 0 (the bar), a step of the row's own length."""

    bar: float = 0.0


class FixedMargin(NamedTuple):
    """The notes' margin rule: while y·(w·x)/‖w‖ < half, that is ρ/2; weights of length zero are always updated."""

    half: float


class DynamicMargin(NamedTuple):
    """While y·(w·x) ≤ ‖w‖²/(parts·T), where T is the sum of all steps.

    A run that ends so has a margin above ‖w‖/(parts·T), and no plane has one above ‖w‖/T.
    """

    parts: float


class PassiveAggressive(NamedTuple):
    """While y·(w·x) < 1, the step that makes it 1: (1 − y·(w·x))/‖x‖².

    For a row of step s it is at most cap·s, and shortened by damping/s in the denominator.
    """

    cap: float
    damping: float


def fires(rule: Any, row_margin: float, bar: float) -> bool:
    """Whether a row with this lead is updated."""
    raise NotImplementedError("compiled code only")


def bar_of(rule: Any, line: Any) -> float:
    """The lead up to which rows are updated now."""
    raise NotImplementedError("compiled code only")


def length_of(rule: Any, line: Any, rows: Any, i: int, row_margin: float, step: float, stretch: float) -> float:
    """How long a step is made on row i, whose own is ``step``; notes its effect on ‖w‖².

    ``stretch`` is ‖z‖²/‖x‖² of the update z.
    """
    raise NotImplementedError("compiled code only")


def needs_row_margin(rule: Any) -> bool:
    """Whether the step depends on the lead, so that a rough one will not do."""
    raise NotImplementedError("compiled code only")


@overload(fires, jit_options=OPTIONS)
def _fires(rule, row_margin, bar):
    def at_most(rule, row_margin, bar):
        return not row_margin > bar

    def relative(rule, row_margin, bar):
        return not (row_margin > 0 and row_margin >= bar)

    def below(rule, row_margin, bar):
        return not row_margin >= bar

    return {FixedMargin: relative, PassiveAggressive: below}.get(rule.instance_class, at_most)


@overload(bar_of, jit_options=OPTIONS)
def _bar_of(rule, line):
    def plain(rule, line):
        return rule.bar

    def relative(rule, line):
        return rule.half * np.sqrt(max(line[SQUARE], 0.0))

    def growing(rule, line):
        travelled = line[BEFORE] + line[TRAVELLED]
        return line[SQUARE] / (rule.parts * travelled) if travelled > 0 else 0.0

    def aggressive(rule, line):
        return 1.0

    return {Plain: plain, FixedMargin: relative, DynamicMargin: growing, PassiveAggressive: aggressive}[
        rule.instance_class
    ]


@overload(length_of, jit_options=OPTIONS)
def _length_of(rule, line, rows, i, row_margin, step, stretch):
    def own(rule, line, rows, i, row_margin, step, stretch):
        return step

    def own_with_square(rule, line, rows, i, row_margin, step, stretch):
        # ‖w + s·z‖² = ‖w‖² + 2s·(w·z) + s²‖z‖²
        line[SQUARE] += step * (2 * row_margin + step * stretch * square(rows, i))
        return step

    def aggressive(rule, line, rows, i, row_margin, step, stretch):
        long = stretch * square(rows, i) + rule.damping / step
        return min(rule.cap * step, (1 - row_margin) / long) if long > 0 else 0.0

    return {Plain: own, PassiveAggressive: aggressive}.get(rule.instance_class, own_with_square)


@overload(needs_row_margin, jit_options=OPTIONS)
def _needs_lead(rule):
    def no(rule):
        return False

    def yes(rule):
        return True

    return no if rule.instance_class is Plain else yes
