"""Proofs in the feature space of a kernel: z_i·z_j = G_ij = ±(k(x_i, x_j) + 1), or ±k(x_i, x_j) without an intercept.

A plane that separates may be taken as w = Σ α_j·z_j, so Gordan's alternative is that of the rows of G: Gα > 0, or
p ≥ 0, p ≠ 0 with Gp = 0.  For a polynomial kernel G is rational and everything is exact.  For the rbf kernel exp is
enclosed in balls (FLINT's arb), and one theorem decides: on distinct rows G is positive definite (Micchelli 1986), so
the classes separate exactly when no two equal rows have different labels.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import scipy.sparse as sp
from flint import arb, arb_mat, ctx, fmpq, fmpq_mat, fmpz_mat, nmod_mat

from .certificate import Certificate, Texts
from .clock import Clock, UndecidedError
from .dyadic import two_to
from .faces import Finding, decided
from .margin import grid, least, root
from .source import Source
from .table import Table
from .writing import by_row, certificate_from, claimed, heading, ratio, right_of, sealed, whole

LARGEST_GRAM = 1000
"""Rows up to which a proof in a feature space is looked for."""
FEW = 300
"""Rows up to which a system of balls is solved."""
PRIME = 2**61 - 1
PRECISIONS = (128, 512, 2048)
"""Bits in which exp is enclosed."""
SLACK = Fraction(1, 10**48)
"""More than a checker may be off that has 50 digits of exp."""
TOO_MANY = "a proof in a feature space takes the kernel of every pair of rows, which is done for at most {} rows"
NOT_CLAIMED = (
    "rows that do not occur with both labels can be put on their right side with the others on the plane, as the "
    "kernel is positive definite on distinct rows (Micchelli 1986); this is not part of the proof"
)
BY_THEOREM = (
    "that the classes separate rests on a theorem, not on a proof that check can verify: the kernel is positive "
    "definite on distinct rows (Micchelli 1986); {}"
)


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
        raise ValueError(
            f"The 'degree' parameter of certify must be an int in the range [1, inf). Got {degree!r} instead."
        )
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
    squares = values.multiply(values).mean() if sp.issparse(values) else np.mean(np.square(values, dtype=float))
    variance = float(squares - values.mean() ** 2) if sp.issparse(values) else float(values.var(dtype=float))
    return 1.0 / (values.shape[1] * variance) if variance else 1.0


def rational(name: str, value: Any) -> Fraction:
    """The exact value of a parameter."""
    try:
        return Fraction(value)
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"The {name!r} parameter of certify must be a number. Got {value!r} instead.") from error


def answer_in_space(
    table: Table, kernel: Kernel, rel_gap: float, quasi: bool | None, clock: Clock, question: tuple[Texts, Any]
) -> Certificate:
    """The certificate of one question in the feature space."""
    rbf, n = kernel.name == "rbf", len(table.rows)
    head = heading(table, "", *question) | {"kernel": kernel.described()}
    if rbf and (pair := table.contradiction()):
        return written(table, head, Finding(witness=pair, open=NOT_CLAIMED))
    if n > LARGEST_GRAM:
        text = TOO_MANY.format(LARGEST_GRAM)
        return by_theorem(head, text) if rbf else Certificate("unknown", reason=text, kernel=head["kernel"])
    clock.say(f"the kernel of every pair of {n} rows")
    if rbf:
        return of_rbf(table, kernel, rel_gap, clock, head)
    return of_poly(table, kernel, rel_gap, quasi, clock, head)


def of_poly(
    table: Table, kernel: Kernel, rel_gap: float, quasi: bool | None, clock: Clock, head: dict[str, Any]
) -> Certificate:
    """Everything in exact arithmetic on the rows of G."""
    G = polynomial(table, kernel)
    over = lcm(*(v.denominator for row in G for v in row))
    whole_rows = fmpz_mat([[int(v * over) for v in row] for row in G])

    def products(p: list[int]) -> list[Fraction]:
        found = whole_rows * fmpz_mat([[v] for v in p])
        return [Fraction(int(found[i, 0]), over) for i in range(len(p))]

    basis = independent_columns(whole_rows)
    top = max(max(abs(v.numerator).bit_length() - v.denominator.bit_length() for v in row) for row in G)
    seen = [[row[j] * two_to(-top) for j in basis] for row in G]
    rows = Table(Source(seen, intercept=False), np.ones(len(G), dtype=int))
    try:
        finding = decided(rows, quasi, clock)
    except UndecidedError as why:
        return Certificate("unknown", reason=str(why), kernel=head["kernel"])
    alpha = None if finding.plane is None else dict(zip(basis, rows.outer(finding.plane), strict=True))
    if alpha is not None and not finding.witness:
        return with_margin(table, head, [nearest(G), alpha], products, max(G[i][i] for i in range(len(G))), rel_gap)
    if any(products([finding.witness.get(k, 0) for k in range(len(G))])):
        return Certificate("unknown", reason="the rank of the kernel is in doubt", kernel=head["kernel"])
    right = np.empty(0, dtype=int) if finding.plane is None else right_of(rows, finding.plane)
    return written(table, head, finding, alpha, right)


def independent_columns(G: Any) -> list[int]:
    """Columns of a symmetric matrix that span all, as seen modulo a prime; then planes need no other α."""
    n = G.nrows()
    form, rank = nmod_mat(n, n, [int(v) % PRIME for v in G.entries()], PRIME).rref()
    return [next(j for j in range(n) if int(form[i, j])) for i in range(rank)]


def polynomial(table: Table, kernel: Kernel) -> list[list[Fraction]]:
    """G of a polynomial kernel."""
    X = fmpq_mat([[fmpq(v.numerator, v.denominator) for v in table.source.exact(int(i))] for i in table.rows])
    gamma, coef0 = (fmpq(v.numerator, v.denominator) for v in (kernel.gamma, kernel.coef0))
    dots, signs = (X * X.transpose()).tolist(), table.signs.astype(int).tolist()
    intercept = int(table.source.intercept)
    found = [[(gamma * v + coef0) ** kernel.degree + intercept for v in row] for row in dots]
    return [
        [Fraction(int(v.p), int(v.q)) * s * t for v, t in zip(row, signs, strict=True)]
        for row, s in zip(found, signs, strict=True)
    ]


def of_rbf(table: Table, kernel: Kernel, rel_gap: float, clock: Clock, head: dict[str, Any]) -> Certificate:
    """The classes separate; with balls around the entries of G it is seen how far."""
    for bits in PRECISIONS:
        if clock.over():
            return by_theorem(head, "the time limit was reached before a plane was shown")
        with precision(bits):
            G = gaussian(table, kernel)
            tries = [nearest([[Fraction(float(v.mid())) for v in row] for row in G.tolist()]), *even(G, bits)]

            def products(p: list[int], G: Any = G) -> list[Fraction]:
                found = G * arb_mat([[v] for v in p])
                off = SLACK * sum(map(abs, p))
                return [rational_of((found[i, 0]).lower()) - off for i in range(len(p))]

            largest = Fraction(1 + table.source.intercept)
            found = with_margin(table, head, tries, products, largest, rel_gap, 2 * SLACK)
            if found.verdict == "separable":
                return found
    return by_theorem(head, f"exp in {PRECISIONS[-1]} bits is too coarse to show a plane")


def even(G: Any, bits: int) -> list[dict[int, int]]:
    """The plane under which all rows have the same score, Gα = 1, if the balls are small enough; of few rows."""
    if G.nrows() > FEW:
        return []
    try:
        return [dict(enumerate(rounded(G.solve(arb_mat([[1]] * G.nrows())), bits)))]
    except ZeroDivisionError:
        return []


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """FLINT's balls in so many bits."""
    before, ctx.prec = ctx.prec, bits
    try:
        yield
    finally:
        ctx.prec = before


def gaussian(table: Table, kernel: Kernel) -> Any:
    """G of the rbf kernel in balls."""
    X = fmpq_mat([[fmpq(v.numerator, v.denominator) for v in table.source.exact(int(i))] for i in table.rows])
    dots, gamma = (X * X.transpose()).tolist(), fmpq(kernel.gamma.numerator, kernel.gamma.denominator)
    signs, n = table.signs.astype(int).tolist(), len(dots)
    found = [[arb(0)] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            value = arb(-gamma * (dots[i][i] + dots[j][j] - 2 * dots[i][j])).exp() + int(table.source.intercept)
            found[i][j] = found[j][i] = value * (signs[i] * signs[j])
    return arb_mat(found)


def nearest(G: list[list[Fraction]]) -> dict[int, int]:
    """Weights of the point of least norm in the hull of the rows, from floats."""
    top = max(abs(v) for row in G for v in row)
    values, vectors = np.linalg.eigh(np.array([[float(v / top) for v in row] for row in G]))
    return grid(least(vectors * np.sqrt(values.clip(min=0.0))), np.arange(len(G)))


def with_margin(
    table: Table,
    head: dict[str, Any],
    tries: list[dict[int, int]],
    products: Callable[[list[int]], list[Fraction]],
    longest: Fraction,
    rel_gap: float,
    slack: Fraction = Fraction(0),
) -> Certificate:
    """The certificate with the best plane and the best combination among some weights."""
    n, lo_squared, hi_squared, best = len(table.rows), Fraction(0), None, {}
    for alpha in tries:
        p = [alpha.get(k, 0) for k in range(n)]
        found = products(p)
        square = sum((a * b for a, b in zip(p, found, strict=True) if a), Fraction(0))
        square += 2 * slack * sum(map(abs, p)) ** 2
        if min(found) > 0 and min(found) ** 2 / square > lo_squared:
            lo_squared, plane = min(found) ** 2 / square, alpha
        if min(p) >= 0 and (hi_squared is None or square / sum(p) ** 2 < hi_squared):
            hi_squared, best = square / sum(p) ** 2, {k: v for k, v in alpha.items() if v}
    if not lo_squared or hi_squared is None:
        return Certificate("unknown", reason="no plane was found")
    lo, hi, radius = root(lo_squared, up=False), root(hi_squared, up=True), root(longest, up=True)
    margin = claimed(lo, hi, radius) | {"combination": by_row(table, best)}
    narrow = lo >= hi * (1 - Fraction(rel_gap))
    reason = "" if narrow else f"the margin's interval is wider than rel_gap={rel_gap:g}"
    return written(table, head, Finding(open=reason), plane, margin=margin)


def written(
    table: Table,
    head: dict[str, Any],
    finding: Finding,
    alpha: dict[int, int] | None = None,
    right: Any = (),
    margin: dict[str, Any] | None = None,
) -> Certificate:
    """The certificate with its proof."""
    proof = head | {
        "verdict": "separable" if margin else "inseparable" if alpha is None else "quasi-separable",
        "plane": by_row(table, {k: v for k, v in (alpha or {}).items() if v}),
        "rows": [int(table.rows[k]) for k in right],
        "witness": by_row(table, finding.witness),
        "cover": {"weights": by_row(table, finding.cover), "rest": whole(finding.rest)},
        "margin": margin,
        "collinear": [],
    }
    return certificate_from(sealed(proof), finding.open)


def by_theorem(head: dict[str, Any], why: str) -> Certificate:
    """What is known without a proof that could be checked."""
    return Certificate(
        "separable", reason=BY_THEOREM.format(why), overlap=False, margin=(0.0, np.inf), kernel=head["kernel"]
    )


def rounded(column: Any, bits: int) -> list[int]:
    """The middles of a column of balls as whole numbers of so many bits."""
    middles = [rational_of(column[i, 0].mid()) for i in range(column.nrows())]
    unit = max(map(abs, middles)) / 2**bits
    return [round(v / unit) for v in middles]


def rational_of(value: Any) -> Fraction:
    """The exact value of a ball without a radius."""
    mantissa, power = value.man_exp()
    return int(mantissa) * two_to(int(power))
