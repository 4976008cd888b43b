"""The estimates that exist: maximum likelihood on the tied rows, without a penalty.

Where the likelihood grows for ever along some direction, it tends to that of the tied rows alone (the limiting
conditional model); there the maximum exists, and every finite coefficient has one value in it.
"""

from collections.abc import Callable, Sequence

import numpy as np

from .design import Design
from .families import PosedRows

STEPS = 200
"""Steps of Newton's method, trials not counted."""
DAMPINGS = 0.0, *(10.0**k for k in range(-12, 7))
"""What is added to the diagonal of the Hessian, in parts of the gradient, by turns until a step goes down."""
DECREASE = 1e-4
"""The part of the decrease promised by the slope that a step must reach."""
FLAT = 1e-6
"""The part of a gradient that floats may see no curvature for at the end."""
CONVERGED = 1e-15
"""The decrease that Newton's quadratic model promises, in parts of the log-likelihood, that values do not show."""
NEAR = 1e-9
"""The same where it ended, above which it is not the minimum that was found."""

Model = Callable[[np.ndarray], tuple[float, np.ndarray, np.ndarray]]
"""The negative log-likelihood of β, its gradient and its Hessian."""


def estimate(posed: PosedRows, right: list[int], columns: list[int], design: Design) -> tuple[np.ndarray, np.ndarray]:
    """Estimates and standard errors of the coefficients in these columns, the others held at 0, on the tied rows.

    On the tied rows the columns are independent; where floats do not see that, or do not find the maximum, all numbers
    are NaN.  Counts have a log link, classes have logits.
    """
    signed = posed.signed
    tied = np.setdiff1d(np.flatnonzero(~posed.flipped), right)
    X = signed.data.X[signed.rows[tied]]
    X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=float)
    if signed.data.intercept:
        X = np.hstack([X, np.ones((len(X), 1))])
    X, numbers = X[:, columns], posed.numbers[tied]
    middle, constant = centres(X)
    X = X - middle
    scale = np.abs(X).max(axis=0, initial=0.0)
    scale[scale == 0] = 1.0
    X, heaviest = X / scale, float(design.weights.max())
    weights = design.weights / heaviest
    if design.family == "poisson":
        model = log_linear(X, design.labels[numbers], weights[numbers])
    else:
        rows, groups = np.unique(numbers // design.blocks, return_inverse=True)
        model = choices(X * signed.signs[tied, None], groups, weights[rows])
    with np.errstate(all="ignore"):
        beta, hessian, found = newton(model, len(columns))
    seen = found and np.isfinite(hessian).all() and np.isfinite(scale).all()
    if not seen or np.linalg.matrix_rank(hessian, hermitian=True) < len(columns):
        return np.full(len(columns), np.nan), np.full(len(columns), np.nan)
    with np.errstate(all="ignore"):
        back = np.diag(1 / scale)  # from the columns as they were fitted to those given
        if middle.any():
            back[constant] -= middle / scale
        beta = back @ beta
        errors = np.sqrt(np.diag(back @ np.linalg.inv(hessian) @ back.T) / heaviest)
    whole = np.isfinite(beta) & np.isfinite(errors) & (errors > 0)
    return np.where(whole, beta, np.nan), np.where(whole, errors, np.nan)


def centres(X: np.ndarray) -> tuple[np.ndarray, int]:
    """The means of the columns, where a column of ones takes them up, and its place; else zeros.

    On the tied rows a column other than the intercept may be one of ones.
    """
    ones = np.flatnonzero((X == 1).all(axis=0))
    if not len(ones) or not len(X):
        return np.zeros(X.shape[1]), 0
    middle = X.mean(axis=0)
    middle[ones[-1]] = 0.0
    return middle, int(ones[-1])


def choices(Z: np.ndarray, rows: np.ndarray, weights: np.ndarray) -> Model:
    """A choice by logits: each row of the data chose what it did rather than any of its rivals z.

    Its likelihood is 1 / (1 + Σ exp(−z·β)) over the rivals that are tied with it.
    """
    n = len(weights)

    def model(beta: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        against = -(Z @ beta)
        top = np.maximum(0.0, np.full(n, -np.inf))
        np.maximum.at(top, rows, against)
        odds = np.exp(against - top[rows])
        total = np.exp(-top) + np.bincount(rows, odds, minlength=n)
        p = odds / total[rows]
        pulled = Z * p[:, None]
        chosen = pulled
        if n < len(Z):  # rows with several rivals
            chosen = np.zeros((n, Z.shape[1]))
            np.add.at(chosen, rows, pulled)
        hessian = Z.T @ (pulled * weights[rows, None]) - chosen.T @ (chosen * weights[:, None])
        return float(weights @ (top + np.log(total))), -(weights @ chosen), hessian

    return model


def log_linear(X: np.ndarray, counts: np.ndarray, weights: np.ndarray) -> Model:
    """Counts whose logarithm is expected to be linear."""

    def model(beta: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        with np.errstate(over="ignore"):
            scores = X @ beta
            expected = np.exp(scores)
        value = float(weights @ (expected - counts * scores))
        return value, X.T @ (weights * (expected - counts)), X.T @ (X * (weights * expected)[:, None])

    return model


def likelihood_along(Z: np.ndarray, j: int | None = None, values: Sequence[float] | np.ndarray = (0.0,)) -> np.ndarray:
    """The largest log-likelihood of a logistic regression with the rows z for each value of coefficient j.

    With j None all coefficients are free, and it is the least upper bound of the log-likelihood.
    """
    scale = np.abs(Z).max(axis=0)
    full = choices(Z / scale, np.arange(len(Z)), np.ones(len(Z)))
    free = np.array([k for k in range(Z.shape[1]) if k != j])

    def largest(value: float) -> float:
        def held(beta: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
            whole = np.zeros(Z.shape[1]) if j is None else value * scale[j] * np.eye(Z.shape[1])[j]
            whole[free] = beta
            height, gradient, hessian = full(whole)
            return height, gradient[free], hessian[np.ix_(free, free)]

        return -held(newton(held, len(free))[0])[0]

    return np.array([largest(float(value)) for value in values])


def newton(model: Model, size: int) -> tuple[np.ndarray, np.ndarray, bool]:
    """The minimum of a convex function, which exists and is unique, the Hessian there, and whether it was found.

    Far from it rows may have no curvature that floats could hold, and a step is damped (Levenberg, Marquardt).  Near it
    the values are all one, and steps go on while the gradient shrinks.
    """
    beta = np.zeros(size)
    value, gradient, hessian = model(beta)
    promised = 0.0
    for _ in range(STEPS):
        step: np.ndarray = np.linalg.lstsq(hessian, gradient, rcond=None)[0]
        steepness = float(np.linalg.norm(gradient))
        unseen = np.linalg.norm(gradient - hessian @ step) > FLAT * steepness
        promised = float(gradient @ step)
        near = not unseen and promised <= CONVERGED * (1 + abs(value))
        for damping in DAMPINGS:
            if damping:
                step = np.linalg.lstsq(hessian + damping * max(1.0, steepness) * np.eye(size), gradient, rcond=None)[0]
            trial = beta - step
            better = model(trial)
            if near or better[0] < value - DECREASE * float(gradient @ step):
                break
        else:
            break
        if near and not np.linalg.norm(better[1]) < steepness / 2:
            break
        beta, (value, gradient, hessian) = trial, better
    return beta, hessian, bool(promised <= NEAR * (1 + abs(value)))
