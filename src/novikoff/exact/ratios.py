"""Tables of rational numbers, as decimals are: whole numbers over one denominator per column."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import scipy.sparse as sp

from .floats import WHOLE

LONG = 62
"""Bits of whole numbers whose sums of two int64 holds, with a sign."""
LARGEST_OVER = 10**22
"""Powers of ten up to this one are floats."""


@dataclass(frozen=True)
class Ratios:
    """Whole numbers, of int64 or else Python's own, and what each column of them is divided by."""

    whole: np.ndarray
    over: list[int]
    columns: list[str] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.whole.shape[0], self.whole.shape[1]

    def __len__(self) -> int:
        return len(self.whole)

    def is_whole(self) -> bool:
        """Whether all numbers are whole and small enough to be float64 values."""
        return set(self.over) == {1} and int(np.abs(self.whole).max(initial=0)) <= WHOLE

    def row(self, i: int) -> list[Fraction]:
        """The numbers of row i."""
        return [Fraction(v, over) for v, over in zip(self.whole[i].tolist(), self.over, strict=True)]

    def table(self) -> np.ndarray:
        """The numbers as an array of Python's fractions."""
        return np.array([self.row(i) for i in range(len(self))], dtype=object).reshape(self.shape)

    def __getitem__(self, rows: np.ndarray) -> "Ratios":
        """Some of the rows, as a matrix gives them."""
        return Ratios(self.whole[rows], self.over, self.columns)

    def scaled(self, constants: dict[int, int], powers: np.ndarray, out: np.ndarray) -> None:
        """Write (whole − c) / over·2^−k of every column as floats rounded thrice, c its constant and k its power."""
        for j, (over, power) in enumerate(zip(self.over, powers.tolist(), strict=True)):
            column = self.whole[:, j] - constants[j] if j in constants else self.whole[:, j]
            if column.dtype == object or over > LARGEST_OVER:
                out[:, j] = [float(Fraction(v, over) / Fraction(2) ** power) for v in column.tolist()]
            else:
                np.ldexp(column.astype(np.float64) / over, -power, out=out[:, j])

    def floats(self) -> np.ndarray:
        """The numbers as floats."""
        out = np.empty(self.shape)
        self.scaled({}, np.zeros(len(self.over), dtype=int), out)
        return out


def ratios_of(rows: list[list[Fraction]]) -> Ratios:
    """Fractions as whole numbers over the least common denominator of each column.

    >>> ratios_of([[Fraction(1, 2)], [Fraction(1, 3)]]).whole.tolist()
    [[3], [2]]
    """
    over = [lcm(*(v.denominator for v in column)) for column in zip(*rows, strict=True)]
    whole = [[v.numerator * (o // v.denominator) for v, o in zip(row, over, strict=True)] for row in rows]
    longest = max((v.bit_length() for row in whole for v in row), default=0)
    return Ratios(np.array(whole, dtype=np.int64 if longest < LONG else object).reshape(len(rows), -1), over)


def stack_ratios(parts: list[Ratios]) -> Ratios:
    """Tables of the same columns below each other.

    >>> half, third = (ratios_of([[Fraction(1, over)]]) for over in (2, 3))
    >>> stack_ratios([half, third])
    Ratios(whole=array([[3],
           [2]]), over=[6], columns=None)
    """
    over = [lcm(*column) for column in zip(*(part.over for part in parts), strict=True)]
    factors = [[a // b for a, b in zip(over, part.over, strict=True)] for part in parts]
    longest = max(
        (int(np.abs(part.whole).max(initial=0)) * max(times)).bit_length()
        for part, times in zip(parts, factors, strict=True)
    )
    kind = np.int64 if longest < LONG else object
    wholes = [part.whole.astype(kind) * np.array(times, dtype=kind) for part, times in zip(parts, factors, strict=True)]
    return Ratios(np.concatenate(wholes), over, parts[0].columns)


def stack_numbers(parts: list[Any]) -> Any:
    """Matrices, or ratios, of the same columns below each other."""
    if isinstance(parts[0], Ratios):
        return stack_ratios(parts)
    return sp.vstack(parts, format="csr") if sp.issparse(parts[0]) else np.concatenate(parts)
