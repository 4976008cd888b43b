"""A plane with fewer errors, from one with few: by exact searches along lines, after the passes.

A line goes through the plane in the direction of a row that is wrong or nearly so, as the perceptron's updates do, or
of a single column; columns are taken centred and scaled, so that their units do not matter.  Errors along a line are
counted exactly, and the best place on it is gone to (L. Li and H.-T. Lin, "Optimizing 0/1 loss for perceptrons by
random coordinate descent", IJCNN 2007).
"""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..passes.line_search import best_step, margins_of, weights_of
from .problems import LinearProblems

SAMPLE = 4096
"""So many rows tell the scales of the columns; a direction need not be exact."""
DRAWN = 64
"""Of so many rows the one nearest to the plane gives a direction."""
BITS = 24
"""Of the numbers of a direction."""
LINES, VISITS = 4096, 2**22
"""So many lines are searched at most, and so many rows looked at; but as many lines as there were passes."""
STALE, PER_COLUMN = 500, 12
"""It ends when so many lines, and so many per column, have not helped."""


class Refinement:
    """The search from one plane of a problem of two classes, with the margins of all rows under it."""

    def __init__(self, problems: LinearProblems, c: int, w: np.ndarray, row_order: np.ndarray) -> None:
        self.problems, self.row_order = problems, row_order
        _, self.positive = problems.candidate(c, problems.W)
        self.random = np.random.default_rng(self.positive)  # the same in whatever group the class is
        self.w, self.width = w.copy(), len(w) - 1
        self.weights = weights_of(row_order, problems.targets)
        self.margins = self.margins_under(self.w)
        self.centre, self.scale = centre_and_scale(problems.X, row_order, bool(problems.rows.bias))

    def margins_under(self, w: np.ndarray) -> np.ndarray:
        """y·(w·x) of every row."""
        problems = self.problems
        margins: np.ndarray = margins_of(problems.rows, self.row_order, w, problems.targets, self.positive)
        return margins

    @property
    def errors(self) -> float:
        """The weights of the rows that are wrong, or on the plane, added up."""
        return float(self.weights[self.margins <= 0].sum())

    def go(self, passes: int) -> np.ndarray:
        """Search along lines until they cease to help; return the plane."""
        stale, least = 0, self.errors
        for _ in range(max(passes, min(LINES, VISITS // len(self.row_order)))):
            if not least or stale >= max(STALE, PER_COLUMN * self.width):
                break
            v = coarse(self.direction())
            slopes = self.margins_under(v)
            step = best_step(self.margins, slopes, self.weights, self.random.random())
            self.w += step * v
            self.margins += step * slopes
            stale, least = (0, self.errors) if self.errors < least else (stale + 1, least)
        return self.w

    def direction(self) -> np.ndarray:
        """By chance a column, as it is or centred, a row that is wrong, of some rows the nearest, or any direction."""
        kind = int(self.random.integers(5))
        if kind < 2:
            return self.of_column(int(self.random.integers(self.width + 1)), centred=kind == 1)
        if kind == 2:
            return self.of_standard(self.random.normal(size=self.width + 1))
        drawn = self.random.integers(len(self.row_order), size=DRAWN)
        margins = self.margins[drawn]
        nearest = np.where(margins <= 0, 0.0, 1.0) if kind == 3 else np.abs(margins)
        return self.of_row(self.row_order[drawn[nearest.argmin()]])

    def of_column(self, j: int, centred: bool) -> np.ndarray:
        """The direction of one scaled column, or of the intercept."""
        v = np.zeros(self.width + 1)
        if j == self.width:
            v[j] = 1.0
            return v
        v[j] = 1 / self.scale[j]
        if centred:
            v[-1] = -self.centre[j] * v[j]
        return v

    def of_row(self, i: int) -> np.ndarray:
        """The direction of a row."""
        X = self.problems.X
        x = np.asarray(X[[i]].toarray() if sp.issparse(X) else X[[i]], dtype=np.float64).ravel()
        return self.of_standard(np.append((x - self.centre) / self.scale, 1.0))

    def of_standard(self, v: np.ndarray) -> np.ndarray:
        """A plane of centred and scaled rows, as a plane of the rows as they are."""
        v = np.append(v[:-1] / self.scale, v[-1])
        v[-1] -= v[:-1] @ self.centre
        return v


def coarse(v: np.ndarray) -> np.ndarray:
    """Numbers near to these that all are whole multiples of one power of two, below 2^BITS of it.

    On rows of small whole numbers all margins are exact then, so that dense and sparse rows go the same way.
    """
    exponent = BITS - np.frexp(np.abs(v).max())[1]
    return np.ldexp(np.rint(np.ldexp(v, exponent)), -exponent)


def centre_and_scale(X: Any, row_order: np.ndarray, centred: bool) -> tuple[np.ndarray, np.ndarray]:
    """The mean of every column over a sample of rows, or 0, and how far entries are from it on average (not 0)."""
    sample = X[row_order[:: -(-len(row_order) // SAMPLE)]].astype(np.float64)
    squares = sample.multiply(sample) if sp.issparse(sample) else sample * sample
    mean, square = (np.asarray(part.mean(axis=0)).ravel() for part in (sample, squares))
    centre = mean if centred else np.zeros_like(mean)
    scale = np.sqrt(np.maximum(square - centre * centre, 0))
    return centre, np.where(scale > 0, scale, 1.0)


def refined(problems: LinearProblems, c: int, w: np.ndarray, row_order: np.ndarray, passes: int) -> np.ndarray:
    """A plane for problem c that has as many errors as w on these rows, up to rounding, or fewer."""
    return Refinement(problems, c, np.ascontiguousarray(w), row_order).go(passes)
