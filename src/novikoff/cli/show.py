"""What was found, for people to read in a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..errors import comma_list
from ..workflow.wording import KINDS, bound, number

FEW = 3
"""Relations between columns that are shown."""
WIDE = 12
"""Classes up to which a confusion matrix is shown in a terminal."""


@contextmanager
def busy(what: str, quiet: bool) -> Iterator[Callable[[str], None]]:
    """A sign of life on a terminal; call what it gives to change the text."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    with Console(stderr=True).status(f"{escape(what)} …") as status:
        yield lambda text: status.update(f"{escape(text)} …")


def fitted(found: dict[str, Any]) -> None:
    """All that ``fit`` tells."""
    console = Console(highlight=False)
    for section in (data, learned, quality, weights, ending):
        section(console, found)


def heading(console: Console, text: str) -> None:
    console.print(f"\n[bold]{escape(text)}[/bold]", soft_wrap=True)


def grid(*names: str, rows: list[list[Any]], left: int = 1) -> Table:
    """A table without lines; all but the first columns are numbers."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for k, name in enumerate(names):
        table.add_column(escape(name), justify="left" if k < left else "right")
    for row in rows:
        table.add_row(*(escape(str(cell)) for cell in row))
    return table


def data(console: Console, found: dict[str, Any]) -> None:
    about = found["data"]
    gone = f" ({about['rows_left_out']:,} left out for missing values)" if about["rows_left_out"] else ""
    heading(console, f"{about['file']}: {about['format']}, {about['rows']:,} rows{gone}, {about['width']:,} columns")
    lines = []
    for kind, words in KINDS.items():
        names = [name for name, found_kind in about["columns"].items() if found_kind == kind]
        if names:
            lines.append([words, f"{len(names)}: {comma_list(names, 8)}"])
    if about["missing"]:
        lines.append(["missing", comma_list(f"{name}: {n}" for name, n in about["missing"].items())])
    lines.append(["classes", comma_list(f"{name}: {n:,}" for name, n in about["classes"].items())])
    console.print(plain(lines))


def plain(lines: list[list[str]]) -> Table:
    """Lines with a word before each."""
    table = Table.grid(padding=(0, 2))
    for line in lines:
        table.add_row(*map(escape, ("  " + line[0], *line[1:])))
    return table


def learned(console: Console, found: dict[str, Any]) -> None:
    model, about, seen = found["model"], found["learned"], found["separability"]
    if seen["problems"] != about["problems"]:
        heading(console, "Do the classes separate? A perceptron's answer, on the prepared rows")
        proved(console, seen["problems"])
    settings = ", ".join(f"{key}={value}" for key, value in model["settings"].items())
    heading(console, f"{model['class']}({settings}): {model['reason']}")
    if seen["problems"] == about["problems"]:
        proved(console, about["problems"])
    else:
        updates = sum(problem["updates"] or 0 for problem in about["problems"])
        console.print(f"  {about['passes']} passes, {number(updates)} updates")


def proved(console: Console, several: list[dict[str, Any]]) -> None:
    """How the problems of a run ended, and what a single one proved."""
    console.print(problems(several))
    if len(several) == 1 and several[0]["certificate"]:
        console.print(f"  [dim]proved:[/dim] {escape(several[0]['certificate'])}")


def problems(several: list[dict[str, Any]]) -> Table:
    """Status, updates against bound, margin and the margin that no plane exceeds."""
    rows = []
    for problem in several:
        rows.append(
            [
                " against ".join(problem["classes"]) if len(problem["classes"]) == 2 else problem["classes"][0],
                problem["status"],
                number(problem["updates"]),
                bound(problem["mistake_bound"]),
                number(problem["margin"]),
                number(problem["margin_bound"]),
            ]
        )
    return grid(
        "  class",
        "status",
        "updates",
        "at most",
        "margin",
        "none above",
        rows=[["  " + r[0], *r[1:]] for r in rows],
        left=2,
    )


def quality(console: Console, found: dict[str, Any]) -> None:
    about = found["quality"]
    if "accuracy" not in about:
        heading(console, f"How good: {about['how']}")
        return
    heading(
        console,
        f"Accuracy {about['accuracy']:.4f}, balanced {about['balanced_accuracy']:.4f}, "
        f"{about['how']} ({about['rows']:,} rows)",
    )
    labels = about["labels"]
    if len(labels) <= WIDE:
        lines = [
            [f"  {label}", *(f"{n:,}" for n in line)] for label, line in zip(labels, about["confusion"], strict=True)
        ]
        console.print(grid("  is ↓ taken for →", *labels, rows=lines))


def weights(console: Console, found: dict[str, Any]) -> None:
    if not found["weights"]:
        return
    heading(console, "Weightiest features")
    several = len(found["weights"]) > 1
    for owner, pairs in found["weights"].items():
        shown = pairs[: 5 if several else 10]
        console.print(
            f"  [dim]for {escape(owner)}:[/dim] " + ", ".join(f"{escape(name)} {value:+.3g}" for name, value in shown)
        )


def ending(console: Console, found: dict[str, Any]) -> None:
    console.print()
    for note in found["notes"]:
        console.print(f"[yellow]Note:[/yellow] {escape(note)}")
    for what, path in found["files"].items():
        console.print(f"Wrote the {what}: {escape(path)}", soft_wrap=True)
    stages = ", ".join(f"{stage} {seconds:.2g} s" for stage, seconds in found["seconds"].items())
    console.print(f"[dim]Time: {stages}.[/dim]")


def certified(table: Any, found: Any, output: Any, data: str, target: str | None) -> None:
    """All that ``certify`` tells."""
    console = Console(highlight=False)
    width = f", {len(table.columns):,} columns" if table.columns else ""
    heading(console, f"{table.name}: {len(table.rows):,} rows{width}")
    for column, count in table.encoded.items():
        console.print(f"  {escape(column)}: {count} categories, a column of 0 and 1 each")
    console.print(escape(found.summary()))
    bonds = getattr(found, "collinear", [])
    for bond in bonds[:FEW]:
        console.print(f"  [dim]collinear: {escape(comma_list(found.called(j) for j in bond))}[/dim]")
    if len(bonds) > FEW:
        console.print(f"  [dim]… and {len(bonds) - FEW} more such relations; --json has them all[/dim]")
    if output:
        named = f" --target {target}" if target else ""
        console.print(
            f"\nWrote the proof: {output}; check it with: novikoff check {output} {data}{named}", soft_wrap=True
        )


def compared(found: dict[str, Any]) -> None:
    """All that ``bench`` tells."""
    console = Console(highlight=False)
    data(console, found)
    heading(console, f"Mean of {found['folds']} folds, best first")
    keys = ("accuracy", "balanced_accuracy", "seconds")
    rows = [[f"  {line['learner']}", *(f"{line[key]:.4f}" for key in keys)] for line in found["learners"]]
    console.print(grid("  learner", "accuracy", "balanced", "seconds a fit", rows=rows))
    console.print()


def claim(row: Any, lang: str) -> None:
    """A claim of the course that was run."""
    from ..course.page import WORDS

    words, console = WORDS[lang], Console(highlight=False)
    verdict = f"[green]{words['holds']}[/green]" if row.holds else f"[bold red]{words['fails']}[/bold red]"
    console.print(f"[bold]{row.claim} {escape(row.text.title)}[/bold]: {verdict}", soft_wrap=True)
    for word, text in ((words["ran"], row.text.ran), (words["found"], row.found)):
        console.print(f"    [dim]{word}:[/dim] {escape(text)}", soft_wrap=True)
