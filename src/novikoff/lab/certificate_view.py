"""The verdict on the points of the plane, as the page draws and writes it."""

from fractions import Fraction
from typing import Any

import numpy as np

from .. import Certificate, certify, check
from .request import Order

SECONDS = 2.0
"""A proof that takes longer is given up, and the page says "unknown"."""


def certified(X: np.ndarray, y: np.ndarray, intercept: bool) -> Certificate:
    """What can be proved of the points."""
    found: Certificate = certify(X, y, fit_intercept=intercept, time_limit=SECONDS)
    return found


def shown(order: Order, found: Certificate) -> dict[str, Any]:
    """The certificate for the page: its plane with the margin, or the two combinations that meet."""
    return {
        "verdict": found.verdict,
        "reason": found.reason,
        "plane": None if found.coef is None else [*np.ravel(found.coef).tolist(), float(np.ravel(found.intercept)[0])],
        "margin": list(found.margin) if found.verdict == "separable" else None,
        "radius": found.radius if np.isfinite(found.radius) else None,
        "bound": found.mistake_bound if np.isfinite(found.mistake_bound) else None,
        "strict": None if found.rows is None else np.ravel(found.rows).tolist(),
        "witness": witness(order, found.witness),
        "checked": found.proof is not None and check(found, order.X, order.y).accepted,
    }


def witness(order: Order, weights: dict[Any, Any]) -> dict[str, Any] | None:
    """The rows with their parts of the combination, and the point that the combinations of both classes share.

    With a bias the weights of each class sum to the same, so both combinations are convex.  Without one it is the
    signed rows that are combined, and the point is the origin.
    """
    if not weights:
        return None
    rows = sorted(weights)
    total = sum(Fraction(weights[i]) for i in rows if order.y[i] or not order.intercept)
    parts = {i: Fraction(weights[i]) / total for i in rows}
    meeting = [sum(parts[i] * Fraction(order.X[i, j]) for i in rows if order.y[i]) for j in range(2)]
    return {
        "rows": rows,
        "parts": [float(part) for part in parts.values()],
        "written": [str(part) if part.denominator < 1000 else f"{float(part):.3f}" for part in parts.values()],
        "meeting": [float(v) for v in meeting] if order.intercept else [0.0, 0.0],
        "signed": not order.intercept,
    }
