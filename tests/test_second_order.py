"""AROW and SCW: the rules are those of plain Python, their theorem holds, and they do what every learner does."""

import os

import dask.array as da
import numpy as np
import pytest
import reference
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import parametrize_with_checks
from strategies import grids, separable
from test_family import overlapping, simple_orders
from test_inputs import exceptions
from test_perceptron import augmented, signed, the_orders, weights
from test_scale_dask import _in_this_thread  # noqa: F401  (a fixture)

from novikoff import AROWClassifier, SCWClassifier, Trace, bounds, datasets, load, record, save
from novikoff.passes.rules import Arow, Facts, SoftConfidence
from novikoff.scale import mixing
from novikoff.scale.dask import DaskAROWClassifier, DaskSCWClassifier
from novikoff.scale.stream import fit_stream

BOTH = [AROWClassifier, SCWClassifier]
KINDS, CHECKED = [(AROWClassifier, "ovr"), (SCWClassifier, "joint")], [AROWClassifier(), SCWClassifier()]
if "NOVIKOFF_LONG" in os.environ:  # each is compiled for this alone
    KINDS += [(AROWClassifier, "joint"), (SCWClassifier, "ovr")]
    CHECKED += [AROWClassifier(multi_class="ovr"), SCWClassifier(multi_class="ovr")]
SIZES = [200] if os.environ.get("HYPOTHESIS_PROFILE") == "interpreted" else [200, 3000]  # or plain Python takes minutes
DASK = {AROWClassifier: DaskAROWClassifier, SCWClassifier: DaskSCWClassifier}


def state(model):
    """Weights and variances."""
    return model._resume.weights, model._resume.variances


def reference_of(model):
    """The rule in plain Python."""
    if isinstance(model, AROWClassifier):
        return reference.arow(float(model.r))
    return reference.soft_confidence(model.C, model._rule().phi)


def some_learner(kind, first, second):
    return AROWClassifier(r=first) if kind is AROWClassifier else SCWClassifier(C=first, confidence=second)


learners = st.builds(some_learner, st.sampled_from(BOTH), st.sampled_from([0.25, 1, 4]), st.sampled_from([0.6, 0.9]))


# The rules


@given(grids(), simple_orders, learners)
def test_the_rule_equals_the_reference(data, order, model):
    X, y = data
    model.set_params(order=order, max_iter=3, tol=None).fit(X, y)
    plan = the_orders(order, len(X), model.n_iter_)
    w, variances, updates = reference.gaussian(augmented(X), signed(y), plan, reference_of(model))
    assert np.allclose(weights(model), np.array(w, dtype=float), rtol=1e-9, atol=1e-9)
    assert np.allclose(model._resume.variances[0], np.array(variances, dtype=float), rtol=1e-9)
    if isinstance(model, AROWClassifier):  # SCW meets its row exactly, so that rounding decides whether it asks again
        assert model.update_counts_.tolist() == np.bincount([i for i, _ in updates], minlength=len(X)).tolist()
    assert model.n_mistakes_ <= model.n_updates_


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("learner", BOTH)
def test_the_joint_rule_equals_the_reference(learner, seed):
    X, y = overlapping(25, 3, seed, classes=3)  # no two classes score alike
    model = learner(order="cyclic", max_iter=2, tol=None).fit(X, y)
    rows = np.column_stack([X, np.ones(len(X))]).tolist()
    w = reference.joint_gaussian(rows, y.tolist(), [range(len(X))] * model.n_iter_, 3, reference_of(model))
    assert np.allclose(np.column_stack([model.coef_, model.intercept_]), np.array(w), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("learner", BOTH)
def test_one_against_the_rest_is_the_two_class_rule(learner):
    X, y = overlapping(classes=3)
    together = learner(multi_class="ovr", order="cyclic", max_iter=3, tol=None).fit(X, y)
    for c in range(3):
        alone = learner(order="cyclic", max_iter=3, tol=None).fit(X, y == c)
        assert np.array_equal(alone.coef_[0], together.coef_[c])
        assert alone.n_updates_ == together.n_updates_[c]


def test_a_row_is_met_by_the_step():
    """SCW-I without its cap ends an update on the row with m = φ·√v, v of all covariances; here there is one column."""
    model = SCWClassifier(C=1e9, confidence=0.8, fit_intercept=False, max_iter=1, order="cyclic").fit(
        [[2.0], [-1.0]], [1, 0]
    )
    w, variances, _ = reference.gaussian([[2.0]], [1], [[0]], reference.soft_confidence(1e9, model._rule().phi))
    assert 2 * w[0] == pytest.approx(model._rule().phi * (variances[0] * 4) ** 0.5)


def test_a_heavy_row_is_trusted_more():
    X, y = overlapping()
    assert np.array_equal(
        AROWClassifier(r=2.0).fit(X, y, sample_weight=np.full(len(y), 2.0)).coef_, AROWClassifier(r=1.0).fit(X, y).coef_
    )
    assert np.array_equal(
        SCWClassifier(C=0.25).fit(X, y, sample_weight=np.full(len(y), 4.0)).coef_, SCWClassifier(C=1.0).fit(X, y).coef_
    )
    weighted = AROWClassifier(class_weight={0: 1.0, 1: 3.0}).fit(X, y)
    assert np.array_equal(weighted.coef_, AROWClassifier().fit(X, y, sample_weight=np.where(y == 1, 3.0, 1.0)).coef_)


# The theorem


@given(separable(), learners, st.booleans())
def test_mistakes_stay_under_the_bound_of_the_run(data, model, heavy):
    X, y = data
    sample_weight = np.where(np.arange(len(y)) % 2, 3.0, 1.0) if heavy else None
    model.set_params(max_iter=200, tol=None).fit(X, y, sample_weight)
    if model.status_ == "separated":
        assert 0 < model.n_mistakes_ <= model.mistake_bound_ * (1 + 1e-9) < np.inf


@given(grids(), learners, st.lists(st.integers(-4, 4), min_size=9, max_size=9))
def test_every_step_of_the_proof_holds(data, model, plane):
    """Σ (u − w)²/σ falls and rises as the rules say, for rows that the plane u has right, and for any others."""
    X, y = data
    rows, labels = np.array(augmented(X), dtype=float), np.array(signed(y), dtype=float)
    model.set_params(order="cyclic", max_iter=2, tol=None).fit(X, y)
    u, rule = np.resize(np.array(plane, dtype=float), rows.shape[1]), model._rule()
    w, s, change, radius = np.zeros(rows.shape[1]), np.ones(rows.shape[1]), reference_of(model), model.radius_
    arow = isinstance(model, AROWClassifier)
    scaled = u if arow else rule.phi * radius * u
    for _ in range(model.n_iter_):
        for x, label in zip(rows, labels, strict=True):
            m, v = float(label * (w @ x)), float(s @ x**2)
            step = change(m, v)
            if step is None or label * (u @ x) < 1:
                continue
            alpha, beta = step
            before, moved = ((scaled - w) ** 2 / s).sum(), w + alpha * label * s * x
            fallen = before - ((scaled - moved) ** 2 / s).sum()
            least = 0.0
            if m <= 0 and arow:
                least = (radius**2 + 2 * model.r) / (radius**2 + model.r) ** 2
            elif m <= 0:
                least = rule.phi * radius * min(model.C, rule.phi / (radius * (1 + rule.phi**2) ** 0.5))
            assert fallen >= least * (1 - 1e-9) - 1e-9 * before
            new, rate = s - beta * (s * x) ** 2, beta / (1 - beta * v)
            assert (1 / new - 1 / s <= rate * x**2 * (1 + 1e-6) + 1e-9 / s).all()
            w, s = moved, new


@pytest.mark.parametrize("learner", BOTH)
@pytest.mark.parametrize("n", SIZES)
def test_a_run_ends_when_passes_have_ceased_to_help(learner, n):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 6))
    y = X[:, 0] + rng.standard_normal(n) > 0
    mistakes = np.diff([0] + [learner(max_iter=k, tol=None).fit(X, y).n_mistakes_ for k in range(1, 41)])
    best, stale, passes = np.inf, 0, 0
    while stale < max(2, 1024 / n):
        best, stale = (mistakes[passes], 0) if mistakes[passes] < best - 1e-3 * n else (best, stale + 1)
        passes += 1
    model = learner(max_iter=40).fit(X, y)
    assert model.n_iter_ == passes < 40
    assert (model.status_, model.certificate_.verdict) == ("stopped", "unknown")
    assert learner(max_iter=12, order="cyclic").fit(X, y).n_iter_ == 12


def test_the_bound_is_that_of_the_formula():
    X, y = datasets.planted_margin(100, 3, 0.1, random_state=0)
    trace = record(AROWClassifier(max_iter=100, r=0.5), X, y)
    model, rows, drift = trace.learner, np.column_stack([X, np.ones(100)]), 0.0
    _, *path = trace.path(len(trace))
    for i, w in zip(trace.problems[0].rows, path, strict=True):
        drift += float(rows[i] ** 2 @ w**2) / 0.5
    precision = float(path[-1] ** 2 @ (1 / model._resume.variances[0]) / (path[-1] @ path[-1]))
    assert model.status_ == "separated"
    assert model.mistake_bound_ == pytest.approx(bounds.arow(model.radius_, model.margin_, 0.5, precision, drift))
    assert bounds.arow(1.0, 0.0, 1.0) == bounds.soft_confidence(1.0, 0.0, 1.0, 1.0) == np.inf


def test_bounds_know_weights_and_warm_starts():
    for rule in (Arow(2.0), SoftConfidence(0.1, 1.0)):
        light = rule.mistake_bound(1.0, 0.5, Facts(lightest=0.5))
        assert light > rule.mistake_bound(1.0, 0.5, Facts())
        assert rule.mistake_bound(1.0, 0.5, Facts(precision=3.0)) > rule.mistake_bound(1.0, 0.5, Facts())
        assert rule.mistake_bound(1.0, 0.5, Facts(drift=3.0)) > rule.mistake_bound(1.0, 0.5, Facts())
        assert rule.mistake_bound(1.0, 0.5, Facts(start=1.0)) == np.inf


@pytest.mark.parametrize("learner", BOTH)
def test_nothing_is_said_of_other_planes(learner):
    X, y = overlapping()
    for tol in (None, 1e-3):
        model = learner(max_iter=30, tol=tol).fit(X, y)
        assert model.margin_bound_ == np.inf
        assert model.mistake_bound_ == np.inf
        assert model.status_ == "stopped"
        if tol is None:
            assert model.certificate_ is None
        else:  # it says why the run ended
            assert (model.certificate_.verdict, model.certificate_.margin) == ("unknown", (-np.inf, np.inf))


# What every learner does


@pytest.mark.parametrize("learner", BOTH)
@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_matrix])
def test_row_by_row_is_the_batch_to_the_bit(learner, multi_class, kind):
    X, y = overlapping(classes=3)
    X = kind(X)
    whole = learner(order="cyclic", max_iter=1, multi_class=multi_class).fit(X, y)
    parts = learner(order="cyclic", multi_class=multi_class)
    for i in range(len(y)):
        parts.partial_fit(X[i : i + 1], y[i : i + 1], classes=[0, 1, 2])
    for one, other in zip(state(parts), state(whole), strict=True):
        assert np.array_equal(one, other)
    assert np.array_equal(parts.n_updates_, whole.n_updates_)
    assert np.array_equal(parts.n_mistakes_, whole.n_mistakes_)


@pytest.mark.parametrize(("learner", "multi_class"), KINDS)
def test_layouts_threads_and_float32_scores_change_nothing(learner, multi_class):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, (700, 20)).astype(np.float32)
    y = (X @ rng.standard_normal((20, 4))).argmax(axis=1)
    settings_ = {"multi_class": multi_class, "max_iter": 3, "tol": None}
    model = learner(**settings_).fit(X.astype(np.float64), y)
    integers = [sp.csr_array(X.astype(np.int64))] if "NOVIKOFF_LONG" in os.environ else []  # compiled for this alone
    for data in (X, sp.csr_matrix(X), *integers):
        same = learner(**settings_, n_jobs=2).fit(data, y)
        assert np.array_equal(same.update_counts_, model.update_counts_)
        assert np.allclose(same.coef_, model.coef_, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("learner", BOTH)
def test_warm_starts_and_model_files_go_on(learner, tmp_path):
    X, y = overlapping(classes=3)
    whole = learner(order="cyclic", max_iter=3, tol=None).fit(X, y)
    model = learner(order="cyclic", max_iter=1, tol=None, warm_start=True).fit(X, y).fit(X, y)
    save(model, tmp_path / "model.nvk")
    again = load(tmp_path / "model.nvk").fit(X, y)
    assert np.array_equal(again.coef_, whole.coef_)
    assert np.array_equal(again._resume.variances, whole._resume.variances)
    assert again.mistake_bound_ == np.inf


@pytest.mark.parametrize("learner", BOTH)
@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_a_stream_in_cyclic_order_is_the_fit_in_memory(learner, multi_class, tmp_path):
    X, y = overlapping(200, 4, classes=3)
    lines = [",".join(map(repr, [*row, f"class {label}"])) for row, label in zip(X.tolist(), y.tolist(), strict=True)]
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(["a,b,c,d,y", *lines]) + "\n", encoding="utf-8")
    model = learner(order="cyclic", multi_class=multi_class)
    streamed = fit_stream(model, path, "y")
    plain = learner(order="cyclic", multi_class=multi_class).fit(X, [f"class {label}" for label in y])
    for one, other in zip(state(streamed), state(plain), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("learner", BOTH)
def test_early_stopping_keeps_the_best(learner):
    X, y = overlapping(600, 5)
    model = learner(early_stopping=True, n_iter_no_change=3, max_iter=500).fit(X, y)
    assert model.status_ == "stopped"
    assert 3 < model.n_iter_ < 500
    assert (model.update_counts_ == 0).sum() >= 60


@pytest.mark.parametrize("learner", BOTH)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_a_trace_leads_to_the_last_weights(learner, classes, multi_class, tmp_path):
    X, y = overlapping(40, 3, classes=classes)
    weight = np.where(np.arange(40) % 3, 1.0, 2.0)
    trace = record(learner(multi_class=multi_class), sp.csr_array(X) if classes == 2 else X, y, weight)
    trace.save(tmp_path / "run.npz")
    for one in (trace, Trace.load(tmp_path / "run.npz")):
        for k, problem in enumerate(one.problems):
            last = one.weights_before(len(problem), k)
            expected = trace.learner._resume.weights
            assert np.allclose(last, expected if problem.joint else expected[k], rtol=1e-9, atol=1e-12)
            assert one.squares(k)[-1] == pytest.approx((last**2).sum())
    with pytest.raises(ValueError, match="no sum of rows"):
        trace.dual(1)


# On a cluster


@pytest.mark.parametrize("learner", BOTH)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_one_shard_is_the_plain_learner(learner, classes, multi_class):
    X, y = overlapping(200, 4, classes=classes)
    parts = da.from_array(X, chunks=(60, 4)), da.from_array(y, chunks=60)
    settings_ = {"order": "cyclic", "max_iter": 3, "multi_class": multi_class, "tol": None}
    mixed = DASK[learner](**settings_, n_shards=1).fit(*parts)
    plain = learner(**settings_).fit(X, y)
    assert np.array_equal(mixed.coef_, plain.coef_)
    assert np.array_equal(mixed.n_updates_, plain.n_updates_)
    assert np.array_equal(mixed.n_mistakes_, plain.n_mistakes_)
    assert np.array_equal(np.atleast_1d(mixed.weighted_mistakes_), np.atleast_1d(plain.n_mistakes_))
    assert np.array_equal(mixed.mistake_bound_, plain.mistake_bound_)


@pytest.mark.parametrize("share", ["uniform", "mistakes"])
def test_rounds_mix_natural_parameters(share):
    X, y = overlapping(60, 3)
    parts = da.from_array(X, chunks=(30, 3)), da.from_array(y, chunks=30)
    mixed = DaskAROWClassifier(r=1.0, order="cyclic", max_iter=1, n_shards=2, mixing=share).fit(*parts)
    ends = []
    for a in (0, 30):
        rows, labels = augmented(X[a : a + 30]), signed(y[a : a + 30])
        ends.append(reference.gaussian(rows, labels, [range(30)], reference.arow(1.0)))
    counts = np.array([len(updates) for _, _, updates in ends])
    shares = counts / counts.sum() if share == "mistakes" else np.full(2, 0.5)
    precisions = sum(part / np.array(variances) for part, (_, variances, _) in zip(shares, ends, strict=True))
    natural = sum(part * np.array(w) / np.array(s) for part, (w, s, _) in zip(shares, ends, strict=True))
    assert np.allclose(np.append(mixed.coef_, mixed.intercept_), natural / precisions, rtol=1e-9)
    wrong = [sum(m <= 0 for _, m in updates) for _, _, updates in ends]
    assert mixed.weighted_mistakes_ == pytest.approx(float(shares @ wrong))


@pytest.mark.parametrize("learner", BOTH)
@pytest.mark.parametrize("share", ["uniform", "mistakes"])
def test_weighted_mistakes_stay_below_the_bound(learner, share):
    X, y = datasets.planted_margin(60, 3, 0.2, random_state=1)
    parts = da.from_array(X, chunks=(20, 3)), da.from_array(y, chunks=20)
    model = DASK[learner](n_shards=3, max_iter=40, mixing=share, tol=None).fit(*parts)
    assert model.status_ == "separated"
    assert 0 < model.weighted_mistakes_ <= model.mistake_bound_ < np.inf


def test_an_end_with_all_the_weight_is_taken_as_it_is():
    task = mixing.Task(1, False, Arow(1.0), 1.0, 1.0, np.ones(1), "cyclic", 0, 2, False)
    start, end = np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([[0.1, 0.3], [1 / 3, 0.7]])
    assert np.array_equal(mixing.mixed_gaussians(task, start, [start, end], np.array([[0.0], [1.0]])), end)


@parametrize_with_checks(CHECKED, expected_failed_checks=exceptions)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kind", BOTH)
def test_rows_that_only_say_what_is_there_are_learnt_as_others(kind):
    X = (np.random.default_rng(0).random((300, 40)) < 0.1).astype(float)
    y = np.random.default_rng(1).integers(3, size=300)
    dense, sparse = (kind(max_iter=3).fit(data, y) for data in (X, sp.csr_array(X)))
    np.testing.assert_allclose(sparse.coef_, dense.coef_, rtol=1e-9, atol=1e-12)
