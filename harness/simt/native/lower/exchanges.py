"""Lowerings of warp exchanges: shuffles, votes, matches, reductions, AMD's patterns; the snapshot of lanes' values.

All lanes of the warp have come to a wait; each reads the values that others had there.
"""

from collections.abc import Sequence

import numpy as np

from harness.simt.compile.graph import Op, Ref, Value
from harness.simt.declined import Declined, Reason
from harness.simt.errors import Unsupported
from harness.simt.ir.module import Const
from harness.simt.ir.types import Int, bits_of, leaves
from harness.simt.native.analysis.lane_groups import ALL_LANES
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_types import suffix, text
from harness.simt.native.emit.ir_values import FALSE, TRUE, IrValue, constant, vector, zero
from harness.simt.native.emit.lane_values import FROM, LANE, THREADS, TO, WHO
from harness.simt.native.lower.registry import forms
from harness.simt.ops.lanes import dpp_lanes, swizzle_lanes

__all__ = ["SNAPSHOT", "by_lane", "exchanged_values", "from_lane", "snapshot"]

LANES = 32
SPILL, SNAPSHOT = IrValue("ptr", "%spill"), IrValue("ptr", "%snapshot")  # what lanes keep, and what they brought
REDUCTIONS = {"add": "add", "min": "smin", "max": "smax", "umin": "umin", "umax": "umax"}
REDUCTIONS |= {name: name for name in ("and", "or", "xor")}


def _named_lanes(body: Body, mask: Value) -> int:
    """Return the lanes that a mask names, as a Python number of 32 bits.

    A mask that is no constant counts as full, and a check is emitted that it is.
    """
    build = Builder(body)
    if isinstance(mask, Const):
        return mask.value & ALL_LANES
    build.fail_if(build.icmp_unsigned("!=", build.value(mask), -1))
    return ALL_LANES


def exchanged_values(body: Body, operand: Value) -> int | None:
    """Return the number of the value that each lane keeps so that others can read the operand; emits nothing.

    None for constants, parameters and fixed addresses, which all lanes know.

    Raises:
        Declined: A part of it is undefined.
    """
    if not isinstance(operand, Ref) or operand.number in body.known:
        return None
    if any(body.holes(operand, leaf) for leaf in range(len(leaves(operand.type)))):
        raise Declined(Reason.UNDEFINED)
    return operand.number


def snapshot(body: Body, number: int) -> None:
    """Emit a copy of a value of the lanes from `%from` up to `%to` from `%spill` to `%snapshot`.

    Exchanges read the copy, since the first lanes that go on may change the original.
    """
    build = Builder(body)
    for leaf in range(len(leaves(body.program.graph.types[number]))):
        at, size = body.layout.place(number, leaf)
        place = build.add(build.mul(THREADS, at), build.mul(FROM, size))
        source, target = (build.gep(memory, place, "i8") for memory in (SPILL, SNAPSHOT))
        count = build.mul(build.sub(TO, FROM), size)
        build.intrinsic("void", "llvm.memcpy.p0.p0.i64", target, source, count, FALSE)


@forms("shuffle")
def shuffle(body: Body, op: Op, mode: str) -> None:
    """Emit the value of another lane, as `shfl.sync` of PTX selects it; the lane's own value if the other is not valid.

    A second part of the result is whether it is valid, if the instruction's type has one. A check fails if the mask
    does not name the other lane, or is neither constant nor full.

    Args:
        mode: `idx`, `up`, `down` or `bfly`.
    """
    build = Builder(body)
    mask, value, operand, control = op.operands
    lanes = _named_lanes(body, mask)
    lane = build.and_(WHO, 31)
    step, bounds = build.and_(build.value(operand), 31), build.value(control)
    clamp = build.and_(bounds, 31)
    segment = build.and_(build.lshr(bounds, 8), 31)
    outside = build.xor(segment, -1)
    base = build.and_(lane, segment)
    last = build.or_(base, build.and_(clamp, outside))
    if mode == "idx":
        source = build.or_(base, build.and_(step, outside))
    else:
        source = build.binary({"up": "sub", "down": "add", "bfly": "xor"}[mode], lane, step)
    valid = build.icmp_signed(">=" if mode == "up" else "<=", source, last)
    source = build.select(valid, source, lane)
    if lanes != ALL_LANES:
        there = build.lshr(constant("i32", lanes), build.and_(source, 31))
        build.fail_if(build.xor(build.trunc(there, "i1"), TRUE))
    result = from_lane(body, value, source)
    build.define(op, *((result, valid) if len(leaves(op.type)) > 1 else (result,)))


def from_lane(body: Body, operand: Value, source: IrValue, *, counted: bool = True) -> IrValue:
    """Emit the value of a lane of the warp, as it was at the wait; a check fails if its number is not below the warp's.

    Args:
        source: The lane's number in its warp, an i32.
        counted: Whether it is an exchange of the kernel itself: then `body.tally` counts a shuffle.
    """
    build = Builder(body)
    body.tally.counts["shuffles"] += counted
    width = body.program.target.warp
    build.fail_if(build.icmp_unsigned(">=", source, width))
    row = build.or_(build.and_(WHO, -width), source)
    if (number := exchanged_values(body, operand)) is not None:
        return IrValue(text(operand.type), body.load_kept(number, 0, build.zext(row, "i64").name, SNAPSHOT.name))
    return build.value(operand)


@forms("other")
def other(body: Body, op: Op, rule: str) -> None:
    """Emit the value of another lane, by one of the vendors' rules without masks.

    Args:
        rule: `xor`, `up` or `down` (by a distance; past the edge a lane keeps its value), `address` (4 times the lane's
            number), `wrapped` (the lane's number modulo the warp), or any other for the lane's number, which is 0 if
            there is no operand for it.

    Raises:
        Declined: The lane's number has more than 32 bits.
    """
    build = Builder(body)
    value, *numbers = op.operands if rule != "address" else op.operands[::-1]
    width, number = body.program.target.warp, constant("i32", 0)
    if numbers:
        number = build.value(numbers[0])
        if numbers[0].type != Int(32):
            if bits_of(numbers[0].type) > 32:
                raise Declined(Reason.LANE_NUMBER, type=numbers[0].type)
            number = build.sext(number, "i32")
    lane = _lane(body)
    match rule:
        case "xor":
            number = build.xor(lane, number)
        case "up" | "down":  # past the edge a lane keeps its own value
            source = build.binary("sub" if rule == "up" else "add", lane, number)
            inside = build.icmp_unsigned("<", source, width)
            number = build.select(inside, source, lane)
        case "address":
            number = build.and_(build.ashr(number, 2), width - 1)
        case "wrapped":
            number = build.and_(number, width - 1)
    build.define(op, from_lane(body, value, number))


def by_lane(body: Body, numbers: Sequence[int]) -> IrValue:
    """Emit the lane's number of a list that has one for each lane of the warp, as an i32."""
    return Builder(body).extract_element(vector([constant("i32", number) for number in numbers]), _lane(body))


def _lane(body: Body) -> IrValue:
    return Builder(body).and_(WHO, body.program.target.warp - 1)


@forms("swizzle")
def swizzle(body: Body, op: Op, _how: str) -> None:
    """Emit the value of another lane, by a constant pattern of AMD's `ds_swizzle`."""
    build = Builder(body)
    value, pattern = op.operands
    assert isinstance(pattern, Const)
    numbers = swizzle_lanes(pattern.value & 0xFFFF, np.arange(body.program.target.warp))
    build.define(op, from_lane(body, value, by_lane(body, numbers.tolist())))


@forms("dpp")
def dpp(body: Body, op: Op, _how: str) -> None:
    """Emit the value of another lane, as AMD's `update.dpp` selects it.

    It is the old value where a mask leaves the lane out. Where there is no such other lane it is 0 if the last operand
    is true, otherwise the old value.

    Raises:
        Declined: The control word is unknown.
    """
    build = Builder(body)
    old, value, *rest = op.operands
    control, row_mask, banks, fills = (item.value for item in rest if isinstance(item, Const))
    lane = np.arange(body.program.target.warp)
    try:
        source, exists = dpp_lanes(control, lane, len(lane))
    except Unsupported:
        raise Declined(Reason.INTRINSIC, name="llvm.amdgcn.update.dpp") from None
    there = exists & (source >= 0) & (source < len(lane))
    writes = (row_mask >> (lane >> 4) & 1 != 0) & (banks >> (lane >> 2 & 3) & 1 != 0) & (there | bool(fills))
    result = from_lane(body, value, by_lane(body, np.where(there, source, lane).tolist()))
    for keeps, other in ((there | ~writes, zero(result.type)), (writes, None)):
        if not keeps.all():
            mine = build.icmp_unsigned("!=", by_lane(body, keeps.astype(int).tolist()), 0)
            result = build.select(mine, result, build.value(old) if other is None else other)
    build.define(op, result)


def _gather(body: Body, operand: Value) -> IrValue:
    """Emit a vector of the operand's values in all lanes of the warp, as they were at the wait."""
    build, lanes = Builder(body), body.program.target.warp
    value = build.value(operand)
    every = f"<{lanes} x {value.type}>"
    if (number := exchanged_values(body, operand)) is not None:
        kind, place = build.lane_storage(number, 0, build.and_(LANE, -lanes), SNAPSHOT)
        gathered = build.load(place, f"<{lanes} x {kind}>", align=1)
        return gathered if kind == value.type else build.trunc(gathered, every)
    return build.broadcast(every, value)


def _bits(body: Body, truths: IrValue) -> IrValue:
    return Builder(body).bitcast(truths, f"i{body.program.target.warp}")


@forms("vote")
def vote(body: Body, op: Op, mode: str) -> None:
    """Emit the vote of the lanes' conditions; with a mask operand, only the lanes that it names vote.

    A check fails if the mask is neither constant nor full.

    Args:
        mode: `ballot` for the lanes where it holds, as bits; `any`, `all`, or `uni` for all or none.

    Raises:
        Declined: A ballot has not as many bits as the warp has lanes.
    """
    build = Builder(body)
    *mask, condition = op.operands
    every = _named_lanes(body, mask[0]) if mask else -1
    yes = build.and_(_bits(body, _gather(body, condition)), every)
    if mode == "ballot":
        if op.type != Int(body.program.target.warp):
            raise Declined(Reason.VOTE, type=op.type)
        build.define(op, yes)
        return
    some, all_hold = build.icmp_unsigned("!=", yes, 0), build.icmp_unsigned("==", yes, every)
    if mode == "uni":
        all_hold = build.or_(all_hold, build.xor(some, TRUE))
    build.define(op, some if mode == "any" else all_hold)


@forms("match")
def match(body: Body, op: Op, _how: str) -> None:
    """Emit a mask of the lanes that brought the same value as this lane, among those that the first operand names.

    A check fails if the first operand is neither constant nor full.
    """
    build = Builder(body)
    mask, value = op.operands
    lanes = _named_lanes(body, mask)
    values = _gather(body, value)
    mine = build.broadcast(values.type, build.value(value))
    build.define(op, build.and_(_bits(body, build.icmp_unsigned("==", values, mine)), lanes))


@forms("reduce")
def reduce(body: Body, op: Op, mode: str) -> None:
    """Emit the combination of the values of all lanes that a mask names.

    A check fails if the mask is neither constant nor full.

    Args:
        mode: `add`, `and`, `or`, `xor`; `min` and `max` of signed, `umin` and `umax` of unsigned integers.

    Raises:
        Declined: The value is no integer.
    """
    build = Builder(body)
    value, mask = op.operands
    lanes = _named_lanes(body, mask)
    if not isinstance(value.type, Int):
        raise Declined(Reason.REDUCTION, type=value.type)
    values = _gather(body, value)
    if lanes != ALL_LANES:  # in place of the others is what changes nothing
        there = vector([IrValue("i1", str(lanes >> lane & 1)) for lane in range(LANES)])
        neutral = constant(text(value.type), 0) if mode in ("add", "xor") else build.value(value)
        values = build.select(there, values, build.broadcast(values.type, neutral))
    name = f"llvm.vector.reduce.{REDUCTIONS[mode]}.v{LANES}{suffix(value.type)}"
    build.define(op, build.intrinsic(text(value.type), name, values))


@forms("elect")
def elect(body: Body, op: Op, _how: str) -> None:
    """Emit the leader of a warp, lane 0, and whether this lane is the leader.

    A check fails if a mask which is no constant does not name all lanes.

    Raises:
        Declined: A constant mask does not name all lanes.
    """
    build = Builder(body)
    if _named_lanes(body, op.operands[0]) != ALL_LANES:
        raise Declined(Reason.PARTIAL_LEADER)
    lane = build.and_(WHO, LANES - 1)
    build.define(op, constant("i32", 0), build.icmp_unsigned("==", lane, 0))


@forms("meet")
def meet(body: Body, op: Op, how: str) -> None:
    """Emit a check that a mask which is no constant names the whole warp; else nothing, since the wait is elsewhere.

    Raises:
        Declined: A constant mask does not name all lanes.
    """
    if how != "all" and _named_lanes(body, op.operands[0]) != ALL_LANES:
        raise Declined(Reason.PARTIAL_MEETING)
