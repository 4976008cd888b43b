"""The simulation of large clusters against what is known in closed form."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

place = Path(__file__).parents[1] / "benchmarks" / "simulate.py"
spec = importlib.util.spec_from_file_location("simulate", place)
simulate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(simulate)


@pytest.mark.parametrize("workers", [1, 2, 10, 100])
def test_the_slowest_of_exponential_times(workers):
    """The mean of the largest of W is 1 + 1/2 + … + 1/W."""
    harmonic = sum(1 / k for k in range(1, workers + 1))
    assert simulate.slowdown(workers, "exponential") == pytest.approx(harmonic, rel=0.03)


@pytest.mark.parametrize(("kind", "spread"), [("equal", 0), ("lognormal", 0.3), ("pareto", 4.0)])
def test_times_have_the_mean_one(kind, spread):
    assert simulate.slowdown(1, kind, spread, rounds=10**5) == pytest.approx(1, rel=0.01)


@pytest.mark.parametrize("rate", [0.1, 0.5, 1.0])
def test_work_that_is_begun_anew_after_every_loss(rate):
    """Work of length 1 lost at rate λ takes (e^λ − 1)(1/λ + away); with loading, only what follows a loss is longer."""
    ended = simulate.ended(np.random.default_rng(0), np.ones(10**5), rate, away=0.5)
    assert ended.mean() == pytest.approx(np.expm1(rate) * (1 / rate + 0.5), rel=0.02)
    ended = simulate.ended(np.random.default_rng(0), np.ones(10**5), rate, load=1.0)
    lost = -np.expm1(-rate)
    first = lost / rate  # the mean of the smaller of 1 and the time of the first loss
    assert ended.mean() == pytest.approx(first + lost * np.expm1(2 * rate) / rate, rel=0.02)


def test_nothing_is_lost_at_rate_zero():
    assert simulate.slowdown(50, "equal") == 1
    assert simulate.slowdown(50, "equal", rate=0.01) > 1
