"""The independent checker of certificates: one file, the standard library, exact arithmetic, no search.

The format and what each part proves are in docs/certificate-format.md.  A signed row is z = ±[x; 1], or ±x without an
intercept; w is the plane of the certificate, and the tied rows are those with z·w = 0.  In the feature space of a
kernel z_i·z_j = ±k(x_i, x_j), or ±(k(x_i, x_j) + 1) with an intercept, and a plane is w = Σ α_j·z_j.

This file imports nothing but the standard library, so it can be copied anywhere, read, and run:

    python check.py proof.json data.csv --target y

Its exit code is 0 if everything was accepted, 1 if something was refused, 2 if the data cannot be read, and 3 if a
proof is malformed.  The part above "The table" is all that the truth of an answer rests on.
"""

import argparse
import csv
import hashlib
import json
import re
import shlex
import struct
import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, compress, repeat
from math import dist, fsum, gcd, hypot, inf, isfinite, lcm, sqrt
from operator import add, mul
from pathlib import Path
from typing import Any, NamedTuple

ACCEPTED, REFUSED, BAD_INPUT, MALFORMED = range(4)
"""Exit codes."""

# What a certificate may ask of a checker; docs/certificate-format.md has the same numbers.
DECIMAL_DIGITS = 4000
LONG = 10**DECIMAL_DIGITS
"""Whole numbers from here on are written in hexadecimal, which takes no time to read."""
LONGEST = 40_000
"""Characters of a number."""
CHARACTERS, CHARACTERS_EACH = 2**22, 1000
"""Characters of all numbers together: so many, and so many more for each row and each column."""
RELATIONS = 300
"""Relations between columns."""
DEGREE = 100
"""The degree of a polynomial kernel."""
PAIRS = 4 * 10**6
"""Pairs of rows whose kernel a claim rests on."""
KERNEL_VALUE_BITS, KERNEL_BITS = 2**18, 2**32
"""Bits of a kernel value, and of the kernel values of all these pairs."""

# Floats only tell which rows need no exact look: (2k + 16) roundings are more than a sum of k products can be off, also
# where each number was rounded to a float64 first.
ROUNDING, TINY = 2.0**-53, 1e-290
SLIGHTLY = 1e-12
"""More than a few roundings, in parts of a number."""
BLOCK = 2**20
"""Numbers that are summed up in one go."""

KEPT = 2**18
"""Numbers that are kept in lowest terms."""

GRID, FINE = 160, 192
"""exp is rounded to a whole number of 2^-GRID, and computed in whole numbers of 2^-FINE."""
VANISHES = 112
"""exp(-112) is less than 2^-161, so it is 0 on the grid."""
TERMS = 9
"""Of the series of exp(-r), r < 2^-16: the next one is below 2^-181."""


# The heart: what it takes to accept.  All else in this file reads the certificate and the rows, or is the same faster.
#
# z is a signed row, w the plane, p are positive weights; all numbers are exact.
# separable:        z·w > 0 for every row, z·w ≥ lo·‖w‖ and ‖z‖ ≤ radius.  ‖Σ p·z‖ ≤ hi·Σ p: as z·u ≥ m for all z gives
#                   m·Σ p ≤ ‖Σ p·z‖ for every u of length 1, no margin m is above hi.  The perceptron makes at most
#                   radius²/lo² updates (Novikoff).
# inseparable:      Σ p·z = 0 for the rows of the witness, so no w has z·w > 0 for all of them (Gordan).
# quasi-separable:  the same, and z·w ≥ 0 for every row, > 0 for exactly the rows that are named.
# cover:            Σ p·z = 0 for all rows with z·w = 0, the tied ones; so a plane with no row < 0 has none of them > 0.


class Verifier:
    """What spaces have in common: rows are taken in one by one, then a conclusion is drawn."""

    def __init__(self, claim: Any) -> None:
        self.claim, self.failure, self.tied = claim, "", 0
        self.strict = claim.verdict == "separable"
        self.kept: dict[int, WholeRow] = {}  # the rows that have a weight
        self.right_rows: list[int] = []  # the rows with z·w > 0

    def add_row(self, row: "SignedRow") -> None:
        """Take in one row."""
        raise NotImplementedError

    def sums_to_zero(self, p: dict[int, int], rest: int = 0) -> bool:
        """Whether Σ p_i·z_i = 0, with the weight ``rest`` for all tied rows that are not named."""
        raise NotImplementedError

    def interval(self) -> None:
        """Refuse unless the combination proves hi, and what else the margin is said to be."""
        raise NotImplementedError

    def wrong(self, what: str) -> None:
        """Note the first thing that is not as it was claimed."""
        self.failure = self.failure or what

    def take_part(self, rows: Collection[int]) -> None:
        """Refuse if a row that has a weight is of neither class."""
        others = set(rows) - self.kept.keys()
        require(not others, f"row {min(others, default=0)}, which has a weight, is of neither class")

    def conclusion(self) -> str:
        """What is proved, in a sentence."""
        claim, quasi = self.claim, self.claim.verdict == "quasi-separable"
        require(not self.failure, self.failure)
        self.take_part(claim.witness.keys() | claim.cover.keys() | claim.combination.keys())
        if self.strict:
            self.interval()
            most = claim.radius**2 // claim.lo**2
            require(claim.bound >= most, f"mistake_bound is {readable(claim.bound)}, but radius²/lo² is more")
            return proved_sentence(claim, 0)
        require(bool(claim.witness), "there is no witness, so a plane with every margin > 0 is not excluded")
        zero = self.sums_to_zero(claim.witness)
        require(zero, "the signed rows of the witness, with its weights, do not sum to zero")
        require(claim.rows == self.right_rows, "'rows' are not the rows with margin > 0")
        moves = bool(self.right_rows) == bool(claim.plane) == quasi
        require(moves, "quasi-separation, and only it, has a margin > 0")
        covered = not claim.rest or self.sums_to_zero(claim.cover, claim.rest)
        require(covered, "the tied rows, weighted by the cover, do not sum to zero")
        return proved_sentence(claim, self.tied)


class ExactVerifier(Verifier):
    """Planes in the rows themselves."""

    def __init__(self, claim: "Claim | SeparationClaim | PlaneView") -> None:
        super().__init__(claim)
        self.weighted = claim.witness.keys() | claim.cover.keys() | claim.combination.keys()
        self.square_of_plane = sum(v * v for v in claim.plane.values())
        self.tied_sum: dict[int, Fraction] = defaultdict(Fraction)  # of the tied rows that the cover does not name

    def add_row(self, row: "SignedRow") -> None:
        """Take in one row: its length, on which side of the plane it lies, whether it obeys the relations."""
        if row.i in self.weighted:
            self.kept[row.i] = whole_row(row)
        if self.strict:
            self.measure(row)
        self.place(row, *self.product(row, self.claim.plane))
        if self.claim.collinear and not self.obeys(row):
            self.wrong(f"row {row.i} does not satisfy a relation of 'collinear'")

    def product(self, row: "SignedRow", w: dict[int, int]) -> tuple[int, int]:
        """z·w as a ratio of whole numbers."""
        within = [(v, w[j]) for j, v in zip(row.columns, row.values, strict=True) if j in w]
        whole, over = over_one_denominator([v for v, _ in within])
        total = sum(v * c for v, (_, c) in zip(whole, within, strict=True)) + over * w.get(self.claim.columns, 0)
        return row.sign * total, over

    def place(self, row: "SignedRow", total: int, over: int) -> None:
        """The row's side of the plane, z·w = total/over."""
        lo, least = self.claim.lo, "> 0" if self.strict else ">= 0"
        if total < 0 or (self.strict and total == 0):
            margin = f"row {row.i} (label {row.sign:+d}) has margin {readable(total, over)}"
            self.wrong(f"{margin}; the claim needs every margin {least}")
        if total <= 0:
            self.add_tied(row)
        elif not self.strict:
            self.right_rows.append(row.i)
        elif (total * lo.denominator) ** 2 < (over * lo.numerator) ** 2 * self.square_of_plane:
            self.wrong(f"lo is {readable(lo)}, but row {row.i} is nearer to the plane")

    def measure(self, row: "SignedRow") -> None:
        """Refuse unless ‖z‖ ≤ radius."""
        (whole, over), radius = over_one_denominator(row.values), self.claim.radius
        square = sum(map(mul, whole, whole)) + self.claim.intercept * over**2
        if square * radius.denominator**2 > (over * radius.numerator) ** 2:
            self.wrong(f"radius is {readable(radius)}, but row {row.i} is longer")

    def obeys(self, row: "SignedRow") -> bool:
        """Whether z·v = 0 for every relation v."""
        return not any(self.product(row, relation)[0] for relation in self.claim.collinear)

    def add_tied(self, row: "SignedRow") -> None:
        """Count a tied row and, if the cover does not name it, add it to their sum."""
        self.tied += 1
        if self.claim.rest and row.i not in self.claim.cover:
            for j, v in zip(row.columns, row.values, strict=True):
                self.tied_sum[j] += row.sign * Fraction(v)
            self.tied_sum[self.claim.columns] += row.sign * self.claim.intercept

    def combine(self, p: dict[int, int]) -> tuple[dict[int, int], int]:
        """Σ p_i·z_i as whole numbers over one denominator."""
        over = lcm(*(self.kept[i].over for i in p))
        total: dict[int, int] = defaultdict(int)
        for i, weight in p.items():
            row = self.kept[i]
            factor = row.sign * weight * (over // row.over)
            for j, v in row.x.items():
                total[j] += factor * v
            if self.claim.intercept:
                total[self.claim.columns] += factor * row.over
        return total, over

    def sums_to_zero(self, p: dict[int, int], rest: int = 0) -> bool:
        """Whether Σ p_i·z_i = 0, with the weight ``rest`` for all tied rows that are not named."""
        total, over = self.combine(p)
        tied = self.tied_sum if rest else {}
        return all(total.get(j, 0) + rest * over * tied.get(j, 0) == 0 for j in total.keys() | tied.keys())

    def interval(self) -> None:
        """‖Σ p_i·z_i‖ ≤ hi·Σ p_i; what else is claimed was seen row by row."""
        claim, (total, over) = self.claim, self.combine(self.claim.combination)
        square, hi = sum(v * v for v in total.values()), claim.hi
        proved = square * hi.denominator**2 <= (over * sum(claim.combination.values()) * hi.numerator) ** 2
        require(proved, f"hi is {readable(hi)}, but the combination does not prove it")


# The answer, and what was asked.


class Verdict(NamedTuple):
    """Whether a certificate was accepted; what was found, or what failed and where; and the question it answers."""

    accepted: bool
    finding: str
    malformed: bool = False
    question: str = ""

    def __bool__(self) -> bool:
        return self.accepted

    @property
    def sentence(self) -> str:
        """What was found of which question."""
        return f"{self.finding} [{self.question}]" if self.question else self.finding


class RefusedError(ValueError):
    """The claim is not proved."""


def require(condition: bool, otherwise: str) -> None:
    """Refuse the claim unless the condition holds."""
    if not condition:
        raise RefusedError(otherwise)


def well_formed(condition: bool, otherwise: str) -> None:
    """Stop unless the certificate is written as the format has it."""
    if not condition:
        raise ValueError(otherwise)


class Asked(NamedTuple):
    """What the caller wants to know: without a positive class, the question that labels of two classes pose."""

    positive: Any = None
    negative: Any = None
    fit_intercept: bool = True
    kernel: Any = "linear"
    rounded: bool = False  # whether texts may be rounded to float64 numbers
    family: str | None = None  # of a regression


def check_proof(
    certificate: Any,
    rows: Iterable[Any],
    labels: Iterable[Any],
    asked: Asked | None = None,
    columns: int | None = None,
) -> Verdict:
    """Verify everything that a certificate (JSON text, or what it holds) claims of these rows and labels.

    A row is a sequence of numbers or a mapping {column: number}, of so many ``columns``.  Floats mean their exact
    value, texts the decimals written.  A label is compared by its text.  Without ``asked`` any question will do; the
    verdict says which it is.

    >>> check_proof('{"format": "something else"}', [], [])
    Verdict(accepted=False, finding="malformed: 'format' must be 'novikoff certificate'", malformed=True, question='')
    """

    def verify(claim: Claim | SeparationClaim | ErrorsClaim, texts: Labels) -> str:
        if isinstance(claim, SeparationClaim):
            return f"accepted: {verify_separation(claim, rows, texts)}"
        if isinstance(claim, ErrorsClaim):
            return f"accepted: {verify_errors(claim, rows, texts)}"
        verifier = LinearVerifier(claim) if claim.kernel is None else KernelVerifier(claim, claim.kernel)
        for row in signed_rows(claim, rows, texts):
            verifier.add_row(row)
        return f"accepted: {verifier.conclusion()}"

    return verdict_on(certificate, labels, asked, columns, verify)


def verdict_on(
    certificate: Any,
    labels: Iterable[Any],
    asked: Asked | None,
    columns: int | None,
    verify: "Callable[[Any, Labels], str]",
) -> Verdict:
    """The verdict on a certificate that is read, held to the question, and then verified."""
    question = ""
    try:
        texts = labels if isinstance(labels, Labels) else Labels(labels)
        read = isinstance(certificate, str | bytes)
        claim = read_claim(read_json(certificate) if read else certificate, (len(texts), columns))
        question = claim.question(Counter(texts), asked)
        claim.hold_question(set(texts.texts), asked)
        found = verify(claim, texts)
        return Verdict(found.startswith("accepted:"), found, found.startswith("malformed:"), question)
    except RefusedError as refusal:
        return Verdict(False, f"refused: {refusal}", question=question)
    except Exception as error:  # whatever the file holds, the answer is a sentence
        text = error if type(error) is ValueError else f"{type(error).__name__}: {error}"
        return Verdict(False, f"malformed: {text}", malformed=True, question=question)


def proved_sentence(claim: "Claim", tied: int) -> str:
    """What is proved of rows, of which so many are not moved, in words."""
    if claim.verdict == "separable":
        lo, hi = readable(claim.lo, rounding=ROUND_FLOOR), readable(claim.hi, rounding=ROUND_CEILING)
        return f"separable, every margin > 0, the best one at least {lo} and at most {hi}"
    right = len(claim.rows)
    proved = f"{claim.verdict}, no plane has every margin > 0" + (
        f", one has {right} > 0 and none < 0" if right else ""
    )
    if not claim.rest:
        return proved + ("" if right else "; whether one has none < 0 is not claimed")
    return proved + (f"; none moves the other {rows_text(tied)}" if right else ", nor some > 0 and none < 0 (overlap)")


def read_claim(c: Any, size: tuple[int, int | None] | None = None) -> "Claim | SeparationClaim | ErrorsClaim":
    """What a certificate claims: that classes separate or not, by how many errors, or what the estimates are."""
    name = c.get("format") if type(c) is dict else None
    if name == "novikoff separation":
        return SeparationClaim(c, size)
    return ErrorsClaim(c, size) if name == "novikoff fewest errors" else Claim(c, size)


def read_json(text: str | bytes) -> Any:
    """What a JSON text in UTF-8 holds; the format has no fractions, and no key twice."""
    text = text.decode() if isinstance(text, bytes) else text

    def no_float(number: str) -> Any:
        raise ValueError(f"{number[:20]} is no whole number")

    def no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        well_formed(len(members) == len(pairs), "a key occurs twice")
        return members

    return json.loads(text, parse_float=no_float, parse_constant=no_float, object_pairs_hook=no_key_twice)


# The claim: the fields of a certificate, read strictly.

FIELDS = {
    *("format", "version", "verdict", "numbers", "positive", "negative", "fit_intercept", "data", "names", "kernel"),
    *("plane", "rows", "witness", "cover", "margin", "collinear", "seal"),
}
WHOLE = re.compile(rf"0|-?[1-9][0-9]{{0,{DECIMAL_DIGITS - 1}}}|-?0x[1-9a-f][0-9a-f]*", re.ASCII)
PLACE = re.compile(r"0|[1-9][0-9]{0,9}", re.ASCII)
SEAL_BROKEN = "the certificate was changed after it was written: its seal is another"
READING = {
    **dict.fromkeys(("target", "formula", "delimiter", "encoding", "decimal"), str),
    **dict.fromkeys(("header", "drop_incomplete"), bool),
    **dict.fromkeys(("missing", "categorical", "drop", "rewritten"), list),
}
"""What may be said of how a file was read; it is for who reads it again, and claims nothing."""


class Numerals:
    """Numbers from the one text that each of them has; all texts together have no more than so many characters."""

    def __init__(self, room: int) -> None:
        self.room = room

    def vector(self, texts: Any, limit: int, name: str) -> dict[int, int]:
        """{place: whole number other than 0}."""
        well_formed(type(texts) is dict, f"the {name} must be an object")
        places = all(type(place) is str and PLACE.fullmatch(place) for place in texts)
        numbers = {int(place): self.whole(text) for place, text in texts.items()} if places else {0: 0}
        within = max(numbers, default=-1) < limit and all(numbers.values())
        well_formed(places and within, f"the {name} has a place outside of the data, or not written plainly, or a zero")
        return numbers

    def whole(self, text: Any) -> int:
        """A whole number from the one text that it has."""
        well_formed(type(text) is str, f"{short(text)} is not the text of a whole number")
        self.room -= len(text)
        require(self.room >= 0 and len(text) <= LONGEST, "its numbers are longer than a checker need read")
        number = int(text, 0) if WHOLE.fullmatch(text) else None
        plain = number is not None and ("x" in text) == (abs(number) >= LONG)
        well_formed(plain, f"{short(text)} is not how a whole number is written")
        return number or 0

    def ratio(self, text: Any) -> Fraction:
        """A ratio of whole numbers in lowest terms."""
        above, stroke, below = text.partition("/") if type(text) is str else ("", "", "")
        n, d = self.whole(above), self.whole(below) if stroke else 1
        plain = (d > 1 or not stroke) and gcd(n, d) == 1
        well_formed(d > 0 and plain, f"{short(text)} is not how a ratio is written")
        return Fraction(n, d)


class CertificateReader:
    """What both kinds of certificate have in common, as exact numbers; ValueError if it is not as the format has it."""

    def read_heading(
        self, c: dict[str, Any], names: set[str], versions: tuple[int, ...], verdicts: Sequence[str]
    ) -> None:
        """The fields are these, it was not changed, and it claims something."""
        known = type(c.get("version")) is int and c["version"] in versions
        well_formed(known, f"'version' must be {', or '.join(map(str, versions))}")
        fields(c, names | ({"reading"} & c.keys()), "the certificate")
        reading_of(c)
        well_formed(c["seal"] == seal(c), SEAL_BROKEN)
        known = c["verdict"] in verdicts
        require(known, f"the verdict {short(c['verdict'])} claims nothing that could be checked")
        self.verdict: str = c["verdict"]

    def read_data(self, c: dict[str, Any], size: tuple[int, int | None] | None, response: str) -> None:
        """The data it is about, which are of this size, with the digest of their ``response``."""
        well_formed(c["numbers"] in ("float64", "decimal"), "'numbers' must be float64 or decimal")
        self.decimal = c["numbers"] == "decimal"
        data = fields(c["data"], {"rows", "columns", "values", response}, "'data'")
        self.n, self.given = data["rows"], data["columns"]
        sizes = all(type(size) is int and 0 <= size < 2**32 for size in (self.n, self.given))
        well_formed(sizes, "'rows' and 'columns' of 'data' must be whole numbers below 2^32")
        fits = size is None or (self.n == size[0] and size[1] in (None, self.given))
        require(fits, f"it is of {self.n} rows and {self.given} columns, which these data do not have")
        self.numerals = Numerals(CHARACTERS + CHARACTERS_EACH * (self.n + self.given))
        self.digests = data["values"], data[response]
        well_formed(all(type(text) is str for text in self.digests), "digests must be texts")
        well_formed(type(c["fit_intercept"]) is bool, "'fit_intercept' must be true or false")
        self.names = c["names"]
        named = type(self.names) is list and all(type(name) is str for name in self.names)
        well_formed(self.names is None or (named and len(self.names) == self.given), "'names' must name the columns")

    def read_rows(self, rows: Any, limit: int) -> None:
        """The rows that a plane moves."""
        ordered = type(rows) is list and all(type(row) is int for row in rows) and rows == sorted(set(rows))
        within = ordered and not (rows and not 0 <= rows[0] <= rows[-1] < limit)
        well_formed(within, "'rows' must be numbers of rows in increasing order")
        self.rows: list[int] = rows

    def read_cover(self, cover: Any, limit: int) -> None:
        """The weights of the tied rows."""
        fields(cover, {"weights", "rest"}, "'cover'")
        self.cover = self.numerals.vector(cover["weights"], limit, "cover")
        self.rest = self.numerals.whole(cover["rest"])  # of every tied row that the cover does not name


class TwoClasses(CertificateReader):
    """What a certificate of planes between two classes says of its question."""

    columns: int
    kernel: "KernelSpace | None" = None

    def read_classes(self, c: dict[str, Any]) -> None:
        """The classes, and whether planes have an intercept."""
        texts = (c["positive"], "" if c["negative"] is None else c["negative"])
        well_formed(all(type(text) is str for text in texts), "classes must be texts")
        self.positive: str = c["positive"]
        self.negative: str | None = c["negative"]
        self.intercept: bool = c["fit_intercept"]

    def question(self, counts: Mapping[str, int], asked: Asked | None) -> str:
        """What it answers, in words."""
        return stated_question(self, counts, asked)

    def hold_question(self, classes: set[str], asked: Asked | None) -> None:
        """Refuse if it answers another question than the one asked."""
        hold_question(self, classes, asked)


class Claim(TwoClasses):
    """What a certificate says of two classes."""

    def __init__(self, c: Any, size: tuple[int, int | None] | None = None) -> None:
        known_format = type(c) is dict and c.get("format") == "novikoff certificate"
        well_formed(known_format, "'format' must be 'novikoff certificate'")
        self.read_heading(c, FIELDS, (3, 2), ("separable", "quasi-separable", "inseparable"))
        self.read_data(c, size, "signs")
        self.columns = self.given
        self.read_classes(c)
        self.kernel = None if c["kernel"] is None else KernelSpace.read(c["kernel"], self.numerals)
        width, vector = self.columns + self.intercept, self.numerals.vector
        self.plane = vector(c["plane"], width if self.kernel is None else self.n, "plane")
        well_formed(type(c["collinear"]) is list, "'collinear' must be a list")
        require(len(c["collinear"]) <= min(width, RELATIONS), f"there are more than {RELATIONS} relations, or columns")
        self.collinear = [vector(relation, width, "relation") for relation in c["collinear"]]
        well_formed(all(self.collinear), "a relation is empty")
        self.witness = vector(c["witness"], self.n, "witness")
        self.read_cover(c["cover"], self.n)
        require(bool(self.rest) or not self.cover, "a cover without a rest claims nothing")
        self.read_rows(c["rows"], self.n)
        self.read_margin(c["margin"])
        signed = (*self.witness.values(), *self.cover.values(), *self.combination.values(), self.rest + 1)
        require(min(signed) > 0, "a weight of the witness, the cover or the combination is not positive")

    def read_margin(self, margin: Any) -> None:
        """The interval of the margin, the radius, the bound, and the combination that proves the upper end."""
        require((margin is None) == (self.verdict != "separable"), "a margin is claimed of separable rows only")
        self.combination: dict[int, int] = {}
        self.lo = self.hi = self.radius = Fraction(0)
        self.bound = 0
        if margin is not None:
            fields(margin, {"lo", "hi", "radius", "mistake_bound", "combination"}, "'margin'")
            self.lo, self.hi, self.radius = (self.numerals.ratio(margin[name]) for name in ("lo", "hi", "radius"))
            self.bound = self.numerals.whole(margin["mistake_bound"])
            self.combination = self.numerals.vector(margin["combination"], self.n, "combination")
            require(0 < self.lo <= self.hi and self.radius > 0, "lo, hi and radius are not positive, or lo is above hi")
            require(bool(self.plane and self.combination), "a margin needs a plane and a combination")
            require(not (self.witness or self.cover or self.rest or self.rows), "separable rows have no witness")


class KernelSpace(NamedTuple):
    """(γ·x·x' + coef0)^degree, or exp(−γ‖x − x'‖²)."""

    name: str
    gamma: Fraction
    degree: int
    coef0: Fraction

    @staticmethod
    def read(c: Any, numerals: Numerals) -> "KernelSpace":
        """The kernel of a certificate."""
        fields(c, {"name", "gamma", "degree", "coef0"}, "'kernel'")
        degree = c["degree"]
        kernel = KernelSpace(c["name"], numerals.ratio(c["gamma"]), degree, numerals.ratio(c["coef0"]))
        well_formed(kernel.name in ("poly", "rbf"), "the kernel must be 'poly' or 'rbf'")
        well_formed(type(degree) is int and degree >= 1, "the degree of the kernel must be a positive whole number")
        well_formed(kernel.name == "poly" or kernel[2:] == (1, Fraction(0)), "'rbf' has degree 1 and coef0 0")
        require(degree <= DEGREE, f"the degree of the kernel is above {DEGREE}")
        require(kernel.gamma > 0 and kernel.coef0 >= 0, "a kernel with gamma <= 0 or coef0 < 0 need not be one")
        return kernel

    def __str__(self) -> str:
        more = "" if self.name == "rbf" else f", degree {self.degree}, coef0 {readable(self.coef0)}"
        return f"{self.name} kernel, gamma {readable(self.gamma)}{more}"


def fields(part: Any, names: set[str], what: str) -> Any:
    """An object that has these fields and no others."""
    well_formed(type(part) is dict and part.keys() == names, f"{what} must have the fields {', '.join(sorted(names))}")
    return part


def reading_of(c: Any) -> dict[str, Any]:
    """How the file was read that a certificate was made of, as far as it says."""
    if type(c) is not dict or "reading" not in c:
        return {}
    reading = c["reading"]
    known = type(reading) is dict and all(type(value) is READING.get(name) for name, value in reading.items())
    values = [value for value in reading.values() if type(value) is not bool] if known else []
    texts = known and all(
        type(text) is str and text for each in values for text in ([each] if type(each) is str else each)
    )
    well_formed(texts and len(reading.get("delimiter", ",")) == 1, "'reading' must say how a file was read")
    well_formed(reading.get("decimal", ".") in (",", "."), "'decimal' of 'reading' must be a comma or a point")
    return dict(reading)


def common_reading(claims: Any) -> dict[str, Any]:
    """How the file was read that proofs were made of, as far as they say: one and the same, by their seals."""
    claims = claims if type(claims) is list else [claims]
    readings = [reading_of(c) for c in claims] or [{}]
    well_formed(readings.count(readings[0]) == len(readings), "the proofs say that their file was read in several ways")
    for c in claims if readings[0] else []:
        well_formed(c.get("seal") == seal(c), SEAL_BROKEN)
    return readings[0]


def seal(c: dict[str, Any]) -> str:
    """The digest of all other fields."""
    text = json.dumps({k: v for k, v in c.items() if k != "seal"}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def short(value: Any) -> str:
    """Something unexpected, in few characters."""
    text = repr(value[:40] if isinstance(value, str) else value)
    return text if len(text) <= 50 else text[:40] + "…"


def readable(value: Fraction | int, over: int = 1, rounding: str = ROUND_HALF_EVEN) -> str:
    """A ratio for people: exact if it is short, else six digits."""
    n, d = value.numerator, value.denominator * over
    if max(abs(n), d) < 10**6:
        return str(Fraction(n, d))
    cut = max(min(n.bit_length(), d.bit_length()) - 100, 0)  # bits of both that six digits hardly depend on
    above, below = (n >> cut) + (rounding == ROUND_CEILING), (d >> cut) + (rounding == ROUND_FLOOR)
    digits = Context(prec=6, rounding=rounding, Emin=-(10**9), Emax=10**9)
    return f"{digits.divide(Decimal(above), Decimal(below)):.6g}"


# The question: which rows are of which class, and whether it is the one that was asked.


def sides(positive: str, negative: str | None, classes: Iterable[str]) -> dict[str, int]:
    """+1, −1 or 0, which takes no part, for every class."""
    return {c: 1 if c == positive else -1 if negative in (None, c) else 0 for c in classes}


def stated_question(claim: TwoClasses, counts: Mapping[str, int], asked: Asked | None) -> str:
    """The classes with their numbers of rows and the kind of planes; both classes must occur."""
    side = sides(claim.positive, claim.negative, counts)
    plus, minus, out = (sum(n for c, n in counts.items() if side[c] == sign) for sign in (1, -1, 0))
    against = "the rest" if claim.negative is None else f"label {clipped(claim.negative)}"
    about = f"label {clipped(claim.positive)}"
    require(claim.positive != claim.negative, f"it asks for {about} against itself")
    require(plus > 0 and minus > 0, f"it asks for {about} ({rows_text(plus)}) against {against} ({rows_text(minus)})")
    planes = "planes with an intercept" if claim.intercept else "planes through the origin"
    space = f" in the feature space of the {claim.kernel}" if claim.kernel else ""
    others = f", {rows_text(out)} of other labels left out" if out else ""
    meant = "; numbers rounded to float64" if asked and asked.rounded and not claim.decimal else ""
    return f"{about} ({rows_text(plus)}) against {against} ({rows_text(minus)}){others}; {planes}{space}{meant}"


def clipped(text: str) -> str:
    """A label as it can be printed."""
    return text if len(text) <= 60 and text.isprintable() else short(text)


def rows_text(count: int) -> str:
    """So many rows, in words."""
    return f"{count} row{'' if count == 1 else 's'}"


def hold_question(claim: TwoClasses, classes: set[str], asked: Asked | None) -> None:
    """Refuse a claim that answers another question than the one asked."""
    if asked is None:
        return
    for label in (asked.positive, asked.negative):
        known = ", ".join(map(clipped, sorted(classes)[:10])) + (", …" if len(classes) > 10 else "")
        require(label is None or str(label) in classes, f"no row has the label {clipped(str(label))}, but {known}")
    require(asked.positive is not None or asked.negative is None, "a question that names negative names positive too")
    if asked.positive is None:
        several = f"the labels are of {len(classes)} classes and pose several questions, of which it answers one"
        require(len(classes) == 2, f"{several}; name it with positive (and negative)")
        wanted = sides(min(classes), None, classes)
    else:
        wanted = sides(str(asked.positive), None if asked.negative is None else str(asked.negative), classes)
    found = sides(claim.positive, claim.negative, classes)
    same = found in (wanted, {c: -side for c, side in wanted.items()})  # which class is called positive is all one
    require(same, "it answers another question than the one asked")
    kinds = "with an intercept", "through the origin"
    wanted_kind, found_kind = kinds[not asked.fit_intercept], kinds[not claim.intercept]
    require(wanted_kind == found_kind, f"it speaks of planes {found_kind}, but asked was of planes {wanted_kind}")
    space = f"the feature space of the {claim.kernel}" if claim.kernel else "the rows themselves"
    require(same_kernel(claim.kernel, asked.kernel), f"it speaks of planes in {space}, but asked was of another space")


def same_kernel(kernel: KernelSpace | None, asked: Any) -> bool:
    """Whether a kernel is the one asked for: by its name, or by all that a certificate has of it."""
    if kernel is None or asked in (None, "linear"):
        return kernel is None and asked in (None, "linear")
    if isinstance(asked, str):
        return kernel.name == asked
    return kernel == KernelSpace.read(dict(asked), Numerals(CHARACTERS))


# The rows: exact numbers, their digests, and the sign of each.


class SignedRow(NamedTuple):
    """Row i: z = sign·[x; 1], with the entries of x that may not be zero."""

    i: int
    sign: int
    columns: Sequence[int]
    cells: Sequence[Any]
    floats: Sequence[float] = ()  # the same numbers, if they are float64

    @property
    def values(self) -> Sequence[Any]:
        """The same numbers, exactly."""
        return self.cells if self.floats else list(map(rational, self.cells))

    @property
    def near(self) -> Sequence[float]:
        """The float64 numbers nearest to them; inf instead if one is beyond them."""
        try:
            return self.floats or tuple(map(float, self.cells))
        except OverflowError:
            return (inf,) * len(self.cells)


class Labels(Sequence[str]):
    """The texts of labels, each text kept once, so that there can be many."""

    def __init__(self, labels: Iterable[Any]) -> None:
        numbers: dict[str, int] = {}
        self.numbers = array("I", (numbers.setdefault(str(label), len(numbers)) for label in labels))
        self.texts = list(numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, i: Any) -> Any:
        return self.texts[self.numbers[i]]

    def __iter__(self) -> Iterator[str]:
        return map(self.texts.__getitem__, self.numbers)


def signed_rows(claim: TwoClasses, rows: Iterable[Any], labels: Labels) -> Iterator[SignedRow]:
    """The rows that take part, one by one; after the last one the digests of all are compared."""
    side = sides(claim.positive, claim.negative, set(labels.texts))
    signs = array("b", map(side.__getitem__, labels))
    digest = hashlib.sha256(bytes(b"-0+"[s + 1] for s in signs)).hexdigest()
    require(len(labels) == claim.n and digest == claim.digests[1], OTHER_LABELS)
    yield from (row for row in rows_with_signs(claim, claim.columns, rows, signs) if row.sign)


OTHER_LABELS = "the labels are not those of the certificate: their digests differ"


def rows_with_signs(claim: Any, width: int, rows: Iterable[Any], signs: Sequence[int]) -> Iterator[SignedRow]:
    """All rows, of so many columns; after the last one their digests are compared."""
    values, read, count = hashlib.sha256(), read_decimals if claim.decimal else read_floats, 0
    everywhere: Sequence[int] = range(width)
    for count, given in enumerate(rows, start=1):
        if count > claim.n:
            raise RefusedError(f"there are {claim.n} labels, but more rows")
        columns, cells = (everywhere, given) if type(given) in (list, tuple, memoryview) else entries(given, width)
        if len(columns) != len(cells) or (columns and columns[-1] >= width):
            raise RefusedError(f"row {count - 1} does not have the {width} columns of the certificate")
        digested, row = read(count - 1, signs[count - 1], columns, cells)
        values.update(digested)
        yield row
    same = count == claim.n and values.hexdigest() == claim.digests[0]
    require(same, "the rows are not those of the certificate: their digests differ")


@lru_cache(4)
def full_heading(width: int) -> bytes:
    """What is digested of the columns of a row without zeros."""
    return columns_digest(range(width))


def columns_digest(columns: Sequence[int]) -> bytes:
    """What is digested of the columns of a row of float64 numbers."""
    return struct.pack(f"<I{len(columns)}I", len(columns), *columns)


class SparseRow(NamedTuple):
    """The columns of a row in which it may not be zero, each larger than the one before, and what it has in them."""

    columns: list[int]
    cells: list[Any]


def entries(given: Any, width: int) -> SparseRow:
    """The columns and numbers of a row that is a mapping, sparse, or any sequence."""
    if type(given) is SparseRow:
        return given
    if not isinstance(given, Mapping):
        return SparseRow(list(range(width)), list(given))
    columns = sorted(given)
    whole = all(type(j) is int and j >= 0 for j in columns)
    require(whole, "a row has columns that are not whole numbers from 0 on")
    return SparseRow(columns, [given[j] for j in columns])


@lru_cache(2**12)
def doubles(count: int) -> struct.Struct:
    """So many float64 numbers as bytes."""
    return struct.Struct(f"<{count}d")


def read_floats(i: int, sign: int, columns: Sequence[int], cells: Sequence[Any]) -> tuple[bytes, SignedRow]:
    """What is digested of a row of float64 numbers, and the row without its zeros."""
    packed = b""
    if type(cells) is memoryview:  # float64 numbers in memory need not be packed
        packed, cells = cells.tobytes() if cells.format == "d" and sys.byteorder == "little" else b"", cells.tolist()
    if not all(cells):
        columns, cells, packed = list(compress(columns, cells)), list(filter(None, cells)), b""
    floats = cells
    if not packed:
        form = doubles(len(cells))
        packed = form.pack(*cells)
        floats = form.unpack(packed)
    same = floats is cells or floats == tuple(cells)
    if not (same and (isfinite(sum(floats)) or all(map(isfinite, floats)))):
        raise RefusedError(f"row {i} has numbers that are not float64")
    heading = full_heading(len(columns)) if type(columns) is range else columns_digest(columns)
    return heading + packed, SignedRow(i, sign, columns, cells, floats)


def read_decimals(i: int, sign: int, columns: Sequence[int], cells: Sequence[Any]) -> tuple[bytes, SignedRow]:
    """What is digested of a row of rational numbers, and the row without its zeros."""
    texts = tuple(map(IN_LOWEST_TERMS.__getitem__, cells))
    if not all(texts):
        columns, cells, texts = list(compress(columns, texts)), list(compress(cells, texts)), tuple(filter(None, texts))
    parts = full_form(len(columns)).copy() if type(columns) is range else columns_form(columns)
    parts[1::2] = texts
    return "".join(parts).encode(), SignedRow(i, sign, columns, cells)


@lru_cache(4)
def full_form(width: int) -> list[str]:
    """What is digested of a row of rational numbers without zeros, but for the numbers."""
    return columns_form(range(width))


def columns_form(columns: Sequence[int]) -> list[str]:
    """What is digested of a row that has these columns: every other part is room for a number."""
    parts = [part for j in columns for part in (f" {j}:", "")]
    return [parts[0][1:], *parts[1:], "\n"] if parts else ["\n"]


class LowestTerms(dict[Any, str]):
    """Numbers of the data in lowest terms as they are digested, "" of 0; so many are kept."""

    def __missing__(self, value: Any) -> str:
        above, below = lowest_terms(value)
        if len(self) >= KEPT:
            self.clear()
        self[value] = text = f"{above}/{below}" if above else ""
        return text


IN_LOWEST_TERMS = LowestTerms()


def lowest_terms(value: Any) -> tuple[int, int]:
    """A number of the data as a ratio of whole numbers; a text means the decimal written."""
    if not isinstance(value, str):
        return Fraction(value).as_integer_ratio()
    well_formed(bool(NUMBER.fullmatch(value)), f"{short(value)} in the data is not a number")
    whole, _, part = value.partition(".")
    if "e" in value or "E" in value:
        return Fraction(value).as_integer_ratio()
    above, below = int(whole + part), 10 ** len(part)
    divisor = gcd(above, below)
    return above // divisor, below // divisor


def rational(value: Any) -> Fraction:
    """A number of the data."""
    return Fraction(*lowest_terms(value))


def over_one_denominator(values: Sequence[Any]) -> tuple[list[int], int]:
    """Numbers as whole numbers over their least common denominator."""
    whole = list(map(int, values))
    if whole == list(values):
        return whole, 1
    ratios = [v.as_integer_ratio() for v in values]
    over = lcm(*(d for _, d in ratios))
    return [n * (over // d) for n, d in ratios], over


class WholeRow(NamedTuple):
    """z·over in whole numbers, without the intercept's."""

    sign: int
    x: dict[int, int]
    over: int


def whole_row(row: SignedRow) -> WholeRow:
    """A row in whole numbers."""
    whole, over = over_one_denominator(row.values)
    return WholeRow(row.sign, dict(zip(row.columns, whole, strict=True)), over)


# The same, faster: floats show most rows to be right, and whole numbers decide the others.


class LinearVerifier(ExactVerifier):
    """Planes in the rows themselves, by floats where these leave no doubt."""

    def __init__(self, claim: "Claim | SeparationClaim | PlaneView") -> None:
        super().__init__(claim)
        self.tied_values: dict[int, list[Any]] = defaultdict(list)  # those that are not in tied_sum yet
        self.held = 0  # how many
        self.related: dict[int, list[tuple[int, int]]] = defaultdict(list)  # by column: relations, and weights in them
        for r, relation in enumerate(claim.collinear):
            for j, weight in relation.items():
                self.related[j].append((r, weight))
        top = max((v.bit_length() for v in claim.plane.values()), default=0)
        self.floats = {j: v / 2**top for j, v in claim.plane.items()}  # the plane divided by 2^top, so ‖w‖ >= 1/2
        self.norm = hypot(*self.floats.values())
        self.offset = self.floats.pop(claim.columns, 0.0)
        needed = above(claim.lo.numerator**2 * self.square_of_plane, claim.lo.denominator**2 * 4**top)
        self.needed = max(sqrt(needed) * (1 + SLIGHTLY), TINY)  # lo·‖w‖, from above
        self.short = below(claim.radius)
        listed = claim.columns if claim.plane and claim.columns <= BLOCK else 0
        self.dense = tuple(self.floats.get(j, 0.0) for j in range(listed))

    def add_row(self, row: SignedRow) -> None:
        """Take in one row."""
        tied = not (self.claim.plane or self.strict)  # z·0 = 0
        near = row.near if self.claim.plane else ()
        length = hypot(*near, self.claim.intercept) if self.claim.plane else inf
        if not tied and (
            length == inf or (self.strict and not length <= self.short) or not self.clearly_right(row, near, length)
        ):
            super().add_row(row)
            return
        if row.i in self.weighted:
            self.kept[row.i] = whole_row(row)
        if tied:
            self.add_tied(row)
        elif not self.strict:
            self.right_rows.append(row.i)
        if self.related and not self.obeys(row):
            self.wrong(f"row {row.i} does not satisfy a relation of 'collinear'")

    def clearly_right(self, row: SignedRow, near: Sequence[float], length: float) -> bool:
        """Whether floats prove that z·w is more than the claim needs; inf and nan prove nothing."""
        full = bool(self.dense) and len(near) == len(self.dense)  # of very wide rows the plane is not written out
        if full and self.clearly_near(row, near, length):
            return True
        if full:
            score = sum(map(mul, near, self.dense))
        elif self.dense:
            score = sum(map(mul, near, map(self.dense.__getitem__, row.columns)))
        else:
            score = sum(map(mul, near, map(self.floats.get, row.columns, repeat(0.0))))
        off = (2 * len(near) + 16) * ROUNDING * length * self.norm + TINY
        return isfinite(score) and row.sign * (score + self.offset) - off > self.needed

    def clearly_near(self, row: SignedRow, near: Sequence[float], length: float) -> bool:
        """The same by 2z·w = ‖z‖² + ‖w‖² − ‖z − w‖², which is quicker and, of thin margins, coarser."""
        across, beside, both = dist(near, self.dense), self.claim.intercept - self.offset, length + self.norm
        score = (length * length + self.norm * self.norm - across * across - beside * beside) / 2
        off = 32 * ROUNDING * both * both + TINY
        return isfinite(score) and row.sign * score - off > self.needed

    def obeys(self, row: SignedRow) -> bool:
        """Whether z·v = 0 for every relation v."""
        within = [(v, self.related[j]) for j, v in zip(row.columns, row.values, strict=True) if j in self.related]
        whole, over = over_one_denominator([v for v, _ in within])
        total = [over * relation.get(self.claim.columns, 0) for relation in self.claim.collinear]
        for v, (_, relations) in zip(whole, within, strict=True):
            for r, weight in relations:
                total[r] += v * weight
        return not any(total)

    def add_tied(self, row: SignedRow) -> None:
        """Count a tied row and, if the cover does not name it, keep it until many are summed up."""
        self.tied += 1
        if not self.claim.rest or row.i in self.claim.cover:
            return
        for j, v in zip(row.columns, row.values if self.claim.decimal else row.floats, strict=True):
            self.tied_values[j].append(row.sign * v)
        if self.claim.intercept:
            self.tied_values[self.claim.columns].append(row.sign)
        self.held += len(row.columns) + 1
        if self.held > BLOCK:
            self.sum_up()

    def sum_up(self) -> None:
        """The sum of the tied rows so far."""
        for j, values in self.tied_values.items():
            self.tied_sum[j] += fraction_sum(values) if self.claim.decimal else exact_sum(values)
        self.tied_values.clear()
        self.held = 0

    def sums_to_zero(self, p: dict[int, int], rest: int = 0) -> bool:
        """Whether Σ p_i·z_i = 0, with the weight ``rest`` for all tied rows that are not named."""
        self.sum_up()
        return super().sums_to_zero(p, rest)


def fraction_sum(values: Sequence[Any]) -> Fraction:
    """The sum of any numbers."""
    whole, over = over_one_denominator(values)
    return Fraction(sum(whole), over)


def exact_sum(values: list[float]) -> Fraction:
    """The sum of floats: fsum rounds it once, so the sum of all values less what fsum gave is what is left."""
    parts: list[float] = []
    try:
        while part := fsum([*values, *(-part for part in parts)]):
            parts.append(part)
    except OverflowError:  # on the way, of numbers near the largest float
        return fraction_sum(values)
    return fraction_sum(parts)


def above(n: int, d: int) -> float:
    """A float that is not below n/d."""
    try:
        return n / d * (1 + SLIGHTLY) + TINY
    except OverflowError:
        return inf


def below(value: Fraction) -> float:
    """A float that is less by some roundings; where floats are coarse, no row is clearly right."""
    try:
        return value.numerator / value.denominator * (1 - 8 * ROUNDING)
    except OverflowError:
        return sys.float_info.max / 2


class Gram:
    """The products z_i·z_j of rows in the feature space of a kernel, as whole numbers of 1/scale.

    Those of a polynomial kernel are exact.  exp is off by less than 1/scale, unless it is exp(0).
    """

    def __init__(self, kernel: KernelSpace, intercept: bool, rows: Mapping[int, WholeRow], pairs: int) -> None:
        self.kernel, over = kernel, lcm(*(row.over for row in rows.values()))
        self.signs = {i: row.sign for i, row in rows.items()}
        self.rows = {i: {j: v * (over // row.over) for j, v in row.x.items()} for i, row in rows.items()}
        self.unit = kernel.gamma.denominator * kernel.coef0.denominator * over**2
        self.limit(pairs)
        self.rounded = kernel.name == "rbf"
        self.scale = 2**GRID if self.rounded else self.unit**kernel.degree
        self.extra = intercept * self.scale
        self.seen: dict[int, tuple[list[int], list[int]]] = {}
        self.squares = [sum(v * v for v in x.values()) for x in self.rows.values()]
        self.by_column: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for at, x in enumerate(self.rows.values()):
            for j, v in x.items():
                self.by_column[j].append((at, v))
        n, d = kernel.gamma.numerator, kernel.gamma.denominator * over**2
        self.shift = max(FINE + 64 - n.bit_length() + d.bit_length(), 0)
        self.rate = (n << self.shift) // d  # γ/over² in whole numbers of 2^-shift, to 256 bits

    def limit(self, pairs: int) -> None:
        """Refuse what would take too long."""
        longest = max((v.bit_length() for x in self.rows.values() for v in x.values()), default=1)
        widest = max(map(len, self.rows.values()), default=1)
        parameters = self.kernel.gamma.numerator.bit_length() + self.kernel.coef0.numerator.bit_length()
        bits = 2 * longest + widest.bit_length() + parameters + self.unit.bit_length()
        require(pairs <= PAIRS, f"it rests on the kernel of {pairs} pairs of rows, and {PAIRS} are the most")
        bits *= self.kernel.degree
        few = bits <= KERNEL_VALUE_BITS and pairs * bits <= KERNEL_BITS
        require(few, "its kernel values are longer than a checker need compute")

    def products(self, i: int) -> tuple[list[int], list[int]]:
        """z_i·z_j for every row j, and the places of the rows equal to row i, whose products are exact."""
        if i in self.seen:
            return self.seen[i]
        dots = [0] * len(self.rows)
        for j, v in self.rows[i].items():
            for at, other in self.by_column[j]:
                dots[at] += v * other
        square = sum(v * v for v in self.rows[i].values())
        values, equal = self.gaussian(dots, square) if self.rounded else (self.polynomial(dots), [])
        sign, extra = self.signs[i], self.extra
        values = [sign * other * (value + extra) for value, other in zip(values, self.signs.values(), strict=True)]
        if self.rounded:
            self.seen[i] = values, equal
        return values, equal

    def polynomial(self, dots: list[int]) -> list[int]:
        """(γ·x·x' + coef0)^degree."""
        gamma, coef0, degree = self.kernel.gamma, self.kernel.coef0, self.kernel.degree
        factor, shift = gamma.numerator * coef0.denominator, coef0.numerator * (self.unit // coef0.denominator)
        return [(factor * dot + shift) ** degree for dot in dots]

    def gaussian(self, dots: list[int], square: int) -> tuple[list[int], list[int]]:
        """exp(−γ‖x − x'‖²), and where x = x'."""
        rate, shift, vanishes = self.rate, self.shift, VANISHES << self.shift
        apart = [square + other - 2 * dot for dot, other in zip(dots, self.squares, strict=True)]
        values = [exp_minus(x << FINE >> shift) if (x := a * rate) < vanishes else 0 for a in apart]
        equal = [at for at, a in enumerate(apart) if not a]
        for at in equal:
            values[at] = self.scale
        return values, equal

    def combine(self, w: Mapping[int, int]) -> dict[int, tuple[int, int]]:
        """z_i·Σ w_j·z_j for every row i, and how far it may be off."""
        totals = [0] * len(self.rows)
        offs = [sum(map(abs, w.values())) if self.rounded else 0] * len(self.rows)
        for j, weight in w.items():
            values, equal = self.products(j)
            totals = list(map(add, totals, map(mul, values, repeat(weight))))
            for at in equal:
                offs[at] -= abs(weight)
        return dict(zip(self.rows, zip(totals, offs, strict=True), strict=True))

    def square(self, w: Mapping[int, int], combined: Mapping[int, tuple[int, int]] | None = None) -> int:
        """‖Σ w_i·z_i‖², from above."""
        combined = combined or self.combine(w)
        return sum(weight * combined[i][0] + abs(weight) * combined[i][1] for i, weight in w.items())

    def longest(self) -> int:
        """The largest ‖z_i‖²."""
        if self.rounded:
            return self.scale + self.extra
        return max(self.polynomial(self.squares)) + self.extra


def exp_minus(x: int) -> int:
    """exp(-x), x a whole number of 2^-FINE, as a whole number of 2^-GRID: off by less than one of them.

    exp(-x) = exp(-a)·exp(-b/2^8)·exp(-c/2^16)·exp(-r), where r < 2^-16; all in whole numbers of 2^-FINE, rounded fewer
    than fifty times.
    """
    wholes, eighths, sixteenths = exp_tables()
    a, b, c = x >> FINE, x >> (FINE - 8) & 255, x >> (FINE - 16) & 255
    r = x & ((1 << (FINE - 16)) - 1)
    series = one = 1 << FINE
    for k in range(TERMS, 0, -1):
        series = one - (r * series >> FINE) // k
    value = (wholes[a] * eighths[b] >> FINE) * sixteenths[c] >> FINE
    return ((value * series >> FINE) + (1 << (FINE - GRID - 1))) >> (FINE - GRID)


@cache
def exp_tables() -> tuple[list[int], ...]:
    """exp(-k), exp(-k/2^8) and exp(-k/2^16) in whole numbers of 2^-FINE."""
    digits = Context(prec=80, Emin=-999, Emax=999)

    def entry(k: int, over: int) -> int:
        return int(digits.multiply(digits.exp(digits.divide(Decimal(-k), Decimal(over))), Decimal(2**FINE)))

    return tuple([entry(k, over) for k in range(256)] for over in (1, 2**8, 2**16))


class KernelVerifier(Verifier):
    """Planes in the feature space of a kernel; every sum is taken at the end that is worse for the claim."""

    def __init__(self, claim: Claim, kernel: KernelSpace) -> None:
        super().__init__(claim)
        self.kernel = kernel
        require(not claim.collinear, "relations between columns say nothing in a feature space")

    def add_row(self, row: SignedRow) -> None:
        """Keep the row; the plane is known when all are."""
        self.kept[row.i] = whole_row(row)

    def conclusion(self) -> str:
        """What is proved, in a sentence."""
        claim = self.claim
        self.take_part(claim.plane.keys() | claim.witness.keys() | claim.cover.keys() | claim.combination.keys())
        weighted = len(claim.plane) + len(claim.witness) + len(claim.combination)
        pairs = len(self.kept) * (weighted + (len(self.kept) if claim.rest else 0))
        self.gram = Gram(self.kernel, claim.intercept, self.kept, pairs)
        margins = self.gram.combine(claim.plane)
        self.square_of_plane = self.gram.square(claim.plane, margins)
        self.right_rows = [i for i, (total, off) in margins.items() if self.is_right(i, total - off)]
        self.tied_rows = sorted(self.kept.keys() - set(self.right_rows))
        self.tied = len(self.tied_rows)
        return super().conclusion()

    def is_right(self, i: int, least: int) -> bool:
        """Whether a row is on its right side, z·w being no less than this."""
        lo, strict, scale = self.claim.lo, self.strict, self.gram.scale
        if least < 0 or (strict and least == 0):
            margin = f"row {i} (label {self.kept[i].sign:+d}) has margin {readable(least, scale)}"
            self.wrong(f"{margin}; the claim needs every margin {'> 0' if strict else '>= 0'}")
        elif strict and (least * lo.denominator) ** 2 < lo.numerator**2 * self.square_of_plane * scale:
            self.wrong(f"lo is {readable(lo)}, but row {i} is nearer to the plane")
        return least > 0

    def sums_to_zero(self, p: dict[int, int], rest: int = 0) -> bool:
        """Whether Σ p_i·z_i = 0, which is so when its square is."""
        return self.gram.square(dict.fromkeys(self.tied_rows, rest) | p if rest else p) == 0

    def interval(self) -> None:
        """No row is longer than the radius, and ‖Σ p_i·z_i‖ ≤ hi·Σ p_i."""
        claim, p, scale = self.claim, self.claim.combination, self.gram.scale
        radius, hi = claim.radius, claim.hi
        within = self.gram.longest() * radius.denominator**2 <= radius.numerator**2 * scale
        require(within, f"radius is {readable(radius)}, but a row is longer")
        proved = self.gram.square(p) * hi.denominator**2 <= (sum(p.values()) * hi.numerator) ** 2 * scale
        require(proved, f"hi is {readable(hi)}, but the combination does not prove it")


# Regressions: which estimates are finite and which are not.

SEPARATION_FIELDS = {
    *("format", "version", "verdict", "numbers", "family", "classes", "fit_intercept", "data", "names", "plane"),
    *("rows", "cover", "constant", "hull", "planes", "forced", "coefficients", "seal"),
}
ESTIMATES = "finite", "+inf", "-inf", "undetermined", "aliased"
"""What the estimate of a coefficient can be."""
COEFFICIENTS = 1500
"""Coefficients of a regression."""


class SpaceClaim(NamedTuple):
    """The vectors on which some rows are zero, by a column that only one of them has; and why there are no others."""

    basis: dict[int, dict[int, int]]
    combinations: dict[int, dict[int, int]]  # {column: {row: weight}}


class SignClaim(NamedTuple):
    """times·(±β_j) = Σ weight·z·β for every β of the hull."""

    times: int
    combination: dict[int, int]


class SeparationClaim(CertificateReader):
    """What a certificate says of the coefficients of a regression.

    With K classes, of which the first is the reference, a row x of class a poses K − 1 rows z, one for each other class
    b: [x; 1] in the columns of a, −[x; 1] in those of b, nothing for the reference.  Of counts, a row of 0 poses
    z = −[x; 1], and any other the equation [x; 1]·β = 0: it is free, its weights may have either sign.
    """

    def __init__(self, c: Any, size: tuple[int, int | None] | None = None) -> None:
        self.read_heading(c, SEPARATION_FIELDS, (1,), ("complete", "quasi-complete", "overlap"))
        self.read_data(c, size, "labels")
        self.with_intercept: bool = c["fit_intercept"]
        self.read_model(c["family"], c["classes"])
        self.blocks = 1 if self.classes is None else len(self.classes) - 1
        self.columns, self.posed = self.blocks * (self.given + self.with_intercept), self.blocks * self.n
        width, vector = self.columns, self.numerals.vector
        require(width <= COEFFICIENTS, f"it is of {width} coefficients, and {COEFFICIENTS} are the most")
        self.plane = vector(c["plane"], width, "plane")
        few = type(c["planes"]) is list and len(c["planes"]) <= 2 * width
        well_formed(few, "'planes' must be a list of no more than two for each coefficient")
        self.planes = [vector(plane, width, "plane") for plane in c["planes"]]
        self.read_cover(c["cover"], self.posed)
        self.read_rows(c["rows"], self.posed)
        self.constant, self.hull = (self.read_space(c[name], name) for name in ("constant", "hull"))
        self.collinear = list(self.constant.basis.values())
        self.read_coefficients(c["coefficients"], c["forced"])
        # What planes that separate have besides, and these have not.
        self.intercept, self.lo, self.radius = False, Fraction(0), Fraction(0)
        self.witness: dict[int, int] = {}
        self.combination: dict[int, int] = {}

    def read_model(self, family: Any, classes: Any) -> None:
        """The family, and the classes of which the first is the reference."""
        well_formed(family in ("binomial", "multinomial", "poisson"), "the family must be one of three")
        listed = type(classes) is list and all(type(label) is str for label in classes)
        known = listed and len(set(classes)) == len(classes) >= 2 and (family == "multinomial" or len(classes) == 2)
        well_formed(known if family != "poisson" else classes is None, "'classes' do not fit the family")
        self.family: str = family
        self.classes: Any = classes

    def read_space(self, c: Any, name: str) -> SpaceClaim:
        """A space of vectors, and the combinations of rows that show that it is all."""
        fields(c, {"basis", "combinations"}, f"'{name}'")
        basis = self.by_column(c["basis"], lambda part: self.numerals.vector(part, self.columns, name))
        alone = all([g for g in basis if g in vector] == [j] for j, vector in basis.items())
        require(alone, f"a vector of '{name}' does not have its column alone")
        combinations = self.by_column(c["combinations"], lambda part: self.numerals.vector(part, self.posed, name))
        others = set(range(self.columns)) - basis.keys()
        require(combinations.keys() == others, f"'{name}' needs one combination for each column without a vector")
        used = {row for combination in combinations.values() for row in combination}
        require(len(used) <= self.columns, f"the combinations of '{name}' have more rows than there are columns")
        return SpaceClaim(basis, combinations)

    def by_column(self, c: Any, read: Callable[[Any], Any]) -> dict[int, Any]:
        """{column: what is read}."""
        places = type(c) is dict and all(type(j) is str and PLACE.fullmatch(j) for j in c)
        well_formed(places and all(int(j) < self.columns for j in c), "a column is outside of the data")
        return {int(j): read(part) for j, part in c.items()}

    def read_coefficients(self, classes: Any, forced: Any) -> None:
        """What each coefficient is said to be, and what forces signs."""
        listed = type(classes) is list and all(type(name) is str and name in ESTIMATES for name in classes)
        well_formed(listed and len(classes) == self.columns, "'coefficients' must say one thing of every column")
        self.coefficients: list[str] = classes

        def read(part: Any) -> SignClaim:
            fields(part, {"times", "combination"}, "a forced sign")
            combination = self.numerals.vector(part["combination"], self.posed, "combination")
            return SignClaim(self.numerals.whole(part["times"]), combination)

        self.forced = self.by_column(forced, read)

    def question(self, counts: Mapping[str, int], asked: Asked | None) -> str:
        """The model, with the classes and their numbers of rows."""
        if self.classes is None:
            about = f"counts ({rows_text(self.n)})"
        else:
            for label in self.classes:
                require(counts.get(label, 0) > 0, f"no row has the label {clipped(label)}")
            require(len(counts) == len(self.classes), "the labels are of more classes than it speaks of")
            first, *others = (f"{clipped(label)} ({rows_text(counts[label])})" for label in self.classes)
            about = f"{', '.join(others)} against the reference {first}"
        planes = "with an intercept" if self.with_intercept else "without an intercept"
        meant = "; numbers rounded to float64" if asked and asked.rounded and not self.decimal else ""
        return f"{self.family} regression {planes}: {about}{meant}"

    def hold_question(self, classes: set[str], asked: Asked | None) -> None:
        """Refuse if it answers another question than the one asked."""
        if asked is None:
            return
        require(asked.family in (None, self.family), f"it speaks of the family {self.family}, not {asked.family}")
        known = asked.kernel in (None, "linear")
        require(known and asked.fit_intercept == self.with_intercept, "it speaks of another model than the one asked")
        if asked.positive is not None or asked.negative is not None:
            wanted = [None if label is None else str(label) for label in (asked.negative, asked.positive)]
            same = self.family == "binomial" and self.classes[1] == wanted[1] and wanted[0] in (None, self.classes[0])
            require(same, "it speaks of other classes, or takes the other one as the reference")

    def class_number(self, label: str) -> int:
        """The place of a class, the reference's being 0; of counts 0, or 1 if it is more."""
        if self.classes is not None:
            return int(self.classes.index(label))
        count = rational(label)
        well_formed(count >= 0, f"a count is {clipped(label)}, which is negative")
        return int(count > 0)

    def posed_rows(self, row: SignedRow, label: str) -> Iterator[tuple[SignedRow, bool]]:
        """The rows z that a row of the data poses, and whether they are free."""
        at, columns = self.with_intercept, list(row.columns)
        cells = list(row.floats) if row.floats or not self.decimal else list(row.values)
        columns, cells = columns + [self.given] * at, cells + [1.0 if not self.decimal else Fraction(1)] * at
        own = self.class_number(label)
        if self.classes is None:
            yield self.row(row.i, 1 if own else -1, columns, cells), bool(own)
            return
        rivals = [other for other in range(len(self.classes)) if other != own]
        for k, other in enumerate(rivals):
            number, width = row.i * self.blocks + k, self.given + at
            both = [(block, sign) for block, sign in ((own, 1), (other, -1)) if block]
            if self.blocks == 1:
                yield self.row(number, both[0][1], columns, cells), False
                continue
            both.sort()
            places = [width * (block - 1) + j for block, _ in both for j in columns]
            yield self.row(number, 1, places, [sign * v for _, sign in both for v in cells]), False

    def summary(self) -> str:
        """What it says, in words: how many coefficients are what, and how many rows are separated."""
        counts = Counter(self.coefficients)
        said = ", ".join(f"{counts[name]} {name}" for name in ESTIMATES if counts[name])
        separated = f"; {len(self.rows)} of {rows_text(self.posed)} separated" if self.rows else ""
        return f"{self.verdict}: {said}{separated}"

    def row(self, number: int, sign: int, columns: list[int], cells: list[Any]) -> SignedRow:
        """One of these rows."""
        return SignedRow(number, sign, columns, cells, () if self.decimal else cells)


class PlaneView(NamedTuple):
    """One plane of a claim, for a verifier that looks at it alone."""

    plane: dict[int, int]
    columns: int
    decimal: bool
    verdict: str = "overlap"
    intercept: bool = False
    lo: Fraction = Fraction(0)
    radius: Fraction = Fraction(0)
    rest: int = 0
    witness: Mapping[int, int] = {}
    cover: Mapping[int, int] = {}
    combination: Mapping[int, int] = {}
    collinear: Sequence[dict[int, int]] = ()


def verify_separation(claim: SeparationClaim, rows: Iterable[Any], labels: Labels) -> str:
    """What is proved of a regression, in a sentence; RefusedError if it is not."""
    verifier = SeparationVerifier(claim)
    for given in design_rows(claim, rows, labels):
        for row, free in claim.posed_rows(given, labels[given.i]):
            verifier.add_posed(row, free)
    return verifier.conclusion()


def design_rows(claim: SeparationClaim, rows: Iterable[Any], labels: Labels) -> Iterator[SignedRow]:
    """The rows of the data, which with their labels must be those of the certificate."""
    digest = hashlib.sha256(json.dumps(list(labels)).encode()).hexdigest()
    require(len(labels) == claim.n and digest == claim.digests[1], OTHER_LABELS)
    return rows_with_signs(claim, claim.given, rows, [1] * claim.n)


class SeparationVerifier:
    """Directions β with no z·β < 0 (z·β = 0 for free rows), and what they say of every coefficient."""

    def __init__(self, claim: SeparationClaim) -> None:
        self.claim, self.free = claim, set[int]()
        self.main = LinearVerifier(claim)
        spaces = (claim.constant.combinations, claim.hull.combinations)
        named = [
            *(part for space in spaces for part in space.values()),
            *(f.combination for f in claim.forced.values()),
        ]
        self.main.weighted = claim.cover.keys() | {row for part in named for row in part}
        self.others = [LinearVerifier(PlaneView(plane, claim.columns, claim.decimal)) for plane in claim.planes]

    def add_posed(self, row: SignedRow, free: bool) -> None:
        """Take in one row."""
        for verifier in (self.main, *self.others):
            if free:
                self.add_free(verifier, row)
            else:
                verifier.add_row(row)
        if free:
            self.free.add(row.i)

    def add_free(self, verifier: "LinearVerifier", row: SignedRow) -> None:
        """A row whose z·β must be 0."""
        if row.i in verifier.weighted:
            verifier.kept[row.i] = whole_row(row)
        if verifier.product(row, verifier.claim.plane)[0]:
            verifier.wrong(f"row {row.i}, of a positive count, is not on the plane")
        if verifier.related and not verifier.obeys(row):
            verifier.wrong(f"row {row.i} does not satisfy a relation of 'constant'")

    def conclusion(self) -> str:
        """What is proved, in a sentence."""
        claim, right = self.claim, self.main.right_rows
        for verifier in (self.main, *self.others):
            require(not verifier.failure, verifier.failure)
        require(claim.rows == right, "'rows' are not the rows with z·w > 0")
        moved, still = bool(right), bool(self.main.tied or self.free)
        found = "overlap" if not moved else "quasi-complete" if still else "complete"
        require(found == claim.verdict and bool(claim.plane) == moved, f"the verdict is not {claim.verdict}")
        self.tied_rows_are_tied()
        self.is_all(claim.constant, set(), "constant")
        self.is_all(claim.hull, set(right), "hull")
        tests = self.is_finite, self.is_plus, self.is_minus, self.is_undetermined, self.is_aliased
        proved = dict(zip(ESTIMATES, tests, strict=True))
        for j, name in enumerate(claim.coefficients):
            require(proved[name](j), f"coefficient {j} is not proved to be {name}")
        return claim.summary()

    def tied_rows_are_tied(self) -> None:
        """The rows that are not right sum to zero under weights that are positive but for free rows."""
        claim = self.claim
        positive = claim.rest >= 0 and all(weight > 0 for row, weight in claim.cover.items() if row not in self.free)
        require(positive and bool(claim.rest) == bool(self.main.tied), "a weight of the cover is not positive")
        zero = self.main.sums_to_zero(claim.cover, claim.rest)
        require(zero, "the tied rows, weighted by the cover, do not sum to zero")

    def is_all(self, space: SpaceClaim, barred: set[int], name: str) -> None:
        """Every vector on which the rows of the combinations are zero is of this space.

        Less a sum of the vectors it is 0 in their columns; in the others the combinations are strictly dominated by
        their diagonal, each column in units of its largest entry, so it is 0 there as well.
        """
        used = {row for part in space.combinations.values() for row in part}
        require(not used & barred, f"a combination of '{name}' has a row that is not tied")
        kept = {i: self.main.kept[i] for i in used}
        for vector in space.basis.values():
            zero = all(not sum(v * vector.get(j, 0) for j, v in row.x.items()) for row in kept.values())
            require(zero, f"a row of '{name}' is not zero on a vector of it")
        sizes: dict[int, Fraction] = defaultdict(Fraction)
        for row in kept.values():
            for j, v in row.x.items():
                sizes[j] = max(sizes[j], Fraction(abs(v), row.over))
        for j, combination in space.combinations.items():
            total, _ = self.main.combine(combination)
            parts = {k: abs(v) / sizes[k] for k, v in total.items() if v and k not in space.basis}
            require(2 * parts.get(j, 0) > sum(parts.values()), f"the combinations of '{name}' do not prove column {j}")

    def seen(self, j: int) -> set[bool]:
        """Whether β_j is positive, or negative, in the planes."""
        return {plane[j] > 0 for plane in (self.claim.plane, *self.claim.planes) if j in plane}

    def is_finite(self, j: int) -> bool:
        """β_j = 0 on the hull."""
        return not any(j in vector for vector in self.claim.hull.basis.values())

    def is_aliased(self, j: int) -> bool:
        """The likelihood does not depend on a vector in which β_j is not 0."""
        return any(j in vector for vector in self.claim.constant.basis.values())

    def is_undetermined(self, j: int) -> bool:
        """β_j has both signs, and it is not aliased."""
        return not self.is_aliased(j) and self.seen(j) == {True, False}

    def is_plus(self, j: int) -> bool:
        """β_j is positive somewhere, and nowhere negative."""
        return self.has_sign(j, 1)

    def is_minus(self, j: int) -> bool:
        """β_j is negative somewhere, and nowhere positive."""
        return self.has_sign(j, -1)

    def has_sign(self, j: int, sign: int) -> bool:
        """β_j has this sign, and not the other."""
        claim = self.claim
        if j not in claim.forced or (sign > 0) not in self.seen(j):
            return False
        times, combination = claim.forced[j]
        positive = all(weight > 0 for row, weight in combination.items() if row not in self.free)
        total, over = self.main.combine(combination)
        same = all(
            sum(v * vector.get(k, 0) for k, v in total.items()) == sign * times * over * vector.get(j, 0)
            for vector in claim.hull.basis.values()
        )
        return times > 0 and positive and same


# Fewest errors: a plane, and why none does better.

ERRORS_FIELDS = {
    *("format", "version", "verdict", "numbers", "positive", "negative", "fit_intercept", "data", "names", "plane"),
    *("errors", "lower_bound", "witnesses", "tree", "seal"),
}
CASES, WITNESSES = 10**5, 10**5
"""Cases of a tree, and witnesses."""


class Packing(NamedTuple):
    """{witness: weight}, each over one number: no row that may be an error bears more than 1."""

    weights: dict[int, int]
    over: int


class Branch(NamedTuple):
    """Two cases: the row is wrong, or it is right."""

    row: int
    wrong: Any
    right: Any


class ErrorsClaim(TwoClasses):
    """What a certificate says of the errors of one plane, and of all."""

    def __init__(self, c: Any, size: tuple[int, int | None] | None = None) -> None:
        self.read_heading(c, ERRORS_FIELDS, (1,), ("optimal", "bounded"))
        self.read_data(c, size, "signs")
        self.read_classes(c)
        self.columns, self.room = self.given, CASES
        self.plane = self.numerals.vector(c["plane"], self.columns + self.intercept, "plane")
        self.errors, self.least = c["errors"], c["lower_bound"]
        counts = all(type(count) is int and count >= 0 for count in (self.errors, self.least))
        well_formed(counts, "'errors' and 'lower_bound' must be whole numbers")
        require(self.least <= self.errors, "the lower bound is above the errors of the plane")
        optimal = self.least == self.errors
        require(optimal == (self.verdict == "optimal"), "'optimal' means that the bound is the number of errors")
        few = type(c["witnesses"]) is list and len(c["witnesses"]) <= WITNESSES
        well_formed(few, "'witnesses' must be a list, not too long")
        self.witnesses = [self.numerals.vector(witness, self.n, "witness") for witness in c["witnesses"]]
        positive = all(witness and min(witness.values()) > 0 for witness in self.witnesses)
        require(positive, "a weight of a witness is not positive")
        self.named = {row for witness in self.witnesses for row in witness}
        self.tree = self.read_case(c["tree"])

    def read_case(self, c: Any) -> Packing | Branch:
        """A tree of cases."""
        self.room -= 1
        require(self.room >= 0, f"there are more than {CASES} cases")
        if type(c) is dict and "row" in c:
            fields(c, {"row", "wrong", "right"}, "a case")
            well_formed(type(c["row"]) is int and 0 <= c["row"] < self.n, "a case is of a row outside of the data")
            self.named.add(c["row"])
            return Branch(c["row"], self.read_case(c["wrong"]), self.read_case(c["right"]))
        fields(c, {"packing", "over"}, "a case")
        weights = self.numerals.vector(c["packing"], len(self.witnesses), "packing")
        over = self.numerals.whole(c["over"])
        require(over > 0 and min(weights.values(), default=1) > 0, "a weight of a packing is not positive")
        return Packing(weights, over)

    def take_part(self, kept: Collection[int]) -> None:
        """Refuse if a row of a witness, or of a case, is of neither class."""
        others = self.named.difference(kept)
        require(not others, f"row {min(others, default=0)}, which the claim names, is of neither class")

    def summary(self) -> str:
        """What it says, in a sentence."""
        made = f"a plane makes {self.errors} error{'' if self.errors == 1 else 's'} and none makes fewer"
        return f"optimal, {made}" if self.least == self.errors else f"bounded, {made} than {self.least}"


def verify_errors(claim: ErrorsClaim, rows: Iterable[Any], labels: Labels) -> str:
    """What is proved of the fewest errors, in a sentence; RefusedError if it is not."""
    view = PlaneView(claim.plane, claim.columns, claim.decimal, intercept=claim.intercept)
    verifier, errors = LinearVerifier(view), 0
    for row in signed_rows(claim, rows, labels):
        near = row.near
        if row.i in claim.named:
            verifier.kept[row.i] = whole_row(row)
        length = hypot(*near, claim.intercept)
        right = bool(claim.plane) and length < inf and verifier.clearly_right(row, near, length)
        errors += not right and verifier.product(row, claim.plane)[0] <= 0
    require(errors == claim.errors, f"the plane makes {errors} errors, not {claim.errors}")
    claim.take_part(verifier.kept.keys())
    for k, witness in enumerate(claim.witnesses):
        zero = not any(verifier.combine(witness)[0].values())
        require(zero, f"the signed rows of witness {k}, with its weights, do not sum to zero")
    close_case(claim, claim.tree, frozenset(), frozenset())
    return claim.summary()


def close_case(claim: ErrorsClaim, case: Packing | Branch, wrong: frozenset[int], right: frozenset[int]) -> None:
    """Refuse unless every plane that has some rows wrong (or on it) and others right makes as many errors as is said.

    Of the rows of a witness every plane has one wrong.  So the errors beyond those that are wrong already are at least
    the weight of witnesses without such rows, if no row that is not right bears more than 1.
    """
    if isinstance(case, Branch):
        require(case.row not in wrong | right, "a tree of cases asks twice for one row")
        close_case(claim, case.wrong, wrong | {case.row}, right)
        close_case(claim, case.right, wrong, right | {case.row})
        return
    loads: dict[int, int] = defaultdict(int)
    for k, weight in case.weights.items():
        rows = claim.witnesses[k].keys()
        require(wrong.isdisjoint(rows), "a packing has a witness with a row that is wrong already")
        for row in rows - right:
            loads[row] += weight
    require(max(loads.values(), default=0) <= case.over, "a row bears more than 1 of a packing")
    least = len(wrong) + -(-sum(case.weights.values()) // case.over)
    require(least >= claim.least, f"a case allows {least} errors, fewer than {claim.least}")


# The table: rows and labels of a file, for who checks with this file alone, and for ``novikoff check`` as well.

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
"""A number as tables write it."""


@lru_cache(2**18)
def is_number(cell: str) -> bool:
    """Whether a cell is written as a number."""
    return NUMBER.fullmatch(cell) is not None


class EncodedTable(NamedTuple):
    """A table as columns of numbers, texts that mean decimals or floats, with their names; and its labels."""

    names: list[str]
    numbers: list[list[Any]]
    labels: list[Any]
    categories: dict[str, int]  # how many every column has that is not of numbers


def encode_columns(
    columns: Mapping[str, list[Any]],
    target: str,
    categorical: Collection[str] = (),
    drop: Collection[str] = (),
    regression: bool = False,
) -> EncodedTable:
    """A table of texts or numbers as columns of numbers: one of 0 and 1 per category, in the order of their texts.

    For a regression the first category has none.

    >>> encode_columns({"hue": ["red", "blue"], "x": ["1.5", "2"], "y": ["a", "b"]}, "y").numbers
    [['0', '1'], ['1', '0'], ['1.5', '2']]
    """
    encoded = EncodedTable([], [], columns[target], {})
    for name, cells in columns.items():
        if name == target or name in drop:
            continue
        if name not in categorical and (not isinstance(cells[0], str) or all(map(is_number, set(cells)))):
            encoded.names.append(name)
            encoded.numbers.append(cells)
            continue
        values = sorted({str(cell) for cell in cells})
        encoded.categories[name] = len(values)
        values = values[1:] if regression else values
        encoded.names.extend(f"{name}[T.{value}]" if regression else f"{name} = {value}" for value in values)
        encoded.numbers.extend(["1" if str(cell) == value else "0" for cell in cells] for value in values)
    return encoded


def sparse_row(line: str) -> tuple[dict[int, str], str] | None:
    """{column: number} and the label of a line of a libsvm file, whose columns count from 1; None of an empty one.

    >>> sparse_row("+1 1:0.5 3:2  # a comment")
    ({0: '0.5', 2: '2'}, '1')
    """
    label, *entries = line.partition("#")[0].split() or [""]
    if not label:
        return None
    row = {int(place) - 1: value for place, value in (entry.split(":") for entry in entries)}
    if any(place < 0 or not NUMBER.fullmatch(value) for place, value in row.items()):
        raise ValueError("entries must be column:number")
    if len(row) < len(entries):
        raise ValueError("a column occurs twice")
    return row, str(int(float(label))) if NUMBER.fullmatch(label) and float(label).is_integer() else label


def as_floats(rows: Iterable[Any], rounded: bool) -> Iterator[Any]:
    """The rows in float64, to which what is written may be ``rounded`` if that is asked for."""
    for row in rows:
        if set(map(type, row)) == {float}:
            yield list(row)
        elif isinstance(row, Mapping):
            yield {j: as_float(v, rounded) for j, v in row.items()}
        else:
            yield [as_float(v, rounded) for v in row]


@lru_cache(2**16)
def as_float(cell: Any, rounded: bool) -> float:
    """A cell as a float64."""
    value = float(cell)
    same = rounded or isinstance(cell, float) or Fraction(cell) == Fraction(value)
    require(same, f"it speaks of float64 numbers, and {cell} is none; say --float64 to have them rounded")
    return value


def width_of(rows: Collection[Any]) -> int:
    """How many columns rows have: of mappings, those up to the last that one names."""
    first: Any = next(iter(rows), ())
    if isinstance(first, Mapping):
        return 1 + max((max(row, default=0) for row in rows), default=0)
    return len(first)


Judge = Callable[[Any, Asked], Verdict]
"""Gives the verdict on one proof, and the question that it is held to."""
RowsJudge = Callable[[Any, Callable[[], Iterable[Any]], Labels, Asked, int], Verdict]
"""The same, given the rows, from the first one each time, the labels, and how many columns there are."""


def check_list(
    claims: list[Any], labels: Iterable[Any], asked: Asked, judge: Judge, complete: bool = True
) -> list[Verdict]:
    """The verdicts on a list of proofs: of the question named, or of all that several classes pose.

    Unless it answers each class against the rest, or each pair, the last verdict says what it leaves out.
    """
    classes = sorted({str(label) for label in labels})
    questions = [question_of(c) for c in claims]
    if not claims:
        return [Verdict(False, "refused: there is no proof")]
    if asked.positive is not None:
        named = str(asked.positive), None if asked.negative is None else str(asked.negative)
        claims = [c for c, question in zip(claims, questions, strict=True) if question in (named, named[::-1])]
        none = Verdict(False, f"refused: no proof in the list is of {named[0]} against {named[1] or 'the rest'}")
        return [judge(c, asked) for c in claims] or [none]
    if len(classes) <= 2:
        return [judge(c, asked) for c in claims]
    verdicts = [
        judge(c, asked._replace(positive=positive, negative=negative))
        for c, (positive, negative) in zip(claims, questions, strict=True)
    ]
    if left := left_out(classes, questions):
        word = "refused: the list is incomplete" if complete else "noted: the list is incomplete"
        verdicts.append(Verdict(not complete, f"{word}, it leaves out {'; '.join(left)}"))
    return verdicts


def question_of(claim: Any) -> tuple[str | None, str | None]:
    """The classes that a proof speaks of, as far as they are texts."""
    named = (claim.get("positive"), claim.get("negative")) if type(claim) is dict else (None, None)
    positive, negative = (label if type(label) is str else None for label in named)
    return positive, negative


def left_out(classes: list[str], questions: list[tuple[str | None, str | None]]) -> list[str]:
    """What the classes pose and nothing answers: each class against the rest, or each pair, whichever is nearer."""
    alone = {positive for positive, negative in questions if negative is None}
    pairs = [{positive, negative} for positive, negative in questions if negative is not None]
    classes_left = [f"{c} against the rest" for c in classes if c not in alone]
    pairs_left = [f"{a} against {b}" for a, b in combinations(classes, 2) if {a, b} not in pairs]
    if not pairs or not pairs_left or not classes_left:
        return pairs_left and classes_left
    return min(classes_left, pairs_left, key=len) if alone else pairs_left


def check_file(
    proof: Path,
    table: Callable[[str | None, dict[str, Any]], tuple[Collection[Any], Iterable[Any]]],
    asked: Asked,
    complete: bool = True,
    judge_rows: RowsJudge | None = None,
) -> list[Verdict]:
    """The verdicts on a file of one proof, or of a list of them; rows and labels are read if the file is JSON.

    ``table`` is told the family if the proof is of a regression, and how the file was read, as far as the proof says;
    ``judge_rows`` judges in place of this checker.
    """
    try:
        claims = read_json(proof.read_text(encoding="utf-8"))
    except (ValueError, RecursionError, MemoryError) as error:
        return [Verdict(False, f"malformed: {proof} is not JSON ({error})", malformed=True)]
    try:
        reading = common_reading(claims)
    except ValueError as error:
        return [Verdict(False, f"malformed: {error}", malformed=True)]
    of_regression = isinstance(claims, dict) and claims.get("format") == "novikoff separation"
    cells, labels = table(str(claims.get("family")) if of_regression else None, reading)
    labels, columns = Labels(labels), width_of(cells)

    def judge(claim: Any, asked: Asked) -> Verdict:
        def rows() -> Iterable[Any]:
            decimal = isinstance(claim, dict) and claim.get("numbers") == "decimal"
            return cells if decimal else as_floats(cells, asked.rounded)

        if judge_rows:
            return judge_rows(claim, rows, labels, asked, columns)
        return check_proof(claim, rows(), labels, asked, columns)

    if isinstance(claims, list) and claims:
        return check_list(claims, labels, asked, judge, complete)
    return [judge(claims, asked)]


def lines(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """What is said of them: each question, then what was found."""
    for verdict in verdicts:
        if verdict.question:
            yield f"question: {verdict.question}"
        yield verdict.finding


def exit_code(verdicts: Collection[Verdict]) -> int:
    """What the shell is told of them."""
    if any(verdict.malformed for verdict in verdicts):
        return MALFORMED
    return ACCEPTED if all(verdicts) else REFUSED


FLAGS = {("header", False): ["--no-header"], ("drop_incomplete", True): ["--missing", "drop"]}
"""What the command line says where a reading says yes or no."""


def as_options(reading: Mapping[str, Any]) -> str:
    """A reading as a command line says it.

    >>> as_options({"target": "y", "header": False, "missing": ["?", "none"]})
    "--target y --no-header --na '?' --na none"
    """
    words: list[str] = []
    for name in (name for name in READING if name in reading and name != "rewritten"):
        value = reading[name]
        if isinstance(value, bool):
            words += FLAGS.get((name, value), [])
            continue
        option = "--na" if name == "missing" else f"--{name}"
        words += [word for text in ([value] if isinstance(value, str) else value) for word in (option, text)]
    return printable(shlex.join(words))


def printable(text: str) -> str:
    """A text of others for a terminal, in which control characters do nothing, as they are spelt out."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def follow(options: argparse.Namespace, reading: Mapping[str, Any]) -> dict[str, Any]:
    """Take from a proof what the options do not say of the file; what was taken."""
    hard = ("formula", "decimal", "drop_incomplete")
    beyond = {name: value for name, value in reading.items() if name in hard and value not in ("", ".", False)}
    if beyond:
        raise ValueError(f"it was read with {as_options(beyond)}, which only novikoff check knows")
    if reading.get("rewritten"):
        raise ValueError(
            f"its column {reading['rewritten'][0]!r} is not of plain decimals, which only novikoff check reads"
        )
    names = ("target", "categorical", "drop", "delimiter", "encoding")
    taken = {name: reading[name] for name in names if reading.get(name) and not getattr(options, name)}
    vars(options).update(taken)
    if not reading.get("header", True) and not options.no_header:
        options.no_header, taken["header"] = True, False
    return taken


def read_csv(path: str, options: argparse.Namespace, regression: bool) -> tuple[list[Any], list[Any]]:
    """The rows and labels of a CSV file; what a cell is between spaces is what it means."""
    with open(path, encoding=options.encoding or "utf-8-sig", newline="") as file:
        records = [[cell.strip() for cell in record] for record in csv.reader(file, delimiter=options.delimiter or ",")]
    if not any(records):
        raise ValueError("it is empty")
    first, *rest = filter(None, records)
    names = [str(k + 1) if options.no_header else name or f"column {k + 1}" for k, name in enumerate(first)]
    rows = [first, *rest] if options.no_header else rest
    for name in (options.target, *options.categorical, *options.drop):
        if names.count(name) != 1:
            count = names.count(name) or "no"
            raise ValueError(f"there is {count} column {name!r} among {', '.join(names)}")
    ragged = next((row for row in rows if len(row) != len(names)), None)
    if ragged is not None or not rows:
        what = "no rows" if ragged is None else f"{len(ragged)} cells in the row {', '.join(ragged)!r}"
        raise ValueError(f"it has {what}, and {len(names)} in its first line")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    encoded = encode_columns(columns, options.target, options.categorical, options.drop, regression)
    return list(zip(*encoded.numbers, strict=True)), encoded.labels


def read_libsvm(path: str) -> tuple[list[Any], list[Any]]:
    """The rows and labels of a libsvm file."""
    with open(path, encoding="ascii", errors="replace") as file:
        rows = [row for row in map(sparse_row, file) if row]
    return [row for row, _ in rows], [label for _, label in rows]


def main(arguments: list[str] | None = None) -> int:
    """Check a proof against a file; print a sentence per proof."""
    parser = argparse.ArgumentParser(description="Check what a certificate of novikoff claims of a table.")
    parser.add_argument("proof", type=Path, help="a file that novikoff certify -o wrote")
    parser.add_argument("data", help="a CSV file, or a libsvm file, neither of them compressed")
    parser.add_argument("--target", "-t", help="the column with the classes; without it the data are a libsvm file")
    parser.add_argument("--categorical", action="append", default=[], help="a column of categories written as numbers")
    parser.add_argument("--drop", action="append", default=[], help="a column to leave out")
    parser.add_argument("--delimiter", help="what stands between the cells, if not a comma")
    parser.add_argument("--encoding", help="the encoding, if not UTF-8")
    parser.add_argument("--no-header", action="store_true", help="the first line is a row; columns are called 1, 2, …")
    parser.add_argument("--positive", help="the class whose question is meant, of more than two")
    parser.add_argument("--negative", help="the class that it is asked against, if not the rest")
    parser.add_argument("--no-intercept", action="store_true", help="the question is of planes through the origin")
    spaces = ["linear", "poly", "rbf"]
    parser.add_argument("--kernel", default="linear", choices=spaces, help="the question is of planes in its space")
    parser.add_argument("--float64", action="store_true", help="decimals mean the float64 numbers nearest to them")
    parser.add_argument("--partial", action="store_true", help="accept a list that leaves out classes or pairs")
    options = parser.parse_args(arguments)
    asked = Asked(options.positive, options.negative, not options.no_intercept, options.kernel, options.float64)

    def table(family: str | None, reading: dict[str, Any]) -> tuple[list[Any], list[Any]]:
        if taken := follow(options, reading):
            print(f"read as the proof says: {as_options(taken)}")
        return read_csv(options.data, options, bool(family)) if options.target else read_libsvm(options.data)

    try:
        verdicts = check_file(options.proof, table, asked, complete=not options.partial)
    except OSError as error:
        print(f"{error.filename} could not be read: {error.strerror}", file=sys.stderr)
        return BAD_INPUT
    except (ValueError, LookupError, csv.Error) as error:
        print(f"{options.data} could not be read: {error}", file=sys.stderr)
        return BAD_INPUT
    for line in lines(verdicts):
        print(line)
    return exit_code(verdicts)


if __name__ == "__main__":
    sys.exit(main())
