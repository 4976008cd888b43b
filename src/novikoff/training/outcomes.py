"""How a run ended: what it did, what it proved, what it could not, and what a later run goes on from."""

import math
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from .. import bounds
from ..certificates.certificate import Certificate, RunRecord, Texts
from ..passes.ledger import CLOCK, TRAVELLED
from .problems import LARGEST_KEPT, LinearProblems, Problems, squared_length

SMALL_MARGIN = "the run ended when the margin of any plane was proved to be small"
CEASED_TO_HELP = "the run ended when passes had ceased to help: order='active', or tol=0, goes on"


@dataclass
class Outcome:
    """What a run did to one problem and what is known of it."""

    status: str
    weights: np.ndarray  # the last
    passes: int
    mistakes: int  # in the last pass
    updates: int
    errors: int  # updates on rows on the wrong side
    travelled: float  # the sum of all steps
    margin_bound: float
    started: float  # ‖w₀‖
    witness: np.ndarray | None  # updates between two equal weight vectors: they sum to zero
    lowest: float = np.nan  # the least y·(w·x) under the last weights
    learnt: np.ndarray = field(default_factory=lambda: np.empty(0))  # the weights that are returned
    learnt_lowest: float = np.nan  # the least y·(w·x) under these
    learnt_errors: int = 0  # and the rows that they have on the wrong side
    early: bool = False  # stopped as the rows held out asked for
    stalled: bool = False  # stopped as passes had ceased to help
    precision: float = 1.0  # of a rule of second order: Σ u²/σ over Σ u² of these weights,
    drift: float = 0.0  # and see passes.ledger
    known_length: float | None = None  # ‖w‖ of the last weights, once it was asked for

    @property
    def length(self) -> float:
        """‖w‖ of the last weights."""
        if self.known_length is None:
            self.known_length = length_of(self.weights)
        return self.known_length

    @property
    def margin(self) -> float:
        """The least y·(w·x)/‖w‖ under the weights that are returned."""
        return margin_of(self.length if self.learnt is self.weights else length_of(self.learnt), self.learnt_lowest)

    @property
    def stopped_by(self) -> str | None:
        """What stopped a run of status "stopped": "early" stopping, passes that had "stalled", or their "limit"."""
        if self.status != "stopped":
            return None
        return "early" if self.early else "stalled" if self.stalled else "limit"


def length_of(weights: np.ndarray) -> float:
    """‖w‖."""
    return math.sqrt(squared_length(weights))


def joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    """The rows of all parts; without a copy where there is one, or where they follow each other in one array.

    >>> W = np.zeros((3, 2))
    >>> joined([W[:1], W[1:]]) is W, joined([W[1:], W[:1]]) is W, joined([W]) is W, len(joined([W[:], W[:]]))
    (True, False, True, 6)
    """
    first, whole = parts[0], parts[0] if parts[0].base is None else parts[0].base
    if len(parts) == 1:
        return first
    if not (isinstance(whole, np.ndarray) and whole.flags.c_contiguous and whole.shape[1:] == first.shape[1:]):
        return np.concatenate(parts)
    starts = np.cumsum([0, *(part.nbytes for part in parts)]) + whole.ctypes.data
    in_place = all(part.base is whole and part.ctypes.data == at for part, at in zip(parts, starts, strict=False))
    if in_place and sum(map(len, parts)) == len(whole):
        return whole
    return np.concatenate(parts)


FEW = 4096
"""So many update counts are kept as they are; of more only those that are not zero."""


def kept_counts(counts: list[np.ndarray]) -> Any:
    """The update counts of several groups, a row per weight vector, as a learner keeps them; None if too many."""
    if sum(some.size for some in counts) > LARGEST_KEPT:
        return None
    together = np.concatenate(counts) if len(counts) > 1 else counts[0]
    return together if together.size <= FEW else sparse_counts(together)


def sparse_counts(counts: np.ndarray) -> Any:
    """The same counts as a CSR matrix of the smallest types that hold them; of one vector after the other."""
    starts = np.cumsum([0, *map(np.count_nonzero, counts)])
    kind = np.int32 if max(starts[-1], counts.shape[1]) < 2**31 else np.int64
    columns = np.empty(starts[-1], kind)
    values = np.empty(starts[-1], np.min_scalar_type(counts.max(initial=0)))
    for of_vector, start, stop in zip(counts, starts, starts[1:], strict=False):
        columns[start:stop] = np.flatnonzero(of_vector != 0)  # of truth values it is quicker
        values[start:stop] = of_vector[columns[start:stop]]
    return sp.csr_matrix((values, columns, starts.astype(kind)), shape=counts.shape)


class UpdateCounts:
    """The attribute ``update_counts_`` of a learner: an array, made of what it keeps when it is asked for."""

    def __get__(self, learner: Any, owner: Any = None) -> Any:
        if learner is None:
            return self
        kept = vars(learner).get("_update_counts")
        if kept is None:
            raise AttributeError(
                f"This {type(learner).__name__} has no update_counts_: it was not fitted in memory, or on more than "
                f"{LARGEST_KEPT:,} pairs of a row and a class, which are not counted."
            )
        counts = kept.toarray().astype(np.int32) if sp.issparse(kept) else kept
        return counts[0] if len(counts) == 1 else counts


def margin_of(length: float, lowest: float) -> float:
    """The least y·(w·x)/‖w‖, of weights of this length."""
    return lowest / length if length else 0.0


def class_texts(classes: np.ndarray, count: int) -> list[Texts | None]:
    """The labels of each problem's classes; None where all classes are one problem, which the format does not know."""
    texts = [str(label) for label in classes.tolist()]
    if len(texts) == 2:
        return [(texts[1], texts[0])]
    return [(text, None) for text in texts] if count == len(texts) else [None]


def certificates(
    groups: Sequence[LinearProblems], outcomes: list[Outcome], classes: np.ndarray, radius: float, counts: Any
) -> list[Certificate | None]:
    """The proofs that came out of a run with these update counts, one per problem."""
    owners, texts = [group for group in groups for _ in range(group.size)], class_texts(classes, len(outcomes))
    records = [
        None if counts is None else run_record(group, outcome, asked, counts[[c]] if len(outcomes) > 1 else counts)
        for c, (group, outcome, asked) in enumerate(zip(owners, outcomes, texts, strict=True))
    ]
    return [
        certificate(group, outcome, group.rows.bias, radius, record)
        for group, outcome, record in zip(owners, outcomes, records, strict=True)
    ]


def certificate(
    problems: Problems, outcome: Outcome, bias: float, radius: float, record: RunRecord | None = None
) -> Certificate | None:
    """The proof that came out of the run of one of the problems, if one did; with the record to write it from."""
    if outcome.status == "separated":
        shown = outcome.margin_bound if problems.rule.own_steps else math.inf  # by the counts of updates alone
        return separating(outcome, bias, radius, shown, record)
    if outcome.witness is not None:
        return Certificate(
            "inseparable",
            witness=witness(problems, outcome),
            margin=(-np.inf, 0.0),
            radius=radius,
            record=record,
        )
    if outcome.status == "thin" or outcome.stalled:
        return Certificate(
            "unknown",
            reason=SMALL_MARGIN if outcome.status == "thin" else CEASED_TO_HELP,
            margin=(-np.inf, outcome.margin_bound),
            radius=radius,
        )
    return None


def separating(outcome: Outcome, bias: float, radius: float, hi: float, record: RunRecord | None) -> Certificate:
    """The certificate of weights under which every row is known to be right and no score was below the lowest.

    No plane has a margin above ``hi``, as the proof that is made of the run will show.
    """
    weights = outcome.weights
    length = outcome.length
    rounding = bounds.rounding_of_score(length, radius, weights.shape[1])
    lo = max(outcome.lowest - rounding, 0.0) / length * (1 - weights.size * bounds.EPS)
    return Certificate(
        "separable",
        coef=weights[:, :-1].copy(),  # who changes those of the learner does not change a proof
        intercept=bias * weights[:, -1],
        margin=(lo, float(hi)),
        radius=radius,
        mistake_bound=bounds.novikoff(radius, lo),
        overlap=False,
        record=record,
    )


def run_record(problems: LinearProblems, outcome: Outcome, texts: Texts | None, counts: Any) -> RunRecord | None:
    """What a proof can be written from when it is asked for, if the run proved something and counted its updates."""
    proved = outcome.status == "separated" or outcome.witness is not None
    if texts is None or not proved or not problems.update_counts.size:
        return None
    weights = {} if outcome.witness is None else witness(problems, outcome)
    steps = problems.targets.sample_weight
    return RunRecord(texts, bool(problems.rows.bias), outcome.weights[0].copy(), weights, counts, steps)


def witness(problems: Any, outcome: Outcome) -> dict[Any, float]:
    """{row: weight}, or {(row, rival class): weight}, of the signed rows that sum to zero."""
    weighted = outcome.witness * problems.targets.sample_weight
    entries = {(int(i), int(r)): float(weighted[r, i]) for r, i in zip(*np.nonzero(weighted), strict=True)}
    return entries if len(weighted) > 1 else {i: weight for (i, _), weight in entries.items()}


def each(values: Iterable[Any]) -> Any:
    """One problem's value as it is, several problems' as an array."""
    values = list(values)
    return values[0] if len(values) == 1 else np.array(values)


def warn(estimator: Any, outcomes: list[Outcome], streamed: bool = False) -> None:
    """Say what a user should act on: a limit of passes met while they helped, or a margin asked for that no plane has.

    Other ends with mistakes left are ordinary; a mean leaves nothing undone.  A stream cannot go back to single rows.
    """
    if estimator.average or not getattr(estimator, "_warns_at_limit", True):
        return
    asked = getattr(estimator, "margin", None) or 0.0
    limited = [o for o in outcomes if o.stopped_by == "limit"]
    impossible = [o for o in outcomes if o.status == "thin" and o.margin_bound < asked / 2]
    left = limited or impossible
    if not left:
        return
    which = "" if len(outcomes) == 1 else f" in {len(left)} of {len(outcomes)} classes"
    end = f"after {estimator.n_iter_} pass{'es' if estimator.n_iter_ > 1 else ''}{which} with "
    end += f"{sum(o.mistakes for o in left)} mistakes in the last one"
    bound = max(o.margin_bound for o in left)
    proved = f"it is proved that no plane has a margin above {bound:.3g} (radius {estimator.radius_:.3g})"
    if limited:
        orders = estimator._parameter_constraints["order"][0].options
        active = "active" in orders and not streamed
        remedy = "scale the features, or try order='active'" if active else "or scale the features"
        text = f"stopped {end}; {proved}. Raise max_iter to go on, {remedy}."
    else:
        text = (
            f"gave up {end}, as {proved}, while margin={asked:g} asks for {asked / 2:g}. "
            "Ask for a smaller margin, or for margin=None."
        )
    warnings.warn(f"{type(estimator).__name__} {text}", ConvergenceWarning, stacklevel=4)


@dataclass(frozen=True)
class Resume:
    """The end of a run: its last weights, its clock, and what its observer kept (of an average, of a pocket)."""

    weights: np.ndarray  # [w; b] of every weight vector
    clock: np.ndarray  # per problem: the rows visited, and the steps travelled, since the beginning
    kept: Any = None
    eta0: float | None = None  # in units of which all of them are; that of the learner, where it is not known
    variances: Any = None  # of every weight, if the rule learns them

    def under(self, eta0: float, bias: bool, problems: int, average: bool) -> "Resume":
        """The same end for a run with other parameters: so many problems, in units of this step, with a bias or not.

        A mean of which the beginning was not kept is that of the visits from here on.
        """
        factor = 1.0 if self.eta0 is None else self.eta0 / eta0
        if factor == 1 and bias and len(self.clock) == problems and (self.kept is not None or not average):
            return self
        scale = np.append(np.full(self.weights.shape[1] - 1, factor), factor * bias)
        weights, kept, clock = self.weights * scale, self.kept, self.clock
        if len(clock) != problems:
            kept, clock = None, np.zeros((problems, 2))
        if average and kept is None:
            clock = clock * [0, 1]
        return Resume(weights, clock, None if kept is None else kept * scale, eta0, self.variances)

    def rewind(self, groups: Sequence[LinearProblems]) -> None:
        """Set the clocks of the groups, and their variances, to where this run ended."""
        problem = vector = 0
        for group in groups:
            group.ledger[:, CLOCK] = self.clock[problem : problem + group.size]
            problem += group.size
            if group.variances is not None and self.variances is not None:
                group.variances[:] = self.variances[vector : vector + len(group.variances)]
                vector += len(group.variances)


def end_of_run(groups: Sequence[LinearProblems], weights: np.ndarray, eta0: float) -> Resume:
    """What a later run goes on from, after the run of these groups; without them, the weights only."""
    if not groups:
        return Resume(weights, np.zeros((len(weights), 2)), None, eta0)
    ledger = np.concatenate([group.ledger for group in groups]) if len(groups) > 1 else groups[0].ledger
    clock = ledger[:, CLOCK].copy()
    clock[:, 1] += ledger[:, TRAVELLED]
    name, kept, variances = groups[0].observer.kept, None, None
    if name is not None:
        kept = joined([getattr(group.observer, name)[: len(group.update_counts)] for group in groups])
    if groups[0].variances is not None:
        variances = joined([cast(np.ndarray, group.variances) for group in groups])
    return Resume(weights, clock, kept, eta0, variances)
