"""From the columns of a file to a learner: scikit-learn's pipeline, rows prepared where they are, and a first look
whether the classes separate."""

import warnings
from ast import literal_eval
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import HashingVectorizer, TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, OneHotEncoder, StandardScaler

from ..data.frames import Columns
from ..registry import entry_of, load_class
from ..scale.incremental import fit_by_parts
from .fit_request import check_settings

MOST_NUMBERS = 2 * 10**7
"""Numbers times classes up to which it is looked first whether the rows separate, which takes seconds at most."""
MOST_PASSES = 200
"""Passes that the first look takes at most."""
PART = 2**14
"""Rows of a matrix that are prepared at a time."""
WHY_DEFAULT = "this averaged rule is on average the most accurate of those measured in docs/command.md"


def make_learner(name: str, settings: Iterable[str] = ()) -> Any:
    """The learner of a short name with settings "key=value"."""
    entry = entry_of(name)
    learner = load_class(entry.module, entry.name)()
    return configure(learner, settings) if settings else learner


def configure(learner: Any, settings: Iterable[str]) -> Any:
    """A learner with settings "key=value"."""
    check_settings(settings, type(learner).__name__, learner.get_params())
    for setting in settings:
        key, _, value = setting.partition("=")
        learner.set_params(**{key: value_of(value)})
    return learner


def value_of(text: str) -> Any:
    """The number, truth value, None or dict that a text stands for, or the text.

    >>> value_of("1e-3"), value_of("none"), value_of("cyclic")
    (0.001, None, 'cyclic')
    """
    try:
        return literal_eval({"true": "True", "false": "False", "none": "None"}.get(text.lower(), text))
    except (ValueError, SyntaxError):
        return text


def make_preparation(columns: Columns | None, impute: bool, streaming: bool = False) -> Any:
    """Numbers scaled, categories one-hot, free text by TF-IDF; a sparse matrix scaled without losing its zeros.

    Streaming, steps must learn row by row: words are hashed, and the mean, which is 0 once scaled, is filled in.
    """
    if columns is None:
        return MaxAbsScaler()
    number = StandardScaler()
    if impute:
        from sklearn.impute import SimpleImputer
    if impute and streaming:
        number = make_pipeline(StandardScaler(), SimpleImputer(strategy="constant", fill_value=0.0))
    elif impute:
        number = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    words = HashingVectorizer(alternate_sign=False) if streaming else TfidfVectorizer(sublinear_tf=True)
    by_kind: dict[str, list[str]] = {"number": [], "category": [], "text": []}
    for name in columns.used:
        by_kind[columns.kinds[name]].append(name)
    steps: list[tuple[str, Any, Any]] = []
    if by_kind["number"]:
        steps.append(("number", number, by_kind["number"]))
    if by_kind["category"]:
        steps.append(("category", OneHotEncoder(handle_unknown="ignore"), by_kind["category"]))
    steps += [(f"text {name}", clone(words), name) for name in by_kind["text"]]
    return ColumnTransformer(steps)


def as_frame(X: Any, names: list[str]) -> Any:
    """The rows of a matrix as a frame with these columns, or of a frame as they are."""
    return pd.DataFrame(X, columns=names, copy=False) if isinstance(X, np.ndarray) else X


def fit_transform(preparation: Any, X: Any, names: list[str], in_place: bool) -> tuple[Any, Any]:
    """A preparation that is fitted to rows, and the prepared rows."""
    if hasattr(X, "iloc"):
        return preparation, preparation.fit_transform(X)
    preparation = fit_by_parts(preparation, (as_frame(part, names) for part in parts_of_matrix(X)))
    return preparation, transform(preparation, X, names, in_place)


def transform(preparation: Any, X: Any, names: list[str], in_place: bool) -> Any:
    """The prepared rows; those of a matrix, dense or sparse, take the place of the rows, if they may."""
    if hasattr(X, "iloc") or not in_place:
        return preparation.transform(as_frame(X, names))
    stored = 0
    for part in parts_of_matrix(X):
        prepared = preparation.transform(as_frame(part, names))
        if isinstance(X, np.ndarray):
            part[:] = prepared
        else:  # a scaler of sparse rows leaves their zeros
            X.data[stored : stored + prepared.nnz] = prepared.data
            stored += prepared.nnz
    return X


def parts_of_matrix(X: Any) -> Iterator[Any]:
    """The rows of a matrix, some after the other."""
    return (X[first : first + PART] for first in range(0, X.shape[0], PART))


def keep_rows(X: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Some rows of a matrix, in their order, where it was."""
    for first in range(0, len(places), PART):
        part = places[first : first + PART]
        X[first : first + len(part)] = X[part]
    return X[: len(places)]


def keep_sparse_rows(X: Any, places: np.ndarray) -> Any:
    """Some rows of a sparse matrix, in their order, where it was."""
    indptr, stored = np.zeros(len(places) + 1, dtype=X.indptr.dtype), 0
    for first in range(0, len(places), PART):
        part = X[places[first : first + PART]]
        X.data[stored : stored + part.nnz], X.indices[stored : stored + part.nnz] = part.data, part.indices
        indptr[first + 1 : first + 1 + part.shape[0]] = part.indptr[1:].astype(indptr.dtype) + stored
        stored += part.nnz
    return sp.csr_matrix((X.data[:stored], X.indices[:stored], indptr), shape=(len(places), X.shape[1]))


class FirstLook(NamedTuple):
    """Whether a perceptron separated the classes, in words; and its run, if there was one."""

    finding: str
    run: Any


def look_ahead(X: Any, y: np.ndarray) -> FirstLook:
    """See whether a perceptron separates the prepared rows, unless there are too many numbers."""
    if (X.nnz if hasattr(X, "nnz") else X.size) * len(set(y.tolist())) > MOST_NUMBERS:
        return FirstLook("too large to look first whether a plane separates (novikoff certify does)", None)
    with collect_warnings():
        run = make_learner("perceptron").set_params(order="active", max_iter=MOST_PASSES, tol=None).fit(X, y)
    ends = set(np.atleast_1d(run.status_).tolist())
    if "inseparable" in ends:
        return FirstLook("no plane separates the classes", run)
    if ends == {"separated"}:
        return FirstLook("the classes separate", run)
    finding = f"no plane was found in {MOST_PASSES} passes (novikoff certify decides whether there is one)"
    return FirstLook(finding, run)


@contextmanager
def collect_warnings() -> Iterator[list[str]]:
    """Warnings of runs that did not converge are put into a list as texts, once the block has ended."""
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        yield notes
    notes += [str(warning.message) for warning in caught if issubclass(warning.category, ConvergenceWarning)]
