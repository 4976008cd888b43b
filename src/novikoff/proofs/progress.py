"""The progress bar of ``certify(verbose=1)``."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Progress:
    """Shows the question that is worked on and what is being done about it; tells a function the same."""

    def __init__(self, verbose: int, questions: int, told: Callable[[str], None] | None) -> None:
        self.told, self.bar, self.task = told, None, None
        if verbose:
            self.bar = bar()
            self.task = self.bar.add_task("", total=questions)

    def __enter__(self) -> "Progress":
        if self.bar:
            self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar:
            self.bar.stop()

    @contextmanager
    def question(self, name: str) -> Iterator[Callable[[str], None]]:
        """One question; what is yielded takes what is being done about it."""

        def say(text: str) -> None:
            if self.told:
                self.told(f"{name}: {text}")
            if self.bar:
                self.bar.update(self.task, description=f"{name}: {text}")

        say("reading the numbers")
        yield say
        if self.bar:
            self.bar.update(self.task, advance=1)


def bar() -> Any:
    """A line on the error output."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    return Bar(
        SpinnerColumn(),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
        console=Console(stderr=True),
    )
