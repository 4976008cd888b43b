"""A proof as an object that is saved and loaded; all that it says is read from the proof."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from .check import read_claim, read_json


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
        return json.dumps(self.proof, indent=1)

    def save(self, path: Any) -> None:
        """Write the proof as JSON."""
        Path(path).write_text(self.json() + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Any) -> Self:
        """Read a proof."""
        try:
            stored = cls(read_json(Path(path).read_text(encoding="utf-8")))
            stored.claim  # noqa: B018 (reads it)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError, MemoryError) as why:
            raise ValueError(f"{path} holds no certificate that can be read: {why}.") from why
        return stored


def prove_fewest_errors(X: Any, y: Any, fit_intercept: bool, seconds: float) -> Any:
    """How few errors a plane can make, for a learner that asks for it."""
    from ..proofs.fewest_errors import fewest_errors  # the search, which a fit does not load

    return fewest_errors(X, y, fit_intercept=fit_intercept, time_limit=seconds)
