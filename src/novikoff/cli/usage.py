"""Errors of usage in the language that is spoken."""

import itertools
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from typer.core import TyperGroup

from ..workflow.wording import LANGUAGES, language, speak, word

PATTERNS = (
    (re.compile(r"No such option:? '?([^' ]+?)'?\.?( .*)?", re.DOTALL), "no such option"),
    (re.compile(r"No such command '?([^']+)'?\.?.*", re.DOTALL), "no such command"),
    (re.compile(r"Missing argument '?([^']+?)'?\.?", re.DOTALL), "missing argument"),
    (re.compile(r"Missing option (.+?)\.?", re.DOTALL), "missing option"),
    (re.compile(r"Invalid value for (.+?): (.*)", re.DOTALL), "invalid value"),
    (re.compile(r"Option '?([^' ]+)'? requires .*", re.DOTALL), "needs a value"),
    (re.compile(r"Option '?([^' ]+)'? does not take a value.*", re.DOTALL), "takes no value"),
    (re.compile(r"Got unexpected extra argument.* \((.*)\)", re.DOTALL), "unexpected argument"),
)
"""What the parser says in English, and the text that says it in any language."""


class SpeakingGroup(TyperGroup):
    """Commands whose errors of usage are in the language of ``--lang``, wherever it stands."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        speak(language_of(args))
        with translating():
            return list(super().parse_args(ctx, args))

    def invoke(self, ctx: Any) -> Any:
        with translating():
            return super().invoke(ctx)


def language_of(args: Sequence[str]) -> str:
    """The language that a command line asks for; English if it asks for none that is known."""
    asked = [value for option, value in itertools.pairwise(args) if option == "--lang"]
    asked += [argument.removeprefix("--lang=") for argument in args if argument.startswith("--lang=")]
    return asked[-1] if asked and asked[-1] in LANGUAGES else "en"


@contextmanager
def translating() -> Iterator[None]:
    """Errors of usage leave the block in the language that is spoken."""
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message") and language.get() != "en":
            said = translated(error.format_message())
            error.format_message = lambda: said  # what prints it asks for it by this
        raise


def translated(message: str) -> str:
    """An error of usage in the language that is spoken; as it is if it is none that is known.

    >>> speak("zh"), translated("No such option: --tarket"), speak("en")
    (None, '没有这个选项：--tarket', None)
    """
    for pattern, key in PATTERNS:
        if match := pattern.fullmatch(message.strip()):
            names = match.groups()
            return word(key, name=names[0], why=names[1] if key == "invalid value" else "")
    return message
