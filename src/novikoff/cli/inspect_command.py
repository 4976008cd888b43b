"""``novikoff inspect``: everything that a model or a proof holds."""

import json as json_
import zipfile
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import InputError
from ..language.translate import translated
from ..workflow.wording import word
from . import options
from .app import command, print_json

LONG = 12
"""Things of a list that are shown in a terminal."""


@command("novikoff inspect penguins.nvk")
def inspect(
    file: Annotated[Path, typer.Argument(metavar="MODEL|PROOF", help="A file that fit, certify or separation wrote.")],
    json: options.Json = False,
    lang: options.Lang = options.Language.EN,
) -> None:
    """Show what is in a model or a proof: columns, settings, how good it is, what is proved, versions."""
    with file.open("rb") as opened:
        model = opened.read(4) == b"PK\x03\x04" or zipfile.is_zipfile(file)
    contents = model_contents(file) if model else proof_contents(file)
    if json:
        print_json(contents)
    else:
        show_tree(contents)


def model_contents(path: Path) -> dict[str, Any]:
    """What a model file says of itself, and the settings and what was learnt of its steps."""
    from ..workflow.model_files import load, read_head

    head = read_head(path)
    pipeline = load(path)
    learner = pipeline[-1] if hasattr(pipeline, "steps") else pipeline
    learnt = {name: described(value) for name, value in sorted(vars(learner).items()) if name.endswith("_")}
    return {
        "file": str(path),
        **head,
        "model": {
            "class": type(learner).__name__,
            "settings": {key: plain(value) for key, value in learner.get_params().items()},
            "learnt": learnt,
        },
    }


def proof_contents(path: Path) -> dict[str, Any]:
    """The claims of a proof file, with its long vectors counted."""
    from ..certificates.check import read_json

    try:
        claims = read_json(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is neither a model nor a proof that novikoff wrote.") from error
    claims = claims if isinstance(claims, list) else [claims]
    if not all(isinstance(claim, dict) and str(claim.get("format", "")).startswith("novikoff ") for claim in claims):
        raise InputError(f"{path} is neither a model nor a proof that novikoff wrote.")
    return {"file": str(path), "proofs": claims}


def described(value: Any) -> Any:
    """A learnt attribute: small ones whole, others by type and size."""
    if hasattr(value, "shape"):
        size = int(value.size) if hasattr(value, "size") else 0
        if not hasattr(value, "nnz") and size <= LONG and value.dtype != object:
            return value.tolist()
        return f"{type(value).__name__} {' × '.join(map(str, value.shape)) or '1'}"
    if hasattr(value, "summary"):
        return translated(value.summary())
    if isinstance(value, list) and any(hasattr(each, "summary") for each in value):
        return [described(each) for each in value]
    return plain(value)


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def show_tree(contents: dict[str, Any]) -> None:
    """What is in a file, line by line, what is inside something further to the right."""
    from .show import results_console

    console = results_console(markup=False)
    for line in lines(contents, ""):
        console.print(line, soft_wrap=True)


def lines(value: Any, indent: str) -> Any:
    """The lines of an object or a list; of a long one the first few, and how many there are."""
    pairs = list(value.items()) if isinstance(value, dict) else [(str(k + 1), each) for k, each in enumerate(value)]
    for key, each in pairs[:LONG] if len(pairs) > 3 * LONG else pairs:
        if isinstance(each, dict | list) and each and not short(each):
            yield f"{indent}{key}:"
            yield from lines(each, indent + "  ")
        else:
            text = json_.dumps(each, ensure_ascii=False) if isinstance(each, dict | list) else str(each)
            yield f"{indent}{key}: {text}"
    if len(pairs) > 3 * LONG:
        yield f"{indent}… {word('in all', n=f'{len(pairs):,}')}"


def short(value: Any) -> bool:
    """Whether something fits a line."""
    inner = value.values() if isinstance(value, dict) else value
    return not any(isinstance(each, dict | list) for each in inner) and len(json_.dumps(value)) < 90
