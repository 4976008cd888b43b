"""The application: how subcommands are added, and how they fail."""

import atexit
import contextlib
import functools
import gc
import json
import os
import signal
import sys
import warnings
from collections.abc import Callable
from typing import Annotated, Any, NoReturn

import typer

from ..version import __version__

REFUSED, BAD_INPUT, MALFORMED, FAULT, INTERRUPTED = 1, 2, 3, 4, 130
"""Exit codes besides 0; docs/command.md says what they mean."""
SELDOM = 300_000
"""Objects between two collections of garbage: imports make many objects and hardly any garbage."""

app = typer.Typer(
    help="Perceptrons that prove themselves: from a data file to a model, predictions, a report and a proof.",
    epilog="Errors are one sentence; --debug, anywhere, shows where they come from. Exit codes: 0 done, 1 refused "
    "(check) or a claim that fails (course), 2 wrong input or usage, 3 malformed proof or model file, 4 a fault of "
    "novikoff, 130 interrupted.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
debugging = False
exit_code = FAULT


def show_version(wanted: bool) -> None:
    if wanted:
        print(f"novikoff {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def command(example: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a function a subcommand that fails in one sentence; its help ends with an example."""

    def register(function: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(function)
        def guarded(*args: Any, **kwargs: Any) -> None:
            with warnings.catch_warnings():
                warnings.simplefilter("default")
                warnings.showwarning = note
                try:
                    function(*args, **kwargs)
                except typer.Exit:
                    raise
                except BaseException as error:
                    fail(error)

        app.command(epilog=f"Example: {example}")(guarded)
        return function

    return register


def note(message: Warning | str, *_: Any, **__: Any) -> None:
    """A warning in one line."""
    print(f"novikoff: note: {' '.join(str(message).split())}", file=sys.stderr)


def fail(error: BaseException) -> NoReturn:
    """Say what went wrong in one sentence, and leave with the code for it."""
    if debugging:
        raise error
    if isinstance(error, BrokenPipeError | SystemExit):  # whoever read our output has enough; Rich says so by an exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0)
    sentence, code = words(error)
    print(f"novikoff: {sentence}", file=sys.stderr)
    raise typer.Exit(code) from error


def words(error: BaseException) -> tuple[str, int]:
    """A sentence on an error, and its exit code."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted; no file was left half-written.", INTERRUPTED
    if isinstance(error, FileNotFoundError | IsADirectoryError | PermissionError) and error.filename:
        return f"{error.filename}: {(error.strerror or 'cannot be opened').lower()}.", BAD_INPUT
    if isinstance(error, MemoryError):
        return "there is not enough memory for this; learn from fewer rows or columns.", FAULT
    if isinstance(error, ModuleNotFoundError):
        return f"{error}: pip install 'novikoff[all]' brings everything.", BAD_INPUT
    if isinstance(error, ValueError | OSError):
        return " ".join(str(error).split()), getattr(error, "exit_code", BAD_INPUT)
    return f"a fault of novikoff ({type(error).__name__}: {error}); run it again with --debug to see where.", FAULT


def print_json(value: Any) -> None:
    """One JSON object."""
    print(json.dumps(value, ensure_ascii=False, indent=2))


def main() -> None:
    """The entrance from a shell."""
    global debugging
    debugging = "--debug" in sys.argv
    sys.argv = [argument for argument in sys.argv if argument != "--debug"]
    if not debugging:
        sys.unraisablehook = say_nothing
    gc.set_threshold(SELDOM)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    atexit.register(leave)  # registered first, called last
    try:
        app()
    except SystemExit as end:
        global exit_code
        exit_code = end.code if isinstance(end.code, int) else int(end.code is not None)
        raise


def say_nothing(_: Any) -> None:
    """What a library could not raise, as pyarrow in the midst of a broken row; what it means is raised elsewhere."""


def leave() -> None:
    """End the process as it is, without taking the interpreter down.

    A thread of pyarrow may still be letting go of the Python file that it read, and before Python 3.14 a thread of C++
    that asks for an interpreter which is being taken down ends the process with SIGABRT.
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(exit_code)
