"""The independent checker of certificates: the standard library, exact arithmetic, no search, one entrance.

The format and what each part proves are in docs/certificate-format.md.  A signed row is z = ±[x; 1], or ±x without an
intercept; T are the tied rows, those with z·w = 0 on the plane w of the certificate.
"""

import hashlib
import json
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import gcd, lcm
from typing import Any

MODULUS = 2**61 - 1
"""A prime.  Rows that are independent modulo it are independent over the rationals."""


@dataclass(frozen=True)
class Verdict:
    """Whether a certificate was accepted, and a sentence on what it proves, or on what failed and where."""

    accepted: bool
    sentence: str
    malformed: bool = False

    def __bool__(self) -> bool:
        return self.accepted


class RefusedError(Exception):
    """The claim is not proved."""


class MalformedError(Exception):
    """There is no claim that could be read."""


def check_proof(certificate: Any, rows: Iterable[Any], labels: Iterable[Any]) -> Verdict:
    """Verify everything that a certificate (JSON text, or what it holds) claims of these rows and labels.

    A row is a sequence of numbers or a mapping {column: number}.  Floats mean their exact value, strings the decimals
    written.  A label is compared by its text.

    >>> check_proof('{"format": "something else"}', [], [])
    Verdict(accepted=False, sentence="malformed: 'format' must be 'novikoff certificate'", malformed=True)
    """
    try:
        claim = Claim(json.loads(certificate) if isinstance(certificate, str | bytes) else certificate)
        return Verdict(True, Survey(claim, rows, labels).judgement())
    except RefusedError as refusal:
        return Verdict(False, f"refused: {refusal}")
    except (MalformedError, ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as fault:
        text = str(fault) if isinstance(fault, MalformedError) else f"{type(fault).__name__}: {fault}"
        return Verdict(False, f"malformed: {text}", malformed=True)


class Claim:
    """The fields of a certificate, read as exact numbers."""

    def __init__(self, c: Any) -> None:
        if not isinstance(c, dict) or c.get("format") != "novikoff certificate":
            raise MalformedError("'format' must be 'novikoff certificate'")
        if c.get("version") != 1 or c["numbers"] not in ("float64", "decimal"):
            raise MalformedError("only version 1 with numbers 'float64' or 'decimal' is known")
        if not isinstance(c["fit_intercept"], bool):
            raise MalformedError("'fit_intercept' must be true or false")
        if c["verdict"] not in ("separable", "quasi-separable", "inseparable"):
            raise RefusedError(f"the verdict {c['verdict']!r} claims nothing that could be checked")
        self.verdict, self.data, self.decimal = c["verdict"], c["data"], c["numbers"] == "decimal"
        self.positive, self.negative, self.intercept = c["positive"], c["negative"], c["fit_intercept"]
        self.columns = self.data["columns"]
        self.width = self.columns + self.intercept
        self.plane = weights(c["plane"], self.width, "plane")
        self.witness = weights(c["witness"], self.data["rows"], "witness")
        self.tied, self.margin = c["tied"], c["margin"]
        self.combination = weights(self.margin["combination"], self.data["rows"], "combination") if self.margin else {}
        self.relations = c["relations"]
        if self.relations is not None:
            self.relations = [weights(relation, self.width, "relation") for relation in self.relations]
        if any(p <= 0 for p in (*self.witness.values(), *self.combination.values())):
            raise RefusedError("a weight of the witness or of the combination is not positive")


def weights(texts: Any, limit: int, name: str) -> dict[int, int]:
    """{place: whole number other than 0} without a common divisor, from a mapping of texts."""
    found = {int(place): int(text, 0) for place, text in texts.items()}
    if len(found) < len(texts) or any(not 0 <= place < limit or not number for place, number in found.items()):
        raise MalformedError(f"the {name} names a place twice or outside of the data, or has a zero")
    if found and gcd(*found.values()) != 1:
        raise MalformedError(f"the numbers of the {name} have a common divisor")
    return found


class Survey:
    """One look at every row of the data: all that the judgement needs."""

    def __init__(self, claim: Claim, rows: Iterable[Any], labels: Iterable[Any]) -> None:
        self.claim, self.count = claim, 0
        self.values, self.signs = hashlib.sha256(), hashlib.sha256()
        self.lowest: Fraction | None = None
        self.longest, self.right = Fraction(0), 0  # max ‖z‖², and the number of rows with z·w > 0
        self.tied: list[int] = []
        self.kept: dict[int, tuple[dict[int, int], int]] = {}
        self.trouble: str | None = None
        self.columns: dict[int, list[tuple[int, int]]] = {}
        for r, relation in enumerate(claim.relations or []):
            for j, number in relation.items():
                self.columns.setdefault(j, []).append((r, number))
        for row, label in zip(rows, labels, strict=True):
            self.look(self.count, row, str(label))
            self.count += 1

    def look(self, i: int, row: Any, label: str) -> None:
        """Take one row in: its numbers as integers over one denominator, its sign, its place beside the plane."""
        claim = self.claim
        found = dict(sorted(row.items()) if isinstance(row, Mapping) else enumerate(row))
        if (not isinstance(row, Mapping) and len(found) != claim.columns) or any(j >= claim.columns for j in found):
            raise RefusedError(f"row {i} does not have the {claim.columns} columns of the certificate")
        ratios = {j: (Fraction(v) if isinstance(v, str) else v).as_integer_ratio() for j, v in found.items()}
        ratios = {j: ratio for j, ratio in ratios.items() if ratio[0]}
        self.digest(ratios, found)
        sign = 1 if label == claim.positive else -1 if claim.negative in (None, label) else 0
        self.signs.update(b"-0+"[sign + 1 : sign + 2])
        if not sign:
            return
        over = lcm(*(d for _, d in ratios.values()))
        z = {j: sign * n * (over // d) for j, (n, d) in ratios.items()}
        if claim.intercept:
            z[claim.columns] = sign * over
        self.longest = max(self.longest, Fraction(sum(v * v for v in z.values()), over * over))
        if i in claim.witness or i in claim.combination:
            self.kept[i] = z, over
        self.place(i, z, over, "+1" if sign > 0 else "-1")

    def digest(self, ratios: dict[int, tuple[int, int]], found: dict[int, Any]) -> None:
        """Digest the columns and values that are not zero: as decimals' ratios, or as float64 in eight bytes."""
        if self.claim.decimal:
            self.values.update((" ".join(f"{j}:{n}/{d}" for j, (n, d) in ratios.items()) + "\n").encode())
            return
        floats = [float(found[j]) for j in ratios]
        if any(isinstance(found[j], str) or v != found[j] for j, v in zip(ratios, floats, strict=True)):
            raise RefusedError(f"row {self.count} holds a number that is not a float64, as the certificate says")
        self.values.update(struct.pack(f"<I{len(ratios)}I{len(ratios)}d", len(ratios), *ratios, *floats))

    def place(self, i: int, z: dict[int, int], over: int, label: str) -> None:
        """Compare a signed row with the plane and, if it is tied, with the relations."""
        plane = self.claim.plane
        margin = sum(v * plane.get(j, 0) for j, v in z.items())
        if self.lowest is None or margin * self.lowest.denominator < self.lowest.numerator * over:
            self.lowest = Fraction(margin, over)
        self.right += margin > 0
        least = "> 0" if self.claim.verdict == "separable" else ">= 0"
        if not self.trouble and (margin < 0 or (margin == 0 and least == "> 0")):
            self.trouble = (
                f"row {i} (label {label}) has margin {Fraction(margin, over)}; the claim needs every margin {least}"
            )
        if margin == 0:
            self.tied.append(i)
            sums: dict[int, int] = {}
            for j, v in z.items():
                for r, number in self.columns.get(j, ()):
                    sums[r] = sums.get(r, 0) + number * v
            broken = [r for r, total in sums.items() if total]
            if broken and not self.trouble:
                self.trouble = f"row {i} (label {label}) does not satisfy relation {broken[0]}"

    def judgement(self) -> str:
        """What is proved, in a sentence."""
        claim, data = self.claim, self.claim.data
        if (self.count, self.values.hexdigest(), self.signs.hexdigest()) != (
            data["rows"],
            data["values"],
            data["signs"],
        ):
            raise RefusedError("the rows or labels are not those of the certificate: their digests differ")
        if self.trouble:
            raise RefusedError(self.trouble)
        if claim.verdict == "separable":
            return self.separable()
        if not claim.witness:
            raise RefusedError("there is no witness, so a plane with every margin > 0 is not excluded")
        if self.total(claim.witness):
            raise RefusedError("the signed rows of the witness, with its weights, do not sum to zero")
        if claim.verdict == "inseparable" and (claim.plane or self.right):
            raise RefusedError("an inseparable claim has no plane")
        if claim.verdict == "quasi-separable" and not self.right:
            raise RefusedError("no row has a margin > 0 on the plane; quasi-separation needs one")
        if claim.tied != (self.tied if claim.verdict == "quasi-separable" else []):
            raise RefusedError("the tied rows are not the rows with margin 0")
        if claim.margin is not None:
            raise RefusedError("only a separable claim has a margin")
        return self.not_separable()

    def total(self, p: dict[int, int]) -> dict[int, Fraction]:
        """Σ p_i·z_i, where it is not zero."""
        if missing := p.keys() - self.kept.keys():
            raise RefusedError(f"row {min(missing)} is of neither class")
        over = lcm(*(self.kept[i][1] for i in p))
        sums: dict[int, int] = {}
        for i, number in p.items():
            z, denominator = self.kept[i]
            for j, v in z.items():
                sums[j] = sums.get(j, 0) + number * v * (over // denominator)
        return {j: Fraction(v, over) for j, v in sums.items() if v}

    def separable(self) -> str:
        """Every z·w > 0 is seen; verify what is said of the margin: lo ≤ γ* ≤ hi, and Novikoff's bound."""
        claim, lowest = self.claim, self.lowest
        if lowest is None or claim.witness or claim.tied or claim.relations is not None:
            raise RefusedError("a separable claim needs rows, and has no witness, tied rows or relations")
        square = lowest**2 / sum(v * v for v in claim.plane.values())
        p = claim.combination
        radius = exact(claim.margin["radius_squared"])
        if self.longest > radius:
            raise RefusedError(f"radius_squared is {radius}, but a row has ||z||^2 = {self.longest}")
        facts = {"lo_squared": square, "mistake_bound": Fraction(radius // square)}
        if p:
            facts["hi_squared"] = sum(v * v for v in self.total(p).values()) / Fraction(sum(p.values())) ** 2
        for name, fact in facts.items():
            if exact(claim.margin[name]) != fact:
                raise RefusedError(f"{name} is {fact}, not {claim.margin[name]}")
        proved = f"accepted: separable, every margin > 0, the best one at least {root(square)}"
        return proved + (f" and at most {root(facts['hi_squared'])}" if p else "")

    def not_separable(self) -> str:
        """The witness is seen.  If its rows span those of T, every w' with Zw' ≥ 0 has Zw' = 0 on T."""
        claim = self.claim
        if claim.relations is None:
            what = "no plane has every margin > 0" + ("; a plane has every margin >= 0" if claim.plane else "")
            return f"accepted: {claim.verdict}, {what}; that no plane does better is not claimed"
        last = [max(relation) for relation in claim.relations]
        if any(a >= b for a, b in pairwise(last)):
            raise RefusedError("the last columns of the relations do not increase, so they may depend on each other")
        rank, needed = rank_of([self.kept[i][0] for i in claim.witness], claim.width), claim.width - len(last)
        if rank != needed:
            raise RefusedError(f"the rows of the witness have rank {rank}; {len(last)} relations leave {needed}")
        if claim.verdict == "inseparable":
            return "accepted: inseparable, every plane has a row with margin < 0 or all margins 0 (overlap)"
        return (
            f"accepted: quasi-separable, {self.right} rows have margin > 0; no plane moves the other {len(self.tied)}"
        )


def root(square: Fraction) -> str:
    """The square root in a few digits, for people."""
    return f"{(Decimal(square.numerator) / Decimal(square.denominator)).sqrt():.6g}"


def exact(text: Any) -> Fraction:
    """A ratio of whole numbers from its text."""
    return Fraction(*(int(part, 0) for part in text.split("/")))


def rank_of(rows: list[dict[int, int]], width: int) -> int:
    """The rank modulo the prime, which is at most the rank."""
    dense, rank = [[z.get(j, 0) % MODULUS for j in range(width)] for z in rows], 0
    for j in reversed(range(width)):
        k = next((k for k, row in enumerate(dense) if row[j]), None)
        if k is not None:
            pivot, rank = dense.pop(k)[: j + 1], rank + 1
            inverse = pow(pivot[j], -1, MODULUS)
            for i, row in enumerate(dense):
                if row[j]:
                    factor = row[j] * inverse % MODULUS
                    dense[i] = [(a - factor * b) % MODULUS for a, b in zip(row, pivot, strict=False)]
    return rank
