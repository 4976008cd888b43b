"""The tests on every Python of this machine, with the oldest allowed, the locked and the newest dependencies.

``python tools/matrix.py [oldest|locked|newest ...]`` runs a subset that meets every dependency; ``--suite`` runs all.
Pythons are those of pyenv, and those that uv finds (its own, the system's); dependencies come as wheels only.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
EXTRAS = ("plot", "lab", "stats")
TOOLS = (
    "pytest>=8.2",
    "pytest-xdist>=3.6",
    "hypothesis>=6.100",
    "httpx>=0.27",
    "statsmodels>=0.14",
    "firthmodels>=0.8",
)
TOOLS += ("z3-solver>=4.13",)
SUBSET = (
    "cli",
    "gallery",
    "imports",
    "inputs",
    "kernel",
    "lab",
    "perceptron",
    "plot",
    "proofs",
    "readers",
    "separation",
)
LENIENT = [
    "-W",
    "default::DeprecationWarning",
    "-W",
    "default::PendingDeprecationWarning",
    "-W",
    "default::FutureWarning",
]
"""An old library that says that something in a newer one will go is no fault of ours."""
FRAMES = {"oldest": "polars>=1.0,<2", "locked": "polars>=1.0", "newest": "polars>=1.0"}
"""scikit-learn before 1.8 does not know the frames of polars 2."""
RESOLUTIONS = {
    "oldest": ["--resolution", "lowest-direct"],
    "locked": ["--constraint", str(ROOT / "requirements" / "all.lock")],
    "newest": ["--upgrade"],
}


def uv(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "uv", *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=False
    )


def find_python(version: str) -> str | None:
    """An interpreter of this version: the newest of pyenv, which uv sees as far as it is chosen, or what uv finds."""
    folder = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    if names := sorted(folder.glob(f"{version}.*"), key=lambda path: int(re.sub(r"\D.*", "", path.name.split(".")[2]))):
        return str(names[-1] / "bin" / "python")
    found = uv("python", "find", "--no-python-downloads", version)
    return found.stdout.strip() if found.returncode == 0 else None


def make_environment(folder: Path, python: str, resolution: str) -> str | None:
    """An environment with these dependencies; what went wrong, if it did."""
    install, installed = ("pip", "install", "--quiet", "--python", folder), folder.with_suffix(".txt")
    wheels = (*install, "--only-binary", ":all:")
    steps = [
        uv("venv", "--quiet", "--python", python, folder),
        uv(*wheels, *RESOLUTIONS[resolution], "-r", "pyproject.toml", *(f"--extra={name}" for name in EXTRAS)),
        uv(*install, "--no-deps", "-e", "."),
    ]
    # Tools come after, so that only our own bounds go down; one that wants more of what is tested shows a wrong bound.
    installed.write_text(uv("pip", "freeze", "--exclude-editable", "--python", folder).stdout)
    steps.append(uv(*wheels, "--constraint", installed, *TOOLS, FRAMES[resolution]))
    return next((step.stderr.strip()[-2000:] for step in steps if step.returncode), None)


def run_tests(folder: Path, resolution: str, suite: bool) -> int:
    """The exit code of pytest there."""
    python = next(path for path in folder.glob("*/python*") if path.stem == "python")
    tests = [] if suite else [f"tests/test_{name}.py" for name in SUBSET]
    lenient = [] if resolution == "locked" else LENIENT
    variables = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    variables["NUMBA_CACHE_DIR"] = str(folder / "numba")
    command = [str(python), "-m", "pytest", "-q", "-n", "auto", "-p", "no:cacheprovider", *lenient, *tests]
    return subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="*", default=[*RESOLUTIONS], metavar="|".join(RESOLUTIONS))
    parser.add_argument("--python", action="append", help="only this one, as 3.12; may be given again")
    parser.add_argument("--suite", action="store_true", help="the whole suite")
    options = parser.parse_args()
    results = {}
    for python in options.python or PYTHONS:
        found = find_python(python)
        for resolution in options.versions if found else []:
            with tempfile.TemporaryDirectory(prefix="novikoff-matrix-") as name:
                problem = make_environment(Path(name) / "venv", str(found), resolution)
                code = None if problem else run_tests(Path(name) / "venv", resolution, options.suite)
            results[python, resolution] = problem or ("passed" if code == 0 else "FAILED")
        if not found:
            results[python, "any"] = "not on this machine"
    for (python, resolution), result in results.items():
        print(f"matrix: Python {python}, {resolution}: {result}")
    sys.exit(any(result not in ("passed", "not on this machine") for result in results.values()))


if __name__ == "__main__":
    main()
