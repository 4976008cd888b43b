"""The engine for rows that are all in memory."""

import time
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from threadpoolctl import threadpool_limits

from ..data.frames import Columns
from ..errors import InputError
from ..learners.base import LinearLearner
from ..training.checkpoint import Checkpoint, checkpointing, fit_digest
from .decision import SeparationDecision, decide, deciding_command
from .engines import EvaluationSplit, FitEngine, make_recipe, split_rows
from .labelled_rows import LabelledRows, read_rows
from .measures import HeldOutRows, Quality, describe_tested
from .model_choice import Candidate, TimeLeft, candidates_of, choose, folds_of, sample, shuffled_folds
from .pipelines import collect_warnings, fit_transform, make_learner, make_preparation, settings_of, transform
from .recipe import take_rows
from .sentences import reason_of
from .yardsticks import Yardsticks

MOST_LOOKED_AT = 2**23
"""Numbers up to which all rows are looked at when it is asked whether they separate; else a part of them."""
A_PART = 2**20
"""Numbers of that part."""
YARDSTICK_SECONDS = 1.0
"""Seconds that each yardstick may always take; where measuring takes longer, as long as that."""


class MemoryEngine(FitEngine):
    """All rows are read at once; unless a model is asked for, candidates are compared on rows held out."""

    stages = "read", "choose", "learn", "measure", "separation"
    rows: LabelledRows
    split: EvaluationSplit
    X: Any  # the prepared rows to train on
    y: np.ndarray

    def read(self) -> None:
        self.rows = self.begun() if self.begun else read_rows(self.request)
        self.data = self.rows.describe()
        self.to_look_at = rows_to_look_at(self.rows)

    def prepare(self) -> None:
        self.recipe = make_recipe(self.request, self.rows.columns, self.rows.target, self.rows.X.shape[1])
        self.split = split_rows(self.request, self.rows, self.recipe)
        X, self.y = self.split.train
        self.prepare_rows(X, in_place=not self.split.folds)
        self.candidates = candidates_of(self.asked_model(), self.request.tune, self.X)
        compared = len(self.candidates) if len(self.candidates) > 1 else 0
        self.clock = TimeLeft(compared * (1 + self.split.folds), self.say, "Comparing models")
        self.candidate = self.choose(self.X, self.y)

    def prepare_rows(self, X: Any, in_place: bool) -> None:
        """Fit the preparation to rows, and prepare them."""
        preparation = make_preparation(self.rows.columns, self.request.missing == "impute")
        self.preparation, self.X = fit_transform(preparation, X, self.rows.names, in_place)

    def asked_model(self) -> str | None:
        """The model that is asked for; settings without a model are those of the default one."""
        return self.name if self.request.model or (self.request.settings and not self.request.tune) else None

    @property
    def fixed(self) -> dict[str, Any]:
        """Settings that hold for whatever model is taken."""
        weights = {"class_weight": self.request.class_weight} if self.request.class_weight else {}
        return settings_of(self.request.settings) | weights

    def choose(self, X: Any, y: np.ndarray) -> Candidate:
        """The best candidate on rows held out of these; the first choice is that of the model."""
        found = choose(self.candidates, X, y, self.fixed, self.clock.step)
        if self.choice is None and (found.trials or found.look):
            self.choice, self.name = found, found.best.name
            self.reason = reason_of(found)
        return found.best

    def make_learner(self, candidate: Candidate) -> Any:
        """The learner of a candidate, with all that is asked for."""
        make_learner(candidate.name, self.request.settings)  # checks them
        return candidate.learner(self.fixed)

    def learn(self) -> None:
        request, learner = self.request, self.make_learner(self.candidate)
        fit_id = ""
        if request.checkpoint:
            if not isinstance(learner, LinearLearner):
                name = type(learner).__name__
                raise InputError(f"--checkpoint is for the linear learners, and {name} is none of them.")
            fit_id = fit_digest([str(self.candidate), request.settings, self.recipe.kinds], self.X, self.y)
        with checkpointing(Checkpoint(request.checkpoint, request.checkpoint_every, fit_id, self.watch)) as checkpoint:
            learner.fit(self.X, self.y)
            self.pipeline = Pipeline([("prepare", self.preparation), ("learn", learner)])
        self.mistakes = [group.mistakes for group in checkpoint.groups.values()]

    def watch(self, passes: int, mistakes: int) -> None:
        """Say how far learning is."""
        self.say(f"Learning from {self.data.file}: pass {passes}, {mistakes:,} mistake{'s' * (mistakes != 1)} in it")

    def measure(self) -> None:
        start, classes = time.perf_counter(), self.pipeline[-1].classes_
        if self.split.test is None and not self.split.folds:
            self.quality = Quality(self.split.how)
            return
        tested = [self.test_part()] if self.split.test is not None else self.test_folds()
        parts = [part for part, _, _ in tested]
        joined = HeldOutRows.join(parts)
        with threadpool_limits(1):  # threads would wait for each other longer than the work takes
            self.quality, self.calibration = describe_tested(self.split.how, joined), joined.calibration()
        if self.request.yardsticks:
            limit = max(YARDSTICK_SECONDS, time.perf_counter() - start)
            yardsticks = Yardsticks(classes, limit, len(tested))
            for k, (_, train, test) in enumerate(tested):
                self.say(f"Yardsticks: fold {k + 1} of {len(tested)}, at most {2 * limit:.0f} s for all of them")
                yardsticks.lay_on(train, test)
            self.yardsticks = yardsticks.found()

    def test_part(self) -> tuple[HeldOutRows, Any, Any]:
        """The rows held out, tested; with the prepared rows to train on and to test on."""
        assert self.split.test is not None
        X, y = self.split.test
        X = transform(self.preparation, X, self.rows.names, in_place=True)
        return rows_tested(self.pipeline[-1], X, y), (self.X, self.y), (X, y)

    def test_folds(self) -> list[tuple[HeldOutRows, Any, Any]]:
        """The rows of every fold, tested by a model that was chosen, prepared and trained without them."""
        X, y = self.split.train
        found = []
        for fold, (train, test) in enumerate(folds_of(y, shuffled_folds(self.split.folds))):
            self.say(f"Measuring: fold {fold + 1} of {self.split.folds}")
            prepare = make_preparation(self.rows.columns, self.request.missing == "impute")
            X_train, y_train = prepare.fit_transform(take_rows(X, train)), y[train]
            X_test, y_test = prepare.transform(take_rows(X, test)), y[test]
            with collect_warnings():
                learner = self.make_learner(self.choose(X_train, y_train)).fit(X_train, y_train)
            found.append((rows_tested(learner, X_test, y_test, fold), (X_train, y_train), (X_test, y_test)))
        return found

    def refit(self) -> None:
        """Learn once more, from all rows, those that were held out among them."""
        self.rows = read_rows(self.request)
        self.prepare_rows(self.rows.X, in_place=True)
        self.y = self.rows.y
        self.learn()

    def decide(self, seconds: float) -> None:
        start = time.monotonic()
        X, y, whole = self.to_look_at
        self.say(f"Do the classes separate? At most {seconds:.0f} s")
        filled = 0
        if not hasattr(X, "nnz") and hasattr(X, "iloc"):
            filled = int(X.isna().to_numpy().any(axis=1).sum())
            prepare = make_preparation(self.rows.columns, self.request.missing == "impute", scaled=False)
            X = prepare.fit_transform(X)
        questions = decide(X, y, whole, seconds)
        kinds = (self.rows.columns or Columns({})).kinds
        open_ = any(question.verdict == "unknown" for question in questions)
        command = deciding_command(self.request, kinds) if open_ else None
        seconds = round(time.monotonic() - start, 3)
        self.separation = SeparationDecision(questions, len(y), seconds, command, filled)


def rows_to_look_at(rows: LabelledRows) -> tuple[Any, np.ndarray, bool]:
    """All rows as they are in the file, or a copy of a part if there are many; with their labels, and which it is."""
    numbers = rows.X.nnz if hasattr(rows.X, "nnz") else rows.X.size
    if numbers <= MOST_LOOKED_AT:
        return rows.X.copy(), rows.y, True
    places = sample(rows.y, max(1000, A_PART * rows.X.shape[0] // numbers))
    return take_rows(rows.X, places), rows.y[places], False


def rows_tested(learner: Any, X: Any, y: np.ndarray, fold: int = 0) -> HeldOutRows:
    """Rows that a learner was not trained on, tested."""
    scores = scores_of(learner, X)
    return HeldOutRows.of(learner.classes_, y, learner.predict(X), scores, fold)


def scores_of(model: Any, X: Any) -> np.ndarray:
    """The score of every class, of two classes of the second: w·x + b, or what else the learner goes by."""
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(X))
    probabilities = model.predict_proba(X)
    return probabilities[:, 1] if probabilities.shape[1] == 2 else probabilities
