"""A run told step by step: by corrections where planes are learnt, by passes where kernels and layers are."""

import base64
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import XorFeatures, record
from .orders import Order

STEPS = 2000
"""The most corrections of a run that are sent."""
FRAMES = 60
"""The most pictures of a run that is drawn as contours."""
GRID = 40
"""Points of a picture, across and upwards."""
LEVELS = 127


@dataclass
class Story:
    """What happened, step by step; step 0 is before the first.

    Attributes
    ----------
    unit : "correction" or "pass", what a step is
    model : the fitted learner
    rows : the rows that were corrected in each step
    counts : corrections up to each step, of which a bound speaks
    mistakes : corrections of each pass
    margins, impossible : the margin of each step, and the one proved out of reach by then; NaN where there is none
    weights, steps, leads, passes : of each step, where a step is the correction of a plane
    loss : of each step, where layers are learnt
    frames : pictures of the scores
    made : corrections of the whole run, more than there are steps if the story is cut
    """

    unit: str
    model: Any
    rows: list[list[int]]
    counts: np.ndarray
    mistakes: np.ndarray
    made: int
    margins: np.ndarray = field(default_factory=lambda: np.empty(0))
    impossible: np.ndarray = field(default_factory=lambda: np.empty(0))
    features: np.ndarray | None = None
    weights: np.ndarray | None = None
    steps: np.ndarray | None = None
    leads: np.ndarray | None = None
    passes: np.ndarray | None = None
    loss: np.ndarray | None = None
    frames: dict[str, Any] | None = None
    result: dict[str, Any] | None = None

    @property
    def lengths(self) -> np.ndarray | None:
        """‖w‖ of each step."""
        return None if self.weights is None else np.linalg.norm(self.weights, axis=1)

    @property
    def travelled(self) -> np.ndarray | None:
        """The sum of the steps so far."""
        return None if self.steps is None else np.append(0.0, np.cumsum(np.abs(self.steps)))


def told(order: Order) -> Story:
    """Learn, and tell how."""
    return by_corrections(order)


def lifted(order: Order, X: np.ndarray) -> np.ndarray:
    """The features that the learner's plane lives among."""
    return X if order.learner.kind == "plane" else XorFeatures().fit(order.X).transform(X)


def with_bias(order: Order, X: np.ndarray) -> np.ndarray:
    """[x; 1], or [x; 0] without a bias."""
    return np.column_stack([X, np.full(len(X), float(order.intercept))])


def by_corrections(order: Order) -> Story:
    """A plane's story, from the library's own record of the run."""
    features = lifted(order, order.X)
    rows = with_bias(order, features)
    trace = record(order.learner.model(**order.params), features, order.y, limit=STEPS)
    one = trace.problems[0]
    weights = np.vstack([np.zeros(rows.shape[1]), np.cumsum(one.steps[:, None] * rows[one.rows], axis=0)])
    lengths = np.linalg.norm(weights, axis=1)
    lowest = (order.signs * (weights @ rows.T)).min(axis=1)
    wrong = one.leads <= 0 if hasattr(trace.learner, "n_mistakes_") else np.ones(len(one), bool)
    story = Story(
        unit="correction",
        model=trace.learner,
        rows=[[i] for i in one.rows.tolist()],
        counts=np.append(0, np.cumsum(wrong)),
        mistakes=np.bincount(one.passes - 1, minlength=trace.learner.n_iter_),
        made=one.made,
        margins=over(lowest, lengths),
        features=features,
        weights=weights,
        steps=one.steps,
        leads=one.leads,
        passes=one.passes,
    )
    story.impossible = over(lengths, story.travelled)
    if order.learner.kind == "map":
        grid = with_bias(order, lifted(order, points_of_grid(order)))
        story.frames = pictures(order, len(one), lambda at: weights[at] @ grid.T)
    story.result = handed_out(order, story)
    return story


def handed_out(order: Order, story: Story) -> dict[str, Any] | None:
    """The plane or picture that the learner predicts with, where it is not that of its last correction."""
    model, last = story.model, story.weights
    if hasattr(model, "voters_"):
        return pictures(order, 0, lambda at: model.decision_function(points_of_grid(order))[None])
    learnt = np.append(model.coef_, model.intercept_)
    if last is None or np.allclose(learnt, last[-1]):
        return None
    if order.learner.kind == "map":
        grid = lifted(order, points_of_grid(order))
        return pictures(order, 0, lambda at: model.decision_function(grid)[None])
    return {"plane": learnt.tolist()}


def over(values: Any, by: Any) -> np.ndarray:
    """values / by, NaN where that is 0."""
    return np.divide(values, by, out=np.full(len(values), np.nan), where=by > 0)


def points_of_grid(order: Order) -> np.ndarray:
    """The points of a picture, line by line from below."""
    left, right, bottom, top = order.view
    x, y = np.meshgrid(np.linspace(left, right, GRID), np.linspace(bottom, top, GRID))
    return np.column_stack([x.ravel(), y.ravel()])


def pictures(order: Order, last: int, scores: Callable[[np.ndarray], np.ndarray]) -> dict[str, Any]:
    """Pictures of the scores after some of the steps 0 … last, at most FRAMES of them, the first and last included."""
    at = np.unique(np.linspace(0, last, FRAMES).astype(int))
    return {"at": at.tolist(), "view": order.view, "size": GRID, "data": [packed(line) for line in scores(at)]}


def packed(scores: np.ndarray) -> str:
    """Scores as signed bytes of their square roots, which keep the sign and are fine near 0; in base64."""
    largest = float(np.abs(scores).max()) or 1.0
    roots = np.sqrt(np.abs(scores) / largest)
    return base64.b64encode((np.sign(scores) * np.ceil(LEVELS * roots)).astype(np.int8).tobytes()).decode()
