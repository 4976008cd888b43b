"""Data sets to see the theory on; ``novikoff.datasets``.

>>> X, y = orthonormal(3)
>>> X.tolist(), y.tolist()
([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [1, -1, 1])
"""

from typing import Any

import numpy as np
from sklearn.utils import Bunch, check_random_state

from .public_sets import fetch as fetch

GATES = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "nand": lambda a, b: 1 - (a & b),
    "nor": lambda a, b: 1 - (a | b),
}


def logic_gate(name: str, n_inputs: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The inputs of a gate and its outputs, 0 or 1: "and", "or", "xor", "nand", "nor" on two inputs, "not" on one.

    ``logic_gate("not", 2)`` is the table of the lecture: four samples on two inputs, with the output ¬x₁.

    >>> logic_gate("xor")[1].tolist(), logic_gate("not", 2)[1].tolist()
    ([0, 1, 1, 0], [1, 1, 0, 0])
    """
    if name not in ("not", *GATES):
        raise ValueError(f"There is no gate {name!r}; choose one of not, {', '.join(GATES)}.")
    possible = (1, 2) if name == "not" else (2,)
    if n_inputs not in (None, *possible):
        raise ValueError(f"The gate {name!r} has {' or '.join(map(str, possible))} input(s), not {n_inputs}.")
    if name == "not" and n_inputs != 2:
        return np.array([[0], [1]]), np.array([1, 0])
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    return X, 1 - X[:, 0] if name == "not" else GATES[name](X[:, 0], X[:, 1])


def dating() -> Bunch:
    """The table of the lecture: 17 evenings, six categories each, and whether it came to a date (是) or not (否).

    A Bunch with ``data`` (text), ``target``, ``feature_names``, ``train`` and ``test`` (row numbers of the lecture's
    split).

    >>> table = dating()
    >>> table.data.shape, table.target[:2].tolist()
    ((17, 6), ['是', '是'])
    """
    train = np.array([0, 1, 2, 5, 6, 9, 13, 14, 15, 16])
    return Bunch(**fetch("dating"), train=train, test=np.setdiff1d(np.arange(17), train))


def orthonormal(m: int) -> tuple[np.ndarray, np.ndarray]:
    """The tight case of Novikoff's bound: m orthonormal rows take exactly m = r²/ρ² updates.

    Meant for ``fit_intercept=False``; the labels ±1 alternate, which does not matter.
    """
    return np.eye(m, dtype=int), np.where(np.arange(m) % 2, -1, 1)


def exponential(m: int) -> tuple[np.ndarray, np.ndarray]:
    """The worst case: y_i·x_i = [−1, …, −1, 1, 0, …, 0] takes exactly (4^m − 1)/3 updates, in any order.

    Row i is updated only while w_i ≤ Σ_{j<i} w_j, so w_i never exceeds 2^(i−1), and in the end it must be that large:
    w = (1, 2, 4, …), which fixes the update counts, as the rows are a basis.

    Meant for ``fit_intercept=False``.

    >>> X, y = exponential(3)
    >>> (y[:, None] * X).tolist()
    [[1, 0, 0], [-1, 1, 0], [-1, -1, 1]]
    """
    y = np.where(np.arange(m) % 2, -1, 1)
    return y[:, None] * (np.eye(m, dtype=int) - np.tri(m, k=-1, dtype=int)), y


def planted_margin(
    n: int, d: int, margin: float, radius: float = 1.0, random_state: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """n rows of length ``radius`` in d dimensions, labelled ±1, with at least this margin, really.

    Rows are drawn evenly from the sphere and labelled by their side of a random plane through the origin; those nearer
    to it than ``margin`` are moved away to that distance.  The bias of that plane is 0, so its margin is the same with
    and without an intercept.

    >>> X, y = planted_margin(100, 5, 0.1, random_state=0)
    >>> X.shape, sorted(set(y.tolist()))
    ((100, 5), [-1, 1])
    """
    if not (0 < margin <= radius and n >= 2 and d >= 1):
        raise ValueError(
            f"planted_margin needs n ≥ 2, d ≥ 1 and 0 < margin ≤ radius, got n={n}, d={d}, margin={margin}, "
            f"radius={radius}."
        )
    random = check_random_state(random_state)
    u = normalized(random.standard_normal((1, d)))
    X = normalized(random.standard_normal((n, d))) * radius
    along = (X @ u.T).ravel()
    X -= np.outer(along, u)
    y = np.where(along >= 0, 1, -1)
    y[:2] = 1, -1  # both classes, however few the rows
    # A billionth more than asked for, so that rounding does not take the margin away.
    height = np.clip(np.abs(along), margin * (1 + 1e-9), radius)
    X = normalized(X) * np.sqrt(radius**2 - np.minimum(height, radius) ** 2)[:, None]
    X += np.outer(y * height, u)
    return X, y


def normalized(vectors: np.ndarray) -> np.ndarray:
    """Rows of length 1; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1.0)


def circles(
    n: int = 200, noise: float | None = None, factor: float = 0.5, random_state: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """A circle of one class inside a circle of the other (scikit-learn's ``make_circles``).

    >>> circles(10, random_state=0)[0].shape
    (10, 2)
    """
    from sklearn.datasets import make_circles  # here, as it is slow to import

    return make_circles(n, noise=noise, factor=factor, random_state=random_state)


def spirals(n: int = 200, noise: float = 0.0, random_state: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """Two spirals around each other: scikit-learn's Swiss roll seen from its end, and the same turned by half a turn.

    >>> X, y = spirals(10, random_state=0)
    >>> X.shape, np.bincount(y).tolist()
    ((10, 2), [5, 5])
    """
    from sklearn.datasets import make_swiss_roll

    roll, _ = make_swiss_roll(n, noise=noise, random_state=random_state)
    y = np.arange(n) % 2
    return roll[:, [0, 2]] * np.where(y, 1, -1)[:, None], y
