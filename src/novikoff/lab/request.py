"""What a request asks for, checked."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

from .controls import LabLearner, Refusal, learner_called

POINTS = 400
"""The most points of a plane."""
FAR = 1e6
"""How far from 0 a point may lie."""
FAR_VIEW = 10 * FAR
"""How far from 0 the part of the plane that is looked at may reach."""
NEAR = 1e-100
"""How near to 0 a coordinate may be that is not 0, so that its square is still a number."""
VIEW = "view must be [x from, x to, y from, y to]."


@dataclass(frozen=True)
class ExperimentRequest:
    """Points with classes 0 and 1, the part of the plane looked at, and a learner with all its parameters.

    Attributes
    ----------
    X, y : the points and their classes
    view : x from, x to, y from, y to
    learner, params : the learner's entry in the lab, and its parameters
    features : the points as the learner sees them
    expression, model : the learner as it is written in Python, and itself, not yet fitted
    intercept : whether its planes have a bias
    mapping : what made the features, fitted; None where they are the coordinates
    start : the weights that it starts from, as ``record`` takes them; empty where they are zero
    """

    X: np.ndarray
    y: np.ndarray
    view: tuple[float, float, float, float]
    learner: LabLearner
    params: dict[str, Any]
    features: np.ndarray
    expression: str
    model: Any
    intercept: bool
    mapping: Any = None
    start: dict[str, Any] = field(default_factory=dict)


def check_request(request: Any) -> ExperimentRequest:
    """The request, if it can be done; else a refusal."""
    if not isinstance(request, Mapping):
        raise Refusal("form", "A request is a JSON object.")
    X, y = check_points(request.get("points"))
    view = check_view(request.get("view"), X)
    learner = learner_called(request.get("learner", "perceptron"))
    params = learner.check_params(request.get("params", {}))
    mapping = learner.make_mapping(params)
    return ExperimentRequest(
        X,
        y,
        view,
        learner,
        params,
        features=X if mapping is None else dense_rows(mapping.fit_transform(X, y)),
        expression=learner.expression(params),
        start=learner.start(params),
        model=learner.make(params),
        intercept=bool(params.get("fit_intercept", True)),
        mapping=mapping,
    )


def dense_rows(rows: Any) -> np.ndarray:
    """Rows as an array; they are few."""
    dense: np.ndarray = rows.toarray() if sp.issparse(rows) else rows
    return dense


def check_points(points: Any) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates, and classes 0 or 1."""
    if not isinstance(points, list):
        raise Refusal("form", "points must be a list of [x, y, class].")
    if len(points) > POINTS:
        raise Refusal("points", f"At most {POINTS} points; there are {len(points)}.", most=POINTS, given=len(points))
    for i, point in enumerate(points):
        if not (isinstance(point, list) and len(point) == 3 and all(map(is_number, point)) and point[2] in (0, 1)):
            raise Refusal("point", f"Point {i + 1} is not [x, y, class] with class 0 or 1.", number=i + 1)
        if max(map(abs, point)) > FAR:
            raise Refusal("far", f"Point {i + 1} lies farther out than {FAR:g}.", number=i + 1, most=FAR)
        if any(0 < abs(v) < NEAR for v in point):
            raise Refusal("near", f"Point {i + 1} lies nearer to an axis than {NEAR:g}.", number=i + 1, least=NEAR)
    if {point[2] for point in points} != {0, 1}:
        raise Refusal("classes", "There must be points of both classes.")
    table = np.array(points, dtype=np.float64)
    return table[:, :2], table[:, 2].astype(int)


def is_number(value: Any) -> bool:
    """Whether it is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def check_view(view: Any, X: np.ndarray) -> tuple[float, float, float, float]:
    """The part of the plane that is looked at: the one asked for, or all points with some room around."""
    if view is None:
        (left, bottom), (right, top) = (X.min(axis=0) - 1).tolist(), (X.max(axis=0) + 1).tolist()
        return left, right, bottom, top
    if not (isinstance(view, list) and len(view) == 4 and all(map(is_number, view))):
        raise Refusal("form", VIEW)
    left, right, bottom, top = map(float, view)
    if not (left < right and bottom < top and max(map(abs, view)) <= FAR_VIEW):
        raise Refusal("form", VIEW)
    return left, right, bottom, top
