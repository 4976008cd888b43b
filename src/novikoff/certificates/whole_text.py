"""What the second checker is told: the claim and the rows, as lines of whole numbers in the form of verified/README.md.

These lines are believed.  The evidence is not, which verified.py adds: the program refuses what proves nothing.
"""

import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import frexp
from typing import Any, Protocol

from .check import (
    ESTIMATES,
    Claim,
    ErrorsClaim,
    Labels,
    SeparationClaim,
    SignedRow,
    TwoClasses,
    design_rows,
    over_one_denominator,
    require,
    sides,
    signed_rows,
)

LEAST = 1074
"""Every float64 is a whole number of 2^-LEAST."""
VERDICTS, EXTENTS = ("separable", "inseparable", "quasi-separable"), ("complete", "quasi-complete", "overlap")
WHOLE, FLOATS, ALL_FLOATS = range(3)
"""How the numbers of a row are written: whole ones, and float64 numbers of some columns or of all."""

Rows = Callable[[], Iterable[Any]]
"""The rows, from the first one each time."""


class Evidence(Protocol):
    """Lines before the rows, and weights, times a multiple of the rows' denominators; until it is known, rows wait."""

    lines: list[str]
    weighed: set[int]

    @property
    def multiple(self) -> int: ...
    def waits(self, row: SignedRow) -> bool: ...
    def weights(self, i: int) -> list[int]: ...


class PosedEvidence(Protocol):
    """The same of a regression, for each row that an observation poses, as text: the last number first."""

    lines: list[str]

    def weights(self, i: int, over: int) -> str: ...


# Numbers.


def line(fields: Iterable[int], cells: str = "") -> str:
    """A line of whole numbers, which is read from its end: what comes first is written last."""
    texts = [format(field, "x") for field in fields][::-1]
    return " ".join([cells, *texts] if cells else texts) + "\n"


def vector(entries: dict[int, int]) -> str:
    """The columns of a vector, counted from 1, the last one first, and their numbers."""
    return " ".join(f"{j + 1:x} {entries[j]:x}" for j in sorted(entries, reverse=True))


def cells(row: SignedRow, exact: bool) -> tuple[int, int, int, str]:
    """How its numbers are written, the scale, the denominator, and the numbers, the last one first.

    Floats that are needed exactly have a small denominator, else that of all floats.
    """
    columns, floats = row.columns[::-1], row.floats[::-1]
    if not floats or all(map(float.is_integer, floats)):
        whole, over = over_one_denominator(row.values)
        return WHOLE, over, over, whole_cells(with_columns(columns, whole[::-1]))
    scale = min(max(53 - frexp(min(map(abs, floats)))[1], 0), LEAST) if exact else LEAST
    if type(row.columns) is range:  # of a row without zeros
        return ALL_FLOATS, scale, 2**scale, packing("d", len(floats)).pack(*floats).hex(" ", 4)
    return FLOATS, scale, 2**scale, packing("Id", len(floats)).pack(*with_columns(columns, floats)).hex(" ", 4)


def with_columns(columns: Sequence[int], values: Sequence[Any]) -> list[Any]:
    """Column and value by turns; columns are counted from 1."""
    mixed: list[Any] = [0] * (2 * len(values))
    mixed[::2], mixed[1::2] = [j + 1 for j in columns], values
    return mixed


def whole_cells(mixed: list[int]) -> str:
    """Columns and whole numbers; those below 2^16 at once."""
    try:
        return packing("HH", len(mixed) // 2).pack(*mixed).hex(" ", 2)
    except struct.error:
        return " ".join([format(v, "x") for v in mixed])


@lru_cache(2**12)
def packing(form: str, count: int) -> struct.Struct:
    """So many of these as bytes, the first byte of a number first."""
    return struct.Struct(">" + form * count)


# Planes.


def whole_text(claim: Claim, evidence: Evidence, rows: Rows, labels: Labels, order: list[int]) -> Iterator[str]:
    """The claim and every row once, line by line; the numbers of the rows are added to ``order``."""
    named, waiting = set(claim.rows), []
    yield claim_line(claim, class_sizes(claim, labels), 1 + len(evidence.lines) + len(claim.collinear))
    yield from (*evidence.lines, *(line([], vector(relation)) for relation in claim.collinear))
    for row in signed_rows(claim, rows(), labels):
        if evidence.waits(row):
            waiting.append(row)
        else:
            order.append(row.i)
            yield row_line(row, evidence, row.i in named)
    for row in waiting:
        order.append(row.i)
        yield row_line(row, evidence, row.i in named)
    missing = (named | evidence.weighed) - set(order)
    require(not missing, f"row {min(missing, default=0)}, which the claim names, is of neither class")
    yield "end\n"


def class_sizes(claim: TwoClasses, labels: Labels) -> list[int]:
    """How many rows there are of each class, + first."""
    signs = Counter(map(sides(claim.positive, claim.negative, set(labels)).__getitem__, labels))
    return [signs[1], signs[-1]]


def claim_line(claim: Claim, sizes: list[int], before: int) -> str:
    """The first line."""
    said = [VERDICTS.index(claim.verdict), bool(claim.rest)]
    if claim.verdict == "separable":
        ends = (end.as_integer_ratio() for end in (claim.lo, claim.hi, claim.radius))
        said = [0, *chain.from_iterable(ends), claim.bound]
    return line([0, before, claim.columns, claim.intercept, *sizes, *said])


def row_line(row: SignedRow, evidence: Evidence, named: bool) -> str:
    """Class, numbers, weights, and whether it is named."""
    weights = evidence.weights(row.i)
    kind, scale, over, text = cells(row, exact=named or any(weights))
    factor = evidence.multiple // over if any(weights) else 0
    return line([row.sign > 0, kind, scale, *(weight * factor for weight in weights), named], text)


# Regressions.


def separation_text(claim: SeparationClaim, evidence: PosedEvidence, rows: Rows, labels: Labels) -> Iterator[str]:
    """The claim and every row once, line by line."""
    counts, classes = claim.classes is None, range(2 if claim.classes is None else len(claim.classes))
    model = [claim.given, claim.with_intercept, counts, EXTENTS.index(claim.verdict)]
    yield line([1, 3 + len(evidence.lines), *model])
    yield line(classes)
    yield line([ESTIMATES.index(name) for name in claim.coefficients])
    yield from evidence.lines
    right = set(claim.rows)
    for row in design_rows(claim, rows(), labels):
        yield observation_line(claim, row, labels[row.i], evidence, right)
    yield "end\n"


def observation_line(
    claim: SeparationClaim, row: SignedRow, label: str, evidence: PosedEvidence, right: set[int]
) -> str:
    """Class and numbers; for each other class, whether it is separated, and its weights."""
    kind, scale, over, text = cells(row, exact=True)
    posed = range(row.i * claim.blocks, (row.i + 1) * claim.blocks)
    parts = [f"{evidence.weights(i, over)} {i in right:x}" for i in reversed(posed)]
    return line([claim.class_number(label), kind, scale], " ".join(filter(None, [text, *parts])))


# Fewest errors.


def errors_text(claim: ErrorsClaim, evidence: list[str], rows: Rows, labels: Labels, order: list[int]) -> Iterator[str]:
    """The claim, why it is so, and every row once, line by line; the numbers of the rows are added to ``order``."""
    said = [*class_sizes(claim, labels), claim.errors, claim.least]
    yield line([2, 1 + len(evidence), claim.columns, claim.intercept, *said])
    yield from evidence
    for row in signed_rows(claim, rows(), labels):
        order.append(row.i)
        kind, scale, _, text = cells(row, exact=True)
        yield line([row.sign > 0, kind, scale, 0, 0, row.i in claim.named], text)
    yield "end\n"
