"""Rows one by one: river's own checks, the rules written out, and learn_many as the loop."""

import os

import numpy as np
import pandas as pd
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from strategies import grids

from novikoff import AROWClassifier, AveragedPerceptron, Perceptron
from novikoff.errors import InputError
from novikoff.online import LEARNERS, OnlineAROW, OnlineAveragedPerceptron, OnlinePassiveAggressive, OnlinePerceptron

STEPS = ["full", "capped", "damped"]


@pytest.mark.parametrize("learner", LEARNERS)
def test_rivers_own_checks(learner):
    checks = pytest.importorskip("river.checks")
    names = []
    for check in checks.yield_checks(learner()):
        names.append(getattr(check, "__name__", str(check)))
        check(learner())
    assert "check_learn_one" in names


def rows_and_signs(X, y):
    return [[*x, 1] for x in X.tolist()], np.where(y == y[0], 1, -1).tolist()


def dicts(X):
    return [{f"x{j}": v for j, v in enumerate(row)} for row in X.tolist()]


@given(grids(), st.booleans(), st.sampled_from(STEPS))
def test_the_rules_written_out(data, average, step):
    X, y = data
    rows, signs = rows_and_signs(X, y)
    rules = {
        OnlinePerceptron: (OnlinePerceptron(), reference.plain),
        OnlineAveragedPerceptron: (OnlineAveragedPerceptron(), reference.plain),
        OnlinePassiveAggressive: (
            OnlinePassiveAggressive(C=0.5, step=step, average=average),
            reference.aggressive(step, 0.5),
        ),
    }
    for model, rule in rules.values():
        for x, label in zip(dicts(X), y.tolist(), strict=True):
            model.learn_one(x, label)
        seen = []
        w, updates, _ = reference.family(rows, signs, [range(len(y))], rule, lambda v, i, kept=seen: kept.append(v))
        expected = np.mean(seen, axis=0) if model.average else np.array(w, dtype=float)
        scores = [model.scores(x)[y[0]] for x in dicts(X)]
        np.testing.assert_allclose(scores, np.array(rows) @ expected, rtol=1e-9, atol=1e-9)
        assert model.n_updates == len(updates)


@given(grids(classes=3))
def test_several_classes_are_the_joint_problem(data):
    X, y = data
    model, other = OnlinePerceptron(classes=[0, 1, 2]), Perceptron(multi_class="joint", order="cyclic")
    for x, row, label in zip(dicts(X), X, y, strict=True):
        model.learn_one(x, label)
        other.partial_fit(row[None], [label], classes=[0, 1, 2])
    scores = np.array([[model.scores(x)[c] for c in range(3)] for x in dicts(X)])
    assert np.array_equal(scores, other.decision_function(X))


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("classes", [[0, 1], [0, 1, 2]], ids=str)
def test_arow_is_that_of_the_library(classes, bias):
    random = np.random.default_rng(0)
    X, y = random.normal(size=(40, 3)), random.integers(0, len(classes), 40)
    model = OnlineAROW(r=0.5, classes=classes, fit_intercept=bias)
    other = AROWClassifier(r=0.5, order="cyclic", fit_intercept=bias)
    for x, row, label in zip(dicts(X), X, y.tolist(), strict=True):
        model.learn_one(x, label)
        other.partial_fit(row[None], [label], classes=classes)
    scores = np.array([[model.scores(x)[c] for c in classes] for x in dicts(X)])
    expected = other.decision_function(X)
    np.testing.assert_allclose(scores[:, 1] if len(classes) == 2 else scores, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_prediction_before_changes_nothing(learner):
    random = np.random.default_rng(0)
    rows = [dict(zip("abcd", row, strict=True)) for row in random.normal(size=(60, 4)).tolist()]
    labels = [int(abs(x["a"]) + x["b"] > 1) + (x["c"] > 1) for x in rows]
    alone, predicting = learner(), learner()
    for x, y in zip(rows, labels, strict=True):
        alone.learn_one(x, y)
        given = dict(x, a=7.0)
        predicting.predict_one(given)
        predicting.scores(rows[0])
        predicting.predict_one(given)
        given["a"] = x["a"]  # another row than the one predicted, in the same dict
        predicting.learn_one(given, y)
        predicting.predict_one(x)
    assert predicting.planes == alone.planes
    assert predicting.sums == alone.sums


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("hash_bits", [None, 8])
def test_many_rows_are_the_loop(learner, hash_bits):
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(90, 4)), columns=list("abcd"))
    y = pd.Series(np.array(["p", "q", "r"])[np.abs(X.to_numpy()[:, :3]).argmax(axis=1)])
    one, many = learner(hash_bits=hash_bits), learner(hash_bits=hash_bits)
    for x, label in zip(X.to_dict("records"), y, strict=True):
        one.learn_one(x, label)
    for part in np.array_split(np.arange(90), 7):
        many.learn_many(X.iloc[part], y.iloc[part])
    assert one.planes == many.planes
    assert one.sums == many.sums
    assert many.predict_many(X).tolist() == [one.predict_one(x) for x in X.to_dict("records")]
    assert many.predict_proba_many(X).sum(axis=1).round(12).eq(1).all()
    assert hash_bits is None or all(len(plane.weights) <= 2**hash_bits for plane in many.planes)


def test_bad_input_gets_a_sentence():
    with pytest.raises(InputError, match="'c' is not among classes"):
        OnlinePerceptron(classes=["a", "b"]).learn_one({"x": 1}, "c")
    with pytest.raises(InputError, match="r must be a positive number"):
        OnlineAROW(r=0)
    with pytest.raises(InputError, match="step must be"):
        OnlinePassiveAggressive(step="long")


def failing_checks(model, asked=None):
    """The names of river's checks that fail, of those asked for."""
    from river import checks

    names = set()
    for check in checks.yield_checks(model):
        name = getattr(check, "__name__", None) or check.func.__name__
        if asked is not None and name not in asked:
            continue
        try:
            check(model.clone())
        except Exception:
            names.add(name)
    return names


@pytest.mark.filterwarnings("ignore")
def test_rivers_wrapper_takes_calibrated_learners():
    """Probabilities behind river's wrapper; its columns are the features of the first row: none may come or go."""
    compat = pytest.importorskip("river.compat")
    from river import datasets

    def wrap():
        return compat.convert_sklearn_to_river(AveragedPerceptron(calibrated=True), classes=[False, True])

    wrapped = wrap()
    right, last = 0, {}
    for x, y in datasets.Phishing().take(150):
        right += wrapped.predict_one(x) == y
        last = wrapped.predict_proba_one(x)
        wrapped.learn_one(x, y)
    assert right > 90
    assert abs(sum(last.values()) - 1) < 1e-9
    assert last.keys() == {False, True}
    came_and_went = {"check_emerging_features", "check_disappearing_features", "check_radically_disappearing_features"}
    asked = None if "NOVIKOFF_LONG" in os.environ else {*came_and_went, "check_predict_proba_one", "check_pickling"}
    assert failing_checks(wrap(), asked) == came_and_went  # as river's clones of one that has learnt have learnt
