"""What the machine allows at best: the seconds that the bytes and the operations of a job take at measured peaks.

Reading is measured by a compiled sum over an array as large as the rows of the job, since what fits a cache is read
faster; arithmetic by a product of matrices, two operations for each multiplication and addition.  No job is quicker
than the longer of both, its roofline, but in order "active", where few rows are visited again and again in a cache.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import njit
from threadpoolctl import threadpool_limits

from novikoff.passes.rows import Dense, of_matrix, packed

REPEATS = 50
SQUARE = 1000
"""Rows and columns of the matrices whose product is timed."""


@dataclass(frozen=True)
class Job:
    """The least that is to be done: rows that have ``size`` bytes are read ``readings`` times, and ``operations``."""

    size: int
    readings: float
    operations: float
    kind: Any  # of the numbers
    threads: int = 1

    def reading(self) -> float:
        return self.size * self.readings / bandwidth(self.size, self.threads)

    def arithmetic(self) -> float:
        return self.operations / throughput(np.dtype(self.kind), self.threads)

    def share(self, seconds: float) -> str:
        """The part of the roofline that work of so many seconds reaches, and what the roofline is made of."""
        bounds = {"reading": self.reading(), "arithmetic": self.arithmetic()}
        longest = max(bounds, key=lambda name: bounds[name])
        return f"{bounds[longest] / seconds:.0%} {longest}"


def of_run(X: Any, model: Any, threads: int = 1) -> Job:
    """The rows that the run of a fitted linear learner looked at, in the fewest bytes that hold them, and its updates.

    A row is read once for all classes, scored for each of them, and added where there is an update.
    """
    rows = packed(of_matrix(X, 1.0), X.shape[1])
    size = sum(part.nbytes for part in rows if isinstance(part, np.ndarray))
    visits = model._resume.clock[:, 0]
    entries = rows.values.size if isinstance(rows, Dense) else rows.columns.size
    operations = 2 * entries / X.shape[0] * (visits.sum() + np.sum(model.n_updates_))
    return Job(size, visits.max() / X.shape[0], operations, X.dtype, threads)


@njit(nogil=True, fastmath=True)
def total(numbers: np.ndarray) -> float:
    out = np.float32(0)
    for k in range(len(numbers)):
        out += numbers[k]
    return out


def best(work: Callable[[], Any]) -> float:
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


@cache
def bandwidth(size: int, threads: int) -> float:
    """Bytes a second that so many threads read of an array of this size, each its own part."""
    parts = np.array_split(np.ones(max(size // 4, threads), dtype=np.float32), threads)
    total(parts[0])
    with ThreadPoolExecutor(threads) as pool:
        seconds = best(lambda: list(pool.map(total, parts))) if threads > 1 else best(lambda: total(parts[0]))
    return size / seconds


@cache
def throughput(kind: np.dtype, threads: int) -> float:
    """Operations a second of a product of matrices."""
    a = np.ones((SQUARE, SQUARE), dtype=kind if kind.kind == "f" else np.float32)
    with threadpool_limits(threads):
        return 2 * SQUARE**3 / best(lambda: a @ a)


def peaks() -> str:
    """What the machine does in one thread and in two, in a sentence."""
    large = 2**29
    read = " and ".join(f"{bandwidth(large, threads) / 1e9:.0f}" for threads in (1, 2))
    done = " and ".join(f"{throughput(np.dtype(np.float32), threads) / 1e9:.0f}" for threads in (1, 2))
    return (
        f"In one thread and in two this machine reads {read} GB/s of {large / 2**20:.0f} MB, and does {done} billion "
        "float32 operations per second in a product of matrices."
    )
