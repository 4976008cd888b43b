"""The result of ``novikoff fit``, typed: the terminal, the report, the JSON output and the model file read it."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.pipeline import Pipeline

from ..errors import finite_or_none
from ..learners.base import LinearLearner
from .decision import SeparationDecision
from .labelled_rows import DataSummary
from .measures import Quality
from .model_choice import Choice
from .yardsticks import Yardstick

MOST_WEIGHTS = 10
"""Features of a class that are named."""


@dataclass(frozen=True)
class ModelSummary:
    """The model: its short name, its class, why it was taken, and the settings that are not its defaults."""

    name: str
    class_name: str
    reason: str
    settings: dict[str, Any]


@dataclass(frozen=True)
class ProblemSummary:
    """How one problem of two classes ended, and what the theory says of it; None where it says nothing."""

    classes: list[str]
    status: str | None
    stopped_by: str | None  # of the status "stopped": "stalled", "limit" or "early"
    updates: int | None
    mistakes: int | None  # where it is these that the bound is of, not the updates
    mistake_bound: float | None
    margin: float | None
    margin_bound: float | None
    certificate: str | None

    @property
    def bounded(self) -> int | None:
        """What the bound is of: the mistakes, or else the updates."""
        return self.updates if self.mistakes is None else self.mistakes


@dataclass(frozen=True)
class RunSummary:
    """How the problems of a run ended."""

    passes: int | None
    radius: float | None
    problems: list[ProblemSummary]


@dataclass(frozen=True)
class LearningSummary(RunSummary):
    """How the problems of the model's run ended, and the mistakes on the way."""

    mistakes_by_pass: list[int]


class FeatureWeight(NamedTuple):
    """A feature and its weight."""

    feature: str
    weight: float


@dataclass(frozen=True)
class FitResult:
    """All that a fit tells."""

    data: DataSummary
    notes: list[str]
    model: ModelSummary
    learned: LearningSummary
    separation: SeparationDecision | None  # do the classes separate?
    choice: Choice | None  # how the model was chosen, if it was
    quality: Quality
    yardsticks: list[Yardstick]  # what other models reach on the same rows
    weights: dict[str, list[FeatureWeight]]  # {class: the weightiest features}; of two classes the second's
    seconds: dict[str, float]  # {stage: how long it took}
    files: dict[str, str] = field(default_factory=dict)  # {what was written: its path}

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON has it."""
        model = {"class" if key == "class_name" else key: value for key, value in asdict(self.model).items()}
        decision = self.separation.to_dict() if self.separation else None
        return asdict(self) | {"model": model, "quality": self.quality.to_dict(), "separation": decision}


def describe_model(name: str, reason: str, learner: Any) -> ModelSummary:
    """A learner, with its settings as JSON can hold them."""
    settings, defaults = clone(learner).get_params(), type(learner)().get_params()
    changed = {key: value for key, value in settings.items() if value != defaults[key]}
    plain = {
        key: value if isinstance(value, str | int | float | None) else str(value) for key, value in changed.items()
    }
    return ModelSummary(name, type(learner).__name__, reason, plain)


def describe_learning(learner: Any, mistakes: list[list[int]]) -> LearningSummary:
    """What the theory says of each problem of the model's run; and its mistakes in every pass, over all groups."""
    run = describe_run(learner)
    passes = range(max(map(len, mistakes), default=0))
    mistakes_by_pass = [sum(group[i] for group in mistakes if i < len(group)) for i in passes]
    return LearningSummary(run.passes, run.radius, run.problems, mistakes_by_pass)


def describe_run(learner: Any) -> RunSummary:
    """What the theory says of each problem of a run: its status, updates against bound, margin, and certificate."""
    count = np.atleast_1d(learner.status_).size
    certificates = getattr(learner, "certificate_", None)
    certificates = certificates if isinstance(certificates, list) else [certificates] * count
    stopped_by = getattr(learner, "_stopped_by", [None] * count)
    names = [str(label) for label in learner.classes_]
    problems = [
        ProblemSummary(
            classes=classes_of_problem(names, c, count),
            status=finding(learner, "status_", c),
            stopped_by=stopped_by[c],
            updates=finding(learner, "n_updates_", c),
            mistakes=finding(learner, "n_mistakes_", c),
            mistake_bound=finding(learner, "mistake_bound_", c),
            margin=finding(learner, "margin_", c),
            margin_bound=finding(learner, "margin_bound_", c),
            certificate=None if certificates[c] is None else certificates[c].summary(),
        )
        for c in range(count)
    ]
    passes, radius = (finite_or_none(getattr(learner, name, None)) for name in ("n_iter_", "radius_"))
    return RunSummary(passes, radius, problems)


def classes_of_problem(names: list[str], c: int, count: int) -> list[str]:
    """The classes that problem c of so many tells apart: two, one from the rest, or all."""
    if count > 1:
        return [names[c]]
    return [names[1], names[0]] if len(names) == 2 else ["all"]


def finding(learner: Any, attribute: str, c: int) -> Any:
    """What a learnt attribute says of problem c; None if nothing, or nothing finite."""
    values = np.atleast_1d(np.asarray(getattr(learner, attribute, None)))
    return finite_or_none(values[c]) if c < len(values) else None


def decides_by_plane(learner: Any) -> bool:
    """Whether the scores of a learner are w·x + b, with its ``coef_`` and ``intercept_``."""
    return getattr(type(learner), "decision_function", None) is LinearLearner.decision_function


def weightiest_features(pipeline: Pipeline, sample: Any = None) -> dict[str, list[FeatureWeight]]:
    """The weightiest features of every class by name; of two classes those of the second.

    Hashed words are called by a word of the sample.
    """
    learner = pipeline[-1]
    if not decides_by_plane(learner):
        return {}
    names = feature_names(pipeline[0], learner.coef_.shape[1], sample)
    classes = [str(label) for label in learner.classes_]
    weightiest = {}
    for name, w in zip(classes[1:] if len(learner.coef_) == 1 else classes, learner.coef_, strict=True):
        largest = np.argsort(-np.abs(w), kind="stable")[:MOST_WEIGHTS]
        weightiest[name] = [FeatureWeight(names[j], float(w[j])) for j in largest if w[j]]
    return weightiest


def feature_names(prepare: Any, width: int, sample: Any = None) -> list[str]:
    """What the weights of a learner are called: "age", "colour = red", "message: win"."""
    if not isinstance(prepare, ColumnTransformer):
        return [f"feature {j + 1}" for j in range(width)]
    names: list[str] = []
    for label, step, columns in prepare.transformers_:
        if label == "category":
            encoded = zip(columns, step.categories_, strict=True)
            names += [f"{column} = {value or '(missing)'}" for column, values in encoded for value in values]
        elif isinstance(step, HashingVectorizer):
            names += [f"{columns}: {word}" for word in hashed_words(step, sample[columns])]
        elif label.startswith("text "):
            names += [f"{columns}: {word}" for word in step.get_feature_names_out()]
        elif label == "number":
            names += list(columns)
    return names


def hashed_words(step: HashingVectorizer, texts: Iterable[str]) -> list[str]:
    """For every hash a word of the texts that has it, or its number."""
    split = step.build_analyzer()
    words = sorted({word for text in texts for word in split(text)})
    hashes = step.transform(words).tocoo()
    names = [f"hash {k}" for k in range(step.n_features)]
    for row, k in zip(hashes.row.tolist(), hashes.col.tolist(), strict=True):
        names[k] = words[row]
    return names
