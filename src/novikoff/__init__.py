"""Perceptrons that prove themselves.

>>> from novikoff import Perceptron, datasets
>>> X, y = datasets.logic_gate("xor")
>>> Perceptron().fit(X, y).status_
'inseparable'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import neuron
from .data import gallery as datasets
from .learners.averaged import AveragedPerceptron
from .learners.features import SlackEmbedding, XorFeatures
from .learners.kernel import KernelPerceptron
from .learners.margin import MarginPerceptron
from .learners.passive_aggressive import PassiveAggressiveClassifier
from .learners.perceptron import Perceptron
from .learners.pocket import PocketPerceptron
from .learners.voted import VotedPerceptron
from .proofs.certificate import Certificate
from .theory import bounds

if TYPE_CHECKING:
    from .learners.multilayer import MultilayerPerceptron
    from .proofs.reading import check
    from .proofs.search import certify
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
    "neuron",
    "record",
]


LATE = {
    "MultilayerPerceptron": "learners.multilayer",
    "certify": "proofs.search",
    "check": "proofs.reading",
    "Audit": "theory.audit",
    "audit": "theory.audit",
    "Trace": "theory.trace",
    "record": "theory.trace",
}
"""Names that are imported when they are first asked for, with what they need."""


def __getattr__(name: str) -> Any:
    """Import a name that is not needed by all."""
    if name not in LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{LATE[name]}", __name__), name)
