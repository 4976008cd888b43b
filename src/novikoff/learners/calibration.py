"""Probabilities out of scores of rows that were held out, by scikit-learn's calibration."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn import config_context, get_config
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import StratifiedKFold, cross_val_predict

FOLDS = 5
"""Parts that ``fit`` holds out, one after the other."""
WINDOW = 2000
"""Held-out scores of ``partial_fit`` that are kept, the last ones."""
GROWTH = 1.1
"""Scores that came since the last calibration, as a factor, before probabilities are calibrated again."""


class GivenScores(ClassifierMixin, BaseEstimator):
    """A classifier whose rows are the scores themselves, which is all that a calibration asks of one."""

    def __init__(self, n_classes: int = 2) -> None:
        self.n_classes = n_classes

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "GivenScores":
        """Nothing is left to learn."""
        self.classes_ = np.arange(self.n_classes)
        return self

    def decision_function(self, X: Any) -> Any:
        """The rows."""
        X = np.asarray(X)
        return X[:, 0] if X.shape[1] == 1 else X

    def predict(self, X: Any) -> Any:
        """The class with the largest score; of two, the second where it is not negative."""
        scores = self.decision_function(X)
        return (scores >= 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)


@dataclass
class Calibration:
    """Scores of rows before they were trained on, their class numbers and weights, and what was made of them."""

    method: str
    n_classes: int
    scores: np.ndarray
    labels: np.ndarray
    sample_weight: np.ndarray
    seen: int = 0
    fitted_at: int = 0
    model: Any = None

    def add(self, scores: np.ndarray, labels: np.ndarray, sample_weight: np.ndarray) -> None:
        """Scores that rows had before they were trained on."""
        self.scores = np.vstack([self.scores, scores])[-WINDOW:]
        self.labels = np.append(self.labels, labels)[-WINDOW:]
        self.sample_weight = np.append(self.sample_weight, sample_weight)[-WINDOW:]
        self.seen += len(labels)

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        """The probabilities of all classes; all alike as long as some class has not been among the rows held out."""
        present = np.bincount(self.labels.astype(int), self.sample_weight, minlength=self.n_classes) > 0
        if not present.all():
            return np.full((len(scores), self.n_classes), 1 / self.n_classes)
        if self.model is None or self.seen >= GROWTH * self.fitted_at:
            labels = self.labels.astype(int)
            self.model = fit_to_scores(self.method, self.n_classes, self.scores, labels, self.sample_weight)
            self.fitted_at = self.seen
        return self.model.predict_proba(scores)


def fit_to_scores(
    method: str, n_classes: int, scores: np.ndarray, labels: np.ndarray, sample_weight: np.ndarray | None = None
) -> CalibratedClassifierCV:
    """scikit-learn's calibration of scores that are there already, one column per weight vector."""
    rows = np.arange(len(labels))
    model = CalibratedClassifierCV(GivenScores(n_classes), method=method, cv=[(rows, rows)], ensemble=False)
    with config_context(enable_metadata_routing=False):  # these weights are nobody's to route
        return model.fit(scores, labels, sample_weight)


def platt_sigmoid(scores: np.ndarray, inside: np.ndarray) -> tuple[float, float]:
    """Slope and offset of the likeliest 1/(1 + exp(−slope·score − offset)), for the targets of Platt."""
    model = fit_to_scores("sigmoid", 2, scores[:, None], inside.astype(int))
    (sigmoid,) = model.calibrated_classifiers_[0].calibrators
    return -float(sigmoid.a_), -float(sigmoid.b_)


def empty_calibration(method: Any, n_classes: int) -> Calibration:
    """A calibration that has seen nothing; ``method`` is "sigmoid", "isotonic" or True for the first."""
    columns = 1 if n_classes == 2 else n_classes
    name = "sigmoid" if method is True else str(method)
    return Calibration(name, n_classes, np.empty((0, columns)), np.empty(0), np.empty(0))


def columns_of(scores: Any) -> np.ndarray:
    """Scores with a column per weight vector."""
    return np.asarray(scores).reshape(len(scores), -1)


def cross_fitted(learner: Any, X: Any, y: Any, sample_weight: Any) -> Calibration:
    """Scores of all rows, each by a clone that was not trained on it."""
    y = np.asarray(y).ravel()
    counts = np.unique(y, return_counts=True)[1]
    if counts.min() < 2:
        raise ValueError("calibrated needs at least two rows of every class, to hold one of them out.")
    folds = StratifiedKFold(min(FOLDS, int(counts.min())), shuffle=True, random_state=0)
    params = {} if sample_weight is None else {"params": {"sample_weight": sample_weight}}
    plain = clone(learner).set_params(calibrated=False, warm_start=False, verbose=0)
    if params and get_config()["enable_metadata_routing"]:
        plain.set_fit_request(sample_weight=True)
    scores = cross_val_predict(plain, X, y, cv=folds, method="decision_function", **params)
    calibration = empty_calibration(learner.calibrated, len(learner.classes_))
    weights = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    labels = np.searchsorted(learner.classes_, y)
    return replace(calibration, scores=columns_of(scores), labels=labels, sample_weight=weights, seen=len(y))
