"""The learners of the lab with their parameters: they make the page's controls and check what comes back.

The learners are those of the registry; which parameters are offered is read off their signatures.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from inspect import signature
from typing import Any, Literal

import numpy as np

from .. import registry
from ..learners.base import LinearLearner
from ..learners.features import XorFeatures


class Refusal(ValueError):  # noqa: N818
    """What a request asks for is not done; the page has the sentence under ``code``, with these values."""

    def __init__(self, code: str, sentence: str, **values: Any) -> None:
        super().__init__(sentence)
        self.code, self.values = code, values


@dataclass(frozen=True)
class Control:
    """A parameter: a choice, a number, a switch, or a number that may be left to the learner (``None``)."""

    name: str
    kind: Literal["choice", "integer", "number", "switch"]
    default: Any
    choices: tuple[str, ...] = ()
    lowest: float = 0.0
    highest: float = 0.0
    optional: bool = False
    only: tuple[str, tuple[str, ...]] | None = None  # shown where another parameter has one of these values

    def check(self, value: Any) -> Any:
        """The value, if it is one; else a refusal that says what is allowed."""
        if self.kind == "choice":
            good = value in self.choices
            allowed = ", ".join(self.choices)
        elif self.kind == "switch":
            good, allowed = isinstance(value, bool), "true, false"
        elif value is None and self.optional:
            good, allowed = True, ""
        else:
            good = isinstance(value, int | float if self.kind == "number" else int) and not isinstance(value, bool)
            good = good and self.lowest <= value <= self.highest
            allowed = f"{self.lowest:g} … {self.highest:g}"
        if not good:
            raise Refusal("parameter", f"{self.name} must be {allowed}.", name=self.name, allowed=allowed)
        return value


CONTROLS = (
    Control("margin", "number", None, lowest=1e-6, highest=1e6, optional=True),
    Control("step", "choice", "capped", ("full", "capped", "damped")),
    Control("C", "number", 1.0, lowest=1e-4, highest=1e4, only=("step", ("capped", "damped"))),
    Control("r", "number", 1.0, lowest=1e-4, highest=1e4),
    Control("confidence", "number", 0.9, lowest=0.51, highest=0.99),
    Control("kernel", "choice", "rbf", ("rbf", "poly")),
    Control("gamma", "number", None, lowest=1e-3, highest=1e3, optional=True),
    Control("degree", "integer", 2, lowest=1, highest=6, only=("kernel", ("poly",))),
    Control("coef0", "number", 1.0, lowest=0, highest=100, only=("kernel", ("poly",))),
    Control("hidden", "integer", 8, lowest=1, highest=64),
    Control("activation", "choice", "tanh", ("tanh", "relu", "logistic")),
    Control("learning_rate_init", "number", 0.05, lowest=1e-4, highest=1),
    Control("eta0", "number", 1.0, lowest=0.001, highest=1000),
    Control("order", "choice", "cyclic", ("cyclic", "shuffled", "active")),
    Control("max_iter", "integer", 50, lowest=1, highest=1000),
    Control("average", "switch", True),
    Control("refine", "switch", False),
    Control("fit_intercept", "switch", True),
    Control("random_state", "integer", 0, lowest=0, highest=2**31 - 1),
)
"""The parameters that the page knows, in its order; the registry may start a learner with other values."""
FILM_PASSES = 200
"""The most passes of a learner that is filmed: each takes a look at all scores."""


@dataclass(frozen=True)
class LabLearner:
    """A learner of the library, what is seen of it, and the parameters that the page offers.

    kind : "plane"; "map", a plane among other features than the coordinates; "kernel"; or "film", of a learner that
        has no updates to be recorded, so that it is watched pass by pass
    audit : whose inequalities hold of its runs, as in the registry
    """

    model: Any
    controls: tuple[Control, ...]
    kind: Literal["plane", "map", "kernel", "film"]
    audit: str | None

    def make(self, params: dict[str, Any]) -> Any:
        """The learner, not yet fitted."""
        return self.model(**without_none(params))

    def features(self, points: np.ndarray, X: np.ndarray) -> np.ndarray:
        """X as the learner sees it, of which the points are given."""
        return XorFeatures().fit(points).transform(X) if self.kind == "map" else X

    def expression(self, params: dict[str, Any]) -> str:
        """The learner in Python, with the parameters that differ from the library's own defaults."""
        own = {name: p.default for name, p in signature(self.model).parameters.items()}
        given = ", ".join(f"{name}={value!r}" for name, value in without_none(params).items() if value != own[name])
        call = f"{self.model.__name__}({given})"
        return f"make_pipeline(XorFeatures(), {call})" if self.kind == "map" else call

    def check_params(self, params: Any) -> dict[str, Any]:
        """All parameters, those not given by default."""
        if not isinstance(params, Mapping):
            raise Refusal("form", "params must be an object of names and values.")
        known = {control.name: control for control in self.controls}
        for name in params:
            if name not in known:
                raise Refusal("parameter", f"There is no parameter {name}.", name=str(name)[:40], allowed="")
        return {name: control.check(params.get(name, control.default)) for name, control in known.items()}


def without_none(params: dict[str, Any]) -> dict[str, Any]:
    """Those that are not left to the learner."""
    return {name: value for name, value in params.items() if value is not None}


def lab_learner(entry: registry.LearnerEntry) -> LabLearner:
    """What the lab makes of a learner of the registry."""
    model = registry.load_class(entry.module, entry.name)
    parameters = signature(model).parameters
    kind: Any = "plane" if issubclass(model, LinearLearner) else "kernel" if "kernel" in parameters else "film"
    own = dict(entry.lab or {})
    controls = []
    for control in CONTROLS:
        name = control.name
        if name not in parameters or (control.kind == "switch" and not parameters[name].default):
            continue  # what is off in the library stays off
        only = control.only if control.only and control.only[0] in parameters else None
        highest = FILM_PASSES if name == "max_iter" and kind == "film" else control.highest
        controls.append(replace(control, default=own.get(name, control.default), highest=highest, only=only))
    return LabLearner(model, tuple(controls), kind, entry.audit)


def lab_learners() -> dict[str, LabLearner]:
    """The learners by short name: planes, the map that XOR needs, which is the lab's own, and the others."""
    learners = {entry.short_name: lab_learner(entry) for entry in registry.LEARNERS if entry.lab is not None}
    planes = {name: learner for name, learner in learners.items() if learner.kind == "plane"}
    return {**planes, "xor-features": replace(planes["perceptron"], kind="map"), **learners}


LEARNERS = lab_learners()
FORMER_NAMES = {name: entry.short_name for entry in registry.LEARNERS for name in entry.former_names}
"""Names of earlier versions, which addresses may still have."""


def learner_called(name: Any) -> LabLearner:
    """The learner of a short name, or of one of an earlier version."""
    if isinstance(name, str) and FORMER_NAMES.get(name, name) in LEARNERS:
        return LEARNERS[FORMER_NAMES.get(name, name)]
    raise Refusal("learner", f"There is no such learner; choose one of {', '.join(LEARNERS)}.")


def table() -> dict[str, Any]:
    """The learners with their controls, for the page."""
    return {
        name: {
            "kind": learner.kind,
            "audit": learner.audit,
            "controls": [asdict(control) for control in learner.controls],
        }
        for name, learner in LEARNERS.items()
    }
