"""What was proved of the data, as an object."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..theory import bounds


@dataclass(frozen=True)
class Certificate:
    """A verdict on whether two classes separate, with its proof; it never says more than was proved.

    Attributes
    ----------
    verdict : "separable", "quasi-separable", "inseparable" or "unknown"; from a run of a learner "inseparable"
        means that no plane has every row strictly on its right side, so quasi-separation is not excluded
    reason : why a verdict is "unknown" or an interval wide, else empty
    coef, intercept : a plane that separates the classes, or has no row on the wrong side when they are quasi-separable
    margin : (lo, hi), between which the largest margin of any plane lies; lo ≤ 0 when none was found
    radius : the length of the longest row
    mistake_bound : the most corrections that any perceptron run from zero can take, radius² / lo²
    witness : when not separable, {row: weight} with positive weights under which the signed rows sum to zero; in the
        joint multi-class geometry {(row, rival class number): weight}
    rows, columns : when quasi-separable, the rows strictly on their right side of the plane (no plane has more of them,
        the others lie on it), and the columns with a weight in it: they make logistic estimates infinite
    collinear : sets of columns bound by a linear relation in all rows, the intercept counted as the last
    names : the names of the columns, if they have any
    proof : the proof itself, in the form of docs/certificate-format.md

    All of it speaks of the augmented rows [x; 1] (or of x without an intercept).
    """

    verdict: str
    reason: str = ""
    coef: Any = None
    intercept: Any = None
    margin: tuple[float, float] = (-np.inf, np.inf)
    radius: float = np.nan
    mistake_bound: float = np.inf
    witness: dict[Any, Any] = field(default_factory=dict)
    rows: Any = None
    columns: list[int] = field(default_factory=list)
    collinear: list[list[int]] = field(default_factory=list)
    names: list[str] | None = None
    proof: dict[str, Any] | None = None

    def save(self, path: Any) -> None:
        """Write the proof as JSON."""
        if self.proof is None:
            raise ValueError("This certificate holds no proof to save: make one with certify(X, y).")
        Path(path).write_text(json.dumps(self.proof, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Any) -> "Certificate":
        """Read a proof; ``check`` tells whether it is true of some data."""
        from .reading import certificate_from

        return certificate_from(json.loads(Path(path).read_text(encoding="utf-8")))

    def called(self, j: int) -> str:
        """The name of column j."""
        if self.names is None:
            return str(j)
        return self.names[j] if j < len(self.names) else "the intercept"

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
        if self.verdict == "quasi-separable":
            return (
                f"quasi-separable: a plane in {counted(self.columns, 'column')} "
                f"({listed(self.called(j) for j in self.columns)}) has {counted(self.rows, 'row')} on the right side "
                "and all others on it, so logistic estimates are infinite; no plane has every row on its right side"
            )
        if self.verdict == "inseparable":
            return (
                f"inseparable: {len(self.witness)} signed rows, taken with positive weights, sum to zero, "
                "so no plane has all on its right side"
            )
        if hi == np.inf:
            return f"unknown: {self.reason}"
        return f"unknown: {self.reason}; no plane has a margin above {hi:.6g} (radius {self.radius:.6g})"


class Certificates(Mapping[Any, Certificate]):
    """Certificates by class ("ovr"), or by pair of classes ("ovo")."""

    def __init__(self, found: dict[Any, Certificate]) -> None:
        self.found = found

    def __getitem__(self, key: Any) -> Certificate:
        return self.found[key]

    def __iter__(self) -> Any:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def summary(self) -> str:
        """A table with a line a question."""
        heads = ("classes", "verdict", "margin", "at most", "witness")
        lines = [heads]
        for key, found in self.items():
            name = f"{key[0]} against {key[1]}" if isinstance(key, tuple) else f"{key} against the rest"
            lo, hi = (f"{v:.6g}" if found.verdict == "separable" else "" for v in found.margin)
            lines.append((name, found.verdict, lo, hi, f"{len(found.witness)} rows" if found.witness else ""))
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def counted(things: Any, word: str) -> str:
    """How many there are, in words."""
    return f"{len(things)} {word}{'' if len(things) == 1 else 's'}"


def listed(names: Any, most: int = 10) -> str:
    """Names with commas, the first few."""
    names = list(names)
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def of_weights(weights: np.ndarray, unit: float, lowest: float, hi: float, radius: float) -> Certificate:
    """The certificate of weights under which every row is known to be right and no score was below ``lowest``."""
    length = float(np.linalg.norm(weights))
    rounding = bounds.rounding_of_score(length, radius, weights.shape[1])
    lo = max(lowest - rounding, 0.0) / length * (1 - weights.size * bounds.UNIT)
    return Certificate(
        "separable",
        coef=weights[:, :-1],
        intercept=unit * weights[:, -1],
        margin=(lo, hi),
        radius=radius,
        mistake_bound=bounds.novikoff(radius, lo),
    )
