"""The gallery, and C06: the dating table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import Perceptron as Theirs
from sklearn.preprocessing import OneHotEncoder

from novikoff import Perceptron, datasets


@given(st.integers(2, 60), st.integers(1, 6), st.floats(1e-6, 1.0), st.floats(1.0, 100.0), st.integers(0, 100))
def test_planted_margin_is_really_there(n, d, margin, radius, seed):
    X, y = datasets.planted_margin(n, d, margin * radius, radius, random_state=seed)
    assert X.shape == (n, d)
    assert set(y) == {-1, 1}
    assert np.linalg.norm(X, axis=1).max() <= radius * (1 + 1e-8)
    model = Perceptron(fit_intercept=False, max_iter=10**6, tol=margin * 0.99).fit(X, y)
    assert model.status_ == "separated"  # never "thin": a plane of relative margin above tol exists
    assert model.margin_bound_ >= margin * radius * (1 - 1e-9)


def test_planted_margin_refuses_nonsense():
    with pytest.raises(ValueError, match="0 < margin ≤ radius"):
        datasets.planted_margin(10, 2, 2.0, radius=1.0)


@pytest.mark.parametrize("m", [1, 2, 7])
def test_exponential_rows(m):
    X, y = datasets.exponential(m)
    signed = y[:, None] * X
    for i in range(m):
        assert signed[i].tolist() == [-1] * i + [1] + [0] * (m - i - 1)


def test_gates():
    assert {name: datasets.logic_gate(name)[1].tolist() for name in ("and", "or", "xor", "nand", "nor", "not")} == {
        "and": [0, 0, 0, 1],
        "or": [0, 1, 1, 1],
        "xor": [0, 1, 1, 0],
        "nand": [1, 1, 1, 0],
        "nor": [1, 0, 0, 0],
        "not": [1, 0],
    }
    X, y = datasets.logic_gate("not", 2)
    assert y.tolist() == (1 - X[:, 0]).tolist() == [1, 1, 0, 0]
    with pytest.raises(ValueError, match="There is no gate 'maybe'"):
        datasets.logic_gate("maybe")
    with pytest.raises(ValueError, match=r"'and' has 2 input\(s\), not 1"):
        datasets.logic_gate("and", 1)


def test_circles_and_spirals():
    for X, y in (datasets.circles(100, random_state=0), datasets.spirals(100, random_state=0)):
        assert X.shape == (100, 2)
        assert np.bincount(y).tolist() == [50, 50]


def test_noise_moves_the_points_of_spirals_by_so_much_and_leaves_their_classes():
    X, y = datasets.spirals(1000, random_state=0)
    noisy, same = datasets.spirals(1000, noise=0.1, random_state=0)
    assert np.std(noisy - X) == pytest.approx(0.1, rel=0.1)
    np.testing.assert_array_equal(same, y)


def test_c06_the_dating_table():
    """scikit-learn's figure, 5/7, and ours; scikit-learn stops with 8 of 10 training rows right, ours with all."""
    table = datasets.dating()
    X, y, train, test = OneHotEncoder().fit_transform(table.data), table.target, table.train, table.test
    theirs = Theirs(eta0=0.5).fit(X[train], y[train])
    assert theirs.score(X[test], y[test]) == pytest.approx(5 / 7)
    assert theirs.score(X[train], y[train]) == pytest.approx(8 / 10)
    ours = Perceptron(eta0=0.5).fit(X[train], y[train])
    assert ours.score(X[test], y[test]) == pytest.approx(5 / 7)
    assert ours.score(X[train], y[train]) == 1
    assert ours.status_ == "separated"
    assert ours.certificate_.verdict == "separable"


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "active"])
def test_c06_the_whole_dating_table_is_not_separable(order):
    table = datasets.dating()
    X = OneHotEncoder().fit_transform(table.data)
    model = Perceptron(order=order).fit(X, table.target)
    assert model.status_ == "inseparable"
    rows = np.column_stack([X.toarray(), np.ones(17)])
    signs = np.where(table.target == model.classes_[1], 1, -1)
    total = sum(weight * signs[i] * rows[i] for i, weight in model.certificate_.witness.items())
    assert total.tolist() == [0] * rows.shape[1]
