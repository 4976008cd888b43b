"""Draws the figure of benchmarks.md from its own table of growth; ``make docs`` calls it."""

from pathlib import Path

from novikoff.course.drawings import Drawing, svg

HERE = Path(__file__).parent
TITLE = "| grows | kind |"
MARKS = {"rows": "o", "columns": "s", "classes": "^"}
COLOURS = {"float32": "#0072b2", "float64": "#d55e00", "CSR float64": "#009e73"}


def measured():
    """Of every line of the table: what grows, the kind of rows, entries times planes in millions, ms a pass."""
    lines = (HERE / "benchmarks.md").read_text(encoding="utf-8").splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith(TITLE)) + 2
    for line in lines[start : lines.index("", start)]:
        grows, kind, _, _, classes, entries, time, *_ = (cell.strip() for cell in line.strip("|").split("|"))
        yield grows, kind, float(entries) * (1 if classes == "2" else int(classes)), float(time)


def draw(ax, lang):
    rows = list(measured())
    for (kind, colour), (grows, mark) in ((k, g) for k in COLOURS.items() for g in MARKS.items()):
        points = [row[2:] for row in rows if row[:2] == (grows, kind)]
        ax.plot(*zip(*points, strict=True), mark, linestyle="-", color=colour, label=f"{kind}: more {grows}")
    ends = min(row[2] for row in rows), max(row[2] for row in rows)
    for nanoseconds in (0.2, 1, 5):
        ax.plot(ends, [nanoseconds * end for end in ends], color="#999999", linewidth=0.6, zorder=0)
        ax.annotate(f"{nanoseconds:g} ns", (ends[1], nanoseconds * ends[1]), color="#666666", fontsize=8)
    ax.set(xscale="log", yscale="log", xlabel="entries of the rows × planes, million", ylabel="ms a pass")
    ax.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.08, 0.5))


if __name__ == "__main__":
    (HERE / "figures").mkdir(exist_ok=True)
    (HERE / "figures" / "growth.svg").write_bytes(
        svg(Drawing(lambda figure, measured, words: draw(figure.add_subplot(), "en")), {}, "en")
    )
