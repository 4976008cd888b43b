"""What was proved of the data, as an object."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..theory import bounds
from .exact import PATIENCE, combination


@dataclass(frozen=True)
class Certificate:
    """A verdict on whether two classes separate, with its proof; it never says more than was proved.

    Attributes
    ----------
    verdict : "separable", "inseparable" or "unknown"
    reason : why a verdict is "unknown", else empty
    coef, intercept : a plane that separates the classes, when they are separable
    margin : (lo, hi), between which the largest margin of any plane lies; lo ≤ 0 when none was found
    radius : the length of the longest row
    mistake_bound : the most corrections that any perceptron run from zero can take, radius² / lo²
    witness : when inseparable, {row: weight} with positive weights under which the signed rows sum to zero; in the
        joint multi-class geometry {(row, rival class number): weight}

    All of it speaks of the augmented rows [x; 1] (or of x without an intercept).
    """

    verdict: str
    reason: str = ""
    coef: Any = None
    intercept: Any = None
    margin: tuple[float, float] = (-np.inf, np.inf)
    radius: float = np.nan
    mistake_bound: float = np.inf
    witness: dict[Any, float] = field(default_factory=dict)

    def summary(self) -> str:
        """One or two sentences for people.

        >>> print(Certificate("inseparable", witness={0: 1.0, 3: 1.0}).summary())
        inseparable: 2 signed rows, taken with positive weights, sum to zero, so no plane has all on its right side
        """
        lo, hi = self.margin
        if self.verdict == "separable":
            return (
                f"separable: a plane has every row on its right side with margin {lo:.6g} and none has more than "
                f"{hi:.6g} (radius {self.radius:.6g}); "
                f"at most {self.mistake_bound * (1 + 1e-9):.0f} corrections are possible"
            )
        if self.verdict == "inseparable":
            return (
                f"inseparable: {len(self.witness)} signed rows, taken with positive weights, sum to zero, "
                "so no plane has all on its right side"
            )
        return f"unknown: {self.reason}; no plane has a margin above {hi:.6g} (radius {self.radius:.6g})"


def of_weights(
    X: Any, signs: np.ndarray | None, weights: np.ndarray, unit: float, lowest: float, hi: float, radius: float
) -> Certificate:
    """The certificate of weights that made no mistake in a pass, none of whose scores was below ``lowest``.

    Rows within rounding of the plane are checked exactly; without signs (the joint geometry) they leave it open.
    """
    length, d = float(np.linalg.norm(weights)), weights.shape[1]
    rounding = bounds.rounding_of_score(length, radius, d)
    if lowest <= rounding and (signs is None or not doubtful_rows_hold(X, signs, weights[0], unit, rounding)):
        reason = "rounding leaves open on which side of the plane some rows are"
        return Certificate("unknown", reason=reason, margin=(-np.inf, hi), radius=radius)
    lo = max(lowest - rounding, 0.0) / length * (1 - weights.size * bounds.UNIT)
    return Certificate(
        "separable",
        coef=weights[:, :-1],
        intercept=unit * weights[:, -1],
        margin=(lo, hi),
        radius=radius,
        mistake_bound=bounds.novikoff(radius, lo),
    )


def doubtful_rows_hold(X: Any, signs: np.ndarray, w: np.ndarray, unit: float, rounding: float) -> bool:
    """Whether the rows whose computed score is within rounding of zero are, exactly, on their right side."""
    scores = signs * (X @ w[:-1] + unit * w[-1])
    doubtful = np.flatnonzero(scores <= 2 * rounding)
    if len(doubtful) * len(w) > PATIENCE:
        return False
    for i in doubtful:
        x = X[i].toarray().ravel() if sp.issparse(X) else X[i]
        if signs[i] * combination((*x, unit), w) <= 0:
            return False
    return True
