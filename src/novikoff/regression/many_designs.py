"""Many regressions that differ in one column, as in a genome-wide scan."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from .. import inputs
from ..exact.limits import SearchLimits, UndecidedError
from ..exact.ratios import Ratios, ratios_of
from ..progress import Progress
from ..proofs.many import answer_all
from ..proofs.question import exact_numbers
from ..training.kernels import blas
from .design import Design, read_design, take_rows
from .directions import FINITE, find_directions
from .families import posed_rows
from .given import with_reference_levels
from .separation_json import separation_certificate


@dataclass(frozen=True)
class Scan:
    """What all designs have in common: the design of the covariates, and whether proofs are written."""

    covariates: Design
    certificates: bool


def separation_many(
    columns: Any,
    y: Any,
    X: Any = None,
    *,
    family: str | None = None,
    fit_intercept: bool = True,
    reference: Any = None,
    sample_weight: Any = None,
    certificates: bool = False,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Any:
    """Say of many regressions, each of one column beside the same covariates, which estimates are infinite.

    Parameters
    ----------
    columns : array, sparse matrix or frame; each of its columns is in a design of its own, of the rows that have a
        value there
    y, family, fit_intercept, reference, sample_weight : as for ``separation``
    X : the covariates of all designs, if there are any
    certificates : whether to write a proof for each design as well; every answer is proved in any case
    n_jobs : processes to use, as in scikit-learn: None for one, -1 for all processors
    verbose : 1 shows a progress bar

    Returns
    -------
    A frame with one line per column: ``verdict``, ``is`` (what the estimate of the column is), ``infinite`` (the other
    coefficients whose estimates are not finite), ``missing`` (how many rows lack a value of the column) and, if asked
    for, ``certificate``

    Examples
    --------
    >>> separation_many([[0, 1], [0, 0], [1, 1], [0, 0]], [0, 0, 1, 1])["is"].tolist()
    ['+inf', 'finite']
    """
    table = columns if hasattr(columns, "shape") else np.asarray(columns)
    if table.ndim != 2:
        raise ValueError(f"The columns must be a table, one design for each, but they have {table.ndim} dimension.")
    names = inputs.column_names(columns)
    names = list(range(table.shape[1])) if names is None else list(names)
    scan = Scan(read_covariates(X, y, table.shape[0], family, fit_intercept, reference, sample_weight), certificates)
    lines = []
    with Progress(verbose, len(names)) as shown, blas().limit(limits=1):
        done = shown.counter("designs")
        for line in answer_all(partial(answer_column, scan), each_column(table, names), n_jobs):
            lines.append(line)
            done()
    return pd.DataFrame(lines, index=pd.Index(names, name="column"))


def read_covariates(X: Any, y: Any, n: int, *options: Any) -> Design:
    """The design without the column that changes."""
    if X is not None:
        design = read_design(X, y, None, *options)
        names = design.names or [f"x{j}" for j in range(design.numbers.shape[1])]
        return replace(design, names=names)
    design = read_design(np.zeros((n, 1)), y, None, *options)
    return replace(design, numbers=np.empty((len(design.rows), 0)), names=[])


def each_column(table: Any, names: list[Any]) -> Iterator[tuple[Any, Any]]:
    """The columns with their names."""
    table = sp.csc_array(table) if sp.issparse(table) else table
    for j, name in enumerate(names):
        if sp.issparse(table):
            yield name, table[:, [j]].toarray()
        else:
            yield name, table.iloc[:, [j]] if hasattr(table, "iloc") else table[:, [j]]


def answer_column(scan: Scan, named: tuple[Any, Any]) -> dict[str, Any]:
    """The line of one column."""
    name, column = named
    base, missing = with_values_of(column, scan.covariates)
    if base.classes is not None and len(np.unique(base.labels)) < len(base.classes):
        why = "the rows that have a value lack a class"
        return {"verdict": "unknown", "is": f"unknown: {why}", "infinite": "", "missing": missing}
    try:
        added = exact_numbers(with_reference_levels(take_rows(column, base.rows)))
    except ValueError as error:
        raise ValueError(str(error) if repr(name) in str(error) else f"Column {name!r}: {error}") from error
    if added.shape[1] != 1:
        raise ValueError(f"Column {name!r} has more than two categories: it takes several columns, so ask separation.")
    design = replace(base, numbers=beside(added, base.numbers), names=[str(name), *(base.names or [])])
    posed = posed_rows(design.numbers, design.family, design.labels, design.fit_intercept)
    try:
        found = find_directions(posed.signed, SearchLimits())
    except UndecidedError as why:
        return {"verdict": "unknown", "is": f"unknown: {why}", "infinite": "", "missing": missing}
    width = len(found.classes) // design.blocks
    own = ", ".join(dict.fromkeys(found.classes[::width]))
    classes = enumerate(zip(design.coefficients, found.classes, strict=True))
    others = [coefficient for j, (coefficient, kind) in classes if j % width and kind != FINITE]
    line = {"verdict": found.verdict, "is": own, "infinite": ", ".join(others), "missing": missing}
    return line | ({"certificate": separation_certificate(design, posed, found)} if scan.certificates else {})


def with_values_of(column: Any, base: Design) -> tuple[Design, int]:
    """The design of the covariates on the rows that have a value in a column, and how many lack one."""
    lacking = np.asarray(pd.isna(column)).ravel()
    if not lacking.any():
        return base, 0
    there = ~lacking[base.rows]
    parts = {name: getattr(base, name)[there] for name in ("numbers", "labels", "rows", "weights")}
    texts = [text for text, kept in zip(base.label_texts, there.tolist(), strict=True) if kept]
    return replace(base, label_texts=texts, **parts), int(lacking.sum())


def beside(column: Any, covariates: Any) -> Any:
    """A column of numbers before others."""
    if isinstance(column, Ratios) or isinstance(covariates, Ratios):
        left, right = (part if isinstance(part, Ratios) else as_ratios(part) for part in (column, covariates))
        return Ratios(np.hstack([left.whole, right.whole]), [*left.over, *right.over])
    if sp.issparse(covariates):
        return sp.csr_array(sp.hstack([sp.csr_array(column), covariates]))
    return np.hstack([column, covariates])


def as_ratios(numbers: Any) -> Ratios:
    """Floats or whole numbers as ratios."""
    return ratios_of([[Fraction(v) for v in row] for row in np.asarray(numbers).tolist()])
