"""Files that are written whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def replacing(path: Any) -> Iterator[Path]:
    """A temporary file beside ``path`` that takes its place when the block ends well, and goes when it does not."""
    path = Path(path)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    os.close(handle)
    try:
        yield Path(name)
        flushed(name)
        os.chmod(name, path.stat().st_mode if path.exists() else 0o666 & ~umask())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def flushed(name: str) -> None:
    """Bring what was written to the disk before it gets its name."""
    with open(name, "rb") as file:
        os.fsync(file.fileno())


def umask() -> int:
    """The rights that new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
