"""What every linear learner does: validate, number the classes, run the passes, set the learnt attributes."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils import check_random_state
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, validate_data

from ..passes.linear import Targets
from ..theory import bounds
from . import inputs, verdicts
from .problems import Problems, posed
from .progress import Progress
from .run import Outcome, Plan, Run, following


class LinearLearner(ClassifierMixin, BaseEstimator):
    """Base of the linear learners; a subclass has their parameters."""

    classes_: np.ndarray
    n_iter_: int
    n_updates_: Any
    mistake_bound_: Any

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
            The correction of a row takes a step this many times as long; a row of weight 0 is left out.
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
        passes, updates = (self.n_iter_, self.n_updates_) if go_on else (0, 0)
        self._learn(X, y, sample_weight, go_on, 1, known, passes)
        self.n_iter_ = passes + self.n_iter_
        self.n_updates_ = updates + self.n_updates_
        self.mistake_bound_ = updates + self.mistake_bound_
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
        lesson = inputs.lesson(self, X, y, sample_weight, classes)
        if go_on:
            validate_data(self, X, skip_check_array=True, reset=False)
            inputs.refuse_other_classes(lesson.classes, self.classes_)
        start = self._weights if go_on else self._zeros(lesson)
        groups, radius = self._posed(lesson, start)
        outcomes = self._run(groups, lesson, radius, passes, passes_before)
        validate_data(self, X, skip_check_array=True, reset=not go_on)
        self.classes_, self.radius_ = lesson.classes, radius
        self._set_weights(np.concatenate([outcome.weights for outcome in outcomes]))
        self._set_outcomes(outcomes, lesson.steps[lesson.steps > 0])
        self._set_proofs(groups, outcomes)
        return outcomes

    def _zeros(self, lesson: inputs.Lesson) -> np.ndarray:
        vectors = 1 if len(lesson.classes) == 2 else len(lesson.classes)
        return np.zeros((vectors, lesson.X.shape[1] + 1))

    def _posed(self, lesson: inputs.Lesson, start: np.ndarray) -> tuple[list[Problems], float]:
        """The problems in groups, and the length of their longest row."""
        rows, largest = inputs.rows_of(lesson, float(self.fit_intercept))
        targets = Targets(lesson.labels, lesson.steps)
        radius, joint = float(np.sqrt(largest)), self.multi_class == "joint"
        groups = posed(rows, targets, radius, start, joint, effective_n_jobs(self.n_jobs))
        return groups, groups[0].reach * radius

    def _run(
        self, groups: list[Problems], lesson: inputs.Lesson, radius: float, passes: int, passes_before: int
    ) -> list[Outcome]:
        """All problems to their end, a group a thread."""
        seed = int(check_random_state(self.random_state).randint(2**31))
        plan = Plan(self.order, lesson.visits, seed, passes_before, passes, self.tol, radius, lesson.X.shape[1])
        follow = following.get()
        with Progress(self.verbose, passes) as progress:
            done = Parallel(n_jobs=self.n_jobs, prefer="threads", require="sharedmem")(
                delayed(Run(group, lesson.X, plan).go)(progress.line(f"{k + 1}/{len(groups)}"), follow and follow(k))
                for k, group in enumerate(groups)
            )
        return [outcome for outcomes in done for outcome in outcomes]

    def _set_weights(self, weights: np.ndarray) -> None:
        """The passes take steps of length 1 times the row's weight; eta0 only scales the result."""
        self._weights = weights
        self.coef_ = weights[:, :-1] if self.eta0 == 1 else self.eta0 * weights[:, :-1]
        self.intercept_ = self.eta0 * float(self.fit_intercept) * weights[:, -1]

    def _set_outcomes(self, outcomes: list[Outcome], steps: np.ndarray) -> None:
        """What the theory says of each problem; of several, arrays with one entry a class."""
        lengths = [float(np.linalg.norm(outcome.weights)) for outcome in outcomes]
        margins = [o.lowest / length if length else 0.0 for o, length in zip(outcomes, lengths, strict=True)]
        self.n_iter_ = max(outcome.passes for outcome in outcomes)
        self.n_updates_ = each(outcome.updates for outcome in outcomes)
        self.status_ = each(outcome.status for outcome in outcomes)
        self.margin_ = each(margins)
        self.margin_bound_ = each(outcome.margin_bound for outcome in outcomes)
        self.mistake_bound_ = each(
            bounds.novikoff(self.radius_, margin, outcome.started, steps.min(), steps.max())
            for margin, outcome in zip(margins, outcomes, strict=True)
        )

    def _set_proofs(self, groups: list[Problems], outcomes: list[Outcome]) -> None:
        """How often each row was corrected, and what the run proved."""
        counts = groups[0].tally if len(groups) == 1 else np.concatenate([group.tally for group in groups])
        self.update_counts_ = counts[0] if len(counts) == 1 else counts
        owners = [group for group in groups for _ in range(group.size)]
        found = [verdicts.certificate(*pair, self.radius_) for pair in zip(owners, outcomes, strict=True)]
        self.certificate_ = found[0] if len(found) == 1 else found


def each(values: Iterable[Any]) -> Any:
    """One problem's value as it is, several problems' as an array."""
    values = list(values)
    return values[0] if len(values) == 1 else np.array(values)
