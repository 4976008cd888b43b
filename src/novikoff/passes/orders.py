"""The orders in which a pass may visit the rows.

By the notes the next mistake may be picked in a cycle or at random: the plane depends on it, the bound does not.
"""

from typing import Any

import numpy as np

from .compiled import compiled, inlined

BLOCK = 4
"""Neighbouring rows that are visited near each other: memory is read faster in short stretches than row by row.

With longer ones, rows that come sorted by class would be mixed too little: a class could be missing for too long.
"""
WINDOW = 1024
"""Rows, of blocks from anywhere, that are visited among each other: so few that they wait in a cache."""
STRIDE, BACK = 597, 765
"""Rows of a window are visited with this stride, so that those of a block are far apart; BACK is its inverse."""
DRAWN = 256
"""Numbers that are drawn before rows are exchanged by them: apart, they are drawn several at once."""
SMALL = 2**14
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
def weave_blocks(rows, blocks, seed, out):
    """These blocks in random order, window by window; of a window one row of one block after the other.

    Where the first block begins is drawn, and which row of each comes first; the row after the last is the first.  The
    rows beyond the last whole window are shuffled.
    """
    n, size, window = np.uint64(rows.shape[0]), np.uint64(BLOCK), np.uint64(WINDOW)
    last, drawn = n - n % window, np.uint64(blocks.shape[0])
    mix(blocks, seed, np.uint64(0))
    first = draw(seed, np.uint64(0), n)
    for b in range(drawn):
        blocks[b] = blocks[b] * size + draw(seed, drawn + b, size)
    for begin in range(np.uint64(0), n, window):
        for k in range(min(window, n - begin)):
            place = begin + (np.uint64(STRIDE) * k % window if begin < last else k)
            at = first + place
            if place < drawn * size:
                start = np.uint64(blocks[place // size])
                at = first + start - start % size + (start + place) % size
            out[begin + k] = rows[at if at < n else at - n]
    mix(out[last:], seed, drawn + drawn)


@inlined
def next_window(t):
    """Where, in woven windows, the row is that comes first after those that visits before t have named so.

    They are named block by block, as memory gives them fastest, and every one of a window before it begins.
    """
    return t - t % WINDOW + WINDOW + BACK * (t % WINDOW) % WINDOW


def shuffled(rows: Any, seed: int) -> Any:
    """A permutation of the rows, drawn from the seed; of more than SMALL rows one of blocks, woven window by window.

    >>> shuffled(np.arange(6, dtype=np.uint32), 1).tolist()
    [0, 1, 5, 3, 2, 4]
    """
    row_order = rows.copy() if len(rows) <= SMALL else np.empty_like(rows)
    if len(rows) <= SMALL:
        mix(row_order, np.uint64(seed), np.uint64(0))
    else:
        weave_blocks(rows, np.arange(len(rows) // BLOCK, dtype=np.uint32), np.uint64(seed), row_order)
    return row_order


def rows_that_count(labels: Any, weights: Any) -> Any:
    """The rows of classes with a positive weight, in their order; ``weights`` has one per class, or one for all."""
    rows = np.arange(len(labels), dtype=np.uint32)
    return rows if (weights > 0).all() else rows[weights[labels] > 0]
