"""The verdict on the points of the plane, as the page draws and writes it."""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from ..certificates.certificate import Certificate
from ..errors import finite_or_none
from ..proofs.certify import certify, check
from .request import ExperimentRequest

SECONDS = 2.0
"""A search for a proof that takes longer is given up, and the page says "unknown", or what is known by then."""


def certify_rows(X: np.ndarray, y: np.ndarray, intercept: bool) -> Certificate:
    """What can be proved of the rows."""
    certificate: Certificate = certify(X, y, fit_intercept=intercept, time_limit=SECONDS)
    return certificate


def certify_and_check(request: ExperimentRequest) -> tuple[Certificate, bool]:
    """What can be proved of the points, and whether the checker accepts the proof."""
    certificate = certify_rows(request.X, request.y, request.intercept)
    verdict = check(certificate, request.X, request.y, fit_intercept=request.intercept)
    return certificate, verdict.accepted


def certify_spaces(request: ExperimentRequest, model: Any) -> tuple[Certificate, dict[str, Any]]:
    """The certificate of the space that the learner's planes lie in, and the proof for the page, of all spaces."""
    certificate, checked = certify_and_check(request)
    own, own_checked = certify_own_space(request, model, certificate)
    proof = certificate_view(request, certificate, checked)
    if own is not None:
        proof["own"] = own_space_view(own, own_checked)
    return (own if request.mapping is not None and own is not None else certificate), proof


def certify_own_space(request: ExperimentRequest, model: Any, plain: Certificate) -> tuple[Certificate | None, bool]:
    """The same in the space of the learner's features, where that is another one; None where nothing is known there."""
    if request.mapping is not None:
        certificate = certify_rows(request.features, request.y, request.intercept)
        verdict = check(certificate, request.features, request.y, fit_intercept=request.intercept)
        return certificate, verdict.accepted
    if request.learner.kind == "kernel":
        return certify_kernel(request, model, plain)
    return None, False


def certify_kernel(request: ExperimentRequest, model: Any, plain: Certificate) -> tuple[Certificate | None, bool]:
    """What the run itself proved in the space of its kernel; to search for more would take longer than the run.

    Where it proved no verdict, a few rows may do so at once: those that occur in both classes, which no kernel tells
    apart, and those that keep planes among the coordinates from separating, which are the kernel's own if its degree
    is 1.
    """
    found: Certificate | None = model.certificate_
    X, y = request.X, request.y
    if found is None or found.verdict == "unknown":
        rows = [*rows_of_both_classes(X, y), *sorted(plain.witness)]
        if not rows:
            return found, False
        space = {"kernel": model.kernel, "gamma": model.gamma_, "degree": model.degree, "coef0": model.coef0}
        few = certify(X[rows], y[rows], fit_intercept=False, time_limit=SECONDS, **space)
        if few.verdict != "inseparable":
            return found, False
        found, X, y = few, X[rows], y[rows]
    return found, check(found, X, y, fit_intercept=False, kernel=model.kernel).accepted


def rows_of_both_classes(X: np.ndarray, y: np.ndarray) -> list[int]:
    """Two rows that are one point, of one class each; none where no two are."""
    first: dict[tuple[float, ...], int] = {}
    for i, point in enumerate(map(tuple, X.tolist())):
        other = first.setdefault(point, i)
        if y[other] != y[i]:
            return [other, i]
    return []


def own_space_view(certificate: Certificate, checked: bool) -> dict[str, Any]:
    """The verdict on the space of the learner, for the page, in numbers: that space cannot be drawn."""
    separable = certificate.verdict == "separable"
    return {
        "verdict": certificate.verdict,
        "reason": certificate.reason,
        "margin": [finite_or_none(v) for v in certificate.margin] if separable else None,
        "most": finite_or_none(certificate.margin[1]),
        "radius": finite_or_none(certificate.radius),
        "bound": finite_or_none(certificate.mistake_bound),
        "checked": checked,
    }


def distance_in_picture(plane: list[float] | None, margin: float) -> float | None:
    """How far from the plane the nearest point lies on the picture, where it is that far in the space with the 1."""
    if plane is None or not any(plane[:2]):
        return None
    return margin * math.hypot(*plane) / math.hypot(*plane[:2])


def certificate_view(request: ExperimentRequest, certificate: Certificate, checked: bool) -> dict[str, Any]:
    """The certificate for the page: its plane with the margin, or the two combinations that meet."""
    witness = witness_view(request, certificate.witness)
    plane = None if certificate.coef is None else np.append(certificate.coef, certificate.intercept).tolist()
    separable = certificate.verdict == "separable"
    return {
        "verdict": certificate.verdict,
        "reason": certificate.reason,
        "distance": distance_in_picture(plane, certificate.margin[0]) if separable else None,
        "own": None,
        "plane": plane,
        "witness": witness,
        "margin": list(certificate.margin) if separable else None,
        "radius": finite_or_none(certificate.radius),
        "bound": finite_or_none(certificate.mistake_bound),
        "strict": None if certificate.rows is None else np.ravel(certificate.rows).tolist(),
        "checked": checked,
    }


def witness_view(request: ExperimentRequest, weights: dict[Any, Any]) -> dict[str, Any] | None:
    """The rows with their parts of the combination, and the point that the combinations of both classes share.

    With a bias the weights of each class sum to the same, so both combinations are convex.  Without one it is the
    signed rows that are combined, and the point is the origin.
    """
    if not weights:
        return None
    rows = sorted(weights)
    total = sum(Fraction(weights[i]) for i in rows if request.y[i] or not request.intercept)
    parts = {i: Fraction(weights[i]) / total for i in rows}
    meeting = [sum(parts[i] * Fraction(request.X[i, j]) for i in rows if request.y[i]) for j in range(2)]
    return {
        "rows": rows,
        "parts": [float(part) for part in parts.values()],
        "written": [str(part) if part.denominator < 1000 else f"{float(part):.3f}" for part in parts.values()],
        "meeting": [float(v) for v in meeting] if request.intercept else [0.0, 0.0],
        "signed": not request.intercept,
    }
