"""The family: every learner against its plain-Python reference, and the theorems about it."""

import itertools
import math
import os
import warnings
from fractions import Fraction

import numpy as np
import pytest
import reference
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from strategies import grids, orders, separable
from test_perceptron import augmented, signed, the_orders, weights

from novikoff import (
    AveragedPerceptron,
    MarginPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    PocketPerceptron,
    SlackEmbedding,
    VotedPerceptron,
    XorFeatures,
    bounds,
    check,
    datasets,
)
from novikoff.passes import line_search
from novikoff.passes.ledger import Targets
from novikoff.passes.rows import Csr, of_matrix, packed
from novikoff.training import problems, refining
from novikoff.training.problems import OneVsRest

PASSES = 20
LONG = "NOVIKOFF_LONG" in os.environ
"""Whether kinds are tried, too, for which passes are compiled that no other test needs."""
FAMILY = [AveragedPerceptron, MarginPerceptron, PassiveAggressiveClassifier, PocketPerceptron, VotedPerceptron]
simple_orders = st.sampled_from(["cyclic", "shuffled"])


def run(learner, **parameters):
    """A learner that runs as Perceptron does by default: one against the rest, to the end."""
    parameters = {"max_iter": 1000, "multi_class": "ovr", **parameters}
    if learner is VotedPerceptron:
        del parameters["multi_class"]
    return learner(**parameters)


def fit(model, X, y, **parameters):
    """A fit whose warning, if any, is beside the point; in float64, so that few kinds of rows are compiled for."""
    X = X if X.dtype.kind == "f" else X.astype(np.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y, **parameters)


def overlapping(n=60, d=3, seed=0, classes=2):
    """Rows of whole numbers, as float64, of classes that overlap."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, (n, d))
    y = np.clip((X @ np.arange(1, d + 1) + rng.integers(-4, 5, n)) // 6 + classes // 2, 0, classes - 1)
    y[:classes] = np.arange(classes)
    return X.astype(np.float64), y


# Each rule is the reference


@given(grids(), simple_orders, st.sampled_from([0.25, 0.5, 1, 2]))
def test_c13_margin_rule_equals_the_reference(data, order, rho):
    X, y = data
    model = fit(MarginPerceptron(margin=rho, order=order, max_iter=PASSES, tol=None), X, y)
    plan = the_orders(order, len(X), model.n_iter_)
    w, updates, _ = reference.family(augmented(X), signed(y), plan, reference.relative(Fraction(rho)))
    assert weights(model) == w
    assert model.n_updates_ == len(updates)


@given(grids(), simple_orders)
def test_growing_margin_rule_equals_the_reference(data, order):
    X, y = data
    model = fit(MarginPerceptron(order=order, max_iter=PASSES, tol=None), X, y)
    plan = the_orders(order, len(X), model.n_iter_)
    w, updates, _ = reference.family(augmented(X), signed(y), plan, reference.growing)
    assert weights(model) == w
    assert model.update_counts_.tolist() == np.bincount([i for i, _ in updates], minlength=len(X)).tolist()


@given(grids(), simple_orders, st.sampled_from(["full", "capped", "damped"]), st.sampled_from([0.25, 1, 4]))
def test_passive_aggressive_rule_equals_the_reference(data, order, step, C):
    X, y = data
    model = PassiveAggressiveClassifier(C=C, step=step, order=order, max_iter=3, tol=None, average=False)
    model = fit(model, X, y)
    plan = the_orders(order, len(X), model.n_iter_)
    w, _, _ = reference.family(augmented(X), signed(y), plan, reference.aggressive(step, C))
    assert np.allclose(weights(model), w, rtol=1e-9, atol=1e-9)
    assert model.n_updates_ >= model.n_mistakes_


@given(grids(classes=3), st.sampled_from(["full", "capped", "damped", "growing", 0.5]))
def test_joint_rules_equal_the_reference(data, rule):
    X, y = data
    if rule in ("full", "capped", "damped"):
        model, length = PassiveAggressiveClassifier(C=0.5, step=rule, average=False), reference.aggressive(rule, 0.5)
    else:
        model = MarginPerceptron(margin=None if rule == "growing" else rule)
        length = reference.growing if rule == "growing" else reference.relative(Fraction(rule))
    model.set_params(multi_class="joint", order="cyclic", max_iter=3, tol=None)
    model = fit(model, X, y)
    w = reference.joint_family(augmented(X), y.tolist(), [range(len(X))] * model.n_iter_, 3, length)
    assert np.allclose(np.column_stack([model.coef_, model.intercept_]), w, rtol=1e-9, atol=1e-9)


@given(grids(), simple_orders)
def test_averaged_is_the_mean_of_the_trace(data, order):
    X, y = data
    model = fit(AveragedPerceptron(order=order, max_iter=PASSES, tol=None), X, y)
    trace = []
    plan = the_orders(order, len(X), model.n_iter_)
    reference.family(augmented(X), signed(y), plan, reference.plain, lambda w, i: trace.append(w))
    if model.status_ == "separated":  # the passes that are left would change nothing
        trace += [trace[-1]] * (len(X) * (PASSES - model.n_iter_))
    assert np.allclose(weights(model), np.mean(trace, axis=0), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_the_mean_is_over_all_passes_though_a_clean_one_came(classes, multi_class):
    """As ten calls of partial_fit make them, which know of no end."""
    y = np.arange(40) % classes
    X = np.eye(3)[y] + np.random.default_rng(0).uniform(-0.1, 0.1, (40, 3))
    model = AveragedPerceptron(order="cyclic", multi_class=multi_class).fit(X, y)
    parts = AveragedPerceptron(order="cyclic", multi_class=multi_class)
    for _ in range(10):
        parts.partial_fit(X, y, classes=np.unique(y))
    assert np.all(model.status_ == "separated")
    assert model.n_iter_ < 10
    assert np.array_equal(parts.coef_, model.coef_)
    assert np.array_equal(parts.intercept_, model.intercept_)


@given(grids(classes=3), simple_orders)
def test_joint_average_is_the_mean_of_the_trace(data, order):
    X, y = data
    model = fit(AveragedPerceptron(order=order, max_iter=4, tol=None, multi_class="joint"), X, y)
    total, visits, plain = 0.0, 0, Perceptron(order="cyclic", multi_class="joint")
    counted = 4 if model.status_ == "separated" else model.n_iter_
    for i in [i for order_ in the_orders(order, len(X), counted) for i in order_]:
        plain.partial_fit(X[[i]], y[[i]], classes=[0, 1, 2])
        total, visits = total + np.column_stack([plain.coef_, plain.intercept_]), visits + 1
    assert np.allclose(np.column_stack([model.coef_, model.intercept_]), total / visits, rtol=1e-12, atol=1e-12)


@given(grids(max_rows=8), simple_orders, st.integers(1, 12))
def test_voted_equals_the_reference(data, order, most):
    X, y = data
    model = fit(VotedPerceptron(max_voters=most, order=order, max_iter=5, tol=None), X, y)
    trace = []
    plan = the_orders(order, len(X), model.n_iter_)
    reference.family(augmented(X), signed(y), plan, reference.plain, lambda w, i: trace.append(tuple(w)))
    lives = [(w, len(list(same))) for w, same in itertools.groupby(trace)][-most:]
    for x, vote in zip(augmented(X), model.decision_function(X), strict=True):
        expected = sum(c if reference.dot(w, x) >= 0 else -c for w, c in lives) / sum(c for _, c in lives)
        assert math.isclose(vote, expected, abs_tol=1e-12)


@given(grids(), simple_orders)
def test_one_voter_is_the_perceptron(data, order):
    X, y = data
    voted = fit(VotedPerceptron(max_voters=1, order=order, max_iter=5, tol=None), X, y)
    plain = fit(Perceptron(order=order, max_iter=5, tol=None), X, y)
    assert voted.predict(X).tolist() == plain.predict(X).tolist()
    assert voted.n_updates_ == plain.n_updates_


# The pocket


@given(grids(), simple_orders)
def test_c18_the_pocket_is_never_worse_than_any_iterate(data, order):
    X, y = data
    model = fit(PocketPerceptron(order=order, max_iter=PASSES, tol=None, refine=False), X, y)
    found = [len(X)]
    rows, signs = augmented(X), signed(y)
    plan = the_orders(order, len(X), model.n_iter_)
    reference.family(rows, signs, plan, reference.plain, lambda w, i: found.append(reference.errors(w, rows, signs)))
    assert model.n_errors_ == min(found)
    assert reference.errors(weights(model), rows, signs) == model.n_errors_
    better = fit(PocketPerceptron(order=order, max_iter=PASSES, tol=None), X, y)
    assert reference.errors(weights(better), rows, signs) == better.n_errors_ <= model.n_errors_
    assert better.n_updates_ == model.n_updates_  # lines are searched after the passes


def test_c18_of_many_rows_only_the_longest_runs_are_counted():
    X, y = overlapping(2000, 4)
    pocket = fit(PocketPerceptron(max_iter=20, tol=None), X, y)
    plain = fit(Perceptron(max_iter=20, tol=None), X, y)
    rows, signs = augmented(X), signed(y)
    assert pocket.n_errors_ == reference.errors(weights(pocket), rows, signs)
    assert pocket.n_errors_ <= reference.errors(weights(plain), rows, signs)
    assert np.array_equal(pocket.update_counts_, plain.update_counts_)


def test_c18_a_run_need_only_be_longer_by_one_than_that_of_the_pocket():
    """Gallant's ratchet by its definition: right rows counted one by one, and errors as soon as they are more."""
    X, y = overlapping(700, 2)
    rows, signs = augmented(X), signed(y)
    model = fit(PocketPerceptron(order="cyclic", max_iter=3, tol=None, refine=False), X, y)
    expected = reference.ratchet(rows, signs, [range(len(X))] * 3)
    assert model.n_errors_ == expected


@pytest.mark.parametrize("bound", [1, 7])
def test_the_best_step_along_a_line_is_the_best_of_all(bound):
    rng = np.random.default_rng(bound)
    for _ in range(200):
        margins, slopes = rng.integers(-bound, bound + 1, (2, 6)).astype(float)
        weights, draw = rng.integers(1, 3, 6).astype(float), rng.random()
        steps = [*np.linspace(-3 * bound, 3 * bound, 24 * bound + 1), *rng.normal(size=50)]
        errors = [weights[margins + a * slopes <= 0].sum() for a in (0.0, *steps)]
        chosen = line_search.step_along(margins, slopes, weights, draw)
        assert weights[margins + chosen * slopes <= 0].sum() <= min(errors)


def targets_of(signs):
    """Labels 0 and 1 as passes take them, with weights of 1."""
    return Targets((np.array(signs) > 0).astype(np.uint32), np.ones(1))


def test_lines_along_columns_equal_the_reference():
    """Of slopes that are powers of two all places are exact, and so is every step."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        n, d = int(rng.integers(1, 9)), int(rng.integers(1, 4))
        slopes = rng.choice([-2.0, -1.0, 0.0, 0.0, 1.0, 2.0], (d, n))
        margins, heavy = rng.integers(-6, 7, n).astype(float), rng.integers(1, 3, n).astype(float)
        lines, draws, reach = rng.integers(0, d, 6), rng.random(6), float(rng.choice([1.0, 4.0, 16.0]))
        listed = sp.csr_matrix(slopes)
        columns = line_search.ColumnLists(listed.indptr.astype(np.int64), listed.indices.astype(np.uint32), listed.data)
        expected, moves = reference.along_columns(
            slopes.tolist(), margins.tolist(), heavy.tolist(), lines.tolist(), draws.tolist(), reach
        )
        drawn, given_direction = np.zeros(1, np.int64), np.zeros(d)
        found, _ = line_search.search_lines(columns, margins, heavy, lines, draws, drawn, given_direction, reach)
        assert margins.tolist() == expected
        assert found.tolist() == moves


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_matrix])
def test_columns_list_the_signed_rows(kind):
    rng = np.random.default_rng(1)
    X, signs = rng.integers(-2, 3, (30, 4)).astype(float), rng.choice([-1.0, 1.0], 30)
    order = rng.permutation(30)[:20].astype(np.uint32)
    scaling = line_search.Scaling(np.array([1.0, 0.5, 2.0, 1.0]), np.array([0.0, 3.0, 0.0, -1.0]))
    starts, rows, slopes = line_search.columns_of(of_matrix(kind(X), 1.0), order, targets_of(signs), 1, scaling)
    dense = sp.csc_matrix((slopes, rows, starts), shape=(20, 5)).toarray()
    assert np.array_equal(dense, signs[order, None] * np.c_[X * scaling.factors + scaling.shifts, np.ones(30)][order])


def test_lines_of_every_kind_lead_where_the_moves_say_and_never_to_more_errors():
    rng = np.random.default_rng(2)
    Z = rng.normal(size=(300, 6))
    listed = sp.csc_matrix(Z)
    columns = line_search.ColumnLists(listed.indptr.astype(np.int64), listed.indices.astype(np.uint32), listed.data)
    start = rng.normal(size=6)
    search = refining.LineSearch(columns, Z @ start, np.ones(300), rng)
    for number in range(1, 10):
        before = search.errors
        assert search.round(number) > 0
        assert search.errors <= before
        assert np.allclose(search.margins, Z @ (start + search.moves))
    assert search.errors < (Z @ start <= 0).sum()


def test_lines_on_the_nearest_rows_are_counted_on_all(monkeypatch):
    X, y = overlapping(800, 4)
    rows, signs = augmented(X), signed(y)
    alone = fit(PocketPerceptron(refine=False), X, y)
    monkeypatch.setattr(refining, "ROOM", 1000)
    pocket = fit(PocketPerceptron(), X, y)
    assert reference.errors(weights(pocket), rows, signs) == pocket.n_errors_ < alone.n_errors_


def test_the_pocket_has_fewer_errors_than_the_learners_it_starts_from():
    X, y = overlapping(800, 4)
    rows, signs = augmented(X), signed(y)
    others = [AveragedPerceptron(), PassiveAggressiveClassifier(), Perceptron(), PocketPerceptron(refine=False)]
    fewest = min(reference.errors(weights(fit(other, X, y)), rows, signs) for other in others)
    pocket = fit(PocketPerceptron(), X, y)
    assert reference.errors(weights(pocket), rows, signs) == pocket.n_errors_ < fewest


@pytest.mark.parametrize(("tol", "status"), [(1e-3, "stopped"), (0.02, "thin")])
def test_the_pocket_goes_on_while_that_leaves_fewer_rows_wrong(tol, status):
    """Where a perceptron gives up, with few rows left wrong, a pocket works on them, and here all become right."""
    X, y = datasets.planted_margin(600, 5, 1e-3, random_state=1)
    assert fit(Perceptron(tol=tol), X, y).status_ == status
    model = fit(PocketPerceptron(tol=tol, refine=False), X, y)
    assert (model.status_, model.n_errors_) == ("separated", 0)


def test_the_pocket_is_filled_without_the_rows_held_out():
    X, y = overlapping(100, 2)
    model = fit(PocketPerceptron(early_stopping=True, max_iter=5), X, y)
    assert model.n_errors_ <= 90


@pytest.mark.parametrize("classes", [2, 3])
def test_the_pocket_proves_how_few_errors_a_plane_can_make(classes):
    X, y = overlapping(30, 2, classes=classes)
    model = fit(PocketPerceptron(certify=20.0), X, y)
    problems = [1] if classes == 2 else range(3)
    proofs = [model.error_certificate_] if classes == 2 else model.error_certificate_
    scores = model.decision_function(X).reshape(len(X), -1)
    for k, (c, proof) in enumerate(zip(problems, proofs, strict=True)):
        errors = (np.where(y == c, 1, -1) * scores[:, k] <= 0).sum()
        assert check(proof, X, y == c).accepted
        assert np.ravel(model.n_errors_)[k] == errors >= np.ravel(model.error_bound_)[k] == proof.claim.least


@pytest.mark.parametrize("classes", [2, 3])
def test_a_run_goes_on_from_the_pocket_whatever_was_proved_of_it(classes):
    X, y = overlapping(40, 2, classes=classes)
    one = fit(PocketPerceptron(max_iter=1, refine=False), X, y)
    other = fit(PocketPerceptron(max_iter=1, refine=False, certify=20.0), X, y)
    assert np.sum(other.n_errors_) < np.sum(one.n_errors_)  # a better plane turned up
    for model in (one, other):
        model.partial_fit(X, y)
    assert np.array_equal(one.coef_, other.coef_)
    assert np.array_equal(one.intercept_, other.intercept_)


def test_the_pocket_proves_nothing_of_weighted_rows():
    X, y = overlapping(30, 2)
    with pytest.raises(ValueError, match="rows, which must count alike"):
        PocketPerceptron(certify=True).fit(X, y, sample_weight=np.arange(1, 31))
    with pytest.raises(ValueError, match="one class against the others"):
        PocketPerceptron(certify=True, multi_class="joint").fit(X, y + (X[:, 0] > 1))


@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_c18_the_pocket_of_several_classes(multi_class):
    X, y = overlapping(100, 3, classes=3)
    model = fit(PocketPerceptron(max_iter=30, tol=None, multi_class=multi_class), X, y)
    scores = X @ model.coef_.T + model.intercept_
    if multi_class == "ovr":
        assert model.n_errors_.tolist() == [(np.where(y == c, 1, -1) * scores[:, c] <= 0).sum() for c in range(3)]
    else:
        own = scores[np.arange(len(y)), y]
        scores[np.arange(len(y)), y] = -np.inf
        assert model.n_errors_ == (own <= scores.max(axis=1)).sum()


def fewest_errors(X, y):
    """The fewest rows that any plane has on the wrong side or on itself, by trying every set of right rows."""
    n = len(X)
    for wrong in range(n):
        for out in itertools.combinations(range(n), wrong):
            kept = [i for i in range(n) if i not in out]
            if len(set(y[kept])) < 2 or fit(Perceptron(max_iter=10**5), X[kept], y[kept]).status_ == "separated":
                return wrong
    return n


def test_c18_the_pocket_often_finds_the_best_plane():
    """40 sets of 8 rows of labels drawn at random."""
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(40):
        X, y = rng.integers(-3, 4, (8, 2)), rng.integers(0, 2, 8)
        y[:2] = 0, 1
        hits += fit(PocketPerceptron(max_iter=200, tol=None), X, y).n_errors_ == fewest_errors(X, y)
    assert hits >= 38


# Margins and bounds


@given(separable(), orders)
def test_c13_bound_and_margin_of_the_notes(data, order):
    X, y = data
    known = fit(MarginPerceptron(order=order, max_iter=10**5, tol=None), X, y)
    rho = known.margin_  # some plane has it
    model = fit(MarginPerceptron(margin=rho, order=order, max_iter=10**5, tol=None), X, y)
    assert model.status_ == "separated"
    assert model.margin_ >= rho / 2 * (1 - 1e-9)
    assert model.n_updates_ <= 16 * model.radius_**2 / rho**2
    assert model.mistake_bound_ == bounds.margin_perceptron(model.radius_, rho)


@given(separable(), orders, st.sampled_from(["ovr", "joint"]))
def test_without_a_margin_a_third_of_the_best_is_reached(data, order, multi_class):
    X, y = data
    model = fit(MarginPerceptron(order=order, max_iter=10**5, tol=None, multi_class=multi_class), X, y)
    assert model.status_ == "separated"
    assert model.margin_ >= model.margin_bound_ / 3 * (1 - 1e-9)
    assert model.n_updates_ <= model.mistake_bound_ * (1 + 1e-9)


def test_a_third_of_the_best_in_the_joint_problem_and_with_weights():
    X, y = load_iris(return_X_y=True)
    X, y = X[:100], np.array([0, 1, 2, 3])[y[:100] * 2 + (np.arange(100) % 2)]
    X[y % 2 == 1] += 20
    weight = np.random.default_rng(0).uniform(1, 3, len(y))
    model = MarginPerceptron(multi_class="joint", max_iter=10**5, tol=None).fit(X, y, sample_weight=weight)
    assert model.status_ == "separated"
    assert model.margin_ >= model.margin_bound_ / 3
    assert model.n_updates_ <= model.mistake_bound_


def test_a_margin_that_no_plane_has_is_given_up_with_proof():
    X, y = datasets.planted_margin(200, 3, 0.05, random_state=0)
    with pytest.warns(ConvergenceWarning, match="margin=10 asks for 5"):
        model = MarginPerceptron(margin=10, tol=None).fit(X, y)
    assert model.margin_bound_ < 5
    assert model.mistake_bound_ == np.inf


def test_a_margin_above_the_best_has_no_bound():
    X, y = np.array([[1.0], [-1.0]]), [1, 0]
    model = fit(MarginPerceptron(margin=1.5, fit_intercept=False), X, y)
    assert model.status_ == "separated"
    assert model.mistake_bound_ == np.inf


@given(separable(), st.sampled_from(["full", "capped", "damped"]), st.sampled_from([0.1, 1, 10]))
def test_passive_aggressive_mistakes_stay_under_the_bound(data, step, C):
    X, y = data
    model = PassiveAggressiveClassifier(C=C, step=step, max_iter=2000, tol=None, average=False)
    model = fit(model, X, y)
    if model.status_ == "separated":
        assert model.n_mistakes_ <= model.mistake_bound_ * (1 + 1e-9)


def test_a_larger_margin_tightens_the_passive_aggressive_bound():
    """The bound holds with any plane's margin, so also with the best one that certify proves."""
    from novikoff import certify

    X, y = datasets.planted_margin(300, 4, 0.05, random_state=1)
    best = certify(X, y).margin[0]
    for step in ("full", "capped", "damped"):
        model = fit(PassiveAggressiveClassifier(step=step, average=False, max_iter=50), X, y)
        assert model.n_mistakes_ <= bounds.passive_aggressive(model.radius_, best, 1.0, step)


@given(separable(), orders)
def test_averaged_and_pocket_and_voted_make_the_perceptrons_run(data, order):
    X, y = data
    plain = fit(Perceptron(order=order, max_iter=10**4), X, y)
    for learner in (AveragedPerceptron, PocketPerceptron, VotedPerceptron):
        model = fit(learner(order=order, max_iter=10**4), X, y)
        assert model.n_updates_ == plain.n_updates_
        assert model.status_ == plain.status_ == "separated"
        assert model.n_updates_ <= model.mistake_bound_
    assert fit(PocketPerceptron(order=order, max_iter=10**4), X, y).score(X, y) == 1


# Against scikit-learn


@pytest.mark.parametrize("step", ["capped", "damped"])
def test_passive_aggressive_agrees_with_scikit_learn_step_by_step(step):
    """Its constant feature is a column here, as scikit-learn leaves the bias out of ‖x‖²."""
    X, y = load_iris(return_X_y=True)
    X = np.column_stack([X, np.ones(len(X))])
    order = np.random.default_rng(0).permutation(len(X))
    theirs = SGDClassifier(
        loss="hinge",
        penalty=None,
        learning_rate={"capped": "pa1", "damped": "pa2"}[step],
        eta0=0.5,
        fit_intercept=False,
        shuffle=False,
    )
    ours = run(PassiveAggressiveClassifier, C=0.5, step=step, fit_intercept=False, order="cyclic", average=False)
    for i in order:
        theirs.partial_fit(X[[i]], y[[i]], classes=[0, 1, 2])
        ours.partial_fit(X[[i]], y[[i]], classes=[0, 1, 2])
        assert np.allclose(ours.coef_, theirs.coef_, rtol=1e-9, atol=1e-12)


# The same for all


@pytest.mark.parametrize("learner", FAMILY)
@pytest.mark.parametrize("classes", [2, 3])
def test_dense_and_sparse_give_the_same_model(learner, classes):
    X, y = overlapping(classes=classes)
    dense, sparse = (fit(run(learner, max_iter=15), data, y) for data in (X, sp.csr_matrix(X)))
    models = [sparse]
    if (learner, classes) == (FAMILY[0], 2) or LONG:
        wide = sp.csr_array(X)
        wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
        models.append(fit(run(learner, max_iter=15), wide, y))
    for model in models:
        assert np.allclose(model.coef_, dense.coef_, rtol=1e-12)
        assert np.allclose(model.decision_function(X), dense.decision_function(sp.csr_matrix(X)))


@pytest.mark.parametrize("learner", FAMILY)
@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_partial_fit_k_times_is_max_iter_k_in_cyclic_order(learner, multi_class):
    X, y = overlapping(classes=3)
    whole = run(learner, order="cyclic", max_iter=4, tol=None, multi_class=multi_class)
    if learner is PocketPerceptron:
        whole.set_params(refine=False)  # which only fit does
    fit(whole, X, y)
    parts = run(learner, order="cyclic", multi_class=multi_class)
    for _ in range(4):
        parts.partial_fit(X, y, classes=[0, 1, 2])
    assert np.allclose(parts.decision_function(X), whole.decision_function(X), rtol=1e-12)
    assert np.array_equal(parts.n_updates_, whole.n_updates_)


@pytest.mark.parametrize("learner", FAMILY if LONG else [AveragedPerceptron, PocketPerceptron])
def test_rough_scores_change_nothing(learner):
    """Several classes of float32 are scored in float32 first."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 50, (5000, 30)).astype(np.float32)
    y = (X @ rng.standard_normal((30, 4))).argmax(axis=1)
    rough, exact = (fit(run(learner, max_iter=3, tol=None), data, y) for data in (X, X.astype(np.float64)))
    assert np.array_equal(rough.update_counts_, exact.update_counts_)
    assert np.allclose(rough.coef_, exact.coef_, rtol=1e-9)


@pytest.mark.parametrize("start", [0, 32_700, 40_000, 0.5])
def test_weights_in_16_bits_change_nothing(start, monkeypatch):
    """Counts of several classes are scored under whole numbers of 16 bits, while all weights are such."""
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 256, (400, 30)) * (rng.random((400, 30)) < 0.2)
    y = (counts @ rng.standard_normal((30, 4)) + 100 * rng.standard_normal((400, 4))).argmax(axis=1)
    signs, kinds, copy_of = rng.choice([-1, 1], (4, 30)), [], OneVsRest.copy_of

    def watched(group, W):
        kinds.append(copy_of(group, W).dtype.name)
        return copy_of(group, W)

    monkeypatch.setattr(OneVsRest, "copy_of", watched)
    monkeypatch.setattr(problems, "CACHED", 0)  # else so few weights are kept in float32
    dense, sparse = (
        fit(run(Perceptron, max_iter=3, tol=None), X, y, coef_init=start * signs)
        for X in (counts.astype(np.float64), sp.csr_matrix(counts.astype(np.float64)))
    )
    assert np.array_equal(sparse.update_counts_, dense.update_counts_)
    assert np.array_equal(sparse.coef_, dense.coef_)
    assert np.array_equal(sparse.margin_, dense.margin_)
    assert kinds == {0: ["int16"], 32_700: ["int16", "float32"], 40_000: ["float32"], 0.5: ["float32"]}[start]
    assert start != 32_700 or np.abs(sparse.coef_).max() > 2**15


@pytest.mark.parametrize("settings", [{}, {"order": "active"}, {"early_stopping": True}, {"n_jobs": 2}])
@pytest.mark.parametrize(
    "learner",
    [Perceptron, AveragedPerceptron, PocketPerceptron, *([MarginPerceptron, VotedPerceptron] if LONG else [])],
)
@pytest.mark.parametrize(("rows", "start"), [(40, 0), (300, 0), (300, 31_500)])
def test_weights_that_only_their_copy_knows_are_asked_for(learner, settings, rows, start, monkeypatch):
    """However the weights in 16 bits are used while they are ahead, by looks, averages, pockets or hard rows.

    40 rows separate; from the last start weights outgrow 16 bits after some updates.
    """
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 256, (rows, 30)) * (rng.random((rows, 30)) < 0.2)
    y = (counts @ rng.standard_normal((30, 4)) + 20 * rng.standard_normal((rows, 4))).argmax(axis=1)
    monkeypatch.setattr(problems, "CACHED", 0)
    init = {"coef_init": start * rng.choice([-1, 1], (4, 30))} if start else {}
    dense, sparse = (
        fit(run(learner, **{"max_iter": 12 if rows > 40 else 60} | settings), X, y, **init)
        for X in (counts.astype(np.float64), sp.csr_matrix(counts.astype(np.float64)))
    )
    assert np.array_equal(sparse.update_counts_, dense.update_counts_)
    assert np.allclose(sparse.coef_, dense.coef_, rtol=1e-12, atol=1e-12)
    for name in ("margin_", "margin_bound_", "n_iter_", "status_"):
        assert np.array_equal(getattr(sparse, name), getattr(dense, name)) or np.allclose(
            getattr(sparse, name), getattr(dense, name)
        ), name


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("learner", [Perceptron, *FAMILY])
def test_rows_without_their_zeros_learn_the_same(learner, classes, monkeypatch):
    """Dense rows that are many and mostly zeros are read as sparse ones while a run goes on."""
    rng = np.random.default_rng(0)
    X = rng.integers(-9, 10, (200, 30)) * (rng.random((200, 30)) < 0.15).astype(np.float32)
    y = (X @ rng.standard_normal((30, classes)) + 5 * rng.standard_normal((200, classes))).argmax(axis=1)
    plain = fit(run(learner, max_iter=4), X, y)
    monkeypatch.setattr("novikoff.passes.rows.LARGE", 0)
    assert isinstance(packed(of_matrix(X, 1.0), 30), Csr)
    other = fit(run(learner, max_iter=4), X, y)
    assert np.array_equal(other.update_counts_, plain.update_counts_)
    assert np.allclose(other.coef_, plain.coef_, rtol=1e-12, atol=1e-12)
    assert np.allclose(other.intercept_, plain.intercept_, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("learner", FAMILY)
def test_threads_change_nothing(learner):
    X, y = overlapping(200, 5, classes=4)
    for data in (X, sp.csr_matrix(X)):
        one, two = (fit(run(learner, max_iter=10, n_jobs=jobs), data, y) for jobs in (None, 2))
        assert np.array_equal(one.decision_function(X), two.decision_function(X))


@pytest.mark.parametrize("learner", [Perceptron, *FAMILY])
def test_early_stopping_looks_at_rows_held_out(learner):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((600, 5))
    y = X @ [1, -1, 2, 0, 0] + 2 * rng.standard_normal(600) > 0
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)  # what was asked for is no reason to warn
        model = learner(early_stopping=True, n_iter_no_change=3, max_iter=500).fit(X, y)
    assert model.status_ == "stopped"
    assert 3 < model.n_iter_ < 100
    assert (model.update_counts_ == 0).sum() >= 60
    assert model.score(X, y) > 0.65


def test_early_stopping_of_rows_that_separate():
    """The margin is that of the rows trained on, not of those held out."""
    X, y = datasets.planted_margin(400, 3, 0.05, random_state=0)
    for seed in range(5):
        patient = {"early_stopping": True, "n_iter_no_change": 10**6, "tol": 0, "random_state": seed}
        model = Perceptron(max_iter=10**5, **patient).fit(X, y)
        apart = Perceptron(validation_fraction=0.5, **patient)
        for one in (model, apart.fit(X, y)):
            assert one.status_ == "separated"
            assert 0 < one.margin_ <= one.margin_bound_
            assert one.certificate_.margin[0] <= one.margin_
            assert one.n_updates_ <= one.mistake_bound_


@pytest.mark.parametrize("learner", FAMILY)
def test_averages_and_margins_of_a_weighted_run(learner):
    X, y = datasets.planted_margin(80, 3, 0.05, random_state=0)
    weight = np.where(np.arange(80) % 2, 2.0, 1.0)
    model = learner(max_iter=2000).fit(X, y, sample_weight=weight)
    assert model.status_ == "separated"
    count = model.n_mistakes_ if learner is PassiveAggressiveClassifier else model.n_updates_
    assert count <= model.mistake_bound_
    assert model.margin_ <= model.margin_bound_


def test_bad_parameters_get_one_sentence():
    X, y = datasets.logic_gate("and")
    for model, words in [
        (MarginPerceptron(margin=0), "'margin' parameter of MarginPerceptron must be a float in the range"),
        (PassiveAggressiveClassifier(C=0), "'C' parameter"),
        (PassiveAggressiveClassifier(step="long"), "'step' parameter"),
        (VotedPerceptron(max_voters=0), "'max_voters' parameter"),
        (AveragedPerceptron(validation_fraction=1.0), "'validation_fraction' parameter"),
    ]:
        with pytest.raises(ValueError, match=words):
            model.fit(X, y)


def test_steps_that_overflow_are_refused():
    X = np.array([[1e-160, 0.0], [0.0, 1e-160], [1e100, 0]])
    with pytest.raises(ValueError, match="overflow"):
        PassiveAggressiveClassifier(step="full", fit_intercept=False).fit(X, [0, 1, 1])


# The maps of the notes


def test_c14_xor_is_separable_by_a_product():
    X, y = datasets.logic_gate("xor")
    z = XorFeatures().fit_transform(X)
    assert z.tolist() == [[a, b, a * b] for a, b in (2 * X - 1).tolist()]
    assert ((1 - z[:, 2]) / 2).tolist() == y.tolist() == (X[:, 0] + X[:, 1] - 2 * X[:, 0] * X[:, 1]).tolist()
    model = make_pipeline(XorFeatures(), Perceptron()).fit(X, y)
    assert (model.score(X, y), model[-1].status_) == (1, "separated")
    assert XorFeatures().fit(X).get_feature_names_out().tolist() == ["z1", "z2", "z1 z2"]


@given(grids(), st.sampled_from([0.5, 1.0, 3.0]), st.randoms())
def test_c15_any_rows_are_separable_after_the_embedding(data, rho, random):
    X, y = data
    coef = [*(random.uniform(-1, 1) for _ in range(X.shape[1])), 0.5]
    embedding = SlackEmbedding(margin=rho, coef=coef)
    Z = embedding.fit_transform(X, y)
    assert sp.issparse(Z)
    assert Z.shape == (len(X), X.shape[1] + len(X))
    model = fit(Perceptron(max_iter=10**6, tol=None), Z, y)
    assert model.status_ == "separated"
    assert model.n_updates_ <= embedding.mistake_bound_ * (1 + 1e-9)
    w = np.array(coef) / np.linalg.norm(coef)
    slack = np.maximum(0, rho - np.array(signed(y)) * (X @ w[:-1] + w[-1]))
    assert embedding.slack_ == pytest.approx(np.linalg.norm(slack))
    assert embedding.amplitude_**2 == pytest.approx(embedding.radius_ * embedding.slack_)


def test_c15_in_a_pipeline_and_with_the_best_margin():
    X, y = overlapping(80, 2)
    model = make_pipeline(SlackEmbedding(), Perceptron(max_iter=10**5, tol=None)).fit(X, y)
    assert model[-1].status_ == "separated"
    assert model[-1].n_updates_ <= model[0].mistake_bound_
    assert model.score(X, y) > 0.6
    best = model[0]
    w = best._directions(sp.csr_array(X).astype(float), np.where(y == 1, 1.0, -1.0)[None])
    for factor in (0.5, 0.9, 1.1, 2):
        other = SlackEmbedding(margin=best.margin_ * factor, coef=w).fit(X, y)
        assert other.mistake_bound_ >= best.mistake_bound_ * (1 - 1e-6)


@pytest.mark.parametrize("factor", [0.3, 0.8, 1.3, 5.0])
def test_c15_any_other_amplitude_has_a_larger_bound(factor):
    X, y = overlapping(60, 2)
    best = SlackEmbedding(margin=0.5).fit(X, y)
    other = SlackEmbedding(margin=0.5, amplitude=best.amplitude_ * factor)
    model = Perceptron(max_iter=10**6, tol=None).fit(other.fit_transform(X, y), y)
    assert model.n_updates_ <= other.mistake_bound_
    assert other.mistake_bound_ > best.mistake_bound_
    r, delta, A = other.radius_, other.slack_, other.amplitude_
    assert other.mistake_bound_ == pytest.approx((r**2 + A**2) * (1 + delta**2 / A**2) / 0.5**2)


def test_c15_of_several_classes():
    X, y = overlapping(60, 2, classes=3)
    embedding = SlackEmbedding()
    model = Perceptron(max_iter=10**5, tol=None).fit(embedding.fit_transform(X, y), y)
    assert model.status_.tolist() == ["separated"] * 3
    assert (model.n_updates_ <= embedding.mistake_bound_).all()


def test_slack_embedding_bad_input():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="numbers for each of 3 classes"):
        SlackEmbedding(coef=[1, 2, 3, 4]).fit(X, y)
    with pytest.raises(ValueError, match="coef must be 4 finite numbers"):
        SlackEmbedding(coef=[1, 2]).fit(X[:100], y[:100])
    with pytest.raises(ValueError, match="coef is zero"):
        SlackEmbedding(coef=[0, 0, 0, 0]).fit(X[:100], y[:100])


def test_c19_the_cosine_with_the_best_plane_grows_as_the_root_of_the_steps():
    """cos(v, w_t) ≥ t·ρ/(√t·r) = √t·ρ/r along a run."""
    from novikoff import certify

    X, y = datasets.planted_margin(300, 3, 0.02, random_state=0)
    proof = certify(X, y)
    v = np.append(proof.coef, proof.intercept)
    v, rho = v / np.linalg.norm(v), proof.margin[0]
    rows, signs = np.column_stack([X, np.ones(len(X))]), np.array(signed(y))
    w, t, r = np.zeros(4), 0, np.linalg.norm(rows, axis=1).max()
    reached = (signs[:, None] * rows @ v).min()
    for _ in range(100):
        for x, s in zip(rows, signs, strict=True):
            if s * (w @ x) <= 0:
                w, t = w + s * x, t + 1
                assert w @ v / np.linalg.norm(w) >= np.sqrt(t) * reached / r * (1 - 1e-12)
    assert reached == pytest.approx(rho, rel=2e-3)
    assert t > 50


@pytest.mark.parametrize(
    "kind", [AveragedPerceptron, PocketPerceptron, *([MarginPerceptron, PassiveAggressiveClassifier] if LONG else [])]
)
def test_sparse_rows_that_only_say_what_is_there_are_learnt_as_others(kind):
    X = (np.random.default_rng(0).random((300, 40)) < 0.1).astype(float)
    y = np.random.default_rng(1).integers(3, size=300)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        dense, sparse = (kind(max_iter=5).fit(data, y) for data in (X, sp.csr_array(X)))
    np.testing.assert_allclose(sparse.coef_, dense.coef_, rtol=1e-9, atol=1e-12)
