"""What the numbers and labels of a question mean, exactly."""

from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse as sp

from .. import inputs
from ..data.labels import label_array, number_labels
from ..exact.dyadic import WHOLE

FARTHEST = 1000
"""Powers of ten beyond which a text is not taken for a number."""


def numbers(X: Any) -> Any:
    """A float64 or integer matrix, or rows of fractions where the numbers are texts or not float64."""
    if not sp.issparse(X) and np.asarray(X).dtype.kind in "OUS" and np.ndim(X) == 2:
        names = inputs.column_names(X)
        return [[fraction(v, i, j, names) for j, v in enumerate(row)] for i, row in enumerate(np.asarray(X).tolist())]
    Xc = inputs.checked(X, "certify")
    if Xc.dtype.kind == "f":
        values = Xc.data if sp.issparse(Xc) else Xc
        if not np.isfinite(values).all():
            raise ValueError(inputs.fault(Xc, inputs.column_names(X)))
        return Xc.astype(np.float64, copy=False)
    if Xc.dtype.kind == "b":
        return Xc.astype(np.uint8)
    if max(int(Xc.max()), -int(Xc.min())) > WHOLE:
        return [[Fraction(v) for v in row] for row in (Xc.toarray() if sp.issparse(Xc) else Xc).tolist()]
    return Xc


def fraction(value: Any, i: int, j: int, names: Any) -> Fraction:
    """A number of a table of texts or objects."""
    try:
        text = value.strip() if isinstance(value, str) else value
        if isinstance(value, str) and "/" not in value:
            float_range(Decimal(text))
        found = Fraction(text)
        float(found)
    except (InvalidOperation, ValueError, TypeError, OverflowError) as error:
        raise ValueError(
            f"Input X holds {value!r} at row {i}, column {inputs.label(names, j)}, which is not a number here: encode "
            "texts as numbers, for example with sklearn.preprocessing.OneHotEncoder, or leave the column out."
        ) from error
    return found


def float_range(value: Decimal) -> None:
    """Raise if a decimal is far from what a float can be near to, so that writing it out would take for ever."""
    if value.is_finite() and abs(value.adjusted()) > FARTHEST and value:
        raise OverflowError("beyond the range of float64")


def classes_of(y: Any, n: int) -> tuple[list[Any], np.ndarray]:
    """The classes and the number of each row's."""
    y = np.asarray(y).ravel()
    if len(y) != n:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{n}, {len(y)}]")
    classes, labels = number_labels(label_array(y))
    if len(classes) < 2:
        raise ValueError(f"certify needs rows of at least two classes, but they are of one only: {classes.tolist()}.")
    return classes.tolist(), labels


def questions(count: int, multi_class: str) -> list[tuple[Any, int, int | None]]:
    """(key, positive class, negative class or None for the rest)."""
    if count == 2:
        return [(1, 1, 0)]
    if multi_class == "ovr":
        return [(c, c, None) for c in range(count)]
    return [((a, b), b, a) for a in range(count) for b in range(a + 1, count)]
