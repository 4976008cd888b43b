"""What Numba does not do by itself: asking memory for what comes next, and sums side by side in SIMD."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 16
"""How many sums lie side by side: in float32 their weights fill a line of memory."""
GATHERED = 4
"""How many weights from different places are multiplied at once."""
WIDTH = 4
"""How many entries of dense rows, and weights that they meet, are loaded at once."""
CHAINS = 4
"""Of float32 sums side by side so many are made in turn, as an addition waits for the one before; of float64 half."""
LINE = 64
"""Bytes that memory gives at once."""
INDEX, SMALL = ir.IntType(64), ir.IntType(32)
ZERO = ir.Constant(ir.DoubleType(), 0.0)


def keep_rolled(branch: Any) -> None:
    """Say of the branch that ends a loop that it is taken seldom: LLVM would prepare for many turns at every visit."""
    module = branch.function.module
    rolled = module.add_metadata(["llvm.loop.unroll.disable"])
    loop = module.add_metadata([rolled, f"loop {len(module.metadata)}"])
    loop.operands = (loop, rolled)  # what begins with itself is of one loop alone
    branch.set_metadata("llvm.loop", loop)


def prefetch(context: Any, array: Any, start: Any, nearness: int) -> Any:
    """Ask memory for so many lines of an array from this byte on: nearness 3 is the first cache, 2 the second."""

    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address, lines = builder.gep(builder.bitcast(data, cgutils.voidptr_t), [arguments[1]]), arguments[2]
        kind = ir.FunctionType(ir.VoidType(), [address.type, SMALL, SMALL, SMALL])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        before, ask, after = builder.block, builder.append_basic_block("ask"), builder.append_basic_block("asked")
        end = builder.gep(address, [builder.mul(lines, INDEX(LINE))])
        builder.cbranch(builder.icmp_unsigned("!=", lines, INDEX(0)), ask, after)
        builder.position_at_end(ask)
        at = builder.phi(address.type)
        builder.call(function, [at, SMALL(0), SMALL(nearness), SMALL(1)])  # to read, data
        following = builder.gep(at, [INDEX(LINE)])
        at.add_incoming(address, before)
        at.add_incoming(following, ask)
        keep_rolled(builder.cbranch(builder.icmp_unsigned("!=", following, end), ask, after))
        builder.position_at_end(after)
        return context.get_dummy_value()

    return types.void(array, types.uint64, types.uint64), generate


@intrinsic
def to_first_cache(context, array, start, lines):
    """Ask for so many lines of an array, from a byte on, that are used at once."""
    return prefetch(context, array, start, 3)


@intrinsic
def to_second_cache(context, array, start, lines):
    """Ask for so many lines of an array, from a byte on, that are used later; more can be on their way there."""
    return prefetch(context, array, start, 2)


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


def in_vectors(builder: Any, length: Any, step: Callable[[Any, int, Any], None], single: Callable[[Any], None]) -> None:
    """Go over so many entries, CHAINS vectors of WIDTH at a time, then vector by vector, and at last one by one.

    ``step`` is told where a vector begins and which chain it belongs to.  What writes entries and what reads them again
    at once both go in these steps: a processor hands over at once only what is read as it was written.
    """
    several, whole = (builder.and_(length, INDEX(-size)) for size in (CHAINS * WIDTH, WIDTH))
    for start, stop, chains in ((INDEX(0), several, CHAINS), (several, whole, 1)):
        with cgutils.for_range_slice(builder, start, stop, INDEX(chains * WIDTH), intp=INDEX) as (j, _):
            for chain in range(chains):
                step(builder.add(j, INDEX(chain * WIDTH)), chain)
    with cgutils.for_range_slice(builder, whole, length, INDEX(1), intp=INDEX) as (j, _):
        single(j)


def loaded(context: Any, builder: Any, array: Any, kind: Any, j: Any, width: int, number: Any) -> Any:
    """Entries of an array of this type from place j on, as numbers: ``width`` of them side by side, or a single one."""
    stored, wanted = context.get_value_type(kind.dtype), context.get_value_type(number)
    at = builder.gep(array.data, [j])
    if width > 1:
        stored, wanted = ir.VectorType(stored, width), ir.VectorType(wanted, width)
        at = builder.bitcast(at, stored.as_pointer())
    x = builder.load(at, align=kind.dtype.bitwidth // 8)
    if kind.dtype == number:
        return x
    if isinstance(kind.dtype, types.Float):
        return builder.fpext(x, wanted)
    if kind.dtype.bitwidth < SMALL.width:  # as a signed number it is converted by one instruction
        short = ir.VectorType(SMALL, width) if width > 1 else SMALL
        return builder.sitofp((builder.sext if kind.dtype.signed else builder.zext)(x, short), wanted)
    return (builder.sitofp if kind.dtype.signed else builder.uitofp)(x, wanted)


@intrinsic
def inner_product(context, weights, x):
    """Σ weights[j]·x[j] over all of x, in the numbers of the weights."""
    number = weights.dtype

    def generate(context, builder, signature, arguments):
        w, row = (
            context.make_array(kind)(context, builder, a) for kind, a in zip((weights, x), arguments, strict=True)
        )
        vector = ir.VectorType(context.get_value_type(number), WIDTH)
        sums = [cgutils.alloca_once_value(builder, ir.Constant(vector, None)) for _ in range(CHAINS)]
        rest = cgutils.alloca_once_value(builder, context.get_constant(number, 0.0))

        def add_product(total: Any, j: Any, width: int) -> None:
            factors = (loaded(context, builder, a, kind, j, width, number) for a, kind in ((w, weights), (row, x)))
            product = builder.fmul(*factors, flags=["contract"])
            builder.store(builder.fadd(builder.load(total), product, flags=["contract"]), total)

        (length,) = cgutils.unpack_tuple(builder, row.shape)
        in_vectors(
            builder,
            length,
            lambda j, chain: add_product(sums[chain], j, WIDTH),
            lambda j: add_product(rest, j, 1),
        )
        totals = [builder.load(total) for total in sums]
        while len(totals) > 1:  # two by two: the fewer additions wait for each other, the better
            totals = [builder.fadd(a, b) for a, b in zip(totals[::2], totals[1::2], strict=True)]
        total, width = totals[0], WIDTH
        while width > 1:
            width //= 2
            halves = ir.Constant(ir.VectorType(SMALL, WIDTH), [(lane + width) % WIDTH for lane in range(WIDTH)])
            total = builder.fadd(total, builder.shuffle_vector(total, total, halves))
        return builder.fadd(builder.extract_element(total, SMALL(0)), builder.load(rest))

    return number(weights, x), generate


@intrinsic
def add_multiple(context, weights, x, step):
    """weights[j] += step · x[j] for all of x."""

    def generate(context, builder, signature, arguments):
        w, row = (
            context.make_array(kind)(context, builder, a) for kind, a in zip((weights, x), arguments[:2], strict=True)
        )
        number = context.get_value_type(weights.dtype)
        one = builder.insert_element(ir.Constant(ir.VectorType(number, WIDTH), ir.Undefined), arguments[2], SMALL(0))
        steps = builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(SMALL, WIDTH), None))

        def move(j: Any, width: int, length: Any) -> None:
            old, entries = (
                loaded(context, builder, a, kind, j, width, weights.dtype) for a, kind in ((w, weights), (row, x))
            )
            new = builder.fadd(old, builder.fmul(length, entries, flags=["contract"]), flags=["contract"])
            at = builder.bitcast(builder.gep(w.data, [j]), new.type.as_pointer())
            builder.store(new, at, align=weights.dtype.bitwidth // 8)

        (length,) = cgutils.unpack_tuple(builder, row.shape)
        in_vectors(builder, length, lambda j, chain: move(j, WIDTH, steps), lambda j: move(j, 1, arguments[2]))
        return context.get_dummy_value()

    return types.void(weights, x, weights.dtype), generate


@intrinsic
def gathered_sum(context, weights, values, columns, start, stop):
    """Σ weights[columns[k]] · values[k] for k from start to stop.

    GATHERED weights at a time are loaded one by one and then treated as one: many processors take longer for the
    instruction that gathers them.  The values must be ``vectorised``.
    """

    def generate(context, builder, signature, arguments):
        _, _, _, start, stop = arguments
        data = [
            context.make_array(kind)(context, builder, argument).data
            for kind, argument in zip(signature.args[:3], arguments[:3], strict=True)
        ]
        number = ir.DoubleType()
        vector = ir.VectorType(number, GATHERED)

        def weight(k: Any) -> Any:
            column = builder.load(builder.gep(data[2], [k]))
            return builder.load(builder.gep(data[0], [context.cast(builder, column, columns.dtype, types.uint64)]))

        def times_values(w: Any, k: Any, kind: Any) -> Any:
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
    """Whether ``gathered_sum`` takes values of this type: floats, or whole numbers below 2**16."""
    return values != types.none and values.dtype in (types.uint8, types.uint16, types.float32, types.float64)


def as_doubles(builder: Any, x: Any, kind: Any, doubles: Any) -> Any:
    """Numbers of a kind that is ``vectorised``, one or several, as ``doubles``."""
    if kind == types.float64:
        return x
    if kind == types.float32:
        return builder.fpext(x, doubles)
    wide = ir.VectorType(SMALL, doubles.count) if isinstance(doubles, ir.VectorType) else SMALL
    return builder.sitofp(builder.zext(x, wide), doubles)
