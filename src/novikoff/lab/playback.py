"""A run told step by step: by updates, or by passes where layers are learnt."""

import base64
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics.pairwise import pairwise_kernels

from .. import Trace, XorFeatures, record
from ..theory.trace import Updates
from .request import Order

STEPS = 2000
"""The most updates of a run that are sent."""
FRAMES = 61
"""The most pictures of a run that is drawn as contours."""
GRID = 40
"""Points of a picture, across and upwards."""
LEVELS = 127


@dataclass
class Story:
    """What happened, step by step; step 0 is before the first.

    Attributes
    ----------
    unit : "update", or "pass" where layers are learnt: what a step is
    model : the fitted learner
    rows : the rows that were updated in each step; of layers, those that are wrong after it
    mistakes : updates of each pass; of layers, rows that are wrong after it
    made : steps of the whole run, more than there are here if the story is cut
    frames : pictures of the scores, where they are not those of a plane
    result : what the learner predicts with, where it is not what the last step shows
    loss : of each step of layers

    And where a step is an update:

    features : the rows as the learner saw them
    trace : the library's record of the run
    weights : [w; b] of each step, of learners that have them
    lengths, margins, impossible : ‖w‖, the margin, and the one proved out of reach by then; NaN where there is none
    counts : updates so far, of which a bound speaks
    """

    unit: str
    model: Any
    rows: list[list[int]]
    mistakes: np.ndarray
    made: int
    frames: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    loss: np.ndarray | None = None
    features: np.ndarray | None = None
    trace: Trace | None = None
    weights: np.ndarray | None = None
    lengths: np.ndarray | None = None
    margins: np.ndarray | None = None
    impossible: np.ndarray | None = None
    counts: np.ndarray | None = None

    @property
    def updates(self) -> Updates | None:
        """The updates, in order."""
        return None if self.trace is None else self.trace.problems[0]

    @property
    def travelled(self) -> np.ndarray | None:
        """The sum of the steps so far."""
        return None if self.updates is None else np.append(0.0, np.cumsum(np.abs(self.updates.steps)))


def told(order: Order) -> Story:
    """Learn, and tell how."""
    return of_layers(order) if order.learner.kind == "layers" else by_updates(order)


def by_updates(order: Order) -> Story:
    """The story of a plane, or of a function that a kernel makes, from the library's own record of the run."""
    features = lifted(order, order.X)
    trace = record(order.learner.made(order.params), features, order.y, limit=STEPS)
    one = trace.problems[0]
    wrong = one.leads <= 0 if hasattr(trace.learner, "n_mistakes_") else np.ones(len(one), bool)
    story = Story(
        unit="update",
        model=trace.learner,
        rows=[[i] for i in one.rows.tolist()],
        mistakes=np.bincount(one.passes - 1, minlength=trace.learner.n_iter_),
        made=one.made,
        features=features,
        trace=trace,
        counts=np.append(0, np.cumsum(wrong)),
    )
    if order.learner.kind == "kernel":
        watch_function(order, story, one)
    else:
        watch_plane(order, story, one)
    story.impossible = over(story.lengths, story.travelled)
    return story


def watch_plane(order: Order, story: Story, one: Updates) -> None:
    """The weights of every step; among other features than the coordinates, pictures of them too."""
    rows = with_bias(order, lifted(order, order.X))
    weights = np.vstack([np.zeros(rows.shape[1]), np.cumsum(one.steps[:, None] * rows[one.rows], axis=0)])
    story.weights, story.lengths = weights, np.linalg.norm(weights, axis=1)
    story.margins = over((order.signs * (weights @ rows.T)).min(axis=1), story.lengths)
    if order.learner.kind == "map":
        grid = with_bias(order, lifted(order, points_of_grid(order)))
        story.frames = pictures(order, len(one), lambda at: weights[at] @ grid.T)
    story.result = handed_out(order, story)


def watch_function(order: Order, story: Story, one: Updates) -> None:
    """The coefficients of every step, and pictures of f = Σ coefficient·κ(x, ·)."""
    moves = np.zeros((len(one) + 1, len(order.y)))
    moves[np.arange(1, len(one) + 1), one.rows] = one.steps
    dual = np.cumsum(moves, axis=0)
    scores = dual @ kernel_of(story.model, order.X, order.X)
    story.lengths = np.sqrt(np.maximum((scores * dual).sum(axis=1), 0.0))
    story.margins = over((order.signs * scores).min(axis=1), story.lengths)
    grid = kernel_of(story.model, order.X, points_of_grid(order))
    story.frames = pictures(order, len(one), lambda at: dual[at] @ grid)


def kernel_of(model: Any, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """κ of every pair."""
    chosen = {"gamma": model.gamma_, "degree": model.degree, "coef0": model.coef0}
    found: np.ndarray = pairwise_kernels(X, Z, metric=model.kernel, filter_params=True, **chosen)
    return found


def lifted(order: Order, X: np.ndarray) -> np.ndarray:
    """The features that the learner's plane lives among."""
    return XorFeatures().fit(order.X).transform(X) if order.learner.kind == "map" else X


def with_bias(order: Order, X: np.ndarray) -> np.ndarray:
    """[x; 1], or [x; 0] without a bias."""
    return np.column_stack([X, np.full(len(X), float(order.intercept))])


def handed_out(order: Order, story: Story) -> dict[str, Any] | None:
    """The plane or picture that the learner predicts with, where it is not that of its last update."""
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


def of_layers(order: Order) -> Story:
    """A network's story, pass by pass."""
    model, passes = order.learner.made(order.params), order.params["max_iter"]
    grid, drawn = points_of_grid(order), set(frames_of(passes).tolist())
    loss, wrong, scores = [np.nan], [], [np.zeros(len(grid))]
    for number in range(1, passes + 1):
        model.partial_fit(order.X, order.y, classes=[0, 1])
        loss.append(model.network_.loss_)
        looked_at = np.vstack([order.X, grid]) if number in drawn else order.X
        found = model.predict_proba(looked_at)[:, 1] - 0.5
        wrong.append(np.flatnonzero((found[: len(order.y)] > 0) != order.y).tolist())
        if number in drawn:
            scores.append(found[len(order.y) :])
    return Story(
        unit="pass",
        model=model,
        rows=wrong,
        mistakes=np.array([len(rows) for rows in wrong]),
        made=passes,
        loss=np.array(loss),
        frames=pictures(order, passes, lambda at: np.array(scores)),
    )


def over(values: Any, by: Any) -> np.ndarray:
    """values / by, NaN where that is 0."""
    return np.divide(values, by, out=np.full(len(values), np.nan), where=by > 0)


def points_of_grid(order: Order) -> np.ndarray:
    """The points of a picture, line by line from below."""
    left, right, bottom, top = order.view
    x, y = np.meshgrid(np.linspace(left, right, GRID), np.linspace(bottom, top, GRID))
    return np.column_stack([x.ravel(), y.ravel()])


def frames_of(last: int) -> np.ndarray:
    """The steps of which there are pictures."""
    return np.unique(np.linspace(0, last, FRAMES).astype(int))


def pictures(order: Order, last: int, scores: Callable[[np.ndarray], np.ndarray]) -> dict[str, Any]:
    """Pictures of the scores after some of the steps 0 … last, at most FRAMES of them, the first and last included."""
    at = frames_of(last)
    return {"at": at.tolist(), "view": order.view, "size": GRID, "data": [packed(line) for line in scores(at)]}


def packed(scores: np.ndarray) -> str:
    """Scores as signed bytes of their square roots, which keep the sign and are fine near 0; in base64."""
    largest = float(np.abs(scores).max()) or 1.0
    roots = np.sqrt(np.abs(scores) / largest)
    return base64.b64encode((np.sign(scores) * np.ceil(LEVELS * roots)).astype(np.int8).tobytes()).decode()
