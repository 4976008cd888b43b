"""``novikoff fit``: from a data file to a model."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ..atomic import check_clock
from ..errors import CALLED
from ..registry import SHORT_NAMES
from ..workflow.fit_request import FitRequest, settle_request
from . import options
from .app import command, print_json

MEASURE = "How good it is (five folds, or a fifth of more than 20000 rows)"
LONG = "Long fits"
LARGE = "Data larger than memory"


class ClassWeight(StrEnum):
    """Weights of the classes."""

    BALANCED = "balanced"


@command("novikoff fit penguins.csv --target species --missing impute -o penguins.nvk --report report.html")
def fit(
    data: options.Data,
    target: options.Target = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"{', '.join(SHORT_NAMES[:-1])} or {SHORT_NAMES[-1]}; by default the best on rows held out.",
        ),
    ] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of the model; may be repeated.")
    ] = None,
    class_weight: Annotated[
        ClassWeight | None, typer.Option(help="Let all classes count the same, however many rows they have.")
    ] = None,
    tune: Annotated[bool, typer.Option("--tune", help="Search for settings, on rows held out; takes longer.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the model to this file.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a report, one HTML page, to this file.")
    ] = None,
    json: options.Json = False,
    test: Annotated[str | None, typer.Option(metavar="FILE", help="Rows to test on.", rich_help_panel=MEASURE)] = None,
    test_size: Annotated[
        float | None, typer.Option(metavar="PART", help="The part of the rows to hold out.", rich_help_panel=MEASURE)
    ] = None,
    cv: Annotated[
        int | None, typer.Option(metavar="FOLDS", help="Folds of cross-validation.", rich_help_panel=MEASURE)
    ] = None,
    refit: Annotated[
        bool, typer.Option("--refit", help="Learn from the rows held out, too, at last.", rich_help_panel=MEASURE)
    ] = False,
    yardsticks: Annotated[
        bool, typer.Option(help="Whether to see what other models reach.", rich_help_panel=MEASURE)
    ] = True,
    separation_time: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="How long to look whether the classes separate: by default as long as learning takes, and at least "
            "2 seconds; 0 for not at all.",
            rich_help_panel=MEASURE,
            min=0,
        ),
    ] = None,
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
    checkpoint: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save the state of the fit here, and go on from it.", rich_help_panel=LONG),
    ] = None,
    checkpoint_every: Annotated[
        float, typer.Option(metavar="SECONDS", help="Seconds between two savings.", rich_help_panel=LONG, min=0)
    ] = 60.0,
    stream: Annotated[
        bool,
        typer.Option(
            "--stream",
            help="Read the data again in every pass; done by itself for folders and large files.",
            rich_help_panel=LARGE,
        ),
    ] = False,
    cache: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Keep the prepared rows of a stream here meanwhile.", rich_help_panel=LARGE
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="local|ADDRESS",
            help="Learn on all cores of this machine, or on the Dask cluster at tcp://…",
            rich_help_panel=LARGE,
        ),
    ] = None,
) -> None:
    """Learn from a data file; say what was learned, how good it is and what is proved."""
    options.check_outputs([data, test or "-"], output=output, report=report, checkpoint=checkpoint)
    if output or checkpoint:
        check_clock()
    reading = options.reading(delimiter, encoding, no_header, na, decimal)
    evaluation = options.evaluation(test, test_size, cv)
    request = FitRequest(
        data=data,
        target=target,
        reading=reading,
        column_options=options.column_options(numeric, categorical, text, drop),
        missing=missing.value,
        model=model,
        settings=tuple(set_ or ()),
        class_weight=class_weight.value if class_weight else None,
        tune=tune,
        refit=refit,
        yardsticks=yardsticks,
        separation_time=separation_time,
        evaluation=evaluation,
        output=output,
        report=report,
        checkpoint=checkpoint,
        checkpoint_every=checkpoint_every,
        stream=stream,
        cache=cache,
        cluster=cluster,
    )
    with options.progress(f"Learning from {CALLED.get(data, data)}", json) as say:
        request = settle_request(request)
        from ..workflow.begun_reading import begin_reading

        begun = begin_reading(request)
        from ..workflow.fit import fit as fit_file
        from .show import show_fit

        result = fit_file(request, say, begun)
    if json:
        print_json(result.to_dict())
    else:
        show_fit(result)
