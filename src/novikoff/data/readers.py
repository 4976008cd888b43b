"""Files as tables of columns, or as a sparse matrix, whole or chunk by chunk.

pyarrow reads strictly (a ragged row is an error, not a missing value), chunk by chunk, and keeps numbers as they are
written until it is known what a column holds.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.ipc
import pyarrow.parquet
import scipy.sparse as sp

from ..errors import InputError
from .column_kinds import MISSING, NUMBER
from .open_files import (
    OpenFile,
    Reading,
    Sheet,
    check_quotes_closed,
    explain_damage,
    open_table,
    ragged_message,
)

BLOCK = 2**20
"""Bytes of a CSV file, and BATCH rows of others, that are read at a time."""
BATCH = 2**14
NUMBER_BLOCK = 2**22
"""Bytes of a CSV file with columns of numbers, which take less room than texts."""
FORMAT_NAMES = {"csv": "CSV", "libsvm": "libsvm", "parquet": "Parquet", "feather": "Feather", "npz": "npz"}


@dataclass(frozen=True)
class Chunk:
    """Some rows of a file: columns by name, or a sparse matrix with labels."""

    table: Any = None
    matrix: Any = None
    labels: Any = None

    def __len__(self) -> int:
        return self.table.num_rows if self.matrix is None else self.matrix.shape[0]


@dataclass(frozen=True)
class DataFile:
    """A file to read: what it is, in words, and its chunks one after the other."""

    name: str
    description: str
    chunks: Iterator[Chunk]
    test: Chunk | None = None  # the rows that the file itself holds out for testing
    at_once: "Callable[[], Chunk] | None" = None  # all rows, which is quicker than chunk by chunk

    def read_all(self) -> Chunk:
        """All chunks as one."""
        if self.at_once:
            return self.at_once()
        chunks = list(self.chunks)
        if not chunks or chunks[0].matrix is None:
            table = pa.concat_tables(chunk.table for chunk in chunks) if chunks else pa.table({})
            if not table.num_rows:
                raise InputError(f"{self.name} has a header but no rows.")
            return Chunk(table)
        labels = np.concatenate([chunk.labels for chunk in chunks])
        return Chunk(matrix=stack_rows([chunk.matrix for chunk in chunks]), labels=labels)


def open_data(path: Any, reading: Reading | None = None, numbers: Iterable[str] = ()) -> DataFile:
    """Open a file of any format that is known here.

    The columns ``numbers`` of a CSV file are read as numbers, much faster than as texts; all columns are texts from
    where one of them holds something else, and in standard input, which cannot be read again for that.
    """
    reading = reading or Reading()
    file, table = open_table(path, reading)
    if table is None:
        return as_data_file(file)
    marked = any(map(NUMBER.fullmatch, reading.missing))  # pyarrow knows a mark only as it is written
    if str(path) == "-" or marked or reading.decimal == ",":
        numbers = ()
    return csv_file(
        table, frozenset(numbers).intersection(table.columns), partial(open_data, path, reading), reading.missing
    )


def first_texts(path: Any, reading: Reading) -> Any:
    """The first rows of a CSV file, all cells as texts; None of other files, and of standard input."""
    if str(path) == "-":
        return None
    file, table = open_table(path, reading)
    with file.file:
        chunk = next(text_chunks(table), None) if table else None
        return chunk.table if chunk else None


def as_data_file(file: OpenFile) -> DataFile:
    """An open file that is not one of CSV."""
    if file.format == "libsvm":
        file.tell_of_queries()
        return DataFile(file.name, "libsvm", sparse_chunks(file))
    if file.format == "npz":
        return npz_file(file)
    return DataFile(file.name, FORMAT_NAMES[file.format], typed_chunks(file))


def csv_file(table: Sheet, numbers: frozenset[str], as_texts: Callable[[], DataFile], marks: Iterable[str]) -> DataFile:
    """A CSV file, all of whose cells are texts but those of columns of numbers."""
    names = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}
    cells = f" with {names.get(table.delimiter, repr(table.delimiter))}" if table.form == "CSV" else ""
    description = f"{table.form}{cells}, {table.encoding.removesuffix('-sig')}"
    if not numbers:
        return DataFile(table.name, description, text_chunks(table))
    chunks, at_once = number_chunks(table, numbers, as_texts, marks), partial(all_rows, table, numbers, as_texts, marks)
    return DataFile(table.name, description, chunks, at_once=at_once)


def number_chunks(
    table: Sheet, numbers: frozenset[str], as_texts: Callable[[], DataFile], marks: Iterable[str]
) -> Iterator[Chunk]:
    """The records of a CSV file with columns of numbers, up to where one is none; the cells of the others are texts."""
    done = 0
    try:
        for chunk in text_chunks(table, numbers, marks):
            if not are_finite(chunk.table, numbers):
                break
            yield chunk
            done += len(chunk)
        else:
            return
    except NotNumbersError:
        pass
    for chunk in as_texts().chunks:
        if done < len(chunk):
            yield Chunk(chunk.table.slice(done))
        done = max(0, done - len(chunk))


def all_rows(table: Sheet, numbers: frozenset[str], as_texts: Callable[[], DataFile], marks: Iterable[str]) -> Chunk:
    """All records of a CSV file, read on all cores; where one is not as it should be, all cells are texts.

    Only as texts is it known which record that is.
    """
    try:
        with table.file, explain_damage(table.name):
            rows = pyarrow.csv.read_csv(table.file, **csv_options(table, [], numbers, marks=marks, use_threads=True))
    except pa.ArrowInvalid:
        return as_texts().read_all()
    plain = rows.num_rows and are_finite(rows, numbers) and not may_be_unclosed(rows)
    return Chunk(rows) if plain else as_texts().read_all()


def are_finite(rows: Any, numbers: Iterable[str]) -> bool:
    """Whether all numbers in these columns, where there are any, are finite."""
    return all(pc.all(pc.is_finite(rows[name]), min_count=0).as_py() for name in numbers)


def may_be_unclosed(rows: Any) -> bool:
    """Whether the last cell ends with a line, as it does in a file whose last quote is never closed."""
    last = rows.column(rows.num_columns - 1)[-1].as_py() if rows.num_rows else None
    return isinstance(last, str) and last.endswith(("\n", "\r"))


class NotNumbersError(InputError):
    """A column of numbers holds something else."""


def text_chunks(table: Sheet, numbers: frozenset[str] = frozenset(), marks: Iterable[str] = ()) -> Iterator[Chunk]:
    """The records of a CSV file, all cells as texts but those of columns of numbers."""
    trouble: list[Any] = []
    try:
        with table.file, explain_damage(table.name):
            last = None
            for batch in pyarrow.csv.open_csv(table.file, **csv_options(table, trouble, numbers, marks=marks)):
                last = batch if batch.num_rows else last
                yield Chunk(pa.Table.from_batches([batch]))
            if last is not None and may_be_unclosed(last):
                check_quotes_closed(last.column(last.num_columns - 1)[-1].as_py(), table)
    except pa.ArrowInvalid as error:
        if numbers and not trouble and "conversion" in str(error):
            raise NotNumbersError(str(error)) from error
        raise InputError(error_message(table, error, trouble)) from error


def text_table(table: Sheet, lines: bytes, numbers: Iterable[str], only: list[str] | None) -> Any:
    """Some lines of a sheet: columns of numbers as float64, if they are nothing else, and the others as texts."""
    trouble: list[Any] = []
    for floats in (frozenset(numbers), frozenset()):
        try:
            return pyarrow.csv.read_csv(pa.BufferReader(lines), **csv_options(table, trouble, floats, only))
        except pa.ArrowInvalid as error:
            if trouble or not floats or "conversion" not in str(error):
                raise InputError(error_message(table, error, trouble)) from error
    raise AssertionError


def csv_options(
    table: Sheet,
    trouble: list[Any],
    numbers: frozenset[str] = frozenset(),
    only: list[str] | None = None,
    marks: Iterable[str] = (),
    use_threads: bool = False,
) -> dict[str, Any]:
    """How pyarrow is to read a sheet; a ragged row is put into ``trouble``, with its number unless threads are used."""

    def note(row: Any) -> str:
        trouble.append(row)
        return "error"

    return {
        "read_options": pyarrow.csv.ReadOptions(
            use_threads=use_threads,
            block_size=max(NUMBER_BLOCK if numbers else BLOCK, 4 * table.longest),
            skip_rows=table.skipped,
            column_names=table.columns,
            encoding="utf8" if table.encoding == "utf-8-sig" else table.encoding,
        ),
        "parse_options": pyarrow.csv.ParseOptions(
            delimiter=table.delimiter,
            quote_char='"' if table.quoted else False,
            newlines_in_values=table.quoted,
            invalid_row_handler=note,
        ),
        "convert_options": pyarrow.csv.ConvertOptions(
            column_types={name: pa.float64() if name in numbers else pa.string() for name in table.columns},
            strings_can_be_null=False,
            null_values=sorted(MISSING | set(marks)),
            include_columns=only,
        ),
    }


def error_message(table: Sheet, error: Any, trouble: list[Any]) -> str:
    """The error message of what went wrong in reading."""
    if trouble:
        row = trouble[0]
        place = f"row {row.number - table.skipped} ({row.text[:30]!r})"
        return ragged_message(table.name, place, row.actual_columns, row.expected_columns)
    if "UTF8" in str(error):
        return f"{table.name} is not UTF-8 all through: say what it is with --encoding, for example gb18030."
    if "straddl" in str(error):
        return f"{table.name} has a line that does not end within {BLOCK >> 20} MB: maybe a quote is never closed."
    return f"{table.name} is not a table: {str(error).splitlines()[0]}."


def typed_chunks(file: OpenFile) -> Iterator[Chunk]:
    """The row groups of a Parquet or Feather file."""
    try:
        with file.seekable() as bytes_:
            for batch in batches(bytes_, file.format):
                batch.validate()
                yield Chunk(pa.Table.from_batches([batch]))
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{file.name} is damaged: {str(error).splitlines()[0]}.") from error


def batches(file: BinaryIO, kind: str) -> Iterator[Any]:
    """Some rows after the other."""
    if kind == "parquet":
        yield from pyarrow.parquet.ParquetFile(file, pre_buffer=False, buffer_size=BLOCK).iter_batches(BATCH)
        return
    reader = pyarrow.ipc.open_file(file)
    for k in range(reader.num_record_batches):
        yield reader.get_batch(k)


def sparse_chunks(file: OpenFile) -> Iterator[Chunk]:
    """The lines of a libsvm file; its columns count from 1."""
    done = 0
    with file.file, explain_damage(file.name):
        while text := file.file.read(BLOCK) + file.file.readline():
            yield sparse_chunk(text, file.name, partial(int, done))
            done += int(np.count_nonzero(np.frombuffer(text, dtype=np.uint8) == ord("\n")))


def sparse_chunk(text: bytes, name: str, lines_before: Callable[[], int]) -> Chunk:
    """Some lines of a libsvm file."""
    from .libsvm import read_sparse

    matrix, labels = read_sparse(text, name, lines_before)
    return Chunk(matrix=matrix, labels=labels)


def with_width(X: Any, width: int) -> Any:
    """A sparse matrix with so many columns: zeros more, or what is beyond left out."""
    if X.shape[1] > width:
        return X[:, :width]
    return sp.csr_matrix((X.data, X.indices, X.indptr), shape=(X.shape[0], width))


def stack_rows(parts: list[Any]) -> Any:
    """Sparse matrices below each other; each is given up once it was copied, so that no row is there twice for long."""
    rows, stored = sum(part.shape[0] for part in parts), sum(part.nnz for part in parts)
    width = max(part.shape[1] for part in parts)
    data, indices = np.empty(stored), np.empty(stored, dtype=np.int32)
    indptr = np.zeros(rows + 1, dtype=np.int32 if stored <= np.iinfo(np.int32).max else np.int64)
    row = first = 0
    parts.reverse()
    while parts:
        part = parts.pop()
        last = first + part.nnz
        data[first:last], indices[first:last] = part.data, part.indices
        indptr[row + 1 : row + 1 + part.shape[0]] = part.indptr[1:].astype(indptr.dtype) + first
        row, first = row + part.shape[0], last
    return sp.csr_matrix((data, indices, indptr), shape=(rows, width))


def npz_file(file: OpenFile) -> DataFile:
    """The arrays of an npz file: X, or several, by columns; y, the labels; and their names, if they have any."""
    try:
        with file.seekable() as bytes_, np.load(bytes_, allow_pickle=False) as stored:
            arrays = {key: stored[key] for key in stored.files}
    except MemoryError as error:
        raise InputError(f"{file.name} does not fit into memory: {error}.") from error
    except Exception as error:  # whatever a broken archive or a broken array makes NumPy stumble over
        raise InputError(f"{file.name} is not an npz file of plain arrays: {error}.") from error
    if other := [key for key, array in arrays.items() if not isinstance(array, np.ndarray)]:
        raise InputError(f"{file.name} is not an npz file of plain arrays: {other[0]!r} is none.")
    ends = {"_train": {}, "_test": {}, "": {}}  # type: dict[str, dict[str, Any]]
    for key, array in arrays.items():
        end = next(end for end in ends if key.endswith(end))
        ends[end][key.removesuffix(end)] = array
    extra = ends[""]
    first = ends["_train"] or extra
    chunks = iter([chunk_of_arrays(first, extra, file.name)])
    test = chunk_of_arrays(ends["_test"], extra, file.name) if ends["_test"] else None
    return DataFile(file.name, "npz", chunks, test)


def chunk_of_arrays(arrays: dict[str, Any], extra: dict[str, Any], name: str) -> Chunk:
    """The arrays that have as many rows as there are labels, or as most arrays of rows and columns, as columns."""
    if "y" in arrays and arrays["y"].ndim != 1:
        raise InputError(f"{name} has labels y of {arrays['y'].ndim} dimensions: give one label per row.")
    n = (
        len(arrays["y"])
        if "y" in arrays
        else max((len(array) for array in arrays.values() if array.ndim == 2), default=0)
    )
    columns: dict[str, Any] = {}
    for key, array in arrays.items():
        if key != "y" and array.ndim and len(array) == n:
            if array.ndim > 2:
                raise InputError(f"{name} has the array {key!r} of {array.ndim} dimensions: give rows and columns.")
            columns |= named_columns(key, array, extra.get("feature_names"))
    if not columns:
        raise InputError(f"{name} has no array with rows to learn from: give X, and y with as many labels.")
    if "y" in arrays:
        columns["y"] = label_names(arrays["y"], extra.get("classes"))
    try:
        return Chunk(pa.table(columns))
    except (pa.ArrowException, ValueError, TypeError) as error:
        raise InputError(f"{name} has arrays that are no columns of numbers or texts: {error}.") from error


def named_columns(key: str, array: Any, names: Any) -> dict[str, Any]:
    """The columns of an array with their names."""
    if array.ndim == 1:
        return {key: array}
    if names is None or names.shape != array.shape[1:]:
        names = [f"{key}{j + 1}" for j in range(array.shape[1])]
    return {str(name): np.ascontiguousarray(array[:, j]) for j, name in enumerate(names)}


def label_names(y: Any, classes: Any) -> Any:
    """Labels by the names of their classes, where there are any."""
    if classes is None or classes.ndim != 1 or y.dtype.kind not in "iu" or not len(y):
        return y
    if not (y.min() >= 0 and y.max() < len(classes)):
        return y
    return np.asarray(classes)[y]
