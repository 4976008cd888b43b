"""The house as text: its storeys, who imports whom, and the walk of a call through it.

``python tools/house.py`` prints all of it; with ``graph`` or ``walks`` a part.  ``tests/test_layers.py``
holds the storeys.
"""

import ast
import contextlib
import io
import math
import sys
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

SOURCE = Path(__file__).resolve().parent.parent / "src" / "novikoff"
STOREYS = (
    ("version", "errors", "bounds", "atomic", "imports", "neuron", "progress", "registry", "language"),
    ("passes", "exact"),
    ("certificates",),
    ("data",),
    ("inputs",),
    ("training",),
    ("learners", "online"),
    ("scale",),
    ("proofs",),
    ("theory", "regression"),
    ("workflow",),
    ("lab",),
    ("plot",),
    ("course",),
    ("cli",),
    ("__init__", "__main__"),
)
"""From the ground up: a room imports from its own folder and from the storeys below."""
UPWARD = {
    ("registry", "learners"): "type checkers read the classes behind the table; nothing is imported when it runs",
    ("certificates", "proofs"): "a learner's certificate, or its pocket, has its proof made when it is asked for one",
}
"""The only calls upstairs, and why."""


def modules() -> dict[str, Path]:
    """The modules by name, below the package; a folder's own file is called by the folder."""
    paths = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        paths[".".join(parts if len(parts) == 1 or parts[-1] != "__init__" else parts[:-1])] = path
    return paths


def room(module: str) -> str:
    """The folder of a module, or the module itself in the hall."""
    return module.split(".")[0]


def imports(module: str, path: Path, known: set[str]) -> Iterator[str]:
    """The modules that a module imports, those inside functions too."""
    package = module.split(".") if path.name == "__init__.py" and module != "__init__" else module.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            if node.level:
                base = package[: len(package) - node.level + 1]
            elif (node.module or "").split(".")[0] == "novikoff":
                base = []
            else:
                continue
            names = [name for name in (node.module or "").split(".") if name and name != "novikoff"]
            for alias in node.names:
                whole = ".".join([*base, *names, alias.name])
                above = ".".join([*base, *names]) or "__init__"
                yield whole if whole in known else above
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "novikoff":
                    yield ".".join(alias.name.split(".")[1:]) or "__init__"


def graph() -> dict[str, set[str]]:
    """Every module with those that it imports."""
    known = modules()
    return {name: set(imports(name, path, set(known))) - {name} for name, path in known.items()}


def print_graph() -> None:
    """Storeys, rooms and what they import."""
    edges = graph()
    for number, storey in reversed(list(enumerate(STOREYS))):
        print(f"\nstorey {number}")
        for name in storey:
            below: dict[str, set[str]] = defaultdict(set)
            members = sorted(module for module in edges if room(module) == name)
            for module in members:
                for other in edges[module]:
                    if room(other) != name:
                        below[room(other)].add(other.partition(".")[2] or other)
            inside = ", ".join(module.partition(".")[2] for module in members if "." in module)
            print(f"  {name}{f': {inside}' if inside else ''}")
            for other in sorted(below):
                print(f"      ← {other}: {', '.join(sorted(below[other]))}")
    print("\nupstairs, by name:")
    for (low, high), reason in UPWARD.items():
        print(f"  {low} → {high}: {reason}")


class Walk:
    """The functions of the house that a call enters, in the order of their first entry."""

    def __init__(self) -> None:
        self.calls, self.entered, self.seen = 0, [], set()

    def note(self, frame: Any, event: str, _: Any) -> None:
        """A profiler: notes every function of ours that is entered."""
        path = frame.f_code.co_filename
        if event != "call" or not path.startswith(str(SOURCE)) or frame.f_code.co_name.startswith("<"):
            return
        self.calls += 1
        key = path, frame.f_code.co_firstlineno
        if key not in self.seen:
            self.seen.add(key)
            self.entered.append((path, frame.f_code.co_qualname))

    def changes(self) -> int:
        """How often the next function that is met is in another module."""
        return sum(a[0] != b[0] for a, b in zip(self.entered, self.entered[1:], strict=False))

    def modules(self) -> list[str]:
        """The modules in the order in which they are met."""
        return list(dict.fromkeys(str(Path(path).relative_to(SOURCE)) for path, _ in self.entered))


def walk(call: Callable[[], Any]) -> Walk:
    """The walk of a call; it is made once before, so that imports and compilation are not on the way."""
    walked = Walk()
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        call()
        sys.setprofile(walked.note)
        try:
            call()
        finally:
            sys.setprofile(None)
    return walked


def walks(folder: Path) -> Iterator[tuple[str, Walk]]:
    """The five ways through the house that most people take."""
    import numpy as np
    from typer.testing import CliRunner

    from novikoff import Perceptron, certify
    from novikoff.cli import app
    from novikoff.lab.experiment import run
    from novikoff.scale.stream import fit_stream

    random = np.random.default_rng(0)
    X = random.normal(size=(60, 3))
    y = (X @ [1.0, -2.0, 0.5] + 0.3 > 0).astype(int)
    table = folder / "data.csv"
    lines = [",".join(map(repr, [*row.tolist(), int(label)])) for row, label in zip(X, y, strict=True)]
    table.write_text("\n".join(["a,b,c,y", *lines]) + "\n")
    yield "fit", walk(lambda: Perceptron().fit(X, y))
    yield "certify", walk(lambda: certify(X, y))
    learning = ["--model", "pa", "--no-yardsticks", "--separation-time", "0"]  # what version 0.1.0 did, too
    with patch("novikoff.cli.options.PATIENCE", math.inf):  # what is said depends on the clock
        yield "novikoff fit", walk(lambda: CliRunner().invoke(app, ["fit", str(table), "--target", "y", *learning]))
    points = [[*row.tolist(), int(label)] for row, label in zip(X[:, :2], X[:, 0] > X[:, 1], strict=True)]
    yield "lab request", walk(lambda: run({"points": points, "learner": "perceptron", "params": {}}))
    yield "fit_stream", walk(lambda: fit_stream(Perceptron(), str(table), "y"))


BEFORE = {"fit": 41, "certify": 50, "novikoff fit": 94, "lab request": 125, "fit_stream": 72}
"""Changes of module among first entries in version 0.1.0, of which at most half are allowed."""
ALLOWED = {"novikoff fit": 1.1}
"""The part of them that is allowed where it is another: fit calibrates, measures more and speaks two languages."""


def print_walks(verbose: bool) -> None:
    """How far each way goes."""
    with tempfile.TemporaryDirectory() as folder:
        print(f"\n{'walk':14} {'calls':>6} {'functions':>10} {'modules':>8} {'changes of module':>18} {'0.1.0':>6}")
        for name, walked in walks(Path(folder)):
            counts = f"{walked.calls:6} {len(walked.entered):10} {len(walked.modules()):8} {walked.changes():18}"
            print(f"{name:14} {counts} {BEFORE[name]:6}")
            if verbose:
                for path, function in walked.entered:
                    print(f"    {Path(path).relative_to(SOURCE)!s:34} {function}")


if __name__ == "__main__":
    asked = sys.argv[1:]
    if not asked or "graph" in asked:
        print_graph()
    if not asked or "walks" in asked:
        print_walks("verbose" in asked)
