"""Following a fit pass by pass: the mistakes of every pass, and a checkpoint to go on from after a crash."""

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
from .run import following


class Diary:
    """The mistakes in every pass of every group of problems, and the state of its run when it was last saved."""

    def __init__(self, path: Path | None = None, seconds: float = 60.0, task: str = "") -> None:
        self.path, self.seconds, self.task = path, seconds, task
        self.parts: dict[int, Part] = {}
        self.lock = threading.Lock()
        for k, (mistakes, state) in enumerate(self.loaded()):
            self.parts[k] = Part(self, mistakes, state)

    def loaded(self) -> list[Any]:
        """The mistakes and state of every group in the file, if there is one."""
        if not (self.path and self.path.exists()):
            return []
        import skops.io  # a second's work

        try:
            kept = skops.io.load(self.path, trusted=[])
            task, groups = kept["task"], kept["groups"]
        except Exception as error:  # whatever a broken file makes the reader stumble over
            raise InputError(f"{self.path} is not a checkpoint: choose another name or remove it.") from error
        if task != self.task:
            raise InputError(
                f"{self.path} is the checkpoint of a fit on other data or with other settings: finish that one, or "
                "remove the file."
            )
        return list(groups)

    def follower(self, k: int) -> "Part":
        """Who follows group k."""
        return self.parts.setdefault(k, Part(self, [], None))

    def save(self) -> None:
        """Write down how far every group was when it was last looked at."""
        if self.path is None:
            return
        import skops.io

        with self.lock, replacing(self.path) as file:
            groups = [[part.mistakes, part.state] for _, part in sorted(self.parts.items())]
            skops.io.dump({"task": self.task, "groups": groups}, file)

    @property
    def mistakes(self) -> list[int]:
        """The mistakes in every pass, over all groups."""
        longest = max((len(part.mistakes) for part in self.parts.values()), default=0)
        return [sum(part.mistakes[i] for part in self.parts.values() if i < len(part.mistakes)) for i in range(longest)]


class Part:
    """Follows one group of problems."""

    def __init__(self, diary: Diary, mistakes: list[int], state: dict[str, Any] | None) -> None:
        self.diary, self.mistakes, self.state = diary, mistakes, state
        self.looked = time.monotonic()

    def passed(self, number: int, mistakes: int, bound: float, state: Callable[[], dict[str, Any]]) -> None:
        """Note the mistakes of a pass and, if it is time to, where the run is."""
        self.mistakes[number - 1 :] = [mistakes]
        if self.diary.path and time.monotonic() - self.looked >= self.diary.seconds:
            self.state = deepcopy(state())  # groups run in threads of their own: only here is this one between passes
            self.diary.save()
            self.looked = time.monotonic()


@contextmanager
def followed(diary: Diary) -> Iterator[Diary]:
    """Have the fits inside the block followed."""
    token = following.set(diary.follower)
    try:
        yield diary
    finally:
        following.reset(token)


def task_of(settings: Any, X: Any, y: Any) -> str:
    """A digest of the settings and the data of a fit."""
    found = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode())
    if isinstance(X, pd.DataFrame):
        found.update(pd.util.hash_pandas_object(X).to_numpy().tobytes())
    else:
        for part in (X.data, X.indices, X.indptr):
            found.update(np.ascontiguousarray(part).tobytes())
    found.update(pd.util.hash_array(y.astype(object)).tobytes())
    return found.hexdigest()
