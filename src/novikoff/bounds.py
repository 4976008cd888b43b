"""Bounds on the number of updates and on margins, all in the augmented geometry [x; 1] of the rows."""

import math
import sys
from typing import Any

EPS = sys.float_info.epsilon / 2
"""Half the distance from 1.0 to the next float64: the largest relative rounding error of one operation."""


def radius(X: Any, fit_intercept: bool = True) -> float:
    """r = max ‖[x; 1]‖ over the rows x of X; without an intercept max ‖x‖.

    >>> radius([[3.0, 4.0], [0.0, 0.0]], fit_intercept=False)
    5.0
    """
    from sklearn.utils.extmath import row_norms

    return math.sqrt(row_norms(matrix(X), squared=True).max() + bool(fit_intercept))


def margin(w: Any, X: Any, y: Any) -> float:
    """min y·(w·x)/‖w‖ over the rows; with one number more than X has columns, w is [w; b] and x is [x; 1].

    Of the two labels in y the larger is +1, the other −1.  It is negative if a row is on the wrong side.

    >>> margin([1.0, 1.0, -1.5], [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])  # AND
    0.24253562503633297
    """
    import numpy as np

    w, X = np.asarray(w, dtype=np.float64), matrix(X)
    if w.ndim != 1 or w.size - X.shape[1] not in (0, 1) or not w.any():
        raise ValueError(
            f"w must be {X.shape[1]} numbers, one per column of X, or one more for the bias, not all zero; "
            f"got an array of shape {w.shape}."
        )
    labels, side = np.unique(np.asarray(y), return_inverse=True)
    if len(labels) != 2:
        raise ValueError(f"A margin is that of two classes, but y has {len(labels)}: {labels.tolist()[:5]}.")
    scores = X @ w[: X.shape[1]] + w[X.shape[1] :].sum()
    return float(((2 * side.ravel() - 1) * scores).min() / np.linalg.norm(w))


def matrix(X: Any) -> Any:
    """X in float64, sparse or dense."""
    import numpy as np

    return X.astype(np.float64) if hasattr(X, "tocsr") else np.asarray(X, dtype=np.float64)


def novikoff(radius: float, margin: float, start: float = 0.0, shortest: float = 1.0, longest: float = 1.0) -> float:
    """How often the perceptron can be updated on rows of length at most ``radius``, separable with this margin.

    M ≤ (r²·longest + 2·‖w₀‖·ρ) / (ρ²·shortest) for steps between ``shortest`` and ``longest`` from weights of length
    ``start``: ρ·Σs ≤ ‖w‖ + ‖w₀‖, ‖w‖² ≤ ‖w₀‖² + r²·Σs², Σs² ≤ longest·Σs and Σs ≥ shortest·M.  From zero with unit
    steps it is Novikoff's r²/ρ².

    >>> novikoff(radius=1, margin=0.5)
    4.0
    """
    if not (margin > 0 and margin**2 * shortest > 0):  # nor a margin whose square is no float64
        return math.inf
    return (radius**2 * longest + 2 * start * margin) / (margin**2 * shortest)


def margin_from_run(moved: float, travelled: float, updates: float, radius: float, size: int) -> float:
    """A margin that no plane exceeds, proved by a run: ‖w − w₀‖ / Σs, as every update adds at least s·γ along v.

    Rounding is included: each of the updates errs by at most ε(‖w‖ + s·r), the norm by ``size``·ε of itself.

    >>> round(margin_from_run(moved=2.0, travelled=4.0, updates=4, radius=1.0, size=3), 12)
    0.5
    """
    if travelled == 0:
        return math.inf
    return moved * (1 + (size + 4) * EPS) / travelled + 2 * EPS * updates * radius


def rounding_of_score(length: float, radius: float, size: int, eps: float = EPS) -> float:
    """At most this far is a computed w·x from the true one, summed in any order: γ_n·‖w‖·‖x‖.

    n counts the products, one rounding of w and the additions of the bias; ``eps`` is the rounding of the arithmetic.

    >>> rounding_of_score(length=1.0, radius=1.0, size=98) < 2.3e-14
    True
    """
    n = (size + 4) * eps
    return n / (1 - n) * length * radius if n < 1 else math.inf


def margin_perceptron(radius: float, margin: float) -> float:
    """16·r²/ρ²: how often a perceptron is updated that asks for the margin ρ/2, if some plane has the margin ρ.

    >>> margin_perceptron(radius=1, margin=0.5)
    64.0
    """
    return 16 * radius**2 / margin**2 if margin > 0 else math.inf


def growing_margin(radius: float, margin: float, parts: float) -> float:
    """k/(k − 2)·r²/ρ²: how often it is updated if it asks for the k-th part (k > 2) of ‖w‖/M, with M updates.

    By induction ‖w‖² ≤ r²·M·k/(k − 2), as an update adds at most 2‖w‖²/(k·M) + r²; and ρ·M ≤ ‖w‖.

    >>> growing_margin(radius=1, margin=0.5, parts=3)
    12.0
    """
    return parts / (parts - 2) * radius**2 / margin**2 if margin > 0 else math.inf


def slack(radius: float, margin: float, slack: float, amplitude: float | None = None) -> float:
    """(r² + A²)(1 + δ²/A²)/ρ²: how often the perceptron is updated on rows embedded with A, where δ = √Σ s_i².

    None takes the A with the smallest bound, A² = r·δ, which makes it (r + δ)²/ρ².

    >>> slack(radius=1, margin=0.5, slack=1), slack(radius=1, margin=0.5, slack=1, amplitude=2)
    (16.0, 25.0)
    """
    if not margin > 0:
        return math.inf
    if amplitude is None or slack == 0:
        own = 0.0 if amplitude is None else amplitude**2
        return ((radius + slack) ** 2 + own) / margin**2
    return (radius**2 + amplitude**2) * (1 + (slack / amplitude) ** 2) / margin**2


def arow(radius: float, margin: float, r: float, precision: float = 1.0, drift: float = 0.0) -> float:
    """How many mistakes an AROW run makes on rows that a plane u separates with this margin; see ``passes.rules.Arow``.

    (1/ρ² + (√(p − 1)/ρ + √Q)²)·(r_x² + r)²/(r_x² + 2r), where the run ends with the precision p = Σ u²/σ over Σ u² of
    that plane, and Q is its drift.

    >>> arow(radius=1, margin=0.5, r=1)
    5.333333333333333
    """
    if not margin > 0:
        return math.inf
    raised = math.sqrt(max(precision - 1, 0.0)) / margin + math.sqrt(drift)
    return (1 / margin**2 + raised**2) * (radius**2 + r) ** 2 / (radius**2 + 2 * r)


def soft_confidence(
    radius: float, margin: float, C: float, phi: float, precision: float = 1.0, drift: float = 0.0
) -> float:
    """How many mistakes a run of SCW-I makes, as ``arow`` says it; see ``passes.rules.SoftConfidence``.

    ((φ·r_x/ρ)² + (φ·r_x·√(p − 1)/ρ + √Q)²) / (φ·r_x·min(C, φ/(r_x·√(1 + φ²)))).

    >>> soft_confidence(radius=1, margin=0.5, C=0.5, phi=1)
    8.0
    """
    if not margin > 0:
        return math.inf
    scale, shortest = phi * radius / margin, min(C, phi / (radius * math.sqrt(1 + phi**2)))
    raised = scale * math.sqrt(max(precision - 1, 0.0)) + math.sqrt(drift)
    return (scale**2 + raised**2) / (phi * radius * shortest)


def passive_aggressive(radius: float, margin: float, C: float, step: str = "full", start: float = 0.0) -> float:
    """How many mistakes a passive-aggressive run makes on rows separable with this margin.

    r²/ρ² with full steps, max(r², 1/C)/ρ² with steps capped at C, (r² + 1/2C)/ρ² with damped ones.  From weights of
    length ``start`` it is (1/ρ + ‖w₀‖)² in place of 1/ρ²: with u = v/ρ, under which no row has a loss, every update
    brings w nearer to u, and a mistake by at least the inverse of the first factor, from ‖w₀ − u‖² ≤ (‖w₀‖ + 1/ρ)².

    >>> passive_aggressive(radius=1, margin=0.5, C=0.5, step="capped")
    8.0
    """
    widened = {"full": radius**2, "capped": max(radius**2, 1 / C), "damped": radius**2 + 1 / (2 * C)}[step]
    return widened * (1 + start * margin) ** 2 / margin**2 if margin > 0 else math.inf
