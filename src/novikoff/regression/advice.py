"""What to do about estimates that are infinite, in two sentences that fit the case."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..certificates.separation_certificate import INTERCEPT
from ..errors import comma_list
from ..exact.ratios import Ratios
from .design import Design
from .directions import ALIASED, COMPLETE, FINITE, OVERLAP

PACKAGES = {"binomial": "firthmodels in Python, brglm2 or logistf in R"}
"""Where Firth's penalty is to be had; brglm2 has it for all families."""


def advice_for(design: Design, coefficients: dict[str, str], relations: list[dict[str, int]], verdict: str) -> str:
    """The sentences for the case at hand."""
    aliased = [name for name, kind in coefficients.items() if kind == ALIASED]
    if aliased:
        return aliased_advice(design, relations, verdict)
    if verdict == OVERLAP:
        return "All estimates are finite: fit the model as usual."
    firth = f"Firth's penalty ({PACKAGES.get(design.family, 'brglm2 in R')}) or a weakly informative prior"
    infinite = [name for name, kind in coefficients.items() if kind != FINITE and not is_intercept(name)]
    if verdict == COMPLETE:
        few = len(design.y) <= len(coefficients)
        why = "there are no more rows than coefficients" if few else "the columns tell the response without an error"
        return (
            f"No estimate exists, as {why}: leave columns out, or look whether one of them is the response in "
            f"disguise. If all belong in the model, estimate it with {firth}, or test by exact conditional methods."
        )
    binary = [name for name in infinite if is_indicator(design, name)]
    if binary:
        first = (
            f"{comma_list(binary)} {'marks a group' if len(binary) == 1 else 'mark groups'} in which the response does "
            "not vary once the other columns are given: merge levels if that makes sense, and do not drop the column "
            "just because its standard error is huge."
        )
    elif design.blocks > 1:
        first = (
            "Some classes can be told from others without an error: with another reference class the coefficients that "
            "compare classes which overlap may be finite."
        )
    else:
        first = f"Beyond some value of {comma_list(infinite)} the response does not vary: more data there would tell."
    above = ", with the finite ones above," if FINITE in coefficients.values() else ""
    return f"{first} Report the infinite estimates as such{above} or estimate all with {firth}."


def aliased_advice(design: Design, relations: list[dict[str, int]], verdict: str) -> str:
    """Columns that depend on others are left out first."""
    constant = [name for relation in relations for name in relation if len(relation) <= 2 and is_constant(design, name)]
    if constant:
        which = f"The column {comma_list(constant)} does not vary, so it cannot be told from the intercept"
    elif len(design.y) < len(design.coefficients):
        which = f"{len(design.y)} rows cannot tell {len(design.coefficients)} coefficients apart"
    else:
        which = f"The columns {comma_list(relations[0])} are bound by a linear relation in all rows"
    names = [last_column(relation) for relation in relations]
    leave = comma_list(sorted(set(names), key=names.index))
    others = len(set(design.coefficients) - {name for relation in relations for name in relation})
    rest = "The other estimates are finite." if verdict == OVERLAP else "The others are as the table has them."
    rest = rest if others else "As it is, no estimate has one value."
    return f"{which}: leave out {leave} and ask again. {rest}"


def last_column(relation: dict[str, int]) -> str:
    """The last column of a relation that is not an intercept."""
    columns = [name for name in relation if not is_intercept(name)]
    return columns[-1] if columns else list(relation)[-1]


def is_intercept(name: str) -> bool:
    """Whether a coefficient is an intercept, of several classes that of one of them."""
    return name.endswith(INTERCEPT)


def column_of(design: Design, name: str) -> np.ndarray | None:
    """The numbers of the column of a coefficient; None of an intercept."""
    columns = design.names or [str(j) for j in range(design.numbers.shape[1])]
    column = name.split(": ", 1)[-1] if name not in columns else name
    if column not in columns:
        return None
    whole = design.numbers.whole if isinstance(design.numbers, Ratios) else design.numbers
    values: Any = whole[:, [columns.index(column)]]
    return np.asarray(values.toarray() if sp.issparse(values) else values).ravel()


def is_indicator(design: Design, name: str) -> bool:
    """Whether a coefficient's column has two values only."""
    values = column_of(design, name)
    return values is not None and len(np.unique(values)) == 2


def is_constant(design: Design, name: str) -> bool:
    """Whether a coefficient's column has one value only."""
    values = column_of(design, name)
    return values is not None and len(np.unique(values)) == 1
