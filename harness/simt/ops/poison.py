"""When a result is undefined though its operands are not.

LLVM calls it poison: a shift by the width or more, an overflow that `nsw` or
`nuw` rules out, a conversion out of range, a NaN under `nnan`. Each rule is an
expression over {a}, {b}, the result {r} and {bits} that says for which lanes it
holds; what has one bit is read with its sign. They are evaluated only where
undefined values are tracked.
See: https://llvm.org/docs/LangRef.html#poison-values
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, Taint
from harness.simt.ir.module import Const, Instruction
from harness.simt.ir.types import Float, Type, bits_of, element_of
from harness.simt.ops.integer import ashr, lshr, shl, unsigned, urem, with_sign
from harness.simt.ops.undefined import taints

__all__ = ["FUNCTIONS", "Rules", "call_rules", "conversion_rules", "float_rules", "integer_rules", "marked"]

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
        urem,
        ashr,
        lshr,
        shl,
        with_sign,
        np.isnan,
        np.isinf,
    )
}
OVERWIDE = "unsigned({b}, {bits}) >= {bits}"
LOWEST = "({b} == -1) & ({a} == -(1 << {bits} - 1))"
ALWAYS = {"shl": OVERWIDE, "lshr": OVERWIDE, "ashr": OVERWIDE, "sdiv": LOWEST, "srem": LOWEST}
PROMISED = {
    ("add", "nsw"): "signed_sum({a}, {b}, {r}, {bits})",
    ("add", "nuw"): "unsigned({r}, {bits}) < unsigned({a}, {bits})",
    ("sub", "nsw"): "signed_difference({a}, {b}, {r}, {bits})",
    ("sub", "nuw"): "unsigned({a}, {bits}) < unsigned({b}, {bits})",
    ("mul", "nsw"): "signed_product({a}, {b}, {r}, {bits})",
    ("mul", "nuw"): "unsigned_product({a}, {b}, {r}, {bits})",
    ("shl", "nsw"): "ashr({r}, {b}, {bits}) != {a}",
    ("shl", "nuw"): "lshr({r}, {b}, {bits}) != {a}",
    ("sdiv", "exact"): "{r} * {b} != {a}",
    ("udiv", "exact"): "urem({a}, {b}, {bits}) != 0",
    ("lshr", "exact"): "wrap_int(shl({r}, {b}, {bits}), {bits}) != {a}",
    ("ashr", "exact"): "wrap_int(shl({r}, {b}, {bits}), {bits}) != {a}",
    ("or", "disjoint"): "({a} & {b}) != 0",
    ("icmp", "samesign"): "({a} ^ {b}) < 0",
    ("zext", "nneg"): "{a} < 0",
    ("uitofp", "nneg"): "{a} < 0",
    ("trunc", "nsw"): "{r}.astype({a}.dtype) != {a}",
    ("trunc", "nuw"): "unsigned({r}, {bits}).astype({a}.dtype) != {a}",
}


# What a call's last operand rules out where it is true, by the intrinsic.
FORBIDDEN = {
    "llvm.abs": ("{a} == -(1 << {bits} - 1)", "is_int_min_poison"),
    "llvm.ctlz": ("{a} == 0", "is_zero_poison"),
    "llvm.cttz": ("{a} == 0", "is_zero_poison"),
}


def integer_rules(op: Instruction, bits: int, constant: int | None = None) -> Rules:
    """The rules of an integer operation or comparison.

    Args:
        constant: The second operand's value, if it is known.
    """
    always = ALWAYS.get(op.opcode)
    if always is OVERWIDE and not (constant is not None and 0 <= constant < bits):
        yield always, ("width", op.opcode)
    if always is LOWEST and constant in (None, -1, (1 << bits) - 1):
        yield always, ("lowest", op.opcode)
    yield from _promised(op)


def conversion_rules(op: Instruction, source: Type, target: Type) -> Rules:
    """The rules of a conversion between two types."""
    bits = bits_of(target)
    if op.opcode in ("fptosi", "fptoui") and isinstance(element_of(source), Float):
        signed = op.opcode == "fptosi"
        low = -(2.0 ** (bits - 1)) if signed else 0.0
        high = 2.0 ** (bits - signed)
        yield f"outside({{a}}, {low!r}, {high!r})", ("range", op.opcode)
    else:
        yield from _promised(op)


def float_rules(op: Instruction, what: str, floats: Sequence[str]) -> Rules:
    """The rules of fast-math flags: no operand and no result is a NaN, or infinite.

    Args:
        what: The operation's name.
        floats: The names of those that are floats.
    """
    for flag, function in (("nnan", "isnan"), ("ninf", "isinf")):
        if op.flags & {flag, "fast"}:
            for name in floats:
                yield f"{function}({name})", ("promise", f"{what} {flag}")


def call_rules(name: str, last: object) -> Rules:
    """The rules of an intrinsic whose last operand may rule something out.

    Args:
        name: As it is declared.
        last: That operand.
    """
    if name in FORBIDDEN and isinstance(last, Const) and last.value:
        rule, promise = FORBIDDEN[name]
        yield rule, ("promise", f"{name} {promise}")


def _promised(op: Instruction) -> Rules:
    for flag in sorted(op.flags):
        rule = PROMISED.get((op.opcode, flag))
        if rule is not None:
            yield rule, ("promise", f"{op.opcode} {flag}")
