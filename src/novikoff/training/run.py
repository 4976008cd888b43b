"""Passes until it is known how the run ends: the loop around every linear rule.

A run ends "separated" after a full pass without a mistake; "inseparable" when a weight vector came back and the
updates in between were found, in exact arithmetic, to sum to zero; "thin" when it is proved that no plane has a
margin above tol × radius; or "stopped" at the limit of passes.
"""

from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from .. import bounds
from ..passes.observers import Average, Pocket, consider
from ..passes.orders import SMALL, shuffled
from ..passes.rules import ERRORS, FIRED, LOWEST, MISTAKES, TRAVELLED, UPDATES, FixedMargin, PassiveAggressive
from ..progress import Report
from .problems import Problems

RECENT = 16
"""Order "active": offenders are the rows updated in this many last full passes."""
WORK = 16
"""Order "active": between two full passes the offenders are visited at most as often as in WORK full passes."""
PATIENCE = 5
"""Passes in a row that bring no fewer mistakes, before a run that is proved hopeless is given up."""
REMEMBERED = 2**20
"""Numbers that the search for returning weights keeps, if one state is not more than that already."""


class Follower(Protocol):
    """Who is told of every pass of a group of problems, and may know the state that its run is to go on from."""

    state: dict[str, Any] | None

    def passed(self, number: int, mistakes: int, bound: float, state: Callable[[], dict[str, Any]]) -> None:
        """After pass ``number``; ``state()`` is all that the run needs to go on from here."""


following: ContextVar[Callable[[int], Follower] | None] = ContextVar("following", default=None)
"""Who follows the runs: the follower of group k, if there is one."""


@dataclass(frozen=True)
class Plan:
    """How to run: the order of the rows, and when to give up."""

    order: str
    row_order: np.ndarray  # the rows with a positive weight
    seed: int
    passes_before: int
    max_iter: int
    tol: float | None
    features: int
    validation: np.ndarray | None = None  # rows that are only looked at, after every pass
    n_iter_no_change: int = 5
    persistent: bool = False  # goes on though no plane separates

    @property
    def interleaved(self) -> bool:
        """Whether a pass visits rows from different places in turn."""
        return self.order != "cyclic" and len(self.row_order) > SMALL

    def at(self, number: int) -> np.ndarray:
        """The order of the pass with this number."""
        if self.order == "cyclic":
            return self.row_order
        return shuffled(self.row_order, (self.seed << 32) + self.passes_before + number, self.features)


@dataclass
class Outcome:
    """What a run did to one problem and what is known of it."""

    status: str
    weights: np.ndarray  # the last
    passes: int
    mistakes: int  # in the last pass
    updates: int
    errors: int  # updates of rows on the wrong side
    travelled: float  # the sum of all steps
    margin_bound: float
    started: float  # ‖w₀‖
    witness: np.ndarray | None  # updates between two equal weight vectors: they sum to zero
    lowest: float = np.nan  # the least y·(w·x) under the last weights
    learnt: np.ndarray = field(default_factory=lambda: np.empty(0))  # the weights that are handed out
    learnt_lowest: float = np.nan  # the least y·(w·x) under these
    learnt_errors: int = 0  # and the rows that they have on the wrong side
    early: bool = False  # stopped as the rows set apart asked for


class Memory:
    """Weights that a problem met at the end of earlier passes, found by their length, with its update counts then.

    What does not fit any more is forgotten after 1, 2, 4, 8, … passes; so, as Brent showed, every cycle is found.
    """

    def __init__(self, problems: Problems, c: int) -> None:
        self.problems, self.c = problems, c
        self.states: dict[float, list[tuple[np.ndarray, np.ndarray]]] = {}
        self.room = max(1, REMEMBERED // (problems.W.size + problems.history.size))
        self.kept = 0

    def keep(self, passes: int) -> None:
        """Remember the state after so many passes."""
        if passes & (passes - 1) == 0 and self.kept >= self.room:
            self.states, self.kept = {}, 0
        if self.kept < self.room:
            state = self.problems.weights(self.c).copy(), self.problems.counts(self.c).copy()
            self.states.setdefault(self.problems.length(self.c), []).append(state)
            self.kept += 1

    def state(self) -> list[Any]:
        """What is remembered, in a few arrays: lengths, weights and counts."""
        found = [(length, *pair) for length, pairs in self.states.items() for pair in pairs]
        return [self.kept, *(np.array(part) for part in zip(*found, strict=True))]

    def restore(self, state: list[Any]) -> None:
        """Take up a state."""
        self.kept, *parts = state
        self.states = {}
        for length, weights, counts in zip(*parts, strict=True):
            self.states.setdefault(float(length), []).append((weights, counts))

    def updates_since(self) -> np.ndarray | None:
        """The updates since the weights were as they are now, if they ever were."""
        for weights, counts in self.states.get(self.problems.length(self.c), []):
            if np.array_equal(weights, self.problems.weights(self.c)):
                return self.problems.counts(self.c) - counts
        return None


class Run:
    """One group of problems, from the weights it starts with to an outcome for each."""

    def __init__(self, problems: Problems, X: Any, plan: Plan) -> None:
        self.problems, self.X, self.plan, self.ledger = problems, X, plan, problems.ledger
        problems.configure(plan)
        self.lengths = np.array([problems.length(c) for c in range(problems.size)])  # ‖w₀‖ of every problem
        self.start = problems.W.copy() if self.lengths.any() else problems.W
        self.memory = [Memory(problems, c) for c in range(problems.size)]
        self.witness: list[np.ndarray | None] = [None] * problems.size
        self.fewest = np.full(problems.size, np.inf)  # mistakes of the best pass so far
        self.stale = np.zeros(problems.size, dtype=int)  # passes since then
        # The rows updated in each of the last full passes.
        self.offenders = [deque[np.ndarray](maxlen=RECENT) for _ in range(problems.size)]
        self.found = np.full((problems.size, 2), np.nan)  # errors and lowest score of the last look
        self.chosen = Choice(problems.size)
        self.outcomes: dict[int, Outcome] = {}
        self.passes = 0

    def go(self, report: Report | None = None, follower: Follower | None = None) -> list[Outcome]:
        """Make passes until every problem has ended."""
        if follower and follower.state:
            self.restore(follower.state)
        active = [c for c in range(self.problems.size) if c not in self.outcomes]
        for number in range(self.passes + 1, self.plan.max_iter + 1):
            if not active:
                break
            self.remember(number - 1, active)
            self.one_pass(number, active)
            self.problems.passed()
            self.age(active)
            self.validate(active)
            self.confirm([c for c in active if self.settled(c)])  # the last look at what has ended
            self.passes = number
            if report or follower:
                told = number, int(self.ledger[active, MISTAKES].sum()), max(self.bound(c) for c in active)
            if report:
                report(*told)
            ends = {c: self.status(c) for c in active}
            for c, status in ends.items():
                if status or number == self.plan.max_iter:
                    self.finish(c, status or "stopped", number)
            active = [c for c in active if not ends[c]]
            if follower:
                follower.passed(*told, self.state)
        return self.closed()

    def state(self) -> dict[str, Any]:
        """All that the run needs to go on from the end of a pass, in arrays, numbers, texts and lists of them."""
        return {
            "passes": self.passes,
            "problems": self.problems.state(),
            "memory": [memory.state() for memory in self.memory],
            "witness": self.witness,
            "arrays": self.arrays(),
            "chosen": [[c, weights] for c, weights in self.chosen.weights.items()],
            "offenders": [list(rows) for rows in self.offenders],
            "outcomes": [[c, {**vars(outcome), "weights": None}] for c, outcome in self.outcomes.items()],
        }

    def arrays(self) -> list[np.ndarray]:
        """The arrays of the run itself that passes change."""
        return [self.fewest, self.stale, self.found, self.chosen.errors, self.chosen.stale]

    def restore(self, state: dict[str, Any]) -> None:
        """Take up a state, which is not changed by what follows."""
        self.passes, self.witness = state["passes"], list(state["witness"])
        self.problems.restore(state["problems"])
        for memory, kept in zip(self.memory, state["memory"], strict=True):
            memory.restore(kept)
        for array, kept in zip(self.arrays(), state["arrays"], strict=True):
            array[:] = kept
        self.chosen.weights = dict(state["chosen"])
        self.offenders = [deque(rows, maxlen=RECENT) for rows in state["offenders"]]
        for c, fields in state["outcomes"]:
            self.outcomes[c] = Outcome(**{**fields, "weights": self.problems.weights(c)})

    def closed(self) -> list[Outcome]:
        """The outcomes, with what one more look finds: the lowest scores, and maybe that no mistake is left."""
        left = [c for c, outcome in self.outcomes.items() if outcome.status != "separated"]
        self.look(self.plan.row_order, left)
        for c, outcome in self.outcomes.items():
            errors, outcome.lowest = self.found[c].tolist()
            if errors == 0 and outcome.witness is None and self.certain(c):
                outcome.status = "separated"
            outcome.learnt, outcome.learnt_lowest = outcome.weights, outcome.lowest
        if self.plan.validation is not None or isinstance(self.problems.observer, Average | Pocket):
            self.hand_out()
        return [self.outcomes[c] for c in range(self.problems.size)]

    def hand_out(self) -> None:
        """Set the weights that are handed out, where they are not the last, and look at them."""
        W = self.fill_pocket()
        for c, outcome in self.outcomes.items():
            if outcome.status != "separated" and c in self.chosen.weights:
                W[self.problems.lines(c)] = self.chosen.weights[c]
            outcome.learnt = W[self.problems.lines(c)]
        self.look(self.plan.row_order, list(self.outcomes), W)
        for c, outcome in self.outcomes.items():
            outcome.learnt_errors, outcome.learnt_lowest = int(self.found[c, 0]), float(self.found[c, 1])

    def fill_pocket(self) -> np.ndarray:
        """A copy of the learnt weights, for which the last ones are candidates too."""
        problems, observer = self.problems, self.problems.observer
        if isinstance(observer, Pocket):
            for c in range(problems.size):
                last, positive = problems.candidate(c, problems.W)
                if consider(observer, c, last, problems.rows, problems.targets, positive):
                    observer.best[problems.lines(c)] = problems.weights(c)
        return problems.learnt().copy(order="A")

    def validate(self, active: list[int]) -> None:
        """Look at the rows set apart with the weights that would be handed out, and keep the best."""
        if self.plan.validation is not None:
            W = self.problems.learnt()
            self.look(self.plan.validation, active, W)
            for c in active:
                self.chosen.offer(c, self.found[c, 0], W[self.problems.lines(c)])

    def one_pass(self, number: int, active: list[int]) -> None:
        """A full pass; in order "active" after hard work on the rows that were updated in the last ones."""
        if self.plan.order != "active":
            self.problems.sweep(self.plan.at(number), active)
            return
        for c in active:
            self.work(c)
        before = self.problems.tally.copy()
        self.problems.sweep(self.plan.at(number), active)
        for c in active:
            updated = self.problems.counts(c) != before[self.problems.lines(c)]
            self.offenders[c].append(np.flatnonzero(updated.any(axis=0)).astype(np.uint32))

    def work(self, c: int) -> None:
        """Visit the offenders of problem c again and again, until they are all right or it takes long."""
        rows = np.unique(np.concatenate([np.empty(0, np.uint32), *self.offenders[c]]))
        if len(rows):
            self.problems.work(c, rows, WORK * len(self.plan.row_order) // len(rows))

    def age(self, active: list[int]) -> None:
        """Count the passes since the one with the fewest mistakes."""
        mistakes = self.ledger[active, MISTAKES]
        self.stale[active] = np.where(mistakes < self.fewest[active], 0, self.stale[active] + 1)
        self.fewest[active] = np.minimum(mistakes, self.fewest[active])

    def settled(self, c: int) -> bool:
        """Whether problem c has no more to learn.

        A passive-aggressive run only comes nearer and nearer to its end, so no mistake in several passes is enough.
        """
        line = self.ledger[c]
        patient = self.stale[c] < PATIENCE or not isinstance(self.problems.rule, PassiveAggressive)
        return bool(line[FIRED] == 0 or (line[MISTAKES] == 0 and not patient))

    def status(self, c: int) -> str | None:
        """How problem c has ended, if it has."""
        if self.settled(c):
            return "separated"
        if self.witness[c] is None:
            between = self.memory[c].updates_since()
            self.witness[c] = between if self.proved(between, c) else None
        if self.witness[c] is not None and not self.plan.persistent:
            return "inseparable"
        if self.chosen.stale[c] >= self.plan.n_iter_no_change:
            return "stopped"
        return "thin" if self.hopeless(c) else None

    def hopeless(self, c: int) -> bool:
        """Whether no plane has a margin above tol × radius, and passes have ceased to bring fewer mistakes.

        The first is proved after at most 1/tol² unit updates on any data; by then the second is not asked for.
        Nor is it when the rule asks for a margin that no plane has.
        """
        tol, rule = self.plan.tol, self.problems.rule
        if isinstance(rule, FixedMargin) and self.bound(c) < rule.half:
            return True
        if tol is None:
            return False
        patient = self.stale[c] < PATIENCE and self.ledger[c, UPDATES] * tol**2 < 1
        return not patient and self.bound(c) <= tol * self.problems.update_radius

    def proved(self, between: np.ndarray | None, c: int) -> bool:
        """Whether these updates of problem c sum to zero exactly."""
        if between is None or not between.any():
            return False
        return self.problems.vanish(c, between, self.X)

    def remember(self, passes: int, active: list[int]) -> None:
        """Note the weights, to see when they return; steps of unequal length could not be told from the counts."""
        if self.problems.counted and not isinstance(self.problems.rule, PassiveAggressive):
            for c in active:
                self.memory[c].keep(passes)

    def bound(self, c: int) -> float:
        """The margin proved impossible, rounding included."""
        w, moved = self.problems.weights(c), self.problems.length(c)
        if self.lengths[c]:
            moved = float(np.linalg.norm(w - self.start[self.problems.lines(c)]))
        travelled, updates = self.ledger[c, [TRAVELLED, UPDATES]]
        return bounds.margin_from_run(moved, travelled, updates, self.problems.update_radius, w.size)

    def finish(self, c: int, status: str, number: int) -> None:
        """Write down how problem c ended."""
        if self.witness[c] is not None:
            status = "inseparable"
        self.outcomes[c] = Outcome(
            status=status,
            weights=self.problems.weights(c),
            passes=number,
            mistakes=int(self.ledger[c, MISTAKES]),
            updates=int(self.ledger[c, UPDATES]),
            errors=int(self.ledger[c, ERRORS]),
            travelled=float(self.ledger[c, TRAVELLED]),
            margin_bound=0.0 if status == "inseparable" else self.bound(c),
            started=float(self.lengths[c]),
            witness=self.witness[c],
            early=bool(self.chosen.stale[c] >= self.plan.n_iter_no_change),
        )

    def look(self, rows: np.ndarray, some: list[int], W: np.ndarray | None = None) -> None:
        """A pass over rows that does not learn: errors and lowest score of some problems, under their own weights."""
        if not some:
            return
        ledger, own = self.ledger.copy(), self.problems.W
        if W is not None:
            self.problems.W, self.problems.squares = W, None
        self.problems.sweep(rows, some, learn=False)
        self.found[some] = self.ledger[some][:, [MISTAKES, LOWEST]]
        self.ledger[:] = ledger
        if W is not None:
            self.problems.W, self.problems.squares = own, None

    def certain(self, c: int) -> bool:
        """Whether the lowest score found is so high that every row is on its right side, whatever the rounding."""
        width = self.problems.W.shape[1]
        return bool(
            self.found[c, 1] > bounds.rounding_of_score(self.problems.length(c), self.problems.update_radius, width)
        )

    def confirm(self, clean: list[int]) -> None:
        """After a pass without a mistake: a row that passed by rounding only is updated, so it was not clean."""
        self.look(self.plan.row_order, clean)
        for c in clean:
            if self.certain(c):
                continue
            if isinstance(self.problems.rule, PassiveAggressive) or self.problems.correct_exactly(
                c, self.X, self.plan.row_order
            ):
                self.ledger[c, [MISTAKES, FIRED]] = 1


class Choice:
    """The weights of every problem that made the fewest errors on the rows set apart."""

    def __init__(self, size: int) -> None:
        self.errors = np.full(size, np.inf)
        self.stale = np.full(size, -1)
        self.weights: dict[int, np.ndarray] = {}

    def offer(self, c: int, errors: float, weights: np.ndarray) -> None:
        """Keep these if they make fewer errors than any before."""
        if errors < self.errors[c]:
            self.errors[c], self.stale[c], self.weights[c] = errors, 0, weights.copy()
        else:
            self.stale[c] += 1
