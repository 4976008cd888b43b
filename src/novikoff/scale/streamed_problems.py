"""Problems whose rows come in batches: what the loop of passes sees of data that is never all in memory."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp

from .. import inputs
from ..data.ahead import read_ahead
from ..errors import InputError
from ..exact.floats import vanishes
from ..inputs import TrainingSet
from ..passes.ledger import LOWEST, MISTAKES, PASS_UPDATES, VISITS, Targets
from ..passes.orders import rows_that_count, shuffled
from ..passes.rows import Rows, longest, of_matrix, read_only
from ..passes.rules import Rule
from ..training.problems import LARGEST_COUNTED, Joint, LinearProblems, OneVsRest
from .batches import Batch, Spool
from .blocks import Blocks, LabelCounts

GATHERED = 2**22
"""Numbers of the rows that a proof is made of, which are read into memory for it."""
Watch = Callable[[int, int], None]
"""Told after every batch: rows read in this pass, and the rows of a pass (0 if not known)."""


class BlockStream(ABC):
    """The rows of blocks in batches, in an order of the blocks; ``n_rows`` are those of a pass, 0 if not known."""

    n_rows = 0

    def __init__(self, blocks: Blocks, spool: Spool | None = None, watch: Watch | None = None) -> None:
        self.blocks, self.spool, self.watch = blocks, spool, watch

    @abstractmethod
    def block(self, k: int) -> Iterator[Batch]:
        """The batches of block k from its file."""

    def read(self, order: Iterable[int]) -> Iterator[Batch]:
        """The batches of blocks in this order."""
        for k in map(int, order):
            if self.spool is None:
                yield from self.block(k)
            else:
                yield from self.spool.read(k, self.block)

    def first_batch(self) -> Batch:
        """Some rows, to know how wide they are."""
        sample = next(self.read(range(len(self.blocks))), None)
        if sample is None:
            raise InputError(f"{self.blocks.name} has no row left after those with missing values went.")
        return sample

    def batches(self, order: Iterable[int]) -> Iterator[Batch]:
        """The batches of blocks in this order, the next of them read while one is worked on."""
        done = 0
        for batch in read_ahead(self.read(order)):
            yield batch
            done += len(batch.labels)
            if self.watch:
                self.watch(done, self.n_rows)


class Stream(BlockStream):
    """The rows of blocks with the number of the class of each, and the weights of the classes, or one for all."""

    def __init__(
        self,
        blocks: Blocks,
        labels: LabelCounts,
        weights: np.ndarray,
        spool: Spool | None = None,
        watch: Watch | None = None,
    ) -> None:
        super().__init__(blocks, spool, watch)
        self.labels, self.weights, self.all_count = labels, weights, bool((weights > 0).all())
        self.n_rows = sum(labels.rows)
        self.starts = np.cumsum((0, *labels.rows))
        self.sample = self.first_batch()
        self.width = self.sample.X.shape[1]

    def block(self, k: int) -> Iterator[Batch]:
        first, path = int(self.starts[k]) if self.n_rows else 0, self.blocks.places[k][0].path
        for X, labels in self.blocks.rows(k, self.labels.classes):
            yield Batch(inputs.canonical(X) if sp.issparse(X) else np.ascontiguousarray(X), labels, first, path)
            first += len(labels)

    def check_length(self, square: float, batch: Batch) -> None:
        """Raise if the rows of a batch are not finite, or too long or short for float64."""
        try:
            inputs.check_length(square, batch.X, self.blocks.names)
        except ValueError as error:
            raise InputError(f"{batch.path}, counting from row {batch.first + 1} of all: {error}") from error

    def targets(self, labels: np.ndarray) -> Targets:
        """What is to be learnt of rows of these class numbers."""
        return Targets(read_only(labels), self.weights if len(self.weights) == 1 else self.weights[labels])


def streamed_set(stream: Stream) -> TrainingSet:
    """The training set that a stream is: of its rows only the shape is there, and its row order is one of blocks."""
    shape = np.broadcast_to(np.float64(0), (max(1, stream.n_rows), stream.width))
    blocks = np.arange(len(stream.blocks), dtype=np.uint32)
    no_labels = np.empty(0, np.int32)
    return TrainingSet(shape, stream.blocks.names, stream.labels.classes, no_labels, stream.weights, blocks)


def stream_problems(
    stream: Stream,
    training_set: TrainingSet,
    bias: float,
    start: np.ndarray | None,
    rule: Rule,
    joint: bool,
    jobs: int,
    passes: int,
) -> list[LinearProblems]:
    """All problems of a stream in one group, so that the rows are read once for all of them."""
    vectors = 1 if len(training_set.classes) == 2 else len(training_set.classes)
    if start is None:
        start = np.zeros((vectors, stream.width + 1))
    common = stream, bias, start, rule
    if joint and vectors > 1:
        return [StreamedJoint(*common)]
    return [StreamedOneVsRest(*common, 1 if vectors == 1 else 0)]


class Streamed(LinearProblems):
    """Problems whose rows come in batches: a sweep takes one after the other."""

    def __init__(self, stream: Stream, bias: float, start: np.ndarray, rule: Rule, *more: Any) -> None:
        """Take the rows from the stream; of not too many, count how often each is updated on."""
        X, targets = stream.sample.X, stream.targets(stream.sample.labels)
        super().__init__(X, of_matrix(X, bias), targets, 0.0, start, rule, *more)
        self.stream, vectors = stream, len(self.update_counts)
        few = stream.n_rows * vectors <= LARGEST_COUNTED
        self.update_counts = np.zeros((vectors, stream.n_rows if few else 0), dtype=np.int32)
        self.counted = self.update_counts.size > 0
        self.labels = np.zeros(self.update_counts.shape[1], dtype=np.int32)
        self.extent = np.zeros(1)  # the radius, once all rows were measured

    def state(self) -> list[np.ndarray]:
        return [*super().state(), self.extent, self.labels]

    def restore(self, state: list[np.ndarray]) -> None:
        super().restore(state)
        self.set_radius(float(self.extent[0]))
        self.targets = self.stream.targets(self.labels)

    def batches(self, blocks: np.ndarray) -> Iterator[tuple[Batch, Rows, np.ndarray, np.ndarray]]:
        """The batches of some blocks, their rows, the order of those that count, and counts for their updates.

        The longest row is found too.
        """
        for batch in self.stream.batches(blocks):
            rows, order = of_matrix(batch.X, self.rows.bias), np.arange(len(batch.labels), dtype=np.uint32)
            if not self.stream.all_count:
                order = rows_that_count(batch.labels, self.stream.weights)
            if not self.extent[0]:
                square = longest(rows)
                if not 1 / inputs.LARGEST_SQUARE <= max(square, self.radius**2) <= inputs.LARGEST_SQUARE:
                    self.stream.check_length(max(square, self.radius**2), batch)
                if len(order) < len(batch.labels):
                    square = longest(of_matrix(batch.X[order], self.rows.bias))
                self.set_radius(max(self.radius, float(np.sqrt(square))))
            counts = np.zeros((len(self.update_counts), len(batch.labels)), dtype=np.int32)
            yield batch, rows, order, counts
            if self.counted:
                some = slice(batch.first, batch.first + len(batch.labels))
                self.update_counts[:, some] += counts
                self.labels[some] = batch.labels
        if self.counted:
            self.targets = self.stream.targets(self.labels)

    def sweep(self, row_order: np.ndarray, active: list[int]) -> None:
        if self.rule.needs_norm:
            self.begin()
        totals, lowest, shuffles = np.zeros((self.size, 2)), np.full(self.size, np.inf), self.plan.order != "cyclic"
        for batch, rows, order, counts in self.batches(row_order):
            if shuffles:  # the order of a batch is drawn by the number of rows visited before
                seed = (self.plan.seed << 32) + int(self.ledger[:, VISITS].max())
                order = shuffled(order, seed)
            sweep = self.whole()._replace(rows=rows, targets=self.stream.targets(batch.labels), update_counts=counts)
            self.pass_over(sweep, order, active, None, True)
            self.unmeasured = True
            totals += self.ledger[:, [MISTAKES, PASS_UPDATES]]
            lowest = np.minimum(lowest, self.ledger[:, LOWEST])
        self.ledger[:, [MISTAKES, PASS_UPDATES]], self.ledger[:, LOWEST] = totals, lowest
        self.extent[0] = self.radius

    def look(self, row_order: np.ndarray, some: list[int], W: np.ndarray | None = None) -> np.ndarray:
        errors, lowest = np.zeros(self.size), np.full(self.size, np.inf)
        for batch, rows, order, counts in self.batches(row_order):
            ledger, targets = np.zeros_like(self.ledger), self.stream.targets(batch.labels)
            own = self.whole()._replace(rows=rows, targets=targets, update_counts=counts, ledger=ledger)
            self.pass_over(own, order, some, W, False)
            errors += ledger[:, MISTAKES]
            lowest = np.minimum(lowest, ledger[:, LOWEST])
        self.extent[0] = self.radius
        return np.column_stack([errors, lowest])

    def correct_exactly(self, doubtful: list[int], row_order: np.ndarray) -> list[int]:
        wrong = []
        for c in doubtful:
            updated = False
            for batch, rows, order, counts in self.batches(row_order):
                targets = self.stream.targets(batch.labels)
                sweep = self.whole()._replace(rows=rows, targets=targets, update_counts=counts)
                if self.correct_rows(c, sweep, batch.X, order):
                    self.unmeasured = updated = True
            wrong += [c] if updated else []
        return wrong

    def sums_to_zero(self, c: int, update_counts: np.ndarray) -> bool:
        coefficients = self.coefficients(c, update_counts)
        places = np.flatnonzero(coefficients.any(axis=0))
        if len(places) * self.stream.width > GATHERED:
            return False
        parts = []
        for batch in self.stream.batches(self.plan.row_order):
            inside = (places >= batch.first) & (places < batch.first + len(batch.labels))
            parts.append(batch.X[places[inside] - batch.first])
        gathered = sp.vstack(parts, format="csr") if sp.issparse(parts[0]) else np.concatenate(parts)
        return vanishes(coefficients[:, places], gathered, self.rows.bias)


class StreamedOneVsRest(Streamed, OneVsRest):
    """Each class against the rest, in batches."""


class StreamedJoint(Streamed, Joint):
    """All classes against each other, in batches."""
