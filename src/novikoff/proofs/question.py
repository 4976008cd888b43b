"""What is asked: the numbers of all rows, exactly and in floats, the classes, and the questions about them.

The exact side holds whole numbers: column j of the rows, less a constant c_j, divided by a scale, a positive rational
that divides all of it.  The float side is the same column divided by a power of two, so that its largest value is near
1.  Both are linear images of the rows [x; 1], by a map that can be undone, so planes and witnesses carry over.
"""

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_consistent_length

from .. import inputs
from ..certificates.check import is_number
from ..data.labels import label_array, number_labels
from ..exact.floats import WHOLE, exponents, extremes, lowest_bits, scale_columns, two_to, without_zeros
from ..exact.ratios import Ratios, ratios_of

RATIO = re.compile(r"[+-]?\d+/\d+", re.ASCII)
"""A text that means a ratio of whole numbers."""
FARTHEST = 1000
"""Powers of ten beyond which a text is not taken for a number."""
NARROW = 1 / 16
"""A column whose spread is smaller than this part of its size is shifted, so that floats see its differences."""


class DataMatrix:
    """The numbers of all rows, shared by the questions asked of them: a float64 matrix, or ratios."""

    def __init__(self, X: Any, intercept: bool, names: list[str] | None = None) -> None:
        self.intercept, self.names, self.decimal = intercept, names, isinstance(X, Ratios)
        self.digest: str | None = None  # of the values, once a proof has asked for it
        self.ratios: Ratios | None = X if self.decimal else None
        self.X: Any = without_zeros(X) if self.ratios is None else self.ratios.floats()
        self.n, self.d = self.X.shape
        self.width = self.d + intercept
        self.low, self.high = extremes(self.X)
        size, half = np.maximum(-self.low, self.high), self.high / 2 - self.low / 2
        narrow = (half < NARROW / 2 * size) & (self.high > self.low) & intercept
        shifts = np.where(narrow & (not sp.issparse(self.X)), self.low, 0.0)
        shifted, sizes = np.flatnonzero(shifts).tolist(), exponents(size)
        self.powers = np.where(shifts != 0, exponents(half) + 1, sizes)
        self.factor_powers: np.ndarray | None = None  # scales of ratios need not be powers of two
        if self.ratios is None:
            self.scale_powers = np.array(lowest_bits(self.X), dtype=int)
            scales = [two_to(e) for e in self.scale_powers.tolist()]
            self.whole_constants = {j: multiple(float(shifts[j]), scales[j]) for j in shifted}  # c_j, over the scale
            self.floats = scale_columns(self.X, shifts, sizes, self.powers, intercept)
            self.factor_powers = np.append(self.scale_powers - self.powers, [0] * intercept).astype(int)
        else:
            scales = [Fraction(1, over) for over in self.ratios.over]
            self.whole_constants = {j: int(self.ratios.whole[:, j].min()) for j in shifted}
            self.floats = np.ones((self.n, self.width))
            self.ratios.scaled(self.whole_constants, self.powers, self.floats)
        self.scales = [*scales, *[Fraction(1)] * intercept]
        self.constants = {j: c * scales[j] for j, c in self.whole_constants.items()}  # c_j, if not 0
        self.whole = not self.decimal and not self.scale_powers.any()  # all numbers are whole, and all scales 1
        self.plain = self.whole and not self.constants  # the exact side is the matrix itself

    @cached_property
    def factors(self) -> list[Fraction]:
        """The float side is the exact side times these."""
        powers = [*(two_to(-int(k)) for k in self.powers), *[Fraction(1)] * self.intercept]
        return [scale * power for scale, power in zip(self.scales, powers, strict=True)]


def read_data(X: Any, intercept: bool) -> DataMatrix:
    """The numbers of a matrix, a frame or rows of texts, with the names of the columns, if they have any."""
    numbers, names = exact_numbers(X), inputs.column_names(X)
    return DataMatrix(numbers, intercept, None if names is None else list(map(str, names)))


def check_seconds(time_limit: Any, of: str, ends: bool = False) -> None:
    """Raise unless a time limit is a number of seconds, or None where a search need not end."""
    if time_limit is None and not ends:
        return
    if not (isinstance(time_limit, Real) and float(time_limit) >= 0):
        never = "" if ends else " or None"
        raise ValueError(
            f"The 'time_limit' parameter of {of} must be a number of seconds{never}. Got {time_limit!r} instead."
        )


def exact_numbers(X: Any) -> Any:
    """A float64 or integer matrix, or ratios where the numbers are texts or not float64."""
    if isinstance(X, Ratios):
        return X
    if isinstance(X, np.ma.MaskedArray) and np.ma.is_masked(X):
        raise ValueError(
            "Input X is a masked array, and a proof needs all values: take such rows out, or fill them in."
        )
    cells = X if sp.issparse(X) else as_cells(X)
    if not sp.issparse(X) and cells.dtype.kind in "OUS" and cells.ndim == 2:
        names = inputs.column_names(X)
        rows = cells.tolist()
        return ratios_of([[fraction(v, i, j, names) for j, v in enumerate(row)] for i, row in enumerate(rows)])
    Xc = inputs.checked(X, "certify")
    if Xc.dtype.kind == "f":
        values = Xc.data if sp.issparse(Xc) else Xc
        if not np.isfinite(values).all():
            raise ValueError(inputs.not_finite_message(Xc, inputs.column_names(X)))
        return Xc.astype(np.float64, copy=False)
    if Xc.dtype.kind == "b":
        return Xc.astype(np.uint8)
    if max(int(Xc.max()), -int(Xc.min())) > WHOLE:
        rows = (Xc.toarray() if sp.issparse(Xc) else Xc).tolist()
        return ratios_of([[Fraction(v) for v in row] for row in rows])
    return Xc


def as_cells(X: Any) -> np.ndarray:
    """X as an array in which every number is the one that was given.

    NumPy makes texts of the numbers that stand among texts, and floats of the whole numbers that stand among floats.
    """
    if hasattr(X, "dtypes") and hasattr(X, "iloc"):
        wide = [name for name in X.columns[: X.shape[1]] if holds_beyond_floats(X[name])] if X.columns.is_unique else []
        return np.asarray(X.astype(object) if wide else X)
    array = np.asarray(X)
    if array.dtype.kind == "f" and array.dtype.itemsize > 8 and (array.astype(np.float64) != array).any():
        return np.array([Fraction(*v.as_integer_ratio()) for v in array.flat], dtype=object).reshape(array.shape)
    return np.asarray(X, dtype=object) if array.dtype.kind in "US" and not isinstance(X, np.ndarray) else array


def holds_beyond_floats(column: Any) -> bool:
    """Whether a column of a frame is of whole numbers some of which float64 does not have."""
    if getattr(column.dtype, "kind", "") not in "iu" or column.dtype.itemsize < 8 or not len(column):
        return False
    return bool(max(int(column.max()), -int(column.min())) > WHOLE)


def fraction(value: Any, i: int, j: int, names: Any) -> Fraction:
    """A number of a table of texts or objects."""
    try:
        text = value.strip() if isinstance(value, str) else value
        if isinstance(value, str) and not (is_number(text) or RATIO.fullmatch(text)):
            raise ValueError("no number as tables write them")
        if isinstance(value, Decimal) or (isinstance(value, str) and "/" not in value):
            float_range(Decimal(text))
        number = Fraction(text)
        float(number)
    except OverflowError as error:
        raise ValueError(
            f"Input X holds {value!r} at row {i}, column {inputs.label(names, j)}, which is beyond the range of "
            "float64: divide the column, or leave it out."
        ) from error
    except (InvalidOperation, ValueError, TypeError, ZeroDivisionError) as error:
        raise ValueError(
            f"Input X holds {value!r} at row {i}, column {inputs.label(names, j)}, which is not a number here: encode "
            "texts as numbers, for example with sklearn.preprocessing.OneHotEncoder, or leave the column out."
        ) from error
    return number


def float_range(value: Decimal) -> None:
    """Raise if a decimal is far from what a float can be near to, so that writing it out would take for ever."""
    if value.is_finite() and abs(value.adjusted()) > FARTHEST and value:
        raise OverflowError("beyond the range of float64")


def multiple(value: float, scale: Fraction) -> int:
    """How many times a scale goes into a value that it divides.

    >>> multiple(0.75, Fraction(1, 8))
    6
    """
    if not value:
        return 0
    above, below = value.as_integer_ratio()
    return above * scale.denominator // (below * scale.numerator)


class Question(NamedTuple):
    """A class against another one, or against the rest; and what its answer is called by."""

    key: Any
    positive: int
    negative: int | None
    texts: tuple[str, str | None]


def read_questions(X: Any, y: Any, intercept: bool, multi_class: str) -> tuple[DataMatrix, np.ndarray, list[Question]]:
    """The numbers of all rows, the number of each one's class, and what is asked of the classes."""
    numbers, names, y = exact_numbers(X), inputs.column_names(X), np.asarray(y).ravel()
    check_consistent_length(numbers, y)
    classes, labels = number_labels(label_array(y))
    if len(classes) < 2:
        raise ValueError(f"certify needs rows of at least two classes, but they are of one only: {classes.tolist()}.")
    asked = questions(classes.tolist(), multi_class)
    return DataMatrix(numbers, intercept, None if names is None else list(map(str, names))), labels, asked


def questions(classes: list[Any], multi_class: str) -> list[Question]:
    """What is asked of so many classes: each against the rest ("ovr"), or each pair ("ovo")."""
    numbers, texts = range(len(classes)), [str(label) for label in classes]
    if len(classes) == 2:
        return [Question(None, 1, 0, (texts[1], texts[0]))]
    if multi_class == "ovr":
        return [Question(classes[c], c, None, (texts[c], None)) for c in numbers]
    pairs = [(a, b) for a in numbers for b in numbers[a + 1 :]]
    return [Question((classes[a], classes[b]), b, a, (texts[b], texts[a])) for a, b in pairs]
