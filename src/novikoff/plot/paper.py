"""What pictures are made of: axes, windows, points, planes, bands and levels."""

import math
from typing import Any

import numpy as np

from .captions import Words

BLUE, ORANGE, GREEN, PURPLE, BLACK, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#888888"
COLOURS = [ORANGE, BLUE, GREEN, PURPLE, "#E69F00", "#56B4E9", "#F0E442", BLACK]
MARKERS = ["s", "o", "^", "D", "v", "P", "X", "*"]
GRID = 120
"""Points on either side of a picture of scores."""
UNLIKE = 25
"""Columns whose spans differ by more than this factor are not drawn to one scale."""


def pyplot() -> Any:
    """matplotlib.pyplot, or an error message that says how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("novikoff.plot needs matplotlib: install it with pip install novikoff[plot].") from error
    return plt


def axes(ax: Any) -> Any:
    """The Axes given, or new ones."""
    return pyplot().subplots(layout="constrained")[1] if ax is None else ax


def several_axes(ax: Any, rows: int, columns: int, size: tuple[float, float]) -> np.ndarray:
    """The Axes given, or a sheet of new ones, in a line."""
    if ax is None:
        return np.ravel(pyplot().subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)[1])
    return np.ravel(ax)


def circle(colour: str) -> dict[str, Any]:
    return {"boxstyle": "circle,pad=0.4", "facecolor": "white", "edgecolor": colour}


def two_columns(X: Any) -> np.ndarray:
    """X as an array, if it can be drawn on paper."""
    X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    if X.ndim != 2 or X.shape[1] != 2:
        raise ValueError(f"Only data of two columns can be drawn on a plane, but X has the shape {X.shape}.")
    return X


def window(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The corners of a picture of X, with some room around it: a square, if the columns are of one scale."""
    low, high = X.min(axis=0), X.max(axis=0)
    spans = np.where(high > low, high - low, 0.0)
    if spans.max() <= UNLIKE * max(spans.min(), 1e-300) or not spans.min():
        spans = np.full(2, spans.max() or 1.0)
    middle = (low + high) / 2
    return middle - 0.7 * spans, middle + 0.7 * spans


def frame(ax: Any, low: np.ndarray, high: np.ndarray) -> bool:
    """Show this window; to one scale if it is a square, so that right angles are right: whether it is."""
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    square = bool(np.isclose(*(high - low)))
    if square:
        ax.set_aspect("equal")
    return square


def class_signs(y: Any, classes: np.ndarray) -> np.ndarray:
    """1 for rows of the second class, −1 for the others."""
    return np.where(np.asarray(y) == classes[1], 1.0, -1.0)


def mesh(low: np.ndarray, high: np.ndarray, size: int = GRID) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A grid over a picture, as two matrices and as rows."""
    first, second = np.meshgrid(np.linspace(low[0], high[0], size), np.linspace(low[1], high[1], size))
    return first, second, np.column_stack([first.ravel(), second.ravel()])


def scatter(ax: Any, X: np.ndarray, y: Any, words: Words) -> None:
    """The rows, each class with its colour and marker."""
    for k, label in enumerate(np.unique(y)):
        some = np.asarray(y) == label
        look = {"color": COLOURS[k % len(COLOURS)], "marker": MARKERS[k % len(MARKERS)], "edgecolor": "white"}
        ax.scatter(*X[some].T, label=words("class {}", label), s=60, zorder=3, **look)


def crossing(w: np.ndarray, low: np.ndarray, high: np.ndarray, height: float = 0.0) -> tuple[Any, Any]:
    """Two points far apart on the line w·x + b = height; none if w is zero."""
    square = float(w[:2] @ w[:2])
    if square == 0:
        return [], []
    middle = (low + high) / 2
    foot = middle - (middle @ w[:2] + w[2] - height) / square * w[:2]
    along = np.array([-w[1], w[0]]) / math.sqrt(square) * 2 * float(np.linalg.norm(high - low))
    first, second = np.array([foot - along, foot + along]).T
    return first, second


def draw_plane(ax: Any, w: np.ndarray, low: np.ndarray, high: np.ndarray, words: Words, colour: str = BLACK) -> None:
    """The line, and from it, at a right angle, the weight vector."""
    ax.plot(*crossing(w, low, high), color=colour, label=words("plane"))
    if w[:2].any() and np.isclose(*(high - low)):
        middle = np.mean(crossing(w, low, high), axis=1)
        tip = middle + w[:2] / np.linalg.norm(w[:2]) * 0.2 * float((high - low).min())
        arrow(ax, middle, tip, colour)
        name(ax, tip, r"$\mathbf{w}$", colour)


def arrow(ax: Any, start: Any, tip: Any, colour: str = BLACK, style: str = "-|>", line: str = "-") -> None:
    """An arrow from a point to a point."""
    look = {"arrowstyle": style, "color": colour, "linestyle": line, "shrinkA": 0, "shrinkB": 0, "linewidth": 1.5}
    ax.annotate("", tip, start, arrowprops=look, zorder=4)


def name(ax: Any, place: Any, text: str, colour: str = BLACK, left: bool = False) -> None:
    """A name beside a point, on its right or on its left."""
    side, align = (-4, "right") if left else (4, "left")
    ax.annotate(text, place, (side, 4), textcoords="offset points", color=colour, clip_on=True, zorder=5, ha=align)


def draw_band(ax: Any, w: np.ndarray, height: float, low: np.ndarray, high: np.ndarray, label: str) -> None:
    """The points that score less than ``height`` either way."""
    (a, b), (c, d) = (np.array(crossing(w, low, high, side * height)).T for side in (-1, 1))
    ax.fill(*np.array([a, b, d, c]).T, color=GREEN, alpha=0.2, label=label, linewidth=0)


def fill(ax: Any, model: Any, low: np.ndarray, high: np.ndarray) -> None:
    """Filled contours of the scores of two classes, or the regions of several."""
    first, second, points = mesh(low, high)
    scores = model.decision_function(points) if hasattr(model, "decision_function") else None
    if scores is None or np.ndim(scores) > 1:
        regions = np.searchsorted(model.classes_, model.predict(points)).reshape(first.shape)
        levels = np.arange(len(model.classes_) + 1) - 0.5
        ax.contourf(first, second, regions, levels=levels, colors=COLOURS[: len(model.classes_)], alpha=0.3)
        return
    heights = scores.reshape(first.shape)
    most = float(np.abs(heights).max()) or 1.0
    filled = ax.contourf(first, second, heights, levels=np.linspace(-most, most, 15), cmap="PuOr", alpha=0.6)
    if getattr(filled.draw, "_supports_rasterization", False):  # some versions of matplotlib only warn that they cannot
        filled.set_rasterized(True)  # as areas of one colour each they would fill files
    ax.contour(first, second, heights, levels=[0], colors=BLACK)
