"""Traces: every update of a run, as the rule written out in plain Python makes it."""

import json
from pathlib import Path

import numpy as np
import pytest
import reference
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from novikoff import (
    AROWClassifier,
    AveragedPerceptron,
    KernelPerceptron,
    MarginPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    PocketPerceptron,
    SCWClassifier,
    Trace,
    VotedPerceptron,
    audit,
    datasets,
    record,
)

SMALL = st.integers(-3, 3)


def last_weights(trace, problem=0):
    one = trace.problems[problem]
    return trace.weights_before(len(one), problem)


@settings(max_examples=50)
@given(rows=st.lists(st.tuples(SMALL, SMALL, st.sampled_from([-1, 1])), min_size=2, max_size=8), wide=st.booleans())
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_updates_are_those_of_the_rule(rows, wide):
    X, y = np.array([row[:2] for row in rows], dtype=float), np.array([row[2] for row in rows])
    y[:2] = 1, -1
    trace = record(Perceptron(order="cyclic", max_iter=20, tol=None), sp.csr_array(X) if wide else X, y)
    augmented = [[*x, 1] for x in X.tolist()]
    w, updates, _ = reference.perceptron(augmented, y.tolist(), [range(len(y))] * trace.learner.n_iter_)
    one = trace.problems[0]
    assert one.rows.tolist() == updates
    assert one.steps.tolist() == y[updates].tolist()
    assert last_weights(trace).tolist() == w
    for k in range(len(one)):
        before = trace.weights_before(k)
        assert one.row_margins[k] == y[updates[k]] * (before @ augmented[updates[k]])
        assert trace.squares()[k] == before @ before
        assert one.passes[k] == one.times[k] // len(y) + 1


LEARNERS = [
    Perceptron(eta0=0.5, order="active"),
    MarginPerceptron(margin=0.1),
    PassiveAggressiveClassifier(max_iter=20),
    AROWClassifier(),
    SCWClassifier(),
    PocketPerceptron(max_iter=10),
    AveragedPerceptron(),
    VotedPerceptron(max_iter=10),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_recording_changes_nothing_and_leads_to_the_last_weights(learner):
    X, y = datasets.planted_margin(60, 3, 0.05, random_state=1)
    trace, plain = record(learner, X, y), clone(learner).fit(X, y)
    np.testing.assert_array_equal(trace.learner.coef_, plain.coef_)
    np.testing.assert_array_equal(trace.learner.decision_function(X), plain.decision_function(X))
    one = trace.problems[0]
    assert len(one) == one.made == plain.n_updates_ > 0
    assert np.bincount(one.rows, minlength=len(y)).tolist() == plain.update_counts_.tolist()
    np.testing.assert_allclose(last_weights(trace), learner.eta0 * plain._resume.weights[0], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(trace.squares()[-1], last_weights(trace) @ last_weights(trace), rtol=1e-9)
    assert one.passes.max() <= plain.n_iter_
    assert (np.diff(one.passes) >= 0).all()
    assert "_recorder" not in vars(trace.learner)


@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_several_classes(multi_class):
    X, y = load_iris(return_X_y=True)
    trace = record(Perceptron(multi_class=multi_class, max_iter=30), X, y)
    model = trace.learner
    assert len(trace.problems) == (1 if multi_class == "joint" else 3)
    ends = np.vstack([np.atleast_2d(last_weights(trace, c)) for c in range(len(trace.problems))])
    np.testing.assert_allclose(ends, model._resume.weights, rtol=1e-9, atol=1e-9)
    for c, one in enumerate(trace.problems):
        squares = np.sum(last_weights(trace, c) ** 2)
        assert trace.squares(c)[-1] == pytest.approx(squares)
        assert (one.row_margins <= 0).all()
    if multi_class == "joint":
        assert (trace.problems[0].own == y[trace.problems[0].rows]).all()
        assert (trace.problems[0].own != trace.problems[0].rivals).all()
        with pytest.raises(ValueError, match="rivals, not signs"):
            trace.signs()
    else:
        assert (np.sign(trace.problems[1].steps) == trace.signs(1)[trace.problems[1].rows]).all()


@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_kernel_runs(multi_class):
    X, y = load_iris(return_X_y=True)
    learner = KernelPerceptron(gamma=0.5, multi_class=multi_class, eta0=0.5, max_iter=50)
    trace, plain = record(learner, X, y), clone(learner).fit(X, y)
    np.testing.assert_array_equal(trace.learner.decision_function(X), plain.decision_function(X))
    gram = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
    for c, one in enumerate(trace.problems):
        dual = trace.dual(len(one), c)
        scores = plain.decision_function(X) if multi_class == "joint" else plain.decision_function(X)[:, c]
        np.testing.assert_allclose(gram @ dual.T, scores, atol=1e-9)
        assert trace.squares(c)[-1] == pytest.approx(np.sum(dual * (gram @ dual.T).T))
        assert one.made == len(one) > 0
        assert (one.row_margins <= 0).all()
        assert one.passes.max() <= plain.n_iter_
    with pytest.raises(ValueError, match="no list of numbers"):
        trace.weights_before(1)


@settings(max_examples=25)
@given(rows=st.lists(st.tuples(SMALL, SMALL, st.sampled_from([-1, 1])), min_size=2, max_size=8))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_c16_the_dual_makes_the_updates_of_the_primal_one_by_one(rows):
    X, y = np.array([row[:2] for row in rows], dtype=float), np.array([row[2] for row in rows])
    y[:2] = 1, -1
    options = {"order": "cyclic", "max_iter": 20, "tol": None}
    dual = record(KernelPerceptron("linear", fit_intercept=True, **options), X, y).problems[0]
    primal = record(Perceptron(**options), X, y).problems[0]
    for name in ("rows", "steps", "row_margins", "times", "passes"):
        assert getattr(dual, name).tolist() == getattr(primal, name).tolist()


def test_a_long_run_is_cut_and_says_so():
    X, y = datasets.exponential(6)
    learner = Perceptron(order="cyclic", fit_intercept=False, max_iter=10**6, tol=None)
    whole, part = record(learner, X, y), record(learner, X, y, limit=100)
    assert not whole.cut
    assert part.cut
    assert (len(part), part.problems[0].made) == (100, 1365)
    np.testing.assert_array_equal(part.weights_after(99), whole.weights_after(99))
    assert last_weights(whole).tolist() == [1, 2, 4, 8, 16, 32, 0]
    with pytest.raises(ValueError, match="not after 101"):
        part.weights_after(100)


@pytest.mark.parametrize("suffix", ["npz", "json"])
@pytest.mark.parametrize("wide", [False, True])
def test_a_trace_survives_its_file(tmp_path, suffix, wide):
    X, _ = datasets.logic_gate("and")
    X, y = (sp.csr_array(X) if wide else X), np.array(["no", "no", "no", "yes"])
    trace = record(Perceptron(), X, y)
    trace.save(tmp_path / f"run.{suffix}")
    again = Trace.load(tmp_path / f"run.{suffix}")
    assert again.to_dict() == trace.to_dict()
    assert again.learner is None
    assert again.y.tolist() == y.tolist()
    np.testing.assert_array_equal(last_weights(again), last_weights(trace))


TRACES = Path(__file__).parent / "traces"


def test_traces_of_version_1_still_load(tmp_path):
    X, y = datasets.logic_gate("and")
    old, new = Trace.load(TRACES / "version1.json"), record(Perceptron(order="cyclic"), X, y)
    for name in ("rows", "steps", "row_margins", "times", "passes"):
        assert getattr(old.problems[0], name).tolist() == getattr(new.problems[0], name).tolist()
    assert (old.bias, old.classes.tolist(), old.problems[0].name) == (1.0, ["no", "yes"], "yes")
    assert audit(old).to_dict() == audit(new).to_dict()
    old.save(tmp_path / "run.json")
    assert json.loads((tmp_path / "run.json").read_text())["version"] == 3
    assert Trace.load(tmp_path / "run.json").to_dict() == old.to_dict()


def test_a_sparse_joint_trace_of_version_1_still_loads():
    old = Trace.load(TRACES / "version1.npz")
    one = old.problems[0]
    assert one.joint
    assert (old.bias, old.eta0, one.own.tolist(), one.rivals.tolist()) == (0.0, 0.5, [0, 1, 2], [1, 0, 0])
    assert one.row_margins.tolist() == [0, 0, 0]
    assert last_weights(old).tolist() == [[2.5, -0.5, 0], [-1.5, 1.5, 0], [-1, -1, 0]]


def test_a_trace_is_json():
    X, y = datasets.logic_gate("xor")
    trace = record(Perceptron(random_state=np.random.RandomState(0)), X, y)
    without = trace.to_dict(data=False)
    assert "X" not in without
    assert without["problems"][0]["mistake_bound"] is None
    json.dumps(trace.to_dict(), allow_nan=False)


def test_bad_requests(tmp_path):
    X, y = datasets.logic_gate("and")
    with pytest.raises(TypeError, match="linear learner"):
        record(object(), X, y)
    with pytest.raises(ValueError, match="on a budget"):
        record(KernelPerceptron(budget=5), X, y)
    with pytest.raises(ValueError, match="at least 1"):
        record(Perceptron(), X, y, limit=0)
    with pytest.raises(ValueError, match=r"ends in \.npz or \.json"):
        record(Perceptron(), X, y).save(tmp_path / "run.txt")
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(ValueError, match="not a trace"):
        Trace.load(tmp_path / "other.json")


def test_traces_introduce_themselves():
    X, y = datasets.logic_gate("and")
    trace = record(Perceptron(order="cyclic"), X, y)
    assert repr(trace) == "<Trace of Perceptron: 18 updates in 1 problem(s)>"
    with pytest.raises(ValueError, match="problems 0 to 0, not 1"):
        trace.dual(0, problem=1)


def test_the_learner_itself_is_left_alone_and_warnings_come_through():
    X, y = datasets.exponential(6)
    learner = Perceptron(max_iter=3, tol=None, order="cyclic")
    with pytest.warns(ConvergenceWarning):
        trace = record(learner, X, y)
    assert not hasattr(learner, "coef_")
    assert trace.learner is not learner
