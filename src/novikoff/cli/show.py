"""Results, for people to read in a terminal."""

import os
from typing import TYPE_CHECKING, Any

from rich import markup
from rich.console import Console
from rich.table import Table

from ..errors import comma_list, number_text, spelt_out
from ..language.translate import translated, translated_name, translated_part
from ..workflow import sentences
from ..workflow.wording import KINDS, listed, word

if TYPE_CHECKING:  # what is shown is made by others; nothing of theirs is needed to show it
    from ..workflow.compare import Comparison
    from ..workflow.decision import SeparationDecision
    from ..workflow.labelled_rows import DataSummary
    from ..workflow.measures import Quality
    from ..workflow.result import FeatureWeight, FitResult, ProblemSummary

WIDE = 12
"""Classes up to which a confusion matrix is shown in a terminal."""
LONGEST_NAME = 80
"""Characters of a feature's name that are shown in a terminal."""
UNBROKEN = 10_000
"""Characters of a line where there is no terminal."""
MOST_LINES = 30
"""Lines of a table with one for every class."""


def results_console(markup: bool = True) -> Console:
    """Where results are printed: as wide as the terminal; elsewhere, as in a pipe, no line is broken."""
    console = Console(highlight=False, markup=markup)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = UNBROKEN
    return console


def show_fit(result: "FitResult") -> None:
    """All that ``fit`` tells."""
    console = results_console()
    show_data(console, result.data)
    show_separation(console, result.separation)
    show_learning(console, result)
    show_quality(console, result.quality)
    show_yardsticks(console, result)
    show_weights(console, result.weights)
    show_ending(console, result)


def escape(text: str) -> str:
    """A text that is no markup, and in which control characters of others do nothing."""
    return markup.escape(spelt_out(text))


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
    name, gone = translated_name(data.file), ""
    if data.rows_left_out:
        gone = word("left out", n=number_text(data.rows_left_out))
    sizes = [translated_part(data.format), sized(data.rows, "rows") + gone, sized(data.width, "columns")]
    lines = []
    for kind in KINDS:
        names = [name for name, kind_of_column in data.columns.items() if kind_of_column == kind]
        if names:
            lines.append([word(f"kind {kind}"), f"{len(names)}: {comma_list(names, 8)}"])
    if data.missing:
        lines.append([word("missing"), comma_list(f"{name}: {n}" for name, n in data.missing.items())])
    lines.append([word("classes"), comma_list(f"{name}: {n:,}" for name, n in data.classes.items())])
    heading(console, word("pair", name=name, text=listed(sizes)))
    console.print(word_table(lines))
    for note in data.notes:
        console.print(
            word("pair", name=f"  [yellow]{word('Note')}[/yellow]", text=escape(translated(note))), soft_wrap=True
        )


def word_table(lines: list[list[str]]) -> Table:
    """Lines with a word before each."""
    table = Table.grid(padding=(0, 2))
    for line in lines:
        table.add_row(*map(escape, ("  " + line[0], *line[1:])))
    return table


def show_separation(console: Console, decision: "SeparationDecision | None") -> None:
    """Do the classes separate?  The decision, and what proves it."""
    if decision is None:
        return
    heading(console, word("separate?"))
    console.print(f"  {escape(word('sentence', text=sentences.decision_answer(decision)))}", soft_wrap=True)
    console.print(f"  [dim]{escape(sentences.decision_basis(decision))}[/dim]", soft_wrap=True)
    if decision.questions:
        lines = [[f"  {name}", *cells] for name, *cells in sentences.question_lines(decision.questions[:MOST_LINES])]
        heads = sentences.question_heads()
        console.print(grid(f"  {heads[0]}", *heads[1:], rows=lines, left=2))
    if decision.verdict == "quasi-separable":
        console.print(f"  {word('logistic')}", soft_wrap=True)
    if decision.command:
        console.print(f"  {escape(word('decides', command=decision.command))}", soft_wrap=True)


def show_learning(console: Console, result: "FitResult") -> None:
    model, learned = result.model, result.learned
    settings = ", ".join(f"{key}={value}" for key, value in model.settings.items())
    heading(console, word("pair", name=f"{model.class_name}({settings})", text=model.reason))
    if any(problem.mistake_bound or problem.certificate for problem in learned.problems):
        show_problems(console, learned.problems)
        return
    updates = sum(problem.updates or 0 for problem in learned.problems)
    console.print(f"  {word('passes, updates', passes=learned.passes, updates=number_text(updates))}")


def show_problems(console: Console, problems: "list[ProblemSummary]") -> None:
    """Status, updates against bound, margin and the margin that no plane exceeds; and what a single one proved."""
    rows = [[f"  {name}", *cells] for name, *cells in sentences.problem_lines(problems)]
    heads = sentences.problem_heads(problems)
    console.print(grid(f"  {heads[0]}", *heads[1:], rows=rows, left=2))
    if len(problems) == 1 and problems[0].certificate and not problems[0].certificate.startswith("unknown"):
        found = escape(translated(problems[0].certificate))
        console.print(word("pair", name=f"  [dim]{word('proved')}[/dim]", text=found), soft_wrap=True)


def show_quality(console: Console, quality: "Quality") -> None:
    measured = quality.measurement
    if measured is None:
        heading(console, word("pair", name=word("how good"), text=quality.how))
        return
    title = listed(f"{name} {text}" for name, text in sentences.measure_pairs(measured))
    heading(
        console, word("measured title", title=title[0].upper() + title[1:], how=quality.how, n=f"{measured.rows:,}")
    )
    if len(measured.labels) <= WIDE:
        pairs = zip(measured.labels, measured.confusion, strict=True)
        lines = [[f"  {label}", *(f"{n:,}" for n in counts)] for label, counts in pairs]
        console.print(grid(f"  {word('actual predicted')}", *measured.labels, rows=lines))
    heads = sentences.class_heads()
    lines = [[f"  {line[0]}", *line[1:]] for line in sentences.class_lines(measured)[:MOST_LINES]]
    console.print(grid(f"  {heads[0]}", *heads[1:], rows=lines))


def show_yardsticks(console: Console, result: "FitResult") -> None:
    """What other models reach on the same rows."""
    lines = sentences.yardstick_lines(result)
    if not lines:
        return
    heading(console, word("yardsticks"))
    console.print(grid(*sentences.yardstick_heads(), rows=[[f"  {line[0]}", *line[1:]] for line in lines]))
    if advised := sentences.advice(result):
        console.print(f"  [yellow]{escape(advised)}[/yellow]")


def show_weights(console: Console, weights: "dict[str, list[FeatureWeight]]") -> None:
    if not weights:
        return
    heading(console, word("weights"))
    for name, pairs in weights.items():
        shown = ", ".join(
            f"{escape(sentences.short(feature, LONGEST_NAME))} {weight:+.3g}"
            for feature, weight in pairs[: 5 if len(weights) > 1 else 10]
        )
        console.print(word("pair", name=f"  [dim]{escape(word('for class', name=name))}[/dim]", text=shown))


def show_ending(console: Console, result: "FitResult") -> None:
    console.print()
    for note in result.notes:
        console.print(word("pair", name=f"[yellow]{word('Note')}[/yellow]", text=escape(translated(note))))
    for what, path in result.files.items():
        console.print(escape(word(f"wrote {what}", path=path)), soft_wrap=True)
    stages = word("sentence", text=sentences.stage_seconds(result))
    console.print(f"[dim]{word('pair', name=word('time'), text=stages)}[/dim]", soft_wrap=True)


def show_certificate(table: Any, summary: str, output: Any, again: str) -> None:
    """All that ``certify`` tells; ``again`` is the command that checks the proof."""
    console = results_console()
    name, sizes = translated_name(table.name), {"rows": len(table.rows), "columns": len(table.columns or ())}
    heading(console, word("pair", name=name, text=listed(sized(n, what) for what, n in sizes.items() if n)))
    for column, count in table.encoded.items():
        console.print(escape(word("categories each", column=column, n=count)), soft_wrap=True)
    for line in translated(summary).split("\n"):
        console.print(escape(line), soft_wrap=True)
    if output:
        console.print("\n" + escape(word("wrote proof", path=output, again=again)), soft_wrap=True)


def sized(n: int, what: str) -> str:
    """So many rows or columns, in words."""
    return word(what if n != 1 else what.removesuffix("s"), n=number_text(n))


def show_comparison(comparison: "Comparison") -> None:
    """All that ``bench`` tells."""
    console = results_console()
    show_data(console, comparison.data)
    heading(console, word("best first", n=comparison.folds))
    rows = [
        [f"  {each.learner}", *(f"{value:.4f}" for value in (each.accuracy, each.balanced_accuracy, each.seconds))]
        for each in comparison.learners
    ]
    heads = [word(key) for key in ("learner", "accuracy", "balanced", "seconds a fit")]
    console.print(grid(f"  {heads[0]}", *heads[1:], rows=rows))
    console.print()


def show_claim(row: Any, lang: str) -> None:
    """A claim of the course that was run."""
    from ..course.page_texts import WORDS
    from ..course.places import PLACES, after_hash

    words, console, place = WORDS[lang], results_console(), PLACES[row.claim]
    verdict = f"[green]{words['holds']}[/green]" if row.holds else f"[bold red]{words['fails']}[/bold red]"
    console.print(f"[bold]{row.claim} {escape(row.text.title)}[/bold]: {verdict}", soft_wrap=True)
    more = words["section"].format(place.section) + (
        f" · novikoff lab, {after_hash(lang, place.lab)}" if place.lab else ""
    )
    for name, text in ((words["ran"], row.text.ran), (words["found"], row.found), (words["places"], more)):
        console.print(f"    [dim]{name}:[/dim] {escape(text)}", soft_wrap=True)
