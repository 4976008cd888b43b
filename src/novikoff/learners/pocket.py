"""The pocket algorithm: the best plane that a perceptron met."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from ..certificates.stored_proof import prove_fewest_errors
from ..exact.limits import LONG_ENOUGH
from ..inputs import TrainingSet
from ..passes.ledger import VISITS
from ..passes.observers import Observer, Pocket, errors_of
from ..training.outcomes import Resume, each
from ..training.problems import LinearProblems
from ..training.run import Plan
from .base import LinearLearner

COUNTED = 512
"""Of so many rows all weights are counted, which costs little; of more, those that were right for longest."""


class PocketPerceptron(LinearLearner):
    """The perceptron with a pocket, for data that does not separate: it returns the weights with the fewest errors.

    Gallant's ratchet: weights come into the pocket only if they make strictly fewer errors on all rows than those in
    it.  Errors are not counted after every update: of more than 512 rows, only for weights that were right on more rows
    in a row than those in the pocket were when they came into it, and no more rows are looked at for it than the passes
    visit.  On at most 512 rows all weights are counted, and the pocket is never worse than any of them.

    After the passes the mean of all weights is tried too, and the better plane is improved along lines: in the
    direction of one column, or of a row that is wrong, to the place on the line where the fewest rows are wrong.  This
    goes on while it helps, for at most twice the work of the passes, counted in entries of X, or 2^21 of them.  To find
    the best of all planes is NP-hard, and this does not claim it; ``certify`` says how far it is from it.

    Weights of rows count in all of it: a heavy row takes longer steps, and weighs more as an error.

    A run goes on when it is proved that no plane separates (``status_`` is "inseparable" all the same), as a better
    plane may still come; and when passes have ceased to help, if few rows are wrong: then the hard rows are visited
    more often, for as long as that leaves fewer of them wrong.  In the joint problem of several classes an error is a
    row that a rival wins, and no lines are searched.

    ``partial_fit`` counts errors on the rows of its own call only: the weights in the pocket are first counted again on
    these, and then challenged; no lines are searched.  So parts do not make what ``fit`` makes of all rows, and
    ``n_errors_`` is that of the last part.

    Parameters
    ----------
    refine : bool, default=True
        Whether the plane is improved along lines after the passes; without it, it is one that the perceptron met.
    certify : bool or seconds, default=False
        Whether to prove how few errors any plane can make (``novikoff.fewest_errors``), for at most 60 or so many
        seconds per problem; a better plane that turns up is taken.  Rows must count alike.

    The others, and the attributes, are those of ``Perceptron``; ``coef_``, ``intercept_`` and ``margin_`` are those of
    the plane in the pocket, ``status_`` and the counts those of the run.

    Attributes
    ----------
    n_errors_ : int or array
        Errors that the pocket makes on the rows it was trained on; a row on the plane itself is one.
    error_bound_ : int or array, if ``certify``
        Every plane makes at least so many errors on these rows.
    error_certificate_ : StoredProof or list, if ``certify``
        The proof of it, for ``novikoff.check``.

    Examples
    --------
    >>> from novikoff import PocketPerceptron
    >>> X, y = [[0], [1], [2], [3], [4], [5]], [0, 0, 1, 0, 1, 1]
    >>> model = PocketPerceptron(max_iter=20, certify=True).fit(X, y)
    >>> model.n_errors_, model.error_bound_, model.status_, model.score(X, y)
    (1, 1, 'inseparable', 0.8333333333333334)

    References
    ----------
    S. I. Gallant, "Perceptron-based learning algorithms", IEEE Transactions on Neural Networks 1(2), 1990.
    L. Li and H.-T. Lin, "Optimizing 0/1 loss for perceptrons by random coordinate descent", IJCNN 2007.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LinearLearner._parameter_constraints,
        "refine": ["boolean"],
        "certify": ["boolean", Interval(Real, 0, None, closed="neither")],
    }
    n_errors_: Any
    refine: bool = True
    certify: bool | float = False
    """Models that earlier versions saved have neither."""
    _more_figures: ClassVar[dict[str, str]] = {"n_errors_": "learnt_errors"}
    _observes = True
    _persistent = True

    def __init__(
        self,
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
        calibrated: bool | str = False,
        refine: bool = True,
        certify: bool | float = False,
    ) -> None:
        self.refine = refine
        self.certify = certify
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

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, coef_init: Any = None, intercept_init: Any = None
    ) -> "PocketPerceptron":
        super().fit(X, y, sample_weight, coef_init, intercept_init)
        if self.certify is not False:
            self._prove(X, np.asarray(y), sample_weight)
        return self

    fit.__doc__ = LinearLearner.fit.__doc__

    def _prove(self, X: Any, y: np.ndarray, sample_weight: Any) -> None:
        """Bound the errors of every plane, class by class, and take the better planes that turn up."""
        if self.multi_class == "joint" and len(self.classes_) > 2:
            raise ValueError("certify is of one class against the others: set multi_class='ovr', or certify=False.")
        if self.class_weight is not None or (sample_weight is not None and len(np.unique(sample_weight)) > 1):
            raise ValueError(
                "certify counts rows, which must count alike: leave out the weights, or set certify=False."
            )
        seconds = LONG_ENOUGH if self.certify is True else float(self.certify)
        positive = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        found = [prove_fewest_errors(X, y == label, self.fit_intercept, seconds) for label in positive]
        self.coef_ = self.coef_.copy()  # a later run goes on from the pocket as it was
        for c, few in enumerate(found):
            if few.errors < np.ravel(self.n_errors_)[c]:
                self.coef_[c], self.intercept_[c] = few.coef[0], few.intercept[0]
        self.n_errors_ = each(np.minimum(np.ravel(self.n_errors_), [few.errors for few in found]).tolist())
        self.error_bound_ = each(few.lower_bound for few in found)
        proofs = [few.certificate for few in found]
        self.error_certificate_ = proofs[0] if len(proofs) == 1 else proofs

    def _plan(self, training_set: TrainingSet, passes: int, passes_before: int, fitting: bool) -> Plan:
        plan = super()._plan(training_set, passes, passes_before, fitting)
        finish = fitting and plan.gives_up and plan.validation is None
        return plan._replace(finish=finish, refine=fitting and self.refine and self.multi_class != "joint")

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
            spent=group.ledger[:, VISITS].copy(),
            sums=np.zeros_like(best),
            since=group.ledger[:, VISITS].copy(),
            all_rows=row_order,
            every=len(row_order) <= COUNTED,
        )
