"""What was proved of the data, as an object."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import comma_list, finite_or_none, plural
from ..exact.floats import WHOLE, lower, upper

NOT_LESS = 1 + 1e-9
"""Six digits of a bound so much larger are not below it where it is a short number."""
Texts = tuple[str, str | None]
"""The label of the positive class, and of the negative one; None is all the rest."""


@dataclass(frozen=True)
class RunRecord:
    """The end of a learner's run: weights under which every row is right, or a witness; and all its updates."""

    texts: Texts
    intercept: bool
    weights: np.ndarray  # [w; b]
    witness: dict[int, float]
    counts: np.ndarray  # how often each row was updated on
    steps: np.ndarray  # how long a step its updates took; or one for all
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
    margin : (lo, hi), between which the largest margin of any plane lies; lo ≤ 0 when none is known to separate
    radius : the length of the longest row
    mistake_bound : the most updates that any perceptron run from zero can take, radius² / lo²
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
    record: RunRecord | None = field(default=None, repr=False, compare=False)

    def proved(self, X: Any = None, y: Any = None) -> "Certificate":
        """The certificate with its proof: itself or, after the run of a learner, made of the rows that it was on.

        The upper end of a run's margin is then what its numbers of updates prove.
        """
        if self.proof is not None:
            return self
        if self.record is None or X is None or y is None:
            what = "which proves nothing that could be checked" if self.record is None else "pass the X and y it was on"
            raise ValueError(f"This certificate ({self.verdict}) holds no proof: {what}; certify(X, y) makes one.")
        from ..proofs.from_run import prove_run  # exact arithmetic, which a fit does not load

        proved = prove_run(self.record, X, y)
        if proved.verdict != self.verdict or proved.margin[0] < self.margin[0]:
            raise ValueError(
                f"On these rows the margin is {proved.margin[0]:g}, not {self.margin[0]:g}: pass those of the run."
            )
        return proved

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
            f"(radius {self.radius:.6g}); at most {self.mistake_bound * NOT_LESS:.6g} updates are possible"
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

    def __init__(self, answers: dict[Any, Certificate]) -> None:
        self.answers = answers

    def __getitem__(self, key: Any) -> Certificate:
        return self.answers[key]

    def __iter__(self) -> Any:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)

    def to_dict(self) -> list[dict[str, Any]]:
        """The certificates as JSON can hold them, each with its question."""
        return [{"question": question(key), **answer.to_dict()} for key, answer in self.items()]

    def summary(self) -> str:
        """A table with one line per question."""
        heads = ("classes", "verdict", "margin", "at most", "witness")
        lines = [heads]
        for key, answer in self.items():
            lo, hi = (f"{v:.6g}" if answer.verdict == "separable" else "" for v in answer.margin)
            witness = f"{len(answer.witness)} rows" if answer.witness else ""
            lines.append((question(key), answer.verdict, lo, hi, witness))
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def question(key: Any) -> str:
    """A class against the rest, or a pair of classes, in words."""
    return f"{key[0]} against {key[1]}" if isinstance(key, tuple) else f"{key} against the rest"


def certificate_from(proof: dict[str, Any], reason: str = "") -> Certificate:
    """The object of a proof; it says what the proof claims, which is not checked here."""
    d, kernel, verdict = proof["data"]["columns"], proof["kernel"], proof["verdict"]
    plane = vector_of(proof["plane"])
    known, collinear = bool(plane) and kernel is None, proof["collinear"]
    weights = floats_of([plane.get(j, 0) for j in range(d + 1)]) if known else np.empty(0)
    stated = proof["margin"] or {"lo": "0", "hi": "0", "radius": "0", "mistake_bound": "0"}
    lo, hi, radius, bound = (fraction_of(stated[name]) for name in ("lo", "hi", "radius", "mistake_bound"))
    covered, separable = proof["cover"]["rest"] != "0", verdict == "separable"
    return Certificate(
        verdict,
        reason=reason,
        overlap=covered or None if verdict == "inseparable" else False,
        coef=weights[None, :d] if known else None,
        intercept=weights[d:] if known else None,
        margin=(lower(lo), upper(hi)) if separable else (-np.inf, 0.0),
        radius=upper(radius) if separable else np.nan,
        mistake_bound=upper(bound) if separable else np.inf,
        witness=vector_of(proof["witness"]),
        rows=np.array(proof["rows"], dtype=int) if verdict == "quasi-separable" else None,
        columns=sorted(j for j in plane if j < d) if verdict == "quasi-separable" and kernel is None else [],
        collinear=[sorted(map(int, relation)) for relation in collinear],
        names=proof["names"],
        kernel=kernel,
        proof=proof,
    )


def vector_of(texts: dict[str, str]) -> dict[int, int]:
    """{place: number} of a proof."""
    return {int(place): int(text, 0) for place, text in texts.items()}


def floats_of(plane: list[int]) -> np.ndarray:
    """Whole numbers as floats, brought below 1 if they are too large to be exact."""
    largest = max(map(abs, plane))
    return np.array([float(Fraction(v, largest if largest > WHOLE else 1)) for v in plane])


def fraction_of(text: str) -> Fraction:
    """A fraction from its text."""
    return Fraction(*(int(part, 0) for part in text.split("/")))
