"""Bad input gets one clear sentence and changes nothing; and scikit-learn's contract."""

import datetime
import os
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.utils.estimator_checks import parametrize_with_checks

from novikoff import (
    AveragedPerceptron,
    MarginPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    PocketPerceptron,
    SlackEmbedding,
    VotedPerceptron,
    XorFeatures,
    inputs,
)

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]])
Y = np.array([0, 1, 1])


def changed(i, j, value):
    other = X.copy()
    other[i, j] = value
    return other


def broken():
    """A CSR matrix with an index outside of it."""
    other = sp.csr_matrix(X)
    other.indices[0] = -50
    return other


BAD = {
    "nan": (changed(1, 0, np.nan), Y, r"NaN at row 1, column 0 \(1 value in all not finite\)"),
    "infinity": (changed(2, 1, -np.inf), Y, r"infinity at row 2, column 1"),
    "nan in float32": (changed(1, 0, np.nan).astype(np.float32), Y, r"NaN at row 1, column 0"),
    "nan in sparse": (sp.csr_matrix(changed(2, 1, np.nan)), Y, r"NaN at row 2, column 1"),
    "nan in a frame": (pd.DataFrame(changed(1, 1, np.nan), columns=["a", "b"]), Y, r"NaN at row 1, column 'b'"),
    "too large": (changed(0, 0, 1e300), Y, r"1e\+300 at row 0, column 0 makes scores overflow"),
    "one class": (X, [1, 1, 1], r"at least two classes .* of one class only: \[1\]"),
    "empty": (X[:0], Y[:0], "0 sample"),
    "no columns": (X[:, :0], Y, r"0 feature\(s\)"),
    "lengths": (X, Y[:2], r"inconsistent numbers of samples: \[3, 2\]"),
    "no y": (X, None, "requires y to be passed"),
    "real y": (X, [0.1, 0.2, 0.35], "Unknown label type"),
    "nan in y": (X, [0.0, np.nan, 1.0], "y contains NaN"),
    "text": (
        pd.DataFrame({"a": [1, 2, 3], "city": ["Paris", "Rome", "Oslo"]}),
        Y,
        r"Column 'city' of X holds text \('Paris' at row 0\): encode it",
    ),
    "text array": (np.array([["1", "x"], ["2", "3"], ["4", "5"]]), Y, r"Column 1 of X holds text \('x' at row 0\)"),
    "dates": (
        pd.DataFrame({"a": [1, 2, 3], "day": pd.date_range("2020-01-01", periods=3)}),
        Y,
        "Column 'day' of X holds dates or times",
    ),
    "dates in polars": (pl.DataFrame({"a": [1, 2, 3], "day": [datetime.date(2020, 1, 1)] * 3}), Y, "Column 'day' of X"),
    "durations": (X.astype("m8[s]"), Y, "X must hold numbers"),
    "text in polars": (pl.DataFrame({"a": [1, 2, 3], "city": ["q", "r", "s"]}), Y, "Column 'city' of X holds text"),
    "categories": (
        pd.DataFrame({"a": [1, 2, 3], "c": pd.Categorical(["q", "r", "q"])}),
        Y,
        "Column 'c' of X holds text",
    ),
    "mixed labels": (X, np.array([0, "a", 1], dtype=object), "mixes labels of the types int, str"),
    "broken sparse": (broken(), Y, "The sparse matrix X is broken"),
    "complex": (X * 1j, Y, "Complex data not supported"),
    "one dimension": (X[:, 0], Y, "Expected 2D array, got 1D array"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_a_sentence_and_changes_nothing(name):
    data, labels, sentence = BAD[name]
    with pytest.raises(ValueError, match=sentence):
        Perceptron().fit(data, labels)
    model = Perceptron().fit(np.eye(4, 3), [0, 1, 0, 1])
    before = {key: str(value) for key, value in vars(model).items()}
    with pytest.raises(ValueError, match=sentence):
        model.fit(data, labels)
    assert {key: str(value) for key, value in vars(model).items()} == before
    assert model.predict(np.eye(4, 3)).shape == (4,)


@pytest.mark.parametrize(
    "weight", [[1, 1], [1, -1, 1], [1, np.nan, 1], [0, 0, 0], [1, 0, 0], [1, 1, 1e-163], [1, 1, 1e155]]
)
def test_bad_weights(weight):
    with pytest.raises(ValueError, match=r"sample_weight|one class|[Nn]egative|Sample weights"):
        Perceptron().fit(X, Y, sample_weight=weight)


def test_values_too_small_to_square():
    with pytest.raises(ValueError, match=r"so small .* underflow: rescale"):
        Perceptron(fit_intercept=False).fit(X * 1e-200, Y)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        (
            {"max_iter": 0},
            r"The 'max_iter' parameter of Perceptron must be an int in the range \[1, inf\). Got 0 instead.",
        ),
        ({"eta0": 0.0}, "The 'eta0' parameter of Perceptron must be a float in the range"),
        ({"order": "random"}, "The 'order' parameter of Perceptron must be a str among"),
        ({"tol": -1.0}, "The 'tol' parameter of Perceptron must be"),
        ({"multi_class": "ovo"}, "The 'multi_class' parameter of Perceptron must be a str among"),
        ({"class_weight": {0: -1.0}}, "class_weight must not be negative"),
    ],
)
def test_parameters_out_of_range(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        Perceptron(**parameters).fit(X, Y)


def test_predict_refuses_what_it_was_not_taught():
    model = Perceptron().fit(X, Y)
    with pytest.raises(ValueError, match="X has 3 features, but Perceptron is expecting 2 features as input"):
        model.predict(np.eye(3))
    with pytest.raises(ValueError, match="NaN at row 0, column 1"):
        model.predict([[1.0, np.nan]])
    with pytest.raises(ValueError, match="too large for float64"):
        model.predict([[1e308, 1e308]])


def test_partial_fit_refuses():
    with pytest.raises(ValueError, match="first call of partial_fit needs classes="):
        Perceptron().partial_fit(X, Y)
    with pytest.raises(ValueError, match="label 1 at row 1, which is not in classes"):
        Perceptron().partial_fit(X, Y, classes=[0, 2])
    with pytest.raises(ValueError, match="class_weight='balanced' is not supported by partial_fit"):
        Perceptron(class_weight="balanced").partial_fit(X, Y, classes=[0, 1])
    model = Perceptron().partial_fit(X, Y, classes=[0, 1])
    with pytest.raises(ValueError, match=r"classes \[0, 1, 2\] differ from \[0, 1\]"):
        model.partial_fit(X, Y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="X has 3 features"):
        model.partial_fit(np.eye(3), Y)


def refused(call, *arguments):
    """What a call says when it fails, or warns of."""
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        try:
            call(*arguments)
        except ValueError as error:
            return str(error)
    return " ".join(str(note.message) for note in noted)


def test_plain_arrays_are_taken_without_long_checks_and_refused_in_the_same_words(monkeypatch):
    """What is known of an array of floats by its type and shape is not asked again by scikit-learn."""
    row, y = X[:1], Y[:1]
    model = Perceptron().partial_fit(X, Y, classes=[0, 1])
    named = Perceptron().fit(pd.DataFrame(X, columns=["a", "b"]), Y)
    asked = []
    for name in ("check_array", "validate_data"):
        function = getattr(inputs, name)
        monkeypatch.setattr(inputs, name, lambda *a, f=function, **k: asked.append(f) or f(*a, **k))
    model.partial_fit(row, y).predict(row)
    assert asked == []
    wide, nan = np.ones((1, 3)), np.array([[1.0, np.nan]])
    for same in (lambda bad: model.predict(bad), lambda bad: model.partial_fit(bad, y)):
        assert "X has 3 features, but Perceptron is expecting 2 features" in refused(same, wide)
        assert "NaN at row 0, column 1" in refused(same, nan) == refused(same, nan.tolist())
        assert "0 sample" in refused(same, row[:0])
        assert refused(same, row) == ""
    assert "label 7 at row 0, which is not in classes" in refused(model.partial_fit, row, np.array([7]))
    assert "inconsistent numbers of samples" in refused(model.partial_fit, row, Y)
    assert "does not have valid feature names" in refused(named.predict, row)
    assert asked


def test_partial_fit_takes_a_part_without_some_classes():
    model = Perceptron().partial_fit(X[1:], Y[1:], classes=[0, 1, 2])
    assert model.coef_.shape == (3, 2)


REPETITION = (
    "a row of weight 2 takes one step of double length where a row given twice is updated once, if the first "
    "update is enough; and leaving a row out changes how the others are permuted"
)

LAST_ROWS = (
    "on classes that overlap the last plane depends on the rows visited last, in cyclic order always the same ones; "
    "the check asks for a share of predictions that the rule does not promise"
)

FEWEST_ERRORS = (
    "the plane of least weighted errors has every heavy row on its right side, and as many of the light ones as that "
    "allows; the check asks that nearly all are taken for the heavy class"
)

NEW_ROWS = "rows that the embedding was fitted on have a feature of their own, and rows given to transform have none"


def exceptions(estimator):
    """The checks that a learner cannot pass, with the mathematical reason."""
    if isinstance(estimator, XorFeatures):
        return {}
    if isinstance(estimator, SlackEmbedding):
        return dict.fromkeys(["check_transformer_general", "check_transformer_data_not_an_array"], NEW_ROWS)
    return {
        "check_sample_weight_equivalence_on_dense_data": REPETITION,
        "check_sample_weight_equivalence_on_sparse_data": REPETITION,
        **({"check_class_weight_classifiers": LAST_ROWS} if estimator.order == "cyclic" else {}),
        **({"check_class_weight_classifiers": FEWEST_ERRORS} if isinstance(estimator, PocketPerceptron) else {}),
    }


CHECKED = [
    Perceptron(),
    Perceptron(order="cyclic"),
    Perceptron(order="active"),
    Perceptron(multi_class="joint"),
    AveragedPerceptron(),
    MarginPerceptron(),
    PassiveAggressiveClassifier(),
    PocketPerceptron(max_iter=50),
    VotedPerceptron(),
    XorFeatures(),
    SlackEmbedding(),
]
if "NOVIKOFF_LONG" in os.environ:
    CHECKED += [
        MarginPerceptron(margin=0.1, average=True),
        PassiveAggressiveClassifier(multi_class="joint", average=False),
    ]


@parametrize_with_checks(CHECKED, expected_failed_checks=exceptions)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_weights_that_are_not_finite_are_named_where_no_value_is():
    model = Perceptron().fit(np.array([[0.0], [1.0]]), [0, 1])
    model.intercept_ = np.array([np.nan])
    with pytest.raises(ValueError, match="weights of the model are not finite"):
        model.predict(sp.csr_array((2, 1)))
