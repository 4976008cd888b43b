"""The multi-layer perceptron: scikit-learn's network among our learners."""

from collections.abc import Callable
from copy import deepcopy
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.neural_network import MLPClassifier
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted, has_fit_parameter, validate_data

from .. import inputs, neuron
from ..inputs import TrainingSet, training_set
from ..passes.rows import longest, of_matrix

ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "relu": lambda values: np.maximum(values, 0.0),
    "tanh": neuron.tanh,
    "logistic": neuron.logistic,
    "identity": lambda values: values,
}


class MultilayerPerceptron(ClassifierMixin, BaseEstimator):
    """Layers of neurons, x ↦ h(W·x + b) one after the other, learnt by back-propagation of the logistic loss.

    This is scikit-learn's ``MLPClassifier`` underneath, with our checks of the input and a status.  No theorem bounds
    its updates or its margin, so none is claimed.

    Parameters
    ----------
    hidden : int or sequence of int, default=(100,)
        The number of neurons in every hidden layer.
    activation : "relu", "tanh", "logistic" or "identity", default="relu"
        h of the hidden layers.
    solver : "adam", "sgd" or "lbfgs", default="adam"
        How the loss is brought down; "lbfgs" is good on small data.
    alpha : float, default=1e-4
        The weight of the squared weights in the loss.
    learning_rate_init : float, default=1e-3
        The first step of "adam" and "sgd".
    max_iter : int, default=200
        The most passes, or steps of "lbfgs".
    tol : float, default=1e-4
        It stops when the loss has ceased to improve by this much.
    warm_start : bool, default=False
        Whether ``fit`` goes on from the weights there are; parameters may change but for ``hidden`` and ``activation``.
    random_state : int, RandomState instance or None, default=0
        The source of the first weights and of the order of the rows.
    verbose : int, default=0
        With 1, scikit-learn prints the loss of every pass.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn
    n_iter_ : int
        Passes, or steps of "lbfgs".
    status_ : str
        "separated": no training row is on the wrong side; "stopped": some are.
    network_ : MLPClassifier
        The network, on labels 0, 1, …: ``coefs_``, ``intercepts_``, ``loss_`` and the rest.

    Examples
    --------
    >>> from novikoff import MultilayerPerceptron, datasets
    >>> model = MultilayerPerceptron((4,), "tanh", solver="lbfgs").fit(*datasets.logic_gate("xor"))
    >>> model.status_
    'separated'

    References
    ----------
    D. Rumelhart, G. Hinton and R. Williams, "Learning representations by back-propagating errors", Nature 323, 1986.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "hidden": ["array-like", Interval(Integral, 1, None, closed="left")],
        "activation": [StrOptions({"relu", "tanh", "logistic", "identity"})],
        "solver": [StrOptions({"adam", "sgd", "lbfgs"})],
        "alpha": [Interval(Real, 0, None, closed="left")],
        "learning_rate_init": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "warm_start": ["boolean"],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }

    classes_: np.ndarray
    n_iter_: int
    network_: MLPClassifier
    class_weight = None  # the loss weighs all rows alike

    def __init__(
        self,
        hidden: Any = (100,),
        activation: str = "relu",
        solver: str = "adam",
        alpha: float = 1e-4,
        learning_rate_init: float = 1e-3,
        max_iter: int = 200,
        tol: float = 1e-4,
        warm_start: bool = False,
        random_state: Any = 0,
        verbose: int = 0,
    ) -> None:
        self.hidden = hidden
        self.activation = activation
        self.solver = solver
        self.alpha = alpha
        self.learning_rate_init = learning_rate_init
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "MultilayerPerceptron":
        """Train on the rows of X and their labels y; with ``warm_start``, from the weights there are.

        ``sample_weight`` has a non-negative number per row, which its loss is multiplied with, or is None.
        """
        go_on = self.warm_start and hasattr(self, "classes_")
        training_set = self._checked(X, y, sample_weight, go_on)
        network = self._continued() if go_on else self._new()
        network.fit(training_set.X, training_set.labels, **weights_of(training_set, network))
        return self._set(X, training_set, network, go_on)

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> "MultilayerPerceptron":
        """Make one pass over the given rows; ``classes`` lists all labels that will ever come, in the first call."""
        if self.solver == "lbfgs":
            raise ValueError("partial_fit needs solver='adam' or 'sgd': 'lbfgs' takes all rows at once.")
        go_on = hasattr(self, "classes_")
        training_set = self._checked(X, y, sample_weight, go_on, inputs.all_classes(self, classes))
        network = self._continued() if go_on else self._new()
        numbers, weights = np.arange(len(training_set.classes)), weights_of(training_set, network)
        network.partial_fit(training_set.X, training_set.labels, classes=numbers, **weights)
        passes = self.n_iter_ if go_on else 0
        self._set(X, training_set, network, go_on)
        self.n_iter_ = passes + 1
        return self

    def predict(self, X: Any) -> Any:
        """The label of every row: the class with the largest output."""
        outputs = self.predict_proba(X)
        return self.classes_[outputs.argmax(axis=1)]

    def predict_proba(self, X: Any) -> Any:
        """The outputs of the last layer, a logistic or softmax function of its scores: one column per class."""
        check_is_fitted(self)
        checked = inputs.checked(X, self)
        validate_data(self, X, skip_check_array=True, reset=False)
        return self.network_.predict_proba(checked)

    def decision_function(self, X: Any) -> Any:
        """The scores of the last layer, before its logistic or softmax function; of two classes those of the second."""
        check_is_fitted(self)
        values = inputs.checked(X, self)
        validate_data(self, X, skip_check_array=True, reset=False)
        network, layers = self.network_, len(self.network_.coefs_)
        for k, (coef, intercept) in enumerate(zip(network.coefs_, network.intercepts_, strict=True)):
            values = safe_sparse_dot(values, coef, dense_output=True) + intercept
            if k < layers - 1:
                values = ACTIVATIONS[network.activation](values)
        return values.ravel() if values.shape[1] == 1 else values

    def _checked(self, X: Any, y: Any, sample_weight: Any, go_on: bool, classes: Any = None) -> TrainingSet:
        rows = training_set(self, X, y, sample_weight, classes)
        inputs.check_length(longest(of_matrix(rows.X, 1.0)), rows.X, rows.names)
        if go_on:
            validate_data(self, X, skip_check_array=True, reset=False)
            inputs.check_same_classes(rows.classes, self.classes_)
        if len(rows.row_order) == len(rows.labels):
            return rows
        counted = {"X": rows.X[rows.row_order], "labels": rows.labels[rows.row_order]}
        return rows._replace(**counted, sample_weight=rows.sample_weight[rows.row_order])

    def _continued(self) -> MLPClassifier:
        """The network there is, with the parameters that there are now; its shape cannot change."""
        network, asked = deepcopy(self.network_), self._asked()
        before = network.get_params()
        for name in ("hidden_layer_sizes", "activation"):
            if not np.array_equal(before[name], asked[name]):
                ours = "hidden" if name == "hidden_layer_sizes" else name
                raise ValueError(
                    f"{ours} was {before[name]!r} when the network was made and is {asked[name]!r} now: set it back, "
                    "or fit again with warm_start=False."
                )
        if any(before[name] != asked[name] for name in ("solver", "learning_rate_init")):
            vars(network).pop("_optimizer", None)  # partial_fit would go on with its steps
        return network.set_params(**asked)

    def _new(self) -> MLPClassifier:
        return MLPClassifier(**self._asked())

    def _asked(self) -> dict[str, Any]:
        """The parameters as scikit-learn calls them."""
        return {
            "hidden_layer_sizes": self.hidden,
            "activation": self.activation,
            "solver": self.solver,
            "alpha": self.alpha,
            "learning_rate_init": self.learning_rate_init,
            "max_iter": self.max_iter,
            "tol": self.tol,
            "warm_start": self.warm_start,
            "random_state": self.random_state,
            "verbose": bool(self.verbose),
        }

    def _set(self, X: Any, training_set: TrainingSet, network: MLPClassifier, go_on: bool) -> "MultilayerPerceptron":
        validate_data(self, X, skip_check_array=True, reset=not go_on)
        self.classes_, self.network_, self.n_iter_ = training_set.classes, network, network.n_iter_
        right = network.predict(training_set.X) == training_set.labels
        self.status_ = "separated" if right.all() else "stopped"
        return self


def weights_of(training_set: TrainingSet, network: MLPClassifier) -> dict[str, np.ndarray]:
    """The sample weights as the network takes them, if there are any."""
    if len(training_set.sample_weight) != len(training_set.labels):  # one for all
        return {}
    if not has_fit_parameter(network, "sample_weight"):
        raise ValueError("MultilayerPerceptron takes sample_weight from scikit-learn 1.7 on: install a newer one.")
    return {"sample_weight": training_set.sample_weight}
