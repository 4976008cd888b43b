"""Batches of rows, as many as are trained on at a time; and a file that keeps them for later passes."""

import os
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..errors import InputError

ALIGNED = 64
"""Arrays begin at a multiple of so many bytes."""


@dataclass(frozen=True)
class Batch:
    """Some rows in memory, and the number of the first of them."""

    X: Any
    labels: np.ndarray
    first: int
    path: str


class Spool:
    """Batches that were read once, as bytes in a file that is gone when it is no longer used."""

    def __init__(self, folder: Any) -> None:
        if not os.path.isdir(folder):
            raise InputError(f"The cache must be a folder, and {folder} is none.")
        self.file = TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115  closed with the spool
        self.blocks: dict[int, list[StoredBatch]] = {}
        self.buffers = deque(np.empty(0, dtype=np.uint8) for _ in range(3))

    def __enter__(self) -> "Spool":
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def read(self, k: int, block: Callable[[int], Iterator[Batch]]) -> Iterator[Batch]:
        """The batches of block k: from here or, the first time, as ``block`` gives them."""
        if k in self.blocks:
            yield from map(self.load, self.blocks[k])
            return
        kept = []
        for batch in block(k):
            kept.append(self.store(batch))
            yield batch
        self.blocks[k] = kept

    def store(self, batch: Batch) -> "StoredBatch":
        """Append the arrays of a batch, each at a multiple of ALIGNED."""
        kinds, first = [], self.file.seek(0, os.SEEK_END)
        for array in arrays_of(batch):
            kinds.append((array.dtype, array.shape))
            write_all(self.file, array.tobytes() + bytes(-array.nbytes % ALIGNED))
        return StoredBatch(first, self.file.tell() - first, kinds, batch.X.shape, batch.first, batch.path)

    def load(self, kept: "StoredBatch") -> Batch:
        """A batch as it was, in the buffer that was used longest ago: one is trained on while the next is read."""
        self.buffers.rotate()
        if len(self.buffers[0]) < kept.size:
            self.buffers[0] = np.empty(kept.size, dtype=np.uint8)
        buffer = self.buffers[0][: kept.size]
        self.file.seek(kept.place)
        read_all(self.file, buffer.data)
        arrays, place = [], 0
        for dtype, shape in kept.kinds:
            arrays.append(np.ndarray(shape, dtype, buffer, place))
            place += -(-arrays[-1].nbytes // ALIGNED) * ALIGNED
        X = arrays[0] if len(arrays) == 2 else sp.csr_matrix(tuple(arrays[:3]), shape=kept.shape)
        return Batch(X, arrays[-1], kept.first, kept.path)


@dataclass(frozen=True)
class StoredBatch:
    """Where the arrays of a batch begin, their bytes, types and shapes, and what else belongs to it."""

    place: int
    size: int
    kinds: list[tuple[Any, tuple[int, ...]]]
    shape: tuple[int, int]
    first: int
    path: str


def arrays_of(batch: Batch) -> tuple[np.ndarray, ...]:
    """The arrays that a batch is made of, the labels last."""
    X = batch.X
    return (X.data, X.indices, X.indptr, batch.labels) if sp.issparse(X) else (X, batch.labels)


def write_all(file: Any, data: bytes) -> None:
    """Write bytes, however many at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def read_all(file: Any, rest: memoryview) -> None:
    """Fill a buffer, however few bytes come at a time."""
    while rest:
        rest = rest[file.readinto(rest) :]
