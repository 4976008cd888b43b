"""Where a claim is taught: the section of the chapter, and what the lab shows of it."""

from typing import NamedTuple

from ..lab import HOST, PORT

LAB = f"http://{HOST}:{PORT}/"
"""Where ``novikoff lab`` is found, unless that port is in use."""


class Place(NamedTuple):
    """The section of the chapter that has the claim, and the lab's address after the #: a lesson where there is one.

    A table with more than two columns cannot be drawn in the lab: its claim has no address.
    """

    section: int
    lab: str = ""


PLACES = {
    "C01": Place(2, "lesson=gates"),
    "C02": Place(2, "lesson=gates"),
    "C03": Place(3, "lesson=plane"),
    "C04": Place(4, "lesson=rule"),
    "C05": Place(4, "preset=margin&p.w1_init=-3&p.w2_init=2&p.b_init=1&step=0"),
    "C06": Place(1),
    "C07": Place(5, "lesson=gates"),
    "C08": Place(5, "lesson=xor"),
    "C09": Place(6, "lesson=novikoff"),
    "C10": Place(6, "lesson=novikoff"),
    "C11": Place(7, "lesson=tight"),
    "C12": Place(7, "lesson=worst"),
    "C13": Place(8, "lesson=margin"),
    "C14": Place(9, "lesson=lift"),
    "C15": Place(9, "lesson=slack"),
    "C16": Place(10, "lesson=dual"),
    "C17": Place(10, "lesson=kernels"),
    "C18": Place(9, "lesson=pocket"),
    "C19": Place(6, "preset=margin&step=0"),
    "C20": Place(11, "lesson=layers"),
    "C21": Place(12, "function=0110"),
    "C22": Place(1),
    "C23": Place(8, "lesson=margin"),
    "C24": Place(12),
    "C25": Place(11),
    "C26": Place(8, "lesson=margin"),
}


def after_hash(lang: str, address: str) -> str:
    """What follows the lab's own address, in this language."""
    return f"#lang={lang}&{address}"


def lab_address(lang: str, address: str) -> str:
    """A link into the lab, in this language."""
    return LAB + after_hash(lang, address)
