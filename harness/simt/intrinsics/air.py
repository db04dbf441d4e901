"""Apple's AIR: indices, SIMD-group exchanges, barriers, fences, atomics, conversions, integers; floats: `llvm_float`.

Names carry type suffixes: `air.simd_shuffle_xor.f32.i16`, `air.max.s.i64`.
"""

from collections.abc import Callable
from functools import reduce

import numpy as np

from harness.simt.arrays import Booleans, Integers
from harness.simt.compile.declarations import Barrier, Fence, Flags, MemoryAccess, WarpSync
from harness.simt.compile.expanding import expands
from harness.simt.compile.lowering import Lowering
from harness.simt.compile.registry import declare_effect, declare_wait, lanes, stateful
from harness.simt.events import WarpEvent
from harness.simt.intrinsics.atomics import Update
from harness.simt.intrinsics.exchanges import ReadFirst, Reduction, Shuffle, Vote
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.intrinsics.nvvm_index import geometry_reader, uniform_int
from harness.simt.intrinsics.ptx_floats import splat, type_suffix
from harness.simt.ir.module import Const, Operand
from harness.simt.ir.types import Int, Type, Vector, bits_of, element_of, size_of
from harness.simt.ops.undefined import collapse_taint, combine_taints
from harness.simt.state.allocation import Access

__all__: list[str] = []

# The flags operand of a barrier or a fence names the address spaces that it orders.
FLAGS = Flags(0, ((1, "global"), (2, "shared")))
# C's numbers of orderings and Metal's of scopes; a relaxed fence orders nothing.
ORDERINGS = {1: "acquire", 2: "acquire", 3: "release", 4: "acq_rel", 5: "seq_cst"}
SCOPES = {0: "thread", 1: "block", 2: "device", 4: "warp"}

for number, axis in enumerate("xyz"):
    lanes(f"air.thread_position_in_threadgroup.{axis}")(geometry_reader(f"tid.{axis}"))
    lanes(f"air.threadgroup_position_in_grid.{axis}")(geometry_reader(f"ctaid.{axis}"))
    lanes(
        f"air.threads_per_threadgroup.{axis}",
        f"air.dispatch_threads_per_threadgroup.{axis}",
    )(lambda x, _a, n=number: uniform_int(x.block[n]))
    lanes(f"air.threadgroups_per_grid.{axis}")(lambda x, _a, n=number: uniform_int(x.grid[n]))
    lanes(f"air.threads_per_grid.{axis}")(lambda x, _a, n=number: uniform_int(x.grid[n] * x.block[n]))
    lanes(f"air.thread_position_in_grid.{axis}")(
        lambda x, a, n=number, c=axis: a.get(f"ctaid.{c}") * np.int32(x.block[n]) + a.get(f"tid.{c}")
    )
lanes("air.thread_index_in_simdgroup")(geometry_reader("lane"))
lanes("air.simdgroup_index_in_threadgroup")(geometry_reader("warp_in_block"))
lanes("air.thread_index_in_threadgroup")(lambda _x, a: a.get("tid").astype(np.int32))
lanes("air.threads_per_simdgroup")(lambda x, _a: uniform_int(x.target.warp))
lanes("air.simdgroups_per_threadgroup")(lambda _x, a: uniform_int(a.geometry.warps))


declare_wait("air.wg.barrier", "air.threadgroup.barrier", at=Barrier(FLAGS))


@stateful("air.simdgroup.barrier", waits=WarpSync(spaces=FLAGS), compiled="meet.all")
def synchronise_simdgroup(call: Call) -> None:
    """Emit an event for observers, if any listens: the lanes of a SIMD-group have synchronised, and the flags' memory
    is ordered. The lanes have waited before the call.
    """
    if call.engine.observation.on_warp_sync:
        spaces = FLAGS.spaces_of(int(call.values[0][0]))
        event = WarpEvent(call.site, call.lanes, np.array([-1]), spaces)
        call.engine.observation.on_warp_sync(event)


@stateful("air.atomic.fence", orders=Fence("seq_cst", "device"))  # its operands may narrow this
def run_atomic_fence(call: Call) -> None:
    """Report a fence to observers; the operands name its address spaces, ordering and scope, the same in all lanes.

    A relaxed fence, or one with an unknown ordering, does nothing. An unknown scope is the device.
    """
    flags, order, scope = (int(value[0]) for value in call.values)
    if order in ORDERINGS:
        call.engine.fence(
            call.lanes, call.site, Fence(ORDERINGS[order], SCOPES.get(scope, "device"), FLAGS.spaces_of(flags))
        )


def _bound_to_group(source: Integers) -> tuple[Integers, Booleans]:
    """Return the source lanes unchanged, and which of them exist in the SIMD-group of 32."""
    return source, (source >= 0) & (source < 32)


# By name: (the rule that gives the source lane, the form in the compiled engine).
SHUFFLES: dict[str, tuple[Callable[[Integers, Integers], tuple[Integers, Booleans | None]], str]] = {
    "simd_shuffle": (lambda _lane, number: (number, None), "other.number"),
    "simd_broadcast": (lambda _lane, number: (number, None), "other.number"),
    "simd_shuffle_xor": (lambda lane, number: (lane ^ number, None), "other.xor"),
    "simd_shuffle_up": (lambda lane, number: _bound_to_group(lane - number), "other.up"),
    "simd_shuffle_down": (lambda lane, number: _bound_to_group(lane + number), "other.down"),
    "simd_shuffle_rotate_up": (lambda lane, number: ((lane - number) & 31, None), ""),
    "simd_shuffle_rotate_down": (lambda lane, number: ((lane + number) & 31, None), ""),
    "quad_shuffle_xor": (lambda lane, number: ((lane & ~3) | ((lane ^ number) & 3), None), ""),
    "quad_broadcast": (lambda lane, number: ((lane & ~3) | number, None), ""),
}
for name, (rule, form) in SHUFFLES.items():
    declare_effect(f"air.{name}", of=Shuffle(name, rule=rule), compiled=form)
declare_effect("air.simd_broadcast_first", of=ReadFirst("simd_broadcast_first"), compiled="other.first")

declare_effect("air.simd_ballot", of=Vote("simd_ballot", decide=lambda yes, _there: yes))
declare_effect("air.simd_any", of=Vote("simd_any", decide=lambda yes, _there: yes != 0))
declare_effect("air.simd_all", of=Vote("simd_all", decide=lambda yes, there: yes == there))
active = Vote("simd_active_threads_mask", decide=lambda yes, _there: yes)
declare_effect("air.simd_active_threads_mask", of=active)


def _mask_existing_threads(low: Lowering, ballot: Operand) -> tuple[Operand, Operand]:
    """Emit code that returns two masks of 64 bits: the ballot with only the bits of threads that the SIMD-group has,
    and the bits of all these threads; inactive threads count among them.
    """
    word, wide = Int(32), Int(64)
    index, lane = (low.value(f"air.thread_index_in_{group}", word) for group in ("threadgroup", "simdgroup"))
    axes = (low.value(f"air.threads_per_threadgroup.{axis}", word) for axis in "xyz")
    count = reduce(lambda left, right: low.op("mul", word, left, right), axes)
    following = low.op("sub", word, count, low.op("sub", word, index, lane))
    most = low.value("llvm.umin.i32", word, following, low.value("air.threads_per_simdgroup", word))
    threads = low.op("sub", wide, low.op("shl", wide, Const(wide, 1), low.cast(most, wide)), Const(wide, 1))
    return low.op("and", wide, low.cast(ballot, wide), threads), threads


@expands("air.simd_vote_all")
def vote_all(low: Lowering, ballot: Operand) -> Operand:
    """Emit code that returns whether a ballot has the bits of all threads of the SIMD-group, inactive ones included."""
    return low.compare("eq", *_mask_existing_threads(low, ballot))


@expands("air.simd_vote_any")
def vote_any(low: Lowering, ballot: Operand) -> Operand:
    """Emit code that returns whether a ballot has the bit of any thread of the SIMD-group."""
    return low.compare("ne", _mask_existing_threads(low, ballot)[0], Const(Int(64), 0))


REDUCTIONS = {
    "simd_sum": np.add,
    "simd_product": np.multiply,
    "simd_min": np.minimum,
    "simd_max": np.maximum,
    "simd_and": np.bitwise_and,
    "simd_or": np.bitwise_or,
    "simd_xor": np.bitwise_xor,
}
for name, ufunc in REDUCTIONS.items():
    declare_effect(f"air.{name}", of=Reduction(name, ufunc=ufunc), exact=name not in ("simd_sum", "simd_product"))
    if name in ("simd_min", "simd_max"):
        declare_effect(f"air.{name}.u", of=Reduction(name, ufunc=ufunc, unsigned=True))


for space in ("global", "local"):
    for name in ("sub", "and", "or", "xor", "xchg"):
        declare_effect(f"air.atomic.{space}.{name}", of=Update(operation=name, floating=name))
    for name in ("add", "max", "min"):
        declare_effect(f"air.atomic.{space}.{name}", of=Update(operation=name, floating=f"f{name}"))
    for name in ("max", "min"):
        declare_effect(f"air.atomic.{space}.{name}.u", of=Update(operation=f"u{name}", floating=f"f{name}"))

    @stateful(f"air.atomic.{space}.load", accesses=(MemoryAccess(0, "load"),))
    def load_atomically(call: Call) -> Result:
        """Load a value atomically, whatever its ordering; return it with one taint for each lane."""
        access = Access(call.site.instruction.type, atomic=True)
        value, taint = call.load(call.values[0], access, call.taint(0))
        return value, collapse_taint(taint)

    @stateful(f"air.atomic.{space}.store", accesses=(MemoryAccess(0, "store"),))
    def store_atomically(call: Call) -> None:
        """Store a value atomically."""
        access = Access(call.site.instruction.operands[1].type, atomic=True)
        call.store(call.values[0], call.values[1], access, (call.taint(0), call.taint(1)))

    @stateful(
        f"air.atomic.{space}.cmpxchg.weak",
        f"air.atomic.{space}.cmpxchg",
        accesses=(MemoryAccess(0, "atomic"), MemoryAccess(1, "load"), MemoryAccess(1, "store")),
    )
    def compare_and_exchange(call: Call) -> Result:
        """Compare and exchange; the old value is stored through the second pointer, which gives the expected one.

        Returns the old value, or whether it succeeded where the call's type is a bit, and the taint.
        """
        pointer, expected_at, new = call.values[:3]
        access = Access(call.site.instruction.operands[2].type)
        expected, mark = call.load(expected_at, access, call.taint(1))
        marks = call.taint(0), combine_taints(mark, call.taint(2))
        old, succeeded, taint = call.engine.atomics.exchange(
            call.lanes, pointer, expected, new, access, call.site, marks
        )
        call.engine.memory.store(call.lanes, expected_at, old, access, call.site, (None, taint))
        return (succeeded if bits_of(call.site.instruction.type) == 1 else old), taint


@expands("air.convert")
def convert(low: Lowering, value: Operand) -> Operand:
    """Emit code that converts a value, as the kinds in `air.convert.<to kind>.<to type>.<from kind>.<from type>` say.

    The kinds are `f` for floats, `s` and `u` for integers. Floats become integers toward zero, saturated; a NaN becomes
    0. An integer is cut to a narrower type, and extended to a wider one as the source's kind says. A value that has the
    right type is returned as it is.
    """
    to, _, kind, *_ = low.name.split("air.convert.")[1].split(".")
    ty = low.result
    if kind == "f" != to:
        return low.value(
            f"llvm.fpto{'u' if to == 'u' else 's'}i.sat.{type_suffix(ty)}.{type_suffix(value.type)}", ty, value
        )
    if to == kind == "f":
        wider = size_of(element_of(ty)) > size_of(element_of(value.type))
        opcode = "fpext" if wider else "fptrunc"
    elif to == "f":
        opcode = f"{kind}itofp"
    else:
        opcode = ("zext" if kind == "u" else "sext") if bits_of(ty) > bits_of(value.type) else "trunc"
    return value if ty == value.type else low.op(opcode, ty, value)


def _declare_integers(sign: str) -> None:
    def of_two(low: Lowering, side: str, left: Operand, right: Operand) -> Operand:
        return low.value(f"llvm.{sign}{side}.{type_suffix(left.type)}", left.type, left, right)

    @expands(f"air.max.{sign}")
    def larger(low: Lowering, left: Operand, right: Operand) -> Operand:
        return of_two(low, "max", left, right)

    @expands(f"air.min.{sign}")
    def smaller(low: Lowering, left: Operand, right: Operand) -> Operand:
        return of_two(low, "min", left, right)

    @expands(f"air.clamp.{sign}")
    def clamp(low: Lowering, value: Operand, least: Operand, most: Operand) -> Operand:
        return of_two(low, "min", of_two(low, "max", value, least), most)

    @expands(f"air.abs.{sign}")
    def absolute(low: Lowering, value: Operand) -> Operand:
        return value if sign == "u" else low.value("llvm.abs", value.type, value, Const(Int(1), 0))

    @expands(f"air.abs_diff.{sign}")
    def difference(low: Lowering, left: Operand, right: Operand) -> Operand:
        return low.op("sub", left.type, *(of_two(low, side, left, right) for side in ("max", "min")))

    @expands(f"air.mul_hi.{sign}")
    def upper_half(low: Lowering, left: Operand, right: Operand) -> Operand:
        ty, bits = left.type, bits_of(left.type)
        if bits == 64:
            return low.value(f"llvm.nvvm.mulhi.{'ull' if sign == 'u' else 'll'}", ty, left, right)
        wide: Type = Vector(ty.length, Int(2 * bits)) if isinstance(ty, Vector) else Int(2 * bits)
        product = low.op(
            "mul", wide, *(low.op(f"{sign if sign == 's' else 'z'}ext", wide, each) for each in (left, right))
        )
        return low.op("trunc", ty, low.op("lshr", wide, product, splat(low, wide, bits)))


for sign in "su":
    _declare_integers(sign)
