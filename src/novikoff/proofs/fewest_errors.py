"""The plane with the fewest errors: one that makes few, and a proof of how few any plane can make."""

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..certificates.certificate import floats_of
from ..certificates.stored_proof import StoredProof
from ..errors import comma_list, plural
from ..exact.limits import LONG_ENOUGH, SearchLimits
from ..progress import Progress
from .error_bound import FEW, BoundSearch
from .few_errors import ErrorSearch
from .packing import GRID, Case, WitnessPool
from .proof_json import by_row, heading, int_text, vector_text, with_seal
from .question import check_seconds, read_questions
from .signed_rows import SignedRows, signs_of

SHARE = 0.2
"""The part of the time that may go into the plane before the bound is raised."""


@dataclass(frozen=True)
class FewestErrors:
    """A plane, the errors it makes, and the fewest that any plane can make, as far as it is proved.

    An error is a row on the wrong side of the plane, or on it.

    Attributes
    ----------
    coef, intercept : the plane in floats
    plane : the plane of the proof in whole numbers, {column: weight}, the intercept counted as the last column
    errors : the errors that it makes
    lower_bound : every plane makes at least as many
    optimal : whether the two meet: then no plane makes fewer errors
    rows : the rows that it has wrong
    certificate : the proof of both numbers, for ``check``
    """

    coef: np.ndarray
    intercept: np.ndarray
    plane: dict[int, int]
    errors: int
    lower_bound: int
    rows: np.ndarray
    certificate: StoredProof = field(repr=False)

    @property
    def proof(self) -> dict[str, Any]:
        """The proof itself, in the form of docs/certificate-format.md."""
        return self.certificate.proof

    @property
    def optimal(self) -> bool:
        """Whether no plane makes fewer errors."""
        return self.errors == self.lower_bound

    def summary(self, first: int = 0) -> str:
        """A sentence for people; the first row has this number.

        >>> print(fewest_errors([[0], [1], [2], [3], [4], [5]], [0, 1, 0, 0, 1, 1]).summary())
        optimal: a plane makes 1 error (row 1), and no plane makes fewer
        """
        which = f" ({'row' if self.errors == 1 else 'rows'} {comma_list(self.rows + first)})" if self.errors else ""
        made = f"a plane makes {plural(self.errors, 'error')}{which}"
        if self.optimal:
            return f"optimal: {made}, and no plane makes fewer"
        return f"bounded: {made}, and no plane makes fewer than {self.lower_bound}"

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON can hold it, without the proof."""
        return {
            "errors": self.errors,
            "lower_bound": self.lower_bound,
            "optimal": self.optimal,
            "rows": self.rows.tolist(),
            "coef": self.coef.tolist(),
            "intercept": self.intercept.tolist(),
            "plane": {str(j): str(v) for j, v in self.plane.items()},
        }


def fewest_errors(
    X: Any,
    y: Any,
    *,
    fit_intercept: bool = True,
    time_limit: float = LONG_ENOUGH,
    random_state: int = 0,
    verbose: int = 0,
) -> FewestErrors:
    """Look for the plane with the fewest errors, and prove how few any plane can make.

    To find it is NP-hard: on small data both numbers meet, on large data they leave an interval.

    Parameters
    ----------
    X : array, sparse matrix or frame, whose float64 values are meant exactly; or rows of texts, which mean the decimals
        written
    y : labels of two classes
    fit_intercept : whether a plane need not go through the origin
    time_limit : seconds after which what is known by then is returned
    random_state : of the directions that are tried
    verbose : 1 shows both numbers while they close

    Examples
    --------
    >>> found = fewest_errors([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> found.errors, found.lower_bound, found.optimal
    (1, 1, True)

    References
    ----------
    M. Parker and J. Ryan, Finding the minimum weight IIS cover of an infeasible system of linear inequalities, Annals
    of Mathematics and Artificial Intelligence 17 (1996).
    """
    check_seconds(time_limit, "fewest_errors", ends=True)
    data, labels, asked = read_questions(X, y, fit_intercept, "ovr")
    if len(asked) > 1:
        raise ValueError(f"fewest_errors is of two classes, but the labels are of {len(asked)}: leave two of them.")
    (question,) = asked
    signed = SignedRows(data, signs_of(labels, question.positive, question.negative), question.texts)
    with Progress(verbose, 1) as shown, shown.question("fewest errors") as say:
        return search(signed, time_limit, random_state, say)


def search(signed: SignedRows, time_limit: float, seed: int, say: Any) -> FewestErrors:
    """The answer for signed rows: the plane first, then the bound."""
    now = time.monotonic()
    errors = ErrorSearch(signed, SearchLimits(now + SHARE * time_limit), seed)
    say("planes of learners")
    errors.start()
    say(f"{errors.errors} errors; a better plane along lines")
    errors.go(FEW)
    pool = WitnessPool(signed, SearchLimits(now + time_limit), seed)

    def told(bound: int, errors: int) -> None:
        say(f"at most {errors} errors, at least {bound}; {len(pool.witnesses)} witnesses")

    bounds = BoundSearch(pool, errors, told)
    if len(bounds.wrong):
        bounds.go()
    return answer(signed, bounds.plane, bounds.wrong, pool, bounds.root)


def answer(signed: SignedRows, plane: list[int], wrong: np.ndarray, pool: WitnessPool, root: Case) -> FewestErrors:
    """What was found, with its proof."""
    given = {j: v for j, v in enumerate(signed.outer(plane)) if v}
    least = min(root.bound, len(wrong))
    used = sorted(witnesses_of(root))
    places = {k: at for at, k in enumerate(used)}
    proof = {name: value for name, value in heading(signed, None).items() if name != "kernel"} | {
        "format": "novikoff fewest errors",
        "version": 1,
        "verdict": "optimal" if least == len(wrong) else "bounded",
        "plane": vector_text([given.get(j, 0) for j in range(signed.width)]),
        "errors": len(wrong),
        "lower_bound": least,
        "witnesses": [by_row(signed, pool.witnesses[k]) for k in used],
        "tree": case_json(signed, root, places),
    }
    weights = floats_of(given, signed.data.d + 1)[0] if given else np.zeros(signed.data.d + 1)
    return FewestErrors(
        weights[None, : signed.data.d],
        weights[signed.data.d :],
        given,
        len(wrong),
        least,
        signed.rows[wrong],
        StoredProof(with_seal(proof)),
    )


def witnesses_of(case: Case) -> set[int]:
    """The numbers of the witnesses that the cases rest on."""
    return set().union(*map(witnesses_of, case.parts)) if case.parts else set(case.packing)


def case_json(signed: SignedRows, case: Case, places: dict[int, int]) -> dict[str, Any]:
    """A tree of cases as the format has it."""
    if case.parts:
        wrong, right = (case_json(signed, part, places) for part in case.parts)
        return {"row": int(signed.rows[case.branch]), "wrong": wrong, "right": right}
    packing = {str(places[k]): int_text(u) for k, u in sorted(case.packing.items())}
    return {"packing": packing, "over": str(GRID)}
