"""What was proved of a regression, as an object."""

from dataclasses import dataclass

from .stored_proof import StoredProof

INTERCEPT = "(Intercept)"


@dataclass(frozen=True)
class SeparationCertificate(StoredProof):
    """The proof of what each estimate of a regression is."""

    @property
    def coefficients(self) -> dict[str, str]:
        """{name: "finite", "+inf", "-inf", "undetermined" or "aliased"}."""
        claim = self.claim
        columns = [str(j) for j in range(claim.given)] if claim.names is None else claim.names
        names = coefficient_names(columns, claim.classes, claim.with_intercept)
        return dict(zip(names, claim.coefficients, strict=True))


def coefficient_names(columns: list[str], classes: list[str] | None, fit_intercept: bool) -> list[str]:
    """The names of all coefficients, the intercept's last; of several classes each after the class and a colon.

    >>> coefficient_names(["x"], ["a", "b", "c"], True)
    ['b: x', 'b: (Intercept)', 'c: x', 'c: (Intercept)']
    """
    names = [*columns, *[INTERCEPT] * fit_intercept]
    if classes is None or len(classes) == 2:
        return names
    return [f"{label}: {name}" for label in classes[1:] for name in names]
