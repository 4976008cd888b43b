"""What a column of texts holds: numbers (also such with a decimal comma), categories, free text, dates, identifiers.

The standard library only, for the same reason as open_files.py.
"""

import re
from collections.abc import Collection

from ..certificates.check import NUMBER as NUMBER
from ..certificates.check import is_number

MISSING = frozenset({"", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL"})
"""Texts that stand for no value."""
DATE = re.compile(r"\d{4}[-/.年]\d{1,2}([-/.月]\d{1,2}.*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}.*|\d{1,2}:\d{2}(:\d{2}.*)?")
COMMA = re.compile(r"[+-]?\d+,\d+", re.ASCII)
FEW = 20
"""Different values up to which numbers and words may be mixed categories."""
LONG = 20
"""Characters above which, on average, texts that differ from row to row are free text."""

REFUSED = {
    "date": "holds dates or times: turn them into numbers that mean something for your question, such as days since a "
    "start",
    "comma": "writes decimals with a comma: write them with a point",
}
"""Kinds that are not taken as they are, and what to do."""


class MixedError(ValueError):
    """A column of numbers with something else among them."""

    def __init__(self, invalid: str) -> None:
        super().__init__(invalid)
        self.invalid = invalid


def kind_of(values: Collection[str], rows: int) -> str:
    """The kind of a column with these different values, none missing, in so many rows.

    >>> kind_of({"1", "2.5e3", "-.5"}, 3), kind_of({"red", "green"}, 3), kind_of({"2024-05-01"}, 3)
    ('number', 'category', 'date')
    """
    invalid = [value for value in values if not is_number(value)]
    if not invalid:
        return "number"
    if len(values) > FEW and 2 * len(invalid) < len(values) and not all(map(COMMA.fullmatch, invalid)):
        raise MixedError(min(invalid))
    if all(map(DATE.fullmatch, values)):
        return "date"
    if all(COMMA.fullmatch(value) or NUMBER.fullmatch(value) for value in values):
        return "comma"
    if 2 * len(values) > rows and sum(map(len, values)) > LONG * len(values):
        return "text"
    if len(values) > FEW and 10 * len(values) > 9 * rows:
        return "identifier"
    return "category"
