"""Rows and labels out of files, block by block: what a learner takes, whatever the files are."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from ..data import frames as cols
from ..data.column_kinds import NUMBER
from ..data.frames import Columns
from ..data.labels import check_class_count, class_array, class_numbers, count_labels, decide_classes, missing_error
from ..data.notations import Notation
from ..data.open_files import ColumnOptions, Reading
from ..data.readers import Chunk, with_width
from ..errors import InputError, check_columns, comma_list
from .block_files import File, Projection, files_of, first_rows

MISSING = ("refuse", "drop", "impute")
"""What to do with rows without a value; "impute" leaves it to ``prepare``."""


@dataclass(frozen=True)
class LabelCounts:
    """The classes of all blocks with their numbers of rows, the rows of every block, and, of libsvm files, the largest
    column."""

    classes: np.ndarray
    counts: np.ndarray
    rows: tuple[int, ...]
    width: int


@dataclass(frozen=True)
class Blocks:
    """The rows of files with the same columns; can be sent to another process.

    ``columns`` are the kinds of the columns to train on (None of libsvm files); ``prepare`` makes rows of a frame of
    them, where they are not all numbers; ``fraction`` is how many of the rows, drawn at random, are there at all, or
    are left out when it is negative.
    """

    files: tuple[File, ...]
    target: str
    columns: Columns | None
    reading: Reading = field(default_factory=Reading)
    missing: str = "refuse"
    prepare: Any = None
    fraction: float = 1.0
    width: int = 0  # of libsvm files, once it is known

    @cached_property
    def places(self) -> list[tuple[File, Any]]:
        return [(file, place) for file in self.files for place in file.places]

    def __len__(self) -> int:
        return len(self.places)

    @property
    def name(self) -> str:
        """What errors about all of the files call them."""
        return self.files[0].path

    @property
    def names(self) -> list[str] | None:
        """What the columns of the rows are called, where they are the files' own."""
        if self.columns is None or self.prepare is not None or self.lists:
            return None
        return self.columns.used

    @cached_property
    def lists(self) -> list[str]:
        """Columns that hold a list of numbers in every row."""
        schema = self.files[0].schema or {}
        return [name for name in (self.columns.used if self.columns else ()) if cols.list_size(schema[name])]

    @property
    def projection(self) -> Projection:
        """What to read."""
        if self.columns is None:
            return Projection()
        numbers = frozenset(name for name, kind in self.columns.kinds.items() if kind == "number")
        numbers -= {self.target, *self.columns.notations}
        if any(map(NUMBER.fullmatch, self.reading.missing)):  # such a number is known by how it is written
            numbers = frozenset()
        return Projection((*self.columns.used, self.target), numbers)

    def label_counts(self) -> LabelCounts:
        """Read all labels."""
        return self.merge(self.count_labels(k) for k in range(len(self)))

    def count_labels(self, k: int) -> tuple[Counter[Any], int, int]:
        """How often each label, or None for none, occurs in block k; its rows; of a libsvm file, its largest column."""
        counts, rows, width = Counter[Any](), 0, 0
        file, place = self.places[k]
        for chunk in file.chunks(place, Projection((self.target,)) if self.columns else Projection()):
            labels = chunk.labels if chunk.table is None else self.target_column(chunk.table)
            counts.update(count_labels(labels, self.target, self.name))
            check_class_count(counts, self.target, self.name)
            rows += len(chunk)
            width = max(width, chunk.matrix.shape[1] if chunk.table is None else 0)
        return counts, rows, width

    def merge(self, counted: Iterable[tuple[Counter[Any], int, int]]) -> LabelCounts:
        """The label counts of all blocks together: the classes are decided by all of them."""
        counts, rows, width = Counter[Any](), [], 0
        for labels, count, wide in counted:
            counts.update(labels)
            check_class_count(counts, self.target, self.name)
            rows.append(count)
            width = max(width, wide)
        classes = decide_classes(counts, self.target, self.name)
        if counts[None] and self.missing == "refuse":
            raise missing_error({self.target: counts[None]}, self.name)
        by_class = np.array([counts[label] for label in classes])
        return LabelCounts(class_array(classes.values()), by_class, tuple(rows), width)

    def target_column(self, table: Any) -> Any:
        """The labels of a table, null where they are missing."""
        return cols.clean_table(table.select([self.target]), self.reading.missing)[self.target]

    def frames(self, k: int) -> Iterator[tuple[Any, Any, File, int]]:
        """The chunks of block k as tables or matrices of rows with a label; the labels; and the first row's number.

        Numbers count within the block.
        """
        file, place = self.places[k]
        random, first = np.random.default_rng([7, k]), 0
        for chunk in file.chunks(place, self.projection):
            rows, kept = self.labelled_rows(chunk, f"{file.path}{f', block {k + 1}' if k else ''}", first)
            if self.fraction != 1:
                kept &= draw_rows(random.random(len(chunk)), self.fraction)
            if not kept.all():
                rows = rows[kept] if chunk.table is None else rows.filter(pa.array(kept))
            yield rows, chunk.labels[kept] if chunk.table is None else rows[self.target], file, first
            first += len(chunk)

    def labelled_rows(self, chunk: Chunk, name: str, first: int) -> tuple[Any, np.ndarray]:
        """The rows of a chunk as a clean table or a matrix, and which of them have a label and their values."""
        if chunk.table is None:
            return chunk.matrix, chunk.labels == chunk.labels  # NaN, a missing label, is not itself
        table = self.clean(chunk.table)
        return table, self.complete_rows(table, name, first)

    def clean(self, table: Any) -> Any:
        """A table with null where a value is missing; NaN that is refused is found in the first pass."""
        if self.missing != "refuse":
            return cols.clean_table(table, self.reading.missing)
        texts = [field.name for field in table.schema if not is_number(field.type)]
        done = cols.clean_table(table.select(texts), self.reading.missing)
        for name in texts:
            table = table.set_column(table.column_names.index(name), name, done[name])
        return table

    def complete_rows(self, table: Any, name: str, first: int) -> np.ndarray:
        """Which rows have a label and, unless they are to be filled in, all values; an error if all rows must."""
        kept = np.ones(len(table), dtype=bool)
        for column_name, column in zip(table.column_names, table.columns, strict=True):
            if column.null_count and (column_name == self.target or self.missing != "impute"):
                kept &= column.is_valid().to_numpy()
                if self.missing == "refuse":
                    raise InputError(
                        f"{name} has no value in column {column_name!r} at row {first + int(np.argmin(kept)) + 1}: say "
                        "missing='drop' (--missing drop) to leave such rows out, or fill them in."
                    )
        return kept

    def rows(self, k: int, classes: np.ndarray) -> Iterator[tuple[Any, np.ndarray]]:
        """The chunks of block k: rows as the learners take them, and the number of every row's class."""
        for rows, labels, file, first in self.frames(k):
            if len(labels):
                yield self.matrix(rows, first), class_numbers(labels, classes, file.path)

    def matrix(self, rows: Any, first: int = 0) -> Any:
        """Rows of a table or matrix."""
        if self.columns is None:
            matrix = with_width(rows, self.width)
            return matrix if self.prepare is None else self.prepare.transform(matrix)
        if self.prepare is not None:
            return self.prepare.transform(self.frame(rows, first))
        notations = self.columns.notations
        columns = [column_arrays(rows[name], name, first, notations.get(name)) for name in self.columns.used]
        return side_by_side([array for arrays in columns for array in arrays])

    def frame(self, table: Any, first: int = 0) -> Any:
        """The columns of a table as ``prepare`` takes them."""
        assert self.columns is not None
        return cols.fill_texts(cols.to_frame(table, self.columns, first), self.columns.kinds)


def blocks_of(
    source: Any,
    target: str | None = None,
    reading: Reading | None = None,
    options: ColumnOptions | None = None,
    missing: str = "refuse",
    leave_out_row_numbers: bool = False,
) -> Blocks:
    """Open files, and look at the first rows to know what the columns hold.

    Columns that only number the rows are numbers like others, unless they are to be left out.
    """
    reading = reading or Reading()
    if missing not in MISSING:
        raise InputError(f"missing is one of {', '.join(map(repr, MISSING))}, not {missing!r}.")
    files = files_of(source, reading)
    if files[0].schema is None:
        if target or (options and options.kinds()):
            raise InputError(f"{files[0].path} is a libsvm file, which has no named columns: leave the target away.")
        return Blocks(files, "label", None, reading, missing)
    if target is None:
        raise InputError(f"Say which column to learn (target, or --target): {comma_list(files[0].schema)}.")
    if str(target) not in files[0].schema:
        check_columns(files[0].schema, [str(target)], files[0].path)
    table = cols.clean_table(first_rows(files), reading.missing)
    lists = {name: "number" for name, kind in files[0].schema.items() if cols.list_size(kind) and name != target}
    rest = table.drop_columns(list(lists))
    found = Columns({})
    if not lists or rest.num_columns > 1:
        found = cols.describe_columns(rest, target, options, files[0].path, reading.decimal)
    kinds, notes = lists | found.kinds, found.notes
    if not leave_out_row_numbers:
        kinds, notes = kinds | dict.fromkeys(found.row_numbers, "number"), notes[: len(found.notations)]
    kinds = {name: kinds[name] for name in files[0].schema if name != target}
    return Blocks(files, target, replace(found, kinds=kinds, missing={}, notes=notes), reading, missing)


def is_number(kind: Any) -> bool:
    """Whether a type is one of plain numbers, or lists of them."""
    return pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_fixed_size_list(kind)


def draw_rows(numbers: np.ndarray, fraction: float) -> np.ndarray:
    """The rows of a fraction, or without it."""
    return numbers < fraction if fraction > 0 else numbers >= -fraction


def column_arrays(column: Any, name: str, first: int, notation: Notation | None) -> list[np.ndarray]:
    """A column as arrays of numbers: one, or of a column of lists one with one row per list."""
    column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if pa.types.is_fixed_size_list(column.type):
        return [column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1)]
    kind = column.type
    if pa.types.is_floating(kind) or pa.types.is_integer(kind):
        return [column.to_numpy(zero_copy_only=False)]
    if pa.types.is_boolean(kind):
        return [column.cast(pa.uint8()).to_numpy()]
    return [cols.to_floats(column, name, first, notation)]


def side_by_side(columns: list[np.ndarray]) -> np.ndarray:
    """The columns side by side, one row after the other in memory."""
    if len(columns) == 1 and columns[0].ndim == 2:
        return np.array(columns[0])  # what cannot be written to is another type for the passes
    lines = [line for column in columns for line in (column[None] if column.ndim == 1 else column.T)]
    return np.ascontiguousarray(np.stack(lines).T)
