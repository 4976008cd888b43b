"""Products of rows that are mostly zeros: the nonzeros of one side with panels of the other, in SIMD.

A product of matrices as BLAS has it multiplies by every zero.  Here a row is its nonzeros, and the rows that it meets
lie transposed in panels of a few at a time, so that a nonzero meets all rows of a panel in one stretch of memory, and
their sums stay in registers.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .compiled import compiled
from .nonzeros import write_nonzeros

PANEL_BYTES = 256
"""What a panel has of every feature, side by side: as many sums as registers hold on any processor with SIMD."""
INDEX, SMALL = ir.IntType(64), ir.IntType(32)


def width(dtype: Any) -> int:
    """How many rows make a panel."""
    return PANEL_BYTES // np.dtype(dtype).itemsize


@intrinsic
def panel_sums(context, panel, values, columns, start, stop, out):
    """out[l] = Σ values[k] · panel[columns[k], l] for every row l of a panel; k goes from start to stop, in order."""

    def generate(context, builder, signature, arguments):
        start, stop = arguments[3:5]
        arrays = [context.make_array(signature.args[k])(context, builder, arguments[k]) for k in (0, 1, 2, 5)]
        panel_at, values_at, columns_at, out_at = (array.data for array in arrays)
        lanes, size = width(str(panel.dtype)), panel.dtype.bitwidth // 8
        vector = ir.VectorType(context.get_value_type(panel.dtype), lanes)
        everywhere = ir.Constant(ir.VectorType(SMALL, lanes), None)
        sums = cgutils.alloca_once_value(builder, ir.Constant(vector, None))
        with cgutils.for_range(builder, builder.sub(stop, start), intp=INDEX) as loop:
            k = builder.add(start, loop.index)
            column = builder.zext(builder.load(builder.gep(columns_at, [k])), INDEX)
            place = builder.gep(panel_at, [builder.mul(column, INDEX(lanes))])
            others = builder.load(builder.bitcast(place, vector.as_pointer()), align=size)
            one = builder.load(builder.gep(values_at, [k]))
            one = builder.insert_element(ir.Constant(vector, ir.Undefined), one, SMALL(0))
            product = builder.fmul(others, builder.shuffle_vector(one, one, everywhere), flags=["contract"])
            builder.store(builder.fadd(builder.load(sums), product, flags=["contract"]), sums)
        builder.store(builder.load(sums), builder.bitcast(out_at, vector.as_pointer()), align=size)
        return context.get_dummy_value()

    return types.void(panel, values, columns, types.uint64, types.uint64, out), generate


@compiled
def in_panels(X, panels):
    """Write the rows of X into panels[p, feature, row of the panel]; what is left of the last panel is zero."""
    wide = panels.shape[2]
    for p in range(panels.shape[0]):
        panel, rows = panels[p], X[p * wide : (p + 1) * wide]
        panel[:] = 0
        for row in range(rows.shape[0]):
            for feature in range(rows.shape[1]):
                panel[feature, row] = rows[row, feature]


@compiled
def multiply(X, panels, stretch, out):
    """out[i, j] = x_i · z_j for the rows z of the panels; at most so many products in a stretch are summed at once."""
    wide = panels.shape[2]
    values, columns = np.empty(X.size + X.shape[1], X.dtype), np.empty(X.size + X.shape[1], np.uint32)
    starts = np.empty(X.shape[0] + 1, np.uint64)
    write_nonzeros(X, values, columns, starts, X.dtype.type(-np.inf), X.dtype.type(np.inf))
    sums = np.empty(wide, out.dtype)
    for p in range(panels.shape[0]):
        for i in range(X.shape[0]):
            row = out[i, p * wide : (p + 1) * wide]
            row[:] = 0
            for start in range(starts[i], starts[i + 1], stretch):
                panel_sums(panels[p], values, columns, start, min(start + stretch, starts[i + 1]), sums)
                for j in range(row.shape[0]):
                    row[j] += sums[j]
