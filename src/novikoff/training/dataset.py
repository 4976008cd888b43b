"""The training set of a fit: rows, class numbers and sample weights, checked; and the rows as the passes read them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_consistent_length, compute_class_weight
from sklearn.utils.validation import _check_sample_weight

from .. import inputs
from ..data.labels import label_array, number_labels
from ..inputs import unsigned
from ..passes.linear import Targets, longest
from ..passes.rows import Csr, Dense
from .problems import Problems, posed

LARGEST_WEIGHT = 1e50


@dataclass(frozen=True)
class TrainingSet:
    """Rows, what they are to be taught as, and how much each counts."""

    X: Any
    names: Any
    classes: np.ndarray
    labels: np.ndarray  # the class number of every row
    steps: np.ndarray  # the length of the step that a row's update takes, in units of eta0; or one for all
    row_order: np.ndarray  # the rows that count at all

    def posed(self, bias: float, start: np.ndarray, rule: Any, joint: bool, jobs: int) -> list[Problems]:
        """The problems that it poses to weights to start from, in groups."""
        rows, largest = rows_of(self, bias)
        targets = Targets(self.labels, self.steps)
        return posed(rows, targets, float(np.sqrt(largest)), start, rule, joint, jobs)


def training_set(estimator: Any, X: Any, y: Any, sample_weight: Any, classes: Any = None) -> TrainingSet:
    """Check rows, labels and weights; with ``classes`` given, a part of the rows, in which some may be missing."""
    if y is None:
        raise ValueError(f"{type(estimator).__name__} requires y to be passed, but the target y is None.")
    names = inputs.column_names(X)
    Xc = inputs.checked(X, estimator)
    y = label_array(y)
    check_consistent_length(Xc, y)
    found, labels = number_labels(y, classes)
    steps = row_weights(estimator, Xc, y, found, labels, sample_weight)
    row_order = np.flatnonzero(np.broadcast_to(steps, y.shape)).astype(np.uint32)
    if not len(row_order):
        raise ValueError(
            "The weights of all rows are zero: none is left to learn from; check sample_weight and class_weight."
        )
    present = np.bincount(labels[row_order], minlength=len(found)) > 0
    if classes is None and present.sum() < 2:
        raise ValueError(
            f"{type(estimator).__name__} needs rows of at least two classes with a positive weight, "
            f"but they are of one class only: {found[present].tolist()}."
        )
    return TrainingSet(Xc, names, found, labels.astype(np.int32), steps, row_order)


def row_weights(estimator: Any, X: Any, y: Any, classes: Any, labels: Any, sample_weight: Any) -> np.ndarray:
    """The sample's weight times the weight of its class; a single 1 if there are no weights."""
    class_weight = getattr(estimator, "class_weight", None)
    if sample_weight is None and class_weight is None:
        return np.ones(1)
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


def rows_of(training_set: TrainingSet, bias: float) -> tuple[Any, float]:
    """The rows as the passes read them, and the largest ‖x‖² of those that count; all are known to be finite."""
    rows = readable(training_set.X, bias)
    largest = longest(rows)
    inputs.check_length(largest, training_set.X, training_set.names)
    if len(training_set.row_order) < len(training_set.labels):
        largest = longest(readable(training_set.X[training_set.row_order], bias))
    return rows, largest


def readable(X: Any, bias: float) -> Any:
    """Rows for the passes, without a copy."""
    if sp.issparse(X):
        return Csr(machine(X.data), unsigned(X.indices), unsigned(X.indptr), bias)
    return Dense(machine(X), bias)


def machine(values: np.ndarray) -> np.ndarray:
    """Truth values as the bytes 0 and 1, which convert to numbers without a test."""
    return values.view(np.uint8) if values.dtype == bool else values
