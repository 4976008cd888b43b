"""The frozen workloads."""

import importlib
from functools import cache
from typing import Any

import numpy as np
from measure import MissingError, Row
from roofline import Job, of_run
from sets import SETS
from sklearn.linear_model import Perceptron as Sklearn
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from novikoff import KernelPerceptron, Perceptron, datasets


@cache
def noisy(kind: type, n: int = 100_000, d: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Two classes that overlap a little: one row in thirty is on the wrong side."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d)).astype(kind)
    y = X @ rng.standard_normal(d) + 0.1 * d**0.5 * rng.standard_normal(n) > 0
    return X, y


@cache
def mnist() -> tuple[np.ndarray, np.ndarray]:
    X, y, _, _ = SETS["mnist"]()
    return X.astype(np.float32), y


@cache
def wdbc() -> tuple[np.ndarray, np.ndarray]:
    X, y = SETS["wdbc"]()
    return StandardScaler().fit_transform(X), y


def passes(data: Any, k: int = 10, jobs: int | None = None, their_jobs: int | None = None) -> Any:
    """k passes of both over the same data; neither stops before."""
    X, y = data
    theirs = Sklearn(tol=None, max_iter=k, n_jobs=their_jobs)
    ours = Perceptron(tol=None, max_iter=k, n_jobs=jobs)
    return lambda: theirs.fit(X, y), lambda: ours.fit(X, y), lambda: of_run(X, ours, jobs or 1)


def until_clean(data: Any, k: int) -> Any:
    """Until no mistake is left; scikit-learn is given the k passes that it needs and is seen to need no more."""
    X, y = data
    ours = Perceptron(order="active", tol=None, max_iter=10**6)

    def theirs() -> None:
        if Sklearn(tol=None, max_iter=k).fit(X, y).score(X, y) < 1:
            raise RuntimeError(f"scikit-learn still makes mistakes after {k} passes")

    return theirs, lambda: ours.fit(X, y), lambda: of_run(X, ours)


@cache
def digits(n: int) -> tuple[np.ndarray, ...]:
    """The first n rows of MNIST and all of its test rows, scaled to 0…1, in float32."""
    X, y, Z, t = SETS["mnist"]()
    return X[:n].astype(np.float32) / 255, y[:n], Z.astype(np.float32) / 255, t


def kernel_fit(n: int = 10_000) -> Any:
    """Both with the same rbf kernel; ours with the threshold that makes it as accurate, see benchmarks/kernel.py."""
    X, y, _, _ = digits(n)
    theirs, ours = SVC(C=10, gamma=0.02), KernelPerceptron(gamma=0.02, threshold=1)
    return lambda: theirs.fit(X, y), lambda: ours.fit(X, y), lambda: kernel_values(X, ours)


def kernel_predict(n: int = 10_000) -> Any:
    X, y, Z, _ = digits(n)
    theirs, ours = SVC(C=10, gamma=0.02).fit(X, y), KernelPerceptron(gamma=0.02, threshold=1).fit(X, y)
    return lambda: theirs.predict(Z), lambda: ours.predict(Z), lambda: kernel_values(Z, ours)


def kernel_values(X: np.ndarray, model: Any) -> Job:
    """The nonzeros of every row meet every support, once for all classes; each row is read once."""
    return Job(X.nbytes, 1, 2 * np.count_nonzero(X) * len(model.support_), X.dtype, 2)


def mlpack(data: Any, k: int = 10) -> Any:
    """mlpack's perceptron, in its own order, for the same number of passes at most."""
    module = peer("mlpack")
    X, y = data
    X, labels = np.ascontiguousarray(X, dtype=np.float64), np.asarray(y, dtype=np.uint64)
    ours = Perceptron(tol=None, max_iter=k, order="cyclic")
    return (
        lambda: module.perceptron(training=X, labels=labels, max_iterations=k, copy_all_inputs=False),
        lambda: ours.fit(X, labels),
        lambda: of_run(X, ours),
    )


def one_by_one(n: int = 2000) -> Any:
    """Rows that come one at a time, each predicted and then learnt, by scikit-learn's partial_fit and by ours."""
    X, y = noisy(np.float64)
    X, y = X[:n], y[:n]

    def work(model: Any) -> None:
        model.partial_fit(X[:1], y[:1], classes=[False, True])
        for i in range(1, n):
            model.predict(X[i : i + 1])
            model.partial_fit(X[i : i + 1], y[i : i + 1])

    return lambda: work(Sklearn()), lambda: work(Perceptron()), None


def river(n: int = 2000) -> Any:
    """The same beside river, which takes rows as dicts; both predict a row and then learn it."""
    peer("river")
    from river import linear_model

    X, y = noisy(np.float64)
    rows = [dict(enumerate(x)) for x in X[:n].tolist()]
    labels = y[:n].tolist()

    def theirs() -> None:
        model = linear_model.Perceptron()
        for x, label in zip(rows, labels, strict=True):
            model.predict_one(x)
            model.learn_one(x, label)

    return theirs, one_by_one(n)[1], None


def peer(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingError(f"{name} is not installed") from error


@cache
def easy(n: int = 60_000, d: int = 784) -> tuple[np.ndarray, np.ndarray]:
    """Two classes that separate well."""
    X, y = datasets.planted_margin(n, d, 0.02, random_state=0)
    return np.ascontiguousarray(X, dtype=np.float32), y > 0


def reading_against(work: Any, data: Any) -> Any:
    """One cyclic pass from weights that were learnt before, against reading the same array."""
    from novikoff.inputs import training_set
    from novikoff.passes.rules import Plain
    from novikoff.training.problems import make_problems

    X, y = data
    model = Perceptron(order="cyclic", max_iter=100, tol=None).fit(X, y)
    weights = model._resume.weights
    (problem,) = make_problems(training_set(model, X, y, None), 1.0, weights, Plain(), False, 1, 1)
    order = np.arange(len(y), dtype=np.uint32)
    vector = weights[0, :-1].astype(np.float32)
    return (
        lambda: work(X, vector),
        lambda: problem.sweep(order, [0]),
        lambda: Job(X.nbytes, 1, 2 * X.size, X.dtype),
    )


ROWS = [
    Row("dense binary 100000×200 float32, 10 passes", "scikit-learn", 5.5, lambda: passes(noisy(np.float32))),
    Row("dense binary 100000×200 float64, 10 passes", "scikit-learn", 3.5, lambda: passes(noisy(np.float64))),
    Row("MNIST, 10 classes, float32, 10 passes", "scikit-learn, n_jobs=2", 14, lambda: passes(mnist(), 10, 2, 2)),
    Row(
        "IMDB counts, sparse, 10 passes",
        "scikit-learn",
        3.5,
        lambda: passes(SETS["imdb"]()[:2]),
    ),
    Row("a9a, short sparse rows, 10 passes", "scikit-learn", 2.5, lambda: passes(SETS["a9a"]()[:2])),
    Row(
        "20 newsgroups, 20 classes, sparse, 10 passes",
        "scikit-learn, n_jobs=2",
        6,
        lambda: passes(SETS["20news"]()[:2], 10, 2, 2),
    ),
    Row(
        "20 newsgroups, 20 classes, sparse, 10 passes, one thread",
        "scikit-learn",
        None,
        lambda: passes(SETS["20news"]()[:2]),
    ),
    Row(
        "until clean: planted_margin(200000, 100, 0.001)",
        "scikit-learn",
        100,
        lambda: until_clean(datasets.planted_margin(200_000, 100, 0.001, random_state=0), 1608),
    ),
    Row("until clean: wdbc standardised", "scikit-learn", 25, lambda: until_clean(wdbc(), 168_525)),
    Row("kernel, MNIST 10000 rows, 10 classes, rbf: fit", "scikit-learn SVC", 6, kernel_fit),
    Row("kernel, MNIST 10000 rows, rbf: predict 10000 rows", "scikit-learn SVC", 25, kernel_predict),
    Row(
        "reading 60000×784 float32: one cyclic pass, clean",
        "X.sum()",
        None,
        lambda: reading_against(lambda X, w: X.sum(), easy()),
    ),
    Row(
        "reading 60000×784 float32: one cyclic pass, clean",
        "X @ w, two threads",
        None,
        lambda: reading_against(lambda X, w: X @ w, easy()),
    ),
    Row(
        "the same, but one row in twenty is updated",
        "X.sum()",
        None,
        lambda: reading_against(lambda X, w: X.sum(), noisy(np.float32, 60_000, 784)),
    ),
    Row("dense binary 100000×200 float64, cyclic, 10 passes", "mlpack", None, lambda: mlpack(noisy(np.float64))),
    Row("2000×200 rows one by one: predict, then learn", "scikit-learn", 4, one_by_one),
    Row("2000×200 rows one by one: predict, then learn", "river", None, river),
]
