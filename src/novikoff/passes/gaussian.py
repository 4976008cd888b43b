"""Gaussians over planes, as rules of second order learn them: weights w, and a variance σ of every weight.

An update on row i by the step α takes w ← w + α·σ·x and σ ← σ − β·(σ·x)², weight by weight, with β the ``SHRINK`` of
the ledger.  Of rules of first order, which have no variances, the operations are those of passes/rows.py.
"""

from typing import Any

import numpy as np
from numba.extending import overload

from .compiled import INLINED
from .ledger import DRIFT, RATE, SHRINK
from .rows import Rows, Weights, add, by_kind, entry, is_copy, move
from .rules import Rule
from .sweep import Sweep


def variance(rows: Rows, i: int, variances: Any) -> float:
    """Σ σ·x² of row i."""
    raise NotImplementedError("compiled code only")


def stretch_of(rule: Rule, sweep: Sweep, i: int, a: int, b: int) -> float:
    """The stretch of an update on row i that moves the weight vectors a and b, or only one, if they are the same."""
    raise NotImplementedError("compiled code only")


def shift(rule: Rule, sweep: Sweep, ledger: Any, i: int, w: Any, vector: int, step: float) -> None:
    """Make the update on row i: move the weights w, which have this number."""
    raise NotImplementedError("compiled code only")


def shift_both(
    rule: Rule, sweep: Sweep, ledger: Any, i: int, weights: Weights, c: int, step: float, row_margin: float
) -> None:
    """Make the update on row i: move weight vector c, and its copy in float32, if there is one."""
    raise NotImplementedError("compiled code only")


def scaled_add(rows: Rows, i: int, w: Any, variances: Any, step: float, ledger: Any) -> float:
    """w ← w + step·σ·x and σ ← σ − β·(σ·x)²; adds to the ledger's drift, and returns what ‖w‖² gains."""
    raise NotImplementedError("compiled code only")


def copy_row(weights: Weights, rows: Rows, i: int, c: int, gain: float) -> None:
    """Bring the copy of weight vector c up to date where row i is not zero, and the bound on its length."""
    raise NotImplementedError("compiled code only")


@overload(variance, jit_options=INLINED)
def _variance(rows, i, variances):
    def dense(rows, i, variances):
        x = rows.values[i]
        total = 0.0
        for j in range(x.shape[0]):
            total += variances[j] * (np.float64(x[j]) * np.float64(x[j]))
        return total + variances[x.shape[0]] * rows.bias * rows.bias

    def sparse(rows, i, variances):
        total = 0.0
        for k in range(rows.starts[i], rows.starts[i + 1]):
            x = np.float64(entry(rows, k))
            total += variances[rows.columns[k]] * (x * x)
        return total + variances[variances.shape[0] - 1] * rows.bias * rows.bias

    return by_kind(rows, dense, sparse)


@overload(stretch_of, jit_options=INLINED)
def _stretch_of(rule, sweep, i, a, b):
    def first_order(rule, sweep, i, a, b):
        return 1.0 if a == b else 2.0

    def second_order(rule, sweep, i, a, b):
        total = variance(sweep.rows, i, sweep.variances[a])
        if a != b:
            total += variance(sweep.rows, i, sweep.variances[b])
        return total

    return second_order if rule.instance_class.second_order else first_order


@overload(scaled_add, jit_options=INLINED)
def _scaled_add(rows, i, w, variances, step, ledger):
    def dense(rows, i, w, variances, step, ledger):
        values, shrink, drift, gain = rows.values[i], ledger[SHRINK], 0.0, 0.0
        last = values.shape[0]
        for j in range(last):
            x, s, before = np.float64(values[j]), variances[j], w[j]
            after = before + step * (s * x)
            w[j] = after
            variances[j] = s - shrink * ((s * x) * (s * x))
            drift += x * x * (after * after)
            gain += after * after - before * before
        s, before = variances[last], w[last]
        after = before + step * (s * rows.bias)
        w[last] = after
        variances[last] = s - shrink * (s * s * rows.bias)
        ledger[DRIFT] += ledger[RATE] * (drift + rows.bias * (after * after))
        return gain + (after * after - before * before)

    def sparse(rows, i, w, variances, step, ledger):
        shrink, drift, gain = ledger[SHRINK], 0.0, 0.0
        for k in range(rows.starts[i], rows.starts[i + 1]):
            j, x = rows.columns[k], np.float64(entry(rows, k))
            s, before = variances[j], w[j]
            after = before + step * (s * x)
            w[j] = after
            variances[j] = s - shrink * ((s * x) * (s * x))
            drift += x * x * (after * after)
            gain += after * after - before * before
        last = w.shape[0] - 1
        s, before = variances[last], w[last]
        after = before + step * (s * rows.bias)
        w[last] = after
        variances[last] = s - shrink * (s * s * rows.bias)
        ledger[DRIFT] += ledger[RATE] * (drift + rows.bias * (after * after))
        return gain + (after * after - before * before)

    return by_kind(rows, dense, sparse)


@overload(shift, jit_options=INLINED)
def _shift(rule, sweep, ledger, i, w, vector, step):
    def first_order(rule, sweep, ledger, i, w, vector, step):
        add(sweep.rows, i, w, step)

    def second_order(rule, sweep, ledger, i, w, vector, step):
        scaled_add(sweep.rows, i, w, sweep.variances[vector], step, ledger)

    return second_order if rule.instance_class.second_order else first_order


@overload(shift_both, jit_options=INLINED)
def _shift_both(rule, sweep, ledger, i, weights, c, step, row_margin):
    def first_order(rule, sweep, ledger, i, weights, c, step, row_margin):
        move(weights, sweep.rows, i, c, step, row_margin)

    def second_order(rule, sweep, ledger, i, weights, c, step, row_margin):
        gain = scaled_add(sweep.rows, i, weights.exact[c], sweep.variances[c], step, ledger)
        copy_row(weights, sweep.rows, i, c, gain)

    return second_order if rule.instance_class.second_order else first_order


@overload(copy_row, jit_options=INLINED)
def _copy_row(weights, rows, i, c, gain):
    def dense(weights, rows, i, c, gain):
        w, copy = weights.exact[c], weights.approx[c]
        for j in range(w.shape[0]):
            copy[j] = np.float32(w[j])
        weights.length_bound[c] = np.hypot(weights.length_bound[c], np.sqrt(max(gain, 0.0)))

    def sparse(weights, rows, i, c, gain):
        w = weights.exact[c]
        for k in range(rows.starts[i], rows.starts[i + 1]):
            weights.approx[c, rows.columns[k]] = np.float32(w[rows.columns[k]])
        weights.approx[c, -1] = np.float32(w[-1])
        weights.length_bound[c] = np.hypot(weights.length_bound[c], np.sqrt(max(gain, 0.0)))

    def no_copy(weights, rows, i, c, gain):
        pass

    return by_kind(rows, dense, sparse) if is_copy(weights) else no_copy
