"""The proofs of the notes, inequality by inequality, with the numbers of a run.

All of it is said of the augmented rows [x; 1], of weights divided by the step size η, and of the updates that are
written down: each chain holds after every update, so of a trace that was cut too.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import bounds
from ..learners.features import SlackEmbedding
from ..learners.margin import PARTS
from .trace import Trace, Updates

ROUNDING = 1e-9
"""Both sides of an inequality are sums of floats: it holds if it does up to this part of them."""
PATIENCE = 60.0
"""Seconds that the search for the best plane may take."""
PLAIN = ("Perceptron", "PocketPerceptron", "AveragedPerceptron", "VotedPerceptron", "KernelPerceptron")
"""The learners that are updated while y·(w·x) ≤ 0."""


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
class Chain:
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
            (line.relation, line.term, f"{line.value:.6g}", *verdict(line), line.reason and f"({line.reason})")
            for line in self.lines
        ]
        widths = [max(len(row[k]) for row in heads + cells) for k in range(6)]
        body = ["  ".join(place(row, widths)).rstrip() for row in heads + cells]
        return "\n".join([f"{self.claim}  {self.title}", *body])


@dataclass(frozen=True)
class Audit:
    """What the proofs of the notes say of a run.

    Attributes
    ----------
    chains : the chains of inequalities that speak of it
    plane : the unit vector v = [w; b] that the updates are measured along; None if there is none, and with a
        kernel, where it is the last function of the run
    radius, margin : r and ρ, the length of the longest row and the least y·(v·x)
    cosines : cos(v, w_t) after every update t = 1, 2, …
    floors : what C19 says that it is at least
    notes : what could not be said, and why
    """

    chains: tuple[Chain, ...]
    plane: np.ndarray | None
    radius: float
    margin: float
    cosines: np.ndarray = field(repr=False)
    floors: np.ndarray = field(repr=False)
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every inequality of every chain does."""
        return all(chain.holds for chain in self.chains)

    def __str__(self) -> str:
        verdict = "Every inequality holds." if self.holds else "NOT every inequality holds."
        return "\n\n".join([*map(str, self.chains), *self.notes, verdict])

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON knows it."""
        return {
            "holds": self.holds,
            "radius": self.radius,
            "margin": self.margin,
            "plane": None if self.plane is None else self.plane.tolist(),
            "cosines": self.cosines.tolist(),
            "floors": self.floors.tolist(),
            "notes": list(self.notes),
            "chains": [
                {
                    "claim": chain.claim,
                    "title": chain.title,
                    "holds": chain.holds,
                    "lines": [
                        {**vars(line), "slack": None if math.isnan(line.slack) else line.slack} for line in chain.lines
                    ],
                }
                for chain in self.chains
            ],
        }


def audit(trace: Trace, reference: Any = None, problem: int = 0) -> Audit:
    """Check the proofs of the notes on a run: Novikoff's chain, that of the margin or slack bound, and the cosine.

    Parameters
    ----------
    trace : a run of a learner that is updated while y·(w·x) ≤ 0, or of a MarginPerceptron
    reference : the plane that the run is measured against, as numbers [w; b] (or w without a bias); a fitted
        SlackEmbedding, if the run was on its rows; None takes the best plane that ``certify`` finds, and with a kernel
        or in the joint problem of several classes what the run itself came to
    problem : which of several problems

    Examples
    --------
    >>> from novikoff import Perceptron, audit, datasets, record
    >>> X, y = datasets.orthonormal(4)
    >>> print(audit(record(Perceptron(order="cyclic", fit_intercept=False), X, y)).chains[0])
    C10  Novikoff's theorem
                                  value  slack
       M·ρ                            2
    ≤  Σ y·(v·x)                      2      0  holds  (every row leads by ρ along v)
    ≤  ‖v‖·‖Σ y·x‖                    2      0  holds  (Cauchy–Schwarz)
    =  ‖w‖/η                          2      0  holds  (w is the sum of the updates)
    =  √Σ(‖w_t‖² − ‖w_{t−1}‖²)/η      2      0  holds  (each step adds 2η·y·(w·x) + η²·‖x‖²)
    ≤  √Σ‖x‖²                         2      0  holds  (updated only while y·(w·x) ≤ 0)
    ≤  √(M·r²)                        2      0  holds  (no row is longer than r)
       M                              4
    ≤  r²/ρ²                          4      0  holds  (so)
    """
    one = trace.problem(problem)
    if trace.name not in (*PLAIN, "MarginPerceptron"):
        raise ValueError(f"The notes have no chain for {trace.name}: audit a perceptron or a MarginPerceptron.")
    run = Measured(trace, problem)
    notes = [cut_note(one)] if one.made > len(one) else []
    plane, heights, margin, why = found_plane(run, reference)
    if heights is None:
        return Audit((length_chain(run),), None, trace.radius, margin, np.empty(0), np.empty(0), (*notes, why))
    run.measure(heights, margin)
    chains = [*rule_chains(run, notes)]
    if isinstance(reference, SlackEmbedding):
        chains.append(slack_chain(run, reference))
    return Audit(tuple(chains), plane, trace.radius, margin, run.cosines, run.floors, tuple(notes))


class Measured:
    """The numbers of a run, in units of η: after every update, or all in all."""

    def __init__(self, trace: Trace, problem: int) -> None:
        self.trace, self.problem = trace, problem
        self.one, self.eta, self.radius = trace.problem(problem), trace.eta0, trace.radius
        self.steps = np.abs(self.one.steps) / self.eta
        self.lengths = np.sqrt(trace.squares(problem)) / self.eta
        self.rows = trace.squared_rows(problem)
        self.summed = self.length_of_sum()
        self.updates = float(self.steps.sum())
        self.equal = bool(np.allclose(self.steps, 1.0, rtol=1e-12))

    def length_of_sum(self) -> float:
        """‖Σ s·x‖ of all updates; with a kernel its square is Σ coefficient·f(x)."""
        if not self.trace.kernel:
            return float(np.linalg.norm(self.trace.weights_before(len(self.one), self.problem))) / self.eta
        dual = self.trace.dual(len(self.one), self.problem) / self.eta
        return math.sqrt(max(0.0, float((dual * self.function().T).sum())))

    def function(self) -> np.ndarray:
        """f(x)/η of every row, of the last function of a run with a kernel; of a joint problem a column a class."""
        learner, one, asked = self.trace.learner, self.one, self.trace.parameters
        if learner is None or one.made > len(one) or asked["average"] or asked["threshold"]:
            raise ValueError(
                "With a kernel an audit needs the fitted learner and all updates, without average or threshold: "
                "record the run anew."
            )
        scores = learner.decision_function(self.trace.X) / self.eta
        return scores if scores.ndim == 1 or one.joint else scores[:, self.problem]

    def measure(self, heights: np.ndarray, margin: float) -> None:
        """Measure the updates along a unit vector v that has this margin, by the products v·x of all rows."""
        self.margin = margin
        self.along = np.cumsum(self.steps * gains(self.one, heights))
        lengths = self.lengths[1:]
        with np.errstate(divide="ignore", invalid="ignore"):
            self.cosines = np.where(lengths > 0, self.along / lengths, 0.0)
        self.floors = margin * np.cumsum(self.steps) / (self.radius * np.sqrt(np.cumsum(self.steps**2)))

    @property
    def last(self) -> float:
        """‖w‖/η of the weights that the learner itself came to, where they are at hand."""
        learner, one = self.trace.learner, self.one
        weights = getattr(getattr(learner, "_resume", None), "weights", None)
        if weights is None or one.made > len(one):
            return self.summed
        return float(np.linalg.norm(weights if one.joint else weights[self.problem]))


def rule_chains(run: Measured, notes: list[str]) -> Iterable[Chain]:
    """The chains for the rule of the run, and the cosine where it has a floor."""
    if run.trace.name in PLAIN:
        yield novikoff_chain(run)
        yield cosine_chain(run)
        return
    asked = run.trace.parameters["margin"]
    if not run.equal:
        notes.append("The rows have different weights, so the margin chain of the notes does not speak of this run.")
    elif asked is None:
        yield growing_chain(run)
    elif run.margin * (1 + ROUNDING) < asked:
        notes.append(
            f"The margin chain asks for a plane with the margin ρ = {asked:g}, and the plane here has {run.margin:.6g}."
        )
    else:
        yield margin_chain(run, asked)


def novikoff_chain(run: Measured) -> Chain:
    """C10: M·ρ ≤ Σ y·(v·x) ≤ ‖Σ y·x‖ = ‖w‖/η = √Σ(‖w_t‖² − ‖w_{t−1}‖²)/η ≤ √Σ‖x‖² ≤ √(M·r²)."""
    r, rho = run.radius, run.margin
    bound = bounds.novikoff(r, rho, 0.0, run.steps.min(initial=1.0), run.steps.max(initial=1.0))
    return Chain(
        "C10",
        "Novikoff's theorem" + ("" if run.equal else ", with steps s"),
        chained(
            ("", "M·ρ" if run.equal else "Σ s·ρ", run.updates * rho, ""),
            *forward(run),
            *length_terms(run),
            ("", "M", len(run.one), ""),
            ("≤", "r²/ρ²" if run.equal else "r²/ρ²·(longest s)/(shortest s)", bound, "so"),
        ),
    )


def forward(run: Measured) -> list[tuple[str, str, float, str]]:
    """The half of the chain that is about the plane."""
    along = float(run.along[-1]) if len(run.along) else 0.0
    return [
        ("≤", "Σ y·(v·x)" if run.equal else "Σ s·y·(v·x)", along, "every row leads by ρ along v"),
        ("≤", "‖v‖·‖Σ y·x‖", run.summed, "Cauchy–Schwarz"),
    ]


def length_terms(run: Measured) -> list[tuple[str, str, float, str]]:
    """The half of the chain that is about the length of the weights, true of separable data or not."""
    squares = run.steps**2
    short = "Σ‖x‖²" if run.equal else "Σ s²·‖x‖²"
    return [
        ("=", "‖w‖/η", run.last, "w is the sum of the updates"),
        ("=", "√Σ(‖w_t‖² − ‖w_{t−1}‖²)/η", float(run.lengths[-1]), "each step adds 2η·y·(w·x) + η²·‖x‖²"),
        ("≤", f"√{short}", math.sqrt(squares @ run.rows), "updated only while y·(w·x) ≤ 0"),
        (
            "≤",
            "√(M·r²)" if run.equal else "√(Σ s²·r²)",
            run.radius * math.sqrt(squares.sum()),
            "no row is longer than r",
        ),
    ]


def length_chain(run: Measured) -> Chain:
    """What is true without a plane."""
    if run.trace.name not in PLAIN:
        raise ValueError("The chain of the margin perceptron needs a plane that separates: give one as reference.")
    start = ("", "‖Σ y·x‖", run.summed, "")
    return Chain("C10", "the half of Novikoff's chain that needs no plane", chained(start, *length_terms(run)))


def cosine_chain(run: Measured) -> Chain:
    """C19: cos(v, w_t) ≥ √t·ρ/r for every t, of which the closest and the last are shown."""
    floor = "√t·ρ/r" if run.equal else "ρ·Σs/(r·√Σs²)"
    places = {"the closest of all": int(np.argmin(run.cosines - run.floors)), "the last": len(run.cosines) - 1}
    lines = []
    for name, t in places.items():
        lines += [
            ("", f"cos(v, w_t) at t = {t + 1}, {name}", float(run.cosines[t]), ""),
            ("≥", floor, float(run.floors[t]), "grows with √t"),
        ]
    return Chain("C19", "the angle to the best plane", chained(*lines))


def margin_chain(run: Measured, rho: float) -> Chain:
    """C13: while y·(w·x)/‖w‖ < ρ/2, ‖w_t‖ grows by at most 3ρ/4 once it is 4r²/ρ long, and M·ρ ≤ ‖w_M‖."""
    r, M, w = run.radius, len(run.one), run.lengths
    before, after = w[:-1], w[1:]
    growth, both = after - before - rho / 2, after + before
    slacks = r**2 / both - growth
    t = int(np.argmin(slacks))
    long = np.flatnonzero(np.maximum(before, after) >= 4 * r**2 / rho)
    lines = [
        ("", "M·ρ", M * rho, ""),
        *forward(run),
        ("=", "‖w_M‖", run.last, "w is the sum of the updates"),
        ("≤", "4r²/ρ + 3Mρ/4", 4 * r**2 / rho + 3 * M * rho / 4, "by the lines below"),
        ("", f"‖w_t‖ − ‖w_t−1‖ − ρ/2 at t = {t + 1}, the closest of all", float(growth[t]), ""),
        ("≤", "r²/(‖w_t‖ + ‖w_t−1‖)", float(r**2 / both[t]), "updated only while y·(w·x) < ρ/2·‖w‖"),
    ]
    if len(long):
        k = long[np.argmax(after[long] - before[long])]
        lines += [
            ("", f"‖w_t‖ − ‖w_t−1‖ at t = {k + 1}, the largest beyond 4r²/ρ", float(after[k] - before[k]), ""),
            ("≤", "3ρ/4", 3 * rho / 4, "one of both lengths is at least 4r²/ρ"),
        ]
    lines += [("", "M", M, ""), ("≤", "16r²/ρ²", bounds.margin_perceptron(r, rho), "so")]
    if run.one.status == "separated" and run.one.made == M:
        lines += [("", "margin reached", reached(run), ""), ("≥", "ρ/2", rho / 2, "no row asks for an update")]
    return Chain("C13", "the margin perceptron", chained(*lines))


def growing_chain(run: Measured) -> Chain:
    """M·ρ ≤ ‖w‖ ≤ r·√(3M) for the rule that finds its own margin."""
    r, M = run.radius, len(run.one)
    return Chain(
        "C13",
        "the margin perceptron that finds its margin",
        chained(
            ("", "M·ρ", M * run.margin, ""),
            *forward(run),
            ("=", "‖w_M‖", run.last, "w is the sum of the updates"),
            ("≤", "√(3M·r²)", r * math.sqrt(M * PARTS / (PARTS - 2)), "updated only while y·(w·x) ≤ ‖w‖²/3M"),
            ("", "M", M, ""),
            ("≤", "3r²/ρ²", bounds.growing_margin(r, run.margin, PARTS), "so"),
        ),
    )


def slack_chain(run: Measured, embedding: SlackEmbedding) -> Chain:
    """C15: the embedded rows have the margin ρ/Z, none is longer than √(r² + A²), and A² = r·δ gives (r + δ)²/ρ²."""
    r, rho, delta, A = embedding.radius_, embedding.margin_, embedding.slack_, embedding.amplitude_
    Z = math.sqrt(1 + delta / r)
    wide = r**2 + A**2
    return Chain(
        "C15",
        "any rows, with a feature of their own each",
        chained(
            ("", "least y·(v'·x')", run.margin, ""),
            ("≥", "ρ/Z", rho / Z, "Z² = 1 + δ²/A² makes v' a unit vector"),
            ("", "longest ‖x'‖²", run.radius**2, ""),
            ("≤", "r² + A²", wide, "a feature A more"),
            ("", "M", len(run.one), ""),
            ("≤", "(r² + A²)/(ρ/Z)²", wide * Z**2 / rho**2, "Novikoff's theorem"),
            ("=", "(r + δ)²/ρ²", bounds.slack(r, rho, delta), "A² = r·δ"),
        ),
    )


def chained(*terms: tuple[str, str, float, str]) -> tuple[Line, ...]:
    """Each term beside the one before it."""
    lines: list[Line] = []
    for relation, term, value, reason in terms:
        before = lines[-1].value if relation else math.nan
        room = {"": 0.0, "≤": value - before, "≥": before - value, "=": -abs(value - before)}[relation]
        slack = math.nan if not relation else 0.0 if abs(room) <= ROUNDING * max(abs(value), abs(before)) else room
        lines.append(Line(relation, term, float(value), reason, slack, not slack < 0))
    return tuple(lines)


def found_plane(run: Measured, reference: Any) -> tuple[np.ndarray | None, np.ndarray | None, float, str]:
    """The unit vector v to measure along, v·x of all rows, and its margin; or why there is none."""
    trace, one = run.trace, run.one
    plane, heights = None, None
    if trace.kernel:
        if reference is not None:
            raise ValueError("With a kernel a run is measured along its own last function: leave reference out.")
        heights = run.function() / run.summed if run.summed else run.function()
    elif isinstance(reference, SlackEmbedding):
        plane = unit_vector(reference.plane(run.problem))
    elif reference is not None:
        plane = given_plane(trace, reference)
    elif one.joint:
        plane = unit_vector(trace.weights_before(len(one), run.problem))
    else:
        return certified_plane(trace, run.problem)
    heights = products(trace, plane) if plane is not None else heights
    margin = float(leads(trace, one, heights).min())
    if margin > 0:
        return plane, heights, margin, ""
    why = f"The plane has rows on its wrong side (the least y·(v·x) is {margin:.6g}): no bound follows."
    return None, None, margin, why


def certified_plane(trace: Trace, problem: int) -> tuple[np.ndarray | None, np.ndarray | None, float, str]:
    """The best plane that certify finds, with the margin that is proved of it."""
    from ..proofs.certify import certify  # it needs exact arithmetic

    found = certify(trace.X, trace.signs(problem), fit_intercept=bool(trace.unit), time_limit=PATIENCE)
    if found.verdict != "separable":
        return None, None, found.margin[1], f"There is no plane to measure along. The data is {found.summary()}."
    plane = unit_vector(np.append(np.ravel(found.coef), np.ravel(found.intercept)))
    heights = products(trace, plane)
    return plane, heights, min(found.margin[0], float(leads(trace, trace.problem(problem), heights).min())), ""


def given_plane(trace: Trace, reference: Any) -> np.ndarray:
    """The numbers [w; b], or w, as a unit vector."""
    plane, d = np.asarray(reference, dtype=np.float64), trace.X.shape[1]
    if plane.ndim and plane.shape[-1] == d:
        plane = np.append(plane, np.zeros((*plane.shape[:-1], 1)), axis=-1)
    if not plane.ndim or plane.shape[-1] != d + 1 or not np.isfinite(plane).all() or not plane.any():
        raise ValueError(
            f"reference must be {d} finite numbers, one a feature, or one more for the bias, not all zero; "
            f"got an array of shape {np.shape(reference)}."
        )
    return unit_vector(plane)


def unit_vector(plane: np.ndarray) -> np.ndarray:
    return plane / np.linalg.norm(plane)


def products(trace: Trace, plane: np.ndarray) -> np.ndarray:
    """v·x of every row; in the joint problem a column a class."""
    return trace.X @ plane[..., :-1].T + trace.unit * plane[..., -1]


def leads(trace: Trace, one: Updates, heights: Any) -> np.ndarray:
    """y·(v·x) of every row; in the joint problem the lead over the best rival."""
    if not one.joint:
        return np.where(trace.y == one.name, 1.0, -1.0) * heights
    each, labels = np.arange(len(trace.y)), np.searchsorted(trace.classes, trace.y)
    rivals = heights.copy()
    rivals[each, labels] = -np.inf
    return heights[each, labels] - rivals.max(axis=1)


def gains(one: Updates, heights: np.ndarray) -> np.ndarray:
    """y·(v·x) of every update, with y as it was updated; in the joint problem the lead over its rival."""
    if not one.joint:
        return np.sign(one.steps) * heights[one.rows]
    return heights[one.rows, one.own] - heights[one.rows, one.rivals]


def reached(run: Measured) -> float:
    """The least y·(w·x)/‖w‖ under the last weights."""
    trace, one = run.trace, run.one
    plane = unit_vector(trace.weights_before(len(one), run.problem))
    return float(leads(trace, one, products(trace, plane)).min())


def cut_note(one: Updates) -> str:
    return f"The trace has the first {len(one)} of {one.made} updates; M and w are those after them."


def verdict(line: Line) -> tuple[str, str]:
    """The slack and whether it holds, in words."""
    if not line.relation:
        return "", ""
    return f"{line.slack:.4g}", "holds" if line.holds else "FAILS"


def place(row: tuple[str, ...], widths: list[int]) -> Iterable[str]:
    """The cells of a row at their widths: numbers to the right, words to the left."""
    turn = (str.ljust, str.ljust, str.rjust, str.rjust, str.ljust, str.ljust)
    return (put(cell, width) for put, cell, width in zip(turn, row, widths, strict=True))
