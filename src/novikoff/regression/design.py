"""Ways into a regression: arrays, frames with categories, a formula, or a model of statsmodels."""

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from .. import inputs
from ..certificates.separation_certificate import coefficient_names
from ..data.labels import label_array, number_labels
from ..errors import comma_list, suggestion
from ..exact.ratios import Ratios
from ..proofs.question import exact_numbers
from .families import FAMILIES

STATSMODELS = {
    **dict.fromkeys(["Logit", "Probit"], "binomial"),
    "MNLogit": "multinomial",
    **dict.fromkeys(["Poisson", "GeneralizedPoisson", "NegativeBinomial", "NegativeBinomialP"], "poisson"),
}
"""The families of the models of statsmodels; those of GLM are called by their family."""
USUAL = ("Logit", "MNLogit", "Poisson")
"""Models whose estimates are those by logits, or with a log link."""
USUAL_LINKS = (("binomial", "Logit"), ("poisson", "Log"))
"""The same of GLM."""
LINKS = {"binomial": ("Logit", "Probit", "CLogLog", "LogLog"), "multinomial": (), "poisson": ("Log",)}
"""The links for which the rows are known: log-concave likelihoods, strictly monotone."""
INTERCEPTS = ("Intercept", "const")
"""What other packages call the column of ones."""
CBIND = re.compile(r"cbind\(([^,()]+),([^,()]+)\)")
"""Successes and failures on the left side of a formula, as R has them."""
EVERYTHING = re.compile(r"(?<![\w.)`])\.(?![\w.(`])")
"""All other columns, on the right side of a formula."""
COLOURS = re.compile("\x1b\\[[0-9;]*m|[⧛⧚]")
"""Marks in the messages of formulaic."""


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
    given, other = None, ""
    X = frame_of(X)
    if isinstance(X, str):
        if y is not None or not fit_intercept:
            raise ValueError("A formula says itself what the response and the intercept are: leave the others out.")
        X, y, fit_intercept = read_formula(X, data)
    elif data is not None:
        raise ValueError("The 'data' parameter of separation belongs to a formula, but X is none.")
    elif hasattr(X, "exog") or hasattr(getattr(X, "model", None), "exog"):
        model = read_statsmodels(getattr(X, "model", X))
        if y is not None or sample_weight is not None or family not in (None, model.family):
            raise ValueError("A model says itself what its response, its weights and its family are: leave them out.")
        X, y, fit_intercept, family, sample_weight = model.X, model.y, model.fit_intercept, model.family, model.weights
        given, other = model.rows, model.other
    family = "binomial" if family is None else family
    if family not in FAMILIES:
        raise ValueError(
            f"The 'family' parameter of separation must be {' or '.join(map(repr, FAMILIES))}. Got {family!r} instead."
        )
    if y is None:
        raise ValueError("separation needs the response y, or a formula and its data, or a model of statsmodels.")
    y = y.to_pandas() if hasattr(y, "to_pandas") else y
    order = list(y.cat.categories) if hasattr(y, "cat") else []
    X, y = with_reference_levels(X), np.asarray(y)
    if not len(y):
        raise ValueError("There is no row.")
    if X.shape[0] != len(y):
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{X.shape[0]}, {len(y)}]")
    weights = read_weights(sample_weight, len(y))
    rows = np.flatnonzero(weights)
    if y.ndim == 2 and y.shape[1] > 1:
        y, rows, weights = trials(y, weights, family)
    else:
        y, weights = y.ravel()[rows], weights[rows]
    X = X if len(rows) == X.shape[0] and (np.diff(rows) == 1).all() else take_rows(X, rows)
    numbers, names = exact_numbers(X), inputs.column_names(X)
    names = None if names is None else [str(name) for name in names]
    if names is not None and len(set(names)) < len(names):
        twice = next(name for name, count in Counter(names).items() if count > 1)
        raise ValueError(f"Two columns of the design are called {twice!r}: rename one.")
    classes, labels = read_response(y, family, order[0] if reference is None and order else reference)
    texts, rows = [str(label) for label in y.tolist()], rows if given is None else given[rows]
    return Design(numbers, names, family, bool(fit_intercept), classes, labels, texts, X, y, rows, weights, other)


def frame_of(X: Any) -> Any:
    """A frame of pandas for one of polars, or for a column; anything else as it is."""
    X = X.collect() if hasattr(X, "collect") else X
    X = X.to_pandas() if hasattr(X, "to_pandas") else X
    return X.to_frame() if hasattr(X, "to_frame") and hasattr(X, "iloc") and X.ndim == 1 else X


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


def read_formula(formula: str, data: Any) -> tuple[Any, Any, bool]:
    """The columns of a formula's right side, its response, and whether it has an intercept."""
    try:
        from formulaic import Formula, model_matrix
        from formulaic.errors import FormulaicError
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
        X = pd.DataFrame(model_matrix(right, data, na_action="ignore"))
    except (FormulaicError, TypeError, AttributeError) as error:
        why = " ".join(COLOURS.sub("", str(error)).split())
        raise ValueError(f"The formula {formula!r} could not be read: {why}") from error
    columns = [name for name in X.columns if name != "Intercept"]
    return X[columns], data[response if both else response[0]], "Intercept" in X.columns


def instead(name: str, data: Any) -> str:
    """The column that was probably meant, or those that there are."""
    return suggestion(name, data.columns) or f", whose columns are {comma_list(data.columns)}"


def check_none_missing(frame: Any) -> None:
    """Raise if a value is missing."""
    for name in frame.columns:
        missing = np.flatnonzero(frame[name].isna())
        if len(missing):
            raise ValueError(
                f"Column {name!r} has no value in row {missing[0]} ({len(missing)} missing in all): take such rows "
                "out, or fill them in."
            )


@dataclass(frozen=True)
class ForeignModel:
    """What a model of statsmodels says."""

    X: Any
    y: Any
    fit_intercept: bool
    family: str
    weights: Any
    rows: np.ndarray  # the numbers of its rows in the data that it was given
    other: str  # why estimates by logits, or with a log link, would not be its own; empty if they are


def read_statsmodels(model: Any) -> ForeignModel:
    """Columns, response and family of a model of statsmodels."""
    kind, exog = type(model).__name__, np.asarray(model.exog)
    link = type(model.family.link).__name__ if kind == "GLM" else {"Probit": "Probit"}.get(kind, "")
    known = type(model.family).__name__.lower() if kind == "GLM" else STATSMODELS.get(kind, "")
    other = "" if kind in USUAL or (kind == "GLM" and (known, link) in USUAL_LINKS) else f"{kind} {link}".strip()
    known = "poisson" if known == "negativebinomial" else known
    if known not in FAMILIES or (kind == "GLM" and link not in LINKS[known]):
        raise ValueError(
            f"separation knows of no rows for the model {kind} {link}".rstrip() + ": it takes Logit, Probit, MNLogit, "
            "counts with a log link, and GLM of these families with links logit, probit, cloglog, loglog or log."
        )
    frame = pd.DataFrame(exog, columns=[str(name) for name in model.exog_names[: exog.shape[1]]])
    ones = [name for name in frame.columns if name in INTERCEPTS and (frame[name] == 1).all()][:1]
    weights = np.ones(len(exog))
    for name in ("freq_weights", "var_weights"):
        weights = weights * (1.0 if getattr(model, name, None) is None else np.asarray(getattr(model, name)))
    if any(np.any(getattr(model, name, 0)) for name in ("offset", "exposure")):
        other = "offset"
    missing = getattr(model.data, "missing_row_idx", None)
    missing = [] if missing is None else list(missing)
    rows = np.setdiff1d(np.arange(len(exog) + len(missing)), missing)
    return ForeignModel(
        frame.drop(columns=ones), foreign_response(model, known), bool(ones), known, weights, rows, other
    )


def foreign_response(model: Any, family: str) -> np.ndarray:
    """The response of a model: classes by their names, trials as successes and failures, or counts."""
    y = np.asarray(model.endog)
    if family == "multinomial":
        y = y.argmax(axis=1) if y.ndim == 2 else y.astype(int)
        names = {int(k): str(v) for k, v in getattr(model, "_ynames_map", {}).items()}
        words = bool(names) and not all(re.fullmatch(r"-?[0-9.]+", name) for name in names.values())
        return np.array([names[k] for k in y.tolist()]) if words else y
    if family == "binomial" and not np.isin(y, (0, 1)).all():  # proportions of trials
        trials = np.broadcast_to(np.asarray(getattr(model, "n_trials", 1.0), dtype=float), y.shape)
        return np.column_stack([y * trials, (1 - y) * trials])
    return y.astype(int) if np.all(y == np.floor(y)) else y


def with_reference_levels(X: Any) -> Any:
    """A frame whose categories are columns of 0 and 1, all but that of the first level, as regressions have them."""
    if not isinstance(X, pd.DataFrame):
        return X if isinstance(X, Ratios) or sp.issparse(X) else inputs_as_matrix(X)
    if not X.columns.is_unique:
        raise ValueError(f"Two columns of the design are called {X.columns[X.columns.duplicated()][0]!r}: rename one.")
    check_none_missing(X)
    parts = []
    for name in X.columns:
        column = X[name]
        if pd.api.types.is_numeric_dtype(column) or is_decimal(column):
            parts.append(column)
            continue
        inputs.check_no_dates(X[[name]])
        levels = column.cat.categories if hasattr(column, "cat") else sorted(set(column), key=str)
        present = [level for level in levels if (column == level).any()]
        parts.extend((column == level).astype(int).rename(f"{name}[T.{level}]") for level in present[1:])
    if not parts:
        raise ValueError("The design has no column besides the intercept that varies: there is nothing to be told.")
    return pd.concat(parts, axis=1)


def is_decimal(column: Any) -> bool:
    """Whether a column holds exact numbers as objects."""
    return column.dtype == object and all(isinstance(value, Fraction | int) for value in column)


def inputs_as_matrix(X: Any) -> Any:
    """X as something that has rows and columns."""
    return X if hasattr(X, "shape") else np.asarray(X)


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


def read_response(y: np.ndarray, family: str, reference: Any) -> tuple[list[Any] | None, np.ndarray]:
    """The classes, the reference first, and the number of each row's; or counts."""
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
    if reference is None:
        return listed, numbers
    texts = [str(label) for label in listed]
    if str(reference) not in texts:
        raise ValueError(f"The reference {reference!r} is no class of the response{suggestion(str(reference), texts)}.")
    order = sorted(range(len(listed)), key=lambda c: texts[c] != str(reference))
    place = np.argsort(order)
    return [listed[c] for c in order], place[numbers]


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
