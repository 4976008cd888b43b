"""A target gives the same classes of the same type, or the same refusal, on every way in."""

import datetime
import os
import re
import warnings
from decimal import Decimal, InvalidOperation

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from typer.testing import CliRunner

import novikoff
from novikoff import Perceptron, certify
from novikoff.cli import app
from novikoff.data.exact_table import exact_table
from novikoff.data.open_files import Reading
from novikoff.scale import block_files
from novikoff.scale.stream import fit_stream
from novikoff.workflow.fit_request import FitRequest
from novikoff.workflow.labelled_rows import read_rows

REASONS = {
    "not quantities": "quantity",
    "dates or times": "dates",
    "holds bytes": "bytes",
    "holds lists": "lists",
    "mixes labels": "mixed",
    "one value only": "one class",
    "two classes": "one class",
    "has no values": "no label",
    "fewer than two classes": "one class",
    "missing values": "missing",
    "no label at row": "missing",
    "Unknown label type": "quantity",
}
"""What a refusal is about, by words of its sentence."""


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", "The number of unique classes")  # scikit-learn's, of arrays
        yield


def outcome(call, *args):
    """The classes as a list with the type of each, or the reason of the refusal."""
    try:
        classes = call(*args)
    except ValueError as refused:
        return next((reason for words, reason in REASONS.items() if words in str(refused)), str(refused))
    return [(type(label), label) for label in np.asarray(classes).tolist()]


# what the rules say of a file, in plain Python


def decimal(text):
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def canonical(text):
    return re.fullmatch(r"-?[0-9]+", text) and str(int(text)) == text and len(text.lstrip("-")) <= 18


def expected(values, missing="refuse"):
    present = [value for value in values if value is not None]
    kinds = {type(value) for value in present}
    if datetime.date in kinds:
        return "dates"
    if bytes in kinds:
        return "bytes"
    if list in kinds:
        return "lists"
    different = set(present)
    if len(different) > 1000 or (len(different) > 20 and 2 * len(different) > len(present)):
        return "quantity"
    if kinds == {str} and all(map(canonical, different)):
        different = set(map(int, different))
    elif kinds == {str}:
        numbers = [decimal(text) for text in different]
        if None not in numbers and any(number % 1 for number in numbers):
            return "quantity"
    elif kinds == {float}:
        if any(value % 1 for value in different):
            return "quantity"
        different = set(map(int, different))
    if len(different) < 2:
        return "one class" if different else "no label"
    if missing == "refuse" and len(present) < len(values):
        return "missing"
    return [(type(label), label) for label in sorted(different)]


# targets, and the files that can hold them

TEXTS = st.text(alphabet="ab01-.+é周", min_size=1, max_size=3)
KINDS = {
    "whole numbers": st.integers(-3, 3),
    "whole numbers as floats": st.integers(-3, 3).map(float),
    "decimals": st.sampled_from([0.5, 1.0, 2.25, -3.0]),
    "booleans": st.booleans(),
    "texts": TEXTS,
    "texts of whole numbers": st.integers(-12, 12).map(str),
    "texts of numbers": st.sampled_from(["0", "1.0", "2.50", "+1", "01", "1e3"]),
    "dates": st.dates(datetime.date(2020, 1, 1), datetime.date(2020, 1, 9)),
    "bytes": st.binary(min_size=1, max_size=1),
    "lists": st.lists(st.integers(0, 1), min_size=1, max_size=2),
}


@st.composite
def targets(draw):
    """The kind of a target, and its values: also of one class, of too many, and with missing ones."""
    kind = draw(st.sampled_from(sorted(KINDS)))
    how = draw(st.sampled_from(["some", "some", "one", "many"]))
    if how == "one":
        values = [draw(KINDS[kind])] * 5
    elif how == "many" and kind in ("whole numbers", "texts of whole numbers", "texts"):
        make = {"whole numbers": int, "texts of whole numbers": str, "texts": "n{}".format}[kind]
        values = [make(i // draw(st.sampled_from([1, 2]))) for i in range(draw(st.integers(18, 50)))]
    else:
        values = draw(st.lists(KINDS[kind], min_size=4, max_size=12))
    if draw(st.booleans()):
        for i in draw(st.lists(st.integers(0, len(values) - 1), min_size=1, max_size=3)):
            values[i] = None
    return kind, values


def held(kind, values, file):
    """The values as a format holds them; None if it cannot."""
    if file == "csv":
        texts = [None if value is None else str(value) for value in values]
        return None if kind in ("bytes", "lists") else texts
    if file == "npz":
        if kind == "lists" or (None in values and "float" not in kind and kind != "decimals"):
            return None
        return values
    if file == "libsvm":
        numbers = kind in ("whole numbers", "whole numbers as floats", "decimals")
        return [None if value is None else float(value) for value in values] if numbers else None
    return values


def write(folder, values, file):
    """A file with a column of numbers and these labels, in several blocks."""
    path = folder / f"data.{file}"
    x = np.arange(1.0, len(values) + 1)
    if file == "csv":
        pd.DataFrame({"x": x, "y": values}).to_csv(path, index=False)
    elif file == "libsvm":
        lines = (f"{'nan' if label is None else label} 1:{v}" for v, label in zip(x, values, strict=True))
        path.write_text("\n".join(lines))
    elif file == "npz":
        labels = [np.nan if value is None else value for value in values]
        np.savez(
            path, X=x[:, None], y=np.array(labels, dtype="M8[D]" if isinstance(labels[0], datetime.date) else None)
        )
    else:
        column = pa.array(values)
        if file == "categories":
            column = column.dictionary_encode()
        table = pa.table({"x": x, "y": column})
        if file == "feather":
            pa.feather.write_feather(table, str(path), chunksize=3)
        else:
            pa.parquet.write_table(table, path, row_group_size=3)
    return path


def memory(path, target, missing="refuse"):
    return np.unique(read_rows(FitRequest(str(path), target, missing=missing)).y)


def streamed(path, target, missing="refuse"):
    return fit_stream(Perceptron(max_iter=1), path, target, missing=missing).classes_


def proved(path, target):
    labels = exact_table(path, Reading(), target).labels
    return pd.unique(pd.Series(sorted(labels), dtype=object))


FILES = ("csv", "parquet", "feather", "categories", "npz", "libsvm")


@given(targets())
@settings(max_examples=80 if "NOVIKOFF_LONG" in os.environ else 40)
def test_every_way_into_a_file_gives_the_same_classes(tmp_path_factory, drawn):
    kind, values = drawn
    folder = tmp_path_factory.mktemp("labels")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block_files, "RANGE_BYTES", 30)
        for file in FILES:
            labels = held(kind, values, file)
            if labels is None or (file == "categories" and kind == "lists"):
                continue
            path, target = write(folder, labels, file), None if file == "libsvm" else "y"
            ways = (memory, proved) if file == "npz" else (memory, proved, streamed)
            for way in ways:
                assert outcome(way, path, target) == expected(labels), (file, way)
            for way in set(ways) - {proved}:
                assert outcome(way, path, target, "drop") == expected(labels, "drop"), (file, way)


def taught(X, y):
    return Perceptron(max_iter=1).fit(X, y).classes_


def asked(X, y):
    """Nothing, if it is a question that has an answer."""
    certify(X, y, time_limit=0)
    return []


def given_in_python(kind, values):
    """What labels given in Python give: the classes in their own type, or the reason of a refusal."""
    present = [value for value in values if value is not None]
    if len(present) < len(values):
        return "missing"
    if kind == "dates":
        return "dates"
    if kind == "decimals" and any(value % 1 for value in present):
        return "quantity"
    different = sorted(set(present))
    return [(type(label), label) for label in different] if len(different) > 1 else "one class"


@given(targets().filter(lambda drawn: drawn[0] not in ("bytes", "lists")))
@settings(max_examples=60)
def test_labels_given_in_python_keep_their_type(drawn):
    kind, values = drawn
    X = np.arange(1.0, len(values) + 1)[:, None]
    wanted = given_in_python(kind, values)
    forms = {"series": pd.Series(values, dtype=object if None in values else None), "polars": pl.Series(values)}
    if kind != "dates" and None not in values:
        forms |= {"list": values, "array": np.array(values), "categories": pd.Series(pd.Categorical(values))}
    for name, y in forms.items():
        assert outcome(taught, X, y) == wanted, name
    if None not in values:
        y = np.array(values, dtype=object if kind == "dates" else None)
        assert outcome(asked, X, y) == ([] if isinstance(wanted, list) else wanted)


def test_labels_of_several_types_are_refused():
    X = np.eye(3)
    for y in (np.array([1, "a", 1], dtype=object), pd.Series([1, "a", True])):
        assert outcome(taught, X, y) == outcome(asked, X, y) == "mixed"


def fitted(path, folder, *options):
    model = folder / "model.nvk"
    done = CliRunner().invoke(app, ["fit", str(path), "-t", "y", "--model", "perceptron", "-o", str(model), *options])
    return novikoff.load(model) if done.exit_code == 0 else done.stderr.strip()


def test_the_command_gives_the_same_classes_in_memory_and_streamed(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("x,y\n" + "".join(f"{i},{int(i > 20)}\n" for i in range(40)))
    plain, stream = fitted(path, tmp_path), fitted(path, tmp_path, "--stream")
    assert plain.classes_.dtype == stream.classes_.dtype == np.int64
    assert plain.classes_.tolist() == stream.classes_.tolist() == [0, 1]
    frame = pd.DataFrame({"x": np.arange(40.0)})
    assert plain.predict(frame).dtype == stream.predict(frame).dtype


@pytest.mark.parametrize("kind", ["quantities", "dates"])
def test_the_command_refuses_the_same_in_memory_and_streamed(tmp_path, kind):
    path = tmp_path / "data.parquet"
    labels = pa.array(range(60), pa.int32() if kind == "quantities" else pa.date32())
    pa.parquet.write_table(pa.table({"x": np.arange(60.0), "y": labels}), path)
    sentence = fitted(path, tmp_path)
    assert ("60 different values in 60 rows" if kind == "quantities" else "holds dates or times") in sentence
    assert fitted(path, tmp_path, "--stream") == sentence


def test_a_target_of_more_than_a_thousand_values_is_refused_before_all_is_read(tmp_path):
    path = write(tmp_path, [i // 4 for i in range(4800)], "parquet")
    assert outcome(memory, path, "y") == outcome(streamed, path, "y") == "quantity"
    assert outcome(proved, path, "y") == "quantity"


def test_a_test_file_must_have_the_classes_that_were_learnt(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("x,y\n" + "".join(f"{i},{int(i > 20)}\n" for i in range(40)))
    other = tmp_path / "test.csv"
    other.write_text("x,y\n1,0\n30,other\n")
    for options in ([], ["--stream"]):
        assert "has the label 'other', which is not among 0, 1" in fitted(
            path, tmp_path, "--test", str(other), *options
        )
    other.write_text("x,y\n1,0\n30,\n")
    for options in ([], ["--stream"]):
        assert "y" in fitted(path, tmp_path, "--test", str(other), *options)
        assert not isinstance(fitted(path, tmp_path, "--test", str(other), "--missing", "drop", *options), str)


@pytest.mark.parametrize("values", [["0", "1"], [0.0, 1.0], ["a", "b"], [False, True], [0.5, 1.5], ["x", "x"]], ids=str)
def test_a_cluster_reads_files_as_memory_does(tmp_path, values):
    dask = pytest.importorskip("dask")
    from novikoff.scale.dask import DaskPerceptron

    path = write(tmp_path, values * 4, "parquet")
    with dask.config.set(scheduler="synchronous"):
        found = outcome(lambda: DaskPerceptron(n_shards=2, max_iter=1).fit(str(path), "y").classes_)
    assert found == outcome(memory, path, "y") == expected(values * 4)


@pytest.mark.parametrize("values", [["0", "1"], [0.0, 1.0], [False, True], [0.5, 1.5], [1, 1], [None, 1]], ids=str)
def test_a_cluster_takes_collections_as_arrays_are_taken(values):
    dask = pytest.importorskip("dask")
    import dask.array as da
    import dask.dataframe as dd

    from novikoff.scale.dask import DaskPerceptron

    X, y = np.arange(8.0)[:, None], pd.Series(values * 4)
    wanted = outcome(taught, X, y)
    with dask.config.set(scheduler="synchronous"):
        frame = dd.from_pandas(pd.DataFrame({"x": X[:, 0], "y": y}), npartitions=2)
        assert outcome(lambda: DaskPerceptron(n_shards=2, max_iter=1).fit(frame, "y").classes_) == wanted
        if None not in values:
            arrays = da.from_array(X, chunks=(4, 1)), da.from_array(y.to_numpy(), chunks=4)
            assert outcome(lambda: DaskPerceptron(n_shards=2, max_iter=1).fit(*arrays).classes_) == wanted
