"""The work of ``novikoff bench``: all learners, and scikit-learn's, on the same folds of one file."""

import time
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, Perceptron, SGDClassifier
from sklearn.metrics import accuracy_score, balanced_accuracy_score

from ..registry import SHORT_NAMES
from .engines import check_folds
from .fit_request import FitRequest
from .labelled_rows import DataSummary, read_rows
from .model_choice import shuffled_folds
from .pipelines import collect_warnings, make_learner, make_preparation


@dataclass(frozen=True)
class LearnerScore:
    """A learner, its mean accuracy over the folds, and the median of the seconds of its fits."""

    learner: str
    accuracy: float
    balanced_accuracy: float
    seconds: float


@dataclass(frozen=True)
class Comparison:
    """All that a comparison tells; the best learner first."""

    data: DataSummary
    folds: int
    learners: list[LearnerScore]

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON has it."""
        return asdict(self)


def compare(request: FitRequest, folds: int) -> Comparison:
    """All learners and scikit-learn's on the same folds, prepared once per fold."""
    rows = read_rows(request)
    check_folds(folds, min(Counter(rows.y.tolist()).values()))
    learners = {name: make_learner(name) for name in SHORT_NAMES}
    learners |= {f"scikit-learn {type(m).__name__}": m for m in (Perceptron(), SGDClassifier(), LogisticRegression())}
    scores: dict[str, list[LearnerScore]] = {name: [] for name in learners}
    for train, test in shuffled_folds(folds).split(rows.y, rows.y):
        prepare = make_preparation(rows.columns, request.missing == "impute")
        (X, y), (X_test, y_test) = rows.take(train), rows.take(test)
        X, X_test = prepare.fit_transform(X, y), prepare.transform(X_test)
        for name, learner in learners.items():
            scores[name].append(score(name, clone(learner), (X, y), (X_test, y_test)))
    best_first = sorted(map(mean_score, scores.values()), key=lambda each: -each.accuracy)
    return Comparison(rows.describe(), folds, best_first)


def score(name: str, learner: Any, train: tuple[Any, Any], test: tuple[Any, Any]) -> LearnerScore:
    """A learner trained on some rows and tested on others."""
    start = time.perf_counter()
    with collect_warnings():
        learner.fit(*train)
    seconds = time.perf_counter() - start
    predicted = learner.predict(test[0])
    balanced = balanced_accuracy_score(test[1], predicted)
    return LearnerScore(name, float(accuracy_score(test[1], predicted)), float(balanced), seconds)


def mean_score(scores: list[LearnerScore]) -> LearnerScore:
    """What a learner reached over all folds."""
    return LearnerScore(
        scores[0].learner,
        float(np.mean([each.accuracy for each in scores])),
        float(np.mean([each.balanced_accuracy for each in scores])),
        float(np.median([each.seconds for each in scores])),  # the first fit may compile
    )
