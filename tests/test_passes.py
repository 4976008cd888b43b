"""The passes by themselves, on a few rows: what is compiled gives what a line of plain Python gives.

``make coverage`` runs this file, and others, with the passes as plain Python, to see which branches are taken.
"""

import os
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from numba import njit

from novikoff import AROWClassifier, AveragedPerceptron, KernelPerceptron, Perceptron, SCWClassifier
from novikoff.passes import decimal_cells, insensitive, max_margin, observers, orders
from novikoff.passes.rows import SEEN, Csr, Dense, add, longest, of_matrix, packed, score

KINDS = np.array([decimal_cells.NUMBER, decimal_cells.LABEL, decimal_cells.LEFT_OUT, decimal_cells.NUMBER])
WHOLE = "NOVIKOFF_LONG" in os.environ or os.environ.get("HYPOTHESIS_PROFILE") == "interpreted"
SECOND_ORDER = [AROWClassifier, SCWClassifier] if WHOLE else []
"""They compile long; tests/test_second_order.py has them in float32 as well."""


def cells(text, kinds=KINDS):
    """How many rows of a CSV text are read, with the numbers, their places and the labels."""
    size = text.count("\n"), int((kinds == decimal_cells.NUMBER).sum())
    whole, places, spans = np.zeros(size, np.int64), np.zeros(size, np.uint8), np.zeros((size[0], 2), int)
    body = np.frombuffer(text.encode(), dtype=np.uint8)
    return decimal_cells.read_cells(body, ord(","), kinds, whole, places, spans), whole, places, spans


def test_decimals_are_those_of_python():
    text = "1.50,a,,-2e3\r\n\n\r\n+0.25,b c,x,.5E-2\n-0,\td,,1e0\n120,e,,7.00e+1\n"
    count, whole, places, spans = cells(text)
    assert count == 4
    numbers = [Fraction(int(w), 10 ** int(p)) for w, p in zip(whole.flat, places.flat, strict=True)]
    written = ["1.50", "-2e3", "0.25", ".5E-2", "-0", "1e0", "120", "7.00e+1"]
    assert numbers[:8] == [Fraction(Decimal(cell)) for cell in written]
    assert [text[a:b] for a, b in spans[:4]] == ["a", "b c", "\td", "e"]


@pytest.mark.parametrize(
    "line",
    [
        "1234567890123456789,a,,1\n",
        "x,a,,1\n",
        "1e,a,,1\n",
        "1e19,a,,1\n",
        "5e18,a,,1\n",
        "1e-19,a,,1\n",
        "1,a\x01,,1\n",
        "1 ,a,,1\n",
        "1,a,,1,2\n",
        "1,a,,1\r1\n",
    ],
)
def test_what_is_not_written_plainly_is_left_to_others(line):
    assert cells("1,a,,1\n" + line)[0] == -1


def test_columns_are_brought_to_their_most_places():
    whole, places, most = np.array([[15, 3], [2, 40]]), np.array([[1, 0], [0, 1]], np.uint8), np.array([1, 1])
    assert decimal_cells.align(whole, places, most)
    assert whole.tolist() == [[15, 30], [20, 40]]
    assert not decimal_cells.align(np.array([[10**18]]), np.zeros((1, 1), np.uint8), np.array([1]))


def test_ratios_are_written_in_lowest_terms():
    whole, over, out = np.array([[0, 150], [-7, 0], [0, 0], [20, -100]]), np.array([10, 100]), np.zeros(80, np.uint8)
    size = decimal_cells.write_ratios(whole, over, out)
    assert out[:size].tobytes() == b"1:3/2\n0:-7/10\n\n0:2/1 1:-1/1\n"


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_matrix])
def test_the_nearest_point_of_a_triangle(kind):
    """Rows (1, 0) and (0, 1) against the mirror of the first: w is (1, 1), and the row of zeros is passed over."""
    X, signs = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, 0.0]]), np.array([1.0, 1.0, -1.0, 1.0])
    rows, squares, found = of_matrix(kind(X), 0.0), np.empty(4), np.empty(4)
    max_margin.lengths(rows, squares)
    assert squares.tolist() == [1, 1, 1, 0]
    alpha, w = np.zeros(4), np.zeros(3)
    assert max_margin.descend(rows, np.arange(4, dtype=np.uint32), signs, squares, alpha, w, 10, 0.0) == 0
    assert w.tolist() == [1, 1, 0]
    max_margin.scores(rows, signs, w, found)
    assert found.tolist() == [1, 1, 1, 0]


def test_many_blocks_are_a_permutation():
    rows = np.arange(orders.SMALL + 5, dtype=np.uint32)
    first, second = orders.shuffled(rows, 1), orders.shuffled(rows, 2)
    assert np.array_equal(np.sort(first), rows)
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize(("value", "kept"), [(255, np.uint8), (256, np.uint16), (-1, None), (65536, None), (0.5, None)])
def test_dense_rows_without_their_zeros_are_the_same_numbers(value, kept, kind, monkeypatch):
    monkeypatch.setattr("novikoff.passes.rows.LARGE", 0)
    X = np.zeros((400, 40), kind)
    X[::2, 3], X[399, 39] = 7, value
    small = packed(of_matrix(X, 1.0), 40)
    assert isinstance(small, Csr)
    assert small.values.dtype == (X.dtype if kept is None and X[399, 39] else kept or np.uint8)
    assert small.columns.dtype == np.uint16
    assert np.array_equal(sp.csr_matrix((small.values, small.columns, small.starts), X.shape).toarray(), X)
    assert small.bias == 1.0


def test_dense_rows_with_too_many_nonzeros_stay_as_they_are(monkeypatch):
    X = np.zeros((3000, 40))
    X[:, 3] = 7
    assert isinstance(packed(of_matrix(X, 1.0), 40), Dense)  # the caches hold them
    monkeypatch.setattr("novikoff.passes.rows.LARGE", 0)
    assert isinstance(packed(of_matrix(X, 1.0), 40), Csr)
    X[1::2] = 1  # only in rows that are not among those that are looked at first
    X[:: len(X) // SEEN] = 0
    assert isinstance(packed(of_matrix(X, 1.0), 40), Dense)
    X[1::2] = 0
    assert isinstance(packed(of_matrix(X, 1.0), 40), Csr)
    X[7, 5] = np.nan  # whoever looks for it finds it
    assert np.isnan(packed(of_matrix(X, 1.0), 40).values).sum() == 1
    assert longest(packed(of_matrix(X, 1.0), 40)) == np.inf


def test_counts_and_columns_take_fewer_bytes():
    X = sp.csr_matrix(np.array([[0.0, 300.0], [2.0, 0.0]]))
    X.indptr = X.indptr.astype(np.int64)
    rows = packed(of_matrix(X, 1.0), 2)
    assert [values.dtype for values in rows[:3]] == [np.uint16, np.uint16, np.uint32]
    assert rows.values.tolist() == [300, 2]
    halves = of_matrix(sp.csr_matrix(np.array([[0.5, 0.0]], np.float32)), 1.0)
    assert packed(halves, 2**17).values.dtype == np.float32
    assert packed(halves, 2**17).columns.dtype == np.uint32
    assert packed(packed(rows, 2), 2).columns.dtype == np.uint16
    assert isinstance(packed(Dense(np.eye(2), 1.0), 2), Dense)
    assert isinstance(rows, Csr)


def test_a_row_that_is_not_finite_has_no_length():
    X = np.array([[3.0, 4.0], [1.0, 0.0]])
    assert longest(of_matrix(X, 0.0)) == 25
    assert longest(of_matrix(np.vstack([X, [[np.nan, 0.0]]]), 0.0)) == np.inf


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("learner", [Perceptron, AveragedPerceptron, *SECOND_ORDER])
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_matrix])
def test_scores_in_float32_change_nothing(learner, kind):
    """Several classes of float32, scored in float32 first; rows in Fortran's order are not asked for in advance."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, (40, 5)).astype(np.float32)
    y = (X @ rng.standard_normal((5, 3))).argmax(axis=1)
    for multi_class in ("ovr", "joint"):
        model = learner(multi_class=multi_class, order="cyclic", max_iter=2, tol=None)
        rough, exact = (
            np.column_stack([fitted.coef_, fitted.intercept_])
            for fitted in (model.fit(kind(data), y) for data in (X, np.asfortranarray(X.astype(np.float64))))
        )
        assert np.allclose(rough, exact, rtol=1e-9)


def test_a_row_without_a_length_and_losses_that_are_summed():
    rows = of_matrix(np.array([[0.0], [2.0]]), 0.0)
    targets = insensitive.RealTargets(np.array([5.0, 3.0]), np.ones(1))
    rule = insensitive.Insensitive(0.5, np.inf, 0.0)
    order, w, tally = np.arange(2, dtype=np.uint32), np.zeros(2), np.zeros(insensitive.TALLY)
    insensitive.regression_pass(rows, targets, order, rule, w, np.zeros(0), tally)
    assert w.tolist() == [1.25, 0]
    assert tally.tolist() == [2, 1, 4.5 + 2.5, 0.625]
    assert insensitive.losses(rows, targets, order, rule, w) == 4.5


def test_a_recording_that_is_full_goes_no_further():
    recording = observers.empty_recording(observers.Nothing(), 1, 1)
    for i in (4, 7):
        observers.tell(recording, 0, of_matrix(np.eye(9), 0.0), i, 1.0, -1.0, 0)
    assert recording.made.tolist() == [1]
    assert recording.rows.tolist() == [[4]]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("policy", ["project", "forget", "random"])
@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_a_small_budget_of_several_classes(policy, multi_class):
    X = np.random.default_rng(0).standard_normal((30, 2))
    y = np.add(X[:, 0] > 0, X[:, 1] > 0.5, dtype=int)
    model = KernelPerceptron(gamma=1.0, budget=4, policy=policy, multi_class=multi_class, max_iter=3, tol=None)
    model.fit(X, y)
    assert len(model.support_) <= 4
    kernel = np.exp(-((X[:, None] - X[model.support_]) ** 2).sum(axis=2))
    assert np.allclose(model.decision_function(X), kernel @ model.dual_coef_.T)


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.float32, np.float64, np.int64, None])
@pytest.mark.parametrize("length", range(10))
def test_a_sparse_row_is_scored_exactly(kind, length):
    """Of whole numbers; several at once, one by one, with the weights side by side and apart."""
    rng = np.random.default_rng(length)
    columns = rng.permutation(12)[:length].astype(np.uint16)
    values = np.ones(length) if kind is None else rng.integers(0, 200, length).astype(kind)
    rows = Csr(None if kind is None else values, columns, np.array([0, length], np.uint32), 1.0)
    w = rng.integers(-1000, 1000, 13).astype(float)
    expected = sum(int(w[j]) * int(x) for j, x in zip(columns, values, strict=True)) + w[-1]
    apart = np.empty(26)
    apart[::2] = w
    assert scored(rows, w) == scored(rows, apart[::2]) == expected


WHOLE_NUMBERS = [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64]


@pytest.mark.parametrize("kind", [np.float32, np.float64, *WHOLE_NUMBERS])
def test_dense_rows_of_every_length_are_scored_and_added_exactly(kind):
    """Of whole numbers, from single entries to several vectors of them; with the weights side by side and apart."""
    rng, lowest = np.random.default_rng(0), 0 if np.dtype(kind).kind == "u" else -100
    for length in range(1, 40):
        rows = of_matrix(rng.integers(lowest, 100, (1, length)).astype(kind), 3.0)
        x = np.append(rows.values[0].astype(float), 3)
        w, apart = rng.integers(-1000, 1000, length + 1).astype(float), np.empty(2 * length + 2)
        apart[::2] = w
        assert scored(rows, w) == scored(rows, apart[::2]) == w @ x
        expected = w - 7 * x
        moved(rows, w, -7.0)
        moved(rows, apart[::2], -7.0)
        assert np.array_equal(w, expected)
        assert np.array_equal(apart[::2], expected)


@njit
def scored(rows, w):
    return score(rows, 0, w)


@njit
def moved(rows, w, step):
    add(rows, 0, w, step)


def test_before_a_window_begins_each_of_its_rows_was_asked_for():
    asked = [named(t) for t in range(3 * orders.WINDOW)]
    for window in range(3):
        begin = window * orders.WINDOW
        places = np.arange(begin + orders.WINDOW, begin + 2 * orders.WINDOW)
        assert sorted(asked[begin : begin + orders.WINDOW]) == places.tolist()


@njit
def named(t):
    return orders.next_window(t)


def test_rows_are_asked_for_block_by_block():
    rows = np.arange(orders.SMALL + orders.WINDOW, dtype=np.uint32)
    order = orders.shuffled(rows, 5)
    places = np.array([named(t) for t in range(orders.WINDOW)])
    blocks = order[places].reshape(-1, orders.BLOCK).astype(int)
    spread = (blocks - blocks.min(axis=1, keepdims=True)).max(axis=1)
    assert np.mean(spread == orders.BLOCK - 1) > 0.95  # but for one that goes over the end
