"""The one table of learners and their parameters: it makes the page's controls and checks what comes back."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from inspect import signature
from typing import Any, Literal

import novikoff


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

    def checked(self, value: Any) -> Any:
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


@dataclass(frozen=True)
class Learner:
    """A learner of the library, and the parameters that the page offers."""

    model: Any
    controls: tuple[Control, ...]
    kind: Literal["plane", "map", "kernel", "layers"] = "plane"

    def made(self, params: dict[str, Any]) -> Any:
        """The learner, not yet fitted."""
        return self.model(**set_(params))

    def expression(self, params: dict[str, Any]) -> str:
        """The learner in Python, with the parameters that differ from the library's own defaults."""
        own = {name: p.default for name, p in signature(self.model).parameters.items()}
        given = ", ".join(f"{name}={value!r}" for name, value in set_(params).items() if value != own[name])
        made = f"{self.model.__name__}({given})"
        return f"make_pipeline(XorFeatures(), {made})" if self.kind == "map" else made

    def checked(self, params: Any) -> dict[str, Any]:
        """All parameters, those not given by default."""
        if not isinstance(params, Mapping):
            raise Refusal("form", "params must be an object of names and values.")
        known = {control.name: control for control in self.controls}
        for name in params:
            if name not in known:
                raise Refusal("parameter", f"There is no parameter {name}.", name=str(name)[:40], allowed="")
        return {name: control.checked(params.get(name, control.default)) for name, control in known.items()}


def set_(params: dict[str, Any]) -> dict[str, Any]:
    """Those that are not left to the learner."""
    return {name: value for name, value in params.items() if value is not None}


ETA = Control("eta0", "number", 1.0, lowest=0.001, highest=1000)
ORDER = Control("order", "choice", "cyclic", ("cyclic", "shuffled", "active"))
BIAS = Control("fit_intercept", "switch", True)
SEED = Control("random_state", "integer", 0, lowest=0, highest=2**31 - 1)
MARGIN = Control("margin", "number", None, lowest=1e-6, highest=1e6, optional=True)


def passes(default: int) -> Control:
    """The most passes."""
    return Control("max_iter", "integer", default, lowest=1, highest=1000)


PLAIN = (ETA, ORDER, passes(200), BIAS, SEED)

LEARNERS = {
    "perceptron": Learner(novikoff.Perceptron, PLAIN),
    "margin": Learner(novikoff.MarginPerceptron, (MARGIN, *PLAIN)),
    "pocket": Learner(novikoff.PocketPerceptron, (ETA, ORDER, passes(50), BIAS, SEED)),
    "averaged": Learner(novikoff.AveragedPerceptron, (ETA, ORDER, passes(10), BIAS, SEED)),
    "voted": Learner(novikoff.VotedPerceptron, (ETA, ORDER, passes(10), BIAS, SEED)),
    "passive-aggressive": Learner(
        novikoff.PassiveAggressiveClassifier,
        (
            Control("step", "choice", "capped", ("full", "capped", "damped")),
            Control("C", "number", 1.0, lowest=1e-4, highest=1e4, only=("step", ("capped", "damped"))),
            ORDER,
            passes(50),
            Control("average", "switch", False),
            BIAS,
            SEED,
        ),
    ),
    "xor-features": Learner(novikoff.Perceptron, PLAIN, "map"),
    "kernel": Learner(
        novikoff.KernelPerceptron,
        (
            Control("kernel", "choice", "rbf", ("rbf", "poly")),
            Control("gamma", "number", None, lowest=1e-3, highest=1e3, optional=True),
            Control("degree", "integer", 2, lowest=1, highest=6, only=("kernel", ("poly",))),
            Control("coef0", "number", 1.0, lowest=0, highest=100, only=("kernel", ("poly",))),
            ETA,
            ORDER,
            passes(50),
            SEED,
        ),
        "kernel",
    ),
    "layers": Learner(
        novikoff.MultilayerPerceptron,
        (
            Control("hidden", "integer", 8, lowest=1, highest=64),
            Control("activation", "choice", "tanh", ("tanh", "relu", "logistic")),
            Control("learning_rate_init", "number", 0.05, lowest=1e-4, highest=1),
            Control("max_iter", "integer", 60, lowest=1, highest=200),
            SEED,
        ),
        "layers",
    ),
}


def table() -> dict[str, Any]:
    """The controls of every learner, for the page."""
    return {
        name: {"kind": learner.kind, "controls": [asdict(control) for control in learner.controls]}
        for name, learner in LEARNERS.items()
    }
