"""scikit-learn's own tests of Perceptron, PassiveAggressive and SGD, with our learners in the place of its own."""

import functools
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import pytest
import sklearn
from sklearn_differences import DIFFERENCES, VERSION, table

TESTS = Path(sklearn.__file__).parent / "linear_model" / "tests"
FILES = [TESTS / f"test_{name}.py" for name in ("perceptron", "passive_aggressive", "sgd")]
DOCS = Path(__file__).parents[1] / "docs"

pytestmark = [
    pytest.mark.skipif("NOVIKOFF_LONG" not in os.environ, reason="takes long: make test-long"),
    pytest.mark.skipif(
        sklearn.__version__ != VERSION,
        reason=f"THE TABLE OF DIFFERENCES IS THAT OF SCIKIT-LEARN {VERSION}, AND {sklearn.__version__} IS INSTALLED",
    ),
    pytest.mark.skipif(
        not all(file.exists() for file in FILES), reason="SCIKIT-LEARN IS INSTALLED WITHOUT ITS TESTS: NOT RUN"
    ),
]


@functools.cache
def substituted() -> dict[str, str]:
    """What became of every test that made one of our learners: {test: "passed", "failed" or "skipped"}."""
    here = Path(__file__).parent
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder, "results.json")
        paths = os.pathsep.join(map(str, (here.parent / "src", here, *filter(None, [os.environ.get("PYTHONPATH")]))))
        settings = {**os.environ, "PYTHONPATH": paths, "NOVIKOFF_SUBSTITUTED": str(results)}
        options = ["-p", "sklearn_substitutes", "-p", "no:cacheprovider", "-p", "no:randomly", "-c", os.devnull]
        command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-W", "ignore", *options, "--rootdir", str(TESTS)]
        run = subprocess.run(
            [*command, *map(str, FILES)], cwd=folder, env=settings, capture_output=True, text=True, check=False
        )
        assert results.exists(), run.stdout + run.stderr
        return {test: outcome for test, (outcome, _) in json.loads(results.read_text()).items()}


def failures(results: dict[str, str]) -> list[str]:
    return [test for test, outcome in results.items() if outcome == "failed"]


def test_every_failure_is_a_known_difference():
    results = substituted()
    failed = failures(results)
    assert len(results) > 250
    assert [test for test in failed if sum(d.explains(test) for d in DIFFERENCES) != 1] == []
    passed = [test for test in results if results[test] == "passed"]
    assert [test for test in passed if any(d.explains(test) for d in DIFFERENCES)] == []
    named = {name for difference in DIFFERENCES for name in difference.tests}
    assert named == {test.partition("[")[0] for test in failed}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_documentation_has_the_table(language):
    failed = Counter(test.partition("[")[0] for test in failures(substituted()))
    page = (DOCS / ("differences.md" if language == "en" else "differences.zh.md")).read_text()
    assert table(language, failed) in page
    results = substituted()
    assert f"{len(results)}" in page
    assert f"{len(results) - len(failures(results))}" in page
