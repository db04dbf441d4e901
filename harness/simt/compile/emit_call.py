"""How calls of intrinsics and of inline assembly are written, and how named variables are told."""

from harness.simt.compile import registry
from harness.simt.compile.emitters import emits, mark, rounded
from harness.simt.compile.graph import Op
from harness.simt.compile.writer import Writer
from harness.simt.errors import Unsupported
from harness.simt.ir.module import Const
from harness.simt.ir.types import Float, OtherType, bits_of, element_of, leaves
from harness.simt.ops import poison

__all__ = []


@emits("call")
def call(w: Writer, op: Op) -> None:
    name = op.callee or "a call through a pointer"
    intrinsic = registry.find(op.callee)
    if intrinsic is None or intrinsic.kind == "expanded":  # which would have been spliced in if its operands were known
        raise Unsupported(name.removeprefix("@"))
    if intrinsic.kind in ("ignored", "ending"):
        return
    if intrinsic.kind == "wait":
        return
    if intrinsic.kind == "written":
        assert intrinsic.handler is not None
        intrinsic.handler(w, op)
        return
    if intrinsic.kind == "fence":
        w.line(f"X.fence(A, {w.bind('S', op.site)}, {w.bind('F', intrinsic.orders)})")
        return
    arguments = [name for operand in op.operands for name in w.values(operand)]
    parts = () if isinstance(op.type, OtherType) else leaves(op.type)
    targets = [f"v{op.result}_{leaf}" for leaf in range(len(parts))]
    joined = w.joined(*op.operands)
    if intrinsic.kind == "stateful":
        handler, site = w.bind("I", intrinsic.handler), w.bind("S", op.site)
        values = "".join(f"{name}, " for name in arguments)
        marks = "".join(f"{w.whole(taint)}, " for operand in op.operands for taint in w.taints(operand))
        made = f"{handler}(X.call(A, {site}, ({values}), ({marks})))"
        into = f"({', '.join(targets)}{',' if len(targets) > 1 else ''}), t_ = "
        w.line(f"{into}{made} or (None, None)" if targets else made)
        if len(parts) > 1:
            w.line(f"t_ = apart(t_, {len(parts)})")
        w.came(op, ["t_"] if len(parts) == 1 else [f"t_[{leaf}]" for leaf in range(len(parts))])
        return
    assert intrinsic.handler is not None
    handler = w.bind("I", intrinsic.handler(op) if intrinsic.kind == "typed" else intrinsic.handler)
    if intrinsic.kind == "lanes":
        arguments = ["X", "A", *arguments]
    expression = f"{handler}({', '.join(arguments)})"
    if len(parts) == 1:
        w.define(op, [rounded(parts[0][0], expression)], [joined])
        _promised(w, op, intrinsic.name)
    elif parts:
        w.line(f"{', '.join(targets)} = {expression}")
        w.came(op, [joined] * len(parts))
    else:
        w.line(expression)


def _promised(w: Writer, op: Op, name: str) -> None:
    """What the flags of a call of an intrinsic, or its last operand, rule out."""
    if not op.operands:
        return
    floats = [w.value(operand) for operand in op.operands if isinstance(element_of(operand.type), Float)]
    floats += [f"v{op.result}_0"] if isinstance(element_of(op.type), Float) else []
    mark(w, op, poison.float_rules(op.site.instruction, name, floats), 0)
    mark(w, op, poison.call_rules(name, op.operands[-1], bits_of(op.type)), bits_of(op.type), op.operands[0])


@registry.written("asm:promise", native="promise")
def promise(w: Writer, op: Op) -> None:
    """Return the first operand; the flags of an expanded call rule out what its floats may be."""
    value, *floats = op.operands
    w.define(op, [w.value(value)], [w.taints(value)[0]])
    names = [w.value(each) for each in floats] + [f"v{op.result}_0"]
    mark(w, op, poison.float_rules(op.site.instruction, op.attrs["what"], names), 0)


@emits("variable")
def variable(w: Writer, op: Op) -> None:
    values = [value for operand in op.operands for value in w.values(operand)]
    if op.attrs["variable"].shape:
        w.line("if X.observation.on_index:")
        w.line(f" X.observation.emit_index({w.bind('S', op.site)}, A, ({', '.join(values)},))")
        return
    if len(values) == 1:  # of a struct no one value is the variable's
        taint = w.joined(op.operands[0])
        w.line("if X.observation.on_variable:")
        w.line(f" X.observation.emit_variable({w.bind('S', op.site)}, A, {values[0]}, {taint})")


# Calls of functions that stand once; `calls.py` explains the instructions.
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
    assert isinstance(number, Const)
    names = "".join(f"{name}, " for value in kept for name in w.values(value))
    marks = "".join(f"{name}, " for value in kept for name in w.taints(value))
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
