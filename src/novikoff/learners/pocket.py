"""The pocket algorithm: the best plane that a perceptron met."""

from typing import Any

import numpy as np

from ..passes.observers import Pocket, errors_of
from ..training import dataset
from ..training.problems import Problems, laid_out
from ..training.run import Outcome
from .base import LinearLearner, each

COUNTED = 512
"""Of so many rows all weights are counted, which costs little; of more, those that were right for longest."""


class PocketPerceptron(LinearLearner):
    """The perceptron with a pocket, for data that does not separate: it hands out the weights with the fewest errors.

    The ratchet: weights come into the pocket only if they make strictly fewer errors on all rows than those in it.
    Errors are not counted after every update: of more than 512 rows, only for weights that were right on more rows
    in a row than those in the pocket, at the end of that run.  On at most 512 rows all weights are counted, and the
    pocket is never worse than any of them.  To find the best of all planes is NP-hard, and this does not claim it.

    Weights of rows count in both: a heavy row takes longer steps, and weighs more as an error.

    A run goes on when it is proved that no plane separates (``status_`` is "inseparable" all the same), as a better
    plane may still come.  In the joint problem of several classes an error is a row that a rival wins.

    Parameters and attributes are those of ``Perceptron``; ``coef_``, ``intercept_`` and ``margin_`` are those of the
    plane in the pocket.

    Attributes
    ----------
    n_errors_ : int or array
        Errors that the pocket makes on the rows it learnt from; a row on the plane itself is one.

    Examples
    --------
    >>> from novikoff import PocketPerceptron
    >>> X, y = [[0], [1], [2], [3], [4], [5]], [0, 0, 1, 0, 1, 1]
    >>> model = PocketPerceptron(max_iter=20).fit(X, y)
    >>> model.n_errors_, model.status_, model.score(X, y)
    (1, 'inseparable', 0.8333333333333334)

    References
    ----------
    S. I. Gallant, "Perceptron-based learning algorithms", IEEE Transactions on Neural Networks 1(2), 1990.
    """

    _persistent = True

    def _observer(self, group: Problems, lines: slice, training_set: dataset.TrainingSet, go_on: bool) -> Any:
        before = self._pocket[lines] if go_on else np.zeros((lines.stop - lines.start, training_set.X.shape[1] + 1))
        best = laid_out(before, group.rows)
        candidates = [group.candidate(c, best) for c in range(group.size)]
        return Pocket(
            best=best,
            errors=np.array(
                [errors_of(group.rows, training_set.row_order, w, group.targets, p, np.inf) for w, p in candidates]
            ),
            runs=np.full(group.size, -1.0),
            born=self._clock[lines, 0].copy() if go_on else np.zeros(group.size),
            all_rows=training_set.row_order,
            every=len(training_set.row_order) <= COUNTED,
        )

    def _keep(self, groups: list[Problems], training_set: dataset.TrainingSet, go_on: bool) -> None:
        super()._keep(groups, training_set, go_on)
        self._pocket = np.concatenate([group.observer.best[: len(group.tally)] for group in groups])

    def _set_outcomes(self, outcomes: list[Outcome], steps: np.ndarray) -> None:
        super()._set_outcomes(outcomes, steps)
        self.n_errors_ = each(outcome.learnt_errors for outcome in outcomes)
