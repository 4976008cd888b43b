"""A pasted table: its columns, and which of them are numbers."""

import csv
import math
from collections.abc import Mapping
from typing import Any

from .controls import Refusal
from .request import POINTS

COLUMNS = 100
"""The most columns of a table."""


def table_of(request: Any) -> dict[str, Any]:
    """The columns of a CSV text, by name; those that hold numbers can be drawn."""
    text = request.get("text") if isinstance(request, Mapping) else None
    if not isinstance(text, str):
        raise Refusal("form", "A request is an object with the text of a table.")
    lines = rows_of(text.removeprefix("\ufeff"))
    head = None if all(number(cell) is not None for cell in lines[0]) else lines.pop(0)
    if not lines:
        raise Refusal("table", "The table has no rows.", line=1)
    if len(lines) > POINTS:
        raise Refusal("points", f"At most {POINTS} points; there are {len(lines)}.", most=POINTS, given=len(lines))
    names = head or [f"x{j + 1}" for j in range(len(lines[0]))]
    columns = [list(column) for column in zip(*lines, strict=True)]
    numbers = [[number(cell) for cell in column] for column in columns]
    return {
        "columns": [
            {"name": name, "texts": texts, "numbers": None if None in values else values}
            for name, texts, values in zip(names, columns, numbers, strict=True)
        ]
    }


def rows_of(text: str) -> list[list[str]]:
    """The cells of every line that is not empty; all lines have the same number of them."""
    lines = max((split(text, delimiter) for delimiter in ",;\t"), key=evenness)
    if not lines or not 2 <= len(lines[0]) <= COLUMNS:
        raise Refusal("table", f"A table has lines with 2 to {COLUMNS} cells, separated by , ; or tabs.", line=1)
    for i, line in enumerate(lines):
        if len(line) != len(lines[0]):
            raise Refusal("table", f"Line {i + 1} has {len(line)} cells, the first {len(lines[0])}.", line=i + 1)
    return lines


def split(text: str, delimiter: str) -> list[list[str]]:
    """The cells between these."""
    try:
        found = csv.reader(text.splitlines(), delimiter=delimiter)
        return [[cell.strip() for cell in line] for line in found if line]
    except csv.Error:
        return []


def evenness(lines: list[list[str]]) -> tuple[bool, int]:
    """Which of two ways to split is the better: lines of the same length, then longer ones."""
    lengths = {len(line) for line in lines}
    return len(lengths) == 1 and lengths != {1}, max(lengths, default=0)


def number(cell: str) -> float | None:
    """The number that a cell holds, if it does."""
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
