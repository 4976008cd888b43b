"""The margin perceptron of the notes, and one that finds the margin itself."""

from numbers import Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from ..passes.rules import DynamicMargin, FixedMargin, Rule
from .base import LinearLearner

PARTS = 3
"""A third of the best margin is reached without being told it; it must be more than 2 for the run to end."""


class MarginPerceptron(LinearLearner):
    """A perceptron that goes on until every row is well on its right side.

    With ``margin=ρ`` it is the rule of the notes: update while y·(w·x)/‖w‖ < ρ/2.  If some plane has the margin ρ,
    the run ends after at most 16·r²/ρ² updates with a margin of at least ρ/2.

    With ``margin=None`` it finds the margin itself: update while y·(w·x) ≤ ‖w‖²/(3M), where M counts the updates.
    No plane has a margin above ‖w‖/M (each update moves w by at least the best margin ρ along the best plane), so a
    run that ends has reached a third of the best margin: ``margin_ ≥ margin_bound_ / 3``.  And it ends: by induction
    ‖w‖² ≤ 3·r²·M, as an update adds at most 2‖w‖²/(3M) + r², and ρ·M ≤ ‖w‖; so M ≤ 3·r²/ρ².

    Parameters
    ----------
    margin : float or None, default=None
        The margin ρ aimed at, in the augmented geometry [x; 1]; None finds one.
    average : bool, default=False
        Return the mean of the weights over all visits instead of the last.  It often predicts better on data that
        does not separate; the guarantee on the margin is that of the last weights.

    The others are those of ``Perceptron``.  A run is also given up, as "thin", when it is proved that no plane has the
    margin ρ/2 asked for.

    Attributes
    ----------
    margin_, margin_bound_ : float or array
        The margin reached, and one that no plane exceeds.  Without ``margin`` the first is at least a third of the
        second after a run from zero that ended by itself, in fewer than ``max_iter`` passes.
    mistake_bound_ : float or array
        With ``margin=ρ``, 16·r²/ρ², which bounds the updates if a plane has the margin ρ; infinite if it is proved
        that none has.  Without, 3·r²/margin_².  With weighted rows, times the ratio of the largest weight to the
        least; infinite after a start from weights that are not zero.

    The others are those of ``Perceptron``.

    Examples
    --------
    >>> from novikoff import MarginPerceptron, datasets
    >>> X, y = datasets.planted_margin(200, 3, 0.1, random_state=0)
    >>> model = MarginPerceptron().fit(X, y)
    >>> bool(model.margin_ >= model.margin_bound_ / 3), bool(model.n_updates_ <= model.mistake_bound_)
    (True, True)

    References
    ----------
    W. Krauth and M. Mézard, "Learning algorithms with optimal stability in neural networks", J. Phys. A 20, 1987;
    C. Panagiotakopoulos and P. Tsampouka, "The perceptron with dynamic margin", ALT 2011.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "margin": [Interval(Real, 0, None, closed="neither"), None],
        **LinearLearner._parameter_constraints,
        "average": ["boolean"],
    }

    def __init__(
        self,
        margin: float | None = None,
        eta0: float = 1.0,
        order: str = "shuffled",
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        fit_intercept: bool = True,
        multi_class: str = "ovr",
        class_weight: Any = None,
        random_state: Any = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
        verbose: int = 0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        average: bool = False,
        calibrated: bool | str = False,
    ) -> None:
        super().__init__(
            eta0=eta0,
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
        self.margin = margin
        self.average = average

    def _rule(self) -> Rule:
        return DynamicMargin(PARTS) if self.margin is None else FixedMargin(self.margin / 2)
