"""A pasted table: its columns, and which of them are numbers."""

import csv
import math
from collections.abc import Mapping
from typing import Any

from ..data.open_files import sniff_delimiter
from .controls import Refusal
from .request import POINTS

COLUMNS = 100
"""The most columns of a table."""


def read_table(request: Any) -> dict[str, Any]:
    """The columns of a CSV text, by name; those that hold numbers can be drawn."""
    text = request.get("text") if isinstance(request, Mapping) else None
    if not isinstance(text, str):
        raise Refusal("form", "A request is an object with the text of a table.")
    rows = read_cells(text.removeprefix("\ufeff"))
    head = None if all(finite_number(cell) is not None for cell in rows[0]) else rows.pop(0)
    if not rows:
        raise Refusal("table", "The table has no rows.", line=1)
    if len(rows) > POINTS:
        raise Refusal("points", f"At most {POINTS} points; there are {len(rows)}.", most=POINTS, given=len(rows))
    names = head or [f"x{j + 1}" for j in range(len(rows[0]))]
    columns = [list(column) for column in zip(*rows, strict=True)]
    numbers = [[finite_number(cell) for cell in column] for column in columns]
    return {
        "columns": [
            {"name": name, "texts": texts, "numbers": None if None in values else values}
            for name, texts, values in zip(names, columns, numbers, strict=True)
        ]
    }


def read_cells(text: str) -> list[list[str]]:
    """The cells of every line that is not empty; all lines have the same number of them."""
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        reader = csv.reader(lines, delimiter=sniff_delimiter(lines) if lines else ",")
        rows = [[cell.strip() for cell in row] for row in reader if row]
    except csv.Error:
        rows = []
    if not rows or not 2 <= len(rows[0]) <= COLUMNS:
        raise Refusal("table", f"A table has lines with 2 to {COLUMNS} cells, separated by , ; or tabs.", line=1)
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise Refusal("table", f"Line {i + 1} has {len(row)} cells, the first {len(rows[0])}.", line=i + 1)
    return rows


def finite_number(cell: str) -> float | None:
    """The number that a cell holds, if it does."""
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
