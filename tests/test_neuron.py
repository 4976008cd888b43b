"""C01–C03 and C07: neuron, activations and gates."""

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from novikoff import Perceptron, bounds, datasets
from novikoff.neuron import Neuron, gate, logistic, sign, step, tanh, train

finite = st.floats(-1000, 1000)


@given(arrays(float, 3, elements=finite), arrays(float, (4, 3), elements=finite), finite)
def test_c01_neuron_is_activation_of_weighted_sum(w, X, b):
    neuron = Neuron(w, b, tanh)
    expected = [np.tanh(sum(a * c for a, c in zip(w, x, strict=True)) + b) for x in X]
    assert neuron(X) == pytest.approx(expected)
    assert neuron(X[0]) == pytest.approx(expected[0])
    assert np.ndim(neuron(X[0])) == 0


@given(finite)
def test_c02_identities_of_the_activations(x):
    assert step(x) == (1 if x >= 0 else 0)
    assert sign(x) == 2 * step(x) - 1
    assert tanh(x) == pytest.approx(2 * logistic(2 * x) - 1, abs=1e-12)
    if abs(x) < 700:
        assert logistic(x) == pytest.approx(1 / (1 + np.exp(-x)))


def test_c02_activations_at_zero_and_far_out():
    assert (step(0), sign(0), logistic(0), tanh(0)) == (1, 1, 0.5, 0)
    assert logistic([-1000.0, 1000.0]).tolist() == [0, 1]
    assert tanh([-1000.0, 1000.0]).tolist() == [-1, 1]


@given(arrays(float, 3, elements=finite), arrays(float, 3, elements=finite), finite)
def test_c03_bias_and_threshold_fold_into_the_weights(w, x, b):
    neuron = Neuron(w, b, np.asarray)
    assert Neuron([*w, b], 0.0, np.asarray)([*x, 1.0]) == pytest.approx(neuron(x))
    assert Neuron([*w, b], 0.0, np.asarray)([*x, -1.0]) == pytest.approx(Neuron.with_threshold(w, b, np.asarray)(x))


@pytest.mark.parametrize("name", ["and", "or", "not", "nand", "nor"])
def test_c07_gates_in_closed_form(name):
    X, y = datasets.logic_gate(name)
    assert gate(name)(X).tolist() == (2 * y - 1).tolist()
    assert gate(name, step)(X).tolist() == y.tolist()


def test_c07_no_neuron_is_xor():
    with pytest.raises(ValueError, match="no plane separates it"):
        gate("xor")
    with pytest.raises(ValueError, match="not known; choose one of and, or"):
        gate("maybe")


@pytest.mark.parametrize("name", ["and", "or", "not", "nand", "nor"])
@pytest.mark.parametrize("order", ["cyclic", "shuffled", "active"])
def test_c07_gates_are_learnt_without_error(name, order):
    X, y = datasets.logic_gate(name)
    for labels in (y, 2 * y - 1):
        model = Perceptron(order=order).fit(X, labels)
        assert (model.status_, model.score(X, labels)) == ("separated", 1)


@pytest.mark.parametrize("name", ["and", "or", "not", "nand", "nor"])
def test_c07_step_rule_with_labels_0_and_1_learns_the_gates(name):
    X, y = datasets.logic_gate(name)
    rows = [[*x, 1] for x in X.tolist()]
    w = reference.step_perceptron(rows, y.tolist(), passes=20)
    assert [step(reference.dot(w, x)) for x in rows] == y.tolist()


@pytest.mark.parametrize("name", ["and", "or", "nand", "nor", "not"])
def test_the_rule_for_labels_0_and_1(name):
    """w ← w + η·(y − ŷ)·x, from its definition, update by update."""
    X, y = datasets.logic_gate(name)
    w, updated = [0] * (X.shape[1] + 1), []
    for _ in range(50):
        for i, x in enumerate(X.tolist()):
            error = y[i] - (sum(a * b for a, b in zip(w, [*x, 1], strict=True)) >= 0)
            if error:
                w = [a + error * b for a, b in zip(w, [*x, 1], strict=True)]
                updated.append(i)
    trained = train(X, y)
    assert trained.right
    assert [*trained.neuron.weights, trained.neuron.bias] == w
    assert list(trained.rows) == updated


@pytest.mark.parametrize("name", ["and", "or", "not", "nand", "nor"])
def test_the_rule_for_labels_0_and_1_may_end_with_a_row_on_the_plane(name):
    """Which is why it is no parameter of the Perceptron: there "separated" means a margin above 0."""
    X, y = datasets.logic_gate(name)
    neuron = train(X, y, activation=step).neuron
    assert bounds.margin([*neuron.weights, neuron.bias], X, y) == 0
    model = Perceptron().fit(X, y)
    assert model.status_ == "separated"
    assert model.margin_ > 0


def test_training_a_neuron_gives_up_and_refuses():
    X, y = datasets.logic_gate("xor")
    trained = train(X, y, max_iter=7)
    assert not trained.right
    assert train(X[:, :1], 2 * X[:, 0] - 1, sign).right
    with pytest.raises(ValueError, match="which are 0 and 1"):
        train(X, 2 * y - 1)
