"""The real data sets, as rows and labels to learn from and to be tested on."""

import csv
import gzip
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from measure import MissingError
from sklearn.datasets import load_svmlight_file
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

DATA = Path(os.environ.get("NOVIKOFF_DATA", Path(__file__).parents[2] / "shared" / "data"))


def real(name: str) -> Path:
    """A file of the folder of real data."""
    if not (DATA / name).exists():
        raise MissingError(f"{name} is not in {DATA.name}/")
    return DATA / name


@cache
def libsvm(name: str, features: int | None = None) -> tuple[Any, np.ndarray]:
    """A libsvm file, with the 32-bit indices that scikit-learn insists on."""
    X, y = load_svmlight_file(str(real(name)), n_features=features)
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return sp.csr_matrix(X), y


def split_libsvm(train: str, test: str) -> tuple[Any, ...]:
    X, y = libsvm(train)
    return X, y, *libsvm(test, X.shape[1])


def npz(name: str) -> tuple[Any, ...]:
    """Rows and labels; of both parts where the set has an official split."""
    file = np.load(real(f"{name}.npz"), allow_pickle=False)
    keys = ("X", "y") if "X" in file.files else ("X_train", "y_train", "X_test", "y_test")
    return tuple(file[key] for key in keys)


def covtype() -> tuple[Any, ...]:
    """All 54 columns as int16; a fifth of the rows, drawn at random, to be tested on."""
    file = np.load(real("covtype.npz"))
    eyes = np.eye(4, dtype=np.int16)[file["wilderness"]], np.eye(40, dtype=np.int16)[file["soil"]]
    X, y = np.hstack([file["X_num"], *eyes]), file["y"]
    order = np.random.default_rng(0).permutation(len(y))
    test, train = order[: len(y) // 5], order[len(y) // 5 :]
    return X[train], y[train], X[test], y[test]


def penguins() -> tuple[Any, ...]:
    """The four measurements of the penguins that have them all."""
    with gzip.open(real("penguins.csv.gz"), "rt", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    columns = [j for j, name in enumerate(rows[0]) if name.endswith(("_mm", "_g"))]
    kept = [row for row in rows[1:] if all(row[j] not in ("", "NA") for j in columns)]
    return np.array([[float(row[j]) for j in columns] for row in kept]), np.array([row[0] for row in kept])


def sms() -> tuple[Any, ...]:
    """Messages as bags of words."""
    with gzip.open(real("sms_spam_collection.tsv.gz"), "rt", encoding="utf-8") as file:
        labels, texts = zip(*(line.rstrip("\n").split("\t", 1) for line in file), strict=True)
    return CountVectorizer().fit_transform(texts), np.array(labels)


SETS = {
    "mnist": lambda: npz("mnist"),
    "covtype": covtype,
    "imdb": lambda: split_libsvm("imdb_counts_mindf5.train.libsvm.gz", "imdb_counts_mindf5.test.libsvm.gz"),
    "20news": lambda: split_libsvm("20news_counts.train.libsvm.gz", "20news_counts.test.libsvm.gz"),
    "a9a": lambda: split_libsvm("a9a.libsvm.gz", "a9a.t.libsvm.gz"),
    "mushrooms": lambda: split_libsvm("mushrooms_agaricus.train.libsvm.gz", "mushrooms_agaricus.test.libsvm.gz"),
    "sms": sms,
    "spambase": lambda: npz("spambase"),
    "banknote": lambda: npz("banknote"),
    "pima": lambda: npz("pima"),
    "wdbc": lambda: npz("wdbc"),
    "ionosphere": lambda: npz("ionosphere"),
    "penguins": penguins,
    "heart": lambda: libsvm("heart_scale.libsvm.gz"),
    "sonar": lambda: npz("sonar"),
    "iris": lambda: npz("iris"),
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
