"""Iterative parameter mixing: passes of several shards from the same weights, which are mixed after every round.

A shard is a chain of parts of the rows.  In a round every shard makes one pass over its parts from the mixed weights w;
then w ← Σ μ_s·w_s, with μ_s ≥ 0 and Σ μ_s = 1.  If a unit vector v has the margin γ on all rows and r is the length of
the longest, then, with k_s the updates of shard s, v·w grows by at least γ·Σ μ_s·k_s a round and, as a square is
convex, ‖w‖² by at most r²·Σ μ_s·k_s.  So over all rounds Σ Σ μ_s·k_s ≤ r²/γ², as Novikoff has it for one machine.

A rule of second order learns Gaussians, and these are mixed by their natural parameters: 1/σ ← Σ μ_s/σ_s and w/σ ← Σ
μ_s·w_s/σ_s.  As a square divided by a number is convex in both, Σ (u − w)²/σ of the mixed Gaussian is at most the mean
of that of the shards, for every plane u; so the bound of the rule (passes.rules) holds of Σ Σ μ_s·m_s over all rounds,
with m_s the mistakes of shard s and Σ Σ μ_s·Q_s for the drift.

Nothing here knows of an engine: ``visit_all``, ``summed`` and ``look_at_all`` are pure functions of what a worker
holds, and ``MixedProblems`` asks any engine for them.

R. McDonald, K. Hall, G. Mann, "Distributed training strategies for the structured perceptron", NAACL 2010.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import scipy.sparse as sp

from .. import bounds
from ..passes.ledger import COLUMNS, DRIFT, ERRORS, MISTAKES, NORM, PASS_UPDATES, TRAVELLED, UPDATES, VISITS, Targets
from ..passes.observers import Average
from ..passes.orders import rows_that_count, shuffled
from ..passes.rows import of_matrix, read_only
from ..passes.rules import Rule
from ..training.problems import Joint, LinearProblems, Problems, group_problems

FEW = 1 / 3
"""Changes of fewer than this share of the weights travel as a sparse matrix."""


@dataclass(frozen=True)
class Task:
    """What is asked of every part of the rows, in every round."""

    vectors: int
    joint: bool  # one problem with a weight vector per class, or a problem per weight vector
    rule: Rule
    bias: float
    radius: float
    sample_weight: np.ndarray  # by class, or one for all
    order: str
    seed: int
    parts: int
    average: bool

    @property
    def size(self) -> int:
        """The number of problems."""
        return 1 if self.joint else self.vectors

    def vectors_of(self, c: int) -> slice:
        """The weight vectors of problem c."""
        return slice(self.vectors) if self.joint else slice(c, c + 1)

    def gaussian(self, state: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """The weights and their variances, if there are any, of what is sent."""
        return state[: self.vectors], state[self.vectors :] if self.rule.second_order else None

    def spread(self, values: np.ndarray) -> np.ndarray:
        """The values of the problems as a column, one entry per weight vector."""
        return np.broadcast_to(values, self.vectors)[:, None]


class Turn(NamedTuple):
    """One round: its number, the active problems, and whether only rows that are right by rounding are updated on."""

    number: int
    active: list[int]
    exact: bool = False


class Visited(NamedTuple):
    """Where a shard stands in its pass; below the weights are their variances, where the rule learns them."""

    weights: np.ndarray
    sums: np.ndarray  # of the average, see passes.observers
    ledger: np.ndarray


class ShardResult(NamedTuple):
    """What a shard made of the mixed weights in a round, compressed; with the mean over its visits, if asked for."""

    weights: Any
    means: Any
    ledger: np.ndarray


def compressed(values: np.ndarray, base: Any = 0.0) -> Any:
    """The values, as a sparse matrix of those that differ from the base if these are few."""
    different = values != base
    if np.count_nonzero(different) >= FEW * values.size:
        return values
    return sp.csr_array((values[different], np.nonzero(different)), shape=values.shape)


def decompressed(values: Any, base: np.ndarray | None = None) -> np.ndarray:
    """All values; those that were left out are the base's."""
    if not sp.issparse(values):
        return values
    whole = np.zeros(values.shape) if base is None else base.copy()
    entries = values.tocoo()
    whole[entries.row, entries.col] = entries.data
    return whole


def groups(
    task: Task, X: Any, labels: np.ndarray, weights: np.ndarray
) -> Iterator[tuple[LinearProblems, slice, slice]]:
    """The problems on a part of the rows in groups, each with its weight vectors and its numbers among all."""
    weights_of_rows = task.sample_weight if len(task.sample_weight) == 1 else task.sample_weight[labels]
    targets = Targets(read_only(labels), weights_of_rows)
    first, rows = 0, of_matrix(X, task.bias)
    for group in group_problems(X, rows, targets, task.radius, weights, task.rule, task.joint, 1):
        vectors = slice(first, first + (task.vectors if task.joint else group.size))
        yield group, vectors, slice(0, 1) if task.joint else vectors
        first = vectors.stop


def visit(task: Task, turn: Turn, part: int, start: Any, before: Visited | None, X: Any, labels: np.ndarray) -> Visited:
    """The pass of a shard over one of its parts, from where it stands, at first from the mixed weights ``start``."""
    if before is None:
        weights = decompressed(start)
        before = Visited(weights, np.zeros(weights.shape if task.average else (0, 0)), np.zeros((task.size, COLUMNS)))
    state, sums, ledger = (array.copy() for array in before)
    weights, variances = task.gaussian(state)
    rows = row_order = rows_that_count(labels, task.sample_weight)
    if task.order == "shuffled":
        row_order = shuffled(rows, (task.seed << 32) + turn.number * task.parts + part)
    for group, vectors, numbers in groups(task, X, labels, weights):
        group.ledger[:, :NORM] = ledger[numbers, :NORM]
        if task.average:
            group.observer = Average(group.laid_out(sums[vectors]))
        if variances is not None:
            group.variances = variances[vectors]
        mine = [c - numbers.start for c in turn.active if numbers.start <= c < numbers.stop]
        if turn.exact:
            group.correct_exactly(mine, rows)
        elif mine:
            group.sweep(row_order, mine)
        size = vectors.stop - vectors.start
        weights[vectors], ledger[numbers] = group.W[:size], group.ledger
        if task.average:
            sums[vectors] = group.observer.sums[:size]
    return Visited(state, sums, ledger)


def visit_all(
    task: Task, turn: Turn, parts: list[int], start: Any, before: Visited | None, rows: list[Any], labels: list[Any]
) -> Visited:
    """The pass of a shard over several of its parts, one after the other."""
    for part, X, numbers in zip(parts, rows, labels, strict=True):
        before = visit(task, turn, part, start, before, X, numbers)
    assert before is not None
    return before


def summed(task: Task, start: Any, end: Visited) -> ShardResult:
    """What a shard returns at the end of its pass."""
    base, means = decompressed(start), None
    if task.average:
        visits = np.maximum(end.ledger[:, VISITS], 1)
        means = compressed(end.weights - end.sums / task.spread(visits), base)
    return ShardResult(compressed(end.weights, base), means, end.ledger)


def look_at_all(task: Task, W: Any, some: list[int], rows: list[Any], labels: list[Any]) -> np.ndarray:
    """Errors and lowest row margin of some problems on several parts; changes nothing."""
    weights, _ = task.gaussian(decompressed(W))
    looks = np.array([look_at(task, weights, some, *part) for part in zip(rows, labels, strict=True)])
    return np.stack([looks[:, :, 0].sum(axis=0), looks[:, :, 1].min(axis=0)], axis=1)


def look_at(task: Task, W: np.ndarray, some: list[int], X: Any, labels: np.ndarray) -> np.ndarray:
    """Errors and lowest row margin of some problems on one part."""
    looks = np.full((task.size, 2), np.nan)
    for group, _, numbers in groups(task, X, labels, W):
        mine = [c - numbers.start for c in some if numbers.start <= c < numbers.stop]
        if mine:
            looks[numbers] = group.look(rows_that_count(labels, task.sample_weight), mine)
    return looks


def shares(mixing: str, counts: np.ndarray) -> np.ndarray:
    """μ of every shard (rows) in every problem, by their updates of this round."""
    equal = np.full(counts.shape, 1 / len(counts))
    if mixing == "uniform":
        return equal
    totals = counts.sum(axis=0)
    return np.where(totals > 0, counts / np.maximum(totals, 1), equal)


def mixed(task: Task, start: np.ndarray, ends: list[Any], weights: np.ndarray) -> np.ndarray:
    """Σ μ_s·w_s; what no shard changed stays as it is, and a shard with all the weight is taken as it is."""
    total = start.copy()
    for end, share in zip(ends, weights, strict=True):
        whole, column = decompressed(end, start), task.spread(share)
        total += column * (whole - start)
        np.copyto(total, whole, where=column == 1)
    return total


def mixed_gaussians(task: Task, start: np.ndarray, ends: list[Any], weights: np.ndarray) -> np.ndarray:
    """Weights and variances with 1/σ = Σ μ_s/σ_s and w/σ = Σ μ_s·w_s/σ_s; one with all the weight is taken as it is."""
    precisions, natural = np.zeros((2, task.vectors, start.shape[1]))
    alone = None
    for end, share in zip(ends, weights, strict=True):
        whole, column = decompressed(end, start), task.spread(share)
        w, variances = task.gaussian(whole)
        precisions += column / variances
        natural += column * w / variances
        alone = whole if (share == 1).all() else alone
    return np.vstack([natural / precisions, 1 / precisions]) if alone is None else alone


class Engine(Protocol):
    """Whoever holds the parts of the rows and can work on them."""

    def passes(self, start: Any, turn: Turn) -> list[ShardResult]:
        """The pass of every shard from the compressed weights ``start``."""

    def looks(self, W: Any, some: list[int]) -> list[np.ndarray]:
        """What ``look_at_all`` finds in groups of parts that make up all."""


class MeanOfRounds:
    """An observer of rounds: the mean over all of them of the weights that the shards had on average."""

    kept = None
    returns_last = False
    takes_last = False
    fewest_wrong = Average.fewest_wrong

    def __init__(self, problems: "MixedProblems") -> None:
        self.problems = problems

    def returned_weights(self, W: np.ndarray, visits: np.ndarray) -> np.ndarray:
        """The mean so far."""
        return self.problems.means / self.problems.task.spread(self.problems.rounds)


class MixedProblems(Problems):
    """The problems of a cluster, from zero weights: a sweep is a pass of every shard, and their weights mixed."""

    def __init__(self, task: Task, engine: Engine, features: int, mixing: str) -> None:
        no_counts = np.zeros((task.vectors, 0), dtype=np.int32)  # they stay with the shards
        vectors = [task.vectors_of(c) for c in range(task.size)]
        super().__init__(task.rule, np.zeros((task.vectors, features + 1)), vectors, no_counts)
        self.task, self.engine, self.mixing = task, engine, mixing
        self.update_radius = task.radius * (Joint.update_scale if task.joint else 1.0)
        self.number = 0  # of the round
        self.means = np.zeros_like(self.W)  # the sum over all rounds
        self.rounds = np.zeros(task.size)
        if task.average:
            self.observer = MeanOfRounds(self)
        self.weighted = self.bounded_updates = np.zeros(task.size)  # Σ μ_s·k_s
        self.weighted_mistakes = np.zeros(task.size)  # those of them on the wrong side
        if task.rule.second_order:
            self.variances = np.ones_like(self.W)
        self.farthest = np.zeros(task.size)  # the steps of the shard that went farthest, over all rounds
        self.roundings = np.zeros(task.size)  # rounding errors, in units of ε·radius·farthest

    def sweep(self, row_order: np.ndarray, active: list[int]) -> None:
        self.number += 1
        before = self.ledger[:, ERRORS].copy()
        made = self.round(Turn(self.number, active))
        self.ledger[active, MISTAKES] = (self.ledger[:, ERRORS] - before)[active]
        self.ledger[active, PASS_UPDATES] = made[active]

    def round(self, turn: Turn) -> np.ndarray:
        """A pass of every shard, mixed; returns the updates made."""
        start = self.W if self.variances is None else np.vstack([self.W, self.variances])
        results = self.engine.passes(compressed(start), turn)
        ledgers = np.array([result.ledger for result in results])
        counts, steps, errors = (ledgers[:, :, column] for column in (UPDATES, TRAVELLED, ERRORS))
        weights = shares(self.mixing, counts)
        if self.task.average and not turn.exact:
            means = mixed(self.task, self.W, [result.means for result in results], weights)
            going = np.isin(np.arange(self.task.size), turn.active)
            self.means += np.where(self.task.spread(going), means, 0.0)
            self.rounds += going
        ends = [result.weights for result in results]
        if self.variances is None:
            self.W = mixed(self.task, self.W, ends, weights)
        else:
            self.W, self.variances = np.split(mixed_gaussians(self.task, start, ends, weights), 2)
            self.ledger[:, DRIFT] += (weights * ledgers[:, :, DRIFT]).sum(axis=0)
        self.lengths[:] = [np.linalg.norm(self.W[vectors]) for vectors in self.vectors]
        made = counts.sum(axis=0)
        self.ledger[:, [UPDATES, ERRORS]] += np.column_stack([made, errors.sum(axis=0)])
        self.ledger[:, TRAVELLED] += (weights * steps).sum(axis=0)
        self.weighted += (weights * counts).sum(axis=0)
        self.weighted_mistakes += (weights * errors).sum(axis=0)
        self.farthest += steps.max(axis=0)
        self.roundings += (weights * counts).sum(axis=0) + (len(results) + 3) * (made > 0)
        self.margin_bounds[:] = [self.margin_bound(c) for c in range(self.size)]
        return made

    def count_passes(self, c: int, passes: int, visits_before: float) -> None:
        self.means[self.vectors[c]] += passes * self.W[self.vectors[c]]
        self.rounds[c] += passes

    def work(self, c: int, row_order: np.ndarray, passes: int) -> None:
        raise NotImplementedError("order='active' goes back to single rows, which a cluster does not")

    def look(self, row_order: np.ndarray, some: list[int], W: np.ndarray | None = None) -> np.ndarray:
        parts = np.array(self.engine.looks(compressed(self.W if W is None else W), some))
        return np.column_stack([parts[:, :, 0].sum(axis=0), parts[:, :, 1].min(axis=0)])

    def certain(self, c: int, lowest: float) -> bool:
        return bool(lowest > bounds.rounding_of_score(self.lengths[c], self.update_radius, self.W.shape[1]))

    def correct_exactly(self, doubtful: list[int], row_order: np.ndarray) -> list[int]:
        made = self.round(Turn(self.number, doubtful, exact=True))
        return [c for c in doubtful if made[c]]

    def margin_bound(self, c: int) -> float:
        """A margin that no plane exceeds: v·w ≥ γ·Σ μ_s·(steps of s) for every unit v of margin γ.

        Rounding is included: no weights are ever longer than radius × farthest; an update errs by ε times that, and
        mixing S shards by S + 3 times as much.
        """
        travelled = self.ledger[c, TRAVELLED]
        if not travelled or self.variances is not None:  # weights with variances are no sum of rows
            return np.inf
        roundings = self.farthest[c] * self.roundings[c] / travelled
        size = self.W[self.vectors[c]].size
        return bounds.margin_from_run(self.lengths[c], travelled, roundings, self.update_radius, size)

    def sums_to_zero(self, c: int, update_counts: np.ndarray) -> bool:
        return False
