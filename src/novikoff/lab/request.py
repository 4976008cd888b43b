"""What a request asks for, checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .controls import LEARNERS, Learner, Refusal

POINTS = 400
"""The most points of a plane."""
FAR = 1e6
"""How far from 0 a point may lie."""
VIEW = "view must be [x from, x to, y from, y to]."


@dataclass(frozen=True)
class Order:
    """Points with classes 0 and 1, a learner with all its parameters, and the part of the plane looked at."""

    X: np.ndarray
    y: np.ndarray
    learner: Learner
    params: dict[str, Any]
    view: tuple[float, float, float, float]  # x from, x to, y from, y to

    @property
    def intercept(self) -> bool:
        """Whether planes of this learner have a bias."""
        return bool(self.params.get("fit_intercept", True))

    @property
    def signs(self) -> np.ndarray:
        """−1 and 1."""
        return 2.0 * self.y - 1


def order_of(request: Any) -> Order:
    """Check a request."""
    if not isinstance(request, Mapping):
        raise Refusal("form", "A request is a JSON object.")
    X, y = points_of(request.get("points"))
    name = request.get("learner", "perceptron")
    if not isinstance(name, str) or name not in LEARNERS:
        raise Refusal("learner", f"There is no such learner; choose one of {', '.join(LEARNERS)}.")
    params = LEARNERS[name].checked(request.get("params", {}))
    return Order(X, y, LEARNERS[name], params, view_of(request.get("view"), X))


def points_of(points: Any) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates, and classes 0 or 1."""
    if not isinstance(points, list):
        raise Refusal("form", "points must be a list of [x, y, class].")
    if len(points) > POINTS:
        raise Refusal("points", f"At most {POINTS} points; there are {len(points)}.", most=POINTS, given=len(points))
    for i, point in enumerate(points):
        if not (isinstance(point, list) and len(point) == 3 and all(map(number, point)) and point[2] in (0, 1)):
            raise Refusal("point", f"Point {i + 1} is not [x, y, class] with class 0 or 1.", number=i + 1)
        if max(map(abs, point)) > FAR:
            raise Refusal("far", f"Point {i + 1} lies farther out than {FAR:g}.", number=i + 1, most=FAR)
    if {point[2] for point in points} != {0, 1}:
        raise Refusal("classes", "There must be points of both classes.")
    table = np.array(points, dtype=np.float64)
    return table[:, :2], table[:, 2].astype(int)


def number(value: Any) -> bool:
    """Whether it is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < float("inf")


def view_of(view: Any, X: np.ndarray) -> tuple[float, float, float, float]:
    """The part of the plane that is looked at: the one asked for, or all points with some room around."""
    if view is None:
        (left, bottom), (right, top) = (X.min(axis=0) - 1).tolist(), (X.max(axis=0) + 1).tolist()
        return left, right, bottom, top
    if not (isinstance(view, list) and len(view) == 4 and all(map(number, view))):
        raise Refusal("form", VIEW)
    left, right, bottom, top = map(float, view)
    if not (left < right and bottom < top and max(map(abs, view)) <= 10 * FAR):
        raise Refusal("form", VIEW)
    return left, right, bottom, top
