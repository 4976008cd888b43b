"""Perceptrons that prove themselves.

>>> from novikoff import Perceptron, datasets
>>> X, y = datasets.logic_gate("xor")
>>> Perceptron().fit(X, y).status_
'inseparable'
"""

from . import neuron
from .data import gallery as datasets
from .learners.perceptron import Perceptron
from .proofs.certificate import Certificate
from .proofs.reading import check
from .proofs.search import certify

__version__ = "0.1.0"

__all__ = ["Certificate", "Perceptron", "certify", "check", "datasets", "neuron"]
