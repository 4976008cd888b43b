"""The work of ``novikoff fit``: read, choose, measure, learn, and tell it all in one dictionary."""

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import metrics
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, train_test_split

from ..data import frames as cols
from ..data.frames import ColumnOptions, Columns
from ..data.labels import missing_error, number_rows, read_labels
from ..data.open_files import Reading
from ..data.readers import Chunk, DataFile, open_data, with_width
from ..errors import InputError, check_columns, comma_list, finite_or_none
from ..learners.base import LinearLearner
from ..training.checkpoint import Diary, followed, task_of
from . import model_files as files
from . import pipelines

MANY_ROWS = 20_000
"""Rows above which a fifth is held out instead of five folds."""
SHOWN = 10
"""Weights that are told."""


@dataclass(frozen=True)
class Split:
    """How to measure: a file of rows to test on, a part to hold out, or folds."""

    file: str | None = None
    size: float | None = None
    folds: int | None = None

    def __post_init__(self) -> None:
        if sum(way is not None for way in (self.file, self.size, self.folds)) > 1:
            raise InputError("--test, --test-size and --cv are three ways to measure: choose one.")
        if self.size is not None and not 0 < self.size < 1:
            raise InputError(f"--test-size is a part of the rows between 0 and 1, not {self.size:g}.")
        if self.folds is not None and self.folds < 2:
            raise InputError(f"--cv needs at least 2 folds, not {self.folds}.")


@dataclass(frozen=True)
class Order:
    """All that ``novikoff fit`` is asked for."""

    data: str
    target: str | None = None
    reading: Reading = field(default_factory=Reading)
    wishes: ColumnOptions = field(default_factory=ColumnOptions)
    missing: str = "refuse"
    model: str | None = None
    settings: tuple[str, ...] = ()
    split: Split = field(default_factory=Split)
    output: Path | None = None
    report: Path | None = None
    checkpoint: Path | None = None
    every: float = 60.0
    cache: Path | None = None
    cluster: str | None = None


@dataclass(frozen=True)
class Rows:
    """Rows to learn from, and how they were made of columns; a sparse matrix has none."""

    X: Any
    y: np.ndarray
    columns: Columns | None
    target: str
    left_out: int = 0

    def some(self, places: np.ndarray) -> tuple[Any, np.ndarray]:
        return taken(self.X, places), self.y[places]


@dataclass(frozen=True)
class Recipe:
    """How rows of other files become rows for a model; kept in the model file."""

    kinds: dict[str, str] | None
    target: str
    missing: str
    width: int
    marks: tuple[str, ...] = ()

    def rows(self, part: Chunk, name: str, first: int = 0) -> Any:
        """What the model's pipeline takes, of a part that begins with row ``first``."""
        if (part.matrix is None) == (self.kinds is None):
            kind = "a libsvm file" if self.kinds is None else "a table with columns"
            raise InputError(f"The model was learnt from {kind}, and {name} is none.")
        if self.kinds is None:
            return with_width(part.matrix, self.width)
        table = cols.clean_table(part.table, self.marks)
        if lacking := [column for column in self.kinds if column not in table.column_names]:
            raise InputError(f"{name} lacks {comma_list(map(repr, lacking))}, which the model was learnt with.")
        X = cols.to_frame(table, Columns(self.kinds), first)
        if self.missing != "impute" and X.isna().to_numpy().any():
            i, j = np.argwhere(X.isna().to_numpy())[0]
            raise InputError(
                f"{name} has no value in column {X.columns[j]!r} at row {first + i + 1}, and the model does not know "
                "what to do then: fit it with --missing impute."
            )
        return cols.fill_texts(X, self.kinds)


def fit(order: Order) -> dict[str, Any]:
    """Do it all and tell it."""
    clock = Clock()
    file = open_data(order.data, order.reading)
    rows = read(file, order)
    clock.stop("read")
    told: dict[str, Any] = {"data": about_data(file, rows), "notes": []}
    prepare = pipelines.preparation(rows.columns, order.missing == "impute")
    recipe = recipe_of(rows.columns, rows.target, rows.X.shape[1], order)
    parts = split(order.split, file, rows, recipe, order)
    choice = chosen(order, prepare, *parts.train)
    model = pipelines.pipeline(prepare, pipelines.learner(choice.name, order.settings))
    if order.checkpoint and not isinstance(model[-1], LinearLearner):
        raise InputError(f"--checkpoint is for the linear learners, and {type(model[-1]).__name__} is none of them.")
    clock.stop("choose")
    diary = Diary(order.checkpoint, order.every, task_of([choice.name, order.settings, recipe.kinds], *parts.train))
    with followed(diary):
        told["notes"] += pipelines.quiet_fit(model, *parts.train)
    clock.stop("learn")
    predicted = parts.predicted(model)
    clock.stop("measure")
    told |= {
        "model": about_model(choice, model[-1]),
        "learned": about_learning(model[-1]) | {"mistakes_by_pass": diary.mistakes},
        "separability": about_learning(choice.scout or model[-1]),
        "quality": about_quality(parts.how, predicted),
        "weights": weights(model),
        "seconds": clock.seconds,
    }
    return written(order, model, recipe, told)


def written(order: Order, model: Any, recipe: Recipe, told: dict[str, Any]) -> dict[str, Any]:
    """Write what was asked for; the checkpoint has then done its work."""
    if order.output:
        files.save(model, order.output, recipe=vars(recipe), quality=told["quality"])
    told["files"] = {
        name: str(path) for name, path in (("model", order.output), ("report", order.report)) if path is not None
    }
    if order.report:
        from .html_report import write

        write(told, order.report)
    if order.checkpoint:
        order.checkpoint.unlink(missing_ok=True)
    return told


class Clock:
    """The seconds of every stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.last = time.perf_counter()

    def stop(self, stage: str) -> None:
        """The stage ends here."""
        now = time.perf_counter()
        self.seconds[stage], self.last = round(now - self.last, 3), now


def read(file: DataFile, order: Order) -> Rows:
    """The rows of a file as they are to be learnt from."""
    part = file.read_all()
    if part.matrix is not None:
        return sparse_rows(part, order, file.name)
    target = order.target or ("y" if file.description == "npz" else None)
    if target is None:
        names = part.table.column_names
        raise InputError(f"Say which column to learn with --target: {comma_list(names)}.")
    table = cols.clean_table(part.table, order.reading.missing)
    check_columns(table.column_names, [target], file.name)
    y, labelled = read_labels(table[target], target, file.name)
    found = cols.describe_columns(table, target, order.wishes, file.name)
    X = cols.to_frame(table, found)
    empty = X.isna().to_numpy().any(axis=1)
    gone = Counter(found.missing) + Counter({target: len(table) - len(labelled)})
    if gone and order.missing == "refuse":
        raise missing_error(gone, file.name)
    kept = labelled if order.missing == "impute" else np.flatnonzero(~empty & table[target].is_valid().to_numpy())
    y = y[np.searchsorted(labelled, kept)]
    if len(set(y.tolist())) < 2:
        raise InputError(f"{file.name} has rows of fewer than two classes left after those with missing values went.")
    X = cols.fill_texts(X.iloc[kept].reset_index(drop=True), found.kinds)
    return Rows(X, y, found, target, len(table) - len(kept))


def sparse_rows(part: Chunk, order: Order, name: str) -> Rows:
    """The rows of a libsvm file, which has no names of columns."""
    if order.target or order.wishes.kinds():
        raise InputError(f"{name} is a libsvm file, which has no named columns: leave --target and the like away.")
    y, labelled = read_labels(part.labels, "label", name)
    left_out = len(part) - len(labelled)
    if left_out and order.missing == "refuse":
        raise missing_error({"label": left_out}, name)
    return Rows(part.matrix[labelled] if left_out else part.matrix, y, None, "label", left_out)


def taken(X: Any, places: np.ndarray) -> Any:
    return X.iloc[places] if hasattr(X, "iloc") else X[places]


def recipe_of(found: Columns | None, target: str, width: int, order: Order) -> Recipe:
    """How the rows of an order were made of columns."""
    kinds = None if found is None else {name: found.kinds[name] for name in found.used}
    return Recipe(kinds, target, order.missing, width, order.reading.missing)


def recipe_from(about: dict[str, Any], path: Any) -> Recipe:
    """The recipe in a model file."""
    if "recipe" not in about:
        raise InputError(f"{path} was saved by novikoff.save, not by novikoff fit: use it from Python.")
    fields = about["recipe"]
    return Recipe(**{**fields, "marks": tuple(fields["marks"])})


def chosen(order: Order, prepare: Any, X: Any, y: np.ndarray) -> pipelines.Choice:
    """The model that was asked for, or the one that suits the rows."""
    if order.model:
        pipelines.learner(order.model, order.settings)
        return pipelines.Choice(order.model, "asked for")
    return pipelines.default_choice(prepare, X, y)


@dataclass(frozen=True)
class Parts:
    """The rows that the model learns from, those it is tested on, and how they were chosen."""

    train: tuple[Any, np.ndarray]
    test: tuple[Any, np.ndarray] | None
    how: str
    folds: int = 0

    def predicted(self, model: Any) -> tuple[np.ndarray, np.ndarray] | None:
        """Labels, and those that the model, or in folds one like it, predicts without having learnt from the rows."""
        if self.test:
            return self.test[1], model.predict(self.test[0])
        if not self.folds:
            return None
        X, y = self.train
        predicted = np.empty_like(y)
        for learnt, tested in StratifiedKFold(self.folds, shuffle=True, random_state=0).split(y, y):
            fold = clone(model)
            pipelines.quiet_fit(fold, taken(X, learnt), y[learnt])
            predicted[tested] = fold.predict(taken(X, tested))
        return y, predicted


def split(wish: Split, file: DataFile, rows: Rows, recipe: Recipe, order: Order) -> Parts:
    """Set rows apart to be tested on, as it is wished or as it suits their number."""
    everything = rows.X, rows.y
    if wish.file:
        other = open_data(wish.file, order.reading)
        tested = labelled(other.read_all(), recipe, other.name, np.unique(rows.y))
        return Parts(everything, tested, f"on the rows of {wish.file}")
    if file.test is not None and wish == Split():
        tested = labelled(file.test, recipe, file.name, np.unique(rows.y))
        return Parts(everything, tested, "on the file's own test rows")
    least = min(Counter(rows.y.tolist()).values())
    if wish.size or (wish.folds is None and len(rows.y) > MANY_ROWS):
        size = wish.size or 0.2
        learnt, tested = train_test_split(
            np.arange(len(rows.y)), test_size=size, random_state=0, stratify=rows.y if least > 1 else None
        )
        return Parts(rows.some(learnt), rows.some(tested), f"on {size:.0%} of the rows, held out at random")
    if wish.folds and wish.folds > least:
        raise InputError(f"--cv {wish.folds} needs as many rows of every class, but one has {least} only.")
    folds = wish.folds or min(5, least)
    if folds < 2:
        return Parts(everything, None, "not measured: a class has one row only")
    return Parts(everything, None, f"by {folds}-fold cross-validation", folds)


def labelled(part: Chunk, recipe: Recipe, name: str, classes: np.ndarray) -> tuple[Any, np.ndarray]:
    """Rows of another file with their labels, which are among the classes."""
    X = recipe.rows(part, name)
    labels = part.labels
    if part.matrix is None:
        table = cols.clean_table(part.table, recipe.marks)
        check_columns(table.column_names, [recipe.target], name)
        labels = table[recipe.target]
    numbers, places = number_rows(labels, classes, name)
    if len(places) < len(part) and recipe.missing == "refuse":
        raise missing_error({recipe.target: len(part) - len(places)}, name)
    return taken(X, places), classes[numbers]


def about_data(file: DataFile, rows: Rows) -> dict[str, Any]:
    found = rows.columns or Columns({})
    return {
        "file": file.name,
        "format": file.description,
        "rows": len(rows.y),
        "rows_left_out": rows.left_out,
        "width": rows.X.shape[1],
        "columns": found.kinds,
        "missing": found.missing,
        "target": rows.target,
        "classes": {str(label): n for label, n in sorted(Counter(rows.y.tolist()).items())},
    }


def about_model(choice: pipelines.Choice, model: Any) -> dict[str, Any]:
    plain = clone(model).get_params()
    changed = {key: value for key, value in plain.items() if value != type(model)().get_params()[key]}
    return {
        "name": choice.name,
        "class": type(model).__name__,
        "reason": choice.reason,
        "settings": {
            key: value if isinstance(value, str | int | float | None) else str(value) for key, value in changed.items()
        },
    }


def about_learning(model: Any) -> dict[str, Any]:
    """What the theory says of each problem of a run: its status, updates against bound, margin, and certificate."""
    names = [str(label) for label in model.classes_]
    fields = {
        "status": "status_",
        "updates": "n_updates_",
        "mistake_bound": "mistake_bound_",
        "margin": "margin_",
        "margin_bound": "margin_bound_",
    }
    columns = {key: list(np.atleast_1d(np.asarray(getattr(model, name, None)))) for key, name in fields.items()}
    count = len(columns["status"])
    certificates = getattr(model, "certificate_", None)
    certificates = certificates if isinstance(certificates, list) else [certificates] * count
    problems = [
        {
            "classes": [names[1], names[0]]
            if count == 1 and len(names) == 2
            else ["all"]
            if count == 1
            else [names[c]],
            **{key: finite_or_none(values[c]) if c < len(values) else None for key, values in columns.items()},
            "certificate": certificates[c].summary() if certificates[c] is not None else None,
        }
        for c in range(count)
    ]
    return {
        "passes": finite_or_none(getattr(model, "n_iter_", None)),
        "radius": finite_or_none(getattr(model, "radius_", None)),
        "problems": problems,
    }


def about_quality(how: str, predicted: tuple[np.ndarray, np.ndarray] | None) -> dict[str, Any]:
    if predicted is None:
        return {"how": how}
    truth, guess = predicted
    labels = sorted({*truth.tolist(), *guess.tolist()})
    confusion = metrics.confusion_matrix(truth, guess, labels=labels)
    return quality_of(how, [str(label) for label in labels], confusion)


def quality_of(how: str, labels: list[str], confusion: np.ndarray) -> dict[str, Any]:
    """How good predictions are, of which it is known how often rows of every class were taken for each."""
    right, rows = confusion.diagonal(), confusion.sum(axis=1)
    return {
        "how": how,
        "rows": int(rows.sum()),
        "accuracy": float(right.sum() / rows.sum()),
        "balanced_accuracy": float(np.mean(right[rows > 0] / rows[rows > 0])),
        "labels": labels,
        "confusion": confusion.tolist(),
    }


def weights(model: Any, sample: Any = None) -> dict[str, list[list[Any]]]:
    """The weightiest features of every class by name; of two classes those of the second.

    Hashed words are called by a word of the sample.
    """
    if not pipelines.decides_by_plane(model[-1]):
        return {}
    coef = model[-1].coef_
    names = pipelines.feature_names(model[0], coef.shape[1], sample)
    classes = [str(label) for label in model[-1].classes_]
    owners = classes[1:] if len(coef) == 1 else classes
    found = {}
    for owner, line in zip(owners, coef, strict=True):
        order = np.argsort(-np.abs(line), kind="stable")[:SHOWN]
        found[owner] = [[names[j], float(line[j])] for j in order if line[j]]
    return found


def compared(order: Order, folds: int) -> dict[str, Any]:
    """All learners and scikit-learn's on the same folds, prepared once a fold; the best first."""
    from sklearn.linear_model import LogisticRegression, Perceptron, SGDClassifier

    file = open_data(order.data, order.reading)
    rows = read(file, order)
    least = min(Counter(rows.y.tolist()).values())
    if folds > least:
        raise InputError(f"--cv {folds} needs as many rows of every class, but one has {least} only.")
    learners = {f"{name}": pipelines.learner(name) for name in pipelines.available()}
    learners |= {f"scikit-learn {type(m).__name__}": m for m in (Perceptron(), SGDClassifier(), LogisticRegression())}
    measured: dict[str, list[tuple[float, float, float]]] = {name: [] for name in learners}
    for learnt, tested in StratifiedKFold(folds, shuffle=True, random_state=0).split(rows.y, rows.y):
        prepare = pipelines.preparation(rows.columns, order.missing == "impute")
        X, y = rows.some(learnt)
        X, (X_test, y_test) = prepare.fit_transform(X, y), rows.some(tested)
        X_test = prepare.transform(X_test)
        for name, model in learners.items():
            measured[name].append(measure(clone(model), X, y, X_test, y_test))
    lines = []
    for name, values in measured.items():
        accuracy, balanced, _ = np.mean(values, axis=0).tolist()
        seconds = float(np.median([value[2] for value in values]))  # the first fit may compile
        lines.append({"learner": name, "accuracy": accuracy, "balanced_accuracy": balanced, "seconds": seconds})
    best_first = sorted(lines, key=lambda line: -line["accuracy"])
    return {"data": about_data(file, rows), "folds": folds, "learners": best_first}


def measure(model: Any, X: Any, y: Any, X_test: Any, y_test: Any) -> tuple[float, float, float]:
    """Accuracy, balanced accuracy, and the seconds of the fit."""
    start = time.perf_counter()
    pipelines.quiet_fit(model, X, y)
    seconds = time.perf_counter() - start
    found = about_quality("", (y_test, model.predict(X_test)))
    return found["accuracy"], found["balanced_accuracy"], seconds
