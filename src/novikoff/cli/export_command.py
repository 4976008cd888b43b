"""``novikoff export``: a model for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from ..data.open_files import Reading
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
    lang: options.Lang = options.Language.EN,
) -> None:
    """Write a model, preparation of columns included, as ONNX (needs the extra "onnx")."""
    options.check_not_overwriting(str(model), output)
    if output.suffix != ".onnx":
        raise InputError(f"{output} must end in .onnx, the one format there is.")
    from ..workflow.model_files import load, read_head
    from ..workflow.recipe import Recipe

    notes = read_head(model)["about"]
    recipe = Recipe.from_notes(notes, model)
    how = remembered(notes, Reading(missing=recipe.marks))
    if check:
        check_rows(recipe, check, how, [])
    from ..data.readers import open_data
    from ..workflow import onnx

    pipeline = load(model)
    onnx.export(pipeline, recipe.kinds, recipe.width, output)
    print(word("wrote", path=output))
    if check:
        file = open_data(check, how)
        same, rows = onnx.same_predictions(output, pipeline, recipe.kinds, recipe.rows(file.read_all(), file.name))
        print(word("onnx same", same=same, rows=rows, file=check))
        if same < rows:
            output.unlink()
            raise InputError(f"{output} was removed: it must predict the same for all rows.")
