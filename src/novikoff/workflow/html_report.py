"""One self-contained HTML page on a fit, made for paper too: no network, no scripts, figures as inline SVG."""

from collections.abc import Sequence
from html import escape
from math import log10
from pathlib import Path
from typing import Any

from ..atomic import write_text
from ..language.translate import spoken, translated, translated_name, translated_part
from ..version import __version__
from . import sentences
from .decision import SeparationDecision
from .labelled_rows import DataSummary
from .measures import Measurement, Quality
from .result import FeatureWeight, FitResult, ProblemSummary
from .wording import ENDS, KINDS, listed, word

WIDTH, HEIGHT = 700, 220
"""The size of a figure."""
MOST_POINTS = 400
"""Points of a curve; a longer one is thinned out."""
MOST_CLASSES = 30
"""Classes up to which a confusion matrix is drawn, and for which there are figures."""
MOST_COLUMNS = 40
"""Columns of a kind that are named."""
LONGEST_WORD = 16
"""Characters of a cell that is never broken."""
STYLE = """
body { font: 15px/1.5 system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif; color: #1d2733; background: #fff;
  max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem;
  border-bottom: 1px solid #d5dce4; padding-bottom: .2rem; } p { margin: .4rem 0; }
.quiet { color: #5b6876; } table { border-collapse: collapse; margin: .6rem 0; }
th, td { padding: .25rem .7rem; text-align: right; vertical-align: top; overflow-wrap: break-word; }
th { font-weight: 600; color: #5b6876; } th:first-child, td:first-child, .words { text-align: left; }
tr + tr td { border-top: 1px solid #eceff3; } .big { font-size: 1.9rem; font-weight: 600; margin-right: .3rem; }
.figures { display: flex; flex-wrap: wrap; gap: .2rem 2rem; } .figures > span { white-space: nowrap; }
h1 { overflow-wrap: anywhere; } td.words { min-width: 5.5em; }
td.short, th { overflow-wrap: normal; white-space: nowrap; }
.wide { overflow-x: auto; } .answer { font-size: 1.15rem; font-weight: 600; } .advice { border-left: 4px solid #c98a10;
  padding-left: .6rem; } code { overflow-wrap: anywhere; }
figure { margin: 1rem 0; break-inside: avoid; } figcaption { color: #5b6876; }
svg { max-width: 100%; height: auto; display: block; margin: .5rem 0; } svg text { font-size: 12px; fill: #37424e; }
section { break-inside: avoid; }
@media (max-width: 30rem) { body { margin: 1rem auto; padding: 0 .7rem; font-size: 14px; } h1 { font-size: 1.25rem; }
  .big { font-size: 1.4rem; } .figures { gap: .2rem 1.2rem; } th, td { padding: .2rem .25rem; }
  svg text { font-size: 19px; } .wide table { font-size: 12px; } th { white-space: normal; }
  td.words { min-width: 4.5em; } }
@media print { body { margin: 0; max-width: none; font-size: 10.5pt; }
  .wide { overflow: visible; } @page { margin: 18mm; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""


def write_report(result: FitResult, path: Path) -> None:
    """Write the report of a fit."""
    write_text(path, page(result))


def page(result: FitResult) -> str:
    """The whole page, in the language that is spoken."""
    title = word("title", model=result.model.class_name, file=translated_name(Path(result.data.file).name))
    sections = {
        "quality": quality_section(result.quality) + yardstick_section(result),
        "separation": separation_section(result.separation),
        "data": data_section(result.data),
        "learned": learned_section(result),
        "curve": curve(result.learned.mistakes_by_pass),
        "weights": weights_section(result.weights),
        "notes": "".join(f"<p>{escape(translated(note))}</p>" for note in result.notes),
    }
    body = "".join(section(word(f"section {name}"), text) for name, text in sections.items())
    predicts = word("predicts", target=f"<b>{escape(result.data.target)}</b>")
    ending = word("sentence", text=sentences.stage_seconds(result))
    return (
        f'<!doctype html>\n<html lang="{spoken()}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>'
        f"<h1>{escape(title)}</h1><p class=quiet>{predicts}; {escape(word('sentence', text=result.model.reason))}</p>"
        f"{body}<p class=quiet>novikoff {__version__}; {ending}</p></body></html>\n"
    )


def section(title: str, body: str) -> str:
    return f"<section><h2>{title}</h2>{body}</section>\n" if body else ""


def table(head: Sequence[str], rows: Sequence[Sequence[Any]], words: int = 1) -> str:
    """A table; the first columns are words, the others numbers; without those in which nothing stands."""
    full = [k for k in range(len(head)) if k == 0 or any(row[k] != "" for row in rows)]
    top = "".join(f"<th{' class=words' * (k < words)}>{escape(head[k])}</th>" for k in full)
    lines = []
    for row in rows:
        cells = (f"<td{kind_of_cell(str(row[k]), k < words)}>{escape(str(row[k]))}</td>" for k in full)
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f"<div class=wide><table>{f'<tr>{top}</tr>' if any(head) else ''}{''.join(lines)}</table></div>"


def kind_of_cell(text: str, words: bool) -> str:
    """The class of a cell: words may be broken only where they are long."""
    short_ = len(text) <= LONGEST_WORD
    kinds = (["short"] if short_ else []) + (["words"] if words else [])
    return f' class="{" ".join(kinds)}" style="text-align: left"' if words else (' class="short"' if short_ else "")


def data_section(data: DataSummary) -> str:
    """Rows, columns by kind, missing values, classes."""
    gone = word("left out", n=f"{data.rows_left_out:,}") if data.rows_left_out else ""
    lines = [[word("rows", n="").strip(), f"{data.rows:,}{gone}"], [word("format"), translated_part(data.format)]]
    for kind in KINDS:
        names = [name for name, kind_of_column in data.columns.items() if kind_of_column == kind]
        if names:
            more = word("and more", n=len(names) - MOST_COLUMNS) if len(names) > MOST_COLUMNS else ""
            lines.append([word(f"kind {kind}"), ", ".join(names[:MOST_COLUMNS]) + more])
    if not data.columns:
        lines.append([word("columns", n="").strip(), f"{data.width:,}"])
    if data.missing:
        lines.append([word("missing values"), ", ".join(f"{name}: {n:,}" for name, n in data.missing.items())])
    lines.append([word("classes"), ", ".join(f"{name}: {n:,}" for name, n in data.classes.items())])
    return table(("", ""), lines, words=2) + "".join(f"<p>{escape(translated(note))}</p>" for note in data.notes)


def quality_section(quality: Quality) -> str:
    """The measures, the confusion matrix, and precision and recall of every class."""
    if quality.measurement is None:
        return f"<p>{escape(quality.how)}</p>"
    measured = quality.measurement
    figures = [
        f"<span><span class=big>{value:.2%}</span>{word(name)}</span>"
        for name, value in (("accuracy", measured.accuracy), ("balanced accuracy", measured.balanced_accuracy))
    ]
    others = [f"{name} {text}" for name, text in sentences.measure_pairs(measured) if name != word("balanced accuracy")]
    how = word("measured", how=quality.how, rows=f"{measured.rows:,}")
    text = f"<p class=figures>{''.join(figures)}</p><p>{escape(listed(others))}</p><p class=quiet>{escape(how)}</p>"
    if len(measured.labels) > MOST_CLASSES:
        return text
    return text + confusion(measured) + table(sentences.class_heads(), sentences.class_lines(measured))


def yardstick_section(result: FitResult) -> str:
    """What other models reach on the same rows."""
    lines = sentences.yardstick_lines(result)
    if not lines:
        return ""
    advised = sentences.advice(result)
    text = f"<p class=quiet>{escape(word('yardsticks'))}</p>{table(sentences.yardstick_heads(), lines)}"
    return text + (f"<p class=advice>{escape(advised)}</p>" if advised else "")


def separation_section(decision: SeparationDecision | None) -> str:
    """Do the classes separate?  The decision, and what proves it."""
    if decision is None:
        return ""
    answer, basis = sentences.decision_answer(decision), sentences.decision_basis(decision)
    parts = [f"<p class=answer>{escape(answer)}</p><p class=quiet>{escape(basis)}</p>"]
    if decision.questions:
        parts.append(table(sentences.question_heads(), sentences.question_lines(decision.questions), words=2))
    if decision.verdict == "quasi-separable":
        parts.append(f"<p>{escape(word('logistic'))}</p>")
    if decision.command:
        parts.append(f"<p>{escape(word('decides', command=''))}<code>{escape(decision.command)}</code></p>")
    return "".join(parts)


def confusion(measured: Measurement) -> str:
    """The rows of every class by what they were taken for: right ones in blue, wrong ones in red."""
    top = "".join(f"<th>{escape(label)}</th>" for label in measured.labels)
    lines = []
    for i, (label, line) in enumerate(zip(measured.labels, measured.confusion, strict=True)):
        total = sum(line) or 1
        cells = "".join(
            f'<td style="background: rgba({"38,110,190" if i == j else "200,50,40"},{0.75 * n / total:.3f})">{n:,}</td>'
            for j, n in enumerate(line)
        )
        lines.append(f"<tr><td>{escape(label)}</td>{cells}</tr>")
    head = f"<tr><th>{escape(word('actual predicted'))}</th>{top}</tr>"
    return f"<div class=wide><table>{head}{''.join(lines)}</table></div>"


def learned_section(result: FitResult) -> str:
    """Status, updates and margin of every problem, and what its run proved."""
    learned = result.learned
    settings = ", ".join(f"{key}={value}" for key, value in result.model.settings.items())
    made = f"{result.model.class_name}({settings})"
    words = listed([made, word("passes", n=f"{learned.passes:,}")] if learned.passes else [made])
    text = f"<p>{escape(word('sentence', text=words))}</p>{problem_table(learned.problems)}"
    if not any(p.margin_bound is not None or p.mistake_bound for p in learned.problems):
        return text
    proofs = "".join(
        f"<p><b>{escape(p.classes[0])}</b>: {escape(word('sentence', text=translated(p.certificate)))}</p>"
        for p in learned.problems
        if p.certificate
    )
    bounded = [p for p in learned.problems if p.mistake_bound and p.bounded]
    return f"{text}<p class=quiet>{escape(word('margins'))}</p>{proofs}{bound_figure(bounded[:MOST_CLASSES])}"


def problem_table(problems: list[ProblemSummary]) -> str:
    """How each problem ended, its updates or mistakes against their bound, and its margins."""
    ends = [word(f"end {end}") for end in ENDS if any((p.stopped_by or p.status) == end for p in problems)]
    said = "".join(f"<p class=quiet>{escape(words)}</p>" for words in ends)
    return table(sentences.problem_heads(problems), sentences.problem_lines(problems), words=2) + said


def bound_figure(problems: list[ProblemSummary]) -> str:
    """Updates or mistakes made against the most there could have been, on a logarithmic scale."""
    if not problems:
        return ""
    most = max(p.mistake_bound or 0.0 for p in problems)
    left, right, step = 170, WIDTH - 20, 24
    decades = max(1.0, log10(most))

    def x(value: float) -> float:
        return left + (right - left) * log10(max(value, 1.0)) / decades

    bars, bottom = [], step * len(problems) + 8
    for power in range(0, int(decades) + 1, max(1, int(decades) // 6)):
        at = x(10.0**power)
        bars.append(
            f'<path d="M{at:.1f} 4V{bottom}" stroke="#e4e9ee"/><text x="{at:.1f}" y="{bottom + 16}" '
            f'text-anchor="middle">{label_of(power)}</text>'
        )
    for k, p in enumerate(problems):
        y, name = 8 + step * k, sentences.short(word("all") if p.classes == ["all"] else p.classes[0])
        most_width, width = x(p.mistake_bound or 0.0) - left, max(2.0, x(p.bounded or 0) - left)
        bars.append(
            f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{escape(name)}</text>'
            f'<rect x="{left}" y="{y}" width="{most_width:.1f}" height="16" fill="#dbe7f3"/>'
            f'<rect x="{left}" y="{y + 3}" width="{width:.1f}" height="10" fill="#266ebe"/>'
        )
    caption = "bound caption" if problems[0].mistakes is None else "bound caption, mistakes"
    return svg("".join(bars), bottom + 24, word(caption))


def label_of(power: int) -> str:
    """A power of ten as an axis shows it."""
    return f"{10**power:,}" if power < 4 else f'10<tspan dy="-4" font-size="9">{power}</tspan>'


def curve(mistakes: list[int]) -> str:
    """The mistakes of every pass."""
    if len(mistakes) < 2:
        return ""
    left, right, top, bottom = 60, WIDTH - 20, 12, HEIGHT - 34
    most = max(max(mistakes), 1)
    stride = -(-len(mistakes) // MOST_POINTS)
    points = [*range(0, len(mistakes), stride)]
    points += [len(mistakes) - 1] if points[-1] != len(mistakes) - 1 else []

    def at(k: int) -> tuple[float, float]:
        return left + (right - left) * k / (len(mistakes) - 1), bottom - (bottom - top) * mistakes[k] / most

    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(at, points))
    grid = "".join(
        f'<path d="M{left} {y:.1f}H{right}" stroke="#e4e9ee"/><text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">'
        f"{share * most:,.0f}</text>"
        for share in (0, 0.5, 1)
        for y in [bottom - (bottom - top) * share]
    )
    last = word("pass", n=f"{len(mistakes):,}")
    ends = (
        f'<text x="{left}" y="{bottom + 18}" text-anchor="middle">1</text>'
        f'<text x="{right}" y="{bottom + 18}" text-anchor="end">{last}</text>'
    )
    body = f'{grid}{ends}<polyline points="{line}" fill="none" stroke="#266ebe" stroke-width="2"/>'
    return svg(body, HEIGHT, word("curve caption"))


def weights_section(weights: dict[str, list[FeatureWeight]]) -> str:
    """One figure per class."""
    return "".join(weights_figure(name, pairs) for name, pairs in list(weights.items())[:MOST_CLASSES] if pairs)


def weights_figure(class_name: str, pairs: list[FeatureWeight]) -> str:
    """Bars to both sides."""
    most = max(abs(weight) for _, weight in pairs)
    left, right, step = 250, WIDTH - 70, 22
    middle = (left + right) / 2
    bars = []
    for k, (name, weight) in enumerate(pairs):
        length, y = (right - middle) * abs(weight) / most, 4 + step * k
        x, end = (middle, middle + length + 5) if weight > 0 else (middle - length, middle + 5)
        bars.append(
            f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{escape(sentences.short(name, 34))}</text>'
            f'<rect x="{x:.1f}" y="{y}" width="{max(length, 1):.1f}" height="15" '
            f'fill="{"#266ebe" if weight > 0 else "#c83228"}"/>'
            f'<text x="{end:.1f}" y="{y + 12}">{weight:+.3g}</text>'
        )
    axis = f'<path d="M{middle} 0V{step * len(pairs) + 4}" stroke="#8a96a3"/>'
    return svg("".join(bars) + axis, step * len(pairs) + 8, word("for class", name=class_name))


def svg(body: str, height: float, caption: str) -> str:
    """A figure."""
    size = f'viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}"'
    return f'<figure><figcaption>{escape(caption)}</figcaption><svg {size} role="img">{body}</svg></figure>'
