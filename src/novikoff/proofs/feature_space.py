"""The feature space of a kernel: z_i·z_j = G_ij = ±(k(x_i, x_j) + 1), or ±k(x_i, x_j) without an intercept."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import scipy.sparse as sp
from flint import arb, arb_mat, ctx, fmpq, fmpq_mat, fmpz_mat, nmod_mat

from ..exact.dyadic import two_to
from .proof_json import ratio
from .signed_rows import Table

PRIME = 2**61 - 1
SLACK = Fraction(1, 10**48)
"""More than a checker may be off that has 50 digits of exp."""


@dataclass(frozen=True)
class Kernel:
    """(γ·x·z + coef0)^degree, or exp(−γ·‖x − z‖²), with exact parameters."""

    name: str
    gamma: Fraction
    degree: int
    coef0: Fraction

    def described(self) -> dict[str, Any]:
        """As the proof has it."""
        parts = {"name": self.name, "gamma": ratio(self.gamma)}
        return parts | {"degree": self.degree, "coef0": ratio(self.coef0)}


def kernel_of(name: Any, gamma: Any, degree: Any, coef0: Any, X: Any) -> Kernel | None:
    """The kernel with these parameters; None for the rows themselves."""
    if name == "linear":
        return None
    if name not in ("poly", "rbf"):
        raise ValueError(f"The 'kernel' parameter of certify must be 'linear', 'poly' or 'rbf'. Got {name!r} instead.")
    if isinstance(degree, bool) or not isinstance(degree, int | np.integer) or degree < 1:
        raise ValueError(f"The 'degree' parameter of certify must be a positive int. Got {degree!r} instead.")
    found = Kernel(name, rational("gamma", width_of(X, gamma)), int(degree), rational("coef0", coef0))
    if found.gamma <= 0 or (name == "poly" and found.coef0 < 0):
        raise ValueError(f"A kernel needs gamma > 0 and coef0 >= 0. Got gamma={gamma!r}, coef0={coef0!r} instead.")
    return found if name == "poly" else Kernel(name, found.gamma, 1, Fraction(0))


def width_of(X: Any, gamma: Any) -> Any:
    """γ as a number: "scale" is 1 / (columns × variance of all numbers), "auto" is 1 / columns."""
    if gamma not in ("scale", "auto"):
        return gamma
    values: Any = np.array([list(map(float, row)) for row in X]) if isinstance(X, list) else X
    if gamma == "auto":
        return 1.0 / values.shape[1]
    if sp.issparse(values):
        variance = float(values.multiply(values).mean() - values.mean() ** 2)
    else:
        variance = float(values.var(dtype=float))
    return 1.0 / (values.shape[1] * variance) if variance else 1.0


def rational(name: str, value: Any) -> Fraction:
    """The exact value of a parameter."""
    try:
        return Fraction(value)
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"The {name!r} parameter of certify must be a number. Got {value!r} instead.") from error


def dots_of(table: Table) -> list[list[Any]]:
    """x_i·x_j, exactly."""
    X = fmpq_mat([[fmpq(v.numerator, v.denominator) for v in table.source.exact(int(i))] for i in table.rows])
    return (X * X.transpose()).tolist()


class Polynomial:
    """G of a polynomial kernel, without rounding."""

    slack = Fraction(0)

    def __init__(self, table: Table, kernel: Kernel) -> None:
        gamma, coef0 = (fmpq(v.numerator, v.denominator) for v in (kernel.gamma, kernel.coef0))
        intercept, signs = int(table.source.intercept), table.signs.astype(int).tolist()
        found = [[(gamma * v + coef0) ** kernel.degree + intercept for v in row] for row in dots_of(table)]
        self.G = [
            [Fraction(int(v.p), int(v.q)) * s * t for v, t in zip(row, signs, strict=True)]
            for row, s in zip(found, signs, strict=True)
        ]
        self.over = lcm(*(v.denominator for row in self.G for v in row))
        self.whole = fmpz_mat([[int(v * self.over) for v in row] for row in self.G])
        self.longest = max(self.G[i][i] for i in range(len(self.G)))

    def products(self, p: list[int]) -> list[Fraction]:
        """Gp."""
        found = self.whole * fmpz_mat([[v] for v in p])
        return [Fraction(int(found[i, 0]), self.over) for i in range(len(p))]

    def floats(self) -> np.ndarray:
        """G in floats, divided by a number."""
        top = max(abs(v) for row in self.G for v in row) or 1
        return np.array([[float(v / top) for v in row] for row in self.G])

    def spanning(self) -> tuple[list[int], list[list[Fraction]]]:
        """Columns that span all, as seen modulo a prime, and G in them, divided by a number: planes need no other α."""
        n = len(self.G)
        form, rank = nmod_mat(n, n, [int(v) % PRIME for v in self.whole.entries()], PRIME).rref()
        columns = [next(j for j in range(n) if int(form[i, j])) for i in range(rank)] or [0]
        power = max(v.numerator.bit_length() - v.denominator.bit_length() for row in self.G for v in row)
        return columns, [[row[j] * two_to(-power) for j in columns] for row in self.G]


class Gaussian:
    """G of the rbf kernel in balls of so many bits."""

    def __init__(self, table: Table, kernel: Kernel, bits: int) -> None:
        self.bits, self.slack, self.longest = bits, 2 * SLACK, Fraction(1 + table.source.intercept)
        dots, gamma = dots_of(table), fmpq(kernel.gamma.numerator, kernel.gamma.denominator)
        signs, n = table.signs.astype(int).tolist(), len(table.rows)
        found = [[arb(0)] * n for _ in range(n)]
        with precision(bits):
            for i in range(n):
                for j in range(i + 1):
                    value = arb(-gamma * (dots[i][i] + dots[j][j] - 2 * dots[i][j])).exp()
                    found[i][j] = found[j][i] = (value + int(table.source.intercept)) * (signs[i] * signs[j])
            self.G = arb_mat(found)

    def products(self, p: list[int]) -> list[Fraction]:
        """Gp, from below."""
        with precision(self.bits):
            found = self.G * arb_mat([[v] for v in p])
            off = SLACK * sum(map(abs, p))
            return [rational_of(found[i, 0].lower()) - off for i in range(len(p))]

    def floats(self) -> np.ndarray:
        """G in floats."""
        return np.array([[float(v.mid()) for v in row] for row in self.G.tolist()])

    def even(self) -> list[dict[int, int]]:
        """The plane under which all rows have the same score, Gα = 1, if the balls are small enough."""
        with precision(self.bits):
            try:
                found = self.G.solve(arb_mat([[1]] * self.G.nrows()))
            except ZeroDivisionError:
                return []
            middles = [rational_of(found[i, 0].mid()) for i in range(found.nrows())]
        unit = max(map(abs, middles)) / 2**self.bits
        return [{i: round(v / unit) for i, v in enumerate(middles)}]


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """FLINT's balls in so many bits."""
    before, ctx.prec = ctx.prec, bits
    try:
        yield
    finally:
        ctx.prec = before


def rational_of(value: Any) -> Fraction:
    """The exact value of a ball without a radius."""
    mantissa, power = value.man_exp()
    return int(mantissa) * two_to(int(power))
