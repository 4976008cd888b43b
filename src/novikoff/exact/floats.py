"""Exact arithmetic on the float64 values of the data, which are dyadic rationals."""

from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse as sp

EXACT = 2.0**53
"""Integers of float64 up to this size add and multiply without rounding."""
PATIENCE = 10**6
"""Products of fractions that one proof may take."""


def integral(values: np.ndarray) -> bool:
    """Whether every value is an integer."""
    return values.dtype.kind in "biu" or bool((np.rint(values) == values).all())


def vanishes(coefficients: np.ndarray, X: Any, unit: float) -> bool:
    """Whether every line c of the coefficients has Σ c_i·[x_i; unit] = 0, proved exactly; False if it takes too long.

    >>> vanishes(np.array([[1.0, -2.0, 1.0]]), np.array([[1], [2], [3]]), 1.0)
    True
    """
    rows = np.flatnonzero(coefficients.any(axis=0))
    c, A = coefficients[:, rows], X[rows]
    values = A.data if sp.issparse(A) else A
    largest = max(float(np.abs(values).max(initial=0)), unit)
    if integral(values) and integral(c) and float(np.abs(c).sum()) * largest < EXACT:
        return not (c.sum(axis=1) * unit).any() and not (c @ A.astype(np.float64)).any()
    if c.size * X.shape[1] > PATIENCE:
        return False
    A = A.toarray() if sp.issparse(A) else A
    return all(combination(line, column) == 0 for line in c for column in (*A.T, np.full(len(rows), unit)))


def combination(weights: Any, values: Any) -> Fraction:
    """Σ weights_i·values_i without rounding."""
    return sum((Fraction(float(a)) * Fraction(float(b)) for a, b in zip(weights, values, strict=True)), Fraction(0))
