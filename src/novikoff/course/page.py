"""The course as a page: one that needs no other file, or the chapter of the documentation."""

import base64
import html as escaping
import io
from collections.abc import Iterable
from typing import Any

from .run_claims import ClaimRow
from .texts import CODE, TEXTS

WORDS = {
    "en": {
        "title": "The course: every claim of the notes, run",
        "lead": "Each claim of the lecture notes on the perceptron was run on the library's own learners.",
        "says": "The notes say",
        "ran": "What was run",
        "found": "What was found",
        "beyond": "Beyond the notes",
        "holds": "holds",
        "fails": "does NOT hold",
        "figure": "Figure of",
        "stop": ".",
        "command": "`novikoff course` runs all of it in about a minute and prints what was found; `--claim "
        "C12` runs one "
        "claim, `--html FOLDER` writes a page with the figures.",
        "formulas": "Rows x are the augmented [x; 1], r is the length of the longest, ρ the margin, M the number of "
        "updates, η the learning rate.",
    },
    "zh": {
        "title": "课程：讲义中的每个论断，逐一运行",
        "lead": "感知机讲义中的每个论断，都用本库自己的学习器运行了一遍。",
        "says": "讲义说",
        "ran": "运行了什么",
        "found": "发现了什么",
        "beyond": "讲义之外",
        "holds": "成立",
        "fails": "不成立",
        "figure": "图：",
        "stop": "：",
        "command": "`novikoff course --lang zh` 约一分钟运行全部论断并打印结果；`--claim C12` 只运行一个，"
        "`--html 目录` 写出带图的网页。",
        "formulas": "样本 x 指增广后的 [x; 1]，r 是最长样本的长度，ρ 是间隔，M 是更新次数，η 是学习率。",
    },
}
STYLE = """body{font:16px/1.55 system-ui,"Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif;max-width:52rem;
margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}h2{margin-top:2.5rem}dt{font-weight:600}
dd{margin:0 0 .6rem 0}pre{background:#f4f4f4;padding:.8rem;overflow-x:auto}img{max-width:100%}
.holds{color:#006b4f}.fails{color:#a33d00;font-weight:700}table{border-collapse:collapse}
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
    picture = ""
    if figures and row.draw is not None:
        source = base64.b64encode(svg_picture(row.draw, lang)).decode()
        alternative = safe(f"{words['figure']} {text.title}")
        picture = f'<img alt="{alternative}" src="data:image/svg+xml;base64,{source}">'
    return (
        f'<section id="{row.claim}"><h2>{row.claim} {safe(text.title)}</h2><p>{verdict(row, words)}</p><dl>{body}</dl>'
        f"<pre><code>{safe(CODE[row.claim])}</code></pre>{picture}</section>"
    )


def verdict(row: ClaimRow, words: dict[str, str]) -> str:
    word = "holds" if row.holds else "fails"
    return f'<span class="{word}">{words[word]}</span>'


def safe(text: str) -> str:
    return escaping.escape(text)


def svg_picture(draw: Any, lang: str) -> bytes:
    """A picture as SVG, the same for the same run."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    FigureCanvasSVG(figure)
    with mpl.rc_context({"svg.hashsalt": "novikoff", "svg.fonttype": "path"}):
        draw(figure.add_subplot(), lang)
        out = io.BytesIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()


def markdown(lang: str = "en", drawn_claims: Iterable[str] = ()) -> str:
    """The chapter of the documentation: the claims with their code, and pictures where there are some."""
    words, pictures, space = WORDS[lang], set(drawn_claims), "" if lang == "zh" else " "
    parts = [f"# {words['title']}\n\n{words['lead']}{space}{words['formulas']}\n\n{words['command']}\n"]
    for claim, texts in TEXTS.items():
        text = texts[lang]
        entries = [("says", text.says), ("ran", sentence(text.ran, lang)), ("beyond", text.beyond)]
        parts.append(f"## {claim} {text.title}\n")
        parts += [f"**{words[key]}{words['stop']}**{space}{value}\n" for key, value in entries if value]
        parts.append(f"```python\n{CODE[claim]}\n\n```\n")
        if claim in pictures:
            parts.append(f"![{words['figure']}{space}{text.title}](figures/{claim}-{lang}.svg)\n")
    return "\n".join(parts)


def sentence(text: str, lang: str) -> str:
    """The first letter large, unless it is the variable m, and a full stop."""
    return (text if text.startswith("m ") else text[0].upper() + text[1:]) + ("。" if lang == "zh" else ".")
