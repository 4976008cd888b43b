"""What the run of a learner proved, as a proof that can be saved and checked; made when it is asked for."""

from fractions import Fraction
from typing import Any

import numpy as np

from .certificate import Certificate, Record
from .dyadic import primitive
from .faces import Finding
from .margin import Interval, lo_squared, square
from .numbers import numbers
from .source import Source
from .table import Table
from .writing import certificate_of, column_texts

OPEN = "a run does not look for quasi-separation; certify does"


def proved(record: Record, X: Any, y: Any) -> Certificate:
    """The certificate with its proof; ValueError if the run was not on these rows."""
    source = Source(numbers(X), record.intercept)
    labels = np.array([str(label) for label in np.asarray(y).ravel().tolist()])
    if not len(labels) == source.n == len(record.counts):
        raise ValueError(
            f"The run was on {len(record.counts)} rows, but X has {source.n} and y {len(labels)}: pass those it was on."
        )
    positive, negative = record.texts
    signs = np.where(labels == positive, 1, -1 if negative is None else np.where(labels == negative, -1, 0))
    table, names = Table(source, signs), column_texts(X)
    if record.witness:
        return certificate_of(table, Finding(witness=balanced(record, table)), None, OPEN, record.texts, names)
    plane = primitive([Fraction(float(v)) for v in record.weights[: table.width]])
    best = Interval(plane, *bounds(record, table, plane))
    return certificate_of(table, Finding(table.inner(plane)), best, "", record.texts, names)


def balanced(record: Record, table: Table) -> dict[int, int]:
    """The witness in whole numbers, by place in the table."""
    places = {int(row): k for k, row in enumerate(table.rows)}
    rows = [places[row] for row in record.witness if row in places]
    found = dict(zip(rows, primitive([Fraction(v) for v in record.witness.values()]), strict=False))
    if len(rows) < len(record.witness) or any(table.combined(found)):
        raise ValueError("The rows of the witness do not sum to zero: pass the rows and labels that the run was on.")
    return found


def bounds(record: Record, table: Table, plane: list[int]) -> tuple[dict[int, int], Fraction, Fraction]:
    """The corrections as a combination, and the squares of the margins that the plane and they prove."""
    weights = (record.counts * record.steps)[table.rows]
    rows = np.flatnonzero(weights) if weights.any() else np.zeros(1, dtype=int)  # without corrections any row will do
    combination = dict(
        zip(rows.tolist(), primitive([Fraction(float(v)) or Fraction(1) for v in weights[rows]]), strict=True)
    )
    lo = lo_squared(table, plane)
    if not lo:
        raise ValueError(
            "A row is not on its right side of the plane: pass the rows and labels that the run was on, those of "
            "weight 0 left out."
        )
    return combination, lo, square(table, combination)
