"""NumPy arrays of constants and poison, wrapped integers, rounded bfloats; pointer bits, `getelementptr` steps.

| bits of a pointer (int64) | content |
| --- | --- |
| 56 and up | a peer block of a cluster: rank + 1, or 0 |
| 40 to 55 | the number of the allocation |
| 0 to 39 | the offset in bytes plus `BIAS`, so that a step below the start stays in the allocation |
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from harness.simt.arrays import Array
from harness.simt.ir.constants import make_zero
from harness.simt.ir.module import Aggregate, ByteString, Const, Operand, Undef, Zero
from harness.simt.ir.sizes import to_signed
from harness.simt.ir.types import Float, Int, Struct, Type, Vector, dtype_of, field_offset, leaves, member, size_of

__all__ = [
    "BIAS",
    "BROKEN",
    "FIRST",
    "LITERAL",
    "MASK",
    "PEER_SHIFT",
    "POISON_BYTES",
    "SHIFT",
    "base_of",
    "bfloat_bits",
    "bfloat_round",
    "bfloat_value",
    "constant_leaves",
    "fill_with_poison",
    "octets_of",
    "poison_value",
    "step_of",
    "strides",
    "wrap_int",
]

T = TypeVar("T")

SHIFT = 40
BIAS = 1 << 39
PEER_SHIFT = 56
MASK = 0xFFFF  # of an allocation's number
FIRST = 1 << 15  # the first number of an allocation that outlives a launch
# Origins of undefined values are numbered: from BROKEN operations without a value, from LITERAL `undef` in the code,
# which fills unused space.
BROKEN, LITERAL = 1 << 29, 1 << 30
# Every float of this pattern is a NaN; as an integer it stands out.
POISON_BYTES = np.frombuffer(bytes.fromhex("a5ffa5ff" * 4), np.uint8)


def fill_with_poison(data: NDArray[np.uint8]) -> None:
    """Fill fresh memory of any length with the poison pattern, in words: that takes a twelfth of the time of bytes."""
    whole_words = len(data) // 8 * 8
    data[:whole_words].view(np.uint64)[:] = POISON_BYTES[:8].view(np.uint64)[0]
    data[whole_words:] = POISON_BYTES[: len(data) - whole_words]


def base_of(number: int) -> int:
    """Return the address of the first byte of an allocation."""
    return (number << SHIFT) + BIAS


def strides(ty: Type, indices: Iterable[T]) -> Iterator[tuple[T | int, int]]:
    """Yield (index, signed bytes for each step) of each term that `getelementptr` adds to an address.

    A constant index is yielded as a signed int; the offset of a struct's field as (offset, 1), its index being
    constant.

    Args:
        ty: The type that the address points to.
    """
    for number, index in enumerate(indices):
        step: T | int = index
        if isinstance(index, Const):  # it is signed, also where it is a bit
            step = -(index.value & 1) if index.type == Int(1) else to_signed(index.value)
        if number and isinstance(ty, Struct):
            assert isinstance(step, int)
            yield to_signed(field_offset(ty, step)), 1
            ty = member(ty, step)
        else:
            ty = member(ty, 0) if number else ty
            yield step, to_signed(size_of(ty))


def step_of(ty: Type, indices: Iterable[T]) -> int | None:
    """Return how many bytes `getelementptr` adds to a pointer to `ty`, as a signed 64-bit integer.

    None if an index is not constant.

    Args:
        indices: Operands, or integers.
    """
    step = 0
    for index, scale in strides(ty, indices):
        if not isinstance(index, int):
            return None
        step += index * scale
    return to_signed(step)


def octets_of(values: Array) -> Array:
    """Return the bytes of values, (lanes, bytes)."""
    return np.ascontiguousarray(values).view(np.uint8).reshape(len(values), -1)


def wrap_int(values: Array, bits: int) -> Array:
    """Wrap integers, also Python's, to the signed range of `bits` bits, at most the dtype's.

    Booleans, and integers of just the dtype's width, are returned themselves.
    """
    if values.dtype == bool:
        return values
    if values.dtype == object:
        half, full = 1 << (bits - 1), 1 << bits
        return (values + half) % full - half
    width = 8 * values.dtype.itemsize
    return values if bits == width else (values << (width - bits)) >> (width - bits)


def bfloat_round(values: Array) -> Array:
    """Round floats once to the nearest bfloat, ties to even, kept as float32.

    A NaN whose low bits are cut becomes quiet.
    """
    if values.dtype == np.float64:
        values = _narrow_to_odd(values)
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    nan = (bits & np.uint32(0x7FFFFFFF)) > np.uint32(0x7F800000)
    if nan.any():  # one that is a bfloat stays as it is: what only moves a sign keeps its bits
        quiet_bit = np.where(bits & np.uint32(0xFFFF), np.uint32(0x400000), np.uint32(0))
        rounded = np.where(nan, bits | quiet_bit, rounded)
    return (rounded & np.uint32(0xFFFF0000)).view(np.float32)


def _narrow_to_odd(values: Array) -> Array:
    """Round to float32; the last bit of an inexact result is set, so that it breaks no tie. NaN stays NaN."""
    nearest = values.astype(np.float32)
    bits = nearest.view(np.int32)
    wrong = (nearest.astype(np.float64) != values) & (bits & 1 == 0) & (values == values)
    is_outward = np.abs(nearest.astype(np.float64)) < np.abs(values)
    return np.where(wrong, bits + np.where(is_outward, 1, -1).astype(np.int32), bits).view(np.float32)


def bfloat_bits(values: Array) -> Array:
    """Return the bits, as uint16, of bfloats that are stored as float32: the upper half, without rounding."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return (bits >> np.uint32(16)).astype(np.uint16)


def bfloat_value(bits: Array) -> Array:
    """Return the float32 values of bfloats given by their 16 bits."""
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)


def _scalar(ty: Type, value: int) -> Array:
    dtype = dtype_of(ty)
    match ty:
        case Int(1):
            return np.array([value & 1], bool)
        case Int(bits):
            value &= (1 << bits) - 1
            if value >> (bits - 1):
                value -= 1 << bits
            return np.array([value], dtype)
        case Float("bfloat"):
            return bfloat_value(np.array([value], np.uint16))
        case Float():
            unsigned = np.dtype(f"u{dtype.itemsize}")
            return np.array([value], unsigned).view(dtype)
    return np.array([value], np.int64)


def poison_value(ty: Type) -> Array:
    """Return the value that stands for an undefined one of a scalar or vector type: (1,), or (1, elements).

    Its bytes are the poison pattern; a bit is True, and an integer above 64 bits is 0x5AFF5AFF.
    """
    if isinstance(ty, Vector):
        return np.repeat(poison_value(ty.element), ty.length)[None, :]
    if ty == Int(1):
        return np.array([True])
    dtype = dtype_of(ty)
    if dtype == np.dtype(object):
        return np.array([0x5AFF5AFF], object)
    return POISON_BYTES[: dtype.itemsize].view(dtype).copy()


def constant_leaves(operand: Operand, address: Callable[[Operand], int]) -> list[Array]:
    """Return the leaves of a constant, each (1,), or (1, elements) for a vector; `undef` gives `poison_value`.

    Args:
        address: Gives the integer value of an operand that is no plain constant, such as a `GlobalRef` or an `Expr`.
    """
    ty = operand.type
    match operand:
        case Undef():
            return [poison_value(leaf) for leaf, _ in leaves(ty)]
        case Zero():
            return constant_leaves(make_zero(ty), address)
        case ByteString(_, data):
            return [np.array([np.int8(b - 256 if b > 127 else b)]) for b in data]
        case Const(_, value):
            return [_scalar(ty, value)]
        case Aggregate(Vector(), elements):
            element_arrays = [constant_leaves(element, address)[0] for element in elements]
            return [np.concatenate(element_arrays)[None, :]]
        case Aggregate(_, elements):
            return [leaf for element in elements for leaf in constant_leaves(element, address)]
    value = address(operand)
    return [_scalar(ty, value)]
