"""The course: every claim by its number, the page, the chapter and the command."""

import json
import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from novikoff.cli import app
from novikoff.course import claims, html, markdown, run_course
from novikoff.course.claims import CLAIMS, ClaimResult
from novikoff.course.run_claims import ClaimRow
from novikoff.course.texts import CODE, LANGUAGES, TEXTS
from novikoff.proofs.threshold_functions import ThresholdFunction

DOCS = Path(__file__).parents[1] / "docs"
RUN = sorted(TEXTS if "NOVIKOFF_LONG" in os.environ else set(TEXTS) - {"C21"})
"""C21 weighs all 65536 functions of four inputs, which takes some twenty seconds; those of fewer are always weighed."""


@pytest.fixture(scope="module")
def rows():
    """The claims, run once."""
    return {row.claim: row for row in run_course(RUN)}


@pytest.mark.parametrize("claim", RUN)
def test_claims_hold(rows, claim):
    assert rows[claim].holds, rows[claim].found


def test_c05_planes_differ_under_one_bound(rows):
    figures = rows["C05"].figures
    assert 1 < figures["planes"] <= figures["runs"]
    assert figures["most"] <= figures["bound"]


def test_c06_scores_of_the_notes(rows):
    figures = rows["C06"].figures
    assert figures["theirs"] == figures["ours"] == 5 / 7
    assert (figures["part"], figures["whole"]) == ("separable", "quasi-separable")


def test_c10_terms_rise(rows):
    terms = [float(term) for term in re.findall(r"[\d.]+", rows["C10"].figures["chain"])]
    assert terms == sorted(terms)
    assert len(terms) == 7


def test_c12_counts(rows):
    assert rows["C12"].figures["updates"] == [(4**m - 1) // 3 for m in range(2, 9)]


def test_c19_the_cosine_ends_above_its_floor(rows):
    figures = rows["C19"].figures
    assert figures["floor"] <= figures["last"] <= 1 + 1e-12


def test_c21_counts_threshold_functions_and_says_how_far_it_is(monkeypatch):
    said = []
    monkeypatch.setattr(claims, "THRESHOLD_FUNCTIONS", {2: 14, 3: 104})
    monkeypatch.setattr(claims, "OFTEN", 128)
    result = claims.c21(said.append)
    assert result.holds
    assert result.figures == {"threshold": [14, 104], "all": [16, 256], "largest": [1, 2], "trade": 2}
    assert said == ["0/16", "0/256", "128/256"]


def test_c21_does_not_hold_of_other_counts_or_without_proofs(monkeypatch):
    monkeypatch.setattr(claims, "THRESHOLD_FUNCTIONS", {2: 15})
    assert not claims.c21(print).holds
    monkeypatch.setattr(claims, "THRESHOLD_FUNCTIONS", {2: 14})
    monkeypatch.setattr(ThresholdFunction, "holds", lambda _: False)
    assert not claims.c21(print).holds


def test_it_is_said_which_claim_is_run(monkeypatch):
    said = []
    monkeypatch.setitem(CLAIMS, "C11", lambda say: say("half") or ClaimResult(True, {"sizes": 0}))
    list(run_course(["C11", "C01"], say=said.append))
    assert said == ["C11", "C11: half", "C01"]


def test_texts_are_whole():
    assert sorted(TEXTS) == sorted(CLAIMS) == sorted(CODE) == [f"C{k:02}" for k in range(1, 22)]
    for texts in TEXTS.values():
        assert set(texts) == set(LANGUAGES)
        en, zh = (set(re.findall(r"{(\w+)", texts[lang].found)) for lang in ("en", "zh"))
        assert en == zh
        assert bool(texts["en"].beyond) == bool(texts["zh"].beyond)
        assert re.search("[一-鿿]", texts["zh"].title + texts["zh"].ran)


class Reader(HTMLParser):
    """What a page holds."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.images, self.links = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "img":
            self.images.append(found)
        self.links += [found[key] for key in ("src", "href") if key in found]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_needs_no_other_file(rows, lang):
    some = list(run_course(["C01", "C02", "C04", "C07"], lang))
    page = html(some, lang)
    found = Reader(page)
    assert found.ids == ["C01", "C02", "C04", "C07"]
    assert len(found.images) == 4
    assert all(image["alt"] for image in found.images)
    assert all(link.startswith(("data:", "#")) for link in found.links)
    assert some[0].text.title in page


def test_a_claim_that_fails_is_seen(monkeypatch):
    monkeypatch.setitem(CLAIMS, "C11", lambda say: ClaimResult(False, {"sizes": 0}))
    (row,) = run_course(["c11"])
    assert not row.holds
    assert "does NOT hold" in html([row])
    result = CliRunner().invoke(app, ["course", "--claim", "C11"])
    assert result.exit_code == 1
    assert "does NOT hold" in result.output


def test_the_command(tmp_path):
    result = CliRunner().invoke(app, ["course", "--claim", "C11", "--claim", "C01", "--json"])
    assert result.exit_code == 0
    assert [(row["claim"], row["holds"]) for row in json.loads(result.output)] == [("C11", True), ("C01", True)]
    result = CliRunner().invoke(app, ["course", "--claim", "C02", "--lang", "zh", "--html", str(tmp_path / "out")])
    assert result.exit_code == 0
    assert "激活函数" in result.output
    assert 'lang="zh-CN"' in (tmp_path / "out" / "course.html").read_text(encoding="utf-8")
    assert CliRunner().invoke(app, ["course", "--claim", "C99"]).exit_code == 2


def test_the_command_says_before_the_work_that_pictures_cannot_be_drawn(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(CLAIMS, "C01", lambda say: pytest.fail("run in vain"))
    result = CliRunner().invoke(app, ["course", "--html", str(tmp_path)])
    assert result.exit_code == 2
    assert "matplotlib" in result.output


def test_unknown_claims_and_languages():
    with pytest.raises(ValueError, match="no claim C22"):
        run_course(["C22"])
    with pytest.raises(ValueError, match="'en' and 'zh'"):
        run_course(lang="fr")


@pytest.mark.parametrize(("lang", "name"), [("en", "course.md"), ("zh", "course.zh.md")])
def test_the_chapter_is_that_of_the_course(rows, lang, name):
    """To renew it: python docs/chapter.py."""
    drawn = [claim for claim, row in rows.items() if row.draw is not None]
    assert (DOCS / name).read_text(encoding="utf-8") == markdown(lang, drawn)


def test_figures_are_numbers_or_words(rows):
    for row in rows.values():
        assert isinstance(row, ClaimRow)
        assert all(isinstance(value, int | float | str | list | np.generic) for value in row.figures.values())
