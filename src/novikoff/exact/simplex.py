"""Gordan's alternative decided in whole numbers, for few rows: the simplex method without division or rounding."""

from collections.abc import Callable
from fractions import Fraction
from itertools import count

import numpy as np

GREEDY = 50
"""Pivots, in units of the number of equations, after which Bland's rule makes sure that the method ends."""


def alternative(
    rows: list[list[int]], pause: Callable[[], None] = lambda: None
) -> tuple[list[Fraction] | None, list[Fraction]]:
    """(w, []) with every z·w > 0, or (None, p) with p ≥ 0, p ≠ 0 and Σ p_i·z_i = 0.

    Phase one of the simplex method on p ≥ 0, Zᵀp = 0, Σp = 1: it ends with a vertex p, or with prices π under which
    −π·z ≥ π₀ > 0 for every row.

    >>> alternative([[1, 0], [1, 1]])
    ([Fraction(2, 1), Fraction(-1, 1)], [])
    >>> alternative([[1], [-2]])
    (None, [Fraction(2, 3), Fraction(1, 3)])
    """
    m, n = len(rows[0]) + 1, len(rows)
    tableau = np.zeros((m + 1, n + m + 1), dtype=object)
    tableau[: m - 1, :n] = np.array(rows, dtype=object).T
    tableau[m - 1, :n] = 1
    tableau[:m, n : n + m] = np.eye(m, dtype=int).astype(object)
    tableau[m - 1, -1] = 1
    tableau[m] = -tableau[:m].sum(axis=0)
    tableau[m, n : n + m] = 0
    basis, over = list(range(n, n + m)), 1
    for number in count():
        pause()
        entering = enter(tableau[m, :n], number < GREEDY * m)
        if entering is None:
            break
        leaving = leave(tableau[:m, entering], tableau[:m, -1], basis)
        over = pivot(tableau, leaving, entering, over)
        basis[leaving] = entering
    if tableau[m, -1] == 0:
        p = [Fraction(0)] * n
        for r, j in enumerate(basis):
            if j < n:
                p[j] = Fraction(int(tableau[r, -1]), over)
        return None, p
    # The reduced cost of the artificial variable of equation r is 1 − π_r.
    return [Fraction(int(v), over) - 1 for v in tableau[m, n : n + m - 1]], []


def enter(costs: np.ndarray, greedy: bool) -> int | None:
    """A column of negative reduced cost: the most negative, or by Bland's rule the first."""
    if greedy:
        j = int(np.argmin(costs))
        return j if costs[j] < 0 else None
    return next((j for j, cost in enumerate(costs) if cost < 0), None)


def leave(column: np.ndarray, values: np.ndarray, basis: list[int]) -> int:
    """The equation of least ratio; of several, by Bland's rule, that of the first variable."""
    places = [r for r, entry in enumerate(column) if entry > 0]
    return min(places, key=lambda r: (Fraction(int(values[r]), int(column[r])), basis[r]))


def pivot(tableau: np.ndarray, r: int, j: int, over: int) -> int:
    """Edmonds' pivot: all entries stay whole numbers over one denominator, which is returned."""
    entry, row = tableau[r, j], tableau[r].copy()
    tableau[:] = (tableau * entry - np.outer(tableau[:, j], row)) // over
    tableau[r] = row
    return int(entry)
