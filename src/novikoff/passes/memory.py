"""Asking memory for rows before they are looked at: what is asked for in time is not waited for."""

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from .compiled import INLINED, inlined
from .intrinsics import LINE, to_first_cache, to_second_cache
from .orders import SMALL, WINDOW, next_window
from .rows import Dense, Rows, by_kind

AHEAD = 8
"""At most so many rows before it is looked at a row is asked for from the second cache, or from memory."""
FIRST = 2**15
"""Bytes that stay in the first cache: a sparse row is not asked for before rows whose weights would push it out."""
SHORT = 2**11
"""Bytes up to which a row is asked for into the first cache, where AHEAD of them have room."""
ROOM = 2**20
"""Bytes up to which a window of rows is asked for before it begins: of more, the first would have left the cache."""
CACHED = 2**19
"""Bytes of all rows up to which none is asked for: they stay in the second cache."""
DISTANT = 2**22
"""Bytes of all weights up to which none is asked for: they come from a cache while others are multiplied."""


@inlined
def ask_ahead(rows, row_order, t, reach):
    """While the row at place t is looked at, ask for the one that comes soon, and for one of the next window.

    Without a branch: around one, Numba would count the references to the arrays, row by row.
    """
    last = np.uint64(row_order.shape[0] - 1)
    ask_soon(rows, row_order[min(np.uint64(t) + reach[0], last)], reach)
    ask_later(rows, row_order[min(np.uint64(next_window(t)), last)], reach)


@inlined
def ask_weights_ahead(rows, row_order, t, weights):
    """While the row at place t is looked at, ask for the weights that the next one meets."""
    ask_weights(rows, row_order[min(t + 1, row_order.shape[0] - 1)], weights)


@inlined
def lines_of(size):
    """How many lines so many bytes fill."""
    return (size + np.uint64(LINE - 1)) // np.uint64(LINE)


def ask_weights(rows: Rows, i: int, weights: Any) -> None:
    """Ask memory for the weights that sparse row i meets, if the caches do not hold all of them."""
    raise NotImplementedError("compiled code only")


def reach(rows: Rows, visits: int) -> Any:
    """How far ahead rows are asked for that a pass with so many visits will meet, and how many lines of them.

    Of an array, the lines for the first cache and those for the second; of dense rows, also those of the next window.
    """
    raise NotImplementedError("compiled code only")


def ask_soon(rows: Rows, i: int, reach: Any) -> None:
    """Ask memory for row i, which is looked at soon."""
    raise NotImplementedError("compiled code only")


def ask_later(rows: Rows, i: int, reach: Any) -> None:
    """Ask memory for row i of the next window."""
    raise NotImplementedError("compiled code only")


def lines(array: Any, entries: int) -> tuple[int, int]:
    """The lines of so many entries of an array that are asked for into the first cache, and into the second."""
    raise NotImplementedError("compiled code only")


def ask(array: Any, start: int, near: int, far: int) -> None:
    """Ask memory for so many lines of an array from this entry on, into the first cache and into the second."""
    raise NotImplementedError("compiled code only")


@overload(lines, jit_options=INLINED)
def _lines(array, entries):
    def of_entries(array, entries):
        size = np.uint64(entries) * np.uint64(array.itemsize)
        whole = lines_of(size)
        return (whole, np.uint64(0)) if size <= np.uint64(SHORT) else (np.uint64(0), whole)

    def nothing(array, entries):
        return np.uint64(0), np.uint64(0)

    return nothing if array == types.none else of_entries


@overload(ask, jit_options=INLINED)
def _ask(array, start, near, far):
    def entries(array, start, near, far):
        first = np.uint64(start) * np.uint64(array.itemsize)
        to_first_cache(array, first, near)
        to_second_cache(array, first, far)

    def nothing(array, start, near, far):
        pass

    return nothing if array == types.none else entries


@overload(reach, jit_options=INLINED)
def _reach(rows, visits):
    def dense(rows, visits):
        large = rows.values.size * rows.values.itemsize > CACHED
        near, far = lines(rows.values, rows.values.shape[1] if large else 0)
        later = near if visits > SMALL and WINDOW * LINE * near <= ROOM else np.uint64(0)
        return np.uint64(AHEAD), (near, far), later

    def sparse(rows, visits):  # as much as rows have on average: always as many steps are foreseen
        entries = 1 + rows.columns.size // rows.starts.size
        ahead = np.uint64(min(AHEAD, max(2, FIRST // (entries * LINE))))
        asked = entries if rows.columns.size * rows.columns.itemsize > CACHED else 0
        return ahead, lines(rows.values, asked), lines(rows.columns, asked)

    return by_kind(rows, dense, sparse)


def is_scattered(rows: Any) -> bool:
    """Whether the entries of a row do not follow each other in memory."""
    return rows.instance_class is Dense and rows.types[0].layout != "C"


@overload(ask_soon, jit_options=INLINED)
def _ask_soon(rows, i, reach):
    def dense(rows, i, reach):
        ask(rows.values, np.uint64(i) * np.uint64(rows.values.shape[1]), *reach[1])

    def sparse(rows, i, reach):
        start = rows.starts[i]
        ask(rows.values, start, *reach[1])
        ask(rows.columns, start, *reach[2])

    def scattered(rows, i, reach):
        pass

    return scattered if is_scattered(rows) else by_kind(rows, dense, sparse)


@overload(ask_later, jit_options=INLINED)
def _ask_later(rows, i, reach):
    def dense(rows, i, reach):
        ask(rows.values, np.uint64(i) * np.uint64(rows.values.shape[1]), np.uint64(0), reach[2])

    def nothing(rows, i, reach):
        pass

    return nothing if is_scattered(rows) else by_kind(rows, dense, nothing)


@overload(ask_weights, jit_options=INLINED)
def _ask_weights(rows, i, weights):
    def dense(rows, i, weights):
        pass

    def sparse(rows, i, weights):
        pays = weights.size * weights.itemsize > DISTANT
        size = np.uint64(weights.shape[0] * weights.itemsize)
        start = np.uint64(rows.starts[i])
        stop = start + np.uint64(pays) * (np.uint64(rows.starts[i + 1]) - start)
        for k in range(start, stop):
            to_first_cache(weights, np.uint64(rows.columns[k]) * size, lines_of(size))

    return by_kind(rows, dense, sparse)
