"""``novikoff export``: a model for other programs."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import InputError
from ..workflow.wording import word
from . import options
from .app import command
from .predict_command import ModelFile, check_rows, remembered


@command("novikoff export penguins.nvk penguins.onnx --check penguins.csv")
def export(
    model: ModelFile,
    output: Annotated[Path, typer.Argument(metavar="OUTPUT", help="The ONNX file to write.")],
    check: Annotated[
        str | None, typer.Option(metavar="DATA", help="Rows on which onnxruntime must predict the same.")
    ] = None,
    na: options.Na = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    no_header: options.NoHeader = False,
    lang: options.Lang = options.Language.EN,
) -> None:
    """Write a model, preparation of columns included, as ONNX (needs the extra "onnx")."""
    options.check_outputs([model, check or "-"], output=output)
    if output.suffix != ".onnx":
        raise InputError(f"{output} must end in .onnx, the one format there is.")
    from ..workflow.model_files import load, read_head
    from ..workflow.recipe import Recipe

    notes = read_head(model)["about"]
    recipe = Recipe.from_notes(notes, model)
    how = remembered(notes, options.reading(delimiter, encoding, no_header, [*recipe.marks, *(na or ())]))
    if check:
        check_rows(recipe, check, how, [])
    from ..atomic import replacing
    from ..data.readers import open_data
    from ..workflow import onnx

    pipeline, told = load(model), word("wrote", path=output)
    X: Any = None
    if check:  # what cannot be read is said before anything is written
        file = open_data(check, how)
        X = recipe.rows(file.read_all(), file.name)
    with replacing(output) as part:
        onnx.export(pipeline, recipe.kinds, recipe.width, part)
        if check:
            same, rows = onnx.same_predictions(part, pipeline, recipe.kinds, X)
            counts = word("onnx same", same=same, rows=rows, file=check)
            if same < rows:
                raise InputError(f"{output} was not written, as it must predict the same for all rows: {counts}")
            told += f"\n{counts}"
    print(told)
