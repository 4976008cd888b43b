"""The second checker: a program extracted from a machine-checked proof (verified/), which reads whole numbers.

What is outside of its proof is done here: the certificate and the rows are read, held to the question and compared with
their digests, all as check.py does it, and written out as whole numbers in the form of verified/README.md.  What a
float64 is, and which rows a regression poses, is part of what is proved.
"""

import os
import re
import shutil
import struct
import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from math import frexp, isqrt, lcm
from pathlib import Path
from typing import IO, Any, NamedTuple

from ..errors import InputError
from .check import (
    ESTIMATES,
    Asked,
    Claim,
    Labels,
    SeparationClaim,
    SignedRow,
    SpaceClaim,
    Verdict,
    design_rows,
    over_one_denominator,
    proved_sentence,
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
LEAST = 1074
"""Every float64 is a whole number of 2^-LEAST."""
DIGITS = 29
"""Bits of the plane that mostly suffice to see that a row is far enough from it."""
VERDICTS, EXTENTS = ("separable", "inseparable", "quasi-separable"), ("complete", "quasi-complete", "overlap")
WHOLE, FLOATS, ALL_FLOATS = range(3)
"""How the numbers of a row are written: whole ones, and float64 numbers of some columns or of all."""

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
            before = len(separation_heading(claim, RowsSeen(1, {}, {})))
            return with_row(answer(where, separation_text(claim, rows, texts)), before, range(claim.n), claim.summary())
        require(isinstance(claim, Claim), "the verified checker does not know of fewest errors")
        require(claim.kernel is None, "the verified checker knows planes in the rows themselves only")
        order: list[int] = []
        said = answer(where, whole_text(claim, rows, texts, order))
        return with_row(said, len(heading(claim, 0, 0)), order, proved_sentence(claim, len(order) - len(claim.rows)))

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


def with_row(said: str, before: int, order: Sequence[int], proved: str) -> str:
    """The answer in words: what is proved, or the number of a row of the data in place of that of its line."""
    if said == "accepted":
        return f"accepted: {proved}"
    found = re.match(r"refused: line (\d+): ", said)
    if not found:
        return said
    at = int(found[1]) - before - 1
    return f"refused: row {order[at]}: {said[found.end() :]}" if at >= 0 else f"refused: {said[found.end() :]}"


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


def line(fields: Iterable[int], cells: str = "") -> str:
    """A line of whole numbers, which is read from its end: what comes first is written last."""
    texts = [format(field, "x") for field in fields][::-1]
    return " ".join([cells, *texts] if cells else texts) + "\n"


def vector(entries: dict[int, int]) -> str:
    """The columns of a vector, counted from 1, the last one first, and their numbers."""
    return " ".join(f"{j + 1:x} {entries[j]:x}" for j in sorted(entries, reverse=True))


def whole_text(claim: Claim, rows: Rows, labels: Labels, order: list[int]) -> Iterator[str]:
    """The claim and the rows, line by line; the numbers of the rows are added to ``order``."""
    side = sides(claim.positive, claim.negative, set(labels))
    signs = Counter(side[label] for label in labels)
    yield from heading(claim, signs[1], signs[-1])
    yield from row_lines(claim, rows, labels, order)
    yield "end\n"


def heading(claim: Claim, plus: int, minus: int) -> list[str]:
    """The lines before the rows: the claim, numbers that save work, the plane, its first digits, and relations."""
    strict, covered, bits = claim.verdict == "separable", bool(claim.rest), 0
    said, helps = [VERDICTS.index(claim.verdict), covered], [0, 0, 0]
    if strict:
        ends = chain.from_iterable(end.as_integer_ratio() for end in (claim.lo, claim.hi, claim.radius))
        said = [0, *ends, claim.bound]
        square, (n, d) = sum(v * v for v in claim.plane.values()), claim.lo.as_integer_ratio()
        bits = max(0, max(map(int.bit_length, claim.plane.values())) - DIGITS)
        helps = [isqrt(n * n * square // (d * d)) + 1, 2**bits, 2**DIGITS + 1]
    rough = {j: v >> bits for j, v in claim.plane.items()} if strict else {}
    vectors = [claim.plane, rough, *claim.collinear]
    first = [0, 2 + len(vectors), claim.columns, claim.intercept, plus, minus, *said]
    return [line(first), line(helps), *(line([], vector(v)) for v in vectors)]


def row_lines(claim: Claim, rows: Rows, labels: Labels, order: list[int]) -> Iterator[str]:
    """The rows, those with a weight last: only when all of these are known, their weights can be written."""
    named, weights = set(claim.rows), claim.combination or claim.witness
    kept = weights.keys() | claim.cover.keys()
    missing, overs, weighted = kept | named, {1}, []
    if claim.rest:  # nearly all rows have a weight: they are read twice instead of being kept
        overs = {cells(row, exact=True).over for row in signed_rows(claim, rows(), labels)}
        kept = set()
    multiple = lcm(*overs)
    for row in signed_rows(claim, rows(), labels):
        missing.discard(row.i)
        if row.i in kept:
            weighted.append(row)
            overs.add(cells(row, exact=True).over)
            continue
        cover = claim.cover.get(row.i, 0 if row.i in named else claim.rest)
        order.append(row.i)
        yield row_line(row, weights.get(row.i, 0), cover, row.i in named, multiple)
    require(not missing, f"row {min(missing, default=0)}, which the claim names, is of neither class")
    for row in weighted:
        order.append(row.i)
        yield row_line(row, weights.get(row.i, 0), 0, row.i in named, lcm(*overs))


def row_line(row: SignedRow, weight: int, cover: int, named: bool, multiple: int) -> str:
    """Class, numbers, weights of the row times its denominator, and whether it is named."""
    numbers = cells(row, exact=bool(weight or cover or named))
    factor = multiple // numbers.over if weight or cover else 0
    return line([row.sign > 0, numbers.kind, numbers.scale, weight * factor, cover * factor, named], numbers.text)


class Cells(NamedTuple):
    """The numbers of a row as text, the last column first: whole ones over ``scale``, or floats over 2^scale."""

    kind: int
    scale: int
    text: str

    @property
    def over(self) -> int:
        """The denominator."""
        return self.scale if self.kind == WHOLE else 2**self.scale


def cells(row: SignedRow, exact: bool) -> Cells:
    """The numbers of a row; floats over a small denominator if they are needed exactly, else over that of them all."""
    if not row.floats or all(map(float.is_integer, row.floats)):
        whole, over = over_one_denominator(row.values)
        return Cells(WHOLE, over, whole_cells(row.columns, whole))
    scale = min(max(53 - frexp(min(map(abs, row.floats)))[1], 0), LEAST) if exact else LEAST
    last_first = row.floats[::-1]
    if type(row.columns) is range:  # of a row without zeros
        return Cells(ALL_FLOATS, scale, packing("d", len(last_first)).pack(*last_first).hex(" ", 4))
    mixed: list[Any] = [0] * (2 * len(last_first))
    mixed[::2], mixed[1::2] = [j + 1 for j in reversed(row.columns)], last_first
    return Cells(FLOATS, scale, packing("Id", len(last_first)).pack(*mixed).hex(" ", 4))


def whole_cells(columns: Sequence[int], whole: list[int]) -> str:
    """Columns and whole numbers; those below 2^16 at once."""
    mixed = [0] * (2 * len(whole))
    mixed[::2], mixed[1::2] = [j + 1 for j in reversed(columns)], whole[::-1]
    try:
        return packing("HH", len(whole)).pack(*mixed).hex(" ", 2)
    except struct.error:
        return " ".join([format(v, "x") for v in mixed])


@lru_cache(2**12)
def packing(form: str, count: int) -> struct.Struct:
    """So many of these as bytes, the first byte of a number first."""
    return struct.Struct(">" + form * count)


# Regressions.


class RowsSeen(NamedTuple):
    """What must be known of all rows before the first one is written."""

    multiple: int  # of all denominators
    constant: dict[int, int]  # units of the columns of the spaces
    hull: dict[int, int]


def separation_text(claim: SeparationClaim, rows: Rows, labels: Labels) -> Iterator[str]:
    """The claim and the rows, line by line; the rows are read twice."""
    seen = look_at_rows(claim, rows, labels)
    yield from separation_heading(claim, seen)
    forced = {j: combination for j, (_, combination) in forced_signs(claim).items()}
    weights = [by_row(part) for part in (claim.constant.combinations, claim.hull.combinations, forced)]
    right = set(claim.rows)
    for row in design_rows(claim, rows(), labels):
        yield observation_line(claim, row, labels[row.i], weights, right, seen.multiple)
    yield "end\n"


def forced_signs(claim: SeparationClaim) -> dict[int, tuple[int, dict[int, int]]]:
    """Of the coefficients that have a sign: how many times it is forced, negative for a minus, and the combination."""
    signs = {j: (1, -1)[name == "-inf"] for j, name in enumerate(claim.coefficients) if name in ("+inf", "-inf")}
    return {j: (signs[j] * claim.forced[j].times, claim.forced[j].combination) for j in signs if j in claim.forced}


def separation_heading(claim: SeparationClaim, seen: RowsSeen) -> list[str]:
    """The lines before the rows."""
    times = {j: count * seen.multiple for j, (count, _) in forced_signs(claim).items()}
    spaces = enumerate((claim.constant, claim.hull), start=1)
    more = [
        *(line([0], vector(plane)) for plane in claim.planes),
        *(line([tag, j + 1], vector(v)) for tag, space in spaces for j, v in space.basis.items()),
    ]
    counts, classes = claim.classes is None, range(2 if claim.classes is None else len(claim.classes))
    model = [claim.given, claim.with_intercept, counts, EXTENTS.index(claim.verdict)]
    estimates = [ESTIMATES.index(name) for name in claim.coefficients]
    vectors = [line([], vector(v)) for v in (claim.plane, seen.constant, seen.hull, times)]
    return [line([1, 7 + len(more), *model]), line(classes), line(estimates), *vectors, *more]


def look_at_rows(claim: SeparationClaim, rows: Rows, labels: Labels) -> RowsSeen:
    """A first look at the rows; whether there are tied ones must be what the cover says."""
    spaces, right, overs, tied = (claim.constant, claim.hull), set(claim.rows), {1}, False
    used = [{i for part in space.combinations.values() for i in part} for space in spaces]
    sizes: list[dict[int, Fraction]] = [defaultdict(Fraction), defaultdict(Fraction)]
    for given in design_rows(claim, rows(), labels):
        overs.add(cells(given, exact=True).over)
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
    """Class and numbers; for each other class, whether it is separated, and its weights."""
    numbers, own = cells(row, exact=True), claim.class_number(label)
    factor, free = multiple // numbers.over, claim.classes is None and own
    parts = []
    for i in range(row.i * claim.blocks, (row.i + 1) * claim.blocks):
        tying = claim.cover.get(i, 0 if free or i in right else claim.rest)
        sums = [{j: v * factor for j, v in part.get(i, {}).items()} for part in weights]
        fields = [i in right, tying * factor, *map(len, sums)]
        parts.append(line(fields, " ".join(filter(None, map(vector, reversed(sums))))).rstrip())
    text = " ".join(filter(None, [numbers.text, *reversed(parts)]))
    return line([own, numbers.kind, numbers.scale], text)
