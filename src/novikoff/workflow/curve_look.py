"""Does a curve help?  A quick look: least squares with planes and with Gaussian kernels, every row held out once.

With K = κ(rows, rows) and R = λ·(K + λ)⁻¹ a fit of the targets t leaves R·t of them, and the fit without the rows F
predicts p_F = t_F − R_FF⁻¹·(R·t)_F there: one Cholesky factor tells what rows are taken for by fits on the others, in a
millisecond.  For planes K = Z·Zᵀ and, by Woodbury, R = 1 − Z·(Zᵀ·Z + λ)⁻¹·Zᵀ, which is less work where there are fewer
columns than rows.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg.lapack import dpotrf, dtrtri

from ..training.kernels import scale_gamma

LOOKED_AT = 100, 150
"""Rows that are looked at: at first, and where curves are ahead there."""
SHRINKAGE = {"plane": 1.0, "curve": 0.1}
"""λ: as columns have a variance of about 1, the diagonal of K is the number of columns for planes, and 1 for curves."""
HINT, SURE = 1.5, 3.0
"""Standard errors of the difference above which a curve may help, and above which it does."""
FEW_ROWS = 50
"""Rows below which only what is sure counts: chance decides the rest."""
FOLDS = 5
"""Parts in which rows are held out where there are several classes."""
LEAST_SPREAD = 1e-3
"""Where classes are told by their means, the least variance of scores, in parts of the mean one."""


@dataclass(frozen=True)
class CurveLook:
    """The accuracies of least squares with planes and with curves on so many rows, each held out once."""

    plane: float
    curve: float
    rows: int
    helps: bool  # whether the difference is more than may be chance
    sure: bool  # whether it is so much more that curves need no trial


def curve_look(X: Any, numbers: np.ndarray, worth: np.ndarray, least: float) -> CurveLook:
    """Whether curves may be better by more than the least; a right answer counts what the row is worth.

    ``numbers`` are those of the rows' classes.
    """
    X = X.toarray() if hasattr(X, "toarray") else np.asarray(X)
    X = X.astype(np.float64, copy=False)
    plane = worth * (told_classes(plane_residuals(X), numbers) == numbers)
    curve = worth * (told_classes(curve_residuals(X), numbers) == numbers)
    gain = float((curve - plane).mean())
    error = float((curve - plane).std()) / np.sqrt(len(numbers))
    hint = HINT if len(numbers) >= FEW_ROWS else SURE
    helps, sure = (bool(gain > max(errors * error, least)) for errors in (hint, SURE))
    return CurveLook(float(plane.mean()), float(curve.mean()), len(numbers), helps, sure)


def told_classes(R: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The class that each row is taken for: of two the one with the higher score, of several that of the nearest mean.

    Least squares hide a class that lies between others; their scores, measured by how they spread within the classes
    (linear discriminant analysis), do not.  Means and spread are those of the rows that a fit was made of: to it, those
    held out are rows with p_F as their targets.
    """
    targets = np.where(numbers[:, None] == np.arange(numbers.max() + 1), 1.0, -1.0)
    left = R @ targets
    if targets.shape[1] == 2:
        return (targets - left / R.diagonal()[:, None]).argmax(axis=1)
    order, told = numbers.argsort(kind="stable"), np.empty_like(numbers)
    for k in range(min(FOLDS, len(order))):
        held_out = order[k::FOLDS]  # a part of every class
        fitted = targets.copy()
        fitted[held_out] -= np.linalg.solve(R[held_out[:, None], held_out], left[held_out])
        scores, own = fitted - R @ fitted, targets > 0
        own[held_out] = False
        told[held_out] = nearest_means(scores[held_out], scores, own)
    return told


def nearest_means(scores: np.ndarray, all_scores: np.ndarray, own: np.ndarray) -> np.ndarray:
    """The class whose mean is nearest to each row, by the rows of which it is known whose own they are."""
    own = own.astype(np.float64)
    rows = own.sum(axis=0)
    means = own.T @ all_scores / np.maximum(rows, 1)[:, None]
    # Σ s·sᵀ over the rows that are known, less what the means make of it
    spread = (all_scores * own.sum(axis=1)[:, None]).T @ all_scores - (means * rows[:, None]).T @ means
    spread /= rows.sum()
    spread += (LEAST_SPREAD * np.trace(spread) / len(spread) + np.finfo(np.float32).tiny) * np.eye(len(spread))
    towards = np.linalg.solve(spread, means.T)
    nearness = scores @ towards - (means * towards.T).sum(axis=1) / 2
    return np.where(rows > 0, nearness, -np.inf).argmax(axis=1)


def plane_residuals(X: np.ndarray) -> np.ndarray:
    """R of planes by least squares."""
    Z, shrinkage = np.column_stack([X, np.ones(len(X))]), SHRINKAGE["plane"]
    if Z.shape[1] >= len(Z):
        return kernel_residuals(Z @ Z.T, shrinkage)
    V = Z @ inverse_factor(Z.T @ Z, shrinkage).T
    return np.eye(len(Z)) - V @ V.T


def curve_residuals(X: np.ndarray) -> np.ndarray:
    """R of curves, by Gaussian kernels with the γ that kernels have by default."""
    products = X @ X.T
    squares = products.diagonal()
    gaussian = np.exp(scale_gamma(X) * (2 * products - squares - squares[:, None]))
    return kernel_residuals(gaussian + 1, SHRINKAGE["curve"])


def kernel_residuals(kernel: np.ndarray, shrinkage: float) -> np.ndarray:
    """λ·(K + λ)⁻¹."""
    factor = inverse_factor(kernel, shrinkage)
    return shrinkage * (factor.T @ factor)


def inverse_factor(matrix: np.ndarray, shrinkage: float) -> np.ndarray:
    """The lower triangular F with FᵀF = (matrix + λ)⁻¹."""
    regular = matrix + shrinkage * np.eye(len(matrix))
    lower, failed = dpotrf(regular.T, lower=1, overwrite_a=1)  # it is symmetric: so LAPACK has its order of numbers
    if failed:
        raise np.linalg.LinAlgError("least squares of a look cannot be solved")
    factor: np.ndarray = dtrtri(lower, lower=1, overwrite_c=1)[0]
    return factor
