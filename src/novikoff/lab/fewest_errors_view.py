"""How few errors a plane can make on the points, as the page draws and writes it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..proofs.certify import check
from ..proofs.fewest_errors import fewest_errors
from .certificate_view import SECONDS
from .controls import Refusal
from .experiment import QUIET
from .request import check_points


def count_errors(body: Any) -> dict[str, Any]:
    """A plane with few errors, how few any plane can make, and whether the checker accepts the proof of both."""
    if not isinstance(body, Mapping) or not isinstance(body.get("fit_intercept", True), bool):
        raise Refusal("form", "A request is a JSON object with points, and fit_intercept as true or false.")
    X, y = check_points(body.get("points"))
    intercept = body.get("fit_intercept", True)
    with QUIET.run():
        found = fewest_errors(X, y, fit_intercept=intercept, time_limit=SECONDS)
    return {
        "errors": found.errors,
        "lower_bound": found.lower_bound,
        "optimal": found.optimal,
        "rows": found.rows.tolist(),
        "plane": np.append(found.coef, found.intercept).tolist(),
        "checked": bool(check(found, X, y, fit_intercept=intercept)),
    }
