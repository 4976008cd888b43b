"""The rows of a file as a model is trained on them, and what is known of them.

Nothing here imports scikit-learn, so that rows can be read while it is imported.
"""

import os
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..data import frames
from ..data.column_notes import column_notes
from ..data.frames import Columns
from ..data.labels import missing_error, read_labels
from ..data.open_files import SAMPLE, check_named
from ..data.readers import Chunk, DataFile, first_texts, open_data
from ..errors import InputError
from .fit_request import FitRequest
from .recipe import take_rows


@dataclass(frozen=True)
class DataSummary:
    """The rows and columns that the model was trained on."""

    file: str
    format: str
    rows: int
    rows_left_out: int
    width: int
    columns: dict[str, str]  # {column: kind}; of a libsvm file none
    missing: dict[str, int]  # {column: how many values}
    target: str
    classes: dict[str, int]  # {class: how many rows}
    notes: list[str] = field(default_factory=list)  # what was decided of the columns, or is to be looked at


@dataclass(frozen=True)
class LabelledRows:
    """Rows to train on, and how they were made of columns; a sparse matrix has none.

    Columns that all are numbers are one matrix, others a frame.
    """

    X: Any
    y: np.ndarray
    columns: Columns | None
    target: str
    file: DataFile
    left_out: int = 0

    def take(self, places: np.ndarray) -> tuple[Any, np.ndarray]:
        """Some of the rows as a preparation takes them, with their labels."""
        return self.frame(take_rows(self.X, places)), self.y[places]

    def frame(self, X: Any) -> Any:
        """Such rows as a preparation takes them."""
        return as_frame(X, self.names)

    @property
    def names(self) -> list[str]:
        """The columns that are trained on, where they have names."""
        return self.columns.used if self.columns else []

    def describe(self) -> DataSummary:
        """The rows in words and numbers."""
        columns = self.columns or Columns({})
        return DataSummary(
            file=self.file.name,
            format=self.file.description,
            rows=len(self.y),
            rows_left_out=self.left_out,
            width=self.X.shape[1],
            columns=columns.kinds,
            missing=columns.missing,
            target=self.target,
            classes={str(label): n for label, n in sorted(Counter(self.y.tolist()).items())},
            notes=list(columns.notes),
        )


def as_frame(X: Any, names: list[str]) -> Any:
    """The rows of a matrix as a frame with these columns, or of a frame as they are."""
    import pandas as pd

    return pd.DataFrame(X, columns=names, copy=False) if isinstance(X, np.ndarray) else X


def read_rows(request: FitRequest) -> LabelledRows:
    """The rows of a file as a model is to be trained on them."""
    file = open_data(request.data, request.reading, numbers_at_first(request))
    chunk = file.read_all()
    if chunk.matrix is not None:
        return sparse_rows(chunk, request, file)
    target = request.target or ("y" if file.description == "npz" else None)
    target = check_named(chunk.table.column_names, target, request.column_options, file.name)
    table = frames.clean_table(chunk.table, request.reading.missing)
    columns = frames.describe_columns(table, target, request.column_options, file.name, request.reading.decimal)
    labels, complete = table[target], frames.complete_rows(table, [*columns.used, target])
    if columns.all_numbers and request.missing != "impute":
        batches = table.select(columns.used).to_batches()
        del chunk, table  # so that the batches are given up one by one
        X: Any = frames.to_matrix(batches, columns)
    else:
        X = frames.fill_texts(frames.to_frame(table, columns), columns.kinds)
    y, labelled = read_labels(labels, target, file.name)
    missing = Counter(columns.missing) + Counter({target: len(labels) - len(labelled)})
    if missing and request.missing == "refuse":
        raise missing_error(missing, file.name)
    kept = labelled if request.missing == "impute" else np.flatnonzero(complete)
    y = y[np.searchsorted(labelled, kept)]
    if len(set(y.tolist())) < 2:
        raise InputError(f"{file.name} has rows of fewer than two classes left after those with missing values went.")
    left_out = len(labels) - len(kept)
    X = take_rows(X, kept) if left_out else X
    columns = replace(columns, notes=(*columns.notes, *column_notes(X, y, columns.used)))
    return LabelledRows(X, y, columns, target, file, left_out)


def numbers_at_first(request: FitRequest) -> list[str]:
    """The columns of a CSV file that hold numbers in its first rows, unless they are to be something else."""
    small = request.data == "-" or os.path.getsize(request.data) < SAMPLE  # such are read as texts as well
    if small or request.reading.decimal == ",":
        return []
    table = first_texts(request.data, request.reading)
    if table is None:
        return []
    table = frames.clean_table(table, request.reading.missing)
    wanted = {str(request.target): "target", **request.column_options.kinds(table.column_names)}
    return [
        name
        for name, column in zip(table.column_names, table.columns, strict=True)
        if wanted.get(name, "number") == "number"
        and column.null_count < len(column)
        and frames.as_floats(column) is not None
    ]


def sparse_rows(chunk: Chunk, request: FitRequest, file: DataFile) -> LabelledRows:
    """The rows of a libsvm file, which has no names of columns."""
    if request.target or request.column_options.kinds():
        raise InputError(f"{file.name} is a libsvm file, which has no named columns: leave --target and the like away.")
    y, labelled = read_labels(chunk.labels, "label", file.name)
    left_out = len(chunk) - len(labelled)
    if left_out and request.missing == "refuse":
        raise missing_error({"label": left_out}, file.name)
    return LabelledRows(chunk.matrix[labelled] if left_out else chunk.matrix, y, None, "label", file, left_out)
