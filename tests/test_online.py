"""Rows one by one: river's own checks, the rules written out, and learn_many as the loop."""

import numpy as np
import pandas as pd
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from strategies import grids

from novikoff import Perceptron
from novikoff.errors import InputError
from novikoff.online import LEARNERS, OnlineAveragedPerceptron, OnlinePassiveAggressive, OnlinePerceptron

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
    assert hash_bits is None or all(len(plane) <= 2**hash_bits + 1 for plane in many.planes)


def test_bad_input_gets_a_sentence():
    with pytest.raises(InputError, match="'c' is not among classes"):
        OnlinePerceptron(classes=["a", "b"]).learn_one({"x": 1}, "c")
    with pytest.raises(InputError, match="step must be"):
        OnlinePassiveAggressive(step="long")
