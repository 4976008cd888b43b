"""A few of the bad days of tools/bad_days.py, and the rules of outputs that several may write."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from novikoff import Perceptron, atomic, save
from novikoff.atomic import is_running, remove, replacing
from novikoff.cli import app
from novikoff.errors import InputError

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
bad_days = pytest.importorskip("bad_days", reason="bad days need the signals and limits of Linux")


def test_threads_that_fit_at_once(tmp_path):
    assert list(bad_days.threads(tmp_path, 1))


def test_partial_fits_keep_their_counts(tmp_path):
    assert list(bad_days.partial_fits(tmp_path, 1, rows=10**6))


def test_two_writers_of_one_output_do_not_mix(tmp_path):
    """Both write at the same time; the one that ends last wins, whole."""
    path, both = tmp_path / "out", threading.Barrier(2)

    def write(text):
        with replacing(path) as part, part.open("w") as file:
            file.write(text)
            file.flush()
            both.wait()
            file.write(text)

    writers = [threading.Thread(target=write, args=(text,)) for text in ("a" * 1000, "b" * 10)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert path.read_text() in ("a" * 2000, "b" * 20)
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.skipif(os.name != "posix", reason="whether a process runs cannot be asked here")
def test_what_a_killed_process_has_left_goes(tmp_path):
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    dead, alive = (tmp_path / f".out.{number}-1.part" for number in (process.pid, os.getppid()))
    other = tmp_path / ".out.notes.part"
    for file in (dead, alive, other):
        file.touch()
    assert is_running(os.getpid())
    assert not is_running(process.pid)
    with replacing(tmp_path / "out") as part:
        part.write_text("whole")
    assert not dead.exists()
    assert alive.exists()  # its process may be writing it
    assert other.exists()  # it is not ours
    dead.touch()
    remove(tmp_path / "out")
    assert sorted(os.listdir(tmp_path)) == sorted([alive.name, other.name])


@pytest.mark.parametrize("year", [1970, 2110])
def test_a_clock_that_archives_have_no_date_for_is_told_before_anything_is_learnt(tmp_path, monkeypatch, year):
    data, model = tmp_path / "data.csv", tmp_path / "model.nvk"
    data.write_text("x,y\n1,a\n2,b\n")
    monkeypatch.setattr(atomic.time, "localtime", lambda *_: time.struct_time((year, 1, 1, 0, 0, 0, 3, 1, 0)))
    found = CliRunner().invoke(app, ["fit", str(data), "-t", "y", "-o", str(model)])
    assert found.exit_code == 2
    assert found.stderr.startswith(f"novikoff: The clock of this machine says {year}, and models")
    with pytest.raises(InputError, match="set the clock"):
        save(Perceptron().fit([[0.0], [1.0]], [0, 1]), model)
    assert os.listdir(tmp_path) == ["data.csv"]
