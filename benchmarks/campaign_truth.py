"""What is true of signed rows, in whole numbers: an oracle that shares nothing with novikoff.  Standard library only.

A signed row is z = ±[x; 1], or ±x without an intercept.  ``right_rows`` decides a question by a simplex without
fractions; ``false_claims`` recomputes, from docs/certificate-format.md alone, what a proof claims of the rows.
"""

import hashlib
import struct
from collections.abc import Iterable, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from itertools import combinations_with_replacement
from math import gcd, lcm, prod
from typing import Any, NamedTuple

DIGITS = Context(prec=90, Emin=-999999, Emax=999999)
NEARLY = Fraction(1, 10**40)
"""How far, relatively, a claim of an rbf kernel may be off before it is called false: exp is rounded."""


def right_rows(Z: Sequence[Sequence[int]]) -> list[int]:
    """The rows that some w has strictly on their right side, z·w > 0, while none is on the wrong side, z·w < 0.

    All of them: separable; none: overlap; some: quasi-separable.  A row is not among them exactly when it has a weight
    in some p ≥ 0 with Zᵀp = 0 (Goldman and Tucker), so such p are looked for, in Σp = 1, by the simplex of Bland.

    >>> right_rows([[-1, -1], [2, 1]]), right_rows([[1], [-1]]), right_rows([[1, 1], [-1, -1], [0, 1]])
    ([0, 1], [], [2])
    """
    n = len(Z)
    table = Tableau([list(column) for column in zip(*Z, strict=True)], n)
    left = set(range(n))
    while left:
        table.set_goal(left)
        while (j := table.entering()) is not None:
            table.enter(j)
            if tied := table.support() & left:
                left -= tied
                break
        else:
            break
    return sorted(left)


class Tableau:
    """The rows of a simplex in whole numbers over one denominator: Zᵀp = 0, and Σp + slack = 1 as the last."""

    def __init__(self, equations: list[list[int]], n: int) -> None:
        self.n, self.over, self.goal = n, 1, [0] * n
        self.rows = [[*row, 0] for row in equations] + [[1] * (n + 1)]  # the last column is the right side
        self.basis = [-1] * len(equations) + [n]  # n is the slack
        for r in range(len(equations)):
            j = next((j for j in range(n) if self.rows[r][j]), None)
            if j is not None:
                if self.rows[r][j] < 0:
                    self.rows[r] = [-v for v in self.rows[r]]
                self.pivot(r, j)
        kept = [r for r, j in enumerate(self.basis) if j >= 0]
        self.rows, self.basis = [self.rows[r] for r in kept], [self.basis[r] for r in kept]

    def pivot(self, r: int, j: int) -> None:
        """Make p_j basic in row r, whose entry is positive; all divisions are without a rest (Edmonds)."""
        row, over = self.rows[r], self.over
        entry = row[j]
        for k, other in enumerate(self.rows):
            if k != r:
                factor = other[j]
                self.rows[k] = [(entry * v - factor * u) // over for v, u in zip(other, row, strict=True)]
        factor = self.goal[j]
        self.goal = [(entry * v - factor * u) // over for v, u in zip(self.goal, row, strict=False)]
        self.basis[r], self.over = j, entry

    def set_goal(self, wanted: set[int]) -> None:
        """Maximise the sum of these p."""
        self.goal = [self.over if j in wanted else 0 for j in range(self.n)]
        for row, j in zip(self.rows, self.basis, strict=True):
            if j in wanted:
                self.goal = [v - u for v, u in zip(self.goal, row, strict=False)]

    def entering(self) -> int | None:
        """The first p that would raise the goal."""
        return next((j for j, v in enumerate(self.goal) if v > 0), None)

    def enter(self, j: int) -> None:
        """Let p_j in for the basic variable that is first to reach zero, the one of the lowest number among equals."""
        best = -1
        for r, row in enumerate(self.rows):
            if row[j] > 0:
                first = self.rows[best]
                sooner = -1 if best < 0 else row[-1] * first[j] - first[-1] * row[j]
                if sooner < 0 or (sooner == 0 and self.basis[r] < self.basis[best]):
                    best = r
        self.pivot(best, j)

    def support(self) -> set[int]:
        """The rows that have a weight now."""
        return {j for row, j in zip(self.rows, self.basis, strict=True) if row[-1] and j < self.n}


def signed_rows(rows: Iterable[Sequence[Any]], signs: Iterable[int], intercept: bool) -> list[list[Fraction]]:
    """z = ±[x; 1] of the rows whose sign is not 0; numbers are floats, ints, fractions or texts, all exact."""
    ends = [Fraction(1)] * intercept
    return [[s * v for v in (*map(Fraction, row), *ends)] for row, s in zip(rows, signs, strict=True) if s]


def whole(Z: list[list[Fraction]]) -> list[list[int]]:
    """Rows times positive numbers, and columns too, so that all are whole: no verdict depends on that."""
    scales = [lcm(*(v.denominator for v in column)) for column in zip(*Z, strict=True)]
    rows = [[v.numerator * (m // v.denominator) for v, m in zip(row, scales, strict=True)] for row in Z]
    parts = [gcd(*column) or 1 for column in zip(*rows, strict=True)]
    rows = [[v // g for v, g in zip(row, parts, strict=True)] for row in rows]
    return [[v // g for v in row] for row in rows if (g := gcd(*row) or 1)]


def monomials(row: Sequence[Any], degree: int, lower: bool) -> list[Fraction]:
    """The features of (γ·x·x' + c)^degree up to positive factors: all monomials, of lower degrees too if c > 0."""
    values = list(map(Fraction, row))
    degrees = range(degree + 1) if lower else [degree]
    return [prod(part, start=Fraction(1)) for k in degrees for part in combinations_with_replacement(values, k)]


class Truth(NamedTuple):
    """A verdict, and the places, among all rows, of those that a quasi-separating plane can have on its right side."""

    verdict: str
    rows: list[int]


def truth(rows: Sequence[Sequence[Any]], signs: Sequence[int], intercept: bool, kernel: Any = None) -> Truth:
    """What is true of a question; ``kernel`` is None or has ``name``, and of poly ``degree`` and ``coef0``."""
    places = [i for i, s in enumerate(signs) if s]
    if kernel is not None and kernel["name"] == "rbf":
        right = rows_without_twin(rows, signs, places)
    else:
        if kernel is not None:
            rows = [monomials(row, kernel["degree"], Fraction(kernel["coef0"]) > 0) for row in rows]
        right = [places[k] for k in right_rows(whole(signed_rows(rows, signs, intercept)))]
    if len(right) == len(places):
        return Truth("separable", [])
    return Truth("quasi-separable", right) if right else Truth("inseparable", [])


def rows_without_twin(rows: Sequence[Sequence[Any]], signs: Sequence[int], places: list[int]) -> list[int]:
    """The rows that have no equal one of the other sign: distinct rows are independent under exp(−γ‖x − x'‖²)."""
    found: dict[tuple[Fraction, ...], set[int]] = {}
    exact = {i: tuple(map(Fraction, rows[i])) for i in places}
    for i in places:
        found.setdefault(exact[i], set()).add(signs[i])
    return [i for i in places if len(found[exact[i]]) == 1]


# What a proof claims, read as the format page has it.


def number(text: Any) -> Fraction:
    """A whole number or a ratio."""
    return Fraction(*(int(part, 0) for part in text.split("/")))


def vector(texts: dict[str, str]) -> dict[int, int]:
    """{place: whole number}."""
    return {int(place): int(text, 0) for place, text in texts.items()}


class Space:
    """The products of signed rows, and of planes with them: exact, or for rbf with what they may be off."""

    def __init__(self, rows: Any, signs: Sequence[int], intercept: bool, kernel: Any) -> None:
        self.kernel, self.intercept = kernel, intercept
        self.signs = {i: s for i, s in enumerate(signs) if s}
        self.x = {i: list(map(Fraction, rows[i])) for i in self.signs}
        self.z = {i: [s * v for v in (*self.x[i], *[Fraction(1)] * intercept)] for i, s in self.signs.items()}
        self.slack = NEARLY if kernel is not None and kernel["name"] == "rbf" else Fraction(0)
        self.known: dict[tuple[int, int], Fraction] = {}

    def inner(self, i: int, j: int) -> Fraction:
        """z_i·z_j."""
        key = (min(i, j), max(i, j))
        if key not in self.known:
            self.known[key] = self.signs[i] * self.signs[j] * (self.kernel_value(i, j) + self.intercept)
        return self.known[key]

    def kernel_value(self, i: int, j: int) -> Fraction:
        """k(x_i, x_j); without a kernel x_i·x_j."""
        pairs = list(zip(self.x[i], self.x[j], strict=True))
        dot = sum((a * b for a, b in pairs), Fraction(0))
        if self.kernel is None:
            return dot
        if self.kernel["name"] == "poly":
            return (number(self.kernel["gamma"]) * dot + number(self.kernel["coef0"])) ** self.kernel["degree"]
        power = -number(self.kernel["gamma"]) * sum((a - b) ** 2 for a, b in pairs)
        if power < -2000:
            return Fraction(0)
        return Fraction(DIGITS.exp(DIGITS.divide(Decimal(power.numerator), Decimal(power.denominator))))

    def margin(self, plane: dict[int, int], i: int) -> Fraction:
        """z_i·w, for w by column, or in a feature space w = Σ α_j·z_j."""
        if self.kernel is None:
            return sum((weight * self.z[i][j] for j, weight in plane.items()), Fraction(0))
        return sum((weight * self.inner(i, j) for j, weight in plane.items()), Fraction(0))

    def square_of_plane(self, plane: dict[int, int]) -> Fraction:
        """‖w‖²."""
        return Fraction(sum(v * v for v in plane.values())) if self.kernel is None else self.square(plane)

    def square(self, p: dict[int, int]) -> Fraction:
        """‖Σ p_i·z_i‖²."""
        return sum((a * b * self.inner(i, j) for i, a in p.items() for j, b in p.items()), Fraction(0))

    def size(self, p: dict[int, int]) -> Fraction:
        """What a sum with these weights is rounded in proportion to."""
        return Fraction(1 + sum(map(abs, p.values())))


def false_claims(
    proof: dict[str, Any], rows: Any, signs: Sequence[int], intercept: bool, kernel: Any, true: Truth
) -> list[str]:
    """What a proof claims of this question that is false, or that it does not prove; its own heading is not asked."""
    space = Space(rows, signs, intercept, kernel)
    plane, verdict, rest = vector(proof["plane"]), proof["verdict"], int(proof["cover"]["rest"], 0)
    margins = {i: space.margin(plane, i) for i in space.signs}
    off = space.slack * space.size(plane)
    claims = {
        "the verdict": verdict == true.verdict
        or (verdict == "inseparable" != true.verdict != "separable" and not rest),
        "a relation": kernel is not None or all(annihilates(vector(v), space) for v in proof["collinear"]),
    }
    if verdict == "separable":
        claims["the plane"] = all(v > -off for v in margins.values())
        claims |= margin_claims(proof["margin"], space, plane, min(margins.values()))
        return [name for name, holds in claims.items() if not holds]
    right = [i for i, v in margins.items() if v > 0] if plane else []
    tied = [i for i in space.signs if i not in right]
    witness, cover = vector(proof["witness"]), vector(proof["cover"]["weights"])
    covering = {i: cover.get(i, rest) for i in tied} | cover
    claims["the plane"] = all(v >= -off for v in margins.values())
    claims["rows"] = proof["rows"] == right and (not rest or right == true.rows)
    claims["the witness"] = bool(witness) and min(witness.values()) > 0 and vanishes(space, witness)
    claims["the cover"] = not rest or (min(covering.values()) > 0 and vanishes(space, covering))
    claims["the margin"] = proof["margin"] is None
    return [name for name, holds in claims.items() if not holds]


def annihilates(relation: dict[int, int], space: Space) -> bool:
    """Whether z·v = 0 for every row."""
    return not any(sum(weight * z[j] for j, weight in relation.items()) for z in space.z.values())


def vanishes(space: Space, p: dict[int, int]) -> bool:
    """Whether the rows sum to zero with these weights."""
    return space.square(p) <= space.slack * space.size(p) ** 2


def margin_claims(margin: Any, space: Space, plane: dict[int, int], least: Fraction) -> dict[str, bool]:
    """lo² ≤ (min z·w)²/‖w‖², hi² ≥ ‖Zᵀp‖²/(Σp)², no row is longer than the radius, and Novikoff's bound."""
    lo, hi, radius, bound = (number(margin[name]) for name in ("lo", "hi", "radius", "mistake_bound"))
    p, off = vector(margin["combination"]), space.slack * space.size(plane)
    total = sum(p.values())
    return {
        "lo": lo > 0 and lo**2 * (space.square_of_plane(plane) - off**2) <= (least + off) ** 2,
        "hi": hi > 0 and min(p.values()) > 0 and hi**2 * total**2 >= space.square(p) - space.slack * space.size(p) ** 2,
        "radius": radius**2 >= max(space.inner(i, i) for i in space.signs),
        "mistake_bound": bound >= radius**2 // lo**2,
    }


def digests(rows: Any, signs: Sequence[int], numbers: str) -> dict[str, str]:
    """``values`` and ``signs`` of the field ``data``."""
    values = hashlib.sha256()
    for row in rows:
        nonzero = {j: v for j, v in enumerate(row) if Fraction(v)}
        if numbers == "decimal":
            ratios = {j: Fraction(v) for j, v in nonzero.items()}
            values.update((" ".join(f"{j}:{v.numerator}/{v.denominator}" for j, v in ratios.items()) + "\n").encode())
        else:
            m = len(nonzero)
            values.update(struct.pack(f"<I{m}I{m}d", m, *nonzero, *map(float, nonzero.values())))
    text = bytes(b"-0+"[s + 1] for s in signs)
    return {"values": values.hexdigest(), "signs": hashlib.sha256(text).hexdigest()}
