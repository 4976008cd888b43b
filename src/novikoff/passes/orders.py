"""The orders in which a pass may visit the rows.

By the notes the next mistake may be picked in a cycle or at random: the plane depends on it, the bound does not.
"""

from typing import Any, NamedTuple

import numpy as np

from .compiled import compiled

BLOCK = 16
"""Neighbouring rows that are brought from memory together."""
WINDOW = 64
"""Rows that are mixed with each other: four blocks from anywhere, small enough for the inner caches."""
SMALL = 4096
"""Up to this many rows any permutation is as good for the memory, so all rows are mixed with each other."""


class Order(NamedTuple):
    """The rows as they are visited, and the same rows as they are fetched, WINDOW ahead (none: the hardware does)."""

    visits: Any
    fetches: Any


def in_turn(visits: Any) -> Order:
    """The given rows, with nothing fetched ahead."""
    return Order(visits, visits[:0])


@compiled
def mix(values, seed):
    """Shuffle in place (Fisher and Yates, with Steele's splitmix64 as the source of chance); return the next seed."""
    state = np.uint64(seed)
    for k in range(values.shape[0] - 1, 0, -1):
        state += np.uint64(0x9E3779B97F4A7C15)
        z = state
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = (z ^ (z >> np.uint64(31))) >> np.uint64(32)
        other = (z * np.uint64(k + 1)) >> np.uint64(32)
        values[k], values[other] = values[other], values[k]
    return state


@compiled
def windows(rows, seed):
    """Blocks of neighbours in random order, and the same rows mixed within windows of several blocks."""
    n = rows.shape[0]
    blocks = np.arange((n + BLOCK - 1) // BLOCK)
    state = mix(blocks, seed)
    fetches = np.empty_like(rows)
    k = 0
    for block in blocks:
        for i in range(block * BLOCK, min(block * BLOCK + BLOCK, n)):
            fetches[k] = rows[i]
            k += 1
    visits = fetches.copy()
    for start in range(0, n, WINDOW):
        state = mix(visits[start : start + WINDOW], state)
    return visits, fetches


def shuffled(rows: Any, seed: int) -> Order:
    """A permutation of the rows, drawn anew from the seed.

    >>> shuffled(np.arange(6, dtype=np.uint32), 1).visits.tolist()
    [2, 0, 1, 4, 5, 3]
    """
    if len(rows) > SMALL:
        return Order(*windows(rows, np.uint64(seed)))
    visits = rows.copy()
    mix(visits, np.uint64(seed))
    return in_turn(visits)
