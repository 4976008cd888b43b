"""How good predictions are: accuracy with its standard error, and the other measures that people ask for."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from sklearn import metrics

from .sigmoids import MOST_CLASSES, Sigmoids, class_margins, cross_calibrated, fit_calibration

FEW_GROUPS = 5000
"""Rows above which, for the log-loss, sigmoids are fitted to halves and not to folds."""
TOO_FEW = 10
"""Rows below which nothing is calibrated."""


@dataclass(frozen=True)
class ClassMeasures:
    """Of the rows taken for a class, the part that is right; of its rows, the part that was found; their mean."""

    label: str
    rows: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class Measurement:
    """How good predictions are; ``confusion[i][j]`` rows of class i were taken for class j."""

    rows: int
    accuracy: float
    standard_error: float
    balanced_accuracy: float
    f1: float  # the mean of the classes'
    roc_auc: float | None  # of more than two classes the mean of each against the rest
    log_loss: float | None  # of calibrated probabilities
    labels: list[str]
    confusion: list[list[int]]
    classes: list[ClassMeasures]


@dataclass(frozen=True)
class Quality:
    """How the model was measured, and what came out, if it could be."""

    how: str
    measurement: Measurement | None = None

    def to_dict(self) -> dict[str, Any]:
        return {"how": self.how} | (asdict(self.measurement) if self.measurement else {})


@dataclass(frozen=True)
class HeldOutRows:
    """Rows that were not trained on: the number of each one's class, what it was taken for, its scores and its fold."""

    classes: np.ndarray
    numbers: np.ndarray
    predicted: np.ndarray
    scores: np.ndarray | None
    folds: np.ndarray

    @classmethod
    def of(cls, classes: np.ndarray, y: np.ndarray, predicted: np.ndarray, scores: Any, fold: int = 0) -> "HeldOutRows":
        """Those of one fold, given by their labels."""
        numbers, taken = np.searchsorted(classes, y), np.searchsorted(classes, predicted)
        return cls(classes, numbers, taken, scores, np.full(len(y), fold))

    @classmethod
    def join(cls, parts: "list[HeldOutRows]") -> "HeldOutRows":
        """The rows of all folds."""
        scores = [part.scores for part in parts if part.scores is not None]
        return cls(
            parts[0].classes,
            np.concatenate([part.numbers for part in parts]),
            np.concatenate([part.predicted for part in parts]),
            np.concatenate(scores) if len(scores) == len(parts) else None,
            np.concatenate([part.folds for part in parts]),
        )

    def confusion(self) -> np.ndarray:
        """How often rows of every class were taken for each."""
        return metrics.confusion_matrix(self.numbers, self.predicted, labels=np.arange(len(self.classes)))

    def calibratable(self) -> bool:
        """Whether there are scores, enough rows and not too many classes for probabilities."""
        few = len(self.classes) > MOST_CLASSES or len(self.numbers) < TOO_FEW or len(np.unique(self.numbers)) < 2
        return self.scores is not None and not few

    def calibration(self) -> Sigmoids | None:
        """The sigmoids that all of these rows give."""
        return fit_calibration(self.scores, self.numbers) if self.scores is not None and self.calibratable() else None


def describe_tested(how: str, tested: HeldOutRows) -> Quality:
    """All measures of rows that were tested."""
    right = tested.numbers == tested.predicted
    per_fold = [float(right[tested.folds == k].mean()) for k in np.unique(tested.folds)]
    return describe_confusion(how, [str(c) for c in tested.classes], tested.confusion(), tested, per_fold)


def describe_confusion(
    how: str,
    labels: list[str],
    confusion: np.ndarray,
    scored: HeldOutRows | None = None,
    per_fold: list[float] | None = None,
) -> Quality:
    """How good predictions are, of which it is known how often rows of every class were taken for each.

    The standard error is that of the mean over folds, or that of a proportion where there is one part only.
    """
    right, rows, taken = confusion.diagonal(), confusion.sum(axis=1), confusion.sum(axis=0)
    there = rows > 0
    accuracy = float(right.sum() / rows.sum())
    error = float(np.sqrt(accuracy * (1 - accuracy) / rows.sum()))
    if per_fold and len(per_fold) > 1:
        error = float(np.std(per_fold, ddof=1) / np.sqrt(len(per_fold)))
    f1 = 2 * right / np.maximum(rows + taken, 1)
    columns = right / np.maximum(taken, 1), right / np.maximum(rows, 1), f1
    lines = zip(labels, rows.tolist(), *(column.tolist() for column in columns), strict=True)
    measurement = Measurement(
        rows=int(rows.sum()),
        accuracy=accuracy,
        standard_error=error,
        balanced_accuracy=float(np.mean(right[there] / rows[there])),
        f1=float(np.mean(f1[there])),
        roc_auc=area(scored),
        log_loss=calibrated_loss(scored),
        labels=labels,
        confusion=confusion.tolist(),
        classes=[ClassMeasures(*line) for line in lines],
    )
    return Quality(how, measurement)


def area(tested: HeldOutRows | None) -> float | None:
    """The area under the ROC curve, the mean over folds and classes that have rows inside and outside."""
    if tested is None or tested.scores is None:
        return None
    columns = class_margins(tested.scores)
    places = [1] if columns.shape[1] == 1 else range(columns.shape[1])
    areas = []
    for fold in np.unique(tested.folds):
        rows = tested.folds == fold
        for k, place in enumerate(places):
            inside = tested.numbers[rows] == place
            if 0 < inside.sum() < len(inside):
                areas.append(metrics.roc_auc_score(inside, columns[rows, k]))
    return float(np.mean(areas)) if areas else None


def calibrated_loss(tested: HeldOutRows | None) -> float | None:
    """The log-loss of probabilities by sigmoids that were fitted to the scores of other rows."""
    if tested is None or tested.scores is None or not tested.calibratable():
        return None
    p = cross_calibrated(tested.scores, tested.numbers, calibration_groups(tested.folds))
    return float(metrics.log_loss(tested.numbers, p, labels=np.arange(p.shape[1])))


def calibration_groups(folds: np.ndarray) -> np.ndarray:
    """The folds, or two halves of the rows where there is one fold only or rows are many."""
    if len(np.unique(folds)) > 1:
        return folds if len(folds) <= FEW_GROUPS else folds % 2
    return np.random.default_rng(0).permutation(len(folds)) % 2
