"""Arguments: checked against the kernel's signature, and laid out for it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from harness.simt.arrays import Array
from harness.simt.errors import ArgumentError
from harness.simt.ir.module import Function, Param
from harness.simt.ir.types import Float, Int, Pointer, Struct, Type, dtype_of, leaves, size_of

__all__ = ["Bound", "Buffer", "bind"]


@dataclass(frozen=True, slots=True)
class Buffer:
    """An array as an argument, with what an array cannot say.

    Attributes:
        array: The data, written in place.
        name: What reports call it; None for `argument N`.
        initialised: Whether the host wrote it; if not, a read before a write by
            the kernel is a use of an undefined value.
        writable: Whether the kernel may store to it.
    """

    array: Array
    name: str | None = None
    initialised: bool = True
    writable: bool = True


@dataclass(slots=True)
class Bound:
    """One argument made ready.

    Attributes:
        data: The bytes of a buffer, or None for a scalar.
        copy_back: An array that `data` is a copy of and must be returned to.
        indirect: The type of the parameter itself, when it is passed by address.
        granule: Bytes of one of the array's elements; 1 where they are structs.
        scalar: The value of a parameter passed directly, as an array of length 1; of one
            passed by address its bytes.
    """

    position: int
    name: str
    param: Param
    data: Array | None = None
    copy_back: Array | None = None
    indirect: Type | None = None
    scalar: Array = field(default_factory=lambda: np.empty(0, np.uint8))
    initialised: bool = True
    writable: bool = True
    granule: int = 1


def bind(function: Function, args: Sequence[Any]) -> list[Bound]:
    """Checks the arguments of a kernel.

    Raises:
        ArgumentError: If one does not fit; the message names it.
    """
    params = function.params
    if len(args) != len(params):
        msg = f"kernel {function.name.removeprefix('@')} takes {len(params)} arguments, but got {len(args)}"
        raise ArgumentError(msg)
    used = _used_as_struct(function)
    place = f", {function.location}" if function.location else ""
    try:
        return [
            _bind_one(position, param, arg, used)
            for position, (param, arg) in enumerate(zip(params, args, strict=True))
        ]
    except ArgumentError as error:
        name = function.name.removeprefix("@")
        raise ArgumentError(f"{error} (kernel {name}{place})") from None


def _used_as_struct(function: Function) -> dict[str, Type]:
    """Parameters that are read as a struct though their type does not say so.

    Metal passes every struct by address, a plain pointer too: a kernel that loads
    a whole struct or a pointer from a parameter has it in memory.
    """
    found: dict[str, Type] = {}
    metal = function.attributes.get("metal.kernel") == "true"
    kinds = Struct | Pointer if metal else Struct
    for block in function.blocks:
        for one in block.instructions:
            if one.opcode != "load" or not isinstance(one.type, kinds):
                continue
            name = getattr(one.operands[0], "name", None)
            if name is not None:
                found.setdefault(name, one.type)
    return found


def _bind_one(position: int, param: Param, arg: Any, used: dict[str, Type]) -> Bound:
    wrapper = arg if isinstance(arg, Buffer) else Buffer(arg)
    name = wrapper.name or f"argument {position}"
    indirect = param.indirect
    if indirect is None and isinstance(param.type, Pointer):
        indirect = used.get(param.name)
    bound = Bound(position, name, param, indirect=indirect, initialised=wrapper.initialised, writable=wrapper.writable)
    array = wrapper.array
    if isinstance(param.type, Pointer) and (indirect is None or _first_is_pointer(indirect)):
        if not isinstance(array, np.ndarray):
            msg = f"{name} must be a NumPy array for a parameter of type {param.type}, but got {type(array).__name__}"
            raise ArgumentError(msg)
        if array.dtype == object or array.dtype.hasobject:
            raise ArgumentError(f"{name} holds Python objects: dtype {array.dtype}")
        bound.granule = array.dtype.itemsize if array.dtype.kind in "biufc" else 1
        flat = np.ascontiguousarray(array)
        if flat is not array and not np.shares_memory(flat, array):
            bound.copy_back = array
            bound.data = flat.reshape(-1).view(np.uint8)
        else:
            bound.data = flat.reshape(-1).view(np.uint8)
        if not array.flags.writeable:
            bound.writable = False
        return bound
    if indirect is not None:
        bound.scalar = _record(name, indirect, array)
    else:
        bound.scalar = _scalar(name, param.type, array)
    return bound


def _first_is_pointer(ty: Type) -> bool:
    parts = leaves(ty)
    return bool(parts) and isinstance(parts[0][0], Pointer)


def _scalar(name: str, ty: Type, value: Any) -> Array:
    """A scalar as an array of length 1 of the parameter's dtype."""
    if not isinstance(ty, Int | Float):
        raise ArgumentError(f"{name}: a parameter of type {ty} cannot be passed")
    expected = np.dtype(np.uint16) if ty == Float("bfloat") else dtype_of(ty)
    if isinstance(value, np.ndarray) and value.size != 1:
        msg = f"{name} must be a scalar of type {ty}, but got an array of {value.shape}"
        raise ArgumentError(msg)
    array = np.asarray(value)
    kinds = {"i": "iu", "u": "iu", "f": "f", "b": "b"}[expected.kind]
    plain = isinstance(value, int | float) and not isinstance(value, bool | np.generic)
    if not plain and (array.dtype.kind not in kinds or array.dtype.itemsize != expected.itemsize):
        msg = f"{name} must be {ty} ({expected.itemsize} bytes), but got {array.dtype} ({array.dtype.itemsize} bytes)"
        raise ArgumentError(msg)
    if plain and isinstance(ty, Int) and expected.kind == "i":
        bits = ty.bits
        if not isinstance(value, int) or not -(1 << bits - 1) <= value < 1 << bits:
            raise ArgumentError(f"{name} must be {ty}, but got {value!r}")
        half = 1 << bits - 1
        array = np.asarray((value + half) % (2 * half) - half)
    array = array.reshape(1)
    if array.dtype.kind == "u" and expected.kind == "i":
        return array.view(expected)
    return array.astype(expected)


def _record(name: str, ty: Type, value: Any) -> Array:
    """The bytes of a struct without a pointer, passed indirectly."""
    array = np.atleast_1d(np.asarray(value))
    data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    if len(data) != size_of(ty):
        msg = f"{name} must have {size_of(ty)} bytes for {ty}, but got {len(data)}"
        raise ArgumentError(msg)
    return data
