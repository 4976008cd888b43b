"""Along which β the likelihood never falls, and what that says of every coefficient (theory of Albert and Anderson).

C = {β : z·β ≥ 0 for all rows}.  The tied rows have z·β = 0 on all of C; the β that are zero on them are the linear hull
of C.  On L, the β that are zero on all rows, the likelihood is constant.  A coefficient is

- aliased, if some β of L has β_j ≠ 0;
- finite, if β_j = 0 on C;
- +∞ or −∞, if β_j has one sign on C;
- infinite with undetermined sign, if it has both.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from ..exact.floats import primitive
from ..exact.limits import SearchLimits, UndecidedError
from ..exact.linalg import independent_rows, products, rows_of_common_null_space, whole_inverse
from ..proofs.gordan import Level, decide
from ..proofs.quasi import Decision, decide_separability
from ..proofs.signed_rows import SignedRows
from .overlap import overlap_in_one_step

FINITE, PLUS, MINUS, UNDETERMINED, ALIASED = "finite", "+inf", "-inf", "undetermined", "aliased"
COMPLETE, QUASI, OVERLAP = "complete", "quasi-complete", "overlap"
MOST_COEFFICIENTS = 1500
"""Coefficients that are looked at one by one."""
SAMPLED = 4
"""Rows per column among which those are looked for that span all."""
ROUNDED = 1 + 1e-9
"""More than the roundings of a sum."""
GRIDS = 16, 30, 50
"""Bits of the weights of combinations of rows, tried one after the other."""


@dataclass(frozen=True)
class ZeroSpace:
    """The vectors on which some rows are zero, and why there are no others.

    Each vector is alone in having the column that it is called by.  In the other columns the combinations of rows form
    a matrix that is strictly dominated by its diagonal, so a vector of these columns on which the rows are zero is 0.
    """

    basis: dict[int, list[int]]
    rows: dict[int, list[int]] = field(default_factory=dict)  # by place: independent ones, each column over its scale

    def moves(self, j: int) -> bool:
        """Whether coefficient j is not 0 on all of it."""
        return any(v[j] for v in self.basis.values())

    @cached_property
    def combinations(self) -> dict[int, dict[int, int]]:
        """{column: {place of a row: weight}}."""
        columns = [j for j in range(len(self.basis) + len(self.rows)) if j not in self.basis]
        square = [[row[j] for j in columns] for row in self.rows.values()]
        return {
            j: {place: weight for place, weight in zip(self.rows, weights, strict=True) if weight}
            for j, weights in zip(columns, dominant_combinations(square), strict=True)
        }


@dataclass(frozen=True)
class ForcedSign:
    """times · (±β_j) = Σ weight · z·β for all β of the hull: where no z·β is negative, ±β_j is not."""

    sign: int
    times: int
    combination: dict[int, int]


@dataclass
class Directions:
    """What was proved of the directions in which a likelihood never falls; rows are called by place."""

    decision: Decision
    verdict: str
    constant: ZeroSpace  # L
    hull: ZeroSpace
    planes: list[list[int]] = field(default_factory=list)  # in C; the first has every row > 0 that any plane has
    classes: list[str] = field(default_factory=list)
    forced: dict[int, ForcedSign] = field(default_factory=dict)

    @property
    def right(self) -> list[int]:
        """The rows that are not tied."""
        return self.decision.right


def find_directions(signed: SignedRows, limits: SearchLimits) -> Directions:
    """Decide the verdict and every coefficient, each with a proof; UndecidedError if the search came to no end."""
    if signed.width > MOST_COEFFICIENTS:
        raise UndecidedError(f"there are {signed.width} coefficients, and {MOST_COEFFICIENTS} are the most")
    limits()
    decision = overlap_in_one_step(signed) or decide_separability(signed, True, limits)
    if decision.open:
        raise UndecidedError(decision.open)
    everyone = np.arange(len(signed.rows))
    if decision.plane is not None and not decision.witness:
        decision.right = everyone.tolist()
    verdict = COMPLETE if not decision.witness else OVERLAP if decision.plane is None else QUASI
    limits.say("columns that depend on others")
    known = list(decision.witness)
    constant = zero_space(signed, everyone, known)
    tied = np.setdiff1d(everyone, decision.right)
    hull = constant if verdict == OVERLAP else zero_space(signed, tied, known)
    planes = [] if decision.plane is None else [signed.outer(decision.plane)]
    found = Directions(decision, verdict, constant, hull, planes)
    SignSearch(signed, found, limits).go()
    return found


def zero_space(signed: SignedRows, places: np.ndarray, known: list[int]) -> ZeroSpace:
    """The vectors, for the rows as they were given, on which some of the rows are zero.

    Rows that are ``known`` to span much are looked at first.
    """
    width = signed.width
    if not len(places):
        return ZeroSpace({j: unit(j, width) for j in range(width)})
    sample = places[np.linspace(0, len(places) - 1, min(len(places), SAMPLED * width), dtype=int)]
    sample = np.union1d(sample, np.intersect1d(places, known))
    kept, whole = spanning(signed, sample)
    if len(kept) == width:
        return ZeroSpace({}, dict(zip(kept, whole, strict=True)))
    part = signed if len(places) == len(signed.rows) else signed.part(places)
    first = np.searchsorted(places, sample).tolist()
    rows, basis = rows_of_common_null_space(first, part.whole_given, lambda v: part.given_off_plane(v)[:1].tolist())
    kept, whole = spanning(signed, places[rows], width - len(basis))
    scales = signed.data.scales
    given = {
        last_column(vector): primitive([v / scale for v, scale in zip(vector, scales, strict=True)]) for vector in basis
    }
    return ZeroSpace(given, dict(zip(kept, whole, strict=True)))


def spanning(signed: SignedRows, places: np.ndarray, rank: int = 0) -> tuple[list[int], list[list[int]]]:
    """Independent rows among some, at least as many as the rank: their places, and the rows."""
    whole = signed.whole_given(places)
    kept = independent_rows(whole, rank)
    return [int(places[k]) for k in kept], [whole[k] for k in kept]


def unit(j: int, width: int) -> list[int]:
    """The vector of column j."""
    return [int(k == j) for k in range(width)]


def last_column(v: list[int]) -> int:
    """The last column that a vector has."""
    return max(j for j, value in enumerate(v) if value)


def dominant_combinations(square: list[list[int]]) -> list[list[int]]:
    """Weights A with A·square strictly dominated by its diagonal, each column in units of its largest entry.

    Rounded rows of the inverse do, on a grid that is fine enough; the exact inverse always does.
    """
    if not square:
        return []
    sizes = [max(abs(row[k]) for row in square) for k in range(len(square))]
    scaled = np.array([[float(Fraction(v, size)) for v, size in zip(row, sizes, strict=True)] for row in square])
    tops = np.frexp(np.abs(scaled).max(axis=1))[1].astype(int)
    try:
        inverse = np.linalg.inv(np.ldexp(scaled, -tops[:, None]))
    except np.linalg.LinAlgError:
        inverse = np.full(scaled.shape, np.inf)
    shifts = (tops.max() - tops).tolist()
    for bits in GRIDS:
        grid = np.rint(np.ldexp(inverse, bits))
        if not np.isfinite(grid).all():
            break
        weights = [[int(v) << shift for v, shift in zip(row, shifts, strict=True)] for row in grid.tolist()]
        if dominated(weights, square, sizes):
            return weights
    return whole_inverse(square)


def dominated(weights: list[list[int]], square: list[list[int]], sizes: list[int]) -> bool:
    """Whether weights·square is strictly dominated by its diagonal, each column in units of its size."""
    columns = [list(column) for column in zip(*square, strict=True)]
    for j, row in enumerate(products(weights, columns)):
        parts = [abs(v) / size for v, size in zip(row, sizes, strict=True)]
        if not 2 * parts[j] > ROUNDED * sum(parts):
            return False
    return True


class PinnedLevel(Level):
    """A level with one more row, in its own coordinates, before the others."""

    def __init__(self, level: Level, row: list[int]) -> None:
        self.level, self.row = level, row
        self.signed, self.basis, self.width, self.factors = level.signed, level.basis, level.width, level.factors
        self.worked = level.worked
        self.rows, self.signs = np.append(-1, level.rows), np.append(1.0, level.signs)
        scaled = [value * factor for value, factor in zip(row, level.factors, strict=True)]
        largest = max(map(abs, scaled))
        self.floats = np.vstack([[float(value / largest) for value in scaled], level.floats])

    def integers(self, rows: np.ndarray) -> list[list[int]]:
        """Signed exact rows."""
        others = iter(self.level.integers(rows[rows > 0] - 1) if (rows > 0).any() else [])
        return [self.row if k == 0 else next(others) for k in rows.tolist()]

    def wrong_rows(self, w: list[int]) -> np.ndarray:
        """The rows that a plane does not have on their right side, the row of its own first."""
        others = self.level.wrong_rows(w) + 1
        right = sum(a * b for a, b in zip(self.row, w, strict=True)) > 0
        return others if right else np.append(0, others)


class SignSearch:
    """The sign of every coefficient on C: one more row, ∓β_j > 0, beside those that are not tied.

    All rows that are not tied can be positive at once.  So if β_j can be negative, it can be so together with all of
    them: that is Gordan's alternative once more, and a witness for it is what forces the sign.
    """

    def __init__(self, signed: SignedRows, found: Directions, limits: SearchLimits) -> None:
        self.signed, self.found, self.limits = signed, found, limits

    def go(self) -> None:
        """Decide all coefficients; those that a plane for another one settles need no search."""
        found, width = self.found, self.signed.width
        open_ones = [j for j in range(width) if found.hull.moves(j) and not found.constant.moves(j)]
        if open_ones:
            self.level = Level(self.signed, [self.signed.inner(v) for v in found.hull.basis.values()], self.limits)
        for at, j in enumerate(open_ones):
            self.limits()
            self.limits.say(f"the sign of coefficient {at + 1} of {len(open_ones)}")
            self.settle(j)
        found.classes = [self.class_of(j) for j in range(width)]

    def settle(self, j: int) -> None:
        """Find planes in which β_j has either sign, or what forces one."""
        while j not in self.found.forced and len(signs := self.signs_seen(j)) < 2:
            sign = -1 if 1 in signs else 1
            row = [sign * value for value in self.functional(j)]
            plane, witness = decide(PinnedLevel(self.level, row), self.limits)
            if plane is None:
                self.found.forced[j] = self.forced(j, -sign, witness)
            else:
                self.found.planes.append(self.signed.outer(self.level.lift(plane)))

    def signs_seen(self, j: int) -> set[int]:
        """The signs of β_j in the planes so far."""
        return {1 if plane[j] > 0 else -1 for plane in self.found.planes if plane[j]}

    def functional(self, j: int) -> list[int]:
        """β_j times the scale of its column, in the coordinates of the level."""
        data, basis = self.signed.data, self.level.basis or []
        if j < data.d:
            return [v[j] for v in basis]
        return [v[j] - sum(c * v[k] for k, c in data.whole_constants.items()) for v in basis]

    def forced(self, j: int, sign: int, witness: dict[int, int]) -> ForcedSign:
        """What a witness proves: its weight of the pinned row, 0, times sign·β_j·scale is Σ p·z·β."""
        places = [int(self.level.rows[k - 1]) for k in witness if k]
        weights = [Fraction(weight) for k, weight in witness.items() if k]
        times, *whole = primitive([witness[0] * self.signed.data.scales[j], *weights])
        return ForcedSign(sign, times, dict(zip(places, whole, strict=True)))

    def class_of(self, j: int) -> str:
        """What coefficient j is."""
        found = self.found
        if found.constant.moves(j):
            return ALIASED
        if not found.hull.moves(j):
            return FINITE
        if j in found.forced:
            return PLUS if found.forced[j].sign > 0 else MINUS
        return UNDETERMINED
