"""From Gordan's alternative to Albert and Anderson's three cases, level by level (facial reduction).

A witness says that no plane has every row right.  The rows that its rows span are tied: every w with Zw ≥ 0 is zero on
them.  The planes that are zero on them form the next level, on which only the other rows are left.  A plane on a later
level proves "quasi-separable", with the tied rows named; no rows left prove overlap.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from operator import mul

import numpy as np

from ..exact.floats import primitive
from ..exact.limits import NotTiedError, SearchLimits, UndecidedError
from ..exact.linalg import coefficients, independent_rows, null_space
from .gordan import Level, decide
from .signed_rows import WIDE, SignedRows

NUMBERS = 2**20
"""Rows times columns up to which quasi-separation is looked for without being asked for."""
SPARSE_WORK = 10**6
"""Rows times columns² up to which a quasi-separating plane is sought in few columns."""
NOT_ASKED = (
    f"quasi-separation was not looked for in data of more than {NUMBERS} numbers; quasi=True (--quasi) looks for it"
)


@dataclass
class Decision:
    """What was proved of signed rows, in whole numbers of the exact side, and what stayed open.

    A plane without a witness has every row on its right side; beside a witness it has some there and the others on it.
    """

    plane: list[int] | None = None
    witness: dict[int, int] = field(default_factory=dict)
    cover: dict[int, int] = field(default_factory=dict)  # with ``rest`` for the other tied rows: all positive, sum zero
    rest: int = 0
    right: list[int] = field(default_factory=list)  # beside a witness, the rows on the right side of the plane
    open: str = ""


def decide_separability(signed: SignedRows, quasi: bool | None, limits: SearchLimits) -> Decision:
    """A plane that has every row right; or a witness and, where it is asked for, whether a plane has no row wrong.

    Neither, and why, if the search came to no end.
    """
    try:
        limits()
        level = Level(signed)
        pair = signed.contradiction() if signed.width > WIDE else {}
        plane, witness = (None, pair) if pair else decide(level, limits)
    except UndecidedError as why:
        return Decision(open=str(why))
    if plane is not None:
        return Decision(plane)
    witness = pair or signed.contradiction() or witness
    if not (len(signed.rows) * signed.width <= NUMBERS if quasi is None else quasi):
        return Decision(witness=witness, open=NOT_ASKED if quasi is None else "")
    try:
        limits.say(f"no plane separates ({len(witness)} rows prove it); is there one without errors?")
        try:
            return quasi_or_overlap(signed, witness, level, limits)
        except NotTiedError:  # two primes divide what should not vanish: look again without them
            signed.by_primes = False
            return quasi_or_overlap(signed, witness, level, limits)
    except UndecidedError as why:
        return Decision(witness=witness, open=f"whether a plane has no row on its wrong side was not decided: {why}")


Chain = list[dict[int, int]]
"""Witnesses of level after level, weights by row: of each the sum lies in the span of the rows before, of the first
it is 0."""


BEYOND = -1
"""The number that rows beyond a chain have together."""


def rows_of(chain: Chain) -> list[int]:
    """All rows of a chain, level after level."""
    return [row for link in chain for row in link]


def quasi_or_overlap(signed: SignedRows, witness: dict[int, int], level: Level, limits: SearchLimits) -> Decision:
    """Go from level to level, to the last."""
    level, plane, chain = last_level(signed, widen([witness], signed, level.worked, limits), limits)
    tied = np.setdiff1d(np.arange(len(signed.rows)), level.rows)
    best = None if plane is None else plane_in_few_columns(signed, rows_of(chain), level, plane, limits)
    return Decision(best, witness, *cover_of(signed, chain, tied), [] if best is None else right_rows(signed, best))


def right_rows(signed: SignedRows, plane: list[int]) -> list[int]:
    """The rows on the right side of a plane that has none on the wrong side."""
    sides = signed.sides(plane)[1]
    if (sides < 0).any():
        raise NotTiedError("rows that seemed to be tied are not")
    return np.flatnonzero(sides > 0).tolist()


def last_level(signed: SignedRows, chain: Chain, limits: SearchLimits) -> tuple[Level, list[int] | None, Chain]:
    """The level on which no row is left, or a plane; with a chain whose rows span all that are tied there."""
    while True:
        level = Level(signed, null_space(signed.integers(rows_of(chain))), limits)
        if not len(level.rows):
            return level, None, chain
        limits()
        plane, new = decide(level, limits)
        if plane is not None:
            return level, plane, chain
        chain = [*chain, {int(level.rows[k]): weight for k, weight in new.items()}]
        chain = widen(chain, signed, level.worked, limits)


def widen(chain: Chain, signed: SignedRows, worked: np.ndarray, limits: SearchLimits) -> Chain:
    """The longest chain among the rows that the search worked on, which saves levels of all rows."""
    rows = np.union1d(worked, rows_of(chain))
    if 2 * len(rows) > len(signed.rows):
        return chain
    places = {int(row): k for k, row in enumerate(rows)}
    within = [{places[row]: weight for row, weight in link.items()} for link in chain]
    _, _, longer = last_level(signed.part(rows), within, limits)
    return [{int(rows[k]): weight for k, weight in link.items()} for link in longer]


def cover_of(signed: SignedRows, chain: Chain, tied: np.ndarray) -> tuple[dict[int, int], int]:
    """Positive weights of sum zero for all tied rows: the same one, returned last, for all that are not named."""
    others = np.setdiff1d(tied, rows_of(chain))
    if not len(others):
        weights, rest = balanced(signed, chain), 1
    else:
        weights = balanced(signed, chain, signed.sum_rows(others))
        rest = weights.pop(BEYOND)
    return {k: v for k, v in weights.items() if v != rest}, rest


def balanced(signed: SignedRows, chain: Chain, beyond: list[int] | None = None) -> dict[int, int]:
    """Positive weights of sum zero for all rows of a chain and for the sum of rows beyond it, if there are any.

    The sum of a link is balanced by rows before it; so each link is taken as often as its rows need to stay positive,
    the last one first, and the first, whose own sum is 0, at the end.
    """
    links = [*chain, {BEYOND: 1}] if beyond else chain
    sums = [weighted_sum(signed, link) for link in chain[1:]] + ([beyond] if beyond else [])
    if not sums:
        return chain[0]
    rows = rows_of(chain)
    integers, weights = signed.integers(rows), dict.fromkeys(rows_of(links), Fraction(0))
    kept = independent_rows(integers)
    kept = kept if len(kept) == signed.width else list(range(len(rows)))
    balancing = [[Fraction(0)] * len(kept), *coefficients([integers[k] for k in kept], sums)]
    for link, parts in zip(reversed(links), reversed(balancing), strict=True):
        often = max(0, *(floor(-weights[row] / weight) + 1 for row, weight in link.items()))
        for row, weight in link.items():
            weights[row] += often * weight
        for k, part in zip(kept, parts, strict=True):
            weights[rows[k]] -= often * part
    if min(weights.values()) <= 0:
        raise UndecidedError("rows that are independent modulo a prime misled the search")
    return dict(zip(weights, primitive(list(weights.values())), strict=True))


def weighted_sum(signed: SignedRows, weights: dict[int, int]) -> list[int]:
    """Σ p_i·z_i."""
    return [sum(map(mul, weights.values(), column)) for column in zip(*signed.integers(weights), strict=True)]


def plane_in_few_columns(
    signed: SignedRows, tied: list[int], level: Level, plane: list[int], limits: SearchLimits
) -> list[int]:
    """A plane that has the same rows on its right side and on it, none of whose columns can be left out."""
    best, zeros = level.lift(plane), signed.integers(tied)
    if len(level.rows) * signed.width**2 > SPARSE_WORK:
        return best
    for j in range(signed.data.d):
        pinned = [*zeros, [int(i == j) for i in range(signed.width)]]
        face = Level(signed, null_space(pinned), limits)
        if len(face.rows) < len(level.rows):
            continue
        try:
            other = decide(face, limits)[0]
        except UndecidedError:
            return best
        if other is not None:
            best, zeros = face.lift(other), pinned
    return best
