"""What is pointed out of columns that are trained on: those of one value, and those that alone decide the class."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..errors import comma_list, shell_quoted, shown

LEAST_ROWS = 20
"""Rows below which a column decides the classes by chance too easily."""
MANY = 5
"""Rows that every value must have on average to decide a class as a category does."""
FIRST = 1000
"""Rows that are looked at before all."""
MOST_NUMBERS = 10**8
"""Rows times columns above which only the first rows are looked at."""


def column_notes(X: Any, y: np.ndarray, names: Sequence[str], where: str = "") -> list[str]:
    """Sentences on the columns of a frame or a matrix with these labels; ``where`` says which rows these are."""
    if X.shape[0] * X.shape[1] > MOST_NUMBERS:
        X, y, where = X[:FIRST], y[:FIRST], f" in the first {FIRST} rows"
    columns = list(zip(names, columns_of(X), strict=True))
    constant = [(name, column[0]) for name, column in columns if (column == column[0]).all()]
    notes = [
        f"Column {name!r} has the one value {shown(str(value))}{where}, which tells nothing."
        for name, value in constant
    ]
    classes, codes = np.unique(np.asarray(y, dtype=str), return_inverse=True)
    if len(y) < LEAST_ROWS or len(classes) < 2:
        return notes
    deciding = [name for name, column in columns if decides(column, codes, len(classes))]
    if deciding:
        options = " ".join(f"--drop {shell_quoted(name)}" for name in deciding[:3])
        notes.append(
            f"{comma_list(map(repr, deciding), 3)} alone decide{'s' * (len(deciding) == 1)} the class{where}: if "
            f"that is known only once the class is, leave it out ({options})."
        )
    return notes


def columns_of(X: Any) -> Iterator[np.ndarray]:
    """The columns one after the other."""
    return (X.iloc[:, j].to_numpy() if hasattr(X, "iloc") else X[:, j] for j in range(X.shape[1]))


def decides(column: np.ndarray, codes: np.ndarray, count: int) -> bool:
    """Whether the classes can be told from a column alone: by thresholds between them, or by values that many rows
    share."""
    return decides_rows(column[:FIRST], codes[:FIRST], 0) and decides_rows(column, codes, count)


def decides_rows(column: np.ndarray, codes: np.ndarray, count: int) -> bool:
    """The same of these rows, if all have a value; a ``count`` of 0 asks only whether each value has one class."""
    texts = column.dtype == object
    if texts:
        column = pd.factorize(column)[0]
    elif np.isnan(column).any():
        return False
    order = np.lexsort((codes, column))
    values, classes = column[order], codes[order]
    same_value, same_class = values[1:] == values[:-1], classes[1:] == classes[:-1]
    if (same_value & ~same_class).any():
        return False
    if not count:
        return True
    by_threshold = not texts and int((~same_class).sum()) == count - 1
    return by_threshold or MANY * (1 + int((~same_value).sum())) <= len(values)
