"""Perceptrons that prove themselves.

>>> from novikoff import Perceptron, datasets
>>> X, y = datasets.logic_gate("xor")
>>> Perceptron().fit(X, y).status_
'inseparable'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .registry import LEARNERS
from .version import __version__ as __version__

if TYPE_CHECKING:  # for editors and type checkers; what runs is HOMES and MODULES
    from . import bounds as bounds
    from . import neuron as neuron
    from . import online as online
    from . import plot as plot
    from .certificates.certificate import Certificate as Certificate
    from .data import datasets as datasets
    from .learners.features import SlackEmbedding as SlackEmbedding
    from .learners.features import XorFeatures as XorFeatures
    from .learners.passive_aggressive_regressor import PassiveAggressiveRegressor as PassiveAggressiveRegressor
    from .proofs.certify import certify as certify
    from .proofs.certify import certify_many as certify_many
    from .proofs.certify import check as check
    from .proofs.fewest_errors import FewestErrors as FewestErrors
    from .proofs.fewest_errors import fewest_errors as fewest_errors
    from .proofs.threshold_functions import ThresholdFunction as ThresholdFunction
    from .proofs.threshold_functions import threshold_function as threshold_function
    from .registry import *  # noqa: F403
    from .regression.many_designs import separation_many as separation_many
    from .regression.separation import Separation as Separation
    from .regression.separation import separation as separation
    from .theory.audit import Audit as Audit
    from .theory.audit import audit as audit
    from .theory.trace import Trace as Trace
    from .theory.trace import record as record
    from .workflow.model_files import load as load
    from .workflow.model_files import save as save

HOMES = {entry.name: f".{entry.module}" for entry in LEARNERS} | {
    "Audit": ".theory.audit",
    "Certificate": ".certificates.certificate",
    "FewestErrors": ".proofs.fewest_errors",
    "PassiveAggressiveRegressor": ".learners.passive_aggressive_regressor",
    "Separation": ".regression.separation",
    "SlackEmbedding": ".learners.features",
    "ThresholdFunction": ".proofs.threshold_functions",
    "Trace": ".theory.trace",
    "XorFeatures": ".learners.features",
    "audit": ".theory.audit",
    "certify": ".proofs.certify",
    "certify_many": ".proofs.certify",
    "check": ".proofs.certify",
    "fewest_errors": ".proofs.fewest_errors",
    "load": ".workflow.model_files",
    "record": ".theory.trace",
    "save": ".workflow.model_files",
    "separation": ".regression.separation",
    "separation_many": ".regression.many_designs",
    "threshold_function": ".proofs.threshold_functions",
}
"""Where the public names live."""
MODULES = {"bounds": ".bounds", "datasets": ".data.datasets", "neuron": ".neuron", "online": ".online", "plot": ".plot"}
"""Modules under their public names."""

__all__ = sorted([*HOMES, *MODULES])


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is first asked for: the command starts, and checks proofs, without the rest."""
    if name in HOMES:
        value = getattr(import_module(HOMES[name], __name__), name)
    elif name in MODULES:
        value = import_module(MODULES[name], __name__)
    elif name == "scale":
        value = import_module(".scale", __name__)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, "scale", *(name for name in globals() if name.startswith("__"))})
