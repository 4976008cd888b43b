"""Kernel functions on a budget: never more than so many supports, whatever comes."""

import numpy as np
from scipy.linalg import solve_triangular

from ..bounds import EPS, novikoff
from ..certificates.certificate import Certificate
from ..passes import kernel as gram
from ..passes.rules import COLUMNS, ERRORS, FIRED, MISTAKES, TRAVELLED, UPDATES
from ..progress import Report
from .expansion import NO_INNER_PRODUCT, Expansion, Learnt, Task, nothing
from .kernels import Points, scores, spread
from .run import PATIENCE, Outcome

FEWER = 0.9
"""On a budget, the share of the mistakes that may be left for a pass to have helped."""
BLOCK = 256
"""Rows whose kernel with all supports is computed at once."""


class Budget:
    """Functions of at most ``most`` supports, updated row by row; ``policy`` says what happens when they are full.

    With "project" ``values`` are weights in an orthonormal basis of the span of the supports and ``matrix`` is the
    Cholesky factor of their kernel; with the others they are coefficients, and ``matrix`` is the kernel itself.
    """

    def __init__(self, task: Task, most: int, policy: str) -> None:
        self.kernel, self.policy, self.size, self.joint = task.kernel, policy, 0, task.rule.joint
        self.points, lines = nothing(task.points, task.lines).points, task.lines
        self.values, self.weighted_sums, self.n_visits = (
            np.zeros((lines, most)),
            np.zeros((lines, most)),
            np.zeros(lines),
        )
        self.ledger = np.zeros((1 if self.joint else lines, COLUMNS))
        self.supports = gram.Supports(
            matrix=np.zeros((most, most)),
            owner=np.full(most, -1),
            age=np.zeros(most, dtype=np.int64),
            removed=np.zeros(lines),
            square=np.zeros(lines),
            debt=np.zeros(lines),
        )

    @property
    def most(self) -> int:
        return len(self.supports.owner)

    def learn(self, task: Task, report: Report | None) -> Learnt:
        """Passes until one is clean or it is hopeless; and what is known then."""
        counts = np.zeros((task.lines, len(task.points)), dtype=np.int32)
        place = np.full(len(task.points), -1)
        self.supports.owner[:] = -1
        passes, fewest, stale = 0, np.inf, 0
        while passes < task.plan.max_iter and fewest > 0 and not (stale >= PATIENCE and self.hopeless(task)):
            passes += 1
            self.one_pass(task, task.plan.at(passes), place, counts)
            mistakes = int(self.ledger[:, FIRED].sum())
            if report:
                report(passes, mistakes, float(self.bounds().max()))
            stale = 0 if mistakes < FEWER * fewest else stale + 1
            fewest = fewest if stale else mistakes
        return self.learnt(task, passes, counts)

    def hopeless(self, task: Task) -> bool:
        """Whether passes that do not help will not later: all supports are taken, or margins are proved small."""
        tol = task.plan.tol
        return self.size == self.most or (tol is not None and bool(self.bounds().max() <= tol * task.radius))

    def one_pass(self, task: Task, row_order: np.ndarray, place: np.ndarray, counts: np.ndarray) -> None:
        """One pass over the rows, block by block; ``place`` is the slot of every row that is a support."""
        self.ledger[:, [MISTAKES, FIRED]] = 0
        functions = gram.Functions(self.values, self.weighted_sums, self.n_visits)
        active = np.arange(task.lines, dtype=np.uint32)
        for k in range(0, len(row_order), BLOCK):
            numbers = row_order[k : k + BLOCK]
            rows, owner = task.points[numbers], self.supports.owner.copy()
            block = gram.Block(numbers, self.kernel.block(rows, rows).astype(np.float64), self.sides(rows))
            common = task.targets, task.rule, active, functions, self.supports, self.size
            if self.policy == "project":
                novelty = float(np.sqrt(np.finfo(task.points.dtype).eps))
                self.size = gram.project(block, k, *common, novelty, counts, self.ledger)
            else:
                how = self.policy == "forget", task.radius, np.uint64(task.plan.seed)
                self.size = gram.replace(block, int(self.n_visits[0]) + k, *common, place, *how, counts, self.ledger)
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

    def learnt(self, task: Task, passes: int, counts: np.ndarray) -> Learnt:
        """What is known at the end, of every problem."""
        functions = self.expansion()
        found = scores(self.kernel, task.points, functions.points, functions.coefficients)
        found = np.ascontiguousarray((found + self.kernel.bias * functions.coefficients.sum(axis=1)).T)
        ends = [self.end(task, functions, found, c, passes) for c in range(len(self.ledger))]
        outcomes, margins, most, certificates = (list(values) for values in zip(*ends, strict=True))
        return Learnt(functions, outcomes, margins, most, certificates, counts, self.removed())

    def end(
        self, task: Task, functions: Expansion, found: np.ndarray, c: int, passes: int
    ) -> tuple[Outcome, float, float, Certificate | None]:
        """How problem c stands, its margin, the most updates there could have been, and what is proved."""
        lines = np.arange(task.lines, dtype=np.uint32)[slice(None) if self.joint else slice(c, c + 1)]
        row_margins = np.empty(len(task.points))
        gram.row_margins(found, task.targets.labels, task.rule, lines, row_margins)
        lowest, error_bound, length = (
            float(row_margins[task.plan.row_order].min()),
            *self.error_bound(functions, task.points, lines),
        )
        right, definite = lowest > error_bound, self.kernel.definite
        margin = (lowest - error_bound if right else lowest) / length if length > 0 else 0.0
        reached = float(self.lengths()[c] + self.removed()[c])
        outcome = Outcome(
            status="separated" if right else "stopped",
            weights=functions.coefficients[lines],
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
        most = reached / (margin * task.shortest) if right else np.inf
        radius = task.radius
        proved = Certificate(
            "separable", margin=(margin, np.inf), radius=radius, mistake_bound=novikoff(radius, margin)
        )
        return outcome, margin, most, proved if right else None

    def error_bound(self, functions: Expansion, rows: Points, lines: np.ndarray) -> tuple[float, float]:
        """At most so far is a lead of these rows from the true one; and at most so long are the functions."""
        together = functions.points.joined(rows)
        mass = float(np.abs(functions.coefficients[lines]).sum())
        largest = self.kernel.largest(together)
        error = self.kernel.rounding(together, rows.dtype) + (self.size + 8) * 4 * EPS * largest
        square = float(np.maximum(functions.square[lines], 0).sum())
        return mass * error, float(np.sqrt(square + mass * mass * error))
