"""The lessons, the panels, and a recorded run on a page of its own, in a real browser."""

import json
import os
import re
from importlib import resources
from itertools import product

import lab_tab
import pytest

from novikoff.lab.page_file import page_of_link

STATIC = resources.files("novikoff.lab") / "static"
ANSWERS = {
    "gates": ("xor", "and"),
    "rule": ("5", "3"),
    "plane": ("1", "2"),
    "novikoff": ("same", "fewer"),
    "tight": ("7", "49"),
    "worst": ("341", "32"),
    "xor": ("0.5", "1"),
    "lift": ("2", "0"),
    "slack": ("both", "r"),
    "dual": ("7", "18"),
    "kernels": ("2", "1"),
    "margin": ("margin", "perceptron"),
    "pocket": ("3", "0"),
    "layers": ("4", "1"),
}
"""Of every lesson a right and a wrong answer."""
LOOKS, SEEN = [("dark", "zh", 390)], list(ANSWERS)[::3]
"""How lessons are looked at for what some could not see or use, and which of them."""
if "NOVIKOFF_LONG" in os.environ:
    SEEN = list(ANSWERS)
    LOOKS = list(product(("light", "dark"), ("en", "zh"), (390, 768, 1280, 1920)))


def answer(lab, value):
    """Answer the question of a lesson, and wait until it was run."""
    if lab.page.locator("#answer").count():
        lab.page.fill("#answer", value)
    else:
        lab.page.check(f"[name=answer][value='{value}']")
    lab.page.click("#try")
    lab.until(lambda: lab.page.get_attribute(".told", "class") != "told")
    return lab.page.get_attribute(".told", "data-answered")


def do_task(lab, name):
    """What the lesson asks to do."""
    if name in ("gates", "novikoff", "dual", "margin", "layers"):
        lab.page.click("#end")
    elif name == "rule":
        lab.page.click("#step")
    elif name == "plane":
        lab.page.focus("#plane")
        lab.page.keyboard.press("n")
    elif name in ("tight", "worst"):
        lab.page.fill("#size", "12")
    elif name == "xor":
        box = lab.page.locator("[data-point='3']").first.bounding_box()
        lab.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        lab.page.mouse.down()
        lab.page.mouse.move(*lab.at(0.14, 0.2), steps=4)
        lab.page.mouse.up()
    elif name == "lift":
        lab.page.focus("#panel-space svg")
        lab.page.keyboard.press("ArrowLeft")
        lab.page.click("#end")
    elif name == "slack":
        lab.after(lambda: lab.page.fill("#amplitude", "0"))
    elif name == "kernels":
        lab.choose("#param-kernel", "poly")
    elif name == "pocket":
        lab.choose("#learner", "averaged")


def test_every_lesson_watches_its_task_and_judges_its_question(make):
    lab = make("#lang=en&lesson=gates")
    texts = json.loads((STATIC / "texts" / "lessons-en.json").read_text("utf-8"))
    for number, (name, (right, wrong)) in enumerate(ANSWERS.items(), 1):
        if number > 1:
            lab.after(lambda: lab.page.click("#lesson-next"))
        assert lab.text("#lesson h2") == f"{number} / {len(ANSWERS)} · {texts[name]['title']}"
        assert lab.page.locator(".task.done").count() == 0, name
        assert f"lesson={name}" in lab.page.url
        assert answer(lab, wrong) == "false", name
        assert lab.text(".told") == f"✗ {texts[name]['wrong']}"
        assert answer(lab, right) == "true", name
        assert lab.text(".told") == f"✓ {texts[name]['right']}"
        do_task(lab, name)
        lab.until(lambda: lab.page.locator(".task.done").count() == 1)
        assert not lab.faults, name
    assert lab.page.locator("#lesson-next").count() == 0
    lab.after(lambda: lab.page.click("#lesson-free"))
    assert lab.page.is_hidden("#lesson")


def test_lessons_are_said_in_both_languages_and_are_links(make):
    """The same lessons with the same options in both; a link opens one in the middle of its run."""
    words = {name: json.loads((STATIC / "texts" / f"lessons-{name}.json").read_text("utf-8")) for name in ("en", "zh")}
    assert list(words["en"]) == list(words["zh"]) == list(ANSWERS)
    for name in ANSWERS:
        assert words["en"][name].keys() == words["zh"][name].keys()
        assert len(words["en"][name].get("options", [])) == len(words["zh"][name].get("options", []))
    lab = make("#lang=zh&lesson=novikoff")
    assert words["zh"]["novikoff"]["title"] in lab.text("#lesson h2")
    lab.page.click("#step")
    lab.page.click("#step")
    other = make(lab.link())
    assert other.text("#count") == "2 / 18"
    assert words["zh"]["novikoff"]["title"] in other.text("#lesson h2")
    assert other.page.locator("#charts figure").count() == 1
    other.page.click("#language")
    other.page.wait_for_selector("html[lang=en]")
    other.until(lambda: words["en"]["novikoff"]["title"] in other.text("#lesson h2"))


@pytest.mark.parametrize(("scheme", "language", "width"), LOOKS)
def test_axe_finds_nothing_in_any_lesson(make, scheme, language, width):
    lab = make(f"#lang={language}&lesson=gates", color_scheme=scheme, viewport={"width": width, "height": 900})
    for name in SEEN:
        if name != "gates":
            lab.follow(f"#lang={language}&lesson={name}")
        found = lab_tab.violations(lab.page)
        assert not found, (name, json.dumps(found, indent=1)[:2000])
        assert lab.page.evaluate("document.documentElement.scrollWidth") == width


def test_it_opens_at_the_start_with_one_sentence_and_a_large_button(make):
    lab = make("")
    lab.follow("#lang=en")
    assert lab.text("#count").startswith("0 of")
    assert "Press Play" in lab.text("#intro")
    box = lab.page.locator("#play").bounding_box()
    assert box["width"] > 60
    assert box["height"] >= 34
    lab.page.click("#step")
    assert "Update 1, pass 1" in lab.text("#announcer")
    assert lab.page.get_attribute("#time", "aria-valuetext") == "1 of 18"
    assert "point of this update" in lab.text("#legend")
    lab.page.hover("[data-point='3']")
    assert "y = +1; w·x + b = −1" in lab.text("#tip")


def test_planes_move_between_steps_unless_motion_is_not_wanted(make):
    """The line is painted at places between two steps, and ends where the next step has it."""
    watch = """() => {
      window.lines = new Set();
      const look = () => {
        const line = document.querySelector("#plane .learnt line.line:not(.gone)");
        if (line) window.lines.add(["x1", "y1", "x2", "y2"].map((name) => line.getAttribute(name)).join());
        requestAnimationFrame(look);
      };
      look();
    }"""
    lines = {}
    for motion in ("no-preference", "reduce"):
        lab = make("#lang=en&preset=and&step=5", reduced_motion=motion)
        lab.page.evaluate(watch)
        lab.until(lambda lab=lab: lab.page.evaluate("window.lines.size") == 1)
        lab.page.click("#step")
        lab.page.wait_for_timeout(1000)
        lines[motion] = lab.page.evaluate("[...window.lines]")
    assert lines["no-preference"][-1] == lines["reduce"][-1]
    assert len(lines["reduce"]) == 2
    assert len(lines["no-preference"]) > 2


def test_panels_are_shown_and_kept_in_the_link(make):
    lab = make("#lang=en&preset=and&step=3")
    lab.page.click("#view-menu summary")
    for name in ("code", "second", "weights", "neuron", "dual", "vectors"):
        lab.page.check(f"[name=show][value={name}]")
    lab.page.wait_for_selector(".code li.current")
    assert "w = [a + eta * label * b" in lab.text(".code li.current")
    lab.until(lambda: "of" in lab.text("#panel-second"))
    assert lab.page.locator("#panel-weights .walker").count() == 1
    assert lab.page.locator("#plane .vectors .added").count() == 1
    assert sum(map(int, lab.page.locator("#plane .dual .count").all_text_contents())) == 3
    assert "✗" in lab.text("#panel-neuron")
    lab.page.click("#reset")
    assert "w, updates = [0]" in lab.text(".code li.current")
    other = make(lab.link())
    assert other.page.is_visible("#panel-weights")
    assert "show=controls,proof,charts,code,second" in other.link()


def test_weight_space_has_the_cone_of_solutions(make):
    """In the green part all points are right: the weights of the last step lie in it."""
    lab = make("#lang=en&p.fit_intercept=false&points=2,1,1;2,1.4,1;1,1.5,0;0.5,2,0&step=end&show=weights")
    lab.page.wait_for_selector("#panel-weights .cone")
    inside = """() => {
      const [cone, dot] = [document.querySelector(".cone"), document.querySelector(".walker")];
      const point = cone.ownerSVGElement.createSVGPoint();
      [point.x, point.y] = [dot.cx.baseVal.value, dot.cy.baseVal.value];
      return cone.isPointInFill(point);
    }"""
    assert lab.page.evaluate(inside)
    lab.page.click("#reset")
    lab.page.click("#step")
    assert not lab.page.evaluate(inside)


def test_a_start_is_drawn_written_and_kept_in_the_link(make):
    """The line of w₀ before the first update, the bound with its length, and the program that begins with it."""
    lab = make("#lang=en&preset=and&step=0&show=controls,proof,charts,code")
    bound = int(re.search(r"cross at (\d+)", lab.text("[data-chart=race] .now")).group(1))
    assert lab.page.locator("#plane .learnt line.line:not(.gone)").count() == 0
    lab.after(lambda: lab.page.fill("#param-w1_init", "-2") or lab.page.press("#param-w1_init", "Enter"))
    lab.page.click("#reset")
    assert "w₀ = (−2, 0), b = 0" in lab.text("#rule")
    assert lab.page.locator("#plane .learnt line.line:not(.gone)").count() == 1
    assert "‖w₀‖ = 2" in lab.text("#proof")
    assert int(re.search(r"cross at (\d+)", lab.text("[data-chart=race] .now")).group(1)) > bound
    assert "w, updates = [-2, 0, 0], 0" in lab.text(".code")
    other = make(lab.link())
    assert other.text("#rule") == lab.text("#rule")
    assert "p.w1_init=-2" in other.link()


def test_the_curve_of_the_slack_embedding_has_a_dot_for_every_run(make):
    lab = make("#lang=en&preset=xor&learner=slack&step=end&show=controls,slack")
    dots = "document.querySelector('[data-chart=slack] .dots').getAttribute('d').split('M').length - 1"
    assert lab.page.evaluate(dots) == 1
    assert "4 of 4 points right" in lab.text("#rule")
    lab.after(lambda: lab.page.fill("#param-amplitude", "1") or lab.page.press("#param-amplitude", "Enter"))
    assert lab.page.evaluate(dots) == 2
    assert "A = 1" in lab.text("#panel-slack output")
    lab.page.focus("#plane")
    lab.page.keyboard.press("n")
    assert "with the point's own feature" in lab.text("#tip")
    lab.choose("#learner", "perceptron")
    assert "Choose the learner" in lab.text("#panel-slack")


def test_zoom_and_pan_keep_the_points_where_they_are(make):
    lab = make("#lang=en&preset=and&step=end")
    before = lab.points()
    place = lab.page.get_attribute("[data-point='3']", "transform")
    lab.page.click("#closer")
    assert lab.page.get_attribute("[data-point='3']", "transform") != place
    lab.page.keyboard.down("Shift")
    lab.page.mouse.move(*lab.at(0.5, 0.5))
    lab.page.mouse.down()
    lab.page.mouse.move(*lab.at(0.7, 0.6), steps=3)
    lab.page.mouse.up()
    lab.page.keyboard.up("Shift")
    assert lab.points() == before
    moved = re.search(r"view=([^&]+)", lab.link()).group(1)
    lab.page.click("#fit")
    assert re.search(r"view=([^&]+)", lab.link()).group(1) != moved


def test_a_chart_is_a_way_to_a_step(make):
    lab = make("#lang=en&preset=and&step=0")
    chart = lab.page.locator("[data-chart=margin] > svg")
    box = chart.bounding_box()
    chart.click(position={"x": box["width"] - 10, "y": 50})
    assert lab.text("#count") == "18 of 18"
    assert "they cross at 51" in lab.page.text_content("[data-chart=race]")


def test_the_race_is_marked_where_its_axes_are_logarithmic(make):
    lab = make("#lang=en&preset=iris&step=end")
    assert "logarithmic: x, y" in lab.page.text_content("[data-chart=race]")


def test_lecture_mode_has_large_letters(make):
    lab = make("#lang=en&preset=and&lecture=1")
    size = "parseFloat(getComputedStyle(document.getElementById('rule')).fontSize)"
    large = lab.page.evaluate(size)
    lab.follow("#lang=en&preset=and")
    assert large > 1.2 * lab.page.evaluate(size)


@pytest.mark.parametrize("hash_", ["#lang=en&preset=xor", "#lang=zh&preset=circles&learner=kernel&step=2"])
def test_an_exported_page_plays_from_the_disk(make, browser, tmp_path, hash_):
    """Without a server and under its own policy: played, stepped, in both languages."""
    lab = make(hash_)
    lab.page.click("#export summary")
    with lab.page.expect_download() as waited:
        lab.page.click("[data-export=page]")
    file = tmp_path / waited.value.suggested_filename
    waited.value.save_as(file)
    context = browser.new_context(offline=True, reduced_motion="reduce")
    page, faults, asked = context.new_page(), [], []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: message.type == "error" and faults.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.wait_for_selector("body[data-ready]")
    assert page.inner_text("#count") == lab.text("#count")
    assert page.inner_text("#proof h2 >> nth=0") == lab.text("#proof h2 >> nth=0")
    page.click("#step")
    lab.page.click("#step")
    assert page.inner_text("#rule") == lab.text("#rule")
    page.fill("#speed", "6")
    page.click("#play")
    page.wait_for_selector("#play[data-label=play]")
    page.wait_for_selector("#end:disabled")
    page.click("#language")
    assert page.evaluate("document.documentElement.lang") != lab.page.evaluate("document.documentElement.lang")
    assert not faults
    assert all(url.startswith(("file:", "data:")) for url in asked)
    assert not lab_tab.violations(page)
    page.evaluate(
        "document.head.append(Object.assign(document.createElement('script'), {textContent: 'window.evil = 1'}))"
    )
    assert page.evaluate("window.evil") is None  # the policy lets no other script run
    context.close()


def test_a_page_from_the_command_opens_where_its_link_says_and_speaks_one_language(browser, tmp_path):
    file = tmp_path / "run.html"
    file.write_text(page_of_link("lang=zh&preset=overlap&learner=pa&step=end"), "utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(file.as_uri())
    page.wait_for_selector("body[data-ready]")
    assert page.is_disabled("#end")
    line = page.inner_text("#learner-line")
    assert "规则 封顶（PA-I） · C 1 · 顺序 循环" in line
    assert "偏置 开" in line
    assert not re.search("cyclic|capped|true|false", line)
    context.close()


@pytest.mark.parametrize(("answer", "right"), [("1/2", True), ("½", True), ("０，５", True), ("1", False)])
def test_a_number_is_read_however_it_is_written(make, answer, right):
    lab = make("#lang=en&lesson=xor")
    lab.page.fill("#answer", answer)
    lab.page.click("#try")
    lab.page.wait_for_selector(f".told[data-answered={str(right).lower()}]")


@pytest.mark.parametrize("answer", ["", " ", "a half", "1/0", "1/2/3"])
def test_an_answer_without_a_number_is_not_judged(make, answer):
    lab = make("#lang=en&lesson=xor")
    lab.page.fill("#answer", answer)
    lab.page.click("#try")
    lab.until(lambda: lab.text(".told") == "Answer with a number, such as 3, 0.5 or 1/2.")


def test_an_answer_stays_when_the_language_changes(make):
    lab = make("#lang=en&lesson=xor")
    lab.page.fill("#answer", "3")
    lab.page.click("#try")
    lab.page.wait_for_selector(".told.no")
    lab.page.click("#language")
    lab.page.wait_for_selector("html[lang=zh-Hans]")
    lab.until(lambda: lab.text(".told").startswith("✗ 不在那里"))
    assert lab.page.input_value("#answer") == "3"


def test_the_free_lab_goes_on_with_the_experiment_of_the_lesson(make):
    lab = make("#lang=en&lesson=rule")
    points = lab.points()
    lab.after(lambda: lab.page.click("#lesson-free"))
    assert lab.points() == points
    assert lab.page.is_hidden("#lesson")
    assert lab.page.is_visible("#controls")
    assert lab.page.is_visible("#charts")


def test_a_link_to_a_lesson_may_have_a_step_and_names_what_it_may_not(make):
    lab = make("#lang=en&lesson=novikoff&step=7")
    assert lab.text("#count") == "7 of 18"
    assert lab.text("#message") == ""
    lab.follow("#lang=en&lesson=novikoff&learner=pocket&p.eta0=2")
    assert lab.page.input_value("#learner") == "perceptron"
    assert "(learner, p.eta0)" in lab.text("#message")


def test_without_a_bias_nothing_speaks_of_one(make):
    lab = make("#lang=en&lesson=rule")
    assert "bias" not in lab.text("#panel-code")
    lab.page.click("#step")
    assert "the line w·x = 0" in lab.text("#legend")
    assert "+ b" not in lab.text("#legend")
    lab.page.mouse.move(*lab.at(0.72, 0.61), steps=3)
    lab.page.focus("#plane")
    lab.page.keyboard.press("n")
    assert "w·x = " in lab.text("#tip")
    lab.follow("#lang=en&preset=and&step=end&show=code")
    assert "Every x ends with a 1 for the bias" in lab.text("#panel-code")
    assert "w·x + b = 0" in lab.text("#legend")
