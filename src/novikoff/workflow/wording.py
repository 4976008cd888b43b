"""Words and numbers that the terminal and the report share."""

from typing import Any

KINDS = {
    "number": "numbers",
    "category": "categories",
    "text": "free text",
    "identifier": "left out, as they name rows",
    "empty": "left out, as they are empty",
    "dropped": "left out, as asked for",
}
"""What the kinds of columns are called."""
STATUS = {
    "separated": "separated: a full pass made no mistake.",
    "inseparable": "inseparable: it is proved that no plane has every row on its right side.",
    "thin": "thin: it is proved that no plane has a margin worth waiting for, and passes have ceased to help.",
    "stopped": "stopped: the limit of passes was reached.",
}
"""What the ends of a run mean."""


ROUNDING = 1e-9
"""How far, relatively, a computed bound may be below a whole number that it allows."""


def number(value: Any, at_most: bool = False) -> str:
    """A number for people; ``at_most``, of a bound on a count, the largest whole number that it allows.

    >>> number(1234567), number(0.012345), number(None), number(7.99999999999, at_most=True)
    ('1,234,567', '0.01235', '', '8')
    """
    if value is None:
        return ""
    value = int(value * (1 + ROUNDING)) if at_most else value
    return f"{value:,.0f}" if isinstance(value, int) or abs(value) >= 1000 else f"{value:.4g}"
