"""What an answer of the checker may be trusted with: its question, its object, its time, and that it always answers."""

import json
import math
import pickle
import re
import shlex
import time
from dataclasses import replace
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from oracle import instance
from test_checker import resealed
from typer.testing import CliRunner

from novikoff import (
    Certificate,
    KernelPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    certify,
    check,
    datasets,
)
from novikoff.certificates import check as checker
from novikoff.certificates.certificate import CLAIMED
from novikoff.certificates.check import Asked, check_proof, exact_sum, exp_minus
from novikoff.cli import app
from novikoff.exact.floats import root

AND = datasets.logic_gate("and")
TIE = np.array([[-1], [0], [0], [1]]), np.array([0, 0, 1, 1])
CLASSES = np.array([[0], [1], [2], [3]]), np.array(["a", "b", "b", "c"])
LONGEST_WAIT = 5
"""Seconds of work that are far more than any of these takes, and far less than what they could be made to take."""


# The question


def test_the_sentence_states_the_question():
    sentence = check(certify(*AND), *AND).sentence
    assert "label 1 (1 row) against label 0 (3 rows); planes with an intercept" in sentence
    X, y = CLASSES
    sentence = check(certify(X, y, multi_class="ovo")["a", "c"], X, y, positive="a", negative="c").sentence
    assert "2 rows of other labels left out" in sentence
    found = certify(X, y, kernel="rbf", gamma="1/3", fit_intercept=False)["a"]
    sentence = check(found, X, y, positive="a", fit_intercept=False, kernel="rbf").sentence
    assert "planes through the origin in the feature space of the rbf kernel, gamma 1/3" in sentence


def test_an_answer_to_another_question_is_refused():
    X, y = [[1], [2]], [0, 1]
    origin = certify(X, y, fit_intercept=False)
    assert origin.verdict != certify(X, y).verdict
    assert "through the origin" in check(origin, X, y).finding
    assert check(origin, X, y, fit_intercept=False)
    assert not check(certify(X, y), X, y, fit_intercept=False)
    X, y = CLASSES
    answers = certify(X, y)
    assert "name it with positive" in check(answers["b"], X, y).finding
    assert check(answers["b"], X, y, positive="b")
    assert "another question" in check(answers["b"], X, y, positive="a").finding
    assert "another question" in check(answers["b"], X, y, positive="b", negative="a").finding


def test_which_class_is_called_positive_is_all_one():
    X, y = TIE
    swapped = certify(X, 1 - y).proof
    assert check(resealed(swapped, positive="0", negative="1"), X, y)
    assert check(certify(X, y), X, y, positive=0)
    assert check(certify(X, y), X, y, positive=0, negative=1)


def test_a_list_says_what_it_leaves_out():
    X, y = CLASSES
    ovr, ovo = certify(X, y), certify(X, y, multi_class="ovo")
    for answers, key, left in ((ovr, "b", "b against the rest"), (ovo, ("a", "c"), "a against c")):
        assert check(answers, X, y)
        proofs = [answers[other].proof for other in answers if other != key]
        found = check(proofs, X, y)
        assert not found
        assert f"incomplete, it leaves out {left}" in found.sentence
        partial = check(proofs, X, y, complete=False)
        assert partial
        assert f"leaves out {left}" in partial.sentence
    assert check(ovr, X, y, positive="b")
    assert "no proof in the list" in check(ovo, X, y, positive="b").sentence


def test_the_command_prints_the_question_first(tmp_path):
    data, proof = tmp_path / "data.csv", tmp_path / "proof.json"
    data.write_text("x,y\n1,a\n2,b\n")
    CliRunner().invoke(app, ["certify", str(data), "--target", "y", "--no-intercept", "-o", str(proof)])
    refused = CliRunner().invoke(app, ["check", str(proof), str(data), "--target", "y"])
    assert refused.exit_code == 1
    done = CliRunner().invoke(app, ["check", str(proof), str(data), "--target", "y", "--no-intercept"])
    first, second = done.output.splitlines()
    assert first == "question: label b (1 row) against label a (1 row); planes through the origin"
    assert second.startswith("accepted: inseparable")
    proofs = [answer.proof for answer in certify(*CLASSES).values()]
    proof.write_text(json.dumps(proofs[:2]))
    data.write_text("x,y\n0,a\n1,b\n2,b\n3,c\n")
    arguments = ["check", str(proof), str(data), "--target", "y"]
    done = CliRunner().invoke(app, arguments)
    assert (done.exit_code, "leaves out c against the rest" in done.output) == (1, True)
    assert CliRunner().invoke(app, [*arguments, "--partial"]).exit_code == 0
    assert CliRunner().invoke(app, [*arguments, "--positive", "a"]).exit_code == 0


def test_no_proof_is_no_proof():
    for nothing in ([], [None], "[]", certify(*CLASSES).__class__({})):
        assert "there is no proof" in check(nothing, *AND).sentence
        assert not check(nothing, *CLASSES, complete=False)


def test_either_family_of_questions_is_complete():
    X, y = CLASSES
    ovr, ovo = certify(X, y), certify(X, y, multi_class="ovo")
    proofs = [answer.proof for answer in ovr.values()]
    assert check([*proofs, ovo["a", "c"].proof], X, y)
    y = np.array(["None", "a", "a", "b"])
    ovr, ovo = certify(X, y), certify(X, y, multi_class="ovo")
    assert "leaves out" in check([ovr["a"].proof, ovr["b"].proof, ovo["a", "b"].proof], X, y).sentence
    odd = resealed(ovr["a"].proof, positive=[])
    assert check([odd, ovr["b"].proof], X, y).malformed


def test_a_question_that_makes_no_sense_is_refused():
    found = certify(*AND)
    assert "no row has the label ye, but 0, 1" in check(found, *AND, positive="ye").finding
    for wrong in ({"negative": 0}, {"fit_intercept": "no"}, {"kernel": 5}):
        with pytest.raises(ValueError, match="parameter of check"):
            check(found, *AND, **wrong)


def test_a_proof_of_floats_is_none_of_the_decimals_of_a_file(tmp_path):
    data, proof = tmp_path / "data.csv", tmp_path / "proof.json"
    data.write_text("x,y\n0.1,a\n0.1000000000000000000001,b\n")
    certify([[0.1], [0.1]], ["a", "b"]).save(proof)
    arguments = ["check", str(proof), str(data), "--target", "y"]
    found = CliRunner().invoke(app, arguments)
    assert (found.exit_code, "say --float64" in found.output) == (1, True)
    found = CliRunner().invoke(app, [*arguments, "--float64"])
    assert (found.exit_code, "numbers rounded to float64" in found.output) == (0, True)
    data.write_text("x,y\n0.5,a\n1.25,b\n")
    certify([[0.5], [1.25]], ["a", "b"]).save(proof)
    assert CliRunner().invoke(app, arguments).exit_code == 0


def test_certify_prints_the_command_that_checks_its_proof(tmp_path):
    data, proof = tmp_path / "my data.csv", tmp_path / "proof.json"
    data.write_text("x;name;lab el\n1;ann;a\n2;bob;b\n")
    asked = ["--target", "lab el", "--drop", "name", "--delimiter", ";", "--no-intercept"]
    told = CliRunner().invoke(app, ["certify", str(data), *asked, "-o", str(proof)])
    again = shlex.split(told.output.rsplit("check it with: ")[1])
    assert again[:2] == ["novikoff", "check"]
    assert CliRunner().invoke(app, again[1:]).exit_code == 0


# The object

LIES = {
    "verdict": "inseparable",
    "overlap": True,
    "coef": np.array([[2.0, 3.0]]),
    "intercept": np.array([-2.0]),
    "margin": (5.0, 5.0),
    "radius": 1.0,
    "mistake_bound": 1.0,
    "witness": {0: 1},
    "rows": np.array([1]),
    "columns": [0],
    "collinear": [[0, 1]],
    "names": ["a", "b"],
    "kernel": {"name": "rbf", "gamma": "1", "degree": 1, "coef0": "0"},
    "plane": {0: 1},
    "rounded": True,
}


@pytest.mark.parametrize("field", CLAIMED)
def test_an_object_that_says_other_than_its_proof_is_refused(field):
    found = certify(*AND)
    assert check(found, *AND)
    assert check(pickle.loads(pickle.dumps(found)), *AND)
    verdict = check(replace(found, **{field: LIES[field]}), *AND)
    assert not verdict
    assert field in verdict.sentence


def test_a_run_that_says_more_than_its_proof_is_refused():
    X, y = datasets.planted_margin(200, 4, 0.05, random_state=1)
    found = KernelPerceptron(kernel="rbf").fit(X, y).certificate_
    asked = {"fit_intercept": False, "kernel": found.kernel}
    assert check(found, X, y, **asked)
    lo, hi = found.margin
    for lie in ({"margin": (lo * 1.1, hi)}, {"margin": (lo, hi * 0.9)}, {"radius": 0.9}, {"mistake_bound": 3.0}):
        assert not check(replace(found, **lie), X, y, **asked), lie


@pytest.mark.parametrize("field", [name for name in CLAIMED if name != "verdict"])
def test_a_run_that_says_other_than_its_proof_is_refused(field):
    X, y = datasets.logic_gate("xor")
    found = Perceptron().fit(X, y).certificate_
    assert check(found, X, y)
    lie = {"witness": {0: 1, 3: 4}, "margin": (-1.0, -0.5), "mistake_bound": 1.0}.get(field, LIES[field])
    refused = not check(replace(found, **{field: lie}), X, y)
    assert refused or field == "radius"  # which an inseparable proof does not claim


def test_runs_on_numbers_of_all_sizes_are_accepted():
    X, y = np.array([[0.0, 1.152921504606847e18], [-5e-324, 1e-310]]), [0, 1]
    assert check(Perceptron(max_iter=50).fit(X, y).certificate_, X, y)


def test_an_object_of_anything_is_answered():
    found = certify(*AND)
    for proof in ({**found.proof, "rows": {1, 2}}, {"format": found}, 5, [], found.proof | {"data": None}):
        assert not check(replace(found, proof=proof), *AND)
    run = Perceptron().fit(*AND).certificate_
    for lie in ({"coef": 3}, {"intercept": "x"}, {"margin": None}, {"radius": "9"}, {"record": 7}):
        assert not check(replace(run, **lie), *AND)


def test_a_loaded_object_says_what_the_checker_reads(tmp_path):
    """rest = "0x0" was once overlap to the reader, and 0 to the checker."""
    proof = certify(*TIE, quasi=False).proof
    for rest in ("0x0", "00", "-0", "+0", " 0", "0_0"):
        (tmp_path / "lie.json").write_text(json.dumps(resealed(proof, cover=proof["cover"] | {"rest": rest})))
        with pytest.raises(ValueError, match="not how a whole number is written"):
            Certificate.load(tmp_path / "lie.json")
        assert check(tmp_path / "lie.json", *TIE).malformed
    certify(*TIE).save(tmp_path / "true.json")
    assert check(str(tmp_path / "true.json"), *TIE)
    assert check((tmp_path / "true.json").read_text(), *TIE)


def test_coef_separates_exactly_or_says_that_it_is_rounded():
    random, rounded = np.random.default_rng(5), 0
    cases = [instance(random) for _ in range(60)]
    tenths = [[0.1 + 0.2, 0.1], [-0.3, 0.29999999999999993], [0.1, 0.2], [0.3, 0.1]]
    cases.append((np.array(tenths), np.array([0, 0, 0, 1])))
    cases += [(X * 10.0 ** random.integers(-200, 200, X.shape[1]) + 1e-9, y) for X, y in cases[:20]]
    for X, y in cases:
        found = certify(X, y)
        if found.coef is None:
            continue
        weights = [Fraction(v) for v in (*found.coef[0].tolist(), found.intercept[0])]
        exact = [found.plane.get(j, 0) for j in range(len(weights))]
        ratios = {a / b for a, b in zip(weights, exact, strict=True) if b}
        multiple = len(ratios) == 1 and [bool(a) for a in weights] == [bool(b) for b in exact]
        assert multiple != found.rounded
        rounded += found.rounded
        planes = [exact] if found.rounded else [exact, weights]
        for plane in planes:
            margins = [
                (2 * int(label) - 1) * sum(Fraction(a) * Fraction(b) for a, b in zip([*row, 1], plane, strict=True))
                for row, label in zip(X.tolist(), y, strict=True)
            ]
            assert min(margins) > 0 if found.verdict == "separable" else min(margins) == 0 < max(margins)
    assert rounded


# Time

POLY = {"name": "poly", "gamma": "1", "degree": 100, "coef0": "1"}
RBF = {"name": "rbf", "gamma": "1", "degree": 1, "coef0": "0"}
HOSTILE = {
    "degree": lambda p: resealed(p, kernel=POLY | {"degree": 10**11}),
    "degree within": lambda p: resealed(p, kernel=POLY | {"gamma": "1/" + "9" * 700}),
    "long values": lambda p: resealed(p, kernel=POLY | {"gamma": "1/" + "9" * 3999}),
    "coef0": lambda p: resealed(p, kernel=POLY | {"coef0": "0x1" + "0" * 20_000}),
    "gamma": lambda p: resealed(p, kernel=RBF | {"gamma": "1" + "0" * 3000}),
    "small gamma": lambda p: resealed(p, kernel=RBF | {"gamma": "1/1" + "0" * 3000}),
    "lo": lambda p: resealed(p, margin=p["margin"] | {"lo": "0x1" + "0" * 10**6 + "/0x3" + "1" * 10**6}),
    "lo within": lambda p: resealed(p, margin=p["margin"] | {"lo": "0x1" + "0" * 18000 + "/0x3" + "1" * 18000}),
    "plane": lambda p: resealed(p, plane=dict.fromkeys("012", "0x1" + "0" * 10**6)),
    "plane within": lambda p: resealed(p, plane=dict.fromkeys("012", "0x1" + "0" * 39000)),
    "relations": lambda p: resealed(p, collinear=[{"0": "1"}] * 100_000),
    "empty relations": lambda p: resealed(p, collinear=[{}] * 100_000),
    "rows": lambda p: resealed(p, data=p["data"] | {"rows": 2**32 - 1, "columns": 2**32 - 1}),
    "names": lambda p: resealed(p, names=["a"] * 10**6),
    "label": lambda p: resealed(p, positive="1" * 10**6),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_small_file_cannot_make_the_checker_work_for_long(name):
    began = time.process_time()
    proof = HOSTILE[name](certify(*AND).proof)
    verdict = check(proof, *AND, kernel=proof["kernel"])
    assert not verdict
    assert len(verdict.sentence) < 1000
    assert time.process_time() - began < LONGEST_WAIT


@pytest.mark.parametrize("gamma", ["1e-4", "1e-3", "1e3"])
def test_an_honest_rbf_certificate_of_salaries_and_ages_is_checked(gamma):
    random = np.random.default_rng(0)
    X = np.column_stack([random.integers(20_000, 90_000, 200), random.integers(18, 80, 200)])
    y = random.integers(0, 2, 200)
    found = certify(X, y, kernel="rbf", gamma=gamma)
    began = time.process_time()
    assert check(found, X, y, kernel="rbf")
    assert time.process_time() - began < LONGEST_WAIT


def test_exp_on_the_grid():
    random, digits = Random(0), Context(prec=90, Emin=-999, Emax=999)
    places = [0, 1, 2**checker.FINE - 1, 111 << checker.FINE]
    places += [random.randrange(bound << checker.FINE) for bound in (1, 2, 20, 112) for _ in range(100)]
    for x in places:
        truth = digits.exp(digits.divide(Decimal(-x), Decimal(2**checker.FINE)))
        assert abs(exp_minus(x) - digits.multiply(truth, Decimal(2**checker.GRID))) < 1


# Exactness


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=30))
def test_a_sum_without_rounding(values):
    assert exact_sum(values) == sum(map(Fraction, values), Fraction(0))


def test_decimals_are_summed_as_they_are_written():
    """0.1 + 0.2 - 0.3 is zero, though not in floats."""
    X, y = [["0.1"], ["0.2"], ["-0.3"], ["0"], ["0"], ["0"]], [1, 1, 1, 0, 0, 0]
    found = certify(X, y)
    assert found.overlap
    every = {"weights": {}, "rest": "1"}
    assert check(resealed(found.proof, cover=every), X, y)
    assert 0.1 + 0.2 - 0.3 != 0
    X[2] = ["-0.30000000000000004"]
    assert 0.1 + 0.2 - 0.30000000000000004 == 0
    lie = resealed(certify(X, y).proof, cover=every)
    assert "do not sum to zero" in check(lie, X, y).finding


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
def test_floats_only_spare_exact_looks(sparse, wide, monkeypatch):
    """With margins that are off by one in the last place the verdicts are those of exact arithmetic alone."""
    random, met = np.random.default_rng(9), set()
    monkeypatch.setattr(checker, "BLOCK", 4 if wide else checker.BLOCK)  # columns up to which a plane is written out
    for _ in range(30):
        X, y = datasets.planted_margin(40, 5, 0.02, random_state=int(random.integers(1000)))
        data = sp.csr_array(X) if sparse else X
        proof = certify(X, y).proof
        lo, radius = Fraction(proof["margin"]["lo"]), Fraction(proof["margin"]["radius"])
        for factor in (1, 1 + Fraction(1, 2**52), 1 - Fraction(1, 2**52), 1 + Fraction(1, 2**40)):
            claims = {"lo": str(lo * factor), "radius": str(radius / factor), "mistake_bound": "9" * 9}
            lie = resealed(proof, margin=proof["margin"] | claims)
            quick = check(lie, data, y)
            with monkeypatch.context() as patch:
                patch.setattr(checker.LinearVerifier, "clearly_right", lambda *_: False)
                patch.setattr(checker.LinearVerifier, "clearly_near", lambda *_: False)
                patch.setattr(checker, "below", lambda _: -1.0)
                assert check(lie, data, y) == quick
            met.add(quick.accepted)
    assert met == {True, False}


def forged(X, y, plane, radius):
    """A proof that says of these rows and this plane what it likes."""
    proof = certify(X, y, fit_intercept=False).proof
    margin = {"lo": "1/1" + "0" * 100, "hi": "9", "radius": str(radius), "mistake_bound": "9" * 300}
    return resealed(
        proof,
        verdict="separable",
        plane={str(j): str(v) for j, v in enumerate(plane)},
        margin=margin | {"combination": {"0": "1"}},
        rows=[],
        witness={},
        collinear=[],
        cover={"weights": {}, "rest": "0"},
    )


@pytest.mark.parametrize("block", [1, 2**20])
@pytest.mark.parametrize(("fit_intercept", "offset"), [(False, 0), (True, -10)])
def test_a_row_of_zeros_is_on_the_side_of_the_intercept(block, fit_intercept, offset, monkeypatch):
    """Also where the plane is not written out, as there are too many columns."""
    monkeypatch.setattr(checker, "BLOCK", block)
    X, y = sp.csr_array(np.array([[-1.0, 0, 0], [0, 0, 0], [1, 0, 0], [1, 0, 1]])), [0, 1, 0, 0]
    plane = {"1": "100"} | ({"3": str(offset)} if offset else {})
    lie = resealed(forged(X, np.array(y), [], 2), plane=plane, fit_intercept=fit_intercept)
    said = check(lie, X, y, fit_intercept=fit_intercept).finding
    assert said.startswith("refused: row ")
    assert f"has margin {offset}; the claim needs every margin > 0" in said or not offset
    X, y = sp.csr_array(np.array([[-1.0, 0, 0], [-2, 0, 0], [0, 0, 0], [-3, 0, 1]])), [1, 1, 0, 1]
    truth = certify(X, y)
    assert truth.verdict == "separable"
    assert check(truth, X, y)


def test_a_sign_that_only_rounding_made_is_no_proof():
    """The rows' last entries take away the sum of the others: what floats see of their sums is rounding."""
    X = cancelling()
    exact = np.array([float(sum(map(Fraction, row))) for row in X.tolist()])
    seen = np.array([sum(row) for row in X.tolist()])
    right = (exact != 0) & (seen != 0)
    X, exact, seen = X[right], exact[right], seen[right]
    assert (np.sign(seen) != np.sign(exact)).any()
    radius = math.ceil(float(np.linalg.norm(X, axis=1).max())) + 1
    as_floats_see = np.sign(seen).astype(int)
    verdict = check(forged(X, as_floats_see, [1] * 8, radius), X, as_floats_see, fit_intercept=False)
    assert "the claim needs every margin > 0" in verdict.finding
    truly = np.sign(exact).astype(int)
    assert check(forged(X, truly, [1] * 8, radius), X, truly, fit_intercept=False)


def test_a_radius_that_is_short_by_one_rounding_is_refused():
    met = 0
    for seed in range(20):
        X, y = datasets.planted_margin(40, 5, 0.02, random_state=seed)
        X = X * np.random.default_rng(seed).uniform(0.5, 2, (40, 1))
        square = max(sum(Fraction(v) ** 2 for v in row) for row in X.tolist())
        below, above = root(square, up=False), root(square, up=True)
        plane = certify(X, y, fit_intercept=False).plane
        plane = [plane.get(j, 0) for j in range(5)]
        assert check(forged(X, y, plane, above), X, y, fit_intercept=False)
        met += below != above
        assert check(forged(X, y, plane, below), X, y, fit_intercept=False).accepted == (below == above)
    assert met


def test_a_score_that_overflows_is_no_proof():
    """On the way the score of the first row is infinite, and in the end it is on the wrong side."""
    big, half = 2.0**1018, np.ones(192)
    X, y = np.vstack([np.append(big * half, -1.5 * big * half), -big * np.ones(384)]), np.array([1, 0])
    assert sum(X[0].tolist()) == math.inf
    lie = forged(X, y, [1] * 384, "9" * 400)
    assert "row 0" in check(lie, X, y, fit_intercept=False).finding


def test_no_row_on_the_wrong_side_is_clearly_right():
    """The rows' last entries take away the sum of the others, so that floats see their sums wrongly."""
    X = cancelling()
    exact = [sum(map(Fraction, row)) for row in X.tolist()]
    X = X[[k for k, v in enumerate(exact) if v]]
    y = [int(v < 0) for v in exact if v]  # every row on the wrong side of the plane of ones
    claim = checker.Claim(forged(X, np.array(y), [1] * 8, 99))
    verifier = checker.LinearVerifier(claim)
    for row in checker.signed_rows(claim, X.tolist(), checker.Labels(y)):
        assert not verifier.clearly_right(row, row.near, math.hypot(*row.near))
        assert not verifier.clearly_near(row, row.near, math.hypot(*row.near))


def test_no_decimals_on_the_wrong_side_are_clearly_right():
    """What the rows' sums are is in digits that float64 does not hold."""
    random, last = np.random.default_rng(15), 10**25
    X = [[int(v) * last + 1 for v in random.integers(-9, 10, 7)] for _ in range(60)]
    X = [[*row, -sum(row) + int(random.choice([-1, 1]))] for row in X]
    y = [int(sum(row) < 0) for row in X]  # every row on the wrong side of the plane of ones
    texts = [[f"{v}e-25" for v in row] for row in X]
    lie = forged(texts, np.array(y), [1] * 8, 99)
    claim = checker.Claim(lie)
    verifier = checker.LinearVerifier(claim)
    for row in checker.signed_rows(claim, texts, checker.Labels(y)):
        assert not verifier.clearly_right(row, row.near, math.hypot(*row.near))
        assert not verifier.clearly_near(row, row.near, math.hypot(*row.near))
    assert "needs every margin > 0" in check(lie, texts, y, fit_intercept=False).finding


def test_decimals_mean_what_is_written_whatever_float64_holds():
    row = checker.SignedRow(0, 1, range(2), ["1e400", "1e-400"])
    assert row.near == (math.inf, 0.0)
    assert row.values == [Fraction(10) ** 400, Fraction(1, 10**400)]
    cells = {"-0.50": (-1, 2), "+.5": (1, 2), "5.": (5, 1), "-00": (0, 1), "25e-1": (5, 2)}
    assert {cell: checker.lowest_terms(cell) for cell in cells} == cells


def cancelling():
    """Rows of random numbers whose last entry takes away the sum of the others, all but its rounding."""
    random = np.random.default_rng(14)
    X = random.normal(size=(60, 8)) * 2.0 ** random.integers(-3, 4, (60, 8))
    X[:, -1] = [-math.fsum(row[:-1]) for row in X]
    return X


def test_a_radius_of_subnormal_numbers_is_measured():
    X, y = [[5e-324], [-5e-324]], [1, 0]
    proof = certify(X, y, fit_intercept=False).proof
    assert check(proof, X, y, fit_intercept=False)
    half = str(Fraction(5e-324) * Fraction(51, 100))
    lie = resealed(proof, margin=proof["margin"] | {"radius": half, "mistake_bound": "9"})
    assert "longer" in check(lie, X, y, fit_intercept=False).finding


def test_the_columns_are_those_of_the_data():
    X, y = sp.csr_array([[1.0, 0.0], [2.0, 0.0]]), [0, 1]
    proof = certify(X, y).proof
    wider = resealed(proof, data=proof["data"] | {"columns": 7}, plane=proof["plane"] | {"5": "1"})
    assert "which these data do not have" in check(wider, X, y).finding


def test_printed_bounds_hold():
    for X, y in (([[1], [2], [3]], list("abb")), ([[0], [1], [2], [3], [5], [6]], list("aaaabb"))):
        found = certify(X, y)
        said = [float(text) for text in re.findall(r"at (?:least|most) ([0-9.]+)", check(found, X, y).finding)]
        told = [float(text) for text in re.findall(r"(?:margin|more than) ([0-9.]+)", found.summary())[:2]]
        for lo, hi in (said, told):
            assert lo <= found.margin[0] <= found.margin[1] <= hi


# Certificates of certify are accepted


def test_rows_that_take_no_part_do_not_shorten_the_radius():
    X, y = np.array([[3], [100000002], [-1], [2], [1e300]]), [0, 1, 2, 2, 1]
    assert check(certify(X, y, multi_class="ovo", quasi=True), X, y)


def test_thin_rbf_margins_are_claimed_as_the_checker_computes_them():
    X, y = [[0.30000000000000004], [0.29999999999999993], [0.2]], [0, 1, 1]
    assert check(certify(X, y, kernel="rbf", gamma="1/3"), X, y, kernel="rbf")


def test_rows_that_vanish_modulo_both_primes_are_seen():
    a, b = 2**50 + 1, 2**50 - 27
    r = (2097143 * 2097133 * pow(b, -1, a)) % a
    X, y = np.array([[a, b], [a, b], [r, (r * b - 2097143 * 2097133) // a]], dtype=float), [0, 1, 1]
    found = certify(X, y, fit_intercept=False)
    assert found.verdict == "quasi-separable"
    assert check(found, X, y, fit_intercept=False)


def test_what_the_checker_would_not_read_is_not_written():
    with pytest.raises(ValueError, match="from 1 to 100"):
        certify(*AND, kernel="poly", degree=101)
    found = certify(*AND, kernel="poly", degree=100, gamma="1/" + "7" * 3000)
    assert (found.verdict, found.proof) == ("unknown", None)
    assert "longer" in found.reason


# It always answers

NUMERALS = st.sampled_from(["0", "1", "-1", "1/2", "0x1", "x", "", "9" * 5000, "-0", "١"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | NUMERALS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2) | NUMERALS, inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(sorted(checker.FIELDS - {"seal"})), VALUES, st.sampled_from(["and", "tie", "poly", "rbf"]))
def test_whatever_a_field_holds_the_answer_is_a_verdict(field, value, name):
    data = TIE if name == "tie" else AND
    proof = certify(*data, kernel=name if name in ("poly", "rbf") else "linear").proof
    try:
        lie = resealed(proof, **{field: value})
    except (TypeError, ValueError):
        return
    asked = Asked(kernel=name if name in ("poly", "rbf") else "linear")
    for given_as in (lie, json.dumps(lie)):
        verdict = check_proof(given_as, data[0].tolist(), data[1].tolist(), asked)
        assert verdict.sentence.startswith(("accepted", "refused", "malformed"))
        assert not verdict.accepted or lie[field] == proof[field] or field in ("positive", "negative", "names")


@given(st.text() | st.binary(), VALUES)
def test_random_texts_are_malformed(text, value):
    assert check_proof(text, [], []).malformed
    assert check_proof(value, [], []).malformed


ROWS = [
    [{-1: 1.0}, {0: 2.0}],
    [{2**32: 1.0}, {0: 2.0}],
    [{0.5: 1.0}, {0: 2.0}],
    [{"0": 1.0}, {0: 2.0}],
    [{"0": 1.0, 1: 2.0}, {0: 2.0}],
    [[float("nan")], [2.0]],
    [[float("inf")], [2.0]],
    [[10**400], [2.0]],
    [[None], [2.0]],
    [["1e9999999999"], ["2"]],
    [["9" * 10**5], ["2"]],
    [1, 2],
    [[1.0, 2.0], [3.0]],
    [[1.0]],
    [[1.0], [2.0], [3.0]],
]


@pytest.mark.parametrize("rows", ROWS, ids=range(len(ROWS)))
@pytest.mark.parametrize("numbers", ["float64", "decimal"])
def test_whatever_the_rows_hold_the_answer_is_a_verdict(rows, numbers):
    X = [["1"], ["2"]] if numbers == "decimal" else [[1.0], [2.0]]
    proof = certify(X, [0, 1]).proof
    assert proof["numbers"] == numbers
    began = time.process_time()
    assert not check_proof(proof, rows, [0, 1])
    assert time.process_time() - began < LONGEST_WAIT


def test_each_end_of_the_interval_is_held():
    """The best margin of "and" is 1/√17: what says that it is more, or less, is refused, in any space."""
    for kernel in ("linear", "poly"):
        proof = certify(*AND, kernel=kernel).proof
        lo, hi = (Fraction(proof["margin"][end]) for end in ("lo", "hi"))
        for low, high, true in ((lo / 2, hi * 2, True), (hi * 2, hi * 4, False), (lo / 4, lo / 2, False)):
            margin = proof["margin"] | {"lo": str(low), "hi": str(high), "mistake_bound": "9999"}
            found = check(resealed(proof, margin=margin), *AND, kernel=proof["kernel"])
            assert found.accepted == true, (kernel, low, high)


def test_the_heart_alone_answers_as_the_whole_checker(monkeypatch):
    """Without floats: on the corpus, word for word."""
    folder = Path(__file__).parent / "certificates"
    data = json.loads((folder / "data.json").read_text())

    def answers():
        for path in sorted(folder.glob("*/*.json")):
            known = data[path.stem.split("-")[0]]
            yield path.name, check_proof(path.read_text(), known["rows"], known["labels"])

    fast = dict(answers())
    monkeypatch.setattr(checker, "LinearVerifier", checker.ExactVerifier)
    assert dict(answers()) == fast


@pytest.mark.parametrize("step", ["full", "capped", "damped"])
@pytest.mark.parametrize("order", ["cyclic", "shuffled", "active"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_certificate_of_a_passive_aggressive_run_claims_what_its_counts_prove(tmp_path, step, order, weighted):
    """Its steps are of any length, so that the counts of updates prove another margin impossible than the run did."""
    X, y = datasets.planted_margin(60, 3, 0.05, random_state=1)
    weights = np.arange(1, 61) / 30 if weighted else None
    model = PassiveAggressiveClassifier(step=step, order=order, C=5, max_iter=200).fit(X, y, weights)
    assert model.status_ == "separated"
    assert check(model.certificate_, X, y)
    model.certificate_.save(tmp_path / "proof.json", X, y)
    proved = Certificate.load(tmp_path / "proof.json")
    assert proved.margin[0] <= model.margin_bound_  # the run's own bound is one, too
    assert "inf" not in model.certificate_.summary()
