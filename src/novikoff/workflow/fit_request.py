"""What ``novikoff fit`` is asked for."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ..data.frames import ColumnOptions
from ..data.open_files import Reading

Say = Callable[[str], None]
"""Told what is being done, for a sign of life on a terminal."""


@dataclass(frozen=True)
class Evaluation:
    """How to measure: on the rows of a file, on a part of the rows held out, or in folds; by default as it suits."""

    file: str | None = None
    size: float | None = None
    folds: int | None = None


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
