"""What the run of a learner proved, as a proof that can be saved and checked; made when it is asked for."""

from fractions import Fraction
from typing import Any

import numpy as np

from ..certificates.certificate import Certificate, Record
from ..exact.dyadic import primitive
from .best_margin import Interval, lo_squared, square
from .feature_space import Kernel, kernel_of
from .kernel_search import of_run
from .proof_json import certificate_of, column_texts
from .quasi import Finding
from .question import numbers
from .signed_rows import Table
from .source import Source

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
    if record.kernel is not None:
        witness = placed(record, table) if record.witness else {}
        return of_run(table, space_of(*record.kernel), witness, combination(record, table), (record.texts, names))
    if record.witness:
        return certificate_of(table, Finding(witness=balanced(record, table)), None, OPEN, record.texts, names)
    plane = primitive([Fraction(float(v)) for v in record.weights[: table.width]])
    best = Interval(plane, *bounds(record, table, plane))
    return certificate_of(table, Finding(table.inner(plane)), best, "", record.texts, names)


def space_of(name: str, gamma: float, degree: int, coef0: float) -> Kernel:
    """The kernel of a run; the linear one is a polynomial of degree 1."""
    if name == "linear":
        return Kernel("poly", Fraction(1), 1, Fraction(0))
    found = kernel_of(name, gamma, degree, coef0, None)
    assert found is not None
    return found


def placed(record: Record, table: Table) -> dict[int, int]:
    """The witness in whole numbers, by place in the table."""
    places = {int(row): k for k, row in enumerate(table.rows)}
    if not record.witness.keys() <= places.keys():
        raise ValueError("A row of the witness is of neither class: pass the rows and labels that the run was on.")
    parts = primitive([Fraction(v) for v in record.witness.values()])
    return {places[row]: weight for row, weight in zip(record.witness, parts, strict=True)}


def balanced(record: Record, table: Table) -> dict[int, int]:
    """The same, seen to sum to zero."""
    found = placed(record, table)
    if any(table.combined(found)):
        raise ValueError("The rows of the witness do not sum to zero: pass the rows and labels that the run was on.")
    return found


def combination(record: Record, table: Table) -> dict[int, int]:
    """The updates in whole numbers, by place in the table; without any, a row that will do."""
    weights = (record.counts * record.steps)[table.rows]
    rows = np.flatnonzero(weights) if weights.any() else np.zeros(1, dtype=int)
    parts = primitive([Fraction(float(v)) or Fraction(1) for v in weights[rows]])
    return dict(zip(rows.tolist(), parts, strict=True))


def bounds(record: Record, table: Table, plane: list[int]) -> tuple[dict[int, int], Fraction, Fraction]:
    """The updates as a combination, and the squares of the margins that the plane and they prove."""
    lo = lo_squared(table, plane)
    if not lo:
        raise ValueError(
            "A row is not on its right side of the plane: pass the rows and labels that the run was on, those of "
            "weight 0 left out."
        )
    p = combination(record, table)
    return p, lo, square(table, p)
