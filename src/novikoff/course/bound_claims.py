"""Claims on how many updates there are, and on the margin: each is run, and returns what was measured."""

from typing import Any

import numpy as np
from sklearn.svm import SVC

from .. import bounds
from ..data import datasets
from ..learners.margin import MarginPerceptron
from ..learners.perceptron import Perceptron
from ..proofs.certify import certify, check
from ..theory.audit import audit
from ..theory.trace import record


def c05() -> dict[str, Any]:
    X, y = datasets.planted_margin(100, 2, 0.1, random_state=0)
    runs = [Perceptron(order="cyclic").fit(X, y)]
    runs += [Perceptron(order=order, random_state=k).fit(X, y) for order in ("shuffled", "active") for k in range(5)]
    planes = {tuple(np.append(model.coef_, model.intercept_)) for model in runs}
    proof, made = certify(X, y), [model.n_updates_ for model in runs]
    starts = 5 * np.random.default_rng(0).standard_normal((5, 3))
    begun = [Perceptron(order="cyclic").fit(X, y, coef_init=w[:2], intercept_init=w[2:]) for w in starts]
    others = {tuple(np.append(model.coef_, model.intercept_)) for model in begun}
    rho = proof.margin[0]
    bounds_of_starts = [(proof.radius**2 + 2 * rho * np.linalg.norm(w)) / rho**2 for w in starts]
    parts = [model.n_updates_ / most for model, most in zip(begun, bounds_of_starts, strict=True)]
    return {
        "holds": len(planes) > 1 < len(others) and max(made) <= proof.mistake_bound and max(parts) <= 1,
        "runs": len(runs),
        "planes": len(planes),
        "least": min(made),
        "most": max(made),
        "bound": proof.mistake_bound,
        "starts": len(starts),
        "others": len(others),
        "begun": [model.n_updates_ for model in begun],
        "part": max(parts),
        "data": (X, y, runs, begun),
    }


def c09() -> dict[str, Any]:
    parts, etas = [], []
    for seed in range(10):
        X, y = datasets.planted_margin(60, 2 + seed, 0.05, random_state=seed)
        bound = certify(X, y).mistake_bound
        for order in ("cyclic", "shuffled", "active"):
            made = [Perceptron(order=order, eta0=eta).fit(X, y).n_updates_ for eta in (0.1, 1.0, 10.0)]
            parts += [updates / bound for updates in made]
            etas.append(len(set(made)))
    dimensions, turned = [2, 10, 100, 1000], []
    X, y = datasets.planted_margin(60, 2, 0.05, random_state=0)
    for d in dimensions:  # the same points, turned into d dimensions: neither r nor ρ changes
        axes, _ = np.linalg.qr(np.random.default_rng(d).standard_normal((d, 2)))
        turned.append(Perceptron(fit_intercept=False, order="cyclic").fit(X @ axes.T, y).n_updates_)
    families = updates_by_margin()
    parts += [part for rows in families.values() for _, _, part in rows]
    return {
        "holds": 0 < max(parts) <= 1 + 1e-9 and max(etas) == 1 and len(set(turned)) == 1,
        "runs": len(parts),
        "worst": max(parts),
        "etas": sum(count == 1 for count in etas),
        "groups": len(etas),
        "dimensions": dimensions,
        "turned": turned,
        "smallest": min(rho for rows in families.values() for rho, _, _ in rows),
        "slowest": max(M for rows in families.values() for _, M, _ in rows),
        "families": families,
    }


def updates_by_margin() -> dict[str, list[tuple[float, int, float]]]:
    """Three families of data of smaller and smaller margin: of each set ρ/r, the updates M, and M·ρ²/r²."""
    families = {
        "orthonormal": [datasets.orthonormal(m) for m in (4, 16, 64, 256)],
        "exponential": [datasets.exponential(m) for m in range(2, 8)],
        "planted": [datasets.planted_margin(200, 3, rho, random_state=1) for rho in (0.3, 0.1, 0.03, 0.01, 0.003)],
    }
    learner, measured = Perceptron(order="cyclic", fit_intercept=False, max_iter=10**6, tol=None), {}
    for name, sets in families.items():
        proofs = [certify(X, y, fit_intercept=False) for X, y in sets]
        ratios = [proof.margin[0] / proof.radius for proof in proofs]
        made = [learner.fit(X, y).n_updates_ for X, y in sets]
        measured[name] = [(rho, M, M * rho**2) for rho, M in zip(ratios, made, strict=True)]
    return measured


def c10() -> dict[str, Any]:
    X, y = datasets.planted_margin(100, 2, 0.05, random_state=5)
    checked = audit(record(Perceptron(fit_intercept=False), X, y))
    lines = checked.chains[0].lines
    relations = [line for line in lines if line.relation]
    return {
        "holds": checked.holds,
        "hold": sum(line.holds for line in relations),
        "relations": len(relations),
        "chain": " ".join(f"{line.relation} {line.value:.4g}".strip() for line in lines[:-2]),
        "updates": int(lines[-2].value),
        "bound": lines[-1].value,
        "data": (X, y),
    }


def c11() -> dict[str, Any]:
    exact, sizes = [], range(2, 201)  # a classifier needs rows of two classes
    for m in sizes:
        model = Perceptron(fit_intercept=False).fit(*datasets.orthonormal(m))
        if model.n_updates_ == m and abs(model.margin_ * m**0.5 - 1) < 1e-12:
            exact.append(m)
    low, high = certify(*datasets.orthonormal(50), fit_intercept=False).margin
    return {
        "holds": len(exact) == len(sizes) and low <= 50**-0.5 * (1 + 1e-9) and high >= 50**-0.5 * (1 - 1e-9),
        "sizes": len(exact),
        "all": len(sizes),
        "low": low * 50**0.5,
        "high": high * 50**0.5,
    }


def c12() -> dict[str, Any]:
    sizes, runs, exact, last = list(range(2, 9)), 0, 0, []
    for m in sizes:
        X, y = datasets.exponential(m)
        for order, eta in (("cyclic", 1.0), ("shuffled", 0.5), ("active", 2.0)):
            model = Perceptron(order=order, eta0=eta, fit_intercept=False, max_iter=10**9, tol=None).fit(X, y)
            runs, exact = runs + 1, exact + (model.n_updates_ == (4**m - 1) // 3)
        counts = [random_mistakes(X * y[:, None], seed) for seed in range(5 if m < 6 else 0)]
        runs, exact = runs + len(counts), exact + counts.count((4**m - 1) // 3)
        last.append(model.n_updates_)
    signed = datasets.exponential(8)[0] * datasets.exponential(8)[1][:, None]
    raising = [round(np.linalg.solve(signed[:i, :i].T, np.eye(i)[i - 1]).sum()) for i in range(1, 9)]
    X, y = datasets.exponential(200)
    proof = certify(X, y, fit_intercept=False)
    accepted = proof.verdict == "separable" and bool(check(proof, X, y, fit_intercept=False))
    return {
        "holds": exact == runs and raising == [2**i for i in range(8)] and accepted,
        "runs": runs,
        "exact": exact,
        "updates": last,
        "weights": [round(w) for w in (model.coef_[0] / model.coef_[0][0]).tolist()],
        "raising": raising,
        "counts": model.update_counts_.tolist(),
        "verdict": proof.verdict,
        "margin": proof.margin[0],
    }


def random_mistakes(signed: Any, seed: int) -> int:
    """The updates of a run that picks any mistake there is, at random."""
    random, w, made = np.random.default_rng(seed), np.zeros(signed.shape[1]), 0
    while len(wrong := np.flatnonzero(signed @ w <= 0)):
        w, made = w + signed[random.choice(wrong)], made + 1
    return made


def c13() -> dict[str, Any]:
    rho, most, least, relations, hold = 0.1, 0.0, np.inf, 0, 0
    for seed in range(10):
        X, y = datasets.planted_margin(60, 3, rho, random_state=seed)
        trace = record(MarginPerceptron(margin=rho), X, y)
        model, lines = trace.learner, [line for chain in audit(trace).chains for line in chain.lines if line.relation]
        most = max(most, model.n_updates_ / bounds.margin_perceptron(model.radius_, rho))
        least = min(least, model.margin_ / (rho / 2))
        relations, hold = relations + len(lines), hold + sum(line.holds for line in lines)
    return {
        "holds": bool(relations == hold and most <= 1 <= least),
        "runs": 10,
        "most": most,
        "least": least,
        "relations": relations,
        "hold": hold,
    }


def c19() -> dict[str, Any]:
    X, y = datasets.planted_margin(200, 3, 0.02, random_state=1)
    trace = record(Perceptron(), X, y)
    checked = audit(trace)
    changes = np.diff(checked.cosines)
    return {
        "holds": checked.holds and bool((checked.cosines >= checked.floors * (1 - 1e-9)).all()),
        "updates": len(trace),
        "first": checked.cosines[0],
        "last": checked.cosines[-1],
        "falls": np.count_nonzero(changes < 0),
        "steps": len(changes),
        "deepest": -changes.min(initial=0.0),
        "below": np.count_nonzero(checked.cosines < checked.floors * (1 - 1e-9)),
        "floor": checked.floors[-1],
        "bound": (checked.radius / checked.margin) ** 2,
        "trace": trace,
    }


def c23() -> dict[str, Any]:
    names, rows = ("Perceptron", "MarginPerceptron", "best margin"), []
    for seed in range(25):
        X, y = datasets.planted_margin(1020, 10, 0.1, random_state=seed)
        best = certify(X[:20], y[:20], fit_intercept=False)
        learners = Perceptron(fit_intercept=False), MarginPerceptron(fit_intercept=False)
        planes = [learner.fit(X[:20], y[:20]).coef_[0] for learner in learners]
        for name, w in zip(names, [*planes, np.ravel(best.coef)], strict=True):
            margin = (y[:20] * (X[:20] @ w)).min() / np.linalg.norm(w) / best.margin[1]
            rows.append((name, float(margin), float(np.mean(y[20:] * (X[20:] @ w) <= 0))))
    margins = [float(np.mean([margin for name, margin, _ in rows if name == each])) for each in names]
    errors = [float(np.mean([error for name, _, error in rows if name == each])) for each in names]
    return {
        "holds": margins == sorted(margins) and errors == sorted(errors, reverse=True),
        "sets": len(rows) // 3,
        "margins": margins,
        "errors": errors,
        "rows": rows,
    }


def c26() -> dict[str, Any]:
    within, gaps, sets = 0, [], 5
    for seed in range(sets):
        X, y = datasets.planted_margin(40, 3, 0.1, random_state=seed)
        low, high = certify(X, y).margin
        rows = np.column_stack([X, np.ones(len(X))])
        mirrored = np.vstack([rows, -rows]), np.concatenate([y, -y])  # a mirror image of itself, so the bias is 0
        machine = SVC(kernel="linear", C=1e6, tol=1e-6).fit(*mirrored)
        margin = float(1 / np.linalg.norm(machine.coef_))
        gaps.append(max(low / margin - 1, margin / high - 1, 0.0))
        within += gaps[-1] < 1e-4
    return {"holds": within == sets, "sets": sets, "within": within, "margin": margin, "low": low, "high": high}
