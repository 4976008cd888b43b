"""Files that are written whole or not at all."""

import glob
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def replacing(path: Any) -> Iterator[Path]:
    """A temporary file beside ``path`` that takes its place when the block ends well, and goes when it does not.

    Its name is that of this process and thread, so that several may write one output: the last one to end wins, whole.
    """
    path = Path(path)
    remove_leftovers(path)
    part = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        yield part
        flush_to_disk(part)
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def remove_leftovers(path: Path) -> None:
    """Remove the temporary files of ``path`` that processes have left which were killed."""
    for part in path.parent.glob(f".{glob.escape(path.name)}.*.part"):
        owner = re.search(r"\.(\d+)-\d+\.part$", part.name)
        if owner and not is_running(int(owner[1])):
            part.unlink(missing_ok=True)


def remove(path: Path) -> None:
    """Remove a file that has done its work, if it is there, and what killed processes have left of it."""
    path.unlink(missing_ok=True)
    remove_leftovers(path)


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


def flush_to_disk(path: Path) -> None:
    """Bring what was written to the disk before it gets its name."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
