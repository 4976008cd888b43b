"""Every linear learner, ours and scikit-learn's, at its defaults on the real sets: accuracy on new rows, and time.

Dense columns are standardised (MNIST divided by 255), counts of words turned into tf-idf, the same for all.
``python benchmarks/compare.py [set …]`` runs some of the sets.
"""

import sys
import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp
from defaults import fitted, parts
from measure import MissingError
from rich.console import Console
from rich.table import Table
from sets import SETS
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.linear_model import Perceptron as Sklearn
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import novikoff

TEXT = {"imdb", "20news", "sms"}
THEIRS = {
    "sk Perceptron": Sklearn(),
    "sk SGD": SGDClassifier(random_state=0),
    "sk LinearSVC": LinearSVC(random_state=0),
    "sk Logistic": LogisticRegression(),
}
OURS = {
    "Perceptron": novikoff.Perceptron(),
    "Averaged": novikoff.AveragedPerceptron(),
    "Margin": novikoff.MarginPerceptron(),
    "Margin, mean": novikoff.MarginPerceptron(average=True),
    "Passive-aggr.": novikoff.PassiveAggressiveClassifier(),
    "Pocket": novikoff.PocketPerceptron(),
    "Voted": novikoff.VotedPerceptron(),
}


def prepared(name: str, split: tuple[Any, ...]) -> tuple[Any, ...]:
    """Rows as people would give them to a linear learner; what is learnt for it is learnt of the training rows only."""
    X, y, X_test, y_test = split
    if name in TEXT:
        change = TfidfTransformer(sublinear_tf=True).fit(X)
    elif sp.issparse(X):
        return split
    elif name == "mnist":
        return (X / np.float32(255)).astype(np.float32), y, (X_test / np.float32(255)).astype(np.float32), y_test
    else:
        change = StandardScaler().fit(X)
    return change.transform(X), y, change.transform(X_test), y_test


def main(wanted: list[str]) -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    learners = {**THEIRS, **OURS}
    accuracy, seconds = Table(title="Accuracy on rows not trained on"), Table(title="Seconds of all fits")
    for table in (accuracy, seconds):
        table.add_column("set")
        for name in learners:
            table.add_column(name, justify="right")
    for name, load in SETS.items():
        if wanted and name not in wanted:
            continue
        try:
            splits = [prepared(name, split) for split in parts(load())]
        except MissingError as reason:
            accuracy.add_row(name, str(reason))
            continue
        for model in OURS.values():
            fitted(type(model)(**{**model.get_params(), "max_iter": 1}), splits[:1], 1)  # compiles
        results = {}
        for key, model in learners.items():
            results[key] = fitted(model, splits, 1)
            print(f"{name} | {key}: {results[key][1]:.4f}, {results[key][0]:.3f} s", flush=True)
        accuracy.add_row(name, *(f"{results[key][1]:.4f}" for key in learners))
        seconds.add_row(name, *(f"{results[key][0]:.3f}" for key in learners))
    for table in (accuracy, seconds):
        Console(width=160).print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
