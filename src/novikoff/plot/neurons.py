"""Pictures of a neuron and of what it applies to its sum."""

from typing import Any

import numpy as np

from .. import neuron as cells
from .captions import Words
from .paper import BLUE, COLOURS, GREEN, ORANGE, axes, circle


def activations(ax: Any = None, lang: str = "en") -> Any:
    """The four activation functions: step and sign, whose upper value counts at the jump, logistic and tanh."""
    ax, words = axes(ax), Words(lang)
    x = np.linspace(-4, 4, 401)
    curves = {"step": cells.step, "sign": cells.sign, "logistic": cells.logistic, "tanh": cells.tanh}
    for (name, function), colour, style in zip(curves.items(), COLOURS, ["-", "--", "-.", ":"], strict=False):
        jump = np.diff(function(x), prepend=function(x)[0]) >= 1
        ax.plot(x, np.where(jump, np.nan, function(x)), style, color=colour, label=words(name), linewidth=2)
        if jump.any():
            below = function(x[0])
            ax.plot(0, function(0.0), "o", color=colour, zorder=4)
            ax.plot(0, below, "o", markerfacecolor="white", markeredgecolor=colour, zorder=4)
    return words.dress(ax, x="$x$", y="$h(x)$")


def neuron(weights: Any = (1.0, 1.0), bias: float = -1.5, ax: Any = None, lang: str = "en") -> Any:
    """The neuron of McCulloch and Pitts: inputs, weights, their sum with the bias, and the output h(Σ w·x + b)."""
    ax, words, weights = axes(ax), Words(lang), np.atleast_1d(weights)
    heights = np.linspace(1, -1, len(weights)) if len(weights) > 1 else np.zeros(1)
    for i, (weight, height) in enumerate(zip(weights, heights, strict=True), start=1):
        end = np.array([1.0, 0.0]) - 0.42 * np.array([2.0, -height]) / np.hypot(2.0, height)
        ax.annotate("", end, (-0.78, height * 0.89), arrowprops={"arrowstyle": "-|>", "color": BLUE})
        ax.text(-1, height, f"$x_{{{i}}}$", ha="center", va="center", bbox=circle(BLUE))
        ax.text(-0.2, 0.6 * height + 0.1, f"$w_{{{i}}} = {weight:g}$", ha="center", color=BLUE)
    ax.text(1, 0, f"Σ {'+' if bias >= 0 else '−'} {abs(bias):g}", ha="center", va="center", bbox=circle(ORANGE))
    ax.annotate("", (2.45, 0), (1.45, 0), arrowprops={"arrowstyle": "-|>", "color": ORANGE})
    ax.text(1.95, 0.1, "$h$", ha="center", color=ORANGE)
    ax.text(2.7, 0, "$y$", ha="center", va="center", bbox=circle(GREEN))
    for x, text in ((-1, "input layer"), (1.85, "output layer")):
        ax.text(x, -1.55, words(text), ha="center", fontfamily=words.fonts)
    ax.set(xlim=(-1.6, 3.3), ylim=(-1.7, 1.4), aspect="equal", title=r"$y = h(\sum_i w_i x_i + b)$")
    ax.set_axis_off()
    return ax


def losses(ax: Any = None, lang: str = "en") -> Any:
    """What a row costs by its margin y·(w·x): a mistake, the perceptron's loss, the hinge and the logistic loss."""
    ax, words = axes(ax), Words(lang)
    m = np.linspace(-2, 3, 501)
    ax.plot(m, np.where(m <= 0, 1.0, 0.0), ":", color=COLOURS[3], label=words("mistake (0/1)"), linewidth=2)
    ax.plot(m, np.maximum(0, -m), color=ORANGE, label=words("perceptron") + r": $\max(0, -m)$", linewidth=2)
    ax.plot(m, np.maximum(0, 1 - m), "--", color=BLUE, label=words("hinge") + r": $\max(0, 1-m)$", linewidth=2)
    ax.plot(m, np.logaddexp(0, -m), "-.", color=GREEN, label=words("logistic loss") + r": $\ln(1+e^{-m})$", linewidth=2)
    return words.dress(ax, x=words("margin of the row") + r" $m = y\,\mathbf{w}\cdot\mathbf{x}$", y=words("loss"))
