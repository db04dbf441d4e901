"""AMD's accesses through a descriptor, where what lies out of its bounds reads 0 and is not written."""

from collections.abc import Callable

from harness.simt.compile.graph import Op, Value
from harness.simt.ir.types import Type, size_of
from harness.simt.native.body import Body
from harness.simt.native.declined import Declined
from harness.simt.native.memory import loaded, stored_to
from harness.simt.native.text import text

__all__ = ["BUFFERS"]


def _place(body: Body, op: Op, given: tuple[Value, ...], ty: Type) -> tuple[str, str]:
    """(the address, whether the descriptor allows the access) of a lane."""
    if body.program.copies or body.notes & {"shared", "global"}:
        raise Declined(f"{op.callee.removeprefix('@')} beside copies or counters")
    new, (descriptor, *offsets) = body.new, given
    vector = body.value(descriptor)
    words = [new(f"extractelement <4 x i32> {vector}, i32 {number}") for number in range(3)]
    low, high, holds, at, more = (new(f"zext i32 {one} to i64") for one in (*words, *map(body.value, offsets[:2])))
    start = new(f"or i64 {new(f'shl i64 {high}, 32')}, {low}")
    inside = new(f"icmp ule i64 {new(f'add i64 {at}, {size_of(ty)}')}, {holds}")
    return new(f"add i64 {new(f'add i64 {start}, {at}')}, {more}"), inside


def load(body: Body, op: Op, _how: str) -> None:
    """What is there, or 0."""
    address, inside = _place(body, op, op.operands, op.type)
    before, there, behind = body.label(), body.name(), body.name()
    body.line(f"br i1 {inside}, label %{there}, label %{behind}")
    body.lines.append(f"{there}:")
    (value,) = loaded(body, op, address)
    last = body.label()
    body.line(f"br label %{behind}")
    body.lines.append(f"{behind}:")
    body.define(op, body.new(f"phi {text(op.type)} [ zeroinitializer, %{before} ], [ {value}, %{last} ]"))


def store(body: Body, op: Op, _how: str) -> None:
    """Where the descriptor allows it."""
    value, *given = op.operands
    address, inside = _place(body, op, tuple(given), value.type)
    names = body.all(value)
    there, behind = body.name(), body.name()
    body.line(f"br i1 {inside}, label %{there}, label %{behind}")
    body.lines.append(f"{there}:")
    stored_to(body, op, address, names)
    body.line(f"br label %{behind}")
    body.lines.append(f"{behind}:")


# What the words of `native=` mean; `memory` has their types.
BUFFERS: dict[str, Callable[[Body, Op, str], None]] = {"bring": load, "put": store}
