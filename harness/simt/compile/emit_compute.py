"""Emit Python for arithmetic, bitwise logic, comparisons and casts, with their taints and checks for poison."""

import numpy as np

from harness.simt.compile.emitters import (
    define_result,
    element_bytes,
    emit_poison_rules,
    emits,
    round_if_bfloat,
    signed_expression,
)
from harness.simt.compile.graph import Op
from harness.simt.compile.writer import Writer
from harness.simt.ir.module import Const
from harness.simt.ir.opcodes import CASTS
from harness.simt.ir.types import Float, Int, Pointer, Type, bits_of, dtype_of, element_of, size_of
from harness.simt.ops import floating, integer, poison
from harness.simt.ops.cast import make_converter

__all__ = []

BITWISE = ("and", "or", "xor")


@emits(*integer.BINARY)
def emit_integer_operation(w: Writer, op: Op) -> None:
    left, right = op.operands
    bits = bits_of(op.type)
    constant = right.value if isinstance(right, Const) else None
    if op.opcode in BITWISE:
        expression = integer.BINARY[op.opcode].format(a=w.value(left), b=w.value(right))
    else:
        a, b = (signed_expression(operand.type, w.value(operand)) for operand in op.operands)
        expression = integer.BINARY[op.opcode].format(a=a, b=b, bits=bits)
        if bits not in (8, 16, 32, 64):
            expression = f"wrap_int({expression}, {bits})" + (".astype(bool)" if bits == 1 else "")
    if op.opcode in ("sdiv", "udiv", "srem", "urem") and constant in (None, 0):
        w.add_line(f"X.checks.check_divisor(A, {w.value(right)}, {w.bind('S', op.site)})")
    _define(w, op, expression, _bytewise_taint(w, op, constant))
    emit_poison_rules(w, op, poison.integer_rules(op.site.instruction, bits, constant), bits, left, right)


def _define(w: Writer, op: Op, expression: str, taint: str | None) -> None:
    """Define a result with its taint; with None the taint is that of all operands, combined."""
    if taint is None:
        define_result(w, op, expression, *op.operands)
    else:
        w.define(op, [expression], [taint])


def _bytewise_taint(w: Writer, op: Op, constant: int | None) -> str | None:
    """Return an expression for the taint, by byte, of a bitwise operation or a shift by a constant, on one integer of
    16, 32 or 64 bits; None for any other operation.

    Args:
        constant: The right operand if it is constant, else None.
    """
    if not isinstance(op.type, Int) or op.type.bits not in (16, 32, 64):
        return None
    size, (left, right) = op.type.bits // 8, (w.taints(operand)[0] for operand in op.operands)
    if op.opcode in ("shl", "lshr", "ashr") and constant is not None:
        return f"shift_taint({left}, {size}, {constant}, {op.opcode!r})"
    if op.opcode in ("and", "or") and constant is not None:
        octets = np.array([constant & (1 << op.type.bits) - 1], np.uint64).view(np.uint8)[:size]
        return f"mask_taint({left}, {w.bind('K', octets != (0 if op.opcode == 'and' else 255))})"
    return f"combine_bytewise({left}, {right})" if op.opcode in BITWISE else None


@emits(*floating.BINARY)
def emit_float_operation(w: Writer, op: Op) -> None:
    left, right = op.operands
    expression = floating.BINARY[op.opcode].format(a=w.value(left), b=w.value(right))
    define_result(w, op, round_if_bfloat(op.type, expression), left, right)
    _emit_promises(w, op)


def _emit_promises(w: Writer, op: Op) -> None:
    """Emit code that marks a result as poison where it, or an operand, breaks the instruction's fast-math flags."""
    names = [w.value(operand) for operand in op.operands]
    result_names = [f"v{op.result}_0"] if isinstance(element_of(op.type), Float) else []
    emit_poison_rules(w, op, poison.float_rules(op.site.instruction, op.opcode, names + result_names), 0)


@emits("fneg")
def emit_fneg(w: Writer, op: Op) -> None:
    define_result(w, op, f"-{w.value(op.operands[0])}", *op.operands)
    _emit_promises(w, op)


@emits("icmp")
def emit_icmp(w: Writer, op: Op) -> None:
    left, right = op.operands
    pointers = isinstance(element_of(left.type), Pointer)
    bits = 64 if pointers else bits_of(left.type)
    a, b = (signed_expression(operand.type, w.value(operand)) for operand in op.operands)
    define_result(w, op, integer.COMPARE[op.attrs["predicate"]].format(a=a, b=b, bits=bits), left, right)
    if not pointers:
        emit_poison_rules(w, op, poison.integer_rules(op.site.instruction, bits), bits, left, right)


@emits("fcmp")
def emit_fcmp(w: Writer, op: Op) -> None:
    left, right = op.operands
    template = floating.COMPARE[op.attrs["predicate"]]
    expression = template.format(a=w.value(left), b=w.value(right))
    define_result(w, op, expression, left, right)
    _emit_promises(w, op)


@emits(*CASTS)
def emit_conversion(w: Writer, op: Op) -> None:
    (value,) = op.operands
    name = w.value(value)
    source, target = value.type, op.type
    into_window = op.opcode in ("ptrtoint", "ptrtoaddr") and w.program.target.is_small(source)
    from_window = op.opcode == "inttoptr" and w.program.target.is_small(target)
    if into_window:
        expression = f"X.window.address({name}).astype({w.bind('D', dtype_of(target))})"
    elif from_window:
        expression = f"X.window.pointer({name})"
    else:
        expression = f"{w.bind('C', make_converter(op.opcode, source, target))}({name})"
    _define(w, op, expression, _moved_taint(w, op, source, target))
    emit_poison_rules(w, op, poison.integer_rules(op.site.instruction, bits_of(target)), bits_of(target), value)


def _moved_taint(w: Writer, op: Op, source: Type, target: Type) -> str | None:
    """Return an expression for a conversion's taint, by byte; None unless it is a bit cast (also of vectors), a cast
    between a pointer and an integer of its size, or truncates or extends one integer.
    """
    name = w.taints(op.operands[0])[0]
    if op.opcode in ("bitcast", "ptrtoint", "inttoptr") and size_of(source) == size_of(target):
        return name
    if not isinstance(source, Int) or not isinstance(target, Int) or op.opcode not in ("trunc", "zext", "sext"):
        return None
    before, after = element_bytes(source), element_bytes(target)
    if op.opcode == "trunc":
        return f"slice_taint({name}, 0, {after})"
    return f"extend_taint({name}, {before}, {after}, {op.opcode == 'sext'})"
