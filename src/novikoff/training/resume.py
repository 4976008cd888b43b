"""What a later fit goes on from: one object, kept on the estimator and in its model file."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..passes.ledger import BEFORE, TRAVELLED, VISITS
from .problems import LinearProblems


@dataclass(frozen=True)
class Resume:
    """The end of a run: its last weights, its clock, and what its observer kept (of an average, of a pocket)."""

    weights: np.ndarray  # [w; b] of every weight vector
    clock: np.ndarray  # per problem: the rows visited, and the steps travelled, since the beginning
    kept: np.ndarray | None = None

    def rewind(self, groups: list[LinearProblems]) -> None:
        """Set the clocks of the groups to where this run ended."""
        problem = 0
        for group in groups:
            group.ledger[:, [VISITS, BEFORE]] = self.clock[problem : problem + group.size]
            problem += group.size


def kept_weights(resume: Resume | None, vectors: slice, width: int) -> np.ndarray:
    """What the observer of these weight vectors kept; zeros at the beginning."""
    if resume is None or resume.kept is None:
        return np.zeros((vectors.stop - vectors.start, width + 1))
    return resume.kept[vectors]


def end_of_run(groups: list[LinearProblems], weights: np.ndarray) -> Resume:
    """What a later run goes on from, after the run of these groups."""
    ledger = np.concatenate([group.ledger for group in groups])
    clock = np.column_stack([ledger[:, VISITS], ledger[:, BEFORE] + ledger[:, TRAVELLED]])
    kept = None
    if groups[0].observer.kept is not None:
        kept = np.concatenate(
            [getattr(group.observer, group.observer.kept)[: len(group.update_counts)] for group in groups]
        )
    return Resume(weights, clock, kept)


def from_version_1(state: dict[str, Any]) -> dict[str, Any]:
    """The attributes of an estimator; those of version 0.1.0, which kept its resume in several, gathered into one."""
    if "_weights" not in state:
        return state
    kept = state.get("_pocket", state.get("_sums"))
    no_clock = np.zeros((np.size(state["n_updates_"]), 2))  # of a model from a cluster
    resume = Resume(state["_weights"], state.get("_clock", no_clock), kept)
    gathered = {"_weights", "_clock", "_sums", "_pocket"}
    return {name: value for name, value in state.items() if name not in gathered} | {"_resume": resume}
