"""Where the rows of a fit are: the steps that all engines make, and rows that are held out."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import scipy.sparse as sp
from sklearn.model_selection import train_test_split
from sklearn.pipeline import Pipeline

from ..data.ahead import Begun
from ..data.frames import Columns
from ..data.readers import open_data
from ..errors import InputError
from ..registry import DEFAULT_MODEL
from .decision import SeparationDecision
from .fit_request import Evaluation, FitRequest, Say
from .labelled_rows import DataSummary, LabelledRows
from .measures import Quality
from .model_choice import Choice
from .pipelines import keep_rows, keep_sparse_rows
from .recipe import Recipe, take_rows
from .sigmoids import Sigmoids
from .wording import word
from .yardsticks import Yardstick

MANY_ROWS = 20_000
"""Rows above which a fifth is held out instead of five folds."""
HELD_OUT = 0.2
"""The part of the rows that is held out, if nothing else is asked for."""
FOLDS = 5
"""Folds of cross-validation, if nothing else is asked for."""


@dataclass
class FitEngine(ABC):
    """The steps of a fit, to be made in this order; each leaves its results in the fields below."""

    request: FitRequest
    say: Say
    name: str  # of the model
    reason: str  # why this model
    begun: Begun[Any] | None = None  # waits for the data, where its reading has begun
    notes: list[str] = field(default_factory=list)
    mistakes: list[list[int]] = field(default_factory=list)  # in every pass, of every group of problems
    choice: Choice | None = None  # how the model was chosen, if it was
    separation: SeparationDecision | None = None  # do the classes separate?
    yardsticks: list[Yardstick] = field(default_factory=list)
    calibration: Sigmoids | None = None  # from scores to probabilities
    spool: Any = None  # what keeps rows meanwhile
    sample: Any = None  # some rows as a frame, in which words may be found that weights belong to
    data: DataSummary = field(init=False)
    pipeline: Pipeline = field(init=False)
    recipe: Recipe = field(init=False)
    quality: Quality = field(init=False)

    stages: ClassVar[tuple[str, str, str, str, str]]
    """What the five steps are called in ``seconds``."""
    default_model: ClassVar[str] = DEFAULT_MODEL
    """The model if none is asked for."""

    @abstractmethod
    def read(self) -> None:
        """Look at the data."""

    @abstractmethod
    def prepare(self) -> None:
        """Make of columns what a learner takes."""

    @abstractmethod
    def learn(self) -> None:
        """Fit the model."""

    @abstractmethod
    def measure(self) -> None:
        """Find how good it is."""

    @abstractmethod
    def decide(self, seconds: float) -> None:
        """Find whether the classes separate, in so many seconds."""


@dataclass(frozen=True)
class EvaluationSplit:
    """The rows that the model is trained on, those it is tested on, and how they were chosen."""

    train: tuple[Any, np.ndarray]
    test: tuple[Any, np.ndarray] | None
    how: str
    folds: int = 0


def make_recipe(request: FitRequest, columns: Columns | None, target: str, width: int) -> Recipe:
    """How the rows of a request are made of columns."""
    kinds = None if columns is None else {name: columns.kinds[name] for name in columns.used}
    notations = {name: tuple(notation) for name, notation in (columns or Columns({})).notations.items()}
    return Recipe(kinds, target, request.missing, width, request.reading.missing, notations)


def split_rows(request: FitRequest, rows: LabelledRows, recipe: Recipe) -> EvaluationSplit:
    """Hold rows out to be tested on, as it is asked for or as it suits their number."""
    everything, asked = (rows.X, rows.y), request.evaluation
    if asked.file:
        other = open_data(asked.file, request.reading)
        test = recipe.labelled_rows(other.read_all(), other.name, np.unique(rows.y))
        return EvaluationSplit(everything, test, word("how file", file=asked.file))
    if rows.file.test is not None and asked == Evaluation():
        test = recipe.labelled_rows(rows.file.test, rows.file.name, np.unique(rows.y))
        return EvaluationSplit(everything, test, word("how own"))
    numbers = pd.factorize(rows.y, sort=True)[0]  # of every row's class, which is quicker than to compare labels
    counts = np.bincount(numbers).tolist()
    least = min(counts)
    if asked.size or (asked.folds is None and len(rows.y) > MANY_ROWS):
        size = asked.size or HELD_OUT
        check_test_size(size, len(numbers), len(counts))
        train, test = train_test_split(
            np.arange(len(numbers)), test_size=size, random_state=0, stratify=numbers if least > 1 else None
        )
        return EvaluationSplit(*hold_out(rows, train, test), word("how part", part=f"{size:.0%}"))
    check_folds(asked.folds or 0, least)
    several = [count for count in counts if count > 1]
    if not several:
        return EvaluationSplit(everything, None, word("how none"))
    folds = asked.folds or min(FOLDS, *several)
    how = word("how folds", n=folds)
    if least == 1:
        how += word("how single")
    return EvaluationSplit((rows.frame(rows.X), rows.y), None, how, folds)


def hold_out(rows: LabelledRows, train: np.ndarray, test: np.ndarray) -> tuple[Any, Any]:
    """The rows to train on and those to test on, both in the order of the file; the former take the place of all."""
    train, test = np.sort(train), np.sort(test)
    held_out = take_rows(rows.X, test), rows.y[test]
    keep = {np.ndarray: keep_rows, sp.csr_matrix: keep_sparse_rows}.get(type(rows.X), take_rows)
    return (keep(rows.X, train), rows.y[train]), held_out


def check_test_size(size: float, rows: int, classes: int) -> None:
    """Raise unless both parts of the rows can have one of every class."""
    held_out = int(np.ceil(size * rows))
    if not classes <= held_out <= rows - classes:
        raise InputError(
            f"--test-size {size:g} of {rows} rows are {held_out}, but {classes} classes need as many on each side."
        )


def check_folds(folds: int, least: int) -> None:
    """Raise unless the smallest class has a row for every fold."""
    if folds > least:
        raise InputError(f"--cv {folds} needs as many rows of every class, but one has {least} only.")
