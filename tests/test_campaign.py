"""The campaign in small: it finds nothing where nothing is wrong, and finds every fault that is planted."""

import base64
import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from oracle import instance, verdict

import novikoff
from novikoff.certificates.check import Verdict

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
import campaign  # noqa: E402
import campaign_mutations as mutations  # noqa: E402
import campaign_questions as questions  # noqa: E402
import campaign_truth as exact  # noqa: E402

"""Whether check refuses answers to other questions than the one asked."""


@pytest.fixture(autouse=True)
def floats_as_users_have_them():
    with np.errstate(all="warn", under="ignore"):  # as NumPy has it unless it is told otherwise
        yield


@pytest.fixture(scope="module")
def readers():
    import campaign_readers

    return campaign_readers


def faults_of(part, cases):
    """Every kind of fault in these cases, with how often."""
    return Counter(kind for case in cases for kind, _ in campaign.try_case(part, case)[1])


def all_faults(part, cases):
    """Every fault in these cases, in words."""
    return [fault for case in cases for fault in campaign.try_case(part, case)[1]]


# The oracle.


def test_the_oracle_agrees_with_linear_programs_of_z3():
    random = np.random.default_rng(5)
    for number in range(150):
        X, y = instance(random)
        found = exact.truth(X.tolist(), (2 * y - 1).tolist(), bool(number % 3))
        assert found.verdict == verdict(X, y, bool(number % 3))


def test_the_oracle_names_all_rows_that_a_plane_can_have_on_its_right_side():
    assert exact.truth([[-1], [0], [0], [1]], [-1, -1, 1, 1], True) == ("quasi-separable", [0, 3])
    assert exact.truth([[1, 5], [1, -5], [0, 1]], [1, 1, 1], False) == ("separable", [])
    assert exact.truth([[0.1 + 0.2], [0.3]], [1, -1], True).verdict == "separable"
    assert exact.truth([["0.30"], ["0.3"]], [1, -1], True).verdict == "inseparable"


def test_the_oracle_in_feature_spaces():
    xor, signs = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1]
    for name, degree, coef0, known in (
        ("poly", 1, 1, "inseparable"),
        ("poly", 2, 1, "separable"),
        ("poly", 2, 0, "separable"),  # x₁² + x₂² − 2·x₁·x₂ with a threshold
        ("rbf", 1, 0, "separable"),
    ):
        kernel = {"name": name, "degree": degree, "coef0": coef0}
        assert exact.truth(xor, signs, True, kernel).verdict == known
    twins = exact.truth([[0], [0], [1]], [1, -1, 1], True, {"name": "rbf"})
    assert twins == ("quasi-separable", [2])


@pytest.mark.parametrize("options", [{}, {"kernel": "poly"}, {"kernel": "rbf", "gamma": "1"}])
def test_claims_are_recomputed(options):
    X, signs = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [3.0, 3.0]], [-1, -1, -1, 1]
    proof = novikoff.certify(X, [0, 0, 0, 1], **options).proof
    true = exact.truth(X, signs, True, questions.kernel_of(options))

    def false(**changes):
        return exact.false_claims(proof | changes, X, signs, True, proof["kernel"], true)

    assert false() == []
    assert "the verdict" in false(verdict="inseparable")
    assert "the plane" in false(plane={place: str(-int(text)) for place, text in proof["plane"].items()})
    for name, value in (("lo", "100"), ("hi", "1/1000000"), ("radius", "1/10"), ("mistake_bound", "0")):
        assert name in false(margin=proof["margin"] | {name: value})


def test_digests_are_those_of_the_format():
    for X in ([[0.5, -0.0], [2.0, 3.0]], [["0.5", "0"], ["2/6", "3"]]):
        proof = novikoff.certify(X, [0, 1]).proof
        assert exact.digests(X, [-1, 1], proof["numbers"]).items() <= proof["data"].items()


# Questions.


def some_questions(count=40):
    return [json.loads(json.dumps(questions.make(0, number))) for number in range(count)]


def test_questions_have_no_fault():
    cases = some_questions(120)
    assert all_faults(questions, cases) == []
    assert {case["family"] for case in cases} == set(questions.NAMES)


LIES = {
    "wrong verdict": lambda true: replace(true, verdict="separable" if true.witness else "inseparable", overlap=False),
    "wrong rows": lambda true: replace(true, rows=[] if true.rows is not None else None),
    "wrong overlap": lambda true: replace(true, overlap=True),
    "overlap left open": lambda true: replace(true, verdict="inseparable", overlap=None) if true.witness else true,
    "unknown": lambda true: replace(true, verdict="unknown"),
    "no proof": lambda true: replace(true, proof=None),
    "false proof": lambda true: replace(true, proof=true.proof | {"verdict": "quasi-separable", "rows": [0]}),
}


@pytest.mark.parametrize("kind", LIES)
def test_lies_of_certify_are_found(monkeypatch, kind):
    ask = novikoff.certify

    def lie(X, y, **options):
        answers = ask(X, y, **options)
        if isinstance(answers, novikoff.Certificate):
            return LIES[kind](answers)
        return {key: LIES[kind](answer) for key, answer in answers.items()}

    monkeypatch.setattr(novikoff, "certify", lie)
    cases = [case | {"recompute": True} for case in some_questions()]
    assert faults_of(questions, cases)[kind] >= 2


def test_refusals_and_exceptions_are_found(monkeypatch):
    monkeypatch.setattr(novikoff, "check", lambda *_, **__: Verdict(False, "refused: so it is"))
    assert faults_of(questions, some_questions(10))["own certificate refused"] >= 10
    monkeypatch.setattr(novikoff, "certify", lambda *_, **__: {}["nothing"])
    assert faults_of(questions, some_questions(10)) == {"exception": 10}


# Mutations.


def some_mutations(count=150):
    return [json.loads(json.dumps(mutations.make(0, number))) for number in range(count)]


def test_mutations_have_no_fault():
    assert all_faults(mutations, some_mutations(400)) == []


def test_mutations_reach_every_answer_of_the_checker():
    counts = sum((mutations.judge(case)[0] for case in some_mutations()), Counter())
    assert counts["mutations"] == 150
    assert min(counts[kind] for kind in ("accepted", "refused", "malformed")) > 5
    assert {name for case in some_mutations(600) for name in case["made"]} >= set(mutations.CHANGES)


def test_a_checker_that_accepts_all_is_found(monkeypatch):
    monkeypatch.setattr(novikoff, "check", lambda *_, **__: Verdict(True, "accepted: all"))
    found = faults_of(mutations, some_mutations())
    assert found["accepted but false"] > 10
    assert found["accepted, of other classes"] > 2
    assert found["accepted, of another intercept"] > 0


def test_a_checker_that_raises_is_found(monkeypatch):
    monkeypatch.setattr(novikoff, "check", lambda *_, **__: {}["plane"])
    assert faults_of(mutations, some_mutations(10)) == {"exception": 10}


def test_an_object_that_says_more_than_its_proof_is_found(monkeypatch):
    X, y = [[-1.0], [0.0], [0.0], [1.0]], [0, 0, 1, 1]
    proof = novikoff.certify(X, y, quasi=False)
    case = {"X": X, "y": y, "options": {"fit_intercept": True}, "asked": 0, "made": [], "proof": proof.json()}
    assert faults_of(mutations, [case]) == {}
    monkeypatch.setattr(mutations.Certificate, "load", lambda _: replace(proof, overlap=True))
    assert faults_of(mutations, [case]) == {"object says more": 1}


# Readers.


def input_for(reader, blob, *options):
    return {"reader": reader, "data": base64.b64encode(blob).decode(), "options": list(options)}


def test_readers_have_no_fault(readers):
    cases = [readers.make(0, number) for number in range(60)]
    assert all_faults(readers, cases) == []


def test_good_files_are_read(readers):
    for name in ("csv", "parquet", "npz", "libsvm"):
        result = readers.run_command("certify", readers.file_of(readers.tables()[name]), "--target", "y")
        assert result is None


@pytest.mark.parametrize(
    "error", [KeyError("plane"), TypeError("no"), ValueError("no sentence"), ValueError("invalid literal for int() 1.")]
)
def test_a_reader_that_raises_is_found(readers, monkeypatch, error):
    def stumble(*_):
        raise error

    monkeypatch.setattr(novikoff, "load", stumble)
    monkeypatch.setattr("novikoff.data.decimal_table.open_file", stumble)
    monkeypatch.setattr(novikoff.Certificate, "load", stumble)
    cases = [
        input_for("load", b""),
        input_for("certify", b"x,y\n1,2\n", "-t", "y"),
        input_for("Certificate.load", b"{}"),
    ]
    assert faults_of(readers, cases) == {"load": 1, "certify": 1, "Certificate.load": 1}


def test_a_lab_that_fails_is_found(readers, monkeypatch):
    body = next(iter(readers.bodies().values()))
    assert faults_of(readers, [input_for("lab run", body), input_for("lab address", b"/")]) == {}
    monkeypatch.setattr("novikoff.lab.server.json_response", lambda *_: {}["answer"])
    assert faults_of(readers, [input_for("lab run", body)]) == {"lab run": 1}


# The children, and what is kept.


def events_of(code, patience=5.0):
    """The events of a child that runs this Python."""
    begin = f"import os, sys; sys.path.insert(0, {str(BENCHMARKS)!r}); pipe = int(os.environ['CAMPAIGN_PIPE'])\n"
    begin += "say = lambda text: os.write(pipe, text.encode() + b'\\n')\n"
    return list(campaign.watch([sys.executable, "-c", begin + code], 3, patience))


TRIED = """say('{"number": 3, "case": "a"}'); say('{"counts": {"tried": 1}, "faults": []}')\n"""


def test_a_child_that_hangs_or_dies_is_found():
    assert [event.counts for event in events_of(TRIED + "say('{\"end\": true}')")] == [{"tried": 1}]
    hang = events_of(TRIED + """say('{"number": 4, "case": "b"}'); import time; time.sleep(60)""", patience=0.5)
    assert [(event.number, event.case) for event in hang] == [(3, None), (4, "b")]
    assert hang[-1].faults[0][0] == "hang"
    died = events_of(TRIED + """say('{"number": 4, "case": "b"}'); os.abort()""")
    assert [(event.number, event.case) for event in died] == [(3, None), (4, "b")]
    assert died[-1].faults[0][0] == "died"


def test_a_case_that_takes_too_much_memory_is_found():
    code = """
import campaign, types, json
campaign.limit_memory()
part = types.SimpleNamespace(judge=lambda case: len(bytearray(2**31)))
counts, faults = campaign.try_case(part, "big")
say('{"number": 3, "case": "big"}'); say(json.dumps({"counts": counts, "faults": faults})); say('{"end": true}')
"""
    assert [event.faults[0][0] for event in events_of(code)] == ["memory"]


def test_a_case_that_hung_once_is_tried_again(monkeypatch):
    asked = []

    def watch(command, first, patience):
        asked.append((first, int(command[-1])))
        for number in range(first, int(command[-1])):
            slow = number == 2 and (len(asked) == 1 or "always" in command)
            yield campaign.Event(number, {"tried": 1}, [("hang", "")] if slow else [])
            if slow:
                return

    monkeypatch.setattr(campaign, "watch", watch)
    events = list(campaign.batch_events("questions", 0, 4, 1.0))
    assert [event.number for event in events] == [0, 1, 2, 3]
    assert not any(event.faults for event in events)
    assert asked == [(0, 4), (2, 3), (3, 4)]
    asked.clear()
    events = list(campaign.batch_events("always", 0, 4, 1.0))
    assert [bool(event.faults) for event in events] == [False, False, True, False]


def test_a_campaign_goes_on_where_it_was_ended(tmp_path, monkeypatch):
    def batch(name, seed, size, patience):
        for number in range(size):
            if seed == 1 and number == 2 and not done:
                raise KeyboardInterrupt
            yield campaign.Event(number, {"questions": 1}, [("unknown", "why")] if number == 0 else [], {"k": number})

    done = []
    monkeypatch.setattr(campaign, "batch_events", batch)
    monkeypatch.setitem(campaign.PARTS, "questions", replace(campaign.PARTS["questions"], batch=4))
    with pytest.raises(KeyboardInterrupt):
        campaign.run_part("questions", tmp_path, 12, None, print)
    assert campaign.State.load(tmp_path / "questions.json").counts == {"questions": 4}
    done.append(True)
    for _ in range(2):  # the second time nothing is left to do
        state = campaign.run_part("questions", tmp_path, 12, None, print)
        assert (state.counts["questions"], state.faults["unknown"], sorted(state.batches)) == (12, 3, ["0", "1", "2"])
        assert state.kept["unknown"][1] == {"seed": 1, "number": 0, "what": "why", "case": {"k": 0}}
    text = campaign.report(tmp_path)
    assert "| questions | 12 questions | 0–2 |" in text
    assert "unknown 3" in text
    assert str(tmp_path) not in text


def test_the_campaign_itself(tmp_path):
    campaign.main(["questions", "--count", "3", "--state", str(tmp_path)])
    state = campaign.State.load(tmp_path / "questions.json")
    assert state.counts["questions"] >= 3
    assert not state.faults
