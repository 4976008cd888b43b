"""Numbers that are written in other ways than as plain decimals: percentages, amounts of money, quantities in a unit,
thousands separators, decimal commas, dates, times and truth values; each becomes a plain decimal, exactly.

The standard library only, for the same reason as open_files.py.
"""

import re
from collections.abc import Callable, Collection
from datetime import date
from itertools import islice
from typing import NamedTuple

from ..certificates.check import is_number
from ..errors import shown

SPACES = " \u00a0\u2009\u202f"
GROUPS = {".": f",'’{SPACES}", ",": f".'’{SPACES}"}
"""What may stand between groups of three digits, by the sign before decimals."""


def number_pattern(decimal: str) -> re.Pattern[str]:
    """Numbers with this sign before decimals; no group of thousands begins a number with a zero."""
    sign = re.escape(decimal)
    whole = rf"\d+|[1-9]\d{{0,2}}(?P<group>[{re.escape(GROUPS[decimal])}])\d{{3}}(?:(?P=group)\d{{3}})*"
    return re.compile(rf"[+-]?(?:(?:{whole})(?:{sign}\d*)?|{sign}\d+)(?:[eE][+-]?\d{{1,4}})?", re.ASCII)


WRITTEN = {decimal: number_pattern(decimal) for decimal in GROUPS}
PERCENTAGE = re.compile(r"(?P<body>.*\S)\s*[%％]")
CODES = "USD|EUR|GBP|CNY|RMB|JPY|CHF|CAD|AUD|HKD|INR|KRW|SEK|NOK|DKK|RUB|BRL|MXN|PLN|CZK"
CURRENCY = rf"(?:US|A|C|HK|NT|R)?\$|[€£¥￥₹₽₩₺₪元]|(?:{CODES})"
AMOUNT = re.compile(rf"(?P<sign>[+-]?)\s*(?P<before>{CURRENCY})?\s*(?P<body>[^\s].*?)\s*(?P<after>{CURRENCY})?")
QUANTITY = re.compile(r"(?P<body>[+-]?[\d.,].*?)(?P<gap>\s*)(?P<unit>[°µμ]?[^\W\d_][^\W\d_²³/·]{,11}[²³]?|[°Ω])")
LETTERS = frozenset("gmsthdlLKCFVAWJN")
"""Units of one letter, which may follow a number without a space; others, as of 3a, are no units."""
DAY = r"(?P<year>\d{4})(?:[-/.]|年)(?P<month>\d{1,2})(?:[-/.]|月)(?P<day>\d{1,2})日?"
CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?P<part>\.\d+)?)?"
DATE = re.compile(DAY, re.ASCII)
TIME = re.compile(rf"{DAY}(?:T|\s+){CLOCK}\s*(?P<zone>Z|[+-]\d{{2}}:?\d{{2}})?", re.ASCII)
HOUR = re.compile(CLOCK, re.ASCII)
TRUTH = [
    {"true", "false"},
    {"yes", "no"},
    {"t", "f"},
    {"y", "n"},
    {"on", "off"},
    {"ja", "nein"},
    {"oui", "non"},
    {"是", "否"},
    {"真", "假"},
]
"""Pairs of words for truth values, whatever their case; the first of each pair in TRUE is 1."""
TRUE = frozenset({"true", "yes", "t", "y", "on", "ja", "oui", "是", "真"})
START = date(1970, 1, 1).toordinal()


class Notation(NamedTuple):
    """How the numbers of a column are written."""

    form: str  # a key of FORMS
    unit: str = ""  # of amounts the currency, of times "zone" where they have one
    decimal: str = "."  # the sign before decimals


class AmbiguousError(ValueError):
    """A number that may be two."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def plain_number(text: str, decimal: str) -> str | None:
    """A number as a plain decimal; None if it is none.

    >>> plain_number("1,234.5", "."), plain_number("1.234,5", ","), plain_number("1,5", ".")
    ('1234.5', '1234.5', None)
    """
    if not WRITTEN[decimal].fullmatch(text):
        return None
    text = text.translate(dict.fromkeys(map(ord, GROUPS[decimal])))
    return text.replace(",", ".")


def percentage_body(text: str, unit: str) -> str | None:
    """The number before or after a sign of percent."""
    match = PERCENTAGE.fullmatch(text)
    return match["body"] if match else None


def amount_parts(text: str) -> tuple[str, str] | None:
    """The number of an amount and its currency; None of what is none.

    >>> amount_parts("-$5"), amount_parts("1.50 €"), amount_parts("(USD 2)"), amount_parts("5")
    (('-5', '$'), ('1.50', '€'), ('-2', 'USD'), None)
    """
    negative = text.startswith("(") and text.endswith(")")
    match = AMOUNT.fullmatch(text[1:-1] if negative else text)
    if match is None or bool(match["before"]) == bool(match["after"]):
        return None
    sign = match["sign"]
    if negative and (sign or match["body"].startswith(("+", "-"))):
        return None
    return ("-" if negative else sign) + match["body"], match["before"] or match["after"]


def currencies_of(values: Collection[str]) -> list[str]:
    """The currencies that cells are in, all of them amounts; none if a cell is no amount.

    >>> currencies_of({"$5", "€6"}), currencies_of({"$5", "6"})
    (['$', '€'], [])
    """
    parts = [amount_parts(value) for value in values] if all(map(amount_parts, islice(values, 20))) else []
    return sorted({part[1] for part in parts if part}) if all(parts) else []


def quantity_parts(text: str) -> tuple[str, str] | None:
    """The number of a quantity and its unit; None of what is none.

    >>> quantity_parts("50.9 kg"), quantity_parts("1,5m"), quantity_parts("3a"), quantity_parts("36.6°C")
    (('50.9', 'kg'), ('1,5', 'm'), None, ('36.6', '°C'))
    """
    match = QUANTITY.fullmatch(text)
    if match is None or not any(map(match["body"].endswith, "0123456789.,")):
        return None
    unit = match["unit"]
    known = bool(match["gap"]) or len(unit) > 1 or not unit.isascii() or unit in LETTERS
    return (match["body"], unit) if known else None


def body_in(unit: str, parts: tuple[str, str] | None) -> str | None:
    """The number of an amount or a quantity that is in this unit."""
    return parts[0] if parts and parts[1] == unit else None


def units_of(values: Collection[str]) -> list[str]:
    """The units of cells that are all numbers with a unit; none if one is something else.

    >>> units_of({"5 kg", "70 g"}), units_of({"5 kg", "heavy"})
    (['g', 'kg'], [])
    """
    parts = [quantity_parts(value) for value in values] if all(map(quantity_parts, islice(values, 20))) else []
    numbers = all(part and any(pattern.fullmatch(part[0]) for pattern in WRITTEN.values()) for part in parts)
    return sorted({part[1] for part in parts if part}) if numbers else []


def days(match: re.Match[str]) -> int | None:
    """The days from 1970-01-01 to a date; None of a day that no calendar has."""
    try:
        return date(int(match["year"]), int(match["month"]), int(match["day"])).toordinal() - START
    except ValueError:
        return None


def seconds(match: re.Match[str]) -> int | None:
    """The whole seconds from midnight to a time; None of one that no clock shows."""
    hour, minute, second = (int(match[name] or 0) for name in ("hour", "minute", "second"))
    return 3600 * hour + 60 * minute + second if hour < 24 and minute < 60 and second < 60 else None


def date_number(text: str, unit: str) -> str | None:
    """Days since 1970-01-01.

    >>> date_number("1970-01-31", ""), date_number("2024年5月1日", ""), date_number("2023-02-29", "")
    ('30', '19844', None)
    """
    match = DATE.fullmatch(text)
    number = days(match) if match else None
    return None if number is None else str(number)


def time_number(text: str, unit: str) -> str | None:
    """Seconds since 1970-01-01 00:00, of times with a zone in UTC.

    >>> time_number("1970-01-02 00:00:01.5", ""), time_number("1970-01-01T01:00+01:00", "zone")
    ('86401.5', '0')
    """
    match = TIME.fullmatch(text)
    if match is None or bool(match["zone"]) != (unit == "zone"):
        return None
    day, second = days(match), seconds(match)
    if day is None or second is None:
        return None
    return with_part(86400 * day + second - zone_seconds(match["zone"] or "Z"), match["part"])


def with_part(whole: int, part: str | None) -> str:
    """A whole number of seconds and a part of one, written as a decimal.

    >>> with_part(-1, ".25"), with_part(-5, ".5"), with_part(7, None)
    ('-0.75', '-4.5', '7')
    """
    if whole >= 0 or not part or not int(part[1:]):
        return f"{whole}{part or ''}"
    digits = len(part) - 1
    left = 10**digits * -whole - int(part[1:])
    return f"-{left // 10**digits}.{left % 10**digits:0{digits}d}"


def zone_seconds(zone: str) -> int:
    """How far a zone is ahead of UTC."""
    if zone == "Z":
        return 0
    digits = zone[1:].replace(":", "")
    return (-1 if zone[0] == "-" else 1) * (3600 * int(digits[:2]) + 60 * int(digits[2:]))


def hour_number(text: str, unit: str) -> str | None:
    """Seconds since midnight."""
    match = HOUR.fullmatch(text)
    whole = seconds(match) if match else None
    return None if match is None or whole is None else with_part(whole, match["part"])


def truth_number(text: str, unit: str) -> str | None:
    """1 or 0; the unit is the word for 1."""
    word = text.casefold()
    pair = next((pair for pair in TRUTH if unit in pair), set[str]())
    return str(int(word == unit)) if word in pair else None


FORMS: dict[str, tuple[Callable[[str, str], str | None], str, str]] = {
    "percentages": (percentage_body, "percentages", "in percent"),
    "amounts": (lambda text, unit: body_in(unit, amount_parts(text)), "amounts of money", "in its currency"),
    "quantities": (lambda text, unit: body_in(unit, quantity_parts(text)), "quantities", "in its unit"),
    "numbers": (lambda text, unit: text, "numbers", ""),
    "dates": (date_number, "dates", "in days since 1970-01-01, without month and weekday"),
    "times": (time_number, "dates with times", "in seconds since 1970-01-01 00:00, without month and weekday"),
    "hours": (hour_number, "times of day", "in seconds since midnight"),
    "durations": (lambda text, unit: None, "durations", "in seconds"),
    "truth": (truth_number, "truth values", "1 for yes and 0 for no"),
}
"""What the body of a cell is, what such cells are called, and what they become."""
DECIMALS = ("percentages", "amounts", "quantities", "numbers")
"""The forms whose bodies are numbers."""


def plain(text: str, notation: Notation) -> str | None:
    """A cell as a plain decimal; None if it is not in the notation.

    >>> plain("12.5 %", Notation("percentages")), plain("1.234,50 €", Notation("amounts", "€", ","))
    ('12.5', '1234.50')
    """
    body = FORMS[notation.form][0](text, notation.unit)
    return plain_number(body, notation.decimal) if body is not None and notation.form in DECIMALS else body


def notation_of(values: Collection[str], decimal: str | None, share: float = 1.0) -> Notation | None:
    """The notation that these different cells are written in, none of them missing, or at least a share of them; None
    if there is none.

    >>> notation_of({"1,5", "2"}, None), notation_of({"yes", "No"}, None), notation_of({"$5", "€5"}, None)
    (Notation(form='numbers', unit='', decimal=','), Notation(form='truth', unit='yes', decimal='.'), None)
    """
    first = next((value for value in sorted(values) if not is_number(value)), None) if decimal is None else None
    if first is None and decimal is None:
        return None
    for form, unit in candidates(values, first):
        body = FORMS[form][0]
        if share == 1 and any(body(value, unit) is None for value in islice(values, 20)):
            continue
        bodies = [text for value in values if (text := body(value, unit)) is not None]
        if len(bodies) < share * len(values):
            continue
        if form not in DECIMALS:
            return Notation(form, unit)
        sign = decimal_sign(bodies, decimal, share)
        if sign is not None:
            return Notation(form, unit, sign)
    return None


def candidates(values: Collection[str], first: str | None) -> list[tuple[str, str]]:
    """The forms, with their units, that a column may have one of whose cells this is; any of them for None."""
    words = {value.casefold() for value in values}
    if len(words) == 2 and words in TRUTH:
        return [("truth", next(iter(words & TRUE)))]
    tried = sorted(values)[:: max(1, len(values) // 5)] if first is None else [first, max(values)]
    currencies = [parts[1] for value in tried if (parts := amount_parts(value))]
    units = [parts[1] for value in tried if (parts := quantity_parts(value))]
    return [
        ("percentages", ""),
        *(("amounts", unit) for unit in dict.fromkeys(currencies)),
        *(("quantities", unit) for unit in dict.fromkeys(units)),
        ("numbers", ""),
        ("dates", ""),
        ("times", ""),
        ("times", "zone"),
        ("hours", ""),
    ]


def decimal_sign(bodies: Collection[str], decimal: str | None, share: float) -> str | None:
    """The sign before decimals with which these are numbers; None if neither is one."""
    least = share * len(bodies)
    signs = [sign for sign in WRITTEN if sum(map(bool, map(WRITTEN[sign].fullmatch, bodies))) >= least]
    if decimal is not None:
        return decimal if decimal in signs else None
    if len(signs) < 2:
        return signs[0] if signs else None
    either = min((body for body in bodies if "," in body and is_grouped(body)), default=None)
    if either is not None:
        raise AmbiguousError(either)
    return "."


def is_grouped(body: str) -> bool:
    """Whether a number has a comma that may be either sign."""
    return WRITTEN["."].fullmatch(body) is not None and WRITTEN[","].fullmatch(body) is not None


def describe(column: str, notation: Notation, example: str) -> str:
    """What a column was taken for.

    >>> describe("rate", Notation("percentages"), "12.5%")
    "Column 'rate' is read as percentages, in percent: '12.5%' is 12.5."
    """
    _, name, meaning = FORMS[notation.form]
    if notation.form in ("amounts", "quantities"):
        meaning = f"in {notation.unit}"
    if notation.decimal == ",":
        name += " with decimal commas"
    elif notation.form == "numbers":
        name += " with thousands separators"
    number = plain(example, notation)
    is_said = "" if number is None else f": {shown(example)} is {number}"
    return f"Column {column!r} is read as {name}{meaning and f', {meaning}'}{is_said}."
