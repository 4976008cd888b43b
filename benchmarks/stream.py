"""Learning from files against learning in memory, and the memory of a large file; ``python benchmarks/stream.py``.

``--gigabytes 10`` makes a Parquet file of that size in ``--folder`` and tells the peak memory of a fit on it.
"""

import argparse
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import scipy.sparse as sp
import sets
from origin import origin
from rich.console import Console
from rich.table import Table
from sklearn.datasets import dump_svmlight_file

import novikoff
from novikoff.scale.stream import fit_stream
from novikoff.training.run import following

FEATURES, ROWS = 100, 2**20
TEXT = 64
"""Text files have this part of the rows."""
PASSES = 5
REPEATS = 3

PEAK = """
import resource, sys, time, warnings
from novikoff import AveragedPerceptron
from novikoff.scale.stream import fit_stream
warnings.simplefilter("ignore")
start = time.perf_counter()
model = fit_stream(AveragedPerceptron(max_iter=2, tol=None), sys.argv[1], "y", cache=(sys.argv[2:] or [None])[0])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, time.perf_counter() - start, *model.coef_[0, :3])
"""


def rows(number, seed, noise=1.0):
    """Two classes that overlap, as float32."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((number, FEATURES), dtype=np.float32)
    y = X[:, :10].sum(axis=1) + noise * rng.standard_normal(number, dtype=np.float32) > 0
    return X, y.astype(np.int8)


def columns(X, y):
    return pa.table({**{f"x{j}": np.ascontiguousarray(X[:, j]) for j in range(X.shape[1])}, "y": y})


def lists(X, y):
    return pa.table({"x": pa.FixedSizeListArray.from_arrays(pa.array(X.ravel()), X.shape[1]), "y": y})


def write(folder, X, y):
    """The same rows in files of all kinds, by what they are called, with what they are in memory."""
    pa.feather.write_feather(lists(X, y), str(folder / "lists.feather"), compression="uncompressed")
    pa.feather.write_feather(columns(X, y), str(folder / "columns.feather"), compression="uncompressed")
    pq.write_table(columns(X, y), folder / "columns.parquet", row_group_size=2**16)
    part = slice(len(y) // TEXT)
    columns(X[part], y[part]).to_pandas().to_csv(folder / "part.csv", index=False)
    dump_svmlight_file(X[part], y[part], str(folder / "part.libsvm"), zero_based=False)
    return {
        "Feather, a list a row": ("lists.feather", X, y),
        "Feather, columns": ("columns.feather", X, y),
        "Parquet, columns": ("columns.parquet", X, y),
        "CSV": ("part.csv", X[part].astype(np.float64), y[part]),
        "libsvm": ("part.libsvm", sp.csr_matrix(X[part].astype(np.float64)), y[part]),
    }


class Clock:
    """Follows a fit, and knows when every pass ended."""

    state = None

    def __init__(self):
        self.ends = []

    def passed(self, *_):
        self.ends.append(time.perf_counter())


def seconds(fit, *arguments, **named):
    """The time of the shortest pass after the first."""
    times = []
    for _ in range(REPEATS):
        clock = Clock()
        token = following.set(lambda _, clock=clock: clock)
        fit(*arguments, **named)
        following.reset(token)
        times += np.diff(clock.ends).tolist()
    return min(times)


def covtype():
    """The seven classes of covtype, three times over, scaled."""
    X, y, _, _ = sets.covtype()
    X = np.tile(X.astype(np.float32), (3, 1))
    return (X - X.mean(axis=0)) / X.std(axis=0), np.tile(y, 3)


def compare(folder, X, y, text):
    """Print how fast passes over files of all kinds are, with text files or without."""
    kinds = dict(list(write(folder, X, y).items())[: 5 if text else 3])
    learners = (novikoff.Perceptron, novikoff.AveragedPerceptron)
    table = Table("rows from", *(f"{learner.__name__}: of memory's speed" for learner in learners))
    for name, (file, A, b) in kinds.items():
        plain = {make: seconds(make(max_iter=PASSES, tol=None).fit, A, b) for make in learners}
        for cache in (None, folder):
            cells = []
            for learner in learners:
                model, target = learner(max_iter=PASSES, tol=None), None if file.endswith("libsvm") else "y"
                taken = seconds(fit_stream, model, folder / file, target, cache=cache)
                cells.append(f"{plain[learner] / taken:.2f}")
            table.add_row(name + (", cached" if cache else ""), *cells)
    Console(width=120).print(table)


def large(folder, gigabytes):
    """Make a Parquet file of this size, and tell what a fit on it takes."""
    path = folder / f"rows-{gigabytes:g}.parquet"
    if not path.exists():
        part = path.with_suffix(".part")
        count = int(gigabytes * 1e9 / (4 * FEATURES * 2**17)) + 1
        with pq.ParquetWriter(part, columns(*rows(1, 0)).schema, compression="none", use_dictionary=False) as writer:
            for seed in range(count):
                writer.write_table(columns(*rows(2**17, seed)))
        part.rename(path)
    size = path.stat().st_size
    number = pq.read_metadata(path).num_rows
    for cache in ([], [str(folder)]):
        done = subprocess.run([sys.executable, "-c", PEAK, path, *cache], capture_output=True, text=True, check=True)
        peak, taken = map(float, done.stdout.split()[:2])
        print(
            f"{size / 1e9:.1f} GB, {number:,} rows{', cached' if cache else ''}: two passes, the look at the labels "
            f"and the last look in {taken:.0f} s, peak memory {peak:.0f} MB"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gigabytes", type=float)
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory(dir=asked.folder) as temporary:
        if asked.gigabytes:
            large(asked.folder or Path(temporary), asked.gigabytes)
        else:
            compare(Path(temporary), *rows(ROWS, 0), text=True)
            compare(Path(temporary), *covtype(), text=False)


if __name__ == "__main__":
    main()
    print(origin())
