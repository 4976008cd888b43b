"""Batches of rows, as many as are trained on at a time; and a file that keeps them, or the chunks they are made of."""

import math
import os
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from shutil import disk_usage
from tempfile import TemporaryFile, gettempdir
from typing import Any
from weakref import finalize

import numpy as np
import pyarrow as pa
import pyarrow.ipc
import scipy.sparse as sp

from ..data.readers import Chunk
from ..errors import InputError
from .block_files import File, Projection
from .blocks import Blocks

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
    """Chunks and batches that were read once, as bytes in a file that is gone when it is no longer used.

    ``most`` is how many bytes it may have; what is beyond is not kept, and so read again from where it came.
    """

    def __init__(self, folder: Any, most: float = math.inf) -> None:
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise InputError(f"The cache must be a folder, and {folder} is none ({error.strerror}).") from error
        self.folder, self.most = folder, most
        self.file = TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115  closed with the spool, or once it is gone
        finalize(self, self.file.close)
        self.blocks: dict[Any, list[Stored]] = {}
        self.buffers = deque(np.empty(0, dtype=np.uint8) for _ in range(3))

    def __enter__(self) -> "Spool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.file.close()

    def read(self, k: Any, block: Callable[[Any], Iterator[Any]]) -> Iterator[Any]:
        """What block k holds: from here or, the first time, as ``block`` gives it."""
        if k in self.blocks:
            yield from map(self.load, self.blocks[k])
            return
        kept = []
        for item in block(k):
            kept.append(self.store(item))
            yield item
        if all(kept):
            self.blocks[k] = [stored for stored in kept if stored]

    def store(self, item: "Batch | Chunk") -> "Stored | None":
        """Append the arrays of a batch or chunk, each at a multiple of ALIGNED, if there is room for them."""
        arrays, restore = parts_of(item)
        first = self.file.seek(0, os.SEEK_END)
        if first + sum(array.nbytes + ALIGNED for array in arrays) > self.most:
            return None
        for array in arrays:
            write_all(self.file, array.data)
            write_all(self.file, bytes(-array.nbytes % ALIGNED))
        kinds = [(array.dtype, array.shape) for array in arrays]
        return Stored(first, self.file.tell() - first, kinds, restore)

    def load(self, stored: "Stored") -> Any:
        """An item as it was, in the buffer that was used longest ago: one is trained on while the next is read."""
        self.buffers.rotate()
        if len(self.buffers[0]) < stored.size:
            self.buffers[0] = np.empty(stored.size, dtype=np.uint8)
        buffer = self.buffers[0][: stored.size]
        self.file.seek(stored.place)
        read_all(self.file, buffer.data)
        arrays, place = [], 0
        for dtype, shape in stored.kinds:
            arrays.append(np.ndarray(shape, dtype, buffer, place))
            place += -(-arrays[-1].nbytes // ALIGNED) * ALIGNED
        return stored.restore(arrays)


def temporary_spool() -> Spool:
    """A spool in the temporary folder, with at most half of what is free there."""
    folder = gettempdir()
    return Spool(folder, disk_usage(folder).free / 2)


@dataclass(frozen=True)
class Stored:
    """Where arrays begin, their bytes, types and shapes, and how what they are parts of is made of them again."""

    place: int
    size: int
    kinds: list[tuple[Any, tuple[int, ...]]]
    restore: Callable[[list[np.ndarray]], Any]


def parts_of(item: "Batch | Chunk") -> tuple[list[np.ndarray], Callable[[list[np.ndarray]], Any]]:
    """The arrays that a batch or chunk is made of, and how it is made of them again."""
    if isinstance(item, Batch):
        item_first, item_path = item.first, item.path  # not the rows themselves
        arrays, matrix = matrix_parts(item.X)
        return [*arrays, item.labels], lambda kept: Batch(matrix(kept[:-1]), kept[-1], item_first, item_path)
    if item.table is None:
        arrays, matrix = matrix_parts(item.matrix)
        return [*arrays, item.labels], lambda kept: Chunk(matrix=matrix(kept[:-1]), labels=kept[-1])
    return [table_bytes(item.table)], lambda kept: Chunk(pa.ipc.open_stream(pa.py_buffer(kept[0])).read_all())


def matrix_parts(X: Any) -> tuple[list[np.ndarray], Callable[[list[np.ndarray]], Any]]:
    """The arrays of a dense or sparse matrix, and how it is made of them again."""
    if not sp.issparse(X):
        return [X], lambda kept: kept[0]
    shape = X.shape
    return [X.data, X.indices, X.indptr], lambda kept: sp.csr_matrix(tuple(kept), shape=shape)


def table_bytes(table: Any) -> np.ndarray:
    """A table in Arrow's format of streams."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return np.frombuffer(sink.getvalue(), dtype=np.uint8)


@dataclass(frozen=True)
class KeptFile(File):
    """A file whose blocks are read once, with all columns that are trained on, and then come from a spool."""

    original: File
    spool: Spool
    everything: Projection

    def read(self, place: Any, projection: Projection) -> Iterator[Chunk]:
        for chunk in self.spool.read((self.path, place), lambda _: self.original.read(place, self.everything)):
            if chunk.table is not None and projection.columns is not None:
                chunk = Chunk(chunk.table.select(list(projection.columns)))
            yield chunk


def keep_files(blocks: Blocks, spool: Spool) -> Blocks:
    """Blocks that are read from their files once only."""
    everything = blocks.projection
    kept = (KeptFile(file.path, file.stamp, file.places, file.schema, file, spool, everything) for file in blocks.files)
    return replace(blocks, files=tuple(kept))


def write_all(file: Any, data: Any) -> None:
    """Write bytes, however many at a time."""
    rest = memoryview(data).cast("B") if len(data) else memoryview(b"")
    while rest:
        rest = rest[file.write(rest) :]


def read_all(file: Any, rest: memoryview) -> None:
    """Fill a buffer, however few bytes come at a time."""
    while rest:
        rest = rest[file.readinto(rest) :]
