"""The lecture as a course: every claim of the notes is run, and said whether it holds.

>>> from novikoff.course import run_course
>>> row = next(run_course(["C11"]))
>>> row.claim, row.holds
('C11', True)
"""

from typing import Any

from .page import html
from .run_claims import ClaimRow, run_course

__all__ = ["ClaimRow", "check", "html", "run_course"]


def check(number: int, answer: Any, lang: str = "en") -> Any:
    """Judge an answer to an exercise of the course by running it: true if it is right, and as text the reason.

    >>> bool(check(1, (-1, -1, 1.5)))
    True
    >>> print(check(1, (1, 1, -1.5)))
    Not yet: at (0, 0) the neuron gives -1, and NAND is 1.
    """
    from .exercises import check as judge  # it needs everything

    return judge(number, answer, lang)
