"""The problems of a kernel in the dual: functions kept as their scores at all rows, and what is known of them."""

from functools import cached_property

import numpy as np

from .. import bounds
from ..bounds import EPS
from ..certificates.certificate import Certificate
from ..passes import kernel_rule
from ..passes.ledger import COLUMNS, MISTAKES, PASS_UPDATES, TRAVELLED, UPDATES, VISITS, Targets
from ..passes.observers import Nothing
from ..passes.sweep import Sweep
from ..progress import Report
from .expansion import NO_INNER_PRODUCT, Expansion, KernelTask, Learnt
from .kernels import LEAST_BLOCK, Cache, scores
from .outcomes import Outcome, certificate
from .problems import Problems, joint_coefficients, rest_coefficients
from .run import Run, follower_of

AHEAD = 384
"""So many visits ahead are rehearsed to see whose kernel rows will be needed."""
AT_ONCE = 2**24
"""Multiplications up to which all kernel rows are computed together: to see which are needed would take longer."""
CLEAR = 2.0
"""A row margin of so many times its possible error is good enough; a smaller one is computed again in float64."""


class Dual(Problems):
    """Problems that share their rows and kernel rows; each weight vector is known by its scores at all rows (W)."""

    rule: kernel_rule.KernelRule
    _margin_bounds: np.ndarray | None

    def __init__(self, task: KernelTask, start: Expansion, megabytes: float) -> None:
        self.kernel, self.points, self.targets, self.before = task.kernel, task.points, task.targets, start
        count, n = task.n_functions, len(self.points)
        vectors = [slice(count)] if task.rule.joint else [slice(c, c + 1) for c in range(count)]
        super().__init__(task.rule, self.scores_of_start(), vectors, np.zeros((count, n), dtype=np.int32))
        self.update_radius = task.radius
        self.joined = start.points.joined(self.points)
        self.own = self.kernel.diagonal(self.points)
        self.cache = Cache(self.kernel, self.points, megabytes)
        self.first_scores = self.W.copy() if len(start.points) else np.zeros(())
        self.weighted_sums = np.zeros((count, n))
        self.n_visits = start.n_visits.copy()
        self.clock = 0
        self.floor = np.full(self.size, np.nan)  # a proved lower bound of the least row margin, where it was asked for
        # Equal scores at all rows mean an equal function only without rounding, and of an inner product.
        self.counted = self.counted and self.exact and self.kernel.definite
        self.measure()
        self.lengths[:] = self.measured_lengths()
        self.start_lengths = self.lengths.copy()

    def scores_of_start(self) -> np.ndarray:
        """The scores of the functions there are at all rows."""
        start, bias = self.before, self.kernel.bias
        values = scores(self.kernel, self.points, start.points, start.coefficients)
        return np.ascontiguousarray((values + bias * start.coefficients.sum(axis=1)).T)

    def state(self) -> list[np.ndarray]:
        return [*super().state(), self.weighted_sums, self.n_visits]

    def coefficients(self, c: int, update_counts: np.ndarray) -> np.ndarray:
        """The multiples of the rows that updates in these numbers add up to, one function per row."""
        if self.rule.joint:
            return joint_coefficients(self.targets, np.arange(len(self.W)), update_counts)
        return rest_coefficients(self.targets, self.rule.first + c, update_counts)

    def moves(self, c: int) -> np.ndarray:
        """What the run added to the functions of problem c, as coefficients of the rows."""
        return self.coefficients(c, self.update_counts[self.vectors[c]])

    @cached_property
    def exact(self) -> bool:
        """Whether scores are sums of whole numbers, and so without rounding."""
        weights, start = self.targets.sample_weight, self.before.coefficients
        whole = bool((weights == np.rint(weights)).all() and (start == np.rint(start)).all())
        return whole and self.kernel.exact(self.joined)

    def mass(self, c: int) -> float:
        """Σ|coefficient| of all functions of problem c together."""
        moved = (2 if self.rule.joint else 1) * self.ledger[c, TRAVELLED]
        return float(moved + np.abs(self.before.coefficients[self.vectors[c]]).sum())

    def error_bound(self, c: int) -> float:
        """At most so far is a row margin of problem c from the true one."""
        largest = float(np.abs(self.W[self.vectors[c]]).max())
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

    def measure(self) -> None:
        """Margins out of reach are to be found anew when they are asked for."""
        self._margin_bounds = None

    def measured_lengths(self) -> list[float]:
        """‖f‖ of every problem."""
        return [max(0.0, self.squared_length(c)[0]) ** 0.5 for c in range(self.size)]

    @property
    def margin_bounds(self) -> np.ndarray:
        """Margins that are proved to be out of reach, rounding included; found when they are asked for."""
        if self._margin_bounds is None:
            self._margin_bounds = np.array([self.margin_bound(c) for c in range(self.size)])
        return self._margin_bounds

    @margin_bounds.setter
    def margin_bounds(self, bounds: np.ndarray) -> None:
        self._margin_bounds = bounds

    def squared_length(self, c: int) -> tuple[float, float]:
        """‖f‖² of problem c and at most how far it is from the truth."""
        moves, now = self.moves(c), self.W[self.vectors[c]]
        then = self.first_scores[self.vectors[c]] if len(self.before.points) else 0.0
        square = float(self.before.square[self.vectors[c]].sum() + (moves * (now + then)).sum())
        return square, self.slack(c, moves * now)

    def moved(self, c: int) -> tuple[float, float]:
        """‖f − f₀‖² of problem c, from the functions it began with, and its error."""
        if not len(self.before.points):
            return self.squared_length(c)
        moves = self.moves(c)
        gained = moves * (self.W[self.vectors[c]] - self.first_scores[self.vectors[c]])
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
        square, slack = self.squared_length(c)
        if square < -slack:
            return False
        update_scale = np.sqrt((max(square, 0.0) + slack) * self.own)
        most = np.abs(self.W[self.vectors[c]]).max(axis=0)
        return bool((most <= update_scale * (1 + 1e-6) + self.error_bound(c)).all())

    def whole(self) -> Sweep:
        """A sweep over all rows."""
        observer = self.observer if self.recording is None else self.recording
        return Sweep(self.own, self.targets, self.rule, observer, self.update_counts, self.ledger)

    def sweep(self, row_order: np.ndarray, active: list[int]) -> None:
        self.sweep_rows(row_order, active)
        self.measure()

    def sweep_rows(self, row_order: np.ndarray, active: list[int]) -> None:
        """One pass over these rows."""
        vectors = self.vectors_of(active)
        self.ledger[np.ix_(active, [MISTAKES, PASS_UPDATES])] = 0
        t = self.visit(row_order, 0, self.rule, vectors)
        while t < len(row_order):
            self.cache.fetch(self.wanted(row_order[t:], vectors))
            t = self.visit(row_order, t, self.rule, vectors)
        self.clock += len(row_order)
        self.n_visits[vectors] += len(row_order)
        self.ledger[:, VISITS] = self.n_visits[: self.size]

    def look(self, row_order: np.ndarray, some: list[int], W: np.ndarray | None = None) -> np.ndarray:
        looked = np.full((self.size, 2), np.nan)
        for c in some:
            row_margins = self.row_margins(c)[row_order]
            looked[c] = np.count_nonzero(~(row_margins > 0)), row_margins.min()
        return looked

    def visit(self, row_order: np.ndarray, t: int, rule: kernel_rule.KernelRule, vectors: np.ndarray) -> int:
        """Visit rows from the t-th on; at the first whose kernel row is needed and not at hand, return its place."""
        functions = kernel_rule.Functions(self.W, self.weighted_sums, self.n_visits)
        sweep = self.whole()._replace(rule=rule)
        return int(kernel_rule.visit(sweep, row_order, t, vectors, functions, self.cache.row_cache, self.clock))

    def vectors_of(self, active: list[int]) -> np.ndarray:
        """The numbers of the weight vectors of the active problems."""
        return np.concatenate([np.arange(len(self.W), dtype=np.uint32)[self.vectors[c]] for c in active])

    def wanted(self, row_order: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        """The rows whose kernel rows a sweep over these visits will soon need and that are not at hand.

        Those wrong now, or nearly, are visited in rehearsal with the kernel among themselves; a row updated on there
        is wanted, and who comes near to it where there is room.  A wrong guess costs time and nothing else.
        """
        if self.at_once:
            return self.cache.missing()
        slot = self.cache.row_cache.slot
        if len(self.cache.owner) == 1:
            return row_order[:1]
        row_margins = np.empty(len(row_order))
        kernel_rule.row_margins(self.W[:, row_order], self.targets.labels[row_order], self.rule, vectors, row_margins)
        ahead = row_order[np.flatnonzero(row_margins <= self.rule.level + self.largest / 2)[:AHEAD]]
        weights = self.targets.sample_weight
        targets = Targets(self.targets.labels[ahead], weights if len(weights) == 1 else weights[ahead])
        k = len(ahead)
        values = np.ascontiguousarray(self.W[:, ahead])
        functions = kernel_rule.Functions(values, np.zeros((0, k)), np.zeros(len(values)))
        block = self.kernel.block(self.points[ahead], self.points[ahead])
        row_cache = kernel_rule.RowCache(block, np.arange(k, dtype=np.int32), np.zeros(k, dtype=np.int64))
        counts = np.zeros((len(values), k), dtype=np.int32)
        rehearsal = Sweep(self.own, targets, self.rule, Nothing(), counts, np.zeros((self.size, COLUMNS)))
        kernel_rule.visit(rehearsal, np.arange(k, dtype=np.uint32), 0, vectors, functions, row_cache, 1)
        row_margins = np.empty(k)
        kernel_rule.row_margins(values, targets.labels, self.rule, vectors, row_margins)
        row_margins[counts.any(axis=0)] = -np.inf
        missing = np.flatnonzero(slot[ahead] < 0)
        missing = missing[np.argsort(row_margins[missing], kind="stable")]
        sure = np.count_nonzero(row_margins[missing] == -np.inf)
        return ahead[missing[: max(sure, min(LEAST_BLOCK, self.cache.room()))]]

    @cached_property
    def at_once(self) -> bool:
        """Whether the kernel rows of all rows fit into the cache, and are soon computed."""
        n = len(self.points)
        return len(self.cache.owner) == n and n * n * self.points.X.shape[1] <= AT_ONCE

    def row_margins(self, c: int) -> np.ndarray:
        """The margin of every row in problem c."""
        values = np.empty(len(self.points))
        kernel_rule.row_margins(self.W, self.targets.labels, self.rule, self.vectors_of([c]), values)
        return values

    def work(self, c: int, row_order: np.ndarray, passes: int) -> None:
        for _ in range(passes):
            self.sweep_rows(row_order, [c])
            if self.ledger[c, PASS_UPDATES] == 0:
                break
        self.measure()

    def certain(self, c: int, lowest: float) -> bool:
        error_bound = self.error_bound(c)
        if lowest <= CLEAR * error_bound:
            return False
        self.floor[c] = lowest - error_bound
        return True

    def margin_bound(self, c: int) -> float:
        """‖f − f₀‖ over the sum of all steps of problem c."""
        travelled = self.ledger[c, TRAVELLED]
        if not travelled or not self.sound(c):
            return np.inf
        square, slack = self.moved(c)
        return float(np.sqrt(max(square, 0.0) + slack) / travelled * (1 + 8 * EPS))

    def sums_to_zero(self, c: int, update_counts: np.ndarray) -> bool:
        """Whether f came back: equal scores at all rows, without rounding, mean an equal function."""
        return self.error_bound(c) == 0 and self.sound(c)

    def correct_exactly(self, doubtful: list[int], row_order: np.ndarray) -> list[int]:
        wrong = [c for c in doubtful if self.correct_rows(c, row_order)]
        if wrong:
            self.measure()
        return wrong

    def correct_rows(self, c: int, row_order: np.ndarray) -> bool:
        """Compute small row margins again in float64, and update on the rows that cannot be seen to be right."""
        row_margins = self.row_margins(c)
        near = row_order[row_margins[row_order] <= CLEAR * self.error_bound(c)]
        refined, error_bound = self.refined(c, near)
        self.W[self.vectors[c], near] = refined
        row_margins = self.row_margins(c)
        wrong = near[~(row_margins[near] > error_bound)]
        rest = np.setdiff1d(row_order, near, assume_unique=True)
        self.floor[c] = min(
            row_margins[near].min() - error_bound, row_margins[rest].min(initial=np.inf) - self.error_bound(c)
        )
        for i in wrong:
            self.update_on(c, i)
        return len(wrong) > 0

    def refined(self, c: int, rows: np.ndarray) -> tuple[np.ndarray, float]:
        """The scores of some rows under the functions of problem c, summed again in float64, and their error."""
        vectors, start, bias = self.vectors[c], self.before, self.kernel.bias
        moves = self.moves(c)
        used = np.flatnonzero(moves.any(axis=0))
        supports = start.points.joined(self.points[used]).doubled()
        coefficients = np.hstack([start.coefficients[vectors], moves[:, used]])
        values = scores(self.kernel, self.points[rows].doubled(), supports, coefficients)
        error = self.kernel.rounding(self.joined, np.float64) + (len(supports) + 4) * EPS * self.largest
        exact = self.exact and float(np.abs(values).max(initial=0)) < 1 / EPS
        return (values + bias * coefficients.sum(axis=1)).T, 0.0 if exact else self.mass(c) * error

    def update_on(self, c: int, i: int) -> None:
        """Make an update on one row of problem c, whatever its margin."""
        if self.cache.row_cache.slot[i] < 0:
            self.cache.fetch(np.array([i]))
        self.visit(np.array([i], dtype=np.uint32), 0, self.rule._replace(level=np.inf), self.vectors_of([c]))

    def margin(self, c: int, outcome: Outcome) -> float:
        """The least row margin over ‖f‖; where all rows are right, a lower bound of it."""
        if not self.sound(c):
            return np.nan
        square, slack = self.squared_length(c)
        if outcome.status == "separated":
            return float(max(0.0, self.floor[c]) / np.sqrt(square + slack)) * (1 - 8 * EPS)
        return outcome.lowest / square**0.5 if square > 0 else 0.0

    def expansion(self) -> Expansion:
        """The functions as coefficients on the rows from before and those of this run."""
        moves = np.concatenate([self.moves(c) for c in range(self.size)])
        squares = [self.squared_length(c)[0] for c in range(self.size)]
        square = np.array(squares) if not self.rule.joint else self.squares_of_vectors(moves)
        return Expansion(
            self.joined,
            np.hstack([self.before.coefficients, moves]),
            np.hstack([self.before.weighted_sums, self.weighted_sums]),
            self.n_visits,
            square,
        ).pruned()

    def squares_of_vectors(self, moves: np.ndarray) -> np.ndarray:
        """‖f‖² of every function."""
        then = self.first_scores if len(self.before.points) else 0.0
        return self.before.square + (moves * (self.W + then)).sum(axis=1)


def train_dual(problems: Dual, task: KernelTask, report: Report | None) -> Learnt:
    """Run to the end, and say what is known then."""
    outcomes = Run(problems, task.plan).go(report, follower_of(0))
    for c, outcome in enumerate(outcomes):
        if not problems.sound(c):
            outcome.margin_bound = np.nan
    margins = [problems.margin(c, outcome) for c, outcome in enumerate(outcomes)]
    return Learnt(
        problems.expansion(),
        outcomes,
        margins,
        [dual_mistake_bound(problems, task, c, margin) for c, margin in enumerate(margins)],
        [dual_certificate(problems, task, c, outcome, margins[c]) for c, outcome in enumerate(outcomes)],
        problems.update_counts,
    )


def dual_mistake_bound(problems: Dual, task: KernelTask, c: int, margin: float) -> float:
    """Novikoff's bound; an update at a row margin of at most τ, or seen as that, makes r² into r² + 2τ."""
    if not problems.sound(c):
        return np.nan
    level = task.rule.level + problems.error_bound(c)
    radius = np.sqrt(task.radius**2 + 2 * level / task.heaviest)
    return bounds.novikoff(radius, margin, float(problems.start_lengths[c]), task.lightest, task.heaviest)


def dual_certificate(problems: Dual, task: KernelTask, c: int, outcome: Outcome, margin: float) -> Certificate | None:
    """What was proved of problem c."""
    if outcome.status != "separated":
        return certificate(problems, outcome, problems.kernel.bias, task.radius)
    if not problems.sound(c):
        return Certificate("unknown", reason=NO_INNER_PRODUCT)
    return Certificate(
        "separable",
        margin=(margin, outcome.margin_bound),
        radius=task.radius,
        mistake_bound=bounds.novikoff(task.radius, margin),
    )
