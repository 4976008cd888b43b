"""Asking memory for rows before they are looked at: what is asked for in time is not waited for."""

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from .compiled import INLINED, inlined
from .intrinsics import to_first_cache, to_second_cache
from .orders import SMALL, next_window
from .rows import Dense, Rows, by_kind

AHEAD = 8
"""How many rows before it is looked at a row is asked for from the second cache, or from memory."""
SHORT = 1024
"""Bytes up to which a row is asked for into the first cache, where AHEAD of them have room."""
CACHED = 2**19
"""Bytes of all rows, or of all weights, up to which none is asked for: they stay in the second cache."""
LINE = 64
"""Bytes that memory gives at once."""


@inlined
def ask_ahead(rows, row_order, t):
    """While the row at place t is looked at, ask for the one that comes soon, and for one of the next window.

    Without a branch: around one, Numba would count the references to the arrays, row by row.
    """
    n = row_order.shape[0]
    large = size_of(rows) > CACHED
    ask(rows, row_order[min(t + AHEAD, n - 1)], large, True)
    ask(rows, row_order[min(next_window(t), n - 1)], large & (n > SMALL), False)


@inlined
def ask_weights_ahead(rows, row_order, t, weights):
    """While the row at place t is looked at, ask for the weights that the next one meets."""
    ask_weights(rows, row_order[min(t + 1, row_order.shape[0] - 1)], weights)


def ask_weights(rows: Rows, i: int, weights: Any) -> None:
    """Ask memory for the weights that sparse row i meets, if the second cache does not hold all of them."""
    raise NotImplementedError("compiled code only")


def size_of(rows: Rows) -> int:
    """The bytes of all rows."""
    raise NotImplementedError("compiled code only")


def ask(rows: Rows, i: int, pays: bool, soon: bool) -> None:
    """Ask memory for row i, if that pays; into the first cache, if it is looked at soon."""
    raise NotImplementedError("compiled code only")


def ask_entries(array: Any, start: int, stop: int, soon: bool) -> None:
    """Ask memory for these entries of an array, if there is one."""
    raise NotImplementedError("compiled code only")


@overload(size_of, jit_options=INLINED)
def _size_of(rows):
    def dense(rows):
        return rows.values.size * rows.values.itemsize

    def sparse(rows):
        return rows.columns.size * rows.columns.itemsize

    return by_kind(rows, dense, sparse)


@overload(ask, jit_options=INLINED)
def _ask(rows, i, pays, soon):
    def dense(rows, i, pays, soon):
        d = np.uint64(rows.values.shape[1])
        pays &= soon | (d * np.uint64(rows.values.itemsize) <= np.uint64(SHORT))  # or no cache would hold a window
        start = np.uint64(i) * d
        ask_entries(rows.values, start, start + np.uint64(pays) * d, soon)

    def sparse(rows, i, pays, soon):  # as much as rows have on average: always as many steps are foreseen
        start = np.uint64(rows.starts[i])
        stop = start + np.uint64((pays & soon) * (1 + rows.columns.size // rows.starts.size))
        ask_entries(rows.values, start, stop, soon)
        ask_entries(rows.columns, start, stop, soon)

    def scattered(rows, i, pays, soon):
        pass

    if rows.instance_class is Dense and rows.types[0].layout != "C":
        return scattered
    return by_kind(rows, dense, sparse)


@overload(ask_entries, jit_options=INLINED)
def _ask_entries(array, start, stop, soon):
    def entries(array, start, stop, soon):
        size = np.uint64(array.itemsize)
        first, last = np.uint64(start) * size, np.uint64(stop) * size
        near = last if soon & (last - first <= np.uint64(SHORT)) else first
        for offset in range(first, near, np.uint64(LINE)):
            to_first_cache(array, offset)
        for offset in range(near, last, np.uint64(LINE)):
            to_second_cache(array, offset)

    def nothing(array, start, stop, soon):
        pass

    return nothing if array == types.none else entries


@overload(ask_weights, jit_options=INLINED)
def _ask_weights(rows, i, weights):
    def dense(rows, i, weights):
        pass

    def sparse(rows, i, weights):
        pays = weights.size * weights.itemsize > CACHED
        size = np.uint64(weights.size // weights.shape[-1] * weights.itemsize)
        start = np.uint64(rows.starts[i])
        for k in range(start, start + np.uint64(pays) * (np.uint64(rows.starts[i + 1]) - start)):
            first = np.uint64(rows.columns[k]) * size
            for offset in range(first, first + size, np.uint64(LINE)):
                to_first_cache(weights, offset)

    return by_kind(rows, dense, sparse)
