"""Shards on a Dask cluster, or on the threads of this process."""

from itertools import pairwise
from typing import Any
from uuid import uuid4

import dask
import numpy as np
from dask.base import get_scheduler
from dask.delayed import Delayed
from dask.system import CPU_COUNT

from . import mixing


def current_client() -> Any:
    """The client of the cluster that Dask computes on now, if it is not this process alone."""
    return getattr(get_scheduler(), "__self__", None)


def slots(client: Any) -> list[str | None]:
    """A worker's address for every thread that Dask computes with now; None stands for this process."""
    if client is None:
        alone = get_scheduler() is dask.local.get_sync
        return [None] * (1 if alone else dask.config.get("num_workers", None) or CPU_COUNT)
    threads = client.nthreads()
    if not threads:
        raise ValueError("The cluster has no workers yet: start some, or wait for them with client.wait_for_workers.")
    deep = max(threads.values())
    return [address for k in range(deep) for address, count in sorted(threads.items()) if k < count]


def delayed_call(function: Any, *args: Any) -> Any:
    """``dask.delayed(function)(*args)``, much quicker where arguments are lists of many delayed objects."""
    graph: dict[str, Any] = {}

    def named(arg: Any) -> Any:
        if isinstance(arg, list):
            return [named(item) for item in arg]
        if isinstance(arg, Delayed):
            graph.update(arg.__dask_graph__())
            return arg.key
        return arg

    key = f"{function.__name__}-{uuid4().hex}"
    task = (function, *(named(arg) for arg in args))
    return Delayed(key, {**graph, key: task})


LINK = 16
"""Partitions that one task works on, if they are in the memory of one worker; a task costs some milliseconds."""


class Cluster:
    """The engine of a fit: partitions dealt to shards, each shard at home on one worker.

    A home is a preference: when its worker is lost, so are the partitions it held, and Dask makes them again elsewhere
    from their source.  Weights are held here between rounds, so nothing older than the round is ever made again.
    """

    def __init__(self, count: int, shards: int | None, placed: bool) -> None:
        self.client = current_client()
        self.name = uuid4().hex
        places = slots(self.client)
        size = min(shards or len(places), count)
        ends = [count * s // size for s in range(size + 1)]
        self.shards = [list(range(*span)) for span in pairwise(ends)]
        self.homes = [None if placed else places[s % len(places)] for s in range(size)]

    def compute(self, work: list[list[Any]]) -> list[Any]:
        """What the shards are asked for, one list per shard, put together."""
        if self.client is None:
            return [result for results in dask.compute(*work) for result in results]
        futures = [self.client.compute(asked, **self.home(s)) for s, asked in enumerate(work)]
        return [result for results in self.client.gather(futures) for result in results]

    def persist(self, collections: list[Any]) -> list[Any]:
        """Load one thing per partition, and keep it where its shard is at home."""
        if self.client is None:
            return list(dask.persist(*collections))
        kept = list(collections)
        for s, shard in enumerate(self.shards):
            for k, held in zip(shard, self.client.persist([kept[k] for k in shard], **self.home(s)), strict=True):
                kept[k] = held
        return kept

    def home(self, s: int) -> dict[str, Any]:
        """Where the work of shard s is best done."""
        home = self.homes[s]
        return {"workers": [home], "allow_other_workers": True} if home else {}


class Shards:
    """The shards at work: ``mixing.Engine`` on a cluster."""

    def __init__(
        self, cluster: Cluster, task: mixing.Task, X: list[Any], labels: list[Any], rows: list[int], together: bool
    ) -> None:
        self.cluster, self.X, self.labels, self.rounds = cluster, X, labels, 0
        self.task = dask.delayed(task, name=f"task-{cluster.name}", traverse=False)
        self.seed, self.cyclic = task.seed, task.order == "cyclic"
        self.link = LINK if together else 1
        full = [[k for k in shard if rows[k]] for shard in cluster.shards]
        self.full = [shard for shard in full if shard]
        cluster.homes = [home for home, shard in zip(cluster.homes, full, strict=True) if shard]

    def passes(self, start: Any, turn: mixing.Turn) -> list[mixing.ShardResult]:
        """The pass of every shard, a chain of tasks: each takes the weights that the last one left."""
        weights, sent_turn = self.send(start), dask.delayed(turn, name=f"turn-{uuid4().hex}", traverse=False)
        return self.cluster.compute([[self.chain(s, weights, sent_turn, turn.number)] for s in range(len(self.full))])

    def chain(self, s: int, weights: Any, turn: Any, number: int) -> Any:
        """The pass of shard s as tasks one after the other, and what it changed."""
        visited = None
        for some in self.links(self.order(s, number)):
            visited = delayed_call(
                mixing.visit_all, self.task, turn, some, weights, visited, *self.rows_and_labels(some)
            )
        return delayed_call(mixing.summed, self.task, weights, visited)

    def order(self, s: int, number: int) -> list[int]:
        """The partitions of a shard as a round visits them."""
        shard = self.full[s]
        return shard if self.cyclic else np.random.default_rng((self.seed, number, s)).permutation(shard).tolist()

    def links(self, shard: list[int]) -> list[list[int]]:
        """The partitions that one task works on."""
        return [shard[first : first + self.link] for first in range(0, len(shard), self.link)]

    def rows_and_labels(self, some: list[int]) -> tuple[list[Any], list[Any]]:
        """Rows and labels of some partitions."""
        return [self.X[k] for k in some], [self.labels[k] for k in some]

    def looks(self, W: Any, some: list[int]) -> list[np.ndarray]:
        """A look at all partitions."""
        weights = self.send(W)

        def look(link: list[int]) -> Any:
            return delayed_call(mixing.look_at_all, self.task, weights, some, *self.rows_and_labels(link))

        return self.cluster.compute([[look(link) for link in self.links(shard)] for shard in self.full])

    def send(self, weights: Any) -> Any:
        """The weights as one node of the graph, that workers pass on to each other."""
        self.rounds += 1
        node = dask.delayed(weights, name=f"weights-{self.cluster.name}-{self.rounds}", traverse=False)
        if self.cluster.client is None:
            return node
        with dask.config.set(
            {"distributed.admin.large-graph-warning-threshold": "1TB"}
        ):  # weights are meant to be sent
            return self.cluster.client.persist(node)
