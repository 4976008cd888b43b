"""The design of a regression, from arrays, frames with categories, a formula, or a model of statsmodels."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from .. import inputs
from ..certificates.separation_certificate import coefficient_names
from ..data.labels import label_array, number_labels
from ..errors import comma_list, suggestion
from ..exact.ratios import Ratios
from ..proofs.question import exact_numbers
from .families import FAMILIES
from .foreign_models import read_statsmodels
from .formulas import read_formula
from .given import Given, frame_of, with_reference_levels

MOST_WORK = 10**9
"""Products up to which it is looked whether columns are bound but for rounding."""
WELL_APART = 1e-10
"""The ratio of the least eigenvalue of XᵀX to the largest above which no relation is near."""
ROUNDED = 1e-14
"""The ratio of a singular value to the largest below which it is rounding."""
SLIGHT = 1e-6
"""A part in a relation below which a column is not in it."""


@dataclass(frozen=True)
class Design:
    """The numbers of a regression, its response and its model."""

    numbers: Any  # a float64 or integer matrix, or ratios
    names: list[str] | None
    family: str
    fit_intercept: bool
    classes: list[Any] | None  # the reference first; None of counts
    labels: np.ndarray  # numbers of classes, or counts
    label_texts: list[str]
    X: Any  # the rows as ``check`` takes them
    y: Any
    rows: np.ndarray  # their numbers in the data given: those of weight zero take no part
    weights: np.ndarray  # how often each row counts in the estimates
    other: str = ""  # what a model has that the estimates here would not have: another link, or an offset

    @property
    def blocks(self) -> int:
        """How many rows are posed by each, and how many coefficients each column has: the classes but for one."""
        return 1 if self.classes is None else len(self.classes) - 1

    @property
    def coefficients(self) -> list[str]:
        """The names of all coefficients."""
        columns = self.names or [str(j) for j in range(self.numbers.shape[1])]
        texts = None if self.classes is None else [str(label) for label in self.classes]
        return coefficient_names(columns, texts, self.fit_intercept)


def read_design(
    X: Any,
    y: Any = None,
    data: Any = None,
    family: str | None = None,
    fit_intercept: bool = True,
    reference: Any = None,
    sample_weight: Any = None,
) -> Design:
    """The design of any of the ways in."""
    given = way_in(frame_of(X), y, data, family, fit_intercept, sample_weight)
    family, y = check_family(given.family), given.y
    if y is None:
        raise ValueError("separation needs the response y, or a formula and its data, or a model of statsmodels.")
    y = y.to_pandas() if hasattr(y, "to_pandas") else y
    check_same_order(given.X, y)
    order = list(y.cat.categories) if hasattr(y, "cat") else []
    X, y = with_reference_levels(given.X), np.asarray(y)
    X = X.tocsr() if hasattr(X, "tocsr") and X.format != "csr" else X
    if not len(y):
        raise ValueError("There is no row.")
    if X.shape[0] != len(y):
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{X.shape[0]}, {len(y)}]")
    weights = read_weights(given.weights, len(y))
    rows = np.flatnonzero(weights)
    if y.ndim == 2 and y.shape[1] > 1:
        y, rows, weights = trials(y, weights, family)
    else:
        y, weights = y.ravel()[rows], weights[rows]
    X = X if len(rows) == X.shape[0] and (np.diff(rows) == 1).all() else take_rows(X, rows)
    classes, labels = read_response(y, family, reference, order)
    design = Design(
        exact_numbers(X),
        names_of(X),
        family,
        bool(given.fit_intercept),
        classes,
        labels,
        [str(label) for label in y.tolist()],
        X,
        y,
        rows if given.rows is None else given.rows[rows],
        weights,
        given.other,
    )
    check_coefficient_names(design)
    return design


def check_coefficient_names(design: Design) -> None:
    """Raise if two coefficients would have one name."""
    for name, count in Counter(design.coefficients).items():
        if count > 1:
            raise ValueError(
                f"Two coefficients would be called {name!r}: rename the column, or, if it is the one of ones, leave it "
                "out."
            )


def check_same_order(X: Any, y: Any) -> None:
    """Raise if rows and responses have the same labels in another order: they are taken one after the other."""
    one, other = (getattr(part, "index", None) if hasattr(part, "iloc") else None for part in (X, y))
    if one is None or other is None or one.equals(other) or not one.is_unique:
        return
    if len(one) == len(other) and set(one) == set(other):
        raise ValueError("X and y have one index in two orders: sort one as the other, as with y.loc[X.index].")


def way_in(X: Any, y: Any, data: Any, family: str | None, fit_intercept: bool, sample_weight: Any) -> Given:
    """Columns and response of arrays, of a formula, or of a model; what these say themselves is not said twice."""
    if isinstance(X, str):
        if y is not None or not fit_intercept:
            raise ValueError("A formula says itself what the response and the intercept are: leave the others out.")
        return replace(read_formula(X, data), family=family, weights=sample_weight)
    if data is not None:
        raise ValueError("The 'data' parameter of separation belongs to a formula, but X is none.")
    if not (hasattr(X, "exog") or hasattr(getattr(X, "model", None), "exog")):
        return Given(X, y, fit_intercept, family, sample_weight)
    model = read_statsmodels(getattr(X, "model", X))
    if y is not None or sample_weight is not None or family not in (None, model.family):
        raise ValueError("A model says itself what its response, its weights and its family are: leave them out.")
    return model


def check_family(family: str | None) -> str:
    """The family, binomial if none is named."""
    family = "binomial" if family is None else family
    if family not in FAMILIES:
        known = " or ".join(map(repr, FAMILIES))
        raise ValueError(f"The 'family' parameter of separation must be {known}. Got {family!r} instead.")
    return family


def bound_but_for_rounding(design: Design) -> list[str]:
    """The names of columns of floats that are bound by a linear relation as near as floats can hold one; none if too
    many numbers would have to be looked at."""
    if isinstance(design.numbers, Ratios) or sp.issparse(design.numbers) or design.numbers.dtype.kind != "f":
        return []
    X = np.asarray(design.numbers)
    if not X.size or X.shape[0] < X.shape[1] or X.shape[0] * X.shape[1] ** 2 > MOST_WORK:
        return []
    X = X - X.mean(axis=0) if design.fit_intercept else X
    size = np.abs(X).max(axis=0)
    with np.errstate(all="ignore"):
        X = X / np.where(size > 0, size, 1.0)
    if not np.isfinite(X).all():
        return []
    spread = np.linalg.eigvalsh(X.T @ X)
    if spread[0] > WELL_APART * spread[-1]:
        return []
    _, spread, directions = np.linalg.svd(X, full_matrices=False)
    bound = directions[spread < ROUNDED * spread[0]]
    names = design.names or [str(j) for j in range(X.shape[1])]
    return [name for name, parts in zip(names, bound.T, strict=True) if (np.abs(parts) > SLIGHT).any()]


def names_of(X: Any) -> list[str] | None:
    """The names of the columns, if they have any; no two are the same."""
    names = inputs.column_names(X)
    if names is None:
        return None
    texts = [str(name) for name in names]
    for name, count in Counter(texts).items():
        if count > 1:
            raise ValueError(f"Two columns of the design are called {name!r}: rename one.")
    return texts


def trials(y: np.ndarray, weights: np.ndarray, family: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Outcomes, rows and weights of a response that counts successes in one column and failures in another."""
    counts = y.astype(float) if y.dtype.kind in "biuf" else np.full(y.shape, np.nan)
    if family != "binomial" or y.shape[1] != 2 or not (np.isfinite(counts).all() and (counts >= 0).all()):
        raise ValueError(
            f"The response has {y.shape[1]} columns: give one, or for family='binomial' two, the numbers of successes "
            "and of failures."
        )
    counts = counts * weights[:, None]
    rows, failed = np.nonzero(counts)
    return 1 - failed, rows, counts[rows, failed]


def read_weights(sample_weight: Any, n: int) -> np.ndarray:
    """How often each row counts."""
    weights = np.ones(n) if sample_weight is None else np.asarray(sample_weight, dtype=float).ravel()
    if len(weights) != n or not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise ValueError(f"The weights must be {n} numbers that are not negative, one per row.")
    if not weights.any():
        raise ValueError("All weights are zero: no row takes part.")
    return weights


def take_rows(X: Any, rows: np.ndarray) -> Any:
    """Some rows of anything that has rows."""
    if isinstance(X, Ratios):
        return Ratios(X.whole[rows], X.over, X.columns)
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def read_response(
    y: np.ndarray, family: str, reference: Any, order: Sequence[Any] = ()
) -> tuple[list[Any] | None, np.ndarray]:
    """The classes, the reference first, and the number of each row's; or counts.

    Without a reference it is the first class, in the order of the categories if there are any.
    """
    if family == "poisson":
        return None, read_counts(y)
    classes, numbers = number_labels(label_array(y))
    listed = classes.tolist()
    if len(listed) < 2:
        raise ValueError(f"All rows are of one class, {listed[0]}: a regression needs two.")
    if family == "binomial" and len(listed) > 2:
        raise ValueError(
            f"The response has {len(listed)} classes ({comma_list(map(str, listed))}): say family='multinomial', or "
            "leave two of them."
        )
    if reference is None and not order:
        return listed, numbers
    reference = next(label for label in order if label in listed) if reference is None else reference
    texts = [str(label) for label in listed]
    if str(reference) not in texts:
        instead = suggestion(str(reference), texts) or f", whose classes are {comma_list(texts)}"
        raise ValueError(f"The reference {reference!r} is no class of the response{instead}.")
    places = {label: k for k, label in enumerate(order)}
    turn = sorted(range(len(listed)), key=lambda c: (texts[c] != str(reference), places.get(listed[c], 0)))
    return [listed[c] for c in turn], np.argsort(turn)[numbers]


def read_counts(y: np.ndarray) -> np.ndarray:
    """The response as counts."""
    try:
        counts = np.asarray([float(value) for value in y])
    except (TypeError, ValueError) as error:
        raise ValueError("The response of family='poisson' must be counts, but it holds texts.") from error
    if not np.isfinite(counts).all() or (counts < 0).any():
        where = int(np.flatnonzero(~(np.isfinite(counts) & (counts >= 0)))[0])
        raise ValueError(f"The response holds {y[where]} in row {where}, which is no count.")
    return counts
