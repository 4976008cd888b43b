"""The voted perceptron of Freund and Schapire."""

from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from sklearn.utils._param_validation import Interval
from sklearn.utils.extmath import safe_sparse_dot

from .. import inputs
from ..inputs import TrainingSet
from ..passes.observers import Log, Observer, empty_log
from ..training.outcomes import Outcome, Resume
from ..training.problems import LinearProblems
from .base import LinearLearner

BLOCK = 2**22
"""Scores that a prediction holds at a time."""


@dataclass
class Voters:
    """The last planes of a run: the last of them, the updates that lead from each to the next, and their births."""

    last: np.ndarray  # [w; b]
    rows: Any  # the row of every update
    steps: np.ndarray  # its signed step
    births: np.ndarray  # the time of the update that made a plane, 0 for the weights at the start
    end: float  # when the run ended
    bias: float  # 1 with a bias

    def followed_by(self, later: "Voters", most: int) -> "Voters":
        """The last planes of this run and a later one, at most so many."""
        some = slice(max(0, len(self.steps) + len(later.steps) + 1 - most), None)
        stack = sp.vstack if sp.issparse(self.rows) or sp.issparse(later.rows) else np.vstack
        return Voters(
            later.last,
            stack([self.rows, later.rows])[some],
            np.append(self.steps, later.steps)[some],
            np.append(self.births, later.births[1:])[some],
            later.end,
            later.bias,
        )

    def lives(self) -> np.ndarray:
        """How many visits each plane survived: the one of its birth, and those of rows that it had right."""
        return np.diff(np.append(self.births, self.end))

    def votes(self, X: Any) -> np.ndarray:
        """Σ life·sign(w·x) of all planes, over the sum of lives."""
        moves = (safe_sparse_dot(X, self.rows.T, dense_output=True) + self.bias) * self.steps
        later = np.cumsum(moves[:, ::-1], axis=1)[:, ::-1]  # what every plane lacks of the last
        scores = (X @ self.last[:-1] + self.bias * self.last[-1])[:, None] - np.column_stack(
            [later, np.zeros(X.shape[0])]
        )
        lives = self.lives()
        return np.where(scores >= 0, 1.0, -1.0) @ lives / lives.sum()


class VotedPerceptron(LinearLearner):
    """The perceptron whose weights all vote, each with as many votes as it survived rows.

    A prediction is the sign of Σ c·sign(w·x) over the planes w of the run, where w was right on c − 1 rows in a row.
    The last ``max_voters`` planes vote (of each class against the rest).  They are kept as the last of them and the
    updates between: memory for at most ``max_voters`` rows a class (sparse rows stay sparse) beside the weights.
    A prediction costs ``max_voters`` products where a plane costs one; ``AveragedPerceptron`` costs one and is nearly
    as good.

    Parameters
    ----------
    max_voters : int, default=1000
        How many planes vote at most, the last ones of the run.

    The others are those of ``Perceptron``; several classes are always one against the rest.

    Attributes
    ----------
    voters_ : list
        The planes that vote, for each class.

    The others are those of ``Perceptron``; ``coef_``, ``intercept_`` and ``margin_`` are those of the last plane.

    Examples
    --------
    >>> from novikoff import VotedPerceptron, datasets
    >>> X, y = datasets.planted_margin(100, 2, 0.1, random_state=0)
    >>> VotedPerceptron().fit(X, y).score(X, y)
    1.0

    References
    ----------
    Y. Freund and R. E. Schapire, "Large margin classification using the perceptron algorithm", Machine Learning 37,
    1999.
    """

    multi_class = "ovr"
    voters_: list[Voters]

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_voters": [Interval(Integral, 1, None, closed="left")],
        **{name: rule for name, rule in LinearLearner._parameter_constraints.items() if name != "multi_class"},
    }

    def __init__(
        self,
        max_voters: int = 1000,
        eta0: float = 1.0,
        order: str = "shuffled",
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        fit_intercept: bool = True,
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
        self.max_voters = max_voters

    _observes = True

    def _learnt_of(self, weights: np.ndarray) -> None:
        """A vote needs more than the last weights."""

    def _observer(
        self, group: LinearProblems, vectors: slice, training_set: TrainingSet, resume: Resume | None
    ) -> Observer:
        return empty_log(vectors.stop - vectors.start, self.max_voters)

    def _set_learnt(self, outcomes: list[Outcome], *run: Any) -> None:
        super()._set_learnt(outcomes, *run)
        *_, groups, go_on = run
        for group in groups:
            group.drop_copy()  # the rows of the voters take its room
        owners = [(group, c) for group in groups for c in range(group.size)]
        voters = [self._latest(group.observer, c, problem, group.X) for problem, (group, c) in enumerate(owners)]
        if go_on:
            voters = [a.followed_by(b, self.max_voters) for a, b in zip(self.voters_, voters, strict=True)]
        self.voters_ = voters

    def _latest(self, log: Log, c: int, problem: int, X: Any) -> Voters:
        """The last planes of one class, from the log of its updates."""
        made = int(log.heads[c])
        at = np.arange(max(0, made - self.max_voters), made) % self.max_voters
        births = log.times[c, at] if made >= self.max_voters else np.append(0.0, log.times[c, at])
        at = at[-(len(births) - 1) :] if len(births) > 1 else at[:0]
        last, end = self._resume.weights[problem], self._resume.clock[problem, 0]
        return Voters(last, X[log.rows[c, at]], log.steps[c, at], births, end, float(self.fit_intercept))

    def decision_function(self, X: Any) -> Any:
        """The votes for, less those against, over all votes; with several classes one column per class.

        Classes with equal votes are told apart by the last plane: its scores move the votes by less than one vote.
        """
        last = super().decision_function(X)
        checked = inputs.checked(X, self)
        size = max(1, BLOCK // self.max_voters)
        blocks = [checked[start : start + size] for start in range(0, checked.shape[0], size)]
        votes = [np.concatenate([voters.votes(block) for block in blocks]) for voters in self.voters_]
        if len(votes) == 1:
            return votes[0]
        fewest = min(1 / max(voters.lives().sum(), 1.0) for voters in self.voters_)
        return np.column_stack(votes) + fewest / 2 * last / (1 + np.abs(last))
