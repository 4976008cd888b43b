"""Errors on the training rows: the pocket beside other learners, at their defaults, on every real set.

Of every set one class (the last) is told from the rest, raw and prepared; of MNIST and covtype 10,000 rows, drawn at
random.  Printed are the rows on the wrong side of the plane, or on it.
``python benchmarks/training_errors.py [set …]`` runs some of the sets.
"""

import sys
import warnings
from typing import Any

import numpy as np
from defaults import variants
from measure import MissingError
from origin import origin
from rich.console import Console
from rich.table import Table
from sets import SETS
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Perceptron as Sklearn
from sklearn.svm import LinearSVC

from novikoff import AveragedPerceptron, PassiveAggressiveClassifier, Perceptron, PocketPerceptron

LEARNERS = {
    "sk Perceptron": Sklearn(),
    "sk Logistic": LogisticRegression(max_iter=300),
    "sk LinearSVC": LinearSVC(max_iter=300),
    "Perceptron": Perceptron(),
    "Averaged": AveragedPerceptron(),
    "Passive-aggr.": PassiveAggressiveClassifier(),
    "ratchet alone": PocketPerceptron(refine=False),
    "Pocket": PocketPerceptron(),
}
LARGE, DRAWN = 40_000, 10_000
"""Of more rows only so many are taken, drawn at random."""


def some(X: Any, y: np.ndarray) -> tuple[Any, np.ndarray]:
    """All rows, or some where they are too many."""
    if len(y) <= LARGE:
        return X, y
    kept = np.random.default_rng(0).choice(len(y), DRAWN, replace=False)
    return X[kept], y[kept]


def errors(model: Any, X: Any, y: np.ndarray) -> int:
    """The training rows that the plane of a model has on the wrong side, or on it."""
    signs = np.where(y == np.unique(y)[-1], 1, -1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return int((signs * model.fit(X, signs).decision_function(X) <= 0).sum())


def main() -> None:
    table = Table(*("set", "rows", *LEARNERS))
    for name in sys.argv[1:] or SETS:
        try:
            for title, splits in variants(name):
                X, y = some(*splits[0][:2])
                found = [errors(model, X, y) for model in LEARNERS.values()]
                fewest = min(found)
                table.add_row(
                    title, str(len(y)), *(f"**{count}**" if count == fewest else str(count) for count in found)
                )
                print(title, found, flush=True)
        except MissingError as why:
            print(f"{name}: {why}")
    Console(width=200).print(table)


if __name__ == "__main__":
    main()
    print(origin())
