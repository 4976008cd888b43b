"""``novikoff predict``: the classes of new rows, part by part, so that a file may be larger than memory."""

import csv
import io
import json as json_
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..data.open_files import Reading, columns_at_a_look, split_names
from ..errors import CALLED, InputError, check_columns
from . import options
from .app import command

if TYPE_CHECKING:
    from ..workflow.recipe import Recipe

READ_AHEAD = 24
"""Parts of a file that are read while the model is, and while others are predicted; each has a few megabytes."""
ModelFile = Annotated[Path, typer.Argument(metavar="MODEL", help="A file that novikoff fit -o wrote.")]


@command("novikoff predict penguins.nvk new.csv --scores -o predictions.csv")
def predict(
    model: ModelFile,
    data: options.Data,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write to this file instead of standard output."),
    ] = None,
    scores: Annotated[bool, typer.Option("--scores", help="Also the score of every class.")] = False,
    probabilities: Annotated[
        bool, typer.Option("--probabilities", help="Also the probability of every class, by calibrated scores.")
    ] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMNS", help="Columns of DATA to carry through, such as an id: a,b or repeated."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per row instead of CSV.")] = False,
    lang: options.Lang = options.Language.EN,
    na: options.Na = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    no_header: options.NoHeader = False,
) -> None:
    """Predict the class of every row: a CSV file with one line per row, in their order.

    The columns may come in any order, and others beside them; the target need not be there.  How the file is read is
    as it was for the model, unless options say otherwise.
    """
    options.check_outputs([data, model], output=output)
    from ..workflow.model_files import load, read_head
    from ..workflow.recipe import Recipe

    notes = read_head(model)["about"]
    recipe = Recipe.from_notes(notes, model)
    how = remembered(notes, options.reading(delimiter, encoding, no_header, [*recipe.marks, *(na or ())]))
    kept = check_rows(recipe, data, how, keep or [])
    calibration = calibration_of(notes, model) if probabilities else None
    from ..data.ahead import read_ahead
    from ..data.readers import open_data

    file = open_data(data, how, recipe.numbers)
    chunks = read_ahead(file.chunks, READ_AHEAD) if os.path.isfile(data) else file.chunks  # others may keep one waiting
    pipeline = load(model)
    columns = OutputColumns(pipeline.classes_, scores, calibration, kept)
    if twice := [name for k, name in enumerate(columns.names) if name in columns.names[:k]]:
        raise InputError(f"--keep {twice[0]}: the predictions have a column of that name; leave it out.")
    rows, what = 0, f"Predicting {CALLED.get(data, data)}"
    with options.progress(what, json) as say, destination(output) as out:
        lines = csv.writer(out, lineterminator="\n")
        if not json:
            lines.writerow(columns.names)
        for chunk in chunks:
            if len(chunk):
                answers = columns.lines(pipeline, recipe.rows(chunk, file.name, rows), chunk)
                if json:
                    out.writelines(json_line(columns.names, answer) for answer in answers)
                else:
                    lines.writerows(answers)
                rows += len(chunk)
                say(f"{what}: {rows:,} rows")
        if not rows:
            raise InputError(f"{file.name} has a header but no rows.")


def calibration_of(notes: Any, model: Path) -> Any:
    """What makes probabilities of scores."""
    from ..workflow.sigmoids import Sigmoids

    calibration = Sigmoids.from_notes(notes)
    if calibration is None:
        raise InputError(f"{model} has no calibrated probabilities: it was not measured, or has too many classes.")
    return calibration


def remembered(notes: Any, given: Reading) -> Reading:
    """How to read a file: as the model remembers it, but for what is given now."""
    from ..workflow.remembered import kept_reading, remembered_reading

    return remembered_reading(notes, **kept_reading(given))


@dataclass(frozen=True)
class OutputColumns:
    """What is written of every row: the columns kept, the prediction, scores and probabilities."""

    classes: Any
    scores: bool
    calibration: Any
    kept: list[str]

    @property
    def names(self) -> list[str]:
        """What the columns are called."""
        classes = [str(label) for label in self.classes]
        scored = (classes[1:] if len(classes) == 2 else classes) if self.scores else []
        sure = classes if self.calibration else []
        return [*self.kept, "prediction", *(f"score {c}" for c in scored), *(f"probability {c}" for c in sure)]

    def lines(self, pipeline: Any, X: Any, chunk: Any) -> Iterator[tuple[Any, ...]]:
        """One line per row."""
        parts = [chunk.table[name].to_pylist() for name in self.kept]
        parts.append(pipeline.predict(X).tolist())
        if self.scores or self.calibration:
            from ..workflow.memory_engine import scores_of

            found = scores_of(pipeline, X)
            if self.scores:
                parts += found.reshape(len(found), -1).T.tolist()
            if self.calibration:
                parts += self.calibration.probabilities(found).T.tolist()
        return zip(*parts, strict=True)


def json_line(names: list[str], values: tuple[Any, ...]) -> str:
    """A row as a JSON object."""
    return json_.dumps(dict(zip(names, values, strict=True)), ensure_ascii=False, default=str) + "\n"


def check_rows(recipe: "Recipe", data: str, how: Reading, keep: list[str]) -> list[str]:
    """The columns to carry through; raises if the rows for a model are not there, or lack a column that is needed."""
    if data == "-":
        return split_names(keep, ())
    columns = columns_at_a_look(data, how)
    if columns is None:
        return split_names(keep, ())
    recipe.check_columns(columns, data)
    kept = split_names(keep, columns)
    check_columns(columns, kept, data)
    return kept


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
