"""The one place with Numba options.

``reassoc`` and ``contract`` let a dot product use SIMD and fused multiply-add; no flag assumes NaN away.  On
integer-valued data below 2**53 every operation is exact, so the order of summation cannot be seen.
"""

from collections.abc import Callable
from typing import Any

from numba import njit

OPTIONS: dict[str, Any] = {
    "fastmath": {"reassoc", "contract"},
    "error_model": "numpy",
    "nogil": True,
}


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile on the first call and keep the machine code on disk where some folder can be written."""
    try:
        return njit(cache=True, **OPTIONS)(function)
    except RuntimeError:  # neither the package's folder nor the user's cache folder is writable
        return njit(**OPTIONS)(function)
