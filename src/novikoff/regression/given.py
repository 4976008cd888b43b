"""What a way into a regression gives: columns of numbers, a response, and what is known of the model."""

from dataclasses import dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from .. import inputs
from ..exact.ratios import Ratios


@dataclass(frozen=True)
class Given:
    """Columns and response, and what a formula or a model says besides; None where nothing is said."""

    X: Any
    y: Any
    fit_intercept: bool
    family: str | None = None
    weights: Any = None
    rows: np.ndarray | None = None  # the numbers of its rows in the data that a model was given
    other: str = ""  # what a model has that the estimates here would not have: another link, or an offset


def frame_of(X: Any) -> Any:
    """A frame of pandas for one of polars, or for a column; anything else as it is."""
    X = X.collect() if hasattr(X, "collect") else X
    X = X.to_pandas() if hasattr(X, "to_pandas") else X
    return X.to_frame() if hasattr(X, "to_frame") and hasattr(X, "iloc") and X.ndim == 1 else X


def with_reference_levels(X: Any) -> Any:
    """A frame whose categories are columns of 0 and 1, all but that of the first level, as regressions have them."""
    if not isinstance(X, pd.DataFrame):
        return X if isinstance(X, Ratios) or sp.issparse(X) else as_matrix(X)
    if not X.columns.is_unique:
        raise ValueError(f"Two columns of the design are called {X.columns[X.columns.duplicated()][0]!r}: rename one.")
    check_none_missing(X)
    parts = []
    for name in X.columns:
        column = X[name]
        if pd.api.types.is_numeric_dtype(column) or holds_numbers(column):
            parts.append(column)
            continue
        check_no_days(column)
        levels = column.cat.categories if hasattr(column, "cat") else sorted(set(column), key=str)
        present = [level for level in levels if (column == level).any()]
        parts.extend((column == level).astype(int).rename(f"{name}[T.{level}]") for level in present[1:])
    if not parts:
        raise ValueError("The design has no column besides the intercept that varies: there is nothing to be told.")
    return pd.concat(parts, axis=1)


def holds_numbers(column: Any) -> bool:
    """Whether a column holds numbers as objects: they are numbers, and no names of groups."""
    return column.dtype == object and all(isinstance(value, Real | Decimal) for value in column)


def check_no_days(column: Any) -> None:
    """Raise if a column is of dates, times or periods, by its type or as objects."""
    inputs.check_no_dates(column.to_frame())
    if isinstance(column.dtype, pd.PeriodDtype) or isinstance(next(iter(column), None), date | time | timedelta):
        raise ValueError(inputs.dates_message(column.name))


def as_matrix(X: Any) -> Any:
    """X as something that has rows and columns."""
    return X if hasattr(X, "shape") else np.asarray(X)


def check_none_missing(frame: Any) -> None:
    """Raise if a value is missing."""
    for name in frame.columns:
        missing = np.flatnonzero(frame[name].isna())
        if len(missing):
            raise ValueError(
                f"Column {name!r} has no value in row {missing[0]} ({len(missing)} missing in all): take such rows "
                "out, or fill them in."
            )
