"""Columns of sparse rows, counted and numbered anew, and what they weigh put where their new numbers are."""

import numpy as np

from .compiled import compiled


@compiled
def count_columns(columns, counts):
    """Add to the counts how often every column occurs; NumPy's bincount copies the columns first."""
    for k in range(columns.shape[0]):
        counts[columns[k]] += np.uint32(1)


@compiled
def rename_columns(columns, names, out):
    """out[k] = names[columns[k]]; NumPy's take copies the columns first."""
    for k in range(columns.shape[0]):
        out[k] = names[columns[k]]


@compiled
def permute(rows, sources):
    """rows[i] ← rows[sources[i]] for all i, a permutation: along its cycles, without a copy but of one row."""
    moved, kept = np.zeros(rows.shape[0], np.bool_), np.empty(rows.shape[1], rows.dtype)
    for first in range(rows.shape[0]):
        if moved[first]:
            continue
        kept[:] = rows[first]
        place, source = first, sources[first]
        while source != first:
            rows[place] = rows[source]
            moved[place] = True
            place, source = source, sources[source]
        rows[place] = kept
        moved[place] = True
