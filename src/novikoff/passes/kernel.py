"""The rule in the dual, where weights are combinations of rows and only kernel values are known.

A function f = Σ α_j y_j φ(x_j) is kept as its scores at all training rows, brought up to date at every update by
the kernel row of the updated row; or, on a budget, by its coefficients on a few rows.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from .compiled import OPTIONS, compiled
from .observers import after
from .orders import draw
from .rules import ERRORS, FIRED, MISTAKES, TRAVELLED, UPDATES


class Rule(NamedTuple):
    """What a line of scores stands for, and what is a mistake.

    Line c is the class first + c against the rest; with ``joint`` the lines are rivals.  A row whose lead, y·f(x) or
    that over its best rival, is not above ``level`` is updated.
    """

    first: int
    joint: bool
    level: float


class RowCache(NamedTuple):
    """Kernel rows at hand: that of sample i is rows[slot[i]] unless slot[i] < 0, ``used`` at this visit the last."""

    rows: Any
    slot: Any
    used: Any


class Functions(NamedTuple):
    """One function a line, as numbers to be updated, and for their average the same weighed by when.

    ``weighted_sums`` has no lines where no average is asked for; ``n_visits`` counts the visits of every line before
    this sweep.
    """

    values: Any
    weighted_sums: Any
    n_visits: Any


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


LOG2_E = 1 / math.log(2)
TAYLOR = [1 / math.factorial(n) for n in range(14)]


def exponential(t: Any) -> Any:
    """exp(t) = 2^k·exp(r) with |r| ≤ ln(2)/2 and Taylor's series: within one unit in the last place, and in SIMD."""
    raise NotImplementedError("compiled code only")


@overload(exponential, jit_options=OPTIONS)
def _exponential(t):
    number = np.float32 if t == types.float32 else np.float64
    inverse, half, one = number(LOG2_E), number(0.5), number(1)
    a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13 = (number(a) for a in TAYLOR[3:])

    def single(t):
        k = np.floor(t * inverse + half)
        r = t - k * np.float32(0.693359375) - k * np.float32(-2.12194440e-4)  # ln 2 in two parts
        p = ((((((a7 * r + a6) * r + a5) * r + a4) * r + a3) * r + half) * r + one) * r + one
        return p * np.int32((np.int32(k) + np.int32(127)) << np.int32(23)).view(np.float32)

    def double(t):
        k = np.floor(t * inverse + half)
        r = t - k * 0.6931471803691238 - k * 1.9082149292705877e-10
        p = (((((a13 * r + a12) * r + a11) * r + a10) * r + a9) * r + a8) * r + a7
        p = ((((((p * r + a6) * r + a5) * r + a4) * r + a3) * r + half) * r + one) * r + one
        return p * np.int64((np.int64(k) + np.int64(1023)) << np.int64(52)).view(np.float64)

    return single if number is np.float32 else double


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
    """Write into ``change`` how the rule moves every line at a row with these scores; whether it moves any."""
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
    found = False
    for c in active:
        y = 1.0 if c == own else -1.0
        if not y * scores[c] > rule.level:
            change[c] = y
            found = True
    return found


@compiled
def note(change, scores, own, rule, targets, i, counts, ledger):
    """Write the updates of row i into counts and ledger, and give ``change`` the length of its step."""
    step = targets.steps[min(i, targets.steps.shape[0] - 1)]
    for c in range(change.shape[0]):
        # In the joint problem the rival's line counts, as one update moves two lines.
        if change[c] != 0.0 and not (rule.joint and c == own):
            line = ledger[0 if rule.joint else c]
            wrong = not (scores[own] > scores[c] if rule.joint else change[c] * scores[c] > 0)
            line[MISTAKES] += wrong
            line[ERRORS] += wrong
            line[FIRED] += 1
            line[UPDATES] += 1
            line[TRAVELLED] += step
            counts[c, i] += 1
    change *= step


@compiled
def tell(observer, change, here, own, rule, row_order, i, n_visits, t):
    """Tell of the updates of row i, in the joint problem of the own class first."""
    if rule.joint:
        rival = change.argmin()
        row_margin = here[own] - here[rival]
        after(observer, own, row_order, i, change[own], row_margin, n_visits[own] + t)
        after(observer, rival, row_order, i, change[rival], row_margin, n_visits[rival] + t)
        return
    for c in range(change.shape[0]):
        if change[c] != 0.0:
            after(observer, c, row_order, i, change[c], here[c] if c == own else -here[c], n_visits[c] + t)


@compiled
def sweep(row_order, t, targets, rule, active, functions, row_cache, clock, observer, counts, ledger):
    """Visit rows from the t-th on; stop at one that needs a kernel row which is not at hand, and return its place."""
    scores = functions.values
    here, change = np.empty(scores.shape[0]), np.empty(scores.shape[0])
    while t < row_order.shape[0]:
        i = row_order[t]
        own = targets.labels[i] - rule.first
        here[:] = scores[:, i]
        if mistaken(here, own, rule, active, change):
            slot = row_cache.slot[i]
            if slot < 0:
                break
            row_cache.used[slot] = clock + t
            note(change, here, own, rule, targets, i, counts, ledger)
            tell(observer, change, here, own, rule, row_order, i, functions.n_visits, t)
            row = row_cache.rows[slot]
            for c in range(change.shape[0]):
                if change[c] != 0.0:
                    line, step = scores[c], change[c]
                    for j in range(row.shape[0]):
                        line[j] += step * row[j]
                    if functions.weighted_sums.shape[0] > 0:
                        functions.weighted_sums[c, i] += step * (functions.n_visits[c] + t)
        t += 1
    return t


@compiled
def row_margins(scores, labels, rule, active, out):
    """The least lead of every row over the open lines: y·f(x), or that over its best rival."""
    for i in range(labels.shape[0]):
        own, least = labels[i] - rule.first, np.inf
        for c in active:
            if not rule.joint:
                least = min(least, scores[c, i] if c == own else -scores[c, i])
            elif c != own:
                least = min(least, scores[own, i] - scores[c, i])
        out[i] = least


@compiled
def project(block, start, targets, rule, active, functions, supports, size, novelty, counts, ledger):
    """The Projectron: an updated row becomes a support while there is room, or is projected onto the span of them.

    All is in an orthonormal basis of that span, the one of the Cholesky factor of its kernel matrix: rows have their
    coordinates in ``block.sides`` and what sticks out of it, functions are weights on the coordinates.  The block's
    first row is visit number ``start``.  Returns how many supports there are.
    """
    weights, sides = functions.values, block.sides
    here, change = np.empty(weights.shape[0]), np.empty(weights.shape[0])
    for t in range(block.row_order.shape[0]):
        i, x = block.row_order[t], sides[t]
        own = targets.labels[i] - rule.first
        for c in range(weights.shape[0]):
            here[c] = 0.0
            for j in range(size):
                here[c] += weights[c, j] * x[j]
        if not mistaken(here, own, rule, active, change):
            continue
        note(change, here, own, rule, targets, i, counts, ledger)
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
            supports.matrix[size, : size + 1] = x[: size + 1]
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
def forget(functions, change, side, supports, slot, size, radius, ledger, joint):
    """Shrink every function as the Forgetron does before the support in this slot is dropped for an updated row."""
    coefficients = functions.values
    for c in range(coefficients.shape[0]):
        a = coefficients[c, slot]
        if a == 0.0:
            continue
        score = change[c] * side[slot]
        for j in range(size):
            score += coefficients[c, j] * supports.matrix[j, slot]
        toward = (score if a > 0 else -score) / radius**2
        line = ledger[0 if joint else c]
        shrink, owed = shrinkage(abs(a), toward, line[UPDATES], supports.debt[c])
        supports.debt[c] += owed
        supports.removed[c] += (1 - shrink) * np.sqrt(supports.square[c])
        coefficients[c, :size] *= shrink
        change[c] *= shrink
        supports.square[c] *= shrink * shrink


@compiled
def dropped(functions, change, side, supports, slot, size):
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
def replace(
    block, start, targets, rule, active, functions, supports, size, place, oldest, radius, seed, counts, ledger
):
    """On a budget that is full an updated row takes the place of the oldest support (Forgetron), or of a random one.

    Rows have their kernel with the supports in ``block.sides``; ``place`` says which slot a row is in, if any.
    Returns how many supports there are.
    """
    coefficients, sides, matrix = functions.values, block.sides, supports.matrix
    here, change = np.empty(coefficients.shape[0]), np.empty(coefficients.shape[0])
    for t in range(block.row_order.shape[0]):
        i, x = block.row_order[t], sides[t]
        own = targets.labels[i] - rule.first
        for c in range(coefficients.shape[0]):
            here[c] = 0.0
            for j in range(size):
                here[c] += coefficients[c, j] * x[j]
        if not mistaken(here, own, rule, active, change):
            continue
        note(change, here, own, rule, targets, i, counts, ledger)
        for c in range(coefficients.shape[0]):
            supports.square[c] += 2 * change[c] * here[c] + change[c] * change[c] * block.gram[t, t]
            supports.square[c] = max(0.0, supports.square[c])
        slot = place[i]
        if slot < 0:
            slot = size
            if size < supports.owner.shape[0]:
                size += 1
            else:
                slot = supports.age.argmin()
                if oldest:
                    forget(functions, change, x, supports, slot, size, radius, ledger, rule.joint)
                else:
                    slot = np.int64(draw(seed, np.uint64(start + t), np.uint64(size)))
                dropped(functions, change, x, supports, slot, size)
                if supports.owner[slot] >= 0:
                    place[supports.owner[slot]] = -1
            supports.owner[slot], supports.age[slot], place[i] = i, start + t, slot
            coefficients[:, slot] = 0.0
            x[slot] = block.gram[t, t]
            matrix[slot, :size] = x[:size]
            matrix[:size, slot] = x[:size]
            for u in range(t + 1, block.row_order.shape[0]):
                sides[u, slot] = block.gram[t, u]
        coefficients[:, slot] += change
    return size
