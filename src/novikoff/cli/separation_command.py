"""``novikoff separation``: which estimates of a regression are infinite, with a proof."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import InputError
from ..language.translate import translated
from ..workflow.wording import word
from . import options
from .app import REFUSED, command, print_json


class Family(StrEnum):
    """The regressions whose rows are known."""

    BINOMIAL = "binomial"
    MULTINOMIAL = "multinomial"
    POISSON = "poisson"


@command("novikoff separation data.csv --target died -o proof.json")
def separation(
    data: options.Data,
    target: options.Target = None,
    formula: Annotated[
        str | None,
        typer.Option(
            metavar="FORMULA",
            help='Response and terms, such as "died ~ age + C(ward)"; needs the extra stats of novikoff.',
        ),
    ] = None,
    family: Annotated[
        Family, typer.Option(help="The model: classes (any log-concave link), or counts.")
    ] = Family.BINOMIAL,
    reference: Annotated[
        str | None, typer.Option(metavar="CLASS", help="The class that the others are compared with.")
    ] = None,
    intercept: Annotated[bool, typer.Option(help="Whether the model has an intercept.")] = True,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the proof to this file.")
    ] = None,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with the answer, as HTML.")] = None,
    json: options.Json = False,
    lang: options.Lang = options.Language.EN,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=0, help="Seconds after which the question is left open.")
    ] = None,
    categorical: options.Categorical = None,
    drop: options.Drop = None,
    missing: options.MissingRows = options.Incomplete.REFUSE,
    na: options.Na = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    decimal: options.Decimal = None,
    no_header: options.NoHeader = False,
) -> None:
    """Say for every coefficient of a regression whether its estimate is finite, +∞, −∞ or not determined, with a proof.

    Categories become columns of 0 and 1, one for each level except the first.  The exit code is 0 if all estimates are
    finite and 1 if not, or if only rounding tells columns apart.
    """
    options.check_outputs([data], output=output, report=report)
    leave_out = missing is options.Incomplete.DROP
    how = options.reading(delimiter, encoding, no_header, na, decimal, leave_out)
    if formula is not None and (target or categorical or drop or not intercept):
        raise InputError(
            "--formula says itself what the target, the terms and the intercept are: leave the others out."
        )
    if formula is None and Path(data).is_file():
        from ..data.open_files import check_file

        check_file(str(data), how, target, options.column_options(categorical=categorical, drop=drop))
    from ..regression.file_designs import frame_of_file, table_of_numbers
    from ..regression.separation import separation as search

    X, y, frame = formula, None, None
    if formula is not None:
        frame = frame_of_file(data, how, formula)
    else:
        X, y = table_of_numbers(data, how, target, categorical or [], drop or [], family.value)
    found = search(
        X,
        y,
        data=frame,
        family=family.value,
        fit_intercept=intercept,
        reference=reference,
        time_limit=time_limit,
        verbose=int(not json and sys.stderr.isatty()),
    )
    read: dict[str, Any] = {}
    if output:
        from ..workflow.remembered import reading_for_proof

        columns = {"target": target, "formula": formula, "categorical": categorical, "drop": drop}
        read = reading_for_proof(data, how, **columns)
    write_outputs(found, read, output, report, str(data))
    if json:
        print_json({"file": str(data), "proof": str(output) if output else None, **found.to_dict()})
    else:
        flags = {"--no-intercept": not intercept and formula is None}
        show(found, output, report, options.check_again(output, data, flags, formula))
    if not found.finite or found.rounded:
        raise typer.Exit(REFUSED)


def write_outputs(found: Any, read: dict[str, Any], output: Path | None, report: Path | None, name: str) -> None:
    """Write the proof, which says how the file was read, and the page, each whole or not at all."""
    if output and found.certificate is not None:
        from ..certificates.stored_proof import write_proof
        from ..proofs.proof_json import with_reading

        write_proof(output, with_reading(found.certificate.proof, read))
    if report:
        from ..atomic import write_text
        from ..workflow.separation_report import separation_page

        write_text(report, separation_page(found, name))


def show(found: Any, output: Path | None, report: Path | None, again: str) -> None:
    """The answer for a terminal."""
    from .show import results_console

    console = results_console(markup=False)
    console.print(translated(found.summary()), soft_wrap=True)
    if output and found.certificate is not None:
        console.print("\n" + word("wrote proof", path=output, again=again), soft_wrap=True)
    if report:
        console.print(word("wrote report", path=report), soft_wrap=True)
