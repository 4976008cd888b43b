"""One function a rule: passes over the rows that change the weights in place.

Every rule keeps a ledger, one line a problem, with what the theory counts.  With ``learn`` false a pass only looks:
it counts the mistakes and finds the lowest score under the weights as they are.
"""

from typing import Any, NamedTuple

import numpy as np

from .compiled import compiled
from .orders import WINDOW
from .rows import GROUP, add, fetch, score, scores, square

MISTAKES, LOWEST, UPDATES, TRAVELLED, SQUARE = range(5)
"""Columns of the ledger: mistakes and lowest y·(w·x) of the last pass; corrections in all, their steps in sum; ‖w‖²."""


class Targets(NamedTuple):
    """What a pass is taught: the class number of every row, and how long a step its correction takes."""

    labels: Any
    steps: Any


@compiled
def squares(rows, out):
    """‖x_i‖² of every row; not finite exactly where the row, or its square, is not."""
    for i in range(out.shape[0]):
        out[i] = square(rows, i)


@compiled
def correct(rows, i, w, y, s, step, ledger):
    """w ← w + step·y·x, and ‖w + step·y·x‖² = ‖w‖² + 2·step·y·(w·x) + step²·‖x‖²."""
    add(rows, i, w, y * step)
    ledger[UPDATES] += 1
    ledger[TRAVELLED] += step
    ledger[SQUARE] += step * (2.0 * y * s + step * rows.squares[i])


@compiled
def begin(ledger):
    """A new pass has no mistake yet."""
    ledger[MISTAKES] = 0.0
    ledger[LOWEST] = np.inf


@compiled
def perceptron(rows, order, targets, positive, w, counts, ledger, passes, learn):
    """Two classes: while y·(w·x) ≤ 0 for some row, w ← w + step·y·x; until a clean pass, at most ``passes``."""
    for _ in range(passes):
        begin(ledger)
        for t in range(order.visits.shape[0]):
            i = order.visits[t]
            if t + WINDOW < order.fetches.shape[0]:
                fetch(rows, order.fetches[t + WINDOW])
            s = score(rows, i, w)
            y = 1.0 if targets.labels[i] == positive else -1.0
            ledger[LOWEST] = min(ledger[LOWEST], y * s)
            if y * s > 0:
                continue
            ledger[MISTAKES] += 1
            if learn:
                correct(rows, i, w, y, s, targets.steps[i], ledger)
                counts[i] += 1
        if ledger[MISTAKES] == 0:
            break


@compiled
def one_vs_rest(rows, order, targets, first, open_, several, counts, ledger, learn):
    """The two-class rule for each open class against the rest, in one sweep; class c has label first + c."""
    out = np.empty((GROUP, several.shape[0]))
    fresh = np.empty(several.shape[0], np.bool_)
    for c in open_:
        begin(ledger[c])
    for t in range(order.visits.shape[0]):
        i, g = order.visits[t], t % GROUP
        if t + WINDOW < order.fetches.shape[0]:
            fetch(rows, order.fetches[t + WINDOW])
        if g == 0:
            scores(rows, order.visits, t, several, open_, out)
            fresh[:] = True
        for c in open_:
            # A class corrected since its group of rows was scored is scored again.
            s = out[g, c] if fresh[c] else score(rows, i, several[c])
            y = 1.0 if targets.labels[i] == first + c else -1.0
            ledger[c, LOWEST] = min(ledger[c, LOWEST], y * s)
            if y * s > 0:
                continue
            ledger[c, MISTAKES] += 1
            if learn:
                correct(rows, i, several[c], y, s, targets.steps[i], ledger[c])
                counts[c, i] += 1
                fresh[c] = False


@compiled
def joint(rows, order, targets, open_, several, counts, ledger, passes, learn):
    """All classes at once: while a rival c scores no less than the row's own class, w_own += step·x, w_c −= step·x.

    By Kesler's construction this is the two-class rule on the row that has x at its own class and −x at the rival.
    """
    out = np.empty((GROUP, several.shape[0]))
    fresh = np.empty(several.shape[0], np.bool_)
    for _ in range(passes):
        begin(ledger)
        for t in range(order.visits.shape[0]):
            i, g = order.visits[t], t % GROUP
            if t + WINDOW < order.fetches.shape[0]:
                fetch(rows, order.fetches[t + WINDOW])
            if g == 0:
                scores(rows, order.visits, t, several, open_, out)
                fresh[:] = True
            own, rival, highest = targets.labels[i], -1, -np.inf
            for c in open_:
                if not fresh[c]:
                    out[g, c] = score(rows, i, several[c])
                if c != own and out[g, c] > highest:
                    rival, highest = c, out[g, c]
            lead = out[g, own] - highest
            ledger[LOWEST] = min(ledger[LOWEST], lead)
            if lead > 0:
                continue
            ledger[MISTAKES] += 1
            if learn:
                step = targets.steps[i]
                add(rows, i, several[own], step)
                add(rows, i, several[rival], -step)
                ledger[UPDATES] += 1
                ledger[TRAVELLED] += step
                ledger[SQUARE] += 2.0 * step * (lead + step * rows.squares[i])
                counts[rival, i] += 1
                fresh[own] = fresh[rival] = False
        if ledger[MISTAKES] == 0:
            break
