"""From a file to a model beside Vowpal Wabbit, everything included; ``python benchmarks/files.py``.

400,000 rows of 40 normal columns with four decimals, two classes, five passes: wall time with start-up, reading,
preparing and measuring, as a multiple of the time that Vowpal Wabbit takes for five passes from its text with its
cache; and the peak memory.  All commands are run in turn, so that noise meets each; the best of several counts.
Both sides look at the rows as text first and keep what they read for later passes; ours holds out a fifth of the rows
and measures it, where Vowpal Wabbit, told so, trains on all and measures as it goes.  Its predictions of the same rows
are a line of their own.  Vowpal Wabbit neither lays other models beside its own nor asks whether the classes separate,
so ours is told not to; what `novikoff fit` takes with both is a line for each kind of file.  Ours runs in an
environment that has the package alone, as a user installs it: libraries import what else they find, such as those of
the peers.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from origin import origin
from rich.console import Console
from rich.table import Table

ROWS, COLUMNS = 400_000, 40
REPEATS = 3
USAGE = Path(__file__).with_name("usage.py")
ROOT = Path(__file__).parents[1]
PEER = "Vowpal Wabbit"
WABBIT = "vowpalwabbit -d rows.vw --passes 5 --cache_file cached -k --holdout_off --loss_function logistic -f model"
WABBIT_PREDICTS = "vowpalwabbit -d rows.vw -t -i model -p predictions"
FIT = "novikoff fit {} --model averaged --set max_iter=5 --set tol=None -o {}.nvk"
FILES = {"CSV": "rows.csv -t y", "libsvm": "rows.libsvm", "Parquet": "rows.parquet -t y"}
ALONE = " --no-yardsticks --separation-time 0"
WAYS = {"in memory": ALONE, "streamed": f"{ALONE} --stream", "streamed, --cache": f"{ALONE} --stream --cache cache"}
WITH_ALL = "in memory, with yardsticks and a decision"
PROVED = ("CSV", "Parquet")
TO_REACH = {
    "CSV": (1.2, 1.4, 1.2, 1.1, 3, 3),
    "libsvm": (1.3, 2.0, 1.4),
    "Parquet": (1.0, 1.2, 1.0, 0.9, 3, 3),
}
"""Multiples that are aimed at: the three ways to fit, predict, certify and check."""


def write_files(folder: Path) -> None:
    """The same rows in every format."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((ROWS, COLUMNS)).round(4)
    y = (X @ rng.standard_normal(COLUMNS) + rng.standard_normal(ROWS) > 0).astype(int)
    names = [f"x{j}" for j in range(COLUMNS)]
    columns = {name: X[:, j].astype(np.float32) for j, name in enumerate(names)}
    pq.write_table(pa.table({**columns, "y": y}), folder / "rows.parquet")
    opened = [(folder / f"rows.{end}").open("w") for end in ("csv", "libsvm", "vw")]
    table, sparse, wabbit = opened
    table.write(",".join([*names, "y"]) + "\n")
    for row, label in zip(X.tolist(), y.tolist(), strict=True):
        cells = [f"{value:.4f}" for value in row]
        pairs = " ".join(f"{j}:{cell}" for j, cell in enumerate(cells, 1))
        table.write(f"{','.join(cells)},{label}\n")
        sparse.write(f"{label} {pairs}\n")
        wabbit.write(f"{2 * label - 1} | {pairs}\n")
    for file in opened:
        file.close()


def commands() -> dict[str, str]:
    """All work by its name."""
    work = {PEER: WABBIT, f"{PEER}, predict": WABBIT_PREDICTS}
    for kind, file in FILES.items():
        ways = {**WAYS, WITH_ALL: ""}
        work |= {f"{kind}, {way}": FIT.format(file, kind) + option for way, option in ways.items()}
        work[f"{kind}, predict"] = f"novikoff predict {kind}.nvk {file.split()[0]} -o predictions.csv"
        if kind in PROVED:
            work[f"{kind}, certify"] = f"novikoff certify {file} -o {kind}.proof"
            work[f"{kind}, check"] = f"novikoff check {kind}.proof {file}"
    return work


def install_alone(folder: Path) -> Path:
    """The Python of an environment in which there is this package and what it needs."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "--require-hashes", "-r", str(ROOT / "requirements" / "package.lock")], check=True)
        subprocess.run([*install, "--no-deps", "-e", str(ROOT)], check=True)
    return python


def run(command: str, folder: Path, ours: Path) -> tuple[float, float]:
    """The seconds of a command and the megabytes that it had at most."""
    python = ours if command.startswith("novikoff") else sys.executable
    with (folder / "output").open("w+") as output:
        whole = [sys.executable, str(USAGE), "usage", str(python), "-m", *command.split()]
        if subprocess.run(whole, cwd=folder, stdout=output, stderr=output, check=False).returncode:
            output.seek(0)
            sys.exit(f"{command}: {output.read()[-500:]}")
    seconds, kilobytes = map(float, (folder / "usage").read_text(encoding="ascii").split())
    return seconds, kilobytes / 1024


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", help="where the files are made, and left for another time")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    asked = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed has its bytecode, which the first run may write
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(asked.folder or temporary)
        folder.mkdir(exist_ok=True)
        if not (folder / "rows.vw").exists():
            write_files(folder)
        ours = install_alone(folder / "alone")
        measured: dict[str, list[tuple[float, float]]] = {name: [] for name in commands()}
        for repeat in range(asked.repeats + 1):
            for name, command in commands().items():
                result = run(command, folder, ours)
                if repeat:  # the first may compile
                    measured[name].append(result)
    show(measured)


def show(measured: dict[str, list[tuple[float, float]]]) -> None:
    """The best of every work, as a multiple of the peer's."""
    peer = min(seconds for seconds, _ in measured[PEER])
    reach = {
        f"{kind}, {way}": most
        for kind, limits in TO_REACH.items()
        for way, most in zip([*WAYS, "predict", "certify", "check"], limits, strict=False)
    }
    out = Table(title=f"from a file to a model, {ROWS:,} × {COLUMNS}, five passes, as multiples of {PEER}")
    for name in ("work", "s", "multiple", "at most", "peak, MB"):
        out.add_column(name, justify="left" if name == "work" else "right")
    for name, results in measured.items():
        seconds, megabytes = min(results)[0], max(peak for _, peak in results)
        out.add_row(name, f"{seconds:.2f}", f"{seconds / peer:.2f}", str(reach.get(name) or ""), f"{megabytes:.0f}")
    Console(width=100).print(out)


if __name__ == "__main__":
    main()
    print(origin())
