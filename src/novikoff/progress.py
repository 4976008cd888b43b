"""The progress bar of ``verbose=1``: passes of a run, rows of a pass, or questions of ``certify``."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .language.translate import translated_part

Report = Callable[[int, int, float], None]
"""Told after every pass: passes made, mistakes of the last, margin proved impossible."""


class Progress:
    """A line on the error output per task, silent unless verbose: how much is done, and a note on what is done now."""

    def __init__(self, verbose: int, total: int) -> None:
        self.total, self.asked = total, None
        self.bar = make_bar() if verbose else None

    def __enter__(self) -> "Progress":
        if self.bar:
            self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar:
            self.bar.stop()

    def line(self, name: str) -> Report | None:
        """A bar of its own for the passes over one group of problems."""
        if not self.bar:
            return None
        bar = self.bar
        task = bar.add_task(translated_part(name), total=self.total, note=translated_part("passes"))

        def report(passes: int, mistakes: int, bound: float) -> None:
            note = f"passes, {mistakes} mistakes, no margin above {bound:.3g}"
            bar.update(task, completed=passes, note=translated_part(note))

        return report

    def counter(self, name: str) -> Callable[[], None]:
        """A bar for many small questions: what is returned is called when one is answered."""
        if not self.bar:
            return lambda: None
        bar, task = self.bar, self.bar.add_task(translated_part(name), total=self.total, note="")
        return lambda: bar.update(task, advance=1)

    def reading(self, name: str, also: Callable[[str], None] | None = None) -> Callable[..., None]:
        """A bar of rows for one pass after the other; what is returned takes what is done and how many rows are."""
        bar = self.bar
        task = bar.add_task(translated_part(name), total=self.total, note="") if bar else None

        def say(text: str, done: int | None = None) -> None:
            if also:
                also(f"{name}: {text}")
            if bar:
                bar.update(task, note=translated_part(text), completed=done)

        return say

    @contextmanager
    def question(self, name: str, also: Callable[[str], None] | None = None) -> Iterator[Callable[[str], None]]:
        """One question of all, on a bar that they share; what is yielded takes what is being done about it."""

        def say(text: str) -> None:
            if also:
                also(f"{name}: {text}")
            if self.bar:
                self.bar.update(self.asked, description=translated_part(name), note=translated_part(text))

        if self.bar and self.asked is None:
            self.asked = self.bar.add_task("", total=self.total, note="")
        say("reading the numbers")
        yield say
        if self.bar:
            self.bar.update(self.asked, advance=1)


def make_bar() -> Any:
    """Lines on the error output."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    return Bar(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        expand=True,
    )
