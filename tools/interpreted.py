"""The compiled passes as plain Python, so that the branches that tests take in them can be seen.

A plugin of pytest, which ``make coverage`` names with ``-p tools.interpreted``: Numba compiles nothing, a function that
is chosen by the kinds of its arguments (``numba.extending.overload``) is chosen when it is called, and those that are
written in LLVM's language are done in Python.  It is slow, and tests of many rows are left out.
"""

import functools
import sys
from collections.abc import Callable
from typing import Any

import numba
import numba.extending
import numpy as np
import pytest
from numba.core.errors import NumbaError

Function = Callable[..., Any]
LONG = (
    "many_rows",
    "long_rows",
    "planted_margins",
    "orthonormal",
    "worst_case",
    "rough_scores",
    "threads",
    "early_stopping",
    "pocket_has",
    "pocket_proves",
    "pocket_of",
    "pocket_often",
    "3-Pocket",
    "contract",
    "only_their_copy",
    "small_cache",
    "not_needed",
    "never_exceeded",
    "t9_bounds",
    "known_to_help",
    "circles",
    "oracle_says",
    "separated_i",
    "stream",
)
"""Parts of the names of tests of many rows or many passes."""


def interpreted(function: Function | None = None, **_: Any) -> Function:
    """In the place of njit: the function itself, in which numbers overflow and divide as compiled ones do."""
    if function is None:
        return interpreted

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*arguments)

    return call


def overload(stub: Function, **_: Any) -> Function:
    """In the place of Numba's: the name of the stub is given to a function that looks at its arguments."""

    def of(choose: Function) -> Function:
        chosen: dict[tuple[Any, ...], Function] = {}

        @functools.wraps(stub)
        def call(*arguments: Any) -> Any:
            key = tuple(map(shape, arguments))
            if key not in chosen:
                chosen[key] = choose(*map(kind, arguments))
            return chosen[key](*arguments)

        setattr(sys.modules[stub.__module__], stub.__name__, call)
        return choose

    return of


def shape(argument: Any) -> Any:
    """What the type by which Numba would choose depends on, and is quick to ask."""
    if isinstance(argument, np.ndarray):
        return argument.dtype.char, argument.ndim, argument.flags.c_contiguous
    if isinstance(argument, tuple):
        return (type(argument), *map(shape, argument))
    return type(argument)


def kind(argument: Any) -> Any:
    """The type by which Numba would choose; of a function, which has none here, its name."""
    try:
        return numba.typeof(argument)
    except (NumbaError, ValueError):
        return getattr(argument, "__name__", "")


def to_first_cache(array: Any, start: int, lines: int) -> None:
    """Python asks memory for nothing in advance."""


to_second_cache = to_first_cache


def lane_sums(
    weights: Any, first: int, values: Any, columns: Any, start: int, stop: int, bias: float, out: Any
) -> None:
    """As passes/intrinsics.py has it, a column after the other."""
    from novikoff.passes.intrinsics import LANES

    lanes, number = slice(int(first), int(first) + LANES), out.dtype.type
    total = np.zeros(LANES, number)
    for k in range(start, stop):
        value = 1 if values is None else values[k]  # rows of ones have no values
        total += weights[columns[k], lanes].astype(number) * number(value)
    out[lanes] = total + weights[-1, lanes].astype(number) * number(bias)


def gathered_sum(weights: Any, values: Any, columns: Any, start: int, stop: int) -> float:
    """As passes/intrinsics.py has it, but for the order of summation."""
    return float(weights[columns[start:stop]] @ values[start:stop].astype(np.float64))


def inner_product(weights: Any, x: Any) -> Any:
    """As passes/intrinsics.py has it, but for the order of summation."""
    return weights[: len(x)] @ x.astype(weights.dtype)


def add_multiple(weights: Any, x: Any, step: float) -> None:
    """As passes/intrinsics.py has it."""
    weights[: len(x)] += weights.dtype.type(step) * x.astype(weights.dtype)


def panel_sums(panel: Any, values: Any, columns: Any, start: int, stop: int, out: Any) -> None:
    """As passes/panels.py has it, a nonzero after the other."""
    out[:] = 0
    for k in range(int(start), int(stop)):
        out += values[k] * panel[columns[k]]


def intrinsic(function: Function) -> Function:
    """In the place of Numba's: that of the same name here."""
    return globals()[function.__name__]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests out that would take minutes."""
    long = [item for item in items if any(part in item.name for part in LONG)]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if item not in long]


if "novikoff.passes" in sys.modules:
    raise RuntimeError("novikoff was imported before tools.interpreted, and its passes are compiled")
numba.njit, numba.extending.overload, numba.extending.intrinsic = interpreted, overload, intrinsic
