"""Where requests are worked on: a few threads, a queue that has an end, and work that is dropped if nobody waits."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

SECONDS = 3.0
"""How long a run that is watched pass by pass may take; its passes so far are shown then."""


class Dropped(Exception):  # noqa: N818
    """Nobody waits for the answer any more."""


class Busy(Exception):  # noqa: N818
    """Too many requests wait already."""


class Ticket:
    """What a piece of work asks now and then: whether somebody still waits for it, and whether its time is up."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.end, self.dropped = time.monotonic() + seconds, False

    def drop(self) -> None:
        """Nobody waits any more."""
        self.dropped = True

    def check(self) -> None:
        """Go on only if somebody waits."""
        if self.dropped:
            raise Dropped

    @property
    def late(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self.end


class Lane:
    """Threads that work on requests, first come first served; beyond so many requests at a time it says Busy."""

    def __init__(self, name: str, threads: int, most: int) -> None:
        self.pool, self.most, self.under_way = ThreadPoolExecutor(threads, name), most, 0

    async def do(self, work: Callable[..., Any], *args: Any) -> Any:
        """The result of the work; cancelled before it began, it is not begun."""
        if self.under_way >= self.most:
            raise Busy
        self.under_way += 1
        try:
            return await asyncio.wrap_future(self.pool.submit(work, *args))
        finally:
            self.under_way -= 1

    def close(self) -> None:
        """Begin nothing more."""
        self.pool.shutdown(wait=False, cancel_futures=True)
