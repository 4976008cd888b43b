"""Learning from files larger than memory: every pass reads them again, and ends as it would in memory.

The rows come in batches of a few megabytes, one of which is read while another is worked on.  The rules, the loop of
passes and all that it proves are those of the learners; only the rows are not all there at once.
"""

import os
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import validate_data

from .. import inputs
from ..atomic import remove
from ..data.labels import class_of
from ..data.open_files import Reading
from ..errors import InputError, check_columns, tell
from ..learners.base import LinearLearner
from ..learners.passive_aggressive_regressor import PassiveAggressiveRegressor
from ..registry import LEARNERS
from ..training.checkpoint import Checkpoint, checkpointing
from ..training.outcomes import warn
from .batches import Spool
from .blocks import Blocks, LabelCounts, blocks_of
from .incremental import fit_preparation
from .number_stream import fit_numbers
from .streamed_problems import Stream, Watch, stream_problems, streamed_set

NO_LOOK = 2**28
"""Bytes of files up to which the labels are always looked at first, to know how many rows there are."""


def fit_stream(
    learner: Any,
    source: Any,
    target: str | None = None,
    *,
    passes: int | None = None,
    classes: Any = None,
    columns: Iterable[str] | None = None,
    missing: str = "refuse",
    reading: Reading | None = None,
    cache: Any = None,
    checkpoint: Any = None,
    checkpoint_every: float = 60.0,
    watch: Watch | None = None,
) -> Any:
    """Train on files that need not fit into memory.

    In cyclic order the model is the one that ``learner.fit`` makes of all rows in memory, to the bit.  In shuffled
    order the blocks of the files (row groups, record batches, ranges of lines) come in random order, and the rows of
    a batch in random order within.  "separated" means what it does in memory: a full pass without a mistake.

    Parameters
    ----------
    learner : one that takes rows as they come, such as Perceptron, PassiveAggressiveClassifier or
        PassiveAggressiveRegressor (whose target is a column of numbers); or a Pipeline that
        ends with one and begins with steps that learn row by row (with ``partial_fit``, or OneHotEncoder), or not at
        all (HashingVectorizer), also in a ColumnTransformer: they are given frames of the columns
    source : a file, a folder, a pattern such as "data/*.parquet", or a list of these: Parquet, Feather, CSV or libsvm
    target : the column with the classes; libsvm files have none
    passes : the most passes; by default the learner's max_iter
    classes : all labels; by default they are found in a first pass over the target
    columns : the columns to train on; by default all others, which must hold numbers unless there is a pipeline
    missing : "refuse"; "drop" to leave out rows without a label or a value; or "impute", rows without a label only, as
        the pipeline fills values in
    reading : how text files are written, where it cannot be found by looking
    cache : a folder with room for all rows as numbers: the first pass writes them there, the later ones read them from
        there, which is many times faster than to read, convert and prepare them again; nothing is left behind
    checkpoint, checkpoint_every : a file to save the state of the run in after a pass, and to go on from; and the
        seconds between two savings
    watch : called with the rows read in this pass so far and in all

    Returns
    -------
    The learner, fitted.
    """
    model = learner[-1] if isinstance(learner, Pipeline) else learner
    numbers = isinstance(model, PassiveAggressiveRegressor)
    check_streams(model)
    if passes is not None and passes < 1:
        raise InputError(f"passes must be at least 1, not {passes}.")
    blocks = choose_columns(blocks_of(source, target, reading, missing=missing), columns)
    for note in blocks.columns.notes if blocks.columns else ():
        tell(note)
    if numbers:
        if classes is not None or checkpoint is not None:
            raise InputError("A regression has no classes, and its stream no checkpoints: leave both out.")
        if not isinstance(learner, Pipeline):
            check_all_numbers(blocks)
        return fit_numbers(learner, model, blocks, passes, cache, watch)
    labels = count_labels(blocks, classes)
    blocks = replace(blocks, width=labels.width)
    if isinstance(learner, Pipeline):
        blocks, _ = fit_preparation(blocks, learner[:-1])
        learner.steps[:-1] = blocks.prepare.steps
    else:
        check_all_numbers(blocks)
    if checkpoint is None:
        with nullcontext() if cache is None else Spool(cache) as spool:
            learn(model, blocks, labels, passes, spool, watch)
        return learner
    fit_id = stream_fit_id(model, blocks)
    with (
        nullcontext() if cache is None else Spool(cache) as spool,
        checkpointing(Checkpoint(Path(checkpoint), checkpoint_every, fit_id)),
    ):
        learn(model, blocks, labels, passes, spool, watch)
    remove(Path(checkpoint))
    return learner


def stream_fit_id(model: LinearLearner, blocks: Blocks) -> str:
    """What tells one fit from another: the learner, and the files as they are."""
    what = model.get_params(), [(file.path, file.stamp) for file in blocks.files], blocks.target, blocks.columns
    return f"{type(model).__name__} {what} {blocks.fraction}"


def learn(
    model: LinearLearner,
    blocks: Blocks,
    labels: LabelCounts,
    passes: int | None,
    spool: Spool | None,
    watch: Watch | None,
) -> None:
    """Fit a learner to blocks."""
    model._validate_params()
    go_on = model.warm_start and hasattr(model, "classes_")
    stream = Stream(blocks, labels, class_weights(model, labels), spool, watch)
    names = blocks.names
    frame = np.empty((1, stream.width)) if names is None else pa.table({name: [] for name in names})
    if go_on:
        validate_data(model, frame, skip_check_array=True, reset=False)
        inputs.check_same_classes(labels.classes, model.classes_)
    rows = streamed_set(stream)
    plan = model._plan(rows, passes or model.max_iter, 0, fitting=False)
    groups, outcomes = model._train(rows, model._continued() if go_on else None, plan, partial(stream_problems, stream))
    validate_data(model, frame, skip_check_array=True, reset=not go_on)
    model._set_learnt(outcomes, rows.classes, groups[0].update_radius, rows.sample_weight, groups, go_on)
    warn(model, outcomes, streamed=True)


def check_streams(model: Any) -> None:
    """Raise unless its passes can take rows as they come."""
    names = [entry.name for entry in LEARNERS if entry.streams]
    others = {entry.name for entry in LEARNERS if not entry.streams}
    known = [base.__name__ for base in type(model).__mro__ if base.__name__ in {*names, *others}]
    if not isinstance(model, PassiveAggressiveRegressor) and (not known or known[0] in others):
        raise InputError(
            f"{type(model).__name__} needs all rows at once, so it cannot learn from a stream: choose "
            f"{', '.join(names[:-1])} or {names[-1]}."
        )
    if model.order == "active":
        raise InputError("order='active' goes back to single rows, which a stream cannot: choose 'shuffled'.")
    if getattr(model, "calibrated", False):
        raise InputError("calibrated needs scores of rows held out, which a stream does not keep: set it to False.")
    if model.early_stopping:
        raise InputError("early_stopping holds rows out, which a stream does not: set passes instead.")


def check_all_numbers(blocks: Blocks) -> None:
    """Raise unless all columns hold numbers."""
    for name, kind in (blocks.columns.kinds if blocks.columns else {}).items():
        if kind != "number":
            raise InputError(
                f"Column {name!r} of {blocks.files[0].path} holds no numbers ({kind}): leave it out with "
                "columns=, or put a step before the learner that encodes it, such as HashingVectorizer for text."
            )


def choose_columns(blocks: Blocks, columns: Iterable[str] | None) -> Blocks:
    """The blocks with these columns only."""
    if columns is None or blocks.columns is None:
        return blocks
    columns = [columns] if isinstance(columns, str) else list(columns)
    check_columns(blocks.columns.kinds, columns, blocks.files[0].path)
    kinds = {name: blocks.columns.kinds[name] for name in columns}
    return replace(blocks, columns=replace(blocks.columns, kinds=kinds))


def count_labels(blocks: Blocks, classes: Any) -> LabelCounts:
    """What is known of the rows before the first pass; of large tables whose classes are given, nothing more."""
    if classes is None:
        return blocks.label_counts()
    known = np.unique(classes)
    if len(known) < 2:
        raise InputError(f"There must be at least two classes, but classes={known.tolist()}.")
    if blocks.columns is not None and sum(os.path.getsize(file.path) for file in blocks.files) > NO_LOOK:
        return LabelCounts(known, np.zeros(len(known), dtype=int), (), 0)
    counted = blocks.label_counts()
    counts = dict(zip(map(str, counted.classes.tolist()), counted.counts.tolist(), strict=True))
    labels = [str(class_of(label, whole=False)) for label in known.tolist()]
    if unknown := sorted(set(counts) - set(labels)):
        raise InputError(f"{blocks.files[0].path} has the label {unknown[0]!r}, not in classes={known.tolist()}.")
    return replace(counted, classes=known, counts=np.array([counts.get(label, 0) for label in labels]))


def class_weights(model: LinearLearner, labels: LabelCounts) -> np.ndarray:
    """The sample weight of the rows of every class, or one for all."""
    if model.class_weight is None:
        return np.ones(1)
    counted = labels.counts.any()
    if model.class_weight == "balanced" and not counted:
        raise InputError("class_weight='balanced' needs the numbers of rows of every class: leave classes away.")
    weights = inputs.class_weights(model.class_weight, labels.classes, labels.counts)
    inputs.check_weights(weights)
    counting = labels.classes[weights * labels.counts > 0 if counted else weights > 0]
    if len(counting) < 2:
        raise inputs.too_few_classes(model, counting)
    return weights
