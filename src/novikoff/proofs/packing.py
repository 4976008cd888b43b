"""Witnesses, and the heaviest packings of them, which say how few errors any plane can make.

Of the rows of a witness every plane has one wrong, or on it.  If witnesses have weights u whose total on every row is
at most 1, every plane makes at least Σu errors, so ⌈Σu⌉.  In a case where some rows are wrong and others right,
witnesses with a row that is wrong do not count, and rows that are right need no limit.  Floats find the weights, whole
numbers are what is kept (Gleeson and Ryan 1990; Parker and Ryan 1996).
"""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil

import numpy as np
import scipy.sparse as sp
from scipy.linalg import qr
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from ..exact.floats import dense
from ..exact.limits import SearchLimits
from ..exact.linalg import null_space
from ..passes.witness_walk import start, walk
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
SPREAD = 0.03
"""How far costs are moved at random, so that other witnesses are found."""


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
    """Witnesses found so far, exact, and walks that find more."""

    def __init__(self, signed: SignedRows, limits: SearchLimits, seed: int = 0) -> None:
        self.signed, self.limits, self.random = signed, limits, np.random.default_rng(seed)
        F = signed.floats
        self.Z = unit_rows(np.asarray(dense(F)) * signed.signs[:, None])
        self.witnesses: list[dict[int, int]] = []
        self.known: set[tuple[int, ...]] = set()
        self.minimal: set[int] = set()  # the witnesses of which no row can be left out

    def vertex(self, live: np.ndarray) -> np.ndarray | None:
        """The rows of a vertex of p ≥ 0, Zᵀp = 0, Σp = 1, by chance, of live rows; None if there is none."""
        Z = self.Z[live]
        options = {"dual_feasibility_tolerance": FINEST, "primal_feasibility_tolerance": FINEST}
        options["time_limit"] = self.limits.seconds_left()
        program = linprog(
            self.random.random(len(Z)),
            A_eq=np.vstack([Z.T, np.ones(len(Z))]),
            b_eq=np.append(np.zeros(Z.shape[1]), 1.0),
            method="highs-ds",
            options=options,
        )
        self.limits()
        return None if program.x is None else live[program.x > SUPPORT * program.x.max()]

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
            rows = self.vertex(live)
            if rows is None:
                return
            self.add(rows)
            live = np.setdiff1d(live, rows)

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
        light = ends[ends.any(axis=1) & (ends @ loads < UNDER)]
        return sum(self.add(np.flatnonzero(end)) for end in light)

    def witness_in(self, case: Case, live: np.ndarray) -> np.ndarray | None:
        """The rows of a witness without rows that are wrong; None if there is none."""
        known = [k for k, witness in enumerate(self.witnesses) if k in self.minimal and case.wrong.isdisjoint(witness)]
        if known:
            return np.array(list(self.witnesses[int(self.random.choice(known))]))
        return self.vertex(live)

    @cached_property
    def independent(self) -> np.ndarray:
        """Rows with the same witnesses, whose columns are at right angles, so that rounding does no harm to pivots."""
        Q, R, _ = qr(self.Z, mode="economic", pivoting=True)
        lengths = np.abs(np.diag(R))
        return unit_rows(Q[:, lengths > FINEST * lengths.max()])

    def tableau(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The tableau of a witness of these rows, and its basis."""
        n, width = self.independent.shape
        tableau = np.zeros((n + 2, width + 1))
        tableau[:n, :width], tableau[: n + 1, width] = self.independent, 1.0
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
            if program.x is None:  # the solver has given up
                return np.zeros(A.shape[1]), np.zeros(A.shape[0])
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


def unit_rows(Z: np.ndarray) -> np.ndarray:
    """The same directions with length 1."""
    rows: np.ndarray = Z / np.maximum(np.linalg.norm(Z, axis=1, keepdims=True), 1e-300)
    return rows
