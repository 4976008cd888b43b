"""What a column of texts holds: numbers, in any notation, categories, free text, dates, identifiers.

The standard library only, for the same reason as open_files.py.
"""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from ..certificates.check import NUMBER as NUMBER
from ..certificates.check import is_number
from ..errors import InputError, comma_list, shell_quoted, shown, tell
from .notations import AmbiguousError, Notation, currencies_of, notation_of, plain, plain_number, units_of

MISSING = frozenset({"", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL"})
"""Texts that stand for no value."""
MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
DATE = re.compile(
    r"\d{4}[-/.年]\d{1,2}([-/.月]\d{1,2}.*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}.*|\d{1,2}:\d{2}(:\d{2}.*)?"
    rf"|\d{{1,2}}[-. ]{{1,2}}{MONTH}[-, ]{{1,2}}\d{{2,4}}.*|{MONTH}[- ](\d{{1,2}},? )?\d{{4}}.*",
    re.IGNORECASE,
)
MARK = re.compile(r"[^\w\s]+|\\N")
"""What is no word: among numbers it seldom means anything but that there is none."""
FEW = 20
"""Different values up to which numbers and words may be mixed categories."""
LONG = 20
"""Characters above which, on average, texts that differ from row to row are free text."""
ROW_NAME = re.compile(
    r"(.*[\W_])?(id|ids|index|idx|row|rowid|rownum|rownames|row.?number)|unnamed: \d+|column \d+|.*(编号|序号|学号)",
    re.IGNORECASE,
)
CAMEL_ID = re.compile(r".*[a-z](Id|ID)")
UNREADABLE_DATE = (
    "holds dates or times that cannot be told for sure: write them as 2024-05-31, 2024-05-31 18:30 or 18:30"
)


class MixedError(ValueError):
    """A column of numbers with something else among them."""

    def __init__(self, invalid: Iterable[str]) -> None:
        self.invalid = frozenset(invalid)
        super().__init__(min(self.invalid))

    def sentence(self, column: str, cells: Iterable[str]) -> str:
        """What the first of a column's cells is that is something else, where, and what to do."""
        k, cell = next((k, cell) for k, cell in enumerate(cells) if cell in self.invalid)
        if any(map(str.isdigit, cell)):
            return (
                f"Column {column!r} has {shown(cell)} in row {k + 1}, written otherwise than its other numbers: write "
                f"all in one way, or take the column as --categorical {shell_quoted(column)}."
            )
        return (
            f"Column {column!r} holds numbers, but {shown(cell)} in row {k + 1}: if that means a missing value, say "
            f"--na {shown(cell)}; if the numbers are names, --categorical {shell_quoted(column)}."
        )


class PointError(ValueError):
    """A number with a point before its decimals, where it is said that a comma comes there."""


class SeveralUnitsError(ValueError):
    """A column of amounts in several currencies, or of quantities in several units."""

    def __init__(self, units: list[str], currencies: bool) -> None:
        super().__init__(units)
        self.units, self.currencies = units, currencies

    def sentence(self, column: str) -> str:
        """What is wrong with the column of this name, and what to do."""
        units, remedy = comma_list(self.units), f"or take the column as --categorical {shell_quoted(column)}."
        if self.currencies:
            return f"Column {column!r} has amounts in {units}: give all in one currency, {remedy}"
        return f"Column {column!r} has quantities in {units}: give all in one unit, {remedy}"


class Kind(NamedTuple):
    """What a column holds; of numbers also how they are written, if not as plain decimals."""

    kind: str  # number, category, text, date (of no known notation) or identifier
    notation: Notation | None = None


def kind_of(values: Collection[str], rows: int, decimal: str | None = None) -> Kind:
    """The kind of a column with these different values, none missing, in so many rows; ``decimal`` is the sign before
    decimals, where the user says it.

    >>> [kind_of(values, 3).kind for values in ({"1", "2.5e3", "-.5"}, {"red", "green"}, {"2024-05"})]
    ['number', 'category', 'date']
    """
    invalid = [value for value in values if not is_number(value)]
    if not invalid and decimal != ",":
        return Kind("number")
    if notation := notation_of(values, decimal):
        return Kind("number", notation)
    if not invalid:
        return with_points(values)
    check_not_mixed(values, invalid, decimal)
    if all(map(DATE.fullmatch, values)):
        return Kind("date")
    if 2 * len(values) > rows and sum(map(len, values)) > LONG * len(values):
        return Kind("text")
    if len(values) > FEW and 10 * len(values) > 9 * rows:
        return Kind("identifier")
    return Kind("category")


def with_points(values: Collection[str]) -> Kind:
    """The kind of numbers with points, where a comma is said to come before decimals: plain, if none can be read so."""
    commas = {value: plain_number(value, ",") for value in values if "." in value}
    if any(commas.values()):
        raise PointError(min(value for value, number in commas.items() if number is None))
    return Kind("number")


def check_not_mixed(values: Collection[str], invalid: list[str], decimal: str | None) -> None:
    """Raise if most of many values are numbers of one notation, and some are not."""
    if len(values) <= FEW:
        if invalid and 2 * len(invalid) < len(values) and all(map(MARK.fullmatch, invalid)):
            raise MixedError(invalid)
        return
    if len(units := currencies_of(values)) > 1:
        raise SeveralUnitsError(units, currencies=True)
    if len(units := units_of(values)) > 1:
        raise SeveralUnitsError(units, currencies=False)
    if 2 * len(invalid) < len(values):
        raise MixedError(invalid)
    if notation := notation_of(values, decimal, share=0.5):
        raise MixedError(value for value in values if plain(value, notation) is None)


def kind_of_texts(column: str, values: Collection[str], rows: int, decimal: str | None) -> Kind:
    """The kind of a column that may be trained on or proved of; what cannot be told is an error that names it."""
    try:
        found = kind_of(values, rows, decimal)
    except AmbiguousError as error:
        raise InputError(
            f"Column {column!r} has {shown(error.text)}, whose comma may come before decimals or between thousands: "
            "say --decimal , or --decimal . for the one or the other."
        ) from error
    except SeveralUnitsError as error:
        raise InputError(error.sentence(column)) from error
    except PointError as error:
        raise InputError(
            f"Column {column!r} has {shown(str(error))}, but --decimal , says that a comma comes before decimals: "
            f"leave it away, or the column out with --drop {shell_quoted(column)}."
        ) from error
    if found.kind == "date":
        raise InputError(f"Column {column!r} {UNREADABLE_DATE}, or leave it out with --drop {shell_quoted(column)}.")
    if decimal == "," and found == Kind("number") and (points := [value for value in values if "." in value]):
        tell(f"Column {column!r} has a point before its decimals, as in {shown(min(points))}.")
    if found.kind != "number" and (units := units_of(values)):
        tell(
            f"Column {column!r} has quantities in {comma_list(units)}, taken as categories: give all in one unit to "
            "have them as numbers."
        )
    elif found.kind == "category" and (others := others_among_numbers(values)):
        tell(f"Column {column!r} has numbers and {comma_list(map(shown, others))}, all taken as categories.")
    return found


def others_among_numbers(values: Collection[str]) -> list[str]:
    """The values that are no numbers where most are, in order."""
    others = [value for value in values if not is_number(value)]
    return sorted(others) if 2 * len(others) < len(values) else []


def names_rows(column: str) -> bool:
    """Whether a column is called as those are that number the rows."""
    return bool(ROW_NAME.fullmatch(column) or CAMEL_ID.fullmatch(column))
