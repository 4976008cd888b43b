"""What the reference needs besides the source: public names, inherited methods, and docstrings as numpydoc has them.

An extension of griffe, which reads the source for mkdocstrings without running it.  The package imports its public
names when they are asked for, and ``score`` and ``get_params`` are scikit-learn's: neither is seen in our source.  Our
docstrings are written to be short: they say of a parameter what it means where numpydoc has its type, which is in the
signature, and leave to ``Perceptron`` what a learner has in common with it.
"""

import ast
import re
from pathlib import Path
from typing import Any

import griffe
import sklearn.base

import novikoff

TITLE = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)
ENTRY = re.compile(r"^(\S.*?) : (.*(?:\n {4}.*)*)", re.MULTILINE)
LISTS = ("Parameters", "Attributes")
LIKE = re.compile(r"(?:those of|as in) ``(Perceptron|DaskPerceptron)``")
OTHERS = re.compile(r"(?:Parameters and attributes|The others) are those of ``\w+``\.")
QUOTED = re.compile(r'"\w+"(?:(?:, | or )"\w+")*')
TYPE = re.compile(r'(?:"\w+"|int|float|bool|str|dict|list|array|None|callable|or|of|shape|\([^)]*\)|[, ])+')
CLUSTER = "scale.dask.DaskPerceptron", "scale.dask.DaskAveragedPerceptron"


class Reference(griffe.Extension):
    """Adds to the package, once it is read, what is not seen in its source."""

    def on_package(self, *, pkg: griffe.Module, loader: griffe.GriffeLoader, **_: Any) -> None:
        if pkg.name != "novikoff":
            return
        loader.modules_collection.members["sklearn"] = scikit_learn()
        for name in novikoff.HOMES.keys() - pkg.members.keys():
            pkg.set_member(name, griffe.Alias(name, f"novikoff{novikoff.HOMES[name]}.{name}", parent=pkg))
        for docstring in docstrings(pkg):
            docstring.value = with_plain_lists(docstring.value)
        complete_learners(pkg)
        for docstring in docstrings(pkg):
            docstring.value = in_numpydoc(docstring.value, docstring.parent)


def scikit_learn() -> griffe.Module:
    """scikit-learn with its one module ``base``; to read all of it takes longer than the rest of the site."""
    package = griffe.Module("sklearn", filepath=Path(sklearn.__file__))
    source = Path(sklearn.base.__file__)
    base = griffe.visit("base", source, source.read_text(encoding="utf-8"), parent=package)
    package.set_member("base", base)
    for docstring in docstrings(base):
        docstring.parser, docstring.parser_options = griffe.Parser.numpy, {"warnings": False}
        docstring.value = re.sub(r":\w+:`~?([^`<]*?)(?: <[^`>]*>)?`", r"``\1``", docstring.value)
    return package


def docstrings(within: griffe.Object) -> list[griffe.Docstring]:
    """The docstrings of everything that a module has."""
    inside = [member for member in within.members.values() if not member.is_alias]
    own = [] if within.docstring is None else [within.docstring]
    return own + [docstring for member in inside for docstring in docstrings(member)]


def complete_learners(package: griffe.Module) -> None:
    """Give every learner the parameters and attributes that its docstring leaves to another's."""
    homes = [f"{home[1:]}.{name}" for name, home in novikoff.HOMES.items()]
    models = {"Perceptron": "learners.perceptron.Perceptron", "DaskPerceptron": CLUSTER[0]}
    for learner in (package[path] for path in (*homes, *CLUSTER)):
        model = LIKE.search(learner.docstring.value) if learner.is_class and learner.docstring else None
        if model and learner.path != package[models[model.group(1)]].path:
            defaults = {parameter.name: str(parameter.default) for parameter in learner.parameters}
            common = package[models[model.group(1)]].docstring.value
            learner.docstring.value = completed(learner.docstring.value, common, defaults)


def completed(own: str, common: str, defaults: dict[str, str]) -> str:
    """A docstring with all parameters, in their order and with their defaults, and all attributes."""
    parts = sections(OTHERS.sub("", own))
    lists = {title: dict(entries(sections(common)[title])) for title in LISTS}
    for title in LISTS:
        said = {
            name: text for name, text in entries(parts.pop(title, "")) if not LIKE.fullmatch(text.split(", default")[0])
        }
        named = {name for names in said for name in names.split(", ")}
        lists[title] = {name: text for name, text in lists[title].items() if name not in named} | said
    parameters = {
        name: re.sub(r"default=\S+", f"default={default}", lists["Parameters"][name])
        for name, default in defaults.items()
        if name in lists["Parameters"]
    }
    listed = {"Parameters": listing(parameters.items()), "Attributes": listing(lists["Attributes"].items())}
    return written({"": parts.pop(""), **listed, **parts})


def with_plain_lists(docstring: str) -> str:
    """A docstring whose lists have entries only, of one parameter each; sentences below a list come above it."""
    parts = sections(docstring)
    told = [ENTRY.sub("", parts.get(title, "")).strip() for title in LISTS]
    found = {title: entries(parts[title]) for title in LISTS if title in parts}
    if "Parameters" in found:
        found["Parameters"] = [(name, text) for names, text in found["Parameters"] for name in names.split(", ")]
    lists = {title: listing(listed) for title, listed in found.items() if listed}
    return written({**parts, **lists, "": "\n\n".join(filter(None, [parts[""], *told]))}) if lists else docstring


def in_numpydoc(docstring: str, of: Any) -> str:
    """A docstring whose entries have a type or none, whose result has its type, and whose examples have a title."""
    parts = sections(docstring)
    for title in set(LISTS) & set(parts):
        parts[title] = "\n".join(numpydoc_entry(name, text) for name, text in entries(parts[title]))
    if "Returns" in parts and getattr(of, "returns", None):
        parts["Returns"] = f"{of.returns}\n    " + " ".join(parts["Returns"].split())
    if ">>>" in parts[""]:
        parts[""], parts["Examples"] = re.split(r"(?=^>>>)", parts[""], maxsplit=1, flags=re.MULTILINE)
    return written(parts)


def numpydoc_entry(name: str, text: str) -> str:
    """An entry with its type, or only with what it means if that is all it has."""
    kind, *description = text.split("\n")
    kind, comma, default = kind.partition(", default=")
    first = description[0].strip() if description else ""
    if not (first and not first[0].islower()) and not TYPE.fullmatch(kind):
        words = " ".join(text.split())
        return f"{name}\n    {words[0].upper() if words[0].isascii() else words[0]}{words[1:]}"
    if '"' in kind and is_expression(kind):  # griffe would take bare values for names
        kind = QUOTED.sub(lambda quoted: f"typing.Literal[{quoted.group().replace(' or ', ', ')}]", kind)
    return "\n".join([f"{name} : {kind}{comma}{default}", *description])


def is_expression(text: str) -> bool:
    """Whether Python can read a text as an expression."""
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


def sections(docstring: str) -> dict[str, str]:
    """The sections of a docstring by their titles, what comes before them by the empty one."""
    first, *rest = TITLE.split(docstring)
    return {"": first.strip(), **dict(zip(rest[::2], rest[1::2], strict=True))}


def entries(section: str) -> list[tuple[str, str]]:
    """The entries of a section: what each is of, and what it says."""
    return [(found.group(1), found.group(2)) for found in ENTRY.finditer(section)]


def listing(listed: Any) -> str:
    """A section of these entries."""
    return "\n".join(f"{name} : {text}" for name, text in listed)


def written(parts: dict[str, str]) -> str:
    """A docstring of these sections."""
    titled = [f"{title}\n{'-' * len(title)}\n{text.strip()}" for title, text in parts.items() if title]
    return "\n\n".join([parts[""], *titled])
