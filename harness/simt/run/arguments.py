"""Arguments: checked against the kernel's signature, and laid out for it.

A parameter takes a value of its type. A pointer takes an array (or `None`, the null pointer), a number takes a number,
and a struct or an array takes a tuple, a list or a mapping with a value for each of its parts, nested or flat: for
`{ptr, {[2 x i64], i32}}` both `(a, ((3, 4), 7))` and `(a, 3, 4, 7)`. Parts without content (`{}`) take nothing, and
where one part is left its value alone will do: an array for `{ptr, {}}`. A struct without pointers also takes its
bytes, as an array of any dtype; a struct of 128 bytes a `TensorMap`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from harness.simt.compile.program import Program
from harness.simt.errors import ArgumentError
from harness.simt.ir.types import Array, Int, Pointer, Struct, Type, field_offset, leaves, member, size_of
from harness.simt.run.bound import Argument, Bound, Buffer, Leaf, lay_out
from harness.simt.run.scalars import flattened, number, stored
from harness.simt.state.tensor_map import ADDRESS, BYTES, TensorMap
from harness.simt.targets import SimulatedTarget

__all__ = ["bind"]

WITH_PARTS = Struct | Array
UNSAID = Buffer(np.empty(0, np.uint8))  # what is said of an array that is given alone


def bind(program: Program, args: Sequence[Any]) -> Bound:
    """Checks the arguments of a kernel.

    Raises:
        ArgumentError: If one does not fit; the message names it.
    """
    function, kernel, target = program.function, program.name, program.target
    if len(args) != len(function.params):
        raise ArgumentError(f"kernel {kernel} takes {len(function.params)} arguments, but got {len(args)}")
    bound = Bound()
    buffers: list[tuple[int, Leaf, Buffer]] = []
    try:
        for position, ((name, indirect, ty), value) in enumerate(zip(program.parameter_types, args, strict=True)):
            own = value.name if isinstance(value, Buffer) else None
            given: list[Leaf] = []
            for leaf, part in _assigned(ty, value, own or name, 0):
                given.append(leaf)
                if (buffer := _fill(leaf, part, target)) is not None:
                    buffers.append((position, leaf, buffer))
                elif leaf.shared is not None:
                    bound.shared_bytes += leaf.shared
            bound.arguments.append(Argument(position, indirect, given))
        lay_out(buffers, bound)
    except ArgumentError as error:
        place = f", {function.location}" if function.location else ""
        raise ArgumentError(f"{error} (kernel {kernel}{place})") from None
    return bound


def _assigned(ty: Type, value: Any, name: str, offset: int) -> list[tuple[Leaf, Any]]:
    """Each leaf of a type with the part of a value that it takes."""
    if isinstance(value, TensorMap):
        return list(_mapped(ty, value, name, offset))
    if not isinstance(ty, WITH_PARTS):
        return [(Leaf(ty, offset, name), value)]
    every = leaves(ty)
    many = not isinstance(value, np.ndarray) and isinstance(value, tuple | list | Mapping)
    if len(every) == 1 and isinstance(every[0][0], Pointer) and not many:  # most of Mojo's arguments
        return [(Leaf(every[0][0], offset + every[0][1], name), value)]
    plain = isinstance(value, np.ndarray) and not any(isinstance(part, Pointer) for part, _ in every)
    if plain and value.nbytes == size_of(ty):
        raw = np.ascontiguousarray(value).reshape(-1).view(np.uint8)
        return [(Leaf(part, offset + at, name), raw[at : at + stored(part)[1]]) for part, at in every]
    parts = [(index, part, at) for index, part, at in _members(ty) if leaves(part)]
    given = list(value.values()) if isinstance(value, Mapping) else list(value) if many else [value]
    flat = flattened(value)
    if len(given) == len(parts):
        names = list(value) if isinstance(value, Mapping) else [index for index, _, _ in parts]
        of_parts = zip(names, parts, given, strict=True)
        inner = (
            _assigned(part, element, f"{name}.{key}" if many else name, offset + at)
            for key, (_, part, at), element in of_parts
        )
        return [one for of_part in inner for one in of_part]
    places = list(_paths(ty, name, offset))
    if len(flat) == len(places):
        return list(zip(places, flat, strict=True))
    if len(flat) > len(places):
        raise ArgumentError(f"{name} is {ty}: it takes {len(places)} values, but got {len(flat)}")
    missing = ", ".join(f"{leaf.name} ({leaf.type})" for leaf in places[len(flat) :][:8])
    more = "" if len(places) - len(flat) <= 8 else ", ..."
    raise ArgumentError(
        f"{name} is {ty}, and nothing is given for {missing}{more}: pass a tuple of {len(places)} values"
    )


def _mapped(ty: Type, value: TensorMap, name: str, offset: int) -> Iterator[tuple[Leaf, Any]]:
    """A tensor map as numbers and the address of its tensor."""
    if size_of(ty) != BYTES:
        raise ArgumentError(f"{name} is {ty} and takes no tensor map, which has {BYTES} bytes")
    for place, word in enumerate(np.frombuffer(value.encode(), np.int64)):
        if place == ADDRESS:
            yield Leaf(Pointer(), offset + 8 * place, name), value.array
        else:
            yield Leaf(Int(64), offset + 8 * place, name), word


def _members(ty: Struct | Array) -> Iterator[tuple[int, Type, int]]:
    count = len(ty.fields) if isinstance(ty, Struct) else ty.length
    at = 0
    for index in range(count):
        part = member(ty, index)
        if isinstance(ty, Struct):
            at = field_offset(ty, index)
        yield index, part, at
        at += size_of(part)


def _paths(ty: Type, name: str, offset: int) -> Iterator[Leaf]:
    """The leaves of a type, each with a name that says where it is."""
    if not isinstance(ty, Struct | Array):
        yield Leaf(ty, offset, name)
        return
    for index, part, at in _members(ty):
        yield from _paths(part, f"{name}.{index}", offset + at)


def _fill(leaf: Leaf, value: Any, target: SimulatedTarget) -> Buffer | None:
    """Gives a leaf its value; returns what is said of the array where that is the address of one."""
    ty = leaf.type
    if not isinstance(ty, Pointer):
        leaf.scalar = number(leaf.name, ty, value)
        return None
    if value is None:
        leaf.scalar = np.zeros(1, np.int64)
        return None
    buffer = value if isinstance(value, Buffer) else UNSAID
    array = value.array if isinstance(value, Buffer) else value
    if not isinstance(array, np.ndarray):
        raise ArgumentError(
            f"{leaf.name} must be a NumPy array for a parameter of type {ty}, but got {type(array).__name__}"
        )
    if array.dtype.hasobject:
        raise ArgumentError(f"{leaf.name} holds Python objects: dtype {array.dtype}")
    leaf.name = buffer.name or leaf.name
    if ty.space and target.space_name(ty.space) == "shared":  # 0 is generic for all
        leaf.shared = array.nbytes
        return None
    leaf.array = array
    return buffer
