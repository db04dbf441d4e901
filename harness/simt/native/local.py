"""Local variables as a whole: where their life begins, copied and filled, with what is known of each byte."""

from harness.simt.compile.graph import Op
from harness.simt.ir.module import Const
from harness.simt.ir.types import Int, Vector
from harness.simt.native.body import Body
from harness.simt.native.declined import Declined
from harness.simt.native.layout import ALLOCATION
from harness.simt.native.memory import own
from harness.simt.native.spots import Spot, aligned, spot
from harness.simt.state.allocation import Access

__all__ = ["begin", "fill", "move"]


def begin(body: Body, op: Op, _how: str = "") -> None:
    """Of a local variable whose life begins, or begins anew, nothing is written."""
    pointer = op.operands[-1]
    number = pointer.value if op.opcode == "alloca" and isinstance(pointer, Const) else own(body, pointer)
    if number is None:
        raise Declined("a life that begins elsewhere")
    row = number * len(ALLOCATION)
    size, written = (
        body.new(f"load i64, ptr {body.new(f'getelementptr i64, ptr %table, i64 {row + ALLOCATION[name]}')}")
        for name in ("stride", "written")
    )
    at = body.new(f"add i64 {written}, {body.new(f'mul i64 %lane, {size}')}")
    body.line(f"call void @llvm.memset.p0.i64(ptr {body.pointer(at)}, i8 0, i64 {size}, i1 false)")


def _of(body: Body, op: Op, number: int) -> tuple[Spot, int]:
    """The bytes from the address on that an operand is, and how many are meant."""
    size = op.operands[2]
    if not isinstance(size, Const) or not size.value:
        raise Declined(op.callee.removeprefix("@"))
    where = spot(body, body.value(op.operands[number]), size.value, op.operands[number])
    if aligns := op.site.instruction.attrs.get("aligns", ()):
        aligned(where, Access(Vector(size.value, Int(8)), max(1, aligns[number])))
    return where, size.value


def _target(body: Body, op: Op) -> tuple[Spot, int]:
    """The same of a variable, which is written."""
    where, size = _of(body, op, 0)
    if own(body, op.operands[0]) is None:
        raise Declined(op.callee.removeprefix("@"))
    return where, size


def move(body: Body, op: Op, _how: str) -> None:
    """Bytes to a variable: of another, also those that are not written, or of what nobody may write."""
    (to, size), (of, _) = _target(body, op), _of(body, op, 1)
    body.declared.add("declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)")
    _moved(to, of, "data", size)
    if own(body, op.operands[1]) is not None:
        _moved(to, of, "written", size)
    else:
        if body.notes:  # what is counted Python copies
            for name in ("counts", "traced"):
                body.unless(body.new(f"icmp ne i64 {of.fact(name)}, 0"))
        for name in ("writable", "mask"):
            body.unless(body.new(f"icmp ne i64 {of.fact(name)}, 0"))
        _filled(to, "written", "1", size)


def _moved(to: Spot, of: Spot, name: str, size: int) -> None:
    to.body.line(f"call void @llvm.memmove.p0.p0.i64(ptr {to.at(name)}, ptr {of.at(name)}, i64 {size}, i1 false)")


def _filled(to: Spot, name: str, octet: str, size: int) -> None:
    to.body.line(f"call void @llvm.memset.p0.i64(ptr {to.at(name)}, i8 {octet}, i64 {size}, i1 false)")


def fill(body: Body, op: Op, _how: str) -> None:
    """All bytes of a variable's part are one value."""
    to, size = _target(body, op)
    _filled(to, "data", body.value(op.operands[1]), size)
    _filled(to, "written", "1", size)
