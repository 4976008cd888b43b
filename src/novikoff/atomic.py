"""Files that are written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def replacing(path: Any) -> Iterator[Path]:
    """A temporary file beside ``path`` that takes its place when the block ends well, and goes when it does not."""
    path = Path(path)
    part = path.with_name(f".{path.name}.part")  # one name, so that a process that is killed leaves one file at most
    try:
        yield part
        flush_to_disk(part)
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def flush_to_disk(path: Path) -> None:
    """Bring what was written to the disk before it gets its name."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
