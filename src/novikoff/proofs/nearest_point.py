"""The nearest point of the hull of the signed rows by coordinate descent, on rows in place, dense or sparse."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..exact.limits import Clock
from ..passes import max_margin as dual
from ..passes.rows import of_matrix
from .signed_rows import Table

LOOKS = 2000
"""Looks at all rows, each after PASSES over the rows that seem to matter."""
PASSES = 30
NEAR = 0.05
"""Rows with z·w up to this much above 1, the least one of the best plane, are worked on between two looks."""


class Plain:
    """The rows as they were given, in floats, divided by one power of two."""

    def __init__(self, table: Table) -> None:
        X = table.source.X
        self.X = X if len(table.rows) == X.shape[0] else X[table.rows]
        self.signs, self.intercept = table.signs, table.source.intercept
        largest = np.maximum(-table.source.low, table.source.high).max(initial=float(self.intercept))
        self.power = int(np.frexp(largest)[1])

    def rows(self, rows: np.ndarray) -> np.ndarray:
        """Some signed rows."""
        Z = self.X[rows].toarray() if sp.issparse(self.X) else self.X[rows]
        Z = np.column_stack([Z, np.ones((len(rows), int(self.intercept)))]) * self.signs[rows, None]
        return np.ldexp(Z, -self.power)

    def of_matrix(self) -> Any:
        """The rows as the passes read them."""
        X = self.X.astype(np.float64)  # a copy
        values = X.data if sp.issparse(X) else X
        np.ldexp(values, -self.power, out=values)
        return of_matrix(X, float(np.ldexp(float(self.intercept), -self.power)))

    def scores(self, v: np.ndarray) -> np.ndarray:
        """z·v of every row."""
        d = self.X.shape[1]
        u = np.ldexp(v, -self.power)
        return self.signs * (self.X @ u[:d] + (u[d] if self.intercept else 0.0))


class Descent:
    """min ‖Σ α_i·z_i‖²/2 − Σ α_i over α ≥ 0; w = Σ α_i·z_i has the largest margin, and p = α / Σα proves it."""

    def __init__(self, table: Table) -> None:
        everything = Plain(table)
        n, width = everything.X.shape
        self.rows, self.signs, self.width = everything.of_matrix(), everything.signs, table.width
        self.squares, self.scores, self.alpha, self.w = np.empty(n), np.zeros(n), np.zeros(n), np.zeros(width + 1)
        dual.lengths(self.rows, self.squares)
        self.visits, self.random = np.arange(n), np.random.default_rng(0)

    def go(self, part: float, clock: Clock, looks: int = LOOKS) -> None:
        """Until the least z·w is this part of what no plane has more of, or that is not to be hoped for."""
        for _ in range(looks):
            order = self.random.permutation(self.visits).astype(np.uint32)
            dual.descend(self.rows, order, self.signs, self.squares, self.alpha, self.w, PASSES, (1 - part) / 100)
            dual.scores(self.rows, self.signs, self.w, self.scores)
            square, lowest = float(self.w @ self.w), float(self.scores.min())
            most = square / self.alpha.sum()
            if lowest >= part * most or clock.over():
                break
            self.visits = np.flatnonzero((self.alpha > 0) | (self.scores < 1 + NEAR))

    def nearest(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """p where it is not zero, those rows, and w."""
        support = np.flatnonzero(self.alpha > 0)
        return self.alpha[support] / self.alpha.sum(), support, self.w[: self.width]
