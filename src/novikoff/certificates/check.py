"""The independent checker of certificates: the standard library, exact arithmetic, no search, one entrance.

The format and what each part proves are in docs/certificate-format.md.  A signed row is z = ±[x; 1], or ±x without an
intercept; w is the plane of the certificate, and the tied rows are those with z·w = 0.
"""

import hashlib
import json
import struct
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import repeat
from math import lcm
from operator import mul
from typing import Any, NamedTuple


class Verdict(NamedTuple):
    """Whether a certificate was accepted, and a sentence on what it proves, or on what failed and where."""

    accepted: bool
    sentence: str
    malformed: bool = False

    def __bool__(self) -> bool:
        return self.accepted


class RefusedError(Exception):
    """The claim is not proved."""


def require(condition: bool, otherwise: str) -> None:
    """Refuse the claim unless the condition holds."""
    if not condition:
        raise RefusedError(otherwise)


def check_proof(certificate: Any, rows: Iterable[Any], labels: Iterable[Any]) -> Verdict:
    """Verify everything that a certificate (JSON text, or what it holds) claims of these rows and labels.

    A row is a sequence of numbers or a mapping {column: number}.  Floats mean their exact value, strings the decimals
    written.  A label is compared by its text.

    >>> check_proof('{"format": "something else"}', [], [])
    Verdict(accepted=False, sentence="malformed: 'format' must be 'novikoff certificate'", malformed=True)
    """
    from .check_kernel import KernelSurvey  # which builds on this module

    try:
        claim = Claim(json.loads(certificate) if isinstance(certificate, str | bytes) else certificate)
        survey = Survey(claim) if claim.kernel is None else KernelSurvey(claim)
        for i, row in signed_rows(claim, rows, labels):
            survey.look(i, row)
        return Verdict(True, f"accepted: {claim.verdict}, {survey.judgement()}")
    except RefusedError as refusal:
        return Verdict(False, f"refused: {refusal}")
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as fault:
        text = fault if type(fault) is ValueError else f"{type(fault).__name__}: {fault}"
        return Verdict(False, f"malformed: {text}", malformed=True)


class Claim:
    """The fields of a certificate, read as exact numbers."""

    def __init__(self, c: Any) -> None:
        if not isinstance(c, dict) or c.get("format") != "novikoff certificate":
            raise ValueError("'format' must be 'novikoff certificate'")
        if c.get("seal") != seal(c):
            raise ValueError("the certificate was changed after it was written: its seal is another")
        if c.get("version") != 2 or c["numbers"] not in ("float64", "decimal") or type(c["fit_intercept"]) is not bool:
            raise ValueError("'version' must be 2, 'numbers' float64 or decimal, 'fit_intercept' true or false")
        known = c["verdict"] in ("separable", "quasi-separable", "inseparable")
        require(known, f"the verdict {c['verdict']!r} claims nothing that could be checked")
        self.verdict, self.data, self.decimal = c["verdict"], c["data"], c["numbers"] == "decimal"
        self.positive, self.negative, self.intercept = c["positive"], c["negative"], c["fit_intercept"]
        self.kernel, self.rows, self.margin = c["kernel"], c["rows"], c["margin"]
        n, self.columns = self.data["rows"], self.data["columns"]
        width = self.columns + self.intercept
        self.plane = weights(c["plane"], width if self.kernel is None else n, "plane")
        self.collinear = [weights(relation, width, "relation") for relation in c["collinear"]]
        self.witness, self.cover = weights(c["witness"], n, "witness"), weights(c["cover"]["weights"], n, "cover")
        self.rest = int(c["cover"]["rest"], 0)  # the cover's weight of every tied row that it does not name
        self.combination = weights(self.margin["combination"], n, "combination") if self.margin else {}
        found = (*self.witness.values(), *self.cover.values(), *self.combination.values(), self.rest + 1)
        require(min(found) > 0, "a weight of the witness, the cover or the combination is not positive")


def seal(c: dict[str, Any]) -> str:
    """The digest of all other fields."""
    text = json.dumps({k: v for k, v in c.items() if k != "seal"}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def weights(texts: Any, limit: int, name: str) -> dict[int, int]:
    """{place: whole number other than 0} from a mapping of texts."""
    found = {int(place): int(text, 0) for place, text in texts.items()}
    if len(found) < len(texts) or any(not 0 <= place < limit or not number for place, number in found.items()):
        raise ValueError(f"the {name} names a place twice or outside of the data, or has a zero")
    return found


class Row(NamedTuple):
    """z = sign·[x; 1], the entries of x that are not zero as whole numbers over one denominator."""

    sign: int
    x: dict[int, int]
    over: int


def signed_rows(claim: Claim, rows: Iterable[Any], labels: Iterable[Any]) -> Iterator[tuple[int, Row]]:
    """The rows that take part, one by one; after the last one the digests of all are compared."""
    values, signs, count = hashlib.sha256(), hashlib.sha256(), 0
    for count, (given, label) in enumerate(zip(rows, labels, strict=True), start=1):
        entries = sorted(given.items()) if isinstance(given, Mapping) else list(enumerate(given))
        fits = isinstance(given, Mapping) or len(entries) == claim.columns
        fits = fits and all(j < claim.columns for j, _ in entries[-1:])
        require(fits, f"row {count - 1} does not have the {claim.columns} columns of the certificate")
        if claim.decimal:
            found = {j: ratio for j, v in entries if (ratio := Fraction(v))}
            values.update((" ".join(f"{j}:{v.numerator}/{v.denominator}" for j, v in found.items()) + "\n").encode())
        else:
            found = {j: v for j, v in entries if v}
            floats = list(map(float, found.values()))
            require(floats == list(found.values()), f"row {count - 1} has numbers that are not float64")
            values.update(struct.pack(f"<I{len(found)}I{len(found)}d", len(found), *found, *floats))
        sign = 1 if str(label) == claim.positive else -1 if claim.negative in (None, str(label)) else 0
        signs.update(b"-0+"[sign + 1 : sign + 2])
        if sign:
            ratios = [v.as_integer_ratio() for v in found.values()]
            over = lcm(*(d for _, d in ratios))
            yield count - 1, Row(sign, {j: n * (over // d) for j, (n, d) in zip(found, ratios, strict=True)}, over)
    same = (count, values.hexdigest(), signs.hexdigest()) == tuple(claim.data[k] for k in ("rows", "values", "signs"))
    require(same, "the rows or labels are not those of the certificate: their digests differ")


class Survey:
    """One look at every row of the data, then a judgement."""

    def __init__(self, claim: Claim) -> None:
        self.claim, self.trouble, self.tied = claim, "", 0
        self.named = claim.witness.keys() | claim.cover.keys() | claim.combination.keys()
        self.kept: dict[int, Row] = {}  # the named rows
        self.others: dict[int, Fraction] = {}  # the sum of the tied rows that the cover does not name
        self.right: list[int] = []  # the rows with z·w > 0
        self.lowest: Fraction | None = None  # min z·w
        self.longest = Fraction(0)  # max ‖z‖²

    def look(self, i: int, row: Row) -> None:
        """Take one row in: on which side of the plane it lies, its length, whether it obeys the relations."""
        margin, least = self.product(row, self.claim.plane), "> 0" if self.claim.verdict == "separable" else ">= 0"
        self.lowest = min(margin, margin if self.lowest is None else self.lowest)
        if self.claim.margin:
            self.longest = max(self.longest, self.square_of_row(row))
        if i in self.named:
            self.kept[i] = row
        if margin > 0:
            self.right.append(i)
        elif margin < 0 or least == "> 0":
            what = f"row {i} (label {row.sign:+d}) has margin {said(margin)}; the claim needs every margin {least}"
            self.trouble = self.trouble or what
        else:
            self.tied += 1
            if self.claim.rest and i not in self.claim.cover:
                self.add(self.others, row, 1)
        if any(self.product(row, relation) for relation in self.claim.collinear):
            self.trouble = self.trouble or f"row {i} does not satisfy a relation of 'collinear'"

    def product(self, row: Row, w: dict[int, int]) -> Fraction:
        """z·w."""
        total = sum(map(mul, row.x.values(), map(w.get, row.x, repeat(0)))) + row.over * w.get(self.claim.columns, 0)
        return Fraction(row.sign * total, row.over)

    def square_of_row(self, row: Row) -> Fraction:
        """‖z‖²."""
        return Fraction(sum(map(mul, row.x.values(), row.x.values())), row.over**2) + self.claim.intercept

    def square_of_plane(self) -> Fraction:
        """‖w‖²."""
        return Fraction(sum(v * v for v in self.claim.plane.values()))

    def add(self, total: dict[int, Fraction], row: Row, weight: int) -> None:
        """Add weight·z."""
        intercept = {self.claim.columns: row.over} if self.claim.intercept else {}
        for j, v in (row.x | intercept).items():
            total[j] = total.get(j, Fraction(0)) + Fraction(row.sign * weight * v, row.over)

    def square(self, p: dict[int, int], rest: int = 0) -> Fraction:
        """‖Σ p_i·z_i‖², with the weight ``rest`` for all tied rows that are not named."""
        missing = p.keys() - self.kept.keys()
        require(not missing, f"row {min(missing, default=0)}, which has a weight, is of neither class")
        total = {j: rest * v for j, v in self.others.items()}
        for i, weight in p.items():
            self.add(total, self.kept[i], weight)
        return sum((v * v for v in total.values()), Fraction(0))

    def judgement(self) -> str:
        """What is proved, in a sentence."""
        claim, right = self.claim, len(self.right)
        require(not self.trouble, self.trouble)
        require((claim.margin is None) == (claim.verdict != "separable"), "a margin is claimed of separable rows only")
        if claim.margin is not None:
            require(not (claim.witness or claim.cover or claim.rest or claim.rows), "separable rows have no witness")
            return self.interval(claim.margin)
        require(bool(claim.witness), "there is no witness, so a plane with every margin > 0 is not excluded")
        require(self.square(claim.witness) == 0, "the signed rows of the witness, with its weights, do not sum to zero")
        require(claim.rows == self.right, "'rows' are not the rows with margin > 0")
        moves = bool(right), bool(claim.plane)
        require(moves == (claim.verdict == "quasi-separable",) * 2, "quasi-separation, and only it, has a margin > 0")
        proved = "no plane has every margin > 0" + (f", one has {right} > 0 and none < 0" if right else "")
        if not claim.rest:
            return proved + ("" if right else "; whether one has none < 0 is not claimed")
        require(self.square(claim.cover, claim.rest) == 0, "the tied rows, weighted by the cover, do not sum to zero")
        more = f"; none moves the other {self.tied} rows" if right else ", nor one > 0 and none < 0 (overlap)"
        return proved + more

    def interval(self, margin: Any) -> str:
        """Verify what is said of the margin of the best plane: lo ≤ γ* ≤ hi, and Novikoff's bound."""
        lo, hi, radius, bound = (exact(margin[name]) for name in ("lo", "hi", "radius", "mistake_bound"))
        least, p = (self.lowest or 0) ** 2 / self.square_of_plane(), self.claim.combination
        most = self.square(p) / sum(p.values()) ** 2
        require(lo > 0 and lo**2 <= least, f"lo is {said(lo)}, but the plane's margin² is {said(least)}")
        require(hi > 0 and hi**2 >= most, f"hi is {said(hi)}, but the combination proves hi² = {said(most)} only")
        require(radius > 0 and radius**2 >= self.longest, f"radius is {said(radius)}, but a row is longer")
        require(bound >= radius**2 // lo**2, f"mistake_bound is {said(bound)}, but radius²/lo² is more")
        return f"every margin > 0, the best one at least {said(lo)} and at most {said(hi)}"


def said(value: Fraction) -> str:
    """A number for people: exact if it is short."""
    short = max(abs(value.numerator), value.denominator) < 10**6
    return str(value) if short else f"{Decimal(value.numerator) / Decimal(value.denominator):.6g}"


def exact(text: Any) -> Fraction:
    """A ratio of whole numbers from its text."""
    return Fraction(*(int(part, 0) for part in text.split("/")))
