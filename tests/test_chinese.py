"""``--lang zh``: all that the command prints is Chinese, but for names, cells, code and numbers."""

import ast
import re
import sys
from pathlib import Path
from string import Formatter

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import novikoff
from novikoff.cli import app
from novikoff.cli.app import run
from novikoff.errors import places as width
from novikoff.language.help_texts import HELP
from novikoff.language.input_sentences import INPUTS
from novikoff.language.parts import PARTS
from novikoff.language.proof_sentences import PROOFS
from novikoff.language.run_sentences import RUNS
from novikoff.language.translate import speak, translated, translated_part
from novikoff.training.outcomes import CEASED_TO_HELP, SMALL_MARGIN
from novikoff.workflow.wording import TEXTS

SOURCE = Path(novikoff.__file__).parent
ENGLISH = re.compile(r"\b[A-Za-z]{2,}(?: [a-z]{2,}){2,}\b")
"""Three words in a row."""
CODE = re.compile(r"novikoff (?:[a-z]+ .*|--help)|pip install .*|make verified")
"""What is typed in a shell."""
SENTENCES = {
    "InputError",
    "MissingValuesError",
    "WriteError",
    "ModelFileError",
    "quantity_error",
    "UndecidedError",
    "tell",
    "say",
    "wrong",
}
"""Calls whose first argument is a sentence that a user may read."""
CHECKS = {"require", "well_formed"}
"""Calls whose second one is."""
ROOMS = {"cli", "workflow", "data", "scale", "regression", "proofs", "certificates", "exact", "training", "registry.py"}
ELSEWHERE = {"datasets.py", "threshold_functions.py"}
"""What the command does not come to."""


@pytest.fixture
def chinese():
    speak("zh")


@pytest.fixture(autouse=True)
def english_again():
    yield
    speak("en")


def places(text):
    return {name for _, name, *_ in Formatter().parse(text) if name}


def english_left(text):
    return ENGLISH.findall(CODE.sub("", text))


@pytest.mark.parametrize("catalogue", [HELP, INPUTS, PROOFS, RUNS, PARTS, dict(TEXTS.values())])
def test_both_languages_have_the_same_places(catalogue):
    assert catalogue
    for english, chinese in catalogue.items():
        assert places(english) == places(chinese), english
        assert not english_left(chinese), chinese


def written_sentences():
    """Every sentence that is written in the source, with a number in each place for something."""
    for path in sorted(SOURCE.rglob("*.py")):
        if path.relative_to(SOURCE).parts[0] not in ROOMS or path.name in ELSEWHERE:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                arguments = node.args[:1] if name in SENTENCES else node.args[1:2] if name in CHECKS else []
                for argument in arguments:
                    parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
                    if any(isinstance(part, ast.Constant) for part in parts):
                        texts = [part.value if isinstance(part, ast.Constant) else "7" for part in parts]
                        yield "".join(map(str, texts)), f"{path.name}:{node.lineno}"


def test_every_sentence_of_the_source_is_in_the_catalogue(chinese):
    sentences = list(written_sentences())
    assert len(sentences) > 300
    missing = [(where, text) for text, where in sentences if english_left(translated_part(text))]
    assert not missing


def test_reasons_of_runs_are_in_the_catalogue(chinese):
    for reason in (SMALL_MARGIN, CEASED_TO_HELP):
        assert not english_left(translated_part(f"unknown: {reason}"))


def test_what_is_in_no_catalogue_stays_as_it_is(chinese):
    assert translated("something else that 3 rows against the rest say.") == (
        "something else that 3 rows against the rest say."
    )


def test_names_and_cells_stay_as_they_are(chinese):
    told = translated(
        "Column 'text' has amounts in $, none: give all in one currency, or take the column as --categorical text."
    )
    assert told == "列 'text' 的金额有几种货币（$, none）：请换算成一种，或用 --categorical text 把这一列当作类别。"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Data of several kinds, a model and proofs."""
    place = tmp_path_factory.mktemp("chinese")
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 2))
    y = np.where(X[:, 0] + X[:, 1] > 0, "yes", "no")
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "rate": [f"{v:.1f}%" for v in X[:, 0]], "one": 1.0, "y": y})
    frame.to_csv(place / "good.csv", index=False)
    frame[["a", "b", "y"]].to_csv(place / "plain.csv", index=False)
    noisy = frame[["a", "b"]].assign(y=random.permutation(y))
    noisy.to_csv(place / "noisy.csv", index=False)
    frame[["a", "b"]].assign(y=np.arange(60) % 3).to_csv(place / "three.csv", index=False)
    frame[["a", "b"]].assign(y=(X[:, 0] > 0).astype(int)).to_csv(place / "zero.csv", index=False)
    frame.assign(a=frame.a.where(frame.index > 3)).to_csv(place / "holes.csv", index=False)
    frame.assign(y=X[:, 0]).to_csv(place / "quantity.csv", index=False)
    (place / "ragged.csv").write_text("a,y\n1,u\n2\n3,v\n")
    (place / "one.csv").write_text("a,y\n1,u\n2,u\n3,u\n")
    (place / "empty.csv").write_text("")
    (place / "german.csv").write_bytes("größe,y\n1,Köln\n2,Bonn\n3,Köln\n4,Bonn\n".encode("cp1252"))
    (place / "greek.csv").write_bytes("όνομα,πόλη\nΓιώργος,Αθήνα\n".encode("cp1253"))
    (place / "binary.csv").write_bytes(bytes(range(256)) * 4)
    (place / "a.libsvm").write_text("1 1:2 2:3\n0 1:1\n1 2:5\n0 1:3\n" * 5)
    (place / "zero.libsvm").write_text("1 0:2 2:3\n0 0:1\n")
    (place / "bad.json").write_text("{'verdict': 1}")
    (place / "cut.json").write_text('{"verdict": [1, 2')
    (place / "latin.json").write_bytes(b'{"verdict": "\xfc"}')
    (place / "book.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100))
    for line in ("fit plain.csv -t y --model pa --no-yardsticks -o m.nvk", "certify plain.csv -t y -o p.json"):
        assert CliRunner().invoke(app, placed(place, line)).exit_code == 0, line
    for line in (
        "certify three.csv -t y -o three.json",
        "certify noisy.csv -t y --fewest-errors --time-limit 1 -o f.json",
    ):
        assert CliRunner().invoke(app, placed(place, line)).exit_code in (0, 5), line
    CliRunner().invoke(app, placed(place, "separation zero.csv -t y -o s.json"))
    return place


def placed(folder, line):
    """A command line whose files are in the folder."""
    return [str(folder / word) if re.fullmatch(r"[\w-]+\.\w+", word) else word for word in line.split(" ")]


GOOD = [
    "fit good.csv -t y --model perceptron --report r.html",
    "fit noisy.csv -t y --model pa --cv 3 --no-yardsticks",
    "fit german.csv -t y --model pa --no-yardsticks",
    "fit plain.csv -t y --model averaged --stream --no-yardsticks",
    "fit three.csv -t y --model kernel --no-yardsticks --separation-time 0",
    "fit plain.csv -t y --model margin --set max_iter=2 --no-yardsticks",
    "predict m.nvk plain.csv -o out.csv",
    "certify plain.csv -t y -o q.json",
    "certify noisy.csv -t y",
    "certify three.csv -t y",
    "certify good.csv -t y --missing drop",
    "certify noisy.csv -t y --fewest-errors --time-limit 1",
    "check p.json plain.csv",
    "check p.json plain.csv -t y --no-intercept",
    "check p.json noisy.csv -t y",
    "check three.json three.csv",
    "check three.json three.csv -t y --positive 0",
    "check f.json noisy.csv -t y",
    "check s.json zero.csv -t y",
    "check plain.csv plain.csv -t y",
    "separation zero.csv -t y --report s.html",
    "separation noisy.csv -t y",
    "separation holes.csv --formula y~a --missing drop",
    "inspect p.json",
    "inspect three.json",
    "inspect f.json",
    "inspect s.json",
    "check bad.json plain.csv -t y",
    "check cut.json plain.csv -t y",
    "check latin.json plain.csv -t y",
    "inspect m.nvk",
    "course --claim C01",
    "exercise list",
    "exercise show 1",
]
BAD = [
    "fit none.csv -t y",
    "fit empty.csv -t y",
    "fit ragged.csv -t y",
    "fit greek.csv -t y",
    "fit binary.csv -t y",
    "fit book.xls -t y",
    "fit holes.csv -t y",
    "fit quantity.csv -t y",
    "fit one.csv -t y",
    "fit plain.csv",
    "fit plain.csv -t yy",
    "fit plain.csv -t zz",
    "fit plain.csv -t y --model pq",
    "fit plain.csv -t y --model pa --set C=-1",
    "fit plain.csv -t y --model pa --set D=1",
    "fit plain.csv -t y --set C",
    "fit plain.csv -t y --cv 1",
    "fit plain.csv -t y --cv 2 --test-size 0.5",
    "fit plain.csv -t y --test-size 2",
    "fit plain.csv -t y --drop a --numeric a",
    "fit plain.csv -t y --cache there",
    "fit plain.csv -t y --encoding klingon",
    "fit plain.csv -t y --delimiter ab",
    "fit plain.csv -t y --missing maybe",
    "fit plain.csv -t y --separation-time -1",
    "fit plain.csv -t y --cv many",
    "fit plain.csv -t y --tarket y",
    "fit",
    "fitt plain.csv",
    "fit plain.csv -t y -o plain.csv",
    "fit plain.csv -t y -o /nowhere/at.all",
    "fit zero.libsvm",
    "fit a.libsvm -t y",
    "predict m.nvk three.csv -o three.csv",
    "predict m.nvk zero.libsvm",
    "predict plain.csv plain.csv",
    "predict m.nvk german.csv",
    "certify holes.csv -t y",
    "certify quantity.csv -t y",
    "certify three.csv -t y --fewest-errors",
    "check p.json three.csv -t y",
    "check none.json plain.csv -t y",
    "separation three.csv -t y",
    "separation holes.csv -t y",
    "export m.nvk m.txt",
    "inspect plain.csv",
    "exercise show 999",
    "course --claim C99",
    "exercise check 1 none.py",
    "exercise check 1",
    "bench none.csv -t y",
    "lab --export a.txt",
]


def run_in_chinese(folder, line, monkeypatch, capfd):
    """The exit code, and all that the command printed, without the folder that the files are in."""
    monkeypatch.setattr(sys, "argv", ["novikoff", *placed(folder, line), "--lang", "zh"])
    code = run()
    printed = capfd.readouterr()
    return code, (printed.out + printed.err).replace(str(folder), "")


@pytest.mark.parametrize("command", ["", *(each.callback.__name__ for each in app.registered_commands)])
def test_help_is_chinese(command, monkeypatch, capfd):
    code, told = run_in_chinese("", f"{command} --help".strip(), monkeypatch, capfd)
    assert code == 0
    assert re.search("[\u4e00-\u9fff]{2}", told)
    assert not english_left(told), told


@pytest.mark.parametrize("command", ["", "fit", "exercise"])
def test_help_has_no_words_of_the_library_and_breaks_its_lines(command, monkeypatch, capfd):
    monkeypatch.setenv("COLUMNS", "80")
    _, told = run_in_chinese("", f"{command} --help".strip(), monkeypatch, capfd)
    assert told.startswith("用法：")
    assert "\n选项：\n" in told
    assert not re.search(r"Usage|Options|Arguments|Commands|OPTIONS|required|default|<str>.*<str>", told)
    assert max(map(width, told.splitlines())) <= 80
    assert not re.search(r"^\s*[，。；：、）]", told, re.MULTILINE)


def test_fields_are_named_and_names_stay(folder, monkeypatch, capfd):
    _, told = run_in_chinese(folder, "inspect m.nvk", monkeypatch, capfd)
    assert "\n  预处理：\n    各列的种类：\n      a：数值\n" in told
    assert "\n    C：" in told  # a parameter
    assert "用 5 折交叉验证" in told
    _, told = run_in_chinese(folder, "inspect p.json", monkeypatch, capfd)
    assert not re.search(r"^ *[a-z_]+：", told, re.MULTILINE)
    assert "结论：线性可分\n" in told


def test_words_of_the_parser_are_chinese(folder, monkeypatch, capfd):
    for name, why in (("bad", "缺少双引号中的字段名"), ("cut", "缺少 ','"), ("latin", "不是 UTF-8")):
        _, told = run_in_chinese(folder, f"check {name}.json plain.csv -t y", monkeypatch, capfd)
        assert why in told
        assert not re.search("[A-Za-z]{3,} [a-z]{3,}", told.replace("not JSON", "")), told


def test_the_language_may_be_said_before_the_command(folder):
    before = CliRunner().invoke(app, ["--lang", "zh", *placed(folder, "inspect m.nvk")])
    after = CliRunner().invoke(app, [*placed(folder, "inspect m.nvk"), "--lang=zh"])
    assert before.stdout == after.stdout != ""


@pytest.mark.parametrize("line", GOOD)
def test_results_are_chinese(folder, line, monkeypatch, capfd):
    code, told = run_in_chinese(folder, line, monkeypatch, capfd)
    assert code in (0, 1, 3, 5), told
    assert told.strip() or " -o " in line
    assert not english_left(told), told
    for page in (path for path in placed(folder, line) if path.endswith(".html")):
        html = Path(page).read_text(encoding="utf-8")
        assert not english_left(re.sub(r"<style>.*?</style>|<[^>]*>", "\n", html, flags=re.DOTALL))


@pytest.mark.parametrize("line", ["certify - -t y", "fit - -t y --model pa --no-yardsticks"])
def test_standard_input_is_called_so_in_chinese(folder, line):
    told = CliRunner().invoke(app, [*line.split(), "--lang", "zh"], input=(folder / "plain.csv").read_bytes())
    assert re.match(r"\n标准输入：.*60 行", told.stdout)
    assert "standard input" not in told.output


@pytest.mark.parametrize("line", BAD)
def test_errors_are_chinese(folder, line, monkeypatch, capfd):
    code, told = run_in_chinese(folder, line, monkeypatch, capfd)
    assert code in (1, 2, 3), told
    assert re.search("[\u4e00-\u9fff]{2}", told), told
    assert not english_left(told), told
