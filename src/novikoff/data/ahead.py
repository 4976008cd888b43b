"""What is read in a thread while something else is done; pyarrow and compiled code read without Python's lock."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Thread
from typing import Generic, TypeVar

from ..errors import listener, tell

T = TypeVar("T")


class Begun(Generic[T]):
    """Work that goes on in a thread that ends with the process.

    To be called once: that waits for the result, which nothing else then holds, tells what the work told, and raises
    its error.  After that ``seconds`` is what the work took, and ``waited`` the part of it that was waited for.

    >>> Begun(lambda: 1 + 1)()
    2
    """

    def __init__(self, work: Callable[[], T]) -> None:
        self.results: SimpleQueue[Future[T]] = SimpleQueue()
        self.told: list[str] = []
        self.seconds = self.waited = 0.0
        Thread(target=self.run, args=(work,), daemon=True).start()

    def run(self, work: Callable[[], T]) -> None:
        """Do the work, in the thread."""
        listener.set(self.told.append)
        result: Future[T] = Future()
        start = time.perf_counter()
        try:
            result.set_result(work())
        except BaseException as error:
            result.set_exception(error)
        self.seconds = time.perf_counter() - start
        self.results.put(result)

    def __call__(self) -> T:
        start = time.perf_counter()
        result = self.results.get()
        self.waited = time.perf_counter() - start
        for sentence in self.told:
            tell(sentence)
        return result.result()


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
