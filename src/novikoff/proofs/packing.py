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
from ..exact.linalg import null_space
from ..passes.witness_walk import start, walk
from .few_errors import ErrorSearch
from .gordan import Level, decide
from .signed_rows import SignedRows

FINEST = 1e-9
"""The tolerance of the linear programs."""
SUPPORT = 1e-9
"""Weights above this part of the largest are of a witness."""
UNDER = 1 - 1e-6
"""A witness helps if the load on its rows is less."""
NEAR = 1.05
"""Witnesses that bear more do not take part in the next packing at first."""
GRID = 10**6
"""Weights of packings are whole numbers over this one."""
WALKS = 64
"""Walks to witnesses between two packings."""
LARGEST = 2**22
"""Numbers in a tableau; above, no walks are made."""
FRUITLESS = 10
"""Times that walks may find nothing new before a case is split."""
SPREAD = 0.03
"""How far costs are moved at random, so that other witnesses are found."""
FEW, MORE = 2, 10
"""Descents to better planes that have not helped: before the bound is raised, and when it does not meet the errors."""
LONGEST_PROGRAM = 10.0
"""Seconds for the fewest rows that hit all witnesses."""


@dataclass
class Case:
    """Some rows are wrong and others right; and what is known of the errors that a plane must then make."""

    wrong: frozenset[int] = frozenset()
    right: frozenset[int] = frozenset()
    packing: dict[int, int] = field(default_factory=dict)  # {witness: weight times GRID}
    loads: np.ndarray | None = None  # the dual of the packing: how near each row is to being an error
    closed: bool = False
    exhausted: bool = False  # no witness was found that would raise the packing
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
        self.minimal: set[int] = set()  # the witnesses of which no row can be left out

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
        solutions = null_space(columns)
        if len(solutions) != 1:
            return False
        (weights,) = solutions
        weights = [-v for v in weights] if weights[0] < 0 else weights
        if min(weights) <= 0:
            return False
        self.minimal.add(len(self.witnesses))
        self.witnesses.append(dict(zip(rows.tolist(), weights, strict=True)))
        return True

    def keep(self, witness: dict[int, int]) -> None:
        """Keep a witness that is proved."""
        self.known.add(tuple(sorted(witness)))
        self.witnesses.append(witness)

    def hitting_set(self, seconds: float) -> np.ndarray | None:
        """The fewest rows that hit all witnesses known; None if they were not found in time."""
        whole = np.ones(len(self.Z))
        constraint = LinearConstraint(self.incidence(), lb=1.0)
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
        n, size = len(self.Z), self.Z.size
        loads = np.zeros(n) if case.loads is None else case.loads
        live = np.setdiff1d(np.arange(n), list(case.wrong))
        rows = self.witness_in(case, live) if size <= LARGEST else None
        if rows is None:
            return 0
        self.limits()
        tableau, basis = self.tableau(rows)
        walks = max(min(WALKS, 2 * LARGEST // size), 1)
        costs = loads + SPREAD * self.random.random((walks, n))
        ends = walk(tableau, basis, costs, live, self.random.random((walks, len(basis))))
        light = ends[ends @ loads < UNDER]
        return sum(self.add(np.flatnonzero(end)) for end in light)

    def witness_in(self, case: Case, live: np.ndarray) -> np.ndarray | None:
        """The rows of a witness without rows that are wrong; None if there is none."""
        known = [k for k, witness in enumerate(self.witnesses) if k in self.minimal and case.wrong.isdisjoint(witness)]
        if known:
            return np.array(list(self.witnesses[int(self.random.choice(known))]))
        found = self.vertex(self.random.random(len(self.Z)), live)
        return found and found[0]

    def tableau(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The tableau of a witness of these rows, and its basis."""
        n, width = self.Z.shape
        tableau = np.zeros((n + 2, width + 1))
        tableau[:n, :width], tableau[: n + 1, width] = self.Z, 1.0
        basis = start(tableau, rows, self.random.random(n + width + 1))
        held = basis >= 0
        return np.ascontiguousarray(tableau[:, held]), basis[held]

    def pack(self, case: Case) -> float:
        """The heaviest packing of the witnesses known, for a case; its weight in floats."""
        A = self.incidence()
        useful = np.flatnonzero(A @ self.among(case.wrong) == 0)
        A = (A[useful] * (1 - self.among(case.right))).tocsr()
        inside = useful[A.sum(axis=1) == 0]
        if len(inside):  # all its rows are right, which cannot be
            case.packing, case.closed = {int(inside[0]): GRID * (len(self.Z) + 1)}, True
            return float("inf")
        if not len(useful):
            return 0.0
        case.loads, weights = self.cover(A, case.loads)
        packing = {int(k): int(u) for k, u in zip(useful, np.floor(weights * GRID), strict=True) if u >= 1}
        packing = self.within_limits(packing, case)
        if sum(packing.values()) > sum(case.packing.values()):
            case.packing = packing
        return float(weights.sum())

    def cover(self, A: sp.csr_array, loads: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """The least loads x ≥ 0 of all rows with Ax ≥ 1, and their dual, the weights of the heaviest packing.

        Witnesses that bore much under the loads before are left out, unless they turn out to bear too little.
        """
        near = np.ones(A.shape[0], bool) if loads is None else A @ loads < NEAR
        while True:
            part = A[near]
            options = {"time_limit": self.limits.seconds_left()}
            program = linprog(
                np.ones(A.shape[1]), A_ub=-part, b_ub=-np.ones(part.shape[0]), method="highs-ipm", options=options
            )
            self.limits()
            missed = ~near & (A @ program.x < UNDER)
            if not missed.any():
                break
            near |= missed
        weights = np.zeros(A.shape[0])
        weights[near] = np.maximum(-program.ineqlin.marginals, 0.0)
        return program.x, weights

    def incidence(self) -> sp.csr_array:
        """A row per witness, with 1 for every row of the data in it."""
        rows = np.concatenate([np.empty(0, int), *(np.fromiter(witness, int) for witness in self.witnesses)])
        ends = np.cumsum([0, *map(len, self.witnesses)])
        return sp.csr_array((np.ones(len(rows)), rows, ends), shape=(len(self.witnesses), len(self.Z)))

    def among(self, rows: frozenset[int]) -> np.ndarray:
        """1 for these rows, 0 for the others."""
        marks = np.zeros(len(self.Z))
        marks[list(rows)] = 1.0
        return marks

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

    def tell(self, _: int = 0) -> None:
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
