"""The plane with the fewest errors: the oracle, proofs that are held to account, and the command."""

import json
import os
import re
import sys
from copy import deepcopy
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from novikoff import check, fewest_errors
from novikoff.certificates.check import seal
from novikoff.certificates.stored_proof import StoredProof
from novikoff.cli import app
from novikoff.exact.limits import SearchLimits
from novikoff.exact.linalg import null_space
from novikoff.passes import witness_walk
from novikoff.proofs import packing
from novikoff.proofs.packing import GRID, Case
from novikoff.proofs.question import read_data
from novikoff.proofs.signed_rows import SignedRows

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

import campaign_errors as campaign

XOR = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
PAIRS = [[x] for x in (0, 0, 1, 1, 2, 2)], [0, 1, 0, 1, 0, 1]
"""Three witnesses without a row in common: no plane makes fewer than three errors."""


@pytest.mark.parametrize("seed", range(4 if "NOVIKOFF_LONG" in os.environ else 1))
def test_both_numbers_are_what_the_oracle_says(seed):
    for number in range(40 if "NOVIKOFF_LONG" in os.environ else 20):
        case = campaign.make(seed, number)
        _, faults = campaign.judge(case)
        assert not faults, (case, faults)


def test_the_oracle_counts_rows_on_the_plane():
    case = {"family": "binomial", "X": [[0], [0], [1]], "y": [0, 1, 1], "fit_intercept": True}
    assert campaign.truth(case) == 1
    assert campaign.truth(case | {"X": [[0], [1], [1]], "fit_intercept": False}) == 1


def test_three_pairs_need_three_errors():
    found = fewest_errors(*PAIRS)
    assert (found.errors, found.lower_bound, found.optimal) == (3, 3, True)
    assert len(found.rows) == 3
    scores = np.array(PAIRS[0]) @ found.coef.T + found.intercept
    wrong = np.flatnonzero((scores.ravel() > 0) != np.array(PAIRS[1], dtype=bool))
    assert set(wrong) <= set(found.rows.tolist())
    assert found.summary().startswith("optimal: a plane makes 3 errors")


def test_rows_that_separate_have_no_errors():
    found = fewest_errors([[0], [1]], [0, 1])
    assert (found.errors, found.lower_bound) == (0, 0)
    assert check(found, [[0], [1]], [0, 1])


def test_a_tree_of_cases_proves_what_packings_cannot(monkeypatch):
    """Witnesses of which any two share a row: weights of 1/2 prove two errors only by cases."""
    X = [[0, 0], [1, 0], [0, 1], [1, 1], [2, 1], [1, 2], [2, 2], [0, 2], [2, 0], [1, 1]]
    y = [0, 1, 1, 0, 1, 1, 0, 0, 0, 1]
    plain = fewest_errors(X, y)
    assert plain.optimal
    monkeypatch.setattr(packing.WitnessPool, "improve", lambda self, case: 0)
    split = fewest_errors(X, y)
    assert split.lower_bound <= plain.errors <= split.errors
    assert check(split, X, y)


def test_time_that_is_up_leaves_an_interval():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(120, 6)), random.integers(0, 2, 120)
    found = fewest_errors(X, y, time_limit=1.0)
    assert found.lower_bound <= found.errors
    assert not found.optimal
    assert "no plane makes fewer than" in found.summary()
    assert check(found, X, y)
    none = fewest_errors(X, y, time_limit=0)
    assert check(none, X, y)


def test_a_saved_proof_is_read_and_checked(tmp_path):
    found = fewest_errors(*XOR)
    found.certificate.save(tmp_path / "proof.json")
    loaded = StoredProof.load(tmp_path / "proof.json")
    verdict = check(loaded, *XOR)
    assert verdict.finding == "accepted: optimal, a plane makes 1 error and none makes fewer"
    assert verdict.question == "label 1 (2 rows) against label 0 (2 rows); planes with an intercept"
    assert check(tmp_path / "proof.json", *XOR)
    assert not check(loaded, XOR[0], [0, 1, 0, 1])
    assert not check(loaded, *XOR, fit_intercept=False)
    assert json.loads(json.dumps(found.to_dict()))["errors"] == 1


def forged(data, **fields):
    """What the checker says of a proof in which some fields were changed, sealed again."""
    proof = deepcopy(fewest_errors(*data).certificate.proof) | fields
    proof["seal"] = seal(proof)
    return check(proof, *data).finding


def leaf(packing, over=1):
    return {"packing": {str(k): str(v) for k, v in packing.items()}, "over": str(over)}


PAIR_WITNESSES = [{"0": "1", "1": "1"}, {"2": "1", "3": "1"}, {"4": "1", "5": "1"}]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"errors": 2, "lower_bound": 2}, "the plane makes 3 errors, not 2"),
        ({"lower_bound": 2}, "'optimal' means"),
        ({"lower_bound": 4}, "above the errors"),
        ({"witnesses": PAIR_WITNESSES, "tree": leaf({0: 2, 1: 1})}, "a row bears more than 1"),
        ({"witnesses": PAIR_WITNESSES, "tree": leaf({0: 1, 1: 1})}, "a case allows 2 errors"),
        (
            {"witnesses": [*PAIR_WITNESSES, {"0": "1", "3": "1"}], "tree": leaf({3: 1})},
            "witness 3, .* do not sum to zero",
        ),
        ({"witnesses": [{"0": "-1", "1": "-1"}], "tree": leaf({})}, "a weight of a witness is not positive"),
        ({"witnesses": PAIR_WITNESSES, "tree": leaf({0: -1, 1: 4})}, "a weight of a packing is not positive"),
        (
            {
                "witnesses": PAIR_WITNESSES,
                "tree": {"row": 0, "wrong": leaf({0: 1, 1: 1, 2: 1}), "right": leaf({0: 1, 1: 1, 2: 1})},
            },
            "a row that is wrong already",
        ),
        (
            {"witnesses": PAIR_WITNESSES, "tree": {"row": 0, "wrong": leaf({1: 1, 2: 1}), "right": leaf({1: 1, 2: 1})}},
            "a case allows 2 errors",
        ),
        (
            {
                "witnesses": PAIR_WITNESSES,
                "tree": {
                    "row": 0,
                    "wrong": {"row": 0, "wrong": leaf({1: 1, 2: 1}), "right": leaf({1: 1, 2: 1})},
                    "right": leaf({0: 1, 1: 1, 2: 1}),
                },
            },
            "asks twice",
        ),
        ({"tree": {"row": 99, "wrong": leaf({}), "right": leaf({})}}, "outside of the data"),
    ],
)
def test_a_false_proof_is_refused(fields, sentence):
    assert re.search(sentence, forged(PAIRS, **fields))


def test_cases_that_are_true_are_accepted():
    tree = {"row": 0, "wrong": leaf({1: 1, 2: 1}), "right": leaf({0: 1, 1: 1, 2: 1})}
    assert "accepted: optimal, a plane makes 3 errors" in forged(PAIRS, witnesses=PAIR_WITNESSES, tree=tree)


def test_packings_are_within_limits():
    """Floats may round weights up; what is kept has no row with more than 1, but rows that are right."""
    data = read_data(np.array(PAIRS[0]), True)
    pool = packing.WitnessPool(SignedRows(data, np.array(PAIRS[1]) * 2 - 1), SearchLimits())
    pool.keep({0: 1, 1: 1})
    pool.keep({0: 1, 3: 1})
    assert pool.within_limits({0: GRID, 1: 5}, Case()) == {0: GRID - 5, 1: 5}
    assert pool.within_limits({0: GRID, 1: 5}, Case(right=frozenset({0}))) == {0: GRID, 1: 5}


def pool_of(X, y):
    """Witnesses of these rows, some without a row in common to begin with."""
    pool = packing.WitnessPool(SignedRows(read_data(X, True), np.asarray(y) * 2 - 1), SearchLimits())
    pool.disjoint()
    return pool


def vertices(Z):
    """The rows of every vertex of p ≥ 0, Zᵀp = 0, Σp = 1, by trying all sets of rows; whole numbers."""
    found = set()
    for size in range(2, Z.shape[1] + 2):
        for rows in combinations(range(len(Z)), size):
            solutions = null_space([list(column) for column in Z[list(rows)].T.tolist()])
            if len(solutions) == 1 and (min(solutions[0]) > 0 or max(solutions[0]) < 0):
                found.add(rows)
    return found


@pytest.mark.parametrize("seed", range(3))
def test_walks_end_at_witnesses_of_little_cost(seed):
    """Every end is a vertex, on a grid where many are degenerate; and the cheapest of all is among them."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (12, 2)), rng.integers(0, 2, 12)
    pool = pool_of(X, y)
    Z = np.column_stack([X, np.ones(12, int)]) * (2 * y - 1)[:, None]
    costs = np.tile(rng.random(12), (50, 1))
    tableau, basis = pool.tableau(np.array(sorted(pool.witnesses[0])))
    ends = witness_walk.walk(tableau, basis, costs, np.arange(12), rng.random((50, 3)))
    every = vertices(Z)
    reached = {tuple(np.flatnonzero(end).tolist()) for end in ends}
    assert reached <= every
    cheapest = min(every, key=lambda rows: costs[0, list(rows)].sum())
    assert cheapest in reached


def test_columns_far_from_zero_do_not_stop_the_walks():
    """Rows that are nearly parallel, as years are: rounding must not hide witnesses."""
    X = [[2000, 1999], [2006, 1991], [1993, 2004], [1993, 2004], [2002, 2005], [1993, 1993]]
    X += [[1990, 1992], [2001, 2006], [2007, 2010], [2006, 2000], [1990, 2006], [1990, 2006]]
    found = fewest_errors(X, [0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1])
    assert (found.errors, found.lower_bound) == (4, 4)


def test_walks_keep_away_from_rows_that_are_wrong():
    rng = np.random.default_rng(0)
    pool = pool_of(rng.normal(size=(40, 2)), rng.integers(0, 2, 40))
    known = len(pool.witnesses)
    case = Case(wrong=frozenset({0, 1, 2, 3}))
    assert pool.improve(case) > 0
    assert all(case.wrong.isdisjoint(witness) for witness in pool.witnesses[known:])
    weight = pool.pack(case)
    assert sum(case.packing.values()) <= GRID * weight + 1
    assert all(case.wrong.isdisjoint(pool.witnesses[k]) for k in case.packing)


def test_witnesses_left_out_of_a_packing_come_back_when_they_are_needed():
    """The loads of one packing may call for witnesses that bore much before: with them it is the heaviest of all."""
    rng = np.random.default_rng(1)
    pool = pool_of(rng.normal(size=(60, 2)), rng.integers(0, 2, 60))
    case = Case()
    for _ in range(5):
        pool.improve(case)
    whole = pool.pack(Case())
    assert pool.pack(Case(loads=rng.random(60))) == pytest.approx(whole)
    assert pool.pack(Case(loads=np.full(60, 2.0))) == pytest.approx(whole)


def test_the_bound_of_a_case():
    case = Case(wrong=frozenset({1}), packing={0: GRID, 1: GRID // 2})
    assert case.bound == 3
    case.parts = [Case(packing={0: GRID}), Case(packing={0: 2 * GRID})]
    assert case.bound == 1


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: fewest_errors([[0], [1], [2]], [0, 1, 2]), "of two classes"),
        (lambda: fewest_errors(*XOR, time_limit=-1), "time_limit"),
        (lambda: fewest_errors([[0], [1]], [0, 0]), "at least two classes"),
    ],
)
def test_bad_input_is_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_the_command(tmp_path):
    data, proof = tmp_path / "xor.csv", tmp_path / "proof.json"
    data.write_text("a,b,y\n0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n")
    arguments = ["certify", str(data), "--target", "y", "--fewest-errors", "-o", str(proof)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "optimal: a plane makes 1 error" in result.stdout
    checked = CliRunner().invoke(app, ["check", str(proof), str(data), "--target", "y"])
    assert checked.exit_code == 0, checked.output
    assert "none makes fewer" in checked.stdout
    answer = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    assert answer["questions"][0]["lower_bound"] == 1


def test_columns_of_zeros_do_not_spoil_the_plane():
    rng = np.random.default_rng(0)
    X = np.hstack([rng.integers(-5, 6, (60, 3)), np.zeros((60, 2))])
    y = X @ [1, -1, 2, 0, 0] + rng.integers(-4, 5, 60) > 0
    found = fewest_errors(X, y, time_limit=2)
    assert found.errors == fewest_errors(X[:, :3], y, time_limit=2).errors < 15
