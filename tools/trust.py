"""What an answer rests on, link by link, with its size in lines: python tools/trust.py.

docs/trust.md has these numbers, and tests/test_docs.py holds the two together.
"""

from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHECK = "src/novikoff/certificates/check.py"
PARTS = (
    "# The heart",
    "# The answer",
    "# The claim",
    "# The question",
    "# The rows",
    "# The same, faster",
    "class Gram:",
    "# Regressions",
    "# Fewest errors",
    "# The table",
)
"""Where the parts of check.py begin."""
WRITTEN = "src/novikoff/certificates/whole_text.py"
WRITTEN_PARTS = ("# Numbers", "# Regressions", "# Fewest errors")
"""Where it begins to write rows and planes, regressions, and fewest errors."""
COQ = (
    *("Checker", "Novikoff", "Soundness", "Separation", "SeparationSoundness", "Errors", "ErrorsSoundness"),
    *("Reader", "TextSoundness"),
)


def lines_of(path: str) -> list[str]:
    """The lines of a file that are not blank."""
    return [line for line in (ROOT / path).read_text(encoding="utf-8").splitlines() if line.strip()]


def parts_of(path: str, marks: Sequence[str]) -> list[int]:
    """Lines of a file from one heading to the next, the last to its end."""
    lines = lines_of(path)
    begin = [next(k for k, line in enumerate(lines) if line.startswith(mark)) for mark in marks]
    return [end - start for start, end in zip(begin, [*begin[1:], len(lines)], strict=True)]


def links() -> dict[str, int]:
    """The links of the chain, and their lines."""
    heart, answer, claim, question, rows, faster, kernel, regression, errors, table = parts_of(CHECK, PARTS)
    planes, regressions, fewest = parts_of(WRITTEN, WRITTEN_PARTS)
    return {
        "heart": heart,
        "table": table,
        "claim": claim,
        "question": answer + question,
        "rows": rows,
        "faster": faster,
        "kernel": kernel,
        "regression": regression,
        "errors": errors,
        "planes written": planes,
        "regressions written": regressions,
        "errors written": fewest,
        "main": len(lines_of("verified/main.ml")) + len(lines_of("verified/whole.ml")),
        "text": len(lines_of("verified/Text.v")),
        "meaning": len(lines_of("verified/Meaning.v")),
        "coq": sum(len(lines_of(f"verified/{name}.v")) for name in COQ),
    }


if __name__ == "__main__":
    for link, count in links().items():
        print(f"{link:20} {count:4}")
