"""A plane with fewer errors, from one with few: by exact searches along lines, after the passes.

A line goes through the plane in the direction of one column, or of a row that is wrong or nearly so, as the
perceptron's updates do, or of any; columns are scaled, and those with few zeros are centred, so that their units do not
matter.  Errors along a line are counted exactly, and the best place on it is gone to (L. Li and H.-T. Lin, "Optimizing
0/1 loss for perceptrons by random coordinate descent", IJCNN 2007).

Columns are kept as lists of their entries.  Where all rows take too much memory for that, lines are searched on the
rows that are nearest to the plane, which change sides first, and all rows are counted before a plane is kept.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..passes.line_search import GIVEN, ColumnLists, Scaling, columns_of, margins_of, search_lines
from .problems import LinearProblems

SAMPLE = 4096
"""So many rows tell the scales of the columns; a direction need not be exact."""
PART = 512
"""So many of them are looked at at once, lest copies take as much memory as the columns that are searched."""
DENSE = 1 / 2
"""A column is centred if more than this part of its entries is not zero: then hardly a row is spared."""
DRAWN = 64
"""Of so many rows the one nearest to the plane gives a direction, or the first that is wrong."""
BITS = 24
"""Of the numbers of a direction."""
ROOM = 2**21
"""Entries of columns that are kept at once."""
LEAST, PER_PASS = 2**21, 2
"""The work that the lines may take, in entries of X: so many times that of the passes, but no less than LEAST."""
FRUITLESS = 4
"""It ends when the lines of so many sets of nearest rows in a row have not helped."""
STALE, STALE_ROUNDS = 2048, 16
"""It ends when so many lines, and so many rounds, each a line per column and one more, have not helped."""
NEAR, NEARBY = 1 / 16, 256
"""Lines are searched as far as this part of the rows, or so many, are from the plane."""
FAR = frozenset(2 * 4**k for k in range(12))
"""In these rounds they are searched as far as any row was at first, which costs much more: places are sorted."""


class LineSearch:
    """Searches on rows whose columns are kept; ``moves`` is how far the plane went along each column."""

    def __init__(
        self, columns: ColumnLists, margins: np.ndarray, weights: np.ndarray, random: np.random.Generator
    ) -> None:
        self.columns, self.margins, self.weights, self.random = columns, margins, weights, random
        self.width = len(columns.starts) - 1
        self.moves = np.zeros(self.width)
        self.farthest = float(np.abs(margins).max(initial=0.0))  # at first, lest steps and distances drive each other

    @property
    def errors(self) -> float:
        """The weights of the rows that are wrong, or on the plane, added up."""
        return float(self.weights[self.margins <= 0].sum())

    def go(self, work: float) -> float:
        """Rounds of lines until they cease to help, or have taken so much work; return what is left of it."""
        number, stale, least = 0, 0, self.errors
        while work > 0 and least and stale < max(STALE_ROUNDS, STALE / (self.width + 1)):
            number += 1
            work -= self.round(number)
            errors = self.errors
            stale, least = (0, errors) if errors < least else (stale + 1, least)
        return work

    def round(self, number: int) -> float:
        """A line in the direction of every column, and one more; return the work."""
        lines = np.append(self.random.permutation(self.width), self.width + number % (GIVEN + 1))
        draws, drawn = self.random.random(len(lines)), self.random.integers(len(self.margins), size=DRAWN)
        given = self.random.normal(size=self.width)
        reach = self.reach(number in FAR)
        moves, work = search_lines(self.columns, self.margins, self.weights, lines, draws, drawn, given, reach)
        self.moves += moves
        return float(work)

    def reach(self, far: bool) -> float:
        """How far rows are from the plane that lines may bring to it: some of the nearest, or all at first; not 0."""
        distances = np.abs(self.margins)
        nearby = min(max(NEAR, NEARBY / len(distances)), 1.0)
        near = 0.0 if far else float(np.quantile(distances, nearby))
        return near or self.farthest or 1.0


class Refinement:
    """Searches from planes of problems of two classes: what they have in common, and the plane of the present one."""

    def __init__(self, problems: LinearProblems, row_order: np.ndarray) -> None:
        self.problems, self.row_order = problems, row_order
        weights = problems.targets.sample_weight
        self.weights = np.broadcast_to(weights, len(row_order)) if len(weights) == 1 else weights[row_order]
        self.scaling, per_row = scaling_of(problems.X, row_order, bool(problems.rows.bias))
        self.entries = per_row * len(row_order)
        self.fitting = int(ROOM // per_row)

    def refined(self, c: int, w: np.ndarray, passes: int) -> np.ndarray:
        """A plane for problem c that has as many errors as w, up to rounding, or fewer; after so many passes."""
        self.w = w.copy()
        _, self.positive = self.problems.candidate(c, self.problems.W)
        self.random = np.random.default_rng(self.positive)  # the same in whatever group the class is
        return self.go(max(LEAST, PER_PASS * passes * self.entries))

    def margins_under(self, w: np.ndarray) -> np.ndarray:
        """y·(w·x) of every row."""
        problems = self.problems
        margins: np.ndarray = margins_of(problems.rows, self.row_order, w, problems.targets, self.positive)
        return margins

    def go(self, work: float) -> np.ndarray:
        """Search along lines until they cease to help, or have taken so much work; return the plane."""
        margins = self.margins_under(self.w)
        if not np.isfinite(margins).all():  # they are refused later
            return self.w
        if self.fitting >= len(margins):
            return self.lines(np.arange(len(margins)), margins, work)[0]
        least, fruitless, part = self.errors(margins), 0, self.entries
        while work > 0 and least and fruitless < FRUITLESS:
            near = np.sort(np.argpartition(np.abs(margins), self.fitting)[: self.fitting])
            w, left = self.lines(near, margins, part)
            there = self.margins_under(w)
            work -= part - left + self.entries
            if self.errors(there) < least:
                self.w, margins, least, fruitless = w, there, self.errors(there), 0
            else:
                fruitless, part = fruitless + 1, part / 2
        return self.w

    def errors(self, margins: np.ndarray) -> float:
        """The weights of the rows that are wrong, or on the plane, added up."""
        return float(self.weights[margins <= 0].sum())

    def lines(self, near: np.ndarray, margins: np.ndarray, work: float) -> tuple[np.ndarray, float]:
        """The plane after lines on some rows, and what is left of the work."""
        problems = self.problems
        columns = columns_of(problems.rows, self.row_order[near], problems.targets, self.positive, self.scaling)
        search = LineSearch(columns, margins[near], self.weights[near], self.random)
        left, moves = search.go(work), search.moves
        w = self.w.copy()
        w[:-1] += moves[:-1] * self.scaling.factors
        w[-1] += moves[-1] + moves[:-1] @ self.scaling.shifts
        return w, left


def coarse(v: np.ndarray) -> np.ndarray:
    """Numbers near to these that all are whole multiples of one power of two, below 2^BITS of it.

    On rows of small whole numbers all margins are exact then, so that dense and sparse rows go the same way.
    """
    exponent = BITS - np.frexp(np.abs(v).max(axis=0))[1]
    return np.ldexp(np.rint(np.ldexp(v, exponent)), -exponent)


def scaling_of(X: Any, row_order: np.ndarray, centred: bool) -> tuple[Scaling, float]:
    """What brings columns to a mean of 0, or nearly, and squares of 1 on average, by a sample of rows.

    And how many entries a row has then, on average, with the one for the intercept.
    """
    sample = row_order[:: -(-len(row_order) // SAMPLE)]
    totals = np.zeros((3, X.shape[1]))
    for start in range(0, len(sample), PART):
        part = X[sample[start : start + PART]].astype(np.float64)
        squares = part.multiply(part) if sp.issparse(part) else part * part
        totals += [np.asarray(of_rows.sum(axis=0)).ravel() for of_rows in (part, squares, part != 0)]
    mean, square, filled = totals / len(sample)
    centre = np.where(centred & (filled > DENSE), mean, 0.0)
    scale = np.sqrt(np.maximum(square - centre * centre, 0))
    factors = 1 / np.where(scale > 0, scale, 1.0)
    factors, shifts = coarse(np.array([factors, -centre * factors]))
    return Scaling(factors, shifts), float(np.where(shifts, 1.0, filled).sum()) + 1
