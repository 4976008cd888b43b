"""Results, for people to read in a terminal."""

from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..errors import comma_list, number_text, plural
from ..workflow.wording import KINDS

if TYPE_CHECKING:  # what is shown is made by others; nothing of theirs is needed to show it
    from ..workflow.compare import Comparison
    from ..workflow.result import DataSummary, FeatureWeight, FitResult, ProblemSummary, Quality

FEW = 3
"""Relations between columns that are shown."""
WIDE = 12
"""Classes up to which a confusion matrix is shown in a terminal."""


def show_fit(result: "FitResult") -> None:
    """All that ``fit`` tells."""
    console = Console(highlight=False)
    show_data(console, result.data)
    show_learning(console, result)
    show_quality(console, result.quality)
    show_weights(console, result.weights)
    show_ending(console, result)


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


def show_data(console: Console, data: "DataSummary") -> None:
    gone = f" ({number_text(data.rows_left_out)} left out for missing values)" if data.rows_left_out else ""
    size = f"{number_text(data.rows)} rows{gone}, {number_text(data.width)} columns"
    lines = []
    for kind, words in KINDS.items():
        names = [name for name, kind_of_column in data.columns.items() if kind_of_column == kind]
        if names:
            lines.append([words, f"{len(names)}: {comma_list(names, 8)}"])
    if data.missing:
        lines.append(["missing", comma_list(f"{name}: {n}" for name, n in data.missing.items())])
    lines.append(["classes", comma_list(f"{name}: {n:,}" for name, n in data.classes.items())])
    heading(console, f"{data.file}: {data.format}, {size}")
    console.print(word_table(lines))


def word_table(lines: list[list[str]]) -> Table:
    """Lines with a word before each."""
    table = Table.grid(padding=(0, 2))
    for line in lines:
        table.add_row(*map(escape, ("  " + line[0], *line[1:])))
    return table


def show_learning(console: Console, result: "FitResult") -> None:
    model, learned, ahead = result.model, result.learned, result.separability
    looked_ahead = ahead.problems != learned.problems
    if looked_ahead:
        heading(console, "Do the classes separate? A perceptron's answer, on the prepared rows")
        show_problems(console, ahead.problems)
    settings = ", ".join(f"{key}={value}" for key, value in model.settings.items())
    heading(console, f"{model.class_name}({settings}): {model.reason}")
    if looked_ahead:
        updates = sum(problem.updates or 0 for problem in learned.problems)
        console.print(f"  {learned.passes} passes, {number_text(updates)} updates")
    else:
        show_problems(console, learned.problems)


def show_problems(console: Console, problems: "list[ProblemSummary]") -> None:
    """Status, updates against bound, margin and the margin that no plane exceeds; and what a single one proved."""
    rows = [
        [
            f"  {' against '.join(problem.classes)}",
            problem.status,
            number_text(problem.updates),
            number_text(problem.mistake_bound, at_most=True),
            number_text(problem.margin),
            number_text(problem.margin_bound),
        ]
        for problem in problems
    ]
    console.print(grid("  class", "status", "updates", "at most", "margin", "none above", rows=rows, left=2))
    if len(problems) == 1 and problems[0].certificate:
        console.print(f"  [dim]proved:[/dim] {escape(problems[0].certificate)}")


def show_quality(console: Console, quality: "Quality") -> None:
    measured = quality.measurement
    if measured is None:
        heading(console, f"How good: {quality.how}")
        return
    heading(
        console,
        f"Accuracy {measured.accuracy:.4f}, balanced {measured.balanced_accuracy:.4f}, "
        f"{quality.how} ({measured.rows:,} rows)",
    )
    if len(measured.labels) <= WIDE:
        pairs = zip(measured.labels, measured.confusion, strict=True)
        rows = [[f"  {label}", *(f"{n:,}" for n in counts)] for label, counts in pairs]
        console.print(grid("  actual ↓ predicted →", *measured.labels, rows=rows))


def show_weights(console: Console, weights: "dict[str, list[FeatureWeight]]") -> None:
    if not weights:
        return
    heading(console, "Weightiest features")
    for name, pairs in weights.items():
        shown = ", ".join(
            f"{escape(feature)} {weight:+.3g}" for feature, weight in pairs[: 5 if len(weights) > 1 else 10]
        )
        console.print(f"  [dim]for {escape(name)}:[/dim] {shown}")


def show_ending(console: Console, result: "FitResult") -> None:
    console.print()
    for note in result.notes:
        console.print(f"[yellow]Note:[/yellow] {escape(note)}")
    for what, path in result.files.items():
        console.print(f"Wrote the {what}: {escape(path)}", soft_wrap=True)
    stages = ", ".join(f"{stage} {seconds:.2g} s" for stage, seconds in result.seconds.items())
    console.print(f"[dim]Time: {stages}.[/dim]")


def show_certificate(table: Any, certificate: Any, output: Any, again: str) -> None:
    """All that ``certify`` tells; ``again`` is the command that checks the proof."""
    console = Console(highlight=False)
    width = f", {plural(len(table.columns), 'column')}" if table.columns else ""
    heading(console, f"{table.name}: {plural(len(table.rows), 'row')}{width}")
    for column, count in table.encoded.items():
        console.print(f"  {escape(column)}: {count} categories, a column of 0 and 1 each")
    console.print(escape(certificate.summary()))
    bonds = getattr(certificate, "collinear", [])
    for bond in bonds[:FEW]:
        console.print(f"  [dim]collinear: {escape(comma_list(certificate.called(j) for j in bond))}[/dim]")
    if len(bonds) > FEW:
        console.print(f"  [dim]… and {len(bonds) - FEW} more such relations; --json has them all[/dim]")
    if output:
        console.print(f"\nWrote the proof: {escape(str(output))}; check it with: {escape(again)}", soft_wrap=True)


def show_comparison(comparison: "Comparison") -> None:
    """All that ``bench`` tells."""
    console = Console(highlight=False)
    show_data(console, comparison.data)
    heading(console, f"Mean of {comparison.folds} folds, best first")
    rows = [
        [f"  {each.learner}", *(f"{value:.4f}" for value in (each.accuracy, each.balanced_accuracy, each.seconds))]
        for each in comparison.learners
    ]
    console.print(grid("  learner", "accuracy", "balanced", "seconds a fit", rows=rows))
    console.print()


def show_claim(row: Any, lang: str) -> None:
    """A claim of the course that was run."""
    from ..course.page_texts import WORDS

    words, console = WORDS[lang], Console(highlight=False)
    verdict = f"[green]{words['holds']}[/green]" if row.holds else f"[bold red]{words['fails']}[/bold red]"
    console.print(f"[bold]{row.claim} {escape(row.text.title)}[/bold]: {verdict}", soft_wrap=True)
    for word, text in ((words["ran"], row.text.ran), (words["found"], row.found)):
        console.print(f"    [dim]{word}:[/dim] {escape(text)}", soft_wrap=True)
