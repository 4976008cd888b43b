"""Columns turned into rows."""

from .compiled import compiled

TILE = 64
"""Rows that are turned at a time, so that what is written stays in the caches."""


@compiled
def turn(columns, out):
    """out[i, j] = columns[j, i]."""
    for start in range(0, out.shape[0], TILE):
        for j in range(out.shape[1]):
            for i in range(start, min(start + TILE, out.shape[0])):
                out[i, j] = columns[j, i]
