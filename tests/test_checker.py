"""Lies told to the checker, and what it says of them."""

import json
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from oracle import instance, verdict
from typer.testing import CliRunner

from novikoff import certify, check, datasets
from novikoff.certificates import check as checker
from novikoff.certificates.check import check_proof
from novikoff.cli import app
from novikoff.proofs.proof_json import with_seal

CORPUS = Path(__file__).parent / "certificates"


def mutations(proof):
    """The proof with one leaf changed or left out, or one entry added to a mapping."""
    text = json.dumps(proof)
    for path in leaves(proof):
        for change in (changed, doubled, None):
            lie = json.loads(text)
            *way, last = path
            place = lie
            for step in way:
                place = place[step]
            if change is None:
                del place[last]
            else:
                place[last] = change(place[last])
            yield path, lie


def leaves(value, path=()):
    """The ways to everything that is not a mapping or a list."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*path, key))
    else:
        yield path


def changed(value):
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + 1
    return value[:-1] + ("1" if value[-1] != "1" else "2")


def doubled(value):
    if isinstance(value, str):
        return "-" + value
    return [value, value]


def test_no_mutated_proof_is_accepted_and_with_a_new_seal_none_that_says_something_false():
    """A changed proof may be a true one: a wider interval, a plane nearby, the question without an intercept."""
    random, count = np.random.default_rng(4), 0
    for _ in range(40):
        X, y = instance(random)
        rows, labels, proof = X.tolist(), y.tolist(), certify(X, y).proof
        assert check_proof(json.dumps(proof), rows, labels)
        for path, lie in mutations(proof):
            count += 1
            assert not check_proof(lie, rows, labels), path
            found = check_proof(resealed(lie), rows, labels)
            if found:
                assert lie["verdict"] == verdict(X, y, lie["fit_intercept"])
                holds_of(lie, proof)
    assert count > 2000


def resealed(proof, **changes):
    """A proof, with other fields, that fits its seal, as who lies on purpose would write it."""
    return with_seal({name: value for name, value in (proof | changes).items() if name != "seal"})


def holds_of(lie, truth):
    """Whether what an accepted change claims of the margin is implied by the truth."""
    if lie["margin"] and lie["fit_intercept"] == truth["fit_intercept"]:
        lo, hi = (Fraction(lie["margin"][name]) for name in ("lo", "hi"))
        assert lo <= Fraction(truth["margin"]["hi"])
        assert hi >= Fraction(truth["margin"]["lo"])


def test_a_proof_of_other_data_is_refused():
    X, y = datasets.logic_gate("and")
    proof = certify(X, y).proof
    assert "digests differ" in check(proof, X, [1, 0, 0, 1]).sentence
    assert "4 rows and 2 columns" in check(proof, np.vstack([X, X[:1]]), [*y, y[0]]).sentence
    assert "columns" in check(proof, X[:, :1], y).sentence
    assert "rows are not those" in check(proof, X * 1.25, y).sentence


def test_a_refusal_is_evidence():
    X, y = np.array([[-1], [0], [1], [2]]), np.array([0, 0, 1, 1])
    proof = resealed(certify(X, y).proof | {"plane": {"0": "1"}})
    found = check(proof, X, y)
    assert found.finding == "refused: row 1 (label -1) has margin 0; the claim needs every margin > 0"
    assert found.question == "label 1 (2 rows) against label 0 (2 rows); planes with an intercept"


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*/*.json")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_corpus(path):
    data = json.loads((CORPUS / "data.json").read_text())[path.stem.split("-")[0]]
    found = check_proof(path.read_text(), data["rows"], data["labels"])
    assert (found.accepted, found.malformed) == {
        "accepted": (True, False),
        "refused": (False, False),
        "malformed": (False, True),
    }[path.parent.name], found.sentence


def test_numbers_that_are_not_float64_are_not_rounded_to_those_of_the_proof():
    """The digest is of float64 values, which a number nearby has as well; but it is another number."""
    data = json.loads((CORPUS / "data.json").read_text())["and"]
    rows = [[v and v + Fraction(1, 10**40) for v in row] for row in data["rows"]]
    found = check_proof((CORPUS / "accepted" / "and.json").read_text(), rows, data["labels"])
    assert "not float64" in found.sentence
    assert not found


def test_a_relation_is_held_against_rows_that_floats_show_to_be_right():
    """The first column is 0 in the longest row and in those nearest to the plane, which exact numbers measure."""
    X, y = [[0.0, 1.0], [0.0, -1.0], [0.0, 9.0], [2.0, 3.0]], [1, 0, 1, 1]
    proof = certify(X, y).proof
    assert check_proof(proof, X, y)
    related = resealed(proof, collinear=[{"0": "1"}])
    assert "row 3 does not satisfy a relation" in check_proof(related, X, y).finding


def test_rows_of_any_kind_are_the_same_rows():
    """Lists, tuples, mappings, and float64 numbers as they lie in memory, which are not packed again."""
    X, y = np.array([[0.5, -1.5], [0.1, 2.0], [-3.0, 0.0], [1.0, 0.25]]), [0, 1, 0, 1]
    proof = certify(X, y).proof
    kinds = (np.ndarray.tolist, tuple, memoryview, lambda row: dict(enumerate(row.tolist())))
    findings = {check_proof(proof, [kind(row) for row in X], y).finding for kind in kinds}
    assert len(findings) == 1
    assert findings.pop().startswith("accepted")
    for wrong, words in ((np.nan, "not float64"), (np.inf, "not float64"), (0.75, "digests differ")):
        changed = X.copy()
        changed[1, 0] = wrong
        for kind in (np.ndarray.tolist, memoryview):
            assert words in check_proof(proof, [kind(row) for row in changed], y).finding
    assert "does not have the 2 columns" in check_proof(proof, map(memoryview, X[:, :1].copy()), y).finding


TABLES = {
    "separable": ("x,y\n1,a\n2,b\n", ()),
    "quasi-separable": ("x,y\n-1,a\n0,a\n0,b\n1,b\n", ()),
    "inseparable": ("x,y\n1,a\n2,b\n3,a\n", ()),
    "decimals": ("x,z,y\n0.1,1e-3,a\n 0.30 ,.5,b\n0.2,-2,a\n", ()),
    "categories": ('hue;size;code;x;y\nred;"a;b";1;1;no\nblue;c;2;2;yes\n\nred;c;10;3;no\n', ("--categorical", "code")),
    "dropped": ("x,name,y\n1,ann,a\n2,bob,b\n", ("--drop", "name")),
    "headless": ("1,a\n2,b\n", ("--no-header",)),
    "latin": ("größe,y\n1,ä\n2,b\n", ("--encoding", "latin-1")),
    "classes": ("x,y\n1,a\n2,b\n3,c\n4,c\n", ()),
    "sparse": ("+1 1:2 3:1\n-1 2:1.5  # a comment\n-1 1:-1\n", ()),
}


def alone(folder, *arguments):
    """The checker copied out of the package and run without any."""
    copy = shutil.copy(checker.__file__, folder / "copied.py")
    command = [sys.executable, "-I", "-S", copy, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


@pytest.mark.parametrize("name", TABLES)
def test_the_checker_alone_says_what_the_command_says(name, tmp_path):
    text, options = TABLES[name]
    data, proof = tmp_path / "data.csv", tmp_path / "proof.json"
    data.write_text(text, encoding="latin-1" if name == "latin" else "utf-8")
    target = {"headless": ("--target", "2"), "sparse": ()}.get(name, ("--target", "y"))
    done = CliRunner().invoke(app, ["certify", str(data), *target, *options, "-o", str(proof)])
    assert done.exit_code == 0, done.output
    said = CliRunner().invoke(app, ["check", str(proof), str(data), *target, *options])
    found = alone(tmp_path, proof, data, *target, *options)
    assert (found.stdout, found.returncode) == (said.output, 0), found.stderr
    assert found.stdout.count("accepted") == (3 if name == "classes" else 1)


@pytest.mark.parametrize("options", [{}, {"kernel": "poly"}, {"kernel": "rbf"}], ids=["linear", "poly", "rbf"])
def test_the_checker_alone_accepts_refuses_and_tells_damage(options, tmp_path):
    data, proof = tmp_path / "data.csv", tmp_path / "proof.json"
    X, y = datasets.logic_gate("xor")
    data.write_text("a,b,y\n" + "".join(f"{a:g},{b:g},{label}\n" for (a, b), label in zip(X, y, strict=True)))
    certify(X, y, **options).save(proof)
    arguments = [str(proof), str(data), "--target", "y", "--kernel", options.get("kernel", "linear")]
    for text, code in ((proof.read_text(), 0), (proof.read_text().replace("separable", "separate"), 3), ("[", 3)):
        proof.write_text(text)
        said = CliRunner().invoke(app, ["check", *arguments])
        found = alone(tmp_path, *arguments)
        assert (found.stdout, found.returncode) == (said.output, said.exit_code) == (said.output, code)
    certify(X, y, **options).save(proof)
    data.write_text("a,b,y\n0,0,0\n0,1,1\n1,0,1\n1,1,1\n")
    found = alone(tmp_path, *arguments)
    assert found.stdout == CliRunner().invoke(app, ["check", *arguments]).output
    assert (found.returncode, "digests differ" in found.stdout or "margin" in found.stdout) == (1, True)


def test_the_checker_alone_says_what_is_wrong_with_the_data(tmp_path):
    data, proof = tmp_path / "data.csv", tmp_path / "proof.json"
    data.write_text("x,y\n1,a\n2\n")
    certify([[1], [2]], [0, 1]).save(proof)
    for target in ("y", "z"):
        found = alone(tmp_path, proof, data, "--target", target)
        assert (found.returncode, found.stdout) == (2, "")
        assert "could not be read" in found.stderr


def test_the_checker_imports_the_standard_library_only():
    text = Path(checker.__file__).read_text(encoding="utf-8")
    names = {line.split()[1].split(".")[0] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert names <= sys.stdlib_module_names
