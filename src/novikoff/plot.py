"""Pictures of neurons, planes and runs, with matplotlib (the extra ``plot``).

Every function draws on ``ax`` or on new Axes, and returns them.  ``lang="zh"`` writes Chinese where a Chinese font is
installed.  Colours are those of Okabe and Ito, which colour-blind readers can tell apart; classes differ by marker too.
"""

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from . import neuron as neurons
from .atomic import replacing
from .data import datasets
from .learners.perceptron import Perceptron
from .theory.trace import Trace

BLUE, ORANGE, GREEN, PURPLE, BLACK = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000"
COLOURS = [ORANGE, BLUE, GREEN, PURPLE, "#E69F00", "#56B4E9", "#F0E442", BLACK]
MARKERS = ["s", "o", "^", "D", "v", "P", "X", "*"]
GRID = 200
"""Points on either side of a picture of scores."""
PROFILE = 81
"""Points of a profile of a likelihood."""
FRAMES = 200
"""The most frames of an animation."""
CHINESE_FONTS = (
    "Noto Sans CJK SC",
    "Noto Serif CJK SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "PingFang SC",
    "Heiti SC",
    "Microsoft YaHei",
    "SimHei",
    "Arial Unicode MS",
)
CHINESE = {
    "step": "阶跃函数 sgn",
    "sign": "符号函数 sign",
    "logistic": "对数几率函数",
    "tanh": "双曲正切函数",
    "input": "输入",
    "output": "输出",
    "class {}": "类别 {}",
    "plane": "超平面",
    "margin": "间隔",
    "weights": "法向量 w",
    "AND": "与",
    "OR": "或",
    "NOT": "非",
    "XOR": "异或",
    "not separable": "线性不可分",
    "update t": "更新次数 t",
    "cosine to the best plane": "与最优超平面的夹角余弦",
    "cosine to the last function": "与最终函数的夹角余弦",
    "cos(v, w_t) of the run": "实际运行的 cos(v, w_t)",
    "at least √t·ρ/r": "下界 √t·ρ/r",
    "M = {} updates": "更新 M = {} 次",
    "bound r²/ρ² = {:.4g}": "上界 r²/ρ² = {:.4g}",
    "ball of radius r = {:.3g}": "半径 r = {:.3g} 的球",
    "margin ρ = {:.3g}": "间隔 ρ = {:.3g}",
    "rows m": "样本数 m",
    "updates": "更新次数",
    "updates of the run": "实际更新次数",
    "(4^m − 1)/3": "(4^m − 1)/3",
    "2^m − 1, the notes' lower bound": "2^m − 1（讲义给出的下界）",
    "update {} of {}": "第 {} 次更新（共 {} 次）",
    "score": "得分",
    "largest log-likelihood": "最大对数似然",
    "the others at their best": "其余系数取最优",
    "estimate {:.3g}": "估计值 {:.3g}",
    "{:.4g}, which no value reaches": "{:.4g}，任何取值都达不到",
    "rows responsible": "造成分离的样本",
    "coefficient of {}": "{} 的系数",
}


class Words:
    """Labels in a language, and the fonts to write them in."""

    def __init__(self, lang: str) -> None:
        if lang not in ("en", "zh"):
            raise ValueError(f"lang must be 'en' or 'zh', got {lang!r}.")
        font = chinese_font() if lang == "zh" else None
        if lang == "zh" and font is None:
            warnings.warn("No Chinese font is installed, so labels are in English.", UserWarning, stacklevel=3)
        self.chinese = font is not None
        self.fonts = [font, "DejaVu Sans"] if font else ["DejaVu Sans"]

    def __call__(self, text: str, *values: Any) -> str:
        return (CHINESE[text] if self.chinese else text).format(*values)

    def dress(self, ax: Any, title: str = "", x: str = "", y: str = "", legend: bool = True) -> Any:
        """Write title, labels and legend."""
        for put, text in ((ax.set_title, title), (ax.set_xlabel, x), (ax.set_ylabel, y)):
            if text:
                put(text, fontfamily=self.fonts)
        if legend:
            ax.legend(prop={"family": self.fonts, "size": "small"})
        return ax


def activations(ax: Any = None, lang: str = "en") -> Any:
    """The four activation functions: step and sign with their jump at 0, logistic and tanh."""
    ax, words = axes(ax), Words(lang)
    x = np.linspace(-4, 4, 401)
    curves = {"step": neurons.step, "sign": neurons.sign, "logistic": neurons.logistic, "tanh": neurons.tanh}
    for (name, function), colour, style in zip(curves.items(), COLOURS, ["-", "--", "-.", ":"], strict=False):
        values = np.where(np.diff(function(x), prepend=function(x)[0]) >= 1, np.nan, function(x))
        ax.plot(x, values, style, color=colour, label=words(name), linewidth=2)
    return words.dress(ax, x="x", y="h(x)")


def neuron(weights: Any = (1.0, 1.0), bias: float = -1.5, ax: Any = None, lang: str = "en") -> Any:
    """The neuron of McCulloch and Pitts: inputs, weights, their sum with the bias, and the output h(Σ w·x + b)."""
    ax, words, weights = axes(ax), Words(lang), np.atleast_1d(weights)
    heights = np.linspace(1, -1, len(weights)) if len(weights) > 1 else np.zeros(1)
    for i, (weight, height) in enumerate(zip(weights, heights, strict=True), start=1):
        ax.annotate("", (0.85, 0), (-0.85, height), arrowprops={"arrowstyle": "->", "color": BLUE})
        ax.text(-1, height, f"$x_{{{i}}}$", ha="center", va="center", bbox=circle(BLUE))
        ax.text(0, height / 2 + 0.12, f"$w_{{{i}}} = {weight:g}$", ha="center", color=BLUE)
    ax.text(1, 0, f"Σ {'+' if bias >= 0 else '−'} {abs(bias):g}", ha="center", va="center", bbox=circle(ORANGE))
    ax.annotate("", (2.4, 0), (1.35, 0), arrowprops={"arrowstyle": "->", "color": ORANGE})
    ax.text(1.9, 0.1, "h", ha="center", color=ORANGE)
    ax.text(2.7, 0, "y", ha="center", va="center", bbox=circle(GREEN))
    for x, text in ((-1, "input"), (2.7, "output")):
        ax.text(x, -1.45, words(text), ha="center", fontfamily=words.fonts)
    ax.set(xlim=(-1.6, 3.3), ylim=(-1.6, 1.4))
    ax.set_axis_off()
    return ax


def decision_boundary(model: Any, X: Any, y: Any, ax: Any = None, lang: str = "en") -> Any:
    """A fitted classifier on data of two columns.

    Of a plane: the line, its weight vector, and the band of its margin if it has one.  Of anything else (kernels,
    networks, pipelines, several classes): filled contours.
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
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    return words.dress(ax)


def logic_gates(ax: Any = None, lang: str = "en") -> Any:
    """AND, OR, NOT and XOR, each with the plane that a perceptron learns; four Axes, or those given in ``ax``."""
    words = Words(lang)
    four = pyplot().subplots(1, 4, figsize=(12, 3), layout="constrained")[1] if ax is None else np.ravel(ax)
    for each, name in zip(four, ("and", "or", "not", "xor"), strict=True):
        X, y = datasets.logic_gate(name)
        if name == "not":  # one input, drawn on a line
            X = np.column_stack([X, np.zeros(2)])
        model = Perceptron(order="cyclic").fit(X, y)
        title = words(name.upper())
        if model.status_ == "separated":
            decision_boundary(model, X, y, each, lang)
        else:
            low, high = window(X)
            scatter(each, X, y, words)
            each.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
            title += f" ({words('not separable')})"
        words.dress(each, title=title, legend=False)
        if each.get_legend():
            each.get_legend().remove()
    return four


def learning(trace: Trace, reference: Any = None, ax: Any = None, lang: str = "en") -> Any:
    """How a run nears the best plane: cos(v, w_t), its floor √t·ρ/r, the updates made and the bound on them.

    The floor reaches 1 at t = r²/ρ², and no cosine exceeds 1: that is Novikoff's theorem.
    """
    from .theory.audit import audit

    ax, words, checked = axes(ax), Words(lang), audit(trace, reference)
    if not len(checked.cosines):
        raise ValueError(f"No plane separates the rows, so there is no curve to draw. {' '.join(checked.notes)}")
    t = np.arange(1, len(checked.cosines) + 1)
    bound = (checked.radius / checked.margin) ** 2
    ahead = np.geomspace(1, max(bound, 1.0), 200)
    ax.plot(t, checked.cosines, color=BLUE, label=words("cos(v, w_t) of the run"), marker="." if len(t) < 50 else "")
    ax.plot(ahead, np.sqrt(ahead / bound), "--", color=ORANGE, label=words("at least √t·ρ/r"))
    ax.axvline(len(t), color=BLUE, linestyle=":", label=words("M = {} updates", len(t)))
    ax.axvline(bound, color=ORANGE, linestyle="-.", label=words("bound r²/ρ² = {:.4g}", bound))
    ax.set(xscale="log", ylim=(0, 1.05))
    aim = words("cosine to the last function") if trace.kernel else words("cosine to the best plane")
    return words.dress(ax, x=words("update t"), y=aim)


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
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
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
    from .lab.page_file import page_of_trace

    page = page_of_trace(trace, lang)
    with replacing(path) as part:
        part.write_text(page, encoding="utf-8")
    return path


def novikoff(X: Any, y: Any, ax: Any = None, lang: str = "en") -> Any:
    """The picture of Novikoff's theorem: the ball around the rows, the best plane through its centre, its margin.

    It is that of rows without a bias, on data of two columns.
    """
    from .proofs.certify import certify

    ax, words, X = axes(ax), Words(lang), two_columns(X)
    certificate = certify(X, y, fit_intercept=False)
    if certificate.verdict != "separable":
        raise ValueError(f"No plane through the origin separates these rows; the data is {certificate.summary()}.")
    r, (rho, _) = certificate.radius, certificate.margin
    low, high = np.full(2, -1.15 * r), np.full(2, 1.15 * r)
    w = np.append(np.ravel(certificate.coef), 0.0)
    ball = pyplot().Circle((0, 0), r, fill=False, color=BLACK, label=words("ball of radius r = {:.3g}", r))
    ax.add_patch(ball)
    draw_plane(ax, w, low, high, words)
    draw_band(ax, w, rho * float(np.linalg.norm(w)), low, high, words("margin ρ = {:.3g}", rho))
    scatter(ax, X, y, words)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    title = words("bound r²/ρ² = {:.4g}", (r / rho) ** 2)
    return words.dress(ax, title=title)


def likelihood_profile(X: Any, y: Any, name: str, ax: Any = None, lang: str = "en") -> Any:
    """The largest log-likelihood of a logistic regression for each value of one coefficient, the others at their best.

    At an estimate that is finite it turns.  If the estimate is infinite it never does: it nears a bound without end.
    """
    from .regression.estimates import likelihood_along
    from .regression.separation import separation

    ax, words, found = axes(ax), Words(lang), separation(X, y)
    kind = found.coefficients.get(name)
    if kind in (None, "aliased"):
        what = "is aliased, so its likelihood is flat" if kind else f"is none of {', '.join(found.coefficients)}"
        raise ValueError(f"There is no profile to draw of {name!r}: it {what}.")
    rows = signed_design(found)
    j = list(found.coefficients).index(name)
    if kind == "finite":
        values = found.estimates[name] + found.standard_errors[name] * np.linspace(-2.5, 2.5, PROFILE)
    else:
        ends = {"+inf": (-2, 14), "-inf": (-14, 2)}.get(kind, (-14, 14))
        values = np.linspace(*ends, PROFILE) / np.abs(rows[:, j]).max()
    ax.plot(values, likelihood_along(rows, j, values), color=BLUE, label=words("the others at their best"), linewidth=2)
    if kind == "finite":
        mark = words("estimate {:.3g}", found.estimates[name])
        ax.axvline(found.estimates[name], color=GREEN, linestyle=":", label=mark)
    else:
        top = likelihood_along(rows)[0]
        ax.axhline(top, color=ORANGE, linestyle="--", label=words("{:.4g}, which no value reaches", top))
    return words.dress(ax, x=words("coefficient of {}", name), y=words("largest log-likelihood"))


def responsible_rows(X: Any, y: Any, ax: Any = None, lang: str = "en") -> Any:
    """A regression on two columns whose data are separated: the plane, and the rows responsible in rings."""
    from .regression.separation import separation

    ax, words, found = axes(ax), Words(lang), separation(X, y)
    drawn = two_columns(found.design)
    if found.certificate is None or not len(found.rows):
        raise ValueError(f"There is no plane to draw: the verdict is {found.verdict!r}.")
    whole = found.certificate.claim.plane
    largest = max(map(abs, whole.values()))
    low, high = window(drawn)
    draw_plane(ax, np.array([whole.get(j, 0) / largest for j in range(3)]), low, high, words)
    scatter(ax, drawn, found.target, words)
    rings = {"facecolor": "none", "edgecolor": BLACK, "label": words("rows responsible")}
    ax.scatter(*drawn[found.rows].T, s=170, zorder=2, **rings)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    names = list(found.coefficients)
    return words.dress(ax, x=names[0], y=names[1])


def signed_design(found: Any) -> np.ndarray:
    """The rows of a binomial regression, with their 1 for an intercept, negative for the reference class."""
    X = found.design.toarray() if hasattr(found.design, "toarray") else np.asarray(found.design, dtype=np.float64)
    rows = np.column_stack([X, np.ones(len(X))]) if "(Intercept)" in found.coefficients else X
    return rows * np.where([str(label) == found.certificate.claim.classes[1] for label in found.target], 1, -1)[:, None]


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


def kernel_surface(model: Any, X: Any, y: Any, ax: Any = None, lang: str = "en") -> Any:
    """The scores of a two-class classifier as a surface over data of two columns, which is cut at height 0."""
    words, X = Words(lang), two_columns(X)
    ax = pyplot().figure(layout="constrained").add_subplot(projection="3d") if ax is None else ax
    low, high = window(X)
    first, second, points = mesh(low, high, GRID // 3)
    heights = model.decision_function(points).reshape(first.shape)
    ax.plot_surface(first, second, heights, cmap="cividis", alpha=0.6, linewidth=0)
    ax.contour(first, second, heights, levels=[0], colors=BLACK)
    scores = model.decision_function(X)
    for k, label in enumerate(np.unique(y)):
        some = np.asarray(y) == label
        ax.scatter(*X[some].T, scores[some], color=COLOURS[k], marker=MARKERS[k], label=words("class {}", label))
    ax.set_zlabel(words("score"), fontfamily=words.fonts)
    return words.dress(ax)


def pyplot() -> Any:
    """matplotlib.pyplot, or an error message that says how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("novikoff.plot needs matplotlib: install it with pip install novikoff[plot].") from error
    return plt


def animation() -> Any:
    pyplot()
    from matplotlib import animation

    return animation


def axes(ax: Any) -> Any:
    """The Axes given, or new ones."""
    return pyplot().subplots(layout="constrained")[1] if ax is None else ax


def chinese_font() -> str | None:
    """The name of an installed font that has Chinese characters."""
    pyplot()
    from matplotlib import font_manager

    installed = {font.name for font in font_manager.fontManager.ttflist}
    return next((name for name in CHINESE_FONTS if name in installed), None)


def circle(colour: str) -> dict[str, Any]:
    return {"boxstyle": "circle,pad=0.4", "facecolor": "white", "edgecolor": colour}


def two_columns(X: Any) -> np.ndarray:
    """X as an array, if it can be drawn on paper."""
    X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    if X.ndim != 2 or X.shape[1] != 2:
        raise ValueError(f"Only data of two columns can be drawn on a plane, but X has the shape {X.shape}.")
    return X


def window(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The corners of a picture of X, with some room around it."""
    low, high = X.min(axis=0), X.max(axis=0)
    room = np.where(high > low, 0.2 * (high - low), 0.5 * max(1.0, float((high - low).max())))
    return low - room, high + room


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


def draw_plane(ax: Any, w: np.ndarray, low: np.ndarray, high: np.ndarray, words: Words) -> None:
    """The line, and from it the weight vector."""
    ax.plot(*crossing(w, low, high), color=BLACK, label=words("plane"))
    if w[:2].any():
        middle = np.mean(crossing(w, low, high), axis=1)
        tip = middle + w[:2] / np.linalg.norm(w[:2]) * 0.2 * float((high - low).min())
        ax.annotate("", tip, middle, arrowprops={"arrowstyle": "-|>", "color": BLACK})
        ax.annotate(words("weights"), tip, fontfamily=words.fonts, clip_on=True, zorder=4)


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
    ax.contourf(first, second, heights, levels=np.linspace(-most, most, 15), cmap="PuOr", alpha=0.6)
    ax.contour(first, second, heights, levels=[0], colors=BLACK)
