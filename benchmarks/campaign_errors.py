"""Small tables for ``fewest_errors``, and both of its numbers held against an exact oracle (z3)."""

from random import Random
from typing import Any

import numpy as np
import z3
from campaign_separation import VALUES, dot, posed

import novikoff


def make(seed: int, number: int) -> dict[str, Any]:
    """A table of at most 12 rows, its labels, and whether planes have an intercept."""
    random = Random(f"errors/{seed}/{number}")
    kind = random.choice([*VALUES, "int", "zero-one"])
    n, d = random.randint(2, 12), random.randint(1, 3)
    X = [[VALUES[kind](random) for _ in range(d)] for _ in range(n)]
    X = [list(X[random.randrange(i + 1)]) if random.random() < 0.2 else row for i, row in enumerate(X)]
    y = [random.randrange(2) for _ in X]
    y[:2] = 0, 1
    return {"family": "binomial", "X": X, "y": y, "fit_intercept": random.random() < 0.8, "decimal": kind == "decimal"}


def truth(case: dict[str, Any]) -> int:
    """The fewest errors of any plane: rows whose z·w cannot be positive together with the others'."""
    rows, _ = posed(case)
    w = z3.Reals([f"w{j}" for j in range(len(rows[0]))])
    wrong = z3.Bools([f"e{i}" for i in range(len(rows))])
    solver = z3.Optimize()
    solver.add(*(z3.Or(error, dot(z, w) >= 1) for error, z in zip(wrong, rows, strict=True)))
    fewest = solver.minimize(z3.Sum([z3.If(error, 1, 0) for error in wrong]))
    solver.check()
    return int(solver.lower(fewest).as_long())


def judge(case: dict[str, Any]) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """What was counted, and what is wrong."""
    X = case["X"] if case["decimal"] else np.array(case["X"])
    found = novikoff.fewest_errors(X, case["y"], fit_intercept=case["fit_intercept"], time_limit=30)
    fewest, faults = truth(case), []
    if found.errors < fewest or found.lower_bound > fewest:
        faults.append(("wrong bound", f"{found.lower_bound} to {found.errors}, but it is {fewest}"))
    if not found.optimal:
        faults.append(("open", f"{found.lower_bound} to {found.errors}, in truth {fewest}"))
    accepted = novikoff.check(found, X, case["y"], fit_intercept=case["fit_intercept"])
    if not accepted:
        faults.append(("refused", accepted.sentence))
    return {"tables": 1, f"errors {fewest}": 1}, faults
