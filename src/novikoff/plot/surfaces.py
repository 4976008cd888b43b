"""Pictures of scores as surfaces."""

from typing import Any

import numpy as np

from .captions import Words
from .paper import BLACK, COLOURS, MARKERS, fill, frame, mesh, pyplot, scatter, two_columns, window

SURFACE = 31
"""Points on either side of a surface."""


def kernel_surface(model: Any, X: Any, y: Any, ax: Any = None, lang: str = "en") -> Any:
    """The scores of a two-class classifier as a surface over data of two columns, which is cut at height 0."""
    words, X = Words(lang), two_columns(X)
    ax = pyplot().figure(layout="constrained").add_subplot(projection="3d") if ax is None else ax
    low, high = window(X)
    first, second, points = mesh(low, high, SURFACE)
    heights = model.decision_function(points).reshape(first.shape)
    ax.plot_surface(first, second, heights, cmap="cividis", alpha=0.6, linewidth=0, rasterized=True)
    ax.contour(first, second, heights, levels=[0], colors=BLACK)
    scores = model.decision_function(X)
    for k, label in enumerate(np.unique(y)):
        some = np.asarray(y) == label
        ax.scatter(*X[some].T, scores[some], color=COLOURS[k], marker=MARKERS[k], label=words("class {}", label))
    ax.set_zlabel(words("score"), fontfamily=words.fonts)
    return words.dress(ax)


def kernels(models: Any, X: Any, y: Any, titles: Any = (), lang: str = "en", figure: Any = None) -> Any:
    """Several fitted classifiers on one data set: the level lines of their scores above, their surfaces below."""
    words, X, models = Words(lang), two_columns(X), list(models)
    figure = pyplot().figure(figsize=(3.6 * len(models), 6.4), layout="constrained") if figure is None else figure
    low, high = window(X)
    for k, model in enumerate(models):
        flat = figure.add_subplot(2, len(models), k + 1)
        fill(flat, model, low, high)
        scatter(flat, X, y, words)
        frame(flat, low, high)
        words.dress(flat, title=titles[k] if k < len(titles) else "", legend=False)
        solid = figure.add_subplot(2, len(models), len(models) + k + 1, projection="3d")
        kernel_surface(model, X, y, solid, lang).get_legend().remove()
        solid.set_zlabel("")  # beside the last surface it would be cut
        words.dress(solid, title=words("score"), legend=False)
    return figure
