"""Engines for data that is not read into memory: each step is a pass over the files, here or on a cluster."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.pipeline import Pipeline
from threadpoolctl import threadpool_limits

from ..data.column_notes import column_notes
from ..data.frames import Columns
from ..errors import InputError, comma_list, plural
from ..registry import DEFAULT_CLUSTER_MODEL, LEARNERS, by_short_name
from ..scale.batches import KeptFile
from ..scale.block_files import CompressedFile
from ..scale.blocks import Blocks, LabelCounts
from ..scale.incremental import fit_preparation
from ..scale.stream import check_streams, learn, stream_fit_id
from ..training.checkpoint import Checkpoint, checkpointing
from .begun_reading import open_blocks, read_stream
from .decision import SeparationAnswer, SeparationDecision, decide, deciding_command, question
from .engines import HELD_OUT, FitEngine, make_recipe
from .fit_request import FitRequest
from .labelled_rows import DataSummary
from .measures import HeldOutRows, describe_confusion
from .memory_engine import scores_of
from .model_choice import PLANES, choose
from .pipelines import configure, make_learner, make_preparation
from .sentences import reason_of
from .wording import word

SAMPLE = 10**6
"""Numbers of the rows on which learners are compared, and of those that are looked at first."""
MOST_BLOCKS = 16
"""Blocks out of which they are taken."""
MOST_SCORED = 2 * 10**6
"""Scores that are kept of the rows tested, for the area under the ROC curve and for probabilities."""
NUMBERS_IN_PASSES = 2**25
"""Numbers of a stream up to which it is asked in passes whether the classes separate: a pass takes seconds."""


class StreamEngine(FitEngine):
    """The files are read again in every pass."""

    stages = "look", "prepare", "learn", "measure", "separation"
    learner: Any
    blocks: Blocks
    train: Blocks
    test: Blocks
    label_counts: LabelCounts
    n_train: int

    def make_learner(self) -> None:
        """Make the learner, or say that it cannot be had here, before anything is read."""
        self.learner = make_learner(self.name, self.request.settings)
        if self.request.class_weight:
            self.learner.set_params(class_weight=self.request.class_weight)
        check_streams(self.learner)

    def read(self) -> None:
        self.make_learner()
        self.say(f"Looking at the classes of {self.request.name}")
        self.blocks, self.spool, self.label_counts = self.begun() if self.begun else read_stream(self.request)
        self.train, self.test, self.how = split_blocks(self.blocks, self.request)
        width = self.label_counts.width
        self.train, self.test = replace(self.train, width=width), replace(self.test, width=width)

    def prepare(self) -> None:
        self.say(f"Preparing the columns of {self.request.name}")
        steps = make_preparation(self.blocks.columns, self.request.missing == "impute", streaming=True)
        self.train, self.n_train = fit_preparation(self.train, steps)
        self.test = replace(self.test, prepare=self.train.prepare)
        if not self.request.model and not self.request.settings:
            self.choose()
        self.pipeline = Pipeline([("prepare", self.train.prepare), ("learn", self.learner)])
        self.recipe = make_recipe(self.request, self.blocks.columns, self.blocks.target, self.train.width)

    def choose(self) -> None:
        """Take the learner that is the best on some of the rows; those that need all rows in memory are none."""
        X, numbers = some_rows(self.train, self.label_counts, SAMPLE)
        if len(np.unique(numbers)) < 2:
            return
        weights = {"class_weight": self.request.class_weight} if self.request.class_weight else {}
        self.choice = choose(list(PLANES), X, numbers, weights)
        self.name = self.choice.best.name
        self.learner = self.choice.best.learner(weights)
        self.reason = reason_of(self.choice)

    def learn(self) -> None:
        request = self.request
        fit_id = stream_fit_id(self.learner, self.train)
        with checkpointing(Checkpoint(request.checkpoint, request.checkpoint_every, fit_id)) as checkpoint:

            def watch(done: int, rows: int) -> None:
                number = 1 + max((len(group.mistakes) for group in checkpoint.groups.values()), default=0)
                self.say(f"Learning from {request.name}: pass {number}, {done:,} of at most {rows:,} rows")

            learn(self.learner, self.train, self.label_counts, None, self.spool, watch)
        self.mistakes = [group.mistakes for group in checkpoint.groups.values()]

    def measure(self) -> None:
        self.say("Measuring")
        classes = self.label_counts.classes
        confusion, scored = test_rows(self.pipeline[-1], self.test, classes, sum(self.label_counts.rows))
        if not confusion.any():
            raise InputError(
                f"No row of {self.request.name} was left to measure on: leave out --stream, or say --test."
            )
        with threadpool_limits(1):  # threads would wait for each other longer than the work takes
            self.quality = describe_confusion(self.how, [str(label) for label in classes], confusion, scored)
            self.calibration = scored.calibration()
        self.sample = first_frame(self.test)
        used = self.n_train + (0 if self.request.evaluation.file else int(confusion.sum()))
        self.data = describe_blocks(self.request.data, self.blocks, self.label_counts, used)
        self.data.notes.extend(first_notes(self.blocks))

    def decide(self, seconds: float) -> None:
        start = time.monotonic()
        plain = replace(self.blocks, prepare=None, width=self.label_counts.width)
        kinds = (self.blocks.columns or Columns({})).kinds
        questions: list[SeparationAnswer] = []
        rows = 0
        if self.request.missing == "refuse" and not {"category", "text"} & set(kinds.values()):
            self.say(f"Do the classes separate? At most {seconds:.0f} s")
            X, numbers = some_rows(plain, self.label_counts, SAMPLE)
            questions, rows = decide(X, self.label_counts.classes[numbers], False, seconds / 2), len(numbers)
            left = seconds - (time.monotonic() - start)
            if left > 0 and any(each.verdict == "unknown" for each in questions):
                questions, rows = self.decide_in_passes(plain, questions, left), sum(self.label_counts.rows)
        open_ = not questions or any(each.verdict == "unknown" for each in questions)
        command = deciding_command(self.request, kinds) if open_ else None
        self.separation = SeparationDecision(questions, rows, round(time.monotonic() - start, 3), command)

    def decide_in_passes(
        self, plain: Blocks, questions: list[SeparationAnswer], seconds: float
    ) -> list[SeparationAnswer]:
        """The answers by all rows, read in passes, where the time allows a pass; of two classes."""
        from ..proofs.certify import certify
        from ..scale.exact_sources import FileSource

        counts = self.label_counts
        width = counts.width or len(self.recipe.kinds or ())
        if len(questions) > 1 or sum(counts.rows) * width > NUMBERS_IN_PASSES:
            return questions
        source = FileSource(counts.classes, counts.counts, width, plain.names, False, plain)
        found = certify(source, None, time_limit=seconds)
        return [question(questions[0].classes, found)]


class ClusterEngine(StreamEngine):
    """The workers of a cluster learn; the model is then one that needs no Dask."""

    default_model = DEFAULT_CLUSTER_MODEL

    def make_learner(self) -> None:
        request = self.request
        self.reason = ", ".join([self.reason, word("reason cluster", address=request.cluster)])
        entry = by_short_name(self.name)
        if entry is None or entry.cluster is None:
            names = sorted(entry.short_name for entry in LEARNERS if entry.cluster)
            raise InputError(f"On a cluster the models are {comma_list(names)}, not {self.name}.")
        if request.checkpoint or request.cache:
            raise InputError(
                "--checkpoint and --cache are for a fit in one process: a cluster keeps rows in its memory."
            )
        try:
            from ..scale import dask
        except ImportError as error:
            raise InputError(str(error)) from error
        self.learner = make_learner(self.name)
        self.mixed = configure(getattr(dask, entry.cluster)(), request.settings)
        if request.class_weight:
            self.mixed.set_params(class_weight=request.class_weight)

    def choose(self) -> None:
        """The learner is the one that a cluster has."""

    def learn(self) -> None:
        """Fit on the cluster, and take over what was learnt."""
        self.say(f"Learning from {self.request.name} on the cluster {self.request.cluster}")
        with connect(self.request.cluster):
            self.mixed.fit(self.train, classes=self.label_counts.classes)
        shared = self.learner.get_params().keys() & self.mixed.get_params().keys()
        self.learner.set_params(**{key: value for key, value in self.mixed.get_params().items() if key in shared})
        learnt = {name: value for name, value in vars(self.mixed).items() if name.endswith("_") or name == "_resume"}
        vars(self.learner).update(learnt, n_updates_=self.mixed.weighted_updates_)
        self.notes.append(
            "Updates are those of the shards, with the weights of the mixing, which is the number that is bounded; "
            f"all shards together made {int(np.sum(self.mixed.n_updates_)):,}."
        )


@contextmanager
def connect(address: str | None) -> Iterator[None]:
    """The cluster at an address, or one of a worker per core on this machine."""
    from distributed import Client, LocalCluster

    if address == "local":
        with LocalCluster(threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster):
            yield
        return
    try:
        client = Client(address, timeout=10, set_as_default=False)  # one that never answered stays nobody's default
    except (OSError, ValueError, MemoryError) as error:  # what else answers may seem to announce a message of exabytes
        raise InputError(f"No cluster answers at {address}: say local, or where its scheduler is.") from error
    with client, client.as_current():
        yield


def split_blocks(blocks: Blocks, request: FitRequest) -> tuple[Blocks, Blocks, str]:
    """The rows to train on, those to test on, and how they were chosen."""
    asked = request.evaluation
    if asked.file:
        return blocks, open_blocks(asked.file, request), word("how file", file=asked.file)
    size = asked.size or HELD_OUT
    how = word("how part", part=f"{size:.0%}")
    return replace(blocks, fraction=-size), replace(blocks, fraction=size), how


def test_rows(learner: Any, test: Blocks, classes: np.ndarray, most: int) -> tuple[np.ndarray, HeldOutRows]:
    """How often rows of every class were taken for each; and some of the rows with their scores."""
    confusion = np.zeros((len(classes), len(classes)), dtype=np.int64)
    random, part = np.random.default_rng(0), min(1.0, MOST_SCORED / (most * len(classes)))
    scored = [HeldOutRows(classes, *(np.empty(0, dtype=int),) * 2, None, np.empty(0, dtype=int))]
    for k in range(len(test)):
        for X, labels in test.rows(k, classes):
            predicted = np.searchsorted(classes, learner.predict(X))
            np.add.at(confusion, (labels, predicted), 1)
            kept = np.flatnonzero(random.random(len(labels)) < part)
            if len(kept):
                scores = scores_of(learner, X[kept])
                scored.append(
                    HeldOutRows(classes, labels[kept], predicted[kept], scores, np.zeros(len(kept), dtype=int))
                )
    return confusion, HeldOutRows.join(scored[1:] or scored)


def some_rows(blocks: Blocks, counts: LabelCounts, numbers: int) -> tuple[Any, np.ndarray]:
    """About so many numbers out of blocks all over the files: rows, and the number of each one's class."""
    chosen = np.unique(np.linspace(0, len(blocks) - 1, min(len(blocks), MOST_BLOCKS)).astype(int)).tolist()
    total, found, taken = sum(counts.rows[k] for k in chosen), [], 0
    for k in chosen:
        for X, labels in blocks.rows(k, counts.classes):
            size = (X.nnz if sp.issparse(X) else X.size) / max(len(labels), 1)
            step = max(1, int(total * size / numbers))
            found.append((X[::step], labels[::step]))
            taken += found[-1][0].nnz if sp.issparse(X) else found[-1][0].size
            if taken > 2 * numbers:
                break
    rows = [X for X, _ in found]
    joined = sp.vstack(rows, format="csr") if any(map(sp.issparse, rows)) else np.vstack(rows)
    return joined, np.concatenate([labels for _, labels in found])


def first_frame(blocks: Blocks) -> Any:
    """The first rows as a frame; None of libsvm files."""
    if blocks.columns is not None:
        for k in range(len(blocks)):
            for table, labels, _, _ in blocks.frames(k):
                if len(labels):
                    return blocks.frame(table)
    return None


def first_notes(blocks: Blocks) -> list[str]:
    """What is to be looked at in the first rows; nothing of libsvm files."""
    if blocks.columns is not None:
        for table, labels, _, _ in blocks.frames(0):
            if len(labels):
                where = f" in the first {len(labels):,} rows"
                return column_notes(blocks.frame(table), np.array(labels.to_pylist()), blocks.columns.used, where)
    return []


def describe_blocks(name: str, blocks: Blocks, label_counts: LabelCounts, used: int) -> DataSummary:
    """The rows of files in words and numbers."""
    kept = [file for file in blocks.files if isinstance(file, KeptFile)]
    compressed = any(isinstance(file, CompressedFile) for file in blocks.files)
    count = "read from the beginning in every pass" if compressed else plural(len(blocks), "block")
    if kept:
        count += f", kept in {kept[0].spool.folder} meanwhile"
    return DataSummary(
        file=name,
        format=f"{plural(len(blocks.files), 'file')} not read into memory, {count}",
        rows=used,
        rows_left_out=sum(label_counts.rows) - used,
        width=label_counts.width if blocks.columns is None else len(blocks.columns.kinds),
        columns=(blocks.columns or Columns({})).kinds,
        notes=list((blocks.columns or Columns({})).notes),
        missing={},
        target=blocks.target,
        classes={str(label): int(n) for label, n in zip(label_counts.classes, label_counts.counts, strict=True)},
    )
