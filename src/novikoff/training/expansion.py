"""Functions of a kernel's feature space: what is to be learnt, what they are made of, and what is learnt of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..certificates.certificate import Certificate
from ..passes.kernel_rule import KernelRule
from ..passes.ledger import Targets
from .kernels import Kernel, Points
from .outcomes import Outcome
from .run import Plan

NO_INNER_PRODUCT = (
    "every row is on its right side, but the kernel is not an inner product, so there is no feature space with a margin"
)


@dataclass(frozen=True)
class KernelTask:
    """Rows, their labels, the kernel, and how to learn them."""

    kernel: Kernel
    points: Points
    targets: Targets
    rule: KernelRule
    plan: Plan
    n_functions: int  # functions: one for two classes, else one per class
    radius: float  # of the longest update of step 1, in the feature space

    @property
    def lightest(self) -> float:
        """The least sample weight of a row that counts."""
        return float(self.targets.sample_weight[self.targets.sample_weight > 0].min())

    @property
    def heaviest(self) -> float:
        return float(self.targets.sample_weight.max())


@dataclass(frozen=True)
class Expansion:
    """Functions as coefficients on rows that are kept: Σ c_j·φ(z_j), one function per row."""

    points: Points
    coefficients: np.ndarray
    weighted_sums: np.ndarray  # the same, each update times the visits before it
    n_visits: np.ndarray  # visits of each function
    square: np.ndarray  # ‖f‖² of each

    def averaged(self) -> np.ndarray:
        """The coefficients of the mean of the functions after every visit."""
        return self.coefficients - self.weighted_sums / np.maximum(self.n_visits, 1)[:, None]

    def pruned(self) -> "Expansion":
        """Without the rows on which every coefficient is zero."""
        kept = np.flatnonzero((self.coefficients != 0).any(axis=0) | (self.weighted_sums != 0).any(axis=0))
        return Expansion(
            self.points[kept], self.coefficients[:, kept], self.weighted_sums[:, kept], self.n_visits, self.square
        )


def zero_functions(points: Points, n_functions: int) -> Expansion:
    """The functions that are zero, for rows of this kind."""
    none, zero = points[np.zeros(0, dtype=np.intp)], np.zeros((n_functions, 0))
    return Expansion(none, zero, zero, np.zeros(n_functions), np.zeros(n_functions))


@dataclass(frozen=True)
class Learnt:
    """What came out of a run: functions, and for every problem how it ended and what is known of it."""

    functions: Expansion
    outcomes: list[Outcome]
    margins: list[float]
    mistake_bounds: list[float]
    certificates: list[Certificate | None]
    counts: np.ndarray  # how often each row was updated on, one row per function
    removed: Any = None  # on a budget, the length of what each problem lost
