"""Model files: what goes in comes out, and nothing else ever does."""

import contextlib
import json
import os
import pickle
import subprocess
import sys
import warnings
import zipfile
from importlib import resources
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.base import BaseEstimator
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import novikoff
from novikoff import Perceptron, datasets, load, save
from novikoff.atomic import replacing
from novikoff.errors import InputError
from novikoff.registry import SHORT_NAMES
from novikoff.training import outcomes, problems
from novikoff.workflow import format1, pipelines
from novikoff.workflow import model_files as files
from novikoff.workflow.recipe import Recipe


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.nvk"


@pytest.mark.parametrize("name", SHORT_NAMES)
@pytest.mark.parametrize("classes", [2, 3])
def test_every_learner_comes_back_as_it_was(path, name, classes):
    X, y = load_iris(return_X_y=True)
    X, y = X[y < classes], np.array(["setosa", "versicolor", "virginica"])[y[y < classes]]
    model = make_pipeline(StandardScaler(), pipelines.make_learner(name))
    with pipelines.collect_warnings():
        model.fit(X, y)
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


@pytest.mark.parametrize("place", range(0, 400, 7))
def test_damage_of_the_directory_is_refused_or_does_not_matter(path, place):
    saved(path)
    content = bytearray(path.read_bytes())
    content[-place - 1] ^= 0xFF  # the directory of the archive is at its end
    path.write_bytes(content)
    with contextlib.suppress(files.ModelFileError):  # any other exception is none of ours
        load(path)


def test_damage_of_what_is_compressed_is_refused(path):
    saved(path)
    content = bytearray(path.read_bytes())
    begin = content.find(b"schema.json") + 20
    content[begin : begin + 200] = b"\xff" * 200
    path.write_bytes(content)
    assert "not a model file" in refusal(path)


def test_a_cut_file_is_refused(path):
    saved(path)
    whole = path.read_bytes()
    for length in range(0, len(whole), max(1, len(whole) // 50)):
        path.write_bytes(whole[:length])
        refusal(path)


FORMAT1 = Path(__file__).parent / "models" / "format1"
EXPECTED = json.loads((FORMAT1 / "expected.json").read_text())


@pytest.mark.parametrize("name", EXPECTED["models"])
def test_a_model_of_format_1_predicts_as_it_did_learns_on_and_is_saved_again(path, name):
    X, expected = np.array(EXPECTED["rows"]), EXPECTED["models"][name]

    def check(model):
        assert type(model).__name__ == expected["class"]
        assert model.predict(X).tolist() == expected["predict"]
        if "decision_function" in expected:
            np.testing.assert_allclose(model.decision_function(X), expected["decision_function"], rtol=1e-9, atol=1e-9)
        assert_learns_on(model, X, np.resize(model.classes_, len(X)))

    assert files.read_head(FORMAT1 / f"{name}.nvk")["version"] == 1
    check(load(FORMAT1 / f"{name}.nvk"))
    save(load(FORMAT1 / f"{name}.nvk"), path)
    assert files.read_head(path)["version"] == files.VERSION == 2
    check(load(path))


def assert_learns_on(model, X, y):
    """A later fit, from what it knows and from nothing, works."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        if hasattr(model, "partial_fit"):
            model.partial_fit(X, y)
        assert model.fit(X, y).predict(X).shape == y.shape


def test_a_model_of_the_command_of_format_1_predicts_and_tells_its_recipe(tmp_path):
    table = pd.read_csv(resources.files("novikoff.data").joinpath("dating.csv"), dtype=str)
    model, notes = files.load_with_notes(FORMAT1 / "command.nvk")
    assert (model.predict(table) == table["约会"]).mean() > 0.7
    assert notes["recipe"]["target"] == "约会"
    save(model, tmp_path / "again.nvk", **notes)
    again, kept = files.load_with_notes(tmp_path / "again.nvk")
    assert kept == notes
    assert np.array_equal(again.decision_function(table), model.decision_function(table))


def test_attributes_can_be_gathered_into_one_object(path):
    """As a later version may have to of those of format 1."""
    skops.io.dump(Perceptron().fit(*datasets.logic_gate("and")), path)
    with zipfile.ZipFile(path) as archive:
        attributes = json.loads(archive.read("schema.json"))["content"]
    upgrade = format1.Upgrade(
        "learners.perceptron.Perceptron",
        {"tol": "tolerance"},
        {"inner": format1.Gathered("learners.perceptron.Perceptron", {"coef_": "w", "none": "nothing"})},
    )
    node = format1.upgraded_attributes(attributes, upgrade)
    assert {"tolerance", "inner"} <= set(node["content"])
    assert not {"tol", "coef_"} & set(node["content"])
    assert len(node["key_types"]["content"]) == len(node["content"])
    inner = node["content"]["inner"]
    assert list(inner["content"]["content"]) == ["w"]
    assert inner["content"]["content"]["w"] == attributes["content"]["coef_"]


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


def test_a_model_file_whose_recipe_is_damaged_is_refused_in_a_sentence():
    good = {"kinds": {"a": "number"}, "target": "y", "missing": "refuse", "width": 1, "marks": []}
    assert Recipe.from_notes({"recipe": good}, "m.nvk").target == "y"
    for notes in (None, 1.5, {"recipe": None}, {"recipe": good | {"marks": 3}}, {"recipe": good | {"kinds": []}}):
        with pytest.raises(InputError, match="is damaged"):
            Recipe.from_notes(notes, "m.nvk")


def test_update_counts_are_kept_small_and_still_answer(tmp_path):
    X, y = datasets.planted_margin(20_000, 5, 0.05, random_state=0)
    model = Perceptron().fit(X, y)
    counts = model.update_counts_
    assert (counts.shape, int(counts.sum())) == ((20_000,), model.n_updates_)
    text = pickle.dumps(model)
    assert len(text) < 20_000
    save(model, tmp_path / "model.nvk")
    for again in (pickle.loads(text), load(tmp_path / "model.nvk")):
        assert np.array_equal(again.update_counts_, counts)
        assert again.certificate_.proved(X, y).verdict == "separable"


def test_more_update_counts_than_are_kept_are_not_there(monkeypatch):
    monkeypatch.setattr(problems, "LARGEST_KEPT", 100)
    monkeypatch.setattr(outcomes, "LARGEST_KEPT", 100)
    X, y = datasets.planted_margin(50, 2, 0.2, random_state=0)
    kept, not_kept = (Perceptron(order="cyclic").fit(np.vstack([X] * n), np.tile(y, n)) for n in (2, 3))
    assert kept.update_counts_.shape == (100,)
    assert (not_kept.status_, not_kept.score(X, y)) == ("separated", 1)
    with pytest.raises(AttributeError, match="no update_counts_"):
        _ = not_kept.update_counts_
