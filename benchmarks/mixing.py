"""How well order="shuffled" mixes: its accuracy beside that of a permutation of all rows, on rows that come sorted.

20 newsgroups as it is stored, MNIST and covtype sorted by label, and rows whose labels drift; mean over some seeds.
``python benchmarks/mixing.py [set …]`` runs some of them.
"""

import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from origin import origin
from rich.console import Console
from rich.table import Table
from sets import SETS
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler

from novikoff import AveragedPerceptron, PassiveAggressiveClassifier, Perceptron
from novikoff.training import run

SEEDS = {Perceptron: 100, AveragedPerceptron: 5, PassiveAggressiveClassifier: 5}
"""The single plane of a Perceptron varies more from seed to seed than a mean does."""
PASSES = {"20news": 10, "mnist": 10, "covtype": 5, "drift": 10}


def permutation(rows: np.ndarray, seed: int) -> np.ndarray:
    """All rows in any order."""
    return np.random.default_rng(seed).permutation(rows)


def drift(n: int = 40_000, d: int = 50) -> tuple[Any, ...]:
    """Rows that move away, told apart by a plane that turns; a fifth of them, drawn at random, to be tested on."""
    rng = np.random.default_rng(0)
    first, last = rng.standard_normal((2, d))
    time = np.linspace(0, 1, n)[:, None]
    X = rng.standard_normal((n, d)) + 2 * time * rng.standard_normal(d)
    y = (X * ((1 - time) * first + time * last)).sum(axis=1) + rng.standard_normal(n) > 0
    test = np.zeros(n, dtype=bool)
    test[rng.permutation(n)[: n // 5]] = True
    return X[~test], y[~test], X[test], y[test]


def by_label(name: str) -> tuple[Any, ...]:
    """A set whose rows come sorted by label, in float32; covtype standardised."""
    X, y, Z, t = SETS[name]()
    if name == "covtype":
        scaler = StandardScaler().fit(X)
        X, Z = scaler.transform(X), scaler.transform(Z)
    order = np.argsort(y, kind="stable")
    return X[order].astype(np.float32), y[order], Z.astype(np.float32), t


def accuracies(model: Any, data: tuple[Any, ...], order: Callable[..., Any], passes: int) -> np.ndarray:
    """Of so many seeds, in percent."""
    X, y, Z, t = data
    run.shuffled = order
    fits = (model(random_state=seed, max_iter=passes, n_jobs=2).fit(X, y) for seed in range(SEEDS[model]))
    return np.array([100 * fit.score(Z, t) for fit in fits])


def main(names: list[str]) -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    ours, table = run.shuffled, Table(title="Accuracy in percent, mean over seeds ± one standard error")
    for column in ("rows", "learner", "a permutation of all rows", 'order="shuffled"'):
        table.add_column(column, justify="left" if column in ("rows", "learner") else "right")
    for name in names:
        data = drift() if name == "drift" else SETS[name]() if name == "20news" else by_label(name)
        for model in SEEDS:
            found = [accuracies(model, data, order, PASSES[name]) for order in (permutation, ours)]
            cells = [f"{scores.mean():.2f} ± {scores.std(ddof=1) / len(scores) ** 0.5:.2f}" for scores in found]
            print(name, model.__name__, *cells, sep=" | ", flush=True)
            table.add_row(name, model.__name__, *cells)
    Console(width=120).print(table)


if __name__ == "__main__":
    main(sys.argv[1:] or list(PASSES))
    print(origin())
