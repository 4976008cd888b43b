"""Exact searches along lines for planes with fewer errors.

On a line w + a·v the error count changes only where a row changes sides, at a = −m/s for a row of margin m and slope s
(the margin of v).  Sorted, these places cut the line into stretches, and the best stretch is found exactly (up to the
rounding of the margins, so that whoever keeps the plane counts its errors again).  Along a single column only the rows
with an entry in it move, so that a line costs no more than its column has entries.

L. Li and H.-T. Lin, "Optimizing 0/1 loss for perceptrons by random coordinate descent", IJCNN 2007.
"""

from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from .compiled import OPTIONS, compiled, inner
from .rows import Rows, by_kind, entry, score

RUN = 8
"""So many are sorted by insertion, before runs are merged."""
NARROW = 1e-12
"""Stretches that are shorter, relative to where they are, may be nothing but rounding."""
SIDE_BY_SIDE = 16
"""Columns that are written at once, as many as a cache takes."""
WRONG, NEAREST, GIVEN = 0, 1, 2
"""Lines beyond the columns go in the direction of a row that is wrong, of one near the plane, or of a given one."""


class ColumnLists(NamedTuple):
    """Signed rows column by column: of column j the entries from starts[j] to starts[j + 1], a row and a slope each."""

    starts: Any
    rows: Any
    slopes: Any


class Scaling(NamedTuple):
    """How entries become slopes: x·factor + shift, one of each per column; where a shift is not 0, of all rows."""

    factors: Any
    shifts: Any


@compiled
def margins_of(rows, row_order, w, targets, positive):
    """y·(w·x) of the rows in this order, one class against the others."""
    margins = np.empty(row_order.shape[0])
    for k in range(row_order.shape[0]):
        i = row_order[k]
        s = score(rows, i, w)
        margins[k] = s if targets.labels[i] == positive else -s
    return margins


def count_entries(rows: Rows, row_order: Any, counts: Any) -> None:
    """Count the entries of some rows that are not zero, column by column."""
    raise NotImplementedError("compiled code only")


def put_entries(rows: Rows, row_order: Any, signs: Any, scaling: Scaling, columns: ColumnLists, ends: Any) -> None:
    """Write the entries of some rows that are not zero into the columns, which have ended there so far."""
    raise NotImplementedError("compiled code only")


@overload(count_entries, jit_options=OPTIONS)
def _count_entries(rows, row_order, counts):
    def dense(rows, row_order, counts):
        for i in row_order:
            x = rows.values[i]
            for j in range(x.shape[0]):
                counts[j] += x[j] != 0

    def sparse(rows, row_order, counts):
        for i in row_order:
            for at in range(rows.starts[i], rows.starts[i + 1]):
                counts[rows.columns[at]] += 1

    return by_kind(rows, dense, sparse)


@overload(put_entries, jit_options=OPTIONS)
def _put_entries(rows, row_order, signs, scaling, columns, ends):
    def dense(rows, row_order, signs, scaling, columns, ends):
        for first in range(0, ends.shape[0], SIDE_BY_SIDE):
            for k in range(row_order.shape[0]):
                x = rows.values[row_order[k]]
                for j in range(first, min(first + SIDE_BY_SIDE, ends.shape[0])):
                    if x[j] != 0:
                        put(j, x[j], k, signs[k], scaling, columns, ends)

    def sparse(rows, row_order, signs, scaling, columns, ends):
        for k in range(row_order.shape[0]):
            for at in range(rows.starts[row_order[k]], rows.starts[row_order[k] + 1]):
                put(rows.columns[at], entry(rows, at), k, signs[k], scaling, columns, ends)

    return by_kind(rows, dense, sparse)


@inner
def put(j, x, k, sign, scaling, columns, ends):
    """Write one entry of the k-th row into column j; a column with a shift has a place for every row."""
    at = columns.starts[j] + k
    if scaling.shifts[j] == 0:
        at = ends[j]
        ends[j] += 1
        columns.rows[at] = k
    columns.slopes[at] = sign * (x * scaling.factors[j] + scaling.shifts[j])


@compiled
def columns_of(rows, row_order, targets, positive, scaling):
    """The signed rows in this order, column by column, and a last column for the intercept, whose entries are 1."""
    n, d = row_order.shape[0], scaling.factors.shape[0]
    signs, counts = np.empty(n), np.zeros(d, np.int64)
    for k in range(n):
        signs[k] = 1.0 if targets.labels[row_order[k]] == positive else -1.0
    count_entries(rows, row_order, counts)
    starts = np.zeros(d + 2, np.int64)
    for j in range(d + 1):
        constant = scaling.shifts[j] if j < d else rows.bias
        starts[j + 1] = starts[j] + (n if constant != 0 else counts[j] if j < d else 0)
    columns = ColumnLists(starts, np.empty(starts[d + 1], np.uint32), np.empty(starts[d + 1]))
    for j in range(d + 1):
        constant = scaling.shifts[j] if j < d else rows.bias
        for k in range(n if constant != 0 else 0):
            columns.rows[starts[j] + k] = k
            columns.slopes[starts[j] + k] = signs[k] * constant
    put_entries(rows, row_order, signs, scaling, columns, starts[:d].copy())
    return columns


@compiled
def search_lines(columns, margins, weights, lines, draws, drawn, given, reach):
    """Go along lines to where the fewest rows are wrong, one after the other, and keep the margins.

    A line is a column, or one of the kinds beyond them, of ``drawn`` rows or of a direction ``given``; of places that
    are as good ``draws`` picks one.  Lines are searched as far as a slope of 1 takes a margin of ``reach`` to 0.
    Returns how far each column went in all, and the work: entries looked at, and comparisons of those that were sorted.
    """
    n, d = margins.shape[0], columns.starts.shape[0] - 1
    moves, work = np.zeros(d), 0.0
    every, slopes, direction = numbers_below(n), np.empty(n), np.empty(d)
    for t in range(lines.shape[0]):
        j = lines[t]
        if j < d:
            start, stop = columns.starts[j], columns.starts[j + 1]
            some, along = columns.rows[start:stop], columns.slopes[start:stop]
        else:
            point(columns, margins, j - d, drawn, given, direction)
            slopes_along(columns, direction, slopes)
            some, along = every, slopes
            work += columns.starts[d]
        order, places = crossings(some, along, margins, reach)
        work += some.shape[0] + order.shape[0] * np.log2(order.shape[0] + 1.0)
        step = best_step(order, places, some, along, weights, draws[t], reach)
        if step == 0:
            continue
        for k in range(some.shape[0]):
            margins[some[k]] += step * along[k]
        if j < d:
            moves[j] += step
        else:
            for k in range(d):
                moves[k] += step * direction[k]
    return moves, work


@inner
def numbers_below(n):
    """0, 1, … n − 1; as in ``point`` a loop, as what NumPy has for it is compiled for half a second."""
    numbers = np.empty(n, np.uint32)
    for k in range(n):
        numbers[k] = k
    return numbers


@inner
def point(columns, margins, kind, drawn, given, direction):
    """The direction of the first of these rows that is wrong, of the one nearest to the plane, or the given one."""
    if kind == GIVEN:
        for j in range(direction.shape[0]):  # a slice is compiled with its message of errors, for two seconds
            direction[j] = given[j]
        return
    i = drawn[0]
    for other in drawn:
        if margins[i] > 0 if kind == WRONG else abs(margins[other]) < abs(margins[i]):
            i = other
    for j in range(direction.shape[0]):
        start, stop = columns.starts[j], columns.starts[j + 1]
        while start < stop:  # halves the rows, which are in order, until the first that is not below i is left
            middle = (start + stop) // 2
            if columns.rows[middle] < i:
                start = middle + 1
            else:
                stop = middle
        here = start < columns.starts[j + 1] and columns.rows[start] == i
        direction[j] = columns.slopes[start] if here else 0.0


@inner
def slopes_along(columns, direction, slopes):
    """The slopes of all rows along a direction that is no column."""
    slopes[:] = 0.0
    for j in range(direction.shape[0]):
        for at in range(columns.starts[j], columns.starts[j + 1]):
            slopes[columns.rows[at]] += direction[j] * columns.slopes[at]


@inner
def crossings(some, slopes, margins, reach):
    """Which of some rows change sides within reach, by number and in order, and where."""
    moving, places = np.empty(some.shape[0], np.uint32), np.empty(some.shape[0])
    found = 0
    for k in range(some.shape[0]):
        margin = margins[some[k]]
        if slopes[k] != 0 and abs(margin) < reach * abs(slopes[k]):
            moving[found], places[found] = k, -margin / slopes[k]
            found += 1
    return sorted_together(moving[:found], places[:found])


@inner
def sorted_together(numbers, keys):
    """Both in the order of the keys, by merging runs; what NumPy has for it is compiled for a second and a half."""
    n, size = keys.shape[0], RUN
    for start in range(0, n, RUN):
        insert(numbers, keys, start, min(start + RUN, n))
    other_numbers, other_keys = np.empty(n, numbers.dtype), np.empty(n, keys.dtype)
    while size < n:
        for start in range(0, n, 2 * size):
            middle, stop = min(start + size, n), min(start + 2 * size, n)
            merge(numbers, keys, start, middle, stop, other_numbers, other_keys)
        numbers, other_numbers = other_numbers, numbers
        keys, other_keys = other_keys, keys
        size *= 2
    return numbers, keys


@inner
def insert(numbers, keys, start, stop):
    """Sort a short run in place, one after the other."""
    for k in range(start + 1, stop):
        number, key, at = numbers[k], keys[k], k
        while at > start and keys[at - 1] > key:
            numbers[at], keys[at] = numbers[at - 1], keys[at - 1]
            at -= 1
        numbers[at], keys[at] = number, key


@inner
def merge(numbers, keys, start, middle, stop, out_numbers, out_keys):
    """Merge two sorted runs, which meet in the middle."""
    left, right = start, middle
    for at in range(start, stop):
        if right == stop or (left < middle and keys[left] <= keys[right]):
            out_numbers[at], out_keys[at] = numbers[left], keys[left]
            left += 1
        else:
            out_numbers[at], out_keys[at] = numbers[right], keys[right]
            right += 1


@inner
def best_step(order, places, some, slopes, weights, draw, reach):
    """The step a to the middle of a stretch of the line with the fewest errors, no more than at a = 0; 0 if none.

    The rows ``order`` of ``some`` change sides at ``places``.  Of several such stretches ``draw``, from [0, 1), picks
    one.
    """
    least, found = 0.0, 0  # errors are relative to those at the left end
    for at in range(order.shape[0]):
        if places[at] < 0 or (places[at] == 0 and slopes[order[at]] < 0):
            least += change_at(order[at], some, slopes, weights)
    for looking in (True, False):  # for the fewest errors and how many stretches have them, then for the one drawn
        errors, chosen = 0.0, int(draw * found)
        for at in range(order.shape[0] + 1):
            if at > 0:
                errors += change_at(order[at - 1], some, slopes, weights)
            left, right = stretch(places, at, reach)
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


@inner
def change_at(k, some, slopes, weights):
    """By how much the errors change where the k-th of some rows changes sides, from left to right."""
    return -weights[some[k]] if slopes[k] > 0 else weights[some[k]]


@inner
def stretch(places, at, reach):
    """Where the stretch before place ``at`` begins and ends; the outer ones end with the line, or are cut."""
    last = places.shape[0]
    if last == 0:
        return 0.0, 0.0
    endless = not reach < np.inf
    first_end = places[0] - max(1.0, abs(places[0])) if endless else -reach
    last_end = places[last - 1] + max(1.0, abs(places[last - 1])) if endless else reach
    return places[at - 1] if at > 0 else first_end, places[at] if at < last else last_end


@compiled
def step_along(margins, slopes, weights, draw):
    """The best step along a whole line, of all rows."""
    every = numbers_below(margins.shape[0])
    order, places = crossings(every, slopes, margins, np.inf)
    return best_step(order, places, every, slopes, weights, draw, np.inf)
