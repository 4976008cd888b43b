"""Every linear learner, ours and scikit-learn's, at its defaults on the real sets: accuracy on new rows, and time.

Dense columns are standardised (MNIST divided by 255), counts of words turned into tf-idf, the same for all.
The best of each row is marked.  ``python benchmarks/compare.py [set …]`` runs some of the sets.
"""

import sys
import warnings
from collections.abc import Iterable

import numpy as np
from defaults import compile_passes, measured
from measure import MissingError
from origin import origin
from rich.console import Console
from rich.table import Table
from sets import SETS, parts, prepared
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.linear_model import Perceptron as Sklearn
from sklearn.svm import LinearSVC

import novikoff

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
    "AROW": novikoff.AROWClassifier(),
    "SCW": novikoff.SCWClassifier(),
    "Pocket": novikoff.PocketPerceptron(),
    "Voted": novikoff.VotedPerceptron(),
}


def marked(scores: Iterable[float]) -> list[str]:
    """With four digits, the best in bold."""
    figures = [f"{score:.4f}" for score in scores]
    return [f"**{figure}**" if figure == max(figures) else figure for figure in figures]


def main(wanted: list[str]) -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    learners = {**THEIRS, **OURS}
    accuracy, seconds = Table(title="Accuracy on rows not trained on"), Table(title="Seconds of all fits")
    for table in (accuracy, seconds):
        table.add_column("set")
        for name in learners:
            table.add_column(name, justify="right")
    scores: list[list[float]] = []
    for name, load in SETS.items():
        if wanted and name not in wanted:
            continue
        try:
            splits = [prepared(name, split) for split in parts(load())]
        except MissingError as reason:
            accuracy.add_row(name, str(reason))
            continue
        compile_passes(OURS.values(), splits)
        results = {}
        for key, model in learners.items():
            (results[key],) = measured([model], splits)
            print(f"{name} | {key}: {results[key][1]:.4f}, {results[key][0]:.3f} s", flush=True)
        scores.append([score for _, score in results.values()])
        accuracy.add_row(name, *marked(scores[-1]))
        seconds.add_row(name, *(f"{results[key][0]:.3f}" for key in learners))
    if scores:
        accuracy.add_row("mean", *marked(np.mean(scores, axis=0)))
    for table in (accuracy, seconds):
        Console(width=160).print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
    print(origin())
