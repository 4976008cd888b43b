"""What a learner can do once it is in the table: run by test_toy_learner.py on a house that has a toy learner more."""

import json
from importlib import resources

import numpy as np
import pytest
import reference
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from typer.testing import CliRunner

import novikoff
from novikoff import audit, datasets, load, record, save
from novikoff.cli import app
from novikoff.lab import controls, experiment, presets
from novikoff.scale.stream import fit_stream
from novikoff.workflow import compare


def toy(**params):
    return novikoff.ToyPerceptron(**params)


def done(*arguments):
    """What the command printed."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def rows():
    return datasets.planted_margin(60, 3, 0.1, random_state=0)


@pytest.fixture(scope="module")
def table(rows, tmp_path_factory):
    """The rows as a file."""
    X, y = rows
    path = tmp_path_factory.mktemp("toy") / "data.csv"
    lines = [",".join(map(repr, [*row, f"class {label}"])) for row, label in zip(X.tolist(), y.tolist(), strict=True)]
    path.write_text("\n".join(["a,b,c,y", *lines]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(("layout", "classes"), [(np.asarray, [0, 1, 2]), (sp.csr_array, [0, 1])])
def test_it_is_public_and_follows_its_rule(rows, layout, classes):
    X = np.round(10 * rows[0])
    y = np.arange(len(X)) % len(classes)
    with pytest.warns(ConvergenceWarning):
        model = toy(order="cyclic", max_iter=3, tol=None).fit(layout(X), y)
    augmented = np.column_stack([X, np.ones(len(X))]).astype(int).tolist()
    positive = classes if len(classes) > 2 else [1]
    runs = [
        reference.perceptron(augmented, np.where(y == c, 1, -1).tolist(), [range(len(X))] * 3, eta=0.5)
        for c in positive
    ]
    assert np.array_equal(np.column_stack([model.coef_, model.intercept_]), [weights for weights, _, _ in runs])
    assert np.atleast_1d(model.n_updates_).tolist() == [len(updated) for _, updated, _ in runs]


def test_its_theorem_bounds_its_updates(rows):
    model = toy().fit(*rows)
    assert model.status_ == "separated"
    assert 0 < model.n_updates_ <= model.mistake_bound_ < np.inf


def test_it_streams(rows, table):
    X, y = rows
    streamed = fit_stream(toy(order="cyclic"), table, "y")
    model = toy(order="cyclic").fit(X, [f"class {label}" for label in y])
    assert np.array_equal(streamed.coef_, model.coef_)
    assert streamed.status_ == model.status_ == "separated"


def test_its_runs_are_recorded_and_audited(rows):
    trace = record(toy(), *rows)
    assert set(np.abs(trace.problems[0].steps)) == {0.5}
    report = audit(trace)
    assert [chain.claim for chain in report.chains] == ["C10", "C19"]
    assert report.holds


def test_it_is_saved_and_loaded(rows, tmp_path):
    X, y = rows
    model = toy().fit(X, y)
    save(model, tmp_path / "toy.nvk")
    loaded = load(tmp_path / "toy.nvk")
    assert type(loaded) is type(model)
    assert np.array_equal(loaded.decision_function(X), model.decision_function(X))


def test_the_command_has_it(table, tmp_path):
    names = done("fit", "--help").split("--model")[1].split("--set")[0]
    assert "toy" in names
    result = json.loads(done("fit", table, "--target", "y", "--model", "toy", "-o", tmp_path / "m.nvk", "--json"))
    assert "ToyPerceptron" in json.dumps(result)
    assert type(load(tmp_path / "m.nvk")[-1]) is novikoff.ToyPerceptron
    assert done("predict", tmp_path / "m.nvk", table).count("class ") >= 60
    assert "toy" in done("fit", table, "--target", "y", "--model", "toy", "--stream")


def test_bench_has_it(table, monkeypatch):
    assert "toy" in compare.SHORT_NAMES
    monkeypatch.setattr(compare, "SHORT_NAMES", ("toy",))  # the others take their time to compile
    comparison = json.loads(done("bench", table, "--target", "y", "--cv", 2, "--json"))
    assert "toy" in [score["learner"] for score in comparison["learners"]]


def test_the_lab_has_it():
    offered = controls.table()["toy"]
    assert offered["kind"] == "plane"
    assert offered["audit"] == "novikoff"
    params = {control["name"]: control["default"] for control in offered["controls"]}
    assert params["max_iter"] == 100
    answer = experiment.run({"points": presets.points("and"), "learner": "toy", "params": params})
    assert answer["outcome"]["status"] == "separated"
    assert 0 < answer["charts"]["counts"][-1] <= answer["charts"]["bound"]
    assert all(line["holds"] for line in answer["audit"])
    assert "ToyPerceptron(" in answer["code"]
    for language in ("en", "zh"):
        texts = json.loads(resources.files("novikoff.lab").joinpath(f"static/texts/{language}.json").read_text("utf-8"))
        assert {"learner-toy", *(f"param-{name}" for name in params)} <= set(texts)
