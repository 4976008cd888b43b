"""What was found, as the object people get, and its proof in the form of docs/certificate-format.md."""

import hashlib
import json
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import scipy.sparse as sp

from .. import inputs
from ..bounds import EPS
from ..certificates.certificate import Certificate, Texts
from ..exact.dyadic import WHOLE, primitive, two_to
from ..exact.floats import EXACT
from ..exact.limits import UndecidedError
from ..exact.linalg import null_space
from .best_margin import Interval, lower, root, upper
from .quasi import Finding
from .signed_rows import TINY, Table

LONG = 10**4000
"""Whole numbers from here on are written in hexadecimal, which takes no time to read."""
COLLINEAR_WIDTH = 300
"""Columns up to which collinear ones are looked for."""


def certificate_of(
    table: Table, finding: Finding, best: Interval | None, reason: str, texts: Texts, names: list[str] | None
) -> Certificate:
    """All that was found."""
    bonds = relations_of_all(table) if table.width <= COLLINEAR_WIDTH else []
    plane, right = best.plane if best else [], np.empty(0, dtype=int)
    if finding.plane is not None and not best:
        plane = without(table.outer(finding.plane), bonds)
        right = right_of(table, finding.plane)
    verdict = "separable" if best else "quasi-separable" if plane else "inseparable"
    proof = heading(table, verdict, texts, names) | {
        "plane": sparse(plane),
        "rows": table.rows[right].tolist(),
        "witness": by_row(table, finding.witness),
        "cover": {"weights": by_row(table, finding.cover), "rest": whole(finding.rest)},
        "margin": None if best is None else margin(table, best),
        "collinear": [sparse(bond) for bond in bonds],
    }
    return certificate_from(sealed(proof), reason)


def right_of(table: Table, plane: list[int]) -> np.ndarray:
    """The rows on the right side of a plane that has none on the wrong side."""
    sides = table.sides(plane)[1]
    if (sides < 0).any():
        raise UndecidedError("rows that seemed to be tied are not")
    return np.flatnonzero(sides > 0)


def column_texts(X: Any) -> list[str] | None:
    """The names of the columns as texts, if they have any."""
    names = inputs.column_names(X)
    return None if names is None else [str(name) for name in names]


def sealed(proof: dict[str, Any]) -> dict[str, Any]:
    """The proof with the digest of itself."""
    text = json.dumps(proof, sort_keys=True, separators=(",", ":"))
    return proof | {"seal": hashlib.sha256(text.encode()).hexdigest()}


def heading(table: Table, verdict: str, texts: Texts, names: list[str] | None) -> dict[str, Any]:
    """What a proof says of its data and its question."""
    source = table.source
    return {
        "format": "novikoff certificate",
        "version": 2,
        "verdict": verdict,
        "numbers": "decimal" if source.decimal else "float64",
        "data": {
            "rows": source.n,
            "columns": source.d,
            "values": source.digest,
            "signs": hashlib.sha256(np.array([b"-", b"0", b"+"])[table.all_signs + 1].tobytes()).hexdigest(),
        },
        "names": names,
        "positive": texts[0],
        "negative": texts[1],
        "fit_intercept": bool(source.intercept),
        "kernel": None,
    }


def margin(table: Table, best: Interval) -> dict[str, Any]:
    """What is claimed of the margin of a separable table."""
    lo, hi = root(best.lo_squared, up=False), root(best.hi_squared, up=True)
    radius = root(radius_squared(table), up=True)
    return claimed(lo, hi, radius) | {"combination": by_row(table, best.combination)}


def claimed(lo: Fraction, hi: Fraction, radius: Fraction) -> dict[str, Any]:
    """The numbers of a margin."""
    bound = whole(radius**2 // lo**2)
    return {"lo": ratio(lo), "hi": ratio(hi), "radius": ratio(radius), "mistake_bound": bound}


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
        largest = largest * (1 + Fraction(4 * (table.width + 8) * EPS)) + table.width * Fraction(TINY) * two_to(2 * top)
    return largest + source.intercept


def certificate_from(proof: dict[str, Any], reason: str = "") -> Certificate:
    """The object of a proof; it says what the proof claims, which is not checked here."""
    d, kernel, verdict = proof["data"]["columns"], proof["kernel"], proof["verdict"]
    plane = read(proof["plane"])
    known, collinear = bool(plane) and kernel is None, proof["collinear"]
    weights = floats([plane.get(j, 0) for j in range(d + 1)]) if known else np.empty(0)
    stated = proof["margin"] or {"lo": "0", "hi": "0", "radius": "0", "mistake_bound": "0"}
    lo, hi, radius, bound = (fraction(stated[name]) for name in ("lo", "hi", "radius", "mistake_bound"))
    covered, separable = proof["cover"]["rest"] != "0", verdict == "separable"
    return Certificate(
        verdict,
        reason=reason,
        overlap=covered or None if verdict == "inseparable" else False,
        coef=weights[None, :d] if known else None,
        intercept=weights[d:] if known else None,
        margin=(lower(lo), upper(hi)) if separable else (-inf, 0.0),
        radius=upper(radius) if separable else np.nan,
        mistake_bound=upper(bound) if separable else inf,
        witness=read(proof["witness"]),
        rows=np.array(proof["rows"], dtype=int) if verdict == "quasi-separable" else None,
        columns=sorted(j for j in plane if j < d) if verdict == "quasi-separable" and kernel is None else [],
        collinear=[sorted(map(int, relation)) for relation in collinear],
        names=proof["names"],
        kernel=kernel,
        proof=proof,
    )


def relations_of_all(table: Table) -> list[list[int]]:
    """A basis of the vectors on which all rows are zero: from some rows, then from those that disagree as well."""
    chosen = np.linspace(0, len(table.rows) - 1, min(len(table.rows), 4 * table.width), dtype=int).tolist()
    while True:
        found = null_space([table.integers(k) for k in chosen])
        new = set()
        for relation in found:
            new |= set(table.off_plane(relation)[:1].tolist())
        if not new:
            return null_space([primitive(table.given(k)) for k in chosen]) if found else []
        chosen += sorted(new)


def without(plane: list[int], bonds: list[list[int]]) -> list[int]:
    """The same margins without the last column of each relation: z·v = 0, so multiples of v can be taken off."""
    found = [Fraction(v) for v in plane]
    for bond in reversed(bonds):
        last = max(j for j, v in enumerate(bond) if v)
        part = found[last] / bond[last]
        found = [a - part * b for a, b in zip(found, bond, strict=True)]
    return primitive(found)


def floats(plane: list[int]) -> np.ndarray:
    """Whole numbers as floats, brought below 1 if they are too large to be exact."""
    largest = max(map(abs, plane))
    return np.array([float(Fraction(v, largest if largest > WHOLE else 1)) for v in plane])


def by_row(table: Table, weights: dict[int, int]) -> dict[str, str]:
    """{row of the data: weight}."""
    return {str(table.rows[k]): whole(weight) for k, weight in sorted(weights.items())}


def sparse(values: list[int]) -> dict[str, str]:
    """{place: number} of what is not zero."""
    return {str(j): whole(v) for j, v in enumerate(values) if v}


def read(texts: dict[str, str]) -> dict[int, int]:
    """{place: number} of a proof."""
    return {int(place): int(text, 0) for place, text in texts.items()}


def whole(value: int) -> str:
    """A whole number as text."""
    return str(value) if abs(value) < LONG else hex(value)


def ratio(value: Fraction) -> str:
    """A fraction as text."""
    return whole(value.numerator) if value.denominator == 1 else f"{whole(value.numerator)}/{whole(value.denominator)}"


def fraction(text: str) -> Fraction:
    """A fraction from its text."""
    return Fraction(*(int(part, 0) for part in text.split("/")))
