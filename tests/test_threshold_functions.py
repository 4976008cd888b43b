"""Boolean functions that a neuron can compute: counted, with their smallest weights, or a trade."""

import os
from itertools import product

import pytest

from novikoff import check, threshold_function
from novikoff.proofs.threshold_functions import ThresholdFunction, smallest_weights, trade_of_witness


def holds(found):
    """Whether what was found is so, by its definition."""
    points = list(product((0, 1), repeat=len(found.inputs)))
    if found:
        sums = [sum(w * x for w, x in zip(found.weights, point, strict=True)) for point in points]
        return [int(total >= found.threshold) for total in sums] == list(found.table)
    ones, zeros = found.trade
    values = dict(zip(points, found.table, strict=True))
    same = [sum(column) for column in zip(*ones, strict=True)] == [sum(column) for column in zip(*zeros, strict=True)]
    return same and len(ones) == len(zeros) and all(map(values.get, ones)) and not any(map(values.get, zeros))


@pytest.mark.parametrize(("n", "count"), [(0, 2), (1, 4), (2, 14), (3, 104)])
def test_the_number_of_threshold_functions(n, count):
    """Cover 1965; OEIS A000609."""
    found = [threshold_function(table) for table in product((0, 1), repeat=2**n)]
    assert all(map(holds, found))
    assert sum(map(bool, found)) == count


@pytest.mark.skipif("NOVIKOFF_LONG" not in os.environ, reason="all 65536 functions of four inputs take some 20 s")
def test_the_number_of_threshold_functions_of_four_inputs():
    found = [threshold_function(table) for table in product((0, 1), repeat=16)]
    assert all(map(holds, found))
    assert sum(map(bool, found)) == 1882


def test_the_smallest_weights():
    """Of all weights up to 3 none with a smaller sum does."""
    for table in product((0, 1), repeat=8):
        found = smallest_weights(table, 3)
        if found is None:
            continue
        total = sum(map(abs, found[0]))
        for w in product(range(-3, 4), repeat=3):
            if sum(map(abs, w)) < total:
                sums = [sum(a * b for a, b in zip(w, x, strict=True)) for x in product((0, 1), repeat=3)]
                ones = [s for s, v in zip(sums, table, strict=True) if v]
                zeros = [s for s, v in zip(sums, table, strict=True) if not v]
                assert min(ones) <= max(zeros)


XOR = ["a", "b"], (0, 1, 1, 0)


@pytest.mark.parametrize(
    "untrue",
    [
        ThresholdFunction(*XOR, [1, 1], 1),
        ThresholdFunction(*XOR, [-1, -1], -1),
        ThresholdFunction(*XOR, trade=([(0, 1), (1, 0)], [(0, 0)])),
        ThresholdFunction(*XOR, trade=([(0, 1), (0, 1)], [(0, 0), (1, 1)])),
        ThresholdFunction(*XOR, trade=([(0, 0), (1, 1)], [(0, 1), (1, 0)])),
        ThresholdFunction(["a", "b"], (0, 1, 1, 1), trade=([(0, 1), (1, 0)], [(0, 0), (1, 1)])),
        ThresholdFunction(["a", "b"], (0, 0, 1, 0), trade=([(0, 1), (1, 0)], [(0, 0), (1, 1)])),
        ThresholdFunction(*XOR, trade=([], [])),
        ThresholdFunction(*XOR),
    ],
)
def test_what_is_not_so_does_not_hold(untrue):
    assert not untrue.holds()


def test_ways_in_agree():
    by_text = threshold_function("a and (b or not c)")
    by_call = threshold_function(lambda a, b, c: a and (b or not c))
    assert by_text.table == by_call.table == threshold_function(by_text.table).table
    assert by_text.inputs == ["a", "b", "c"]
    assert threshold_function("a & ~b | 0").weights == [1, -1]
    assert threshold_function("1").weights == []
    assert not threshold_function("a ^ b ^ c")


def test_majority_and_parity():
    majority = threshold_function(lambda *x: sum(x) >= 3, 5)
    assert (majority.weights, majority.threshold) == ([1] * 5, 3)
    assert majority.summary() == "1 exactly where x1 + x2 + x3 + x4 + x5 ≥ 3"
    parity = threshold_function(lambda *x: sum(x) % 2, 4)
    assert holds(parity)
    assert parity.summary().startswith("no weights do: ")


def test_a_trade_of_a_witness():
    ones, zeros = trade_of_witness((0, 1, 1, 0), 2)
    assert sorted(ones) == [(0, 1), (1, 0)]
    assert sorted(zeros) == [(0, 0), (1, 1)]


def test_the_proof_is_checked():
    for text in ("a or b", "a ^ b"):
        found = threshold_function(text)
        points = list(product((0, 1), repeat=2))
        assert check(found.certify(), points, list(found.table))
    assert threshold_function("1").certify() is None


@pytest.mark.parametrize(
    ("f", "n", "sentence"),
    [
        ([0, 1, 1], None, "has 3"),
        ([], None, "has 0"),
        ("a +", None, "could not be read"),
        ("a + b", None, "but not 'a [+] b'"),
        ("f(a)", None, "but not"),
        (lambda *x: x[0], 13, "13 inputs"),
    ],
)
def test_bad_input_is_one_sentence(f, n, sentence):
    with pytest.raises(ValueError, match=sentence):
        threshold_function(f, n)
