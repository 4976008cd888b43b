"""Every page is there in English and in Chinese, with the same headings, code and links.

The Chinese pages are not run as doctests: their code is the code of the English ones, which are.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(page for page in DOCS.rglob("*.md") if not page.name.endswith(".zh.md") and page.name != "api.md")
PAIRS = [(page, page.with_suffix(".zh.md")) for page in PAGES] + [(ROOT / "README.md", ROOT / "README.zh-CN.md")]
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:(?<=\n\n)|\A) {4}.*(?:\n+ {4}.*)*")
COMMENT = re.compile(r"\s+# (?!doctest:).*")


def page_text(page):
    """The text of a page, with what it takes from others by `--8<--`."""
    text = page.read_text(encoding="utf-8")
    return re.sub(r'^--8<-- "(.+):(.+)"$', lambda found: section(*found.groups()), text, flags=re.MULTILINE)


def section(path, name):
    """The part of a page between two marks."""
    start, end = (f"<!-- --8<-- [{mark}:{name}] -->" for mark in ("start", "end"))
    return (ROOT / path).read_text(encoding="utf-8").split(start)[1].split(end)[0].strip("\n")


def code_blocks(text):
    """The blocks of code, without comments; drawings, whose words are translated, aside."""
    blocks = FENCED.findall(text) + INDENTED.findall(FENCED.sub("", text))
    return [COMMENT.sub("", block) for block in blocks if "──" not in block]


def prose(text):
    return INDENTED.sub("", FENCED.sub("", text))


def heading_levels(text):
    return [len(marks) for marks in re.findall(r"^(#+) ", prose(text), flags=re.MULTILINE)]


def links(text):
    """The targets of all links and pictures, whichever language they are in."""
    targets = re.findall(r"\]\(([^)\s]+)\)", prose(text))
    own = r"\.zh(-CN)?(?=\.md)|-(zh|en)(?=\.svg)|(?<=#lang=)(zh|en)"
    return sorted(re.sub(own, "", target) for target in targets)


def test_every_chinese_page_has_an_english_one():
    english = {page.with_suffix(".zh.md") for page in PAGES}
    assert set(DOCS.rglob("*.zh.md")) == english


@pytest.mark.parametrize(("english", "chinese"), PAIRS, ids=[str(page.relative_to(ROOT)) for page, _ in PAIRS])
def test_both_languages_have_the_same_headings_code_and_links(english, chinese):
    ours, theirs = page_text(english), page_text(chinese)
    assert heading_levels(ours) == heading_levels(theirs)
    assert code_blocks(ours) == code_blocks(theirs)
    assert links(ours) == links(theirs)


@pytest.mark.parametrize("chinese", [chinese for _, chinese in PAIRS], ids=lambda page: str(page.relative_to(ROOT)))
def test_a_chinese_page_leads_to_chinese_pages(chinese):
    """Only the link that changes the language leads from a Chinese page to an English one that is there in Chinese."""
    translated = {english.resolve(): theirs for english, theirs in PAIRS}
    targets = re.findall(r"\]\((?!https?:)([^)\s#]+\.md)[^)\s]*\)", prose(page_text(chinese)))
    led = {target for target in targets if (chinese.parent / target).resolve() in translated}
    assert led <= ({"README.md"} if chinese.name == "README.zh-CN.md" else set())


def test_a_block_a_heading_or_a_link_that_is_missing_is_noticed():
    whole = '# A\n\n    make  # it\n\nSee [b](b.md).\n\n```python\n>>> f("# a")\n```\n\n## B\n'
    same = whole.replace("# it", "# 做").replace("b.md", "b.zh.md")
    assert (heading_levels(whole), links(whole)) == (heading_levels(same), links(same)) == ([1, 2], ["b.md"])
    assert code_blocks(whole) == code_blocks(same)
    assert code_blocks(whole) != code_blocks(same.replace("make", "male"))
