"""How arithmetic, comparisons and conversions are written into a segment's function."""

import numpy as np

from harness.simt.compile.emitters import element_bytes, emits, mark, result, rounded, signed
from harness.simt.compile.graph import Op
from harness.simt.compile.writer import Writer
from harness.simt.ir.module import Const
from harness.simt.ir.opcodes import CASTS
from harness.simt.ir.types import Float, Int, Pointer, Type, bits_of, dtype_of, element_of, size_of
from harness.simt.ops import floating, integer, poison
from harness.simt.ops.cast import cast

__all__ = []

BITWISE = ("and", "or", "xor")


@emits(*integer.BINARY)
def integer_binary(w: Writer, op: Op) -> None:
    left, right = op.operands
    bits = bits_of(op.type)
    constant = right.value if isinstance(right, Const) else None
    if op.opcode in BITWISE:
        expression = integer.BINARY[op.opcode].format(a=w.value(left), b=w.value(right))
    else:
        a, b = (signed(operand.type, w.value(operand)) for operand in op.operands)
        expression = integer.BINARY[op.opcode].format(a=a, b=b, bits=bits)
        if bits not in (8, 16, 32, 64):
            expression = f"wrap_int({expression}, {bits})" + (".astype(bool)" if bits == 1 else "")
    if op.opcode in ("sdiv", "udiv", "srem", "urem") and constant in (None, 0):
        w.line(f"X.checks.check_divisor(A, {w.value(right)}, {w.bind('S', op.site)})")
    _define(w, op, expression, _bitwise(w, op, constant))
    mark(w, op, poison.integer_rules(op.site.instruction, bits, constant), bits, left, right)


def _define(w: Writer, op: Op, expression: str, taint: str | None) -> None:
    """Defines a result with its taint; with None that of the operands, each taken as a whole."""
    if taint is None:
        result(w, op, expression, *op.operands)
    else:
        w.define(op, [expression], [taint])


def _bitwise(w: Writer, op: Op, constant: int | None) -> str | None:
    """The taint by byte of an operation that moves bits or masks them, else None."""
    if not isinstance(op.type, Int) or op.type.bits not in (16, 32, 64):
        return None
    size, (left, right) = op.type.bits // 8, (w.taints(operand)[0] for operand in op.operands)
    if op.opcode in ("shl", "lshr", "ashr") and constant is not None:
        return f"shifted({left}, {size}, {constant}, {op.opcode!r})"
    if op.opcode in ("and", "or") and constant is not None:
        octets = np.array([constant & (1 << op.type.bits) - 1], np.uint64).view(np.uint8)[:size]
        return f"masked({left}, {w.bind('K', octets != (0 if op.opcode == 'and' else 255))})"
    return f"bytewise({left}, {right})" if op.opcode in BITWISE else None


@emits(*floating.BINARY)
def float_binary(w: Writer, op: Op) -> None:
    left, right = op.operands
    expression = floating.BINARY[op.opcode].format(a=w.value(left), b=w.value(right))
    result(w, op, rounded(op.type, expression), left, right)
    _promised(w, op)


def _promised(w: Writer, op: Op) -> None:
    """What the fast-math flags of an instruction rule out."""
    names = [w.value(operand) for operand in op.operands]
    own = [f"v{op.result}_0"] if isinstance(element_of(op.type), Float) else []
    mark(w, op, poison.float_rules(op.site.instruction, op.opcode, names + own), 0)


@emits("fneg")
def negate(w: Writer, op: Op) -> None:
    result(w, op, f"-{w.value(op.operands[0])}", *op.operands)
    _promised(w, op)


@emits("icmp")
def compare_integers(w: Writer, op: Op) -> None:
    left, right = op.operands
    pointers = isinstance(element_of(left.type), Pointer)
    bits = 64 if pointers else bits_of(left.type)
    a, b = (signed(operand.type, w.value(operand)) for operand in op.operands)
    result(w, op, integer.COMPARE[op.attrs["predicate"]].format(a=a, b=b, bits=bits), left, right)
    if not pointers:
        mark(w, op, poison.integer_rules(op.site.instruction, bits), bits, left, right)


@emits("fcmp")
def compare_floats(w: Writer, op: Op) -> None:
    left, right = op.operands
    template = floating.COMPARE[op.attrs["predicate"]]
    expression = template.format(a=w.value(left), b=w.value(right))
    result(w, op, expression, left, right)
    _promised(w, op)


@emits(*CASTS)
def convert(w: Writer, op: Op) -> None:
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
        expression = f"{w.bind('C', cast(op.opcode, source, target))}({name})"
    _define(w, op, expression, _moved(w, op, source, target))
    mark(w, op, poison.integer_rules(op.site.instruction, bits_of(target)), bits_of(target), value)


def _moved(w: Writer, op: Op, source: Type, target: Type) -> str | None:
    """The taint by byte of a conversion that only moves bytes, else None."""
    name = w.taints(op.operands[0])[0]
    if op.opcode in ("bitcast", "ptrtoint", "inttoptr") and size_of(source) == size_of(target):
        return name
    if not isinstance(source, Int) or not isinstance(target, Int) or op.opcode not in ("trunc", "zext", "sext"):
        return None
    before, after = element_bytes(source), element_bytes(target)
    if op.opcode == "trunc":
        return f"part({name}, 0, {after})"
    return f"widened({name}, {before}, {after}, {op.opcode == 'sext'})"
