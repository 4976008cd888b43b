"""Perceptrons on Dask: equal to the reference, whatever runs them and whatever happens to it."""

import logging
import os
import signal
import subprocess
import sys
import time
import warnings
from fractions import Fraction
from itertools import pairwise

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import reference
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import dump_svmlight_file
from sklearn.exceptions import ConvergenceWarning
from strategies import grids, separable
from test_perceptron import augmented

from novikoff import AveragedPerceptron, Perceptron, bounds, datasets, load, save
from novikoff.scale import mixing
from novikoff.scale.dask import DaskAveragedPerceptron, DaskPerceptron

LEARNERS = [DaskPerceptron, DaskAveragedPerceptron]
PLAIN = {DaskPerceptron: Perceptron, DaskAveragedPerceptron: AveragedPerceptron}

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module", autouse=True)
def _in_this_thread():
    """Without a cluster, tests run where they can be debugged."""
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture(scope="module")
def cluster():
    """A real one: a scheduler here and two worker processes of one thread each."""
    distributed = pytest.importorskip("distributed")
    # A worker that a test kills, and the end of the cluster, are told in the log as errors.
    quiet = {"distributed": "critical"}
    with (
        dask.config.set({"logging": quiet, "distributed.logging": quiet}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=logging.CRITICAL
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture
def client(cluster):
    """The cluster as the place where Dask computes."""
    end = time.monotonic() + 60
    while len(cluster.scheduler_info()["workers"]) < 2 and time.monotonic() < end:
        time.sleep(0.2)  # a test killed one, which comes back
    if len(cluster.scheduler_info()["workers"]) < 2:  # or does not, on a busy machine
        cluster.cluster.scale(len(cluster.cluster.worker_spec) + 1)
    cluster.wait_for_workers(2, timeout=120)
    with cluster.as_current(), dask.config.set(scheduler="distributed"):
        yield cluster


def parted(X, y, sizes):
    """X and y as Dask arrays with partitions of these sizes."""
    return da.from_array(X, chunks=(tuple(sizes), -1)), da.from_array(y, chunks=(tuple(sizes),))


def even(n, count):
    """Sizes of partitions that are nearly equal."""
    return [b - a for a, b in pairwise(n * k // count for k in range(count + 1))]


def noisy(n=400, d=6, classes=2, seed=0):
    """Classes that overlap a little."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    scores = X @ rng.standard_normal((d, classes)) + 0.3 * rng.standard_normal((n, classes))
    return X, scores.argmax(axis=1)


def learnt(model):
    """What two fits that are the same have in common, to the bit."""
    return model.coef_.tolist(), model.intercept_.tolist(), np.asarray(model.n_updates_).tolist(), model.n_iter_


@given(grids(max_rows=20), st.sampled_from([1, 2, 4]), st.integers(1, 3), st.integers(1, 6))
@settings(max_examples=40)
def test_rounds_are_those_of_the_reference(data, shards, parts, rounds):
    X, y = data
    sizes = even(len(y), min(shards * parts, len(y)))
    shards = min(shards, len(sizes))
    shards = shards if shards & (shards - 1) == 0 else 2
    ends = np.cumsum([0, *sizes])
    spans = [(ends[a], ends[b]) for a, b in pairwise(len(sizes) * s // shards for s in range(shards + 1))]
    model = DaskPerceptron(order="cyclic", n_shards=shards, max_iter=rounds, tol=None).fit(*parted(X, y, sizes))
    w, total, weighted, _, clean = reference.parameter_mixing(
        augmented(X), (2 * y - 1).tolist(), [range(*span) for span in spans], rounds
    )
    assert [*model.coef_[0], *model.intercept_] == w
    assert (model.n_updates_, model.weighted_updates_) == (total, weighted)
    if clean:
        assert model.status_ == "separated"


@pytest.mark.parametrize("mixing", ["uniform", "mistakes"])
def test_shares_and_means_are_those_of_the_reference(mixing):
    X, y = noisy(90)
    shares = {
        "uniform": lambda made: [1 / len(made)] * len(made),
        "mistakes": lambda made: [k / sum(made) for k in made],
    }
    shards = [range(40), range(40, 60), range(60, 90)]
    model = DaskAveragedPerceptron(order="cyclic", n_shards=3, max_iter=4, tol=None, mixing=mixing)
    model.fit(*parted(X, y, [40, 20, 30]))
    w, total, weighted, mean, _ = reference.parameter_mixing(
        augmented(X), (2 * y - 1).tolist(), shards, 4, shares[mixing]
    )
    assert model.n_updates_ == total > 10
    assert model.weighted_updates_ == pytest.approx(weighted)
    assert np.append(model.coef_, model.intercept_) == pytest.approx(mean, rel=1e-12)
    assert model._resume.weights[0] == pytest.approx(w, rel=1e-12)


@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
@pytest.mark.parametrize("classes", [2, 3, 6])
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_matrix])
def test_one_shard_is_the_plain_learner(classes, multi_class, kind):
    X, y = noisy(classes=classes)
    X = kind(X)
    parts = da.concatenate([da.from_array(X[a : a + 130], chunks=-1, asarray=False) for a in range(0, 400, 130)])
    labels = da.from_array(y, chunks=(parts.chunks[0],))
    settings = {"order": "cyclic", "max_iter": 5, "multi_class": multi_class}
    plain = Perceptron(**settings).fit(X, y)
    model = DaskPerceptron(**settings, n_shards=1).fit(parts, labels)
    assert learnt(model) == learnt(plain)
    assert np.array_equal(model.margin_, plain.margin_)
    assert model.radius_ == plain.radius_
    mean = DaskAveragedPerceptron(**settings, n_shards=1).fit(parts, labels)
    assert mean.coef_ == pytest.approx(AveragedPerceptron(**settings).fit(X, y).coef_, rel=1e-9, abs=1e-12)
    assert np.array_equal(model.predict(parts).compute(), plain.predict(X))
    assert model.score(parts, labels) == plain.score(X, y)


@pytest.mark.parametrize("learner", LEARNERS)
def test_one_partition_is_the_plain_learner_in_shuffled_order(learner):
    X, y = noisy(5000, classes=3)
    model = learner(max_iter=3).fit(*parted(X, y, [5000]))
    plain = PLAIN[learner](max_iter=3).fit(X, y)
    assert model.coef_ == pytest.approx(plain.coef_, rel=1e-9)
    assert np.array_equal(model.n_updates_, plain.n_updates_)


@given(
    separable(), st.integers(1, 5), st.sampled_from(["uniform", "mistakes"]), st.sampled_from(["cyclic", "shuffled"])
)
@settings(max_examples=60)
def test_the_weighted_updates_stay_below_the_bound(data, shards, mixing, order):
    """The theorem, with the best margin known so far as ρ; and no plane beats the margin proved impossible."""
    X, y = data
    model = DaskPerceptron(n_shards=shards, mixing=mixing, order=order, max_iter=10**5, tol=None)
    model.fit(*parted(X, y, even(len(y), min(5, len(y)))))
    assert model.status_ == "separated"
    assert model.score(da.from_array(X), da.from_array(y)) == 1
    assert 0 < model.weighted_updates_ <= model.mistake_bound_
    assert model.mistake_bound_ == pytest.approx(bounds.novikoff(model.radius_, model.margin_))
    best = Perceptron(order="active").fit(X, y)
    assert max(best.margin_, model.margin_) <= model.margin_bound_ * (1 + 1e-9)
    assert model.weighted_updates_ <= bounds.novikoff(model.radius_, best.margin_) * (1 + 1e-9)
    if mixing == "mistakes":
        assert model.n_iter_ - 1 <= model.mistake_bound_


def test_weights_mixed_once_need_not_separate_but_rounds_do():
    X, y = datasets.planted_margin(300, 2, 0.02, random_state=1)
    once = DaskPerceptron(n_shards=6, max_iter=1, tol=None).fit(*parted(X, y, even(300, 6)))
    model = DaskPerceptron(n_shards=6, tol=None).fit(*parted(X, y, even(300, 6)))
    assert once.status_ == "stopped"
    assert once.mistake_bound_ == np.inf
    assert (model.status_, model.score(*parted(X, y, [300]))) == ("separated", 1.0)


def test_a_run_that_is_hopeless_ends_thin():
    X, y = noisy()
    model = DaskPerceptron(n_shards=4, tol=0.1).fit(*parted(X, y, even(400, 8)))
    assert model.status_ == "thin"
    assert model.margin_bound_ <= 0.1 * model.radius_
    assert model.n_iter_ < 1000


@given(grids(max_rows=6, max_features=3), st.integers(1, 3), st.booleans())
@settings(max_examples=30)
def test_separated_is_true_in_exact_arithmetic(data, shards, sparse):
    """Multiples of 0.1, whose sums float64 rounds; a row that passes by rounding only is updated."""
    X, y = data[0] / 10, data[1]
    rows, labels = parted(X, y, even(len(y), min(3, len(y))))
    rows = rows.map_blocks(sp.csr_matrix) if sparse else rows
    model = DaskPerceptron(n_shards=shards, order="cyclic", tol=None, max_iter=25).fit(rows, labels)
    if model.status_ == "separated":
        w = [*map(Fraction, model.coef_[0].tolist()), Fraction(model.intercept_[0].item())]
        for x, label in zip(X.tolist(), y.tolist(), strict=True):
            assert (2 * label - 1) * reference.dot(w, [*map(Fraction, x), 1]) > 0


def test_a_row_on_the_plane_by_rounding_is_a_mistake():
    X, y = np.array([[0, 0.1], [0.1, 0.1], [0.2, 0]]), np.array([1, 1, 0])
    with pytest.MonkeyPatch.context() as patch:
        turns, work = [], mixing.visit
        patch.setattr(mixing, "visit", lambda task, turn, *rest: turns.append(turn) or work(task, turn, *rest))
        model = DaskPerceptron(order="cyclic", n_shards=1).fit(*parted(X, y, [2, 1]))
    assert (model.status_, learnt(model)) == ("separated", learnt(Perceptron(order="cyclic").fit(X, y)))
    assert any(turn.exact for turn in turns)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("scheduler", ["synchronous", "threads"])
def test_the_scheduler_changes_nothing(learner, scheduler):
    X, y = noisy(classes=3)
    parts = parted(X, y, [10, 0, 190, 1, 0, 0, 100, 99])
    with dask.config.set(scheduler=scheduler):
        model = learner(n_shards=3, max_iter=4).fit(*parts)
    assert learnt(model) == learnt(learner(n_shards=3, max_iter=4).fit(*parts))


def test_threads_are_the_number_of_shards_by_default():
    X, y = noisy()
    parts = parted(X, y, even(400, 4))
    with dask.config.set(scheduler="threads", num_workers=3):
        model = DaskPerceptron(max_iter=4).fit(*parts)
    assert learnt(model) == learnt(DaskPerceptron(max_iter=4, n_shards=3).fit(*parts))


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_cluster_changes_nothing(learner, client):
    X, y = noisy(classes=3)
    parts = parted(X, y, [10, 0, 190, 1, 0, 0, 100, 99])
    workers = len(client.nthreads())  # two, or three if one that was replaced came back
    on_cluster = learner(max_iter=4).fit(*parts)
    predicted = on_cluster.predict(parts[0]).compute()
    held = learner(max_iter=4).fit(*dask.persist(*parts))
    with dask.config.set(scheduler="synchronous"):
        here = learner(max_iter=4, n_shards=workers).fit(*parts)
    assert learnt(on_cluster) == learnt(held) == learnt(here)
    assert np.array_equal(predicted, here.predict(X))
    assert predicted.dtype == y.dtype


def outgoing(dask_worker):
    """The keys and bytes that a worker has sent to others."""
    return [(str(key), size) for sent in dask_worker.transfer_outgoing_log for key, size in sent["keys"].items()]


@pytest.fixture
def without_stealing(client):
    """A cluster on which no worker takes the work of another that is behind, and the rows with it."""

    async def steal(on, dask_scheduler):
        stealing = dask_scheduler.extensions["stealing"]
        await (stealing.start() if on else stealing.stop())

    client.run_on_scheduler(steal, False)
    yield client
    client.run_on_scheduler(steal, True)


def test_only_weights_move(without_stealing):
    client = without_stealing
    parts = [da.from_delayed(dask.delayed(noisy)(5000, 50, seed=k)[0], (5000, 50), float) for k in range(8)]
    labels = [da.from_delayed(dask.delayed(noisy)(5000, 50, seed=k)[1], (5000,), int) for k in range(8)]
    before = {worker: len(sent) for worker, sent in client.run(outgoing).items()}
    DaskAveragedPerceptron(max_iter=5, tol=None).fit(da.concatenate(parts), da.concatenate(labels))
    moved = [item for worker, sent in client.run(outgoing).items() for item in sent[before[worker] :]]
    assert any(key.startswith("weights-") for key, _ in moved)
    assert {key.split("-")[0] for key, _ in moved} <= {"weights", "task", "turn", "summarise", "summed", "look_at_all"}
    assert max(size for _, size in moved) < 2000  # 51 weights; a partition has two million bytes


def wide(k):
    """Two rows of very many features."""
    return np.random.default_rng(k).standard_normal((2, 700_000))


def test_many_weights_are_sent_without_a_warning(client):
    rows = da.concatenate([da.from_delayed(dask.delayed(wide)(k), (2, 700_000), float) for k in range(2)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = DaskPerceptron(order="cyclic").fit(rows, da.from_array(np.array([0, 1, 2, 0]), chunks=2))
    assert set(model.status_) == {"separated"}


def test_few_changes_travel_sparse():
    """One pass over rows with 5 of 10000 features moves few weights, and an update is as small as that."""
    X = sp.random_array((200, 10_000), density=5e-4, format="csr", rng=np.random.default_rng(0))
    y = np.random.default_rng(1).integers(2, size=200)
    task = mixing.Task(1, False, Perceptron()._rule(), 1.0, 10.0, np.ones(1), "cyclic", 0, 1, True)
    visited = mixing.visit(task, mixing.Turn(1, [0]), 0, np.zeros((1, 10_001)), None, X, y.astype(np.int32))
    update = mixing.summed(task, np.zeros((1, 10_001)), visited)
    assert sp.issparse(update.weights)
    assert sp.issparse(update.means)
    assert 0 < update.weights.nnz <= 1001
    assert update.weights.data.nbytes + update.weights.indices.nbytes < 80_008 / 6
    assert np.array_equal(mixing.decompressed(update.weights, np.zeros((1, 10_001))), visited.weights)
    dense = mixing.summed(task, visited.weights + 1, visited)
    assert isinstance(dense.weights, np.ndarray)


@given(st.integers(0, 2**32 - 1), st.floats(0, 1))
@settings(max_examples=30)
def test_what_is_packed_comes_out_again(seed, changed):
    rng = np.random.default_rng(seed)
    base = rng.integers(-2, 3, (3, 40)).astype(float)
    values = np.where(rng.random((3, 40)) < changed, rng.integers(-2, 3, (3, 40)), base)
    assert np.array_equal(mixing.decompressed(mixing.compressed(values, base), base), values)
    assert np.array_equal(mixing.decompressed(mixing.compressed(values)), values)


def deadly(k, marker, turn):
    """Rows whose loading number ``turn`` ends the process that does it, as if its machine were switched off."""
    if k == 5:
        count = len(marker.read_text()) + 1 if marker.exists() else 1
        marker.write_text("x" * count)
        if count == turn:
            os.kill(os.getpid(), signal.SIGKILL)
    return noisy(50, seed=k)[0]


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_worker_killed_while_it_loads_rows_changes_nothing(learner, client, tmp_path):
    """Partitions are not kept, so each round loads them; in the third, one worker dies of it."""

    def parts(turn):
        X = [da.from_delayed(dask.delayed(deadly)(k, tmp_path / "loaded", turn), (50, 6), float) for k in range(8)]
        return da.concatenate(X), da.from_array(np.concatenate([noisy(50, seed=k)[1] for k in range(8)]), chunks=50)

    processes = set(client.run(os.getpid).values())
    model = learner(n_shards=2, max_iter=5, persist=False).fit(*parts(turn=4))
    assert processes - set(client.run(os.getpid).values())
    with dask.config.set(scheduler="synchronous"):
        assert learnt(model) == learnt(learner(n_shards=2, max_iter=5).fit(*parts(turn=-1)))


def test_a_worker_killed_with_the_rows_it_keeps_changes_nothing(client, monkeypatch):
    X, y = noisy(2000)
    gathered, gather = [], type(client).gather

    def killing(self, futures):
        gathered.append(futures)
        if len(gathered) == 4:
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        return gather(self, futures)

    monkeypatch.setattr(type(client), "gather", killing)
    model = DaskPerceptron(n_shards=2, max_iter=8).fit(*parted(X, y, even(2000, 10)))
    assert len(gathered) > 4
    with dask.config.set(scheduler="synchronous"):
        assert learnt(model) == learnt(DaskPerceptron(n_shards=2, max_iter=8).fit(*parted(X, y, even(2000, 10))))


@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_a_class_may_be_missing_from_a_shard(multi_class):
    X, y = noisy(classes=3)
    order = np.argsort(y, kind="stable")  # each shard sees one class or two
    model = DaskPerceptron(n_shards=4, max_iter=60, multi_class=multi_class, tol=None)
    model.fit(*parted(X[order], y[order], even(400, 8)))
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.score(*parted(X, y, [400])) > 0.8


def test_partitions_of_one_class_each_are_told():
    X, y = noisy()
    order = np.argsort(y, kind="stable")
    with pytest.warns(ConvergenceWarning, match="of 8 partitions hold rows of one class only"):
        DaskAveragedPerceptron(max_iter=2).fit(*parted(X[order], y[order], even(400, 8)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DaskAveragedPerceptron(max_iter=2).fit(*parted(X, y, even(400, 8)))


def test_partitions_may_have_sizes_that_nobody_knows():
    X, y = noisy()
    rows, labels = parted(X, y, even(400, 4))
    keep, kept = rows[:, 0] > 0, X[:, 0] > 0
    model = DaskPerceptron(n_shards=2, max_iter=3).fit(rows[keep], labels[keep])
    assert np.isnan(rows[keep].shape[0])
    sizes = [int(kept[a : a + 100].sum()) for a in range(0, 400, 100)]
    assert learnt(model) == learnt(DaskPerceptron(n_shards=2, max_iter=3).fit(*parted(X[kept], y[kept], sizes)))
    assert len(model.predict(rows[keep]).compute()) == kept.sum()
    assert model.decision_function(rows[rows[:, 0] > 9]).compute().shape == (0,)


def test_columns_in_several_chunks_and_labels_cut_otherwise_are_put_together():
    X, y = noisy()
    cut = da.from_array(X, chunks=(100, 2)), da.from_array(y[:, None], chunks=(30, 1))
    model = DaskPerceptron(n_shards=2, max_iter=3).fit(*cut)
    assert learnt(model) == learnt(DaskPerceptron(n_shards=2, max_iter=3).fit(*parted(X, y, even(400, 4))))
    assert model.predict(cut[0]).chunks == ((100,) * 4,)


def test_frames_with_a_series_or_a_column_of_labels():
    X, y = noisy(classes=3)
    frame = pd.DataFrame(X, columns=list("abcdef"))
    frame["kind"] = np.array(["lion", "tiger", "wolf"])[y]
    table = dd.from_pandas(frame, npartitions=4)
    model = DaskPerceptron(n_shards=2, max_iter=5).fit(table, "kind")
    assert model.feature_names_in_.tolist() == list("abcdef")
    assert model.classes_.tolist() == ["lion", "tiger", "wolf"]
    features = table.drop(columns="kind")
    assert learnt(model) == learnt(DaskPerceptron(n_shards=2, max_iter=5).fit(features, table["kind"]))
    assert model.predict(features).compute().tolist() == model.predict(frame.drop(columns="kind")).tolist()
    assert model.decision_function(features).compute().shape == (400, 3)
    assert model.score(table, "kind") == model.score(features, table["kind"]) > 0.7
    with pytest.raises(ValueError, match="'sort' is not a column of X"):
        DaskPerceptron().fit(table, "sort")
    with pytest.raises(ValueError, match=r"In partition \d: Column 'kind' of X holds text"):
        DaskPerceptron().fit(table, dd.from_pandas(pd.Series(y), npartitions=4))


def test_files_of_any_kind(tmp_path, client):
    X, y = noisy(600, classes=3)
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(kind=np.array(["lion", "tiger", "wolf"])[y])
    for k in range(3):
        frame[200 * k : 200 * (k + 1)].to_parquet(tmp_path / f"{k}.parquet", row_group_size=100)
    model = DaskPerceptron(n_shards=2, max_iter=4).fit([tmp_path / f"{k}.parquet" for k in range(3)], "kind")
    assert model.feature_names_in_.tolist() == list("abcdef")
    table = parted(X, frame["kind"].to_numpy(object), [100] * 6)
    assert learnt(model) == learnt(DaskPerceptron(n_shards=2, max_iter=4).fit(*table))


def test_files_with_texts_are_refused(tmp_path):
    pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"], "kind": [0, 1]}).to_csv(tmp_path / "some.csv", index=False)
    with pytest.raises(ValueError, match="The columns b of the files do not hold numbers"):
        DaskPerceptron().fit(str(tmp_path / "some.csv"), "kind")


def test_libsvm_files_of_different_width(tmp_path):
    X, y = noisy(200)
    X = X.round(3)
    X[:100, -1] = 0
    for k in range(2):
        some = slice(100 * k, 100 * (k + 1))
        dump_svmlight_file(X[some], y[some], str(tmp_path / f"{k}.libsvm"), zero_based=False)
    model = DaskPerceptron(n_shards=2, max_iter=4).fit(str(tmp_path / "*.libsvm"))
    rows, labels = parted(X, y, [100, 100])
    again = DaskPerceptron(n_shards=2, max_iter=4).fit(rows.map_blocks(sp.csr_matrix), labels)
    assert learnt(model) == learnt(again)


@pytest.mark.parametrize("class_weight", [{0: 1, 1: 4}, {0: 2, 1: 0, 2: 1}, "balanced"])
def test_weights_of_classes(class_weight):
    X, y = noisy(classes=2 if len(class_weight) == 2 else 3)
    settings = {"order": "cyclic", "max_iter": 4, "class_weight": class_weight}
    model = DaskPerceptron(**settings, n_shards=1).fit(*parted(X, y, [150, 250]))
    plain = Perceptron(**settings).fit(X, y)
    assert learnt(model) == learnt(plain)
    assert model.radius_ == plain.radius_


def test_classes_given_and_broken():
    X, y = noisy()
    parts = parted(X, y, [200, 200])
    assert DaskPerceptron(max_iter=2).fit(*parts, classes=[0, 1]).classes_.tolist() == [0, 1]
    assert len(DaskPerceptron(max_iter=2).fit(*parts, classes=[0, 1, 7]).coef_) == 3
    with pytest.raises(ValueError, match=r"y has the label 1 .* not in classes=\[0, 2\]"):
        DaskPerceptron().fit(*parts, classes=[0, 2])
    with pytest.raises(ValueError, match="at least two classes"):
        DaskPerceptron().fit(parts[0], parts[1] * 0)
    with pytest.raises(ValueError, match="X has no rows"):
        DaskPerceptron().fit(parts[0][:0], parts[1][:0])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda X, y: (np.where(X[250, 3] == X, np.nan, X), y), "In partition 2: Input X contains NaN at row 50, col"),
        (lambda X, y: (np.where(X[250, 3] == X, np.inf, X), y), "In partition 2: Input X contains infinity at row 50"),
        (lambda X, y: (X, np.where(np.arange(400) == 250, np.nan, y)), "In partition 2: Input y contains NaN"),
        (lambda X, y: (X, y + 0.5), r"In partition \d: Unknown label type"),
    ],
)
def test_what_is_wrong_is_told_with_its_partition(change, sentence):
    model = DaskPerceptron()
    with pytest.raises(ValueError, match=sentence):
        model.fit(*parted(*change(*noisy()), even(400, 4)))
    assert not hasattr(model, "coef_")


def test_the_cluster_tells_what_is_wrong_too(client):
    X, y = noisy()
    X[250, 3] = np.nan
    with pytest.raises(ValueError, match="In partition 2: Input X contains NaN at row 50, column 3"):
        DaskPerceptron().fit(*parted(X, y, even(400, 4)))


def test_what_does_not_fit_is_refused():
    X, y = noisy()
    rows, labels = parted(X, y, [200, 200])
    with pytest.raises(TypeError, match="not ndarray: what is in memory is learnt faster by the learner without Dask"):
        DaskPerceptron().fit(X, y)
    with pytest.raises(TypeError, match="y must be a Dask array or series like X, not ndarray"):
        DaskPerceptron().fit(rows, y)
    with pytest.raises(ValueError, match="X has 400 rows, but y has 399 labels"):
        DaskPerceptron().fit(rows, labels[:-1])
    with pytest.raises(ValueError, match="X has 2 partitions, but y has 1"):
        DaskPerceptron().fit(rows[rows[:, 0] > 0], da.from_array(y, chunks=-1))
    with pytest.raises(ValueError, match="two dimensions"):
        DaskPerceptron().fit(labels, labels)
    pieces = [da.from_delayed(dask.delayed(X[:, :d]), (400, 6), float) for d in (6, 5)]
    with pytest.raises(ValueError, match="Partition 0 of X has 6 columns, but partition 1 has 5"):
        DaskPerceptron().fit(da.concatenate(pieces), da.concatenate([da.from_array(y, chunks=-1)] * 2))
    with pytest.raises(ValueError, match="'order' parameter of DaskPerceptron must be"):
        DaskPerceptron(order="active").fit(rows, labels)
    with pytest.raises(ValueError, match="'n_shards' parameter"):
        DaskPerceptron(n_shards=0).fit(rows, labels)
    assert not hasattr(DaskPerceptron(), "partial_fit")


def test_without_dask_the_remedy_is_told():
    code = "import sys; sys.modules['dask'] = None; import novikoff.scale.dask"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.stderr.endswith('ImportError: Dask is not installed: pip install "novikoff[dask]" brings it.\n')


@pytest.mark.parametrize("learner", LEARNERS)
def test_it_is_an_estimator_and_can_be_saved(learner, tmp_path):
    X, y = noisy()
    model = learner(n_shards=2, max_iter=3, mixing="mistakes")
    assert clone(model).get_params() == model.get_params()
    model.fit(*parted(X, y, [100, 300]))
    save(model, tmp_path / "model.nvk")
    again = load(tmp_path / "model.nvk")
    assert learnt(again) == learnt(model)
    assert np.array_equal(again.predict(X), model.predict(X))
    assert isinstance(model.predict(da.from_array(X)), da.Array)
