"""Arrays, matrices and frames in; rows that the passes can read out; or one sentence on what is wrong and where."""

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_array, check_consistent_length, compute_class_weight
from sklearn.utils.validation import _check_sample_weight, validate_data

from .data.labels import label_array, number_labels
from .passes.rows import unsigned

SMALL_COPY = 32 * 2**20
"""Bytes up to which an array that is not C-ordered is copied; a larger one is read in place, slower but unmoved."""
LARGEST_WEIGHT = 1e50
"""Sample weights up to this size, and down to its inverse, cannot make a step overflow."""
LARGEST_SQUARE = 1e240
"""‖x‖² up to which 2**50 updates of the largest weight cannot overflow a score."""


def column_names(X: Any) -> Any:
    """The names of a frame's columns, or None."""
    return getattr(X, "columns", None)


def is_plain(X: Any) -> bool:
    """Whether X is an array of floats in rows and columns, in which there is nothing to be checked but finiteness."""
    return type(X) is np.ndarray and X.ndim == 2 and X.dtype.char in "fd" and X.dtype.isnative and X.size > 0


def checked(X: Any, estimator: Any, learnt: bool = False) -> Any:
    """X as a real array or canonical CSR matrix, copied only where a copy is needed; finiteness is not looked at.

    If the estimator has learnt its features, those of X must be the same by number and by name.
    """
    plain = is_plain(X)
    Xc = row_major(X) if plain else converted(X, estimator)
    if learnt:
        known = vars(estimator)
        if not plain or "feature_names_in_" in known or known.get("n_features_in_") != X.shape[1]:
            validate_data(estimator, X, skip_check_array=True, reset=False)
    return Xc


def converted(X: Any, estimator: Any) -> Any:
    """X, whatever it is, as a real array or canonical CSR matrix."""
    check_no_dates(X)
    try:
        Xc = check_array(
            X,
            accept_sparse="csr",
            accept_large_sparse=True,
            dtype="numeric",
            ensure_all_finite=False,
            estimator=estimator,
        )
    except (ValueError, TypeError) as error:
        if sentence := text_sentence(X):
            raise ValueError(sentence) from error
        raise
    if Xc.dtype.kind == "O":  # categories, whose values may be texts of numbers, as those of an object column may
        try:
            Xc = Xc.astype(np.float64)
        except (ValueError, TypeError) as error:
            raise ValueError(text_sentence(X) or "X must hold numbers, but some entries are none.") from error
    if Xc.dtype.kind not in "biuf":
        raise ValueError(text_sentence(X) or f"X must hold numbers, but its entries are of type {Xc.dtype}.")
    if Xc.dtype.kind == "f" and Xc.dtype.itemsize not in (4, 8):
        Xc = Xc.astype(np.float32 if Xc.dtype.itemsize < 4 else np.float64)
    if not Xc.dtype.isnative:
        Xc = Xc.astype(Xc.dtype.newbyteorder("="))
    return canonical(Xc) if sp.issparse(Xc) else row_major(Xc)


def check_no_dates(X: Any) -> None:
    """Raise if a column of a frame holds dates or times, which may turn into numbers unasked."""
    for name, kind in zip(getattr(X, "columns", ()), getattr(X, "dtypes", ()), strict=False):
        if str(kind).lower().startswith(("date", "time", "duration")):
            raise ValueError(dates_message(name))


def dates_message(name: Any) -> str:
    """The error message of a column of dates or times."""
    return (
        f"Column {name!r} of X holds dates or times: turn them into numbers that mean something for your question, "
        "such as days since a start, or leave the column out."
    )


def canonical(X: Any) -> Any:
    """A CSR matrix with sound indices in which no entry is stored twice, as squared lengths need it."""
    if X.nnz and (unsigned(X.indices).max() >= X.shape[1] or (np.diff(X.indptr) < 0).any()):
        raise ValueError("The sparse matrix X is broken: an index points outside of it; build it again.")
    if X.has_canonical_format:
        return X
    X = X.copy()
    X.sum_duplicates()
    return X


def row_major(X: np.ndarray) -> np.ndarray:
    """The rows one after the other in memory, unless that takes a large copy."""
    return np.ascontiguousarray(X) if X.nbytes <= SMALL_COPY else X


def text_sentence(X: Any) -> str | None:
    """Name the first text found in X, column by column, if there is one."""
    table = np.asarray(X, dtype=object)
    if table.ndim != 2:
        return None
    for j, i in np.ndindex(table.shape[::-1]):
        if is_text(table[i, j]):
            return (
                f"Column {label(column_names(X), j)} of X holds text ({str(table[i, j])!r} at row {i}): encode it as "
                "numbers first, for example with sklearn.preprocessing.OneHotEncoder, or leave it out."
            )
    return None


def is_text(value: Any) -> bool:
    """Whether it is a text that float() does not take."""
    if not isinstance(value, str | bytes):
        return False
    try:
        float(value)
    except ValueError:
        return True
    return False


def label(names: Any, j: int) -> str:
    """How an error calls column j."""
    return str(j) if names is None else repr(names[j])


def check_length(square: float, X: Any, names: Any) -> None:
    """Raise if the largest squared length says that a row is not finite, or too long or short for float64."""
    if square > LARGEST_SQUARE:
        raise ValueError(not_finite_message(X, names))
    if square < 1 / LARGEST_SQUARE and abs(X).max() > 0:
        raise ValueError(
            f"The values of X are so small (none above {abs(X).max():.3g}) that squared lengths underflow: "
            "rescale X, for example with sklearn.preprocessing.StandardScaler."
        )


def not_finite_message(X: Any, names: Any) -> str:
    """The sentence on the first NaN or infinity of X in row order, or else on its largest value."""
    entries = X.tocoo() if sp.issparse(X) else None
    values = X if entries is None else entries.data
    if not values.size:
        return "The weights of the model are not finite: fit it again."
    wrong = np.flatnonzero(~np.isfinite(values))
    at = int(wrong[0]) if len(wrong) else int(np.argmax(np.abs(values)))
    i, j = divmod(at, X.shape[1]) if entries is None else (int(entries.row[at]), int(entries.col[at]))
    value = values.flat[at] if entries is None else values[at]
    place = f"at row {i}, column {label(names, j)}"
    if not len(wrong):
        return (
            f"Input X is too large for float64: {value:.3g} {place} makes scores overflow; "
            "rescale X, for example with sklearn.preprocessing.StandardScaler."
        )
    word = "NaN" if np.isnan(value) else "infinity"
    return (
        f"Input X contains {word} {place} ({len(wrong)} value{'s' if len(wrong) > 1 else ''} in all not finite): "
        "remove those rows or fill them, NaN for example with sklearn.impute.SimpleImputer."
    )


def all_classes(estimator: Any, classes: Any) -> np.ndarray:
    """The labels that a learner of parts of the data will ever see."""
    if isinstance(estimator.class_weight, str):
        raise ValueError(
            f"class_weight={estimator.class_weight!r} is not supported by partial_fit, which sees a part of the rows "
            "only: pass the weights as a dict {label: weight}."
        )
    known = getattr(estimator, "classes_", None)
    if classes is None:
        if known is None:
            raise ValueError("The first call of partial_fit needs classes=, the list of all labels that will come.")
        return known
    classes = np.unique(classes)
    if len(classes) < 2:
        raise ValueError(f"{type(estimator).__name__} needs at least two classes, but classes={classes.tolist()}.")
    if known is not None:
        check_same_classes(classes, known)
    return classes


def check_same_classes(classes: np.ndarray, known: np.ndarray) -> None:
    """Raise unless learning can go on with these classes."""
    if classes is not known and not np.array_equal(classes, known):
        raise ValueError(
            f"The classes {classes.tolist()} differ from {known.tolist()}, those learnt before: "
            "learn them together, or fit again with warm_start=False."
        )


def initial_weights(name: str, given: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Weights to start from, in this shape; those of two classes may lack the dimension of the one vector."""
    shapes = [shape, shape[1:]] if shape[0] == 1 else [shape]
    asked = f"{name} must be finite numbers of shape {' or '.join(map(str, shapes))}"
    try:
        weights = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{asked}, got {type(given).__name__} that is no array of numbers.") from error
    if weights.shape not in shapes:
        raise ValueError(f"{asked}, got shape {weights.shape}.")
    if not (np.abs(weights) <= LARGEST_WEIGHT).all():
        raise ValueError(f"{asked}, none larger than {LARGEST_WEIGHT:g}; it has others.")
    return weights.reshape(shape)


class TrainingSet(NamedTuple):
    """Rows, what they are to be taught as, and how much each counts."""

    X: Any
    names: Any
    classes: np.ndarray
    labels: np.ndarray  # the class number of every row
    sample_weight: np.ndarray  # the step of an update on a row, in units of eta0; or one for all
    row_order: np.ndarray  # the rows that count at all


def training_set(
    estimator: Any, X: Any, y: Any, sample_weight: Any, classes: Any = None, learnt: bool = False
) -> TrainingSet:
    """Check rows, labels and weights; with ``classes`` given, a part of the rows, in which some may be missing.

    If the estimator has learnt its features, X must have the same.
    """
    if y is None:
        raise ValueError(f"{type(estimator).__name__} requires y to be passed, but the target y is None.")
    names = column_names(X)
    Xc = checked(X, estimator, learnt)
    y = label_array(y)
    if Xc.shape[0] != len(y):
        check_consistent_length(Xc, y)
    known, labels = number_labels(y, classes)
    weights, row_order = np.ones(1), np.arange(len(y), dtype=np.uint32)
    class_weight = getattr(estimator, "class_weight", None)
    if sample_weight is not None or class_weight is not None:
        weights = row_weights(Xc, sample_weight, class_weight, known, labels)
        row_order = np.flatnonzero(weights).astype(np.uint32)
    counting = known if len(row_order) == len(y) else known[np.unique(labels[row_order])]
    if len(counting) < (2 if classes is None else 1):
        raise too_few_classes(estimator, counting)
    return TrainingSet(Xc, names, known, labels.astype(np.int32), weights, row_order)


def too_few_classes(estimator: Any, counting: np.ndarray) -> ValueError:
    """The error where rows with a positive weight are of these classes only, one or none."""
    if not len(counting):
        return ValueError(
            "The weights of all rows are zero: none is left to learn from; check sample_weight and class_weight."
        )
    return ValueError(
        f"{type(estimator).__name__} needs rows of at least two classes with a positive weight, "
        f"but they are of one class only: {counting.tolist()}."
    )


def row_weights(
    X: Any, sample_weight: Any, class_weight: Any = None, classes: Any = None, labels: Any = None
) -> np.ndarray:
    """The sample's weight times the weight of its class, if there are classes."""
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    if class_weight is not None:
        weights = weights * class_weights(class_weight, classes, np.bincount(labels, minlength=len(classes)))[labels]
    check_weights(weights)
    return weights


def class_weights(class_weight: Any, classes: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The weight of every class, of which there are so many rows; "balanced" makes all classes weigh the same."""
    if class_weight == "balanced":
        return counts.sum() / (len(counts) * np.maximum(counts, 1))
    by_class = compute_class_weight(class_weight, classes=classes, y=classes)
    if not (by_class >= 0).all():
        raise ValueError(f"class_weight must not be negative or NaN, got {class_weight!r}.")
    return by_class


def check_weights(weights: np.ndarray) -> None:
    """Raise if a step of such a length could overflow."""
    positive = weights[weights > 0]
    if len(positive) and not (positive.max() <= LARGEST_WEIGHT and positive.min() >= 1 / LARGEST_WEIGHT):
        raise ValueError(
            f"The weights of rows (sample_weight times class_weight) go from {positive.min():.3g} to "
            f"{positive.max():.3g}; those that are not 0 must be from {1 / LARGEST_WEIGHT:g} to {LARGEST_WEIGHT:g}."
        )
