"""When a result is undefined though its operands are not.

LLVM calls it poison: a shift by the width or more, an overflow that `nsw` or
`nuw` rules out, a conversion out of range. Each rule is an expression over
{a}, {b}, the result {r} and {bits} that says for which lanes it holds. They
are evaluated only where undefined values are tracked.
See: https://llvm.org/docs/LangRef.html#poison-values
"""

from collections.abc import Iterator

import numpy as np

from harness.simt.arrays import Array, Booleans, Taint
from harness.simt.ir.module import Instruction
from harness.simt.ir.types import Float, Type, bits_of, element_of
from harness.simt.ops.integer import ashr, lshr, shl, unsigned, urem
from harness.simt.ops.undefined import taints

__all__ = ["FUNCTIONS", "conversion_rules", "integer_rules", "marked"]

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
    ("lshr", "exact"): "shl({r}, {b}, {bits}) != {a}",
    ("ashr", "exact"): "shl({r}, {b}, {bits}) != {a}",
    ("or", "disjoint"): "({a} & {b}) != 0",
    ("icmp", "samesign"): "({a} ^ {b}) < 0",
    ("zext", "nneg"): "{a} < 0",
    ("uitofp", "nneg"): "{a} < 0",
    ("trunc", "nsw"): "{r}.astype({a}.dtype) != {a}",
    ("trunc", "nuw"): "unsigned({r}, {bits}).astype({a}.dtype) != {a}",
}


def integer_rules(op: Instruction, bits: int, constant: int | None = None) -> Iterator[tuple[str, tuple[str, str]]]:
    """The rules of an integer operation or comparison.

    Args:
        constant: The second operand's value, if it is known.

    Yields:
        (expression, the origin's kind and source; see `Events.origin`).
    """
    always = ALWAYS.get(op.opcode)
    if bits == 1:
        if always is OVERWIDE:
            yield "{b}", ("width", op.opcode)
        return
    if always is OVERWIDE and not (constant is not None and 0 <= constant < bits):
        yield always, ("width", op.opcode)
    if always is LOWEST and constant in (None, -1, (1 << bits) - 1):
        yield always, ("lowest", op.opcode)
    yield from _promised(op)


def conversion_rules(op: Instruction, source: Type, target: Type) -> Iterator[tuple[str, tuple[str, str]]]:
    """The rules of a conversion between two types; see `integer_rules`."""
    bits = bits_of(target)
    if op.opcode in ("fptosi", "fptoui") and isinstance(element_of(source), Float):
        signed = op.opcode == "fptosi"
        low = -(2.0 ** (bits - 1)) if signed else 0.0
        high = 2.0 ** (bits - signed)
        yield f"outside({{a}}, {low!r}, {high!r})", ("range", op.opcode)
    elif bits_of(source) > 1 and bits != 1:
        yield from _promised(op)


def _promised(op: Instruction) -> Iterator[tuple[str, tuple[str, str]]]:
    for flag in sorted(op.flags):
        rule = PROMISED.get((op.opcode, flag))
        if rule is not None:
            yield rule, ("promise", f"{op.opcode} {flag}")
