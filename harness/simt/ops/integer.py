"""Expressions for integer arithmetic and comparisons in generated code; division, shifts, signedness, bit fields.

Values are arrays of signed integers. Odd widths are sign-extended to the next dtype; widths above 64 are arrays of
Python integers. Results that LLVM does not define (a shift by the width or more) are arbitrary; nothing raises.
See: https://llvm.org/docs/LangRef.html#binary-operations
"""

from typing import Any

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.ir.values import wrap_int

__all__ = [
    "BINARY",
    "COMPARE",
    "ashr",
    "limits",
    "lshr",
    "shl",
    "to_int64",
    "unpack_fields",
    "unsigned",
    "urem",
    "with_sign",
]

UNSIGNED: dict[np.dtype[Any], np.dtype[Any]] = {np.dtype(f"i{n}"): np.dtype(f"u{n}") for n in (1, 2, 4, 8)}


def limits(bits: int, signed: bool) -> tuple[int, int]:
    """Return the smallest and the largest integer of a width, (low, high)."""
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)


def unsigned(values: Array, bits: int | None = None) -> Array:
    """Return integers read as unsigned; with `bits`, only that many low bits.

    The result has an unsigned dtype and may be a view; truths become 0 or 1, whatever `bits` is. Python integers stay
    such, and require `bits`.
    """
    if values.dtype == bool:
        return values.astype(np.uint8)
    if values.dtype == object:
        assert bits is not None
        return values % (1 << bits)
    view = values.view(UNSIGNED[values.dtype])
    return view if bits in (None, 8 * values.dtype.itemsize) else view & view.dtype.type((1 << bits) - 1)


def to_int64(values: Array) -> Integers:
    """Wrap integers of any width to 64 bits, as an index or an offset is."""
    wrapped: Integers = (wrap_int(values, 64) if values.dtype == object else values).astype(np.int64)
    return wrapped


def unpack_fields(words: Array, bits: int, signed: bool) -> Integers:
    """Split 32-bit words into fields of `bits` bits each, the lowest first: int64, (n, 32 / bits)."""
    each: Integers = words.astype(np.int64)[:, None] >> np.arange(0, 32, bits) & (1 << bits) - 1
    return each - ((each >> bits - 1) << bits) if signed else each


def with_sign(values: Array, bits: int) -> Array:
    """Return integers read as signed: an `i1` that is true becomes -1, other dtypes are signed already."""
    return -values.astype(np.int8) if values.dtype == bool else values


def _to_signed(values: Array, bits: int) -> Array:
    if values.dtype == object:
        return wrap_int(values, bits)
    return wrap_int(values.view(f"i{values.dtype.itemsize}"), bits)


def _nonzero_divisor(values: Array) -> Array:
    """Return an array of Python integers with 1 for each 0, which would raise; any other array unchanged.

    The zero has been reported before.
    """
    return np.where(values == 0, 1, values) if values.dtype == object else values


def sdiv(left: Array, right: Array) -> Array:
    """Return signed quotients, rounded toward zero; by zero, and of the least integer by -1, they are arbitrary."""
    quotient: Array = (left - srem(left, right)) // _nonzero_divisor(right)
    return quotient


def srem(left: Array, right: Array) -> Array:
    """Return signed remainders, which have the sign of the dividend; for a zero divisor they are arbitrary."""
    is_object = left.dtype == object
    remainder: Array = np.sign(left) * (abs(left) % abs(_nonzero_divisor(right))) if is_object else np.fmod(left, right)
    return remainder


def udiv(left: Array, right: Array, bits: int) -> Array:
    """Return unsigned quotients of integers of a width, as signed integers; for a zero divisor they are arbitrary."""
    return _to_signed(unsigned(left, bits) // unsigned(_nonzero_divisor(right), bits), bits)


def urem(left: Array, right: Array, bits: int) -> Array:
    """Return unsigned remainders of integers of a width, as signed integers; for a zero divisor they are arbitrary."""
    return _to_signed(unsigned(left, bits) % unsigned(_nonzero_divisor(right), bits), bits)


def shl(left: Array, right: Array, bits: int) -> Array:
    """Shift left, without wrapping to `bits`.

    An amount of `bits` or more gives an arbitrary value, and 0 for Python integers.
    """
    if left.dtype == object:
        return np.where(unsigned(right, bits) >= bits, 0, left << (right % bits))
    return left << right


def lshr(left: Array, right: Array, bits: int) -> Array:
    """Shift right and fill with zeros; an amount of `bits` or more gives an arbitrary value."""
    return _to_signed(unsigned(left, bits) >> unsigned(right, bits), bits)


def ashr(left: Array, right: Array, bits: int) -> Array:
    """Shift right and fill with the sign bit; an amount of `bits` or more gives an arbitrary value."""
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
