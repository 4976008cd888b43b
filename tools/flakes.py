"""Tests that could depend on how busy a machine is, ten times while it is: none may fail once.

``python tools/flakes.py [--runs 10] [--load 8] [TEST ...]`` runs files or names of tests (all of ``BUSY`` otherwise),
always so many runs at the same time, each of them the load of the others, and prints what failed and how often.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUSY = ("bad_days", "hostile_files", "outputs", "callbacks", "start", "package", "scale_dask", "lab", "stream", "cli")
"""Tests with signals, kills, processes, threads, clocks, memory, or ratios of times."""


def run_once(tests: list[str]) -> tuple[list[str], str]:
    """The tests that failed in one run, and its last line."""
    with tempfile.TemporaryDirectory(prefix="novikoff-flakes-") as folder:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp", f"{folder}/run"]
        found = subprocess.run([*command, *tests], cwd=ROOT, capture_output=True, text=True, check=False)
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", found.stdout, re.MULTILINE)
    lines = found.stdout.strip().splitlines() or [found.stderr[-500:]]
    if found.returncode and not failed:
        return [f"exit code {found.returncode}"], lines[-1]
    for name in failed:
        print(found.stdout[-6000:] if name == failed[0] else "", flush=True)
    return failed, lines[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="*", default=[f"tests/test_{name}.py" for name in BUSY])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--load", type=int, default=8, help="how many runs go on at the same time")
    options = parser.parse_args()
    start, failures = time.perf_counter(), Counter[str]()
    with ThreadPoolExecutor(options.load) as pool:
        for failed, line in pool.map(lambda _: run_once(options.tests), range(options.runs)):
            failures.update(failed)
            print(f"flakes: {line}; load {os.getloadavg()[0]:.0f}", flush=True)
    print(f"flakes: {options.runs} runs in {(time.perf_counter() - start) / 60:.0f} minutes")
    for name, count in failures.most_common():
        print(f"flakes: {name} failed in {count} of {options.runs}")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
