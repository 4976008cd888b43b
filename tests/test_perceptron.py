"""The perceptron against the plain-Python reference, and the theorems about it."""

import os
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
import reference
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from strategies import grids, orders, separable

from novikoff import Perceptron, datasets
from novikoff.passes.orders import SMALL, shuffled

PASSES = 30


def fit(X, y, **parameters):
    """A fit whose warning, if any, is beside the point."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return Perceptron(**parameters).fit(X, y)


def augmented(X, fit_intercept=True):
    return [[*x, 1] if fit_intercept else x for x in np.asarray(X).tolist()]


def signed(y):
    second = max(y)
    return [1 if label == second else -1 for label in y]


def weights(model):
    return [*model.coef_[0], *(model.intercept_ if model.fit_intercept else [])]


def the_orders(order, n, passes, model_seed=0):
    """The order of every pass, as the library draws it."""
    rows = np.arange(n, dtype=np.uint32)
    seed = int(np.random.RandomState(model_seed).randint(2**31))
    if order == "cyclic":
        return [range(n)] * passes
    return [shuffled(rows, (seed << 32) + k).tolist() for k in range(1, passes + 1)]


@given(grids(), st.sampled_from(["cyclic", "shuffled"]), st.booleans(), st.sampled_from([1, 0.5, 2, 8]))
def test_c04_weights_and_update_counts_equal_the_reference(data, order, fit_intercept, eta):
    X, y = data
    model = fit(X, y, order=order, fit_intercept=fit_intercept, eta0=eta, max_iter=PASSES, tol=None)
    plan = the_orders(order, len(X), model.n_iter_)
    w, updates, clean = reference.perceptron(augmented(X, fit_intercept), signed(y), plan, eta)
    assert weights(model) == w
    assert model.n_updates_ == len(updates)
    assert model.update_counts_.tolist() == np.bincount(updates, minlength=len(X)).tolist()
    if clean:
        assert model.status_ == "separated"


@given(grids(), st.sampled_from(["cyclic", "shuffled"]))
def test_c04_sequence_of_updates_equals_the_reference(data, order):
    """Pass by pass and row by row: a single-row partial_fit either corrects its row or does not."""
    X, y = data
    plan = the_orders(order, len(X), 3)
    _, updates, _ = reference.perceptron(augmented(X), signed(y), plan)
    model, found = Perceptron(order="cyclic"), []
    for i in [i for order in plan for i in order]:
        before = getattr(model, "n_updates_", 0)
        model.partial_fit(X[[i]], y[[i]], classes=[0, 1])
        found += [i] * (model.n_updates_ - before)
    assert found[: len(updates)] == updates


@given(grids(classes=3), st.sampled_from(["cyclic", "shuffled"]))
def test_one_vs_rest_is_the_two_class_rule_for_each_class(data, order):
    X, y = data
    model = fit(X, y, order=order, max_iter=PASSES)
    for c in range(3):
        alone = fit(X, y == c, order=order, max_iter=PASSES)
        assert model.coef_[c].tolist() == alone.coef_[0].tolist()
        assert model.intercept_[c] == alone.intercept_[0]
        assert model.update_counts_[c].tolist() == alone.update_counts_.tolist()
        for attribute in ("status_", "n_updates_", "margin_", "margin_bound_", "mistake_bound_"):
            assert getattr(model, attribute)[c] == getattr(alone, attribute)


@given(grids(classes=3), st.sampled_from(["cyclic", "shuffled"]))
def test_joint_equals_the_reference(data, order):
    X, y = data
    model = fit(X, y, order=order, multi_class="joint", max_iter=PASSES, tol=None)
    plan = the_orders(order, len(X), model.n_iter_)
    w, updates, clean = reference.joint(augmented(X), y.tolist(), plan, 3)
    assert np.column_stack([model.coef_, model.intercept_]).tolist() == w
    assert model.n_updates_ == len(updates)
    counts = np.zeros((3, len(X)))
    for i, rival in updates:
        counts[rival, i] += 1
    assert model.update_counts_.tolist() == counts.tolist()
    if clean:
        assert model.status_ == "separated"


@pytest.mark.parametrize("classes", [16, 20, 24, 25])
def test_joint_equals_the_reference_however_many_classes_lie_side_by_side(classes):
    rng = np.random.default_rng(classes)
    X, y = rng.integers(-3, 4, (4 * classes, 5)).astype(np.float64), np.arange(4 * classes) % classes
    model = fit(sp.csr_array(X), y, order="cyclic", multi_class="joint", max_iter=3, tol=None)
    w, updates, _ = reference.joint(augmented(X), y.tolist(), [range(len(X))] * 3, classes)
    assert np.column_stack([model.coef_, model.intercept_]).tolist() == w
    assert model.n_updates_ == len(updates)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("n", [20, 61])
def test_long_rows_in_cyclic_order_equal_the_reference_too(classes, n):
    """Rows of many lines of memory."""
    rng = np.random.default_rng(n)
    X = rng.integers(-2, 3, (n, 300)) * rng.integers(0, 2, (n, 300))
    y = np.append(np.arange(classes), rng.integers(0, classes, n - classes))
    model = fit(X.astype(np.float64), y, order="cyclic", max_iter=5, tol=None)
    for c in range(1 if classes == 2 else 3):
        labels = signed(y) if classes == 2 else [1 if label == c else -1 for label in y]
        w, _, _ = reference.perceptron(augmented(X), labels, [range(n)] * 5)
        assert [*model.coef_[c], model.intercept_[c]] == w


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.uint8])
def test_many_rows_equal_the_reference_too(kind):
    """So many that passes weave blocks of rows."""
    n = SMALL + 5
    rng = np.random.default_rng(n)
    X = rng.integers(0, 10, (n, 6))
    y = (X @ [3, -2, 1, 0, -1, 2] + rng.integers(-3, 4, n) > 14).astype(int)
    w, updates, _ = reference.perceptron(augmented(X), signed(y), the_orders("shuffled", n, 3))
    for data in (X.astype(kind), sp.csr_matrix(X)):
        model = fit(data, y, max_iter=3, tol=None)
        assert weights(model) == w
        assert model.update_counts_.tolist() == np.bincount(updates, minlength=n).tolist()


@given(separable(), orders, st.floats(0.01, 100), st.booleans())
def test_c09_novikoff_bounds_the_updates(data, order, eta, sparse):
    X, y = data
    model = Perceptron(order=order, eta0=eta, max_iter=10**6, tol=None)
    model.fit(sp.csr_matrix(X) if sparse else X, y)
    assert model.status_ == "separated"
    assert 0 < model.n_updates_ <= model.mistake_bound_ * (1 + 1e-9)
    assert model.score(X, y) == 1
    assert 0 < model.margin_ <= model.margin_bound_
    certificate = model.certificate_
    assert certificate.verdict == "separable"
    assert certificate.margin[0] <= model.margin_ * (1 + 1e-12)
    w = [Fraction(float(v)) for v in (*certificate.coef[0], certificate.intercept[0])]
    assert all(s * reference.dot(w, x) > 0 for x, s in zip(augmented(X), signed(y), strict=True))


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "active"])
@pytest.mark.parametrize("eta", [1e-3, 1.0, 7.0])
@pytest.mark.parametrize("sparse", [False, True])
def test_c09_novikoff_on_planted_margins(order, eta, sparse):
    X, y = datasets.planted_margin(500, 10, 0.02, random_state=1)
    model = Perceptron(order=order, eta0=eta, fit_intercept=False).fit(sp.csr_array(X) if sparse else X, y)
    assert model.status_ == "separated"
    assert 0 < model.n_updates_ <= 1 / 0.02**2
    assert model.radius_ == pytest.approx(1)
    assert model.margin_bound_ >= 0.02


def test_c05_orders_give_different_planes_under_the_same_bound():
    X, y = datasets.planted_margin(300, 5, 0.05, random_state=0)
    planes = {order: Perceptron(order=order).fit(X, y) for order in ("cyclic", "shuffled", "active")}
    assert len({tuple(model.coef_[0]) for model in planes.values()}) == 3
    assert all(0 < model.n_updates_ <= 2 / 0.05**2 for model in planes.values())


@given(grids(), orders)
def test_dense_and_sparse_give_the_same_model(data, order):
    X, y = data
    dense = fit(X, y, order=order, max_iter=PASSES)
    for other in (sp.csr_matrix(X), sp.coo_array(X), X.astype(np.float32), np.asfortranarray(X)):
        model = fit(other, y, order=order, max_iter=PASSES)
        assert weights(model) == weights(dense)
        assert model.update_counts_.tolist() == dense.update_counts_.tolist()
        assert (model.status_, model.margin_) == (dense.status_, dense.margin_)


@given(grids(classes=3), orders, st.sampled_from(["ovr", "joint"]))
def test_dense_and_sparse_give_the_same_model_for_several_classes(data, order, multi_class):
    X, y = data
    dense = fit(X, y, order=order, multi_class=multi_class, max_iter=PASSES)
    sparse = fit(sp.csr_matrix(X), y, order=order, multi_class=multi_class, max_iter=PASSES)
    assert np.array_equal(dense.coef_, sparse.coef_)
    assert np.array_equal(dense.intercept_, sparse.intercept_)
    assert np.array_equal(dense.update_counts_, sparse.update_counts_)


@given(grids(), orders)
def test_flipping_the_labels_negates_the_model(data, order):
    X, y = data
    model, flipped = fit(X, y, order=order, max_iter=PASSES), fit(X, 1 - y, order=order, max_iter=PASSES)
    assert weights(flipped) == [-a for a in weights(model)]
    assert flipped.status_ == model.status_


@given(grids(), orders, st.randoms())
def test_permuting_the_features_permutes_the_model(data, order, random):
    X, y = data
    columns = random.sample(range(X.shape[1]), X.shape[1])
    model, permuted = fit(X, y, order=order, max_iter=PASSES), fit(X[:, columns], y, order=order, max_iter=PASSES)
    assert permuted.coef_[0].tolist() == model.coef_[0, columns].tolist()


@given(grids(), st.integers(1, 8), st.sampled_from([1.0, 0.1]))
def test_partial_fit_k_times_is_max_iter_k_in_cyclic_order(data, k, eta):
    X, y = data
    whole = fit(X, y, order="cyclic", max_iter=k, tol=0, eta0=eta)
    parts = Perceptron(order="cyclic", eta0=eta)
    for _ in range(whole.n_iter_):
        parts.partial_fit(X, y, classes=[0, 1])
    assert weights(parts) == weights(whole)
    assert (parts.n_iter_, parts.n_updates_) == (whole.n_iter_, whole.n_updates_)


@given(grids(), orders)
def test_every_run_ends_with_what_it_says(data, order):
    X, y = data
    model = fit(X, y, order=order, max_iter=200)
    rows, signs = augmented(X), signed(y)
    if model.status_ == "separated":
        assert all(s * reference.dot(weights(model), x) > 0 for x, s in zip(rows, signs, strict=True))
    if model.status_ == "inseparable":
        witness = model.certificate_.witness
        assert witness
        assert min(witness.values()) > 0
        total = [sum(a * signs[i] * rows[i][j] for i, a in witness.items()) for j in range(len(rows[0]))]
        assert total == [0] * len(rows[0])
        assert model.margin_bound_ == 0
    if model.status_ == "thin":
        assert model.margin_bound_ <= model.tol * model.radius_
    assert model.margin_ <= model.margin_bound_


def test_c08_xor_ends_with_a_proof():
    X, y = datasets.logic_gate("xor")
    for order in ("cyclic", "shuffled", "active"):
        model = Perceptron(order=order).fit(X, y)
        assert model.status_ == "inseparable"
        assert model.n_iter_ <= 2 or order == "active"
        assert set(model.certificate_.witness) == {0, 1, 2, 3}
        assert len(set(model.certificate_.witness.values())) == 1
        assert model.certificate_.verdict == "inseparable"


@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_contradictory_rows_are_a_witness(multi_class):
    X, y = [[1.0, 2], [1, 2], [1, 2]], ["a", "b", "c"]
    model = fit(X, y, multi_class=multi_class, tol=None, order="cyclic")
    assert np.all(model.status_ == "inseparable")


def test_a_row_of_zeros_without_intercept_is_a_witness():
    model = Perceptron(fit_intercept=False, order="cyclic").fit([[0, 0], [1, 1], [-1, 2]], [1, 1, 0])
    assert model.status_ == "inseparable"
    assert model.certificate_.witness == {0: 1.0}


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "active"])
def test_c11_orthonormal_rows_take_exactly_m_updates(order):
    for m in range(2, 201):
        model = Perceptron(order=order, fit_intercept=False).fit(*datasets.orthonormal(m))
        assert model.n_updates_ == m
        assert model.margin_ == pytest.approx(m**-0.5)
        assert model.mistake_bound_ == pytest.approx(m)


def test_c11_one_row_takes_one_update():
    """A classifier needs two classes, so the one row of m = 1 comes with its mirror image: the same signed row."""
    model = Perceptron(order="cyclic", fit_intercept=False).fit([[1], [-1]], [1, -1])
    assert (model.n_updates_, model.margin_, model.mistake_bound_) == (1, 1, 1)


@pytest.mark.parametrize("m", range(2, 11 if "NOVIKOFF_LONG" in os.environ else 10))
def test_c12_worst_case_takes_a_third_of_4_to_the_m_updates(m):
    X, y = datasets.exponential(m)
    model = Perceptron(order="cyclic", fit_intercept=False, tol=None, max_iter=10**7).fit(X, y)
    assert model.status_ == "separated"
    assert model.n_updates_ == (4**m - 1) // 3
    assert model.coef_[0].tolist() == [2**j for j in range(m)]
    assert model.n_updates_ <= model.mistake_bound_


def test_thin_comes_within_one_over_tol_squared_updates():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((400, 3)), rng.integers(0, 2, 400)
    for tol in (0.3, 0.1, 0.03):
        model = Perceptron(tol=tol, order="cyclic").fit(X, y)
        assert model.status_ == "thin"
        assert model.margin_bound_ <= tol * model.radius_
        assert model.n_updates_ <= 1 / tol**2 + len(X)  # the pass is made to its end
        assert model.certificate_.verdict == "unknown"


@pytest.mark.parametrize("seed", range(10))
def test_thin_never_comes_while_a_larger_margin_exists(seed):
    X, y = datasets.planted_margin(300, 4, 0.05, random_state=seed)
    assert Perceptron(tol=0.03).fit(X, y).status_ == "separated"  # 0.05 over √2 > 0.03


def tenths(draw_rows=6, draw_features=3):
    """Multiples of 0.1, whose sums float64 rounds."""
    return grids(max_rows=draw_rows, max_features=draw_features).map(lambda data: (data[0] / 10, data[1]))


@given(tenths(), orders, st.booleans(), st.sampled_from(["ovr", "joint"]))
def test_separated_is_true_in_exact_arithmetic(data, order, sparse, multi_class):
    X, y = data
    y = y + (np.arange(len(y)) == 2) if multi_class == "joint" else y
    if multi_class == "joint" and len(set(y.tolist())) < 3:
        return
    model = fit(sp.csr_matrix(X) if sparse else X, y, order=order, multi_class=multi_class, max_iter=300, tol=None)
    if model.status_ != "separated":
        return
    rows = [[*map(Fraction, map(float, x)), 1] for x in X]
    planes = [
        [*map(Fraction, map(float, w)), Fraction(float(b))] for w, b in zip(model.coef_, model.intercept_, strict=True)
    ]
    for x, label in zip(rows, y, strict=True):
        scores = [reference.dot(w, x) for w in planes]
        if len(scores) == 1:
            assert (scores[0] if label == max(y) else -scores[0]) > 0
        else:
            own = model.classes_.tolist().index(label)
            assert all(scores[own] > s for c, s in enumerate(scores) if c != own)


def test_a_row_on_the_plane_by_rounding_is_a_mistake():
    X, y = np.array([[0, 0.1], [0.1, 0.1], [0.2, 0]]), [1, 1, 0]
    for order in ("cyclic", "shuffled", "active"):
        model = Perceptron(order=order).fit(X, y)
        assert (model.status_, model.score(X, y)) == ("separated", 1)
        assert model.certificate_.verdict == "separable"
        assert model.n_updates_ <= model.mistake_bound_


def test_the_bound_after_partial_fit_counts_what_was_before():
    model = Perceptron().fit([[-1.0], [1.0], [0.5], [3.0]], [0, 1, 0, 1])
    model.partial_fit([[-5.0], [5.0]], [0, 1])
    assert model.n_updates_ <= model.mistake_bound_


def test_stopped_says_so():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((100, 3)), rng.integers(0, 2, 100)
    with pytest.warns(ConvergenceWarning, match=r"stopped after 3 passes with \d+ mistakes in the last one"):
        model = Perceptron(max_iter=3, tol=None).fit(X, y)
    assert model.status_ == "stopped"
    assert model.certificate_ is None
    assert model.margin_ < 0
    assert model.mistake_bound_ == np.inf


def test_weights_that_need_no_further_pass_are_separated():
    """The last pass made a mistake, but the weights after it make none."""
    model = Perceptron(order="cyclic", max_iter=1, fit_intercept=False).fit([[1, 0], [0, 1]], [1, 0])
    assert (model.n_iter_, model.status_, model.n_updates_) == (1, "separated", 2)


@given(grids(), st.lists(st.integers(0, 3), min_size=12, max_size=12), orders)
def test_a_weight_multiplies_the_step_and_zero_leaves_out(data, weight, order):
    X, y = data
    s = np.array(weight[: len(X)])
    s[:2] = np.maximum(s[:2], 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = Perceptron(order="cyclic", max_iter=PASSES, tol=None).fit(X, y, sample_weight=s)
    visits = [i for i in range(len(X)) if s[i]]
    plan = [visits] * model.n_iter_
    w, updates, _ = reference.perceptron(augmented(X), signed(y), plan, weights=s.tolist())
    assert weights(model) == w
    assert model.n_updates_ == len(updates)
    if model.status_ == "separated":
        assert model.n_updates_ <= model.mistake_bound_ * (1 + 1e-9)


def test_class_weight_is_a_weight_of_the_rows():
    X, y = datasets.planted_margin(60, 3, 0.05, random_state=0)
    weighted = Perceptron(class_weight={-1: 1, 1: 3}).fit(X, y)
    by_row = Perceptron().fit(X, y, sample_weight=np.where(y > 0, 3, 1))
    assert np.array_equal(weighted.coef_, by_row.coef_)
    balanced = Perceptron(class_weight="balanced").fit(X[:40], y[:40])
    assert balanced.status_ == "separated"


def test_warm_start_goes_on():
    X, y = datasets.planted_margin(200, 5, 0.05, random_state=0)
    model = Perceptron(warm_start=True, order="cyclic").fit(X, y)
    coef = model.coef_.copy()
    model.fit(X, y)
    assert model.n_updates_ == 0
    assert model.n_iter_ == 1
    assert np.array_equal(model.coef_, coef)


@given(separable(), separable(), orders)
def test_novikoff_with_a_warm_start(one, other, order):
    X, y = one
    Z, t = other
    d = min(X.shape[1], Z.shape[1])
    if len(set(y)) < 2 or fit(Z[:, :d], t, max_iter=10000).status_ != "separated":
        return
    model = Perceptron(warm_start=True, order=order, max_iter=10000, tol=None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.set_params(max_iter=20).fit(X[:, :d], y)
        model.set_params(max_iter=10000).fit(Z[:, :d], t)
    assert model.status_ == "separated"
    assert model.n_updates_ <= model.mistake_bound_ * (1 + 1e-9)
    assert model.margin_ <= model.margin_bound_


def test_threads_change_nothing():
    rng = np.random.default_rng(0)
    X = rng.integers(-9, 10, (300, 20))
    y = np.abs(X[:, :7]).argmax(axis=1)
    for data in (X, sp.csr_matrix(X)):
        one, two = fit(data, y, max_iter=20), fit(data, y, max_iter=20, n_jobs=2)
        assert np.array_equal(one.coef_, two.coef_)
        assert one.status_.tolist() == two.status_.tolist()


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64, np.int32, np.int16, np.uint8, np.bool_, np.float16])
def test_every_number_type_gives_the_same_model(kind):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (50, 6))
    y = X[:, 0] | X[:, 3]
    expected = Perceptron().fit(X, y)
    for data in (X.astype(kind), np.asfortranarray(X.astype(kind)), sp.csr_matrix(X, dtype=np.float32)):
        assert np.array_equal(Perceptron().fit(data, y).coef_, expected.coef_)
    assert np.array_equal(Perceptron().fit(X.astype(">f8"), y).coef_, expected.coef_)


@pytest.mark.parametrize("classes", [2, 3, 20])
@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_rows_that_only_say_what_is_there_are_learnt_as_others(classes, multi_class):
    rng = np.random.default_rng(classes)
    X = (rng.random((400, 60)) < 0.1).astype(float)
    y = rng.integers(classes, size=400)
    for values in (1.0, 2.0):  # with ones the passes read no values
        dense, sparse = (
            fit(data, y, multi_class=multi_class, max_iter=7) for data in (values * X, sp.csr_array(values * X))
        )
        assert np.array_equal(dense.coef_, sparse.coef_)
        assert np.array_equal(dense.intercept_, sparse.intercept_)
        assert np.array_equal(dense.n_updates_, sparse.n_updates_)


@pytest.mark.parametrize("kind", [np.float32, np.uint8, np.int16])
@pytest.mark.parametrize("scale", [1, 1e30, 1e-30])
def test_rough_scores_decide_nothing_wrong(kind, scale):
    """Several classes of narrow numbers are scored in float32 first; the model is that of float64 all the same."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 200, (5000, 37)).astype(kind)
    y = (X @ rng.standard_normal((37, 5))).argmax(axis=1)
    if kind == np.float32:
        X = X * np.float32(scale)
    rough = fit(X, y, max_iter=7, tol=None)
    exact = fit(X.astype(np.float64), y, max_iter=7, tol=None)
    assert rough.n_updates_.sum() > 1000
    assert np.array_equal(rough.coef_, exact.coef_)
    assert np.array_equal(rough.margin_, exact.margin_)
    assert np.array_equal(rough.update_counts_, exact.update_counts_)


def test_rough_scores_within_rounding_of_zero():
    """Rows whose true score is exactly 0, or tiny beside its terms: float32 alone would not see it."""
    big = np.float32(2**24)
    X = np.array([[big, -big, 1], [big, 1 - big, 0], [-big, big, 2], [1, 1, 1], [big, big, -1]], dtype=np.float32)
    y = np.array([0, 1, 2, 0, 1])
    for passes in range(1, 30):
        rough = fit(X, y, order="cyclic", max_iter=passes, tol=None)
        exact = fit(X.astype(np.float64), y, order="cyclic", max_iter=passes, tol=None)
        assert np.array_equal(rough.update_counts_, exact.update_counts_)


def test_large_sparse_indices_and_repeated_entries():
    X = np.array([[2, 0, 1], [0, 3, 1], [4, 1, 0]])
    y = ["a", "b", "a"]
    expected = Perceptron().fit(X, y)
    wide = sp.csr_array(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    twice = sp.csr_array(
        (np.array([1, 1, 1, 3, 1, 4, 1]), np.array([0, 0, 2, 1, 2, 0, 1]), np.array([0, 3, 5, 7])), shape=(3, 3)
    )
    for data in (wide, twice):
        model = Perceptron().fit(data, y)
        assert np.array_equal(model.coef_, expected.coef_)
        assert model.radius_ == expected.radius_
    assert twice.nnz == 7  # the caller's matrix is untouched


@pytest.mark.parametrize("order", ["C", "F"])
def test_large_arrays_are_not_copied(order, monkeypatch):
    from novikoff import inputs

    monkeypatch.setattr(inputs, "SMALL_COPY", 0)
    rng = np.random.default_rng(0)
    X = np.array(rng.integers(-9, 10, (6000, 5)), order=order)
    y = X @ [1, -2, 3, 0, 1] > 0
    y[0] = True
    model = fit(X, y, max_iter=30)
    monkeypatch.undo()
    assert np.array_equal(model.coef_, fit(X.copy(order="C"), y, max_iter=30).coef_)
    assert inputs.checked(X, None) is not None


def test_frames_keep_their_names():
    frame = pd.DataFrame({"height": [1.0, 2.0, 3.0], "weight": [3.0, 1.0, 2.0]})
    y = pd.Series(["low", "high", "high"])
    for data in (frame, pl.from_pandas(frame)):
        model = Perceptron().fit(data, y)
        assert model.feature_names_in_.tolist() == ["height", "weight"]
        assert model.predict(data).tolist() == y.tolist()
        with pytest.raises(ValueError, match="feature names should match"):
            model.predict(pd.DataFrame({"weight": [1.0], "height": [2.0]}))


@pytest.mark.parametrize("labels", [["b", "a"], [7, -3], [True, False], [2.0, 1.0]])
def test_any_labels(labels):
    X, y = datasets.logic_gate("and")
    model = Perceptron().fit(X, np.array(labels)[y])
    assert model.predict(X).tolist() == np.array(labels)[y].tolist()
    assert model.classes_.tolist() == sorted(labels)


def test_the_same_seed_gives_the_same_model_and_another_seed_another():
    X, y = datasets.planted_margin(5000, 8, 0.01, random_state=0)
    one, two, three = (Perceptron(random_state=seed, tol=None).fit(X, y) for seed in (1, 1, 2))
    assert np.array_equal(one.coef_, two.coef_)
    assert not np.array_equal(one.coef_, three.coef_)


@given(st.integers(1, 20_000), st.integers(0, 2**40))
def test_a_shuffled_pass_visits_every_row_once(n, seed):
    rows = np.arange(n, dtype=np.uint32)
    assert np.array_equal(np.sort(shuffled(rows, seed)), rows)
    if n > 20:
        assert not np.array_equal(shuffled(rows, seed), shuffled(rows, seed + 1))


def test_verbose_shows_progress_and_silence_is_silent(capfd):
    X, y = datasets.planted_margin(100, 3, 0.05, random_state=0)
    Perceptron().fit(X, y)
    assert capfd.readouterr() == ("", "")
    Perceptron(verbose=1).fit(X, y)
    out, err = capfd.readouterr()
    assert out == ""
    assert "passes, 0 mistakes, no margin above" in " ".join(err.split())
