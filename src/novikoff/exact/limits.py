"""How long a search may go on, and where it says how far it is."""

import time
from collections.abc import Callable
from dataclasses import dataclass

LONG_ENOUGH = 60.0
"""Seconds for a search for the fewest errors, if nothing else is said."""
SHORTEST = 0.1
"""Seconds that a solver is given at least, so that it ends by itself."""


class UndecidedError(Exception):
    """The search ended without a proof; the text says why."""


class NotTiedError(UndecidedError):
    """Rows that modulo primes seemed to lie in a span do not."""


@dataclass(frozen=True)
class SearchLimits:
    """When to stop, whether exact searches may be made where floats prove nothing, and who is told of progress."""

    end: float | None = None
    exact: bool = True
    say: Callable[[str], None] = lambda text: None

    def over(self) -> bool:
        """Whether the time is up."""
        return self.end is not None and time.monotonic() > self.end

    def seconds_left(self) -> float:
        """Seconds until then."""
        return float("inf") if self.end is None else max(self.end - time.monotonic(), SHORTEST)

    def __call__(self) -> None:
        """Raise if the time is up."""
        if self.over():
            raise UndecidedError("the time limit was reached")
