"""One self-contained HTML page on the estimates of a regression."""

from html import escape
from typing import Any

from ..version import __version__
from .html_report import STYLE

MOST_ROWS = 200
"""Rows that are named."""


def separation_page(found: Any, file: str) -> str:
    """The whole page."""
    from ..regression.separation import MEANINGS, SIGNS

    lines = "".join(line(found, name, SIGNS.get(kind, kind)) for name, kind in found.coefficients.items())
    rows = ", ".join(map(str, found.rows[:MOST_ROWS])) + (", …" if len(found.rows) > MOST_ROWS else "")
    said = "".join(f"<p>{escape(sentence)}</p>" for sentence in found.sentences())
    heads = "<tr><th>coefficient<th class=words>is<th>estimate<th>std. error</tr>"
    return "".join(
        [
            f"<!doctype html><html lang=en><head><meta charset=utf-8><title>Separation in {escape(file)}</title>",
            f"<style>{STYLE}</style></head><body><h1>Which estimates are infinite</h1>",
            f"<p class=quiet>{escape(file)}, {escape(found.family)} regression</p>",
            f"<p><b>{escape(MEANINGS[found.verdict])}</b></p>",
            f"<h2>Coefficients</h2><div class=wide><table>{heads}{lines}</table></div>",
            f"<h2>What it means, and what to do</h2>{said}",
            f"<h2>Rows responsible</h2><p>{rows}</p>" if len(found.rows) else "",
            "<p class=quiet>What each coefficient is was proved; the numbers of the estimates are rounded. ",
            f"novikoff {__version__}</p></body></html>\n",
        ]
    )


def line(found: Any, name: str, kind: str) -> str:
    """The line of one coefficient."""
    numbers = (number(part.get(name)) for part in (found.estimates, found.standard_errors))
    return f"<tr><td>{escape(name)}<td class=words>{escape(kind)}{''.join(f'<td>{text}' for text in numbers)}</tr>"


def number(value: float | None) -> str:
    """A number, if there is one."""
    return "" if value is None else f"{value:.6g}"
