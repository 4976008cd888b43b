"""Rows a second beside river, one row at a time: predict, then learn, the same dicts on both sides.

Its own Phishing data, and text messages as counts of words hashed into 2^18 features (made-up ones where the real set
is not there).  ``python benchmarks/online.py``.
"""

import time
from collections.abc import Callable
from typing import Any
from zlib import crc32

import numpy as np
from measure import MissingError
from origin import origin
from rich.console import Console
from rich.table import Table
from river import datasets, linear_model
from sets import sms

from novikoff.online import OnlineAROW, OnlineAveragedPerceptron, OnlinePassiveAggressive, OnlinePerceptron

REPEATS = 9
PAIRS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "Perceptron": (linear_model.Perceptron, OnlinePerceptron),
    "Passive-aggressive": (linear_model.PAClassifier, lambda: OnlinePassiveAggressive(average=False)),
    "Averaged, beside river's Perceptron": (linear_model.Perceptron, OnlineAveragedPerceptron),
    "AROW, beside river's passive-aggressive": (linear_model.PAClassifier, OnlineAROW),
}
"""River's learner and ours."""


def phishing() -> list[tuple[dict[Any, float], bool]]:
    return list(datasets.Phishing())


def messages() -> list[tuple[dict[Any, float], bool]]:
    """Counts of hashed words."""
    try:
        X, y = sms()
        rows = [dict(zip(row.indices.tolist(), row.data.tolist(), strict=True)) for row in X]
        labels = (y == "spam").tolist()
    except MissingError:
        random = np.random.default_rng(0)
        words = np.minimum(random.zipf(1.3, (3000, 20)), 50_000)
        rows = [dict(zip(*map(np.ndarray.tolist, np.unique(row, return_counts=True)), strict=True)) for row in words]
        labels = (random.normal(size=50_001)[words].mean(axis=1) > 0).tolist()
    mask = 2**18 - 1
    return [
        ({crc32(str(k).encode()) & mask: v for k, v in row.items()}, y) for row, y in zip(rows, labels, strict=True)
    ]


def progressive(make: Callable[[], Any], rows: list[tuple[dict[Any, float], bool]]) -> tuple[float, float]:
    """Rows a second, and the part that was predicted right before it was learnt."""
    model, right = make(), 0
    start = time.process_time()
    for x, y in rows:
        right += model.predict_one(x) == y
        model.learn_one(x, y)
    return len(rows) / (time.process_time() - start), right / len(rows)


def main() -> None:
    table = Table(title="One row at a time: predict, then learn")
    for column in ("rows", "learner", "river, rows/s", "ours, rows/s", "ratio", "river, right", "ours, right"):
        table.add_column(column, justify="left" if column in ("rows", "learner") else "right")
    for name, rows in {"Phishing": phishing(), "hashed text": messages()}.items():
        for learner, (theirs, ours) in PAIRS.items():
            runs = [(progressive(theirs, rows), progressive(ours, rows)) for _ in range(REPEATS)]  # in turn
            (slow, before), (fast, now) = (max(side) for side in zip(*runs, strict=True))
            table.add_row(
                name, learner, f"{slow:,.0f}", f"{fast:,.0f}", f"{fast / slow:.1f}", f"{before:.4f}", f"{now:.4f}"
            )
    Console(width=130).print(table)


if __name__ == "__main__":
    main()
    print(origin())
