"""The learners of the lab with their parameters: they make the page's controls and check what comes back.

The learners are those of the registry; which parameters are offered is read off their signatures.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from inspect import signature
from typing import Any, Literal

from .. import registry
from ..learners.base import LinearLearner
from ..learners.features import SlackEmbedding, XorFeatures


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
    only: tuple[str, tuple[Any, ...]] | None = None  # shown where another parameter has one of these values

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


LARGEST_SEED = 2**31 - 1
"""Of a preset's sample, or of the order of rows."""
CONTROLS = (
    Control("margin", "number", None, lowest=1e-6, highest=1e6, optional=True),
    Control("amplitude", "number", None, lowest=1e-6, highest=1e6, optional=True),
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
    Control("random_state", "integer", 0, lowest=0, highest=LARGEST_SEED),
)
"""The parameters that the page knows, in its order; the registry may start a learner with other values."""
START = (
    Control("w1_init", "number", 0.0, lowest=-1e6, highest=1e6),
    Control("w2_init", "number", 0.0, lowest=-1e6, highest=1e6),
    Control("b_init", "number", 0.0, lowest=-1e6, highest=1e6, only=("fit_intercept", (True,))),
)
"""The weights that a plane starts from: no parameters of a learner, but ``coef_init`` and ``intercept_init`` of fit."""
FILM_PASSES = 200
"""The most passes of a learner that is filmed: each takes a look at all scores."""


@dataclass(frozen=True)
class LabLearner:
    """A learner of the library, what is seen of it, and the parameters that the page offers.

    kind : "plane"; "map", a plane among other features than the coordinates; "slack", one among features of which every
        point has one of its own; "kernel"; or "film", of a learner that has no updates to be recorded, so that it is
        watched pass by pass
    audit : whose inequalities hold of its runs, as in the registry
    pictured : whether the server draws what it predicts with as pictures of scores, so that an answer is of one view
    mapping : what makes the features of the points, where they are not the coordinates
    """

    model: Any
    controls: tuple[Control, ...]
    kind: Literal["plane", "map", "slack", "kernel", "film"]
    audit: str | None
    mapping: Any = None

    @property
    def pictured(self) -> bool:
        votes = "max_voters" in signature(self.model).parameters
        return votes or self.kind in ("map", "kernel", "film")

    def make(self, params: dict[str, Any]) -> Any:
        """The learner, not yet fitted."""
        return self.model(**self.given(self.model, params))

    def make_mapping(self, params: dict[str, Any]) -> Any:
        """What makes its features, not yet fitted; None where it learns on the coordinates."""
        return None if self.mapping is None else self.mapping(**self.given(self.mapping, params))

    @staticmethod
    def given(model: Any, params: dict[str, Any]) -> dict[str, Any]:
        """The parameters of this model that are not left to it."""
        own = signature(model).parameters
        return {name: value for name, value in params.items() if name in own and value is not None}

    def start(self, params: dict[str, Any]) -> dict[str, Any]:
        """The weights to start from, as ``fit`` and ``record`` take them; nothing where they are zero."""
        w1, w2, b = (params.get(control.name, 0.0) for control in START)
        given = {"coef_init": [w1, w2] if w1 or w2 else None}
        given["intercept_init"] = [b] if b and params.get("fit_intercept", True) else None
        return {name: value for name, value in given.items() if value is not None}

    def expression(self, params: dict[str, Any]) -> str:
        """The learner in Python, with the parameters that differ from the library's own defaults."""
        call = self.call(self.model, params)
        return call if self.mapping is None else f"make_pipeline({self.call(self.mapping, params)}, {call})"

    def call(self, model: Any, params: dict[str, Any]) -> str:
        """A model in Python."""
        own = signature(model).parameters
        given = self.given(model, params).items()
        return f"{model.__name__}({', '.join(f'{k}={v!r}' for k, v in given if v != own[k].default)})"

    def check_params(self, params: Any) -> dict[str, Any]:
        """All parameters, those not given by default."""
        if not isinstance(params, Mapping):
            raise Refusal("form", "params must be an object of names and values.")
        known = {control.name: control for control in self.controls}
        for name in params:
            if name not in known:
                raise Refusal("parameter", f"There is no parameter {name}.", name=str(name)[:40], allowed="")
        return {name: control.check(params.get(name, control.default)) for name, control in known.items()}

    def defaults(self) -> dict[str, Any]:
        """The parameters that a run has if it is not told otherwise."""
        return {control.name: control.default for control in self.controls}

    def used(self, params: dict[str, Any]) -> list[str]:
        """The names of the parameters that have a value and that the others leave in use."""
        only = {control.name: control.only for control in self.controls if control.only}
        used = [name for name in params if name not in only or params.get(only[name][0]) in only[name][1]]
        return [name for name in used if params[name] is not None]


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
    starts = START if kind == "plane" else ()
    return LabLearner(model, (*controls, *starts), kind, entry.audit)


def with_mapping(learner: LabLearner, kind: Any, mapping: Any) -> LabLearner:
    """A learner of planes on other features, whose parameters come first; its weights start from zero."""
    own = [control for control in CONTROLS if control.name in signature(mapping).parameters]
    kept = [control for control in learner.controls if control not in START]
    if kind == "slack":  # the embedding is of rows with a bias
        kept = [control for control in kept if control.name != "fit_intercept"]
    return replace(learner, kind=kind, mapping=mapping, controls=(*own, *kept))


def lab_learners() -> dict[str, LabLearner]:
    """The learners by short name: planes, the perceptron on the two maps of the notes, and the others."""
    learners = {entry.short_name: lab_learner(entry) for entry in registry.LEARNERS if entry.lab is not None}
    planes = {name: learner for name, learner in learners.items() if learner.kind == "plane"}
    maps = {
        "xor-features": with_mapping(planes["perceptron"], "map", XorFeatures),
        "slack": with_mapping(planes["perceptron"], "slack", SlackEmbedding),
    }
    return {**planes, **maps, **learners}


LEARNERS = lab_learners()


def learner_called(name: Any) -> LabLearner:
    """The learner of a short name, or of one of an earlier version."""
    learner = (LEARNERS.get(name) or LEARNERS.get(registry.short_name_of(name))) if isinstance(name, str) else None
    if learner is not None:
        return learner
    raise Refusal("learner", f"There is no such learner; choose one of {', '.join(LEARNERS)}.")


def former_names() -> dict[str, str]:
    """Names of earlier versions, which addresses may still have, with those of today."""
    return {name: entry.short_name for entry in registry.LEARNERS for name in entry.former_names}


def table() -> dict[str, Any]:
    """The learners with their controls, for the page."""
    return {
        name: {
            "kind": learner.kind,
            "audit": learner.audit,
            "pictured": learner.pictured,
            "controls": [asdict(control) for control in learner.controls],
        }
        for name, learner in LEARNERS.items()
    }
