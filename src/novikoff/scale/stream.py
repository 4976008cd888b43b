"""Learning from files larger than memory: every pass reads them anew, and ends as it would in memory.

The rows come in lots of a few megabytes, one of which is read while another is learnt from.  The rules, the loop of
passes and all that it proves are those of the learners; only the rows are not all there at once.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp
from sklearn.pipeline import Pipeline
from sklearn.utils import compute_class_weight
from sklearn.utils.validation import validate_data

from .. import inputs
from ..data.frames import Columns
from ..data.labels import class_of
from ..data.open_files import Reading
from ..errors import InputError, check_columns
from ..exact.floats import vanishes
from ..learners.base import LinearLearner
from ..passes.linear import Targets, longest
from ..passes.orders import SMALL, shuffled
from ..passes.rules import FIRED, LOWEST, MISTAKES, VISITS
from ..registry import LEARNERS, entry_of
from ..training import dataset
from ..training import outcomes as verdicts
from ..training.checkpoint import Checkpoint, checkpointing
from ..training.problems import LARGEST_COUNTED, Joint, OneVsRest, Problems
from ..training.run import Plan
from .batches import Batch, Spool
from .blocks import Blocks, LabelCounts, blocks_of
from .incremental import fit_preparation

NO_LOOK = 2**28
"""Bytes of files up to which the labels are always looked at first, to know how many rows there are."""
GATHERED = 2**22
"""Numbers of the rows that a proof is made of, which are read into memory for it."""
Watch = Callable[[int, int], None]
"""Told after every lot: rows read in this pass, and the rows of a pass (0 if not known)."""


def fit_stream(
    learner: Any,
    source: Any,
    target: str | None = None,
    *,
    passes: int | None = None,
    classes: Any = None,
    columns: Iterable[str] | None = None,
    missing: str = "refuse",
    reading: Reading | None = None,
    cache: Any = None,
    checkpoint: Any = None,
    checkpoint_every: float = 60.0,
    watch: Watch | None = None,
) -> Any:
    """Learn from files that need not fit into memory.

    In cyclic order the model is the one that ``learner.fit`` makes of all rows in memory, to the bit.  In shuffled
    order the blocks of the files (row groups, record batches, stretches of lines) come in random order, and the rows of
    a lot in random order within.  "separated" means what it does in memory: a full pass without a mistake.

    Parameters
    ----------
    learner : a Perceptron, MarginPerceptron, AveragedPerceptron or PassiveAggressiveClassifier; or a Pipeline that ends
        with one and begins with steps that learn row by row (with ``partial_fit``, or OneHotEncoder), or not at all
        (HashingVectorizer), also in a ColumnTransformer: they are given frames of the columns
    source : a file, a folder, a pattern such as "data/*.parquet", or a list of these: Parquet, Feather, CSV or libsvm
    target : the column with the classes; libsvm files have none
    passes : the most passes; by default the learner's max_iter
    classes : all labels; by default they are found in a first pass over the target
    columns : the columns to learn from; by default all others, which must hold numbers unless there is a pipeline
    missing : "refuse"; "drop" to leave out rows without a label or a value; or "impute", rows without a label only, as
        the pipeline fills values in
    reading : how text files are written, where it cannot be found by looking
    cache : a folder with room for all rows as numbers: the first pass writes them there, the later ones read them from
        there, which is many times faster than to read, convert and prepare them anew; nothing is left behind
    checkpoint, checkpoint_every : a file to save the state of the run in after a pass, and to go on from; and the
        seconds between two savings
    watch : called with the rows read in this pass so far and in all

    Returns
    -------
    The learner, fitted.
    """
    model = learner[-1] if isinstance(learner, Pipeline) else learner
    check_streams(model)
    if passes is not None and passes < 1:
        raise InputError(f"passes must be at least 1, not {passes}.")
    blocks = chosen(blocks_of(source, target, reading, missing=missing), columns)
    survey = surveyed(blocks, classes)
    blocks = replace(blocks, width=survey.width)
    if isinstance(learner, Pipeline):
        blocks, _ = fit_preparation(blocks, learner[:-1])
        learner.steps[:-1] = blocks.prepare.steps
    else:
        check_all_numbers(blocks)
    if checkpoint is None:
        learn(model, blocks, survey, passes, cache, watch)
        return learner
    with checkpointing(Checkpoint(Path(checkpoint), checkpoint_every, task_of(model, blocks))):
        learn(model, blocks, survey, passes, cache, watch)
    Path(checkpoint).unlink(missing_ok=True)
    return learner


def task_of(model: LinearLearner, blocks: Blocks) -> str:
    """What tells one fit from another: the learner, and the files as they are."""
    what = model.get_params(), [(file.path, file.stamp) for file in blocks.files], blocks.target, blocks.columns
    return f"{type(model).__name__} {what} {blocks.fraction}"


def learn(
    model: LinearLearner, blocks: Blocks, survey: LabelCounts, passes: int | None, cache: Any, watch: Watch | None
) -> None:
    """Fit a learner to blocks."""
    model._validate_params()
    go_on = model.warm_start and hasattr(model, "classes_")
    with closing(Stream(blocks, survey, weights_of(model, survey), cache, watch)) as stream:
        names = blocks.names
        frame = np.empty((1, stream.width)) if names is None else pa.table({name: [] for name in names})
        if go_on:
            validate_data(model, frame, skip_check_array=True, reset=False)
            inputs.check_same_classes(survey.classes, model.classes_)
        training_set = lesson_of(stream)
        groups, outcomes = model._taught(training_set, go_on, passes or model.max_iter, 0, fitting=False)
    validate_data(model, frame, skip_check_array=True, reset=not go_on)
    model._set_learnt(groups, outcomes, training_set, go_on)
    verdicts.warn(model, outcomes)


def check_streams(model: Any) -> None:
    """Raise unless its passes can take rows as they come."""
    entry = entry_of(model)
    if entry is None or not entry.streams:
        names = [entry.name for entry in LEARNERS if entry.streams]
        raise InputError(
            f"{type(model).__name__} needs all rows at once, so it cannot learn from a stream: choose "
            f"{', '.join(names[:-1])} or {names[-1]}."
        )
    if model.order == "active":
        raise InputError("order='active' goes back to single rows, which a stream cannot: choose 'shuffled'.")
    if model.early_stopping:
        raise InputError("early_stopping sets rows apart, which a stream does not: set passes instead.")


def check_all_numbers(blocks: Blocks) -> None:
    """Raise unless all columns hold numbers."""
    for name, kind in (blocks.columns.kinds if blocks.columns else {}).items():
        if kind != "number":
            raise InputError(
                f"Column {name!r} of {blocks.files[0].path} holds no numbers ({kind}): leave it out with "
                "columns=, or put a step before the learner that encodes it, such as HashingVectorizer for text."
            )


def chosen(blocks: Blocks, columns: Iterable[str] | None) -> Blocks:
    """The blocks with these columns only."""
    if columns is None or blocks.columns is None:
        return blocks
    columns = [columns] if isinstance(columns, str) else list(columns)
    check_columns(blocks.columns.kinds, columns, blocks.files[0].path)
    return replace(blocks, columns=Columns({name: blocks.columns.kinds[name] for name in columns}))


def surveyed(blocks: Blocks, classes: Any) -> LabelCounts:
    """What is known of the rows before the first pass; of large tables whose classes are given, nothing more."""
    if classes is None:
        return blocks.label_counts()
    known = np.unique(classes)
    if len(known) < 2:
        raise InputError(f"There must be at least two classes, but classes={known.tolist()}.")
    if blocks.columns is not None and sum(os.path.getsize(file.path) for file in blocks.files) > NO_LOOK:
        return LabelCounts(known, np.zeros(len(known), dtype=int), (), 0)
    found = blocks.label_counts()
    counts = dict(zip(map(str, found.classes.tolist()), found.counts.tolist(), strict=True))
    labels = [str(class_of(label, whole=False)) for label in known.tolist()]
    if strange := sorted(set(counts) - set(labels)):
        raise InputError(f"{blocks.files[0].path} has the label {strange[0]!r}, not in classes={known.tolist()}.")
    return replace(found, classes=known, counts=np.array([counts.get(label, 0) for label in labels]))


def weights_of(model: LinearLearner, survey: LabelCounts) -> np.ndarray:
    """The step of the rows of every class, or one for all."""
    if model.class_weight is None:
        return np.ones(1)
    if isinstance(model.class_weight, str):
        if not survey.counts.any():
            raise InputError("class_weight='balanced' needs the numbers of rows of every class: leave classes away.")
        return survey.counts.sum() / (len(survey.counts) * np.maximum(survey.counts, 1))
    weights = compute_class_weight(model.class_weight, classes=survey.classes, y=survey.classes)
    if not ((weights > 0) & (weights <= dataset.LARGEST_WEIGHT)).all():
        raise InputError(f"class_weight must be positive for all classes, got {model.class_weight!r}.")
    return weights


class Stream:
    """The rows of blocks in lots, in an order of the blocks."""

    def __init__(
        self, blocks: Blocks, survey: LabelCounts, weights: np.ndarray, cache: Any = None, watch: Watch | None = None
    ) -> None:
        self.spool = None if cache is None else Spool(cache)
        self.blocks, self.survey, self.weights, self.watch = blocks, survey, weights, watch
        self.rows = sum(survey.rows)
        self.starts = np.cumsum((0, *survey.rows))
        self.sample = next(self.read(range(len(blocks))))
        self.width = self.sample.X.shape[1]

    def close(self) -> None:
        """Give back the room of the cache."""
        if self.spool is not None:
            self.spool.file.close()

    def read(self, order: Iterable[int]) -> Iterator[Batch]:
        """The lots of blocks in this order."""
        for k in map(int, order):
            if self.spool is None:
                yield from self.block(k)
            else:
                yield from self.spool.read(k, self.block)

    def block(self, k: int) -> Iterator[Batch]:
        """The lots of block k from its file."""
        first, path = int(self.starts[k]) if self.rows else 0, self.blocks.places[k][0].path
        for X, labels in self.blocks.rows(k, self.survey.classes):
            yield Batch(inputs.canonical(X) if sp.issparse(X) else X, labels, first, path)
            first += len(labels)

    def lots(self, order: Iterable[int]) -> Iterator[Batch]:
        """The same, the next of them read while one is worked on."""
        done = 0
        for lot in ahead(self.read(order)):
            yield lot
            done += len(lot.labels)
            if self.watch:
                self.watch(done, self.rows)

    def check_length(self, square: float, lot: Batch) -> None:
        """Raise if the rows of a lot are not finite, or too long or short for float64."""
        try:
            inputs.check_length(square, lot.X, self.blocks.names)
        except ValueError as error:
            raise InputError(f"{lot.path}, counting from its row {lot.first}: {error}") from error

    def targets(self, labels: np.ndarray) -> Targets:
        return Targets(labels, self.weights if len(self.weights) == 1 else self.weights[labels])


def ahead(lots: Iterator[Batch]) -> Iterator[Batch]:
    """The same lots; while one is used, the next is read in a thread."""
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, lots, None)
        while (lot := coming.result()) is not None:
            coming = pool.submit(next, lots, None)
            yield lot


@dataclass(frozen=True)
class StreamedSet(dataset.TrainingSet):
    """A lesson whose rows come in lots; what it visits are blocks."""

    stream: Stream

    def posed(self, bias: float, start: np.ndarray, rule: Any, joint: bool, jobs: int) -> list[Problems]:
        """All problems in one group, so that the rows are read once for all of them."""
        stream = self.stream
        rows, targets = dataset.readable(stream.sample.X, bias), stream.targets(stream.sample.labels)
        if joint and len(start) > 1:
            return [StreamedJoint(rows, targets, 0.0, start, rule).streaming(stream)]
        first = 1 if len(start) == 1 else 0
        return [StreamedOneVsRest(rows, targets, 0.0, first, start, rule).streaming(stream)]


def lesson_of(stream: Stream) -> StreamedSet:
    """The lesson that a stream teaches; of its rows only the shape is there."""
    shape = np.broadcast_to(np.float64(0), (max(1, stream.rows), stream.width))
    blocks = np.arange(len(stream.blocks), dtype=np.uint32)
    classes, nothing = stream.survey.classes, np.empty(0, np.int32)
    return StreamedSet(shape, stream.blocks.names, classes, nothing, stream.weights, blocks, stream)


class Streamed(Problems):
    """Problems whose rows come in lots: a sweep takes one after the other."""

    stream: Stream
    plan: Plan

    def streaming(self, stream: Stream) -> "Streamed":
        """Take the rows from here; of not too many, count how often each is updated."""
        self.stream, lines = stream, len(self.tally)
        few = stream.rows * lines <= LARGEST_COUNTED
        self.total = np.zeros((lines, stream.rows if few else 0), dtype=np.int32)
        self.labels = np.zeros(self.total.shape[1], dtype=np.int32)
        self.extent = np.zeros(1)  # the radius, once all rows were measured
        return self

    @property
    def history(self) -> np.ndarray:
        return self.total

    @property
    def counted(self) -> bool:
        return self.total.size > 0

    def state(self) -> list[np.ndarray]:
        return [*super().state(), self.extent, self.labels]

    def restore(self, state: list[np.ndarray]) -> None:
        super().restore(state)
        self.radius = float(self.extent[0])

    def configure(self, plan: Plan) -> None:
        self.plan = plan

    def lots(self, row_order: np.ndarray) -> Iterator[Batch]:
        """Lots of some blocks, each made the rows of these problems while it is worked on."""
        for lot in self.stream.lots(row_order):
            self.rows = dataset.readable(lot.X, self.rows.bias)
            self.targets = self.stream.targets(lot.labels)
            self.tally = np.zeros((len(self.tally), len(lot.labels)), dtype=np.int32)
            if not self.extent[0]:
                square = longest(self.rows)
                self.stream.check_length(max(square, self.radius**2), lot)
                self.radius = max(self.radius, float(np.sqrt(square)))
            yield lot
            if self.counted:
                self.total[:, lot.span] += self.tally
                self.labels[lot.span] = lot.labels
        if self.counted:
            self.targets = self.stream.targets(self.labels)

    def sweep(self, row_order: np.ndarray, active: list[int], learn: bool = True) -> None:
        sums, lowest = np.zeros((self.size, 2)), np.full(self.size, np.inf)
        self.begun = False
        for lot in self.lots(row_order):
            super().sweep(self.within(lot, learn), active, learn)  # type: ignore[safe-super]
            sums += self.ledger[:, [MISTAKES, FIRED]]
            lowest = np.minimum(lowest, self.ledger[:, LOWEST])
            self.begun = True
        self.ledger[:, [MISTAKES, FIRED]], self.ledger[:, LOWEST] = sums, lowest
        self.extent[0] = self.radius

    def within(self, lot: Batch, learn: bool) -> np.ndarray:
        """The order of the rows of a lot, drawn anew for each by the number of rows visited before."""
        row_order = np.arange(len(lot.labels), dtype=np.uint32)
        if self.plan.order == "cyclic" or not learn:
            self.interleaved = False
            return row_order
        self.interleaved = len(row_order) > SMALL
        return shuffled(row_order, (self.plan.seed << 32) + int(self.ledger[:, VISITS].max()), self.plan.features)

    def measure(self) -> None:
        """Lengths that the rules go on with are measured where a sweep begins, as in memory."""
        if not self.begun:
            super().measure()

    def correct_exactly(self, c: int, X: Any, row_order: np.ndarray) -> bool:
        mended = False
        for lot in self.lots(row_order):
            rows = np.arange(len(lot.labels), dtype=np.uint32)
            mended |= super().correct_exactly(c, lot.X, rows)  # type: ignore[safe-super]
        return mended

    def vanish(self, c: int, counts: np.ndarray, X: Any) -> bool:
        coefficients = self.coefficients(c, counts)
        places = np.flatnonzero(coefficients.any(axis=0))
        if len(places) * self.stream.width > GATHERED:
            return False
        found = [lot.X[places[inside(places, lot)] - lot.first] for lot in self.stream.lots(self.plan.row_order)]
        gathered = sp.vstack(found, format="csr") if sp.issparse(found[0]) else np.concatenate(found)
        return vanishes(coefficients[:, places], gathered, self.rows.bias)


def inside(places: np.ndarray, lot: Batch) -> np.ndarray:
    """Which of the rows at these places are in a lot."""
    return (places >= lot.span.start) & (places < lot.span.stop)


class StreamedOneVsRest(Streamed, OneVsRest):
    """Each class against the rest, in lots."""


class StreamedJoint(Streamed, Joint):
    """All classes against each other, in lots."""
