"""Two things that Numba does not do by itself: asking memory for what comes next, and sums side by side in SIMD."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 16
"""How many sums lie side by side: in float32 their weights fill a line of memory."""
INDEX, SMALL = ir.IntType(64), ir.IntType(32)


@intrinsic
def prefetch_line(context, array, offset):
    """Ask memory for the line of an array that has this byte.

    Into the second cache, as more lines can be on their way there than to the first.
    """

    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.gep(builder.bitcast(data, cgutils.voidptr_t), [arguments[1]])
        kind = ir.FunctionType(ir.VoidType(), [address.type, SMALL, SMALL, SMALL])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(function, [address, SMALL(0), SMALL(2), SMALL(1)])  # to read, into the second cache, data
        return context.get_dummy_value()

    return types.void(array, types.uint64), generate


@intrinsic
def lane_sums(context, weights, first, values, columns, start, stop, bias, out):
    """out[first + l] = Σ weights[columns[k], first + l] · values[k] + weights[-1, first + l] · bias, for LANES of l.

    k goes from start to stop.  ``weights`` has a row per column of the data, and every lane is summed in order, in the
    numbers of the weights, which are those of ``out``.  Without ``values`` all of them are 1.
    """

    def generate(context, builder, signature, arguments):
        _, first, _, _, start, stop, bias, _ = arguments
        places = {name: k for k, name in enumerate(("weights", "", "values", "columns", "", "", "", "out")) if name}
        arrays = {
            name: context.make_array(signature.args[k])(context, builder, arguments[k])
            for name, k in places.items()
            if signature.args[k] != types.none
        }
        vector = ir.VectorType(context.get_value_type(weights.dtype), LANES)
        rows, stride = cgutils.unpack_tuple(builder, arrays["weights"].shape)
        sums = cgutils.alloca_once_value(builder, ir.Constant(vector, None))

        def lanes(data: Any, at: Any) -> Any:
            return builder.bitcast(builder.gep(data, [at]), vector.as_pointer())

        def add(column: Any, x: Any) -> None:
            at = builder.add(builder.mul(column, stride), first)
            w = builder.load(lanes(arrays["weights"].data, at), align=weights.dtype.bitwidth // 8)
            one = builder.insert_element(ir.Constant(vector, ir.Undefined), x, SMALL(0))
            everywhere = ir.Constant(ir.VectorType(SMALL, LANES), None)
            product = builder.fmul(w, builder.shuffle_vector(one, one, everywhere), flags=["contract"])
            builder.store(builder.fadd(builder.load(sums), product, flags=["contract"]), sums)

        def entry(k: Any) -> Any:
            if values == types.none:
                return context.get_constant(weights.dtype, 1.0)
            value = builder.load(builder.gep(arrays["values"].data, [k]))
            return context.cast(builder, value, values.dtype, weights.dtype)

        with cgutils.for_range(builder, builder.sub(stop, start), intp=INDEX) as loop:
            k = builder.add(start, loop.index)
            column = builder.load(builder.gep(arrays["columns"].data, [k]))
            column = context.cast(builder, column, columns.dtype, types.uint64)
            add(column, entry(k))
        add(builder.sub(rows, INDEX(1)), context.cast(builder, bias, types.float64, weights.dtype))
        builder.store(builder.load(sums), lanes(arrays["out"].data, first), align=weights.dtype.bitwidth // 8)
        return context.get_dummy_value()

    size = types.uint64
    return types.void(weights, size, values, columns, size, size, types.float64, out), generate
