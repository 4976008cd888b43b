"""The checker for arrays and files."""

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from .certificate import Certificate
from .check import Verdict, check_proof
from .numbers import numbers


def check(certificate: Any, X: Any, y: Any) -> Verdict:
    """Verify, independently of how it was found, everything that a certificate claims of the data.

    The checker is ``novikoff.proofs.check``: the standard library, exact arithmetic and no search.

    Parameters
    ----------
    certificate : Certificate, also of a learner; a path to a saved one, or a proof as JSON text or as what it holds
    X, y : the data it speaks of, as for ``certify``

    Examples
    --------
    >>> from novikoff import certify
    >>> X, y = [[-1], [0], [0], [1]], [0, 0, 1, 1]
    >>> print(check(certify(X, y), X, y).sentence)
    accepted: quasi-separable, no plane has every margin > 0, one has 2 > 0 and none < 0; none moves the other 2 rows
    >>> check(certify(X, y), X, [0, 1, 0, 1]).accepted
    False
    """
    if isinstance(certificate, Path):
        certificate = certificate.read_text(encoding="utf-8")
    if isinstance(certificate, Certificate):
        try:
            certificate = certificate.proved(X, y).proof
        except ValueError as why:
            return Verdict(False, f"refused: {why}")
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
