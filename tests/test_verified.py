"""The checker that is extracted from a proof says what check.py says."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from oracle import instance
from typer.testing import CliRunner

from novikoff import certify, datasets
from novikoff.certificates import verified
from novikoff.certificates.check import Asked, check_proof
from novikoff.certificates.verified import check_verified, program
from novikoff.cli import app
from novikoff.proofs.certify import python_rows
from novikoff.proofs.question import exact_numbers

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
import verified as comparison

built = pytest.mark.skipif(program() is None, reason=verified.NOT_BUILT)


def told(found, X, y, **asked):
    return check_verified(found.proof, lambda: python_rows(exact_numbers(X)), np.asarray(y).tolist(), Asked(**asked))


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
def test_the_command(tmp_path):
    data, proof = tmp_path / "data.csv", tmp_path / "proof.json"
    data.write_text("x,y\n-1,a\n0,a\n0,b\n1,b\n")
    CliRunner().invoke(app, ["certify", str(data), "--target", "y", "-o", str(proof)])
    arguments = ["check", str(proof), str(data), "--target", "y", "--verified"]
    done = CliRunner().invoke(app, arguments)
    first, second = done.output.splitlines()
    assert (done.exit_code, first[:9]) == (0, "question:")
    assert second.startswith("accepted: 2 rows + and 2 rows -")
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
    found, y = certify([[1], [2]], [0, 1]), [0, 1]
    for script in ("exit 0", "exit 1", "kill -9 $$", "cat > /dev/null", "echo refused: no"):
        path = tmp_path / "stand-in"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        monkeypatch.setenv("NOVIKOFF_VERIFIED", str(path))
        assert not told(found, [[1], [2]], y)
    assert check_proof(found.proof, [[1], [2]], y)
