"""Passive-aggressive regression: the rule written out, scikit-learn's own, the theorem, files, and the contract."""

import warnings

import numpy as np
import pandas as pd
import pytest
import reference
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import dump_svmlight_file, load_diabetes
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from novikoff import PassiveAggressiveRegressor, load, save
from novikoff.errors import InputError
from novikoff.scale import block_files
from novikoff.scale.stream import fit_stream

STEPS = ["full", "capped", "damped"]


def diabetes():
    X, y = load_diabetes(return_X_y=True, scaled=False)
    return StandardScaler().fit_transform(X), y


def weights(model):
    return [*model.coef_, *model.intercept_]


@given(
    rows=st.lists(st.tuples(*[st.integers(-4, 4)] * 3), min_size=1, max_size=8),
    step=st.sampled_from(STEPS),
    C=st.sampled_from([0.125, 0.5, 2.0]),
    passes=st.integers(1, 3),
    average=st.booleans(),
    sparse=st.booleans(),
)
def test_the_rule_written_out(rows, step, C, passes, average, sparse):
    X, y = np.array([row[:2] for row in rows], dtype=float), np.array([row[2] for row in rows], dtype=float)
    model = PassiveAggressiveRegressor(
        C=C, epsilon=0.5, step=step, order="cyclic", max_iter=passes, tol=None, average=average
    )
    model.fit(sp.csr_array(X) if sparse else X, y)
    seen, _ = reference.insensitive([[*x, 1] for x in X.tolist()], y.tolist(), [range(len(y))] * model.n_iter_, step, C)
    expected = np.mean(seen, axis=0) if average else seen[-1]
    np.testing.assert_allclose(weights(model), expected, rtol=1e-9, atol=1e-9)


def test_whole_steps_are_exact():
    X, y = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, 1.0]] * 4), np.array([8.0, -4.0] * 4)
    model = PassiveAggressiveRegressor(epsilon=0, C=1, step="capped", order="cyclic", average=False, tol=None)
    seen, _ = reference.insensitive([[*x, 1] for x in X.tolist()], y.tolist(), [range(8)] * 100, "capped", 1, 0)
    assert weights(model.fit(X, y)) == seen[model.n_iter_ * 8 - 1]


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize(
    ("loss", "step"), [("epsilon_insensitive", "capped"), ("squared_epsilon_insensitive", "damped")]
)
def test_it_is_scikit_learns_where_the_parameters_are_the_same(loss, step, average):
    linear_model = pytest.importorskip("sklearn.linear_model")
    if not hasattr(linear_model, "PassiveAggressiveRegressor"):
        pytest.skip("this scikit-learn has no PassiveAggressiveRegressor any more")
    X, y = diabetes()
    y = y - y.mean()
    for C in (0.01, 1.0):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = linear_model.PassiveAggressiveRegressor(
                C=C, loss=loss, fit_intercept=False, shuffle=False, max_iter=5, tol=None, average=average
            ).fit(X, y)
        ours = PassiveAggressiveRegressor(
            C=C, step=step, fit_intercept=False, order="cyclic", max_iter=5, tol=None, average=average
        )
        for rows in (X, sp.csr_array(X)):
            np.testing.assert_allclose(ours.fit(rows, y).coef_, theirs.coef_, rtol=1e-9)


@given(st.integers(0, 2**31), st.sampled_from([0.0, 0.5]))
def test_squared_losses_stay_below_the_bound(seed, epsilon):
    """Crammer and others, theorem 2: if u has no loss, Σ loss² ≤ r²·‖u‖² with full steps."""
    random = np.random.default_rng(seed)
    X, u = random.integers(-3, 4, (10, 3)), random.integers(-3, 4, 4)
    rows = [[*x, 1] for x in X.tolist()]
    y = np.array(rows) @ u + random.uniform(-epsilon, epsilon, 10)
    seen, losses = reference.insensitive(rows, y.tolist(), [range(10)] * 5, "full", 1.0, epsilon)
    square = max(reference.dot(x, x) for x in rows)
    assert sum(loss**2 for loss in losses) <= square * (u @ u) * (1 + 1e-9) + 1e-9
    model = PassiveAggressiveRegressor(
        step="full", epsilon=epsilon, order="cyclic", max_iter=5, average=False, tol=None
    )
    model.fit(X, y)
    np.testing.assert_allclose(weights(model), seen[model.n_iter_ * 10 - 1], rtol=1e-7, atol=1e-7)
    means = [np.mean(losses[10 * k : 10 * k + 10]) for k in range(model.n_iter_)]
    np.testing.assert_allclose(model.loss_curve_, means, atol=1e-7)


def test_parts_weights_and_starts():
    X, y = diabetes()
    whole = PassiveAggressiveRegressor(order="cyclic", max_iter=1, tol=None).fit(X, y)
    parts = PassiveAggressiveRegressor(order="cyclic")
    for some in np.array_split(np.arange(len(y)), 9):
        parts.partial_fit(X[some], y[some])
    assert np.array_equal(parts.coef_, whole.coef_)
    assert parts.n_updates_ == whole.n_updates_
    weight = np.arange(len(y)) % 3
    one = PassiveAggressiveRegressor(order="cyclic").fit(X, y, weight)
    rest = weight > 0
    assert np.array_equal(
        one.coef_, PassiveAggressiveRegressor(order="cyclic").fit(X[rest], y[rest], weight[rest]).coef_
    )
    twice = PassiveAggressiveRegressor(order="cyclic", max_iter=2, tol=None, warm_start=True)
    four = PassiveAggressiveRegressor(order="cyclic", max_iter=4, tol=None).fit(X, y)
    assert np.array_equal(twice.fit(X, y).fit(X, y).coef_, four.coef_)
    last = PassiveAggressiveRegressor(order="cyclic", max_iter=2, tol=None, average=False).fit(X, y)
    again = PassiveAggressiveRegressor(order="cyclic", max_iter=2, tol=None, average=False)
    again.fit(X, y, coef_init=last.coef_, intercept_init=last.intercept_)
    last.set_params(warm_start=True).fit(X, y)
    assert np.array_equal(again.coef_, last.coef_)


def test_early_stopping_keeps_the_best_and_bad_input_is_named():
    X, y = diabetes()
    model = PassiveAggressiveRegressor(early_stopping=True, step="full", average=False).fit(X, y)
    assert model.n_iter_ < 100
    assert min(model.loss_curve_) < model.loss_curve_[-1]
    for bad, sentence in (
        ({"y": np.full(len(y), np.nan)}, "Input y contains NaN"),
        ({"X": np.where(X > 2, np.inf, X)}, "infinity"),
        ({"coef_init": [1.0]}, r"coef_init must be .* got shape \(1,\)"),
        ({"sample_weight": np.zeros(len(y))}, "at least one non-zero number|none is left to learn from"),
    ):
        with pytest.raises(ValueError, match=sentence):
            PassiveAggressiveRegressor().fit(**{"X": X, "y": y, **bad})
    with pytest.raises(ValueError, match="set early_stopping=False"):
        model.partial_fit(X, y)


@pytest.mark.parametrize("ending", ["csv", "parquet", "libsvm"])
def test_a_stream_ends_with_the_weights_of_memory(tmp_path, monkeypatch, ending):
    monkeypatch.setattr(block_files, "RANGE_BYTES", 4000)
    monkeypatch.setattr(block_files, "CHUNK_BYTES", 6000)
    X, y = diabetes()
    X = X.round(6)  # a libsvm file has 16 digits
    path, target = tmp_path / f"rows.{ending}", "y"
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(10)]).assign(y=y)
    if ending == "csv":
        frame.to_csv(path, index=False)
    elif ending == "parquet":
        frame.to_parquet(path, row_group_size=100)
    else:
        dump_svmlight_file(X, y, str(path), zero_based=False)
        target = None
    model = PassiveAggressiveRegressor(order="cyclic", max_iter=4)
    memory = PassiveAggressiveRegressor(order="cyclic", max_iter=4).fit(sp.csr_array(X) if target is None else X, y)
    for cache in (None, tmp_path / "cache"):
        fit_stream(model, path, target, cache=cache)
        assert np.array_equal(model.coef_, memory.coef_)
        assert model.loss_curve_ == pytest.approx(memory.loss_curve_)
    shuffled = fit_stream(PassiveAggressiveRegressor(), path, target)
    assert shuffled.score(X if target is None else frame.drop(columns="y"), y) > 0.49


def test_a_stream_says_what_it_cannot(tmp_path):
    pd.DataFrame({"a": [1.0, 2.0], "y": ["low", "high"]}).to_csv(tmp_path / "words.csv", index=False)
    with pytest.raises(InputError, match="Column 'y' must hold numbers, but row 1 has 'low'"):
        fit_stream(PassiveAggressiveRegressor(), tmp_path / "words.csv", "y")
    with pytest.raises(InputError, match="has no classes"):
        fit_stream(PassiveAggressiveRegressor(), tmp_path / "words.csv", "y", classes=[1, 2])
    pd.DataFrame({"a": [1.0, 2.0, 4.0], "y": [1.5, 2.5, 3.5]}).to_csv(tmp_path / "numbers.csv", index=False)
    piped = make_pipeline(StandardScaler(), PassiveAggressiveRegressor())
    assert fit_stream(piped, tmp_path / "numbers.csv", "y").predict(pd.DataFrame({"a": [2.0]})).shape == (1,)


def test_it_is_saved_and_goes_on(tmp_path):
    X, y = diabetes()
    model = PassiveAggressiveRegressor().fit(X, y)
    save(model, tmp_path / "model.nvk")
    loaded = load(tmp_path / "model.nvk")
    assert np.array_equal(loaded.predict(X), model.predict(X))
    assert np.array_equal(loaded.partial_fit(X, y).coef_, model.partial_fit(X, y).coef_)


@parametrize_with_checks(
    [PassiveAggressiveRegressor(), PassiveAggressiveRegressor(average=False, step="capped", C=1.0)],
    expected_failed_checks=lambda estimator: {
        "check_sample_weight_equivalence_on_dense_data": "one step of double weight is not two updates",
        "check_sample_weight_equivalence_on_sparse_data": "one step of double weight is not two updates",
    },
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
