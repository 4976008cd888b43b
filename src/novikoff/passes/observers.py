"""What is kept of a run beside its last weights: an average, the best plane met, or the corrections themselves.

A watcher is a named tuple that a pass tells of every correction: ``before`` it is made and ``after``.  Time is the
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
    """Σ t·s·z over the corrections s·z, made at the times t.

    The mean of the weights after each of T visits is w − sums/T: the correction at t is missing from the first t.
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
    """The last corrections of every weight vector, in a ring: row, signed step, lead before it, time."""

    rows: Any
    steps: Any
    leads: Any
    times: Any
    heads: Any


class Record(NamedTuple):
    """The first corrections of every problem, in order, as many as there is room for; and what is kept beside them.

    Of each: row, weight vector moved, signed step, lead before it, time.  ``made`` counts those written down.
    """

    beside: Any
    rows: Any
    vectors: Any
    steps: Any
    leads: Any
    times: Any
    made: Any


def before(watch: Any, c: int, w: Any, rows: Any, targets: Any, positive: int, time: float) -> None:
    """The weights w of problem c are about to be corrected; a matrix w is that of the joint problem."""
    raise NotImplementedError("compiled code only")


def after(watch: Any, line: int, rows: Any, i: int, step: float, lead: float, time: float) -> None:
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
        lead = score(rows, i, w[own])
        rivals = 0
        for c in range(positive):
            rivals += c != own and not lead > score(rows, i, w[c])
        return rivals > 0

    return two_classes if w.ndim == 1 else joint


@compiled
def errors_of(rows, visits, w, targets, positive, enough):
    """The steps of those rows that are on the wrong side, added up; it stops at ``enough``."""
    errors = 0.0
    for i in visits:
        if wrong(rows, i, w, targets, positive):
            errors += targets.steps[min(i, targets.steps.shape[0] - 1)]
            if errors >= enough:
                break
    return errors


@compiled
def consider(watch, c, w, rows, targets, positive):
    """The ratchet: weights come into the pocket only if they make strictly fewer errors on all rows."""
    errors = errors_of(rows, watch.all_rows, w, targets, positive, watch.errors[c])
    if errors >= watch.errors[c]:
        return False
    watch.errors[c] = errors
    return True


@overload(before, jit_options=OPTIONS)
def _before(watch, c, w, rows, targets, positive, time):
    def nothing(watch, c, w, rows, targets, positive, time):
        pass

    def pocket(watch, c, w, rows, targets, positive, time):
        run = time - watch.born[c]
        if (watch.every or run > watch.runs[c]) and consider(watch, c, w, rows, targets, positive):
            watch.runs[c] = run
            keep(watch.best, c, w)

    def record(watch, c, w, rows, targets, positive, time):
        before(watch.beside, c, w, rows, targets, positive, time)

    return {Pocket: pocket, Record: record}.get(watch.instance_class, nothing)


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
def _after(watch, line, rows, i, step, lead, time):
    def nothing(watch, line, rows, i, step, lead, time):
        pass

    def average(watch, line, rows, i, step, lead, time):
        add(rows, i, watch.sums[line], step * time)

    def pocket(watch, line, rows, i, step, lead, time):
        watch.born[min(line, watch.born.shape[0] - 1)] = time + 1

    def log(watch, line, rows, i, step, lead, time):
        at = watch.heads[line] % watch.rows.shape[1]
        watch.rows[line, at] = i
        watch.steps[line, at] = step
        watch.leads[line, at] = lead
        watch.times[line, at] = time
        watch.heads[line] += 1

    def record(watch, line, rows, i, step, lead, time):
        c = min(line, watch.made.shape[0] - 1)
        at = watch.made[c]
        if at < watch.rows.shape[1]:
            watch.rows[c, at] = i
            watch.vectors[c, at] = line
            watch.steps[c, at] = step
            watch.leads[c, at] = lead
            watch.times[c, at] = time
            watch.made[c] += 1
        after(watch.beside, line, rows, i, step, lead, time)

    return {Average: average, Pocket: pocket, Log: log, Record: record}.get(watch.instance_class, nothing)


@compiled
def tell(watch, line, rows, i, step, lead, time):
    """Tell of a correction that was not made in a pass."""
    after(watch, line, rows, i, step, lead, time)


def ring(lines: int, length: int) -> Log:
    """An empty log for so many weight vectors."""
    shape = (lines, length)
    return Log(np.zeros(shape, np.uint32), np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(lines, np.int64))


def record(beside: Any, problems: int, length: int) -> Record:
    """An empty record for so many problems, of at most so many corrections each."""
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
