"""What is kept of a fit while it goes on: the mistakes of every pass, and a file to go on from after a crash."""

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..atomic import replacing
from ..errors import InputError
from ..imports import skops_io
from .run import Run, following

FORMAT = 6
"""What a state holds: files of another format are those of another fit."""


class Checkpoint:
    """The mistakes in every pass of all groups of problems, and the state of each one's run when it was last saved.

    ``fit_id`` tells one fit from another; a file of another fit is refused.  Without a path nothing is saved.
    ``watch`` is told the number of every pass and its mistakes.
    """

    def __init__(
        self,
        path: Path | None = None,
        seconds: float = 60.0,
        fit_id: str = "",
        watch: Callable[[int, int], None] = lambda passes, mistakes: None,
    ) -> None:
        self.path, self.seconds, self.fit_id, self.watch = path, seconds, f"{FORMAT} {fit_id}", watch
        self.lock = threading.Lock()
        self.groups: dict[int, GroupState] = {}
        if path and path.exists():
            for k, (mistakes, state) in enumerate(self.read(path)):
                self.groups[k] = GroupState(self, mistakes, state)

    def read(self, path: Path) -> list[Any]:
        """The mistakes and the state of every group in a file."""
        try:
            kept = skops_io().load(path, trusted=[])
            fit_id, groups = kept["task"], kept["groups"]
        except Exception as error:  # whatever a broken file makes the reader stumble over
            raise InputError(f"{path} is not a checkpoint: choose another name or remove it.") from error
        if fit_id != self.fit_id:
            raise InputError(
                f"{path} is the checkpoint of a fit on other data or with other settings: finish that one, or "
                "remove the file."
            )
        return list(groups)

    def group(self, k: int) -> "GroupState":
        """What is kept of group k."""
        return self.groups.setdefault(k, GroupState(self, [], None))

    def save(self) -> None:
        """Write down how far every group was when its state was last taken."""
        if self.path is None:
            return
        with self.lock, replacing(self.path) as file:
            groups = [[group.mistakes, group.state] for _, group in sorted(self.groups.items())]
            skops_io().dump({"task": self.fit_id, "groups": groups}, file)


class GroupState:
    """What is kept of one group of problems: its mistakes by pass, and the state of its run."""

    def __init__(self, checkpoint: Checkpoint, mistakes: list[int], state: dict[str, Any] | None) -> None:
        self.checkpoint, self.mistakes, self.state = checkpoint, mistakes, state
        self.taken = time.monotonic()  # when its state was taken

    def passed(self, number: int, mistakes: int, bound: float, run: Run) -> bool:
        """Note the mistakes of a pass and, if it is time to, where the run is."""
        self.mistakes[number - 1 :] = [mistakes]
        self.checkpoint.watch(number, mistakes)
        if self.checkpoint.path and time.monotonic() - self.taken >= self.checkpoint.seconds:
            self.state = deepcopy(
                run.state()
            )  # groups run in threads of their own: only here is this one between passes
            self.checkpoint.save()
            self.taken = time.monotonic()
        return False


@contextmanager
def checkpointing(checkpoint: Checkpoint) -> Iterator[Checkpoint]:
    """The fits inside the block note their passes in the checkpoint, and go on from it."""
    token = following.set(checkpoint.group)
    try:
        yield checkpoint
    finally:
        following.reset(token)


def fit_digest(settings: Any, X: Any, y: Any) -> str:
    """A digest of the settings and the data of a fit."""
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode())
    if isinstance(X, pd.DataFrame):
        digest.update(pd.util.hash_pandas_object(X).to_numpy().tobytes())
    else:
        for array in (X,) if isinstance(X, np.ndarray) else (X.data, X.indices, X.indptr):
            digest.update(np.ascontiguousarray(array).tobytes())
    digest.update(pd.util.hash_array(y.astype(object)).tobytes())
    return digest.hexdigest()
