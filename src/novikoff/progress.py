"""The progress bar of ``verbose=1``."""

from collections.abc import Callable
from typing import Any

Report = Callable[[int, int, float], None]
"""Told after every pass: passes made, mistakes of the last, margin proved impossible."""


class Progress:
    """Shows passes, mistakes of the last pass and the margin proved impossible; silent unless verbose."""

    def __init__(self, verbose: int, max_iter: int) -> None:
        self.max_iter = max_iter
        self.bar = self._bar() if verbose else None

    def _bar(self) -> Any:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        return Bar(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("passes, {task.fields[mistakes]} mistakes, no margin above {task.fields[bound]}"),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            expand=True,
        )

    def __enter__(self) -> "Progress":
        if self.bar:
            self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar:
            self.bar.stop()

    def line(self, name: str) -> Report | None:
        """A bar of its own for one group of problems."""
        if not self.bar:
            return None
        bar = self.bar
        task = bar.add_task(name, total=self.max_iter, mistakes="?", bound="?")

        def report(passes: int, mistakes: int, bound: float) -> None:
            bar.update(task, completed=passes, mistakes=mistakes, bound=f"{bound:.3g}")

        return report
