"""Make LLVM's conversions (`zext`, `fptosi`, `bitcast`, ...) as functions on arrays of lanes; saturate floats.

See: https://llvm.org/docs/LangRef.html#conversion-operations
"""

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from harness.simt.arrays import Array
from harness.simt.ir.types import Float, Int, Pointer, Type, Vector, bits_of, dtype_of, element_of, size_of
from harness.simt.ir.values import BIAS, SHIFT, bfloat_bits, bfloat_round, bfloat_value, octets_of, wrap_int
from harness.simt.ops.integer import limits, unsigned, with_sign

__all__ = ["Convert", "make_converter", "saturate"]

Convert: TypeAlias = Callable[[Array], Array]

OFFSET = (1 << SHIFT) - 1
SMALL_SHIFT = 24
WIDE = np.dtype(object)


def make_converter(opcode: str, source: Type, target: Type) -> Convert:
    """Return the function that an opcode such as `zext` or `bitcast` applies to values of one type to get another.

    It works on vectors, too, and may return its argument. Floats out of an integer's range saturate, and a NaN becomes
    0. An integer of less than 64 bits holds a pointer as 24 bits of offset with 7 of the allocation's number above;
    `inttoptr` undoes that if those 7 are not all 0, and else takes the integer as the pointer's bits. KeyError for an
    unknown opcode.
    """
    if opcode == "bitcast":
        return _bitcast(source, target)
    start, end = element_of(source), element_of(target)
    if isinstance(start, Int) and start == end:  # a buffer descriptor: a pointer type that is stored as an integer
        return _identity
    if opcode in ("ptrtoint", "ptrtoaddr"):
        return _pointer_to_int(start, end)
    if opcode == "inttoptr":
        return _int_to_pointer(start)
    if opcode == "addrspacecast":
        return _identity
    return NUMERIC[opcode](start, end)


def _identity(values: Array) -> Array:
    return values


def _trunc(_source: Type, target: Type) -> Convert:
    dtype, bits = dtype_of(target), bits_of(target)
    if bits == 1:
        return lambda values: (values & 1) != 0
    return lambda values: wrap_int(_wrap_to(values, bits, dtype), bits)


def _wrap_to(values: Array, bits: int, dtype: np.dtype[Any]) -> Array:
    if values.dtype == WIDE:
        return wrap_int(values, bits).astype(dtype)
    return values.astype(dtype)


def _zext(source: Type, target: Type) -> Convert:
    dtype, bits = dtype_of(target), bits_of(source)
    return lambda values: unsigned(values, bits).astype(dtype)


def _sext(source: Type, target: Type) -> Convert:
    dtype, bits = dtype_of(target), bits_of(source)
    return lambda values: with_sign(values, bits).astype(dtype)


def _float_to_float(_source: Type, target: Type) -> Convert:
    dtype = dtype_of(target)
    if target == Float("bfloat"):
        return bfloat_round
    return lambda values: values.astype(dtype)


def _to_signed(_source: Type, target: Type) -> Convert:
    bits, dtype = bits_of(target), dtype_of(target)
    if bits == 1:
        return lambda values: values <= -1  # true is -1
    return lambda values: saturate(values, *limits(bits, True), dtype)


def _to_unsigned(_source: Type, target: Type) -> Convert:
    bits, dtype = bits_of(target), dtype_of(target)
    if bits == 1:
        return lambda values: values >= 1
    wide = np.dtype(f"u{dtype.itemsize}") if dtype != WIDE else dtype

    def convert(values: Array) -> Array:
        result = saturate(values, *limits(bits, False), wide)
        return wrap_int(result.view(dtype) if dtype != WIDE else result, bits)

    return convert


def saturate(values: Array, low: int, high: int, dtype: np.dtype[Any]) -> Array:
    """Convert floats to integers toward zero; clamp what is out of range to `low` or `high`, and NaN to 0.

    Args:
        dtype: Of the result; object gives Python integers.
    """
    wide = values.astype(np.float64)
    over, under = wide >= float(high), wide <= float(low)
    nan = np.isnan(wide)
    inside = np.where(over | under | nan, 0, wide)
    if dtype == WIDE:
        result = _map_objects(int, inside)
        result[over], result[under] = high, low
        return result
    result = np.where(over, dtype.type(high), inside.astype(dtype))
    return np.where(under, dtype.type(low), result)


def _map_objects(function: Callable[[Any], Any], values: Array) -> Array:
    """Apply a function to each number and return an object array of Python's own numbers."""
    result = np.empty(values.shape, object)
    result.ravel()[:] = [function(value) for value in values.ravel().tolist()]
    return result


def _from_signed(source: Type, target: Type) -> Convert:
    return _make_int_to_float(target, lambda values: with_sign(values, bits_of(source)))


def _from_unsigned(source: Type, target: Type) -> Convert:
    return _make_int_to_float(target, lambda values: unsigned(values, bits_of(source)))


def _make_int_to_float(target: Type, read: Convert) -> Convert:
    """Return a converter from integers, read by `read`, to floats that rounds once."""
    dtype, target = dtype_of(target), element_of(target)

    def convert(values: Array) -> Array:
        values = read(values)
        if target == Float("bfloat"):
            return bfloat_round(_round_to_odd_double(values))
        if values.dtype == WIDE:
            return (
                (values if target == Float("double") else _round_to_odd_double(values)).astype(np.float64).astype(dtype)
            )
        return values.astype(dtype)

    return convert


def _round_to_odd_double(values: Array) -> Array:
    """Convert integers to doubles that round to a narrower float exactly as the integers themselves would."""
    if values.dtype.itemsize < 8:
        return values.astype(np.float64)
    if values.dtype == WIDE:
        return _map_objects(_round_integer_to_odd, values).astype(np.float64)
    rest = values & values.dtype.type(0xFFF)  # bits that float64 cannot hold only decide ties
    sticky = (values - rest) | (np.where(rest != 0, values.dtype.type(0x800), rest))
    wide = np.abs(values.astype(np.float64)) >= 2.0**52
    return np.where(wide, sticky.astype(np.float64), values.astype(np.float64))


def _round_integer_to_odd(value: int) -> float:
    """Cut an integer to 53 bits, and set the last one if any lost bit was set; infinity from 2^1024 on."""
    size = abs(value)
    if size.bit_length() > 1024:
        return math.inf if value > 0 else -math.inf
    lost = max(size.bit_length() - 53, 0)
    cut = size >> lost
    magnitude = math.ldexp(cut | (cut << lost != size), lost)
    return math.copysign(magnitude, value)


NUMERIC = {
    "trunc": _trunc,
    "zext": _zext,
    "sext": _sext,
    "fptrunc": _float_to_float,
    "fpext": _float_to_float,
    "fptosi": _to_signed,
    "fptoui": _to_unsigned,
    "sitofp": _from_signed,
    "uitofp": _from_unsigned,
}


def _pointer_to_int(_source: Type, target: Type) -> Convert:
    dtype = dtype_of(target)
    if bits_of(target) >= 64:
        return lambda values: values.astype(dtype)

    def convert(values: Array) -> Array:  # 8 bits of allocation above 24 of offset
        offset = ((values & OFFSET) - BIAS) & ((1 << SMALL_SHIFT) - 1)
        number = (values >> SHIFT & 0x7F) << SMALL_SHIFT
        return wrap_int((number | offset).astype(dtype), bits_of(target))

    return convert


def _int_to_pointer(source: Type) -> Convert:
    if bits_of(source) >= 64:
        return lambda values: values.astype(np.int64)

    def convert(values: Array) -> Array:
        wide = values.astype(np.int64)
        number = wide >> SMALL_SHIFT & 0x7F
        offset = wide & ((1 << SMALL_SHIFT) - 1)
        return np.where(number, (number << SHIFT) + BIAS + offset, wide)

    return convert


def _bitcast(source: Type, target: Type) -> Convert:
    if source == target or isinstance(element_of(source), Pointer):
        return _identity
    into, out = _make_packer(source), _make_unpacker(target)
    return lambda values: out(into(values))


def _make_packer(ty: Type) -> Convert:
    """Return a function from values to rows of bytes, one row for each lane; the first element has the lowest bits.

    Integers of other widths than 8, 16, 32 and 64 are packed bit by bit; a bfloat has 2 bytes.
    """
    element = element_of(ty)
    if element == Float("bfloat"):
        return lambda values: octets_of(bfloat_bits(values))
    if not _is_odd_width(element):
        return octets_of
    bits = bits_of(element)

    def convert(values: Array) -> Array:
        if values.dtype == WIDE:
            size = size_of(element)
            data = b"".join((value % (1 << 8 * size)).to_bytes(size, "little") for value in values.ravel().tolist())
            octets = np.frombuffer(data, np.uint8)
        else:
            octets = octets_of(values).ravel()
        apart = np.unpackbits(octets.reshape(values.size, -1), axis=1, count=bits, bitorder="little")
        return np.packbits(apart.reshape(len(values), -1), axis=1, bitorder="little")

    return convert


def _is_odd_width(element: Type) -> bool:
    return isinstance(element, Int) and element.bits not in (8, 16, 32, 64)


def _make_unpacker(ty: Type) -> Convert:
    """Return a function from bytes, one row for each lane, to values of a type: (lanes,), or (lanes, elements)."""
    element = element_of(ty)
    count = ty.length if isinstance(ty, Vector) else 1
    if _is_odd_width(element):
        decode = _make_bit_unpacker(element, count)
    elif element == Float("bfloat"):
        decode = lambda rows: bfloat_value(np.ascontiguousarray(rows).view(np.uint16))  # noqa: E731
    else:
        stored = dtype_of(element)
        decode = lambda rows: np.ascontiguousarray(rows).view(stored)  # noqa: E731
    return decode if isinstance(ty, Vector) else lambda rows: decode(rows)[:, 0]


def _make_bit_unpacker(element: Type, count: int) -> Convert:
    """Return a function from rows of bytes to `count` signed integers (bools for `i1`), bit by bit: (lanes, count)."""
    bits, dtype = bits_of(element), dtype_of(element)

    def decode(rows: Array) -> Array:
        apart = np.unpackbits(rows, axis=1, count=bits * count, bitorder="little").reshape(-1, bits)
        if bits == 1:
            return apart.astype(bool).reshape(len(rows), count)
        octets = np.packbits(apart, axis=1, bitorder="little")
        if dtype == WIDE:
            values = np.array([int.from_bytes(row.tobytes(), "little") for row in octets], object)
        else:
            padded = np.zeros((len(octets), dtype.itemsize), np.uint8)
            padded[:, : octets.shape[1]] = octets
            values = padded.view(dtype)
        return wrap_int(values, bits).reshape(len(rows), count)

    return decode
