"""The whole suite ten times while the machine is busy, in an order of its own each time: no test may fail once.

``python tools/flakes.py [--runs 10] [--load 8] [TEST ...]`` runs all tests but those of a browser, or files or names of
tests, eight processes at once whatever the machine has, each of them the load of the others; the number of a run is the
seed of its order.  What failed is printed, and how often.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WHOLE = ["--ignore-glob", "tests/test_lab_browser*.py"]
PYTEST = [
    sys.executable,
    "-m",
    "pytest",
    "-q",
    "-p",
    "no:cacheprovider",
    "--dist",
    "worksteal",
    "--random-order",
    "-rfE",
]


def run_once(seed: int, load: int, tests: list[str]) -> tuple[list[str], str]:
    """The tests that failed in one run, and its last line."""
    with tempfile.TemporaryDirectory(prefix="novikoff-flakes-") as folder:
        options = [f"--random-order-seed={seed}", "-n", str(load), "--basetemp", f"{folder}/run"]
        found = subprocess.run([*PYTEST, *options, *tests], cwd=ROOT, capture_output=True, text=True, check=False)
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", found.stdout, re.MULTILINE)
    lines = found.stdout.strip().splitlines() or [found.stderr[-500:]]
    if found.returncode and not failed:
        return [f"exit code {found.returncode}"], lines[-1]
    if failed:
        print(found.stdout[-6000:], flush=True)
    return failed, lines[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="*", default=WHOLE)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--first", type=int, default=1, help="the number of the first run")
    parser.add_argument("--load", type=int, default=8, help="how many processes go on at the same time")
    options = parser.parse_args()
    start, failures = time.perf_counter(), Counter[str]()
    for seed in range(options.first, options.first + options.runs):
        failed, line = run_once(seed, options.load, options.tests)
        failures.update(failed)
        print(f"flakes: run {seed}: {line}; load {os.getloadavg()[0]:.0f}", flush=True)
    print(f"flakes: {options.runs} runs in {(time.perf_counter() - start) / 60:.0f} minutes")
    for name, count in failures.most_common():
        print(f"flakes: {name} failed in {count} of {options.runs}")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
