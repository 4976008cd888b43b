"""A pasted table: its columns, and which of them are numbers."""

import csv
import math
import re
from collections.abc import Mapping
from typing import Any

from ..data.column_kinds import MISSING
from ..data.open_files import sniff_delimiter
from .controls import Refusal
from .request import POINTS

COLUMNS = 100
"""The most columns of a table."""
WIDE_COMMA = "，"
DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+")


def read_table(request: Any) -> dict[str, Any]:
    """The columns of a CSV text, by name; those that hold numbers can be drawn.

    Where the first line is not said to be a header or not, it is one if it has words over a column of numbers.  Cells
    that are no numbers in a column where most are, are None; ``lines`` says on which line of the text each row stands.
    """
    text, header = (request.get("text"), request.get("header")) if isinstance(request, Mapping) else (None, None)
    if not isinstance(text, str) or header not in (None, True, False):
        raise Refusal("form", "A request is an object with the text of a table, and whether it has a header.")
    rows, lines = read_cells(text.removeprefix("\ufeff"))
    if header is None:
        header = looks_like_header(*rows)
    names = rows[0] if header else [f"x{j + 1}" for j in range(len(rows[0]))]
    rows, lines = rows[header:], lines[header:]
    if not rows:
        raise Refusal("table", "The table has no rows.", line=1)
    if len(rows) > POINTS:
        raise Refusal("points", f"At most {POINTS} points; there are {len(rows)}.", most=POINTS, given=len(rows))
    columns = [list(column) for column in zip(*rows, strict=True)]
    return {
        "header": header,
        "lines": lines,
        "columns": [
            {"name": name, "texts": texts, "numbers": numbers_of(texts)}
            for name, texts in zip(names, columns, strict=True)
        ],
    }


def looks_like_header(first: list[str], *rest: list[str]) -> bool:
    """Whether the first line has a word where the column below holds numbers, or anywhere if no column does."""
    below = [numbers_of(list(column)) for column in zip(*rest, strict=True)]
    over_numbers = [cell for cell, numbers in zip(first, below, strict=False) if numbers is not None]
    return any(finite_number(cell) is None and cell not in MISSING for cell in over_numbers or first)


def numbers_of(texts: list[str]) -> list[float | None] | None:
    """The numbers of a column, None for cells that are none; None for a column that is not of numbers."""
    numbers = [finite_number(cell) for cell in texts]
    return numbers if 2 * sum(number is not None for number in numbers) > len(numbers) else None


def read_cells(text: str) -> tuple[list[list[str]], list[int]]:
    """The cells of every line that is not empty, and the number of the line; all have the same number of cells."""
    numbered = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    lines = [line for _, line in numbered]
    rows, numbers = [], []
    try:
        reader = cut_at_spaces(lines) if spaced(lines) else csv.reader(lines, delimiter=delimiter_of(lines))
        for k, row in enumerate(reader):
            rows.append([cell.strip() for cell in row])
            numbers.append(numbered[min(k, len(numbered) - 1)][0])
    except csv.Error:
        rows = []
    if not rows or not 2 <= len(rows[0]) <= COLUMNS:
        message = f"A table has lines with 2 to {COLUMNS} cells, separated by , ; | tabs or spaces."
        raise Refusal("table", message, line=1)
    for row, number in zip(rows, numbers, strict=True):
        if len(row) != len(rows[0]):
            raise Refusal("table", f"Line {number} has {len(row)} cells, the first {len(rows[0])}.", line=number)
    return rows, numbers


def delimiter_of(lines: list[str]) -> str:
    """What separates cells: a Chinese comma where all lines have equally many of them, else what it is in files."""
    wide = {line.count(WIDE_COMMA) for line in lines}
    return WIDE_COMMA if len(wide) == 1 and wide != {0} else sniff_delimiter(lines)


def spaced(lines: list[str]) -> bool:
    """Whether cells are separated by spaces: no other delimiter cuts the first line, but they do."""
    if not lines:
        return False
    one = next(csv.reader(lines[:1], delimiter=delimiter_of(lines)), [])
    return len(one) < 2 < 1 + len(lines[0].split())


def cut_at_spaces(lines: list[str]) -> list[list[str]]:
    """The cells of lines whose cells are separated by spaces."""
    return [line.split() for line in lines]


def finite_number(cell: str) -> float | None:
    """The number that a cell holds, if it does, with a point or a comma before its decimals."""
    try:
        value = float(cell.replace(",", ".") if DECIMAL_COMMA.fullmatch(cell) else cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
