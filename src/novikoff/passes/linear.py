"""The passes over the rows, that change the weights in place: for two classes, for one against the rest, for all.

What a row is corrected for is said by a rule, what is kept of a run by a watcher (see rules and watchers).  Every pass
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
    needs_lead,
)


class Targets(NamedTuple):
    """What a pass is taught: the class number of every row, and how long a step its correction takes.

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
def squares(several, out):
    """‖w‖² of every weight vector."""
    out[:] = 0.0
    for j in range(several.shape[1]):
        for c in range(several.shape[0]):
            out[c] += several[c, j] * several[c, j]


@compiled
def corrected(rule, line, targets, rows, i, lead, stretch):
    """Write a correction of row i into the ledger; return the length of its step."""
    step = length_of(rule, line, rows, i, lead, targets.steps[min(i, targets.steps.shape[0] - 1)], stretch)
    line[UPDATES] += 1
    line[TRAVELLED] += step
    line[ERRORS] += not lead > 0
    line[BAR] = bar_of(rule, line)
    return step


@compiled
def two_classes(rows, visits, targets, positive, w, rule, watch, c, counts, line, passes, learn):
    """While the rule asks for it: w ← w + step·y·x; until a pass without a correction, at most ``passes``."""
    for _ in range(passes):
        mistakes, fired, lowest = 0, 0, np.inf
        line[BAR] = bar_of(rule, line)
        for t in range(visits.shape[0]):
            i = visits[t]
            y = 1.0 if targets.labels[i] == positive else -1.0
            lead = y * score(rows, i, w)
            if learn and not fires(rule, lead, line[BAR]):
                continue
            lowest = min(lowest, lead)
            mistakes += not lead > 0
            if learn:
                fired += 1
                time = line[VISITS] + t
                before(watch, c, w, rows, targets, positive, time)
                step = y * corrected(rule, line, targets, rows, i, lead, 1.0)
                add(rows, i, w, step)
                counts[i] += 1
                after(watch, c, rows, i, step, lead, time)
        line[MISTAKES], line[LOWEST], line[FIRED] = mistakes, lowest, fired
        if learn:
            line[VISITS] += visits.shape[0]
        if fired == 0:
            break


@compiled
def one_vs_rest(rows, visits, stride, targets, first, open_, weights, rule, watch, counts, ledger, learn):
    """The two-class pass for each open class against the rest, in one sweep; class c has label first + c.

    GROUP · stride rows are scored ahead, in groups ``stride`` apart.  A score is taken again, exactly, if its class was
    corrected since, or if the rough one leaves in doubt what to do; so every decision is that of the exact weights.
    """
    out = np.empty((GROUP * stride, weights.exact.shape[0]))
    fresh = np.empty(weights.exact.shape[0], np.bool_)
    ledger[:, MISTAKES] = 0.0
    ledger[:, FIRED] = 0.0
    ledger[:, LOWEST] = np.inf
    for c in open_:
        ledger[c, BAR] = bar_of(rule, ledger[c]) if learn else 0.0
    for t in range(visits.shape[0]):
        i, g = visits[t], t % (GROUP * stride)
        own = targets.labels[i] - first
        if g == 0:
            for k in range(stride):
                scores(rows, visits, t + k, stride, weights.rough, open_, out[k::stride])
            fresh[:] = True
        for c in open_:
            y = 1.0 if c == own else -1.0
            lead = y * (out[g, c] if fresh[c] else score(rows, i, weights.rough[c]))
            bar, doubt = ledger[c, BAR], weights.doubt[c]
            # Certainly right; and, where the lowest lead is asked for, certainly not that.
            if lead > bar + doubt + (0.0 if learn else max(0.0, ledger[c, LOWEST])):
                continue
            if needs_lead(rule) or not (learn and lead < bar - doubt):
                lead = y * score(rows, i, weights.exact[c])
            ledger[c, LOWEST] = min(ledger[c, LOWEST], lead)
            if not learn:
                ledger[c, MISTAKES] += not lead > 0
            elif fires(rule, lead, bar):
                ledger[c, MISTAKES] += not lead > 0
                ledger[c, FIRED] += 1
                time = ledger[c, VISITS] + t
                before(watch, c, weights.exact[c], rows, targets, first + c, time)
                step = corrected(rule, ledger[c], targets, rows, i, lead, 1.0)
                add(rows, i, weights.exact[c], y * step)
                renew(weights, c, step, lead)
                counts[c, i] += 1
                after(watch, c, rows, i, y * step, lead, time)
                fresh[c] = False
    if learn:
        for c in open_:
            ledger[c, VISITS] += visits.shape[0]


@compiled
def joint(rows, visits, targets, open_, several, rule, watch, counts, line, passes, learn):
    """All classes at once: where the lead over the best rival c is too small, w_own += step·x and w_c −= step·x.

    By Kesler's construction this is the two-class rule on the row that has x at its own class and −x at the rival.
    """
    out = np.empty((GROUP, several.shape[0]))
    fresh = np.empty(several.shape[0], np.bool_)
    for _ in range(passes):
        mistakes, fired, lowest = 0, 0, np.inf
        line[BAR] = bar_of(rule, line)
        for t in range(visits.shape[0]):
            i, g = visits[t], t % GROUP
            if g == 0:
                scores(rows, visits, t, 1, several, open_, out)
                fresh[:] = True
            own, rival, highest = targets.labels[i], -1, -np.inf
            for c in open_:
                if not fresh[c]:
                    out[g, c] = score(rows, i, several[c])
                if c != own and out[g, c] > highest:
                    rival, highest = c, out[g, c]
            lead = out[g, own] - highest
            lowest = min(lowest, lead)
            if learn and not fires(rule, lead, line[BAR]):
                continue
            if learn and needs_lead(rule):  # to the last bit the same, whichever rows were scored together
                lead = score(rows, i, several[own]) - score(rows, i, several[rival])
            mistakes += not lead > 0
            if learn:
                fired += 1
                time = line[VISITS] + t
                before(watch, 0, several, rows, targets, open_.shape[0], time)
                step = corrected(rule, line, targets, rows, i, lead, 2.0)
                add(rows, i, several[own], step)
                add(rows, i, several[rival], -step)
                counts[rival, i] += 1
                after(watch, own, rows, i, step, lead, time)
                after(watch, rival, rows, i, -step, lead, time)
                fresh[own] = fresh[rival] = False
        line[MISTAKES], line[LOWEST], line[FIRED] = mistakes, lowest, fired
        if learn:
            line[VISITS] += visits.shape[0]
        if fired == 0:
            break
