"""How long the first fits on a fresh machine compile: ``python benchmarks/compiling.py``.

Every linear learner at its defaults, on a few rows of float64, of float32 and sparse, of two classes that separate and
of three that do not, one after the other in a process that finds nothing compiled.  What is printed is the processor's
time of every fit, which is compiling but for some milliseconds.
"""

import os
import tempfile
import time
import warnings

import numpy as np
import scipy.sparse as sp
from origin import origin
from rich.console import Console
from rich.table import Table

LEARNERS = (
    "Perceptron",
    "MarginPerceptron",
    "PassiveAggressiveClassifier",
    "AveragedPerceptron",
    "PocketPerceptron",
    "VotedPerceptron",
    "AROWClassifier",
    "SCWClassifier",
)


def importing() -> float:
    """The processor's time of the imports, which the first fit waits for as well."""
    began = time.process_time()
    import novikoff

    for name in LEARNERS:
        getattr(novikoff, name)
    return time.process_time() - began


def seconds() -> dict[str, list[float]]:
    """Those of every learner: of each kind of rows two classes and three."""
    import novikoff

    rng = np.random.default_rng(0)
    X, drawn = rng.standard_normal((60, 5)), rng.integers(3, size=60)
    kinds, labels = (X, X.astype(np.float32), sp.csr_array(X)), (X[:, 0] > 0, drawn)
    found: dict[str, list[float]] = {}
    for name in LEARNERS:
        for rows in kinds:
            for y in labels:
                began = time.process_time()
                getattr(novikoff, name)().fit(rows, y)
                found.setdefault(name, []).append(time.process_time() - began)
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NUMBA_CACHE_DIR"] = folder  # read when Numba is imported
        warnings.simplefilter("ignore")
        imports, found = importing(), seconds()
    out = Table(title="seconds of compiling, one fit after the other")
    for heading in ("learner", *(f"{kind}, {k}" for kind in ("float64", "float32", "sparse") for k in (2, 3))):
        out.add_column(heading, justify="left" if heading == "learner" else "right")
    for name, each in found.items():
        out.add_row(name, *(f"{second:.1f}" for second in each))
    Console(width=110).print(out)
    print(f"all together {sum(map(sum, found.values())):.0f} s, and {imports:.1f} s of importing before the first")


if __name__ == "__main__":
    main()
    print(origin())
