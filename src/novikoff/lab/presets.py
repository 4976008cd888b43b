"""The points that the page offers to start from, most of them from ``novikoff.datasets``."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import load_iris, make_blobs

from ..data import datasets
from .controls import Refusal

IRIS = ("sepal length", "sepal width", "petal length", "petal width")
DIGITS = 4
"""Decimals that points are rounded to, so that they fit into an address."""


def gate(name: str, n_inputs: int | None = None) -> tuple[Any, Any]:
    """The points of a gate; one of one input lies on the horizontal axis."""
    X, y = datasets.logic_gate(name, n_inputs)
    return np.column_stack([X, np.zeros((len(X), 2 - X.shape[1]))]), y


def blobs(spread: float, seed: int, count: int = 80) -> tuple[Any, Any]:
    """Two round clouds."""
    return make_blobs(count, centers=[[-1.5, -1], [1.5, 1]], cluster_std=spread, random_state=seed)


def planted_margin(seed: int) -> tuple[Any, Any]:
    """Two clouds on two sides of a band that is empty."""
    X, y = datasets.planted_margin(60, 2, 0.25, random_state=seed)
    return X * np.random.default_rng(seed).uniform(1, 2, (60, 1)), y


def iris(seed: int, columns: tuple[int, int], species: int) -> tuple[Any, Any]:
    """Two columns of iris, one species against the others."""
    table = load_iris()
    return table.data[:, list(columns)], table.target == species


PRESETS: dict[str, Callable[[int], tuple[Any, Any]]] = {
    "and": lambda seed: gate("and"),
    "or": lambda seed: gate("or"),
    "not": lambda seed: gate("not"),
    "not4": lambda seed: gate("not", 2),
    "xor": lambda seed: gate("xor"),
    "margin": planted_margin,
    "overlap": lambda seed: blobs(1.2, seed),
    "circles": lambda seed: datasets.circles(80, noise=0.05, factor=0.4, random_state=seed),
    "spirals": lambda seed: scale_points(*datasets.spirals(120, random_state=seed)),
    "tight": lambda seed: datasets.orthonormal(2),
    "worst": lambda seed: datasets.exponential(2),
}


NAMES = (*PRESETS, "iris")
CENTRED = ("tight", "worst")
"""Those that are meant for planes through the origin."""
SAMPLED = ("margin", "overlap", "circles", "spirals")
"""Those that are drawn at random, so that there is another sample for every seed."""


def scale_points(X: Any, y: Any) -> tuple[Any, Any]:
    """Points within −1 … 1."""
    return X / np.abs(X).max(), y


def points(name: str, seed: int = 0, columns: tuple[int, int] = (2, 3), species: int = 0) -> list[list[float]]:
    """[x, y, class] of every point, the class 0 or 1."""
    if name != "iris" and name not in PRESETS:
        raise Refusal("preset", f"There is no preset {name}.", name=name[:40])
    X, y = iris(seed, columns, species) if name == "iris" else PRESETS[name](seed)
    return [[round(float(a), DIGITS), round(float(b), DIGITS), int(c > 0)] for (a, b), c in zip(X, y, strict=True)]
