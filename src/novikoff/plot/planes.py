"""Pictures of data and of what separates it."""

from typing import Any

import numpy as np

from ..data import datasets
from ..learners.perceptron import Perceptron
from .captions import Words
from .paper import (
    BLACK,
    BLUE,
    ORANGE,
    arrow,
    axes,
    class_signs,
    crossing,
    draw_band,
    draw_plane,
    fill,
    frame,
    name,
    pyplot,
    scatter,
    several_axes,
    two_columns,
    window,
)


def decision_boundary(model: Any, X: Any, y: Any, ax: Any = None, lang: str = "en") -> Any:
    """A fitted classifier on data of two columns.

    Of a plane: the line, its weight vector, and the band of its margin if it has one.  Of anything else (kernels,
    networks, pipelines, several classes): filled contours.  Both axes have one scale, unless the columns differ too
    much, and the weight vector is drawn where they have, at a right angle to the line.
    """
    ax, words, X = axes(ax), Words(lang), two_columns(X)
    low, high = window(X)
    if np.shape(getattr(model, "coef_", ())) == (1, 2) and hasattr(model, "intercept_"):
        w = np.append(model.coef_[0], model.intercept_)
        draw_plane(ax, w, low, high, words)
        lowest = class_signs(y, model.classes_) * (X @ w[:2] + w[2])
        if lowest.min() > 0:
            draw_band(ax, w, lowest.min(), low, high, words("margin"))
    else:
        fill(ax, model, low, high)
    scatter(ax, X, y, words)
    frame(ax, low, high)
    return words.dress(ax)


def formula(w: np.ndarray) -> str:
    """w·x + b = 0 with its numbers, as a title."""
    names = [*(f"x_{j}" for j in range(1, len(w))), ""]
    terms = [f"{value:+g}" + (" " if part else "") + part for value, part in zip(w, names, strict=True) if value]
    text = "".join(terms).replace("+1 x", "+x").replace("-1 x", "-x").removeprefix("+")
    return f"${text} = 0$"


def logic_gates(ax: Any = None, lang: str = "en") -> Any:
    """AND, OR, NOT x₁ and XOR, each with the plane that a perceptron learns as its title; four Axes, or those given."""
    words, four = Words(lang), several_axes(ax, 1, 4, (12, 3.4))
    for each, gate in zip(four, ("and", "or", "not", "xor"), strict=True):
        X, y = datasets.logic_gate(gate, 2)
        model = Perceptron(order="cyclic").fit(X, y)
        if model.status_ == "separated":
            decision_boundary(model, X, y, each, lang)
            each.get_legend().remove()
            title = formula(np.append(model.coef_[0], model.intercept_))
        else:
            scatter(each, X, y, words)
            frame(each, *window(X))
            title = words("not separable")
        words.dress(each, title=f"{words(gate.upper())}: {title}", legend=False)
    return four


def three_kinds(ax: Any = None, lang: str = "en") -> Any:
    """Data that separates, data with noise, and data that no plane could separate; each titled by its proof."""
    from sklearn.datasets import make_blobs

    from ..proofs.certify import certify

    centres = [[-1.5, -1], [1.5, 1]]
    data = [make_blobs(40, centers=centres, cluster_std=spread, random_state=3) for spread in (0.6, 1.3)]
    words, three = Words(lang), several_axes(ax, 1, 3, (11, 3.6))
    for each, (X, y) in zip(three, [*data, datasets.circles(40, noise=0.05, random_state=0)], strict=True):
        proof, (low, high) = certify(X, y), window(X)
        if proof.verdict == "separable":
            w = np.append(np.ravel(proof.coef), np.ravel(proof.intercept))
            draw_plane(each, w, low, high, words)
            height = (class_signs(y, np.unique(y)) * (X @ w[:2] + w[2])).min()
            draw_band(each, w, float(height), low, high, words("margin"))
        scatter(each, X, y, words)
        frame(each, low, high)
        words.dress(each, title=words(proof.verdict), legend=False)
    return three


def novikoff(X: Any, y: Any, ax: Any = None, lang: str = "en") -> Any:
    """The picture of Novikoff's theorem: the ball of radius r, the best plane through its centre, its margin ρ.

    It is that of rows without a bias, on data of two columns.
    """
    from ..proofs.certify import certify

    ax, words, X = axes(ax), Words(lang), two_columns(X)
    certificate = certify(X, y, fit_intercept=False)
    if certificate.verdict != "separable":
        raise ValueError(f"No plane through the origin separates these rows; the data is {certificate.summary()}.")
    r, (rho, _) = certificate.radius, certificate.margin
    low, high = np.full(2, -1.15 * r), np.full(2, 1.15 * r)
    w = np.append(np.ravel(certificate.coef), 0.0)
    v = w[:2] / np.linalg.norm(w[:2])
    along = np.array([-v[1], v[0]])
    ball = pyplot().Circle((0, 0), r, fill=False, color=BLACK, label=words("ball of radius r = {:.3g}", r))
    ax.add_patch(ball)
    ax.plot(*crossing(w, low, high), color=BLACK, label=words("plane"))
    draw_band(ax, w, rho * float(np.linalg.norm(w)), low, high, words("margin ρ = {:.3g}", rho))
    scatter(ax, X, y, words)
    arrow(ax, (0, 0), r * v, BLACK)
    name(ax, 0.75 * r * v, r"$\mathbf{v}$")
    rim = r * (np.cos(0.6) * along - np.sin(0.6) * v)
    arrow(ax, (0, 0), rim, BLUE)
    name(ax, rim / 2, "$r$", BLUE)
    foot = -0.45 * r * along
    arrow(ax, foot, foot + rho * v, ORANGE, "<|-|>")
    name(ax, foot + rho * v, r"$\rho$", ORANGE)
    frame(ax, low, high)
    return words.dress(ax, title=rf"$M \leq r^2/\rho^2 = {(r / rho) ** 2:.4g}$")
