"""The partitions of Dask arrays and frames: their rows and labels, checked on the worker that holds them."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import scipy.sparse as sp

from .. import inputs
from ..data.labels import label_array, number_labels
from ..errors import comma_list
from ..passes.rows import longest, of_matrix
from .blocks import Blocks, blocks_of
from .cluster import current_client


class PartitionSummary(NamedTuple):
    """What a first look at a partition tells: its size, ‖x‖² of its longest row that counts, and its labels."""

    rows: int
    features: int
    square: float
    labels: np.ndarray
    counts: np.ndarray


@dataclass
class Partitions:
    """The rows and labels of all partitions, not yet loaded, and a frame or array without rows that is like them."""

    X: list[Any]
    y: list[Any]
    like: Any = None
    placed: bool = False  # whether the workers that hold them are known already


def partitions_of(X: Any, y: Any) -> Partitions:
    """The partitions of a Dask array or frame with its labels, which may be a column of the frame."""
    if isinstance(X, dd.DataFrame) and isinstance(y, str):
        if y not in X.columns:
            raise ValueError(f"y={y!r} is not a column of X, whose columns are {list(X.columns)[:10]}.")
        X, y = X.drop(columns=y), X[y]
    rows, _ = partition_rows(X)
    like = X._meta if isinstance(X, dd.DataFrame) else None
    return Partitions(rows, partition_labels(X, y, len(rows)), like, bool(held_futures(X)))


def are_files(X: Any) -> bool:
    """Whether these name files, or are their blocks."""
    return isinstance(X, str | Path | Blocks) or (
        isinstance(X, list | tuple) and bool(X) and all(isinstance(path, str | Path) for path in X)
    )


def partitions_of_files(source: Any, target: str | None) -> tuple[Partitions, np.ndarray]:
    """The blocks of files as partitions, and the classes, after a first look at all labels."""
    blocks = source if isinstance(source, Blocks) else blocks_of(source, target)
    texts = blocks.columns.of("category") + blocks.columns.of("text") if blocks.columns else []
    if texts and blocks.prepare is None:
        raise ValueError(
            f"The columns {comma_list(texts)} of the files do not hold numbers: encode them first, leave them out, or "
            "use novikoff.scale.stream, which does."
        )
    look, sent = dask.delayed(Blocks.count_labels, pure=False), dask.delayed(blocks, traverse=False)
    counts = blocks.merge(dask.compute(*(look(sent, k) for k in range(len(blocks)))))
    blocks, classes = replace(blocks, width=counts.width), counts.classes
    load, sent = dask.delayed(load_block, pure=False, nout=2), dask.delayed(blocks, traverse=False)
    pairs = [load(sent, classes, k) for k in range(len(blocks))]
    like = pd.DataFrame(columns=blocks.names) if blocks.names else None
    return Partitions([rows for rows, _ in pairs], [labels for _, labels in pairs], like), classes


def load_block(blocks: Blocks, classes: np.ndarray, k: int) -> tuple[Any, np.ndarray]:
    """The rows and labels of a block."""
    chunks = list(blocks.rows(k, classes))
    if not chunks:
        return np.empty((0, 0)), classes[:0]
    rows, numbers = zip(*chunks, strict=True)
    whole = sp.vstack(rows, format="csr") if sp.issparse(rows[0]) else np.vstack(rows)
    return whole, classes[np.concatenate(numbers)]


def partition_rows(X: Any) -> tuple[list[Any], list[Any]]:
    """The rows of every partition, and how many they are, or NaN."""
    if isinstance(X, dd.DataFrame):
        rows = X.to_delayed()
        return rows, [np.nan] * len(rows)
    if not isinstance(X, da.Array):
        raise TypeError(
            f"X must be a Dask array or frame, not {type(X).__name__}: what is in memory is learnt faster by the "
            "learner without Dask in its name."
        )
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions, rows and columns, but its shape is {X.shape}.")
    return list(X.rechunk({1: -1}).to_delayed().ravel()), list(X.chunks[0])


def partition_labels(X: Any, y: Any, count: int) -> list[Any]:
    """The labels in the partitions of the rows."""
    if isinstance(y, da.Array) and y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if isinstance(y, da.Array) and isinstance(X, da.Array) and not np.isnan([*X.shape, *y.shape]).any():
        if len(X) != len(y):
            raise ValueError(f"X has {len(X)} rows, but y has {len(y)} labels.")
        y = y.rechunk((X.chunks[0],))
    if not isinstance(y, da.Array | dd.Series):
        raise TypeError(f"y must be a Dask array or series like X, not {type(y).__name__}; or a column of the frame X.")
    labels = list(np.ravel(y.to_delayed()))
    if len(labels) != count:
        raise ValueError(f"X has {count} partitions, but y has {len(labels)}: cut both alike.")
    return labels


def held_futures(collection: Any) -> Any:
    """The futures of a collection that workers hold already."""
    client = current_client()
    return client.futures_of(collection) if client else []


def in_partition(partition: int, error: ValueError) -> ValueError:
    """An error with the number of its partition."""
    return ValueError(f"In partition {partition}: {error}")


def check_rows(learner: str, partition: int, X: Any) -> Any:
    """The rows of a partition as the passes read them; None if it has none."""
    try:
        return inputs.checked(X, learner) if X.shape[0] else None
    except ValueError as error:
        raise in_partition(partition, error) from error


def summarise(partition: int, names: Any, bias: float, left_out: list[Any], X: Any, y: Any) -> PartitionSummary:
    """Look at a partition for the first time: check that it is finite, find the labels and the longest row."""
    if X is None:
        return PartitionSummary(0, 0, 0.0, np.empty(0), np.empty(0, int))
    try:
        y = label_array(y, least=0)
        if len(y) != X.shape[0]:
            raise ValueError(f"X has {X.shape[0]} rows, but y has {len(y)} labels.")
        square = longest(of_matrix(X, bias))
        inputs.check_length(square, X, names)
        counts = ~np.isin(y, left_out)
        if not counts.all():
            square = longest(of_matrix(X[counts], bias))
        labels, sizes = np.unique(y, return_counts=True)
        return PartitionSummary(X.shape[0], X.shape[1], square, labels, sizes)
    except ValueError as error:
        raise in_partition(partition, error) from error


def number_partition(partition: int, classes: np.ndarray, y: Any) -> np.ndarray:
    """The class number of every row of a partition."""
    try:
        return number_labels(label_array(y, least=0), classes)[1].astype(np.int32)
    except ValueError as error:
        raise in_partition(partition, error) from error


def apply_method(method: Any, model: Any, X: Any, empty: np.ndarray) -> Any:
    """What a method of a model makes of the rows of a partition; ``empty`` if it has none."""
    return method(model, X) if X.shape[0] else empty


def count_right(model: Any, X: Any, y: Any) -> tuple[int, int]:
    """How many rows of a partition a model labels right, and of how many."""
    return (int(np.sum(model.predict(X) == np.asarray(y).ravel())), X.shape[0]) if X.shape[0] else (0, 0)
