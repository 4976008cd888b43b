"""Pictures of a run."""

from pathlib import Path
from typing import Any

import numpy as np

from ..atomic import replacing
from ..data import datasets
from ..learners.perceptron import Perceptron
from ..theory.trace import Trace
from .captions import Words
from .paper import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    arrow,
    axes,
    crossing,
    draw_plane,
    frame,
    name,
    pyplot,
    scatter,
    several_axes,
    two_columns,
    window,
)

FRAMES = 200
"""The most frames of an animation."""


def update(w: Any, x: Any, y: int, ax: Any = None, lang: str = "en") -> Any:
    """One update as vectors: w, the row x, and w + y·x, which is nearer to the row if y = 1 and farther if y = −1.

    The lines are the planes at right angles to the old and the new weights; there is no bias.
    """
    ax, words, w, x = axes(ax), Words(lang), np.asarray(w, dtype=float), np.asarray(x, dtype=float)
    if w.shape != (2,) or x.shape != (2,) or y not in (-1, 1):
        raise ValueError("update draws two weights w, a row x of two numbers, and a label y of 1 or −1.")
    new, row = w + y * x, BLUE if y > 0 else ORANGE
    corners = np.array([[0, 0], w, x, new])
    half = 1.5 * float(np.abs(corners).max())
    low, high = np.full(2, -half), np.full(2, half)
    for vector, colour in ((w, GREY), (new, GREEN)):
        if vector.any():
            ax.plot(*crossing(np.append(vector, 0.0), low, high), color=colour, linestyle="--", linewidth=1)
    for tip, colour, text in ((w, BLACK, r"$\mathbf{w}$"), (x, row, r"$\mathbf{x}$")):
        arrow(ax, (0, 0), tip, colour)
        name(ax, tip, text, colour)
    arrow(ax, w, new, row, line=":")
    arrow(ax, (0, 0), new, GREEN)
    name(
        ax, new, rf"$\mathbf{{w}} {'+' if y > 0 else '-'} \mathbf{{x}}$", GREEN, left=new[0] < w[0]
    )  # not on the dotted arrow, which comes from w
    frame(ax, low, high)
    cosine = w @ x / (np.linalg.norm(w) * np.linalg.norm(x)) if w.any() and x.any() else 0.0
    angle = rf"\angle(\mathbf{{w}}, \mathbf{{x}}) = {np.degrees(np.arccos(cosine)):.0f}^\circ"
    return words.dress(ax, title=rf"$y = {y:+d},\ {angle}$", legend=False)


def updates(trace: Trace, count: int = 10, ax: Any = None, lang: str = "en") -> Any:
    """The first updates of a run on two columns, picture by picture: old plane dashed, new plane, its row ringed."""
    X, words, one = two_columns(trace.X), Words(lang), trace.problem(0)
    count = min(count, len(one))
    if not count:
        raise ValueError("The run made no update, so there is nothing to draw.")
    sheet = several_axes(ax, -(-count // 5), min(count, 5), (12, 2.7 * -(-count // 5)))
    low, high = window(np.vstack([X, np.zeros(2)]) if not trace.bias else X)
    for k, each in enumerate(sheet[:count]):
        each.plot(*crossing(trace.weights_before(k), low, high), "--", color=GREY)
        draw_plane(each, trace.weights_after(k), low, high, words)
        scatter(each, X, trace.y, words)
        ring = {"s": 190, "facecolor": "none", "edgecolor": GREEN, "linewidth": 2, "zorder": 4}
        each.scatter(*X[one.rows[[k]]].T, **ring)
        frame(each, low, high)
        each.set(xticks=[], yticks=[])
        words.dress(each, title=f"$t = {k + 1}$", legend=False)
    for empty in sheet[count:]:
        empty.set_axis_off()
    return sheet


def learning(trace: Trace, reference: Any = None, ax: Any = None, lang: str = "en") -> Any:
    """The cosine cos(v, w_t) of a run, the floor under it, the updates made and the bound on them.

    The cosine itself may rise and fall.  From weights of zero its floor is √t·ρ/r, which reaches 1 at t = r²/ρ², and no
    cosine exceeds 1: that is Novikoff's theorem.
    """
    from ..theory.audit import audit

    ax, words, checked = axes(ax), Words(lang), audit(trace, reference)
    if not len(checked.cosines):
        raise ValueError(f"No plane separates the rows, so there is no curve to draw. {' '.join(checked.notes)}")
    t = np.arange(1, len(checked.cosines) + 1)
    ax.plot(t, checked.cosines, color=BLUE, label=words("cos(v, w_t) of the run"), marker="." if len(t) < 50 else "")
    said = checked.floors > 0
    if checked.plain:
        ahead = np.geomspace(1, max(checked.bound, 1.0), 200)
        ax.plot(ahead, np.sqrt(ahead / checked.bound), "--", color=ORANGE, label=words("at least √t·ρ/r"))
    elif said.any():
        ax.plot(t[said], checked.floors[said], "--", color=ORANGE, label=words("floor by the theorem of its rule"))
    ax.axvline(len(t), color=BLUE, linestyle=":", label=words("M = {} updates", len(t)))
    if np.isfinite(checked.bound):
        text = "bound r²/ρ² = {:.4g}" if checked.plain else "bound of the theorem: {:.4g}"
        ax.axvline(checked.bound, color=ORANGE, linestyle="-.", label=words(text, checked.bound))
    ax.set(xscale="log", ylim=(min(0.0, 1.05 * checked.cosines.min()), 1.05))
    aim = words("cosine to the last function") if trace.kernel else words("cosine to the best plane")
    return words.dress(ax, x=words("update t"), y=aim)


def growth(trace: Trace, reference: Any = None, ax: Any = None, lang: str = "en") -> Any:
    """The two halves of Novikoff's proof: v·w_t/η grows at least like t·ρ, ‖w_t‖/η at most like √t·r.

    Of other runs it is what the theorem of their rule says: from other weights than zero, with steps of several sizes,
    or of a margin perceptron.
    """
    from ..theory.audit import audit

    ax, words, checked = axes(ax), Words(lang), audit(trace, reference)
    if not len(checked.aligned):
        raise ValueError(f"No plane separates the rows, so there is no curve to draw. {' '.join(checked.notes)}")
    t = np.arange(len(checked.aligned))
    least, most = ("at least t·ρ", "at most √t·r") if checked.plain else ("at least", "at most")
    ax.plot(t, checked.least_aligned, "--", color=ORANGE, label=words(least))
    ax.plot(t, checked.aligned, color=ORANGE, label=r"$\mathbf{v}\cdot\mathbf{w}_t/\eta$")
    ax.plot(t, np.sqrt(trace.squares()) / trace.eta0, color=BLUE, label=r"$\Vert\mathbf{w}_t\Vert/\eta$")
    if np.isfinite(checked.longest).all():
        ax.plot(t, checked.longest, "--", color=BLUE, label=words(most))
    return words.dress(ax, x=words("update t"), y=words("length"))


def animate(trace: Trace, path: Any = None, ax: Any = None, lang: str = "en", interval: int = 400) -> Any:
    """The plane after every update, on data of two columns; a matplotlib animation.

    With ``path`` it is written as .gif, .mp4 (which needs ffmpeg) or .html.  Of a long run some frames are shown.
    An .html file is a page like that of the lab, with the rule, the charts and the proof, on which the run is played
    and stepped without a server; then ``path`` is returned, and nothing is drawn with matplotlib.
    """
    kind = "" if path is None else Path(path).suffix
    if kind not in ("", ".gif", ".mp4", ".html"):
        raise ValueError(f"An animation is written to a file that ends in .gif, .mp4 or .html, not in {kind!r}.")
    if kind == ".mp4" and not animation().writers.is_available("ffmpeg"):
        raise ValueError(
            "An .mp4 file is written by ffmpeg, which is not on this machine: install it, or write a .gif."
        )
    if kind == ".html":
        return write_page(trace, Path(path), lang)
    ax, words, X = axes(ax), Words(lang), two_columns(trace.X)
    one, (low, high) = trace.problems[0], window(X)
    scatter(ax, X, trace.y, words)
    (line,) = ax.plot([], [], color=BLACK, label=words("plane"))
    (mark,) = ax.plot([], [], "o", markersize=14, markerfacecolor="none", markeredgecolor=GREEN, markeredgewidth=2)
    frame(ax, low, high)
    words.dress(ax)
    frames = np.unique(np.linspace(0, len(one), min(len(one) + 1, FRAMES)).astype(int))

    def show(k: int) -> tuple[Any, ...]:
        line.set_data(*crossing(trace.weights_before(k), low, high))
        mark.set_data(*(X[one.rows[[k - 1]]].T if k else ([], [])))
        ax.set_title(words("update {} of {}", k, one.made), fontfamily=words.fonts)
        return line, mark

    film = animation().FuncAnimation(ax.figure, show, frames=frames, interval=interval)
    if kind:
        film.save(path, writer="pillow" if kind == ".gif" else "ffmpeg")
    return film


def write_page(trace: Trace, path: Path, lang: str) -> Path:
    """A page that plays the run."""
    from ..lab.page_file import page_of_trace

    page = page_of_trace(trace, lang)
    with replacing(path) as part:
        part.write_text(page, encoding="utf-8")
    return path


def worst_case(m: int = 8, ax: Any = None, lang: str = "en") -> Any:
    """The updates that 2, 3, …, m rows of the worst case take, in log scale, beside (4^m − 1)/3 and 2^m − 1."""
    ax, words, sizes = axes(ax), Words(lang), np.arange(1, m + 1, dtype=float)
    learner = Perceptron(order="cyclic", fit_intercept=False, max_iter=10**9, tol=None)
    made = [learner.fit(*datasets.exponential(k)).n_updates_ for k in range(2, m + 1)]
    ax.plot(sizes[1:], made, "o", color=BLUE, label=words("updates of the run"))
    ax.plot(sizes, (4**sizes - 1) / 3, color=ORANGE, label=words("(4^m − 1)/3"))
    ax.plot(sizes, 2**sizes - 1, "--", color=GREEN, label=words("2^m − 1, the notes' lower bound"))
    ax.set_yscale("log")
    return words.dress(ax, x=words("rows m"), y=words("updates"))


def animation() -> Any:
    pyplot()
    from matplotlib import animation

    return animation
