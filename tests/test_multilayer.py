"""The multi-layer perceptron: what one neuron cannot do, and scikit-learn's contract."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from novikoff import MultilayerPerceptron, Perceptron, datasets


@pytest.mark.parametrize("activation", ["tanh", "logistic", "relu"])
def test_c20_composed_neurons_solve_xor(activation):
    X, y = datasets.logic_gate("xor")
    model = MultilayerPerceptron((8,), activation, solver="lbfgs").fit(X, y)
    assert (model.status_, model.score(X, y)) == ("separated", 1.0)
    assert Perceptron().fit(X, y).status_ == "inseparable"


def test_c20_two_spirals():
    X, y = datasets.spirals(400, random_state=0)
    X = StandardScaler().fit_transform(X)
    model = MultilayerPerceptron((40, 40), "tanh", solver="lbfgs", max_iter=2000).fit(X, y)
    assert (model.status_, model.score(X, y)) == ("separated", 1.0)
    # Points between those trained on lie on the same arms.
    Z, t = datasets.spirals(1000, random_state=1)
    assert model.score((Z - Z.mean(axis=0)) / Z.std(axis=0), t) > 0.9


def test_it_is_the_network_of_scikit_learn():
    X, y = datasets.circles(100, noise=0.1, random_state=0)
    with pytest.warns(ConvergenceWarning):
        model = MultilayerPerceptron((5,), max_iter=20).fit(X, np.array(["in", "out"])[y])
    with pytest.warns(ConvergenceWarning):
        other = MLPClassifier((5,), max_iter=20, random_state=0).fit(X, y)
    assert np.array_equal(model.predict_proba(X), other.predict_proba(X))
    assert model.predict(X).tolist() == np.array(["in", "out"])[other.predict(X)].tolist()
    assert model.n_iter_ == other.n_iter_ == 20
    assert not hasattr(model, "margin_")
    assert not hasattr(model, "mistake_bound_")


def test_parts_go_on_and_sparse_rows_are_taken():
    X, y = datasets.circles(200, random_state=0)
    model = MultilayerPerceptron((20,), learning_rate_init=0.05)
    for _ in range(100):
        model.partial_fit(sp.csr_array(X), y, classes=[0, 1])
    assert model.status_ == "separated"
    assert model.n_iter_ == 100


def test_warm_start_goes_on():
    X, y = datasets.circles(100, random_state=0)
    with pytest.warns(ConvergenceWarning):
        model = MultilayerPerceptron((5,), warm_start=True, max_iter=5).fit(X, y)
    loss = model.network_.loss_
    with pytest.warns(ConvergenceWarning):
        assert model.fit(X, y).network_.loss_ < loss


def test_bad_input_gets_a_sentence():
    X, y = datasets.logic_gate("xor")
    with pytest.raises(ValueError, match="The 'hidden' parameter of MultilayerPerceptron must be"):
        MultilayerPerceptron(hidden=0).fit(X, y)
    with pytest.raises(ValueError, match="NaN at row 0, column 0"):
        MultilayerPerceptron().fit([[np.nan], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="partial_fit needs solver='adam' or 'sgd'"):
        MultilayerPerceptron(solver="lbfgs").partial_fit(X, y, classes=[0, 1])
    with pytest.raises(ValueError, match="first call of partial_fit needs classes="):
        MultilayerPerceptron().partial_fit(X, y)


@parametrize_with_checks([MultilayerPerceptron()])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_scikit_learn_contract(estimator, check):
    check(estimator)
