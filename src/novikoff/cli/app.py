"""The application: how subcommands are added, and how they fail."""

import atexit
import contextlib
import functools
import gc
import json
import os
import sys
import warnings
from collections.abc import Callable
from typing import Annotated, Any, NoReturn

import typer

from ..atomic import NO_ROOM
from ..imports import start_command
from ..language.translate import translated
from ..version import __version__
from ..workflow.wording import word
from .process import (
    ENDED,
    INTERRUPTED,
    end_on_signals,
    is_interruption,
    make_printable,
    say_interrupted,
    shortened,
    unprintable,
)
from .usage import PlainCommand, SpeakingGroup, plainly, reflowed

REFUSED, BAD_INPUT, MALFORMED, FAULT, UNDECIDED, NOT_WRITTEN = 1, 2, 3, 4, 5, 6
"""Exit codes besides 0 and INTERRUPTED; docs/command.md says what they mean."""
SELDOM = 1_000_000
"""Objects between two collections of garbage: imports make many objects and hardly any garbage."""

app = typer.Typer(
    cls=SpeakingGroup,
    help="Perceptrons that prove themselves: from a data file to a model, predictions, a report and a proof.",
    epilog="Errors are one sentence; --debug, anywhere, shows where they come from. Exit codes: 0 done, 1 refused "
    "(check) or a claim that fails (course), 2 wrong input or usage, 3 malformed proof or model file, 4 a fault of "
    "novikoff, 5 undecided (certify), 6 an output that could not be written, 130 interrupted.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
debugging = False
exit_code = FAULT
noted: set[str] = set()
"""The notes of the command that is run."""


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
                warnings.simplefilter("ignore", ResourceWarning)  # a file that an interruption left open is no news
                warnings.showwarning = note
                noted.clear()
                try:
                    function(*args, **kwargs)
                except typer.Exit:
                    raise
                except BaseException as error:
                    fail(error)

        about = reflowed(function.__doc__ or "")
        app.command(cls=PlainCommand, help=about, epilog=f"Example: {example}")(guarded)
        return function

    return register


def note(message: Warning | str, *_: Any, **__: Any) -> None:
    """A warning in one line, once."""
    text = " ".join(str(message).split())
    if text not in noted:
        noted.add(text)
        print(f"novikoff: {word('pair', name=word('noted'), text=shortened(translated(text)))}", file=sys.stderr)


def fail(error: BaseException) -> NoReturn:
    """Say what went wrong in one sentence, and leave with the code for it."""
    if debugging:
        raise error
    if isinstance(error, BrokenPipeError | SystemExit):  # whoever read our output has enough; Rich says so by an exit
        silence_output()
        raise typer.Exit(0)
    sentence, code = words(error)
    if code == INTERRUPTED:
        say_interrupted()
    else:
        print(f"novikoff: {shortened(translated(sentence))}", file=sys.stderr)
    raise typer.Exit(code) from error


def extra_with(module: str | None) -> str:
    """The extra of novikoff that asks for a module; "all" where none does by itself."""
    import re
    from importlib.metadata import requires

    for requirement in requires("novikoff") or []:
        asked = re.fullmatch(r"([\w-]+).*; extra == .(\w+).", requirement)
        if asked and asked[1].replace("-", "_") == module:
            return asked[2]
    return "all"


def words(error: BaseException) -> tuple[str, int]:
    """A sentence on an error, and its exit code."""
    if is_interruption(error):
        return ENDED, INTERRUPTED
    if isinstance(error, UnicodeEncodeError):
        return unprintable(error), BAD_INPUT
    if isinstance(error, OSError) and error.errno is not None and error.errno not in NO_ROOM and error.filename:
        return f"{error.filename}: {(error.strerror or 'cannot be opened').lower()}.", BAD_INPUT
    if isinstance(error, MemoryError):
        return "there is not enough memory for this; learn from fewer rows or columns.", FAULT
    if isinstance(error, ModuleNotFoundError):
        return f"{error}: pip install 'novikoff[{extra_with(error.name)}]' brings it.", BAD_INPUT
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        return (
            f"{error.filename or 'standard output or a cache'} cannot be written: {str(error.strerror).lower()}.",
            NOT_WRITTEN,
        )
    if isinstance(error, ValueError | OSError):
        return " ".join(str(error).split()), getattr(error, "exit_code", BAD_INPUT)
    return f"a fault of novikoff ({type(error).__name__}: {error}); run it again with --debug to see where.", FAULT


def print_json(value: Any) -> None:
    """One JSON object; where the output has no letters for all of it, with escapes."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2)
    print(text)


def main() -> None:
    """The entrance from a shell."""
    global debugging, exit_code
    debugging = "--debug" in sys.argv
    sys.argv = [argument for argument in sys.argv if argument != "--debug"]
    if not debugging:
        sys.unraisablehook = say_nothing
    gc.set_threshold(SELDOM)
    start_command()
    make_printable()
    end_on_signals()
    atexit.register(leave)  # registered first, called last
    exit_code = run()
    sys.exit(exit_code)


def run() -> int:
    """Run the command, and write what it printed; the exit code."""
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
        if code == INTERRUPTED:
            say_interrupted()
        return code if isinstance(code, int) else 0
    except KeyboardInterrupt:
        say_interrupted()
        return INTERRUPTED
    except SystemExit as end:  # of Rich and Typer, where a reader has enough
        silence_output()
        return 0 if isinstance(end.__context__, BrokenPipeError) else int(bool(end.code))
    except BrokenPipeError:
        silence_output()
        return 0
    except OSError as error:
        silence_output()
        if debugging:
            raise
        sentence = f"standard output cannot be written: {(error.strerror or str(error)).lower()}."
        print(f"novikoff: {translated(sentence)}", file=sys.stderr)
        return NOT_WRITTEN
    except Exception as error:
        if is_interruption(error):
            say_interrupted()
            return INTERRUPTED
        if debugging or not hasattr(error, "format_message"):
            raise
        print(f"novikoff: {usage_sentence(error)}", file=sys.stderr)
        return BAD_INPUT


def usage_sentence(error: Any) -> str:
    """What is wrong with a command line, and where to see how it is written."""
    path = getattr(getattr(error, "ctx", None), "command_path", "novikoff")
    path = f"novikoff {path.rpartition('novikoff')[2].strip()}".strip()  # it may have been started as a module
    why = plainly(error.format_message()).rstrip("。")
    return word("see help after a question" if why.endswith(("?", "？")) else "see help", why=why, path=path)


def silence_output() -> None:
    """Let nothing more be written where nothing can be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
