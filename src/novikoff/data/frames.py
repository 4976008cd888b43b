"""From the columns of a file to a frame that scikit-learn takes: kinds and missing values."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ..errors import InputError, check_columns, shell_quoted
from .column_kinds import MISSING, NUMBER, REFUSED, MixedError, kind_of
from .open_files import ColumnOptions

NUMBER_LIST = re.compile(r"fixed_size_list<\w+: (?:u?int\d+|halffloat|float|double)(?: not null)?>\[(\d+)\]")
GIVEN_BACK = 8
"""Batches after which the memory of those that were given up goes back to the system."""
USED = ("number", "category", "text")
"""The kinds of columns that are trained on."""


@dataclass(frozen=True)
class Columns:
    """What is known of the columns of a table: the kind of each, and how many values are missing."""

    kinds: dict[str, str]
    missing: dict[str, int] = field(default_factory=dict)

    def of(self, kind: str) -> list[str]:
        """The columns of a kind."""
        return [name for name, its_kind in self.kinds.items() if its_kind == kind]

    @property
    def used(self) -> list[str]:
        return [name for name, kind in self.kinds.items() if kind in USED]

    @property
    def all_numbers(self) -> bool:
        """Whether no other column is trained on."""
        return self.of("number") == self.used


def clean_table(table: Any, marks: Iterable[str]) -> Any:
    """A table with texts trimmed, categories as their values, and null wherever a value is missing."""
    absent = pa.array(sorted(MISSING | set(marks)))
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        try:
            if pa.types.is_dictionary(column.type):
                column = column.cast(column.type.value_type)
            if pa.types.is_large_string(column.type) or pa.types.is_string_view(column.type):
                column = column.cast(pa.string())
        except pa.ArrowInvalid as error:
            raise InputError(f"The texts of column {name!r} cannot be read ({error}): the file is damaged.") from error
        if pa.types.is_string(column.type):
            column = pc.utf8_trim_whitespace(column)
            column = pc.if_else(pc.is_in(column, value_set=absent), pa.scalar(None, pa.string()), column)
        elif pa.types.is_floating(column.type) and pc.any(nan := pc.is_nan(column)).as_py():
            column = pc.if_else(nan, pa.scalar(None, column.type), column)
        columns.append(column)
    return pa.table(columns, names=table.column_names)


def describe_columns(table: Any, target: str, options: ColumnOptions | None, name: str) -> Columns:
    """The kinds of all columns but the target's, as the options say or as their values tell."""
    wanted = options.kinds(table.column_names) if options else {}
    if not {target, *wanted} <= set(table.column_names):
        check_columns(table.column_names, [target, *wanted], name)
    if target in wanted:
        raise InputError(f"Column {target!r} is the target, so it cannot be {wanted[target]} as well.")
    others = [column for column in table.column_names if column != target]
    kinds = {column: wanted.get(column) or kind_of_column(table[column], column) for column in others}
    for column, kind in kinds.items():
        if kind in REFUSED:
            raise InputError(f"Column {column!r} {REFUSED[kind]}, or leave it out with --drop {shell_quoted(column)}.")
    columns = Columns(kinds, {c: table[c].null_count for c in others if kinds[c] in USED and table[c].null_count})
    if not columns.used:
        raise InputError(f"{name} has no column to learn from besides the target {target!r}.")
    return columns


def kind_of_column(column: Any, name: str) -> str:
    """The kind of a column."""
    if column.null_count == len(column):
        return "empty"
    kind = column.type
    if pa.types.is_temporal(kind):
        return "date"
    if not pa.types.is_string(kind):
        if pa.types.is_nested(kind) or pa.types.is_binary(kind):
            raise InputError(f"Column {name!r} holds {kind}, which cannot be trained on: --drop {shell_quoted(name)}.")
        return "number"
    if as_floats(column) is not None:
        return "number"
    try:
        return kind_of(pc.unique(column.drop_null()).to_pylist(), len(column) - column.null_count)
    except MixedError as mixed:
        where = pc.index(column, mixed.invalid).as_py()
        raise InputError(
            f"Column {name!r} holds numbers, but {mixed.invalid!r} in row {where + 1}: if that means a missing value, "
            f"say --na {mixed.invalid!r}; if the numbers are names, --categorical {shell_quoted(name)}."
        ) from mixed


def as_floats(column: Any) -> Any:
    """The numbers that texts stand for, missing ones as NaN; None if one is no finite number."""
    try:
        values = numpy_of(pc.cast(column, pa.float64()))
    except pa.ArrowInvalid:
        return None
    present = values if not column.null_count else values[numpy_of(column.is_valid())]
    return values.astype(np.float64, copy=False) if np.isfinite(present).all() else None


def complete_rows(table: Any, names: list[str]) -> np.ndarray:
    """Which rows of a table have a value in all of these columns."""
    complete = np.ones(len(table), dtype=bool)
    for name in names:
        if table[name].null_count:
            complete &= table[name].is_valid().to_numpy()
    return complete


def to_frame(table: Any, columns: Columns, first: int = 0) -> pd.DataFrame:
    """The columns to train on: numbers as floats, categories and free text as texts, missing ones as NaN or None.

    ``first`` is the number of rows before the table's, for errors that name a row.
    """
    arrays = {}
    for name in columns.used:
        number = columns.kinds[name] == "number"
        arrays[name] = to_floats(table[name], name, first) if number else to_texts(table[name])
    return pd.DataFrame(arrays)


def to_matrix(batches: list[Any], columns: Columns) -> np.ndarray:
    """The columns of numbers of record batches as one matrix, in float32 if all are; missing ones as NaN.

    Each batch is given up once it was copied, so that no row is there twice for long.
    """
    narrow = all(pa.types.is_float32(batch.schema.field(name).type) for batch in batches for name in columns.used)
    X = np.empty((sum(map(len, batches)), len(columns.used)), dtype=np.float32 if narrow else np.float64)
    first = 0
    batches.reverse()
    while batches:
        batch = batches.pop()
        for j, name in enumerate(columns.used):
            X[first : first + len(batch), j] = to_floats(batch.column(name), name, first)
        first += len(batch)
        if len(batches) % GIVEN_BACK == 0:
            pa.default_memory_pool().release_unused()
    return X


def fill_texts(X: Any, kinds: dict[str, str]) -> Any:
    """Texts that are missing are empty: free text without words, and a category of its own."""
    for name, kind in kinds.items():
        if kind in ("category", "text"):
            X[name] = X[name].fillna("")
    return X


def to_floats(column: Any, name: str, first: int = 0) -> np.ndarray:
    """A column of numbers, in float32 if the file has it in that."""
    if pa.types.is_float32(column.type):
        return numpy_of(column)
    if pa.types.is_string(column.type):
        values = as_floats(column)
        if values is None:
            where = next(i for i, text in enumerate(column.to_pylist()) if text is not None and is_not_number(text))
            raise InputError(
                f"Column {name!r} must hold numbers, but row {first + where + 1} has {column[where].as_py()!r}: mend "
                "it, or say with --na that it means a missing value."
            )
        return values
    try:
        return numpy_of(pc.cast(column, pa.float64(), safe=False)).astype(np.float64, copy=False)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise InputError(f"Column {name!r} holds {column.type}, not numbers.") from error


def numpy_of(column: Any) -> np.ndarray:
    """A column of floats as an array, missing ones as NaN."""
    return column.to_numpy(zero_copy_only=False) if isinstance(column, pa.Array) else column.to_numpy()


def is_not_number(text: str) -> bool:
    """Whether it is no finite number."""
    return not NUMBER.fullmatch(text) or not np.isfinite(float(text))


def to_texts(column: Any) -> Any:
    """A column of texts."""
    if not pa.types.is_string(column.type):
        column = pc.cast(column, pa.string())
    return pd.Series(column.to_pylist(), dtype=object)


def list_size(kind: str) -> int:
    """How many numbers a column of this type has in every row, if it holds lists of fixed size; else 0.

    >>> list_size("fixed_size_list<item: float>[3]"), list_size("timestamp[us]")
    (3, 0)
    """
    match = NUMBER_LIST.fullmatch(kind)
    return int(match[1]) if match else 0
