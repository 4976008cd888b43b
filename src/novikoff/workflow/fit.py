"""The work of ``novikoff fit``, whatever the size of the data: read, prepare, learn, measure, and write."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from ..atomic import remove
from ..registry import short_name_of
from .engines import FitEngine, MemoryEngine
from .fit_request import FitRequest, Say
from .pipelines import WHY_DEFAULT, collect_warnings
from .result import FitResult, describe_learning, describe_model, describe_run, weightiest_features


def fit(request: FitRequest, say: Say = lambda _: None) -> FitResult:
    """Do all that is asked for."""
    engine = choose_engine(request, say)
    try:
        return work(request, engine)
    finally:
        if engine.spool is not None:
            engine.spool.close()


def work(request: FitRequest, engine: FitEngine) -> FitResult:
    """All steps of an engine, one after the other, and what is to be written of their results."""
    stopwatch = Stopwatch()
    with stopwatch.stage(engine.stages[0]):
        engine.read()
    with stopwatch.stage(engine.stages[1]):
        engine.prepare()
    with stopwatch.stage(engine.stages[2]), collect_warnings() as notes:
        engine.learn()
    with stopwatch.stage(engine.stages[3]):
        engine.measure()
    learner, weights = engine.pipeline[-1], weightiest_features(engine.pipeline, engine.sample)
    written = {"model": request.output, "report": request.report}
    result = FitResult(
        data=engine.data,
        notes=notes + engine.notes,
        model=describe_model(engine.name, engine.reason, learner),
        learned=describe_learning(learner, engine.mistakes),
        separability=describe_run(learner if engine.scout is None else engine.scout),
        quality=engine.quality,
        weights=weights,
        seconds=stopwatch.seconds,
        files={name: str(path) for name, path in written.items() if path is not None},
    )
    if request.output:
        from .model_files import save

        save(engine.pipeline, request.output, recipe=vars(engine.recipe), quality=result.quality.to_dict())
    if request.report:
        from .html_report import write_report

        write_report(result, request.report)
    if request.checkpoint:  # it has then done its work
        remove(request.checkpoint)
    return result


def choose_engine(request: FitRequest, say: Say) -> FitEngine:
    """The engine that is asked for, and the model that it is to fit."""
    engine_class: type[FitEngine] = MemoryEngine
    if request.cluster or request.stream:
        from .stream_engines import ClusterEngine, StreamEngine

        engine_class = ClusterEngine if request.cluster else StreamEngine
    if request.model:
        return engine_class(request, say, short_name_of(request.model), "asked for")
    return engine_class(request, say, engine_class.default_model, WHY_DEFAULT)


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
