"""The rows of a CSV file of which some columns are taken, with equal cells kept once.

The standard library only, as in exact_table.py.  Where all cells that occur are plain decimals, so is every column, and
none of them need be looked at by itself.
"""

from math import isinf
from operator import itemgetter
from typing import Any, NamedTuple

from ..certificates.check import is_number
from .open_files import Sheet, raw_records, split_names

MOST_DIGITS = 300
"""Characters below which a number without an exponent is surely in the range of float64."""


class Cells(dict[str, str]):
    """Cells as they are written, and trimmed, equal ones as one text."""

    def __missing__(self, cell: str) -> str:
        trimmed = cell.strip()
        self[cell] = kept = self.setdefault(trimmed, trimmed)
        return kept


class TakenRows(NamedTuple):
    """Rows of cells, their labels, and all cells that occur in the rows."""

    rows: list[tuple[str, ...]]
    labels: list[str]
    values: set[str]

    def columns(self, names: list[str], target: str) -> dict[str, list[Any]]:
        """The same by columns."""
        return dict(zip(names, map(list, zip(*self.rows, strict=True)), strict=True)) | {target: self.labels}

    def are_decimals(self, marks: frozenset[str]) -> bool:
        """Whether all are plain decimals in the range of float64, and none, nor a label, stands for a missing value."""
        present = marks.isdisjoint(self.values) and marks.isdisjoint(set(self.labels))
        return present and all(map(is_number, self.values)) and not any(map(is_beyond, self.values))


def columns_taken(columns: list[str], target: str | None, drop: list[str]) -> list[str]:
    """The columns of numbers; none where there is something wrong with the options."""
    drop = split_names(drop, columns)
    sound = target in columns and len(set(columns)) == len(columns) and set(drop) <= set(columns) - {target}
    return [name for name in columns if name != target and name not in drop] if sound else []


def read_taken(sheet: Sheet, names: list[str], target: str) -> TakenRows:
    """The rows of these columns, and the labels."""
    places, label = [sheet.columns.index(name) for name in names], sheet.columns.index(target)
    take = itemgetter(*places) if len(places) > 1 else lambda record: (record[places[0]],)
    cells, texts = Cells(), Cells()
    rows, labels = [], []
    for record in raw_records(sheet):
        rows.append(tuple(map(cells.__getitem__, take(record))))
        labels.append(texts[record[label]])
    return TakenRows(rows, labels, set(cells.values()))


def is_beyond(cell: str) -> bool:
    """Whether a cell is a number beyond the range of float64."""
    return (len(cell) > MOST_DIGITS or "e" in cell or "E" in cell) and is_number(cell) and isinf(float(cell))
