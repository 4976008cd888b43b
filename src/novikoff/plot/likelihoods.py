"""Pictures of regressions whose estimates are infinite."""

from typing import Any

import numpy as np

from .captions import Words
from .paper import BLACK, BLUE, GREEN, ORANGE, axes, draw_plane, frame, scatter, two_columns, window

PROFILE = 81
"""Points of a profile of a likelihood."""


def likelihood_profile(X: Any, y: Any, name: str, ax: Any = None, lang: str = "en") -> Any:
    """The largest log-likelihood of a logistic regression for each value of one coefficient, the others at their best.

    At an estimate that is finite it turns.  If the estimate is infinite it never does: it nears a bound without end.
    """
    from ..regression.estimates import likelihood_along
    from ..regression.separation import separation

    ax, words, found = axes(ax), Words(lang), separation(X, y)
    kind = found.coefficients.get(name)
    if kind in (None, "aliased"):
        what = "is aliased, so its likelihood is flat" if kind else f"is none of {', '.join(found.coefficients)}"
        raise ValueError(f"There is no profile to draw of {name!r}: it {what}.")
    rows = signed_design(found)
    j = list(found.coefficients).index(name)
    if kind == "finite":
        values = found.estimates[name] + found.standard_errors[name] * np.linspace(-2.5, 2.5, PROFILE)
    else:
        ends = {"+inf": (-2, 14), "-inf": (-14, 2)}.get(kind, (-14, 14))
        values = np.linspace(*ends, PROFILE) / np.abs(rows[:, j]).max()
    ax.plot(values, likelihood_along(rows, j, values), color=BLUE, label=words("the others at their best"), linewidth=2)
    if kind == "finite":
        mark = words("estimate {:.3g}", found.estimates[name])
        ax.axvline(found.estimates[name], color=GREEN, linestyle=":", label=mark)
    else:
        top = likelihood_along(rows)[0]
        ax.axhline(top, color=ORANGE, linestyle="--", label=words("{:.4g}, which no value reaches", top))
    return words.dress(ax, x=words("coefficient of {}", name), y=words("largest log-likelihood"))


def responsible_rows(X: Any, y: Any, ax: Any = None, lang: str = "en") -> Any:
    """A regression on two columns whose data are separated: the plane, and the rows responsible in rings."""
    from ..regression.separation import separation

    ax, words, found = axes(ax), Words(lang), separation(X, y)
    drawn = two_columns(found.design)
    if found.certificate is None or not len(found.rows):
        raise ValueError(f"There is no plane to draw: the verdict is {found.verdict!r}.")
    whole = found.certificate.claim.plane
    largest = max(map(abs, whole.values()))
    low, high = window(drawn)
    draw_plane(ax, np.array([whole.get(j, 0) / largest for j in range(3)]), low, high, words)
    scatter(ax, drawn, found.target, words)
    rings = {"facecolor": "none", "edgecolor": BLACK, "label": words("rows responsible")}
    ax.scatter(*drawn[found.rows].T, s=170, zorder=2, **rings)
    frame(ax, low, high)
    names = list(found.coefficients)
    return words.dress(ax, x=names[0], y=names[1])


def signed_design(found: Any) -> np.ndarray:
    """The rows of a binomial regression, with their 1 for an intercept, negative for the reference class."""
    X = found.design.toarray() if hasattr(found.design, "toarray") else np.asarray(found.design, dtype=np.float64)
    rows = np.column_stack([X, np.ones(len(X))]) if "(Intercept)" in found.coefficients else X
    return rows * np.where([str(label) == found.certificate.claim.classes[1] for label in found.target], 1, -1)[:, None]
