"""The project on a stranger's machine: nothing but Python, make and a package registry.

``python tools/fresh.py`` copies the project's files to a new folder and runs ``make demo`` there without the caller's
environment: a PATH of a few programs (no compiler, browser or Coq), an empty home, LANG=C and no terminal; then it uses
the command with the package and the home read-only.  ``--suite`` runs ``make test`` there too.  Fonts and writable
folders are hidden by a mount namespace (unshare) where the machine allows one; what could not be hidden is said.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ("sh", "make", "env", "touch", "rm", "find", "mount", "uname", "git")
HIDDEN = ("/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/texmf/fonts")
KEPT = ("PIP_", "PYTEST_", "UV_", "SSL_CERT", "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
"""The beginnings of variables that stay: the registry may be out of reach without them; options of pytest."""
SMOKE = """
import os
from pathlib import Path
from typer.testing import CliRunner
import novikoff
from novikoff import Perceptron, datasets
from novikoff.cli import app

package = Path(novikoff.__file__).parent
for folder in (package, Path.home()):
    if os.access(folder, os.W_OK):
        print(f"note: {folder} can be written here")
assert Perceptron().fit(*datasets.logic_gate("xor")).status_ == "inseparable"
table = datasets.fetch("endometrial").filename
for call in (["separation", table, "-t", "HG"], ["certify", table, "-t", "HG", "-o", "proof.json"],
             ["check", "proof.json", table, "-t", "HG"], ["fit", table, "-t", "HG", "-o", "m.nvk"],
             ["predict", "m.nvk", table, "-o", "out.csv"], ["course", "--help"]):
    result = CliRunner().invoke(app, call)
    assert result.exit_code == (call[0] == "separation"), (call, result.output)  # which is 1 if an estimate is infinite
print("smoke: fit, certify, check, separation and predict are done; LANG is", os.environ["LANG"])
"""


def tracked_files() -> list[str]:
    """The files that a stranger gets."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode == 0:
        return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
    left_out = {".venv", "site", "build", "dist", ".git", "__pycache__"}
    files = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
    return [str(path) for path in files if not left_out & set(path.parts)]


def copy_project(folder: Path) -> None:
    """The tracked files, in a new folder."""
    for name in tracked_files():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
        shutil.copymode(ROOT / name, folder / name)


def environment(place: Path, python: str) -> dict[str, str]:
    """A PATH of a few programs, an empty home, and what the registry needs."""
    programs, home, temporary = place / "bin", place / "home", place / "tmp"
    for folder in (programs, home, temporary):
        folder.mkdir()
    for name in PROGRAMS:
        if found := shutil.which(name):
            (programs / name).symlink_to(found)
    (programs / "python3").symlink_to(python)
    kept = {key: value for key, value in os.environ.items() if key.startswith(KEPT)}
    return kept | {"PATH": str(programs), "HOME": str(home), "LANG": "C", "TMPDIR": str(temporary)}


def may_unshare() -> bool:
    """Whether this machine gives us mounts of our own."""
    program = shutil.which("unshare")
    return (
        bool(program)
        and subprocess.run([program, "--map-root-user", "--mount", "true"], capture_output=True).returncode == 0
    )


def hidden(command: list[str], read_only: list[Path]) -> list[str]:
    """A command with fonts hidden and some folders read-only, where that may be."""
    if not may_unshare():
        return command
    folders = [folder for folder in HIDDEN if Path(folder).is_dir()]
    lines = [f"mount -t tmpfs none {folder}" for folder in folders]
    for folder in read_only:
        lines += [f"mount --bind {folder} {folder}", f"mount -o remount,ro,bind {folder}"]
    script = " && ".join([*lines, 'exec "$@"'])
    unshare = shutil.which("unshare") or ""
    return [unshare, "--map-root-user", "--mount", shutil.which("sh") or "sh", "-c", script, "sh", *command]


def run(
    command: list[str], place: Path, variables: dict[str, str], read_only: tuple[str, ...] = (), where: str = "project"
) -> str:
    """Run a command there without a terminal, show what it prints, and end all if it fails."""
    start, cpu = time.perf_counter(), cpu_seconds()
    result = subprocess.run(
        hidden(command, [place / name for name in read_only]),
        cwd=place / where,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,  # no terminal, not even by /dev/tty
    )
    text = result.stdout.decode(errors="replace")
    print("\n".join(line for line in text.splitlines() if not line.startswith("WARNING: ")))
    seconds, busy = time.perf_counter() - start, cpu_seconds() - cpu
    print(f"fresh: {' '.join(command)[:60]!r} took {seconds:.0f} s, {busy:.0f} s of it of one core", flush=True)
    if result.returncode:
        sys.exit(f"fresh: it failed with exit code {result.returncode}")
    return text


def cpu_seconds() -> float:
    """The time that processes started here have kept a core busy."""
    times = os.times()
    return times.children_user + times.children_system


def check_page(text: str) -> None:
    """The demo ends with a page, which is there and whole."""
    page = Path(text.rsplit("Open ", 1)[1].split(" in a browser")[0].strip())
    html = page.read_text(encoding="utf-8")
    if not all(part in html for part in ("How good it is", "Do the classes separate?", "<svg", "</html>")):
        sys.exit(f"fresh: {page} is not a page worth opening")
    print(f"fresh: the page has {len(html) // 1000} kB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", action="store_true", help="run make test there too")
    parser.add_argument("--seconds", type=float, help="fail if make demo takes longer")
    options = parser.parse_args()
    python = str(Path(sys.executable).resolve())
    if not may_unshare():
        print("fresh: no mount namespace on this machine: fonts are not hidden, folders not read-only")
    with tempfile.TemporaryDirectory(prefix="novikoff-fresh-") as name:
        place = Path(name)
        variables = environment(place, python)
        copy_project(place / "project")
        start = time.perf_counter()
        check_page(run(["make", "demo"], place, variables))
        seconds = time.perf_counter() - start
        if options.seconds and seconds > options.seconds:
            sys.exit(f"fresh: make demo took {seconds:.0f} s, more than {options.seconds:g}")
        (place / "elsewhere").mkdir()
        smoke = [str(place / "project" / ".venv" / "bin" / "python"), "-c", SMOKE]
        run(smoke, place, variables, ("project/src", "home"), "elsewhere")
        if options.suite:
            run(["make", "test"], place, variables, ("home",))


if __name__ == "__main__":
    main()
