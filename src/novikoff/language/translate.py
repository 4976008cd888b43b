"""From the English sentences of the package to those of the language that is spoken; the standard library only.

Errors, notes, findings and progress are written in English where they are made.  What prints them looks the whole
sentence up in a catalogue {English: Chinese}, in which what differs from case to case stands in braces; what stands there
is translated in turn, so that a sentence may be put together of others.

A function that raises or returns a sentence serves Python as well as the command, and knows no language: so it cannot
ask for a text by a key.  What the command and the report themselves put together (headings, tables, captions), and know
the language of, stands by key in ``workflow/wording.py``.
"""

import re
from functools import cache
from string import Formatter
from typing import NamedTuple

from ..errors import STANDARD_INPUT

LANGUAGES = ("en", "zh")
language = LANGUAGES[0]
"""The language of all that the command prints and writes, in whatever thread."""
NAMES = frozenset(
    {"file", "path", "folder", "address", "option", "options", "target", "column", "name", "names", "other", "label"}
    | {"model", "value", "values", "text", "mark"}
)
"""Places that hold what a user, a file or a program is called by, or a cell: it stays as it is, whatever it says."""

QUOTED = r"""'[^']*'|"[^"]*"|"""
"""What is in quotes is taken whole, whatever comes after it."""


def speak(name: str) -> None:
    """Speak this language from here on."""
    global language
    language = name


def spoken() -> str:
    """The language that is spoken."""
    return language


class Template(NamedTuple):
    """A sentence with places for what differs: its plain pieces, the regular expression, and the translation."""

    pieces: tuple[str, ...]
    pattern: str
    translation: str

    def translated(self, text: str) -> str | None:
        """The translation of a text; None if it is not this sentence."""
        if not all(piece in text for piece in self.pieces):
            return None
        found = re.fullmatch(self.pattern, text, re.DOTALL)
        if found is None:
            return None
        return self.translation.format(**{name: in_place(name, value) for name, value in found.groupdict().items()})


def in_place(name: str, value: str) -> str:
    """What stands at a place of this name: translated, unless a user, a file or a program calls it so."""
    return translated_name(value) if name in NAMES else translated_part(value)


def translated_name(name: str) -> str:
    """What a user, a file or a program is called by, as it is; of no file but standard input, in the language."""
    return translated_part(name) if name == STANDARD_INPUT else name


def translated(text: str) -> str:
    """A text in the language that is spoken: each of its lines, if it is a sentence of the catalogue, else as it is.

    >>> speak("zh"), translated("data.csv has a header but no rows."), speak("en")
    (None, 'data.csv 只有表头，没有数据行。', None)
    """
    if language == "en":
        return text
    return "\n".join(first_that_fits(line, sentences()) for line in text.split("\n"))


def translated_part(text: str) -> str:
    """The same of a part of a sentence, or what stands in a table."""
    return text if language == "en" else first_that_fits(text, parts())


def first_that_fits(text: str, templates: list[Template]) -> str:
    """The translation by the first template that fits; the text itself if none does."""
    return next((found for template in templates if (found := template.translated(text)) is not None), text)


@cache
def sentences() -> list[Template]:
    """The sentences of the catalogue, made ready once."""
    from .help_texts import HELP
    from .input_sentences import INPUTS
    from .proof_sentences import PROOFS
    from .run_sentences import RUNS

    return templates(HELP | INPUTS | PROOFS | RUNS)


@cache
def parts() -> list[Template]:
    """The sentences and their parts."""
    from .parts import PARTS

    return by_length([*sentences(), *templates(PARTS)])


def templates(catalogue: dict[str, str]) -> list[Template]:
    """The templates of a catalogue, those with more words of their own first."""
    return by_length([template_of(english, chinese) for english, chinese in catalogue.items()])


def by_length(made: list[Template]) -> list[Template]:
    """Templates in the order in which they are tried."""
    return sorted(made, key=lambda template: -sum(map(len, template.pieces)))


def template_of(english: str, translation: str) -> Template:
    """A sentence with names in braces as a template.

    >>> template_of("{n} rows", "{n} 行").pattern
    '(?P<n>\\'[^\\']*\\'|"[^"]*"|.*?)\\\\ rows'
    """
    parts = [(text, name) for text, name, *_ in Formatter().parse(english)]
    pieces = tuple(text for text, _ in parts if text)
    pattern = "".join(re.escape(text) + (f"(?P<{name}>{QUOTED}.*?)" if name else "") for text, name in parts)
    return Template(pieces, pattern, translation)
