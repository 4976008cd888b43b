"""One self-contained HTML page on the estimates of a regression."""

from html import escape
from typing import Any

from ..language.translate import spoken, translated_part
from ..version import __version__
from .html_report import STYLE

MOST_ROWS = 200
"""Rows that are named."""


def separation_page(found: Any, file: str) -> str:
    """The whole page, in the language that is spoken."""
    from ..regression.separation import MEANINGS, SIGNS

    def said(text: str) -> str:
        return escape(translated_part(text))

    lines = "".join(line(found, name, said(SIGNS.get(kind, kind))) for name, kind in found.coefficients.items())
    rows = ", ".join(map(str, found.rows[:MOST_ROWS])) + (", …" if len(found.rows) > MOST_ROWS else "")
    sentences = "".join(f"<p>{said(sentence)}</p>" for sentence in found.sentences())
    names = ["coefficient", "is", "estimate", "std. error"]
    heads = "".join(f"<th{' class=words' if name == 'is' else ''}>{said(name)}" for name in names)
    proved = f"What each coefficient is was proved; the numbers of the estimates are rounded. novikoff {__version__}"
    return "".join(
        [
            f"<!doctype html><html lang={spoken()}><head><meta charset=utf-8>",
            f"<title>{said(f'Separation in {file}')}</title><style>{STYLE}</style></head>",
            f"<body><h1>{said('Which estimates are infinite')}</h1>",
            f"<p class=quiet>{said(f'{file}, {found.model()}')}</p>",
            f"<p><b>{said(MEANINGS[found.verdict])}</b></p>",
            f"<h2>{said('Coefficients')}</h2><div class=wide><table><tr>{heads}</tr>{lines}</table></div>",
            f"<h2>{said('What it means, and what to do')}</h2>{sentences}",
            f"<h2>{said('Rows responsible')}</h2><p>{rows}</p>" if len(found.rows) else "",
            f"<p class=quiet>{said(proved)}</p></body></html>\n",
        ]
    )


def line(found: Any, name: str, kind: str) -> str:
    """The line of one coefficient, and what it is."""
    numbers = (number(part.get(name)) for part in (found.estimates, found.standard_errors))
    return f"<tr><td>{escape(name)}<td class=words>{kind}{''.join(f'<td>{text}' for text in numbers)}</tr>"


def number(value: float | None) -> str:
    """A number, if there is one."""
    return "" if value is None else f"{value:.6g}"
