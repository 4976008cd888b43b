"""What was proved of a regression, as an object."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from .check import SeparationClaim, read_json

INTERCEPT = "(Intercept)"


@dataclass(frozen=True)
class SeparationCertificate:
    """The proof of what each estimate of a regression is; all that it says is read from the proof.

    ``novikoff.check`` tells whether it is true of some data.
    """

    proof: dict[str, Any]

    @cached_property
    def claim(self) -> SeparationClaim:
        """The proof, read as the checker reads it."""
        return SeparationClaim(self.proof)

    @property
    def verdict(self) -> str:
        """ "complete", "quasi-complete" or "overlap"."""
        return self.claim.verdict

    @property
    def coefficients(self) -> dict[str, str]:
        """{name: "finite", "+inf", "-inf", "undetermined" or "aliased"}."""
        claim = self.claim
        columns = [str(j) for j in range(claim.given)] if claim.names is None else claim.names
        names = coefficient_names(columns, claim.classes, claim.with_intercept)
        return dict(zip(names, claim.coefficients, strict=True))

    def json(self) -> str:
        """The proof as JSON text."""
        return json.dumps(self.proof, indent=1)

    def save(self, path: Any) -> None:
        """Write the proof as JSON."""
        Path(path).write_text(self.json() + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Any) -> "SeparationCertificate":
        """Read a proof."""
        try:
            certificate = cls(read_json(Path(path).read_text(encoding="utf-8")))
            certificate.claim  # noqa: B018 (reads it)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError, MemoryError) as why:
            raise ValueError(f"{path} holds no certificate of a regression that can be read: {why}.") from why
        return certificate


def coefficient_names(columns: list[str], classes: list[str] | None, fit_intercept: bool) -> list[str]:
    """The names of all coefficients, the intercept's last; of several classes each after the class and a colon.

    >>> coefficient_names(["x"], ["a", "b", "c"], True)
    ['b: x', 'b: (Intercept)', 'c: x', 'c: (Intercept)']
    """
    names = [*columns, *[INTERCEPT] * fit_intercept]
    if classes is None or len(classes) == 2:
        return names
    return [f"{label}: {name}" for label in classes[1:] for name in names]
