"""How few errors any plane can make: witnesses, packed with weights, and a tree of cases.

Of the rows of a witness every plane has one wrong, or on it.  If witnesses have weights u whose total on every row is
at most 1, every plane makes at least Σu errors, so ⌈Σu⌉.  In a case where some rows are wrong and others right,
witnesses with a row that is wrong do not count, and rows that are right need no limit.  Floats find the weights, whole
numbers are what is kept (Gleeson and Ryan 1990; Parker and Ryan 1996).
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

import numpy as np
import scipy.sparse as sp
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from ..exact.limits import SearchLimits, UndecidedError
from ..exact.linalg import null_space, rank
from .few_errors import ErrorSearch
from .gordan import Level, decide
from .signed_rows import SignedRows

FINEST = 1e-9
"""The tolerance of the linear programs."""
SUPPORT = 1e-9
"""Weights above this part of the largest are of a witness."""
UNDER = 1 - 1e-6
"""A witness helps if the load on its rows is less."""
GRID = 10**6
"""Weights of packings are whole numbers over this one."""
TRIES = 12
"""Witnesses that are looked for between two packings."""
SPREAD = 0.05
"""How far costs are moved at random, so that other vertices are found."""
FEW, MORE = 2, 10
"""Descents to better planes that have not helped: before the bound is raised, and when it does not meet the errors."""
LONGEST_PROGRAM = 10.0
"""Seconds for the fewest rows that hit all witnesses."""
SPARSER = 1e-3
"""Rows of little weight become dear, so that the next witness has fewer rows."""


@dataclass
class Case:
    """Some rows are wrong and others right; and what is known of the errors that a plane must then make."""

    wrong: frozenset[int] = frozenset()
    right: frozenset[int] = frozenset()
    packing: dict[int, int] = field(default_factory=dict)  # {witness: weight times GRID}
    loads: np.ndarray | None = None  # the dual of the packing: how near each row is to being an error
    closed: bool = False
    branch: int = -1
    parts: "list[Case]" = field(default_factory=list)  # row ``branch`` wrong, and right

    @property
    def bound(self) -> int:
        """The errors of any plane in this case, at least."""
        if self.parts:
            return min(part.bound for part in self.parts)
        return len(self.wrong) + ceil(Fraction(sum(self.packing.values()), GRID))


class WitnessPool:
    """Witnesses found so far, exact, and linear programs that find more."""

    def __init__(self, signed: SignedRows, limits: SearchLimits, seed: int = 0) -> None:
        self.signed, self.limits, self.random = signed, limits, np.random.default_rng(seed)
        F = signed.floats
        Z = np.asarray(F.toarray() if sp.issparse(F) else F) * signed.signs[:, None]
        self.Z = Z / np.maximum(np.linalg.norm(Z, axis=1, keepdims=True), 1e-300)
        self.witnesses: list[dict[int, int]] = []
        self.known: set[tuple[int, ...]] = set()

    def vertex(self, cost: np.ndarray, live: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """The rows of a vertex of p ≥ 0, Zᵀp = 0, Σp = 1 of least cost, of live rows, and p; None if there is none."""
        Z = self.Z[live]
        options = {"dual_feasibility_tolerance": FINEST, "primal_feasibility_tolerance": FINEST}
        options["time_limit"] = self.limits.seconds_left()
        program = linprog(
            cost[live],
            A_eq=np.vstack([Z.T, np.ones(len(Z))]),
            b_eq=np.append(np.zeros(Z.shape[1]), 1.0),
            method="highs-ds",
            options=options,
        )
        self.limits()
        if program.x is None:
            return None
        return live[program.x > SUPPORT * program.x.max()], program.x

    def add(self, rows: np.ndarray) -> bool:
        """Keep a witness of these rows, if whole numbers confirm it; whether it is new."""
        key = tuple(rows.tolist())
        if key in self.known:
            return False
        self.known.add(key)
        columns = [list(column) for column in zip(*self.signed.integers(rows), strict=True) if any(column)]
        columns = columns or [[0] * len(rows)]
        if rank(columns) != len(rows) - 1:
            return False
        (weights,) = null_space(columns)
        weights = [-v for v in weights] if weights[0] < 0 else weights
        if min(weights) <= 0:
            return False
        self.witnesses.append(dict(zip(rows.tolist(), weights, strict=True)))
        return True

    def keep(self, witness: dict[int, int]) -> None:
        """Keep a witness that is proved."""
        self.known.add(tuple(sorted(witness)))
        self.witnesses.append(witness)

    def hitting_set(self, seconds: float) -> np.ndarray | None:
        """The fewest rows that hit all witnesses known; None if they were not found in time."""
        pairs = [(k, row) for k, witness in enumerate(self.witnesses) for row in witness]
        A = sp.csr_array(
            (np.ones(len(pairs)), tuple(zip(*pairs, strict=True))), shape=(len(self.witnesses), len(self.Z))
        )
        whole = np.ones(len(self.Z))
        constraint = LinearConstraint(A, lb=1.0)
        program = milp(
            whole, constraints=constraint, integrality=whole, bounds=Bounds(0, 1), options={"time_limit": seconds}
        )
        self.limits()
        return np.flatnonzero(program.x > 0.5) if program.success else None

    def disjoint(self) -> None:
        """Witnesses without a row in common, until what is left separates."""
        live = np.arange(len(self.Z))
        while len(live):
            found = self.vertex(self.random.random(len(self.Z)), live)
            if found is None:
                return
            self.add(found[0])
            live = np.setdiff1d(live, found[0])

    def improve(self, case: Case) -> int:
        """Look for witnesses whose rows have little load in a case; how many were found."""
        loads = np.zeros(len(self.Z)) if case.loads is None else case.loads
        live = np.setdiff1d(np.arange(len(self.Z)), list(case.wrong))
        found = 0
        for k in range(TRIES):
            noise = self.random.random(len(loads))
            cost = loads + (FINEST if k == 0 else SPREAD) * noise
            for _ in range(2):
                vertex = self.vertex(cost, live)
                if vertex is None:
                    return found
                rows, p = vertex
                if loads[rows].sum() < UNDER:
                    found += self.add(rows)
                cost = np.array(loads)
                cost[live] = (loads[live] + FINEST) / (p + SPARSER)
        return found

    def pack(self, case: Case) -> float:
        """The heaviest packing of the witnesses known, for a case; its weight in floats."""
        useful = [k for k, witness in enumerate(self.witnesses) if case.wrong.isdisjoint(witness)]
        if not useful:
            return 0.0
        rows = [(row, at) for at, k in enumerate(useful) for row in self.witnesses[k] if row not in case.right]
        inside = set(range(len(useful))) - {at for _, at in rows}
        if inside:  # all its rows are right, which cannot be
            case.packing, case.closed = {useful[min(inside)]: GRID * (len(self.Z) + 1)}, True
            return float("inf")
        A = sp.csr_array((np.ones(len(rows)), tuple(zip(*rows, strict=True))), shape=(len(self.Z), len(useful)))
        program = linprog(-np.ones(len(useful)), A_ub=A, b_ub=np.ones(len(self.Z)), method="highs-ds")
        if program.x is None:
            return 0.0
        case.loads = np.maximum(-program.ineqlin.marginals, 0.0)
        packing = {k: int(u) for k, u in zip(useful, np.floor(program.x * GRID), strict=True) if u >= 1}
        packing = self.within_limits(packing, case)
        if sum(packing.values()) > sum(case.packing.values()):
            case.packing = packing
        return -float(program.fun)

    def within_limits(self, packing: dict[int, int], case: Case) -> dict[int, int]:
        """The same packing, with less weight where a row has too much by rounding."""
        totals: dict[int, int] = {}
        for k, u in packing.items():
            for row in self.witnesses[k]:
                totals[row] = totals.get(row, 0) + u
        for row, total in totals.items():
            over = total - GRID if row not in case.right else 0
            for k in (k for k in packing if over > 0 and row in self.witnesses[k]):
                less = min(over, packing[k])
                packing[k] -= less
                over -= less
        return {k: u for k, u in packing.items() if u}


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
        """Split the weakest case until all reach the number of errors."""
        while self.root.bound < len(self.wrong):
            case = weakest(self.root)
            if not split(self.pool, case, len(self.wrong)):
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

    def tell(self, _: int = 0) -> None:
        """Say how far both are."""
        self.told(self.root.bound, len(self.wrong))


def pack_well(pool: WitnessPool, case: Case, target: int, told: Callable[[], None] = lambda: None) -> None:
    """Witnesses and packings in turn, until the case is closed or no witness helps."""
    while True:
        pool.pack(case)
        told()
        if case.bound >= target:
            case.closed = True
            return
        pool.limits()
        if not pool.improve(case):
            return


def weakest(case: Case) -> Case:
    """The open case of least bound."""
    while case.parts:
        case = min((part for part in case.parts if not part.closed), key=lambda part: part.bound)
    return case


def split(pool: WitnessPool, case: Case, target: int) -> bool:
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
        Case(case.wrong | {row}, case.right, packing=apart),
        Case(case.wrong, case.right | {row}, packing=dict(case.packing)),
    ]
    for part in case.parts:
        pack_well(pool, part, target)
    return True


def close(case: Case, target: int) -> bool:
    """Whether a case is closed: it reaches the target, or all its parts are closed."""
    if case.parts:
        both = [close(part, target) for part in case.parts]
        case.closed = all(both)
    else:
        case.closed = case.closed or case.bound >= target
    return case.closed
