"""A truth table that is toggled on the page: the smallest weights of its function, or why there are none."""

from collections.abc import Mapping
from itertools import product
from typing import Any

from ..proofs.certify import check
from ..proofs.threshold_functions import ThresholdFunction, threshold_function
from .controls import Refusal

SIZES = (4, 8)
"""Rows of the tables of two and three inputs, which can be drawn."""


def weigh_table(body: Any) -> dict[str, Any]:
    """Weights and threshold, or the rows of a trade, and whether that was checked."""
    table = body.get("table") if isinstance(body, Mapping) else None
    if not (isinstance(table, list) and len(table) in SIZES and all(type(v) is int and v in (0, 1) for v in table)):
        raise Refusal("form", "table must be a list of 4 or 8 values, each 0 or 1.")
    found = threshold_function(table)
    points = list(product((0, 1), repeat=len(found.inputs)))
    trade = found.trade and [[points.index(point) for point in side] for side in found.trade]
    return {
        "weights": found.weights,
        "threshold": found.threshold,
        "trade": trade,
        "checked": found.holds() and checker_accepts(found, points),
    }


def checker_accepts(found: ThresholdFunction, points: list[tuple[int, ...]]) -> bool:
    """Whether the independent checker accepts the proof; of a constant there is nothing to separate."""
    certificate = found.certify()
    return certificate is None or bool(check(certificate, points, list(found.table)))
