"""A formula and its data as columns and a response, through formulaic."""

import re
import warnings
from typing import Any

import pandas as pd

from .. import inputs
from ..errors import comma_list, suggestion
from .given import Given, check_none_missing, frame_of

CBIND = re.compile(r"cbind\(([^,()]+),([^,()]+)\)")
"""Successes and failures on the left side of a formula, as R has them."""
EVERYTHING = re.compile(r"(?<![\w.)`])\.(?![\w.(`])")
"""All other columns, on the right side of a formula."""
COLOURS = re.compile("\x1b\\[[0-9;]*m|[⧛⧚]")
"""Marks in the messages of formulaic."""


def read_formula(formula: str, data: Any) -> Given:
    """The columns of a formula's right side, its response, and whether it has an intercept."""
    try:
        from formulaic import Formula, model_matrix
        from formulaic.errors import DataMismatchWarning, FormulaicError
    except ImportError as error:
        raise ImportError("A formula needs formulaic: pip install 'novikoff[stats]'.") from error
    if data is None:
        raise ValueError(f"The formula {formula!r} needs its data: separation({formula!r}, data=frame).")
    data = data if hasattr(data, "columns") else pd.DataFrame(data)
    data = frame_of(data)
    left, tilde, right = formula.partition("~")
    if not (tilde and left.strip() and right.strip()):
        raise ValueError(f"The formula {formula!r} must be 'response ~ terms', such as 'y ~ x1 + x2'.")
    both = CBIND.fullmatch(left.strip())
    response = [name.strip().strip("`") for name in (both.groups() if both else [left])]
    for name in (name for name in response if name not in data.columns):
        raise ValueError(f"The formula's response {name!r} is no column of the data{instead(name, data)}.")
    others = " + ".join(f"`{name}`" for name in data.columns if name not in response)
    right = EVERYTHING.sub(others, right)
    try:
        terms = sorted(map(str, Formula(right).required_variables))
        for term in (term for term in terms if term not in data.columns and term.isidentifier()):
            raise ValueError(f"The formula names {term!r}, which is no column of the data{instead(term, data)}.")
        check_none_missing(data[[name for name in data.columns if name in (*terms, *response)]])
        inputs.check_no_dates(data[[name for name in data.columns if name in terms]])
        with warnings.catch_warnings():
            warnings.simplefilter("error", DataMismatchWarning)  # a row of no level would be taken for one of the first
            parts = model_matrix(right, data, na_action="ignore")
    except (FormulaicError, DataMismatchWarning, SyntaxError, TypeError, AttributeError) as error:
        why = " ".join(COLOURS.sub("", str(error)).split())
        raise ValueError(f"The formula {formula!r} could not be read: {why}") from error
    if not hasattr(parts, "columns"):
        raise ValueError(f"The formula {formula!r} has several parts: a regression has one, so leave out the '|'.")
    X = pd.DataFrame(parts)
    columns = [name for name in X.columns if name != "Intercept"]
    return Given(X[columns], data[response if both else response[0]], "Intercept" in X.columns)


def instead(name: str, data: Any) -> str:
    """The column that was probably meant, or those that there are."""
    return suggestion(name, data.columns) or f", whose columns are {comma_list(data.columns)}"
