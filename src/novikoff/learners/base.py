"""What every linear learner does: validate, number the classes, run the passes, set the learnt attributes."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import cache, lru_cache
from math import isfinite
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from .. import inputs
from ..inputs import TrainingSet, training_set
from ..passes.observers import Average, Observer
from ..passes.rules import Facts, Plain, Rule
from ..training.numbering import train_numbered
from ..training.outcomes import (
    Outcome,
    Resume,
    UpdateCounts,
    certificates,
    each,
    end_of_run,
    joined,
    kept_counts,
    margin_of,
    warn,
)
from ..training.problems import LinearProblems, make_problems
from ..training.run import Plan, train
from .calibration import Calibration, columns_of, cross_fitted, empty_calibration
from .callbacks import CallbackSupportMixin, told_of_passes, with_callbacks


@lru_cache
def first_draw(seed: int) -> int:
    """What the generator of a seed draws first; to make it takes longer than to learn from a row."""
    return int(check_random_state(seed).randint(2**31))


def plane_scores(learner: Any, X: Any, coef: np.ndarray) -> np.ndarray:
    """w·x + b of every row of X, one column per row of ``coef``; all finite."""
    checked = inputs.checked(X, learner, learnt=True)
    with np.errstate(over="ignore", invalid="ignore"):
        scores = checked @ coef.T + learner.intercept_
        finite = isfinite(scores.sum()) or np.isfinite(scores).all()  # a sum that is finite has only finite terms
    if not finite:
        raise ValueError(inputs.not_finite_message(checked, inputs.column_names(X)))
    return scores


def predicted_numbers(scores: np.ndarray) -> np.ndarray:
    """The number of the class with the largest score; of two, the second where the one score is not negative."""
    return (scores >= 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)


def learn_features(learner: Any, X: Any) -> None:
    """Set how many features X, which was checked, has, and their names if it has any."""
    if type(X) is np.ndarray:  # scikit-learn would ask library after library whether this is a frame of theirs: 40 µs
        learner.n_features_in_ = X.shape[1]
        vars(learner).pop("feature_names_in_", None)
    else:
        validate_data(learner, X, skip_check_array=True)


def is_calibrated(learner: Any) -> bool:
    """Whether it has probabilities; else an error that says how to have them."""
    if not learner.calibrated:
        raise AttributeError(
            f"{type(learner).__name__} has no predict_proba, as scores are no probabilities: say calibrated=True, or "
            "put it into sklearn.calibration.CalibratedClassifierCV."
        )
    return True


class LinearLearner(CallbackSupportMixin, ClassifierMixin, BaseEstimator):
    """Base of the linear learners.  A subclass says what its rule is, and what its runs keep (``_observer``)."""

    classes_: np.ndarray
    n_iter_: int
    n_updates_: Any
    mistake_bound_: Any

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "eta0": [Interval(Real, 1e-50, 1e50, closed="both")],
        "order": [StrOptions({"cyclic", "shuffled", "active"})],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left"), None],
        "fit_intercept": ["boolean"],
        "multi_class": [StrOptions({"ovr", "joint"})],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "random_state": ["random_state"],
        "warm_start": ["boolean"],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
        "early_stopping": ["boolean"],
        "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
        "n_iter_no_change": [Interval(Integral, 1, None, closed="left")],
        "calibrated": ["boolean", StrOptions({"sigmoid", "isotonic"})],
    }

    _counters: ClassVar[tuple[str, ...]] = ("n_iter_", "n_updates_")
    """What partial_fit counts over all calls."""
    _more_figures: ClassVar[dict[str, str]] = {}
    """Learnt attributes of its own: {name: the field of an outcome}."""
    calibrated: bool | str = False
    average = False
    """Whether the weights returned are the mean over all visits of the run."""
    _observes = False
    """Whether a run keeps something else than its last weights or their mean, as ``_observer`` says."""
    _warns_at_limit = True
    """Whether a run has left something undone that meets its limit of passes while they help."""
    _counts_all_passes = False
    """Whether a mean is over ``max_iter`` passes though one made no update."""
    _persistent = False
    """Whether a run goes on though it is proved that no plane separates."""
    _recorder: Any = None
    """Where theory.trace collects the updates of a run, if it does."""
    _classes_in_training: np.ndarray
    """Of a fit that has callbacks, while it goes on."""
    _calibration: Calibration
    """Scores of rows before they were trained on, for probabilities."""
    _resume: Resume
    """What a later fit goes on from."""
    _stopped_by: list[str | None]
    """What stopped the run of every problem, where nothing was proved."""
    update_counts_ = UpdateCounts()

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
    ) -> None:
        self.eta0 = eta0
        self.order = order
        self.max_iter = max_iter
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.multi_class = multi_class
        self.class_weight = class_weight
        self.random_state = random_state
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.calibrated = calibrated

    def _rule(self) -> Rule:
        """When an update is made, and how far: one of passes.rules."""
        return Plain()

    def _observer(
        self, group: LinearProblems, vectors: slice, training_set: TrainingSet, resume: Resume | None
    ) -> Observer:
        """What is kept of the run of a group that has these of all weight vectors, where ``_observes`` says so."""
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @with_callbacks
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, coef_init: Any = None, intercept_init: Any = None
    ) -> "LinearLearner":
        """Train on the rows of X and their labels y; from zero, or with ``warm_start`` from the weights there are.

        Parameters
        ----------
        X : array, sparse matrix or frame of shape (n_samples, n_features)
        y : labels of any kind, one per row
        sample_weight : a non-negative number per row, or None
            An update on a row takes a step this many times as long; a row of weight 0 is left out.
        coef_init : array of shape (n_classes, n_features), of two classes (1, n_features) or (n_features,); or None
            Weights to start from, as ``coef_`` has them.
        intercept_init : array of shape (n_classes,), of two classes (1,) or a number; or None
            The bias to start from, as ``intercept_`` has it.
        """
        go_on = self.warm_start and hasattr(self, "classes_")
        called_back = getattr(self, "_skl_callbacks", None)
        with told_of_passes(self, X, y, sample_weight) if called_back else nullcontext():
            outcomes = self._learn(X, y, sample_weight, go_on, self.max_iter, start=(coef_init, intercept_init))
        warn(self, outcomes)
        if self.calibrated:
            self._calibration = cross_fitted(self, X, y, sample_weight)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> "LinearLearner":
        """Make one pass over the given rows from the current weights.

        ``n_iter_``, ``n_updates_`` and ``mistake_bound_`` count over all calls; the other attributes refer to the rows
        of the last call.

        Parameters
        ----------
        X : array, sparse matrix or frame of shape (n_samples, n_features)
        y : labels of any kind, one per row
        classes : list of all labels that will ever occur; needed in the first call
        sample_weight : a non-negative number per row, or None
            An update on a row takes a step this many times as long; a row of weight 0 is left out.

        Examples
        --------
        >>> from novikoff import Perceptron
        >>> model = Perceptron().partial_fit([[0.0], [1.0]], [0, 1], classes=[0, 1])
        >>> model.partial_fit([[2.0]], [1]).n_iter_
        2
        """
        go_on = hasattr(self, "classes_")
        if not go_on:  # _fit_context would do the same, in a tenth of the time of a later call
            self._validate_params()
        if self.early_stopping:
            raise ValueError("partial_fit makes one pass and holds no rows out: set early_stopping=False.")
        known = inputs.all_classes(self, classes)
        before = {name: getattr(self, name, 0) for name in self._counters}
        before["mistake_bound_"] = before["n_updates_"]
        scores = columns_of(self.decision_function(X)) if self.calibrated and go_on else None
        self._learn(X, y, sample_weight, go_on, 1, known, before["n_iter_"])
        for name, count in before.items():
            setattr(self, name, count + getattr(self, name))
        if self.calibrated:
            self._calibrate_on(scores, y, sample_weight)
        return self

    def decision_function(self, X: Any) -> Any:
        """The score w·x + b of every row; with several classes one column per class.

        Parameters
        ----------
        X : array, sparse matrix or frame of shape (n_samples, n_features)

        Examples
        --------
        >>> from novikoff import Perceptron, datasets
        >>> X, y = datasets.logic_gate("and")
        >>> Perceptron(order="cyclic").fit(X, y).decision_function(X).tolist()
        [-4.0, -2.0, -1.0, 1.0]
        """
        if not hasattr(self, "classes_"):
            check_is_fitted(self)
        scores = plane_scores(self, X, self.coef_)
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> Any:
        """The predicted label of every row: of two classes the second where w·x + b ≥ 0, else the one with most.

        Parameters
        ----------
        X : array, sparse matrix or frame of shape (n_samples, n_features)

        Examples
        --------
        >>> from novikoff import Perceptron, datasets
        >>> X, y = datasets.logic_gate("and")
        >>> Perceptron().fit(X, y).predict(X).tolist()
        [0, 0, 0, 1]
        """
        numbers = predicted_numbers(self.decision_function(X))
        return self.classes_[numbers]

    @available_if(is_calibrated)
    def predict_proba(self, X: Any) -> Any:
        """The probability of every class, one column each; only with ``calibrated``.

        After ``fit`` it is calibrated on scores of rows by clones that were not trained on them (five folds, or as many
        as the smallest class has rows); after ``partial_fit``, on the scores that its last rows had before they were
        trained on, and it is the same for all classes as long as one of them has not come.
        """
        scores = columns_of(self.decision_function(X))
        if not hasattr(self, "_calibration"):
            raise ValueError("The model was fitted without calibrated, so it has no probabilities: fit it again.")
        return self._calibration.probabilities(scores)

    def _calibrate_on(self, scores: np.ndarray | None, y: Any, sample_weight: Any) -> None:
        """Keep the scores that the rows of a call had before it, if there were any."""
        if not hasattr(self, "_calibration"):
            self._calibration = empty_calibration(self.calibrated, len(self.classes_))
        if scores is not None:
            weights = np.ones(len(scores)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
            self._calibration.add(scores, np.searchsorted(self.classes_, np.asarray(y).ravel()), weights)

    def _learn(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        go_on: bool,
        passes: int,
        classes: Any = None,
        passes_before: int = 0,
        start: tuple[Any, Any] = (None, None),
    ) -> list[Outcome]:
        """Validate everything, run, and only then set what was learnt."""
        rows = training_set(self, X, y, sample_weight, classes, learnt=go_on)
        if go_on:
            inputs.check_same_classes(rows.classes, self.classes_)
        resume, given = self._continued() if go_on else None, any(part is not None for part in start)
        if given:
            resume = self._given_start(rows, resume, *start)
        groups, outcomes = self._train(rows, resume, self._plan(rows, passes, passes_before, classes is None))
        if not go_on:
            learn_features(self, X)
        continued = go_on and not given
        self._set_learnt(outcomes, rows.classes, groups[0].update_radius, rows.sample_weight, groups, continued)
        return outcomes

    def _continued(self) -> Resume:
        """Where the last run ended, in terms of the parameters that there are now."""
        several = len(self.classes_) > 2 and self.multi_class != "joint"
        problems = len(self.classes_) if several else 1
        return self._resume.under(self.eta0, bool(self.fit_intercept), problems, self.average)

    def _given_start(self, rows: TrainingSet, resume: Resume | None, coef_init: Any, intercept_init: Any) -> Resume:
        """A run that begins with the given weights; what is not given is that of the run before, or zero."""
        vectors = 1 if len(rows.classes) == 2 else len(rows.classes)
        weights = np.zeros((vectors, rows.X.shape[1] + 1)) if resume is None else resume.weights.copy()
        if coef_init is not None:
            weights[:, :-1] = inputs.initial_weights("coef_init", coef_init, weights[:, :-1].shape) / self.eta0
        if intercept_init is not None:
            weights[:, -1] = inputs.initial_weights("intercept_init", intercept_init, (vectors,)) / self.eta0
            if weights[:, -1].any() and not self.fit_intercept:
                raise ValueError("intercept_init is a bias to start from, but fit_intercept=False learns none.")
        return end_of_run((), weights, self.eta0)

    def _train(
        self,
        training_set: TrainingSet,
        resume: Resume | None,
        plan: Plan,
        make: Callable[..., list[LinearProblems]] = make_problems,
    ) -> tuple[list[LinearProblems], list[Outcome]]:
        """Run on a training set, from where an earlier run ended, if there is one; nothing is set yet.

        ``make`` makes the problems of the training set.
        """
        joint, bias = self.multi_class == "joint", float(self.fit_intercept)
        start = None if resume is None else resume.weights
        n_jobs = self.n_jobs
        if getattr(self, "_skl_callbacks", None):  # they are told of one pass after the other
            n_jobs, self._classes_in_training = 1, training_set.classes
        groups = make(training_set, bias, start, self._rule(), joint, n_jobs, plan.max_iter)
        if resume is not None:
            resume.rewind(groups)
        first = 0
        for group in groups:
            vectors = slice(first, first + len(group.update_counts))
            if self._observes:
                trained_on = training_set._replace(row_order=plan.row_order)  # without the rows held out
                group.observer = self._observer(group, vectors, trained_on, resume)
            elif self.average:
                kept, shape = None if resume is None else resume.kept, (len(group.update_counts), group.W.shape[1])
                group.observer = Average(group.room(shape) if kept is None else group.laid_out(kept[vectors]))
            first = vectors.stop
        if self._recorder is not None:
            self._recorder.groups = groups
            for group in groups:
                group.record(self._recorder.limit)
        run = train_numbered if groups[0].wide else train
        return groups, run(groups, plan, self.verbose)

    def _plan(self, training_set: TrainingSet, passes: int, passes_before: int, fitting: bool) -> Plan:
        """The order of the rows, and when to stop; only fit holds rows out, or goes back to single rows to finish."""
        row_order, weights, validation = training_set.row_order, training_set.sample_weight, None
        n_rows, rule = training_set.X.shape[0], self._rule()
        ceases = (rule.ends or rule.second_order) and not self.average
        gives_up = bool(self.tol) and self.order == "shuffled" and ceases
        if not (self.early_stopping and fitting) and isinstance(self.random_state, Integral):
            seed = first_draw(int(self.random_state))
        else:
            random = check_random_state(self.random_state)
            seed = int(random.randint(2**31))
        if self.early_stopping and fitting:
            row_order, validation = train_test_split(
                row_order,
                test_size=self.validation_fraction,
                random_state=random,
                stratify=training_set.labels[row_order],
            )
            row_order, validation = np.sort(row_order), np.sort(validation)
        return Plan(
            order=self.order,
            row_order=row_order,
            seed=seed,
            passes_before=passes_before,
            max_iter=passes,
            tol=self.tol,
            n_rows=n_rows,
            total_weight=n_rows * float(weights[0] if len(weights) == 1 else weights.sum() / len(weights)),
            gives_up=gives_up,
            finish=gives_up and rule.ends and fitting and validation is None and not self._observes,
            validation=validation,
            n_iter_no_change=self.n_iter_no_change,
            persistent=self._persistent,
            counts_all=self._counts_all_passes,
        )

    def _set_learnt(
        self,
        outcomes: list[Outcome],
        classes: np.ndarray,
        radius: float,
        sample_weight: np.ndarray,
        groups: Sequence[LinearProblems] = (),
        go_on: bool = False,
    ) -> None:
        """Set what was learnt, and what the theory says of it; of several problems, arrays with one entry per class.

        The groups tell what is known of single rows; those of a cluster stay there.  ``go_on`` tells whether the run
        went on from an earlier one.
        """
        self.classes_, self.radius_ = classes, radius
        weights = self._set_weights(outcomes)
        self.n_iter_ = max(outcome.passes for outcome in outcomes)
        self.n_updates_ = each(outcome.updates for outcome in outcomes)
        self.status_ = each(outcome.status for outcome in outcomes)
        self._stopped_by = [outcome.stopped_by for outcome in outcomes]
        margins = [outcome.margin for outcome in outcomes]
        self.margin_, self.margin_bound_ = each(margins), each(outcome.margin_bound for outcome in outcomes)
        for name, figure in self._more_figures.items():
            setattr(self, name, each(getattr(outcome, figure) for outcome in outcomes))
        self._resume = end_of_run(groups, weights, self.eta0)
        if groups:
            self._update_counts = kept_counts([group.update_counts for group in groups])
            proofs = certificates(groups, outcomes, classes, radius, self._update_counts)
            self.certificate_ = proofs[0] if len(proofs) == 1 else proofs
        rule, mistake_bounds, lightest, heaviest = self._rule(), [], sample_weight[0], sample_weight[0]
        if len(sample_weight) > 1:  # else one for all
            positive = sample_weight[sample_weight > 0]
            lightest, heaviest = positive.min(), positive.max()
        for outcome, margin in zip(outcomes, margins, strict=True):
            best = margin
            if outcome.learnt is not outcome.weights:
                best = max(margin_of(outcome.length, outcome.lowest), margin)
            known = outcome.updates, outcome.margin_bound, outcome.precision, outcome.drift
            facts = Facts(outcome.started, lightest, heaviest, *known)
            mistake_bounds.append(rule.mistake_bound(radius, best, facts))
        self.mistake_bound_ = each(mistake_bounds)

    @classmethod
    @cache
    def _get_param_names(cls) -> list[str]:
        """Those of scikit-learn, which reads the signature anew for every fit: some 80 µs."""
        return super()._get_param_names()

    def _learnt_of(self, weights: np.ndarray) -> dict[str, Any] | None:
        """What a learner needs to predict with these weights, [w; b] of every vector; None if they are not enough."""
        coef, intercept = self.eta0 * weights[:, :-1], self.eta0 * float(self.fit_intercept) * weights[:, -1]
        return {"classes_": self._classes_in_training, "coef_": coef, "intercept_": intercept}

    def _set_weights(self, outcomes: list[Outcome]) -> np.ndarray:
        """The passes take steps of length 1 times the row's weight; eta0 only scales the result.

        Returns the last weights, which are not always those that are learnt.
        """
        weights = learnt = joined([outcome.weights for outcome in outcomes])
        if any(outcome.learnt is not outcome.weights for outcome in outcomes):
            learnt = joined([outcome.learnt for outcome in outcomes])
        self.coef_ = learnt[:, :-1] if self.eta0 == 1 else self.eta0 * learnt[:, :-1]
        self.intercept_ = self.eta0 * float(self.fit_intercept) * learnt[:, -1]
        return weights
