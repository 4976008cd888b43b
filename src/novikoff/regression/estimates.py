"""The estimates that exist: maximum likelihood on the tied rows, without a penalty.

Where the likelihood grows for ever along some direction, it tends to that of the tied rows alone (the limiting
conditional model); there the maximum exists, and every finite coefficient has one value in it.
"""

from collections.abc import Callable

import numpy as np

from .families import PosedRows

STEPS = 200
"""Steps of Newton's method, halvings not counted."""
HALVINGS = 40
CONVERGED = 1e-9
"""The decrease that Newton's quadratic model promises, in parts of the log-likelihood, at which it ends."""

Model = Callable[[np.ndarray], tuple[float, np.ndarray, np.ndarray]]
"""The negative log-likelihood of β, its gradient and its Hessian."""


def estimate(
    posed: PosedRows, right: list[int], columns: list[int], counts: np.ndarray | None, blocks: int
) -> tuple[np.ndarray, np.ndarray]:
    """Estimates and standard errors of the coefficients in these columns, the others held at 0, on the tied rows.

    On the tied rows the columns are independent.  ``counts`` are those of a Poisson model, with a log link; the others
    have logits.
    """
    signed = posed.signed
    tied = np.setdiff1d(np.flatnonzero(~posed.flipped), right)
    X = signed.data.X[signed.rows[tied]]
    X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=float)
    if signed.data.intercept:
        X = np.hstack([X, np.ones((len(X), 1))])
    X, numbers = X[:, columns], posed.numbers[tied]
    scale = np.abs(X).max(axis=0, initial=0.0)
    X = X / scale
    if counts is None:
        model = choices(X * signed.signs[tied, None], np.unique(numbers // blocks, return_inverse=True)[1])
    else:
        model = log_linear(X, counts[numbers])
    beta, hessian = newton(model, len(columns))
    variances = np.diag(np.linalg.pinv(hessian))
    return beta / scale, np.sqrt(variances) / scale


def choices(Z: np.ndarray, rows: np.ndarray) -> Model:
    """A choice by logits: each row of the data chose what it did rather than any of its rivals z.

    Its likelihood is 1 / (1 + Σ exp(−z·β)) over the rivals that are tied with it.
    """
    n = int(rows.max(initial=-1)) + 1

    def model(beta: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        against = -(Z @ beta)
        top = np.maximum(0.0, np.full(n, -np.inf))
        np.maximum.at(top, rows, against)
        odds = np.exp(against - top[rows])
        total = np.exp(-top) + np.bincount(rows, odds, minlength=n)
        p = odds / total[rows]
        weighted = Z * p[:, None]
        chosen = np.zeros((n, Z.shape[1]))
        np.add.at(chosen, rows, weighted)
        return float((top + np.log(total)).sum()), -weighted.sum(axis=0), Z.T @ weighted - chosen.T @ chosen

    return model


def log_linear(X: np.ndarray, counts: np.ndarray) -> Model:
    """Counts whose logarithm is expected to be linear."""

    def model(beta: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        with np.errstate(over="ignore"):
            scores = X @ beta
            expected = np.exp(scores)
        value = float((expected - counts * scores).sum())
        return value, X.T @ (expected - counts), X.T @ (X * expected[:, None])

    return model


def newton(model: Model, size: int) -> tuple[np.ndarray, np.ndarray]:
    """The minimum of a convex function, which exists and is unique, and the Hessian there."""
    beta = np.zeros(size)
    value, gradient, hessian = model(beta)
    for _ in range(STEPS):
        step = np.linalg.lstsq(hessian, gradient)[0]
        promised = float(gradient @ step)
        if promised <= CONVERGED * (1 + abs(value)) * 1e-6:
            break
        for halvings in range(HALVINGS):
            trial = beta - step / 2**halvings
            better = model(trial)
            if better[0] < value:
                break
        else:
            break
        beta, (value, gradient, hessian) = trial, better
    return beta, hessian
