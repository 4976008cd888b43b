"""The claims of the notes, one function each: run it, and say what was found."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as TheirPerceptron
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from .. import bounds, plot
from ..data import datasets
from ..learners.features import SlackEmbedding, XorFeatures
from ..learners.kernel import KernelPerceptron
from ..learners.margin import MarginPerceptron
from ..learners.multilayer import MultilayerPerceptron
from ..learners.perceptron import Perceptron
from ..learners.pocket import PocketPerceptron
from ..neuron import Neuron, gate, logistic, sign, step, tanh
from ..proofs.certify import certify, check
from ..proofs.threshold_functions import ThresholdFunction, threshold_function
from ..theory.audit import audit
from ..theory.trace import record

ORDERS = ("cyclic", "shuffled", "active")
Draw = Callable[[Any, str], Any]
Say = Callable[[str], None]
"""Told how far a claim has come, if it takes long."""
THRESHOLD_FUNCTIONS = {2: 14, 3: 104, 4: 1882}
"""Of the functions of so many inputs, those that a neuron can compute (OEIS A000609)."""
OFTEN = 1024
"""Functions after which it is said how many there were."""


@dataclass(frozen=True)
class ClaimResult:
    """What a claim came to: the figures that its text names, whether it holds, and how to draw it on (ax, language)."""

    holds: bool
    figures: dict[str, Any]
    draw: Draw | None = None


def c01() -> ClaimResult:
    random = np.random.default_rng(0)
    X, w, b = random.standard_normal((1000, 5)), random.standard_normal(5), 0.3
    cell = Neuron(w, b, logistic)
    by_hand = [1 / (1 + np.exp(-(sum(a * c for a, c in zip(x, w, strict=True)) + b))) for x in X]
    error = max(np.abs(cell(X) - by_hand).max(), *(abs(cell(x) - h) for x, h in zip(X, by_hand, strict=True)))
    return ClaimResult(
        bool(error < 1e-14), {"n": len(X), "error": error}, lambda ax, lang: plot.neuron(ax=ax, lang=lang)
    )


def c02() -> ClaimResult:
    x = np.linspace(-1000, 1000, 200_001)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        signs = np.array_equal(sign(x), 2 * step(x) - 1)
        error = np.abs(tanh(x) - (2 * logistic(2 * x) - 1)).max()
    holds = signs and sign(0.0) == 1 and step(0.0) == 1 and error < 1e-15
    return ClaimResult(bool(holds), {"n": len(x), "error": error}, plot.activations)


def c03() -> ClaimResult:
    random = np.random.default_rng(0)
    X, w, b = random.integers(-9, 10, (1000, 4)), random.integers(-9, 10, 4), 5
    ones = np.ones((len(X), 1), dtype=int)
    outputs = Neuron(w, b)(X)
    folded = sign(np.hstack([X, ones]) @ np.append(w, b))
    threshold = sign(np.hstack([X, -ones]) @ np.append(w, -b))
    same = np.count_nonzero((outputs == folded) & (outputs == threshold))
    y = np.where(outputs > 0, 1, -1)
    own = Perceptron(order="cyclic", max_iter=10**5, tol=None).fit(X, y)
    column = Perceptron(order="cyclic", max_iter=10**5, tol=None, fit_intercept=False).fit(np.hstack([X, ones]), y)
    equal = np.append(own.coef_, own.intercept_).tolist() == column.coef_[0].tolist()
    return ClaimResult(bool(same == len(X) and equal), {"n": len(X), "same": same, "updates": own.n_updates_})


def c04() -> ClaimResult:
    X, y = datasets.logic_gate("and")
    trace = record(Perceptron(eta0=0.5, order="cyclic"), X, y)
    w, by_hand = [0.0, 0.0, 0.0], []
    rows, signs = [[*x, 1] for x in X.tolist()], (2 * y - 1).tolist()
    while any(s * inner(w, x) <= 0 for x, s in zip(rows, signs, strict=True)):
        for i, (x, s) in enumerate(zip(rows, signs, strict=True)):
            if s * inner(w, x) <= 0:
                w = [a + 0.5 * s * c for a, c in zip(w, x, strict=True)]
                by_hand.append(i)
    one = trace.problems[0]
    after = [signs[i] * (trace.weights_after(k) @ rows[i]) for k, i in enumerate(one.rows)]
    raised = np.array_equal(after - one.row_margins, 0.5 * trace.squared_rows())
    holds = one.rows.tolist() == by_hand and w == trace.weights_before(len(one)).tolist() and raised
    return ClaimResult(holds, {"updates": len(one), "weights": w}, boundary(trace.learner, X, y))


def inner(w: list[float], x: list[float]) -> float:
    return sum(a * b for a, b in zip(w, x, strict=True))


def c05() -> ClaimResult:
    X, y = datasets.planted_margin(100, 2, 0.1, random_state=0)
    runs = [Perceptron(order=order, random_state=seed).fit(X, y) for order in ORDERS for seed in range(5)]
    planes = {tuple(np.append(model.coef_, model.intercept_).tolist()) for model in runs}
    bound, most = certify(X, y).mistake_bound, max(model.n_updates_ for model in runs)
    least = min(model.n_updates_ for model in runs)
    figures = {"runs": len(runs), "planes": len(planes), "least": least, "most": most, "bound": bound}
    return ClaimResult(len(planes) > 1 and most <= bound, figures)


def c06() -> ClaimResult:
    table = datasets.dating()
    X, y, train, test = OneHotEncoder().fit_transform(table.data), table.target, table.train, table.test
    ours, theirs = (learner(eta0=0.5).fit(X[train], y[train]) for learner in (Perceptron, TheirPerceptron))
    part, whole = certify(X[train], y[train]), certify(X, y)
    figures = {
        "ours": ours.score(X[test], y[test]),
        "theirs": theirs.score(X[test], y[test]),
        "ours_train": ours.score(X[train], y[train]),
        "theirs_train": theirs.score(X[train], y[train]),
        "part": part.verdict,
        "margin": part.margin[0],
        "whole": whole.verdict,
    }
    proved = bool(check(part, X[train], y[train])) and bool(check(whole, X, y))
    same = figures["ours"] == figures["theirs"] == 5 / 7
    return ClaimResult(proved and same and part.verdict == "separable" and whole.verdict != "separable", figures)


def c07() -> ClaimResult:
    holds, updates = True, {}
    for name in ("and", "or", "not"):
        X, y = datasets.logic_gate(name)
        signed = Perceptron(order="cyclic").fit(X, 2 * y - 1)
        updates[name] = signed.n_updates_
        holds &= signed.score(X, 2 * y - 1) == 1 and np.array_equal(by_steps(X, y)(X), y)
        holds &= np.array_equal(gate(name)(X), 2 * y - 1)
    return ClaimResult(bool(holds), updates, four_gates)


def by_steps(X: np.ndarray, y: np.ndarray) -> Neuron:
    """The rule for labels 0 and 1: w ← w + η·(y − ŷ)·x with the step activation, until all are right."""
    w, rows = np.zeros(X.shape[1] + 1), np.column_stack([X, np.ones(len(X))])
    while not np.array_equal(step(rows @ w), y):
        for x, target in zip(rows, y, strict=True):
            w = w + (target - step(x @ w)) * x
    return Neuron(w[:-1], w[-1], step)


def c08() -> ClaimResult:
    X, y = datasets.logic_gate("xor")
    model = Perceptron(order="cyclic").fit(X, y)
    witness = model.certificate_.witness
    rows = np.column_stack([X, np.ones(4)]) * (2 * y - 1)[:, None]
    total = sum(weight * rows[i] for i, weight in witness.items())
    proof = certify(X, y)
    holds = model.status_ == "inseparable" and not np.any(total) and bool(check(proof, X, y))
    figures = {"updates": model.n_updates_, "passes": model.n_iter_, "rows": sorted(witness)}
    return ClaimResult(bool(holds), figures)


def c09() -> ClaimResult:
    worst, runs = 0.0, 0
    for seed in range(10):
        X, y = datasets.planted_margin(60, 2 + seed, 0.05, random_state=seed)
        bound = certify(X, y).mistake_bound
        for order in ORDERS:
            for eta in (0.1, 1.0, 10.0):
                worst = max(worst, Perceptron(order=order, eta0=eta).fit(X, y).n_updates_ / bound)
                runs += 1
    return ClaimResult(0 < worst <= 1, {"runs": runs, "worst": worst})


def c10() -> ClaimResult:
    X, y = datasets.planted_margin(100, 2, 0.05, random_state=5)
    checked = audit(record(Perceptron(fit_intercept=False), X, y))
    chain = checked.chains[0]
    figures = {
        "inequalities": sum(line.relation != "" for line in chain.lines),
        "updates": int(chain.lines[-2].value),
        "bound": chain.lines[-1].value,
        "chain": " ".join(f"{line.relation} {line.value:.4g}".strip() for line in chain.lines[:-2]),
    }
    return ClaimResult(checked.holds, figures, lambda ax, lang: plot.novikoff(X, y, ax, lang))


def c11() -> ClaimResult:
    exact = [m for m in range(2, 201) if tight(m)]
    return ClaimResult(len(exact) == 199, {"sizes": len(exact), "largest": max(exact, default=0)})


def tight(m: int) -> bool:
    """Whether m orthonormal rows take m updates, to the margin 1/√m."""
    model = Perceptron(fit_intercept=False).fit(*datasets.orthonormal(m))
    return bool(model.n_updates_ == m and abs(model.margin_ * m**0.5 - 1) < 1e-12)


def c12() -> ClaimResult:
    learner, updates = Perceptron(order="cyclic", fit_intercept=False, max_iter=10**9, tol=None), []
    holds = True
    for m in range(2, 9):
        model = learner.fit(*datasets.exponential(m))
        updates.append(model.n_updates_)
        holds &= model.n_updates_ == (4**m - 1) // 3 and model.coef_[0].tolist() == [2.0**j for j in range(m)]
    X, y = datasets.exponential(200)
    proof = certify(X, y, fit_intercept=False)
    holds &= proof.verdict == "separable" and bool(check(proof, X, y, fit_intercept=False))
    return ClaimResult(
        holds, {"updates": updates, "margin": proof.margin[0]}, lambda ax, lang: plot.worst_case(8, ax, lang)
    )


def c13() -> ClaimResult:
    most, least, audits, rho = 0.0, np.inf, True, 0.1
    for seed in range(10):
        X, y = datasets.planted_margin(60, 3, rho, random_state=seed)
        trace = record(MarginPerceptron(margin=rho), X, y)
        model = trace.learner
        most = max(most, model.n_updates_ / bounds.margin_perceptron(model.radius_, rho))
        least = min(least, model.margin_ / (rho / 2))
        audits &= audit(trace).holds
    return ClaimResult(bool(audits and most <= 1 <= least), {"runs": 10, "most": most, "least": least})


def c14() -> ClaimResult:
    X, y = datasets.logic_gate("xor")
    model = make_pipeline(XorFeatures(), Perceptron(order="cyclic")).fit(X, y)
    z = XorFeatures().fit_transform(X)
    identity = np.array_equal((1 - z[:, 2]) / 2, y) and np.array_equal(X[:, 0] + X[:, 1] - 2 * X[:, 0] * X[:, 1], y)
    figures = {"updates": model[-1].n_updates_, "score": model.score(X, y)}
    return ClaimResult(bool(identity and figures["score"] == 1), figures, boundary(model, X, y))


def c15() -> ClaimResult:
    worst, audits, random = 0.0, True, np.random.default_rng(0)
    for _ in range(10):
        X, y = random.standard_normal((40, 3)), random.integers(2, size=40)
        embedding = SlackEmbedding()
        trace = record(Perceptron(), embedding.fit_transform(X, y), y)
        worst = max(worst, trace.problems[0].made / embedding.mistake_bound_)
        audits &= audit(trace, reference=embedding).holds and trace.problems[0].status == "separated"
    return ClaimResult(bool(audits and worst <= 1), {"runs": 10, "worst": worst})


def c16() -> ClaimResult:
    same, updates, random = 0, 0, np.random.default_rng(0)
    for _ in range(20):
        X, y = random.integers(-3, 4, (12, 3)).astype(float), np.arange(12) % 2
        y[X[:, 0] > 0] = 1
        options: dict[str, Any] = {"order": "cyclic", "max_iter": 50, "tol": None}
        learners = KernelPerceptron("linear", fit_intercept=True, **options), Perceptron(**options)
        dual, primal = (recorded_quietly(learner, X, y) for learner in learners)
        same += np.array_equal(dual.rows, primal.rows) and np.array_equal(dual.row_margins, primal.row_margins)
        updates += len(primal)
    return ClaimResult(same == 20, {"runs": 20, "same": same, "updates": updates})


def recorded_quietly(learner: Any, X: Any, y: Any) -> Any:
    """The updates of a run that may end anyhow."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return record(learner, X, y).problems[0]


def c17() -> ClaimResult:
    random = np.random.default_rng(0)
    A, B = random.integers(-9, 10, (2, 200, 2))
    kernel = (A @ B.T + 1.0) ** 2
    error = np.abs(kernel - explicit(A) @ explicit(B).T).max() / kernel.max()
    models = []
    for X, y in (datasets.logic_gate("xor"), datasets.circles(100, noise=0.05, random_state=0)):
        model = KernelPerceptron("poly", gamma=1, degree=2, coef0=1, order="cyclic").fit(X, y)
        models.append(model)
        agreed = Perceptron(order="cyclic", fit_intercept=False).fit(explicit(X), y)
        error = max(error, np.abs(agreed.decision_function(explicit(X)) - model.decision_function(X)).max())
    holds = error < 1e-9 and all(model.status_ == "separated" for model in models)
    figures = {"error": error, "xor": models[0].n_updates_, "circles": models[1].n_updates_}
    return ClaimResult(bool(holds), figures, boundary(models[1], X, y))


def explicit(X: np.ndarray) -> np.ndarray:
    """φ(x) = (x₁², x₂², √2·x₁x₂, √2·x₁, √2·x₂, 1), whose products are (x·z + 1)²."""
    a, b, root = X[:, 0], X[:, 1], np.sqrt(2.0)
    return np.column_stack([a**2, b**2, root * a * b, root * a, root * b, np.ones(len(X))])


def c18() -> ClaimResult:
    random, best, worse, sets = np.random.default_rng(0), 0, 0, 10
    for _ in range(sets):
        X, y = random.integers(-3, 4, (7, 2)), random.integers(0, 2, 7)
        y[:2] = 0, 1
        trace = record(PocketPerceptron(max_iter=100, tol=None), X, y)
        kept, rows = trace.learner.n_errors_, np.column_stack([X, np.ones(7)])
        met = [errors(trace.weights_before(k), rows, y) for k in range(min(len(trace), 200) + 1)]
        worse += kept > min(met)
        best += kept == fewest_errors(X, y)
    return ClaimResult(worse == 0 < best, {"sets": sets, "worse": worse, "best": best})


def errors(w: np.ndarray, rows: np.ndarray, y: np.ndarray) -> int:
    """Rows on the wrong side, or on the plane."""
    return int(np.count_nonzero((2 * y - 1) * (rows @ w) <= 0))


def fewest_errors(X: np.ndarray, y: np.ndarray) -> int:
    """The fewest rows that must go so that a plane separates the rest: by trying all, smallest sets first."""
    everything = range(len(y))
    for k in everything:
        for gone in combinations(everything, k):
            rest = np.setdiff1d(everything, gone)
            if len(set(y[rest])) < 2 or certify(X[rest], y[rest]).verdict == "separable":
                return k
    return len(y)


def c19() -> ClaimResult:
    X, y = datasets.planted_margin(200, 3, 0.02, random_state=1)
    trace = record(Perceptron(), X, y)
    checked = audit(trace)
    figures = {
        "updates": len(trace),
        "first": checked.cosines[0],
        "last": checked.cosines[-1],
        "floor": checked.floors[-1],
        "bound": (checked.radius / checked.margin) ** 2,
    }
    return ClaimResult(checked.holds, figures, lambda ax, lang: plot.learning(trace, ax=ax, lang=lang))


def c20() -> ClaimResult:
    xor = datasets.logic_gate("xor")
    small = MultilayerPerceptron((4,), "tanh", solver="lbfgs").fit(*xor)
    X, y = datasets.spirals(200, random_state=0)
    X = StandardScaler().fit_transform(X)
    large = MultilayerPerceptron((20, 20), "tanh", solver="lbfgs", max_iter=3000).fit(X, y)
    figures = {"xor": small.score(*xor), "spirals": large.score(X, y), "steps": large.n_iter_}
    return ClaimResult(figures["xor"] == figures["spirals"] == 1, figures, boundary(large, X, y))


def c21(say: Say) -> ClaimResult:
    found = [weigh_all(n, say) for n in THRESHOLD_FUNCTIONS]
    figures = {
        "threshold": [sum(map(bool, functions)) for functions in found],
        "all": [len(functions) for functions in found],
        "largest": [max(abs(w) for f in functions for w in f.weights or []) for functions in found],
        "trade": max(len(f.trade[0]) for functions in found for f in functions if f.trade),
    }
    proved = all(f.holds() for functions in found for f in functions)
    return ClaimResult(proved and figures["threshold"] == list(THRESHOLD_FUNCTIONS.values()), figures)


def weigh_all(n: int, say: Say) -> list[ThresholdFunction]:
    """What is found of every function of n inputs."""
    found: list[ThresholdFunction] = []
    for table in product((0, 1), repeat=2**n):
        if len(found) % OFTEN == 0:
            say(f"{len(found)}/{2**2**n}")
        found.append(threshold_function(table))
    return found


def boundary(model: Any, X: Any, y: Any) -> Draw:
    return lambda ax, lang: plot.decision_boundary(model, X, y, ax, lang)


def four_gates(ax: Any, lang: str) -> Any:
    """The four gates within one picture."""
    ax.set_axis_off()
    places = [(left, bottom, 0.42, 0.38) for bottom in (0.56, 0.04) for left in (0.04, 0.56)]
    return plot.logic_gates([ax.inset_axes(place) for place in places], lang)


def silent(claim: Callable[[], ClaimResult]) -> Callable[[Say], ClaimResult]:
    """A claim that is soon run, and says nothing before."""
    return lambda say: claim()


QUICK = (c01, c02, c03, c04, c05, c06, c07, c08, c09, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20)
CLAIMS: dict[str, Callable[[Say], ClaimResult]] = {
    **{claim.__name__.upper(): silent(claim) for claim in QUICK},
    "C21": c21,
}
"""The function of every claim."""
