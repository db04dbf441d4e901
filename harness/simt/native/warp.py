"""What lanes of a warp do together, where all of it have come: each takes what the others brought to the wait."""

from collections.abc import Callable

from harness.simt.compile.graph import Op, Ref, Value
from harness.simt.ir.module import Const
from harness.simt.ir.types import Int, leaves
from harness.simt.native.body import Body
from harness.simt.native.declined import Declined
from harness.simt.native.text import suffix, text

__all__ = ["WARP", "brought"]

LANES = 32
REDUCTIONS = {"add": "add", "min": "smin", "max": "smax", "umin": "umin", "umax": "umax"}
REDUCTIONS |= {name: name for name in ("and", "or", "xor")}


def _all_of_it(mask: Value) -> None:
    if not isinstance(mask, Const) or mask.value & 0xFFFFFFFF != 0xFFFFFFFF:
        raise Declined("an exchange of a part of a warp")


def brought(body: Body, given: Value) -> int | None:
    """The number of the value of their own that lanes brought, if it is one."""
    return given.number if isinstance(given, Ref) and given.number not in body.params else None


def shuffle(body: Body, op: Op, mode: str) -> None:
    """What another lane brought."""
    mask, given, operand, control = op.operands
    _all_of_it(mask)
    new = body.new
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
    result = _of(body, given, new(f"select i1 {valid}, i32 {source}, i32 {lane}"))
    body.define(op, *((result, valid) if len(leaves(op.type)) > 1 else (result,)))


def _of(body: Body, given: Value, source: str) -> str:
    """What a lane of the warp brought, of which there must be one."""
    new, width = body.new, body.program.target.warp
    body.unless(new(f"icmp uge i32 {source}, {width}"))
    row = new(f"or i32 {new(f'and i32 %who, {-width}')}, {source}")
    if (number := brought(body, given)) is not None:
        return body.load_kept(number, 0, new(f"zext i32 {row} to i64"), "%snapshot")
    return body.value(given)


def other(body: Body, op: Op, rule: str) -> None:
    """What another lane brought, of all that are there: the vendors' rules without masks."""
    given, *numbers = op.operands if rule != "address" else op.operands[::-1]
    width, number = body.program.target.warp, "0"
    if numbers:
        number = body.value(numbers[0])
        if numbers[0].type != Int(32):
            number = body.new(f"sext {text(numbers[0].type)} {number} to i32")
    lane = body.new(f"and i32 %who, {width - 1}")
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
    body.define(op, _of(body, given, number))


def _gathered(body: Body, given: Value) -> tuple[str, str]:
    """(type, vector) of what all lanes of the warp brought."""
    ty = text(given.type)
    own, every = body.value(given), f"<{LANES} x {ty}>"
    if (number := brought(body, given)) is not None:
        kind, place = body.kept(number, 0, body.new("and i64 %lane, -32"), "%snapshot")
        found = body.new(f"load <{LANES} x {kind}>, ptr {place}, align 1")
        return every, found if kind == ty else body.new(f"trunc <{LANES} x {kind}> {found} to {every}")
    first = body.new(f"insertelement {every} poison, {ty} {own}, i32 0")
    return every, body.new(f"shufflevector {every} {first}, {every} poison, <{LANES} x i32> zeroinitializer")


def _bits(body: Body, truths: str) -> str:
    return body.new(f"bitcast <{LANES} x i1> {truths} to i{LANES}")


def vote(body: Body, op: Op, mode: str) -> None:
    """How many of the lanes' conditions hold."""
    mask, given = op.operands
    _all_of_it(mask)
    yes = _bits(body, _gathered(body, given)[1])
    if mode == "ballot":
        body.define(op, yes)
        return
    some, every = body.new(f"icmp ne i32 {yes}, 0"), body.new(f"icmp eq i32 {yes}, -1")
    if mode == "uni":
        every = body.new(f"or i1 {every}, {body.new(f'xor i1 {some}, true')}")
    body.define(op, some if mode == "any" else every)


def match(body: Body, op: Op, _how: str) -> None:
    """The lanes that brought the same."""
    mask, given = op.operands
    _all_of_it(mask)
    every, values = _gathered(body, given)
    first = body.new(f"insertelement {every} poison, {text(given.type)} {body.value(given)}, i32 0")
    mine = body.new(f"shufflevector {every} {first}, {every} poison, <{LANES} x i32> zeroinitializer")
    body.define(op, _bits(body, body.new(f"icmp eq {every} {values}, {mine}")))


def reduce(body: Body, op: Op, mode: str) -> None:
    """What all lanes brought, combined."""
    given, mask = op.operands
    _all_of_it(mask)
    if not isinstance(given.type, Int):
        raise Declined(f"a reduction of {given.type}")
    every, values = _gathered(body, given)
    name = f"llvm.vector.reduce.{REDUCTIONS[mode]}.v{LANES}{suffix(given.type)}"
    body.define(op, body.call(text(given.type), name, (every, values)))


def elect(body: Body, op: Op, _how: str) -> None:
    """The lowest lane of the warp is the leader."""
    _all_of_it(op.operands[0])
    lane = body.new(f"and i32 %who, {LANES - 1}")
    body.define(op, "0", body.new(f"icmp eq i32 {lane}, 0"))


def meet(_body: Body, op: Op, how: str) -> None:
    """They have come together, and have nothing else to do."""
    if how != "all":
        _all_of_it(op.operands[0])


WARP: dict[str, Callable[[Body, Op, str], None]] = {
    "shuffle": shuffle,
    "vote": vote,
    "elect": elect,
    "match": match,
    "meet": meet,
    "other": other,
    "reduce": reduce,
}
