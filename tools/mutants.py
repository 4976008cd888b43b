"""Is every guard held by a test?  Change one line of the core at a time, and see that a test fails.

    python tools/mutants.py [part of a file name]

The list is mutants.json: ``file``, the text ``old`` that stands in it once, the text ``new`` that takes its place, and
the ``tests`` that should notice.  The changes are made in temporary copies of the project, never in the checkout.  A
mutant that no test notices has survived, and so has one whose tests do not end in time; then the exit code is 1.
"""

import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TABLE = Path(__file__).with_suffix(".json")
COPIED = ("src", "tests", "benchmarks", "pyproject.toml")
WORKERS = 2
LONGEST = 240
"""Seconds that the tests of one mutant may take; those of passes are compiled first, which takes half a minute."""
LONGEST_AT_ONCE = 1800
"""Seconds for all these tests together, on the project as it is."""
FAILED = re.compile(r"^(FAILED|ERROR) (\S+)", re.MULTILINE)
TESTS_FAILED = 1
"""What pytest returns if tests were run and some failed."""


class Mutant(NamedTuple):
    """A change of one place."""

    file: str
    old: str
    new: str
    tests: list[str]

    def __str__(self) -> str:
        return " ".join(f"{self.file.removeprefix('src/novikoff/')}: {self.old.strip()} → {self.new.strip()}".split())


class Verdict(NamedTuple):
    """Whether the tests noticed, and what is to be said of it."""

    killed: bool
    text: str


def mutants(part: str = "") -> list[Mutant]:
    """Those of the files whose path contains this text."""
    listed = [Mutant(**entry) for entry in json.loads(TABLE.read_text(encoding="utf-8"))]
    return [mutant for mutant in listed if part in mutant.file]


class Copy:
    """A temporary copy of a project, with the machine code that was compiled for it."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.folder, self.changes = folder, 0
        folder.mkdir()
        for name in COPIED:
            if (source / name).is_dir():
                shutil.copytree(source / name, folder / name, ignore=shutil.ignore_patterns("*.pyc"))
            else:
                shutil.copy2(source / name, folder / name)

    def test(self, tests: list[str], seconds: float, *options: str) -> tuple[int | None, str]:
        """Run tests here; what pytest returned, None if it took too long, and what it printed."""
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header", *options, *tests]
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.folder / "src"),
            "HYPOTHESIS_PROFILE": "mutants",
            "NOVIKOFF_DATA": os.environ.get("NOVIKOFF_DATA", str(ROOT.parent / "shared" / "data")),
        }
        process = subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            printed, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        return process.returncode, printed

    def judge(self, mutant: Mutant) -> Verdict:
        """Change the file, run the tests, and change it back."""
        path = self.folder / mutant.file
        text, times = path.read_text(encoding="utf-8"), path.stat()
        if text.count(mutant.old) != 1:
            return Verdict(False, "the text to change is not there once")
        path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        # Compiled code is known by its source's time and size: no two versions of a file may have the same.
        self.changes += 1
        os.utime(path, (self.changes, self.changes))
        try:
            return verdict(*self.test(mutant.tests, LONGEST, "-x"))
        finally:
            path.write_text(text, encoding="utf-8")
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def verdict(code: int | None, printed: str) -> Verdict:
    """What pytest says of a mutant."""
    failed = FAILED.search(printed)
    if code is None:
        return Verdict(False, f"SURVIVED (no end in {LONGEST} s)")
    if code == TESTS_FAILED and failed:
        return Verdict(True, f"killed by {failed[2]}")
    if code == 0:
        return Verdict(False, "SURVIVED")
    return Verdict(False, f"the tests could not be run: {printed.strip()[-300:]}")


def main(part: str = "") -> int:
    """Try all mutants; 1 if some survive."""
    chosen = mutants(part)
    if not chosen:
        print(f"No mutant is of a file whose path contains {part!r}.")
        return 1
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        first = Copy(ROOT, Path(folder) / "0")
        tests = sorted({test for mutant in chosen for test in mutant.tests})
        code, printed = first.test(tests, LONGEST_AT_ONCE, "-n", str(WORKERS))
        if code != 0:
            print(printed.strip()[-2000:], "\nThe tests do not pass on the project as it is.")
            return 1
        copies: queue.Queue[Copy] = queue.Queue()
        copies.put(first)
        for number in range(1, WORKERS):
            copies.put(Copy(first.folder, Path(folder) / str(number)))  # with what was compiled just now
        survivors = 0

        def try_one(mutant: Mutant) -> tuple[Mutant, Verdict]:
            copy = copies.get()
            try:
                return mutant, copy.judge(mutant)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(WORKERS) as pool:
            for mutant, (killed, text) in pool.map(try_one, chosen):
                survivors += not killed
                print(f"{mutant}: {text}", flush=True)
    print(f"{len(chosen)} mutants, {len(chosen) - survivors} killed, {survivors} survived.")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
