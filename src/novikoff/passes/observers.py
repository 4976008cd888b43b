"""What is kept of a run beside its last weights: an average, the best plane met, or the updates themselves.

A watcher is a named tuple that a pass tells of every update: ``before`` it is made and ``after``.  Time is the
number of rows that its problem has visited.
"""

from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from .compiled import OPTIONS, compiled
from .rows import add, score


class Nothing(NamedTuple):
    """Nothing is kept."""

    nothing: float = 0.0


class Average(NamedTuple):
    """Σ t·s·z over the updates s·z, made at the times t.

    The mean of the weights after each of T visits is w − sums/T: the update at t is missing from the first t.
    """

    sums: Any


class Pocket(NamedTuple):
    """The weights with the fewest errors on the rows ``all_rows``, and their number (the sum of these rows' steps).

    Weights are counted at the end of the longest run of right rows so far (``runs``), or ``every`` time.
    """

    best: Any
    errors: Any
    runs: Any
    born: Any
    all_rows: Any
    every: bool


class Log(NamedTuple):
    """The last updates of every weight vector, in a ring: row, signed step, lead before it, time."""

    rows: Any
    steps: Any
    row_margins: Any
    times: Any
    heads: Any


class Record(NamedTuple):
    """The first updates of every problem, in order, as many as there is room for; and what is kept beside them.

    Of each: row, weight vector moved, signed step, lead before it, time.  ``made`` counts those written down.
    """

    beside: Any
    rows: Any
    vectors: Any
    steps: Any
    row_margins: Any
    times: Any
    made: Any


def before(observer: Any, c: int, w: Any, rows: Any, targets: Any, positive: int, time: float) -> None:
    """The weights w of problem c are about to be updated; a matrix w is that of the joint problem."""
    raise NotImplementedError("compiled code only")


def after(observer: Any, line: int, rows: Any, i: int, step: float, row_margin: float, time: float) -> None:
    """Weight vector ``line`` was moved by step · [x_i; unit]."""
    raise NotImplementedError("compiled code only")


def wrong(rows: Any, i: int, w: Any, targets: Any, positive: int) -> bool:
    """Whether row i is on the wrong side."""
    raise NotImplementedError("compiled code only")


@overload(wrong, jit_options=OPTIONS)
def _wrong(rows, i, w, targets, positive):
    def two_classes(rows, i, w, targets, positive):
        s = score(rows, i, w)
        return not (s > 0 if targets.labels[i] == positive else s < 0)

    def joint(rows, i, w, targets, positive):
        own = targets.labels[i]
        row_margin = score(rows, i, w[own])
        rivals = 0
        for c in range(positive):
            rivals += c != own and not row_margin > score(rows, i, w[c])
        return rivals > 0

    return two_classes if w.ndim == 1 else joint


@compiled
def errors_of(rows, row_order, w, targets, positive, enough):
    """The steps of those rows that are on the wrong side, added up; it stops at ``enough``."""
    errors = 0.0
    for i in row_order:
        if wrong(rows, i, w, targets, positive):
            errors += targets.steps[min(i, targets.steps.shape[0] - 1)]
            if errors >= enough:
                break
    return errors


@compiled
def consider(observer, c, w, rows, targets, positive):
    """The ratchet: weights come into the pocket only if they make strictly fewer errors on all rows."""
    errors = errors_of(rows, observer.all_rows, w, targets, positive, observer.errors[c])
    if errors >= observer.errors[c]:
        return False
    observer.errors[c] = errors
    return True


@overload(before, jit_options=OPTIONS)
def _before(observer, c, w, rows, targets, positive, time):
    def nothing(observer, c, w, rows, targets, positive, time):
        pass

    def pocket(observer, c, w, rows, targets, positive, time):
        run = time - observer.born[c]
        if (observer.every or run > observer.runs[c]) and consider(observer, c, w, rows, targets, positive):
            observer.runs[c] = run
            keep(observer.best, c, w)

    def record(observer, c, w, rows, targets, positive, time):
        before(observer.beside, c, w, rows, targets, positive, time)

    return {Pocket: pocket, Record: record}.get(observer.instance_class, nothing)


def keep(best: Any, c: int, w: Any) -> None:
    """Copy the weights of problem c."""
    raise NotImplementedError("compiled code only")


@overload(keep, jit_options=OPTIONS)
def _keep(best, c, w):
    def vector(best, c, w):
        best[c, :] = w

    def matrix(best, c, w):
        best[:, :] = w

    return vector if w.ndim == 1 else matrix


@overload(after, jit_options=OPTIONS)
def _after(observer, line, rows, i, step, row_margin, time):
    def nothing(observer, line, rows, i, step, row_margin, time):
        pass

    def average(observer, line, rows, i, step, row_margin, time):
        add(rows, i, observer.sums[line], step * time)

    def pocket(observer, line, rows, i, step, row_margin, time):
        observer.born[min(line, observer.born.shape[0] - 1)] = time + 1

    def log(observer, line, rows, i, step, row_margin, time):
        at = observer.heads[line] % observer.rows.shape[1]
        observer.rows[line, at] = i
        observer.steps[line, at] = step
        observer.row_margins[line, at] = row_margin
        observer.times[line, at] = time
        observer.heads[line] += 1

    def record(observer, line, rows, i, step, row_margin, time):
        c = min(line, observer.made.shape[0] - 1)
        at = observer.made[c]
        if at < observer.rows.shape[1]:
            observer.rows[c, at] = i
            observer.vectors[c, at] = line
            observer.steps[c, at] = step
            observer.row_margins[c, at] = row_margin
            observer.times[c, at] = time
            observer.made[c] += 1
        after(observer.beside, line, rows, i, step, row_margin, time)

    return {Average: average, Pocket: pocket, Log: log, Record: record}.get(observer.instance_class, nothing)


@compiled
def tell(observer, line, rows, i, step, row_margin, time):
    """Tell of an update that was not made in a pass."""
    after(observer, line, rows, i, step, row_margin, time)


def ring(lines: int, length: int) -> Log:
    """An empty log for so many weight vectors."""
    shape = (lines, length)
    return Log(np.zeros(shape, np.uint32), np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(lines, np.int64))


def record(beside: Any, problems: int, length: int) -> Record:
    """An empty record for so many problems, of at most so many updates each."""
    shape = (problems, length)
    return Record(
        beside,
        np.zeros(shape, np.uint32),
        np.zeros(shape, np.uint32),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(problems, np.int64),
    )
