"""What lanes of a warp do together, where all of it have come: each takes what the others brought to the wait."""

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


def _named(body: Body, mask: Value) -> int:
    """The lanes that meet, as bits: where they do not come as one, `parts` sees to that.

    Nothing is proved of lanes that are found while it runs, unless these are all of the warp.
    """
    build = Builder(body)
    if isinstance(mask, Const):
        return mask.value & ALL_LANES
    build.fail_if(build.icmp_unsigned("!=", build.value(mask), -1))
    return ALL_LANES


def exchanged_values(body: Body, given: Value) -> int | None:
    """The number of the value of their own that lanes brought, if it is one.

    Raises:
        Declined: A part of it is undefined.
    """
    if not isinstance(given, Ref) or given.number in body.known:
        return None
    if any(body.holes(given, leaf) for leaf in range(len(leaves(given.type)))):
        raise Declined(Reason.UNDEFINED)
    return given.number


def snapshot(body: Body, number: int) -> None:
    """What lanes bring to an exchange stays as it is while the first of them go on."""
    build = Builder(body)
    for leaf in range(len(leaves(body.program.graph.types[number]))):
        at, size = body.layout.place(number, leaf)
        place = build.add(build.mul(THREADS, at), build.mul(FROM, size))
        source, target = (build.gep(memory, place, "i8") for memory in (SPILL, SNAPSHOT))
        count = build.mul(build.sub(TO, FROM), size)
        build.intrinsic("void", "llvm.memcpy.p0.p0.i64", target, source, count, FALSE)


@forms("shuffle")
def shuffle(body: Body, op: Op, mode: str) -> None:
    """What another lane brought."""
    build = Builder(body)
    mask, given, operand, control = op.operands
    named = _named(body, mask)
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
    if named != ALL_LANES:
        there = build.lshr(constant("i32", named), build.and_(source, 31))
        build.fail_if(build.xor(build.trunc(there, "i1"), TRUE))
    result = from_lane(body, given, source)
    build.define(op, *((result, valid) if len(leaves(op.type)) > 1 else (result,)))


def from_lane(body: Body, given: Value, source: IrValue, *, counted: bool = True) -> IrValue:
    """What a lane of the warp brought, of which there must be one.

    Args:
        counted: Whether that is an exchange in the kernel, which is counted.
    """
    build = Builder(body)
    body.tally.counts["shuffles"] += counted
    width = body.program.target.warp
    build.fail_if(build.icmp_unsigned(">=", source, width))
    row = build.or_(build.and_(WHO, -width), source)
    if (number := exchanged_values(body, given)) is not None:
        return IrValue(text(given.type), body.load_kept(number, 0, build.zext(row, "i64").name, SNAPSHOT.name))
    return build.value(given)


@forms("other")
def other(body: Body, op: Op, rule: str) -> None:
    """What another lane brought, of all that are there: the vendors' rules without masks."""
    build = Builder(body)
    given, *numbers = op.operands if rule != "address" else op.operands[::-1]
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
    build.define(op, from_lane(body, given, number))


def by_lane(body: Body, numbers: Sequence[int]) -> IrValue:
    """What the lane has of numbers for each of the warp, an i32."""
    return Builder(body).extract_element(vector([constant("i32", number) for number in numbers]), _lane(body))


def _lane(body: Body) -> IrValue:
    return Builder(body).and_(WHO, body.program.target.warp - 1)


@forms("swizzle")
def swizzle(body: Body, op: Op, _how: str) -> None:
    """What another lane brought, by a pattern that the code says."""
    build = Builder(body)
    given, pattern = op.operands
    assert isinstance(pattern, Const)
    numbers = swizzle_lanes(pattern.value & 0xFFFF, np.arange(body.program.target.warp))
    build.define(op, from_lane(body, given, by_lane(body, numbers.tolist())))


@forms("dpp")
def dpp(body: Body, op: Op, _how: str) -> None:
    """The same, or nothing, or what there was before."""
    build = Builder(body)
    old, given, *rest = op.operands
    control, rows, banks, fills = (one.value for one in rest if isinstance(one, Const))
    lane = np.arange(body.program.target.warp)
    try:
        source, exists = dpp_lanes(control, lane, len(lane))
    except Unsupported:
        raise Declined(Reason.INTRINSIC, name="llvm.amdgcn.update.dpp") from None
    there = exists & (source >= 0) & (source < len(lane))
    taken = (rows >> (lane >> 4) & 1 != 0) & (banks >> (lane >> 2 & 3) & 1 != 0) & (there | bool(fills))
    result = from_lane(body, given, by_lane(body, np.where(there, source, lane).tolist()))
    for kept, other in ((there | ~taken, zero(result.type)), (taken, None)):
        if not kept.all():
            mine = build.icmp_unsigned("!=", by_lane(body, kept.astype(int).tolist()), 0)
            result = build.select(mine, result, build.value(old) if other is None else other)
    build.define(op, result)


def _gathered(body: Body, given: Value) -> IrValue:
    """A vector of what all lanes of the warp brought."""
    build, lanes = Builder(body), body.program.target.warp
    own = build.value(given)
    every = f"<{lanes} x {own.type}>"
    if (number := exchanged_values(body, given)) is not None:
        kind, place = build.lane_storage(number, 0, build.and_(LANE, -lanes), SNAPSHOT)
        found = build.load(place, f"<{lanes} x {kind}>", align=1)
        return found if kind == own.type else build.trunc(found, every)
    return build.broadcast(every, own)


def _bits(body: Body, truths: IrValue) -> IrValue:
    return Builder(body).bitcast(truths, f"i{body.program.target.warp}")


@forms("vote")
def vote(body: Body, op: Op, mode: str) -> None:
    """How many of the lanes' conditions hold."""
    build = Builder(body)
    *mask, given = op.operands
    every = _named(body, mask[0]) if mask else -1
    yes = build.and_(_bits(body, _gathered(body, given)), every)
    if mode == "ballot":
        if op.type != Int(body.program.target.warp):
            raise Declined(Reason.VOTE, type=op.type)
        build.define(op, yes)
        return
    some, whole = build.icmp_unsigned("!=", yes, 0), build.icmp_unsigned("==", yes, every)
    if mode == "uni":
        whole = build.or_(whole, build.xor(some, TRUE))
    build.define(op, some if mode == "any" else whole)


@forms("match")
def match(body: Body, op: Op, _how: str) -> None:
    """The lanes that brought the same."""
    build = Builder(body)
    mask, given = op.operands
    named = _named(body, mask)
    values = _gathered(body, given)
    mine = build.broadcast(values.type, build.value(given))
    build.define(op, build.and_(_bits(body, build.icmp_unsigned("==", values, mine)), named))


@forms("reduce")
def reduce(body: Body, op: Op, mode: str) -> None:
    """What all lanes brought, combined."""
    build = Builder(body)
    given, mask = op.operands
    named = _named(body, mask)
    if not isinstance(given.type, Int):
        raise Declined(Reason.REDUCTION, type=given.type)
    values = _gathered(body, given)
    if named != ALL_LANES:  # in place of the others is what changes nothing
        there = vector([IrValue("i1", str(named >> lane & 1)) for lane in range(LANES)])
        neutral = constant(text(given.type), 0) if mode in ("add", "xor") else build.value(given)
        values = build.select(there, values, build.broadcast(values.type, neutral))
    name = f"llvm.vector.reduce.{REDUCTIONS[mode]}.v{LANES}{suffix(given.type)}"
    build.define(op, build.intrinsic(text(given.type), name, values))


@forms("elect")
def elect(body: Body, op: Op, _how: str) -> None:
    """The lowest lane of those that meet is the leader."""
    build = Builder(body)
    if _named(body, op.operands[0]) != ALL_LANES:
        raise Declined(Reason.PARTIAL_LEADER)
    lane = build.and_(WHO, LANES - 1)
    build.define(op, constant("i32", 0), build.icmp_unsigned("==", lane, 0))


@forms("meet")
def meet(body: Body, op: Op, how: str) -> None:
    """They have come together, and have nothing else to do: what a part of a warp orders is not known here."""
    if how != "all" and _named(body, op.operands[0]) != ALL_LANES:
        raise Declined(Reason.PARTIAL_MEETING)
