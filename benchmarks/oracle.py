"""Verdicts on random small instances of all kinds against an exact oracle: python benchmarks/oracle.py [count]."""

import sys
import time
from pathlib import Path

import numpy as np

from novikoff import certify, check
from novikoff.proofs import gordan

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from oracle import instance, verdict


def main(count: int = 20_000) -> None:
    """Half of the instances take the way of large data: linear programs first."""
    random, began, small = np.random.default_rng(0), time.perf_counter(), gordan.SMALL
    met: dict[str, int] = {}
    for number in range(count):
        X, y = instance(random)
        gordan.SMALL = small if number % 2 else 0
        intercept = bool(random.integers(0, 4))
        certificate = certify(X, y, fit_intercept=intercept)
        truth, checked = verdict(X, y, intercept), check(certificate, X, y)
        if certificate.verdict != truth or not checked or certificate.reason:
            sys.exit(
                f"{number}: {certificate.verdict} ({certificate.reason}), truly {truth}; {checked.sentence}\n{X}\n{y}"
            )
        met[truth] = met.get(truth, 0) + 1
    print(f"{count} instances, none wrong, none unknown, {time.perf_counter() - began:.0f} s: {met}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
