"""The orders in which a pass may visit the rows.

By the notes the next mistake may be picked in a cycle or at random: the plane depends on it, the bound does not.
"""

from typing import Any

import numpy as np

from .compiled import compiled

BLOCK = 32
"""Neighbouring rows that are visited in the same stretch of a pass."""
STREAMS = 4
"""Blocks, from anywhere, that are visited in turn: a processor reads four places at once faster than one."""
WIDE = 4096
"""Rows of more features than this are long, or sparse and of unequal length."""
RUN = 8
"""So many wide rows of a block are visited before it is the next block's turn; of others, one."""
SMALL = 4096
"""Up to this many rows every permutation is as good for the memory, so one is drawn from all."""


@compiled
def draw(seed, number, bound):
    """A number below ``bound`` < 2**32: Steele's splitmix64, the number-th of its sequence."""
    z = seed + number * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(32)) * bound >> np.uint64(32)


@compiled
def mix(values, seed):
    """Shuffle in place, as Fisher and Yates do."""
    for k in range(np.uint64(1), np.uint64(values.shape[0])):
        other = draw(seed, k, k + np.uint64(1))
        values[k], values[other] = values[other], values[k]


@compiled
def interleaved(rows, blocks, run, out):
    """The blocks of rows in the given order, STREAMS of them at a time, ``run`` rows from each in turn."""
    n, k = np.uint64(rows.shape[0]), np.uint64(0)
    for first in range(np.uint64(0), np.uint64(blocks.shape[0]), np.uint64(STREAMS)):
        last = min(first + np.uint64(STREAMS), np.uint64(blocks.shape[0]))
        for begin in range(np.uint64(0), np.uint64(BLOCK), run):
            for b in range(first, last):
                start = np.uint64(blocks[b]) * np.uint64(BLOCK) + begin
                for i in range(start, min(start + run, n)):
                    out[k] = rows[i]
                    k += np.uint64(1)


def shuffled(rows: Any, seed: int, features: int = 1) -> Any:
    """A permutation of the rows of so many features, drawn from the seed.

    Of many rows, blocks of neighbours come in random order, interleaved; where the blocks begin is drawn too.

    >>> shuffled(np.arange(6, dtype=np.uint32), 1).tolist()
    [0, 1, 5, 3, 2, 4]
    """
    seed = np.uint64(seed)
    if len(rows) <= SMALL:
        row_order = rows.copy()
        mix(row_order, seed)
        return row_order
    blocks = np.arange(-(-len(rows) // BLOCK), dtype=np.uint32)
    mix(blocks, seed)
    row_order = np.empty_like(rows)
    first = int(draw(seed, np.uint64(0), np.uint64(len(rows))))
    run = np.uint64(RUN if features > WIDE else 1)
    interleaved(np.concatenate([rows[first:], rows[:first]]), blocks, run, row_order)
    return row_order
