"""The signed rows of one question, exactly and in floats, with a rigorous filter between the two (see question.py)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from operator import lshift, mul
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..bounds import EPS
from ..certificates.certificate import Texts
from ..exact.floats import BLOCK, bits_of, column_sums, primitive, two_to
from .question import DataMatrix, multiple

TINY = 1e-290
"""More than what underflow can take from a score whose terms are at most 1."""
NO_LENGTH = 1e-300
"""Added to lengths that are divided by, so that a row of zeros can be one."""
UNDERFLOW = -5000
"""2 to this power is 0 in float64, as any lower power is."""
PRIMES = 2097143, 2097133
"""Products of residues, summed over WIDE columns, are exact in float64."""
FEW_ROWS = 32
"""Rows whose exact margins are computed one by one."""
LONG = 62
"""Bits of a whole number that int64 holds, with a sign; those that are more than the rounding of its float as well."""
WIDE = 1500
"""Columns beyond which searches take the rows as they are, never laid out densely."""


class ExactRows:
    """The rows of a data matrix with signs +1 and −1, and without those of sign 0, in exact numbers.

    A row is called by its place k among these; ``rows`` has its place in the data.
    """

    signs_digest: str | None = None  # of all signs, if it is known

    def __init__(self, data: DataMatrix, all_signs: np.ndarray, texts: Texts) -> None:
        self.data, self.all_signs, self.texts, self.width = data, all_signs, texts, data.width
        self.rows = np.flatnonzero(all_signs)
        self.signs = all_signs[self.rows].astype(float)

    def values(self, k: int) -> list[Any]:
        """Row k as it was given, without a sign or an intercept: Python's numbers."""
        i, X = int(self.rows[k]), self.data.X
        if self.data.ratios is not None:
            return self.data.ratios.row(i)
        return (X[[i]].toarray()[0] if sp.issparse(X) else X[i]).tolist()

    def entries(self, k: int) -> list[tuple[int, int]]:
        """Column and value over its scale of the entries of row k, as given, that are not zero; without a sign."""
        data, i = self.data, int(self.rows[k])
        if data.ratios is not None:
            return [(j, v) for j, v in enumerate(data.ratios.whole[i].tolist()) if v]
        if sp.issparse(data.X):
            a, b = data.X.indptr[i], data.X.indptr[i + 1]
            columns, values = data.X.indices[a:b], data.X.data[a:b]
        else:
            columns = np.flatnonzero(data.X[i])
            values = data.X[i, columns]
        pairs = zip(columns.tolist(), values.tolist(), strict=True)
        return [(j, int(v) if data.whole else multiple(v, data.scales[j])) for j, v in pairs]

    def given(self, k: int) -> list[Fraction]:
        """Signed row k as it was given."""
        row = [*map(Fraction, self.values(k)), *[Fraction(1)] * self.data.intercept]
        return row if self.signs[k] > 0 else [-v for v in row]

    def whole_rows(self, places: np.ndarray) -> list[list[int]]:
        """Rows of the exact side, without a sign or an intercept."""
        data, rows = self.data, self.rows[places]
        if data.ratios is not None:
            whole = data.ratios.whole[rows].tolist()
        else:
            block = data.X[rows].toarray() if sp.issparse(data.X) else data.X[rows]
            if block.dtype.kind in "iu":
                whole = block.tolist()
            else:
                lowest = bits_of(block)
                odd = np.ldexp(block, -lowest).astype(np.int64)
                shifts = np.where(odd == 0, 0, lowest - data.scale_powers)
                whole = [list(map(lshift, *pair)) for pair in zip(odd.tolist(), shifts.tolist(), strict=True)]
        for j, constant in data.whole_constants.items():
            for row in whole:
                row[j] -= constant
        return whole

    def integers(self, places: Iterable[int]) -> list[list[int]]:
        """Signed rows of the exact side."""
        places = np.asarray(places if isinstance(places, np.ndarray) else list(places), dtype=int)
        whole, ones = self.whole_rows(places), [1] * self.data.intercept
        signs = self.signs[places].tolist()
        return [row + ones if sign > 0 else [-v for v in row + ones] for row, sign in zip(whole, signs, strict=True)]

    def whole_given(self, places: Iterable[int]) -> list[list[int]]:
        """Signed rows as they were given, each column divided by its scale."""
        rows = self.integers(places)
        for j, constant in self.data.whole_constants.items():
            for row in rows:
                row[j] += constant * row[-1]
        return rows

    def outer(self, w: list[int]) -> list[int]:
        """A plane of the exact side as one for the rows as they were given, without a common divisor."""
        if self.data.plain:
            return primitive(w)
        plane = [Fraction(v) / scale for v, scale in zip(w, self.data.scales, strict=True)]
        for j, constant in self.data.constants.items():
            plane[-1] -= plane[j] * constant
        return primitive(plane)

    def inner(self, w: Sequence[Fraction | int]) -> list[int]:
        """A plane for the rows as they were given as one of the exact side, without a common divisor."""
        if self.data.plain:
            return primitive(w)
        plane = list(w)
        for j, constant in self.data.constants.items():
            plane[-1] += w[j] * constant
        return primitive([v * scale for v, scale in zip(plane, self.data.scales, strict=True)])

    def combine(self, p: Mapping[int, int]) -> list[int]:
        """Σ p_k·z_k of the rows as they were given, each column divided by its scale."""
        data, places = self.data, np.fromiter(p, dtype=int, count=len(p))
        weights = [w if sign > 0 else -w for w, sign in zip(p.values(), self.signs[places].tolist(), strict=True)]
        total = [0] * self.width
        if sp.issparse(data.X):
            for k, weight in zip(p, weights, strict=True):
                for j, v in self.entries(k):
                    total[j] += weight * v
        elif p:
            columns = zip(*self.whole_rows(places), strict=True)
            total[: data.d] = [sum(map(mul, weights, column)) for column in columns]
            for j, constant in data.whole_constants.items():
                total[j] += constant * sum(weights)
        if data.intercept:
            total[-1] = sum(weights)
        return total

    def combine_given(self, p: Mapping[int, int]) -> Sequence[Fraction | int]:
        """Σ p_k·z_k of the rows as they were given."""
        total = self.combine(p)
        return total if self.data.whole else [v * scale for v, scale in zip(total, self.data.scales, strict=True)]

    def sum_rows(self, places: np.ndarray) -> list[int]:
        """Σ z_k of many rows of the exact side."""
        data, signs = self.data, self.signs[places]
        if data.ratios is not None:
            total = self.combine(dict.fromkeys(places.tolist(), 1))
        else:
            sums = column_sums(data.X[self.rows[places]], signs)
            total = [int(v / scale) for v, scale in zip(sums, data.scales, strict=False)]
            total += [int(signs.sum())] * data.intercept
        for j, constant in data.constants.items():
            total[j] -= int(constant / data.scales[j]) * total[-1]
        return total

    def contradiction(self) -> dict[int, int]:
        """Two rows that are equal but for their signs, each with weight 1, if there are any: their sum is zero."""
        codes = self.row_codes()
        ordered = np.sort(codes)
        if not (ordered[1:] == ordered[:-1]).any():
            return {}
        both = np.intersect1d(codes[self.signs > 0], codes[self.signs < 0])
        seen: tuple[dict[Any, int], dict[Any, int]] = {}, {}
        for k in np.flatnonzero(np.isin(codes, both)).tolist():
            key, positive = self.row_key(k), int(self.signs[k] > 0)
            if (other := seen[1 - positive].get(key)) is not None:
                return {other: 1, k: 1}
            seen[positive][key] = k
        return {}

    def row_codes(self) -> np.ndarray:
        """A number for each row; rows that are equal but for their signs have the same one."""
        X = self.data.X
        by = np.random.default_rng(0).integers(2**62, size=X.shape[1])
        if sp.issparse(X):
            bits = sp.csr_array((X.data.astype(np.float64).view(np.int64), X.indices, X.indptr), shape=X.shape)
            return np.asarray(bits @ by)[self.rows]
        step, codes = max(1, BLOCK // max(X.shape[1], 1)), np.empty(len(X), dtype=np.int64)
        for start in range(0, len(X), step):
            block = np.add(X[start : start + step], 0, dtype=np.float64)  # without -0.0
            codes[start : start + step] = block.view(np.int64) @ by
        return codes[self.rows]

    def row_key(self, k: int) -> Any:
        """What rows that are equal but for their signs have in common."""
        i, X = int(self.rows[k]), self.data.X
        if self.data.ratios is not None:
            return tuple(self.data.ratios.whole[i].tolist())
        if sp.issparse(X):
            a, b = X.indptr[i], X.indptr[i + 1]
            return X.indices[a:b].tobytes(), X.data[a:b].tobytes()
        return (X[i] + 0).tobytes()  # -0.0 + 0 is 0.0


class SignedRows(ExactRows):
    """The rows in floats as well: scores with a bound on their error decide most signs, exact margins the others."""

    def __init__(self, data: DataMatrix, all_signs: np.ndarray, texts: Texts = ("", None)) -> None:
        super().__init__(data, all_signs, texts)
        F = data.floats if len(self.rows) == data.n else data.floats[self.rows]
        self.floats = F
        squares = F.multiply(F).sum(axis=1) if sp.issparse(F) else np.einsum("ij,ij->i", F, F)
        self.lengths = np.sqrt(np.asarray(squares).ravel())
        self.by_primes = True  # whether ties may be seen modulo primes
        self.terms = int(np.diff(F.indptr).max(initial=0)) if sp.issparse(F) else self.width  # of a score, at most

    def part(self, places: np.ndarray) -> "SignedRows":
        """Some of the rows."""
        signs = np.zeros_like(self.all_signs)
        signs[self.rows[places]] = self.all_signs[self.rows[places]]
        part = SignedRows(self.data, signs, self.texts)
        part.by_primes = self.by_primes
        return part

    def float_weights(self, w: list[int]) -> tuple[np.ndarray, Fraction]:
        """Whole weights of the exact side as float weights of the float side, none above 1, and their scale."""
        if self.data.factor_powers is not None:
            cut = [max(v.bit_length() - LONG, 0) for v in w]
            mantissas, powers = np.frexp(np.array([v >> k for v, k in zip(w, cut, strict=True)], dtype=float))
            powers = powers + np.array(cut) - self.data.factor_powers
            top = int(powers[mantissas != 0].max()) if any(w) else 0
            return np.ldexp(mantissas, np.maximum(powers - top, UNDERFLOW)), two_to(top)
        ratios = [Fraction(v) / factor if v else Fraction(0) for v, factor in zip(w, self.data.factors, strict=True)]
        scale = max((abs(ratio) for ratio in ratios), default=Fraction(0)) or Fraction(1)
        return np.array([float(ratio / scale) for ratio in ratios]), scale

    def scores(self, w: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """Float z·w of every row for whole weights of the exact side, and how far they may be off."""
        u, _ = self.float_weights(w)
        return self.signs * (self.floats @ u), self.error_bound(float(np.linalg.norm(u)))

    def error_bound(self, norms: Any) -> Any:
        """How far float scores may be off, by row and, of several weight vectors, by the norm of each."""
        return error_bound(self.terms, self.lengths, norms)

    def sides(self, w: list[int], places: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """z·w of some rows, or all, in floats, and its sign, proved."""
        places = np.arange(len(self.rows)) if places is None else places
        scores, off = (part[places] for part in self.scores(w))
        sides = np.sign(scores)
        doubtful = np.flatnonzero(np.abs(scores) <= off)
        sides[doubtful] = [(m > 0) - (m < 0) for m in self.margins(w, places[doubtful])]
        return scores, sides

    def off_plane(self, w: list[int]) -> np.ndarray:
        """Rows with z·w ≠ 0: those that floats show or, if they show none, all."""
        scores, off = self.scores(w)
        shown = np.flatnonzero(np.abs(scores) > off)
        return shown if len(shown) else np.flatnonzero(self.sides(w)[1])

    def given_off_plane(self, v: list[int]) -> np.ndarray:
        """The same for weights of the rows as they were given, each column divided by its scale."""
        return self.off_plane(self.inner([a / scale for a, scale in zip(v, self.data.scales, strict=True)]))

    def maybe_lowest(self, w: list[int]) -> np.ndarray:
        """The rows whose z·w may be the least, as far as floats tell."""
        scores, off = self.scores(w)
        return np.flatnonzero(scores - off <= (scores + off).min())

    def margin_squared(self, plane: list[int]) -> Fraction:
        """The square of the margin of a plane for the rows as they were given; 0 if it does not separate."""
        if not any(plane):
            return Fraction(0)
        lowest = self.lowest_margin(plane)
        return lowest**2 / sum(v * v for v in plane) if lowest > 0 else Fraction(0)

    def lowest_margin(self, plane: list[int]) -> Fraction:
        """The least z·plane, of the rows as they were given."""
        w = self.inner(plane)
        return min(self.margins(w, self.maybe_lowest(w))) * self.times(plane, w)

    def times(self, plane: list[int], w: list[int]) -> Fraction:
        """How many times the z·w of the exact side the z·plane of the rows as they were given is."""
        j = next((j for j, v in enumerate(plane[: self.data.d]) if v), -1)
        return Fraction(plane[j]) * self.data.scales[j] / w[j]

    def combination_squared(self, p: Mapping[int, int]) -> Fraction:
        """‖Σ p_k·z_k‖² / (Σp)² of the rows as they were given."""
        return Fraction(sum(v * v for v in self.combine_given(p))) / sum(p.values()) ** 2

    def margins(self, w: list[int], places: Any) -> list[int]:
        """z·w of these rows without rounding."""
        if self.data.plain and len(places) > FEW_ROWS and self.limb_bits > 0:
            return self.margins_by_limbs(w, places)
        if sp.issparse(self.data.X):
            return [self.sparse_margin(w, k) for k in places]
        return [sum(map(mul, z, w)) for z in self.integers(places)]

    def margins_of_each(self, vectors: list[list[int]], places: np.ndarray) -> Iterator[list[int]]:
        """z·v of these rows without rounding, for one vector after the other."""
        if sp.issparse(self.data.X) or (self.data.plain and len(places) > FEW_ROWS):
            yield from (self.margins(v, places) for v in vectors)
            return
        rows = self.integers(places)
        yield from ([sum(map(mul, z, v)) for z in rows] for v in vectors)

    def sparse_margin(self, w: list[int], k: int) -> int:
        """z·w of a row of sparse data."""
        total = sum(v * w[j] for j, v in self.entries(k))
        return int(self.signs[k]) * (total + (w[-1] if self.data.intercept else 0))

    @cached_property
    def limb_bits(self) -> int:
        """Bits of a whole number whose products with a row of whole numbers int64 can sum; none if not positive."""
        largest = int(max(self.data.high.max(initial=1.0), -self.data.low.min(initial=0.0)))
        return LONG - (largest * self.width).bit_length()

    def margins_by_limbs(self, w: list[int], places: Any) -> list[int]:
        """z·w of many rows of whole numbers: w in limbs so short that int64 holds every product's sum."""
        data, bits = self.data, self.limb_bits
        X, total = data.X[self.rows[places]].astype(np.int64), np.zeros(len(places), dtype=object)
        for start in range(0, max(map(abs, w)).bit_length(), bits):
            limb = np.array([((abs(v) >> start) & (2**bits - 1)) * (1 if v > 0 else -1) for v in w], dtype=np.int64)
            part = X @ limb[: data.d] + (limb[data.d] if data.intercept else 0)
            total = total + part.astype(object) * 2**start
        return [int(v) for v in total * self.signs[places].astype(int)]

    def maybe_outside(self, basis: list[list[int]], places: np.ndarray) -> np.ndarray:
        """Those of the rows on which not all vectors are zero, as seen modulo primes; all rows unless they are whole.

        A row that is seen is one for certain; that one is not seen is as unlikely as two primes dividing its products.
        """
        data = self.data
        if not (data.plain and self.by_primes) or self.width > WIDE or not len(places):
            return places
        seen = np.zeros(len(places), dtype=bool)
        for prime in PRIMES:
            V = np.array([[v % prime for v in vector] for vector in basis], dtype=float).T
            X = data.X[self.rows[places]].astype(np.int64)
            X = (X.toarray() if sp.issparse(X) else X) % prime
            last = V[-1] if data.intercept else 0.0
            seen |= ((X.astype(float) @ V[: data.d] + last) % prime).any(axis=1)
        return places[seen]


def error_bound(terms: int, lengths: np.ndarray, norms: Any) -> Any:
    """How far float products of rows and weights of these norms, of at most so many terms, may be off."""
    return np.multiply.outer(2 * (terms + 8) * EPS * lengths, norms) + TINY


def signs_of(labels: np.ndarray, positive: Any, negative: Any) -> np.ndarray:
    """+1 for one label and −1 for another, or for all others if that is None; 0 for the rest."""
    return np.where(labels == positive, 1, -1 if negative is None else np.where(labels == negative, -1, 0))
