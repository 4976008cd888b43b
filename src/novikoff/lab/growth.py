"""The two families of data on which Novikoff's bound is met and on which it is exponential, size by size."""

from functools import cache
from typing import Any

import numpy as np

from ..data import datasets
from ..errors import finite_or_none
from ..learners.perceptron import Perceptron
from ..proofs.certify import certify
from .controls import Refusal

SIZES = range(2, 13)
"""Rows, which are as many as columns."""
ROUNDS = 4096
"""Passes that are made in one go, as those over few rows are too short to be made one by one."""
FAMILIES = {"tight": datasets.orthonormal, "worst": datasets.exponential}


def growth(body: Any) -> dict[str, Any]:
    """What a run on one of the families did."""
    family, size = (body.get("family"), body.get("size")) if isinstance(body, dict) else (None, None)
    if not (isinstance(family, str) and family in FAMILIES and type(size) is int and size in SIZES):
        raise Refusal("form", f"family is {' or '.join(FAMILIES)}, size a whole number from 2 to {SIZES[-1]}.")
    return run_family(family, size)


@cache
def run_family(family: str, size: int) -> dict[str, Any]:
    """Updates of all and of every row, the weights at the end, and the bound on updates with its proof checked."""
    X, y = FAMILIES[family](size)
    model = Perceptron(order="cyclic", fit_intercept=False, max_iter=10**9, tol=None)
    model.fit(np.tile(X, (ROUNDS, 1)), np.tile(y, ROUNDS))  # the same run: a pass of it is so many of the family
    certificate = certify(X, y, fit_intercept=False, time_limit=2.0)
    return {
        "family": family,
        "size": size,
        "rows": (X * (2 * y - 1)[:, None]).tolist(),
        "updates": int(model.n_updates_),
        "of_rows": model.update_counts_.reshape(ROUNDS, size).sum(axis=0).astype(int).tolist(),
        "weights": model.coef_[0].tolist(),
        "radius": finite_or_none(certificate.radius),
        "margin": finite_or_none(certificate.margin[0]),
        "bound": finite_or_none(certificate.mistake_bound),
    }
