"""The error of bad input, and the words and numbers that messages share.  The standard library only."""

import math
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from difflib import get_close_matches
from typing import Any

ROUNDING = 1e-9
"""How far, relatively, a computed bound may be below a whole number that it allows."""

STANDARD_INPUT = "standard input"
CALLED = {"-": STANDARD_INPUT}
"""What a file is called in sentences, where it is not called by its path."""
LONGEST = 60
"""Characters of a text from outside that a message repeats."""


class InputError(ValueError):
    """A file or an option that cannot be taken, in one sentence."""


class ReadingNote(UserWarning):
    """What was decided of a file without being asked for."""


listener: ContextVar[Callable[[str], None] | None] = ContextVar("listener", default=None)
"""Who is told in this thread; warnings are those of all threads at once."""


def tell(sentence: str) -> None:
    """Say what was decided of a file without being asked for; the command prints it on standard error."""
    if listening := listener.get():
        listening(sentence)
    else:
        warnings.warn(sentence, ReadingNote, stacklevel=2)


def shown(text: str) -> str:
    """A text in quotes, shortened.

    >>> shown("a"), len(shown("a" * 100))
    ("'a'", 63)
    """
    return repr(clipped(text))


def clipped(text: str) -> str:
    """A text, shortened."""
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def comma_list(names: Iterable[Any], most: int = 10) -> str:
    """Names with commas, the first few.

    >>> comma_list("abc"), comma_list("abc", most=2)
    ('a, b, c', 'a, b, …')
    """
    names = [spelt_out(str(name)) for name in names]
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def spelt_out(text: str) -> str:
    """A text of others for a terminal or a table, in which control characters do nothing, as they are spelt out.

    >>> print(spelt_out("age\\n[31m"), spelt_out("年龄"))
    age\\n[31m 年龄
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def aligned(lines: Iterable[Iterable[str]]) -> str:
    """Lines of cells as a table, column under column; a Chinese character takes two places.

    >>> print(aligned([("class", "is"), ("男", "right")]))
    class  is
    男     right
    """
    table = [list(map(spelt_out, line)) for line in lines]
    widths = [max(map(places, column)) for column in zip(*table, strict=True)]
    return "\n".join(
        "  ".join(cell + " " * (width - places(cell)) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in table
    )


def places(text: str) -> int:
    """How many places of a terminal a text takes."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def plural(count: int, noun: str) -> str:
    """A number with its noun.

    >>> plural(1, "row"), plural(2000, "row")
    ('1 row', '2,000 rows')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def number_text(value: Any, at_most: bool = False) -> str:
    """A number for people; ``at_most``, of a bound on a count, the largest whole number that it allows.

    >>> number_text(1234567), number_text(0.012345), number_text(None), number_text(7.99999999999, at_most=True)
    ('1,234,567', '0.01235', '', '8')
    """
    if value is None:
        return ""
    value = int(value * (1 + ROUNDING)) if at_most and math.isfinite(value) else value
    return f"{value:,.0f}" if isinstance(value, int) or abs(value) >= 1000 else f"{value:.4g}"


def shell_quoted(name: str) -> str:
    """A name as it is typed in a shell."""
    return f"'{name}'" if " " in name else name


def finite_or_none(value: Any) -> Any:
    """A value as JSON has it: NumPy's numbers as Python's, and null for those that are not finite.

    >>> finite_or_none(1.5), finite_or_none(math.inf)
    (1.5, None)
    """
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def closest(name: str, names: Iterable[str]) -> str | None:
    """The name that was probably meant; None if there is none like it.

    >>> closest("Speces", ["species", "island"])
    'species'
    """
    by_folded = {other.casefold(): other for other in names}
    close = get_close_matches(name.casefold(), by_folded, n=1)
    return by_folded[close[0]] if close else None


def suggestion(name: str, names: Iterable[str]) -> str:
    """The name that was probably meant, in brackets, for the middle of a sentence; nothing if there is none.

    >>> suggestion("max_itr", ["max_iter", "tol"])
    " (did you mean 'max_iter'?)"
    """
    meant = closest(name, names)
    return "" if meant is None else f" (did you mean {meant!r}?)"


def check_columns(names: Iterable[str], wanted: Iterable[str], file: str) -> None:
    """Raise unless all wanted columns are there."""
    names = list(names)
    for name in wanted:
        if name not in names:
            raise InputError(f"{file} has no column {shown(name)}{did_you_mean(name, names)}")


def did_you_mean(name: str, names: list[str]) -> str:
    """What to choose instead of a column that is not there."""
    meant = closest(name, names)
    if meant is not None:
        return f": did you mean {shown(meant)}?"
    return f"; it has {comma_list(map(clipped, names))}{header_hint(names)}."


def header_hint(names: list[str]) -> str:
    """What to say where most names of columns are numbers.

    >>> header_hint(["5.1", "3.5", "setosa"]), header_hint(["a", "1"])
    ('; if its first line is not a header, say --no-header, and the columns are called 1, 2, …', '')
    """
    numbers = sum(bool(re.fullmatch(r"[-+.\deE]+", name)) for name in names)
    if 2 * numbers <= len(names):
        return ""
    return "; if its first line is not a header, say --no-header, and the columns are called 1, 2, …"
