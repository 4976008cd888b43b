"""Exact rows out of the partitions of Dask collections: each pass runs where the rows are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
import scipy.sparse as sp

from .. import inputs
from ..data.labels import join_labels, label_array, number_labels
from ..imports import NO_DASK
from .exact_sources import ExactBatch, RowSource

try:
    import dask

    from . import partitions as parts
except ImportError as error:
    raise ImportError(NO_DASK) from error


def partition_source(X: Any, y: Any) -> "PartitionSource":
    """The rows of a Dask array or frame, with labels that may be a column of the frame."""
    found = parts.partitions_of(X, y)
    look = dask.delayed(look_at_partition, pure=False)
    looks = dask.compute(*(look(k, rows, found.y[k]) for k, rows in enumerate(found.X)))
    with_rows = [(columns, labels, counts) for columns, labels, counts in looks if len(labels)]
    widths = sorted({columns for columns, _, _ in with_rows})
    if len(widths) != 1:
        raise ValueError(
            f"The partitions of X have {' and '.join(map(str, widths)) or 'no'} columns: give all the same."
        )
    labels = join_labels([labels for _, labels, _ in with_rows])
    classes = np.unique(labels)
    if len(classes) < 2:
        raise ValueError(f"certify needs rows of at least two classes, but they are of one only: {classes.tolist()}.")
    numbers, sizes = number_labels(labels, classes)[1], np.concatenate([counts for _, _, counts in with_rows])
    names = inputs.column_names(found.like)
    return PartitionSource(
        classes,
        np.bincount(numbers, sizes, len(classes)).astype(int),
        widths[0],
        None if names is None else list(map(str, names)),
        False,
        found,
        tuple(int(counts.sum()) for _, _, counts in looks),
    )


def look_at_partition(k: int, X: Any, y: Any) -> tuple[int, np.ndarray, np.ndarray]:
    """The columns of a partition, its labels, and how many rows each has."""
    try:
        y = label_array(y, least=0)
        if len(y) != X.shape[0]:
            raise ValueError(f"X has {X.shape[0]} rows, but y has {len(y)} labels.")
    except ValueError as error:
        raise parts.in_partition(k, error) from error
    return X.shape[1], *np.unique(y, return_counts=True)


def batch_of(classes: np.ndarray, k: int, first: int, X: Any, y: Any) -> ExactBatch:
    """The rows of a partition as numbers."""
    numbers = X if isinstance(X, np.ndarray) or sp.issparse(X) else np.asarray(X)
    return ExactBatch(first, numbers, number_labels(label_array(y), classes)[1], f"In partition {k}")


def work_on(work: Callable[[ExactBatch], Any], batch: ExactBatch) -> Any:
    """What a pass makes of a partition."""
    return work(batch)


@dataclass(frozen=True)
class PartitionSource(RowSource):
    """The partitions of a collection; the first pass, which digests their rows in order, has them come here."""

    partitions: Any
    sizes: tuple[int, ...]

    def loaded(self) -> list[tuple[int, Any]]:
        """The partitions that have rows, each as a batch that is not yet loaded, and its number of rows."""
        firsts, load = accumulate(self.sizes, initial=0), dask.delayed(batch_of, pure=False)
        pairs = zip(self.partitions.X, self.partitions.y, firsts, self.sizes, strict=False)
        return [(size, load(self.classes, k, first, X, y)) for k, (X, y, first, size) in enumerate(pairs) if size]

    def batches(self) -> Iterator[ExactBatch]:
        for _, batch in self.loaded():
            (loaded,) = dask.compute(batch)
            yield loaded

    def looks(self, work: Callable[[ExactBatch], Any]) -> Iterator[tuple[int, Any]]:
        loaded, run = self.loaded(), dask.delayed(work_on, pure=False)
        results = dask.compute(*(run(work, batch) for _, batch in loaded))
        yield from zip((size for size, _ in loaded), results, strict=True)
