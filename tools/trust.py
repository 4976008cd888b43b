"""What an answer rests on, link by link, with its size in lines: python tools/trust.py.

docs/trust.md has these numbers, and tests/test_docs.py holds the two together.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHECK = "src/novikoff/certificates/check.py"
PARTS = (
    "# The claim",
    "# The question",
    "# The rows",
    "# The verifiers",
    "class Gram:",
    "# Regressions",
    "# Fewest errors",
    "# The table",
)
"""Where the parts of check.py begin."""
COQ = ("Checker", "Novikoff", "Soundness", "Separation", "SeparationSoundness")


def lines_of(path: str) -> list[str]:
    """The lines of a file that are not blank."""
    return [line for line in (ROOT / path).read_text(encoding="utf-8").splitlines() if line.strip()]


def parts_of_check() -> list[int]:
    """Lines of check.py from one heading to the next, the last to its end."""
    lines = lines_of(CHECK)
    begin = [next(k for k, line in enumerate(lines) if line.startswith(mark)) for mark in PARTS]
    return [end - start for start, end in zip(begin, [*begin[1:], len(lines)], strict=True)]


def links() -> dict[str, int]:
    """The links of the chain, and their lines."""
    claim, question, rows, linear, kernel, regression, errors, table = parts_of_check()
    return {
        "table": table,
        "claim": claim,
        "question": question,
        "rows": rows,
        "linear": linear,
        "kernel": kernel,
        "regression": regression,
        "errors": errors,
        "text": len(lines_of("src/novikoff/certificates/verified.py")),
        "main": len(lines_of("verified/main.ml")),
        "meaning": len(lines_of("verified/Meaning.v")),
        "coq": sum(len(lines_of(f"verified/{name}.v")) for name in COQ),
    }


if __name__ == "__main__":
    for link, count in links().items():
        print(f"{link:10} {count:4}")
