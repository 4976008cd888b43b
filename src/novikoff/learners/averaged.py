"""The averaged perceptron."""

from .base import LinearLearner


class AveragedPerceptron(LinearLearner):
    """The perceptron that hands out the mean of its weights over all visits of the run.

    On data that does not separate the last weights of a perceptron depend on the rows met last; their mean does not,
    and predicts better.  A run is that of ``Perceptron``, correction by correction, and what is proved of it
    (``status_``, ``margin_bound_``, ``mistake_bound_``, ``certificate_``) speaks of the run and its last weights;
    ``coef_``, ``intercept_`` and ``margin_`` are those of the mean, which may err on rows that the last weights have
    right.  It costs one more vector addition a correction, and none for a row that is right.

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
