"""The process of the command: how it is ended from outside, and what a terminal can show."""

import codecs
import os
import signal
import sys
import threading
import time
from typing import Any, NoReturn

from ..atomic import remove_unfinished
from ..language.translate import translated

ENDED = "interrupted; no file was left half-written."
INTERRUPTED = 130
PATIENCE = 0.6
"""Seconds that the main thread has to end in good order once it is asked to."""
PATIENCE_OF_CLUSTERS = 15.0
"""The same where workers have to be stopped."""
LONGEST = 1000
"""Characters of an error; what is longer holds a cell or a name that nobody wants to read."""
PLAIN = {"↓": "|", "→": ">", "←": "<", "−": "-", "∞": "inf", "≤": "<=", "≥": ">=", "…": "...", "·": "*", "’": "'"}
"""What is printed where the output has no letter for it; for any other a question mark."""
asked_to_end = False
"""Whether a signal asked the process to end; no lock, as a second signal may come while the first is handled."""
said = threading.Lock()
"""Held from when it was said that the process was interrupted."""


def end_on_signals() -> None:
    """SIGTERM, and SIGINT unless it is ignored, end the process in good order, or soon in any case.

    Python calls its handlers only between two of its own instructions; a thread notices a signal at once, however long
    the main thread is in compiled code.
    """
    signal.signal(signal.SIGTERM, interrupt)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    if os.name != "posix":
        return
    read, write = os.pipe()
    os.set_blocking(write, False)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    threading.Thread(target=end_in_time, args=(read,), daemon=True).start()


def interrupt(*_: Any) -> NoReturn:
    global asked_to_end
    asked_to_end = True
    raise KeyboardInterrupt


def is_interruption(error: BaseException) -> bool:
    """Whether an error comes of a signal: compiled code and imports may have made another one of KeyboardInterrupt."""
    return isinstance(error, KeyboardInterrupt) or asked_to_end


def end_in_time(signals: int) -> None:
    """Wait for a signal that ends the process, and end it if it does not do so itself."""
    while os.read(signals, 1)[0] not in (signal.SIGINT, signal.SIGTERM):
        pass
    time.sleep(PATIENCE_OF_CLUSTERS if "--cluster" in sys.argv else PATIENCE)
    if said.acquire(blocking=False):  # the stream itself may be in use by the main thread
        os.write(2, f"novikoff: {translated(ENDED)}\n".encode())
    remove_unfinished()  # last, so that the main thread has no time to write another
    os._exit(INTERRUPTED)


def say_interrupted() -> None:
    """Say that the process was interrupted, unless it was said already, and let it be true.

    A signal may have come between any two instructions, those that remove a temporary file among them.
    """
    remove_unfinished()
    if said.acquire(blocking=False):
        print(f"novikoff: {translated(ENDED)}", file=sys.stderr, flush=True)


def make_printable() -> None:
    """Let no letter that the output does not have stop what is printed for people."""
    codecs.register_error("plain", lambda error: plain_letters(error))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="plain")


def plain_letters(error: UnicodeError) -> tuple[str, int]:
    """Letters like those that cannot be encoded."""
    assert isinstance(error, UnicodeEncodeError)
    return "".join(PLAIN.get(letter, "?") for letter in error.object[error.start : error.end]), error.end


def unprintable(error: UnicodeEncodeError) -> str:
    """The sentence on data that the output has no letters for."""
    letter = error.object[error.start]
    return f"standard output is in {error.encoding}, which has no {letter!a}: write to a file with -o, in UTF-8."


def shortened(sentence: str) -> str:
    """A sentence without the middle of what is too long.

    >>> shortened("a" * 3000).count("a"), shortened("short")
    (1000, 'short')
    """
    if len(sentence) <= LONGEST:
        return sentence
    return f"{sentence[: LONGEST // 2]} […] {sentence[-LONGEST // 2 :]}"
