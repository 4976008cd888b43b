"""Claims on data that no plane separates: feature maps, kernels, pockets, networks, and how much of it there is."""

import warnings
from collections.abc import Callable
from itertools import product
from math import comb
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

from ..data import datasets
from ..learners.features import SlackEmbedding, XorFeatures
from ..learners.kernel import KernelPerceptron
from ..learners.multilayer import MultilayerPerceptron
from ..learners.perceptron import Perceptron
from ..learners.pocket import PocketPerceptron
from ..proofs.certify import certify
from ..proofs.fewest_errors import fewest_errors
from ..proofs.threshold_functions import threshold_function
from ..theory.audit import audit
from ..theory.trace import record

THRESHOLD_FUNCTIONS = {2: 14, 3: 104, 4: 1882}
"""Of the functions of so many inputs, those that a neuron can compute (OEIS A000609)."""
OFTEN = 1024
"""Functions after which it is said how many there were."""


def c14() -> dict[str, Any]:
    X, y = datasets.logic_gate("xor")
    model = make_pipeline(XorFeatures(), Perceptron(order="cyclic")).fit(X, y)
    z = XorFeatures().fit_transform(X)
    by_z, by_x = (1 - z[:, 2]) / 2, X[:, 0] + X[:, 1] - 2 * X[:, 0] * X[:, 1]
    figures = {"right": np.count_nonzero(model.predict(X) == y), "updates": model[-1].n_updates_}
    figures |= {"by_z": np.count_nonzero(by_z == y), "by_x": np.count_nonzero(by_x == y)}
    holds = figures["right"] == figures["by_z"] == figures["by_x"] == 4
    return {"holds": holds, **figures, "data": (z, y, model)}


def c15() -> dict[str, Any]:
    random, worst, separated, relations, hold = np.random.default_rng(0), 0.0, 0, 0, 0
    for _ in range(10):
        X, y = random.standard_normal((40, 3)), random.integers(2, size=40)
        embedding = SlackEmbedding()
        trace = record(Perceptron(), embedding.fit_transform(X, y), y)
        lines = [line for chain in audit(trace, reference=embedding).chains for line in chain.lines if line.relation]
        worst = max(worst, trace.problems[0].made / embedding.mistake_bound_)
        separated += trace.problems[0].status == "separated"
        relations, hold = relations + len(lines), hold + sum(line.holds for line in lines)
    others = [SlackEmbedding(amplitude=embedding.amplitude_ * f).fit(X, y) for f in np.geomspace(0.25, 4, 33)]
    smallest = min(others, key=lambda other: other.mistake_bound_)
    return {
        "holds": separated == 10 and relations == hold and worst <= 1 and smallest is others[16],
        "runs": 10,
        "separated": separated,
        "worst": worst,
        "relations": relations,
        "hold": hold,
        "amplitude": smallest.amplitude_,
        "root": float(np.sqrt(embedding.radius_ * embedding.slack_)),
        "curve": [(other.amplitude_, other.mistake_bound_) for other in others],
    }


def c16() -> dict[str, Any]:
    same, updates, random = 0, 0, np.random.default_rng(0)
    options: Any = {"order": "cyclic", "max_iter": 50, "tol": None}
    for _ in range(20):
        X, y = random.integers(-3, 4, (12, 3)).astype(float), np.arange(12) % 2
        y[X[:, 0] > 0] = 1
        learners = KernelPerceptron("linear", fit_intercept=True, **options), Perceptron(**options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # a run may end anyhow
            dual, primal = (record(learner, X, y).problems[0] for learner in learners)
        same += np.array_equal(dual.rows, primal.rows) and np.array_equal(dual.row_margins, primal.row_margins)
        updates += len(primal)
    return {"holds": same == 20, "runs": 20, "same": same, "updates": updates}


def c17() -> dict[str, Any]:
    A, B = np.random.default_rng(0).integers(-9, 10, (2, 40_000, 2))
    (x1, x2), (z1, z2) = A.T, B.T
    terms = x1**2 * z1**2, x2**2 * z2**2, 2 * x1 * x2 * z1 * z2, 2 * x1 * z1, 2 * x2 * z2, np.ones_like(x1)
    equal = np.count_nonzero(sum(terms) == ((A * B).sum(axis=1) + 1) ** 2)
    X, y = datasets.logic_gate("xor")
    kernels = {"poly 2": ("poly", 2), "poly 3": ("poly", 3), "rbf": ("rbf", 3)}
    models = [KernelPerceptron(k, gamma=1, degree=n, coef0=1, order="cyclic").fit(X, y) for k, n in kernels.values()]
    circles = datasets.circles(100, noise=0.05, random_state=0)
    round_model = KernelPerceptron("poly", gamma=1, degree=2, coef0=1, order="cyclic").fit(*circles)
    agreed = Perceptron(order="cyclic", fit_intercept=False).fit(explicit(circles[0]), circles[1])
    gap = abs(agreed.decision_function(explicit(circles[0])) - round_model.decision_function(circles[0])).max()
    statuses = [model.status_ for model in [*models, round_model]]
    return {
        "holds": equal == len(A) and gap < 1e-9 and statuses == ["separated"] * 4,
        "pairs": len(A),
        "equal": equal,
        "terms": len(terms),
        "updates": [model.n_updates_ for model in models],
        "circles": round_model.n_updates_,
        "separated": statuses.count("separated"),
        "gap": bool(gap < 1e-9),
        "models": (list(kernels), models),
    }


def explicit(X: np.ndarray) -> np.ndarray:
    """φ(x) = (x₁², x₂², √2·x₁x₂, √2·x₁, √2·x₂, 1), whose products are (x·z + 1)²."""
    a, b, root = X[:, 0], X[:, 1], np.sqrt(2.0)
    return np.column_stack([a**2, b**2, root * a * b, root * a, root * b, np.ones(len(X))])


def c18() -> dict[str, Any]:
    random, sets, best, worse, curves = np.random.default_rng(0), 0, 0, 0, []
    while sets < 6:
        X, y = random.integers(-3, 4, (9, 2)), np.arange(9) % 2
        if certify(X, y).verdict == "separable":
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            trace = record(PocketPerceptron(max_iter=50, tol=None, refine=False), X, y)
        rows, signs = np.column_stack([X, np.ones(9)]), 2 * y - 1
        weights = [trace.weights_before(k) for k in range(len(trace) + 1)]
        met = [int(np.count_nonzero(signs * (rows @ w) <= 0)) for w in weights]
        kept, fewest = trace.learner.n_errors_, fewest_errors(X, y, time_limit=np.inf)  # by no clock
        sets, worse = sets + 1, worse + (kept > min(met))
        best += kept == fewest.lower_bound
        curves.append((met, kept, fewest.lower_bound))
    return {"holds": worse == 0 < best, "sets": sets, "worse": worse, "best": best, "curves": curves}


def c20() -> dict[str, Any]:
    X, y = datasets.logic_gate("xor")
    network = [np.random.default_rng(1).standard_normal(shape) for shape in ((3, 4), (5, 1))]
    losses, films = [], []
    for step in range(1001):
        loss, gradients = back_propagate(network, X, y)
        losses.append(loss)
        if step == 0:
            gap = max(abs(gradients[0][0, 0] - by_difference(network, X, y)), 0.0)
        if step in (0, 30, 60, 100, 300, 1000):
            films.append((step, [layer.copy() for layer in network]))
        network = [layer - gradient for layer, gradient in zip(network, gradients, strict=True)]
    right = np.count_nonzero((scores(network, X) > 0) == y)
    spiral, classes = datasets.spirals(200, random_state=0)
    spiral = StandardScaler().fit_transform(spiral)
    large = MultilayerPerceptron((20, 20), "tanh", solver="lbfgs", max_iter=300).fit(spiral, classes)
    return {
        "holds": bool(right == 4 and gap < 1e-6 and large.score(spiral, classes) == 1),
        "right": right,
        "steps": len(losses) - 1,
        "first": losses[0],
        "last": losses[-1],
        "gap": bool(gap < 1e-6),
        "spirals": large.score(spiral, classes),
        "passes": large.max_iter,  # the steps themselves depend on how a processor rounds
        "losses": losses,
        "films": films,
        "large": (large, spiral, classes),
    }


def scores(network: Any, X: Any) -> Any:
    """w·tanh(W·[x; 1]) + b, of every row."""
    hidden = np.tanh(np.column_stack([X, np.ones(len(X))]) @ network[0])
    return (np.column_stack([hidden, np.ones(len(X))]) @ network[1])[:, 0]


def back_propagate(network: Any, X: Any, y: Any) -> Any:
    """The logistic loss of all rows, and its derivatives by every weight, from the last layer to the first."""
    inputs = np.column_stack([X, np.ones(len(X))])
    hidden = np.column_stack([np.tanh(inputs @ network[0]), np.ones(len(X))])
    score = (hidden @ network[1])[:, 0]
    loss = float(np.logaddexp(0, -(2 * y - 1) * score).sum())
    error = (1 / (1 + np.exp(-score)) - y)[:, None]  # ∂loss/∂score
    earlier = (error @ network[1][:-1].T) * (1 - hidden[:, :-1] ** 2)  # the chain rule: tanh' = 1 − tanh²
    return loss, [inputs.T @ earlier, hidden.T @ error]


def by_difference(network: Any, X: Any, y: Any, small: float = 1e-6) -> float:
    """The derivative by the first weight, as a quotient of differences."""
    moved = [layer.copy() for layer in network]
    moved[0][0, 0] += small
    back = [layer.copy() for layer in network]
    back[0][0, 0] -= small
    return float((back_propagate(moved, X, y)[0] - back_propagate(back, X, y)[0]) / (2 * small))


def c21(say: Callable[[str], None] = print) -> dict[str, Any]:
    found = [weigh_all(n, say) for n in THRESHOLD_FUNCTIONS]
    threshold = [sum(map(bool, functions)) for functions in found]
    proved = sum(f.holds() for functions in found for f in functions)
    return {
        "holds": proved == sum(map(len, found)) and threshold == list(THRESHOLD_FUNCTIONS.values()),
        "threshold": threshold,
        "all": [len(functions) for functions in found],
        "largest": [max(abs(w) for f in functions for w in f.weights or []) for functions in found],
        "trade": max(len(f.trade[0]) for functions in found for f in functions if f.trade),
        "proved": proved,
    }


def weigh_all(n: int, say: Callable[[str], None]) -> list[Any]:
    """What is found of every function of n inputs."""
    found: list[Any] = []
    for table in product((0, 1), repeat=2**n):
        if len(found) % OFTEN == 0:
            say(f"{len(found)}/{2**2**n}")
        found.append(threshold_function(table))
    return found


def c24() -> dict[str, Any]:
    random, y = np.random.default_rng(0), np.arange(8) % 2
    exact = []
    for n, d in ((3, 3), (4, 2), (6, 3), (7, 2)):
        X = random.integers(-99, 100, (n, d))
        flips = np.array(list(product((-1, 1), repeat=n)))
        verdicts = [certify(X * signs[:, None], y[:n], fit_intercept=False).verdict for signs in flips]
        exact.append((n, d, verdicts.count("separable"), cover(n, d)))
    points, y = [], np.arange(30) % 2
    for n in (6, 8, 10, 14, 18):
        tried = [certify(random.standard_normal((n, 5)), y[:n], fit_intercept=False).verdict for _ in range(40)]
        points.append((n / 5, tried.count("separable") / 40, cover(n, 5) / 2**n))
    return {
        "holds": all(found == count for _, _, found, count in exact) and max(abs(a - b) for _, a, b in points) < 0.2,
        "exact": ", ".join(f"{found}/{2**n} (n = {n}, d = {d})" for n, d, found, _ in exact),
        "agree": sum(found == count for _, _, found, count in exact),
        "cases": len(exact),
        "half": next(a for ratio, a, _ in points if ratio == 2),
        "gap": max(abs(a - b) for _, a, b in points),
        "points": points,
    }


def cover(n: int, d: int) -> int:
    """Cover's count: how many of the 2^n labellings of n points in general position a plane through 0 separates."""
    return 2 * sum(comb(n - 1, k) for k in range(d))


def c25() -> dict[str, Any]:
    table = datasets.dating()
    X, y, rows, test = OneHotEncoder().fit_transform(table.data), table.target, table.train, table.test
    models = [Perceptron(), SVC(kernel="linear", C=1e6), LogisticRegression(C=1e4, max_iter=10_000)]
    for model in models:
        model.fit(X[rows], y[rows])
    planes = [np.ravel(m.coef_.toarray() if hasattr(m.coef_, "toarray") else m.coef_) for m in models]
    units = [w / np.linalg.norm(w) for w in planes]
    return {
        "holds": all(model.score(X[rows], y[rows]) == 1 for model in models),
        "trained": [int((model.predict(X[rows]) == y[rows]).sum()) for model in models],
        "tested": [int((model.predict(X[test]) == y[test]).sum()) for model in models],
        "rows": len(rows),
        "tests": len(test),
        "angles": [float(np.degrees(np.arccos(units[0] @ unit))) for unit in units[1:]],
        "planes": [plane.tolist() for plane in planes],
        "names": OneHotEncoder().fit(table.data).get_feature_names_out(table.feature_names).tolist(),
    }
