"""Which defaults the real sets ask for: inner folds of the training rows choose, rows not trained on measure.

For every learner some settings are tried.  Three folds of the training rows of a split (of at most MOST of them) give
each setting its inner score (accuracy, or R² of numbers); the best by these is fitted to all training rows and measured
on the test rows, and so is the default.  So the figure of "chosen" has seen no test row.  Printed are both, set by set,
and the mean inner score of every setting, by which a default is decided.  ``python benchmarks/nested.py [learner …]
[set …]`` runs some of them.
"""

import sys
import warnings
from itertools import product
from typing import Any

import numpy as np
from compare import marked
from measure import MissingError
from origin import origin
from regressors import NUMBERS
from rich.console import Console
from rich.table import Table
from sets import SETS, parts, prepared
from sklearn.base import clone, is_regressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold, StratifiedKFold

import novikoff

MOST = 8000
"""Training rows that the inner folds are made of; more would choose the same and take longer."""
FOLDS = 3
TRIED: dict[str, tuple[Any, dict[str, tuple[Any, ...]]]] = {
    "pa": (novikoff.PassiveAggressiveClassifier(), {"C": (0.01, 0.1, 1.0), "max_iter": (5, 10, 20)}),
    "averaged": (novikoff.AveragedPerceptron(), {"max_iter": (5, 10, 20)}),
    "arow": (
        novikoff.AROWClassifier(),
        {"r": (0.1, 1.0, 10.0), "max_iter": (1, 2, 5, 10), "multi_class": ("joint", "ovr")},
    ),
    "scw": (
        novikoff.SCWClassifier(),
        {"C": (0.03, 0.1, 1.0), "confidence": (0.6, 0.75, 0.9), "max_iter": (1, 2, 5), "multi_class": ("joint", "ovr")},
    ),
    "arow-end": (novikoff.AROWClassifier(), {"tol": (1e-3, None)}),  # when two passes have not helped, or after all
    "scw-end": (novikoff.SCWClassifier(), {"tol": (1e-3, None)}),
    "margin": (novikoff.MarginPerceptron(), {"average": (False, True), "max_iter": (10, 1000)}),
    "voted": (novikoff.VotedPerceptron(), {"max_iter": (5, 10, 1000)}),
    "regressor": (
        novikoff.PassiveAggressiveRegressor(),
        {"C": (0.001, 0.003, 0.01, 0.03, 0.1, 1.0), "step": ("capped", "damped"), "max_iter": (10, 100)},
    ),
}
TOO_LONG = {"covtype"}
"""Sets that are left out, as every setting is fitted several times."""


def splits_of(name: str) -> list[Any]:
    """The splits of a set, of labels or of numbers, not prepared yet."""
    if name in SETS:
        return parts(SETS[name]())
    X, y = NUMBERS[name]()
    return [(X[train], y[train], X[test], y[test]) for train, test in KFold(5, shuffle=True, random_state=0).split(X)]


def settings_of(grid: dict[str, tuple[Any, ...]]) -> list[dict[str, Any]]:
    """All combinations of the values."""
    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]


def inner_accuracies(model: Any, settings: list[dict[str, Any]], name: str, X: Any, y: Any) -> np.ndarray:
    """The mean score of every setting over the inner folds, each prepared by its own training rows."""
    some = np.random.default_rng(0).permutation(len(y))[:MOST]
    X, y = X[some], y[some]
    folds = (StratifiedKFold if name in SETS else KFold)(FOLDS, shuffle=True, random_state=0)
    lines = []
    for train, test in folds.split(np.zeros(len(y)), y):
        rows, labels, rows_test, labels_test = prepared(name, (X[train], y[train], X[test], y[test]))
        fits = (clone(model).set_params(**setting).fit(rows, labels) for setting in settings)
        lines.append([fit.score(rows_test, labels_test) for fit in fits])
    return np.mean(lines, axis=0)


def measured_set(model: Any, settings: list[dict[str, Any]], name: str) -> tuple[np.ndarray, float, float]:
    """The inner accuracies, and those of the default and the chosen setting on rows not trained on; over all splits."""
    lines = []
    for split in splits_of(name):
        inner = inner_accuracies(model, settings, name, split[0], split[1])
        X, y, X_test, y_test = prepared(name, split)
        chosen = clone(model).set_params(**settings[int(inner.argmax())])
        lines.append([*inner, *(m.fit(X, y).score(X_test, y_test) for m in (clone(model), chosen))])
    *inner_means, default, best = np.mean(lines, axis=0)
    return np.array(inner_means), float(default), float(best)


def short(model: Any, setting: dict[str, Any]) -> str:
    """A setting in words; the default is marked."""
    words = ", ".join(f"{name}={value}" for name, value in setting.items())
    own = model.get_params()
    return f"{words} (default)" if all(own[name] == value for name, value in setting.items()) else words


def compare_settings(learner: str, names: list[str], console: Console) -> None:
    """Measure one learner on the sets, and print both tables."""
    model, grid = TRIED[learner]
    settings, outer, inner = settings_of(grid), [], []
    table = Table(title=f"{type(model).__name__}: score on rows not trained on")
    for column in ("set", "default", "chosen by inner folds", "most often the best inside"):
        table.add_column(column)
    for name in names:
        try:
            means, default, chosen = measured_set(model, settings, name)
        except MissingError as reason:
            table.add_row(name, str(reason))
            continue
        inner.append(means)
        outer.append([default, chosen])
        table.add_row(name, *marked(outer[-1]), short(model, settings[int(means.argmax())]))
        print(f"{learner} | {name}: default {default:.4f}, chosen {chosen:.4f}", flush=True)
    table.add_row("mean", *marked(np.mean(outer, axis=0)))
    console.print(table)
    means_table = Table(title=f"{type(model).__name__}: mean inner score of every setting")
    means_table.add_column("setting")
    means_table.add_column("score")
    for setting, figure in zip(settings, marked(np.mean(inner, axis=0)), strict=True):
        means_table.add_row(short(model, setting), figure)
    console.print(means_table)


def main(arguments: list[str]) -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    console = Console(width=140)
    for learner in [name for name in arguments if name in TRIED] or TRIED:
        sets = NUMBERS if is_regressor(TRIED[learner][0]) else SETS
        names = [name for name in sets if name in arguments] or [name for name in sets if name not in TOO_LONG]
        compare_settings(learner, names, console)


if __name__ == "__main__":
    main(sys.argv[1:])
    print(origin())
