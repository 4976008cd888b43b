"""The orders in which a pass may visit the rows.

By the notes the next mistake may be picked in a cycle or at random: the plane depends on it, the bound does not.
"""

from typing import Any

import numpy as np

from .compiled import compiled

BLOCK = 8
"""Neighbouring rows that are visited near each other: memory is read faster in short stretches than row by row."""
WINDOW = 1024
"""Blocks, from anywhere, whose rows are shuffled among each other."""
DRAWN = 256
"""Numbers that are drawn before rows are exchanged by them: apart, they are drawn several at once."""
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
def mix(values, seed, drawn):
    """Shuffle in place, as Fisher and Yates do; so many numbers of the seed's sequence were drawn before."""
    others, n = np.empty(DRAWN, np.uint32), np.uint64(values.shape[0])
    for start in range(np.uint64(1), n, np.uint64(DRAWN)):
        stop = min(start + np.uint64(DRAWN), n)
        for k in range(start, stop):
            others[k - start] = draw(seed, drawn + k, k + np.uint64(1))
        for k in range(start, stop):
            other = others[k - start]
            values[k], values[other] = values[other], values[k]


@compiled
def mix_blocks(rows, blocks, size, seed, out):
    """These blocks of so many neighbours in random order, the rows of each window of about WINDOW blocks shuffled.

    Where the first block begins is drawn too, and the row after the last is the first.
    """
    n = np.uint64(rows.shape[0])
    mix(blocks, seed, np.uint64(0))
    first, k = draw(seed, np.uint64(0), size), np.uint64(0)
    for b in range(np.uint64(0), np.uint64(blocks.shape[0])):
        start = np.uint64(blocks[b]) * size
        for i in range(start, min(start + size, n)):
            at = first + i
            out[k] = rows[at if at < n else at - n]
            k += np.uint64(1)
    if size > np.uint64(1):
        windows = max(np.uint64(1), n // (size * np.uint64(WINDOW)))
        for k in range(windows):
            begin = k * n // windows
            mix(out[begin : (k + np.uint64(1)) * n // windows], seed, n + begin)


def shuffled(rows: Any, seed: int) -> Any:
    """A permutation of the rows, drawn from the seed; of more than SMALL rows one of blocks, well mixed.

    >>> shuffled(np.arange(6, dtype=np.uint32), 1).tolist()
    [0, 1, 5, 3, 2, 4]
    """
    size = 1 if len(rows) <= SMALL else BLOCK
    blocks, row_order = np.arange(-(-len(rows) // size), dtype=np.uint32), np.empty_like(rows)
    mix_blocks(rows, blocks, np.uint64(size), np.uint64(seed), row_order)
    return row_order
