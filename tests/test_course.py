"""The course: every claim by its number, the page, the chapter, the exercises and the commands."""

import dataclasses
import importlib.util
import json
import os
import re
import sys
import warnings
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from sklearn.svm import SVC
from typer.testing import CliRunner

import novikoff
from novikoff import KernelPerceptron, Perceptron, XorFeatures, audit, certify, datasets, fewest_errors
from novikoff.cli import app
from novikoff.course import bound_claims, check, feature_claims, html, neuron_claims, run_course
from novikoff.course.answers import check_file
from novikoff.course.claims import CLAIMS
from novikoff.course.drawings import DRAWINGS, svg
from novikoff.course.exercise_texts import EXERCISES
from novikoff.course.exercises import JUDGES
from novikoff.course.places import LAB, PLACES, lab_address
from novikoff.course.run_claims import ClaimRow, in_language
from novikoff.course.texts import LANGUAGES, TEXTS
from novikoff.lab.link import read_link
from novikoff.lab.request import check_request
from novikoff.neuron import logistic, sign, train
from novikoff.proofs.threshold_functions import ThresholdFunction

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PACKAGE = Path(novikoff.__file__).parent
LONG = "NOVIKOFF_LONG" in os.environ
LESSONS = json.loads((PACKAGE / "lab" / "static" / "texts" / "lessons-en.json").read_text("utf-8"))
RUN = sorted(TEXTS if LONG else set(TEXTS) - {"C21"})
"""C21 weighs all 65536 functions of four inputs, which takes some twenty seconds; those of fewer are always weighed."""
WEIGHED = {
    "holds": True,
    "threshold": [14, 104, 1882],
    "all": [16, 256, 65536],
    "largest": [1, 2, 3],
    "trade": 2,
    "proved": 65808,
}
"""What C21 measures; NOVIKOFF_LONG measures it again."""


def chapter_module():
    spec = importlib.util.spec_from_file_location("chapter", DOCS / "chapter.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def rows():
    """The claims, run once."""
    return {row.claim: row for row in run_course(RUN)}


@pytest.mark.parametrize("claim", RUN)
def test_claims_hold(rows, claim):
    assert rows[claim].holds, rows[claim].found


def test_c06_depends_on_the_order(rows):
    figures = rows["C06"].figures
    assert figures["theirs"][0] == figures["shuffled"][0] == 5
    assert len({*figures["theirs"], *figures["shuffled"], figures["cyclic"]}) > 1
    assert (figures["part"], figures["whole"]) == ("separable", "quasi-separable")


def test_c10_terms_rise(rows):
    terms = [float(term) for term in re.findall(r"[\d.]+", rows["C10"].figures["chain"])]
    assert terms == sorted(terms)
    assert len(terms) == 7


def test_c12_counts_in_any_order(rows):
    figures = rows["C12"].figures
    assert figures["updates"] == [(4**m - 1) // 3 for m in range(2, 9)]
    assert figures["exact"] == figures["runs"] > 30
    assert sum(figures["counts"]) == (4**8 - 1) // 3


def test_c18_is_about_data_that_does_not_separate(rows):
    assert all(fewest > 0 for _, _, fewest in rows["C18"].figures["curves"])


def test_c19_the_cosine_falls_but_not_below_its_floor(rows):
    figures = rows["C19"].figures
    assert figures["falls"] > 0 == figures["below"]


def test_c21_counts_threshold_functions_and_says_how_far_it_is(monkeypatch):
    said = []
    monkeypatch.setattr(feature_claims, "THRESHOLD_FUNCTIONS", {2: 14, 3: 104})
    monkeypatch.setattr(feature_claims, "OFTEN", 128)
    measured = feature_claims.c21(said.append)
    expected = {"holds": True, "threshold": [14, 104], "all": [16, 256], "largest": [1, 2], "trade": 2, "proved": 272}
    assert measured == expected
    assert said == ["0/16", "0/256", "128/256"]


def test_c21_does_not_hold_of_other_counts_or_without_proofs(monkeypatch):
    monkeypatch.setattr(feature_claims, "THRESHOLD_FUNCTIONS", {2: 15})
    assert not feature_claims.c21()["holds"]
    monkeypatch.setattr(feature_claims, "THRESHOLD_FUNCTIONS", {2: 14})
    monkeypatch.setattr(ThresholdFunction, "holds", lambda _: False)
    assert not feature_claims.c21()["holds"]


@pytest.mark.skipif(not LONG, reason="takes some twenty seconds")
def test_c21_measures_what_the_chapter_says(rows):
    assert rows["C21"].figures == WEIGHED


def failing(trace, reference=None):
    """An audit with one relation that fails, and cosines that are too small."""
    checked = audit(trace, reference=reference)
    lines = checked.chains[0].lines
    worse = (*lines[:1], dataclasses.replace(lines[1], holds=False), *lines[2:])
    chains = (dataclasses.replace(checked.chains[0], lines=worse), *checked.chains[1:])
    return dataclasses.replace(checked, chains=chains, cosines=-checked.cosines)


class Mirrored(XorFeatures):
    """The map of XOR with a product that says nothing."""

    def transform(self, X):
        return super().transform(X) * [1, 1, 0]


def worse(proof):
    return SimpleNamespace(
        mistake_bound=proof.mistake_bound / 100,
        margin=proof.margin,
        radius=proof.radius,
        coef=-proof.coef,
        verdict=proof.verdict,
    )


def nothing_trained(X, y, activation):
    return dataclasses.replace(train(X, y, activation), neuron=lambda X: -np.ones(len(X)))


def flipped_dating():
    table = datasets.dating()
    table.target = np.where(table.target == "是", "否", "是")
    return table


def uphill(network, X, y):
    loss, gradients = original_back_propagate(network, X, y)
    return loss, [-gradient for gradient in gradients]


original_back_propagate = feature_claims.back_propagate
SHUFFLED = {"order": "shuffled", "random_state": 5}
BROKEN = {
    "C01": (neuron_claims, "logistic", lambda x: logistic(x) + 1e-3),
    "C02": (neuron_claims, "sign", lambda x: -sign(-x)),
    "C03": (neuron_claims, "Neuron", lambda w, b: lambda X: sign(X @ w + b + 1)),
    "C04": (neuron_claims, "Perceptron", lambda **given: Perceptron(**{**given, **SHUFFLED})),
    "C05": (bound_claims, "certify", lambda X, y: worse(certify(X, y))),
    "C06": (neuron_claims, "Perceptron", lambda **given: Perceptron(**{**given, "order": "cyclic"})),
    "C07": (neuron_claims, "train", nothing_trained),
    "C08": (neuron_claims, "check", lambda *_: False),
    "C09": (bound_claims, "certify", lambda X, y, **given: worse(certify(X, y, **given))),
    "C10": (bound_claims, "audit", failing),
    "C11": (bound_claims, "datasets", SimpleNamespace(orthonormal=datasets.exponential)),
    "C12": (bound_claims, "random_mistakes", lambda signed, seed: seed),
    "C13": (bound_claims, "audit", failing),
    "C14": (feature_claims, "XorFeatures", Mirrored),
    "C15": (feature_claims, "audit", failing),
    "C16": (feature_claims, "KernelPerceptron", lambda kernel, **given: KernelPerceptron("poly", **given)),
    "C17": (feature_claims, "explicit", lambda X: X),
    "C18": (
        feature_claims,
        "fewest_errors",
        lambda X, y, **_: dataclasses.replace(fewest_errors(X, y), lower_bound=-1),
    ),
    "C19": (bound_claims, "audit", failing),
    "C20": (feature_claims, "back_propagate", uphill),
    "C22": (neuron_claims, "datasets", SimpleNamespace(dating=flipped_dating)),
    "C23": (bound_claims, "certify", lambda X, y, **given: worse(certify(X, y, **given))),
    "C24": (feature_claims, "cover", lambda n, d: n),
    "C25": (feature_claims, "SVC", lambda **_: SVC(kernel="linear", C=1e-6)),
    "C26": (bound_claims, "SVC", lambda **_: SVC(kernel="linear", C=1e-3)),
}
"""For every claim something that breaks its subject."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("claim", sorted(BROKEN))
def test_a_broken_subject_changes_what_was_found(rows, monkeypatch, claim):
    monkeypatch.setattr(*BROKEN[claim])
    (broken,) = run_course([claim])
    assert not broken.holds
    assert broken.found != rows[claim].found
    assert in_language(broken, "zh").found != in_language(rows[claim], "zh").found


def test_every_claim_is_broken_once():
    assert {*BROKEN, "C21"} == set(TEXTS)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("claim", sorted(TEXTS))
def test_the_code_shown_is_whole_and_is_what_was_run(rows, claim):
    """It runs as it is, in a namespace of its own; the quick ones find the same."""
    from novikoff.course.listing import listing

    names = {}
    exec(listing(CLAIMS[claim]), names)
    if claim in rows and rows[claim].seconds < 0.3:
        again = ClaimRow(claim, TEXTS[claim]["en"], "", True, 0.0, names[claim.lower()]())
        assert in_language(again, "en").found == rows[claim].found


def test_no_result_is_fixed_text():
    """Every sentence on what was found has numbers to be filled in, and verdicts are never in it."""
    for claim, texts in TEXTS.items():
        assert len(re.findall(r"{\w+", texts["en"].found)) >= 2, claim
        assert not re.search(
            r"all right|every inequality|everywhere|所有不等式|全部正确", texts["en"].found + texts["zh"].found
        )


def test_it_is_said_which_claim_is_run(monkeypatch):
    said = []
    monkeypatch.setitem(CLAIMS, "C21", lambda say: say("half") or WEIGHED)
    list(run_course(["C21", "C01"], say=said.append))
    assert said == ["C21", "C21: half", "C01"]


def test_texts_are_whole():
    assert sorted(TEXTS) == sorted(CLAIMS) == [f"C{k:02}" for k in range(1, 27)]
    for texts in TEXTS.values():
        assert set(texts) == set(LANGUAGES)
        en, zh = (sorted(re.findall(r"{(\w+(?:\[\d\])?)", texts[lang].found)) for lang in ("en", "zh"))
        assert set(en) == set(zh)
        assert bool(texts["en"].beyond) == bool(texts["zh"].beyond)
        assert re.search("[一-鿿]", texts["zh"].title + texts["zh"].ran)


def test_m_is_not_capitalised():
    """M is the number of updates, m that of rows."""
    text = (DOCS / "course.md").read_text(encoding="utf-8")
    assert not re.search(r"\bM = 2\b|\bM from 2\b", text)


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
    some = [in_language(rows[claim], lang) for claim in ("C01", "C02", "C04", "C07")]
    page = html(some, lang)
    found = Reader(page)
    assert found.ids == ["C01", "C02", "C04", "C07"]
    assert len(found.images) == 5
    assert all(image["alt"] for image in found.images)
    assert all(link.startswith(("data:", "#", LAB)) for link in found.links)
    assert [link for link in found.links if link.startswith(LAB)] == [
        lab_address(lang, PLACES[row.claim].lab) for row in some
    ]
    assert some[0].text.title in page
    without = Reader(html(some, lang, figures=False))
    assert without.ids == found.ids
    assert without.images == []


def test_a_claim_that_fails_is_seen(monkeypatch, rows):
    measured = {**rows["C11"].figures, "holds": False, "sizes": 0}
    monkeypatch.setitem(CLAIMS, "C11", lambda: measured)
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
    assert "novikoff lab, #lang=zh&lesson=gates" in result.stdout
    assert result.exit_code == 0
    assert "激活函数" in result.output
    assert 'lang="zh-CN"' in (tmp_path / "out" / "course.html").read_text(encoding="utf-8")
    assert CliRunner().invoke(app, ["course", "--claim", "C99"]).exit_code == 2


def test_the_command_says_before_the_work_that_pictures_cannot_be_drawn(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(CLAIMS, "C01", lambda: pytest.fail("run in vain"))
    result = CliRunner().invoke(app, ["course", "--html", str(tmp_path)])
    assert result.exit_code == 2
    assert "matplotlib" in result.output


def test_unknown_claims_and_languages():
    with pytest.raises(ValueError, match="no claim C27"):
        run_course(["C27"])
    with pytest.raises(ValueError, match="'en' and 'zh'"):
        run_course(lang="fr")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_chapter_is_that_of_the_course(rows, lang):
    """To renew it: python docs/chapter.py."""
    from novikoff.course.listing import listing

    weighed = ClaimRow("C21", TEXTS["C21"]["en"], "", True, 0.0, WEIGHED, listing(CLAIMS["C21"]))
    module = chapter_module()
    assert (DOCS / module.NAMES[lang]).read_text(encoding="utf-8") == module.chapter({"C21": weighed, **rows}, lang)


def test_both_chapters_have_the_same_sections_figures_links_and_code():
    module = chapter_module()
    sources = [(DOCS / "chapter" / module.SOURCES[lang]).read_text(encoding="utf-8") for lang in LANGUAGES]
    directives = [[match.group(1, 2) for match in module.DIRECTIVE.finditer(source)] for source in sources]
    assert directives[0] == directives[1]
    headings = [[line.split()[0] for line in source.splitlines() if line.startswith("#")] for source in sources]
    assert headings[0] == headings[1]
    assert headings[0].count("##") == 12
    displays = [source.count("$$") for source in sources]
    assert displays[0] == displays[1]


def test_the_chapter_has_every_claim_exercise_and_figure():
    module = chapter_module()
    found = list(module.DIRECTIVE.finditer((DOCS / "chapter" / "source.md").read_text(encoding="utf-8")))
    named = {kind: [w for match in found if match[1] == kind for w in match[2].split()] for kind in ("found", "code")}
    assert sorted(named["found"]) == sorted(named["code"]) == sorted(TEXTS)
    assert sorted(int(match[2]) for match in found if match[1] == "exercise") == sorted(EXERCISES)
    figures = [match[2] for match in found if match[1] == "figure"]
    assert sorted(figures) == sorted(DRAWINGS)
    stored = {path.name for path in (DOCS / "course-figures").iterdir()}
    assert stored == {f"{name}-{lang}.svg" for name in figures for lang in LANGUAGES}


def known_to_the_lab(address):
    """Whether an address names a lesson, or an experiment or truth table that the lab can show."""
    parts = dict(part.split("=") for part in address.split("&"))
    if set(parts) == {"lesson"}:
        return parts["lesson"] in LESSONS
    known = {"preset", "learner", "seed", "step", "function"}
    if not all(name in known or name.startswith("p.") for name in parts):
        return False
    check_request(read_link(address).body)
    return re.fullmatch("(?:[01]{4}){1,2}", parts.get("function", "0000")) is not None


def test_every_section_of_the_chapter_has_lab_links_that_the_lab_knows():
    """And every lesson of the lab is linked to."""
    source, linked = (DOCS / "chapter" / "source.md").read_text(encoding="utf-8"), set()
    for section in source.split("\n## ")[1:]:
        addresses = re.findall(r"<!-- lab: (\S+) ", section)
        assert addresses
        assert all(map(known_to_the_lab, addresses))
        linked.update(addresses)
    assert {f"lesson={name}" for name in LESSONS} <= linked
    assert not known_to_the_lab("lesson=nothing")
    for lang, name in (("en", "course.md"), ("zh", "course.zh.md")):
        page = (DOCS / name).read_text(encoding="utf-8")
        assert set(re.findall(r"127\.0\.0\.1:8010/#([^)\s]+)\)", page)) == {f"lang={lang}&{one}" for one in linked}


def test_every_claim_has_its_section_and_what_the_lab_shows_of_it():
    sections = (DOCS / "chapter" / "source.md").read_text(encoding="utf-8").split("\n## ")
    for claim in TEXTS:
        place = PLACES[claim]
        assert f"<!-- found: {claim} -->" in sections[place.section]
        assert not place.lab or known_to_the_lab(place.lab)
    assert set(PLACES) == set(TEXTS)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_figures_are_drawn_from_what_was_measured(rows, lang):
    """Those that the page test does not draw; a character that a font lacks would be a warning."""
    for name in ("map", "timeline", "C05", "C09", "C15", "C18", "C19-growth", "C21", "C22", "C23", "C24", "C25-planes"):
        claim = name.partition("-")[0]
        measured = WEIGHED if claim == "C21" else rows[claim].figures if claim in rows else {}
        assert svg(DRAWINGS[name], measured, lang).startswith(b"<?xml")


def test_our_font_has_every_character_of_the_course():
    """To renew it: python tools/chinese_font.py."""
    path = PACKAGE / "fonts" / "NovikoffSansSC.ttf"
    known = set(map(chr, TTFont(path).getBestCmap()))
    folders = (PACKAGE / name for name in ("course", "plot"))
    texts = "".join(file.read_text(encoding="utf-8") for folder in folders for file in folder.glob("*.py"))
    texts += (PACKAGE / "data" / "dating.csv").read_text(encoding="utf-8")
    assert {c for c in texts if "一" <= c <= "鿿"} <= known
    assert (path.parent / "OFL.txt").read_text(encoding="utf-8").startswith("Copyright 2014-2021 Adobe")


@pytest.mark.parametrize("number", sorted(EXERCISES))
def test_solutions_are_right_and_other_answers_are_not(number):
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(EXERCISES[number].solution, names)
    judgement = check(number, names["answer"])
    assert judgement, judgement
    assert check(number, names["answer"], "zh").sentence.startswith("正确")
    for nonsense in (None, [], "x", 7, (1, 2, 3, 4, 5), lambda *_: 0):
        assert not check(number, nonsense)
        assert re.search("[一-鿿]", check(number, nonsense, "zh").sentence)


NEARLY = {
    1: (-1, -1, 2.5),
    2: [(1, 1, -0.5), (-1, -1, 1.5), (1, 1, -0.5)],
    3: (1, -2, 0),
    4: lambda X, y: [0],
    5: (0, 1, 2, 2),
    6: [1, 1, 1, 1, 1],
    7: lambda X, y, w: (np.linalg.norm(X, axis=1).max() / (y * (X @ w)).max()) ** 2,  # the maximum of the notes
    8: ([[0, 0], [1, 1]], [1, -1]),
    9: (np.eye(5), [1, -1, 1, -1, 1]),
    10: [16, 16, 16, 16, 16],
    11: (3, [[1, 0], [0, 1]], [1, -1]),
    12: (1, 0, 0),
    13: lambda X: X,
    14: (8**0.5, 3**0.5, 1.0),
    15: ([[0, 0], [1, 1]], [0, 1]),
    16: lambda x, z: x[0] * z[0] + x[1] * z[1],
    17: [1, 1, 1, 1],
    18: ([(1, 1, 0, 0)], [(1, 0, 1, 0)]),
}


@pytest.mark.parametrize("number", sorted(EXERCISES))
def test_answers_that_are_nearly_right_are_told_why_they_are_not(number):
    judgement = check(number, NEARLY[number])
    assert not judgement
    assert judgement.sentence.startswith("Not yet: ")
    assert judgement.sentence.endswith(".")


def test_exercises_are_whole():
    assert sorted(EXERCISES) == sorted(JUDGES) == list(range(1, 19))
    for one in EXERCISES.values():
        assert len(one.hints["en"]) == len(one.hints["zh"]) >= 2
        assert 1 <= one.section <= 12
    with pytest.raises(ValueError, match="no exercise 99: they are 1 to 18"):
        check(99, 0)
    with pytest.raises(ValueError, match="not in 'fr'"):
        check(1, 0, "fr")


def test_answers_in_files(tmp_path):
    """Each run in a process of its own: what it prints, breaks or takes for ever is told in a sentence."""
    path = tmp_path / "answer.py"
    path.write_text("print('thinking')\nanswer = (-1, -1, 1.5)\n")
    assert check_file(1, path)
    path.write_text("answer = 1 / 0\n")
    assert check_file(1, path).sentence == f"{path}, line 1: ZeroDivisionError: division by zero"
    path.write_text("while True:\n    pass\n")
    assert "stopped after 1 s" in check_file(1, path, limit=1).sentence
    assert "超过 0.2 秒" in check_file(1, path, "zh", limit=0.2).sentence
    path.write_text("import os\nos._exit(0)\n")
    assert "ended before it could be judged" in check_file(1, path).sentence
    path.write_text("result = 3\n")
    assert "defines no answer" in check_file(1, path).sentence


def test_the_exercise_command(tmp_path):
    def invoke(*arguments):
        return CliRunner().invoke(app, ["exercise", *arguments])

    assert "8 Data that needs 100 updates" in invoke("list").output
    assert json.loads(invoke("list", "--json", "--lang", "zh").output)["1"] == "与非门的权重"
    shown = invoke("show", "1", "--hints", "1").output
    assert "NAND" in shown
    assert "Hint 1" in shown
    assert "Hint 2" not in shown
    assert "answer = (-1, -1, 1.5)" in invoke("show", "1", "--solution").output
    path = tmp_path / "answer.py"
    path.write_text("answer = (1, 1, 1)\n")
    result = invoke("check", "1", str(path))
    assert (result.exit_code, result.output) == (1, "Not yet: at (1, 1) the neuron gives 1, and NAND is -1.\n")
    for wrong, said in ((["check", "1"], "name the file"), (["show", "99"], "no exercise 99"), (["show"], "name one")):
        result = invoke(*wrong)
        assert result.exit_code == 2
        assert said in result.output
    assert invoke("check", "1", str(tmp_path / "none.py")).exit_code == 2
