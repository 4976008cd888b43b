"""Figures in the documentation come from scripts that exist."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
FILES = [*ROOT.glob("README*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/learners/*.md")]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in FILES)
SCRIPT = r"`?((?:benchmarks|tools|docs|examples|tests)/[\w/]+\.py)"
TARGET = r"`?make ([a-z][a-z-]*)"
LESSONS = {"docs/course.md", "docs/course.zh.md"}
"""Written whole by docs/chapter.py; its numbers are those of the run."""
MEASURED = r"\d[\d.,]*\s?(?:ms|µs|s|seconds?|minutes?|kB|MB|GB|%|times|秒|毫秒|分钟|倍)(?!\w)"
SET = ("500 MB", "8 MB", "1 MB", "12.5%", "12,5 %", "0.01 times", "0.01 倍")
"""Limits that the code sets, notations that it reads, and a constant of scikit-learn: nobody measured them."""
PRINT_NOTHING = {"benchmarks/roofline.py", "tools/interpreted.py"}
"""What other scripts, and pytest, import."""
DATE = r"20\d\d-\d\d-\d\d"


def tables(text):
    """The tables of a page, as lists of lines."""
    return re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)


def is_of_figures(table):
    """Whether most cells of a table beside the first column, and at least six, are decimals."""
    rows = [line.strip().strip("|").split("|")[1:] for line in table.splitlines()[2:]]
    cells = [cell.strip(" *") for row in rows for cell in row]
    measured = [cell for cell in cells if re.match(r"[−-]?\d+\.\d+", cell)]
    return len(measured) >= 6 and 2 * len(measured) > len(cells)


def sources(text):
    """The scripts and targets of the project that a text names."""
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    scripts = [name for name in re.findall(SCRIPT, text) if (ROOT / name).is_file()]
    return scripts + [name for name in re.findall(TARGET, text) if name in targets]


def prose(text):
    """A page without its code and markup."""
    return re.sub(r"```.*?```|^    .*?$|<[^>]*>", "", text, flags=re.DOTALL | re.MULTILINE)


def measured(text):
    """The figures of a text that somebody measured: seconds, bytes, shares and ratios that are not set by the code."""
    return [figure for figure in re.findall(MEASURED, text) if " ".join(figure.split()) not in SET]


def sections(text):
    """The parts of a page between headings, each after what the page says before its first section."""
    head, *rest = re.split(r"^(?=##+ )", prose(text), flags=re.MULTILINE)
    return [(head, "")] + [(head, section) for section in rest]


def scripts_of_figures():
    """The scripts of ours that sections with figures name, of all pages."""
    found = set()
    for page in set(PAGES) - LESSONS:
        for head, own in sections((ROOT / page).read_text(encoding="utf-8")):
            if measured(own or head) or any(map(is_of_figures, tables(own or head))):
                found |= {*re.findall(SCRIPT, head), *re.findall(SCRIPT, own)}
    return sorted(name for name in found if name.startswith(("benchmarks/", "tools/")))


@pytest.mark.parametrize("page", PAGES)
def test_a_section_with_measured_figures_names_what_measured_them(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    bare = {
        own.split("\n")[0]: measured(own or head)
        for head, own in sections(text)
        if not (re.findall(SCRIPT, head) or sources(own))
    }
    if page not in LESSONS:
        assert not [(heading, figures) for heading, figures in bare.items() if figures]
        assert not measured(prose(text)) or re.search(DATE, text), f"{page} has measured figures and no date"


@pytest.mark.parametrize("page", PAGES)
def test_a_page_with_tables_of_figures_names_what_printed_them(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    if page not in LESSONS and any(map(is_of_figures, tables(text))):
        assert sources(text), f"{page} has a table of figures and names no script that printed it"
        assert re.search(DATE, text), f"{page} has a table of figures and no date"


@pytest.mark.parametrize("script", scripts_of_figures())
def test_a_script_of_figures_says_where_they_come_from(script):
    text = (ROOT / script).read_text(encoding="utf-8")
    assert ("print(origin())" in text) != (script in PRINT_NOTHING)
    assert ('if __name__ == "__main__"' in text) != (script in PRINT_NOTHING)


def test_figures_come_from_a_day_a_machine_and_a_commit():
    from origin import origin

    assert re.fullmatch(DATE + r", \d+ cores of .+, \w+, Python 3\.\d+\.\S+, commit [\w-]+", origin())


@pytest.mark.parametrize("page", PAGES)
def test_scripts_that_pages_name_are_there(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert not [name for name in re.findall(SCRIPT, text) if not (ROOT / name).is_file()]


def test_a_table_of_figures_is_known_for_one():
    figures = "| a | b |\n|---|---|\n" + "| x | 0.5 |\n" * 6
    assert is_of_figures(figures)
    assert not is_of_figures(figures.replace("0.5", "words"))


def test_a_measured_figure_is_known_for_one():
    page = "# A\n\nless than 500 MB\n\n## B\n\nit took 3.5 s\n\n## C\n\nby `tools/house.py`, 4 ms\n"
    assert [measured(own) for _, own in sections(page)] == [[], ["3.5 s"], ["4 ms"]]
    assert [bool(sources(own)) for _, own in sections(page)] == [False, False, True]
    assert not measured(prose("12 rows, `a`\n\n    3 s of code\n\n```\n5 MB\n```\n"))


@pytest.mark.parametrize("page", ["README.md", "README.zh-CN.md"])
def test_the_front_door_is_short_and_its_links_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    links = re.findall(r"(?:\]\(|src(?:set)?=\")([^)\"#]+)", text)
    assert len(links) > 10
    assert not [link for link in links if not link.startswith("http") and not (ROOT / link).exists()]
