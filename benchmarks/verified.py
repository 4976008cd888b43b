"""The verified checker beside check.py: benchmarks/verified.py [corpus] [proofs] [mutants] [regressions] [errors] [N].

The corpus of tests/certificates, every proof of benchmarks/proofs.py with the seconds of both checkers, and proofs that
were changed and sealed again, as the campaign makes them, of planes, regressions and fewest errors: the two must agree
on each.  Without words, all of it.
"""

import copy
import itertools
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import campaign_errors as tables
import campaign_mutations as mutations
import campaign_separation as designs
import numpy as np
import proofs
from campaign_questions import posed
from measure import MissingError
from origin import origin

from novikoff import certify, check, fewest_errors, separation
from novikoff.certificates.check import ESTIMATES, Asked, Claim, Labels, check_proof
from novikoff.certificates.verified import NOT_BUILT, PlaneEvidence, check_verified, program
from novikoff.certificates.whole_text import Rows, whole_text
from novikoff.proofs.certify import python_rows
from novikoff.proofs.question import exact_numbers

CORPUS = Path(__file__).parents[1] / "tests" / "certificates"
COUNT = 100_000
"""Proofs that are changed and put to both."""
SAID_EVERY = 5000
CHANGES_EACH = 20
"""Changed proofs of one design."""
Change = Callable[[Random, dict[str, Any], Any], None]


def corpus() -> list[str]:
    """Where the checkers do not agree on a proof of the corpus, the kernels left out."""
    data, differ, agreed = json.loads((CORPUS / "data.json").read_text()), [], Counter[str]()
    for path in sorted(CORPUS.glob("*/*.json")):
        text, known = path.read_text(), data[path.stem.split("-")[0]]
        one = check_proof(text, known["rows"], known["labels"])
        other = check_verified(text, lambda rows=known["rows"]: rows, known["labels"])
        if "planes in the rows themselves only" in other.finding:
            continue
        agreed[path.parent.name] += 1
        if one.accepted != other.accepted or one.accepted != (path.parent.name == "accepted"):
            differ.append(f"{path.parent.name}/{path.name}: {one.finding} | {other.finding}")
    print(f"corpus: {sum(agreed.values())} proofs, {dict(agreed)}")
    return differ


def known_proofs(words: list[str]) -> list[str]:
    """Every proof of benchmarks/proofs.py by both, with their seconds of CPU; the text is written first."""
    differ = []
    heads = (
        "data",
        "rows × columns",
        "verdict",
        "check.py",
        "MB",
        "written in",
        "verified",
        "ratio",
        "ratio with writing",
    )
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    chosen = [name for name in proofs.PARTS if any(word in name for word in words)] or list(proofs.PARTS)
    for name, questions in ((name, proofs.PARTS[name]) for name in chosen):
        try:
            differ += [why for question in questions() if (why := both(question))]
        except MissingError as reason:
            print(f"{name} is left out: {reason}")
    return differ


def both(question: Any) -> str:
    """Time the two checkers on the proof of a question."""
    certificate = certify(question.X, question.y, **question.options or {})
    numbers, labels = exact_numbers(question.X), Labels(np.asarray(question.y).ravel().tolist())
    one, seconds = check_twice(certificate, question)
    with tempfile.NamedTemporaryFile("w", encoding="ascii") as text:
        began = time.process_time()
        text.writelines(text_of(Claim(certificate.proof), lambda: python_rows(numbers), labels))
        text.flush()
        written, size = time.process_time() - began, Path(text.name).stat().st_size / 1e6
        said, other = run_program(text.name)
    shape = " × ".join(map(str, np.shape(question.X)))
    ratios = f"{seconds / other:.1f} | {seconds / (written + other):.2f}"
    figures = f"{seconds:.2f} | {size:.1f} | {written:.2f} | {other:.2f} | {ratios}"
    print(f"| {question.name} | {shape} | {certificate.verdict} | {figures} |", flush=True)
    return "" if one.accepted and said.startswith("accepted") else f"{question.name}: {one.finding} | {said}"


def check_twice(certificate: Any, question: Any) -> tuple[Any, float]:
    """What check.py says, and its seconds, the best of two runs."""
    with_intercept, runs = (question.options or {}).get("fit_intercept", True), []
    for _ in range(2):
        began = time.process_time()
        one = check(certificate, question.X, question.y, fit_intercept=with_intercept)
        runs.append(time.process_time() - began)
    return one, min(runs)


def text_of(claim: Claim, rows: Rows, labels: Labels) -> Iterator[str]:
    """What the program is given."""
    return whole_text(claim, PlaneEvidence(claim, rows, labels), rows, labels, [])


def run_program(name: str) -> tuple[str, float]:
    """What the program says of a text in a file, and its seconds, the best of two runs."""
    runs = []
    for _ in range(2):
        began = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(name, "rb") as given:
            said = subprocess.run([str(program())], stdin=given, capture_output=True, text=True, check=False).stdout
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        runs.append((ended.ru_utime - began.ru_utime + ended.ru_stime - began.ru_stime, said))
    return min(runs)[::-1]


def mutants(count: int) -> list[str]:
    """Where the checkers do not agree on changed proofs."""

    def question(case: dict[str, Any]) -> Asked:
        asked = posed(case["y"], "ovr")[case["asked"]]
        return Asked(asked.positive, asked.negative, case["options"]["fit_intercept"])

    return put_to_both(((case, question(case)) for case in linear_cases()), count)


def regressions(count: int) -> list[str]:
    """The same of regressions, changed and as they are."""
    cases = with_changes(proved_regression, (*ANY_CHANGES, change_names))
    return put_to_both(((case, None) for case in cases), count)


def errors(count: int) -> list[str]:
    """The same of fewest errors, changed and as they are."""
    cases = with_changes(proved_errors, (*ANY_CHANGES, change_counts, change_counts, change_case))
    return put_to_both(((case, None) for case in cases), count)


def put_to_both(cases: Iterator[tuple[dict[str, Any], Asked | None]], count: int) -> list[str]:
    """Where the checkers do not agree on so many of these proofs."""
    differ, found, began = [], Counter[str](), time.perf_counter()
    for tried, (case, asked) in enumerate(cases, start=1):
        numbers, labels = exact_numbers(case["X"]), case["y"]
        one = check_proof(case["proof"], python_rows(numbers), labels, asked)
        other = check_verified(case["proof"], lambda numbers=numbers: python_rows(numbers), labels, asked)
        found["accepted" if one else "malformed" if one.malformed else "refused"] += 1
        if one.accepted != other.accepted:
            differ.append(f"{case['proof']}\n{one.finding} | {other.finding}")
        if tried % SAID_EVERY == 0 or tried == count:
            print(
                f"{tried} changed proofs in {time.perf_counter() - began:.0f} s: {dict(found)}, {len(differ)} differ",
                flush=True,
            )
        if tried == count:
            break
    return differ


def linear_cases() -> Iterator[dict[str, Any]]:
    """Changed proofs, and those that were not, of questions without a kernel."""
    seed = number = 0
    while True:
        case = mutations.make(seed, number)
        if "kernel" not in case["options"]:
            yield case
        number = (number + 1) % 2000
        seed += number == 0


def with_changes(
    prove: Callable[[int], tuple[dict[str, Any], dict[str, Any]]], changes: tuple[Change, ...]
) -> Iterator[dict[str, Any]]:
    """Tables with their proof, and with proofs in which one field, or two, were changed; ``prove`` makes the k-th."""
    other = None
    for number in itertools.count():
        (case, proof), random = prove(number), Random(f"changed/{number}")
        yield case | {"proof": json.dumps(proof)}
        for _ in range(CHANGES_EACH):
            yield case | {"proof": changed(random, copy.deepcopy(proof), other or proof, changes)}
        other = proof


def proved_regression(number: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A design of any family, and the proof of its estimates."""
    design = designs.make(0, number)
    X = np.array(design["X"]) if design["as"] == "array" else design["X"]
    made = separation(X, design["y"], family=design["family"], fit_intercept=design["fit_intercept"])
    return {"X": X, "y": design["y"]}, made.certificate.proof


def proved_errors(number: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A small table, and the proof of its fewest errors."""
    table = tables.make(0, number)
    X = table["X"] if table["decimal"] else np.array(table["X"])
    made = fewest_errors(X, table["y"], fit_intercept=table["fit_intercept"], time_limit=5)
    return {"X": X, "y": table["y"]}, made.certificate.proof


def changed(random: Random, proof: dict[str, Any], other: dict[str, Any], changes: tuple[Change, ...]) -> str:
    """The proof with a field, or two, changed, and sealed again."""
    before, wanted = copy.deepcopy(proof), random.choice((1, 1, 1, 2))
    while wanted or proof == before:
        change = random.choice(changes)
        with suppress(TypeError, ValueError, AttributeError, LookupError, ArithmeticError):  # nothing is there
            change(random, proof, copy.deepcopy(other))
            wanted = max(wanted - 1, 0)
    return mutations.sealed(proof, random)


def places(random: Random, proof: dict[str, Any], kind: type) -> tuple[Any, Any]:
    """Container and key of something of this kind in a field, each field being as likely as any other."""
    name = random.choice([name for name in proof if name != "seal"])
    inside = mutations.places_in(proof[name]) if isinstance(proof[name], dict | list) else ()
    return random.choice([(place, key) for place, key in ((proof, name), *inside) if isinstance(place[key], kind)])


def take_field(random: Random, proof: dict[str, Any], other: dict[str, Any]) -> None:
    name = random.choice(list(proof))
    proof[name] = other[name]


def change_text(random: Random, proof: dict[str, Any], other: Any) -> None:
    place, key = places(random, proof, str)
    place[key] = mutations.change_text(random, place[key])


def change_vector(random: Random, proof: dict[str, Any], other: Any) -> None:
    place, key = places(random, proof, dict)
    mutations.change_vector(random, place[key], len(proof.get("coefficients", proof.get("witnesses", ()))))


def change_type(random: Random, proof: dict[str, Any], other: Any) -> None:
    place, key = places(random, proof, object)
    place[key] = random.choice(mutations.WRONG)


def change_names(random: Random, proof: dict[str, Any], other: Any) -> None:
    """Another estimate, verdict, or row."""
    rows, verdicts = proof["rows"], ("complete", "quasi-complete", "overlap")
    proof["coefficients"][random.randrange(len(proof["coefficients"]))] = random.choice(ESTIMATES)
    proof["verdict"] = random.choice((proof["verdict"], *verdicts))
    proof["rows"] = random.choice((rows, rows, rows[1:], sorted({*rows, random.randrange(9)})))


def change_counts(random: Random, proof: dict[str, Any], other: Any) -> None:
    """Another number of errors, or of those that are proved, and the verdict that goes with them."""
    proof[random.choice(("errors", "lower_bound"))] += random.choice((-1, 1))
    proof["verdict"] = ("bounded", "optimal")[proof["errors"] == proof["lower_bound"]]


def change_case(random: Random, proof: dict[str, Any], other: Any) -> None:
    """Another row that is asked for; two cases of one; or one of two."""
    place, key = random.choice([(proof, "tree"), *mutations.places_in(proof["tree"])])
    case, row = place[key], random.randrange(12)
    if "row" in case:
        place[key] = random.choice((case | {"row": row}, case["wrong"], case["right"]))
    else:
        place[key] = {"row": row, "wrong": case, "right": copy.deepcopy(case)}


ANY_CHANGES = (change_text, change_vector, change_vector, change_type, take_field)


def main(words: list[str]) -> None:
    """Compare the checkers, and say where they differ."""
    if program() is None:
        sys.exit(NOT_BUILT)
    count = next((int(word) for word in words if word.isdigit()), COUNT)
    differ = []
    if not words or "corpus" in words:
        differ += corpus()
    if not words or "mutants" in words:
        differ += mutants(count)
    if not words or "regressions" in words:
        differ += regressions(count)
    if not words or "errors" in words:
        differ += errors(count)
    if not words or "proofs" in words:
        differ += known_proofs(words)
    print(origin())
    sys.exit("\n".join(["THEY DIFFER:", *differ]) if differ else None)


if __name__ == "__main__":
    main(sys.argv[1:])
