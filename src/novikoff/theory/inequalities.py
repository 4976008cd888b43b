"""The proofs of the notes as chains of inequalities, each term with its number in a run."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from .. import bounds
from ..learners.features import SlackEmbedding
from ..learners.margin import PARTS
from .measured_run import MeasuredRun

ROUNDING = 1e-9
"""Both sides of an inequality are sums of floats: it holds if it does up to this part of them."""


@dataclass(frozen=True)
class Line:
    """A term of a chain, and how it stands to the term before it: "≤", "≥", "=", or nothing where a chain begins."""

    relation: str
    term: str
    value: float
    reason: str = ""
    slack: float = math.nan
    holds: bool = True


@dataclass(frozen=True)
class InequalityChain:
    """A chain of inequalities, for one claim of the notes."""

    claim: str
    title: str
    lines: tuple[Line, ...]

    @property
    def holds(self) -> bool:
        """Whether every inequality does."""
        return all(line.holds for line in self.lines)

    def __str__(self) -> str:
        heads = [("", "", "value", "slack", "", "")]
        cells = [
            (line.relation, line.term, f"{line.value:.6g}", *verdict_cells(line), line.reason and f"({line.reason})")
            for line in self.lines
        ]
        widths = [max(len(row[k]) for row in heads + cells) for k in range(6)]
        body = ["  ".join(aligned_cells(row, widths)).rstrip() for row in heads + cells]
        return "\n".join([f"{self.claim}  {self.title}", *body])


def bound_on_updates(run: MeasuredRun) -> float:
    """How many updates the theorem of the rule allows along the plane that was measured; infinite where none speaks."""
    r, rho = run.radius, run.margin
    if run.theorem == "novikoff":
        return bounds.novikoff(r, rho, run.start_length, run.steps.min(initial=1.0), run.steps.max(initial=1.0))
    asked = run.trace.parameters["margin"]
    if run.start_length or not run.equal or (asked is not None and too_narrow(run, asked)):
        return math.inf
    return bounds.growing_margin(r, rho, PARTS) if asked is None else bounds.margin_perceptron(r, asked)


def too_narrow(run: MeasuredRun, asked: float) -> bool:
    """Whether the plane has less than the margin ρ that the learner asks for."""
    return run.margin * (1 + ROUNDING) < asked


def rule_chains(run: MeasuredRun) -> Iterable[InequalityChain]:
    """The chains for the rule of the run, and the cosine where it has a floor."""
    if run.theorem == "novikoff":
        yield novikoff_chain(run)
        yield cosine_chain(run)
        return
    if run.start_length:
        run.notes.append("The run began with weights that are not zero, of which the margin chain does not speak.")
        return
    asked = run.trace.parameters["margin"]
    if not run.equal:
        run.notes.append(
            "The rows have different weights, so the margin chain of the notes does not speak of this run."
        )
    elif asked is None:
        yield dynamic_margin_chain(run)
    elif too_narrow(run, asked):
        run.notes.append(
            f"The margin chain asks for a plane with the margin ρ = {asked:g}, and the plane here has {run.margin:.6g}."
        )
    else:
        yield margin_chain(run, asked)


def novikoff_chain(run: MeasuredRun) -> InequalityChain:
    """C10: M·ρ ≤ Σ y·(v·x) ≤ ‖Σ y·x‖ = ‖w‖/η = √Σ(‖w_t‖² − ‖w_{t−1}‖²)/η ≤ √Σ‖x‖² ≤ √(M·r²).

    From weights w₀ that are not zero ‖Σ y·x‖ ≤ ‖w₀‖/η + ‖w‖/η, and ‖w₀‖² stands below the roots.
    """
    rho, start = run.margin, run.start_length
    last = "(r² + 2‖w₀‖·ρ/η)/ρ²" if start else "r²/ρ²" if run.equal else "r²/ρ²·(longest s)/(shortest s)"
    return InequalityChain(
        "C10",
        "Novikoff's theorem" + ("" if run.equal else ", with steps s"),
        term_lines(
            ("", "M·ρ" if run.equal else "Σ s·ρ", run.step_sum * rho, ""),
            *plane_terms(run),
            *length_terms(run),
            ("", "M", len(run.one), ""),
            (
                "≤",
                last,
                bound_on_updates(run),
                "so, r² times the longest s, ρ² the shortest" if start and not run.equal else "so",
            ),
        ),
    )


def plane_terms(run: MeasuredRun) -> list[tuple[str, str, float, str]]:
    """The half of the chain that is about the plane."""
    along = float(run.along[-1]) if len(run.along) else 0.0
    return [
        ("≤", "Σ y·(v·x)" if run.equal else "Σ s·y·(v·x)", along, "every row has the margin ρ along v"),
        ("≤", "‖v‖·‖Σ y·x‖", run.sum_length, "Cauchy–Schwarz"),
    ]


def length_terms(run: MeasuredRun) -> list[tuple[str, str, float, str]]:
    """The half of the chain that is about the length of the weights, true of separable data or not."""
    squares = run.steps**2
    short = "Σ‖x‖²" if run.equal else "Σ s²·‖x‖²"
    if run.start_length:
        return length_terms_from(run, short)
    return [
        ("=", "‖w‖/η", run.last_length, "w is the sum of the updates"),
        ("=", "√Σ(‖w_t‖² − ‖w_{t−1}‖²)/η", float(run.lengths[-1]), "each step adds 2η·y·(w·x) + η²·‖x‖²"),
        ("≤", f"√{short}", math.sqrt(squares @ run.squared_rows), "updated only while y·(w·x) ≤ 0"),
        (
            "≤",
            "√(M·r²)" if run.equal else "√(Σ s²·r²)",
            float(run.longest[-1]),
            "no row is longer than r",
        ),
    ]


def length_terms_from(run: MeasuredRun, short: str) -> list[tuple[str, str, float, str]]:
    """The same for a run from weights w₀ that are not zero."""
    start, squares = run.start_length, run.steps**2
    before_last = math.sqrt(start**2 + squares @ run.squared_rows)
    longest = "M·r²" if run.equal else "Σ s²·r²"
    return [
        ("≤", "‖w₀‖/η + ‖w‖/η", start + run.last_length, "w − w₀ is the sum of the updates"),
        ("=", "‖w₀‖/η + √(‖w₀‖² + Σ(‖w_t‖² − ‖w_{t−1}‖²))/η", start + float(run.lengths[-1]), "step by step"),
        ("≤", f"‖w₀‖/η + √(‖w₀‖²/η² + {short})", start + before_last, "updated only while y·(w·x) ≤ 0"),
        ("≤", f"‖w₀‖/η + √(‖w₀‖²/η² + {longest})", start + float(run.longest[-1]), "no row is longer than r"),
    ]


def length_chain(run: MeasuredRun) -> InequalityChain:
    """What is true without a plane."""
    if run.theorem != "novikoff":
        raise ValueError("The chain of the margin perceptron needs a plane that separates: give one as reference.")
    start = ("", "‖Σ y·x‖", run.sum_length, "")
    return InequalityChain(
        "C10", "the half of Novikoff's chain that needs no plane", term_lines(start, *length_terms(run))
    )


def cosine_chain(run: MeasuredRun) -> InequalityChain:
    """C19: cos(v, w_t) ≥ √t·ρ/r for every t, of which the closest and the last are shown.

    From weights w₀ that are not zero v·w_t may be ‖w₀‖ less, and ‖w₀‖² stands below the root; before ρ·Σs exceeds
    ‖w₀‖/η nothing is said of the angle.
    """
    floor, why = ("√t·ρ/r", "grows with √t") if run.equal else ("ρ·Σs/(r·√Σs²)", "as the steps add up")
    if run.start_length:
        floor, why = "(ρ·Σs − ‖w₀‖/η)/√(‖w₀‖²/η² + r²·Σs²)", "−1 until ρ·Σs exceeds ‖w₀‖/η"
    places = {"the closest of all": int(np.argmin(run.cosines - run.floors)), "the last": len(run.cosines) - 1}
    lines = []
    for name, t in places.items():
        lines += [
            ("", f"cos(v, w_t) at t = {t + 1}, {name}", float(run.cosines[t]), ""),
            ("≥", floor, float(run.floors[t]), why),
        ]
    return InequalityChain("C19", "the angle to the best plane", term_lines(*lines))


def margin_chain(run: MeasuredRun, rho: float) -> InequalityChain:
    """C13: while y·(w·x)/‖w‖ < ρ/2, ‖w_t‖ grows by at most 3ρ/4 once it is 4r²/ρ long, and M·ρ ≤ ‖w_M‖."""
    r, M, w = run.radius, len(run.one), run.lengths
    before, after = w[:-1], w[1:]
    growth, both = after - before - rho / 2, after + before
    slacks = r**2 / both - growth
    t = int(np.argmin(slacks))
    long = np.flatnonzero(np.maximum(before, after) >= 4 * r**2 / rho)
    lines = [
        ("", "M·ρ", M * rho, ""),
        *plane_terms(run),
        ("=", "‖w_M‖", run.last_length, "w is the sum of the updates"),
        ("≤", "4r²/ρ + 3Mρ/4", float(run.longest[-1]), "by the lines below"),
        ("", f"‖w_t‖ − ‖w_t−1‖ − ρ/2 at t = {t + 1}, the closest of all", float(growth[t]), ""),
        ("≤", "r²/(‖w_t‖ + ‖w_t−1‖)", float(r**2 / both[t]), "updated only while y·(w·x) < ρ/2·‖w‖"),
    ]
    if len(long):
        k = long[np.argmax(after[long] - before[long])]
        lines += [
            ("", f"‖w_t‖ − ‖w_t−1‖ at t = {k + 1}, the largest beyond 4r²/ρ", float(after[k] - before[k]), ""),
            ("≤", "3ρ/4", 3 * rho / 4, "one of both lengths is at least 4r²/ρ"),
        ]
    lines += [("", "M", M, ""), ("≤", "16r²/ρ²", bound_on_updates(run), "so")]
    if run.one.status == "separated" and run.one.made == M:
        lines += [("", "margin reached", run.margin_reached(), ""), ("≥", "ρ/2", rho / 2, "no row asks for an update")]
    return InequalityChain("C13", "the margin perceptron", term_lines(*lines))


def dynamic_margin_chain(run: MeasuredRun) -> InequalityChain:
    """M·ρ ≤ ‖w‖ ≤ r·√(3M) for the rule that finds its own margin."""
    M = len(run.one)
    return InequalityChain(
        "C13",
        "the margin perceptron that finds its margin",
        term_lines(
            ("", "M·ρ", M * run.margin, ""),
            *plane_terms(run),
            ("=", "‖w_M‖", run.last_length, "w is the sum of the updates"),
            ("≤", "√(3M·r²)", float(run.longest[-1]), "updated only while y·(w·x) ≤ ‖w‖²/3M"),
            ("", "M", M, ""),
            ("≤", "3r²/ρ²", bound_on_updates(run), "so"),
        ),
    )


def slack_chain(run: MeasuredRun, embedding: SlackEmbedding) -> InequalityChain:
    """C15: the embedded rows have the margin ρ/Z, none is longer than √(r² + A²), and A² = r·δ gives (r + δ)²/ρ².

    Of any other A the bound is larger.
    """
    r, rho, delta, A = embedding.radius_, embedding.margin_, embedding.slack_, embedding.amplitude_
    Z = math.sqrt(1 + (delta / A) ** 2) if A else 1.0
    wide = r**2 + A**2
    return InequalityChain(
        "C15",
        "any rows, with a feature of their own each",
        term_lines(
            ("", "least y·(v'·x')", run.margin, ""),
            ("≥", "ρ/Z", rho / Z, "Z² = 1 + δ²/A² makes v' a unit vector"),
            ("", "longest ‖x'‖²", run.radius**2, ""),
            ("≤", "r² + A²", wide, "a feature A more"),
            ("", "M", len(run.one), ""),
            ("≤", "(r² + A²)/(ρ/Z)²", wide * Z**2 / rho**2, "Novikoff's theorem"),
            ("=" if embedding.amplitude is None else "≥", "(r + δ)²/ρ²", bounds.slack(r, rho, delta), "A² = r·δ"),
        ),
    )


def term_lines(*terms: tuple[str, str, float, str]) -> tuple[Line, ...]:
    """Each term beside the one before it."""
    lines: list[Line] = []
    for relation, term, value, reason in terms:
        before = lines[-1].value if relation else math.nan
        room = {"": 0.0, "≤": value - before, "≥": before - value, "=": -abs(value - before)}[relation]
        slack = math.nan if not relation else 0.0 if abs(room) <= ROUNDING * max(abs(value), abs(before)) else room
        lines.append(Line(relation, term, float(value), reason, slack, not slack < 0))
    return tuple(lines)


def verdict_cells(line: Line) -> tuple[str, str]:
    """The slack and whether it holds, in words."""
    if not line.relation:
        return "", ""
    return f"{line.slack:.4g}", "holds" if line.holds else "FAILS"


def aligned_cells(row: tuple[str, ...], widths: list[int]) -> Iterable[str]:
    """The cells of a row at their widths: numbers to the right, words to the left."""
    alignments = (str.ljust, str.ljust, str.rjust, str.rjust, str.ljust, str.ljust)
    return (align(cell, width) for align, cell, width in zip(alignments, row, widths, strict=True))
