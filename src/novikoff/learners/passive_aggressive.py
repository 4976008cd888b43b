"""Passive-aggressive learning, by Crammer and others."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from ..passes.rules import PassiveAggressive, Rule
from .base import LinearLearner


class PassiveAggressiveClassifier(LinearLearner):
    """While y·(w·x) < 1 for some row, the smallest step that makes it 1, or a part of it.

    The loss of a row is max(0, 1 − y·(w·x)); its update w ← w + τ·y·x takes a step of τ = loss/‖x‖² ("full", PA),
    at most C ("capped", PA-I), or loss/(‖x‖² + 1/2C) ("damped", PA-II).  With several classes the loss is that of the
    margin over the strongest rival, as in the paper, or with ``multi_class="ovr"`` that of each class against the rest.

    A run approaches its limit without reaching it, so it ends as "separated" after five more passes without a mistake.
    The mean of its weights is best after a few passes (see ``AveragedPerceptron``), so ``max_iter`` is 5; without
    averaging, raise it.

    Coming from scikit-learn's PassiveAggressiveClassifier: ``loss="hinge"`` is ``step="capped"``, "squared_hinge" is
    ``step="damped"``; the bias is a weight on a constant feature and counts in ‖x‖² (there it does not), sample
    weights multiply C, classes are learnt jointly unless ``multi_class="ovr"``, and the mean of the weights is returned
    unless ``average=False``.

    Parameters
    ----------
    C : float, default=1.0
        How far a single row may move the plane; unused by ``step="full"``.
    step : "full", "capped" or "damped", default="capped"
        The length of an update: PA, PA-I or PA-II, as above.
    average : bool, default=True
        Return the mean of the weights over all visits instead of the last weights.

    The others are those of ``Perceptron``; there is no ``eta0``, as the steps are given.

    Attributes
    ----------
    n_updates_ : int or array
        Updates made, including those on rows on their right side.
    n_mistakes_ : int or array
        Updates on rows on their wrong side.
    mistake_bound_ : float or array
        A bound on ``n_mistakes_``: with a plane of margin ρ, r²/ρ² ("full"), max(r², 1/C)/ρ² ("capped") or
        (r² + 1/2C)/ρ² ("damped"), with (1/ρ + ‖w₀‖)² in place of 1/ρ² after a start from weights w₀; infinite unless
        every row is on its right side.

    The others are those of ``Perceptron``.

    Examples
    --------
    >>> from novikoff import PassiveAggressiveClassifier, datasets
    >>> X, y = datasets.planted_margin(200, 3, 0.1, random_state=0)
    >>> model = PassiveAggressiveClassifier(average=False, max_iter=100).fit(X, y)
    >>> model.score(X, y), bool(model.n_mistakes_ <= model.mistake_bound_)
    (1.0, True)

    References
    ----------
    K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz and Y. Singer, "Online passive-aggressive algorithms", Journal of
    Machine Learning Research 7, 2006.
    """

    eta0 = 1.0
    _more_figures: ClassVar[dict[str, str]] = {"n_mistakes_": "errors"}
    _counters: ClassVar[tuple[str, ...]] = ("n_iter_", "n_updates_", "n_mistakes_")

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "step": [StrOptions({"full", "capped", "damped"})],
        **{name: rule for name, rule in LinearLearner._parameter_constraints.items() if name != "eta0"},
        "average": ["boolean"],
    }

    def __init__(
        self,
        C: float = 1.0,
        step: str = "capped",
        order: str = "shuffled",
        max_iter: int = 5,
        tol: float | None = 1e-3,
        fit_intercept: bool = True,
        multi_class: str = "joint",
        class_weight: Any = None,
        random_state: Any = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
        verbose: int = 0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        average: bool = True,
        calibrated: bool | str = False,
    ) -> None:
        super().__init__(
            order=order,
            max_iter=max_iter,
            tol=tol,
            fit_intercept=fit_intercept,
            multi_class=multi_class,
            class_weight=class_weight,
            random_state=random_state,
            warm_start=warm_start,
            n_jobs=n_jobs,
            verbose=verbose,
            early_stopping=early_stopping,
            validation_fraction=validation_fraction,
            n_iter_no_change=n_iter_no_change,
            calibrated=calibrated,
        )
        self.C = C
        self.step = step
        self.average = average

    def _rule(self) -> Rule:
        return PassiveAggressive(
            cap=float(self.C) if self.step == "capped" else np.inf,
            damping=1 / (2 * self.C) if self.step == "damped" else 0.0,
        )
