"""Verdicts against an exact oracle and known answers; every proof against the independent checker."""

import json
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from oracle import instance, verdict
from sklearn.datasets import load_breast_cancer
from test_checker import resealed
from typer.testing import CliRunner

from novikoff import Certificate, Perceptron, certify, certify_many, check, datasets
from novikoff.certificates.certificate import certificate_from, lower, upper
from novikoff.cli import app
from novikoff.exact.floats import bits_of, column_sums, root, vanishes
from novikoff.exact.limits import SearchLimits
from novikoff.exact.linalg import null_space, rows_of_common_null_space
from novikoff.exact.ratios import ratios_of
from novikoff.exact.simplex import alternative
from novikoff.proofs import best_margin as margin
from novikoff.proofs import gordan, many
from novikoff.proofs import quasi as faces
from novikoff.proofs.proof_json import radius_squared
from novikoff.proofs.question import read_data
from novikoff.proofs.signed_rows import FEW_ROWS, SignedRows


@pytest.mark.parametrize(("small", "rounds"), [(0, 0), (0, gordan.NEAREST_ROUNDS), (gordan.SMALL, 0)])
def test_no_verdict_is_wrong_or_unknown(small, rounds, monkeypatch):
    """With small=0 the instances take the way of larger data: linear programs, or after some rounds nearest points."""
    monkeypatch.setattr(gordan, "SMALL", small)
    monkeypatch.setattr(gordan, "NEAREST_ROUNDS", rounds)
    random, met = np.random.default_rng(small), set()
    for _ in range(300):
        X, y = instance(random)
        intercept = bool(random.integers(0, 4))
        found = certify(X, y, fit_intercept=intercept)
        assert found.verdict == verdict(X, y, intercept), (X, y)
        assert found.reason == ""
        assert check(found, X, y, fit_intercept=intercept), (X, y)
        met.add(found.verdict)
    assert met == {"separable", "quasi-separable", "inseparable"}


def test_the_verdict_does_not_depend_on_the_order_of_rows_or_the_units_of_columns():
    random = np.random.default_rng(1)
    for _ in range(60):
        X, y = instance(random)
        truth, order = certify(X, y).verdict, random.permutation(len(y))
        scales = 10.0 ** random.choice([-150, -5, 0, 3, 150], X.shape[1])
        assert certify(X[order], y[order]).verdict == truth
        powers = 2.0 ** random.choice([-500, -7, 0, 3, 500], X.shape[1])
        assert certify(X * powers, y).verdict == truth
        if np.abs(X).max() <= 1:
            assert certify(X * scales, y).verdict == truth


@pytest.mark.parametrize("alone", [0.0, 60.0])
def test_many_questions_are_answered_as_each_alone(alone, monkeypatch):
    monkeypatch.setattr(many, "ALONE", alone)
    monkeypatch.setattr(many, "BATCH", 3)
    random = np.random.default_rng(3)
    questions = [instance(random) for _ in range(10)]
    answers = certify_many(iter(questions), n_jobs=2, fit_intercept=False)
    assert [answer.proof for answer in answers] == [certify(X, y, fit_intercept=False).proof for X, y in questions]
    assert certify_many([]) == []
    with pytest.raises(ValueError, match=r"^Question 1: certify needs rows of at least two classes"):
        certify_many([questions[0], ([[1]], [0])])
    with pytest.raises(ValueError, match=r"^certify_many takes pairs \(X, y\), but question 0 is a dict"):
        certify_many([{"X": [[1]]}])


def test_decimals_are_whole_numbers_over_a_power_of_ten():
    """Of up to 18 digits in 64 bits, longer ones as Python's own; digested in lowest terms in both ways."""
    random = np.random.default_rng(4)
    for digits in (3, 18, 19, 40):
        powers = random.integers(digits, size=(9, 3)).tolist()
        X = [[f"{random.integers(-9, 10)}e{power - digits // 2}" for power in row] for row in powers]
        y = [0, 1, 1] * 3
        assert ratios_of([[Fraction(v) for v in row] for row in X]).whole.dtype == (object if digits > 30 else np.int64)
        assert check(certify(X, y), X, y)
        assert certify(X, y).proof["data"] == certify([list(map(Fraction, row)) for row in X], y).proof["data"]


def test_equal_rows_of_both_signs_are_found_whatever_their_zeros_are():
    for X in ([[0.0, 1.0], [5.0, 2.0], [-0.0, 1.0]], [["0", "1"], ["5", "2"], ["-0.0", "1.0"]]):
        assert certify(X, [0, 1, 1]).witness == {0: 1, 2: 1}


def test_dense_and_sparse_data_have_the_same_proof():
    random = np.random.default_rng(2)
    for _ in range(30):
        X, y = instance(random)
        assert certify(sp.csr_array(X), y).verdict == certify(X, y).verdict
        assert check(certify(sp.csr_array(X), y), X, y)
        assert check(certify(X, y), sp.csr_array(X), y)


def test_names_the_rows_and_columns_of_a_quasi_separation():
    found = certify([[-1, 5], [0, 2], [0, 2], [1, 3]], [0, 0, 1, 1])
    assert found.verdict == "quasi-separable"
    assert found.rows.tolist() == [0, 3]
    assert found.columns == [0]
    assert set(found.witness) == {1, 2}
    assert found.overlap is False


def test_collinear_columns_are_not_taken_for_separation():
    X, y = datasets.logic_gate("xor")
    found = certify(np.column_stack([X, X[:, 0], np.ones(4)]), y)
    assert found.verdict == "inseparable"
    assert found.collinear == [[0, 2], [3, 4]]


@pytest.mark.parametrize(
    ("X", "expected"),
    [
        ([[1.0], [1.0 + 1e-12]], "separable"),
        ([[0.0], [0.5], [0.5 + 1e-12], [1.0]], "separable"),
        ([[0.1 + 0.2], [0.3]], "separable"),
        ([["0.3"], ["0.30"]], "inseparable"),
        ([["0.1"], ["0.1000000000000000000000000001"]], "separable"),
        ([[2**62], [2**62 + 1]], "separable"),
        ([[1e308], [-1e308]], "separable"),
        ([[5e-324], [0.0]], "separable"),
    ],
)
def test_numbers_mean_their_exact_values(X, expected):
    y = np.arange(len(X)) >= len(X) / 2
    found = certify(X, y)
    assert found.verdict == expected
    assert check(found, X, y)


def test_a_column_may_be_scaled_by_any_power():
    random = np.random.default_rng(3)
    X = random.normal(size=(50, 3))
    y = X[:, 0] + X[:, 1] / 2 > 0.1
    found = certify(X * [1e150, 1e-150, 1], y)
    assert found.verdict == "separable"
    assert check(found, X * [1e150, 1e-150, 1], y)


def test_the_worst_case_of_the_perceptron_is_easy():
    X, y = datasets.exponential(200)
    found = certify(X, y, fit_intercept=False)
    assert found.verdict == "separable"
    assert found.mistake_bound > 4**199
    assert check(found, X, y, fit_intercept=False)


def test_the_margin_interval_is_narrow_and_holds_the_planted_margin():
    X, y = datasets.planted_margin(3000, 20, 0.05, random_state=0)
    found = certify(X, y)
    lo, hi = found.margin
    assert hi >= 0.05
    assert hi * (1 - 1e-3) <= lo <= hi
    assert min((2 * (y > 0) - 1) * (X @ found.coef.ravel() + found.intercept[0])) > 0
    learner = Perceptron().fit(X, y)
    assert learner.n_updates_ <= found.mistake_bound


def test_several_classes():
    X, y = np.array([[0], [1], [2], [3]]), np.array(["a", "b", "b", "c"])
    found = certify(X, y)
    assert {label: found[label].verdict for label in found} == {"a": "separable", "b": "inseparable", "c": "separable"}
    pairs = certify(X, y, multi_class="ovo")
    assert list(pairs) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert all(
        pairs[a, b].verdict == "separable" and check(pairs[a, b], X, y, positive=a, negative=b) for a, b in pairs
    )
    assert all(check(found[label], X, y, positive=label) for label in found)
    assert check(found, X, y)
    assert check(pairs, X, y)
    assert "b against the rest" in found.summary()


def test_a_certificate_survives_its_file(tmp_path):
    X, y = datasets.logic_gate("and")
    found = certify(X, y)
    found.save(tmp_path / "proof.json")
    again = Certificate.load(tmp_path / "proof.json")
    assert again.proof == found.proof
    assert (again.verdict, again.margin, again.mistake_bound) == (found.verdict, found.margin, found.mistake_bound)
    assert check(again, X, y)


def test_unknown_has_a_reason_and_is_not_accepted():
    random = np.random.default_rng(5)
    X, y = random.normal(size=(3000, 20)), random.integers(0, 2, 3000)
    found = certify(X, y, time_limit=0.0)
    assert found.verdict == "unknown"
    assert found.reason == "the time limit was reached"
    assert not check(found, X, y)


def test_refuses_bad_parameters_and_data():
    with pytest.raises(ValueError, match="multi_class"):
        certify([[0], [1]], [0, 1], multi_class="all")
    with pytest.raises(ValueError, match="NaN"):
        certify([[0.0], [np.nan]], [0, 1])
    with pytest.raises(ValueError, match="two classes"):
        certify([[0.0], [1.0]], [1, 1])
    with pytest.raises(ValueError, match="row 1, column 0"):
        certify([["0.5"], ["blue"]], [0, 1])
    with pytest.raises(ValueError, match="column 'colour'"):
        certify(pd.DataFrame({"age": [1, 2], "colour": ["red", "blue"]}), [0, 1])
    for y in ([0, np.nan], [None, "a"]):
        with pytest.raises(ValueError, match="no label at row"):
            certify([[0], [1]], y)


def test_one_tie_is_quasi_separation():
    X, y = datasets.fetch("silvapulle").data, datasets.fetch("silvapulle").target
    found = certify(X, y)
    assert found.verdict == "quasi-separable"
    assert len(found.rows) == 33
    assert check(found, X, y)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sonar", "separable"),
        ("ionosphere", "quasi-separable"),
        ("banknote", "inseparable"),
        ("pima", "inseparable"),
    ],
)
def test_known_answers(real_data, name, expected):
    data = datasets.fetch(name)
    found = certify(data.data, data.target)
    assert found.verdict == expected
    assert check(found, data.data, data.target)
    if name == "ionosphere":
        assert len(found.rows) == 38
        assert found.columns == [0]


def test_breast_cancer_is_separable():
    X, y = load_breast_cancer(return_X_y=True)
    found = certify(X, y)
    assert found.verdict == "separable"
    assert check(found, X, y)


def test_witness_only_and_quasi_parameter():
    """Without the second question a witness is all that is claimed, and the checker says so."""
    X, y = np.array([[-1], [0], [0], [1]]), np.array([0, 0, 1, 1])
    found = certify(X, y, quasi=False)
    assert (found.verdict, found.overlap, found.rows) == ("inseparable", None, None)
    assert "not claimed" in check(found, X, y).sentence
    assert certify(X, y, quasi=True).verdict == "quasi-separable"


def test_large_data_is_not_asked_for_quasi_separation_unless_told_to(monkeypatch):
    monkeypatch.setattr(faces, "NUMBERS", 5)
    X, y = np.array([[-1], [0], [0], [1]]), np.array([0, 0, 1, 1])
    found = certify(X, y)
    assert (found.verdict, found.overlap) == ("inseparable", None)
    assert "quasi=True" in found.reason
    assert found.reason in found.summary()
    assert certify(X, y, quasi=True).verdict == "quasi-separable"


def test_every_tied_row_has_a_positive_weight_in_the_cover():
    """Albert and Anderson: under overlap some p > 0 in every entry has Zᵀp = 0."""
    random = np.random.default_rng(7)
    for _ in range(20):
        X, y = random.integers(-3, 4, (40, 3)), random.integers(0, 2, 40)
        found = certify(X, y)
        if found.verdict != "inseparable":
            continue
        assert found.overlap
        cover, Z = found.proof["cover"], np.column_stack([X, np.ones(40, int)]) * (2 * y - 1)[:, None]
        p = [int(cover["weights"].get(str(i), cover["rest"]), 0) for i in range(40)]
        assert min(p) > 0
        assert not any(sum(a * int(b) for a, b in zip(p, column, strict=True)) for column in Z.T)


@pytest.mark.parametrize("levels", [1, 2, 5, 9])
def test_rows_that_are_tied_level_by_level_are_balanced_together(levels):
    """Two rows a level, whose sum is one of combinations of the rows of the levels before, and some more beyond."""
    random = np.random.default_rng(levels)
    Z = [np.eye(levels, dtype=int)[0], -np.eye(levels, dtype=int)[0]]
    for k in range(1, levels):
        axis = np.eye(levels, dtype=int)[k]
        Z += [
            axis + random.integers(-5, 6, len(Z)) @ Z,
            -axis * random.integers(1, 4) + random.integers(-5, 6, len(Z)) @ Z,
        ]
    Z += list(random.integers(-3, 4, (5, len(Z))) @ Z)
    X, y = np.array(Z), np.ones(len(Z), int)
    y[::2], X[::2] = 0, -X[::2]
    found = certify(X, y, fit_intercept=False)
    assert (found.verdict, found.overlap) == ("inseparable", True)
    assert check(found, X, y, fit_intercept=False)
    cover = found.proof["cover"]
    p = [int(cover["weights"].get(str(i), cover["rest"]), 0) for i in range(len(Z))]
    assert min(p) > 0
    assert not any(sum(a * int(b) for a, b in zip(p, column, strict=True)) for column in np.array(Z).T)


def test_contradictory_rows_are_the_witness():
    random = np.random.default_rng(8)
    X, y = random.normal(size=(500, 30)), random.integers(0, 2, 500)
    X[499], y[499] = X[17], 1 - y[17]
    for data in (X, sp.csr_array(X)):
        assert certify(data, y).witness == {17: 1, 499: 1}


def wide_texts(random, n=300, d=4000):
    """Sparse counts of words, of which a few tell the classes apart."""
    X = sp.random_array((n, d), density=0.01, rng=random, data_sampler=lambda size: random.integers(1, 9, size))
    y = random.integers(0, 2, n)
    X = sp.lil_array(X)
    X[:, 0] = 3 * y[:, None]
    return sp.csr_array(X).astype(np.int64), y


def test_wide_sparse_data_is_never_laid_out(monkeypatch):
    X, y = wide_texts(np.random.default_rng(9))
    monkeypatch.setattr(sp.csr_array, "toarray", None)
    found = certify(X, y)
    lo, hi = found.margin
    assert found.verdict == "separable"
    assert hi * (1 - 1e-3) <= lo <= hi
    assert check(found, X, y)


def test_wide_data_without_a_plane():
    """A row that occurs with both labels, or the middle of two rows with the other label."""
    X, y = wide_texts(np.random.default_rng(10))
    a, b = np.flatnonzero(y)[:2]
    for new, rows in ((X[[a]], 2), ((X[[a]] + X[[b]]) / 2, 3)):
        more, labels = sp.vstack([X, new]).tocsr(), np.append(y, 0)
        found = certify(more, labels)
        assert (found.verdict, len(found.witness)) == ("inseparable", rows)
        assert check(found, more, labels)


@pytest.mark.parametrize("n", [200, 2500])
def test_the_descent_and_least_squares_agree(n, monkeypatch):
    X, y = datasets.planted_margin(n, 12, 0.05, random_state=1)
    narrow = certify(X, y).margin
    monkeypatch.setattr(margin, "WIDE", 5)
    monkeypatch.setattr(gordan, "WIDE", 5)
    wide = certify(X, y)
    assert max(narrow[0], wide.margin[0]) <= min(narrow[1], wide.margin[1])
    assert wide.reason == ""
    assert check(wide, X, y)


def test_column_sums_are_exact():
    random = np.random.default_rng(11)
    X = np.ldexp(random.normal(size=(200, 4)), random.integers(-900, 900, (200, 4)))
    signs = random.choice([-1.0, 1.0], 200)
    expected = [sum(Fraction(a) * Fraction(s) for a, s in zip(column, signs, strict=True)) for column in X.T]
    assert column_sums(X, signs) == expected
    assert column_sums(sp.csr_array(X), signs) == expected


def test_progress_is_told_and_shown(capsys):
    X, y = datasets.logic_gate("and")
    told = []
    certify(X, y, progress=told.append, verbose=1)
    assert any("margin" in text for text in told)
    assert "1/1" in capsys.readouterr().err


def test_a_certificate_as_a_dict_has_names_and_is_json():
    X = pd.DataFrame({"age": [-1, 0, 0, 1], "twice": [-2, 0, 0, 2]})
    found = certify(X, [0, 0, 1, 1])
    as_dict = json.loads(json.dumps(found.to_dict()))
    assert as_dict["verdict"] == "quasi-separable"
    assert as_dict["columns"] == ["age"]
    assert as_dict["collinear"] == [["age", "twice"]]
    assert found.proof["names"] == ["age", "twice"]
    assert "age, twice" in found.summary()
    several = certify([[0], [1], [2]], ["a", "b", "c"]).to_dict()
    assert [part["verdict"] for part in several] == ["separable", "inseparable", "separable"]
    assert several[0]["question"] == "a against the rest"


def test_a_text_with_a_huge_exponent_is_refused_at_once():
    with pytest.raises(ValueError, match="row 0, column 0"):
        certify([["1e999999999"], ["0"]], [0, 1])


def test_a_sum_beyond_what_floats_hold_is_not_taken_for_zero():
    """2**53 + 1 − 2**53 is 0 in floats; beyond some size nothing is said, as it would take too long."""
    assert not vanishes(np.array([[1.0, 1.0, -1.0]]), np.array([[2.0**53], [1.0], [2.0**53]]), 0.0)
    assert vanishes(np.array([[1.0, -1.0]]), np.array([[2.0**60], [2.0**60]]), 0.0)
    assert vanishes(np.array([[0.5, -0.25]]), np.array([[0.1], [0.2]]), 0.0)
    assert not vanishes(np.array([[1.0, 1.0, -1.0]]), np.array([[0.1], [0.2], [0.3]]), 0.0)
    assert vanishes(np.array([[2.0, -1.0]]), np.array([[1.0], [2.0]]), 0.0)
    assert not vanishes(np.array([[2.0, -1.0]]), np.array([[1.0], [2.0]]), 1.0)


@pytest.mark.parametrize("value", [Fraction(1, 10), Fraction(-1, 10), Fraction(1, 3), Fraction(2), Fraction(10) ** 400])
def test_margins_are_rounded_away_from_the_claim(value):
    """The float nearest to 1/10 is above it, that nearest to 1/3 below."""
    assert Fraction(lower(value)) <= value
    assert upper(value) == np.inf or value <= Fraction(upper(value))
    if value > 0:
        assert root(value, up=False) ** 2 <= value <= root(value, up=True) ** 2


def test_a_certificate_says_no_more_than_its_proof():
    X, y = datasets.planted_margin(40, 3, 0.05, random_state=5)
    proof = certify(X, y).proof
    for lo, hi in (("1/10", "1/3"), ("1/7", "1/5")):
        margin = proof["margin"] | {"lo": lo, "hi": hi, "radius": hi}
        found = certificate_from(resealed(proof, margin=margin))
        assert Fraction(found.margin[0]) <= Fraction(lo)
        assert Fraction(hi) <= Fraction(found.margin[1])
        assert Fraction(hi) <= Fraction(found.radius)


def cancelling(random, n=200, d=8):
    """Rows of random numbers whose last entry takes away the sum of the others, all but its rounding."""
    X = random.normal(size=(n, d)) * 2.0 ** random.integers(-3, 4, (n, d))
    X[:, -1] = [-math.fsum(row[:-1]) for row in X]
    return X


@pytest.mark.parametrize("sparse", [False, True])
def test_floats_do_not_decide_a_sign_that_rounding_may_have_made(sparse):
    """In floats such rows have scores of about 2**-52 of either sign; what counts is the sign of the exact sum."""
    X = cancelling(np.random.default_rng(14))
    exact = [sum(map(Fraction, row)) for row in X.tolist()]
    signed = SignedRows(read_data(sp.csr_array(X) if sparse else X, False), np.ones(len(X), dtype=int))
    plane = [1] * X.shape[1]
    sides = signed.sides(signed.inner(plane))[1]
    assert sides.tolist() == [(v > 0) - (v < 0) for v in exact]
    assert 0 < (sides > 0).sum() < len(X)
    expected = min(exact) ** 2 / X.shape[1] if min(exact) > 0 else 0
    assert signed.margin_squared(plane) == expected
    positive = np.flatnonzero(sides > 0)
    part = signed.part(positive)
    assert part.margin_squared(plane) == min(exact[k] for k in positive) ** 2 / X.shape[1]


def test_the_radius_is_no_less_than_the_longest_row():
    random = np.random.default_rng(15)
    for X in (
        random.normal(size=(300, 7)),
        random.integers(-9, 9, (300, 7)),
        sp.csr_array(random.normal(size=(30, 7))),
    ):
        dense, data = X.toarray() if sp.issparse(X) else X, read_data(X, True)
        for k in range(dense.shape[0]):
            signs = np.zeros(dense.shape[0], dtype=int)
            signs[k] = 1
            exact = sum(Fraction(v) ** 2 for v in dense[k].tolist()) + 1
            assert exact <= radius_squared(SignedRows(data, signs)) <= exact * (1 + Fraction(1, 10**12))


def test_zero_and_minus_zero_are_one_number():
    for kernel in ("linear", "rbf"):
        found = certify([[0.0], [-0.0]], [0, 1], kernel=kernel)
        assert (found.verdict, found.witness) == ("inseparable", {0: 1, 1: 1})


def test_shifted_columns_are_the_columns():
    """Columns that are narrow beside their size are shifted on the exact side; planes and sums come back the same."""
    random = np.random.default_rng(16)
    X = np.column_stack([1000 + random.integers(0, 5, 30) / 8, random.normal(size=30), -77 - random.random(30)])
    data = read_data(X, True)
    assert set(data.constants) == {0, 2}
    signed = SignedRows(data, random.choice([-1, 1], 30))
    plane = [3, -5, 7, -2457]  # its sides differ from row to row
    assert signed.outer(signed.inner(plane)) == plane
    w = signed.inner(plane)
    ratio = Fraction(plane[1]) * data.scales[1] / w[1]
    products = [sum(a * b for a, b in zip(signed.given(k), plane, strict=True)) for k in range(30)]
    assert [ratio * margin for margin in signed.margins(w, np.arange(30))] == products
    total = [sum(column) for column in zip(*signed.integers(range(30)), strict=True)]
    assert signed.sum_rows(np.arange(30)) == total
    assert signed.sides(w)[1].tolist() == [(v > 0) - (v < 0) for v in products]
    assert np.abs(data.floats).max() <= 2


def test_exact_parts():
    """What the search rests on, each on a case in which a slip shows."""
    assert null_space([[1, 2, 0], [0, 0, 3]]) == [[-2, 1, 0]]
    assert bits_of(np.array([0.75, 5e-324, 2.0**60])).tolist() == [-2, -1074, 60]
    rows = [[1, 0, 0], [1, 1, 0], [0, 0, 1]]
    chosen, basis = rows_of_common_null_space(
        [0], lambda places: [rows[k] for k in places], lambda v: [k for k in range(3) if np.dot(rows[k], v)][:1]
    )
    assert (sorted(chosen), basis) == ([0, 1, 2], [])
    random = np.random.default_rng(17)
    for _ in range(50):
        Z = random.integers(-3, 4, (6, 3)).tolist()
        w, p = alternative(Z)
        if w is None:
            assert min(p) >= 0
            assert sum(p) == 1
            assert not any(sum(a * b for a, b in zip(p, column, strict=True)) for column in zip(*Z, strict=True))
        else:
            assert all(sum(a * b for a, b in zip(z, w, strict=True)) > 0 for z in Z)
    for signs, witness in (([1, 1], None), ([1, -1], {0: 2, 1: 1})):
        level = gordan.Level(SignedRows(read_data([[1], [2]], False), np.array(signs)))
        search = gordan.WorkingSetSearch(level, SearchLimits())
        assert search.witness(np.arange(2), np.array([0.5, 0.5])) == witness
    level = gordan.Level(SignedRows(read_data([[1], [0], [-1]], False), np.ones(3, dtype=int)))
    assert level.wrong_rows([1]).tolist() == [2, 1]
    assert SearchLimits(end=0.0).over()
    assert not SearchLimits(end=1e12).over()


def test_wolfes_method_ends_at_the_least_norm():
    """From any row it goes on to weights that are all positive and a plane whose margin is the norm they prove."""
    random, met = np.random.default_rng(18), 0
    for _ in range(20):
        X, y = datasets.planted_margin(12, 3, 0.05, random_state=int(random.integers(1000)))
        X = np.rint(64 * X)
        signed = SignedRows(read_data(X, True), np.where(y > 0, 1, -1))
        best = margin.wolfe(signed, {0: Fraction(1)}, Fraction(1), SearchLimits())
        assert min(best.combination.values()) > 0
        assert best.lo_squared == best.hi_squared or certify(X, y).verdict != "separable"
        met += best.lo_squared == best.hi_squared > 0
    assert met > 10


def test_a_margin_that_floats_cannot_tell_is_told_exactly():
    X, y = datasets.exponential(60)
    found = certify(X, y, fit_intercept=False)
    assert found.reason == ""
    assert check(found, X, y, fit_intercept=False)
    assert "rel_gap" in certify(X, y, fit_intercept=False, exact=False).reason


@pytest.mark.parametrize("sparse", [False, True])
def test_margins_of_many_wide_rows_of_large_whole_numbers(sparse):
    """Beyond what int64 can sum, one row after the other."""
    X = np.random.default_rng(0).integers(2**52, 2**53, (FEW_ROWS + 8, 1200))
    signed = SignedRows(read_data(sp.csr_array(X) if sparse else X, True), np.ones(len(X), dtype=int))
    w = [k % 7 - 3 for k in range(1201)]
    expected = [sum(v * x for v, x in zip(w, (*row, 1), strict=True)) for row in X.tolist()]
    assert signed.margins(w, np.arange(len(X))) == expected


WIDE = 2**53


@pytest.mark.parametrize(
    "X",
    [
        np.array([[WIDE], [WIDE + 1]]),
        pd.DataFrame({"x": pd.array([WIDE, WIDE + 1], dtype="Int64")}),
        pd.DataFrame({"x": [WIDE, WIDE + 1], "z": [0.5, 0.5]}),
        np.array([[np.longdouble(1)], [1 + np.finfo(np.longdouble).eps]]),
        [[Decimal("0.1")], [Decimal("0.1") + Decimal("1e-20")]],
        [["0.1"], [0.1]],
    ],
)
def test_numbers_that_float64_does_not_hold_are_told_apart(X):
    found = certify(X, [0, 1])
    assert found.verdict == "separable"
    assert check(found, X, [0, 1])


def test_what_is_no_number_is_refused_in_a_sentence():
    for cell in ("1/0", "1_0", "١", Decimal("1e-30000000")):
        with pytest.raises(ValueError, match="Input X holds"):
            certify(np.array([[cell], ["2"]], dtype=object), [0, 1])
    with pytest.raises(ValueError, match="masked"):
        certify(np.ma.array([[1.0], [2.0]], mask=[[False], [True]]), [0, 1])


def test_a_file_of_binary_numbers_means_these_numbers(tmp_path):
    """Also where float64 does not hold them; read in passes, such a file is refused."""
    whole, parts = [WIDE, WIDE + 1], [Decimal("0.10000000000000000000"), Decimal("0.10000000000000000001")]
    for name, cells in {"whole": whole, "decimals": parts}.items():
        table, proof = str(tmp_path / f"{name}.parquet"), tmp_path / f"{name}.json"
        pq.write_table(pa.table({"x": cells, "z": [0.5, 0.5], "y": ["a", "b"]}), table)
        told = CliRunner().invoke(app, ["certify", table, "-t", "y", "-o", str(proof), "--json"])
        assert json.loads(told.stdout)["questions"][0]["verdict"] == "separable"
        assert CliRunner().invoke(app, ["check", str(proof), table, "-t", "y"]).exit_code == 0
        rounded = pd.DataFrame({"x": np.array(cells, dtype=float), "z": [0.5, 0.5]})
        proof.write_text(json.dumps(certify(rounded, ["a", "b"]).proof))
        assert CliRunner().invoke(app, ["check", str(proof), table, "-t", "y"]).exit_code == 1
        for command in (["certify", table], ["check", str(proof), table]):
            told = CliRunner().invoke(app, [*command, "-t", "y", "--stream"])
            assert "which float64 cannot tell apart" in told.output
            assert told.exit_code != 0


def test_lists_in_a_file_are_no_numbers(tmp_path):
    pq.write_table(pa.table({"x": [[1], [2]], "y": ["a", "b"]}), tmp_path / "lists.parquet")
    told = CliRunner().invoke(app, ["certify", str(tmp_path / "lists.parquet"), "-t", "y"])
    assert "'x' holds lists" in told.output
