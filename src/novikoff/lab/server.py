"""The server of the lab: one stateless call that runs an experiment, presets, tables, and the page itself."""

import asyncio
import contextlib
import json
import socket
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from threadpoolctl import threadpool_limits

from . import controls, presets
from .controls import Refusal
from .experiment import STEPS, run
from .fewest_errors_view import count_errors
from .pasted_table import read_table
from .pictures import FRAMES
from .request import POINTS
from .truth_table import weigh_table

HOST, PORT = "127.0.0.1", 8010
BYTES = 200_000
"""The largest body of a request."""
WARM_UP = "warm-up"
"""The thread that runs everything once."""
WARM = threading.Event()
"""Whether it has: what is searched for by the clock waits for that, or compiling would take its time."""
AT_ONCE = 4
"""Experiments that are worked on at the same time; others wait."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


class SecurityHeaders:
    """Adds the headers that keep a page to itself."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


def json_response(content: Any, status: int = 200) -> Response:
    """JSON; a number that is not finite would be a mistake of ours, and is an error here."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Response(text, status, media_type="application/json")


def refusal_response(request: Request, error: Exception) -> Response:
    """What is wrong with a request, as a sentence and as a code that the page translates."""
    assert isinstance(error, Refusal)
    return json_response({"error": {"code": error.code, "sentence": str(error), "values": error.values}}, 422)


async def read_body(request: Request) -> Any:
    """The JSON of a request that is not too large."""
    if request.headers.get("content-type", "").split(";")[0] != "application/json":
        raise Refusal("form", "Send JSON, with content-type application/json.")
    data = b""
    async for chunk in request.stream():
        data += chunk
        if len(data) > BYTES:
            raise Refusal("bytes", f"A request may have {BYTES} bytes.", most=BYTES)
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise Refusal("form", "The body is not JSON.") from None


def route_for(work: Callable[[Any], Any]) -> Callable[[Request], Any]:
    """A route that does this with the body, off the event loop."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def route(request: Request) -> Response:
        body = await read_body(request)
        async with turns:
            return json_response(await run_in_threadpool(work, body))

    return route


async def preset_route(request: Request) -> Response:
    """The points of a preset."""
    query = request.query_params
    try:
        seed, species = int(query.get("seed", 0)), int(query.get("species", 0))
        first, second = int(query.get("first", 2)), int(query.get("second", 3))
    except ValueError:
        raise Refusal("form", "seed, species, first and second are whole numbers.") from None
    if not (0 <= seed < 2**31 and species in range(3) and {first, second} <= set(range(4))):
        raise Refusal("form", "seed is from 0 to 2³¹ − 1, species from 0 to 2, a column from 0 to 3.")
    return json_response({"points": presets.points(request.path_params["name"], seed, (first, second), species)})


async def controls_route(request: Request) -> Response:
    """What the page offers."""
    limits = {"points": POINTS, "steps": STEPS, "frames": FRAMES}
    return json_response(
        {
            "learners": controls.table(),
            "former_names": controls.FORMER_NAMES,
            "presets": presets.NAMES,
            "iris": presets.IRIS,
            "limits": limits,
        }
    )


@contextlib.asynccontextmanager
async def warm_up(app: Starlette) -> AsyncIterator[None]:
    """Compile the passes, or read them from the disk, while the browser is still opening."""
    threading.Thread(target=run_everything, name=WARM_UP, daemon=True).start()
    yield


def run_everything() -> None:
    """Run every learner once, and the search for the fewest errors."""
    try:
        for name in controls.LEARNERS:
            run({"points": presets.points("and"), "learner": name})
        count_errors({"points": presets.points("overlap")})
    finally:
        WARM.set()


def count_errors_when_warm(body: Any) -> dict[str, Any]:
    """The fewest errors, by a search that has its time to itself."""
    WARM.wait()
    return count_errors(body)


def page_route(files: StaticFiles) -> Callable[[Request], Any]:
    """The page itself."""

    async def route(request: Request) -> Response:
        return await files.get_response("index.html", request.scope)

    return route


def make_app(hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")) -> Starlette:
    """The application; requests for other hosts are refused, as a page elsewhere could make the browser send them."""
    files = StaticFiles(packages=[(__package__, "static")])
    return Starlette(
        routes=[
            Route("/", page_route(files)),
            Route("/api/controls", controls_route),
            Route("/api/preset/{name}", preset_route),
            Route("/api/run", route_for(run), methods=["POST"]),
            Route("/api/errors", route_for(count_errors_when_warm), methods=["POST"]),
            Route("/api/function", route_for(weigh_table), methods=["POST"]),
            Route("/api/table", route_for(read_table), methods=["POST"]),
            Mount("/static", files),
        ],
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers={Refusal: refusal_response},
        lifespan=warm_up,
    )


def open_socket(host: str, port: int) -> socket.socket:
    """A socket on this port, or on a free one if it cannot be had."""
    try:
        return bind_socket(host, port)
    except OSError as error:
        if port == 0:
            raise ValueError(f"The lab cannot listen on {host}: {error.strerror}.") from error
        return open_socket(host, 0)


def bind_socket(host: str, port: int) -> socket.socket:
    """A socket that listens."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def serve(host: str = HOST, port: int = PORT, browser: bool = True) -> None:
    """Run the lab until it is interrupted."""
    with open_socket(host, port) as listener:
        name = "127.0.0.1" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
        address = f"http://{name}:{listener.getsockname()[1]}/"
        hosts = ("*",) if host in ("0.0.0.0", "::") else ("127.0.0.1", "localhost", "[::1]", host)
        server = uvicorn.Server(uvicorn.Config(make_app(hosts), log_level="warning"))
        print(f"The lab is at {address}  (Ctrl-C ends it)", flush=True)
        if browser:
            threading.Timer(0.5, webbrowser.open, [address]).start()
        # Runs are small and many: threads of their own for a product of small matrices only wait for each other.
        with contextlib.suppress(KeyboardInterrupt), threadpool_limits(1):
            server.run(sockets=[listener])
