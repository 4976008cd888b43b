"""The examples run; the code in README.md and docs/ runs as doctests."""

import json
import re
import sys
from pathlib import Path

import matplotlib
import pytest
from matplotlib import pyplot

from novikoff import datasets
from novikoff.errors import InputError

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
import trust

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"


def run(name, capsys, changes=None):
    """What an example prints, with lines of it changed."""
    code = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    for line, other in (changes or {}).items():
        assert line in code
        code = code.replace(line, other)
    exec(code, {"__name__": "__main__"})
    return capsys.readouterr().out


def test_the_demo_runs(capsys):
    text = run("demo", capsys)
    assert "quasi-separable" in text
    assert "accepted: separable" in text
    assert "cancer-report.html" in text


def test_gates_and_xor_four_ways(capsys):
    text = run("gates", capsys)
    assert "XOR by a plane: inseparable" in text
    assert text.count("score 1") == 3


def test_whether_a_logistic_regression_is_separated(capsys):
    text = run("separated", capsys)
    assert "quasi-separable: the estimate of treated has no limit" in text
    assert "checked: True" in text


PAGES = [page for folder in (".", "docs", "docs/learners") for page in sorted((ROOT / folder).glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_links_to_or_shows_is_there(page):
    """Also in a checkout, where nothing was made yet."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|srcset|href)="([^"]+)"', text)
    near = {target.split("#")[0] for target in targets if not re.match(r"[a-z]+:|#", target)}
    assert {target for target in near if not (page.parent / target).exists()} == set()


@pytest.fixture
def no_network(monkeypatch):
    """Neither a network nor a folder of data."""

    def fail(name, **_):
        raise InputError(f"{name} is not on this machine")

    monkeypatch.setattr(datasets, "fetch", fail)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.usefixtures("no_network")
def test_digits_without_a_network(capsys):
    text = run("mnist", capsys)
    assert "mnist is not on this machine" in text
    assert "KernelPerceptron on 1347 rows: 9" in text


def test_streaming(capsys):
    text = run("streaming", capsys)
    assert "5 passes over three files" in text
    assert "accuracy on the next day: 0.99" in text


@pytest.mark.usefixtures("no_network")
def test_spam_without_a_network(capsys, monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    assert re.search(r"600 new messages: (9\d|100)\.\d+% right", run("spam", capsys))


@pytest.mark.usefixtures("real_data")
def test_spam(capsys, monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    assert re.search(r"1115 new messages: 9[78]\.\d+% right", run("spam", capsys))


def test_the_notebook_on_separation_prints_what_it_holds(capsys):
    matplotlib.use("Agg")
    notebook = json.loads((EXAMPLES / "separation.ipynb").read_text(encoding="utf-8"))
    names = {}
    for cell in (cell for cell in notebook["cells"] if cell["cell_type"] == "code"):
        exec("".join(cell["source"]), names)
        held = ["".join(output["text"]) for output in cell["outputs"] if output["output_type"] == "stream"]
        assert capsys.readouterr().out == "".join(held)
    assert names["found"].coefficients["NV"] == "+inf"


@pytest.mark.parametrize("name", ["dating", "logic_gates", "novikoff", "kernels"])
def test_the_notebooks_of_the_course_print_what_they_hold(name, capsys):
    matplotlib.use("Agg")
    notebook = json.loads((EXAMPLES / f"{name}.ipynb").read_text(encoding="utf-8"))
    names = {}
    for cell in (cell for cell in notebook["cells"] if cell["cell_type"] == "code"):
        exec("".join(cell["source"]), names)
        held = ["".join(output["text"]) for output in cell["outputs"] if output["output_type"] == "stream"]
        assert capsys.readouterr().out == "".join(held)
    pyplot.close("all")


def test_slides_are_the_chapter():
    """A column per section; figures and results have slides of their own, and no formula is left as LaTeX."""
    import slides

    text = (ROOT / "docs" / "course.md").read_text(encoding="utf-8")
    pages = slides.slides(text)
    assert pages.count("<h2>") == 12
    assert pages.count("<img") == text.count("](course-figures/")
    assert pages.count('<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">') == text.count("$$") // 2
    assert "arithmatex" not in pages
    assert "def c04" not in pages


def test_slides_say_what_they_lack(capsys, monkeypatch, tmp_path):
    import slides

    monkeypatch.setattr(slides, "OUT", tmp_path)
    monkeypatch.setattr(slides, "REVEAL", tmp_path / "reveal")
    monkeypatch.setattr(slides.shutil, "which", lambda _: None)
    slides.main()
    assert capsys.readouterr().out.startswith("No slides were made: they need reveal.js, which npm brings;")
    assert not list(tmp_path.iterdir())


def test_formulas_become_mathml():
    from slides import rendered

    page = rendered("Let $r^2 < \\rho$.\n\n$$ \\frac{1}{2} $$\n")
    assert page.count("<math") == 2
    assert "<mfrac>" in page
    assert "<mo>&#x0003C;</mo>" in page  # no tag is begun by it


def test_the_tree_of_the_house_is_told_once():
    inside, contributing = ((ROOT / name).read_text("utf-8") for name in ("docs/inside.md", "CONTRIBUTING.md"))
    tree = inside[inside.index("    src/novikoff/\n") :].split("\n\n")[0]
    assert tree in contributing


def test_both_glossaries_have_the_same_words():
    english, chinese = ((ROOT / "docs" / name).read_text("utf-8") for name in ("glossary.md", "glossary.zh.md"))
    assert [cells[4] for cells in table_rows(english)] == [cells[1] for cells in table_rows(chinese)]


def table_rows(text):
    """The cells of every row of a page's tables, without their headers."""
    rows = [[cell.strip() for cell in line.split("|")] for line in text.splitlines() if line.startswith("| ")]
    return [row for row in rows if row[2] not in ("symbol", "符号")]


@pytest.mark.parametrize("page", ["trust.md", "trust.zh.md"])
def test_the_links_of_the_chain_have_the_lines_that_are_stated(page):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| ")]
    stated = [int(cells[1]) for cells in rows if len(cells) == 3 and cells[1].isdigit()]
    assert stated == list(trust.links().values())


@pytest.mark.parametrize("page", ["trust.md", "trust.zh.md"])
def test_the_heart_of_the_checker_is_quoted_as_it_is(page):
    quoted = [
        line[4:] for line in (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines() if line[:5] == "    #"
    ]
    code = (ROOT / trust.CHECK).read_text(encoding="utf-8")
    assert len(quoted) > 5
    assert "\n".join(quoted) in code


def test_what_is_believed_of_the_second_checker_is_small():
    lines = trust.links()
    assert lines["main"] <= 70
    assert lines["planes written"] <= 70
    assert lines["regressions written"] <= 30
    assert lines["heart"] <= 130


def test_passive_aggressive_beside_scikit_learn(capsys, monkeypatch):
    monkeypatch.delenv("NOVIKOFF_DATA", raising=False)
    once = {"REPEATS = 3": "REPEATS = 1"}  # only times gain by repeating
    lines = [line.split() for line in run("passive_aggressive", capsys, once).splitlines()]
    if len(lines) == 1:
        pytest.skip("this scikit-learn has no passive-aggressive learners any more")
    scores = [[float(cell) for cell in line[-3:-1]] for line in lines[1:]]
    assert len(scores) == 4
    assert all(ours >= theirs for theirs, ours in scores)
