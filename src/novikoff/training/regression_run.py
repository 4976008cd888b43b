"""Passes of passive-aggressive regression, over rows in memory or in batches, until they cease to help."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..inputs import check_length
from ..passes.insensitive import LOSS, TALLY, UPDATES, VISITS, Insensitive, RealTargets, losses, regression_pass
from ..passes.rows import Rows, longest, of_matrix
from ..progress import Progress
from .run import OVERFLOW


@dataclass(frozen=True)
class RealBatch:
    """Rows, the numbers they are to be taught, and the order in which a pass visits those that count."""

    rows: Rows
    targets: RealTargets
    row_order: np.ndarray

    @property
    def total_weight(self) -> float:
        """The weights of the rows visited, added up."""
        weights = self.targets.sample_weight
        return float(len(self.row_order) * weights[0] if len(weights) == 1 else weights[self.row_order].sum())


Batches = Callable[[int], Iterable[RealBatch]]
"""The batches of the pass with this number, from 1."""


@dataclass
class RegressionEnd:
    """What a later run goes on from: [w; b], what the mean of it needs, and what was counted."""

    weights: np.ndarray
    sums: np.ndarray
    tally: np.ndarray = field(default_factory=lambda: np.zeros(TALLY))

    def mean(self) -> np.ndarray:
        """The mean of the weights over all visits since the sums began."""
        return self.weights - self.sums / max(self.tally[VISITS], 1.0)


@dataclass(frozen=True)
class RegressionPlan:
    """How to run, and when to stop: ``patience`` passes in a row without a loss smaller by ``tol`` of the best."""

    rule: Insensitive
    max_iter: int
    tol: float | None = None
    patience: int = 5
    verbose: int = 0


def regress(
    end: RegressionEnd, plan: RegressionPlan, batches: Batches, held_out: RealBatch | None = None
) -> tuple[list[float], np.ndarray]:
    """Make passes; the mean loss of each (on the rows held out, if there are some) and the weights to return.

    With rows held out these are the best on them, else the last, or their mean.
    """
    curve: list[float] = []
    with Progress(plan.verbose, plan.max_iter) as progress:
        return curve, best_of_passes(end, plan, batches, held_out, curve, progress.counter("passes"))


def best_of_passes(
    end: RegressionEnd,
    plan: RegressionPlan,
    batches: Batches,
    held_out: RealBatch | None,
    curve: list[float],
    done: Callable[[], None],
) -> np.ndarray:
    """The weights to return after passes whose losses are added to the curve; ``done`` is called after each."""
    best, best_weights, stale = np.inf, end.weights, 0
    for number in range(1, plan.max_iter + 1):
        loss = one_pass(end, plan.rule, batches(number))
        done()
        returned = end.mean() if end.sums.size else end.weights
        if held_out is not None:
            loss = losses(held_out.rows, held_out.targets, held_out.row_order, plan.rule, returned)
            loss /= held_out.total_weight
        curve.append(loss)
        if held_out is None or loss < best:
            best_weights = returned.copy()
        stale = 0 if loss < best * (1 - (plan.tol or 0.0)) else stale + 1
        best = min(best, loss)
        if loss == 0 or (plan.tol is not None and stale >= plan.patience):
            break
    return best_weights


def one_pass(end: RegressionEnd, rule: Insensitive, batches: Iterable[RealBatch]) -> float:
    """One pass over all batches; the mean loss that it met."""
    before, weight = end.tally[LOSS], 0.0
    for batch in batches:
        regression_pass(batch.rows, batch.targets, batch.row_order, rule, end.weights, end.sums, end.tally)
        weight += batch.total_weight
    if not np.isfinite(end.weights).all():
        raise ValueError(OVERFLOW)
    return float(end.tally[LOSS] - before) / max(weight, np.finfo(float).tiny)


def updates_of(end: RegressionEnd) -> int:
    """How many updates were made."""
    return int(end.tally[UPDATES])


def real_rows(X: Any, bias: float, names: Any) -> Rows:
    """Rows as the passes read them; raises unless all are finite, and of a length that float64 can square."""
    rows = of_matrix(X, bias)
    check_length(longest(rows), X, names)
    return rows
