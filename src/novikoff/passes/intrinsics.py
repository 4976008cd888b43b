"""What Numba does not do by itself: asking memory for what comes next, and sums side by side in SIMD."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 16
"""How many sums lie side by side: in float32 their weights fill a line of memory."""
GATHERED = 4
"""How many weights from different places are multiplied at once."""
CHAINS = 4
"""Of float32 sums side by side so many are made in turn, as an addition waits for the one before; of float64 half."""
INDEX, SMALL = ir.IntType(64), ir.IntType(32)
ZERO = ir.Constant(ir.DoubleType(), 0.0)


def prefetch(context: Any, array: Any, offset: Any, nearness: int) -> Any:
    """Ask memory for the line of an array that has this byte: nearness 3 is the first cache, 2 the second."""

    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.gep(builder.bitcast(data, cgutils.voidptr_t), [arguments[1]])
        kind = ir.FunctionType(ir.VoidType(), [address.type, SMALL, SMALL, SMALL])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(function, [address, SMALL(0), SMALL(nearness), SMALL(1)])  # to read, data
        return context.get_dummy_value()

    return types.void(array, types.uint64), generate


@intrinsic
def to_first_cache(context, array, offset):
    """Ask for a line of an array, by a byte of it, that is used at once."""
    return prefetch(context, array, offset, 3)


@intrinsic
def to_second_cache(context, array, offset):
    """Ask for a line of an array, by a byte of it, that is used later; more lines can be on their way there."""
    return prefetch(context, array, offset, 2)


@intrinsic
def lane_sums(context, weights, first, values, columns, start, stop, bias, out):
    """out[first + l] = Σ weights[columns[k], first + l] · values[k] + weights[-1, first + l] · bias, for LANES of l.

    k goes from start to stop.  ``weights`` has a row per column of the data, and every lane is summed in an order that
    depends on nothing but its place, in the numbers of ``out``: those of the weights, or float32 if these are in 16
    bits.  Without ``values`` all of them are 1.
    """
    number = out.dtype
    chains = CHAINS if number == types.float32 else CHAINS // 2

    def generate(context, builder, signature, arguments):
        _, first, _, _, start, stop, bias, _ = arguments
        places = {name: k for k, name in enumerate(("weights", "", "values", "columns", "", "", "", "out")) if name}
        arrays = {
            name: context.make_array(signature.args[k])(context, builder, arguments[k])
            for name, k in places.items()
            if signature.args[k] != types.none
        }
        stored = ir.VectorType(context.get_value_type(weights.dtype), LANES)
        vector = ir.VectorType(context.get_value_type(number), LANES)
        zeros = ir.Constant(vector, None)
        rows, stride = cgutils.unpack_tuple(builder, arrays["weights"].shape)
        sums = [cgutils.alloca_once_value(builder, zeros) for _ in range(chains)]

        def lanes(data: Any, at: Any, kind: Any) -> Any:
            return builder.bitcast(builder.gep(data, [at]), kind.as_pointer())

        def product(column: Any, x: Any) -> Any:
            at = builder.add(builder.mul(column, stride), first)
            w = builder.load(lanes(arrays["weights"].data, at, stored), align=weights.dtype.bitwidth // 8)
            w = w if stored == vector else builder.sitofp(w, vector)
            one = builder.insert_element(ir.Constant(vector, ir.Undefined), x, SMALL(0))
            everywhere = ir.Constant(ir.VectorType(SMALL, LANES), None)
            return builder.fmul(w, builder.shuffle_vector(one, one, everywhere), flags=["contract"])

        def term(k: Any) -> Any:
            column = builder.load(builder.gep(arrays["columns"].data, [k]))
            column = context.cast(builder, column, columns.dtype, types.uint64)
            if values == types.none:
                return product(column, context.get_constant(number, 1.0))
            value = builder.load(builder.gep(arrays["values"].data, [k]))
            return product(column, context.cast(builder, value, values.dtype, number))

        def add_to(total: Any, several: Any) -> None:
            builder.store(builder.fadd(builder.load(total), several, flags=["contract"]), total)

        count = builder.sub(stop, start)
        whole = builder.and_(count, INDEX(-chains))
        with cgutils.for_range_slice(builder, INDEX(0), whole, INDEX(chains), intp=INDEX) as (index, _):
            for chain, total in enumerate(sums):
                add_to(total, term(builder.add(builder.add(start, index), INDEX(chain))))
        with builder.if_then(builder.icmp_unsigned("!=", count, whole)):
            k, last = builder.add(start, whole), builder.sub(stop, INDEX(1))
            for chain, total in enumerate(sums):  # without a branch: how many are left is not foreseen
                at = builder.add(k, INDEX(chain))
                inside = builder.icmp_unsigned("<", at, stop)
                add_to(total, builder.select(inside, term(builder.select(inside, at, last)), zeros))
        add_to(sums[0], product(builder.sub(rows, INDEX(1)), context.cast(builder, bias, types.float64, number)))
        for total in sums[1:]:
            add_to(sums[0], builder.load(total))
        builder.store(builder.load(sums[0]), lanes(arrays["out"].data, first, vector), align=number.bitwidth // 8)
        return context.get_dummy_value()

    size = types.uint64
    return types.void(weights, size, values, columns, size, size, types.float64, out), generate


@intrinsic
def gathered_sum(context, weights, values, columns, start, stop):
    """Σ weights[columns[k]] · values[k] for k from start to stop; without ``values`` all of them are 1.

    GATHERED weights at a time are loaded one by one and then treated as one: many processors take longer for the
    instruction that gathers them.  The values must be ``vectorised``.
    """

    def generate(context, builder, signature, arguments):
        _, _, _, start, stop = arguments
        data = [
            None if kind == types.none else context.make_array(kind)(context, builder, argument).data
            for kind, argument in zip(signature.args[:3], arguments[:3], strict=True)
        ]
        number = ir.DoubleType()
        vector = ir.VectorType(number, GATHERED)

        def weight(k: Any) -> Any:
            column = builder.load(builder.gep(data[2], [k]))
            return builder.load(builder.gep(data[0], [context.cast(builder, column, columns.dtype, types.uint64)]))

        def times_values(w: Any, k: Any, kind: Any) -> Any:
            if data[1] is None:
                return w
            size = values.dtype.bitwidth // 8
            stored = context.get_value_type(values.dtype)
            stored = ir.VectorType(stored, GATHERED) if kind is vector else stored
            x = builder.load(builder.bitcast(builder.gep(data[1], [k]), stored.as_pointer()), align=size)
            return builder.fmul(w, as_doubles(builder, x, values.dtype, kind), flags=["contract"])

        def add_to(total: Any, term: Any) -> None:
            builder.store(builder.fadd(builder.load(total), term, flags=["contract", "reassoc"]), total)

        count = builder.sub(stop, start)
        whole = builder.and_(count, INDEX(-GATHERED))
        sums = cgutils.alloca_once_value(builder, ir.Constant(vector, None))
        with cgutils.for_range_slice(builder, INDEX(0), whole, INDEX(GATHERED), intp=INDEX) as (index, _):
            k, several = builder.add(start, index), ir.Constant(vector, ir.Undefined)
            for lane in range(GATHERED):
                several = builder.insert_element(several, weight(builder.add(k, INDEX(lane))), SMALL(lane))
            add_to(sums, times_values(several, k, vector))
        with builder.if_then(builder.icmp_unsigned("!=", count, whole)):
            k, last, several = builder.add(start, whole), builder.sub(stop, INDEX(1)), ir.Constant(vector, None)
            for lane in range(GATHERED):  # without a branch: how many are left is not foreseen
                at = builder.add(k, INDEX(lane))
                inside = builder.icmp_unsigned("<", at, stop)
                place = builder.select(inside, at, last)
                term = times_values(weight(place), place, number)
                several = builder.insert_element(several, builder.select(inside, term, ZERO), SMALL(lane))
            add_to(sums, several)
        total, lanes = cgutils.alloca_once_value(builder, ir.Constant(number, 0.0)), builder.load(sums)
        for lane in range(GATHERED):
            add_to(total, builder.extract_element(lanes, SMALL(lane)))
        return builder.load(total)

    return types.float64(weights, values, columns, types.uint64, types.uint64), generate


def vectorised(values: Any) -> bool:
    """Whether ``gathered_sum`` takes values of this type: ones, floats, or whole numbers below 2**16."""
    return values == types.none or values.dtype in (types.uint8, types.uint16, types.float32, types.float64)


def as_doubles(builder: Any, x: Any, kind: Any, doubles: Any) -> Any:
    """Numbers of a kind that is ``vectorised``, one or several, as ``doubles``."""
    if kind == types.float64:
        return x
    if kind == types.float32:
        return builder.fpext(x, doubles)
    wide = ir.VectorType(SMALL, doubles.count) if isinstance(doubles, ir.VectorType) else SMALL
    return builder.sitofp(builder.zext(x, wide), doubles)
