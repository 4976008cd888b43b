"""The guards against rounding, and the constants of the theorems: each of these tests fails if one of them is gone.

tools/mutants.py takes them away one at a time.
"""

import json
import math
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from novikoff import (
    AveragedPerceptron,
    KernelPerceptron,
    MarginPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    PocketPerceptron,
    bounds,
    check,
    datasets,
    inputs,
    record,
)
from novikoff.data import labels
from novikoff.errors import InputError
from novikoff.passes import linear, max_margin
from novikoff.passes.ledger import (
    BEFORE,
    COLUMNS,
    ERRORS,
    MISTAKES,
    PASS_UPDATES,
    SQUARE,
    TRAVELLED,
    UPDATES,
    VISITS,
    Targets,
)
from novikoff.passes.orders import BLOCK, SMALL, WINDOW, shuffled
from novikoff.passes.rows import of_matrix, packed
from novikoff.passes.rules import DynamicMargin, Facts, FixedMargin, PassiveAggressive, Plain
from novikoff.training import dual, run
from novikoff.training.problems import LOOSE, OneVsRest, group_problems
from novikoff.training.run import PATIENCE, CycleFinder, Plan, Run

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))

EPS = bounds.EPS


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def tenths(seed, classes=2):
    """A few rows of tenths, whose sums float64 rounds."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(3, 7), rng.integers(1, 4)
    X, y = rng.integers(-9, 10, (n, d)) / 10, rng.integers(0, classes, n)
    y[:2] = 0, 1
    return X, y


def exact_product(w, x):
    return sum(Fraction(float(a)) * Fraction(float(b)) for a, b in zip(w, x, strict=True))


def exact_margins(model, X, y):
    """y·(w·x) of every row, and ‖w‖², in exact arithmetic."""
    w = [*model.coef_[0], *model.intercept_]
    signs = np.where(y == model.classes_[1], 1, -1)
    return [int(s) * exact_product(w, [*x, 1.0]) for s, x in zip(signs, X, strict=True)], exact_product(w, w)


def problems_of(X, y, rule=None, start=None, joint=False, weight=(1.0,), bias=1.0):
    """The one group of problems that these rows pose."""
    targets = Targets(np.asarray(y, dtype=np.int32), np.asarray(weight, dtype=float))
    vectors = 1 if max(y) == 1 else max(y) + 1
    start = np.zeros((vectors, X.shape[1] + 1)) if start is None else start
    radius = bounds.radius(X, bool(bias))
    rows = of_matrix(X, bias)
    return group_problems(X, rows, targets, radius, start, Plain() if rule is None else rule, joint, 1)[0]


def plan_of(n, max_iter=100, tol=None, order="cyclic", validation=None, n_iter_no_change=5):
    rows = np.arange(n, dtype=np.uint32)
    return Plan(order, rows, 0, 0, max_iter, tol, n, n, False, False, validation, n_iter_no_change)


# The numbers of the theorems


def test_the_bounds_have_their_numbers():
    assert bounds.novikoff(1, 0.5, start=1, longest=2) == 12
    assert bounds.novikoff(1, 0.5, shortest=0.5) == 8
    assert bounds.novikoff(1, 0) == math.inf
    assert bounds.radius([[3.0, 4.0]]) == math.sqrt(26)
    assert bounds.margin_perceptron(2, 0.5) == 256
    assert bounds.growing_margin(2, 0.5, parts=4) == 32
    assert bounds.slack(1, 0.5, slack=2) == 36
    assert bounds.passive_aggressive(2, 0.5, C=0.1) == 16
    assert bounds.passive_aggressive(1, 0.5, C=0.1, step="capped") == 40
    assert bounds.passive_aggressive(2, 0.5, C=0.1, step="capped") == 40
    assert bounds.passive_aggressive(2, 0.5, C=0.125, step="damped") == 32


def test_the_margin_that_a_run_proves_includes_its_rounding():
    updates, size = 10**15, 2**50
    assert bounds.margin_from_run(0.0, 1.0, updates, radius=3.0, size=3) == 6 * EPS * updates
    assert bounds.margin_from_run(1.0, 2.0, 0, radius=3.0, size=size) == (1 + (size + 4) * EPS) / 2
    assert bounds.margin_from_run(1.0, 0.0, 0, radius=3.0, size=3) == math.inf


def test_the_rounding_of_a_score_counts_its_terms():
    n = 100 * EPS
    assert bounds.rounding_of_score(2.0, 3.0, size=96) == n / (1 - n) * 2 * 3
    assert bounds.rounding_of_score(1.0, 1.0, size=96, eps=0.005) == 1  # γ_n = n/(1 − n), not n
    assert bounds.rounding_of_score(1.0, 1.0, size=96, eps=0.01) == math.inf


def test_what_the_rules_prove():
    weighed = Facts(lightest=0.5, heaviest=2.0)
    assert Plain().mistake_bound(1, 0.5, weighed) == 4 * 2 / 0.5
    assert Plain().mistake_bound(1, 0.5, Facts(start=1.0)) == 8
    fixed = FixedMargin(0.25)
    assert fixed.required_margin == 0.25
    assert fixed.mistake_bound(1, 0.1, Facts()) == 64
    assert fixed.mistake_bound(1, 0.1, weighed) == 256
    for broken in (Facts(start=1.0), Facts(updates=65), Facts(margin_bound=0.49)):
        assert fixed.mistake_bound(1, 0.1, broken) == math.inf
    assert DynamicMargin(3).mistake_bound(1, 0.5, Facts()) == 12
    assert DynamicMargin(3).mistake_bound(1, 0.5, weighed) == 48
    assert DynamicMargin(3).mistake_bound(1, 0.5, Facts(start=1.0)) == math.inf
    capped, damped = PassiveAggressive(0.5, 0.0), PassiveAggressive(math.inf, 0.25)
    assert capped.mistake_bound(1, 0.5, weighed) == 16
    assert damped.mistake_bound(1, 0.5, weighed) == 6
    assert PassiveAggressive(math.inf, 0.0).mistake_bound(1, 0.5, weighed) == 4
    for rule in (capped, damped, PassiveAggressive(math.inf, 0.0)):  # (1/ρ + ‖w₀‖)² in place of 1/ρ²
        assert rule.mistake_bound(1, 0.5, Facts(start=1.0)) == rule.mistake_bound(1, 0.5, Facts()) * 1.5**2


def test_where_the_rules_make_an_update():
    """At the bar itself: the perceptron and the dynamic margin do, those that ask for a margin do not."""
    assert Plain.fires(Plain(), 0.0, 0.0)
    assert not Plain.fires(Plain(), 1e-300, 0.0)
    assert Plain.fires(Plain(), math.nan, 0.0)
    fixed = FixedMargin(0.5)
    assert FixedMargin.fires(fixed, 0.0, 0.0)
    assert not FixedMargin.fires(fixed, 1.0, 1.0)
    assert FixedMargin.fires(fixed, 0.9, 1.0)
    assert not PassiveAggressive.fires(PassiveAggressive(1.0, 0.0), 1.0, 1.0)
    assert PassiveAggressive.fires(PassiveAggressive(1.0, 0.0), 0.9, 1.0)
    ledger = np.zeros(COLUMNS)
    assert DynamicMargin.threshold(DynamicMargin(3), ledger) == 0
    ledger[[SQUARE, BEFORE, TRAVELLED]] = 36, 1, 2
    assert FixedMargin.threshold(fixed, ledger) == 3
    assert DynamicMargin.threshold(DynamicMargin(3), ledger) == 4


def test_the_bound_of_weighted_rows_has_the_ratio_of_the_weights():
    X, y = datasets.planted_margin(60, 3, 0.1, random_state=0)
    weight = np.where(np.arange(60) % 2, 1.5, 0.5)
    weight[7] = 0.0
    for learner, factor in ((Perceptron, 1), (MarginPerceptron, 3)):
        model = learner().fit(X, y, sample_weight=weight)
        assert model.status_ == "separated"
        assert math.isclose(model.mistake_bound_, factor * 3 * (model.radius_ / model.margin_) ** 2)


def test_a_row_of_weight_zero_has_no_part_in_the_radius():
    X, y = datasets.logic_gate("and")
    far = np.vstack([X, [[100.0, 100.0]]])
    model = Perceptron().fit(far, [*y, 0], sample_weight=[1, 1, 1, 1, 0])
    assert model.radius_ == bounds.radius(X)


def test_a_joint_update_is_longer_than_its_row():
    X, y = np.array([[1.0, 0], [0, 1], [-1, -1]]), [0, 1, 2]
    assert Perceptron(multi_class="joint").fit(X, y).radius_ == 2**0.5 * bounds.radius(X)


def test_the_bound_after_partial_fit_is_the_updates_before_and_the_bound_of_this_call():
    X, y = datasets.planted_margin(40, 2, 0.2, random_state=0)
    model = Perceptron(order="cyclic").partial_fit(X[:20], y[:20], classes=[-1, 1])
    model.partial_fit(X, y)
    model.partial_fit(X, y)
    before, start = model.n_updates_, math.hypot(*model.coef_[0], *model.intercept_)
    model.partial_fit(X, y)
    assert model.status_ == "separated"
    assert model.n_iter_ == 4
    assert math.isclose(model.mistake_bound_, before + bounds.novikoff(model.radius_, model.margin_, start))


def test_partial_fit_draws_a_new_order_in_every_call():
    X, y = datasets.planted_margin(60, 3, 0.01, random_state=0)
    whole = Perceptron(max_iter=3, tol=None).fit(X, y)
    parts = Perceptron()
    for _ in range(3):
        parts.partial_fit(X, y, classes=[-1, 1])
    assert whole.n_iter_ == parts.n_iter_ == 3
    assert np.array_equal(parts.coef_, whole.coef_)


def test_a_row_on_the_plane_is_predicted_as_the_second_class():
    model = Perceptron(fit_intercept=False).fit([[1.0, 0.0], [-1.0, 0.0]], ["b", "a"])
    assert model.predict([[0.0, 5.0]]).tolist() == ["b"]


# Verdicts that rounding must not make wrong

DOUBTFUL_SEEDS = (130, 597, 899, 968, 1316, 1789, 2789)
"""Rows of tenths that end a pass with a row on the plane that seems to be on its right side."""


@pytest.mark.parametrize("max_iter", [1, 2, 3, 4, 100])
def test_separated_is_true_in_exact_arithmetic_at_the_last_look_too(max_iter):
    separated = 0
    for seed in (*range(100), *DOUBTFUL_SEEDS):
        X, y = tenths(seed)
        model = Perceptron(order="cyclic", max_iter=max_iter, tol=None).fit(X, y)
        if model.status_ == "separated":
            separated += 1
            assert min(exact_margins(model, X, y)[0]) > 0
    assert separated > 10


def test_the_margins_of_a_certificate_are_true_in_exact_arithmetic():
    separated = 0
    for seed in range(200):
        X, y = tenths(seed)
        model = Perceptron(order="cyclic", max_iter=100, tol=None).fit(X, y)
        if model.status_ == "separated":
            separated += 1
            lowest, square = exact_margins(model, X, y)
            assert Fraction(model.certificate_.margin[0]) ** 2 * square <= min(lowest) ** 2
            assert model.certificate_.mistake_bound == bounds.novikoff(model.radius_, model.certificate_.margin[0])
    assert separated > 50


def nearly_orthogonal(n=3000):
    """Weights and rows of three tenths each whose products are 0 or next to it."""
    rng = np.random.default_rng(0)
    X = rng.integers(-999, 1000, (n, 2))
    w = np.array([3, 7, 1])
    return w / 10, np.column_stack([X, -X @ w[:2]]) / 10


def test_no_row_that_is_wrong_exactly_is_far_from_the_plane():
    w, X = nearly_orthogonal()
    problems = problems_of(X, np.arange(len(X)) % 2, start=np.append(w, 0.0)[None])
    row_margins = X @ w
    wrong = [i for i, x in enumerate(X) if exact_product(w, x) <= 0]
    assert (row_margins[wrong] > 0).sum() > 10
    assert set(wrong) <= set(problems.near_zero(row_margins, 0).tolist())


@pytest.mark.parametrize("joint", [False, True])
def test_rows_that_are_wrong_exactly_are_updated_on(joint):
    """0.1·3 − 0.3 is positive in float64; 1·0.3 − 0.3 is 0."""
    X, w = np.array([[0.3, 1.0], [1.0, 0.0]]), np.array([1.0, -0.3])
    y = [1, 0]
    start = np.array([[*w, 0.0]])
    if joint:
        X, y, start = np.vstack([X, [[0.0, 5.0]]]), [1, 0, 2], np.array([[0.0, 0, 0], [*w, 0], [0, -9, 0]])
    problems = problems_of(X, y, start=start, joint=joint, bias=0.0)
    rows = np.array([0], dtype=np.uint32)
    assert problems.correct_exactly([0], rows) == [0]
    assert problems.update_counts.sum() == 1
    assert problems.ledger[0, [UPDATES, TRAVELLED]].tolist() == [1, 1]
    assert problems.correct_exactly([0], rows) == []


def test_weights_that_return_by_rounding_only_prove_nothing():
    """An update of (−1, 1) is lost in weights of 10¹⁷; (1, 2) separates the rows."""
    X, y = np.array([[1e17, 1e17], [1.0, -1.0]]), [1, 0]
    model = Perceptron(order="cyclic", fit_intercept=False, max_iter=20, tol=None).fit(X, y)
    assert model.status_ == "stopped"
    assert model.certificate_ is None


def approximate_rows(n=4000):
    """Weights of three classes, and rows of float32 whose scores are next to 0 beside their terms."""
    rng = np.random.default_rng(0)
    W = rng.integers(5000, 9000, (3, 2)) * rng.choice([-1, 1], (3, 2))
    W = np.column_stack([W, [31, 37, 41]])
    X = rng.integers(-9000, 9000, (n, 2))
    near = np.rint(-(X * W[np.arange(n) % 3, :2]).sum(axis=1) / W[np.arange(n) % 3, 2])
    return np.column_stack([W, np.zeros(3)]).astype(float), np.column_stack([X, near]).astype(np.float32)


def test_approximate_scores_decide_nothing_wrong_from_the_first_row_on():
    """The first rows are scored before any update, so that the error bound is that of the weights there are."""
    W, X = approximate_rows()
    y = np.arange(len(X)) % 3
    rounded = np.sign(X @ W[:, :3].astype(np.float32).T) != np.sign(X.astype(np.float64) @ W[:, :3].T)
    assert rounded.sum() > 100
    for i in range(0, len(X), 4):
        rows, four = np.arange(4, dtype=np.uint32), slice(i, i + 4)
        approximate = problems_of(X[four], y[four], start=W)
        exact = problems_of(X[four].astype(np.float64), y[four], start=W)
        for problems in (approximate, exact):
            problems.sweep(rows, [0, 1, 2])
        assert np.array_equal(approximate.update_counts, exact.update_counts)
        assert np.array_equal(
            approximate.look(rows, [0, 1, 2], W.copy())[:, 0], exact.look(rows, [0, 1, 2], W.copy())[:, 0]
        )


def test_approximate_scores_decide_nothing_wrong_after_updates():
    """From weights of length 0, so that the error bound is what the update on the first row has made of it."""
    W, X = approximate_rows(3000)
    for i in range(len(X)):
        pair, y = np.vstack([W[i % 3, :3].astype(np.float32), X[i]]), [0, i % 2, 2]
        pair, y = np.vstack([pair, np.zeros((1, 3), np.float32)]), np.array(y)
        approximate, exact = problems_of(pair, y), problems_of(pair.astype(np.float64), y)
        for problems in (approximate, exact):
            problems.sweep(np.arange(2, dtype=np.uint32), [0, 1, 2])
        assert np.array_equal(approximate.update_counts, exact.update_counts)


def test_approximate_scores_of_sparse_rows_decide_nothing_wrong():
    """As class by class, where all scores are exact: from weights there are, and after updates of all classes."""
    W, X = approximate_rows()
    X, y = sp.csr_array(X.astype(np.float64) / 3), np.arange(len(X)) % 3
    places = np.random.default_rng(1).permutation(len(y)).astype(np.uint32)
    for start in (W, np.zeros_like(W)):
        together = problems_of(X, y, start=start.copy())
        alone = [problems_of(X, (y == c).astype(int), start=start[[c]].copy()) for c in range(3)]
        for _ in range(3):
            together.sweep(places, [0, 1, 2])
            for problem in alone:
                problem.sweep(places, [0])
        assert np.array_equal(together.update_counts, np.vstack([problem.update_counts for problem in alone]))
        looks = [problem.look(places, [0], W[[c]]) for c, problem in enumerate(alone)]
        assert np.array_equal(together.look(places, [0, 1, 2], W), np.vstack(looks))


def test_bounds_on_lengths_are_taken_anew_when_they_are_loose():
    """On rows that do not separate ‖w‖ stays small, while updates without end raise what is known of it."""
    X, y = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=np.float32), np.array([0, 1, 2, 0])
    problems = problems_of(X, y)
    for _ in range(2000):
        problems.sweep(np.arange(4, dtype=np.uint32), [0, 1, 2])
    lengths = np.sqrt((problems.W**2).sum(axis=1))
    assert (problems.length_bound >= lengths).all()
    assert (problems.length_bound <= 2 * LOOSE * (lengths + problems.radius)).all()


def test_approximate_scores_that_overflow_decide_nothing():
    """In float32 10³⁹ − 10·3·10³⁸ is infinite."""
    X, y = np.array([[1, 10], [1, 0], [0, 1]], dtype=np.float32), np.array([0, 1, 2])
    W = np.zeros((3, 3))
    W[0, :2] = 1e39, -3e38
    approximate, exact = problems_of(X, y, start=W), problems_of(X.astype(np.float64), y, start=W)
    for problems in (approximate, exact):
        problems.sweep(np.arange(3, dtype=np.uint32), [0, 1, 2])
    assert exact.update_counts[0, 0] == 1
    assert np.array_equal(approximate.update_counts, exact.update_counts)


# Looking changes nothing


def bits(state):
    return [array.tobytes() for array in state]


@pytest.mark.parametrize("rule", [Plain(), DynamicMargin(3)], ids=str)
@pytest.mark.parametrize(("classes", "joint"), [(2, False), (3, False), (3, True)])
@pytest.mark.parametrize("sparse", [False, True])
def test_a_look_changes_nothing(rule, classes, joint, sparse):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((40, 3)), np.arange(40) % classes
    problems = problems_of(sp.csr_matrix(X) if sparse else X, y, rule=rule, joint=joint)
    rows, all_ = np.arange(40, dtype=np.uint32), list(range(problems.size))
    problems.sweep(rows, all_)
    before = bits(problems.state())
    looked = problems.look(rows, all_)
    other = problems.look(rows, all_, np.ones_like(problems.W))
    assert bits(problems.state()) == before
    for c in all_:
        margins = row_margins(problems.W, X, y, c, classes, joint)
        assert looked[c, 0] == (margins <= 0).sum() > 0
        assert math.isclose(looked[c, 1], margins.min())
        assert other[c, 0] == (row_margins(np.ones_like(problems.W), X, y, c, classes, joint) <= 0).sum()


def test_a_look_finds_the_lowest_row_margin_of_rows_that_all_are_right():
    X, y, rows = np.diag([3.0, 1.0, 2.0]), [0, 1, 2], np.arange(3, dtype=np.uint32)
    for kind in (np.float64, np.float32):
        problems = problems_of(X.astype(kind), y, start=np.column_stack([2 * np.eye(3) - 1, np.zeros(3)]))
        assert problems.look(rows, [0, 1, 2]).tolist() == [[0, 1]] * 3


@pytest.mark.parametrize("learner", [Perceptron, MarginPerceptron, AveragedPerceptron])
@pytest.mark.parametrize("as_rows", [np.asarray, sp.csr_array])
def test_a_clean_pass_has_seen_what_a_look_would_see(learner, as_rows, monkeypatch):
    seen, known = [], OneVsRest.look_after_pass

    def compared(self, row_order, some):
        found = known(self, row_order, some)
        if not self.ledger[0, PASS_UPDATES]:
            seen.append((found.tolist(), self.look(row_order, some).tolist()))
        return found

    monkeypatch.setattr(OneVsRest, "look_after_pass", compared)
    random = np.random.default_rng(0)
    for _ in range(5):
        X = random.integers(-9, 10, (30, 4)).astype(float)
        side = X @ random.integers(-4, 5, 4) + 0.5 > 0
        if 0 < side.sum() < len(side):
            learner(max_iter=5000).fit(as_rows(X), side)
    assert seen
    assert all(found == looked for found, looked in seen)


def row_margins(W, X, y, c, classes, joint):
    scores = X @ W[:, :-1].T + W[:, -1]
    if not joint:
        return np.where(y == (1 if classes == 2 else c), 1, -1) * scores[:, c]
    own = scores[np.arange(len(y)), y]
    scores[np.arange(len(y)), y] = -np.inf
    return own - scores[:, :classes].max(axis=1)


@pytest.fixture
def kept_problems(monkeypatch):
    """The problems of the kernel runs of a test."""
    kept, make = [], dual.Dual.__init__

    def noted(self, *arguments):
        make(self, *arguments)
        kept.append(self)

    monkeypatch.setattr(dual.Dual, "__init__", noted)
    return kept


def test_a_look_at_functions_changes_nothing(kept_problems):
    X, y = datasets.circles(30, random_state=0)
    KernelPerceptron(kernel="rbf", max_iter=1).fit(X, y)
    problems = kept_problems[0]
    before = bits(problems.state())
    problems.look(np.arange(30, dtype=np.uint32), [0])
    assert bits(problems.state()) == before


def test_a_look_at_a_stream_changes_nothing(tmp_path, monkeypatch):
    from novikoff.scale import streamed_problems
    from novikoff.scale.stream import fit_stream

    looks, look = [], streamed_problems.Streamed.look

    def watched(self, *arguments):
        before = bits(self.state()[:5])
        looked = look(self, *arguments)
        assert bits(self.state()[:5]) == before
        looks.append(looked)
        return looked

    monkeypatch.setattr(streamed_problems.Streamed, "look", watched)
    X, y = np.random.default_rng(0).standard_normal((60, 3)), np.arange(60) % 3
    path = tmp_path / "rows.csv"
    path.write_text(
        "a,b,c,y\n" + "\n".join(",".join(map(repr, [*map(float, x), int(t)])) for x, t in zip(X, y, strict=True))
    )
    for multi_class in ("ovr", "joint"):
        fit_stream(Perceptron(max_iter=2, multi_class=multi_class), path, target="y")
    assert len(looks) >= 2


# When a run ends


def test_weights_that_return_are_found_though_most_is_forgotten(monkeypatch):
    """Brent: the cycle does not come back to the weights it started from, and takes more than two passes."""
    monkeypatch.setattr(run, "REMEMBERED", 7)  # one state of three weights and four counts
    X, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), [0, 1, 1, 0]
    start = np.array([[40.0, -3.0, 0.0]])
    outcome = Run(problems_of(X, y, start=start), plan_of(4, 1000)).go()[0]
    assert outcome.status == "inseparable"
    signed = np.where(y, 1, -1)[:, None] * np.column_stack([X, np.ones(4)])
    assert not (outcome.witness[0] @ signed).any()
    assert outcome.witness.any()
    long = long_cycle()
    assert Run(problems_of(*long), plan_of(len(long[1]), 1000)).go()[0].status == "inseparable"


def long_cycle():
    """Rows whose weights come back after many passes."""
    return np.array([[5.0], [-7.0], [3.0]]), [1, 1, 0]


def test_what_is_forgotten_and_when():
    finder = CycleFinder(run.REMEMBERED)
    assert finder.room == 1
    w, counts = np.zeros((1, 2)), np.zeros((1, 3), np.int32)
    kept = []
    for passes in range(10):
        finder.meet(passes, w + passes, counts + passes)
        ((weights, _),) = next(iter(finder.states.values()))
        kept.append(int(weights[0, 0]))
        assert len(finder.states) == 1
    assert kept == [0, 1, 2, 2, 4, 4, 4, 4, 8, 8]
    assert finder.meet(9, w + 9, counts + 9) is None
    assert finder.meet(10, w + 8, counts + 10).tolist() == [[2, 2, 2]]


def test_zero_has_one_sign_where_weights_return():
    finder, counts = CycleFinder(5), np.zeros((1, 3), np.int32)
    finder.meet(0, np.array([[0.0, 1.0]]), counts)
    assert finder.meet(5, np.array([[-0.0, 1.0]]), counts + 1).tolist() == [[1, 1, 1]]
    assert finder.meet(5, np.array([[0.0, -1.0]]), counts + 1) is None


def test_weights_with_one_fingerprint_are_told_apart():
    finder, counts = CycleFinder(5), np.zeros((1, 3), np.int32)
    states = [np.array([[1.0, 2.0, 0.0]]), np.array([[2.0, 1.0, 0.0]])]
    for passes, weights in enumerate(states):
        finder.meet(passes, weights, counts + passes)
    assert len(finder.states) == 1
    assert [finder.meet(5, weights, counts + 5)[0, 0] for weights in states] == [5, 4]
    again = CycleFinder(5)
    again.restore(finder.state())
    assert [again.meet(5, weights, counts + 5)[0, 0] for weights in states] == [5, 4]


def test_weights_return_however_they_lie_in_memory():
    finder, weights = CycleFinder(5), np.random.default_rng(0).random((16, 40)) / 3
    finder.meet(0, np.asfortranarray(weights), np.zeros((16, 3), np.int32))
    assert finder.meet(5, weights, np.ones((16, 3), np.int32)).all()


@pytest.mark.parametrize("patience", [1, 2, 3, 5])
def test_early_stopping_waits_for_exactly_so_many_passes(monkeypatch, patience):
    errors, offer = [], run.BestOnHeldOut.offer

    def noted(self, c, held_out_errors, weights):
        errors.append(held_out_errors)
        offer(self, c, held_out_errors, weights)

    monkeypatch.setattr(run.BestOnHeldOut, "offer", noted)
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100, 3))
    y = (X[:, 0] + 2 * rng.standard_normal(100) > 0).astype(int)
    model = Perceptron(early_stopping=True, n_iter_no_change=patience, validation_fraction=0.3, tol=None).fit(X, y)
    best = int(np.argmin(errors))
    assert model.status_ == "stopped"
    assert model.n_iter_ == len(errors) == best + 1 + patience
    assert all(min(errors[:k]) <= min(errors[k : k + patience]) or k <= best for k in range(1, len(errors)))


def test_a_run_is_given_up_after_five_useless_passes_or_one_over_tol_squared_updates():
    tol, patient, early = 0.1, 0, 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X, y = rng.standard_normal((12, 2)), rng.integers(0, 2, 12)
        y[:2] = 0, 1
        one = Run(problems_of(X, y), plan_of(12, 100, tol))
        outcome = one.go()[0]
        if outcome.status == "thin":
            bound, radius = outcome.margin_bound, bounds.radius(X)
            assert bound <= tol * radius
            assert one.stale[0] >= PATIENCE or outcome.updates >= 1 / tol**2
            patient += one.stale[0] >= PATIENCE
            early += outcome.updates < 1 / tol**2
    assert patient > 0
    assert early > 0


def test_a_rule_that_only_comes_nearer_ends_after_five_passes_without_a_mistake():
    X, y = datasets.planted_margin(60, 3, 0.2, random_state=0)
    model = PassiveAggressiveClassifier(average=False, order="cyclic", max_iter=1000, tol=None).fit(X, y)
    trace = record(PassiveAggressiveClassifier(average=False, order="cyclic", max_iter=1000, tol=None), X, y)
    one = trace.problems[0]
    last_mistake = one.passes[one.row_margins <= 0].max()
    assert model.status_ == "separated"
    if one.passes.max() == model.n_iter_:  # there was an update in the last pass
        assert model.n_iter_ == last_mistake + 1 + PATIENCE


def test_a_run_counts_the_passes_since_the_fewest_mistakes():
    one = Run(problems_of(np.array([[1.0], [-1.0]]), [1, 0]), plan_of(2))
    stale = []
    for mistakes in (5, 5, 4, 6, 4, 3):
        one.steps[0] = mistakes
        one.age([0])
        stale.append(int(one.stale[0]))
    assert stale == [0, 1, 0, 1, 2, 0]


def test_a_run_is_given_up_when_passes_cease_to_help():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((500, 3)), rng.integers(0, 2, 500)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = Perceptron(tol=1e-5).fit(X, y)
    assert (model.status_, model.certificate_.verdict) == ("stopped", "unknown")
    assert "tol=0" in model.certificate_.reason
    assert model.certificate_.margin[1] == model.margin_bound_
    assert model.n_iter_ < 60
    for settings in ({"tol": 0}, {"tol": None}, {"order": "cyclic", "tol": 1e-5}):
        with pytest.warns(ConvergenceWarning, match="stopped after 100 passes with .* Raise max_iter"):
            assert Perceptron(max_iter=100, **settings).fit(X, y).n_iter_ == 100
    active = Perceptron(order="active", tol=1e-5).fit(X, y)
    assert active.status_ == "thin"
    assert active.margin_bound_ <= 1e-5 * active.radius_


def test_work_between_passes_does_not_count_as_a_pass_that_did_not_help():
    """In order "active" the steps of the offenders are many, and those of the full passes tell whether they help."""
    X, y = datasets.planted_margin(300, 5, 0.02, random_state=3)
    one = Run(problems_of(X, (y > 0).astype(int)), plan_of(300, order="active"))
    for number in (1, 2, 3):
        before = one.problems.update_counts.sum()
        one.one_pass(number, [0])
        assert one.steps[0] == one.ledger[0, PASS_UPDATES] <= one.problems.update_counts.sum() - before
    assert one.ledger[0, UPDATES] > 3 * one.steps[0]


def test_a_run_finishes_on_the_few_rows_that_are_hard():
    """Its first passes are those of a run that does not, and then it separates where that one had given up."""
    X, y = datasets.planted_margin(500, 10, 0.02, random_state=1)
    rows = np.arange(len(y), dtype=np.uint32)
    ends = []
    for finish in (False, True):
        plan = Plan("shuffled", rows, 7, 0, 1000, 1e-3, len(y), len(y), True, finish)
        ends.append(Run(problems_of(X, (y > 0).astype(int)), plan).go()[0])
    assert [end.status for end in ends] == ["stopped", "separated"]
    assert ends[1].passes < 2 * ends[0].passes


def test_a_margin_that_no_plane_has_ends_the_run():
    one = Run(problems_of(np.array([[1.0], [-1.0]]), [1, 0], rule=FixedMargin(0.5)), plan_of(2))
    for bound, hopeless in ((0.6, False), (0.5, False), (0.4, True)):
        one.problems.margin_bounds[0] = bound
        assert one.hopeless(0) is hopeless


def test_a_run_is_given_up_at_tol_times_the_radius():
    one = Run(problems_of(np.array([[1.0], [-1.0]]), [1, 0]), plan_of(2, tol=0.125))
    one.stale[0] = PATIENCE
    for factor, hopeless in ((1.01, False), (1.0, True), (0.99, True)):
        one.problems.margin_bounds[0] = factor * 0.125 * one.problems.update_radius
        assert one.hopeless(0) is hopeless


def test_after_a_warm_start_a_run_proves_by_how_far_it_moved():
    X, y = datasets.planted_margin(60, 3, 0.1, random_state=0)
    start = np.array([[50.0, 0.0, 0.0, 0.0]])
    problems = problems_of(X, (y > 0).astype(int), start=start)
    Run(problems, plan_of(60, 3)).go()
    moved = np.linalg.norm(problems.W - start)
    assert math.isclose(problems.margin_bounds[0], moved / problems.ledger[0, TRAVELLED], rel_tol=1e-9)


# What is kept of a run


def test_an_average_goes_on_where_it_was():
    X, y = datasets.planted_margin(50, 3, 0.01, random_state=0)
    whole = AveragedPerceptron(order="cyclic", max_iter=3, tol=None).fit(X, y)
    parts = AveragedPerceptron(order="cyclic")
    for _ in range(3):
        parts.partial_fit(X, y, classes=[-1, 1])
    assert np.allclose(parts.coef_, whole.coef_, rtol=1e-12)


def test_the_bound_of_a_mean_is_that_of_the_best_plane_known():
    """The mean of a run bounds its updates as well as its last weights do, so the larger margin counts."""
    last_is_better = 0
    for seed in range(10):
        X, y = datasets.planted_margin(60, 2, 0.05, random_state=seed)
        last, mean = (learner(max_iter=1000, tol=0).fit(X, y) for learner in (Perceptron, AveragedPerceptron))
        best = max(last.margin_, mean.margin_)
        assert math.isclose(mean.mistake_bound_, bounds.novikoff(mean.radius_, best))
        last_is_better += last.margin_ > mean.margin_
    assert last_is_better > 0


def test_the_pocket_keeps_the_first_of_equal_planes():
    """Contradictory rows: every plane has one error at least, and the first that has one stays."""
    X, y = np.array([[1.0], [1.0]]), [1, 0]
    model = PocketPerceptron(order="cyclic", fit_intercept=False, max_iter=1).fit(X, y)
    assert model.n_errors_ == 1
    assert model.coef_.tolist() == [[1.0]]


def test_of_all_classes_a_tie_is_an_error_to_the_pocket():
    """The weights 0 that it begins with have every row on the wrong side."""
    model = PocketPerceptron(multi_class="joint").fit(np.diag([1.0, 2.0, 3.0]), [0, 1, 2])
    assert model.n_errors_ == 0


@pytest.mark.parametrize("policy", ["forget", "random"])
def test_a_run_on_a_budget_knows_the_length_of_its_function(policy):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 2)), rng.integers(0, 2, 60)
    budget = KernelPerceptron(kernel="rbf", budget=10, policy=policy, max_iter=3).fit(X, y)._resume.budget
    assert budget.removed() > 0
    assert np.allclose(budget.supports.square, budget.expansion().square, rtol=1e-9)


def test_a_recording_stops_where_there_is_no_more_room():
    X, y = datasets.logic_gate("and")
    whole = record(Perceptron(order="cyclic"), X, y)
    for limit in (1, 3, len(whole) - 1, len(whole)):
        cut = record(Perceptron(order="cyclic"), X, y, limit=limit)
        assert len(cut) == limit
        assert cut.problems[0].rows.tolist() == whole.problems[0].rows[:limit].tolist()
        assert cut.cut == (limit < len(whole))


def test_a_pass_counts_its_visits_and_updates():
    problems = problems_of(np.array([[1.0], [-1.0], [2.0]]), [1, 0, 1], bias=0.0)
    for passes, updates in ((1, 1), (2, 0)):
        problems.sweep(np.arange(3, dtype=np.uint32), [0])
        assert problems.ledger[0, VISITS] == 3 * passes
        assert problems.ledger[0, [PASS_UPDATES, UPDATES]].tolist() == [updates, 1]
        assert problems.W.tolist() == [[1.0, 0.0]]


def test_the_steps_of_weighted_rows_are_added_up():
    X, y = datasets.planted_margin(40, 2, 0.05, random_state=0)
    weight = np.where(np.arange(40) % 2, 3.0, 0.5)
    problems = problems_of(X, (y > 0).astype(int), weight=weight)
    problems.sweep(np.arange(40, dtype=np.uint32), [0])
    assert problems.ledger[0, TRAVELLED] == (problems.update_counts[0] * weight).sum() > 3


def test_mistakes_and_updates_are_counted_apart():
    problems = problems_of(np.array([[1.0], [2.0]]), [1, 1], rule=PassiveAggressive(0.25, 0.0), bias=0.0)
    problems.sweep(np.arange(2, dtype=np.uint32), [0])
    assert problems.ledger[0, [UPDATES, ERRORS, MISTAKES]].tolist() == [2, 1, 1]


def test_the_weight_of_a_row_multiplies_the_cap_of_its_step():
    problems = problems_of(np.array([[1.0]]), [1], rule=PassiveAggressive(0.25, 0.0), weight=[2.0], bias=0.0)
    problems.sweep(np.arange(1, dtype=np.uint32), [0])
    assert problems.W.tolist() == [[0.5, 0.0]]


def test_a_rule_that_needs_the_norm_goes_on_with_it():
    X, y = datasets.planted_margin(40, 2, 0.05, random_state=0)
    start = np.array([[-7.0, 1.0, 2.0]])
    problems = problems_of(X, (y > 0).astype(int), rule=FixedMargin(0.1), start=start)
    problems.sweep(np.arange(40, dtype=np.uint32), [0])
    assert problems.ledger[0, UPDATES] > 0
    assert math.isclose(problems.ledger[0, SQUARE], (problems.W**2).sum(), rel_tol=1e-9)


def test_of_many_rows_the_blocks_begin_anywhere():
    """Neighbours that are in one window are of one block."""
    begins = set()
    rows = np.arange(20 * WINDOW, dtype=np.uint32)
    for seed in range(20):
        window = set(shuffled(rows, seed)[:WINDOW].tolist())
        begins |= {i % BLOCK for i in window if i - 1 not in window and i + 1 in window}
    assert len(begins) > 1


@pytest.mark.parametrize("n", [SMALL, SMALL + 1, 50_000])
def test_rows_that_come_sorted_are_mixed(n):
    """Wherever a pass is, its last hundred rows are of both halves, and hardly ever of one for long."""
    rows = np.arange(n, dtype=np.uint32)
    order = shuffled(rows, 3)
    assert sorted(order.tolist()) == rows.tolist()
    late = (order >= n // 2).astype(int)
    parts = np.convolve(late, np.ones(100) / 100, "valid")
    assert 0.15 < parts.min() < parts.max() < 0.85
    runs = np.diff(np.flatnonzero(np.diff(late)))
    assert runs.max() < 40
    assert np.mean(late[1:] == late[:-1]) == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize(
    ("value", "kind"),
    [(255, np.uint8), (256, np.uint16), (65535, np.uint16), (65536, float), (-1, float), (0.5, float)],
)
def test_packed_rows_are_the_same_numbers(value, kind):
    values = np.append(np.arange(5000) % 200, [value]).astype(float)
    for features, columns in ((2**16, np.uint16), (2**16 + 1, np.uint32)):
        at = np.append(np.arange(5000), [features - 1])
        X = sp.csr_array((values, at.astype(np.int32), np.array([0, 5001], np.int32)), shape=(1, features))
        small = packed(of_matrix(X, 1.0), features)
        assert (small.values.dtype, small.columns.dtype) == (np.dtype(kind), columns)
        assert np.array_equal(small.values, values)
        assert np.array_equal(small.columns, at)
    given = of_matrix(sp.csr_array(X, dtype=np.float32), 1.0)
    assert packed(given, features).values is given.values
    X.indptr = X.indptr.astype(np.int64)
    long = of_matrix(X, 1.0)
    assert (long.starts.dtype, packed(long, features).starts.dtype) == (np.uint64, np.uint32)
    assert packed(long, features).starts.tolist() == [0, 5001]


def test_arrays_that_may_not_be_written_need_no_code_of_their_own():
    X, y = datasets.planted_margin(60, 3, 0.1, random_state=0)
    Perceptron().fit(X, y)
    kinds = list(linear.two_classes.signatures)
    X.flags.writeable = y.flags.writeable = False
    Perceptron().fit(X, y)
    assert list(linear.two_classes.signatures) == kinds
    assert of_matrix(X, 1.0).values is X


def test_the_nearest_point_is_a_combination_without_negative_weights():
    """Of the rows 1 and 3 only the first counts: z·w ≥ 1 is w ≥ 1."""
    X, alpha, w = np.array([[1.0], [3.0]]), np.zeros(2), np.zeros(2)
    rows = of_matrix(X, 0.0)
    max_margin.descend(rows, np.array([1, 0], dtype=np.uint32), np.ones(2), np.array([1.0, 9.0]), alpha, w, 100, 1e-12)
    assert np.allclose(alpha, [1, 0])
    assert np.allclose(w, [1, 0])


# Proofs of weighted rows, and of other rules and spaces


@pytest.mark.parametrize("joint", [False, True])
def test_a_witness_of_weighted_rows_sums_to_zero(joint):
    X, y = datasets.logic_gate("xor")
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    weight = np.array([1.0, 2.0, 1.0, 2.0])
    if joint:
        X, y, weight = np.vstack([X, [[5.0, 5.0]]]), np.append(y, 2), np.append(weight, 3.0)
    model = Perceptron(order="cyclic", multi_class="joint" if joint else "ovr", max_iter=10**5, tol=None)
    model.fit(X, y, sample_weight=weight)
    assert model.status_ == "inseparable"
    total = np.zeros((3, 3))
    for where, times in model.certificate_.witness.items():
        i, rival = where if joint else (where, 1 - y[where])
        total[y[i]] += times * np.append(X[i], 1)
        total[rival] -= times * np.append(X[i], 1)
        assert times % weight[i] == 0
    assert not total.any()


def test_steps_of_unequal_length_prove_nothing_by_their_counts():
    X, y = np.array([[1.0], [1.0]]), [1, 0]
    model = PassiveAggressiveClassifier(C=0.5, order="cyclic", average=False, max_iter=20, tol=None).fit(X, y)
    assert model.status_ == "stopped"
    assert model.certificate_ is None


def test_the_bound_in_the_feature_space_has_the_threshold():
    X, y = np.array([[3.0, 1], [1, 2], [-2, -1], [-1, -3]]), [1, 1, 0, 0]
    model = KernelPerceptron(kernel="linear", threshold=0.5, order="cyclic").fit(X, y)
    assert model.status_ == "separated"
    assert math.isclose(model.mistake_bound_, 2 * (model.radius_ / model.margin_) ** 2, rel_tol=1e-9)


def test_the_mass_of_a_joint_problem_counts_both_lines(kept_problems):
    X, y = np.random.default_rng(0).standard_normal((30, 2)), np.arange(30) % 3
    KernelPerceptron(kernel="rbf", multi_class="joint", max_iter=2).fit(X, y)
    problems = kept_problems[0]
    assert problems.mass(0) == np.abs(problems.moves(0)).sum() > 0


@pytest.mark.parametrize(("error", "updated"), [(1e-13, False), (1e-11, True)])
def test_a_row_that_float64_leaves_in_doubt_is_updated_on(kept_problems, monkeypatch, error, updated):
    X, y = datasets.circles(20, random_state=0)
    KernelPerceptron(kernel="rbf", max_iter=50).fit(X, y)
    problems = kept_problems[0]
    signs = np.where(problems.targets.labels == problems.rule.first, 1.0, -1.0)
    monkeypatch.setattr(problems, "error_bound", lambda c: 1e9)
    monkeypatch.setattr(problems, "refined", lambda c, near: (1e-12 * signs[near][None], error))
    before = problems.update_counts.sum()
    assert problems.correct_rows(0, np.arange(20, dtype=np.uint32)) is updated
    assert problems.update_counts.sum() == before + 20 * updated


def test_scores_that_return_prove_nothing_where_they_may_be_rounded(kept_problems, monkeypatch):
    X, y = datasets.logic_gate("xor")
    KernelPerceptron(kernel="linear", max_iter=50).fit(X, y)
    for error, proved in ((0.0, True), (1e-9, False)):
        monkeypatch.setattr(kept_problems[0], "error_bound", lambda c, error=error: error)
        assert kept_problems[0].sums_to_zero(0, np.ones((1, 4), np.int32)) is proved


# Labels


def test_texts_that_are_printed_otherwise_are_no_whole_numbers():
    for texts in (("01", "1"), ("-0", "1"), ("1" * 19, "1")):
        assert list(labels.decide_classes(dict.fromkeys(texts, 2), "y", "a.csv").values()) == sorted(texts)
    assert list(labels.decide_classes({"-1": 2, "0": 2}, "y", "a.csv").values()) == [-1, 0]


def test_an_index_outside_of_a_sparse_matrix_is_refused():
    X = sp.csr_array(np.eye(3))
    for column in (3, 4, -1):
        X.indices[1] = column
        with pytest.raises(ValueError, match="an index points outside of it"):
            inputs.canonical(X)


def test_where_labels_become_quantities():
    for different, rows in ((20, 20), (21, 42), (1000, 2000)):
        labels.check_not_quantity(different, rows, "y", "a.csv")
    for different, rows in ((21, 41), (1001, 10**6)):
        with pytest.raises(InputError, match="classes, not quantities"):
            labels.check_not_quantity(different, rows, "y", "a.csv")
    assert list(labels.decide_classes({2**63 - 1: 2, -(2**63): 2}, "y", "a.csv")) == [-(2**63), 2**63 - 1]
    with pytest.raises(InputError, match="beyond 64 bits"):
        labels.decide_classes({2**63: 2, 1: 2}, "y", "a.csv")


# The list of mutants


def test_every_mutant_changes_one_place_that_is_there():
    from mutants import mutants

    for mutant in mutants():
        text = (ROOT / mutant.file).read_text(encoding="utf-8")
        assert text.count(mutant.old) == 1, f"{mutant}: the text to change is not there once"
        assert mutant.new != mutant.old
        assert mutant.tests
        for test in mutant.tests:
            path, _, name = test.partition("::")
            name = name.split("[")[0]
            assert not name or f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), test
    entries = json.loads((ROOT / "tools" / "mutants.json").read_text(encoding="utf-8"))
    assert len(entries) >= 60
    assert len({(entry["file"], entry["old"], entry["new"]) for entry in entries}) == len(entries)


@pytest.mark.parametrize(
    "bound",
    [
        bounds.novikoff,
        lambda r, margin: bounds.slack(r, margin, 1.0),
        lambda r, margin: bounds.arow(r, margin, 1.0),
        lambda r, margin: bounds.soft_confidence(r, margin, 1.0, 1.0),
        lambda r, margin: bounds.passive_aggressive(r, margin, 1.0),
    ],
)
def test_a_plane_that_has_a_row_wrong_bounds_nothing(bound):
    assert bound(1.0, -0.5) == bound(1.0, 0.0) == math.inf
    assert 0 < bound(1.0, 0.5) < math.inf


def test_runs_that_do_not_separate_have_no_bound():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = X[:, 0] + rng.normal(size=60) > 0
    for learner in (Perceptron(max_iter=20, tol=None), PocketPerceptron()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            assert learner.fit(X, y).mistake_bound_ == math.inf


@pytest.mark.parametrize("classes", [2, 3])
def test_who_changes_the_weights_of_a_learner_changes_no_proof(classes):
    X = np.eye(classes)
    model = Perceptron().fit(X, np.arange(classes))
    proofs = [model.certificate_] if classes == 2 else model.certificate_
    before = [proof.coef.copy() for proof in proofs]
    model.coef_[:] = 0
    assert [proof.verdict for proof in proofs] == ["separable"] * len(proofs)
    assert all(np.array_equal(proof.coef, coef) for proof, coef in zip(proofs, before, strict=True))
    for k, proof in enumerate(proofs):  # it is written from the run only now
        assert check(proof, X, np.arange(classes), positive=1 if classes == 2 else k)
