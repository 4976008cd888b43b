"""The slides of the chapter, and the formulas of the pages."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))
import slides
from mathml import converted

ROOT = Path(__file__).parents[1]


def made(name):
    """The slides of a page, as HTML."""
    html = slides.slides((ROOT / "docs" / name).read_text(encoding="utf-8"))
    return re.findall(r"<section>((?:(?!<section>).)*?)</section>", html, flags=re.DOTALL)


@pytest.mark.parametrize("name", ["course.md", "course.zh.md"])
def test_no_slide_is_a_name_only_and_none_leads_to_a_page_that_is_not_beside_it(name):
    pages = made(name)
    assert len(pages) > 60
    for page in pages:
        assert re.sub(r"<h\d>.*?</h\d>", "", page).strip()
        assert page.count("<img") <= 1
        assert all(address.startswith("http://127.0.0.1") for address in re.findall(r'href="([^"]*)"', page))


def test_a_part_that_is_long_is_cut_between_sentences_and_goes_on_under_its_name():
    part = "### Proof\n\n" + "\n\n".join(["so\n\n$$ a = b $$", "A line of text. " * 20] * 6)
    first, *others = slides.cut(part)
    assert len(others) == 2
    assert all(other.startswith("### Proof …") for other in others)
    assert "\n\n".join([first, *(other.removeprefix("### Proof …\n\n") for other in others)]) == part
    assert not any(other.startswith("### Proof …\n\n$$") for other in others)


def test_an_exercise_stays_with_its_hints():
    hints = '<details markdown="1">\n<summary>Hints</summary>\n\n1. one\n\n</details>'
    whole = f"### Exercise\n\n**Exercise 1: one**\n\nWhich?\n\n{hints}\n\n{hints}"
    assert slides.pieces(whole) == [whole]


def test_the_slides_need_no_network():
    assert "https:" not in slides.PAGE


def test_arg_min_and_arg_max_are_words():
    assert ">arg&#x02009;min<" in converted(r"w = \arg\min \lVert w \rVert", True)
    assert ">arg&#x02009;max<" in converted(r"\arg \max_i x_i", False)
    assert "<mo>arg</mo>" in converted(r"\arg z", False)


def test_bars_and_large_brackets_know_their_side():
    formula = converted(r"\lVert w\rVert \le \Bigl(\frac{1}{2}\Bigr)^2", False)
    assert re.findall(r'form="(\w+)"[^>]*>([^<]*)<', formula) == [
        ("prefix", "&#x02016;"),
        ("postfix", "&#x02016;"),
        ("prefix", "("),
        ("postfix", ")"),
    ]


def test_a_command_that_would_stay_latex_is_refused():
    with pytest.raises(ValueError, match=r"does not know \\strange, which is in the formula x \\strange y"):
        converted(r"x \strange y", False)
