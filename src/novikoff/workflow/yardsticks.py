"""What other models reach on the same rows, within a limit of time: the majority class, a linear one, a curved one."""

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from .model_choice import sample
from .pipelines import collect_warnings

FIRST_ROWS = 1000
"""Rows that a yardstick is trained on first, to know how long it takes."""
MOST_DENSE = 2 * 10**7
"""Numbers up to which sparse rows are laid out for a model that takes no others."""
MOST_COLUMNS = 1000
"""Columns up to which there is a curved yardstick: trees look at every one of them."""
MOST_CLASSES = 30
"""Classes up to which there is one: trees are grown for each."""
LINEAR, CURVED = "LogisticRegression", "HistGradientBoosting"


@dataclass(frozen=True)
class Yardstick:
    """What a model of scikit-learn reached on the rows that ours was tested on; ``rows`` it was trained on."""

    kind: str  # majority, linear or curved
    name: str
    accuracy: float
    rows: int
    folds: int  # that the time allowed
    seconds: float


@dataclass
class Yardsticks:
    """Yardsticks that are laid on, fold by fold."""

    classes: np.ndarray
    seconds: float  # that each may take, over all folds
    folds: int
    right: dict[str, int] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    spent: dict[str, float] = field(default_factory=dict)
    tested: dict[str, int] = field(default_factory=dict)
    done: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        import sklearn.ensemble  # noqa: F401  (imported here, as it counts in no one's time)

        self.threads = ThreadpoolController()  # looks for libraries, which takes as long as a fit on few rows

    def lay_on(self, train: tuple[Any, np.ndarray], test: tuple[Any, np.ndarray]) -> None:
        """Train on the prepared rows of a fold and test."""
        numbers = np.searchsorted(self.classes, train[1])
        majority = self.classes[np.bincount(numbers, minlength=len(self.classes)).argmax()]
        self.note("majority", test[1] == majority, len(train[1]), 0.0)
        for kind in ("linear", "curved"):
            if kind == "curved" and not suits_trees(train[0], test[0], len(self.classes)):
                continue
            done = self.done.get(kind, 0)
            if done and self.spent[kind] * (done + 1) / done > self.seconds:
                continue
            start = time.perf_counter()
            with self.threads.limit(limits=1):  # threads that wait for each other can take long
                predicted, rows = fit_within(kind, train, test[0], self.seconds / self.folds)
            self.note(kind, predicted == test[1], rows, time.perf_counter() - start)

    def note(self, kind: str, right: np.ndarray, rows: int, seconds: float) -> None:
        """Add what was found in a fold."""
        self.right[kind] = self.right.get(kind, 0) + int(right.sum())
        self.tested[kind] = self.tested.get(kind, 0) + len(right)
        self.done[kind] = self.done.get(kind, 0) + 1
        self.spent[kind] = self.spent.get(kind, 0.0) + seconds
        self.rows[kind] = max(self.rows.get(kind, 0), rows)

    def found(self) -> list[Yardstick]:
        """What all folds together say."""
        names = {"majority": "the most frequent class", "linear": LINEAR, "curved": CURVED}
        found = []
        for kind, right in self.right.items():
            share, spent = right / self.tested[kind], round(self.spent[kind], 3)
            found.append(Yardstick(kind, names[kind], share, self.rows[kind], self.done[kind], spent))
        return found


def suits_trees(X: Any, X_test: Any, classes: int) -> bool:
    """Whether trees can be grown on rows in a few seconds, and sparse ones be laid out for it."""
    fits = not hasattr(X_test, "toarray") or X_test.shape[0] * X_test.shape[1] <= MOST_DENSE
    return X.shape[1] <= MOST_COLUMNS and classes <= MOST_CLASSES and fits


def fit_within(kind: str, train: tuple[Any, np.ndarray], X_test: Any, seconds: float) -> tuple[np.ndarray, int]:
    """The labels that a model of scikit-learn predicts, trained on as many of the rows as the time allows.

    How long it takes is known from some rows first; the time grows with their number.
    """
    X, y = train
    some = sample(y, FIRST_ROWS)
    start = time.perf_counter()
    model = fit_one(kind, X[some], y[some])
    spent = time.perf_counter() - start
    more = int(len(some) * (seconds - spent) / max(spent, 1e-9))
    if len(some) < len(y) and more >= 2 * len(some):
        some = sample(y, more)
        model = fit_one(kind, X[some], y[some])
    return model.predict(dense(X_test) if kind == "curved" else X_test), len(some)


def fit_one(kind: str, X: Any, y: np.ndarray) -> Any:
    """A yardstick with its default settings."""
    with collect_warnings():
        if kind == "linear":
            from sklearn.linear_model import LogisticRegression

            return LogisticRegression().fit(X, y)
        from sklearn.ensemble import HistGradientBoostingClassifier

        return HistGradientBoostingClassifier(early_stopping=False, random_state=0).fit(dense(X), y)


def dense(X: Any) -> Any:
    """Sparse rows laid out, as trees need them."""
    return X.toarray() if hasattr(X, "toarray") else X
