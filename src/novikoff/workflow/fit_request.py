"""What ``novikoff fit`` is asked for, and whether it can be done at all.

The standard library only: a wrong file, column or option is reported before anything large is imported.
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..data.open_files import ColumnOptions, Reading, check_file, is_large
from ..errors import CALLED, InputError, suggestion, tell
from ..registry import DEFAULT_MODEL, entry_of, parameter_names

SHARE_OF_MEMORY = 0.25
"""The part of the free memory up to which a file is read into it: its rows are then there more than once."""
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
    class_weight: str | None = None
    tune: bool = False
    refit: bool = False
    yardsticks: bool = True
    separation_time: float | None = None  # seconds; None for as long as learning takes, and at least two
    evaluation: Evaluation = field(default_factory=Evaluation)
    output: Path | None = None
    report: Path | None = None
    checkpoint: Path | None = None
    checkpoint_every: float = 60.0
    stream: bool = False
    cache: Path | None = None
    cluster: str | None = None

    @property
    def name(self) -> str:
        """What the data is called in a sentence."""
        return CALLED.get(self.data, self.data)


def settle_request(request: FitRequest) -> FitRequest:
    """The request, if all that it asks for is there; to be streamed if the size of its data asks for it."""
    check_request(request)
    request = replace(request, stream=request.stream or is_large(request.data, SHARE_OF_MEMORY))
    if request.evaluation.folds is not None and (request.stream or request.cluster):
        raise InputError("--cv learns several times from rows in memory: use --test or --test-size with a stream.")
    if request.cache and not request.stream and not request.cluster:
        raise InputError("--cache keeps the rows of data that is streamed: say --stream as well, or leave it out.")
    return request


def check_request(request: FitRequest) -> None:
    """Raise if the model, a setting of it, a file or a column that is asked for is not there."""
    if request.model or request.settings:
        entry = entry_of(request.model or DEFAULT_MODEL)
        if request.settings and not request.cluster:
            check_settings(request.settings, entry.name, parameter_names(entry.module, entry.name))
        if request.class_weight and "class_weight" not in parameter_names(entry.module, entry.name):
            raise InputError(f"{entry.name} has no class weights: leave --class-weight out, or choose another --model.")
    if (request.stream or request.cluster) and (request.tune or request.refit):
        option = "--tune" if request.tune else "--refit"
        raise InputError(f"{option} needs the rows in memory: leave it out, or --stream and --cluster.")
    if request.refit and request.evaluation.file:
        raise InputError(
            "--refit learns from the rows that were held out, too, and those of --test are another file's."
        )
    test = request.evaluation.file
    for data in (request.data, test):
        if data is not None and data != "-":
            check_file(data, request.reading, request.target, request.column_options)
    if test is not None and os.path.realpath(test) == os.path.realpath(request.data):
        tell(f"{test} is trained on as well, so what is measured on it says nothing of other rows: leave --test out.")


def check_settings(settings: Iterable[str], class_name: str, known: Iterable[str]) -> None:
    """Raise unless settings are "key=value" with keys that a learner knows."""
    for setting in settings:
        key, sign, _ = setting.partition("=")
        if not sign:
            raise InputError(f"--set {setting!r} must be key=value, for example --set max_iter=100.")
        if key not in known:
            raise InputError(f"{class_name} has no setting {key!r}{suggestion(key, known)}; it has {', '.join(known)}.")
