"""A proof as an object that is saved and loaded; all that it says is read from the proof."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from ..atomic import write_text
from .check import read_claim, read_json


def proof_text(proof: Any) -> str:
    """A proof, or a list of them, as JSON text."""
    return json.dumps(proof, indent=1)


def write_proof(path: Any, proof: Any) -> None:
    """Write a proof, or a list of them, into a file, whole or not at all."""
    write_text(path, proof_text(proof) + "\n")


@contextmanager
def proof_read(path: Any) -> Iterator[Any]:
    """The JSON of a file, of which the block makes a proof; an error names the file."""
    try:
        yield read_json(Path(path).read_text(encoding="utf-8"))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, MemoryError) as why:
        raise ValueError(f"{path} holds no certificate that can be read: {why}.") from why


def claims_in(path: Path) -> list[dict[str, Any]]:
    """The proofs of a file, which may say anything; none if they cannot be read."""
    try:
        claims = read_json(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError, MemoryError, OSError):
        return []
    claims = claims if isinstance(claims, list) else [claims]
    known = all(isinstance(claim, dict) and str(claim.get("format")).startswith("novikoff ") for claim in claims)
    return claims if known else []


@dataclass(frozen=True)
class StoredProof:
    """A proof; ``novikoff.check`` tells whether it is true of some data."""

    proof: dict[str, Any]

    @cached_property
    def claim(self) -> Any:
        """The proof, read as the checker reads it."""
        return read_claim(self.proof)

    @property
    def verdict(self) -> str:
        """What is proved, in a word."""
        return str(self.claim.verdict)

    def json(self) -> str:
        """The proof as JSON text."""
        return proof_text(self.proof)

    def save(self, path: Any) -> None:
        """Write the proof as JSON."""
        write_proof(path, self.proof)

    @classmethod
    def load(cls, path: Any) -> Self:
        """Read a proof."""
        with proof_read(path) as proof:
            stored = cls(proof)
            stored.claim  # noqa: B018 (reads it)
        return stored


def prove_fewest_errors(X: Any, y: Any, fit_intercept: bool, seconds: float) -> Any:
    """How few errors a plane can make, for a learner that asks for it."""
    from ..proofs.fewest_errors import fewest_errors  # the search, which a fit does not load

    return fewest_errors(X, y, fit_intercept=fit_intercept, time_limit=seconds)
