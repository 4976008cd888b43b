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
import struct
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from decimal import Context, Decimal
from fractions import Fraction
from itertools import repeat
from math import lcm
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

ACCEPTED, REFUSED, BAD_INPUT, MALFORMED = range(4)
"""Exit codes."""
DIGITS = Context(prec=60, Emin=-999999, Emax=999999)
OFF = Fraction(1, 10**50)
"""More than exp of a negative number is off in these digits: |x|·exp(x) ≤ 1, so the rounding of x adds below 1e-59."""


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
    try:
        claim = Claim(json.loads(certificate) if isinstance(certificate, str | bytes) else certificate)
        verifier = Verifier(claim) if claim.kernel is None else KernelVerifier(claim)
        for i, row in signed_rows(claim, rows, labels):
            verifier.add_row(i, row)
        return Verdict(True, f"accepted: {claim.verdict}, {verifier.conclusion()}")
    except RefusedError as refusal:
        return Verdict(False, f"refused: {refusal}")
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, struct.error) as error:
        text = error if type(error) is ValueError else f"{type(error).__name__}: {error}"
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
        signed = (*self.witness.values(), *self.cover.values(), *self.combination.values(), self.rest + 1)
        require(min(signed) > 0, "a weight of the witness, the cover or the combination is not positive")


def seal(c: dict[str, Any]) -> str:
    """The digest of all other fields."""
    text = json.dumps({k: v for k, v in c.items() if k != "seal"}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def weights(texts: Any, limit: int, name: str) -> dict[int, int]:
    """{place: whole number other than 0} from a mapping of texts."""
    numbers = {int(place): int(text, 0) for place, text in texts.items()}
    if len(numbers) < len(texts) or any(not 0 <= place < limit or not number for place, number in numbers.items()):
        raise ValueError(f"the {name} names a place twice or outside of the data, or has a zero")
    return numbers


class SignedRow(NamedTuple):
    """z = sign·[x; 1], the entries of x that are not zero as whole numbers over one denominator."""

    sign: int
    x: dict[int, int]
    over: int


def signed_rows(claim: Claim, rows: Iterable[Any], labels: Iterable[Any]) -> Iterator[tuple[int, SignedRow]]:
    """The rows that take part, one by one; after the last one the digests of all are compared."""
    values, signs, count = hashlib.sha256(), hashlib.sha256(), 0
    for count, (given, label) in enumerate(zip(rows, labels, strict=True), start=1):
        entries = sorted(given.items()) if isinstance(given, Mapping) else list(enumerate(given))
        fits = isinstance(given, Mapping) or len(entries) == claim.columns
        fits = fits and all(j < claim.columns for j, _ in entries[-1:])
        require(fits, f"row {count - 1} does not have the {claim.columns} columns of the certificate")
        if claim.decimal:
            nonzero = {j: value for j, v in entries if (value := Fraction(v))}
            values.update((" ".join(f"{j}:{v.numerator}/{v.denominator}" for j, v in nonzero.items()) + "\n").encode())
        else:
            nonzero = {j: v for j, v in entries if v}
            floats = list(map(float, nonzero.values()))
            require(floats == list(nonzero.values()), f"row {count - 1} has numbers that are not float64")
            values.update(struct.pack(f"<I{len(nonzero)}I{len(nonzero)}d", len(nonzero), *nonzero, *floats))
        sign = 1 if str(label) == claim.positive else -1 if claim.negative in (None, str(label)) else 0
        signs.update(b"-0+"[sign + 1 : sign + 2])
        if sign:
            ratios = [v.as_integer_ratio() for v in nonzero.values()]
            over = lcm(*(d for _, d in ratios))
            x = {j: n * (over // d) for j, (n, d) in zip(nonzero, ratios, strict=True)}
            yield count - 1, SignedRow(sign, x, over)
    same = (count, values.hexdigest(), signs.hexdigest()) == tuple(claim.data[k] for k in ("rows", "values", "signs"))
    require(same, "the rows or labels are not those of the certificate: their digests differ")


class Verifier:
    """Takes in every row of the data once, then concludes."""

    def __init__(self, claim: Claim) -> None:
        self.claim, self.failure, self.tied = claim, "", 0
        self.weighted = claim.witness.keys() | claim.cover.keys() | claim.combination.keys()
        self.kept: dict[int, SignedRow] = {}  # the rows that have a weight
        self.rest_sum: dict[int, Fraction] = {}  # the sum of the tied rows that the cover does not name
        self.right_rows: list[int] = []  # the rows with z·w > 0
        self.lowest: Fraction | None = None  # min z·w
        self.longest = Fraction(0)  # max ‖z‖²

    def add_row(self, i: int, row: SignedRow) -> None:
        """Take in one row: on which side of the plane it lies, its length, whether it obeys the relations."""
        margin, least = self.product(row, self.claim.plane), "> 0" if self.claim.verdict == "separable" else ">= 0"
        self.lowest = min(margin, margin if self.lowest is None else self.lowest)
        if self.claim.margin:
            self.longest = max(self.longest, self.square_of_row(row))
        if i in self.weighted:
            self.kept[i] = row
        if margin > 0:
            self.right_rows.append(i)
        elif margin < 0 or least == "> 0":
            what = f"row {i} (label {row.sign:+d}) has margin {readable(margin)}; the claim needs every margin {least}"
            self.failure = self.failure or what
        else:
            self.tied += 1
            if self.claim.rest and i not in self.claim.cover:
                self.add(self.rest_sum, row, 1)
        if any(self.product(row, relation) for relation in self.claim.collinear):
            self.failure = self.failure or f"row {i} does not satisfy a relation of 'collinear'"

    def product(self, row: SignedRow, w: dict[int, int]) -> Fraction:
        """z·w."""
        total = sum(map(mul, row.x.values(), map(w.get, row.x, repeat(0)))) + row.over * w.get(self.claim.columns, 0)
        return Fraction(row.sign * total, row.over)

    def square_of_row(self, row: SignedRow) -> Fraction:
        """‖z‖²."""
        return Fraction(sum(map(mul, row.x.values(), row.x.values())), row.over**2) + self.claim.intercept

    def square_of_plane(self) -> Fraction:
        """‖w‖²."""
        return Fraction(sum(v * v for v in self.claim.plane.values()))

    def add(self, total: dict[int, Fraction], row: SignedRow, weight: int) -> None:
        """Add weight·z."""
        intercept = {self.claim.columns: row.over} if self.claim.intercept else {}
        for j, v in (row.x | intercept).items():
            total[j] = total.get(j, Fraction(0)) + Fraction(row.sign * weight * v, row.over)

    def square(self, p: dict[int, int], rest: int = 0) -> Fraction:
        """‖Σ p_i·z_i‖², with the weight ``rest`` for all tied rows that are not named."""
        missing = p.keys() - self.kept.keys()
        require(not missing, f"row {min(missing, default=0)}, which has a weight, is of neither class")
        total = {j: rest * v for j, v in self.rest_sum.items()}
        for i, weight in p.items():
            self.add(total, self.kept[i], weight)
        return sum((v * v for v in total.values()), Fraction(0))

    def conclusion(self) -> str:
        """What is proved, in a sentence."""
        claim, right = self.claim, len(self.right_rows)
        require(not self.failure, self.failure)
        require((claim.margin is None) == (claim.verdict != "separable"), "a margin is claimed of separable rows only")
        if claim.margin is not None:
            require(not (claim.witness or claim.cover or claim.rest or claim.rows), "separable rows have no witness")
            return self.interval(claim.margin)
        require(bool(claim.witness), "there is no witness, so a plane with every margin > 0 is not excluded")
        require(self.square(claim.witness) == 0, "the signed rows of the witness, with its weights, do not sum to zero")
        require(claim.rows == self.right_rows, "'rows' are not the rows with margin > 0")
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
        lo, hi, radius, bound = (ratio(margin[name]) for name in ("lo", "hi", "radius", "mistake_bound"))
        least, p = (self.lowest or 0) ** 2 / self.square_of_plane(), self.claim.combination
        most = self.square(p) / sum(p.values()) ** 2
        require(lo > 0 and lo**2 <= least, f"lo is {readable(lo)}, but the plane's margin² is {readable(least)}")
        require(
            hi > 0 and hi**2 >= most, f"hi is {readable(hi)}, but the combination proves hi² = {readable(most)} only"
        )
        require(radius > 0 and radius**2 >= self.longest, f"radius is {readable(radius)}, but a row is longer")
        require(bound >= radius**2 // lo**2, f"mistake_bound is {readable(bound)}, but radius²/lo² is more")
        return f"every margin > 0, the best one at least {readable(lo)} and at most {readable(hi)}"


class KernelVerifier(Verifier):
    """Takes in every row and keeps it; products are those of the kernel, rounded against the claim.

    Polynomial kernels are computed exactly; exp to 50 digits, and every sum with what that can be off.
    """

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        kernel = claim.kernel
        self.name, self.gamma = kernel["name"], ratio(kernel["gamma"])
        self.degree, self.coef0 = kernel["degree"], ratio(kernel["coef0"])
        require(self.gamma > 0 and self.coef0 >= 0, "a kernel with gamma <= 0 or coef0 < 0 need not be one")
        if self.name not in ("poly", "rbf") or type(self.degree) is not int or self.degree < 1:
            raise ValueError("the kernel must be 'poly' or 'rbf' with a positive whole degree")
        require(not claim.collinear, "relations between columns say nothing in a feature space")
        self.tied_rows: list[int] = []

    def add_row(self, i: int, row: SignedRow) -> None:
        """Keep the row; the plane is known when all are."""
        self.kept[i] = row

    def conclusion(self) -> str:
        """What is proved, in a sentence that names the kernel."""
        for i, row in list(self.kept.items()):
            before = self.tied
            super().add_row(i, row)
            if self.tied > before and i not in self.claim.cover:
                self.tied_rows.append(i)
        return f"{super().conclusion()} (in the feature space of the {self.name} kernel)"

    def inner(self, a: SignedRow, b: SignedRow) -> tuple[Fraction, Fraction]:
        """z_a·z_b, and how far it may be off."""
        off = Fraction(0)
        if self.name == "poly":
            dot = Fraction(sum(v * b.x.get(j, 0) for j, v in a.x.items()), a.over * b.over)
            value = (self.gamma * dot + self.coef0) ** self.degree
        else:
            places = a.x.keys() | b.x.keys()
            apart = sum((a.x.get(j, 0) * b.over - b.x.get(j, 0) * a.over) ** 2 for j in places)
            x = -self.gamma * Fraction(apart, (a.over * b.over) ** 2)
            value, off = (Fraction(exp(x)), OFF) if x else (Fraction(1), off)
        return a.sign * b.sign * (value + self.claim.intercept), off

    def product(self, row: SignedRow, w: dict[int, int]) -> Fraction:
        """z·w, rounded down."""
        return self.total((weight, self.inner(row, self.row(j)), -1) for j, weight in w.items())

    def square_of_row(self, row: SignedRow) -> Fraction:
        """‖z‖²."""
        return self.inner(row, row)[0]

    def square_of_plane(self) -> Fraction:
        """‖w‖², rounded up."""
        return self.square(self.claim.plane)

    def square(self, p: dict[int, int], rest: int = 0) -> Fraction:
        """‖Σ p_i·z_i‖², rounded up."""
        p = p | dict.fromkeys(self.tied_rows if rest else [], rest)
        pairs = ((a * b, self.inner(self.row(i), self.row(j)), 1) for i, a in p.items() for j, b in p.items())
        return self.total(pairs)

    def total(self, terms: Any) -> Fraction:
        """Σ weight·value, each pushed by what it may be off in the direction given."""
        return sum((weight * value + way * abs(weight) * off for weight, (value, off), way in terms), Fraction(0))

    def row(self, i: int) -> SignedRow:
        """A row that has a weight."""
        require(i in self.kept, f"row {i}, which has a weight, is of neither class")
        return self.kept[i]


def exp(x: Fraction) -> Decimal:
    """exp of a negative number."""
    return DIGITS.exp(DIGITS.divide(Decimal(x.numerator), Decimal(x.denominator)))


def readable(value: Fraction) -> str:
    """A number for people: exact if it is short."""
    short = max(abs(value.numerator), value.denominator) < 10**6
    return str(value) if short else f"{Decimal(value.numerator) / Decimal(value.denominator):.6g}"


def ratio(text: Any) -> Fraction:
    """A ratio of whole numbers from its text."""
    return Fraction(*(int(part, 0) for part in text.split("/")))


# The table: rows and labels of a file, for who checks with this file alone, and for ``novikoff check`` as well.

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
"""A number as tables write it."""


class EncodedTable(NamedTuple):
    """A table as columns of numbers, texts that mean decimals or floats, with their names; and its labels."""

    names: list[str]
    numbers: list[list[Any]]
    labels: list[Any]
    categories: dict[str, int]  # how many every column has that is not of numbers


def encode_columns(
    columns: Mapping[str, list[Any]], target: str, categorical: Collection[str] = (), drop: Collection[str] = ()
) -> EncodedTable:
    """A table of texts or numbers as columns of numbers: one of 0 and 1 per category, in the order of their texts.

    >>> encode_columns({"hue": ["red", "blue"], "x": ["1.5", "2"], "y": ["a", "b"]}, "y").numbers
    [['0', '1'], ['1', '0'], ['1.5', '2']]
    """
    encoded = EncodedTable([], [], columns[target], {})
    for name, cells in columns.items():
        if name == target or name in drop:
            continue
        if name not in categorical and (not isinstance(cells[0], str) or all(map(NUMBER.fullmatch, set(cells)))):
            encoded.names.append(name)
            encoded.numbers.append(cells)
            continue
        values = sorted({str(cell) for cell in cells})
        encoded.categories[name] = len(values)
        encoded.names.extend(f"{name} = {value}" for value in values)
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
    return row, str(int(float(label))) if NUMBER.fullmatch(label) and float(label).is_integer() else label


def as_floats(rows: Iterable[Any]) -> Iterator[Any]:
    """The rows with the float64 numbers nearest to what is written."""
    for row in rows:
        yield {j: float(v) for j, v in row.items()} if isinstance(row, Mapping) else [float(v) for v in row]


def check_file(proof: Path, table: Callable[[], tuple[Collection[Any], Iterable[Any]]]) -> list[Verdict]:
    """The verdicts on a file of one proof, or of a list of them; rows and labels are read if the file is JSON."""
    try:
        claims = json.loads(proof.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        return [Verdict(False, f"malformed: {proof} is not JSON ({error})", malformed=True)]
    rows, labels = table()
    verdicts = []
    for claim in claims if isinstance(claims, list) and claims else [claims]:
        decimal = isinstance(claim, dict) and claim.get("numbers") == "decimal"
        verdicts.append(check_proof(claim, rows if decimal else as_floats(rows), labels))
    return verdicts


def exit_code(verdicts: Collection[Verdict]) -> int:
    """What the shell is told of them."""
    if any(verdict.malformed for verdict in verdicts):
        return MALFORMED
    return ACCEPTED if all(verdicts) else REFUSED


def read_csv(path: str, options: argparse.Namespace) -> tuple[list[Any], list[Any]]:
    """The rows and labels of a CSV file; what a cell is between spaces is what it means."""
    with open(path, encoding=options.encoding, newline="") as file:
        records = [[cell.strip() for cell in record] for record in csv.reader(file, delimiter=options.delimiter)]
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
    encoded = encode_columns(columns, options.target, options.categorical, options.drop)
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
    parser.add_argument("--delimiter", default=",", help="what stands between the cells, if not a comma")
    parser.add_argument("--encoding", default="utf-8-sig", help="the encoding, if not UTF-8")
    parser.add_argument("--no-header", action="store_true", help="the first line is a row; columns are called 1, 2, …")
    options = parser.parse_args(arguments)
    try:
        verdicts = check_file(
            options.proof, lambda: read_csv(options.data, options) if options.target else read_libsvm(options.data)
        )
    except OSError as error:
        print(f"{error.filename} could not be read: {error.strerror}", file=sys.stderr)
        return BAD_INPUT
    except (ValueError, LookupError, csv.Error) as error:
        print(f"{options.data} could not be read: {error}", file=sys.stderr)
        return BAD_INPUT
    for verdict in verdicts:
        print(verdict.sentence)
    return exit_code(verdicts)


if __name__ == "__main__":
    sys.exit(main())
