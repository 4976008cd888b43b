"""Proofs of files larger than memory: time and peak memory; ``python benchmarks/large_proofs.py --gigabytes 10``.

Makes two Parquet files of that size in ``--folder``, one with a planted margin and one with 0.1 % of its labels
flipped, decides both from the shell with ``novikoff certify``, and checks the proofs with ``novikoff check``.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from origin import origin

COLUMNS, GROUP = 100, 2**16
MARGIN = 0.05
NOISE = 0.001

RUN = """
import resource, sys
from novikoff.cli import app
try: app(sys.argv[1:])
except SystemExit as end: code = end.code
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, code or 0, file=sys.stderr)
"""


def rows(seed, noise):
    """A row group: normal rows, moved away from a plane to a margin, some labels flipped."""
    rng = np.random.default_rng([seed, 1])
    u = np.random.default_rng(0).standard_normal(COLUMNS)
    u /= np.linalg.norm(u)
    X = rng.standard_normal((GROUP, COLUMNS), dtype=np.float32)
    along = X @ u
    y = along > 0
    X += np.outer(np.where(y, 1, -1) * np.maximum(0, MARGIN - np.abs(along)), u).astype(np.float32)
    return X, (y ^ (rng.random(GROUP) < noise)).astype(np.int8)


def write(path, size, noise):
    """A file of that many bytes, one row group after the other; the number of rows."""
    schema = pa.schema([*((f"x{j}", pa.float32()) for j in range(COLUMNS)), ("y", pa.int8())])
    groups = max(1, round(size / (4 * COLUMNS * GROUP)))
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as file:
        for k in range(groups):
            X, y = rows(k, noise)
            file.write_table(pa.table([*X.T.copy(), y], schema=schema))
    return groups * GROUP


def run(*arguments):
    """The seconds and peak megabytes of a command, and what it printed."""
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", RUN, *map(str, arguments)], capture_output=True, text=True, check=True)
    *_, peak, code = done.stderr.split()
    if int(code) > 1:
        raise SystemExit(done.stderr)
    return time.perf_counter() - start, int(peak), done.stdout


def main():
    """Both files, one after the other."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--gigabytes", type=float, default=1.0)
    options.add_argument("--folder", type=Path, default=Path("build"))
    options.add_argument("--no-check", action="store_true")
    given = options.parse_args()
    given.folder.mkdir(exist_ok=True)
    for name, noise in (("planted margin", 0.0), ("0.1 % noise", NOISE)):
        path, proof = given.folder / "large.parquet", given.folder / "large.json"
        count = write(path, given.gigabytes * 1e9, noise)
        seconds, peak, told = run("certify", path, "--target", "y", "--stream", "--json", "-o", proof)
        (answer,) = json.loads(told)["questions"]
        print(f"{name}: {path.stat().st_size / 1e9:.1f} GB, {count:,} rows: {answer['summary']}")
        print(f"  certify {seconds:.0f} s, {peak} MB at most")
        if not given.no_check:
            seconds, peak, told = run("check", proof, path, "--target", "y", "--stream")
            print(f"  check {seconds:.0f} s, {peak} MB at most: {told.splitlines()[-1]}")
        path.unlink()


if __name__ == "__main__":
    main()
    print(origin())
