"""The pass of passive-aggressive regression: w·x is to be within ε of a number y."""

from typing import Any, NamedTuple

import numpy as np

from .compiled import compiled
from .memory import ask_ahead, reach
from .rows import add, score, square

TALLY = 4
VISITS, UPDATES, LOSS, TRAVELLED = range(TALLY)
"""What a pass counts: rows looked at, updates, the sum of the losses met times their weights, and of all steps."""


class Insensitive(NamedTuple):
    """While |y − w·x| > ε, the step that makes it ε: (|y − w·x| − ε)/‖x‖² along the row, up or down.

    For a row of weight s it is at most cap·s, and shortened by damping/s in the denominator.
    """

    epsilon: float
    cap: float
    damping: float


class RealTargets(NamedTuple):
    """The number y of every row, and its sample weight; or one weight for all."""

    values: Any
    sample_weight: Any


@compiled
def regression_pass(rows, targets, row_order, rule, w, sums, tally):
    """One pass over the rows, that changes w and tally in place; with sums, Σ t·s·x over the updates s·x at times t.

    The mean of the weights after each of T visits is w − sums/T, as in observers.Average.
    """
    weights, asked = targets.sample_weight, reach(rows, row_order.shape[0])
    for t in range(row_order.shape[0]):
        i = row_order[t]
        ask_ahead(rows, row_order, t, asked)
        residual = targets.values[i] - score(rows, i, w)
        loss = abs(residual) - rule.epsilon
        if not loss > 0:
            continue
        weight = weights[min(i, weights.shape[0] - 1)]
        tally[LOSS] += weight * loss
        long = square(rows, i) + rule.damping / weight
        if not long > 0:
            continue
        length = min(rule.cap * weight, loss / long)
        tally[UPDATES] += 1
        tally[TRAVELLED] += length
        step = length if residual > 0 else -length
        add(rows, i, w, step)
        if sums.shape[0]:
            add(rows, i, sums, step * (tally[VISITS] + t))
    tally[VISITS] += row_order.shape[0]


@compiled
def losses(rows, targets, row_order, rule, w):
    """The sum of the losses of some rows, times their weights, under weights that do not change."""
    total, weights = 0.0, targets.sample_weight
    for i in row_order:
        loss = np.abs(targets.values[i] - score(rows, i, w)) - rule.epsilon
        total += weights[min(i, weights.shape[0] - 1)] * max(loss, 0.0)
    return total
