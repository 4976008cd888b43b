"""What was proved of the data, as an object."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from fractions import Fraction
from math import ceil, inf, log10, nextafter
from typing import Any

import numpy as np

from ..errors import aligned, comma_list, finite_or_none, number_text, plural
from ..exact.floats import MANTISSA, primitive
from ..language.translate import translated_part
from .check import Claim, KernelSpace
from .stored_proof import proof_read, proof_text, write_proof

LARGEST_POWER = 2**1023
"""The largest power of two that a float64 holds."""
RUN_ROUNDING = 1 + 1e-9
"""More than the numbers of a run are rounded by."""
CLAIMED = (
    *("verdict", "overlap", "coef", "intercept", "margin", "radius", "mistake_bound", "witness", "rows", "columns"),
    *("collinear", "names", "kernel", "plane", "rounded"),
)
"""What a certificate says that its proof must say as well."""
Texts = tuple[str, str | None]
"""The label of the positive class, and of the negative one; None is all the rest."""


@dataclass(frozen=True)
class RunRecord:
    """The end of a learner's run: weights under which every row is right, or a witness; and all its updates."""

    texts: Texts
    intercept: bool
    weights: np.ndarray  # [w; b]
    witness: dict[int, float]
    counts: Any  # how often each row was updated on; of many, a sparse matrix of one row
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
    coef, intercept : the plane of the proof in floats: it separates the classes, or has no row on the wrong side when
        they are quasi-separable, if it is not ``rounded``
    plane : the plane of the proof in whole numbers, {column: weight}, the intercept counted as the last column; with a
        kernel {row: weight}
    rounded : whether ``coef`` and ``intercept`` are not exactly a multiple of ``plane``; then a row very near to the
        plane may be on the other side of them
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

    All of it speaks of the augmented rows [x; 1] (or of x without an intercept).  In the certificate of a learner's run
    the lower end of the margin is rounded down, and the other numbers to the nearest float; its proof has them exactly.
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
    plane: dict[int, int] = field(default_factory=dict)
    rounded: bool = False
    proof: dict[str, Any] | None = None
    record: RunRecord | None = field(default=None, repr=False, compare=False)

    def proved(self, X: Any = None, y: Any = None) -> "Certificate":
        """The certificate with its proof: itself or, after the run of a learner, made of the rows that it was on.

        The upper end of a run's margin is then what its numbers of updates prove.
        """
        if self.proof is not None:
            self.hold_to(certificate_from(self.proof))
            return self
        if self.record is None or X is None or y is None:
            raise ValueError(f"This certificate ({self.verdict}) holds no proof: {self.why_no_proof()}.")
        from ..proofs.from_run import prove_run  # exact arithmetic, which a fit does not load

        proved = prove_run(self.record, X, y)
        self.hold_to(proved)
        return proved

    def why_no_proof(self) -> str:
        """What the verdict rests on, or how to have a proof made."""
        if self.record is None:
            return self.reason or "it proves nothing that could be checked; certify(X, y) makes one"
        return "pass the X and y it was on; certify(X, y) makes one"

    def hold_to(self, proved: "Certificate") -> None:
        """Raise if this certificate says other than its proof or, where it bounds something, more."""
        holds = {name: same(getattr(self, name), getattr(proved, name)) for name in CLAIMED}
        if self.proof is None:  # of a run, in floats, and silent on what a run does not look for
            (lo, hi), (least, most) = self.margin, proved.margin
            silent = Certificate(proved.verdict, kernel=proved.kernel)
            holds |= {name: holds[name] or same(getattr(self, name), getattr(silent, name)) for name in CLAIMED}
            silent_on_plane = self.coef is None and self.intercept is None
            holds["coef"] = holds["intercept"] = silent_on_plane or self.exact_plane() == proved.plane_list()
            holds["witness"] = not self.witness or in_proportion(self.witness, proved.witness)
            holds["margin"] = lo <= least and hi * RUN_ROUNDING >= most
            holds["radius"] = not self.radius * RUN_ROUNDING < proved.radius
            holds["mistake_bound"] = self.mistake_bound * RUN_ROUNDING >= proved.mistake_bound
        for name in (name for name, says_no_more in holds.items() if not says_no_more):
            own, other = getattr(self, name), getattr(proved, name)
            raise ValueError(f"the certificate says {name} {own}, but its proof says {other}")

    def exact_plane(self) -> list[int]:
        """coef and intercept as whole numbers without a common divisor."""
        return primitive([Fraction(float(v)) for v in (*self.coef.ravel(), *self.intercept.ravel())])

    def plane_list(self) -> list[int]:
        """The plane of the proof, by column and without a common divisor."""
        width = 1 + max(max(self.plane, default=0), self.coef.size if self.coef is not None else 0)
        return primitive([self.plane.get(j, 0) for j in range(width)])

    def save(self, path: Any, X: Any = None, y: Any = None) -> None:
        """Write the proof as JSON; the certificate of a learner needs the rows and labels of its run."""
        write_proof(path, self.proved(X, y).proof)

    def json(self) -> str:
        """The proof as JSON text."""
        return proof_text(self.proved().proof)

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
            "plane": {str(place): str(weight) for place, weight in self.plane.items()},
            "rounded": self.rounded,
        }

    @classmethod
    def load(cls, path: Any) -> "Certificate":
        """Read a proof; ``check`` tells whether it is true of some data."""
        with proof_read(path) as proof:
            return certificate_from(proof)

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
        if self.reason and self.reason not in parts[0]:
            parts.append(self.reason)
        return "\n".join(parts)

    def _separable(self) -> str:
        lo, hi = self.margin
        if not separable(self):
            return self.reason or "a plane has every row on its right side, with a margin smaller than float64 holds"
        none_above = f" and none has more than {at_most(hi)}" if np.isfinite(hi) else ""
        return (
            f"a plane has every row on its right side with margin {at_least(lo)}{none_above} "
            f"(radius {at_most(self.radius)}); a perceptron makes at most {self.most_updates()} updates"
        )

    def most_updates(self) -> str:
        """The mistake bound in words: a whole number, or a power of ten if it is beyond the floats."""
        if self.proof is None or np.isfinite(self.mistake_bound):
            return number_text(self.mistake_bound, at_most=True)
        bound = int(self.proof["margin"]["mistake_bound"], 0)
        return f"10^{ceil(bound.bit_length() * log10(2))}"

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
        known = "" if hi == np.inf else f"; no plane has a margin above {at_most(hi)} (radius {at_most(self.radius)})"
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
            lo, hi = (at_least(answer.margin[0]), at_most(answer.margin[1])) if separable(answer) else ("", "")
            witness = f"{len(answer.witness)} rows" if answer.witness else ""
            lines.append((question(key), answer.verdict, lo, hi, witness))
        return aligned(map(translated_part, line) for line in lines)


def separable(answer: Certificate) -> bool:
    """Whether a margin is proved; of rbf kernels a theorem may say that classes separate, and not by how much."""
    return answer.verdict == "separable" and answer.margin[0] > 0


def question(key: Any) -> str:
    """A class against the rest, or a pair of classes, in words."""
    return f"{key[0]} against {key[1]}" if isinstance(key, tuple) else f"{key} against the rest"


def certificate_from(proof: Any) -> Certificate:
    """The object of a proof, which says what the proof claims, in numbers read as the checker reads them.

    ValueError if it is not written as the format has it.  Whether it is true of some data is not checked here.
    """
    return certificate_of_claim(Claim(proof), proof)


def certificate_of_claim(claim: Claim, proof: dict[str, Any], reason: str = "") -> Certificate:
    """The object of a claim and the proof that it was read from."""
    separable, quasi = claim.verdict == "separable", claim.verdict == "quasi-separable"
    linear = bool(claim.plane) and claim.kernel is None
    weights, exact = floats_of(claim.plane, claim.columns + 1) if linear else (np.empty(0), True)
    return Certificate(
        claim.verdict,
        reason=reason,
        overlap=bool(claim.rest) or None if claim.verdict == "inseparable" else False,
        coef=weights[None, : claim.columns] if linear else None,
        intercept=weights[claim.columns :] if linear else None,
        margin=(lower(claim.lo), upper(claim.hi)) if separable else (-np.inf, 0.0),
        radius=upper(claim.radius) if separable else np.nan,
        mistake_bound=upper(Fraction(claim.bound)) if separable else np.inf,
        witness=claim.witness,
        rows=np.array(claim.rows, dtype=int) if quasi else None,
        columns=sorted(j for j in claim.plane if j < claim.columns) if quasi and linear else [],
        collinear=[sorted(relation) for relation in claim.collinear],
        names=claim.names,
        kernel=proof["kernel"],
        plane=claim.plane,
        rounded=not exact,
        proof=proof,
    )


def kernel_fields(kernel: KernelSpace) -> dict[str, Any]:
    """A kernel as a proof has it."""
    return kernel._asdict() | {"gamma": str(kernel.gamma), "coef0": str(kernel.coef0)}


def floats_of(plane: dict[int, int], width: int) -> tuple[np.ndarray, bool]:
    """Whole numbers as floats, divided by a power of two if they are too large, and whether they are exact."""
    longest = max(v.bit_length() for v in plane.values())
    over, floats = 2 ** max(longest - MANTISSA, 0), np.zeros(width)
    for j, v in plane.items():
        floats[j] = v / over
    return floats, all(Fraction(floats[j]) * over == v for j, v in plane.items())


def lower(value: Fraction) -> float:
    """A float that is not above.

    >>> Fraction(lower(Fraction(1, 10))) <= Fraction(1, 10) < Fraction(0.1)
    True
    """
    near = float(value) if value < LARGEST_POWER else float(LARGEST_POWER)
    return near if near <= value else nextafter(near, -inf)


def upper(value: Fraction) -> float:
    """A float that is not below."""
    near = float(value) if value < LARGEST_POWER else inf
    return near if near >= value else nextafter(near, inf)


def at_least(value: float) -> str:
    """Six digits that are not above.

    >>> at_least(1 / 3), at_most(1 / 3)
    ('0.333333', '0.333334')
    """
    return six_digits(value, ROUND_FLOOR)


def at_most(value: float) -> str:
    """Six digits that are not below."""
    return six_digits(value, ROUND_CEILING)


def six_digits(value: float, rounding: str) -> str:
    """A float in six digits, rounded one way."""
    return f"{float(Context(prec=6, rounding=rounding).create_decimal_from_float(value)):.6g}"


def in_proportion(a: dict[Any, Any], b: dict[Any, Any]) -> bool:
    """Whether the weights of two witnesses are the same but for a factor."""
    ratios = {Fraction(a[row]) / Fraction(b[row]) for row in a if row in b}
    return a.keys() == b.keys() and len(ratios) == 1 and min(ratios) > 0


def same(a: Any, b: Any) -> bool:
    """Whether two fields say the same."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.shape == b.shape and bool((a == b).all())
    return type(a) is type(b) and (a == b or (a != a and b != b))
