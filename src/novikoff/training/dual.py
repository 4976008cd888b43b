"""The two-class problems in the dual: functions kept as their scores at all rows, and what is known of them."""

from functools import cached_property
from typing import Any

import numpy as np

from .. import bounds
from ..bounds import EPS
from ..certificates.certificate import Certificate
from ..passes import kernel as gram
from ..passes.linear import Targets
from ..passes.observers import Nothing
from ..passes.rules import COLUMNS, FIRED, LOWEST, MISTAKES, TRAVELLED, UPDATES
from ..progress import Report
from . import outcomes as verdicts
from .expansion import NO_INNER_PRODUCT, Expansion, Learnt, Task
from .kernels import LEAST_BLOCK, Cache, scores
from .problems import Problems
from .run import Outcome, Run

AHEAD = 384
"""So many visits ahead are rehearsed to see whose kernel rows will be needed."""
CLEAR = 2.0
"""A lead of so many times its possible error is good enough; a smaller one is computed again in float64."""


class Dual(Problems):
    """Problems that share their rows and kernel rows; each weight vector is known by its scores at all rows."""

    def __init__(self, task: Task, start: Expansion, megabytes: float) -> None:
        self.kernel, self.points, self.targets, self.rule = task.kernel, task.points, task.targets, task.rule
        self.before, self.observer, self.radius = start, Nothing(), task.radius
        count, n = task.lines, len(self.points)
        self.size = 1 if self.rule.joint else count
        self.joined = start.points.joined(self.points)
        self.own = self.kernel.diagonal(self.points)
        self.cache = Cache(self.kernel, self.points, megabytes)
        self.W = self.started()
        self.first_scores = self.W.copy() if len(start.points) else np.zeros(())
        self.weighted_sums = np.zeros((count, n))
        self.n_visits = start.n_visits.copy()
        self.tally = np.zeros((count, n), dtype=np.int32)
        self.ledger = np.zeros((self.size, COLUMNS))
        self.clock = 0
        self.floor = np.full(self.size, np.nan)  # a proved lower bound of the least lead, where it was asked for

    def started(self) -> np.ndarray:
        """The scores of the functions there are at all rows."""
        start, bias = self.before, self.kernel.bias
        found = scores(self.kernel, self.points, start.points, start.coefficients)
        return np.ascontiguousarray((found + bias * start.coefficients.sum(axis=1)).T)

    def times(self) -> np.ndarray:
        return self.n_visits[: self.size].copy()

    def lines(self, c: int) -> slice:
        return slice(len(self.W)) if self.rule.joint else slice(c, c + 1)

    def candidate(self, c: int, W: np.ndarray) -> tuple[np.ndarray, int]:
        return W[self.lines(c)], self.rule.first + c

    def coefficients(self, c: int, counts: np.ndarray) -> np.ndarray:
        if self.rule.joint:
            own = self.targets.labels == np.arange(len(self.W))[:, None]
            return self.targets.steps * (own * counts.sum(axis=0) - counts)
        return np.where(self.targets.labels == self.rule.first + c, 1.0, -1.0) * self.targets.steps * counts

    def moves(self, c: int) -> np.ndarray:
        """What the run added to the functions of problem c, as coefficients of the rows."""
        return self.coefficients(c, self.counts(c))

    @cached_property
    def exact(self) -> bool:
        """Whether scores are sums of whole numbers, and so without rounding."""
        steps, start = self.targets.steps, self.before.coefficients
        whole = bool((steps == np.rint(steps)).all() and (start == np.rint(start)).all())
        return whole and self.kernel.exact(self.joined)

    def mass(self, c: int) -> float:
        """Σ|coefficient| of all functions of problem c together."""
        moved = (2 if self.rule.joint else 1) * self.ledger[c, TRAVELLED]
        return float(moved + np.abs(self.before.coefficients[self.lines(c)]).sum())

    def error_bound(self, c: int) -> float:
        """At most so far is a lead of problem c from the true one."""
        largest = float(np.abs(self.W[self.lines(c)]).max())
        if self.exact and largest < 1 / EPS:
            return 0.0
        additions = self.ledger[c, UPDATES] + len(self.before.points) + 4
        return self.mass(c) * (self.error + 2 * EPS * additions * self.largest)

    @cached_property
    def error(self) -> float:
        """At most so far is a kernel value from the true one."""
        return self.kernel.rounding(self.joined, self.points.dtype)

    @cached_property
    def largest(self) -> float:
        """The largest |κ(x, z)|."""
        return self.kernel.largest(self.joined)

    def square(self, c: int) -> float:
        return self.measured(c)[0]

    def length(self, c: int) -> float:
        return max(0.0, self.square(c)) ** 0.5

    def measured(self, c: int) -> tuple[float, float]:
        """‖f‖² of problem c and at most how far it is from the truth."""
        moves, now = self.moves(c), self.W[self.lines(c)]
        then = self.first_scores[self.lines(c)] if len(self.before.points) else 0.0
        found = float(self.before.square[self.lines(c)].sum() + (moves * (now + then)).sum())
        return found, self.slack(c, moves * now)

    def moved(self, c: int) -> tuple[float, float]:
        """‖f − f₀‖² of problem c, from the functions it began with, and its error."""
        if not len(self.before.points):
            return self.measured(c)
        moves = self.moves(c)
        gained = moves * (self.W[self.lines(c)] - self.first_scores[self.lines(c)])
        return float(gained.sum()), self.slack(c, gained)

    def slack(self, c: int, terms: np.ndarray) -> float:
        """The error of a sum of coefficients times scores."""
        error_bound = self.error_bound(c)
        if error_bound == 0 and float(np.abs(terms).sum()) < 1 / EPS:
            return 0.0
        return 2 * self.mass(c) * error_bound + (terms.size + 4) * EPS * float(np.abs(terms).sum())

    def sound(self, c: int) -> bool:
        """Whether what is known of the kernel's values agrees with an inner product: |f(x)| ≤ ‖f‖·√κ(x, x)."""
        if not self.kernel.definite or (self.own < 0).any():
            return False
        if not self.kernel.given:
            return True
        square, slack = self.measured(c)
        if square < -slack:
            return False
        update_scale = np.sqrt((max(square, 0.0) + slack) * self.own)
        most = np.abs(self.W[self.lines(c)]).max(axis=0)
        return bool((most <= update_scale * (1 + 1e-6) + self.error_bound(c)).all())

    def sweep(self, row_order: np.ndarray, active: list[int], learn: bool = True) -> None:
        lines = self.opened(active)
        self.ledger[np.ix_(active, [MISTAKES, FIRED])] = 0
        if not learn:
            for c in active:
                row_margins = self.row_margins(c)[row_order]
                self.ledger[c, [MISTAKES, LOWEST]] = np.count_nonzero(~(row_margins > 0)), row_margins.min()
            return
        t = self.visited(row_order, 0, self.rule, lines)
        while t < len(row_order):
            self.cache.fetch(self.wanted(row_order[t:], lines))
            t = self.visited(row_order, t, self.rule, lines)
        self.clock += len(row_order)
        self.n_visits[lines] += len(row_order)

    def visited(self, row_order: np.ndarray, t: int, rule: gram.Rule, lines: np.ndarray) -> int:
        """Visit rows from the t-th on; at the first whose kernel row is needed and not at hand, return its place."""
        functions, row_cache = gram.Functions(self.W, self.weighted_sums, self.n_visits), self.cache.row_cache
        return int(
            gram.sweep(
                row_order,
                t,
                self.targets,
                rule,
                lines,
                functions,
                row_cache,
                self.clock,
                self.told,
                self.tally,
                self.ledger,
            )
        )

    def opened(self, active: list[int]) -> np.ndarray:
        """The lines of the open problems."""
        return np.concatenate([np.arange(len(self.W), dtype=np.uint32)[self.lines(c)] for c in active])

    def wanted(self, row_order: np.ndarray, lines: np.ndarray) -> np.ndarray:
        """The rows whose kernel rows a sweep over these visits will soon need and that are not at hand.

        Those wrong now, or nearly, are visited in rehearsal with the kernel among themselves; who is updated there
        is wanted, and who comes near to it where there is room.  A wrong guess costs time and nothing else.
        """
        slot = self.cache.row_cache.slot
        if len(self.cache.owner) == 1:
            return row_order[:1]
        row_margins = np.empty(len(row_order))
        gram.row_margins(self.W[:, row_order], self.targets.labels[row_order], self.rule, lines, row_margins)
        ahead = row_order[np.flatnonzero(row_margins <= self.rule.level + self.largest / 2)[:AHEAD]]
        steps = self.targets.steps if len(self.targets.steps) == 1 else self.targets.steps[ahead]
        targets = Targets(self.targets.labels[ahead], steps)
        k = len(ahead)
        values = np.ascontiguousarray(self.W[:, ahead])
        functions = gram.Functions(values, np.zeros((0, k)), np.zeros(len(values)))
        block = self.kernel.block(self.points[ahead], self.points[ahead])
        row_cache = gram.RowCache(block, np.arange(k, dtype=np.int32), np.zeros(k, dtype=np.int64))
        counts, ledger = np.zeros((len(values), k), dtype=np.int32), np.zeros(self.ledger.shape)
        gram.sweep(
            np.arange(k, dtype=np.uint32),
            0,
            targets,
            self.rule,
            lines,
            functions,
            row_cache,
            1,
            Nothing(),
            counts,
            ledger,
        )
        row_margins = np.empty(k)
        gram.row_margins(values, targets.labels, self.rule, lines, row_margins)
        row_margins[counts.any(axis=0)] = -np.inf
        missing = np.flatnonzero(slot[ahead] < 0)
        missing = missing[np.argsort(row_margins[missing], kind="stable")]
        sure = np.count_nonzero(row_margins[missing] == -np.inf)
        return ahead[missing[: max(sure, min(LEAST_BLOCK, self.cache.room()))]]

    def row_margins(self, c: int) -> np.ndarray:
        """The lead of every row in problem c."""
        found = np.empty(len(self.points))
        gram.row_margins(self.W, self.targets.labels, self.rule, self.opened([c]), found)
        return found

    def work(self, c: int, row_order: np.ndarray, passes: int) -> None:
        for _ in range(passes):
            self.sweep(row_order, [c])
            if self.ledger[c, FIRED] == 0:
                break

    def correct_exactly(self, c: int, X: Any, row_order: np.ndarray) -> bool:
        """Compute small leads again in float64, and correct the rows that cannot be seen to be right."""
        row_margins = self.row_margins(c)
        near = row_order[row_margins[row_order] <= CLEAR * self.error_bound(c)]
        refined, error_bound = self.refined(c, near)
        self.W[self.lines(c), near] = refined
        row_margins = self.row_margins(c)
        wrong = near[~(row_margins[near] > error_bound)]
        rest = np.setdiff1d(row_order, near, assume_unique=True)
        self.floor[c] = min(
            row_margins[near].min() - error_bound, row_margins[rest].min(initial=np.inf) - self.error_bound(c)
        )
        for i in wrong:
            self.correct(c, i)
        return len(wrong) > 0

    def refined(self, c: int, rows: np.ndarray) -> tuple[np.ndarray, float]:
        """The scores of some rows under the functions of problem c, summed anew in float64, and their error."""
        lines, start, bias = self.lines(c), self.before, self.kernel.bias
        moves = self.moves(c)
        used = np.flatnonzero(moves.any(axis=0))
        supports = start.points.joined(self.points[used]).doubled()
        coefficients = np.hstack([start.coefficients[lines], moves[:, used]])
        found = scores(self.kernel, self.points[rows].doubled(), supports, coefficients)
        error = self.kernel.rounding(self.joined, np.float64) + (len(supports) + 4) * EPS * self.largest
        exact = self.exact and float(np.abs(found).max(initial=0)) < 1 / EPS
        return (found + bias * coefficients.sum(axis=1)).T, 0.0 if exact else self.mass(c) * error

    def correct(self, c: int, i: int) -> None:
        """Correct one row of problem c, whatever its lead."""
        if self.cache.row_cache.slot[i] < 0:
            self.cache.fetch(np.array([i]))
        self.visited(np.array([i], dtype=np.uint32), 0, self.rule._replace(level=np.inf), self.opened([c]))

    def expansion(self) -> Expansion:
        """The functions as coefficients on the rows from before and those of this run."""
        moves = np.concatenate([self.moves(c) for c in range(self.size)])
        squares = [self.square(c) for c in range(self.size)]
        square = np.array(squares) if not self.rule.joint else self.squares_of_lines(moves)
        return Expansion(
            self.joined,
            np.hstack([self.before.coefficients, moves]),
            np.hstack([self.before.weighted_sums, self.weighted_sums]),
            self.n_visits,
            square,
        ).pruned()

    def squares_of_lines(self, moves: np.ndarray) -> np.ndarray:
        """‖f‖² of every line."""
        then = self.first_scores if len(self.before.points) else 0.0
        return self.before.square + (moves * (self.W + then)).sum(axis=1)


class DualRun(Run):
    """The passes of a run in the dual; lengths are those of the feature space."""

    problems: Dual

    def __init__(self, task: Task, start: Expansion, megabytes: float) -> None:
        super().__init__(Dual(task, start, megabytes), task.points.X, task.plan)
        self.task = task

    def learn(self, report: Report | None) -> Learnt:
        """Run to the end, and say what is known then."""
        outcomes = self.go(report)
        for c, outcome in enumerate(outcomes):
            if not self.problems.sound(c):
                outcome.margin_bound = np.nan
        margins = [self.margin(c, outcome) for c, outcome in enumerate(outcomes)]
        return Learnt(
            self.problems.expansion(),
            outcomes,
            margins,
            [self.mistake_bound(c, margin) for c, margin in enumerate(margins)],
            [self.certificate(c, outcome, margins[c]) for c, outcome in enumerate(outcomes)],
            self.problems.tally,
        )

    def margin(self, c: int, outcome: Outcome) -> float:
        """The least lead over ‖f‖; where all rows are right, a lower bound of it."""
        if not self.problems.sound(c):
            return np.nan
        square, slack = self.problems.measured(c)
        if outcome.status == "separated":
            return float(max(0.0, self.problems.floor[c]) / np.sqrt(square + slack)) * (1 - 8 * EPS)
        return outcome.lowest / square**0.5 if square > 0 else 0.0

    def mistake_bound(self, c: int, margin: float) -> float:
        """Novikoff's bound; an update at a lead of at most τ, or seen as that, makes r² into r² + 2τ."""
        if not self.problems.sound(c):
            return np.nan
        task = self.task
        level = task.rule.level + self.problems.error_bound(c)
        radius = np.sqrt(task.radius**2 + 2 * level / task.longest)
        return bounds.novikoff(radius, margin, float(self.lengths[c]), task.shortest, task.longest)

    def certificate(self, c: int, outcome: Outcome, margin: float) -> Certificate | None:
        """What was proved of problem c."""
        radius = self.task.radius
        if outcome.status != "separated":
            return verdicts.certificate(self.problems, outcome, radius)
        if not self.problems.sound(c):
            return Certificate("unknown", reason=NO_INNER_PRODUCT)
        return Certificate(
            "separable",
            margin=(margin, outcome.margin_bound),
            radius=radius,
            mistake_bound=bounds.novikoff(radius, margin),
        )

    def remember(self, passes: int, active: list[int]) -> None:
        if self.problems.exact and self.problems.kernel.definite:
            super().remember(passes, active)

    def proved(self, between: np.ndarray | None, c: int) -> bool:
        """Whether f came back: equal scores at all rows, without rounding, mean an equal function."""
        return (
            between is not None and bool(between.any()) and self.problems.error_bound(c) == 0 and self.problems.sound(c)
        )

    def bound(self, c: int) -> float:
        travelled = self.ledger[c, TRAVELLED]
        if not travelled or not self.problems.sound(c):
            return np.inf
        square, slack = self.problems.moved(c)
        return float(np.sqrt(max(square, 0.0) + slack) / travelled * (1 + 8 * EPS))

    def certain(self, c: int) -> bool:
        error_bound, lowest = self.problems.error_bound(c), self.found[c, 1]
        if lowest <= CLEAR * error_bound:
            return False
        self.problems.floor[c] = lowest - error_bound
        return True
