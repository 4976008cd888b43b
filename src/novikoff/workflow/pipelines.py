"""From the columns of a file to a learner: scikit-learn's pipeline, and which learner by default."""

import warnings
from ast import literal_eval
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import HashingVectorizer, TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MaxAbsScaler, OneHotEncoder, StandardScaler

import novikoff

from ..data.frames import Columns
from ..errors import InputError
from ..learners.base import LinearLearner

MODELS = {
    "perceptron": "Perceptron",
    "margin": "MarginPerceptron",
    "pocket": "PocketPerceptron",
    "averaged": "AveragedPerceptron",
    "voted": "VotedPerceptron",
    "pa": "PassiveAggressiveClassifier",
    "kernel": "KernelPerceptron",
    "mlp": "MultilayerPerceptron",
}
"""What the command calls the learners."""
MOST_SCOUTED = 2 * 10**7
"""Numbers times classes up to which it is looked first whether the rows separate, which takes seconds at most."""
SCOUTED_PASSES = 200


def available() -> list[str]:
    """The models that this version has."""
    return [name for name, public in MODELS.items() if public in novikoff.__all__]


def learner(name: str, settings: Iterable[str] = ()) -> Any:
    """The learner of that name with settings "key=value"."""
    if name not in available():
        raise InputError(f"There is no model {name!r}{close_to(name, available())}; choose {', '.join(available())}.")
    return configured(getattr(novikoff, MODELS[name])(), settings)


def configured(model: Any, settings: Iterable[str]) -> Any:
    """A learner with settings "key=value"."""
    known = model.get_params()
    for setting in settings:
        key, sign, value = setting.partition("=")
        if not sign:
            raise InputError(f"--set {setting!r} must be key=value, for example --set max_iter=100.")
        if key not in known:
            names = ", ".join(known)
            raise InputError(f"{type(model).__name__} has no setting {key!r}{close_to(key, known)}; it has {names}.")
        model.set_params(**{key: meant(value)})
    return model


def meant(text: str) -> Any:
    """The number, truth value, None or dict that a text stands for, or the text."""
    try:
        return literal_eval({"true": "True", "false": "False", "none": "None"}.get(text.lower(), text))
    except (ValueError, SyntaxError):
        return text


def close_to(name: str, names: Iterable[str]) -> str:
    """Did you mean …?"""
    close = get_close_matches(name, list(names), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def decides_by_plane(model: Any) -> bool:
    """Whether the scores of a learner are w·x + b, with its ``coef_`` and ``intercept_``."""
    return getattr(type(model), "decision_function", None) is LinearLearner.decision_function


def preparation(columns: Columns | None, impute: bool, streaming: bool = False) -> Any:
    """Numbers scaled, categories one-hot, free text by TF-IDF; a sparse matrix scaled without losing its zeros.

    Streaming, steps must learn row by row: words are hashed, and the mean, which is 0 once scaled, is filled in.
    """
    if columns is None:
        return MaxAbsScaler()
    number = StandardScaler()
    if impute and streaming:
        number = make_pipeline(StandardScaler(), SimpleImputer(strategy="constant", fill_value=0.0))
    elif impute:
        number = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    words = HashingVectorizer(alternate_sign=False) if streaming else TfidfVectorizer(sublinear_tf=True)
    steps: list[tuple[str, Any, Any]] = []
    if columns.of("number"):
        steps.append(("number", number, columns.of("number")))
    if columns.of("category"):
        steps.append(("category", OneHotEncoder(handle_unknown="ignore"), columns.of("category")))
    steps += [(f"text {name}", clone(words), name) for name in columns.of("text")]
    return ColumnTransformer(steps)


def pipeline(prepare: Any, model: Any) -> Pipeline:
    """The steps of the model that is saved."""
    return Pipeline([("prepare", prepare), ("learn", model)])


def feature_names(prepare: Any, width: int, sample: Any = None) -> list[str]:
    """What the weights of a learner are called: "age", "colour = red", "message: win"."""
    if not isinstance(prepare, ColumnTransformer):
        return [f"feature {j + 1}" for j in range(width)]
    names: list[str] = []
    for label, step, columns in prepare.transformers_:
        if label == "category":
            found = zip(columns, step.categories_, strict=True)
            names += [f"{column} = {value or '(missing)'}" for column, values in found for value in values]
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
    found = step.transform(words).tocoo()
    names = [f"hash {k}" for k in range(step.n_features)]
    for row, k in zip(found.row.tolist(), found.col.tolist(), strict=True):
        names[k] = words[row]
    return names


@dataclass(frozen=True)
class Choice:
    """A model, why it is taken, and the run that looked whether the rows separate, if there was one."""

    name: str
    reason: str
    scout: Any = None


def default_choice(prepare: Any, X: Any, y: np.ndarray) -> Choice:
    """The model for these rows, from what a perceptron proves of them, and what was measured on others.

    On every set of docs/command.md the averaged passive-aggressive learner is at least as accurate as scikit-learn's
    perceptron, also where a plane of large margin separates the rows: so it is taken in either case.
    """
    scout = sent_ahead(prepare, X, y)
    measured = "this averaged rule is on average the most accurate of those measured in docs/command.md"
    if scout is None:
        return Choice("pa", f"too large to look first whether a plane separates (novikoff certify does); {measured}")
    ends = set(np.atleast_1d(scout.status_).tolist())
    found = f"no plane was found in {SCOUTED_PASSES} passes (novikoff certify decides whether there is one)"
    if "inseparable" in ends:
        found = "no plane separates the classes"
    elif ends == {"separated"}:
        found = "the classes separate"
    return Choice("pa", f"{found}; {measured}", scout)


def sent_ahead(prepare: Any, X: Any, y: np.ndarray) -> Any:
    """A perceptron that looked whether the prepared rows separate; None if there are too many numbers."""
    ready = clone(prepare).fit_transform(X, y)
    if (ready.nnz if hasattr(ready, "nnz") else ready.size) * len(set(y.tolist())) > MOST_SCOUTED:
        return None
    model = novikoff.Perceptron(order="active", max_iter=SCOUTED_PASSES, tol=None)
    quiet_fit(model, ready, y)
    return model


def quiet_fit(model: Any, X: Any, y: Any) -> list[str]:
    """Fit, and return the warnings as texts."""
    return quiet(lambda: model.fit(X, y))


def quiet(fit: Callable[[], Any]) -> list[str]:
    """Make a fit, and return its warnings as texts."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        fit()
    return [str(warning.message) for warning in caught if issubclass(warning.category, ConvergenceWarning)]
