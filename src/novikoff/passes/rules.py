"""The rules of the family: up to which row margin y·(w·x) an update is made, by how long a step, and what is proved.

A rule is a named tuple.  Its formulas are static methods, which the passes are compiled with for its type, so that each
is as quick as if written for it alone.  ``ledger`` is the line of the problem (see ledger.py), ``weight`` the sample
weight of the row, and ``stretch`` is ‖z‖²/‖x‖² of the update z: 1, or 2 where it moves two classes.

A rule of second order (passes/gaussian.py) learns a Gaussian over planes: weights w and a variance σ of each, 1 at
first.  An update on z = y·x takes w ← w + α·σ·z and σ ← σ − β·(σ·z)², weight by weight: the diagonal of what a Gaussian
with all covariances becomes when it is told, with the precision κ, where z lies, so that β = κ/(1 + κ·v).  Of such a
rule ``stretch`` is v = Σ σ·z², the variance of the row margin.
"""

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from .. import bounds
from .compiled import OPTIONS
from .ledger import BEFORE, RATE, SHRINK, SQUARE, TRAVELLED
from .rows import Rows, square


class Facts(NamedTuple):
    """What a mistake bound may depend on besides radius and margin."""

    start: float = 0.0  # ‖w₀‖
    lightest: float = 1.0  # the least and the largest sample weight
    heaviest: float = 1.0
    updates: int = 0  # made by the run
    margin_bound: float = np.inf  # that it proved of every plane
    precision: float = 1.0  # of the plane with the margin, Σ u²/σ over Σ u²
    drift: float = 0.0  # see ledger.py


class Plain(namedtuple("Plain", "bar", defaults=(0.0,))):
    """The perceptron: while y·(w·x) ≤ 0 (the bar), w ← w + y·x.  At most r²/ρ² updates (Novikoff)."""

    own_steps = True  # an update adds the row with its own weight, so that update counts tell the weights
    ends = True  # on separable rows there is a last update
    needs_norm = False  # whether it keeps SQUARE
    needs_row_margin = False  # whether its step depends on the row margin, so that an approximate one will not do
    second_order = False  # whether it learns variances
    required_margin = 0.0  # a plane must have it for the run to end

    @staticmethod
    def threshold(rule, ledger):
        return rule.bar

    @staticmethod
    def fires(rule, row_margin, threshold):
        return not row_margin > threshold

    @staticmethod
    def step(rule, ledger, rows, i, row_margin, weight, stretch):
        return weight

    def mistake_bound(self, radius: float, margin: float, facts: Facts) -> float:
        """The most updates there could have been, if some plane has this margin."""
        return bounds.novikoff(radius, margin, facts.start, facts.lightest, facts.heaviest)


class FixedMargin(namedtuple("FixedMargin", "half")):
    """The notes' margin rule: while y·(w·x)/‖w‖ < ρ/2 (``half``); weights of length zero are always updated.

    If some plane has the margin ρ, at most 16·r²/ρ² updates.
    """

    own_steps = True
    ends = True
    needs_norm = True
    needs_row_margin = True
    second_order = False

    @property
    def required_margin(self) -> float:
        return self.half

    @staticmethod
    def threshold(rule, ledger):
        return rule.half * np.sqrt(max(ledger[SQUARE], 0.0))

    @staticmethod
    def fires(rule, row_margin, threshold):
        return not (row_margin > 0 and row_margin >= threshold)

    @staticmethod
    def step(rule, ledger, rows, i, row_margin, weight, stretch):
        # ‖w + s·z‖² = ‖w‖² + 2s·(w·z) + s²‖z‖²
        ledger[SQUARE] += weight * (2 * row_margin + weight * stretch * square(rows, i))
        return weight

    def mistake_bound(self, radius: float, margin: float, facts: Facts) -> float:
        """16·r²/ρ² for the margin ρ asked for; infinite after a warm start, or if it is proved that no plane has ρ."""
        bound = bounds.margin_perceptron(radius, 2 * self.half) * facts.heaviest / facts.lightest
        holds = facts.start == 0 and facts.updates <= bound and facts.margin_bound >= 2 * self.half
        return bound if holds else np.inf


class DynamicMargin(namedtuple("DynamicMargin", "parts")):
    """While y·(w·x) ≤ ‖w‖²/(parts·T), where T is the sum of all steps.

    A run that ends so has a margin above ‖w‖/(parts·T), and no plane has one above ‖w‖/T.  At most k/(k − 2)·r²/ρ²
    updates, with k = parts > 2.
    """

    own_steps = True
    ends = True
    needs_norm = True
    needs_row_margin = True
    second_order = False
    required_margin = 0.0

    @staticmethod
    def threshold(rule, ledger):
        travelled = ledger[BEFORE] + ledger[TRAVELLED]
        return ledger[SQUARE] / (rule.parts * travelled) if travelled > 0 else 0.0

    fires = Plain.fires
    step = FixedMargin.step

    def mistake_bound(self, radius: float, margin: float, facts: Facts) -> float:
        """k/(k − 2)·r²/ρ²; infinite after a warm start."""
        if facts.start:
            return np.inf
        return bounds.growing_margin(radius, margin, self.parts) * facts.heaviest / facts.lightest


class PassiveAggressive(namedtuple("PassiveAggressive", "cap damping")):
    """While y·(w·x) < 1, the step that makes it 1: (1 − y·(w·x))/‖x‖².

    For a row of weight s it is at most cap·s, and shortened by damping/s in the denominator.  A run comes nearer and
    nearer to its end; of its updates at most r²/ρ² (widened by cap and damping) are of rows on the wrong side.
    """

    own_steps = False
    ends = False
    needs_norm = False
    needs_row_margin = True
    second_order = False
    required_margin = 0.0

    @staticmethod
    def threshold(rule, ledger):
        return 1.0

    @staticmethod
    def fires(rule, row_margin, threshold):
        return not row_margin >= threshold

    @staticmethod
    def step(rule, ledger, rows, i, row_margin, weight, stretch):
        long = stretch * square(rows, i) + rule.damping / weight
        return min(rule.cap * weight, (1 - row_margin) / long) if long > 0 else 0.0

    def mistake_bound(self, radius: float, margin: float, facts: Facts) -> float:
        """The most updates of rows on the wrong side."""
        if self.cap < np.inf:
            return bounds.passive_aggressive(radius, margin, self.cap * facts.lightest, "capped", facts.start)
        if self.damping:
            C = facts.lightest / (2 * self.damping)
            return bounds.passive_aggressive(radius, margin, C, "damped", facts.start)
        return bounds.passive_aggressive(radius, margin, 1.0, "full", facts.start)


class Arow(namedtuple("Arow", "r")):
    """While y·(w·x) < 1: α = (1 − y·(w·x))/(v + r), κ = 1/r, β = 1/(v + r); for a row of weight s, with r/s for r.

    Theorem.  Let u be a plane with y·(u·x) ≥ 1 on every row, r_x the length of the longest row, σ the last variances,
    and Q the run's ``DRIFT``.  From w = 0 and σ = 1 a run has at most

        (‖u‖² + (√Σ u²·(1/σ − 1) + √Q)²) · (r_x² + r)²/(r_x² + 2r)

    updates of rows on the wrong side.  Proof: an update changes U = Σ (u − w)²/σ, which is ‖u‖² at first and never
    below 0, in two steps.  The new w lowers it by 2α·(y·(u·x) − y·(w·x)) − α²·v ≥ (1 − y·(w·x))²·(v + 2r)/(v + r)²,
    which is at least 0, and at least (r_x² + 2r)/(r_x² + r)² on the wrong side, as v ≤ r_x².  The new σ raises it by Σ
    d·(u − w)², with d = βx²/(1 − βσx²) ≤ κx² added to 1/σ.  By Minkowski's inequality the sum of these is at most (√Σ
    u²·(1/σ − 1) + √Q)².

    With all covariances kept, Theorem 2 of Crammer, Kulesza and Dredze (2009) has the logarithm of a determinant
    instead; its proof needs Σ⁻¹w to be a sum of rows, which a diagonal does not leave it.
    """

    own_steps = False
    ends = False
    needs_norm = False
    needs_row_margin = True
    second_order = True
    required_margin = 0.0

    threshold = PassiveAggressive.threshold
    fires = PassiveAggressive.fires

    @staticmethod
    def lift(rule, rows, i, moved):
        return 0.0

    @staticmethod
    def wants(rule, row_margin, stretch):
        return True

    @staticmethod
    def step(rule, ledger, rows, i, row_margin, weight, stretch):
        ledger[RATE] = weight / rule.r
        ledger[SHRINK] = 1 / (stretch + rule.r / weight)
        return (1 - row_margin) * ledger[SHRINK]

    def shrink(self, step: float, variance: float, weight: float) -> float:
        """β of an update with this step on a row of this variance and weight."""
        return 1 / (variance + self.r / weight)

    def mistake_bound(self, radius: float, margin: float, facts: Facts) -> float:
        """The most updates of rows on the wrong side; infinite after a warm start."""
        if facts.start:
            return np.inf
        return bounds.arow(radius, margin, self.r / facts.lightest, facts.precision, facts.drift)


class SoftConfidence(namedtuple("SoftConfidence", "cap phi")):
    """SCW-I: while m = y·(w·x) < φ·√v, the step to the nearest Gaussian, by Kullback and Leibler, that has m ≥ φ·√v.

    α = (√(m²φ⁴/4 + vφ²(1 + φ²)) − m(1 + φ²/2))/(v(1 + φ²)), at most cap times the weight of the row; κ = αφ/√v', where
    √v' = (√(α²v²φ² + 4v) − αvφ)/2 is what the step leaves of √v.

    Theorem.  With u, r_x, σ and Q as for ``Arow`` and s = φ·r_x there are at most

        (s²‖u‖² + (s·√Σ u²·(1/σ − 1) + √Q)²) / (s·min(cap, φ/(r_x·√(1 + φ²))))

    updates of rows on the wrong side.  Proof: as for ``Arow``, with s·u for u.  Without the cap m + αv = φ√v' ≤ φ√v,
    with it m + αv is less; so the new w lowers U by at least α(2s − 2m − αv) ≥ α(2s − φ√v − m), which is at least 0 as
    m < φ√v ≤ s, and at least α·s if m ≤ 0, where α is at least cap or φ/√(v(1 + φ²)).
    """

    own_steps = False
    ends = False
    needs_norm = False
    needs_row_margin = True
    second_order = True
    required_margin = 0.0

    @staticmethod
    def threshold(rule, ledger):
        return 0.0

    fires = PassiveAggressive.fires

    @staticmethod
    def lift(rule, rows, i, moved):
        return rule.phi * np.sqrt(moved * square(rows, i))  # as v ≤ moved·‖x‖²

    @staticmethod
    def wants(rule, row_margin, stretch):
        return not row_margin >= rule.phi * np.sqrt(stretch)

    @staticmethod
    def step(rule, ledger, rows, i, row_margin, weight, stretch):
        square = rule.phi * rule.phi
        root = np.sqrt(0.25 * (row_margin * square) ** 2 + stretch * square * (1 + square))
        full = (root - row_margin * (1 + 0.5 * square)) / (stretch * (1 + square))
        step = min(rule.cap * weight, max(0.0, full))
        push = step * stretch * rule.phi  # 1/√v' = (push + √(push² + 4v))/2v
        ledger[RATE] = step * rule.phi * (push + np.sqrt(push * push + 4 * stretch)) / (2 * stretch)
        ledger[SHRINK] = ledger[RATE] / (1 + ledger[RATE] * stretch)
        return step

    def shrink(self, step: float, variance: float, weight: float) -> float:
        """β of an update with this step on a row of this variance."""
        push = step * variance * self.phi
        rate = float(step * self.phi * (push + np.sqrt(push * push + 4 * variance)) / (2 * variance))
        return rate / (1 + rate * variance)

    def mistake_bound(self, radius: float, margin: float, facts: Facts) -> float:
        """The most updates of rows on the wrong side; infinite after a warm start."""
        if facts.start:
            return np.inf
        return bounds.soft_confidence(radius, margin, self.cap * facts.lightest, self.phi, facts.precision, facts.drift)


Rule = Plain | FixedMargin | DynamicMargin | PassiveAggressive | Arow | SoftConfidence


def threshold(rule: Rule, ledger: Any) -> float:
    """The row margin up to which updates are made now."""
    raise NotImplementedError("compiled code only")


def fires(rule: Rule, row_margin: float, threshold: float) -> bool:
    """Whether an update is made on a row of this margin."""
    raise NotImplementedError("compiled code only")


def step(rule: Rule, ledger: Any, rows: Rows, i: int, row_margin: float, weight: float, stretch: float) -> float:
    """How long a step is made on row i; notes its effect on ‖w‖² where the rule needs that."""
    raise NotImplementedError("compiled code only")


def needs_row_margin(rule: Rule) -> bool:
    """Whether the step depends on the row margin."""
    raise NotImplementedError("compiled code only")


def lift(rule: Rule, rows: Rows, i: int, moved: int) -> float:
    """How far above the threshold a margin of row i may be that asks for an update, of which ``moved`` vectors move."""
    raise NotImplementedError("compiled code only")


def wants(rule: Rule, row_margin: float, stretch: float) -> bool:
    """Whether a row that fires is updated on, now that the variance of its margin is known."""
    raise NotImplementedError("compiled code only")


@overload(threshold, jit_options=OPTIONS)
def _threshold(rule, ledger):
    return rule.instance_class.threshold


@overload(fires, jit_options=OPTIONS)
def _fires(rule, row_margin, threshold):
    return rule.instance_class.fires


@overload(step, jit_options=OPTIONS)
def _step(rule, ledger, rows, i, row_margin, weight, stretch):
    return rule.instance_class.step


@overload(needs_row_margin, jit_options=OPTIONS)
def _needs_row_margin(rule):
    answer = rule.instance_class.needs_row_margin
    return lambda rule: answer


@overload(lift, jit_options=OPTIONS)
def _lift(rule, rows, i, moved):
    if rule.instance_class.second_order:
        return rule.instance_class.lift
    return lambda rule, rows, i, moved: 0.0


@overload(wants, jit_options=OPTIONS)
def _wants(rule, row_margin, stretch):
    if rule.instance_class.second_order:
        return rule.instance_class.wants
    return lambda rule, row_margin, stretch: True
