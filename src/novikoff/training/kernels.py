"""Kernels of rows in blocks, through BLAS, with what is known of their rounding; and a cache of kernel rows."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.metrics.pairwise import manhattan_distances
from sklearn.utils.extmath import row_norms
from threadpoolctl import ThreadpoolController

from ..bounds import EPS
from ..exact.floats import dense, integral
from ..passes import kernel_rule, panels
from ..passes.rows import read_only

NAMES = ("linear", "poly", "rbf", "laplacian", "sigmoid", "precomputed")
LEAST_BLOCK = 48
"""So many rows, and a multiple of LANES, are multiplied at once: BLAS then sums each product in the same order,
whichever rows are together."""
LANES = 8
LARGEST_BLOCK = 256
"""So many rows at once are as fast as more."""
LITTLE_WORK = 2**18
"""Multiplications up to which BLAS takes one thread of itself."""
MUCH_WORK = 2**24
"""Multiplications from which a second thread is worth it."""
PIECE = 256
"""Features, at most, of which float32 sums products at once: short sums round less."""
STEP = panels.width(np.float32)
"""Parts of the work of several threads begin at multiples of this, as panels do."""
FEW = 1 / 3
"""The part of nonzeros up to which it is faster to multiply by them alone than by all as BLAS does."""
MANY = 256
"""Rows from which it is worth it to put those that they meet into panels."""
BLOCK_NUMBERS = 2**21
"""Kernel values at once, where the rows are no kernel rows to keep: they stay in the caches of the processor."""


@dataclass(frozen=True)
class Points:
    """Rows to take kernels of, with their squared lengths; of a precomputed kernel, rows of it and their numbers."""

    X: Any
    squares: np.ndarray
    numbers: np.ndarray

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, rows: Any) -> "Points":
        return Points(self.X[rows], self.squares[rows], self.numbers[rows])

    @property
    def dtype(self) -> Any:
        return self.X.dtype

    def doubled(self) -> "Points":
        """The same in float64."""
        return Points(self.X.astype(np.float64), self.squares, self.numbers)

    def joined(self, other: "Points") -> "Points":
        """These rows and after them the others."""
        X = stacked(self.X, other.X) if len(self) else other.X
        return Points(X, np.append(self.squares, other.squares), np.append(self.numbers, other.numbers))


@dataclass(frozen=True)
class PackedPoints(Points):
    """Rows that others are multiplied with by their nonzeros; parts of them begin where a panel does."""

    panels: np.ndarray

    def __getitem__(self, rows: Any) -> Points:
        wide = self.panels.shape[2]
        within = self.panels[rows.start // wide : -(-rows.stop // wide)]
        return PackedPoints(self.X[rows], self.squares[rows], self.numbers[rows], within)


def scale_gamma(X: Any) -> float:
    """γ = 1 / (columns × variance of all numbers), the "scale" of kernels; 1 where they are all one number.

    The variance is that of the differences from the mean, of which none is lost where the numbers are far from zero.

    >>> scale_gamma(np.array([[0.0, 2.0], [2.0, 0.0]])), scale_gamma(np.full((3, 2), 0.1))
    (0.5, 1.0)
    """
    if sp.issparse(X):
        mean, zeros = float(X.mean(dtype=np.float64)), X.shape[0] * X.shape[1] - X.nnz
        squares = float(np.square(X.data - mean, dtype=np.float64).sum()) + zeros * mean**2
        variance = squares / (X.shape[0] * X.shape[1])
    else:
        mean, variance = float(X.mean(dtype=np.float64)), float(X.var(dtype=np.float64))
    return 1 / (X.shape[1] * variance) if variance > (8 * EPS * mean) ** 2 else 1.0


def packed(right: Points, left: Points) -> Points:
    """Rows that those on the left are to be multiplied with: in panels, if those are many, dense and mostly zeros."""
    X, Z = right.X, left.X
    if sp.issparse(X) or sp.issparse(Z) or X.dtype != Z.dtype or len(left) < MANY:
        return right
    if np.count_nonzero(Z) > FEW * Z.size:
        return right
    wide = panels.width(X.dtype)
    room = np.empty((-(-len(X) // wide), X.shape[1], wide), X.dtype)
    panels.in_panels(read_only(X), room)
    return PackedPoints(X, right.squares, right.numbers, room)


def points(X: Any, first: int = 0) -> Points:
    """Rows in float32 if they are that already, else in float64; the first has this number."""
    X = X if X.dtype in (np.float32, np.float64) else X.astype(np.float64)
    X = X.tocsr() if sp.issparse(X) else np.ascontiguousarray(X)
    squares = row_norms(X.astype(np.float64, copy=False), squared=True)
    return Points(X, squares, np.arange(first, first + X.shape[0]))


@dataclass(frozen=True)
class Kernel:
    """κ(x, z), with ``bias`` added: the product of the constant feature of a bias with itself."""

    name: str
    gamma: float
    degree: int
    coef0: float
    bias: float
    function: Callable[[Any, Any], Any] | None = None

    @property
    def definite(self) -> bool:
        """Whether it is an inner product; a precomputed matrix and a function are taken at their word."""
        return self.name != "sigmoid" and (self.name != "poly" or self.coef0 >= 0)

    @property
    def given(self) -> bool:
        """Whether its values come from outside."""
        return self.name in ("precomputed", "callable")

    @property
    def multiplies(self) -> bool:
        """Whether its values are made of products of rows."""
        return self.name in ("linear", "poly", "rbf", "sigmoid")

    def block(self, left: Points, right: Points) -> np.ndarray:
        """κ of every row on the left with every one on the right, in their precision."""
        values = np.empty((len(left), len(right)), left.dtype)
        right = packed(right, left) if self.multiplies else right

        def fill(part: slice) -> None:
            values[:, part] = self.part(left, right[part])

        spread(fill, len(right), 0 if self.given else len(left) * left.X.shape[1])
        return values

    def part(self, left: Points, right: Points) -> np.ndarray:
        """The same, in one thread."""
        values = self.values(left, right)
        if self.bias:
            values += values.dtype.type(self.bias)
        return values

    def values(self, left: Points, right: Points) -> np.ndarray:
        """The same without the bias."""
        if self.name == "precomputed":
            return left.X[:, right.numbers]
        if self.name == "callable":
            return self.called(left.X, right.X)
        if self.name == "laplacian":
            distances = manhattan_distances(left.X, right.X)
            return np.exp(-self.gamma * distances).astype(left.dtype, copy=False)
        values = products(left.X, right)
        number = values.dtype.type
        if self.name == "rbf":
            lowest = number(-87 if number is np.float32 else -700)
            kernel_rule.gaussian(
                values, left.squares.astype(number), right.squares.astype(number), number(self.gamma), lowest
            )
        elif self.name != "linear":
            values *= number(self.gamma)
            values += number(self.coef0)
        if self.name == "sigmoid":
            np.tanh(values, out=values)
        elif self.name == "poly":
            base = values.copy() if self.degree > 1 else values
            for _ in range(self.degree - 1):
                values *= base
        return values

    def called(self, left: Any, right: Any) -> np.ndarray:
        """The values of the user's function, checked."""
        assert self.function is not None
        values = np.array(self.function(left, right), dtype=np.float64)
        if values.shape != (left.shape[0], right.shape[0]):
            raise ValueError(
                f"The kernel function returned an array of shape {values.shape} for {left.shape[0]} and "
                f"{right.shape[0]} rows: it must return one value for every pair, κ(A, B) of shape (len(A), len(B))."
            )
        check_finite(values, "The kernel function returned")
        return values.astype(left.dtype, copy=False)

    def diagonal(self, rows: Points) -> np.ndarray:
        """κ(x, x) of every row, in float64."""
        if self.name in ("rbf", "laplacian"):
            own = np.ones(len(rows))
        elif self.name == "precomputed":
            own = rows.X[np.arange(len(rows)), rows.numbers].astype(np.float64)
        elif self.name == "callable":
            parts = [rows[k : k + LEAST_BLOCK] for k in range(0, len(rows), LEAST_BLOCK)]
            own = np.concatenate([self.called(part.X, part.X).diagonal().astype(np.float64) for part in parts])
        else:
            own = rows.squares if self.name == "linear" else self.gamma * rows.squares + self.coef0
            own = np.tanh(own) if self.name == "sigmoid" else own**self.degree if self.name == "poly" else own
        return own + self.bias

    def exact(self, rows: Points) -> bool:
        """Whether every value is computed without rounding: whole numbers that the precision holds."""
        if self.name == "linear":
            parameters, largest = [], rows.squares.max()
        elif self.name == "poly":
            parameters = [self.gamma, self.coef0]
            largest = (self.gamma * rows.squares.max() + abs(self.coef0)) ** self.degree
        elif self.name == "precomputed":
            parameters, largest = [], np.abs(rows.X).max()
        else:
            return False
        values = rows.X.data if sp.issparse(rows.X) else rows.X
        whole = all(float(p).is_integer() for p in parameters) and integral(values)
        return bool(whole and largest + self.bias < 1 / np.finfo(rows.dtype).eps)

    def largest(self, rows: Points) -> float:
        """The largest |κ(x, z)| of these rows: by Cauchy and Schwarz the largest κ(x, x), and tanh is at most 1."""
        own = float(np.abs(self.diagonal(rows)).max(initial=0))
        return 1 + self.bias if self.name == "sigmoid" else own

    def rounding(self, rows: Points, dtype: Any) -> float:
        """At most so far is a value computed in this precision from the true one, for any two of these rows.

        A sum of d products errs by at most d units of rounding times ‖x‖·‖z‖, in any order; in pieces, by as many as
        a piece has and there are pieces.  The true values of a kernel that was given are those given.
        """
        if self.given or not len(rows):
            return 0.0
        u, d = float(np.finfo(dtype).eps) / 2, rows.X.shape[1]
        size = piece(rows.X) if dtype == np.float32 else d
        square, sum_ = float(rows.squares.max()), (size + d // size + 8) * u
        if self.name == "linear":
            error = sum_ * square
        elif self.name == "rbf":
            error = np.expm1(self.gamma * 2 * sum_ * square) + 8 * u
        elif self.name == "laplacian":
            error = np.expm1(self.gamma * 2 * sum_ * float(abs(rows.X).sum(axis=1).max())) + 8 * u
        else:
            size = self.gamma * square + abs(self.coef0)
            error = sum_ * size + 4 * u
            if self.name == "poly":
                error = self.degree * (size + error) ** (self.degree - 1) * (error + 2 * u * size)
        return float(error + 2 * u * self.bias)


def stacked(X: Any, Z: Any) -> Any:
    """The rows of both, sparse if the first are."""
    if sp.issparse(X):
        return sp.vstack([X, sp.csr_array(Z)], format="csr")
    return np.vstack([X, dense(Z)])


def products(left: Any, points: Points) -> np.ndarray:
    """x·z of every pair; sparse rows on the left are few enough to be made dense."""
    right = points.X
    if isinstance(points, PackedPoints):
        products = np.empty((len(left), len(right)), left.dtype)
        panels.multiply(read_only(left), points.panels, np.uint64(piece(left)), products)
        return products
    if sp.issparse(left):
        return np.ascontiguousarray(right.dot(left.toarray().T).T)
    if sp.issparse(right):
        return left @ right.T
    size, d = piece(left), left.shape[1]
    products = left[:, :size] @ right[:, :size].T
    for k in range(size, d, size):
        products += left[:, k : k + size] @ right[:, k : k + size].T
    return products


def piece(X: Any) -> int:
    """How many features of such rows are multiplied at once."""
    d = X.shape[1]
    return d if sp.issparse(X) or X.dtype != np.float32 else -(-d // -(-d // PIECE))


def check_finite(values: np.ndarray, what: str) -> None:
    """Raise if a kernel value is not finite."""
    wrong = np.argwhere(~np.isfinite(values))
    if len(wrong):
        i, j = wrong[0]
        raise ValueError(f"{what} {values[i, j]} for row {i} with row {j}: every kernel value must be finite.")


def scores(kernel: Kernel, rows: Points, supports: Points, coefficients: np.ndarray) -> np.ndarray:
    """Σ_j c_j·κ(x, z_j) of every row, one column per row of coefficients; in blocks, without the kernel's bias."""
    sums = np.zeros((len(rows), len(coefficients)))
    supports = packed(supports, rows) if kernel.multiplies else supports

    def fill(part: slice) -> None:
        size = max(LANES, min(LARGEST_BLOCK, BLOCK_NUMBERS // len(supports)))
        for k in range(part.start, part.stop, size):
            some = slice(k, min(k + size, part.stop))
            sums[some] = kernel.values(rows[some], supports) @ coefficients.T

    if len(supports):
        spread(fill, len(rows), 0 if kernel.given else len(supports) * rows.X.shape[1])
    return sums


@cache
def blas() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="blas")


@cache
def workers(threads: int) -> ThreadPoolExecutor:
    """So many threads, which all fits share: one fit spreads its work a hundred times, and need not start them anew."""
    return ThreadPoolExecutor(threads)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=workers.cache_clear)  # a forked process has none of its parent's threads


def spread(fill: Callable[[slice], None], count: int, work: int) -> None:
    """Fill ``count`` places, each so much work, in as many threads as BLAS has; BLAS itself then takes one in each.

    Threads of ours meet once at the end of all the work, those of BLAS in every product.
    """
    if count * work < LITTLE_WORK:
        fill(slice(0, count))
        return
    threads = max((library.num_threads for library in blas().lib_controllers), default=1)
    if threads == 1:
        fill(slice(0, count))
        return
    with blas().limit(limits=1):
        if count * work < MUCH_WORK:
            fill(slice(0, count))
            return
        steps = np.linspace(0, -(-count // STEP), 2 * threads + 1).astype(int)
        ends = np.unique(np.minimum(STEP * steps, count)).tolist()
        list(workers(threads).map(fill, [slice(a, b) for a, b in pairwise(ends)]))


class Cache:
    """Kernel rows of the training rows, up to so many megabytes of them; the least recently used go first."""

    def __init__(self, kernel: Kernel, rows: Points, megabytes: float) -> None:
        self.kernel, self.points = kernel, rows
        self.right = packed(rows, rows) if kernel.multiplies else rows
        n = len(rows)
        capacity = int(np.clip(megabytes * 2**20 / (n * rows.dtype.itemsize), 1, n))
        self.row_cache = kernel_rule.RowCache(
            np.empty((capacity, n), rows.dtype), np.full(n, -1, np.int32), np.full(capacity, -1, np.int64)
        )
        self.owner = np.full(capacity, -1)

    def room(self) -> int:
        """How many more kernel rows fit without dropping one."""
        return int(np.count_nonzero(self.owner < 0))

    def missing(self) -> np.ndarray:
        """The rows whose kernel rows are not at hand."""
        return np.flatnonzero(self.row_cache.slot < 0)

    def fetch(self, numbers: np.ndarray) -> None:
        """Compute the kernel rows of these rows, which are not at hand; of the first, as there is room for."""
        numbers = numbers[: len(self.owner)]
        row_cache = self.row_cache
        slots = np.argpartition(row_cache.used, len(numbers) - 1)[: len(numbers)]
        row_cache.slot[self.owner[slots][self.owner[slots] >= 0]] = -1
        self.owner[slots], row_cache.slot[numbers] = numbers, slots
        row_cache.used[slots] = row_cache.used.max() + 1
        for k in range(0, len(numbers), LARGEST_BLOCK):
            self.compute(numbers[k : k + LARGEST_BLOCK], slots[k : k + LARGEST_BLOCK])

    def compute(self, numbers: np.ndarray, slots: np.ndarray) -> None:
        """Compute kernel rows into these slots; by BLAS, in the company of copies of the last where they are few."""
        size = len(numbers)
        if not (self.kernel.given or isinstance(self.right, PackedPoints)):
            size = max(LEAST_BLOCK, -(-size // LANES) * LANES)
        rows = self.points[np.append(numbers, np.full(size - len(numbers), numbers[-1]))]

        def fill(part: slice) -> None:
            self.row_cache.rows[slots, part] = self.kernel.part(rows, self.right[part])[: len(numbers)]

        spread(fill, len(self.points), 0 if self.kernel.given else size * rows.X.shape[1])
