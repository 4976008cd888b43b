"""``novikoff lab``: watch the learners at work, in a browser."""

from typing import Annotated

import typer

from .app import command


@command("novikoff lab --port 8010")
def lab(
    port: Annotated[int, typer.Option(help="The port; if it is in use, a free one is taken.", min=0, max=65535)] = 8010,
    host: Annotated[str, typer.Option(help="The address to listen on; any but the default lets other machines in.")] = (
        "127.0.0.1"
    ),
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
) -> None:
    """Watch perceptrons learn, update by update, on a local web page; in English and Chinese."""
    try:
        from ..lab.server import serve
    except ModuleNotFoundError as error:
        raise ValueError(f"The lab needs {error.name}: pip install 'novikoff[lab]'.") from error
    serve(host, port, browser=not no_browser)
