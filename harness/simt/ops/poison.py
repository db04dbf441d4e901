"""Write `poison_rules` and fast-math promises as expressions over lanes for generated code; add poison to taints.

Each rule of `ops.poison_rules` becomes an expression over {a}, {b}, the result {r} and {bits} that is true in the lanes
whose result is poison; a value of one bit is read as signed.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, Taint
from harness.simt.ir.module import Const, Instruction
from harness.simt.ops.integer import ashr, lshr, shl, unsigned, with_sign
from harness.simt.ops.poison_rules import FORBIDDEN, PoisonRule, float_promises, forbidden_value, rules_of
from harness.simt.ops.undefined import combine_taints

__all__ = ["FUNCTIONS", "Rules", "call_rules", "float_rules", "integer_rules", "mark_poison"]

# Pairs of an expression and the origin, (kind, source), of the lanes that it marks; see `Events.origin`.
Rules: TypeAlias = Iterator[tuple[str, tuple[str, str]]]

NOWHERE = np.zeros(1, bool)


def mark_poison(taint: Taint, broken: Booleans, origin: int) -> Taint:
    """Return the taint with an origin added in the lanes where a poison rule is violated.

    A lane's vector is marked as a whole if any element violates it; a lane keeps the larger of two origins. If no lane
    does, the taint is returned itself; else it has one number for each lane.
    """
    if not broken.any():
        return taint
    if broken.ndim == 2:
        broken = np.logical_or.reduce(broken, 1)
    return combine_taints(taint, np.where(broken, np.int32(origin), np.int32(0)))


def _has_native_width(values: Array, bits: int) -> bool:
    return values.dtype != object and 8 * values.dtype.itemsize == bits


def signed_add_overflows(a: Array, b: Array, r: Array, bits: int) -> Booleans:
    """Return whether a + b leaves the signed range; `r` is the wrapped sum."""
    return (a ^ r) & (b ^ r) < 0 if _has_native_width(r, bits) else a + b != r


def signed_sub_overflows(a: Array, b: Array, r: Array, bits: int) -> Booleans:
    """Return whether a - b leaves the signed range; `r` is the wrapped difference."""
    return (a ^ b) & (a ^ r) < 0 if _has_native_width(r, bits) else a - b != r


def signed_mul_overflows(a: Array, b: Array, _r: Array, bits: int) -> Booleans:
    """Return whether a * b leaves the signed range of a width, for each value, or the array `[False]` if none can."""
    limit = (1 << bits - 1) - 1
    if _largest_magnitude(a) * _largest_magnitude(b) <= limit:
        return NOWHERE
    exact = a.astype(object) * b.astype(object)
    over: Booleans = ((exact > limit) | (exact < -limit - 1)).astype(bool)
    return over


def unsigned_mul_overflows(a: Array, b: Array, _r: Array, bits: int) -> Booleans:
    """Return whether a * b leaves the unsigned range of a width, for each value, or the array `[False]` if none can."""
    a, b = unsigned(a, bits), unsigned(b, bits)
    limit = (1 << bits) - 1
    if int(a.max()) * int(b.max()) <= limit:
        return NOWHERE
    over: Booleans = (a.astype(object) * b.astype(object) > limit).astype(bool)
    return over


def _largest_magnitude(values: Array) -> int:
    return max(int(values.max()), -int(values.min()))


def is_out_of_range(values: Array, low: float, high: float) -> Booleans:
    """Return for each float whether it is a NaN or, truncated toward zero, not in [low, high)."""
    truncated = np.trunc(values.astype(np.float64))
    return ~((truncated >= low) & (truncated < high))


FUNCTIONS = {
    function.__name__: function
    for function in (
        mark_poison,
        signed_add_overflows,
        signed_sub_overflows,
        signed_mul_overflows,
        unsigned_mul_overflows,
        is_out_of_range,
        unsigned,
        ashr,
        lshr,
        shl,
        with_sign,
        np.isnan,
        np.isinf,
    )
}
OVERFLOWS = {
    ("add", "s"): "signed_add_overflows({a}, {b}, {r}, {bits})",
    ("add", "u"): "unsigned({r}, {bits}) < unsigned({a}, {bits})",
    ("sub", "s"): "signed_sub_overflows({a}, {b}, {r}, {bits})",
    ("sub", "u"): "unsigned({a}, {bits}) < unsigned({b}, {bits})",
    ("mul", "s"): "signed_mul_overflows({a}, {b}, {r}, {bits})",
    ("mul", "u"): "unsigned_mul_overflows({a}, {b}, {r}, {bits})",
}
UNDONE = {
    "ashr": "ashr({r}, {b}, {bits}) != {a}",
    "lshr": "lshr({r}, {b}, {bits}) != {a}",
    "shl": "wrap_int(shl({r}, {b}, {bits}), {bits}) != {a}",
    "mul": "wrap_int({r} * {b}, {bits}) != {a}",
    "sext": "{r}.astype({a}.dtype) != {a}",
    "zext": "unsigned({r}, {bits}).astype({a}.dtype) != {a}",
}
CONDITIONS = {
    "width": "unsigned({b}, {bits}) >= {bits}",
    "lowest": "({b} == -1) & ({a} == -(1 << {bits} - 1))",
    "common": "({a} & {b}) != 0",
    "signs": "({a} ^ {b}) < 0",
    "negative": "{a} < 0",
}


def _violation(opcode: str, rule: PoisonRule, bits: int) -> str:
    """Return an expression, with {a}, {b}, {r} and {bits} to be filled in: true in lanes where a rule makes the result
    poison.

    Args:
        bits: The width of the integer that a float becomes; only rules of kind `range` use it.
    """
    match rule.kind:
        case "overflow":
            return OVERFLOWS[opcode, rule.how]
        case "undone":
            return UNDONE[rule.how]
        case "range":
            signed = rule.how == "s"
            return f"is_out_of_range({{a}}, {-(2.0 ** (bits - 1)) if signed else 0.0!r}, {2.0 ** (bits - signed)!r})"
    return CONDITIONS[rule.kind]


def integer_rules(op: Instruction, bits: int, constant: int | None = None) -> Rules:
    """Yield the poison rules of an integer operation, comparison or conversion, as expressions with their origins.

    Rules that the constant operand cannot violate are left out.

    Args:
        bits: The width of the operands; for a conversion that of the result.
        constant: The second operand's value if it is constant, else None.
    """
    for flag, rule in rules_of(op):
        if rule.kind == "width" and constant is not None and 0 <= constant < bits:
            continue
        if rule.kind == "lowest" and constant not in (None, -1, (1 << bits) - 1):
            continue
        source = f"{op.opcode} {flag}" if flag else op.opcode
        yield _violation(op.opcode, rule, bits), ("promise" if flag else rule.kind, source)


def float_rules(op: Instruction, operation: str, floats: Sequence[str]) -> Rules:
    """Yield the poison rules of fast-math flags: under `nnan` and `ninf` a NaN or an infinity is poison; `fast` is
    both.

    There is one for each flag and variable.

    Args:
        operation: The operation's name, as the origin reports it.
        floats: The variables in generated code that hold float operands and the result.
    """
    for flag in float_promises(op.flags):
        for name in floats:
            yield f"{'isnan' if flag == 'nnan' else 'isinf'}({name})", ("promise", f"{operation} {flag}")


def call_rules(name: str, last: object, bits: int) -> Rules:
    """Yield the poison rule of an intrinsic whose last operand, if true, forbids a value of the first one; else
    nothing.

    Args:
        name: The intrinsic's name as it is declared.
        last: Its last operand; only a constant counts.
        bits: The width of its first operand.
    """
    if name in FORBIDDEN and isinstance(last, Const) and last.value:
        yield f"{{a}} == {forbidden_value(name, bits)}", ("promise", f"{name} {FORBIDDEN[name][0]}")
