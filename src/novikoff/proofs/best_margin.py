"""How wide the best plane's margin is: γ* = max min z·w/‖w‖ = min ‖Σ p_i·z_i‖, p a probability vector.

Any plane bounds γ* from below and any p from above.  The least norm over a working set is found by non-negative least
squares: min ‖Zᵀp‖² + K²(Σp − 1)² has its minimum at a multiple of the point sought.  Where floats are too coarse,
Wolfe's method goes on in exact arithmetic.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, nextafter
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from scipy.optimize import nnls

from ..exact.dyadic import primitive, two_to
from ..exact.limits import Clock
from .nearest_point import Descent, Plain
from .signed_rows import WIDE, Table

ROUNDS = 200
"""Working sets that are tried before the interval is taken as it is."""
GROWTH = 100
"""Rows that join the working set at a time, at least."""
LARGEST_SUPPORT = 40
"""Rows on which Wolfe's method works in exact arithmetic."""
CYCLES = 400
"""Rows that Wolfe's method may take in."""
BITS = (24, 50)
"""To so many bits planes found in floats are rounded."""
IN_ONE_GO = 220
"""Rows whose least combination is tried in one exact solution."""


@dataclass(frozen=True)
class Interval:
    """A plane and a combination of rows in whole numbers, with the squares of the margins they prove."""

    plane: list[int]  # for the rows as they were given
    combination: dict[int, int]
    lo_squared: Fraction
    hi_squared: Fraction

    def narrow(self, rel_gap: float) -> bool:
        """Whether hi − lo ≤ rel_gap·hi."""
        return self.lo_squared >= self.hi_squared * (1 - Fraction(rel_gap)) ** 2


def interval(table: Table, separator: list[int], rel_gap: float, clock: Clock) -> Interval:
    """The narrowest interval found; its plane separates the classes as the given one does."""
    clock.say("the margin of the best plane")
    p, rows, v = by_descent(table, rel_gap, clock) if table.width > WIDE else by_least(table, separator, rel_gap, clock)
    combination = grid(p, rows)
    hi = square(table, combination)
    planes = [table.outer(separator), *(primitive(rounded(v, bits)) for bits in BITS)]
    best = max((Interval(w, combination, lo_squared(table, w), hi) for w in planes), key=lambda found: found.lo_squared)
    if best.narrow(rel_gap) or clock.over() or not clock.exact:
        return best
    exact = exactly(table, combination, rel_gap, clock)
    return best if exact is None or exact.lo_squared < best.lo_squared else exact


def lo_squared(table: Table, outer: list[int]) -> Fraction:
    """The square of the margin of a plane; 0 if it does not separate."""
    if not any(outer):
        return Fraction(0)
    inner = table.inner(outer)
    lowest = table.lowest(inner) * stretch(table, outer, inner)
    return lowest**2 / sum(v * v for v in outer) if lowest > 0 else Fraction(0)


def stretch(table: Table, outer: list[int], inner: list[int]) -> Fraction:
    """How many times z·outer is as large as the product of z and the same plane on the exact side."""
    j = next((j for j, v in enumerate(outer[: table.source.d]) if v), None)
    if j is None:
        return Fraction(outer[-1], inner[-1])
    return Fraction(outer[j]) * table.source.units[j] / inner[j]


def square(table: Table, p: dict[int, int]) -> Fraction:
    """‖Σ p_i·z_i‖² / (Σp)²."""
    return Fraction(sum(v * v for v in summed(table, p))) / sum(p.values()) ** 2


def summed(table: Table, p: dict[int, int]) -> Sequence[Fraction | int]:
    """Σ p_i·z_i of the rows as they were given."""
    total = table.combined(p)
    return total if table.source.whole else [v * unit for v, unit in zip(total, table.source.units, strict=True)]


def by_least(table: Table, separator: list[int], rel_gap: float, clock: Clock) -> Any:
    """Weights of a working set, the set, and the point of least norm, in floats, by least squares."""
    everything = Plain(table)
    scores = table.scores(separator)[0] / (table.lengths + 1e-300)
    rows = np.argsort(scores, kind="stable")[: table.width + GROWTH]
    for _ in range(ROUNDS):
        Z = everything.rows(rows)
        p = least(Z)
        v = Z.T @ p
        scores = everything.scores(v)
        length = float(v @ v)
        if scores.min() >= (1 - rel_gap / 4) * length or not length > 0 or clock.over():
            break
        worst = np.argsort(scores, kind="stable")[: GROWTH + len(rows) // 4]
        new = np.setdiff1d(worst[scores[worst] < length], rows)
        if not len(new):
            break
        rows = np.concatenate([rows, new])
    return p, rows, v


def by_descent(table: Table, rel_gap: float, clock: Clock) -> Any:
    """The same by coordinate descent."""
    descent = Descent(table)
    descent.go(1 - rel_gap / 4, clock)
    return descent.nearest()


def least(Z: np.ndarray) -> np.ndarray:
    """Probabilities p with the least ‖Zᵀp‖."""
    A = Z.T if Z.shape[1] <= Z.shape[0] else np.linalg.qr(Z.T, mode="r")
    K = float(np.sqrt(np.einsum("ij,ij->i", Z, Z).max()))
    try:
        p, _ = nnls(np.vstack([A, np.full(len(Z), K)]), np.append(np.zeros(len(A)), K), maxiter=20 * len(Z))
    except RuntimeError:
        p = np.ones(len(Z))
    return p / p.sum() if p.sum() > 0 else np.full(len(Z), 1 / len(Z))


def rounded(v: np.ndarray, bits: int) -> list[int]:
    """Whole numbers of at most so many bits in about these ratios."""
    top = np.frexp(np.abs(v).max(initial=0.0))[1]
    return [int(g) for g in np.rint(np.ldexp(v, bits - top))]


def grid(p: np.ndarray, rows: np.ndarray) -> dict[int, int]:
    """Probabilities as whole numbers without a common divisor."""
    whole = primitive(rounded(p, 52))
    return {int(k): weight for k, weight in zip(rows, whole, strict=True) if weight > 0}


def exactly(table: Table, start: dict[int, int], rel_gap: float, clock: Clock) -> Interval | None:
    """The interval without rounding, if the rows are few: all of them support the best plane, or Wolfe's method."""
    if len(table.rows) <= IN_ONE_GO:
        weights = affine_least([table.given(k) for k in range(len(table.rows))])
        if weights and min(weights) > 0:
            return of_weights(table, dict(enumerate(weights)))
    if len(start) > LARGEST_SUPPORT:
        return None
    if affine_least([table.given(k) for k in start]) is None:
        start = {max(start, key=lambda k: start[k]): 1}
    total = sum(start.values())
    return wolfe(table, {k: Fraction(v, total) for k, v in start.items()}, rel_gap, clock)


def wolfe(table: Table, p: dict[int, Fraction], rel_gap: float, clock: Clock) -> Interval:
    """Wolfe's method from a combination of independent rows."""
    for _ in range(CYCLES):
        p = updated(table, p)
        best = of_weights(table, p)
        worst = worst_row(table, table.inner(best.plane))
        if best.narrow(rel_gap) or worst in p or len(p) >= LARGEST_SUPPORT or clock.over():
            break
        p[worst] = Fraction(0)
    return best


def of_weights(table: Table, p: dict[int, Fraction]) -> Interval:
    """The interval that a combination proves, with the combination itself as the plane."""
    combination = dict(zip(p, primitive(list(p.values())), strict=True))
    plane = primitive(summed(table, combination))
    return Interval(plane, combination, lo_squared(table, plane), square(table, combination))


def worst_row(table: Table, inner: list[int]) -> int:
    """A row of least z·w."""
    found, off, _ = table.scores(inner)
    close = np.flatnonzero(found - off <= (found + off).min())
    margins = table.margins(inner, close)
    return int(close[margins.index(min(margins))])


def updated(table: Table, p: dict[int, Fraction]) -> dict[int, Fraction]:
    """The minor cycle: go towards the least norm over the affine hull, as far as p ≥ 0, and drop the zeros."""
    while True:
        aim = affine_least([table.given(k) for k in p])
        if aim is None:
            return {k: v for k, v in p.items() if v > 0}
        goal = dict(zip(p, aim, strict=True))
        if min(aim) > 0:
            return goal
        step = min(p[k] / (p[k] - goal[k]) for k in p if goal[k] <= 0)
        moved = {k: p[k] + step * (goal[k] - p[k]) for k in p}
        p = {k: v for k, v in moved.items() if v > 0}


def affine_least(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """Weights of sum 1 under which the rows' combination is shortest; None if the rows are affinely dependent.

    At the minimum all z·v are equal: Gram·p = λ·1 and Σp = 1.
    """
    Z, n = fmpq_mat([[fmpq(v.numerator, v.denominator) for v in row] for row in rows]), len(rows)
    gram = (Z * Z.transpose()).tolist()
    system = fmpq_mat([*([*line, fmpq(1)] for line in gram), [fmpq(1)] * n + [fmpq(0)]])
    try:
        found = system.solve(fmpq_mat([[fmpq(0)]] * n + [[fmpq(1)]]))
    except ZeroDivisionError:
        return None
    return [Fraction(int(found[i, 0].p), int(found[i, 0].q)) for i in range(n)]


def root(square: Fraction, up: bool) -> Fraction:
    """A number of 53 bits at most, or at least, the square root.

    >>> root(Fraction(1, 4), up=False), float(root(Fraction(2), up=True))
    (Fraction(1, 2), 1.4142135623730951)
    """
    if not square:
        return Fraction(0)
    shift = 53 - (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    scaled = square * two_to(2 * shift)
    found = isqrt(scaled.numerator // scaled.denominator)
    return (found + (up and found**2 != scaled)) / two_to(shift)


def lower(value: Fraction) -> float:
    """A float that is not above."""
    found = float(value) if value < 2**1023 else 2.0**1023
    return found if found <= value else nextafter(found, -np.inf)


def upper(value: Fraction) -> float:
    """A float that is not below."""
    found = float(value) if value < 2**1023 else np.inf
    return found if found >= value else nextafter(found, np.inf)
