"""Finding a proof: is the data separable, quasi-separable or neither, and by how much."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from functools import partial
from itertools import chain, pairwise
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..certificates.certificate import Certificate, Certificates
from ..certificates.check import Asked, SparseRow, Verdict, check_list, check_proof, read_json
from ..certificates.stored_proof import StoredProof
from ..exact.limits import SearchLimits
from ..exact.ratios import Ratios
from ..progress import Progress
from ..scale.exact_sources import RowSource, file_source
from .best_margin import best_interval
from .feature_space import kernel_space
from .in_passes import certify_rows
from .kernel_search import answer_in_space
from .many import answer_all
from .proof_json import certificate_of
from .quasi import NUMBERS, decide_separability
from .question import check_seconds, exact_numbers, read_questions
from .signed_rows import SignedRows, signs_of

ROWS_AT_ONCE = 2**18
"""Numbers of a matrix that become Python's at once."""


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
        written; or what need not fit into memory, and is read in passes: files as ``fit_stream`` takes them (a path, a
        folder, a pattern or a list of these), or a Dask array or frame
    y : labels of any kind, one per row; of files or a Dask frame, the name of the column that holds them
    fit_intercept : whether a plane need not go through the origin
    rel_gap : how wide the certified interval of the best margin may be, in parts of its upper end
    exact : False leaves "unknown" what takes a search in exact arithmetic; whatever is proved is verified exactly
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
    Certificate, or for more than two classes Certificates, one per question

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
    outside = lies_outside(X)
    check_parameters(multi_class, rel_gap, time_limit)
    if outside:
        source = row_source(X, y)
        if source.rows * (source.columns + fit_intercept) > NUMBERS:
            check_in_passes(kernel, quasi)
            return certify_rows(
                source,
                fit_intercept,
                multi_class,
                rel_gap,
                exact=exact,
                time_limit=time_limit,
                verbose=verbose,
                progress=progress,
            )
        X, y = source.in_memory()
    data, labels, asked = read_questions(X, y, fit_intercept, multi_class)
    space = None if kernel == "linear" else kernel_space(kernel, gamma, degree, coef0, data.X)
    answers = {}
    with Progress(verbose, len(asked)) if verbose or progress else nullcontext() as shown:
        for key, positive, negative, texts in asked:
            question = f"{texts[0]} against {texts[1] or 'the rest'}"
            with shown.question(question, progress) if shown else nullcontext(SearchLimits.say) as say:
                limits = SearchLimits(None if time_limit is None else time.monotonic() + time_limit, exact, say)
                signed = SignedRows(data, signs_of(labels, positive, negative), texts)
                if space is not None:
                    answers[key] = answer_in_space(signed, space, rel_gap, quasi, limits)
                    continue
                decision = decide_separability(signed, quasi, limits)
                best = None
                if decision.plane is not None and not decision.witness:
                    best = best_interval(signed, decision.plane, rel_gap, limits)
                answers[key] = certificate_of(signed, decision, best)
    return answers[None] if None in answers else Certificates(answers)


def certify_many(questions: Iterable[tuple[Any, Any]], *, n_jobs: int | None = None, **options: Any) -> list[Any]:
    """Decide many questions, most of them small, each as ``certify`` does, on several processors.

    Parameters
    ----------
    questions : pairs (X, y), each as for ``certify``
    n_jobs : processes to use, as in scikit-learn: None for one, -1 for all processors; they are started only when
        questions are left after a second, as starting them takes about as long
    **options : of ``certify``, the same for all questions

    Returns
    -------
    The answers in the order of the questions: what ``certify`` returns, each with its proof

    Examples
    --------
    >>> X = [[-1], [0], [0], [1]]
    >>> [answer.verdict for answer in certify_many([(X, [0, 0, 1, 1]), (X, [0, 1, 0, 1])])]
    ['quasi-separable', 'quasi-separable']
    """
    return list(answer_all(partial(answer_one, options), enumerate(questions), n_jobs))


def answer_one(options: dict[str, Any], numbered: tuple[int, Any]) -> Any:
    """The answer to one of many questions; an error says which one it is."""
    k, question = numbered
    if not isinstance(question, tuple | list) or len(question) != 2:
        raise ValueError(f"certify_many takes pairs (X, y), but question {k} is a {type(question).__name__}.")
    try:
        return certify(*question, **options)
    except ValueError as error:
        raise ValueError(f"Question {k}: {error}") from error


def check_parameters(multi_class: str, rel_gap: float, time_limit: float | None) -> None:
    """Raise if a parameter makes no sense."""
    if multi_class not in ("ovr", "ovo"):
        raise ValueError(f"The 'multi_class' parameter of certify must be 'ovr' or 'ovo'. Got {multi_class!r} instead.")
    if not (isinstance(rel_gap, Real) and 0 < rel_gap < 1):
        raise ValueError(f"The 'rel_gap' parameter of certify must be in the range (0, 1). Got {rel_gap!r} instead.")
    check_seconds(time_limit, "certify")


def lies_outside(X: Any) -> bool:
    """Whether rows are named by where they are: in files, or on a cluster."""
    first = X[0] if isinstance(X, list | tuple) and X else X
    return isinstance(first, str | os.PathLike | RowSource) or hasattr(X, "__dask_graph__")


def row_source(X: Any, y: Any) -> RowSource:
    """The rows of files or of a Dask collection, with the labels in a column of theirs or beside them."""
    if isinstance(X, RowSource):
        return X
    if not hasattr(X, "__dask_graph__"):
        return file_source(X, y)
    from ..scale.exact_partitions import partition_source

    return partition_source(X, y)


def check_in_passes(kernel: str, quasi: bool | None) -> None:
    """Raise if what is asked needs all rows in memory."""
    if kernel != "linear" or quasi:
        asked = "quasi=True" if quasi else f"kernel={kernel!r}"
        raise ValueError(
            f"{asked} needs all rows in memory, and so many are read in passes: give certify some of them."
        )


def check(
    certificate: Any,
    X: Any,
    y: Any,
    *,
    positive: Any = None,
    negative: Any = None,
    fit_intercept: bool | None = None,
    kernel: Any = "linear",
    complete: bool = True,
    family: str | None = None,
) -> Verdict:
    """Verify, independently of how it was found, everything that a certificate claims of the data.

    The checker is ``novikoff.certificates.check``: the standard library, exact arithmetic and no search.  It refuses a
    certificate that answers another question than the one asked, and an object that says more than its proof.

    Parameters
    ----------
    certificate : Certificate, also of a learner; Certificates, or a list of them; what ``separation`` or
        ``fewest_errors`` returned, or its certificate; a path to a saved one, or a proof as JSON text or as what it
        holds
    X, y : the data it speaks of, as for ``certify``
    positive, negative : the class that is asked about and the one it is asked against, None for all the rest; needed
        only where y has more than two classes and the certificate is of one question
    fit_intercept : whether the question is of planes, or of a model, with an intercept; None is what the answer of
        ``separation`` says of its model, and otherwise yes
    kernel : the space of the planes: "linear" for X itself, the name of a kernel, or all that a certificate has in
        its ``kernel``
    complete : whether certificates of several questions must answer each class against the rest, or each pair
    family : of a regression, the family that is meant; None for any

    Examples
    --------
    >>> from novikoff import certify
    >>> X, y = [[-1], [0], [0], [1]], [0, 0, 1, 1]
    >>> verdict = check(certify(X, y), X, y)
    >>> print(verdict.finding)
    accepted: quasi-separable, no plane has every margin > 0, one has 2 > 0 and none < 0; none moves the other 2 rows
    >>> print(verdict.question)
    label 1 (2 rows) against label 0 (2 rows); planes with an intercept
    >>> check(certify(X, y), X, [0, 1, 0, 1]).accepted
    False
    """
    if fit_intercept is None:
        fit_intercept = bool(getattr(certificate, "fit_intercept", True))
    check_question(negative is None or positive is not None, fit_intercept, kernel)
    asked, numbers = Asked(positive, negative, fit_intercept, kernel, family=family), exact_numbers(X)
    labels, rows = np.asarray(y).ravel().tolist(), python_rows(numbers)
    columns = numbers.shape[1]
    try:
        claims = claims_of(certificate, X, y)
    except Exception as why:  # whatever it was given, the answer is a sentence
        text = isinstance(certificate, str | bytes | Path)
        return Verdict(False, f"{'malformed' if text else 'refused'}: {why}", malformed=text)
    if not isinstance(claims, list):
        return check_proof(claims, rows, labels, asked, columns)

    def judge(claim: Any, asked: Asked) -> Verdict:
        return check_proof(claim, python_rows(numbers), labels, asked, columns)

    verdicts = check_list(claims, labels, asked, judge, complete)
    finding = "\n".join(verdict.sentence for verdict in verdicts)
    return Verdict(all(verdicts), finding, any(verdict.malformed for verdict in verdicts))


def check_question(whole: bool, fit_intercept: Any, kernel: Any) -> None:
    """Raise if what is asked of check makes no sense."""
    if not whole:
        raise ValueError(
            "The 'negative' parameter of check names the class that 'positive' is asked against: name both."
        )
    if not isinstance(fit_intercept, bool | np.bool_):
        raise ValueError(
            f"The 'fit_intercept' parameter of check must be True or False. Got {fit_intercept!r} instead."
        )
    if kernel is not None and not isinstance(kernel, Mapping) and kernel not in ("linear", "poly", "rbf"):
        raise ValueError(
            "The 'kernel' parameter of check must be 'linear', 'poly', 'rbf' or the kernel of a certificate. "
            f"Got {kernel!r} instead."
        )


def claims_of(certificate: Any, X: Any, y: Any) -> Any:
    """The proof of a certificate, as JSON text or what it holds; of several, in a list."""
    if isinstance(certificate, Certificates):
        certificate = list(certificate.values())
    if isinstance(certificate, list):
        return [claims_of(part, X, y) for part in certificate if part is not None]
    if isinstance(certificate, Certificate):
        return certificate.proved(X, y).proof
    certificate = getattr(certificate, "certificate", certificate)  # of what separation and others returned
    if isinstance(certificate, StoredProof):
        return certificate.proof
    text = isinstance(certificate, str) and certificate.lstrip("\ufeff \t\r\n").startswith(("{", "["))
    if isinstance(certificate, Path) or (isinstance(certificate, str) and not text):
        certificate = Path(certificate).read_text(encoding="utf-8")
    return read_json(certificate) if isinstance(certificate, str | bytes) else certificate


def python_rows(X: Any) -> Iterable[Any]:
    """Rows as Python's own numbers, one at a time; where most are zero, without those."""
    if isinstance(X, Ratios):
        return map(X.row, range(len(X)))
    if sp.issparse(X):
        return sparse_rows(X)
    if X.size <= ROWS_AT_ONCE:
        return block_rows(X)
    step = max(1, ROWS_AT_ONCE // max(X.shape[1], 1))
    return chain.from_iterable(block_rows(X[start : start + step]) for start in range(0, len(X), step))


def block_rows(block: np.ndarray) -> Iterable[Any]:
    """The rows of a part of a matrix."""
    if 2 * np.count_nonzero(block) < block.size:
        return sparse_rows(sp.csr_array(block))
    if block.dtype != np.float64 or not block.size:
        return block.tolist()
    numbers, width = np.ascontiguousarray(block).ravel().data, block.shape[1]
    return (numbers[start : start + width] for start in range(0, block.size, width))


def sparse_rows(X: Any) -> Iterator[SparseRow]:
    """The rows of a sparse matrix."""
    X = X if X.has_sorted_indices else X.sorted_indices()
    for part in batches(X.indptr):
        first, last = int(part[0]), int(part[-1])
        columns, cells = X.indices[first:last].tolist(), X.data[first:last].tolist()
        for a, b in pairwise((part - first).tolist()):
            yield SparseRow(columns[a:b], cells[a:b])


def batches(indptr: np.ndarray) -> Iterator[np.ndarray]:
    """Where rows begin and end, some at a time, which have about ROWS_AT_ONCE entries together."""
    last = len(indptr) - 1
    step = max(1, int(ROWS_AT_ONCE * last // max(int(indptr[-1]), 1)))
    for start in range(0, last, step):
        yield indptr[start : min(start + step, last) + 1]
