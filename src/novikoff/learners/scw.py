"""Soft confidence-weighted learning, by Wang, Zhao and Hoi."""

from numbers import Real
from statistics import NormalDist
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from ..passes.rules import Rule, SoftConfidence
from .base import LinearLearner


class SCWClassifier(LinearLearner):
    """While y·(w·x) < φ·√v for some row, with v = Σ σ·x²: w ← w + α·y·σ·x and σ ← σ − β·(σ·x)² (SCW-I).

    It learns a Gaussian over planes with a variance σ of every weight, 1 at first, so that y·(w·x) has the variance v;
    φ is the quantile of the normal distribution at ``confidence``, and a row is content once planes drawn from the
    Gaussian have it right with that probability.  With m = y·(w·x),
    α = (√(m²φ⁴/4 + vφ²(1 + φ²)) − m(1 + φ²/2))/(v(1 + φ²)), at most C, is the step to the nearest Gaussian for which it
    is; κ = αφ(αvφ + √(α²v²φ² + 4v))/2v and β = κ/(1 + κv).

    Few passes are enough, so ``max_iter`` is 5, and no warning is given when they are made.  When a run ends before,
    and of several classes, see ``AROWClassifier``.

    Parameters
    ----------
    C : float, default=0.1
        How far a single row may move the Gaussian; the weight of a row multiplies it.
    confidence : float, default=0.75
        With which probability a row is to be right, above 0.5 and below 1; η in the paper.

    The others are those of ``Perceptron``; there is no ``eta0``, as the steps are given.

    Attributes
    ----------
    n_updates_ : int or array
        Updates made, also of rows on their right side.
    n_mistakes_ : int or array
        Updates of rows on their wrong side.
    mistake_bound_ : float or array
        A bound on ``n_mistakes_``, computed from the run: (s²/ρ² + (s·√(p − 1)/ρ + √Q)²)/(s·min(C, φ/(r_x·√(1 + φ²)))),
        with s = φ·r_x, and ρ, r_x, p and Q as in ``AROWClassifier``, κ in place of 1/r.  Infinite after a warm start or
        unless every row is on its right side.
    margin_bound_ : float or array
        Infinite: the weights are no sum of rows, so the run proves nothing of other planes.

    The others are those of ``Perceptron``.

    Examples
    --------
    >>> from novikoff import SCWClassifier, datasets
    >>> X, y = datasets.planted_margin(200, 3, 0.1, random_state=0)
    >>> model = SCWClassifier().fit(X, y)
    >>> model.score(X, y)
    1.0

    References
    ----------
    J. Wang, P. Zhao and S. C. H. Hoi, "Exact soft confidence-weighted learning", ICML 2012.
    """

    eta0 = 1.0
    _warns_at_limit = False
    _more_figures: ClassVar[dict[str, str]] = {"n_mistakes_": "errors"}
    _counters: ClassVar[tuple[str, ...]] = ("n_iter_", "n_updates_", "n_mistakes_")

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "confidence": [Interval(Real, 0.5, 1, closed="neither")],
        **{name: rule for name, rule in LinearLearner._parameter_constraints.items() if name != "eta0"},
    }

    def __init__(
        self,
        C: float = 0.1,
        confidence: float = 0.75,
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
        self.confidence = confidence

    def _rule(self) -> Rule:
        return SoftConfidence(float(self.C), NormalDist().inv_cdf(self.confidence))
