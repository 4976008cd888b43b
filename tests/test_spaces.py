"""Proofs in feature spaces, and of the runs of learners."""

import numpy as np
import pytest
from oracle import instance
from sklearn.preprocessing import PolynomialFeatures

from novikoff import Certificate, KernelPerceptron, Perceptron, certify, check, datasets
from novikoff.certificates.certificate import RunRecord


def explicit(X, degree):
    """Columns that span the feature space of (1 + x·z)^degree: all products of at most so many."""
    return PolynomialFeatures(degree, include_bias=False).fit_transform(X)


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_a_polynomial_kernel_is_the_explicit_feature_space(degree):
    random, met = np.random.default_rng(degree), set()
    for _ in range(40):
        X, y = instance(random)
        found = certify(X, y, kernel="poly", degree=degree, gamma=1)
        assert found.verdict == certify(explicit(X, degree), y).verdict, (X, y)
        assert check(found, X, y, kernel="poly"), (X, y)
        met.add(found.verdict)
    assert len(met) > 1


def test_the_margin_in_a_feature_space():
    """(x·z + 1) with an intercept is [x; √2]: the margin is that of these rows without one."""
    X, y = datasets.planted_margin(60, 3, 0.05, random_state=2)
    here = certify(X, y, kernel="poly", degree=1, gamma=1).margin
    there = certify(np.column_stack([X, np.full(60, np.sqrt(2))]), y, fit_intercept=False).margin
    assert here[0] == pytest.approx(there[0], rel=1e-3)


@pytest.mark.parametrize("gamma", [1e-3, 0.1, "auto", "scale", 50])
def test_a_gaussian_kernel_separates_distinct_rows(gamma):
    random = np.random.default_rng(12)
    X, y = random.integers(-2, 3, (25, 3)), random.integers(0, 2, 25)
    X, keep = np.unique(X, axis=0, return_index=True)
    y = y[keep]
    found = certify(X, y, kernel="rbf", gamma=gamma)
    lo, hi = found.margin
    assert found.verdict == "separable"
    assert 0 < lo <= hi
    assert check(found, X, y, kernel=found.kernel)
    assert "another space" in check(found, X, y, kernel=found.kernel | {"gamma": "7"}).sentence
    X, y = np.vstack([X, X[:1]]), np.append(y, 1 - y[0])
    found = certify(X, y, kernel="rbf", gamma=gamma)
    assert (found.verdict, found.witness) == ("inseparable", {0: 1, len(y) - 1: 1})
    assert check(found, X, y, kernel="rbf")


def test_a_kernel_that_is_none_is_refused():
    for wrong in ({"kernel": "sigmoid"}, {"kernel": "poly", "coef0": -1}, {"kernel": "rbf", "gamma": 0}):
        with pytest.raises(ValueError, match="kernel"):
            certify([[0], [1]], [0, 1], **wrong)


@pytest.mark.parametrize("gate", ["and", "xor"])
def test_what_a_learner_proved_can_be_saved_and_checked(gate, tmp_path):
    X, y = datasets.logic_gate(gate)
    found = Perceptron().fit(X, y).certificate_
    assert check(found, X, y)
    with pytest.raises(ValueError, match="X and y"):
        found.save(tmp_path / "proof.json")
    found.save(tmp_path / "proof.json", X, y)
    again = Certificate.load(tmp_path / "proof.json")
    assert (again.verdict, set(again.witness)) == (found.verdict, set(found.witness))
    assert again.margin == pytest.approx(found.margin)
    assert check(again, X, y)
    assert not check(found, X[:3], y[:3])


def test_what_a_learner_proved_of_weighted_rows_and_several_classes():
    X, y = datasets.planted_margin(500, 5, 0.05, random_state=3)
    weights = np.random.default_rng(13).uniform(0.5, 2, 500)
    found = Perceptron().fit(X, y, sample_weight=weights).certificate_
    assert check(found, X, y)
    assert not check(found, X, -y)
    X, y = np.array([[0, 1], [1, 0], [5, 5], [0, 2]]), np.array(["a", "b", "c", "a"])
    certificates = Perceptron().fit(X, y).certificate_
    proved = {label: found for label, found in zip("abc", certificates, strict=True) if found}
    assert all(check(found, X, y, positive=label) for label, found in proved.items())
    assert proved
    found = check(certificates, X, y)
    assert found.accepted == (len(proved) == 3)
    assert ("incomplete" in found.sentence) == (len(proved) < 3)


def test_what_a_run_with_a_kernel_proved():
    """Updates are a plane in the feature space of (x·z + 1)²; one of each row sums to zero in that of x·z."""
    X, y = datasets.logic_gate("xor")
    best = certify(X, y, kernel="poly", gamma=1).proof["margin"]["combination"]
    counts = np.array([float(int(best[str(i)], 0)) for i in range(4)])
    space = RunRecord(("1", "0"), True, np.empty(0), {}, counts, np.ones(1), ("poly", 1.0, 2, 1.0))
    kernel = {"name": "poly", "gamma": "1", "degree": 2, "coef0": "1"}
    found = Certificate("separable", record=space, kernel=kernel).proved(X, y)
    assert found.verdict == "separable"
    assert check(found, X, y, kernel="poly")
    more = Certificate("separable", record=space, kernel=kernel, margin=(1.0, 2.0))
    assert "margin" in check(more, X, y, kernel="poly").sentence
    assert not check(more, X, y, kernel="poly")
    witness = dict.fromkeys(range(4), 1.0)
    plain = RunRecord(("1", "0"), True, np.empty(0), witness, np.ones(4), np.ones(1), ("linear", 1.0, 1, 0.0))
    found = Certificate("inseparable", record=plain).proved(X, y)
    assert (found.verdict, len(found.witness)) == ("inseparable", 4)
    assert check(found, X, y)


def test_a_run_proves_nothing_of_other_rows():
    X, y = datasets.logic_gate("xor")
    found = Perceptron().fit(X, y).certificate_
    with pytest.raises(ValueError, match="do not sum to zero"):
        found.proved(X + np.array([[0, 0], [0, 0], [0, 0], [0, 3]]), y)
    with pytest.raises(ValueError, match="The run was on 4 rows"):
        found.proved(X[:3], y[:3])
    with pytest.raises(ValueError, match="neither class"):
        found.proved(X, [*y[:3], "another"])


@pytest.mark.parametrize("options", [{"kernel": "poly", "gamma": 1.0}, {"kernel": "rbf"}, {"kernel": "linear"}])
def test_what_the_kernel_perceptron_proved(options, tmp_path):
    X, y = datasets.logic_gate("xor")
    found = KernelPerceptron(order="cyclic", **options).fit(X, y).certificate_
    assert found.verdict == ("inseparable" if options["kernel"] == "linear" else "separable")
    asked = {"fit_intercept": False, "kernel": options["kernel"]}
    assert check(found, X, y, **asked)
    found.save(tmp_path / "proof.json", X, y)
    assert check(Certificate.load(tmp_path / "proof.json"), X, y, **asked)
