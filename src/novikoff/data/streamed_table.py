"""CSV and libsvm files as rows for the checker that are never all in memory: each look reads the files again.

The standard library only, as in exact_table.py; all columns besides the target hold numbers.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from operator import itemgetter
from typing import Any

from ..errors import InputError, check_columns, comma_list
from .column_kinds import MISSING
from .exact_table import is_missing, no_label, sparse_records
from .labels import MOST_CLASSES, check_class_count, decide_classes
from .open_files import Reading, files_named, open_file, records, sniff_sheet, split_names

Record = tuple[Any, Any]
"""A row, and its label."""


class ReadRows(Collection[Any]):
    """Rows that are read when they are looked at."""

    def __init__(self, count: int, read: Callable[[], Iterator[Any]]) -> None:
        self.count, self.read = count, read

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Any]:
        return self.read()

    def __contains__(self, row: object) -> bool:
        return any(row == other for other in self)


def streamed_table(
    source: str, reading: Reading, target: str | None, drop: Iterable[str]
) -> tuple[ReadRows, Iterable[Any]]:
    """The rows, and the class of each, of CSV or libsvm files: of a path, a folder or a pattern."""
    paths, drop, name = files_named(source), list(drop), target or "label"
    numbers: dict[Any, int] = {}
    labels = array("H")  # the number of each row's label
    marks = MISSING | set(reading.missing)
    for _, label in records_of(paths, reading, target, drop):
        labels.append(numbers.setdefault(None if is_missing(label, marks) else label, len(numbers)))
        if len(numbers) > MOST_CLASSES + 1:
            check_class_count(numbers, name, paths[0])
    counts = Counter(labels)
    classes = decide_classes({label: counts[k] for label, k in numbers.items()}, name, paths[0])
    if None in numbers:
        raise no_label(name, counts[numbers[None]], labels.index(numbers[None]), paths[0])
    of_number = [classes[label] for label in numbers]
    rows = ReadRows(len(labels), lambda: (row for row, _ in records_of(paths, reading, target, drop)))
    return rows, map(of_number.__getitem__, labels)


def records_of(paths: list[str], reading: Reading, target: str | None, drop: list[str]) -> Iterator[Record]:
    """The rows of files, one after the other, each with its label; their columns are in the order of the first's."""
    names: list[str] = []
    for path in paths:
        file = open_file(path)
        with file.file:
            if file.format == "libsvm":
                yield from sparse_records(file)
                continue
            sheet = sniff_sheet(file, reading)
            if target is None:
                raise InputError(f"Say which column holds the classes with --target: {comma_list(sheet.columns)}.")
            left_out = {target, *split_names(drop, sheet.columns)}
            names = names or [name for name in sheet.columns if name not in left_out]
            check_columns(sheet.columns, [*names, *left_out], path)
            cells = itemgetter(*map(sheet.columns.index, names)) if len(names) > 1 else None
            only, label = sheet.columns.index(names[0]), sheet.columns.index(target)
            for record in records(sheet):
                yield cells(record) if cells else (record[only],), record[label]
