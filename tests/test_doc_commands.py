"""Every command line of README.md and docs/ runs, on small files made here, or is listed below with why it does not.

The Chinese pages have the command lines of the English ones, as tests/test_languages.py sees to.
"""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import novikoff.certificates.check as checker
from novikoff.certificates import verified
from novikoff.cli import app
from novikoff.course.exercise_texts import EXERCISES

ROOT = Path(__file__).parents[1]
PAGES = sorted(page for page in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")] if not page.name.endswith(".zh.md"))
PROGRAMS = ("novikoff", "python", "python3", "pip", "make")
NOT_RUN = {
    "pip install": "it installs packages",
    "make ": "tests/test_package.py and tests/test_docs.py run what these do, and make test runs this",
    "python3 -m venv": "it makes an environment",
    "novikoff lab": "it serves until it is stopped; tests/test_lab.py starts it",
    "novikoff course": "it runs all claims; tests/test_course.py does",
}
"""Lines that begin so are not run here, and why."""


def lines_of(page):
    """The command lines of a page: the indented ones, without comments."""
    lines = re.findall(rf"^ {{4}}((?:{'|'.join(PROGRAMS)}) .*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [line.partition("  #")[0].strip() for line in lines]


def runs(line):
    return not any(line.startswith(begin) for begin in NOT_RUN)


WITH_COMMANDS = [page for page in PAGES if any(map(runs, lines_of(page)))]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with all files that the pages speak of."""
    random, k = np.random.default_rng(0), np.arange(60)
    x, z = random.normal(size=(2, 60)).round(2)
    y = np.where(x + z > 0.1, "yes", "no")
    frame = pd.DataFrame({"x": x, "z": z, "noise": random.normal(size=60).round(2)})
    for name in ("y", "label", "died"):
        frame[name] = y
    frame.to_csv(tmp_path / "data.csv", index=False)
    frame.drop(columns="label").to_csv(tmp_path / "new.csv", index=False)
    trial = pd.DataFrame({"age": 40 + k % 23, "ward": np.where(k % 3, "A", "B"), "died": np.where(k % 2, "yes", "no")})
    trial.to_csv(tmp_path / "trial.csv", index=False)
    pd.DataFrame({"age": 40 + k % 23, "calls": k % 4}).to_csv(tmp_path / "calls.csv", index=False)
    (tmp_path / "logs").mkdir()
    (tmp_path / "scratch").mkdir()
    clicks = pd.DataFrame({"seen": x, "time": z, "clicked": (x > 0).astype(int)})
    clicks.to_parquet(tmp_path / "clicks.parquet")
    for part in (1, 2):
        clicks.to_parquet(tmp_path / "logs" / f"{part}.parquet")
        pd.DataFrame({"x": x, "z": z, "label": y}).to_csv(tmp_path / "logs" / f"{part}.csv", index=False)
    shutil.copy(checker.__file__, tmp_path / "check.py")
    (tmp_path / "answer.py").write_text(EXERCISES[8].solution)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def penguins(new):
    """Penguins, made up; some values are missing, as in the real ones."""
    random, k = np.random.default_rng(1), np.arange(90)
    kind = k % 3
    frame = pd.DataFrame(
        {
            "species": np.array(["Adelie", "Chinstrap", "Gentoo"])[kind],
            "island": np.array(["Biscoe", "Dream"])[k % 2],
            "bill_length_mm": (38 + 5 * kind + random.normal(size=90)).round(1),
            "bill_depth_mm": (18 - 2 * (kind == 2) + random.normal(size=90)).round(1),
            "sex": np.where(k % 2, "male", "female"),
        }
    )
    frame.loc[[3, 40], ["bill_length_mm", "sex"]] = None
    return frame.drop(columns="species") if new else frame


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.name)
def test_every_command_line_of_the_documentation_runs(folder, page):
    lines = list(filter(runs, lines_of(page)))
    if any("penguins" in line for line in lines):
        penguins(new=False).to_csv(folder / "penguins.csv", index=False)
        penguins(new=True).to_csv(folder / "new.csv", index=False)
    made = "proof.json" in " ".join(lines) and not any("-o proof.json" in line for line in lines)
    if made:  # the page speaks of a proof that another made
        assert CliRunner().invoke(app, ["certify", "data.csv", "--target", "y", "-o", "proof.json"]).exit_code == 0
    for line in lines:
        if "--verified" in line and verified.program() is None:
            pytest.skip(verified.NOT_BUILT)
        program, *words = shlex.split(re.sub(r"\[.*?\]", "", line).replace("/scratch", "scratch"))
        if program == "python":
            found = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
            assert found.returncode == 0, (line, found.stdout, found.stderr)
            continue
        found = CliRunner().invoke(app, words)
        allowed = (0, 1) if words[0] == "separation" else (0,)
        assert found.exit_code in allowed, (line, found.exit_code, found.stderr)


def test_what_is_not_run_is_in_the_documentation():
    every = [line for page in PAGES for line in lines_of(page)]
    for begin in NOT_RUN:
        assert any(line.startswith(begin) for line in every), begin
