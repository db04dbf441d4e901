"""How values are chosen, taken apart and put together; a part that is undefined may be put in before it is used."""

from harness.simt.compile.graph import Op, shuffle_indices
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.types import Vector, element_of, leaves, leaves_of
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.ir_types import suffix, text
from harness.simt.native.lower.registry import forms, lowers

__all__: list[str] = []


@lowers("select")
def select(body: Body, op: Op) -> None:
    condition, yes, no = op.operands
    by = f"{text(condition.type)} {body.value(condition)}"
    parts = zip(leaves(op.type), body.all(yes), body.all(no), strict=True)
    body.define(op, *(body.new(f"select {by}, {text(ty)} {a}, {text(ty)} {b}") for (ty, _), a, b in parts))


@lowers("freeze")
def freeze(body: Body, op: Op) -> None:
    body.define(op, *body.all(op.operands[0]))


@lowers("addrspacecast")
def moved(body: Body, op: Op) -> None:
    body.define(op, body.raw(op.operands[0]))


@lowers("extractvalue")
def extract_value(body: Body, op: Op) -> None:
    (whole,) = op.operands
    start, stop = leaves_of(whole.type, op.attrs["indices"])
    body.define(op, *(body.raw(whole, leaf) for leaf in range(start, stop)))


@lowers("insertvalue")
def insert_value(body: Body, op: Op) -> None:
    whole, part = op.operands
    start, stop = leaves_of(whole.type, op.attrs["indices"])
    names = [body.raw(whole, leaf) for leaf in range(len(leaves(whole.type)))]
    names[start:stop] = [body.raw(part, leaf) for leaf in range(stop - start)]
    body.define(op, *names)


def _index(body: Body, op: Op, place: int) -> str:
    """The number of an element, as an i64 within the vector."""
    index, ty = op.operands[place], op.operands[0].type
    assert isinstance(ty, Vector)
    length = ty.length
    if isinstance(index, Const):
        if not 0 <= index.value < length:
            raise Declined(Reason.NO_SUCH_ELEMENT)
        return f"i64 {index.value}"
    name, kind = body.value(index), text(index.type)
    # LLVM's own passes end the process where they would have to freeze a number that they bound.
    name = body.new(f"freeze {kind} {name}")
    body.unless(body.new(f"icmp uge {kind} {name}, {length}"))
    return f"{kind} {name}"


@lowers("extractelement")
def extract_element(body: Body, op: Op) -> None:
    vector, index = op.operands[0], _index(body, op, 1)
    body.define(op, body.new(f"extractelement {text(vector.type)} {body.raw(vector)}, {index}"))


@lowers("insertelement")
def insert_element(body: Body, op: Op) -> None:
    vector, element, _ = op.operands
    index = _index(body, op, 2)
    part = f"{text(element_of(vector.type))} {body.value(element)}"
    body.define(op, body.new(f"insertelement {text(vector.type)} {body.raw(vector)}, {part}, {index}"))


@lowers("shufflevector")
def shuffle(body: Body, op: Op) -> None:
    left, right, _ = op.operands
    numbers, ty = ["i32 poison" if number < 0 else f"i32 {number}" for number in shuffle_indices(op)], text(left.type)
    mask = f"<{len(numbers)} x i32> <{', '.join(numbers)}>"
    body.define(op, body.new(f"shufflevector {ty} {body.raw(left)}, {ty} {body.raw(right)}, {mask}"))


@forms("combine")
def _combined(body: Body, op: Op, name: str) -> None:
    """All elements of a vector of integers in one."""
    (vector,) = op.operands
    name = f"llvm.vector.reduce.{name}.{suffix(vector.type)}"
    body.define(op, body.call(text(op.type), name, (text(vector.type), body.value(vector))))
