"""What the run of a learner proved, as a proof that can be saved and checked; made when it is asked for."""

from fractions import Fraction
from typing import Any

import numpy as np

from ..certificates.certificate import Certificate, RunRecord
from ..exact.floats import dense, primitive
from .best_margin import Interval
from .feature_space import kernel_space
from .kernel_search import certificate_of_run
from .proof_json import certificate_of
from .quasi import Decision
from .question import read_data
from .signed_rows import SignedRows, signs_of

OPEN = "a run does not look for quasi-separation; certify does"


def prove_run(record: RunRecord, X: Any, y: Any) -> Certificate:
    """The certificate with its proof; ValueError if the run was not on these rows."""
    data = read_data(X, record.intercept)
    labels = np.array([str(label) for label in np.asarray(y).ravel().tolist()])
    n = record.counts.shape[-1]
    if not len(labels) == data.n == n:
        raise ValueError(f"The run was on {n} rows, but X has {data.n} and y {len(labels)}: pass those it was on.")
    signed = SignedRows(data, signs_of(labels, *record.texts), record.texts)
    if record.kernel is not None and record.kernel[0] != "linear":
        witness = witness_places(record, signed) if record.witness else {}
        return certificate_of_run(
            signed, kernel_space(*record.kernel, None), witness, update_combination(record, signed)
        )
    if record.witness:
        return certificate_of(signed, Decision(witness=zero_witness(record, signed), open=OPEN), None)
    if record.kernel is None:
        plane = primitive([Fraction(float(v)) for v in record.weights[: signed.width]])
    else:
        plane = primitive(signed.combine_given(update_combination(record, signed)))
    best = Interval(plane, *margin_bounds(record, signed, plane))
    return certificate_of(signed, Decision(signed.inner(plane)), best)


def witness_places(record: RunRecord, signed: SignedRows) -> dict[int, int]:
    """The witness in whole numbers, by place in the signed rows."""
    places = {int(row): k for k, row in enumerate(signed.rows)}
    if not record.witness.keys() <= places.keys():
        raise ValueError("A row of the witness is of neither class: pass the rows and labels that the run was on.")
    parts = primitive([Fraction(v) for v in record.witness.values()])
    return {places[row]: weight for row, weight in zip(record.witness, parts, strict=True)}


def zero_witness(record: RunRecord, signed: SignedRows) -> dict[int, int]:
    """The witness in whole numbers, by place in the signed rows, which are seen to sum to zero under it."""
    witness = witness_places(record, signed)
    if any(signed.combine(witness)):
        raise ValueError("The rows of the witness do not sum to zero: pass the rows and labels that the run was on.")
    return witness


def update_combination(record: RunRecord, signed: SignedRows) -> dict[int, int]:
    """The updates in whole numbers, by place in the signed rows; without any, a row that will do."""
    counts = dense(record.counts)
    weights = (counts.ravel() * record.steps)[signed.rows]
    rows = np.flatnonzero(weights) if weights.any() else np.zeros(1, dtype=int)
    parts = primitive([Fraction(float(v)) or Fraction(1) for v in weights[rows]])
    return dict(zip(rows.tolist(), parts, strict=True))


def margin_bounds(record: RunRecord, signed: SignedRows, plane: list[int]) -> tuple[dict[int, int], Fraction, Fraction]:
    """The updates as a combination, and the squares of the margins that the plane and they prove."""
    lo = signed.margin_squared(plane)
    if not lo:
        raise ValueError(
            "A row is not on its right side of the plane: pass the rows and labels that the run was on, those of "
            "weight 0 left out."
        )
    p = update_combination(record, signed)
    return p, lo, signed.combination_squared(p)
