"""The rows that a regression poses: its likelihood grows for ever along β exactly if no z·β is negative.

- Binomial, with any log-concave link: z = x for a row of the one class, −x for one of the other, the reference.
- Multinomial, one class as reference: for a row of class a and each other class b, x in the columns of a, −x in those
  of b; the reference has no columns.  Two classes are the binomial case.
- Poisson, and other counts with a log link: z = −x for a count of zero; a row of a positive count allows no z·β but 0.

x has its 1 for the intercept as its last column.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..exact.ratios import Ratios
from ..proofs.question import DataMatrix
from ..proofs.signed_rows import SignedRows

FAMILIES = ("binomial", "multinomial", "poisson")
DENSE = 2**22
"""Numbers up to which the rows of several classes are laid out with their zeros."""


@dataclass(frozen=True)
class PosedRows:
    """The signed rows of a regression, for the search, and where each comes from.

    A row that allows no z·β but 0 is there twice, with either sign: the second time it is ``flipped``.
    """

    signed: SignedRows
    numbers: np.ndarray  # of each row among those that the family poses, as proofs number them
    flipped: np.ndarray

    def weights(self, places: dict[int, int]) -> dict[int, int]:
        """{number of a row: weight} of the weights of rows by place; the copies of one row are added up."""
        total: dict[int, int] = {}
        for k, weight in places.items():
            number = int(self.numbers[k])
            total[number] = total.get(number, 0) + (-weight if self.flipped[k] else weight)
        return {number: weight for number, weight in sorted(total.items()) if weight}

    def twice(self) -> set[int]:
        """The numbers of the rows that allow no z·β but 0."""
        return set(self.numbers[self.flipped].tolist())


def posed_rows(numbers: Any, family: str, labels: np.ndarray, fit_intercept: bool) -> PosedRows:
    """The rows of a matrix or of ratios; labels are numbers of classes, of which 0 is the reference, or counts."""
    n = numbers.shape[0]
    everyone = np.arange(n)
    if family == "poisson":
        positive = np.flatnonzero(labels)
        data = DataMatrix(stacked(numbers, positive), fit_intercept)
        signs = np.concatenate([np.where(labels > 0, 1, -1), np.full(len(positive), -1)])
        flipped = np.arange(n + len(positive)) >= n
        return PosedRows(SignedRows(data, signs), np.concatenate([everyone, positive]), flipped)
    classes = int(labels.max()) + 1
    if classes == 2:
        signed = SignedRows(DataMatrix(numbers, fit_intercept), np.where(labels > 0, 1, -1))
        return PosedRows(signed, everyone, np.zeros(n, dtype=bool))
    data = DataMatrix(in_blocks(numbers, labels, classes, fit_intercept), False)
    count = n * (classes - 1)
    return PosedRows(SignedRows(data, np.ones(count, dtype=int)), np.arange(count), np.zeros(count, dtype=bool))


def stacked(numbers: Any, again: np.ndarray) -> Any:
    """The rows, and after them some of them again."""
    if isinstance(numbers, Ratios):
        return Ratios(np.vstack([numbers.whole, numbers.whole[again]]), numbers.over)
    if sp.issparse(numbers):
        return sp.csr_array(sp.vstack([numbers, numbers[again]]))
    return np.vstack([numbers, numbers[again]])


def in_blocks(numbers: Any, labels: np.ndarray, classes: int, fit_intercept: bool) -> Any:
    """For each row and each other class, +x in the columns of its own class and −x in those of the other."""
    whole = numbers.whole if isinstance(numbers, Ratios) else numbers
    whole = whole.astype(np.int64) if whole.dtype.kind in "bu" else whole
    n, d = whole.shape
    width = d + fit_intercept
    if fit_intercept:
        ones = np.ones((n, 1), dtype=whole.dtype)
        whole = sp.csr_array(sp.hstack([whole, ones])) if sp.issparse(whole) else np.hstack([whole, ones])
    others = [[b for b in range(classes) if b != a] for a in range(classes)]
    rival = np.array(others)[labels].ravel()  # of the rows, n·(classes − 1) in all
    own, source = np.repeat(labels, classes - 1), np.repeat(np.arange(n), classes - 1)
    shape = len(rival), (classes - 1) * width
    if sp.issparse(whole) or shape[0] * shape[1] > DENSE:
        return sparse_blocks(sp.csr_array(whole), source, own, rival, width, shape)
    out = np.zeros(shape, dtype=whole.dtype)
    blocks = out.reshape(len(rival), classes - 1, width)
    for sign, block in ((1, own), (-1, rival)):
        at = np.flatnonzero(block)
        blocks[at, block[at] - 1] = sign * whole[source[at]]
    if not isinstance(numbers, Ratios):
        return out
    return Ratios(out, [*numbers.over, *[1] * fit_intercept] * (classes - 1))


def sparse_blocks(
    whole: Any, source: np.ndarray, own: np.ndarray, rival: np.ndarray, width: int, shape: tuple[int, int]
) -> Any:
    """The same as a sparse matrix."""
    total = sp.csr_array(shape, dtype=np.float64)
    for sign, block in ((1.0, own), (-1.0, rival)):
        at = np.flatnonzero(block)
        part = whole[source[at]].astype(np.float64).tocoo()
        columns = part.coords[1] + width * (block[at][part.coords[0]] - 1)
        total = total + sp.csr_array((sign * part.data, (at[part.coords[0]], columns)), shape=shape)
    return total
