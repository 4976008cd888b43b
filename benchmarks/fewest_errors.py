"""How few errors a plane can make: errors, proved bound, seconds of the search and of the check, on real sets.

Beside e01loss (PyPI, exact for few columns, without a proof) on the set that it brings along.
``python benchmarks/fewest_errors.py [name …]`` runs some of the rows.
"""

import sys
import time
from collections.abc import Callable
from importlib import resources
from typing import Any

import numpy as np
from measure import MissingError
from origin import origin
from sets import SETS

from novikoff import check, fewest_errors


def two(name: str, *classes: Any, columns: Any = slice(None)) -> tuple[Any, np.ndarray]:
    """The rows of two classes (of all, if none are named), and some columns."""
    X, y = SETS[name]()[:2]
    kept = np.isin(y, classes) if classes else np.ones(len(y), bool)
    X = X.toarray() if hasattr(X, "toarray") else X
    return X[kept][:, columns], y[kept]


def scaled(X: Any, y: Any) -> tuple[Any, Any]:
    """Standardised columns."""
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def voices() -> tuple[Any, np.ndarray]:
    """The set that comes with e01loss: 704 voices, two columns."""
    try:
        path = resources.files("e01loss").joinpath("test/voicepath_data.csv")
    except ModuleNotFoundError as why:
        raise MissingError("e01loss is not installed") from why
    data = np.genfromtxt(str(path), delimiter=",")
    return data[:, :2], data[:, 2]


ROWS: dict[str, tuple[Callable[[], Any], float]] = {
    "iris versicolor/virginica": (lambda: two("iris", 1, 2), 10.0),
    "banknote": (lambda: two("banknote"), 10.0),
    "pima, two columns, scaled": (lambda: scaled(*two("pima", columns=[1, 5])), 300.0),
    "wdbc, two columns, scaled": (lambda: scaled(*two("wdbc", columns=[20, 24])), 60.0),
    "MNIST 3v5": (lambda: two("mnist", 3, 5), 60.0),
    "voices": (voices, 300.0),
    "heart": (lambda: two("heart"), 300.0),
}
"""Name: the data, and the seconds given."""


def beside(X: Any, y: np.ndarray) -> str:
    """What e01loss finds on the same rows, and how long it takes."""
    from e01loss.exact_classify01loss import exact_classify01loss_cell

    signs = np.where(y == np.unique(y)[1], 1.0, -1.0)
    start = time.perf_counter()
    _, least, _, _ = exact_classify01loss_cell(X, signs)
    return f"; e01loss {int(least)} in {time.perf_counter() - start:.1f} s"


def compile_passes() -> None:
    """A small question, so that compiling is not measured."""
    rng = np.random.default_rng(0)
    fewest_errors(rng.normal(size=(40, 2)), rng.integers(0, 2, 40))


def main() -> None:
    compile_passes()
    for name in sys.argv[1:] or ROWS:
        data, seconds = ROWS[name]
        try:
            X, y = data()
        except MissingError as why:
            print(f"{name}: {why}")
            continue
        start = time.perf_counter()
        found = fewest_errors(X, y, time_limit=seconds)
        searched = time.perf_counter()
        verdict = check(found, X, y)
        checked = time.perf_counter() - searched
        peer = beside(X, y) if name == "voices" else ""
        print(
            f"{name}, {X.shape[0]} × {X.shape[1]}: {found.errors} errors, at least {found.lower_bound}"
            f"{' (optimal)' if found.optimal else ''}, in {searched - start:.1f} s of {seconds:.0f},"
            f" checked in {checked:.2f} s: {'accepted' if verdict.accepted else verdict.sentence}{peer}",
            flush=True,
        )


if __name__ == "__main__":
    main()
    print(origin())
