"""The lecture as a course: every claim of the notes is run, and said whether it holds.

>>> from novikoff.course import run_course
>>> row = next(run_course(["C11"]))
>>> row.claim, row.holds
('C11', True)
"""

from .page import html, markdown
from .run_claims import ClaimRow, run_course

__all__ = ["ClaimRow", "html", "markdown", "run_course"]
