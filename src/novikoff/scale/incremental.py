"""Steps before a learner, fitted row by row: scalers by ``partial_fit``, encoders by the values met."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MaxAbsScaler, OneHotEncoder
from sklearn.utils import get_tags

from ..data.readers import with_width
from ..errors import InputError
from ..inputs import canonical
from .blocks import Blocks

MOST_VALUES = 2**20
"""Different values of a category."""


def fit_preparation(blocks: Blocks, prepare: Any) -> tuple[Blocks, int]:
    """The blocks with a preparation that has seen all rows once, and the number of these rows."""
    rows = 0

    def counted() -> Iterator[Any]:
        nonlocal rows
        for frame in frames(blocks):
            yield frame
            rows += frame.shape[0]

    fitted = fit_by_parts(prepare, counted())
    if not rows:
        raise InputError(f"{blocks.files[0].path} has no rows with a label.")
    return replace(blocks, prepare=fitted), rows


def fit_by_parts(prepare: Any, parts: Iterable[Any]) -> Any:
    """A preparation that has seen all rows once; None if there are none."""
    fitted, sample = incremental_fit(clone(prepare)), None
    for part in parts:
        sample = part if sample is None else sample
        fitted.partial_fit(part)
    return None if sample is None else fitted.finish(sample)


def frames(blocks: Blocks) -> Iterator[Any]:
    """All rows, as a preparation takes them."""
    for k in range(len(blocks)):
        for rows, labels, _, first in blocks.frames(k):
            if len(labels):
                yield with_width(rows, blocks.width) if blocks.columns is None else blocks.frame(rows, first)


def incremental_fit(step: Any) -> "IncrementalFit":
    """How a step is fitted."""
    if isinstance(step, Pipeline):
        return PipelineSteps(step)
    if isinstance(step, ColumnTransformer):
        return ColumnSteps(step)
    if isinstance(step, OneHotEncoder):
        return CategoryValues(step)
    if step == "passthrough" or step == "drop" or not get_tags(step).requires_fit or is_constant(step):
        return IncrementalFit(step)
    if type(step) is MaxAbsScaler:
        return LargestEntries(step)
    if hasattr(step, "partial_fit"):
        return PartialFit(step)
    raise InputError(
        f"{type(step).__name__} needs all rows at once, which a stream does not have: use steps with partial_fit "
        "such as StandardScaler, OneHotEncoder, or steps that learn nothing such as HashingVectorizer."
    )


def is_constant(step: Any) -> bool:
    """Whether it fills in a value that is given."""
    return isinstance(step, SimpleImputer) and step.strategy == "constant"


class IncrementalFit:
    """The fit of a step that has nothing to learn."""

    def __init__(self, step: Any) -> None:
        self.step = step

    def partial_fit(self, X: Any) -> None:
        """Take some rows into account."""

    def finish(self, sample: Any) -> Any:
        """The step, fitted; its other attributes are those of any rows."""
        return self.step if isinstance(self.step, str) else self.step.fit(sample)


class PartialFit(IncrementalFit):
    """The fit of a step that has ``partial_fit``."""

    def partial_fit(self, X: Any) -> None:
        self.step.partial_fit(X)

    def finish(self, sample: Any) -> Any:
        return self.step


class LargestEntries(PartialFit):
    """The fit of a scaler by the largest entry of every column, which of sparse rows scikit-learn sorts by column."""

    def __init__(self, step: Any) -> None:
        super().__init__(step)
        self.largest: np.ndarray | None = None
        self.rows = 0

    def partial_fit(self, X: Any) -> None:
        if not sp.issparse(X) or X.format != "csr":
            super().partial_fit(X)
            return
        X = canonical(X)
        if self.largest is None:
            self.largest = np.zeros(X.shape[1])
        np.fmax.at(self.largest, X.indices, np.abs(X.data))  # NaN is passed over, as by scikit-learn
        self.rows += X.shape[0]

    def finish(self, sample: Any) -> Any:
        if self.largest is not None:
            self.step.fit(self.largest[np.newaxis]).n_samples_seen_ = self.rows  # a row of them has the same largest
        return self.step


class CategoryValues(IncrementalFit):
    """The fit of an encoder, by the values of every column."""

    def __init__(self, step: Any) -> None:
        super().__init__(step)
        self.values: dict[str, set[Any]] = {}

    def partial_fit(self, X: Any) -> None:
        for name in X.columns:
            values = self.values.setdefault(name, set())
            values.update(X[name].unique().tolist())
            if len(values) > MOST_VALUES:
                raise InputError(f"Column {name!r} has more than {MOST_VALUES:,} different values: leave it out.")

    def finish(self, sample: Any) -> Any:
        categories = [np.array(sorted(values), dtype=object) for values in self.values.values()]
        return self.step.set_params(categories=categories).fit(sample)


class PipelineSteps(IncrementalFit):
    """The fit of steps after each other, one of which at most has something to learn."""

    def __init__(self, step: Any) -> None:
        super().__init__(step)
        self.fits = [incremental_fit(one) for _, one in step.steps]
        learning = [k for k, one in enumerate(self.fits) if type(one) is not IncrementalFit]
        if len(learning) > 1:
            raise InputError("Of the steps of a pipeline for a stream only one may learn from the rows.")
        self.learning = learning[0] if learning else 0

    def partial_fit(self, X: Any) -> None:
        for _, one in self.step.steps[: self.learning]:
            X = X if isinstance(one, str) else one.fit_transform(X)
        self.fits[self.learning].partial_fit(X)

    def finish(self, sample: Any) -> Any:
        for k, (name, _) in enumerate(self.step.steps):
            fitted = self.fits[k].finish(sample)
            self.step.steps[k] = name, fitted
            sample = sample if isinstance(fitted, str) else fitted.transform(sample)
        return self.step


class ColumnSteps(IncrementalFit):
    """The fit of steps that each take some columns of a frame."""

    def __init__(self, step: Any) -> None:
        super().__init__(step)
        self.fits = [(name, incremental_fit(one), columns) for name, one, columns in step.transformers]

    def partial_fit(self, X: Any) -> None:
        for _, one, columns in self.fits:
            one.partial_fit(X[columns])

    def finish(self, sample: Any) -> Any:
        steps = {name: one.finish(sample[columns]) for name, one, columns in self.fits}
        self.step.transformers = [(name, steps[name], columns) for name, _, columns in self.fits]
        self.step.fit(sample)  # learns the widths; the steps within it are then those that saw all rows
        fitted = self.step.transformers_
        self.step.transformers_ = [(name, steps.get(name, one), columns) for name, one, columns in fitted]
        return self.step
