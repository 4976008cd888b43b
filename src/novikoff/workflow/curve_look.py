"""Does a curve help?  A quick look: least squares with planes and with Gaussian kernels, every row held out once.

With K = κ(rows, rows), C = (K + λ)⁻¹ and α = C·t, the fit without row i predicts t_i − α_i / C_ii there: one Cholesky
factor tells what each row is taken for by a fit on all others, in a millisecond.  For planes K = Z·Zᵀ and, by Woodbury,
λ·C = 1 − Z·(Zᵀ·Z + λ)⁻¹·Zᵀ, which is less work where there are fewer columns than rows.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg.lapack import dpotrf, dtrtri

LOOKED_AT = 100, 150
"""Rows that are looked at: at first, and where curves are ahead there."""
SHRINKAGE = {"plane": 1.0, "curve": 0.1}
"""λ: as columns have a variance of about 1, the diagonal of K is the number of columns for planes, and 1 for curves."""
HINT, SURE = 1.5, 3.0
"""Standard errors of the difference above which a curve may help, and above which it does."""
FEW_ROWS = 50
"""Rows below which only what is sure counts: chance decides the rest."""
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
    targets = np.where(numbers[:, None] == np.arange(numbers.max() + 1), 1.0, -1.0)
    plane = worth * (told_classes(plane_scores(X, targets), numbers) == numbers)
    curve = worth * (told_classes(curve_scores(X, targets), numbers) == numbers)
    gain = float((curve - plane).mean())
    error = float((curve - plane).std()) / np.sqrt(len(numbers))
    hint = HINT if len(numbers) >= FEW_ROWS else SURE
    helps, sure = (bool(gain > max(errors * error, least)) for errors in (hint, SURE))
    return CurveLook(float(plane.mean()), float(curve.mean()), len(numbers), helps, sure)


def told_classes(scores: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The class that each row is taken for: of two the one with the higher score, of several that of the nearest mean.

    Least squares hide a class that lies between others; their scores, measured by how they spread within the classes
    (linear discriminant analysis), do not.
    """
    own = numbers[:, None] == np.arange(scores.shape[1])
    if scores.shape[1] == 2:
        return scores.argmax(axis=1)
    means = own.T @ scores / own.sum(axis=0)[:, None]
    within = scores - means[numbers]
    spread = within.T @ within / len(within)
    spread += LEAST_SPREAD * np.trace(spread) / len(spread) * np.eye(len(spread)) + np.finfo(float).tiny
    towards = np.linalg.solve(spread, means.T)
    return (scores @ towards - (means * towards.T).sum(axis=1) / 2).argmax(axis=1)


def plane_scores(X: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """What planes by least squares on all other rows say of each, one column per class."""
    Z, shrinkage = np.column_stack([X, np.ones(len(X))]), SHRINKAGE["plane"]
    if Z.shape[1] >= len(Z):
        return held_out_scores(Z @ Z.T, targets, shrinkage)
    V = Z @ inverse_factor(Z.T @ Z, shrinkage).T
    return targets - (targets - V @ (V.T @ targets)) / (1 - np.square(V).sum(axis=1))[:, None]


def curve_scores(X: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """The same of curves, by Gaussian kernels with the γ that kernels have by default."""
    products, variance = X @ X.T, float(X.var())
    squares = products.diagonal()
    gamma = 1 / (X.shape[1] * variance) if variance > 0 else 1.0
    gaussian = np.exp(gamma * (2 * products - squares - squares[:, None]))
    return held_out_scores(gaussian + 1, targets, SHRINKAGE["curve"])


def held_out_scores(kernel: np.ndarray, targets: np.ndarray, shrinkage: float) -> np.ndarray:
    """What least squares on all other rows says of each."""
    factor = inverse_factor(kernel, shrinkage)
    return targets - factor.T @ (factor @ targets) / np.square(factor).sum(axis=0)[:, None]


def inverse_factor(matrix: np.ndarray, shrinkage: float) -> np.ndarray:
    """The lower triangular F with FᵀF = (matrix + λ)⁻¹."""
    regular = matrix + shrinkage * np.eye(len(matrix))
    lower, failed = dpotrf(regular.T, lower=1, overwrite_a=1)  # it is symmetric: so LAPACK has its order of numbers
    if failed:
        raise np.linalg.LinAlgError("least squares of a look cannot be solved")
    factor: np.ndarray = dtrtri(lower, lower=1, overwrite_c=1)[0]
    return factor
