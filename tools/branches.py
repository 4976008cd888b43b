"""The branches of the core that tests take, folder by folder, and those that none takes.

``python tools/branches.py FILE...`` puts the data of several runs together (``make coverage``: the suite, and some of
it with the passes as plain Python), prints a table, and fails where a part of the core has fewer than 95 % of its
branches taken.
"""

import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from coverage import Coverage

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
from origin import origin

ROOT = Path(__file__).resolve().parents[1]
CORE = ("passes", "training", "exact", "certificates", "proofs", "bounds.py")
LEAST = 95.0
Report = dict[str, Any]


def report_of(paths: list[str]) -> Report:
    """What coverage.py knows of every file, from the data of all runs."""
    with tempfile.TemporaryDirectory(prefix="novikoff-branches-") as folder:
        measured = Coverage(data_file=f"{folder}/all", config_file=str(ROOT / "pyproject.toml"))
        measured.combine(paths, keep=True)
        measured.json_report(outfile=f"{folder}/report.json")
        return json.loads(Path(folder, "report.json").read_text())["files"]


def part_of(path: str) -> str:
    """The part of the core that a file belongs to."""
    inside = Path(path).parts[Path(path).parts.index("novikoff") + 1 :]
    return inside[0]


def show(files: Report) -> dict[str, float]:
    """Print the branches that no test takes, and the table; the percentages of the parts."""
    taken: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for path, file in sorted(files.items()):
        summary, part = file["summary"], taken[part_of(path)]
        part[0] += summary["covered_branches"]
        part[1] += summary["num_branches"]
        if missing := file["missing_branches"]:
            arrows = ", ".join(f"{a}→{b if b > 0 else 'end'}" for a, b in missing)
            print(f"{'/'.join(Path(path).parts[-2:])}: not taken: {arrows}")
    print()
    print(origin())
    print()
    print("| part | branches | taken by tests |\n|---|---|---|")
    percent = {part: 100 * taken[part][0] / max(taken[part][1], 1) for part in CORE}
    for part, share in percent.items():
        print(f"| `{part}` | {taken[part][1]} | {share:.1f} % |")
    return percent


def main() -> None:
    short = [part for part, share in show(report_of(sys.argv[1:])).items() if share < LEAST]
    if short:
        sys.exit(f"branches: less than {LEAST:g} % of {', '.join(short)}")


if __name__ == "__main__":
    main()
