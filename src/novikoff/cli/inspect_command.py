"""``novikoff inspect``: everything that a model or a proof holds."""

import json as json_
import zipfile
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import InputError, spelt_out
from ..language.field_names import FIELDS
from ..language.translate import spoken, translated, translated_part
from ..workflow.wording import retold, word
from . import options
from .app import command, print_json

LONG = 12
"""Things of a list that are shown in a terminal."""
NAMED = ("kinds", "notations", "settings", "learnt", "made with")
"""Fields whose keys are names of columns, parameters, attributes and packages."""
RETOLD = ("reason", "how")
"""Fields that hold a text."""


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
        print(f"\n{word('inspected')}")


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
    from ..certificates.stored_proof import claims_in

    claims = claims_in(path)
    if not claims:
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
        console.print(spelt_out(line), soft_wrap=True)


def lines(value: Any, indent: str, inside: str = "") -> Any:
    """The lines of an object or a list; of a long one the first few, and how many there are."""
    pairs = list(value.items()) if isinstance(value, dict) else [(str(k + 1), each) for k, each in enumerate(value)]
    for key, each in pairs[:LONG] if len(pairs) > 3 * LONG else pairs:
        name = key if inside in NAMED else field_name(key)
        if isinstance(each, dict | list) and each and (key == "kinds" or not short(each)):
            yield word("pair", name=f"{indent}{name}", text="").rstrip()
            yield from lines(each, indent + "  ", key)
        else:
            yield word("pair", name=f"{indent}{name}", text=value_text(key, each, inside))
    if len(pairs) > 3 * LONG:
        yield f"{indent}… {word('in all', n=f'{len(pairs):,}')}"


def field_name(key: str) -> str:
    """What a field is called in the language that is spoken."""
    return key if spoken() == "en" else FIELDS.get(key, key)


def value_text(key: str, value: Any, inside: str) -> str:
    """What a field holds, in one line; what novikoff says in it in the language that is spoken."""
    if isinstance(value, dict | list):
        return json_.dumps(value, ensure_ascii=False)
    if inside == "kinds" or key == "verdict":
        return translated_part(value)
    if inside in NAMED:
        return str(value)
    if key in RETOLD:
        return retold(value)
    return word(f"value {value}") if value is None or isinstance(value, bool) else str(value)


def short(value: Any) -> bool:
    """Whether something fits a line, and has no fields to be named."""
    inner = value.values() if isinstance(value, dict) else value
    if isinstance(value, dict) and any(field_name(key) != key for key in value):
        return False
    return not any(isinstance(each, dict | list) for each in inner) and len(json_.dumps(value)) < 90
