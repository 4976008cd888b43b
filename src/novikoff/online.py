"""Learning from one row after the other, each a dict {feature: number}, with the interface of river.

``learn_one``, ``predict_one``, ``learn_many`` and ``predict_many`` of the perceptron, the averaged perceptron, the
passive-aggressive rule and AROW.  Features need not be known before: a new one begins with weight 0.  Where river is
installed the learners are river's classifiers, for its pipelines, metrics and checks; they do not need it.

>>> model = OnlinePerceptron()
>>> for word, spam in [("offer", True), ("lunch", False), ("offer", True)]:
...     model.learn_one({word: 1}, spam)
>>> model.predict_one({"offer": 1}), model.predict_one({"lunch": 1, "today": 1})
(True, False)
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from operator import mul
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
ZEROS = repeat(0.0)
"""What features weigh that have not come yet."""
LARGEST_EXPONENT = 700.0
"""Scores beyond this have a logistic function of 0 or 1 in float64."""


@dataclass(slots=True)
class Plane:
    """The weights of a plane, {feature: weight}, and its bias; a feature that has not come yet has weight 0."""

    weights: dict[Any, float] = field(default_factory=dict)
    bias: float = 0.0

    def score(self, row: Row) -> float:
        """w·x + b."""
        return sum(map(mul, map(self.weights.get, row, ZEROS), row.values()), self.bias)

    def move(self, row: Row, step: float, bias: float) -> None:
        """Add step · x, and so much to the bias."""
        weights = self.weights
        for name, value in row.items():
            weights[name] = weights.get(name, 0.0) + step * value
        self.bias += bias

    def times(self, factor: float) -> "Plane":
        """The plane times a factor."""
        return Plane({name: factor * weight for name, weight in self.weights.items()}, factor * self.bias)


class OnlineLearner(RiverClassifier):
    """What the learners share: rows as dicts, labels as they come, a plane for two classes and one each for more.

    With two classes there is one plane, for the label that came first; with more the joint problem of
    ``multi_class="joint"``, a plane per class.

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
        self.enough = 0.0
        """The margin beyond which a row asks for no update."""
        self.labels: list[Any] = [] if classes is None else list(classes)
        # One plane, of the first label, for up to two labels; else one per label.  Sums are Σ t·s·x over the updates.
        vectors = len(self.labels) if len(self.labels) > 2 else 1
        self.planes = [Plane() for _ in range(vectors)]
        self.sums = [Plane() for _ in range(vectors)]
        # A row that was predicted, as it was, and its scores: learning it next need not score it again.
        self._predicted: Row | None = None
        self._scores: Sequence[float] = ()

    @property
    def planes(self) -> list[Plane]:
        """The planes, one of the first label for up to two labels, else one per label."""
        return self._planes

    @planes.setter
    def planes(self, planes: list[Plane]) -> None:
        self._planes = planes
        self._only = planes[0] if len(planes) == 1 else None
        self._direct = self._only if self.hash_bits is None and not self.average else None

    @property
    def _multiclass(self) -> bool:
        return True

    def _step(self, margin: float, row: Row, moved: tuple[int, ...]) -> float:
        """How long a step is made on a row of this margin; 0 for none.  ``moved`` are the planes that it moves."""
        raise NotImplementedError

    def learn_one(self, x: Row, y: Any) -> None:
        """Look at one row and its label, and update the weights if the rule asks for it."""
        labels = self.labels
        if y not in labels:
            self._add_label(y)
        row = x if self.hash_bits is None else self._hashed(x)
        known, plane = row == self._predicted, self._only
        if plane is None:
            scores = self._scores if known else [plane.score(row) for plane in self.planes]
            self._learn_jointly(row, scores, labels.index(y))
        else:
            sign = 1.0 if y == labels[0] else -1.0
            margin = sign * (self._scores[0] if known else plane.score(row))
            if margin <= self.enough and (step := self._step(margin, row, (0,))):
                self._move(0, row, sign * step)
        self.n_rows += 1

    def _learn_jointly(self, row: Row, scores: Sequence[float], own: int) -> None:
        """Update on a row whose margin over the strongest rival is too small."""
        rival = max((c for c in range(len(scores)) if c != own), key=scores.__getitem__)
        margin = scores[own] - scores[rival]
        if margin <= self.enough and (step := self._step(margin, row, (own, rival))):
            self._move(own, row, step)
            self._move(rival, row, -step)

    def _move(self, c: int, row: Row, step: float) -> None:
        """Add step · x to plane c; at time t an update is missing from the first t weights of a mean."""
        self.n_updates += 1
        self._predicted = None
        self.planes[c].move(row, step, step * self.fit_intercept)
        if self.average:
            late = step * self.n_rows
            self.sums[c].move(row, late, late * self.fit_intercept)

    def _add_label(self, y: Any) -> None:
        """A label that has not come before; the third makes a plane per class of the one there is."""
        if self.classes is not None:
            raise InputError(f"The label {y!r} is not among classes={self.labels!r}.")
        self.labels.append(y)
        self._predicted = None
        if len(self.labels) == 3:
            self.planes = [self.planes[0].times(0.5), self.planes[0].times(-0.5), Plane()]
            self.sums = [self.sums[0].times(0.5), self.sums[0].times(-0.5), Plane()]
        elif len(self.labels) > 3:
            self.planes = [*self.planes, Plane()]
            self.sums.append(Plane())

    def _hashed(self, x: Row) -> Row:
        """The row with a number below 2^b for the name of every feature; values of the same number are added."""
        mask = (1 << (self.hash_bits or 0)) - 1
        row: dict[Any, float] = {}
        for name, value in x.items():
            number = crc32(str(name).encode()) & mask
            row[number] = row.get(number, 0.0) + value
        return row

    def _scores_of(self, x: Row) -> list[float]:
        """The score of every plane that predicts."""
        row: Row = x.copy() if type(x) is dict else dict(x)
        if self.hash_bits is not None:
            row = self._hashed(row)
        scores = [plane.score(row) for plane in self.planes]
        self._predicted, self._scores = row, scores
        if self.average and self.n_rows:
            return [v - sums.score(row) / self.n_rows for v, sums in zip(scores, self.sums, strict=True)]
        return scores

    def scores(self, x: Row) -> dict[Any, float]:
        """The score of every label; of two labels, that of one is the other's with the other sign."""
        values = self._scores_of(x)
        if len(values) > 1:
            return dict(zip(self.labels, values, strict=True))
        return dict(zip(self.labels, (values[0], -values[0]), strict=False))

    def predict_one(self, x: Row, **kwargs: Any) -> Any:
        """The label with the largest score, of equal ones the last that came; None before any has."""
        labels, plane = self.labels, self._direct
        if plane is not None and type(x) is dict:  # as below, without calls: here a stream of rows spends its time
            score = sum(map(mul, map(plane.weights.get, x, ZEROS), x.values()), plane.bias)
            self._predicted, self._scores = x.copy(), (score,)
        else:
            scores = self._scores_of(x)
            if len(scores) > 1:
                return labels[max(reversed(range(len(scores))), key=scores.__getitem__)]
            score = scores[0]
        if not labels:
            return None
        return labels[0] if score > 0 else labels[-1]

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

    def _step(self, margin: float, row: Row, moved: tuple[int, ...]) -> float:
        return 1.0


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
        self.average = average
        super().__init__(classes, hash_bits, fit_intercept)
        if step not in ("full", "capped", "damped"):
            raise InputError(f'step must be "full", "capped" or "damped", not {step!r}.')
        self.C = C
        self.step = step
        self.enough = 1.0

    def _step(self, margin: float, row: Row, moved: tuple[int, ...]) -> float:
        long = len(moved) * (sum(map(mul, row.values(), row.values())) + self.fit_intercept)
        if self.step == "damped":
            return (1 - margin) / (long + 1 / (2 * self.C))
        full = (1 - margin) / long if long > 0 else 0.0
        return min(self.C, full) if self.step == "capped" else full


class OnlineAROW(OnlineLearner):
    """AROW, row by row, with a variance σ of every weight: while y·(w·x) < 1, w ← w + (1 − y·(w·x))·β·y·σ·x.

    With β = 1/(Σ σ·x² + r), and then σ ← σ − β·(σ·x)²; σ is 1 at first.  Of several classes the sum is that of the own
    class and its strongest rival.

    Parameters
    ----------
    r : how strongly a single row is distrusted: the larger, the shorter the steps
    classes, hash_bits, fit_intercept : as in ``OnlineLearner``

    Examples
    --------
    >>> from novikoff.online import OnlineAROW
    >>> model = OnlineAROW(fit_intercept=False)
    >>> model.learn_one({"a": 1.0}, True)
    >>> model.scores({"a": 1.0})[True]
    0.5
    """

    def __init__(
        self, r: float = 1.0, classes: Any = None, hash_bits: int | None = None, fit_intercept: bool = True
    ) -> None:
        super().__init__(classes, hash_bits, fit_intercept)
        if not r > 0:
            raise InputError(f"r must be a positive number, not {r!r}.")
        self.r = r
        self.enough = 1.0
        self.reductions = [Plane() for _ in self.planes]
        """What every variance is below 1."""
        self._shrink = 0.0

    def _step(self, margin: float, row: Row, moved: tuple[int, ...]) -> float:
        variance = 0.0
        for c in moved:
            less = self.reductions[c]
            variance += sum([(1 - less.weights.get(name, 0.0)) * value * value for name, value in row.items()])
            variance += (1 - less.bias) * self.fit_intercept
        self._shrink = 1 / (variance + self.r)
        return (1 - margin) * self._shrink

    def _move(self, c: int, row: Row, step: float) -> None:
        """Add step · σ · x to plane c, and lower its variances."""
        self.n_updates += 1
        self._predicted = None
        plane, less, shrink = self.planes[c], self.reductions[c], self._shrink
        weights, lower = plane.weights, less.weights
        for name, value in row.items():
            below = lower.get(name, 0.0)
            change = (1 - below) * value
            weights[name] = weights.get(name, 0.0) + step * change
            lower[name] = below + shrink * change * change
        if self.fit_intercept:
            change = 1 - less.bias
            plane.bias += step * change
            less.bias += shrink * change * change

    def _add_label(self, y: Any) -> None:
        """A new label has the variances of nobody; the third leaves the first two those of their plane."""
        super()._add_label(y)
        if len(self.labels) == 3:
            self.reductions = [self.reductions[0].times(1.0), self.reductions[0].times(1.0), Plane()]
        elif len(self.labels) > 3:
            self.reductions.append(Plane())


LEARNERS = (OnlinePerceptron, OnlineAveragedPerceptron, OnlinePassiveAggressive, OnlineAROW)
"""All of them; tests and the benchmark go through this table."""


def rows_of(X: Any) -> list[dict[Any, float]]:
    """The rows of a frame as dicts."""
    names = list(X.columns)
    return [dict(zip(names, row, strict=True)) for row in X.to_numpy().tolist()]
