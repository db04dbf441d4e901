"""Lower AMD's inline assembly (four instructions); intrinsics for lowered code: `asm:address`, `asm:fetched`."""

import numpy as np

from harness.simt.compile.lowering import Lowering, declares
from harness.simt.compile.registry import stateful
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.intrinsics.warp import ballot_bits
from harness.simt.ir.module import Operand
from harness.simt.ir.types import Int, bits_of
from harness.simt.ops.undefined import combine_taints

__all__: list[str] = []

LANE = "llvm.nvvm.read.ptx.sreg.laneid"  # used for every vendor


@stateful("asm:address", compiled="address")
def convert_shared_address(call: Call) -> Result:
    """Return the pointer of a 32-bit address in shared memory."""
    return call.engine.window.pointer(call.values[0]), call.taint(0)


# The compiler emits these for AMD to round a float to bfloat.
@declares("v_cmp_u_f32")
def lower_unordered(low: Lowering) -> None:
    """Lower the comparison whether one of two floats is a NaN, to a mask of the wave's lanes as wide as the
    destination.

    Raises `NotKnown` unless there are a register and two operands.
    """
    low.expect_operands(3)
    mask_type = low.register_value(0).type
    low.write(0, low.value(f"asm:v_cmp_u_f32.{mask_type}", mask_type, *(low.read(number, "f32") for number in (1, 2))))


@declares("v_bfe_u32", "v_add3_u32")
def lower_words(low: Lowering) -> None:
    """Lower an instruction on three words to the intrinsic of its name."""
    low.write_call(f"asm:{low.name}", Int(32), "b32", "b32", "b32")


def lane_bit_of(low: Lowering, mask: Operand) -> Operand:
    """Emit code that returns the bit of a mask at the lane's own number."""
    wide = Int(64)
    moved = low.op("lshr", wide, low.cast(mask, wide), low.cast(low.value(LANE, Int(32)), wide))
    return low.op("trunc", Int(1), moved)


@declares("v_cndmask_b32")
def lower_choice(low: Lowering) -> None:
    """Lower a selection between two words by the lane's bit in a mask: operand 2 where it is set, else operand 1.

    Raises `NotKnown` unless there are four operands, of which the last is a register with the mask.
    """
    low.expect_operands(4)
    low.write(0, low.select(lane_bit_of(low, low.register_value(3)), low.read(2, "b32"), low.read(1, "b32")))


@stateful("asm:v_cmp_u_f32", exchanges=True)
def compare_unordered(call: Call) -> Result:
    """Return the bit mask of the wave's active lanes in which one of two floats is a NaN.

    A lane's mask is undefined only if one of its own floats is, unlike that of a vote: compilers only write this before
    `v_cndmask_b32`, which reads the lane's own bit. Emits no event of an exchange.
    """
    bits = ballot_bits(call.lanes, (call.values[0] != call.values[0]) | (call.values[1] != call.values[1]))
    mark = combine_taints(call.taint(0), call.taint(1))
    wide = bits_of(call.site.instruction.type) == 64
    return (bits if wide else bits.astype(np.int32)), mark


@stateful("asm:fetched", compiled="where")
def undefine_inactive(call: Call) -> Result:
    """Return the first argument, unchanged but undefined in lanes where the second is false: their taint is the origin
    `inactive-lane` of this instruction. Nothing is reported.
    """
    value, is_active = call.values
    if is_active.all():
        return value, call.taint(0)
    mark = np.zeros(call.lanes.n, np.int32)
    taint = call.taint(0)
    mark[:] = 0 if taint is None else taint
    mark[np.flatnonzero(~np.broadcast_to(is_active, (call.lanes.n,)))] = call.engine.observation.origin(
        "inactive-lane", call.site.instruction.text, call.site
    )
    return value, mark
