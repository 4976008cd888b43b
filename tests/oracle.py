"""Small instances of all kinds, and an oracle that decides them by rational linear programs (z3)."""

import numpy as np
import z3


def instance(random):
    """X of small integers and y, of a kind drawn at random."""
    n, d, largest = int(random.integers(2, 13)), int(random.integers(1, 5)), int(random.integers(1, 5))
    X = random.integers(-largest, largest + 1, (n, d))
    y = random.integers(0, 2, n)
    kind = random.integers(0, 7)
    if kind == 1:  # touching: rows on the plane have either label
        w, b = random.integers(-2, 3, d), random.integers(-2, 3)
        scores = X @ w + b
        y = np.where(scores == 0, y, scores > 0).astype(int)
    if kind == 2:  # separable
        y = (2 * (X @ random.integers(-3, 4, d)) + 1 > 0).astype(int)
    if kind == 3:  # rows twice, with the same label or the other one
        k = n // 2
        X[:k] = X[n - k :]
        y[:k] = np.where(random.random(k) < 0.8, y[n - k :], 1 - y[n - k :])
    if kind == 4:  # zero rows
        X[random.random(n) < 0.5] = 0
    if kind == 5 and d > 1:  # collinear columns
        X[:, -1] = X[:, 0] * random.integers(-2, 3) + random.integers(-1, 2)
    if kind == 6:  # touching in a face of lower dimension
        y = (X[:, 0] > 0).astype(int)
        tied = X[:, 0] == 0
        y[tied] = random.integers(0, 2, tied.sum())
    y[:2] = 0, 1
    return X, y


def verdict(X, y, intercept=True):
    """The three verdicts by their definitions."""
    Z = [[int(s * v) for v in (*row, *[1] * intercept)] for row, s in zip(X, 2 * y - 1, strict=True)]
    w = z3.Reals([f"w{j}" for j in range(len(Z[0]))])
    margins = [z3.Sum([a * b for a, b in zip(z, w, strict=True)]) for z in Z]
    if holds(*(m >= 1 for m in margins)):
        return "separable"
    return "quasi-separable" if holds(*(m >= 0 for m in margins), z3.Sum(margins) >= 1) else "inseparable"


def holds(*conditions):
    solver = z3.Solver()
    solver.add(*conditions)
    return solver.check() == z3.sat
