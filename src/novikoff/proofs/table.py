"""The data of one question, exactly and in floats.

The exact side holds whole numbers: column j of the rows, less a constant c_j, in units of a positive rational u_j that
divides all of it.  The float side is the same column divided by a power of two, so that its largest value is near 1.
Both are linear images of the rows [x; 1], by a map that can be undone, so planes and witnesses carry over.
"""

import hashlib
import struct
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise
from math import gcd, lcm
from operator import mul
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..theory.bounds import UNIT

NARROW = 1 / 16
"""A column whose spread is smaller than this part of its size is shifted, so that floats see its differences."""
TINY = 1e-290
"""More than what underflow can take from a score whose terms are at most 1."""
FEW = 32
"""Rows whose exact margins are computed one by one."""
WHOLE = 2**53
"""Whole numbers up to this size are float64 values."""
WIDE = 1500
"""Columns beyond which searches take the rows as they are, never laid out densely."""
BLOCK = 2**22
"""Numbers that are looked at in one go."""


class Source:
    """The numbers of all rows, shared by the questions asked of them: a float64 matrix, or fractions."""

    def __init__(self, X: Any, intercept: bool) -> None:
        self.intercept = intercept
        self.decimal = isinstance(X, list)
        self.fractions = X if self.decimal else None
        self.X: Any = np.array([list(map(float, row)) for row in X]) if self.decimal else without_zeros(X)
        self.n, self.d = self.X.shape
        self.width = self.d + intercept
        self.low, self.high = extremes(self.X)
        size = np.maximum(-self.low, self.high)
        half = self.high / 2 - self.low / 2
        narrow = (half < NARROW / 2 * size) & (self.high > self.low) & intercept
        self.shifts = np.where(narrow & (not sp.issparse(self.X)), self.low, 0.0)
        self.powers = np.where(self.shifts != 0, exponents(half) + 1, exponents(size))
        self.pre = exponents(size)

    def constants(self, j: int) -> Fraction:
        """The exact constant taken from column j."""
        if not self.shifts[j]:
            return Fraction(0)
        return Fraction(float(self.shifts[j]))

    @cached_property
    def units(self) -> list[Fraction]:
        """What divides all of column j less its constant; 1 for the intercept."""
        if self.fractions is not None:
            return [
                Fraction(1, lcm(self.constants(j).denominator, *(row[j].denominator for row in self.fractions)))
                for j in range(self.d)
            ] + [Fraction(1)] * self.intercept
        return [two_to(e) for e in self.unit_powers] + [Fraction(1)] * self.intercept

    @cached_property
    def unit_powers(self) -> list[int]:
        """The same as powers of two, of float64 numbers."""
        return lowest_bits(self.X, self.shifts)

    @cached_property
    def floats(self) -> Any:
        """(x − c)·2^−k in every column, and a column of ones for the intercept."""
        if sp.issparse(self.X):
            F = self.X.astype(np.float64, copy=True)
            F.data = np.ldexp(F.data, -self.powers[F.indices])
            return sp.csr_array(sp.hstack([F, np.ones((self.n, 1))])) if self.intercept else sp.csr_array(F)
        F = np.ones((self.n, self.width))
        if self.fractions is not None:
            scales = [two_to(-int(k)) for k in self.powers]
            for i, row in enumerate(self.fractions):
                F[i, : self.d] = [float((v - self.constants(j)) * scales[j]) for j, v in enumerate(row)]
            return F
        F[:, : self.d] = self.X
        if self.shifts.any():
            F[:, : self.d] = np.ldexp(F[:, : self.d], -self.pre) - np.ldexp(self.shifts, -self.pre)
            F[:, : self.d] = np.ldexp(F[:, : self.d], self.pre - self.powers)
        else:
            F[:, : self.d] = np.ldexp(F[:, : self.d], -self.powers)
        return F

    @cached_property
    def factors(self) -> list[Fraction]:
        """The float side is the exact side times these."""
        powers = [*(two_to(-int(k)) for k in self.powers), *[Fraction(1)] * self.intercept]
        return [unit * power for unit, power in zip(self.units, powers, strict=True)]

    @cached_property
    def factor_powers(self) -> np.ndarray | None:
        """The same as powers of two, if they are."""
        if self.decimal:
            return None
        return np.append(np.array(self.unit_powers, dtype=int) - self.powers, [0] * self.intercept).astype(int)

    def exact(self, i: int) -> list[Fraction]:
        """Row i as it was given."""
        if self.fractions is not None:
            return list(self.fractions[i])
        return [Fraction(v) for v in self.listed(i)]

    def entries(self, i: int) -> list[tuple[int, int]]:
        """Column and value, in units, of the entries of row i, as it was given, that are not zero."""
        if self.fractions is not None:
            return [(j, int(v / self.units[j])) for j, v in enumerate(self.fractions[i]) if v]
        if sp.issparse(self.X):
            a, b = self.X.indptr[i], self.X.indptr[i + 1]
            columns, values = self.X.indices[a:b], self.X.data[a:b]
        else:
            columns = np.flatnonzero(self.X[i])
            values = self.X[i, columns]
        pairs = zip(columns.tolist(), values.tolist(), strict=True)
        return [(j, int(v) if self.whole else multiple(v, self.units[j])) for j, v in pairs]

    def key(self, i: int) -> Any:
        """What equal rows have in common."""
        if self.fractions is not None:
            return tuple(self.fractions[i])
        if sp.issparse(self.X):
            a, b = self.X.indptr[i], self.X.indptr[i + 1]
            return self.X.indices[a:b].tobytes(), self.X.data[a:b].tobytes()
        return (self.X[i] + 0).tobytes()  # -0.0 + 0 is 0.0

    @cached_property
    def whole(self) -> bool:
        """Whether all numbers are whole and counted in units of 1."""
        return not self.decimal and not any(self.unit_powers)

    def listed(self, i: int) -> list[Any]:
        """Row i of the matrix as Python's numbers."""
        row = self.X[[i]].toarray()[0] if sp.issparse(self.X) else self.X[i]
        return row.tolist()

    @cached_property
    def plain(self) -> bool:
        """Whether the exact side is the array itself, in whole numbers."""
        return self.whole and not self.shifts.any()

    def integers(self, i: int) -> list[int]:
        """Row i of the exact side, without a sign."""
        if self.plain:
            return [*map(int, self.listed(i)), *[1] * self.intercept]
        if not self.decimal and not self.shifts.any():
            return [*map(multiple, self.listed(i), self.units), *[1] * self.intercept]
        values = enumerate(self.exact(i))
        found = [int((v - self.constants(j)) / self.units[j]) if v or self.shifts[j] else 0 for j, v in values]
        return [*found, *[1] * self.intercept]

    def scaled(self, w: list[int]) -> tuple[np.ndarray, Fraction]:
        """Whole weights of the exact side as float weights of the float side, none above 1, and their unit."""
        if self.factor_powers is not None and max(map(abs, w)) <= WHOLE:
            found, powers = np.frexp(np.array(w, dtype=float))
            powers = powers - self.factor_powers
            top = int(powers[found != 0].max(initial=-5000)) if any(w) else 0
            return np.ldexp(found, powers - top), two_to(top)
        ratios = [Fraction(v) / factor if v else Fraction(0) for v, factor in zip(w, self.factors, strict=True)]
        unit = max((abs(ratio) for ratio in ratios), default=Fraction(0)) or Fraction(1)
        return np.array([float(ratio / unit) for ratio in ratios]), unit

    @cached_property
    def digest(self) -> str:
        """The digest of the values, as docs/certificate-format.md has it."""
        found = hashlib.sha256()
        if self.fractions is not None:
            for row in self.fractions:
                texts = (f"{j}:{v.numerator}/{v.denominator}" for j, v in enumerate(row) if v)
                found.update((" ".join(texts) + "\n").encode())
            return found.hexdigest()
        step = max(1, BLOCK // max(self.d, 1))
        for start in range(0, self.n, step):
            block = sp.csr_array(self.X[start : start + step], copy=True)
            block.eliminate_zeros()
            block.sort_indices()
            values, columns, ends = block.data.astype("<f8"), block.indices.astype("<u4"), block.indptr.tolist()
            for a, b in pairwise(ends):
                found.update(struct.pack("<I", b - a) + columns[a:b].tobytes() + values[a:b].tobytes())
        return found.hexdigest()


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
        off = 2 * (self.terms + 8) * UNIT * float(np.linalg.norm(u)) * self.lengths + TINY
        return found, off, unit

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

    def sides(self, w: list[int]) -> np.ndarray:
        """The sign of z·w of every row, proved."""
        found, off, _ = self.scores(w)
        sides = np.sign(found)
        doubtful = np.flatnonzero(np.abs(found) <= off)
        sides[doubtful] = [(m > 0) - (m < 0) for m in self.margins(w, doubtful)]
        return sides

    def off_plane(self, w: list[int]) -> np.ndarray:
        """Rows with z·w ≠ 0: those that floats show or, if they show none, all."""
        found, off, _ = self.scores(w)
        shown = np.flatnonzero(np.abs(found) > off)
        return shown if len(shown) else np.flatnonzero(self.sides(w))

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


def without_zeros(X: Any) -> Any:
    """The same matrix; a sparse one without entries that are zero."""
    if not sp.issparse(X) or X.data.all():
        return X
    X = X.copy()
    X.eliminate_zeros()
    return X


def primitive(values: Sequence[Fraction | int]) -> list[int]:
    """Whole numbers without a common divisor in the same ratios.

    >>> primitive([Fraction(1, 2), Fraction(-3, 4)])
    [2, -3]
    """
    over = lcm(*(v.denominator for v in values))
    whole = [v.numerator * (over // v.denominator) for v in values]
    divisor = gcd(*whole) or 1
    return [v // divisor for v in whole]


def multiple(value: float, unit: Fraction) -> int:
    """How many times a unit goes into a value that it divides.

    >>> multiple(0.75, Fraction(1, 8))
    6
    """
    if not value:
        return 0
    above, below = value.as_integer_ratio()
    return above * unit.denominator // (below * unit.numerator)


@cache
def two_to(e: int) -> Fraction:
    """2**e."""
    return Fraction(2**e) if e >= 0 else Fraction(1, 2**-e)


def exponents(values: np.ndarray) -> np.ndarray:
    """e with |value| in [2^(e−1), 2^e); 0 of 0."""
    return np.frexp(values)[1].astype(int)


def squares_of(F: np.ndarray) -> np.ndarray:
    """‖row‖² of every row."""
    return np.einsum("ij,ij->i", F, F)


def extremes(X: Any) -> tuple[np.ndarray, np.ndarray]:
    """The least and the largest value of every column, as floats."""
    if sp.issparse(X):
        low, high = (np.asarray(f(axis=0).todense(), dtype=float).ravel() for f in (X.min, X.max))
        return low, high
    return X.min(axis=0).astype(float), X.max(axis=0).astype(float)


def lowest_bits(X: Any, shifts: np.ndarray) -> list[int]:
    """The exponent of the lowest bit that is set in a column or in its shift; 0 for whole numbers."""
    if X.dtype.kind in "biu":
        return [0] * X.shape[1]
    lowest = np.full(X.shape[1], 2000)
    if sp.issparse(X):
        entries = X.tocoo()
        np.minimum.at(lowest, entries.coords[1], bits_of(entries.data))
    else:
        step = max(1, BLOCK // X.shape[1])
        for start in range(0, len(X), step):
            lowest = np.minimum(lowest, bits_of(X[start : start + step]).min(axis=0))
    lowest = np.minimum(lowest, bits_of(shifts))
    return [0 if e == 2000 or 0 < e < 64 else int(e) for e in lowest]


def bits_of(values: np.ndarray) -> np.ndarray:
    """The exponent of the lowest bit that is set in each float64; 2000 of 0."""
    mantissas, powers = np.frexp(values.astype(np.float64))
    whole = np.abs(np.ldexp(mantissas, 53)).astype(np.int64)
    lowest = np.frexp((whole & -whole).astype(float))[1] - 1
    return np.where(whole == 0, 2000, lowest + powers.astype(int) - 53)


def column_sums(X: Any, signs: np.ndarray) -> list[Fraction]:
    """Σ ±x of every column without rounding: mantissas in halves of 27 bits, added up exponent by exponent.

    >>> column_sums(np.array([[1e30], [0.1], [1e30]]), np.array([1.0, 1.0, -1.0])) == [Fraction(0.1)]
    True
    """
    if sp.issparse(X):
        entries = X.tocoo()
        values, columns, by = entries.data.astype(float), entries.coords[1], signs[entries.coords[0]]
    else:
        values, columns = X.astype(float).ravel(), np.tile(np.arange(X.shape[1]), len(X))
        by = np.repeat(signs, X.shape[1])
    mantissas, powers = np.frexp(values)
    powers, first = powers.astype(int), int(powers.min(initial=0))
    span = int(powers.max(initial=0)) - first + 1
    high = np.rint(np.ldexp(mantissas, 27))
    low = np.ldexp(np.ldexp(mantissas, 27) - high, 27)
    total = [Fraction(0)] * X.shape[1]
    for half, shift in ((high, 27), (low, 54)):
        sums = np.bincount(columns * span + powers - first, weights=half * by, minlength=span * X.shape[1])
        for at in np.flatnonzero(sums).tolist():
            j, e = divmod(at, span)
            total[j] += int(sums[at]) * two_to(e + first - shift)
    return total
