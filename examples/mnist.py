"""Ten digits in seconds: MNIST by planes and by a kernel.

MNIST is fetched once (55 MB); without a network these are the 1797 small digits that come with scikit-learn.
"""

import time

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from novikoff import AveragedPerceptron, KernelPerceptron, datasets


def digits():
    """Training rows, test rows and their labels, grey levels from 0 to 1."""
    try:
        mnist = datasets.fetch("mnist")
    except ValueError as error:
        print(error)
        X, y = load_digits(return_X_y=True)
        return train_test_split((X / 16).astype(np.float32), y, test_size=0.25, random_state=0)
    X, y = mnist.data.astype(np.float32) / 255, mnist.target
    return X[mnist.train], X[mnist.test], y[mnist.train], y[mnist.test]


def main():
    X, Z, y, t = digits()
    learners = [
        AveragedPerceptron(multi_class="joint"),
        KernelPerceptron(gamma=0.02, multi_class="joint", max_iter=2, average=True, tol=None),
    ]
    some = slice(0, 10_000)
    for learner, rows in zip(learners, (slice(None), some), strict=True):
        start = time.perf_counter()
        learner.fit(X[rows], y[rows])
        seconds = time.perf_counter() - start
        name = type(learner).__name__
        print(f"{name} on {len(y[rows])} rows: {learner.score(Z, t):.2%} of {len(t)} right, {seconds:.1f} s to learn")


if __name__ == "__main__":
    main()
