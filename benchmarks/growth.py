"""How the time of a pass and the memory of a fit grow with rows, columns and classes; ``python benchmarks/growth.py``.

Each line is a process of its own.  It loads the rows from a file, fits a few of them so that all code is there, and
then fits all: ten passes of a learner.  Memory is that of the data and what the fit added to it at its peak.  The
tables are those of docs/benchmarks.md, from which docs/growth.py draws the figure.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from defaults import LEARNERS
from origin import origin
from sets import SETS
from sklearn.exceptions import ConvergenceWarning

import novikoff

PASSES, REPEATS, WARM = 10, 5, 1000
ALLOWED = 50e6
"""Bytes that a fit may have besides a part of the data."""


class Size(NamedTuple):
    kind: str
    rows: int
    columns: int
    classes: int


def sizes() -> Iterator[tuple[str, Size]]:
    """Three sizes in each direction, for every kind of rows; sparse ones have an entry in every hundredth column.

    And rows so short that what a fit has for each is more than they are.
    """
    for kind, columns in (("float32", 100), ("float64", 100), ("CSR float64", 5000)):
        for factor in (1, 2, 4):
            yield "rows", Size(kind, 100_000 * factor, columns, 2)
        for factor in (1, 2, 4):
            yield "columns", Size(kind, 100_000, columns * factor, 2)
        for classes in (4, 8, 16):
            yield "classes", Size(kind, 100_000, columns, classes)
    yield "short rows", Size("float32", 5_000_000, 4, 2)
    yield "short rows", Size("float32", 2_000_000, 4, 16)


def make(size: Size) -> tuple[Any, np.ndarray]:
    """Rows of normal numbers, and the class whose plane they are furthest above, give or take some noise."""
    rng = np.random.default_rng(0)
    if size.kind.startswith("CSR"):
        entries = size.columns // 100
        columns = (np.arange(entries) * 100 + rng.integers(100, size=(size.rows, entries))).astype(np.int32).ravel()
        starts = np.arange(0, len(columns) + 1, entries, dtype=np.int32)
        X: Any = sp.csr_matrix((rng.standard_normal(len(columns)), columns, starts), (size.rows, size.columns))
    else:
        X = rng.standard_normal((size.rows, size.columns), dtype=np.dtype(size.kind))
    scores = X @ rng.standard_normal((size.columns, size.classes)).astype(X.dtype)
    return X, (scores + 0.1 * scores.std() * rng.standard_normal(scores.shape)).argmax(axis=1)


def bytes_of(X: Any) -> int:
    return X.data.nbytes + X.indices.nbytes + X.indptr.nbytes if sp.issparse(X) else X.nbytes


def save(X: Any, y: np.ndarray, folder: Path) -> None:
    np.save(folder / "y.npy", y)
    if sp.issparse(X):
        sp.save_npz(folder / "X.npz", X, compressed=False)
    else:
        np.save(folder / "X.npy", X)


def measured(X: Any, y: np.ndarray, learner: str) -> tuple[float, float]:
    """The seconds of a pass, and the bytes that the process has at most while it fits, data included."""
    with tempfile.TemporaryDirectory() as folder:
        save(X, y, Path(folder))
        command = [sys.executable, __file__, "--child", folder, learner]
        gives_back = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "131072"}  # what is freed, lest it be there before
        ran = subprocess.run(command, capture_output=True, check=True, text=True, env=gives_back)
        seconds, extra = json.loads(ran.stdout)
    return seconds, bytes_of(X) + extra


def child(folder: Path, learner: str) -> None:
    """Prints the seconds of a pass, and by how much the fit raised the memory."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    model = getattr(novikoff, learner)(max_iter=PASSES, tol=None)
    X = sp.load_npz(folder / "X.npz") if (folder / "X.npz").exists() else np.load(folder / "X.npy")
    y = np.load(folder / "y.npy")
    few = np.concatenate([np.flatnonzero(y == label)[:WARM] for label in np.unique(y)])
    model.fit(X[few], y[few])
    Path("/proc/self/clear_refs").write_text("5")  # the peak is what there is now
    before = memory("VmRSS")
    model.fit(X, y)
    extra = memory("VmHWM") - before
    spent = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        model.fit(X, y)
        spent.append(time.perf_counter() - start)
    print(json.dumps([min(spent) / PASSES, extra]))


def memory(name: str) -> int:
    """A line of what Linux says of this process, in bytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * int(next(line.split()[1] for line in status.splitlines() if line.startswith(name)))


def grow() -> None:
    titles = "grows | kind | rows | columns | classes | entries, million | ms a pass | ns per entry and plane"
    print(f"| {titles} | data, MB | memory, MB |\n|{'---|' * 10}")
    for direction, size in sizes():
        X, y = make(size)
        seconds, peak = measured(X, y, "Perceptron")
        entries, planes = X.nnz if sp.issparse(X) else X.size, size.classes if size.classes > 2 else 1
        cells = f"{entries / 1e6:g} | {1e3 * seconds:.3g} | {1e9 * seconds / entries / planes:.2f}"
        both = f"{bytes_of(X) / 1e6:.0f} | {peak / 1e6:.0f}"
        print(f"| {direction} | {' | '.join(map(str, size))} | {cells} | {both} |", flush=True)


def every_learner() -> None:
    """The memory of every linear learner on real rows."""
    names = [type(model).__name__ for model in LEARNERS.values()]
    print(f"\n| rows | data, MB | {' | '.join(names)} |\n|---|---|{'---|' * len(names)}")
    for name in ("mnist", "imdb", "20news", "a9a"):
        X, y = SETS[name]()[:2]
        X = X if sp.issparse(X) else X.astype(np.float32)
        peaks = [measured(X, y, learner)[1] for learner in names]
        limit = (1.35 if sp.issparse(X) else 1.1) * bytes_of(X) + ALLOWED
        cells = [f"{peak / 1e6:.0f}" if peak <= limit else f"**{peak / 1e6:.0f}**" for peak in peaks]
        print(f"| {name} | {bytes_of(X) / 1e6:.0f} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(Path(sys.argv[2]), sys.argv[3])
    else:
        grow()
        every_learner()
        print(origin())
