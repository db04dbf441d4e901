"""Emit Python for calls of intrinsics, calls of functions that are not inlined, and events of source variables."""

from harness.simt.compile import registry
from harness.simt.compile.emitters import emit_poison_rules, emits, round_if_bfloat
from harness.simt.compile.graph import Op
from harness.simt.compile.writer import Writer
from harness.simt.errors import Unsupported
from harness.simt.ir.module import Const
from harness.simt.ir.types import Float, OtherType, bits_of, element_of, leaves
from harness.simt.ops import poison

__all__ = []


@emits("call")
def emit_call(w: Writer, op: Op) -> None:
    name = op.callee or "a call through a pointer"
    intrinsic = registry.find_intrinsic(op.callee)
    if intrinsic is None or intrinsic.kind == "expanded":  # one with known operands was inlined before
        raise Unsupported(name.removeprefix("@"))
    if intrinsic.kind in ("ignored", "exit"):
        return
    if intrinsic.kind == "wait":
        return
    if intrinsic.kind == "emitted":
        assert intrinsic.handler is not None
        intrinsic.handler(w, op)
        return
    if intrinsic.kind == "fence":
        w.add_line(f"X.fence(A, {w.bind('S', op.site)}, {w.bind('F', intrinsic.orders)})")
        return
    arguments = [name for operand in op.operands for name in w.values(operand)]
    result_leaves = () if isinstance(op.type, OtherType) else leaves(op.type)
    targets = [f"v{op.result}_{leaf}" for leaf in range(len(result_leaves))]
    joined = w.combined_taint(*op.operands)
    if intrinsic.kind == "stateful":
        handler, site = w.bind("I", intrinsic.handler), w.bind("S", op.site)
        values = "".join(f"{name}, " for name in arguments)
        marks = "".join(f"{w.collapsed_taint(taint)}, " for operand in op.operands for taint in w.taints(operand))
        call_expression = f"{handler}(X.call(A, {site}, ({values}), ({marks})))"
        into = f"({', '.join(targets)}{',' if len(targets) > 1 else ''}), t_ = "
        w.add_line(f"{into}{call_expression} or (None, None)" if targets else call_expression)
        if len(result_leaves) > 1:
            w.add_line(f"t_ = split_taint(t_, {len(result_leaves)})")
        w.define_taints(
            op, ["t_"] if len(result_leaves) == 1 else [f"t_[{leaf}]" for leaf in range(len(result_leaves))]
        )
        return
    assert intrinsic.handler is not None
    handler = w.bind("I", intrinsic.handler(op) if intrinsic.kind == "typed" else intrinsic.handler)
    if intrinsic.kind == "lanes":
        arguments = ["X", "A", *arguments]
    expression = f"{handler}({', '.join(arguments)})"
    if len(result_leaves) == 1:
        w.define(op, [round_if_bfloat(result_leaves[0][0], expression)], [joined])
        _emit_promises(w, op, intrinsic.name)
    elif result_leaves:
        w.add_line(f"{', '.join(targets)} = {expression}")
        w.define_taints(op, [joined] * len(result_leaves))
    else:
        w.add_line(expression)


def _emit_promises(w: Writer, op: Op, name: str) -> None:
    """Emit code that marks the result as poison where it, or an operand, breaks the call's fast-math flags, or where
    the last operand (as of `llvm.abs`) rules out the first; none for a call without operands.
    """
    if not op.operands:
        return
    floats = [w.value(operand) for operand in op.operands if isinstance(element_of(operand.type), Float)]
    floats += [f"v{op.result}_0"] if isinstance(element_of(op.type), Float) else []
    emit_poison_rules(w, op, poison.float_rules(op.site.instruction, name, floats), 0)
    emit_poison_rules(
        w, op, poison.call_rules(name, op.operands[-1], bits_of(op.type)), bits_of(op.type), op.operands[0]
    )


@registry.emitted("asm:promise", compiled="promise")
def emit_promise(w: Writer, op: Op) -> None:
    """Emit the first operand as the result; it is poison where it, or another operand, breaks the fast-math flags of
    the expanded call.
    """
    value, *floats = op.operands
    w.define(op, [w.value(value)], [w.taints(value)[0]])
    names = [w.value(each) for each in floats] + [f"v{op.result}_0"]
    emit_poison_rules(w, op, poison.float_rules(op.site.instruction, op.attrs["what"], names), 0)


@emits("variable")
def emit_variable_event(w: Writer, op: Op) -> None:
    values = [value for operand in op.operands for value in w.values(operand)]
    if op.attrs["variable"].shape:
        w.add_line("if X.observation.on_index:")
        w.add_line(f" X.observation.emit_index({w.bind('S', op.site)}, A, ({', '.join(values)},))")
        return
    if len(values) == 1:  # a struct has no single value
        taint = w.combined_taint(op.operands[0])
        w.add_line("if X.observation.on_variable:")
        w.add_line(f" X.observation.emit_variable({w.bind('S', op.site)}, A, {values[0]}, {taint})")


# Calls of functions that are not inlined; `calls.py` explains the instructions.
def _numbers(op: Op) -> list[int]:
    return [operand.value for operand in op.operands if isinstance(operand, Const)]


@emits("call.target")
def emit_call_target(w: Writer, op: Op) -> None:
    pointer, *candidates = op.operands
    site = w.bind("S", op.site)
    addresses = w.bind("K", tuple(address.value for address in candidates if isinstance(address, Const)))
    w.define(op, [f"X.calls.target(A, {w.value(pointer)}, {addresses}, {site}, {w.combined_taint(pointer)})"], ["None"])


@emits("call.enter")
def emit_call_enter(w: Writer, op: Op) -> None:
    number, *saved_values = op.operands
    assert isinstance(number, Const)
    names = "".join(f"{name}, " for value in saved_values for name in w.values(value))
    marks = "".join(f"{name}, " for value in saved_values for name in w.taints(value))
    w.add_line(f"X.calls.enter(A, {number.value}, ({names}), ({marks}), {w.bind('S', op.site)})")


@emits("call.leave")
def emit_call_leave(w: Writer, op: Op) -> None:
    w.define(op, ["X.calls.leave(A)"], ["None"])


@emits("call.saved")
def emit_call_saved(w: Writer, op: Op) -> None:
    call, first = _numbers(op)
    count = len(leaves(op.type))
    w.define(
        op,
        [f"X.calls.saved(A, {call}, {first + leaf})" for leaf in range(count)],
        [f"X.calls.saved_taint(A, {call}, {first + leaf})" for leaf in range(count)],
    )


@emits("call.local")
def emit_call_local(w: Writer, op: Op) -> None:
    (number,) = _numbers(op)
    w.define(op, [f"X.calls.local(A, {number}, {w.bind('S', op.site)})"], ["None"])
