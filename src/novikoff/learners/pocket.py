"""The pocket algorithm: the best plane that a perceptron met."""

from typing import ClassVar

import numpy as np

from ..inputs import TrainingSet
from ..passes.ledger import VISITS
from ..passes.observers import Observer, Pocket, errors_of
from ..training.outcomes import Resume
from ..training.problems import LinearProblems
from .base import LinearLearner

COUNTED = 512
"""Of so many rows all weights are counted, which costs little; of more, those that were right for longest."""


class PocketPerceptron(LinearLearner):
    """The perceptron with a pocket, for data that does not separate: it returns the weights with the fewest errors.

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
        Errors that the pocket makes on the rows it was trained on; a row on the plane itself is one.

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

    _more_figures: ClassVar[dict[str, str]] = {"n_errors_": "learnt_errors"}
    _observes = True
    _persistent = True

    def _observer(
        self, group: LinearProblems, vectors: slice, training_set: TrainingSet, resume: Resume | None
    ) -> Observer:
        row_order = training_set.row_order
        start = group.W[: len(group.update_counts)]
        best = group.laid_out(start if resume is None or resume.kept is None else resume.kept[vectors])
        candidates = [group.candidate(c, best) for c in range(group.size)]
        errors = [errors_of(group.rows, row_order, w, group.targets, p, np.inf) for w, p in candidates]
        return Pocket(
            best=best,
            errors=np.array(errors),
            runs=np.full(group.size, -1.0),
            born=group.ledger[:, VISITS].copy(),
            all_rows=row_order,
            every=len(row_order) <= COUNTED,
        )
