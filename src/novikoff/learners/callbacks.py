"""scikit-learn's callbacks, which it has from 1.9 on: told of a fit, and of every pass of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ..training.run import Follower, Run, following

if TYPE_CHECKING:
    CallbackSupportMixin: Any = object

    def with_callbacks(method: Callable[..., Any]) -> Callable[..., Any]: ...

else:
    try:
        from sklearn.callback import CallbackSupportMixin, with_callbacks
    except ImportError:  # scikit-learn below 1.9

        class CallbackSupportMixin:
            """scikit-learn has no callbacks below 1.9."""

        def with_callbacks(method):
            return method


class PassTasks:
    """Tells the callbacks of every pass, and the run if one of them asks for its end."""

    def __init__(self, learner: Any, context: Any, given: dict[str, Any], inner: Follower | None) -> None:
        self.learner, self.context, self.given, self.inner = learner, context, given, inner
        self.state = None if inner is None else inner.state

    def passed(self, number: int, mistakes: int, bound: float, run: Run) -> bool:
        """A task of the fit: the weights after it are those that the run would return now."""
        if self.inner is not None:
            self.inner.passed(number, mistakes, bound, run)
        task = self.context.subcontext(task_name="pass")
        task.call_on_fit_task_begin(estimator=self.learner, **self.given)

        def attributes() -> dict[str, Any]:
            return self.learner._learnt_of(run.problems.returned_weights())

        return bool(
            task.call_on_fit_task_end(estimator=self.learner, reconstruction_attributes=attributes, **self.given)
        )


@contextmanager
def told_of_passes(learner: Any, X: Any, y: Any, sample_weight: Any) -> Iterator[None]:
    """The fit in this block is a task of the learner's callbacks, with a task for every pass."""
    metadata = None if sample_weight is None else {"sample_weight": sample_weight}
    given = {"X": X, "y": np.asarray(y), "metadata": metadata}
    context = learner._init_callback_context(max_subtasks=learner.max_iter)
    context.call_on_fit_task_begin(estimator=learner, **given)
    before = following.get()
    token = following.set(lambda k: PassTasks(learner, context, given, before and before(k)))
    try:
        yield
    finally:
        following.reset(token)
    context.call_on_fit_task_end(estimator=learner, reconstruction_attributes=dict, **given)
