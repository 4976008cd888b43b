"""How wide the best plane's margin is: γ* = max min z·w/‖w‖ = min ‖Σ p_i·z_i‖, p a probability vector.

Any plane bounds γ* from below and any p from above.  Floats find both (nearest_point.py); where they are too coarse,
Wolfe's method goes on in exact arithmetic.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain

from flint import fmpq, fmpq_mat

from ..exact.floats import primitive
from ..exact.limits import SearchLimits
from .nearest_point import PLANE_BITS, by_descent, by_least_squares, on_grid
from .signed_rows import WIDE, SignedRows

LARGEST_SUPPORT = 40
"""Rows on which Wolfe's method works in exact arithmetic."""
CYCLES = 400
"""Rows that Wolfe's method may take in."""
IN_ONE_GO = 220
"""Rows whose least combination is tried in one exact solution."""


@dataclass(frozen=True)
class Interval:
    """A plane and a combination of rows in whole numbers, with the squares of the margins they prove."""

    plane: list[int]  # for the rows as they were given
    combination: dict[int, int]
    lo_squared: Fraction
    hi_squared: Fraction
    open: str = ""  # why it is not narrower


def best_interval(signed: SignedRows, separator: list[int], rel_gap: float, limits: SearchLimits) -> Interval:
    """The narrowest interval that the search comes to; its plane separates the classes as the given one does."""
    limits.say("the margin of the best plane")
    if signed.width > WIDE:
        combination, point = by_descent(signed, rel_gap, limits)
    else:
        combination, point = by_least_squares(signed, separator, rel_gap, limits)
    hi_squared = signed.combination_squared(combination)
    goal = (1 - Fraction(rel_gap)) ** 2  # lo² ≥ goal·hi² means that hi − lo ≤ rel_gap·hi
    rounded = (primitive(on_grid(point, bits)) for bits in PLANE_BITS)
    tried: list[tuple[Fraction, list[int]]] = []
    for plane in chain(rounded, map(signed.outer, [separator])):
        tried.append((signed.margin_squared(plane), plane))
        if tried[-1][0] >= goal * hi_squared:
            break
    lo_squared, plane = max(tried, key=lambda pair: pair[0])
    best = Interval(plane, combination, lo_squared, hi_squared)
    if lo_squared < goal * hi_squared and limits.exact and not limits.over():
        exact = exact_interval(signed, combination, goal, limits)
        best = best if exact is None or exact.lo_squared < lo_squared else exact
    if best.lo_squared >= goal * best.hi_squared:
        return best
    return replace(best, open=f"the margin's interval is wider than rel_gap={rel_gap:g}")


def exact_interval(signed: SignedRows, start: dict[int, int], goal: Fraction, limits: SearchLimits) -> Interval | None:
    """The interval without rounding, if the rows are few: all of them support the best plane, or Wolfe's method."""
    if len(signed.rows) <= IN_ONE_GO:
        weights = affine_weights([signed.given(k) for k in range(len(signed.rows))])
        if weights and min(weights) > 0:
            return interval_of_weights(signed, dict(enumerate(weights)))
    if len(start) > LARGEST_SUPPORT:
        return None
    if affine_weights([signed.given(k) for k in start]) is None:
        start = {max(start, key=lambda k: start[k]): 1}
    total = sum(start.values())
    return wolfe(signed, {k: Fraction(v, total) for k, v in start.items()}, goal, limits)


def wolfe(signed: SignedRows, p: dict[int, Fraction], goal: Fraction, limits: SearchLimits) -> Interval:
    """Wolfe's method from a combination of independent rows."""
    for _ in range(CYCLES):
        p = minor_cycle(signed, p)
        best = interval_of_weights(signed, p)
        worst = worst_row(signed, signed.inner(best.plane))
        done = best.lo_squared >= goal * best.hi_squared
        if done or worst in p or len(p) >= LARGEST_SUPPORT or limits.over():
            break
        p[worst] = Fraction(0)
    return best


def interval_of_weights(signed: SignedRows, p: dict[int, Fraction]) -> Interval:
    """The interval that a combination proves, with the combination itself as the plane."""
    combination = dict(zip(p, primitive(list(p.values())), strict=True))
    plane = primitive(signed.combine_given(combination))
    return Interval(plane, combination, signed.margin_squared(plane), signed.combination_squared(combination))


def worst_row(signed: SignedRows, w: list[int]) -> int:
    """A row of least z·w."""
    close = signed.maybe_lowest(w)
    margins = signed.margins(w, close)
    return int(close[margins.index(min(margins))])


def minor_cycle(signed: SignedRows, p: dict[int, Fraction]) -> dict[int, Fraction]:
    """Go towards the least norm over the affine hull, as far as p ≥ 0, and drop the zeros."""
    while True:
        aim = affine_weights([signed.given(k) for k in p])
        if aim is None:
            return {k: v for k, v in p.items() if v > 0}
        goal = dict(zip(p, aim, strict=True))
        if min(aim) > 0:
            return goal
        step = min(p[k] / (p[k] - goal[k]) for k in p if goal[k] <= 0)
        moved = {k: p[k] + step * (goal[k] - p[k]) for k in p}
        p = {k: v for k, v in moved.items() if v > 0}


def affine_weights(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """Weights of sum 1 under which the rows' combination is shortest; None if the rows are affinely dependent.

    At the minimum all z·v are equal: Gram·p = λ·1 and Σp = 1.
    """
    Z, n = fmpq_mat([[fmpq(v.numerator, v.denominator) for v in row] for row in rows]), len(rows)
    gram = (Z * Z.transpose()).tolist()
    system = fmpq_mat([*([*row, fmpq(1)] for row in gram), [fmpq(1)] * n + [fmpq(0)]])
    try:
        solved = system.solve(fmpq_mat([[fmpq(0)]] * n + [[fmpq(1)]]))
    except ZeroDivisionError:
        return None
    return [Fraction(int(solved[i, 0].p), int(solved[i, 0].q)) for i in range(n)]
