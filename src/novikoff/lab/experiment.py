"""One experiment: points, a learner and its parameters in; the whole run, what bounds it and the proof out.

A request is checked, its run is recorded, its points are certified and the proof is checked, the run is audited, and
the answer is composed of all that.
"""

import math
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from .. import bounds
from ..certificates.certificate import Certificate
from ..errors import finite_or_none
from ..passes.rules import Facts
from ..theory.audit import audit
from ..theory.trace import record
from .certificate_view import certify_spaces
from .film import Film, film
from .lanes import Ticket
from .playback import Playback, plane_part, play, quotient
from .request import ExperimentRequest, check_request

STEPS = 2000
"""The most updates of a run that are recorded."""
CURVE_REACH, CURVE_POINTS = 1.5, 97
"""Powers of ten on both sides of the best A of a slack embedding for which its bound is sent, and how often."""
DIGITS = 7
"""Significant digits that are sent."""


def run(body: Any, ticket: Ticket | None = None) -> dict[str, Any]:
    """Learn, bound and prove; the answer is what the page draws."""
    with QUIET.run():
        request = check_request(body)
        seen: Film | Playback
        if request.learner.kind == "film":
            seen = film(request, ticket or Ticket())
        else:
            trace = record(request.model, request.features, request.y, limit=STEPS, **request.start)
            seen = play(request, trace)
        if ticket:
            ticket.check()
        model = seen.model if isinstance(seen, Film) else seen.trace.learner
        return answer_of(request, seen, model, *certify_spaces(request, model))


def answer_of(
    request: ExperimentRequest, seen: Film | Playback, model: Any, certificate: Certificate, proof: dict[str, Any]
) -> dict[str, Any]:
    """What the page draws of a run, with the proof of its points."""
    answer = film_answer(seen) if isinstance(seen, Film) else playback_answer(request, seen, certificate)
    common = {"proof": proof, "cut_by_time": isinstance(seen, Film) and seen.cut, "code": python_code(request, model)}
    return {**common, **answer, "slack": slack_view(request), "outcome": outcome(request, seen, model)}


def slack_view(request: ExperimentRequest) -> dict[str, Any] | None:
    """The numbers that the bound of the slack embedding is made of; None of other learners."""
    if request.learner.kind != "slack":
        return None
    embedding = request.mapping
    r, margin, slack = embedding.radius_, embedding.margin_, embedding.slack_
    best = math.sqrt(r * slack)
    amplitudes = best * 10.0 ** np.linspace(-CURVE_REACH, CURVE_REACH, CURVE_POINTS) if best else np.empty(0)
    return {
        "radius": r,
        "margin": margin,
        "slack": slack,
        "amplitude": embedding.amplitude_,
        "bound": finite_or_none(embedding.mistake_bound_),
        "best": best,
        "least": finite_or_none(bounds.slack(r, margin, slack)),
        "curve": [[A, finite_or_none(bounds.slack(r, margin, slack, A))] for A in amplitudes.tolist()],
    }


class Quiet:
    """Keeps warnings that a run did not converge from the terminal, as the status says it.

    Python has one list of filters for all threads: the first of the runs under way sets it, the last one restores it.
    """

    def __init__(self) -> None:
        self.lock, self.running = threading.Lock(), 0

    @contextmanager
    def run(self) -> Iterator[None]:
        """One run more is under way."""
        with self.lock:
            if self.running == 0:
                self.filters = warnings.catch_warnings()
                self.filters.__enter__()
                warnings.simplefilter("ignore", ConvergenceWarning)
            self.running += 1
        try:
            yield
        finally:
            with self.lock:
                self.running -= 1
                if self.running == 0:
                    self.filters.__exit__(None, None, None)


QUIET = Quiet()


def playback_answer(request: ExperimentRequest, playback: Playback, certificate: Certificate) -> dict[str, Any]:
    """What each update did, the figures after it, and the inequalities of the whole run."""
    return {
        "audit": audit_lines(request, playback, certificate),
        "steps": playback_steps(request, playback),
        "charts": playback_charts(playback, certificate),
    }


def audit_lines(
    request: ExperimentRequest, playback: Playback, certificate: Certificate
) -> list[dict[str, Any]] | None:
    """The chain of inequalities that the notes have for this run, with its numbers; None where they have none.

    A plane's run is measured along the best plane, a kernel's along its own last function, that of a slack embedding
    along the plane that the embedding is made for.
    """
    if request.learner.audit is None:
        return None
    if request.learner.kind == "slack":
        return None if playback.trace.cut else chain_lines(audit(playback.trace, request.mapping).chains[-1].lines)
    if playback.weights is None and not playback.trace.cut:
        chains = audit(playback.trace).chains
    elif playback.weights is not None and certificate.verdict == "separable":
        chains = audit(playback.trace, np.append(certificate.coef, certificate.intercept)).chains
    else:
        return None
    return chain_lines(main_lines(chains[0].lines)) if chains else []


def chain_lines(lines: Any) -> list[dict[str, Any]]:
    """Lines of a chain, for the page."""
    return [{"relation": line.relation, "term": line.term, "value": line.value, "holds": line.holds} for line in lines]


def main_lines(lines: Any) -> list[Any]:
    """The first run of a chain, and the one on M, the number of updates."""
    runs: list[list[Any]] = []
    for line in lines:
        if line.relation:
            runs[-1].append(line)
        else:
            runs.append([line])
    return [line for k, one in enumerate(runs) if k == 0 or one[0].term == "M" for line in one]


def playback_steps(request: ExperimentRequest, playback: Playback) -> dict[str, Any]:
    """What each update did; of a slack embedding the page draws the plane among the coordinates."""
    updates, weights = playback.trace.problems[0], playback.weights
    if request.learner.kind == "slack" and weights is not None:
        weights = plane_part(weights)
    return {
        "step_is": "update",
        "rows": [[i] for i in updates.rows.tolist()],
        "made": updates.made,
        "weights": rounded_list(weights),
        "signed": rounded_list(updates.steps),
        "row_margins": rounded_list(updates.row_margins),
        "passes": rounded_list(updates.passes),
        "features": rounded_list(playback.trace.X) if playback.frames else None,
        "frames": playback.frames,
        "live": live_view(playback.live),
    }


def playback_charts(playback: Playback, certificate: Certificate) -> dict[str, Any]:
    """The figures after every update, and what is proved of them; only planes have a best one to compare with."""
    model, updates = playback.trace.learner, playback.trace.problems[0]
    best, along = None, None
    if playback.weights is not None and certificate.verdict == "separable":
        plane = np.append(certificate.coef, certificate.intercept)
        best, along = list(certificate.margin), playback.weights @ plane / np.linalg.norm(plane)
    travelled = np.append(0.0, np.cumsum(np.abs(updates.steps)))
    of_mistakes = hasattr(model, "n_mistakes_")
    counted = updates.row_margins <= 0 if of_mistakes else np.ones(len(updates), bool)
    moved = playback.lengths
    if playback.weights is not None:
        moved = np.linalg.norm(playback.weights - playback.weights[0], axis=1)
    return {
        "bound": finite_or_none(proved_bound(playback, certificate)),
        "radius": finite_or_none(model.radius_),
        "rate": playback.trace.eta0,
        "of_mistakes": of_mistakes,
        "made": int(model.n_mistakes_) if of_mistakes else updates.made,
        "counts": rounded_list(np.append(0, np.cumsum(counted))),
        "mistakes": rounded_list(np.bincount(updates.passes - 1, minlength=model.n_iter_)),
        "margins": rounded_list(playback.margins),
        "impossible": None if len(updates.shrinks) else rounded_list(quotient(moved, travelled)),
        "best": best,
        "lengths": rounded_list(playback.lengths),
        "along": rounded_list(along),
        "loss": None,
        "wrong": rounded_list(playback.wrong),
        "live_wrong": rounded_list(playback.live_wrong),
    }


def live_view(live: dict[str, Any] | None) -> dict[str, Any] | None:
    """What is predicted with, its planes as lists."""
    return live and {**live, "planes": rounded_list(live["planes"])}


def proved_bound(playback: Playback, certificate: Certificate) -> float:
    """The most updates that there can be, as some plane is proved to have the certificate's margin.

    With a kernel the plane is the learner's own last function; a rule of second order bounds its mistakes by the
    numbers of its own run.
    """
    if playback.weights is None or len(playback.trace.problems[0].shrinks):
        return float(playback.trace.learner.mistake_bound_)
    if certificate.verdict != "separable":
        return math.inf
    start = float(np.linalg.norm(playback.trace.start)) / playback.trace.eta0
    return bound_by_theorem(playback.trace.learner, certificate.radius, certificate.margin[0], start)


def bound_by_theorem(model: Any, radius: float, margin: float, start: float = 0.0) -> float:
    """The most updates of a run of this learner on rows no longer than the radius, if a plane has the margin.

    The theorem of the learner's rule says it, of rows that all weigh 1 and of ‖w₀‖/η = ``start``.
    """
    return float(model._rule().mistake_bound(radius, margin, Facts(start=start, margin_bound=margin)))


def film_answer(seen: Film) -> dict[str, Any]:
    """What is seen after each pass; no theorem bounds it."""
    unknown = ("bound", "radius", "rate", "made", "counts", "margins", "impossible", "best", "lengths", "along")
    steps = {
        "step_is": "pass",
        "rows": seen.wrong,
        "made": len(seen.wrong),
        "frames": seen.frames,
        **dict.fromkeys(("weights", "signed", "row_margins", "passes", "features", "live")),
    }
    charts = {
        "mistakes": [len(rows) for rows in seen.wrong],
        "of_mistakes": False,
        "loss": rounded_list(seen.loss),
        **dict.fromkeys((*unknown, "wrong", "live_wrong")),
    }
    return {"audit": None, "steps": steps, "charts": charts}


def outcome(request: ExperimentRequest, seen: Film | Playback, model: Any) -> dict[str, Any]:
    """How the run ended; and how many points the last line has right, which need not be the one that is returned.

    ``clean`` is whether its last pass had no mistake, ``required`` the margin that its rule needs some plane to have,
    if it needs one, and ``refused`` whether the run proved that none has it.
    """
    right = last = int((model.predict(request.features) == request.y).sum())
    clean = False
    if isinstance(seen, Playback):
        updates = seen.trace.problems[0]
        whole = len(seen.wrong) > updates.made  # all of the run was recorded
        if seen.live_wrong is None and whole:
            last = len(request.y) - int(seen.wrong[-1])
        clean = whole and not (updates.row_margins[updates.passes == model.n_iter_] <= 0).any()
    required = model._rule().required_margin if request.learner.kind == "plane" else 0.0
    return {
        "status": str(model.status_),
        "clean": clean,
        "required": required,
        "refused": bool(required and model.margin_bound_ < required),
        "stopped_by": getattr(model, "_stopped_by", [None])[0],
        "passes": int(model.n_iter_),
        "right": right,
        "right_by_last": last,
        "points": len(request.y),
    }


def python_code(request: ExperimentRequest, model: Any) -> str:
    """The experiment as a Python program."""
    learner, bias = request.learner, "" if request.intercept else ", fit_intercept=False"
    last = "model" if learner.mapping is None else "model[-1]"
    updates = f", {last}.n_updates_" if hasattr(model, "n_updates_") else ""
    maps = [] if learner.mapping is None else [learner.mapping.__name__]
    made = f"model = {request.expression}"
    if learner.kind == "film":
        made += f"\nfor _ in range({request.params['max_iter']}):\n    model.partial_fit(X, y, classes=[0, 1])"
    else:
        made += f".fit(X, y{''.join(f', {name}={value}' for name, value in request.start.items())})"
    score = "model.score(X, y)"
    if learner.kind == "slack":  # the pipeline takes all rows for new ones, which have no feature of their own
        score = "model[-1].score(model[0].fit_transform(X, y), y)"
    return (
        f"{'from sklearn.pipeline import make_pipeline' * bool(maps)}\n\n"
        f"from novikoff import {', '.join(sorted([learner.model.__name__, 'certify', *maps]))}\n\n"
        f"X = {request.X.tolist()}\n"
        f"y = {request.y.tolist()}\n\n"
        f"{made}\n"
        f"print({last}.status_, {score}{updates})\n"
        f"print(certify(X, y{bias}).summary())  # of planes; its bound on updates is that of the perceptron\n"
    ).lstrip()


def rounded_list(values: np.ndarray | None) -> Any:
    """Numbers with few digits, as lists; None where there is none."""
    if values is None:
        return None
    if values.dtype.kind == "i":
        return values.tolist()
    with np.errstate(divide="ignore", invalid="ignore"):
        places = DIGITS - 1 - np.floor(np.log10(np.abs(np.where(values == 0, 1, values))))
    scale = 10.0 ** np.clip(places, -30, 30)
    short = (np.round(values * scale) / scale).astype(object)
    short[~np.isfinite(values)] = None
    return short.tolist()
