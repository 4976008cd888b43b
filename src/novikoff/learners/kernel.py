"""The kernel perceptron: the rule in the dual, with or without a budget of supports."""

import warnings
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from .. import inputs
from ..certificates.certificate import Certificate, RunRecord, Texts, kernel_fields
from ..certificates.check import KernelSpace
from ..inputs import TrainingSet, training_set
from ..passes.kernel_rule import KernelRule
from ..passes.ledger import Targets
from ..progress import Progress
from ..training.budget import Budget, KernelResume, train_on_budget
from ..training.dual import Dual, train_dual
from ..training.expansion import KernelTask, Learnt, zero_functions
from ..training.kernels import NAMES, Kernel, Points, points, scale_gamma, scores
from ..training.outcomes import Outcome, UpdateCounts, class_texts, each, kept_counts, warn
from ..training.run import Plan
from .base import predicted_numbers


def takes_rows(estimator: Any) -> bool:
    """Whether it can learn in parts; else an error that says why not."""
    if estimator.kernel == "precomputed":
        raise AttributeError(
            "partial_fit needs the rows themselves, to take their kernel with earlier ones: "
            "choose another kernel than 'precomputed', or use fit."
        )
    return True


FIXED = ("kernel", "gamma", "degree", "coef0", "eta0", "threshold", "fit_intercept", "budget", "policy", "multi_class")
"""Parameters that partial_fit cannot change in the middle."""


class KernelPerceptron(ClassifierMixin, BaseEstimator):
    """The perceptron in the dual: while a row has y·f(x) ≤ 0, α ← α + 1 for it, where f(z) = η·Σ α_j y_j κ(x_j, z).

    It is the perceptron on the features φ whose inner product is κ, so everything that is known of the perceptron holds
    in the feature space: it ends after at most r²/ρ² updates if a function of margin ρ exists, and a run proves how
    large ρ can be.

    Parameters
    ----------
    kernel : "linear", "poly", "rbf", "laplacian", "sigmoid" or "precomputed" or callable, default="rbf"
        x·z; (γ·x·z + coef0)^degree; exp(−γ‖x − z‖²); exp(−γ‖x − z‖₁); tanh(γ·x·z + coef0); X itself, as the matrix of
        κ(x_i, x_j); or a function that takes two arrays of rows and returns κ of every pair.
    gamma : "scale", "auto" or a positive float, default="scale"
        1 / (n_features·variance of X), 1 / n_features, or the number.
    degree : int, default=2
        The degree of "poly".
    coef0 : float, default=1.0
        The constant of "poly" and "sigmoid".
    eta0 : float, default=1.0
        The step η.  It scales f and changes nothing else.
    threshold : float, default=0.0
        A row is also updated if its score is not above threshold × eta0 × radius².  With t for it, a run ends with
        at least t/(1 + 2t) of the largest margin there is, after at most (1 + 2t)·r²/ρ² updates.  With 1 or 2
        several classes are often predicted better than with 0, at the cost of more supports.
    order : "cyclic", "shuffled" or "active", default="shuffled"
        How a pass visits the rows, as in ``Perceptron``; "active" is not allowed with a budget.
    max_iter : int, default=1000
        The largest number of passes.
    tol : float or None, default=1e-3
        Give up when it is proved that no function has a margin above tol × radius and five passes in a row have not
        reduced the number of mistakes.  With a full budget a run ends when five passes in a row have not reduced it by
        a tenth, proof or not.
    fit_intercept : bool, default=False
        Add 1 to the kernel, the product of a constant feature with itself; then f has a bias, ``intercept_``.
    average : bool, default=False
        Predict with the mean of the functions after every visit, which is more stable where classes overlap.  Status
        and margin are those of the last function.
    budget : int or None, default=None
        The largest number of supports, for all classes together; with None every row with an update is one.
    policy : "project", "forget" or "random", default="project"
        When the budget is full, an updated row is projected onto the span of the supports (Projectron); takes the
        place of the oldest one after f was shrunk so that this does little harm (Forgetron); or of a random one.
    multi_class : "ovr" or "joint", default="ovr"
        One problem per class against the rest, or one for all, in which an update moves a row's own class towards it
        and the strongest rival away.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; they multiply the sample weights.
    cache_size : float, default=500
        Megabytes of kernel values that are kept; if a run needs more, some are computed again.
    random_state : int, RandomState instance or None, default=0
        The source of the permutations.
    verbose : int, default=0
        With 1, a progress bar.

    Attributes
    ----------
    dual_coef_ : array of shape (1 or n_classes, n_supports)
        η·α_j·y_j of every support; averaged with ``average``.
    support_ : array of int
        The numbers of the rows that are supports, counted over all rows ever given.
    support_vectors_ : array or sparse matrix
        Those rows; with a precomputed kernel, rows of it.
    intercept_ : array
        The bias of every function, 0 without ``fit_intercept``.
    gamma_ : float
        The value of γ.
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn
    n_iter_, n_updates_, update_counts_ : those of the perceptron
    status_ : str or array
        "separated": every row is on its right side, rounding considered; "inseparable": f came back, so no function of
        the feature space separates the classes; "thin": none has a margin above tol × radius; "stopped": max_iter
        passes were made, or the budget does not suffice.
    radius_ : float
        The largest √κ(x, x).
    margin_ : float or array
        The least y·f(x)/‖f‖; where the status is "separated", not more than that by any rounding.
    margin_bound_ : float or array
        A margin that no function of the feature space exceeds: ‖f‖/M, and on a budget (‖f‖ + ``removed_``)/M.
    mistake_bound_ : float or array
        The most updates there could have been: (1 + 2·threshold)·r²/margin_², and on a budget
        (‖f‖ + ``removed_``)/margin_; infinite unless every row is on its right side.
    removed_ : float or array
        With a budget, Σ‖removed‖: the norms of all that was dropped or projected away.  For every function g with
        hinge losses L(g) the run made M ≤ L(g) + ‖g‖·(‖f‖ + removed_) updates.
    certificate_ : Certificate, list of them, or None
        What was proved.

    Radius, margin and bounds refer to the feature space.  They are NaN where κ is seen not to be an inner product:
    "sigmoid", and a polynomial with a negative ``coef0``; precomputed matrices and functions are taken to be inner
    products until a score shows otherwise.

    Examples
    --------
    >>> from novikoff import KernelPerceptron, datasets
    >>> X, y = datasets.logic_gate("xor")
    >>> model = KernelPerceptron(kernel="poly", gamma=1, order="cyclic").fit(X, y)
    >>> model.status_, model.score(X, y), model.n_updates_
    ('separated', 1.0, 21)

    References
    ----------
    Y. Freund and R. Schapire, "Large margin classification using the perceptron algorithm", Machine Learning 37, 1999.
    """

    classes_: np.ndarray
    n_iter_: int
    n_updates_: Any
    mistake_bound_: Any
    _resume: KernelResume
    _recorder: Any = None
    update_counts_ = UpdateCounts()

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "kernel": [StrOptions(set(NAMES)), callable],
        "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0, None, closed="neither")],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "eta0": [Interval(Real, 1e-50, 1e50, closed="both")],
        "threshold": [Interval(Real, 0, None, closed="left")],
        "order": [StrOptions({"cyclic", "shuffled", "active"})],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left"), None],
        "fit_intercept": ["boolean"],
        "average": ["boolean"],
        "budget": [Interval(Integral, 1, None, closed="left"), None],
        "policy": [StrOptions({"project", "forget", "random"})],
        "multi_class": [StrOptions({"ovr", "joint"})],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "cache_size": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        kernel: str | Callable[[Any, Any], Any] = "rbf",
        gamma: float | str = "scale",
        degree: int = 2,
        coef0: float = 1.0,
        eta0: float = 1.0,
        threshold: float = 0.0,
        order: str = "shuffled",
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        fit_intercept: bool = False,
        average: bool = False,
        budget: int | None = None,
        policy: str = "project",
        multi_class: str = "ovr",
        class_weight: Any = None,
        cache_size: float = 500,
        random_state: Any = 0,
        verbose: int = 0,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.eta0 = eta0
        self.threshold = threshold
        self.order = order
        self.max_iter = max_iter
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.average = average
        self.budget = budget
        self.policy = policy
        self.multi_class = multi_class
        self.class_weight = class_weight
        self.cache_size = cache_size
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.kernel != "precomputed"
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "KernelPerceptron":
        """Train on the rows of X and their labels y, from zero.

        Parameters
        ----------
        X : array, sparse matrix or frame of shape (n_samples, n_features), or the square matrix of a precomputed kernel
        y : labels of any kind, one per row
        sample_weight : a non-negative number per row, or None
            The update of a row takes a step this many times as long; a row of weight 0 is left out.
        """
        outcomes = self._learn(X, y, sample_weight, False, self.max_iter)
        if self.budget is not None or not self._resume.kernel.definite:
            self._warn(outcomes)
        else:
            warn(self, outcomes)
        return self

    @available_if(takes_rows)
    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> "KernelPerceptron":
        """Make one pass over the given rows from the functions there are; only their supports are kept.

        ``classes`` lists all labels that will ever come and is needed in the first call.  ``n_iter_``, ``n_updates_``,
        ``mistake_bound_`` and ``removed_`` count over all calls, and so does ``margin_bound_`` on a budget; the other
        attributes speak of the rows of the last call.
        """
        go_on = hasattr(self, "classes_")
        known = inputs.all_classes(self, classes)
        passes, updates = (self.n_iter_, self.n_updates_) if go_on else (0, 0)
        self._learn(X, y, sample_weight, go_on, 1, known, passes)
        self.n_iter_ = passes + self.n_iter_
        if self.budget is None:
            self.mistake_bound_ = updates + self.mistake_bound_
            self.n_updates_ = updates + self.n_updates_
        return self

    def decision_function(self, X: Any) -> Any:
        """f(x) of every row; with several classes one column per class."""
        check_is_fitted(self)
        checked = inputs.checked(X, self)
        rows = finite_points(checked, inputs.column_names(X))
        validate_data(self, X, skip_check_array=True, reset=False)
        resume = self._resume
        values = scores(resume.kernel, rows, resume.functions.points, self.dual_coef_) + self.intercept_
        return values.ravel() if values.shape[1] == 1 else values

    def predict(self, X: Any) -> Any:
        """The label of every row: of two classes the second where f(x) ≥ 0, of several the one with most."""
        numbers = predicted_numbers(self.decision_function(X))
        return self.classes_[numbers]

    def _learn(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        go_on: bool,
        passes: int,
        classes: Any = None,
        passes_before: int = 0,
    ) -> list[Outcome]:
        """Validate everything, run, and only then set what was learnt."""
        self._check_combinations()
        rows = training_set(self, X, y, sample_weight, classes)
        if go_on:
            validate_data(self, X, skip_check_array=True, reset=False)
            inputs.check_same_classes(rows.classes, self.classes_)
        resume = self._resume if go_on else None
        if resume is not None and resume.asked is not None:
            check_same_function(resume.asked, self._asked())
        task = self._task(rows, resume, passes, passes_before)
        learnt, budget = self._train(task, resume)
        validate_data(self, X, skip_check_array=True, reset=not go_on)
        self.classes_ = rows.classes
        self._resume = KernelResume(
            task.kernel, learnt.functions, int(task.points.numbers[-1]) + 1, budget, self._asked()
        )
        self._set_learnt(task, learnt)
        return learnt.outcomes

    def _train(self, task: KernelTask, resume: KernelResume | None) -> tuple[Learnt, Budget | None]:
        """What came out of a run; on a budget, with what a later one goes on from."""
        with Progress(self.verbose, task.plan.max_iter) as progress:
            report = progress.line("1/1")
            if self.budget is not None:
                budget = resume.budget if resume and resume.budget else Budget(task, self.budget, self.policy)
                return train_on_budget(budget, task, report), budget
            start = resume.functions if resume else zero_functions(task.points, task.n_functions)
            problems = Dual(task, start, self.cache_size)
            if self._recorder is not None:
                self._recorder.groups = [problems]
                problems.record(self._recorder.limit)
            return train_dual(problems, task, report), None

    def _task(
        self, training_set: TrainingSet, resume: KernelResume | None, passes: int, passes_before: int
    ) -> KernelTask:
        """The rows as points of the feature space, and how they are to be learnt."""
        X, names = training_set.X, training_set.names
        if self.kernel == "precomputed":
            check_dense(X)
        rows = finite_points(X, names, resume.n_rows if resume else 0)
        inputs.check_length(float(rows.squares.max()), X, names)
        if self.kernel == "precomputed":
            check_square(X)
        counted = X if len(training_set.row_order) == X.shape[0] else X[training_set.row_order]
        kernel = resume.kernel if resume else self._made_kernel(counted)
        n_functions = 1 if len(training_set.classes) == 2 else len(training_set.classes)
        joint = self.multi_class == "joint" and n_functions > 1
        with np.errstate(over="ignore"):
            square = float(np.abs(kernel.diagonal(rows)[training_set.row_order]).max()) * (2 if joint else 1)
        check_kernel_values(square, rows.dtype)
        seed = int(check_random_state(self.random_state).randint(2**31))
        return KernelTask(
            kernel,
            rows,
            Targets(training_set.labels, training_set.sample_weight),
            KernelRule(1 if n_functions == 1 else 0, joint, float(self.threshold * square)),
            Plan(self.order, training_set.row_order, seed, passes_before, passes, self.tol),
            n_functions,
            square**0.5,
        )

    def _made_kernel(self, X: Any) -> Kernel:
        """The kernel of the parameters, with γ worked out for these rows."""
        function = self.kernel if callable(self.kernel) else None
        name = "callable" if function else str(self.kernel)
        return Kernel(name, self._gamma(X), self.degree, self.coef0, float(self.fit_intercept), function)

    def _gamma(self, X: Any) -> float:
        if not isinstance(self.gamma, str):
            return float(self.gamma)
        return scale_gamma(X) if self.gamma == "scale" else 1 / X.shape[1]

    def _asked(self) -> dict[str, Any]:
        """The parameters that a run cannot change in the middle."""
        asked = {name: getattr(self, name) for name in FIXED}
        return {**asked, "kernel": "callable" if callable(self.kernel) else self.kernel}

    def _check_combinations(self) -> None:
        if self.budget is not None and self.order == "active":
            raise ValueError("order='active' is for runs without a budget: choose 'shuffled' or 'cyclic'.")
        if self.budget is not None and self.average and self.policy != "project":
            raise ValueError(
                f"average=True on a budget needs policy='project': with {self.policy!r} the supports of earlier "
                "functions are gone."
            )

    def _set_learnt(self, task: KernelTask, learnt: Learnt) -> None:
        """The learnt attributes; of several problems, arrays with one entry per class."""
        functions, outcomes = learnt.functions, learnt.outcomes
        self.gamma_, self.radius_ = task.kernel.gamma, task.radius if task.kernel.definite else np.nan
        self.dual_coef_ = self.eta0 * (functions.averaged() if self.average else functions.coefficients)
        self.intercept_ = task.kernel.bias * self.dual_coef_.sum(axis=1)
        self.support_, self.support_vectors_ = functions.points.numbers, functions.points.X
        self.n_iter_ = max(outcome.passes for outcome in outcomes)
        self.n_updates_ = each(outcome.updates for outcome in outcomes)
        self.status_ = each(outcome.status for outcome in outcomes)
        self.margin_ = each(learnt.margins)
        self.margin_bound_ = each(outcome.margin_bound for outcome in outcomes)
        self.mistake_bound_ = each(learnt.mistake_bounds)
        self._update_counts = kept_counts([learnt.counts])
        asked = class_texts(self.classes_, len(outcomes)) if self.budget is None else [None] * len(outcomes)
        proofs = [
            in_space(certificate, task, texts, self._update_counts[[c]])
            for c, (certificate, texts) in enumerate(zip(learnt.certificates, asked, strict=True))
        ]
        self.certificate_ = proofs[0] if len(proofs) == 1 else proofs
        if learnt.removed is not None:
            self.removed_ = each(learnt.removed.tolist())

    def _warn(self, outcomes: list[Outcome]) -> None:
        """Say what is left undone where nothing is proved of it."""
        left = [outcome for outcome in outcomes if outcome.status != "separated"]
        if left:
            which = "" if len(outcomes) == 1 else f" in {len(left)} of {len(outcomes)} classes"
            remedy = "Raise max_iter" if self.budget is None else "Raise budget, or max_iter,"
            warnings.warn(
                f"KernelPerceptron stopped after {self.n_iter_} pass{'es' if self.n_iter_ > 1 else ''}{which} with "
                f"{sum(outcome.mistakes for outcome in left)} mistakes in the last one. {remedy} for fewer.",
                ConvergenceWarning,
                stacklevel=4,
            )


def in_space(certificate: Certificate | None, task: KernelTask, texts: Texts | None, counts: Any) -> Certificate | None:
    """The certificate with the record of a run from zero, in which f = Σ counts·steps·z, for kernels with proofs."""
    kernel = task.kernel
    if certificate is None or texts is None or kernel.name not in ("linear", "poly", "rbf"):
        return certificate
    parameters = kernel.name, kernel.gamma, kernel.degree, kernel.coef0
    witness = certificate.witness
    record = RunRecord(texts, bool(kernel.bias), np.empty(0), witness, counts, task.targets.sample_weight, parameters)
    space = KernelSpace(kernel.name, Fraction(kernel.gamma), kernel.degree, Fraction(kernel.coef0))
    if kernel.name == "rbf":
        space = space._replace(degree=1, coef0=Fraction(0))
    return replace(certificate, record=record, kernel=None if kernel.name == "linear" else kernel_fields(space))


def check_same_function(before: dict[str, Any], now: dict[str, Any]) -> None:
    """Raise if parameters have changed on which all that was learnt depends."""
    changed = [name for name in before if before[name] != now[name]]
    if changed:
        name = changed[0]
        raise ValueError(
            f"{name} was {before[name]!r} in the calls of partial_fit before and is {now[name]!r} now: what was learnt "
            "depends on it, so set it back, or fit again."
        )


def finite_points(X: Any, names: Any, first: int = 0) -> Points:
    """Rows to take kernels of; all are finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        rows = points(X, first)
    if not (rows.squares <= inputs.LARGEST_SQUARE).all():
        raise ValueError(inputs.not_finite_message(X, names))
    return rows


def check_dense(X: Any) -> None:
    """Raise if a precomputed kernel is sparse."""
    if sp.issparse(X):
        raise ValueError("A precomputed kernel must be a dense array, not a sparse one: pass X.toarray().")


def check_square(X: Any) -> None:
    """Raise unless X can be a precomputed kernel of its own rows."""
    if X.shape[0] != X.shape[1]:
        raise ValueError(
            f"A precomputed kernel must be square, κ of every training row with every other, but X has "
            f"{X.shape[0]} rows and {X.shape[1]} columns."
        )


def check_kernel_values(square: float, dtype: Any) -> None:
    """Raise if kernel values may leave the precision that they are computed in."""
    if not square < float(np.finfo(dtype).max) ** 0.5:
        raise ValueError(
            f"Kernel values up to {square:.3g} are too large for {np.dtype(dtype).name}: rescale X, for example with "
            "sklearn.preprocessing.StandardScaler, or lower gamma, coef0 or degree."
        )
