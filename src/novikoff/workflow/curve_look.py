"""Does a curve help?  A quick look: least squares with planes and with Gaussian kernels, every row held out once.

With K = κ(rows, rows), C = (K + λ)⁻¹ and α = C·t, the fit without row i predicts t_i − α_i / C_ii there: one inverse
tells what each row is taken for by a fit on all others, in milliseconds, where the kernel perceptron takes a second.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

LOOKED_AT = 200
"""Rows that are looked at."""
SHRINKAGE = {"plane": 1.0, "curve": 0.1}
"""λ: as columns have a variance of about 1, the diagonal of K is the number of columns for planes, and 1 for curves."""
HINT = 1.0
"""Standard errors of the difference above which a curve may help."""


@dataclass(frozen=True)
class CurveLook:
    """The accuracies of least squares with planes and with curves on so many rows, each held out once."""

    plane: float
    curve: float
    rows: int
    helps: bool  # whether the difference is more than may be chance


def curve_look(X: Any, y: np.ndarray, worth: np.ndarray, least: float) -> CurveLook:
    """Whether curves may be better by more than the least; a right answer counts what the row is worth."""
    from sklearn.metrics.pairwise import rbf_kernel

    X = X.toarray() if hasattr(X, "toarray") else np.asarray(X)
    X = X.astype(np.float64)
    numbers = np.unique(y, return_inverse=True)[1]
    variance = float(X.var())
    gaussian = rbf_kernel(X, gamma=1 / (X.shape[1] * variance) if variance > 0 else 1.0)
    plane = worth * (held_out_classes(X @ X.T + 1, numbers, SHRINKAGE["plane"]) == numbers)
    curve = worth * (held_out_classes(gaussian + 1, numbers, SHRINKAGE["curve"]) == numbers)
    difference = curve - plane
    chance = HINT * float(difference.std()) / np.sqrt(len(y))
    helps = bool(difference.mean() > max(chance, least))
    return CurveLook(float(plane.mean()), float(curve.mean()), len(y), helps)


def held_out_classes(kernel: np.ndarray, numbers: np.ndarray, shrinkage: float) -> np.ndarray:
    """The class that each row is taken for by least squares on all others."""
    targets = np.where(numbers[:, None] == np.arange(numbers.max() + 1), 1.0, -1.0)
    inverse = np.linalg.inv(kernel + shrinkage * np.eye(len(kernel)))
    scores = targets - inverse @ targets / np.diag(inverse)[:, None]
    return scores.argmax(axis=1)
