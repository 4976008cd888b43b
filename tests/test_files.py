"""Model files: what goes in comes out, and nothing else ever does."""

import json
import os
import pickle
import subprocess
import sys
import zipfile

import numpy as np
import pytest
import skops.io
from sklearn.base import BaseEstimator
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import novikoff
from novikoff import Perceptron, datasets, load, save
from novikoff.atomic import replacing
from novikoff.workflow import model_files as files
from novikoff.workflow import pipelines


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.nvk"


@pytest.mark.parametrize("name", pipelines.available())
@pytest.mark.parametrize("classes", [2, 3])
def test_every_learner_comes_back_as_it_was(path, name, classes):
    X, y = load_iris(return_X_y=True)
    X, y = X[y < classes], np.array(["setosa", "versicolor", "virginica"])[y[y < classes]]
    model = make_pipeline(StandardScaler(), pipelines.learner(name))
    pipelines.quiet_fit(model, X, y)
    save(model, path)
    back = load(path)
    assert type(back[-1]) is type(model[-1])
    assert back[-1].get_params() == model[-1].get_params()
    assert np.array_equal(back.predict(X), model.predict(X))
    if hasattr(model, "decision_function"):
        assert np.array_equal(back.decision_function(X), model.decision_function(X))
    for attribute in ("coef_", "n_updates_", "status_", "margin_", "mistake_bound_", "update_counts_"):
        if hasattr(model[-1], attribute):
            assert np.array_equal(getattr(back[-1], attribute), getattr(model[-1], attribute))


def test_the_certificate_and_the_versions_are_in_the_file(path):
    model = Perceptron().fit(*datasets.logic_gate("xor"))
    save(model, path, purpose="a test")
    assert load(path).certificate_.witness == model.certificate_.witness
    head = files.read_head(path)
    assert head["made with"]["novikoff"] == novikoff.__version__
    assert head["certificate"] == [model.certificate_.summary()]
    assert head["about"] == {"purpose": "a test"}


def with_head(path, **changes):
    """Change what a file says of itself, with a digest to match."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    head = json.loads(members.pop("novikoff.json")) | changes
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        head["sha256"] = files.digest(archive, head)
        archive.writestr("novikoff.json", json.dumps(head))


def saved(path):
    save(Perceptron().fit(*datasets.logic_gate("and")), path)


def refusal(path):
    with pytest.raises(files.ModelFileError) as refused:
        load(path)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_a_newer_version_is_refused_in_words(path):
    saved(path)
    with_head(path, version=files.VERSION + 1, **{"made with": {"novikoff": "9.9"}})
    assert "written by novikoff 9.9" in refusal(path)
    assert "install a newer one" in refusal(path)


def test_a_changed_file_is_refused(path):
    saved(path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("more", b"something")
    assert "digest differs" in refusal(path)


@pytest.mark.parametrize("content", [b"", b"junk", b"PK\x03\x04junk", pickle.dumps([1])])
def test_other_files_are_refused(path, content):
    path.write_bytes(content)
    assert "not a model file" in refusal(path)


def test_a_cut_file_is_refused(path):
    saved(path)
    whole = path.read_bytes()
    for length in range(0, len(whole), max(1, len(whole) // 50)):
        path.write_bytes(whole[:length])
        refusal(path)


class Dropper(BaseEstimator):
    """What a stranger might send: a pickle of it would write a file."""

    def __reduce__(self):
        return os.system, ("touch evil",)


@pytest.mark.parametrize(
    "model", [Dropper(), FunctionTransformer(os.system), FunctionTransformer(eval), make_pipeline(Dropper())], ids=str
)
def test_a_malicious_file_is_refused_and_runs_nothing(path, tmp_path, monkeypatch, model):
    """Its head and its digest are right, but its types are neither ours nor known to be safe."""
    monkeypatch.chdir(tmp_path)
    skops.io.dump(model, path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("novikoff.json", json.dumps({"format": "novikoff model", "version": 1, "about": {}}))
    with_head(path)
    assert "not trusted" in refusal(path)
    assert os.listdir(tmp_path) == ["model.nvk"]


def test_what_could_not_be_loaded_is_not_saved(path):
    with pytest.raises(files.ModelFileError, match="not trusted"):
        save(make_pipeline(Dropper()), path)
    assert not list(path.parent.iterdir())


def test_a_file_is_written_whole_or_not_at_all(path):
    path.write_text("before")

    def interrupted():
        with replacing(path) as part:
            part.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "before"
    assert [file.name for file in path.parent.iterdir()] == ["model.nvk"]
    with replacing(path) as part:
        part.write_text("after")
    assert path.read_text() == "after"


def test_loading_is_possible_in_a_new_process(path):
    saved(path)
    code = f"import novikoff; print(novikoff.load({str(path)!r}).predict([[1, 1]]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[1]"
