"""The least point of the hull of the signed rows, by coordinate descent on the dual of the largest margin."""

from .compiled import compiled
from .memory import ask_ahead, reach
from .rows import add, count, score, square


@compiled
def lengths(rows, out):
    """‖z‖² of every row."""
    for i in range(count(rows)):
        out[i] = square(rows, i)


@compiled
def descend(rows, row_order, signs, squares, alpha, w, passes, tol):
    """min ‖Σ α_i·z_i‖²/2 − Σ α_i over α ≥ 0, one α after the other: at the minimum z·w ≥ 1, with equality where α > 0.

    Stops after a pass in which no z·w that it met was further than ``tol`` from that.
    """
    asked = reach(rows, row_order.shape[0])
    for _ in range(passes):
        largest = 0.0
        for t in range(row_order.shape[0]):
            i = row_order[t]
            ask_ahead(rows, row_order, t, asked)
            lack = 1.0 - signs[i] * score(rows, i, w)
            if squares[i] <= 0.0:
                continue
            step = max(lack / squares[i], -alpha[i])
            largest = max(largest, abs(step) * squares[i])
            if step != 0.0:
                alpha[i] += step
                add(rows, i, w, step * signs[i])
        if largest <= tol:
            break
    return largest


@compiled
def scores(rows, signs, w, out):
    """z·w of every row."""
    for i in range(count(rows)):
        out[i] = signs[i] * score(rows, i, w)
