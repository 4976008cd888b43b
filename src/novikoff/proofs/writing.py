"""Proofs in the form of docs/certificate-format.md."""

import hashlib
from fractions import Fraction
from math import inf, nextafter
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..theory.bounds import UNIT
from .exact import EXACT
from .table import TINY, Table, two_to

LONG = 10**4000
"""Whole numbers from here on are written in hexadecimal, which takes no time to read."""


def proof_of(
    table: Table,
    verdict: str,
    plane: list[int] | None,
    finding: Any,
    best: Any,
    radius: Fraction,
    texts: tuple[str, str | None],
) -> dict[str, Any]:
    """The proof as what JSON can hold."""
    source, rows = table.source, table.rows
    relations = None if finding.relations is None else [sparse(relation) for relation in finding.relations]
    return {
        "format": "novikoff certificate",
        "version": 1,
        "verdict": verdict,
        "numbers": "decimal" if source.decimal else "float64",
        "data": {
            "rows": source.n,
            "columns": source.d,
            "values": source.digest,
            "signs": hashlib.sha256(np.array([b"-", b"0", b"+"])[table.all_signs + 1].tobytes()).hexdigest(),
        },
        "positive": texts[0],
        "negative": texts[1],
        "fit_intercept": bool(source.intercept),
        "plane": sparse(plane or []),
        "witness": {str(rows[k]): whole(weight) for k, weight in sorted(finding.witness.items())},
        "tied": rows[finding.tied].tolist() if verdict == "quasi-separable" else [],
        "relations": relations,
        "margin": None if best is None else margin(table, best, radius),
    }


def margin(table: Table, best: Any, radius: Fraction) -> dict[str, Any]:
    """What is claimed of the margin of a separable table."""
    return {
        "lo_squared": ratio(best.lo_squared),
        "hi_squared": ratio(best.hi_squared),
        "radius_squared": ratio(radius),
        "mistake_bound": whole(radius // best.lo_squared),
        "combination": {str(table.rows[k]): whole(weight) for k, weight in sorted(best.combination.items())},
    }


def radius_squared(table: Table) -> Fraction:
    """A number that no ‖z‖² of the rows as they were given exceeds; the largest one where floats have it exactly."""
    source = table.source
    top = int(np.frexp(np.maximum(-source.low, source.high).max(initial=1.0))[1])
    X = np.ldexp(source.X.data if sp.issparse(source.X) else source.X.astype(float, copy=False), -top)
    if sp.issparse(source.X):
        X = sp.csr_array((X, source.X.indices, source.X.indptr), shape=source.X.shape)
        squares = np.asarray(X.multiply(X).sum(axis=1)).ravel()
    else:
        squares = np.einsum("ij,ij->i", X, X)
    largest = Fraction(float(squares[table.rows].max(initial=0.0))) * two_to(2 * top)
    if not (source.plain and largest < EXACT):
        largest = largest * (1 + Fraction(4 * (table.width + 8) * UNIT)) + Fraction(table.width * TINY) * two_to(
            2 * top
        )
        largest = float_above(largest)
    return largest + source.intercept


def float_above(value: Fraction) -> Fraction:
    """A float at least as large, if there is one, as a fraction."""
    found = float(value) if value < 2**1000 else inf
    return Fraction(nextafter(found, inf)) if found < inf else value


def sparse(values: list[int]) -> dict[str, str]:
    """{place: number} of what is not zero."""
    return {str(j): whole(v) for j, v in enumerate(values) if v}


def whole(value: int) -> str:
    """A whole number as text."""
    return str(value) if abs(value) < LONG else hex(value)


def ratio(value: Fraction) -> str:
    """A fraction as text."""
    return whole(value.numerator) if value.denominator == 1 else f"{whole(value.numerator)}/{whole(value.denominator)}"
