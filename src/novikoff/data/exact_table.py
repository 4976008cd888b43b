"""A file as a table of exact numbers, for proofs: numbers as they are written, categories as columns of 0 and 1.

A CSV or libsvm file is read with the standard library only, so that a proof is checked by little code.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..certificates.check import encode_columns, sparse_row
from ..errors import InputError, check_columns, comma_list, plural, shell_quoted, shown, tell
from .column_kinds import MISSING, NUMBER, MixedError, kind_of_texts
from .labels import check_kinds, decide_classes, kind_of_type
from .notations import Notation, describe, plain
from .open_files import (
    FROM_ZERO,
    OpenFile,
    Reading,
    Sheet,
    explain_damage,
    open_file,
    records,
    sniff_sheet,
    split_names,
)
from .plain_rows import columns_taken, is_beyond, read_taken

WIDEST = 2**26
"""Columns of a libsvm file; each takes memory, whether a row has it or not."""


class MissingValuesError(InputError):
    """Values that are missing where a proof needs them."""


@dataclass(frozen=True)
class ExactTable:
    """Rows of numbers, each a sequence or {column: number}, as texts that mean decimals, or floats; and labels.

    For a search all rows may be ratios, or a matrix of floats.
    """

    columns: list[str] | None  # a libsvm file has no names
    rows: Any
    labels: list[Any]
    name: str
    encoded: dict[str, int]  # the categories of every column that has any
    rewritten: tuple[str, ...] = ()  # the columns whose cells were not plain decimals


def exact_table(
    path: Any,
    reading: Reading,
    target: str | None,
    categorical: Iterable[str] = (),
    drop: Iterable[str] = (),
    family: str | None = None,
) -> ExactTable:
    """Read a file; the same options give the same table, so that a proof can be checked.

    For the regression of a family the first category of a column is the reference, and has no column.
    """
    file = open_file(path)
    with file.file:
        return table_of_file(file, reading, target, categorical, drop, family)


def table_of_file(
    file: OpenFile,
    reading: Reading,
    target: str | None,
    categorical: Iterable[str],
    drop: Iterable[str],
    family: str | None = None,
) -> ExactTable:
    """The table of a file that is open."""
    if file.format == "libsvm":
        return read_sparse(file)
    target, categorical, drop = default_target(file, target), list(categorical), list(drop)
    if file.format == "csv" and target is not None and not categorical and reading.decimal != ",":
        return table_of_texts(file, reading, target, drop, family)
    columns = columns_of_file(file, reading, target)
    return table_of_columns(columns, file.name, reading, target, categorical, drop, family)


def table_of_texts(file: OpenFile, reading: Reading, target: str, drop: list[str], family: str | None) -> ExactTable:
    """The table of a CSV file: the rows as they are, if they are plain decimals, or else column by column."""
    sheet = sniff_sheet(file, reading)
    names = columns_taken(sheet.columns, target, drop)
    if not names:
        return table_of_columns(texts_of_sheet(sheet), file.name, reading, target, (), drop, family)
    taken, marks = read_taken(sheet, names, target), MISSING | set(reading.missing)
    if not taken.rows:
        raise InputError(f"{file.name} has a header but no rows.")
    if not taken.are_decimals(marks):
        return table_of_columns(taken.columns(names, target), file.name, reading, target, (), (), family)
    labels = response_of_each(taken.labels, target, marks, file.name, family)
    return ExactTable(names, taken.rows, labels, file.name, {})


def columns_of_file(file: OpenFile, reading: Reading, target: str | None = None) -> dict[str, list[Any]]:
    """The columns of a file that has some: texts, or Python's values."""
    if file.format == "csv":
        return texts_of_sheet(sniff_sheet(file, reading))
    return lists_of(read_typed(file, reading, target))


def default_target(file: OpenFile, target: str | None) -> str | None:
    """The column of the classes: the one named or, in a file of arrays, y."""
    return "y" if target is None and file.format == "npz" else target


def texts_of_sheet(sheet: Sheet) -> dict[str, list[Any]]:
    """The columns of a CSV file."""
    pool: dict[str, str] = {}  # equal cells are kept once
    rows = [tuple(map(pool.setdefault, record, record)) for record in records(sheet)]
    if not rows:
        raise InputError(f"{sheet.name} has a header but no rows.")
    return dict(zip(sheet.columns, map(list, zip(*rows, strict=True)), strict=True))


def table_of_columns(
    columns: dict[str, list[Any]],
    name: str,
    reading: Reading,
    target: str | None,
    categorical: Iterable[str],
    drop: Iterable[str],
    family: str | None = None,
) -> ExactTable:
    """Columns of texts or numbers as columns of numbers."""
    if target is None:
        raise InputError(f"Say which column holds the classes with --target: {comma_list(columns)}.")
    categorical, drop = split_names(categorical, columns), split_names(drop, columns)
    check_columns(columns, [target, *categorical, *drop], name)
    marks = MISSING | set(reading.missing)
    columns = {column: cells for column, cells in columns.items() if column not in drop or column == target}
    if reading.drop_incomplete:
        columns = complete_rows(columns, marks, name)
    rewritten = []
    for column, cells in columns.items():
        if column != target:
            if any(isinstance(cell, list | dict) for cell in cells):
                raise InputError(f"Column {column!r} holds lists, no numbers: --drop {shell_quoted(column)}.")
            check_none_missing(column, cells, marks, name)
            if column not in categorical:
                columns[column] = in_plain_decimals(column, cells, reading.decimal)
            if columns[column] is not cells:
                rewritten.append(column)
    table = encode_columns(columns, target, categorical, regression=family is not None)
    if not table.numbers:
        raise InputError(f"{name} has no column besides the target {target!r}.")
    labels = response_of_each(columns[target], target, marks, name, family)
    rows = list(zip(*table.numbers, strict=True))
    return ExactTable(table.names, rows, labels, name, table.categories, tuple(rewritten))


def complete_rows(columns: dict[str, list[Any]], marks: frozenset[str], name: str) -> dict[str, list[Any]]:
    """The rows that have a value in all columns."""
    missing = {i for cells in columns.values() for i, cell in enumerate(cells) if is_missing(cell, marks)}
    rows = len(next(iter(columns.values())))
    if not missing:
        return columns
    if len(missing) == rows:
        raise InputError(f"{name} has no row without a missing value: --drop columns that lack most.")
    tell(
        f"{plural(len(missing), 'row')} of {name} left out for missing values; the other {rows - len(missing):,} count."
    )
    return {column: [c for i, c in enumerate(cells) if i not in missing] for column, cells in columns.items()}


def response_of_each(cells: list[Any], target: str, marks: frozenset[str], name: str, family: str | None) -> list[Any]:
    """The class of every row or, for counts, the cell itself."""
    if family != "poisson":
        return class_of_each(cells, target, marks, name)
    check_none_missing(target, cells, marks, name)
    return cells


def class_of_each(labels: list[Any], target: str, marks: frozenset[str], name: str) -> list[Any]:
    """The class of every row; an error if one has none."""
    labels = [None if is_missing(label, marks) else label for label in labels]
    check_kinds({kind_of_type(each) for each in set(map(type, labels)) - {type(None)}}, target, name)
    classes = decide_classes(Counter(labels), target, name)
    if None in labels:
        raise no_label(target, labels.count(None), labels.index(None), name)
    return [classes[label] for label in labels]


def no_label(target: str, count: int, first: int, name: str) -> InputError:
    """The error of rows without a label."""
    return MissingValuesError(
        f"{name} has missing values ({target}: {count}), the first in row {first + 1}: a proof needs the label of "
        "every row, so say --missing drop to take such rows out."
    )


def is_missing(cell: Any, marks: frozenset[str]) -> bool:
    """Whether a cell stands for no value."""
    return cell is None or (isinstance(cell, float | str) and (cell != cell or cell in marks))


def check_none_missing(column: str, cells: list[Any], marks: frozenset[str], name: str) -> None:
    """Raise if a value is missing: a proof speaks of numbers that are there."""
    if (marks | {None}).isdisjoint(cells):
        return
    where = [i for i, cell in enumerate(cells) if is_missing(cell, marks)]
    if where:
        raise MissingValuesError(
            f"{name} has no value in column {column!r} at row {where[0] + 1} ({len(where)} missing in all): a proof "
            f"needs all of them, so say --missing drop to take such rows out, or --drop {shell_quoted(column)}."
        )


def in_plain_decimals(column: str, cells: list[Any], decimal: str | None) -> list[Any]:
    """A column as it is proved of: numbers as plain decimals, categories as they are; an error of anything else."""
    if not isinstance(cells[0], str):
        return cells
    values = set(cells)
    try:
        kind, notation = kind_of_texts(column, values, len(cells), decimal)
    except MixedError as mixed:
        raise InputError(mixed.sentence(column, cells)) from mixed
    if kind not in ("number", "category"):
        why = "free text" if kind == "text" else "a name for nearly every row"
        raise InputError(f"Column {column!r} holds {why}: leave it out with --drop {shell_quoted(column)}.")
    if kind == "number":
        check_range(column, cells, values)
    return cells if notation is None or notation.form == "truth" else rewritten(column, cells, notation)


def check_range(column: str, cells: list[str], values: set[str]) -> None:
    """Raise if a number is beyond what proofs speak of, the range of float64."""
    beyond = set(filter(is_beyond, values))
    if beyond:
        k, cell = next((k, cell) for k, cell in enumerate(cells) if cell in beyond)
        raise InputError(
            f"Column {column!r} has {shown(cell)} in row {k + 1}, which is beyond the range of float64: divide the "
            f"column, or leave it out with --drop {shell_quoted(column)}."
        )


def rewritten(column: str, cells: list[Any], notation: Notation) -> list[Any]:
    """Cells of a notation as plain decimals, and that they were read so is told."""
    numbers = {cell: plain(cell, notation) for cell in set(cells)}
    if any(cell != number for cell, number in numbers.items()):
        tell(describe(column, notation, cells[0]))
    return [numbers[cell] for cell in cells]


def read_sparse(file: OpenFile) -> ExactTable:
    """A libsvm file; its columns count from 1."""
    rows, labels = [], []
    for row, label in sparse_records(file):
        rows.append(row)
        labels.append(label)
    return ExactTable(None, rows, class_of_each(labels, "label", MISSING, file.name), file.name, {})


def sparse_records(file: OpenFile) -> Iterator[tuple[dict[int, str], float]]:
    """The rows of a libsvm file, each with its label."""
    with explain_damage(file.name):
        for k, line in enumerate(file.file):
            try:
                parsed = sparse_row(line.decode("ascii", "replace"))
            except ValueError as error:
                raise InputError(f"{file.name} is not a libsvm file at line {k + 1}: {sparse_fault(line)}.") from error
            if parsed:
                row, label = parsed
                if max(row, default=0) >= WIDEST:
                    raise InputError(
                        f"{file.name} has column {max(row) + 1} at line {k + 1}, more than the {WIDEST:,} of a proof."
                    )
                if not NUMBER.fullmatch(label) and label.lower() != "nan":
                    raise InputError(
                        f"{file.name} is not a libsvm file at line {k + 1}: the label {label!r} is no number."
                    )
                yield row, float(label)


def sparse_fault(line: bytes) -> str:
    """What is wrong with a line of a libsvm file."""
    places = [entry.partition(b":")[0] for entry in line.partition(b"#")[0].split()[1:]]
    if b"qid" in places:
        return "it has a qid, as data for rankings has, and proofs speak of classes: take it out"
    if b"0" in places:
        return FROM_ZERO
    return "a column stands in it twice" if len(set(places)) < len(places) else "entries must be column:number"


def read_typed(file: OpenFile, reading: Reading, target: str | None = None) -> Any:
    """The table of a file whose numbers are binary: they mean their exact values; dates and times are float64 numbers,
    but those of the target."""
    import pyarrow as pa

    from .frames import clean_table, temporal_form, temporal_numbers
    from .readers import as_data_file

    table = clean_table(as_data_file(file).read_all().table, reading.missing)
    for k, (name, column) in enumerate(zip(table.column_names, table.columns, strict=True)):
        if pa.types.is_temporal(column.type) and name != target:
            tell(describe(name, Notation(temporal_form(column.type)), ""))
            numbers = pa.array(temporal_numbers(column, name), from_pandas=True)
            table = table.set_column(k, name, numbers)
    return table


def lists_of(table: Any) -> dict[str, list[Any]]:
    """The columns of a table as lists of Python's values."""
    return {name: list_of(column) for name, column in zip(table.column_names, table.columns, strict=True)}


def list_of(column: Any) -> list[Any]:
    """A column as a list of Python's values; by way of an array, which is quicker, if it is of floats."""
    return column.to_numpy().tolist() if str(column.type) == "double" and not column.null_count else column.to_pylist()


def whole(rows: Iterable[Any]) -> bool:
    """Whether all numbers are whole and small enough to be float64 values."""
    seen = {value for row in rows for value in (row.values() if isinstance(row, dict) else row)}
    return all(Fraction(value).denominator == 1 and abs(Fraction(value)) <= 2**53 for value in seen)
