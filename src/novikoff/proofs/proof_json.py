"""What was proved as a proof in the form of docs/certificate-format.md, and the certificate that holds it."""

import hashlib
import struct
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from ..bounds import EPS
from ..certificates.certificate import Certificate, Texts, certificate_of_claim
from ..certificates.check import LONG, Claim, RefusedError, seal
from ..exact.floats import BLOCK, WHOLE, primitive, root, two_to
from ..exact.linalg import null_space, rank, rows_of_common_null_space
from ..exact.ratios import Ratios
from .best_margin import Interval
from .quasi import Decision
from .question import DataMatrix
from .signed_rows import TINY, SignedRows

COLLINEAR_WIDTH = 300
"""Columns up to which collinear ones are looked for."""
SAMPLED = 4
"""Rows per column among which relations are looked for first."""
SOME = 3
"""One in so many of these rows mostly shows that there are none."""
MANY_GAPS = 100
"""Where one in so many rows has a zero, all rows are digested one by one."""
LARGEST_OVER = 2**62
"""Denominators up to this one are whole numbers of 64 bits."""
LONGEST_RATIO = 52
"""Characters of a column, a sign, two whole numbers of 64 bits, and what stands between them."""
ROUNDINGS = 4
"""Roundings per term of a sum of squares, counted twice."""


class Subject(Protocol):
    """The rows that a proof speaks of, as far as it says what they are."""

    @property
    def data(self) -> Any:
        """All numbers: how many, of what kind, and their digest."""

    @property
    def texts(self) -> Texts:
        """The classes."""

    @property
    def rows(self) -> Any:
        """The number in the data of each row that takes part."""

    @property
    def signs_digest(self) -> str | None:
        """The digest of the signs of all rows, if it is known."""

    @property
    def all_signs(self) -> np.ndarray:
        """The signs of all rows, if their digest is not known."""


def certificate_of(signed: SignedRows, decision: Decision, best: Interval | None) -> Certificate:
    """The certificate of what was decided of signed rows, with the ``best`` margin of separable ones."""
    if decision.plane is None and not decision.witness:
        return Certificate("unknown", reason=decision.open, names=signed.data.names)
    relations = collinear_relations(signed)
    if best:
        lo, hi = root(best.lo_squared, up=False), root(best.hi_squared, up=True)
        margin = margin_claims(signed, lo, hi, root(radius_squared(signed), up=True), best.combination)
        return write_certificate(signed, decision, best.open, vector_text(best.plane), margin, relations=relations)
    if decision.plane is None:
        return write_certificate(signed, decision, decision.open, relations=relations)
    plane = leave_out(signed.outer(decision.plane), relations)
    return write_certificate(signed, decision, decision.open, vector_text(plane), relations=relations)


def write_certificate(
    signed: Subject,
    decision: Decision,
    reason: str,
    plane: dict[str, str] | None = None,
    margin: dict[str, Any] | None = None,
    relations: Sequence[list[int]] = (),
    kernel: dict[str, Any] | None = None,
) -> Certificate:
    """The certificate with its proof, sealed."""
    proof = heading(signed, kernel) | {
        "verdict": "separable" if margin else "quasi-separable" if plane else "inseparable",
        "plane": plane or {},
        "rows": signed.rows[decision.right].tolist(),
        "witness": by_row(signed, decision.witness),
        "cover": {"weights": by_row(signed, decision.cover), "rest": int_text(decision.rest)},
        "margin": margin,
        "collinear": [vector_text(relation) for relation in relations],
    }
    proof = with_seal(proof)
    try:
        claim = Claim(proof)
    except RefusedError as why:
        found = f"{proof['verdict']} was found, but the checker would not read the proof"
        return Certificate("unknown", reason=f"{found}: {why}", names=signed.data.names, kernel=kernel)
    return certificate_of_claim(claim, proof, reason)


def with_seal(proof: dict[str, Any]) -> dict[str, Any]:
    """The proof with the digest of itself."""
    return proof | {"seal": seal(proof)}


def with_reading(proof: dict[str, Any], reading: dict[str, Any]) -> dict[str, Any]:
    """The proof with how the file was read, if anything is to be said of it."""
    unsealed = {name: value for name, value in proof.items() if name != "seal"}
    return with_seal(unsealed | {"reading": reading}) if reading else proof


def heading(signed: Subject, kernel: dict[str, Any] | None) -> dict[str, Any]:
    """What a proof says of its data and its question."""
    data = signed.data
    data.digest = data.digest or values_digest(data)
    return {
        "format": "novikoff certificate",
        "version": 3,
        "numbers": "decimal" if data.decimal else "float64",
        "data": {
            "rows": data.n,
            "columns": data.d,
            "values": data.digest,
            "signs": signed.signs_digest or digest_signs(hashlib.sha256(), signed.all_signs).hexdigest(),
        },
        "names": data.names,
        "positive": signed.texts[0],
        "negative": signed.texts[1],
        "fit_intercept": bool(data.intercept),
        "kernel": kernel,
    }


def digest_signs(digest: Any, signs: np.ndarray) -> Any:
    """The digest after it took in the signs of some more rows."""
    digest.update(np.array([b"-", b"0", b"+"])[signs + 1].tobytes())
    return digest


def values_digest(data: DataMatrix) -> str:
    """The digest of all values."""
    return digest_values(hashlib.sha256(), data.X if data.ratios is None else data.ratios).hexdigest()


def digest_values(digest: Any, numbers: Any) -> Any:
    """The digest after it took in the values of some more rows."""
    n, d = numbers.shape
    step = max(1, BLOCK // max(d, 1))
    if isinstance(numbers, Ratios):
        for start in range(0, n, step):
            digest.update(bytes_of_ratios(numbers, range(start, min(start + step, n))))
        return digest
    for start in range(0, n, step):
        block = numbers[start : start + step]
        gaps = [] if sp.issparse(block) else np.flatnonzero(~block.all(axis=1)).tolist()
        if sp.issparse(block) or MANY_GAPS * len(gaps) > len(block):
            digest_sparse(digest, block)
            continue
        for a, b in pairwise([-1, *gaps, len(block)]):  # rows without zeros, and one that has some
            digest.update(bytes_of_full_rows(block[a + 1 : b]))
            digest_sparse(digest, block[b : b + 1])
    return digest


def digest_sparse(digest: Any, block: Any) -> None:
    """Take in rows that may have zeros: how many columns have none, these columns, and the values in them."""
    block = sp.csr_array(block, copy=True)
    block.eliminate_zeros()
    block.sort_indices()
    values, columns, ends = block.data.astype("<f8"), block.indices.astype("<u4"), block.indptr.tolist()
    for a, b in pairwise(ends):
        digest.update(struct.pack("<I", b - a) + columns[a:b].tobytes() + values[a:b].tobytes())


def bytes_of_ratios(ratios: Ratios, rows: range) -> Any:
    """What is digested of rows of ratios: the columns and the numbers, in lowest terms, that are not 0."""
    if ratios.whole.dtype == object or max(ratios.over) > LARGEST_OVER:
        texts = ([f"{j}:{v.numerator}/{v.denominator}" for j, v in enumerate(ratios.row(i)) if v] for i in rows)
        return "".join(" ".join(row) + "\n" for row in texts).encode()
    from ..passes.decimal_cells import write_ratios

    out = np.empty(len(rows) * (1 + len(ratios.over) * LONGEST_RATIO), dtype=np.uint8)
    return out[: write_ratios(ratios.whole[rows.start : rows.stop], np.array(ratios.over, dtype=np.int64), out)]


def bytes_of_full_rows(block: np.ndarray) -> bytes:
    """What is digested of rows without zeros: the number of columns, the columns and the values of each."""
    n, d = block.shape
    head = np.array([d, *range(d)], dtype="<u4").view(np.uint8)
    out = np.empty((n, head.size + 8 * d), dtype=np.uint8)
    out[:, : head.size] = head
    out[:, head.size :] = np.ascontiguousarray(block, dtype="<f8").view(np.uint8)
    return out.tobytes()


def margin_claims(
    signed: Subject, lo: Fraction, hi: Fraction, radius: Fraction, combination: dict[int, int]
) -> dict[str, Any]:
    """What is claimed of the margin of separable rows, and the most updates that it allows (Novikoff)."""
    numbers = {"lo": ratio_text(lo), "hi": ratio_text(hi), "radius": ratio_text(radius)}
    return numbers | {"mistake_bound": int_text(radius**2 // lo**2), "combination": by_row(signed, combination)}


def radius_squared(signed: SignedRows) -> Fraction:
    """A number that no ‖z‖² of the rows as they were given exceeds; the largest one where floats have it exactly."""
    data, X = signed.data, signed.data.X
    if len(signed.rows) < data.n:
        X = X[signed.rows]  # a longer row that takes no part would push these below what floats hold
    return largest_square(X, data.plain) + data.intercept


def largest_square(X: Any, plain: bool = False) -> Fraction:
    """A number that no ‖x‖² of some rows exceeds; the largest one of ``plain`` whole numbers that floats can sum."""
    step = max(1, BLOCK // max(X.shape[1], 1))
    parts = [X] if sp.issparse(X) else [X[start : start + step] for start in range(0, len(X), step)]
    sizes = [max(float(part.max()), -float(part.min())) for part in parts if part.size]
    top = int(np.frexp(max([1.0, *sizes]))[1])
    squares = np.array([longest_square(part, top) for part in parts])
    largest = Fraction(float(squares.max(initial=0.0))) * two_to(2 * top)
    if plain and largest < WHOLE:
        return largest
    terms = X.shape[1] + 1
    return largest * (1 + Fraction(ROUNDINGS * (terms + 8) * EPS)) + terms * Fraction(TINY) * two_to(2 * top)


def longest_square(X: Any, top: int) -> float:
    """The largest ‖x‖² of some rows divided by 2^top."""
    values = np.ldexp((X.data if sp.issparse(X) else X).astype(float), -top)
    if not sp.issparse(X):
        return float(np.einsum("ij,ij->i", values, values).max(initial=0.0))
    scaled = sp.csr_array((values, X.indices, X.indptr), shape=X.shape)
    return float(scaled.multiply(scaled).sum(axis=1).max(initial=0.0))


def collinear_relations(signed: SignedRows) -> list[list[int]]:
    """A basis of the vectors on which all rows are zero, unless there are too many columns."""
    if signed.width > COLLINEAR_WIDTH:
        return []
    count = min(len(signed.rows), SAMPLED * signed.width)
    first = np.linspace(0, len(signed.rows) - 1, count, dtype=int)
    if rank(signed.integers(first[::SOME])) == signed.width:
        return []
    rows, basis = rows_of_common_null_space(first.tolist(), signed.integers, lambda v: signed.off_plane(v)[:1].tolist())
    return null_space([primitive(signed.given(k)) for k in rows]) if basis else []


def leave_out(plane: list[int], relations: list[list[int]]) -> list[int]:
    """A plane of the same margins without the last column of each relation v: z·v = 0, so v can be taken off."""
    shorter = [Fraction(v) for v in plane]
    for relation in reversed(relations):
        last = max(j for j, v in enumerate(relation) if v)
        part = shorter[last] / relation[last]
        shorter = [a - part * b for a, b in zip(shorter, relation, strict=True)]
    return primitive(shorter)


def by_row(signed: Subject, weights: dict[int, int]) -> dict[str, str]:
    """{row of the data: weight} of the weights that are not zero."""
    return {str(signed.rows[k]): int_text(weight) for k, weight in sorted(weights.items()) if weight}


def vector_text(values: list[int]) -> dict[str, str]:
    """{place: number} of what is not zero."""
    return {str(j): int_text(v) for j, v in enumerate(values) if v}


def int_text(value: int) -> str:
    """A whole number as text."""
    return str(value) if abs(value) < LONG else hex(value)


def ratio_text(value: Fraction) -> str:
    """A fraction as text."""
    return (
        int_text(value.numerator)
        if value.denominator == 1
        else f"{int_text(value.numerator)}/{int_text(value.denominator)}"
    )
