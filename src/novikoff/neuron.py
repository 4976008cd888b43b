"""The neuron of McCulloch and Pitts, its activations, and logic gates in closed form.

>>> gate("and")([[0, 0], [0, 1], [1, 0], [1, 1]]).tolist()
[-1, -1, -1, 1]
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit


def step(x: Any) -> Any:
    """sgn(x) = 1 where x ≥ 0, else 0.

    >>> step([-2.0, 0.0, 2.0]).tolist()
    [0, 1, 1]
    """
    return (np.asarray(x) >= 0).astype(int)


def sign(x: Any) -> Any:
    """sign(x) = 2·sgn(x) − 1, so sign(0) = +1.

    >>> sign([-2.0, 0.0, 2.0]).tolist()
    [-1, 1, 1]
    """
    return 2 * step(x) - 1


def logistic(x: Any) -> Any:
    """σ(x) = 1 / (1 + exp(−x)), without overflow.

    >>> logistic([-1000.0, 0.0, 1000.0]).tolist()
    [0.0, 0.5, 1.0]
    """
    return expit(np.asarray(x, dtype=float))


def tanh(x: Any) -> Any:
    """tanh(x) = 2·σ(2x) − 1.

    >>> tanh([-1000.0, 0.0, 1000.0]).tolist()
    [-1.0, 0.0, 1.0]
    """
    return np.tanh(np.asarray(x, dtype=float))


@dataclass(frozen=True)
class Neuron:
    """h(w·x + b), for one input or for a batch of them, one per row.

    >>> int(Neuron([1.0, 1.0], -1.5)([1, 1]))
    1
    """

    weights: Any
    bias: float = 0.0
    activation: Callable[[Any], Any] = sign

    def __call__(self, x: Any) -> Any:
        return self.activation(np.asarray(x) @ np.asarray(self.weights) + self.bias)[()]

    @classmethod
    def with_threshold(cls, weights: Any, threshold: float, activation: Callable[[Any], Any] = sign) -> "Neuron":
        """h([w; threshold]·[x; −1]): a threshold is a bias of the opposite sign.

        >>> Neuron.with_threshold([1.0, 1.0], 1.5) == Neuron([1.0, 1.0], -1.5)
        True
        """
        return cls(weights, -threshold, activation)


GATES = {
    "and": ([1.0, 1.0], -1.5),
    "or": ([1.0, 1.0], -0.5),
    "not": ([-1.0], 0.5),
    "nand": ([-1.0, -1.0], 1.5),
    "nor": ([-1.0, -1.0], 0.5),
}
"""Weights and bias of each gate that one neuron can be."""


def gate(name: str, activation: Callable[[Any], Any] = sign) -> Neuron:
    """A logic gate as a neuron: AND sign(x₁+x₂−1.5), OR sign(x₁+x₂−0.5), NOT sign(−x₁+0.5), NAND, NOR.

    >>> gate("not", step)([[0], [1]]).tolist()
    [1, 0]
    """
    if name not in GATES:
        reason = "no plane separates it" if name == "xor" else "it is not known"
        raise ValueError(f"No neuron is the gate {name!r}, as {reason}; choose one of {', '.join(GATES)}.")
    weights, bias = GATES[name]
    return Neuron(weights, bias, activation)
