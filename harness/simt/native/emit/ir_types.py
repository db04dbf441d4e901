"""Spell types as LLVM text, as computed with, stored across waits or in a launch's memory; sizes, and literals.

A pointer is an i64 in computations, a bfloat a float, and an i1 in memory a byte.
"""

from functools import cache

import numpy as np

from harness.simt.arrays import Array
from harness.simt.declined import Declined, Reason
from harness.simt.ir.types import Float, Int, Pointer, Type, Vector, element_of, size_of
from harness.simt.native.jit.compiler import converts_halves

__all__ = ["DESCRIPTOR", "NARROW", "bytes_of", "every", "in_memory", "literal", "stored", "suffix", "text"]

WIDTHS = (1, 8, 16, 32, 64, 128)
SUFFIXES = {"half": "f16", "bfloat": "f32", "float": "f32", "double": "f64"}
DESCRIPTOR = Int(128)  # the four words of AMD's, made from a vector, and nothing else
NARROW = (Float("half"), Float("bfloat"))  # computed with as floats, and rounded each time


def _scalar(ty: Type) -> str:
    match ty:
        case Pointer():
            return "i64"
        case Int(bits) if bits in WIDTHS:
            return f"i{bits}"
        case Float("float" | "double" as name):
            return name
        case Float("half") if converts_halves():
            return "half"
        case Float("bfloat"):  # as a float that is one
            return "float"
    raise Declined(Reason.TYPE, type=ty)


@cache
def text(ty: Type) -> str:
    """Return a scalar or vector type as LLVM IR computes with it: a pointer is an i64, a bfloat a float.

    Raises:
        Declined: It is an aggregate, or has an element that this host does not compute with.
    """
    return f"<{ty.length} x {_scalar(ty.element)}>" if isinstance(ty, Vector) else _scalar(ty)


@cache
def stored(ty: Type) -> str:
    """Return a type as values of it are kept across waits: an i1 is a byte, a bfloat a float.

    Raises:
        Declined: There is no such type natively, or it is a vector of i1.
    """
    if isinstance(ty, Vector) and ty.element == Int(1):
        raise Declined(Reason.TYPE_IN_MEMORY, type=ty)
    return "i8" if ty == Int(1) else text(ty)


@cache
def in_memory(ty: Type) -> str:
    """Return a type as values of it lie in a launch's memory: an i1 is a byte, a bfloat has 16 bits.

    Raises:
        Declined: There is no such type natively, or it is a vector of i1 or an AMD descriptor (128-bit integer).
    """
    if element_of(ty) == Float("bfloat"):
        return f"<{ty.length} x i16>" if isinstance(ty, Vector) else "i16"
    if element_of(ty) == DESCRIPTOR:
        raise Declined(Reason.TYPE_IN_MEMORY, type=ty)
    return stored(ty)


@cache
def bytes_of(ty: Type) -> int:
    """Return the bytes of a value of a type, as it is kept across waits: an i1 takes 1, a bfloat 4.

    Raises:
        Declined: It is an aggregate, or there is no such type natively.
    """
    size = 4 if text(ty) and element_of(ty) == Float("bfloat") else size_of(element_of(ty))
    return size * (ty.length if isinstance(ty, Vector) else 1)


@cache
def suffix(ty: Type) -> str:
    """Return the type in the name of an LLVM intrinsic, such as `v4f32`; a bfloat is `f32`, a pointer `i64`."""
    element = element_of(ty)
    name = SUFFIXES[element.name] if isinstance(element, Float) else _scalar(element)
    return f"v{ty.length}{name}" if isinstance(ty, Vector) else name


def every(ty: Type, value: int | str) -> str:
    """Return the text of a constant without its type; `value` is used as it is, for each element of a vector."""
    if not isinstance(ty, Vector):
        return str(value)
    return "<" + ", ".join(f"{text(ty.element)} {value}" for _ in range(ty.length)) + ">"


def literal(ty: Type, values: Array) -> str:
    """Return the text of a constant of a type, without the type; floats are written by their bits.

    Args:
        values: As `constant_leaves` has it: (1,), or (1, length) for a vector.
    """
    element = element_of(ty)
    scalar = _scalar(element)

    def scalar_literal(value: object) -> str:
        if element == Int(1):
            return "true" if value else "false"
        if isinstance(element, Float):
            bits = np.array([value], values.dtype).view(f"u{values.dtype.itemsize}")
            return f"bitcast (i{8 * values.dtype.itemsize} {int(bits[0])} to {scalar})"
        return str(int(value))  # type: ignore[call-overload] # integers of some width

    if isinstance(ty, Vector):
        row = np.broadcast_to(values, (1, ty.length))[0]
        return "<" + ", ".join(f"{scalar} {scalar_literal(value)}" for value in row) + ">"
    return scalar_literal(values[0])
