"""What certify has to reach, each proof checked by the independent checker: python benchmarks/proofs.py [word …].

Prints one line a question, and at the end whether every verdict is the one known, every proof was accepted and every
limit of time was kept.  With words, only the parts whose name has one of them.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from measure import MissingError
from origin import origin
from scipy.optimize import linprog
from sets import SETS, parts_of

from novikoff import certify, certify_many, check, datasets

REPEATS, QUICK = 20, 0.1
"""Questions that take fewer seconds than this are put so many times more, and the best counts."""


@dataclass(frozen=True)
class Question:
    """Data, and what is known or asked of it: the verdict, and seconds that certify may take."""

    name: str
    X: Any
    y: Any
    expected: str
    seconds: float | None = None
    options: dict[str, Any] | None = None


def known() -> Iterator[Question]:
    """The sets whose answer is known."""
    answers = {
        "sonar": "separable",
        "wdbc": "separable",
        "mushrooms": "separable",
        "imdb": "separable",
        "sms": "separable",
        "ionosphere": "quasi-separable",
        "banknote": "inseparable",
        "pima": "inseparable",
        "spambase": "inseparable",
        "heart": "inseparable",
        "a9a": "inseparable",
    }
    for name, expected in answers.items():
        X, y = SETS[name]()[:2]
        yield Question(name, X, y, expected)
    X, y = SETS["iris"]()
    yield Question("iris: setosa", X, y == 0, "separable")
    yield Question("iris: versicolor, virginica", X[y > 0], y[y > 0], "inseparable")
    X, y = SETS["penguins"]()
    yield Question("penguins: Gentoo", X, y == "Gentoo", "separable")
    yield Question("silvapulle1981", *parts_of("silvapulle"), "quasi-separable")
    yield Question("x = (-1, 0, 0, 1)", [[-1], [0], [0], [1]], [0, 0, 1, 1], "quasi-separable")


def hard() -> Iterator[Question]:
    """Thin, badly scaled and exact cases."""
    X, y = datasets.exponential(200)
    yield Question("exponential(200)", X, y, "separable", 2, {"fit_intercept": False})
    yield Question("a gap of 1e-12", [[0.0], [0.5], [0.5 + 1e-12], [1.0]], [0, 0, 1, 1], "separable")
    X, y = SETS["wdbc"]()
    yield Question("wdbc, a column × 1e150", X * np.where(np.arange(30) == 3, 1e150, 1.0), y, "separable")
    yield Question("wdbc, a column × 1e-150", X * np.where(np.arange(30) == 3, 1e-150, 1.0), y, "separable")
    yield Question("0.1 + 0.2 and 0.3, float64", [[0.1 + 0.2], [0.3]], [0, 1], "separable")
    yield Question("0.3 and 0.30, decimal", [["0.3"], ["0.30"]], [0, 1], "inseparable")


def planted() -> Iterator[Question]:
    X, y = datasets.planted_margin(200_000, 100, 0.001, random_state=0)
    yield Question("planted_margin(200000, 100, 0.001)", X, y, "separable")


def covtype() -> Iterator[Question]:
    X, y = parts_of("covtype")
    yield Question("covtype: 2", X, y == 2, "inseparable", 60)


def mnist() -> Iterator[Question]:
    """Every pair of digits; 1v8, 3v9, 5v6 and 8v9 have planes that 3000 passes of a perceptron do not find."""
    X, y = SETS["mnist"]()[:2]
    without = {"2v3", "2v8", "3v5", "3v8", "4v9", "5v8", "7v9"}
    for a, b in combinations(range(10), 2):
        rows, name = np.isin(y, (a, b)), f"{a}v{b}"
        yield Question(f"mnist {name}", X[rows], y[rows], "inseparable" if name in without else "separable")


def quasi() -> Iterator[Question]:
    """A pair of digits of which a plane has some rows right and none wrong."""
    X, y = SETS["mnist"]()[:2]
    rows = np.isin(y, (4, 9))
    yield Question("mnist 4v9, quasi=True", X[rows], y[rows], "quasi-separable", options={"quasi": True})


def news() -> Iterator[Question]:
    X, y = SETS["20news"]()[:2]
    for label in np.unique(y):
        yield Question(f"20news: {label:g}", X, y == label, "inseparable" if label in (7, 8) else "separable")


def small_questions(count: int, rows: int, columns: int, part: float = 0.1) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Normal rows labelled by a plane, every other time with a part of the labels drawn at random."""
    rng = np.random.default_rng(0)
    for k in range(count):
        X = rng.standard_normal((rows, columns))
        y = X @ rng.standard_normal(columns) > 0
        if k % 2:
            drawn = rng.random(rows) < part
            y[drawn] = rng.random(drawn.sum()) < 0.5
        yield X, y


def small() -> Iterator[Question]:
    """Two small ones of each kind, the second pair without what happens once in a process."""
    for rows, columns in [(64, 6), (1000, 10)] * 2:
        for (X, y), expected in zip(small_questions(2, rows, columns, 0.5), ("separable", "inseparable"), strict=True):
            yield Question(
                "a plane" if expected == "separable" else "a plane, half of the labels drawn", X, y, expected
            )


PARTS: dict[str, Callable[[], Iterator[Question]]] = {
    "known": known,
    "hard": hard,
    "small": small,
    "planted": planted,
    "covtype": covtype,
    "mnist": mnist,
    "quasi": quasi,
    "20news": news,
}


def main(words: list[str]) -> None:
    """Ask everything."""
    print("| data | rows × columns | verdict | margin, or witness | certify, s | check, s |\n|---|---|---|---|---|---|")
    failed = []
    for name, questions in PARTS.items():
        if words and not any(word in name for word in words):
            continue
        total = np.zeros(2)
        try:
            for question in questions():
                spent, why = asked(question)
                total += spent
                failed += [f"{question.name}: {why}"] if why else []
        except MissingError as reason:
            print(f"{name} is left out: {reason}")
        print(f"| *{name}, in all* | | | | {total[0]:.1f} | {total[1]:.1f} |", flush=True)
        if name == "planted":
            against_linprog()
        if name == "small":
            ask_many()
    print("\n".join(["FAILED:", *failed]) if failed else "all as expected, every proof accepted")


def asked(question: Question) -> tuple[list[float], str]:
    """The seconds of certify and check, and what is wrong."""
    options = question.options or {}
    certificate, accepted, spent = answered(question, options)
    for _ in range(REPEATS if sum(spent) < QUICK else 0):
        spent = [min(pair) for pair in zip(spent, answered(question, options)[2], strict=True)]
    shape = " × ".join(map(str, np.shape(question.X)))
    lo, hi = certificate.margin
    what = f"{lo:.6g} to {hi:.6g}" if certificate.verdict == "separable" else f"{len(certificate.witness)} rows"
    print(
        f"| {question.name} | {shape} | {certificate.verdict} | {what} | {spent[0]:.3g} | {spent[1]:.3g} |", flush=True
    )
    if certificate.verdict != question.expected:
        return spent, f"{certificate.verdict}, not {question.expected}; {certificate.reason}"
    if not accepted:
        return spent, accepted.sentence
    if certificate.verdict == "separable" and certificate.reason:
        return spent, certificate.reason
    if (
        certificate.verdict == "inseparable"
        and len(certificate.witness) > np.shape(question.X)[1] + 2
        and not certificate.overlap
    ):
        return spent, f"a witness of {len(certificate.witness)} rows"
    slow = question.seconds is not None and spent[0] > question.seconds
    return spent, f"took {spent[0]:.0f} s, more than {question.seconds} s" if slow else ""


def answered(question: Question, options: dict[str, Any]) -> tuple[Any, Any, list[float]]:
    """The certificate, what the checker says of it, and the seconds of both."""
    began = time.perf_counter()
    certificate = certify(question.X, question.y, **options)
    middle = time.perf_counter()
    accepted = check(certificate, question.X, question.y, fit_intercept=options.get("fit_intercept", True))
    return certificate, accepted, [middle - began, time.perf_counter() - middle]


def ask_many(count: int = 10_000) -> None:
    """As many questions of 1000 × 10, in two processes."""
    questions = list(small_questions(count, 1000, 10))
    began = time.perf_counter()
    answers = certify_many(questions, n_jobs=2)
    spent = time.perf_counter() - began
    verdicts = Counter(answer.verdict for answer in answers)
    print(f"| certify_many, n_jobs=2: {count} questions | 1000 × 10 | {dict(verdicts)} | | {spent:.1f} | |", flush=True)


def against_linprog() -> None:
    """The same question to HiGHS: is there a w with Zw ≥ 1?  It gives no proof and no margin."""
    (question,) = planted()
    ours = np.inf
    for _ in range(3):
        began = time.perf_counter()
        certify(question.X, question.y)
        ours = min(ours, time.perf_counter() - began)
    signs = np.where(question.y == np.unique(question.y)[1], 1.0, -1.0)
    Z = signs[:, None] * np.column_stack([question.X, np.ones(len(signs))])
    began = time.perf_counter()
    certificate = linprog(np.zeros(Z.shape[1]), A_ub=-Z, b_ub=-np.ones(len(Z)), bounds=(None, None), method="highs")
    theirs = time.perf_counter() - began
    print(
        f"| the same by scipy.optimize.linprog (status {certificate.status}) | | | | {theirs:.1f} s, "
        f"{theirs / ours:.1f} times the best of three of ours, {ours:.2f} s | |"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
    print(origin())
