"""Every linear learner at its defaults beside scikit-learn's Perceptron at its own, on every real set.

Sets are taken raw and standardised, text as counts and as tf-idf.  Printed are the seconds of a fit and the accuracy
on rows not trained on: of the official split, or of five folds.  ``python benchmarks/defaults.py [set …]``.
"""

import sys
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from measure import MissingError
from rich.console import Console
from rich.table import Table
from sets import SETS
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import Perceptron as Sklearn
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from novikoff import (
    AveragedPerceptron,
    MarginPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)

TEXT = ("imdb", "20news", "sms")
LEARNERS = {
    "Perceptron": Perceptron(),
    "Averaged": AveragedPerceptron(),
    "Margin": MarginPerceptron(),
    "Passive-aggr.": PassiveAggressiveClassifier(),
    "Pocket": PocketPerceptron(),
    "Voted": VotedPerceptron(),
}
QUICK = 2.0
"""Seconds of the peer up to which a fit is repeated."""

Split = tuple[Any, Any, Any, Any]


def parts(data: tuple[Any, ...]) -> list[Split]:
    """The official split, or five folds."""
    if len(data) == 4:
        return [data]
    X, y = data
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    return [(X[train], y[train], X[test], y[test]) for train, test in folds.split(X, y)]


def variants(name: str) -> Iterator[tuple[str, list[Split]]]:
    """A set as it is, and scaled as one would for a perceptron."""
    splits = parts(SETS[name]())
    yield name, splits
    scaler = TfidfTransformer(sublinear_tf=True) if name in TEXT else StandardScaler(with_mean=False)
    if not sp.issparse(splits[0][0]):
        scaler = make_pipeline(StandardScaler())
    scaled = []
    for X, y, Z, t in splits:
        fitted = clone(scaler).fit(X)
        scaled.append((fitted.transform(X), y, fitted.transform(Z), t))
    yield f"{name}, {'tf-idf' if name in TEXT else 'scaled'}", scaled


def measured(model: Any, splits: list[Split], repeats: int) -> tuple[float, float]:
    """Seconds of all fits, best of several; mean accuracy."""
    seconds, models = [], []
    for _ in range(repeats):
        start = time.perf_counter()
        models = [clone(model).fit(X, y) for X, y, _, _ in splits]
        seconds.append(time.perf_counter() - start)
    return min(seconds), float(np.mean([m.score(X, y) for m, (_, _, X, y) in zip(models, splits, strict=True)]))


def compiled(splits: list[Split]) -> None:
    """Let every learner compile what it needs."""
    for model in LEARNERS.values():
        X, y, _, _ = splits[0]
        clone(model).set_params(max_iter=2).fit(X[:200], y[:200]) if len(np.unique(y[:200])) == len(
            np.unique(y)
        ) else clone(model).set_params(max_iter=2).fit(X, y)


def main(names: list[str]) -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    console = Console(width=160)
    seconds, accuracy = (Table(title=title) for title in ("Seconds, ratio to scikit-learn's Perceptron", "Accuracy"))
    for table in (seconds, accuracy):
        for column in ("set", "rows", "sk Perceptron", *LEARNERS):
            table.add_column(column, justify="left" if column == "set" else "right")
    scores = []
    for name in names:
        try:
            for title, splits in variants(name):
                compiled(splits)
                first = measured(Sklearn(), splits, 1)
                repeats = 3 if first[0] < QUICK else 1
                theirs = measured(Sklearn(), splits, repeats) if repeats > 1 else first
                ours = [measured(model, splits, repeats) for model in LEARNERS.values()]
                scores.append([theirs[1], *(score for _, score in ours)])
                rows = f"{splits[0][0].shape[0]}"
                ratios = [f"{theirs[0] / spent:.2f}" for spent, _ in ours]
                seconds.add_row(title, rows, f"{theirs[0]:.4f} s", *ratios)
                accuracy.add_row(title, rows, *(f"{score:.4f}" for score in scores[-1]))
                console.print(title, rows, f"{theirs[0]:.4f}", *ratios)
        except MissingError as reason:
            seconds.add_row(name, str(reason))
    if scores:
        accuracy.add_row("mean", "", *(f"{score:.4f}" for score in np.mean(scores, axis=0)))
    console.print(seconds)
    console.print(accuracy)


if __name__ == "__main__":
    main(sys.argv[1:] or list(SETS))
