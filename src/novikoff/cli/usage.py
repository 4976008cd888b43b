"""Errors of usage in the language that is spoken."""

import copy
import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from typer.core import TyperCommand, TyperGroup

from ..language.translate import LANGUAGES, speak, spoken, translated
from .chinese_help import speak_help


class PlainCommand(TyperCommand):
    """A command whose help has no types of flags and no braces around names."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        hide_types_of_flags(self.get_params(ctx))
        if spoken() != "en":
            speak_help(formatter)
        super().format_help(ctx, formatter)


def hide_types_of_flags(params: list[Any]) -> None:
    """Let flags, which take no value, be shown without one."""
    for param in params:
        if getattr(param, "is_flag", False) and param.metavar is None:
            param.metavar = ""


class SpeakingGroup(TyperGroup):
    """Commands whose errors of usage are in the language of ``--lang``, wherever it stands."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with translating():
            asked = language_of(args)
            given = language_last(args, set(self.commands))
            speak(asked)
            return list(super().parse_args(ctx, given or ["--help"] * bool(args)))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        hide_types_of_flags(self.get_params(ctx))
        if spoken() == "en":
            super().format_help(ctx, formatter)
        else:
            speak_help(formatter)
            super(SpeakingGroup, in_language(self)).format_help(ctx, formatter)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command, with its help in the language that is spoken."""
        found = super().get_command(ctx, cmd_name)
        return found if found is None or spoken() == "en" else in_language(found)

    def invoke(self, ctx: Any) -> Any:
        with translating():
            return super().invoke(ctx)


def in_language(found: Any) -> Any:
    """A copy of a command or an option whose help is in the language that is spoken."""
    found = copy.copy(found)
    for name in ("help", "short_help", "epilog", "rich_help_panel"):
        text = getattr(found, name, None)
        if isinstance(text, str):
            setattr(found, name, "\n\n".join(map(translated, reflowed(text).split("\n\n"))))
    if hasattr(found, "params"):
        found.params = [in_language(each) for each in found.params]
        found.rich_markup_mode = None  # whose tables cut a line of Chinese, which has no spaces
        help_option = found.get_help_option
        found.get_help_option = lambda ctx: in_language(help_option(ctx))
    return found


def reflowed(text: str) -> str:
    """A text with one line for each of its paragraphs, which are broken where they are shown."""
    return "\n\n".join(" ".join(each.split()) for each in text.split("\n\n"))


def plainly(message: str) -> str:
    """An error of usage without the words of the libraries that found it.

    >>> plainly("Invalid value: Value error, 'x' is not one of 'a'."), plainly("Got unexpected extra argument(s) (a b)")
    ("Invalid value: 'x' is not one of 'a'", 'Got unexpected extra arguments (a b)')
    """
    several = "s" if " " in message.rpartition("(")[2] else ""
    return (
        " ".join(message.split()).rstrip(".").replace("Value error, ", "").replace("argument(s)", f"argument{several}")
    )


def language_last(args: Sequence[str], commands: set[str]) -> list[str]:
    """The arguments with what is said of the language before the command put at the end, where the command has it.

    >>> language_last(["--lang", "zh", "fit", "a.csv"], {"fit"})
    ['fit', 'a.csv', '--lang', 'zh']
    """
    first = next((k for k, argument in enumerate(args) if argument in commands), len(args))
    before, command = list(args[:first]), list(args[first:])
    said: list[str] = []
    for k, argument in reversed(list(enumerate(before))):
        if argument == "--lang" or argument.startswith("--lang="):
            said = before[k : k + 1 + (argument == "--lang")] + said
            del before[k : k + 1 + (argument == "--lang")]
    return [*before, *command, *(said if command else [])]


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
            said = translated(plainly(error.format_message()))
            error.format_message = lambda: said  # what prints it asks for it by this
        raise
