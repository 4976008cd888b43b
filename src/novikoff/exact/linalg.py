"""Exact linear algebra on whole numbers (FLINT)."""

from collections.abc import Callable
from fractions import Fraction
from math import gcd
from typing import Any

from .floats import primitive
from .limits import NotTiedError

PRIME = 2**61 - 1
"""Residues modulo it are words of a machine; a rank modulo it is that of the matrix, unless it divides a minor."""


def matrix(rows: list[list[int]]) -> Any:
    """A FLINT matrix."""
    from flint import fmpz_mat  # here, as few who import the package need it

    return fmpz_mat(rows)


def modulo_prime(rows: list[list[int]]) -> Any:
    """A FLINT matrix of residues: rows that are independent there are so."""
    from flint import nmod_mat

    return nmod_mat(len(rows), len(rows[0]), [v % PRIME for row in rows for v in row], PRIME)


def echelon_form(rows: list[list[int]]) -> tuple[Any, Any, int]:
    """The reduced echelon form of the rows over one denominator, and the rank."""
    return matrix(rows).rref()


def rank(rows: list[list[int]]) -> int:
    """The rank, without rounding."""
    return int(matrix(rows).rank())


def products(rows: list[list[int]], vectors: list[list[int]]) -> list[list[int]]:
    """z·v of every row and vector."""
    product = matrix(rows) * matrix(vectors).transpose()
    return [[int(v) for v in row] for row in product.tolist()]


def null_space(rows: list[list[int]]) -> list[list[int]]:
    """Whole vectors v with z·v = 0 for every row, a basis in which the last columns increase.

    >>> null_space([[1, 2, 0], [0, 0, 3]])
    [[-2, 1, 0]]
    """
    form, over, r = echelon_form(rows)
    width, over = len(rows[0]), int(over)
    reduced = [[int(form[i, j]) for j in range(width)] for i in range(r)]
    pivots = [next(j for j, v in enumerate(row) if v) for row in reduced]
    basis = []
    for free in sorted(set(range(width)) - set(pivots)):
        v = [0] * width
        v[free] = over
        for row, j in zip(reduced, pivots, strict=True):
            v[j] = -row[free]
        divisor = gcd(*v) * (1 if over > 0 else -1)
        basis.append([entry // divisor for entry in v])
    return basis


def independent_rows(rows: list[list[int]], rank: int = 0) -> list[int]:
    """The numbers of independent rows: at least as many as the ``rank``, and nearly always as many as there are.

    >>> independent_rows([[0, 0], [1, 2], [2, 4], [0, 1]])
    [1, 3]
    """
    columns = [list(column) for column in zip(*rows, strict=True)]
    form, r = modulo_prime(columns).rref()
    if r < rank:
        form, _, r = echelon_form(columns)
    return [next(j for j in range(len(rows)) if int(form[i, j])) for i in range(r)]


def whole_inverse(rows: list[list[int]]) -> list[list[int]]:
    """The rows of the inverse of a square matrix, each times a number that makes it whole."""
    inverse = matrix(rows).inv()
    return [primitive([Fraction(int(v.p), int(v.q)) for v in row]) for row in inverse.tolist()]


def rows_of_common_null_space(
    rows: list[int], integers: Callable[[list[int]], list[list[int]]], disagreeing: Callable[[list[int]], list[int]]
) -> tuple[list[int], list[list[int]]]:
    """Rows whose null space is that of all rows, and a basis of it: some rows, then those that disagree as well."""
    while True:
        basis = null_space(integers(rows))
        new = {row for vector in basis for row in disagreeing(vector)}
        if not new:
            return rows, basis
        rows = rows + sorted(new)


def solution(rows: list[list[int]], right: list[int]) -> list[int] | None:
    """Whole w and a positive multiple c of the right side with z·w = c·right, if there is one.

    >>> solution([[2, 0], [0, 4]], [1, 1])
    [2, 1]
    """
    form, over, r = echelon_form([[*row, b] for row, b in zip(rows, right, strict=True)])
    width, over = len(rows[0]), int(over)
    w = [Fraction(0)] * width
    for i in range(r):
        j = next(j for j in range(width + 1) if form[i, j])
        if j == width:
            return None
        w[j] = Fraction(int(form[i, width]), over)
    return primitive(w)


def unique_solutions(rows: list[list[int]], rights: list[list[int]]) -> list[list[Fraction]] | None:
    """a with z·a = right for as many rows as columns and every right side, if the rows are independent.

    It is quicker than any echelon form.
    """
    try:
        solved = matrix(rows).solve(matrix(rights).transpose())
    except ZeroDivisionError:
        return None
    return [[Fraction(int(v.p), int(v.q)) for v in column] for column in solved.transpose().tolist()]


def coefficients(rows: list[list[int]], targets: list[list[int]]) -> list[list[Fraction]]:
    """a with Σ a_i·z_i = target for every target, which all lie in the span of the rows.

    Where that leaves a choice, only rows count that no rows before them span.

    >>> coefficients([[1, 0], [2, 0], [0, 1]], [[3, 0], [0, 4]]) == [[3, 0, 0], [0, 0, 4]]
    True
    """
    columns = [list(column) for column in zip(*rows, strict=True)]
    if len(rows) == len(columns) and (square := unique_solutions(columns, targets)):
        return square
    n = len(rows)
    form, over, r = echelon_form([[*column, *right] for column, *right in zip(columns, *targets, strict=True)])
    found = [[Fraction(0)] * n for _ in targets]
    for i in range(r):
        j = next(j for j in range(n + len(targets)) if form[i, j])
        if j >= n:
            raise NotTiedError("rows that seemed to be tied are not")
        for k, a in enumerate(found):
            a[j] = Fraction(int(form[i, n + k]), int(over))
    return found
