"""Iterative parameter mixing: passes of several shards from the same weights, which are mixed after every round.

A shard is a chain of parts of the rows.  In a round every shard makes one pass over its parts from the mixed weights w;
then w ← Σ μ_s·w_s, with μ_s ≥ 0 and Σ μ_s = 1.  If a unit vector v has the margin γ on all rows and r is the length of
the longest, then, with k_s the updates of shard s, v·w grows by at least γ·Σ μ_s·k_s a round and, as a square is
convex, ‖w‖² by at most r²·Σ μ_s·k_s.  So over all rounds Σ Σ μ_s·k_s ≤ r²/γ², as Novikoff has it for one machine.

Nothing here knows of an engine: ``visit_all``, ``summed`` and ``look_at_all`` are pure functions of what a worker
holds, and ``Rounds`` asks any engine for them.

R. McDonald, K. Hall, G. Mann, "Distributed training strategies for the structured perceptron", NAACL 2010.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import scipy.sparse as sp

from .. import bounds
from ..passes.linear import Targets
from ..passes.observers import Average
from ..passes.orders import SMALL, shuffled
from ..passes.rules import COLUMNS, LOWEST, MISTAKES, TRAVELLED, UPDATES, VISITS
from ..progress import Report
from ..training.dataset import readable
from ..training.problems import Joint, Problems, laid_out, posed
from ..training.run import PATIENCE, Outcome

FEW = 1 / 3
"""Changes of fewer than this share of the weights travel as a sparse matrix."""


@dataclass(frozen=True)
class Task:
    """What is asked of every part of the rows, in every round."""

    vectors: int
    joint: bool  # one problem with a weight vector a class, or a problem a weight vector
    rule: Any
    bias: float
    radius: float
    steps: np.ndarray  # by class, or one for all
    order: str
    seed: int
    parts: int
    average: bool

    @property
    def size(self) -> int:
        """The number of problems."""
        return 1 if self.joint else self.vectors

    def lines(self, c: int) -> slice:
        """The weight vectors of problem c."""
        return slice(self.vectors) if self.joint else slice(c, c + 1)

    def spread(self, values: np.ndarray) -> np.ndarray:
        """The values of the problems as a column, one entry a weight vector."""
        return np.broadcast_to(values, self.vectors)[:, None]


class Turn(NamedTuple):
    """One round: its number, the problems that are still worked on, and whether only rounding is to be mended."""

    number: int
    active: list[int]
    exact: bool = False


class Visited(NamedTuple):
    """Where a shard stands in its pass."""

    weights: np.ndarray
    sums: np.ndarray  # of the average, see passes.watchers
    ledger: np.ndarray


class Update(NamedTuple):
    """What a shard made of the mixed weights in a round, packed; with the mean over its visits, if that is asked."""

    weights: Any
    means: Any
    ledger: np.ndarray


def packed(values: np.ndarray, base: Any = 0.0) -> Any:
    """The values, as a sparse matrix of those that differ from the base if these are few."""
    different = values != base
    if np.count_nonzero(different) >= FEW * values.size:
        return values
    return sp.csr_array((values[different], np.nonzero(different)), shape=values.shape)


def unpacked(values: Any, base: np.ndarray | None = None) -> np.ndarray:
    """All values; those that were left out are the base's."""
    if not sp.issparse(values):
        return values
    whole = np.zeros(values.shape) if base is None else base.copy()
    entries = values.tocoo()
    whole[entries.row, entries.col] = entries.data
    return whole


def groups(task: Task, X: Any, labels: np.ndarray, weights: np.ndarray) -> Iterator[tuple[Problems, slice, slice]]:
    """The problems on a part of the rows in groups, each with its weight vectors and its numbers among all."""
    steps = task.steps if len(task.steps) == 1 else task.steps[labels]
    targets, first = Targets(labels, steps), 0
    for group in posed(readable(X, task.bias), targets, task.radius, weights, task.rule, task.joint, 1):
        lines = slice(first, first + (task.vectors if task.joint else group.size))
        yield group, lines, slice(0, 1) if task.joint else lines
        first = lines.stop


def counted(task: Task, labels: np.ndarray) -> np.ndarray:
    """The rows with a positive weight."""
    rows = np.arange(len(labels), dtype=np.uint32)
    return rows if (task.steps > 0).all() else rows[task.steps[labels] > 0]


def visit(task: Task, turn: Turn, part: int, start: Any, before: Visited | None, X: Any, labels: np.ndarray) -> Visited:
    """The pass of a shard over one of its parts, from where it stands, at first from the mixed weights ``start``."""
    if before is None:
        weights = unpacked(start)
        before = Visited(weights, np.zeros(weights.shape if task.average else (0, 0)), np.zeros((task.size, COLUMNS)))
    weights, sums, ledger = (array.copy() for array in before)
    rows = counted(task, labels)
    order = rows
    if task.order == "shuffled":
        order = shuffled(rows, (task.seed << 32) + turn.number * task.parts + part, X.shape[1])
    for group, lines, numbers in groups(task, X, labels, weights):
        group.ledger[:], group.interleaved = ledger[numbers], task.order == "shuffled" and len(rows) > SMALL
        if task.average:
            group.observer = Average(laid_out(sums[lines], group.rows))
        mine = [c - numbers.start for c in turn.active if numbers.start <= c < numbers.stop]
        if turn.exact:
            for c in mine:
                group.correct_exactly(c, X, rows)
        elif mine:
            group.sweep(order, mine)
        size = lines.stop - lines.start
        weights[lines], ledger[numbers] = group.W[:size], group.ledger
        if task.average:
            sums[lines] = group.observer.sums[:size]
    return Visited(weights, sums, ledger)


def visit_all(
    task: Task, turn: Turn, parts: list[int], start: Any, before: Visited | None, rows: list[Any], labels: list[Any]
) -> Visited:
    """The pass of a shard over several of its parts, one after the other."""
    for part, X, numbers in zip(parts, rows, labels, strict=True):
        before = visit(task, turn, part, start, before, X, numbers)
    assert before is not None
    return before


def summed(task: Task, start: Any, end: Visited) -> Update:
    """What a shard hands in at the end of its pass."""
    base, means = unpacked(start), None
    if task.average:
        row_order = np.maximum(end.ledger[:, VISITS], 1)
        means = packed(end.weights - end.sums / task.spread(row_order), base)
    return Update(packed(end.weights, base), means, end.ledger)


def look_at_all(task: Task, W: Any, some: list[int], rows: list[Any], labels: list[Any]) -> np.ndarray:
    """Passes over several parts that do not learn: errors and lowest score of some problems."""
    weights = unpacked(W)
    found = np.array([look(task, weights, some, *part) for part in zip(rows, labels, strict=True)])
    return np.stack([found[:, :, 0].sum(axis=0), found[:, :, 1].min(axis=0)], axis=1)


def look(task: Task, W: np.ndarray, some: list[int], X: Any, labels: np.ndarray) -> np.ndarray:
    """The same over one part."""
    found = np.full((task.size, 2), np.nan)
    for group, _, numbers in groups(task, X, labels, W):
        mine = [c - numbers.start for c in some if numbers.start <= c < numbers.stop]
        if mine:
            group.sweep(counted(task, labels), mine, learn=False)
            found[numbers] = group.ledger[:, [MISTAKES, LOWEST]]
    return found


def shares(mixing: str, counts: np.ndarray) -> np.ndarray:
    """μ of every shard (lines) in every problem, by their updates of this round."""
    equal = np.full(counts.shape, 1 / len(counts))
    if mixing == "uniform":
        return equal
    totals = counts.sum(axis=0)
    return np.where(totals > 0, counts / np.maximum(totals, 1), equal)


def mixed(task: Task, start: np.ndarray, ends: list[Any], weights: np.ndarray) -> np.ndarray:
    """Σ μ_s·w_s; what no shard changed stays as it is, and a shard with all the weight is taken as it is."""
    total = start.copy()
    for end, share in zip(ends, weights, strict=True):
        whole, column = unpacked(end, start), task.spread(share)
        total += column * (whole - start)
        np.copyto(total, whole, where=column == 1)
    return total


class Engine(Protocol):
    """Whoever holds the parts of the rows and can work on them."""

    def passes(self, start: Any, turn: Turn) -> list[Update]:
        """The pass of every shard from the packed weights ``start``."""

    def looks(self, W: Any, some: list[int]) -> list[np.ndarray]:
        """What ``look_at_all`` finds in groups of parts that make up all."""


class Rounds:
    """Rounds from zero weights until it is known how every problem ends."""

    def __init__(
        self, task: Task, engine: Engine, features: int, mixing: str, max_iter: int, tol: float | None
    ) -> None:
        self.task, self.engine, self.mixing, self.max_iter, self.tol = task, engine, mixing, max_iter, tol
        self.weights = np.zeros((task.vectors, features + 1))
        self.means = np.zeros_like(self.weights)  # the sum over all rounds
        self.rounds = np.zeros(task.size)
        self.mistakes = np.zeros(task.size)  # of the last round
        self.updates, self.weighted = np.zeros(task.size), np.zeros(task.size)  # Σ k_s and Σ μ_s·k_s
        self.travelled = np.zeros(task.size)  # Σ μ_s·(the sum of the steps)
        self.update_radius = np.zeros(task.size)  # the steps of the shard that went farthest, over all rounds
        self.roundings = np.zeros(task.size)  # rounding errors, in units of ε·radius·farthest
        self.fewest, self.stale = np.full(task.size, np.inf), np.zeros(task.size)
        self.found = np.full((task.size, 2), np.nan)  # errors and lowest score of the last look
        self.outcomes: dict[int, Outcome] = {}

    @property
    def radius(self) -> float:
        """The length of the longest update."""
        return self.task.radius * (Joint.update_scale if self.task.joint else 1.0)

    def go(self, report: Report | None = None) -> list[Outcome]:
        """Make rounds until every problem has ended."""
        active = list(range(self.task.size))
        for number in range(1, self.max_iter + 1):
            self.mistakes[active] = self.round(Turn(number, active))[active]
            self.confirm(number, [c for c in active if not self.mistakes[c]])
            self.age(active)
            if report:
                report(number, int(self.mistakes[active].sum()), max(self.bound(c) for c in active))
            ends = {c: self.status(c) for c in active}
            for c, status in ends.items():
                if status or number == self.max_iter:
                    self.finish(c, status or "stopped", number)
            active = [c for c in active if not ends[c]]
            if not active:
                break
        return self.closed()

    def round(self, turn: Turn) -> np.ndarray:
        """A pass of every shard, mixed; returns the updates made."""
        updates = self.engine.passes(packed(self.weights), turn)
        ledgers = np.array([update.ledger for update in updates])
        counts, steps = ledgers[:, :, UPDATES], ledgers[:, :, TRAVELLED]
        weights = shares(self.mixing, counts)
        if self.task.average and not turn.exact:
            means = mixed(self.task, self.weights, [update.means for update in updates], weights)
            going = np.isin(np.arange(self.task.size), turn.active)
            self.means += np.where(self.task.spread(going), means, 0.0)
            self.rounds += going
        self.weights = mixed(self.task, self.weights, [update.weights for update in updates], weights)
        made = counts.sum(axis=0)
        self.updates += made
        self.weighted += (weights * counts).sum(axis=0)
        self.travelled += (weights * steps).sum(axis=0)
        self.update_radius += steps.max(axis=0)
        self.roundings += (weights * counts).sum(axis=0) + (len(updates) + 3) * (made > 0)
        return made

    def confirm(self, number: int, clean: list[int]) -> None:
        """After a round without a mistake: a row that passed by rounding only is updated, so it was not clean."""
        self.look(packed(self.weights), clean)
        doubtful = [c for c in clean if not self.certain(c)]
        if doubtful:
            self.mistakes[doubtful] = self.round(Turn(number, doubtful, exact=True))[doubtful]

    def look(self, W: Any, some: list[int]) -> None:
        """Errors and lowest score of some problems on all rows."""
        if some:
            parts = np.array(self.engine.looks(W, some))[:, some]
            self.found[some, 0], self.found[some, 1] = parts[:, :, 0].sum(axis=0), parts[:, :, 1].min(axis=0)

    def certain(self, c: int) -> bool:
        """Whether the lowest score found is so high that every row is on its right side, whatever the rounding."""
        length, width = self.length(c), self.weights.shape[1]
        return bool(self.found[c, 1] > bounds.rounding_of_score(length, self.radius, width))

    def length(self, c: int) -> float:
        """‖w‖ in problem c."""
        return float(np.linalg.norm(self.weights[self.task.lines(c)]))

    def age(self, active: list[int]) -> None:
        """Count the rounds since the one with the fewest mistakes."""
        mistakes = self.mistakes[active]
        self.stale[active] = np.where(mistakes < self.fewest[active], 0, self.stale[active] + 1)
        self.fewest[active] = np.minimum(mistakes, self.fewest[active])

    def bound(self, c: int) -> float:
        """A margin that no plane exceeds: v·w ≥ γ·Σ μ_s·(steps of s) for every unit v of margin γ.

        Rounding is included: no weights are ever longer than radius × farthest; an update errs by ε times that, and
        mixing S shards by S + 3 times as much.
        """
        if not self.travelled[c]:
            return np.inf
        roundings = self.update_radius[c] * self.roundings[c] / self.travelled[c]
        size = self.weights[self.task.lines(c)].size
        return bounds.margin_from_run(self.length(c), self.travelled[c], roundings, self.radius, size)

    def status(self, c: int) -> str | None:
        """How problem c has ended, if it has."""
        if not self.mistakes[c]:
            return "separated"
        if self.tol is None:
            return None
        patient = self.stale[c] < PATIENCE and self.weighted[c] * self.tol**2 < 1
        return "thin" if not patient and self.bound(c) <= self.tol * self.radius else None

    def finish(self, c: int, status: str, number: int) -> None:
        """Write down how problem c ended."""
        self.outcomes[c] = Outcome(
            status=status,
            weights=self.weights[self.task.lines(c)].copy(),
            passes=number,
            mistakes=int(self.mistakes[c]),
            updates=int(self.updates[c]),
            errors=int(self.updates[c]),
            travelled=float(self.travelled[c]),
            margin_bound=self.bound(c),
            started=0.0,
            witness=None,
        )

    def closed(self) -> list[Outcome]:
        """The outcomes, with what one more look finds: the lowest scores, and maybe that no mistake is left."""
        self.look(packed(self.weights), [c for c, outcome in self.outcomes.items() if outcome.status != "separated"])
        for c, outcome in self.outcomes.items():
            errors, outcome.lowest = self.found[c].tolist()
            if errors == 0 and self.certain(c):
                outcome.status = "separated"
            outcome.learnt, outcome.learnt_lowest = outcome.weights, outcome.lowest
        if self.task.average:
            learnt = self.means / self.task.spread(self.rounds)
            self.look(packed(learnt), list(self.outcomes))
            for c, outcome in self.outcomes.items():
                outcome.learnt, outcome.learnt_lowest = learnt[self.task.lines(c)], float(self.found[c, 1])
        return [self.outcomes[c] for c in range(self.task.size)]
