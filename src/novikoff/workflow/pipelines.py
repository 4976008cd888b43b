"""From the columns of a file to a learner: scikit-learn's pipeline, and rows prepared where they are."""

import warnings
from ast import literal_eval
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from operator import getitem
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import HashingVectorizer, TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, OneHotEncoder, StandardScaler

from ..data.frames import Columns
from ..errors import ReadingNote, tell
from ..registry import entry_of, load_class
from ..scale.incremental import fit_by_parts
from .fit_request import check_settings
from .labelled_rows import as_frame

PART = 2**14
"""Rows of a matrix that are prepared at a time."""


def make_learner(name: str, settings: Iterable[str] = ()) -> Any:
    """The learner of a short name with settings "key=value"."""
    entry = entry_of(name)
    learner = load_class(entry.module, entry.name)()
    return configure(learner, settings) if settings else learner


def configure(learner: Any, settings: Iterable[str]) -> Any:
    """A learner with settings "key=value"."""
    check_settings(settings, type(learner).__name__, learner.get_params())
    return learner.set_params(**settings_of(settings))


def settings_of(settings: Iterable[str]) -> dict[str, Any]:
    """Settings "key=value" as what they mean.

    >>> settings_of(["max_iter=5", "tol=none"])
    {'max_iter': 5, 'tol': None}
    """
    pairs = (setting.partition("=") for setting in settings)
    return {key: value_of(value) for key, _, value in pairs}


def value_of(text: str) -> Any:
    """The number, truth value, None or dict that a text stands for, or the text.

    >>> value_of("1e-3"), value_of("none"), value_of("cyclic")
    (0.001, None, 'cyclic')
    """
    try:
        return literal_eval({"true": "True", "false": "False", "none": "None"}.get(text.lower(), text))
    except (ValueError, SyntaxError):
        return text


def make_preparation(columns: Columns | None, impute: bool, streaming: bool = False, scaled: bool = True) -> Any:
    """Numbers scaled, categories one-hot, free text by TF-IDF; a sparse matrix scaled without losing its zeros.

    Streaming, steps must learn row by row: words are hashed, and the mean, which is 0 once scaled, is filled in.
    Not scaled, numbers stay as they are.
    """
    if columns is None:
        return MaxAbsScaler()
    number = StandardScaler() if scaled else FunctionTransformer()
    if impute:
        from sklearn.impute import SimpleImputer
    if impute and streaming:
        number = make_pipeline(StandardScaler(), SimpleImputer(strategy="constant", fill_value=0.0))
    elif impute:
        number = make_pipeline(SimpleImputer(strategy="median"), number)
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
    """The rows of a matrix, some after the other, where they are."""
    cut = sparse_part if sp.issparse(X) else getitem
    return (cut(X, slice(first, first + PART)) for first in range(0, X.shape[0], PART))


def sparse_part(X: Any, rows: slice) -> Any:
    """Some neighbouring rows of a CSR matrix without a copy of their numbers."""
    starts = X.indptr[rows.start : rows.stop + 1]
    stored = slice(starts[0], starts[-1])
    return sp.csr_matrix((X.data[stored], X.indices[stored], starts - starts[0]), (len(starts) - 1, X.shape[1]))


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


@contextmanager
def collect_warnings() -> Iterator[list[str]]:
    """Warnings of runs that did not converge are put into a list as texts, once the block has ended.

    What was decided of a file is said then too.
    """
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        warnings.simplefilter("always", ReadingNote)
        yield notes
    notes += [str(warning.message) for warning in caught if issubclass(warning.category, ConvergenceWarning)]
    for warning in caught:
        if issubclass(warning.category, ReadingNote):
            tell(str(warning.message))
