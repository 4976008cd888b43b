"""The nearest point of the hull of the signed rows, in floats: p that makes ‖Σ p_i·z_i‖ least, p a probability vector.

Over a working set of rows it is found by non-negative least squares: min ‖Zᵀp‖² + K²(Σp − 1)² has its minimum at a
multiple of the point sought.  Wide or sparse rows are taken as they are, by coordinate descent.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.optimize import nnls

from ..exact.floats import primitive
from ..exact.limits import SearchLimits
from ..passes import max_margin
from ..passes.rows import of_matrix, packed
from .signed_rows import NO_LENGTH, SignedRows

ROUNDS = 200
"""Working sets that are tried before the point is taken as it is."""
GROWTH = 100
"""Rows that join the working set at a time, at least; and those of the first beyond one per column."""
GROWTH_PART = 4
"""One in so many of the rows of the working set may join it at a time."""
NNLS_STEPS = 20
"""Steps of non-negative least squares per row."""
EFFORT = 4
"""How many times closer than asked for floats come to the least norm, so that rounding leaves what was asked for."""
LOOKS = 2000
"""Looks at all rows, each after PASSES over the rows that seem to matter."""
PASSES = 30
NEAR = 0.05
"""Rows with z·w up to this much above 1, the least one of the best plane, are worked on between two looks."""
PASS_EFFORT = 100
"""How many times closer the passes between two looks come to their goal than all rows need to."""
PLANE_BITS = (24, 50)
"""To so many bits planes in floats are rounded: short numbers, or nearly all that floats know."""
MODEST = 100
"""Numbers of at most so many bits, before the point or behind it, have squares that floats hold."""
WEIGHT_BITS = 52
"""To so many bits weights are rounded."""

Nearest = tuple[dict[int, int], np.ndarray]
"""Weights in whole numbers, by row, and the point that they make in floats."""


class GivenRows:
    """The signed rows as they were given, in floats, divided by one power of two where they are very large or small."""

    def __init__(self, signed: SignedRows) -> None:
        X = signed.data.X
        self.X = X if len(signed.rows) == X.shape[0] else X[signed.rows]
        self.signs, self.intercept = signed.signs, signed.data.intercept
        largest = np.maximum(-signed.data.low, signed.data.high).max(initial=float(self.intercept))
        power = int(np.frexp(largest)[1])
        self.power = power if abs(power) > MODEST else 0

    def dense(self, rows: np.ndarray) -> np.ndarray:
        """Some signed rows."""
        Z = self.X[rows].toarray() if sp.issparse(self.X) else self.X[rows]
        Z = np.column_stack([Z, np.ones((len(rows), int(self.intercept)))]) * self.signs[rows, None]
        return np.ldexp(Z, -self.power)

    def for_passes(self) -> Any:
        """The rows as the passes read them, without signs."""
        X = self.X.astype(np.float64, copy=self.power != 0)
        if self.power:
            values = X.data if sp.issparse(X) else X
            np.ldexp(values, -self.power, out=values)
        return packed(of_matrix(X, float(np.ldexp(float(self.intercept), -self.power))), X.shape[1])

    def scores(self, v: np.ndarray) -> np.ndarray:
        """z·v of every row."""
        d, half = self.X.shape[1], self.power // 2  # half before and half after, so that neither leaves the floats
        u = np.ldexp(v, -half)
        return np.ldexp(self.signs * (self.X @ u[:d] + (u[d] if self.intercept else 0.0)), half - self.power)


def by_least_squares(signed: SignedRows, separator: list[int], rel_gap: float, limits: SearchLimits) -> Nearest:
    """The nearest point by least squares on a working set that grows by the rows of least score."""
    given = GivenRows(signed)
    distances = signed.scores(separator)[0] / (signed.lengths + NO_LENGTH)
    rows = np.argsort(distances, kind="stable")[: signed.width + GROWTH]
    for _ in range(ROUNDS):
        Z = given.dense(rows)
        p = least_norm_weights(Z)
        v = Z.T @ p
        scores, square = given.scores(v), float(v @ v)
        if scores.min() >= (1 - rel_gap / EFFORT) * square or not square > 0 or limits.over():
            break
        worst = np.argsort(scores, kind="stable")[: GROWTH + len(rows) // GROWTH_PART]
        new = np.setdiff1d(worst[scores[worst] < square], rows)
        if not len(new):
            break
        rows = np.concatenate([rows, new])
    return whole_weights(p, rows), v


def by_descent(signed: SignedRows, rel_gap: float, limits: SearchLimits) -> Nearest:
    """The nearest point by coordinate descent over all rows."""
    descent = Descent(signed)
    descent.go(1 - rel_gap / EFFORT, limits)
    p, rows, w = descent.nearest()
    return whole_weights(p, rows), w


def least_norm_weights(Z: np.ndarray) -> np.ndarray:
    """Probabilities p with the least ‖Zᵀp‖."""
    A = Z.T if Z.shape[1] <= Z.shape[0] else np.linalg.qr(Z.T, mode="r")
    K = float(np.sqrt(np.einsum("ij,ij->i", Z, Z).max()))
    try:
        p, _ = nnls(np.vstack([A, np.full(len(Z), K)]), np.append(np.zeros(len(A)), K), maxiter=NNLS_STEPS * len(Z))
    except RuntimeError:
        p = np.ones(len(Z))
    return p / p.sum() if p.sum() > 0 else np.full(len(Z), 1 / len(Z))


def on_grid(v: np.ndarray, bits: int) -> list[int]:
    """Whole numbers of at most so many bits in about these ratios."""
    top = np.frexp(np.abs(v).max(initial=0.0))[1]
    return [int(g) for g in np.rint(np.ldexp(v, bits - top))]


def whole_weights(p: np.ndarray, rows: np.ndarray) -> dict[int, int]:
    """Probabilities as whole numbers without a common divisor."""
    weights = primitive(on_grid(p, WEIGHT_BITS))
    return {int(k): weight for k, weight in zip(rows, weights, strict=True) if weight > 0}


class Descent:
    """min ‖Σ α_i·z_i‖²/2 − Σ α_i over α ≥ 0; w = Σ α_i·z_i has the largest margin, and p = α / Σα proves it."""

    def __init__(self, signed: SignedRows) -> None:
        given = GivenRows(signed)
        n, width = given.X.shape
        self.rows, self.signs, self.width = given.for_passes(), given.signs, signed.width
        self.squares, self.scores, self.alpha, self.w = np.empty(n), np.zeros(n), np.zeros(n), np.zeros(width + 1)
        max_margin.lengths(self.rows, self.squares)
        self.active, self.random = np.arange(n), np.random.default_rng(0)

    def go(self, part: float, limits: SearchLimits, looks: int = LOOKS) -> None:
        """Until the least z·w is this part of what no plane has more of, or that is not to be hoped for."""
        tol = (1 - part) / PASS_EFFORT
        for _ in range(looks):
            order = self.random.permutation(self.active).astype(np.uint32)
            max_margin.descend(self.rows, order, self.signs, self.squares, self.alpha, self.w, PASSES, tol)
            max_margin.scores(self.rows, self.signs, self.w, self.scores)
            square, lowest = float(self.w @ self.w), float(self.scores.min())
            most = square / self.alpha.sum()
            if lowest >= part * most or limits.over():
                break
            self.active = np.flatnonzero((self.alpha > 0) | (self.scores < 1 + NEAR))

    def nearest(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """p where it is not zero, those rows, and w."""
        support = np.flatnonzero(self.alpha > 0)
        return self.alpha[support] / self.alpha.sum(), support, self.w[: self.width]
