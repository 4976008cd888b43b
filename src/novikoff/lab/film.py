"""A run pass by pass, of a learner without updates to be recorded: a network of several layers."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from .pictures import frame_steps, grid_points, pictures
from .request import ExperimentRequest


@dataclass(frozen=True)
class Film:
    """What is seen after every pass.

    Attributes
    ----------
    model : the fitted learner
    loss : after each pass; NaN before the first
    wrong : the rows that are on the wrong side after each pass
    frames : pictures of the scores
    """

    model: Any
    loss: np.ndarray
    wrong: list[list[int]]
    frames: dict[str, Any]


def film(request: ExperimentRequest) -> Film:
    """Learn, with a look after every pass."""
    model, passes = request.model, request.params["max_iter"]
    grid, drawn = grid_points(request), set(frame_steps(passes).tolist())
    loss, wrong, scores = [np.nan], [], [np.zeros(len(grid))]
    for number in range(1, passes + 1):
        model.partial_fit(request.X, request.y, classes=[0, 1])
        loss.append(model.network_.loss_)
        points = np.vstack([request.X, grid]) if number in drawn else request.X
        scores_now = model.predict_proba(points)[:, 1] - 0.5
        wrong.append(np.flatnonzero((scores_now[: len(request.y)] > 0) != request.y).tolist())
        if number in drawn:
            scores.append(scores_now[len(request.y) :])
    return Film(model, np.array(loss), wrong, pictures(request, passes, lambda at: np.array(scores)))
