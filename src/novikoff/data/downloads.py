"""Files of public sources, downloaded once and checked."""

import hashlib
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

from ..atomic import replacing
from ..errors import InputError
from ..progress import Progress

SECONDS = 30
"""How long a server may be silent."""
BLOCK = 1 << 16
"""Bytes that are read at a time."""


@dataclass(frozen=True)
class Download:
    """A file at a public address, its SHA-256 and its length in bytes."""

    address: str
    digest: str
    size: int

    @property
    def file(self) -> str:
        return self.address.rsplit("/", 1)[-1]


def downloaded(name: str, file: Download, verbose: int) -> Path:
    """A file of a data set in the cache folder, brought there if it is not yet, or no longer, what it should be."""
    path = cache_folder(name) / file.file
    if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == file.digest:
        return path
    try:
        with replacing(path) as part:
            digest = copied(name, file, part, verbose)
            if digest != file.digest:
                raise InputError(
                    f"{file.address} is not the file that it was and is not kept: its SHA-256 is {digest}, not "
                    f"{file.digest}."
                )
    except (OSError, HTTPException) as error:
        raise InputError(
            f"{name} is not on this machine and {file.address} cannot be read ({getattr(error, 'reason', error)}): "
            "connect to the network, or put the files into a folder and set NOVIKOFF_DATA to it."
        ) from error
    return path


def copied(name: str, file: Download, to: Path, verbose: int) -> str:
    """Copy a file from its address, no more of it than its length and a byte, and return its SHA-256."""
    digest, done = hashlib.sha256(), 0
    with (
        urllib.request.urlopen(file.address, timeout=SECONDS) as source,
        to.open("wb") as out,
        Progress(verbose, file.size) as progress,
    ):
        say = progress.reading(name)
        while done <= file.size and (block := source.read(min(BLOCK, file.size + 1 - done))):
            out.write(block)
            digest.update(block)
            done += len(block)
            say("bytes", done)
    return digest.hexdigest()


def cache_folder(name: str) -> Path:
    """A folder of its own for each set, in that of scikit-learn."""
    from sklearn.datasets import get_data_home

    try:
        folder = Path(get_data_home()) / "novikoff" / name
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"There is no folder to keep {name} in ({error}): set SCIKIT_LEARN_DATA to one that can be written."
        ) from error
    return folder
