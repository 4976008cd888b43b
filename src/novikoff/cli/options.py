"""What subcommands share: options, what these mean, and a sign of life."""

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ..data.open_files import ColumnOptions, Reading
from ..errors import InputError
from ..workflow.fit_request import Evaluation

READING = "How the file is read"
COLUMNS = "What the columns are"

Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA", help="CSV, TSV, libsvm, Parquet, Feather or npz; plain, gzip, xz or zstd; - for standard input."
    ),
]
Target = Annotated[str | None, typer.Option("--target", "-t", help="The column with the classes.")]
Delimiter = Annotated[
    str | None, typer.Option(help="The delimiter, if it is not detected correctly.", rich_help_panel=READING)
]
Encoding = Annotated[
    str | None, typer.Option(help="The encoding, if neither UTF-8 nor GB18030.", rich_help_panel=READING)
]
NoHeader = Annotated[
    bool,
    typer.Option("--no-header", help="The first line is a row; columns are called 1, 2, …", rich_help_panel=READING),
]
Na = Annotated[
    list[str] | None, typer.Option(help="A text that means a missing value; may be repeated.", rich_help_panel=READING)
]
Numeric = Annotated[
    list[str] | None, typer.Option(help="Columns of numbers: a,b or repeated.", rich_help_panel=COLUMNS)
]
Categorical = Annotated[list[str] | None, typer.Option(help="Columns of categories.", rich_help_panel=COLUMNS)]
Text = Annotated[list[str] | None, typer.Option(help="Columns of free text.", rich_help_panel=COLUMNS)]
Drop = Annotated[list[str] | None, typer.Option(help="Columns to leave out.", rich_help_panel=COLUMNS)]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, for scripts.")]


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


def reading(delimiter: str | None, encoding: str | None, no_header: bool, na: list[str] | None) -> Reading:
    """What the options say of a file."""
    delimiter = {"tab": "\t", "\\t": "\t", "comma": ",", "space": " "}.get(delimiter or "", delimiter)
    if delimiter is not None and len(delimiter) != 1:
        raise InputError(f"--delimiter must be one character (or 'tab'), not {delimiter!r}.")
    return Reading(delimiter, encoding, not no_header, tuple(na or ()))


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


def check_not_overwriting(data: str, *outputs: Path | None) -> None:
    """Raise if an output would take the place of the data, or has no folder to be in."""
    for path in outputs:
        if path is None:
            continue
        if data != "-" and Path(data).exists() and path.exists() and path.samefile(data):
            raise InputError(f"{path} is the data itself: choose another name for the output.")
        if not path.parent.is_dir():
            raise InputError(f"{path} cannot be written: there is no folder {path.parent}.")
        if path.is_dir():
            raise InputError(f"{path} is a folder: give the name of a file.")


def check_again(output: Any, data: Any, given: dict[str, Any], flags: dict[str, bool]) -> str:
    """The command that checks the proof, as a shell takes it."""
    values = [
        part for name, texts in given.items() for text in texts or () if text is not None for part in (name, text)
    ]
    return shlex.join(map(str, ["novikoff", "check", output, data, *values, *(name for name in flags if flags[name])]))


@contextmanager
def busy(what: str, quiet: bool) -> Iterator[Callable[[str], None]]:
    """A sign of life on a terminal while the block lasts; call what it gives to change the text."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status(f"{escape(what)} …") as status:
        yield lambda text: status.update(f"{escape(text)} …")
