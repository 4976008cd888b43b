"""Perceptrons that prove themselves.

>>> from novikoff import Perceptron, datasets
>>> X, y = datasets.logic_gate("xor")
>>> Perceptron().fit(X, y).status_
'inseparable'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import neuron, plot
    from .data import gallery as datasets
    from .files import load, save
    from .learners.averaged import AveragedPerceptron
    from .learners.features import SlackEmbedding, XorFeatures
    from .learners.kernel import KernelPerceptron
    from .learners.margin import MarginPerceptron
    from .learners.multilayer import MultilayerPerceptron
    from .learners.passive_aggressive import PassiveAggressiveClassifier
    from .learners.perceptron import Perceptron
    from .learners.pocket import PocketPerceptron
    from .learners.voted import VotedPerceptron
    from .proofs.certificate import Certificate
    from .proofs.reading import check
    from .proofs.search import certify
    from .theory import bounds
    from .theory.audit import Audit, audit
    from .theory.trace import Trace, record

__version__ = "0.1.0"

__all__ = [
    "Audit",
    "AveragedPerceptron",
    "Certificate",
    "KernelPerceptron",
    "MarginPerceptron",
    "MultilayerPerceptron",
    "PassiveAggressiveClassifier",
    "Perceptron",
    "PocketPerceptron",
    "SlackEmbedding",
    "Trace",
    "VotedPerceptron",
    "XorFeatures",
    "audit",
    "bounds",
    "certify",
    "check",
    "datasets",
    "load",
    "neuron",
    "plot",
    "record",
    "save",
]

HOMES = {
    "Audit": ".theory.audit",
    "AveragedPerceptron": ".learners.averaged",
    "Certificate": ".proofs.certificate",
    "KernelPerceptron": ".learners.kernel",
    "MarginPerceptron": ".learners.margin",
    "MultilayerPerceptron": ".learners.multilayer",
    "PassiveAggressiveClassifier": ".learners.passive_aggressive",
    "Perceptron": ".learners.perceptron",
    "PocketPerceptron": ".learners.pocket",
    "SlackEmbedding": ".learners.features",
    "Trace": ".theory.trace",
    "VotedPerceptron": ".learners.voted",
    "XorFeatures": ".learners.features",
    "audit": ".theory.audit",
    "certify": ".proofs.search",
    "check": ".proofs.reading",
    "load": ".files",
    "record": ".theory.trace",
    "save": ".files",
}
"""Where the public names live."""
MODULES = {
    "bounds": ".theory.bounds",
    "datasets": ".data.gallery",
    "neuron": ".neuron",
    "plot": ".plot",
    "scale": ".scale",
}
"""Modules under their public names."""


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is first asked for: the command starts, and checks proofs, without the rest."""
    if name in HOMES:
        found = getattr(import_module(HOMES[name], __name__), name)
    elif name in MODULES:
        found = import_module(MODULES[name], __name__)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
