"""Every linear learner at its defaults beside scikit-learn's Perceptron at its own, on every real set.

Sets are taken raw and standardised, text as counts and as tf-idf.  Printed are the seconds of a fit, best of several,
and the accuracy on rows not trained on, of the official split or of five folds, over as many seeds.
``python benchmarks/defaults.py [set …]`` runs some of the sets.
"""

import sys
import time
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from measure import MissingError
from origin import origin
from rich.console import Console
from rich.table import Table
from sets import SETS, TEXT, parts, prepared
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as Sklearn

from novikoff import (
    AROWClassifier,
    AveragedPerceptron,
    MarginPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    PocketPerceptron,
    SCWClassifier,
    VotedPerceptron,
)

LEARNERS = {
    "Perceptron": Perceptron(),
    "Averaged": AveragedPerceptron(),
    "Margin": MarginPerceptron(),
    "Passive-aggr.": PassiveAggressiveClassifier(),
    "AROW": AROWClassifier(),
    "SCW": SCWClassifier(),
    "Pocket": PocketPerceptron(),
    "Voted": VotedPerceptron(),
}
SEEDS = ((0.1, 40), (5.0, 5))
"""Seconds of the peer up to which a fit is repeated, and how often, with another seed each time: the accuracy of single
planes varies by points from seed to seed, most on small sets, which take the least time."""

Split = tuple[Any, Any, Any, Any]


def variants(name: str) -> Iterator[tuple[str, list[Split]]]:
    """A set as it is, and prepared as one would for a perceptron, where that is something else."""
    splits = parts(SETS[name]())
    yield name, splits
    if name in TEXT or not sp.issparse(splits[0][0]):
        yield f"{name}, {'tf-idf' if name in TEXT else 'scaled'}", [prepared(name, split) for split in splits]


def measured(models: Iterable[Any], splits: list[Split], seeds: int = 1) -> list[tuple[float, float, float]]:
    """Of every model the seconds of all fits, best of so many seeds, the mean accuracy, and the standard error of that.

    Models take turns, as noise comes; of one seed the error is not known, and 0.
    """
    models = list(models)
    seconds, scores = np.empty((2, len(models), seeds))
    for seed in range(seeds):
        for k, model in enumerate(models):
            start = time.perf_counter()
            fits = [seeded(model, seed).fit(X, y) for X, y, _, _ in splits]
            seconds[k, seed] = time.perf_counter() - start
            scores[k, seed] = np.mean([fit.score(X, y) for fit, (_, _, X, y) in zip(fits, splits, strict=True)])
    errors = scores.std(axis=1) / max(seeds - 1, 1) ** 0.5
    return list(zip(seconds.min(axis=1).tolist(), scores.mean(axis=1).tolist(), errors.tolist(), strict=True))


def seeded(model: Any, seed: int) -> Any:
    """The same with another seed, if it has one."""
    model = clone(model)
    return model.set_params(random_state=seed) if "random_state" in model.get_params() else model


def compile_passes(models: Iterable[Any], splits: list[Split]) -> None:
    """Two passes of each, which read packed rows, so that compiling is not measured."""
    measured([clone(model).set_params(max_iter=2) for model in models], splits[:1])


def main(names: list[str]) -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    console = Console(width=160)
    seconds, accuracy = (Table(title=title) for title in ("Seconds, ratio to scikit-learn's Perceptron", "Accuracy"))
    for table in (seconds, accuracy):
        for column in ("set", "rows", "sk Perceptron", *LEARNERS):
            table.add_column(column, justify="left" if column == "set" else "right")
    scores: list[list[float]] = []
    errors: list[list[float]] = []
    for name in names:
        try:
            for title, splits in variants(name):
                compile_passes(LEARNERS.values(), splits)
                spent = measured([Sklearn()], splits)[0][0]
                seeds = next((seeds for seconds, seeds in SEEDS if spent < seconds), 1)
                theirs, *ours = measured([Sklearn(), *LEARNERS.values()], splits, seeds)
                scores.append([score for _, score, _ in (theirs, *ours)])
                errors.append([error for _, _, error in (theirs, *ours)])
                rows = f"{splits[0][0].shape[0]}"
                ratios = [f"{theirs[0] / seconds:.2f}" for seconds, _, _ in ours]
                seconds.add_row(title, rows, f"{theirs[0]:.4f} s", *ratios)
                accuracy.add_row(title, rows, *(f"{score:.4f}" for score in scores[-1]))
                console.print(title, rows, f"{theirs[0]:.4f}", *ratios)
        except MissingError as reason:
            seconds.add_row(name, str(reason))
    if scores:
        accuracy.add_row("mean", "", *(f"{score:.4f}" for score in np.mean(scores, axis=0)))
        chance = np.linalg.norm(errors, axis=0) / len(errors)
        accuracy.add_row("its standard error", "", *(f"{error:.4f}" for error in chance))
    console.print(seconds)
    console.print(accuracy)


if __name__ == "__main__":
    main(sys.argv[1:] or list(SETS))
    print(origin())
