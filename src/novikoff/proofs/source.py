"""The numbers of all rows, exactly and in floats.

The exact side holds whole numbers: column j of the rows, less a constant c_j, in units of a positive rational u_j that
divides all of it.  The float side is the same column divided by a power of two, so that its largest value is near 1.
Both are linear images of the rows [x; 1], by a map that can be undone, so planes and witnesses carry over.
"""

import hashlib
import struct
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..exact.dyadic import BLOCK, exponents, extremes, lowest_bits, multiple, two_to, without_zeros

NARROW = 1 / 16
"""A column whose spread is smaller than this part of its size is shifted, so that floats see its differences."""


LEADING = 62
"""Bits of a long whole number that its float is made of: what is cut off is less than the rounding."""


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
        if self.factor_powers is not None:
            cut = [max(v.bit_length() - LEADING, 0) for v in w]
            found, powers = np.frexp(np.array([v >> k for v, k in zip(w, cut, strict=True)], dtype=float))
            powers = powers + np.array(cut) - self.factor_powers
            top = int(powers[found != 0].max()) if any(w) else 0
            return np.ldexp(found, np.maximum(powers - top, -5000)), two_to(top)
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
            block = self.X[start : start + step]
            if not sp.issparse(block) and block.all():
                found.update(full_rows(block))
                continue
            block = sp.csr_array(block, copy=True)
            block.eliminate_zeros()
            block.sort_indices()
            values, columns, ends = block.data.astype("<f8"), block.indices.astype("<u4"), block.indptr.tolist()
            for a, b in pairwise(ends):
                found.update(struct.pack("<I", b - a) + columns[a:b].tobytes() + values[a:b].tobytes())
        return found.hexdigest()


def full_rows(block: np.ndarray) -> bytes:
    """What is digested of rows without zeros: the number of columns, the columns and the values of each."""
    n, d = block.shape
    head = np.array([d, *range(d)], dtype="<u4").view(np.uint8)
    out = np.empty((n, head.size + 8 * d), dtype=np.uint8)
    out[:, : head.size] = head
    out[:, head.size :] = np.ascontiguousarray(block, dtype="<f8").view(np.uint8)
    return out.tobytes()
