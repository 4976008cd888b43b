"""The second checker: a program extracted from a machine-checked proof (verified/), which reads whole numbers.

What is outside of its proof is done here: the certificate and the rows are read, held to the question and compared with
their digests, all as check.py does it, and written out as whole numbers in the form of verified/README.md.  Of a
regression the rows of the data are written: which rows they pose is part of what is proved.
"""

import os
import re
import shutil
import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import chain, repeat
from math import frexp, lcm
from operator import mul
from pathlib import Path
from typing import IO, Any, NamedTuple

from ..errors import InputError
from .check import (
    LONG,
    Asked,
    Claim,
    Labels,
    SeparationClaim,
    SignedRow,
    SpaceClaim,
    Verdict,
    design_rows,
    over_one_denominator,
    require,
    sides,
    signed_rows,
    verdict_on,
    whole_row,
)

NAME = "novikoff-verified"
NOT_BUILT = (
    "The verified checker is not built: 'make verified' in a checkout of novikoff builds it (with the packages coq, "
    f"ocaml-findlib and libzarith-ocaml-dev); put {NAME} on the PATH, or its path in NOVIKOFF_VERIFIED."
)
MOST_COLUMNS = 10**7
"""Columns that the program reads."""
MANTISSA, FARTHEST = 53, 900
"""Bits of a float64, and the powers of two by which one is multiplied without leaving the floats."""

Rows = Callable[[], Iterable[Any]]
"""The rows, from the first one each time."""


def program() -> Path | None:
    """Where the verified checker is, if it is built."""
    checkout = Path(__file__).parents[3] / "verified" / "build" / NAME
    found = Path(os.environ.get("NOVIKOFF_VERIFIED") or shutil.which(NAME) or checkout)
    return found if found.is_file() and os.access(found, os.X_OK) else None


def check_verified(
    certificate: Any, rows: Rows, labels: Iterable[Any], asked: Asked | None = None, columns: int | None = None
) -> Verdict:
    """The verdict of the verified checker on a certificate, JSON text or what it holds, of these rows and labels."""
    where = program()
    if where is None:
        raise InputError(NOT_BUILT)

    def verify(claim: Claim | SeparationClaim, texts: Labels) -> str:
        if isinstance(claim, SeparationClaim):
            return with_row(answer(where, separation_text(claim, rows, texts)), range(claim.n))
        require(isinstance(claim, Claim), "the verified checker does not know of fewest errors")
        require(claim.kernel is None, "the verified checker knows planes in the rows themselves only")
        require(1 <= claim.columns <= MOST_COLUMNS, f"the verified checker reads 1 to {MOST_COLUMNS} columns")
        order: list[int] = []
        return with_row(answer(where, whole_text(claim, rows, texts, order)), order)

    return verdict_on(certificate, labels, asked, columns, verify)


def answer(where: Path, lines: Iterable[str]) -> str:
    """What the program says of a text; all of the text is made, and so compared with its digests, in any case."""
    said, pipe = "", subprocess.PIPE
    with suppress(BrokenPipeError), subprocess.Popen([where], stdin=pipe, stdout=pipe, encoding="utf-8") as process:
        if process.stdin is None or process.stdout is None:
            raise InputError(f"{where} could not be run.")
        try:
            hand_over(process.stdin, lines)
        except BaseException:
            process.kill()
            raise
        said = process.stdout.read().strip()
    return said or f"refused: {where.name} gave no answer"


def with_row(said: str, order: Sequence[int]) -> str:
    """The answer with the number of a row of the data in place of that of a line, of which row 1 is the first."""
    found = re.match(r"refused: row (\d+):", said)
    return said.replace(found[0], f"refused: row {order[int(found[1]) - 1]}:", 1) if found else said


def hand_over(given: IO[str], lines: Iterable[str]) -> None:
    """Write the lines; those after its answer the program does not read."""
    listening = True
    for line in lines:
        try:
            if listening:
                given.write(line)
        except BrokenPipeError:
            listening = False
    with suppress(BrokenPipeError):
        given.close()


def whole_text(claim: Claim, rows: Rows, labels: Labels, order: list[int]) -> Iterator[str]:
    """The claim and the rows, line by line; the numbers of the rows are added to ``order``."""
    side = sides(claim.positive, claim.negative, set(labels))
    signs = Counter(side[label] for label in labels)
    yield f"novikoff-verified 1\nverdict {claim.verdict}\ncolumns {claim.columns}\nintercept {int(claim.intercept)}\n"
    if claim.verdict == "separable":
        ends = chain.from_iterable(end.as_integer_ratio() for end in (claim.lo, claim.hi, claim.radius))
        yield f"margin {' '.join(map(numeral, ends))} {numeral(claim.bound)}\n"
    else:
        yield f"covered {int(bool(claim.rest))}\n"
    yield f"plane {vector(claim.plane)}\nrelations {len(claim.collinear)}\n"
    yield from (f"relation {vector(relation)}\n" for relation in claim.collinear)
    yield f"rows {signs[1]} {signs[-1]}\n"
    yield from row_lines(claim, rows, labels, order)


def row_lines(claim: Claim, rows: Rows, labels: Labels, order: list[int]) -> Iterator[str]:
    """The rows, those with a weight last: only when all of these are known, their weights can be written."""
    named, weights = set(claim.rows), claim.combination or claim.witness
    kept = weights.keys() | claim.cover.keys()
    missing, overs, weighted = kept | named, {1}, []
    if claim.rest:  # nearly all rows have a weight: they are read twice instead of being kept
        overs = {whole_numbers(row)[1] for row in signed_rows(claim, rows(), labels)}
        kept = set()
    multiple = lcm(*overs)
    for row in signed_rows(claim, rows(), labels):
        missing.discard(row.i)
        if row.i in kept:
            weighted.append(row)
            overs.add(whole_numbers(row)[1])
            continue
        cover = claim.cover.get(row.i, 0 if row.i in named else claim.rest)
        order.append(row.i)
        yield row_line(row, weights.get(row.i, 0), cover, row.i in named, multiple)
    require(not missing, f"row {min(missing, default=0)}, which the claim names, is of neither class")
    for row in weighted:
        order.append(row.i)
        yield row_line(row, weights.get(row.i, 0), 0, row.i in named, lcm(*overs))


def row_line(row: SignedRow, weight: int, cover: int, named: bool, multiple: int) -> str:
    """Class, denominator, weights of the row times its denominator, whether it is named, and entries."""
    whole, over = whole_numbers(row)
    factor, sign = multiple // over if weight or cover else 0, "-+"[row.sign > 0]
    heading = f"{sign} {numeral(over)} {numeral(weight * factor)} {numeral(cover * factor)} {int(named)}"
    return f"{heading} {cells(row, whole)}\n"


def cells(row: SignedRow, whole: list[int]) -> str:
    """The entries of a row as a vector."""
    text = str if row.floats else numeral
    if type(row.columns) is range:  # of a row without zeros
        return " ".join(("*", *map(text, whole)))
    entries = zip((str(j + 1) for j in row.columns), map(text, whole), strict=True)
    return " ".join((str(len(whole)), *chain.from_iterable(entries)))


def whole_numbers(row: SignedRow) -> tuple[list[int], int]:
    """The entries of a row as whole numbers over one denominator; of floats a power of two."""
    if not row.floats or all(map(float.is_integer, row.floats)):
        return over_one_denominator(row.values)
    power = MANTISSA - frexp(min(map(abs, row.floats)))[1]
    if not 0 <= power <= FARTHEST or frexp(max(map(abs, row.floats)))[1] + power > FARTHEST:
        return over_one_denominator(row.values)
    return list(map(int, map(mul, row.floats, repeat(2.0**power)))), 2**power


def vector(entries: dict[int, int]) -> str:
    """How many entries, and the column, counted from 1, and the number of each."""
    return " ".join([str(len(entries)), *(f"{j + 1} {numeral(entries[j])}" for j in sorted(entries))])


def numeral(value: int) -> str:
    """A whole number as text."""
    return str(value) if abs(value) < LONG else hex(value)


# Regressions.


class RowsSeen(NamedTuple):
    """What must be known of all rows before the first one is written."""

    multiple: int  # of all denominators
    constant: dict[int, int]  # units of the columns of the spaces
    hull: dict[int, int]


def separation_text(claim: SeparationClaim, rows: Rows, labels: Labels) -> Iterator[str]:
    """The claim and the rows, line by line; the rows are read twice."""
    seen = look_at_rows(claim, rows, labels)
    classes = 2 if claim.classes is None else len(claim.classes)
    yield f"novikoff-verified-separation 1\nverdict {claim.verdict}\ncolumns {claim.given}\n"
    yield f"intercept {int(claim.with_intercept)}\ncounts {int(claim.classes is None)}\nclasses {classes}\n"
    yield " ".join(("coefficients", *claim.coefficients)) + "\n"
    yield f"plane {vector(claim.plane)}\nplanes {len(claim.planes)}\n"
    yield from (f"plane {vector(plane)}\n" for plane in claim.planes)
    for name, space, units in (("constant", claim.constant, seen.constant), ("hull", claim.hull, seen.hull)):
        yield f"{name} {len(space.basis)}\n"
        yield from (f"vector {j + 1} {vector(v)}\n" for j, v in space.basis.items())
        yield f"units {vector(units)}\n"
    signs = {j: (1, -1)[name == "-inf"] for j, name in enumerate(claim.coefficients) if name in ("+inf", "-inf")}
    forced = {j: claim.forced[j] for j in signs if j in claim.forced}
    yield f"times {vector({j: signs[j] * times * seen.multiple for j, (times, _) in forced.items()})}\nrows {claim.n}\n"
    parts = claim.constant.combinations, claim.hull.combinations, {j: c for j, (_, c) in forced.items()}
    weights = [by_row(part) for part in parts]
    right = set(claim.rows)
    for row in design_rows(claim, rows(), labels):
        yield observation_line(claim, row, labels[row.i], weights, right, seen.multiple)


def look_at_rows(claim: SeparationClaim, rows: Rows, labels: Labels) -> RowsSeen:
    """A first look at the rows; whether there are tied ones must be what the cover says."""
    spaces, right, overs, tied = (claim.constant, claim.hull), set(claim.rows), {1}, False
    used = [{i for part in space.combinations.values() for i in part} for space in spaces]
    sizes: list[dict[int, Fraction]] = [defaultdict(Fraction), defaultdict(Fraction)]
    for given in design_rows(claim, rows(), labels):
        overs.add(whole_numbers(given)[1])
        for row, free in claim.posed_rows(given, labels[given.i]):
            tied = tied or not (free or row.i in right)
            for size in (size for size, needed in zip(sizes, used, strict=True) if row.i in needed):
                whole = whole_row(row)
                for j, v in whole.x.items():
                    size[j] = max(size[j], Fraction(abs(v), whole.over))
    require(bool(claim.rest) == tied, "a weight of the cover is not positive")
    constant, hull = (units_of(space, size) for space, size in zip(spaces, sizes, strict=True))
    return RowsSeen(lcm(*overs), constant, hull)


def units_of(space: SpaceClaim, sizes: dict[int, Fraction]) -> dict[int, int]:
    """Whole numbers in proportion to 1/size, of the columns that no vector of the space is called by."""
    inverse = {j: 1 / sizes[j] if sizes.get(j) else Fraction(1) for j in space.combinations}
    over = lcm(*(v.denominator for v in inverse.values()))
    return {j: int(v * over) for j, v in inverse.items()}


def by_row(combinations: dict[int, dict[int, int]]) -> dict[int, dict[int, int]]:
    """{row: {column: weight}} of {column: {row: weight}}."""
    weights: dict[int, dict[int, int]] = defaultdict(dict)
    for j, combination in combinations.items():
        for i, weight in combination.items():
            weights[i][j] = weight
    return weights


def observation_line(
    claim: SeparationClaim,
    row: SignedRow,
    label: str,
    weights: list[dict[int, dict[int, int]]],
    right: set[int],
    multiple: int,
) -> str:
    """Class, denominator and entries; for each other class, whether it is separated, and its weights."""
    (whole, over), own = whole_numbers(row), claim.class_number(label)
    factor, free = multiple // over, claim.classes is None and own
    parts = [f"{own} {numeral(over)} {cells(row, whole)}"]
    for i in range(row.i * claim.blocks, (row.i + 1) * claim.blocks):
        tying = claim.cover.get(i, 0 if free or i in right else claim.rest)
        sums = (vector({j: v * factor for j, v in part.get(i, {}).items()}) for part in weights)
        parts.append(" ".join((f"{int(i in right)} {numeral(tying * factor)}", *sums)))
    return " ".join(parts) + "\n"
