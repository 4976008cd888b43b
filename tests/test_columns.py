"""How columns are read: every notation that docs/command.md lists, in memory, streamed, predicted and proved of."""

import bz2
import gzip
import io
import json
import re
import warnings
import zipfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from novikoff import load
from novikoff.cli import app
from novikoff.data.column_kinds import MixedError, kind_of
from novikoff.data.column_notes import column_notes
from novikoff.data.encodings import encoding_of
from novikoff.data.exact_table import exact_table
from novikoff.data.notations import FORMS, Notation, notation_of, plain
from novikoff.data.open_files import Reading
from novikoff.errors import InputError, ReadingNote
from novikoff.workflow.recipe import is_recipe

TABLE = (Path(__file__).parents[1] / "docs" / "command.md").read_text(encoding="utf-8")
NOTATIONS = {
    "percentages": [
        (lambda k: f"{k / 4}%", lambda k: k / 4),
        (lambda k: f"{k / 4:.2f} ％".replace(".", ","), lambda k: k / 4),
    ],
    "amounts of money": [
        (lambda k: f"${1000 * k + 0.5:,.2f}".replace("$-", "-$"), lambda k: 1000 * k + 0.5),
        (lambda k: f"{k + 0.25:.2f} €".replace(".", ","), lambda k: k + 0.25),
        (lambda k: f"(USD {k + 1})", lambda k: -k - 1),
    ],
    "quantities": [
        (lambda k: f"{k + 0.5} kg", lambda k: k + 0.5),
        (lambda k: f"{k},25m²", lambda k: k + 0.25),
        (lambda k: f"{k - 9} 岁", lambda k: k - 9),
    ],
    "thousands separators": [(lambda k: f"{k * 12345 + 1000000:,}", lambda k: k * 12345 + 1000000)],
    "decimal commas": [(lambda k: f"{k},5", lambda k: k + 0.5)],
    "dates": [
        (lambda k: f"2024-03-{k + 1:02d}", lambda k: 19783 + k),
        (lambda k: f"2024年3月{k + 1}日", lambda k: 19783 + k),
    ],
    "dates with times": [
        (lambda k: f"1970-01-02 03:04:{k:02d}.5", lambda k: 86400 + 3 * 3600 + 4 * 60 + k + 0.5),
        (lambda k: f"1970-01-02T03:04:{k:02d}+01:00", lambda k: 86400 + 2 * 3600 + 4 * 60 + k),
    ],
    "times of day": [(lambda k: f"{k % 24:02d}:30", lambda k: k % 24 * 3600 + 1800)],
    "truth values": [(lambda k: "yes" if k % 3 else "No", lambda k: int(k % 3 > 0))],
}
"""A cell and the number that it is, for k = 0 … 29; by the words of the table in the documentation."""
CASES = [(name, *case) for name, cases in NOTATIONS.items() for case in cases]


def invoke(*arguments):
    """The command in this process; yardsticks say nothing of columns."""
    arguments = [str(argument) for argument in arguments]
    return CliRunner().invoke(app, [*arguments, "--no-yardsticks"] if arguments[0] == "fit" else arguments)


def done(*arguments):
    result = invoke(*arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def failed(*arguments):
    result = invoke(*arguments)
    assert result.exit_code == 2, result.output
    told = [line for line in result.stderr.splitlines() if line.startswith("novikoff: ")]  # others are of progress
    assert len(told) == 1, result.stderr
    return result.stderr


def table_with(cells):
    """A table with these cells, another column and classes that go by the row."""
    k = np.arange(len(cells))
    return pd.DataFrame({"odd": cells, "x": k % 7 + 0.5, "y": np.where(k % 7 > 3, "a", "b")})


def test_the_documentation_lists_every_notation():
    listed = {line.split("|")[1].strip() for line in TABLE.splitlines() if line.startswith("| ")}
    assert set(NOTATIONS) <= listed
    names = {name for _, name, _ in FORMS.values()}
    assert names - {"numbers"} <= listed


@pytest.mark.parametrize(("name", "cell", "number"), CASES)
def test_a_notation_is_read_alike_in_memory_streamed_and_predicted(tmp_path, name, cell, number):
    odd, plainly = table_with([cell(k) for k in range(30)]), table_with([number(k) for k in range(30)])
    for frame, kind in ((odd, "odd"), (plainly, "plain")):
        frame.to_csv(tmp_path / f"{kind}.csv", sep="\t", index=False)
    tell = ("--model", "perceptron", "--json", "--test-size", 0.5)
    models = {}
    for kind in ("odd", "plain"):
        for way in ((), ("--stream",)):
            path = tmp_path / f"{kind}{len(way)}.nvk"
            told = json.loads(done("fit", tmp_path / f"{kind}.csv", "-t", "y", *tell, *way, "-o", path))
            models[kind, len(way)] = load(path)[-1]
            read_as = [note for note in told["data"]["notes"] if "is read as" in note]
            assert len(read_as) == (kind == "odd"), told["data"]["notes"]
            assert kind == "plain" or name.split()[0] in read_as[0]
    for way in (0, 1):
        assert np.array_equal(models["odd", way].coef_, models["plain", way].coef_)
    predicted = [
        done("predict", tmp_path / f"{kind}0.nvk", tmp_path / f"{kind}.csv", "--scores") for kind in ("odd", "plain")
    ]
    assert predicted[0] == predicted[1]
    odd.loc[4, "odd"] = "5 apples"
    odd.to_csv(tmp_path / "bad.csv", sep="\t", index=False)
    assert "row 5 has '5 apples'" in failed("predict", tmp_path / "odd0.nvk", tmp_path / "bad.csv")


@pytest.mark.parametrize(("name", "cell", "number"), CASES)
def test_proofs_speak_of_the_exact_numbers_of_a_notation(tmp_path, name, cell, number):
    data, proof = tmp_path / "odd.csv", tmp_path / "proof.json"
    table_with([cell(k) for k in range(30)]).to_csv(data, sep="\t", index=False)
    result = invoke("certify", data, "-t", "y", "-o", proof)
    assert result.exit_code == 0, result.stderr
    if name == "truth values":
        assert "odd: 2 categories" in result.stdout
    else:
        assert result.stderr.startswith("novikoff: note: Column 'odd' is read as ")
        rows = exact_table(data, Reading(), "y").rows
        assert [Fraction(row[0]) for row in rows] == [Fraction(number(k)) for k in range(30)]
    assert "accepted" in done("check", proof, data, "-t", "y")
    assert "no plain numbers" in failed("certify", data, "-t", "y", "--stream")


def test_what_is_told_of_columns_is_in_the_report_and_for_people_too(tmp_path):
    data, report = tmp_path / "odd.csv", tmp_path / "report.html"
    table_with([f"{k}%" for k in range(30)]).to_csv(data, index=False)
    words = "Column 'odd' is read as percentages, in percent: '0%' is 0."
    out = done("fit", data, "-t", "y", "--model", "perceptron", "--report", report)
    assert words in out
    assert "&#x27;odd&#x27; is read as percentages" in report.read_text(encoding="utf-8")


def test_a_comma_that_may_be_either_is_asked_for(tmp_path):
    data = tmp_path / "a.csv"
    table_with([f"{k + 1},{k + 100}" for k in range(30)]).to_csv(data, sep=";", index=False)
    assert "say --decimal , or --decimal ." in failed("fit", data, "-t", "y")
    assert "say --decimal , or --decimal ." in failed("certify", data, "-t", "y")
    for sign, first in ((",", "1.100"), (".", "1100")):
        out = done("fit", data, "-t", "y", "--decimal", sign, "--model", "perceptron")
        assert f"'1,100' is {first}." in out
        done("certify", data, "-t", "y", "--decimal", sign, "-o", tmp_path / "p.json")
        done("check", tmp_path / "p.json", data, "-t", "y", "--decimal", sign)
    data.write_text("a;y\n" + "".join(f"{k + 1}.000;{'u' if k < 9 else 'v'}\n" for k in range(20)))
    told = json.loads(done("fit", data, "-t", "y", "--decimal", ",", "--json", "--model", "perceptron"))
    assert "'1.000' is 1000" in told["data"]["notes"][0]


def test_a_few_cells_that_are_not_in_the_notation_are_refused(tmp_path):
    data = tmp_path / "a.csv"
    table_with([*(f"{k}%" for k in range(29)), "?"]).to_csv(data, index=False)
    assert "'?' in row 30" in failed("fit", data, "-t", "y")
    assert "'?' in row 30" in failed("certify", data, "-t", "y")
    done("fit", data, "-t", "y", "--na", "?", "--missing", "drop", "--model", "perceptron")
    with pytest.raises(MixedError):
        kind_of({f"2024-01-{k:02d}" for k in range(1, 30)} | {"never"}, 30)
    assert kind_of({"$5", "€5"}, 2).kind == "category"


def test_dates_of_typed_files_are_read_as_those_of_texts(tmp_path):
    k = np.arange(30)
    when = pd.Timestamp("2024-01-01 06:00") + pd.to_timedelta(k, "D")
    frame = pd.DataFrame({"when": when, "day": when.date, "x": k % 5, "y": np.where(k % 5 > 2, "a", "b")})
    frame.to_parquet(tmp_path / "a.parquet", index=False)
    frame.to_csv(tmp_path / "a.csv", index=False)
    notes = []
    for kind in ("parquet", "csv"):
        told = json.loads(
            done("fit", tmp_path / f"a.{kind}", "-t", "y", "--model", "perceptron", "--json", "-o", tmp_path / kind)
        )
        notes.append(told["data"]["notes"])
    assert notes[0] == notes[1]
    assert len(notes[0]) >= 2
    assert done("predict", tmp_path / "parquet", tmp_path / "a.csv") == done(
        "predict", tmp_path / "csv", tmp_path / "a.parquet"
    )
    done("certify", tmp_path / "a.parquet", "-t", "y", "-o", tmp_path / "proof.json")
    assert "accepted" in done("check", tmp_path / "proof.json", tmp_path / "a.parquet", "-t", "y")
    pa.parquet.write_table(
        pa.table({"t": pa.array([90, 0, 30], pa.time32("s")), "y": list("uvu")}), tmp_path / "t.parquet"
    )
    told = json.loads(done("fit", tmp_path / "t.parquet", "-t", "y", "--model", "perceptron", "--json"))
    assert "'00:01:30' is 90." in told["data"]["notes"][0]


@pytest.mark.parametrize(
    ("name", "numbers", "left_out"),
    [
        ("Unnamed: 0", range(30), True),
        ("", range(30), True),
        ("patient_id", [7 * k % 31 + 1000 for k in range(30)], True),
        ("passengerId", [3 * k for k in range(30)], True),
        ("编号", [5 * k % 31 for k in range(30)], True),
        ("step", range(1, 31), True),
        ("age", [7 * k % 31 + 20 for k in range(30)], False),
        ("patient_id", [k % 4 for k in range(30)], False),
        ("index", [k / 3 for k in range(30)], False),
        ("humid", [7 * k % 31 for k in range(30)], False),
    ],
)
def test_columns_that_number_the_rows_are_left_out_and_named(tmp_path, name, numbers, left_out):
    data = tmp_path / "a.csv"
    frame = table_with([0] * 30)[["x", "y"]]
    frame.insert(0, name, list(numbers))
    frame.to_csv(data, index=False)
    called = name or "column 1"
    for way in ((), ("--stream",)):
        told = json.loads(done("fit", data, "-t", "y", "--model", "perceptron", "--json", *way))["data"]
        assert (told["columns"][called] == "identifier") == left_out
        assert any(f"{called!r} is left out" in note for note in told["notes"]) == left_out
    told = json.loads(done("fit", data, "-t", "y", "--model", "perceptron", "--json", "--numeric", called))
    assert told["data"]["columns"][called] == "number"
    for way in ((), ("--stream",)):
        result = invoke("certify", data, "-t", "y", *way, "-o", tmp_path / "proof.json")
        assert (f"{called!r} seems to number the rows, and is proved of" in result.stderr) == left_out
        assert "accepted" in done("check", tmp_path / "proof.json", data, "-t", "y", *way)


def test_row_numbers_alone_are_learnt_from_and_pointed_out(tmp_path):
    data = tmp_path / "a.csv"
    data.write_text("k,y\n" + "".join(f"{k},{'u' if k < 15 else 'v'}\n" for k in range(30)))
    told = json.loads(done("fit", data, "-t", "y", "--model", "perceptron", "--json"))
    assert told["data"]["columns"] == {"k": "number"}
    assert "nothing else to learn from" in told["data"]["notes"][0]


def test_constant_columns_and_such_as_alone_decide_the_class_are_pointed_out():
    k = np.arange(60)
    y = np.where(k % 7 > 3, "u", "v")
    X = pd.DataFrame({"same": 3.0, "leak": np.where(y == "u", "died", "lived"), "threshold": k % 7, "noise": k % 5})
    notes = column_notes(X.astype({"leak": object}), y, list(X))
    assert notes[0] == "Column 'same' has the one value '3', which tells nothing."
    assert notes[1].startswith("'leak', 'threshold' alone decide the class: ")
    assert "--drop leak --drop threshold" in notes[1]
    assert len(notes) == 2
    assert column_notes(X.iloc[:10], y[:10], list(X))[1:] == []
    assert column_notes(np.random.default_rng(0).normal(size=(60, 2)), y, ["a", "b"]) == []


def test_numbers_whose_squares_are_none_are_refused(tmp_path):
    data = tmp_path / "a.csv"
    table_with(["1e300", *range(29)]).to_csv(data, index=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "'odd' has 1e+300 in row 1" in failed("fit", data, "-t", "y")
    assert "separable" in done("certify", data, "-t", "y")


@pytest.mark.parametrize(
    ("text", "encoding", "found"),
    [
        ("größe,Stadt\n1,Köln\n", "cp1252", "cp1252"),
        ("prénom,âge\nJosé,12\n", "latin-1", "cp1252"),
        ("temp °C,y\n20,1\n", "cp1252", "cp1252"),
        ("price €,y\n", "cp1252", "cp1252"),
        ("Straße,y\n", "cp1252", "cp1252"),
        ("时间,约会\n周六,是\n", "gb18030", "gb18030"),
        ("x,性别\n1,男\n2,女\n", "gb18030", "gb18030"),
        ("城市,A股\n北京,1\n", "gb18030", "gb18030"),
        ("省,y\n河北,1\n湖南,2\n贵州,3\n", "gb18030", "gb18030"),
        ("姓名,y\n王芳,1\n李伟,2\n刘洋,3\n", "gb18030", "gb18030"),
        ("品名,价格\n" + 9 * "某品牌的化妆品,1\n" + "优の良品,2\n", "gb18030", "gb18030"),  # kana here and there
        ("возраст,город\n34,Москва\n", "koi8-r", "koi8-r"),
        ("слог,дерево\nокно,Москва\n", "koi8-r", "koi8-r"),  # in GB18030 all of it is Han, and common ones
        ("возраст,город\n34,Москва\n", "cp1251", "cp1251"),
        ("größe,时间\n", "utf-8", "utf-8"),
        ("größe\n", "utf-16", "utf-16"),
    ],
)
def test_encodings_are_decided_by_evidence_and_told(text, encoding, found):
    content = text.encode(encoding)
    if found.startswith("utf"):
        assert encoding_of(content, True, "f") == found
        return
    with pytest.warns(ReadingNote, match=f"(?i)f is read as {found}"):
        assert encoding_of(content, True, "f") == found
    with pytest.warns(ReadingNote):
        assert encoding_of(content + content[:1], False, "f") == found  # cut in the middle of a character


@pytest.mark.parametrize(
    ("text", "encoding", "readings"),
    [
        ("Москва,y\n", "cp1251", r"GB18030 .*, cp1252 .* or cp1251 \('Москва,y'\)"),
        ("Ελλάδα,y\n", "cp1253", "GB18030 .* or cp1252 .*"),
        ("όνομα,πόλη\nΓιώργος,Αθήνα\n", "cp1253", "cp1252 .*"),  # no accents among plain letters, nor Russian ones
        ("日本語,テスト\n東京,1\n", "shift_jis", r"GB18030 .* or Shift_JIS \('日本語,.*'\)"),
        ("商品名,価格\n東京の品,1\n", "euc_jp", r"GB18030 .* or EUC-JP \('商品名,価格'\)"),
        ("身長の値,y\n1,はい\n2,いいえ\n" * 9, "euc_jp", "GB18030 .* or EUC-JP .*"),  # in KOI8-R, signs and letters
        ("名前,性別\n山田さくら,女\n", "euc_jp", "GB18030 .* or EUC-JP .*"),
        ("имя,значение\nАнна,хорошо\n", "cp866", "cp1252 .*"),
        ("都市,y\n東京,1\n大阪,2\n", "euc_jp", r"GB18030 .* or EUC-JP \('都市,y'\)"),  # common Han in GB18030, too
        ("氏名,y\n佐藤,1\n鈴木,2\n", "euc_jp", "GB18030 .* or EUC-JP .*"),
        ("도시,y\n서울,1\n부산,2\n", "euc_kr", r"GB18030 .* EUC-KR \('도시,y'\).*"),
        ("城市,y\n臺北,1\n高雄,2\n", "big5", r".* or Big5 \('城市,y'\)"),
    ],
)
def test_encodings_in_doubt_are_asked_for(text, encoding, readings):
    with pytest.raises(InputError, match=f"f is not UTF-8, and may be {readings}: say --encoding"):
        encoding_of(text.encode(encoding), True, "f")


def test_a_western_file_is_not_read_as_chinese(tmp_path):
    data = tmp_path / "a.csv"
    frame = table_with(["Köln", "München", "Bonn"] * 10).rename(columns={"odd": "größe"})
    frame.to_csv(data, index=False, encoding="cp1252")
    result = invoke("fit", data, "-t", "y", "--model", "perceptron")
    assert result.exit_code == 0
    assert "größe" in result.stdout
    assert "cp1252" in result.stdout.split("\n")[1]
    assert result.stderr.startswith(f"novikoff: note: {data} is read as cp1252 (Western Europe)")
    assert result.stderr.count("novikoff: note:") == 1
    told = json.loads(done("fit", data, "-t", "y", "--stream", "--model", "perceptron", "--json"))
    assert "größe" in told["data"]["columns"]


FORMATS = {
    "zip": lambda text: zipped({"a/data.csv": text, "__MACOSX/a/._data.csv": "x"}),
    "csv.bz2": lambda text: bz2.compress(text.encode()),
    "jsonl": lambda text: pd.read_csv(io.StringIO(text)).to_json(orient="records", lines=True).encode(),
    "jsonl.gz": lambda text: gzip.compress(
        pd.read_csv(io.StringIO(text)).to_json(orient="records", lines=True).encode()
    ),
    "txt": lambda text: text.replace(",", "  ").encode(),
    "fwf": lambda text: "\n".join(
        "".join(cell.ljust(12) for cell in line.split(",")) for line in text.split("\n")
    ).encode(),
    "commented": lambda text: f"# a comment, with a comma\n# another\n{text}".encode(),
    "r": lambda text: r_table(text).encode(),
}


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def r_table(text):
    """As write.table writes it: quotes, and names of rows without a name of their own."""
    header, *lines = text.strip().split("\n")
    quoted = [" ".join(f'"{cell}"' if cell.isalpha() else cell for cell in line.split(",")) for line in lines]
    return " ".join(f'"{name}"' for name in header.split(",")) + "".join(
        f'\n"{k}" {line}' for k, line in enumerate(quoted, 1)
    )


@pytest.mark.parametrize("kind", FORMATS)
def test_other_formats_are_read_as_the_same_table(tmp_path, kind):
    frame = table_with(["red", "blue"] * 15)
    text = frame.to_csv(index=False)
    (tmp_path / "plain.csv").write_text(text)
    other = tmp_path / f"data.{kind}"
    other.write_bytes(FORMATS[kind](text))
    extra = ("--drop", "column 1") if kind == "r" else ()
    scores = []
    for data, drop in ((tmp_path / "plain.csv", ()), (other, extra)):
        for way in ((), ("--stream",)):
            done(
                "fit",
                data,
                "-t",
                "y",
                "--model",
                "perceptron",
                *way,
                *drop,
                "-o",
                tmp_path / "m.nvk",
                "--test-size",
                0.5,
            )
            scores.append(done("predict", tmp_path / "m.nvk", data, "--scores"))
        done("certify", data, "-t", "y", *drop, "-o", tmp_path / "proof.json")
        assert "accepted" in done("check", tmp_path / "proof.json", data, "-t", "y", *drop)
    assert scores[:2] == scores[2:]
    rows = [
        exact_table(path, Reading(), "y", drop=drop).rows
        for path, drop in ((tmp_path / "plain.csv", ()), (other, extra[1:]))
    ]
    assert rows[0] == rows[1]


def test_numbers_of_json_are_exact_and_null_is_missing(tmp_path):
    data = tmp_path / "a.jsonl"
    lines = ['{"a": 0.10000000000000000001, "b": true, "y": "u"}', '{"a": 2, "y": "v"}']
    lines += ['{"a": 3, "b": false, "y": "v"}', '{"a": null, "b": false, "y": "v"}']
    data.write_text("\n".join(lines))
    with pytest.warns(ReadingNote, match="2 rows of"):
        table = exact_table(data, Reading(drop_incomplete=True), "y")
    assert table.columns == ["a", "b = false", "b = true"]
    assert table.rows == [("0.10000000000000000001", "0", "1"), ("3", "1", "0")]
    assert "no value in column 'a' at row 4" in failed("certify", data, "-t", "y", "--drop", "b")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (zipped({"a.csv": "x", "b.csv": "y"}), "has 2 files (a.csv, b.csv)"),
        (zipped({"[Content_Types].xml": "", "xl/workbook.xml": ""}), "is a workbook of Excel"),
        (zipped({"mimetype": "", "content.xml": ""}), "is a spreadsheet of LibreOffice"),
        (zipped({}), "without a file in it"),
        (zipped({"novikoff.json": "{}"}), "is a model that novikoff fit wrote"),
        (zipped({"._a": ""}), "without a file in it"),
        (b"1 0:2 1:3\n0 0:1 1:2\n", "it has a column 0, and libsvm files count columns from 1"),
        ("a b\n" + "1 2\n" * 200 + "1 2 3\n", "3 words at line 202 where others have 2"),
        ("name    y\n" + "New York u\nBo a    v\n" * 2 + "Rome1234567 v\n", "is not a table|cell at line"),
    ],
)
def test_files_of_other_programs_and_broken_ones_are_refused_in_a_sentence(tmp_path, content, words):
    data = tmp_path / "data"
    data.write_bytes(content if isinstance(content, bytes) else content.encode())
    target = () if words.startswith("it has") else ("-t", "y" if b"y" in data.read_bytes() else "b")
    for command in ("fit", "certify"):
        assert re.search(re.escape(words) if "|" not in words else ".", failed(command, data, *target))


def test_quantities_in_several_units_are_told_of(tmp_path):
    data = tmp_path / "data.csv"
    table_with([f"{k + 0.5} {('kg', 'lb')[k % 2]}" for k in range(30)]).to_csv(data, index=False)
    for command in ("fit", "certify"):
        assert "Column 'odd' has quantities in kg, lb: give all in one unit" in failed(command, data, "-t", "y")
    table_with([f"{k % 3} {('kg', 'lb')[k % 2]}" for k in range(30)]).to_csv(data, index=False)
    told = invoke("fit", data, "-t", "y", "--model", "pa")
    assert told.exit_code == 0
    assert "Column 'odd' has quantities in kg, lb, taken as categories" in told.stderr
    table_with([f"{k % 3}a" for k in range(30)]).to_csv(data, index=False)
    assert "has quantities" not in invoke("fit", data, "-t", "y", "--model", "pa").output


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_known(tmp_path, encoding):
    data, proof = tmp_path / "data.csv", tmp_path / "proof.json"
    text = table_with([f"第{'一二三'[k % 3]}" for k in range(30)]).to_csv(index=False)
    data.write_bytes(text.encode(encoding))
    for told in ((), ("--encoding", encoding)):
        found = invoke("fit", data, "-t", "y", "--model", "pa", *told)
        assert found.exit_code == 0, found.stderr
        assert ("say another --encoding" in found.stderr) == (told == ())
        assert "categories  1: odd" in found.stdout
        done("certify", data, "-t", "y", *told, "-o", proof)
        assert f"--encoding {encoding}" in done("check", proof, data)
    data.write_bytes(bytes(range(256)) * 8)
    assert "binary data" in failed("fit", data, "-t", "y")


def test_long_names_are_shortened_in_errors(tmp_path):
    data = tmp_path / "data.csv"
    data.write_text(f"{'long' * 500},b,y\n1,2,a\n3,4,b\n")
    for line in (("-t", "z" * 5000), ("-t", "y", "--drop", "w" * 5000), ()):
        told = failed("fit", data, *line)
        assert "…" in told
        assert len(told) < 400 + len(str(data))


def test_queries_of_libsvm_files_are_told_of(tmp_path):
    data = tmp_path / "data.libsvm"
    data.write_text("".join(f"{k % 2} qid:{k // 5} 1:{k % 2} 2:{k % 5}\n" for k in range(30)))
    for way in ((), ("--stream",)):
        result = invoke("fit", data, "--model", "perceptron", *way)
        assert result.exit_code == 0
        assert "has a qid in its lines, as data for rankings has, which is not looked at" in result.stderr
    assert "it has a qid" in failed("certify", data)


def test_proofs_leave_rows_out_and_undecided_ones_have_a_code_of_their_own(tmp_path):
    data, proof = tmp_path / "a.csv", tmp_path / "proof.json"
    data.write_text("a,b,y\n1,2,u\n,3,v\n3,NA,u\n4,5,v\n5,?,u\n6,1,\n")
    assert "--missing drop" in failed("certify", data, "-t", "y", "--drop", "b")
    tell = ("-t", "y", "--missing", "drop", "--na", "?")
    result = invoke("certify", data, *tell, "-o", proof)
    assert result.exit_code == 0
    assert "4 rows of" in result.stderr
    assert "accepted: separable" in done("check", proof, data, *tell)
    assert "needs all rows in memory" in failed("certify", data, *tell, "--stream")
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(400, 30))).assign(y=random.integers(0, 2, 400))
    frame.to_csv(tmp_path / "hard.csv", index=False)
    result = invoke("certify", tmp_path / "hard.csv", "-t", "y", "--time-limit", 0)
    assert result.exit_code == 5, result.output
    assert "unknown" in result.stdout
    quantity = tmp_path / "quantity.csv"
    quantity.write_text("x,y\n" + "".join(f"{k % 7},{k % 597}\n" for k in range(1000)))
    assert "597 different values in 1000 rows" in failed("certify", quantity, "-t", "y")


def test_quasi_separation_can_be_asked_for(tmp_path, monkeypatch):
    data = tmp_path / "a.csv"
    data.write_text("x,z,y\n0,0,u\n1,0,v\n0,1,u\n0,1,v\n")
    assert "quasi-separable" in done("certify", data, "-t", "y", "--quasi")
    monkeypatch.setattr("novikoff.proofs.quasi.NUMBERS", 0)
    assert "(--quasi) looks for it" in " ".join(done("certify", data, "-t", "y").split())
    assert "quasi-separable" in done("certify", data, "-t", "y", "--quasi")


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-(10**9), max_value=10**9))
@settings(max_examples=60)
def test_what_is_written_in_a_notation_is_the_number_that_was_written(number):
    for notation, text in (
        (Notation("numbers"), f"{number:,}"),
        (Notation("percentages", "", ","), f"{number:,}%".translate(str.maketrans(",.", ".,"))),
        (Notation("amounts", "€"), f"{number} €"),
    ):
        assert Fraction(plain(text, notation)) == Fraction(number)
        assert notation_of({text, text}, notation.decimal) in (notation, None) or notation.form == "numbers"


def test_notations_of_a_model_file_are_checked():
    fields = {"kinds": {"a": "number"}, "target": "y", "missing": "refuse", "width": 1, "marks": []}
    assert is_recipe(fields)
    assert is_recipe(fields | {"notations": {"a": ["percentages", "", "."]}})
    for wrong in (
        [],
        {"a": "percentages"},
        {"a": ["nothing", "", "."]},
        {"a": ["dates", "", ";"]},
        {"a": ["dates", 1, "."]},
    ):
        assert not is_recipe(fields | {"notations": wrong})


def test_decimal_commas_do_not_hide_the_delimiter_of_a_file_without_a_header(tmp_path):
    data = tmp_path / "a.csv"
    data.write_text("".join(f"{k},25;{k % 7},5;{'uv'[k % 2]}\n" for k in range(30)))
    told = json.loads(done("fit", data, "-t", "3", "--no-header", "--model", "perceptron", "--json"))
    assert told["data"]["columns"] == {"1": "number", "2": "number"}
    assert "30 rows, 2 columns" in done("certify", data, "-t", "3", "--no-header")


def test_a_zero_before_a_comma_tells_that_it_comes_before_decimals():
    assert notation_of({"1,250", "0,125", "-0,5"}, None) == Notation("numbers", "", ",")
    assert notation_of({"1,250", "0,125"}, None) == Notation("numbers", "", ",")
    assert plain("0,125", Notation("numbers", "", ".")) is None


@pytest.mark.parametrize("day", ["{} Oct 2022", "{}-Oct-22", "Oct {}, 2022", "{}. October 2022"])
def test_dates_with_names_of_months_are_refused_and_not_taken_for_names_of_rows(tmp_path, day):
    data = tmp_path / "a.csv"
    pd.DataFrame({"d": [day.format(k + 1) for k in range(30)], "a": range(30), "y": ["u", "v"] * 15}).to_csv(data)
    for command in ("fit", "certify"):
        assert "Column 'd' holds dates or times that cannot be told for sure" in failed(command, data, "-t", "y")


def test_a_number_beyond_float64_is_named_with_its_row(tmp_path):
    data = tmp_path / "a.csv"
    data.write_text("a,y\n0.5,u\n1e400,v\n2.5,u\n")
    assert "Column 'a' has '1e400' in row 2, which is beyond the range" in failed("certify", data, "-t", "y")


def test_a_cell_of_a_million_letters_does_not_fill_the_terminal(tmp_path):
    data = tmp_path / "a.csv"
    data.write_text("t,y\n" + "".join(f"{'uv'[k % 2]}{k % 7},{k % 2}\n" for k in range(40)) + f"{'z' * 10**6},1\n")
    assert len(done("fit", data, "-t", "y", "--model", "perceptron", "--set", "max_iter=3")) < 5000


@pytest.mark.parametrize("command", ["fit", "certify"])
def test_marks_among_a_few_numbers_are_asked_about_and_other_mixtures_told(tmp_path, command):
    data = tmp_path / "few.csv"

    def told(cells, *options):
        data.write_text("x;y\n" + "".join(f"{cell};{'ab'[k % 2]}\n" for k, cell in enumerate(cells)))
        return invoke(command, data, "-t", "y", *options).stderr

    assert "if that means a missing value, say --na '?'" in told([*"1234" * 6, "?"])
    assert "has numbers and '4+', all taken as categories" in told([*"1234" * 6, "4+"])
    points = [f"{k}.5" for k in range(30)]
    assert "has a point before its decimals, as in '0.5'" in told(points, "--decimal", ",")
    assert "has '0.5', but --decimal , says" in told([*points, "1.000"], "--decimal", ",")
    quantities = [f"{k} kg" for k in range(30)]
    assert "has '5.5' in row 31, written otherwise than its other numbers" in told([*quantities, "5.5"])
