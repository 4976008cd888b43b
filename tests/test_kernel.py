"""The kernel perceptron against the reference and the primal, and the theorems in its feature space."""

import multiprocessing
import os
import warnings
from fractions import Fraction

import numpy as np
import pytest
import reference
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils.estimator_checks import parametrize_with_checks
from strategies import grids, orders, separable
from test_perceptron import the_orders

from novikoff import KernelPerceptron, Perceptron, datasets
from novikoff.passes import kernel_rule
from novikoff.passes.ledger import PASS_UPDATES
from novikoff.passes.orders import draw
from novikoff.proofs.feature_space import kernel_space
from novikoff.training import budget as budget_room
from novikoff.training import dual, kernels
from novikoff.training.kernels import Kernel, PackedPoints, packed, points, products, scale_gamma

PASSES = 30
SQUARE = {"kernel": "poly", "gamma": 1, "coef0": 1, "degree": 2}
SIGNS = np.array([-1, 1])


def fit(X, y, sample_weight=None, **parameters):
    """A fit whose warning, if any, is beside the point."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return KernelPerceptron(**parameters).fit(X, y, sample_weight)


def primal(X, y, sample_weight=None, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return Perceptron(**parameters).fit(X, y, sample_weight)


def weights_of(model):
    """The weights of a model with a linear kernel."""
    return model.dual_coef_ @ model.support_vectors_, model.intercept_


def the_same_run(dual, other):
    for name in ("n_iter_", "n_updates_", "status_", "update_counts_"):
        assert np.array_equal(getattr(dual, name), getattr(other, name)), name
    for name in ("margin_", "margin_bound_", "mistake_bound_", "radius_"):
        assert getattr(dual, name) == pytest.approx(getattr(other, name), rel=1e-9, abs=1e-9), name


@given(grids(), orders, st.booleans(), st.sampled_from([1, 0.5, 8]))
def test_c16_the_linear_kernel_makes_the_updates_of_the_primal(data, order, fit_intercept, eta):
    X, y = data
    common = {"order": order, "fit_intercept": fit_intercept, "eta0": eta, "max_iter": PASSES, "tol": None}
    dual, other = fit(X, y, kernel="linear", **common), primal(X, y, **common)
    the_same_run(dual, other)
    coef, intercept = weights_of(dual)
    assert coef.tolist() == other.coef_.tolist()
    assert intercept.tolist() == other.intercept_.tolist()
    if dual.status_ == "inseparable":
        assert dual.certificate_.witness == other.certificate_.witness


@given(grids(), st.sampled_from(["cyclic", "shuffled"]))
def test_c16_row_by_row_too(data, order):
    X, y = data
    dual, other = KernelPerceptron(kernel="linear", fit_intercept=True), Perceptron()
    for i in [i for visits in the_orders(order, len(X), 2) for i in visits]:
        dual.partial_fit(X[[i]], y[[i]], classes=[0, 1])
        other.partial_fit(X[[i]], y[[i]], classes=[0, 1])
        assert dual.n_updates_ == other.n_updates_
    coef, intercept = weights_of(dual)
    assert coef.tolist() == other.coef_.tolist()
    assert intercept.tolist() == other.intercept_.tolist()


@given(grids(classes=3), orders, st.sampled_from(["ovr", "joint"]))
def test_c16_with_several_classes(data, order, multi_class):
    X, y = data
    common = {"order": order, "fit_intercept": True, "multi_class": multi_class, "max_iter": PASSES, "tol": None}
    dual, other = fit(X, y, kernel="linear", **common), primal(X, y, **common)
    the_same_run(dual, other)
    assert weights_of(dual)[0].tolist() == other.coef_.tolist()


@given(grids(), st.lists(st.integers(0, 3), min_size=12, max_size=12))
def test_c16_with_weighted_rows(data, weight):
    X, y = data
    s = np.array(weight[: len(X)])
    s[:2] = np.maximum(s[:2], 1)
    common = {"fit_intercept": True, "order": "cyclic", "max_iter": PASSES, "tol": None}
    the_same_run(fit(X, y, s, kernel="linear", **common), primal(X, y, s, **common))


@given(grids(), st.sampled_from(["cyclic", "shuffled"]), st.sampled_from([0, 1, 2]), st.booleans())
def test_equals_the_reference(data, order, margin, sparse):
    X, y = data
    K = (X @ X.T + 1) ** 2
    level = margin * int(K.diagonal().max())
    model = fit(
        sp.csr_array(X) if sparse else X,
        y,
        **SQUARE,
        order=order,
        threshold=margin,
        max_iter=PASSES,
        tol=None,
        average=True,
    )
    plan = the_orders(order, len(X), model.n_iter_)
    alpha, updates, mean, clean = reference.kernel_perceptron(K.tolist(), SIGNS[y].tolist(), plan, level)
    assert model.update_counts_.tolist() == alpha
    assert model.n_updates_ == len(updates)
    assert model.dual_coef_[0] == pytest.approx((SIGNS[y] * mean)[model.support_])
    if clean:
        assert model.status_ == "separated"


@given(grids(classes=3))
def test_one_vs_rest_is_the_two_class_rule_for_each_class(data):
    X, y = data
    model = fit(X, y, **SQUARE, max_iter=PASSES)
    for c in range(3):
        alone = fit(X, y == c, **SQUARE, max_iter=PASSES)
        assert model.update_counts_[c].tolist() == alone.update_counts_.tolist()
        for name in ("status_", "n_updates_", "margin_", "margin_bound_", "mistake_bound_"):
            assert getattr(model, name)[c] == getattr(alone, name)


def explicit(X):
    """Features whose inner product is (x·z + 1)²; a column given twice is one with the factor √2, without rounding."""
    a, b = X.T
    return np.column_stack([a * a, b * b, a * b, a * b, a, a, b, b, np.ones(len(X))])


@pytest.mark.parametrize("data", [datasets.logic_gate("xor"), datasets.circles(60, random_state=0)])
@pytest.mark.parametrize("order", ["cyclic", "shuffled", "active"])
def test_c17_the_kernel_is_an_explicit_map_and_learns_what_no_plane_separates(data, order):
    X, y = data
    rows = points(np.asarray(X))
    K = Kernel("poly", 1.0, 2, 1.0, 0.0).block(rows, rows)
    assert explicit(X) @ explicit(X).T == pytest.approx(K)
    model = KernelPerceptron(**SQUARE, order=order).fit(X, y)
    other = Perceptron(fit_intercept=False, order=order).fit(explicit(X), y)
    assert (model.status_, model.score(X, y)) == ("separated", 1.0)
    assert model.update_counts_.tolist() == other.update_counts_.tolist()
    assert model.margin_ == pytest.approx(other.margin_)
    assert model.decision_function(X) == pytest.approx(other.decision_function(explicit(X)))


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "poly"])
def test_c17_circles_by_every_kernel(kernel):
    X, y = datasets.circles(200, noise=0.05, random_state=0)
    model = KernelPerceptron(kernel=kernel, max_iter=10**5, tol=None).fit(X, y)
    assert (model.status_, model.score(X, y)) == ("separated", 1.0)


@given(separable(), orders, st.sampled_from(["linear", "poly", "rbf", "laplacian"]), st.sampled_from([0.0, 0.5, 1.0]))
@settings(max_examples=60)
def test_novikoff_in_the_feature_space(data, order, kernel, margin):
    X, y = data
    model = fit(X, y, kernel=kernel, order=order, threshold=margin, fit_intercept=True, max_iter=10**4, tol=None)
    assert model.status_ == "separated"
    assert 0 < model.n_updates_ <= model.mistake_bound_ * (1 + 1e-9)
    assert 0 < model.margin_ <= model.margin_bound_
    assert model.score(X, y) == 1
    lo, hi = model.certificate_.margin
    assert (lo, hi) == (model.margin_, model.margin_bound_)
    # A margin of m makes sure of m/(1 + 2m) of the largest there is; ten times that is another run's margin.
    wide = fit(X, y, kernel=kernel, threshold=10.0, fit_intercept=True, max_iter=10**5, tol=None)
    assert model.margin_ * (1 + 1e-6) >= margin / (1 + 2 * margin) * wide.margin_
    assert wide.margin_ <= model.margin_bound_ * (1 + 1e-9)


@given(grids(max_rows=8, max_features=3), orders)
def test_separated_is_true_in_exact_arithmetic(data, order):
    """Multiples of 0.1, whose products float64 rounds."""
    X, y = data[0] / 10, data[1]
    model = fit(X, y, **SQUARE, order=order, max_iter=300, tol=None)
    if model.status_ != "separated":
        return
    rows = [[Fraction(float(v)) for v in x] for x in X]
    counts = model.update_counts_.tolist()
    for x, sign in zip(rows, SIGNS[y].tolist(), strict=True):
        terms = (
            (a * s, (reference.dot(x, z) + 1) ** 2) for a, s, z in zip(counts, SIGNS[y].tolist(), rows, strict=True)
        )
        assert sign * sum(a * k for a, k in terms) > 0


def test_separated_in_float32_is_true_in_float64():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((600, 40)).astype(np.float32)
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    model = KernelPerceptron(gamma=0.01).fit(X, y)
    assert model.status_ == "separated"
    assert model.support_vectors_.dtype == np.float32
    X = X.astype(np.float64)
    K = pairwise_kernels(X, metric="rbf", gamma=0.01)
    c = SIGNS[y] * model.update_counts_
    leads = SIGNS[y] * (K @ c)
    assert leads.min() > 0
    reached = leads.min() / np.sqrt(c @ K @ c)
    assert 0 < model.margin_ <= reached
    assert model.n_updates_ <= model.mistake_bound_
    assert np.sqrt(c @ K @ c) / model.n_updates_ <= model.margin_bound_


@pytest.mark.parametrize("kernel", [SQUARE, {"kernel": "linear"}, {"kernel": "precomputed"}])
def test_contradictory_rows_end_with_a_witness(kernel):
    X, y = np.array([[1, 2], [1, 2], [0, 1]]), [0, 1, 1]
    model = fit(X @ X.T if kernel == {"kernel": "precomputed"} else X, y, order="cyclic", **kernel)
    assert model.status_ == "inseparable"
    assert set(model.certificate_.witness) == {0, 1}


def test_contradictory_rows_are_never_separated_by_rounding():
    X = np.random.default_rng(0).standard_normal((30, 3)).astype(np.float32)
    X, y = np.vstack([X, X[:1]]), np.arange(31) % 2
    y[30] = 1 - y[0]
    for kernel in ("rbf", "laplacian", "poly"):
        model = fit(X, y, kernel=kernel, max_iter=300)
        assert model.status_ in ("thin", "stopped")
        assert model.margin_ <= 0
        assert model.certificate_ is None or model.certificate_.verdict == "unknown"


def test_thin_is_proved_by_the_run():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((200, 2)), rng.integers(0, 2, 200)
    model = KernelPerceptron(kernel="poly", tol=0.05).fit(X, y)
    assert model.status_ == "thin"
    assert model.margin_bound_ <= 0.05 * model.radius_


@given(grids(), st.integers(1, 6))
def test_partial_fit_k_times_is_max_iter_k_in_cyclic_order(data, k):
    X, y = data
    whole = fit(X, y, **SQUARE, order="cyclic", max_iter=k, tol=0, average=True)
    parts = KernelPerceptron(**SQUARE, order="cyclic", average=True)
    for _ in range(whole.n_iter_):
        parts.partial_fit(X, y, classes=[0, 1])
    assert (parts.n_iter_, parts.n_updates_) == (whole.n_iter_, whole.n_updates_)
    assert parts.decision_function(X) == pytest.approx(whole.decision_function(X))
    assert parts.margin_ == pytest.approx(whole.margin_, abs=1e-9)
    assert len(parts.support_) == np.unique(parts.support_).size


def noisy(kind=np.float64, classes=3, n=400):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 5)).astype(kind)
    return X, (np.abs(X[:, :classes]) + 0.3 * rng.standard_normal((n, classes))).argmax(axis=1)


def mostly_zeros(kind, n=400):
    """Rows with two nonzeros in fifteen columns, on average, and some with none."""
    rng = np.random.default_rng(0)
    X = (rng.standard_normal((n, 15)) * (rng.random((n, 15)) < 2 / 15)).astype(kind)
    return X, np.abs(X).argmax(axis=1) % 3


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("rows", [256, 300, 449])
def test_products_by_nonzeros_are_those_of_the_reference(kind, rows):
    rng = np.random.default_rng(rows)
    X = (rng.integers(-9, 10, (rows, 600)) * (rng.random((rows, 600)) < 0.2)).astype(kind)
    X[1], X[2] = 0, 1  # a row of nothing, and one of more than a stretch
    Z = rng.integers(-9, 10, (rows // 2, 600)).astype(kind)
    right = packed(points(Z), points(X))
    assert isinstance(right, PackedPoints)
    assert products(X[:40], right).tolist() == reference.products(X[:40].tolist(), Z.tolist())
    assert np.array_equal(products(X, right[slice(64, 128)]), X @ Z[64:128].T)


def test_products_by_nonzeros_are_for_many_dense_rows_of_mostly_zeros():
    X, _ = mostly_zeros(np.float32)
    few, full, sparse, wide = points(X[:255]), points(X + 1), points(sp.csr_array(X)), points(X.astype(np.float64))
    assert isinstance(packed(points(X), points(X)), PackedPoints)
    for left, right in ((few, points(X)), (full, points(X)), (sparse, sparse), (wide, points(X))):
        assert packed(right, left) is right


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("data", [noisy, mostly_zeros])
@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_a_small_cache_gives_the_same_model(kind, data, multi_class):
    X, y = data(kind)
    one_row = 400 * np.dtype(kind).itemsize / 2**20
    models = [
        fit(X, y, multi_class=multi_class, max_iter=6, cache_size=rows * one_row) for rows in (0.1, 1, 7, 40, 400)
    ]
    assert np.sum(models[0].n_updates_) > 200
    for model in models[1:]:
        assert np.array_equal(model.update_counts_, models[0].update_counts_)
        assert np.array_equal(model.dual_coef_, models[0].dual_coef_)


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "laplacian", "sigmoid"])
@pytest.mark.parametrize("budget", [None, 20])
def test_precomputed_and_callable_equal_the_named_kernel(kernel, budget):
    X, y = noisy()
    options = {} if kernel == "linear" else {"gamma": 0.1} if kernel in ("rbf", "laplacian") else None
    options = {"gamma": 0.1, "degree": 2, "coef0": 1.0} if options is None else options
    options.pop("degree", None) if kernel == "sigmoid" else None

    def function(A, B):
        return pairwise_kernels(A, B, metric=kernel, **options)

    common = {"max_iter": 5, "tol": None, "budget": budget}
    named = fit(X, y, kernel=kernel, **options, **common)
    given = fit(function(X, X), y, kernel="precomputed", **common)
    called = fit(X, y, kernel=function, **common)
    for model in (given, called):
        assert np.array_equal(model.update_counts_, named.update_counts_)
        assert np.array_equal(model.support_, named.support_)
    test = X[:50] + 0.1
    expected = named.decision_function(test)
    assert called.decision_function(test) == pytest.approx(expected)
    assert given.decision_function(function(test, X)) == pytest.approx(expected)
    assert function(test, named.support_vectors_) @ named.dual_coef_.T + named.intercept_ == pytest.approx(expected)


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "laplacian", "sigmoid"])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_dense_equals_sparse(kernel, kind):
    rng = np.random.default_rng(0)
    X = (rng.integers(0, 4, (120, 9)) * rng.integers(0, 2, (120, 9))).astype(kind)
    y = np.arange(120) % 3
    common = {"kernel": kernel, "max_iter": 4, "gamma": 0.125, "tol": None}
    dense = fit(X, y, **common)
    for data in (sp.csr_matrix(X), sp.csr_array(X), sp.coo_matrix(X)):
        model = fit(data, y, **common)
        assert np.array_equal(model.update_counts_, dense.update_counts_)
        assert sp.issparse(model.support_vectors_)
        assert model.decision_function(data) == pytest.approx(dense.decision_function(X), rel=1e-4, abs=1e-4)
        assert model.decision_function(X) == pytest.approx(dense.decision_function(data), rel=1e-4, abs=1e-4)
        assert model.support_vectors_.dtype == dense.support_vectors_.dtype == kind


@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.bool_])
def test_whole_numbers_are_exact(kind):
    X = np.random.default_rng(0).integers(0, 2, (60, 6))
    y = X[:, 0] ^ X[:, 3]
    expected = fit(X.astype(np.float64), y, **SQUARE)
    model = fit(X.astype(kind), y, **SQUARE)
    assert model.status_ == "separated"
    assert np.array_equal(model.dual_coef_, expected.dual_coef_)
    assert model.margin_ == expected.margin_


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_exp_is_right_to_the_last_places(kind):
    t = np.linspace(0, 80 if kind == np.float32 else 690, 10**5).astype(kind)
    found = np.zeros((1, len(t)), dtype=kind)
    kernel_rule.gaussian(found, np.zeros(1, kind), t, kind(1), kind(-87 if kind == np.float32 else -700))
    true = np.exp(-t.astype(np.longdouble))
    assert float(np.abs(found[0] / true - 1).max()) < np.finfo(kind).eps


def test_rbf_of_a_row_with_itself_is_one_at_any_offset():
    X = (1e4 + np.random.default_rng(0).standard_normal((60, 30))).astype(np.float32)
    rows = points(X)
    K = Kernel("rbf", 0.01, 2, 1.0, 0.0).block(rows, rows)
    assert K.max() <= 1
    assert np.isfinite(K).all()


POLICIES = ["project", "forget", "random"]


@given(grids(max_rows=12), st.sampled_from(POLICIES), st.integers(1, 5))
@settings(max_examples=60)
def test_a_budget_equals_the_reference(data, policy, budget):
    X, y = data
    K = pairwise_kernels(X, metric="rbf", gamma=0.3)
    model = fit(
        X, y, gamma=0.3, budget=budget, policy=policy, order="cyclic", max_iter=4, class_weight={0: 1, 1: 1}, tol=None
    )
    seed = np.uint64(np.random.RandomState(0).randint(2**31))
    slot = lambda visit, size: int(draw(seed, np.uint64(visit), np.uint64(size)))  # noqa: E731
    plan = [range(len(X))] * model.n_iter_
    c, updates = reference.budgeted(K, SIGNS[y].tolist(), plan, budget, policy, slot)
    assert len(model.support_) <= budget
    if np.abs(K @ c).min() < 1e-3:
        return  # a tie that rounding may break either way
    assert model.n_updates_ == pytest.approx(len(updates), abs=0)
    found = np.zeros(len(X))
    found[model.support_] = model.dual_coef_[0]
    assert K @ found == pytest.approx(K @ c, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_budget_is_never_exceeded_and_its_bound_holds(policy, multi_class, kind):
    X, y = noisy(kind, n=600)
    for budget in (1, 7, 50):
        model = KernelPerceptron(gamma=0.3, budget=budget, policy=policy, multi_class=multi_class)
        for part in range(0, 600, 90):
            model.partial_fit(X[part : part + 90], y[part : part + 90], classes=[0, 1, 2])
            assert len(model.support_) == len(model.support_vectors_) <= budget
            assert model.dual_coef_.shape == (3, len(model.support_))
        assert np.isfinite(model.decision_function(X)).all()
        assert np.all(model.removed_ > 0)
        assert model.n_iter_ == 7


@pytest.mark.parametrize("policy", POLICIES)
def test_t9_bounds_the_updates_of_a_budgeted_run(policy):
    """For any g: M ≤ L(g) + ‖g‖·(‖f‖ + Σ‖removed‖)."""
    X, y = noisy(classes=2)
    free = KernelPerceptron(gamma=0.3).fit(X, y)
    assert free.status_ == "separated"
    K = pairwise_kernels(X, metric="rbf", gamma=0.3)
    for budget in (5, 30, 100):
        model = fit(X, y, gamma=0.3, budget=budget, policy=policy, max_iter=5)
        c = np.zeros(len(X))
        c[model.support_] = model.dual_coef_[0]
        length = np.sqrt(c @ K @ c)
        counts = model.update_counts_
        assert counts.sum() == model.n_updates_
        # The functions removed and the one left sum to that of all updates.
        total = SIGNS[y] * counts
        assert np.sqrt((total - c) @ K @ (total - c)) <= model.removed_ * (1 + 1e-6)
        for scale in (0.1, 1.0, 10.0):
            g = scale * SIGNS[y] * free.update_counts_ / free.n_updates_
            loss = counts @ np.maximum(0, 1 - SIGNS[y] * (K @ g))
            assert model.n_updates_ <= loss + np.sqrt(g @ K @ g) * (length + model.removed_) * (1 + 1e-6)
        assert free.margin_ <= model.margin_bound_
        assert model.margin_bound_ == pytest.approx((length + model.removed_) / model.n_updates_)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_budget_that_is_not_needed_changes_nothing(policy):
    X, y = noisy(classes=2)
    free = KernelPerceptron(gamma=0.3, max_iter=10**4).fit(X, y)
    model = KernelPerceptron(gamma=0.3, budget=400, policy=policy, max_iter=10**4).fit(X, y)
    assert model.status_ == free.status_ == "separated"
    assert np.array_equal(model.update_counts_, free.update_counts_)
    assert model.decision_function(X) == pytest.approx(free.decision_function(X))
    assert model.removed_ == pytest.approx(0, abs=1e-3)
    assert model.margin_ == pytest.approx(free.margin_, rel=1e-4)
    assert model.n_updates_ <= model.mistake_bound_
    assert model.certificate_.verdict == "separable"


def test_the_average_on_a_budget_is_that_without_where_it_is_not_needed():
    X, y = noisy(classes=2)
    free = KernelPerceptron(gamma=0.3, average=True).fit(X, y)
    model = KernelPerceptron(gamma=0.3, average=True, budget=400).fit(X, y)
    assert model.decision_function(X) == pytest.approx(free.decision_function(X), rel=1e-6, abs=1e-6)


def test_a_budget_warns_that_it_does_not_suffice():
    X, y = noisy(classes=2)
    with pytest.warns(ConvergenceWarning, match=r"stopped after \d+ passes with \d+ mistakes .* Raise budget"):
        model = KernelPerceptron(budget=3).fit(X, y)
    assert (model.status_, model.mistake_bound_, model.certificate_) == ("stopped", np.inf, None)


def test_a_kernel_that_is_no_inner_product_gets_no_bounds():
    X, y = noisy(classes=2, n=60)
    negative = lambda A, B: -(A @ B.T)  # noqa: E731
    twisted = np.array([[1.0, 5.0], [5.0, 1.0]])
    models = [
        fit(X, y, kernel="sigmoid", gamma=0.5, max_iter=20),
        fit(X, y, kernel="poly", coef0=-1.0, max_iter=20),
        fit(X, y, kernel=negative, max_iter=20),
        fit(X, y, kernel="sigmoid", budget=5, max_iter=20),
        fit(twisted, [0, 1], kernel="precomputed", max_iter=20),
    ]
    for model in models:
        assert model.status_ in ("stopped", "separated")
        assert np.isnan(model.margin_)
        assert np.isnan(model.margin_bound_)
        assert np.isnan(model.mistake_bound_)
    separated = fit(np.array([[1.0, -5.0], [-5.0, 1.0]]), [0, 1], kernel="precomputed", max_iter=20)
    assert separated.status_ in ("separated", "stopped")


def test_verbose_shows_progress(capfd):
    X, y = datasets.circles(50, random_state=0)
    for parameters in ({}, {"budget": 10}):
        fit(X, y, verbose=1, **parameters)
        out, err = capfd.readouterr()
        assert out == ""
        assert "passes" in err


X3, Y3 = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]]), np.array([0, 1, 1])


@pytest.mark.parametrize(
    ("parameters", "data", "sentence"),
    [
        ({"kernel": "precomputed"}, X3, "must be square, .* X has 3 rows and 2 columns"),
        ({"kernel": "precomputed"}, sp.csr_array(np.eye(3)), "dense|Sparse data"),
        ({"kernel": "gauss"}, X3, "The 'kernel' parameter of KernelPerceptron must be a str among .* or a callable"),
        ({"gamma": -1.0}, X3, "The 'gamma' parameter of KernelPerceptron must be"),
        ({"gamma": 0}, X3, "The 'gamma' parameter of KernelPerceptron must be"),
        ({"degree": 0}, X3, "The 'degree' parameter of KernelPerceptron must be an int in the range"),
        ({"budget": 0}, X3, r"The 'budget' parameter of KernelPerceptron must be an int in the range \[1, inf\)"),
        ({"policy": "merge"}, X3, "The 'policy' parameter of KernelPerceptron must be a str among"),
        ({"cache_size": 0}, X3, "The 'cache_size' parameter of KernelPerceptron must be"),
        ({"threshold": -0.5}, X3, "The 'threshold' parameter of KernelPerceptron must be"),
        ({"budget": 2, "order": "active"}, X3, "order='active' is for runs without a budget"),
        ({"budget": 2, "policy": "forget", "average": True}, X3, "average=True on a budget needs policy='project'"),
        ({"kernel": lambda A, B: A}, X3, r"returned an array of shape \(3, 2\) for 3 and 3 rows"),
        ({"kernel": lambda A, B: np.full((len(A), len(B)), np.nan)}, X3, "returned nan for row 0 with row 0"),
        ({"kernel": "poly", "degree": 99, "gamma": 1e9}, X3, "Kernel values up to .* are too large for float64"),
        ({"kernel": "linear"}, (X3 * 1e19).astype(np.float32), "too large for float32"),
        ({"kernel": "linear"}, X3 * 1e-200, "so small .* underflow: rescale X"),
        ({}, np.where(X3 == 2, np.nan, X3), "NaN at row 2, column 0"),
        ({"kernel": "precomputed"}, np.where(np.eye(3) == 1, np.inf, 0), "infinity at row 0, column 0"),
    ],
)
def test_bad_input_gets_a_sentence_and_changes_nothing(parameters, data, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        KernelPerceptron(**parameters).fit(data, Y3)
    model = KernelPerceptron().fit(X3, Y3)
    before = {key: str(value) for key, value in vars(model).items()}
    with pytest.raises((ValueError, TypeError), match=sentence):
        model.set_params(**parameters).fit(data, Y3)
    after = {key: str(value) for key, value in vars(model).items()}
    assert {key: after[key] for key in before if key not in parameters} == {
        key: before[key] for key in before if key not in parameters
    }


def test_predict_and_partial_fit_refuse():
    model = KernelPerceptron().fit(X3, Y3)
    with pytest.raises(ValueError, match="X has 3 features, but KernelPerceptron is expecting 2 features"):
        model.predict(np.eye(3))
    with pytest.raises(ValueError, match="NaN at row 0, column 1"):
        model.predict([[1.0, np.nan]])
    with pytest.raises(AttributeError) as refused:
        KernelPerceptron(kernel="precomputed").partial_fit(np.eye(3), Y3, classes=[0, 1])
    assert "partial_fit needs the rows themselves" in str(refused.value.__cause__)
    with pytest.raises(ValueError, match="first call of partial_fit needs classes="):
        KernelPerceptron().partial_fit(X3, Y3)


REPETITION = "a row of weight 2 takes one step of double length where a row given twice is updated once"

FAR = "the check hands in a kernel that is zero between nearly all rows, so that most of the rows to predict score 0"


def test_the_active_order_goes_on_when_rows_are_right_but_rounding_leaves_it_in_doubt():
    X, y = [[1.0, 1.0], [-1e6, 1.0]], [1, 0]
    with pytest.warns(ConvergenceWarning):
        model = KernelPerceptron(gamma=1000.0, order="active", max_iter=50).fit(X, y)
    assert model.predict(X).tolist() == y


CHECKED = [
    KernelPerceptron(),
    KernelPerceptron(kernel="poly", multi_class="joint", average=True, fit_intercept=True),
    KernelPerceptron(kernel="precomputed"),
]
if "NOVIKOFF_LONG" in os.environ:
    CHECKED.append(KernelPerceptron(budget=20, max_iter=5))
    CHECKED += [KernelPerceptron(budget=20, policy=policy, max_iter=5) for policy in ("forget", "random")]


@parametrize_with_checks(
    CHECKED,
    expected_failed_checks=lambda estimator: {
        "check_sample_weight_equivalence_on_dense_data": REPETITION,
        "check_sample_weight_equivalence_on_sparse_data": REPETITION,
        **({"check_class_weight_classifiers": FAR} if estimator.kernel == "precomputed" else {}),
    },
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_passes_on_a_budget_are_known_to_help(monkeypatch):
    """As long as they make clearly fewer updates: the run counts what its passes did."""
    steps = []

    class Watched(budget_room.BudgetRun):
        def age(self, active):
            steps.append((float(self.steps[0]), float(self.ledger[0, PASS_UPDATES])))
            super().age(active)

    monkeypatch.setattr(budget_room, "BudgetRun", Watched)
    X, y = noisy(classes=2)
    fit(X, y, gamma=0.3, budget=30, max_iter=8)
    assert len(steps) > 1
    assert all(travelled == updates > 0 for travelled, updates in steps)


def test_kernel_rows_all_at_once_or_as_they_are_needed_are_the_same(monkeypatch):
    X, y = datasets.spirals(150, random_state=0)
    models = []
    for most in (0, 2**24):
        monkeypatch.setattr(dual, "AT_ONCE", most)
        models.append(KernelPerceptron(average=True, max_iter=5).fit(X, y))
    assert (models[0].update_counts_ == models[1].update_counts_).all()
    np.testing.assert_array_equal(*(model.dual_coef_ for model in models))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Python warns of a fork beside threads: it is what is tried
def test_a_forked_process_has_threads_of_its_own():
    assert kernels.workers(2).submit(int).result(30) == 0
    child = multiprocessing.get_context("fork").Process(target=lambda: kernels.workers(2).submit(int).result(30))
    child.start()
    child.join(60)
    assert child.exitcode == 0


@pytest.mark.filterwarnings("ignore:KernelPerceptron stopped")
@pytest.mark.parametrize("shift", [0.0, 1e7, 1e8])
@pytest.mark.parametrize("sparse", [False, True])
def test_one_scale_for_learners_and_proofs_whatever_the_numbers_are_near(shift, sparse):
    X = np.random.default_rng(0).normal(size=(40, 3)) + shift
    rows = sp.csr_array(X) if sparse else X
    assert scale_gamma(rows) == pytest.approx(1 / (3 * np.var(X)), rel=1e-6)
    learner = KernelPerceptron("rbf", max_iter=1, random_state=0).fit(rows, X[:, 0] > shift)
    assert learner.gamma_ == scale_gamma(rows)
    assert float(kernel_space("rbf", "scale", 1, 0, rows).gamma) == pytest.approx(scale_gamma(rows), rel=1e-12)
