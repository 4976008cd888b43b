"""An experiment as one file: the page's own modules and the recorded run inside, to be opened without a server.

The modules are one script; the page's policy names it and the style sheet by their hashes, so that nothing else can
run.
"""

import base64
import hashlib
import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from .. import registry
from ..errors import InputError
from ..theory.trace import ARRAYS, Trace
from .bundle import bundle, read_static
from .certificate_view import certify_spaces
from .controls import LEARNERS, START, Refusal, learner_called
from .experiment import STEPS, answer_of, run
from .lanes import Ticket
from .link import LANGUAGES, Link, read_link, refuse_without_run
from .playback import play
from .request import ExperimentRequest, check_view

ENTRY = "recorded.js"
"""The module that shows a recorded run."""
PLACE = re.compile(r"\{(policy|language|style|data|script)\}")


def policy_hash(text: str) -> str:
    """How a policy names a script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def recorded_page(link: Link, answer: dict[str, Any]) -> str:
    """The page of an experiment with its answer."""
    name = registry.short_name_of(link.body.get("learner", "perceptron"))
    learner = learner_called(name)
    params = learner.defaults() | link.body.get("params", {})
    recording = {
        "request": {**link.body, "learner": name, "params": params, "kind": learner.kind, "audit": learner.audit},
        "listed": learner.used(params),
        "answer": answer,
        "language": link.language,
        "step": link.step,
        "axes": link.axes,
        "texts": {language: json.loads(read_static(f"texts/{language}.json")) for language in LANGUAGES},
    }
    # In a data block nothing is run; "<" is written so that it cannot end the block.
    data = json.dumps(recording, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    script, style = bundle(ENTRY), read_static("style.css")
    policy = (
        f"default-src 'none'; script-src {policy_hash(script)}; style-src {policy_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {"policy": policy, "language": link.language, "style": style, "data": data, "script": script}
    return PLACE.sub(lambda place: parts[place[1]], read_static("recorded.html"))


def page_of_link(text: str) -> str:
    """The page of a link, or of the part after its #."""
    refuse_without_run(text)
    link = read_link(text)
    return recorded_page(link, run(link.body))


def page_of_trace(trace: Trace, language: str = "en") -> str:
    """The page of a run that was recorded elsewhere: of two classes, on two columns."""
    request = request_of_trace(trace)
    updates = trace.problems[0]
    some = {name: getattr(updates, name)[:STEPS] for name in ARRAYS}
    shown = replace(trace, y=request.y, problems=(replace(updates, **some),))
    points = [[*row, label] for row, label in zip(request.X.tolist(), request.y.tolist(), strict=True)]
    name = str(registry.by_class_name(trace.name).short_name)  # type: ignore[union-attr]
    link = Link({"points": points, "learner": name, "params": request.params}, language, 0, [])
    return recorded_page(
        link, answer_of(request, play(request, shown), trace.learner, *certify_spaces(request, trace.learner))
    )


def request_of_trace(trace: Trace) -> ExperimentRequest:
    """What was asked for to make the run, if the lab can ask for it."""
    entry = registry.by_class_name(trace.name)
    if entry is None or trace.learner is None:
        raise InputError("Only a run of a learner of this library is shown, as record returns it: record it again.")
    if len(trace.classes) != 2 or sp.issparse(trace.X) or trace.X.shape[1] != 2:
        raise InputError("Only runs on two classes and two columns of numbers can be shown on a plane.")
    learner = LEARNERS[entry.short_name]
    if learner.audit and not np.allclose(np.abs(trace.problems[0].steps), trace.eta0):
        raise InputError("Only runs whose rows all weigh 1 can be shown: record it without weights.")
    params = {control.name: trace.parameters.get(control.name) for control in learner.controls}
    if learner.kind == "plane":
        params |= dict(zip((control.name for control in START), trace.start_of().tolist(), strict=True))
    X, y = np.asarray(trace.X, dtype=np.float64), (trace.y == trace.classes[1]).astype(int)
    intercept = bool(trace.bias)
    return ExperimentRequest(
        X,
        y,
        check_view(None, X),
        learner,
        params,
        features=X,
        expression=learner.expression(params),
        model=trace.learner,
        intercept=intercept,
        start=learner.start(params),
    )


def page_of_request(body: Any, ticket: Ticket) -> dict[str, str]:
    """The same for the page's own export: a request, and how it is looked at."""
    looked = body.get("looked") if isinstance(body, dict) else None
    if not isinstance(looked, dict):
        raise Refusal("form", "A request for a page has the experiment, and how it is looked at.")
    request = {name: value for name, value in body.items() if name != "looked"}
    answer = run(request, ticket)
    step, axes = looked.get("step"), looked.get("axes")
    axes = [str(name)[:40] for name in axes[:2]] if isinstance(axes, list) else []
    language = "zh" if looked.get("language") == "zh" else "en"
    link = Link(request, language, step if type(step) is int else None, axes)
    return {"html": recorded_page(link, answer)}
