"""Which estimates are infinite, beside firthmodels and statsmodels: python benchmarks/separation.py [word …].

Prints for each design what every coefficient is, whether the peer names the same infinite ones and the signs that the
data force, what statsmodels says, and the seconds of both; then the same in sum for random designs, some of them with
aliased columns, and the rate of a scan.  With words, only the parts whose name has one of them; ``--designs 1000`` is
the length of the scan.
"""

import argparse
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy.linalg
import statsmodels.api as sm
from firthmodels import detect_separation
from measure import MissingError, Row, measured, seconds
from origin import origin
from rich.console import Console
from rich.table import Table
from sets import SETS, parts_of, whole
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from novikoff import check, separation, separation_many

INFINITE = {"+inf": {1}, "-inf": {-1}, "undetermined": {1, -1}}
"""What a peer may print of a coefficient that is infinite."""
RANDOM = 200
"""Random designs of either kind."""
ROWS, COVARIATES = 1000, 9
"""The designs of the scan: one column beside so many, and an intercept."""
FEW = 200
"""Designs of the scan on which both packages are measured in one process."""
PUBLISHED = {
    "endometrial": {"NV": "+inf", "PI": "finite", "EH": "finite", "(Intercept)": "finite"},
    "lizards": dict.fromkeys(range(6), "finite"),
}
"""The answers that detectseparation prints in its documentation."""

Design = tuple[Any, np.ndarray]


def endometrial() -> Design:
    """79 women; neovasculation, pulsatility index, endometrium height; histology grade."""
    return parts_of("endometrial")


def lizards() -> Design:
    """Two species, one row per lizard; four factors as columns of 0 and 1 but for their first levels."""
    table = whole("lizards")
    levels = [(j, level) for j in range(4) for level in sorted(set(table.data[:, j]))[1:]]
    X = np.column_stack([table.data[:, j] == level for j, level in levels]).astype(float)
    counts = table.target[:, ::-1].astype(float).astype(int)
    return np.repeat(X, counts.sum(axis=1), axis=0), np.concatenate([np.repeat([0, 1], pair) for pair in counts])


def without_constants(name: str) -> Callable[[], Design]:
    """A set without the columns that do not vary, on which firthmodels raises."""

    def load() -> Design:
        X, y = SETS[name]()
        return X[:, np.ptp(X, axis=0) > 0], y

    return load


def standardised(name: str) -> Callable[[], Design]:
    """A set whose columns have mean 0 and variance 1."""
    return lambda: (StandardScaler().fit_transform(SETS[name]()[0]), SETS[name]()[1])


REAL: dict[str, Callable[[], Design]] = {
    "endometrial": endometrial,
    "lizards": lizards,
    "ionosphere": SETS["ionosphere"],
    "ionosphere, no constant column": without_constants("ionosphere"),
    "sonar": SETS["sonar"],
    "wdbc, standardised": standardised("wdbc"),
    "spambase": SETS["spambase"],
    "pima": SETS["pima"],
}


def their_signs(X: Any, y: Any) -> np.ndarray | None:
    """What firthmodels prints of each coefficient, the intercept's last: 1, −1, or 0 if finite; None if it raises."""
    try:
        return detect_separation(X, y).directions
    except scipy.linalg.LinAlgError:
        return None


def compared(classes: list[str], signs: np.ndarray | None) -> tuple[str, str]:
    """Whether the same coefficients are infinite, and the signs that are forced agree."""
    if signs is None:
        return "raises", "raises"
    same = all((kind in INFINITE) == bool(sign) for kind, sign in zip(classes, signs, strict=True))
    forced = [(kind, sign) for kind, sign in zip(classes, signs, strict=True) if kind in ("+inf", "-inf")]
    agree = sum(int(sign) in INFINITE[kind] for kind, sign in forced)
    return "yes" if same else f"no, {int(np.count_nonzero(signs))}", f"{agree} of {len(forced)}"


def statsmodels_says(X: Any, y: Any) -> str:
    """The warnings of a fit, by name, or the error."""
    numbers = (y == np.unique(y)[1]).astype(int)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            sm.Logit(numbers, sm.add_constant(X, has_constant="add")).fit(disp=0)
        except (np.linalg.LinAlgError, FloatingPointError) as error:
            return type(error).__name__
    return ", ".join(sorted({warning.category.__name__ for warning in caught})) or "nothing"


def counted(classes: list[str]) -> str:
    """How many coefficients are what."""
    counts = Counter(classes)
    return ", ".join(f"{counts[kind]} {kind}" for kind in ("finite", *INFINITE, "aliased") if counts[kind])


def real_sets(console: Console) -> None:
    """One line per set."""
    out = Table(title="novikoff.separation beside firthmodels.detect_separation (best of several, one process)")
    for name in ("design", "verdict", "coefficients", "same infinite", "forced signs", "statsmodels", "proof"):
        out.add_column(name)
    for name in ("theirs, s", "ours, s", "ratio"):
        out.add_column(name, justify="right")
    for name, load in REAL.items():
        try:
            X, y = load()
        except MissingError as reason:
            out.add_row(name, str(reason))
            continue
        found = separation(X, y)
        classes = list(found.coefficients.values())
        if name in PUBLISHED and classes != list(PUBLISHED[name].values()):
            raise SystemExit(f"{name} is not what detectseparation says: {classes}")
        signs = their_signs(X, y)
        accepted = "accepted" if check(found, X, y) else "REFUSED"
        _, theirs, ours, _ = measured(Row(name, "firthmodels", None, lambda: both(X, y)))  # noqa: B023 (called at once)
        figures = ("–" if signs is None else f"{theirs:.4f}", f"{ours:.4f}")
        ratio = "–" if signs is None else f"{theirs / ours:.2f}"
        says = statsmodels_says(X, y)
        shape = f"{name}, {X.shape[0]} × {X.shape[1]}"
        line = (shape, found.verdict, counted(classes), *compared(classes, signs), says, accepted, *figures, ratio)
        out.add_row(*line)
        console.print(" | ".join(line))
    console.print(out)


def both(X: Any, y: Any) -> tuple[Callable[[], Any], Callable[[], Any], None]:
    """The work of the peer, and ours."""
    return lambda: their_signs(X, y), lambda: separation(X, y), None


def quasi_separated(number: int) -> Iterator[Design]:
    """Random designs whose response does not vary on one side of a plane, or of several, and is by chance on it."""
    rng, made = np.random.default_rng(0), 0
    while made < number:
        n, d = int(rng.integers(20, 80)), int(rng.integers(2, 7))
        X = np.where(rng.random(d) < 0.5, rng.integers(-2, 3, (n, d)), rng.normal(size=(n, d)))
        w = rng.integers(-1, 2, d) * (rng.random(d) < 0.4)
        scores = X @ w
        level = np.quantile(scores, rng.choice([0.0, 0.2, 0.5]), method="lower")
        y = np.where(scores == level, rng.integers(0, 2, n), scores > level).astype(int)
        full = np.linalg.matrix_rank(np.column_stack([X, np.ones(n)])) == d + 1
        if full and len(set(y.tolist())) == 2 and separation(X, y).verdict == "quasi-complete":
            made += 1
            yield X, y


def random_sets(console: Console) -> None:
    """Quasi-separated designs, and the same with an aliased column."""
    designs = list(quasi_separated(RANDOM))
    answers = [(separation(X, y), their_signs(X, y)) for X, y in designs]
    lines = [compared(list(found.coefficients.values()), signs) for found, signs in answers]
    other = [k for k, (same, _) in enumerate(lines) if same != "yes"]
    proved = sum(bool(check(answers[k][0], *designs[k])) for k in other)
    right, forced = (sum(int(signs.split(" of ")[k]) for _, signs in lines) for k in (0, 1))
    console.print(
        f"{len(designs)} quasi-separated designs: the same infinite coefficients in {len(designs) - len(other)}; of "
        f"the others {proved} of our proofs are accepted; of {forced} forced signs firthmodels prints {right}"
    )
    aliased = [(np.column_stack([X, 2 * X[:, 0]]), y) for X, y in designs]
    raised = sum(their_signs(X, y) is None for X, y in aliased)
    mended = [separation(X, y) for X, y in aliased]
    proved = sum(bool(check(found, X, y)) for found, (X, y) in zip(mended, aliased, strict=True))
    named = sum(list(found.coefficients.values())[-2] == "aliased" for found in mended)
    console.print(
        f"{len(aliased)} with an aliased column: firthmodels raises on {raised}, ours answers {proved} with a proof "
        f"that is accepted, and calls the column aliased in {named}"
    )
    _, theirs, ours, _ = measured(Row("all", "firthmodels", None, lambda: all_of_them(designs)))
    console.print(f"seconds of all: firthmodels {theirs:.2f}, ours {ours:.2f}, ratio {theirs / ours:.2f}")


def all_of_them(designs: list[Design]) -> tuple[Callable[[], Any], Callable[[], Any], None]:
    """The work of the peer on many designs, and ours."""
    pairs = [both(X, y) for X, y in designs]
    return lambda: [theirs() for theirs, _, _ in pairs], lambda: [ours() for _, ours, _ in pairs], None


def scan(console: Console, designs: int) -> None:
    """One changing column, 0, 1 or 2 as the alleles of a variant are, beside fixed covariates."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, COVARIATES))
    y = (rng.random(ROWS) < 0.2).astype(int)
    columns = rng.binomial(2, rng.uniform(0.002, 0.3, designs), (ROWS, designs))
    separation_many(columns[:, :2], y, X)  # compiles
    kept: list[Any] = []
    took = seconds(lambda: kept.append(separation_many(columns, y, X, n_jobs=2)))
    found = Counter(kept[0]["is"])
    console.print(
        f"separation_many, {designs} designs of {ROWS} × {COVARIATES + 1}, n_jobs=2: {took:.1f} s, "
        f"{designs / took:.0f} a second, 10,000 in {10_000 * took / designs:.0f} s; the column is "
        f"{', '.join(f'{kind} in {count}' for kind, count in found.most_common())}"
    )
    few = [np.column_stack([columns[:, [k]], X]) for k in range(FEW)]
    theirs = min(processor_time(lambda: [their_signs(design, y) for design in few]) for _ in range(3))
    ours = min(processor_time(lambda: separation_many(columns[:, :FEW], y, X)) for _ in range(3))
    console.print(
        f"processor time of the first {FEW}, one process: firthmodels {1000 * theirs / FEW:.1f} ms each, ours "
        f"{1000 * ours / FEW:.1f}, ratio {theirs / ours:.2f}"
    )


def processor_time(work: Callable[[], Any]) -> float:
    """Seconds of a processor, which other work on the machine hardly changes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("words", nargs="*", help="real, random, scan; all unless some are named")
    parser.add_argument("--designs", type=int, default=10_000, help="of the scan")
    options = parser.parse_args()
    console = Console(width=200)
    parts = {"real": real_sets, "random": random_sets, "scan": lambda to: scan(to, options.designs)}
    for name, part in parts.items():
        if not options.words or any(word in name for word in options.words):
            with threadpool_limits(1):  # threads of BLAS wait for each other on a busy machine, in either package
                part(console)


if __name__ == "__main__":
    main()
    print(origin())
