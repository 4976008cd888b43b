"""Perceptrons on a Dask cluster, by iterative parameter mixing: only weights move, never rows.

Any Dask scheduler will do: local threads, a ``LocalCluster``, or whatever a ``distributed.Client`` is connected to.
"""

import warnings
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from .. import inputs
from ..data.labels import join_labels, number_labels
from ..imports import NO_DASK
from ..learners.arow import AROWClassifier
from ..learners.averaged import AveragedPerceptron
from ..learners.base import LinearLearner
from ..learners.perceptron import Perceptron
from ..learners.scw import SCWClassifier
from ..training.outcomes import each, warn
from ..training.run import Plan, train
from .mixing import MixedProblems, Task

try:
    import dask
    import dask.array as da

    from . import partitions as parts
    from .cluster import Cluster, Shards
except ImportError as error:
    raise ImportError(NO_DASK) from error


class MixedLearner(LinearLearner):
    """What learners of a cluster share: a look at the partitions, the rounds, and predictions that stay there."""

    weighted_updates_: Any
    weighted_mistakes_: Any

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LinearLearner._parameter_constraints,
        "order": [StrOptions({"cyclic", "shuffled"})],
        "mixing": [StrOptions({"uniform", "mistakes"})],
        "n_shards": [Interval(Integral, 1, None, closed="left"), None],
        "persist": ["boolean"],
    }

    def __init__(
        self,
        eta0: float = 1.0,
        order: str = "shuffled",
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        fit_intercept: bool = True,
        multi_class: str = "ovr",
        class_weight: Any = None,
        random_state: Any = 0,
        verbose: int = 0,
        mixing: str = "uniform",
        n_shards: int | None = None,
        persist: bool = True,
    ) -> None:
        self.eta0 = eta0
        self.order = order
        self.max_iter = max_iter
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.multi_class = multi_class
        self.class_weight = class_weight
        self.random_state = random_state
        self.verbose = verbose
        self.mixing = mixing
        self.n_shards = n_shards
        self.persist = persist

    @property
    def partial_fit(self) -> Any:
        """There is none: rows that come one batch after the other are for the learner without Dask in its name."""
        raise AttributeError(f"{type(self).__name__} has no partial_fit: it learns from all partitions in every pass.")

    @property
    def set_callbacks(self) -> Any:
        """There is none: scikit-learn's callbacks are told of fits in this process."""
        raise AttributeError(f"{type(self).__name__} has no callbacks: its passes are made by the workers.")

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, classes: Any = None) -> "MixedLearner":
        """Train on the partitions of X and their labels y, from zero.

        Parameters
        ----------
        X : Dask array, dense or with blocks of scipy.sparse CSR; Dask dataframe; or files that every worker can read:
            a path, a folder, a pattern such as "data/*.parquet", or a list of these (Parquet, Feather, CSV, libsvm)
        y : Dask array or series with the partitions of X, or the name of a column of X or of the files; None for libsvm
        classes : list of all labels, or None to take those found in y
        """
        if parts.are_files(X):
            source, classes_of_files = parts.partitions_of_files(X, y)
            classes = classes_of_files if classes is None else classes
        else:
            source = parts.partitions_of(X, y)
        cluster = Cluster(len(source.X), self.n_shards, source.placed)
        check = dask.delayed(parts.check_rows, pure=False)
        rows = self._keep(cluster, [check(type(self).__name__, k, part) for k, part in enumerate(source.X)])
        labels = self._keep(cluster, source.y)
        summaries = self._summarise(cluster, rows, labels, inputs.column_names(source.like))
        classes, sample_weight = self._classes(summaries, classes)
        number = dask.delayed(parts.number_partition, pure=False)
        labels = self._keep(cluster, [number(k, classes, part) for k, part in enumerate(labels)])
        task = self._task(summaries, len(classes), sample_weight)
        together = self.persist and not source.placed
        shards = Shards(cluster, task, rows, labels, [summary.rows for summary in summaries], together)
        features = max(summary.features for summary in summaries)
        problems = MixedProblems(task, shards, features, self.mixing)
        plan = Plan(
            "cyclic",
            np.empty(0, np.uint32),
            task.seed,
            0,
            self.max_iter,
            self.tol,
            counts_all=self._counts_all_passes,
        )
        outcomes = train([problems], plan, verbose=self.verbose)
        like = np.empty((0, features)) if source.like is None else source.like
        validate_data(self, like, skip_check_array=True, reset=True)
        self._set_learnt(outcomes, classes, problems.update_radius, sample_weight)
        self.weighted_updates_ = each(problems.weighted.tolist())
        if task.rule.second_order:
            self.weighted_mistakes_ = each(problems.weighted_mistakes.tolist())
        warn_sorted(summaries)
        warn(self, outcomes)
        return self

    def _keep(self, cluster: Cluster, collections: list[Any]) -> list[Any]:
        """Partitions, in the memory of the workers if they are to be kept there."""
        return cluster.persist(collections) if self.persist else collections

    def _summarise(
        self, cluster: Cluster, rows: list[Any], labels: list[Any], names: Any
    ) -> list[parts.PartitionSummary]:
        """A first look at every partition; raises if they do not fit together."""
        weights = self.class_weight if isinstance(self.class_weight, dict) else {}
        left_out = [label for label, weight in weights.items() if weight == 0]
        look = dask.delayed(parts.summarise, pure=False)
        summaries = cluster.compute(
            [
                [look(k, names, float(self.fit_intercept), left_out, rows[k], labels[k]) for k in shard]
                for shard in cluster.shards
            ]
        )
        widths = {summary.features: k for k, summary in enumerate(summaries) if summary.rows}
        if not widths:
            raise ValueError("X has no rows: all its partitions are empty.")
        if len(widths) > 1:
            (one, first), (other, second) = list(widths.items())[:2]
            raise ValueError(f"Partition {first} of X has {one} columns, but partition {second} has {other}.")
        return summaries

    def _classes(self, summaries: list[parts.PartitionSummary], classes: Any) -> tuple[np.ndarray, np.ndarray]:
        """All labels, and the length of the step of each; one for all if there are no weights."""
        with_rows = [summary for summary in summaries if summary.rows]
        labels = join_labels([summary.labels for summary in with_rows])
        classes = np.unique(labels if classes is None else classes)
        numbers = number_labels(labels, classes)[1]
        counts = np.bincount(numbers, np.concatenate([summary.counts for summary in with_rows]), len(classes))
        weights = np.ones(1)
        if self.class_weight is not None:
            weights = inputs.class_weights(self.class_weight, classes, counts)
            inputs.check_weights(weights)
        counting = classes[weights * counts > 0]
        if len(counting) < 2:
            raise inputs.too_few_classes(self, counting)
        return classes, weights

    def _task(self, summaries: list[parts.PartitionSummary], classes: int, sample_weight: np.ndarray) -> Task:
        return Task(
            vectors=1 if classes == 2 else classes,
            joint=self.multi_class == "joint" and classes > 2,
            rule=self._rule(),
            bias=float(self.fit_intercept),
            radius=float(np.sqrt(max(summary.square for summary in summaries))),
            sample_weight=sample_weight,
            order=self.order,
            seed=int(check_random_state(self.random_state).randint(2**31)),
            parts=len(summaries),
            average=self.average,
        )

    def decision_function(self, X: Any) -> Any:
        """w·x + b of every row; with several classes one column per class.  Of a Dask collection, a lazy Dask array."""
        if not dask.is_dask_collection(X):
            return super().decision_function(X)
        check_is_fitted(self)
        columns = len(self.classes_) if len(self.classes_) > 2 else None
        return self._lazy(X, LinearLearner.decision_function, np.dtype(np.float64), columns)

    def predict(self, X: Any) -> Any:
        """The label of every row: of two classes the second where w·x + b ≥ 0, of several the one with most.

        Of a Dask collection, a lazy Dask array.
        """
        if not dask.is_dask_collection(X):
            return super().predict(X)
        check_is_fitted(self)
        return self._lazy(X, LinearLearner.predict, self.classes_.dtype, None)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows that are labelled right."""
        if not dask.is_dask_collection(X):
            return super().score(X, y, sample_weight)
        if sample_weight is not None:
            raise ValueError("Of a Dask collection all rows weigh the same: leave sample_weight out.")
        source = parts.partitions_of(X, y)
        right = dask.delayed(parts.count_right, pure=False)
        model = dask.delayed(self, traverse=False)
        counts = dask.compute(*(right(model, *part) for part in zip(source.X, source.y, strict=True)))
        right_rows, rows = np.sum(counts, axis=0)
        return float(right_rows / rows)

    def _lazy(self, X: Any, method: Any, dtype: np.dtype, columns: int | None) -> Any:
        """What a method makes of every partition, as one Dask array."""
        rows, sizes = parts.partition_rows(X)
        model, work = dask.delayed(self, traverse=False), dask.delayed(parts.apply_method, pure=False)
        wide = () if columns is None else (columns,)
        blocks = [
            da.from_delayed(work(method, model, part, np.empty((0, *wide), dtype)), shape=(size, *wide), dtype=dtype)
            for part, size in zip(rows, sizes, strict=True)
        ]
        return da.concatenate(blocks, allow_unknown_chunksizes=True)


def warn_sorted(summaries: list[parts.PartitionSummary]) -> None:
    """Say so if most partitions with several rows hold one class only: mixing cannot make up for that."""
    longer = [summary for summary in summaries if summary.rows > 1]
    sorted_ = sum(len(summary.labels) == 1 for summary in longer)
    if 2 * sorted_ > len(longer):
        warnings.warn(
            f"{sorted_} of {len(longer)} partitions hold rows of one class only, from which a shard learns little: "
            "put the rows into random order over all partitions first.",
            ConvergenceWarning,
            stacklevel=4,
        )


class DaskPerceptron(MixedLearner, Perceptron):
    """The perceptron on a Dask cluster: in every round each shard passes over its rows, and the weights are mixed.

    A shard is a chain of neighbouring partitions that stay on one worker.  From the mixed weights w each shard s makes
    the pass of ``Perceptron`` over its rows, to w_s with k_s updates, and then w ← Σ μ_s·w_s.  On rows that some
    plane separates with margin ρ, Σ μ_s·k_s over all rounds is at most r²/ρ²: Novikoff's bound, whatever the number of
    machines.  Mixing after every round is what makes it so: weights learnt apart and mixed once need not separate
    separable rows.

    With one shard it is ``Perceptron``, to the bit in cyclic order, as it is in any order when the shard has one
    partition.  The result depends on the partitions and ``n_shards`` only, not on the workers: one that is lost in the
    middle of a pass costs time and changes nothing.

    Parameters
    ----------
    eta0, max_iter, tol, fit_intercept, multi_class, class_weight, random_state, verbose : as in Perceptron
    order : "cyclic" or "shuffled", default="shuffled"
        As in ``Perceptron``, within every partition; shuffled, a shard's partitions come in a new order every round.
    mixing : "uniform" or "mistakes", default="uniform"
        All μ_s alike, or in proportion to the updates k_s of the round.  By "mistakes" every round with a mistake
        counts at least 1, so that at most r²/ρ² rounds have one.
    n_shards : int or None, default=None
        How many shards; None for the threads that the cluster has when the fit begins.  At most the partitions.  Set it
        where the same result is wanted on clusters of different size.
    persist : bool, default=True
        Whether the partitions are kept in the memory of the workers; otherwise every pass loads them again.

    Attributes
    ----------
    coef_, intercept_, classes_, n_features_in_, feature_names_in_ : as in scikit-learn
    n_iter_ : int
        Rounds made, the most of any class.
    n_updates_ : int or array
        Updates made by all shards.
    weighted_updates_ : float or array
        Σ μ_s·k_s over all rounds, the number that the theorem bounds.
    mistake_bound_ : float or array
        The most that ``weighted_updates_`` could have been: r²/margin_², with weighted classes times the ratio of the
        largest weight to the least; infinite unless every row is on its right side.
    status_ : str or array
        "separated": every shard made a pass without a mistake from the same weights; "thin": no plane has a margin
        above tol × radius; "stopped": max_iter rounds were made.
    radius_, margin_, margin_bound_ : as in Perceptron

    Examples
    --------
    >>> import dask.array as da
    >>> from novikoff import datasets
    >>> from novikoff.scale.dask import DaskPerceptron
    >>> X, y = datasets.planted_margin(1000, 5, 0.1, random_state=0)
    >>> model = DaskPerceptron(n_shards=4).fit(da.from_array(X, chunks=(100, 5)), da.from_array(y, chunks=100))
    >>> model.status_, bool(model.weighted_updates_ <= model.mistake_bound_)
    ('separated', True)

    References
    ----------
    R. McDonald, K. Hall, G. Mann, "Distributed training strategies for the structured perceptron", NAACL 2010.
    """


class DaskAveragedPerceptron(MixedLearner, AveragedPerceptron):
    """The averaged perceptron on a Dask cluster: the rounds of ``DaskPerceptron``, and the mean of all their weights.

    The weights returned are the mean over all rounds of Σ μ_s·m_s, where m_s is the mean of shard s's weights over
    its visits of the round.  What is proved speaks of the mixed weights, ``coef_``, ``intercept_`` and ``margin_`` of
    the mean; as in ``AveragedPerceptron`` there are 10 rounds, and several classes are one joint problem.

    Parameters and attributes are those of ``DaskPerceptron``.

    Examples
    --------
    >>> import dask.array as da
    >>> from novikoff import datasets
    >>> from novikoff.scale.dask import DaskAveragedPerceptron
    >>> X, y = datasets.planted_margin(1000, 5, 0.1, random_state=0)
    >>> X, y = da.from_array(X, chunks=(100, 5)), da.from_array(y, chunks=100)
    >>> DaskAveragedPerceptron(n_shards=4).fit(X, y).score(X, y)
    1.0
    """

    def __init__(
        self,
        eta0: float = 1.0,
        order: str = "shuffled",
        max_iter: int = 10,
        tol: float | None = 1e-3,
        fit_intercept: bool = True,
        multi_class: str = "joint",
        class_weight: Any = None,
        random_state: Any = 0,
        verbose: int = 0,
        mixing: str = "uniform",
        n_shards: int | None = None,
        persist: bool = True,
    ) -> None:
        super().__init__(
            eta0=eta0,
            order=order,
            max_iter=max_iter,
            tol=tol,
            fit_intercept=fit_intercept,
            multi_class=multi_class,
            class_weight=class_weight,
            random_state=random_state,
            verbose=verbose,
            mixing=mixing,
            n_shards=n_shards,
            persist=persist,
        )


class DaskAROWClassifier(MixedLearner, AROWClassifier):
    """AROW on a Dask cluster: in every round each shard passes over its rows, and the Gaussians are mixed.

    From the mixed weights and variances each shard s makes the pass of ``AROWClassifier``, to w_s and σ_s; then the
    natural parameters of the Gaussians are averaged, 1/σ = Σ μ_s/σ_s and w/σ = Σ μ_s·w_s/σ_s, so that a weight is taken
    from the shards that know it well.  Σ (u − w)²/σ is convex in these, so the bound of ``AROWClassifier`` holds, for
    the sum over all rounds of Σ μ_s·m_s with m_s the mistakes of shard s.  With one shard it is ``AROWClassifier``.

    Parameters
    ----------
    r : as in AROWClassifier

    The others are those of ``DaskPerceptron``, without ``eta0``.

    Attributes
    ----------
    n_mistakes_ : int or array
        Updates of rows on their wrong side, of all shards.
    weighted_mistakes_ : float or array
        Σ μ_s·m_s over all rounds, which ``mistake_bound_`` bounds.

    The others are those of ``DaskPerceptron`` and ``AROWClassifier``.

    Examples
    --------
    >>> import dask.array as da
    >>> from novikoff import datasets
    >>> from novikoff.scale.dask import DaskAROWClassifier
    >>> X, y = datasets.planted_margin(1000, 5, 0.1, random_state=0)
    >>> X, y = da.from_array(X, chunks=(100, 5)), da.from_array(y, chunks=100)
    >>> DaskAROWClassifier(n_shards=4).fit(X, y).score(X, y)
    1.0
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "r": AROWClassifier._parameter_constraints["r"],
        **{name: rule for name, rule in MixedLearner._parameter_constraints.items() if name != "eta0"},
    }

    def __init__(
        self,
        r: float = 10.0,
        order: str = "shuffled",
        max_iter: int = 10,
        tol: float | None = 1e-3,
        fit_intercept: bool = True,
        multi_class: str = "joint",
        class_weight: Any = None,
        random_state: Any = 0,
        verbose: int = 0,
        mixing: str = "uniform",
        n_shards: int | None = None,
        persist: bool = True,
    ) -> None:
        super().__init__(
            order=order,
            max_iter=max_iter,
            tol=tol,
            fit_intercept=fit_intercept,
            multi_class=multi_class,
            class_weight=class_weight,
            random_state=random_state,
            verbose=verbose,
            mixing=mixing,
            n_shards=n_shards,
            persist=persist,
        )
        self.r = r


class DaskSCWClassifier(MixedLearner, SCWClassifier):
    """SCW-I on a Dask cluster: the rounds of ``DaskAROWClassifier`` with the passes of ``SCWClassifier``.

    Parameters
    ----------
    C, confidence : as in SCWClassifier

    The others are those of ``DaskPerceptron``, without ``eta0``; attributes are those of ``DaskAROWClassifier``.

    Examples
    --------
    >>> import dask.array as da
    >>> from novikoff import datasets
    >>> from novikoff.scale.dask import DaskSCWClassifier
    >>> X, y = datasets.planted_margin(1000, 5, 0.1, random_state=0)
    >>> X, y = da.from_array(X, chunks=(100, 5)), da.from_array(y, chunks=100)
    >>> DaskSCWClassifier(n_shards=4).fit(X, y).score(X, y) > 0.99
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **{name: SCWClassifier._parameter_constraints[name] for name in ("C", "confidence")},
        **{name: rule for name, rule in MixedLearner._parameter_constraints.items() if name != "eta0"},
    }

    def __init__(
        self,
        C: float = 0.1,
        confidence: float = 0.75,
        order: str = "shuffled",
        max_iter: int = 5,
        tol: float | None = 1e-3,
        fit_intercept: bool = True,
        multi_class: str = "joint",
        class_weight: Any = None,
        random_state: Any = 0,
        verbose: int = 0,
        mixing: str = "uniform",
        n_shards: int | None = None,
        persist: bool = True,
    ) -> None:
        super().__init__(
            order=order,
            max_iter=max_iter,
            tol=tol,
            fit_intercept=fit_intercept,
            multi_class=multi_class,
            class_weight=class_weight,
            random_state=random_state,
            verbose=verbose,
            mixing=mixing,
            n_shards=n_shards,
            persist=persist,
        )
        self.C = C
        self.confidence = confidence
