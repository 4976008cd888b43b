"""The two-class problems that labels pose, and the passes that each group of them is worked with."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..bounds import rounding_of_score
from ..exact.floats import combination, vanishes
from ..passes import linear, rules
from ..passes.observers import Average, Nothing, Pocket, record, tell
from ..passes.rows import LANES, Csr, Weights

ROUGH_UNIT = float(np.finfo(np.float32).eps) / 2
"""The largest relative rounding error of one float32 operation."""
LARGEST_ROUGH = 1e37
"""Scores up to this size cannot overflow float32."""


AHEAD = 5
"""A processor reads four places at once faster than one: in cyclic order, rows this far apart are scored together."""
LONG_ROW = 2048
"""Bytes from which a row is worth it; shorter ones would have to be scored again too often."""
LARGEST_COUNTED = 2**22
"""Update counts beyond which it is not looked whether weights return: with so many rows they do not."""


class Problems(ABC):
    """Problems on the same rows, of length at most ``radius``, that share their sweeps: weights, counts and ledger.

    Weights and counts have a line for every weight vector; problem c has the lines ``lines(c)``.  They are learnt by
    ``rule``, and ``observer`` is told of every update.
    """

    update_scale = 1.0
    """‖z‖ / ‖x‖: how much longer than its row is an update."""
    interleaved = False
    """Whether passes visit rows from different places in turn; then those in a row are read faster together."""
    approx: np.ndarray | None = None
    """Weights that are quicker to score with."""
    record: Any = None
    """Every update, where a trace is asked for."""

    def __init__(
        self, rows: Any, targets: linear.Targets, radius: float, size: int, start: np.ndarray, rule: Any
    ) -> None:
        self.rows, self.targets, self.radius, self.size, self.rule = rows, targets, radius, size, rule
        self.observer: Any = Nothing()
        self.dense = not isinstance(rows, Csr)
        self.squares: np.ndarray | None = None  # ‖w‖² of every weight vector, once asked for
        self.W = laid_out(start, rows)
        self.tally = np.zeros((len(start), len(targets.labels)), dtype=np.int32)
        self.ledger = np.zeros((size, rules.COLUMNS))

    def state(self) -> list[np.ndarray]:
        """The arrays that passes change."""
        watched = [kept for kept in self.observer if isinstance(kept, np.ndarray)]
        return [self.W, self.history, self.ledger, *watched]

    def restore(self, state: list[np.ndarray]) -> None:
        """Take up a state."""
        for array, kept in zip(self.state(), state, strict=True):
            array[:] = kept
        self.squares = None

    def configure(self, plan: Any) -> None:
        """Know how the passes of a run are planned."""
        self.interleaved = plan.interleaved

    @property
    def update_radius(self) -> float:
        """The length of the longest update of step 1."""
        return self.update_scale * self.radius

    @property
    def counted(self) -> bool:
        """Whether it is known of every row how often it was updated, and they are so few that weights may return."""
        return self.history.size <= LARGEST_COUNTED

    @property
    def history(self) -> np.ndarray:
        """How often each row was updated, a line a weight vector."""
        return self.tally

    @abstractmethod
    def lines(self, c: int) -> slice:
        """The weight vectors of problem c."""

    def weights(self, c: int) -> np.ndarray:
        """A view of the weights of problem c."""
        return self.W[self.lines(c)]

    def counts(self, c: int) -> np.ndarray:
        """A view of how often each row was updated in problem c."""
        return self.history[self.lines(c)]

    def square(self, c: int) -> float:
        """‖w‖² in problem c."""
        if self.squares is None:
            self.squares = np.empty(len(self.W))
            linear.squares(self.W, self.squares)
        return float(self.squares[self.lines(c)].sum())

    def length(self, c: int) -> float:
        """‖w‖ in problem c."""
        return self.square(c) ** 0.5

    @property
    def told(self) -> Any:
        """The watcher that passes tell of every update."""
        return self.observer if self.record is None else self.record

    def recorded(self, most: int) -> None:
        """Write every update down, at most so many of each problem, with leads that are not rough."""
        self.record, self.approx = record(self.observer, self.size, most), None
        self.ends: list[np.ndarray] = []  # the time of every problem at the end of each pass

    def passed(self) -> None:
        """Note the end of a pass."""
        if self.record is not None:
            self.ends.append(self.times())

    def times(self) -> np.ndarray:
        """How many rows every problem has looked at."""
        return self.ledger[:, rules.VISITS].copy()

    def learnt(self) -> np.ndarray:
        """The weights to be handed out as they are now: the average, those in the pocket, or the last."""
        if isinstance(self.observer, Average):
            row_order = np.maximum(self.ledger[:, rules.VISITS], 1)
            shares = np.ones(len(self.W))
            for c in range(self.size):
                shares[self.lines(c)] = row_order[c]
            return self.W - self.observer.sums / shares[:, None]
        return self.observer.best if isinstance(self.observer, Pocket) else self.W

    @abstractmethod
    def candidate(self, c: int, W: np.ndarray) -> tuple[np.ndarray, int]:
        """The weights of problem c as the pocket looks at them, and the label of its class (or how many there are)."""

    @abstractmethod
    def coefficients(self, c: int, counts: np.ndarray) -> np.ndarray:
        """The multiples of the rows that updates in these numbers add up to, one combination a line."""

    def vanish(self, c: int, counts: np.ndarray, X: Any) -> bool:
        """Whether updates of problem c in these numbers sum to zero exactly."""
        return vanishes(self.coefficients(c, counts), X, self.rows.bias)

    @abstractmethod
    def correct_exactly(self, c: int, X: Any, row_order: np.ndarray) -> bool:
        """Correct rows of problem c that are wrong exactly but passed by rounding; whether there was any."""

    def add(self, line: int, c: int, i: int, x: np.ndarray, step: float, row_margin: float) -> None:
        """Add step · [x; unit], where x is row i, to one weight vector of problem c."""
        self.squares = None
        self.W[line] += step * np.append(x, self.rows.bias)
        tell(self.told, line, self.rows, i, step, row_margin, self.ledger[c, rules.VISITS])

    def note(self, c: int, line: int, i: int) -> float:
        """Count an update of row i; return its step."""
        step = float(self.targets.steps[min(i, len(self.targets.steps) - 1)])
        self.tally[line, i] += 1
        self.ledger[c, [rules.UPDATES, rules.ERRORS, rules.TRAVELLED]] += 1, 1, step
        return step

    def near(self, row_margins: np.ndarray, c: int) -> np.ndarray:
        """The rows whose lead (y·(w·x), or over the best rival) is so small that rounding may hide its sign."""
        width = self.W.shape[1]
        return np.flatnonzero(row_margins <= 2 * rounding_of_score(self.length(c), self.update_radius, width))

    def measure(self) -> None:
        """Write ‖w‖² of every problem into the ledger, for the rules that ask for it."""
        if isinstance(self.rule, rules.FixedMargin | rules.DynamicMargin):
            self.ledger[:, rules.SQUARE] = [self.square(c) for c in range(self.size)]

    @abstractmethod
    def sweep(self, row_order: np.ndarray, active: list[int], learn: bool = True) -> None:
        """One pass over the rows for all open problems."""

    @abstractmethod
    def work(self, c: int, row_order: np.ndarray, passes: int) -> None:
        """Passes over some rows for problem c, until one is clean."""


class OneVsRest(Problems):
    """The classes first, first + 1, … each against the rest; alone, one class against the other."""

    def __init__(
        self, rows: Any, targets: linear.Targets, radius: float, first: int, start: np.ndarray, rule: Any
    ) -> None:
        super().__init__(rows, targets, radius, len(start), start, rule)
        self.first = first
        if self.dense and self.size > 1 and np.can_cast(rows.values.dtype, np.float32):
            self.approx = np.empty(self.W.shape, dtype=np.float32)

    def lines(self, c: int) -> slice:
        return slice(c, c + 1)

    def candidate(self, c: int, W: np.ndarray) -> tuple[np.ndarray, int]:
        return W[c], self.first + c

    def coefficients(self, c: int, counts: np.ndarray) -> np.ndarray:
        return self.signs(c) * self.targets.steps * counts

    def signs(self, c: int) -> np.ndarray:
        """y of every row in problem c."""
        return np.where(self.targets.labels == self.first + c, 1.0, -1.0)

    def sweep(self, row_order: np.ndarray, active: list[int], learn: bool = True) -> None:
        stride = self.stride(learn)
        if self.size == 1 and not stride:
            self.two_classes(0, self.W[0], row_order, 1, learn)
            return
        numbers, weights = np.array(active, dtype=np.uint32), self.weighed(len(row_order))
        self.measure()
        self.squares = None
        linear.one_vs_rest(
            self.rows,
            row_order,
            stride or 1,
            self.targets,
            self.first,
            numbers,
            weights,
            self.rule,
            self.told,
            self.tally,
            self.ledger,
            learn,
        )

    def stride(self, learn: bool) -> int:
        """How far apart in the order of the pass are rows that are best read together; 0 if none are."""
        if not self.dense:
            return 0
        if learn and self.interleaved:  # a pass that only looks is in cyclic order
            return 1
        return AHEAD if self.rows.values[:1].nbytes >= LONG_ROW else 0

    def weighed(self, row_order: int) -> Weights:
        """The weights with their rough copy, if they have one, and how far from the truth its scores are at most."""
        if self.approx is None:
            return Weights(self.W, self.W, np.zeros(len(self.W)), 0.0, self.radius)
        lengths = np.array([self.length(c) for c in range(self.size)])
        in_reach = self.radius * (lengths + row_order * self.targets.steps.max() * self.radius) < LARGEST_ROUGH
        per_length = rounding_of_score(1.0, self.radius, self.W.shape[1], ROUGH_UNIT)
        error_bound = np.where(in_reach, per_length * lengths, np.inf)
        with np.errstate(over="ignore"):  # what does not fit float32 is in doubt
            self.approx[:] = self.W
        return Weights(self.W, self.approx, error_bound, per_length, self.radius)

    def work(self, c: int, row_order: np.ndarray, passes: int) -> None:
        w = np.ascontiguousarray(self.W[c])
        self.two_classes(c, w, row_order, passes, learn=True)
        self.W[c] = w

    def correct_exactly(self, c: int, X: Any, row_order: np.ndarray) -> bool:
        mended, signs = False, self.signs(c)[row_order]
        row_margins = signs * ((X @ self.W[c, :-1])[row_order] + self.rows.bias * self.W[c, -1])
        near = self.near(row_margins, c)
        for i, sign in zip(row_order[near], signs[near], strict=True):
            x = dense_row(X, i)
            row_margin = sign * combination(self.W[c], (*x, self.rows.bias))
            if row_margin <= 0:
                self.add(c, c, i, x, sign * self.note(c, c, i), float(row_margin))
                mended = True
        return mended

    def two_classes(self, c: int, w: np.ndarray, row_order: np.ndarray, passes: int, learn: bool) -> None:
        self.measure()
        self.squares = None
        linear.two_classes(
            self.rows,
            row_order,
            self.targets,
            self.first + c,
            w,
            self.rule,
            self.told,
            c,
            self.tally[c],
            self.ledger[c],
            passes,
            learn,
        )


class Joint(Problems):
    """All classes against each other: one problem, with a weight vector a class."""

    update_scale = 2**0.5  # an update adds x to one class and subtracts it from another

    def __init__(self, rows: Any, targets: linear.Targets, radius: float, start: np.ndarray, rule: Any) -> None:
        self.classes = np.arange(len(start), dtype=np.uint32)
        super().__init__(rows, targets, radius, 1, start, rule)

    def lines(self, c: int) -> slice:
        return slice(len(self.classes))

    def candidate(self, c: int, W: np.ndarray) -> tuple[np.ndarray, int]:
        return W, len(self.classes)

    def coefficients(self, c: int, counts: np.ndarray) -> np.ndarray:
        own = self.targets.labels == self.classes[:, None]
        return self.targets.steps * (own * counts.sum(axis=0) - counts)

    def sweep(self, row_order: np.ndarray, active: list[int], learn: bool = True) -> None:
        self.all_classes(row_order, 1, learn)

    def work(self, c: int, row_order: np.ndarray, passes: int) -> None:
        self.all_classes(row_order, passes, learn=True)

    def correct_exactly(self, c: int, X: Any, row_order: np.ndarray) -> bool:
        mended, W = False, self.W[self.classes]
        scores = (X @ W[:, :-1].T)[row_order] + self.rows.bias * W[:, -1]
        own = self.targets.labels[row_order]
        row_margins = scores[np.arange(len(own)), own]
        scores[np.arange(len(own)), own] = -np.inf
        for i in row_order[self.near(row_margins - scores.max(axis=1), c)]:
            x, label = dense_row(X, i), self.targets.labels[i]
            exact = [combination(self.W[k], (*x, self.rows.bias)) for k in self.classes]
            rival = max((int(k) for k in self.classes if k != label), key=lambda k: exact[k])
            if exact[label] <= exact[rival]:
                step, row_margin = self.note(c, rival, i), float(exact[label] - exact[rival])
                self.add(label, c, i, x, step, row_margin)
                self.add(rival, c, i, x, -step, row_margin)
                mended = True
        return mended

    def all_classes(self, row_order: np.ndarray, passes: int, learn: bool) -> None:
        self.measure()
        self.squares = None
        linear.joint(
            self.rows,
            row_order,
            self.targets,
            self.classes,
            self.W,
            self.rule,
            self.told,
            self.tally,
            self.ledger[0],
            passes,
            learn,
        )


def dense_row(X: Any, i: int) -> np.ndarray:
    """Row i as float64."""
    return np.asarray(X[[i]].toarray() if sp.issparse(X) else X[[i]], dtype=np.float64).ravel()


def laid_out(start: np.ndarray, rows: Any) -> np.ndarray:
    """The weight vectors copied as the passes like them for these rows (see passes.rows)."""
    if not isinstance(rows, Csr) or len(start) == 1:
        return start.copy()
    W = np.zeros((start.shape[1], -(-len(start) // LANES) * LANES)).T
    W[: len(start)] = start
    return W


def posed(
    rows: Any, targets: linear.Targets, radius: float, start: np.ndarray, rule: Any, joint: bool, jobs: int
) -> list[Problems]:
    """The problems with these weights to start from, in groups; a group is the work of one thread."""
    if len(start) == 1:
        return [OneVsRest(rows, targets, radius, 1, start, rule)]
    if joint:
        return [Joint(rows, targets, radius, start, rule)]
    # Four sparse weight vectors stay in the caches where twenty would not; dense ones are read once for all classes.
    size = LANES if isinstance(rows, Csr) else -(-len(start) // jobs)
    firsts = range(0, len(start), size)
    return [OneVsRest(rows, targets, radius, first, start[first : first + size], rule) for first in firsts]
