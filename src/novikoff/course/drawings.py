"""The figures of the course, drawn from what the runs measured."""

import io
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import plot
from ..data import datasets
from ..learners.perceptron import Perceptron
from ..plot.captions import Words
from ..plot.paper import BLACK, BLUE, COLOURS, GREEN, GREY, ORANGE, PURPLE, crossing, fill, frame, scatter, window


class Drawing(NamedTuple):
    """How a figure is drawn, on (figure, what was measured, words), and its size in inches."""

    draw: Callable[[Any, dict[str, Any], Words], Any]
    size: tuple[float, float] = (7.0, 4.0)


def svg(drawing: Drawing, measured: dict[str, Any], lang: str) -> bytes:
    """A figure as SVG, the same for the same run."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=drawing.size, layout="constrained")
    FigureCanvasSVG(figure)
    with mpl.rc_context({"svg.hashsalt": "novikoff", "svg.fonttype": "path", "axes.titlesize": "medium"}):
        drawing.draw(figure, measured, Words(lang))
        out = io.BytesIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()


def language(words: Words) -> str:
    return "zh" if words.chinese else "en"


def draw_neuron(figure: Any, _: Any, words: Words) -> None:
    plot.neuron(ax=figure.add_subplot(), lang=language(words))


def draw_activations(figure: Any, _: Any, words: Words) -> None:
    plot.activations(figure.add_subplot(), language(words))


def draw_side(figure: Any, _: Any, words: Words) -> None:
    """A plane, its normal, and its two sides."""
    X, y = datasets.logic_gate("or")
    plot.decision_boundary(Perceptron(order="cyclic").fit(X, y), X, y, figure.add_subplot(), language(words))


def draw_vectors(figure: Any, _: Any, words: Words) -> None:
    left, right = figure.subplots(1, 2)
    plot.update([1, 2], [2, -1.8], 1, left, language(words))
    plot.update([1, 2], [2, 0.5], -1, right, language(words))


def draw_ten(figure: Any, measured: dict[str, Any], words: Words) -> None:
    plot.updates(measured["trace"], 10, figure.subplots(2, 5), language(words))


def draw_planes(figure: Any, measured: dict[str, Any], words: Words) -> None:
    """The planes of all runs, on the same points: from 0 in each order, and from each start."""
    X, y, runs, begun = measured["data"]
    (left, right), (low, high) = figure.subplots(1, 2), window(X)
    looks = (
        (left, runs[:1], words.either("cyclic", "循环"), {"color": BLACK, "linewidth": 2.5}),
        (left, runs[1:6], words.either("shuffled", "打乱"), {"color": PURPLE, "linestyle": "--"}),
        (left, runs[6:], words.either("active", "活跃集"), {"color": GREEN, "linestyle": ":", "linewidth": 2}),
        (right, begun, words.either("cyclic", "循环"), {"color": BLACK}),
    )
    for ax, models, order, look in looks:
        for k, model in enumerate(models):
            w = np.append(model.coef_[0], model.intercept_)
            ax.plot(*crossing(w, low, high), label=order if k == 0 else None, **look)
    titles = words.either("from 0", "从零开始"), words.either("from five starts $w_0$", "从五个初始权重 $w_0$ 开始")
    for ax, title in zip((left, right), titles, strict=True):
        scatter(ax, X, y, words)
        frame(ax, low, high)
        words.dress(ax, title=title, legend=ax is left)


def draw_weights(figure: Any, measured: dict[str, Any], words: Words) -> None:
    """The weights of the plane by name: they are Chinese in the table, so in every language."""
    ax, weights = figure.add_subplot(), measured["weights"]
    names = [name.replace("_", "=") for name in weights]
    ax.barh(names, list(weights.values()), color=[BLUE if value > 0 else ORANGE for value in weights.values()])
    for label in ax.get_yticklabels():
        label.set_fontfamily(Words("zh").fonts)
    ax.axvline(0, color=BLACK, linewidth=0.8)
    words.dress(ax, x=words("weights"), legend=False)


def draw_gates(figure: Any, _: Any, words: Words) -> None:
    plot.logic_gates(figure.subplots(1, 4), language(words))


def draw_kinds(figure: Any, _: Any, words: Words) -> None:
    plot.three_kinds(figure.subplots(1, 3), language(words))


def draw_families(figure: Any, measured: dict[str, Any], words: Words) -> None:
    """M against ρ/r, under the line r²/ρ²."""
    ax, ratios = figure.add_subplot(), np.geomspace(0.004, 0.6, 50)
    names = {
        "orthonormal": words.either("orthonormal rows", "标准正交的样本"),
        "exponential": words.either("the worst case", "最坏情况"),
        "planted": words.either("points on a sphere", "球面上的点"),
    }
    for (name, rows), colour, mark in zip(measured["families"].items(), COLOURS, "so^", strict=False):
        ax.plot(*zip(*((rho, M) for rho, M, _ in rows), strict=True), mark + "-", color=colour, label=names[name])
    ax.plot(ratios, ratios**-2, "--", color=BLACK, label=r"$r^2/\rho^2$")
    ax.set(xscale="log", yscale="log")
    words.dress(ax, x=r"$\rho/r$", y=words("updates") + " $M$")


def draw_ball(figure: Any, measured: dict[str, Any], words: Words) -> None:
    X, y = measured["data"]
    plot.novikoff(X, y, figure.add_subplot(), language(words))


def draw_worst(figure: Any, _: Any, words: Words) -> None:
    plot.worst_case(8, figure.add_subplot(), language(words))


def draw_space(figure: Any, measured: dict[str, Any], words: Words) -> None:
    """XOR in the three features of the map, with the plane z₃ = 0 between the classes."""
    z, y, _ = measured["data"]
    ax, grid = figure.add_subplot(projection="3d"), np.array([-1.2, 1.2])
    first, second = np.meshgrid(grid, grid)
    ax.plot_surface(first, second, 0 * first, color=GREY, alpha=0.3)
    for k, mark in ((0, "s"), (1, "o")):
        ax.scatter(*z[y == k].T, color=COLOURS[k], marker=mark, s=60, label=words("class {}", k))
    ax.set(xlabel="$z_1$", ylabel="$z_2$", zlabel="$z_3 = z_1 z_2$")
    words.dress(ax)


def draw_amplitudes(figure: Any, measured: dict[str, Any], words: Words) -> None:
    """The bound over A, which is smallest at A² = rδ."""
    ax, (amplitudes, bounds) = figure.add_subplot(), np.transpose(measured["curve"])
    ax.plot(amplitudes, bounds, color=BLUE, label=r"$(r^2 + A^2)(1 + \delta^2/A^2)/\rho^2$")
    ax.axvline(measured["root"], color=ORANGE, linestyle="--", label=r"$A = \sqrt{r\delta}$")
    ax.axhline(bounds.min(), color=GREEN, linestyle=":", label=r"$(r + \delta)^2/\rho^2$")
    ax.set_xscale("log")
    ax.xaxis.set_minor_formatter("")  # a whole decade or two: figures between would stand in each other
    words.dress(ax, x="$A$", y=words.either("bound on the updates", "更新次数的上界"))


def draw_kernels(figure: Any, measured: dict[str, Any], words: Words) -> None:
    names, models = measured["models"]
    titles = [f"{name}: $M = {model.n_updates_}$" for name, model in zip(names, models, strict=True)]
    plot.kernels(models, *datasets.logic_gate("xor"), titles, language(words), figure)


def draw_pocket(figure: Any, measured: dict[str, Any], words: Words) -> None:
    """The errors of every plane of one run, those of the pocket, and the fewest there can be."""
    met, _, fewest = max(measured["curves"], key=lambda curve: len(set(curve[0])))
    ax = figure.add_subplot()
    shown = met[:120]
    ax.plot(shown, color=GREY, label=words.either("the perceptron", "感知机"), linewidth=1)
    pocket = np.minimum.accumulate(shown)
    ax.step(range(len(shown)), pocket, color=BLUE, where="post", label=words.either("the pocket", "口袋"))
    ax.axhline(fewest, color=GREEN, linestyle=":", label=words.either("the fewest possible", "最少可能"))
    words.dress(ax, x=words("update t"), y=words.either("errors", "错误数"))


def draw_cosine(figure: Any, measured: dict[str, Any], words: Words) -> None:
    plot.learning(measured["trace"], ax=figure.add_subplot(), lang=language(words))


def draw_growth(figure: Any, measured: dict[str, Any], words: Words) -> None:
    plot.growth(measured["trace"], ax=figure.add_subplot(), lang=language(words))


class NetworkFrame(NamedTuple):
    """A network of the course as something with scores."""

    network: Any

    def decision_function(self, X: Any) -> Any:
        """The scores of rows."""
        from .feature_claims import scores

        return scores(self.network, X)


def draw_films(figure: Any, measured: dict[str, Any], words: Words) -> None:
    """Back-propagation on XOR: the scores after some of the steps."""
    X, y = datasets.logic_gate("xor")
    low, high = window(X)
    for ax, (step, network) in zip(figure.subplots(2, 3).ravel(), measured["films"], strict=True):
        fill(ax, NetworkFrame(network), low, high)
        scatter(ax, X, y, words)
        frame(ax, low, high)
        ax.set(xticks=[], yticks=[])
        loss = measured["losses"][step]
        words.dress(
            ax, title=words.either(f"step {step}: loss {loss:.3f}", f"第 {step} 步：损失 {loss:.3f}"), legend=False
        )


def draw_losses_of_run(figure: Any, measured: dict[str, Any], words: Words) -> None:
    ax = figure.add_subplot()
    ax.plot(measured["losses"], color=BLUE)
    ax.set_yscale("log")
    words.dress(ax, x=words.either("step", "步"), y=words("loss"), legend=False)


def draw_spirals(figure: Any, measured: dict[str, Any], words: Words) -> None:
    model, X, y = measured["large"]
    plot.decision_boundary(model, X, y, figure.add_subplot(), language(words))


def draw_shares(figure: Any, measured: dict[str, Any], words: Words) -> None:
    """The part of the Boolean functions that one neuron computes."""
    ax, shares = figure.add_subplot(), np.divide(measured["threshold"], measured["all"])
    names = [f"$n = {n}$" for n in range(2, 2 + len(shares))]
    bars = ax.bar(names, shares, color=BLUE)
    counts = zip(measured["threshold"], measured["all"], strict=True)
    ax.bar_label(bars, [f"{some}/{every}" for some, every in counts])
    ax.set_ylim(0, 1.1)
    words.dress(ax, y=words.either("threshold functions", "阈值函数所占比例"), legend=False)


def draw_generalisation(figure: Any, measured: dict[str, Any], words: Words) -> None:
    """The margin reached against the test error, for every training set, and on average."""
    ax = figure.add_subplot()
    names = {
        "Perceptron": words("perceptron"),
        "MarginPerceptron": words.either("margin perceptron", "间隔感知机"),
        "best margin": words.either("best margin", "最大间隔"),
    }
    for k, (name, label) in enumerate(names.items()):
        margins, errors = np.transpose([row[1:] for row in measured["rows"] if row[0] == name])
        ax.plot(margins, errors, "so^"[k], color=COLOURS[k], alpha=0.35, markersize=4)
        ax.plot(margins.mean(), errors.mean(), "so^"[k], color=COLOURS[k], markersize=11, label=label)
    best = words.either("margin, as a part of the best", "间隔与最大间隔之比")
    words.dress(ax, x=best, y=words.either("test error", "测试错误率"))


def draw_cover(figure: Any, measured: dict[str, Any], words: Words) -> None:
    """The part of random labellings that separate, beside Cover's curve."""
    ax, (ratios, parts, curve) = figure.add_subplot(), np.transpose(measured["points"])
    ax.plot(ratios, curve, color=ORANGE, label=words.either("Cover", "Cover 公式"))
    ax.plot(ratios, parts, "o", color=BLUE, label=words.either("of random sets", "随机数据"))
    ax.axvline(2, color=GREY, linestyle=":")
    words.dress(ax, x="$n/d$", y=words.either("separable", "可分的比例"))


def draw_losses(figure: Any, _: Any, words: Words) -> None:
    plot.losses(figure.add_subplot(), language(words))


def draw_three_planes(figure: Any, measured: dict[str, Any], words: Words) -> None:
    """The weights that three losses give to the features of the dating table, each scaled to length 1."""
    ax, names = figure.add_subplot(), [name.replace("_", "=") for name in measured["names"]]
    losses = words("perceptron"), words("hinge"), words("logistic loss")
    for k, (plane, loss) in enumerate(zip(measured["planes"], losses, strict=True)):
        places = np.arange(len(names)) + 0.27 * (k - 1)
        ax.barh(places, np.divide(plane, np.linalg.norm(plane)), 0.25, color=COLOURS[k], label=loss)
    ax.set_yticks(range(len(names)), names, fontfamily=Words("zh").fonts)
    words.dress(ax, x=words.either("weight", "权重"))


TIMELINE = (
    (1943, "McCulloch, Pitts: the neuron", "McCulloch、Pitts：神经元模型"),
    (1949, "Hebb: learning", "Hebb：学习规则"),
    (1958, "Rosenblatt: the perceptron", "Rosenblatt：感知机"),
    (1962, "Novikoff, Block: it converges", "Novikoff、Block：收敛定理"),
    (1969, "Minsky, Papert: XOR", "Minsky、Papert：异或"),
    (1974, "Werbos: back-propagation", "Werbos：反向传播"),
    (1986, "Rumelhart, Hinton, Williams", "Rumelhart、Hinton、Williams：BP 算法"),
    (1995, "Cortes, Vapnik: support vectors", "Cortes、Vapnik：支持向量机"),
    (1998, "LeCun: convolutional networks", "LeCun：卷积网络"),
    (2006, "Hinton: deep belief networks", "Hinton：深度信念网络"),
    (2012, "AlexNet wins ImageNet", "AlexNet 夺得 ImageNet 冠军"),
    (2018, "Turing Award: Bengio, Hinton, LeCun", "Bengio、Hinton、LeCun 获图灵奖"),
)


def draw_timeline(figure: Any, _: Any, words: Words) -> None:
    """1943 to 2018."""
    ax = figure.add_subplot()
    ax.axvline(0, color=GREY, linewidth=2)
    for k, (year, english, chinese) in enumerate(TIMELINE):
        ax.plot(0, -k, "o", color=BLUE if k % 2 else ORANGE)
        ax.text(-0.04, -k, str(year), ha="right", va="center", fontfamily=words.fonts)
        ax.text(0.04, -k, words.either(english, chinese), va="center", fontfamily=words.fonts)
    ax.set(xlim=(-0.3, 1.0), ylim=(-len(TIMELINE) + 0.4, 0.6))
    ax.set_axis_off()


MAP = (
    ("1", "two schools", "路线之争", (0, 0)),
    ("2", "the neuron", "神经元", (0, 1)),
    ("3", "the perceptron", "感知机", (0, 2)),
    ("4", "the learning rule", "学习算法", (1, 2)),
    ("5", "gates and XOR", "逻辑运算与异或", (1, 1)),
    ("6", "Novikoff", "Novikoff 定理", (2, 2)),
    ("7", "tight, and slow", "紧性与最坏情况", (3, 2)),
    ("8", "margin", "间隔感知机", (3, 3)),
    ("9", "no plane", "线性不可分", (2, 1)),
    ("10", "kernels", "核感知机", (3, 1)),
    ("11", "networks", "多层感知机", (3, 0)),
    ("12", "how much separates", "可分的有多少", (2, 0)),
)
WAYS = ("1 2", "2 3", "3 4", "4 5", "4 6", "6 7", "6 8", "5 9", "9 10", "9 11", "9 12")


def draw_map(figure: Any, _: Any, words: Words) -> None:
    """The sections of the chapter, and which leads to which."""
    ax, places = figure.add_subplot(), {}
    for number, english, chinese, (x, y) in MAP:
        places[number] = (2.8 * x, -y)
        box = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": BLUE}
        text = f"{number}  {words.either(english, chinese)}"
        ax.text(*places[number], text, ha="center", va="center", fontfamily=words.fonts, bbox=box, zorder=3)
    for way in WAYS:
        start, end = (places[number] for number in way.split())
        room = 13 if start[0] == end[0] else 52  # boxes are wider than high
        look = {"arrowstyle": "-|>", "color": PURPLE, "shrinkA": room, "shrinkB": room}
        ax.annotate("", end, start, arrowprops=look)
    ax.set(xlim=(-1.2, 9.6), ylim=(-3.5, 0.5))
    ax.set_axis_off()


SQUARE, WIDE = (5.6, 4.0), (11.0, 3.4)
DRAWINGS: dict[str, Drawing] = {
    "map": Drawing(draw_map, (10.0, 3.6)),
    "timeline": Drawing(draw_timeline, (6.5, 4.2)),
    "C01": Drawing(draw_neuron, SQUARE),
    "C02": Drawing(draw_activations),
    "C03": Drawing(draw_side, SQUARE),
    "C04": Drawing(draw_ten, (11.0, 4.8)),
    "C04-vectors": Drawing(draw_vectors, (8.0, 4.0)),
    "C05": Drawing(draw_planes, (9.6, 4.0)),
    "C07": Drawing(draw_gates, WIDE),
    "C08": Drawing(draw_kinds, (10.0, 3.6)),
    "C09": Drawing(draw_families),
    "C10": Drawing(draw_ball, (6.4, 4.4)),
    "C12": Drawing(draw_worst),
    "C14": Drawing(draw_space, SQUARE),
    "C15": Drawing(draw_amplitudes),
    "C17": Drawing(draw_kernels, (10.0, 6.4)),
    "C18": Drawing(draw_pocket),
    "C19": Drawing(draw_cosine),
    "C19-growth": Drawing(draw_growth),
    "C20": Drawing(draw_films, (8.0, 5.4)),
    "C20-loss": Drawing(draw_losses_of_run, (6.0, 3.2)),
    "C20-spirals": Drawing(draw_spirals, SQUARE),
    "C21": Drawing(draw_shares, (5.0, 3.4)),
    "C22": Drawing(draw_weights, (6.0, 4.6)),
    "C23": Drawing(draw_generalisation),
    "C24": Drawing(draw_cover),
    "C25": Drawing(draw_losses),
    "C25-planes": Drawing(draw_three_planes, (7.5, 5.5)),
}
"""The figures by name: that of a claim, more of a claim, and those of the chapter."""


def drawings_of(claim: str) -> dict[str, Drawing]:
    """The figures of a claim."""
    return {name: drawing for name, drawing in DRAWINGS.items() if name.partition("-")[0] == claim}
