"""The training set of a fit: rows, class numbers and sample weights, checked; and the rows as the passes read them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length, compute_class_weight
from sklearn.utils.validation import _check_sample_weight

from .. import inputs
from ..data.labels import label_array, number_labels
from ..passes.ledger import Targets
from ..passes.rows import longest, of_matrix
from ..passes.rules import Rule
from .problems import LinearProblems, make_problems

LARGEST_WEIGHT = 1e50


@dataclass(frozen=True)
class TrainingSet:
    """Rows, what they are to be taught as, and how much each counts."""

    X: Any
    names: Any
    classes: np.ndarray
    labels: np.ndarray  # the class number of every row
    sample_weight: np.ndarray  # the step of an update on a row, in units of eta0; or one for all
    row_order: np.ndarray  # the rows that count at all

    def make_problems(
        self, bias: float, start: np.ndarray | None, rule: Rule, joint: bool, jobs: int
    ) -> list[LinearProblems]:
        """The problems that it poses to weights to start from (by default zero), in groups."""
        radius = self.radius(bias)
        if start is None:
            start = np.zeros((1 if len(self.classes) == 2 else len(self.classes), self.X.shape[1] + 1))
        return make_problems(self.X, Targets(self.labels, self.sample_weight), bias, radius, start, rule, joint, jobs)

    def radius(self, bias: float) -> float:
        """The length of the longest row [x; bias] that counts; all rows are seen to be finite."""
        square = longest(of_matrix(self.X, bias))
        if not 1 / inputs.LARGEST_SQUARE <= square <= inputs.LARGEST_SQUARE:
            inputs.check_length(square, self.X, self.names)
        if len(self.row_order) < len(self.labels):
            square = longest(of_matrix(self.X[self.row_order], bias))
        return float(np.sqrt(square))


def training_set(estimator: Any, X: Any, y: Any, sample_weight: Any, classes: Any = None) -> TrainingSet:
    """Check rows, labels and weights; with ``classes`` given, a part of the rows, in which some may be missing."""
    if y is None:
        raise ValueError(f"{type(estimator).__name__} requires y to be passed, but the target y is None.")
    names = inputs.column_names(X)
    Xc = inputs.checked(X, estimator)
    y = label_array(y)
    check_consistent_length(Xc, y)
    known, labels = number_labels(y, classes)
    weights = np.ones(1)
    if sample_weight is not None or getattr(estimator, "class_weight", None) is not None:
        weights = row_weights(estimator, Xc, y, known, labels, sample_weight)
    row_order = np.flatnonzero(np.broadcast_to(weights, y.shape)).astype(np.uint32)
    if not len(row_order):
        raise ValueError(
            "The weights of all rows are zero: none is left to learn from; check sample_weight and class_weight."
        )
    present = np.bincount(labels[row_order], minlength=len(known)) > 0
    if classes is None and present.sum() < 2:
        raise ValueError(
            f"{type(estimator).__name__} needs rows of at least two classes with a positive weight, "
            f"but they are of one class only: {known[present].tolist()}."
        )
    return TrainingSet(Xc, names, known, labels.astype(np.int32), weights, row_order)


def row_weights(estimator: Any, X: Any, y: Any, classes: Any, labels: Any, sample_weight: Any) -> np.ndarray:
    """The sample's weight times the weight of its class."""
    class_weight = getattr(estimator, "class_weight", None)
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    if class_weight is not None:
        by_class = compute_class_weight(class_weight, classes=classes, y=y)
        if not (by_class >= 0).all():
            raise ValueError(f"class_weight must not be negative or NaN, got {class_weight!r}.")
        weights = weights * by_class[labels]
    positive = weights[weights > 0]
    if len(positive) and not (positive.max() <= LARGEST_WEIGHT and positive.min() >= 1 / LARGEST_WEIGHT):
        raise ValueError(
            f"The weights of rows (sample_weight times class_weight) go from {positive.min():.3g} to "
            f"{positive.max():.3g}; those that are not 0 must be from {1 / LARGEST_WEIGHT:g} to {LARGEST_WEIGHT:g}."
        )
    return weights
