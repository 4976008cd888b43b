"""scikit-learn's estimator checks of the learners of a cluster, whose arrays are given to them as one partition."""

import os

import dask
import dask.array as da
import pytest
import scipy.sparse as sp
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from novikoff.scale import dask as cluster


class Partitioned:
    """What a check has in memory as Dask collections; input is checked before, as nothing lazy can be."""

    def fit(self, X, y=None):
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        given = X
        X, y = validate_data(self, X, y, accept_sparse="csr")
        check_classification_targets(y)
        rows = da.from_array(X, chunks=(-1, -1)) if not sp.issparse(X) else lazy_rows(X)
        super().fit(rows, da.from_array(y, chunks=-1))
        validate_data(self, given, skip_check_array=True)  # names of columns
        return self


def lazy_rows(X):
    return da.from_delayed(dask.delayed(X), shape=X.shape, dtype=X.dtype, meta=X[:0])


class DaskPerceptron(Partitioned, cluster.DaskPerceptron):
    pass


class DaskAveragedPerceptron(Partitioned, cluster.DaskAveragedPerceptron):
    pass


class DaskAROWClassifier(Partitioned, cluster.DaskAROWClassifier):
    pass


class DaskSCWClassifier(Partitioned, cluster.DaskSCWClassifier):
    pass


ALL = [DaskPerceptron(), DaskAveragedPerceptron(), DaskAROWClassifier(), DaskSCWClassifier()]
"""With NOVIKOFF_LONG all are checked, else the first, with fewer rounds: the checks of one take half a minute."""


@parametrize_with_checks(ALL if "NOVIKOFF_LONG" in os.environ else [DaskPerceptron(max_iter=20)])
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_contract(estimator, check):
    with dask.config.set(scheduler="synchronous"):
        check(estimator)
