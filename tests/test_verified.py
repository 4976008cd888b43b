"""The checker that is extracted from a proof says what check.py says."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from oracle import instance
from typer.testing import CliRunner

from novikoff import certify, datasets, fewest_errors, separation
from novikoff.certificates import verified
from novikoff.certificates.check import ESTIMATES, Asked, check_proof, seal
from novikoff.certificates.verified import check_verified, program
from novikoff.cli import app
from novikoff.proofs.certify import python_rows
from novikoff.proofs.question import exact_numbers

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
import campaign_separation as designs
import verified as comparison

built = pytest.mark.skipif(program() is None, reason=verified.NOT_BUILT)


def told(found, X, y, **asked):
    return check_verified(found.proof, lambda: python_rows(exact_numbers(X)), np.asarray(y).tolist(), Asked(**asked))


def regression(X, y, **model):
    return separation(X, y, **model).certificate


@built
def test_the_corpus():
    assert comparison.corpus() == []


@built
def test_changed_proofs():
    assert comparison.mutants(400) == []


@built
def test_every_kind_of_claim_and_number():
    random = np.random.default_rng(3)
    tables = [instance(random) for _ in range(40)]
    tables += [(X * 0.1, y) for X, y in tables[:10]] + [(X * [1e-200] * X.shape[1], y) for X, y in tables[:5]]
    tables += [(X.astype(str).tolist(), y) for X, y in tables[:5]]
    tables += [([["0.1", "1e-9"], ["0.30", "2"], ["1e30", "-3"]], [0, 1, 0])]
    met = set()
    for X, y in tables:
        found = certify(X, y)
        verdict = told(found, X, y)
        assert verdict, verdict.sentence
        assert found.verdict in verdict.finding
        met.add(found.verdict)
    assert met == {"separable", "quasi-separable", "inseparable"}
    X, y = datasets.planted_margin(300, 20, 0.01, random_state=0)
    assert told(certify(X, y), sp.csr_array(X), y)
    assert not told(certify(X, y, fit_intercept=False), X, y)
    assert told(certify(X, y, fit_intercept=False), X, y, fit_intercept=False)


@built
def test_what_is_refused():
    X, y = datasets.logic_gate("xor")
    assert "rows themselves only" in told(certify(X, y, kernel="poly"), X, y, kernel="poly").finding
    found = certify(X, y)
    assert "digests differ" in told(found, X, 1 - y).finding
    assert "digests differ" in told(found, X + 1, y).finding
    assert check_verified("{", list, []).malformed


@built
def test_fewest_errors():
    random, met = np.random.default_rng(5), set()
    for _ in range(30):
        X, y = random.integers(-3, 4, (12, 2)) * random.choice([1.0, 0.1]), random.integers(0, 2, 12)
        found = fewest_errors(X, y, time_limit=5).certificate
        verdict = told(found, X, y)
        assert verdict.accepted
        assert verdict == check_proof(found.proof, python_rows(exact_numbers(X)), y.tolist())
        met.add(found.verdict)
    assert "optimal" in met


@built
def test_changed_proofs_of_fewest_errors():
    assert comparison.errors(300) == []


@built
def test_fewest_errors_between_two_of_three_classes():
    """Rows of a third class are not in the text: the others are counted anew."""
    X, y = [[9.0], [0.0], [1.0], [2.0], [3.0]], ["c", "a", "b", "a", "b"]
    proof = fewest_errors(X[1:], [0, 1, 0, 1]).certificate.proof
    pair = certify(X, y, multi_class="ovo")["a", "b"]
    shifted = [{str(int(i) + 1): weight for i, weight in witness.items()} for witness in proof["witnesses"]]
    leaf = {"packing": {}, "over": "1"}

    def findings(**fields):
        changed = (
            proof
            | {name: pair.proof[name] for name in ("data", "positive", "negative")}
            | {"witnesses": shifted}
            | fields
        )
        changed["seal"] = seal(changed)
        asked = Asked(positive="b", negative="a")
        return {check_proof(changed, X, y, asked).finding, check_verified(changed, lambda: X, y, asked).finding}

    assert findings() == {"accepted: optimal, a plane makes 1 error and none makes fewer"}
    row_wrong_or_right = {"row": 1, "wrong": leaf, "right": proof["tree"]}
    assert findings(tree=row_wrong_or_right) == {"accepted: optimal, a plane makes 1 error and none makes fewer"}
    asked_of_another = {"row": 0, "wrong": leaf, "right": proof["tree"]}
    assert findings(tree=asked_of_another) == {"refused: row 0, which the claim names, is of neither class"}
    assert findings(witnesses=proof["witnesses"]) == {"refused: row 0, which the claim names, is of neither class"}


@built
def test_the_command_on_fewest_errors(tmp_path):
    data, proof = tmp_path / "data.csv", tmp_path / "proof.json"
    data.write_text("x,y\n0,a\n1,b\n2,a\n3,b\n")
    fewest_errors([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "a", "b"]).certificate.save(proof)
    done = CliRunner().invoke(app, ["check", str(proof), str(data), "--target", "y", "--float64", "--verified"])
    assert done.exit_code == 0
    assert "accepted: optimal, a plane makes 1 error and none makes fewer" in done.output


@built
def test_regressions_of_all_families():
    met = set()
    for number in range(120):
        case = designs.make(3, number)
        X = np.array(case["X"]) if case["as"] == "array" else case["X"]
        model = {"family": case["family"], "fit_intercept": case["fit_intercept"]}
        found = regression(X, case["y"], **model)
        verdict = told(found, X, case["y"], **model)
        assert verdict.accepted
        assert verdict == check_proof(found.proof, python_rows(exact_numbers(X)), case["y"], Asked(**model))
        met |= {case["family"], found.verdict, *found.coefficients.values()}
    assert met == {"binomial", "multinomial", "poisson", "complete", "quasi-complete", "overlap", *ESTIMATES}


@built
def test_changed_proofs_of_regressions():
    assert comparison.regressions(400) == []


@built
def test_what_is_refused_of_regressions():
    X, y = [[0, 1], [0, 2], [0, 1], [0, 2], [1, 3]], [0, 1, 1, 0, 1]
    found = regression(X, y)
    assert told(found, X, y)
    assert told(found, sp.csr_array(np.array(X, float)), y)
    assert "digests differ" in told(found, X, [0, 1, 1, 1, 1]).finding
    assert "digests differ" in told(found, [[0, 1], [0, 2], [0, 1], [0, 2], [1, 4]], y).finding
    assert "another model" in told(found, X, y, fit_intercept=False).finding
    changed = {**found.proof, "rows": []}
    changed["seal"] = seal(changed)
    assert check_verified(changed, lambda: X, y).finding == "refused: row 4: its z.w is not what the claim needs"


@built
def test_a_negative_rest_of_a_cover_in_which_no_row_has_it():
    third = 0.1 + 0.2
    X = [[0.3, third, 0.3], [0.6, 0.3, 0.3], [0.6, 0.2, third], [0.3, 0.2, -0.7], [0.3, 0.3, 0.3], [third, -0.7, 0.1]]
    y = [1, 0, 2, 2, 1, 0]
    changed = regression(X, y, family="poisson").proof
    assert told(regression(X, y, family="poisson"), X, y)
    changed["cover"]["rest"] = "-1"
    changed["seal"] = seal(changed)
    findings = {check_verified(changed, lambda: X, y).finding, check_proof(changed, X, y).finding}
    assert findings == {"refused: a weight of the cover is not positive"}


@built
def test_the_command_on_a_regression(tmp_path):
    data, proof = tmp_path / "data.csv", tmp_path / "proof.json"
    data.write_text("x,y\n-1,0\n0,0\n0,1\n1,1\n")
    regression([[-1], [0], [0], [1]], [0, 0, 1, 1]).save(proof)
    done = CliRunner().invoke(app, ["check", str(proof), str(data), "--target", "y", "--verified"])
    assert done.exit_code == 0
    assert done.output.splitlines()[1] == "accepted: quasi-complete: 1 finite, 1 +inf; 2 of 4 rows separated"


@built
def test_the_command(tmp_path):
    data, proof = tmp_path / "data.csv", tmp_path / "proof.json"
    data.write_text("x,y\n-1,a\n0,a\n0,b\n1,b\n")
    CliRunner().invoke(app, ["certify", str(data), "--target", "y", "-o", str(proof)])
    arguments = ["check", str(proof), str(data), "--target", "y", "--verified"]
    done = CliRunner().invoke(app, arguments)
    first, second = done.output.splitlines()
    assert (done.exit_code, first[:9]) == (0, "question:")
    assert second == "accepted: quasi-separable, no plane has every margin > 0, one has 2 > 0 and none < 0; " + (
        "none moves the other 2 rows"
    )
    proof.write_text(json.dumps(json.loads(proof.read_text()) | {"verdict": "separable"}))
    assert CliRunner().invoke(app, arguments).exit_code == 3


def test_without_it_the_command_says_how_to_build_it(tmp_path, monkeypatch):
    monkeypatch.setattr(verified, "program", lambda: None)
    data, proof = tmp_path / "data.csv", tmp_path / "proof.json"
    data.write_text("x,y\n1,a\n2,b\n")
    certify([[1], [2]], ["a", "b"]).save(proof)
    done = CliRunner().invoke(app, ["check", str(proof), str(data), "--target", "y", "--verified"])
    assert done.exit_code == 2
    assert "make verified" in done.output


def test_a_program_that_fails_proves_nothing(tmp_path, monkeypatch):
    """Silent, crashing or deaf, whatever stands in its place."""
    X, y = [[1], [2]], [0, 1]
    found, of_regression = certify(X, y), regression(X, y)
    for script in ("exit 0", "exit 1", "kill -9 $$", "cat > /dev/null", "echo refused: no"):
        path = tmp_path / "stand-in"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        monkeypatch.setenv("NOVIKOFF_VERIFIED", str(path))
        assert not told(found, X, y)
        assert not told(of_regression, X, y)
    assert check_proof(found.proof, X, y)
    assert check_proof(of_regression.proof, X, y)
