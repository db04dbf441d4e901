"""Check scalars and vectors passed as arguments, and encode them as they are stored; flatten nested values."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from harness.simt.arrays import Array
from harness.simt.errors import ArgumentError
from harness.simt.ir.types import BFLOAT, WIDE, Float, Int, Type, Vector, dtype_of, size_of
from harness.simt.ir.values import bfloat_bits
from harness.simt.state.allocation import Access

__all__ = ["encode_value", "flatten", "storage_of"]


def flatten(value: Any) -> list[Any]:
    """Return the items of nested tuples, lists and mappings as one list; of any other value a list of it alone.

    An array is one item.
    """
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, tuple | list):
        return [leaf for item in value for leaf in flatten(item)]
    return [value]


def storage_of(ty: Type) -> tuple[np.dtype[Any], int]:
    """Return the dtype in which elements of a type are stored (`bfloat` as uint16), and the bytes of all elements
    together: a vector of 3 is not padded to 4.
    """
    element = ty.element if isinstance(ty, Vector) else ty
    count = ty.length if isinstance(ty, Vector) else 1
    dtype = np.dtype(np.uint16) if element == BFLOAT else dtype_of(element)
    return dtype, (size_of(element) if dtype == WIDE else dtype.itemsize) * count


def encode_value(name: str, ty: Type, value: Any) -> Array:
    """Return a scalar, (1,), or a vector, (1, elements), as an array in the dtype in which it is stored.

    Args:
        name: What messages call it.
        value: A number, a sequence of numbers for a vector, or the value's bytes (uint8). A Python integer may be
            signed or unsigned; a NumPy number must have the type's kind and size.

    Raises:
        ArgumentError: The value does not fit the type, or no value of the type can be passed.
    """
    if not isinstance(ty, Int | Float | Vector):
        raise ArgumentError(f"{name}: a parameter of type {ty} cannot be passed")
    dtype, width = storage_of(ty)
    if isinstance(value, np.ndarray) and value.dtype == np.uint8 and value.nbytes == width and value.ndim == 1:
        if dtype == WIDE:
            return Access(ty).decode(value[None])
        shape = (1, ty.length) if isinstance(ty, Vector) else (1,)
        return value.view(dtype).reshape(shape)  # a part of a struct's bytes
    if isinstance(ty, Vector):
        elements = [encode_value(name, ty.element, element) for element in _elements(name, ty, value)]
        return np.concatenate(elements).reshape(1, ty.length)
    return _encode_scalar(name, ty, dtype, value)


def _elements(name: str, ty: Vector, value: Any) -> list[Any]:
    elements = list(value.reshape(-1)) if isinstance(value, np.ndarray) else flatten(value)
    if len(elements) != ty.length:
        raise ArgumentError(f"{name} must be {ty}, {ty.length} values, but got {len(elements)}")
    return elements


def _encode_scalar(name: str, ty: Int | Float, dtype: np.dtype[Any], value: Any) -> Array:
    if isinstance(value, np.ndarray) and value.size != 1:
        raise ArgumentError(f"{name} must be a scalar of type {ty}, but got an array of {value.shape}")
    if not isinstance(value, bool | int | float | np.generic | np.ndarray):
        raise ArgumentError(f"{name} must be a scalar of type {ty}, but got {type(value).__name__}")
    if isinstance(value, int | float) and not isinstance(value, bool | np.generic):
        return _encode_number(name, ty, dtype, value)
    array = np.asarray(value).reshape(1)
    kinds = {"i": "iu", "u": "iu", "f": "f", "b": "b"}[dtype.kind]
    if array.dtype.kind not in kinds or array.dtype.itemsize != dtype.itemsize:
        raise ArgumentError(
            f"{name} must be {ty} ({dtype.itemsize} bytes), but got {array.dtype} ({array.dtype.itemsize} bytes)"
        )
    return array.view(dtype) if array.dtype.kind == "u" else array.astype(dtype)


def _encode_number(name: str, ty: Int | Float, dtype: np.dtype[Any], value: int | float) -> Array:
    """Encode a Python number as an array of length 1; an integer may be signed or unsigned.

    Raises:
        ArgumentError: For an integer type, it is out of range or a float.
    """
    if isinstance(ty, Float):
        if ty == BFLOAT:
            return np.asarray(bfloat_bits(np.array([value], np.float32)))
        return np.array([value], dtype)
    half = 1 << ty.bits - 1
    if not isinstance(value, int) or not -half <= value < 2 * half:
        raise ArgumentError(f"{name} must be {ty}, but got {value!r}")
    if dtype.kind == "b":
        return np.array([value != 0])
    return np.array([(value + half) % (2 * half) - half], dtype)
