"""Kernel functions on a budget: never more than so many supports, whatever comes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from ..bounds import EPS, novikoff
from ..certificates.certificate import Certificate
from ..passes import kernel_budget, kernel_rule
from ..passes.ledger import COLUMNS, ERRORS, MISTAKES, PASS_UPDATES, TRAVELLED, UPDATES
from ..passes.observers import Nothing
from ..passes.sweep import Sweep
from ..progress import Report
from .expansion import NO_INNER_PRODUCT, Expansion, KernelTask, Learnt, zero_functions
from .kernels import Kernel, Points, scores, spread
from .outcomes import Outcome
from .problems import Problems
from .run import PATIENCE, Run, follower_of

FEWER = 0.9
"""On a budget, the share of the mistakes that may be left for a pass to have helped."""
BLOCK = 256
"""Rows whose kernel with all supports is computed at once."""


class Budget:
    """Functions of at most ``most`` supports, updated row by row; ``policy`` says what happens when they are full.

    With "project" ``values`` are weights in an orthonormal basis of the span of the supports and ``matrix`` is the
    Cholesky factor of their kernel; with the others they are coefficients, and ``matrix`` is the kernel itself.
    """

    def __init__(self, task: KernelTask, most: int, policy: str) -> None:
        self.kernel, self.policy, self.size, self.joint = task.kernel, policy, 0, task.rule.joint
        self.points, n_functions = zero_functions(task.points, task.n_functions).points, task.n_functions
        self.values, self.weighted_sums, self.n_visits = (
            np.zeros((n_functions, most)),
            np.zeros((n_functions, most)),
            np.zeros(n_functions),
        )
        self.ledger = np.zeros((1 if self.joint else n_functions, COLUMNS))
        self.supports = kernel_budget.Supports(
            matrix=np.zeros((most, most)),
            owner=np.full(most, -1),
            age=np.zeros(most, dtype=np.int64),
            removed=np.zeros(n_functions),
            square=np.zeros(n_functions),
            debt=np.zeros(n_functions),
        )

    @property
    def most(self) -> int:
        return len(self.supports.owner)

    def one_pass(self, task: KernelTask, row_order: np.ndarray, place: np.ndarray, counts: np.ndarray) -> None:
        """One pass over the rows, block by block; ``place`` is the slot of every row that is a support."""
        self.ledger[:, [MISTAKES, PASS_UPDATES]] = 0
        sweep = Sweep(place, task.targets, task.rule, Nothing(), counts, self.ledger)
        functions = kernel_rule.Functions(self.values, self.weighted_sums, self.n_visits)
        active = np.arange(task.n_functions, dtype=np.uint32)
        for k in range(0, len(row_order), BLOCK):
            numbers = row_order[k : k + BLOCK]
            rows, owner = task.points[numbers], self.supports.owner.copy()
            block = kernel_budget.Block(numbers, self.kernel.block(rows, rows).astype(np.float64), self.sides(rows))
            common = active, functions, self.supports, self.size
            if self.policy == "project":
                novelty = float(np.sqrt(np.finfo(task.points.dtype).eps))
                self.size = kernel_budget.project(sweep, block, k, *common, novelty)
            else:
                how = kernel_budget.Replacement(place, self.policy == "forget", task.radius, np.uint64(task.plan.seed))
                self.size = kernel_budget.replace(sweep, block, int(self.n_visits[0]) + k, *common, how)
            self.renew(rows, numbers, owner)
        self.n_visits += len(row_order)

    def sides(self, rows: Points) -> np.ndarray:
        """The kernel of these rows with the supports, or their coordinates; with room for supports to come."""
        sides = np.zeros((len(rows), self.most))

        def fill(part: slice) -> None:
            known = self.kernel.part(rows[part], self.points).astype(np.float64)
            sides[part, : self.size] = self.solved(known.T, "N").T if self.policy == "project" else known

        if self.size:
            spread(fill, len(rows), 0 if self.kernel.given else self.size * rows.X.shape[1])
        return sides

    def solved(self, right: np.ndarray, trans: str) -> np.ndarray:
        """L⁻¹·right, or L⁻ᵀ·right, for the Cholesky factor L of the supports' kernel."""
        factor = self.supports.matrix[: self.size, : self.size]
        return solve_triangular(factor, right, trans=trans, lower=True, check_finite=False)

    def renew(self, rows: Points, numbers: np.ndarray, before: np.ndarray) -> None:
        """Keep the rows that became supports, each in its slot."""
        changed = np.flatnonzero(self.supports.owner != before)
        if len(changed):
            at = {int(number): t for t, number in enumerate(numbers)}
            old = len(self.points)
            source = np.arange(self.size)
            source[changed] = [old + at[int(self.supports.owner[slot])] for slot in changed]
            self.points = self.points.joined(rows)[source]

    def expansion(self) -> Expansion:
        """The functions as coefficients of their supports."""
        values, weighted_sums = self.values[:, : self.size], self.weighted_sums[:, : self.size]
        square = (values**2).sum(axis=1)
        if self.policy == "project":
            if self.size:
                values, weighted_sums = self.solved(values.T, "T").T, self.solved(weighted_sums.T, "T").T
        else:
            square = (values @ self.supports.matrix[: self.size, : self.size] * values).sum(axis=1)
        return Expansion(self.points, values.copy(), weighted_sums.copy(), self.n_visits.copy(), square)

    def removed(self) -> np.ndarray:
        """Σ‖removed‖ of every problem: the length of what the policy took away from its functions."""
        return self.supports.removed.sum(keepdims=True) if self.joint else self.supports.removed.copy()

    def lengths(self) -> np.ndarray:
        """‖f‖ of every problem."""
        square = np.maximum(self.expansion().square, 0.0)
        return np.sqrt(square.sum(keepdims=True) if self.joint else square)

    def bounds(self) -> np.ndarray:
        """(‖f‖ + Σ‖removed‖) / Σ steps of every problem: a margin that no function exceeds.

        For g of margin 1 on the updated rows Σ steps ≤ ⟨g, f + removed⟩ ≤ ‖g‖·(‖f‖ + Σ‖removed‖).
        """
        travelled = self.ledger[:, TRAVELLED]
        reached = self.lengths() + self.removed()
        return np.divide(reached, travelled, out=np.full(len(travelled), np.inf), where=travelled > 0)

    def learnt(self, task: KernelTask, passes: int, counts: np.ndarray) -> Learnt:
        """What is known at the end, of every problem."""
        functions = self.expansion()
        values = scores(self.kernel, task.points, functions.points, functions.coefficients)
        values = np.ascontiguousarray((values + self.kernel.bias * functions.coefficients.sum(axis=1)).T)
        ends = [self.end(task, functions, values, c, passes) for c in range(len(self.ledger))]
        outcomes, margins, most, certificates = (list(values) for values in zip(*ends, strict=True))
        return Learnt(functions, outcomes, margins, most, certificates, counts, self.removed())

    def end(
        self, task: KernelTask, functions: Expansion, values: np.ndarray, c: int, passes: int
    ) -> tuple[Outcome, float, float, Certificate | None]:
        """How problem c stands, its margin, the most updates there could have been, and what is proved."""
        vectors = np.arange(task.n_functions, dtype=np.uint32)[slice(None) if self.joint else slice(c, c + 1)]
        row_margins = np.empty(len(task.points))
        kernel_rule.row_margins(values, task.targets.labels, task.rule, vectors, row_margins)
        lowest, error_bound, length = (
            float(row_margins[task.plan.row_order].min()),
            *self.error_bound(functions, task.points, vectors),
        )
        right, definite = lowest > error_bound, self.kernel.definite
        margin = (lowest - error_bound if right else lowest) / length if length > 0 else 0.0
        reached = float(self.lengths()[c] + self.removed()[c])
        outcome = Outcome(
            status="separated" if right else "stopped",
            weights=functions.coefficients[vectors],
            passes=passes,
            mistakes=int(self.ledger[c, MISTAKES]),
            updates=int(self.ledger[c, UPDATES]),
            errors=int(self.ledger[c, ERRORS]),
            travelled=float(self.ledger[c, TRAVELLED]),
            margin_bound=float(self.bounds()[c]) if definite else np.nan,
            started=0.0,
            witness=None,
            lowest=lowest,
        )
        if not definite:
            return outcome, np.nan, np.nan, Certificate("unknown", reason=NO_INNER_PRODUCT) if right else None
        most = reached / (margin * task.lightest) if right else np.inf
        radius = task.radius
        proved = Certificate(
            "separable", margin=(margin, np.inf), radius=radius, mistake_bound=novikoff(radius, margin)
        )
        return outcome, margin, most, proved if right else None

    def error_bound(self, functions: Expansion, rows: Points, vectors: np.ndarray) -> tuple[float, float]:
        """At most so far is a margin of these rows from the true one; and at most so long are the functions."""
        together = functions.points.joined(rows)
        mass = float(np.abs(functions.coefficients[vectors]).sum())
        largest = self.kernel.largest(together)
        error = self.kernel.rounding(together, rows.dtype) + (self.size + 8) * 4 * EPS * largest
        square = float(np.maximum(functions.square[vectors], 0).sum())
        return mass * error, float(np.sqrt(square + mass * mass * error))


class BudgetProblems(Problems):
    """All functions on a budget as one problem, since they share their supports."""

    improvement = FEWER

    def __init__(self, budget: Budget, task: KernelTask) -> None:
        no_counts = np.zeros((task.n_functions, 0), dtype=np.int32)  # weights are not looked for that come back
        super().__init__(task.rule, budget.values, [slice(task.n_functions)], no_counts)
        self.budget, self.task = budget, task
        self.place = np.full(len(task.points), -1)
        self.counts = np.zeros((task.n_functions, len(task.points)), dtype=np.int32)
        budget.supports.owner[:] = -1

    def sweep(self, row_order: np.ndarray, active: list[int]) -> None:
        self.budget.one_pass(self.task, row_order, self.place, self.counts)
        updates = self.budget.ledger[:, PASS_UPDATES].sum()
        self.ledger[0, [MISTAKES, PASS_UPDATES]] = updates
        self.ledger[0, TRAVELLED] = self.budget.ledger[:, TRAVELLED].sum()
        self.margin_bounds[0] = self.budget.bounds().max()

    def work(self, c: int, row_order: np.ndarray, passes: int) -> None:
        raise NotImplementedError("order='active' is for runs without a budget")

    def look(self, row_order: np.ndarray, some: list[int], W: np.ndarray | None = None) -> np.ndarray:
        return np.full((1, 2), np.nan)  # what is right is seen at the end, with what the policy took away

    def certain(self, c: int, lowest: float) -> bool:
        return True

    def correct_exactly(self, doubtful: list[int], row_order: np.ndarray) -> list[int]:
        return []

    def sums_to_zero(self, c: int, update_counts: np.ndarray) -> bool:
        return False


class BudgetRun(Run):
    """The passes of a run on a budget; it gives up when passes do not help, and will not later."""

    problems: BudgetProblems

    def status(self, c: int, passes: int) -> str | None:
        """Whether a pass made no update, or passes have ceased to help and all supports are taken or margins small."""
        if self.settled(c):
            return "separated"
        budget, tol, radius = self.problems.budget, self.plan.tol, self.problems.task.radius
        if self.stale[c] < PATIENCE:
            return None
        full = budget.size == budget.most
        return "stopped" if full or (tol is not None and self.problems.margin_bounds[c] <= tol * radius) else None


def train_on_budget(budget: Budget, task: KernelTask, report: Report | None) -> Learnt:
    """Run to the end, and say what is known then."""
    problems = BudgetProblems(budget, task)
    run = BudgetRun(problems, task.plan)
    run.go(report, follower_of(0))
    return budget.learnt(task, run.passes, problems.counts)


@dataclass(frozen=True)
class KernelResume:
    """What a later fit goes on from: the functions of a kernel run, on a budget or not, and how many rows it saw."""

    kernel: Kernel
    functions: Expansion
    n_rows: int
    budget: Budget | None = None
    asked: dict[str, Any] | None = None  # the parameters that made them; not known of models of earlier versions
