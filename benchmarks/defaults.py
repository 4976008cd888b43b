"""All defaults against scikit-learn's, on every real set: time of a fit, and accuracy on rows not trained on."""

import time
import warnings
from typing import Any

import numpy as np
from measure import MissingError
from rich.console import Console
from rich.table import Table
from sets import SETS
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as Sklearn
from sklearn.model_selection import StratifiedKFold

from novikoff import Perceptron


def parts(data: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """The official split, or five folds."""
    if len(data) == 4:
        return [data]
    X, y = data
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    return [(X[train], y[train], X[test], y[test]) for train, test in folds.split(X, y)]


def fitted(model: Any, splits: list[tuple[Any, ...]], repeats: int) -> tuple[float, float]:
    """Seconds of all fits, best of several; mean accuracy."""
    seconds, accuracy = [], 0.0
    for _ in range(repeats):
        start = time.perf_counter()
        models = [clone(model).fit(X, y) for X, y, _, _ in splits]
        seconds.append(time.perf_counter() - start)
        accuracy = float(np.mean([m.score(X, y) for m, (_, _, X, y) in zip(models, splits, strict=True)]))
    return min(seconds), accuracy


def main() -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    table = Table(title="All defaults: scikit-learn's Perceptron and ours (best of three; five folds where no split)")
    table.add_column("set")
    for name in ("rows", "theirs, s", "ours, s", "ratio", "theirs, accuracy", "ours, accuracy"):
        table.add_column(name, justify="right")
    scores = []
    for name, load in SETS.items():
        try:
            splits = parts(load())
        except MissingError as reason:
            table.add_row(name, str(reason))
            continue
        fitted(Perceptron(max_iter=1), splits, 1)  # compiles
        theirs, ours = fitted(Sklearn(), splits, 3), fitted(Perceptron(), splits, 3)
        scores.append((theirs[1], ours[1]))
        rows = splits[0][0].shape[0]
        table.add_row(
            name,
            f"{rows}",
            f"{theirs[0]:.3f}",
            f"{ours[0]:.3f}",
            f"{theirs[0] / ours[0]:.2f}",
            f"{theirs[1]:.4f}",
            f"{ours[1]:.4f}",
        )
    means = np.mean(scores, axis=0) if scores else (np.nan, np.nan)
    table.add_row("mean", "", "", "", "", f"{means[0]:.4f}", f"{means[1]:.4f}")
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
