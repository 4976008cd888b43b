"""What was proved of the data, as an object."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .. import bounds
from ..errors import comma_list, finite_or_none, plural

Texts = tuple[str, str | None]
"""The label of the positive class, and of the negative one; None is all the rest."""


@dataclass(frozen=True)
class Record:
    """The end of a learner's run: weights under which every row is right, or a witness; and all its corrections."""

    texts: Texts
    intercept: bool
    weights: np.ndarray  # [w; b]
    witness: dict[int, float]
    counts: np.ndarray  # how often each row was corrected
    steps: np.ndarray  # how long a step its correction took; or one for all
    kernel: tuple[str, float, int, float] | None = None  # name, gamma, degree, coef0: w = Σ counts·steps·z


@dataclass(frozen=True)
class Certificate:
    """A verdict on whether two classes separate, with its proof; it never says more than was proved.

    Attributes
    ----------
    verdict : "separable": a plane has every row strictly on its right side; "quasi-separable": none has, but one has no
        row on its wrong side, and some on its right side; "inseparable": no plane has every row strictly on its
        right side; "unknown"
    reason : what stayed open, and why; else empty
    overlap : of inseparable data, True if it is proved that there is no quasi-separating plane either, None if that is
        not known; False otherwise, and None of "unknown"
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
    kernel : the kernel in whose feature space all of this is true, as the proof has it; None for the rows themselves
    proof : the proof itself, in the form of docs/certificate-format.md; a learner's certificate has none until
        ``proved`` makes it
    record : what a learner's run left to make the proof of

    All of it speaks of the augmented rows [x; 1] (or of x without an intercept).
    """

    verdict: str
    reason: str = ""
    overlap: bool | None = None
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
    kernel: dict[str, Any] | None = None
    proof: dict[str, Any] | None = None
    record: Record | None = field(default=None, repr=False, compare=False)

    def proved(self, X: Any = None, y: Any = None) -> "Certificate":
        """The certificate with its proof: itself or, after the run of a learner, made of the rows that it was on.

        The upper end of a run's margin is then what its numbers of corrections prove.
        """
        if self.proof is not None:
            return self
        if self.record is None or X is None or y is None:
            what = "which proves nothing that could be checked" if self.record is None else "pass the X and y it was on"
            raise ValueError(f"This certificate ({self.verdict}) holds no proof: {what}; certify(X, y) makes one.")
        from ..proofs.from_run import proved  # exact arithmetic, which a fit does not load

        found = proved(self.record, X, y)
        if found.verdict != self.verdict or found.margin[0] < self.margin[0]:
            raise ValueError(
                f"On these rows the margin is {found.margin[0]:g}, not {self.margin[0]:g}: pass those of the run."
            )
        return found

    def save(self, path: Any, X: Any = None, y: Any = None) -> None:
        """Write the proof as JSON; the certificate of a learner needs the rows and labels of its run."""
        Path(path).write_text(self.proved(X, y).json() + "\n", encoding="utf-8")

    def json(self) -> str:
        """The proof as JSON text."""
        return json.dumps(self.proved().proof, indent=1)

    def to_dict(self) -> dict[str, Any]:
        """What was proved, as JSON can hold it, without the proof: for programs that read the verdict."""
        lo, hi = self.margin
        plane = {} if self.coef is None else {"coef": self.coef.tolist(), "intercept": self.intercept.tolist()}
        return {
            "verdict": self.verdict,
            "reason": self.reason,
            "overlap": self.overlap,
            "margin": [finite_or_none(lo), finite_or_none(hi)],
            "radius": finite_or_none(self.radius),
            "mistake_bound": finite_or_none(self.mistake_bound),
            "witness": {str(row): str(weight) for row, weight in self.witness.items()},
            "rows": None if self.rows is None else self.rows.tolist(),
            "columns": [self.called(j) for j in self.columns],
            "collinear": [[self.called(j) for j in columns] for columns in self.collinear],
            "kernel": self.kernel,
            **plane,
        }

    @classmethod
    def load(cls, path: Any) -> "Certificate":
        """Read a proof; ``check`` tells whether it is true of some data."""
        from ..proofs.proof_json import certificate_from

        return certificate_from(json.loads(Path(path).read_text(encoding="utf-8")))

    def called(self, j: int) -> str:
        """The name of column j; of the one after the last, which is the intercept."""
        if self.names is None:
            return str(j)
        return self.names[j] if j < len(self.names) else "the intercept"

    def summary(self) -> str:
        """A few sentences for people.

        >>> print(Certificate("unknown", reason="the time limit was reached").summary())
        unknown: the time limit was reached
        """
        parts = [f"{self.verdict}: {getattr(self, '_' + self.verdict.replace('-', '_'))()}"]
        if self.kernel is not None:
            parts.append(f"all in the feature space of the {self.kernel['name']} kernel")
        if self.collinear:
            bound = "; ".join(comma_list(self.called(j) for j in columns) for columns in self.collinear[:5])
            parts.append(f"collinear columns: {bound}{'; …' if len(self.collinear) > 5 else ''}")
        if self.reason and self.verdict != "unknown":
            parts.append(self.reason)
        return "\n".join(parts)

    def _separable(self) -> str:
        lo, hi = self.margin
        return (
            f"a plane has every row on its right side with margin {lo:.6g} and none has more than {hi:.6g} "
            f"(radius {self.radius:.6g}); at most {self.mistake_bound * (1 + 1e-9):.6g} corrections are possible"
        )

    def _quasi_separable(self) -> str:
        where = f"{plural(len(self.columns), 'column')} ({comma_list(self.called(j) for j in self.columns)})"
        return (
            f"a plane{'' if self.kernel else ' in ' + where} has {plural(len(self.rows), 'row')} on the right side "
            "and all others on it, so logistic estimates are infinite; no plane has every row on its right side"
        )

    def _inseparable(self) -> str:
        proved = (
            f"{len(self.witness)} signed rows, taken with positive weights, sum to zero, so no plane has all rows on "
            "their right side"
        )
        if self.overlap:
            proved += "; none has rows on their right side and no row on the wrong one either (overlap)"
        return proved

    def _unknown(self) -> str:
        hi = self.margin[1]
        known = "" if hi == np.inf else f"; no plane has a margin above {hi:.6g} (radius {self.radius:.6g})"
        return self.reason + known


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

    def to_dict(self) -> list[dict[str, Any]]:
        """The certificates as JSON can hold them, each with its question."""
        return [{"question": question(key), **found.to_dict()} for key, found in self.items()]

    def summary(self) -> str:
        """A table with a line a question."""
        heads = ("classes", "verdict", "margin", "at most", "witness")
        lines = [heads]
        for key, found in self.items():
            name = question(key)
            lo, hi = (f"{v:.6g}" if found.verdict == "separable" else "" for v in found.margin)
            lines.append((name, found.verdict, lo, hi, f"{len(found.witness)} rows" if found.witness else ""))
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def question(key: Any) -> str:
    """A class against the rest, or a pair of classes, in words."""
    return f"{key[0]} against {key[1]}" if isinstance(key, tuple) else f"{key} against the rest"


def of_weights(
    weights: np.ndarray, unit: float, lowest: float, hi: float, radius: float, record: Any = None
) -> Certificate:
    """The certificate of weights under which every row is known to be right and no score was below ``lowest``."""
    length = float(np.linalg.norm(weights))
    rounding = bounds.rounding_of_score(length, radius, weights.shape[1])
    lo = max(lowest - rounding, 0.0) / length * (1 - weights.size * bounds.EPS)
    return Certificate(
        "separable",
        coef=weights[:, :-1],
        intercept=unit * weights[:, -1],
        margin=(lo, float(hi)),
        radius=radius,
        mistake_bound=bounds.novikoff(radius, lo),
        overlap=False,
        record=record,
    )
