"""What a run proved, as certificates; and what it could not, as a warning."""

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ..proofs.certificate import Certificate, of_weights
from .problems import Problems
from .run import Outcome


def certificate(problems: Problems, outcome: Outcome, radius: float) -> Certificate | None:
    """The proof that came out of the run of one of the problems, if one did."""
    if outcome.status == "separated":
        return of_weights(outcome.weights, problems.rows.unit, outcome.lowest, outcome.margin_bound, radius)
    if outcome.witness is not None:
        return Certificate("inseparable", witness=witness(problems, outcome), margin=(-np.inf, 0.0), radius=radius)
    if outcome.status == "thin":
        return Certificate(
            "unknown",
            reason="the run ended when the margin of any plane was proved to be small",
            margin=(-np.inf, outcome.margin_bound),
            radius=radius,
        )
    return None


def witness(problems: Problems, outcome: Outcome) -> dict[Any, float]:
    """{row: weight}, or {(row, rival class): weight}, of the signed rows that sum to zero."""
    weighed = outcome.witness * problems.targets.steps
    found = {(int(i), int(r)): float(weighed[r, i]) for r, i in zip(*np.nonzero(weighed), strict=True)}
    return found if len(weighed) > 1 else {i: weight for (i, _), weight in found.items()}


def warn(estimator: Any, outcomes: list[Outcome]) -> None:
    """Say what is left undone, what is proved all the same, and what to do next; a mean leaves nothing undone."""
    if estimator.average:
        return
    left = [outcome for outcome in outcomes if outcome.status in ("thin", "stopped") and not outcome.early]
    if not left:
        return
    which = "" if len(outcomes) == 1 else f" in {len(left)} of {len(outcomes)} classes"
    passes = f"{estimator.n_iter_} pass{'es' if estimator.n_iter_ > 1 else ''}"
    mistakes, bound = sum(o.mistakes for o in left), max(o.margin_bound for o in left)
    proved = f"no plane has a margin above {bound:.3g} (radius {estimator.radius_:.3g})"
    asked = getattr(estimator, "margin", None)
    if any(outcome.status == "stopped" for outcome in left):
        text = (
            f"stopped after {passes}{which} with {mistakes} mistakes in the last one; it is proved "
            f"that {proved}. Raise max_iter to go on, scale the features, or try order='active'."
        )
    elif asked is not None and bound < asked / 2:
        text = (
            f"gave up after {passes}{which} with {mistakes} mistakes in the last one, as it is proved that {proved}, "
            f"while margin={asked:g} asks for {asked / 2:g}. Ask for a smaller margin, or for margin=None."
        )
    else:
        text = (
            f"gave up after {passes}{which} with {mistakes} mistakes in the last one, as it is "
            f"proved that {proved}, which is not more than tol × radius. Lower tol, or set tol=None, to go on; "
            "scaling the features may widen the margin."
        )
    warnings.warn(f"{type(estimator).__name__} {text}", ConvergenceWarning, stacklevel=4)
