"""AROW and SCW on the large sparse sets and MNIST: accuracy after so many passes, and a pass beside an averaged one.

Rows are those of compare.py, in the order in which they are stored; the learners shuffle them.  A pass is the fourth
part of what four passes more take, best of several, in turn, in seconds of this thread; the ratio is to
AveragedPerceptron's. ``python benchmarks/second_order.py [set …]`` runs some of the sets.
"""

import sys
import time
from collections.abc import Callable
from typing import Any

from origin import origin
from rich.console import Console
from rich.table import Table
from sets import SETS, parts, prepared

from novikoff import AROWClassifier, AveragedPerceptron, PassiveAggressiveClassifier, SCWClassifier

PASSES = (1, 2, 5, 10)
MORE = 4
REPEATS = 3
LEARNERS: dict[str, Callable[..., Any]] = {
    "Averaged": AveragedPerceptron,
    "Passive-aggr.": PassiveAggressiveClassifier,
    "AROW": AROWClassifier,
    "AROW, r = 1": lambda **given: AROWClassifier(r=1.0, **given),
    "AROW, r = 1, ovr": lambda **given: AROWClassifier(r=1.0, multi_class="ovr", **given),
    "SCW": SCWClassifier,
    "SCW, C = 1": lambda **given: SCWClassifier(C=1.0, confidence=0.9, **given),
}


def fit_seconds(make: Callable[..., Any], passes: int, X: Any, y: Any) -> float:
    start = time.thread_time()
    make(max_iter=passes).fit(X, y)
    return time.thread_time() - start


def pass_seconds(X: Any, y: Any) -> dict[str, tuple[float, float]]:
    """Of every learner the seconds of a fit of one pass, and of a pass more."""
    one, more = {key: float("inf") for key in LEARNERS}, {key: float("inf") for key in LEARNERS}
    for _ in range(REPEATS):
        for key, make in LEARNERS.items():
            one[key] = min(one[key], fit_seconds(make, 1, X, y))
            more[key] = min(more[key], fit_seconds(make, 1 + MORE, X, y))
    return {key: (one[key], (more[key] - one[key]) / MORE) for key in LEARNERS}


def main(names: list[str]) -> None:
    table = Table(title="Accuracy after so many passes; time beside AveragedPerceptron's")
    passes = [f"{count} pass{'es' if count > 1 else ''}" for count in PASSES]
    for column in ("set", "learner", *passes, "fit of one pass", "a pass more"):
        table.add_column(column, justify="left" if column in ("set", "learner") else "right")
    for name in names:
        X, y, X_test, y_test = prepared(name, parts(SETS[name]())[0])
        accuracy = {
            key: [f"{make(max_iter=count).fit(X, y).score(X_test, y_test):.4f}" for count in PASSES]
            for key, make in LEARNERS.items()
        }
        seconds = pass_seconds(X, y)
        for key, figures in accuracy.items():
            ratios = [f"{mine / own:.2f}" for mine, own in zip(seconds[key], seconds["Averaged"], strict=True)]
            table.add_row(name, key, *figures, *ratios)
            print(name, key, *figures, *ratios, flush=True)
    Console(width=120).print(table)


if __name__ == "__main__":
    main(sys.argv[1:] or ["imdb", "20news", "a9a", "mnist"])
    print(origin())
