"""Published data sets: in the package, from a folder, from their source; and what is said when they cannot be had."""

import hashlib
import re
from pathlib import Path

import numpy as np
import pytest
import sklearn.datasets

from novikoff import certify, datasets, separation
from novikoff.data import downloads, public_sets
from novikoff.data.downloads import Download
from novikoff.data.public_sets import PUBLIC_SETS, PublicSet, fetch

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SHIPPED = ("dating", "endometrial", "lizards", "silvapulle")


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """No folder of data; an empty cache."""
    monkeypatch.delenv("NOVIKOFF_DATA", raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def source(nowhere, monkeypatch):
    """A set of two rows whose public source is a file."""
    path = nowhere / "small.csv"
    path.write_text("0.5,1,R\n0.25,2,M\n")
    file = Download(path.as_uri(), hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_size)
    entry = PublicSet(lambda p: public_sets.numbers(p, ("R", "M")), ("small.npz",), "CC0", "nobody", (file,))
    monkeypatch.setitem(PUBLIC_SETS, "small", entry)
    return path


@pytest.mark.usefixtures("nowhere")
@pytest.mark.parametrize("name", SHIPPED)
def test_small_tables_come_with_the_package(name):
    table = datasets.fetch(name)
    assert table.data.shape[0] == len(table.target)
    assert Path(table.filename).is_file()
    assert table.licence
    assert table.source


@pytest.mark.usefixtures("nowhere")
def test_what_is_known_of_the_shipped_tables():
    table = fetch("endometrial")
    assert separation(table.data, table.target).coefficients == {
        "0": "+inf",
        "1": "finite",
        "2": "finite",
        "(Intercept)": "finite",
    }
    table = fetch("silvapulle")
    assert certify(table.data, table.target).verdict == "quasi-separable"
    table = fetch("lizards")
    assert table.target.astype(float).sum(axis=0).tolist() == [431, 133]


def test_a_set_is_downloaded_once_and_checked(source):
    for _ in range(2):
        bunch = fetch("small", verbose=0)
        assert bunch.data.tolist() == [[0.5, 1], [0.25, 2]]
        assert bunch.target.tolist() == [0, 1]
        assert bunch.licence == "CC0"
        source.unlink(missing_ok=True)  # the second time it is in the cache
    Path(bunch.filename).write_text("0,0,R\n")  # damaged since
    with pytest.raises(ValueError, match=r"^small is not on this machine and .*: connect to the network"):
        fetch("small", verbose=0)


@pytest.mark.parametrize("text", ["0.5,1,R\n0.25,3,M\n", "0.5,1,R\n0.25,2,M\n0.25,2,M\n", ""])
def test_a_source_that_changed_is_not_kept(source, text):
    source.write_text(text)
    with pytest.raises(ValueError, match="is not the file that it was"):
        fetch("small", verbose=0)
    assert not list(downloads.cache_folder("small").iterdir())


def test_progress_is_shown_on_the_error_output(source, capfd):
    assert len(fetch("small", verbose=1).target) == 2
    assert "bytes" in capfd.readouterr().err


def test_without_a_network_it_is_one_sentence(nowhere, monkeypatch):
    entry = PublicSet(PUBLIC_SETS["sonar"].read, ("x.npz",), "", "", (Download("http://127.0.0.1:9/x.csv", "0", 1),))
    monkeypatch.setitem(PUBLIC_SETS, "small", entry)
    with pytest.raises(
        ValueError, match=r"^small is not on this machine and http://127\.0\.0\.1:9/x\.csv cannot be read"
    ):
        fetch("small")
    monkeypatch.setitem(PUBLIC_SETS, "small", PublicSet(entry.read, ("x.npz",), "", "", fetch=refuse))
    with pytest.raises(ValueError, match=r"^small is not on this machine and could not be fetched \(no route\)"):
        fetch("small")


def refuse():
    raise OSError("no route")


def test_without_a_folder_to_keep_it_in(nowhere, monkeypatch):
    (nowhere / "file").touch()
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(nowhere / "file" / "cache"))
    with pytest.raises(ValueError, match=r"^There is no folder to keep sonar in .*: set SCIKIT_LEARN_DATA"):
        fetch("sonar")


@pytest.mark.usefixtures("nowhere")
def test_a_name_that_is_not_there_and_a_set_without_a_public_file():
    with pytest.raises(ValueError, match="There is no data set 'sonnar'; choose one of dating, "):
        fetch("sonnar")
    with pytest.raises(ValueError, match=r"imdb has no public file of this form: put imdb_counts.* NOVIKOFF_DATA"):
        fetch("imdb")


@pytest.mark.usefixtures("real_data")
@pytest.mark.parametrize(("name", "shape"), [("sonar", (208, 60)), ("heart", (270, 13)), ("penguins", (344, 7))])
def test_a_folder_is_looked_into(name, shape):
    bunch = fetch(name)
    assert bunch.data.shape == shape
    assert len(np.unique(bunch.target)) == (3 if name == "penguins" else 2)


@pytest.mark.usefixtures("real_data")
def test_an_official_split_is_kept():
    bunch = fetch("mushrooms")
    assert (len(bunch.train), len(bunch.test)) == (6513, 1611)
    assert certify(bunch.data[bunch.train], bunch.target[bunch.train]).verdict == "separable"


@pytest.mark.parametrize("page", ["data.md", "data.zh.md"])
def test_the_page_lists_every_set_with_its_licence(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    rows = {cells[1].strip(" `"): cells for line in text.splitlines() if len(cells := line.split("|")) == 6}
    for name, entry in PUBLIC_SETS.items():
        assert name in rows
        if page == "data.md":
            assert entry.licence in rows[name][3]
            assert entry.source in rows[name][4]
    assert sets_of_sklearn() <= set(rows)
    copies = {name for name, entry in PUBLIC_SETS.items() if entry.downloads or entry.fetch}
    assert copies == {
        name for line in text.splitlines() if line.count("|") == 4 for name in re.findall("`(.*?)`", line)
    }


def sets_of_sklearn():
    """The functions of scikit-learn by which the project reads data that come with it."""
    tables = {"load_breast_cancer", "load_diabetes", "load_digits", "load_iris", "load_linnerud", "load_wine"}
    assert tables <= set(sklearn.datasets.__all__)
    files = [path for path in ROOT.glob("[!.]*/**/*") if path.suffix in (".py", ".md", ".ipynb", ".json")]
    return {
        name for path in files for name in re.findall(r"\bload_\w+(?=\()", path.read_text(encoding="utf-8"))
    } & tables
