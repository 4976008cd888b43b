"""Rounds on a large cluster, simulated: how much longer they take when workers are unequal or are lost.

A round ends when its slowest worker does.  A worker that is lost comes back after a while, loads its rows again from
their source and makes its pass of this round again; nothing older is lost, as the mixed weights are held apart.

    python benchmarks/simulate.py
"""

import numpy as np
from origin import origin
from rich.console import Console
from rich.table import Table

ROUNDS = 20_000
WORKERS = (10, 100, 1000)


def lengths(rng: np.random.Generator, shape: tuple[int, ...], kind: str, spread: float = 0.0) -> np.ndarray:
    """Times of passes with mean 1: equal, exponential, lognormal (σ = spread) or Pareto (tail exponent = spread)."""
    if kind == "exponential":
        return rng.exponential(size=shape)
    if kind == "lognormal":
        return rng.lognormal(-(spread**2) / 2, spread, shape)
    if kind == "pareto":
        return (spread - 1) / spread * (1 + rng.pareto(spread, shape))
    return np.ones(shape)


def ended(rng: np.random.Generator, work: np.ndarray, rate: float, away: float = 0.0, load: float = 0.0) -> np.ndarray:
    """When every worker is done, if each is lost at this rate while it works, is away then, loads and begins again."""
    time, left, begun = np.zeros(work.shape), work.copy(), np.ones(work.shape, dtype=bool)
    while rate and begun.any():
        until = rng.exponential(1 / rate, work.shape)
        lost = begun & (until < left)
        time += np.where(lost, until + away, np.where(begun, left, 0.0))
        left[lost] = load + work[lost]
        begun = lost
    return time if rate else left


def slowdown(
    workers: int,
    kind: str,
    spread: float = 0.0,
    rate: float = 0.0,
    away: float = 0.0,
    load: float = 0.0,
    rounds: int = ROUNDS,
    seed: int = 0,
) -> float:
    """How many times longer a round takes than the mean pass of a worker."""
    rng, total, step = np.random.default_rng(seed), 0.0, max(1, 10**6 // workers)
    for first in range(0, rounds, step):
        work = lengths(rng, (min(step, rounds - first), workers), kind, spread)
        total += ended(rng, work, rate, away, load).max(axis=1).sum()
    return total / rounds


def main() -> None:
    """A minute's pass; a worker that is lost is away for half a minute and loads for two."""
    stragglers = Table(title="a round against the mean pass: unequal workers")
    failures = Table(title="a round against the mean pass: workers lost, passes of a minute with σ = 0.1")
    for table in (stragglers, failures):
        table.add_column("")
        for workers in WORKERS:
            table.add_column(f"{workers} workers", justify="right")
    for name, kind, spread in (
        ("lognormal, σ = 0.1", "lognormal", 0.1),
        ("lognormal, σ = 0.3", "lognormal", 0.3),
        ("Pareto, exponent 4", "pareto", 4.0),
        ("Pareto, exponent 2", "pareto", 2.0),
    ):
        stragglers.add_row(name, *(f"{slowdown(workers, kind, spread):.2f}" for workers in WORKERS))
    for per_hour in (0.0, 0.001, 0.01, 0.1):
        factors = (slowdown(workers, "lognormal", 0.1, per_hour / 60, 0.5, 2.0) for workers in WORKERS)
        failures.add_row(f"{per_hour:g} losses a worker-hour", *(f"{factor:.2f}" for factor in factors))
    Console(width=110).print(stragglers, failures)


if __name__ == "__main__":
    main()
    print(origin())
