"""Audits: the chains of the notes hold on runs, and an inequality that is false is seen to be."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from novikoff import (
    KernelPerceptron,
    MarginPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    SlackEmbedding,
    audit,
    bounds,
    datasets,
    record,
)


def values(chain):
    return {line.term: line.value for line in chain.lines}


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    order=st.sampled_from(["cyclic", "shuffled", "active"]),
    eta=st.sampled_from([0.1, 1.0, 7.0]),
)
def test_c10_and_c19_hold_on_any_separable_data(seed, order, eta):
    X, y = datasets.planted_margin(40, 3, 0.08, random_state=seed)
    found = audit(record(Perceptron(order=order, eta0=eta), X, y))
    assert found.holds
    assert [chain.claim for chain in found.chains] == ["C10", "C19"]
    assert (found.cosines >= found.floors * (1 - 1e-9)).all()
    assert found.margin >= 0.08 * (1 - 1e-3)  # the best plane, to the gap that certify leaves


def test_terms_are_what_they_say():
    X, y = datasets.planted_margin(50, 4, 0.1, random_state=3)
    trace = record(Perceptron(eta0=2.0, order="cyclic"), X, y)
    found = audit(trace, reference=trace.weights_after(len(trace) - 1))
    terms, one = values(found.chains[0]), trace.problems[0]
    rows = np.column_stack([X, np.ones(len(X))])[one.rows]
    signed = y[one.rows, None] * rows
    v = found.plane
    assert np.linalg.norm(v) == pytest.approx(1)
    assert terms["M·ρ"] == pytest.approx(len(one) * (y * (X @ v[:-1] + v[-1])).min())
    assert terms["Σ y·(v·x)"] == pytest.approx((signed @ v).sum())
    assert terms["‖v‖·‖Σ y·x‖"] == pytest.approx(np.linalg.norm(signed.sum(axis=0)))
    assert terms["√Σ‖x‖²"] == pytest.approx(np.linalg.norm(rows))
    after = np.cumsum(signed, axis=0)
    np.testing.assert_allclose(found.cosines, after @ v / np.linalg.norm(after, axis=1))


def test_row_weights_lengthen_the_steps():
    X, y = datasets.planted_margin(50, 3, 0.1, random_state=0)
    found = audit(record(Perceptron(), X, y, sample_weight=np.linspace(0.5, 2, 50)))
    assert found.holds
    assert "Σ s·ρ" in values(found.chains[0])


@pytest.mark.parametrize("seed", range(5))
def test_c13_margin_chain(seed):
    X, y = datasets.planted_margin(60, 3, 0.1, random_state=seed)
    found = audit(record(MarginPerceptron(margin=0.1), X, y))
    assert found.holds
    assert values(found.chains[0])["margin reached"] >= 0.05
    assert audit(record(MarginPerceptron(), X, y)).holds


def test_c13_beyond_the_length_of_the_notes():
    """The rows are nearly alike, so the weights grow longer than 4r²/ρ, and by less than 3ρ/4 a step from then on."""
    X, y = np.array([[1.0, 5.0], [1.0, -5.0], [-1.0, 5.0], [-1.0, -5.0]]), [1, 1, -1, -1]
    trace = record(MarginPerceptron(margin=1.0, fit_intercept=False, order="cyclic"), X, y)
    assert audit(trace).holds


def test_c13_does_not_speak_of_a_margin_that_no_plane_has():
    X, y = datasets.planted_margin(30, 2, 0.1, random_state=0)
    found = audit(record(MarginPerceptron(margin=5.0), X, y))
    assert not found.chains
    assert "margin ρ = 5" in found.notes[0]


@pytest.mark.parametrize(("margin", "amplitude"), [(None, None), (0.5, None), (0.5, 1.5), (None, 40.0)])
def test_c15_slack_chain(margin, amplitude):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 3)), rng.integers(2, size=30)
    embedding = SlackEmbedding(margin=margin, amplitude=amplitude)
    trace = record(Perceptron(), embedding.fit_transform(X, y), y)
    found = audit(trace, reference=embedding)
    assert [chain.claim for chain in found.chains] == ["C10", "C19", "C15"]
    assert found.holds
    assert trace.problems[0].made <= embedding.mistake_bound_


def test_without_a_plane_half_of_the_chain_is_left():
    X, y = datasets.logic_gate("xor")
    found = audit(record(Perceptron(), X, y))
    assert found.holds
    assert found.plane is None
    assert "inseparable" in str(found)


def test_a_cut_trace_is_audited_as_far_as_it_goes():
    X, y = datasets.exponential(6)
    learner = Perceptron(order="cyclic", fit_intercept=False, max_iter=10**6, tol=None)
    found = audit(record(learner, X, y, limit=200))
    assert found.holds
    assert "first 200 of 1365" in str(found)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_several_classes():
    X, y = load_iris(return_X_y=True)
    one = y != 2
    assert audit(record(Perceptron(), X[one], y[one])).holds
    assert audit(record(Perceptron(), X, y), problem=0).holds
    X, y = [[0.0, 0], [5, 0], [0, 5], [1, 0], [5, 1], [0, 4]], [0, 1, 2, 0, 1, 2]
    assert audit(record(Perceptron(multi_class="joint"), X, y)).holds


def test_kernel_runs_are_measured_along_their_last_function():
    X, y = datasets.circles(60, noise=0.05, random_state=0)
    trace = record(KernelPerceptron(gamma=2.0, eta0=3.0), X, y)
    found = audit(trace)
    assert found.holds
    assert found.margin == pytest.approx(trace.learner.margin_)
    assert found.cosines[-1] == pytest.approx(1)
    X, y = [[0, 0], [5, 0], [0, 5], [1, 0], [5, 1], [0, 4]], [0, 1, 2, 0, 1, 2]
    for several in ("ovr", "joint"):
        assert audit(record(KernelPerceptron(multi_class=several), X, y)).holds
    with pytest.raises(ValueError, match="without average or threshold"):
        audit(record(KernelPerceptron(average=True), X, y))


def test_a_false_trace_fails():
    X, y = datasets.planted_margin(50, 3, 0.1, random_state=0)
    trace = record(Perceptron(), X, y)
    one = trace.problems[0]
    false = replace(one, row_margins=one.row_margins + 1.0)
    found = audit(replace(trace, problems=(false,)))
    assert not found.holds
    assert "FAILS" in str(found)
    turned = replace(one, steps=-one.steps)
    assert not audit(replace(trace, problems=(turned,))).holds


def test_audits_are_json():
    X, y = datasets.logic_gate("and")
    found = json.loads(json.dumps(audit(record(Perceptron(), X, y)).to_dict(), allow_nan=False))
    assert found["holds"]
    assert found["chains"][0]["lines"][0]["term"] == "M·ρ"


def test_bad_requests():
    X, y = datasets.logic_gate("and")
    trace = record(Perceptron(), X, y)
    with pytest.raises(ValueError, match="2 finite numbers"):
        audit(trace, reference=[1, 2, 3, 4])
    assert "wrong side" in audit(trace, reference=[1, 1]).notes[0]
    with pytest.raises(ValueError, match="no chain for PassiveAggressiveClassifier"):
        audit(record(PassiveAggressiveClassifier(), X.astype(float), y))


def test_radius_and_margin():
    X, y = datasets.planted_margin(50, 3, 0.1, random_state=0)
    model = Perceptron().fit(X, y)
    w = np.append(model.coef_, model.intercept_)
    assert bounds.radius(X) == pytest.approx(model.radius_)
    assert bounds.margin(w, X, y) == pytest.approx(model.margin_)
    assert bounds.margin(-w, X, y) < 0
    with pytest.raises(ValueError, match="3 numbers"):
        bounds.margin([1, 2], X, y)
    with pytest.raises(ValueError, match="two classes"):
        bounds.margin([1, 2, 3], X, np.arange(50))
