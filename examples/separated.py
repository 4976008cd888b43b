"""Is my logistic regression's data separated?  Then its estimates are infinite, and these columns make them so."""

import numpy as np
from sklearn.linear_model import LogisticRegression

from novikoff import certify, check

NAMES = ["dose", "age", "treated"]


def trial():
    """A small trial in which every treated patient recovered."""
    random = np.random.default_rng(0)
    dose, age, treated = random.integers(1, 9, 40), random.integers(20, 80, 40), np.arange(40) % 3 == 0
    recovered = treated | (random.random(40) < 0.5)
    return np.column_stack([dose, age, treated]).astype(int), recovered.astype(int)


def main():
    X, y = trial()
    for C in (1, 1e3, 1e6):
        estimate = LogisticRegression(C=C, max_iter=100_000).fit(X, y).coef_[0]
        estimates = ", ".join(f"{name} {value:+.2f}" for name, value in zip(NAMES, estimate, strict=True))
        print(f"logistic regression, C = {C:g}: {estimates}")
    certificate = certify(X, y)
    columns = ", ".join(NAMES[j] for j in certificate.columns)
    print(f"The data is {certificate.verdict}: the estimate of {columns} has no limit.")
    print(f"checked: {bool(check(certificate, X, y))}")
    others = certify(X[:, :2], y)
    print(f"Without it the data is {others.verdict}: the estimates are finite.")


if __name__ == "__main__":
    main()
