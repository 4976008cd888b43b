"""A formula and its data as columns and a response, through formulaic."""

import ast
import math
import re
import warnings
from itertools import accumulate, pairwise
from typing import Any

import pandas as pd

from ..errors import comma_list, suggestion
from .given import Given, check_no_days, check_none_missing, frame_of, holds_numbers

CBIND = re.compile(r"cbind\(([^,()]+),([^,()]+)\)")
"""Successes and failures on the left side of a formula, as R has them."""
EVERYTHING = re.compile(r"`[^`]*`|(?<![\w.)`])(\.)(?![\w.(`])")
"""A name in quotes, or all other columns, on the right side of a formula."""
OFFSET = re.compile(r"(?<![\w.`])offset\s*\(")
"""What R writes for a term whose coefficient is 1."""
CALLS = re.compile(r"`[^`]*`|\{[^{}]*\}|[A-Za-z_][\w.]*\s*\([^()]*\)")
"""What is one factor in a formula, whatever is in it."""
AS_PYTHON = {"%in%": "/", ":": "@", "^": "**"}
"""What Python has for signs that are no operators of it."""
MOST_PRODUCTS = 12
"""Crossings in what cannot be read as an expression."""
MOST_TERMS = 100_000
"""Terms that a formula may make: a page of text may stand for more than any memory holds."""
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
    data = numbers_and_levels(frame_of(data))
    left, tilde, right = formula.partition("~")
    if not (tilde and left.strip() and right.strip()):
        raise ValueError(f"The formula {formula!r} must be 'response ~ terms', such as 'y ~ x1 + x2'.")
    both = CBIND.fullmatch(left.strip())
    response = [name.strip().strip("`") for name in (both.groups() if both else [left])]
    for name in (name for name in response if name not in data.columns):
        if not name.isidentifier():
            raise ValueError(
                f"The formula's response {name!r} is no column of the data: the left side is the name of a column, or "
                "cbind(successes, failures) of two."
            )
        raise ValueError(f"The formula's response {name!r} is no column of the data{instead(name, data)}.")
    if OFFSET.search(right):
        raise ValueError(
            f"The formula {formula!r} has an offset, which changes no verdict: leave it out, and take the estimates "
            "from a model that has it."
        )
    others = [name for name in data.columns if name not in response]
    if most_terms(right, len(others)) > MOST_TERMS:
        raise ValueError(f"The formula {formula!r} may have more than {MOST_TERMS:,} terms: name fewer.")
    right = EVERYTHING.sub(lambda met: every_one_of(others) if met[1] else met[0], right)
    try:
        terms = sorted(map(str, Formula(right).required_variables))
        for term in (term for term in terms if term not in data.columns and term.isidentifier()):
            raise ValueError(f"The formula names {term!r}, which is no column of the data{instead(term, data)}.")
        check_none_missing(data[[name for name in data.columns if name in (*terms, *response)]])
        for name in (name for name in data.columns if name in terms):
            check_no_days(data[name])
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


def numbers_and_levels(data: Any) -> Any:
    """A frame whose numbers are no longer objects, and whose categories are those that occur."""
    data = data.copy(deep=False)
    for name in data.columns if data.columns.is_unique else ():
        column = data[name]
        if hasattr(column, "cat"):
            data[name] = column.cat.remove_unused_categories()
        elif holds_numbers(column):
            inferred = column.infer_objects()
            data[name] = inferred if inferred.dtype != object else column.astype(float)
    return data


def every_one_of(names: list[Any]) -> str:
    """Columns as terms.  What is outside of quotes in a formula is code, so no name may end them."""
    for name in (name for name in names if "`" in str(name)):
        raise ValueError(f"The column {name!r} has a backquote in its name, so no formula can name it: rename it.")
    return " + ".join(f"`{name}`" for name in names) or "0"


def most_terms(right: str, columns: int) -> float:
    """As many terms as the right side of a formula can make at most, of data with so many columns.

    >>> most_terms("(a + b + `c d`)^2 + log(a)", 9), most_terms(".:x", 9), most_terms("x^9999", 9)
    (17.0, 9.0, inf)
    """
    text = EVERYTHING.sub(lambda met: "_every" if met[1] else "x", right)
    while text != (text := CALLS.sub("x", text)):
        pass
    for sign, operator in AS_PYTHON.items():
        text = text.replace(sign, operator)
    return sum(terms_of_part(part.strip(), columns) for part in summands(text))


def terms_of_part(part: str, columns: int) -> float:
    """The same of one part of a sum; one that is no expression is refused later, unless it may be many."""
    try:
        return count_terms(ast.parse(part, mode="eval").body, columns)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return math.inf if "**" in part or part.count("*") > MOST_PRODUCTS else 1.0


def summands(text: str) -> list[str]:
    """The parts of a sum, which may be long and so too deep to be read as one."""
    depths = accumulate(1 if letter == "(" else -1 if letter == ")" else 0 for letter in text)
    cuts = [k for k, (letter, depth) in enumerate(zip(text, depths, strict=True)) if letter == "+" and not depth]
    return [text[start + 1 : end] for start, end in pairwise([-1, *cuts, len(text)])]


def count_terms(node: ast.expr, columns: int) -> float:
    """The same of a part of it."""
    if isinstance(node, ast.UnaryOp):
        return count_terms(node.operand, columns)
    if not isinstance(node, ast.BinOp):
        return float(columns) if isinstance(node, ast.Name) and node.id == "_every" else 1.0
    a, b = (count_terms(part, columns) for part in (node.left, node.right))
    if isinstance(node.op, ast.Pow):
        power = node.right.value if isinstance(node.right, ast.Constant) else None
        return float((1 + a) ** power) if isinstance(power, int) and power * math.log(1 + a) < 300 else math.inf
    together = a * b
    return {ast.Mult: a + b + together, ast.MatMult: together, ast.Div: a + together}.get(type(node.op), a + b)


def instead(name: str, data: Any) -> str:
    """The column that was probably meant, or those that there are."""
    return suggestion(name, data.columns) or f", whose columns are {comma_list(data.columns)}"
