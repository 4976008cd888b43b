"""One self-contained HTML page on a fit, made for paper too: no network, no scripts, figures as inline SVG."""

from collections.abc import Sequence
from html import escape
from math import log10
from pathlib import Path
from typing import Any

from ..atomic import replacing
from ..errors import number_text
from ..version import __version__
from .result import DataSummary, FeatureWeight, FitResult, Measurement, ProblemSummary, Quality, RunSummary
from .wording import KINDS, STATUS

WIDTH, HEIGHT = 700, 220
"""The size of a figure."""
MOST_POINTS = 400
"""Points of a curve; a longer one is thinned out."""
MOST_CLASSES = 30
"""Classes up to which a confusion matrix is drawn, and for which there are figures."""
MOST_COLUMNS = 40
"""Columns of a kind that are named."""
STYLE = """
body { font: 15px/1.5 system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif; color: #1d2733; background: #fff;
  max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem;
  border-bottom: 1px solid #d5dce4; padding-bottom: .2rem; } p { margin: .4rem 0; }
.quiet { color: #5b6876; } table { border-collapse: collapse; margin: .6rem 0; }
th, td { padding: .25rem .7rem; text-align: right; vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 600; color: #5b6876; } th:first-child, td:first-child, td.words { text-align: left; }
tr + tr td { border-top: 1px solid #eceff3; } .big { font-size: 1.9rem; font-weight: 600; margin-right: .3rem; }
.figures > span { margin-right: 2rem; white-space: nowrap; } .wide { overflow-x: auto; }
figure { margin: 1rem 0; break-inside: avoid; } figcaption { color: #5b6876; }
svg { max-width: 100%; height: auto; display: block; margin: .5rem 0; } svg text { font-size: 12px; fill: #37424e; }
section { break-inside: avoid; } @media print { body { margin: 0; max-width: none; font-size: 10.5pt; }
  .wide { overflow: visible; } @page { margin: 18mm; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""


def write_report(result: FitResult, path: Path) -> None:
    """Write the report of a fit."""
    with replacing(path) as part:
        part.write_text(page(result), encoding="utf-8")


def page(result: FitResult) -> str:
    """The whole page."""
    title = f"{result.model.class_name} on {Path(result.data.file).name}"
    sections = [
        section("How good it is", quality_section(result.quality)),
        section("Data", data_section(result.data)),
        section("What was learned", learned_section(result)),
        section("Separability", separability_section(result.separability)),
        section("Learning curve", curve(result.learned.mistakes_by_pass)),
        section("Weights", weights_section(result.weights)),
        section("Notes", "".join(f"<p>{escape(note)}</p>" for note in result.notes)),
    ]
    seconds = ", ".join(f"{stage} {value:.2g} s" for stage, value in result.seconds.items())
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>'
        f"<h1>{escape(title)}</h1>"
        f"<p class=quiet>Predicts <b>{escape(result.data.target)}</b>; {escape(result.model.reason)}.</p>"
        f"{''.join(sections)}<p class=quiet>novikoff {__version__}; {seconds}.</p></body></html>\n"
    )


def section(title: str, body: str) -> str:
    return f"<section><h2>{title}</h2>{body}</section>\n" if body else ""


def table(head: Sequence[str], rows: Sequence[Sequence[Any]], words: int = 1) -> str:
    """A table; the first columns are words, the others numbers."""
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    lines = []
    for row in rows:
        cells = (
            f"<td class=words>{escape(str(c))}</td>" if k < words else f"<td>{escape(str(c))}</td>"
            for k, c in enumerate(row)
        )
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f"<div class=wide><table>{f'<tr>{top}</tr>' if any(head) else ''}{''.join(lines)}</table></div>"


def data_section(data: DataSummary) -> str:
    """Rows, columns by kind, missing values, classes."""
    gone = f", {data.rows_left_out:,} more left out for missing values" if data.rows_left_out else ""
    lines = [["rows", f"{data.rows:,}{gone}"], ["format", data.format]]
    for kind, words in KINDS.items():
        names = [name for name, kind_of_column in data.columns.items() if kind_of_column == kind]
        if names:
            more = f" and {len(names) - MOST_COLUMNS} more" if len(names) > MOST_COLUMNS else ""
            lines.append([words, ", ".join(names[:MOST_COLUMNS]) + more])
    if not data.columns:
        lines.append(["columns", f"{data.width:,}"])
    if data.missing:
        lines.append(["missing values", ", ".join(f"{name}: {n:,}" for name, n in data.missing.items())])
    lines.append(["classes", ", ".join(f"{name}: {n:,}" for name, n in data.classes.items())])
    return table(("", ""), lines, words=2)


def quality_section(quality: Quality) -> str:
    """Accuracy and the confusion matrix."""
    if quality.measurement is None:
        return f"<p>{escape(quality.how)}</p>"
    measured = quality.measurement
    text = (
        f"<p class=figures><span><span class=big>{measured.accuracy:.2%}</span>accuracy</span>"
        f"<span><span class=big>{measured.balanced_accuracy:.2%}</span>balanced accuracy</span></p>"
        f"<p class=quiet>Measured {escape(quality.how)}: "
        f"{measured.rows:,} rows, none predicted by a model that was trained on it.</p>"
    )
    return text + (confusion(measured) if len(measured.labels) <= MOST_CLASSES else "")


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
    return f"<div class=wide><table><tr><th>actual ↓ &nbsp; predicted →</th>{top}</tr>{''.join(lines)}</table></div>"


def learned_section(result: FitResult) -> str:
    """Status, updates and margin of every problem."""
    settings = ", ".join(f"{key}={value}" for key, value in result.model.settings.items())
    passes = f" {result.learned.passes:,} passes." if result.learned.passes else ""
    text = f"<p>{escape(result.model.class_name)}({escape(settings)}).{passes}</p>"
    return text + problem_table(result.learned.problems)


def problem_table(problems: list[ProblemSummary]) -> str:
    """How each problem ended, its updates against Novikoff's bound, and its margins."""
    head = ("class", "status", "updates", "at most", "margin", "no plane above")
    rows = [
        [
            " against ".join(p.classes),
            p.status or "",
            number_text(p.updates),
            number_text(p.mistake_bound, at_most=True),
            number_text(p.margin),
            number_text(p.margin_bound),
        ]
        for p in problems
    ]
    ends = [words for status, words in STATUS.items() if any((p.stopped_by or p.status) == status for p in problems)]
    return table(head, rows, words=2) + "".join(f"<p class=quiet>{escape(words)}</p>" for words in ends)


def bound_figure(problems: list[ProblemSummary]) -> str:
    """Updates made against Novikoff's bound, on a logarithmic scale."""
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
        y, name = 8 + step * k, short(p.classes[0])
        most_width, width = x(p.mistake_bound or 0.0) - left, max(2.0, x(p.updates or 0) - left)
        bars.append(
            f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{escape(name)}</text>'
            f'<rect x="{left}" y="{y}" width="{most_width:.1f}" height="16" fill="#dbe7f3"/>'
            f'<rect x="{left}" y="{y + 3}" width="{width:.1f}" height="10" fill="#266ebe"/>'
        )
    caption = "Updates made (dark) and the most there could have been, r²/margin² (light), by Novikoff's theorem."
    return svg("".join(bars), bottom + 24, caption)


def label_of(power: int) -> str:
    """A power of ten as an axis shows it."""
    return f"{10**power:,}" if power < 4 else f'10<tspan dy="-4" font-size="9">{power}</tspan>'


def separability_section(run: RunSummary) -> str:
    """What a perceptron's run says of the rows: updates against the bound, margins, certificates."""
    problems = run.problems
    if not any(p.margin_bound is not None for p in problems):
        return ""
    bounded = [p for p in problems if p.mistake_bound and p.updates]
    radius = f" The longest row has length {number_text(run.radius)}." if run.radius else ""
    note = f"<p class=quiet>Margins are distances from the plane, of the rows after scaling and encoding.{radius}</p>"
    proofs = "".join(
        f"<p><b>{escape(p.classes[0])}</b>: {escape(p.certificate)}.</p>" for p in problems if p.certificate
    )
    return problem_table(problems) + note + proofs + bound_figure(bounded[:MOST_CLASSES])


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
    ends = (
        f'<text x="{left}" y="{bottom + 18}" text-anchor="middle">1</text>'
        f'<text x="{right}" y="{bottom + 18}" text-anchor="end">pass {len(mistakes):,}</text>'
    )
    body = f'{grid}{ends}<polyline points="{line}" fill="none" stroke="#266ebe" stroke-width="2"/>'
    return svg(body, HEIGHT, "Mistakes in every pass, over all classes.")


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
            f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{escape(short(name, 34))}</text>'
            f'<rect x="{x:.1f}" y="{y}" width="{max(length, 1):.1f}" height="15" '
            f'fill="{"#266ebe" if weight > 0 else "#c83228"}"/>'
            f'<text x="{end:.1f}" y="{y + 12}">{weight:+.3g}</text>'
        )
    axis = f'<path d="M{middle} 0V{step * len(pairs) + 4}" stroke="#8a96a3"/>'
    return svg("".join(bars) + axis, step * len(pairs) + 8, f"For {class_name}")


def svg(body: str, height: float, caption: str) -> str:
    """A figure."""
    size = f'viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}"'
    return f'<figure><figcaption>{escape(caption)}</figcaption><svg {size} role="img">{body}</svg></figure>'


def short(name: str, most: int = 22) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"
