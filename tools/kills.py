"""What is killed comes to the same end: commands at random moments, and workers of a cluster in the midst of a round.

Commands are forked from a process that has imported everything, so that the moments fall into the work, not into
imports.  ``tools/bad_days.py`` calls this.
"""

import contextlib
import logging
import multiprocessing
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer

from novikoff import load

SLOW = ["--model", "perceptron", "--set", "tol=none", "--set", "max_iter=1500", "--test-size", "0.5"]
IMPORTED = ["novikoff.cli", "novikoff.workflow.fit", "novikoff.workflow.onnx", "novikoff.scale.stream", "skl2onnx"]
Call = list[str]


def tables(folder: Path) -> tuple[str, str]:
    """Two files: one to learn from for seconds, one to certify."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    slow, whole = folder / "slow.csv", folder / "whole.csv"
    X.iloc[:, :10].assign(y=y).to_csv(slow, index=False)
    X.assign(y=y).to_csv(whole, index=False)
    return str(slow), str(whole)


def weights(path: Path) -> bytes:
    """What must be the same of an output: of a model its weights, of anything else all of it."""
    if path.suffix != ".nvk":
        return path.read_bytes()
    learner = load(path)[-1]
    return learner.coef_.tobytes() + learner.intercept_.tobytes()


def command(call: Call, said: str) -> None:
    """The command in this process, with what it says of errors in a file."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
    sys.argv = ["novikoff", *call]
    from novikoff.cli import main

    main()


class Commands:
    """Commands that are begun, and ended or killed, with what they said in a file of this folder."""

    def __init__(self, folder: Path) -> None:
        self.said = folder / "said.txt"
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload(IMPORTED)

    def start(self, call: Call) -> Any:
        process = self.context.Process(target=command, args=(call, str(self.said)))
        process.start()
        return process

    def run(self, call: Call) -> tuple[int, str]:
        """The exit code of a command, and what it said of an error."""
        process = self.start(call)
        process.join()
        return process.exitcode, self.said.read_text()

    def finish(self, call: Call) -> float:
        """Seconds that a command takes, which must end well."""
        begin = time.perf_counter()
        code, errors = self.run(call)
        if code:
            raise AssertionError(f"{call}: exit code {code}, {errors[-2000:]!r}")
        return time.perf_counter() - begin

    def kill(self, call: Call, pause: float) -> bool:
        """Whether a command was killed after so many seconds, before its end."""
        process = self.start(call)
        process.join(pause)
        process.kill()
        process.join()
        return bool(process.exitcode == -signal.SIGKILL)


def killable(folder: Path, commands: Commands) -> dict[str, tuple[Call, Path]]:
    """The commands that are killed, and their outputs."""
    slow, whole = tables(folder)
    checkpoint = ["--checkpoint", str(folder / "run.checkpoint"), "--checkpoint-every", "0.02"]
    fit, model = ["fit", slow, "-t", "y", *SLOW, "--no-yardsticks"], str(folder / "model.nvk")
    commands.finish([*fit, "-o", model])
    stream = ["fit", slow, "-t", "y", "--stream", *SLOW[:4], "--checkpoint", str(folder / "stream.checkpoint")]
    return {
        "fit --checkpoint": ([*fit, *checkpoint, "-o", str(folder / "fit.nvk")], folder / "fit.nvk"),
        "fit --stream": ([*stream, "-o", str(folder / "stream.nvk")], folder / "stream.nvk"),
        "certify": (["certify", whole, "-t", "y", "-o", str(folder / "proof.json")], folder / "proof.json"),
        "export": (["export", model, str(folder / "model.onnx")], folder / "model.onnx"),
    }


def kill(folder: Path, trials: int) -> Iterator[tuple[str, str]]:
    """Killed at random moments, a command is started again and ends in the same bytes; nothing is half-written."""
    chance, commands = random.Random(0), Commands(folder)
    for name, (call, path) in killable(folder, commands).items():
        commands.finish(call)
        expected = weights(path)
        path.unlink()
        whole, files, kills, resumed = commands.finish(call), sorted(os.listdir(folder)), 0, 0
        while kills < trials:
            path.unlink(missing_ok=True)
            kills += (killed := commands.kill(call, chance.uniform(0, whole)))
            resumed += killed and any(folder.glob("*.checkpoint"))
            if path.exists() and weights(path) != expected:
                raise AssertionError(f"{name}: {path.name} is not what it should be after a kill")
            whole = min(whole, commands.finish(call))
            if weights(path) != expected:
                raise AssertionError(f"{name}: started again, it ended in something else")
            if left := sorted(set(os.listdir(folder)) ^ set(files)):
                raise AssertionError(f"{name}: {left} is left, or missing")
        went_on = f"; {resumed} went on from a checkpoint" if resumed else ""
        yield (
            f"`{name}` killed (SIGKILL) at {kills} random moments, and started again",
            f"{kills} of {kills} ended in the same bytes, nothing half-written{went_on}",
        )


def parts(rows: int, count: int) -> tuple[Any, Any]:
    """Classes that overlap a little, as Dask arrays of partitions."""
    import dask.array as da

    random = np.random.default_rng(0)
    X = random.standard_normal((rows, 20))
    y = (X @ random.standard_normal(20) + 0.3 * random.standard_normal(rows) > 0).astype(int)
    return da.from_array(X, chunks=(rows // count, -1)), da.from_array(y, chunks=rows // count)


def lost_workers(folder: Path, trials: int) -> Iterator[tuple[str, str]]:
    """A worker process is killed while rounds go on; the weights are those without a cluster."""
    import dask
    import distributed

    from novikoff.scale.dask import DaskPerceptron

    learner, data = DaskPerceptron(n_shards=4, max_iter=30, tol=None), parts(40_000, 8)
    with dask.config.set(scheduler="synchronous"):
        expected = learner.fit(*data).coef_.tobytes()
    chance, kills = random.Random(0), 0
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 10}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        whole = time_of(lambda: learner.fit(*data))
        while kills < trials:
            wait_for_two(cluster, client)
            killer = Killer([*client.run(os.getpid).values()], chance.uniform(0, whole))
            weight = learner.fit(*data).coef_.tobytes()
            kills += killer.ended()
            if weight != expected:
                raise AssertionError("a fit that lost a worker learnt something else")
    yield (
        "a worker of a Dask cluster of two killed while a fit of 30 rounds goes on",
        f"{kills} of {kills} fits had the weights of a fit without a cluster, to the bit",
    )


def wait_for_two(cluster: Any, client: Any) -> None:
    """Wait until there are two workers again; a nanny that does not bring its own back gets a neighbour."""
    end = time.monotonic() + 20
    while len(client.scheduler_info()["workers"]) < 2 and time.monotonic() < end:
        time.sleep(0.2)
    if len(client.scheduler_info()["workers"]) < 2:
        cluster.scale(len(cluster.worker_spec) + 1)
    client.wait_for_workers(2, timeout=300)


def time_of(work: Any) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


class Killer:
    """A thread that kills one of some processes after so many seconds."""

    def __init__(self, processes: list[int], pause: float) -> None:
        self.done, self.cancelled, self.processes = False, threading.Event(), processes
        self.thread = threading.Thread(target=self.wait, args=(pause,))
        self.thread.start()

    def wait(self, pause: float) -> None:
        if not self.cancelled.wait(pause):
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.processes[0], signal.SIGKILL)
                self.done = True

    def ended(self) -> bool:
        """Whether it killed before it was asked."""
        self.cancelled.set()
        self.thread.join()
        return self.done
