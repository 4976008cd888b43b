"""Claims on neurons, the learning rule and gates: each is run, and returns what was measured and whether it holds."""

import warnings
from typing import Any

import numpy as np
from sklearn.linear_model import Perceptron as TheirPerceptron
from sklearn.preprocessing import OneHotEncoder

from ..data import datasets
from ..learners.perceptron import Perceptron
from ..neuron import Neuron, gate, logistic, sign, step, tanh, train
from ..proofs.certify import certify, check
from ..theory.trace import record


def c01() -> dict[str, Any]:
    random = np.random.default_rng(0)
    X, w, b = random.standard_normal((1000, 5)), random.standard_normal(5), 0.3
    cell = Neuron(w, b, logistic)
    by_hand = np.array([1 / (1 + np.exp(-(sum(w[j] * x[j] for j in range(5)) + b))) for x in X])
    one_by_one = np.array([cell(x) for x in X])
    error = power_of_ten(max(abs(cell(X) - by_hand).max(), abs(one_by_one - by_hand).max()))
    return {"holds": error <= 1e-14, "n": len(X), "error": error}


def power_of_ten(x: float) -> float:
    """The smallest power of ten that x does not exceed; 0 of 0."""
    return float(10.0 ** np.ceil(np.log10(x))) if x > 0 else 0.0


def c02() -> dict[str, Any]:
    x = np.linspace(-1000, 1000, 200_001)
    with warnings.catch_warnings(record=True) as overflows:
        warnings.simplefilter("always")
        same = np.count_nonzero(sign(x) == 2 * step(x) - 1)
        error = power_of_ten(abs(tanh(x) - (2 * logistic(2 * x) - 1)).max())
    at_zero = int(sign(0.0)), int(step(0.0))
    holds = same == len(x) and error <= 1e-15 and at_zero == (1, 1) and not overflows
    return {"holds": holds, "n": len(x), "same": same, "error": error, "overflows": len(overflows), "zero": at_zero}


def c03() -> dict[str, Any]:
    random = np.random.default_rng(0)
    X, w, b = random.integers(-9, 10, (1000, 4)), random.integers(-9, 10, 4), 5
    ones = np.ones((len(X), 1), dtype=int)
    y = Neuron(w, b)(X)
    folded = sign(np.hstack([X, ones]) @ np.append(w, b))
    threshold = sign(np.hstack([X, -ones]) @ np.append(w, -b))
    same = np.count_nonzero((y == folded) & (y == threshold))
    own = Perceptron(order="cyclic", max_iter=10**5, tol=None).fit(X, y)
    column = Perceptron(order="cyclic", max_iter=10**5, tol=None, fit_intercept=False).fit(np.hstack([X, ones]), y)
    gap = abs(np.append(own.coef_, own.intercept_) - column.coef_[0]).max()
    holds = same == len(X) and own.n_updates_ == column.n_updates_ and gap == 0
    return {
        "holds": bool(holds),
        "n": len(X),
        "same": same,
        "updates": own.n_updates_,
        "column": column.n_updates_,
        "gap": gap,
    }


def plain_perceptron(X: Any, y: Any, eta: float = 1.0, passes: int = 1000) -> tuple[list[float], list[int], bool]:
    """The rule of the notes in plain Python: the weights [w; b], the row of every update, and whether it stopped."""
    rows, w = [[*x, 1] for x in X.tolist()], [0.0] * (X.shape[1] + 1)
    updated: list[int] = []
    for _ in range(passes):
        before = len(updated)
        for i, x in enumerate(rows):
            if y[i] * sum(a * c for a, c in zip(w, x, strict=True)) <= 0:
                w = [a + eta * float(y[i]) * c for a, c in zip(w, x, strict=True)]
                updated.append(i)
        if len(updated) == before:
            return w, updated, True
    return w, updated, False


def c04() -> dict[str, Any]:
    X, y = datasets.logic_gate("and")
    trace = record(Perceptron(eta0=0.5, order="cyclic"), X, y)
    by_hand, updated, _ = plain_perceptron(X, 2 * y - 1, eta=0.5)
    rows, signs = np.column_stack([X, np.ones(4)]), 2 * y - 1
    one, weights = trace.problems[0], trace.weights_before(len(trace)).tolist()
    same = sum(i == k for i, k in zip(one.rows.tolist(), updated, strict=False))
    after = [signs[i] * (trace.weights_after(k) @ rows[i]) for k, i in enumerate(one.rows)]
    raised = np.count_nonzero(after - one.row_margins == 0.5 * trace.squared_rows())
    holds = same == raised == len(one) == len(updated) and weights == by_hand
    figures = {"updates": len(one), "same": same, "raised": raised, "weights": weights, "by_hand": by_hand}
    return {"holds": bool(holds), **figures, "trace": ten_updates()}


def ten_updates() -> Any:
    """A run of exactly ten updates, to be looked at one by one."""
    X, y = datasets.planted_margin(24, 2, 0.12, random_state=40)
    return record(Perceptron(order="cyclic"), 3 * X, y)


def c06() -> dict[str, Any]:
    table = datasets.dating()
    X, y, train_rows, test = OneHotEncoder().fit_transform(table.data), table.target, table.train, table.test

    def right(model: Any) -> int:
        """How many of the test rows it has right, after training."""
        return int((model.fit(X[train_rows], y[train_rows]).predict(X[test]) == y[test]).sum())

    part, whole = certify(X[train_rows], y[train_rows]), certify(X, y)
    theirs = [right(TheirPerceptron(eta0=0.5, random_state=seed)) for seed in range(8)]
    shuffled = [right(Perceptron(eta0=0.5, random_state=seed)) for seed in range(8)]
    cyclic = right(Perceptron(eta0=0.5, order="cyclic"))
    proved = bool(check(part, X[train_rows], y[train_rows])) and bool(check(whole, X, y))
    learnt = Perceptron(eta0=0.5).fit(X[train_rows], y[train_rows]).score(X[train_rows], y[train_rows])
    stopped = TheirPerceptron(eta0=0.5).fit(X[train_rows], y[train_rows]).score(X[train_rows], y[train_rows])
    return {
        "holds": theirs[0] == shuffled[0] == 5 and proved,
        "theirs": theirs,
        "shuffled": shuffled,
        "cyclic": cyclic,
        "learnt": learnt,
        "stopped": stopped,
        "part": part.verdict,
        "margin": part.margin[0] if part.verdict == "separable" else 0.0,
        "whole": whole.verdict,
    }


def c07() -> dict[str, Any]:
    right, signed, stepped, noted = 0, [], [], []
    for name in ("and", "or", "not"):
        X, y = datasets.logic_gate(name, 2)  # the notes have NOT as ¬x₁ on four samples
        model, by_step = Perceptron(order="cyclic").fit(X, 2 * y - 1), train(X, y, step)
        right += int(sum((model.predict(X) + 1) // 2 == y) + sum(by_step.neuron(X) == y))
        signed.append(model.n_updates_)
        stepped.append(len(by_step.rows))
        noted.append(Perceptron(order="cyclic").fit(X[::-1], 2 * y[::-1] - 1).n_updates_)
        X, y = datasets.logic_gate(name)
        right += int(sum(gate(name)(X) == 2 * y - 1))
    figures = {"right": right, "outputs": 34, "signed": signed, "stepped": stepped, "noted": noted}
    return {"holds": right == 34, **figures}


def c08() -> dict[str, Any]:
    X, y = datasets.logic_gate("xor")
    _, updated, stopped = plain_perceptron(X, 2 * y - 1, passes=1000)
    model = Perceptron(order="cyclic").fit(X, y)
    witness = model.certificate_.witness if model.certificate_ else {}
    signed = np.column_stack([X, np.ones(4)]) * (2 * y - 1)[:, None]
    total = sum((weight * signed[i] for i, weight in witness.items()), np.zeros(3)).tolist()
    accepted = bool(check(certify(X, y), X, y))
    holds = not stopped and model.status_ == "inseparable" and witness and total == [0, 0, 0] and accepted
    return {
        "holds": bool(holds),
        "plain": len(updated),
        "stopped": stopped,
        "status": model.status_,
        "updates": model.n_updates_,
        "passes": model.n_iter_,
        "rows": sorted(witness),
        "total": total,
        "accepted": accepted,
    }


def c22() -> dict[str, Any]:
    table = datasets.dating()
    names = dict(zip(table.feature_names, table.data.T, strict=True))
    rule = np.where((names["天气"] == "晴天") & (names["课业"] == "轻松"), "是", "否")
    encoder = OneHotEncoder().fit(table.data)
    X = encoder.transform(table.data)
    model = Perceptron(eta0=0.5).fit(X[table.train], table.target[table.train])
    by_rule, by_plane = rule == table.target, model.predict(X) == table.target
    weights = dict(zip(encoder.get_feature_names_out(table.feature_names), model.coef_[0].tolist(), strict=True))
    largest = sorted(weights, key=lambda name: -abs(weights[name]))[:3]
    return {
        "holds": by_rule.sum() == 13 and len(weights) == X.shape[1],
        "rows": len(table.target),
        "rule": int(by_rule.sum()),
        "rule_test": int(by_rule[table.test].sum()),
        "plane": int(by_plane.sum()),
        "plane_test": int(by_plane[table.test].sum()),
        "tests": len(table.test),
        "numbers": len(weights) + 1,
        "weights": weights,
        "bias": float(model.intercept_[0]),
        "largest": ", ".join(f"{name.replace('_', '=')} {weights[name]:+g}" for name in largest),
    }
