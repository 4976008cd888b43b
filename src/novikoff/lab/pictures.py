"""Pictures of scores over the part of the plane that is looked at, small enough to be sent."""

import base64
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .request import ExperimentRequest

FRAMES = 41
"""The most pictures of a run that is drawn as contours."""
GRID = 56
"""Points of a picture, across and upwards."""
LEVELS = 127
"""The largest signed byte."""


def grid_points(request: ExperimentRequest) -> np.ndarray:
    """The points of a picture, line by line from below."""
    left, right, bottom, top = request.view
    x, y = np.meshgrid(np.linspace(left, right, GRID), np.linspace(bottom, top, GRID))
    return np.column_stack([x.ravel(), y.ravel()])


def frame_steps(last: int) -> np.ndarray:
    """The steps of which there are pictures, at most FRAMES of 0 … last, the first and last included."""
    return np.unique(np.linspace(0, last, FRAMES).astype(int))


def pictures(request: ExperimentRequest, last: int, scores: Callable[[np.ndarray], np.ndarray]) -> dict[str, Any]:
    """Pictures of the scores after some of the steps 0 … last."""
    at = frame_steps(last)
    return pictures_at(request, at, scores(at))


def pictures_at(request: ExperimentRequest, at: np.ndarray, scores: Iterable[np.ndarray]) -> dict[str, Any]:
    """Pictures of the scores after these steps."""
    return {
        "at": at.tolist(),
        "view": request.view,
        "size": GRID,
        "levels": LEVELS,
        "data": [score_bytes(one) for one in scores],
    }


def score_bytes(scores: np.ndarray) -> str:
    """Scores as signed bytes of their square roots, which keep the sign and are fine near 0; in base64."""
    largest = float(np.abs(scores).max()) or 1.0
    roots = np.sqrt(np.abs(scores) / largest)
    return base64.b64encode((np.sign(scores) * np.ceil(LEVELS * roots)).astype(np.int8).tobytes()).decode()
