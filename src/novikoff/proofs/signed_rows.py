"""The signed rows of one question, exactly and in floats, with a rigorous filter between the two (see source.py)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from operator import mul
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..bounds import EPS
from ..exact.dyadic import column_sums, primitive, squares_of
from .source import Source

TINY = 1e-290
"""More than what underflow can take from a score whose terms are at most 1."""
PRIMES = 2097143, 2097133
"""Products of residues, summed over WIDE columns, are exact in float64."""
FEW = 32
"""Rows whose exact margins are computed one by one."""
WIDE = 1500
"""Columns beyond which searches take the rows as they are, never laid out densely."""


class Table:
    """A source whose rows have signs +1, −1, or 0 when they do not take part."""

    def __init__(self, source: Source, signs: np.ndarray) -> None:
        self.source, self.all_signs = source, signs
        self.rows = np.flatnonzero(signs)
        self.signs = signs[self.rows].astype(float)
        F = source.floats
        self.floats = F if len(self.rows) == len(signs) else F[self.rows]
        self.width = source.width
        squares = self.floats.multiply(self.floats).sum(axis=1) if sp.issparse(F) else squares_of(self.floats)
        self.lengths = np.sqrt(np.asarray(squares).ravel())
        self.terms = int(np.diff(F.indptr).max(initial=0)) if sp.issparse(F) else self.width  # of a score, at most

    def integers(self, k: int) -> list[int]:
        """Signed row k of the exact side."""
        values = self.source.integers(int(self.rows[k]))
        return values if self.signs[k] > 0 else [-v for v in values]

    def scores(self, w: list[int]) -> tuple[np.ndarray, np.ndarray, Fraction]:
        """Float z·w of every row for whole weights of the exact side, how far they may be off, and their unit."""
        u, unit = self.source.scaled(w)
        found = self.signs * (self.floats @ u)
        return found, self.doubt(float(np.linalg.norm(u))), unit

    def doubt(self, lengths: Any) -> Any:
        """How far float scores may be off, by row and, of several weight vectors, by the length of each."""
        return np.multiply.outer(2 * (self.terms + 8) * EPS * self.lengths, lengths) + TINY

    def outside(self, basis: list[list[int]], rows: np.ndarray) -> np.ndarray:
        """Those of the rows on which not all vectors are zero, as seen modulo primes; all rows unless they are whole.

        A row that is seen is one for certain; that one is not seen is as unlikely as two primes dividing its products.
        """
        if not self.source.plain or self.width > WIDE or not len(rows):
            return rows
        seen = np.zeros(len(rows), dtype=bool)
        for prime in PRIMES:
            V = np.array([[v % prime for v in vector] for vector in basis], dtype=float).T
            X = self.source.X[self.rows[rows]].astype(np.int64)
            X = (X.toarray() if sp.issparse(X) else X) % prime
            last = V[-1] if self.source.intercept else 0.0
            seen |= ((X.astype(float) @ V[: self.source.d] + last) % prime).any(axis=1)
        return rows[seen]

    def margins(self, w: list[int], rows: Any) -> list[int]:
        """z·w of these rows without rounding."""
        if self.source.plain and len(rows) > FEW:
            return self.margins_by_limbs(w, rows)
        if sp.issparse(self.source.X):
            return [self.margin(w, k) for k in rows]
        return [sum(map(mul, self.integers(k), w)) for k in rows]

    def margin(self, w: list[int], k: int) -> int:
        """z·w of a row of sparse data."""
        total = sum(v * w[j] for j, v in self.source.entries(int(self.rows[k])))
        return int(self.signs[k]) * (total + (w[-1] if self.source.intercept else 0))

    def margins_by_limbs(self, w: list[int], rows: Any) -> list[int]:
        """The same for many rows of whole numbers: w in limbs so short that int64 holds every product's sum."""
        source = self.source
        largest = int(max(source.high.max(initial=1.0), -source.low.min(initial=0.0)))
        bits = 62 - (largest * self.width).bit_length()
        X, total = source.X[self.rows[rows]].astype(np.int64), np.zeros(len(rows), dtype=object)
        for place in range(0, max(map(abs, w)).bit_length(), bits):
            limb = np.array([((abs(v) >> place) & (2**bits - 1)) * (1 if v > 0 else -1) for v in w], dtype=np.int64)
            part = X @ limb[: source.d] + (limb[source.d] if source.intercept else 0)
            total = total + part.astype(object) * 2**place
        return [int(v) for v in total * self.signs[rows].astype(int)]

    def part(self, rows: np.ndarray) -> "Table":
        """A table of some of the rows."""
        signs = np.zeros_like(self.all_signs)
        signs[self.rows[rows]] = self.all_signs[self.rows[rows]]
        return Table(self.source, signs)

    def sides(self, w: list[int], rows: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """z·w of some rows, or all, in floats, and its sign, proved."""
        rows = np.arange(len(self.rows)) if rows is None else rows
        found, off = (part[rows] for part in self.scores(w)[:2])
        sides = np.sign(found)
        doubtful = np.flatnonzero(np.abs(found) <= off)
        sides[doubtful] = [(m > 0) - (m < 0) for m in self.margins(w, rows[doubtful])]
        return found, sides

    def off_plane(self, w: list[int]) -> np.ndarray:
        """Rows with z·w ≠ 0: those that floats show or, if they show none, all."""
        found, off, _ = self.scores(w)
        shown = np.flatnonzero(np.abs(found) > off)
        return shown if len(shown) else np.flatnonzero(self.sides(w)[1])

    def lowest(self, w: list[int]) -> int:
        """The least z·w, without rounding."""
        found, off, _ = self.scores(w)
        return min(self.margins(w, np.flatnonzero(found - off <= (found + off).min())))

    def outer(self, w: list[int]) -> list[int]:
        """The same plane for the rows as they were given, in whole numbers without a common divisor."""
        if self.source.plain:
            return primitive(w)
        found = [Fraction(v) / unit for v, unit in zip(w, self.source.units, strict=True)]
        if self.source.intercept:
            found[-1] -= sum(found[j] * self.source.constants(int(j)) for j in np.flatnonzero(self.source.shifts))
        return primitive(found)

    def inner(self, w: Sequence[Fraction | int]) -> list[int]:
        """A plane for the rows as they were given, on the exact side."""
        if self.source.plain:
            return primitive(w)
        found = list(w)
        if self.source.intercept:
            found[-1] += sum(w[j] * self.source.constants(j) for j in np.flatnonzero(self.source.shifts).tolist())
        return primitive([v * unit for v, unit in zip(found, self.source.units, strict=True)])

    def combined(self, p: Mapping[int, int]) -> list[int]:
        """Σ p_k·z_k of the rows as they were given, in units."""
        total = [0] * self.width
        for k, weight in p.items():
            signed = weight if self.signs[k] > 0 else -weight
            for j, v in self.source.entries(int(self.rows[k])):
                total[j] += signed * v
            if self.source.intercept:
                total[-1] += signed
        return total

    def summed(self, rows: np.ndarray) -> list[int]:
        """Σ z_k of many rows of the exact side."""
        source, at = self.source, self.rows[rows]
        if source.fractions is not None:
            total = self.combined(dict.fromkeys(rows.tolist(), 1))
        else:
            sums = column_sums(source.X[at], self.signs[rows])
            total = [int(v / unit) for v, unit in zip(sums, source.units, strict=False)]
            total += [int(self.signs[rows].sum())] * source.intercept
        for j in np.flatnonzero(source.shifts).tolist():
            total[j] -= int(source.constants(j) / source.units[j]) * total[-1]
        return total

    def contradiction(self) -> dict[int, int]:
        """Two rows that are equal but for their signs, each with weight 1, if there are any: their sum is zero."""
        seen: tuple[dict[Any, int], dict[Any, int]] = {}, {}
        for k, (i, sign) in enumerate(zip(self.rows.tolist(), self.signs.tolist(), strict=True)):
            key = self.source.key(i)
            if (other := seen[sign < 0].get(key)) is not None:
                return {other: 1, k: 1}
            seen[sign > 0][key] = k
        return {}

    def given(self, k: int) -> list[Fraction]:
        """Signed row k as it was given."""
        values = [*self.source.exact(int(self.rows[k])), *[Fraction(1)] * self.source.intercept]
        return values if self.signs[k] > 0 else [-v for v in values]
