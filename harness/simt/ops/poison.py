"""The rules of poison for the interpreter: expressions over arrays of lanes.

Each rule of `ops.poison_rules` is an expression over {a}, {b}, the result {r} and {bits} that says for which lanes it
holds; what has one bit is read with its sign. They are evaluated only where undefined values are tracked.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, Taint
from harness.simt.ir.module import Const, Instruction
from harness.simt.ops.integer import ashr, lshr, shl, unsigned, with_sign
from harness.simt.ops.poison_rules import FORBIDDEN, PoisonRule, float_promises, forbidden, rules_of
from harness.simt.ops.undefined import taints

__all__ = ["FUNCTIONS", "Rules", "call_rules", "float_rules", "integer_rules", "marked"]

# An expression, and the kind and source of the origin of what it marks; see `Events.origin`.
Rules: TypeAlias = Iterator[tuple[str, tuple[str, str]]]

NOWHERE = np.zeros(1, bool)


def marked(taint: Taint, broken: Booleans, origin: int) -> Taint:
    """Adds an origin to the taint of the lanes for which a rule is broken."""
    if not broken.any():
        return taint
    if broken.ndim == 2:
        broken = np.logical_or.reduce(broken, 1)
    return taints(taint, np.where(broken, np.int32(origin), np.int32(0)))


def _native(values: Array, bits: int) -> bool:
    return values.dtype != object and 8 * values.dtype.itemsize == bits


def signed_sum(a: Array, b: Array, r: Array, bits: int) -> Booleans:
    """Whether a + b leaves the signed range."""
    return (a ^ r) & (b ^ r) < 0 if _native(r, bits) else a + b != r


def signed_difference(a: Array, b: Array, r: Array, bits: int) -> Booleans:
    """Whether a - b leaves the signed range."""
    return (a ^ b) & (a ^ r) < 0 if _native(r, bits) else a - b != r


def signed_product(a: Array, b: Array, _r: Array, bits: int) -> Booleans:
    """Whether a * b leaves the signed range."""
    limit = (1 << bits - 1) - 1
    if _size(a) * _size(b) <= limit:
        return NOWHERE
    exact = a.astype(object) * b.astype(object)
    over: Booleans = ((exact > limit) | (exact < -limit - 1)).astype(bool)
    return over


def unsigned_product(a: Array, b: Array, _r: Array, bits: int) -> Booleans:
    """Whether a * b leaves the unsigned range."""
    a, b = unsigned(a, bits), unsigned(b, bits)
    limit = (1 << bits) - 1
    if int(a.max()) * int(b.max()) <= limit:
        return NOWHERE
    over: Booleans = (a.astype(object) * b.astype(object) > limit).astype(bool)
    return over


def _size(values: Array) -> int:
    return max(int(values.max()), -int(values.min()))


def outside(values: Array, low: float, high: float) -> Booleans:
    """Whether a float, cut toward zero, is out of range or no number."""
    whole = np.trunc(values.astype(np.float64))
    return ~((whole >= low) & (whole < high))


FUNCTIONS = {
    function.__name__: function
    for function in (
        marked,
        signed_sum,
        signed_difference,
        signed_product,
        unsigned_product,
        outside,
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
    ("add", "s"): "signed_sum({a}, {b}, {r}, {bits})",
    ("add", "u"): "unsigned({r}, {bits}) < unsigned({a}, {bits})",
    ("sub", "s"): "signed_difference({a}, {b}, {r}, {bits})",
    ("sub", "u"): "unsigned({a}, {bits}) < unsigned({b}, {bits})",
    ("mul", "s"): "signed_product({a}, {b}, {r}, {bits})",
    ("mul", "u"): "unsigned_product({a}, {b}, {r}, {bits})",
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


def _condition(opcode: str, rule: PoisonRule, bits: int) -> str:
    """Return the expression of a rule."""
    match rule.kind:
        case "overflow":
            return OVERFLOWS[opcode, rule.how]
        case "undone":
            return UNDONE[rule.how]
        case "range":
            signed = rule.how == "s"
            return f"outside({{a}}, {-(2.0 ** (bits - 1)) if signed else 0.0!r}, {2.0 ** (bits - signed)!r})"
    return CONDITIONS[rule.kind]


def integer_rules(op: Instruction, bits: int, constant: int | None = None) -> Rules:
    """The rules of an operation, a comparison or a conversion of integers, or to one.

    Args:
        bits: Of the operands; of a conversion those of the result.
        constant: The second operand's value, if it is known.
    """
    for flag, rule in rules_of(op):
        if rule.kind == "width" and constant is not None and 0 <= constant < bits:
            continue
        if rule.kind == "lowest" and constant not in (None, -1, (1 << bits) - 1):
            continue
        source = f"{op.opcode} {flag}" if flag else op.opcode
        yield _condition(op.opcode, rule, bits), ("promise" if flag else rule.kind, source)


def float_rules(op: Instruction, what: str, floats: Sequence[str]) -> Rules:
    """The rules of fast-math flags: no operand and no result is a NaN, or infinite.

    Args:
        what: The operation's name.
        floats: The names of those that are floats.
    """
    for flag in float_promises(op.flags):
        for name in floats:
            yield f"{'isnan' if flag == 'nnan' else 'isinf'}({name})", ("promise", f"{what} {flag}")


def call_rules(name: str, last: object, bits: int) -> Rules:
    """The rules of an intrinsic whose last operand may rule something out.

    Args:
        name: As it is declared.
        last: That operand.
        bits: Of the first one.
    """
    if name in FORBIDDEN and isinstance(last, Const) and last.value:
        yield f"{{a}} == {forbidden(name, bits)}", ("promise", f"{name} {FORBIDDEN[name][0]}")
