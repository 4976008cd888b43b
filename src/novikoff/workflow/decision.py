"""Do the classes separate?  A decision, by ``certify``, within a limit of time; else what is proved so far."""

import shlex
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data.open_files import Reading
from ..errors import finite_or_none
from .fit_request import FitRequest

AT_LEAST = 2.0
"""Seconds that the question may always take; where learning takes longer, as long as that."""
FEW_ROWS = 1000
"""Rows of the first look at larger data: where some rows cannot be separated, all of them cannot."""
WIDE_GAP = 0.5
"""How wide the interval of the best margin may be where the numbers are many."""


@dataclass(frozen=True)
class SeparationAnswer:
    """A class against the rest (of two classes, the second against the first), and what is proved of it."""

    classes: list[str]
    verdict: str  # separable, quasi-separable, inseparable or unknown
    margin: list[float | None]  # between which the largest margin lies; both None where nothing is known of it
    mistake_bound: float | None  # updates that no perceptron's run exceeds
    witness: int  # rows that prove that there is no plane
    reason: str  # of "unknown"


@dataclass(frozen=True)
class SeparationDecision:
    """The answers to all questions, on the rows of the file with their numbers as float64."""

    questions: list[SeparationAnswer]
    rows: int
    seconds: float
    command: str | None = None  # that decides what is open
    filled: int = 0  # rows of which missing values were filled in

    @property
    def verdict(self) -> str:
        """The answer for all classes: separable if all are, inseparable if one is not, else unknown."""
        verdicts = {question.verdict for question in self.questions}
        if verdicts <= {"separable"}:
            return "separable" if verdicts else "unknown"
        if "inseparable" in verdicts:
            return "inseparable"
        return "unknown" if "unknown" in verdicts else "quasi-separable"

    def to_dict(self) -> dict[str, Any]:
        questions = [vars(question) for question in self.questions]
        return {"verdict": self.verdict, **vars(self), "questions": questions}


def decide(X: Any, y: np.ndarray, whole: bool, seconds: float) -> list[SeparationAnswer]:
    """The answer for every class, all within so many seconds; ``whole`` says that these are all rows there are.

    Of a part of the rows only "inseparable" says something of all.
    """
    end = time.monotonic() + seconds
    classes = np.unique(y)
    asked = classes[1:] if len(classes) == 2 else classes
    answers = []
    for k, label in enumerate(asked):
        until = time.monotonic() + max(0.0, end - time.monotonic()) / (len(asked) - k)
        names = [str(label), str(classes[0])] if len(classes) == 2 else [str(label)]
        try:
            answers.append(answer(X, (y == label).astype(int), names, whole, until))
        except (ValueError, OverflowError, MemoryError) as error:  # a model that was learnt is not lost for this
            answers.append(SeparationAnswer(names, "unknown", [None, None], None, 0, str(error)))
    return answers


def answer(X: Any, y: np.ndarray, names: list[str], whole: bool, until: float) -> SeparationAnswer:
    """The answer to one question, until a time."""
    from ..proofs.certify import certify  # here, as a fit that is not asked to decide need not wait for it
    from ..proofs.quasi import NUMBERS

    numbers = X.nnz if hasattr(X, "nnz") else X.size
    if X.shape[0] > FEW_ROWS and numbers > NUMBERS // 4:
        some = few_rows(y)
        first = certify(X[some], y[some], time_limit=left(until) / 2, quasi=False, rel_gap=WIDE_GAP)
        if first.verdict == "inseparable":
            return question(names, first)
    if left(until) <= 0:
        return SeparationAnswer(names, "unknown", [None, None], None, 0, "the time was up")
    many: dict[str, Any] = {} if numbers <= NUMBERS // 4 else {"quasi": False, "rel_gap": WIDE_GAP}
    found = certify(X, y, time_limit=left(until), **many)
    if whole or found.verdict == "inseparable":
        return question(names, found)
    return SeparationAnswer(names, "unknown", [None, None], None, 0, f"only {X.shape[0]:,} of the rows were looked at")


def left(until: float) -> float:
    """Seconds until a time."""
    return max(0.0, until - time.monotonic())


def few_rows(y: np.ndarray) -> np.ndarray:
    """Some rows, up to half of them of the class that is asked about."""
    random = np.random.default_rng(0)
    inside, outside = np.flatnonzero(y), np.flatnonzero(y == 0)
    taken = random.permutation(inside)[: FEW_ROWS // 2]
    rest = random.permutation(outside)[: FEW_ROWS - len(taken)]
    return np.sort(np.concatenate([taken, rest]))


def question(names: list[str], found: Any) -> SeparationAnswer:
    """What a certificate says."""
    low, high = found.margin
    margin = [finite_or_none(low) if found.verdict == "separable" else None, finite_or_none(high)]
    bound = finite_or_none(found.mistake_bound)
    return SeparationAnswer(names, found.verdict, margin, bound, len(found.witness), found.reason)


def deciding_command(request: FitRequest, kinds: dict[str, str]) -> str:
    """The command that decides what is open: ``certify``, or where it does not take such columns, ``fit`` with time."""
    simple = request.missing == "refuse" and not {"text", "identifier"} & set(kinds.values())
    given: list[Any] = ["--target", request.target] if request.target else []
    options = {"--categorical": request.column_options.categorical, "--drop": request.column_options.drop}
    if not simple:
        options |= {"--text": request.column_options.text, "--numeric": request.column_options.numeric}
        given += ["--missing", request.missing] if request.missing != "refuse" else []
    given += [part for name, values in options.items() for value in values for part in (name, value)]
    given += reading_options(request.reading)
    words = ["certify", request.data, *given] if simple else ["fit", request.data, *given, "--separation-time", "600"]
    return shlex.join(["novikoff", *map(str, words)])


def reading_options(reading: Reading) -> list[str]:
    """How the file was to be read, as options."""
    pairs = (("--delimiter", reading.delimiter), ("--encoding", reading.encoding))
    given = [part for name, value in pairs if value for part in (name, value)]
    return (
        given
        + (["--no-header"] if not reading.header else [])
        + [part for mark in reading.missing for part in ("--na", mark)]
    )
