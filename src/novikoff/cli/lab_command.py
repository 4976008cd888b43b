"""``novikoff lab``: watch the learners at work, in a browser."""

from pathlib import Path
from typing import Annotated

import typer

from ..errors import InputError
from ..lab import HOST, PORT
from ..language.translate import translated
from . import options
from .app import command


@command("novikoff lab --export xor.html 'preset=xor&step=0'")
def lab(
    port: Annotated[
        int, typer.Option(metavar="PORT", help="The port; if it is in use, a free one is taken.", min=0, max=65535)
    ] = PORT,
    host: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="The address to listen on; any but the default lets other machines in."),
    ] = HOST,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
    export: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the run of LINK to this .html file, which plays without a server."),
    ] = None,
    lang: options.Lang = options.Language.EN,
    link: Annotated[
        str,
        typer.Argument(
            metavar="LINK", help="An address of the lab, or what follows its #, for --export.", show_default=False
        ),
    ] = "preset=and",
) -> None:
    """Watch perceptrons learn, update by update, on a local web page; in English and Chinese."""
    if export is not None:
        export_page(export, link)
        return
    from ..lab.server import serve

    serve(host, port, browser=not no_browser)


def export_page(path: Path, link: str) -> None:
    """Write one file that shows the run."""
    from ..atomic import write_text
    from ..lab.page_file import page_of_link

    if path.suffix != ".html":
        raise InputError(f"A page is written to a file that ends in .html, not in {path.suffix or path.name!r}.")
    write_text(path, page_of_link(link))
    print(translated(f"{path} shows the run; open it in any browser."))
