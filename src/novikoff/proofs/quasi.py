"""From Gordan's alternative to Albert and Anderson's three cases, level by level (facial reduction).

A witness says that no plane has every row right.  The rows that its rows span are tied: every w with Zw ≥ 0 is zero on
them.  The planes that are zero on them form the next level, on which only the other rows are left.  A plane on a later
level proves "quasi-separable", with the tied rows named; no rows left prove overlap.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

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


def quasi_or_overlap(signed: SignedRows, witness: dict[int, int], level: Level, limits: SearchLimits) -> Decision:
    """Go from level to level, to the last."""
    wide = widen_witness(signed, witness, level.worked, limits)
    level, plane, wide = last_level(signed, wide, limits)
    tied = np.setdiff1d(np.arange(len(signed.rows)), level.rows)
    best = None if plane is None else plane_in_few_columns(signed, wide, level, plane, limits)
    return Decision(best, witness, *cover_of(signed, wide, tied), [] if best is None else right_rows(signed, best))


def right_rows(signed: SignedRows, plane: list[int]) -> list[int]:
    """The rows on the right side of a plane that has none on the wrong side."""
    sides = signed.sides(plane)[1]
    if (sides < 0).any():
        raise NotTiedError("rows that seemed to be tied are not")
    return np.flatnonzero(sides > 0).tolist()


def last_level(
    signed: SignedRows, witness: dict[int, int], limits: SearchLimits
) -> tuple[Level, list[int] | None, dict[int, int]]:
    """The level on which no row is left, or a plane; with a witness whose rows span all that are tied there."""
    while True:
        level = Level(signed, null_space(signed.integers(witness)), limits)
        if not len(level.rows):
            return level, None, witness
        limits()
        plane, new = decide(level, limits)
        if plane is not None:
            return level, plane, witness
        witness = join_witnesses(signed, witness, {int(level.rows[k]): weight for k, weight in new.items()})
        witness = widen_witness(signed, witness, level.worked, limits)


def widen_witness(
    signed: SignedRows, witness: dict[int, int], worked: np.ndarray, limits: SearchLimits
) -> dict[int, int]:
    """The widest witness among the rows that the search worked on, which saves levels of all rows."""
    rows = np.union1d(worked, list(witness))
    if 2 * len(rows) > len(signed.rows):
        return witness
    places = {int(row): k for k, row in enumerate(rows)}
    _, _, wider = last_level(signed.part(rows), {places[k]: weight for k, weight in witness.items()}, limits)
    return {int(rows[k]): weight for k, weight in wider.items()}


def join_witnesses(signed: SignedRows, old: dict[int, int], new: dict[int, int]) -> dict[int, int]:
    """A witness of the old rows and the new: Σ new lies in the span of the old rows, whose witness is positive."""
    total = [0] * signed.width
    for weight, z in zip(new.values(), signed.integers(new), strict=True):
        total = [a + weight * b for a, b in zip(total, z, strict=True)]
    balanced, often = balance(signed, old, total)
    weights = balanced | {k: often * v for k, v in new.items()}
    return dict(zip(weights, primitive(list(weights.values())), strict=True))


def cover_of(signed: SignedRows, witness: dict[int, int], tied: np.ndarray) -> tuple[dict[int, int], int]:
    """Positive weights of sum zero for all tied rows: the same one, returned last, for all that are not named."""
    others = np.setdiff1d(tied, list(witness))
    weights, rest = balance(signed, witness, signed.sum_rows(others)) if len(others) else (witness, 1)
    return {k: v for k, v in weights.items() if v != rest}, rest


def balance(signed: SignedRows, witness: dict[int, int], total: list[int]) -> tuple[dict[int, int], int]:
    """Positive weights p and a positive c with Σ p_i·z_i = −c·total, which lies in the span of the witness's rows."""
    rows, a = signed.integers(witness), [Fraction(0)] * len(witness)
    kept = independent_rows(rows)
    kept = kept if len(kept) == signed.width else list(range(len(rows)))
    for k, v in zip(kept, coefficients([rows[k] for k in kept], [-v for v in total]), strict=True):
        a[k] = v
    often = max(0, *(ceil(-v / witness[k]) + 1 for k, v in zip(witness, a, strict=True)))
    *weights, over = primitive([*(v + often * witness[k] for k, v in zip(witness, a, strict=True)), Fraction(1)])
    return dict(zip(witness, weights, strict=True)), over


def plane_in_few_columns(
    signed: SignedRows, witness: dict[int, int], level: Level, plane: list[int], limits: SearchLimits
) -> list[int]:
    """A plane that has the same rows on its right side and on it, none of whose columns can be left out."""
    best, zeros = level.lift(plane), signed.integers(witness)
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
