"""``novikoff export``: a model for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from ..data.open_files import Reading
from ..errors import InputError
from . import options
from .app import command
from .predict_command import ModelFile, check_rows


@command("novikoff export penguins.nvk penguins.onnx --check penguins.csv")
def export(
    model: ModelFile,
    output: Annotated[Path, typer.Argument(metavar="OUTPUT", help="The ONNX file to write.")],
    check: Annotated[
        str | None, typer.Option(metavar="DATA", help="Rows on which onnxruntime must predict the same.")
    ] = None,
) -> None:
    """Write a model, preparation of columns included, as ONNX (needs the extra "onnx")."""
    options.check_outputs([model, check or "-"], output=output)
    if output.suffix != ".onnx":
        raise InputError(f"{output} must end in .onnx, the one format there is.")
    from ..workflow.model_files import load, read_head
    from ..workflow.recipe import Recipe

    recipe = Recipe.from_notes(read_head(model)["about"], model)
    if check:
        check_rows(recipe, check, Reading(missing=recipe.marks))
    from ..data.readers import open_data
    from ..workflow import onnx

    pipeline = load(model)
    onnx.export(pipeline, recipe.kinds, recipe.width, output)
    print(f"Wrote {output}.")
    if check:
        file = open_data(check, Reading(missing=recipe.marks))
        same, rows = onnx.same_predictions(output, pipeline, recipe.kinds, recipe.rows(file.read_all(), file.name))
        print(f"onnxruntime predicts the same for {same} of {rows} rows of {check}.")
        if same < rows:
            output.unlink()
            raise InputError(f"{output} was removed: it must predict the same for all rows.")
