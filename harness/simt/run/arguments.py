"""Match values (arrays, numbers, tuples, tensor maps) to a kernel's parameters by leaf; `setup` allocates memory.

A parameter takes a value of its type. A pointer takes an array (or `None`, the null pointer), a number takes a number,
and a struct or an array takes a tuple, a list or a mapping with a value for each of its members, nested or flat: for
`{ptr, {[2 x i64], i32}}` both `(a, ((3, 4), 7))` and `(a, 3, 4, 7)`. Members without content (`{}`) take nothing, and
a struct with one other member also takes that member's value alone: an array for `{ptr, {}}`. A struct without pointers
also takes its bytes, as an array of any dtype; a struct of 128 bytes takes a `TensorMap`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from harness.simt.compile.program import Program
from harness.simt.errors import ArgumentError
from harness.simt.ir.types import Array, Int, Pointer, Struct, Type, field_offset, leaves, member, size_of
from harness.simt.run.bound_arguments import BoundArgument, BoundArguments, Buffer, Leaf, lay_out
from harness.simt.run.scalars import encode_value, flatten, storage_of
from harness.simt.state.tensor_map import ADDRESS, BYTES, TensorMap
from harness.simt.targets import SimulatedTarget

__all__ = ["bind_arguments"]

NESTED = Struct | Array
PLAIN_BUFFER = Buffer(np.empty(0, np.uint8))  # the properties of an array that is passed without a `Buffer`


def bind_arguments(program: Program, args: Sequence[Any]) -> BoundArguments:
    """Return the arguments of a launch, checked against the kernel's signature and laid out for it.

    Contiguous arrays are used in place. Others are copied, and `BoundArguments.copy_back` writes the copies back. For a
    pointer to shared memory, only the size of the array counts. Types of elements are not checked; `check_arrays` does
    that.

    Raises:
        ArgumentError: The number of arguments is wrong (the message names the kernel), or one does not fit (the message
            names the argument, the kernel and its source location).
    """
    function, kernel, target = program.function, program.name, program.target
    if len(args) != len(function.params):
        raise ArgumentError(f"kernel {kernel} takes {len(function.params)} arguments, but got {len(args)}")
    bound = BoundArguments()
    buffers: list[tuple[int, Leaf, Buffer]] = []
    try:
        for position, ((name, indirect, ty), value) in enumerate(zip(program.parameter_types, args, strict=True)):
            array_name = value.name if isinstance(value, Buffer) else None
            argument_leaves: list[Leaf] = []
            for leaf, leaf_value in _assign(ty, value, array_name or name, 0):
                argument_leaves.append(leaf)
                if (buffer := _set_value(leaf, leaf_value, target)) is not None:
                    buffers.append((position, leaf, buffer))
                elif leaf.shared is not None:
                    bound.shared_bytes += leaf.shared
            bound.arguments.append(BoundArgument(position, indirect, argument_leaves))
        lay_out(buffers, bound)
    except ArgumentError as error:
        place = f", {function.location}" if function.location else ""
        raise ArgumentError(f"{error} (kernel {kernel}{place})") from None
    return bound


def _assign(ty: Type, value: Any, name: str, offset: int) -> list[tuple[Leaf, Any]]:
    """Pair each leaf (scalar, vector or pointer) of a type with the part of `value` that it takes, in order.

    A type that is a leaf takes the value as it is. A struct or an array takes a tuple, list or mapping with a value for
    each member with content, which may be nested, or with a value for each leaf. Without pointers it also takes its
    bytes as an array; with a single member with content, that member's value alone. A mapping's values count in its
    order; its keys only name leaves, as `name.key`. A tensor map is split into its words. The parts are not checked
    against the leaves' types: `_set_value` does that.

    Args:
        name: What messages call the value.
        offset: The byte of the parameter at which the value begins.

    Raises:
        ArgumentError: The value has too many or too few parts, or is a tensor map of another size than the type.
    """
    if isinstance(value, TensorMap):
        return list(_encode_tensor_map(ty, value, name, offset))
    if not isinstance(ty, NESTED):
        return [(Leaf(ty, offset, name), value)]
    type_leaves = leaves(ty)
    is_sequence = not isinstance(value, np.ndarray) and isinstance(value, tuple | list | Mapping)
    if len(type_leaves) == 1 and isinstance(type_leaves[0][0], Pointer) and not is_sequence:  # most of Mojo's arguments
        return [(Leaf(type_leaves[0][0], offset + type_leaves[0][1], name), value)]
    is_bytes = isinstance(value, np.ndarray) and not any(isinstance(part, Pointer) for part, _ in type_leaves)
    if is_bytes and value.nbytes == size_of(ty):
        raw = np.ascontiguousarray(value).reshape(-1).view(np.uint8)
        return [
            (Leaf(part, offset + position, name), raw[position : position + storage_of(part)[1]])
            for part, position in type_leaves
        ]
    members = [(index, part, position) for index, part, position in _members(ty) if leaves(part)]
    values = list(value.values()) if isinstance(value, Mapping) else list(value) if is_sequence else [value]
    flat = flatten(value)
    if len(values) == len(members):
        names = list(value) if isinstance(value, Mapping) else [index for index, _, _ in members]
        named_members = zip(names, members, values, strict=True)
        assigned = (
            _assign(part, element, f"{name}.{key}" if is_sequence else name, offset + position)
            for key, (_, part, position), element in named_members
        )
        return [pair for pairs in assigned for pair in pairs]
    named_leaves = list(_named_leaves(ty, name, offset))
    if len(flat) == len(named_leaves):
        return list(zip(named_leaves, flat, strict=True))
    if len(flat) > len(named_leaves):
        raise ArgumentError(f"{name} is {ty}: it takes {len(named_leaves)} values, but got {len(flat)}")
    missing = ", ".join(f"{leaf.name} ({leaf.type})" for leaf in named_leaves[len(flat) :][:8])
    more = "" if len(named_leaves) - len(flat) <= 8 else ", ..."
    raise ArgumentError(
        f"{name} is {ty}, and nothing is given for {missing}{more}: pass a tuple of {len(named_leaves)} values"
    )


def _encode_tensor_map(ty: Type, value: TensorMap, name: str, offset: int) -> Iterator[tuple[Leaf, Any]]:
    """Yield (leaf, value) for each of the 16 words of a tensor map, 64-bit integers, in order.

    The word with the address has a pointer as its leaf, and the tensor's array as its value.

    Raises:
        ArgumentError: The type has another size than a tensor map; raised when the first word is taken.
    """
    if size_of(ty) != BYTES:
        raise ArgumentError(f"{name} is {ty} and takes no tensor map, which has {BYTES} bytes")
    for position, word in enumerate(np.frombuffer(value.encode(), np.int64)):
        if position == ADDRESS:
            yield Leaf(Pointer(), offset + 8 * position, name), value.array
        else:
            yield Leaf(Int(64), offset + 8 * position, name), word


def _members(ty: Struct | Array) -> Iterator[tuple[int, Type, int]]:
    """Yield (index, type, byte offset) of each direct member of a struct or an array, also of members of 0 bytes."""
    count = len(ty.fields) if isinstance(ty, Struct) else ty.length
    position = 0
    for index in range(count):
        element = member(ty, index)
        if isinstance(ty, Struct):
            position = field_offset(ty, index)
        yield index, element, position
        position += size_of(element)


def _named_leaves(ty: Type, name: str, offset: int) -> Iterator[Leaf]:
    """Yield the leaves of a type (scalars, vectors and pointers) in order, each named by its path: `a.0.1`.

    Args:
        offset: The byte of the parameter at which the type begins; added to the leaves' offsets.
    """
    if not isinstance(ty, Struct | Array):
        yield Leaf(ty, offset, name)
        return
    for index, element, position in _members(ty):
        yield from _named_leaves(element, f"{name}.{index}", offset + position)


def _set_value(leaf: Leaf, value: Any, target: SimulatedTarget) -> Buffer | None:
    """Set a leaf's value in place: `scalar` for a number (0 for a null pointer), `array` or `shared` for a pointer.

    A pointer to shared memory takes an array, too, but only its size in bytes counts. A named buffer renames the leaf.

    Args:
        target: Says which address spaces are shared memory.

    Returns:
        If the leaf points to an array outside shared memory, the buffer with the array's properties: the value itself,
        or `PLAIN_BUFFER` (which does not hold the array) if the value is no `Buffer`. Else None.

    Raises:
        ArgumentError: The value does not fit the leaf's type, or is an array of Python objects.
    """
    ty = leaf.type
    if not isinstance(ty, Pointer):
        leaf.scalar = encode_value(leaf.name, ty, value)
        return None
    if value is None:
        leaf.scalar = np.zeros(1, np.int64)
        return None
    buffer = value if isinstance(value, Buffer) else PLAIN_BUFFER
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
