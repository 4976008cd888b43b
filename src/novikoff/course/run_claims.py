"""Running the claims, one after the other."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from .texts import LANGUAGES, TEXTS, Text


@dataclass(frozen=True)
class ClaimRow:
    """A claim that was run: what it says, what was run and found, in one language, and whether it holds."""

    claim: str
    text: Text
    found: str
    holds: bool
    seconds: float
    figures: dict[str, Any]
    draw: Any = field(default=None, repr=False)


def run_course(
    claims: Iterable[str] | None = None, lang: str = "en", say: Callable[[str], None] = lambda text: None
) -> Iterator[ClaimRow]:
    """Run some claims, or all of them, and yield a row for each as soon as it is known.

    Parameters
    ----------
    claims : numbers such as "C12"; None for all
    lang : "en" or "zh"
    say : told which claim is run, and of one that takes long, how far it is
    """
    if lang not in LANGUAGES:
        raise ValueError(f"The course is in {' and '.join(map(repr, LANGUAGES))}, not in {lang!r}.")
    chosen = list(TEXTS) if claims is None else [claim.upper() for claim in claims]
    unknown = [claim for claim in chosen if claim not in TEXTS]
    if unknown:
        raise ValueError(f"There is no claim {unknown[0]}: they are {min(TEXTS)} to {max(TEXTS)}.")
    return run_claims(chosen, lang, say)


def run_claims(claims: list[str], lang: str, say: Callable[[str], None]) -> Iterator[ClaimRow]:
    """A row for each claim, when it has been run."""
    from .claims import CLAIMS  # it needs everything

    for claim in claims:
        say(claim)
        start = time.perf_counter()
        result = CLAIMS[claim](partial(say_of, claim, say))
        seconds = time.perf_counter() - start
        text = TEXTS[claim][lang]
        said = text.found.format(**result.figures)
        yield ClaimRow(claim, text, said, result.holds, seconds, result.figures, result.draw)


def say_of(claim: str, say: Callable[[str], None], text: str) -> None:
    """Say how far a claim is."""
    say(f"{claim}: {text}")
