"""Arguments made ready: the values of the parameters, and the bytes of the host that their pointers are to."""

import ctypes
import math
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter
from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, at
from harness.simt.errors import ArgumentError
from harness.simt.ir.types import Type
from harness.simt.state.allocation import Allocation

__all__ = ["Argument", "Bound", "Buffer", "Leaf", "Region", "lay_out"]

NOTHING = np.empty(0, np.uint8)


@dataclass(frozen=True, slots=True)
class Buffer:
    """An array as an argument, with what an array cannot say.

    Attributes:
        array: The data, written in place.
        name: What reports call it; None for `argument N`.
        initialised: Whether the host wrote it; if not, a read before a write by
            the kernel is a use of an undefined value.
        writable: Whether the kernel may store to it.
        undefined: Which of its bytes nobody has written, for what several launches work on: like the array it is
            written in place, where observers follow undefined values. Instead of `initialised`.
    """

    array: Array
    name: str | None = None
    initialised: bool = True
    writable: bool = True
    undefined: Booleans | None = None


@dataclass(slots=True, eq=False)
class Region:
    """Bytes of the host that one allocation stands for: an array, or several that overlap.

    Attributes:
        name: The arrays' names.
        argument: The position of the first argument that points into it.
        data: The bytes.
        granule: Bytes of one of the arrays' elements; 1 where they are structs.
        writable: Whether the kernel may store to it.
        undefined: Which bytes the host has not written, or None where it wrote all.
        allocation: That one, once there is a launch.
    """

    name: str
    argument: int
    data: Array
    granule: int
    writable: bool
    undefined: Booleans | None = None
    allocation: Allocation | None = None


@dataclass(slots=True, eq=False)
class Leaf:
    """A scalar, vector or pointer of a parameter, with its value.

    Attributes:
        type: Its type.
        offset: Its place in the parameter, in bytes.
        name: What messages call it.
        scalar: The value, as an array of length 1 of what its type is stored as.
        array: The array that the pointer is to.
        region: Where that lies.
        start: The place of the array in the region, in bytes.
        shared: The size of the shared memory that the pointer is to, in bytes; None for every other pointer.
    """

    type: Type
    offset: int
    name: str
    scalar: Array = field(default_factory=lambda: NOTHING)
    array: Array | None = None
    region: Region | None = None
    start: int = 0
    shared: int | None = None


@dataclass(slots=True)
class Argument:
    """One argument made ready.

    Attributes:
        position: Its position.
        indirect: The type of what the parameter points to, where the parameter is passed in memory; else None.
        leaves: Its scalars, vectors and pointers.
        octets: The bytes of a parameter in memory, where they are given whole instead of by its leaves.
    """

    position: int
    indirect: Type | None
    leaves: list[Leaf]
    octets: Array | None = None


@dataclass(slots=True)
class Bound:
    """The arguments of a launch made ready.

    Attributes:
        arguments: In the order of the signature.
        regions: What their pointers point into.
        copies: Arrays that are not contiguous, each with the contiguous copy that the kernel works on.
        shared_bytes: Shared memory of a block that they ask for, in bytes.
    """

    arguments: list[Argument] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    copies: list[tuple[Array, Array]] = field(default_factory=list)
    shared_bytes: int = 0

    def copy_back(self) -> None:
        """Brings results into the arrays that are not contiguous, and tells what nobody has written."""
        for array, copy in self.copies:
            array[...] = copy.reshape(array.shape)
        for region in self.regions:
            if region.undefined is not None and region.allocation is not None:
                shadow = region.allocation.shadow
                region.undefined[...] = False if shadow is None else shadow != 0


# The addresses of an array's first byte and of the one behind its last, its region, and the pointer to it.
Span: TypeAlias = tuple[int, int, Region, Leaf]
ADDRESSES, ARGUMENT = itemgetter(0, 1), attrgetter("argument")


def lay_out(buffers: list[tuple[int, Leaf, Buffer]], bound: Bound) -> None:
    """Gives each array its region; arrays that overlap in the host's memory have one in common.

    Args:
        buffers: The positions of arguments, pointers of theirs to arrays, and what is said of these.

    Raises:
        ArgumentError: An array that is not contiguous may overlap another one.
    """
    spans: list[Span] = []
    for position, leaf, buffer in buffers:
        array = leaf.array
        assert array is not None
        flat = np.ascontiguousarray(array)
        if flat is not array and not np.may_share_memory(flat, array) and array.size:
            for _, other, _ in buffers:
                if other.array is not array and np.may_share_memory(array, other.array):
                    raise ArgumentError(
                        f"{leaf.name} is not contiguous and may overlap {other.name}: pass contiguous views"
                    )
            bound.copies.append((array, flat))
        data = flat.reshape(-1).view(np.uint8)
        leaf.region = _region(leaf.name, position, array, data, buffer)
        start = at(data)
        spans.append((start, start + len(data), leaf.region, leaf))
    spans.sort(key=ADDRESSES)
    groups: list[list[Span]] = []
    end = 0
    for span in spans:
        if groups and span[0] < end:
            groups[-1].append(span)
            end = max(end, span[1])
        else:
            groups.append([span])
            end = span[1]
    bound.regions += [group[0][2] if len(group) == 1 else _together(group) for group in groups]
    bound.regions.sort(key=ARGUMENT)


def _together(group: list[Span]) -> Region:
    """The region of arrays of which each overlaps one before it."""
    parts = sorted((span[:3] for span in group), key=lambda part: part[2].argument)
    start, end = group[0][0], max(span[1] for span in group)
    data = group[0][2].data
    if len(data) != end - start:
        data = np.ctypeslib.as_array((ctypes.c_uint8 * (end - start)).from_address(start))
    undefined = np.ones(end - start, bool)
    for first, last, part in parts:
        if part.undefined is None:
            undefined[first - start : last - start] = False
    region = Region(
        " and ".join(dict.fromkeys(part.name for _, _, part in parts)),
        parts[0][2].argument,
        data,
        math.gcd(*(part.granule for _, _, part in parts), *(first - start for first, _, _ in parts)),
        any(part.writable for _, _, part in parts),
        undefined if undefined.any() else None,
    )
    for first, _, _, leaf in group:
        leaf.region, leaf.start = region, first - start
    return region


def _region(name: str, position: int, array: Array, data: Array, buffer: Buffer) -> Region:
    """The region of one array, of these bytes."""
    dtype, undefined = array.dtype, buffer.undefined
    granule = dtype.itemsize if dtype.kind in "biufc" else 1
    if undefined is None and not buffer.initialised and len(data):
        undefined = np.ones(len(data), bool)
    return Region(name, position, data, granule, buffer.writable and array.flags.writeable, undefined)
