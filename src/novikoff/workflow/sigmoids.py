"""From scores to probabilities: a sigmoid per class, fitted to scores of rows that were not trained on (Platt)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from ..learners.calibration import platt_sigmoid

MOST_CLASSES = 100
"""Classes up to which scores are calibrated: there is a fit for each."""


@dataclass(frozen=True)
class Sigmoids:
    """P(class | margin) = 1/(1 + exp(−slope·margin − offset)), of two classes the second's; of more they are divided by
    their sum.  The margin of a class is its score less the largest of the others, of two classes the score itself."""

    slopes: list[float]
    offsets: list[float]

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        """The probability of every class, one line per row."""
        p = expit(class_margins(scores) * self.slopes + self.offsets)
        if p.shape[1] == 1:
            return np.hstack([1 - p, p])
        total = p.sum(axis=1, keepdims=True)
        return np.where(total > 0, p / np.where(total > 0, total, 1), 1 / p.shape[1])

    @classmethod
    def from_notes(cls, notes: Any) -> "Sigmoids | None":
        """The calibration that a model file has beside its model, if it has one."""
        kept = notes.get("calibration") if isinstance(notes, dict) else None
        if not isinstance(kept, dict) or kept.keys() != {"slopes", "offsets"}:
            return None
        return cls([float(v) for v in kept["slopes"]], [float(v) for v in kept["offsets"]])


def class_margins(scores: np.ndarray) -> np.ndarray:
    """The margin of every class, one line per row.

    >>> class_margins(np.array([[1.0, 3.0, 2.0]])).tolist()
    [[-2.0, 1.0, -1.0]]
    """
    columns = scores.reshape(len(scores), -1)
    if columns.shape[1] == 1:
        return columns
    two = np.sort(columns, axis=1)[:, -2:]
    return columns - np.where(columns == two[:, 1:], two[:, :1], two[:, 1:])


def fit_calibration(scores: np.ndarray, numbers: np.ndarray) -> Sigmoids:
    """The sigmoids for scores of rows whose classes have these numbers."""
    columns = class_margins(scores)
    places = [1] if columns.shape[1] == 1 else range(columns.shape[1])
    pairs = [fit_sigmoid(columns[:, k], numbers == place) for k, place in enumerate(places)]
    return Sigmoids([slope for slope, _ in pairs], [offset for _, offset in pairs])


def fit_sigmoid(scores: np.ndarray, inside: np.ndarray) -> tuple[float, float]:
    """Slope and offset of the likeliest sigmoid; a constant one where there is nothing to tell by."""
    positive, n = int(inside.sum()), len(scores)
    if np.ptp(scores) == 0 or positive in (0, n):
        share = (positive + 1) / (n + 2)  # Platt's targets are a little less than sure
        return 0.0, float(np.log(share / (1 - share)))
    return platt_sigmoid(scores, inside)


def cross_calibrated(scores: np.ndarray, numbers: np.ndarray, group: np.ndarray) -> np.ndarray:
    """The probabilities of every row, by sigmoids that were fitted to the rows of the other groups."""
    classes = 2 if scores.ndim == 1 else scores.shape[1]
    p = np.empty((len(scores), classes))
    for k in np.unique(group):
        inside = group == k
        p[inside] = fit_calibration(scores[~inside], numbers[~inside]).probabilities(scores[inside])
    return p
