"""Exact rows out of files, or of the partitions of a cluster, for proofs: each pass reads them again."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from ..data.ahead import read_ahead
from ..data.column_notes import tell_row_numbers
from ..data.decimal_table import body_of, ratios_of_cells
from ..data.frames import Columns, clean_table
from ..data.labels import class_numbers
from ..data.notations import FORMS
from ..data.open_files import ColumnOptions, Reading
from ..errors import InputError, shell_quoted
from ..exact.floats import WHOLE
from ..exact.ratios import Ratios, stack_numbers
from .block_files import Projection, TextFile, lines
from .blocks import Blocks, blocks_of


class ExactBatch(NamedTuple):
    """Some rows, the number of the first of them, and the numbers of their classes."""

    first: int
    numbers: Any  # as certify takes them: a matrix, ratios, or texts that mean the decimals written
    labels: np.ndarray
    place: str  # what errors call where they are


@dataclass(frozen=True)
class RowSource(ABC):
    """Rows that can be read again, batch by batch."""

    classes: np.ndarray
    counts: np.ndarray  # rows of each class
    columns: int
    names: list[str] | None
    decimal: bool

    @property
    def rows(self) -> int:
        """How many there are."""
        return int(self.counts.sum())

    def in_memory(self) -> tuple[Any, np.ndarray]:
        """All rows with the names of their columns, and the class of each."""
        batches = list(self.batches())
        numbers, labels = [batch.numbers for batch in batches], np.concatenate([batch.labels for batch in batches])
        if any(not isinstance(part, Ratios) for part in numbers):
            numbers = [part.table() if isinstance(part, Ratios) else part for part in numbers]
        X = stack_numbers(numbers)
        named = isinstance(X, Ratios) or self.names is None
        return X if named else pd.DataFrame(X, columns=self.names), self.classes[labels]

    @abstractmethod
    def batches(self) -> Iterator[ExactBatch]:
        """All rows in their order, in this process."""

    def looks(self, work: Callable[[ExactBatch], Any]) -> Iterator[tuple[int, Any]]:
        """How many rows a batch has, and what the work makes of it, wherever the rows are; in their order."""
        for batch in self.batches():
            yield len(batch.labels), work(batch)


def file_source(
    source: Any, target: str | None = None, reading: Reading | None = None, options: ColumnOptions | None = None
) -> "FileSource":
    """The rows of files; a first pass over the labels finds the classes."""
    if target is not None and not isinstance(target, str):
        raise InputError("Of files, y is the name of the column that holds the classes, or None for libsvm files.")
    blocks = blocks_of(source, target, reading, options)
    check_numbers(blocks)
    labels = blocks.label_counts()
    blocks = replace(blocks, width=labels.width)
    width = labels.width if blocks.columns is None else width_of(blocks, labels.classes)
    decimal = blocks.columns is not None and all(kind == "string" for kind in (blocks.files[0].schema or {}).values())
    names = None if blocks.names is None else list(blocks.names)
    return FileSource(labels.classes, labels.counts, width, names, decimal, blocks)


def check_numbers(blocks: Blocks) -> None:
    """Raise unless all columns hold plain numbers."""
    columns = blocks.columns or Columns({})
    tell_row_numbers(columns.row_numbers)
    for name, kind in columns.kinds.items():
        if name in columns.notations:
            kind = FORMS[columns.notations[name].form][1]
        if kind not in ("number", "dropped"):
            raise InputError(
                f"Column {name!r} of {blocks.name} holds no plain numbers ({kind}), and rows that are read in passes "
                f"must: leave it out with --drop {shell_quoted(name)}, or encode it before."
            )


def width_of(blocks: Blocks, classes: np.ndarray) -> int:
    """The columns of the rows, those of lists counted one by one."""
    if not blocks.lists:
        return len(blocks.columns.used) if blocks.columns else 0
    return next(X.shape[1] for k in range(len(blocks)) for X, _ in blocks.rows(k, classes))


def wide_columns(schema: dict[str, str], names: list[str]) -> dict[int, str]:
    """The columns of whole numbers of 64 bits, some of which float64 may not have, by place; decimals are refused."""
    for name in names:
        if schema.get(name, "").startswith("decimal"):
            raise inexact_error(name, schema[name])
    return {j: name for j, name in enumerate(names) if schema.get(name) in ("int64", "uint64")}


def check_exact(X: Any, wide: dict[int, str], path: str) -> None:
    """Raise if floats stand for whole numbers that they do not all hold."""
    for j, name in wide.items():
        if X.shape[0] and np.abs(X[:, [j]]).max() >= WHOLE:
            raise inexact_error(name, f"whole numbers beyond 2^53 in {path}")


def inexact_error(name: str, what: str) -> InputError:
    """The error of a column whose numbers float64 does not all hold."""
    return InputError(
        f"Column {name!r} holds {what}, which float64 cannot tell apart, and rows that are read in passes are of "
        f"float64: leave it out with --drop {shell_quoted(name)}, or read the file without --stream."
    )


@dataclass(frozen=True)
class FileSource(RowSource):
    """The rows of files, in the order of the files."""

    blocks: Blocks

    def batches(self) -> Iterator[ExactBatch]:
        first = 0
        for batch in read_ahead(batch for k in range(len(self.blocks)) for batch in self.block(k)):
            yield batch._replace(first=first)
            first += len(batch.labels)
        for file in self.blocks.files:
            file.check_unchanged()
        if first != self.rows:
            raise InputError(f"{self.blocks.name} has {first} rows where it had {self.rows} before: begin again.")

    def block(self, k: int) -> Iterator[ExactBatch]:
        """The rows of a block: floats as they are, decimals as they are written."""
        file, place = self.blocks.places[k]
        if not self.decimal:
            wide = wide_columns(file.schema or {}, self.names or [])
            for X, labels in self.blocks.rows(k, self.classes):
                check_exact(X, wide, file.path)
                yield ExactBatch(0, X, labels, file.path)
            return
        if isinstance(file, TextFile) and (plain := self.plain_block(file, place)):
            yield plain
            return
        done = 0
        for chunk in file.chunks(place, Projection((*(self.names or ()), self.blocks.target))):
            yield self.written(chunk.table, file.path, done)
            done += len(chunk)

    def written(self, table: Any, path: str, done: int) -> ExactBatch:
        """The decimals of a table of texts, after so many rows of its block."""
        table = clean_table(table, self.blocks.reading.missing)
        self.blocks.complete_rows(table, path, done)
        cells = np.array([column.to_pylist() for column in table.select(self.names).columns], dtype=object).T
        return ExactBatch(0, cells, class_numbers(table[self.blocks.target], self.classes, path), path)

    def plain_block(self, file: TextFile, place: Any) -> ExactBatch | None:
        """The decimals of lines that are written plainly; None of others."""
        file.check_unchanged()
        body = body_of(lines(file.path, place), file.written)
        names, target = list(self.names or ()), self.blocks.target
        found = None if body is None else ratios_of_cells(body, file.written, names, target)
        if found is None:
            return None
        ratios, cells = found
        here = [name for name in file.written.columns if name in names]
        if here != names:  # another file may have its columns in another order
            places = [here.index(name) for name in names]
            ratios = Ratios(ratios.whole[:, places], [ratios.over[j] for j in places], names)
        texts = self.blocks.target_column(pa.table({target: [cell.decode() for cell in cells]}))
        if texts.null_count:
            return None
        return ExactBatch(0, ratios, class_numbers(texts, self.classes, file.path), file.path)

    def labels(self) -> Iterator[Any]:
        """The class of every row; only the target is read for it."""
        only = Projection((self.blocks.target,)) if self.blocks.columns else Projection()
        for file, place in self.blocks.places:
            for chunk in file.chunks(place, only):
                cells = chunk.labels if chunk.table is None else self.blocks.target_column(chunk.table)
                yield from self.classes[class_numbers(cells, self.classes, file.path)].tolist()
