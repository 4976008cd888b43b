"""Files that are written whole or not at all; links are followed, and devices and pipes written through."""

import contextlib
import errno
import glob
import os
import re
import shutil
import stat
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .errors import InputError

NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""Errors that only writing has, whatever else a block does."""
unfinished: set[Path] = set()
"""Temporary files of blocks that have not ended."""


class WriteError(InputError):
    """An output that could not be written, in one sentence."""

    exit_code = 6


@contextmanager
def replacing(path: Any) -> Iterator[Path]:
    """A temporary file that takes the place of ``path`` when the block ends well, and goes when it does not.

    The file that a link leads to is replaced, not the link, and keeps its mode; into a device or a pipe the bytes are
    written when the block ends.
    """
    place = place_of(path)
    if place:
        remove_leftovers(place)
    part = part_of(place) if place else empty_file()
    with removing(part), name_output(path, part):
        yield part
        if place:
            flush_to_disk(part)
            keep_mode(place, part)
            os.replace(part, place)
        else:
            write_through(part, path)


def write_text(path: Any, text: str) -> None:
    """Write a text into a file, whole or not at all."""
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8")


@contextmanager
def removing(part: Path) -> Iterator[None]:
    """No file is left in this place when the block ends; if the block cannot end, ``remove_unfinished`` knows of it."""
    unfinished.add(part)
    try:
        yield
    finally:
        part.unlink(missing_ok=True)
        unfinished.discard(part)


def place_of(path: Any) -> Path | None:
    """The regular file that a path leads to, there or not; None of what is written through: a device, a pipe, a stream
    of a process."""
    step = os.path.abspath(path)
    for _ in range(40):  # as many links as Linux follows
        if not os.path.islink(step):
            break
        folder = os.path.realpath(os.path.dirname(step))
        if folder.startswith(("/proc/", "/dev/fd")):  # an open file, which must stay the one it is
            return None
        step = os.path.join(folder, os.readlink(step))
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(os.stat(step).st_mode):
            return None
    return Path(os.path.realpath(step))


def part_of(place: Path) -> Path:
    """The temporary file beside a file, of this process and thread: several may write one output, and the last one to
    end wins, whole."""
    return place.with_name(f".{place.name}.{os.getpid()}-{threading.get_ident()}.part")


def remove(path: Path) -> None:
    """Remove a file that has done its work, if it is there, and what killed processes have left of it."""
    path.unlink(missing_ok=True)
    remove_leftovers(path)


def remove_leftovers(place: Path) -> None:
    """Remove the temporary files of a file that processes have left which were killed."""
    for part in place.parent.glob(f".{glob.escape(place.name)}.*.part"):
        owner = re.search(r"\.(\d+)-\d+\.part$", part.name)
        if owner and not is_running(int(owner[1])):
            part.unlink(missing_ok=True)


def is_running(process: int) -> bool:
    """Whether there is a process of this number; where that cannot be asked, there may be."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def empty_file() -> Path:
    """A new file in the temporary folder."""
    descriptor, name = tempfile.mkstemp(prefix="novikoff-")
    os.close(descriptor)
    return Path(name)


@contextmanager
def name_output(path: Any, part: Path) -> Iterator[None]:
    """Errors of the system name the output as the user did, not the temporary file."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM or error.filename == str(part):
            raise write_error(path, error) from error
        raise


def write_error(path: Any, error: OSError) -> WriteError:
    return WriteError(
        f"{path} cannot be written: {(error.strerror or str(error)).lower()}; what was there before is unchanged."
    )


def keep_mode(place: Path, part: Path) -> None:
    """Give a new file the owner and the mode of the one whose place it takes."""
    with contextlib.suppress(FileNotFoundError):
        before = place.stat()
        with contextlib.suppress(OSError):  # only the superuser may give files away
            os.chown(part, before.st_uid, before.st_gid)
        part.chmod(stat.S_IMODE(before.st_mode))


def write_through(part: Path, path: Any) -> None:
    """Write the bytes of a file into a device or a pipe."""
    with part.open("rb") as file, open(path, "wb") as out:
        shutil.copyfileobj(file, out)


def check_writable(path: Any) -> None:
    """Raise unless a file can be written in this place."""
    place = place_of(path)
    try:
        if place is None:
            if not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        elif not part_of(place).exists():
            with removing(part_of(place)):
                part_of(place).open("xb").close()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{path} cannot be written: {reason}.") from error


def check_clock() -> None:
    """Raise unless archives, which models and checkpoints are, have a date for what the clock says."""
    year = time.localtime().tm_year
    if not 1980 <= year <= 2107:
        raise InputError(
            f"The clock of this machine says {year}, and models and checkpoints are zip archives, whose dates go from "
            "1980 to 2107: set the clock."
        )


def remove_unfinished() -> None:
    """Remove the temporary files of blocks that will not end."""
    for part in tuple(unfinished):
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def flush_to_disk(path: Path) -> None:
    """Bring what was written to the disk before it gets its name."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
