"""From a target to classes: the one way in for labels, wherever they come from.

The labels of a file, whether it is read into memory, streamed, read by a cluster or proved of, become classes so:

- texts that all are whole numbers, each written as it would be printed, are whole numbers, since a CSV file cannot tell
  1 from "1"; other texts are texts;
- numbers that all are whole are whole numbers, whatever their type; truth values are truth values; categories are
  their values;
- refused are numbers that are not all whole (written in a text as well), dates, times and durations, lists and other
  nested values, bytes, and values of several kinds;
- more than ``MOST_CLASSES`` different values, or more than ``FEW_CLASSES`` that are more than half of the rows, are
  quantities, and refused; so are fewer than two;
- a row without a label is refused, or left out where rows without a value are to be left out or filled in.

The labels of an array, a series or a list that is given in Python keep their type, as in scikit-learn.

What is imported at once is the standard library only, since the checker of proofs reads its labels through here.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..errors import InputError, comma_list
from .column_kinds import NUMBER

if TYPE_CHECKING:
    import numpy as np

MOST_CLASSES = 1000
FEW_CLASSES = 20
"""Different values up to which labels are classes, however few rows there are."""
WHOLE = re.compile(r"0|-?[1-9]\d{0,17}", re.ASCII)
"""A whole number of 64 bits, written in the one way in which it is printed."""
LARGEST = 2**63
KINDS = {
    "truth values": (bool,),
    "numbers": (int, float, Decimal),
    "texts": (str,),
    "dates or times": (date, time, timedelta),
    "bytes": (bytes,),
    "lists": (list, tuple, dict),
}
"""The Python types of labels; a type belongs to the first kind that has it or one that it derives from."""
LEARNT = ("truth values", "numbers", "texts")


def decide_classes(counts: Mapping[Any, int], target: str, name: str) -> dict[Any, Any]:
    """The class of every label that a file has, in the order of the classes; None, for no label, is left out.

    ``counts`` are the rows of each label, of the whole file; ``target`` and ``name`` are what errors call the column
    and the file.

    >>> decide_classes({"1": 2, "0": 3, None: 1}, "y", "a.csv"), decide_classes({"b": 2, "01": 3}, "y", "a.csv")
    ({'0': 0, '1': 1}, {'01': '01', 'b': 'b'})
    """
    counts = {label: n for label, n in counts.items() if label is not None}
    check_kinds({kind_of_type(type(label)) for label in counts}, target, name)
    check_not_quantity(len(counts), sum(counts.values()), target, name)
    whole = all_whole(counts)
    classes = {label: class_of(label, whole) for label in counts}
    check_whole(classes.values(), target, name)
    if len(classes) < 2:
        values = f"one value only ({next(iter(classes.values()))!r})" if classes else "no values"
        raise InputError(
            f"The target {target!r} of {name} has {values}: with {'one class only' if classes else 'no class'} there "
            "is nothing to tell apart."
        )
    return dict(sorted(classes.items(), key=lambda item: item[1]))


def kind_of_type(label_type: type) -> str:
    """What labels of a Python type are."""
    return next((kind for kind, types in KINDS.items() if issubclass(label_type, types)), label_type.__name__)


def check_kinds(kinds: Iterable[str], target: str, name: str) -> None:
    """Raise unless labels of these kinds can be classes."""
    kinds = sorted(kinds)
    if refused := [kind for kind in kinds if kind not in LEARNT]:
        what = refused[0]
    elif len(kinds) > 1:
        what = f"both {' and '.join(kinds)}"
    else:
        return
    raise InputError(
        f"The target {target!r} of {name} holds {what}: give classes as texts, whole numbers or truth values, all of "
        "one kind."
    )


def check_not_quantity(different: int, rows: int, target: str, name: str) -> None:
    """Raise if so many different labels in so many rows are a quantity."""
    if different > MOST_CLASSES or (different > FEW_CLASSES and 2 * different > rows):
        raise quantity_error(f"has {different} different values in {rows} rows", target, name)


def check_class_count(counts: Mapping[Any, int], target: str, name: str) -> None:
    """Raise if a part of the rows has too many labels already, however many rows there are."""
    if len(counts) - (None in counts) > MOST_CLASSES:
        raise quantity_error(f"has more than {MOST_CLASSES} different values", target, name)


def quantity_error(what: str, target: str, name: str) -> InputError:
    return InputError(
        f"The target {target!r} of {name} {what}: novikoff learns classes, not quantities, so choose another target or "
        "put its values into groups."
    )


def all_whole(labels: Iterable[Any]) -> bool:
    """Whether these are texts that all are whole numbers."""
    return all(isinstance(label, str) and WHOLE.fullmatch(label) for label in labels)


def class_of(label: Any, whole: bool) -> Any:
    """The class of a label; a text is a whole number if all texts of its column are ``whole``."""
    if isinstance(label, float):
        whole = label.is_integer()
    elif isinstance(label, Decimal):
        whole = label.is_finite() and label == label.to_integral_value()
    return int(label) if whole else label


def check_whole(classes: Iterable[Any], target: str, name: str) -> None:
    """Raise if these are numbers, or texts that all are numbers, that are not all whole, or beyond 64 bits."""
    classes = list(classes)
    texts = all(isinstance(label, str) and NUMBER.fullmatch(label) for label in classes)
    for label in classes:
        if isinstance(label, float | Decimal) or (texts and Fraction(label).denominator != 1):
            raise quantity_error(f"holds numbers that are not whole, such as {label}", target, name)
        if isinstance(label, int) and not -LARGEST <= label < LARGEST:
            raise quantity_error(f"holds numbers beyond 64 bits, such as {label}", target, name)


def missing_error(missing: Mapping[str, int], name: str) -> InputError:
    """The error of columns without a value in some rows; the target may be one of them."""
    counts = comma_list(f"{column}: {n}" for column, n in missing.items())
    return InputError(
        f"{name} has missing values ({counts}): say --missing impute to fill them in, or --missing drop (in Python, "
        "missing='drop') to leave such rows out; those without a label are left out in both cases."
    )


def count_labels(labels: Any, target: str, name: str) -> Counter[Any]:
    """How often each label occurs in a pyarrow column, texts trimmed and missing ones null, or in an array; None counts
    those that are missing."""
    import pyarrow.compute as pc

    check_column(labels, target, name)
    counted = pc.value_counts(as_column(labels))
    pairs = zip(counted.field("values").to_pylist(), counted.field("counts").to_pylist(), strict=True)
    return Counter(dict(pairs))


def check_column(labels: Any, target: str, name: str) -> None:
    """Raise if the type of a column says that it holds no classes."""
    import pyarrow as pa

    kind, types = labels.type if hasattr(labels, "type") else pa.from_numpy_dtype(labels.dtype), pa.types
    if types.is_temporal(kind):
        check_kinds(["dates or times"], target, name)
    if types.is_nested(kind):
        check_kinds(["lists"], target, name)
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind):
        check_kinds(["bytes"], target, name)


def as_column(labels: Any) -> Any:
    """Labels as a column of the widest type of their kind, null where they are missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not hasattr(labels, "type"):
        labels = pa.chunked_array([pa.array(labels, from_pandas=True)])
    kind, types = labels.type, pa.types
    if types.is_floating(kind):
        return labels.cast(pa.float64())
    if types.is_integer(kind) and not types.is_uint64(kind):
        return labels.cast(pa.int64())
    if types.is_decimal(kind):
        try:
            return labels.cast(pa.int64())
        except pa.ArrowInvalid:
            return pc.cast(labels, pa.float64(), safe=False)
    return labels


def class_array(classes: Iterable[Any]) -> "np.ndarray":
    """Classes as a learner has them: whole numbers of 64 bits, truth values, or texts as objects."""
    import numpy as np

    classes = list(classes)
    return np.array(classes, dtype=object if isinstance(classes[0], str) else None)


def class_numbers(labels: Any, classes: "np.ndarray", name: str) -> "np.ndarray":
    """The number of every label of a column or array among the classes; none is missing."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    labels = as_column(labels)
    try:
        known = pa.array(classes.tolist()).cast(labels.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        known = pa.array([], labels.type)
    numbers = pc.index_in(labels, value_set=known)
    if numbers.null_count:
        unknown = labels.filter(numbers.is_null())[0].as_py()
        raise InputError(f"{name} has the label {unknown!r}, which is not among {comma_list(map(str, classes))}.")
    return numbers.to_numpy().astype(np.int32, copy=False)


def read_labels(labels: Any, target: str, name: str) -> "tuple[np.ndarray, np.ndarray]":
    """The class of every row of a whole column or array that has a label, and the numbers of these rows."""
    classes = class_array(decide_classes(count_labels(labels, target, name), target, name).values())
    numbers, rows = number_rows(labels, classes, name)
    return classes[numbers], rows


def number_rows(labels: Any, classes: "np.ndarray", name: str) -> "tuple[np.ndarray, np.ndarray]":
    """The class number of every row of a column or array that has a label, and the numbers of these rows."""
    import numpy as np

    labels = as_column(labels)
    return class_numbers(labels.drop_null(), classes, name), np.flatnonzero(labels.is_valid().to_numpy())


def label_array(y: Any, least: int = 1) -> "np.ndarray":
    """Labels given in Python as an array of their own type; raises unless they are labels, ``least`` or more."""
    import numpy as np

    given = np.asarray(y)
    if isinstance(y, np.ndarray | list) and given.ndim == 1 and len(given) >= least and plainly_labels(given):
        return given
    from sklearn.utils import check_array, column_or_1d

    if given.ndim:
        check_none_missing(given.ravel())
    if str(getattr(y, "dtype", "")) == "category":  # of truth values, check_array would make floats
        y = given
    y = check_array(y, ensure_2d=False, dtype=None, input_name="y", ensure_min_samples=least)
    y = column_or_1d(y, warn=True)
    if len(y):
        check_label_types(y)
    return y


def plainly_labels(given: "np.ndarray") -> bool:
    """Whether these are whole numbers, of any type, truth values, or texts."""
    import numpy as np

    if given.dtype.char in "fd":
        return bool((np.isfinite(given) & (given == np.trunc(given))).all())
    return given.dtype.kind in "biuU" or all_texts(given)


def all_texts(y: "np.ndarray") -> bool:
    """Whether an array of objects holds texts of Python only."""
    return y.dtype.kind == "O" and set(map(type, y.tolist())) == {str}


def check_none_missing(y: "np.ndarray") -> None:
    """Raise if an array lacks a label."""
    import numpy as np

    if y.dtype.kind == "f":
        rows = np.flatnonzero(np.isnan(y))
    elif y.dtype.kind in "mM":
        rows = np.flatnonzero(np.isnat(y))
    elif y.dtype.kind == "O":
        rows = np.flatnonzero([is_missing(label) for label in y.tolist()])
    else:
        return
    if len(rows):
        what = "None" if y[rows[0]] is None else "NaN"
        raise ValueError(
            f"Input y contains {what}: there is no label at row {rows[0]} ({len(rows)} in all), so leave such rows out."
        )


def is_missing(label: Any) -> bool:
    """Whether a Python object stands for no label."""
    return label is None or type(label).__name__ in ("NAType", "NaTType") or bool(label != label)


def check_label_types(y: "np.ndarray") -> None:
    """Raise unless the labels of an array are of one type that can be classes; whole numbers and texts always are."""
    from sklearn.utils.multiclass import check_classification_targets

    types = label_types(y) if y.dtype.kind == "O" else set()
    if len(types) > 1:
        raise ValueError(mixed_message(each.__name__ for each in types))
    if y.dtype.kind in "mM" or any(kind_of_type(each) == "dates or times" for each in types):
        raise ValueError("y holds dates or times: give classes as texts, whole numbers or truth values.")
    if y.dtype.kind not in "biuSU":
        check_classification_targets(y)


def label_types(y: "np.ndarray") -> set[type]:
    """The types of labels; NumPy's texts are texts."""
    return {str if isinstance(label, str) else type(label) for label in y.tolist()}


def join_labels(arrays: "list[np.ndarray]") -> "np.ndarray":
    """The labels of several arrays as one; raises if some are texts and some are not."""
    import numpy as np

    types = {each.__name__ for array in arrays for each in label_types(array)}
    if "str" in types and len(types) > 1:
        raise ValueError(mixed_message(types))
    joined = np.concatenate(arrays)
    check_label_types(joined)
    return joined


def mixed_message(types: Iterable[str]) -> str:
    return f"y mixes labels of the types {', '.join(sorted(types))}: make them all of one type."


def number_labels(y: "np.ndarray", classes: Any = None) -> "tuple[np.ndarray, np.ndarray]":
    """The sorted classes of an array, or those given, and the number of each label among them."""
    import numpy as np

    if classes is None:
        if len(y) and y.dtype.kind != "O":
            first, other = y[0], y != y[0]
            next_one = y[other.argmax()]
            if next_one != first and (other == (y == next_one)).all():  # two classes need no sorting
                return np.sort(y[[0, other.argmax()]]), (other if first < next_one else ~other).astype(np.intp)
        if all_texts(y):  # sorted once each, not once per row
            texts = sorted(set(y.tolist()))
            number_of = {text: number for number, text in enumerate(texts)}
            return np.array(texts, dtype=object), np.fromiter(map(number_of.__getitem__, y.tolist()), np.intp, len(y))
        classes = np.unique(y)
        return classes, np.searchsorted(classes, y)
    numbers = classes.searchsorted(y)
    other = classes.take(numbers, mode="clip") != y
    if np.count_nonzero(other):  # of few labels quicker than any()
        unknown = np.flatnonzero(other)
        raise ValueError(
            f"y has the label {y[unknown].tolist()[0]!r} at row {unknown[0]}, "
            f"which is not in classes={classes.tolist()}."
        )
    return classes, numbers
