"""Regression from files larger than memory: batches of rows with a number each, in every pass again."""

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import validate_data

from .. import inputs
from ..data.frames import to_floats
from ..errors import InputError
from ..learners.passive_aggressive_regressor import PassiveAggressiveRegressor
from ..passes.insensitive import RealTargets
from ..passes.orders import shuffled
from ..training.regression_run import RealBatch, RegressionPlan, real_rows, regress, updates_of
from ..training.run import Plan
from .batches import Batch, Spool
from .block_files import Projection
from .blocks import Blocks
from .incremental import fit_preparation
from .streamed_problems import BlockStream, Watch


class NumberStream(BlockStream):
    """The rows of blocks in batches, each row with the number that it is to be taught."""

    def block(self, k: int) -> Iterator[Batch]:
        for rows, labels, file, first in self.blocks.frames(k):
            if not len(labels):
                continue
            y = labels if isinstance(labels, np.ndarray) else to_floats(labels, self.blocks.target, first)
            y = np.array(y, dtype=np.float64)  # what cannot be written to is another type for the passes
            if not np.isfinite(y).all():
                row = first + int(np.argmin(np.isfinite(y))) + 1
                raise InputError(f"{file.path} has no finite number to learn ({self.blocks.target}) at row {row}.")
            X = self.blocks.matrix(rows, first)
            yield Batch(inputs.canonical(X) if sp.issparse(X) else np.ascontiguousarray(X), y, first, file.path)


def with_known_width(blocks: Blocks) -> Blocks:
    """The blocks; of libsvm files, with the number of columns that all of them have."""
    if blocks.columns is not None:
        return blocks
    chunks = (chunk for file, place in blocks.places for chunk in file.chunks(place, Projection()))
    return replace(blocks, width=max((chunk.matrix.shape[1] for chunk in chunks), default=0))


def fit_numbers(
    learner: Any,
    model: PassiveAggressiveRegressor,
    blocks: Blocks,
    passes: int | None,
    cache: Any,
    watch: Watch | None,
) -> Any:
    """Fit a regressor, or a pipeline that ends with it, to blocks."""
    model._validate_params()
    blocks = with_known_width(blocks)
    if isinstance(learner, Pipeline):
        blocks, _ = fit_preparation(blocks, learner[:-1])
        learner.steps[:-1] = blocks.prepare.steps
    with nullcontext() if cache is None else Spool(cache) as spool:
        learn_numbers(model, NumberStream(blocks, spool, watch), passes or model.max_iter)
    return learner


def learn_numbers(model: PassiveAggressiveRegressor, stream: NumberStream, passes: int) -> None:
    """Passes over a stream; in cyclic order they end with the weights of memory, to the bit."""
    blocks, go_on = stream.blocks, model.warm_start and hasattr(model, "_end")
    width, names = stream.first_batch().X.shape[1], blocks.names
    frame = np.empty((1, width)) if names is None else pa.table({name: [] for name in names})
    if go_on:
        validate_data(model, frame, skip_check_array=True, reset=False)
    end = model._start(width, go_on)
    orders = Plan(model.order, np.arange(len(blocks), dtype=np.uint32), model._seed(), 0, passes, model.tol)

    def batches(number: int) -> Iterator[RealBatch]:
        visited = 0
        for batch in stream.batches(orders.at(number)):
            row_order = np.arange(len(batch.labels), dtype=np.uint32)
            if model.order == "shuffled":  # drawn by the pass and the rows visited in it before
                row_order = shuffled(row_order, (orders.seed << 32) + (number << 24) + visited)
            visited += len(row_order)
            rows = real_rows(batch.X, float(model.fit_intercept), names)
            yield RealBatch(rows, RealTargets(batch.labels, np.ones(1)), row_order)

    limits = passes, model.tol, model.n_iter_no_change, model.verbose
    before, plan = updates_of(end), RegressionPlan(model._rule(), *limits)
    curve, weights = regress(end, plan, batches)
    validate_data(model, frame, skip_check_array=True, reset=not go_on)
    model._set_learnt(end, curve, weights, updates_of(end) - before)
