"""The one place with Numba options.

``reassoc`` and ``contract`` let a dot product use SIMD and fused multiply-add; no flag assumes NaN away.  On
integer-valued data below 2**53 every operation is exact, so the order of summation cannot be seen.
"""

import hashlib
from collections.abc import Callable
from importlib import resources
from typing import Any

from numba import njit

OPTIONS: dict[str, Any] = {
    "fastmath": {"reassoc", "contract"},
    "error_model": "numpy",
    "nogil": True,
    "no_cfunc_wrapper": True,  # nobody calls them from C, and it takes time to compile
}
INLINED: dict[str, Any] = {**OPTIONS, "forceinline": True}
"""For what is done row by row: a call would count, and lock, the references to every array that it is given."""


def digest() -> str:
    """A short name for the text of all passes together."""
    files = sorted((f.name, f.read_bytes()) for f in resources.files(__package__).iterdir() if f.name.endswith(".py"))
    return hashlib.sha256(repr(files).encode()).hexdigest()[:12]


VERSION = digest()


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile on the first call and keep the machine code on disk where some folder can be written.

    Numba names the file on disk by the function's qualified name and renews it when the function's own module changes;
    these functions also hold code of the modules beside theirs, so all of it goes into the name.
    """
    function.__qualname__ = f"{function.__qualname__}_{VERSION}"
    try:
        return njit(cache=True, **OPTIONS)(function)
    except RuntimeError:  # neither the package's folder nor the user's cache folder is writable
        return njit(**OPTIONS)(function)


def inner(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that only compiled code calls: without the code that takes Python's objects apart."""
    return njit(no_cpython_wrapper=True, **OPTIONS)(function)


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function as a part of its callers."""
    return njit(no_cpython_wrapper=True, **INLINED)(function)


def in_order(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same, but sums stay in the order in which they are written: no SIMD that would gather what lies far apart."""
    return njit(no_cpython_wrapper=True, **{**INLINED, "fastmath": {"contract"}})(function)
