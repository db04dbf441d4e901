"""AMD's accesses through a descriptor, where what lies out of its bounds reads 0 and is not written.

Of words of which some lie in its bounds and others do not nothing is proved. A copy to shared memory has the address
that the first lane of its wave gives, which must be that of all. Nothing is proved of one that reads nothing, nor
before all were waited for.
"""

from collections.abc import Sequence

from harness.simt.compile.graph import Op, Value
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.types import Type, Vector, size_of
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.ir_types import text
from harness.simt.native.lower.asynchronous_copies import LANDED, begin_copy, set_flight
from harness.simt.native.lower.exchanges import from_lane
from harness.simt.native.lower.memory import load_from, store_to
from harness.simt.native.lower.registry import forms
from harness.simt.native.sanitize.address import checked_address

__all__: list[str] = []

SIZES = (4, 8, 16)  # bytes that a lane copies
WORD = 4  # bytes that are held against the bounds at once


def _place(body: Body, op: Op, given: tuple[Value, ...], ty: Type) -> tuple[str, str]:
    """(the address, whether the descriptor allows the access) of a lane."""
    if body.program.copies or body.notes & {"shared", "global"}:
        raise Declined(Reason.BESIDE_COPIES_OR_COUNTERS, name=op.callee.removeprefix("@"))
    words = body.value(given[0])
    if not isinstance(given[0].type, Vector):
        words = body.new(f"bitcast i128 {words} to <4 x i32>")
    return _described(body, words, list(map(body.value, given[1:3])), size_of(ty))


def _described(body: Body, vector: str, offsets: Sequence[str], size: int) -> tuple[str, str]:
    """The same of so many bytes, by the four words of a descriptor."""
    new = body.new
    words = [new(f"extractelement <4 x i32> {vector}, i32 {number}") for number in range(3)]
    low, high, holds, at, more = (new(f"zext i32 {one} to i64") for one in (*words, *offsets))
    start = new(f"or i64 {new(f'shl i64 {high}, 32')}, {low}")
    first = new(f"add i64 {at}, {more}")
    inside = new(f"icmp ule i64 {new(f'add i64 {first}, {size}')}, {holds}")
    if size > WORD:
        some = new(f"icmp ule i64 {new(f'add i64 {first}, {WORD}')}, {holds}")
        body.unless(new(f"xor i1 {some}, {inside}"))
    return new(f"add i64 {start}, {first}"), inside


@forms("bring")
def load(body: Body, op: Op, _how: str) -> None:
    """What is there, or 0."""
    address, inside = _place(body, op, op.operands, op.type)
    body.define(op, body.chosen(inside, text(op.type), lambda: load_from(body, op, address)[0]))


@forms("put")
def store(body: Body, op: Op, _how: str) -> None:
    """Where the descriptor allows it."""
    value, *given = op.operands
    address, inside = _place(body, op, tuple(given), value.type)
    names = body.all(value)
    with body.only(inside):
        store_to(body, op, address, names)


@forms("spread")
def spread(body: Body, op: Op, _how: str) -> None:
    """A copy to neighbouring places, one of each lane."""
    descriptor, pointer, size, offset, more, fixed, _ = op.operands
    if not isinstance(size, Const) or size.value not in SIZES or not isinstance(fixed, Const):
        raise Declined(Reason.INTRINSIC, name=op.callee.removeprefix("@"))
    new, own = body.new, body.value(pointer)
    body.unless(new(f"icmp ne i64 {own}, {from_lane(body, pointer, '0', counted=False)}"))
    vector = new(f"bitcast i128 {body.value(descriptor)} to <4 x i32>")
    beyond = new(f"add i32 {body.value(more)}, {fixed.value}")
    address, inside = _described(body, vector, (body.value(offset), beyond), size.value)
    body.unless(new(f"xor i1 {inside}, true"))
    lane = new(f"and i64 %lane, {body.program.target.warp - 1}")
    slot = new(f"add i64 {own}, {new(f'add i64 {fixed.value}, ' + new(f'mul i64 {lane}, {size.value}'))}")
    begin_copy(
        body,
        op,
        size.value,
        checked_address(body, slot, size.value, pointer),
        checked_address(body, address, size.value),
    )
    set_flight(body, "2")


@forms("counted")
def counted(body: Body, op: Op, _how: str) -> None:
    """It waits until so many are under way at most: of all but none nothing is known here."""
    (counters,) = op.operands
    if isinstance(counters, Const) and not counters.value & 0xC00F:
        set_flight(body, LANDED)
