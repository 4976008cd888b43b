"""A run told step by step: by corrections where planes are learnt, by passes where kernels and layers are."""

import base64
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics.pairwise import pairwise_kernels

from .. import Trace, XorFeatures, record
from .orders import Order

STEPS = 2000
"""The most corrections of a run that are sent."""
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
    unit : "correction" or "pass", what a step is
    model : the fitted learner
    rows : the rows that were corrected in each step
    counts : corrections up to each step, of which a bound speaks
    mistakes : corrections of each pass; of layers, points that are wrong after it
    margins, impossible : the margin of each step, and the one proved out of reach by then; NaN where there is none
    features, trace, weights, steps, leads, passes : of each step, where a step is the correction of a plane
    loss : of each step, where layers are learnt
    frames : pictures of the scores
    made : corrections of the whole run, more than there are steps if the story is cut
    """

    unit: str
    model: Any
    rows: list[list[int]]
    mistakes: np.ndarray
    made: int
    counts: np.ndarray | None = None
    margins: np.ndarray | None = None
    impossible: np.ndarray | None = None
    features: np.ndarray | None = None
    trace: Trace | None = None
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
    return {"kernel": of_kernel, "layers": of_layers}.get(order.learner.kind, by_corrections)(order)


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
    trace = record(order.learner.made(order.params), features, order.y, limit=STEPS)
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
        trace=trace,
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


def of_kernel(order: Order) -> Story:
    """A kernel's story, pass by pass: the passes of ``partial_fit`` are those of the run."""
    model = order.learner.made(order.params).fit(order.X, order.y)
    parts, made = order.learner.made(order.params), []
    for _ in range(model.n_iter_):
        parts.partial_fit(order.X, order.y, classes=[0, 1])
        made.append(parts.update_counts_)
    counts = np.array(made)
    dual = np.vstack([np.zeros(len(order.y)), model.eta0 * order.signs * np.cumsum(counts, axis=0)])
    scores = dual @ kernel_of(model, order.X, order.X)
    lengths = np.sqrt((scores * dual).sum(axis=1))
    totals = np.append(0, np.cumsum(counts.sum(axis=1)))
    grid = kernel_of(model, order.X, points_of_grid(order))
    return Story(
        unit="pass",
        model=model,
        rows=[np.flatnonzero(line).tolist() for line in counts],
        counts=totals,
        mistakes=counts.sum(axis=1),
        made=int(totals[-1]),
        margins=over((order.signs * scores).min(axis=1), lengths),
        impossible=over(lengths, model.eta0 * totals),
        frames=pictures(order, len(counts), lambda at: dual[at] @ grid),
    )


def kernel_of(model: Any, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """κ of every pair."""
    chosen = {"gamma": model.gamma_, "degree": model.degree, "coef0": model.coef0}
    found: np.ndarray = pairwise_kernels(X, Z, metric=model.kernel, filter_params=True, **chosen)
    return found


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
