"""Exact arithmetic on float64 values, which are whole numbers times powers of two, one by one and many at once."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import gcd, isqrt, lcm
from typing import Any

import numpy as np
import scipy.sparse as sp

WHOLE = 2**53
"""Whole numbers up to this size are float64 values; they add and multiply without rounding."""
MOST_PRODUCTS = 10**6
"""Products of fractions that one proof may take."""
BLOCK = 2**22
"""Numbers that are looked at in one go."""
NO_BIT = 2000
"""Stands for the lowest bit of zero, which has none: more than any exponent of a float64."""
MOST_SHIFT = 64
"""Columns of whole numbers whose lowest bit is below this one are counted in ones, which is simple and no longer."""
HALF = 27
"""Bits of half a mantissa: sums of 2**26 of them are exact."""
MANTISSA = 53


def integral(values: np.ndarray) -> bool:
    """Whether every value is an integer."""
    return values.dtype.kind in "biu" or bool((np.rint(values) == values).all())


def dense(A: Any) -> Any:
    """A matrix that may be sparse, as an array."""
    return A.toarray() if sp.issparse(A) else A


def vanishes(coefficients: np.ndarray, X: Any, bias: float) -> bool:
    """Whether every vector c of the coefficients has Σ c_i·[x_i; bias] = 0, proved exactly; False if it takes too long.

    >>> vanishes(np.array([[1.0, -2.0, 1.0]]), np.array([[1], [2], [3]]), 1.0)
    True
    """
    rows = np.flatnonzero(coefficients.any(axis=0))
    c, A = coefficients[:, rows], X[rows]
    values = A.data if sp.issparse(A) else A
    largest = max(float(np.abs(values).max(initial=0)), bias)
    if integral(values) and integral(c) and float(np.abs(c).sum()) * largest < WHOLE:
        return not (c.sum(axis=1) * bias).any() and not (c @ A.astype(np.float64)).any()
    if c.size * X.shape[1] > MOST_PRODUCTS:
        return False
    A = dense(A)
    return all(combination(vector, column) == 0 for vector in c for column in (*A.T, np.full(len(rows), bias)))


def combination(weights: Any, values: Any) -> Fraction:
    """Σ weights_i·values_i without rounding."""
    return sum((Fraction(float(a)) * Fraction(float(b)) for a, b in zip(weights, values, strict=True)), Fraction(0))


def without_zeros(X: Any) -> Any:
    """The matrix, a sparse one without stored entries that are zero."""
    if not sp.issparse(X) or X.data.all():
        return X
    X = X.copy()
    X.eliminate_zeros()
    return X


def primitive(values: Sequence[Fraction | int]) -> list[int]:
    """Whole numbers without a common divisor in the same ratios.

    >>> primitive([Fraction(1, 2), Fraction(-3, 4)])
    [2, -3]
    """
    over = lcm(*(v.denominator for v in values))
    whole = [v.numerator * (over // v.denominator) for v in values]
    divisor = gcd(*whole) or 1
    return [v // divisor for v in whole]


@cache
def two_to(e: int) -> Fraction:
    """2**e."""
    return Fraction(2**e) if e >= 0 else Fraction(1, 2**-e)


def exponents(values: np.ndarray) -> np.ndarray:
    """e with |value| in [2^(e−1), 2^e); 0 of 0."""
    return np.frexp(values)[1].astype(int)


def extremes(X: Any) -> tuple[np.ndarray, np.ndarray]:
    """The least and the largest value of every column, as floats."""
    if sp.issparse(X):
        low, high = (np.asarray(f(axis=0).todense(), dtype=float).ravel() for f in (X.min, X.max))
        return low, high
    return X.min(axis=0).astype(float), X.max(axis=0).astype(float)


def scale_columns(X: Any, shifts: np.ndarray, sizes: np.ndarray, powers: np.ndarray, intercept: bool) -> Any:
    """(x − c)·2^−k in every column, c its shift and k its power, and a column of ones for the intercept.

    No value of a column exceeds 2^size; sparse columns are not shifted.
    """
    if sp.issparse(X):
        F = X.astype(np.float64, copy=True)
        F.data = np.ldexp(F.data, -powers[F.indices])
        return sp.csr_array(sp.hstack([F, np.ones((F.shape[0], 1))])) if intercept else sp.csr_array(F)
    n, d = X.shape
    F = np.ones((n, d + intercept))
    values = F[:, :d]
    if shifts.any():
        np.ldexp(X, -sizes, out=values)
        values -= np.ldexp(shifts, -sizes)
        np.ldexp(values, sizes - powers, out=values)
    else:
        np.ldexp(X, -powers, out=values)
    return F


def lowest_bits(X: Any) -> list[int]:
    """The exponent of the lowest bit that is set in a column; 0 for whole numbers."""
    if X.dtype.kind in "biu":
        return [0] * X.shape[1]
    lowest = np.full(X.shape[1], NO_BIT)
    if sp.issparse(X):
        entries = X.tocoo()
        np.minimum.at(lowest, entries.coords[1], bits_of(entries.data))
    else:
        step = max(1, BLOCK // X.shape[1])
        for start in range(0, len(X), step):
            lowest = np.minimum(lowest, bits_of(X[start : start + step]).min(axis=0))
    return [0 if e == NO_BIT or 0 < e < MOST_SHIFT else int(e) for e in lowest]


def bits_of(values: np.ndarray) -> np.ndarray:
    """The exponent of the lowest bit that is set in each float64; ``NO_BIT`` of 0.

    >>> bits_of(np.array([1.0, 0.75, 5e-324, 0.0])).tolist()
    [0, -2, -1074, 2000]
    """
    bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
    powers = (bits >> 52) & 0x7FF
    whole = (bits & (2**52 - 1)) | ((powers > 0).astype(np.int64) << 52)
    lowest = ((whole & -whole).astype(np.float64).view(np.int64) >> 52) - 1023
    return np.where(whole == 0, NO_BIT, lowest + np.maximum(powers, 1) - 1075)


def column_sums(X: Any, signs: np.ndarray) -> list[Fraction]:
    """Σ ±x of every column without rounding: mantissas in halves, added up exponent by exponent.

    >>> column_sums(np.array([[1e30], [0.1], [1e30]]), np.array([1.0, 1.0, -1.0])) == [Fraction(0.1)]
    True
    """
    if sp.issparse(X):
        entries = X.tocoo()
        values, columns, by = entries.data.astype(float), entries.coords[1], signs[entries.coords[0]]
    else:
        values, columns = X.astype(float).ravel(), np.tile(np.arange(X.shape[1]), len(X))
        by = np.repeat(signs, X.shape[1])
    mantissas, powers = np.frexp(values)
    powers, first = powers.astype(int), int(powers.min(initial=0))
    span = int(powers.max(initial=0)) - first + 1
    high = np.rint(np.ldexp(mantissas, HALF))
    low = np.ldexp(np.ldexp(mantissas, HALF) - high, HALF)
    total = [0] * X.shape[1]
    for half, shift in ((high, HALF), (low, 2 * HALF)):
        sums = np.bincount(columns * span + powers - first, weights=half * by, minlength=span * X.shape[1])
        for at in np.flatnonzero(sums).tolist():
            j, e = divmod(at, span)
            total[j] += int(sums[at]) << (e + 2 * HALF - shift)
    return [v * two_to(first - 2 * HALF) for v in total]


def root(square: Fraction, up: bool) -> Fraction:
    """A number of 53 bits at most, or at least, the square root.

    >>> root(Fraction(1, 4), up=False), float(root(Fraction(2), up=True))
    (Fraction(1, 2), 1.4142135623730951)
    """
    if not square:
        return Fraction(0)
    shift = MANTISSA - (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    scaled = square * two_to(2 * shift)
    whole = isqrt(scaled.numerator // scaled.denominator)
    return (whole + (up and whole**2 != scaled)) / two_to(shift)
