"""The proofs of the notes, inequality by inequality, with the numbers of a run.

All of it is said of the augmented rows [x; 1], of weights divided by the learning rate η, and of the updates that are
written down: each chain holds after every update, so of a trace that was cut too.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import registry
from ..learners.features import SlackEmbedding
from .inequalities import InequalityChain, bound_on_updates, length_chain, rule_chains, slack_chain
from .measured_run import MeasuredRun, reference_plane
from .trace import Trace

MEASURED = ("plain", "cosines", "floors", "aligned", "least_aligned", "longest")
"""What an audit has of the run that it measured."""


def nothing_measured() -> np.ndarray:
    """The numbers of a run along no plane."""
    return np.empty(0)


@dataclass(frozen=True)
class Audit:
    """What the proofs of the notes say of a run.

    Attributes
    ----------
    chains : the chains of inequalities that speak of it
    plane : the unit vector v = [w; b] that the updates are measured along; None if there is none, and with a
        kernel, where it is the last function of the run
    radius, margin : r and ρ, the length of the longest row and the least y·(v·x)
    notes : what could not be said, and why
    plain : whether it is Novikoff's theorem in its own words that speaks of the run: steps of one size from zero
    bound : how many updates the theorem of the rule allows; infinite where none speaks of the run
    cosines : cos(v, w_t) after every update t = 1, 2, …
    floors : what the theorem says that it is at least; −1 where it says nothing
    aligned, least_aligned : v·w_t/η for t = 0, 1, …, and what the theorem says that it is at least
    longest : what it says that ‖w_t‖/η is at most, for t = 0, 1, …
    """

    chains: tuple[InequalityChain, ...]
    plane: np.ndarray | None
    radius: float
    margin: float
    notes: tuple[str, ...] = ()
    plain: bool = False
    bound: float = math.inf
    cosines: np.ndarray = field(default_factory=nothing_measured, repr=False)
    floors: np.ndarray = field(default_factory=nothing_measured, repr=False)
    aligned: np.ndarray = field(default_factory=nothing_measured, repr=False)
    least_aligned: np.ndarray = field(default_factory=nothing_measured, repr=False)
    longest: np.ndarray = field(default_factory=nothing_measured, repr=False)

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
            "bound": self.bound if math.isfinite(self.bound) else None,
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
    trace : a run of a learner that makes an update while y·(w·x) ≤ 0, or of a MarginPerceptron
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
    ≤  Σ y·(v·x)                      2      0  holds  (every row has the margin ρ along v)
    ≤  ‖v‖·‖Σ y·x‖                    2      0  holds  (Cauchy–Schwarz)
    =  ‖w‖/η                          2      0  holds  (w is the sum of the updates)
    =  √Σ(‖w_t‖² − ‖w_{t−1}‖²)/η      2      0  holds  (each step adds 2η·y·(w·x) + η²·‖x‖²)
    ≤  √Σ‖x‖²                         2      0  holds  (updated only while y·(w·x) ≤ 0)
    ≤  √(M·r²)                        2      0  holds  (no row is longer than r)
       M                              4
    ≤  r²/ρ²                          4      0  holds  (so)
    """
    entry = registry.by_class_name(trace.name)
    if entry is None or entry.audit is None:
        raise ValueError(f"The notes have no chain for {trace.name}: audit a perceptron or a MarginPerceptron.")
    run = MeasuredRun(trace, problem, entry.audit)
    plane, scores, margin, why = reference_plane(run, reference)
    if scores is None:
        return Audit((length_chain(run),), None, trace.radius, margin, (*run.notes, why))
    run.measure(plane, scores, margin)
    chains = [*rule_chains(run)]
    if isinstance(reference, SlackEmbedding):
        chains.append(slack_chain(run, reference))
    return Audit(
        tuple(chains),
        plane,
        trace.radius,
        margin,
        tuple(run.notes),
        bound=float(bound_on_updates(run)),
        **{name: getattr(run, name) for name in MEASURED},
    )
