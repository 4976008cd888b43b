"""What is read in a thread while something else is done; pyarrow and compiled code read without Python's lock."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

from ..errors import listener, tell

T = TypeVar("T")


def begin(work: Callable[[], T]) -> Callable[[], T]:
    """Begin some work in a thread that ends with the process.

    What is returned is to be called once: it waits for the result, which nothing else then holds, tells what the work
    told, and raises its error.

    >>> begin(lambda: 1 + 1)()
    2
    """
    results: SimpleQueue[Future[T]] = SimpleQueue()
    told: list[str] = []

    def run() -> None:
        listener.set(told.append)
        result: Future[T] = Future()
        try:
            result.set_result(work())
        except BaseException as error:
            result.set_exception(error)
        results.put(result)

    def take() -> T:
        result = results.get()
        for sentence in told:
            tell(sentence)
        return result.result()

    Thread(target=run, daemon=True).start()
    return take


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
