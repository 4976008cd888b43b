"""One experiment: points, a learner and its parameters in; the whole run, what bounds it and the proof out."""

import math
import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from .. import Certificate, audit, bounds
from ..errors import finite_or_none
from ..learners.margin import PARTS
from ..theory.audit import PLAIN
from .certificate_view import certified, shown
from .playback import Story, told
from .request import Order, order_of

DIGITS = 7
"""Significant digits that are sent."""


def run(request: Any) -> dict[str, Any]:
    """Learn, bound and prove; the answer is what the page draws."""
    order = order_of(request)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the status says it
        story = told(order)
    proof = own = certified(order.X, order.y, order.intercept)
    if order.learner.kind == "map" and story.features is not None:
        own = certified(story.features, order.y, order.intercept)
    return {
        "steps": steps(story),
        "charts": charts(order, story, own),
        "outcome": outcome(order, story),
        "proof": shown(order, proof),
        "audit": audited(story, own),
        "code": code(order),
    }


def steps(story: Story) -> dict[str, Any]:
    """What each step did."""
    one = story.updates
    return {
        "unit": story.unit,
        "rows": story.rows,
        "made": story.made,
        "weights": sent(story.weights),
        "signed": None if one is None else sent(one.steps),
        "leads": None if one is None else sent(one.leads),
        "passes": None if one is None else sent(one.passes),
        "features": sent(story.features) if story.frames else None,
        "frames": story.frames,
        "result": story.result,
    }


def outcome(order: Order, story: Story) -> dict[str, Any]:
    """How the run ended."""
    model = story.model
    features = order.X if story.features is None else story.features
    return {
        "status": str(model.status_),
        "passes": int(model.n_iter_),
        "right": int((model.predict(features) == order.y).sum()),
        "points": len(order.y),
    }


def charts(order: Order, story: Story, found: Certificate) -> dict[str, Any]:
    """The figures of every step, and what is proved of them; only planes have a best one to be compared with."""
    planar = story.weights is not None and found.verdict == "separable"
    best = np.append(found.coef, found.intercept) if planar else None
    along = None if best is None else story.weights @ best / np.linalg.norm(best)
    return {
        "counts": sent(story.counts),
        "bound": finite_or_none(bound(order, story, found)),
        "of_mistakes": hasattr(story.model, "n_mistakes_"),
        "mistakes": sent(story.mistakes),
        "margins": sent(story.margins),
        "impossible": sent(story.impossible),
        "best": list(found.margin) if planar else None,
        "lengths": sent(story.lengths),
        "travelled": sent(story.travelled),
        "along": sent(along),
        "radius": finite_or_none(getattr(story.model, "radius_", math.nan)),
        "loss": sent(story.loss),
    }


def bound(order: Order, story: Story, found: Certificate) -> float:
    """The most updates that there can be, as the margin of some plane is proved to be at least found.margin[0]."""
    radius, lowest = found.radius, found.margin[0]
    name, params = type(story.model).__name__, order.params
    if story.weights is None:
        return float(getattr(story.model, "mistake_bound_", math.inf))
    if found.verdict != "separable":
        return math.inf
    if name == "PassiveAggressiveClassifier":
        return bounds.passive_aggressive(radius, lowest, params["C"], params["step"])
    if name == "MarginPerceptron" and params["margin"] is None:
        return bounds.growing_margin(radius, lowest, PARTS)
    if name == "MarginPerceptron":
        return bounds.margin_perceptron(radius, params["margin"]) if params["margin"] <= lowest else math.inf
    return bounds.novikoff(radius, lowest)


def audited(story: Story, found: Certificate) -> list[dict[str, Any]] | None:
    """The chain of inequalities that the notes have for this run, with its numbers; None where they have none.

    A plane's run is measured along the best plane, a kernel's along its own last function.
    """
    name = type(story.model).__name__
    if story.trace is None or name not in (*PLAIN, "MarginPerceptron"):
        return None
    if story.weights is None and not story.trace.cut:
        chains = audit(story.trace).chains
    elif story.weights is not None and found.verdict == "separable":
        chains = audit(story.trace, np.append(found.coef, found.intercept)).chains
    else:
        return None
    return [
        {"relation": line.relation, "term": line.term, "value": line.value, "holds": line.holds}
        for chain in chains[:1]
        for line in main_lines(chain.lines)
    ]


def main_lines(lines: Any) -> list[Any]:
    """The first run of a chain, and the one on M, the number of updates."""
    runs: list[list[Any]] = []
    for line in lines:
        if line.relation:
            runs[-1].append(line)
        else:
            runs.append([line])
    return [line for k, one in enumerate(runs) if k == 0 or one[0].term == "M" for line in one]


def code(order: Order) -> str:
    """The same experiment in Python."""
    learner, bias = order.learner, "" if order.intercept else ", fit_intercept=False"
    names = {learner.model.__name__, "certify", *(["XorFeatures"] if learner.kind == "map" else [])}
    made = f"model = {learner.expression(order.params)}"
    if learner.kind == "layers":
        made += f"\nfor _ in range({order.params['max_iter']}):\n    model.partial_fit(X, y, classes=[0, 1])"
    else:
        made += ".fit(X, y)"
    return (
        f"{'from sklearn.pipeline import make_pipeline' * (learner.kind == 'map')}\n\n"
        f"from novikoff import {', '.join(sorted(names))}\n\n"
        f"X = {order.X.tolist()}\n"
        f"y = {order.y.tolist()}\n\n"
        f"{made}\n"
        f"print({'model[-1]' if learner.kind == 'map' else 'model'}.status_, model.score(X, y))\n"
        f"print(certify(X, y{bias}).summary())\n"
    ).lstrip()


def sent(values: np.ndarray | None) -> Any:
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
