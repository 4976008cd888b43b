"""Passive-aggressive regression, by Crammer and others."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, _fit_context
from sklearn.model_selection import train_test_split
from sklearn.utils import check_consistent_length, check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_y, check_is_fitted

from .. import inputs
from ..passes.insensitive import TALLY, Insensitive, RealTargets
from ..passes.rows import packed
from ..training.regression_run import RealBatch, RegressionEnd, RegressionPlan, real_rows, regress, updates_of
from ..training.run import Plan
from .base import learn_features, plane_scores


class PassiveAggressiveRegressor(RegressorMixin, BaseEstimator):
    """While |y − w·x| > ε for some row, the smallest step that makes it ε, or a part of it.

    The loss of a row is max(0, |y − w·x| − ε); its update w ← w ± τ·x takes a step of τ = loss/‖x‖² ("full", PA), at
    most C ("capped", PA-I), or loss/(‖x‖² + 1/2C) ("damped", PA-II).  If some u has no loss at all, Σ loss² over all
    visits is at most r²·‖u − w₀‖² with full steps, however many there are.

    The bias is a weight on a constant feature and counts in ‖x‖² (in scikit-learn's it does not); without one
    (``fit_intercept=False``) and in cyclic order the weights are those of scikit-learn's PassiveAggressiveRegressor,
    last or averaged.  Standardise X, as for every learner whose steps depend on ‖x‖.

    Parameters
    ----------
    C : float, default=0.03
        How far a single row may move the weights; unused by ``step="full"``.  The default was chosen on the sets of
        docs/passive-aggressive.md; where y is noise for the most part, less is better.
    epsilon : float, default=0.1
        How far from y a prediction may be at no loss.
    step : "full", "capped" or "damped", default="damped"
        Steps that are capped have a length in the units of X and y; damped ones suit numbers y of any size.
    order : "cyclic" or "shuffled", default="shuffled"
        How a pass visits the rows: as they come, or in a new permutation every pass, as in ``Perceptron``.
    max_iter : int, default=100
        The most passes.
    tol : float or None, default=1e-3
        A run ends when ``n_iter_no_change`` passes in a row have not brought the mean loss down by this part of the
        least before; None makes all passes.
    fit_intercept : bool, default=True
    average : bool, default=True
        Return the mean of the weights over all visits instead of the last.
    random_state : int, RandomState instance or None, default=0
        The source of the permutations.
    warm_start : bool, default=False
        Whether ``fit`` goes on from the weights there are.
    early_stopping : bool, default=False
        Hold rows out and look at their loss instead; the weights that were best there are returned.
    validation_fraction : float, default=0.1
    n_iter_no_change : int, default=5
    verbose : int, default=0
        Above 0, show a progress bar.

    Attributes
    ----------
    coef_, intercept_, n_features_in_, feature_names_in_ : as in scikit-learn
    n_iter_ : int
        Passes made.
    n_updates_ : int
        Updates made.
    loss_curve_ : list
        The mean loss of every pass, of each row when it was visited; with ``early_stopping``, of the rows held out.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from novikoff import PassiveAggressiveRegressor
    >>> X, y = load_diabetes(return_X_y=True, scaled=False)
    >>> X = (X - X.mean(axis=0)) / X.std(axis=0)
    >>> model = PassiveAggressiveRegressor().fit(X, y)
    >>> bool(model.score(X, y) > 0.51)
    True

    References
    ----------
    K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz and Y. Singer, "Online passive-aggressive algorithms", Journal of
    Machine Learning Research 7, 2006.
    """

    n_iter_: int
    n_updates_: int
    loss_curve_: list[float]
    _end: RegressionEnd

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "epsilon": [Interval(Real, 0, None, closed="left")],
        "step": [StrOptions({"full", "capped", "damped"})],
        "order": [StrOptions({"cyclic", "shuffled"})],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left"), None],
        "fit_intercept": ["boolean"],
        "average": ["boolean"],
        "random_state": ["random_state"],
        "warm_start": ["boolean"],
        "early_stopping": ["boolean"],
        "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
        "n_iter_no_change": [Interval(Integral, 1, None, closed="left")],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        C: float = 0.03,
        epsilon: float = 0.1,
        step: str = "damped",
        order: str = "shuffled",
        max_iter: int = 100,
        tol: float | None = 1e-3,
        fit_intercept: bool = True,
        average: bool = True,
        random_state: Any = 0,
        warm_start: bool = False,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        verbose: int = 0,
    ) -> None:
        self.C = C
        self.epsilon = epsilon
        self.step = step
        self.order = order
        self.max_iter = max_iter
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.average = average
        self.random_state = random_state
        self.warm_start = warm_start
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, coef_init: Any = None, intercept_init: Any = None
    ) -> "PassiveAggressiveRegressor":
        """Train on the rows of X and their numbers y; from zero, or with ``warm_start`` from the weights there are.

        Parameters
        ----------
        X : array, sparse matrix or frame of shape (n_samples, n_features)
        y : a number per row
        sample_weight : a non-negative number per row, which C is multiplied with, or None; a row of weight 0 is left
            out
        coef_init, intercept_init : arrays of shape (n_features,) and (1,), or None: weights to start from
        """
        go_on = self.warm_start and hasattr(self, "_end")
        batch = self._batch(X, y, sample_weight, go_on)
        end = self._start(inputs.checked(X, self).shape[1], go_on, coef_init, intercept_init)
        limits = self.max_iter, self.tol, self.n_iter_no_change, self.verbose
        self._learn(X, batch, end, go_on, RegressionPlan(self._rule(), *limits))
        return self

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> "PassiveAggressiveRegressor":
        """Make one pass over the given rows from the weights there are; ``n_iter_`` and ``n_updates_`` count all."""
        if self.early_stopping:
            raise ValueError("partial_fit makes one pass and holds no rows out: set early_stopping=False.")
        go_on = hasattr(self, "_end")
        before = (self.n_iter_, self.n_updates_, self.loss_curve_) if go_on else (0, 0, [])
        batch = self._batch(X, y, sample_weight, go_on)
        end = self._start(inputs.checked(X, self).shape[1], go_on)
        self._learn(X, batch, end, go_on, RegressionPlan(self._rule(), 1), before[0])
        self.n_iter_ += before[0]
        self.n_updates_ += before[1]
        self.loss_curve_ = before[2] + self.loss_curve_
        return self

    def predict(self, X: Any) -> Any:
        """w·x + b of every row."""
        check_is_fitted(self)
        return plane_scores(self, X, self.coef_[None]).ravel()

    def _rule(self) -> Insensitive:
        cap = self.C if self.step == "capped" else np.inf
        return Insensitive(float(self.epsilon), float(cap), 1 / (2 * self.C) if self.step == "damped" else 0.0)

    def _seed(self) -> int:
        return int(check_random_state(self.random_state).randint(2**31))

    def _batch(self, X: Any, y: Any, sample_weight: Any, go_on: bool) -> RealBatch:
        """Everything checked, in the order of the rows."""
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        checked, names = inputs.checked(X, self, go_on), inputs.column_names(X)
        y = np.asarray(_check_y(y, y_numeric=True, estimator=self), dtype=np.float64)
        check_consistent_length(checked, y)
        weights, row_order = np.ones(1), np.arange(len(y), dtype=np.uint32)
        if sample_weight is not None:
            weights = inputs.row_weights(checked, sample_weight)
            row_order = np.flatnonzero(weights).astype(np.uint32)
        if not len(row_order):
            raise ValueError("The weights of all rows are zero: none is left to learn from; check sample_weight.")
        rows = packed(real_rows(checked, float(self.fit_intercept), names), checked.shape[1])
        return RealBatch(rows, RealTargets(y, weights), row_order)

    def _start(self, width: int, go_on: bool, coef_init: Any = None, intercept_init: Any = None) -> RegressionEnd:
        """The weights to begin with; those of the last run are not changed.  A mean that was not kept begins here."""
        weights = self._end.weights.copy() if go_on else np.zeros(width + 1)
        kept = go_on and coef_init is None and intercept_init is None and self._end.sums.size
        sums = self._end.sums.copy() if kept else np.zeros(width + 1)
        tally = self._end.tally.copy() if kept else np.zeros(TALLY)
        if coef_init is not None:
            weights[:-1] = inputs.initial_weights("coef_init", coef_init, (1, width))[0]
        if intercept_init is not None:
            weights[-1] = inputs.initial_weights("intercept_init", intercept_init, (1,))[0]
            if weights[-1] and not self.fit_intercept:
                raise ValueError("intercept_init is a bias to start from, but fit_intercept=False learns none.")
        weights[-1] *= bool(self.fit_intercept)
        return RegressionEnd(weights, sums if self.average else np.empty(0), tally)

    def _learn(
        self, X: Any, batch: RealBatch, end: RegressionEnd, go_on: bool, plan: RegressionPlan, passes_before: int = 0
    ) -> None:
        """Run, and only then set what was learnt."""
        held_out, row_order, seed = None, batch.row_order, self._seed()
        if self.early_stopping and plan.max_iter > 1:
            row_order, rest = train_test_split(row_order, test_size=self.validation_fraction, random_state=seed)
            row_order, held_out = np.sort(row_order), RealBatch(batch.rows, batch.targets, np.sort(rest))
        orders = Plan(self.order, row_order, seed, passes_before, plan.max_iter, plan.tol)

        def batches(number: int) -> list[RealBatch]:
            return [RealBatch(batch.rows, batch.targets, orders.at(number))]

        updates = updates_of(end)
        curve, weights = regress(end, plan, batches, held_out)
        if not go_on:
            learn_features(self, X)
        self._set_learnt(end, curve, weights, updates_of(end) - updates)

    def _set_learnt(self, end: RegressionEnd, curve: list[float], weights: np.ndarray, updates: int) -> None:
        self._end, self.loss_curve_, self.n_iter_, self.n_updates_ = end, curve, len(curve), updates
        self.coef_, self.intercept_ = weights[:-1].copy(), float(self.fit_intercept) * weights[-1:]
