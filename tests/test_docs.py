"""The examples run; the code in README.md and docs/ runs as doctests."""

from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_the_demo_runs(capsys):
    exec((EXAMPLES / "demo.py").read_text(encoding="utf-8"), {"__name__": "__main__"})
    text = capsys.readouterr().out
    assert "quasi-separable" in text
    assert "accepted: separable" in text
    assert "cancer-report.html" in text
