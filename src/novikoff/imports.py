"""Imports that would take long: what a process need not have whole.

The command, whose process is its own, does without some of SciPy until something of it is used: scikit-learn imports it
for functions that hardly a command calls, and it takes a good part of a start.  It does without two lists, too, that
skops makes of what it trusts: of all estimators of scikit-learn, by importing them, and of the functions of
scipy.special, by looking for each in every module.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

OTHER_ARRAYS = [f"sklearn.externals.array_api_compat.{name}" for name in ("cupy", "dask", "torch")]
"""Wrappers in scikit-learn of libraries of arrays."""
POSTPONED = "scipy.stats", "scipy.interpolate", "scipy.spatial.transform"
"""Packages that the command imports when something of them is used."""
NO_DASK = 'Dask is not installed: pip install "novikoff[dask]" brings it.'
own_process = False
"""Whether nobody but the command uses this process."""


def start_command() -> None:
    """From now on this process is the command's own."""
    global own_process
    own_process = True
    for package in POSTPONED:
        Postponing(package).begin()


def skops_io() -> Any:
    """The reader and writer of model files, imported when one is read or written, which takes a second.

    It walks through all packages of scikit-learn; those whose import would load another library are hidden meanwhile.
    """
    if "skops.io" not in sys.modules:
        with hidden(OTHER_ARRAYS), unlisted():
            import_module("skops.io")
    return sys.modules["skops.io"]


@contextmanager
def hidden(names: Sequence[str]) -> Iterator[None]:
    """These modules, where they are not imported yet, cannot be."""
    absent = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]  # None: there is no such module
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


@contextmanager
def unlisted() -> Iterator[None]:
    """In a process of its own, skops finds no estimator and no special function; model_files knows which are safe."""
    utils: Any = import_module("sklearn.utils")
    scipy: Any = import_module("scipy")
    listed = utils.all_estimators, scipy.special
    if own_process:
        utils.all_estimators, scipy.special = list, ModuleType("scipy.special")
    try:
        yield
    finally:
        utils.all_estimators, scipy.special = listed


class Postponing(MetaPathFinder, Loader):
    """Lets a package be imported, with all that is in it, without doing so."""

    def __init__(self, package: str) -> None:
        self.package = package

    def begin(self) -> None:
        """From now on, unless it is there already."""
        if self.package not in sys.modules:
            sys.meta_path.insert(0, self)

    def end(self) -> None:
        """From now on it is imported as ever."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        for name, module in list(sys.modules.items()):
            if getattr(module, "__dict__", {}).get("_postponing") is not self:
                continue
            del sys.modules[name]
            parent, _, last = name.rpartition(".")
            vars(sys.modules.get(parent, ModuleType(parent))).pop(last, None)

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> Any:
        ours = fullname == self.package or fullname.startswith(f"{self.package}.")
        return ModuleSpec(fullname, self, is_package=True) if ours else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = PostponedModule(spec.name)
        module.__dict__["_postponing"] = self
        return module

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing to do yet."""


class PostponedModule(ModuleType):
    """Stands for a module; whatever is asked of it stands for what the module has."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Postponed(self.__dict__["_postponing"], self.__name__, name)


class Postponed:
    """Stands for something in a module that is imported when it is called, asked for an attribute, or is a base."""

    def __init__(self, postponing: Postponing, module: str, name: str) -> None:
        self.__dict__.update(_postponing=postponing, _module=module, _name=name)

    def _itself(self) -> Any:
        self._postponing.end()
        return getattr(import_module(self._module), self._name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._itself()(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._itself(), name)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[Any, ...]:
        return (self._itself(),)

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, self._itself())
