"""What ``novikoff fit`` is asked for."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ..data.frames import ColumnOptions
from ..data.open_files import Reading
from ..errors import InputError

Say = Callable[[str], None]
"""Told what is being done, for a sign of life on a terminal."""


@dataclass(frozen=True)
class Evaluation:
    """How to measure: on the rows of a file, on a part of the rows held out, or in folds; by default as it suits."""

    file: str | None = None
    size: float | None = None
    folds: int | None = None

    def __post_init__(self) -> None:
        if sum(way is not None for way in (self.file, self.size, self.folds)) > 1:
            raise InputError("--test, --test-size and --cv are three ways to measure: choose one.")
        if self.size is not None and not 0 < self.size < 1:
            raise InputError(f"--test-size is a part of the rows between 0 and 1, not {self.size:g}.")
        if self.folds is not None and self.folds < 2:
            raise InputError(f"--cv needs at least 2 folds, not {self.folds}.")


@dataclass(frozen=True)
class FitRequest:
    """The data and how to read it, the model, how to measure it, what to write, and where the work is to be done."""

    data: str
    target: str | None = None
    reading: Reading = field(default_factory=Reading)
    column_options: ColumnOptions = field(default_factory=ColumnOptions)
    missing: str = "refuse"
    model: str | None = None
    settings: tuple[str, ...] = ()
    evaluation: Evaluation = field(default_factory=Evaluation)
    output: Path | None = None
    report: Path | None = None
    checkpoint: Path | None = None
    checkpoint_every: float = 60.0
    stream: bool = False
    cache: Path | None = None
    cluster: str | None = None
