"""What is kept of a run beside its last weights: an average, the best plane met, or the updates themselves.

An observer is a named tuple that a pass tells of every update: ``before`` it is made and ``after``.  These are static
methods that the passes are compiled with.  Time is the number of rows that its problem has visited.  The other methods
are Python: the weights that the run returns (``returned_weights``), and the name of the array that a later run goes on
from (``kept``), if there is one, and how many rows a plane that it keeps has wrong (``fewest_wrong``).
"""

from collections import namedtuple
from typing import Any

import numpy as np
from numba.extending import overload

from .compiled import OPTIONS, compiled
from .ledger import VISITS, Targets
from .rows import Rows, add, score


def last_weights(observer: "Observer", W: np.ndarray, visits: np.ndarray) -> np.ndarray:
    """The run returns its last weights."""
    return W


def none_known(observer: "Observer", c: int) -> float:
    """It does not know how many rows a plane of problem c has wrong."""
    return np.inf


class Nothing(namedtuple("Nothing", "nothing", defaults=(0.0,))):
    """Nothing is kept."""

    kept = None
    returns_last = True
    returned_weights = last_weights
    fewest_wrong = none_known
    takes_last = False
    keeps_row_margin = False  # so that an approximate one will not do
    reads_weights = False  # before an update, so that they must be up to date

    @staticmethod
    def before(observer, c, w, rows, targets, positive, time):
        pass

    @staticmethod
    def after(observer, vector, rows, i, step, row_margin, time):
        pass


class Average(namedtuple("Average", "sums")):
    """Σ t·s·z over the updates s·z, made at the times t.

    The mean of the weights after each of T visits is w − sums/T: the update at t is missing from the first t.
    """

    kept = "sums"
    returns_last = False
    takes_last = False
    keeps_row_margin = False
    reads_weights = False
    fewest_wrong = none_known
    before = Nothing.before

    @staticmethod
    def after(observer, vector, rows, i, step, row_margin, time):
        add(rows, i, observer.sums[vector], step * time)

    def returned_weights(self, W: np.ndarray, visits: np.ndarray) -> np.ndarray:
        """The mean over the visits of every weight vector."""
        mean = self.sums / np.maximum(visits, 1)[:, None]
        return np.subtract(W, mean, out=mean)


class Pocket(namedtuple("Pocket", "best errors runs born spent sums since all_rows every")):
    """The weights with the fewest errors on the rows ``all_rows``, and their number (the sum of these rows' weights).

    Gallant's ratchet: weights come into the pocket only if they make strictly fewer errors on all rows.  They are
    counted when they were right on more rows in a row than those in the pocket were when they came into it (``runs``),
    or ``every`` time; but no more rows are looked at to count (``spent``) than the run has visited.  Beside them the
    sums of an ``Average`` are kept, from the visit ``since`` on: the mean of all weights may be better than each.
    """

    kept = "best"
    returns_last = False
    takes_last = True
    keeps_row_margin = False
    reads_weights = True

    @staticmethod
    def before(observer, c, w, rows, targets, positive, time):
        longer = time - observer.born[c] > observer.runs[c] and observer.spent[c] <= time
        if observer.every or longer:
            observer.spent[c] += observer.all_rows.shape[0]
            if consider(observer, c, w, rows, targets, positive):
                observer.runs[c] += 1  # as soon as the run was the longer one by a row
                copy_weights(observer.best, c, w)

    @staticmethod
    def after(observer, vector, rows, i, step, row_margin, time):
        c = min(vector, observer.born.shape[0] - 1)
        observer.born[c] = time + 1
        add(rows, i, observer.sums[vector], step * (time - observer.since[c]))

    def returned_weights(self, W: np.ndarray, visits: np.ndarray) -> np.ndarray:
        """Those in the pocket."""
        return self.best

    def fewest_wrong(self, c: int) -> float:
        """Those that the plane in the pocket has."""
        return float(self.errors[c])

    def take_last(self, problems: Any) -> None:
        """The last weights of every problem are candidates too."""
        for c in range(problems.size):
            self.offer(problems, c, problems.candidate(c, problems.W)[0])

    def mean(self, problems: Any, c: int) -> np.ndarray:
        """The mean over the visits of the weights of problem c, of two classes."""
        mean: np.ndarray = problems.W[c] - self.sums[c] / max(problems.ledger[c, VISITS] - self.since[c], 1)
        return mean

    def offer(self, problems: Any, c: int, w: np.ndarray) -> None:
        """Take these weights of problem c, as it has candidates, if they make fewer errors."""
        best, positive = problems.candidate(c, self.best)
        if consider(self, c, w, problems.rows, problems.targets, positive):
            best[:] = w


class Log(namedtuple("Log", "rows steps row_margins times heads")):
    """The last updates of every weight vector, in a ring: row, signed step, row margin before it, time."""

    kept = None
    returns_last = True
    returned_weights = last_weights
    fewest_wrong = none_known
    takes_last = False
    keeps_row_margin = True
    reads_weights = False
    before = Nothing.before

    @staticmethod
    def after(observer, vector, rows, i, step, row_margin, time):
        at = observer.heads[vector] % observer.rows.shape[1]
        observer.rows[vector, at] = i
        observer.steps[vector, at] = step
        observer.row_margins[vector, at] = row_margin
        observer.times[vector, at] = time
        observer.heads[vector] += 1


class Recording(namedtuple("Recording", "beside rows vectors steps row_margins times made")):
    """The first updates of every problem, in order, as many as there is room for; and what is kept beside them.

    Of each: row, weight vector moved, signed step, row margin before it, time.  ``made`` counts those written down.
    """

    keeps_row_margin = True

    @staticmethod
    def before(observer, c, w, rows, targets, positive, time):
        before(observer.beside, c, w, rows, targets, positive, time)

    @staticmethod
    def after(observer, vector, rows, i, step, row_margin, time):
        c = min(vector, observer.made.shape[0] - 1)
        at = observer.made[c]
        if at < observer.rows.shape[1]:
            observer.rows[c, at] = i
            observer.vectors[c, at] = vector
            observer.steps[c, at] = step
            observer.row_margins[c, at] = row_margin
            observer.times[c, at] = time
            observer.made[c] += 1
        after(observer.beside, vector, rows, i, step, row_margin, time)


Observer = Nothing | Average | Pocket | Log


def before(observer: Observer, c: int, w: Any, rows: Rows, targets: Targets, positive: int, time: float) -> None:
    """The weights w of problem c are about to be updated; a matrix w is that of the joint problem."""
    raise NotImplementedError("compiled code only")


def after(observer: Observer, vector: int, rows: Rows, i: int, step: float, row_margin: float, time: float) -> None:
    """The weight vector of this number was moved by step · [x_i; bias]."""
    raise NotImplementedError("compiled code only")


def keeps_row_margin(observer: Observer) -> bool:
    """Whether the row margin of an update is written down."""
    raise NotImplementedError("compiled code only")


def wrong(rows: Rows, i: int, w: Any, targets: Targets, positive: int) -> bool:
    """Whether row i is on the wrong side."""
    raise NotImplementedError("compiled code only")


def copy_weights(best: Any, c: int, w: Any) -> None:
    """Copy the weights of problem c."""
    raise NotImplementedError("compiled code only")


@overload(before, jit_options=OPTIONS)
def _before(observer, c, w, rows, targets, positive, time):
    return observer.instance_class.before


@overload(after, jit_options=OPTIONS)
def _after(observer, vector, rows, i, step, row_margin, time):
    return observer.instance_class.after


@overload(keeps_row_margin, jit_options=OPTIONS)
def _keeps_row_margin(observer):
    answer = observer.instance_class.keeps_row_margin
    return lambda observer: answer


@overload(wrong, jit_options=OPTIONS)
def _wrong(rows, i, w, targets, positive):
    def two_classes(rows, i, w, targets, positive):
        s = score(rows, i, w)
        return not (s > 0 if targets.labels[i] == positive else s < 0)

    def joint(rows, i, w, targets, positive):
        own = targets.labels[i]
        score_of_own = score(rows, i, w[own])
        rivals = 0
        for c in range(positive):
            rivals += c != own and not score_of_own > score(rows, i, w[c])
        return rivals > 0

    return two_classes if w.ndim == 1 else joint


@overload(copy_weights, jit_options=OPTIONS)
def _copy_weights(best, c, w):
    def vector(best, c, w):  # element by element: to compile the words of an error of shapes takes a second
        for j in range(w.shape[0]):
            best[c, j] = w[j]

    def matrix(best, c, w):
        for k in range(w.shape[0]):
            for j in range(w.shape[1]):
                best[k, j] = w[k, j]

    return vector if w.ndim == 1 else matrix


@compiled
def errors_of(rows, row_order, w, targets, positive, enough):
    """The sample weights of the rows that are on the wrong side, added up; it stops at ``enough``."""
    errors = 0.0
    for i in row_order:
        if wrong(rows, i, w, targets, positive):
            errors += targets.sample_weight[min(i, targets.sample_weight.shape[0] - 1)]
            if errors >= enough:
                break
    return errors


@compiled
def consider(observer, c, w, rows, targets, positive):
    """Whether the weights w make strictly fewer errors than those in the pocket; their number is noted then."""
    errors = errors_of(rows, observer.all_rows, w, targets, positive, observer.errors[c])
    if errors >= observer.errors[c]:
        return False
    observer.errors[c] = errors
    return True


@compiled
def tell(observer, vector, rows, i, step, row_margin, time):
    """Tell of an update that was not made in a pass."""
    after(observer, vector, rows, i, step, row_margin, time)


def empty_log(vectors: int, length: int) -> Log:
    """A log for so many weight vectors."""
    shape = (vectors, length)
    heads = np.zeros(vectors, np.int64)
    return Log(np.zeros(shape, np.uint32), np.zeros(shape), np.zeros(shape), np.zeros(shape), heads)


def empty_recording(beside: Any, problems: int, length: int) -> Recording:
    """A recording of so many problems, of at most so many updates each."""
    shape = (problems, length)
    return Recording(
        beside,
        np.zeros(shape, np.uint32),
        np.zeros(shape, np.uint32),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(problems, np.int64),
    )
