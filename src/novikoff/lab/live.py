"""What a learner predicts with while it learns, where that is not its last plane: a pocket, an average, a vote."""

from typing import Any

import numpy as np

from ..theory.trace import Updates
from .pictures import frame_steps, grid_points, pictures_at
from .request import ExperimentRequest


def live_result(
    request: ExperimentRequest, model: Any, updates: Updates, weights: np.ndarray, rows: np.ndarray
) -> tuple[dict[str, Any] | None, np.ndarray | None]:
    """What is predicted with after each update, as the page draws it, and its scores of the points.

    weights : [w; b] after each update
    rows : the points with their 1 for the bias
    """
    if hasattr(model, "voters_"):
        return vote(request, model, updates, weights, rows)
    planes, kind = None, ""
    if hasattr(model, "n_errors_"):
        planes, kind = pocket(weights, rows, request.y), "pocket"
        if updates.made == len(updates):
            planes[-1] = np.append(model.coef_, model.intercept_)  # refined after the run, if that is asked for
    elif getattr(model, "average", False):
        planes, kind = average(model, updates, weights, rows), "average"
    if planes is None:
        return None, None
    return {"kind": kind, "planes": planes, "frames": None}, planes @ rows.T


def pocket(weights: np.ndarray, rows: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The ratchet: the first weights with the fewest errors so far, a point on the plane being one."""
    errors = ((2 * y - 1) * (weights @ rows.T) <= 0).sum(axis=1)
    fewest = np.minimum.accumulate(errors)
    better = np.append(True, errors[1:] < fewest[:-1])
    return weights[np.maximum.accumulate(np.where(better, np.arange(len(weights)), 0))]


def visits_after(model: Any, updates: Updates) -> np.ndarray:
    """How many rows had been visited when the weights of each step ended; of a run that is cut, the last is new."""
    cut = updates.made > len(updates)
    return np.append(updates.times, updates.times[-1] + 1 if cut else model._resume.clock[0, 0])


def average(model: Any, updates: Updates, weights: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The mean over all visits so far: w − Σ t·s·x / T, as the update at time t is missing from the first t."""
    moves = (updates.times * updates.steps)[:, None] * rows[updates.rows]
    sums = np.vstack([np.zeros(rows.shape[1]), np.cumsum(moves, axis=0)])
    return weights - sums / np.maximum(visits_after(model, updates), 1)[:, None]


def vote(
    request: ExperimentRequest, model: Any, updates: Updates, weights: np.ndarray, rows: np.ndarray
) -> tuple[dict[str, Any], np.ndarray]:
    """Σ life·sign(w·x) of the planes so far, the last ``max_voters`` of them; pictures of it, as it is no plane."""
    lives = np.diff(np.append(0.0, visits_after(model, updates)))
    grid = np.column_stack([grid_points(request), np.full(len(grid_points(request)), float(request.intercept))])
    at = frame_steps(len(updates))
    scores = votes(lives, weights, grid, model.max_voters, at)
    of_points = votes(lives, weights, rows, model.max_voters, np.arange(len(weights)))
    return {"kind": "vote", "planes": None, "frames": pictures_at(request, at, scores)}, of_points


def votes(lives: np.ndarray, weights: np.ndarray, rows: np.ndarray, most: int, at: np.ndarray) -> np.ndarray:
    """The votes on the rows after these steps, over all votes; a plane votes for its own side of 0 and for 0 itself."""
    cast = np.where(weights @ rows.T >= 0, np.float32(1), np.float32(-1))  # whole numbers below 2²⁴ stay exact
    cast *= lives[:, None].astype(np.float32)
    sums, totals, first = np.cumsum(cast, axis=0, out=cast), np.cumsum(lives), at - most
    lapsed = np.where(first[:, None] >= 0, sums[np.maximum(first, 0)], 0)
    past = np.where(first >= 0, totals[np.maximum(first, 0)], 0.0)
    return (sums[at] - lapsed) / np.maximum(totals[at] - past, 1)[:, None]
