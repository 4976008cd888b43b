"""Passive-aggressive regression beside scikit-learn's SGDRegressor, Ridge and its own, on numbers of real sets.

Columns are standardised, the same for all, and every learner is at its defaults; five folds.  Printed are R² on rows
not trained on and the seconds of all fits, best of several seeds.  ``python benchmarks/regressors.py [set …]`` runs
some of the sets.
"""

import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from compare import marked
from defaults import measured
from measure import MissingError
from origin import origin
from rich.console import Console
from rich.table import Table
from sets import parts_of, penguins
from sklearn.datasets import load_breast_cancer, load_diabetes, make_regression
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import PassiveAggressiveRegressor as Sklearn
from sklearn.linear_model import Ridge, SGDRegressor
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler

import novikoff

SEEDS = 3
LEARNERS = {
    "sk Passive-aggr.": lambda: Sklearn(random_state=0),
    "sk SGD": lambda: SGDRegressor(random_state=0),
    "sk Ridge": lambda: Ridge(),
    "Passive-aggr.": lambda: novikoff.PassiveAggressiveRegressor(),
}


def without(X: np.ndarray, column: int) -> tuple[np.ndarray, np.ndarray]:
    """The other columns, and this one to be learnt."""
    return np.delete(X, column, axis=1), X[:, column]


def covtype_elevation() -> tuple[np.ndarray, np.ndarray]:
    """Every tenth row of covtype: the elevation out of the other nine numbers."""
    return without(parts_of("covtype")[0][::10, :10].astype(float), 0)


NUMBERS = {
    "diabetes": lambda: load_diabetes(return_X_y=True, scaled=False),
    "penguins, mass": lambda: without(penguins()[0], 3),
    "pima, glucose": lambda: without(parts_of("pima")[0], 1),
    "wdbc, area": lambda: without(load_breast_cancer().data, 3),
    "covtype, elevation": covtype_elevation,
    "synthetic": lambda: make_regression(100_000, 50, noise=20, random_state=0),
}
"""What is learnt of each set: a number of its rows out of the others."""


def splits(X: np.ndarray, y: np.ndarray) -> Iterator[tuple[Any, ...]]:
    for train, test in KFold(5, shuffle=True, random_state=0).split(X):
        scale = StandardScaler().fit(X[train])
        yield scale.transform(X[train]), y[train], scale.transform(X[test]), y[test]


def main(wanted: list[str]) -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    warnings.simplefilter("ignore", FutureWarning)  # scikit-learn 1.8 deprecates its own
    accuracy, seconds = Table(title="R² on rows not trained on"), Table(title="Seconds of all fits")
    for table in (accuracy, seconds):
        table.add_column("set, number", no_wrap=True)
        for name in LEARNERS:
            table.add_column(name, justify="right")
    for name, load in NUMBERS.items():
        if wanted and name.split(",")[0] not in wanted:
            continue
        try:
            folds = list(splits(*load()))
        except MissingError as reason:
            accuracy.add_row(name, str(reason))
            continue
        novikoff.PassiveAggressiveRegressor().fit(*folds[0][:2])  # compiled
        results = measured([make() for make in LEARNERS.values()], folds, SEEDS)
        accuracy.add_row(name, *marked(score for _, score in results))
        seconds.add_row(name, *(f"{time:.3f}" for time, _ in results))
    for table in (accuracy, seconds):
        Console(width=120).print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
    print(origin())
