"""The passes over the rows, that change the weights in place: for two classes, for one against the rest, for all.

When an update is made is said by a rule, what is kept of a run by an observer (see rules and observers).  Every pass
keeps the ledger; with ``learn`` false it only looks: it counts the mistakes and finds the lowest row margin under the
weights as they are.
"""

import numpy as np

from .compiled import compiled, inlined
from .gaussian import shift, shift_both, stretch_of
from .ledger import ERRORS, LOWEST, MISTAKES, PASS_UPDATES, THRESHOLD, TRAVELLED, UPDATES, VISITS
from .memory import ask_ahead, ask_weights_ahead, reach
from .observers import after, before, keeps_row_margin
from .rows import exact_score, room_for_scores, rounding, score, scores, together
from .rules import fires, lift, needs_row_margin, step, threshold, wants


@inlined
def update(sweep, ledger, i, row_margin, stretch):
    """Write an update on row i into the ledger of its problem; return the length of its step."""
    weight = sweep.targets.sample_weight[min(i, sweep.targets.sample_weight.shape[0] - 1)]
    length = step(sweep.rule, ledger, sweep.rows, i, row_margin, weight, stretch)
    ledger[UPDATES] += 1
    ledger[TRAVELLED] += length
    ledger[ERRORS] += not row_margin > 0
    ledger[THRESHOLD] = threshold(sweep.rule, ledger)
    return length


@compiled
def two_classes(sweep, row_order, w, c, positive, passes, learn):
    """While the rule asks for it: w ← w + step·y·x; until a pass without an update, at most ``passes``.

    Problem c is the class ``positive`` against the others.
    """
    rows, rule, ledger = sweep.rows, sweep.rule, sweep.ledger[c]
    labels, update_counts = sweep.targets.labels, sweep.update_counts[c]
    asked = reach(rows, row_order.shape[0])
    for _ in range(passes):
        mistakes, updates, lowest = 0, 0, np.inf
        ledger[THRESHOLD] = threshold(rule, ledger)
        for t in range(row_order.shape[0]):
            i = row_order[t]
            ask_ahead(rows, row_order, t, asked)
            y = 1.0 if labels[i] == positive else -1.0
            row_margin = y * score(rows, i, w)
            lowest = min(lowest, row_margin)
            if learn and not fires(rule, row_margin, ledger[THRESHOLD] + lift(rule, rows, i, 1)):
                continue
            stretch = stretch_of(rule, sweep, i, c, c) if learn else 1.0
            if learn and not wants(rule, row_margin, stretch):
                continue
            mistakes += not row_margin > 0
            if learn:
                updates += 1
                time = ledger[VISITS] + t
                before(sweep.observer, c, w, rows, sweep.targets, positive, time)
                length = y * update(sweep, ledger, i, row_margin, stretch)
                shift(rule, sweep, ledger, i, w, c, length)
                update_counts[i] += 1
                after(sweep.observer, c, rows, i, length, row_margin, time)
        ledger[MISTAKES], ledger[LOWEST], ledger[PASS_UPDATES] = mistakes, lowest, updates
        if learn:
            ledger[VISITS] += row_order.shape[0]
        if updates == 0:
            break


@compiled
def one_vs_rest(sweep, row_order, weights, active, first, learn):
    """The two-class pass for each active class against the rest, in one sweep; class c has label first + c.

    A few rows are scored together.  A score is taken again, exactly, if its class was updated since, or if the
    approximate one leaves open what to do; so every decision is that of the exact weights.
    """
    rows, rule, ledger = sweep.rows, sweep.rule, sweep.ledger
    group, asked = together(rows), reach(rows, row_order.shape[0])
    out = room_for_scores(rows, weights.approx)
    fresh = np.empty(weights.approx.shape[0], np.bool_)
    ledger[:, MISTAKES] = 0.0
    ledger[:, PASS_UPDATES] = 0.0
    ledger[:, LOWEST] = np.inf
    for c in active:
        ledger[c, THRESHOLD] = threshold(rule, ledger[c]) if learn else 0.0
    for t in range(row_order.shape[0]):
        i, g = row_order[t], t % group
        ask_ahead(rows, row_order, t, asked)
        ask_weights_ahead(rows, row_order, t, weights.approx)
        own, row_rounding = sweep.targets.labels[i] - first, rounding(rows, i, weights)
        above = lift(rule, rows, i, 1) if learn else 0.0
        if g == 0:
            scores(rows, row_order, t, weights.approx, active, out)
            fresh[:] = True
        for c in active:
            y = 1.0 if c == own else -1.0
            row_margin = y * (out[g, c] if fresh[c] else score(rows, i, weights.approx[c]))
            bar, error_bound = ledger[c, THRESHOLD] + above, row_rounding * weights.length_bound[c]
            # Certainly right; and, where the lowest row margin is asked for, certainly not that.
            if row_margin > bar + error_bound + (0.0 if learn else max(0.0, ledger[c, LOWEST])):
                continue
            if (
                needs_row_margin(rule)
                or keeps_row_margin(sweep.observer)
                or not (learn and row_margin < bar - error_bound)
            ):
                row_margin = y * exact_score(weights, rows, i, c)
            ledger[c, LOWEST] = min(ledger[c, LOWEST], row_margin)
            if not learn:
                ledger[c, MISTAKES] += not row_margin > 0
                continue
            stretch = stretch_of(rule, sweep, i, c, c)
            if fires(rule, row_margin, bar) and wants(rule, row_margin, stretch):
                ledger[c, MISTAKES] += not row_margin > 0
                ledger[c, PASS_UPDATES] += 1
                time = ledger[c, VISITS] + t
                before(sweep.observer, c, weights.exact[c], rows, sweep.targets, first + c, time)
                length = y * update(sweep, ledger[c], i, row_margin, stretch)
                shift_both(rule, sweep, ledger[c], i, weights, c, length, row_margin)
                sweep.update_counts[c, i] += 1
                after(sweep.observer, c, rows, i, length, row_margin, time)
                fresh[c] = False
    if learn:
        for c in active:
            ledger[c, VISITS] += row_order.shape[0]


@compiled
def joint(sweep, row_order, W, classes, passes, learn):
    """All classes at once: where the margin over the best rival c is too small, w_own += step·x and w_c −= step·x.

    By Kesler's construction this is the two-class rule on the row that has x at its own class and −x at the rival, so
    that the row margin is the score of the own class less that of the rival.
    """
    rows, rule, ledger = sweep.rows, sweep.rule, sweep.ledger[0]
    group, asked = together(rows), reach(rows, row_order.shape[0])
    out = room_for_scores(rows, W)
    fresh = np.empty(W.shape[0], np.bool_)
    for _ in range(passes):
        mistakes, updates, lowest = 0, 0, np.inf
        ledger[THRESHOLD] = threshold(rule, ledger)
        for t in range(row_order.shape[0]):
            i, g = row_order[t], t % group
            ask_ahead(rows, row_order, t, asked)
            ask_weights_ahead(rows, row_order, t, W)
            if g == 0:
                scores(rows, row_order, t, W, classes, out)
                fresh[:] = True
            own, rival, highest = sweep.targets.labels[i], -1, -np.inf
            for c in classes:
                if not fresh[c]:
                    out[g, c] = score(rows, i, W[c])
                if c != own and out[g, c] > highest:
                    rival, highest = c, out[g, c]
            row_margin = out[g, own] - highest
            lowest = min(lowest, row_margin)
            if learn and not fires(rule, row_margin, ledger[THRESHOLD] + lift(rule, rows, i, 2)):
                continue
            if learn and needs_row_margin(rule):  # to the last bit the same, whichever rows were scored together
                row_margin = score(rows, i, W[own]) - score(rows, i, W[rival])
            stretch = stretch_of(rule, sweep, i, own, rival) if learn else 2.0
            if learn and not wants(rule, row_margin, stretch):
                continue
            mistakes += not row_margin > 0
            if learn:
                updates += 1
                time = ledger[VISITS] + t
                before(sweep.observer, 0, W, rows, sweep.targets, classes.shape[0], time)
                length = update(sweep, ledger, i, row_margin, stretch)
                shift(rule, sweep, ledger, i, W[own], own, length)
                shift(rule, sweep, ledger, i, W[rival], rival, -length)
                sweep.update_counts[rival, i] += 1
                after(sweep.observer, own, rows, i, length, row_margin, time)
                after(sweep.observer, rival, rows, i, -length, row_margin, time)
                fresh[own] = fresh[rival] = False
        ledger[MISTAKES], ledger[LOWEST], ledger[PASS_UPDATES] = mistakes, lowest, updates
        if learn:
            ledger[VISITS] += row_order.shape[0]
        if updates == 0:
            break
