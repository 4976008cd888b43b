"""Finding a proof: is the data separable, quasi-separable or neither, and by how much.

Level by level (facial reduction): Gordan's alternative gives a plane that has all rows of the level right, or a
witness.  The rows that the witness's rows span are tied: every w with Zw ≥ 0 is zero on them.  The planes that are zero
on them form the next level, on which only the other rows are left.  A plane on the first level proves "separable"; on a
later one "quasi-separable", with the tied rows named; no rows left prove "inseparable".
"""

import time
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..learners import inputs
from .algebra import coefficients, null_space
from .certificate import Certificate, Certificates
from .gordan import Clock, Level, UndecidedError, decide
from .margin import Interval, interval, root
from .table import Source, Table, primitive
from .writing import proof_of, radius_squared

WHOLE = 2**53
"""Whole numbers up to this size are float64 values."""
LARGEST_LEVEL = 3 * 10**8
"""Products of 40 bits up to which a level is laid out."""
LARGEST_SYSTEM = 5 * 10**7
"""Rows times columns² up to which two witnesses are made one."""
NOT_SEPARABLE = (
    "it is proved, by {} rows, that no plane has every row strictly on its right side, "
    "but the data is too large to tell quasi-separation from overlap in exact arithmetic"
)
SPARSE_WORK = 10**6
"""Rows times columns² up to which a quasi-separating plane is sought in few columns."""
COLLINEAR_WIDTH = 300
"""Columns up to which collinear ones are looked for in separable data."""


@dataclass
class Finding:
    """What was proved of a table."""

    plane: list[int] | None = None  # on the exact side
    witness: dict[int, int] = field(default_factory=dict)
    relations: list[list[int]] | None = None  # of the rows as they were given
    tied: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=int))


def certify(
    X: Any,
    y: Any,
    *,
    fit_intercept: bool = True,
    rel_gap: float = 1e-3,
    exact: bool = True,
    time_limit: float | None = None,
    multi_class: str = "ovr",
    verbose: int = 0,
) -> Any:
    """Decide whether a plane separates the classes, with a proof.

    A plane w has margin min z·w/‖w‖ on the signed rows z = ±[x; 1] (±x without an intercept).  "separable": some margin
    is positive.  "quasi-separable": none is, but some w has all z·w ≥ 0 and one z·w > 0.  "inseparable": neither.

    Parameters
    ----------
    X : array, sparse matrix or frame, whose float64 values are meant exactly; or rows of texts, which mean the decimals
        written
    y : labels of any kind, one a row
    fit_intercept : whether a plane need not go through the origin
    rel_gap : how wide the certified interval of the best margin may be, in parts of its upper end
    exact : False leaves "unknown" what takes a search in exact arithmetic; what is found is always verified exactly
    time_limit : seconds after which an open question is "unknown"
    multi_class : "ovr" asks each class against the rest, "ovo" each pair of classes, when there are more than two
    verbose : 1 prints a line a question

    Returns
    -------
    Certificate, or for more than two classes Certificates, one a question

    Examples
    --------
    >>> certify([[-1], [0], [0], [1]], [0, 0, 1, 1]).verdict
    'quasi-separable'
    >>> certify([["0.1"], ["0.2"]], [0, 1]).margin[0] > 0.04
    True

    References
    ----------
    A. Albert and J. A. Anderson, On the existence of maximum likelihood estimates in logistic regression models,
    Biometrika 71 (1984).
    """
    if multi_class not in ("ovr", "ovo"):
        raise ValueError(f"The 'multi_class' parameter of certify must be 'ovr' or 'ovo'. Got {multi_class!r} instead.")
    if not 0 < rel_gap < 1:
        raise ValueError(f"The 'rel_gap' parameter of certify must be in the range (0, 1). Got {rel_gap!r} instead.")
    names = inputs.column_names(X)
    source = Source(numbers(X), fit_intercept)
    classes, labels = classes_of(y, source.n)
    found = {}
    for key, positive, negative in questions(len(classes), multi_class):
        signs = np.where(labels == positive, 1, -1 if negative is None else np.where(labels == negative, -1, 0))
        texts = str(classes[positive]), None if negative is None else str(classes[negative])
        clock = Clock(None if time_limit is None else time.monotonic() + time_limit, exact)
        found[key] = answer(Table(source, signs), texts, rel_gap, clock, names)
        if verbose:
            print(" against ".join(map(str, (texts[0], texts[1] or "the rest"))) + ":", found[key].summary())
    if len(classes) == 2:
        return found[1]
    keys = {k: (classes[k[0]], classes[k[1]]) if isinstance(k, tuple) else classes[k] for k in found}
    return Certificates({keys[k]: certificate for k, certificate in found.items()})


def questions(count: int, multi_class: str) -> list[tuple[Any, int, int | None]]:
    """(key, positive class, negative class or None for the rest)."""
    if count == 2:
        return [(1, 1, 0)]
    if multi_class == "ovr":
        return [(c, c, None) for c in range(count)]
    return [((a, b), b, a) for a in range(count) for b in range(a + 1, count)]


def numbers(X: Any) -> Any:
    """A float64 or integer matrix, or rows of fractions where the numbers are texts or not float64."""
    if not sp.issparse(X) and np.asarray(X).dtype.kind in "OUS" and np.ndim(X) == 2:
        return [[fraction(v, i, j) for j, v in enumerate(row)] for i, row in enumerate(np.asarray(X).tolist())]
    Xc = inputs.checked(X, "certify")
    if Xc.dtype.kind == "f":
        values = Xc.data if sp.issparse(Xc) else Xc
        if not np.isfinite(values).all():
            raise ValueError(inputs.fault(Xc, inputs.column_names(X)))
        return Xc.astype(np.float64, copy=False)
    if Xc.dtype.kind == "b":
        return Xc.astype(np.uint8)
    if max(int(Xc.max()), -int(Xc.min())) > WHOLE:
        return [[Fraction(v) for v in row] for row in (Xc.toarray() if sp.issparse(Xc) else Xc).tolist()]
    return Xc


def fraction(value: Any, i: int, j: int) -> Fraction:
    """A number of a table of texts or objects."""
    try:
        found = Fraction(value.strip() if isinstance(value, str) else value)
        float(found)
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"Input X holds {value!r} at row {i}, column {j}, which is not a number here.") from error
    return found


def classes_of(y: Any, n: int) -> tuple[list[Any], np.ndarray]:
    """The classes and the number of each row's."""
    y = np.asarray(y).ravel()
    if len(y) != n:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{n}, {len(y)}]")
    classes, labels = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"certify needs rows of at least two classes, but they are of one only: {classes.tolist()}.")
    return classes.tolist(), labels


def answer(table: Table, texts: tuple[str, str | None], rel_gap: float, clock: Clock, names: Any) -> Certificate:
    """The certificate of one question."""
    try:
        finding = reduce_faces(table, clock)
    except UndecidedError as why:
        return Certificate("unknown", reason=str(why))
    best, reason = None, ""
    if not finding.witness and finding.plane is not None:
        best, reason = margin_of(table, finding.plane, rel_gap, clock)
    return certificate_of(table, finding, best, reason, texts, names)


def margin_of(table: Table, plane: list[int], rel_gap: float, clock: Clock) -> tuple[Interval, str]:
    """The certified interval, and what is to be said of it."""
    best = interval(table, plane, rel_gap, clock)
    wide = f"the margin's interval is wider than rel_gap={rel_gap:g}"
    return best, "" if best.narrow(rel_gap) else wide


def reduce_faces(table: Table, clock: Clock) -> Finding:
    """What is true of a table, with all that proves it."""
    level, plane, witness = last_level(table, clock)
    if plane is not None and not witness:
        return Finding(level.lifted(plane))
    tied = np.setdiff1d(np.arange(len(table.rows)), level.rows)
    best = None if plane is None else in_few_columns(table, witness, level, plane, clock)
    return Finding(best, witness, null_space([primitive(table.given(k)) for k in witness]), tied)


def last_level(
    table: Table, clock: Clock, witness: dict[int, int] | None = None
) -> tuple[Level, list[int] | None, dict[int, int]]:
    """Go from level to level until no row is left or a plane is found; with the widest witness of the tied rows."""
    witness = witness or {}
    level = next_level(table, witness) if witness else Level(table)
    while len(level.rows):
        clock()
        plane, new = decide(level, clock)
        if plane is not None:
            return level, plane, witness
        witness = combined(table, witness, {int(level.rows[k]): weight for k, weight in new.items()})
        witness = grown(table, witness, level.worked, clock)
        level = next_level(table, witness)
    return level, None, witness


def next_level(table: Table, witness: dict[int, int]) -> Level:
    """The planes on which the rows of a witness are zero, if exact arithmetic can say which other rows are."""
    basis = null_space([table.integers(k) for k in witness])
    limbs = sum(1 + v.bit_length() // 40 for vector in basis for v in vector if v)
    if limbs * len(table.rows) > LARGEST_LEVEL:
        raise UndecidedError(NOT_SEPARABLE.format(len(witness)))
    return Level(table, basis)


def grown(table: Table, witness: dict[int, int], worked: np.ndarray, clock: Clock) -> dict[int, int]:
    """The widest witness among the rows that the search worked on, which saves levels of all rows."""
    rows = np.union1d(worked, list(witness))
    if 2 * len(rows) > len(table.rows):
        return witness
    places = {int(row): k for k, row in enumerate(rows)}
    try:
        _, _, wider = last_level(table.part(rows), clock, {places[k]: weight for k, weight in witness.items()})
    except UndecidedError:
        return witness
    return {int(rows[k]): weight for k, weight in wider.items()}


def in_few_columns(table: Table, witness: dict[int, int], level: Level, plane: list[int], clock: Clock) -> list[int]:
    """A plane that proves the same of the same rows, none of whose columns can be left out."""
    best, lines = level.lifted(plane), [table.integers(k) for k in witness]
    if len(level.rows) * table.width**2 > SPARSE_WORK:
        return best
    for j in range(table.source.d):
        pinned = [*lines, [int(i == j) for i in range(table.width)]]
        face = Level(table, null_space(pinned))
        if len(face.rows) < len(level.rows):
            continue
        try:
            found = decide(face, clock)[0]
        except UndecidedError:
            return best
        if found is not None:
            best, lines = face.lifted(found), pinned
    return best


def combined(table: Table, old: dict[int, int], new: dict[int, int]) -> dict[int, int]:
    """A witness of the old rows and the new: Σ new lies in the span of the old rows, whose witness is positive."""
    if not old:
        return new
    if len(old) * table.width**2 > LARGEST_SYSTEM:
        raise UndecidedError(NOT_SEPARABLE.format(len(old)))
    total = [0] * table.width
    for k, weight in new.items():
        total = [a + weight * b for a, b in zip(total, table.integers(k), strict=True)]
    a = coefficients([table.integers(k) for k in old], [-v for v in total])
    often = max(0, *(ceil(-v / old[k]) + 1 for k, v in zip(old, a, strict=True)))
    weights = {k: v + often * old[k] for k, v in zip(old, a, strict=True)} | {k: Fraction(v) for k, v in new.items()}
    return dict(zip(weights, primitive(list(weights.values())), strict=True))


def certificate_of(
    table: Table, finding: Finding, best: Interval | None, reason: str, texts: tuple[str, str | None], names: Any
) -> Certificate:
    """All that was found, as the object people get."""
    verdict = "separable" if best else "inseparable" if finding.plane is None else "quasi-separable"
    bonds = bonds_of(table, finding)
    plane = best.plane if best else None
    if finding.plane is not None and not best:
        plane = without(table.outer(finding.plane), bonds)
    radius = radius_squared(table)
    d, rows = table.source.d, table.rows
    return Certificate(
        verdict,
        reason=reason,
        coef=None if plane is None else floats(plane)[None, :d],
        intercept=None if plane is None else floats([*plane, 0])[d : d + 1],
        margin=(root(best.lo_squared, False), root(best.hi_squared, True)) if best else (-np.inf, 0.0),
        radius=root(radius, True),
        mistake_bound=root((radius / best.lo_squared) ** 2, True) if best else np.inf,
        witness={int(rows[k]): weight for k, weight in finding.witness.items()},
        rows=np.delete(rows, finding.tied) if verdict == "quasi-separable" else None,
        columns=[j for j in range(d) if plane[j]] if verdict == "quasi-separable" and plane else [],
        collinear=[[j for j, v in enumerate(bond) if v] for bond in bonds],
        names=None if names is None else [str(name) for name in names],
        proof=proof_of(table, verdict, plane, finding, best, radius, texts),
    )


def floats(plane: list[int]) -> np.ndarray:
    """Whole numbers as floats, brought below 1 if they are too large to be exact."""
    largest = max(map(abs, plane))
    return np.array([float(Fraction(v, largest if largest > WHOLE else 1)) for v in plane])


def bonds_of(table: Table, finding: Finding) -> list[list[int]]:
    """Linear relations between the columns, the intercept as the last, that hold in all rows."""
    if finding.plane is None:
        return finding.relations or []
    return relations_of_all(table) if table.width <= COLLINEAR_WIDTH else []


def without(plane: list[int], bonds: list[list[int]]) -> list[int]:
    """The same margins without the last column of each relation: z·v = 0, so multiples of v can be taken off."""
    found = [Fraction(v) for v in plane]
    for bond in reversed(bonds):
        last = max(j for j, v in enumerate(bond) if v)
        part = found[last] / bond[last]
        found = [a - part * b for a, b in zip(found, bond, strict=True)]
    return primitive(found)


def relations_of_all(table: Table) -> list[list[int]]:
    """A basis of the vectors on which all rows are zero: from some rows, then from those that disagree as well."""
    chosen = np.linspace(0, len(table.rows) - 1, min(len(table.rows), 4 * table.width), dtype=int).tolist()
    while True:
        found = null_space([table.integers(k) for k in chosen])
        new = set()
        for relation in found:
            new |= set(np.flatnonzero(table.sides(relation))[:1].tolist())
        if not new:
            return null_space([primitive(table.given(k)) for k in chosen]) if found else []
        chosen += sorted(new)
