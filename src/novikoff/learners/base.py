"""What every linear learner does: validate, number the classes, run the passes, set the learnt attributes."""

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, validate_data

from .. import bounds, inputs
from ..passes.observers import Average, Nothing
from ..passes.rules import BEFORE, TRAVELLED, VISITS, Plain
from ..progress import Progress
from ..training import dataset
from ..training import outcomes as verdicts
from ..training.problems import Problems, laid_out
from ..training.run import Outcome, Plan, Run, following


class LinearLearner(ClassifierMixin, BaseEstimator):
    """Base of the linear learners.  A subclass says what its rule is, and what it keeps of a run."""

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
    }

    _counters: ClassVar[tuple[str, ...]] = ("n_iter_", "n_updates_")
    """What partial_fit counts over all calls."""
    average = False
    """Whether the weights handed out are the mean over all visits of the run."""
    _persistent = False
    """Whether a run goes on though it is proved that no plane separates."""
    _recorder: Any = None
    """Where theory.trace collects the updates of a run, if it does."""

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

    def _rule(self) -> Any:
        """When a row is updated, and how far: one of passes.rules."""
        return Plain()

    def _observer(self, group: Problems, lines: slice, training_set: dataset.TrainingSet, go_on: bool) -> Any:
        """What is kept of the run of a group that has these lines of all weight vectors: one of passes.watchers."""
        if not self.average:
            return Nothing()
        size = lines.stop - lines.start
        sums = self._sums[lines] if go_on else np.zeros((size, training_set.X.shape[1] + 1))
        return Average(laid_out(sums, group.rows))

    def _bound(self, outcome: Outcome, margin: float, steps: np.ndarray) -> float:
        """The most updates there could have been, if some plane has this margin."""
        return bounds.novikoff(self.radius_, margin, outcome.started, steps.min(), steps.max())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "LinearLearner":
        """Learn from the rows of X and their labels y; from zero, or with ``warm_start`` from the weights there are.

        Parameters
        ----------
        X : array, sparse matrix or frame of shape (n_samples, n_features)
        y : labels of any kind, one a row
        sample_weight : a non-negative number a row, or None
            The update of a row takes a step this many times as long; a row of weight 0 is left out.
        """
        go_on = self.warm_start and hasattr(self, "classes_")
        verdicts.warn(self, self._learn(X, y, sample_weight, go_on, self.max_iter))
        return self

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> "LinearLearner":
        """Make one pass over the given rows from the weights there are.

        ``classes`` lists all labels that will ever come and is needed in the first call.  ``n_iter_``, ``n_updates_``
        and ``mistake_bound_`` count over all calls; the other attributes speak of the rows of the last call.
        """
        go_on = hasattr(self, "classes_")
        known = inputs.all_classes(self, classes)
        before = {name: getattr(self, name, 0) for name in (*self._counters, "mistake_bound_")}
        before["mistake_bound_"] = before["n_updates_"]
        self._learn(X, y, sample_weight, go_on, 1, known, before["n_iter_"])
        for name, count in before.items():
            setattr(self, name, count + getattr(self, name))
        return self

    def decision_function(self, X: Any) -> Any:
        """w·x + b of every row; with several classes one column a class."""
        check_is_fitted(self)
        checked = inputs.checked(X, self)
        validate_data(self, X, skip_check_array=True, reset=False)
        with np.errstate(over="ignore", invalid="ignore"):
            scores = safe_sparse_dot(checked, self.coef_.T, dense_output=True) + self.intercept_
        if not np.isfinite(scores).all():
            raise ValueError(inputs.fault(checked, inputs.column_names(X)))
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> Any:
        """The label of every row: of two classes the second where w·x + b ≥ 0, of several the one with most."""
        scores = self.decision_function(X)
        return self.classes_[(scores >= 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    def _learn(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        go_on: bool,
        passes: int,
        classes: Any = None,
        passes_before: int = 0,
    ) -> list[Outcome]:
        """Validate everything, run, and only then set what was learnt."""
        training_set = dataset.training_set(self, X, y, sample_weight, classes)
        if go_on:
            validate_data(self, X, skip_check_array=True, reset=False)
            inputs.check_same_classes(training_set.classes, self.classes_)
        groups, outcomes = self._taught(training_set, go_on, passes, passes_before, fitting=classes is None)
        validate_data(self, X, skip_check_array=True, reset=not go_on)
        self._set_learnt(groups, outcomes, training_set, go_on)
        return outcomes

    def _taught(
        self, training_set: dataset.TrainingSet, go_on: bool, passes: int, passes_before: int, fitting: bool
    ) -> tuple[list[Problems], list[Outcome]]:
        """The problems of a lesson and how their runs ended; nothing is set yet."""
        start = self._weights if go_on else self._zeros(training_set)
        jobs, joint = effective_n_jobs(self.n_jobs), self.multi_class == "joint"
        groups = training_set.posed(float(self.fit_intercept), start, self._rule(), joint, jobs)
        self._equip(groups, training_set, go_on)
        outcomes = self._run(groups, training_set, self._plan(training_set, passes, passes_before, fitting))
        check_overflow(outcomes)
        return groups, outcomes

    def _set_learnt(
        self, groups: list[Problems], outcomes: list[Outcome], training_set: dataset.TrainingSet, go_on: bool
    ) -> None:
        """Set what was learnt."""
        self.classes_, self.radius_ = training_set.classes, groups[0].update_radius
        self._set_weights(outcomes)
        self._set_outcomes(outcomes, training_set.steps[training_set.steps > 0])
        self._set_proofs(groups, outcomes)
        self._keep(groups, training_set, go_on)

    def _zeros(self, training_set: dataset.TrainingSet) -> np.ndarray:
        vectors = 1 if len(training_set.classes) == 2 else len(training_set.classes)
        return np.zeros((vectors, training_set.X.shape[1] + 1))

    def _equip(self, groups: list[Problems], training_set: dataset.TrainingSet, go_on: bool) -> None:
        """Give every group its watcher, and the clock of the runs that it goes on from."""
        line = problem = 0
        for group in groups:
            lines = slice(line, line + len(group.tally))
            group.observer = self._observer(group, lines, training_set, go_on)
            if self._recorder is not None:
                self._recorder.attach(group)
            if go_on:
                group.ledger[:, [VISITS, BEFORE]] = self._clock[problem : problem + group.size]
            line, problem = lines.stop, problem + group.size

    def _plan(self, training_set: dataset.TrainingSet, passes: int, passes_before: int, fitting: bool) -> Plan:
        """The order of the rows, and when to stop; rows are set apart by fit only."""
        random = check_random_state(self.random_state)
        seed = int(random.randint(2**31))
        row_order, validation = training_set.row_order, None
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
            features=training_set.X.shape[1],
            validation=validation,
            n_iter_no_change=self.n_iter_no_change,
            persistent=self._persistent,
        )

    def _run(self, groups: list[Problems], training_set: dataset.TrainingSet, plan: Plan) -> list[Outcome]:
        """All problems to their end, a group a thread."""
        follow = following.get()
        with Progress(self.verbose, plan.max_iter) as progress:
            done = Parallel(n_jobs=self.n_jobs, prefer="threads", require="sharedmem")(
                delayed(Run(group, training_set.X, plan).go)(
                    progress.line(f"{k + 1}/{len(groups)}"), follow and follow(k)
                )
                for k, group in enumerate(groups)
            )
        return [outcome for outcomes in done for outcome in outcomes]

    def _set_weights(self, outcomes: list[Outcome]) -> None:
        """The passes take steps of length 1 times the row's weight; eta0 only scales the result."""
        self._weights = np.concatenate([outcome.weights for outcome in outcomes])
        learnt = self._weights
        if any(outcome.learnt is not outcome.weights for outcome in outcomes):
            learnt = np.concatenate([outcome.learnt for outcome in outcomes])
        self.coef_ = learnt[:, :-1] if self.eta0 == 1 else self.eta0 * learnt[:, :-1]
        self.intercept_ = self.eta0 * float(self.fit_intercept) * learnt[:, -1]

    def _set_outcomes(self, outcomes: list[Outcome], steps: np.ndarray) -> None:
        """What the theory says of each problem; of several, arrays with one entry a class."""
        self.n_iter_ = max(outcome.passes for outcome in outcomes)
        self.n_updates_ = each(outcome.updates for outcome in outcomes)
        self.status_ = each(outcome.status for outcome in outcomes)
        self.margin_ = each(margin_of(outcome.learnt, outcome.learnt_lowest) for outcome in outcomes)
        self.margin_bound_ = each(outcome.margin_bound for outcome in outcomes)
        self.mistake_bound_ = each(
            self._bound(outcome, max(margin_of(outcome.weights, outcome.lowest), margin), steps)
            for margin, outcome in zip(np.atleast_1d(self.margin_), outcomes, strict=True)
        )

    def _keep(self, groups: list[Problems], training_set: dataset.TrainingSet, go_on: bool) -> None:
        """Keep what a later run goes on from."""
        ledger = np.concatenate([group.ledger for group in groups])
        self._clock = np.column_stack([ledger[:, VISITS], ledger[:, BEFORE] + ledger[:, TRAVELLED]])
        if self.average:
            self._sums = np.concatenate([group.observer.sums[: len(group.tally)] for group in groups])

    def _set_proofs(self, groups: list[Problems], outcomes: list[Outcome]) -> None:
        """How often each row was updated, and what the run proved."""
        counts = groups[0].history if len(groups) == 1 else np.concatenate([group.history for group in groups])
        self.update_counts_ = counts[0] if len(counts) == 1 else counts
        owners = [(group, c) for group in groups for c in range(group.size)]
        asked = verdicts.questions(self.classes_, len(outcomes))
        found = [
            verdicts.certificate(group, outcome, self.radius_, verdicts.recorded(group, c, outcome, texts))
            for (group, c), outcome, texts in zip(owners, outcomes, asked, strict=True)
        ]
        self.certificate_ = found[0] if len(found) == 1 else found


def margin_of(weights: np.ndarray, lowest: float) -> float:
    """The least y·(w·x)/‖w‖."""
    length = float(np.linalg.norm(weights))
    return lowest / length if length else 0.0


def check_overflow(outcomes: list[Outcome]) -> None:
    """Raise if steps grew so long that weights are no longer numbers."""
    if not all(np.isfinite(outcome.learnt).all() for outcome in outcomes):
        raise ValueError(
            "The weights overflow float64, as some rows of X are much shorter than others: "
            "rescale X, for example with sklearn.preprocessing.StandardScaler."
        )


def each(values: Iterable[Any]) -> Any:
    """One problem's value as it is, several problems' as an array."""
    values = list(values)
    return values[0] if len(values) == 1 else np.array(values)
