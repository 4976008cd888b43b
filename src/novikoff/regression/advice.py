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


def advice_for(
    design: Design, coefficients: dict[str, str], relations: list[dict[str, int]], rounded: list[str], verdict: str
) -> str:
    """The sentences for the case at hand; ``rounded`` are columns that only rounding keeps from being aliased."""
    if ALIASED in coefficients.values():
        return aliased_advice(design, relations, verdict)
    if rounded:
        return (
            f"The columns {comma_list(rounded)} are bound by a linear relation but for the rounding of floats, and "
            f"what is said here is said of that rounding: leave out {rounded[-1]} and ask again."
        )
    if verdict == OVERLAP:
        return "All estimates are finite: fit the model as usual."
    firth = f"Firth's penalty ({PACKAGES.get(design.family, 'brglm2 in R')}) or a weakly informative prior"
    if verdict == COMPLETE:
        few = max(len(design.y), design.weights.sum()) <= len(coefficients) / design.blocks
        why = "there are no more rows than coefficients" if few else "the columns tell the response without an error"
        return (
            f"No estimate exists, as {why}: leave columns out, or look whether one of them is the response in "
            f"disguise. If all belong in the model, estimate it with {firth}, or test by exact conditional methods."
        )
    above = ", with the finite ones above," if FINITE in coefficients.values() else ""
    first = what_separates(design, coefficients)
    return f"{first} Report the infinite estimates as such{above} or estimate all with {firth}."


def what_separates(design: Design, coefficients: dict[str, str]) -> str:
    """What makes estimates infinite: groups of one response, or columns that tell it beyond some value."""
    names = [name for name, kind in coefficients.items() if kind != FINITE and not is_intercept(name)]
    if groups := groups_of_one_response(design, names):
        return (
            f"{comma_list(groups)} {'marks a group' if len(groups) == 1 else 'mark groups'} in which the response does "
            "not vary: merge levels if that makes sense, and do not drop the column just because its standard error is "
            "huge."
        )
    if design.blocks > 1:
        return (
            "Some rows can be told from another class without an error: with another reference class the coefficients "
            "that compare classes which overlap may be finite."
        )
    if len(names) == 1:
        return f"Beyond some value of {names[0]} the response does not vary: more data there would tell."
    which = f"A combination of {comma_list(names)}"
    return f"{which} tells the response of some rows without an error: more data there would tell."


def groups_of_one_response(design: Design, names: list[str]) -> list[str]:
    """The groups that columns of two values mark, and first levels, whose rows all have one response.

    A first level has no column: it is where all columns of its factor are 0.
    """
    groups: dict[str, np.ndarray] = {}
    levels: dict[str, dict[str, np.ndarray]] = {}
    for name in names:
        values = column_of(design, name)
        if values is None or len(np.unique(values)) != 2:
            continue
        name = name if design.blocks == 1 else name.split(": ", 1)[-1]
        factor, level, _ = name.partition("[T.")
        groups[name] = values == values.max()
        if level:
            levels.setdefault(factor, {})[name] = values != values.min()
        else:
            groups[f"{name} = {values.min():g}"] = values == values.min()
    firsts = {
        f"{factor}[reference]": ~np.any(list(columns.values()), axis=0)
        for factor, columns in levels.items()
        if columns.keys() >= {name for name in design.names or [] if name.startswith(f"{factor}[T.")}
    }
    return [name for name, rows in (groups | firsts).items() if rows.any() and is_of_one_response(design, rows)]


def is_of_one_response(design: Design, rows: np.ndarray) -> bool:
    """Whether these rows have one class; of counts, whether all are zero."""
    labels = design.labels[rows]
    return bool((labels == labels[0]).all() and (design.family != "poisson" or not labels[0]))


def aliased_advice(design: Design, relations: list[dict[str, int]], verdict: str) -> str:
    """Columns that depend on others are left out first."""
    alone = [name for relation in relations if len(relation) <= 2 for name in relation]
    constant = {name: value for name in alone if (value := one_value(design, name)) is not None}
    zero = [name for name, value in constant.items() if value == 0]
    if zero:
        which = f"The column {comma_list(zero)} is 0 in every row, so its coefficient changes nothing"
    elif constant:
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
    return name == INTERCEPT or name.endswith(f": {INTERCEPT}")


def column_of(design: Design, name: str) -> np.ndarray | None:
    """The numbers of the column of a coefficient; None of an intercept."""
    columns = design.names or [str(j) for j in range(design.numbers.shape[1])]
    column = name.split(": ", 1)[-1] if name not in columns else name
    if column not in columns:
        return None
    whole = design.numbers.whole if isinstance(design.numbers, Ratios) else design.numbers
    values: Any = whole[:, [columns.index(column)]]
    return np.asarray(values.toarray() if sp.issparse(values) else values).ravel()


def one_value(design: Design, name: str) -> float | None:
    """The value of a coefficient's column that has only one; None of others."""
    values = column_of(design, name)
    return None if values is None or len(np.unique(values)) > 1 else float(values[0])
