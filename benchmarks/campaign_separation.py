"""Designs of regressions for ``separation``, and the class of every coefficient held against an exact oracle (z3).

The rows that a family poses are written here once more, from their definition; the oracle asks for each coefficient
whether the likelihood is constant along some β with β_j ≠ 0, and whether it never falls along one with β_j > 0, or < 0.
"""

import warnings
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import z3
from campaign_questions import decimal

import novikoff

VALUES = {
    "int": lambda r: r.randint(-3, 3),
    "zero-one": lambda r: r.randint(0, 1),
    "tenths": lambda r: r.choice((0.1, 0.2, 0.3, 0.30000000000000004, -0.7, 0.6, 0.0)),
    "gauss": lambda r: r.gauss(0, 1),
    "far": lambda r: 1990.0 + r.randint(0, 20),
    "scales": lambda r: r.choice((1e6, -1e6, 1e-6, 3.0, 0.0)),
    "decimal": decimal,
}


def make(seed: int, number: int) -> dict[str, Any]:
    """A design, its response and its model."""
    random = Random(f"separation/{seed}/{number}")
    family = random.choice(("binomial", "binomial", "binomial", "multinomial", "poisson"))
    kind = random.choice([*VALUES, "int", "zero-one"])
    n, d = random.randint(3, 14), random.randint(1, 4 if family != "multinomial" else 3)
    X = [[VALUES[kind](random) for _ in range(d)] for _ in range(n)]
    if random.random() < 0.25 and d > 1:  # a column that depends on another one
        for row in X:
            row[-1] = row[0] if random.random() < 0.9 else row[-1]
    if random.random() < 0.1:
        for row in X:
            row[0] = X[0][0]
    X = [list(X[random.randrange(i + 1)]) if random.random() < 0.2 else row for i, row in enumerate(X)]
    return {
        "family": family,
        "X": X,
        "y": response(random, X, family),
        "fit_intercept": random.random() < 0.8,
        "as": "list" if kind == "decimal" else random.choice(("array", "list")),
    }


def response(random: Random, X: list[Any], family: str) -> list[int]:
    """Classes or counts: by chance, by a plane, or by a plane with rows on it that are of any kind."""
    top = {"binomial": 2, "multinomial": 3, "poisson": 3}[family]
    by_chance = [random.randrange(top) for _ in X]
    w = [random.randint(-2, 2) for _ in X[0]]
    scores = [sum((a * Fraction(b) for a, b in zip(w, row, strict=True)), Fraction(0)) for row in X]
    level = sorted(scores)[len(scores) // 2]
    how = random.randrange(4)
    y = [
        chance if how == 0 or (score == level and how > 1) else int(score > level)
        for score, chance in zip(scores, by_chance, strict=True)
    ]
    if family == "multinomial":
        y = [2 if label == 1 and random.random() < 0.5 else label for label in y]
    if family != "poisson" and len(set(y)) < top:  # every class occurs
        y[:top] = range(top)
    return y


def posed(case: dict[str, Any]) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """The rows with z·β ≥ 0, and those with z·β = 0."""
    zero, rows, equal = Fraction(0), [], []
    for given, label in zip(case["X"], case["y"], strict=True):
        x = [*map(Fraction, given), *[Fraction(1)] * case["fit_intercept"]]
        if case["family"] == "poisson":
            (equal if label else rows).append(x if label else [-v for v in x])
            continue
        classes = max(case["y"]) + 1
        for other in (c for c in range(classes) if c != label):
            z = [zero] * (len(x) * (classes - 1))
            for c, sign in ((label, 1), (other, -1)):
                if c:
                    z[(c - 1) * len(x) : c * len(x)] = [sign * v for v in x]
            rows.append(z)
    return rows, equal


def truth(case: dict[str, Any]) -> tuple[str, list[str]]:
    """The verdict, and the class of every coefficient, from the definitions."""
    rows, equal = posed(case)
    width = len((rows or equal)[0])
    beta = z3.Reals([f"b{j}" for j in range(width)])
    margins = [dot(z, beta) for z in rows]
    ties = [dot(z, beta) == 0 for z in equal]
    cone = [*(margin >= 0 for margin in margins), *ties]
    flat = [*(margin == 0 for margin in margins), *ties]
    verdict = "overlap"
    if rows and holds(*cone, z3.Sum(margins) >= 1):
        complete = not equal and holds(*(margin >= 1 for margin in margins))
        verdict = "complete" if complete else "quasi-complete"
    return verdict, [class_of(b, cone, flat) for b in beta]


def class_of(b: Any, cone: list[Any], flat: list[Any]) -> str:
    """What a coefficient is."""
    if holds(*flat, b == 1):
        return "aliased"
    signs = holds(*cone, b >= 1), holds(*cone, b <= -1)
    return {(True, True): "undetermined", (True, False): "+inf", (False, True): "-inf", (False, False): "finite"}[signs]


def dot(z: list[Fraction], beta: list[Any]) -> Any:
    """z·β."""
    return z3.Sum([z3.Q(v.numerator, v.denominator) * b for v, b in zip(z, beta, strict=True)])


def holds(*conditions: Any) -> bool:
    """Whether some β meets all conditions."""
    solver = z3.Solver()
    solver.add(*conditions)
    return bool(solver.check() == z3.sat)


def judge(case: dict[str, Any]) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """What was counted, and what is wrong."""
    X = np.array(case["X"]) if case["as"] == "array" else case["X"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = novikoff.separation(X, case["y"], family=case["family"], fit_intercept=case["fit_intercept"])
    verdict, classes = truth(case)
    counts = {"designs": 1, verdict: 1}
    for name in classes:
        counts[f"coefficient {name}"] = counts.get(f"coefficient {name}", 0) + 1
    faults = []
    if found.verdict != verdict:
        faults.append(("wrong verdict", f"{found.verdict}, but it is {verdict}"))
    if list(found.coefficients.values()) != classes:
        faults.append(("wrong coefficient", f"{found.coefficients}, but they are {classes}"))
    accepted = novikoff.check(found, X, case["y"], fit_intercept=case["fit_intercept"], family=case["family"])
    if not accepted:
        faults.append(("refused", accepted.sentence))
    return counts, faults
