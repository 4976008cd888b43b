"""Weights that come back: the search for a cycle of a run, which proves that no plane separates the rows."""

from typing import Any

import numpy as np

REMEMBERED = 2**20
"""Numbers that the search keeps, if one state is not more than that already."""


class CycleFinder:
    """Weights that a problem met at the end of earlier passes, found by their length, with its update counts then.

    What does not fit any more is forgotten after 1, 2, 4, 8, … passes; so, as Brent showed, every cycle is found.
    """

    def __init__(self, size: int) -> None:
        self.room = max(1, REMEMBERED // size)
        self.states: dict[float, list[tuple[np.ndarray, np.ndarray]]] = {}
        self.n_kept = 0

    def keep(self, passes: int, length: float, weights: np.ndarray, update_counts: np.ndarray) -> None:
        """Remember the state after so many passes."""
        if passes & (passes - 1) == 0 and self.n_kept >= self.room:
            self.states, self.n_kept = {}, 0
        if self.n_kept < self.room:
            self.states.setdefault(length, []).append((weights.copy(), update_counts.copy()))
            self.n_kept += 1

    def updates_since(self, length: float, weights: np.ndarray, update_counts: np.ndarray) -> np.ndarray | None:
        """The updates since the weights were as they are now, if they ever were."""
        for earlier, counts in self.states.get(length, []):
            if np.array_equal(earlier, weights):
                return update_counts - counts
        return None

    def state(self) -> list[Any]:
        """What is remembered, in a few arrays: lengths, weights and counts."""
        entries = [(length, *pair) for length, pairs in self.states.items() for pair in pairs]
        return [self.n_kept, *(np.array(column) for column in zip(*entries, strict=True))]

    def restore(self, state: list[Any]) -> None:
        """Take up a state."""
        self.n_kept, *columns = state
        self.states = {}
        for length, weights, counts in zip(*columns, strict=True):
            self.states.setdefault(float(length), []).append((weights, counts))
