"""From the columns of a file to a frame that scikit-learn takes: kinds and missing values."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..errors import InputError, check_columns, shell_quoted, shown
from .column_kinds import FEW, MISSING, NUMBER, Kind, MixedError, kind_of_texts, names_rows
from .notations import FORMS, Notation, describe, plain
from .open_files import ColumnOptions

if TYPE_CHECKING:  # where a frame is made it is imported, so that files can be read before it is
    import pandas as pd

NUMBER_LIST = re.compile(r"fixed_size_list<\w+: (?:u?int\d+|halffloat|float|double)(?: not null)?>\[(\d+)\]")
GIVEN_BACK = 8
"""Batches after which the memory of those that were given up goes back to the system."""
HUGE = 1e150
"""Numbers beyond it have squares, and sums of squares, beyond what float64 holds."""
USED = ("number", "category", "text")
"""The kinds of columns that are trained on."""


@dataclass(frozen=True)
class Columns:
    """What is known of the columns of a table: the kind of each, and how many values are missing."""

    kinds: dict[str, str]
    missing: dict[str, int] = field(default_factory=dict)
    notations: dict[str, Notation] = field(default_factory=dict)  # of numbers that are not written as plain decimals
    notes: tuple[str, ...] = ()  # what was decided without being asked for
    row_numbers: tuple[str, ...] = ()  # identifiers that are numbers

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


def describe_columns(
    table: Any, target: str, options: ColumnOptions | None, name: str, decimal: str | None = None
) -> Columns:
    """The kinds of all columns but the target's, as the options say or as their values tell."""
    wanted = options.kinds(table.column_names) if options else {}
    if not {target, *wanted} <= set(table.column_names):
        check_columns(table.column_names, [target, *wanted], name)
    if target in wanted:
        raise InputError(f"Column {target!r} is the target, so it cannot be {wanted[target]} as well.")
    others = [column for column in table.column_names if column != target]
    found = {column: kind_of_column(table[column], column, decimal, wanted.get(column)) for column in others}
    kinds = {column: kind.kind for column, kind in found.items()}
    numbering = [c for c, kind in kinds.items() if kind == "number" and c not in wanted and numbers_rows(table, c)]
    left = {column for column, kind in kinds.items() if kind in USED} - set(numbering)
    kinds |= dict.fromkeys(numbering if left else (), "identifier")
    notations = {column: kind.notation for column, kind in found.items() if kind.notation is not None}
    notes = [describe(column, notations[column], example_of(table[column])) for column in notations]
    notes += [row_number_note(column, bool(left)) for column in numbering]
    missing = {c: table[c].null_count for c in others if kinds[c] in USED and table[c].null_count}
    columns = Columns(kinds, missing, notations, tuple(notes), tuple(numbering if left else ()))
    if not columns.used:
        raise InputError(f"{name} has no column to learn from besides the target {target!r}.")
    return columns


def kind_of_column(column: Any, name: str, decimal: str | None = None, wanted: str | None = None) -> Kind:
    """The kind of a column, which may be said; how its numbers are written is found in any case."""
    if wanted not in (None, "number"):
        return Kind(str(wanted))
    if column.null_count == len(column):
        return Kind(wanted or "empty")
    kind = column.type
    if pa.types.is_temporal(kind):
        return Kind("number", Notation(temporal_form(kind)))
    if not pa.types.is_string(kind):
        if pa.types.is_nested(kind) or pa.types.is_binary(kind):
            raise InputError(f"Column {name!r} holds {kind}, which cannot be trained on: --drop {shell_quoted(name)}.")
        return Kind("number")
    if decimal != "," and as_floats(column) is not None:
        return Kind("number")
    try:
        found = kind_of_texts(name, pc.unique(column.drop_null()).to_pylist(), len(column) - column.null_count, decimal)
    except MixedError as mixed:
        if wanted:
            return Kind(wanted)
        raise InputError(mixed.sentence(name, column.to_pylist())) from mixed
    return Kind(wanted or found.kind, found.notation)


def temporal_form(kind: Any) -> str:
    """The form of dates and times of a pyarrow type."""
    if pa.types.is_date(kind):
        return "dates"
    if pa.types.is_time(kind):
        return "hours"
    return "durations" if pa.types.is_duration(kind) else "times"


def example_of(column: Any) -> str:
    """A cell that is there."""
    return str(column[pc.index(column.is_valid(), True).as_py()])


def row_number_note(column: str, left_out: bool) -> str:
    """What is said of a column that only numbers the rows."""
    if left_out:
        has_it = f"--numeric {shell_quoted(column)} has it in"
        return f"Column {column!r} is left out, as it seems to number the rows: {has_it}."
    return f"Column {column!r} seems to number the rows, but there is nothing else to learn from."


def numbers_rows(table: Any, name: str) -> bool:
    """Whether a column of numbers only numbers the rows: whole numbers that differ, under a name that says so, or one
    after the other from 0 or 1."""
    column = table[name]
    if column.null_count or not (pa.types.is_string(column.type) or pa.types.is_primitive(column.type)):
        return False
    if pa.types.is_temporal(column.type) or pa.types.is_boolean(column.type):
        return False
    first = as_number(column[0])
    if first is None or not first.is_integer() or (first not in (0, 1) and not names_rows(name)):
        return False
    values = as_floats(column) if pa.types.is_string(column.type) else to_floats(column, name)
    return values is not None and is_row_number(name, values)


def is_row_number(name: str, values: np.ndarray) -> bool:
    """Whether the numbers of a column with this name only number the rows."""
    named = names_rows(name)
    if len(values) < 3 or not (named or (len(values) > FEW and values[0] in (0, 1) and values[1] == values[0] + 1)):
        return False
    if not (values == np.trunc(values)).all():
        return False
    return 10 * len(np.unique(values)) > 9 * len(values) if named else bool((np.diff(values) == 1).all())


def as_number(cell: Any) -> float | None:
    """The number that a cell stands for; None if it is none."""
    try:
        return float(cell.as_py())
    except (TypeError, ValueError):
        return None


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


def to_frame(table: Any, columns: Columns, first: int = 0) -> "pd.DataFrame":
    """The columns to train on: numbers as floats, categories and free text as texts, missing ones as NaN or None.

    ``first`` is the number of rows before the table's, for errors that name a row.
    """
    import pandas as pd

    arrays = {}
    for name in columns.used:
        number = columns.kinds[name] == "number"
        notation = columns.notations.get(name)
        arrays[name] = to_floats(table[name], name, first, notation) if number else to_texts(table[name])
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
            X[first : first + len(batch), j] = to_floats(batch.column(name), name, first, columns.notations.get(name))
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


def to_floats(column: Any, name: str, first: int = 0, notation: Notation | None = None) -> np.ndarray:
    """A column of numbers, in float32 if the file has it in that; ``first`` is the number of rows before."""
    if pa.types.is_float32(column.type):
        return numpy_of(column)
    if pa.types.is_temporal(column.type):
        values = temporal_numbers(column, name, notation)
    elif pa.types.is_string(column.type):
        values = floats_of_texts(column, name, first, notation)
    else:
        try:
            values = numpy_of(pc.cast(column, pa.float64(), safe=False)).astype(np.float64, copy=False)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise InputError(f"Column {name!r} holds {column.type}, not numbers.") from error
    check_not_huge(values, name, first)
    return values


def floats_of_texts(column: Any, name: str, first: int, notation: Notation | None) -> np.ndarray:
    """The numbers that texts stand for."""
    plain_texts = column if notation is None else in_plain_decimals(column, notation)
    values = as_floats(plain_texts) if plain_texts.null_count == column.null_count else None
    if values is not None:
        return values
    cells = zip(column.to_pylist(), plain_texts.to_pylist(), strict=True)
    where = next(i for i, (cell, number) in enumerate(cells) if cell is not None and is_not_number(number))
    what = "numbers" if notation is None else FORMS[notation.form][1]
    raise InputError(
        f"Column {name!r} must hold {what}, but row {first + where + 1} has {shown(column[where].as_py())}: mend it, "
        "or say with --na that it means a missing value."
    )


def in_plain_decimals(column: Any, notation: Notation) -> Any:
    """Texts of a notation as plain decimals; null where a text is none."""
    values = pc.unique(column)
    numbers = [None if text is None else plain(text, notation) for text in values.to_pylist()]
    return pc.take(pa.array(numbers, pa.string()), pc.index_in(column, value_set=values))


def temporal_numbers(column: Any, name: str, notation: Notation | None = None) -> np.ndarray:
    """Dates as days since 1970-01-01, times as seconds since then, times of day and durations as seconds."""
    form, kind = temporal_form(column.type), column.type
    if notation is not None and notation.form != form:
        raise InputError(
            f"Column {name!r} holds {kind}, where the model knows {FORMS[notation.form][1]}: write them as those."
        )
    if form == "dates":
        return numpy_of(column.cast(pa.date32()).cast(pa.int32()).cast(pa.float64()))
    per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
    whole = column.cast(pa.int32()) if pa.types.is_time32(kind) else column
    return numpy_of(pc.cast(whole.cast(pa.int64()), pa.float64(), safe=False)) / per_second


def check_not_huge(values: np.ndarray, name: str, first: int) -> None:
    """Raise if numbers are so large that their squares are none."""
    if len(values) and max(np.nanmax(values, initial=0.0), -np.nanmin(values, initial=0.0)) > HUGE:
        where = int(np.flatnonzero(np.abs(values) > HUGE)[0])
        raise InputError(
            f"Column {name!r} has {values[where]:g} in row {first + where + 1}: numbers beyond {HUGE:g} cannot be "
            "scaled, so divide the column, or say with --na what means a missing value."
        )


def numpy_of(column: Any) -> np.ndarray:
    """A column of floats as an array, missing ones as NaN."""
    return column.to_numpy(zero_copy_only=False) if isinstance(column, pa.Array) else column.to_numpy()


def is_not_number(text: str | None) -> bool:
    """Whether it is no finite number."""
    return text is None or not NUMBER.fullmatch(text) or not np.isfinite(float(text))


def to_texts(column: Any) -> Any:
    """A column of texts."""
    import pandas as pd

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
