"""What searches do where ordinary data does not lead them: at their limits, and when a solver gives up."""

import re
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff import certify, check
from novikoff.certificates import check as checker
from novikoff.certificates.verified import with_row
from novikoff.exact.floats import root
from novikoff.exact.limits import NotTiedError, SearchLimits, UndecidedError
from novikoff.exact.linalg import independent_rows
from novikoff.exact.ratios import ratios_of
from novikoff.exact.simplex import enter
from novikoff.proofs import best_margin, error_bound, gordan, in_passes, kernel_search, packing, quasi
from novikoff.proofs.feature_space import kernel_space
from novikoff.proofs.few_errors import ErrorSearch
from novikoff.proofs.gordan import Level, WorkingSetSearch, exact_alternative, perceptron_plane
from novikoff.proofs.packing import GRID, Case, WitnessPool
from novikoff.proofs.question import DataMatrix, multiple, read_data
from novikoff.proofs.signed_rows import SignedRows
from novikoff.proofs.threshold_functions import as_bit

SQUARE = [[0, 0], [1, 1], [0, 1], [1, 0]]
XOR = np.array([-1, -1, 1, 1])
CROSS = (SQUARE, [0, 0, 1, 1])
LINE = kernel_space("poly", 1, 1, 1, None)
"""The feature space of (1 + x·x')."""


def signed(X, signs, intercept=True):
    return SignedRows(read_data(X, intercept), np.asarray(signs))


def between(count=30, seed=0):
    """Rows with a plane between the classes, and the signs."""
    X = np.random.default_rng(seed).integers(-9, 10, (count, 2))
    return X, np.where(2 * X[:, 0] - X[:, 1] + 0.5 > 0, 1, -1)


# Gordan's alternative


def test_rows_of_one_class_are_no_question_for_a_perceptron():
    assert perceptron_plane(Level(signed([[1], [2]], [1, 1])), SearchLimits()) is None


def test_a_perceptron_goes_on_while_few_rows_are_wrong(monkeypatch):
    random = np.random.default_rng(0)
    level = Level(signed(random.standard_normal((40, 2)), random.choice([-1, 1], 40)))
    monkeypatch.setattr(gordan, "MANY_COLUMNS", 0)
    monkeypatch.setattr(gordan, "HOPEFUL", 1.0)
    monkeypatch.setattr(gordan, "PASSES", (1, 1, 1))
    told = []
    assert len(perceptron_plane(level, SearchLimits(say=told.append))) == 3
    assert len(told) == 3
    told.clear()
    monkeypatch.setattr(gordan, "PASSES", (1, 1, 10**9))  # for which there is no time
    perceptron_plane(level, SearchLimits(end=0.0, say=told.append))
    assert len(told) == 1


def test_an_exact_search_may_be_forbidden_or_too_large(monkeypatch):
    level = Level(signed(SQUARE, XOR))
    with pytest.raises(UndecidedError, match="exact=False forbids"):
        exact_alternative(level, np.arange(4), SearchLimits(exact=False))
    assert exact_alternative(level, np.arange(4), SearchLimits())[1] == {0: 1, 1: 1, 2: 1, 3: 1}
    monkeypatch.setattr(gordan, "LARGEST_TABLEAU", 1)
    with pytest.raises(UndecidedError, match="too large for exact arithmetic"):
        exact_alternative(level, np.arange(4), SearchLimits())


def test_a_working_set_grows_by_rows_that_are_wrong():
    X, signs = between(200)
    level = Level(signed(X, signs))
    first = np.array([int(np.flatnonzero(signs > 0)[0]), int(np.flatnonzero(signs < 0)[0])])
    plane, witness = WorkingSetSearch(level, SearchLimits()).go(first)
    assert witness == {}
    assert not len(level.wrong_rows(plane))


def test_a_solver_that_gives_up_leaves_it_to_whole_numbers(monkeypatch):
    monkeypatch.setattr(gordan, "linprog", lambda *_, **__: SimpleNamespace(x=None))
    search = WorkingSetSearch(Level(signed(SQUARE, XOR)), SearchLimits())
    assert search.program(np.arange(4))[1] == 0
    assert search.go(np.arange(4))[1] == {0: 1, 1: 1, 2: 1, 3: 1}


def test_a_plane_that_is_wrong_on_known_rows_only_is_none():
    search = WorkingSetSearch(Level(signed([[1.0], [-1.0]], [1, 1], intercept=False)), SearchLimits())
    assert search.plane(np.array([1.0]), np.arange(2)) == (None, pytest.approx([]))
    found, new = search.plane(np.array([1.0]), np.array([0]))
    assert found is None
    assert new.tolist() == [1]


def test_a_witness_of_many_rows_is_not_of_few_columns():
    search = WorkingSetSearch(Level(signed([[1.0], [2.0], [-1.0], [-2.0]], np.ones(4, int), False)), SearchLimits())
    assert search.witness(np.arange(4), np.ones(4)) is None
    assert search.witness(np.array([0, 1]), np.ones(2)) is None
    assert search.witness(np.array([1, 2]), np.ones(2)) == {1: 1, 2: 2}


# Best margins


def test_a_large_support_is_not_worked_on_exactly(monkeypatch):
    rows = signed([[1], [3]], [-1, 1])
    monkeypatch.setattr(best_margin, "IN_ONE_GO", 0)
    found = best_margin.exact_interval(rows, {0: 1, 1: 1}, Fraction(1), SearchLimits())
    assert found.lo_squared == found.hi_squared
    monkeypatch.setattr(best_margin, "LARGEST_SUPPORT", 1)
    assert best_margin.exact_interval(rows, {0: 1, 1: 1}, Fraction(1), SearchLimits()) is None


def test_a_dependent_start_is_one_row(monkeypatch):
    monkeypatch.setattr(best_margin, "IN_ONE_GO", 0)
    rows, third = signed([[1], [1], [4]], [-1, -1, 1]), dict.fromkeys(range(3), Fraction(1, 3))
    found = best_margin.exact_interval(rows, {0: 1, 1: 2, 2: 1}, Fraction(1), SearchLimits())
    assert found.lo_squared == found.hi_squared
    assert best_margin.minor_cycle(rows, third) == third


def test_wolfes_method_ends_when_its_cycles_do(monkeypatch):
    X, signs = between()
    rows = signed(X, signs)
    monkeypatch.setattr(best_margin, "CYCLES", 1)
    short = best_margin.wolfe(rows, {0: Fraction(1)}, Fraction(1), SearchLimits())
    assert short.lo_squared <= short.hi_squared


# Feature spaces


def test_many_rows_have_no_proof_in_a_feature_space(monkeypatch):
    monkeypatch.setattr(kernel_search, "LARGEST_GRAM", 3)
    assert certify(*CROSS, kernel="poly", degree=2, coef0=1).verdict == "unknown"
    assert "rests on a theorem" in certify(*CROSS, kernel="rbf", gamma=1).reason
    with pytest.raises(ValueError, match="no proof of so many rows"):
        kernel_search.certificate_of_run(signed(SQUARE, XOR), LINE, {}, {0: 1})


def test_a_gaussian_search_without_time_rests_on_the_theorem():
    found = certify(*CROSS, kernel="rbf", gamma=1, time_limit=0)
    assert "the time limit was reached" in found.reason
    assert found.summary().startswith("separable: that the classes separate rests on a theorem")
    assert found.summary().count("theorem") == 1  # no margin, radius or number of updates that nobody proved
    refused = check(found, *CROSS, kernel="rbf").sentence
    assert "(separable) holds no proof: that the classes separate rests on a theorem" in refused


def test_a_run_in_a_feature_space_is_of_its_own_rows():
    rows = signed(SQUARE, XOR)
    found = kernel_search.certificate_of_run(rows, LINE, dict.fromkeys(range(4), 1), {})
    assert found.verdict == "inseparable"
    with pytest.raises(ValueError, match="do not sum to zero"):
        kernel_search.certificate_of_run(rows, LINE, {0: 1, 1: 1}, {})
    with pytest.raises(ValueError, match="not on its right side"):
        kernel_search.certificate_of_run(rows, LINE, {}, {0: 1})


def test_a_parameter_has_so_many_digits():
    with pytest.raises(ValueError, match="more digits than a proof can have"):
        certify(*CROSS, kernel="rbf", gamma=Fraction(1, checker.LONG))


# Packings and cases


def pool():
    return WitnessPool(signed(SQUARE, XOR), SearchLimits())


def test_rows_whose_weights_are_not_positive_are_no_witness():
    rows = WitnessPool(signed([[1.0], [2.0]], [1, 1], intercept=False), SearchLimits())
    assert not rows.add(np.arange(2))
    assert not rows.add(np.arange(2))  # known already
    assert rows.witnesses == []


def test_a_case_in_which_a_witness_is_right_is_closed():
    known = pool()
    assert known.add(np.arange(4))
    case = Case(right=frozenset(range(4)))
    assert known.pack(case) == float("inf")
    assert case.closed
    none = Case(wrong=frozenset({0}))
    assert known.pack(none) == 0
    assert none.packing == {}


def test_walks_need_a_tableau_that_fits(monkeypatch):
    known = pool()
    known.add(np.arange(4))
    monkeypatch.setattr(packing, "LARGEST", 1)
    assert known.improve(Case()) == 0
    assert known.witness_in(Case(), np.arange(4)).tolist() == [0, 1, 2, 3]
    assert known.witness_in(Case(wrong=frozenset({0})), np.arange(1, 4)) is None


def test_a_solver_that_gives_up_packs_nothing(monkeypatch):
    known = pool()
    known.add(np.arange(4))
    monkeypatch.setattr(packing, "linprog", lambda *_, **__: SimpleNamespace(x=None))
    case = Case()
    assert known.pack(case) == 0
    assert case.bound == 0


def bound_search():
    rows = signed(SQUARE, XOR)
    errors = ErrorSearch(rows, SearchLimits(), 0)
    errors.go(1)
    return error_bound.BoundSearch(WitnessPool(rows, SearchLimits(), 0), errors, lambda *_: None)


def test_planes_are_looked_for_once_and_rows_are_taken_out():
    search = bound_search()
    search.look_for_planes()
    search.look_for_planes()
    assert not search.try_without(np.arange(4))
    search.wrong = np.arange(3)
    assert not search.try_without(np.array([0]))  # the others separate, so a plane makes one error
    assert len(search.wrong) == 1
    assert search.try_without(np.empty(0, dtype=int))
    assert search.pool.witnesses


def test_a_case_without_a_row_between_is_not_split(monkeypatch):
    search = bound_search()
    search.wrong = np.arange(2)  # as if two errors were the fewest known
    search.root.exhausted = True
    search.by_cases()
    assert search.root.bound == 0
    case = Case(loads=np.full(4, 0.5), packing={})
    assert error_bound.split(search.pool, case)
    assert [len(part.wrong) + len(part.right) for part in case.parts] == [1, 1]
    monkeypatch.setattr(WitnessPool, "pack", lambda self, case: case.packing.update({0: GRID}))
    fresh = Case()
    error_bound.pack_well(search.pool, fresh, 1)
    assert fresh.bound == 1


# Questions


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: certify(*CROSS, multi_class="all"), "must be 'ovr' or 'ovo'. Got 'all'"),
        (lambda: certify(*CROSS, rel_gap=2), "must be in the range (0, 1). Got 2"),
        (lambda: certify(SQUARE, [0, 1]), "inconsistent numbers of samples: [4, 2]"),
        (lambda: as_bit(2), "has the values 0 and 1, but this one has 2"),
        (lambda: as_bit([0, 1]), "has the values 0 and 1"),
    ],
)
def test_bad_questions_are_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        call()


def test_truth_values_are_numbers_and_zero_is_no_multiple():
    X = np.array(SQUARE, dtype=bool)
    assert check(certify(X, CROSS[1]), X, CROSS[1])
    assert multiple(0.0, Fraction(1, 8)) == 0
    assert root(Fraction(0), up=True) == 0


def test_rows_that_are_not_tied_are_told():
    with pytest.raises(NotTiedError, match="are not"):
        quasi.right_rows(signed([[1.0], [-1.0]], [1, 1]), [1, 0])


def test_a_plane_in_few_columns_is_looked_for_where_it_is_little_work(monkeypatch):
    X, y = [[0, 0], [1, 0], [0, 1], [1, 1]], [0, 1, 0, 0]
    few = certify([[0, 0], [0, 0], [1, 1], [2, 1]], [0, 1, 1, 1])
    monkeypatch.setattr(quasi, "SPARSE_WORK", 0)
    many = certify([[0, 0], [0, 0], [1, 1], [2, 1]], [0, 1, 1, 1])
    assert few.verdict == many.verdict == "quasi-separable"
    assert certify(X, y).verdict == "separable"


def test_entries_of_ratios_and_a_combination_of_nothing():
    rows = SignedRows(DataMatrix(ratios_of([[Fraction(1, 3), Fraction(0)], [Fraction(0), Fraction(2)]]), True), XOR[:2])
    assert rows.entries(0) == [(0, 1)]
    assert rows.combine({}) == [0, 0, 0]
    assert signed(SQUARE, XOR).combine({}) == [0, 0, 0]


def test_a_working_set_takes_new_rows_only(monkeypatch):
    def part(rows):
        return in_passes.WorkingSet(np.array(rows), np.eye(3)[rows], np.zeros(len(rows), dtype=int))

    assert part([0]).larger(part([0, 2])).rows.tolist() == [0, 2]
    with pytest.raises(UndecidedError, match="too coarse"):
        part([0]).larger(part([0]))
    monkeypatch.setattr(in_passes, "MOST_WORKED", 1)
    with pytest.raises(UndecidedError, match="more than are kept"):
        part([0]).larger(part([1]))


# Exact arithmetic and the checker


def test_a_rank_that_a_prime_hides_is_found_exactly():
    assert independent_rows([[1, 0], [0, 1]], 2) == [0, 1]
    assert enter(np.array([3, -1, -2]), greedy=False) == 1
    assert enter(np.array([3, -1, -2]), greedy=True) == 2
    assert enter(np.array([3]), greedy=False) is None


def test_lines_of_libsvm_that_the_checker_refuses():
    assert checker.sparse_row("# nothing") is None
    for line in ("1 0:1", "1 1:x"):
        with pytest.raises(ValueError, match="must be column:number"):
            checker.sparse_row(line)
    with pytest.raises(ValueError, match="occurs twice"):
        checker.sparse_row("1 1:2 1:3")


def csv_options(**options):
    plain = {"encoding": "utf-8", "delimiter": ",", "no_header": False, "target": "y", "categorical": [], "drop": []}
    return SimpleNamespace(**plain | options)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "it is empty"),
        ("a,b\n1,2\n", "there is no column 'y' among a, b"),
        ("y,y\n1,2\n", "there is 2 column 'y'"),
        ("a,y\n", "it has no rows"),
        ("a,y\n1\n", "it has 1 cells in the row '1', and 2"),
    ],
)
def test_tables_that_the_checker_refuses(tmp_path, text, sentence):
    path = tmp_path / "data.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        checker.read_csv(str(path), csv_options(), False)


def test_numbers_in_lowest_terms_are_kept_up_to_a_limit(monkeypatch):
    monkeypatch.setattr(checker, "KEPT", 2)
    terms = checker.LowestTerms()
    assert [terms[value] for value in (0.5, 2.0, 0.0, 0.5)] == ["1/2", "2/1", "", "1/2"]
    assert len(terms) == 2


def test_answers_of_the_verified_checker_name_rows():
    assert with_row("accepted", 3, [7], "separable") == "accepted: separable"
    assert with_row("refused: something", 3, [7], "") == "refused: something"
    assert with_row("refused: line 4: wrong", 3, [7], "") == "refused: row 7: wrong"
    assert with_row("refused: line 2: wrong", 3, [7], "") == "refused: wrong"


def test_a_sparse_combination_is_that_of_the_rows():
    X = sp.csr_array(np.array(SQUARE, dtype=float))
    assert signed(X, XOR).combine(dict.fromkeys(range(4), 1)) == [0, 0, 0]
