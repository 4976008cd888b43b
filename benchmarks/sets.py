"""The real data sets, as rows and labels to learn from and to be tested on."""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from measure import MissingError
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from novikoff import datasets

DATA = Path(os.environ.setdefault("NOVIKOFF_DATA", str(Path(__file__).parents[2] / "shared" / "data")))


def real(name: str) -> Path:
    """A file of the folder of real data."""
    if not (DATA / name).exists():
        raise MissingError(f"{name} is not in {DATA.name}/")
    return DATA / name


@cache
def whole(name: str) -> Any:
    """A data set, where it is or comes from."""
    try:
        return datasets.fetch(name)
    except ValueError as error:
        raise MissingError(str(error)) from error


def parts_of(name: str) -> tuple[Any, ...]:
    """Rows and labels; of both parts where the set has an official split."""
    data = whole(name)
    if "train" not in data:
        return data.data, data.target
    X, y, rows = data.data, data.target, len(data.train)
    return X[:rows], y[:rows], X[rows:], y[rows:]


def covtype() -> tuple[Any, ...]:
    """All 54 columns as int16; a fifth of the rows, drawn at random, to be tested on."""
    X, y = parts_of("covtype")
    order = np.random.default_rng(0).permutation(len(y))
    test, train = order[: len(y) // 5], order[len(y) // 5 :]
    return X[train], y[train], X[test], y[test]


def penguins() -> tuple[Any, ...]:
    """The four measurements of the penguins that have them all."""
    data = whole("penguins")
    columns = [j for j, name in enumerate(data.feature_names) if name.endswith(("_mm", "_g"))]
    kept = ~np.isin(data.data[:, columns].astype(str), ["", "NA"]).any(axis=1)
    return data.data[kept][:, columns].astype(float), data.target[kept].astype(str)


def sms() -> tuple[Any, ...]:
    """Messages as bags of words."""
    texts, labels = parts_of("sms")
    return CountVectorizer().fit_transform(texts), labels


def of_fetch(name: str) -> Callable[[], tuple[Any, ...]]:
    return lambda: parts_of(name)


SETS = {
    "mnist": of_fetch("mnist"),
    "covtype": covtype,
    "imdb": of_fetch("imdb"),
    "20news": of_fetch("20news"),
    "a9a": of_fetch("a9a"),
    "mushrooms": of_fetch("mushrooms"),
    "sms": sms,
    "spambase": of_fetch("spambase"),
    "banknote": of_fetch("banknote"),
    "pima": of_fetch("pima"),
    "wdbc": lambda: load_breast_cancer(return_X_y=True),
    "ionosphere": of_fetch("ionosphere"),
    "penguins": penguins,
    "heart": of_fetch("heart"),
    "sonar": of_fetch("sonar"),
    "iris": lambda: load_iris(return_X_y=True),
}
TEXT = {"imdb", "20news", "sms"}
"""The sets of word counts."""


def parts(data: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """The official split, or five folds."""
    if len(data) == 4:
        return [data]
    X, y = data
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    return [(X[train], y[train], X[test], y[test]) for train, test in folds.split(X, y)]


def prepared(name: str, split: tuple[Any, ...]) -> tuple[Any, ...]:
    """Rows as people would give them to a linear learner; what is learnt for it is learnt of the training rows only."""
    X, y, X_test, y_test = split
    if name in TEXT:
        change = TfidfTransformer(sublinear_tf=True).fit(X)
    elif sp.issparse(X):
        return split
    elif name == "mnist":
        return (X / np.float32(255)).astype(np.float32), y, (X_test / np.float32(255)).astype(np.float32), y_test
    else:
        change = StandardScaler().fit(X)
    return change.transform(X), y, change.transform(X_test), y_test
