"""Data of bound arguments: `Buffer`, leaves, regions of host memory (overlapping arrays share one), copy-back."""

import ctypes
import math
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter
from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, address_of
from harness.simt.errors import ArgumentError
from harness.simt.ir.types import Type
from harness.simt.state.allocation import Allocation

__all__ = ["BoundArgument", "BoundArguments", "Buffer", "HostRegion", "Leaf", "lay_out"]

EMPTY = np.empty(0, np.uint8)


@dataclass(frozen=True, slots=True)
class Buffer:
    """An array as an argument, with properties that an array alone does not have.

    Attributes:
        array: The data, written in place.
        name: What reports call it; None for `argument N`.
        initialised: Whether the host wrote it; if not, a read before a write by
            the kernel is a use of an undefined value.
        writable: Whether the kernel may store to it.
        undefined: For each byte whether nobody has written it, for memory that several launches work on. Like the
            array, it is updated in place. A launch whose observers do not track undefined values cannot know what it
            left unwritten: it marks all as written. It takes the place of `initialised`.
    """

    array: Array
    name: str | None = None
    initialised: bool = True
    writable: bool = True
    undefined: Booleans | None = None


@dataclass(slots=True, eq=False)
class HostRegion:
    """A range of host memory that becomes one allocation: an array, or several that overlap.

    Attributes:
        name: The arrays' names.
        argument: The position of the first argument that points into it.
        data: The bytes.
        granule: Bytes of an element of the arrays; 1 if they are structs.
        writable: Whether the kernel may store to it.
        undefined: For each byte whether the host has not written it, or None if it wrote all.
        masks: Where arrays overlap, the `undefined` of each array that has one, with its offset in bytes.
        allocation: The allocation, once there is a launch.
    """

    name: str
    argument: int
    data: Array
    granule: int
    writable: bool
    undefined: Booleans | None = None
    masks: list[tuple[int, Booleans]] = field(default_factory=list)
    allocation: Allocation | None = None


@dataclass(slots=True, eq=False)
class Leaf:
    """A scalar, vector or pointer within a parameter, with its value.

    Attributes:
        type: Its type.
        offset: Its offset in the parameter, in bytes.
        name: What messages call it.
        scalar: The value, an array of length 1 with the dtype in which its type is stored.
        array: The array that a pointer points to.
        region: The region in which that array lies.
        start: The offset of the array in the region, in bytes.
        shared: If it points to shared memory, that memory's size in bytes; else None.
    """

    type: Type
    offset: int
    name: str
    scalar: Array = field(default_factory=lambda: EMPTY)
    array: Array | None = None
    region: HostRegion | None = None
    start: int = 0
    shared: int | None = None


@dataclass(slots=True)
class BoundArgument:
    """The value of one parameter.

    Attributes:
        position: The parameter's position.
        indirect: If the parameter is passed in memory, the type of the value there; else None.
        leaves: Its scalars, vectors and pointers.
        octets: The bytes of a parameter in memory, if they are given as a whole instead of by leaves.
    """

    position: int
    indirect: Type | None
    leaves: list[Leaf]
    octets: Array | None = None


@dataclass(slots=True)
class BoundArguments:
    """All arguments of a launch.

    Attributes:
        arguments: In the order of the signature.
        regions: The host memory that their pointers point into.
        copies: (array, contiguous copy) of each array that is not contiguous; the kernel works on the copy. An array
            that is passed twice has one.
        shared_bytes: Bytes of a block's shared memory that pointer arguments ask for.
    """

    arguments: list[BoundArgument] = field(default_factory=list)
    regions: list[HostRegion] = field(default_factory=list)
    copies: list[tuple[Array, Array]] = field(default_factory=list)
    shared_bytes: int = 0

    def copy_back(self) -> None:
        """Copy results into writable arrays that are not contiguous, and update the buffers' `undefined` masks.

        A mask becomes False wherever the launch's memory is not marked as undefined, so everywhere if that was not
        tracked.
        """
        for array, copy in self.copies:
            if array.flags.writeable:  # `np.broadcast_to` gives one that is not
                array[...] = copy.reshape(array.shape)
        for region in self.regions:
            if region.allocation is None:
                continue
            shadow = region.allocation.shadow
            if region.undefined is not None:
                region.undefined[...] = False if shadow is None else shadow != 0
            for start, mask in region.masks:
                mask[...] = False if region.undefined is None else region.undefined[start : start + len(mask)]


# The address of an array's first byte and the one after its last, its region, and the pointer to it.
AddressSpan: TypeAlias = tuple[int, int, HostRegion, Leaf]
BY_ADDRESS, BY_ARGUMENT = itemgetter(0, 1), attrgetter("argument")


def lay_out(buffers: list[tuple[int, Leaf, Buffer]], bound: BoundArguments) -> None:
    """Set `region` of each pointer in `buffers`, and append all regions to `bound`; overlapping arrays share one.

    In a shared region, `start` says where the pointer's array begins. Arrays that are not contiguous are copied, each
    once, and noted in `bound.copies`. Regions are ordered by argument.

    Args:
        buffers: (position of the argument, its pointer to an array, the array's properties) of each.

    Raises:
        ArgumentError: An array that is not contiguous may overlap another one. The same one passed twice raises none.
    """
    spans: list[AddressSpan] = []
    copies: dict[int, Array] = {}
    for position, leaf, buffer in buffers:
        array = leaf.array
        assert array is not None
        flat = copies.get(id(array))
        if flat is None:
            flat = np.ascontiguousarray(array)
        if flat is not array and id(array) not in copies and not np.may_share_memory(flat, array) and array.size:
            for _, other, _ in buffers:
                if other.array is not array and np.may_share_memory(array, other.array):
                    raise ArgumentError(
                        f"{leaf.name} is not contiguous and may overlap {other.name}: pass contiguous views"
                    )
            bound.copies.append((array, flat))
            copies[id(array)] = flat
        data = flat.reshape(-1).view(np.uint8)
        leaf.region = _region_of(leaf.name, position, array, data, buffer)
        start = address_of(data)
        spans.append((start, start + len(data), leaf.region, leaf))
    spans.sort(key=BY_ADDRESS)
    groups: list[list[AddressSpan]] = []
    end = 0
    for span in spans:
        if groups and span[0] < end:
            groups[-1].append(span)
            end = max(end, span[1])
        else:
            groups.append([span])
            end = span[1]
    bound.regions += [group[0][2] if len(group) == 1 else _merge_regions(group) for group in groups]
    bound.regions.sort(key=BY_ARGUMENT)


def _merge_regions(group: list[AddressSpan]) -> HostRegion:
    """Return the region that covers a group of overlapping arrays; set `region` and `start` of their pointers.

    It is named after all, and has the lowest argument's position. It may be stored to if one of them may. A byte is
    undefined if all arrays that it lies in say so. Its granule is the greatest common divisor of the arrays' granules
    and of their distances.

    Args:
        group: The spans, by ascending address.
    """
    members = sorted((span[:3] for span in group), key=lambda part: part[2].argument)
    start, end = group[0][0], max(span[1] for span in group)
    data = group[0][2].data
    if len(data) != end - start:
        data = np.ctypeslib.as_array((ctypes.c_uint8 * (end - start)).from_address(start))
    undefined = np.ones(end - start, bool)
    for first, last, part in members:
        undefined[first - start : last - start] &= False if part.undefined is None else part.undefined
    region = HostRegion(
        " and ".join(dict.fromkeys(part.name for _, _, part in members)),
        members[0][2].argument,
        data,
        math.gcd(*(part.granule for _, _, part in members), *(first - start for first, _, _ in members)),
        any(part.writable for _, _, part in members),
        undefined if undefined.any() else None,
        [(first - start, part.undefined) for first, _, part in members if part.undefined is not None],
    )
    for first, _, _, leaf in group:
        leaf.region, leaf.start = region, first - start
    return region


def _region_of(name: str, position: int, array: Array, data: Array, buffer: Buffer) -> HostRegion:
    """Return the region of a single array, whose bytes are `data`.

    It may be stored to if both the buffer and the array allow it. Undefined are the bytes that the buffer's mask says
    (not copied), or all if the host did not write it. Its granule is an element of a number type, else a byte.
    """
    dtype, undefined = array.dtype, buffer.undefined
    granule = dtype.itemsize if dtype.kind in "biufc" else 1
    if undefined is None and not buffer.initialised and len(data):
        undefined = np.ones(len(data), bool)
    return HostRegion(name, position, data, granule, buffer.writable and array.flags.writeable, undefined)
