"""Questions to ``certify``, of all kinds of numbers, and their answers held against an exact oracle."""

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import campaign_truth as exact
import numpy as np
import scipy.sparse as sp

import novikoff
from novikoff.proofs import gordan

PRIMES = 2097143, 2097133
"""The primes modulo which certify looks first whether a row is tied; their multiples vanish there."""
TENTHS = (0.1, 0.2, 0.3, 0.30000000000000004, 0.29999999999999993, 0.7, 0.1 * 3, 0.6, 0.6000000000000001)
LABELS = (
    [0, 1, 2, 3, 4],
    [-1, 1, 2, 5, 9],
    ["a", "b", "c", "d", "e"],
    [8, 9, 10, 11, 100],
    ["no", "yes", "z", "zz", "ω"],
)
Values = Callable[[Random], Any]


def signed_choice(random: Random, values: Sequence[Any]) -> Any:
    """One of the values, with a sign."""
    return random.choice(values) * random.choice((1, -1))


def decimal(random: Random) -> str:
    """A number as tables write it."""
    whole, part = random.randint(-3, 3), random.randint(0, 30)
    return random.choice(
        (f"{whole}.{part}", f"{whole}", f".{part}", f"{whole}e-{part % 4}", f"{whole}.50", f"{part}/7")
    )


FAMILIES: dict[str, Values] = {
    "int": lambda r: float(r.randint(-3, 3)),
    "zero-one": lambda r: float(r.randint(0, 1)),
    "tiny margin": lambda r: r.randint(-2, 2) * (1 + r.randint(-1, 1) * 2.0**-52),
    "decimal": decimal,
    "large": lambda r: float(r.randint(-(10**6), 10**6)),
    "tenths": lambda r: signed_choice(r, TENTHS),
    "gauss": lambda r: r.gauss(0, 1),
    "primes": lambda r: float(signed_choice(r, (0, 1, *PRIMES, 2 * PRIMES[0], PRIMES[0] * PRIMES[1], 3))),
    "huge": lambda r: signed_choice(r, (1e300, 1e150, 1e-150, 1e-300, 3e300, 2e-300, 0.0)),
    "parallel": lambda r: 1e8 * r.randint(-2, 2) + r.randint(-1, 1) * r.choice((1.0, 1e-8)),
    "subnormal": lambda r: r.randint(-3, 3) * r.choice((5e-324, 5e-324, 1e-310)),
}
"""One number of each kind; "mixed" takes another kind for every column."""
NAMES = [*FAMILIES, *(name for name in FAMILIES if name != "huge"), "int", "int", "mixed", "mixed"]
KERNEL_FAMILIES = ("int", "zero-one", "decimal", "tenths", "gauss", "tiny margin")


def make(seed: int, number: int) -> dict[str, Any]:
    """A table, its labels, and how certify is asked."""
    random = Random(f"questions/{seed}/{number}")
    options = draw_options(random)
    family = random.choice(KERNEL_FAMILIES if "kernel" in options else NAMES)
    X = table(random, family, small="kernel" in options)
    y = labels(random, X)
    touch_up(random, X, y)
    count = len(set(y))
    if count == 1:
        y[0] = 1 - y[0] if y[0] < 2 else 0
    names = random.choice(LABELS)
    y = [names[c] for c in y]
    kind = "list" if family == "decimal" else random.choice(("array", "array", "array", "list", "sparse"))
    how = {"as": kind, "large": random.random() < 0.07, "recompute": len(X) <= 10 and random.random() < 0.1}
    return {"family": family, "X": X, "y": y, "options": options, **how}


def draw_options(random: Random) -> dict[str, Any]:
    """Keywords of certify."""
    options: dict[str, Any] = {"fit_intercept": random.random() < 0.7}
    if random.random() < 0.7:
        options["multi_class"] = random.choice(("ovr", "ovo", "ovo"))
    chance = random.random()
    if chance < 0.035:
        options |= {"kernel": "poly", "degree": random.randint(1, 3), "coef0": random.choice([0, 1, "1/2", 2.0])}
    elif chance < 0.05:
        options["kernel"] = "rbf"
    if "kernel" in options:
        options["gamma"] = random.choice(["scale", "auto", "1/3", 1, 0.5, "2"])
    return options


def table(random: Random, family: str, small: bool) -> list[list[Any]]:
    """Rows of numbers of one family."""
    n, d = random.randint(2, 10), random.randint(1, 4)
    if random.random() < 0.1:
        n, d = random.randint(2, 5), random.randint(3, 8)  # more columns than rows, often
    if family == "huge":
        n, d = min(n, 7), min(d, 3)  # whole numbers of thousands of digits
    elif random.random() < 0.01 and not small:
        n, d = random.randint(10, 40), random.randint(2, 8)
    if family == "parallel":
        return near_parallel(random, n, d)
    kinds = [family] * d
    if family == "mixed":
        kinds = [random.choice([name for name in FAMILIES if name != "decimal"]) for _ in range(d)]
    return [[FAMILIES[kind](random) for kind in kinds] for _ in range(n)]


def near_parallel(random: Random, n: int, d: int) -> list[list[float]]:
    """Rows along one direction, and a little beside it."""
    base, tiny = [random.gauss(0, 1) for _ in range(d)], random.choice((1e-9, 1e-15, 2.0**-52))
    return [[t * v + tiny * random.randint(-2, 2) for v in base] for t in (random.randint(-3, 3) for _ in range(n))]


def labels(random: Random, X: list[list[Any]]) -> list[int]:
    """Classes: at random, or by planes, with rows on a plane in either class."""
    classes = random.choice((2, 2, 2, 3, 4, 5))
    if random.random() < (0.35 if classes == 2 else 0.6):
        return [random.randrange(classes) for _ in X]
    rows = [list(map(Fraction, row)) for row in X]
    scale = [max(map(abs, column)) or 1 for column in zip(*rows, strict=True)]
    planes = [[random.randint(-2, 2) / s for s in scale] for _ in range(classes - 1)]
    shift = random.choice((0, 0, Fraction(random.randint(-2, 2), 3)))
    touching = random.random() < 0.7
    y = []
    for row in rows:
        scores = [sum((a * b for a, b in zip(w, row, strict=True)), start=shift) for w in planes]
        side = [s > 0 or (s == 0 and touching and random.random() < 0.5) for s in scores]
        y.append(sum(side))
    return y


def touch_up(random: Random, X: list[list[Any]], y: list[int]) -> None:
    """Rows twice, rows of zeros, equal and constant columns, negative zeros: each at random."""
    n, d = len(X), len(X[0])
    zero = "0" if isinstance(X[0][0], str) else 0.0
    if random.random() < 0.2:
        i, j = random.randrange(n), random.randrange(n)
        X[i] = list(X[j])
        y[i] = y[j] if random.random() < 0.5 else y[i]
    if random.random() < 0.15:
        X[random.randrange(n)] = [zero] * d
    if random.random() < 0.12:
        j, k = random.randrange(d), random.randrange(d)
        for row in X:
            row[j] = row[k]
    if random.random() < 0.1:
        j, value = random.randrange(d), X[0][0]
        for row in X:
            row[j] = value
    if random.random() < 0.1 and not isinstance(zero, str):
        for row in X:
            row[:] = [-0.0 if v == 0 and random.random() < 0.5 else v for v in row]


class Asked(NamedTuple):
    """One question: the classes' texts, and the sign of every row."""

    key: Any
    positive: Any
    negative: Any
    signs: list[int]


def posed(y: list[Any], several: str) -> list[Asked]:
    """The questions that labels pose: the larger label against the other; of several, each or each pair."""
    classes = sorted(set(y))
    if len(classes) == 2:
        pairs = [(None, classes[1], classes[0])]
    elif several == "ovr":
        pairs = [(c, c, None) for c in classes]
    else:
        pairs = [((a, b), b, a) for k, a in enumerate(classes) for b in classes[k + 1 :]]
    return [Asked(key, a, b, [1 if v == a else -1 if b in (None, v) else 0 for v in y]) for key, a, b in pairs]


def as_given(case: dict[str, Any]) -> Any:
    """The table as certify is given it."""
    if case["as"] == "list":
        return case["X"]
    X = np.array(case["X"], dtype=float)
    return sp.csr_matrix(X) if case["as"] == "sparse" else X


@contextmanager
def way_of_large_data(wanted: bool) -> Iterator[None]:
    """Linear programs before the exact simplex, as data have it that are not small."""
    small = gordan.SMALL
    gordan.SMALL = 0 if wanted else small
    try:
        yield
    finally:
        gordan.SMALL = small


def judge(case: dict[str, Any]) -> tuple[Counter[str], list[tuple[str, str]]]:
    """What was asked and answered, in counts; and every fault, with a word on it."""
    options, y = case["options"], case["y"]
    counts, faults = Counter({"calls of certify": 1}), []  # type: Counter[str], list[tuple[str, str]]
    with way_of_large_data(case["large"]), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        answers = novikoff.certify(as_given(case), y, **options)
    faults += [("warning", str(each.message)) for each in warned[:1]]
    for asked in posed(y, options.get("multi_class", "ovr")):
        counts["questions"] += 1
        counts[f"family {case['family']}"] += 1
        counts["kernel " + options.get("kernel", "linear")] += 1
        answer = answers if asked.key is None else answers[asked.key]
        found = judge_answer(case, asked, answer, counts)
        faults += [(kind, f"{asked.positive} against {asked.negative}: {what}") for kind, what in found]
    return counts, faults


def judge_answer(case: dict[str, Any], asked: Asked, answer: Any, counts: Counter[str]) -> list[tuple[str, str]]:
    """The faults of one answer."""
    X, options = case["X"], case["options"]
    kernel = kernel_of(options)
    true = exact.truth(X, asked.signs, options["fit_intercept"], kernel)
    counts[f"truth {true.verdict}"] += 1
    said = f"{answer.verdict}, overlap {answer.overlap} ({answer.reason}), truly {true.verdict}"
    if answer.verdict == "unknown":
        return [("unknown", said)]
    faults = verdict_faults(answer, true, said, kernel, counts)
    if answer.proof is None:
        counts["without a proof"] += 1
        return faults if kernel and kernel["name"] == "rbf" else [*faults, ("no proof", said)]
    checked = put_to_check(answer, as_given(case), case["y"], asked, options["fit_intercept"], answer.kernel)
    counts["own certificates checked"] += 1
    if not checked:
        faults.append(("own certificate refused", checked.sentence))
    if case["recompute"] and counts["questions"] == 1:
        false = exact.false_claims(answer.proof, X, asked.signs, options["fit_intercept"], answer.proof["kernel"], true)
        counts["proofs recomputed"] += 1
        faults += [("false proof", name) for name in false]
    if answer.coef is not None:
        holds = float_plane_holds(answer, X, asked, options, true)
        counts["float planes"] += 1
        counts["float planes that do not separate exactly"] += not holds
        if not (holds or answer.rounded):
            faults.append(("float plane", "coef does not separate, and is not said to be rounded"))
    return faults


def kernel_of(options: dict[str, Any]) -> Any:
    """The kernel as the oracle takes it."""
    if "kernel" not in options:
        return None
    return {"name": options["kernel"], "degree": options.get("degree", 2), "coef0": options.get("coef0", 1)}


def verdict_faults(answer: Any, true: Any, said: str, kernel: Any, counts: Counter[str]) -> list[tuple[str, str]]:
    """Whether verdict, rows and overlap are what is true."""
    left_open = answer.verdict == "inseparable" and answer.overlap is None
    if left_open and true.verdict != "separable":
        counts["overlap left open"] += 1
        documented = kernel is not None and kernel["name"] == "rbf" and bool(answer.reason)
        return [] if documented else [("overlap left open", said)]
    if answer.verdict != true.verdict:
        return [("wrong verdict", said)]
    if answer.verdict == "quasi-separable" and list(map(int, answer.rows)) != true.rows:
        return [("wrong rows", f"{list(answer.rows)}, truly {true.rows}")]
    if answer.overlap is not (answer.verdict == "inseparable"):
        return [("wrong overlap", said)]
    return []


def put_to_check(proof: Any, X: Any, y: list[Any], asked: Asked, intercept: bool, kernel: Any) -> Any:
    """The checker's answer to who asks this question."""
    named: dict[str, Any] = {"fit_intercept": intercept, "kernel": "linear" if kernel is None else kernel}
    if asked.key is not None:
        named["positive"] = str(asked.positive)
        named["negative"] = None if asked.negative is None else str(asked.negative)
    return novikoff.check(proof, X, y, **named)


def float_plane_holds(answer: Any, X: Any, asked: Asked, options: dict[str, Any], true: Any) -> bool:
    """Whether ``coef`` and ``intercept``, taken as the floats they are, do what the exact plane does."""
    plane = [
        *map(Fraction, answer.coef[0].tolist()),
        *map(Fraction, answer.intercept.tolist()[: options["fit_intercept"]]),
    ]
    Z = exact.signed_rows(X, asked.signs, options["fit_intercept"])
    margins = [sum((a * b for a, b in zip(z, plane, strict=True)), Fraction(0)) for z in Z]
    if true.verdict == "separable":
        return min(margins) > 0
    places = [i for i, s in enumerate(asked.signs) if s]
    return min(margins) >= 0 and [i for i, v in zip(places, margins, strict=True) if v > 0] == true.rows
