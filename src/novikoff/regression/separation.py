"""Which estimates of a regression are infinite, with a proof for every coefficient."""

import html
import time
from dataclasses import dataclass, field
from math import inf, isnan, nan
from typing import Any

import numpy as np

from ..certificates.certificate import floats_of, lower, upper
from ..certificates.separation_certificate import SeparationCertificate
from ..errors import aligned, comma_list, finite_or_none, plural
from ..exact.floats import root
from ..exact.limits import SearchLimits, UndecidedError
from ..language.translate import translated_part
from ..progress import Progress
from ..proofs.best_margin import best_interval
from ..proofs.question import check_seconds
from ..training.kernels import blas
from .advice import advice_for
from .design import Design, bound_but_for_rounding, read_design
from .directions import ALIASED, COMPLETE, FINITE, MINUS, PLUS, UNDETERMINED, Directions, find_directions
from .estimates import estimate
from .families import PosedRows, posed_rows
from .separation_json import separation_certificate

OTHER = "The model has another link, or an offset ({}): the same estimates are finite, but take their values from it."
REL_GAP = 1e-3
"""How near to the largest margin that of the direction is."""
ROUNDING_OF_ZERO = 1e-10
"""The part of its standard error below which an estimate is printed as 0."""
VALUES = {PLUS: inf, MINUS: -inf, UNDETERMINED: nan, ALIASED: nan}
"""What to_frame has as the estimate where there is none."""
SIGNS = {FINITE: "finite", PLUS: "+∞", MINUS: "−∞", UNDETERMINED: "not determined", ALIASED: "aliased"}
MEANINGS = {
    "complete": "complete separation: some β has every row on its right side",
    "quasi-complete": "quasi-complete separation: some β has rows on their right side and none on the wrong one",
    "overlap": "overlap: no β has rows on their right side and none on the wrong one",
    "unknown": "unknown",
}


@dataclass(frozen=True)
class Separation:
    """What the estimates of a regression are; all but the numbers of ``estimates`` is proved.

    Attributes
    ----------
    verdict : "complete": a direction β has z·β > 0 for every row z; "quasi-complete": not so, but one has z·β ≥ 0
        for all and z·β > 0 for some; "overlap": neither, so all estimates that are not aliased are finite; "unknown"
    coefficients : {name: "finite", "+inf", "-inf", "undetermined" (no value is better than another: the likelihood
        comes as near to its bound with any) or "aliased" (collinear with others)}; the intercept is "(Intercept)", and
        of several classes a name is "class: column"
    rows : the rows responsible: those that some direction has on the right side, and none on the wrong one
    informative : how many rows remain that say something of the finite estimates; of several classes a row may be
        among both
    estimates, standard_errors : {name: number} of the finite coefficients, by maximum likelihood without a penalty on
        the rows that remain; NaN where columns depend on each other but for what floats hold
    direction : under complete separation, the unit vector {name: number} of the plane of largest margin, towards which
        gradient descent goes; it is no estimate.  Otherwise None
    margin : its margin, and what none exceeds
    relations : [{name: whole number}], the linear relations that make coefficients aliased
    rounded : the columns that are bound by a linear relation but for the rounding of floats, as shares that add up to 1
        are: what is said of them is proved of the floats, and of nothing else
    advice : what to do
    certificate : the proof; ``check`` verifies it against ``design`` and ``target``
    design, target : the columns and the response that it is about
    fit_intercept, classes : of the model; the first class is the reference
    """

    verdict: str
    family: str
    coefficients: dict[str, str]
    rows: np.ndarray
    informative: int
    estimates: dict[str, float] = field(default_factory=dict)
    standard_errors: dict[str, float] = field(default_factory=dict)
    direction: dict[str, float] | None = None
    margin: tuple[float, float] | None = None
    relations: list[dict[str, int]] = field(default_factory=list)
    rounded: list[str] = field(default_factory=list)
    advice: str = ""
    reason: str = ""
    certificate: SeparationCertificate | None = None
    fit_intercept: bool = True
    classes: list[Any] | None = None
    design: Any = field(default=None, repr=False, compare=False)
    target: Any = field(default=None, repr=False, compare=False)

    @property
    def finite(self) -> bool:
        """Whether all estimates are finite."""
        return set(self.coefficients.values()) == {FINITE}

    def to_frame(self) -> Any:
        """A frame with one line per coefficient: what it is, its estimate and its standard error."""
        import pandas as pd

        columns = {
            "is": list(self.coefficients.values()),
            "estimate": [self.estimates.get(name, VALUES.get(kind, nan)) for name, kind in self.coefficients.items()],
            "std_error": [self.standard_errors.get(name, nan) for name in self.coefficients],
        }
        return pd.DataFrame(columns, index=pd.Index(list(self.coefficients), name="coefficient"))

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON can hold it, without the proof."""
        return {
            "verdict": self.verdict,
            "family": self.family,
            "finite": self.finite,
            "coefficients": self.coefficients,
            "rows": self.rows.tolist(),
            "informative": self.informative,
            "estimates": {name: finite_or_none(value) for name, value in self.estimates.items()},
            "standard_errors": {name: finite_or_none(value) for name, value in self.standard_errors.items()},
            "direction": self.direction,
            "margin": None if self.margin is None else list(self.margin),
            "classes": None if self.classes is None else [str(label) for label in self.classes],
            "rounded": self.rounded,
            "relations": [{name: str(v) for name, v in relation.items()} for relation in self.relations],
            "advice": self.advice,
            "reason": self.reason,
        }

    def summary(self) -> str:
        """A table for people, and a few sentences."""
        heads = translated_part("coefficient"), "is", "estimate", "std. error"
        lines = []
        for name, kind in self.coefficients.items():
            value, error = (
                shown_number(part.get(name), self.standard_errors.get(name, nan))
                for part in (self.estimates, self.standard_errors)
            )
            lines.append((name, SIGNS.get(kind, kind), value, error))
        table = aligned((name, *map(translated_part, cells)) for name, *cells in [heads, *lines])
        return "\n".join([MEANINGS[self.verdict], self.model(), "", table, "", *self.sentences()])

    def model(self) -> str:
        """What is modelled."""
        if self.classes is None:
            return f"{self.family} regression"
        first, *others = map(str, self.classes)
        return f"{self.family} regression of {comma_list(others)} against the reference {first}"

    def sentences(self) -> list[str]:
        """What is said below the table."""
        said = []
        if len(self.rows):
            said.append(
                f"{plural(len(self.rows), 'row')} responsible (counted from 0: {comma_list(self.rows)}); "
                f"{plural(self.informative, 'row')} {'remains' if self.informative == 1 else 'remain'} informative."
            )
        if self.direction is not None and self.margin is not None:
            said.append(
                f"Plane of largest margin (between {self.margin[0]:.6g} and {self.margin[1]:.6g}; gradient descent "
                "goes that way, and it is no estimate): in .direction."
            )
        if any(map(isnan, self.estimates.values())):
            said.append("Estimates that are left empty exist, and floating-point numbers do not tell them.")
        return [*said, *([self.reason] if self.reason else []), self.advice]

    def _repr_html_(self) -> str:
        """For notebooks."""
        said = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in self.sentences())
        model = f"<p>{html.escape(self.model())}</p>"
        return f"<p><b>{html.escape(MEANINGS[self.verdict])}</b></p>{model}{self.to_frame().to_html()}{said}"


def shown_number(value: float | None, error: float) -> str:
    """A number of the table, without what is rounding of zero; nothing where floats do not tell it."""
    if value is None or isnan(value):
        return ""
    return f"{value if abs(value) > ROUNDING_OF_ZERO * error else 0.0:.6g}"


def separation(
    X: Any,
    y: Any = None,
    *,
    data: Any = None,
    family: str | None = None,
    fit_intercept: bool = True,
    reference: Any = None,
    sample_weight: Any = None,
    time_limit: float | None = None,
    verbose: int = 0,
) -> Separation:
    """Say for every coefficient of a regression whether its estimate is finite, +∞, −∞ or not determined, with a proof.

    Parameters
    ----------
    X : array, sparse matrix or frame, whose float64 values are meant exactly, and whose texts and categories become
        columns of 0 and 1 but for the first level; or a formula such as "died ~ age + C(ward)", with its ``data``; or a
        model of statsmodels, or what its ``fit`` returned
    y : the response, one per row: classes, or counts; of a binomial family also two columns, successes and failures
    data : the frame of a formula
    family : "binomial" (logit, probit, or any other log-concave link), "multinomial", or "poisson" (also for other
        counts with a log link); None is binomial, or what a model says
    fit_intercept : whether the model has an intercept; a formula and a model say so themselves
    reference : the class that the others are compared with; the first in order unless it is named
    sample_weight : how often each row counts: rows of weight zero take no part, the others count in ``estimates``
    time_limit : seconds after which the verdict is "unknown"
    verbose : 1 shows what is being done

    Examples
    --------
    >>> found = separation([[0, 0], [0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 1, 1])
    >>> found.verdict, found.coefficients
    ('quasi-complete', {'0': '+inf', '1': '+inf', '(Intercept)': 'finite'})

    References
    ----------
    A. Albert and J. A. Anderson, On the existence of maximum likelihood estimates in logistic regression models,
    Biometrika 71 (1984).  K. Konis, Linear programming algorithms for detecting separated data in binary logistic
    regression models (2007).
    """
    check_seconds(time_limit, "separation")
    design = read_design(X, y, data, family, fit_intercept, reference, sample_weight)
    one_thread = blas().limit(limits=1)  # products are small: threads that meet in each of them wait for each other
    with Progress(verbose, 1) as shown, shown.question(f"{design.family} regression") as say, one_thread:
        limits = SearchLimits(None if time_limit is None else time.monotonic() + time_limit, True, say)
        return separation_of(design, limits)


def separation_of(design: Design, limits: SearchLimits) -> Separation:
    """The answer for a design that was read."""
    names = design.coefficients
    posed = posed_rows(design.numbers, design.family, design.labels, design.fit_intercept)
    try:
        found = find_directions(posed.signed, limits)
    except UndecidedError as why:
        unknown, nobody = dict.fromkeys(names, "unknown"), np.empty(0, dtype=int)
        reason = f"It was not decided: {why}."
        return Separation("unknown", design.family, unknown, nobody, len(design.y), reason=reason)
    right = np.unique(design.rows[posed.numbers[found.right] // design.blocks])
    tied = np.unique(design.rows[np.delete(posed.numbers, found.right) // design.blocks])
    coefficients = dict(zip(names, found.classes, strict=True))
    estimates, errors = finite_estimates(design, posed, found)
    direction, margin = largest_margin(posed, found, names, limits)
    relations = [{names[j]: v for j, v in enumerate(u) if v} for u in found.constant.basis.values()]
    rounded = [] if relations else bound_but_for_rounding(design)
    return Separation(
        found.verdict,
        design.family,
        coefficients,
        right,
        len(tied),
        estimates,
        errors,
        direction,
        margin,
        relations,
        rounded,
        advice_for(design, coefficients, relations, rounded, found.verdict),
        reason=OTHER.format(design.other) if design.other else "",
        certificate=separation_certificate(design, posed, found),
        fit_intercept=design.fit_intercept,
        classes=design.classes,
        design=design.X,
        target=design.y,
    )


def finite_estimates(design: Design, posed: PosedRows, found: Directions) -> tuple[dict[str, float], dict[str, float]]:
    """The estimates that exist, with their standard errors, by name."""
    finite = [j for j, kind in enumerate(found.classes) if kind == FINITE]
    if not finite or design.other:
        return {}, {}
    columns = [j for j in range(len(found.classes)) if j not in found.hull.basis]
    beta, errors = estimate(posed, found.right, columns, design)
    names, place = design.coefficients, {j: at for at, j in enumerate(columns)}
    values, sizes = ({names[j]: float(part[place[j]]) for j in finite} for part in (beta, errors))
    return values, sizes


def largest_margin(
    posed: PosedRows, found: Directions, names: list[str], limits: SearchLimits
) -> tuple[dict[str, float] | None, tuple[float, float] | None]:
    """Under complete separation the direction of the plane of largest margin, and the interval of that margin."""
    if found.verdict != COMPLETE or found.decision.plane is None:
        return None, None
    best = best_interval(posed.signed, found.decision.plane, REL_GAP, limits)
    plane, _ = floats_of({j: v for j, v in enumerate(best.plane) if v}, len(names))
    direction = plane / np.linalg.norm(plane)
    margin = lower(root(best.lo_squared, up=False)), upper(root(best.hi_squared, up=True))
    return dict(zip(names, direction.tolist(), strict=True)), margin
