"""What the command writes, and where: links, pipes, modes, full disks, terminals; and how the process ends."""

import json
import os
import re
import signal
import stat
import subprocess
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from novikoff import atomic
from novikoff.atomic import WriteError, check_writable, remove_unfinished, replacing
from novikoff.cli import app
from novikoff.cli.app import run
from novikoff.cli.process import shortened
from novikoff.errors import InputError

COMMAND = [sys.executable, "-m", "novikoff"]


def shell(*arguments, **options):
    """The command in a process of its own."""
    options = {"capture_output": True, "text": True, "check": False} | options
    return subprocess.run([*COMMAND, *map(str, arguments)], **options)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A file, and a model of it."""
    folder = tmp_path_factory.mktemp("outputs")
    frame = pd.DataFrame(
        {"x": np.arange(40) % 7, "z": np.arange(40) % 5, "y": np.where(np.arange(40) % 7 > 3, "ja", "男")}
    )
    frame.to_csv(folder / "data.csv", index=False)
    result = CliRunner().invoke(
        app, ["fit", str(folder / "data.csv"), "-t", "y", "--model", "perceptron", "-o", str(folder / "m.nvk")]
    )
    assert result.exit_code == 0, result.stderr
    return folder


def write(path, text):
    with replacing(path) as part:
        part.write_text(text)


def test_a_link_stays_and_the_file_that_it_leads_to_is_replaced_and_keeps_its_mode(tmp_path):
    target, link, farther = tmp_path / "target.csv", tmp_path / "link.csv", tmp_path / "farther.csv"
    target.write_text("before")
    target.chmod(0o640)
    link.symlink_to("target.csv")
    farther.symlink_to(link)
    write(farther, "after")
    assert link.is_symlink()
    assert farther.is_symlink()
    assert target.read_text() == "after"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    (tmp_path / "ahead").symlink_to(tmp_path / "not-yet")
    write(tmp_path / "ahead", "new")
    assert (tmp_path / "not-yet").read_text() == "new"
    assert not list(tmp_path.glob(".*"))


def write_new(path):
    check_writable(path)
    with replacing(path) as part:
        part.write_text("new")


@pytest.fixture
def interrupted_at():
    """Whether a function is interrupted between the lines of atomic.py, or after its last one, at this line of them."""
    before = sys.gettrace()

    def interrupt(line, function, *arguments):
        left = iter(range(line, -1, -1))

        def trace(frame, event, _):
            if frame.f_code.co_filename != atomic.__file__:
                return None
            if event == "line" and next(left, 1) == 0:
                raise KeyboardInterrupt
            return trace

        sys.settrace(trace)
        try:
            function(*arguments)
        except KeyboardInterrupt:
            return True
        finally:
            sys.settrace(before)
        return False

    return interrupt


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")  # of files
def test_wherever_an_interrupt_comes_nothing_is_half_written(tmp_path, interrupted_at):
    path, texts, line = tmp_path / "out", [], 0
    path.write_text("before")
    while interrupted_at(line, write_new, path):
        remove_unfinished()
        assert os.listdir(tmp_path) == ["out"]
        texts.append(path.read_text())
        path.write_text("before")
        line += 1
    assert line > 40  # as many lines as the two functions have, at least
    assert texts == sorted(texts)  # "before" up to the moment of the renaming, "new" from then on
    assert {*texts} == {"before", "new"}


def test_a_pipe_is_written_through(tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write(pipe, "through")
    reader.join()
    assert read == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    with pytest.raises(KeyError), replacing(pipe):
        raise KeyError
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="the system has no /proc")
def test_a_link_to_a_stream_of_the_process_is_written_through(folder, tmp_path):
    link = tmp_path / "stdout"
    link.symlink_to("/proc/self/fd/1")
    arguments = ("predict", folder / "m.nvk", folder / "data.csv", "-o", link)
    assert shell(*arguments).stdout.splitlines()[:2] == ["prediction", "男"]
    with (tmp_path / "file").open("w") as out:
        assert shell(*arguments, stdout=out, capture_output=False).returncode == 0
        assert (tmp_path / "file").read_text(encoding="utf-8").splitlines()[:2] == ["prediction", "男"]
    assert link.is_symlink()


def test_outputs_of_one_name_and_such_as_cannot_be_written_are_refused_before_anything_is_read(folder, tmp_path):
    def fails(*arguments):
        result = CliRunner().invoke(app, [str(part) for part in arguments])
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        return result.stderr

    same = tmp_path / "same"
    assert "both" in fails("fit", folder / "data.csv", "-t", "y", "-o", same, "--report", same)
    (tmp_path / "link").symlink_to(same)
    assert "--report and --checkpoint are both" in fails(
        "fit", folder / "data.csv", "-t", "y", "--report", tmp_path / "link", "--checkpoint", same
    )
    assert "read as well" in fails("fit", folder / "data.csv", "-t", "y", "-o", folder / "data.csv")
    # /proc takes no files, not even of the superuser
    words = fails("fit", folder / "data.csv", "-t", "no such column", "-o", "/proc/model.nvk")
    assert words.startswith("novikoff: /proc/model.nvk cannot be written: ")
    assert ".part" not in words
    assert sorted(os.listdir(tmp_path)) == ["link"]
    with pytest.raises(InputError, match="cannot be written"):
        check_writable("/proc/x")


def test_a_full_disk_is_said_with_the_name_that_was_given(tmp_path):
    path = tmp_path / "model.nvk"
    path.write_text("before")
    with pytest.raises(WriteError, match=r"model\.nvk cannot be written: no space left.*unchanged"), replacing(path):
        raise OSError(28, "No space left on device")
    assert path.read_text() == "before"
    with pytest.raises(WriteError, match=r"^\S*model\.nvk cannot"), replacing(path) as part:
        raise PermissionError(13, "Permission denied", str(part))
    with pytest.raises(FileNotFoundError), replacing(path):  # of another file
        raise FileNotFoundError(2, "No such file", "other")


def test_standard_output_that_is_full_is_one_sentence(folder):
    for arguments in (["--help"], ["predict", folder / "m.nvk", folder / "data.csv"]):
        with open("/dev/full", "w") as full:  # opened as a stream, never given as a name
            found = shell(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
        assert found.returncode == 6
        assert found.stderr.startswith("novikoff: standard output ")
        assert found.stderr.endswith(" cannot be written: no space left on device.\n")


def test_a_reader_of_the_help_who_has_enough_is_no_error():
    command = " ".join(COMMAND) + " fit --help | head -1 > /dev/null"
    for _ in range(3):
        found = subprocess.run(
            ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
        )
        assert (found.returncode, found.stderr) == (0, "")


def test_usage_errors_are_one_sentence(folder):
    found = shell("fit", folder / "data.csv", "--tagret", "y")
    assert found.returncode == 2
    assert found.stderr.count("\n") == 1
    assert "--tagret" in found.stderr
    assert found.stderr.rstrip().endswith(": novikoff fit --help tells more.")
    assert shell("nothing").stderr.startswith("novikoff: No such command 'nothing'")


def test_letters_that_a_terminal_does_not_have(folder, tmp_path):
    env = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    found = shell("fit", folder / "data.csv", "-t", "y", "--model", "perceptron", env=env, text=False)
    assert found.returncode == 0
    assert all(line.startswith(b"novikoff: ") for line in found.stderr.splitlines())
    assert b"?: 2" in found.stdout  # the class 男, which is shown to people
    found = shell("predict", folder / "m.nvk", folder / "data.csv", env=env)
    assert found.returncode == 2
    assert "has no '\\u7537': write to a file with -o" in found.stderr
    terminal = CliRunner(charset="cp1252")
    found = terminal.invoke(app, ["fit", str(folder / "data.csv"), "-t", "y", "--model", "perceptron", "--json"])
    assert "男" in json.loads(found.stdout_bytes)["data"]["classes"]
    out = ["-o", str(tmp_path / "out.csv")]
    assert terminal.invoke(app, ["predict", str(folder / "m.nvk"), str(folder / "data.csv"), *out]).exit_code == 0
    assert (tmp_path / "out.csv").read_text(encoding="utf-8").split()[1] == "男"


def test_a_huge_cell_makes_no_huge_message(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y\n" + "".join(f"{i},{i % 2}\n" for i in range(50)) + "z" * 10**6 + ",1\n")
    found = CliRunner().invoke(app, ["fit", str(path), "-t", "y"])
    assert found.exit_code == 2
    assert len(found.stderr) < 1100
    assert "row 51" in found.stderr
    assert len(shortened("a" * 10**6)) < 1100


BUSY = """
import sys, threading, time
import novikoff.cli
from novikoff.cli import app as application
from novikoff.cli.app import command, main
@command("novikoff busy")
def busy() -> None:
    import ctypes
    print("ready", flush=True)
    ctypes.CDLL(None).sleep(30)  # compiled code, during which Python calls no handler
sys.argv = ["novikoff", "busy"]
main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("ignored", [False, True])
def test_signals_end_the_process_wherever_it_is(number, ignored):
    """As a shell script starts it with &, SIGINT is ignored; SIGTERM ends it all the same."""
    way = signal.SIG_IGN if ignored else signal.default_int_handler
    was = signal.signal(signal.SIGINT, way)  # a process inherits what is ignored
    process = subprocess.Popen([sys.executable, "-c", BUSY], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    signal.signal(signal.SIGINT, was)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    if ignored and number == signal.SIGINT:
        time.sleep(1.5)
        assert process.poll() is None
        process.kill()
        process.communicate()
        return
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert errors == "novikoff: interrupted; no file was left half-written.\n"


def test_a_cache_without_a_stream_is_refused_and_so_is_a_part_without_rows_of_every_class(folder, tmp_path):
    def failed(*options):
        result = CliRunner().invoke(
            app, ["fit", str(folder / "data.csv"), "-t", "y", "--model", "perceptron", *options]
        )
        assert result.exit_code == 2
        return result.stderr

    assert "say --stream as well" in failed("--cache", str(tmp_path))
    assert "are 40, but 2 classes need as many on each side" in failed("--test-size", "0.999")


def test_an_export_that_cannot_be_checked_is_not_written(folder, tmp_path):
    pytest.importorskip("skl2onnx")
    pytest.importorskip("onnxruntime")
    out, bad = tmp_path / "m.onnx", tmp_path / "bad.csv"
    bad.write_text("x,z\n1,2\n3,many\n")
    result = CliRunner().invoke(app, ["export", str(folder / "m.nvk"), str(out), "--check", str(bad)])
    assert result.exit_code == 2
    assert os.listdir(tmp_path) == ["bad.csv"]
    bad.write_text("x;z\n1;2\n3;5\n")
    tell = ["--check", str(bad), "--delimiter", ";"]
    result = CliRunner().invoke(app, ["export", str(folder / "m.nvk"), str(out), *tell])
    assert result.exit_code == 0, result.stderr
    assert "the same for 2 of 2 rows" in result.stdout


def test_the_help_lists_the_commands_in_the_order_of_their_use():
    words = CliRunner().invoke(app, ["--help"]).stdout
    names = ("fit", "predict", "certify", "check", "separation", "inspect", "export", "bench", "lab", "course")
    places = [words.index(f"│ {name} ") for name in names]
    assert places == sorted(places)


def test_the_help_shows_no_types_of_flags_and_no_braces():
    for name in ("fit", "predict", "certify"):
        words = CliRunner().invoke(app, [name, "--help"]).stdout
        assert "<bool>" not in words
        assert "{" not in words
        assert re.search(f"Usage: [a-z]+ {name} \\[OPTIONS\\] [A-Z]+", words)
    assert "<bool>" not in CliRunner().invoke(app, ["--help"]).stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["fit", "a", "--missing", "x"],
            "Invalid value for '--missing': 'x' is not one of 'refuse', 'impute', 'drop': ",
        ),
        (["fit", "a", "b"], "Got unexpected extra argument (b): "),
        (["fit", "a", "b", "c"], "Got unexpected extra arguments (b c): "),
    ],
)
def test_errors_of_usage_are_without_the_words_of_libraries(monkeypatch, capsys, arguments, words):
    monkeypatch.setattr(sys, "argv", ["novikoff", *arguments])
    assert run() == 2
    assert capsys.readouterr().err == f"novikoff: {words}novikoff fit --help tells more.\n"


def test_links_that_lead_to_each_other_are_named_in_a_sentence(folder, tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    result = CliRunner().invoke(
        app, ["predict", str(folder / "m.nvk"), str(folder / "data.csv"), "-o", str(tmp_path / "a")]
    )
    assert result.exit_code == 2
    assert "[Errno" not in result.stderr
    assert "too many levels of symbolic links" in result.stderr
