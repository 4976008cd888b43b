"""Passes until it is known how the run ends: the loop around every linear rule.

A run ends "separated" after a full pass without a mistake; "inseparable" when a weight vector came back and the
corrections in between were found, in exact arithmetic, to sum to zero; "thin" when it is proved that no plane has a
margin above tol × radius; or "stopped" at the limit of passes.
"""

from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..passes.linear import LOWEST, MISTAKES, TRAVELLED, UPDATES
from ..passes.orders import SMALL, shuffled
from ..proofs.exact import vanishes
from ..theory import bounds
from .problems import Problems
from .progress import Report

RECENT = 16
"""Order "active": offenders are the rows corrected in this many last full passes."""
WORK = 16
"""Order "active": between two full passes the offenders are visited at most as often as in WORK full passes."""
PATIENCE = 5
"""Passes in a row that bring no fewer mistakes, before a run that is proved hopeless is given up."""
REMEMBERED = 2**20
"""Numbers that the search for returning weights keeps, if one state is not more than that already."""
LARGEST_REMEMBERED = 2**22
"""Correction counts beyond which it is not made at all: with so many rows weights do not return."""


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
    visits: np.ndarray  # the rows with a positive weight
    seed: int
    passes_before: int
    max_iter: int
    tol: float | None
    radius: float
    features: int

    @property
    def woven(self) -> bool:
        """Whether a pass visits rows from different places in turn."""
        return self.order != "cyclic" and len(self.visits) > SMALL

    def at(self, number: int) -> np.ndarray:
        """The order of the pass with this number."""
        if self.order == "cyclic":
            return self.visits
        return shuffled(self.visits, (self.seed << 32) + self.passes_before + number, self.features)


@dataclass
class Outcome:
    """What a run did to one problem and what is known of it."""

    status: str
    weights: np.ndarray
    passes: int
    mistakes: int  # in the last pass
    updates: int
    margin_bound: float
    started: float  # ‖w₀‖
    witness: np.ndarray | None  # corrections between two equal weight vectors: they sum to zero
    lowest: float = np.nan  # the least y·(w·x) under the final weights


class Memory:
    """Weights that a problem met at the end of earlier passes, found by their length, with its correction counts then.

    What does not fit any more is forgotten after 1, 2, 4, 8, … passes; so, as Brent showed, every cycle is found.
    """

    def __init__(self, problems: Problems, c: int) -> None:
        self.problems, self.c = problems, c
        self.states: dict[float, list[tuple[np.ndarray, np.ndarray]]] = {}
        self.room = max(1, REMEMBERED // (problems.several.size + problems.tally.size))
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
        """What is remembered, with the length that it is found by."""
        return [self.kept, [[length, *pair] for length, pairs in self.states.items() for pair in pairs]]

    def restore(self, state: list[Any]) -> None:
        """Take up a state."""
        self.kept, self.states = state[0], {}
        for length, *pair in state[1]:
            self.states.setdefault(length, []).append((pair[0], pair[1]))

    def corrections_since(self) -> np.ndarray | None:
        """The corrections since the weights were as they are now, if they ever were."""
        for weights, counts in self.states.get(self.problems.length(self.c), []):
            if np.array_equal(weights, self.problems.weights(self.c)):
                return self.problems.counts(self.c) - counts
        return None


class Run:
    """One group of problems, from the weights it starts with to an outcome for each."""

    def __init__(self, problems: Problems, X: Any, plan: Plan) -> None:
        self.problems, self.X, self.plan, self.ledger = problems, X, plan, problems.ledger
        problems.woven = plan.woven
        self.lengths = np.array([problems.length(c) for c in range(problems.size)])  # ‖w₀‖ of every problem
        self.start = problems.several.copy() if self.lengths.any() else problems.several
        self.memory = [Memory(problems, c) for c in range(problems.size)]
        self.fewest = np.full(problems.size, np.inf)  # mistakes of the best pass so far
        self.stale = np.zeros(problems.size, dtype=int)  # passes since then
        # The rows corrected in each of the last full passes.
        self.offenders = [deque[np.ndarray](maxlen=RECENT) for _ in range(problems.size)]
        self.found = np.full((problems.size, 2), np.nan)  # errors and lowest score of the last look
        self.outcomes: dict[int, Outcome] = {}
        self.passes = 0

    def go(self, report: Report | None = None, follower: Follower | None = None) -> list[Outcome]:
        """Make passes until every problem has ended."""
        if follower and follower.state:
            self.restore(follower.state)
        open_ = [c for c in range(self.problems.size) if c not in self.outcomes]
        for number in range(self.passes + 1, self.plan.max_iter + 1):
            if not open_:
                break
            self.remember(number - 1, open_)
            self.one_pass(number, open_)
            self.confirm([c for c in open_ if self.ledger[c, MISTAKES] == 0])
            self.passes = number
            if report or follower:
                told = number, int(self.ledger[open_, MISTAKES].sum()), max(self.bound(c) for c in open_)
            if report:
                report(*told)
            ends = {c: self.status(c) for c in open_}
            for c, status in ends.items():
                if status or number == self.plan.max_iter:
                    self.finish(c, status or "stopped", number)
            open_ = [c for c in open_ if not ends[c]]
            if follower:
                follower.passed(*told, self.state)
        return self.closed()

    def state(self) -> dict[str, Any]:
        """All that the run needs to go on from the end of a pass, in arrays, numbers, texts and lists of them."""
        return {
            "passes": self.passes,
            "problems": self.problems.state(),
            "memory": [memory.state() for memory in self.memory],
            "fewest": self.fewest,
            "stale": self.stale,
            "offenders": [list(rows) for rows in self.offenders],
            "found": self.found,
            "outcomes": [[c, {**vars(outcome), "weights": None}] for c, outcome in self.outcomes.items()],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take up a state."""
        self.problems.restore(state["problems"])
        for memory, kept in zip(self.memory, state["memory"], strict=True):
            memory.restore(kept)
        for name in ("fewest", "stale", "found"):
            getattr(self, name)[:] = state[name]
        self.offenders = [deque(rows, maxlen=RECENT) for rows in state["offenders"]]
        self.outcomes = {
            c: Outcome(**{**fields, "weights": self.problems.weights(c)}) for c, fields in state["outcomes"]
        }
        self.passes = state["passes"]

    def closed(self) -> list[Outcome]:
        """The outcomes, with what one more look finds: the lowest scores, and maybe that no mistake is left."""
        left = [c for c, outcome in self.outcomes.items() if outcome.status != "separated"]
        self.look(left)
        for c, outcome in self.outcomes.items():
            errors, outcome.lowest = self.found[c].tolist()
            if errors == 0 and outcome.witness is None and self.certain(c):
                outcome.status = "separated"
        return [self.outcomes[c] for c in range(self.problems.size)]

    def one_pass(self, number: int, open_: list[int]) -> None:
        """A full pass; in order "active" after hard work on the rows that were corrected in the last ones."""
        if self.plan.order != "active":
            self.problems.sweep(self.plan.at(number), open_)
            return
        for c in open_:
            self.work(c)
        before = self.problems.tally.copy()
        self.problems.sweep(self.plan.at(number), open_)
        for c in open_:
            corrected = self.problems.counts(c) != before[self.problems.lines(c)]
            self.offenders[c].append(np.flatnonzero(corrected.any(axis=0)).astype(np.uint32))

    def work(self, c: int) -> None:
        """Visit the offenders of problem c again and again, until they are all right or it takes long."""
        if self.offenders[c]:
            rows = np.unique(np.concatenate(self.offenders[c]))
            self.problems.work(c, rows, WORK * len(self.plan.visits) // len(rows))

    def status(self, c: int) -> str | None:
        """How problem c has ended, if it has."""
        if self.ledger[c, MISTAKES] == 0:
            return "separated"
        if self.proved(self.memory[c].corrections_since(), c):
            return "inseparable"
        return "thin" if self.plan.tol is not None and self.hopeless(c, self.plan.tol) else None

    def hopeless(self, c: int, tol: float) -> bool:
        """Whether no plane has a margin above tol × radius, and passes have ceased to bring fewer mistakes.

        The first is proved after at most 1/tol² unit corrections on any data; by then the second is not asked for.
        """
        mistakes = self.ledger[c, MISTAKES]
        self.stale[c] = 0 if mistakes < self.fewest[c] else self.stale[c] + 1
        self.fewest[c] = min(mistakes, self.fewest[c])
        patient = self.stale[c] < PATIENCE and self.ledger[c, UPDATES] * tol**2 < 1
        return not patient and self.bound(c) <= tol * self.plan.radius

    def proved(self, between: np.ndarray | None, c: int) -> bool:
        """Whether these corrections of problem c sum to zero exactly."""
        if between is None or not between.any():
            return False
        return vanishes(self.problems.coefficients(c, between), self.X, self.problems.rows.unit)

    def remember(self, passes: int, open_: list[int]) -> None:
        if self.problems.tally.size <= LARGEST_REMEMBERED:
            for c in open_:
                self.memory[c].keep(passes)

    def bound(self, c: int) -> float:
        """The margin proved impossible, rounding included."""
        w, moved = self.problems.weights(c), self.problems.length(c)
        if self.lengths[c]:
            moved = float(np.linalg.norm(w - self.start[self.problems.lines(c)]))
        travelled, updates = self.ledger[c, [TRAVELLED, UPDATES]]
        return bounds.margin_from_run(moved, travelled, updates, self.plan.radius, w.size)

    def finish(self, c: int, status: str, number: int) -> None:
        """Write down how problem c ended."""
        self.outcomes[c] = Outcome(
            status=status,
            weights=self.problems.weights(c),
            passes=number,
            mistakes=int(self.ledger[c, MISTAKES]),
            updates=int(self.ledger[c, UPDATES]),
            margin_bound=0.0 if status == "inseparable" else self.bound(c),
            started=float(self.lengths[c]),
            witness=self.memory[c].corrections_since() if status == "inseparable" else None,
        )

    def look(self, some: list[int]) -> None:
        """A pass over all rows that does not learn: errors and lowest score of some problems as they are."""
        if some:
            ledger = self.ledger.copy()
            self.problems.sweep(self.plan.visits, some, learn=False)
            self.found[some] = self.ledger[some][:, [MISTAKES, LOWEST]]
            self.ledger[:] = ledger

    def certain(self, c: int) -> bool:
        """Whether the lowest score found is so high that every row is on its right side, whatever the rounding."""
        width = self.problems.several.shape[1]
        return bool(self.found[c, 1] > bounds.rounding_of_score(self.problems.length(c), self.plan.radius, width))

    def confirm(self, clean: list[int]) -> None:
        """After a pass without a mistake: a row that passed by rounding only is corrected, so it was not clean."""
        self.look(clean)
        for c in clean:
            if not self.certain(c) and self.problems.mend(c, self.X, self.plan.visits):
                self.ledger[c, MISTAKES] = 1
