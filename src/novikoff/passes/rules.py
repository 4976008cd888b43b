"""The rules of the family: up to which row margin y·(w·x) an update is made, by how long a step, and what is proved.

A rule is a named tuple.  Its formulas are static methods, which the passes are compiled with for its type, so that each
is as quick as if written for it alone.  ``ledger`` is the line of the problem (see ledger.py), ``weight`` the sample
weight of the row, and ``stretch`` is ‖z‖²/‖x‖² of the update z: 1, or 2 where it moves two classes.
"""

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from .. import bounds
from .compiled import OPTIONS
from .ledger import BEFORE, SQUARE, TRAVELLED
from .rows import Rows, square


class Facts(NamedTuple):
    """What a mistake bound may depend on besides radius and margin."""

    start: float = 0.0  # ‖w₀‖
    lightest: float = 1.0  # the least and the largest sample weight
    heaviest: float = 1.0
    updates: int = 0  # made by the run
    margin_bound: float = np.inf  # that it proved of every plane


class Plain(namedtuple("Plain", "bar", defaults=(0.0,))):
    """The perceptron: while y·(w·x) ≤ 0 (the bar), w ← w + y·x.  At most r²/ρ² updates (Novikoff)."""

    own_steps = True  # an update adds the row with its own weight, so that update counts tell the weights
    ends = True  # on separable rows there is a last update
    needs_norm = False  # whether it keeps SQUARE
    needs_row_margin = False  # whether its step depends on the row margin, so that an approximate one will not do
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


Rule = Plain | FixedMargin | DynamicMargin | PassiveAggressive


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
