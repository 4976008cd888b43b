"""Rows and labels out of files, block by block: what a learner takes, whatever the files are."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..data import frames as cols
from ..data.frames import Columns, Wishes
from ..data.open_files import Reading
from ..data.readers import Part, widened
from ..errors import InputError, check_columns, comma_list
from .block_files import File, Wish, files_of, list_size

MISSING = ("refuse", "drop", "impute")
"""What to do with rows without a value; "impute" leaves it to ``prepare``."""
WHOLE = re.compile(r"0|-?[1-9]\d{0,17}", re.ASCII)
"""A whole number, written in the one way that it is printed."""


@dataclass(frozen=True)
class Survey:
    """What a first look at the labels found: the classes with their numbers of rows, the rows of every block, and, of
    libsvm files, the largest column."""

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

    def survey(self) -> Survey:
        """Read all labels."""
        return self.together(self.glance(k) for k in range(len(self)))

    def glance(self, k: int) -> tuple[Counter[Any], int, int]:
        """How often each label occurs in block k; its rows; and, of a libsvm file, its largest column."""
        found, rows, width = Counter[Any](), 0, 0
        file, place = self.places[k]
        for part in file.parts(place, Wish((self.target,)) if self.columns else Wish()):
            found.update(counted(part, self))
            check_not_quantity(found, self.target)
            rows += len(part)
            width = max(width, part.matrix.shape[1] if part.table is None else 0)
        return found, rows, width

    def together(self, glances: Iterable[tuple[Counter[Any], int, int]]) -> Survey:
        """What the glances at all blocks found."""
        found, rows, width = Counter[Any](), [], 0
        for labels, count, wide in glances:
            found.update(labels)
            check_not_quantity(found, self.target)
            rows.append(count)
            width = max(width, wide)
        if len(found) < 2:
            what = f"one class only ({next(iter(found))!r})" if found else "no rows with a label"
            raise InputError(f"{self.files[0].path} has {what}: there is nothing to tell apart.")
        classes, counts = classes_of(found)
        return Survey(classes, counts, tuple(rows), width)

    def frames(self, k: int) -> Iterator[tuple[Any, Any, File, int]]:
        """The parts of block k as tables without missing labels, or matrices; their labels; and the first row's number.

        Numbers count within the block.
        """
        file, place = self.places[k]
        random, first = np.random.default_rng([7, k]), 0
        for part in file.parts(place, self.wish):
            taken = slice(None) if self.share == 1 else drawn(random.random(len(part)), self.share)
            if part.table is None:
                yield part.matrix[taken], part.labels[taken], file, first
            else:
                table = self.cleaned(part.table)
                kept = self.complete(table, f"{file.path}{f', block {k + 1}' if k else ''}", first)
                if self.share != 1:
                    kept &= taken
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
                yield self.matrix(found, first), numbered(labels, classes, file)

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


def counted(part: Part, blocks: Blocks) -> dict[Any, int]:
    """The labels of a part with how often each occurs."""
    if part.table is None:
        labels, counts = np.unique(part.labels, return_counts=True)
        return dict(zip(labels.tolist(), counts.tolist(), strict=True))
    table = cols.cleaned(part.table.select([blocks.target]), blocks.reading.missing)
    column = table[blocks.target]
    if pa.types.is_temporal(column.type) or pa.types.is_nested(column.type):
        raise InputError(f"The target {blocks.target!r} holds {column.type}: give classes as texts or whole numbers.")
    if column.null_count and blocks.missing == "refuse":
        raise InputError(f"The target {blocks.target!r} has missing labels: leave such rows out with missing='drop'.")
    found = pc.value_counts(column.drop_null())
    values = found.field("values").to_pylist()
    return {whole(value): n for value, n in zip(values, found.field("counts").to_pylist(), strict=True)}


def classes_of(found: dict[Any, int]) -> tuple[np.ndarray, np.ndarray]:
    """Labels in order, and how often each occurs; texts that are all whole numbers, as in text files, as such."""
    if all(isinstance(label, str) and WHOLE.fullmatch(label) for label in found):
        found = {int(label): n for label, n in found.items()}
    classes = sorted(found)
    counts = np.array([found[label] for label in classes])
    return np.array(classes, dtype=object if isinstance(classes[0], str) else None), counts


def whole(value: Any) -> Any:
    """A whole number as int, whatever it was written as."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def check_not_quantity(found: Counter[Any], target: str) -> None:
    """Raise if these cannot be classes."""
    if len(found) > cols.MOST_CLASSES:
        raise InputError(
            f"The target {target!r} has more than {cols.MOST_CLASSES} different values: novikoff learns classes, not "
            "quantities, so choose another target or put its values into groups."
        )


def numbered(labels: Any, classes: np.ndarray, file: File) -> np.ndarray:
    """The number of every label among the classes."""
    if isinstance(labels, np.ndarray):
        numbers = np.searchsorted(classes, labels).clip(max=len(classes) - 1)
        strange = labels[classes[numbers] != labels].tolist()
    else:
        found = pc.index_in(labels, value_set=pa.array(classes.tolist()).cast(labels.type))
        strange = labels.filter(found.is_null()).to_pylist() if found.null_count else []
        numbers = pc.fill_null(found, 0).to_numpy()
    if strange:
        raise InputError(
            f"{file.path} has the label {strange[0]!r}, which is not among {comma_list(map(str, classes))}."
        )
    return numbers.astype(np.int32, copy=False)


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
