"""Proofs say how their file was read, and checkers read it so again."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from test_checker import resealed
from typer.testing import CliRunner

from novikoff import certify
from novikoff.certificates import check as checker
from novikoff.certificates.check import as_options, check_proof, reading_of
from novikoff.certificates.stored_proof import StoredProof
from novikoff.cli import app
from novikoff.proofs.proof_json import with_reading

ODD = "7;1,5;rot;3;ü\n8;2,5;blau;?;v\n9;3,25;rot;1;ü\n10;0,5;blau;2;v\n11;1,75;rot;0;ü\n"
"""Without a header, in Latin-1, with decimal commas and a missing value; the first column names the rows."""
SAID = ("-t", "5", "--no-header", "--drop", "1", "--decimal", ",", "--encoding", "latin-1")
ROWS = ("--na", "?", "--missing", "drop")
PLAIN = "x;name;z;y\n0;ann;1;a\n1;bob;2;b\n3;eve;0;a\n2;joe;2;b\n"
READINGS = [
    {"target": 1},
    {"target": None},
    {"header": 0},
    {"header": "no"},
    {"missing": "?"},
    {"missing": [1]},
    {"delimiter": ""},
    {"delimiter": ";;"},
    {"drop": {}},
    {"run": "rm"},
    [],
    "y",
    None,
]


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def alone(*arguments):
    """The checker as a file that is run by itself."""
    words = [sys.executable, "-I", "-S", checker.__file__, *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, encoding="utf-8")


@pytest.fixture
def odd(tmp_path):
    path = tmp_path / "odd.txt"
    path.write_bytes(ODD.encode("latin-1"))
    return path


@pytest.mark.parametrize("asked", [(), ("--fewest-errors",), ("--multi-class", "ovo")])
def test_a_file_is_read_again_as_it_was_read(odd, tmp_path, asked):
    proof = tmp_path / "proof.json"
    made = run("certify", odd, *SAID, *ROWS, *asked, "-o", proof)
    assert made.exit_code == 0, made.stderr
    assert f"novikoff check {proof} {odd}\n" in made.stdout
    found = run("check", proof, odd)
    assert found.exit_code == 0, found.stdout
    first, question, answer = found.stdout.splitlines()
    told = "--target 5 --delimiter ';' --encoding latin-1 --decimal , --no-header --missing drop --na '?' --drop 1"
    assert first == f"read as the proof says: {told}"
    assert "(3 rows)" in question
    assert answer.startswith("accepted: ")
    shown = run("inspect", proof).stdout
    assert 'drop: ["1"]' in shown
    assert "encoding: latin-1" in shown
    assert "only novikoff check knows" in alone(proof, odd).stderr


def test_what_is_said_takes_precedence(odd, tmp_path):
    proof = tmp_path / "proof.json"
    assert run("certify", odd, *SAID, *ROWS, "-o", proof).exit_code == 0
    assert "no value in column '4' at row 2" in run("check", proof, odd, "--missing", "refuse").stderr
    assert "no column '5'" in run("check", proof, odd, "--delimiter", "|").stderr
    other = json.loads(run("check", proof, odd, "--target", "3", "--json").stdout)
    assert not other["accepted"]
    assert "target" not in other["read_as_proved"]
    assert other["read_as_proved"]["missing"] == ["?"]
    odd.write_bytes(ODD.replace("2,5", "2,6").replace(";3;", ";4;").encode("latin-1"))
    found = run("check", proof, odd)
    assert (found.exit_code, found.stdout.splitlines()[-1][:8]) == (1, "refused:")


@pytest.mark.parametrize("asked", [(), ("--fewest-errors",)])
def test_the_checker_alone_follows_what_it_can(tmp_path, asked):
    data, proof = tmp_path / "plain.csv", tmp_path / "proof.json"
    data.write_text(PLAIN)
    assert run("certify", data, "-t", "y", "--drop", "name", "--categorical", "z", *asked, "-o", proof).exit_code == 0
    assert json.loads(proof.read_text())["reading"] == {
        "target": "y",
        "categorical": ["z"],
        "drop": ["name"],
        "delimiter": ";",
    }
    found = alone(proof, data)
    assert found.stdout.startswith("read as the proof says: --target y --delimiter ';' --categorical z --drop name\n")
    assert found.stdout == run("check", proof, data).stdout
    assert found.returncode == 0
    assert "--delimiter" not in alone(proof, data, "--delimiter", ";").stdout
    data.write_text(PLAIN.partition("\n")[2])
    assert run("certify", data, "-t", "4", "--drop", "2,3", "--no-header", *asked, "-o", proof).exit_code == 0
    found = alone(proof, data)
    assert "--target 4 --delimiter ';' --no-header --drop 2 --drop 3" in found.stdout
    assert found.returncode == 0


def test_regressions_are_remembered(tmp_path):
    data, proof = tmp_path / "r.csv", tmp_path / "proof.json"
    data.write_text("x;z;y\n" + "".join(f"{k};{k % 3};{'ab'[k > 5]}\n" for k in range(12)))
    for asked in (("-t", "y", "--categorical", "z"), ("--formula", "y ~ x + C(z)")):
        assert run("separation", data, *asked, "-o", proof).exit_code == 1
        found = run("check", proof, data)
        assert found.exit_code == 0, found.stdout
        assert f"read as the proof says: --{('target y', 'formula ')[asked[0] != '-t']}" in found.stdout
    assert run("check", proof, data, "-t", "y").exit_code == 1  # what is said is another model
    assert "--formula 'y ~ x + C(z)'" in alone(proof, data).stderr
    data.write_text(data.read_text() + "?;2;a\n")
    assert run("separation", data, "-t", "y", "--na", "?", "--missing", "drop", "-o", proof).exit_code == 1
    assert "--missing drop --na '?'" in run("check", proof, data).stdout
    assert run("check", proof, data).exit_code == 0
    of_formula = ("--formula", "y ~ x", "--na", "?", "--missing", "drop", "-o", proof)
    assert run("separation", data, *of_formula).exit_code == 1
    found = run("check", proof, data)
    assert "--formula 'y ~ x'" in found.stdout
    assert "--missing drop --na '?'" in found.stdout
    assert found.exit_code == 0


def test_proofs_of_libsvm_and_of_python_say_nothing_of_a_file(tmp_path):
    data, proof = tmp_path / "a.libsvm", tmp_path / "proof.json"
    data.write_text("1 1:2 2:3\n0 1:1\n1 2:5\n0 1:3\n")
    assert run("certify", data, "-o", proof).exit_code == 0
    assert "reading" not in json.loads(proof.read_text())
    assert not run("check", proof, data).stdout.startswith("read as")
    assert "reading" not in certify([["0"], ["1"]], [0, 1]).proof


def test_a_list_of_proofs_says_it_in_each(tmp_path):
    data, proof = tmp_path / "three.csv", tmp_path / "proof.json"
    data.write_text("x|y\n" + "".join(f"{k}|{'abc'[k % 3]}\n" for k in range(9)))
    assert run("certify", data, "-t", "y", "-o", proof).exit_code == 0
    assert [each["reading"] for each in json.loads(proof.read_text())] == 3 * [{"target": "y", "delimiter": "|"}]
    assert run("check", proof, data).exit_code == 0
    assert alone(proof, data).returncode == 0


@pytest.mark.parametrize("reading", READINGS, ids=range(len(READINGS)))
def test_what_is_no_reading_is_malformed(tmp_path, reading):
    X, y, proof, data = [["0"], ["1"]], ["a", "b"], tmp_path / "proof.json", tmp_path / "a.csv"
    data.write_text("x,y\n0,a\n1,b\n")
    made = certify(X, y).proof
    lie = resealed(made, reading=reading)
    proof.write_text(json.dumps(lie))
    found = check_proof(lie, X, y)
    assert found.malformed
    assert "'reading'" in found.finding
    assert run("check", proof, data, "-t", "y").exit_code == 3
    assert alone(proof, data, "-t", "y").returncode == 3


def test_a_reading_claims_nothing_and_is_sealed(tmp_path):
    X, y = [["0"], ["1"]], ["a", "b"]
    made = certify(X, y).proof
    proof = with_reading(made, {"target": "y"})
    assert check_proof(proof, X, y) == check_proof(made, X, y)
    assert list(proof)[-1] == "seal"
    assert with_reading(made, {}) is made
    assert check_proof(proof | {"reading": {"target": "z"}}, X, y).malformed
    (tmp_path / "proof.json").write_text(json.dumps(proof))
    assert StoredProof.load(Path(tmp_path / "proof.json")).verdict == "separable"
    assert reading_of(proof) == {"target": "y"}
    assert as_options({"header": True, "drop_incomplete": False}) == ""


def test_a_proof_of_a_stranger_runs_no_code(tmp_path):
    data, proof, touched = tmp_path / "r.csv", tmp_path / "proof.json", tmp_path / "touched"
    data.write_text("x,y\n" + "".join(f"{k},{int(k > 5)}\n" for k in range(12)))
    assert run("separation", data, "--formula", "y ~ x", "-o", proof).exit_code == 1
    made, code = json.loads(proof.read_text()), f"y ~ I(__import__('pathlib').Path({str(touched)!r}).touch() or x)"
    for lie in (resealed(made, reading={"formula": code}), made | {"reading": {"formula": code}}):
        proof.write_text(json.dumps(lie))
        assert run("check", proof, data).exit_code in (2, 3)
        assert not touched.exists()
    proof.write_text(json.dumps(resealed(made, reading={"formula": "y ~ I(x)"})))
    found = run("check", proof, data)
    assert "calls functions" in found.stderr
    assert run("check", proof, data, "--formula", "y ~ I(x)").exit_code == 0


def test_a_reading_is_followed_under_its_seal_only(tmp_path):
    data, proof = tmp_path / "a.csv", tmp_path / "proof.json"
    data.write_text("x,z,y\n0,1,a\n1,0,b\n0,3,a\n")
    assert run("certify", data, "-t", "y", "-o", proof).exit_code == 0
    made = json.loads(proof.read_text())
    proof.write_text(json.dumps(made | {"reading": {"target": "nowhere"}}))
    for found in (run("check", proof, data), run("check", proof, data, "-t", "y")):
        assert found.exit_code == 3
        assert "its seal is another" in found.stdout
        assert "read as" not in found.stdout
    assert alone(proof, data).returncode == 3
    proof.write_text(json.dumps([made, resealed(made, reading={"target": "z"})]))
    assert "in several ways" in run("check", proof, data).stdout


def test_what_a_proof_says_does_nothing_in_a_terminal(tmp_path):
    data, proof = tmp_path / "a.csv", tmp_path / "proof.json"
    data.write_text("x,y\n0,a\n1,b\n")
    assert run("certify", data, "-t", "y", "-o", proof).exit_code == 0
    forged = resealed(json.loads(proof.read_text()), reading={"target": "y", "missing": ["\x1b[2K\raccepted\n"]})
    proof.write_text(json.dumps(forged))
    for shown in (run("check", proof, data).stdout, run("inspect", proof).stdout):
        assert "\x1b" not in shown
        assert "\r" not in shown
        assert "[2K" in shown
    assert "\x1b" not in alone(proof, data).stdout


def test_what_is_no_plain_decimal_is_read_again_where_that_can_be(tmp_path):
    data, proof = tmp_path / "kg.csv", tmp_path / "proof.json"
    data.write_text("w,c,y\n" + "".join(f"{k}.5 kg,{'rs'[k % 2]},{'ab'[k > 9]}\n" for k in range(20)))
    assert run("certify", data, "-t", "y", "-o", proof).exit_code == 0
    assert json.loads(proof.read_text())["reading"] == {"target": "y", "rewritten": ["w"]}
    found = run("check", proof, data)
    assert (found.exit_code, "rewritten" in found.stdout) == (0, False)
    assert "needs all rows in memory" in run("check", proof, data, "--stream").stderr
    assert "only novikoff check reads" in alone(proof, data).stderr
    assert run("certify", data, "-t", "y", "--drop", "w", "-o", proof).exit_code == 0  # categories are left
    assert "needs all rows in memory" in run("check", proof, data, "--stream").stderr
