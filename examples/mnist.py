"""Ten digits in seconds: MNIST by planes and by a kernel.

It reads mnist.npz from the folder in NOVIKOFF_DATA; without one, the 1797 small digits that come with scikit-learn.
"""

import os
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from novikoff import AveragedPerceptron, KernelPerceptron


def digits():
    """Training rows, test rows and their labels, grey levels from 0 to 1."""
    folder = os.environ.get("NOVIKOFF_DATA")
    if folder is None:
        X, y = load_digits(return_X_y=True)
        return train_test_split((X / 16).astype(np.float32), y, test_size=0.25, random_state=0)
    with np.load(Path(folder) / "mnist.npz") as data:
        parts = [data[name] for name in ("X_train", "X_test", "y_train", "y_test")]
    X, Z = (part.reshape(len(part), -1).astype(np.float32) / 255 for part in parts[:2])
    return X, Z, *parts[2:]


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
