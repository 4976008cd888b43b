"""What the lab shows together belongs together: stale answers, races, links, limits, and a server that is gone."""

import json
import os
import re
import socket
import subprocess
import sys
from importlib import resources
from urllib.parse import quote

import lab_tab
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

STATIC = resources.files("novikoff.lab") / "static"
SEPARABLE = "0,0,0;1,1,1"
SHOWN = """() => ({
  points: document.querySelectorAll("#plane .points > *").length,
  learnt: [...document.querySelectorAll("#plane .learnt > :not(.gone), #plane .proof > *, #plane .meet > *")].length,
  proof: document.getElementById("proof").innerText,
  charts: document.querySelectorAll("#charts figure").length,
  headline: document.getElementById("headline").innerText,
})"""


def test_while_an_answer_is_waited_for_no_proof_of_other_points_is_shown(make):
    """A slow server: the old picture stays whole for a moment, then the new points stand alone."""
    lab = make("#lang=en&preset=xor&step=end")
    held = []
    lab.page.route("**/api/run", lambda route: held.append(route))
    lab.page.select_option("#preset", "margin")
    lab.until(lambda: lab.page.evaluate(SHOWN)["points"] == 60)
    shown = lab.page.evaluate(SHOWN)
    assert shown["learnt"] == shown["charts"] == 0
    assert shown["proof"] == ""
    assert shown["headline"] == "Working…"
    assert lab.page.get_attribute("body", "data-pending") == "true"
    lab.after(lambda: held[-1].continue_())
    lab.page.unroute("**/api/run")
    shown = lab.page.evaluate(SHOWN)
    assert shown["points"] == 60
    assert "Separable" in shown["proof"]
    assert shown["charts"] == 4


def test_at_no_moment_are_points_and_proof_of_two_experiments_shown(make):
    """Every state that was painted while a point is dragged: four points of XOR never stand under a proof of AND."""
    lab = make("#lang=en&preset=xor&step=end")
    lab.page.evaluate("""() => {
      window.mixed = [];
      window.painted = 0;
      const look = () => {
        const star = document.querySelectorAll("#plane .meet > *").length;
        const verdict = document.querySelector("#proof h2")?.innerText ?? "";
        const headline = document.getElementById("headline").innerText;
        const same = !verdict || headline.includes(verdict.split("\\n")[0].slice(2, 9));
        if (Boolean(star) !== /Not separable/.test(verdict) || !same) window.mixed.push([star, verdict, headline]);
        window.painted += 1;
        requestAnimationFrame(look);
      };
      look();
    }""")
    mouse = lab.page.mouse
    corner = lab.page.locator("[data-point='0']").first.bounding_box()
    mouse.move(corner["x"] + corner["width"] / 2, corner["y"] + corner["height"] / 2)
    mouse.down()
    for part in range(12):
        mouse.move(*lab.at(0.15 + 0.05 * part, 0.15 + 0.06 * part), steps=2)
    lab.after(mouse.up)
    assert lab.page.evaluate("window.painted") > 0
    assert lab.page.evaluate("window.mixed") == []
    assert "Separable" in lab.text("#proof")


def test_the_picture_follows_a_drag(make):
    """Answers that come while the pointer moves are shown, not thrown away."""
    lab = make("#lang=en&preset=margin&step=end")
    before = lab.runs()
    mouse = lab.page.mouse
    box = lab.page.locator("[data-point='0']").first.bounding_box()
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.down()
    for part in range(200):
        mouse.move(*lab.at(0.3 + 0.002 * (part % 100), 0.4))
        lab.page.wait_for_timeout(5)
        if lab.runs() >= before + 5:
            break
    assert lab.runs() >= before + 5  # before the button was let go
    lab.after(mouse.up)


def test_the_newest_preset_wins(make):
    lab = make("#lang=en&preset=and")
    held = []
    lab.page.route("**/api/preset/spirals*", lambda route: held.append(route))
    lab.page.select_option("#preset", "spirals")
    lab.until(lambda: held)
    lab.choose("#preset", "xor")
    with lab.page.expect_response("**/api/preset/spirals*"):
        held[0].continue_()
    lab.page.select_option("#learner", "pocket")
    lab.until(lambda: lab.settled())
    assert lab.page.input_value("#preset") == "xor"
    assert lab.page.evaluate(SHOWN)["points"] == 4


def holding(lab, files):
    """Hold back what is asked for under these addresses until it is released; how to release it."""
    held = []
    lab.page.route(files, lambda route: held.append(route))

    def release():
        lab.until(lambda: held)
        for route in held:
            route.continue_()
        lab.page.unroute(files)
        lab.page.wait_for_load_state("networkidle")

    return release


@pytest.mark.parametrize(("late", "first"), [("texts/lessons-en", "lang=en&lesson=xor"), ("texts/en", "lang=en")])
def test_of_two_addresses_the_newer_is_followed_whichever_is_ready_first(make, late, first):
    lab = make("#lang=zh&preset=and&step=end")
    release = holding(lab, f"**/static/{late}.json")
    lab.page.evaluate("hash => { location.hash = hash }", f"#{first}")
    lab.page.evaluate("new Promise((resolve) => setTimeout(resolve, 0))")
    lab.follow("#lang=zh&preset=or&step=end")
    release()
    assert lab.page.get_attribute("html", "lang") == "zh-Hans"
    assert lab.page.is_hidden("#lesson")
    assert lab.page.locator("#preset").input_value() == "or"
    lab.until(lambda: "lang=zh&preset=or" in lab.link())


def test_a_lesson_waits_for_a_server_that_is_gone(make):
    lab = make("#lang=en&preset=and&step=end")
    lab.page.route("**/static/texts/lessons-en.json", lambda route: route.abort())
    lab.page.click("#lessons")
    lab.until(lambda: "does not answer" in lab.text("#message"))
    lab.page.unroute("**/static/texts/lessons-en.json")
    lab.page.wait_for_selector("#lesson h2")
    lab.until(lambda: lab.text("#message") == "")
    lab.faults[:] = [fault for fault in lab.faults if "ERR_FAILED" not in fault]


def test_an_expensive_run_is_given_up_when_another_is_wanted(make):
    lab = make("#lang=en&preset=and")
    held = []
    lab.page.route("**/api/run", lambda route: held.append(route))
    lab.page.select_option("#learner", "mlp")
    lab.until(lambda: len(held) == 1)
    lab.page.select_option("#learner", "pocket")
    lab.until(lambda: len(held) == 2)  # not after the first is answered, but at once
    lab.after(lambda: held[1].continue_())
    lab.page.unroute("**/api/run")
    assert "In the pocket" in lab.text("#legend") or "pocket" in lab.page.input_value("#learner")
    assert "network" not in lab.text("#proof")


def test_an_address_is_followed_while_a_run_of_the_last_one_is_waited_for(make):
    """Words of the new page come late, and the answer for the old one later still: no fault in between."""
    lab = make("#lang=en&preset=and")
    runs, words = [], []
    lab.page.route("**/api/run", lambda route: runs.append(route))
    lab.page.select_option("#learner", "pocket")
    lab.until(lambda: runs)
    lab.page.route("**/static/texts/lessons-en.json", lambda route: words.append(route))
    lab.page.evaluate("location.hash = '#lang=en&lesson=xor'")
    lab.until(lambda: words)
    lab.page.wait_for_timeout(400)  # longer than the last picture is kept
    lab.page.unroute("**/api/run")
    lab.after(lambda: (runs[0].continue_(), words[0].continue_()))
    lab.until(lambda: lab.settled() and lab.page.evaluate(SHOWN)["points"] == 4)


ADDRESSES = [
    "view=0,0.001,0,1000000&points=" + SEPARABLE,
    "view=1e9,1e9,0,1&points=" + SEPARABLE,
    "view=1000000,1000000.0000000001,0,0.0000000001&points=" + SEPARABLE,
    "view=NaN,1,0,Infinity&points=" + SEPARABLE,
    "learner=constructor&points=" + SEPARABLE,
    "learner=__proto__&preset=__proto__&rival=toString",
    "preset=margin&seed=99999999999",
    "preset=iris&iris=9,9,9",
    "preset=iris&iris=1",
    "p.eta0=%7B&p.eta0=-1&p.constructor=1&points=" + SEPARABLE,
    "p.max_iter=1e99&p.order=5&p.fit_intercept=0&points=" + SEPARABLE,
    "step=-1&step=1e9&speed=x&show=nothing&draw=2&lecture=yes&lang=xx",
    "axes=%E0%A4%A&points=" + SEPARABLE,
    "function=012&lesson=nothing",
    "lesson=" + "x" * 500,
    "points=1,2;a,b,1;;0,0,1;1e99,0,1;1,1,0;0,1,9;NaN,0,0",
    "points=" + ";".join(f"{k},{k % 7},{k % 2}" for k in range(600)),
    "points=",
    "%",
    "&&==&=",
]


def test_every_address_is_shown_or_refused_with_a_sentence(make):
    lab = make()
    for hash_ in ADDRESSES if "NOVIKOFF_LONG" in os.environ else ADDRESSES[::2]:
        lab.page.goto("about:blank")
        lab.page.goto(f"{lab.address}#lang=en&{hash_}")
        lab.page.wait_for_selector("body[data-ready]")
        assert lab.text("#message") or hash_ == ADDRESSES[0], hash_  # that view is shown, as a square
        assert lab.page.locator("#plane .mesh").count() <= 24
        assert lab.page.input_value("#learner") == "perceptron"
    lab.open("#lang=en&points=" + ";".join(f"{k},{k % 7},{k % 2}" for k in range(600)))
    assert "points > 400" in lab.text("#message")
    lab.open("#lang=en&preset=iris&iris=9,9,9")
    assert "iris" in lab.text("#message")
    assert lab.page.evaluate(SHOWN)["points"] == 150


PIECES = st.one_of(
    st.sampled_from(
        ["preset=xor", "learner=kernel", "learner=mlp", "p.max_iter=1", "step=end", "view=0,1,0,1", "lesson=xor"]
    ),
    st.builds(
        lambda name, value: f"{name}={quote(value)}",
        st.sampled_from(
            ["view", "points", "step", "seed", "iris", "axes", "show", "p.eta0", "p.order", "learner", "x"]
        ),
        st.text(st.characters(codec="utf-8"), max_size=12)
        | st.lists(st.floats(width=32), max_size=5).map(lambda v: ",".join(map(repr, v)))
        | st.lists(st.tuples(st.floats(-1e9, 1e9), st.floats(-3, 3), st.integers(0, 2)), max_size=6).map(
            lambda points: ";".join(",".join(map(repr, p)) for p in points)
        ),
    ),
)


def test_no_address_hangs_the_page(make):
    """Addresses put together at random: the page comes to rest, and has no fault."""
    lab = make()

    @settings(max_examples=25, database=None, phases=[Phase.generate])  # to shrink what hangs would take hours
    @given(st.lists(PIECES, max_size=5))
    def try_address(pieces):
        lab.page.evaluate("hash => { location.hash = hash }", "#lang=en&" + "&".join(pieces))
        lab.page.evaluate("new Promise((resolve) => setTimeout(resolve, 0))")
        lab.until(lab.settled)

    try_address()
    assert not lab.faults


TEXTS = [
    ("a b c\n1 2 x\n3 4 y\n5 1 x", None),
    ("a;b;c\n1,5;2;x\n3;4,25;y", None),
    ("2001,2002,2003\n1,2,0\n2,1,1\n3,3,1", None),
    ("a,b,c\n1,2,x\n3,,y\n4,1,y\n2,2,x", "line 3"),
    ("a,b,c\n1,2,x\n3,nan,y\n4,1,y\n2,2,x", "line 3"),
    ("a,b,c\n1000000000,2,x\n3,2,y", "scale"),
    ("a,b,c\n1,2,x\n3,2,x", "two classes"),
    ("\ud7ff,\x00,b\n1,2\n3", "Line"),
    ('"', "cannot be read"),
]


def test_tables_are_read_or_say_what_is_wrong_with_them(make):
    lab = make()
    lab.page.click("#table")
    for text, wrong in TEXTS:
        lab.page.fill("#table-text", text)
        ready = (
            "() => !document.getElementById('table-use').disabled || document.getElementById('table-error').innerText"
        )
        lab.until(lambda ready=ready: lab.page.evaluate(ready))
        assert (wrong or "") in lab.text("#table-error"), text
        if wrong is None:
            assert lab.text("#table-error") == ""
            assert lab.page.is_enabled("#table-use")
    lab.page.fill("#table-text", TEXTS[2][0])
    lab.page.wait_for_selector("#table-use:enabled")
    assert not lab.page.is_checked("#header")
    lab.page.check("#header")
    lab.until(lambda: lab.page.locator("#column-x option").first.inner_text() == "2001")
    lab.page.wait_for_selector("#table-use:enabled")
    lab.after(lambda: lab.page.click("#table-use"))
    assert lab.page.evaluate(SHOWN)["points"] == 3
    assert "2001" in lab.page.text_content("#plane .grid")


def test_undo_and_redo_bring_everything_back(make):
    lab = make("#lang=en&preset=xor&step=end")
    before = lab.points()
    lab.after(lambda: lab.page.click("#clear"))
    lab.after(lambda: lab.page.click("#undo"))
    assert lab.points() == before
    assert lab.page.input_value("#preset") == "xor"
    lab.choose("#learner", "pocket")
    lab.after(lambda: lab.page.keyboard.press("Control+z"))
    assert lab.page.input_value("#learner") == "perceptron"
    lab.after(lambda: lab.page.keyboard.press("Control+y"))
    assert lab.page.input_value("#learner") == "pocket"
    assert lab.page.is_disabled("#redo")


def test_links_keep_points_to_the_last_digit(make):
    points = "1e-05,2e-05,1;0.00006,0.1234567890123,0;123456.789012,-0.3333333333333333,0"
    lab = make(f"#lang=en&points={points}")
    exact = [tuple(map(float, point.split(","))) for point in points.split(";")]
    assert lab.points() == exact
    assert make(lab.link()).points() == exact
    lab.open("#lang=en&points=1997.7,0,1;2023.3,1,0")
    lab.after(lambda: lab.page.mouse.click(*lab.at(0.4, 0.5)))
    left, right = map(float, re.search(r"view=([^,]+),([^,]+)", lab.link()).groups())
    assert lab.points()[-1][0] == pytest.approx(left + 0.4 * (right - left), abs=0.1)


def test_the_most_points_there_can_be_are_said_before(make):
    many = ";".join(f"{k % 20},{k // 20},{int(k > 200)}" for k in range(399))
    lab = make(f"#lang=en&points={many}")
    lab.after(lambda: lab.page.mouse.click(*lab.at(0.02, 0.98)))
    assert "400 of at most 400" in lab.text("#message")
    lab.page.mouse.click(*lab.at(0.02, 0.02))
    assert "remove one" in lab.text("#message")
    assert len(lab.points()) == 400
    assert "Separable" in lab.text("#proof") or "separable" in lab.text("#proof")


def test_a_server_that_is_gone_is_said_once_and_asked_again(browser):
    """The lab is ended and started again on the same port, while the page stays open."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [sys.executable, "-m", "novikoff.lab", "--no-browser", "--port", port]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        first.stdout.readline()
        lab = lab_tab.Lab(browser.new_context(reduced_motion="reduce").new_page(), f"http://127.0.0.1:{port}/")
        lab.open("#lang=en&preset=xor&step=end")
        first.terminate()
    lab.page.select_option("#preset", "and")
    lab.until(lambda: "does not answer" in lab.text("#message"))
    assert lab.page.evaluate(SHOWN)["points"] == 4
    assert "Not separable" in lab.text("#proof")  # XOR is still shown whole
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as second:
        second.stdout.readline()
        lab.until(lambda: "Separable" in lab.text("#proof") and "Not" not in lab.text("#proof h2 >> nth=0"))
        lab.until(lambda: lab.text("#message") == "")
        second.terminate()
    lab.page.context.close()


def test_a_busy_server_is_asked_again(make):
    lab = make()
    answers = iter([503, 503])

    def busy(route):
        if next(answers, None):
            error = {"error": {"code": "busy", "sentence": "Too many.", "values": {}}}
            route.fulfill(status=503, json=error)
        else:
            route.continue_()

    lab.page.route("**/api/run", busy)
    lab.after(lambda: lab.page.mouse.click(*lab.at(0.5, 0.9)))
    assert lab.text("#message") == ""
    assert "eparable" in lab.text("#proof")


def test_the_margin_in_words_is_the_margin_in_the_picture(make):
    """The distance that is said is that from the dotted line to its edge, measured on the screen."""
    lab = make("#lang=en&preset=and&step=end")
    said = float(re.search(r"nearest lies ([\d.]+) away", lab.text("#proof")).group(1))
    lines = lab.page.eval_on_selector_all(
        "#plane .proof .best",
        "lines => lines.map((l) => ['x1', 'y1', 'x2', 'y2'].map((n) => Number(l.getAttribute(n))))",
    )
    left, right = map(float, re.search(r"view=([^,]+),([^,]+)", lab.link()).groups())
    (x1, y1, x2, y2), (a, b, *_) = lines[2], lines[0]
    apart = abs((x2 - x1) * (b - y1) - (y2 - y1) * (a - x1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    assert apart / 600 * (right - left) == pytest.approx(said, rel=1e-2)
    assert "ρ = 0.2425" in lab.text("#proof")
    assert "space with the added 1" in lab.text("#proof")


def test_without_a_bias_it_is_lines_through_the_origin_that_are_spoken_of(make):
    lab = make("#lang=en&preset=and&p.fit_intercept=false&step=end")
    lab.until(lambda: "proof checked" in lab.text("#errors"))
    assert "Not separable by a line through the origin" in lab.text("#headline")
    assert "No plane through the origin separates these classes" in lab.text("#proof")
    assert "Every line through the origin has at least 2 wrong" in lab.text("#errors")
    assert "no plane through the origin separates" in lab.text("#rule")
    assert "where the average of the signed points is" in lab.text("#legend")
    lab.after(lambda: lab.page.check("#param-fit_intercept"))
    assert "Separable" in lab.text("#headline")
    assert "origin" not in lab.text("body")


def test_a_bias_that_a_preset_switched_off_is_on_again_for_other_points(make):
    lab = make("#lang=en&preset=and")
    biased = lambda: lab.page.is_checked("#param-fit_intercept")  # noqa: E731
    lab.choose("#preset", "worst")
    assert not biased()
    lab.page.focus("#plane")
    lab.page.keyboard.press("n")
    lab.after(lambda: lab.page.keyboard.press("Shift+ArrowUp"))
    assert not biased()  # still those points, but for one
    lab.choose("#preset", "and")
    assert biased()
    lab.choose("#preset", "tight")
    lab.after(lambda: lab.page.click("#clear"))
    assert biased()
    lab.after(lambda: lab.page.uncheck("#param-fit_intercept"))
    lab.choose("#preset", "or")
    assert not biased()  # as was chosen by hand


def test_a_run_that_ceased_to_help_did_not_meet_its_limit(make):
    lab = make("#lang=en&preset=iris&learner=perceptron&p.order=%22shuffled%22&p.fit_intercept=false&step=end")
    assert "passes had ceased to help" in lab.text("#rule")
    lab.follow("#lang=en&preset=overlap&learner=xor-features&p.order=%22shuffled%22&step=end")
    assert "It returns the weights of an earlier pass" in lab.text("#rule")


def test_what_is_said_stays_when_the_language_changes(make):
    lab = make("#lang=en&preset=and&show=controls,proof,weights&step=end")
    lab.after(lambda: lab.page.click("#clear"))
    assert "Add points of both classes" in lab.text("#message")
    assert "Only learners of planes" not in lab.text("body")
    lab.page.click("#language")
    lab.page.wait_for_selector("html[lang=zh-Hans]")
    assert lab.text("#message") == json.loads((STATIC / "texts" / "zh.json").read_text("utf-8"))["error-classes"]


def test_a_lesson_that_there_is_not_is_named(make):
    lab = make("#lang=en&lesson=nosuch")
    assert "lesson" in lab.text("#message")


def test_the_cosine_has_a_floor_only_where_the_theorem_speaks_of_the_rule(make):
    """√k·ρ/r holds of steps of one size on mistakes alone; from a start the floor is 0 until ρηk exceeds ‖w₀‖."""
    lab = make("#lang=en&preset=iris&step=end")
    said = lambda: lab.text("[data-chart=cosine] .now")  # noqa: E731
    drawn = lambda: lab.page.get_attribute("[data-chart=cosine] .series.floor", "d")  # noqa: E731
    assert float(re.search(r"√k·ρ/r = ([\d.]+)", said()).group(1)) <= 1
    assert drawn()
    for learner in ("pa", "arow", "scw", "margin"):
        lab.follow(f"#lang=en&preset=margin&learner={learner}&p.average=false&step=end")
        assert said().startswith("cos = ")
        assert "least" not in said()
        assert drawn() == ""
    lab.follow("#lang=en&preset=and&p.w1_init=2&p.eta0=3&step=1")
    assert "least" not in said()
    lab.page.click("#end")
    cosine, floor = map(float, re.search(r"cos = ([\d.]+), .*\(ρηk − .*r²η²k\) = ([\d.]+)", said()).groups())
    assert 0 < floor <= cosine


def test_one_bound_is_said_as_one_number(make):
    """The panel writes the whole number below the one at which the race has its crossing."""
    for experiment in ("preset=and&p.w1_init=2&p.eta0=3", "preset=iris", "preset=margin"):
        lab = make(f"#lang=en&{experiment}&step=end")
        formula = re.sub(r"\s", "", lab.page.text_content("#proof"))
        real, whole = re.search(r"=⌊([\d.]+)⌋=(\d+)updates", formula).groups()
        crossing = float(re.search(r"cross at ([\d.]+)", lab.text("[data-chart=race]")).group(1))
        assert int(whole) == int(float(real))
        assert crossing == pytest.approx(float(real), rel=1e-5)
    title = lambda: lab.text("[data-chart=race] b")  # noqa: E731
    assert title() == "The race: ρk and r√k"
    lab.follow("#lang=en&preset=and&p.w1_init=2&p.eta0=3&step=end")
    assert title() == "The race: ρηk − ‖w₀‖ and √(‖w₀‖² + r²η²k)"
    assert lab.page.locator("[data-chart=race] .names .tag").all_inner_texts() == ["w·u", "‖w‖"]


def test_what_lies_outside_a_chart_is_not_drawn_on_its_edge(make):
    """In a logarithmic race the step 0 has no place; curves go on beyond the edge, where they are cut off."""
    lab = make("#lang=en&preset=iris&step=0")
    path = lab.page.get_attribute("[data-chart=race] .series.good", "d")
    assert path.count("M") + path.count("L") == 4  # of the steps 0 to 4
    assert lab.page.locator("[data-chart=race] .hand").is_hidden()
    lab.page.click("#step")
    assert lab.page.get_attribute("[data-chart=race] .hand", "visibility") is None
    margins = lab.page.get_attribute("[data-chart=margin] .series.main", "d")
    heights = [float(y) for y in re.findall(r" ([\d.]+)", margins)]
    assert len(set(heights)) == len(heights)
    lab.follow("#lang=en&preset=and&p.max_iter=1&step=end")
    assert lab.page.locator("[data-chart=passes] .tick").all_inner_texts().count("1") <= 1


KERNELS = [
    ("preset=circles&learner=kernel&p.kernel=%22poly%22&p.degree=1", "Given up: no plane in the space of its features"),
    (
        "points=1,1,1;1,1,0;3,3,1&learner=kernel",
        "Stopped at the limit of passes: no plane in the space of its features",
    ),
    ("preset=circles&learner=xor-features", "Given up: no plane in the space of its features"),
]


@pytest.mark.parametrize(("experiment", "end"), KERNELS)
def test_badge_panel_and_end_of_a_run_say_one_thing_of_a_feature_space(make, experiment, end):
    lab = make(f"#lang=en&{experiment}&step=end")
    assert "Not separable in the space of its features" in lab.text("#headline")
    assert "proof checked" in lab.text("#headline")
    assert "No plane of that space separates the classes" in lab.text("#proof")
    assert end in lab.text("#rule")
    lab.follow("#lang=en&preset=spirals&learner=kernel&p.kernel=%22poly%22&step=end")
    assert "Not decided in the space of its features" in lab.text("#headline")
    assert re.search(r"No plane of that space has a margin above 0\.0\d+", lab.text("#proof"))
    assert "has a margin worth the wait" in lab.text("#rule")


def test_a_margin_that_no_plane_has_is_what_the_run_was_given_up_for(make):
    lab = make("#lang=en&preset=margin&learner=margin&p.margin=0.9&step=end")
    assert "Given up: it is proved that no plane has a margin of 0.45, half of the 0.9 asked for" in lab.text("#rule")
    assert "needs a plane with the margin 0.9 asked for; the best has 0.3133" in lab.text("#proof")
    lab.follow("#lang=en&preset=margin&learner=margin&p.margin=0.3&step=end")
    assert "Separated: a full pass without a mistake" in lab.text("#rule")
    assert "own theorem: at most 886 updates" in lab.text("#proof")
    lab.follow("#lang=en&preset=margin&p.max_iter=1&step=end")
    assert "a full pass without" not in lab.text("#rule")  # it had four mistakes, and its end is right by luck
    assert "Every point is on its right side" in lab.text("#rule")


def test_each_bound_of_a_slack_embedding_says_which_plane_it_comes_from(make):
    lab = make("#lang=en&preset=overlap&learner=slack&p.amplitude=40&show=slack,proof&step=end")
    proof, panel = lab.text("#proof"), lab.text("#panel-slack")
    assert "For the margin ρ = 2.396, the line of a short averaged run lacks δ = √Σ s_i² = 9.998" in proof
    assert "that is 300, updates" in proof
    assert "The best plane of that space" in proof
    assert "by this plane at most 68 updates" in proof
    assert "δ = 9.998 for ρ = 2.396" in panel
    assert "at most 300 possible, as the bound is 300.701" in panel


def test_the_fewest_errors_are_asked_for_only_of_two_classes(make):
    lab = make("#lang=en&preset=overlap&step=end")
    bodies = []
    lab.page.on("request", lambda asked: asked.url.endswith("/api/errors") and bodies.append(asked.post_data_json))
    lab.page.evaluate("location.hash = '#lang=en&preset=xor&step=end'")
    lab.until(lambda: lab.page.evaluate(SHOWN)["points"] == 4)
    lab.after(lambda: lab.page.click("#clear"))
    lab.page.wait_for_timeout(600)
    assert all({point[2] for point in body["points"]} == {0, 1} for body in bodies)
    assert lab.page.is_hidden("#proof")  # no card without a word on it


def test_while_another_learner_is_waited_for_the_head_says_whose_answer_is_shown(make):
    lab = make("#lang=en&preset=overlap&learner=pocket&step=end")
    held = []
    lab.page.route("**/api/run", lambda route: held.append(route))
    heads = lab.page.evaluate("""() => {
      const select = document.getElementById("learner");
      select.value = "averaged";
      select.dispatchEvent(new Event("change"));
      return document.getElementById("headline").innerText;
    }""")
    assert heads == "Working… What is shown is still of: pocket."
    lab.until(lambda: lab.text("#headline") == "Working…")
    lab.after(lambda: held[-1].continue_())
    lab.page.unroute("**/api/run")
    assert "Not separable" in lab.text("#headline")


def test_lines_that_are_left_out_are_counted_and_one_of_them_is_named(make):
    lab = make("#lang=zh&preset=and")
    lab.page.click("#table")
    lab.page.fill("#table-text", "a，b，c\n1，2，x\n3，？，y\n4，1，y\n无，2，x\n2，2，x")
    lab.until(lambda: lab.text("#table-error"))
    assert lab.text("#table-error") == "略去 2 行，其中第 3 行的 b 是“？”，不是数字。"
    lab.after(lambda: lab.page.click("#table-use"))
    assert lab.points() == [(1, 2, 0), (4, 1, 1), (2, 2, 0)]


def test_the_legend_has_the_signs_that_can_be_seen(make):
    lab = make("#lang=en&points=0,0,0;1,1,1&view=20,21,20,21&step=end")
    assert lab.text("#legend") == ""
    lab.page.click("#fit")
    lab.until(lambda: "the line w·x + b = 0" in lab.text("#legend"))
    assert "best line, proved" in lab.text("#legend")


def test_a_score_that_is_zero_on_two_lines_is_drawn_as_two_lines_that_cross(make):
    """−4·z₁·z₂ is 0 where x₁ = ½ or x₂ = ½: every piece of the line lies on one of the two."""
    lab = make("#lang=en&preset=xor&learner=xor-features&step=end")
    pieces = re.findall(
        r"M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)", lab.page.get_attribute("#plane .learnt path.line", "d")
    )
    middle = pytest.approx(300, abs=0.5)
    assert len(pieces) > 100
    assert all(a == c == middle or b == d == middle for a, b, c, d in (map(float, piece) for piece in pieces))
