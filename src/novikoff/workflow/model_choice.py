"""Which model: the candidates are trained on some of the rows and tested on others, and the best one is taken."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from ..data.labels import number_labels
from ..errors import InputError
from ..inputs import class_weights
from ..registry import entry_of, load_class
from ..training.kernels import scale_gamma
from .curve_look import LOOKED_AT, CurveLook, curve_look
from .pipelines import collect_warnings

MOST_NUMBERS = 3 * 10**6
"""Numbers of the rows that candidates are compared on, or a little less."""
FEWEST_ROWS, MOST_ROWS = 2000, 20_000
"""Rows that they are compared on, if there are so many, and at most."""
KERNEL_ROWS = 20_000
"""Rows up to which a kernel is a candidate: its time grows with their square."""
KERNEL_SAMPLE = 2000
"""Rows that it is compared on."""
KERNEL_COLUMNS = 1000
"""Columns up to which a kernel is a candidate: with more, planes are rarely the wrong shape."""
CLEARLY = 1.5
"""Standard errors of the difference above which a candidate is better than the first; less is taken for chance."""
WORTH_A_CURVE = 0.01
"""How much more accurate a kernel must be besides, since it takes longer and says less."""
IN_FOLDS = 3000
"""Rows up to which candidates are compared in folds, and not on one part held out."""
ONE_PLANE = 5000
"""Rows up to which planes are not compared at all: they differ by less than so many rows can tell."""
FEW_ROWS = 150
"""Rows up to which ten passes are too few."""
LOOK_ENOUGH = 100
"""Rows from which on the look decides between one plane and a curve; what trials in folds say is no surer."""
FOLDS = 3
HELD_OUT = 0.3
WORTH_SAYING = 1.0
"""Seconds that must be left for it to be said how many."""


@dataclass(frozen=True)
class Candidate:
    """A model with settings."""

    name: str
    settings: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        words = ", ".join(f"{key}={value}" for key, value in self.settings.items())
        return f"{self.name} ({words})" if words else self.name

    def learner(self, fixed: dict[str, Any]) -> Any:
        """The learner, with settings that hold for all candidates."""
        entry = entry_of(self.name)
        return load_class(entry.module, entry.name)(**self.settings | fixed)


@dataclass(frozen=True)
class Trial:
    """What a candidate reached on the rows held out."""

    candidate: Candidate
    accuracy: float


@dataclass(frozen=True)
class Choice:
    """The best candidate, what all of them reached, and on how many rows in how many folds; and the look that told
    whether a curve was worth a trial."""

    best: Candidate
    trials: list[Trial]
    rows: int
    folds: int
    look: CurveLook | None = None


PLANES = (
    Candidate("pa", {"C": 0.1, "max_iter": 10}),
    Candidate("pa"),
    Candidate("pa", {"C": 0.01}),
    Candidate("averaged"),
)
FEW_ROWS_PLANE = Candidate("pa", {"C": 0.2, "max_iter": 30})
CURVE = Candidate("kernel", {"average": True, "threshold": 1.0, "max_iter": 10})
"""What is compared unless a model is asked for; the curve where a quick look says that it may help."""
GRIDS: dict[str, dict[str, tuple[Any, ...]]] = {
    "perceptron": {"max_iter": (10, 100, 1000)},
    "margin": {"max_iter": (10, 100, 1000)},
    "pocket": {"max_iter": (10, 50, 200)},
    "averaged": {"max_iter": (3, 10, 30)},
    "voted": {"max_iter": (1, 3, 10)},
    "pa": {"C": (3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.003), "max_iter": (5, 20)},
    "kernel": {"gamma": (0.25, 1.0, 4.0), "threshold": (0.0, 1.0, 2.0), "average": (True,), "max_iter": (10,)},
    "mlp": {"alpha": (1e-4, 1e-2, 1.0), "max_iter": (200,)},
}
"""What ``--tune`` tries; a number for the kernel's gamma is times 1 / (columns × variance), as "scale" is."""


def candidates_of(name: str | None, tune: bool, X: Any) -> list[Candidate]:
    """What is to be compared: one model, or several, with settings of a grid or a few that often differ."""
    curved = X.shape[0] <= KERNEL_ROWS and X.shape[1] <= KERNEL_COLUMNS
    if not tune:
        return [Candidate(name)] if name else [*planes_for(X.shape[0]), *([CURVE] if curved else [])]
    names = [name] if name else ["pa", "averaged", *(["kernel"] if curved else [])]
    return [candidate for name in names for candidate in grid(name, X)]


def planes_for(rows: int) -> tuple[Candidate, ...]:
    """The planes that are compared on so many rows."""
    if rows <= FEW_ROWS:
        return (FEW_ROWS_PLANE,)
    return PLANES if rows > ONE_PLANE else PLANES[:1]


def grid(name: str, X: Any) -> Iterator[Candidate]:
    """All combinations of the settings that are tried of a model."""
    settings = GRIDS.get(name, {})
    for values in product(*settings.values()):
        chosen = dict(zip(settings, values, strict=True))
        if "gamma" in chosen:
            chosen["gamma"] = "scale" if chosen["gamma"] == 1 else float(f"{chosen['gamma'] * scale_gamma(X):.3g}")
        yield Candidate(name, chosen)


def choose(
    candidates: list[Candidate],
    X: Any,
    y: np.ndarray,
    fixed: dict[str, Any] | None = None,
    done: Callable[[], None] = lambda: None,
) -> Choice:
    """The best of several candidates on rows held out of these, or the first where none is clearly better.

    Clearly is by more than ``CLEARLY`` standard errors of the difference; a kernel must be better by more than
    ``WORTH_A_CURVE`` besides.  ``done`` is called after every candidate.
    """
    balanced = "class_weight" in (fixed or {})
    look = look_at(X, y, balanced) if CURVE in candidates and len(candidates) > 1 else None
    if look and not look.helps:
        candidates = [each for each in candidates if each is not CURVE]
        done()
    elif look and look.rows >= LOOK_ENOUGH and len(candidates) == 2:
        candidates = [CURVE]
        done()
    if len(candidates) == 1:
        if look:
            done()
        return Choice(candidates[0], [], 0, 0, look)
    trials = Trials(X, y, fixed or {}, balanced, look)
    for candidate in candidates:
        trials.consider(candidate)
        done()
    return trials.choice()


class Trials:
    """Candidates on the same rows, held out in the same way; a curve that the look is sure of needs no trial."""

    def __init__(self, X: Any, y: np.ndarray, fixed: dict[str, Any], balanced: bool, look: CurveLook | None) -> None:
        self.X, self.y, self.fixed, self.look = X, y, fixed, look
        self.rows = sample(y, rows_to_compare(X))
        folds = list(parts(y[self.rows]))
        self.folds = folds[:1] if look and look.sure else folds  # to see that planes do not do as well
        held_out = self.rows[np.concatenate([test for _, test in self.folds])]
        self.worth = row_worth(y[held_out], balanced)
        self.tried: list[Candidate] = []
        self.values: list[np.ndarray] = []  # what each of them is worth in every row held out

    def consider(self, candidate: Candidate) -> None:
        """Try a candidate, unless it is known that it will not be taken, or will."""
        if candidate is CURVE and self.look:
            needless = self.look.sure or beaten(self.look, self.values)
        else:
            needless = perfect(self.values)
        if not needless:
            self.tried.append(candidate)
            right = test_candidate(candidate, self.X, self.y, self.rows, self.folds, self.fixed)
            self.values.append(self.worth * right)

    def choice(self) -> Choice:
        """The best of those that were tried, or the curve that needed no trial."""
        curved = self.look and self.look.sure and not beaten(self.look, self.values)
        best = CURVE if curved else self.tried[clearly_best(self.tried, self.values)]
        trials = [Trial(c, float(value.mean())) for c, value in zip(self.tried, self.values, strict=True)]
        return Choice(best, trials, len(self.rows), len(self.folds), self.look)


def perfect(planes: list[np.ndarray]) -> bool:
    """Whether the first one made no error, which none can better."""
    return bool(planes) and bool(planes[0].min() > 0)


def beaten(look: CurveLook, planes: list[np.ndarray]) -> bool:
    """Whether planes do as well on rows held out as curves in the look, though not by least squares."""
    return max((float(values.mean()) for values in planes), default=0.0) >= look.curve


def look_at(X: Any, y: np.ndarray, balanced: bool) -> CurveLook:
    """A quick look at some of the rows: does a curve help?"""
    numbers = number_labels(y)[1]
    for most in LOOKED_AT:
        some = sample(numbers, most)
        look = curve_look(X[some], numbers[some], row_worth(numbers[some], balanced), WORTH_A_CURVE)
        if look.curve <= look.plane or len(y) <= most:
            break
    return look


def row_worth(y: np.ndarray, balanced: bool) -> np.ndarray:
    """What a right answer counts in each row: 1, or, where all classes are to count the same, more in small ones."""
    if not balanced:
        return np.ones(len(y))
    labels, numbers, counts = np.unique(y, return_inverse=True, return_counts=True)
    return class_weights("balanced", labels, counts)[numbers]


def clearly_best(candidates: list[Candidate], values: list[np.ndarray]) -> int:
    """The candidate with the best mean, of those that are clearly better than the first; planes before kernels."""
    best = 0
    for curved in (False, True):
        rivals = [k for k, candidate in enumerate(candidates) if (candidate.name == "kernel") == curved and k]
        ahead = [k for k in rivals if clearly_better(values[k], values[best], WORTH_A_CURVE if curved else 0.0)]
        best = max(ahead, key=lambda k: float(values[k].mean()), default=best)
    return best


def clearly_better(a: np.ndarray, b: np.ndarray, least: float) -> bool:
    """Whether a mean is larger by more than chance, on the same rows, and by more than the least."""
    difference = a - b
    error = float(difference.std() / np.sqrt(len(difference)))
    return bool(difference.mean() > max(CLEARLY * error, least))


def test_candidate(
    candidate: Candidate, X: Any, y: np.ndarray, rows: np.ndarray, folds: list[Any], fixed: dict[str, Any]
) -> np.ndarray:
    """Which of the rows held out a candidate gets right; a kernel is trained on fewer rows."""
    right = []
    for train, test in folds:
        if candidate.name == "kernel" and len(train) > KERNEL_SAMPLE:
            train = train[sample(y[rows[train]], KERNEL_SAMPLE)]
        with collect_warnings():
            learner = candidate.learner(fixed).fit(X[rows[train]], y[rows[train]])
        right.append(learner.predict(X[rows[test]]) == y[rows[test]])
    return np.concatenate(right)


def rows_to_compare(X: Any) -> int:
    """How many rows of a matrix are compared on."""
    per_row = max(1, (X.nnz if hasattr(X, "nnz") else X.size) // X.shape[0])
    return min(MOST_ROWS, max(FEWEST_ROWS, MOST_NUMBERS // per_row))


def sample(y: np.ndarray, most: int) -> np.ndarray:
    """At most so many rows, of every class the same part or one, in their order."""
    if len(y) <= most:
        return np.arange(len(y))
    random = np.random.default_rng(0)
    kept = []
    for label in np.unique(y):
        places = np.flatnonzero(y == label)
        kept.append(random.permutation(places)[: max(2, round(len(places) * most / len(y)))])
    return np.sort(np.concatenate(kept))


def parts(y: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Folds of few rows, or one part held out of many."""
    sizes = np.unique(y, return_counts=True)[1]
    several = sizes[sizes > 1]
    if not len(several):
        raise InputError("All classes have one row only: there is nothing to compare models on.")
    if len(y) <= IN_FOLDS:
        return folds_of(y, shuffled_folds(min(FOLDS, int(several.min())), seed=1))
    return folds_of(y, StratifiedShuffleSplit(1, test_size=HELD_OUT, random_state=1))


def shuffled_folds(count: int, seed: int = 0) -> StratifiedKFold:
    """So many parts of the rows, with as many of every class in each as can be."""
    return StratifiedKFold(count, shuffle=True, random_state=seed)


def folds_of(y: np.ndarray, ways: Any) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Rows to train on and rows to test on, in these ways; the only row of a class is always trained on."""
    labels, sizes = np.unique(y, return_counts=True)
    single = np.isin(y, labels[sizes < 2])
    places, alone = np.flatnonzero(~single), np.flatnonzero(single)
    for train, test in ways.split(places, y[places]):
        yield np.sort(np.concatenate([places[train], alone])), places[test]


class TimeLeft:
    """How long the rest of many equal steps will take, said after each."""

    def __init__(self, total: int, say: Callable[[str], None], what: str) -> None:
        self.total, self.say, self.what = total, say, what
        self.begun, self.made = time.monotonic(), 0

    def step(self) -> None:
        """One more step is done."""
        self.made += 1
        rest = (time.monotonic() - self.begun) * max(0, self.total - self.made) / self.made
        if rest >= WORTH_SAYING:
            self.say(f"{self.what}: {self.made} of {self.total}, about {rest:.0f} s left")
