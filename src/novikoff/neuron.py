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


@dataclass(frozen=True)
class TrainedNeuron:
    """A trained neuron: itself, the rows that it was updated on, in turn, and whether all outputs are right."""

    neuron: Neuron
    rows: tuple[int, ...]
    right: bool


def train(
    X: Any, y: Any, activation: Callable[[Any], Any] = step, eta0: float = 1.0, max_iter: int = 1000
) -> TrainedNeuron:
    """w ← w + η·(y − ŷ)·[x; 1] with ŷ = h(w·x), from zero, row by row, until every output is its target.

    With the step function and targets 0 and 1 it is the second rule of the lecture on gates.  It differs from the
    ``Perceptron`` at w·x = 0: there sgn is 1, so that a row with target 1 is right, whereas y·(w·x) ≤ 0 is a mistake.
    A row may thus end on the plane, as one does on each of the gates: this rule does not promise a margin, so that it
    cannot be a parameter of the ``Perceptron``, whose "separated" says that every row is strictly on its side.  After
    ``max_iter`` passes it gives up.

    >>> from novikoff import datasets
    >>> X, y = datasets.logic_gate("and")
    >>> trained = train(X, y)
    >>> trained.neuron(X).tolist(), len(trained.rows), trained.right
    ([0, 0, 0, 1], 11, True)
    """
    rows, targets = np.column_stack([np.asarray(X, dtype=float), np.ones(len(X))]), np.asarray(y)
    if not np.isin(targets, activation(np.array([-1.0, 1.0]))).all():
        outputs = " and ".join(map(str, activation(np.array([-1.0, 1.0])).tolist()))
        raise ValueError(f"The targets y must be outputs of the activation, which are {outputs}.")
    w = np.zeros(rows.shape[1])
    updated: list[int] = []
    for _ in range(max_iter):
        before = len(updated)
        for i, (x, target) in enumerate(zip(rows, targets, strict=True)):
            error = target - activation(x @ w)
            if error:
                w = w + eta0 * error * x
                updated.append(i)
        if len(updated) == before:
            break
    right = bool(np.array_equal(activation(rows @ w), targets))
    return TrainedNeuron(Neuron(w[:-1], float(w[-1]), activation), tuple(updated), right)
