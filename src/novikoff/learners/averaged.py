"""The averaged perceptron."""

from typing import Any

from .base import LinearLearner


class AveragedPerceptron(LinearLearner):
    """The perceptron that returns the mean of its weights over all visits of the run.

    On data that does not separate, the last weights of a perceptron depend on the rows visited last; their mean does
    not, and predicts better.  A run is that of ``Perceptron``, update by update, and what is proved of it
    (``status_``, ``margin_bound_``, ``mistake_bound_``, ``certificate_``) refers to the run and its last weights;
    ``coef_``, ``intercept_`` and ``margin_`` are those of the mean, which may get rows wrong that the last weights get
    right.  An update costs one more vector addition, a row that is right costs nothing more.

    Averaging does not converge to anything: a few passes are best, and more only fit the training rows more closely. So
    ``max_iter`` is 10, and there is no warning when they are used up.  Passes after one without a mistake would change
    no weights, so they are not made (``n_iter_`` counts those that were), but the mean is over ``max_iter`` passes all
    the same: on separable rows a mean of the first two or three would be one of planes that still err.  By default
    several classes are one joint problem, which predicts better than one problem per class.

    Parameters and attributes are those of ``Perceptron``.

    Examples
    --------
    >>> from novikoff import AveragedPerceptron, datasets
    >>> X, y = datasets.planted_margin(100, 2, 0.1, random_state=0)
    >>> AveragedPerceptron().fit(X, y).score(X, y)
    1.0

    References
    ----------
    M. Collins, "Discriminative training methods for hidden Markov models", EMNLP 2002.
    """

    average = True
    _counts_all_passes = True

    def __init__(
        self,
        eta0: float = 1.0,
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
