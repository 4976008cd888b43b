"""The passes over the rows, that change the weights in place: for two classes, for one against the rest, for all.

What a row is updated for is said by a rule, what is kept of a run by a watcher (see rules and watchers).  Every pass
keeps the ledger; with ``learn`` false it only looks: it counts the mistakes and finds the lowest lead under the weights
as they are.
"""

from typing import Any, NamedTuple

import numpy as np

from .compiled import compiled
from .observers import after, before
from .rows import GROUP, add, count, renew, score, scores, square
from .rules import (
    BAR,
    ERRORS,
    FIRED,
    LOWEST,
    MISTAKES,
    TRAVELLED,
    UPDATES,
    VISITS,
    bar_of,
    fires,
    length_of,
    needs_row_margin,
)


class Targets(NamedTuple):
    """What a pass is taught: the class number of every row, and how long a step its update takes.

    ``steps`` has one entry a row, or a single one for all.
    """

    labels: Any
    steps: Any


@compiled
def longest(rows):
    """The largest ‖x‖² of all rows; infinite if a row, or its square, is not finite."""
    largest = 0.0
    for i in range(count(rows)):
        s = square(rows, i)
        if not s < np.inf:  # also true of NaN
            return np.inf
        largest = max(largest, s)
    return largest


@compiled
def squares(W, out):
    """‖w‖² of every weight vector."""
    out[:] = 0.0
    for j in range(W.shape[1]):
        for c in range(W.shape[0]):
            out[c] += W[c, j] * W[c, j]


@compiled
def updated(rule, line, targets, rows, i, row_margin, stretch):
    """Write an update of row i into the ledger; return the length of its step."""
    step = length_of(rule, line, rows, i, row_margin, targets.steps[min(i, targets.steps.shape[0] - 1)], stretch)
    line[UPDATES] += 1
    line[TRAVELLED] += step
    line[ERRORS] += not row_margin > 0
    line[BAR] = bar_of(rule, line)
    return step


@compiled
def two_classes(rows, row_order, targets, positive, w, rule, observer, c, counts, line, passes, learn):
    """While the rule asks for it: w ← w + step·y·x; until a pass without an update, at most ``passes``."""
    for _ in range(passes):
        mistakes, fired, lowest = 0, 0, np.inf
        line[BAR] = bar_of(rule, line)
        for t in range(row_order.shape[0]):
            i = row_order[t]
            y = 1.0 if targets.labels[i] == positive else -1.0
            row_margin = y * score(rows, i, w)
            if learn and not fires(rule, row_margin, line[BAR]):
                continue
            lowest = min(lowest, row_margin)
            mistakes += not row_margin > 0
            if learn:
                fired += 1
                time = line[VISITS] + t
                before(observer, c, w, rows, targets, positive, time)
                step = y * updated(rule, line, targets, rows, i, row_margin, 1.0)
                add(rows, i, w, step)
                counts[i] += 1
                after(observer, c, rows, i, step, row_margin, time)
        line[MISTAKES], line[LOWEST], line[FIRED] = mistakes, lowest, fired
        if learn:
            line[VISITS] += row_order.shape[0]
        if fired == 0:
            break


@compiled
def one_vs_rest(rows, row_order, stride, targets, first, active, weights, rule, observer, counts, ledger, learn):
    """The two-class pass for each open class against the rest, in one sweep; class c has label first + c.

    GROUP · stride rows are scored ahead, in groups ``stride`` apart.  A score is taken again, exactly, if its class was
    updated since, or if the rough one leaves in doubt what to do; so every decision is that of the exact weights.
    """
    out = np.empty((GROUP * stride, weights.exact.shape[0]))
    fresh = np.empty(weights.exact.shape[0], np.bool_)
    ledger[:, MISTAKES] = 0.0
    ledger[:, FIRED] = 0.0
    ledger[:, LOWEST] = np.inf
    for c in active:
        ledger[c, BAR] = bar_of(rule, ledger[c]) if learn else 0.0
    for t in range(row_order.shape[0]):
        i, g = row_order[t], t % (GROUP * stride)
        own = targets.labels[i] - first
        if g == 0:
            for k in range(stride):
                scores(rows, row_order, t + k, stride, weights.approx, active, out[k::stride])
            fresh[:] = True
        for c in active:
            y = 1.0 if c == own else -1.0
            row_margin = y * (out[g, c] if fresh[c] else score(rows, i, weights.approx[c]))
            bar, error_bound = ledger[c, BAR], weights.error_bound[c]
            # Certainly right; and, where the lowest lead is asked for, certainly not that.
            if row_margin > bar + error_bound + (0.0 if learn else max(0.0, ledger[c, LOWEST])):
                continue
            if needs_row_margin(rule) or not (learn and row_margin < bar - error_bound):
                row_margin = y * score(rows, i, weights.exact[c])
            ledger[c, LOWEST] = min(ledger[c, LOWEST], row_margin)
            if not learn:
                ledger[c, MISTAKES] += not row_margin > 0
            elif fires(rule, row_margin, bar):
                ledger[c, MISTAKES] += not row_margin > 0
                ledger[c, FIRED] += 1
                time = ledger[c, VISITS] + t
                before(observer, c, weights.exact[c], rows, targets, first + c, time)
                step = updated(rule, ledger[c], targets, rows, i, row_margin, 1.0)
                add(rows, i, weights.exact[c], y * step)
                renew(weights, c, step, row_margin)
                counts[c, i] += 1
                after(observer, c, rows, i, y * step, row_margin, time)
                fresh[c] = False
    if learn:
        for c in active:
            ledger[c, VISITS] += row_order.shape[0]


@compiled
def joint(rows, row_order, targets, active, W, rule, observer, counts, line, passes, learn):
    """All classes at once: where the lead over the best rival c is too small, w_own += step·x and w_c −= step·x.

    By Kesler's construction this is the two-class rule on the row that has x at its own class and −x at the rival.
    """
    out = np.empty((GROUP, W.shape[0]))
    fresh = np.empty(W.shape[0], np.bool_)
    for _ in range(passes):
        mistakes, fired, lowest = 0, 0, np.inf
        line[BAR] = bar_of(rule, line)
        for t in range(row_order.shape[0]):
            i, g = row_order[t], t % GROUP
            if g == 0:
                scores(rows, row_order, t, 1, W, active, out)
                fresh[:] = True
            own, rival, highest = targets.labels[i], -1, -np.inf
            for c in active:
                if not fresh[c]:
                    out[g, c] = score(rows, i, W[c])
                if c != own and out[g, c] > highest:
                    rival, highest = c, out[g, c]
            row_margin = out[g, own] - highest
            lowest = min(lowest, row_margin)
            if learn and not fires(rule, row_margin, line[BAR]):
                continue
            if learn and needs_row_margin(rule):  # to the last bit the same, whichever rows were scored together
                row_margin = score(rows, i, W[own]) - score(rows, i, W[rival])
            mistakes += not row_margin > 0
            if learn:
                fired += 1
                time = line[VISITS] + t
                before(observer, 0, W, rows, targets, active.shape[0], time)
                step = updated(rule, line, targets, rows, i, row_margin, 2.0)
                add(rows, i, W[own], step)
                add(rows, i, W[rival], -step)
                counts[rival, i] += 1
                after(observer, own, rows, i, step, row_margin, time)
                after(observer, rival, rows, i, -step, row_margin, time)
                fresh[own] = fresh[rival] = False
        line[MISTAKES], line[LOWEST], line[FIRED] = mistakes, lowest, fired
        if learn:
            line[VISITS] += row_order.shape[0]
        if fired == 0:
            break
