"""The feature maps of the notes: one that makes XOR separable, and one that makes any rows separable."""

import warnings
from numbers import Real
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from scipy.optimize import minimize_scalar
from sklearn.base import BaseEstimator, TransformerMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import PolynomialFeatures
from sklearn.utils._param_validation import Interval
from sklearn.utils.extmath import row_norms
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from .. import bounds
from ..inputs import training_set
from .averaged import AveragedPerceptron


class XorFeatures(TransformerMixin, BaseEstimator):
    """(x₁, x₂) ↦ (z₁, z₂, z₁z₂) with z = 2x − 1: the last feature alone decides XOR, as y = (1 − z₁z₂)/2.

    More than two columns get the products of all pairs.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from novikoff import Perceptron, XorFeatures, datasets
    >>> X, y = datasets.logic_gate("xor")
    >>> XorFeatures().fit_transform(X).tolist()
    [[-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0], [1.0, 1.0, 1.0]]
    >>> make_pipeline(XorFeatures(), Perceptron()).fit(X, y).score(X, y)
    1.0
    """

    def fit(self, X: Any, y: Any = None) -> "XorFeatures":
        """Look at the number of columns and their names."""
        self._products = PolynomialFeatures(2, interaction_only=True, include_bias=False)
        self._products.fit(validate_data(self, X, dtype=np.float64))
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The features of every row."""
        check_is_fitted(self)
        return self._products.transform(2 * validate_data(self, X, reset=False, dtype=np.float64) - 1)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """z1, z2, …, and z1z2 for a product; names of columns where they have some."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        if input_features is None and not hasattr(self, "feature_names_in_"):
            names = [f"z{j + 1}" for j in range(self.n_features_in_)]
        return self._products.get_feature_names_out(names)


class SlackEmbedding(TransformerMixin, BaseEstimator):
    """x_i ↦ [x_i; A·e_i]: a feature of its own for every training row makes any rows separable.

    For a unit vector w and a margin ρ, s_i = max(0, ρ − y_i·(w·x_i)) is what row i lacks, and δ = √Σs_i².  The
    embedded rows have the plane [w; y_i·s_i/A], of length √(1 + δ²/A²), on which every row scores ρ or more; and none
    is longer than √(r² + A²).  So by Novikoff's theorem the perceptron makes at most (r² + A²)(1 + δ²/A²)/ρ² updates,
    which is smallest, (r + δ)²/ρ², for A² = r·δ.  Of several classes, each against the rest, δ is the largest; the
    bound is that of each.

    Rows that it was not fitted on have zeros in place of e_i, so that a Pipeline predicts with w alone.

    Parameters
    ----------
    margin : float or None, default=None
        ρ; None takes the one with the smallest bound.
    coef : array of n_features numbers, or one more for the bias, or None; default=None
        The direction w, scaled to length 1 with its bias; of several classes, one row each.  None learns it with
        ``AveragedPerceptron``.
    amplitude : float or None, default=None
        A; None takes the one with the smallest bound, A² = r·δ.

    Attributes
    ----------
    radius_, margin_, slack_ : float
        r, the length of the longest row [x; 1]; ρ; and δ.
    amplitude_ : float
        A.
    mistake_bound_ : float
        (r² + A²)(1 + δ²/A²)/ρ².
    directions_ : array
        The unit vectors [w; b], one per problem.
    n_rows_ : int
        How many rows it was fitted on; an embedded row has as many features more.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from novikoff import Perceptron, SlackEmbedding, datasets
    >>> X, y = datasets.logic_gate("xor")
    >>> model = make_pipeline(SlackEmbedding(margin=1, coef=[0, 0, 1]), Perceptron()).fit(X, y)
    >>> model[-1].status_, bool(model[-1].n_updates_ <= model[0].mistake_bound_)
    ('separated', True)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "margin": [Interval(Real, 0, None, closed="neither"), None],
        "coef": ["array-like", None],
        "amplitude": [Interval(Real, 0, None, closed="neither"), None],
    }

    def __init__(self, margin: float | None = None, coef: Any = None, amplitude: float | None = None) -> None:
        self.margin = margin
        self.coef = coef
        self.amplitude = amplitude

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> "SlackEmbedding":
        """Find what every row lacks."""
        checked = validate_data(self, X, accept_sparse="csr", dtype=np.float64)
        rows = training_set(self, checked, y, None)
        positive = [1] if len(rows.classes) == 2 else range(len(rows.classes))
        signs = np.array([np.where(rows.labels == c, 1.0, -1.0) for c in positive])
        w = self._directions(checked, signs)
        row_margins = signs * (checked @ w[:, :-1].T + w[:, -1]).T
        self.directions_, self.n_rows_, self._signs, self._row_margins = w, checked.shape[0], signs, row_margins
        self.radius_ = float(np.sqrt(row_norms(checked, squared=True).max() + 1))
        self.margin_ = self.margin or best_margin(row_margins, self.radius_)
        self.slack_ = slack_of(row_margins, self.margin_)
        self.amplitude_ = float(self.amplitude or np.sqrt(self.radius_ * self.slack_))
        self.mistake_bound_ = bounds.slack(self.radius_, self.margin_, self.slack_, self.amplitude)
        return self

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """The embedded rows, as a CSR matrix."""
        return self.fit(X, y)._embedded(X, sp.eye_array(self.n_rows_, format="csr") * self.amplitude_)

    def transform(self, X: Any) -> Any:
        """Rows that are new, with zeros in the features of the old ones, as a CSR matrix."""
        check_is_fitted(self)
        return self._embedded(X, None)

    def _embedded(self, X: Any, own: Any) -> Any:
        checked = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        own = sp.csr_array((checked.shape[0], self.n_rows_)) if own is None else own
        return sp.hstack([sp.csr_array(checked), own], format="csr")

    def plane(self, problem: int = 0) -> np.ndarray:
        """[w; y_1·s_1/A; …; b], on which every embedded row has a margin of at least ρ."""
        check_is_fitted(self)
        w, slacks = self.directions_[problem], np.maximum(0.0, self.margin_ - self._row_margins[problem])
        own = self._signs[problem] * slacks / self.amplitude_ if self.amplitude_ else np.zeros(self.n_rows_)
        return np.concatenate([w[:-1], own, w[-1:]])

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The names of the columns, and row0, row1, …"""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        return np.array([*names, *(f"row{i}" for i in range(self.n_rows_))], dtype=object)

    def _directions(self, X: Any, signs: np.ndarray) -> np.ndarray:
        """The unit vector [w; b] of every problem."""
        if self.coef is None:
            w = np.array([learnt_direction(X, one) for one in signs])
        else:
            w = np.atleast_2d(np.asarray(self.coef, dtype=np.float64))
            w = np.column_stack([w, np.zeros(len(w))]) if w.shape[1] == X.shape[1] else w
        if w.shape != (len(signs), X.shape[1] + 1) or not np.isfinite(w).all():
            of = "" if len(signs) == 1 else f" for each of {len(signs)} classes"
            raise ValueError(
                f"coef must be {X.shape[1]} finite numbers{of}, one per feature, or one more for the bias; "
                f"got an array of shape {np.shape(self.coef)}."
            )
        if not w.any(axis=1).all():
            raise ValueError("coef is zero, which has no direction: give a vector that is not.")
        w = w / abs(w).max(axis=1, keepdims=True)
        return w / np.linalg.norm(w, axis=1, keepdims=True)


def learnt_direction(X: Any, signs: np.ndarray) -> np.ndarray:
    """[w; b] of a short run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # any direction will do
        model = AveragedPerceptron(max_iter=10).fit(X, signs)
    w = np.append(model.coef_[0], model.intercept_)
    return w if w.any() else np.append(w[:-1], 1.0)


def slack_of(row_margins: np.ndarray, margin: float) -> float:
    """δ = √Σ max(0, ρ − row margin)², the largest of all problems."""
    return float(np.linalg.norm(np.maximum(0.0, margin - row_margins), axis=1).max())


def best_margin(row_margins: np.ndarray, radius: float) -> float:
    """The margin for which the bound (r + δ)²/ρ² is smallest: its root is convex in 1/ρ."""
    smallest = 1 / (2 * radius)
    best = minimize_scalar(
        lambda u: (radius + slack_of(row_margins, 1 / u)) * u, bounds=(smallest, 1e6 * smallest), method="bounded"
    )
    return float(1 / best.x)
