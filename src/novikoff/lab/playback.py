"""A run update by update, from the library's own record of it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics.pairwise import pairwise_kernels

from ..theory.trace import Trace
from .live import live_result
from .pictures import grid_points, pictures
from .request import ExperimentRequest

LIVE = ("voters_", "n_errors_", "average")
"""What a learner has that predicts with something else than its last plane."""


@dataclass(frozen=True)
class Playback:
    """What happened, update by update; entry 0 of every array is before the first.

    Attributes
    ----------
    trace : the library's record of the run, of its first updates if they are many; its X are the points as the learner
        saw them
    weights : [w; b] after each update; None with a kernel
    lengths, margins : ‖w‖, and the margin of w; NaN where w = 0
    frames : pictures of the scores, where they are not those of a plane
    live : what the learner predicts with after each update, where that is not its weights
    wrong, live_wrong : how many points the weights have wrong after each update, and what is predicted with
    """

    trace: Trace
    weights: np.ndarray | None
    lengths: np.ndarray
    margins: np.ndarray
    wrong: np.ndarray
    frames: dict[str, Any] | None = None
    live: dict[str, Any] | None = None
    live_wrong: np.ndarray | None = None


def play(request: ExperimentRequest, trace: Trace) -> Playback:
    """What is seen of a run that was recorded."""
    return play_function(request, trace) if request.learner.kind == "kernel" else play_plane(request, trace)


def play_plane(request: ExperimentRequest, trace: Trace) -> Playback:
    """The weights after every update; among other features than the coordinates, pictures of them too."""
    updates, rows, frames = trace.problems[0], add_bias(request, trace.X), None
    if len(updates.shrinks):
        weights = np.array(list(trace.path(len(updates))))
    else:
        moves = updates.steps[:, None] * rows[updates.rows]
        weights = trace.start[0] + np.vstack([np.zeros(rows.shape[1]), np.cumsum(moves, axis=0)])
    lengths = np.linalg.norm(weights, axis=1)
    scores = weights @ rows.T
    margins = quotient((signs(request) * scores).min(axis=1), lengths)
    if request.learner.kind == "map":
        grid = add_bias(request, request.mapping.transform(grid_points(request)))
        frames = pictures(request, len(updates), lambda at: weights[at] @ grid.T)
    live, live_scores = None, None
    if request.learner.kind == "slack":  # a new point has none of the features that are the points' own
        live_scores = plane_part(weights) @ add_bias(request, request.X).T
    elif any(getattr(trace.learner, name, False) is not False for name in LIVE):
        live, live_scores = live_result(request, trace.learner, updates, weights, rows)
    live_wrong = None if live_scores is None else count_wrong(live_scores, request.y)
    return Playback(trace, weights, lengths, margins, count_wrong(scores, request.y), frames, live, live_wrong)


def plane_part(weights: np.ndarray) -> np.ndarray:
    """[w; b] among the two coordinates, without the weights of the points' own features."""
    return weights[:, [0, 1, -1]]


def count_wrong(scores: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How many points each line of scores has wrong, as they are predicted: class 1 where the score is at least 0."""
    wrong: np.ndarray = ((scores >= 0) != y).sum(axis=1)
    return wrong


def play_function(request: ExperimentRequest, trace: Trace) -> Playback:
    """The coefficients after every update, and pictures of f = Σ coefficient·κ(x, ·)."""
    updates, X = trace.problems[0], request.X
    moves = np.zeros((len(updates) + 1, len(X)))
    moves[np.arange(1, len(updates) + 1), updates.rows] = updates.steps
    dual = np.cumsum(moves, axis=0)
    scores = dual @ kernel_values(trace.learner, X, X)
    lengths = np.sqrt(np.maximum((scores * dual).sum(axis=1), 0.0))
    margins = quotient((signs(request) * scores).min(axis=1), lengths)
    grid = kernel_values(trace.learner, X, grid_points(request))
    frames = pictures(request, len(updates), lambda at: dual[at] @ grid)
    return Playback(trace, None, lengths, margins, count_wrong(scores, request.y), frames)


def kernel_values(model: Any, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """κ of every pair."""
    chosen = {"gamma": model.gamma_, "degree": model.degree, "coef0": model.coef0}
    values: np.ndarray = pairwise_kernels(X, Z, metric=model.kernel, filter_params=True, **chosen)
    return values


def add_bias(request: ExperimentRequest, X: np.ndarray) -> np.ndarray:
    """[x; 1], or [x; 0] without a bias."""
    return np.column_stack([X, np.full(len(X), float(request.intercept))])


def signs(request: ExperimentRequest) -> np.ndarray:
    """The classes as −1 and 1."""
    return 2.0 * request.y - 1


def quotient(values: Any, by: Any) -> np.ndarray:
    """values / by, NaN where that is 0."""
    return np.divide(values, by, out=np.full(len(values), np.nan), where=by > 0)
