"""Dense and CSR rows behind the same few operations, so that every rule is written once.

A row is always the augmented [x; bias]: ``bias`` is 1 with an intercept and 0 without; the last weight belongs to it.
Several weight vectors at once are a matrix W with one vector per row.  For dense rows it is C-ordered; for sparse rows
it is Fortran-ordered and padded to a multiple of LANES, so that a nonzero meets all of its weights in one short stretch
of memory.
"""

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numba import types
from numba.extending import overload

from .compiled import OPTIONS, compiled

GROUP = 4
"""How many rows are scored together under several weight vectors, to read each weight once for all of them."""
LANES = 4
"""How many weight vectors a sparse row is scored under at once: the float64 lanes of one SIMD register."""


class Dense(NamedTuple):
    """The rows of an array of any real type, fastest in C order."""

    values: Any
    bias: float


class Csr(NamedTuple):
    """The rows of a CSR matrix; unsigned indices spare the test for negative ones."""

    values: Any
    columns: Any
    starts: Any
    bias: float


Rows = Dense | Csr


class Weights(NamedTuple):
    """Several weight vectors, and perhaps an approximate copy of them that is quicker to score with.

    An approximate score of c is within ``error_bound[c]`` of the true one.  That is ``per_length``·‖w‖, and an update
    by s·z has ‖w + s·z‖² = ‖w‖² + 2s·(w·z) + s²·‖z‖² with ‖z‖ ≤ radius.  Without a copy ``approx`` is ``exact`` and the
    error bound is 0.
    """

    exact: Any
    approx: Any
    error_bound: Any
    per_length: float
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


def scores(rows: Rows, row_order: Any, t: int, stride: int, W: Any, active: Any, out: Any) -> None:
    """out[g, c] = W[c] · [x; bias] for the GROUP rows row_order[t + g · stride], (at least) every active c.

    Dense rows are scored in the precision of ``W``, which may be float32.
    """
    raise NotImplementedError("compiled code only")


def renew(weights: Any, c: int, step: float, row_margin: float) -> None:
    """Bring the approximate copy of weight vector c, if there is one, and its error bound up to date after an update"""
    raise NotImplementedError("compiled code only")


def of_matrix(X: Any, bias: float) -> Rows:
    """The rows of an array or CSR matrix as the passes read them, without a copy."""
    if sp.issparse(X):
        return Csr(as_numbers(X.data), unsigned(X.indices), unsigned(X.indptr), bias)
    return Dense(as_numbers(X), bias)


def as_numbers(values: np.ndarray) -> np.ndarray:
    """Truth values as the bytes 0 and 1, which convert to numbers without a test."""
    return values.view(np.uint8) if values.dtype == bool else values


def unsigned(indices: np.ndarray) -> np.ndarray:
    """The same indices; none is negative."""
    return indices.view(f"u{indices.dtype.itemsize}")


def by_kind(rows: Rows, dense: Any, sparse: Any) -> Any:
    """Give an overload the body for its kind of rows."""
    return dense if rows.instance_class is Dense else sparse


def precision(weights: Any) -> Any:
    """The kind of number in which dense rows are scored under such weights."""
    return np.float32 if weights.dtype == types.float32 else np.float64


@overload(score, jit_options=OPTIONS)
def _score(rows, i, w):
    number = precision(w)

    def dense(rows, i, w):
        x = rows.values[i]
        total = number(rows.bias) * w[x.shape[0]]
        for j in range(x.shape[0]):
            total += w[j] * number(x[j])
        return np.float64(total)

    def sparse(rows, i, w):
        total = 0.0
        for k in range(rows.starts[i], rows.starts[i + 1]):
            total += w[rows.columns[k]] * rows.values[k]
        return total + rows.bias * w[w.shape[0] - 1]

    return by_kind(rows, dense, sparse)


@overload(add, jit_options=OPTIONS)
def _add(rows, i, w, step):
    def dense(rows, i, w, step):
        x = rows.values[i]
        for j in range(x.shape[0]):
            w[j] += step * x[j]
        w[x.shape[0]] += step * rows.bias

    def sparse(rows, i, w, step):
        for k in range(rows.starts[i], rows.starts[i + 1]):
            w[rows.columns[k]] += step * rows.values[k]
        w[w.shape[0] - 1] += step * rows.bias

    return by_kind(rows, dense, sparse)


@overload(count, jit_options=OPTIONS)
def _count(rows):
    def dense(rows):
        return rows.values.shape[0]

    def sparse(rows):
        return rows.starts.shape[0] - 1

    return by_kind(rows, dense, sparse)


@overload(square, jit_options=OPTIONS)
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
            total += np.float64(rows.values[k]) * np.float64(rows.values[k])
        return total + rows.bias * rows.bias

    return by_kind(rows, dense, sparse)


def dense_scores(number):
    """The body of scores for dense rows, in numbers of this kind."""

    def body(rows, row_order, t, stride, W, active, out):
        last = row_order.shape[0] - 1
        d = rows.values.shape[1]
        p, q = rows.values[row_order[min(t, last)]], rows.values[row_order[min(t + stride, last)]]
        r, s = rows.values[row_order[min(t + 2 * stride, last)]], rows.values[row_order[min(t + 3 * stride, last)]]
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


def sparse_scores(rows, row_order, t, stride, W, active, out):
    """The body of scores for sparse rows, LANES weight vectors at a time."""
    for g in range(GROUP):
        if t + g * stride >= row_order.shape[0]:
            break
        i = row_order[t + g * stride]
        for c in range(np.uint64(0), np.uint64(W.shape[0]), np.uint64(LANES)):
            c1, c2, c3 = c + np.uint64(1), c + np.uint64(2), c + np.uint64(3)
            s0 = s1 = s2 = s3 = 0.0
            for k in range(rows.starts[i], rows.starts[i + 1]):
                w, x = W[:, rows.columns[k]], rows.values[k]
                s0 += w[c] * x
                s1 += w[c1] * x
                s2 += w[c2] * x
                s3 += w[c3] * x
            bias = W[:, W.shape[1] - 1]
            out[g, c], out[g, c1] = s0 + rows.bias * bias[c], s1 + rows.bias * bias[c1]
            out[g, c2], out[g, c3] = s2 + rows.bias * bias[c2], s3 + rows.bias * bias[c3]


@overload(scores, jit_options=OPTIONS)
def _scores(rows, row_order, t, stride, W, active, out):
    return by_kind(rows, dense_scores(precision(W)), sparse_scores)


@overload(renew, jit_options=OPTIONS)
def _renew(weights, c, step, row_margin):
    def copied(weights, c, step, row_margin):
        for j in range(weights.exact.shape[1]):
            weights.approx[c, j] = np.float32(weights.exact[c, j])
        longer = (step * weights.radius) ** 2 + 2 * step * max(row_margin, 0.0)
        weights.error_bound[c] = np.hypot(weights.error_bound[c], weights.per_length * np.sqrt(longer))

    def shared(weights, c, step, row_margin):
        pass

    return copied if weights.types[1].dtype == types.float32 else shared


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
