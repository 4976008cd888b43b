"""Proofs in the feature space of a kernel.

A plane that separates may be taken as w = Σ α_j·z_j, so Gordan's alternative is that of the rows of G: Gα > 0, or
p ≥ 0, p ≠ 0 with Gp = 0.  For a polynomial kernel G is rational and everything is exact.  For the rbf kernel exp is
enclosed in balls (FLINT's arb), and one theorem decides: on distinct rows G is positive definite (Micchelli 1986), so
the classes separate exactly when no two equal rows have different labels.
"""

from fractions import Fraction

import numpy as np

from ..certificates.certificate import Certificate
from ..exact.floats import root
from ..exact.limits import SearchLimits, UndecidedError
from .feature_space import Gaussian, KernelSpace, Polynomial
from .nearest_point import least_norm_weights, whole_weights
from .proof_json import by_row, margin_claims, right_rows, write_certificate
from .quasi import Decision, decide_separability
from .question import DataMatrix
from .signed_rows import SignedRows

LARGEST_GRAM = 1000
"""Rows up to which a proof in a feature space is looked for."""
FEW_ROWS = 300
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


def answer_in_space(
    signed: SignedRows, kernel: KernelSpace, rel_gap: float, quasi: bool | None, limits: SearchLimits
) -> Certificate:
    """The certificate of one question in the feature space."""
    rbf = kernel.name == "rbf"
    if rbf and (pair := signed.contradiction()):
        return write_certificate(signed, Decision(witness=pair), NOT_CLAIMED, kernel=kernel.to_dict())
    if len(signed.rows) > LARGEST_GRAM:
        return separable_by_theorem(kernel, TOO_MANY) if rbf else unknown_certificate(kernel, TOO_MANY)
    limits.say(f"the kernel of every pair of {len(signed.rows)} rows")
    if rbf:
        return decide_rbf(signed, kernel, rel_gap, limits)
    try:
        return decide_poly(signed, kernel, rel_gap, quasi, limits)
    except UndecidedError as why:
        return unknown_certificate(kernel, str(why))


def certificate_of_run(
    signed: SignedRows, kernel: KernelSpace, witness: dict[int, int], alpha: dict[int, int]
) -> Certificate:
    """The certificate of a run: weights of sum zero, or a plane w = Σ α_j·z_j; ValueError if it is neither."""
    if len(signed.rows) > LARGEST_GRAM:
        raise ValueError(f"There is no proof of so many rows in a feature space: {TOO_MANY}.")
    space = Polynomial(signed, kernel) if kernel.name == "poly" else Gaussian(signed, kernel, PRECISIONS[0])
    if witness:
        if any(space.products([witness.get(k, 0) for k in range(len(signed.rows))])):
            raise ValueError(
                "The rows of the witness do not sum to zero: pass the rows and labels that the run was on."
            )
        return write_certificate(signed, Decision(witness=witness), "", kernel=kernel.to_dict())
    certificate = separable_certificate(signed, kernel, [alpha], space, 1.0)
    if certificate is None:
        raise ValueError("A row is not on its right side of the plane: pass the rows and labels that the run was on.")
    return certificate


def decide_poly(
    signed: SignedRows, kernel: KernelSpace, rel_gap: float, quasi: bool | None, limits: SearchLimits
) -> Certificate:
    """Everything in exact arithmetic on the rows of G."""
    space = Polynomial(signed, kernel)
    columns, seen = space.spanning_columns()
    rows = SignedRows(DataMatrix(seen, intercept=False), np.ones(len(seen), dtype=int))
    decision = decide_separability(rows, quasi, limits)
    alpha = {} if decision.plane is None else dict(zip(columns, rows.outer(decision.plane), strict=True))
    if alpha and not decision.witness:
        certificate = separable_certificate(signed, kernel, [nearest_weights(space), alpha], space, rel_gap)
        return certificate or unknown_certificate(kernel, "no plane was shown")
    if not decision.witness:
        return unknown_certificate(kernel, decision.open)
    if any(space.products([decision.witness.get(k, 0) for k in range(len(seen))])):
        raise UndecidedError("the rank of the kernel is in doubt")
    right = [] if decision.plane is None else right_rows(rows, decision.plane)
    plane = by_row(signed, alpha)
    return write_certificate(signed, decision, decision.open, plane, right=right, kernel=kernel.to_dict())


def decide_rbf(signed: SignedRows, kernel: KernelSpace, rel_gap: float, limits: SearchLimits) -> Certificate:
    """The classes separate; with balls around the entries of G it is seen how far."""
    for bits in PRECISIONS:
        if limits.over():
            return separable_by_theorem(kernel, "the time limit was reached before a plane was shown")
        space = Gaussian(signed, kernel, bits)
        tries = [nearest_weights(space), *(space.equal_score_plane() if len(signed.rows) <= FEW_ROWS else [])]
        if certificate := separable_certificate(signed, kernel, tries, space, rel_gap):
            return certificate
    return separable_by_theorem(kernel, f"exp in {PRECISIONS[-1]} bits is too coarse to show a plane")


def nearest_weights(space: Polynomial | Gaussian) -> dict[int, int]:
    """Weights of the point of least norm in the hull of the rows, from floats."""
    values, vectors = np.linalg.eigh(space.floats())
    return whole_weights(least_norm_weights(vectors * np.sqrt(values.clip(min=0.0))), np.arange(len(values)))


def separable_certificate(
    signed: SignedRows, kernel: KernelSpace, tries: list[dict[int, int]], space: Polynomial | Gaussian, rel_gap: float
) -> Certificate | None:
    """The certificate with the best plane and the best combination among some weights, if one of them separates."""
    planes, combinations = [], []
    for alpha in tries:
        p = [alpha.get(k, 0) for k in range(len(signed.rows))]
        scores = space.products(p)
        square = sum((a * b for a, b in zip(p, scores, strict=True) if a), Fraction(0))
        square += 2 * space.slack * sum(map(abs, p)) ** 2
        if min(scores) > 0:
            planes.append((min(scores) ** 2 / square, alpha))
        if min(p) >= 0:
            combinations.append((square / sum(p) ** 2, alpha))
    if not planes or not combinations:
        return None
    lo_squared, plane = max(planes, key=lambda pair: pair[0])
    hi_squared, best = min(combinations, key=lambda pair: pair[0])
    lo, hi, radius = root(lo_squared, up=False), root(hi_squared, up=True), root(space.longest, up=True)
    narrow = lo >= hi * (1 - Fraction(rel_gap))
    reason = "" if narrow else f"the margin's interval is wider than rel_gap={rel_gap:g}"
    margin = margin_claims(signed, lo, hi, radius, best)
    return write_certificate(signed, Decision(), reason, by_row(signed, plane), margin, kernel=kernel.to_dict())


def separable_by_theorem(kernel: KernelSpace, why: str) -> Certificate:
    """What is known without a proof that could be checked."""
    reason = BY_THEOREM.format(why)
    return Certificate("separable", reason=reason, overlap=False, margin=(0.0, np.inf), kernel=kernel.to_dict())


def unknown_certificate(kernel: KernelSpace, why: str) -> Certificate:
    """That nothing was proved, and why."""
    return Certificate("unknown", reason=why, kernel=kernel.to_dict())
