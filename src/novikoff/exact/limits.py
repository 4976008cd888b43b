"""How long a search may go on, and where it says how far it is."""

import time
from collections.abc import Callable
from dataclasses import dataclass


class UndecidedError(Exception):
    """The search ended without a proof; the text says why."""


@dataclass(frozen=True)
class Clock:
    """When to stop, whether exact searches may be made where floats find nothing, and who is told of progress."""

    end: float | None = None
    exact: bool = True
    say: Callable[[str], None] = lambda text: None

    def over(self) -> bool:
        """Whether the time is up."""
        return self.end is not None and time.monotonic() > self.end

    def left(self) -> float:
        """Seconds until then."""
        return float("inf") if self.end is None else max(self.end - time.monotonic(), 0.1)

    def __call__(self) -> None:
        if self.over():
            raise UndecidedError("the time limit was reached")
