"""All that a pass works on besides the weights."""

from typing import Any, NamedTuple

from .kernel_rule import KernelRule
from .ledger import Targets
from .observers import Observer, Recording
from .rows import Rows
from .rules import Rule


class Sweep(NamedTuple):
    """Rows and targets, rule and observer, update counts and ledger; of a kernel, the rows are not looked at.

    Rules of second order have ``variances`` too, in rows that lie as those of the weights.
    """

    rows: Rows | Any
    targets: Targets
    rule: Rule | KernelRule
    observer: Observer | Recording
    update_counts: Any
    ledger: Any
    variances: Any = None
