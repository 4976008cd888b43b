"""Kernel classifiers on MNIST: time, memory, supports and accuracy, each in a process of its own.

``python benchmarks/kernel.py [word …]`` runs the lines whose name has one of the words.
"""

import json
import resource
import subprocess
import sys
import time
import warnings

from measure import MissingError
from origin import origin
from rich.console import Console
from rich.table import Table
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC
from work import digits

from novikoff import KernelPerceptron

LINES = {
    "SVC(C=10), 10000 rows": (10_000, lambda: SVC(C=10, gamma=0.02)),
    "plain, 10000 rows": (10_000, lambda: KernelPerceptron(gamma=0.02)),
    "average=True, 10000 rows": (10_000, lambda: KernelPerceptron(gamma=0.02, average=True)),
    "threshold=1, 10000 rows": (10_000, lambda: KernelPerceptron(gamma=0.02, threshold=1)),
    "threshold=2, 10000 rows": (10_000, lambda: KernelPerceptron(gamma=0.02, threshold=2)),
    "threshold=1, joint, 10000 rows": (10_000, lambda: KernelPerceptron(gamma=0.02, threshold=1, multi_class="joint")),
    "budget=1000, project, average, 10 passes, 10000 rows": (
        10_000,
        lambda: KernelPerceptron(gamma=0.02, budget=1000, average=True, max_iter=10),
    ),
    "budget=1000, forget, 10000 rows": (
        10_000,
        lambda: KernelPerceptron(gamma=0.02, budget=1000, policy="forget", max_iter=10),
    ),
    "budget=1000, random, 10000 rows": (
        10_000,
        lambda: KernelPerceptron(gamma=0.02, budget=1000, policy="random", max_iter=10),
    ),
    "plain, 60000 rows": (60_000, lambda: KernelPerceptron(gamma=0.02)),
    "threshold=1, 60000 rows": (60_000, lambda: KernelPerceptron(gamma=0.02, threshold=1)),
    "budget=1000, project, average, 3 passes, 60000 rows": (
        60_000,
        lambda: KernelPerceptron(gamma=0.02, budget=1000, average=True, max_iter=3),
    ),
}


def measured(name: str) -> None:
    """Run one line and print what came out as JSON."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    n, make = LINES[name]
    X, y, Z, t = digits(n)
    make().fit(X[:200], y[:200]).predict(Z[:10])  # compiles
    start = time.perf_counter()
    model = make().fit(X, y)
    middle = time.perf_counter()
    accuracy = float((model.predict(Z) == t).mean())
    end = time.perf_counter()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(json.dumps([middle - start, end - middle, memory, len(model.support_), accuracy]))


def main(words: list[str]) -> None:
    console = Console(width=120)
    table = Table(title="Kernel classifiers on MNIST, rbf, gamma=0.02 (one run each; peak memory with the data)")
    table.add_column("work")
    for name in ("fit, s", "predict 10000, s", "memory, GB", "supports", "accuracy"):
        table.add_column(name, justify="right")
    for name in LINES:
        if words and not any(word in name for word in words):
            continue
        try:
            digits(1)
        except MissingError as reason:
            table.add_row(name, str(reason))
            continue
        done = subprocess.run([sys.executable, __file__, "--one", name], capture_output=True, text=True, check=True)
        fit, predict, memory, supports, accuracy = json.loads(done.stdout)
        console.print(f"{name}: {fit:.2f} s, {predict:.2f} s, {memory:.2f} GB, {supports} supports, {accuracy:.4f}")
        table.add_row(name, f"{fit:.2f}", f"{predict:.2f}", f"{memory:.2f}", f"{supports}", f"{accuracy:.4f}")
    console.print(table)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        measured(sys.argv[2])
    else:
        main(sys.argv[1:])
        print(origin())
