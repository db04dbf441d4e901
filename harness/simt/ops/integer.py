"""Integer arithmetic, lane-wise and as LLVM defines it.

Values are signed arrays; an odd width lies sign-extended in the next dtype and
a width above 64 in Python integers. Results that LLVM leaves open (a shift by
the width or more) are some value; nothing raises.
See: https://llvm.org/docs/LangRef.html#binary-operations
"""

from typing import Any

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.ir.values import wrap_int

__all__ = ["BINARY", "COMPARE", "ashr", "limits", "lshr", "parts", "shl", "to_int64", "unsigned", "urem", "with_sign"]

UNSIGNED: dict[np.dtype[Any], np.dtype[Any]] = {np.dtype(f"i{n}"): np.dtype(f"u{n}") for n in (1, 2, 4, 8)}


def limits(bits: int, signed: bool) -> tuple[int, int]:
    """The smallest and the largest integer of some bits."""
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)


def unsigned(values: Array, bits: int | None = None) -> Array:
    """The same bits, or the lowest of them, read as an unsigned integer."""
    if values.dtype == bool:
        return values.astype(np.uint8)
    if values.dtype == object:
        assert bits is not None
        return values % (1 << bits)
    view = values.view(UNSIGNED[values.dtype])
    return view if bits in (None, 8 * values.dtype.itemsize) else view & view.dtype.type((1 << bits) - 1)


def to_int64(values: Array) -> Integers:
    """Wrap integers of any width to 64 bits, as an index or an address is used."""
    wrapped: Integers = (wrap_int(values, 64) if values.dtype == object else values).astype(np.int64)
    return wrapped


def parts(words: Array, bits: int, signed: bool) -> Integers:
    """The numbers in words of 32 bits, a row each: (n, 32 / bits)."""
    each: Integers = words.astype(np.int64)[:, None] >> np.arange(0, 32, bits) & (1 << bits) - 1
    return each - ((each >> bits - 1) << bits) if signed else each


def with_sign(values: Array, bits: int) -> Array:
    """The same bits read with a sign: of one bit, true is -1."""
    return -values.astype(np.int8) if values.dtype == bool else values


def _signed(values: Array, bits: int) -> Array:
    if values.dtype == object:
        return wrap_int(values, bits)
    return wrap_int(values.view(f"i{values.dtype.itemsize}"), bits)


def _divisor(values: Array) -> Array:
    """Of Python's integers those that divide without raising: a zero has been reported."""
    return np.where(values == 0, 1, values) if values.dtype == object else values


def sdiv(left: Array, right: Array) -> Array:
    """Division toward zero."""
    quotient: Array = (left - srem(left, right)) // _divisor(right)
    return quotient


def srem(left: Array, right: Array) -> Array:
    """The remainder with the sign of the dividend."""
    whole = left.dtype == object
    remainder: Array = np.sign(left) * (abs(left) % abs(_divisor(right))) if whole else np.fmod(left, right)
    return remainder


def udiv(left: Array, right: Array, bits: int) -> Array:
    """Unsigned division."""
    return _signed(unsigned(left, bits) // unsigned(_divisor(right), bits), bits)


def urem(left: Array, right: Array, bits: int) -> Array:
    """Unsigned remainder."""
    return _signed(unsigned(left, bits) % unsigned(_divisor(right), bits), bits)


def shl(left: Array, right: Array, bits: int) -> Array:
    """Shift left; by the width or more gives 0."""
    if left.dtype == object:
        return np.where(unsigned(right, bits) >= bits, 0, left << (right % bits))
    return left << right


def lshr(left: Array, right: Array, bits: int) -> Array:
    """Shift right, filling with zeros."""
    return _signed(unsigned(left, bits) >> unsigned(right, bits), bits)


def ashr(left: Array, right: Array, bits: int) -> Array:
    """Shift right, filling with the sign."""
    shifted: Array = left >> (right % bits if left.dtype == object else right)
    return shifted


# Opcode to an expression over {a}, {b} and {bits}; the names are this module's.
BINARY = {
    "add": "{a} + {b}",
    "sub": "{a} - {b}",
    "mul": "{a} * {b}",
    "and": "{a} & {b}",
    "or": "{a} | {b}",
    "xor": "{a} ^ {b}",
    "sdiv": "sdiv({a}, {b})",
    "srem": "srem({a}, {b})",
    "udiv": "udiv({a}, {b}, {bits})",
    "urem": "urem({a}, {b}, {bits})",
    "shl": "shl({a}, {b}, {bits})",
    "lshr": "lshr({a}, {b}, {bits})",
    "ashr": "ashr({a}, {b}, {bits})",
}
COMPARE = {
    "eq": "{a} == {b}",
    "ne": "{a} != {b}",
    "slt": "{a} < {b}",
    "sle": "{a} <= {b}",
    "sgt": "{a} > {b}",
    "sge": "{a} >= {b}",
    "ult": "unsigned({a}, {bits}) < unsigned({b}, {bits})",
    "ule": "unsigned({a}, {bits}) <= unsigned({b}, {bits})",
    "ugt": "unsigned({a}, {bits}) > unsigned({b}, {bits})",
    "uge": "unsigned({a}, {bits}) >= unsigned({b}, {bits})",
}
