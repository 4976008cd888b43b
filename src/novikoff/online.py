"""Learning from one row after the other, each a dict {feature: number}, with the interface of river.

``learn_one``, ``predict_one``, ``learn_many`` and ``predict_many`` of the perceptron, the averaged perceptron and the
passive-aggressive rule.  Features need not be known before: a new one begins with weight 0.  Where river is installed
the learners are river's classifiers, for its pipelines, metrics and checks; they do not need it.

>>> model = OnlinePerceptron()
>>> for word, spam in [("offer", True), ("lunch", False), ("offer", True)]:
...     model.learn_one({word: 1}, spam)
>>> model.predict_one({"offer": 1}), model.predict_one({"lunch": 1, "today": 1})
(True, False)
"""

import math
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any
from zlib import crc32

from .errors import InputError

if TYPE_CHECKING:
    RiverClassifier: Any = object
else:
    try:
        from river.base import MiniBatchClassifier as RiverClassifier
    except ImportError:
        RiverClassifier = object

Row = Mapping[Hashable, float]
Cells = list[tuple[Any, float]]
"""The features of a row with their values."""
BIAS = None
"""The name of the constant feature among the weights; no feature of a row is called so."""
LARGEST_EXPONENT = 700.0
"""Scores beyond this have a logistic function of 0 or 1 in float64."""


class OnlineLearner(RiverClassifier):
    """What the learners share: rows as dicts, labels as they come, a plane for two classes and one each for more.

    The weights of a plane are {feature: weight}.  With two classes there is one plane, for the label that came first;
    with more the joint problem of ``multi_class="joint"``, a plane per class.

    Parameters
    ----------
    classes : the labels that will come, or None to learn them as they come
    hash_bits : None for a weight per feature that has come, or b for 2^b weights, of which features that have the same
        hash share one: the memory does not grow
    fit_intercept : whether to learn a bias, as a weight on a constant feature 1
    """

    average = False
    """Whether predictions are those of the mean of the weights over all rows."""

    def __init__(self, classes: Any = None, hash_bits: int | None = None, fit_intercept: bool = True) -> None:
        self.classes = classes
        self.hash_bits = hash_bits
        self.fit_intercept = fit_intercept
        self.n_rows, self.n_updates = 0, 0
        self.labels: list[Any] = [] if classes is None else list(classes)
        # One plane, of the first label, for up to two labels; else one per label.  Sums are Σ t·s·x over the updates.
        vectors = len(self.labels) if len(self.labels) > 2 else 1
        self.planes: list[dict[Any, float]] = [{} for _ in range(vectors)]
        self.sums: list[dict[Any, float]] = [{} for _ in range(vectors)]

    @property
    def _multiclass(self) -> bool:
        return True

    def _step(self, margin: float, row: Cells, stretch: float) -> float:
        """How long a step is made on a row of this margin; 0 for none.  ``stretch`` is 2 where it moves two planes."""
        raise NotImplementedError

    def learn_one(self, x: Row, y: Any) -> None:
        """Look at one row and its label, and update the weights if the rule asks for it."""
        if y not in self.labels:
            self._add_label(y)
        row = self._row(x)
        if len(self.planes) == 1:
            sign = 1.0 if y == self.labels[0] else -1.0
            step = self._step(sign * dot(self.planes[0], row), row, 1.0)
            if step:
                self._move(0, row, sign * step)
        else:
            self._learn_jointly(row, self.labels.index(y))
        self.n_rows += 1

    def _learn_jointly(self, row: Cells, own: int) -> None:
        """Update on a row whose lead over the strongest rival is too small."""
        scores = [dot(plane, row) for plane in self.planes]
        rival = max((c for c in range(len(scores)) if c != own), key=lambda c: scores[c])
        step = self._step(scores[own] - scores[rival], row, 2.0)
        if step:
            self._move(own, row, step)
            self._move(rival, row, -step)

    def _move(self, c: int, row: Cells, step: float) -> None:
        """Add step · x to plane c; at time t an update is missing from the first t weights of a mean."""
        self.n_updates += 1
        plane = self.planes[c]
        for name, value in row:
            plane[name] = plane.get(name, 0.0) + step * value
        if self.average:
            sums, late = self.sums[c], step * self.n_rows
            for name, value in row:
                sums[name] = sums.get(name, 0.0) + late * value

    def _add_label(self, y: Any) -> None:
        """A label that has not come before; the third makes a plane per class of the one there is."""
        if self.classes is not None:
            raise InputError(f"The label {y!r} is not among classes={self.labels!r}.")
        self.labels.append(y)
        if len(self.labels) == 3:
            self.planes = [halves(self.planes[0], 0.5), halves(self.planes[0], -0.5), {}]
            self.sums = [halves(self.sums[0], 0.5), halves(self.sums[0], -0.5), {}]
        elif len(self.labels) > 3:
            self.planes.append({})
            self.sums.append({})

    def _row(self, x: Row) -> Cells:
        """The features of a row with their values, hashed if they are to be, and the constant one."""
        if self.hash_bits is None:
            row: Cells = list(x.items())
        else:
            mask = (1 << self.hash_bits) - 1
            row = [(crc32(str(name).encode()) & mask, value) for name, value in x.items()]
        if self.fit_intercept:
            row.append((BIAS, 1.0))
        return row

    def scores(self, x: Row) -> dict[Any, float]:
        """The score of every label; of two labels, that of one is the other's with the other sign."""
        row = self._row(x)
        values = [dot(plane, row) for plane in self.planes]
        if self.average and self.n_rows:
            values = [v - dot(sums, row) / self.n_rows for v, sums in zip(values, self.sums, strict=True)]
        if len(values) > 1:
            return dict(zip(self.labels, values, strict=True))
        return dict(zip(self.labels, (values[0], -values[0]), strict=False))

    def predict_one(self, x: Row, **kwargs: Any) -> Any:
        """The label with the largest score, of equal ones the last that came; None before any has."""
        scores = self.scores(x)
        if not scores:
            return None
        return max(reversed(list(scores)), key=scores.__getitem__)

    def predict_proba_one(self, x: Row, **kwargs: Any) -> dict[Any, float]:
        """A logistic (softmax) function of the scores, as river has it: it grows with them, and is not calibrated."""
        scores = self.scores(x)
        if not scores:
            return {}
        highest = max(scores.values())
        parts = {label: math.exp(max(score - highest, -LARGEST_EXPONENT)) for label, score in scores.items()}
        total = sum(parts.values())
        return {label: part / total for label, part in parts.items()}

    def learn_many(self, X: Any, y: Any) -> None:
        """Learn the rows of a frame one after the other: the same as ``learn_one`` of each."""
        for row, label in zip(rows_of(X), list(y), strict=True):
            self.learn_one(row, label)

    def predict_many(self, X: Any) -> Any:
        """The labels of the rows of a frame, as a series."""
        import pandas as pd

        return pd.Series([self.predict_one(row) for row in rows_of(X)], index=X.index, dtype=object).infer_objects()

    def predict_proba_many(self, X: Any) -> Any:
        """The probabilities of the rows of a frame, as a frame with a column per label."""
        import pandas as pd

        return pd.DataFrame([self.predict_proba_one(row) for row in rows_of(X)], index=X.index)


class OnlinePerceptron(OnlineLearner):
    """The perceptron, row by row: while y·(w·x) ≤ 0, w ← w + y·x.

    Parameters are those of ``OnlineLearner``: ``classes``, ``hash_bits`` and ``fit_intercept``.

    Examples
    --------
    >>> from novikoff.online import OnlinePerceptron
    >>> model = OnlinePerceptron()
    >>> for x, y in [({"a": 1}, "left"), ({"b": 1}, "right"), ({"a": 1}, "left")]:
    ...     model.learn_one(x, y)
    >>> model.predict_one({"a": 2}), model.n_updates
    ('left', 2)
    """

    def _step(self, margin: float, row: Cells, stretch: float) -> float:
        return 0.0 if margin > 0 else 1.0


class OnlineAveragedPerceptron(OnlinePerceptron):
    """The perceptron, row by row, that predicts with the mean of its weights over all rows.

    Parameters are those of ``OnlineLearner``: ``classes``, ``hash_bits`` and ``fit_intercept``.

    Examples
    --------
    >>> from novikoff.online import OnlineAveragedPerceptron
    >>> model = OnlineAveragedPerceptron()
    >>> for x, y in [({"a": 1}, 0), ({"b": 1}, 1), ({"a": 1}, 0)]:
    ...     model.learn_one(x, y)
    >>> model.predict_one({"b": 1})
    1
    """

    average = True


class OnlinePassiveAggressive(OnlineLearner):
    """The passive-aggressive rule, row by row: while y·(w·x) < 1, the step that makes it 1, capped or damped.

    Parameters
    ----------
    C : how far a single row may move the plane; unused by ``step="full"``
    step : "full", "capped" (PA-I) or "damped" (PA-II)
    average : whether predictions are those of the mean of the weights over all rows
    classes, hash_bits, fit_intercept : as in ``OnlineLearner``

    Examples
    --------
    >>> from novikoff.online import OnlinePassiveAggressive
    >>> model = OnlinePassiveAggressive(step="full", average=False, fit_intercept=False)
    >>> model.learn_one({"a": 2.0}, True)
    >>> model.scores({"a": 2.0})[True]
    1.0
    """

    def __init__(
        self,
        C: float = 1.0,
        step: str = "capped",
        average: bool = True,
        classes: Any = None,
        hash_bits: int | None = None,
        fit_intercept: bool = True,
    ) -> None:
        super().__init__(classes, hash_bits, fit_intercept)
        if step not in ("full", "capped", "damped"):
            raise InputError(f'step must be "full", "capped" or "damped", not {step!r}.')
        self.C = C
        self.step = step
        self.average = average

    def _step(self, margin: float, row: Cells, stretch: float) -> float:
        if margin >= 1:
            return 0.0
        long = stretch * square(row)
        if self.step == "damped":
            return (1 - margin) / (long + 1 / (2 * self.C))
        full = (1 - margin) / long if long > 0 else 0.0
        return min(self.C, full) if self.step == "capped" else full


LEARNERS = (OnlinePerceptron, OnlineAveragedPerceptron, OnlinePassiveAggressive)
"""All of them; tests and the benchmark go through this table."""


def dot(plane: dict[Any, float], row: Cells) -> float:
    """w·x."""
    get, total = plane.get, 0.0
    for name, value in row:
        total += get(name, 0.0) * value
    return total


def square(row: Cells) -> float:
    """‖x‖²."""
    total = 0.0
    for _, value in row:
        total += value * value
    return total


def halves(plane: dict[Any, float], factor: float) -> dict[Any, float]:
    """A plane times a factor."""
    return {name: factor * weight for name, weight in plane.items()}


def rows_of(X: Any) -> list[dict[Any, float]]:
    """The rows of a frame as dicts."""
    names = list(X.columns)
    return [dict(zip(names, row, strict=True)) for row in X.to_numpy().tolist()]
