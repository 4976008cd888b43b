"""Proofs of rows that are not all in memory: the same verdicts as in memory, and proofs that the checker accepts."""

import gzip
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from operator import mul

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import dump_svmlight_file
from typer.testing import CliRunner

from novikoff import certify, check, datasets
from novikoff.certificates.check import Labels
from novikoff.cli import app
from novikoff.data.open_files import Reading
from novikoff.data.streamed_table import streamed_table
from novikoff.errors import InputError
from novikoff.exact.ratios import ratios_of, stack_ratios
from novikoff.proofs import in_passes
from novikoff.proofs.question import Question
from novikoff.scale import block_files
from novikoff.scale.exact_sources import ExactBatch, RowSource, file_source


@pytest.fixture
def few(monkeypatch):
    """So few numbers in memory that small tables are read in passes."""
    for module in (in_passes, sys.modules["novikoff.proofs.certify"]):
        monkeypatch.setattr(module, "NUMBERS", 24)


@dataclass(frozen=True)
class ListSource(RowSource):
    """Rows in memory, a few in each batch, that are counted when they are read."""

    X: object
    labels: np.ndarray
    size: int

    def batches(self):
        for first in range(0, len(self.labels), self.size):
            some = slice(first, first + self.size)
            yield ExactBatch(first, self.X[some], self.labels[some], "The list")


def source_of(X, y, size=4):
    classes, labels = np.unique(y, return_inverse=True)
    return ListSource(classes, np.bincount(labels), X.shape[1], None, False, X, labels, size)


tables = st.integers(0, 2**32 - 1).map(np.random.default_rng)


@given(tables, st.booleans(), st.integers(2, 3), st.sampled_from(["ovr", "ovo"]), st.booleans())
def test_passes_decide_as_memory_does(random, intercept, classes, multi_class, sparse):
    """On whole numbers, separable and not, with three rows or so of every class to begin with."""
    n, d = int(random.integers(8, 40)), int(random.integers(1, 5))
    X = random.integers(-3, 4, size=(n, d)).astype(float)
    y = np.argmax(X @ random.integers(-3, 4, size=(d, classes)) + random.integers(-1, 2, size=classes), axis=1)
    y[:classes] = range(classes)
    X = sp.csr_matrix(X) if sparse else X
    with pytest.MonkeyPatch.context() as patch:
        for module in (in_passes, sys.modules["novikoff.proofs.certify"]):
            patch.setattr(module, "NUMBERS", 6 * d)
        found = certify(source_of(X, y), None, fit_intercept=intercept, multi_class=multi_class)
    known = certify(X, y, fit_intercept=intercept, multi_class=multi_class, quasi=False)
    pairs = [(found, known)] if classes == 2 else [(found[key], known[key]) for key in known]
    for here, there in pairs:
        assert here.verdict == there.verdict
        if here.verdict == "separable":
            assert here.margin[0] <= there.margin[1]
            assert there.margin[0] <= here.margin[1]
            assert here.margin[1] - here.margin[0] <= 1.0001e-3 * here.margin[1]
            assert here.collinear == there.collinear
    verdict = check(found, X, y, fit_intercept=intercept)
    assert verdict.accepted, verdict.finding


@pytest.mark.parametrize("noise", [False, True])
def test_rows_of_every_size_are_told_apart_exactly(few, noise):
    """Columns whose sizes differ by 10^200, and a row that lies on the plane but for its last bit."""
    X = np.array([[1.0, 1e200], [2.0, -1e200], [1.0 + 2**-52, 0.0], [-1.0, 3e199], [-2.0, -1e200], [-1.5, 1e200]] * 6)
    y = (X[:, 0] > 0).astype(int)
    y[-1] ^= noise
    found = certify(source_of(X, y), None)
    assert found.verdict == certify(X, y, quasi=False).verdict
    assert check(found, X, y).accepted


def test_the_lowest_margin_is_the_lowest_where_floats_cannot_tell(few):
    """Rows whose margins differ by less than floats round; and so short that floats take their squares for 0."""
    for seed in range(20):
        random = np.random.default_rng(seed)
        intercept = seed < 10
        plane = [int(v) for v in random.integers(-(2**50), 2**50, size=5 + intercept)]
        X = random.normal(size=5) * (1 + random.integers(0, 4, size=(40, 5)) * 2.0**-52) * (1 if intercept else 1e-200)
        look = in_passes.PlaneLook(Question(None, 1, 0, ("1", "0")), plane, np.inf, 3)
        seen = look.at(ExactBatch(7, X, np.ones(40, dtype=int), ""), intercept)
        exact = [sum(map(mul, map(Fraction, [*row.tolist(), 1]), plane)) for row in X]
        assert seen.lowest == min(exact)
        assert len(seen.rows.rows) == 3
        assert {7 + k for k in range(40)} > set(seen.rows.rows.tolist())


def test_ratios_below_each_other():
    parts = [[[Fraction(1, 3), Fraction(2)]], [[Fraction(1, 7), Fraction(10**30)]]]
    stacked = stack_ratios([ratios_of(part) for part in parts])
    assert [stacked.row(k) for k in range(2)] == [row for part in parts for row in part]


def planted(n=300, d=4, noise=0):
    X, y = datasets.planted_margin(n, d, 0.05, random_state=0)
    X = np.round(X, 6)
    y[:noise] = -y[:noise]
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(d)]).assign(y=y)


def write(folder, frame, kind):
    """The frame in a file, or in two of a folder; the path, and the target."""
    X, y, path = frame.drop(columns="y"), frame["y"], folder / f"data.{kind}"
    if kind == "parquet":
        pq.write_table(pa.Table.from_pandas(frame), path, row_group_size=70)
    elif kind == "feather":
        pyarrow.feather.write_feather(frame, path, chunksize=70)
    elif kind == "csv":
        frame.to_csv(path, index=False)
    elif kind == "quoted.csv":
        frame.to_csv(path, index=False, quoting=1)
    elif kind == "csv.gz":
        path.write_bytes(gzip.compress(frame.to_csv(index=False).encode()))
    elif kind == "libsvm":
        dump_svmlight_file(X, y, str(path), zero_based=False)
        return path, None
    else:
        path.mkdir()
        frame[:170].to_csv(path / "a.csv", index=False)
        frame[["x1", "y", "x3", "x0", "x2"]][170:].to_csv(path / "b.csv", index=False)
    return path, "y"


KINDS = ("parquet", "feather", "csv", "quoted.csv", "csv.gz", "libsvm", "folder")


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(block_files, "RANGE_BYTES", 2000)


@pytest.mark.parametrize("noise", [0, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_files_of_every_kind(tmp_path, few, small_blocks, kind, noise):
    frame = planted(noise=noise)
    path, target = write(tmp_path, frame, kind)
    found, X = certify(path, target), frame.drop(columns="y")
    given = X if kind in ("parquet", "feather", "libsvm") else X.map(repr)
    known = certify(given, frame["y"])
    assert found.verdict == known.verdict
    verdict = check(found, given, frame["y"])
    assert verdict.accepted, verdict.finding
    assert found.proof["data"] == known.proof["data"]
    assert (found.coef is None) == bool(noise)


@pytest.mark.parametrize("kind", KINDS)
def test_small_files_are_answered_as_in_memory(tmp_path, kind):
    frame = planted(60)
    path, target = write(tmp_path, frame, kind)
    found, X = certify(path, target), frame.drop(columns="y")
    given = X if kind in ("parquet", "feather", "libsvm") else X.map(repr)
    assert found.to_dict() == certify(given.to_numpy() if kind == "libsvm" else given, frame["y"]).to_dict()


def done(*arguments):
    found = CliRunner().invoke(app, [*map(str, arguments)])
    assert found.exit_code == 0, found.output
    return found.output


@pytest.mark.parametrize("kind", KINDS)
def test_the_command_certifies_and_checks_in_passes(tmp_path, few, small_blocks, kind):
    frame = planted()
    path, target = write(tmp_path, frame, kind)
    proof, asked = tmp_path / "proof.json", ["--target", target] if target else []
    told = done("certify", path, *asked, "--stream", "-o", proof)
    assert "separable: a plane has every row on its right side" in " ".join(told.split())
    again = " ".join(told.split()).partition("check it with: novikoff ")[2].split()
    assert ("--stream" in again) == (kind != "folder")
    assert "accepted: separable" in done(*again)
    if kind != "folder":
        again.remove("--stream")
        assert "accepted: separable" in done(*again)
    text = proof.read_text().replace('"positive": "1"', '"positive": "2"')
    proof.write_text(text)
    refused = CliRunner().invoke(app, [*again])
    assert refused.exit_code in (1, 3)


def test_a_proof_of_other_rows_is_refused_in_passes(tmp_path, few):
    path, _ = write(tmp_path, planted(), "csv")
    proof = tmp_path / "proof.json"
    done("certify", path, "-t", "y", "--stream", "-o", proof)
    path.write_text(path.read_text().replace("0.1", "0.2", 1))
    refused = CliRunner().invoke(app, ["check", str(proof), str(path), "-t", "y", "--stream"])
    assert refused.exit_code == 1
    assert "their digests differ" in refused.output


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_file_that_is_changed_between_passes_is_refused(tmp_path, few, small_blocks, kind):
    path, target = write(tmp_path, planted(), kind)
    passes = set()

    def change(text):
        passes.add(text)
        if len(passes) == 2:
            os.utime(path, ns=(1, 1))

    with pytest.raises(InputError, match="was changed while it was read"):
        certify(path, target, progress=change)


def test_what_needs_memory_is_refused(tmp_path, few):
    path, _ = write(tmp_path, planted(), "csv")
    with pytest.raises(ValueError, match="kernel='rbf' needs all rows in memory"):
        certify(path, "y", kernel="rbf")
    with pytest.raises(ValueError, match="quasi=True needs all rows in memory"):
        certify(path, "y", quasi=True)
    for option in (["--fewest-errors"], ["--categorical", "x0"]):
        found = CliRunner().invoke(app, ["certify", str(path), "-t", "y", "--stream", *option])
        assert found.exit_code == 2
        assert f"{option[0]} needs all rows in memory" in found.output


def test_wrong_input_is_one_sentence(tmp_path, few):
    frame = planted()
    path, _ = write(tmp_path, frame.assign(name=["a", "b", "c"] * 100), "csv")
    with pytest.raises(InputError, match=r"Column 'name' of .* holds no plain numbers \(category\)"):
        certify(path, "y")
    assert "separable" in done("certify", path, "-t", "y", "--stream", "--drop", "name")
    path, _ = write(tmp_path, frame.assign(x0=frame["x0"].where(frame.index != 250)), "parquet")
    with pytest.raises(InputError, match=r"no value in column 'x0'|contains NaN"):
        certify(path, "y")
    with pytest.raises(InputError, match="y is the name of the column"):
        certify(path, [0, 1])
    with pytest.raises(InputError, match="one value only"):
        certify(write(tmp_path, frame.assign(y=1), "csv")[0], "y")


def test_time_that_is_up_leaves_the_question_open(tmp_path, few):
    path, _ = write(tmp_path, planted(), "csv")
    found = certify(path, "y", time_limit=0)
    assert (found.verdict, found.reason) == ("unknown", "the time limit was reached")


def test_collinear_columns_are_found_in_all_rows(few):
    """A column that is constant but for one row is no relation; one that is constant is one."""
    frame = planted()
    X, y = frame.drop(columns="y").assign(c=3.0, d=5.0).to_numpy(), frame["y"].to_numpy()
    plane = certify(X, y)
    farthest = np.argmax(y * (X @ np.ravel(plane.coef) + plane.intercept))
    X[farthest, 5] += 1e-9
    found, known = certify(source_of(X, y), None), certify(X, y)
    assert found.collinear == known.collinear != []
    assert check(found, X, y).accepted


def test_labels_keep_each_text_once():
    labels = Labels(iter([1, "b", 1, None]))
    assert (list(labels), len(labels), labels[1], labels.texts) == (["1", "b", "1", "None"], 4, "b", ["1", "b", "None"])


def test_a_streamed_table_is_the_exact_table(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text('id,a,y\n1,"0.5",u\n2, 1e-3 ,v\n')
    rows, labels = streamed_table(str(path), Reading(), "y", ["id"])
    assert (list(rows), list(rows), list(labels)) == ([("0.5",), ("1e-3",)], [("0.5",), ("1e-3",)], ["u", "v"])
    path.write_text("a,y\n1,u\n2,\n3,v\n")
    with pytest.raises(InputError, match="the first in row 2"):
        streamed_table(str(path), Reading(), "y", [])


def test_lists_are_columns(tmp_path, few):
    frame = planted()
    X = frame.drop(columns="y").to_numpy()
    lists = pa.FixedSizeListArray.from_arrays(pa.array(X.ravel()), X.shape[1])
    path = tmp_path / "lists.parquet"
    pq.write_table(pa.table({"x": lists, "y": frame["y"]}), path, row_group_size=70)
    found = certify(path, "y")
    assert check(found, X, frame["y"]).accepted
    assert file_source(path, "y").names is None


@pytest.mark.parametrize("noise", [0, 3])
def test_passes_over_dask_run_where_the_rows_are(few, noise):
    dask, da, dd = (pytest.importorskip(name) for name in ("dask", "dask.array", "dask.dataframe"))
    frame = planted(noise=noise)
    X, y = frame.drop(columns="y"), frame["y"]
    arrays = da.from_array(X.to_numpy(), chunks=(70, 4)), da.from_array(y.to_numpy(), chunks=70)
    framed = dd.from_pandas(frame, npartitions=4), "y"
    for collection, target in (arrays, framed):
        with dask.config.set(scheduler="threads"):
            found = certify(collection, target)
        assert found.verdict == certify(X, y).verdict
        assert check(found, X, y).accepted
    assert found.names == list(X.columns)
    with pytest.raises(ValueError, match="one only"):
        certify(arrays[0], da.ones(300, chunks=70))


PEAK = """
import resource, sys
from novikoff.cli import app
try: app(sys.argv[1:])
except SystemExit: pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


@pytest.mark.skipif("NOVIKOFF_LONG" not in os.environ, reason="takes long: make test-long")
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak memory as Linux gives it")
def test_memory_does_not_grow_with_the_file(tmp_path):
    peaks, table = [], pa.Table.from_pandas(planted(20_000, 40))
    for groups in (2, 10):
        path, proof = tmp_path / "large.parquet", tmp_path / "proof.json"
        with pq.ParquetWriter(path, table.schema) as file:
            for _ in range(groups):
                file.write_table(table)
        told = []
        for arguments in (["certify", "--json", "-o", proof, path], ["check", "--json", proof, path]):
            found = subprocess.run(
                [sys.executable, "-c", PEAK, *arguments, "-t", "y", "--stream"],
                capture_output=True,
                text=True,
                check=True,
            )
            peaks.append(int(found.stderr.split()[-1]) * 1024)
            told.append(json.loads(found.stdout))
        assert told[0]["questions"][0]["verdict"] == "separable"
        assert told[1]["accepted"]
    size = 8 * 20_000 * 41 * 8
    assert peaks[2] - peaks[0] < 0.4 * size
    assert peaks[3] - peaks[1] < 0.4 * size
