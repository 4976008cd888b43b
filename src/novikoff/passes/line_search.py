"""Exact searches along lines for planes with fewer errors.

On a line w + a·v the error count changes only where a row changes sides, at a = −m/s for a row of margin m and slope s
(the margin of v).  Sorted, these places cut the line into stretches, and the best stretch is found exactly (up to the
rounding of the margins, so that whoever keeps the plane counts its errors again).

L. Li and H.-T. Lin, "Optimizing 0/1 loss for perceptrons by random coordinate descent", IJCNN 2007.
"""

import numpy as np

from .compiled import compiled
from .rows import score

NARROW = 1e-12
"""Stretches that are shorter, relative to where they are, may be nothing but rounding."""


@compiled
def margins_of(rows, row_order, w, targets, positive):
    """y·(w·x) of the rows in this order, one class against the others."""
    margins = np.empty(row_order.shape[0])
    for k in range(row_order.shape[0]):
        i = row_order[k]
        s = score(rows, i, w)
        margins[k] = s if targets.labels[i] == positive else -s
    return margins


@compiled
def weights_of(row_order, targets):
    """The sample weights of the rows in this order."""
    weights = np.empty(row_order.shape[0])
    for k in range(row_order.shape[0]):
        weights[k] = targets.sample_weight[min(row_order[k], targets.sample_weight.shape[0] - 1)]
    return weights


@compiled
def change_at(k, slopes, weights):
    """By how much the errors change where row k changes sides, from left to right."""
    return -weights[k] if slopes[k] > 0 else weights[k]


@compiled
def best_step(margins, slopes, weights, draw):
    """The step a to the middle of a stretch of the line with the fewest errors, no more than at a = 0; 0 if none.

    Of several such stretches ``draw``, from [0, 1), picks one.
    """
    moving = np.flatnonzero(slopes != 0)
    order = moving[np.argsort(-margins[moving] / slopes[moving])]
    places = -margins[order] / slopes[order]
    least = 0.0  # errors are relative to those at a = −∞
    for at in range(order.shape[0]):
        if places[at] < 0 or (places[at] == 0 and slopes[order[at]] < 0):
            least += change_at(order[at], slopes, weights)
    found = 0
    for looking in (
        True,
        False,
    ):  # first for the fewest errors and how many stretches have them, then for the one drawn
        errors, chosen = 0.0, int(draw * found)
        for at in range(order.shape[0] + 1):
            if at > 0:
                errors += change_at(order[at - 1], slopes, weights)
            left, right = stretch(places, at)
            if not right - left > NARROW * max(abs(left), abs(right)) or errors > least:
                continue
            if looking:
                found = found + 1 if errors == least else 1
                least = errors
            elif chosen == 0:
                return (left + right) / 2
            else:
                chosen -= 1
    return 0.0


@compiled
def stretch(places, at):
    """Where the stretch before place ``at`` begins and ends; the outer ones are cut."""
    last = places.shape[0]
    if last == 0:
        return 0.0, 0.0
    left = places[at - 1] if at > 0 else places[0] - max(1.0, abs(places[0]))
    right = places[at] if at < last else places[last - 1] + max(1.0, abs(places[last - 1]))
    return left, right
