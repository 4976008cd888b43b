"""Overlap, proved in one step: rows that span all rows, balanced by others.

If positive weights of some rows that span all sum to zero together with positive weights of others, every β with no
z·β < 0 is zero on them, and so on all rows.  Floats find such rows, whole numbers decide.
"""

from contextlib import suppress
from fractions import Fraction

import numpy as np
from scipy.linalg import qr
from scipy.optimize import nnls

from ..exact.floats import exponents, primitive
from ..exact.limits import NotTiedError
from ..exact.linalg import coefficients
from ..proofs.quasi import Decision, cover_of
from ..proofs.signed_rows import NO_LENGTH, SignedRows

SAMPLES = 12, 50
"""Rows per column in the samples that are tried before all rows."""
WIDEST = 300
"""Columns up to which this is tried."""
NUMBERS = 2**22
"""Rows times columns up to which all rows are tried."""
BALANCED = 1e-9
"""What may be left, in parts of what is balanced."""
DEPENDENT = 1e-7
"""A row is taken to depend on others if it is, but for this part, in their span."""
STEPS = 10
"""Steps of the balancing, in units of the number of columns."""


def overlap_in_one_step(signed: SignedRows) -> Decision | None:
    """The proof that all rows are tied, if it is found in this way."""
    n, width = len(signed.rows), signed.width
    if width > WIDEST or n <= width:
        return None
    sizes = [count for per_column in SAMPLES if (count := per_column * width) < n]
    for count in [*sizes, *[n] * (n * width <= NUMBERS)]:
        witness = balanced_weights(signed, sample(signed.signs, count))
        with suppress(NotTiedError):  # the sample may not span all rows
            if witness is not None:
                return Decision(None, witness, *cover_of(signed, [witness], np.arange(n)))
    return None


def sample(signs: np.ndarray, count: int) -> np.ndarray:
    """Places of so many rows: half of them of either sign, or all that there are of one."""
    few, many = sorted((np.flatnonzero(signs > 0), np.flatnonzero(signs < 0)), key=len)
    first = spread(few, min(len(few), count // 2))
    return np.sort(np.concatenate([first, spread(many, min(len(many), count - len(first)))]))


def spread(places: np.ndarray, count: int) -> np.ndarray:
    """So many of the places, evenly."""
    return places[np.linspace(0, len(places) - 1, count, dtype=int)] if count else places[:0]


def balanced_weights(signed: SignedRows, places: np.ndarray) -> dict[int, int] | None:
    """Positive weights of sum zero for some of the rows, among them rows that span all of these; None if not found."""
    F = signed.floats[places]
    Z = np.asarray(F.toarray() if hasattr(F, "toarray") else F) * signed.signs[places, None]
    Z = Z / (np.sqrt((Z * Z).mean(axis=0)) + NO_LENGTH)
    powers = exponents(np.linalg.norm(Z, axis=1))
    Z = np.ldexp(Z, -powers[:, None])
    _, R, order = qr(Z.T, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(R))
    if not diagonal[0]:  # rows of zeros, which the general search decides
        return None
    spanning = order[: int((diagonal > DEPENDENT * diagonal[0]).sum())]
    try:
        p, left = nnls(Z.T, -Z[spanning].sum(axis=0), maxiter=STEPS * Z.shape[1])
    except RuntimeError:  # it came to no end
        return None
    if left > BALANCED * len(spanning):
        return None
    return exact_balance(signed, places, spanning, np.flatnonzero(p), powers)


def exact_balance(
    signed: SignedRows, places: np.ndarray, spanning: np.ndarray, others: np.ndarray, powers: np.ndarray
) -> dict[int, int] | None:
    """The same in whole numbers: the rows that span have weights by their lengths, the others are solved for."""
    lowest = powers[spanning].max()
    fixed = {int(places[k]): 1 << int(lowest - powers[k]) for k in spanning}
    total = [0] * signed.width
    for weight, row in zip(fixed.values(), signed.integers(fixed), strict=True):
        total = [a - weight * v for a, v in zip(total, row, strict=True)]
    try:
        (added,) = coefficients(signed.integers(places[others]), [total])
    except NotTiedError:
        return None
    if min(added, default=-1) < 0:
        return None
    weights: dict[int, Fraction | int] = dict(fixed.items())
    for place, more in zip(places[others].tolist(), added, strict=True):
        if more:
            weights[place] = weights.get(place, 0) + more
    return dict(zip(weights, primitive(list(weights.values())), strict=True))
