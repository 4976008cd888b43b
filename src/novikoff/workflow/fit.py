"""The work of ``novikoff fit``, whatever the size of the data: read, prepare, learn, measure, and write."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import scipy.special  # noqa: F401  early: where its functions are, skops finds out module by module, as imported

from ..atomic import remove
from ..data.ahead import Begun
from ..imports import skops_io
from ..registry import short_name_of
from .decision import AT_LEAST
from .engines import FitEngine
from .fit_request import FitRequest, Say
from .memory_engine import MemoryEngine
from .pipelines import collect_warnings
from .remembered import kept_reading
from .result import FitResult, describe_learning, describe_model, weightiest_features
from .wording import word


def fit(request: FitRequest, say: Say = lambda _: None, begun: Begun[Any] | None = None) -> FitResult:
    """Do all that is asked for; the reading of the data may have begun."""
    engine = choose_engine(request, say)
    engine.begun = begun
    try:
        return work(request, engine)
    finally:
        if engine.spool is not None:
            engine.spool.close()


def work(request: FitRequest, engine: FitEngine) -> FitResult:
    """All steps of an engine, one after the other, and what is to be written of their results."""
    stopwatch = Stopwatch()
    if request.output:
        skops_io()  # while the data is read
    steps = engine.read, engine.prepare, engine.learn, engine.measure
    notes: list[str] = []
    for name, step in zip(engine.stages, steps, strict=False):
        with stopwatch.stage(name), collect_warnings() as heard:
            step()
        notes += heard if step == engine.learn else []
        if step == engine.read and engine.begun:  # all that reading took, not what was still waited for
            stopwatch.seconds[name] = round(stopwatch.seconds[name] + engine.begun.seconds - engine.begun.waited, 3)
    if request.refit and isinstance(engine, MemoryEngine):
        with stopwatch.stage("refit"), collect_warnings():
            engine.refit()
    limit = max(AT_LEAST, stopwatch.seconds[engine.stages[2]])
    limit = limit if request.separation_time is None else request.separation_time
    if limit:
        with stopwatch.stage(engine.stages[4]):
            engine.decide(limit)
    result = describe(request, engine, notes, stopwatch.seconds)
    write(request, engine, result)
    return result


def describe(request: FitRequest, engine: FitEngine, notes: list[str], seconds: dict[str, float]) -> FitResult:
    """All that was found."""
    learner = engine.pipeline[-1]
    written = {"model": request.output, "report": request.report}
    return FitResult(
        data=engine.data,
        notes=notes + engine.notes,
        model=describe_model(engine.name, engine.reason, learner),
        learned=describe_learning(learner, engine.mistakes),
        separation=engine.separation,
        choice=engine.choice,
        quality=engine.quality,
        yardsticks=engine.yardsticks,
        weights=weightiest_features(engine.pipeline, engine.sample),
        seconds=seconds,
        files={name: str(path) for name, path in written.items() if path is not None},
    )


def write(request: FitRequest, engine: FitEngine, result: FitResult) -> None:
    """Write what is asked for; the checkpoint has then done its work."""
    if request.output:
        from .model_files import save

        about: dict[str, Any] = {"recipe": vars(engine.recipe), "reading": kept_reading(request.reading)}
        about |= {"quality": result.quality.to_dict(), "reason": engine.reason}
        if engine.calibration:
            about["calibration"] = vars(engine.calibration)
        save(engine.pipeline, request.output, **about)
    if request.report:
        from .html_report import write_report

        write_report(result, request.report)
    if request.checkpoint:
        remove(request.checkpoint)


def choose_engine(request: FitRequest, say: Say) -> FitEngine:
    """The engine that is asked for, and the model that it is to fit."""
    engine_class: type[FitEngine] = MemoryEngine
    if request.cluster or request.stream:
        from .stream_engines import ClusterEngine, StreamEngine

        engine_class = ClusterEngine if request.cluster else StreamEngine
    if request.model:
        return engine_class(request, say, short_name_of(request.model), word("reason asked"))
    return engine_class(request, say, engine_class.default_model, word("reason default"))


class Stopwatch:
    """The seconds of every stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """A block whose seconds are those of the stage."""
        start = time.perf_counter()
        yield
        self.seconds[name] = round(time.perf_counter() - start, 3)
