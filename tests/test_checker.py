"""Lies told to the checker, and what it says of them."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from oracle import instance, verdict

from novikoff import certify, check, datasets
from novikoff.certificates.check import check_proof
from novikoff.proofs.proof_json import sealed

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


def resealed(proof):
    """A proof that fits its seal, as who lies on purpose would write it."""
    return sealed({name: value for name, value in proof.items() if name != "seal"})


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
    assert "digests differ" in check(proof, np.vstack([X, X[:1]]), [*y, y[0]]).sentence
    assert "columns" in check(proof, X[:, :1], y).sentence


def test_a_refusal_is_evidence():
    X, y = np.array([[-1], [0], [0], [1]]), np.array([0, 0, 1, 1])
    proof = resealed(certify(X, y).proof | {"verdict": "separable"})
    assert check(proof, X, y).sentence == ("refused: row 1 (label -1) has margin 0; the claim needs every margin > 0")


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*/*.json")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_corpus(path):
    data = json.loads((CORPUS / "data.json").read_text())[path.stem.split("-")[0]]
    found = check_proof(path.read_text(), data["rows"], data["labels"])
    assert (found.accepted, found.malformed) == {
        "accepted": (True, False),
        "refused": (False, False),
        "malformed": (False, True),
    }[path.parent.name], found.sentence
