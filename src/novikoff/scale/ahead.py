"""Reading in a thread while what has been read is worked on."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def read_ahead(batches: Iterator[T], depth: int = 1) -> Iterator[T]:
    """The same batches; from now on, up to ``depth`` of them are read in a thread before they are asked for.

    >>> list(read_ahead(iter("abc"), depth=2))
    ['a', 'b', 'c']
    """
    pool = ThreadPoolExecutor(1)
    return taken(batches, pool, deque(pool.submit(next, batches, None) for _ in range(depth)))


def taken(batches: Iterator[T], pool: ThreadPoolExecutor, coming: deque[Future[T | None]]) -> Iterator[T]:
    """The batches that come, each replaced by the next to be read."""
    with pool:
        while (batch := coming.popleft().result()) is not None:
            coming.append(pool.submit(next, batches, None))
            yield batch
