"""Rows and labels out of files, block by block: what a learner takes, whatever the files are."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from ..data import frames as cols
from ..data import labels as labels_
from ..data.frames import Columns, Wishes
from ..data.open_files import Reading
from ..data.readers import widened
from ..errors import InputError, check_columns, comma_list
from .block_files import File, Wish, files_of, list_size

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

    ``columns`` are the kinds of the columns to learn from (None of libsvm files); ``prepare`` makes rows of a frame of
    them, where they are not all numbers; ``share`` is the part of the rows, drawn at random, that is there at all, or
    left out when it is negative.
    """

    files: tuple[File, ...]
    target: str
    columns: Columns | None
    reading: Reading = field(default_factory=Reading)
    missing: str = "refuse"
    prepare: Any = None
    share: float = 1.0
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
        return [name for name in (self.columns.used if self.columns else ()) if list_size(schema[name])]

    @property
    def wish(self) -> Wish:
        """What to read."""
        if self.columns is None:
            return Wish()
        numbers = frozenset(self.columns.of("number")) - {self.target}
        return Wish((*self.columns.used, self.target), numbers)

    def label_counts(self) -> LabelCounts:
        """Read all labels."""
        return self.merge(self.count_labels(k) for k in range(len(self)))

    def count_labels(self, k: int) -> tuple[Counter[Any], int, int]:
        """How often each label, or None for none, occurs in block k; its rows; of a libsvm file, its largest column."""
        counts, rows, width = Counter[Any](), 0, 0
        file, place = self.places[k]
        for part in file.parts(place, Wish((self.target,)) if self.columns else Wish()):
            labels = part.labels if part.table is None else self.target_column(part.table)
            counts.update(labels_.count_labels(labels, self.target, self.name))
            labels_.check_class_count(counts, self.target, self.name)
            rows += len(part)
            width = max(width, part.matrix.shape[1] if part.table is None else 0)
        return counts, rows, width

    def merge(self, counted: Iterable[tuple[Counter[Any], int, int]]) -> LabelCounts:
        """The label counts of all blocks together: the classes are decided by all of them."""
        counts, rows, width = Counter[Any](), [], 0
        for labels, count, wide in counted:
            counts.update(labels)
            labels_.check_class_count(counts, self.target, self.name)
            rows.append(count)
            width = max(width, wide)
        classes = labels_.decide_classes(counts, self.target, self.name)
        if counts[None] and self.missing == "refuse":
            raise labels_.missing_error({self.target: counts[None]}, self.name)
        by_class = np.array([counts[label] for label in classes])
        return LabelCounts(labels_.class_array(classes.values()), by_class, tuple(rows), width)

    def target_column(self, table: Any) -> Any:
        """The labels of a table, null where they are missing."""
        return cols.cleaned(table.select([self.target]), self.reading.missing)[self.target]

    def frames(self, k: int) -> Iterator[tuple[Any, Any, File, int]]:
        """The parts of block k as tables without missing labels, or matrices; their labels; and the first row's number.

        Numbers count within the block.
        """
        file, place = self.places[k]
        random, first = np.random.default_rng([7, k]), 0
        for part in file.parts(place, self.wish):
            table = None if part.table is None else self.cleaned(part.table)
            if table is None:
                kept = part.labels == part.labels  # which NaN, a missing label, is not
            else:
                kept = self.complete(table, f"{file.path}{f', block {k + 1}' if k else ''}", first)
            if self.share != 1:
                kept &= drawn(random.random(len(part)), self.share)
            if table is None:
                yield (
                    (part.matrix, part.labels, file, first)
                    if kept.all()
                    else (part.matrix[kept], part.labels[kept], file, first)
                )
            else:
                table = table if kept.all() else table.filter(pa.array(kept))
                yield table, table[self.target], file, first
            first += len(part)

    def cleaned(self, table: Any) -> Any:
        """A table with null where a value is missing; NaN that is refused is found in the first pass."""
        if self.missing != "refuse":
            return cols.cleaned(table, self.reading.missing)
        texts = [field.name for field in table.schema if not is_number(field.type)]
        done = cols.cleaned(table.select(texts), self.reading.missing)
        for name in texts:
            table = table.set_column(table.column_names.index(name), name, done[name])
        return table

    def complete(self, table: Any, name: str, first: int) -> np.ndarray:
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
        """The parts of block k: rows as the learners take them, and the number of every row's class."""
        for found, labels, file, first in self.frames(k):
            if len(labels):
                yield self.matrix(found, first), labels_.class_numbers(labels, classes, file.path)

    def matrix(self, found: Any, first: int = 0) -> Any:
        """Rows of a table or matrix."""
        if self.columns is None:
            matrix = widened(found, self.width)
            return matrix if self.prepare is None else self.prepare.transform(matrix)
        if self.prepare is not None:
            return self.prepare.transform(self.frame(found, first))
        return turned([array for name in self.columns.used for array in arrays(found[name], name, first)])

    def frame(self, table: Any, first: int = 0) -> Any:
        """The columns of a table as ``prepare`` takes them."""
        assert self.columns is not None
        return cols.filled(cols.frame(table, self.columns, first), self.columns.kinds)


def blocks_of(
    source: Any,
    target: str | None = None,
    reading: Reading | None = None,
    wishes: Wishes | None = None,
    missing: str = "refuse",
) -> Blocks:
    """Open files, and look at the first rows to know what the columns hold."""
    reading = reading or Reading()
    if missing not in MISSING:
        raise InputError(f"missing is one of {', '.join(map(repr, MISSING))}, not {missing!r}.")
    files = files_of(source, reading)
    if files[0].schema is None:
        if target or (wishes and wishes.kinds()):
            raise InputError(f"{files[0].path} is a libsvm file, which has no named columns: leave the target away.")
        return Blocks(files, "label", None, reading, missing)
    if target is None:
        raise InputError(f"Say which column to learn (target, or --target): {comma_list(files[0].schema)}.")
    check_columns(files[0].schema, [str(target)], files[0].path)
    table = cols.cleaned(first_rows(files), reading.missing)
    lists = {name: "number" for name, kind in files[0].schema.items() if list_size(kind) and name != target}
    rest = table.drop_columns(list(lists))
    kinds: dict[str, str] = {}
    if not lists or rest.num_columns > 1:
        kinds = cols.described(rest, target, wishes or Wishes(), files[0].path).kinds
    kinds = {name: (lists | kinds)[name] for name in files[0].schema if name != target}
    return Blocks(files, target, Columns(kinds), reading, missing)


def first_rows(files: tuple[File, ...]) -> Any:
    """The first part that has rows."""
    for file in files:
        for place in file.places:
            for part in file.parts(place, Wish()):
                if len(part):
                    return part.table
    raise InputError(f"{files[0].path} has a header but no rows.")


def is_number(kind: Any) -> bool:
    """Whether a type is one of plain numbers, or lists of them."""
    return pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_fixed_size_list(kind)


def drawn(numbers: np.ndarray, share: float) -> np.ndarray:
    """The rows of a share, or without it."""
    return numbers < share if share > 0 else numbers >= -share


def arrays(column: Any, name: str, first: int) -> list[np.ndarray]:
    """A column as arrays of numbers: one, or of a column of lists one with a row a list."""
    column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if pa.types.is_fixed_size_list(column.type):
        return [column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1)]
    kind = column.type
    if pa.types.is_floating(kind) or pa.types.is_integer(kind):
        return [column.to_numpy(zero_copy_only=False)]
    return [column.cast(pa.uint8()).to_numpy() if pa.types.is_boolean(kind) else cols.numbers(column, name, first)]


def turned(columns: list[np.ndarray]) -> np.ndarray:
    """The columns side by side, a row after the other in memory."""
    if len(columns) == 1 and columns[0].ndim == 2:
        return np.array(columns[0])  # what cannot be written to is another type for the passes
    lines = [line for column in columns for line in (column[None] if column.ndim == 1 else column.T)]
    return np.ascontiguousarray(np.stack(lines).T)
