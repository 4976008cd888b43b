"""Parameters that change before a continued fit are honoured or refused; and other promises of the interface."""

import numpy as np
import pandas as pd
import pytest
import reference
from sklearn.neural_network import MLPClassifier

import novikoff
from novikoff import (
    AveragedPerceptron,
    KernelPerceptron,
    MarginPerceptron,
    MultilayerPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    SlackEmbedding,
    XorFeatures,
    datasets,
)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def integers(classes=2, n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, (n, 3)).astype(float)
    y = rng.integers(0, classes, n)
    return X, y


def test_a_mean_that_is_asked_for_later_begins_there():
    X, y = integers()
    rule = reference.aggressive("capped", 1.0)
    model = PassiveAggressiveClassifier(average=False, order="cyclic", max_iter=2).fit(X, y)
    start = [*model.coef_[0], *model.intercept_]
    model.set_params(average=True).partial_fit(X, y)
    seen = []
    rows = [[*x, 1] for x in X.tolist()]
    reference.family(rows, (2 * y - 1).tolist(), [range(len(y))], rule, lambda w, i: seen.append(w), start=start)
    np.testing.assert_allclose([*model.coef_[0], *model.intercept_], np.mean(seen, axis=0), rtol=1e-9)
    model.set_params(average=False).partial_fit(X, y)
    last, _, _ = reference.family(rows, (2 * y - 1).tolist(), [range(len(y))], rule, start=seen[-1])
    np.testing.assert_allclose([*model.coef_[0], *model.intercept_], last, rtol=1e-9)
    margin = MarginPerceptron(warm_start=True, max_iter=2, order="cyclic").fit(X, y)
    assert margin.set_params(average=True).fit(X, y).margin_ <= margin.margin_bound_


def test_a_step_that_changes_is_that_of_the_later_updates():
    X, y = integers()
    model = Perceptron(order="cyclic", max_iter=1, eta0=1.0).fit(X, y)
    start = [*model.coef_[0], *model.intercept_]
    model.set_params(eta0=0.5).partial_fit(X, y)
    rows = [[*x, 1] for x in X.tolist()]
    expected, _, _ = reference.perceptron(rows, (2 * y - 1).tolist(), [range(len(y))], 0.5, start)
    assert [*model.coef_[0], *model.intercept_] == expected


@pytest.mark.parametrize("learner", [Perceptron, AveragedPerceptron])
def test_classes_may_be_learnt_jointly_later_and_the_bias_dropped(learner):
    X, y = integers(3)
    model = learner(order="cyclic", max_iter=2, multi_class="ovr", warm_start=True).fit(X, y)
    for way in ("joint", "ovr"):
        model.set_params(multi_class=way).fit(X, y)
        assert model.coef_.shape == (3, 3)
    model.set_params(fit_intercept=False).fit(X, y)
    assert not model.intercept_.any()
    assert np.all(model.margin_ <= model.margin_bound_)


def test_partial_fit_refuses_early_stopping():
    X, y = integers()
    with pytest.raises(ValueError, match="holds no rows out: set early_stopping=False"):
        Perceptron(early_stopping=True).partial_fit(X, y, classes=[0, 1])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"budget": 5}, {"budget": 50}),
        ({}, {"budget": 20}),
        ({"gamma": 0.1}, {"gamma": 3.0}),
        ({}, {"gamma": 0.1}),
        ({"kernel": "poly"}, {"degree": 3}),
        ({}, {"kernel": "laplacian"}),
    ],
)
def test_a_kernel_that_changes_is_refused(before, after):
    X, y = integers()
    model = KernelPerceptron(**before).partial_fit(X, y, classes=[0, 1]).partial_fit(X, y)
    coefficients = model.dual_coef_.copy()
    with pytest.raises(ValueError, match=f"{next(iter(after))} was .* and is .* now: .* fit again"):
        model.set_params(**after).partial_fit(X, y)
    assert np.array_equal(model.dual_coef_, coefficients)
    model.set_params(average=True).set_params(
        **{name: before.get(name, KernelPerceptron().get_params()[name]) for name in after}
    )
    model.partial_fit(X, y)


@pytest.mark.parametrize("options", [{}, {"budget": 10}, {"kernel": "poly", "average": True}], ids=str)
def test_zero_weight_is_a_row_removed_for_kernels(options):
    X, y = integers(n=50)
    weight = np.ones(50)
    weight[::5] = 0
    X[::5] *= 100
    one = KernelPerceptron(order="cyclic", max_iter=5, **options).fit(X, y, weight)
    two = KernelPerceptron(order="cyclic", max_iter=5, **options).fit(X[weight > 0], y[weight > 0])
    assert one.gamma_ == two.gamma_
    np.testing.assert_allclose(one.decision_function(X[1:5]), two.decision_function(X[1:5]), rtol=1e-9)


def test_a_network_takes_changed_parameters():
    X, y = datasets.circles(100, noise=0.1, random_state=0)
    model = MultilayerPerceptron((5,), warm_start=True, max_iter=1).fit(X, y)
    model.set_params(max_iter=3, alpha=7.0, learning_rate_init=0.5).fit(X, y)
    assert (model.network_.max_iter, model.network_.alpha, model.network_.learning_rate_init) == (3, 7.0, 0.5)
    model.set_params(learning_rate_init=1e-9)
    before = [coef.copy() for coef in model.network_.coefs_]
    model.partial_fit(X, y)
    assert all(np.abs(a - b).max() < 1e-8 for a, b in zip(before, model.network_.coefs_, strict=True))
    with pytest.raises(ValueError, match=r"hidden was \(5,\) when the network was made and is \(6,\) now"):
        model.set_params(hidden=(6,)).fit(X, y)


def test_a_network_weighs_rows_and_scores_them():
    X, y = datasets.circles(90, noise=0.1, random_state=0)
    weight = np.random.default_rng(0).integers(0, 3, 90).astype(float)
    model = MultilayerPerceptron((5,), max_iter=5).fit(X, y, sample_weight=weight)
    counted = weight > 0
    other = MLPClassifier((5,), max_iter=5, random_state=0).fit(X[counted], y[counted], sample_weight=weight[counted])
    np.testing.assert_array_equal(model.predict_proba(X), other.predict_proba(X))
    np.testing.assert_allclose(1 / (1 + np.exp(-model.decision_function(X))), model.predict_proba(X)[:, 1])
    several = MultilayerPerceptron((5,), "tanh", max_iter=5).fit(X, np.arange(90) % 3)
    scores = np.exp(several.decision_function(X))
    np.testing.assert_allclose(scores / scores.sum(axis=1, keepdims=True), several.predict_proba(X))
    several.partial_fit(X, np.arange(90) % 3, sample_weight=weight + 1)


def test_labels_and_categories_as_scikit_learn_takes_them():
    X, y = integers()
    labels = np.array(["a", "b"], dtype=object)[y]
    labels[0] = np.str_(labels[0])
    assert Perceptron(max_iter=2).fit(X, labels).classes_.tolist() == ["a", "b"]
    texts = pd.DataFrame({"a": pd.Categorical([str(int(v)) for v in X[:, 0]]), "b": X[:, 1]})
    plain = pd.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    one, two = Perceptron(max_iter=2).fit(texts, y), Perceptron(max_iter=2).fit(plain, y)
    assert np.array_equal(one.coef_, two.coef_)
    with pytest.raises(ValueError, match=r"Column a of X holds text \('x' at row 0\)|Column 'a' of X holds text"):
        Perceptron().fit(pd.DataFrame({"a": pd.Categorical(["x", "y"]), "b": [1, 2]}), [0, 1])


def test_names_of_features_are_checked():
    X, y = integers()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    for transformer in (XorFeatures(), SlackEmbedding()):
        transformer.fit(frame, y)
        assert transformer.get_feature_names_out()[:3].tolist() == ["a", "b", "c"]
        with pytest.raises(ValueError, match="input_features is not equal to feature_names_in_"):
            transformer.get_feature_names_out(["x", "y", "z"])
        with pytest.raises(ValueError, match="length equal to number of features"):
            transformer.fit(X, y).get_feature_names_out(["x"])


def test_dir_has_public_names_only():
    assert not {"Any", "HOMES", "MODULES", "TYPE_CHECKING", "import_module"} & set(dir(novikoff))
    assert set(novikoff.__all__) <= set(dir(novikoff))
