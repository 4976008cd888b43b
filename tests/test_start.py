"""Runs that start from given weights: the rule from there, update by update, and bounds that know of the start."""

import warnings

import numpy as np
import pytest
import reference
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from strategies import grids, orders, separable
from test_perceptron import augmented

from novikoff import (
    AveragedPerceptron,
    KernelPerceptron,
    MarginPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    PocketPerceptron,
    Trace,
    VotedPerceptron,
    audit,
    datasets,
    record,
)

WEIGHT = st.integers(-5, 5)
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def start_of(draw, width, vectors=1):
    w = np.array([draw(WEIGHT) for _ in range((width + 1) * vectors)]).reshape(vectors, width + 1)
    return w, {"coef_init": w[:, :-1], "intercept_init": w[:, -1]}


@given(grids(), st.data(), st.booleans())
def test_a_perceptron_goes_from_where_it_is_told(data, draw, sparse):
    X, y = data
    w, given_start = start_of(draw.draw, X.shape[1])
    trace = record(
        Perceptron(order="cyclic", max_iter=15, tol=None), sp.csr_array(X) if sparse else X, y, **given_start
    )
    passes = [range(len(y))] * trace.learner.n_iter_
    expected, updates, _ = reference.perceptron(augmented(X), (2 * y - 1).tolist(), passes, start=w[0].tolist())
    one = trace.problems[0]
    assert one.rows.tolist() == updates
    assert trace.weights_before(0).tolist() == w[0].tolist()
    assert trace.weights_before(len(one)).tolist() == expected
    assert [*trace.learner.coef_[0], *trace.learner.intercept_] == expected
    assert trace.squares()[-1] == sum(v * v for v in expected)


@given(grids(classes=3), st.data(), st.booleans())
def test_several_classes_start_from_their_weights(data, draw, sparse):
    X, y = data
    w, given_start = start_of(draw.draw, X.shape[1], 3)
    rows = sp.csr_array(X) if sparse else X
    joint = Perceptron(order="cyclic", max_iter=10, tol=None, multi_class="joint").fit(rows, y, **given_start)
    expected, _, _ = reference.joint(augmented(X), y.tolist(), [range(len(y))] * joint.n_iter_, 3, w.tolist())
    assert np.column_stack([joint.coef_, joint.intercept_]).tolist() == expected
    apart = Perceptron(order="cyclic", max_iter=10, tol=None).fit(rows, y, **given_start)
    for c in range(3):
        passes = [range(len(y))] * 10
        alone, updates, clean = reference.perceptron(
            augmented(X), np.where(y == c, 1, -1).tolist(), passes, 1, w[c].tolist()
        )
        if clean or apart.status_[c] == "stopped":  # an inseparable one ends when it is proved
            assert [*apart.coef_[c], apart.intercept_[c]] == alone
            assert apart.n_updates_[c] == len(updates)


@given(grids(), st.data())
def test_mean_votes_and_pocket_know_the_start(data, draw):
    X, y = data
    w, given_start = start_of(draw.draw, X.shape[1])
    rows, signs, seen = augmented(X), (2 * y - 1).tolist(), []
    model = AveragedPerceptron(order="cyclic", max_iter=3).fit(X, y, **given_start)
    passes = [range(len(y))] * model.n_iter_
    reference.family(rows, signs, passes, reference.plain, lambda v, i: seen.append(v), start=w[0].tolist())
    after = 3 - model.n_iter_ if model.status_ == "separated" else 0  # passes after a clean one are counted too
    mean = np.mean(seen + seen[-1:] * after * len(y), axis=0)
    np.testing.assert_allclose([*model.coef_[0], *model.intercept_], mean, rtol=1e-12, atol=1e-12)
    voted = VotedPerceptron(order="cyclic", max_iter=3, tol=None).fit(X, y, **given_start)
    if voted.n_iter_ == model.n_iter_:
        votes = np.mean([np.where(np.array(rows) @ v >= 0, 1, -1) for v in seen], axis=0)
        np.testing.assert_allclose(voted.decision_function(X), votes, atol=1e-12)
    pocket = PocketPerceptron(order="cyclic", max_iter=3, tol=None).fit(X, y, **given_start)
    met = [w[0].tolist(), *seen[: pocket.n_iter_ * len(y)]]
    assert pocket.n_errors_ <= min(reference.errors(v, rows, signs) for v in met)
    assert pocket.n_errors_ == reference.errors([*pocket.coef_[0], *pocket.intercept_], rows, signs)


@given(separable(), st.data(), orders, st.sampled_from(["full", "capped", "damped"]))
def test_bounds_hold_from_any_start(data, draw, order, step):
    X, y = data
    _, given_start = start_of(draw.draw, X.shape[1])
    model = Perceptron(order=order, max_iter=10_000, tol=None).fit(X, y, **given_start)
    assert model.status_ == "separated"
    assert model.n_updates_ <= model.mistake_bound_ * (1 + 1e-9) < np.inf
    assert model.margin_ <= model.margin_bound_
    aggressive = PassiveAggressiveClassifier(step=step, order=order, max_iter=300, average=False)
    aggressive.fit(X, y, **given_start)
    assert aggressive.n_mistakes_ <= aggressive.mistake_bound_ * (1 + 1e-9)
    if aggressive.status_ == "separated":
        assert aggressive.mistake_bound_ < np.inf
    for margin in (None, 1e-3):
        model = MarginPerceptron(margin=margin, order=order, max_iter=300).fit(X, y, **given_start)
        zero = not any(np.any(part) for part in given_start.values())
        assert zero or model.mistake_bound_ == np.inf  # nothing is proved of it
        assert model.margin_ <= model.margin_bound_


@given(grids(), st.data())
def test_passive_aggressive_steps_from_a_start(data, draw):
    X, y = data
    w, given_start = start_of(draw.draw, X.shape[1])
    model = PassiveAggressiveClassifier(order="cyclic", max_iter=3, average=False, C=0.5).fit(X, y, **given_start)
    passes = [range(len(y))] * model.n_iter_
    rule = reference.aggressive("capped", 0.5)
    expected, _, _ = reference.family(augmented(X), (2 * y - 1).tolist(), passes, rule, start=w[0].tolist())
    np.testing.assert_allclose([*model.coef_[0], *model.intercept_], expected, rtol=1e-9, atol=1e-9)


def test_a_start_is_counted_in_units_of_the_weights_and_is_that_of_a_warm_start():
    X, y = datasets.planted_margin(80, 4, 0.02, random_state=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warm = Perceptron(eta0=0.5, order="cyclic", max_iter=2, warm_start=True).fit(X, y)
    coef, intercept = warm.coef_.copy(), warm.intercept_.copy()
    warm.set_params(max_iter=1000).fit(X, y)
    told = Perceptron(eta0=0.5, order="cyclic").fit(X, y, coef_init=coef, intercept_init=intercept)
    np.testing.assert_array_equal(told.coef_, warm.coef_)
    assert told.n_updates_ == warm.n_updates_
    assert told.mistake_bound_ == warm.mistake_bound_
    again = warm.fit(X, y, coef_init=coef)  # the bias is that of the last run
    both = Perceptron(eta0=0.5, order="cyclic").fit(X, y, coef_init=coef, intercept_init=told.intercept_)
    np.testing.assert_array_equal(again.coef_, both.coef_)


def test_a_trace_has_its_start_and_the_audit_its_term(tmp_path):
    X, y = datasets.planted_margin(60, 3, 0.05, random_state=1)
    trace = record(Perceptron(order="cyclic", eta0=0.5), X, y, coef_init=[3, -2, 5], intercept_init=2)
    assert trace.start.tolist() == [[3, -2, 5, 2]]
    assert not trace.from_zero
    checked = audit(trace)
    assert checked.holds
    assert "‖w₀‖" in str(checked)
    assert "until ρ·Σs exceeds ‖w₀‖" in str(checked)
    assert (checked.floors <= checked.cosines).all()
    assert "w is the sum" not in str(checked)
    for name in ("run.json", "run.npz"):
        trace.save(tmp_path / name)
        loaded = Trace.load(tmp_path / name)
        assert loaded.start.tolist() == trace.start.tolist()
        assert loaded.weights_before(len(trace)).tolist() == trace.weights_before(len(trace)).tolist()
        assert audit(loaded).holds
    assert record(Perceptron(), X, y).from_zero
    margin = record(MarginPerceptron(), X, y, coef_init=[3, -2, 5])
    assert "does not speak" in str(audit(margin))


@pytest.mark.parametrize(
    ("given_start", "sentence"),
    [
        ({"coef_init": [1.0, 2.0]}, r"coef_init must be finite numbers of shape \(1, 3\) or \(3,\), got shape \(2,\)"),
        ({"intercept_init": [1.0, 2.0]}, r"intercept_init must be .* \(1,\) or \(\), got shape \(2,\)"),
        ({"coef_init": [1.0, 2.0, np.nan]}, "coef_init must be finite"),
        ({"coef_init": "abc"}, "no array of numbers"),
    ],
)
def test_a_wrong_start_is_named_and_loses_nothing(given_start, sentence):
    X, y = datasets.planted_margin(60, 3, 0.05, random_state=1)
    model = Perceptron().fit(X, y)
    before = model.coef_.copy()
    with pytest.raises(ValueError, match=sentence):
        model.fit(X, y, **given_start)
    assert np.array_equal(model.coef_, before)
    with pytest.raises(ValueError, match="fit_intercept=False learns none"):
        Perceptron(fit_intercept=False).fit(X, y, intercept_init=[1.0])
    with pytest.raises(ValueError, match="no list of weights"):
        record(KernelPerceptron(), X, y, coef_init=[1.0, 2.0, 3.0])
