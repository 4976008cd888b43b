"""Finding a proof: is the data separable, quasi-separable or neither, and by how much."""

import time
from collections.abc import Callable
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..certificates.certificate import Certificate, Certificates, Texts
from ..certificates.check import Verdict, check_proof
from ..exact.limits import Clock, UndecidedError
from .best_margin import interval
from .feature_space import kernel_of
from .kernel_search import answer_in_space
from .progress import Progress
from .proof_json import certificate_of, column_texts
from .quasi import decided
from .question import classes_of, numbers, questions
from .signed_rows import Table
from .source import Source


def certify(
    X: Any,
    y: Any,
    *,
    fit_intercept: bool = True,
    rel_gap: float = 1e-3,
    exact: bool = True,
    quasi: bool | None = None,
    kernel: str = "linear",
    gamma: Any = "scale",
    degree: int = 2,
    coef0: Any = 1.0,
    time_limit: float | None = None,
    multi_class: str = "ovr",
    verbose: int = 0,
    progress: Callable[[str], None] | None = None,
) -> Any:
    """Decide whether a plane separates the classes, with a proof.

    A plane w has margin min z·w/‖w‖ on the signed rows z = ±[x; 1] (±x without an intercept).

    - "separable": some plane has a positive margin.
    - "quasi-separable": none has, but some w has all z·w ≥ 0 and one z·w > 0.
    - "inseparable": it is proved that no plane has a positive margin.  ``overlap`` tells whether it is proved that
      there is no quasi-separating plane either (True) or that this stayed open (None, with the reason).
    - "unknown": none of these was proved; ``reason`` says why.

    Parameters
    ----------
    X : array, sparse matrix or frame, whose float64 values are meant exactly; or rows of texts, which mean the decimals
        written
    y : labels of any kind, one a row
    fit_intercept : whether a plane need not go through the origin
    rel_gap : how wide the certified interval of the best margin may be, in parts of its upper end
    exact : False leaves "unknown" what takes a search in exact arithmetic; what is found is always verified exactly
    quasi : whether to tell quasi-separation from overlap when no plane separates, which can take much longer; None does
        it in data of at most 2**20 numbers (rows times columns)
    kernel : "linear" asks for planes in X itself; "poly", (γ·x·z + coef0)^degree, and "rbf", exp(−γ‖x − z‖²), for
        planes in their feature spaces
    gamma : γ: a number, "scale" (1 / (columns × variance of X)) or "auto" (1 / columns); numbers and texts mean their
        exact value
    degree, coef0 : of the polynomial kernel
    time_limit : seconds after which an open question is left open
    multi_class : "ovr" asks each class against the rest, "ovo" each pair of classes, when there are more than two
    verbose : 1 shows a progress bar
    progress : a function that is told in a few words what is being done

    Returns
    -------
    Certificate, or for more than two classes Certificates, one a question

    Examples
    --------
    >>> certify([[-1], [0], [0], [1]], [0, 0, 1, 1]).verdict
    'quasi-separable'
    >>> certify([["0.1"], ["0.2"]], [0, 1]).margin[0] > 0.04
    True

    References
    ----------
    A. Albert and J. A. Anderson, On the existence of maximum likelihood estimates in logistic regression models,
    Biometrika 71 (1984).
    """
    check_parameters(multi_class, rel_gap, time_limit)
    names, given = column_texts(X), numbers(X)
    source, space = Source(given, fit_intercept), kernel_of(kernel, gamma, degree, coef0, given)
    classes, labels = classes_of(y, source.n)
    asked, found = questions(len(classes), multi_class), {}
    with Progress(verbose, len(asked), progress) as shown:
        for key, positive, negative in asked:
            signs = np.where(labels == positive, 1, -1 if negative is None else np.where(labels == negative, -1, 0))
            texts = str(classes[positive]), None if negative is None else str(classes[negative])
            end = None if time_limit is None else time.monotonic() + time_limit
            with shown.question(" against ".join((texts[0], texts[1] or "the rest"))) as say:
                table, clock, question = Table(source, signs), Clock(end, exact, say), (texts, names)
                if space is None:
                    found[key] = answer(table, rel_gap, quasi, clock, question)
                else:
                    found[key] = answer_in_space(table, space, rel_gap, quasi, clock, question)
    if len(classes) == 2:
        return found[1]
    keys = {k: (classes[k[0]], classes[k[1]]) if isinstance(k, tuple) else classes[k] for k in found}
    return Certificates({keys[k]: certificate for k, certificate in found.items()})


def check_parameters(multi_class: str, rel_gap: float, time_limit: float | None) -> None:
    """Raise if a parameter makes no sense."""
    if multi_class not in ("ovr", "ovo"):
        raise ValueError(f"The 'multi_class' parameter of certify must be 'ovr' or 'ovo'. Got {multi_class!r} instead.")
    if not (isinstance(rel_gap, Real) and 0 < rel_gap < 1):
        raise ValueError(f"The 'rel_gap' parameter of certify must be in the range (0, 1). Got {rel_gap!r} instead.")
    if time_limit is not None and not (isinstance(time_limit, Real) and time_limit >= 0):
        raise ValueError(
            f"The 'time_limit' parameter of certify must be a number of seconds or None. Got {time_limit!r} instead."
        )


def answer(
    table: Table, rel_gap: float, quasi: bool | None, clock: Clock, question: tuple[Texts, list[str] | None]
) -> Certificate:
    """The certificate of one question."""
    try:
        finding = decided(table, quasi, clock)
    except UndecidedError as why:
        return Certificate("unknown", reason=str(why), names=question[1])
    if finding.witness or finding.plane is None:
        return certificate_of(table, finding, None, finding.open, *question)
    best = interval(table, finding.plane, rel_gap, clock)
    reason = "" if best.narrow(rel_gap) else f"the margin's interval is wider than rel_gap={rel_gap:g}"
    return certificate_of(table, finding, best, reason, *question)


def check(certificate: Any, X: Any, y: Any) -> Verdict:
    """Verify, independently of how it was found, everything that a certificate claims of the data.

    The checker is ``novikoff.certificates.check``: the standard library, exact arithmetic and no search.

    Parameters
    ----------
    certificate : Certificate, also of a learner; a path to a saved one, or a proof as JSON text or as what it holds
    X, y : the data it speaks of, as for ``certify``

    Examples
    --------
    >>> from novikoff import certify
    >>> X, y = [[-1], [0], [0], [1]], [0, 0, 1, 1]
    >>> print(check(certify(X, y), X, y).sentence)
    accepted: quasi-separable, no plane has every margin > 0, one has 2 > 0 and none < 0; none moves the other 2 rows
    >>> check(certify(X, y), X, [0, 1, 0, 1]).accepted
    False
    """
    if isinstance(certificate, Path):
        certificate = certificate.read_text(encoding="utf-8")
    if isinstance(certificate, Certificate):
        try:
            certificate = certificate.proved(X, y).proof
        except ValueError as why:
            return Verdict(False, f"refused: {why}")
    return check_proof(certificate, python_rows(numbers(X)), np.asarray(y).ravel().tolist())


def python_rows(X: Any) -> Any:
    """Rows as Python's own numbers, one at a time."""
    if isinstance(X, list):
        yield from X
    elif sp.issparse(X):
        for a, b in zip(X.indptr[:-1], X.indptr[1:], strict=True):
            yield dict(zip(X.indices[a:b].tolist(), X.data[a:b].tolist(), strict=True))
    else:
        for row in X:
            yield row.tolist()
