"""How few errors any plane can make: packings of witnesses, and a tree of cases, until the bound meets a plane."""

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from ..exact.limits import UndecidedError
from .few_errors import ErrorSearch
from .gordan import Level, decide
from .packing import FINEST, GRID, Case, WitnessPool

FEW, MORE = 2, 10
"""Descents to better planes that have not helped: before the bound is raised, and when it does not meet the errors."""
LONGEST_PROGRAM = 10.0
"""Seconds for the fewest rows that hit all witnesses."""
FRUITLESS = 10
"""Times that walks may find nothing new before a case is split."""


class BoundSearch:
    """The bound and the plane, until they meet or time is up.

    Rows that hit all witnesses known so far are taken out: if the others separate, a plane makes no more errors than
    there are such rows; if not, there is a witness that they miss.
    """

    def __init__(self, pool: WitnessPool, planes: ErrorSearch, told: Callable[[int, int], None]) -> None:
        self.pool, self.planes, self.told, self.root = pool, planes, told, Case()
        self.plane, self.wrong = planes.plane()
        self.looked = False

    def go(self) -> None:
        """Raise the bound, first by packings, then by cases; lower the errors where a smaller set of rows will do."""
        with suppress(UndecidedError):
            if self.try_without(np.empty(0, dtype=int)):
                self.pool.disjoint()
            while self.root.bound < len(self.wrong):
                pack_well(self.pool, self.root, len(self.wrong), self.tell)
                if self.root.bound >= len(self.wrong):
                    return
                self.look_for_planes()
                hit = self.pool.hitting_set(min(self.pool.limits.seconds_left() / 4, LONGEST_PROGRAM))
                if hit is not None and len(hit) < len(self.wrong) and self.try_without(hit):
                    continue
                if hit is None or len(hit) >= len(self.wrong):
                    self.by_cases()
                    return

    def by_cases(self) -> None:
        """Raise the weakest case to the next bound, or split it, until all reach the number of errors."""
        while self.root.bound < len(self.wrong):
            case = weakest(self.root)
            if not case.exhausted:
                pack_well(self.pool, case, self.root.bound + 1)
            elif not split(self.pool, case):
                return
            close(self.root, len(self.wrong))
            self.tell()

    def look_for_planes(self) -> None:
        """Look for better planes, once."""
        if self.looked:
            return
        self.looked = True
        self.planes.go(MORE)
        plane, wrong = self.planes.plane()
        if len(wrong) < len(self.wrong):
            self.plane, self.wrong = plane, wrong

    def try_without(self, rows: np.ndarray) -> bool:
        """Take some rows out; whether the others have a witness, which is kept.  If they separate, so does a plane."""
        signed = self.pool.signed
        rest = np.setdiff1d(np.arange(len(signed.rows)), rows)
        part = signed.part(rest)
        if not len(rest):
            return False
        plane, witness = decide(Level(part), self.pool.limits)
        if plane is None:
            self.pool.keep({int(rest[k]): weight for k, weight in witness.items()})
            self.root.packing = self.root.packing or {len(self.pool.witnesses) - 1: GRID}
            return True
        wrong = np.flatnonzero(signed.sides(plane)[1] <= 0)
        if len(wrong) < len(self.wrong):
            self.plane, self.wrong = plane, wrong
        return False

    def tell(self) -> None:
        """Say how far both are."""
        self.told(self.root.bound, len(self.wrong))


def pack_well(pool: WitnessPool, case: Case, target: int, told: Callable[[], None] = lambda: None) -> None:
    """Witnesses and packings in turn, until the case reaches the target or no witness helps."""
    while True:
        pool.pack(case)
        told()
        if case.bound >= target:
            return
        pool.limits()
        if not any(pool.improve(case) for _ in range(FRUITLESS)):
            case.exhausted = True
            return


def weakest(case: Case) -> Case:
    """The open case of least bound."""
    while case.parts:
        case = min((part for part in case.parts if not part.closed), key=lambda part: part.bound)
    return case


def split(pool: WitnessPool, case: Case) -> bool:
    """Two cases: the row that is nearest to both is wrong, or right; whether there is such a row."""
    loads = np.zeros(len(pool.Z)) if case.loads is None else case.loads.copy()
    loads[list(case.wrong | case.right)] = 0.0
    nearest = np.minimum(loads, 1 - loads) + FINEST * (loads > 0)
    row = int(np.argmax(nearest))
    if nearest[row] <= 0:
        return False
    case.branch = row
    apart = {k: u for k, u in case.packing.items() if row not in pool.witnesses[k]}
    case.parts = [
        Case(case.wrong | {row}, case.right, packing=apart, loads=case.loads),
        Case(case.wrong, case.right | {row}, packing=dict(case.packing), loads=case.loads),
    ]
    return True


def close(case: Case, target: int) -> bool:
    """Whether a case is closed: it reaches the target, or all its parts are closed."""
    if case.parts:
        both = [close(part, target) for part in case.parts]
        case.closed = all(both)
    else:
        case.closed = case.closed or case.bound >= target
    return case.closed
