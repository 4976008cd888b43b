"""Columns that are numbered by how often they occur while a run goes on: nothing that is learnt tells of it."""

import os
from dataclasses import asdict
from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff import AROWClassifier, AveragedPerceptron, MarginPerceptron, PassiveAggressiveClassifier, Perceptron
from novikoff.learners import base
from novikoff.training import numbering, problems

KINDS = [(AveragedPerceptron, "ovr"), (AROWClassifier, "joint")]
if "NOVIKOFF_LONG" in os.environ:  # each is compiled for this alone
    learners = AveragedPerceptron, AROWClassifier, Perceptron, MarginPerceptron, PassiveAggressiveClassifier
    KINDS = list(product(learners, ("ovr", "joint")))


def words(classes: int, rows: int = 60, features: int = 40) -> tuple[sp.csr_matrix, np.ndarray]:
    """Rows with few of many columns, the last ones most often."""
    rng = np.random.default_rng(classes)
    X = sp.random(rows, features, 0.2, "csr", random_state=rng, data_rvs=lambda k: rng.standard_normal(k))
    X = sp.csr_matrix(X[:, np.sort(rng.integers(0, features, features) ** 2 // features)])
    X.indices = X.indices.astype(np.int32)
    return X, np.arange(rows) % classes


def learnt(model, X, y, monkeypatch, numbered):
    """A model after a fit that is continued, and how many groups of problems were numbered."""
    renumbered, made = numbering.renumber, []

    def watched(*arguments):
        made.append(arguments)
        renumbered(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(problems, "WIDE", 10 if numbered else 10**9)
        patch.setattr(numbering, "pays", lambda groups, plan: unpacked(groups))
        patch.setattr(numbering, "renumber", watched)
        model.set_params(warm_start=True, max_iter=4, tol=None).fit(X, y)
        return model.fit(X, y), len(made)


def unpacked(groups):
    """Columns in 32 bits, as those of more than 2**16 are."""
    for group in groups:
        group.rows = group.rows._replace(columns=group.rows.columns.astype(np.uint32))
    return True


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(("learner", "multi_class"), KINDS)
def test_the_weights_are_the_same_to_the_last_bit(learner, classes, multi_class, monkeypatch):
    X, y = words(classes)
    one, made = learnt(learner(multi_class=multi_class), X, y, monkeypatch, True)
    other, none = learnt(learner(multi_class=multi_class), X, y, monkeypatch, False)
    assert made == 4  # there and back, in both fits
    assert none == 0
    assert np.array_equal(one.coef_, other.coef_)
    assert np.array_equal(one.intercept_, other.intercept_)
    assert np.array_equal(one.margin_, other.margin_)
    for name, kept in asdict(one._resume).items():
        assert np.array_equal(kept, asdict(other._resume)[name]), name


def test_frequent_columns_come_first_and_the_bias_last():
    assert numbering.frequent_first(np.array([3, 1, 1, 3, 3, 0], np.uint32), 5).tolist() == [3, 1, 0, 2, 4, 5]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_it_is_done_for_many_columns_in_many_passes_only(monkeypatch):
    X, y = words(2)
    wide = sp.csr_matrix((X.data, X.indices, X.indptr), shape=(X.shape[0], 2**16 + 1))
    made = []
    monkeypatch.setattr(numbering, "renumber", lambda *arguments: made.append(arguments))
    Perceptron(max_iter=1).fit(wide, y)
    Perceptron(max_iter=2).fit(X, y)
    assert not made
    Perceptron(max_iter=2).fit(wide, y)
    assert len(made) == 2


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_look_after_the_run_is_at_the_columns_as_they_were_given(monkeypatch):
    """What a group keeps of its weights, to score with, has the numbers of the columns, too."""
    X, y = words(3)
    seen, train = [], base.train_numbered
    monkeypatch.setattr(base, "train_numbered", lambda groups, *rest: [seen.append(groups), train(groups, *rest)][1])
    model = learnt(AROWClassifier(multi_class="ovr"), X, y, monkeypatch, True)[0]
    (group,) = seen[-1]
    errors = group.look(np.arange(len(y), dtype=np.uint32), [0, 1, 2])[:, 0]
    scores = X @ group.W[:, :-1].T + group.W[:, -1]
    assert len(seen) == 2
    assert errors.tolist() == (np.where(y[:, None] == np.arange(3), scores, -scores) <= 0).sum(axis=0).tolist()
    assert model.coef_.any()
