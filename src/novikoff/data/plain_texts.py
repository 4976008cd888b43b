"""Tables of texts that are no CSV, as CSV: JSON lines, cells with spaces between, and columns of fixed width.

Each is turned into lines of CSV as it is read, so that all readers know them.  The standard library only, as in
open_files.py.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO, NamedTuple

from ..errors import InputError, shown

LEAST_LINES = 3
"""Lines of the same number of words that are taken for a table without delimiters."""
MOST_LINES = 100
"""Lines that are looked at to know where columns begin."""
Convert = Callable[[str, int], list[str]]
"""A line and its number, made a record."""


class Way(NamedTuple):
    """What a text is, the names of its columns where they are no line of it, and how a line becomes a record."""

    form: str
    columns: list[str]
    convert: Convert


class ConvertedLines(io.RawIOBase):
    """The lines of a stream as bytes of CSV in UTF-8, each converted when it is read."""

    def __init__(self, file: BinaryIO, encoding: str, header: list[str], convert: Convert) -> None:
        self.file, self.left = file, b""
        text = io.TextIOWrapper(file, encoding=encoding, newline=None)
        self.lines = chain([csv_line(header)] if header else [], converted(text, convert))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while len(self.left) < len(buffer):
            line = next(self.lines, None)
            if line is None:
                break
            self.left += line
        data, self.left = self.left[: len(buffer)], self.left[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self.file.close()
        super().close()


def converted(text: Iterable[str], convert: Convert) -> Iterator[bytes]:
    """The lines that are not empty, as lines of CSV."""
    for number, line in enumerate(text, 1):
        if line.strip():
            yield csv_line(convert(line.rstrip("\n"), number))


def csv_line(cells: list[str]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue().encode("utf-8", "surrogatepass")


def json_lines(lines: list[str], name: str) -> tuple[list[str], Convert]:
    """The columns of JSON lines, which are all names in the first of them, and how a line is read."""
    columns = list(dict.fromkeys(key for k, line in enumerate(lines, 1) for key in json_object(line, k, name)))

    def convert(line: str, number: int) -> list[str]:
        value = json_object(line, number, name)
        if unknown := value.keys() - set(columns):
            raise InputError(
                f"{name} has the name {shown(min(unknown))} at line {number}, which none of its first lines has: give "
                "it a line with all names first."
            )
        return [value.get(column, "") for column in columns]

    return columns, convert


def json_object(line: str, number: int, name: str) -> dict[str, str]:
    """The values of an object on a line, as the texts that they are written as; null is empty."""
    try:
        value = json.loads(line, parse_float=str, parse_int=str, object_pairs_hook=object_of)
    except LookupError as twice:
        raise InputError(
            f"{name} has the name {shown(twice.args[0])} twice at line {number}: names must differ."
        ) from twice
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{name} is not JSON at line {number}: give one object per line, as JSON lines are."
        ) from error
    if not isinstance(value, dict):
        raise InputError(f'{name} has no object at line {number}: give one per line, such as {{"x": 1, "y": "a"}}.')
    if nested := [key for key, cell in value.items() if isinstance(cell, dict | list)]:
        raise InputError(f"{name} has a nested value at line {number}, {shown(nested[0])}: give plain values.")
    return {key: cell_text(cell) for key, cell in value.items()}


def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; LookupError with a name that stands in it twice."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise LookupError(next(key for k, (key, _) in enumerate(pairs) if key in dict(pairs[:k])))
    return value


def cell_text(cell: Any) -> str:
    """A value of JSON as the text of a cell."""
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def words_of(line: str) -> list[str]:
    """The cells of a line with spaces between them; such as stand between quotes may hold spaces."""
    return next(csv.reader([" ".join(line.split())], delimiter=" "), [])


def spaced(lines: list[str], name: str) -> Convert | None:
    """How lines of cells with spaces between are read; None of other lines.

    A header with one name less than there are cells, as R writes it, has none for the names of the rows.
    """
    widths = [len(words_of(line)) for line in lines]
    width = widths[-1]
    fits = len(lines) >= LEAST_LINES and width > 1 and set(widths[1:]) == {width} and widths[0] in (width, width - 1)
    if not fits:
        return None

    def convert(line: str, number: int) -> list[str]:
        words = words_of(line)
        if len(words) == width - 1 and number == 1:
            return ["", *words]
        if len(words) != width:
            raise InputError(
                f"{name} has {len(words)} words at line {number} where others have {width}: mend that line."
            )
        return words

    return convert


def fixed_width(lines: list[str], name: str) -> Convert | None:
    """How lines are read whose columns begin at the same places; None where no place is blank in all of them."""
    longest = max(map(len, lines))
    blank = [all(line[k : k + 1] in ("", " ") for line in lines) for k in range(longest)]
    starts = [k for k in range(longest) if not blank[k] and (k == 0 or blank[k - 1])]
    if len(lines) < LEAST_LINES or len(starts) < 2:
        return None
    ends = [*starts[1:], None]

    def convert(line: str, number: int) -> list[str]:
        if any(start and line[start - 1 : start] not in ("", " ") for start in starts):
            raise InputError(f"{name} has a cell at line {number} that reaches into the next column: mend that line.")
        return [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]

    return convert


def reader_of(lines: list[str], name: str) -> Way | None:
    """How the lines are read of a text whose first has no delimiter, or is JSON; None of CSV of one column."""
    begin = lines[0].lstrip()[:1]
    if begin == "{":
        return Way("JSON lines", *json_lines(lines, name))
    if begin == "[":
        raise InputError(f"{name} is JSON: give JSON lines, one object per line, such as jq -c '.[]' makes of it.")
    lines = lines[:MOST_LINES]
    if begin == "#":
        return None
    for form, way in (("text with spaces", spaced), ("text of fixed width", fixed_width)):
        if convert := way(lines, name):
            return Way(form, [], convert)
    return None
