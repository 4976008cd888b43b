"""The rule in the dual, where weights are combinations of rows and only kernel values are known.

A function f = Σ α_j y_j φ(x_j) is kept as its scores at all training rows, brought up to date at every update by the
kernel row of the row it was made on; or, on a budget, by its coefficients on a few rows (see kernel_budget).
"""

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from .compiled import compiled
from .exponential import exponential
from .ledger import ERRORS, MISTAKES, PASS_UPDATES, TRAVELLED, UPDATES
from .observers import after


class KernelRule(namedtuple("KernelRule", "first joint level")):
    """What a vector of scores stands for, and what is a mistake.

    Vector c is the class first + c against the rest; with ``joint`` the vectors are rivals.  An update is made on a row
    whose margin, y·f(x) or that over its best rival, is not above ``level``.
    """

    own_steps = True
    ends = True
    required_margin = 0.0


class RowCache(NamedTuple):
    """Kernel rows at hand: that of sample i is rows[slot[i]] unless slot[i] < 0, ``used`` at this visit the last."""

    rows: Any
    slot: Any
    used: Any


class Functions(NamedTuple):
    """One function per row, as numbers to be updated, and for their average the same times the visits before.

    ``weighted_sums`` has no rows where no average is asked for; ``n_visits`` counts the visits of every function before
    this sweep.
    """

    values: Any
    weighted_sums: Any
    n_visits: Any


@compiled
def gaussian(products, left, right, gamma, lowest):
    """x·z ↦ exp(−γ·‖x − z‖²) in place, from the squared lengths on both sides; below exp(lowest) it stays at that."""
    for i in range(products.shape[0]):
        row, a = products[i], left[i]
        for j in range(row.shape[0]):
            t = gamma * (row[j] + row[j] - a - right[j])
            row[j] = exponential(max(lowest, min(t, gamma - gamma)))


@compiled
def mistaken(scores, own, rule, active, change):
    """Write into ``change`` how the rule moves every function at a row with these scores; whether it moves any."""
    change[:] = 0.0
    if rule.joint:
        rival, highest = -1, -np.inf
        for c in active:
            if c != own and scores[c] > highest:
                rival, highest = c, scores[c]
        if scores[own] - highest > rule.level:
            return False
        change[own], change[rival] = 1.0, -1.0
        return True
    moved = False
    for c in active:
        y = 1.0 if c == own else -1.0
        if not y * scores[c] > rule.level:
            change[c] = y
            moved = True
    return moved


@compiled
def note(sweep, change, scores, own, i):
    """Write the updates on row i into counts and ledger, and give ``change`` the length of its step."""
    weights, joint = sweep.targets.sample_weight, sweep.rule.joint
    step = weights[min(i, weights.shape[0] - 1)]
    for c in range(change.shape[0]):
        # In the joint problem the rival's vector counts, as one update moves two.
        if change[c] != 0.0 and not (joint and c == own):
            ledger = sweep.ledger[0 if joint else c]
            wrong = not (scores[own] > scores[c] if joint else change[c] * scores[c] > 0)
            ledger[MISTAKES] += wrong
            ledger[ERRORS] += wrong
            ledger[PASS_UPDATES] += 1
            ledger[UPDATES] += 1
            ledger[TRAVELLED] += step
            sweep.update_counts[c, i] += 1
    change *= step


@compiled
def tell_all(sweep, change, scores, own, i, n_visits, t):
    """Tell of the updates on row i, in the joint problem of the own class first."""
    if sweep.rule.joint:
        rival = change.argmin()
        row_margin = scores[own] - scores[rival]
        after(sweep.observer, own, sweep.rows, i, change[own], row_margin, n_visits[own] + t)
        after(sweep.observer, rival, sweep.rows, i, change[rival], row_margin, n_visits[rival] + t)
        return
    for c in range(change.shape[0]):
        if change[c] != 0.0:
            row_margin = scores[c] if c == own else -scores[c]
            after(sweep.observer, c, sweep.rows, i, change[c], row_margin, n_visits[c] + t)


@compiled
def visit(sweep, row_order, t, active, functions, row_cache, clock):
    """Visit rows from the t-th on; stop at one that needs a kernel row which is not at hand, and return its place."""
    scores = functions.values
    here, change = np.empty(scores.shape[0]), np.empty(scores.shape[0])
    while t < row_order.shape[0]:
        i = row_order[t]
        own = sweep.targets.labels[i] - sweep.rule.first
        for c in range(scores.shape[0]):
            here[c] = scores[c, i]
        if mistaken(here, own, sweep.rule, active, change):
            slot = row_cache.slot[i]
            if slot < 0:
                break
            row_cache.used[slot] = clock + t
            note(sweep, change, here, own, i)
            tell_all(sweep, change, here, own, i, functions.n_visits, t)
            row = row_cache.rows[slot]
            for c in range(change.shape[0]):
                if change[c] != 0.0:
                    values, step = scores[c], change[c]
                    for j in range(row.shape[0]):
                        values[j] += step * row[j]
                    if functions.weighted_sums.shape[0] > 0:
                        functions.weighted_sums[c, i] += step * (functions.n_visits[c] + t)
        t += 1
    return t


@compiled
def row_margins(scores, labels, rule, active, out):
    """The least margin of every row over the active vectors: y·f(x), or that over its best rival."""
    for i in range(labels.shape[0]):
        own, least = labels[i] - rule.first, np.inf
        for c in active:
            if not rule.joint:
                least = min(least, scores[c, i] if c == own else -scores[c, i])
            elif c != own:
                least = min(least, scores[own, i] - scores[c, i])
        out[i] = least
