"""What lanes of a warp do together, where all of it have come: each takes what the others brought to the wait."""

from collections.abc import Iterator, Sequence

import numpy as np

from harness.simt.compile.graph import Op, Ref, Value
from harness.simt.declined import Declined, Reason
from harness.simt.errors import Unsupported
from harness.simt.ir.module import Const
from harness.simt.ir.types import Int, bits_of, leaves
from harness.simt.native.analysis.lane_groups import ALL_LANES
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.ir_types import suffix, text
from harness.simt.native.lower.registry import forms
from harness.simt.ops.lanes import dpp_lanes, swizzle_lanes

__all__ = ["by_lane", "exchanged_values", "from_lane", "snapshot"]

LANES = 32
REDUCTIONS = {"add": "add", "min": "smin", "max": "smax", "umin": "umin", "umax": "umax"}
REDUCTIONS |= {name: name for name in ("and", "or", "xor")}


def _named(body: Body, mask: Value) -> int:
    """The lanes that meet, as bits: where they do not come as one, `parts` sees to that.

    Nothing is proved of lanes that are found while it runs, unless these are all of the warp.
    """
    if isinstance(mask, Const):
        return mask.value & ALL_LANES
    body.unless(body.new(f"icmp ne i32 {body.value(mask)}, -1"))
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


def snapshot(body: Body, k: int, number: int) -> Iterator[str]:
    """What lanes bring to an exchange, the first of piece k, stays as it is while the first of them go on."""
    body.declared.add("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    for leaf in range(len(leaves(body.program.graph.types[number]))):
        at, size = body.layout.place(number, leaf)
        name = f"{k}.{number}.{leaf}"
        yield f"""  %start{name} = mul i64 %threads, {at}
  %skip{name} = mul i64 %from, {size}
  %place{name} = add i64 %start{name}, %skip{name}
  %of{name} = getelementptr i8, ptr %spill, i64 %place{name}
  %to{name} = getelementptr i8, ptr %snapshot, i64 %place{name}
  %count{name} = sub i64 %to, %from
  %bytes{name} = mul i64 %count{name}, {size}
  call void @llvm.memcpy.p0.p0.i64(ptr %to{name}, ptr %of{name}, i64 %bytes{name}, i1 false)"""


@forms("shuffle")
def shuffle(body: Body, op: Op, mode: str) -> None:
    """What another lane brought."""
    mask, given, operand, control = op.operands
    named, new = _named(body, mask), body.new
    lane = new("and i32 %who, 31")
    step, bounds = new(f"and i32 {body.value(operand)}, 31"), body.value(control)
    clamp = new(f"and i32 {bounds}, 31")
    segment = new(f"and i32 {new(f'lshr i32 {bounds}, 8')}, 31")
    outside = new(f"xor i32 {segment}, -1")
    base = new(f"and i32 {lane}, {segment}")
    last = new(f"or i32 {base}, {new(f'and i32 {clamp}, {outside}')}")
    if mode == "idx":
        source = new(f"or i32 {base}, {new(f'and i32 {step}, {outside}')}")
    else:
        source = new(f"{ {'up': 'sub', 'down': 'add', 'bfly': 'xor'}[mode] } i32 {lane}, {step}")
    valid = new(f"icmp {'sge' if mode == 'up' else 'sle'} i32 {source}, {last}")
    source = new(f"select i1 {valid}, i32 {source}, i32 {lane}")
    if named != ALL_LANES:
        there = new(f"lshr i32 {named}, {new(f'and i32 {source}, 31')}")
        body.unless(new(f"xor i1 {new(f'trunc i32 {there} to i1')}, true"))
    result = from_lane(body, given, source)
    body.define(op, *((result, valid) if len(leaves(op.type)) > 1 else (result,)))


def from_lane(body: Body, given: Value, source: str, *, counted: bool = True) -> str:
    """What a lane of the warp brought, of which there must be one.

    Args:
        counted: Whether that is an exchange in the kernel, which is counted.
    """
    body.tally.piece["shuffles"] += counted
    new, width = body.new, body.program.target.warp
    body.unless(new(f"icmp uge i32 {source}, {width}"))
    row = new(f"or i32 {new(f'and i32 %who, {-width}')}, {source}")
    if (number := exchanged_values(body, given)) is not None:
        return body.load_kept(number, 0, new(f"zext i32 {row} to i64"), "%snapshot")
    return body.value(given)


@forms("other")
def other(body: Body, op: Op, rule: str) -> None:
    """What another lane brought, of all that are there: the vendors' rules without masks."""
    given, *numbers = op.operands if rule != "address" else op.operands[::-1]
    width, number = body.program.target.warp, "0"
    if numbers:
        number = body.value(numbers[0])
        if numbers[0].type != Int(32):
            if bits_of(numbers[0].type) > 32:
                raise Declined(Reason.LANE_NUMBER, type=numbers[0].type)
            number = body.new(f"sext {text(numbers[0].type)} {number} to i32")
    lane = _lane(body)
    match rule:
        case "xor":
            number = body.new(f"xor i32 {lane}, {number}")
        case "up" | "down":  # past the edge a lane keeps its own value
            source = body.new(f"{'sub' if rule == 'up' else 'add'} i32 {lane}, {number}")
            inside = body.new(f"icmp ult i32 {source}, {width}")
            number = body.new(f"select i1 {inside}, i32 {source}, i32 {lane}")
        case "address":
            number = body.new(f"and i32 {body.new(f'ashr i32 {number}, 2')}, {width - 1}")
        case "wrapped":
            number = body.new(f"and i32 {number}, {width - 1}")
    body.define(op, from_lane(body, given, number))


def by_lane(body: Body, numbers: Sequence[int]) -> str:
    """What the lane has of numbers for each of the warp, an i32."""
    every = ", ".join(f"i32 {number}" for number in numbers)
    return body.new(f"extractelement <{len(numbers)} x i32> <{every}>, i32 {_lane(body)}")


def _lane(body: Body) -> str:
    return body.new(f"and i32 %who, {body.program.target.warp - 1}")


@forms("swizzle")
def swizzle(body: Body, op: Op, _how: str) -> None:
    """What another lane brought, by a pattern that the code says."""
    given, pattern = op.operands
    assert isinstance(pattern, Const)
    numbers = swizzle_lanes(pattern.value & 0xFFFF, np.arange(body.program.target.warp))
    body.define(op, from_lane(body, given, by_lane(body, numbers.tolist())))


@forms("dpp")
def dpp(body: Body, op: Op, _how: str) -> None:
    """The same, or nothing, or what there was before."""
    old, given, *rest = op.operands
    control, rows, banks, zero = (one.value for one in rest if isinstance(one, Const))
    lane = np.arange(body.program.target.warp)
    try:
        source, exists = dpp_lanes(control, lane, len(lane))
    except Unsupported:
        raise Declined(Reason.INTRINSIC, name="llvm.amdgcn.update.dpp") from None
    there = exists & (source >= 0) & (source < len(lane))
    taken = (rows >> (lane >> 4) & 1 != 0) & (banks >> (lane >> 2 & 3) & 1 != 0) & (there | bool(zero))
    result, ty = from_lane(body, given, by_lane(body, np.where(there, source, lane).tolist())), text(op.type)
    for kept, other in ((there | ~taken, "zeroinitializer"), (taken, None)):
        if not kept.all():
            mine = body.new(f"icmp ne i32 {by_lane(body, kept.astype(int).tolist())}, 0")
            result = body.new(f"select i1 {mine}, {ty} {result}, {ty} {other or body.value(old)}")
    body.define(op, result)


def _gathered(body: Body, given: Value) -> tuple[str, str]:
    """(type, vector) of what all lanes of the warp brought."""
    ty, lanes = text(given.type), body.program.target.warp
    own, every = body.value(given), f"<{lanes} x {ty}>"
    if (number := exchanged_values(body, given)) is not None:
        kind, place = body.kept(number, 0, body.new(f"and i64 %lane, {-lanes}"), "%snapshot")
        found = body.new(f"load <{lanes} x {kind}>, ptr {place}, align 1")
        return every, found if kind == ty else body.new(f"trunc <{lanes} x {kind}> {found} to {every}")
    first = body.new(f"insertelement {every} poison, {ty} {own}, i32 0")
    return every, body.new(f"shufflevector {every} {first}, {every} poison, <{lanes} x i32> zeroinitializer")


def _bits(body: Body, truths: str) -> str:
    lanes = body.program.target.warp
    return body.new(f"bitcast <{lanes} x i1> {truths} to i{lanes}")


@forms("vote")
def vote(body: Body, op: Op, mode: str) -> None:
    """How many of the lanes' conditions hold."""
    *mask, given = op.operands
    every = f"{_named(body, mask[0])}" if mask else "-1"
    yes = body.new(f"and i{body.program.target.warp} {_bits(body, _gathered(body, given)[1])}, {every}")
    if mode == "ballot":
        if op.type != Int(body.program.target.warp):
            raise Declined(Reason.VOTE, type=op.type)
        body.define(op, yes)
        return
    some, whole = body.new(f"icmp ne i32 {yes}, 0"), body.new(f"icmp eq i32 {yes}, {every}")
    if mode == "uni":
        whole = body.new(f"or i1 {whole}, {body.new(f'xor i1 {some}, true')}")
    body.define(op, some if mode == "any" else whole)


@forms("match")
def match(body: Body, op: Op, _how: str) -> None:
    """The lanes that brought the same."""
    mask, given = op.operands
    named = _named(body, mask)
    every, values = _gathered(body, given)
    first = body.new(f"insertelement {every} poison, {text(given.type)} {body.value(given)}, i32 0")
    mine = body.new(f"shufflevector {every} {first}, {every} poison, <{LANES} x i32> zeroinitializer")
    body.define(op, body.new(f"and i32 {_bits(body, body.new(f'icmp eq {every} {values}, {mine}'))}, {named}"))


@forms("reduce")
def reduce(body: Body, op: Op, mode: str) -> None:
    """What all lanes brought, combined."""
    given, mask = op.operands
    named = _named(body, mask)
    if not isinstance(given.type, Int):
        raise Declined(Reason.REDUCTION, type=given.type)
    every, values = _gathered(body, given)
    if named != ALL_LANES:  # in place of the others is what changes nothing
        there = ", ".join(f"i1 {named >> lane & 1}" for lane in range(LANES))
        neutral = "0" if mode in ("add", "xor") else body.value(given)
        first = body.new(f"insertelement {every} poison, {text(given.type)} {neutral}, i32 0")
        all_of_it = body.new(f"shufflevector {every} {first}, {every} poison, <{LANES} x i32> zeroinitializer")
        values = body.new(f"select <{LANES} x i1> <{there}>, {every} {values}, {every} {all_of_it}")
    name = f"llvm.vector.reduce.{REDUCTIONS[mode]}.v{LANES}{suffix(given.type)}"
    body.define(op, body.call(text(given.type), name, (every, values)))


@forms("elect")
def elect(body: Body, op: Op, _how: str) -> None:
    """The lowest lane of those that meet is the leader."""
    if _named(body, op.operands[0]) != ALL_LANES:
        raise Declined(Reason.PARTIAL_LEADER)
    lane = body.new(f"and i32 %who, {LANES - 1}")
    body.define(op, "0", body.new(f"icmp eq i32 {lane}, 0"))


@forms("meet")
def meet(body: Body, op: Op, how: str) -> None:
    """They have come together, and have nothing else to do: what a part of a warp orders is not known here."""
    if how != "all" and _named(body, op.operands[0]) != ALL_LANES:
        raise Declined(Reason.PARTIAL_MEETING)
