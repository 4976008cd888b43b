"""Metadata routing: sample weights reach the learner where they are asked for, and only there."""

import numpy as np
import pytest
import sklearn
from sklearn.datasets import make_classification
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from novikoff import AveragedPerceptron, PassiveAggressiveRegressor, Perceptron

X, Y = make_classification(80, 5, random_state=0)
WEIGHT = np.arange(80) % 3


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_weights_are_routed_where_they_are_asked_for():
    with sklearn.config_context(enable_metadata_routing=True):
        for learner in (Perceptron(max_iter=3), AveragedPerceptron(max_iter=3), PassiveAggressiveRegressor(max_iter=3)):
            asked = learner.set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
            search = GridSearchCV(asked, {"max_iter": [2]}, cv=2).fit(X, Y, sample_weight=WEIGHT)
            plain = type(learner)(max_iter=2).fit(X, Y, sample_weight=WEIGHT)
            assert np.array_equal(search.best_estimator_.coef_, plain.coef_)
            piped = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), asked)
            piped.fit(X, Y, sample_weight=WEIGHT)
            scaled = StandardScaler().fit_transform(X)
            assert np.array_equal(piped[-1].coef_, type(learner)(max_iter=3).fit(scaled, Y, WEIGHT).coef_)
        with pytest.raises(UnsetMetadataPassedError):
            cross_validate(Perceptron(), X, Y, params={"sample_weight": WEIGHT}, error_score="raise")
        one = Perceptron().set_partial_fit_request(sample_weight=True, classes=True)
        assert one.get_metadata_routing().partial_fit.requests == {"sample_weight": True, "classes": True}
        calibrated = AveragedPerceptron(calibrated=True).fit(X, Y, sample_weight=WEIGHT + 1)
        assert calibrated.predict_proba(X).shape == (80, 2)
