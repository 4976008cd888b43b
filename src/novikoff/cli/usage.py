"""Errors of usage in the language that is spoken."""

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from typer.core import TyperGroup

from ..language.translate import LANGUAGES, speak, spoken, translated


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
        if hasattr(error, "format_message") and spoken() != "en":
            said = translated(error.format_message())
            error.format_message = lambda: said  # what prints it asks for it by this
        raise
