"""Figures in the documentation come from scripts that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("README*.md"), *ROOT.glob("docs/*.md")])
SCRIPT = r"`?((?:benchmarks|tools|docs|examples|tests)/[\w/]+\.py)"
TARGET = r"`?make ([a-z][a-z-]*)"
LESSONS = {"docs/course.md", "docs/course.zh.md"}
"""Written whole by docs/chapter.py; its numbers are those of the run."""


def tables(text):
    """The tables of a page, as lists of lines."""
    return re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)


def is_of_figures(table):
    """Whether most cells of a table beside the first column, and at least six, are decimals."""
    rows = [line.strip().strip("|").split("|")[1:] for line in table.splitlines()[2:]]
    cells = [cell.strip(" *") for row in rows for cell in row]
    measured = [cell for cell in cells if re.match(r"[−-]?\d+\.\d+", cell)]
    return len(measured) >= 6 and 2 * len(measured) > len(cells)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_with_tables_of_figures_names_what_printed_them(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    scripts = [name for name in re.findall(SCRIPT, text) if (ROOT / name).is_file()]
    named = scripts or [name for name in re.findall(TARGET, text) if name in targets]
    if page not in LESSONS and any(map(is_of_figures, tables(text))):
        assert named, f"{page} has a table of figures and names no script that printed it"


@pytest.mark.parametrize("page", PAGES)
def test_scripts_that_pages_name_are_there(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert not [name for name in re.findall(SCRIPT, text) if not (ROOT / name).is_file()]


def test_a_table_of_figures_is_known_for_one():
    figures = "| a | b |\n|---|---|\n" + "| x | 0.5 |\n" * 6
    assert is_of_figures(figures)
    assert not is_of_figures(figures.replace("0.5", "words"))


@pytest.mark.parametrize("page", ["README.md", "README.zh-CN.md"])
def test_the_front_door_is_short_and_its_links_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    links = re.findall(r"(?:\]\(|src(?:set)?=\")([^)\"#]+)", text)
    assert len(links) > 10
    assert not [link for link in links if not link.startswith("http") and not (ROOT / link).exists()]
