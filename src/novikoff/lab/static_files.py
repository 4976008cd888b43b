"""The files of the page, kept in memory as they are sent: a first load asks for few of them, and none is read twice."""

import gzip
import hashlib
import mimetypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from .bundle import STATIC, bundle

SCRIPT = "lab.js"
"""The page's modules as one file."""
PACKED_FROM = 1000
"""Bytes from which a file is sent compressed."""


@dataclass(frozen=True)
class StaticFile:
    """A file, plain and compressed, and the tag by which a browser knows that it has it."""

    plain: bytes
    packed: bytes | None
    media_type: str
    tag: str

    def response(self, request: Request) -> Response:
        """The file, or word that it is the one that the browser has."""
        headers = {"ETag": self.tag, "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        if self.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=self.media_type)
        return Response(self.plain, headers=headers, media_type=self.media_type)


def static_file(name: str, data: bytes) -> StaticFile:
    """A file under the name that tells its type."""
    media_type = mimetypes.types_map.get(f".{name.rpartition('.')[2]}", "application/octet-stream")
    if name.endswith(".js"):
        media_type = "text/javascript"  # whatever the system's own table says: a module must have this type
    packed = gzip.compress(data, mtime=0) if len(data) >= PACKED_FROM else None
    return StaticFile(data, packed, media_type, f'"{hashlib.sha256(data).hexdigest()[:32]}"')


def walk(folder: Traversable, before: str = "") -> Iterator[tuple[str, bytes]]:
    """The files of a folder by their path in it."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from walk(entry, f"{before}{entry.name}/")
        else:
            yield before + entry.name, entry.read_bytes()


def read_files() -> dict[str, StaticFile]:
    """All files of the page, and its modules as one."""
    script = bundle("main.js", waits=True).encode()
    return {name: static_file(name, data) for name, data in [*walk(STATIC), (SCRIPT, script)]}


def file_route(files: dict[str, StaticFile], always: str | None = None) -> Callable[[Request], Any]:
    """A route that sends the file that is asked for, or always the same."""

    async def route(request: Request) -> Response:
        name = always or request.path_params["name"]
        if name not in files:
            raise HTTPException(404)
        return files[name].response(request)

    return route
