"""How arithmetic, comparisons and conversions are written into a segment's function."""

import numpy as np

from harness.simt.compile.emitters import element_bytes, element_of, emits, result, rounded
from harness.simt.compile.fidelity import note
from harness.simt.ir.module import Const
from harness.simt.ir.types import Int, Pointer, dtype_of, size_of
from harness.simt.ops import floating, integer, poison
from harness.simt.ops.cast import cast

__all__ = []

POWER_LIMIT = 1 << 62


@emits(*integer.BINARY)
def integer_binary(w, op):
    left, right = op.operands
    a, b = w.value(left), w.value(right)
    bits = element_of(op.type).bits
    if bits == 1:
        template = integer.BOOLEAN[op.opcode]
    elif op.opcode == "sdiv" and _power(right, bits):
        shift = right.value.bit_length() - 1
        top = 8 * dtype_of(op.type).itemsize - 1
        template = f"sdiv_power({{a}}, {shift}, {right.value - 1}, {top})"
    else:
        template = integer.BINARY[op.opcode]
        if bits in (8, 16, 32, 64):
            template = integer.NATIVE.get(op.opcode, template)
    expression = template.format(a=a, b=b, bits=bits)
    if bits not in (1, 8, 16, 32, 64):
        expression = f"wrap_int({expression}, {bits})"
    if op.opcode in ("sdiv", "udiv", "srem", "urem") and type(right) is not Const:
        w.line(f"X.checks.divisor(A, {b}, {w.bind('S', op.site)})")
    constant = right.value if type(right) is Const else None
    rules = poison.integer_rules(op, bits, constant)
    _with_rules(w, op, expression, rules, bits, left, right, taint=_bitwise(w, op, constant))


def _bitwise(w, op, constant):
    """The taint by byte of an operation that moves bits or masks them, else None."""
    if not w.tracked or not isinstance(op.type, Int) or op.type.bits not in (16, 32, 64):
        return None
    size, (left, right) = op.type.bits // 8, (w.taints(one)[0] for one in op.operands)
    if op.opcode in ("shl", "lshr", "ashr") and constant is not None:
        return f"shifted({left}, {size}, {constant}, {op.opcode!r})"
    if op.opcode in ("and", "or") and constant is not None:
        octets = np.array([constant & (1 << op.type.bits) - 1], np.uint64).view(np.uint8)[:size]
        return f"masked({left}, {w.bind('K', octets != (0 if op.opcode == 'and' else 255))})"
    return f"bytewise({left}, {right})" if op.opcode in ("and", "or", "xor") else None


def _with_rules(w, op, expression, rules, bits, *sources, taint=None):
    """Defines a result; where taints are tracked, also by the rules of poison."""
    if taint is None:
        result(w, op, expression, *sources)
    else:
        w.define(op, [expression], [taint])
    if not w.tracked:
        return
    names = dict(zip("ab", map(w.value, sources), strict=False))
    for rule, origin in rules:
        broken = rule.format(r=f"v{op.result}_0", bits=bits, **names)
        taint = f"t{op.result}_0"
        w.line(f"{taint} = marked({taint}, {broken}, {w.origin(*origin)})")


def _power(operand, bits):
    if type(operand) is not Const or bits > 64:
        return False
    value = operand.value
    return 1 < value < min(POWER_LIMIT, 1 << (bits - 1)) and value & (value - 1) == 0


@emits(*floating.BINARY)
def float_binary(w, op):
    left, right = op.operands
    note(w.program, op.opcode, "may fuse" if op.flags & {"contract", "fast"} else "exact")
    expression = floating.BINARY[op.opcode].format(a=w.value(left), b=w.value(right))
    result(w, op, rounded(op.type, expression), left, right)


@emits("fneg")
def negate(w, op):
    result(w, op, f"-{w.value(op.operands[0])}", *op.operands)


@emits("icmp")
def compare_integers(w, op):
    left, right = op.operands
    ty = element_of(left.type)
    bits = 64 if isinstance(ty, Pointer) else ty.bits
    table = integer.COMPARE_BOOLEAN if bits == 1 else integer.COMPARE
    template = table[op.attrs["predicate"]]
    expression = template.format(a=w.value(left), b=w.value(right), bits=bits)
    rules = () if isinstance(ty, Pointer) else poison.integer_rules(op, bits)
    _with_rules(w, op, expression, rules, bits, left, right)


@emits("fcmp")
def compare_floats(w, op):
    left, right = op.operands
    template = floating.COMPARE[op.attrs["predicate"]]
    expression = template.format(a=w.value(left), b=w.value(right))
    result(w, op, expression, left, right)


@emits(
    "trunc",
    "zext",
    "sext",
    "fptrunc",
    "fpext",
    "fptosi",
    "fptoui",
    "sitofp",
    "uitofp",
    "ptrtoint",
    "ptrtoaddr",
    "inttoptr",
    "bitcast",
    "addrspacecast",
)
def convert(w, op):
    (value,) = op.operands
    name = w.value(value)
    source, target = value.type, op.type
    simple = isinstance(source, Int) and isinstance(target, Int)
    widens = op.opcode == "sext" and simple and source.bits > 1
    narrows = op.opcode == "trunc" and simple and target.bits in (8, 16, 32) and source.bits <= 64
    if widens or narrows:
        expression = f"{name}.astype({w.bind('D', dtype_of(target))})"
    else:
        function = cast(op.opcode, source, target)
        expression = name if function.__name__ == "_same" else f"{w.bind('C', function)}({name})"
    rules = poison.conversion_rules(op, source, target)
    bits = getattr(element_of(target), "bits", 0)
    _with_rules(w, op, expression, rules, bits, value, taint=_moved(w, op, source, target))


def _moved(w, op, source, target):
    """The taint by byte of a conversion that only moves bytes, else None."""
    if not w.tracked:
        return None
    name = w.taints(op.operands[0])[0]
    if op.opcode in ("bitcast", "ptrtoint", "inttoptr") and size_of(source) == size_of(target):
        return name
    if not isinstance(source, Int) or not isinstance(target, Int) or op.opcode not in ("trunc", "zext", "sext"):
        return None
    before, after = element_bytes(source), element_bytes(target)
    if op.opcode == "trunc":
        return f"narrowed({name}, {after})"
    return f"widened({name}, {before}, {after}, {op.opcode == 'sext'})"
