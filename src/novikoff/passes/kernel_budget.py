"""The kernel rule on a budget: functions are made of at most so many supports, whatever comes.

The Projectron projects what it has no room for onto the span of its supports; the Forgetron shrinks and drops the
oldest one; or a random one is dropped.
"""

from typing import Any, NamedTuple

import numpy as np

from .compiled import compiled
from .kernel_rule import mistaken, note
from .ledger import UPDATES
from .orders import draw


class Block(NamedTuple):
    """Rows to visit in turn: their numbers, the kernel among them, and their kernel (or coordinates) with supports."""

    row_order: Any
    gram: Any
    sides: Any


class Supports(NamedTuple):
    """The rows that functions on a budget are made of, slot by slot.

    ``matrix`` is the kernel among them, or its Cholesky factor; ``owner`` the number of each row, ``age`` when it came;
    ``removed`` the length of all that each function lost, ``square`` ‖f‖², ``debt`` what the Forgetron calls Q.
    """

    matrix: Any
    owner: Any
    age: Any
    removed: Any
    square: Any
    debt: Any


class Replacement(NamedTuple):
    """How a support makes room: ``place`` is the slot of every row, ``oldest`` tells the Forgetron from chance."""

    place: Any
    oldest: bool
    radius: float
    seed: Any


@compiled
def project(sweep, block, start, active, functions, supports, size, novelty):
    """The Projectron: the row of an update becomes a support while there is room, or is projected onto their span.

    All is in an orthonormal basis of that span, the one of the Cholesky factor of its kernel matrix: rows have their
    coordinates in ``block.sides`` and what sticks out of it, functions are weights on the coordinates.  The block's
    first row is visit number ``start``.  Returns how many supports there are.
    """
    weights, sides = functions.values, block.sides
    here, change = np.empty(weights.shape[0]), np.empty(weights.shape[0])
    for t in range(block.row_order.shape[0]):
        i, x = block.row_order[t], sides[t]
        own = sweep.targets.labels[i] - sweep.rule.first
        for c in range(weights.shape[0]):
            here[c] = 0.0
            for j in range(size):
                here[c] += weights[c, j] * x[j]
        if not mistaken(here, own, sweep.rule, active, change):
            continue
        note(sweep, change, here, own, i)
        outside = block.gram[t, t] * 1.0
        for j in range(size):
            outside -= x[j] * x[j]
        if size < supports.owner.shape[0] and outside > novelty * block.gram[t, t]:
            height = np.sqrt(outside)
            for u in range(t + 1, block.row_order.shape[0]):
                along = block.gram[t, u] * 1.0
                for j in range(size):
                    along -= x[j] * sides[u, j]
                sides[u, size] = along / height
            x[size] = height
            for j in range(size + 1):
                supports.matrix[size, j] = x[j]
            supports.owner[size] = i
            size += 1
        else:
            for c in range(weights.shape[0]):
                supports.removed[c] += abs(change[c]) * np.sqrt(max(outside, 0.0))
        for c in range(weights.shape[0]):
            if change[c] != 0.0:
                for j in range(size):
                    weights[c, j] += change[c] * x[j]
                if functions.weighted_sums.shape[0] > 0:
                    for j in range(size):
                        functions.weighted_sums[c, j] += change[c] * (functions.n_visits[c] + start + t) * x[j]
    return size


@compiled
def shrinkage(weight, score, mistakes, debt):
    """How far the self-tuned Forgetron shrinks f before it drops a row of this weight: the most φ ≤ 1 that keeps

    Q + (σφ)² + 2σφ·(1 − φμ) ≤ 15/32·M; returns φ and what it adds to Q.  Scores are those of a kernel with κ(x,x) ≤ 1.
    """
    a, b, room = weight * weight - 2 * weight * score, 2 * weight, 15 / 32 * mistakes - debt
    shrink = 1.0
    if a + b > room:
        # The least positive root of aφ² + bφ = room, in the form that a = 0 does not break.
        shrink = max(0.0, 2 * room / (b + np.sqrt(max(0.0, b * b + 4 * a * room))))
    return shrink, a * shrink * shrink + b * shrink


@compiled
def forget(sweep, functions, change, side, supports, slot, size, radius):
    """Shrink every function as the Forgetron does before the support in this slot is dropped for another row."""
    coefficients = functions.values
    for c in range(coefficients.shape[0]):
        a = coefficients[c, slot]
        if a == 0.0:
            continue
        score = change[c] * side[slot]
        for j in range(size):
            score += coefficients[c, j] * supports.matrix[j, slot]
        toward = (score if a > 0 else -score) / radius**2
        updates = sweep.ledger[0 if sweep.rule.joint else c, UPDATES]
        shrink, owed = shrinkage(abs(a), toward, updates, supports.debt[c])
        supports.debt[c] += owed
        supports.removed[c] += (1 - shrink) * np.sqrt(supports.square[c])
        for j in range(size):
            coefficients[c, j] *= shrink
        change[c] *= shrink
        supports.square[c] *= shrink * shrink


@compiled
def drop(functions, change, side, supports, slot, size):
    """Take the support in this slot out of every function."""
    coefficients = functions.values
    for c in range(coefficients.shape[0]):
        a = coefficients[c, slot]
        if a == 0.0:
            continue
        score = change[c] * side[slot]
        for j in range(size):
            score += coefficients[c, j] * supports.matrix[j, slot]
        own = supports.matrix[slot, slot]
        supports.removed[c] += abs(a) * np.sqrt(max(0.0, own))
        supports.square[c] = max(0.0, supports.square[c] - 2 * a * score + a * a * own)
        coefficients[c, slot] = 0.0


@compiled
def replace(sweep, block, start, active, functions, supports, size, how):
    """On a full budget the row of an update takes the place of the oldest support (Forgetron), or of a random one.

    Rows have their kernel with the supports in ``block.sides``; ``how.place`` says which slot a row is in, if any.
    Returns how many supports there are.
    """
    coefficients, sides, matrix = functions.values, block.sides, supports.matrix
    here, change = np.empty(coefficients.shape[0]), np.empty(coefficients.shape[0])
    for t in range(block.row_order.shape[0]):
        i, x = block.row_order[t], sides[t]
        own = sweep.targets.labels[i] - sweep.rule.first
        for c in range(coefficients.shape[0]):
            here[c] = 0.0
            for j in range(size):
                here[c] += coefficients[c, j] * x[j]
        if not mistaken(here, own, sweep.rule, active, change):
            continue
        note(sweep, change, here, own, i)
        for c in range(coefficients.shape[0]):
            supports.square[c] += 2 * change[c] * here[c] + change[c] * change[c] * block.gram[t, t]
            supports.square[c] = max(0.0, supports.square[c])
        slot = how.place[i]
        if slot < 0:
            slot = size
            if size < supports.owner.shape[0]:
                size += 1
            else:
                slot = supports.age.argmin()
                if how.oldest:
                    forget(sweep, functions, change, x, supports, slot, size, how.radius)
                else:
                    slot = np.int64(draw(how.seed, np.uint64(start + t), np.uint64(size)))
                drop(functions, change, x, supports, slot, size)
                if supports.owner[slot] >= 0:
                    how.place[supports.owner[slot]] = -1
            supports.owner[slot], supports.age[slot], how.place[i] = i, start + t, slot
            coefficients[:, slot] = 0.0
            x[slot] = block.gram[t, t]
            for j in range(size):
                matrix[slot, j] = matrix[j, slot] = x[j]
            for u in range(t + 1, block.row_order.shape[0]):
                sides[u, slot] = block.gram[t, u]
        for c in range(change.shape[0]):
            coefficients[c, slot] += change[c]
    return size
