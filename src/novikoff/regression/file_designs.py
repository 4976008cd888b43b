"""From a file to the design of a regression."""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from ..certificates.check import read_json
from ..data.column_kinds import MISSING, NUMBER
from ..data.decimal_table import search_labels, search_matrix, table_for_search
from ..data.exact_table import columns_of_file, complete_rows, in_plain_decimals, is_missing
from ..data.open_files import Reading, open_file
from ..errors import InputError
from ..exact.ratios import Ratios
from ..proofs.question import exact_numbers
from .design import read_design
from .families import FAMILIES
from .formulas import EVERYTHING


def table_of_numbers(
    data: Any, how: Reading, target: str | None, categorical: list[str], drop: list[str], family: str
) -> tuple[Any, Any]:
    """The columns of a file as exact numbers, with their names, and its response."""
    table = table_for_search(data, how, target, categorical, drop, family)
    return named_numbers(search_matrix(table), table.columns), search_labels(table)


def named_numbers(X: Any, names: list[str] | None) -> Any:
    """Decimals as ratios with the names of their columns; what is of floats as it is."""
    numbers = exact_numbers(X)
    return replace(numbers, columns=names) if isinstance(numbers, Ratios) else X


def frame_of_file(data: Any, how: Reading, formula: str) -> Any:
    """The columns of a file for a formula: numbers where all cells are numbers, else texts; missing cells are None.

    Those on its right side may be in any notation of numbers, as in a file that is read without a formula; if it is
    asked for, rows that lack a value of what it names are left out.
    """
    file = open_file(data)
    with file.file:
        if file.format == "libsvm":
            raise InputError(f"{file.name} is a libsvm file, whose columns have no names for a formula.")
        columns = columns_of_file(file, how)
    marks, frame = MISSING | set(how.missing), {}
    terms = named_in(formula.partition("~")[2], columns)
    if how.drop_incomplete:
        used = set(terms) | set(named_in(formula.partition("~")[0], columns))
        columns = complete_rows({name: columns[name] for name in columns if name in used}, marks, file.name)
    for name, cells in columns.items():
        known = [None if is_missing(cell, marks) else cell for cell in cells]
        known = in_plain_numbers(name, known, how.decimal) if name in terms and None not in known else known
        texts = [cell for cell in known if isinstance(cell, str)]
        numbers = all(NUMBER.fullmatch(text) for text in set(texts))
        frame[name] = pd.to_numeric(pd.Series(known, dtype=object)) if texts and numbers else known
    return pd.DataFrame(frame)


def named_in(side: str, columns: Iterable[str]) -> list[str]:
    """The columns that one side of a formula names, or all of them where it has a point."""
    if any(met[1] for met in EVERYTHING.finditer(side)):
        return list(columns)
    return [name for name in columns if re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", side)]


def in_plain_numbers(name: str, cells: list[Any], decimal: str | None) -> list[Any]:
    """A column with its numbers as plain decimals; what is no column of numbers as it is."""
    try:
        return in_plain_decimals(name, cells, decimal)
    except InputError:
        return cells


def design_of_formula(data: Any, how: Reading, formula: str, family: str | None) -> tuple[Any, list[Any], bool]:
    """The rows and the response that a formula makes of a file, for a checker, and whether it has an intercept."""
    design = read_design(formula, data=frame_of_file(data, how, formula), family=family)
    return design.X.to_numpy().tolist(), design.label_texts, design.fit_intercept


def family_of(proof: Path) -> str | None:
    """The family that a file of a proof names, as far as it can be read."""
    try:
        claims = read_json(proof.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError, MemoryError):
        return None
    family = claims.get("family") if isinstance(claims, dict) else None
    return family if family in FAMILIES else None
