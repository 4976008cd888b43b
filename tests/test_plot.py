"""Pictures, by what is on them: lines, labels, limits."""

import json
import re
import warnings

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from novikoff import (
    KernelPerceptron,
    MarginPerceptron,
    Perceptron,
    XorFeatures,
    audit,
    datasets,
    plot,
    record,
    separation,
)
from novikoff.plot.captions import CHINESE, chinese_font
from novikoff.plot.runs import animation

mpl.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.fixture(params=["en", "zh"])
def lang(request):
    return request.param


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def drawn(ax):
    """Draw it all, so that a missing character is a warning, and with that an error."""
    ax.figure.canvas.draw()
    return ax


def planted():
    X, y = datasets.planted_margin(30, 2, 0.2, random_state=0)
    return X, y


def test_activations(lang):
    ax = drawn(plot.activations(lang=lang))
    assert "step" in labels(ax)[0] or "阶跃" in labels(ax)[0]
    step, sign, logistic, tanh = (line.get_ydata() for line in ax.lines if len(line.get_xdata()) > 1)
    ends = [line for line in ax.lines if len(line.get_xdata()) == 1]
    assert [line.get_ydata()[0] for line in ends] == [1, 0, 1, -1]  # full at 1, empty below
    assert np.nanmin(step) == 0
    assert np.nanmin(sign) == -1
    np.testing.assert_allclose(tanh[100:301], 2 * logistic[::2] - 1, atol=1e-12)  # tanh(x) = 2σ(2x) − 1


def test_neuron(lang):
    ax = drawn(plot.neuron([1, 2, 3], -1, lang=lang))
    texts = [text.get_text() for text in ax.texts]
    assert "$w_{3} = 3$" in texts
    assert "Σ − 1" in texts


def test_plane_of_a_linear_model(lang):
    X, y = planted()
    model = Perceptron().fit(X, y)
    ax = drawn(plot.decision_boundary(model, X, y, lang=lang))
    first, second = ax.lines[0].get_data()
    np.testing.assert_allclose(
        model.decision_function(np.column_stack([first, second])), 0, atol=1e-9 * abs(np.append(first, second)).max()
    )
    assert len(ax.collections) == 2
    (band,) = ax.patches
    scores = np.abs(model.decision_function(band.get_xy()[:4]))
    np.testing.assert_allclose(scores, (y * model.decision_function(X)).min(), rtol=1e-6)


def test_contours_of_anything_else():
    X, y = datasets.logic_gate("xor")
    model = make_pipeline(XorFeatures(), Perceptron()).fit(X, y)
    ax = drawn(plot.decision_boundary(model, X, y))
    assert len(ax.collections) >= 3
    assert not ax.lines
    X, y = np.array([[0, 0], [4, 0], [0, 4], [1, 1]]), [0, 1, 2, 0]
    assert plot.decision_boundary(Perceptron(multi_class="joint").fit(X, y), X, y).collections


def test_gates(lang):
    four = plot.logic_gates(lang=lang)
    drawn(four[0])
    assert len(four) == 4
    assert [len(ax.lines) for ax in four] == [1, 1, 1, 0]
    assert four[3].get_title() in ("XOR: not separable", "异或: 线性不可分")
    assert four[0].get_title().endswith(": $3 x_1+2 x_2-4 = 0$")
    own = plt.subplots(2, 2)[1]
    assert plot.logic_gates(ax=own)[3] is own[1, 1]


def test_learning(lang):
    X, y = planted()
    trace = record(Perceptron(), X, y)
    ax = drawn(plot.learning(trace, lang=lang))
    found = audit(trace)
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), found.cosines)
    assert ax.lines[1].get_ydata()[-1] == pytest.approx(1)  # the floor reaches 1 at the bound
    assert ax.lines[2].get_xdata()[0] == len(trace)
    assert ax.lines[3].get_xdata()[0] == pytest.approx((found.radius / found.margin) ** 2)
    X, y = datasets.logic_gate("xor")
    assert plot.learning(record(KernelPerceptron("poly", gamma=1), X, y)).lines
    for draw in (plot.learning, plot.growth):
        with pytest.raises(ValueError, match="no curve to draw"):
            draw(record(Perceptron(), X, y))


def test_growth_lies_between_its_lines(lang):
    X, y = planted()
    floor, along, length, roof = (
        line.get_ydata() for line in drawn(plot.growth(record(Perceptron(), X, y), lang=lang)).lines
    )
    assert (floor <= along + 1e-9).all()
    assert (along <= length + 1e-9).all()
    assert (length <= roof + 1e-9).all()


STARTED = {"coef_init": [0.3, -0.5], "intercept_init": [0.1]}
OTHER_RUNS = {
    "a start": (Perceptron(order="cyclic"), STARTED, {}),
    "rows of several weights": (Perceptron(order="cyclic"), {}, {"sample_weight": [1, 2, 1, 3]}),
    "a margin": (MarginPerceptron(margin=0.1), {}, {}),
    "a margin of its own": (MarginPerceptron(), {}, {}),
}


@pytest.mark.parametrize("run", OTHER_RUNS)
def test_of_other_runs_what_their_own_theorem_says_is_drawn(run, lang):
    learner, start, weights = OTHER_RUNS[run]
    trace = record(learner, *datasets.logic_gate("and"), **start, **weights)
    found = audit(trace)
    assert found.holds
    w = np.array([trace.weights_before(t) for t in range(len(trace))] + [trace.weights_after(len(trace) - 1)])
    lengths = np.linalg.norm(w, axis=1) / trace.eta0
    np.testing.assert_allclose(found.aligned, w @ found.plane / trace.eta0, atol=1e-9)
    np.testing.assert_allclose(found.cosines, found.aligned[1:] / lengths[1:])
    assert len(trace) <= found.bound
    assert (found.least_aligned <= found.aligned + 1e-9).all()
    assert (lengths <= found.longest * (1 + 1e-9)).all()
    assert (found.floors <= found.cosines + 1e-9).all()
    assert found.floors.max() > 0
    drawn_bounds = [line.get_xdata()[0] for line in drawn(plot.learning(trace, lang=lang)).lines[-1:]]
    assert drawn_bounds == pytest.approx([found.bound])
    curves = [line.get_ydata() for line in drawn(plot.growth(trace, lang=lang)).lines]
    for curve, expected in zip(curves, (found.least_aligned, found.aligned, lengths, found.longest), strict=True):
        np.testing.assert_allclose(curve, expected)


def test_an_update_as_vectors(lang):
    ax = drawn(plot.update([1, 2], [2, -1.8], 1, lang=lang))
    assert ax.get_aspect() == 1
    tips = [text.xy for text in ax.texts if text.arrow_patch is not None]
    assert [3.0, pytest.approx(0.2)] in [list(tip) for tip in tips]
    assert "105" in ax.get_title()
    with pytest.raises(ValueError, match="label y of 1 or −1"):
        plot.update([1, 2], [2, 1], 0)


def test_ten_updates_picture_by_picture(lang):
    X, y = datasets.logic_gate("and")
    trace = record(Perceptron(order="cyclic"), X, y)
    sheet = plot.updates(trace, 7, lang=lang)
    drawn(sheet[0])
    assert len(sheet) == 10
    assert [ax.get_title() for ax in sheet[:7]] == [f"$t = {k}$" for k in range(1, 8)]
    rings = [ax.collections[-1].get_offsets()[0].tolist() for ax in sheet[:7]]
    assert rings == X[trace.problems[0].rows[:7]].tolist()


def test_three_kinds_of_data(lang):
    three = plot.three_kinds(lang=lang)
    drawn(three[0])
    assert [bool(ax.lines) for ax in three] == [True, False, False]
    assert three[1].get_title() == three[2].get_title() in ("inseparable", "线性不可分")


def test_losses(lang):
    ax = drawn(plot.losses(lang=lang))
    _, perceptron, hinge, logistic = (line.get_ydata() for line in ax.lines)
    assert (perceptron <= hinge).all()
    assert (perceptron < logistic).all()


def test_kernels_in_two_rows():
    X, y = datasets.logic_gate("xor")
    models = [KernelPerceptron("poly", gamma=1, degree=d).fit(X, y) for d in (2, 3)]
    figure = plot.kernels(models, X, y, ["2", "3"])
    figure.canvas.draw()
    assert [ax.name for ax in figure.axes] == ["rectilinear", "3d", "rectilinear", "3d"]


def test_the_weight_vector_is_perpendicular_on_paper(lang):
    X, y = datasets.logic_gate("or")
    ax = drawn(plot.decision_boundary(Perceptron(order="cyclic").fit(X, y), X, y, lang=lang))
    arrow = next(text for text in ax.texts if text.arrow_patch is not None)
    tip, start = ax.transData.transform(arrow.xy), ax.transData.transform(arrow.xyann)
    line = np.diff(ax.transData.transform(np.column_stack(ax.lines[0].get_data())), axis=0)[0]
    assert abs((tip - start) @ line) < 1e-6 * np.linalg.norm(tip - start) * np.linalg.norm(line)


def test_columns_of_unlike_scale_are_not_drawn_to_one():
    X, y = np.array([[0.0, 0.0], [1.0, 1000.0]]), [0, 1]
    ax = drawn(plot.decision_boundary(Perceptron().fit(X, y), X, y))
    assert ax.get_aspect() == "auto"
    assert not [text for text in ax.texts if text.arrow_patch is not None]


def test_legends_lie_beside_the_data(lang):
    X, y = planted()
    ax = drawn(plot.novikoff(X, y, lang=lang))
    assert ax.get_legend().get_window_extent().x0 >= ax.get_window_extent().x1


def test_animation(tmp_path):
    X, y = datasets.logic_gate("and")
    trace = record(Perceptron(order="cyclic"), X, y, limit=5)
    film = plot.animate(trace, tmp_path / "run.gif")
    assert (tmp_path / "run.gif").stat().st_size > 1000
    assert len(list(film.new_frame_seq())) == 6


def test_a_page_has_the_run_inside(tmp_path):
    X, y = datasets.logic_gate("and")
    trace = record(Perceptron(order="cyclic"), X, np.where(y, "yes", "no"))
    page = plot.animate(trace, tmp_path / "run.html", lang="zh").read_text(encoding="utf-8")
    data = json.loads(re.search(r'<script type="application/json" id="recording">(.*?)</script>', page).group(1))
    assert data["language"] == "zh"
    assert data["request"]["points"] == [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]]
    assert data["answer"]["steps"]["weights"][-1] == [3, 2, -4]
    assert data["answer"]["steps"]["made"] == len(trace)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: record(Perceptron(class_weight={0: 1, 1: 3}), *datasets.logic_gate("and")), "weigh 1"),
        (lambda: record(Perceptron(), [[0.0, 1], [1, 0], [2, 2]], [0, 1, 2]), "two classes"),
        (lambda: record(Perceptron(), [[0], [1]], [0, 1]), "two columns"),
    ],
)
def test_runs_that_cannot_be_shown_on_a_page(tmp_path, make, words):
    with pytest.raises(ValueError, match=words):
        plot.animate(make(), tmp_path / "run.html")
    assert not list(tmp_path.iterdir())


def test_animations_are_written_to_known_files_only(tmp_path):
    X, y = datasets.logic_gate("and")
    with pytest.raises(ValueError, match=r"\.gif, \.mp4 or \.html"):
        plot.animate(record(Perceptron(), X, y), tmp_path / "run.doc")


def test_films_need_ffmpeg(tmp_path, monkeypatch):
    monkeypatch.setattr(animation().writers, "is_available", lambda _: False)
    with pytest.raises(ValueError, match="written by ffmpeg, which is not on this machine"):
        plot.animate(record(Perceptron(), *datasets.logic_gate("and")), tmp_path / "run.mp4")


def test_novikoff(lang):
    X, y = planted()
    ax = drawn(plot.novikoff(X, y, lang=lang))
    ball = next(patch for patch in ax.patches if hasattr(patch, "radius"))
    assert ball.radius == pytest.approx(1)
    assert ax.get_xlim()[1] > 1
    assert {"$r$", r"$\rho$", r"$\mathbf{v}$"} <= {text.get_text() for text in ax.texts}
    with pytest.raises(ValueError, match="No plane through the origin"):
        plot.novikoff(*datasets.logic_gate("xor"))


def test_worst_case(lang):
    ax = drawn(plot.worst_case(6, lang=lang))
    assert ax.get_yscale() == "log"
    made, exact, notes = ax.lines
    assert made.get_ydata().tolist() == [5, 21, 85, 341, 1365]
    assert exact.get_ydata()[1:].tolist() == made.get_ydata().tolist()
    assert notes.get_ydata()[-1] == 63


def test_kernel_surface():
    X, y = datasets.logic_gate("xor")
    model = make_pipeline(XorFeatures(), Perceptron()).fit(X, y)
    ax = drawn(plot.kernel_surface(model, X, y))
    assert ax.name == "3d"
    assert len(labels(ax)) == 2


def test_axes_that_are_given_are_drawn_on():
    X, y = planted()
    _, (left, right) = plt.subplots(1, 2)
    assert plot.activations(ax=left) is left
    assert plot.novikoff(X, y, ax=right) is right


def test_chinese_needs_no_font_of_the_machine(monkeypatch):
    """Ours comes with the package; matplotlib is told of it, even if it knew no font but its own."""
    from matplotlib import font_manager

    own = [font for font in font_manager.fontManager.ttflist if font.name == "DejaVu Sans"]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", own)
    ax = drawn(plot.activations(lang="zh"))
    assert labels(ax)[0] == "阶跃函数 sgn"
    assert font_manager.findfont(chinese_font()).endswith("NovikoffSansSC.ttf")
    with pytest.raises(ValueError, match="'en' or 'zh'"):
        plot.activations(lang="fr")


def test_every_label_has_a_translation():
    assert all(english.count("{") == chinese.count("{") for english, chinese in CHINESE.items())


def test_only_two_columns_can_be_drawn():
    with pytest.raises(ValueError, match="two columns"):
        plot.novikoff(np.eye(3), [0, 1, 1])


def test_matplotlib_is_asked_for_by_name(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with warnings.catch_warnings(), pytest.raises(ImportError, match=r"novikoff\[plot\]"):
        plot.activations()


DOSES = np.array([[1, 35], [2, 44], [2, 67], [3, 40], [3, 48], [3, 52], [3, 57], [3, 70], [4, 60], [5, 45]])
EFFECT = np.array([0, 0, 0, 1, 0, 1, 1, 0, 1, 1])
"""At dose 3 some had the effect and some had not; below nobody, above everybody."""


def test_the_likelihood_of_an_infinite_estimate_never_turns(lang):
    curve, bound = drawn(plot.likelihood_profile(DOSES, EFFECT, "0", lang=lang)).lines
    assert (np.diff(curve.get_ydata()) >= -1e-9).all()
    assert curve.get_ydata()[-1] <= bound.get_ydata()[0] + 1e-9
    assert curve.get_ydata()[-1] == pytest.approx(bound.get_ydata()[0], abs=0.5)


def test_the_likelihood_of_a_finite_estimate_turns_there():
    curve, estimate = drawn(plot.likelihood_profile(DOSES, EFFECT, "1")).lines
    highest = curve.get_xdata()[np.argmax(curve.get_ydata())]
    assert highest == pytest.approx(estimate.get_xdata()[0])
    assert estimate.get_xdata()[0] == separation(DOSES, EFFECT).estimates["1"]
    assert (np.diff(np.sign(np.diff(curve.get_ydata()))) <= 0).all()  # it has one top, however far from it


def test_profiles_that_do_not_exist():
    with pytest.raises(ValueError, match="none of 0, 1, "):
        plot.likelihood_profile(DOSES, EFFECT, "2")
    with pytest.raises(ValueError, match="aliased"):
        plot.likelihood_profile(np.column_stack([DOSES, DOSES[:, 0]]), EFFECT, "2")


def test_the_rows_responsible(lang):
    ax = drawn(plot.responsible_rows(DOSES, EFFECT, lang=lang))
    assert set(np.round(ax.lines[0].get_xdata(), 9)) == {3}
    rings = ax.collections[-1].get_offsets()
    np.testing.assert_array_equal(rings, DOSES[[0, 1, 2, 8, 9]])
    with pytest.raises(ValueError, match="overlap"):
        plot.responsible_rows(DOSES, [0, 1] * 5)
