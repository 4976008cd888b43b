"""Exact arithmetic on many float64 values at once: they are whole numbers times powers of two."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import gcd, lcm
from typing import Any

import numpy as np
import scipy.sparse as sp

BLOCK = 2**22
"""Numbers that are looked at in one go."""
WHOLE = 2**53
"""Whole numbers up to this size are float64 values."""


def without_zeros(X: Any) -> Any:
    """The same matrix; a sparse one without entries that are zero."""
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


def multiple(value: float, unit: Fraction) -> int:
    """How many times a unit goes into a value that it divides.

    >>> multiple(0.75, Fraction(1, 8))
    6
    """
    if not value:
        return 0
    above, below = value.as_integer_ratio()
    return above * unit.denominator // (below * unit.numerator)


@cache
def two_to(e: int) -> Fraction:
    """2**e."""
    return Fraction(2**e) if e >= 0 else Fraction(1, 2**-e)


def exponents(values: np.ndarray) -> np.ndarray:
    """e with |value| in [2^(e−1), 2^e); 0 of 0."""
    return np.frexp(values)[1].astype(int)


def squares_of(F: np.ndarray) -> np.ndarray:
    """‖row‖² of every row."""
    return np.einsum("ij,ij->i", F, F)


def extremes(X: Any) -> tuple[np.ndarray, np.ndarray]:
    """The least and the largest value of every column, as floats."""
    if sp.issparse(X):
        low, high = (np.asarray(f(axis=0).todense(), dtype=float).ravel() for f in (X.min, X.max))
        return low, high
    return X.min(axis=0).astype(float), X.max(axis=0).astype(float)


def lowest_bits(X: Any, shifts: np.ndarray) -> list[int]:
    """The exponent of the lowest bit that is set in a column or in its shift; 0 for whole numbers."""
    if X.dtype.kind in "biu":
        return [0] * X.shape[1]
    lowest = np.full(X.shape[1], 2000)
    if sp.issparse(X):
        entries = X.tocoo()
        np.minimum.at(lowest, entries.coords[1], bits_of(entries.data))
    else:
        step = max(1, BLOCK // X.shape[1])
        for start in range(0, len(X), step):
            lowest = np.minimum(lowest, bits_of(X[start : start + step]).min(axis=0))
    lowest = np.minimum(lowest, bits_of(shifts))
    return [0 if e == 2000 or 0 < e < 64 else int(e) for e in lowest]


def bits_of(values: np.ndarray) -> np.ndarray:
    """The exponent of the lowest bit that is set in each float64; 2000 of 0.

    >>> bits_of(np.array([1.0, 0.75, 5e-324, 0.0])).tolist()
    [0, -2, -1074, 2000]
    """
    bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
    powers = (bits >> 52) & 0x7FF
    whole = (bits & (2**52 - 1)) | ((powers > 0).astype(np.int64) << 52)
    lowest = ((whole & -whole).astype(np.float64).view(np.int64) >> 52) - 1023
    return np.where(whole == 0, 2000, lowest + np.maximum(powers, 1) - 1075)


def column_sums(X: Any, signs: np.ndarray) -> list[Fraction]:
    """Σ ±x of every column without rounding: mantissas in halves of 27 bits, added up exponent by exponent.

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
    high = np.rint(np.ldexp(mantissas, 27))
    low = np.ldexp(np.ldexp(mantissas, 27) - high, 27)
    total = [Fraction(0)] * X.shape[1]
    for half, shift in ((high, 27), (low, 54)):
        sums = np.bincount(columns * span + powers - first, weights=half * by, minlength=span * X.shape[1])
        for at in np.flatnonzero(sums).tolist():
            j, e = divmod(at, span)
            total[j] += int(sums[at]) * two_to(e + first - shift)
    return total
