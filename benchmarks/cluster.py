"""Learning on a cluster: accuracy of parameter mixing, speed of two workers against one, and what they send.

python benchmarks/cluster.py [accuracy] [order] [speed] [moved] [cost] [overhead]
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from typing import Any

import dask
import dask.array as da
import numpy as np
import scipy.sparse as sp
from distributed import Client, LocalCluster
from measure import seconds
from origin import origin
from rich.console import Console
from rich.table import Table
from sets import SETS
from sklearn.preprocessing import StandardScaler

from novikoff import AveragedPerceptron
from novikoff.scale.cluster import Shards
from novikoff.scale.dask import DaskAveragedPerceptron
from novikoff.scale.mixing import Task, mixed

COPIES = 20
ROUNDS = 6
REPEATS = 2


def prepared(name: str) -> tuple[Any, ...]:
    """A set with its rows in random order (IMDB's file has them sorted by class), dense columns scaled, in float32."""
    X, y, X_test, y_test = SETS[name]()
    order = np.random.default_rng(0).permutation(len(y))
    X, y = X[order], y[order]
    if sp.issparse(X):
        return X, y, X_test, y_test
    scale = StandardScaler().fit(X)
    return scale.transform(X).astype(np.float32), y, scale.transform(X_test).astype(np.float32), y_test


def parted(X: Any, y: np.ndarray, parts: int) -> tuple[Any, Any]:
    """The rows in so many partitions, each a delayed slice."""
    ends = [len(y) * k // parts for k in range(parts + 1)]
    spans = [slice(a, b) for a, b in pairwise(ends)]
    rows = [da.from_delayed(dask.delayed(X[s]), (s.stop - s.start, X.shape[1]), X.dtype) for s in spans]
    labels = [da.from_array(y[s], chunks=-1) for s in spans]
    return da.concatenate(rows), da.concatenate(labels)


def scored(learner: Any, data: Any, test: Any, rounds: int, **settings: Any) -> float:
    """Points on test rows, the mean of five seeds."""
    models = (learner(max_iter=rounds, tol=None, random_state=k, **settings).fit(*data) for k in range(5))
    return float(100 * np.mean([model.score(*test) for model in models]))


def accuracy() -> None:
    """Accuracy of one machine and of S shards."""
    console = Console(width=110)
    table = Table(title="accuracy on test rows, in points, mean of five seeds")
    ways = [(how, S) for how in ("uniform", "mistakes") for S in (2, 4, 8)]
    for name in ("set", "rounds", "one machine", *(f"{S} shards, {how}" for how, S in ways)):
        table.add_column(name, justify="right")
    for name in ("imdb", "covtype"):
        X, y, *test = prepared(name)
        data = parted(X, y, 16)
        for rounds in (10, 30):
            alone = scored(AveragedPerceptron, (X, y), test, rounds)
            others = [scored(DaskAveragedPerceptron, data, test, rounds, mixing=how, n_shards=S) for how, S in ways]
            table.add_row(name, str(rounds), f"{alone:.2f}", *(f"{m:.2f} ({m - alone:+.2f})" for m in others))
    console.print(table)


def order() -> None:
    """Eight shards of IMDB in the order of its file, all of one class first, and in random order."""
    *rows, X_test, y_test = SETS["imdb"]()
    for name, data in (("as its file has them", rows), ("in random order", prepared("imdb")[:2])):
        points = scored(DaskAveragedPerceptron, parted(*data, 16), (X_test, y_test), 10, n_shards=8)
        print(f"IMDB, rows {name}, 16 partitions, 8 shards, 10 rounds: {points:.2f} points")


def local(workers: int) -> Any:
    """A cluster of processes with one thread each."""
    return LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0")


@contextmanager
def timed() -> Iterator[list[float]]:
    """The seconds of every round that is made meanwhile."""
    times: list[float] = []
    passes = Shards.passes

    def watched(self: Shards, start: Any, turn: Any) -> Any:
        begin = time.perf_counter()
        updates = passes(self, start, turn)
        times.append(time.perf_counter() - begin)
        return updates

    Shards.passes = watched  # type: ignore[method-assign]
    try:
        yield times
    finally:
        Shards.passes = passes  # type: ignore[method-assign]


def copied(file: str, y: np.ndarray, features: int, copies: int) -> tuple[Any, Any]:
    """The rows of a file many times over, four partitions a copy; workers read them themselves."""
    size = len(y) // 4
    spans = [slice(size * (k % 4), size * (k % 4 + 1)) for k in range(4 * copies)]
    read = dask.delayed(lambda span: np.array(np.load(file, mmap_mode="r")[span]), pure=False)
    rows = [da.from_delayed(read(span), (size, features), np.float32) for span in spans]
    return da.concatenate(rows), da.concatenate([da.from_array(y[span], chunks=-1) for span in spans])


def best_rounds(clients: list[Client], rows: Any, labels: Any) -> list[float]:
    """The seconds of the best round on every cluster, each in its turn several times, so that noise meets all."""
    best = [np.inf] * len(clients)
    for _ in range(REPEATS):
        for k, client in enumerate(clients):
            with client.as_current(), timed() as times:
                DaskAveragedPerceptron(max_iter=ROUNDS, tol=None).fit(rows, labels)
            best[k] = min(best[k], *times[1:])  # the first round loads the compiled code
    return best


def speed() -> None:
    """The best round of the averaged learner on covtype many times over, on 1, 2 and 4 worker processes."""
    X, y, _, _ = prepared("covtype")
    sizes, counts = [COPIES // 4, COPIES // 2, COPIES], (1, 2, 4)
    table = Table(title=f"seconds a round (best of {REPEATS * (ROUNDS - 1)}), covtype {sizes} times over")
    for name in ("workers", *(f"{size * len(y):,} rows" for size in sizes), "ns a row", "against one worker"):
        table.add_column(name, justify="right")
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        np.save(f"{folder}/X.npy", X)
        clusters = [stack.enter_context(local(workers)) for workers in counts]
        clients = [stack.enter_context(Client(cluster, set_as_default=False)) for cluster in clusters]
        seconds = [best_rounds(clients, *copied(f"{folder}/X.npy", y, X.shape[1], size)) for size in sizes]
    for workers, *times in zip(counts, *seconds, strict=True):
        row = 1e9 * times[-1] / (COPIES * len(y))
        table.add_row(str(workers), *(f"{t:.3f}" for t in times), f"{row:.0f}", f"{seconds[-1][0] / times[-1]:.2f}")
    Console(width=110).print(table)


def outgoing(dask_worker: Any) -> list[tuple[str, int]]:
    """What a worker has sent, to other workers and to the client: keys and bytes."""
    return [(str(key), size) for sent in dask_worker.transfer_outgoing_log for key, size in sent["keys"].items()]


def moved() -> None:
    """Bytes that two workers send in a round, against those of the rows they hold."""
    table = Table(title="bytes a round, per worker")
    for name in ("set", "dense weights and means", "weights received", "update sent", "rows held"):
        table.add_column(name, justify="right")
    for name in ("covtype", "imdb"):
        X, y, _, _ = prepared(name)
        with local(2) as cluster, Client(cluster) as client:
            DaskAveragedPerceptron(max_iter=5, tol=None).fit(*parted(X, y, 8))
            sent = [item for items in client.run(outgoing).values() for item in items]
        vectors = 1 if len(set(y.tolist())) == 2 else len(set(y.tolist()))
        updates = [size for key, size in sent if key.startswith("summed-")]
        weights = [size for key, size in sent if key.startswith("weights-")]
        held = (X.data.nbytes + X.indices.nbytes if sp.issparse(X) else X.nbytes) // 2
        table.add_row(
            name,
            f"{16 * vectors * (X.shape[1] + 1):,}",
            f"{max(weights):,}",
            f"{max(updates):,}",
            f"{held:,}",
        )
    Console(width=110).print(table)


def pass_seconds(X: Any, y: np.ndarray) -> float:
    """One pass of the averaged learner: five less one, by four."""

    def fit(passes: int) -> float:
        start = time.perf_counter()
        AveragedPerceptron(max_iter=passes, tol=None).fit(X, y)
        return time.perf_counter() - start

    fit(1)
    return (min(fit(5) for _ in range(3)) - min(fit(1) for _ in range(3))) / 4


def cost() -> None:
    """What a row and an entry cost on one core, without any cluster."""
    rng = np.random.default_rng(0)
    table = Table(title="one core, averaged learner, two classes with some noise")
    for name in ("rows", "entries a row", "mistakes a pass", "ns a row", "ns an entry"):
        table.add_column(name, justify="right")
    for kind, n, d, entries in (
        ("dense float32", 400_000, 100, 100),
        ("dense float64", 400_000, 100, 100),
        ("sparse, 1e4 columns", 200_000, 10_000, 100),
        ("sparse, 1e6 columns", 200_000, 1_000_000, 100),
    ):
        if kind.startswith("dense"):
            X: Any = rng.standard_normal((n, d), dtype=np.dtype(kind[6:]).type)
        else:
            columns = np.sort((d * rng.random((n, entries)) ** 3).astype(np.int32), axis=1)  # a few are frequent
            ends = np.arange(0, n * entries + 1, entries)
            X = sp.csr_matrix((rng.random(n * entries, dtype=np.float32), columns.ravel(), ends), shape=(n, d))
            X.sum_duplicates()
        scores = X @ rng.standard_normal(d)
        y = scores - np.median(scores) + 0.1 * scores.std() * rng.standard_normal(n) > 0
        time_of_pass = pass_seconds(X, y)
        mistakes = AveragedPerceptron(max_iter=5, tol=None).fit(X, y).n_updates_ / 5 / n
        row = 1e9 * time_of_pass / n
        table.add_row(kind, str(entries), f"{100 * mistakes:.1f} %", f"{row:.0f}", f"{row / entries:.2f}")
    Console(width=110).print(table)


def overhead() -> None:
    """What a round costs beside the passes: Dask's tasks with hardly any rows in them, and mixing at the client."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((8000, 10)), rng.integers(2, size=8000)
    data = parted(X, y, 80)
    with local(2) as cluster, Client(cluster), timed() as times:
        DaskAveragedPerceptron(max_iter=30, tol=None).fit(*data)
    print(f"a round over 80 partitions of 100 rows on two workers: {1000 * np.median(times):.0f} ms")
    start, shards = rng.standard_normal((1, 10**6)), 10
    ends, shares = [start + rng.standard_normal(start.shape) for _ in range(shards)], np.full((shards, 1), 1 / shards)
    task = Task(1, False, None, 1.0, 1.0, np.ones(1), "cyclic", 0, 1, False)
    best = min(seconds(lambda: mixed(task, start, ends, shares)) for _ in range(5))
    print(f"mixing a million weights: {1000 * best / shards:.1f} ms a shard")


if __name__ == "__main__":
    parts = {"accuracy": accuracy, "order": order, "speed": speed, "moved": moved, "cost": cost, "overhead": overhead}
    for name in sys.argv[1:] or parts:
        parts[name]()
    print(origin())
