"""LLVM types, interned: sizes, alignments, field offsets, NumPy dtypes, and the scalars that a value consists of.

Sizes and alignments are in bytes and follow the natural layout that the three
targets share: a scalar is aligned to its size, a vector to its size rounded up
to a power of two, at most 16. Equal types are one object: comparing two and looking
one up, which every launch does, takes no time however deep they are.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import numpy as np

from harness.simt.errors import Unsupported

__all__ = [
    "BFLOAT",
    "WIDE",
    "Array",
    "Float",
    "Int",
    "Leaves",
    "OtherType",
    "Pointer",
    "Struct",
    "Type",
    "Vector",
    "align_of",
    "bits_of",
    "check_elements",
    "dtype_of",
    "element_count",
    "element_of",
    "field_offset",
    "leaves",
    "leaves_of",
    "member",
    "size_of",
]


T = TypeVar("T")
INTERNED: dict[tuple[Any, ...], Any] = {}


class Interned(type):
    """A metaclass: equal instances of its classes are one object."""

    def __call__(cls: type[T], *args: Any, **kwargs: Any) -> T:
        """Return the one instance with these values; the first request makes it, and the process keeps it."""
        new: T = type.__call__(cls, *args, **kwargs)
        interned: T = INTERNED.setdefault((cls, *(getattr(new, name) for name in cls.__match_args__)), new)  # type: ignore[attr-defined] # dataclasses have it
        return interned


@dataclass(frozen=True, slots=True, eq=False)
class Int(metaclass=Interned):
    """An integer of `bits` bits."""

    bits: int

    def __str__(self) -> str:
        return f"i{self.bits}"


@dataclass(frozen=True, slots=True, eq=False)
class Float(metaclass=Interned):
    """`half`, `bfloat`, `float` or `double`."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, eq=False)
class Pointer(metaclass=Interned):
    """A pointer into an address space."""

    space: int = 0

    def __str__(self) -> str:
        return f"ptr addrspace({self.space})" if self.space else "ptr"


@dataclass(frozen=True, slots=True, eq=False)
class _Elements(metaclass=Interned):
    length: int
    element: "Type"


@dataclass(frozen=True, slots=True, eq=False)
class Vector(_Elements):
    """`<length x element>`."""

    def __str__(self) -> str:
        return f"<{self.length} x {self.element}>"


@dataclass(frozen=True, slots=True, eq=False)
class Array(_Elements):
    """`[length x element]`."""

    def __str__(self) -> str:
        return f"[{self.length} x {self.element}]"


@dataclass(frozen=True, slots=True, eq=False)
class Struct(metaclass=Interned):
    """`{ fields }`, packed or not."""

    fields: tuple["Type", ...]
    packed: bool = False

    def __str__(self) -> str:
        return "{" + ", ".join(map(str, self.fields)) + "}"


@dataclass(frozen=True, slots=True, eq=False)
class OtherType(metaclass=Interned):
    """`void`, `label`, `metadata`, `token` or a function type."""

    name: str

    def __str__(self) -> str:
        return self.name


Type = Int | Float | Pointer | Vector | Array | Struct | OtherType
# (scalar or vector type, offset in bytes) of each one in a value.
Leaves = tuple[tuple[Type, int], ...]

# Of one value: each is an array for all lanes, and a few lines of generated code.
MAX_ELEMENTS = 1 << 12
BFLOAT = Float("bfloat")
FLOAT_BYTES = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "fp128": 16}
# A bfloat is computed as a float32 that is rounded after each operation.
FLOAT_DTYPES: dict[str, np.dtype[Any]] = {
    "half": np.dtype(np.float16),
    "bfloat": np.dtype(np.float32),
    "float": np.dtype(np.float32),
    "double": np.dtype(np.float64),
}
SIGNED: dict[int, np.dtype[Any]] = {n: np.dtype(f"i{n // 8}") for n in (8, 16, 32, 64)}
WIDE = np.dtype(object)


def element_of(ty: Type) -> Type:
    """Return the type of a vector's elements; any other type itself."""
    return ty.element if isinstance(ty, Vector) else ty


def bits_of(ty: Type) -> int:
    """Return the bits of an integer, or of each element of a vector of integers; 0 for every other type."""
    element = element_of(ty)
    return element.bits if isinstance(element, Int) else 0


def member(ty: Type, index: int) -> Type:
    """Return the type of an element of a struct, an array or a vector.

    Raises:
        IndexError: The struct has no such field; of arrays and vectors the index is not checked.
        TypeError: Another type has no elements.
    """
    if isinstance(ty, Struct):
        return ty.fields[index]
    if isinstance(ty, Array | Vector):
        return ty.element
    raise TypeError(f"type {ty} has no elements")


@cache
def dtype_of(ty: Type) -> np.dtype[Any]:
    """Return the dtype in which one element of a scalar or vector is computed.

    It is bool for `i1`, the narrowest signed integer that holds others, object above 64 bits, float32 for a bfloat, and
    int64 for a pointer.

    Raises:
        Unsupported: It is a struct, an array, a `fp128`, or has no values, such as `void`.
    """
    match ty:
        case Int(1):
            return np.dtype(bool)
        case Int(bits):
            for width in (8, 16, 32, 64):
                if bits <= width:
                    return SIGNED[width]
            return WIDE
        case Float(name) if name in FLOAT_DTYPES:
            return FLOAT_DTYPES[name]
        case Pointer():
            return np.dtype(np.int64)
        case Vector(_, element):
            return dtype_of(element)
    raise Unsupported(f"a value of type {ty}")


@cache
def size_of(ty: Type) -> int:
    """Return the size of a type in memory in bytes, with the padding of its elements.

    Integers and vectors, 8 `i1` to a byte, are rounded up to a power of two. Unsupported for `void` and the like.
    """
    match ty:
        case Int(bits):
            size = (bits + 7) // 8
            return size if size <= 2 else 1 << (size - 1).bit_length()
        case Float(name):
            return FLOAT_BYTES[name]
        case Pointer():
            return 8
        case Vector(length, element):
            bits = length * (1 if element == Int(1) else 8 * size_of(element))
            return 1 << ((bits + 7) // 8 - 1).bit_length()
        case Array(length, element):
            return length * size_of(element)
        case Struct(fields, packed):
            end = field_offset(ty, len(fields) - 1) + size_of(fields[-1]) if fields else 0
            return end if packed else -(-end // align_of(ty)) * align_of(ty)
    raise Unsupported(f"a value of type {ty}")


@cache
def align_of(ty: Type) -> int:
    """Return the natural alignment of a type in bytes: at most 16, and 1 for a packed struct.

    Unsupported if the type has no values, such as `void`.
    """
    match ty:
        case Array(_, element):
            return align_of(element)
        case Struct(fields, packed):
            return 1 if packed else max(map(align_of, fields), default=1)
        case Vector():
            return min(16, size_of(ty))
    return max(1, min(16, size_of(ty)))


@cache
def field_offset(ty: Struct, index: int) -> int:
    """Return the offset of a field in a struct, in bytes, with the padding before it.

    Raises IndexError if there is no such field.
    """
    end = 0
    for number, field in enumerate(ty.fields):
        if not ty.packed:
            end = -(-end // align_of(field)) * align_of(field)
        if number == index:
            return end
        end += size_of(field)
    raise IndexError(f"{ty} has no field {index}")


@cache
def leaves(ty: Type) -> Leaves:
    """Return ((type, byte offset), ...) of the scalars and vectors in a value, in order; empty for `void` and the like.

    Raises:
        Unsupported: It has more than `MAX_ELEMENTS` elements.
    """
    check_elements(ty)
    return tuple(_leaves(ty, 0))


def _leaves(ty: Type, offset: int) -> Iterator[tuple[Type, int]]:
    match ty:
        case Struct(fields):
            for number, field in enumerate(fields):
                yield from _leaves(field, offset + field_offset(ty, number))
        case Array(length, element) if element_count(element):
            size = size_of(element)
            for number in range(length):
                yield from _leaves(element, offset + number * size)
        case Array() | OtherType():
            return
        case _:
            yield ty, offset


def check_elements(ty: Type) -> None:
    """Refuse values of a type that consist of too many scalars, before one is made.

    Raises:
        Unsupported: It has more than `MAX_ELEMENTS` elements.
    """
    if element_count(ty) > MAX_ELEMENTS:
        raise Unsupported(f"a value of {element_count(ty)} elements")


@cache
def element_count(ty: Type) -> int:
    """Return how many scalars a value consists of; each element of a vector is one; 0 for `void` and the like."""
    match ty:
        case Struct(fields):
            return sum(map(element_count, fields))
        case Array(length, element):
            return length * element_count(element)
        case Vector(length):
            return length
        case OtherType():
            return 0
    return 1


def leaves_of(ty: Type, indices: Iterable[int]) -> tuple[int, int]:
    """Return (first, end), a range in `leaves(ty)` without the end, for a path into an aggregate; raise as `member`."""
    start = 0
    for index in indices:
        if isinstance(ty, Struct):
            start += sum(len(leaves(field)) for field in ty.fields[:index])
        else:
            start += index * len(leaves(member(ty, index)))
        ty = member(ty, index)
    return start, start + len(leaves(ty))
