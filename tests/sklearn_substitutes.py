"""A pytest plugin: scikit-learn's own tests with our learners in the place of its own.

Parameters of the same meaning are translated (``shuffle`` is ``order``, ``loss`` is ``step``), defaults are those of
scikit-learn where ours has the parameter, and those of penalties, losses and learning rates, which ours has not, are
left out.  What became of every test that made a substitute is written as JSON to the file NOVIKOFF_SUBSTITUTED.
"""

import json
import os
from typing import Any

import pytest
from sklearn import linear_model

import novikoff

STEPS = {
    "hinge": "capped",
    "epsilon_insensitive": "capped",
    "squared_hinge": "damped",
    "squared_epsilon_insensitive": "damped",
}
LEFT_OUT = {"alpha", "penalty", "l1_ratio", "learning_rate", "power_t", "loss", "eta0"}
"""Parameters of penalties, losses and learning rates; what ours has of them is kept."""
made: list[str] = []
"""The substitutes that the running test made."""


class Substitute(type):
    """The class of a substitute, which takes scikit-learn's parameters."""

    def __call__(cls, *args: Any, **given: Any) -> Any:
        made.append(cls.__name__)
        own = cls._get_param_names()
        if "shuffle" in given:
            given["order"] = "shuffled" if given.pop("shuffle") else "cyclic"
        if "step" in own and given.get("loss") in STEPS:
            given["step"] = STEPS[given.pop("loss")]
        kept = {name: value for name, value in given.items() if name not in LEFT_OUT or name in own}
        return super().__call__(*args, **{**cls.substitute_defaults, **kept})


def substitute(ours: type, **defaults: Any) -> type:
    """Our class, made with scikit-learn's parameters; ``defaults`` are scikit-learn's own where ours differ."""
    return Substitute(ours.__name__, (ours,), {"substitute_defaults": defaults, "__module__": ours.__module__})


CLASSIFIER = {"average": False, "multi_class": "ovr", "max_iter": 1000}
REGRESSOR = {"average": False, "C": 1.0, "step": "capped", "max_iter": 1000}
PLACES = {
    "test_perceptron.py": {"Perceptron": substitute(novikoff.Perceptron)},
    "test_passive_aggressive.py": {
        "PassiveAggressiveClassifier": substitute(novikoff.PassiveAggressiveClassifier, **CLASSIFIER),
        "PassiveAggressiveRegressor": substitute(novikoff.PassiveAggressiveRegressor, **REGRESSOR),
    },
    "test_sgd.py": {
        "SGDClassifier": substitute(novikoff.PassiveAggressiveClassifier, **CLASSIFIER),
        "SGDRegressor": substitute(novikoff.PassiveAggressiveRegressor, **REGRESSOR),
    },
}
"""{file: {the class of scikit-learn: what stands in its place}}."""
THEIRS = {name: getattr(linear_model, name) for places in PLACES.values() for name in places}
results: dict[str, list[str]] = {}
"""{test: [outcome, its error]}."""


def put_in_place(file: str) -> None:
    for name, theirs in THEIRS.items():
        setattr(linear_model, name, PLACES.get(file, {}).get(name, theirs))


def pytest_collectstart(collector: Any) -> None:
    if isinstance(collector, pytest.Module):
        put_in_place(collector.path.name)


def pytest_runtest_setup(item: Any) -> None:
    put_in_place(item.path.name)
    made.clear()


def pytest_runtest_logreport(report: Any) -> None:
    if (report.when == "call" or report.outcome == "failed") and made:
        message = report.longrepr.reprcrash.message if report.outcome == "failed" else ""
        results[report.nodeid.rpartition("/")[2]] = [report.outcome, message.split("\n")[0][:300]]


def pytest_sessionfinish(session: Any) -> None:
    with open(os.environ["NOVIKOFF_SUBSTITUTED"], "w") as file:
        json.dump(results, file, indent=1)
