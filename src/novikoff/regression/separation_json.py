"""What was proved of a regression as a proof in the form of docs/certificate-format.md."""

import hashlib
import json
from typing import Any

from ..certificates.separation_certificate import SeparationCertificate
from ..proofs.proof_json import int_text, values_digest, vector_text, with_seal
from ..proofs.question import DataMatrix
from .design import Design
from .directions import Directions, ZeroSpace
from .families import PosedRows


def separation_certificate(design: Design, posed: PosedRows, found: Directions) -> SeparationCertificate:
    """The certificate with its proof, sealed."""
    data, decision = DataMatrix(design.numbers, design.fit_intercept), found.decision
    cover = {k: decision.cover.get(k, decision.rest) for k in named_in_cover(posed, found)}
    proof = {
        "format": "novikoff separation",
        "version": 1,
        "verdict": found.verdict,
        "numbers": "decimal" if data.decimal else "float64",
        "family": design.family,
        "classes": None if design.classes is None else [str(label) for label in design.classes],
        "fit_intercept": design.fit_intercept,
        "data": {
            "rows": data.n,
            "columns": data.d,
            "values": values_digest(data),
            "labels": hashlib.sha256(json.dumps(design.label_texts).encode()).hexdigest(),
        },
        "names": design.names,
        "plane": vector_text(found.planes[0]) if found.planes else {},
        "rows": sorted(int(posed.numbers[k]) for k in found.right),
        "cover": {"weights": by_number(posed, cover), "rest": int_text(rest_of(posed, found))},
        "constant": space_json(posed, found.constant),
        "hull": space_json(posed, found.hull),
        "planes": [vector_text(plane) for plane in found.planes[1:]],
        "forced": {
            str(j): {"times": int_text(sign.times), "combination": by_number(posed, sign.combination)}
            for j, sign in found.forced.items()
        },
        "coefficients": found.classes,
    }
    return SeparationCertificate(with_seal(proof))


def named_in_cover(posed: PosedRows, found: Directions) -> set[int]:
    """The places of the rows whose weight a cover names, the copies of a row together."""
    named, twice = set(found.decision.cover), posed.twice()
    numbers = {int(posed.numbers[k]) for k in named}
    copies = {k for k, number in enumerate(posed.numbers.tolist()) if number in twice and number in numbers}
    return named | copies if twice else named


def rest_of(posed: PosedRows, found: Directions) -> int:
    """The weight of tied rows that are not named; 0 if there are none but free ones."""
    tied = len(posed.numbers) - len(found.right) - 2 * len(posed.twice())
    return found.decision.rest if tied else 0


def space_json(posed: PosedRows, space: ZeroSpace) -> dict[str, Any]:
    """The vectors and the combinations of rows that show that there are no others."""
    return {
        "basis": {str(j): vector_text(vector) for j, vector in space.basis.items()},
        "combinations": {str(j): by_number(posed, combination) for j, combination in space.combinations.items()},
    }


def by_number(posed: PosedRows, weights: dict[int, int]) -> dict[str, str]:
    """{number of a row: weight} of weights by place."""
    return {str(number): int_text(weight) for number, weight in posed.weights(weights).items()}
