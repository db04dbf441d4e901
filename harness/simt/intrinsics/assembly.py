"""The assembly that the compiler writes for AMD, and what assembly and intrinsics are lowered to beside LLVM's own."""

import numpy as np

from harness.simt.compile.lowering import Lowering, declares
from harness.simt.compile.registry import stateful
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.intrinsics.warp import ballot_bits
from harness.simt.ir.module import Operand
from harness.simt.ir.types import Int, bits_of

__all__: list[str] = []

LANE = "llvm.nvvm.read.ptx.sreg.laneid"  # of every vendor


@stateful("asm:address", native="address")
def shared_address(call: Call) -> Result:
    """The pointer that an address in shared memory stands for."""
    return call.engine.window.pointer(call.values[0]), call.taint(0)


# What the compiler writes for AMD where it rounds a float to bfloat.
@declares("v_cmp_u_f32")
def lower_unordered(low: Lowering) -> None:
    """Of two floats, of which one is a NaN."""
    low.expect_operands(3)
    held = low.register_value(0).type
    low.write(0, low.value(f"asm:v_cmp_u_f32.{held}", held, *(low.read(number, "f32") for number in (1, 2))))


@declares("v_bfe_u32", "v_add3_u32")
def lower_words(low: Lowering) -> None:
    """Of three words."""
    low.write_call(f"asm:{low.name}", Int(32), "b32", "b32", "b32")


def own_bit(low: Lowering, mask: Operand) -> Operand:
    """Return whether the bit of a lane's own number is set in a mask."""
    wide = Int(64)
    moved = low.op("lshr", wide, low.cast(mask, wide), low.cast(low.value(LANE, Int(32)), wide))
    return low.op("trunc", Int(1), moved)


@declares("v_cndmask_b32")
def lower_choice(low: Lowering) -> None:
    """By a mask of the wave."""
    low.expect_operands(4)
    low.write(0, low.select(own_bit(low, low.register_value(3)), low.read(2, "b32"), low.read(1, "b32")))


@stateful("asm:v_cmp_u_f32", exchanges=True)
def compare_unordered(call: Call) -> Result:
    """The bits of the wave's lanes that hold a NaN."""
    bits = ballot_bits(call.lanes, (call.values[0] != call.values[0]) | (call.values[1] != call.values[1]))
    mark = call.taint(0)
    wide = bits_of(call.site.instruction.type) == 64
    return (bits if wide else bits.astype(np.int32)), mark


@stateful("asm:fetched", native="where")
def fetch(call: Call) -> Result:
    """Return the first value, which is not defined where the second one is false: what an inactive lane holds."""
    value, there = call.values
    if there.all():
        return value, call.taint(0)
    mark = np.zeros(call.lanes.n, np.int32)
    given = call.taint(0)
    mark[:] = 0 if given is None else given
    mark[np.flatnonzero(~np.broadcast_to(there, (call.lanes.n,)))] = call.engine.observation.origin(
        "inactive-lane", call.site.instruction.text, call.site
    )
    return value, mark
