"""Adding a learner touches its own file, the rule, the table and texts, as CONTRIBUTING.md says, and nothing else.

A copy of the package is given a toy learner in this way, and toy_checks.py asks of it what other learners can do.
"""

import os
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

import novikoff

ROOT = Path(__file__).parents[1]
PACKAGE = Path(novikoff.__file__).parent
TOUCHED = {
    "learners/toy.py",
    "passes/rules.py",
    "registry.py",
    "lab/static/texts/en.json",
    "lab/static/texts/zh.json",
}

RULE = '''class Halved(namedtuple("Halved", "part")):
    """While y·(w·x) ≤ 0, w ← w + part·y·x.  At most r²/ρ² updates, as steps of one length only scale w."""

    own_steps = False
    ends = True
    needs_norm = False
    needs_row_margin = False
    second_order = False
    required_margin = 0.0

    @staticmethod
    def threshold(rule, ledger):
        return 0.0

    fires = Plain.fires

    @staticmethod
    def step(rule, ledger, rows, i, row_margin, weight, stretch):
        return rule.part * weight

    def mistake_bound(self, radius: float, margin: float, facts: Facts) -> float:
        """That of Novikoff; infinite after a warm start."""
        return bounds.novikoff(radius, margin, 0.0, facts.lightest, facts.heaviest) if not facts.start else np.inf


'''
LEARNER = '''"""A toy: the perceptron with half steps."""

from ..passes.rules import Halved, Rule
from .base import LinearLearner


class ToyPerceptron(LinearLearner):
    """While y·(w·x) ≤ 0, w ← w + ½·y·x."""

    def _rule(self) -> Rule:
        return Halved(0.5)
'''
FOR_TYPE_CHECKERS = "    from .learners.toy import ToyPerceptron as ToyPerceptron\n"
ENTRY = """    LearnerEntry(
        "ToyPerceptron", "toy", "learners.toy", streams=True, audit="novikoff", lab={"max_iter": 100}
    ),
"""


def write_before(path, mark, text):
    """Put a text before the first place where a file has the mark."""
    old = path.read_text(encoding="utf-8")
    assert mark in old, f"{path} has no {mark!r}"
    path.write_text(old.replace(mark, text + mark, 1), encoding="utf-8")


def add_toy_learner(package):
    """The steps of CONTRIBUTING.md, "How to add a learner", that are in the package."""
    write_before(package / "passes" / "rules.py", "Rule = Plain | ", RULE)
    write_before(package / "passes" / "rules.py", "Plain | FixedMargin", "Halved | ")
    (package / "learners" / "toy.py").write_text(LEARNER, encoding="utf-8")
    write_before(package / "registry.py", "    from .learners.voted import", FOR_TYPE_CHECKERS)
    write_before(package / "registry.py", '    LearnerEntry("MultilayerPerceptron"', ENTRY)
    for language, name in {"en": "toy", "zh": "玩具"}.items():
        texts = package / "lab" / "static" / "texts" / f"{language}.json"
        write_before(texts, '  "learner-mlp"', f'  "learner-toy": "{name}",\n')


def files(package):
    """The files of a package and what they hold; none that Python wrote itself."""
    paths = (path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(package).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.skipif("NOVIKOFF_LONG" not in os.environ, reason="takes long: make test-long")
def test_a_learner_touches_its_file_the_rule_the_table_and_texts(tmp_path):
    house = tmp_path / "novikoff"
    shutil.copytree(PACKAGE, house, ignore=shutil.ignore_patterns("__pycache__"))
    add_toy_learner(house)
    assert {name for name, _ in files(house).items() ^ files(PACKAGE).items()} == TOUCHED
    checks = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", str(Path(__file__).with_name("toy_checks.py"))]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "compiled")}
    result = subprocess.run(
        [sys.executable, *checks], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_contributing_says_so():
    steps = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## How to add a learner")[1].split("\n## ")[0]
    places = re.findall(r"`([\w/]*[\w*/]\.?\w*)`", steps)
    for name in TOUCHED:
        assert any(fnmatch(name, f"{place}*" if place.endswith("/") else place) for place in places), name
    assert "nothing else" in steps
