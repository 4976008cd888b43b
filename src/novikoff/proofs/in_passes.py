"""The search over rows that are not all in memory: a working set is, and passes over all rows find what it lacks.

What the working set proves inseparable is inseparable with all rows.  A plane of the working set is held against every
row, exactly as in memory, and the rows that are nearest to it, or on its wrong side, join the working set.  All
questions that are open share a pass.
"""

import hashlib
import time
from collections.abc import Callable, Generator
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
import scipy.sparse as sp

from ..certificates.certificate import Certificate, Certificates
from ..errors import InputError
from ..exact.floats import root
from ..exact.limits import SearchLimits, UndecidedError
from ..exact.ratios import Ratios, stack_numbers
from ..progress import Progress
from ..scale.exact_sources import ExactBatch, RowSource
from .best_margin import Interval, best_interval
from .gordan import NEW
from .proof_json import (
    collinear_relations,
    digest_signs,
    digest_values,
    largest_square,
    margin_claims,
    vector_text,
    write_certificate,
)
from .quasi import NUMBERS, Decision, decide_separability
from .question import DataMatrix, Question, exact_numbers, questions
from .signed_rows import SignedRows, error_bound, signs_of

NOT_LOOKED_FOR = "quasi-separation is not looked for in rows that are read in passes"
MOST_WORKED = 2**23
"""Numbers of the working set, which is in memory several times over."""
LEAST_LENGTH = 1e-150
"""More than a number whose square is too small for a float."""
NEARER = 1 + 1e-9
"""Rows are nearer to a plane than those of the working set if they are by more than floats may be off."""


@dataclass(frozen=True)
class WorkingSet:
    """The rows that are in memory, in their order."""

    rows: np.ndarray
    numbers: Any
    labels: np.ndarray

    def larger(self, others: "WorkingSet") -> "WorkingSet":
        """With the rows of others, some of which must be new."""
        others = others.part(np.flatnonzero(~np.isin(others.rows, self.rows)))
        if not len(others.rows):
            raise UndecidedError("floats are too coarse to tell which rows are nearest to the plane")
        both = stack_working_sets([self, others])
        if (both.numbers.nnz if sp.issparse(both.numbers) else np.prod(both.numbers.shape)) > MOST_WORKED:
            raise UndecidedError("the rows that matter are more than are kept in memory")
        return both.part(np.argsort(both.rows))

    def signed(self, question: Question, intercept: bool) -> SignedRows:
        """The rows with the signs of a question."""
        return SignedRows(DataMatrix(self.numbers, intercept), signs_for(question, self.labels), question.texts)

    def part(self, places: np.ndarray) -> "WorkingSet":
        """Some of the rows."""
        return WorkingSet(self.rows[places], self.numbers[places], self.labels[places])


def signs_for(question: Question, labels: np.ndarray) -> np.ndarray:
    """The signs that a question gives to rows with these numbers of classes."""
    return signs_of(labels, question.positive, question.negative)


def stack_working_sets(parts: list[WorkingSet]) -> WorkingSet:
    """Rows below each other."""
    rows, labels = (np.concatenate([getattr(part, name) for part in parts]) for name in ("rows", "labels"))
    return WorkingSet(rows, stack_numbers([part.numbers for part in parts]), labels)


class FirstPass:
    """What the first pass finds: digests, the longest row of every class, and rows to begin with."""

    def __init__(self, source: RowSource, asked: list[Question], intercept: bool) -> None:
        self.source, self.intercept = source, intercept
        self.asked = {question.key: question for question in asked}
        self.values, self.signs = hashlib.sha256(), {question.key: hashlib.sha256() for question in asked}
        self.pairs = any(question.negative is not None for question in asked) and len(source.classes) > 2
        self.squares = [Fraction(0)] * len(source.classes)  # of pairs, each class's own
        self.picked: list[WorkingSet] = []
        most = max(1, NUMBERS // (source.columns + 1) // len(source.classes))
        room = np.minimum(source.counts, most)
        self.ranks = [np.linspace(0, n - 1, k, dtype=int) for n, k in zip(source.counts, room, strict=True)]
        self.seen = np.zeros(len(source.classes), dtype=int)

    def add(self, batch: ExactBatch) -> None:
        """Take in some rows."""
        batch = with_exact_numbers(batch)
        digest_values(self.values, batch.numbers)
        for key, question in self.asked.items():
            digest_signs(self.signs[key], signs_for(question, batch.labels))
        X = batch.numbers.floats() if isinstance(batch.numbers, Ratios) else batch.numbers
        if not self.pairs:
            self.squares = [max(self.squares[0], largest_square(X))] * len(self.squares)
        places = []
        for c in np.unique(batch.labels).tolist():
            own = np.flatnonzero(batch.labels == c)
            if self.pairs:
                self.squares[c] = max(self.squares[c], largest_square(X[own]))
            ranks = self.ranks[c]
            some = slice(*np.searchsorted(ranks, (self.seen[c], self.seen[c] + len(own))))
            places.append(own[ranks[some] - self.seen[c]])
            self.seen[c] += len(own)
        chosen = np.sort(np.concatenate(places))
        self.picked.append(WorkingSet(batch.first + chosen, batch.numbers[chosen], batch.labels[chosen]))

    def working_set(self) -> WorkingSet:
        """The rows to begin with: so many of each class, evenly over all of them."""
        return stack_working_sets(self.picked)

    def all_of(self, question: Question) -> "AllRows":
        """What a proof says of the rows of a question."""
        classes = np.flatnonzero(signs_for(question, np.arange(len(self.squares)))).tolist()
        radius = root(max(self.squares[c] for c in classes) + self.intercept, up=True)
        about = DataHeading(
            self.source.rows,
            self.source.columns,
            self.source.names,
            self.source.decimal,
            self.intercept,
            self.values.hexdigest(),
        )
        return AllRows(about, question.texts, self.signs[question.key].hexdigest(), radius)


@dataclass
class DataHeading:
    """What a proof says of all numbers."""

    n: int
    d: int
    names: list[str] | None
    decimal: bool
    intercept: bool
    digest: str | None


class SameNumbers:
    """The numbers in the data of rows that are called by them already."""

    def __getitem__(self, rows: Any) -> np.ndarray:
        return np.asarray(rows, dtype=int)


@dataclass(frozen=True)
class AllRows:
    """All rows of a question, as far as a proof speaks of them."""

    data: DataHeading
    texts: tuple[str, str | None]
    signs_digest: str
    radius: Fraction
    rows: Any = field(default_factory=SameNumbers)
    all_signs: Any = None


class Look(Protocol):
    """What is to be found out of all rows."""

    def at(self, batch: ExactBatch, intercept: bool) -> Any:
        """What some rows tell; None if none of them takes part."""

    def together(self, found: list[Any]) -> Any:
        """What all rows tell."""


@dataclass(frozen=True)
class PlaneLook:
    """The lowest margin of a plane, exactly, and the rows that are nearest to it, if nearer than some distance."""

    question: Question
    plane: list[int]
    nearer: float
    most: int

    def at(self, batch: ExactBatch, intercept: bool) -> "PlaneSeen | None":
        signs = signs_for(self.question, batch.labels)
        taking = np.flatnonzero(signs)
        if not len(taking):
            return None
        with np.errstate(over="ignore", invalid="ignore"):
            distances, off = self.distances(batch.numbers[taking], signs[taking], intercept)
            highest = np.where(np.isnan(distances), np.inf, distances + off)
            lowest = np.flatnonzero(~(distances - off > highest.min()))  # inf and nan tell nothing
        near = np.flatnonzero(distances < self.nearer)
        near = np.sort(near[np.argsort(distances[near], kind="stable")[: self.most]])
        exact = rows_of(batch, taking[lowest]).signed(self.question, intercept).lowest_margin(self.plane)
        return PlaneSeen(exact, distances[near], rows_of(batch, taking[near]))

    def distances(self, numbers: Any, signs: np.ndarray, intercept: bool) -> tuple[np.ndarray, np.ndarray]:
        """z·w/‖w‖ of signed rows in floats, and how far they may be off."""
        X: Any = numbers.floats() if isinstance(numbers, Ratios) else numbers
        size = root(Fraction(sum(v * v for v in self.plane)), up=True)
        u = np.array([float(v / size) for v in self.plane])
        squares = X.multiply(X).sum(axis=1) if sp.issparse(X) else np.einsum("ij,ij->i", X, X, dtype=np.float64)
        lengths = np.sqrt(np.asarray(squares).ravel() + intercept) + len(u) * LEAST_LENGTH
        off = error_bound(len(u), lengths, 1.0)
        return signs * (X @ u[: X.shape[1]] + (u[-1] if intercept else 0.0)), off

    def together(self, found: "list[PlaneSeen]") -> "PlaneSeen":
        distances = np.concatenate([seen.distances for seen in found])
        nearest = np.sort(np.argsort(distances, kind="stable")[: self.most])
        rows = stack_working_sets([seen.rows for seen in found]).part(nearest)
        return PlaneSeen(min(seen.lowest for seen in found), distances[nearest], rows)


class PlaneSeen(NamedTuple):
    """The lowest z·plane, and the nearest rows."""

    lowest: Fraction
    distances: np.ndarray
    rows: WorkingSet


@dataclass(frozen=True)
class RelationLook:
    """A few rows that do not satisfy relations of columns."""

    question: Question
    relations: list[list[int]]

    def at(self, batch: ExactBatch, intercept: bool) -> WorkingSet | None:
        signed = rows_of(batch, np.arange(len(batch.labels))).signed(self.question, intercept)
        off = [signed.off_plane(signed.inner(relation))[:1] for relation in self.relations]
        return rows_of(batch, signed.rows[np.unique(np.concatenate(off))]) if len(signed.rows) else None

    def together(self, found: list[WorkingSet]) -> WorkingSet:
        rows = stack_working_sets(found)
        return rows.part(np.arange(min(len(rows.rows), len(self.relations))))


def rows_of(batch: ExactBatch, places: np.ndarray) -> WorkingSet:
    """Some rows of a batch."""
    return WorkingSet(batch.first + places, batch.numbers[places], batch.labels[places])


def with_exact_numbers(batch: ExactBatch) -> ExactBatch:
    """The rows as a matrix of float64 or whole numbers, or as ratios."""
    try:
        return batch._replace(numbers=exact_numbers(batch.numbers))
    except ValueError as error:
        raise InputError(f"{batch.place}, counting from row {batch.first + 1} of all: {error}") from error


def look_at_batch(looks: list[Look], intercept: bool, batch: ExactBatch) -> list[Any]:
    """What each look finds in some rows."""
    batch = with_exact_numbers(batch)
    return [look.at(batch, intercept) for look in looks]


def look_at_all(
    source: RowSource, looks: list[Look], intercept: bool, limits: SearchLimits, watch: "PassWatch"
) -> list[Any]:
    """One pass over all rows for all looks."""
    found: list[list[Any]] = [[] for _ in looks]
    for count, results in source.looks(partial(look_at_batch, looks, intercept)):
        for look, kept, result in zip(looks, found, results, strict=True):
            if result is not None:
                kept[:] = [look.together([*kept, result])]
        watch(count)
        limits()
    return [kept[0] for kept in found]


Search = Generator[Any, Any, Certificate]
"""Yields looks, is sent what they find, and returns the answer."""


def search(question: Question, whole: AllRows, working: WorkingSet, rel_gap: float, limits: SearchLimits) -> Search:
    """Decide one question."""
    best: Interval | None = None
    goal = (1 - Fraction(rel_gap)) ** 2  # lo² ≥ goal·hi² means that hi − lo ≤ rel_gap·hi
    reason = ""
    try:
        while True:
            signed = working.signed(question, whole.data.intercept)
            decision = decide_separability(signed, False, limits)
            if decision.witness:
                relations = yield from relations_of_all(question, working, whole.data.intercept)
                told = Decision(witness=in_data(working, signed, decision.witness))
                return write_certificate(whole, told, NOT_LOOKED_FOR, relations=relations)
            if decision.plane is None:
                raise UndecidedError(decision.open)
            here = best_interval(signed, decision.plane, rel_gap, limits)
            nearer = float(root(here.lo_squared, up=True)) * NEARER
            seen = yield PlaneLook(question, here.plane, nearer, NEW.of(signed.width))
            here = replace(here, combination=in_data(working, signed, here.combination))
            best = better(best, here, seen.lowest)
            if best.lo_squared >= goal * best.hi_squared:
                break
            working = working.larger(seen.rows)
    except UndecidedError as why:
        if best is None or not best.lo_squared:
            return Certificate("unknown", reason=str(why), names=whole.data.names)
        reason = f"the margin's interval is wider than rel_gap={rel_gap:g}: {why}"
    relations = yield from relations_of_all(question, working, whole.data.intercept)
    lo, hi = root(best.lo_squared, up=False), root(best.hi_squared, up=True)
    margin = margin_claims(whole, lo, hi, whole.radius, best.combination)
    return write_certificate(whole, Decision(), reason, vector_text(best.plane), margin, relations=relations)


def in_data(working: WorkingSet, signed: SignedRows, weights: dict[int, int]) -> dict[int, int]:
    """Weights of signed rows of the working set by the rows of the data."""
    return {int(working.rows[signed.rows[k]]): weight for k, weight in weights.items()}


def better(best: Interval | None, here: Interval, lowest: Fraction) -> Interval:
    """The narrower interval: ``here`` is one of the working set, whose plane has a lowest margin on all rows.

    A combination of some rows is one of all, so it bounds the margin of all rows from above.
    """
    squared = lowest**2 / sum(v * v for v in here.plane) if lowest > 0 else Fraction(0)
    here = replace(here, lo_squared=squared)
    if best is None:
        return here
    low, high = max(best, here, key=lambda one: one.lo_squared), min(best, here, key=lambda one: one.hi_squared)
    return Interval(low.plane, high.combination, low.lo_squared, high.hi_squared)


def relations_of_all(question: Question, working: WorkingSet, intercept: bool) -> Generator[Any, Any, list[list[int]]]:
    """A basis of the vectors on which all rows are zero: those of the working set, if no other row is off them."""
    try:
        while relations := collinear_relations(working.signed(question, intercept)):
            seen = yield RelationLook(question, relations)
            if not len(seen.rows):
                return relations
            working = working.larger(seen)
    except UndecidedError:  # proofs need no relations
        pass
    return []


def certify_rows(
    source: RowSource,
    fit_intercept: bool,
    multi_class: str,
    rel_gap: float,
    *,
    exact: bool,
    time_limit: float | None,
    verbose: int,
    progress: Callable[[str], None] | None,
) -> Any:
    """The answers to all questions about rows that are not all in memory, as ``certify`` gives them."""
    asked = questions(source.classes.tolist(), multi_class)
    end = None if time_limit is None else time.monotonic() + time_limit
    with Progress(verbose, source.rows) if verbose or progress else nullcontext() as shown:
        say = shown.reading("rows", progress) if shown else lambda text, done=0: None
        limits, watch = SearchLimits(end, exact, say), PassWatch(source.rows, say)
        try:
            first = FirstPass(source, asked, fit_intercept)
            for batch in source.batches():
                first.add(batch)
                watch(len(batch.labels))
                limits()
            working = first.working_set()
            searches = {each.key: search(each, first.all_of(each), working, rel_gap, limits) for each in asked}
            answers = run_together(searches, source, fit_intercept, limits, watch)
        except UndecidedError as why:
            answers = {each.key: Certificate("unknown", reason=str(why), names=source.names) for each in asked}
    return answers[None] if None in answers else Certificates({each.key: answers[each.key] for each in asked})


class PassWatch:
    """Tells how far a pass is."""

    def __init__(self, rows: int, say: Callable[..., None]) -> None:
        self.rows, self.say, self.number, self.done = rows, say, 0, 0

    def __call__(self, count: int) -> None:
        """So many more rows were read."""
        if self.done in (0, self.rows):
            self.number, self.done = self.number + 1, 0
        self.done += count
        self.say(f"pass {self.number}", self.done)


def run_together(
    searches: dict[Any, Search],
    source: RowSource,
    intercept: bool,
    limits: SearchLimits,
    watch: PassWatch,
) -> dict[Any, Certificate]:
    """The answers of all searches: a pass for all that wait for one, until none does."""
    waiting: dict[Any, Look] = {}
    answers: dict[Any, Certificate] = {}

    def go_on(key: Any, step: Callable[[], Look]) -> None:
        try:
            waiting[key] = step()
        except StopIteration as end:
            answers[key] = end.value
            waiting.pop(key, None)

    for key, each in searches.items():
        go_on(key, partial(next, each))
    while waiting:
        keys, looks = list(waiting), list(waiting.values())
        try:
            found = look_at_all(source, looks, intercept, limits, watch)
        except UndecidedError as why:
            for key in keys:
                go_on(key, partial(searches[key].throw, why))
            continue
        for key, result in zip(keys, found, strict=True):
            go_on(key, partial(searches[key].send, result))
    return answers
