"""Adaptive regularization of weight vectors, by Crammer, Kulesza and Dredze."""

from numbers import Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from ..passes.rules import Arow, Rule
from .base import LinearLearner


class AROWClassifier(LinearLearner):
    """While y·(w·x) < 1 for some row: w ← w + (1 − y·(w·x))·β·y·σ·x and σ ← σ − β·(σ·x)², with β = 1/(Σ σ·x² + r).

    It learns a Gaussian over planes with a variance σ of every weight, 1 at first.  Weights of features that were often
    updated are known well and move little; those of rare features, as words are, move far.  That is worth most on
    text, where one pass is often as good as many of a rule that treats all weights alike.

    Few passes are enough, so ``max_iter`` is 10, and no warning is given when they are made; in order "shuffled" a run
    ends before when two passes in a row (more if there are few rows) have not made fewer mistakes than the best before
    them, by ``tol`` times the number of rows.  Of several classes the margin, the score of the own one less that of its
    strongest rival, is to be 1, and the weights of both are updated; with ``multi_class="ovr"`` each class is told from
    the rest, which is a little better on text and worse elsewhere.

    Parameters
    ----------
    r : float, default=10.0
        How strongly a single row is distrusted: the larger, the shorter the steps, and the slower variances fall.  The
        weight of a row divides it.  For a single pass 1 is better.

    The others are those of ``Perceptron``; there is no ``eta0``, as the steps are given.

    Attributes
    ----------
    n_updates_ : int or array
        Updates made, also of rows on their right side.
    n_mistakes_ : int or array
        Updates of rows on their wrong side.
    mistake_bound_ : float or array
        A bound on ``n_mistakes_``, computed from the run: (1/ρ² + (√(p − 1)/ρ + √Q)²)·(r_x² + r)²/(r_x² + 2r), with ρ
        the margin and r_x the radius, p = Σ u²/σ over Σ u² of the plane u that is returned, and Q the sum over all
        updates of Σ w²·x²/r.  Infinite after a warm start or unless every row is on its right side.
    margin_bound_ : float or array
        Infinite: the weights are no sum of rows, so the run proves nothing of other planes.

    The others are those of ``Perceptron``.

    Examples
    --------
    >>> from novikoff import AROWClassifier, datasets
    >>> X, y = datasets.planted_margin(200, 3, 0.1, random_state=0)
    >>> model = AROWClassifier().fit(X, y)
    >>> model.score(X, y)
    1.0

    References
    ----------
    K. Crammer, A. Kulesza and M. Dredze, "Adaptive regularization of weight vectors", NIPS 2009.
    """

    eta0 = 1.0
    _warns_at_limit = False
    _more_figures: ClassVar[dict[str, str]] = {"n_mistakes_": "errors"}
    _counters: ClassVar[tuple[str, ...]] = ("n_iter_", "n_updates_", "n_mistakes_")

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "r": [Interval(Real, 1e-50, 1e50, closed="both")],
        **{name: rule for name, rule in LinearLearner._parameter_constraints.items() if name != "eta0"},
    }

    def __init__(
        self,
        r: float = 10.0,
        order: str = "shuffled",
        max_iter: int = 10,
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
        self.r = r

    def _rule(self) -> Rule:
        return Arow(float(self.r))
