"""The claims by number: the experiment of each, to be run and to be shown."""

from collections.abc import Callable
from typing import Any

from . import bound_claims, feature_claims, neuron_claims

Say = Callable[[str], None]
"""Told how far a claim has come, if it takes long."""
LONG = ("C21",)
"""Claims that say how far they are."""


def experiments() -> dict[str, Callable[..., dict[str, Any]]]:
    """The functions c01, c02, … of the three modules, by the number of their claim."""
    modules = (neuron_claims, bound_claims, feature_claims)
    named = {name: value for module in modules for name, value in vars(module).items() if name[1:].isdigit()}
    return {name.upper(): named[name] for name in sorted(named)}


CLAIMS = experiments()
"""The function of every claim: it returns what was measured, and whether the claim ``holds``."""


def run_claim(claim: str, say: Say) -> dict[str, Any]:
    """What was measured."""
    return CLAIMS[claim](say) if claim in LONG else CLAIMS[claim]()
