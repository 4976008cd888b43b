"""Perceptrons that prove themselves.

>>> from novikoff import Perceptron, datasets
>>> X, y = datasets.logic_gate("xor")
>>> Perceptron().fit(X, y).status_
'inseparable'
"""

from typing import TYPE_CHECKING, Any

from . import neuron
from .data import gallery as datasets
from .learners.averaged import AveragedPerceptron
from .learners.features import SlackEmbedding, XorFeatures
from .learners.margin import MarginPerceptron
from .learners.passive_aggressive import PassiveAggressiveClassifier
from .learners.perceptron import Perceptron
from .learners.pocket import PocketPerceptron
from .learners.voted import VotedPerceptron
from .proofs.certificate import Certificate
from .theory import bounds

if TYPE_CHECKING:
    from .proofs.reading import check
    from .proofs.search import certify

__version__ = "0.1.0"

__all__ = [
    "AveragedPerceptron",
    "Certificate",
    "MarginPerceptron",
    "PassiveAggressiveClassifier",
    "Perceptron",
    "PocketPerceptron",
    "SlackEmbedding",
    "VotedPerceptron",
    "XorFeatures",
    "bounds",
    "certify",
    "check",
    "datasets",
    "neuron",
]


def __getattr__(name: str) -> Any:
    """Import the search for proofs, with its exact arithmetic, when it is first asked for."""
    if name == "certify":
        from .proofs.search import certify

        return certify
    if name == "check":
        from .proofs.reading import check

        return check
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
