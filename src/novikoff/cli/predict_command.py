"""``novikoff predict``: the classes of new rows, part by part, so that a file may be larger than memory."""

import csv
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..data.open_files import Reading, columns_at_a_look
from ..errors import InputError
from . import options
from .app import command

if TYPE_CHECKING:
    from ..workflow.recipe import Recipe

ModelFile = Annotated[Path, typer.Argument(metavar="MODEL", help="A file that novikoff fit -o wrote.")]


@command("novikoff predict penguins.nvk new.csv --scores -o predictions.csv")
def predict(
    model: ModelFile,
    data: options.Data,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file instead of standard output.")
    ] = None,
    scores: Annotated[bool, typer.Option("--scores", help="Also the score of every class.")] = False,
    na: options.Na = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    no_header: options.NoHeader = False,
) -> None:
    """Predict the class of every row: a CSV file with one line per row, in their order.

    The columns may come in any order, and others beside them; the target need not be there.
    """
    options.check_outputs([data, model], output=output)
    from ..workflow.model_files import load, read_head
    from ..workflow.recipe import Recipe

    recipe = Recipe.from_notes(read_head(model)["about"], model)
    how = options.reading(delimiter, encoding, no_header, [*recipe.marks, *(na or ())])
    check_rows(recipe, data, how)
    from ..data.readers import open_data

    pipeline, file = load(model), open_data(data, how, recipe.numbers)
    rows = 0
    with destination(output) as out:
        lines = csv.writer(out, lineterminator="\n")
        for chunk in file.chunks:
            if len(chunk):
                answers = predicted_lines(pipeline, recipe.rows(chunk, file.name, rows), scores)
                lines.writerows(answers if rows else [header(pipeline, scores), *answers])
                rows += len(chunk)
        if not rows:
            raise InputError(f"{file.name} has a header but no rows.")


def check_rows(recipe: "Recipe", data: str, how: Reading) -> None:
    """Raise if the rows for a model are not there, or a column that it needs is not among theirs."""
    if data != "-":
        columns = columns_at_a_look(data, how)
        if columns is not None:
            recipe.check_columns(columns, data)


@contextmanager
def destination(path: Path | None) -> Iterator[Any]:
    """A text file that is written whole or not at all, or standard output."""
    if path is None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="strict")  # of data no letter is replaced
        yield sys.stdout
        return
    from ..atomic import replacing

    with replacing(path) as chunk, chunk.open("w", encoding="utf-8", newline="") as file:
        yield file


def header(pipeline: Any, scores: bool) -> list[str]:
    classes = [str(label) for label in pipeline.classes_]
    return ["prediction", *(f"score {label}" for label in (classes[1:] if len(classes) == 2 else classes) if scores)]


def predicted_lines(pipeline: Any, X: Any, scores: bool) -> Iterator[list[Any]]:
    """The lines of the output, one per row."""
    labels = pipeline.predict(X).tolist()
    if not scores:
        return ([label] for label in labels)
    lines = scores_of(pipeline, X).reshape(len(labels), -1).tolist()
    return ([label, *line] for label, line in zip(labels, lines, strict=True))


def scores_of(pipeline: Any, X: Any) -> Any:
    """The score of every class, of two classes of the second: w·x + b, or what else the learner goes by."""
    if hasattr(pipeline, "decision_function"):
        return pipeline.decision_function(X)
    probabilities = pipeline.predict_proba(X)
    return probabilities[:, 1] if probabilities.shape[1] == 2 else probabilities
