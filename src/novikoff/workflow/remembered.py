"""What models and proofs remember of the file they were made of, so that nobody needs to be told again.

The standard library only, since proofs are checked by it.
"""

import csv
import io
import re
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from ..certificates.check import common_reading
from ..certificates.stored_proof import claims_in
from ..data.open_files import Reading, files_named, open_file, open_table, split_names
from ..errors import InputError, shown

USUAL = (",", "utf-8", "utf-8-sig")
"""What stands between cells, and the encoding, where a proof says nothing of them."""
QUOTED = re.compile("`[^`]*`")
"""A name in a formula that is no word."""
KNOWN = re.compile(r"\b(?:C|log|exp)\(\s*\w+\s*\)")
"""What a formula may call of one name."""
SIGNS = re.compile(r"[\w\s+*:^/().-]*")
CALLED = re.compile(r"\w\s*\(|[\w)]\s*\.|\.\s*\w")
"""In a formula, what only has names, numbers and signs, and what of that is a call or an attribute."""
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


def reading_for_proof(data: str, reading: Reading, **columns: Any) -> dict[str, Any]:
    """What a proof says of how its file was read, so that it can be read so again.

    Of a CSV file delimiter and encoding are said where they are not a comma and UTF-8, as a checker that does not look
    for them needs to know.
    """
    kept = {name: list(value) if isinstance(value, tuple) else value for name, value in kept_reading(reading).items()}
    named = {name: value for name, value in columns.items() if value}
    if data != "-":
        file, sheet = open_table(files_named(data)[0], reading)
        file.file.close()
        if sheet is not None and sheet.form == "CSV":
            found = {"delimiter": sheet.delimiter, "encoding": sheet.encoding}
            kept |= {name: value for name, value in found.items() if value.lower() not in USUAL}
            lists = [name for name, value in named.items() if isinstance(value, list)]
            named |= {name: split_names(named[name], sheet.columns) for name in lists}
    return named | kept


def reading_for_check(proof: Path, data: str, given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """How to read a file that a proof is checked of, and what of it the proof says; what is given takes precedence."""
    claims = claims_in(proof)  # none if they cannot be read, which the checker says
    try:
        kept = common_reading(claims)
    except ValueError:  # which the checker says
        return given, {}
    claim = claims[0] if claims else {}
    if not {"target", "formula"} & given.keys() and not is_plain(kept.get("formula", "")):
        raise InputError(
            f"{proof} is about the formula {shown(kept['formula'])}, which calls functions, and a formula is code: say "
            "--formula yourself if you trust it."
        )
    if given.keys().isdisjoint(("target", "formula")) and kept.keys().isdisjoint(("target", "formula")):
        kept |= question_by_names(claim, data, remembered_reading({"reading": kept | given}))
    for one, other in (("target", "formula"), ("formula", "target")):
        if one in given:
            kept.pop(other, None)
    taken = {name: value for name, value in without_effect_left_out(kept, data).items() if name not in given}
    return given | taken, taken


def without_effect_left_out(kept: dict[str, Any], data: str) -> dict[str, Any]:
    """What a proof says of the reading of a file, without what is not looked at: columns besides a formula, the target
    among columns, and all of a libsvm file, whose rows are read in one way only."""
    if Path(data).is_file() and is_libsvm(data):
        return {}
    if "formula" in kept:
        return {name: value for name, value in kept.items() if name not in ("target", "categorical", "drop")}
    target = kept.get("target")
    lists = {name: [each for each in kept[name] if each != target] for name in ("categorical", "drop") if name in kept}
    return {name: value for name, value in (kept | lists).items() if value != []}


def is_libsvm(data: str) -> bool:
    """Whether a file is one of libsvm."""
    file = open_file(data)
    file.file.close()
    return file.format == "libsvm"


def question_by_names(claim: dict[str, Any], data: str, reading: Reading) -> dict[str, Any]:
    """What a proof says of the columns of a CSV file by the names that it has of them; nothing where it does not tell.

    So it is with proofs that were not written by the command, or by version 0.1.
    """
    names = claim.get("names")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return {}
    if not Path(data).is_file() or claim["format"] == "novikoff separation":
        return {}
    for way in (reading, replace(reading, header=False)):
        if question := columns_of_claim(claim, names, data, way):
            return question | ({} if way.header else {"header": False})
    return {}


def is_plain(formula: str) -> bool:
    """Whether a formula is of names, numbers and signs only, so that reading it runs no code of whoever wrote it.

    >>> [is_plain(f"y ~ {terms}") for terms in ("x + `a b`:z - 1", "(x + C(z))^2", "I(x)", "x.sum", "{1}", "x[0]")]
    [True, True, False, False, False, False]
    """
    terms = KNOWN.sub("x", QUOTED.sub("x", formula.partition("~")[2]))
    return bool(SIGNS.fullmatch(terms)) and not CALLED.search(terms)


def columns_of_claim(claim: dict[str, Any], names: list[Any], data: Any, reading: Reading) -> dict[str, Any]:
    """Which column of a file, read in one way, holds the classes, and which are categories or left out; nothing if its
    names are others."""
    file, sheet = open_table(data, reading)
    file.file.close()
    if sheet is None:
        return {}
    kinds = {column: kind_in(names, column) for column in sheet.columns}
    rest = [column for column, kind in kinds.items() if not kind]
    spoken_of = [name for name in names if name in kinds or any(str(name).startswith(f"{c} = ") for c in kinds)]
    if len(spoken_of) < len(names) or not rest:
        return {}
    if len(rest) > 1:
        text = file.head.decode(sheet.encoding, errors="replace")
        rows = list(csv.reader(io.StringIO(text), delimiter=sheet.delimiter))[sheet.skipped :][:FIRST_ROWS]
        rest.sort(key=lambda column: not holds(rows, sheet.columns.index(column), claim.get("positive")))
        if not holds(rows, sheet.columns.index(rest[0]), claim.get("positive")):
            return {}
        if holds(rows, sheet.columns.index(rest[1]), claim.get("positive")):
            return {}  # two columns might be the one
    categories = [column for column, kind in kinds.items() if kind == "category"]
    found = {"target": rest[0], "categorical": categories, "drop": rest[1:]}
    return {name: value for name, value in found.items() if value}


def kind_in(names: list[Any], column: str) -> str:
    """What a column is by the names of a proof: a number, a category, or nothing."""
    if column in names:
        return "number"
    return "category" if any(str(name).startswith(f"{column} = ") for name in names) else ""


def holds(rows: list[list[str]], place: int, label: Any) -> bool:
    """Whether a column has a label among these rows."""
    return any(len(row) > place and row[place].strip() == label for row in rows)
