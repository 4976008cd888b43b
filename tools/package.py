"""The package as it would be published: built, checked, and used from its wheel alone.

``python tools/package.py`` builds the source distribution and the wheel into dist/, has twine and check-wheel-contents
look at them, installs the wheel in an environment of its own, and there runs the command and some of the tests, far
from src/.  ``--suite`` brings the extras too, and runs all tests but those of the tree of sources; names of tests after
it, as in ``--suite cli proofs``, choose among them.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from fresh import SMOKE

ROOT = Path(__file__).resolve().parents[1]
TESTS = ("conftest.py", "oracle.py", "reference.py", "strategies.py", "test_gallery.py", "test_hostile_files.py")
"""Tests, and what they import, that need neither the sources nor an extra."""
OF_SOURCES = ("layers",)
"""Tests of src/ as a tree, and of nothing that is installed."""
QUOTING = (
    "docs.py::test_the_links_of_the_chain_have_the_lines_that_are_stated",
    "docs.py::test_the_heart_of_the_checker_is_quoted_as_it_is",
    "docs.py::test_what_is_believed_of_the_second_checker_is_small",
    "guards.py::test_every_mutant_changes_one_place_that_is_there",
)
"""Tests that read the lines of src/."""


def run(*command: object, where: Path = ROOT) -> None:
    """Run a command, without this environment's path to the sources, and end all if it fails."""
    variables = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | {"LANG": "C"}
    print("package:", *(str(part)[:80] for part in command[:5]), flush=True)
    if subprocess.run(list(map(str, command)), cwd=where, env=variables, check=False).returncode:
        sys.exit(f"package: {command[0]} failed")


def build(folder: Path) -> tuple[Path, Path]:
    """The source distribution, and the wheel made of it."""
    shutil.rmtree(folder, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", folder)
    (archive,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    run(sys.executable, "-m", "twine", "check", "--strict", archive, wheel)
    run(sys.executable, "-m", "check_wheel_contents", wheel)
    return archive, wheel


def use(archive: Path, wheel: Path, suite: list[str] | None) -> None:
    """Install the wheel and use it; the tests come out of the source distribution."""
    with tempfile.TemporaryDirectory(prefix="novikoff-package-") as name:
        folder = Path(name)
        run(sys.executable, "-m", "uv", "venv", "--quiet", "--python", sys.executable, folder / "venv")
        python = next(path for path in (folder / "venv").glob("*/python*") if path.stem == "python")
        lock = ROOT / "requirements" / "all.lock"
        install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", python, "--constraint", lock]
        run(*install, wheel)
        run(python, "-c", SMOKE, where=folder)
        run(python, "-m", "novikoff", "--version", where=folder)
        run(*install, "pytest", "hypothesis")
        with tarfile.open(archive) as sources:
            sources.extractall(folder / "sources", filter="data")
        (top,) = (folder / "sources").iterdir()
        shutil.rmtree(top / "src")
        run(python, "-m", "pytest", "-q", "-o", "addopts=", *(top / "tests" / name for name in TESTS[4:]), where=folder)
        if suite is not None:
            run(*install, f"novikoff[test] @ {wheel.as_uri()}")
            run_suite(python, top, suite)


def run_suite(python: Path, top: Path, names: list[str]) -> None:
    """Run these tests, or all but those of a browser, beside the installed package."""
    chosen = [f"tests/test_{name}.py" for name in names] or ["tests", "--ignore-glob", "tests/test_lab_browser*.py"]
    without = [f"--ignore=tests/test_{name}.py" for name in OF_SOURCES]
    without += [f"--deselect=tests/test_{name}" for name in QUOTING]
    run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "auto", *chosen, *without, where=top)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--suite", nargs="*", metavar="NAME", help="the tests of these names, or of all, with all extras"
    )
    use(*build(ROOT / "dist"), parser.parse_args().suite)
    print("package: the wheel works alone; dist/ is ready")


if __name__ == "__main__":
    main()
