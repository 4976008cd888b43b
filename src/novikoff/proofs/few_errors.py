"""A plane with few errors: from the best of the learners, by exact searches along lines."""

import warnings

import numpy as np
import scipy.sparse as sp

from ..exact.floats import dense
from ..exact.limits import SearchLimits
from ..passes.line_search import ColumnLists, step_along
from ..training.refining import LineSearch
from .gordan import Level
from .nearest_point import PLANE_BITS
from .signed_rows import SignedRows

ROUNDS = 30
"""Rounds without a better plane after which a descent ends."""
LINES = 60
"""Directions of a round."""
TINY = 1e-12
"""Slopes below this do not move a row."""


class ErrorSearch:
    """Planes w, the errors that floats count (rows with z·w ≤ 0), and steps to better ones."""

    def __init__(self, signed: SignedRows, limits: SearchLimits, seed: int = 0) -> None:
        self.signed, self.limits, self.random = signed, limits, np.random.default_rng(seed)
        F = signed.floats
        self.Z = np.asarray(dense(F)) * signed.signs[:, None]
        length = np.sqrt((self.Z * self.Z).mean(axis=0))
        self.scale = np.where(length > 0, length, 1.0)
        self.Z = self.Z / self.scale
        self.weights = np.ones(len(self.Z))
        self.best = self.first = np.zeros(self.Z.shape[1])
        self.errors = len(self.Z)

    def consider(self, w: np.ndarray) -> int:
        """Count the errors of a plane, and keep it if it has fewer."""
        errors = int((self.Z @ w <= TINY).sum())
        if errors < self.errors:
            self.best, self.errors = w, errors
        return errors

    def start(self) -> None:
        """The planes of learners and of some linear classifiers."""
        from sklearn.linear_model import LogisticRegression  # these take half a second, which checks need not wait for

        from ..learners.averaged import AveragedPerceptron
        from ..learners.pocket import PocketPerceptron

        labels, X = self.signed.signs, self.Z * self.signed.signs[:, None]
        learners = [
            PocketPerceptron(max_iter=100, fit_intercept=False, random_state=0),
            AveragedPerceptron(max_iter=50, fit_intercept=False, random_state=0),
            *(LogisticRegression(C=C, fit_intercept=False, max_iter=300) for C in (0.01, 1.0, 100.0)),
        ]
        for learner in learners:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.consider(learner.fit(X, labels).coef_.ravel())
            if self.limits.over():
                break
        self.go_along_columns()
        self.first = self.best

    def go_along_columns(self) -> None:
        """Improve the best plane along columns, as the pocket does: with many of them that is the quickest."""
        listed = sp.csc_matrix(self.Z)
        columns = ColumnLists(listed.indptr.astype(np.int64), listed.indices.astype(np.uint32), listed.data)
        search, start = LineSearch(columns, self.Z @ self.best, self.weights, self.random), self.best
        number = stale = 0
        while stale < ROUNDS and self.errors and not self.limits.over():
            number, before = number + 1, self.errors
            search.round(number)
            self.consider(start + search.moves)
            stale = 0 if self.errors < before else stale + 1

    def go(self, descents: int) -> None:
        """Descend from the first plane by other directions each time, until so many descents have not helped."""
        stale = 0
        while stale < descents and self.errors and not self.limits.over():
            before = self.errors
            self.descend(self.first.copy())
            stale = 0 if self.errors < before else stale + 1

    def descend(self, w: np.ndarray) -> None:
        """Improve a plane along lines until nothing helps for long; steps that are as good are taken too."""
        stale, errors = 0, len(self.Z)
        while stale < ROUNDS and not self.limits.over():
            before, scores = errors, self.Z @ w
            for v in self.directions(scores):
                slopes = self.slopes(v, scores)
                step = step_along(scores, slopes, self.weights, self.random.random())
                w, scores = w + step * v, scores + step * slopes
                errors = min(errors, int((scores <= TINY).sum()))
                if errors < self.errors:
                    self.consider(w)
            stale = 0 if errors < before else stale + 1

    def directions(self, scores: np.ndarray) -> list[np.ndarray]:
        """Single columns, rows that are wrong or nearly so, and chance."""
        width = self.Z.shape[1]
        near = np.argsort(np.abs(scores))[: 4 * width]
        rows = self.random.choice(near, min(LINES // 3, len(near)), replace=False)
        columns = self.random.choice(width, min(LINES // 3, width), replace=False)
        return [
            *np.eye(width)[columns],
            *self.Z[rows],
            *self.random.normal(size=(LINES // 3, width)),
        ]

    def slopes(self, v: np.ndarray, scores: np.ndarray) -> np.ndarray:
        """How fast the scores of the rows change along v; 0 where it may be nothing but rounding."""
        slopes: np.ndarray = self.Z @ v
        slopes[np.abs(slopes) <= TINY * (np.abs(scores) + np.linalg.norm(v))] = 0.0
        return slopes

    def plane(self) -> tuple[list[int], np.ndarray]:
        """The best plane in whole numbers of the exact side, and the rows that it has wrong, or on it, proved."""
        level, tried = Level(self.signed), []
        for bits in PLANE_BITS:
            plane = level.round_plane(self.best / self.scale, bits)
            wrong = np.flatnonzero(self.signed.sides(plane)[1] <= 0)
            tried.append((plane, wrong))
            if len(wrong) <= self.errors:
                break
        return min(tried, key=lambda pair: len(pair[1]))
