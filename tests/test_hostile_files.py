"""Model files that someone made to do harm: refused in one sentence, soon, and without running anything."""

import io
import json
import pickle
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

from novikoff import MultilayerPerceptron, Perceptron, VotedPerceptron, datasets, load, save
from novikoff.workflow import model_files

SLOWER = 30
"""How many times as long as loading a small model a refusal may take."""


class Harm:
    """Unpickled, it writes a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.write_text, (self.path, "harm")


@pytest.fixture
def model(tmp_path):
    """A good file."""
    save(Perceptron().fit(*datasets.logic_gate("and")), tmp_path / "good.nvk")
    return tmp_path / "good.nvk"


def members(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def forged(path, parts):
    """An archive of these members with the digest that belongs to them: a digest is no signature."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            if name != "novikoff.json":
                archive.writestr(name, content)
    head = json.loads(parts["novikoff.json"])
    with zipfile.ZipFile(path, "a") as archive:
        head["sha256"] = model_files.digest(archive, head)
        archive.writestr("novikoff.json", json.dumps(head))
    return path


def with_schema(parts, change):
    schema = json.loads(parts["schema.json"])
    change(schema)
    return parts | {"schema.json": json.dumps(schema)}


def with_array(parts, content):
    return {name: content if name.endswith(".npy") else part for name, part in parts.items()}


def array_of_shape(shape):
    """The head of an array of this shape, and nothing after it."""
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, {"descr": "<f8", "fortran_order": False, "shape": shape})
    return out.getvalue() + bytes(64)


def array_of_objects(harm):
    out = io.BytesIO()
    np.save(out, np.array([harm], dtype=object), allow_pickle=True)
    return out.getvalue()


def of_type(module, name):
    return lambda schema: schema.update({"__module__": module, "__class__": name})


def deep(depth):
    return '{"a":' * depth + "1" + "}" * depth


def corpus(parts, harm):
    """Names of attacks, and what each makes of the members of a good file."""
    return {
        "a call of the system": with_schema(parts, of_type("os", "system")),
        "a call of eval": with_schema(parts, of_type("builtins", "eval")),
        "a type of another library": with_schema(parts, of_type("subprocess", "Popen")),
        "a module that is not loaded yet": with_schema(parts, of_type("antigravity", "webbrowser")),
        "a loader that is not one": with_schema(parts, lambda schema: schema.update({"__loader__": "ReduceNode"})),
        "an attribute that is a method": with_schema(
            parts, lambda s: s["content"]["content"].update({"fit": {"__module__": "os", "__class__": "system"}})
        ),
        "a schema deeper than the stack": parts | {"schema.json": deep(100_000)},
        "a schema that is a list": parts | {"schema.json": "[]"},
        "a shape of a million billion": with_array(parts, array_of_shape((10**15,))),
        "a shape of four billion numbers": with_array(parts, array_of_shape((2**16, 2**16))),
        "a negative shape": with_array(parts, array_of_shape((-1, 8))),
        "a pickle in an array": with_array(parts, array_of_objects(harm)),
        "no array": {name: part for name, part in parts.items() if not name.endswith(".npy")},
        "a path out of the archive": parts | {"../../../../tmp/harm": b"harm"},
        "an absolute path": parts | {"/etc/harm": b"harm"},
        "a path of another system": parts | {"..\\harm": b"harm"},
        "a head that is no head": parts | {"novikoff.json": json.dumps({"format": "novikoff model", "version": "2"})},
    }


def seconds(action):
    start = time.thread_time()  # whatever other threads do
    try:
        action()
    finally:
        seconds.last = time.thread_time() - start


def refusal(path):
    with pytest.raises(model_files.ModelFileError) as error:
        seconds(lambda: load(path))
    text = str(error.value)
    assert str(path) in text
    assert "\n" not in text.strip() or len(text) < 2000
    return text


def time_of_refusal(path):
    refusal(path)
    return seconds.last


def test_a_hostile_file_is_refused_soon_and_runs_nothing(model, tmp_path):
    harm = tmp_path / "harm"
    load(model)
    seconds(lambda: load(model))
    allowed = SLOWER * max(seconds.last, 0.01)
    for name, parts in corpus(members(model), Harm(harm)).items():
        path = forged(tmp_path / "bad.nvk", parts)
        assert any(time_of_refusal(path) < allowed for _ in range(3)), name  # once the collector may come between
        assert not harm.exists(), name


@pytest.mark.parametrize("gigabytes", [1, 100])
def test_a_bomb_is_not_decompressed(model, tmp_path, gigabytes):
    """Its members share their bytes, as the worst ones do, or say that they are longer than any model."""
    path = tmp_path / "bomb.nvk"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(1 << 20))
        for item in archive.filelist:
            item.file_size = gigabytes << 30
    seconds(lambda: load(model))
    allowed = SLOWER * max(seconds.last, 0.01)
    assert "would decompress" in refusal(path)
    assert seconds.last < allowed


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name(model, tmp_path):
    path = forged(tmp_path / "twice.nvk", members(model))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("schema.json", "{}")
    assert "two of one name" in refusal(path)


def test_a_pickle_is_no_model(tmp_path):
    path = tmp_path / "model.nvk"
    path.write_bytes(pickle.dumps(Harm(tmp_path / "harm")))
    refusal(path)
    assert not (tmp_path / "harm").exists()


def test_a_model_of_zeros_is_loaded_again(tmp_path, monkeypatch):
    """What compresses as well as a bomb is written as it is."""
    monkeypatch.setattr(model_files, "UNSUSPECTED", 2**16)
    X = np.zeros((2, 100_000))
    X[:, 0] = 0, 1
    model = Perceptron(order="cyclic").fit(X, [0, 1])
    save(model, tmp_path / "zeros.nvk")
    assert (load(tmp_path / "zeros.nvk").coef_ == model.coef_).all()


@pytest.mark.parametrize(
    ("trusted", "make"),
    [
        ("AdamOptimizer", lambda: MultilayerPerceptron(max_iter=2)),
        ("SGDOptimizer", lambda: MultilayerPerceptron(solver="sgd", max_iter=2)),
        ("VotedPerceptron", VotedPerceptron),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_type_that_is_not_trusted_cannot_even_be_saved(tmp_path, monkeypatch, trusted, make):
    model = make().fit(*datasets.logic_gate("xor"))
    save(model, tmp_path / "model.nvk")
    monkeypatch.setattr(
        model_files, "TRUSTED", [name for name in model_files.TRUSTED if not name.endswith(f".{trusted}")]
    )
    with pytest.raises(model_files.ModelFileError, match=trusted):
        save(model, tmp_path / "other.nvk")
    assert not (tmp_path / "other.nvk").exists()
    with pytest.raises(model_files.ModelFileError, match=trusted):
        load(tmp_path / "model.nvk")
