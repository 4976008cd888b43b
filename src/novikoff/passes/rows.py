"""Dense and CSR rows behind the same few operations, so that every rule is written once.

A row is always the augmented [x; bias]: ``bias`` is 1 with an intercept and 0 without; the last weight belongs to it.
Several weight vectors at once are a matrix W with one vector per row.  For dense rows it is C-ordered; where sparse
rows are scored under several vectors at once it is Fortran-ordered and padded, to LANES vectors at least, so that a
nonzero meets all of its weights in a few whole lines of memory.
"""

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numba import types
from numba.extending import overload

from .compiled import INLINED, OPTIONS, compiled, in_order, inlined
from .intrinsics import LANES, add_multiple, gathered_sum, inner_product, lane_sums, vectorised
from .nonzeros import write_nonzeros

GROUP = 4
"""How many dense rows are scored together under several weight vectors, to read each weight once for all of them."""
ROUNDING = float(np.finfo(np.float32).eps) / 2
"""The largest relative rounding error of one float32 operation."""
FEW = 1 / 5
"""The part of nonzeros up to which dense rows are packed as sparse ones."""
LARGE = 2**24
"""Bytes of dense rows up to which caches hold them, so that it is as fast to read their zeros."""
SEEN = 256
"""Rows in which nonzeros are counted before all rows are packed."""
LARGEST_WHOLE = 2**15 - 1
"""Up to this size a whole number is kept in 16 bits."""
BLOCK = 256
"""Columns of which weights are copied together, lest lines of memory be read once for each vector."""
TINY = 1e-15
"""Added to lengths, so that their product is above what underflows in float32."""


class Dense(NamedTuple):
    """The rows of an array of any real type, fastest in C order."""

    values: Any
    bias: float


class Csr(NamedTuple):
    """The rows of a CSR matrix; unsigned indices spare the test for negative ones.

    Where all values are 1, as in rows that say what is there and what is not, ``values`` is None.
    """

    values: Any
    columns: Any
    starts: Any
    bias: float


Rows = Dense | Csr


class Weights(NamedTuple):
    """Several weight vectors, and perhaps a copy of them in fewer bytes that is quicker to score with, in float32.

    The copy is in float32, or, of sparse rows, in whole numbers of 16 bits.  While these hold all weights of a vector
    only they are moved, and ``exact`` is behind; before the first that does not fit, ``exact`` is brought up to date,
    and from then on only that is moved.
    A score of that copy is within ``length_bound[c]`` times the rounding of the row of the true one.  ‖w‖ is bounded
    as an update by s·z has ‖w + s·z‖² = ‖w‖² + 2s·(w·z) + s²·‖z‖², where ‖z‖ of a dense row is taken as the radius.
    Without a copy ``approx`` is ``exact``, and the bound is 0; of a copy that is no longer moved it is infinite.
    """

    exact: Any
    approx: Any
    length_bound: Any
    radius: float


def score(rows: Rows, i: int, w: Any) -> float:
    """w · [x_i; bias]."""
    raise NotImplementedError("compiled code only")


def add(rows: Rows, i: int, w: Any, step: float) -> None:
    """w ← w + step · [x_i; bias]."""
    raise NotImplementedError("compiled code only")


def count(rows: Rows) -> int:
    """How many rows there are."""
    raise NotImplementedError("compiled code only")


def square(rows: Rows, i: int) -> float:
    """‖[x_i; bias]‖²."""
    raise NotImplementedError("compiled code only")


def entry(rows: Csr, k: int) -> float:
    """The value at place k of sparse rows."""
    raise NotImplementedError("compiled code only")


def together(rows: Rows) -> int:
    """How many rows ``scores`` takes at once."""
    raise NotImplementedError("compiled code only")


def scores(rows: Rows, row_order: Any, t: int, W: Any, active: Any, out: Any) -> None:
    """out[g, c] = W[c] · [x; bias] for the rows row_order[t + g] that go together, (at least) every active c.

    Rows are scored in the numbers of ``out``: ``precision`` of those of ``W``.
    """
    raise NotImplementedError("compiled code only")


def rounding(rows: Rows, i: int, weights: Any) -> float:
    """How far a score of row i under ``weights.approx`` is at most from the true one, in units of ‖w‖."""
    raise NotImplementedError("compiled code only")


def move(weights: Any, rows: Rows, i: int, c: int, step: float, row_margin: float) -> None:
    """Add step · [x_i; bias] to weight vector c, and bring its copy, if there is one, and its bound up to date."""
    raise NotImplementedError("compiled code only")


def of_matrix(X: Any, bias: float) -> Rows:
    """The rows of an array or CSR matrix as the passes read them, without a copy."""
    if sp.issparse(X):
        return Csr(*map(read_only, (as_numbers(X.data), unsigned(X.indices), unsigned(X.indptr))), bias)
    return Dense(read_only(as_numbers(X)), bias)


def packed(rows: Rows, features: int) -> Rows:
    """The same rows in fewer bytes where that changes no number.

    Sparse rows have no ones, counts as whole numbers, and columns in 16 bits: of the values and columns at most a third
    of the bytes is copied.  Dense rows become sparse if they are large and mostly zeros; that takes less than a third
    of their bytes.
    """
    if isinstance(rows, Dense):
        return without_zeros(rows, features)
    values, columns, starts, bias = rows
    if all_ones(values):
        values = None
    elif values.itemsize == 8:
        narrow = (np.empty(values.shape, kind) for kind in (np.uint8, np.uint16))
        values = next((counts for counts in narrow if fits(values, counts, np.iinfo(counts.dtype).max)), values)
    if columns.itemsize > 2 and features <= 2**16:
        columns = columns.astype(np.uint16)
    if starts.itemsize == 8 and starts[-1] < 2**32:
        starts = starts.astype(np.uint32)
    return Csr(values if values is None else read_only(values), read_only(columns), read_only(starts), bias)


def without_zeros(rows: Dense, features: int) -> Rows:
    """Dense rows as sparse ones, with counts as whole numbers, if that pays."""
    X = rows.values
    large = X.nbytes > LARGE and X.itemsize >= 4 and features <= 2**16 and X.size < 2**32
    some = X[:: max(1, len(X) // SEEN)] if large else X
    if not large or np.count_nonzero(some) > FEW * some.size:
        return rows
    room, starts = int(FEW * X.size) + features, np.empty(len(X) + 1, np.uint32)
    columns = np.empty(room, np.uint16)
    for kind in (np.uint8, np.uint16, X.dtype):
        limits = np.iinfo(kind) if np.dtype(kind).kind in "iu" else np.finfo(kind)
        values = np.empty(room, kind)
        count = write_nonzeros(X, values, columns, starts, X.dtype.type(limits.min), X.dtype.type(limits.max))
        if count >= 0:
            return Csr(read_only(values[:count]), read_only(columns[:count]), read_only(starts), rows.bias)
    return rows


@compiled
def all_ones(values):
    """Whether every value is 1."""
    part, last = np.uint64(4096), np.uint64(values.shape[0])  # after a part it is seen whether to go on
    for start in range(np.uint64(0), last, part):
        others = 0
        for k in range(start, min(start + part, last)):
            others += values[k] != 1
        if others:
            return False
    return True


@compiled
def fits(values, out, largest):
    """Copy every value; whether all of them are whole numbers from 0 to the largest."""
    part, last = np.uint64(4096), np.uint64(values.shape[0])  # after a part it is seen whether to go on
    for start in range(np.uint64(0), last, part):  # unsigned, as the test for negative indices would cost most
        wrong = 0
        for k in range(start, min(start + part, last)):
            x = values[k]
            count = np.int32(x if (x >= 0) & (x <= largest) else 0)
            out[k] = count
            wrong += count != x
        if wrong:
            return False
    return True


def as_numbers(values: np.ndarray) -> np.ndarray:
    """Truth values as the bytes 0 and 1, which convert to numbers without a test."""
    return values.view(np.uint8) if values.dtype == bool else values


def read_only(values: np.ndarray) -> np.ndarray:
    """The same values, for reading only.

    Numba compiles apart for arrays that may be written and those that may not; so there is one kind of them.
    """
    if not values.flags.writeable:
        return values
    view = values.view()
    view.flags.writeable = False
    return view


def unsigned(indices: np.ndarray) -> np.ndarray:
    """The same indices; none is negative."""
    return indices.view(f"u{indices.dtype.itemsize}")


def by_kind(rows: Rows, dense: Any, sparse: Any) -> Any:
    """Give an overload the body for its kind of rows."""
    return dense if rows.instance_class is Dense else sparse


def precision(weights: Any) -> Any:
    """The kind of number in which rows are scored under such weights."""
    return np.float64 if weights.dtype == types.float64 else np.float32


def is_ones(rows: Rows) -> bool:
    """Whether all values of sparse rows are 1, and not stored."""
    return rows.types[0] == types.none


@in_order
def sum_of_entries(w, columns, start, stop):
    """Σ w[columns[k]] for k from start to stop: one by one, in four sums, as short rows are summed fastest."""
    a = b = c = d = 0.0
    rest = stop - (stop - start) % np.uint64(4)
    for k in range(start, rest, np.uint64(4)):
        a += w[columns[k]]
        b += w[columns[k + np.uint64(1)]]
        c += w[columns[k + np.uint64(2)]]
        d += w[columns[k + np.uint64(3)]]
    for k in range(rest, stop):
        a += w[columns[k]]
    return (a + b) + (c + d)


@overload(entry, jit_options=INLINED)
def _entry(rows, k):
    def value(rows, k):
        return rows.values[k]

    def one(rows, k):
        return 1.0  # a product with it is left out

    return one if is_ones(rows) else value


@overload(score, jit_options=INLINED)
def _score(rows, i, w):
    number = precision(w)

    def dense(rows, i, w):
        x = rows.values[i]
        return np.float64(number(rows.bias) * w[x.shape[0]] + inner_product(w, x))

    def entry_by_entry(rows, i, w):
        x = rows.values[i]
        total = number(rows.bias) * w[x.shape[0]]
        for j in range(x.shape[0]):
            total += w[j] * number(x[j])
        return np.float64(total)

    def ones(rows, i, w):
        start, stop = np.uint64(rows.starts[i]), np.uint64(rows.starts[i + 1])
        return sum_of_entries(w, rows.columns, start, stop) + rows.bias * w[w.shape[0] - 1]

    def sparse(rows, i, w):
        start, stop = np.uint64(rows.starts[i]), np.uint64(rows.starts[i + 1])
        return gathered_sum(w, rows.values, rows.columns, start, stop) + rows.bias * w[w.shape[0] - 1]

    def one_by_one(rows, i, w):
        total = 0.0
        for k in range(rows.starts[i], rows.starts[i + 1]):
            total += np.float64(w[rows.columns[k]]) * entry(rows, k)
        return total + rows.bias * w[w.shape[0] - 1]

    whole_lines = w.layout == "C"
    if rows.instance_class is Dense:
        return dense if whole_lines and rows.types[0].layout == "C" else entry_by_entry
    if not (whole_lines and number is np.float64):
        return one_by_one
    return ones if is_ones(rows) else sparse if vectorised(rows.types[0]) else one_by_one


@overload(add, jit_options=INLINED)
def _add(rows, i, w, step):
    def dense(rows, i, w, step):
        x = rows.values[i]
        add_multiple(w, x, step)
        w[x.shape[0]] += step * rows.bias

    def entry_by_entry(rows, i, w, step):
        x = rows.values[i]
        for j in range(x.shape[0]):
            w[j] += step * x[j]
        w[x.shape[0]] += step * rows.bias

    def sparse(rows, i, w, step):
        for k in range(rows.starts[i], rows.starts[i + 1]):
            w[rows.columns[k]] += step * entry(rows, k)
        w[w.shape[0] - 1] += step * rows.bias

    if rows.instance_class is Dense:
        return dense if w.layout == "C" and rows.types[0].layout == "C" else entry_by_entry
    return sparse


@overload(count, jit_options=OPTIONS)
def _count(rows):
    def dense(rows):
        return rows.values.shape[0]

    def sparse(rows):
        return rows.starts.shape[0] - 1

    return by_kind(rows, dense, sparse)


@overload(square, jit_options=INLINED)
def _square(rows, i):
    def dense(rows, i):
        x = rows.values[i]
        total = 0.0
        for j in range(x.shape[0]):
            total += np.float64(x[j]) * np.float64(x[j])
        return total + rows.bias * rows.bias

    def sparse(rows, i):
        total = 0.0
        for k in range(rows.starts[i], rows.starts[i + 1]):
            total += np.float64(entry(rows, k)) * np.float64(entry(rows, k))
        return total + rows.bias * rows.bias

    return by_kind(rows, dense, sparse)


def dense_scores(number):
    """The body of scores for dense rows, in numbers of this kind."""

    def body(rows, row_order, t, W, active, out):
        last = row_order.shape[0] - 1
        d = rows.values.shape[1]
        p, q = rows.values[row_order[min(t, last)]], rows.values[row_order[min(t + 1, last)]]
        r, s = rows.values[row_order[min(t + 2, last)]], rows.values[row_order[min(t + 3, last)]]
        pairs = active.shape[0] // 2
        for k in range(pairs):
            a, b = active[2 * k], active[2 * k + 1]
            v, w = W[a], W[b]
            vp = vq = vr = vs = number(rows.bias) * v[d]
            wp = wq = wr = ws = number(rows.bias) * w[d]
            for j in range(d):
                pj, qj, rj, sj = number(p[j]), number(q[j]), number(r[j]), number(s[j])
                vp += v[j] * pj
                vq += v[j] * qj
                vr += v[j] * rj
                vs += v[j] * sj
                wp += w[j] * pj
                wq += w[j] * qj
                wr += w[j] * rj
                ws += w[j] * sj
            out[0, a], out[1, a], out[2, a], out[3, a] = vp, vq, vr, vs
            out[0, b], out[1, b], out[2, b], out[3, b] = wp, wq, wr, ws
        for k in range(2 * pairs, active.shape[0]):
            v = W[active[k]]
            vp = vq = vr = vs = number(rows.bias) * v[d]
            for j in range(d):
                vp += v[j] * number(p[j])
                vq += v[j] * number(q[j])
                vr += v[j] * number(r[j])
                vs += v[j] * number(s[j])
            out[0, active[k]], out[1, active[k]], out[2, active[k]], out[3, active[k]] = vp, vq, vr, vs

    return body


def sparse_scores(rows, row_order, t, W, active, out):
    """The body of scores for one sparse row, LANES weight vectors at a time; some of the last ones maybe twice."""
    start, stop = rows.starts[row_order[t]], rows.starts[row_order[t] + 1]
    last = np.uint64(W.shape[0] - LANES)
    for c in range(np.uint64(0), np.uint64(W.shape[0]), np.uint64(LANES)):
        lane_sums(W.T, min(c, last), rows.values, rows.columns, start, stop, rows.bias, out[0])


@overload(together, jit_options=OPTIONS)
def _together(rows):
    number = by_kind(rows, GROUP, 1)
    return lambda rows: number


@overload(scores, jit_options=OPTIONS)
def _scores(rows, row_order, t, W, active, out):
    return by_kind(rows, dense_scores(precision(W)), sparse_scores)


def is_copy(weights: Any) -> bool:
    """Whether the weights to score with are a copy."""
    return weights.types[1].dtype != types.float64


def room_for_scores(rows: Rows, W: Any) -> Any:
    """What ``scores`` writes to."""
    raise NotImplementedError("compiled code only")


@overload(room_for_scores, jit_options=OPTIONS)
def _room_for_scores(rows, W):
    number = precision(W)
    return lambda rows, W: np.empty((together(rows), W.shape[0]), number)


def is_whole(weights: Any) -> bool:
    """Whether the weights to score with are a copy in whole numbers."""
    return isinstance(weights.types[1].dtype, types.Integer)


def exact_score(weights: Any, rows: Rows, i: int, c: int) -> float:
    """The score of row i under weight vector c as it is."""
    raise NotImplementedError("compiled code only")


@overload(exact_score, jit_options=INLINED)
def _exact_score(weights, rows, i, c):
    def exact(weights, rows, i, c):
        return score(rows, i, weights.exact[c])

    def whole(weights, rows, i, c):
        behind = weights.length_bound[c] < np.inf
        return score(rows, i, weights.approx[c]) if behind else score(rows, i, weights.exact[c])

    return whole if is_whole(weights) else exact


@inlined
def add_whole(rows, i, w, step):
    """w ← w + step · [x_i; bias] in whole numbers of 16 bits; nothing, if one does not fit.  Whether it was done."""
    start, stop = rows.starts[i], rows.starts[i + 1]
    last = w.shape[0] - 1
    bias = w[last] + step * rows.bias
    if abs(bias) > LARGEST_WHOLE:
        return False
    for k in range(start, stop):
        j = rows.columns[k]
        moved = w[j] + step * entry(rows, k)
        if abs(moved) > LARGEST_WHOLE:
            for before in range(start, k):
                w[rows.columns[before]] -= np.int16(step * entry(rows, before))
            return False
        w[j] = np.int16(moved)
    w[last] = np.int16(bias)
    return True


@compiled
def write_whole(copy, vectors, W):
    """Write the weight vectors of these numbers from their copy to W, some columns of all at a time."""
    for start in range(0, W.shape[1], BLOCK):
        for c in vectors:
            for j in range(start, min(start + BLOCK, W.shape[1])):
                W[c, j] = copy[c, j]


@compiled
def whole_squares(copy, out):
    """‖w‖² of the first weight vectors of a copy, as many as there is room for."""
    out[:] = 0.0
    for j in range(copy.shape[1]):
        for c in range(out.shape[0]):
            out[c] += np.float64(copy[c, j]) * np.float64(copy[c, j])


@overload(rounding, jit_options=INLINED)
def _rounding(rows, i, weights):
    # γ_n·‖x‖, where n counts the products, the roundings of w and x, and the additions of the bias.
    def dense(rows, i, weights):
        n = (rows.values.shape[1] + 5) * ROUNDING
        return n / (1 - n) * (weights.radius + TINY) if n < 1 else np.inf

    def sparse(rows, i, weights):
        n = (rows.starts[i + 1] - rows.starts[i] + 5) * ROUNDING
        return n / (1 - n) * (np.sqrt(square(rows, i)) + TINY) if n < 1 else np.inf

    def no_copy(rows, i, weights):
        return 0.0

    return by_kind(rows, dense, sparse) if is_copy(weights) else no_copy


@overload(move, jit_options=INLINED)
def _move(weights, rows, i, c, step, row_margin):
    def lengthen(weights, c, step, row_margin, square):
        longer = step**2 * square + 2 * abs(step) * max(row_margin, 0.0)
        weights.length_bound[c] = np.sqrt(weights.length_bound[c] ** 2 + longer)

    lengthen = compiled(lengthen)

    def dense(weights, rows, i, c, step, row_margin):
        x, w, copy = rows.values[i], weights.exact[c], weights.approx[c]
        for j in range(x.shape[0]):
            w[j] += step * x[j]
            copy[j] = np.float32(w[j])
        w[-1] += step * rows.bias
        copy[-1] = np.float32(w[-1])
        lengthen(weights, c, step, row_margin, weights.radius**2)

    def sparse(weights, rows, i, c, step, row_margin):
        w, copy = weights.exact[c], weights.approx[c]
        for k in range(rows.starts[i], rows.starts[i + 1]):
            j = rows.columns[k]
            w[j] += step * entry(rows, k)
            copy[j] = np.float32(w[j])
        w[-1] += step * rows.bias
        copy[-1] = np.float32(w[-1])
        lengthen(weights, c, step, row_margin, square(rows, i))

    def whole(weights, rows, i, c, step, row_margin):
        behind = weights.length_bound[c] < np.inf
        if behind and add_whole(rows, i, weights.approx[c], step):
            lengthen(weights, c, step, row_margin, square(rows, i))
            return
        if behind:
            for j in range(weights.exact.shape[1]):
                weights.exact[c, j] = weights.approx[c, j]
            weights.length_bound[c] = np.inf
        add(rows, i, weights.exact[c], step)

    def no_copy(weights, rows, i, c, step, row_margin):
        add(rows, i, weights.exact[c], step)

    if not is_copy(weights):
        return no_copy
    return whole if is_whole(weights) else by_kind(rows, dense, sparse)


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
