"""What a run proved, as certificates; and what it could not, as a warning."""

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ..certificates.certificate import Certificate, RunRecord, Texts, of_weights
from .problems import Problems
from .run import Outcome


def questions(classes: np.ndarray, count: int) -> list[Texts | None]:
    """The labels of each problem's classes; None where all classes are one problem, which the format does not know."""
    texts = [str(label) for label in classes.tolist()]
    if len(texts) == 2:
        return [(texts[1], texts[0])]
    return [(text, None) for text in texts] if count == len(texts) else [None]


def certificate(
    problems: Problems, outcome: Outcome, radius: float, record: RunRecord | None = None
) -> Certificate | None:
    """The proof that came out of the run of one of the problems, if one did; with the record to write it from."""
    if outcome.status == "separated":
        return of_weights(outcome.weights, problems.rows.bias, outcome.lowest, outcome.margin_bound, radius, record)
    if outcome.witness is not None:
        return Certificate(
            "inseparable",
            witness=witness(problems, outcome),
            margin=(-np.inf, 0.0),
            radius=radius,
            record=record,
        )
    if outcome.status == "thin":
        return Certificate(
            "unknown",
            reason="the run ended when the margin of any plane was proved to be small",
            margin=(-np.inf, outcome.margin_bound),
            radius=radius,
        )
    return None


def recorded(problems: Problems, c: int, outcome: Outcome, texts: Texts | None) -> RunRecord | None:
    """What a proof of problem c can be written from when it is asked for, if that is known; nothing is copied."""
    if texts is None or not problems.history.size:
        return None
    found = {} if outcome.witness is None else witness(problems, outcome)
    bias = bool(problems.rows.bias)
    return RunRecord(texts, bias, outcome.weights[0], found, problems.counts(c)[0], problems.targets.steps)


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
        orders = estimator._parameter_constraints["order"][0].options
        remedy = "scale the features, or try order='active'" if "active" in orders else "or scale the features"
        text = (
            f"stopped after {passes}{which} with {mistakes} mistakes in the last one; it is proved that {proved}. "
            f"Raise max_iter to go on, {remedy}."
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
