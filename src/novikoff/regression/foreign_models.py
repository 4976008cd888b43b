"""Models of statsmodels, and what their ``fit`` returned, as columns and a response."""

import re
from typing import Any

import numpy as np
import pandas as pd

from .families import FAMILIES
from .given import Given

STATSMODELS = {
    **dict.fromkeys(["Logit", "Probit"], "binomial"),
    "MNLogit": "multinomial",
    **dict.fromkeys(["Poisson", "GeneralizedPoisson", "NegativeBinomial", "NegativeBinomialP"], "poisson"),
}
"""The families of the models of statsmodels; those of GLM are called by their family."""
USUAL = ("Logit", "MNLogit", "Poisson")
"""Models whose estimates are those by logits, or with a log link."""
USUAL_LINKS = (("binomial", "Logit"), ("poisson", "Log"))
"""The same of GLM."""
LINKS = {"binomial": ("Logit", "Probit", "CLogLog", "LogLog"), "multinomial": (), "poisson": ("Log",)}
"""The links for which the rows are known: log-concave likelihoods, strictly monotone."""
INTERCEPTS = ("Intercept", "const")
"""What other packages call the column of ones."""


def read_statsmodels(model: Any) -> Given:
    """Columns, response and family of a model of statsmodels."""
    kind, exog = type(model).__name__, np.asarray(model.exog)
    link = type(model.family.link).__name__ if kind == "GLM" else {"Probit": "Probit"}.get(kind, "")
    known = type(model.family).__name__.lower() if kind == "GLM" else STATSMODELS.get(kind, "")
    other = "" if kind in USUAL or (kind == "GLM" and (known, link) in USUAL_LINKS) else f"{kind} {link}".strip()
    known = "poisson" if known == "negativebinomial" else known
    known = "" if getattr(model, "parameterization", 0) and kind == "GeneralizedPoisson" else known  # p = 2
    if known not in FAMILIES or (kind == "GLM" and link not in LINKS[known]):
        raise ValueError(
            f"separation knows of no rows for the model {kind} {link}".rstrip() + ": it takes Logit, Probit, MNLogit, "
            "counts with a log link (of GeneralizedPoisson p=1), and GLM of these families with links logit, probit, "
            "cloglog, loglog or log."
        )
    frame = pd.DataFrame(exog, columns=[str(name) for name in model.exog_names[: exog.shape[1]]])
    ones = [name for name in frame.columns if name in INTERCEPTS and (frame[name] == 1).all()][:1]
    weights = np.ones(len(exog))
    for name in ("freq_weights", "var_weights"):
        weights = weights * (1.0 if getattr(model, name, None) is None else np.asarray(getattr(model, name)))
    if any(np.any(getattr(model, name, 0)) for name in ("offset", "exposure")):
        other = "offset"
    missing = getattr(model.data, "missing_row_idx", None)
    missing = [] if missing is None else list(missing)
    rows = np.setdiff1d(np.arange(len(exog) + len(missing)), missing)
    y = foreign_response(model, known)
    return Given(frame.drop(columns=ones), y, bool(ones), known, weights, rows, other)


def foreign_response(model: Any, family: str) -> np.ndarray:
    """The response of a model: classes by their names, trials as successes and failures, or counts."""
    y = np.asarray(model.endog)
    if family == "multinomial":
        y = y.argmax(axis=1) if y.ndim == 2 else y.astype(int)
        names = {int(k): str(v) for k, v in getattr(model, "_ynames_map", {}).items()}
        words = bool(names) and not all(re.fullmatch(r"-?[0-9.]+", name) for name in names.values())
        return np.array([names[k] for k in y.tolist()]) if words else y
    trials = np.broadcast_to(np.asarray(getattr(model, "n_trials", 1.0), dtype=float), y.shape)
    if family == "binomial" and not (np.isin(y, (0, 1)).all() and (trials == 1).all()):  # proportions of trials
        return np.column_stack([y * trials, (1 - y) * trials])
    return y.astype(int) if np.all(y == np.floor(y)) else y
