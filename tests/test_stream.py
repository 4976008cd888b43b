"""Learning from files: the same model as in memory, in bounded memory; and files that are not what they should be."""

import gzip
import json
import os
import subprocess
import sys
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import dump_svmlight_file, load_svmlight_file
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import HashingVectorizer, TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, OneHotEncoder, StandardScaler
from typer.testing import CliRunner

import novikoff
from novikoff import (
    AveragedPerceptron,
    MarginPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    check,
    datasets,
)
from novikoff.cli import app
from novikoff.data.open_files import Reading
from novikoff.errors import InputError, ReadingNote
from novikoff.scale import block_files as files
from novikoff.scale.batches import Spool
from novikoff.scale.blocks import blocks_of
from novikoff.scale.incremental import fit_by_parts
from novikoff.scale.stream import fit_stream
from novikoff.workflow.fit import fit
from novikoff.workflow.fit_request import FitRequest

FORMATS = ("parquet", "lists.parquet", "feather", "csv", "libsvm")
LEARNERS = [
    Perceptron(order="cyclic", max_iter=7),
    Perceptron(order="cyclic", max_iter=5, multi_class="joint", class_weight={0: 2, 1: 1, 2: 0.5}),
    MarginPerceptron(order="cyclic", max_iter=7),
    AveragedPerceptron(order="cyclic"),
    PassiveAggressiveClassifier(order="cyclic"),
]


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Blocks and parts so small that every test has several."""
    monkeypatch.setattr(files, "RANGE_BYTES", 4000)
    monkeypatch.setattr(files, "CHUNK_BYTES", 6000)


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", "X does not have valid feature names")
        yield


def rows(n=900, d=9, classes=3, kind=float, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(-5, 6, (n, d)) if kind is int else rng.standard_normal((n, d))
    return X, (X @ rng.standard_normal((d, classes)) + rng.standard_normal((n, classes))).argmax(axis=1)


def written(folder, kind, X, y):
    """A file of this kind, its target, and the rows and labels as they are read into memory."""
    path = folder / f"rows.{kind}"
    table = pa.table({**{f"x{j}": X[:, j] for j in range(X.shape[1])}, "y": y})
    if kind == "parquet":
        pq.write_table(table, path, row_group_size=200)
    elif kind == "lists.parquet":
        pq.write_table(
            pa.table({"x": pa.FixedSizeListArray.from_arrays(X.ravel(), X.shape[1]), "y": y}), path, row_group_size=200
        )
    elif kind == "feather":
        pa.feather.write_feather(table, str(path), chunksize=250)
    elif kind == "csv":
        table.to_pandas().to_csv(path, index=False)
    else:
        dump_svmlight_file(X, y, str(path), zero_based=False)
        return path, None, *load_svmlight_file(str(path))
    return path, "y", X, y


def assert_same(streamed, plain):
    for name in ("coef_", "intercept_", "n_updates_", "n_iter_", "status_", "update_counts_", "margin_", "radius_"):
        np.testing.assert_array_equal(getattr(streamed, name), getattr(plain, name), err_msg=name)
    np.testing.assert_allclose(streamed.margin_bound_, plain.margin_bound_)
    np.testing.assert_allclose(streamed.mistake_bound_, plain.mistake_bound_)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize("kind", FORMATS)
def test_in_cyclic_order_the_model_is_that_of_memory(tmp_path, kind, learner):
    path, target, X, y = written(tmp_path, kind, *rows())
    plain = clone(learner).fit(X, y.astype(int))
    streamed = fit_stream(clone(learner), path, target)
    assert len(blocks_of(path, target)) > 2
    assert_same(streamed, plain)
    np.testing.assert_array_equal(streamed.predict(X), plain.predict(X))


@pytest.mark.parametrize("kind", ["feather", "libsvm"])
def test_two_classes_and_whole_numbers(tmp_path, kind):
    path, target, X, y = written(tmp_path, kind, *rows(classes=2, kind=int))
    for learner in (Perceptron(order="cyclic", max_iter=9), PassiveAggressiveClassifier(order="cyclic")):
        assert_same(fit_stream(clone(learner), path, target), clone(learner).fit(X, y.astype(int)))


def test_rows_so_long_that_they_are_scored_ahead(tmp_path):
    X, y = rows(n=150, d=400, classes=2)
    path, target, X, y = written(tmp_path, "feather", X, y)
    learner = Perceptron(order="cyclic", tol=None)
    streamed = fit_stream(clone(learner), path, target)
    assert streamed.status_ == "separated"
    assert_same(streamed, clone(learner).fit(X, y))


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_a_plane_is_proved(tmp_path, order):
    X, y = datasets.planted_margin(800, 6, 0.05, random_state=1)
    path, target, X, y = written(tmp_path, "parquet", X, y)
    model = fit_stream(Perceptron(order=order), path, target)
    assert model.status_ == "separated"
    assert model.score(X, y) == 1
    assert model.n_updates_ <= model.mistake_bound_
    model.certificate_.save(tmp_path / "proof.json", X, y)
    assert check(tmp_path / "proof.json", X, y)


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_that_there_is_none_is_proved(tmp_path, order):
    X, y = datasets.logic_gate("xor")
    path, target, X, y = written(tmp_path, "csv", np.tile(X, (60, 1)), np.tile(y, 60))
    model = fit_stream(Perceptron(order=order, tol=None), path, target)
    assert model.status_ == "inseparable"
    witness = model.certificate_.witness
    signs = np.where(y == model.classes_[1], 1, -1)
    total = sum(weight * signs[row] * np.append(X[row], 1) for row, weight in witness.items())
    assert witness
    assert not np.any(total)


def test_a_row_that_passes_by_rounding_only_is_updated(tmp_path):
    X = np.array([[1.0, 1e-17], [-1.0, 1e-17], [1.0, -1e-17], [-1.0, -1e-17]] * 30)
    y = (X[:, 1] > 0).astype(int)
    path, target, X, y = written(tmp_path, "feather", X, y)
    model = fit_stream(Perceptron(order="cyclic", tol=None, max_iter=50, fit_intercept=False), path, target)
    plain = Perceptron(order="cyclic", tol=None, max_iter=50, fit_intercept=False).fit(X, y)
    assert model.status_ == plain.status_


def test_shuffled_order_visits_every_row_once_a_pass_and_is_repeatable(tmp_path):
    path, target, X, y = written(tmp_path, "parquet", *rows())
    model = fit_stream(AveragedPerceptron(), path, target, passes=3)
    again = fit_stream(AveragedPerceptron(), path, target, passes=3)
    other = fit_stream(AveragedPerceptron(random_state=1), path, target, passes=3)
    assert (model._resume.clock[:, 0] == 3 * len(y)).all()
    np.testing.assert_array_equal(model.coef_, again.coef_)
    assert not np.array_equal(model.coef_, other.coef_)
    assert abs(model.score(X, y) - AveragedPerceptron(max_iter=3).fit(X, y).score(X, y)) < 0.05


def test_folders_patterns_and_lists_are_one_source(tmp_path):
    X, y = rows()
    table = pa.table({**{f"x{j}": X[:, j] for j in range(9)}, "y": y})
    (tmp_path / "deep").mkdir()
    for k, name in enumerate(["a.parquet", "b.parquet", "deep/c.parquet"]):
        pq.write_table(table.slice(300 * k, 300), tmp_path / name)
    (tmp_path / "_SUCCESS").write_text("")
    plain = Perceptron(order="cyclic", max_iter=4).fit(X, y)
    everything = [tmp_path / "a.parquet", tmp_path / "b.parquet", tmp_path / "deep"]
    for source in (tmp_path, everything, str(tmp_path / "**" / "*.parquet")):
        model = fit_stream(Perceptron(order="cyclic", max_iter=4), source, "y")
        assert_same(model, plain)
    assert list(model.feature_names_in_) == [f"x{j}" for j in range(9)]


@pytest.mark.parametrize("pack", ["gzip", "utf-16"])
def test_what_can_only_be_read_from_its_beginning(tmp_path, pack):
    path, target, X, y = written(tmp_path, "csv", *rows())
    other = tmp_path / "compressed.csv"
    text = path.read_text()
    other.write_bytes(gzip.compress(text.encode()) if pack == "gzip" else text.encode("utf-16"))
    streamed = fit_stream(Perceptron(order="cyclic", max_iter=4), other, target)
    assert len(blocks_of(other, target)) == 1
    assert_same(streamed, Perceptron(order="cyclic", max_iter=4).fit(X, y))


def test_quoted_cells_may_go_over_lines(tmp_path):
    path = tmp_path / "notes.csv"
    frame = pd.DataFrame({"note": [f'he said "{k}",\n\nthen "\n{k}"' for k in range(600)], "x": range(600)})
    frame["y"] = np.where(frame.x % 3 == 0, "三", "other")
    frame.to_csv(path, index=False, encoding="gb18030")
    model = fit_stream(Perceptron(max_iter=2), path, "y", columns=["x"], reading=Reading(encoding="gb18030"))
    assert model.classes_.tolist() == ["other", "三"]
    assert model.update_counts_.shape == (600,)
    assert len(blocks_of(path, "y")) > 3


def test_a_cache_changes_nothing_but_the_time_and_leaves_nothing(tmp_path):
    for kind in ("csv", "libsvm"):
        path, target, _, _ = written(tmp_path, kind, *rows())
        folder = tmp_path / f"cache of {kind}"
        for learner in (AveragedPerceptron(), Perceptron(max_iter=5)):
            cached = fit_stream(clone(learner), path, target, cache=folder)
            assert_same(cached, fit_stream(clone(learner), path, target))
        assert not list(folder.iterdir())


def test_a_cache_reads_the_files_once(tmp_path, monkeypatch):
    path, target, _, _ = written(tmp_path, "csv", *rows())
    reads = []
    plain = files.TextFile.read
    monkeypatch.setattr(files.TextFile, "read", lambda *args: reads.append(args[1]) or plain(*args))
    fit_stream(Perceptron(max_iter=6, tol=None), path, target, classes=[0, 1, 2], cache=tmp_path)
    assert [reads.count(place) for place in blocks_of(path, target).files[0].places[1:]] == [2] * (len(set(reads)) - 1)


@pytest.mark.parametrize("kind", ["csv", "libsvm", "parquet"])
@pytest.mark.parametrize("asked", [True, False])
def test_the_command_reads_its_files_once_and_keeps_the_rows_where_it_says(tmp_path, monkeypatch, kind, asked):
    path, target, _, _ = written(tmp_path, kind, *rows())
    places = blocks_of(path, target).files[0].places
    reads, folder = [], tmp_path / "made" / "here"
    kind_of_file = {"csv": files.TextFile, "libsvm": files.SparseFile, "parquet": files.ParquetFile}[kind]
    plain = kind_of_file.read
    monkeypatch.setattr(kind_of_file, "read", lambda *args: reads.append(args[1]) or plain(*args))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    request = FitRequest(str(path), target, settings=("max_iter=4",), stream=True, yardsticks=False)
    request = replace(request, cache=folder if asked else None)
    kept = fit(request)
    looked = 0 if kind == "libsvm" else 1  # once more at the first, for the kinds of the columns
    assert [reads.count(place) for place in places] == [1 + looked] + [1] * (len(places) - 1)
    assert f"kept in {folder if asked else tmp_path} meanwhile" in kept.data.format
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([path.name] + ["made"] * asked)
    monkeypatch.setattr("novikoff.workflow.begun_reading.temporary_spool", lambda: Spool(tmp_path, 9000))
    again = fit(replace(request, cache=None))
    assert len(reads) > 2 * len(places)
    assert (again.learned, again.quality) == (kept.learned, kept.quality)


class StoppedError(Exception):
    pass


@pytest.mark.parametrize("learner", [AveragedPerceptron(max_iter=6, tol=None), MarginPerceptron(max_iter=6)], ids=str)
def test_a_fit_goes_on_from_its_checkpoint(tmp_path, learner):
    path, target, _, y = written(tmp_path, "parquet", *rows())
    saved = tmp_path / "state"
    whole = fit_stream(clone(learner), path, target)
    seen = []

    def stop(done, total):
        seen.append(done)
        if sum(seen) and seen.count(len(y)) == 3:
            raise StoppedError

    with pytest.raises(StoppedError):
        fit_stream(clone(learner), path, target, checkpoint=saved, checkpoint_every=0, watch=stop)
    assert saved.exists()
    ends = []
    resumed = fit_stream(
        clone(learner), path, target, checkpoint=saved, checkpoint_every=0, watch=lambda done, _: ends.append(done)
    )
    assert_same(resumed, whole)
    assert ends.count(len(y)) < 7
    assert not saved.exists()


def test_a_checkpoint_of_other_files_is_refused(tmp_path):
    path, target, _, _ = written(tmp_path, "parquet", *rows())
    saved = tmp_path / "state"
    with pytest.raises(StoppedError):
        fit_stream(Perceptron(max_iter=6), path, target, checkpoint=saved, checkpoint_every=0, watch=stop_after(3, 900))
    written(tmp_path, "parquet", *rows(seed=1))
    with pytest.raises(InputError, match="other data or with other settings"):
        fit_stream(Perceptron(max_iter=6), path, target, checkpoint=saved)


def stop_after(passes, rows):
    ends = []

    def stop(done, total):
        ends.append(done == rows)
        if sum(ends) == passes:
            raise StoppedError

    return stop


def change(path, how):
    """A watcher that changes the file in the second pass."""
    ends = []

    def watch(done, total):
        ends.append(done == total)
        if sum(ends) == 1 and done == total:
            data = path.read_bytes()
            {
                "truncated": lambda: path.write_bytes(data[: len(data) // 2]),
                "touched": lambda: os.utime(path, ns=(1, 1)),
                "removed": path.unlink,
            }[how]()

    return watch


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("how", ["truncated", "touched", "removed"])
def test_a_file_that_changes_between_passes_is_named(tmp_path, kind, how):
    path, target, _, _ = written(tmp_path, kind, *rows())
    model = Perceptron(max_iter=9)
    with pytest.raises(InputError, match=r"rows.*(was changed while|is gone since)") as caught:
        fit_stream(model, path, target, watch=change(path, how))
    assert str(path) in str(caught.value)
    assert not hasattr(model, "coef_")


@pytest.mark.parametrize("kind", ["parquet", "feather", "csv"])
def test_a_damaged_file_is_named(tmp_path, kind):
    path, target, _, _ = written(tmp_path, kind, *rows())
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match=f"rows.{kind}"):
        fit_stream(Perceptron(), path, target)


def test_files_with_other_columns_are_named(tmp_path):
    X, y = rows(n=50, d=2)
    plain = pa.table({"a": X[:, 0], "b": X[:, 1], "y": y})
    others = {
        "lacks": (plain.drop_columns(["b"]), "two.parquet has no column 'b', which .*one.parquet has"),
        "more": (plain.append_column("c", pa.array(y)), "one.parquet has no column 'c', which .*two.parquet has"),
        "type": (plain.set_column(1, "b", pa.array(map(str, y))), "'b' holds double in .*one.parquet and string in"),
    }
    pq.write_table(plain, tmp_path / "one.parquet")
    for table, sentence in others.values():
        pq.write_table(table, tmp_path / "two.parquet")
        with pytest.raises(InputError, match=sentence):
            fit_stream(Perceptron(), tmp_path, "y")
    pq.write_table(plain.select(["y", "b", "a"]), tmp_path / "two.parquet")
    model = fit_stream(Perceptron(order="cyclic", max_iter=3), tmp_path, "y")
    assert_same(model, Perceptron(order="cyclic", max_iter=3).fit(np.tile(X, (2, 1)), np.tile(y, 2)))


def test_missing_values_are_named_or_left_out(tmp_path):
    X, y = rows()
    X[417, 3] = np.nan
    for kind in ("csv", "parquet"):
        path, target, _, _ = written(tmp_path, kind, X, y)
        with pytest.raises(ValueError, match=r"rows.*(no value in column 'x3'|contains NaN at row .* column 'x3')"):
            fit_stream(Perceptron(), path, target)
        kept = np.flatnonzero(np.isfinite(X).all(axis=1))
        model = fit_stream(Perceptron(order="cyclic", max_iter=3), path, target, missing="drop")
        plain = Perceptron(order="cyclic", max_iter=3).fit(X[kept], y[kept])
        np.testing.assert_array_equal(model.coef_, plain.coef_)


def test_a_number_that_is_none_is_named(tmp_path):
    path, target, _, _ = written(tmp_path, "csv", *rows())
    text = path.read_text().splitlines()
    text[700] = "what" + text[700][text[700].index(",") :]
    path.write_text("\n".join(text))
    with pytest.raises(InputError, match=r"'x0' must hold numbers, but row .* has 'what'"):
        fit_stream(Perceptron(), path, target)


def test_classes_that_are_given_need_not_all_come(tmp_path):
    path, target, X, y = written(tmp_path, "csv", *rows())
    texts = [str(label) for label in y]
    model = fit_stream(Perceptron(order="cyclic", max_iter=3), path, target, classes=["0", "1", "2", "7"])
    assert model.classes_.tolist() == ["0", "1", "2", "7"]
    assert np.mean(model.predict(X) == texts) > 0.4
    with pytest.raises(InputError, match="has the label '2'"):
        fit_stream(Perceptron(), path, target, classes=["0", "1"])


def test_large_tables_whose_classes_are_given_are_not_looked_at_first(tmp_path, monkeypatch):
    monkeypatch.setattr(novikoff.scale.stream, "NO_LOOK", 0)
    path, target, X, y = written(tmp_path, "parquet", *rows())
    model = fit_stream(Perceptron(order="cyclic", max_iter=4), path, target, classes=[0, 1, 2])
    plain = Perceptron(order="cyclic", max_iter=4).fit(X, y)
    np.testing.assert_array_equal(model.coef_, plain.coef_)
    np.testing.assert_array_equal(model.n_updates_, plain.n_updates_)
    with pytest.raises(InputError, match="'balanced' needs the numbers of rows"):
        fit_stream(Perceptron(class_weight="balanced"), path, target, classes=[0, 1, 2])


@pytest.mark.parametrize("class_weight", ["balanced", {1: 3, 2: 0}, {0: 0, 1: 1, 2: 2}])
@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_weights_of_classes_are_those_of_memory(tmp_path, class_weight, multi_class):
    X, y = rows()
    X[y == 2] *= 100  # the longest rows are among those that may not count
    path, target, X, y = written(tmp_path, "feather", X, y)
    settings = {"max_iter": 4, "class_weight": class_weight, "multi_class": multi_class}
    learner = Perceptron(order="cyclic", **settings)
    assert_same(fit_stream(clone(learner), path, target), clone(learner).fit(X, y))
    shuffled = fit_stream(Perceptron(**settings), path, target)
    assert shuffled.radius_ == pytest.approx(Perceptron(**settings).fit(X, y).radius_, rel=1e-15)


def test_weights_of_classes_that_cannot_be(tmp_path):
    path, target, _, _ = written(tmp_path, "feather", *rows())
    for class_weight, sentence in [
        ({0: -1}, "class_weight must not be negative"),
        ({0: 1e60}, "The weights of rows"),
        ({0: 0, 1: 0}, r"they are of one class only: \[2\]"),
        ({0: 0, 1: 0, 2: 0}, "The weights of all rows are zero"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            fit_stream(Perceptron(class_weight=class_weight), path, target)
    with pytest.raises(ValueError, match="one class only"):
        fit_stream(Perceptron(class_weight={0: 0, 1: 0}), path, target, classes=[0, 1, 2])


def test_warm_start_goes_on(tmp_path):
    path, target, X, y = written(tmp_path, "parquet", *rows())
    learner = Perceptron(order="cyclic", max_iter=2, warm_start=True)
    streamed = fit_stream(fit_stream(clone(learner), path, target), path, target)
    assert_same(streamed, clone(learner).fit(X, y).fit(X, y))


def mails(folder, n=400):
    rng = np.random.default_rng(3)
    words = np.array(["win", "cash", "now", "lunch", "meet", "soon", "the", "a"])
    spam = rng.random(n) < 0.5
    body = [" ".join(rng.choice(words[:3] if s else words[3:6], 3)) + " the" for s in spam]
    frame = pd.DataFrame({"body": body, "from": rng.choice(["x", "y", "z"], n), "length": rng.random(n) * 100})
    frame["spam"] = np.where(spam, "yes", "no")
    frame.to_csv(folder / "mails.csv", index=False)
    return folder / "mails.csv", frame


def test_texts_categories_and_numbers_are_prepared_on_the_way(tmp_path):
    path, frame = mails(tmp_path)
    prepare = ColumnTransformer(
        [
            ("text", HashingVectorizer(n_features=2**10), "body"),
            ("category", OneHotEncoder(handle_unknown="ignore"), ["from"]),
            ("number", StandardScaler(), ["length"]),
        ]
    )
    pipeline = make_pipeline(prepare, AveragedPerceptron(order="cyclic", max_iter=4))
    streamed = fit_stream(clone(pipeline), path, "spam")
    X = frame.drop(columns="spam")
    plain = clone(pipeline).fit(X, frame.spam)
    np.testing.assert_allclose(streamed[-1].coef_, plain[-1].coef_, atol=1e-9)
    np.testing.assert_array_equal(streamed.predict(X), plain.predict(X))
    assert streamed.score(X, frame.spam) > 0.97


def test_a_column_that_holds_no_numbers_is_named(tmp_path):
    path, _ = mails(tmp_path)
    with pytest.raises(InputError, match=r"Column 'body' of .*mails.csv holds no numbers \("):
        fit_stream(Perceptron(), path, "spam")
    assert fit_stream(Perceptron(max_iter=2), path, "spam", columns=["length"]).n_features_in_ == 1


def test_sparse_rows_are_scaled(tmp_path):
    path, target, X, y = written(tmp_path, "libsvm", *rows(kind=int))
    pipeline = make_pipeline(MaxAbsScaler(), Perceptron(order="cyclic", max_iter=4))
    streamed, plain = fit_stream(clone(pipeline), path, target), clone(pipeline).fit(X, y)
    np.testing.assert_array_equal(streamed[-1].coef_, plain[-1].coef_)


def test_a_scaler_of_sparse_rows_knows_what_scikit_learn_would():
    """Entries given twice are added up, a NaN is passed over, and an infinity is refused."""
    indptr, columns, values = [0, 2, 4, 5, 6], [0, 0, 1, 2, 2, 1], [2.0, 2.0, np.nan, 3.0, -5.0, 0.5]
    X = sp.csr_matrix((values, columns, indptr), (4, 4))
    expected, fitted = MaxAbsScaler().fit(X), fit_by_parts(MaxAbsScaler(), [X[:1], X[1:]])
    assert expected.max_abs_.tolist() == [4, 0.5, 5, 0]
    for name in ("max_abs_", "scale_", "n_samples_seen_", "n_features_in_"):
        assert np.array_equal(getattr(fitted, name), getattr(expected, name)), name
    dense = fit_by_parts(MaxAbsScaler(), [np.ones((2, 3)), np.full((2, 3), -7.0)])
    assert dense.max_abs_.tolist() == [7, 7, 7]
    with pytest.raises(ValueError, match="infinity"):
        fit_by_parts(MaxAbsScaler(), [sp.csr_matrix([[np.inf]])])


@pytest.mark.parametrize(
    ("learner", "sentence"),
    [
        (novikoff.PocketPerceptron(), "PocketPerceptron needs all rows at once"),
        (novikoff.VotedPerceptron(), "VotedPerceptron needs all rows at once"),
        (novikoff.KernelPerceptron(), "KernelPerceptron needs all rows at once"),
        (Perceptron(order="active"), "goes back to single rows"),
        (Perceptron(early_stopping=True), "early_stopping holds rows out"),
        (make_pipeline(TfidfVectorizer(), Perceptron()), "TfidfVectorizer needs all rows at once"),
        (Perceptron(max_iter=-1), "max_iter"),
    ],
    ids=str,
)
def test_what_a_stream_cannot_do_is_said(tmp_path, learner, sentence):
    path, target, _, _ = written(tmp_path, "parquet", *rows())
    with pytest.raises(ValueError, match=sentence):
        fit_stream(learner, path, target)


def test_sources_that_cannot_be_read_in_blocks_are_refused(tmp_path):
    X, y = rows(n=20)
    np.savez(tmp_path / "rows.npz", X=X, y=y)
    with pytest.raises(InputError, match=r"rows\.npz is an npz file, which is read whole"):
        fit_stream(Perceptron(), tmp_path / "rows.npz", "y")
    with pytest.raises(InputError, match="Standard input can be read once only"):
        fit_stream(Perceptron(), "-", "y")
    with pytest.raises(InputError, match="there is no file with such a name"):
        fit_stream(Perceptron(), str(tmp_path / "*.parquet"), "y")
    with pytest.raises(FileNotFoundError):
        fit_stream(Perceptron(), tmp_path / "none.parquet", "y")
    path, _, _, _ = written(tmp_path, "parquet", X, y)
    with pytest.raises(InputError, match="Say which column to learn"):
        fit_stream(Perceptron(), path)
    with pytest.raises(InputError, match="has no column 'z'"):
        fit_stream(Perceptron(), path, "z")
    with pytest.raises(InputError, match="one class only"):
        fit_stream(Perceptron(), written(tmp_path, "parquet", X, 0 * y)[0], "y")


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"missing": "dorp"}, "missing is one of 'refuse', 'drop', 'impute', not 'dorp'"),
        ({"passes": 0}, "passes must be at least 1, not 0"),
        ({"cache": __file__}, "must be a folder"),
        ({"columns": ["x0", "y"]}, "has no column 'y'"),
        ({"classes": [1]}, "at least two classes"),
    ],
    ids=str,
)
def test_settings_that_cannot_be_are_named(tmp_path, settings, sentence):
    path, target, _, _ = written(tmp_path, "parquet", *rows())
    with pytest.raises(InputError, match=sentence):
        fit_stream(Perceptron(), path, target, **settings)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('a,y\n1,u\n2,v\n3,"u\n', "has a quote that is never closed"),
        ("a,y\n1,u\n2\n", "has 1 cell at row"),
        ("a,y\n", "has a header but no rows"),
        ("", "is empty"),
        ("a,y\n31/01/2024,u\n02/02/2024,v\n", "holds dates or times"),
    ],
    ids=repr,
)
def test_texts_that_are_no_tables_are_named(tmp_path, text, sentence):
    (tmp_path / "text.csv").write_text(text)
    with pytest.raises(InputError, match=sentence):
        fit_stream(Perceptron(), tmp_path / "text.csv", "y")


def test_lines_may_end_as_they_like(tmp_path):
    path, target, X, y = written(tmp_path, "csv", *rows())
    plain = Perceptron(order="cyclic", max_iter=2).fit(X, y)
    for end in ("\r", "\r\n", "\n"):
        other = tmp_path / "other.csv"
        other.write_bytes(path.read_text().replace("\n", end).strip().encode("utf-8-sig"))
        assert_same(fit_stream(Perceptron(order="cyclic", max_iter=2), other, target), plain)


def test_truth_values_dates_and_lists_in_columns(tmp_path):
    X, y = rows(n=60, d=2)
    names = {"a": X[:, 0], "b": X[:, 1] > 0, "y": pa.array(y.astype(float))}
    pq.write_table(pa.table(names), tmp_path / "plain.parquet")
    model = fit_stream(Perceptron(order="cyclic", max_iter=2), tmp_path / "plain.parquet", "y", classes=[0.0, 1.0, 2.0])
    same = Perceptron(order="cyclic", max_iter=2).fit(np.column_stack([X[:, 0], X[:, 1] > 0]), y)
    np.testing.assert_array_equal(model.coef_, same.coef_)
    others = {
        "words": (pa.array([["a", "b"]] * 60, pa.list_(pa.string(), 2)), "which cannot be trained on"),
        "ragged": (pa.array([[1.0]] * 30 + [[1.0, 2.0]] * 30), "which cannot be trained on"),
    }
    dates = pa.array([0, 5_000_000] * 30, pa.timestamp("us"))
    pq.write_table(pa.table({"a": dates, "y": names["y"]}), tmp_path / "dates.parquet")
    with pytest.warns(ReadingNote, match="in seconds since 1970"):
        model = fit_stream(Perceptron(order="cyclic", max_iter=2), tmp_path / "dates.parquet", "y")
    same = Perceptron(order="cyclic", max_iter=2).fit(np.array([[0.0], [5.0]] * 30), y)
    np.testing.assert_array_equal(model.coef_, same.coef_)
    for name, (column, sentence) in others.items():
        pq.write_table(pa.table(names | {name: column}), tmp_path / "other.parquet")
        with pytest.raises(InputError, match=sentence):
            fit_stream(Perceptron(), tmp_path / "other.parquet", "y")


def test_a_target_of_quantities_is_refused(tmp_path):
    X, _ = rows(n=1500, d=2)
    path, target, _, _ = written(tmp_path, "parquet", X, X[:, 0] * 1.5)
    with pytest.raises(InputError, match="not quantities"):
        fit_stream(Perceptron(), path, target)


def test_empty_blocks_are_nothing(tmp_path):
    X, y = rows()
    table = pa.table({**{f"x{j}": X[:, j] for j in range(9)}, "y": y})
    for k, part in enumerate((table.slice(0, 0), table.slice(0, 500), table.slice(0, 0), table.slice(500))):
        pq.write_table(part, tmp_path / f"{k}.parquet")
    model = fit_stream(Perceptron(order="cyclic", max_iter=3), tmp_path, "y")
    assert_same(model, Perceptron(order="cyclic", max_iter=3).fit(X, y))


PEAK = """
import resource, sys, warnings
from novikoff import Perceptron
from novikoff.scale.stream import fit_stream
warnings.simplefilter("ignore")
for path in sys.argv[1:]:
    fit_stream(Perceptron(max_iter=2, tol=None), path, None if path.endswith("libsvm") else "y")
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


@pytest.mark.parametrize("kind", ["parquet", "feather", "libsvm"] if "NOVIKOFF_LONG" in os.environ else ["parquet"])
def test_memory_does_not_grow_with_the_file(tmp_path, kind):
    """A file ten times as large, which in memory would take 80 MB, takes less than two blocks of 8 MB more."""
    rng = np.random.default_rng(0)
    paths = []
    for n in (20_000, 200_000):
        X = rng.integers(0, 9, (n, 50)).astype(np.float64)
        y, path = X[:, 0] > 4, tmp_path / f"{n}.{kind}"
        if kind == "libsvm":
            X = sp.csr_matrix(X[: n // 8])
            dump_svmlight_file(X, y[: n // 8], str(path), zero_based=False)
        else:
            table = pa.table({**{f"x{j}": X[:, j] for j in range(50)}, "y": y.astype(int)})
            if kind == "parquet":
                pq.write_table(table, path, row_group_size=20_000)
            else:
                pa.feather.write_feather(table, str(path), chunksize=20_000, compression="uncompressed")
        paths.append(str(path))
    done = subprocess.run([sys.executable, "-c", PEAK, paths[0], *paths], capture_output=True, text=True, check=True)
    before, _, after = map(int, done.stdout.split())
    assert after - before < 16


def done(*arguments):
    """What the command printed as JSON; yardsticks say nothing of streams."""
    found = CliRunner().invoke(app, [*map(str, arguments), "--json", "--no-yardsticks"])
    assert found.exit_code == 0, found.stderr
    return json.loads(found.stdout)


def failed(*arguments):
    found = CliRunner().invoke(app, [str(a) for a in arguments])
    assert found.exit_code == 2
    return found.stderr


def test_the_command_streams_when_told_to_and_predicts_from_the_model(tmp_path):
    path, frame = mails(tmp_path)
    model = tmp_path / "mails.nvk"
    told = done("fit", path, "-t", "spam", "--text", "body", "--stream", "-o", model, "--cache", tmp_path)
    assert told["data"]["rows"] == len(frame)
    assert "not read into memory" in told["data"]["format"]
    assert told["quality"]["accuracy"] > 0.95
    assert 40 < told["quality"]["rows"] < 120
    assert "body: win" in [name for name, weight in told["weights"]["yes"] if weight > 0]
    out = tmp_path / "out.csv"
    assert CliRunner().invoke(app, ["predict", str(model), str(path), "-o", str(out)]).exit_code == 0
    assert (pd.read_csv(out).prediction == frame.spam).mean() > 0.95


def test_the_command_streams_folders_and_large_files_by_itself(tmp_path, monkeypatch):
    X, y = rows()
    path, target, _, _ = written(tmp_path, "parquet", X, y)
    assert "Parquet" in done("fit", path, "-t", target)["data"]["format"]
    assert "not read into memory" in done("fit", tmp_path, "-t", target)["data"]["format"]
    assert "not read into memory" in done("fit", tmp_path / "*.parquet", "-t", target)["data"]["format"]
    monkeypatch.setattr("novikoff.data.open_files.free_memory", lambda: 3.9 * path.stat().st_size)
    assert "not read into memory" in done("fit", path, "-t", target)["data"]["format"]


@pytest.mark.parametrize("missing", ["drop", "impute"])
def test_the_command_fills_in_and_leaves_out(tmp_path, missing):
    X, y = rows()
    X[::7, 3] = np.nan
    path, target, _, _ = written(tmp_path, "csv", X, y)
    told = done("fit", path, "-t", target, "--stream", "--missing", missing)
    left = int(np.isnan(X).any(axis=1).sum()) if missing == "drop" else 0
    assert (told["data"]["rows"], told["data"]["rows_left_out"]) == (len(y) - left, left)
    assert told["quality"]["accuracy"] > 0.6


def test_the_command_tests_on_another_file(tmp_path):
    path, _, X, y = written(tmp_path, "libsvm", *rows())
    other = tmp_path / "test.libsvm"
    dump_svmlight_file(X[:90, :5], y[:90], str(other), zero_based=False)
    told = done("fit", path, "--stream", "--test", other, "-o", tmp_path / "model.nvk")
    assert told["quality"]["rows"] == 90
    assert told["data"]["width"] == 9
    found = CliRunner().invoke(app, ["predict", str(tmp_path / "model.nvk"), str(path)]).stdout.split()[1:]
    assert np.mean(np.array(found, dtype=int) == y) > 0.6


def test_the_command_says_what_a_stream_cannot(tmp_path):
    path, target, _, _ = written(tmp_path, "csv", *rows())
    assert "--cv learns several times from rows in memory" in failed("fit", path, "-t", target, "--stream", "--cv", 3)
    assert "PocketPerceptron needs all rows" in failed("fit", path, "-t", target, "--stream", "--model", "pocket")
    assert "did you mean 'x1'" in failed("fit", path, "-t", "X1", "--stream")
    X, y = rows()
    lists, target, _, _ = written(tmp_path, "lists.parquet", X, y)
    assert "holds lists of numbers" in failed("fit", lists, "-t", target, "--stream")


def test_the_command_goes_on_from_a_checkpoint(tmp_path, monkeypatch):
    path, target, _, _ = written(tmp_path, "csv", *rows())
    fit = ("fit", path, "-t", target, "--stream", "--model", "averaged", "--set", "tol=None")
    whole = done(*fit)
    saved = tmp_path / "state"
    passed = novikoff.training.checkpoint.GroupState.passed

    def stopping(self, number, *args):
        passed(self, number, *args)
        if number == 4:
            raise InputError("stopped here")

    with monkeypatch.context() as patch:
        patch.setattr(novikoff.training.checkpoint.GroupState, "passed", stopping)
        assert "stopped here" in failed(*fit, "--checkpoint", saved, "--checkpoint-every", 0)
    resumed = done(*fit, "--checkpoint", saved)
    assert resumed["learned"] == whole["learned"]
    assert resumed["weights"] == whole["weights"]
    assert not saved.exists()


def test_the_command_learns_on_a_cluster(tmp_path):
    path, frame = mails(tmp_path)
    model = tmp_path / "mails.nvk"
    fit = ("fit", path, "-t", "spam", "--text", "body", "--cluster", "local", "-o", model, "--json")
    found = subprocess.run(
        [sys.executable, "-m", "novikoff", *map(str, fit)], capture_output=True, text=True, check=False, timeout=300
    )
    assert found.returncode == 0, found.stderr
    told = json.loads(found.stdout)
    assert told["model"]["class"] == "AveragedPerceptron"
    assert told["quality"]["accuracy"] > 0.95
    problem = told["learned"]["problems"][0]
    assert problem["status"] == "separated"
    assert problem["updates"] <= problem["mistake_bound"]
    assert type(novikoff.load(model)[-1]) is AveragedPerceptron
    assert (novikoff.load(model).predict(frame) == frame.spam).mean() > 0.95


def test_the_command_says_what_a_cluster_cannot(tmp_path):
    path, _ = mails(tmp_path)
    fit = ("fit", path, "-t", "spam", "--text", "body", "--cluster")
    assert "the models are arow, averaged, perceptron, scw, not pa" in failed(*fit, "local", "--model", "pa")
    assert "for a fit in one process" in failed(*fit, "local", "--cache", tmp_path)
    assert "has no setting 'n_shard'" in failed(*fit, "local", "--set", "n_shard=2")
    assert "No cluster answers at nowhere" in failed(*fit, "nowhere")


def test_a_stream_too_small_to_hold_rows_out_is_refused(tmp_path):
    """There would be nothing to measure on, and an accuracy that is no number."""
    (tmp_path / "few.csv").write_text("x,y\n1,a\n2,b\n3,a\n")
    with pytest.raises(InputError, match="was left to measure on"):
        fit(FitRequest(str(tmp_path / "few.csv"), "y", stream=True))
