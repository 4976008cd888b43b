"""What a bad day does to the command and the library: killed processes, full disks, little memory, files that change.

``python tools/bad_days.py`` prints the table of docs/reliability.md; ``--trials`` is how often each thing is done, and
names choose among them.  Linux only: it needs signals and limits of resources, and for full disks to be the superuser.
"""

import argparse
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from kills import SLOW, Call, Commands, kill, lost_workers, tables, time_of, weights

from novikoff import AveragedPerceptron, Perceptron, datasets, load

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
from origin import origin

COMMAND = [sys.executable, "-m", "novikoff"]
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"


def start(call: Call, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *call], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, **options
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str]:
    """The exit code, and what was said of an error."""
    _, errors = process.communicate()
    return process.returncode, "\n".join(line for line in errors.splitlines() if "note:" not in line).strip()


def check_sentence(code: int, errors: str, what: str) -> None:
    """Raise unless a command that failed did so in one sentence, with a code of its own."""
    if code == 0:
        return
    last = errors.splitlines()[-1] if errors else ""  # what is being done may be said before
    wrong = "Traceback" in errors or "a fault of novikoff" in errors
    if code not in (2, 3, 4, 6) or wrong or not last.startswith("novikoff: "):
        raise AssertionError(f"{what}: exit code {code}, {errors[-2000:]!r}")


def limited(limit: int, bound: int) -> Callable[[], None]:
    """What a process does before it is the command: accept a limit, and take no signal for it."""

    def accept() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(limit, (bound, bound))

    return accept


def disk_full(folder: Path, trials: int) -> Iterator[tuple[str, str]]:
    """Files that may not be longer than so many bytes: what was there before stays, nothing else is left."""
    slow, whole = tables(folder)
    model = str(folder / "model.nvk")
    subprocess.run([*COMMAND, "fit", slow, "-t", "y", "-o", model], check=True, capture_output=True)
    calls = {
        "out.nvk": ["fit", slow, "-t", "y", "-o", str(folder / "out.nvk")],
        "report.html": ["fit", slow, "-t", "y", "--report", str(folder / "report.html")],
        "proof.json": ["certify", whole, "-t", "y", "-o", str(folder / "proof.json")],
        "out.csv": ["predict", model, slow, "-o", str(folder / "out.csv")],
        "model.onnx": ["export", model, str(folder / "model.onnx")],
    }
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / "numba"), "PYTHONDONTWRITEBYTECODE": "1"}
    failed = 0
    for output, call in calls.items():
        for k in range(trials):
            (folder / output).write_text("before")
            process = start(call, preexec_fn=limited(resource.RLIMIT_FSIZE, 7 * 4**k), env=environment)
            code, errors = finish(process)
            check_sentence(code, errors, f"{output}, {7 * 4**k} bytes")
            failed += code != 0
            if code and (folder / output).read_text() != "before":
                raise AssertionError(f"{output} was changed by a write that failed")
            if [file for file in folder.iterdir() if file.suffix == ".part"]:
                raise AssertionError(f"{output}: a part is left")
    yield (
        "disk full: files end at 7 · 4ᵏ bytes (`RLIMIT_FSIZE`)",
        f"{failed} of {trials * len(calls)} writes failed, each in one sentence; what was there before stayed",
    )


@contextmanager
def small_disk(folder: Path, pages: int) -> Iterator[None]:
    """A disk of so many pages of memory at this place, for the superuser of Linux."""
    size = f"size={pages * resource.getpagesize()}"
    subprocess.run(["mount", "-t", "tmpfs", "-o", size, "novikoff-bad-day", str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def outputs(folder: Path, disk: Path) -> dict[str, Call]:
    """Commands by the outputs that they write to a disk, which need data and a model of a folder."""
    slow, whole = tables(folder)
    model, fit = str(folder / "model.nvk"), ["fit", slow, "-t", "y", *SLOW, "--no-yardsticks"]
    subprocess.run([*COMMAND, *fit, "-o", model], check=True, capture_output=True)
    checkpoint = [*SLOW, "--checkpoint-every", "0.02", "--checkpoint"]
    return {
        "out.nvk": [*fit, "-o", str(disk / "out.nvk")],
        "report.html": [*fit, "--report", str(disk / "report.html")],
        "run.checkpoint": ["fit", slow, "-t", "y", *checkpoint, str(disk / "run.checkpoint")],
        "proof.json": ["certify", whole, "-t", "y", "-o", str(disk / "proof.json")],
        "out.csv": ["predict", model, slow, "-o", str(disk / "out.csv")],
        "model.onnx": ["export", model, str(disk / "model.onnx")],
    }


def disk_sizes() -> Iterator[int]:
    """Pages of disks, each by one page or by an eighth larger than the last."""
    pages = 2
    while True:
        yield pages
        pages += max(1, pages // 8)


def full_disk(folder: Path, trials: int) -> Iterator[tuple[str, str]]:
    """Disks larger and larger, until the output has room: what was there stays, and nothing else is left."""
    disk, commands = folder / "disk", Commands(folder)
    disk.mkdir()
    before, failed = "before", 0
    for output, call in outputs(folder, disk).items():
        for pages in disk_sizes():
            with small_disk(disk, pages):
                kept = disk / ("other" if output == "run.checkpoint" else output)
                kept.write_text(before)
                code, errors = commands.run(call)
                check_sentence(code, errors.strip(), f"{output} on {pages} pages")
                left = set(os.listdir(disk)) - {kept.name, output}  # an earlier checkpoint may stand there, whole
                if code and (kept.read_text() != before or left):
                    raise AssertionError(f"{output} on {pages} pages: {os.listdir(disk)}, {kept.read_text()[:80]!r}")
            failed += code != 0
            if code == 0:
                break
    yield (
        "disk full: model, report, checkpoint, proof, predictions, ONNX to disks a page or an eighth larger each time",
        f"{failed} writes failed, each in one sentence; what was there before stayed, and nothing else was left",
    )


def memory(folder: Path, trials: int) -> Iterator[tuple[str, str]]:
    """Address space that is too little (ulimit -v): a sentence, no crash."""
    X = np.tile(np.random.default_rng(0).normal(size=(100_000, 20)).astype(np.float32), (12, 1))
    np.savez(folder / "large.npz", X=X, y=(X[:, 0] > 0).astype(int))
    failed = theirs = 0
    sizes = np.linspace(0.9, 1.5, trials)
    for size in sizes:
        environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
        call = ["fit", str(folder / "large.npz"), "--model", "perceptron", "--set", "max_iter=1", "--test-size", "0.5"]
        process = start(call, preexec_fn=limited(resource.RLIMIT_AS, int(size * 2**30)), env=environment)
        code, errors = finish(process)
        if "OpenBLAS error" in errors:  # a library of NumPy ends the process itself, in a sentence of its own
            theirs += 1
            continue
        check_sentence(code, errors, f"{size:.2f} GB")
        failed += code != 0
    yield (
        f"memory: {sizes[0]:.1f} to {sizes[-1]:.1f} GB of address space (`ulimit -v`), 96 MB of numbers",
        f"{failed} of {trials} fits failed in one sentence, {theirs} in one of OpenBLAS's own; the others ended well",
    )


def one_output(folder: Path, trials: int) -> Iterator[tuple[str, str]]:
    """Two processes that write one file at the same time: it is whole, that of the last."""
    slow, _ = tables(folder)
    path = folder / "both.nvk"
    for _ in range(trials):
        pair = [
            start(["fit", slow, "-t", "y", "--model", model, "--test-size", "0.5", "-o", str(path)])
            for model in ("averaged", "pa")
        ]
        for code, errors in map(finish, pair):
            if code:
                raise AssertionError(errors)
        load(path)
        if [file for file in folder.iterdir() if file.suffix == ".part"]:
            raise AssertionError("a part is left")
    yield "two processes writing one output", f"{trials} of {trials} times it was whole, and nothing else was left"


def changes(path: Path, size: int) -> dict[str, Callable[[], Any]]:
    """What may happen to a file while it is read."""

    def replace_by_folder() -> None:
        path.unlink()
        path.mkdir()

    def change() -> None:
        with path.open("r+b") as file:
            file.seek(size // 2)
            file.write(os.urandom(4096))

    return {
        "truncated": lambda: os.truncate(path, size // 3),
        "emptied": lambda: os.truncate(path, 0),
        "changed": change,
        "removed": path.unlink,
        "replaced by a folder": replace_by_folder,
    }


def changed_files(folder: Path, trials: int) -> Iterator[tuple[str, str]]:
    """Files that change while they are read: the command ends well or in a sentence, never by a signal."""
    X = np.random.default_rng(0).normal(size=(20_000, 20))
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(20)]).assign(y=(X[:, 0] > 0).astype(int))
    writers: dict[str, Callable[[Path], Any]] = {
        "csv": lambda path: frame.to_csv(path, index=False),
        "parquet": frame.to_parquet,
        "feather": frame.to_feather,
        "npz": lambda path: np.savez(path, X=X, y=frame["y"]),
    }
    chance, ends = random.Random(0), [0, 0]
    for form, write in writers.items():
        path = folder / f"data.{form}"
        write(path)
        content = path.read_bytes()
        target = [] if form == "npz" else ["-t", "y"]
        call = ["fit", str(path), *target, "--test-size", "0.5", "--model", "averaged", "--stream", "--no-yardsticks"]
        whole = time_of(lambda call=call: finish(start(call)))
        for name in changes(path, len(content)):
            for _ in range(trials):
                path.write_bytes(content)
                process = start(call)
                time.sleep(chance.uniform(0.4, 1) * whole)  # before it reads, it imports for a while
                changes(path, len(content))[name]()
                code, errors = finish(process)
                check_sentence(code, errors, f"{form} {name}")
                ends[min(code, 1)] += 1
                if path.is_dir():
                    path.rmdir()
    yield (
        "CSV, Parquet, Feather and npz files truncated, emptied, changed, removed or replaced by a folder while read",
        f"{ends[0]} of {sum(ends)} commands ended well, {ends[1]} in one sentence, none by a signal",
    )


CLOCKS = {
    "1970": ["@1970-01-01 00:00:10"],
    "2107, which zip archives end at": ["@2110-01-01 00:00:00"],
    "back by a day": ["+0d", "-1d"],
    "ahead by ten years": ["+0d", "+3650d"],
}
"""Clocks at the start of a command, and while it goes on."""


def clocks(folder: Path, trials: int) -> Iterator[tuple[str, str]]:
    """Clocks that are wrong, or jump while a command goes on (libfaketime): the outputs are the same."""
    if not Path(FAKETIME).exists():
        yield "clocks that are wrong or jump", "not tried: libfaketime is not here"
        return
    clock, calls, ends, refused = folder / "clock", outputs(folder, folder), 0, 0
    expected: dict[str, bytes] = {}
    environment = os.environ | {
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        "DONT_FAKE_MONOTONIC": "1",
    }
    for name, times in {"right": ["+0d"], **CLOCKS}.items():
        for output, call in calls.items():
            path = folder / output
            path.unlink(missing_ok=True)
            clock.write_text(times[0])
            process = start(call, env=environment | {"LD_PRELOAD": FAKETIME})
            if len(times) > 1:
                time.sleep(1.5)
                clock.write_text(times[1])
            code, errors = finish(process)
            check_sentence(code, errors, f"{output}, the clock {name}")
            if code and "set the clock" in errors:
                refused += 1
                continue
            if code or path.exists() == (output == "run.checkpoint"):
                raise AssertionError(f"{output}, the clock {name}: exit code {code}, {errors[-2000:]!r}")
            same = path.suffix in (".html", ".checkpoint") or expected.setdefault(output, weights(path)) == weights(
                path
            )
            if not same:  # a report has its seconds
                raise AssertionError(f"{output}, the clock {name}: other bytes")
            ends += name != "right"
    yield (
        f"the clock at {', '.join(CLOCKS)}, before or while a command goes on (libfaketime)",
        f"{ends} of {ends + refused} commands ended well, their outputs in the same bytes; {refused} asked for the "
        "clock to be set, as archives have no such date",
    )


def threads(folder: Path, trials: int) -> Iterator[tuple[str, str]]:
    """Eight threads that fit at once learn what one learns."""
    X, y = datasets.planted_margin(20_000, 20, 0.01, random_state=0)
    learners = [Perceptron(random_state=0), AveragedPerceptron(random_state=0)]
    expected = [learner.fit(X, y).coef_.tobytes() for learner in learners]
    found: list[bool] = []

    def work(k: int) -> None:
        learner = type(learners[k % 2])(random_state=0)
        found.extend(learner.fit(X, y).coef_.tobytes() == expected[k % 2] for _ in range(trials))

    running = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    if len(found) != 8 * trials or not all(found):
        raise AssertionError("a fit among others learnt something else")
    yield "eight threads fitting at once", f"{len(found)} of {len(found)} fits had the weights of one alone, to the bit"


def partial_fits(folder: Path, trials: int, rows: int = 10**7) -> Iterator[tuple[str, str]]:
    """``partial_fit`` of 10⁷ rows per trial: counts are exact, memory is flat."""
    X = np.random.default_rng(0).integers(-3, 4, (100_000, 10)).astype(np.float32)
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    y[::50] = 1 - y[::50]  # never separable, so that updates go on
    model = Perceptron(order="cyclic")
    calls = trials * rows // len(y)
    updates, sizes = [], []
    for k in range(calls):
        before = int(getattr(model, "n_updates_", 0))
        weight = model.coef_.copy() if k else np.zeros((1, 10))
        model.partial_fit(X, y, classes=[0, 1])
        updates.append(int(model.n_updates_) - before)
        if k % max(1, calls // 20) == 0:
            sizes.append(resident())
        if not np.isfinite(model.coef_).all() or (updates[-1] == 0) != bool((weight == model.coef_).all()):
            raise AssertionError(f"call {k}: the count of updates does not fit the weights")
    if int(model.n_updates_) != sum(updates) or (model.coef_ != np.rint(model.coef_)).any():
        raise AssertionError("the counts drifted, or whole numbers became others")
    grown = max(sizes[2:]) - sizes[1]
    if grown > 32:
        raise AssertionError(f"memory grew by {grown} MB")
    yield (
        f"`partial_fit` of {calls * len(y):.0e} rows".replace("1e+08", "10⁸"),
        f"{sum(updates):,} updates, counted exactly; weights still whole numbers; memory grew by {max(grown, 0)} MB",
    )


def resident() -> int:
    """Megabytes of memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() >> 20


DAYS: dict[str, Callable[[Path, int], Iterator[tuple[str, str]]]] = {
    "kill": kill,
    "workers": lost_workers,
    "disk": disk_full,
    "pages": full_disk,
    "memory": memory,
    "output": one_output,
    "files": changed_files,
    "clock": clocks,
    "threads": threads,
    "partial_fit": partial_fits,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*DAYS], default=[*DAYS], metavar="|".join(DAYS))
    parser.add_argument("--trials", type=int, default=10)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of runs that are ended early
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("bad days: ended from outside"))  # temporary folders go
    print("| what happens | what came of it |\n|---|---|", flush=True)
    for name in options.names:
        with tempfile.TemporaryDirectory(prefix="novikoff-bad-day-") as folder:
            for what, result in DAYS[name](Path(folder), options.trials):
                print(f"| {what} | {result} |", flush=True)
    print()
    print(origin())


if __name__ == "__main__":
    main()
