"""A run pass by pass, of a learner without updates to be recorded: a network of several layers."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from .lanes import Ticket
from .pictures import frame_steps, grid_points, pictures_at
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
    cut : whether its time was up before the last pass
    """

    model: Any
    loss: np.ndarray
    wrong: list[list[int]]
    frames: dict[str, Any]
    cut: bool


def film(request: ExperimentRequest, ticket: Ticket) -> Film:
    """Learn, with a look after every pass, until the time is up."""
    model, passes = request.model, request.params["max_iter"]
    grid, drawn = grid_points(request), set(frame_steps(passes).tolist())
    loss, wrong, pictures = [np.nan], [], {0: np.zeros(len(grid))}
    for number in range(1, passes + 1):
        ticket.check()
        model.partial_fit(request.X, request.y, classes=[0, 1])
        loss.append(model.network_.loss_)
        wrong.append(np.flatnonzero((scores_of(model, request.X) > 0) != request.y).tolist())
        late = ticket.late
        if number in drawn or late:
            pictures[number] = scores_of(model, grid)
        if late:
            break
    frames = pictures_at(request, np.array(list(pictures)), list(pictures.values()))
    return Film(model, np.array(loss), wrong, frames, number < passes)


def scores_of(model: Any, X: np.ndarray) -> np.ndarray:
    """How far the network is for the positive class."""
    scores: np.ndarray = model.predict_proba(X)[:, 1] - 0.5
    return scores
