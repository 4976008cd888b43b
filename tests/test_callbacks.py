"""scikit-learn's callbacks: told of every pass, scored after each, and obeyed when one ends a run."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV

from novikoff import (
    AROWClassifier,
    AveragedPerceptron,
    MarginPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)

callback = pytest.importorskip("sklearn.callback", reason="scikit-learn has callbacks from 1.9 on")
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
X, Y = make_classification(120, 5, n_informative=4, n_redundant=0, n_classes=3, flip_y=0.2, random_state=0)
LEARNERS = [
    Perceptron(max_iter=4),
    AveragedPerceptron(max_iter=4),
    MarginPerceptron(max_iter=4),
    PassiveAggressiveClassifier(max_iter=4, n_jobs=2, multi_class="ovr"),
    AROWClassifier(max_iter=4),
    PocketPerceptron(max_iter=4, refine=False),
]


class Noting:
    """Keeps the learners that could have been returned after every pass, and ends the run after so many."""

    def __init__(self, last=None):
        self.last, self.learners, self.events = last, [], []

    def setup(self, estimator, context):
        self.events.append("setup")

    def teardown(self, estimator, context):
        self.events.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.events.append(f"begin {context.task_name}")

    def on_fit_task_end(self, estimator, context, *, X, y, fitted_estimator):
        self.events.append(f"end {context.task_name}")
        if context.task_name == "pass":
            self.learners.append(fitted_estimator)
        return len(self.learners) == self.last


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
@pytest.mark.parametrize("classes", [2, 3])
def test_after_every_pass_there_is_the_learner_of_so_many_passes(learner, classes):
    y = np.minimum(Y, classes - 1)
    noting = Noting()
    plain = type(learner)(**learner.get_params()).fit(X, y)
    told = type(learner)(**learner.get_params()).set_callbacks(noting).fit(X, y)
    assert np.array_equal(told.coef_, plain.coef_)
    assert len(noting.learners) == told.n_iter_
    for passes, fitted in enumerate(noting.learners, 1):
        shorter = type(learner)(**{**learner.get_params(), "max_iter": passes}).fit(X, y)
        assert np.array_equal(fitted.predict(X), shorter.predict(X))
    assert noting.events[:2] == ["setup", "begin fit"]
    assert noting.events[-2:] == ["end fit", "teardown"]


def test_a_callback_ends_a_run():
    noting = Noting(last=2)
    told = AveragedPerceptron(max_iter=10).set_callbacks(noting).fit(X, Y)
    assert told.n_iter_ == 2
    assert np.array_equal(told.coef_, AveragedPerceptron(max_iter=2).fit(X, Y).coef_)
    assert set(np.ravel(told.status_)) == {"stopped"}


def test_scores_of_every_pass_and_of_a_search():
    monitor = callback.ScoringMonitor(scoring="accuracy")
    model = AveragedPerceptron(max_iter=4).set_callbacks(monitor).fit(X, Y)
    data = monitor.get_logs().data_as_pandas
    assert data["accuracy"].iloc[-1] == model.score(X, Y)
    assert len(data) == 5  # four passes, and the fit
    search = GridSearchCV(Perceptron(max_iter=3), {"eta0": [1.0, 2.0]}, cv=2)
    search.set_callbacks(callback.ScoringMonitor(scoring="accuracy"))
    assert search.fit(X, Y).best_score_ > 0.3


def test_a_vote_is_not_made_of_weights():
    noting = Noting()
    VotedPerceptron(max_iter=2).set_callbacks(noting).fit(X, Y)
    assert noting.learners == [None, None]
