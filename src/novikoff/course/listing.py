"""The code of an experiment as a reader would type it: its imports, its helpers and itself, out of the module it is in.

What is shown is what is run: the text is that of the function, and what it names is imported as the public can.
"""

import ast
import inspect
import textwrap
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

FRONT = __name__.partition(".")[0]
"""The package, whose public names are asked for when a listing is made."""


@cache
def listing(function: Callable[..., Any]) -> str:
    """Imports, constants, helpers and the function, ready to be copied."""
    needed: dict[str, Any] = {}
    collect(function, needed)
    own = [value for value in needed.values() if is_own(value, function)]
    others = {name: value for name, value in needed.items() if not is_own(value, function)}
    imports = import_lines({name: value for name, value in others.items() if not is_constant(value)})
    constants = [f"{name} = {value!r}" for name, value in others.items() if is_constant(value)]
    texts = [source(value).rstrip() for value in reversed(own)]
    return "\n\n\n".join(part for part in ["\n".join(imports), "\n".join(constants), *texts] if part)


def collect(function: Any, needed: dict[str, Any]) -> None:
    """The global names that a function uses, annotations too, and those of the helpers among them; itself first."""
    needed.setdefault(function.__name__, function)
    names = [node.id for node in ast.walk(ast.parse(source(function))) if isinstance(node, ast.Name)]
    for name in names:
        if name not in function.__globals__ or name in needed:
            continue
        value = function.__globals__[name]
        if is_own(value, function):
            collect(value, needed)
        else:
            needed[name] = value


def source(function: Any) -> str:
    """The text of a function, from the margin on."""
    return textwrap.dedent(inspect.getsource(function))


def is_own(value: Any, function: Any) -> bool:
    """Whether it is a function of the same module."""
    return inspect.isfunction(value) and value.__module__ == function.__module__


def is_constant(value: Any) -> bool:
    """Whether it is written as it is."""
    return isinstance(value, int | float | str | tuple | dict)


def import_lines(others: dict[str, Any]) -> list[str]:
    """The lines that import what is named, from where the public finds it."""
    modules: list[str] = []
    homes: dict[str, list[str]] = defaultdict(list)
    for name, value in sorted(others.items()):
        home, original = public_home(name, value), getattr(value, "__name__", name)
        if home == FRONT:
            homes[home].append(name)
        else:
            line = original + (f" as {name}" if original != name else "")
            (homes[home] if home else modules).append(line if home else f"import {line}")
    return [*modules, *(f"from {home} import {', '.join(names)}" for home, names in sorted(homes.items()))]


def public_home(name: str, value: Any) -> str:
    """The module that it is imported from; nothing, if it is a module itself."""
    front = import_module(FRONT)
    if name in front.__all__ and getattr(front, name) is value:
        return FRONT
    if isinstance(value, ModuleType):
        return ""
    return ".".join(part for part in value.__module__.split(".") if not part.startswith("_"))
