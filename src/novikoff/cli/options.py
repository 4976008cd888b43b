"""What subcommands share: options, what these mean, and a sign of life."""

import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ..atomic import check_writable
from ..data.open_files import ColumnOptions, Reading
from ..errors import InputError
from ..language.translate import translated
from ..workflow.fit_request import Evaluation

READING = "How the file is read"
COLUMNS = "What the columns are"

Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="CSV, TSV, JSON lines, libsvm, Parquet, Feather or npz; plain, zip, gzip, bzip2, xz or zstd; - for "
        "standard input.",
    ),
]
Target = Annotated[str | None, typer.Option("--target", "-t", metavar="COLUMN", help="The column with the classes.")]
Delimiter = Annotated[
    str | None,
    typer.Option(metavar="CHARACTER", help="The delimiter, if it is not detected correctly.", rich_help_panel=READING),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The encoding; by default as the bytes tell: UTF-8, GB18030, cp1252, KOI8-R or cp1251.",
        rich_help_panel=READING,
    ),
]
NoHeader = Annotated[
    bool,
    typer.Option("--no-header", help="The first line is a row; columns are called 1, 2, …", rich_help_panel=READING),
]
Na = Annotated[
    list[str] | None,
    typer.Option(metavar="TEXT", help="A text that means a missing value; may be repeated.", rich_help_panel=READING),
]
Numeric = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMNS", help="Columns of numbers: a,b or repeated.", rich_help_panel=COLUMNS),
]
Categorical = Annotated[
    list[str] | None, typer.Option(metavar="COLUMNS", help="Columns of categories.", rich_help_panel=COLUMNS)
]
Text = Annotated[
    list[str] | None, typer.Option(metavar="COLUMNS", help="Columns of free text.", rich_help_panel=COLUMNS)
]
Drop = Annotated[
    list[str] | None, typer.Option(metavar="COLUMNS", help="Columns to leave out.", rich_help_panel=COLUMNS)
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, for scripts.")]


class Sign(StrEnum):
    """The sign before decimals."""

    POINT = "."
    COMMA = ","


Decimal = Annotated[
    Sign | None,
    typer.Option(
        help="The sign before decimals; by default as the cells tell, and asked for where they do not.",
        rich_help_panel=READING,
    ),
]


class Language(StrEnum):
    """The languages that results are told in."""

    EN = "en"
    ZH = "zh"


Lang = Annotated[Language, typer.Option("--lang", help="The language of what is printed and written.")]
"""Taken up wherever it stands, before all else (usage.py)."""


class Missing(StrEnum):
    """What to do with missing values."""

    REFUSE = "refuse"
    IMPUTE = "impute"
    DROP = "drop"


MissingOption = Annotated[
    Missing,
    typer.Option(
        help="Missing values: stop, fill in (the median; a category of their own), or leave such rows out.",
        rich_help_panel=COLUMNS,
    ),
]


class Incomplete(StrEnum):
    """What to do with rows without a value, which a proof cannot speak of."""

    REFUSE = "refuse"
    DROP = "drop"


MissingRows = Annotated[
    Incomplete,
    typer.Option(help="Rows with missing values: stop, or leave them out of the question.", rich_help_panel=COLUMNS),
]


def reading(
    delimiter: str | None,
    encoding: str | None,
    no_header: bool,
    na: list[str] | None,
    decimal: Sign | None = None,
    drop_incomplete: bool = False,
) -> Reading:
    """What the options say of a file."""
    delimiter = {"tab": "\t", "\\t": "\t", "comma": ",", "space": " "}.get(delimiter or "", delimiter)
    if delimiter is not None and len(delimiter) != 1:
        raise InputError(f"--delimiter must be one character (or 'tab'), not {delimiter!r}.")
    sign = None if decimal is None else decimal.value
    return Reading(delimiter, encoding, not no_header, tuple(na or ()), sign, drop_incomplete)


def column_options(
    numeric: list[str] | None = None,
    categorical: list[str] | None = None,
    text: list[str] | None = None,
    drop: list[str] | None = None,
) -> ColumnOptions:
    """What the options say of the columns."""
    return ColumnOptions(*(tuple(names or ()) for names in (numeric, categorical, text, drop)))


def evaluation(test: str | None, test_size: float | None, cv: int | None) -> Evaluation:
    """How to measure, as the options say."""
    if sum(way is not None for way in (test, test_size, cv)) > 1:
        raise InputError("--test, --test-size and --cv are three ways to measure: choose one.")
    if test_size is not None and not 0 < test_size < 1:
        raise InputError(f"--test-size is a part of the rows between 0 and 1, not {test_size:g}.")
    if cv is not None and cv < 2:
        raise InputError(f"--cv needs at least 2 folds, not {cv}.")
    return Evaluation(test, test_size, cv)


def check_outputs(read: list[Any], **outputs: Path | None) -> None:
    """Raise if an output would take the place of a file that is read or of another output, or cannot be written.

    Outputs are called by their options.
    """
    places: dict[str, str] = {}
    for name, path in outputs.items():
        if path is None:
            continue
        option, place = f"--{name}", os.path.realpath(path)
        if place in places:
            raise InputError(f"{places[place]} and {option} are both {path}: give each output a name of its own.")
        places[place] = option
        for data in map(str, read):
            if data != "-" and Path(data).exists() and path.exists() and path.samefile(data):
                raise InputError(f"{path} is read as well: choose another name for the output.")
        if not path.parent.is_dir():
            raise InputError(f"{path} cannot be written: there is no folder {path.parent}.")
        if path.is_dir():
            raise InputError(f"{path} is a folder: give the name of a file.")
        check_writable(path)


def check_again(output: Any, data: Any, flags: dict[str, bool], formula: str | None = None) -> str:
    """The command that checks the proof, as a shell takes it; what was said of the file the proof remembers.

    But a formula that calls functions, which is code, is not taken from a proof.
    """
    from ..workflow.remembered import is_plain

    words = ["novikoff", "check", output, data, *(name for name in flags if flags[name])]
    return shlex.join(map(str, words if formula is None or is_plain(formula) else [*words, "--formula", formula]))


PATIENCE = 1.0
"""Seconds before a sign of life is given where there is no terminal, and between two."""


@contextmanager
def progress(what: str, quiet: bool) -> Iterator[Callable[[str], None]]:
    """A sign of life on the error output while the block lasts; call what it gives to change the text.

    On a terminal it is one line that changes; elsewhere plain lines, none in the first second and one a second at most.
    """
    if quiet:
        yield lambda _: None
        return
    if not sys.stderr.isatty():
        yield PlainLines().say
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status(f"{escape(translated(what))} …") as status:
        yield lambda text: status.update(f"{escape(translated(text))} …")


class PlainLines:
    """Lines that tell how far something is, where lines cannot change."""

    def __init__(self) -> None:
        self.last = time.monotonic()

    def say(self, text: str) -> None:
        """Print a line, unless the last one was less than a second ago."""
        now = time.monotonic()
        if now - self.last >= PATIENCE:
            self.last = now
            print(f"novikoff: {translated(text)}", file=sys.stderr, flush=True)
