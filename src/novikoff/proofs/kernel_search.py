"""Proofs in the feature space of a kernel.

A plane that separates may be taken as w = Σ α_j·z_j, so Gordan's alternative is that of the rows of G: Gα > 0, or
p ≥ 0, p ≠ 0 with Gp = 0.  For a polynomial kernel G is rational and everything is exact.  For the rbf kernel exp is
enclosed in balls (FLINT's arb), and one theorem decides: on distinct rows G is positive definite (Micchelli 1986), so
the classes separate exactly when no two equal rows have different labels.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from ..certificates.certificate import Certificate, Texts
from ..exact.limits import Clock, UndecidedError
from .best_margin import grid, least, root
from .feature_space import Gaussian, Kernel, Polynomial
from .proof_json import by_row, certificate_from, claimed, heading, right_of, sealed, whole
from .quasi import Finding, decided
from .signed_rows import Table
from .source import Source

LARGEST_GRAM = 1000
"""Rows up to which a proof in a feature space is looked for."""
FEW = 300
"""Rows up to which a system of balls is solved."""
PRECISIONS = (128, 512, 2048)
"""Bits in which exp is enclosed."""
TOO_MANY = f"a proof takes the kernel of every pair of rows, which is done for at most {LARGEST_GRAM} rows"
NOT_CLAIMED = (
    "rows that do not occur with both labels can be put on their right side with the others on the plane, as the "
    "kernel is positive definite on distinct rows (Micchelli 1986); this is not part of the proof"
)
BY_THEOREM = (
    "that the classes separate rests on a theorem, not on a proof that check can verify: the kernel is positive "
    "definite on distinct rows (Micchelli 1986); {}"
)
Question = tuple[Texts, list[str] | None]
"""The labels of the classes, and the names of the columns."""


def answer_in_space(
    table: Table, kernel: Kernel, rel_gap: float, quasi: bool | None, clock: Clock, question: Question
) -> Certificate:
    """The certificate of one question in the feature space."""
    rbf, head = kernel.name == "rbf", heading(table, "", *question) | {"kernel": kernel.described()}
    if rbf and (pair := table.contradiction()):
        return written(table, head, Finding(witness=pair, open=NOT_CLAIMED))
    if len(table.rows) > LARGEST_GRAM:
        return by_theorem(head, TOO_MANY) if rbf else unknown(head, TOO_MANY)
    clock.say(f"the kernel of every pair of {len(table.rows)} rows")
    if rbf:
        return of_rbf(table, kernel, rel_gap, clock, head)
    try:
        return of_poly(table, kernel, rel_gap, quasi, clock, head)
    except UndecidedError as why:
        return unknown(head, str(why))


def of_run(
    table: Table, kernel: Kernel, witness: dict[int, int], alpha: dict[int, int], question: Question
) -> Certificate:
    """The certificate of a run: weights of sum zero, or a plane w = Σ α_j·z_j; ValueError if it is neither."""
    head = heading(table, "", *question) | {"kernel": kernel.described()}
    if len(table.rows) > LARGEST_GRAM:
        raise ValueError(f"There is no proof of so many rows in a feature space: {TOO_MANY}.")
    space = Polynomial(table, kernel) if kernel.name == "poly" else Gaussian(table, kernel, PRECISIONS[0])
    if witness:
        if any(space.products([witness.get(k, 0) for k in range(len(table.rows))])):
            raise ValueError(
                "The rows of the witness do not sum to zero: pass the rows and labels that the run was on."
            )
        return written(table, head, Finding(witness=witness))
    found = with_margin(table, head, [alpha], space, 1.0)
    if found is None:
        raise ValueError("A row is not on its right side of the plane: pass the rows and labels that the run was on.")
    return found


def of_poly(
    table: Table, kernel: Kernel, rel_gap: float, quasi: bool | None, clock: Clock, head: dict[str, Any]
) -> Certificate:
    """Everything in exact arithmetic on the rows of G."""
    space = Polynomial(table, kernel)
    columns, seen = space.spanning()
    rows = Table(Source(seen, intercept=False), np.ones(len(seen), dtype=int))
    finding = decided(rows, quasi, clock)
    alpha = None if finding.plane is None else dict(zip(columns, rows.outer(finding.plane), strict=True))
    if alpha is not None and not finding.witness:
        return with_margin(table, head, [nearest(space), alpha], space, rel_gap) or unknown(head, "no plane was found")
    if any(space.products([finding.witness.get(k, 0) for k in range(len(seen))])):
        raise UndecidedError("the rank of the kernel is in doubt")
    right = np.empty(0, dtype=int) if finding.plane is None else right_of(rows, finding.plane)
    return written(table, head, finding, alpha, right)


def of_rbf(table: Table, kernel: Kernel, rel_gap: float, clock: Clock, head: dict[str, Any]) -> Certificate:
    """The classes separate; with balls around the entries of G it is seen how far."""
    for bits in PRECISIONS:
        if clock.over():
            return by_theorem(head, "the time limit was reached before a plane was shown")
        space = Gaussian(table, kernel, bits)
        tries = [nearest(space), *(space.even() if len(table.rows) <= FEW else [])]
        if found := with_margin(table, head, tries, space, rel_gap):
            return found
    return by_theorem(head, f"exp in {PRECISIONS[-1]} bits is too coarse to show a plane")


def nearest(space: Polynomial | Gaussian) -> dict[int, int]:
    """Weights of the point of least norm in the hull of the rows, from floats."""
    values, vectors = np.linalg.eigh(space.floats())
    return grid(least(vectors * np.sqrt(values.clip(min=0.0))), np.arange(len(values)))


def with_margin(
    table: Table, head: dict[str, Any], tries: list[dict[int, int]], space: Polynomial | Gaussian, rel_gap: float
) -> Certificate | None:
    """The certificate with the best plane and the best combination among some weights, if one of them separates."""
    planes, combinations = [], []
    for alpha in tries:
        p = [alpha.get(k, 0) for k in range(len(table.rows))]
        scores = space.products(p)
        square = sum((a * b for a, b in zip(p, scores, strict=True) if a), Fraction(0))
        square += 2 * space.slack * sum(map(abs, p)) ** 2
        if min(scores) > 0:
            planes.append((min(scores) ** 2 / square, alpha))
        if min(p) >= 0:
            combinations.append((square / sum(p) ** 2, alpha))
    if not planes or not combinations:
        return None
    lo_squared, plane = max(planes, key=lambda found: found[0])
    hi_squared, best = min(combinations, key=lambda found: found[0])
    lo, hi, radius = root(lo_squared, up=False), root(hi_squared, up=True), root(space.longest, up=True)
    narrow = lo >= hi * (1 - Fraction(rel_gap))
    reason = "" if narrow else f"the margin's interval is wider than rel_gap={rel_gap:g}"
    margin = claimed(lo, hi, radius) | {"combination": by_row(table, {k: v for k, v in best.items() if v})}
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
    reason = BY_THEOREM.format(why)
    return Certificate("separable", reason=reason, overlap=False, margin=(0.0, np.inf), kernel=head["kernel"])


def unknown(head: dict[str, Any], why: str) -> Certificate:
    """Nothing."""
    return Certificate("unknown", reason=why, kernel=head["kernel"])
