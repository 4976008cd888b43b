"""Exact linear algebra on whole numbers (FLINT)."""

from fractions import Fraction
from math import gcd
from typing import Any

from .dyadic import primitive
from .limits import UndecidedError


def matrix(rows: list[list[int]]) -> Any:
    """A FLINT matrix."""
    from flint import fmpz_mat  # here, as few who import the package need it

    return fmpz_mat(rows)


def reduced(rows: list[list[int]]) -> tuple[Any, Any, int]:
    """The reduced echelon form of the rows over one denominator, and the rank."""
    return matrix(rows).rref()


def rank(rows: list[list[int]]) -> int:
    """The rank, without rounding."""
    return int(matrix(rows).rank())


def products(rows: list[list[int]], vectors: list[list[int]]) -> list[list[int]]:
    """z·v of every row and vector."""
    found = matrix(rows) * matrix(vectors).transpose()
    return [[int(v) for v in row] for row in found.tolist()]


def null_space(rows: list[list[int]]) -> list[list[int]]:
    """Whole vectors v with z·v = 0 for every row, a basis in which the last columns increase.

    >>> null_space([[1, 2, 0], [0, 0, 3]])
    [[-2, 1, 0]]
    """
    form, over, r = reduced(rows)
    width, over = len(rows[0]), int(over)
    lines = [[int(form[i, j]) for j in range(width)] for i in range(r)]
    pivots = [next(j for j, v in enumerate(line) if v) for line in lines]
    found = []
    for free in sorted(set(range(width)) - set(pivots)):
        v = [0] * width
        v[free] = over
        for line, j in zip(lines, pivots, strict=True):
            v[j] = -line[free]
        divisor = gcd(*v) * (1 if over > 0 else -1)
        found.append([entry // divisor for entry in v])
    return found


def solution(rows: list[list[int]], right: list[int]) -> list[int] | None:
    """Whole w and a positive multiple c of the right side with z·w = c·right, if there is one.

    >>> solution([[2, 0], [0, 4]], [1, 1])
    [2, 1]
    """
    form, over, r = reduced([[*row, b] for row, b in zip(rows, right, strict=True)])
    width, over = len(rows[0]), int(over)
    w = [Fraction(0)] * width
    for i in range(r):
        j = next(j for j in range(width + 1) if form[i, j])
        if j == width:
            return None
        w[j] = Fraction(int(form[i, width]), over)
    return primitive(w)


def coefficients(rows: list[list[int]], target: list[int]) -> list[Fraction]:
    """a with Σ a_i·z_i = target, which lies in the span of the rows."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    form, over, r = reduced([[*column, b] for column, b in zip(columns, target, strict=True)])
    a = [Fraction(0)] * len(rows)
    for i in range(r):
        j = next(j for j in range(len(rows) + 1) if form[i, j])
        if j == len(rows):
            raise UndecidedError("rows that seemed to be tied are not")
        a[j] = Fraction(int(form[i, len(rows)]), int(over))
    return a
