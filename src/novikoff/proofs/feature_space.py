"""The feature space of a kernel: z_i·z_j = G_ij = ±(k(x_i, x_j) + 1), or ±k(x_i, x_j) without an intercept."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from flint import arb, arb_mat, ctx, fmpq, fmpq_mat, fmpz_mat, nmod_mat

from ..certificates.check import DEGREE, LONG, KernelSpace
from ..exact.floats import two_to
from ..exact.linalg import PRIME
from ..training.kernels import scale_gamma
from .signed_rows import SignedRows


def kernel_space(name: Any, gamma: Any, degree: Any, coef0: Any, X: Any) -> KernelSpace:
    """The space of the kernel with these parameters; X, in floats, is what "scale" and "auto" go by."""
    if name not in ("poly", "rbf"):
        raise ValueError(f"The 'kernel' parameter of certify must be 'linear', 'poly' or 'rbf'. Got {name!r} instead.")
    if isinstance(degree, bool) or not isinstance(degree, int | np.integer) or not 1 <= degree <= DEGREE:
        raise ValueError(
            f"The 'degree' parameter of certify must be an int from 1 to {DEGREE}. Got {degree!r} instead."
        )
    space = KernelSpace(name, rational("gamma", gamma_of(X, gamma)), int(degree), rational("coef0", coef0))
    if space.gamma <= 0 or (name == "poly" and space.coef0 < 0):
        raise ValueError(f"A kernel needs gamma > 0 and coef0 >= 0. Got gamma={gamma!r}, coef0={coef0!r} instead.")
    return space if name == "poly" else KernelSpace(name, space.gamma, 1, Fraction(0))


def gamma_of(X: Any, gamma: Any) -> Any:
    """γ as a number: "scale" is 1 / (columns × variance of all numbers), "auto" is 1 / columns."""
    if gamma not in ("scale", "auto"):
        return gamma
    return scale_gamma(X) if gamma == "scale" else 1.0 / X.shape[1]


def rational(name: str, value: Any) -> Fraction:
    """The exact value of a parameter."""
    try:
        number = Fraction(value)
    except (ValueError, TypeError, OverflowError, ZeroDivisionError) as error:
        raise ValueError(f"The {name!r} parameter of certify must be a number. Got {value!r} instead.") from error
    if max(abs(number.numerator), number.denominator) >= LONG:
        raise ValueError(f"The {name!r} parameter of certify has more digits than a proof can have.")
    return number


def inner_products(signed: SignedRows) -> list[list[Any]]:
    """x_i·x_j, exactly."""
    rows = (map(Fraction, signed.values(k)) for k in range(len(signed.rows)))
    X = fmpq_mat([[fmpq(v.numerator, v.denominator) for v in row] for row in rows])
    return (X * X.transpose()).tolist()


class Polynomial:
    """G of a polynomial kernel, without rounding."""

    def __init__(self, signed: SignedRows, kernel: KernelSpace) -> None:
        gamma, coef0 = (fmpq(v.numerator, v.denominator) for v in (kernel.gamma, kernel.coef0))
        intercept, signs = int(signed.data.intercept), signed.signs.astype(int).tolist()
        values = [[(gamma * v + coef0) ** kernel.degree + intercept for v in row] for row in inner_products(signed)]
        self.G = [
            [Fraction(int(v.p), int(v.q)) * s * t for v, t in zip(row, signs, strict=True)]
            for row, s in zip(values, signs, strict=True)
        ]
        self.over = lcm(*(v.denominator for row in self.G for v in row))
        self.whole = fmpz_mat([[int(v * self.over) for v in row] for row in self.G])

    def products(self, p: list[int]) -> list[Fraction]:
        """Gp."""
        product = self.whole * fmpz_mat([[v] for v in p])
        return [Fraction(int(product[i, 0]), self.over) for i in range(len(p))]

    def floats(self) -> np.ndarray:
        """G in floats, divided by a number."""
        top = max(abs(v) for row in self.G for v in row) or 1
        return np.array([[float(v / top) for v in row] for row in self.G])

    def spanning_columns(self) -> tuple[list[int], list[list[Fraction]]]:
        """Columns that span all, as seen modulo a prime, and G in them, divided by a number: planes need no other α."""
        n = len(self.G)
        form, rank = nmod_mat(n, n, [int(v) % PRIME for v in self.whole.entries()], PRIME).rref()
        columns = [next(j for j in range(n) if int(form[i, j])) for i in range(rank)] or [0]
        power = max(v.numerator.bit_length() - v.denominator.bit_length() for row in self.G for v in row)
        return columns, [[row[j] * two_to(-power) for j in columns] for row in self.G]


class Gaussian:
    """G of the rbf kernel in balls of so many bits."""

    def __init__(self, signed: SignedRows, kernel: KernelSpace, bits: int) -> None:
        self.bits = bits
        dots, gamma = inner_products(signed), fmpq(kernel.gamma.numerator, kernel.gamma.denominator)
        signs, n = signed.signs.astype(int).tolist(), len(signed.rows)
        G = [[arb(0)] * n for _ in range(n)]
        with precision(bits):
            for i in range(n):
                for j in range(i + 1):
                    value = arb(-gamma * (dots[i][i] + dots[j][j] - 2 * dots[i][j])).exp()
                    G[i][j] = G[j][i] = (value + int(signed.data.intercept)) * (signs[i] * signs[j])
            self.G = arb_mat(G)

    def floats(self) -> np.ndarray:
        """G in floats."""
        return np.array([[float(v.mid()) for v in row] for row in self.G.tolist()])

    def equal_score_plane(self) -> list[dict[int, int]]:
        """The plane under which all rows have the same score, Gα = 1, if the balls are small enough."""
        with precision(self.bits):
            try:
                alpha = self.G.solve(arb_mat([[1]] * self.G.nrows()))
            except ZeroDivisionError:
                return []
            middles = [rational_of(alpha[i, 0].mid()) for i in range(alpha.nrows())]
        step = max(map(abs, middles)) / 2**self.bits
        return [{i: round(v / step) for i, v in enumerate(middles)}]


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
