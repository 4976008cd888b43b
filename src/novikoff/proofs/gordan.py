"""Gordan's alternative for many rows: a plane with every z·w > 0, or a vertex p ≥ 0 with Zᵀp = 0.

Floats search, on a working set of hard rows that grows by the rows a plane gets wrong; whole numbers decide.
"""

import time
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

from ..exact.dyadic import primitive
from ..exact.limits import Clock, UndecidedError
from ..exact.linalg import null_space, products, rank, solution
from ..exact.simplex import alternative
from .nearest_point import Descent
from .signed_rows import WIDE, Table

SMALL = 400
"""Numbers in a table that goes to the exact simplex method at once."""
LARGEST_TABLEAU = 60_000
"""Entries of a tableau that the exact simplex method may work on."""
INDEPENDENT = 100_000
"""Numbers in a table of no more rows than columns that is solved exactly at once."""
MANY = 20_000
"""Numbers in a table for which a perceptron looks first."""
PASSES = (5, 25, 100)
"""Passes of a perceptron, each number after a look at how many rows are wrong."""
LOOKS = 100
"""Looks at all rows after which coordinate descent leaves the search to linear programs."""
MANY_COLUMNS = 300
"""Columns up to which linear programs are quick, so that the perceptron need not go on for long."""
HOPEFUL = 0.01
"""The part of the rows that may be wrong for the perceptron to go on."""
FIRST_ROWS = 4000
"""Rows of the first linear program, at most."""
FINEST = 1e-10
"""The least tolerance that HiGHS takes; with its usual one a weight slightly below zero passes for a vertex."""
BITS = (24, 50)
"""To so many bits planes found in floats are rounded."""


class Level:
    """Rows of a table seen through a basis: z ↦ z·N, where N spans the planes on which the tied rows are zero."""

    def __init__(self, table: Table, basis: list[list[int]] | None = None, clock: Clock | None = None) -> None:
        self.table, self.basis = table, basis
        self.worked = np.empty(0, dtype=int)  # the rows of the table that the last search worked on
        if basis is None:
            self.rows, self.floats, self.width = np.arange(len(table.rows)), table.floats, table.width
            return
        self.width = len(basis)
        if not basis:
            self.rows = np.empty(0, dtype=int)
            return
        scaled = [table.source.scaled(v) for v in basis]
        U, self.factors = np.column_stack([u for u, _ in scaled]), [1 / unit for _, unit in scaled]
        scores = table.floats @ U
        clear = (np.abs(scores) > table.doubt(np.linalg.norm(U, axis=0))).any(axis=1)
        open_ = table.outside(basis, np.flatnonzero(~clear))
        for j, v in enumerate(basis):
            if clock:
                clock()
            exact = table.margins(v, open_)
            clear[open_] |= np.array([value != 0 for value in exact], dtype=bool)
            scores[open_, j] = table.signs[open_] * [
                float(value * self.factors[j]) if value else 0.0 for value in exact
            ]
        self.rows = np.flatnonzero(clear)
        self.floats = scores[self.rows]

    def signed(self, rows: np.ndarray) -> Any:
        """Signed float rows, each brought near length 1 by a power of two."""
        F, signs = self.floats[rows], self.table.signs[self.rows[rows]]
        if sp.issparse(F):
            largest = abs(F).max(axis=1).toarray().ravel()
            F = sp.diags_array(np.ldexp(signs, -np.frexp(largest)[1])) @ F
            return F.toarray() if self.width <= WIDE else F
        return np.ldexp(F * signs[:, None], -np.frexp(np.abs(F).max(axis=1, keepdims=True, initial=0.0))[1])

    def integers(self, rows: Any) -> list[list[int]]:
        """Signed exact rows, without common divisors."""
        found = [self.table.integers(int(self.rows[k])) for k in rows]
        return found if self.basis is None else products(found, self.basis)

    def columns_of(self, rows: Any) -> list[list[int]]:
        """The columns of the signed exact rows that are not zero in all of them."""
        if self.basis is not None or not self.table.source.plain:
            return [list(column) for column in zip(*self.integers(rows), strict=True) if any(column)]
        found: dict[int, list[int]] = {}
        for at, k in enumerate(rows):
            sign = int(self.table.signs[k])
            for j, v in self.table.source.entries(int(self.table.rows[k])):
                found.setdefault(j, [0] * len(rows))[at] = sign * v
        ones = [int(self.table.signs[k]) for k in rows]
        return [*found.values(), *[ones] * self.table.source.intercept]

    def lifted(self, w: list[int]) -> list[int]:
        """A plane of this level as one of the table."""
        if self.basis is None:
            return w
        columns = zip(*self.basis, strict=True)
        return primitive([Fraction(sum(a * b for a, b in zip(w, column, strict=True))) for column in columns])

    def rounded(self, u: np.ndarray, bits: int) -> list[int]:
        """A plane in floats as one in whole numbers."""
        top = np.frexp(np.abs(u).max(initial=0.0))[1]
        grid = [int(g) for g in np.rint(np.ldexp(u, bits - top))]
        powers = self.table.source.factor_powers if self.basis is None else None
        if powers is not None:
            return primitive([g << k for g, k in zip(grid, (powers - powers.min()).tolist(), strict=True)])
        factors = self.table.source.factors if self.basis is None else self.factors
        return primitive([g * factor for g, factor in zip(grid, factors, strict=True)])

    def wrong(self, w: list[int]) -> np.ndarray:
        """The rows that a plane does not have on their right side, proved, the worst first."""
        lifted = self.lifted(w)
        scores, sides = self.table.sides(lifted, self.rows)
        found = np.flatnonzero(sides <= 0)
        return found[np.argsort(scores[found], kind="stable")]


Found = tuple[list[int] | None, dict[int, int]]


def decide(level: Level, clock: Clock) -> Found:
    """(plane, {}) or (None, witness), proved; or UndecidedError is raised."""
    n, width = len(level.rows), level.width
    if n * width <= SMALL:
        return by_simplex(level, np.arange(n), clock)
    plane = independent(level) if n <= width and n * width <= (INDEPENDENT if level.basis is None else SMALL) else None
    if plane is None and level.basis is None and n * width > MANY:
        plane = by_descent(level, clock) if width > WIDE else by_perceptron(level, clock)
    first = np.arange(min(n, 3 * width + 50, FIRST_ROWS))
    if plane is not None:
        if not len(level.wrong(plane)):
            return plane, {}
        first = hardest(level, plane, min(2 * width + 100, FIRST_ROWS))
    return Search(level, clock).go(first)


def hardest(level: Level, plane: list[int], count: int) -> np.ndarray:
    """The rows of least score for their length."""
    scores = level.table.scores(level.lifted(plane))[0][level.rows] / (level.table.lengths[level.rows] + 1e-300)
    return np.argsort(scores, kind="stable")[:count]


def independent(level: Level) -> list[int] | None:
    """Independent rows are separable: Zw = 1 has a solution."""
    return solution(level.integers(range(len(level.rows))), [1] * len(level.rows))


def by_perceptron(level: Level, clock: Clock) -> list[int] | None:
    """The plane of a run over all rows, which goes on as long as few of them are wrong."""
    from ..learners.perceptron import Perceptron  # the learners know this room

    signs = level.table.signs
    if len(np.unique(signs)) < 2:
        return None
    learner = Perceptron(order="active", fit_intercept=False, tol=1e-6, random_state=0, warm_start=True)
    for passes in PASSES if level.width > MANY_COLUMNS else PASSES[:1]:
        began = time.monotonic()
        clock.say(f"{passes} passes of a perceptron over {len(signs)} rows")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            learner.set_params(max_iter=passes).fit(level.floats, signs)
        plane = level.rounded(learner.coef_.ravel(), BITS[1])
        each = (time.monotonic() - began) / passes
        if learner.status_ != "stopped" or len(level.wrong(plane)) > HOPEFUL * len(signs):
            break
        if each * PASSES[-1] > clock.left():
            break
    return plane


def by_descent(level: Level, clock: Clock) -> list[int]:
    """The plane of a coordinate descent that separates by a hundredth of the best margin, if it gets there."""
    clock.say(f"coordinate descent over {len(level.rows)} rows")
    descent = Descent(level.table)
    descent.go(0.01, clock, LOOKS)
    w = descent.nearest()[2]
    top = np.frexp(np.abs(w).max(initial=0.0))[1]
    return level.table.inner([int(g) for g in np.rint(np.ldexp(w, BITS[1] - top))])


def by_simplex(level: Level, rows: np.ndarray, clock: Clock) -> Found:
    """Decide exactly, adding the rows that the plane of the rows so far gets wrong."""
    if not clock.exact:
        raise UndecidedError("floats are too coarse to tell, and exact=False forbids an exact search")
    while True:
        if (len(rows) + level.width + 2) * (level.width + 2) > LARGEST_TABLEAU:
            raise UndecidedError("floats are too coarse to tell, and the data is too large for exact arithmetic")
        w, p = alternative(level.integers(rows), clock)
        if w is None:
            return None, {int(k): v for k, v in zip(rows, primitive(p), strict=True) if v}
        plane = primitive(w)
        wrong = level.wrong(plane)
        if not len(wrong):
            return plane, {}
        rows = np.concatenate([rows, wrong[: level.width]])


class Search:
    """Linear programs over a growing working set."""

    def __init__(self, level: Level, clock: Clock) -> None:
        self.level, self.clock = level, clock

    def go(self, rows: np.ndarray) -> Found:
        """From these rows on until something is proved."""
        while True:
            self.clock()
            self.level.worked = self.level.rows[rows]
            u, s, p = self.program(rows)
            plane, new = self.plane(u, rows) if s > 0 else (None, rows[:0])
            if plane is not None:
                return plane, {}
            if not len(new):
                if witness := self.witness(rows, p):
                    return None, witness
                hard = rows[np.argsort(-p, kind="stable")[: max(2 * self.level.width, 50)]]
                return by_simplex(self.level, hard, self.clock)
            rows = np.concatenate([rows, new[: max(100, 2 * self.level.width)]])

    def program(self, rows: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
        """max s with z·u ≥ s and |u_j| ≤ 1: a plane and, as multipliers, weights under which |Σ p_i·z_i| is least."""
        Z, width = self.level.signed(rows), self.level.width
        options = {"dual_feasibility_tolerance": FINEST, "primal_feasibility_tolerance": FINEST}
        options["time_limit"] = self.clock.left()
        self.clock.say(f"a linear program over {len(rows)} of {len(self.level.rows)} rows")
        stack = sp.hstack if sp.issparse(Z) else np.hstack
        found = linprog(
            np.append(np.zeros(width), -1.0),
            A_ub=stack([-Z, np.ones((len(rows), 1))]),
            b_ub=np.zeros(len(rows)),
            bounds=[(-1, 1)] * width + [(0, 1)],
            method="highs",
            options=options,
        )
        self.clock()
        if found.x is None:
            return np.zeros(width), 0.0, np.ones(len(rows))
        return found.x[:-1], float(found.x[-1]), -found.ineqlin.marginals

    def plane(self, u: np.ndarray, rows: np.ndarray) -> tuple[list[int] | None, np.ndarray]:
        """A plane that has every row right, or rows it has wrong that the program did not know of."""
        for bits in BITS:
            plane = self.level.rounded(u, bits)
            wrong = self.level.wrong(plane)
            if not len(wrong):
                return plane, wrong
            if len(new := np.setdiff1d(wrong[: 4 * self.level.width + 200], rows, assume_unique=True)):
                return None, new
        return None, rows[:0]

    def witness(self, rows: np.ndarray, p: np.ndarray) -> dict[int, int] | None:
        """The exact weights of the rows that carry the multipliers, if they are all positive."""
        support = rows[p > 1e-9 * p.max(initial=0.0)]
        if not 0 < len(support) <= self.level.width + 1:
            return None
        columns = self.level.columns_of(support) or [[0] * len(support)]
        if rank(columns) != len(support) - 1:
            return None
        (weights,) = null_space(columns)
        if weights[0] < 0:
            weights = [-v for v in weights]
        return dict(zip(support.tolist(), weights, strict=True)) if min(weights) > 0 else None
