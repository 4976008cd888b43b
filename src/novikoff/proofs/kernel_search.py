"""Proofs in the feature space of a kernel.

A plane that separates may be taken as w = Σ α_j·z_j, so Gordan's alternative is that of the rows of G: Gα > 0, or
p ≥ 0, p ≠ 0 with Gp = 0.  For a polynomial kernel G is rational and everything is exact.  For the rbf kernel exp is
enclosed in balls (FLINT's arb), and one theorem decides: on distinct rows G is positive definite (Micchelli 1986), so
the classes separate exactly when no two equal rows have different labels.
"""

from fractions import Fraction

import numpy as np

from ..certificates.certificate import Certificate, kernel_fields
from ..certificates.check import Gram, KernelSpace, RefusedError, WholeRow, over_one_denominator
from ..exact.floats import root
from ..exact.limits import SearchLimits, UndecidedError
from ..exact.ratios import ratios_of
from .feature_space import Gaussian, Polynomial
from .nearest_point import PLANE_BITS, least_norm_weights, on_grid, whole_weights
from .proof_json import by_row, margin_claims, write_certificate
from .quasi import Decision, decide_separability
from .question import DataMatrix
from .signed_rows import SignedRows

LARGEST_GRAM = 1000
"""Rows up to which a proof in a feature space is looked for."""
FEW_ROWS = 300
"""Rows up to which a system of balls is solved."""
PRECISIONS = (128, 512)
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
        return write_certificate(signed, Decision(witness=pair), NOT_CLAIMED, kernel=kernel_fields(kernel))
    if len(signed.rows) > LARGEST_GRAM:
        return separable_by_theorem(kernel, TOO_MANY) if rbf else unknown_certificate(kernel, TOO_MANY)
    limits.say(f"the kernel of every pair of {len(signed.rows)} rows")
    try:
        return (
            decide_rbf(signed, kernel, rel_gap, limits) if rbf else decide_poly(signed, kernel, rel_gap, quasi, limits)
        )
    except (UndecidedError, RefusedError) as why:
        return separable_by_theorem(kernel, str(why)) if rbf else unknown_certificate(kernel, str(why))


def certificate_of_run(
    signed: SignedRows, kernel: KernelSpace, witness: dict[int, int], alpha: dict[int, int]
) -> Certificate:
    """The certificate of a run: weights of sum zero, or a plane w = Σ α_j·z_j; ValueError if it is neither."""
    if len(signed.rows) > LARGEST_GRAM:
        raise ValueError(f"There is no proof of so many rows in a feature space: {TOO_MANY}.")
    gram = gram_of(signed, kernel)
    if witness:
        if gram.square(witness):
            raise ValueError(
                "The rows of the witness do not sum to zero: pass the rows and labels that the run was on."
            )
        return write_certificate(signed, Decision(witness=witness), "", kernel=kernel_fields(kernel))
    certificate = separable_certificate(signed, kernel, [alpha], gram, 1.0)
    if certificate is None:
        raise ValueError("A row is not on its right side of the plane: pass the rows and labels that the run was on.")
    return certificate


def decide_poly(
    signed: SignedRows, kernel: KernelSpace, rel_gap: float, quasi: bool | None, limits: SearchLimits
) -> Certificate:
    """Everything in exact arithmetic on the rows of G."""
    gram, space = gram_of(signed, kernel), Polynomial(signed, kernel)
    columns, seen = space.spanning_columns()
    rows = SignedRows(DataMatrix(ratios_of(seen), intercept=False), np.ones(len(seen), dtype=int))
    decision = decide_separability(rows, quasi, limits)
    alpha = {} if decision.plane is None else dict(zip(columns, rows.outer(decision.plane), strict=True))
    if alpha and not decision.witness:
        certificate = separable_certificate(signed, kernel, [nearest_weights(space), alpha], gram, rel_gap)
        return certificate or unknown_certificate(kernel, "no plane was shown")
    if not decision.witness:
        return unknown_certificate(kernel, decision.open)
    if any(space.products([decision.witness.get(k, 0) for k in range(len(seen))])):
        raise UndecidedError("the rank of the kernel is in doubt")
    plane = by_row(signed, alpha)
    return write_certificate(signed, decision, decision.open, plane, kernel=kernel_fields(kernel))


def decide_rbf(signed: SignedRows, kernel: KernelSpace, rel_gap: float, limits: SearchLimits) -> Certificate:
    """The classes separate; with balls around the entries of G it is seen how far."""
    gram, few = gram_of(signed, kernel), len(signed.rows) <= FEW_ROWS
    for bits in PRECISIONS if few else PRECISIONS[:1]:
        if limits.over():
            return separable_by_theorem(kernel, "the time limit was reached before a plane was shown")
        space = Gaussian(signed, kernel, bits)
        tries = [nearest_weights(space), *(space.equal_score_plane() if few else equal_scores(space.floats()))]
        if certificate := separable_certificate(signed, kernel, tries, gram, rel_gap):
            return certificate
    return separable_by_theorem(
        kernel, "none of the planes that were tried separates by more than the checker's exp is rounded"
    )


def nearest_weights(space: Polynomial | Gaussian) -> dict[int, int]:
    """Weights of the point of least norm in the hull of the rows, from floats."""
    values, vectors = np.linalg.eigh(space.floats())
    return whole_weights(least_norm_weights(vectors * np.sqrt(values.clip(min=0.0))), np.arange(len(values)))


def gram_of(signed: SignedRows, kernel: KernelSpace) -> Gram:
    """The products of the rows as the checker has them; RefusedError if it would take too long to compute them."""
    rows = {}
    for k, sign in enumerate(signed.signs.astype(int).tolist()):
        whole, over = over_one_denominator(signed.values(k))
        rows[k] = WholeRow(sign, {j: v for j, v in enumerate(whole) if v}, over)
    return Gram(kernel, bool(signed.data.intercept), rows, 3 * len(rows) ** 2)


def equal_scores(G: np.ndarray) -> list[dict[int, int]]:
    """The plane under which all rows have the same score, Gα = 1, as floats find it."""
    try:
        alpha = np.linalg.solve(G, np.ones(len(G)))
    except np.linalg.LinAlgError:
        return []
    return [dict(enumerate(on_grid(alpha, PLANE_BITS[-1])))]


def separable_certificate(
    signed: SignedRows, kernel: KernelSpace, tries: list[dict[int, int]], gram: Gram, rel_gap: float
) -> Certificate | None:
    """The certificate with the best plane and the best combination among some weights, if one of them separates.

    What is claimed is what the checker's own products prove.
    """
    planes, combinations = [], []
    for weights in tries:
        alpha = {k: v for k, v in weights.items() if v}
        margins = gram.combine(alpha)
        square = Fraction(gram.square(alpha, margins), gram.scale)
        least = min(total - off for total, off in margins.values())
        if least > 0:
            planes.append((Fraction(least, gram.scale) ** 2 / square, alpha))
        if min(alpha.values()) > 0:
            combinations.append((square / sum(alpha.values()) ** 2, alpha))
    if not planes or not combinations:
        return None
    lo_squared, plane = max(planes, key=lambda pair: pair[0])
    hi_squared, best = min(combinations, key=lambda pair: pair[0])
    radius = root(Fraction(gram.longest(), gram.scale), up=True)
    lo, hi = root(lo_squared, up=False), root(hi_squared, up=True)
    narrow = lo >= hi * (1 - Fraction(rel_gap))
    reason = "" if narrow else f"the margin's interval is wider than rel_gap={rel_gap:g}"
    margin = margin_claims(signed, lo, hi, radius, best)
    return write_certificate(signed, Decision(), reason, by_row(signed, plane), margin, kernel=kernel_fields(kernel))


def separable_by_theorem(kernel: KernelSpace, why: str) -> Certificate:
    """What is known without a proof that could be checked."""
    reason = BY_THEOREM.format(why)
    return Certificate("separable", reason=reason, overlap=False, margin=(0.0, np.inf), kernel=kernel_fields(kernel))


def unknown_certificate(kernel: KernelSpace, why: str) -> Certificate:
    """That nothing was proved, and why."""
    return Certificate("unknown", reason=why, kernel=kernel_fields(kernel))
