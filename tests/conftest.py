"""Shared by all tests."""

import functools
import gc
import os
import tempfile
from collections import Counter
from multiprocessing import util
from pathlib import Path

import numpy as np
import pytest
import typer.testing
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from lab_tab import address, browser, make  # noqa: F401

from novikoff.certificates import verified

settings.register_profile("ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("explore", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("mutants", settings.get_profile("ci"), phases=[Phase.explicit, Phase.generate])
settings.register_profile("interpreted", settings.get_profile("mutants"), max_examples=12)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_collection():
    """What is imported and collected stays: looking for garbage in it took a seventh of the time of the suite."""
    gc.disable()


@given(st.none())
def first_example(_):
    """At its first example Hypothesis asks the collector who holds its random numbers: nobody, if he is frozen."""


def pytest_collection_finish():
    first_example()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)
    gc.enable()


def pytest_terminal_summary(terminalreporter):
    """Say loudly what was skipped, and count it."""
    reasons = Counter(report.longrepr[2] for report in terminalreporter.getreports("skipped"))
    if reasons:
        terminalreporter.section(f"{reasons.total()} tests could not be run here", sep="!", red=True, bold=True)
        for reason, count in reasons.most_common():
            terminalreporter.write_line(f"{count:5} × {reason.removeprefix('Skipped: ')}")
    if verified.program() is None:
        terminalreporter.section("the verified checker was not tested", sep="!", red=True, bold=True)
        terminalreporter.write_line(verified.NOT_BUILT)


@pytest.fixture(scope="session", autouse=True)
def _temporary_files_go_with_the_run(tmp_path_factory):
    """What is tested, what it starts and what it borrows put their temporary files where pytest removes its own."""
    util.get_temp_dir()  # made before, elsewhere: its owner removes it at exit, when pytest's folders are gone
    folder = str(tmp_path_factory.mktemp("temporary"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", folder)
        patch.setattr(tempfile, "tempdir", folder)
        yield


@pytest.fixture(scope="session", autouse=True)
def _the_command_is_built_once():
    """As in a process of its own; typer's runner would build all subcommands and options anew for every call."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.testing, "_get_command", functools.cache(typer.testing._get_command))
        yield


@pytest.fixture
def real_data(monkeypatch):
    """The folder of real data sets, where there is one beside the project, as the source of ``datasets.fetch``."""
    folder = Path(os.environ.get("NOVIKOFF_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("the folder of real data sets is not here: set NOVIKOFF_DATA")
    monkeypatch.setenv("NOVIKOFF_DATA", str(folder))
    return folder


@pytest.fixture(autouse=True)
def _silent_overflow_is_an_error():
    with np.errstate(all="raise", under="ignore"):
        yield
