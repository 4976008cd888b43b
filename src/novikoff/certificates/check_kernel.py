"""The checker's part on feature spaces: z_i·z_j = ±k(x_i, x_j), or ±(k(x_i, x_j) + 1) with an intercept.

A plane is w = Σ α_j·z_j.  Polynomial kernels are computed exactly; exp to 50 digits, and every sum with what that can
be off is rounded against the claim.
"""

from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from .check import Claim, Row, Survey, exact, require

DIGITS = Context(prec=60, Emin=-999999, Emax=999999)
OFF = Fraction(1, 10**50)
"""More than exp of a negative number is off in these digits: |x|·exp(x) ≤ 1, so the rounding of x adds below 1e-59."""


class KernelSurvey(Survey):
    """The same look at every row, through the kernel; all rows are kept."""

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        kernel = claim.kernel
        self.name, self.gamma = kernel["name"], exact(kernel["gamma"])
        self.degree, self.coef0 = kernel["degree"], exact(kernel["coef0"])
        require(self.gamma > 0 and self.coef0 >= 0, "a kernel with gamma <= 0 or coef0 < 0 need not be one")
        if self.name not in ("poly", "rbf") or type(self.degree) is not int or self.degree < 1:
            raise ValueError("the kernel must be 'poly' or 'rbf' with a positive whole degree")
        require(not claim.collinear, "relations between columns say nothing in a feature space")
        self.tied_rows: list[int] = []

    def look(self, i: int, row: Row) -> None:
        """Keep the row; the plane is known when all are."""
        self.kept[i] = row

    def judgement(self) -> str:
        """What is proved, in a sentence that names the kernel."""
        for i, row in list(self.kept.items()):
            before = self.tied
            super().look(i, row)
            if self.tied > before and i not in self.claim.cover:
                self.tied_rows.append(i)
        return f"{super().judgement()} (in the feature space of the {self.name} kernel)"

    def inner(self, a: Row, b: Row) -> tuple[Fraction, Fraction]:
        """z_a·z_b, and how far it may be off."""
        off = Fraction(0)
        if self.name == "poly":
            dot = Fraction(sum(v * b.x.get(j, 0) for j, v in a.x.items()), a.over * b.over)
            value = (self.gamma * dot + self.coef0) ** self.degree
        else:
            places = a.x.keys() | b.x.keys()
            apart = sum((a.x.get(j, 0) * b.over - b.x.get(j, 0) * a.over) ** 2 for j in places)
            x = -self.gamma * Fraction(apart, (a.over * b.over) ** 2)
            value, off = (Fraction(exp(x)), OFF) if x else (Fraction(1), off)
        return a.sign * b.sign * (value + self.claim.intercept), off

    def product(self, row: Row, w: dict[int, int]) -> Fraction:
        """z·w, rounded down."""
        return self.combined((weight, self.inner(row, self.row(j)), -1) for j, weight in w.items())

    def square_of_row(self, row: Row) -> Fraction:
        return self.inner(row, row)[0]

    def square_of_plane(self) -> Fraction:
        return self.square(self.claim.plane)

    def square(self, p: dict[int, int], rest: int = 0) -> Fraction:
        """‖Σ p_i·z_i‖², rounded up."""
        p = p | dict.fromkeys(self.tied_rows if rest else [], rest)
        pairs = ((a * b, self.inner(self.row(i), self.row(j)), 1) for i, a in p.items() for j, b in p.items())
        return self.combined(pairs)

    def combined(self, terms: Any) -> Fraction:
        """Σ weight·value, each pushed by what it may be off in the direction given."""
        return sum((weight * value + way * abs(weight) * off for weight, (value, off), way in terms), Fraction(0))

    def row(self, i: int) -> Row:
        """A row that has a weight."""
        require(i in self.kept, f"row {i}, which has a weight, is of neither class")
        return self.kept[i]


def exp(x: Fraction) -> Decimal:
    """exp of a negative number."""
    return DIGITS.exp(DIGITS.divide(Decimal(x.numerator), Decimal(x.denominator)))
