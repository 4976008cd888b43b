"""Probabilities: absent unless asked for, calibrated on scores of rows held out, and what needs them works."""

import warnings

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris, make_classification
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.model_selection import cross_val_score, train_test_split

from novikoff import (
    AveragedPerceptron,
    MarginPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
    load,
    save,
)
from novikoff.errors import InputError
from novikoff.scale.stream import fit_stream

LEARNERS = [
    Perceptron,
    MarginPerceptron,
    PocketPerceptron,
    AveragedPerceptron,
    VotedPerceptron,
    PassiveAggressiveClassifier,
]
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def noisy(classes=2, n=600):
    X, y = make_classification(n, 8, n_informative=6, n_classes=classes, flip_y=0.2, random_state=0)
    return train_test_split(X, y, random_state=0)


@pytest.mark.parametrize("learner", LEARNERS)
def test_it_is_absent_unless_asked_for(learner):
    assert not hasattr(learner(), "predict_proba")
    assert hasattr(learner(calibrated=True), "predict_proba")
    with pytest.raises(AttributeError, match="has no attribute 'predict_proba'") as error:
        learner().predict_proba  # noqa: B018
    assert "say calibrated=True" in str(error.value.__cause__)


@pytest.mark.parametrize("method", [True, "sigmoid", "isotonic"])
@pytest.mark.parametrize("classes", [2, 3])
def test_it_is_scikit_learns_calibration_of_held_out_scores(classes, method):
    X, X_test, y, y_test = noisy(classes)
    model = AveragedPerceptron(calibrated=method).fit(X, y)
    plain = AveragedPerceptron().fit(X, y)
    assert np.array_equal(model.coef_, plain.coef_)
    P = model.predict_proba(X_test)
    assert P.shape == (len(X_test), classes)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    from sklearn.model_selection import StratifiedKFold

    name = "sigmoid" if method is True else method
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    theirs = CalibratedClassifierCV(AveragedPerceptron(), method=name, cv=folds, ensemble=False).fit(X, y)
    np.testing.assert_allclose(P, theirs.predict_proba(X_test), atol=1e-6)
    uniform = np.full((len(y_test), classes), 1 / classes)
    if name == "sigmoid":
        assert log_loss(y_test, P) < log_loss(y_test, uniform)


def test_soft_voting_log_loss_and_brier_work(tmp_path):
    X, X_test, y, y_test = noisy()
    soft = VotingClassifier(
        [("a", PassiveAggressiveClassifier(calibrated=True)), ("b", LogisticRegression())], voting="soft"
    )
    assert soft.fit(X, y).score(X_test, y_test) > 0.6
    losses = -cross_val_score(PassiveAggressiveClassifier(calibrated=True), X, y, scoring="neg_log_loss")
    assert losses.mean() < np.log(2)
    model = PassiveAggressiveClassifier(calibrated=True).fit(X, y, sample_weight=np.ones(len(y)))
    assert brier_score_loss(y_test, model.predict_proba(X_test)[:, 1]) < 0.25
    model.predict_proba(X)
    save(model, tmp_path / "model.nvk")
    assert np.array_equal(load(tmp_path / "model.nvk").predict_proba(X_test), model.predict_proba(X_test))


def test_parts_are_calibrated_on_what_came_before_they_were_trained_on():
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    model = AveragedPerceptron(calibrated=True)
    model.partial_fit(X[order[:1]], y[order[:1]], classes=[0, 1, 2])
    assert np.array_equal(model.predict_proba(X[:2]), np.full((2, 3), 1 / 3))
    for i in order[1:]:
        model.partial_fit(X[[i]], y[[i]])
    P = model.predict_proba(X)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    assert log_loss(y, P) < np.log(3)


def test_what_cannot_be_calibrated_is_said(tmp_path):
    X, _, y, _ = noisy()
    with pytest.raises(ValueError, match="at least two rows of every class"):
        Perceptron(calibrated=True).fit(X[:4], [0, 1, 1, 1])
    late = Perceptron().fit(X, y).set_params(calibrated=True)
    with pytest.raises(ValueError, match="fitted without calibrated"):
        late.predict_proba(X)
    (tmp_path / "rows.csv").write_text("a,y\n1,0\n2,1\n")
    with pytest.raises(InputError, match="calibrated needs scores of rows held out"):
        fit_stream(Perceptron(calibrated=True), tmp_path / "rows.csv", "y")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Perceptron(calibrated="isotonic").fit(X, y).predict_proba(X)
