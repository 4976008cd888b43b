"""The two-class problems that labels pose, and the passes that each group of them is worked with.

``Problems`` is all that the loop of passes (run.py) knows; ``OneVsRest`` and ``Joint`` are the linear ones in memory.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from scipy.linalg.blas import ddot

from ..bounds import margin_from_run, rounding_of_score
from ..exact.floats import combination, dense, vanishes
from ..inputs import LARGEST_SQUARE, TrainingSet, check_length
from ..passes import linear
from ..passes.intrinsics import LANES, LINE
from ..passes.kernel_rule import KernelRule
from ..passes.ledger import (
    COLUMNS,
    ERRORS,
    LOWEST,
    MISTAKES,
    NORM,
    PASS_UPDATES,
    SQUARE,
    TRAVELLED,
    UPDATES,
    VISITS,
    Targets,
)
from ..passes.memory import CACHED
from ..passes.observers import Nothing, Recording, empty_recording, tell
from ..passes.rows import (
    TINY,
    Dense,
    Rows,
    Weights,
    longest,
    of_matrix,
    packed,
    read_only,
    whole_squares,
    write_whole,
)
from ..passes.rules import Rule
from ..passes.sweep import Sweep

LARGEST_APPROX = 1e37
"""Scores up to this size cannot overflow float32."""
LOOSE = 4
"""A bound on ‖w‖ that is more than so many times its last known value is taken anew."""
LARGEST_KEPT = 2**26
"""Update counts beyond which none are kept: as many numbers would take more memory than most data."""
LARGEST_COUNTED = 2**22
"""Update counts beyond which it is not looked whether weights return: with so many rows they do not."""
WIDE = 2**16
"""Columns up to which the caches hold the weights of sparse rows."""
DOUBTFUL = 2
"""Rows with a margin of up to so many times its possible rounding error are looked at exactly."""
UNTHREADED = 10_000
"""Up to so many numbers BLAS multiplies without waking its threads, which a pass would wait for."""


def squared_length(weights: np.ndarray) -> float:
    """‖w‖², to the last bit the same, however the weights lie; of many, only one vector is copied at a time."""
    if weights.size <= UNTHREADED:
        w = np.ascontiguousarray(weights).ravel()
        return float(ddot(w, w))
    vectors = map(np.ascontiguousarray, np.atleast_2d(weights))
    return float(sum(np.einsum("i,i", w, w) for w in vectors))


class Problems(ABC):
    """Problems that share their sweeps: weights, update counts and ledger, and what is known of them.

    ``W`` and ``update_counts`` have a row for every weight vector; problem c has the rows ``vectors[c]``.
    After ``catch_up`` ``lengths`` are ‖w‖ of every problem, and ``margin_bounds`` are margins proved to be out of
    reach; ``start_lengths`` are ‖w‖ at the start.  ``counted`` tells whether it is known how often every row was
    updated on, and they are so few that weights may return.  They are learnt by ``rule``, and ``observer`` is told of
    every update.
    """

    improvement = 1.0
    """A pass has helped if it made fewer than this part of the mistakes of the best one before."""
    plan: Any = None
    """How the passes are planned, once the loop has begun."""
    variances: np.ndarray | None = None
    """Of every weight, if the rule learns them."""

    def __init__(self, rule: Rule | KernelRule, W: np.ndarray, vectors: list[slice], update_counts: np.ndarray) -> None:
        self.rule, self.W, self.vectors, self.update_counts = rule, W, vectors, update_counts
        self.size = len(vectors)
        self.ledger = np.zeros((self.size, COLUMNS))
        self.bounded_updates = self.ledger[:, UPDATES]  # those that Novikoff's theorem bounds
        self.lengths, self.start_lengths = np.zeros(self.size), np.zeros(self.size)
        self.margin_bounds = np.array([np.inf] * self.size)
        self.state_size = W.size + update_counts.size  # of what cycles are found by
        self.counted = 0 < update_counts.size <= LARGEST_COUNTED
        self.update_radius = 0.0  # the length of the longest update of step 1
        self.observer: Any = Nothing()
        self.recording: Recording | None = None
        self.pass_ends: list[np.ndarray] = []  # of a recorded run, the time of every problem at the end of each pass

    def catch_up(self) -> None:
        """Bring ``lengths`` and ``margin_bounds`` up to date, where sweeps leave that undone."""
        return

    @abstractmethod
    def sweep(self, row_order: np.ndarray, active: list[int]) -> None:
        """One pass over the rows for all active problems."""

    @abstractmethod
    def work(self, c: int, row_order: np.ndarray, passes: int) -> None:
        """Passes over some rows for problem c, until one makes no update."""

    @abstractmethod
    def look(self, row_order: np.ndarray, some: list[int], W: np.ndarray | None = None) -> np.ndarray:
        """Errors and lowest row margin (columns) of some problems, under their weights or others; changes nothing."""

    def look_after_pass(self, row_order: np.ndarray, some: list[int]) -> np.ndarray:
        """The same after a full pass, which may have seen it."""
        return self.look(row_order, some)

    @abstractmethod
    def certain(self, c: int, lowest: float) -> bool:
        """Whether the lowest row margin is so high that every row is on its right side, whatever the rounding."""

    @abstractmethod
    def correct_exactly(self, doubtful: list[int], row_order: np.ndarray) -> list[int]:
        """Update on rows that are wrong exactly but seemed right by rounding; the problems in which there was one."""

    @abstractmethod
    def sums_to_zero(self, c: int, update_counts: np.ndarray) -> bool:
        """Whether updates of problem c in these numbers sum to zero exactly."""

    def count_passes(self, c: int, passes: int, visits_before: float) -> None:
        """Count so many passes more of problem c like the last, which made no update and began after these visits."""
        self.ledger[c, VISITS] += passes * (self.ledger[c, VISITS] - visits_before)

    def final_weights(self) -> np.ndarray:
        """The weights that the run returns at its end."""
        if self.observer.takes_last:
            self.observer.take_last(self)
        return self.returned_weights()

    def precision(self, weights: list[np.ndarray], c: int) -> float:
        """The largest Σ u²/σ over Σ u² of some weights u of problem c, whose rule learns variances σ."""
        assert self.variances is not None
        variances = self.variances[self.vectors[c]]
        return max((precision_of(u, variances) for u in weights if u.any()), default=1.0)

    def returned_weights(self) -> np.ndarray:
        """The weights that the run would return now: the last, their average, or those in the pocket."""
        visits = np.ones(len(self.W))
        for vectors, count in zip(self.vectors, self.ledger[:, VISITS], strict=True):
            visits[vectors] = count
        return self.observer.returned_weights(self.W, visits)

    def record(self, limit: int) -> None:
        """Write every update down, at most so many of each problem; a joint one moves two vectors: two entries."""
        entries = 2 if self.size < len(self.update_counts) else 1
        self.recording = empty_recording(self.observer, self.size, entries * limit)

    def state(self) -> list[np.ndarray]:
        """The arrays that passes change."""
        self.catch_up()
        observed = [kept for kept in self.observer if isinstance(kept, np.ndarray)]
        return [self.W, self.update_counts, self.ledger, self.lengths, self.margin_bounds, *observed]

    def restore(self, state: list[np.ndarray]) -> None:
        """Take up a state."""
        for array, kept in zip(self.state(), state, strict=True):
            array[:] = kept


class LinearProblems(Problems):
    """Planes through the augmented rows [x; bias]."""

    rule: Rule
    update_scale = 1.0
    """‖z‖ / ‖x‖: how much longer than its row is an update."""
    wide = False
    """Whether rows are sparse and have so many columns that the caches do not hold the weights."""

    def __init__(
        self, X: Any, rows: Rows, targets: Targets, radius: float, start: np.ndarray, rule: Rule, vectors: list[slice]
    ) -> None:
        """Problems on the rows of a matrix X, which passes read as ``rows``."""
        self.X, self.rows, self.dense = X, rows, isinstance(rows, Dense)
        self.wide = not self.dense and X.shape[1] > WIDE
        update_counts = room_for_counts(len(start), len(targets.labels))
        super().__init__(rule, self.room(start.shape), vectors, update_counts)
        self.dimension = self.W.shape[1]
        self.set_radius(radius)
        self.start: np.ndarray | None = None  # the weights it began with, unless they are zero
        self.roundings = np.array([np.inf] * self.size)  # how far a computed score is at most from the true one
        self.unmeasured = False  # whether weights or radius have changed since they were measured
        self.variances = np.ones(start.shape) if rule.second_order else None
        if any(start.strides) and np.count_nonzero(start):  # of few weights quicker than any(); one zero is broadcast
            self.W[: len(start)] = start
            self.start = self.W.copy()
        self.measure_lengths(self.squares(start[:, :1] if self.start is None else self.W))  # of zeros a column will do
        self.start_lengths[:] = self.lengths
        self.targets = targets

    def room(self, shape: tuple[int, ...]) -> np.ndarray:
        """Zeros for so many weight vectors of this length as the passes like them for such rows."""
        return np.zeros(shape)

    def laid_out(self, weights: np.ndarray) -> np.ndarray:
        """A copy of these weight vectors as the passes like them for such rows."""
        W = self.room(weights.shape)
        W[: len(weights)] = weights
        return W

    def is_zero(self) -> bool:
        """Whether the weights are known to be zero, as before the first update."""
        return self.start is None and not self.ledger[:, UPDATES].any()

    def drop_copy(self) -> None:
        """Forget a copy of the weights, if there is one."""
        return

    def set_radius(self, radius: float) -> None:
        """Know the length of the longest row."""
        self.radius, self.update_radius, self.unmeasured = radius, self.update_scale * radius, True

    def catch_up(self) -> None:
        if self.unmeasured:
            self.measure()

    def state(self) -> list[np.ndarray]:
        return super().state() if self.variances is None else [*super().state(), self.variances]

    def restore(self, state: list[np.ndarray]) -> None:
        super().restore(state)
        self.unmeasured = True

    def measure(self) -> None:
        """Find ‖w‖ of every problem, how scores round, and the margin that it proves impossible, rounding included.

        It proves none by a rule of second order, whose weights are no sum of signed rows.
        """
        self.unmeasured, moved = False, np.count_nonzero(self.ledger[:, TRAVELLED])
        if moved:  # before the first step they are those of the start
            self.measure_lengths(self.own_squares())
        for c, length in enumerate(self.lengths.tolist()):
            self.roundings[c] = rounding_of_score(length, self.update_radius, self.dimension)
        if self.variances is not None or not moved:
            return
        distances = self.lengths if self.start is None else np.sqrt(self.squares(self.W - self.start))
        size = len(self.update_counts) // self.size * self.dimension
        for c in range(self.size):
            travelled, updates = float(self.ledger[c, TRAVELLED]), float(self.ledger[c, UPDATES])
            self.margin_bounds[c] = margin_from_run(float(distances[c]), travelled, updates, self.update_radius, size)

    def measure_lengths(self, squares: np.ndarray) -> None:
        """Take ‖w‖ of every problem from its square."""
        self.ledger[:, NORM] = squares
        np.sqrt(squares, out=self.lengths)

    def squares(self, W: np.ndarray) -> np.ndarray:
        """‖w‖² of every problem, for weights that lie as its own do."""
        return np.array([squared_length(W)]) if len(W) == 1 else np.einsum("cj,cj->c", W, W)

    def own_squares(self) -> np.ndarray:
        """‖w‖² of every problem now."""
        return self.squares(self.W)

    def whole(self) -> Sweep:
        """A sweep over all rows."""
        observer = self.observer if self.recording is None else self.recording
        return Sweep(self.rows, self.targets, self.rule, observer, self.update_counts, self.ledger, self.variances)

    def begin(self) -> None:
        """Give a rule that keeps ‖w‖² up to date what it begins with."""
        self.ledger[:, SQUARE] = self.own_squares() if self.unmeasured else self.ledger[:, NORM]

    def sweep(self, row_order: np.ndarray, active: list[int]) -> None:
        if self.rule.needs_norm:
            self.begin()
        self.pass_over(self.whole(), row_order, active, None, True)
        self.unmeasured = True

    def look(self, row_order: np.ndarray, some: list[int], W: np.ndarray | None = None) -> np.ndarray:
        own = self.whole()._replace(ledger=np.zeros((self.size, COLUMNS)))
        self.pass_over(own, row_order, some, W, False)
        return own.ledger[:, MISTAKES : LOWEST + 1]

    @abstractmethod
    def pass_over(
        self, sweep: Sweep, row_order: np.ndarray, active: list[int], W: np.ndarray | None, learn: bool
    ) -> None:
        """One pass of a sweep that learns, or only looks with its own weights or others W."""

    @abstractmethod
    def candidate(self, c: int, W: np.ndarray) -> tuple[np.ndarray, int]:
        """The weights of problem c as the pocket looks at them, and the label of its class (or how many there are)."""

    @abstractmethod
    def coefficients(self, c: int, update_counts: np.ndarray) -> np.ndarray:
        """The multiples of the rows that updates in these numbers add up to, one combination per row."""

    def sums_to_zero(self, c: int, update_counts: np.ndarray) -> bool:
        return vanishes(self.coefficients(c, update_counts), self.X, self.rows.bias)

    def certain(self, c: int, lowest: float) -> bool:
        self.catch_up()
        return bool(lowest > self.roundings[c])

    def correct_exactly(self, doubtful: list[int], row_order: np.ndarray) -> list[int]:
        wrong = [c for c in doubtful if self.correct_rows(c, self.whole(), self.X, row_order)]
        self.unmeasured = self.unmeasured or bool(wrong)
        return wrong

    @abstractmethod
    def correct_rows(self, c: int, sweep: Sweep, X: Any, row_order: np.ndarray) -> bool:
        """Update on the rows of X that are wrong exactly in problem c; whether there was one."""

    def near_zero(self, row_margins: np.ndarray, c: int) -> np.ndarray:
        """The rows whose margin is so small that rounding may hide its sign."""
        return np.flatnonzero(row_margins <= DOUBTFUL * self.roundings[c])

    def add(self, sweep: Sweep, vector: int, c: int, i: int, x: np.ndarray, step: float, row_margin: float) -> None:
        """Add step · [x; bias], where x is row i, to one weight vector of problem c."""
        self.W[vector] += step * np.append(x, self.rows.bias)
        tell(sweep.observer, vector, sweep.rows, i, step, row_margin, self.ledger[c, VISITS])

    def count(self, sweep: Sweep, c: int, vector: int, i: int) -> float:
        """Count an update on row i; return its step."""
        weights = sweep.targets.sample_weight
        step = float(weights[min(i, len(weights) - 1)])
        sweep.update_counts[vector, i] += 1
        self.ledger[c, [UPDATES, ERRORS, TRAVELLED]] += 1, 1, step
        return step


class OneVsRest(LinearProblems):
    """The classes first, first + 1, … each against the rest; alone, one class against the other."""

    def __init__(
        self, X: Any, rows: Rows, targets: Targets, radius: float, start: np.ndarray, rule: Rule, first: int
    ) -> None:
        self.ahead: np.ndarray | None = None  # which weight vectors passes moved in their copy only, if any
        super().__init__(X, rows, targets, radius, start, rule, [slice(c, c + 1) for c in range(len(start))])
        self.first = first
        # Weights in fewer bytes, which are quicker to score with; while ``in_step`` they are those of W.
        self.approx: np.ndarray | None = None
        self.copied = self.size > 1 and (not self.dense or np.can_cast(self.rows.values.dtype, np.float32))
        self.in_step, self.length_bound = False, np.zeros(self.size)

    @property
    def W(self) -> np.ndarray:  # noqa: N802
        """The weights, up to date for whoever asks for them."""
        self.write_weights()
        return self._W

    @W.setter
    def W(self, weights: np.ndarray) -> None:  # noqa: N802
        self._W = weights

    def write_weights(self) -> None:
        """Take from the copy what passes moved only there."""
        if self.ahead is not None:
            write_whole(self.approx, np.flatnonzero(self.ahead), self._W)
            self.ahead = None

    def own_squares(self) -> np.ndarray:
        if self.ahead is None or not self.in_step:
            return super().own_squares()
        squares = np.zeros(self.size)
        whole_squares(self.approx, squares)
        return squares

    def candidate(self, c: int, W: np.ndarray) -> tuple[np.ndarray, int]:
        return W[c], self.first + c

    def coefficients(self, c: int, update_counts: np.ndarray) -> np.ndarray:
        return rest_coefficients(self.targets, self.first + c, update_counts)

    def look_after_pass(self, row_order: np.ndarray, some: list[int]) -> np.ndarray:
        if self.size == 1 and not self.ledger[0, PASS_UPDATES]:  # it met every row with the weights as they are
            return self.ledger[:, MISTAKES : LOWEST + 1].copy()
        return self.look(row_order, some)

    def pass_over(
        self, sweep: Sweep, row_order: np.ndarray, active: list[int], W: np.ndarray | None, learn: bool
    ) -> None:
        if self.size == 1:
            linear.two_classes(sweep, row_order, (self.W if W is None else W)[0], 0, self.first, 1, learn)
            return
        farthest = len(row_order) * float(sweep.targets.sample_weight.max()) * self.radius
        weights = self.weights_to_score(W, farthest)
        numbers = np.array(active, dtype=np.uint32)
        linear.one_vs_rest(sweep, row_order, weights, numbers, self.first, learn)
        fit = np.isfinite(weights.length_bound)
        if weights.approx.dtype == np.int16:
            moved = sweep.ledger[:, PASS_UPDATES] > 0
            ahead = (moved if self.ahead is None else self.ahead | moved) & fit
            self.ahead = ahead if ahead.any() else None
        self.in_step = W is None and bool(fit.all())

    def weights_to_score(self, W: np.ndarray | None, farthest: float) -> Weights:
        """Its own weights or others, with a copy if they have one, and how far from the truth its scores are at most.

        A pass moves no weight vector by more than ``farthest``.
        """
        if not self.copied:
            W = self.W if W is None else W
            return Weights(W, W, np.zeros(len(W)), self.radius)
        if self.approx is None or not (self.in_step and W is None):
            self.approx = self.copy_of(self.W if W is None else W)
        bound = self.bound_on_lengths(W)
        if not max(self.radius, self.radius * (bound.max() + farthest)) < LARGEST_APPROX:  # weights in 16 bits are less
            bound = np.full(len(bound), np.inf)
        return Weights(self._W if W is None else W, self.approx, bound, self.radius)

    def copy_of(self, W: np.ndarray) -> np.ndarray:
        """The same weights to score with: in 16 bits if they are its own and whole numbers, else in float32."""
        kinds = (np.int16, np.float32) if W is self.W and self.stays_whole() else (np.float32,)
        if W is self.W and self.approx is None and self.is_zero():
            return self.room_for_copy(kinds[0])
        for kind in kinds:
            copy = self.room_for_copy(kind)
            with np.errstate(over="ignore", invalid="ignore"):  # what does not fit float32 has no bound
                copy[: len(W)] = W
            if kind is np.float32 or np.array_equal(copy[: len(W)], W):
                break
        return copy

    def drop_copy(self) -> None:
        self.write_weights()
        self.approx, self.in_step = None, False

    def stays_whole(self) -> bool:
        """Whether updates add whole numbers to so many weights that in float32 they would not fit into a cache.

        Nobody else may ask for the weights during a pass.
        """
        counts = not self.dense and (self.rows.values is None or self.rows.values.dtype.kind == "u")
        large = np.dtype(np.float32).itemsize * self.W.size > CACHED
        alone = self.rule.own_steps and not self.observer.reads_weights
        return counts and large and alone and bool((self.targets.sample_weight == 1).all())

    def room_for_copy(self, kind: type) -> np.ndarray:
        """Where a copy of the weights is kept, in these numbers: zeros, if there was none."""
        if self.approx is not None and self.approx.dtype == kind:
            return self.approx
        self.drop_copy()  # lest there be two at a time
        return np.zeros(self.W.shape, kind) if self.dense else lanes_for(self.W.shape, kind)

    def bound_on_lengths(self, W: np.ndarray | None) -> np.ndarray:
        """‖w‖ of every weight vector at most; that of its own, which passes raise, is measured when it is loose."""
        if W is not None:
            return np.sqrt(np.einsum("cj,cj->c", W, W)) + TINY
        if not self.in_step or (self.length_bound > LOOSE * (self.lengths + TINY)).any():
            self.catch_up()
            self.length_bound = self.lengths + TINY
        return self.length_bound

    def work(self, c: int, row_order: np.ndarray, passes: int) -> None:
        if self.rule.needs_norm:
            self.begin()
        linear.two_classes(self.whole(), row_order, self.W[c], c, self.first + c, passes, True)
        self.unmeasured, self.in_step = True, False

    def correct_rows(self, c: int, sweep: Sweep, X: Any, row_order: np.ndarray) -> bool:
        updated, signs = False, signs_of(sweep.targets.labels, self.first + c)[row_order]
        row_margins = signs * ((X @ self.W[c, :-1])[row_order] + self.rows.bias * self.W[c, -1])
        near = self.near_zero(row_margins, c)
        for i, sign in zip(row_order[near], signs[near], strict=True):
            x = dense_row(X, i)
            row_margin = sign * combination(self.W[c], (*x, self.rows.bias))
            if row_margin <= 0:
                self.add(sweep, c, c, i, x, sign * self.count(sweep, c, c, i), float(row_margin))
                updated, self.in_step = True, False
        return updated

    def restore(self, state: list[np.ndarray]) -> None:
        super().restore(state)
        self.in_step = False


class Joint(LinearProblems):
    """All classes against each other: one problem, with a weight vector per class."""

    update_scale = 2**0.5  # an update adds x to one class and subtracts it from another

    def __init__(self, X: Any, rows: Rows, targets: Targets, radius: float, start: np.ndarray, rule: Rule) -> None:
        self.classes = np.arange(len(start), dtype=np.uint32)
        super().__init__(X, rows, targets, radius, start, rule, [slice(len(start))])

    def room(self, shape: tuple[int, ...]) -> np.ndarray:
        return np.zeros(shape) if self.dense else lanes_for(shape, np.float64)

    def squares(self, W: np.ndarray) -> np.ndarray:
        return super().squares(W).sum(keepdims=True)

    def candidate(self, c: int, W: np.ndarray) -> tuple[np.ndarray, int]:
        return W, len(self.classes)

    def coefficients(self, c: int, update_counts: np.ndarray) -> np.ndarray:
        return joint_coefficients(self.targets, self.classes, update_counts)

    def pass_over(
        self, sweep: Sweep, row_order: np.ndarray, active: list[int], W: np.ndarray | None, learn: bool
    ) -> None:
        linear.joint(sweep, row_order, self.W if W is None else W, self.classes, 1, learn)

    def work(self, c: int, row_order: np.ndarray, passes: int) -> None:
        if self.rule.needs_norm:
            self.begin()
        linear.joint(self.whole(), row_order, self.W, self.classes, passes, True)
        self.unmeasured = True

    def correct_rows(self, c: int, sweep: Sweep, X: Any, row_order: np.ndarray) -> bool:
        updated, W, labels = False, self.W[self.classes], sweep.targets.labels
        scores = (X @ W[:, :-1].T)[row_order] + self.rows.bias * W[:, -1]
        own = labels[row_order]
        scores_of_own = scores[np.arange(len(own)), own]
        scores[np.arange(len(own)), own] = -np.inf
        for i in row_order[self.near_zero(scores_of_own - scores.max(axis=1), c)]:
            x, label = dense_row(X, i), labels[i]
            exact = [combination(self.W[k], (*x, self.rows.bias)) for k in self.classes]
            rival = max((int(k) for k in self.classes if k != label), key=lambda k: exact[k])
            if exact[label] <= exact[rival]:
                step, row_margin = self.count(sweep, c, rival, i), float(exact[label] - exact[rival])
                self.add(sweep, label, c, i, x, step, row_margin)
                self.add(sweep, rival, c, i, x, -step, row_margin)
                updated = True
        return updated


def signs_of(labels: np.ndarray, positive: int) -> np.ndarray:
    """y of every row, where one class is against the rest."""
    return np.where(labels == positive, 1.0, -1.0)


def rest_coefficients(targets: Targets, positive: int, update_counts: np.ndarray) -> np.ndarray:
    """The multiples of the rows that updates in these numbers add up to, where one class is against the rest."""
    return signs_of(targets.labels, positive) * targets.sample_weight * update_counts


def joint_coefficients(targets: Targets, classes: np.ndarray, update_counts: np.ndarray) -> np.ndarray:
    """The same for all classes at once, where an update adds a row to its own class and subtracts it from a rival."""
    own = targets.labels == classes[:, None]
    return targets.sample_weight * (own * update_counts.sum(axis=0) - update_counts)


def precision_of(planes: np.ndarray, variances: np.ndarray) -> float:
    """Σ u²/σ over Σ u² of some planes, one after the other, as all at once would take three times their memory."""
    weighted, plain = 0.0, 0.0
    for w, s in zip(planes, variances, strict=False):
        squares = w * w
        plain += float(squares.sum())
        weighted += float(np.divide(squares, s, out=squares).sum())
    return weighted / plain


def dense_row(X: Any, i: int) -> np.ndarray:
    """Row i as float64."""
    return np.asarray(dense(X[[i]]), dtype=np.float64).ravel()


def room_for_counts(vectors: int, rows: int) -> np.ndarray:
    """Zeros, one per weight vector and row; of more than are kept, all are one place in memory."""
    if vectors * rows <= LARGEST_KEPT:
        return np.zeros((vectors, rows), np.int32)
    return np.lib.stride_tricks.as_strided(np.zeros(1, np.int32), (vectors, rows), (0, 0))


def lanes_for(shape: tuple[int, ...], kind: type) -> np.ndarray:
    """Zeros in the layout in which sparse rows are scored under so many weight vectors at once (see passes.rows)."""
    vectors, length = shape
    side_by_side = min(LANES, LINE // np.dtype(kind).itemsize)
    return aligned_zeros((length, max(LANES, -(-vectors // side_by_side) * side_by_side)), kind).T


def aligned_zeros(shape: tuple[int, ...], kind: type) -> np.ndarray:
    """Zeros that begin with a line of memory; NumPy's begin anywhere, so that each of their lines would be in two."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    room = np.zeros(size + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    return room[start : start + size].view(kind).reshape(shape)


def make_problems(
    training_set: TrainingSet,
    bias: float,
    start: np.ndarray | None,
    rule: Rule,
    joint: bool,
    n_jobs: int | None,
    passes: int,
) -> list[LinearProblems]:
    """The problems that a training set poses to weights to start from (by default zero), in groups.

    On the way all rows are seen to be finite, and the longest that counts is found.  Where there are several passes to
    make, they read packed rows.
    """
    X, row_order = training_set.X, training_set.row_order
    if start is None:
        vectors = 1 if len(training_set.classes) == 2 else len(training_set.classes)
        start = np.broadcast_to(0.0, (vectors, X.shape[1] + 1))
    targets = Targets(read_only(training_set.labels), training_set.sample_weight)
    rows = of_matrix(X, bias) if passes == 1 else packed(of_matrix(X, bias), X.shape[1])
    square = longest(rows)
    if not 1 / LARGEST_SQUARE <= square <= LARGEST_SQUARE:
        check_length(square, X, training_set.names)
    if len(row_order) < len(training_set.labels):
        square = longest(of_matrix(X[row_order], bias))
    return group_problems(X, rows, targets, float(np.sqrt(square)), start, rule, joint, n_jobs)


def group_problems(
    X: Any, rows: Rows, targets: Targets, radius: float, start: np.ndarray, rule: Rule, joint: bool, n_jobs: int | None
) -> list[LinearProblems]:
    """The problems with these weights to start from, in groups; a group is the work of one thread."""
    common = X, rows, targets, radius
    if len(start) == 1:
        return [OneVsRest(*common, start, rule, 1)]
    if joint:
        return [Joint(*common, start, rule)]
    size = -(-len(start) // effective_n_jobs(n_jobs))  # the rows are read once for all classes of a group
    firsts = range(0, len(start), size)
    return [OneVsRest(*common, start[first : first + size], rule, first) for first in firsts]
