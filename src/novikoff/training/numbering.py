"""Columns of sparse rows numbered by how often they occur, while a run goes on.

Weights of frequent columns then lie side by side, and stay in the caches.  No score changes by it: every row is summed
in the order that it had.
"""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import scipy.sparse as sp

from ..passes.columns import count_columns, permute, rename_columns
from ..passes.observers import Average, Nothing
from ..passes.rows import Csr, read_only
from .outcomes import Outcome
from .problems import LinearProblems
from .run import Plan, following, train

MOST = 2**24
"""Entries beyond which the columns, which are copied, would take more memory than a run may."""


def train_numbered(groups: Sequence[LinearProblems], plan: Plan, verbose: int) -> list[Outcome]:
    """All problems to their end, with columns that are numbered by how often they occur where that pays.

    When it ends, everything has the numbers that were given.
    """
    if not pays(groups, plan):
        return train(groups, plan, verbose)
    X, rows = groups[0].X, cast(Csr, groups[0].rows)
    columns = frequent_first(rows.columns, X.shape[1])
    places = np.empty(len(columns), np.uint32)
    places[columns] = np.arange(len(columns), dtype=np.uint32)
    renamed = np.empty(len(rows.columns), np.uint32)
    rename_columns(rows.columns, places, renamed)
    numbered = sp.csr_matrix((X.data, renamed.view(np.int32), X.indptr), shape=X.shape)
    for group in groups:
        renumber(group, numbered, rows._replace(columns=read_only(renamed)), columns)
    del numbered, renamed, columns  # the groups have them as long as they need them
    outcomes = train(groups, plan, verbose)
    back = places.astype(np.intp)
    for group in groups:
        renumber(group, X, rows, back)
    for outcome in outcomes:
        if outcome.learnt is not outcome.weights:  # these are views of what the groups have
            reorder(outcome.learnt, back)
    return outcomes


def pays(groups: Sequence[LinearProblems], plan: Plan) -> bool:
    """Whether there are many columns and passes, and nobody looks at the weights of the run but itself."""
    group = groups[0]
    alone = following.get() is None and group.recording is None and isinstance(group.observer, Nothing | Average)
    many = group.wide and cast(Csr, group.rows).columns.itemsize == 4
    return plan.max_iter > 1 and alone and many and group.X.nnz <= MOST


def frequent_first(columns: np.ndarray, features: int) -> np.ndarray:
    """All columns, those that occur most often first, and after them the place of the bias."""
    counts = np.zeros(features, np.uint32)
    count_columns(columns, counts)
    few = np.minimum(counts, 2**16 - 1).astype(np.uint16)
    return np.append(np.argsort(~few, kind="stable"), features)  # of 16 bits it is sorted digit by digit


def reorder(weights: np.ndarray, columns: np.ndarray) -> None:
    """Put what column ``columns[j]`` has in the place j of every weight vector, without a copy of them all."""
    if weights.flags.c_contiguous:
        for w in weights:
            w[:] = w.take(columns, mode="clip")
    else:
        permute(weights.T, columns)  # the weights of one column lie side by side


def renumber(group: LinearProblems, X: Any, rows: Any, columns: np.ndarray) -> None:
    """Column j of everything that the group has becomes what was ``columns[j]``; X and rows have these numbers."""
    group.X, group.rows = X, rows
    group.drop_copy()
    kept = [array for array in group.observer if isinstance(array, np.ndarray)]
    for array in (None if group.is_zero() else group.W, group.start, group.variances, *kept):
        if array is not None and array.any():
            reorder(array, columns)
