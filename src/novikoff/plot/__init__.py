"""Pictures of neurons, planes and runs, with matplotlib (the extra ``plot``).

Every function draws on ``ax`` or on new Axes, and returns them.  ``lang="zh"`` writes Chinese, in a font that comes
with the package.  Colours are those of Okabe and Ito, which colour-blind readers can tell apart; classes differ by
marker too.
"""

from .likelihoods import likelihood_profile, responsible_rows
from .neurons import activations, losses, neuron
from .planes import decision_boundary, logic_gates, novikoff, three_kinds
from .runs import animate, growth, learning, update, updates, worst_case
from .surfaces import kernel_surface, kernels

__all__ = [
    "activations",
    "animate",
    "decision_boundary",
    "growth",
    "kernel_surface",
    "kernels",
    "learning",
    "likelihood_profile",
    "logic_gates",
    "losses",
    "neuron",
    "novikoff",
    "responsible_rows",
    "three_kinds",
    "update",
    "updates",
    "worst_case",
]
