"""What models and proofs remember of the file they were made of, so that nobody needs to be told again.

The standard library only, since proofs are checked by it.
"""

import csv
import io
import json
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from ..data.open_files import Reading, open_table

FIRST_ROWS = 1000
"""Rows in which a class that a proof names is looked for, to know which column holds the classes."""


def kept_reading(reading: Reading) -> dict[str, Any]:
    """How a file was read, as far as it was said; as JSON has it."""
    usual = asdict(Reading())
    return {name: value for name, value in asdict(reading).items() if value != usual[name]}


def remembered_reading(notes: Any, **given: Any) -> Reading:
    """How a file is to be read, as a model's notes say; what is given now takes precedence."""
    kept = notes.get("reading", {}) if isinstance(notes, dict) else {}
    known = {field.name for field in fields(Reading)}
    right = {name: value for name, value in kept.items() if name in known} if isinstance(kept, dict) else {}
    right = {name: tuple(value) if isinstance(value, list) else value for name, value in right.items()}
    return replace(Reading(**right), **given)


class ProofQuestion(NamedTuple):
    """The columns that a proof speaks of: which holds the classes, which are categories, and which are left out."""

    target: str
    categorical: list[str]
    drop: list[str]
    reading: Reading


def remembered_question(proof: Path, data: Any, reading: Reading) -> ProofQuestion | None:
    """What a proof says of the columns of a CSV file by the names that it has of them; None where it does not tell."""
    claim = first_claim(proof)
    names = claim.get("names")
    if not isinstance(names, list) or str(data) == "-":
        return None
    for way in (reading, replace(reading, header=False)):
        if (question := columns_of_claim(claim, names, data, way)) is not None:
            return question
    return None


def first_claim(proof: Path) -> dict[str, Any]:
    """The first proof of a file; nothing if it cannot be read, which the checker says."""
    try:
        claims = json.loads(proof.read_text(encoding="utf-8"))
    except (ValueError, RecursionError, OSError):
        return {}
    claim = claims[0] if isinstance(claims, list) and claims else claims
    return claim if isinstance(claim, dict) and claim.get("format") == "novikoff certificate" else {}


def rows_of_claim(proof: Path) -> int | None:
    """How many rows a proof speaks of; None where it does not tell."""
    data = first_claim(proof).get("data")
    rows = data.get("rows") if isinstance(data, dict) else None
    return rows if isinstance(rows, int) else None


def columns_of_claim(claim: dict[str, Any], names: list[Any], data: Any, reading: Reading) -> ProofQuestion | None:
    """The question about the columns of a file that is read in one way; None if its names are others."""
    file, sheet = open_table(data, reading)
    file.file.close()
    if sheet is None:
        return None
    kinds = {column: kind_in(names, column) for column in sheet.columns}
    rest = [column for column, kind in kinds.items() if not kind]
    spoken_of = [name for name in names if name in kinds or any(str(name).startswith(f"{c} = ") for c in kinds)]
    if len(spoken_of) < len(names) or not rest:
        return None
    if len(rest) > 1:
        text = file.head.decode(sheet.encoding, errors="replace")
        rows = list(csv.reader(io.StringIO(text), delimiter=sheet.delimiter))[sheet.skipped :][:FIRST_ROWS]
        rest.sort(key=lambda column: not holds(rows, sheet.columns.index(column), claim.get("positive")))
        if not holds(rows, sheet.columns.index(rest[0]), claim.get("positive")):
            return None
        if holds(rows, sheet.columns.index(rest[1]), claim.get("positive")):
            return None  # two columns might be the one
    categories = [column for column, kind in kinds.items() if kind == "category"]
    return ProofQuestion(rest[0], categories, rest[1:], reading)


def kind_in(names: list[Any], column: str) -> str:
    """What a column is by the names of a proof: a number, a category, or nothing."""
    if column in names:
        return "number"
    return "category" if any(str(name).startswith(f"{column} = ") for name in names) else ""


def holds(rows: list[list[str]], place: int, label: Any) -> bool:
    """Whether a column has a label among these rows."""
    return any(len(row) > place and row[place].strip() == label for row in rows)
