"""The course as a page that needs no other file."""

import base64
import html as escaping
from collections.abc import Iterable, Iterator

from .page_texts import WORDS
from .places import PLACES, lab_address
from .run_claims import ClaimRow

STYLE = """body{font:16px/1.55 system-ui,"Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif;max-width:52rem;
margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}h2{margin-top:2.5rem}dt{font-weight:600}
dd{margin:0 0 .6rem 0}pre{background:#f4f4f4;padding:.8rem;overflow-x:auto}img{max-width:100%}
td:last-child{white-space:nowrap}.holds{color:#006b4f}.fails{color:#a33d00;font-weight:700}table{border-collapse:collapse}
td,th{padding:.3rem .7rem;text-align:left;border-bottom:1px solid #ddd;vertical-align:top}"""


def html(rows: Iterable[ClaimRow], lang: str = "en", figures: bool = True) -> str:
    """One page, with its pictures in it; ``figures=False`` leaves them out, and needs no matplotlib."""
    rows, words = list(rows), WORDS[lang]
    parts = [section(row, words, lang, figures) for row in rows]
    table = "".join(
        f'<tr><td><a href="#{row.claim}">{row.claim}</a></td><td>{safe(row.text.title)}</td>'
        f"<td>{safe(row.found)}</td><td>{verdict(row, words)}</td></tr>"
        for row in rows
    )
    return (
        f'<!doctype html>\n<html lang="{"zh-CN" if lang == "zh" else "en"}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{safe(words["title"])}</title>'
        f"<style>{STYLE}</style></head><body><h1>{safe(words['title'])}</h1><p>{safe(words['lead'])} "
        f"{safe(words['formulas'])}</p><table>{table}</table>{''.join(parts)}</body></html>\n"
    )


def section(row: ClaimRow, words: dict[str, str], lang: str, figures: bool) -> str:
    """What is to be said of one claim."""
    text = row.text
    entries = [("says", text.says), ("ran", text.ran), ("found", row.found), ("beyond", text.beyond)]
    body = "".join(f"<dt>{words[key]}</dt><dd>{safe(value)}</dd>" for key, value in entries if value)
    body += f"<dt>{words['places']}</dt><dd>{place_of(row, words, lang)}</dd>"
    pictures = "".join(images(row, words, lang)) if figures else ""
    return (
        f'<section id="{row.claim}"><h2>{row.claim} {safe(text.title)}</h2><p>{verdict(row, words)}</p><dl>{body}</dl>'
        f"{pictures}<details><summary>{words['code']}</summary><pre><code>{safe(row.code)}</code></pre></details></section>"
    )


def place_of(row: ClaimRow, words: dict[str, str], lang: str) -> str:
    """The section of the chapter, and a link to the lab."""
    place = PLACES[row.claim]
    section = safe(words["section"].format(place.section))
    if not place.lab:
        return section
    return f'{section} · <a href="{safe(lab_address(lang, place.lab))}">{safe(words["lab"])}</a>'


def images(row: ClaimRow, words: dict[str, str], lang: str) -> Iterator[str]:
    """The figures of a claim, drawn from its run."""
    from .drawings import drawings_of, svg

    for drawing in drawings_of(row.claim).values():
        source = base64.b64encode(svg(drawing, row.figures, lang)).decode()
        alternative = safe(f"{words['figure']} {row.text.title}")
        yield f'<img alt="{alternative}" src="data:image/svg+xml;base64,{source}">'


def verdict(row: ClaimRow, words: dict[str, str]) -> str:
    word = "holds" if row.holds else "fails"
    return f'<span class="{word}">{words[word]}</span>'


def safe(text: str) -> str:
    return escaping.escape(text)
