"""Trace: every update of a run, as the library's own passes made it.

A trace keeps what moved the weights (row, signed step), not the weights: these are put together again when asked for,
w = w₀ + Σ s·[x; 1] over the updates so far.
"""

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from pathlib import Path
from typing import Any, cast

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.utils.extmath import row_norms

from .. import inputs
from ..atomic import replacing, write_text
from ..errors import finite_or_none
from ..learners.base import LinearLearner
from ..learners.kernel import KernelPerceptron
from ..passes.observers import Recording
from ..training.kernels import points
from ..training.problems import LinearProblems, Problems, dense_row

FORMAT = "novikoff-trace"
VERSION = 3
FORMER_KEYS = {"leads": "row_margins", "unit": "bias"}
"""What version 1 calls otherwise."""
ARRAYS = ("rows", "steps", "row_margins", "times", "passes", "own", "rivals", "shrinks")
"""What is kept of every update, entry by entry."""
REAL_ARRAYS = ("steps", "row_margins", "shrinks")
"""Those of them that are no whole numbers."""
DATA = ("X", "labels", "squared", "start")
FIGURES = ("margin", "margin_bound", "mistake_bound")


@dataclass(frozen=True)
class Updates:
    """The updates of one problem, in order; entry k of every array is of update k.

    Attributes
    ----------
    name : the class that is told from the rest, or from the other one; None where all classes are learnt jointly
    rows : the row that each update was made on
    steps : s in w ← w + s·[x; 1], negative for a row of another class; of a joint problem the length of the step, added
        to the weights of the row's own class (``own``) and taken from those of its ``rivals``
    row_margins : y·(w·x) of the row before the update; of a joint problem its score less that of the best rival
    times : how many rows had been looked at before
    passes : the pass, from 1
    shrinks : of a learner with variances σ, β in σ ← σ − β·(σ·x)²; then w ← w + s·σ·[x; 1]; of others, nothing
    made : how many updates the run made; more than are written down if the trace is cut
    status, margin, margin_bound, mistake_bound : what the learner knows of the problem
    """

    name: Any
    rows: np.ndarray
    steps: np.ndarray
    row_margins: np.ndarray
    times: np.ndarray
    passes: np.ndarray
    own: np.ndarray
    rivals: np.ndarray
    shrinks: np.ndarray
    made: int
    status: str
    margin: float
    margin_bound: float
    mistake_bound: float

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def joint(self) -> bool:
        """Whether all classes are learnt against each other."""
        return len(self.rivals) > 0 or self.name is None


@dataclass(frozen=True, repr=False)
class Trace:
    """A run: the data, the learner that came out of it, and its updates, problem by problem.

    Attributes
    ----------
    learner : the fitted learner; None in a trace that was loaded
    name, parameters : what the learner is
    X, y, classes : what it was trained on
    squared : ‖[x; bias]‖² of every row; of a kernel κ(x, x), the squared length in its feature space
    bias : the feature that every row has besides: 1, or 0 without an intercept
    eta0 : the learning rate; ``steps`` and ``row_margins`` are those of weights that have it in them
    radius : the length of the longest row [x; bias]
    start : the weights [w; b] that the run began with, one row per weight vector; with a kernel it begins with none
    problems : the updates of each problem: one for two classes or for all jointly, else one per class

    The methods speak of the first problem unless another is named.
    """

    name: str
    parameters: dict[str, Any]
    X: Any
    y: np.ndarray
    classes: np.ndarray
    squared: np.ndarray
    bias: float
    eta0: float
    radius: float
    problems: tuple[Updates, ...]
    start: np.ndarray
    learner: Any = field(default=None, compare=False)

    def __len__(self) -> int:
        """How many updates are written down."""
        return sum(map(len, self.problems))

    def __repr__(self) -> str:
        return f"<Trace of {self.name}: {len(self)} updates in {len(self.problems)} problem(s)>"

    def problem(self, number: int = 0) -> Updates:
        """The updates of one problem."""
        if not 0 <= number < len(self.problems):
            raise ValueError(f"The trace has the problems 0 to {len(self.problems) - 1}, not {number}.")
        return self.problems[number]

    @property
    def kernel(self) -> Any:
        """The kernel of a KernelPerceptron, else None."""
        return self.parameters.get("kernel")

    @property
    def cut(self) -> bool:
        """Whether the run made more updates than are written down."""
        return any(one.made > len(one) for one in self.problems)

    def signs(self, problem: int = 0) -> np.ndarray:
        """y as ±1 in a problem of two sides."""
        one = self.problem(problem)
        if one.joint:
            raise ValueError("In the joint problem rows have rivals, not signs: record with multi_class='ovr'.")
        return np.where(self.y == one.name, 1.0, -1.0)

    def dual(self, k: int, problem: int = 0) -> np.ndarray:
        """The coefficient of every row in the weights after k updates: w = w₀ + Σ coefficient·[x; bias].

        With a kernel they are those of f = Σ coefficient·κ(x, ·).  Of a joint problem one row per class.
        """
        one = self.problem(problem)
        if not 0 <= k <= len(one):
            raise ValueError(f"There are weights after 0 to {len(one)} of the updates written down, not after {k}.")
        if len(one.shrinks):
            raise ValueError("Weights that were learnt with variances are no sum of rows: ask for weights_before(k).")
        rows, steps, n = one.rows[:k], one.steps[:k], self.X.shape[0]
        if not one.joint:
            return np.bincount(rows, steps, n)
        coefficients = np.zeros((len(self.classes), n))
        np.add.at(coefficients, (one.own[:k], rows), steps)
        np.add.at(coefficients, (one.rivals[:k], rows), -steps)
        return coefficients

    def weights_before(self, k: int, problem: int = 0) -> np.ndarray:
        """[w; b] before update k, counted from 0; before ``len`` of the updates it is the last there is."""
        if self.kernel:
            raise ValueError("The weights of a kernel's feature space are no list of numbers: ask for dual(k).")
        one = self.problem(problem)
        if len(one.shrinks) and 0 <= k <= len(one):
            *_, last = self.path(k, problem)
            return last
        dual, used = self.dual(k, problem), np.unique(one.rows[:k])
        moved = np.append(dual[..., used] @ self.X[used], self.bias * dual.sum(axis=-1)[..., None], axis=-1)
        return self.start_of(problem) + moved

    def start_of(self, problem: int = 0) -> np.ndarray:
        """[w; b] that a problem began with; in the joint problem one row per class."""
        return self.start if self.problem(problem).joint else self.start[problem]

    @property
    def from_zero(self) -> bool:
        """Whether the run began with weights of zero."""
        return not self.start.any()

    def weights_after(self, k: int, problem: int = 0) -> np.ndarray:
        """[w; b] after update k, counted from 0."""
        return self.weights_before(k + 1, problem)

    def path(self, k: int, problem: int = 0) -> Iterator[np.ndarray]:
        """[w; b] after 0, 1, … k updates, one after the other."""
        one = self.problem(problem)
        W = np.atleast_2d(self.start_of(problem)).astype(np.float64)
        variances = np.ones_like(W)
        yield W.copy() if one.joint else W[0].copy()
        for t in range(k):
            x = self.augmented_row(int(one.rows[t]))
            moved = [(one.own[t], 1.0), (one.rivals[t], -1.0)] if one.joint else [(0, 1.0)]
            for vector, sign in moved:
                spread = variances[vector] * x if len(one.shrinks) else x
                W[vector] += sign * one.steps[t] * spread
                if len(one.shrinks):
                    variances[vector] -= one.shrinks[t] * spread**2
            yield W.copy() if one.joint else W[0].copy()

    def augmented_row(self, i: int) -> np.ndarray:
        """[x; bias] of row i."""
        x = self.X[[i]].toarray() if sp.issparse(self.X) else self.X[[i]]
        return np.append(np.asarray(x, dtype=np.float64).ravel(), self.bias)

    def squared_rows(self, problem: int = 0) -> np.ndarray:
        """The squared length of the row of every update; twice it in a joint problem, where a row moves two classes."""
        one = self.problem(problem)
        return (2.0 if one.joint else 1.0) * self.squared[one.rows]

    def squares(self, problem: int = 0) -> np.ndarray:
        """‖w‖² after 0, 1, 2, … updates: a step s on a row makes it ‖w‖² + 2s·y·(w·x) + s²·‖x‖²."""
        one = self.problem(problem)
        if len(one.shrinks):
            return np.array([(W**2).sum() for W in self.path(len(one), problem)])
        steps = np.abs(one.steps)
        gains = steps * (2 * one.row_margins + steps * self.squared_rows(problem))
        start = 0.0 if self.kernel else float((self.start_of(problem) ** 2).sum())
        return np.append(start, np.maximum(start + np.cumsum(gains), 0.0))

    def to_dict(self, data: bool = True) -> dict[str, Any]:
        """All of it as JSON knows it, without the learner, and with ``data=False`` without X and y.

        Figures that are infinite or unknown are None.
        """
        about, arrays = self._to_parts()
        for k, one in enumerate(about["problems"]):
            one.update({name: arrays[f"{name}_{k}"].tolist() for name in ARRAYS})
        if data:
            about.update({name: arrays[name].tolist() for name in arrays if name.split("_")[0] in DATA})
        return about

    def save(self, path: Any) -> None:
        """Write the trace to a file that ends in .npz or .json; the learner is not in it."""
        path = Path(path)
        if file_format(path) == ".json":
            write_text(path, json.dumps(self.to_dict(), allow_nan=False))
        else:
            about, arrays = self._to_parts()
            stored: dict[str, Any] = {"about": json.dumps(about, allow_nan=False), **arrays}
            with replacing(path) as part, part.open("wb") as file:
                np.savez_compressed(file, **stored)

    @classmethod
    def load(cls, path: Any) -> "Trace":
        """Read a trace that was saved."""
        path = Path(path)
        if file_format(path) == ".json":
            about = json.loads(path.read_text(encoding="utf-8"))
            arrays = {name: np.array(about[name]) for name in about if name.split("_")[0] in DATA}
            for k, one in enumerate(about.get("problems", [])):
                arrays.update(
                    {f"{name}_{k}": np.array(value) for name, value in one.items() if isinstance(value, list)}
                )
        else:
            with np.load(path, allow_pickle=False) as stored:
                arrays = dict(stored)
            about = json.loads(str(arrays["about"])) if "about" in arrays else {}
        return from_parts(about, arrays, path)

    def _to_parts(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Names and figures, and arrays."""
        arrays = {f"{name}_{k}": getattr(one, name) for k, one in enumerate(self.problems) for name in ARRAYS}
        arrays["labels"], arrays["squared"] = np.searchsorted(self.classes, self.y), self.squared
        arrays["start"] = self.start
        if sp.issparse(self.X):
            arrays.update(X_data=self.X.data, X_indices=self.X.indices, X_indptr=self.X.indptr)
        else:
            arrays["X"] = self.X
        about = {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "parameters": json.loads(json.dumps(self.parameters, default=str)),
            "shape": list(self.X.shape),
            "classes": self.classes.tolist(),
            "bias": self.bias,
            "eta0": self.eta0,
            "radius": self.radius,
            "problems": [
                {
                    "name": None if one.name is None else self.classes.tolist().index(one.name),
                    "made": one.made,
                    "status": one.status,
                    **{name: finite_or_none(getattr(one, name)) for name in FIGURES},
                }
                for one in self.problems
            ],
        }
        return about, arrays


def record(
    learner: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    limit: int = 100_000,
    coef_init: Any = None,
    intercept_init: Any = None,
) -> Trace:
    """Fit a clone of the learner and write down every update that it makes.

    Parameters
    ----------
    learner : a linear learner of this library, or a KernelPerceptron without a budget
    X, y, sample_weight : as for its ``fit``
    limit : how many updates of each problem are kept, the first ones; a trace that lacks some says so (``cut``)
    coef_init, intercept_init : as for the ``fit`` of a linear learner, the weights to start from; by default zero

    Examples
    --------
    >>> from novikoff import Perceptron, datasets, record
    >>> X, y = datasets.logic_gate("and")
    >>> trace = record(Perceptron(order="cyclic"), X, y)
    >>> trace.problems[0].rows[:4].tolist(), trace.problems[0].steps[:4].tolist()
    ([0, 3, 0, 1], [-1.0, 1.0, -1.0, -1.0])
    >>> trace.weights_after(len(trace) - 1).tolist(), trace.learner.status_
    ([3.0, 2.0, -4.0], 'separated')
    """
    if not isinstance(learner, LinearLearner | KernelPerceptron):
        raise TypeError(
            f"record takes a linear learner such as Perceptron, or a KernelPerceptron, got {type(learner).__name__}."
        )
    if getattr(learner, "budget", None) is not None:
        raise ValueError("A run on a budget forgets updates, so there is no trace of it: record with budget=None.")
    if not isinstance(limit, Integral) or limit < 1:
        raise ValueError(f"limit must be a whole number of updates, at least 1, got {limit!r}.")
    model = clone(learner)
    model._recorder = recorder = Recorder(int(limit))
    start = {"coef_init": coef_init, "intercept_init": intercept_init}
    given = {name: value for name, value in start.items() if value is not None}
    if given and isinstance(learner, KernelPerceptron):
        raise ValueError("The function of a kernel is no list of weights to start from: leave coef_init out.")
    try:
        model.fit(X, y, sample_weight, **given)
    finally:
        del model._recorder
    rows = inputs.checked(X, model)
    return Trace(
        name=type(model).__name__,
        parameters=model.get_params(),
        X=rows,
        y=np.asarray(y).ravel(),
        classes=model.classes_,
        squared=squared_lengths(model, rows),
        bias=float(model.fit_intercept),
        eta0=float(model.eta0),
        radius=float(model.radius_),
        problems=tuple(recorder.updates(model)),
        start=recorder.start(model),
        learner=model,
    )


def squared_lengths(model: Any, X: Any) -> np.ndarray:
    """‖[x; bias]‖² of every row, or κ(x, x)."""
    if isinstance(model, KernelPerceptron):
        return np.asarray(model._resume.kernel.diagonal(points(X)), dtype=np.float64)
    return row_norms(X.astype(np.float64), squared=True) + float(model.fit_intercept)


class Recorder:
    """How many updates of a fit are to be written down, and the groups of problems that wrote them."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.groups: Sequence[Problems] = ()

    def updates(self, model: Any) -> Iterator[Updates]:
        """The updates of every problem, after the run."""
        problems = [(group, c) for group in self.groups for c in range(group.size)]
        for problem, (group, c) in enumerate(problems):
            yield updates_of(model, problem, group, c)

    def start(self, model: Any) -> np.ndarray:
        """The weights that the run began with, one row per weight vector; with a kernel none."""
        if isinstance(model, KernelPerceptron):
            return np.empty((0, 0))
        starts = []
        for group in cast(Sequence[LinearProblems], self.groups):
            n = len(group.update_counts)
            starts.append(np.zeros((n, group.W.shape[1])) if group.start is None else group.start[:n])
        return model.eta0 * np.concatenate(starts) + 0.0  # no −0.0


def is_joint(group: Problems) -> bool:
    """Whether a problem of the group has a weight vector for every class."""
    return group.size < len(group.update_counts)


def updates_of(model: Any, problem: int, group: Problems, c: int) -> Updates:
    """The updates of a problem of the model, which is problem c of its group."""
    recording, joint, eta = cast(Recording, group.recording), is_joint(group), model.eta0
    written = slice(0, int(recording.made[c]), 2 if joint else 1)
    rows, vectors, times = recording.rows[c, written], recording.vectors[c], recording.times[c, written]
    ends = np.array([end[c] for end in group.pass_ends])
    names = model.classes_[1:] if len(model.classes_) == 2 else model.classes_
    figures = (model.n_updates_, model.status_, model.margin_, model.margin_bound_, model.mistake_bound_)
    made, status, *margins = (np.atleast_1d(figure)[problem].item() for figure in figures)
    return Updates(
        None if joint else names[problem],
        rows.astype(np.int64),
        eta * recording.steps[c, written],
        eta * recording.row_margins[c, written] + 0.0,  # no −0.0
        times.astype(np.int64),
        1 + np.minimum(np.searchsorted(ends, times, side="right"), len(ends) - 1),
        vectors[written].astype(np.int64) if joint else np.empty(0, np.int64),
        vectors[1::2][: len(rows)].astype(np.int64) if joint else np.empty(0, np.int64),
        shrinks_of(group, recording, c, joint),
        int(made),
        status,
        *margins,
    )


def shrinks_of(group: Any, recording: Recording, c: int, joint: bool) -> np.ndarray:
    """β of every update that is written down, where the rule learns variances: these are followed from the start."""
    if group.variances is None:
        return np.empty(0)
    variances, weights, X = np.ones_like(group.variances), group.targets.sample_weight, group.X
    shrinks = []
    for k in range(0, int(recording.made[c]), 2 if joint else 1):
        i = int(recording.rows[c, k])
        x = np.append(dense_row(X, i), group.rows.bias)
        vectors = recording.vectors[c, k : k + (2 if joint else 1)].astype(np.int64)
        variance = float((variances[vectors] @ x**2).sum())
        weight = float(weights[min(i, len(weights) - 1)])
        shrinks.append(group.rule.shrink(abs(float(recording.steps[c, k])), variance, weight))
        variances[vectors] -= shrinks[-1] * (variances[vectors] * x) ** 2
    return np.array(shrinks)


def from_parts(about: dict[str, Any], arrays: dict[str, np.ndarray], path: Path) -> Trace:
    """A trace from its names, figures and arrays, in the words of any version."""
    if about.get("format") != FORMAT or about.get("version") not in range(1, VERSION + 1):
        raise ValueError(
            f"{path} is not a trace of a version from 1 to {VERSION}: make one with record(...).save(path)."
        )
    for former, name in FORMER_KEYS.items():
        about = {name if key == former else key: value for key, value in about.items()}
        arrays = {re.sub(rf"^{former}(?=_\d+$)", name, key): array for key, array in arrays.items()}
    classes = np.array(about["classes"])
    if "X" in arrays:
        X = arrays["X"].reshape(about["shape"])
    else:
        X = sp.csr_array((arrays["X_data"], arrays["X_indices"], arrays["X_indptr"]), shape=about["shape"])
    start = arrays.get("start")
    vectors = 1 if len(classes) == 2 else len(classes)
    return Trace(
        about["name"],
        about["parameters"],
        X,
        classes[arrays["labels"].astype(np.int64)],
        classes,
        arrays["squared"],
        about["bias"],
        about["eta0"],
        about["radius"],
        tuple(updates_from_parts(one, k, classes, arrays) for k, one in enumerate(about["problems"])),
        np.zeros((vectors, X.shape[1] + 1)) if start is None else start.astype(np.float64),
    )


def updates_from_parts(about: dict[str, Any], k: int, classes: np.ndarray, arrays: dict[str, np.ndarray]) -> Updates:
    """The updates of problem k."""
    types = {name: np.float64 if name in REAL_ARRAYS else np.int64 for name in ARRAYS}
    given = {name: arrays.get(f"{name}_{k}", np.empty(0)) for name in ARRAYS}  # early traces have no shrinks
    kept: dict[str, Any] = {name: values.astype(types[name]) for name, values in given.items()}
    kept.update({name: math.inf if about[name] is None else about[name] for name in FIGURES})
    name = None if about["name"] is None else classes[about["name"]]
    return Updates(name=name, made=about["made"], status=about["status"], **kept)


def file_format(path: Path) -> str:
    """The ending of the file's name, which says how it is written."""
    if path.suffix not in (".npz", ".json"):
        raise ValueError(f"A trace is kept in a file that ends in .npz or .json, not in {path.name!r}.")
    return path.suffix
