"""Files of every format come in as the same table; broken ones are refused in one sentence."""

import gzip
import io
import json
import lzma
import warnings
import zipfile
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.datasets import dump_svmlight_file
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import MaxAbsScaler, StandardScaler
from typer.testing import CliRunner

from novikoff.cli import app
from novikoff.data import column_kinds as kinds
from novikoff.data import decimal_table as search
from novikoff.data import exact_table as exact
from novikoff.data import frames as columns
from novikoff.data import labels, readers
from novikoff.data.open_files import ColumnOptions, Reading
from novikoff.errors import InputError, did_you_mean
from novikoff.workflow import labelled_rows, memory_engine, pipelines
from novikoff.workflow.fit_request import Evaluation, FitRequest
from novikoff.workflow.pipelines import make_learner

TABLE = "size,colour,kind\n1.5,red,yes\n-2,blue,no\n3e1,red,yes\n"
CHINESE = "时间,方式,约会\n周六,吃饭,是\n周日,逛街,否\n周间,吃饭,是\n"


def written(folder, content, name="data.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def frame_of(path, target="kind", reading=None, **wishes):
    """What ``fit`` would learn from."""
    reading = reading or Reading()
    source = readers.open_data(path, reading)
    table = columns.clean_table(source.read_all().table, reading.missing)
    found = columns.describe_columns(table, target, ColumnOptions(**wishes), source.name)
    return columns.to_frame(table, found), labels.read_labels(table[target], target, source.name)[0], found


def sentence(call, *args, **kwargs):
    """The one sentence of a refusal."""
    with pytest.raises(InputError) as refused:
        call(*args, **kwargs)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def zstd(content):
    return pa.Codec("zstd").compress(content, asbytes=True)


@pytest.mark.parametrize(
    "content",
    [
        TABLE,
        TABLE.replace(",", "\t"),
        TABLE.replace(",", ";"),
        TABLE.replace(",", "|"),
        TABLE.replace(",", ", "),
        TABLE.replace("\n", "\r\n"),
        TABLE.replace("\n", "\n\n"),
        "\ufeff" + TABLE,
        TABLE.encode("utf-16"),
        TABLE.replace("red", '"red"'),
        TABLE.rstrip("\n"),
        gzip.compress(TABLE.encode(), mtime=0),
        lzma.compress(TABLE.encode()),
        zstd(TABLE.encode()),
    ],
    ids=lambda content: repr(content[:12]),
)
def test_all_ways_to_write_a_table_are_read_the_same(tmp_path, content):
    path = written(tmp_path, content)
    X, y, found = frame_of(path)
    assert found.kinds == {"size": "number", "colour": "category"}
    assert X["size"].tolist() == [1.5, -2, 30]
    assert X["colour"].tolist() == ["red", "blue", "red"]
    assert y.tolist() == ["yes", "no", "yes"]
    table = exact.exact_table(path, Reading(), "kind")
    assert table.columns == ["size", "colour = blue", "colour = red"]
    assert table.rows == [("1.5", "0", "1"), ("-2", "1", "0"), ("3e1", "0", "1")]
    assert table.labels == ["yes", "no", "yes"]


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_chinese_is_read_in_both_encodings(tmp_path, encoding):
    X, y, _ = frame_of(written(tmp_path, CHINESE.encode(encoding)), "约会")
    assert X.iloc[0].tolist() == ["周六", "吃饭"]
    assert y.tolist() == ["是", "否", "是"]
    assert exact.exact_table(tmp_path / "data.csv", Reading(), "约会").labels == ["是", "否", "是"]


@pytest.mark.parametrize("kind", ["parquet", "feather", "npz"])
def test_typed_formats(tmp_path, kind):
    frame = pd.DataFrame({"a": [1.5, -2, 30], "b": [1, 2, 3], "y": [0, 1, 0]})
    path = tmp_path / f"data.{kind}"
    if kind == "parquet":
        pa.parquet.write_table(pa.Table.from_pandas(frame), path)
    elif kind == "feather":
        pa.feather.write_feather(pa.Table.from_pandas(frame), path)
    else:
        np.savez(path, X=frame[["a", "b"]], y=frame["y"], feature_names=["a", "b"])
    X, y, found = frame_of(path, "y", categorical=("b",))
    assert found.kinds == {"a": "number", "b": "category"}
    assert X["a"].tolist() == [1.5, -2, 30]
    assert X["b"].tolist() == ["1", "2", "3"]
    assert y.tolist() == [0, 1, 0]
    assert exact.exact_table(path, Reading(), "y").rows == [(1.5, 1), (-2, 2), (30, 3)]


def test_parquet_dates_dictionaries_and_nested_values(tmp_path):
    table = pa.table(
        {
            "day": pa.array([1, 2, 3], pa.date32()),
            "word": pa.array(["a", "b", None]).dictionary_encode(),
            "list": [[1], [2], [3]],
            "y": ["u", "v", "u"],
        }
    )
    path = tmp_path / "data.parquet"
    pa.parquet.write_table(table, path)
    X, _, found = frame_of(path, "y", drop=("list",))
    assert X["day"].tolist() == [1, 2, 3]
    assert found.notes == (
        "Column 'day' is read as dates, in days since 1970-01-01, without month and weekday: '1970-01-02' is 1.",
    )
    assert "'list' holds list" in sentence(frame_of, path, "y", drop=("day",))
    X, _, found = frame_of(path, "y", drop=("day,list",))
    assert X["word"].tolist() == ["a", "b", None]
    assert found.missing == {"word": 1}


def test_libsvm_and_its_parts(tmp_path):
    path = written(tmp_path, "+1 1:0.5 3:2\n-1 2:1e-1 # a comment\n+1\n", "data.libsvm")
    part = readers.open_data(path).read_all()
    assert part.matrix.toarray().tolist() == [[0.5, 0, 2], [0, 0.1, 0], [0, 0, 0]]
    assert part.labels.tolist() == [1, -1, 1]
    table = exact.exact_table(path, Reading(), None)
    assert table.rows == [{0: "0.5", 2: "2"}, {1: "1e-1"}, {}]
    assert table.labels == [1, -1, 1]
    assert "libsvm" in sentence(lambda: readers.open_data(written(tmp_path, "1 0:3\n2 1:2\n")).read_all())
    assert "line 2" in sentence(lambda: exact.exact_table(written(tmp_path, "1 1:3\n2 0:2\n"), Reading(), None))


def test_npz_with_a_test_part_and_named_classes(tmp_path):
    path = tmp_path / "data.npz"
    np.savez(path, X_train=np.eye(3), y_train=[0, 1, 0], X_test=np.ones((2, 3)), y_test=[1, 0], classes=["no", "yes"])
    source = readers.open_data(path)
    assert source.read_all().table["y"].to_pylist() == ["no", "yes", "no"]
    assert source.test.table["y"].to_pylist() == ["yes", "no"]
    np.savez(path, X=np.zeros((2, 2, 2)), y=[0, 1])
    assert "3 dimensions" in sentence(readers.open_data, path)
    np.savez(path, X=np.array([{}, {}]), y=[0, 1])
    assert "plain arrays" in sentence(readers.open_data, path)


BROKEN = {
    "is empty": b"",
    "header but no rows": b"a,y\n",
    "1 cell at row 2": b"a,y\n1,u\n2\n3,v\n",
    "3 cells at row 2": b"a,y\n1,u\n2,v,w\n3,v\n",
    "two columns named 'a' (columns 1 and 3)": b"a,y,a\n1,u,2\n",
    "quote that is never closed": b'a,y\n1,u\n2,"v\n3,v\n',
    "holds binary data": bytes(range(256)) * 10,
    "neither UTF-8 nor GB18030": b"caf\xe9 noir\x81,y\n1,u\n",
    "may be GB18030 ('填耜忄,y'), cp1252 ('Ìîñêâà,y') or cp1251 ('Москва,y')": "Москва,y\n1,u\n".encode("cp1251"),
    "1,000,000 columns": b",".join(b"c%d" % j for j in range(10**6)),
    "cannot be decompressed": gzip.compress(TABLE.encode() * 100, mtime=0)[:-30],
    "has no column 'y'; it has a, b": b"a,b\n1,2\n",
    "did you mean 'Y'?": b"a,Y\n1,2\n",
    "--no-header": b"1.5,3\n2,4\n",
    "is damaged": b"PAR1 and then nothing",
    "is damaged or cut short": b"PK\x03\x04 and then nothing",
    "is a PDF document": b"%PDF-1.4\n%\xe2\xe3\n",
    "is a web page (HTML)": b"\xef\xbb\xbf\n<!DOCTYPE html><table><tr><td>1</td></tr></table>",
    "is XML, not a table": b"<?xml version='1.0'?><r/>\n",
    "is a file of Weka": b"@RELATION iris\n@attribute a numeric\n@data\n1\n",
    "has amounts in $, €": b"a;y\n"
    + b"".join("{}{}.50;{}\n".format("$€"[i % 2], i, i % 2).encode() for i in range(30)),
    "has '−9' in row 4": "a,y\n1,u\n2,v\n3,u\n−9,v\n−1,u\n".encode() + b"".join(b"%d,u\n" % i for i in range(30)),
    "one value only ('u')": b"a,y\n1,u\n2,u\n",
    "no column to learn from": b"y\nu\nv\n",
    "holds dates or times": b"a,y\n01/02/2024,u\n02/02/2024,v\n",
    "whose comma may come before decimals": b"a;y\n1,523;u\n2,500;v\n",
    "workbook of Excel": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100),
    "not JSON at line 2": b'{"a": 1, "y": "u"}\n{"a": 1,\n',
    "nested value at line 1": b'{"a": [1], "y": "u"}\n',
    "is JSON: give JSON lines": b'[{"a": 1, "y": "u"}]\n',
    "has the name 'a' twice at line 2: names must differ": b'{"a": 1, "y": "u"}\n{"a": 1, "a": 5, "y": "v"}\n',
    "has the name 'b' at line 90001": b'{"a": 1, "y": "u"}\n' * 90_000 + b'{"a": 1, "b": 2}\n',
    "holds numbers, but 'x' in row 30": b"a,y\n" + b"".join(b"%d.5,%d\n" % (i, i % 2) for i in range(29)) + b"x,1\n",
    "30 different values in 30 rows": b"a,y\n" + b"".join(b"1,%d\n" % i for i in range(30)),
}


@pytest.mark.parametrize("words", BROKEN)
def test_broken_files_are_refused_in_one_sentence(tmp_path, words):
    path = written(tmp_path, BROKEN[words])
    assert words in sentence(frame_of, path, "y")


EXACT = (
    "is empty",
    "header but no rows",
    "two columns named",
    "never closed",
    "binary",
    "neither",
    "may be",
    "Excel",
    "JSON",
    "nested",
    "has the name",
    "1,000,000",
    "decompressed",
    "dates",
    "comma",
    "holds numbers",
)


@pytest.mark.parametrize("words", [words for words in BROKEN if any(part in words for part in EXACT)])
def test_proofs_refuse_the_same_files(tmp_path, words):
    assert words in sentence(exact.exact_table, written(tmp_path, BROKEN[words]), Reading(), "y")


def test_proofs_refuse_ragged_rows_missing_values_and_texts(tmp_path):
    def refusal(content):
        return sentence(exact.exact_table, written(tmp_path, content), Reading(), "y")

    assert "1 cell at line 3" in refusal("a,y\n1,u\n2\n")
    assert "no value in column 'a' at row 2 (1 missing" in refusal("a,y\n1,u\n,v\n")
    assert "free text" in refusal("a,y\n" + "".join(f"a rather long sentence with number {i},u\n" for i in range(9)))
    assert "nearly every row" in refusal("a,y\n" + "".join(f"n{i},u\n" for i in range(30)))


def test_wrong_encoding_is_named(tmp_path):
    late = TABLE.encode() * 60_000 + "é,red,yes\n".encode("latin-1")
    assert "not UTF-8 all through" in sentence(frame_of, written(tmp_path, late))
    assert "no encoding 'utf-9'" in sentence(frame_of, tmp_path / "data.csv", reading=Reading(encoding="utf-9"))
    X, _, _ = frame_of(
        written(tmp_path, "size,kind\né,a\nü,b\n".encode("latin-1")), reading=Reading(encoding="latin-1")
    )
    assert X["size"].tolist() == ["é", "ü"]


def test_a_line_longer_than_what_is_looked_at(tmp_path):
    words = "word " * 300_000
    X, _, found = frame_of(written(tmp_path, f"size,kind\n{words},a\n{words}2,b\n"))
    assert found.kinds == {"size": "text"}
    assert len(X["size"][0]) == len(words) - 1


def test_quotes_in_tab_separated_text_are_plain(tmp_path):
    content = 'kind\ttext\na\t"never closed\nb\tplain\na\t"quoted" and more\n'
    X, _, _ = frame_of(written(tmp_path, content))
    assert X["text"].tolist() == ['"never closed', "plain", '"quoted" and more']


def test_columns_can_be_chosen_and_contradictions_are_refused(tmp_path):
    path = written(tmp_path, TABLE)
    assert frame_of(path, categorical=("size",))[2].kinds["size"] == "category"
    assert frame_of(path, text=("colour",))[2].kinds["colour"] == "text"
    assert list(frame_of(path, drop=("size",))[0]) == ["colour"]
    assert "must hold numbers, but row 1 has 'red'" in sentence(frame_of, path, numeric=("colour",))
    assert "cannot be both" in sentence(frame_of, path, numeric=("size",), drop=("size",))
    assert "no column 'colr'" in sentence(frame_of, path, drop=("colr",))
    assert "is the target" in sentence(frame_of, path, drop=("kind",))


def test_missing_values_by_their_usual_names_and_others(tmp_path):
    content = "a,b,y\n1,NA,u\n?,x,v\n3,,u\n4,z,v\n"
    reading = Reading(missing=("?",))
    X, _, found = frame_of(written(tmp_path, content), "y", reading)
    assert found.missing == {"a": 1, "b": 2}
    assert np.isnan(X["a"][1])
    assert X["b"].tolist() == [None, "x", None, "z"]


def test_a_name_without_a_close_one_lists_what_there_is():
    assert did_you_mean("zebra", ["a", "b"]) == "; it has a, b."


NUMBERS = st.one_of(st.floats(allow_nan=False, allow_infinity=False).map(repr), st.integers().map(str))


@given(st.lists(NUMBERS, min_size=1, max_size=30))
@settings(max_examples=60)
def test_what_is_called_a_number_is_read_as_that_number(texts):
    values = columns.as_floats(pa.chunked_array([texts]))
    if values is not None:
        assert kinds.kind_of(set(texts), len(texts)).kind == "number"
        assert values.tolist() == [float(text) for text in texts]


@given(st.lists(st.text(alphabet="0123456789.eE+-nai _x", max_size=6), min_size=1, max_size=5))
@settings(max_examples=200)
def test_both_rules_for_numbers_agree(texts):
    """The fast one, of pyarrow, and the one in words, of kinds.py."""
    texts = [text.strip() for text in texts]
    all_numbers = all(map(kinds.NUMBER.fullmatch, texts))
    values = columns.as_floats(pa.chunked_array([texts]))
    if all_numbers:
        assert values is not None or any(abs(float(text)) == np.inf for text in texts)
    else:
        assert values is None


CELLS = st.text(alphabet='ab"\n, ;é周', max_size=5)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6), st.sampled_from([",", ";", "\t", "|"]))
@settings(max_examples=60)
def test_both_readers_of_csv_agree(tmp_path_factory, rows, delimiter):
    path = tmp_path_factory.mktemp("csv") / "data.csv"
    pd.DataFrame(rows, columns=["first", "second"]).to_csv(path, sep=delimiter, index=False, quoting=1)
    reading = Reading(delimiter=delimiter)
    table = columns.clean_table(readers.open_data(path, reading).read_all().table, ())
    fast = [[cell or "" for cell in table[name].to_pylist()] for name in ("first", "second")]
    sheet = exact.sniff_sheet(exact.open_file(path), reading)
    slow = [list(column) for column in zip(*exact.records(sheet), strict=True)]
    assert fast == slow
    assert slow[0] == [first.strip() for first, _ in rows]


def npz_bytes(**members):
    """An archive with these bytes as its members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return out.getvalue()


def array_bytes(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


GOOD = array_bytes(np.eye(3))
FOUND = {
    "a header that is no Python": (npz_bytes(X=GOOD.replace(b"}", b" ")), "not an npz file of plain arrays"),
    "a shape beyond all memory": (
        npz_bytes(X=GOOD.replace(b"(3, 3)", b"(3,9999999999999)")),
        "does not fit into memory",
    ),
    "a member that is no array": (npz_bytes(X=b"x" * 40), "is none"),
    "labels in two dimensions": (npz_bytes(X=GOOD, y=GOOD), "y of 2 dimensions"),
    "one label for all": (npz_bytes(X=GOOD, y=array_bytes(np.array(1))), "y of 0 dimensions"),
    "complex numbers": (npz_bytes(X=array_bytes(np.eye(3) * 1j)), "no columns of numbers or texts"),
    "zstd that is cut short": (zstd(TABLE.encode())[:20], "cannot be decompressed"),
    "zstd that is damaged": (zstd(TABLE.encode())[:20] + b"\xff" * 30, "cannot be decompressed"),
    "a byte order mark and no more": (b"\xff\xfe", "is empty"),
}


@pytest.mark.parametrize("name", FOUND)
def test_files_that_the_campaign_found_are_refused_in_a_sentence(name, tmp_path):
    content, words = FOUND[name]
    path = written(tmp_path, content, "data")
    assert words in sentence(lambda: readers.open_data(path, Reading()).read_all())
    assert words in sentence(lambda: exact.exact_table(path, Reading(), "y"))


def test_an_encoding_that_wants_a_mark_is_refused_in_a_sentence(tmp_path):
    path = written(tmp_path, TABLE + "7" * (len(TABLE) % 2))
    said = sentence(exact.exact_table, path, Reading(encoding="utf-16"), "kind")
    assert "not utf-16 all through" in said or "not in the encoding that was said" in said  # from 3.13, and before
    assert "--encoding" in said


def test_a_number_of_a_column_beyond_all_memory_is_refused(tmp_path):
    for column in (2**32, 10**20):
        path = written(tmp_path, f"+1 1:0.5\n-1 {column}:1\n".encode(), "data.svm")
        assert f"column {column} at line 2" in sentence(exact.exact_table, path, Reading(), None)


def test_names_and_classes_of_no_use_are_left(tmp_path):
    path = tmp_path / "data.npz"
    np.savez(path, X=np.eye(2), y=np.array([0, 1]), feature_names=np.array("x"), classes=np.array(3))
    assert readers.open_data(path).read_all().table.column_names == ["X1", "X2", "y"]


PLAIN = st.from_regex(r"[+-]?([0-9]{1,9}\.?[0-9]{0,9}|\.[0-9]{1,9})([eE][+-]?[0-9])?", fullmatch=True)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(PLAIN, PLAIN, st.sampled_from("ab")), max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_a_search_reads_the_decimals_that_the_checker_reads(tmp_path_factory, cells, end):
    lines = [f"u,v,y{end}", *(f"{u},{v},{y}{end}" for u, v, y in [*cells, ("1", "1", "a"), ("1", "1", "b")])]
    path = written(tmp_path_factory.mktemp("plain"), "".join(lines))
    slow, quick = exact.exact_table(path, Reading(), "y"), search.table_for_search(path, Reading(), "y")
    assert (quick.columns, quick.labels, quick.name) == (slow.columns, slow.labels, slow.name)
    assert fractions(quick) == fractions(slow)
    assert isinstance(quick.rows, list) or quick.rows.is_whole() == exact.whole(slow.rows)


CELLS = st.one_of(PLAIN, st.sampled_from(["1", " 2 ", "", "NA", "-999", "red", "1e400", "5%", "2024-05-31"]))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(CELLS, PLAIN, CELLS, st.sampled_from(["a", "b ", "1", "NA"])), max_size=8),
    st.sampled_from([(), ("u",), ("w", "u")]),
    st.booleans(),
    st.sampled_from([(), ("-999",)]),
)
def test_rows_as_they_are_make_the_table_that_columns_make(tmp_path_factory, cells, drop, incomplete, marks):
    lines = ["u,v,w,y\n", *(",".join(line) + "\n" for line in [*cells, ("1", "1", "1", "a"), ("2", "3", "4", "b")])]
    path = written(tmp_path_factory.mktemp("rows"), "".join(lines))
    reading = Reading(drop_incomplete=incomplete, missing=marks)

    def by_columns():
        file = exact.open_file(path)
        with file.file:
            texts = exact.columns_of_file(file, reading)
            return exact.table_of_columns(texts, file.name, reading, "y", (), drop)

    def outcome(read):
        try:
            return read()
        except InputError as error:
            return str(error)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert outcome(lambda: exact.exact_table(path, reading, "y", drop=drop)) == outcome(by_columns)


def fractions(table):
    rows = table.rows if isinstance(table.rows, list) else map(table.rows.row, range(len(table.rows)))
    return [tuple(map(Fraction, row)) for row in rows]


def test_plain_decimals_are_ratios_for_a_search(tmp_path):
    table = search.table_for_search(written(tmp_path, "u,v,y\n1.5,2,a\n-0.25,3e2,b\n"), Reading(), "y")
    assert (table.rows.whole.tolist(), table.rows.over) == ([[150, 2], [-25, 300]], [100, 1])


@pytest.mark.parametrize(
    "body",
    [
        '"1.5",2,a\n2,3,b\n',
        " 1.5,2,a\n2,3,b\n",
        "1.5,2,a\n2,3,b",
        "1.5,2,a\n\n2,3,b\n",
        "1.5,2,a\r2,3,b\r",
        "1234567890123456789,2,a\n2,3,b\n",
        "1e30,2,a\n1e-30,3,b\n",
        "red,2,a\nblue,3,b\n",
        "1,2, 是\n2,3,否 \n",
    ],
)
def test_what_is_not_plain_is_read_as_the_checker_reads_it(tmp_path, body):
    path = written(tmp_path, "u,v,y\n" + body)
    slow, quick = exact.exact_table(path, Reading(), "y"), search.table_for_search(path, Reading(), "y")
    assert fractions(quick) == fractions(slow)
    assert (quick.columns, quick.labels, quick.encoded) == (slow.columns, slow.labels, slow.encoded)


@pytest.mark.parametrize("body", ["1,,a\n2,3,b\n", "1,2,\n2,3,b\n", "1,2\n2,3,b\n", "1,2,a\n2,3,a\n"])
def test_a_search_and_the_checker_refuse_a_table_in_the_same_words(tmp_path, body):
    path = written(tmp_path, "u,v,y\n" + body)
    assert sentence(search.table_for_search, path, Reading(), "y") == sentence(exact.exact_table, path, Reading(), "y")
    said = sentence(search.table_for_search, path, Reading(), "z")
    assert said == sentence(exact.exact_table, path, Reading(), "z")


def test_binary_numbers_are_a_matrix_for_a_search(tmp_path):
    path = tmp_path / "data.parquet"
    pa.parquet.write_table(pa.table({"u": [0.1, 2.0], "v": [3, -4], "w": ["a", "b"], "y": [1, 0]}), path)
    quick = search.table_for_search(path, Reading(), "y", (), ["w"])
    assert quick.rows.tolist() == [list(row) for row in exact.exact_table(path, Reading(), "y", (), ["w"]).rows]
    assert quick.labels == [1, 0]
    assert isinstance(search.table_for_search(path, Reading(), "y").rows, list)


LATE = ["7", " 8 ", "1e3", "NA", " NA ", "inf", "NaN", "nan ", "x", "?", "", "1_0", "0x1", "1e999", "-0", '"5"', '" 6"']


@given(st.lists(st.tuples(st.sampled_from(LATE), st.sampled_from(LATE)), max_size=4), st.sampled_from(["?", "7"]))
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_columns_read_as_numbers_are_what_they_are_as_texts(tmp_path, monkeypatch, late, mark):
    """Whatever comes after the rows by which columns were taken for numbers, in memory and part by part."""
    monkeypatch.setattr(readers, "NUMBER_BLOCK", 64)
    first = [(str(k), f"{k}.5") for k in range(40)]
    path = tmp_path / "data.csv"
    path.write_text("a,b,y\n" + "".join(f"{a},{b},{k % 2}\n" for k, (a, b) in enumerate([*first, *late])))
    reading = Reading(missing=(mark,))
    plain = columns.clean_table(readers.open_data(path, reading).read_all().table, reading.missing)
    fast = columns.clean_table(readers.open_data(path, reading, ["a", "b"]).read_all().table, reading.missing)
    chunks = [chunk.table for chunk in readers.open_data(path, reading, ["a", "b"]).chunks]
    assert sum(map(len, chunks)) == len(plain)
    for name in ("a", "b"):
        values = columns.as_floats(plain[name])
        if values is None:
            assert fast[name].equals(plain[name])
        else:
            assert columns.to_floats(fast[name], name).tobytes() == values.tobytes()
            parts = [columns.to_floats(columns.clean_table(part, (mark,))[name], name) for part in chunks]
            assert np.concatenate(parts).tobytes() == values.tobytes()


@pytest.mark.parametrize("kind", ["csv", "parquet", "libsvm"])
def test_large_and_small_files_are_fitted_alike(tmp_path, monkeypatch, kind):
    """Rows that are split and prepared where they are, and columns read as numbers, make the model of a pipeline."""
    random = np.random.default_rng(3)
    X = random.integers(-9, 10, (300, 4)) / 4.0
    y = (X @ [1, -2, 3, 0.5] > 0).astype(int)
    path = tmp_path / f"data.{kind}"
    table = pd.DataFrame(X, columns=list("abcd")).assign(y=y)
    if kind == "csv":
        table.to_csv(path, index=False)
    elif kind == "parquet":
        table.to_parquet(path)
    else:
        dump_svmlight_file(X, y, str(path), zero_based=False)
    monkeypatch.setattr(labelled_rows, "SAMPLE", 0)
    monkeypatch.setattr(pipelines, "PART", 64)
    request = FitRequest(
        str(path), None if kind == "libsvm" else "y", model="averaged", evaluation=Evaluation(size=0.2)
    )
    engine = memory_engine.MemoryEngine(request, lambda _: None, "averaged", "")
    for step in (engine.read, engine.prepare, engine.learn, engine.measure):
        step()
    train, test = train_test_split(np.arange(300), test_size=0.2, random_state=0, stratify=y)
    rows = X if kind == "libsvm" else table[list("abcd")].to_numpy()
    scaler = (MaxAbsScaler() if kind == "libsvm" else StandardScaler()).fit(rows[np.sort(train)])
    plain = make_learner("averaged").fit(scaler.transform(rows[np.sort(train)]), y[np.sort(train)])
    np.testing.assert_allclose(engine.pipeline[-1].coef_, plain.coef_, rtol=1e-9)
    right = (plain.predict(scaler.transform(rows[test])) == y[test]).mean()
    assert engine.quality.measurement.accuracy == pytest.approx(right)
    frame = sp.csr_matrix(X) if kind == "libsvm" else table[list("abcd")]
    assert (engine.pipeline.predict(frame) == plain.predict(scaler.transform(rows))).all()


def test_a_first_column_of_numbers_with_a_missing_one(tmp_path):
    """A column that came as one array, not in chunks."""
    assert columns.as_floats(pa.array(["1", None, "2.5"])).tolist()[::2] == [1.0, 2.5]
    assert columns.as_floats(pa.chunked_array([["1", None], ["x"]])) is None


def test_a_feather_file_whose_buffers_are_too_small_is_damaged(monkeypatch, tmp_path):
    class Broken:
        def validate(self):
            raise pa.ArrowInvalid("a buffer is too small")

    path = tmp_path / "data.feather"
    pa.feather.write_feather(pa.table({"u": [1.0, None, 3.0], "y": ["a", "b", "a"]}), path)
    monkeypatch.setattr(readers, "batches", lambda *_: iter([Broken()]))
    with pytest.raises(InputError, match=r"data\.feather is damaged: a buffer is too small\."):
        readers.open_data(path).read_all()


def test_a_zero_byte_in_the_name_of_a_column_is_refused(tmp_path):
    path = tmp_path / "data.csv"
    path.write_bytes("x\0\0,y\n1,a\n2,b\n".encode("utf-16"))
    with pytest.raises(InputError, match="zero byte in the name of column 1"):
        readers.open_data(path)


@pytest.mark.parametrize(
    ("line", "trouble"),
    [
        ("3,4,u", None),
        ("3,,u", None),
        ("3,nan,u", None),
        ("3,inf,u", None),
        ("3,abc,u", None),
        ("3,4", r"2 cells at row 901 \('3,4'\)"),
        ('3,4,"u', "a quote that is never closed"),
    ],
)
def test_what_is_read_at_once_is_what_is_read_row_by_row(tmp_path, line, trouble):
    path = tmp_path / "rows.csv"
    rows = [f"{k},{k / 7:.3f},{'uv'[k % 2]}" for k in range(1000)]
    path.write_text("\n".join(["a,b,y", *rows[:900], line, *rows[900:], ""]))
    if trouble:
        with pytest.raises(InputError, match=trouble):
            readers.open_data(path, numbers=["a", "b"]).read_all()
        return
    at_once = readers.open_data(path, numbers=["a", "b"]).read_all().table
    texts = readers.open_data(path).read_all().table
    plain = line in ("3,4,u", "3,,u", "3,nan,u")
    assert [str(kind) for kind in at_once.schema.types] == (["double", "double", "string"] if plain else ["string"] * 3)
    assert at_once["y"].to_pylist() == texts["y"].to_pylist()
    assert at_once.num_rows == 1001
    if plain:
        assert at_once["b"].to_pylist() == [
            None if cell in ("", "nan") else float(cell) for cell in texts["b"].to_pylist()
        ]
    else:
        assert at_once.equals(texts)


@pytest.mark.parametrize("mark", ["\u2028", "\x0b", "\x0c", "\x1c", "\x85", "\n", "\r\n"])
@pytest.mark.parametrize("stream", [[], ["--stream"]])
def test_a_name_of_a_column_hides_no_row_whatever_breaks_its_line(tmp_path, mark, stream):
    table = tmp_path / "data.csv"
    table.write_bytes(f'"a{mark}b",y\n3,p\n1,p\n2,q\n4,q\n'.encode())
    told = CliRunner().invoke(app, ["certify", str(table), "-t", "y", "--json", *stream])
    assert json.loads(told.stdout)["rows"] == 4
    assert json.loads(told.stdout)["questions"][0]["verdict"] == "inseparable"


def test_lines_that_end_in_several_ways_around_the_names_are_refused(tmp_path):
    (tmp_path / "data.csv").write_bytes(b'"a\rb",y\n3,p\n1,p\n2,q\n4,q\n')
    told = CliRunner().invoke(app, ["certify", str(tmp_path / "data.csv"), "-t", "y"])
    assert "carriage return alone" in told.output
    (tmp_path / "mac.csv").write_bytes(b"a,y\r3,p\r1,p\r2,q\r4,q\r")
    assert CliRunner().invoke(app, ["certify", str(tmp_path / "mac.csv"), "-t", "y"]).stdout.count("4 rows")
