"""The page's modules as one script, so that they are loaded at once.

They are put one after the other, each in a function of its own that returns what the module exports.
"""

import re
from importlib import resources

STATIC = resources.files(__package__) / "static"
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+\.js)";$', re.M)
LATER = re.compile(r'\bimport\("\./([\w-]+\.js)"\)')
"""An import that is made when it is first wanted."""
EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const|let) (\w+))", re.M)


def read_static(name: str) -> str:
    """A file of the page."""
    return (STATIC / name).read_text("utf-8")


def bundle(entry: str, waits: bool = False) -> str:
    """A script that does what the module and those that it imports do; ``waits`` if the module awaits something."""
    done: list[str] = []
    parts = ['"use strict";\nconst modules = {};\n']

    def add(name: str) -> None:
        if name in done:
            return
        done.append(name)
        source = read_static(name)
        for other in [*(module for _, module in IMPORT.findall(source)), *LATER.findall(source)]:
            add(other)
        parts.append(as_function(name, source, waits and name == entry))

    add(entry)
    return "".join(parts)


def as_function(name: str, source: str, waits: bool = False) -> str:
    """A module as a function that returns what it exports."""
    names = [name for _, name in EXPORT.findall(source)]
    body = EXPORT.sub(r"\1", source)
    body = IMPORT.sub(lambda found: imported(*found.groups()), body)
    body = LATER.sub(r'Promise.resolve(modules["\1"])', body)
    awaited, asynchronous = ("await ", "async ") if waits else ("", "")
    return f'modules["{name}"] = {awaited}({asynchronous}() => {{\n{body}\nreturn {{ {", ".join(names)} }};\n}})();\n'


def imported(names: str, module: str) -> str:
    """An import as a constant; ``a as b`` takes a by the name b."""
    return f'const {{{names.replace(" as ", ": ")}}} = modules["{module}"];'
