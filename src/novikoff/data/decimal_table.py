"""A file as a table for the search of proofs: plain decimals and binary numbers many at once.

The table is the one that exact_table.py reads, cell by cell, for the checker; whatever is not plain is left to it.
"""

import io
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ..exact.floats import WHOLE
from ..exact.ratios import Ratios
from .column_kinds import MISSING, NUMBER
from .exact_table import (
    ExactTable,
    default_target,
    lists_of,
    read_typed,
    response_of_each,
    table_of_columns,
    table_of_file,
    whole,
)
from .open_files import SAMPLE, Reading, Rejoined, Sheet, explain_damage, open_file, sniff_sheet
from .plain_rows import columns_taken

PLAIN_ENCODINGS = ("utf-8", "utf-8-sig")
DENSE = 5 * 10**6
"""Numbers up to which a libsvm file is laid out as a table of decimals."""


def table_for_search(
    path: Any,
    reading: Reading,
    target: str | None,
    categorical: Iterable[str] = (),
    drop: Iterable[str] = (),
    family: str | None = None,
) -> ExactTable:
    """Read a file; where all its columns are of numbers, its rows are ratios or a matrix of floats."""
    file, categorical, drop = open_file(path), list(categorical), list(drop)
    with file.file:
        if categorical or file.format == "libsvm":
            return table_of_file(file, reading, target, categorical, drop, family)
        if file.format != "csv":
            target = default_target(file, target)
            typed = read_typed(file, reading, target)
            return float_table(typed, file.name, reading, target, drop, family) or table_of_columns(
                lists_of(typed), file.name, reading, target, categorical, drop, family
            )
        sheet = sniff_sheet(file, reading)
        with explain_damage(file.name):
            raw = sheet.file.read()
        table = decimal_table(raw, sheet, reading, target, drop, family)
        if table is not None:
            return table
        if sheet.form != "CSV":  # what was read is CSV now
            reading = replace(reading, delimiter=sheet.delimiter, encoding=sheet.encoding, header=sheet.header)
        again = io.BufferedReader(Rejoined(raw, io.BytesIO()), SAMPLE)
        file = replace(file, file=again, head=raw[:SAMPLE], whole=len(raw) <= SAMPLE)
        return table_of_file(file, reading, target, categorical, drop, family)


def float_table(
    typed: Any, name: str, reading: Reading, target: str | None, drop: list[str], family: str | None
) -> ExactTable | None:
    """The table of a file whose columns are all of float64 numbers, none of them missing; None of any other."""
    import pyarrow as pa

    names = columns_taken(typed.column_names, target, drop)
    kinds = [typed.schema.field(each).type for each in names]
    numbers = all(pa.types.is_floating(kind) or pa.types.is_integer(kind) for kind in kinds)
    if not names or target is None or not numbers or any(typed[each].null_count for each in [*names, target]):
        return None
    X = np.empty((typed.num_rows, len(names)))
    for j, each in enumerate(names):
        numbers = typed[each].to_numpy()
        X[:, j] = numbers
        if pa.types.is_integer(kinds[j]) and (max(X[:, j].max(), -X[:, j].min()) >= WHOLE):
            return None  # of such numbers floats hold only some
    labels = response_of_each(typed[target].to_pylist(), target, MISSING | set(reading.missing), name, family)
    return ExactTable(names, X, labels, name, {})


def decimal_table(
    raw: bytes, sheet: Sheet, reading: Reading, target: str | None, drop: list[str], family: str | None
) -> ExactTable | None:
    """The table of a CSV file whose cells are all plain decimals; None of any other."""
    names, body = columns_taken(sheet.columns, target, drop), body_of(raw, sheet)
    if not names or target is None or body is None or not means_plain_decimals(reading):
        return None
    numbers = ratios_of_cells(body, sheet, names, target)
    if numbers is None:
        return None
    ratios, cells = numbers
    try:
        texts = {cell: cell.decode().strip() for cell in set(cells)}
    except UnicodeDecodeError:
        return None
    marks = MISSING | set(reading.missing)
    if reading.drop_incomplete and not marks.isdisjoint(texts.values()):
        return None
    labels = response_of_each([texts[cell] for cell in cells], target, marks, sheet.name, family)
    return ExactTable(names, ratios, labels, sheet.name, {})


def means_plain_decimals(reading: Reading) -> bool:
    """Whether plain decimals mean the numbers that they are: neither have they decimal commas, nor is one missing."""
    return reading.decimal != "," and not any(map(NUMBER.fullmatch, reading.missing))


def ratios_of_cells(body: bytes, sheet: Sheet, names: list[str], target: str) -> tuple[Ratios, list[bytes]] | None:
    """The numbers of the columns with these names, and the labels; None if a cell is not written plainly."""
    from ..passes.decimal_cells import LABEL, LEFT_OUT, NUMBER, align, read_cells

    kinds = [LABEL if name == target else NUMBER if name in names else LEFT_OUT for name in sheet.columns]
    text = np.frombuffer(body, dtype=np.uint8)
    size = int(np.count_nonzero(text == ord("\n"))), len(names)
    whole, places, spans = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.uint8), np.empty((size[0], 2), int)
    n = read_cells(text, ord(sheet.delimiter), np.array(kinds), whole, places, spans)
    if n <= 0:
        return None
    whole, places = whole[:n], places[:n]
    most = places.max(axis=0).astype(np.int64)
    if not align(whole, places, most):
        return None
    return Ratios(whole, [10**k for k in most.tolist()], names), [body[a:b] for a, b in spans[:n].tolist()]


def body_of(raw: bytes, sheet: Sheet) -> bytes | None:
    """The lines after the header; None if they are not plain text without quotes."""
    if sheet.encoding not in PLAIN_ENCODINGS or len(sheet.delimiter.encode()) > 1:
        return None
    start = 0
    for _ in range(sheet.skipped):
        start = raw.find(b"\n", start) + 1
        if not start:
            return None
    if raw.find(b'"', start) >= 0:
        return None
    body = raw[start:]
    return body if body.endswith(b"\n") else body + b"\n"


def row_number_columns(table: ExactTable) -> list[str]:
    """The columns that seem only to number the rows."""
    from .frames import is_row_number

    names = table.columns or []
    if isinstance(table.rows, Ratios):
        columns = {name: table.rows.whole[:, j] for j, name in enumerate(names) if table.rows.over[j] == 1}
    elif isinstance(table.rows, np.ndarray):
        columns = {name: table.rows[:, j] for j, name in enumerate(names)}
    else:
        columns = {name: np.array([row[j] for row in table.rows]).astype(float) for j, name in enumerate(names)}
    return [name for name, values in columns.items() if is_row_number(name, values)]


def search_labels(table: ExactTable) -> np.ndarray:
    """The labels as an array."""
    return np.array(table.labels)


def search_matrix(table: ExactTable) -> Any:
    """The rows as ``novikoff.certify`` takes them: decimals as texts; whole numbers and large sparse data as floats."""
    import pandas as pd
    import scipy.sparse as sp

    if isinstance(table.rows, Ratios):
        return table.rows if not table.rows.is_whole() else pd.DataFrame(table.rows.floats(), columns=table.columns)
    if isinstance(table.rows, np.ndarray):
        return pd.DataFrame(table.rows, columns=table.columns)
    if table.columns is not None:
        exact = np.array(table.rows, dtype=object)
        plain = whole(table.rows) if isinstance(table.rows[0][0], str) else are_floats(exact)
        return pd.DataFrame(exact.astype(np.float64) if plain else exact, columns=table.columns)
    width = 1 + max((max(row, default=0) for row in table.rows), default=0)
    if not whole(table.rows) and len(table.rows) * width <= DENSE:
        return np.array([[row.get(j, "0") for j in range(width)] for row in table.rows], dtype=object)
    places = [(i, j) for i, row in enumerate(table.rows) for j in row]
    values = [float(value) for row in table.rows for value in row.values()]
    rows, columns = zip(*places, strict=True)
    return sp.csr_matrix((values, (rows, columns)), shape=(len(table.rows), width))


def are_floats(exact: np.ndarray) -> bool:
    """Whether all numbers of a table of objects are float64 numbers; texts are none."""
    columns = ({v for v in column if not isinstance(v, float)} for column in exact.T)
    return not any(isinstance(v, str) or float(v) != v for column in columns for v in column)
