"""Running the claims, one after the other."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from .texts import CHINESE_RESULTS, ENGLISH_RESULTS, LANGUAGES, TEXTS, Text


@dataclass(frozen=True)
class ClaimRow:
    """A claim that was run: what it says, what was run and found, in one language, and whether it holds.

    ``figures`` has everything that was measured, ``code`` the experiment as it was run.
    """

    claim: str
    text: Text
    found: str
    holds: bool
    seconds: float
    figures: dict[str, Any] = field(repr=False)
    code: str = field(repr=False, default="")


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
    from .claims import CLAIMS, run_claim  # they need everything
    from .listing import listing

    for claim in claims:
        say(claim)
        start = time.perf_counter()
        measured = run_claim(claim, partial(say_of, claim, say))
        seconds = time.perf_counter() - start
        text = TEXTS[claim][lang]
        found = sentence_of(text, measured, lang)
        yield ClaimRow(claim, text, found, bool(measured["holds"]), seconds, measured, listing(CLAIMS[claim]))


def sentence_of(text: Text, measured: dict[str, Any], lang: str) -> str:
    """What was found: the text, filled with what was measured."""
    return text.found.format(**{name: worded(value, lang) for name, value in measured.items()})


def worded(value: Any, lang: str) -> Any:
    """A value as a sentence has it: verdicts and truth values in words, lists of plain numbers."""
    if isinstance(value, bool | np.bool_ | str):
        words = CHINESE_RESULTS if lang == "zh" else ENGLISH_RESULTS
        return words.get(str(value), str(value))
    if isinstance(value, list):
        return [item.item() if isinstance(item, np.generic) else item for item in value]
    return value


def in_language(row: ClaimRow, lang: str) -> ClaimRow:
    """The same run, told in another language."""
    text = TEXTS[row.claim][lang]
    found = sentence_of(text, row.figures, lang)
    return ClaimRow(row.claim, text, found, row.holds, row.seconds, row.figures, row.code)


def say_of(claim: str, say: Callable[[str], None], text: str) -> None:
    """Say how far a claim is."""
    say(f"{claim}: {text}")
