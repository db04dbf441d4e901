"""How calls of functions that stand once are written; `calls.py` explains the instructions."""

from harness.simt.compile.emitters import emits
from harness.simt.compile.graph import Op
from harness.simt.compile.writer import Writer
from harness.simt.ir.module import Const
from harness.simt.ir.types import leaves

__all__ = []


def _numbers(op: Op) -> list[int]:
    return [operand.value for operand in op.operands if isinstance(operand, Const)]


@emits("call.target")
def target(w: Writer, op: Op) -> None:
    pointer, *known = op.operands
    site = w.bind("S", op.site)
    addresses = w.bind("K", tuple(address.value for address in known if isinstance(address, Const)))
    w.define(op, [f"X.calls.target(A, {w.value(pointer)}, {addresses}, {site}, {w.joined(pointer)})"], ["None"])


@emits("call.enter")
def enter(w: Writer, op: Op) -> None:
    number, *kept = op.operands
    values = [name for value in kept for name in w.values(value)]
    taints = [name for value in kept for name in w.taints(value)]
    assert isinstance(number, Const)
    names = "".join(f"{name}, " for name in values)
    marks = "".join(f"{name}, " for name in taints)
    w.line(f"X.calls.enter(A, {number.value}, ({names}), ({marks}), {w.bind('S', op.site)})")


@emits("call.leave")
def leave(w: Writer, op: Op) -> None:
    w.define(op, ["X.calls.leave(A)"], ["None"])


@emits("call.saved")
def saved(w: Writer, op: Op) -> None:
    call, first = _numbers(op)
    count = len(leaves(op.type))
    w.define(
        op,
        [f"X.calls.saved(A, {call}, {first + leaf})" for leaf in range(count)],
        [f"X.calls.saved_taint(A, {call}, {first + leaf})" for leaf in range(count)],
    )


@emits("call.local")
def local(w: Writer, op: Op) -> None:
    (number,) = _numbers(op)
    w.define(op, [f"X.calls.local(A, {number}, {w.bind('S', op.site)})"], ["None"])
