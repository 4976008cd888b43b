"""The lab's page in a real browser: every way in, by pointer and by keyboard, in both languages."""

import json
import re

import lab_tab
import pytest

from novikoff.lab.controls import LEARNERS


def test_points_are_added_moved_and_removed_by_the_pointer(make):
    lab = make()
    mouse = lab.page.mouse
    lab.after(lambda: lab.page.click("#clear"))
    assert lab.points() == []
    assert "both classes" in lab.text("#message")
    mouse.click(*lab.at(0.25, 0.25))
    lab.page.check("[name=class][value='0']")
    lab.after(lambda: mouse.click(*lab.at(0.75, 0.75)))
    assert [point[2] for point in lab.points()] == [1, 0]
    assert lab.text("#message") == ""
    before = lab.points()[1]
    mouse.move(*lab.at(0.75, 0.75))
    mouse.down()
    mouse.move(*lab.at(0.6, 0.9), steps=5)
    lab.after(mouse.up)
    after = lab.points()[1]
    assert after[0] < before[0]
    assert after[1] > before[1]
    lab.after(lambda: mouse.click(*lab.at(0.6, 0.9), button="right"))
    assert len(lab.points()) == 1
    assert lab.page.input_value("#preset") == "own"


def test_every_learner_runs_and_is_stepped(make):
    lab = make("#lang=en&preset=xor&step=end")
    for name in LEARNERS:
        if name != "perceptron":
            lab.choose("#learner", name)
        last = int(lab.page.get_attribute("#time", "max"))
        assert last > 0
        assert lab.text("#count") == f"{last} of {last}"
        lab.page.click("#reset")
        assert lab.text("#count") == f"0 of {last}"
        lab.page.click("#step")
        assert lab.text("#count") == f"1 of {last}"
        assert lab.page.locator("#charts figure").count() >= 2
        assert "not separable" in lab.text("#proof").lower()


def test_playing_goes_on_to_the_end_and_stops(make):
    lab = make()
    lab.page.click("#reset")
    lab.page.fill("#speed", "6")
    lab.page.click("#play")
    assert lab.page.get_attribute("#play", "aria-label") == "Pause"
    lab.page.wait_for_selector("#play[aria-label=Play]")
    assert lab.text("#count") == "18 of 18"
    lab.page.fill("#speed", "0")
    lab.page.click("#play")
    assert lab.text("#count").startswith("0 of")
    lab.page.click("#play")
    assert lab.page.get_attribute("#play", "aria-label") == "Play"


def test_the_rule_is_shown_with_its_numbers_filled_in(make):
    lab = make("#lang=en&preset=and&step=3")
    assert re.sub(r"\s", "", lab.text("#rule .formula")) == "𝑤←(1,1,0)+1·(−1)·(0,0,1)=(1,1,−1)"
    mark = lab.page.get_attribute(".marks .mark", "transform")
    assert mark == lab.page.get_attribute("[data-point='0']", "transform").replace(" ", ",")
    lab.page.click("#back")
    assert re.sub(r"\s", "", lab.text("#rule .formula")) == "𝑤←(0,0,−1)+1·1·(1,1,1)=(1,1,0)"


def test_xor_stops_and_shows_why(make):
    lab = make("#lang=en&preset=xor&step=end")
    assert "no plane separates" in lab.text("#rule")
    assert "Not separable" in lab.text("#proof")
    assert "proof checked" in lab.text("#proof")
    assert re.sub(r"\s", "", lab.text("#proof .formula >> nth=0")).endswith("1/2·(0,1)+1/2·(1,0)=(0.5,0.5)")
    assert lab.page.locator("#plane .hull").count() == 2
    place = lab.page.locator("#plane .meeting").get_attribute("transform")
    assert [float(v) for v in re.findall(r"[\d.]+", place)] == pytest.approx([300, 300])
    lab.page.uncheck("#draw")
    assert lab.page.locator("#plane .meeting").count() == 0


def test_the_other_language_says_it_too(make):
    lab = make("#lang=en&preset=xor")
    lab.page.click("#language")
    lab.page.wait_for_selector("html[lang=zh-Hans]")
    assert "线性不可分" in lab.text("#proof")
    assert "异或" in lab.page.locator("#preset option:checked").inner_text()
    assert "lang=zh" in lab.link()
    assert not re.search(r"[a-z]+-[a-z]+", lab.text("#side"))  # no key without its words
    lab.page.click("#language")
    lab.page.wait_for_selector("html[lang=en]")
    assert "Not separable" in lab.text("#proof")


PICTURE = """() => {
  const copies = ["plane", "charts", "proof"].map((id) => document.getElementById(id).cloneNode(true));
  for (const copy of copies) copy.querySelectorAll(".errors, #errors, .gone").forEach((node) => node.remove());
  return copies.map((copy) => copy.innerHTML).join("");
}"""
"""What is drawn and written, but for the fewest errors: that search ends by the clock."""


def test_a_link_reproduces_the_picture(make):
    lab = make("#lang=zh&preset=overlap&step=end")
    lab.choose("#learner", "pa")
    lab.choose("#param-step", "damped")
    lab.after(lambda: lab.page.fill("#param-C", "0.5") or lab.page.press("#param-C", "Enter"))
    lab.after(lambda: lab.page.mouse.click(*lab.at(0.1, 0.9)))
    for _ in range(3):
        lab.page.click("#back")
    other = make(lab.link())
    assert other.text("#count") == lab.text("#count")
    lab.page.locator("#plane").blur()
    assert other.page.evaluate(PICTURE) == lab.page.evaluate(PICTURE)
    assert other.page.input_value("#param-C") == "0.5"
    assert other.link() == lab.link()


def test_addresses_with_former_names_still_open(make):
    lab = make("#lang=en&preset=and&learner=passive-aggressive&p.C=0.5")
    assert lab.page.input_value("#learner") == "pa"
    assert lab.page.input_value("#param-C") == "0.5"
    assert lab.text("#message") == ""


def test_addresses_that_make_no_sense_still_open(make):
    lab = make("#lang=xx&learner=nothing&p.eta0=%7B&view=1,0,1,0&step=-1&points=1,2;a,b,1;0,0,1;1,1,0;0,1,9")
    assert lab.points() == [(0, 0, 1), (1, 1, 0)]
    assert lab.page.input_value("#learner") == "perceptron"
    lab.open("#p.eta0=-1&points=0,0,1;1,1,0&lang=en&learner=margin&again")
    assert lab.text("#message") == "" or "eta0" in lab.text("#message")


def test_everything_can_be_done_by_keyboard(make):
    lab = make()
    press = lab.page.keyboard.press
    for _ in range(30):
        press("Tab")
        if lab.page.evaluate("document.activeElement.id") == "plane":
            break
    assert lab.page.evaluate("document.activeElement.id") == "plane"
    count = len(lab.points())
    press("2")
    for _ in range(4):
        press("ArrowLeft")
    press("ArrowUp")
    lab.after(lambda: press("Enter"))
    added = lab.points()[-1]
    assert len(lab.points()) == count + 1
    assert added[2] == 0
    press("p")
    assert f"point {count + 1} of {count + 1}" in lab.text("#announcer")
    lab.after(lambda: press("Shift+ArrowRight"))
    assert lab.points()[-1][0] > added[0]
    lab.after(lambda: press("c"))
    assert lab.points()[-1][2] == 1
    lab.after(lambda: press("Delete"))
    assert len(lab.points()) == count
    step = lab.text("#count").split()[0]
    press(",")
    assert int(lab.text("#count").split()[0]) == int(step) - 1
    press(".")
    assert lab.text("#count").split()[0] == step
    press("Tab")
    reached = set()
    for _ in range(50):
        reached.add(lab.page.evaluate("document.activeElement.id"))
        press("Tab")
    assert {"play", "back", "reset", "time", "speed", "learner", "preset", "language"} <= reached
    assert {"table", "function", "lessons", "undo", "fit"} <= reached


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("hash_", ["#lang=en&preset=xor", "#lang=zh&preset=margin&learner=averaged&step=2"])
def test_axe_finds_nothing_serious(make, scheme, hash_):
    lab = make(hash_, color_scheme=scheme)
    found = lab_tab.violations(lab.page)
    serious = [fault for fault in found if fault["impact"] in ("serious", "critical")]
    assert not serious, json.dumps(serious, indent=1)[:3000]
    for button, dialog in (("#table", "#table-dialog"), ("#function", "#function-dialog"), ("#keys", "#keys-dialog")):
        lab.page.click(button)
        found = lab_tab.violations(lab.page, context=dialog)
        assert not [fault for fault in found if fault["impact"] in ("serious", "critical")]
        lab.page.keyboard.press("Escape")


def test_nothing_is_cut_off_on_one_screen_or_on_a_telephone(make):
    """Every sentence is whole, the theorem is on the first screen, and nothing is wider than the screen."""
    cut = """() => [...document.querySelectorAll("#rule, #proof, #charts, #legend, figcaption")].filter((node) =>
      node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1).map((node) => node.id)"""
    width = "document.documentElement.scrollWidth"
    lab = make("#lang=en&preset=and&step=end")
    theorem = lab.page.locator("#chain").bounding_box()
    assert theorem["y"] + theorem["height"] < 800
    for hash_ in ("preset=overlap&learner=pocket", "preset=spirals&learner=kernel", "preset=worst", "preset=iris"):
        lab.follow(f"#lang=en&{hash_}&step=end")
        assert lab.page.evaluate(cut) == [], hash_
        assert lab.page.evaluate(width) == 1280
        rule = lab.page.locator("#rule").bounding_box()
        assert rule["y"] + rule["height"] < 800
    lab = make("#lang=en&preset=overlap", viewport={"width": 390, "height": 844}, has_touch=True)
    assert lab.page.evaluate(width) == 390
    lab.page.locator("#plane").scroll_into_view_if_needed()
    lab.after(lambda: lab.page.touchscreen.tap(*lab.at(0.2, 0.8)))
    assert lab.page.input_value("#preset") == "own"
    lab.page.click("#language")
    lab.page.wait_for_selector("html[lang=zh-Hans]")
    assert lab.page.evaluate(width) == 390


def test_a_table_is_pasted_and_its_columns_chosen(make):
    lab = make()
    lab.page.click("#table")
    lab.page.fill("#table-text", "only,two\n1,2\n")
    lab.until(lambda: lab.text("#table-error"))
    assert lab.page.is_disabled("#table-use")
    lab.page.fill("#table-text", "name,a,b,kind\np,100,1,no\nq,300,2,yes\nr,200,4,yes\n")
    lab.page.wait_for_selector("#table-use:enabled")
    lab.page.check("#scale")
    lab.page.select_option("#column-positive", "no")
    lab.after(lambda: lab.page.click("#table-use"))
    assert lab.points() == [(-1, -1, 1), (1, -0.3333, 0), (0, 1, 0)]


@pytest.mark.parametrize("kind", ["svg", "png", "csv", "py"])
def test_what_is_exported(make, kind, tmp_path):
    lab = make("#lang=en&preset=xor&learner=xor-features")
    lab.page.click("#export summary")
    with lab.page.expect_download() as waited:
        lab.page.click(f"[data-export={kind}]")
    file = tmp_path / waited.value.suggested_filename
    waited.value.save_as(file)
    data = file.read_bytes()
    if kind == "png":
        assert data.startswith(b"\x89PNG")
        assert len(data) > 5000
    else:
        assert {
            "svg": "<svg",
            "csv": "x,y,class\n0,0,-1\n0,1,1\n",
            "py": "make_pipeline(XorFeatures(), Perceptron(order='cyclic', max_iter=200)).fit(X, y)",
        }[kind] in data.decode()
    if kind == "svg":
        assert b"class=" not in data
        assert b"var(" not in data
        name = re.search(r"<text[^>]*>x₁ →</text>", data.decode()).group()
        assert 'paint-order="stroke' in name  # or the ground around the letters would cover them
        assert 'font-style="italic"' in name


def test_iris_columns_and_new_samples(make):
    lab = make("#lang=en&preset=iris")
    assert "Separable" in lab.text("#proof")
    lab.choose("#species", "1")
    assert "Not separable" in lab.text("#proof")
    lab.choose("#first", "0")
    assert lab.points()[0] == (5.1, 0.2, 0)
    lab.choose("#preset", "margin")
    before = lab.points()
    lab.after(lambda: lab.page.click("#again"))
    assert lab.points() != before


def test_the_fewest_errors_are_said_and_drawn(make):
    lab = make("#lang=en&preset=xor")
    lab.until(lambda: "proof checked" in lab.text("#errors"))
    assert "Of 4 points this line has 1 wrong" in lab.text("#errors")
    assert "at least 1 wrong: none is better" in lab.text("#errors")
    assert lab.page.locator(".errors .fewest").count() == 1
    assert lab.page.locator(".errors .wrong").count() == 1
    lab.page.click("#language")
    lab.page.wait_for_selector("html[lang=zh-Hans]")
    assert "每条直线都至少错 1 个" in lab.text("#errors")
    assert "打叉" in lab.text("#errors")
    lab.page.uncheck("#draw")
    assert lab.page.locator(".errors *").count() == 0
    assert "打叉" not in lab.text("#errors")  # nothing is crossed out now
    lab.choose("#preset", "and")
    assert lab.page.locator("#errors").count() == 0


def test_the_fewest_errors_of_other_points_are_never_shown(make):
    lab = make("#lang=en&preset=and")
    held = []
    lab.page.route("**/api/errors", lambda route: held.append(route))
    lab.choose("#preset", "xor")
    lab.until(lambda: len(held) == 1)
    lab.page.check("[name=class][value='0']")
    lab.after(lambda: lab.page.mouse.click(*lab.at(0.45, 0.55)))
    held[0].continue_()  # the answer for the points as they were
    lab.until(lambda: len(held) == 2)
    assert "Looking" in lab.text("#errors")
    assert lab.page.locator(".errors *").count() == 0
    held[1].continue_()
    lab.until(lambda: "Of 5 points this line has 1 wrong" in lab.text("#errors"))
    lab.page.route("**/api/run", lambda route: None)  # a run that is not answered yet
    lab.page.mouse.click(*lab.at(0.2, 0.55))
    assert "Looking" in lab.text("#errors")
    assert lab.page.locator(".errors *").count() == 0
    lab.page.unroute("**/api/run")
    lab.page.unroute("**/api/errors")


def test_fewest_errors_that_are_not_checked_are_not_shown(make):
    lab = make("#lang=en&preset=and")
    answer = {"checked": False, "errors": 1, "lower_bound": 1, "optimal": True, "rows": [0], "plane": [1, 1, 0]}
    lab.page.route("**/api/errors", lambda route: route.fulfill(json=answer))
    lab.choose("#preset", "xor")
    lab.until(lambda: "no answer" in lab.text("#errors"))
    assert "wrong" not in lab.text("#errors")
    assert lab.page.locator(".errors *").count() == 0
    lab.page.unroute("**/api/errors")


def test_a_line_that_cannot_be_seen_is_said_to_lie_outside(make):
    around = "0,0,1;1,0,1;0,1,1;1,1,1;0.4,0.6,1;0.6,0.4,1"
    lab = make(f"#lang=en&view=0,1,0,1&points={around};0.5,0.5,0")
    lab.until(lambda: "has 1 wrong" in lab.text("#errors"))
    assert "outside the picture" in lab.text("#errors")
    assert lab.page.locator(".errors .fewest").count() == 0
    assert lab.page.locator(".errors .wrong").count() == 1


def test_a_truth_table_is_toggled_and_weighed(make):
    lab = make()
    lab.page.click("#function")
    lab.until(lambda: "Threshold function" in lab.text("#function-answer"))
    assert "where𝑥1+𝑥2≥2" in re.sub(r"\s", "", lab.text("#function-answer"))
    assert lab.page.locator("#corners line.cut").count() == 1
    lab.page.click("[data-row='3']")
    lab.page.click("[data-row='1']")
    lab.page.click("[data-row='2']")
    lab.until(lambda: "Not a threshold function" in lab.text("#function-answer"))
    assert "proof checked" in lab.text("#function-answer")
    said = [re.sub(r"\s", "", line) for line in lab.page.locator("#function-answer .formula").all_inner_texts()]
    assert said == ["f=1(0,1)+(1,0)=(1,1)", "f=0(0,0)+(1,1)=(1,1)"]
    assert lab.page.locator("#function-table .traded").count() == 4
    assert lab.page.locator("#corners .hull").count() == 2
    assert "function=0110" in lab.link()
    lab.page.click("[data-corner='0']")
    lab.until(lambda: "Threshold function" in lab.text("#function-answer"))
    assert lab.page.get_attribute("[data-row='0']", "aria-pressed") == "true"
    lab.page.click("#function-dialog [data-close]")
    assert "function" not in lab.link()
    other = make("#lang=zh&preset=and&function=0110")
    other.until(lambda: "不是阈值函数" in other.text("#function-answer"))


def test_a_cube_is_toggled_and_turned_by_keyboard_and_pointer(make):
    lab = make()
    press = lab.page.keyboard.press
    lab.page.focus("#function")
    press("Enter")
    press("ArrowRight")  # from two inputs to three
    lab.until(lambda: lab.page.locator("#corners polygon.cut").count() == 1)
    for _ in range(8):
        press("Tab")
    assert lab.page.evaluate("document.activeElement.dataset.row") == "7"
    press("Space")
    lab.until(lambda: "Not a threshold function" in lab.text("#function-answer"))
    assert lab.page.evaluate("document.activeElement.dataset.row") == "7"
    press("Tab")
    assert lab.page.evaluate("document.activeElement.id") == "corners"
    seen = {lab.page.inner_html("#corners")}
    for key in ("ArrowLeft", "ArrowUp"):
        press(key)
        seen.add(lab.page.inner_html("#corners"))
    box = lab.page.locator("#corners").bounding_box()
    lab.page.mouse.move(box["x"] + 20, box["y"] + 20)
    lab.page.mouse.down()
    lab.page.mouse.move(box["x"] + 80, box["y"] + 50)
    lab.page.mouse.up()
    assert len(seen | {lab.page.inner_html("#corners")}) == 4
    assert "function=00010110" in lab.link()


def test_what_is_known_of_another_truth_table_is_never_shown(make):
    lab = make()
    held = []
    lab.page.route("**/api/function", lambda route: held.append(route))
    lab.page.click("#function")
    lab.page.click("[data-row='0']")
    lab.until(lambda: len(held) == 2)
    for route in reversed(held):  # the older answer comes last
        route.continue_()
        lab.page.wait_for_timeout(300)
    assert "Not a threshold function" in lab.text("#function-answer")
    lab.page.click("[data-row='0']")
    lab.until(lambda: len(held) == 3)
    assert lab.text("#function-answer") == ""
    assert lab.page.locator("#corners .hull").count() == 0
    lab.page.unroute("**/api/function")
