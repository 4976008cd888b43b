"""``novikoff bench``: all learners, and scikit-learn's, on one file."""

from typing import Annotated

import typer

from ..errors import CALLED
from ..workflow.fit_request import FitRequest, check_request
from . import options
from .app import command, print_json


@command("novikoff bench penguins.csv --target species --missing drop")
def bench(
    data: options.Data,
    target: options.Target = None,
    cv: Annotated[int, typer.Option(metavar="FOLDS", help="Folds of cross-validation.", min=2)] = 5,
    json: options.Json = False,
    lang: options.Lang = options.Language.EN,
    numeric: options.Numeric = None,
    categorical: options.Categorical = None,
    text: options.Text = None,
    drop: options.Drop = None,
    missing: options.MissingOption = options.Missing.REFUSE,
    na: options.Na = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    decimal: options.Decimal = None,
    no_header: options.NoHeader = False,
) -> None:
    """Compare all learners with scikit-learn's on your file: same folds, same preparation, one table."""
    how = options.reading(delimiter, encoding, no_header, na, decimal)
    request = FitRequest(
        data=data,
        target=target,
        reading=how,
        column_options=options.column_options(numeric, categorical, text, drop),
        missing=missing.value,
    )
    with options.progress(f"Comparing on {CALLED.get(data, data)}", json):
        check_request(request)
        from ..workflow.compare import compare
        from .show import show_comparison

        comparison = compare(request, cv)
    if json:
        print_json(comparison.to_dict())
    else:
        show_comparison(comparison)
