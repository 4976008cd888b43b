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


def bound(value: Any) -> str:
    """A bound on a count: the whole numbers that it allows."""
    return "" if value is None else f"{int(value * (1 + 1e-9)):,}"


def number(value: Any) -> str:
    """A number for people.

    >>> number(1234567), number(0.012345), number(None)
    ('1,234,567', '0.01235', '')
    """
    if value is None:
        return ""
    return f"{value:,.0f}" if isinstance(value, int) or abs(value) >= 1000 else f"{value:.4g}"
