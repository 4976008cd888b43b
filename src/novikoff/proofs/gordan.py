"""Gordan's alternative for many rows: a plane with every z·w > 0, or a vertex p ≥ 0 with Zᵀp = 0.

Floats search, on a working set of hard rows that grows by the rows a plane gets wrong; whole numbers decide.
"""

import time
import warnings
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

from ..exact.floats import primitive
from ..exact.limits import SearchLimits, UndecidedError
from ..exact.linalg import null_space, products, rank, solution
from ..exact.simplex import alternative
from .nearest_point import PLANE_BITS, Descent, least_norm_weights, on_grid
from .signed_rows import NO_LENGTH, WIDE, SignedRows

SMALL = 400
"""Numbers in a table that goes to the exact simplex method at once."""
LARGEST_TABLEAU = 60_000
"""Entries of a tableau that the exact simplex method may work on."""
INDEPENDENT = 100_000
"""Numbers in a table of no more rows than columns that is solved exactly at once."""
MANY = 20_000
"""Numbers in a table for which a perceptron looks first; in those of fewer the nearest point of all rows tells."""
PASSES = (5, 25, 100)
"""Passes of a perceptron, each number after a look at how many rows are wrong."""
LOOKS = 100
"""Looks at all rows after which coordinate descent leaves the search to linear programs."""
MANY_COLUMNS = 300
"""Columns up to which linear programs are quick, so that the perceptron need not go on for long.

Of more, interior points are followed: the simplex method may stall, as it does on the digits 4 and 9 of MNIST.
"""
HOPEFUL = 0.01
"""The part of the rows that may be wrong for the perceptron to go on."""
MOST_FIRST = 4000
"""Rows of the first linear program, at most."""
FINEST = 1e-10
"""The least tolerance that HiGHS takes; with its usual one a weight slightly below zero passes for a vertex."""
SEPARATED = 0.01
"""The part of the best margin at which coordinate descent may stop, as only a plane is sought."""
PERCEPTRON_TOL = 1e-6
"""The margin, in parts of the radius, below which the perceptron gives up."""
SUPPORT = 1e-9
"""Multipliers above this part of the largest carry the witness; the others are rounding."""


NEAREST_ROUNDS = 20
"""Working sets whose nearest point is looked at before linear programs are asked."""
NO_DISTANCE = 1e-9
"""Nearest points of rows of length 1 whose square is below this may be 0."""


class RowCount(NamedTuple):
    """How many rows are taken, by the number of columns."""

    per_column: int
    more: int

    def of(self, width: int) -> int:
        """Rows for so many columns."""
        return self.per_column * width + self.more


FIRST = RowCount(3, 50)
"""Rows of the first linear program where no plane tells the hard ones: a vertex of it has at most one per column."""
HARD = RowCount(2, 100)
"""Rows of the first linear program where a plane tells the hard ones."""
NEW = RowCount(4, 200)
"""Rows that a plane has wrong among which those are looked for that the program did not know of."""
LEAST_NEW, LEAST_EXACT = 100, 50
"""Rows that join the working set, and that the exact simplex method begins with: so many, or two per column."""


class Level:
    """Signed rows seen through a basis: z ↦ z·N, where N spans the planes on which the tied rows are zero."""

    def __init__(
        self, signed: SignedRows, basis: list[list[int]] | None = None, limits: SearchLimits | None = None
    ) -> None:
        self.signed, self.basis = signed, basis
        self.worked = np.empty(0, dtype=int)  # the signed rows that the last search worked on
        if basis is None:
            self.rows, self.floats, self.width = np.arange(len(signed.rows)), signed.floats, signed.width
            self.signs = signed.signs
            return
        self.width = len(basis)
        if not basis:
            self.rows = np.empty(0, dtype=int)
            return
        scaled = [signed.float_weights(v) for v in basis]
        U, self.factors = np.column_stack([u for u, _ in scaled]), [1 / scale for _, scale in scaled]
        scores = signed.floats @ U
        clear = (np.abs(scores) > signed.error_bound(np.linalg.norm(U, axis=0))).any(axis=1)
        doubtful = signed.maybe_outside(basis, np.flatnonzero(~clear))
        for j, exact in enumerate(signed.margins_of_each(basis, doubtful)):
            if limits:
                limits()
            clear[doubtful] |= np.array([value != 0 for value in exact], dtype=bool)
            floats = [float(value * self.factors[j]) if value else 0.0 for value in exact]
            scores[doubtful, j] = signed.signs[doubtful] * floats
        self.rows = np.flatnonzero(clear)
        self.floats, self.signs = scores[self.rows], signed.signs[self.rows]

    def float_rows(self, rows: np.ndarray) -> Any:
        """Signed float rows, each brought near length 1 by a power of two."""
        F, signs = self.floats[rows], self.signs[rows]
        if sp.issparse(F):
            largest = abs(F).max(axis=1).toarray().ravel()
            F = sp.diags_array(np.ldexp(signs, -np.frexp(largest)[1])) @ F
            return F.toarray() if self.width <= WIDE else F
        return np.ldexp(F * signs[:, None], -np.frexp(np.abs(F).max(axis=1, keepdims=True, initial=0.0))[1])

    def integers(self, rows: Any) -> list[list[int]]:
        """Signed exact rows."""
        integers = self.signed.integers(self.rows[rows].tolist())
        return integers if self.basis is None else products(integers, self.basis)

    def columns_of(self, rows: Any) -> list[list[int]]:
        """The columns of the signed exact rows that are not zero in all of them."""
        if self.basis is not None or not self.signed.data.plain:
            return [list(column) for column in zip(*self.integers(rows), strict=True) if any(column)]
        columns: dict[int, list[int]] = {}
        signs = self.signed.signs[rows].astype(int).tolist()
        for at, k in enumerate(rows):
            for j, v in self.signed.entries(k):
                columns.setdefault(j, [0] * len(rows))[at] = signs[at] * v
        return [*columns.values(), *[signs] * self.signed.data.intercept]

    def lift(self, w: list[int]) -> list[int]:
        """A plane of this level as one of the signed rows."""
        if self.basis is None:
            return w
        columns = zip(*self.basis, strict=True)
        return primitive([Fraction(sum(a * b for a, b in zip(w, column, strict=True))) for column in columns])

    def round_plane(self, u: np.ndarray, bits: int) -> list[int]:
        """A plane in floats as one in whole numbers."""
        grid = on_grid(u, bits)
        powers = self.signed.data.factor_powers if self.basis is None else None
        if powers is not None:
            return primitive([g << k for g, k in zip(grid, (powers - powers.min()).tolist(), strict=True)])
        factors = self.signed.data.factors if self.basis is None else self.factors
        return primitive([g * factor for g, factor in zip(grid, factors, strict=True)])

    def wrong_rows(self, w: list[int]) -> np.ndarray:
        """The rows that a plane does not have on their right side, proved, the worst first."""
        scores, sides = self.signed.sides(self.lift(w), self.rows)
        wrong = np.flatnonzero(sides <= 0)
        return wrong[np.argsort(scores[wrong], kind="stable")]


Alternative = tuple[list[int] | None, dict[int, int]]
"""A plane with every row right, and no witness; or no plane, and a witness."""


def decide(level: Level, limits: SearchLimits) -> Alternative:
    """(plane, {}) or (None, witness), proved; or UndecidedError is raised."""
    n, width = len(level.rows), level.width
    if n * width <= SMALL:
        return exact_alternative(level, np.arange(n), limits)
    plane = (
        solve_independent(level)
        if n <= width and n * width <= (INDEPENDENT if level.basis is None else SMALL)
        else None
    )
    if plane is None and n * width <= MANY and (found := by_nearest_point(level, limits)):
        return found
    if plane is None and level.basis is None and n * width > MANY:
        plane = descent_plane(level, limits) if width > WIDE else perceptron_plane(level, limits)
    first = np.arange(min(n, FIRST.of(width), MOST_FIRST))
    if plane is not None:
        if not len(level.wrong_rows(plane)):
            return plane, {}
        first = hardest(level, plane, min(HARD.of(width), MOST_FIRST))
    return WorkingSetSearch(level, limits).go(first)


def by_nearest_point(level: Level, limits: SearchLimits) -> Alternative | None:
    """What the nearest point of a working set's hull proves: it is a plane or, if 0, its weights are a witness."""
    search, Z = WorkingSetSearch(level, limits), level.float_rows(np.arange(len(level.rows)))
    rows = np.arange(min(len(Z), FIRST.of(level.width)))
    limits.say(f"the nearest point of the hull of {len(Z)} rows")
    for _ in range(NEAREST_ROUNDS):
        p = least_norm_weights(Z[rows])
        scores = Z @ (point := p @ Z[rows])
        if scores[rows].min() < NO_DISTANCE:
            level.worked = level.rows[rows]
            witness = search.witness(rows, p)
            return (None, witness) if witness else None
        wrong = np.flatnonzero(scores <= 0)
        if not len(wrong):
            plane, _ = search.plane(point, rows)
            return None if plane is None else (plane, {})
        rows = np.concatenate([rows, wrong[np.argsort(scores[wrong])][: FIRST.of(level.width)]])
    return None


def hardest(level: Level, plane: list[int], count: int) -> np.ndarray:
    """The rows of least score for their length."""
    distances = level.signed.scores(level.lift(plane))[0] / (level.signed.lengths + NO_LENGTH)
    return np.argsort(distances[level.rows], kind="stable")[:count]


def solve_independent(level: Level) -> list[int] | None:
    """Independent rows are separable: Zw = 1 has a solution."""
    return solution(level.integers(np.arange(len(level.rows))), [1] * len(level.rows))


def perceptron_plane(level: Level, limits: SearchLimits) -> list[int] | None:
    """The plane of a run over all rows, which goes on as long as few of them are wrong."""
    from ..learners.perceptron import Perceptron  # takes half a second, and few questions need it

    signs = level.signed.signs
    if len(np.unique(signs)) < 2:
        return None
    learner = Perceptron(order="active", fit_intercept=False, tol=PERCEPTRON_TOL, random_state=0, warm_start=True)
    for passes in PASSES if level.width > MANY_COLUMNS else PASSES[:1]:
        began = time.monotonic()
        limits.say(f"{passes} passes of a perceptron over {len(signs)} rows")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            learner.set_params(max_iter=passes).fit(level.floats, signs)
        plane = level.round_plane(learner.coef_.ravel(), PLANE_BITS[1])
        each = (time.monotonic() - began) / passes
        if learner.status_ != "stopped" or len(level.wrong_rows(plane)) > HOPEFUL * len(signs):
            break
        if each * PASSES[-1] > limits.seconds_left():
            break
    return plane


def descent_plane(level: Level, limits: SearchLimits) -> list[int]:
    """The plane of a coordinate descent that separates by a hundredth of the best margin, if it gets there."""
    limits.say(f"coordinate descent over {len(level.rows)} rows")
    descent = Descent(level.signed)
    descent.go(SEPARATED, limits, LOOKS)
    return level.signed.inner(on_grid(descent.nearest()[2], PLANE_BITS[1]))


def exact_alternative(level: Level, rows: np.ndarray, limits: SearchLimits) -> Alternative:
    """Decide exactly, adding the rows that the plane of the rows so far gets wrong."""
    if not limits.exact:
        raise UndecidedError("floats are too coarse to tell, and exact=False forbids an exact search")
    while True:
        if (len(rows) + level.width + 2) * (level.width + 2) > LARGEST_TABLEAU:
            raise UndecidedError("floats are too coarse to tell, and the data is too large for exact arithmetic")
        w, p = alternative(level.integers(rows), limits)
        if w is None:
            return None, {int(k): v for k, v in zip(rows, primitive(p), strict=True) if v}
        plane = primitive(w)
        wrong = level.wrong_rows(plane)
        if not len(wrong):
            return plane, {}
        rows = np.concatenate([rows, wrong[: level.width]])


class WorkingSetSearch:
    """Linear programs over a growing working set."""

    def __init__(self, level: Level, limits: SearchLimits) -> None:
        self.level, self.limits = level, limits

    def go(self, rows: np.ndarray) -> Alternative:
        """From these rows on until something is proved."""
        while True:
            self.limits()
            self.level.worked = self.level.rows[rows]
            u, s, p = self.program(rows)
            plane, new = self.plane(u, rows) if s > 0 else (None, rows[:0])
            if plane is not None:
                return plane, {}
            if not len(new):
                if witness := self.witness(rows, p):
                    return None, witness
                hard = rows[np.argsort(-p, kind="stable")[: max(2 * self.level.width, LEAST_EXACT)]]
                return exact_alternative(self.level, hard, self.limits)
            rows = np.concatenate([rows, new[: max(LEAST_NEW, 2 * self.level.width)]])

    def program(self, rows: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
        """max s with z·u ≥ s and |u_j| ≤ 1: a plane and, as multipliers, weights under which |Σ p_i·z_i| is least."""
        Z, width = self.level.float_rows(rows), self.level.width
        options = {"dual_feasibility_tolerance": FINEST, "primal_feasibility_tolerance": FINEST}
        options["time_limit"] = self.limits.seconds_left()
        self.limits.say(f"a linear program over {len(rows)} of {len(self.level.rows)} rows")
        stack = sp.hstack if sp.issparse(Z) else np.hstack
        optimum = linprog(
            np.append(np.zeros(width), -1.0),
            A_ub=stack([-Z, np.ones((len(rows), 1))]),
            b_ub=np.zeros(len(rows)),
            bounds=[(-1, 1)] * width + [(0, 1)],
            method="highs-ipm" if width > MANY_COLUMNS else "highs-ds",
            options=options,
        )
        self.limits()
        if optimum.x is None:
            return np.zeros(width), 0.0, np.ones(len(rows))
        return optimum.x[:-1], float(optimum.x[-1]), -optimum.ineqlin.marginals

    def plane(self, u: np.ndarray, rows: np.ndarray) -> tuple[list[int] | None, np.ndarray]:
        """A plane that has every row right, or rows it has wrong that the program did not know of."""
        for bits in PLANE_BITS:
            plane = self.level.round_plane(u, bits)
            wrong = self.level.wrong_rows(plane)
            if not len(wrong):
                return plane, wrong
            if len(new := np.setdiff1d(wrong[: NEW.of(self.level.width)], rows, assume_unique=True)):
                return None, new
        return None, rows[:0]

    def witness(self, rows: np.ndarray, p: np.ndarray) -> dict[int, int] | None:
        """The exact weights of the rows that carry the multipliers, if they are all positive."""
        support = rows[p > SUPPORT * p.max(initial=0.0)]
        if not 0 < len(support) <= self.level.width + 1:
            return None
        columns = self.level.columns_of(support) or [[0] * len(support)]
        if rank(columns) != len(support) - 1:
            return None
        (weights,) = null_space(columns)
        if weights[0] < 0:
            weights = [-v for v in weights]
        return dict(zip(support.tolist(), weights, strict=True)) if min(weights) > 0 else None
