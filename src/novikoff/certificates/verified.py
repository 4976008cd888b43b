"""The second checker: a program extracted from a machine-checked proof (verified/), which reads whole numbers.

Here it is found and run, and given evidence: planes, weights and numbers that save it work.  The program checks them:
nothing of this is believed.  What the text says of the claim and the rows is in whole_text.py; certificate and rows are
read, held to the question and compared with their digests as check.py does it.
"""

import os
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from math import isqrt, lcm
from pathlib import Path
from typing import IO, Any

from ..errors import InputError
from .check import (
    Asked,
    Branch,
    Claim,
    ErrorsClaim,
    Labels,
    Packing,
    SeparationClaim,
    SignedRow,
    SpaceClaim,
    Verdict,
    design_rows,
    proved_sentence,
    require,
    signed_rows,
    verdict_on,
    whole_row,
)
from .whole_text import Rows, cells, errors_text, line, separation_text, vector, whole_text

NAME = "novikoff-verified"
NOT_BUILT = (
    "The verified checker is not built: 'make verified' in a checkout of novikoff builds it (with the packages coq, "
    f"ocaml-findlib and libzarith-ocaml-dev); put {NAME} on the PATH, or its path in NOVIKOFF_VERIFIED."
)
DIGITS = 29
"""Bits of the plane that mostly suffice to see that a row is far enough from it."""


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

    def verify(claim: Claim | SeparationClaim | ErrorsClaim, texts: Labels) -> str:
        if isinstance(claim, SeparationClaim):
            posed = RegressionEvidence(claim, rows, texts)
            said = answer(where, separation_text(claim, posed, rows, texts))
            return with_row(said, 3 + len(posed.lines), range(claim.n), claim.summary())
        order: list[int] = []
        if isinstance(claim, ErrorsClaim):
            grounds = error_lines(claim, rows, texts)
            said = answer(where, errors_text(claim, grounds, rows, texts, order))
            return with_row(said, 1 + len(grounds), order, claim.summary())
        require(claim.kernel is None, "the verified checker knows planes in the rows themselves only")
        evidence = PlaneEvidence(claim, rows, texts)
        said = answer(where, whole_text(claim, evidence, rows, texts, order))
        before = 1 + len(evidence.lines) + len(claim.collinear)
        return with_row(said, before, order, proved_sentence(claim, len(order) - len(claim.rows)))

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
    for text in lines:
        try:
            if listening:
                given.write(text)
        except BrokenPipeError:
            listening = False
    with suppress(BrokenPipeError):
        given.close()


class PlaneEvidence:
    """Numbers that save work, the plane, its first digits, and the weights of the rows times their denominators."""

    def __init__(self, claim: Claim, rows: Rows, labels: Labels) -> None:
        self.claim, self.named, self.witness = claim, set(claim.rows), claim.combination or claim.witness
        self.weighed, self.overs = self.witness.keys() | claim.cover.keys(), {1}
        self.lines = plane_lines(claim)
        if claim.rest:  # nearly all rows have a weight: they are read twice instead of being kept
            self.overs = {cells(row, exact=True)[2] for row in signed_rows(claim, rows(), labels)}

    def waits(self, row: SignedRow) -> bool:
        """Whether it has a weight, which can be written when the denominators of all such rows are known."""
        if self.claim.rest or row.i not in self.weighed:
            return False
        self.overs.add(cells(row, exact=True)[2])
        return True

    @cached_property
    def multiple(self) -> int:
        """Of the denominators, when all of them are known."""
        return lcm(*self.overs)

    def weights(self, i: int) -> list[int]:
        """In the witness or combination, and in the cover."""
        return [self.witness.get(i, 0), self.claim.cover.get(i, 0 if i in self.named else self.claim.rest)]


def plane_lines(claim: Claim) -> list[str]:
    """Of a separable claim: a number not below lo·‖plane‖, and the plane in DIGITS bits."""
    bits, helps, rough = 0, [0, 0, 0], {}
    if claim.verdict == "separable":
        square, (n, d) = sum(v * v for v in claim.plane.values()), claim.lo.as_integer_ratio()
        bits = max(0, max(map(int.bit_length, claim.plane.values())) - DIGITS)
        helps = [isqrt(n * n * square // (d * d)) + 1, 2**bits, 2**DIGITS + 1]
        rough = {j: v >> bits for j, v in claim.plane.items()}
    return [line(helps), line([], vector(claim.plane)), line([], vector(rough))]


class RegressionEvidence:
    """Planes, spaces and units, and the weights of the rows that are posed times their denominators."""

    def __init__(self, claim: SeparationClaim, rows: Rows, labels: Labels) -> None:
        self.claim, self.right = claim, set(claim.rows)
        self.free: set[int] = set()
        self.multiple, units = self.look_at(rows, labels)
        forced = forced_signs(claim)
        times = {j: count * self.multiple for j, (count, _) in forced.items()}
        spaces = (claim.constant, claim.hull)
        signs = {j: combination for j, (_, combination) in forced.items()}
        self.sums = [by_row(part) for part in (claim.constant.combinations, claim.hull.combinations, signs)]
        self.lines = [
            *(line([], vector(v)) for v in (claim.plane, *units, times)),
            *(line([0], vector(plane)) for plane in claim.planes),
            *(line([tag, j + 1], vector(v)) for tag, s in enumerate(spaces, start=1) for j, v in s.basis.items()),
        ]

    def look_at(self, rows: Rows, labels: Labels) -> tuple[int, list[dict[int, int]]]:
        """A multiple of all denominators, and the units; whether there are tied rows must be what the cover says."""
        claim, overs, tied = self.claim, {1}, False
        spaces = (claim.constant, claim.hull)
        used = [{i for part in space.combinations.values() for i in part} for space in spaces]
        sizes: list[dict[int, Fraction]] = [defaultdict(Fraction), defaultdict(Fraction)]
        for given in design_rows(claim, rows(), labels):
            overs.add(cells(given, exact=True)[2])
            for row, free in claim.posed_rows(given, labels[given.i]):
                self.free |= {row.i} if free else set()
                tied = tied or not (free or row.i in self.right)
                for size in (size for size, needed in zip(sizes, used, strict=True) if row.i in needed):
                    whole = whole_row(row)
                    for j, v in whole.x.items():
                        size[j] = max(size[j], Fraction(abs(v), whole.over))
        require(claim.rest >= 0 and bool(claim.rest) == tied, "a weight of the cover is not positive")
        return lcm(*overs), [units_of(space, size) for space, size in zip(spaces, sizes, strict=True)]

    def weights(self, i: int, over: int) -> str:
        """In the cover and in the sums, of a row that is posed."""
        tying = self.claim.cover.get(i, 0 if i in self.free or i in self.right else self.claim.rest)
        factor = self.multiple // over
        sums = [{j: v * factor for j, v in part.get(i, {}).items()} for part in self.sums]
        return line([tying * factor, *map(len, sums)], " ".join(filter(None, map(vector, reversed(sums))))).rstrip()


def forced_signs(claim: SeparationClaim) -> dict[int, tuple[int, dict[int, int]]]:
    """Of the coefficients that have a sign: how many times it is forced, negative for a minus, and the combination."""
    signs = {j: (1, -1)[name == "-inf"] for j, name in enumerate(claim.coefficients) if name in ("+inf", "-inf")}
    return {j: (signs[j] * claim.forced[j].times, claim.forced[j].combination) for j in signs if j in claim.forced}


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


def error_lines(claim: ErrorsClaim, rows: Rows, labels: Labels) -> list[str]:
    """The plane, the witnesses, whose weights are those of rows times their denominators, and the cases."""
    numbers: dict[int, int] = {}  # those of the rows in the text, which has only the rows that take part
    overs: dict[int, int] = {}
    for number, row in enumerate(signed_rows(claim, rows(), labels)):
        if row.i in claim.named:
            numbers[row.i], overs[row.i] = number, cells(row, exact=True)[2]
    claim.take_part(numbers)

    def witness_line(witness: dict[int, int]) -> str:
        multiple = lcm(*(overs[i] for i in witness))
        return line([0], vector({numbers[i]: weight * multiple // overs[i] for i, weight in witness.items()}))

    return [line([], vector(claim.plane)), *map(witness_line, claim.witnesses), *case_lines(claim.tree, numbers)]


def case_lines(case: Packing | Branch, numbers: dict[int, int]) -> Iterator[str]:
    """A tree of cases: the row that is asked for, the case in which it is wrong, and that in which it is right."""
    if isinstance(case, Packing):
        yield line([2, case.over], vector(case.weights))
    else:
        yield line([1, numbers[case.row] + 1])
        yield from case_lines(case.wrong, numbers)
        yield from case_lines(case.right, numbers)
