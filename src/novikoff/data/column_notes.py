"""What is pointed out of columns that are trained on: those of one value, and those that alone decide the class."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import comma_list, shell_quoted, shown, tell

LEAST_ROWS = 20
"""Rows below which a column decides the classes by chance too easily."""
MANY = 5
"""Rows that every value must have on average to decide a class as a category does."""
SAMPLE = 1000
"""Rows, all over the file, that are looked at before all."""


def column_notes(X: Any, y: np.ndarray, names: Sequence[str], where: str = "") -> list[str]:
    """Sentences on the columns of a frame or a matrix with these labels; ``where`` says which rows these are."""
    some = np.unique(np.linspace(0, len(y) - 1, SAMPLE, dtype=np.intp))
    columns = list(zip(names, columns_of(X), strict=True))
    constant = [(name, c[0]) for name, c in columns if (c[some] == c[0]).all() and (c == c[0]).all()]
    notes = [
        f"Column {name!r} has the one value {shown(as_written(value))}{where}, which tells nothing."
        for name, value in constant
    ]
    if len(y) >= LEAST_ROWS and (deciding := deciding_columns(columns, y, some)):
        options = " ".join(f"--drop {shell_quoted(name)}" for name in deciding[:3])
        notes.append(
            f"{comma_list(map(repr, deciding), 3)} alone decide{'s' * (len(deciding) == 1)} the class{where}: if "
            f"that is known only once the class is, leave it out ({options})."
        )
    return notes


def tell_row_numbers(names: Iterable[str]) -> None:
    """Point out columns that seem to number the rows, of which a proof is made all the same."""
    for name in names:
        tell(f"Column {name!r} seems to number the rows, and is proved of: --drop {shell_quoted(name)} leaves it out.")


def as_written(value: Any) -> str:
    """A value as people write it.

    >>> as_written(7.0), as_written(0.1), as_written("red")
    ('7', '0.1', 'red')
    """
    return str(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else str(value)


def columns_of(X: Any) -> Iterator[np.ndarray]:
    """The columns one after the other."""
    return (X.iloc[:, j].to_numpy() if hasattr(X, "iloc") else X[:, j] for j in range(X.shape[1]))


def deciding_columns(columns: list[tuple[str, np.ndarray]], y: np.ndarray, some: np.ndarray) -> list[str]:
    """The columns from which alone the classes can be told: by thresholds between them, or by values that many rows
    share."""
    import pandas as pd

    codes = pd.factorize(y[some])[0]
    candidates = [(name, column) for name, column in columns if decides_rows(column[some], codes, 0)]
    if not candidates:
        return []
    codes, classes = pd.factorize(y)
    return [name for name, column in candidates if len(classes) > 1 and decides_rows(column, codes, len(classes))]


def decides_rows(column: np.ndarray, codes: np.ndarray, count: int) -> bool:
    """The same of these rows, if all have a value; a ``count`` of 0 asks only whether each value has one class."""
    import pandas as pd

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
