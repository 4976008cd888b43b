"""``novikoff fit`` for data that is not read into memory: the same steps, each a pass over the files."""

import glob
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from .. import fitting, pipelines
from ..data.columns import Columns
from ..data.opening import PACKED, InputError
from ..fitting import Clock, Order, Recipe
from ..following import Diary, followed
from .blocks import Blocks, Survey, blocks_of
from .files import PackedFile
from .preparing import prepared
from .stream import learn, refuse_learner, task_of

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
        packed = file.read(8).startswith(tuple(PACKED))
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
    model = pipelines.learner(order.model or "pa", order.settings)
    refuse_learner(model)
    blocks = opened(order.data, order)
    train, test, how = split(blocks, order)
    say(f"Looking at the classes of {order.data}")
    survey = blocks.survey()
    train, test = (replace(part, width=survey.width) for part in (train, test))
    clock.stop("look")
    say(f"Preparing the columns of {order.data}")
    prepare = pipelines.preparation(blocks.columns, order.missing == "impute", streaming=True)
    train = prepared(train, prepare)
    clock.stop("prepare")
    diary = Diary(order.checkpoint, order.every, task_of(model, train))
    with followed(diary):
        notes = pipelines.quiet(lambda: learn(model, train, survey, None, order.cache, watching(order, diary, say)))
    clock.stop("learn")
    say("Measuring")
    pipeline = pipelines.pipeline(train.prepare, model)
    confusion = measured(pipeline, replace(test, prepare=train.prepare), survey)
    clock.stop("measure")
    why = "asked for" if order.model else "this averaged rule is the most accurate of those measured in docs/command.md"
    told = {
        "data": about_data(blocks, survey, int(confusion.sum()), model, order),
        "notes": notes,
        "model": fitting.about_model(pipelines.Choice(order.model or "pa", why), model),
        "learned": fitting.about_learning(model) | {"mistakes_by_pass": diary.mistakes},
        "separability": fitting.about_learning(model),
        "quality": fitting.quality_of(how, [str(label) for label in survey.classes], confusion),
        "weights": fitting.weights(pipeline, sample(test)),
        "seconds": clock.seconds,
    }
    return fitting.written(order, pipeline, recipe_of(blocks, order), told)


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
    return replace(blocks, share=-size), replace(blocks, share=size), how


def watching(order: Order, diary: Diary, say: Say) -> Callable[[int, int], None]:
    """Tells how far a pass is."""

    def watch(done: int, rows: int) -> None:
        number = len(diary.mistakes) + 1
        say(f"Learning from {order.data}: pass {number}, {done:,} of at most {rows:,} rows")

    return watch


def measured(model: Pipeline, test: Blocks, survey: Survey) -> np.ndarray:
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


def about_data(blocks: Blocks, survey: Survey, tested: int, model: Any, order: Order) -> dict[str, Any]:
    files = len(blocks.files)
    packed = any(isinstance(file, PackedFile) for file in blocks.files)
    count = "read from the beginning in every pass" if packed else counted(len(blocks), "block")
    learnt = int(model._clock[:, 0].max()) // model.n_iter_
    used = learnt + (0 if order.split.file else tested)
    return {
        "file": order.data,
        "format": f"{counted(files, 'file')} not read into memory, {count}",
        "rows": used,
        "rows_left_out": sum(survey.rows) - used,
        "width": survey.width if blocks.columns is None else len(blocks.columns.kinds),
        "columns": (blocks.columns or Columns({})).kinds,
        "missing": {},
        "target": blocks.target,
        "classes": {str(label): int(n) for label, n in zip(survey.classes, survey.counts, strict=True)},
    }


def counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' if n > 1 else ''}"


def recipe_of(blocks: Blocks, order: Order) -> Recipe:
    found = blocks.columns
    kinds = None if found is None else {name: found.kinds[name] for name in found.used}
    return Recipe(kinds, blocks.target, order.missing, blocks.width, order.reading.missing)
