"""``novikoff fit`` for data that is not read into memory: the same steps, each a pass over the files."""

import glob
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from ..data.frames import Columns
from ..data.open_files import COMPRESSIONS
from ..errors import InputError, plural
from ..scale.block_files import CompressedFile
from ..scale.blocks import Blocks, LabelCounts, blocks_of
from ..scale.incremental import fit_preparation
from ..scale.stream import check_streams, learn, task_of
from ..training.checkpoint import Diary, followed
from . import fit as fitting
from . import pipelines
from .fit import Clock, Order

HELD_OUT = 0.2
"""The part of the rows that is tested on, if nothing else is asked for."""
UNPACKED = 4
"""How many times larger than its file packed data is taken to be."""
Say = Callable[[str], None]


def is_large(data: str) -> bool:
    """Whether data is to be streamed unasked: a folder, a pattern, or a file above a quarter of the free memory."""
    if data == "-" or not os.path.exists(data):
        return data != "-" and glob.has_magic(data)
    if os.path.isdir(data):
        return True
    with open(data, "rb") as file:
        packed = file.read(8).startswith(tuple(COMPRESSIONS))
    return os.path.getsize(data) * (UNPACKED if packed else 1) > free_memory() / 4


def free_memory() -> float:
    """Bytes that can be had without swapping, where the system tells."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            lines = dict(line.split(":") for line in file)
        return 1024 * float(lines["MemAvailable"].split()[0])
    except (OSError, KeyError):
        try:
            return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
        except (ValueError, OSError, AttributeError):
            return float("inf")


def fit(order: Order, say: Say) -> dict[str, Any]:
    """Do it all and tell it."""
    clock = Clock()
    engine = Together(order, say) if order.cluster else Alone(order, say)
    blocks = opened(order.data, order)
    train, test, how = split(blocks, order)
    say(f"Looking at the classes of {order.data}")
    survey = blocks.label_counts()
    train, test = (replace(part, width=survey.width) for part in (train, test))
    clock.stop("look")
    say(f"Preparing the columns of {order.data}")
    prepare = pipelines.preparation(blocks.columns, order.missing == "impute", streaming=True)
    train, rows = fit_preparation(train, prepare)
    clock.stop("prepare")
    notes = pipelines.quiet(lambda: engine.learn(train, survey))
    clock.stop("learn")
    say("Measuring")
    pipeline = pipelines.pipeline(train.prepare, engine.model)
    confusion = measured(pipeline, replace(test, prepare=train.prepare), survey)
    clock.stop("measure")
    used = rows + (0 if order.split.file else int(confusion.sum()))
    told = {
        "data": about_data(blocks, survey, used, order),
        "notes": notes + engine.notes,
        "model": fitting.about_model(pipelines.Choice(engine.name, engine.reason), engine.model),
        "learned": fitting.about_learning(engine.model) | {"mistakes_by_pass": engine.mistakes},
        "separability": fitting.about_learning(engine.model),
        "quality": fitting.quality_of(how, [str(label) for label in survey.classes], confusion),
        "weights": fitting.weights(pipeline, sample(test)),
        "seconds": clock.seconds,
    }
    recipe = fitting.recipe_of(blocks.columns, blocks.target, train.width, order)
    return fitting.written(order, pipeline, recipe, told)


class Alone:
    """Learning in this process."""

    def __init__(self, order: Order, say: Say) -> None:
        self.order, self.say, self.name = order, say, order.model or "pa"
        self.reason = (
            "asked for" if order.model else "this averaged rule is the most accurate of those in docs/command.md"
        )
        self.model = pipelines.learner(self.name, order.settings)
        self.mistakes: list[int] = []
        self.notes: list[str] = []
        check_streams(self.model)

    def learn(self, train: Blocks, survey: LabelCounts) -> None:
        """Fit the model."""
        diary = Diary(self.order.checkpoint, self.order.every, task_of(self.model, train))

        def watch(done: int, rows: int) -> None:
            number = len(diary.mistakes) + 1
            self.say(f"Learning from {self.order.data}: pass {number}, {done:,} of at most {rows:,} rows")

        with followed(diary):
            learn(self.model, train, survey, None, self.order.cache, watch)
        self.mistakes = diary.mistakes


class Together:
    """Learning on the workers of a cluster; the model is then one that needs no Dask."""

    def __init__(self, order: Order, say: Say) -> None:
        self.order, self.say, self.name = order, say, order.model or "averaged"
        self.reason = f"{'asked for' if order.model else 'the averaged rule'}, learnt on the cluster {order.cluster}"
        if self.name not in CLUSTERED:
            raise InputError(f"On a cluster the models are {' and '.join(CLUSTERED)}, not {self.name}.")
        if order.checkpoint or order.cache:
            raise InputError(
                "--checkpoint and --cache are for a fit in one process: a cluster keeps rows in its memory."
            )
        try:
            from ..scale import dask
        except ImportError as error:
            raise InputError(str(error)) from error
        self.mixed = pipelines.configured(getattr(dask, CLUSTERED[self.name])(), order.settings)
        self.model = pipelines.learner(self.name)
        self.mistakes: list[int] = []
        self.notes: list[str] = []

    def learn(self, train: Blocks, survey: LabelCounts) -> None:
        """Fit on the cluster, and take over what was learnt."""
        self.say(f"Learning from {self.order.data} on the cluster {self.order.cluster}")
        with connected(self.order.cluster):
            self.mixed.fit(train, classes=survey.classes)
        shared = self.model.get_params().keys() & self.mixed.get_params().keys()
        self.model.set_params(**{key: value for key, value in self.mixed.get_params().items() if key in shared})
        learnt = {name: value for name, value in vars(self.mixed).items() if name.endswith("_") or name == "_weights"}
        vars(self.model).update(learnt, n_updates_=self.mixed.weighted_updates_)
        self.notes.append(
            "Updates are those of the shards, weighed as they were mixed, which is the number that is bounded; "
            f"all shards together made {int(np.sum(self.mixed.n_updates_)):,}."
        )


CLUSTERED = {"averaged": "DaskAveragedPerceptron", "perceptron": "DaskPerceptron"}


@contextmanager
def connected(address: str | None) -> Iterator[None]:
    """The cluster at an address, or one of a worker a core on this machine."""
    from distributed import Client, LocalCluster

    if address == "local":
        with LocalCluster(threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster):
            yield
        return
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise InputError(f"No cluster answers at {address}: say local, or where its scheduler is.") from error
    with client:
        yield


def opened(data: Any, order: Order) -> Blocks:
    """The files of the data, without columns of lists, which a model file cannot tell of."""
    blocks = blocks_of(data, order.target, order.reading, order.wishes, order.missing)
    if blocks.lists:
        name = blocks.lists[0]
        raise InputError(f"Column {name!r} holds lists of numbers: learn from it in Python, with fit_stream.")
    return blocks


def split(blocks: Blocks, order: Order) -> tuple[Blocks, Blocks, str]:
    """The rows to learn from, those to test on, and how they were chosen."""
    wish = order.split
    if wish.folds is not None:
        raise InputError("--cv learns several times from rows in memory: use --test or --test-size with a stream.")
    if wish.file:
        return blocks, opened(wish.file, order), f"on the rows of {wish.file}"
    size = wish.size or HELD_OUT
    how = f"on {size:.0%} of the rows, held out at random"
    return replace(blocks, fraction=-size), replace(blocks, fraction=size), how


def measured(model: Pipeline, test: Blocks, survey: LabelCounts) -> np.ndarray:
    """How often rows of every class were taken for each."""
    count = len(survey.classes)
    confusion = np.zeros((count, count), dtype=np.int64)
    for k in range(len(test)):
        for X, labels in test.rows(k, survey.classes):
            found = np.searchsorted(survey.classes, model[-1].predict(X))
            np.add.at(confusion, (labels, found), 1)
    return confusion


def sample(blocks: Blocks) -> Any:
    """The first rows as a frame, in which words may be found that weights belong to; None of libsvm files."""
    if blocks.columns is not None:
        for k in range(len(blocks)):
            for table, labels, _, _ in blocks.frames(k):
                if len(labels):
                    return blocks.frame(table)
    return None


def about_data(blocks: Blocks, survey: LabelCounts, used: int, order: Order) -> dict[str, Any]:
    files = len(blocks.files)
    packed = any(isinstance(file, CompressedFile) for file in blocks.files)
    count = "read from the beginning in every pass" if packed else plural(len(blocks), "block")
    return {
        "file": order.data,
        "format": f"{plural(files, 'file')} not read into memory, {count}",
        "rows": used,
        "rows_left_out": sum(survey.rows) - used,
        "width": survey.width if blocks.columns is None else len(blocks.columns.kinds),
        "columns": (blocks.columns or Columns({})).kinds,
        "missing": {},
        "target": blocks.target,
        "classes": {str(label): int(n) for label, n in zip(survey.classes, survey.counts, strict=True)},
    }
