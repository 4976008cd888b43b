"""Files cut into blocks that can be read by themselves and in any order.

A block is a row group of a Parquet file, a record batch of a Feather file, a range of bytes with whole lines of a
CSV or libsvm file, or all of a compressed file, which can only be read from its beginning.  It comes in chunks of a few
megabytes.
"""

import io
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq

from ..data.frames import list_size
from ..data.open_files import LONGEST_LINE, SAMPLE, Reading, Sheet, files_named, open_file, sniff_sheet
from ..data.readers import Chunk, open_data, sparse_chunk, text_table
from ..errors import InputError

CHUNK_BYTES = 2**22
"""Bytes of numbers that a chunk of a block is meant to hold."""
RANGE_BYTES = 2**23
"""Bytes of lines that are one block."""
BUFFER = 2**14
"""Bytes that are read at a time of every column of a row group, instead of all of it."""
Stamp = tuple[int, int]


@dataclass(frozen=True)
class Projection:
    """The columns to be read (None: all), and those of them that hold numbers."""

    columns: tuple[str, ...] | None = None
    numbers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class File(ABC):
    """A file that is read in blocks: the place of each, and the names and types of its columns, if it has any."""

    path: str
    stamp: Stamp
    places: tuple[Any, ...]
    schema: dict[str, str] | None

    def check_unchanged(self) -> None:
        """Raise unless the file is still what it was when it was opened."""
        try:
            now = stamp_of(self.path)
        except OSError as error:
            raise InputError(f"{self.path} is gone since it was opened: put it back and begin again.") from error
        if now != self.stamp:
            change = f"from {self.stamp[0]:,} to {now[0]:,} bytes" if now[0] != self.stamp[0] else "of the same size"
            raise InputError(f"{self.path} was changed while it was read ({change}): begin again.")

    def chunks(self, place: Any, projection: Projection) -> Iterator[Chunk]:
        """The rows of a block, a few megabytes at a time."""
        self.check_unchanged()
        try:
            yield from self.read(place, projection)
        except (pa.ArrowException, OSError) as error:
            self.check_unchanged()
            raise InputError(f"{self.path} is damaged: {str(error).splitlines()[0]}.") from error

    @abstractmethod
    def read(self, place: Any, projection: Projection) -> Iterator[Chunk]:
        """The rows of a block, a few megabytes at a time; raises pyarrow's own errors."""


class ParquetFile(File):
    """Its places are the numbers of the row groups."""

    def read(self, place: Any, projection: Projection) -> Iterator[Chunk]:
        about = metadata(self.path, self.stamp)
        group = about.row_group(place)
        columns = None if projection.columns is None else list(projection.columns)
        numbers = group.num_columns + sum(map(list_size, (self.schema or {}).values()))
        wide = max(8 * numbers, group.total_byte_size // max(1, group.num_rows))
        rows = max(1, CHUNK_BYTES // wide)
        with pq.ParquetFile(self.path, metadata=about, buffer_size=BUFFER, pre_buffer=False) as file:
            for batch in file.iter_batches(rows, row_groups=[place], columns=columns, use_threads=False):
                yield Chunk(pa.Table.from_batches([batch]))


class FeatherFile(File):
    """Its places are the numbers of the record batches."""

    def read(self, place: Any, projection: Projection) -> Iterator[Chunk]:
        with pa.memory_map(
            self.path
        ) as file:  # the batch is read where it is looked at, and unmapped with the last look
            batch = pyarrow.ipc.open_file(file).get_batch(place)
        batch.validate()
        if projection.columns is not None:
            batch = batch.select(list(projection.columns))
        rows = max(1, CHUNK_BYTES * batch.num_rows // max(1, batch.nbytes))
        for first in range(0, batch.num_rows, rows):
            yield Chunk(pa.Table.from_batches([batch.slice(first, rows)]))


@dataclass(frozen=True)
class TextFile(File):
    """CSV; its places are byte ranges of whole records, (offset, bytes)."""

    written: Sheet

    def read(self, place: Any, projection: Projection) -> Iterator[Chunk]:
        only = None if projection.columns is None else list(projection.columns)
        yield Chunk(text_table(self.written, lines(self.path, place), projection.numbers, only))


class SparseFile(File):
    """libsvm; its places are byte ranges of whole lines, (offset, bytes)."""

    def read(self, place: Any, projection: Projection) -> Iterator[Chunk]:
        yield sparse_chunk(lines(self.path, place), self.path, partial(count_lines, self.path, place[0]))


@dataclass(frozen=True)
class CompressedFile(File):
    """A file that is decompressed as it is read, always from its beginning; its one place is all of it."""

    reading: Reading

    def read(self, place: Any, projection: Projection) -> Iterator[Chunk]:
        for chunk in open_data(self.path, self.reading).chunks:
            if chunk.table is not None and projection.columns is not None:
                chunk = Chunk(chunk.table.select(list(projection.columns)))
            yield chunk


def files_of(source: Any, reading: Reading) -> tuple[File, ...]:
    """The files of a path, a folder, a pattern or a list of these; all with the columns of the first."""
    files = tuple(file_of(path, reading) for path in paths_of(source))
    if not files:
        raise InputError("The list of files is empty.")
    for other in files[1:]:
        check_same_columns(files[0], other)
    return files


def paths_of(source: Any) -> list[str]:
    """The paths that a source names, in the order of the list."""
    if isinstance(source, list | tuple):
        return [path for one in source for path in paths_of(one)]
    path = os.fspath(source)
    return [path] if os.path.isfile(path) else files_named(path)


def file_of(path: str, reading: Reading) -> File:
    """Look at a file and find its blocks."""
    if path == "-":
        raise InputError("Standard input can be read once only, and learning reads its data again: save it to a file.")
    stamp = stamp_of(path)
    data = open_file(path)
    with data.file:
        if data.format == "npz":
            raise InputError(f"{path} is an npz file, which is read whole: save larger data as Parquet or libsvm.")
        data.tell_of_queries()
        written = sniff_sheet(data, reading) if data.format == "csv" else None
    if data.format in ("parquet", "feather") and data.path is None:
        raise InputError(
            f"{path} is {data.format} compressed once more: decompress it, as it is compressed inside already."
        )
    try:
        return OPENERS[data.format](path, stamp, data.path is None, written, reading)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path} is damaged: {str(error).splitlines()[0]}.") from error


def open_parquet(path: str, stamp: Stamp, compressed: bool, written: Sheet | None, reading: Reading) -> File:
    about = metadata(path, stamp)
    types = about.schema.to_arrow_schema()
    return ParquetFile(path, stamp, tuple(range(about.num_row_groups)), schema_of(types))


def open_feather(path: str, stamp: Stamp, compressed: bool, written: Sheet | None, reading: Reading) -> File:
    with pa.OSFile(path) as file:
        about = pyarrow.ipc.open_file(file)
        return FeatherFile(path, stamp, tuple(range(about.num_record_batches)), schema_of(about.schema))


def open_text(path: str, stamp: Stamp, compressed: bool, written: Sheet | None, reading: Reading) -> File:
    assert written is not None
    schema = dict.fromkeys(written.columns, "string")
    converted = written.form != "CSV" or written.encoding.startswith("utf-16")
    if compressed or converted or b"\n" not in lines(path, (0, SAMPLE)):
        return CompressedFile(path, stamp, (None,), schema, reading)
    header = skipped_bytes(path, written.skipped)
    plain = replace(written, file=io.BytesIO(), skipped=0)
    return TextFile(path, stamp, byte_ranges(path, header, written.quoted), schema, plain)


def open_sparse(path: str, stamp: Stamp, compressed: bool, written: Sheet | None, reading: Reading) -> File:
    if compressed:
        return CompressedFile(path, stamp, (None,), None, reading)
    return SparseFile(path, stamp, byte_ranges(path, 0, quoted=False), None)


OPENERS = {"parquet": open_parquet, "feather": open_feather, "csv": open_text, "libsvm": open_sparse}


def stamp_of(path: str) -> Stamp:
    """What changes when a file does: its size, and when it was written."""
    about = os.stat(path)
    return about.st_size, about.st_mtime_ns


@lru_cache(64)
def metadata(path: str, stamp: Stamp) -> Any:
    """What a Parquet file says of its row groups."""
    return pq.read_metadata(path)


def schema_of(types: Any) -> dict[str, str]:
    """The types of columns by name."""
    return {field.name: str(field.type) for field in types}


def lines(path: str, place: tuple[int, int]) -> bytes:
    """The bytes of a range."""
    with open(path, "rb") as file:
        file.seek(place[0])
        return file.read(place[1])


def count_lines(path: str, end: int) -> int:
    """The lines of a file before a byte."""
    return sum(lines(path, (first, min(RANGE_BYTES, end - first))).count(b"\n") for first in range(0, end, RANGE_BYTES))


def skipped_bytes(path: str, count: int) -> int:
    """Where the first ``count`` lines end."""
    with open(path, "rb") as file:
        return sum(len(file.readline()) for _ in range(count))


def byte_ranges(path: str, first: int, quoted: bool) -> tuple[tuple[int, int], ...]:
    """Where a text can be cut: after a line that no open quote carries on, so with an even number of quotes before."""
    ranges: list[tuple[int, int]] = []
    with open(path, "rb") as file:
        while True:
            file.seek(first)
            data = file.read(RANGE_BYTES)
            cut = last_end(data, quoted)
            while not cut and len(data) < LONGEST_LINE and (more := file.read(RANGE_BYTES)):
                data += more
                cut = last_end(data, quoted)
            if not data:
                return tuple(ranges)
            if not file.read(1):
                check_quotes(data, quoted, path)
                cut = len(data)  # the last line need not end
            if not cut:
                raise InputError(f"{path} has a line that does not end within {LONGEST_LINE >> 20} MB: is it a table?")
            ranges.append((first, cut))
            first += cut


def check_quotes(data: bytes, quoted: bool, path: str) -> None:
    """Raise if the last lines of a file open a quote that they do not close."""
    if quoted and data.count(b'"') % 2:
        begin = data.rfind(b'"')
        text = data[begin : begin + 40].decode(errors="replace")
        raise InputError(f"{path} has a quote that is never closed, in the cell that begins {text!r}.")


def last_end(data: bytes, quoted: bool) -> int:
    """Where the last whole record ends, or 0."""
    end = data.rfind(b"\n") + 1
    while quoted and end and data.count(b'"', 0, end) % 2:
        end = data.rfind(b"\n", 0, end - 1) + 1
    return end


def check_same_columns(first: File, other: File) -> None:
    """Raise if a file cannot be read like the first."""
    if (first.schema is None) != (other.schema is None):
        kinds = ("libsvm", "a table") if first.schema is None else ("a table", "libsvm")
        raise InputError(f"{first.path} is {kinds[0]} and {other.path} {kinds[1]}: learn from files of one kind.")
    if first.schema is None or other.schema is None:
        return
    for here, there in ((first, other), (other, first)):
        for name in here.schema or {}:
            if name not in (there.schema or {}):
                raise InputError(f"{there.path} has no column {name!r}, which {here.path} has: give all the same.")
    for name, kind in first.schema.items():
        if other.schema[name] != kind:
            raise InputError(
                f"Column {name!r} holds {kind} in {first.path} and {other.schema[name]} in {other.path}: "
                "give it one type."
            )


def first_rows(files: tuple[File, ...]) -> Any:
    """The first chunk that has rows."""
    for file in files:
        for place in file.places:
            for chunk in file.chunks(place, Projection()):
                if len(chunk):
                    return chunk.table
    raise InputError(f"{files[0].path} has a header but no rows.")
