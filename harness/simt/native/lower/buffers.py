"""Lowerings of AMD's buffer accesses: loads, stores and copies to shared memory through a descriptor with bounds.

A check fails if only some words of an access are within the bounds. A copy to shared memory has the address of its
wave's first lane, which must be the address of all lanes. A check also fails if a lane of a copy is out of
bounds, and at a barrier before all copies have been waited for (`s_waitcnt`).
"""

from collections.abc import Sequence

from harness.simt.compile.graph import Op, Value
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.types import Type, Vector, size_of
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_types import text
from harness.simt.native.emit.ir_values import TRUE, IrValue, constant
from harness.simt.native.emit.lane_values import LANE
from harness.simt.native.lower.asynchronous_copies import LANDED, begin_copy, set_flight
from harness.simt.native.lower.exchanges import from_lane
from harness.simt.native.lower.memory import load_from, store_to
from harness.simt.native.lower.registry import forms
from harness.simt.native.sanitize.address import checked_address

__all__: list[str] = []

SIZES = (4, 8, 16)  # bytes that a lane copies
WORD = 4  # bytes that are held against the bounds at once


def _bounded_address(body: Body, op: Op, operands: tuple[Value, ...], ty: Type) -> tuple[IrValue, IrValue]:
    """Emit the address (i64) of a lane's access through a descriptor, and an i1: all of it is within the bounds.

    A check fails if the first 4 bytes are within the descriptor's bounds, but not all.

    Args:
        operands: The descriptor, two offsets in bytes, and others that are ignored.
        ty: The type of the access.

    Raises:
        Declined: The kernel has asynchronous copies, or `global` is noted.
    """
    build = Builder(body)
    if body.program.copies or "global" in body.notes:
        raise Declined(Reason.BESIDE_COPIES_OR_COUNTERS, name=op.callee.removeprefix("@"))
    words = build.value(operands[0])
    if not isinstance(operands[0].type, Vector):
        words = build.bitcast(words, "<4 x i32>")
    return _resolve_descriptor(build, words, list(map(build.value, operands[1:3])), size_of(ty))


def _resolve_descriptor(
    build: Builder, vector: IrValue, offsets: Sequence[IrValue], size: int
) -> tuple[IrValue, IrValue]:
    """Emit the address (i64) that a descriptor and offsets give, and an i1: all `size` bytes are within its bounds.

    A check fails if the first 4 bytes are within them, but not all.

    Args:
        vector: The descriptor, four i32: the base address in the first two, the number of bytes in the third.
        offsets: Two offsets in bytes, unsigned i32, which are added.
        size: Bytes of the access.
    """
    words = [build.extract_element(vector, number) for number in range(3)]
    low, high, holds, at, more = (build.zext(number, "i64") for number in (*words, *offsets))
    start = build.or_(build.shl(high, 32), low)
    first = build.add(at, more)
    inside = build.icmp_unsigned("<=", build.add(first, size), holds)
    if size > WORD:
        some = build.icmp_unsigned("<=", build.add(first, WORD), holds)
        build.fail_if(build.xor(some, inside))
    return build.add(start, first), inside


@forms("bring")
def load(body: Body, op: Op, _how: str) -> None:
    """Emit a load with its checks through a descriptor; out of bounds it gives 0 and nothing else is checked.

    A check fails if only a part of it is within the descriptor's bounds.

    Raises:
        Declined: The kernel has asynchronous copies, or `global` is noted.
    """
    build = Builder(body)
    address, inside = _bounded_address(body, op, op.operands, op.type)
    build.define(op, build.value_if(inside, text(op.type), lambda: load_from(body, op, address)[0]))


@forms("put")
def store(body: Body, op: Op, _how: str) -> None:
    """Emit a store of the first operand with its checks through a descriptor, the second; out of bounds it does
    nothing and nothing else is checked.

    A check fails if only a part of it is within the descriptor's bounds.

    Raises:
        Declined: The kernel has asynchronous copies, or `global` is noted.
    """
    build = Builder(body)
    value, *descriptor = op.operands
    address, inside = _bounded_address(body, op, tuple(descriptor), value.type)
    names = build.all(value)
    with build.if_then(inside):
        store_to(body, op, address, names)


@forms("spread")
def spread(body: Body, op: Op, _how: str) -> None:
    """Emit an asynchronous copy through a descriptor to shared memory, under way until `counted` ends it.

    Each lane's bytes follow those of the lane before, from the shared address plus the last offset on. A check fails
    if a lane gives another shared address than lane 0 of its warp, or reads out of the descriptor's bounds.

    Raises:
        Declined: The size is not the constant 4, 8 or 16, or the last of the three offsets is no constant.
    """
    build = Builder(body)
    descriptor, pointer, size, offset, more, fixed, _ = op.operands
    if not isinstance(size, Const) or size.value not in SIZES or not isinstance(fixed, Const):
        raise Declined(Reason.INTRINSIC, name=op.callee.removeprefix("@"))
    base = build.value(pointer)
    build.fail_if(build.icmp_unsigned("!=", base, from_lane(body, pointer, constant("i32", 0), counted=False)))
    vector = build.bitcast(build.value(descriptor), "<4 x i32>")
    beyond = build.add(build.value(more), fixed.value)
    address, inside = _resolve_descriptor(build, vector, (build.value(offset), beyond), size.value)
    build.fail_if(build.xor(inside, TRUE))
    lane = build.and_(LANE, body.program.target.warp - 1)
    slot = build.add(base, build.add(constant("i64", fixed.value), build.mul(lane, size.value)))
    place = checked_address(body, slot, size.value, pointer)
    begin_copy(body, op, size.value, place, checked_address(body, address, size.value))
    set_flight(body, constant("i8", 2))


@forms("counted")
def counted(body: Body, op: Op, _how: str) -> None:
    """Emit that all copies have arrived, if the constant operand of AMD's `s_waitcnt` waits for all vector memory
    accesses (vmcnt 0); else emit nothing.
    """
    (counters,) = op.operands
    if isinstance(counters, Const) and not counters.value & 0xC00F:
        set_flight(body, LANDED)
