"""Passes until it is known how the run ends: the one loop around every rule, in memory, in a stream or on a cluster.

A run ends "separated" after a full pass without a mistake; "inseparable" when a weight vector came back and the
updates in between were found, in exact arithmetic, to sum to zero; "thin" when it is proved that no plane has a
margin above tol × radius, or the one that the rule asks for; or "stopped" when passes have ceased to help, at the limit
of passes, or by early stopping.
"""

import math
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from multiprocessing.pool import ThreadPool
from typing import Any, NamedTuple, Protocol, cast

import numpy as np

from ..passes.ledger import DRIFT, ERRORS, MISTAKES, PASS_UPDATES, TRAVELLED, UPDATES, VISITS
from ..passes.orders import shuffled
from ..progress import Progress, Report
from .outcomes import Outcome
from .problems import UNTHREADED, LinearProblems, Problems, squared_length
from .refining import Refinement, coarse

OVERFLOW = (
    "The weights overflow float64, as some rows of X are much shorter than others: "
    "rescale X, for example with sklearn.preprocessing.StandardScaler."
)
RECENT = 16
"""Order "active": offenders are the rows updated on in this many last full passes."""
WORK = 16
"""Order "active": between two full passes the offenders are visited at most as often as in WORK full passes.

Of at most SMALL rows twice as often, as what a pass takes beside its visits counts more there.
"""
SMALL = 2**10
QUICK = 2**12
"""So many visits take no time: few rows get a quarter of them before a run is given up, and all to finish."""
PATIENCE = 5
"""Passes in a row that do not help, before a run is given up."""
SOON = 2
"""The same of a rule of second order, for which few passes are enough."""
FEW, HANDFUL = 1 / 20, 10
"""The part of the rows, and the number, that may be wrong when passes cease to help for the run to finish on them."""
REMEMBERED = 2**20
"""Numbers that the search for returning weights keeps; it is not made where one state has more."""


Reporter = Callable[[str], Report | None]
"""Who gives the group of this name somebody to tell of its passes."""


class Follower(Protocol):
    """Who is told of every pass of a group of problems, and may know the state that its run is to go on from."""

    state: dict[str, Any] | None

    def passed(self, number: int, mistakes: int, bound: float, run: "Run") -> bool:
        """After pass ``number``; ``run.state()`` is all that is needed to go on from here.  True ends the run."""


following: ContextVar[Callable[[int], Follower] | None] = ContextVar("following", default=None)
"""Who follows the runs: the follower of group k, if there is one."""


def follower_of(k: int) -> Follower | None:
    """The follower of group k, if there is one."""
    follow = following.get()
    return follow(k) if follow else None


class Plan(NamedTuple):
    """How to run: the order of the rows, and when to give up."""

    order: str
    row_order: np.ndarray  # the rows with a positive weight
    seed: int
    passes_before: int
    max_iter: int
    tol: float | None
    n_rows: int = 0  # that a pass visits
    total_weight: float = 0.0  # of them, where a pass must take fewer steps by tol times that to help
    gives_up: bool = False  # when passes cease to help
    finish: bool = False  # when passes cease to help with few mistakes left, works on the rows that are hard
    validation: np.ndarray | None = None  # rows that are only looked at, after every pass
    n_iter_no_change: int = 5
    persistent: bool = False  # goes on though no plane separates
    counts_all: bool = False  # a mean is over max_iter passes: those after one without an update are counted, not made
    refine: bool = False  # improves the plane in the pocket along lines, after the passes

    def at(self, number: int) -> np.ndarray:
        """The order of the pass with this number."""
        if self.order == "cyclic" or len(self.row_order) == 1:
            return self.row_order
        return shuffled(self.row_order, (self.seed << 32) + self.passes_before + number)


def train(groups: Sequence[Problems], plan: Plan, verbose: int = 0) -> list[Outcome]:
    """All problems to their end, a group per thread."""
    follow = following.get()

    def end(k: int, report: Reporter | None) -> list[Outcome]:
        return Run(groups[k], plan).go(report and report(f"{k + 1}/{len(groups)}"), follow and follow(k))

    def ends(report: Reporter | None = None) -> Any:
        if len(groups) == 1:
            return [end(0, report)]
        with ThreadPool(len(groups)) as threads:  # those of joblib take 14 ms to begin and to end
            return threads.map(lambda k: end(k, report), range(len(groups)), chunksize=1)

    if verbose:
        with Progress(verbose, plan.max_iter) as progress:
            done = ends(progress.line)
    else:
        done = ends()
    outcomes = [outcome for outcomes in done for outcome in outcomes]
    check_overflow(outcomes)
    return outcomes


def check_overflow(outcomes: list[Outcome]) -> None:
    """Raise if steps grew so long that weights are no longer numbers."""
    if not all(all_finite(outcome.learnt) for outcome in outcomes):
        raise ValueError(OVERFLOW)


def all_finite(weights: np.ndarray) -> bool:
    """Whether all weights are finite: of few it is quickest to see that the sum of their squares is."""
    few = weights.size <= UNTHREADED
    return (few and math.isfinite(squared_length(weights))) or all(np.isfinite(w).all() for w in weights)


class Run:
    """One group of problems, from the weights it starts with to an outcome for each."""

    def __init__(self, problems: Problems, plan: Plan) -> None:
        self.problems, self.plan, self.ledger = problems, plan, problems.ledger
        problems.plan = plan
        self.cycles: list[CycleFinder] = []  # of every problem, where weights may come back
        self.witness: list[np.ndarray | None] = [None] * problems.size
        self.steps = [0.0] * problems.size  # of the last full pass
        self.visits_before = [0.0] * problems.size  # before it
        self.fewest = [np.inf] * problems.size  # steps of the best pass so far
        self.stale = [0] * problems.size  # passes since the best
        self.last_visit = [0.0] * problems.size  # where passes have ceased to help, the visits that it ends at
        self.left_before = [np.inf] * problems.size  # the rows that were wrong when that was last decided
        self.last_update: dict[int, np.ndarray] = {}  # the last full pass that updated on each row of a hard problem
        self.looked = np.array([[np.nan, np.nan]] * problems.size)  # errors and lowest row margin of the last look
        self.best = BestOnHeldOut(problems.size)
        self.means: dict[int, np.ndarray] = {}  # of the weights until passes ceased to help
        self.outcomes: dict[int, Outcome] = {}
        self.passes = 0

    def go(self, report: Report | None = None, follower: Follower | None = None) -> list[Outcome]:
        """Make passes until every problem has ended."""
        if follower and follower.state:
            self.restore(follower.state)
        elif self.may_return():
            self.cycles = self.cycle_finders()
            for c, cycle in enumerate(self.cycles):
                cycle.meet(0, *self.here(c))
        active = [c for c in range(self.problems.size) if c not in self.outcomes]
        for number in range(self.passes + 1, self.plan.max_iter + 1):
            if not active:
                break
            self.one_pass(number, active)
            if self.problems.recording is not None:
                self.problems.pass_ends.append(self.ledger[:, VISITS].copy())
            self.age(active)
            self.validate(active)
            self.confirm([c for c in active if self.settled(c)])  # the last look at what has ended
            self.passes = number
            if report or follower:
                self.problems.catch_up()
                progress = (
                    number,
                    int(self.ledger[active, MISTAKES].sum()),
                    float(self.problems.margin_bounds[active].max()),
                )
            if report:
                report(*progress)
            ends = {c: self.status(c, number) for c in active}
            for c, status in ends.items():
                if status or number == self.plan.max_iter:
                    self.finish(c, status or "stopped", number)
            active = [c for c in active if not ends[c]]
            if follower and follower.passed(*progress, self):
                for c in active:
                    self.finish(c, "stopped", number)
                    self.outcomes[c].early = True
                break
        return self.close()

    def state(self) -> dict[str, Any]:
        """All that the run needs to go on from the end of a pass, in arrays, numbers, texts and lists of them."""
        return {
            "passes": self.passes,
            "problems": self.problems.state(),
            "cycles": [cycle.state() for cycle in self.cycles],
            "witness": self.witness,
            "arrays": [np.array(figures) for figures in self.figures()],
            "best": [[c, weights] for c, weights in self.best.weights.items()],
            "means": [[c, weights] for c, weights in self.means.items()],
            "last_update": [[c, passes] for c, passes in self.last_update.items()],
            "outcomes": [[c, {**vars(outcome), "weights": None}] for c, outcome in self.outcomes.items()],
        }

    def figures(self) -> list[Any]:
        """The figures of every problem that the run itself keeps, and passes change."""
        return [
            self.fewest,
            self.stale,
            self.last_visit,
            self.left_before,
            self.looked,
            self.best.errors,
            self.best.stale,
        ]

    def restore(self, state: dict[str, Any]) -> None:
        """Take up a state, which is not changed by what follows."""
        self.passes, self.witness = state["passes"], list(state["witness"])
        self.problems.restore(state["problems"])
        self.cycles = self.cycle_finders() if state["cycles"] else []
        for cycle, kept in zip(self.cycles, state["cycles"], strict=True):
            cycle.restore(kept)
        for figures, kept in zip(self.figures(), state["arrays"], strict=True):
            figures[:] = kept.tolist()
        self.best.weights = dict(state["best"])
        self.means = dict(state["means"])
        self.last_update = {c: passes.copy() for c, passes in state["last_update"]}
        for c, fields in state["outcomes"]:
            self.outcomes[c] = Outcome(**{**fields, "weights": self.problems.W[self.problems.vectors[c]]})

    def one_pass(self, number: int, active: list[int]) -> None:
        """A full pass; in order "active", or to finish, after hard work on the rows updated on in the last ones."""
        hard = active if self.plan.order == "active" else [c for c in active if self.finishing(c)]
        if not hard:
            self.sweep(number, active)
            return
        n, ordered = len(self.plan.row_order), self.plan.order == "active"
        visits = WORK * n * (2 if n <= SMALL else 1) if ordered else max(WORK * n, QUICK)
        for c in hard:
            rows = self.offenders(c, number)
            if len(rows):
                self.problems.work(c, rows, visits // len(rows))
        before = self.problems.update_counts.copy()
        self.sweep(number, active)
        changed = self.problems.update_counts != before
        for c in hard:
            self.last_update[c][changed[self.problems.vectors[c]].any(axis=0)] = number

    def offenders(self, c: int, number: int) -> np.ndarray:
        """The rows that the last full passes before this one updated on in problem c, while it was hard."""
        if c not in self.last_update:
            self.last_update[c] = np.full(self.problems.update_counts.shape[1], -RECENT, np.int32)
        return np.flatnonzero(self.last_update[c] >= number - RECENT).astype(np.uint32)

    def sweep(self, number: int, active: list[int]) -> None:
        """A full pass, and how far it went."""
        before, self.visits_before = self.ledger[:, TRAVELLED].tolist(), self.ledger[:, VISITS].tolist()
        self.problems.sweep(self.plan.at(number), active)
        self.steps = [now - then for now, then in zip(self.ledger[:, TRAVELLED].tolist(), before, strict=True)]

    def age(self, active: list[int]) -> None:
        """Count the passes since the last that helped: its steps were fewer than in all before, by tol × weights.

        Of rows without weights, steps are updates.  Where a rule goes on and on, it is the mistakes that become fewer.
        """
        enough = (self.plan.tol or 0.0) * self.plan.total_weight
        patience = max(PATIENCE if self.problems.rule.ends else SOON, QUICK / 4 / max(self.plan.n_rows, 1))
        for c in active:
            wrong = self.steps[c] if self.problems.rule.ends else self.ledger[c, MISTAKES]
            if wrong < self.problems.improvement * self.fewest[c] - enough:
                self.fewest[c], self.stale[c] = wrong, 0
                if self.plan.finish and self.problems.observer.returns_last:
                    self.best.weights[c] = self.problems.W[self.problems.vectors[c]].copy()
                continue
            self.stale[c] += 1
        for c in active:
            if self.plan.gives_up and (self.last_visit[c] or self.stale[c] >= patience):
                self.prolong(c)

    def prolong(self, c: int) -> None:
        """Where passes have ceased to help: if few rows are left, half as long again, to work on those that are hard.

        And so on while that leaves fewer rows wrong in the pocket, if there is one.
        """
        visits, left, first = self.ledger[c, VISITS], self.left(c), not self.last_visit[c]
        keeps = self.problems.observer.fewest_wrong(c) < np.inf
        if self.finishing(c) or not (first or keeps):
            return
        if first and self.plan.refine:
            self.means[c] = self.mean(c)  # before visits of hard rows alone spoil it
        self.last_visit[c] = visits
        if self.plan.finish and left <= max(FEW * self.plan.n_rows, HANDFUL) and left < self.left_before[c]:
            self.last_visit[c] += max(visits / 2, 2 * QUICK)
        self.left_before[c] = left

    def left(self, c: int) -> float:
        """The rows that are wrong: those that the last pass updated on, or those of the pocket if they are fewer."""
        return min(float(self.ledger[c, PASS_UPDATES]), self.problems.observer.fewest_wrong(c))

    def finishing(self, c: int) -> bool:
        """Whether passes have ceased to help, and the hard rows of problem c are worked on for half as long again."""
        return bool(self.ledger[c, VISITS] < self.last_visit[c])

    def validate(self, active: list[int]) -> None:
        """Look at the rows held out with the weights that would be returned, and keep the best."""
        if self.plan.validation is not None:
            W = self.problems.returned_weights()
            errors = self.problems.look(self.plan.validation, active, W)[:, 0]
            for c in active:
                self.best.offer(c, errors[c], W[self.problems.vectors[c]])

    def settled(self, c: int) -> bool:
        """Whether problem c has no more to learn.

        Where a rule only comes nearer and nearer to its end, no mistake in several passes is enough.
        """
        ledger = self.ledger[c]
        enough = self.stale[c] >= PATIENCE and not self.problems.rule.ends
        return bool(ledger[PASS_UPDATES] == 0 or (ledger[MISTAKES] == 0 and enough))

    def confirm(self, clean: list[int]) -> None:
        """After a pass without a mistake: a row that was right by rounding only is updated on, so it was not clean."""
        if not clean:
            return
        looked = self.problems.look_after_pass(self.plan.row_order, clean)
        for c in clean:
            self.looked[c] = looked[c]
        wrong = [c for c in clean if not self.problems.certain(c, self.looked[c, 1])]
        if wrong and self.problems.rule.own_steps:
            wrong = self.problems.correct_exactly(wrong, self.plan.row_order)
        for c in wrong:
            self.ledger[c, [MISTAKES, PASS_UPDATES]] = 1

    def status(self, c: int, passes: int) -> str | None:
        """How problem c has ended after so many passes, if it has."""
        if self.settled(c):
            return "separated"
        if self.witness[c] is None and self.cycles:
            self.witness[c] = self.find_witness(c, passes)
        if self.witness[c] is not None and not self.plan.persistent:
            return "inseparable"
        if self.best.stale[c] >= self.plan.n_iter_no_change:
            return "stopped"
        if self.hopeless(c) and not (self.plan.persistent and self.finishing(c)):
            return "thin"
        return "stopped" if self.stalled(c) else None

    def stalled(self, c: int) -> bool:
        """Whether passes have ceased to help, and the hard rows, if they are few, have been worked on."""
        return not self.finishing(c) and bool(self.last_visit[c])

    def hopeless(self, c: int) -> bool:
        """Whether no plane has a margin above tol × radius, and passes have ceased to help.

        The first is proved after at most 1/tol² unit updates on any data; by then the second is not asked for.  Nor is
        it when the rule asks for a margin that no plane has.
        """
        required, tol = self.problems.rule.required_margin, self.plan.tol
        asked = 0.0  # the margin that is not worth waiting for
        if tol and (self.stale[c] >= PATIENCE or self.problems.bounded_updates[c] * tol**2 >= 1):
            asked = tol * self.problems.update_radius
        if not (asked or required):
            return False
        self.problems.catch_up()
        bound = self.problems.margin_bounds[c]
        return bool(bound < required or (asked and bound <= asked))

    def may_return(self) -> bool:
        """Whether the weights are looked at after every pass, to see when they return.

        Steps of unequal length could not be told from the counts, and on a single row weights do not return; nor is it
        done where one state is too large to be kept.
        """
        fits = self.problems.state_size <= REMEMBERED
        return self.problems.rule.own_steps and self.problems.counted and self.plan.n_rows != 1 and fits

    def cycle_finders(self) -> list["CycleFinder"]:
        """One for every problem."""
        return [CycleFinder(self.problems.state_size) for _ in self.problems.vectors]

    def here(self, c: int) -> tuple[np.ndarray, np.ndarray]:
        """Where problem c stands: its weights and update counts."""
        vectors = self.problems.vectors[c]
        return self.problems.W[vectors], self.problems.update_counts[vectors]

    def find_witness(self, c: int, passes: int) -> np.ndarray | None:
        """Updates of problem c that sum to zero exactly, if its weights have come back; else they are remembered."""
        between = self.cycles[c].meet(passes, *self.here(c))
        if between is None or not between.any() or not self.problems.sums_to_zero(c, between):
            return None
        return between

    def finish(self, c: int, status: str, number: int) -> None:
        """Write down how problem c ended."""
        if self.witness[c] is not None:
            status = "inseparable"
        if self.plan.counts_all and self.ledger[c, PASS_UPDATES] == 0:
            self.problems.count_passes(c, self.plan.max_iter - number, self.visits_before[c])
        self.problems.catch_up()
        self.outcomes[c] = Outcome(
            status=status,
            weights=self.problems.W[self.problems.vectors[c]],
            passes=number,
            mistakes=int(self.ledger[c, MISTAKES]),
            updates=int(self.ledger[c, UPDATES]),
            errors=int(self.ledger[c, ERRORS]),
            travelled=float(self.ledger[c, TRAVELLED]),
            drift=float(self.ledger[c, DRIFT]),
            margin_bound=0.0 if status == "inseparable" else float(self.problems.margin_bounds[c]),
            started=float(self.problems.start_lengths[c]),
            witness=self.witness[c],
            early=bool(self.best.stale[c] >= self.plan.n_iter_no_change),
            stalled=status == "stopped" and self.stalled(c),
        )

    def close(self) -> list[Outcome]:
        """The outcomes, with what one more look finds: the lowest row margins, and maybe that no mistake is left.

        Where the weights that are returned are not the last, they are looked at too."""
        left = [c for c, outcome in self.outcomes.items() if outcome.status != "separated"]
        if left:
            self.looked[left] = self.problems.look(self.plan.row_order, left)[left]
        for c, outcome in self.outcomes.items():
            errors, outcome.lowest = self.looked[c].tolist()
            if errors == 0 and outcome.witness is None and self.problems.certain(c, outcome.lowest):
                outcome.status = "separated"
            outcome.learnt, outcome.learnt_lowest = outcome.weights, outcome.lowest
        better = [c for c in self.best.weights if self.gave_up(self.outcomes[c])]
        if self.problems.observer.returns_last and not better:
            return self.measured()
        if self.plan.refine:
            self.refine()
        W = self.problems.W if self.problems.observer.returns_last else self.problems.final_weights()
        if better:
            W = W.copy(order="A")
        for c in better:
            W[self.problems.vectors[c]] = self.best.weights[c]
        for c, outcome in self.outcomes.items():
            outcome.learnt = W[self.problems.vectors[c]]
        looked = self.problems.look(self.plan.row_order, list(self.outcomes), W)
        for c, outcome in self.outcomes.items():
            outcome.learnt_errors, outcome.learnt_lowest = int(looked[c, 0]), float(looked[c, 1])
        return self.measured()

    def gave_up(self, outcome: Outcome) -> bool:
        """Whether better weights than the last are returned, if there are any: not at a plane, nor at a limit."""
        limited = outcome.status == "stopped" and not outcome.stalled and self.plan.validation is None
        return not (outcome.status == "separated" or limited)

    def measured(self) -> list[Outcome]:
        """The outcomes in their order, with the precision of their planes where variances are learnt."""
        if self.problems.variances is not None:
            for c, outcome in self.outcomes.items():
                outcome.precision = self.problems.precision([outcome.weights, outcome.learnt], c)
        return [self.outcomes[c] for c in range(self.problems.size)]

    def refine(self) -> None:
        """Put the last weights, or their mean, into the pocket of what is left, if they are better, and improve it."""
        pocket, problems = self.problems.observer, cast(LinearProblems, self.problems)
        pocket.take_last(problems)
        unproved = [c for c, outcome in self.outcomes.items() if outcome.status != "separated"]
        if not unproved:
            return
        search = Refinement(problems, pocket.all_rows)
        for c in unproved:
            pocket.offer(problems, c, self.means[c] if c in self.means else self.mean(c))
            w, _ = problems.candidate(c, pocket.best)
            pocket.offer(problems, c, search.refined(c, w, self.outcomes[c].passes))

    def mean(self, c: int) -> np.ndarray:
        """The mean of all weights of problem c so far."""
        return coarse(self.problems.observer.mean(self.problems, c))


class BestOnHeldOut:
    """The weights to return of problems that do not separate: those with the fewest errors on the rows held out.

    Without such rows, those of the last pass that helped, where a run is given up.
    """

    def __init__(self, size: int) -> None:
        self.errors = [np.inf] * size
        self.stale = [-1] * size
        self.weights: dict[int, np.ndarray] = {}

    def offer(self, c: int, errors: float, weights: np.ndarray) -> None:
        """Keep these if they make fewer errors than any before."""
        if errors < self.errors[c]:
            self.errors[c], self.stale[c], self.weights[c] = errors, 0, weights.copy()
        else:
            self.stale[c] += 1


Fingerprint = tuple[float, float]


class CycleFinder:
    """Weights that a problem met at the end of earlier passes, with its update counts then.

    What does not fit any more is forgotten after 1, 2, 4, 8, … passes; so, as Brent showed, every cycle is found, if a
    state fits at all.
    """

    def __init__(self, size: int) -> None:
        self.room = REMEMBERED // size
        self.states: dict[Fingerprint, list[tuple[np.ndarray, np.ndarray]]] = {}  # weights, update counts
        self.size = 0

    def meet(self, passes: int, weights: np.ndarray, update_counts: np.ndarray) -> np.ndarray | None:
        """The updates since the weights were as they are now, after so many passes; else remember how they are."""
        mark = fingerprint(weights)
        for earlier, counts in self.states.get(mark, ()):
            if np.array_equal(earlier, weights):
                return update_counts - counts
        if passes & (passes - 1) == 0 and self.size >= self.room:
            self.states, self.size = {}, 0
        if self.size < self.room:
            self.add(mark, weights.copy(), update_counts.copy())
        return None

    def add(self, mark: Fingerprint, weights: np.ndarray, update_counts: np.ndarray) -> None:
        """One more state."""
        self.states.setdefault(mark, []).append((weights, update_counts))
        self.size += 1

    def state(self) -> list[Any]:
        """What is remembered, in two arrays: weights, and counts."""
        states = [state for alike in self.states.values() for state in alike]
        return [np.array([weights for weights, _ in states]), np.array([counts for _, counts in states])]

    def restore(self, state: list[Any]) -> None:
        """Take up a state."""
        for weights, counts in zip(*state, strict=True):
            self.add(fingerprint(weights), weights, counts)


def fingerprint(weights: np.ndarray) -> Fingerprint:
    """Two numbers that are quick to find and seldom the same for other weights: ‖w‖², and the last of them."""
    return squared_length(weights), float(weights[-1, -1])
