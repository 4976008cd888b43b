"""A run measured along a plane: the numbers that the inequalities of the notes speak of."""

import math
from typing import Any

import numpy as np

from ..learners.features import SlackEmbedding
from ..learners.margin import PARTS
from ..proofs.certify import certify
from .trace import Trace, Updates

PATIENCE = 60.0
"""Seconds that the search for the best plane may take."""
NARROW = 1e-9
"""How far its margin may be from the best, in parts of it: rules may ask for just what there is."""


class MeasuredRun:
    """The numbers of a run, divided by η: after every update, or all in all.

    ``theorem`` says whose inequalities speak of it, ``notes`` what they cannot say.
    """

    def __init__(self, trace: Trace, problem: int, theorem: str) -> None:
        self.trace, self.problem, self.theorem = trace, problem, theorem
        self.one, self.eta, self.radius = trace.problem(problem), trace.eta0, trace.radius
        self.steps = np.abs(self.one.steps) / self.eta
        self.lengths = np.sqrt(trace.squares(problem)) / self.eta
        self.squared_rows = trace.squared_rows(problem)
        self.weights: Any = None if trace.kernel else trace.weights_before(len(self.one), problem)
        self.start_length = float(self.lengths[0])
        self.sum_length = self.length_of_sum()
        self.step_sum = float(self.steps.sum())
        self.last_length = self.length_of_last_weights()
        self.notes = cut_notes(self.one)
        self.equal = bool(np.allclose(self.steps, 1.0, rtol=1e-12))
        self.plain = self.theorem == "novikoff" and self.equal and not self.start_length
        self.longest = self.greatest_lengths()

    def length_of_sum(self) -> float:
        """‖Σ s·x‖ of all updates; with a kernel its square is Σ coefficient·f(x)."""
        if self.weights is not None:
            return float(np.linalg.norm(self.weights - self.trace.start_of(self.problem))) / self.eta
        dual = self.trace.dual(len(self.one), self.problem) / self.eta
        return math.sqrt(max(0.0, float((dual * self.function().T).sum())))

    def function(self) -> np.ndarray:
        """f(x)/η of every row, of the last function of a run with a kernel; of a joint problem one column per class."""
        learner, one, asked = self.trace.learner, self.one, self.trace.parameters
        if learner is None or one.made > len(one) or asked["average"] or asked["threshold"]:
            raise ValueError(
                "With a kernel an audit needs the fitted learner and all updates, without average or threshold: "
                "record the run again."
            )
        scores = learner.decision_function(self.trace.X) / self.eta
        return scores if scores.ndim == 1 or one.joint else scores[:, self.problem]

    def greatest_lengths(self) -> np.ndarray:
        """What the rule lets ‖w_t‖/η be at most, for t = 0, 1, …; infinite where no theorem says it.

        An update while y·(w·x) ≤ 0 adds at most s²·r² to the square; the chains of the margin perceptron say its own.
        """
        r, t = self.radius, np.arange(len(self.steps) + 1)
        if self.theorem == "novikoff":
            return np.hypot(self.start_length, r * np.sqrt(np.append(0.0, np.cumsum(self.steps**2))))
        if self.start_length or not self.equal:
            return np.full(len(t), np.inf)
        asked = self.trace.parameters["margin"]
        return r * np.sqrt(t * PARTS / (PARTS - 2)) if asked is None else 4 * r**2 / asked + 3 * t * asked / 4

    def measure(self, plane: np.ndarray | None, scores: np.ndarray, margin: float) -> None:
        """Measure the run along a unit vector v that has this margin, by the scores v·x of all rows.

        v·w_t/η is at least ρ·Σs − ‖w₀‖/η; ‖w_t‖/η is at most what the rule lets it be, and so the cosine has a floor.
        """
        self.margin = margin
        self.along = np.cumsum(self.steps * update_margins(self.one, scores))
        first = 0.0 if plane is None else float((plane * self.trace.start_of(self.problem)).sum()) / self.eta
        self.aligned = first + np.append(0.0, self.along)
        self.least_aligned = margin * np.append(0.0, np.cumsum(self.steps)) - self.start_length
        lengths, least = self.lengths[1:], self.least_aligned[1:]
        self.cosines = np.divide(self.aligned[1:], lengths, out=np.zeros(len(lengths)), where=lengths > 0)
        self.floors = np.where(least > 0, least / self.longest[1:], -1.0)

    def length_of_last_weights(self) -> float:
        """‖w‖/η of the weights that the learner itself came to, where they are at hand."""
        learner, one = self.trace.learner, self.one
        weights = getattr(getattr(learner, "_resume", None), "weights", None)
        if weights is None or one.made > len(one):
            return self.sum_length if self.weights is None else float(np.linalg.norm(self.weights)) / self.eta
        return float(np.linalg.norm(weights if one.joint else weights[self.problem]))

    def margin_reached(self) -> float:
        """The least y·(w·x)/‖w‖ under the last weights."""
        plane = unit_vector(self.weights)
        return float(row_margins(self.trace, self.one, plane_scores(self.trace, plane)).min())


def cut_notes(one: Updates) -> list[str]:
    """A word on a trace that lacks updates."""
    if one.made <= len(one):
        return []
    return [f"The trace has the first {len(one)} of {one.made} updates; M and w are those after them."]


def reference_plane(run: MeasuredRun, reference: Any) -> tuple[np.ndarray | None, np.ndarray | None, float, str]:
    """The unit vector v to measure along, v·x of all rows, and its margin; or why there is none."""
    trace, one = run.trace, run.one
    plane, scores = None, None
    if trace.kernel:
        if reference is not None:
            raise ValueError("With a kernel a run is measured along its own last function: leave reference out.")
        scores = run.function() / run.sum_length if run.sum_length else run.function()
    elif isinstance(reference, SlackEmbedding):
        plane = unit_vector(reference.plane(run.problem))
    elif reference is not None:
        plane = plane_from_numbers(trace, reference)
    elif one.joint:
        plane = unit_vector(run.weights)
    else:
        return certified_plane(trace, run.problem)
    scores = plane_scores(trace, plane) if plane is not None else scores
    margin = float(row_margins(trace, one, scores).min())
    if margin > 0:
        return plane, scores, margin, ""
    why = f"The plane has rows on its wrong side (the least y·(v·x) is {margin:.6g}): no bound follows."
    return None, None, margin, why


def certified_plane(trace: Trace, problem: int) -> tuple[np.ndarray | None, np.ndarray | None, float, str]:
    """The best plane that certify finds, with the margin that is proved of it."""
    certificate = certify(
        trace.X, trace.signs(problem), fit_intercept=bool(trace.bias), time_limit=PATIENCE, rel_gap=NARROW
    )
    if certificate.verdict != "separable":
        why = f"There is no plane to measure along. The data is {certificate.summary()}."
        return None, None, certificate.margin[1], why
    plane = unit_vector(np.append(np.ravel(certificate.coef), np.ravel(certificate.intercept)))
    scores = plane_scores(trace, plane)
    margin = float(row_margins(trace, trace.problem(problem), scores).min())
    return plane, scores, min(certificate.margin[0], margin), ""


def plane_from_numbers(trace: Trace, reference: Any) -> np.ndarray:
    """The numbers [w; b], or w, as a unit vector."""
    plane, d = np.asarray(reference, dtype=np.float64), trace.X.shape[1]
    if plane.ndim and plane.shape[-1] == d:
        plane = np.append(plane, np.zeros((*plane.shape[:-1], 1)), axis=-1)
    if not plane.ndim or plane.shape[-1] != d + 1 or not np.isfinite(plane).all() or not plane.any():
        raise ValueError(
            f"reference must be {d} finite numbers, one per feature, or one more for the bias, not all zero; "
            f"got an array of shape {np.shape(reference)}."
        )
    return unit_vector(plane)


def unit_vector(plane: np.ndarray) -> np.ndarray:
    return plane / np.linalg.norm(plane)


def plane_scores(trace: Trace, plane: np.ndarray) -> np.ndarray:
    """v·x of every row; in the joint problem one column per class."""
    return trace.X @ plane[..., :-1].T + trace.bias * plane[..., -1]


def row_margins(trace: Trace, one: Updates, scores: Any) -> np.ndarray:
    """y·(v·x) of every row; in the joint problem its score less that of the best rival."""
    if not one.joint:
        return np.where(trace.y == one.name, 1.0, -1.0) * scores
    each, labels = np.arange(len(trace.y)), np.searchsorted(trace.classes, trace.y)
    rivals = scores.copy()
    rivals[each, labels] = -np.inf
    return scores[each, labels] - rivals.max(axis=1)


def update_margins(one: Updates, scores: np.ndarray) -> np.ndarray:
    """y·(v·x) of the row of every update, with the y of its step; in the joint problem less that of its rival."""
    if not one.joint:
        return np.sign(one.steps) * scores[one.rows]
    return scores[one.rows, one.own] - scores[one.rows, one.rivals]
