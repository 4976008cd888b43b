"""The server of the lab: one stateless call that runs an experiment, presets, tables, and the page itself."""

import asyncio
import contextlib
import json
import socket
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from threadpoolctl import threadpool_limits
from uvicorn.protocols.http.h11_impl import H11Protocol

from ..registry import short_name_of
from . import HOST, PORT, controls, presets
from .controls import Refusal
from .experiment import STEPS, run
from .fewest_errors_view import count_errors
from .growth import FAMILIES, SIZES, growth
from .lanes import SECONDS, Busy, Dropped, Lane, Ticket
from .page_file import page_of_request
from .pasted_table import read_table
from .pictures import FRAMES
from .request import FAR, FAR_VIEW, POINTS
from .static_files import file_route, read_files
from .truth_table import weigh_table

BYTES = 200_000
"""The largest body of a request."""
WARM_UP = "warm-up"
"""The thread that runs everything once."""
WARM = threading.Event()
"""Whether it has: what is searched for by the clock waits for that, or compiling would take its time."""
QUICK, SLOW = (4, 200), (2, 16)
"""Threads, and the most requests at a time, for all but networks, and for networks, which take longest."""
BODY_SECONDS = 10
"""How long the head or the body of a request may take to arrive."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
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
    """JSON in ASCII, which can hold any text; a number that is not finite would be a mistake of ours, an error here."""
    return Response(json.dumps(content, allow_nan=False, separators=(",", ":")), status, media_type="application/json")


def refusal_response(request: Request, error: Exception) -> Response:
    """What is wrong with a request, as a sentence and as a code that the page translates."""
    assert isinstance(error, Refusal)
    return json_response({"error": {"code": error.code, "sentence": str(error), "values": error.values}}, 422)


def busy_response(request: Request, error: Exception) -> Response:
    """Too many requests wait already."""
    sentence = "Too many requests wait already; try again in a second."
    response = json_response({"error": {"code": "busy", "sentence": sentence, "values": {}}}, 503)
    response.headers["Retry-After"] = "1"
    return response


def nobody_waits(request: Request, error: Exception) -> Response:
    """Whoever asked is gone, so this is not sent."""
    return Response(status_code=400)


async def read_body(request: Request) -> Any:
    """The JSON of a request that comes from the page itself, is not too large and arrives in time."""
    if request.headers.get("content-type", "").split(";")[0] != "application/json":
        raise Refusal("form", "Send JSON, with content-type application/json.")
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise Refusal("form", "Only the lab's own page may ask.")
    data = b""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                data += chunk
                if len(data) > BYTES:
                    raise Refusal("bytes", f"A request may have {BYTES} bytes.", most=BYTES)
    except TimeoutError:
        raise Refusal("form", f"The body did not arrive within {BODY_SECONDS} seconds.") from None
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise Refusal("form", "The body is not JSON.") from None


class Lanes:
    """The threads of an application."""

    def __init__(self) -> None:
        self.quick, self.slow = Lane("quick", *QUICK), Lane("slow", *SLOW)

    def lane_of(self, body: Any) -> Lane:
        """Networks have threads of their own, so that nothing else waits for them."""
        name = body.get("learner") if isinstance(body, dict) else None
        learner = controls.LEARNERS.get(short_name_of(name)) if isinstance(name, str) else None
        return self.slow if learner and learner.kind == "film" else self.quick

    def route_for(self, work: Callable[[Any, Ticket], Any]) -> Callable[[Request], Any]:
        """A route that does this with the body, off the event loop, while somebody waits for it."""

        async def route(request: Request) -> Response:
            body, ticket = await read_body(request), Ticket()
            job = asyncio.ensure_future(self.lane_of(body).do(work, body, ticket))
            left = asyncio.ensure_future(request.receive())  # all of the body has come: the next message is the end
            await asyncio.wait({job, left}, return_when=asyncio.FIRST_COMPLETED)
            left.cancel()
            if not job.done():
                ticket.drop()
                job.cancel()
                raise Dropped
            return json_response(job.result())

        return route

    def close(self) -> None:
        """Begin nothing more."""
        self.quick.close()
        self.slow.close()


async def preset_route(request: Request) -> Response:
    """The points of a preset."""
    query = request.query_params
    try:
        seed, species = int(query.get("seed", 0)), int(query.get("species", 0))
        first, second = int(query.get("first", 2)), int(query.get("second", 3))
    except ValueError:
        raise Refusal("form", "seed, species, first and second are whole numbers.") from None
    if not (0 <= seed <= controls.LARGEST_SEED and species in range(3) and {first, second} <= set(range(4))):
        raise Refusal("form", "seed is from 0 to 2³¹ − 1, species from 0 to 2, a column from 0 to 3.")
    return json_response({"points": presets.points(request.path_params["name"], seed, (first, second), species)})


async def controls_route(request: Request) -> Response:
    """What the page offers."""
    limits = {
        "points": POINTS,
        "far": FAR,
        "view": FAR_VIEW,
        "steps": STEPS,
        "frames": FRAMES,
        "seconds": SECONDS,
        "bytes": BYTES,
        "seed": controls.LARGEST_SEED,
    }
    return json_response(
        {
            "learners": controls.table(),
            "former_names": controls.former_names(),
            "presets": presets.NAMES,
            "centred": presets.CENTRED,
            "sampled": presets.SAMPLED,
            "growth": {"families": list(FAMILIES), "sizes": [SIZES[0], SIZES[-1]]},
            "iris": presets.IRIS,
            "limits": limits,
            "warm": WARM.is_set(),
        }
    )


def lifespan(lanes: Lanes) -> Callable[[Starlette], Any]:
    """Compile the passes, or read them from the disk, while the browser is still opening; end the threads."""

    @contextlib.asynccontextmanager
    async def alive(app: Starlette) -> AsyncIterator[None]:
        threading.Thread(target=run_everything, name=WARM_UP, daemon=True).start()
        yield
        lanes.close()

    return alive


def run_everything() -> None:
    """Run every learner once, and the search for the fewest errors."""
    try:
        for name in controls.LEARNERS:
            run({"points": presets.points("and"), "learner": name})
        count_errors({"points": presets.points("overlap")})
    finally:
        WARM.set()


def count_errors_when_warm(body: Any, ticket: Ticket) -> dict[str, Any]:
    """The fewest errors, by a search that has its time to itself."""
    WARM.wait()
    ticket.check()
    return count_errors(body)


def brief(work: Callable[[Any], Any]) -> Callable[[Any, Ticket], Any]:
    """Work that is done before anybody could leave."""
    return lambda body, ticket: work(body)


WORK: dict[str, Callable[[Any, Ticket], Any]] = {
    "run": run,
    "errors": count_errors_when_warm,
    "page": page_of_request,
    "function": brief(weigh_table),
    "table": brief(read_table),
    "growth": brief(growth),
}
"""What is asked for by POST."""


def make_app(hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")) -> Starlette:
    """The application; requests for other hosts are refused, as a page elsewhere could make the browser send them."""
    files, lanes = read_files(), Lanes()
    return Starlette(
        routes=[
            Route("/", file_route(files, "index.html")),
            Route("/api/controls", controls_route),
            Route("/api/preset/{name}", preset_route),
            *(Route(f"/api/{name}", lanes.route_for(work), methods=["POST"]) for name, work in WORK.items()),
            Route("/static/{name:path}", file_route(files)),
        ],
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=3),
        ],
        exception_handlers={
            Refusal: refusal_response,
            Busy: busy_response,
            Dropped: nobody_waits,
            ClientDisconnect: nobody_waits,
        },
        lifespan=lifespan(lanes),
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
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends at once (TCP_NODELAY) only where the protocol is named; else a body waits 40 ms for its head
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


class Impatient(H11Protocol):
    """Closes a connection on which the head of a request does not arrive in time."""

    def connection_made(self, transport: Any) -> None:
        """Start the clock."""
        super().connection_made(transport)
        self.loop.call_later(BODY_SECONDS, self.close_if_silent)

    def close_if_silent(self) -> None:
        """No request was read whole."""
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()


def make_server(app: Starlette) -> uvicorn.Server:
    """The server of an application."""
    return uvicorn.Server(uvicorn.Config(app, log_level="warning", http=Impatient, server_header=False))


def serve(host: str = HOST, port: int = PORT, browser: bool = True) -> None:
    """Run the lab until it is interrupted."""
    with open_socket(host, port) as listener:
        name = "127.0.0.1" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
        address = f"http://{name}:{listener.getsockname()[1]}/"
        hosts = ("*",) if host in ("0.0.0.0", "::") else ("127.0.0.1", "localhost", "[::1]", host)
        server = make_server(make_app(hosts))
        print(f"The lab is at {address}  (Ctrl-C ends it)", flush=True)
        if browser:
            threading.Timer(0.5, webbrowser.open, [address]).start()
        # Runs are small and many: threads of their own for a product of small matrices only wait for each other.
        with contextlib.suppress(KeyboardInterrupt), threadpool_limits(1):
            server.run(sockets=[listener])
