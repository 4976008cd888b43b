"""Proofs from files, and the checker for arrays."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from .certificate import Certificate
from .check import Verdict, check_proof, exact
from .margin import root
from .search import floats, numbers


def check(certificate: Any, X: Any, y: Any) -> Verdict:
    """Verify, independently of how it was found, everything that a certificate claims of the data.

    The checker is ``novikoff.proofs.check``: the standard library, exact arithmetic and no search.

    Parameters
    ----------
    certificate : Certificate, or a proof as JSON text or as what it holds
    X, y : the data it speaks of, as for ``certify``

    Examples
    --------
    >>> from novikoff import certify
    >>> X, y = [[-1], [0], [0], [1]], [0, 0, 1, 1]
    >>> check(certify(X, y), X, y).sentence
    'accepted: quasi-separable, 2 rows have margin > 0; no plane moves the other 2'
    >>> check(certify(X, y), X, [0, 1, 0, 1]).accepted
    False
    """
    if isinstance(certificate, Certificate):
        if certificate.proof is None:
            return Verdict(False, f"refused: the certificate ({certificate.verdict}) holds no proof; certify makes one")
        certificate = certificate.proof
    return check_proof(certificate, python_rows(numbers(X)), np.asarray(y).ravel().tolist())


def python_rows(X: Any) -> Any:
    """Rows as Python's own numbers, one at a time."""
    if isinstance(X, list):
        yield from X
    elif sp.issparse(X):
        for a, b in zip(X.indptr[:-1], X.indptr[1:], strict=True):
            yield dict(zip(X.indices[a:b].tolist(), X.data[a:b].tolist(), strict=True))
    else:
        for row in X:
            yield row.tolist()


def certificate_from(proof: dict[str, Any]) -> Certificate:
    """The object of a proof; it says what the proof claims, which is not checked here."""
    d = proof["data"]["columns"]
    plane = [0] * (d + 1)
    for j, text in proof["plane"].items():
        plane[int(j)] = int(text, 0)
    quasi, margin = proof["verdict"] == "quasi-separable", proof["margin"]
    squares = {name: exact(text) for name, text in margin.items() if isinstance(text, str)} if margin else {}
    radius = squares.get("radius_squared")
    return Certificate(
        proof["verdict"],
        coef=floats(plane)[None, :d] if any(plane) else None,
        intercept=floats(plane)[d:] if any(plane) else None,
        margin=(root(squares["lo_squared"], False), root(squares["hi_squared"], True)) if margin else (-np.inf, 0.0),
        radius=np.nan if radius is None else root(radius, True),
        mistake_bound=np.inf if radius is None else root((radius / squares["lo_squared"]) ** 2, True),
        witness={int(row): int(text, 0) for row, text in proof["witness"].items()},
        rows=np.setdiff1d(np.arange(proof["data"]["rows"]), proof["tied"]) if quasi else None,
        columns=[j for j in range(d) if plane[j]] if quasi else [],
        collinear=[sorted(map(int, relation)) for relation in proof["relations"] or []] if not quasi else [],
        proof=proof,
    )
