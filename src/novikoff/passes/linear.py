"""One function a rule: passes over the rows that change the weights in place.

Every rule keeps a ledger, one line a problem, with what the theory counts.  With ``learn`` false a pass only looks:
it counts the mistakes and finds the lowest score under the weights as they are.
"""

from typing import Any, NamedTuple

import numpy as np

from .compiled import compiled
from .rows import GROUP, add, count, renew, score, scores, square

MISTAKES, LOWEST, UPDATES, TRAVELLED = range(4)
"""Columns of the ledger: mistakes of the last pass, its lowest y·(w·x) if it only looked; corrections; their steps."""


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
def noted(ledger, targets, i):
    """Write a correction of row i into the ledger; return the length of its step."""
    step = targets.steps[min(i, targets.steps.shape[0] - 1)]
    ledger[UPDATES] += 1
    ledger[TRAVELLED] += step
    return step


@compiled
def perceptron(rows, visits, targets, positive, w, counts, ledger, passes, learn):
    """Two classes: while y·(w·x) ≤ 0 for some row, w ← w + step·y·x; until a clean pass, at most ``passes``."""
    for _ in range(passes):
        mistakes, lowest = 0, np.inf
        for i in visits:
            s = score(rows, i, w)
            y = 1.0 if targets.labels[i] == positive else -1.0
            if learn and y * s > 0:
                continue
            lowest = min(lowest, y * s)
            mistakes += not y * s > 0
            if learn:
                add(rows, i, w, y * noted(ledger, targets, i))
                counts[i] += 1
        ledger[MISTAKES], ledger[LOWEST] = mistakes, lowest
        if mistakes == 0:
            break


@compiled
def one_vs_rest(rows, visits, stride, targets, first, open_, weights, counts, ledger, learn):
    """The two-class rule for each open class against the rest, in one sweep; class c has label first + c.

    GROUP · stride rows are scored ahead, in groups ``stride`` apart.  A score is taken again, exactly, if its class was
    corrected since, or if the rough one leaves its sign in doubt; so every decision is that of the exact weights.
    """
    out = np.empty((GROUP * stride, weights.exact.shape[0]))
    fresh = np.empty(weights.exact.shape[0], np.bool_)
    ledger[:, MISTAKES] = 0.0
    ledger[:, LOWEST] = np.inf
    for t in range(visits.shape[0]):
        i, g = visits[t], t % (GROUP * stride)
        own = targets.labels[i] - first
        if g == 0:
            for k in range(stride):
                scores(rows, visits, t + k, stride, weights.rough, open_, out[k::stride])
            fresh[:] = True
        for c in open_:
            s, y = out[g, c] if fresh[c] else score(rows, i, weights.rough[c]), 1.0 if c == own else -1.0
            # Certainly right; and, where the lowest score is asked for, certainly not that.
            if y * s > weights.doubt[c] + (0.0 if learn else max(0.0, ledger[c, LOWEST])):
                continue
            if not (learn and abs(s) > weights.doubt[c]):
                s = score(rows, i, weights.exact[c])
            ledger[c, LOWEST] = min(ledger[c, LOWEST], y * s)
            if y * s > 0:
                continue
            ledger[c, MISTAKES] += 1
            if learn:
                step = noted(ledger[c], targets, i)
                add(rows, i, weights.exact[c], y * step)
                renew(weights, c, step)
                counts[c, i] += 1
                fresh[c] = False


@compiled
def joint(rows, visits, targets, open_, several, counts, ledger, passes, learn):
    """All classes at once: while a rival c scores no less than the row's own class, w_own += step·x, w_c −= step·x.

    By Kesler's construction this is the two-class rule on the row that has x at its own class and −x at the rival.
    """
    out = np.empty((GROUP, several.shape[0]))
    fresh = np.empty(several.shape[0], np.bool_)
    for _ in range(passes):
        mistakes, lowest = 0, np.inf
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
            if lead > 0:
                continue
            mistakes += 1
            if learn:
                step = noted(ledger, targets, i)
                add(rows, i, several[own], step)
                add(rows, i, several[rival], -step)
                counts[rival, i] += 1
                fresh[own] = fresh[rival] = False
        ledger[MISTAKES], ledger[LOWEST] = mistakes, lowest
        if mistakes == 0:
            break
