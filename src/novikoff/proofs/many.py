"""Many questions, most of them small, on several processors."""

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from joblib import Parallel, delayed, effective_n_jobs

BATCH = 50
"""Questions that a process is given at once."""
ALONE = 1.0
"""Seconds after which other processes are asked to help: starting them takes about as long."""


def answer_all(answer: Callable[[Any], Any], questions: Iterable[Any], n_jobs: int | None) -> Iterator[Any]:
    """The answers in the order of the questions."""
    jobs, left = effective_n_jobs(n_jobs), iter(questions)
    end = time.monotonic() + ALONE if jobs > 1 else float("inf")
    for question in left:
        yield answer(question)
        if time.monotonic() > end:
            break
    batches = iter(lambda: list(islice(left, BATCH)), [])
    if jobs > 1:
        work = (delayed(answer_batch)(answer, batch) for batch in batches)
        for answers in Parallel(n_jobs=jobs, return_as="generator")(work):
            yield from answers


def answer_batch(answer: Callable[[Any], Any], batch: list[Any]) -> list[Any]:
    """The answers to some questions."""
    return [answer(question) for question in batch]
