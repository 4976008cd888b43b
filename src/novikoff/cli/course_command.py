"""``novikoff course``: every claim of the lecture notes, run."""

from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from ..language.translate import translated
from . import options
from .app import REFUSED, command, print_json


@command("novikoff course --claim C12 --lang zh --html out/")
def course(
    claim: Annotated[
        list[str] | None, typer.Option(metavar="CLAIM", help="A claim to run, C01 to C26; may be repeated.")
    ] = None,
    lang: options.Lang = options.Language.EN,
    html: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write a page with the figures, course.html, to this folder.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Run the claims of the lecture notes and say which hold: exit code 0 if all do, 1 if one does not."""
    from ..course import run_course
    from .show import show_claim

    if html is not None:
        import_module("matplotlib")  # what is missing is said before the work
        html.mkdir(parents=True, exist_ok=True)
    rows = []
    with options.progress("Running the claims", json) as say:
        for row in run_course(claim or None, lang.value, say):
            rows.append(row)
            if not json:
                show_claim(row, lang.value)
    if html is not None:
        write_page(rows, lang.value, html)
    if json:
        print_json([claim_as_json(row) for row in rows])
    if not all(row.holds for row in rows):
        raise typer.Exit(REFUSED)


def write_page(rows: list[Any], lang: str, folder: Path) -> None:
    """Write the page."""
    from ..atomic import write_text
    from ..course import html

    write_text(folder / "course.html", html(rows, lang))
    typer.echo(translated(f"Wrote the page: {folder / 'course.html'}"), err=True)


def claim_as_json(row: Any) -> dict[str, Any]:
    """A claim that was run, as JSON has it."""
    from ..course.places import PLACES

    return {
        "claim": row.claim,
        "title": row.text.title,
        "ran": row.text.ran,
        "found": row.found,
        "holds": row.holds,
        "seconds": round(row.seconds, 3),
        "section": PLACES[row.claim].section,
        "lab": PLACES[row.claim].lab or None,
    }
