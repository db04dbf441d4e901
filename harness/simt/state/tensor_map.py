"""Tensor maps: what a copy of a tensor's box needs to know, in 128 bytes that a driver encodes and the copy reads.

The encoding of hardware is secret; this is ours. Its second word is the tensor's address, so that a map that is passed
to a kernel moves with the tensor. Dimensions and coordinates have the innermost first.

See: https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TENSOR__MEMORY.html
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.errors import ArgumentError

__all__ = ["ADDRESS", "BYTES", "Box", "TensorMap"]

BYTES = 128
ADDRESS = 1  # the word with the address
MAGIC = 0x5049_4D52_534E_4554
FORMAT = struct.Struct("<QQBBB5x5I4x4Q5H6x5B3x")
GRANULE = 16  # bytes
SPANS = {0: 16, 32: 1, 64: 3, 128: 7}  # which bits of a shared address are mixed into those of a chunk, by swizzle
MOST_BOX, MOST_STEP = 256, 8


@dataclass(frozen=True, slots=True)
class Box:
    """A tensor in global memory, and the box of it that one copy moves; see `TensorMap`.

    Attributes:
        address: Of its first element.
        element: Bytes of an element.
        swizzle: 0, 32, 64 or 128 bytes.
        sizes: Elements of the tensor along each dimension.
        strides: Bytes from one to the next along each dimension.
        box: Elements of the box along each dimension.
        steps: Of so many elements of the box along each dimension one is copied.
    """

    address: int
    element: int
    swizzle: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    box: tuple[int, ...]
    steps: tuple[int, ...]

    def check(self) -> None:
        """Refuses what a driver refuses.

        Raises:
            ArgumentError: With the rule.
        """
        rank, row = len(self.sizes), self.box[0] * self.element
        rules = (
            (1 <= rank <= 5, f"a tensor map has 1 to 5 dimensions, not {rank}"),
            (self.address % GRANULE == 0, "a tensor map's tensor begins at a multiple of 16 bytes"),
            (
                all(1 <= size <= 1 << 32 for size in self.sizes),
                f"a tensor map's dimensions have 1 to 2^32 elements: {self.sizes}",
            ),
            (
                all(stride % GRANULE == 0 and 0 < stride < 1 << 40 for stride in self.strides[1:]),
                f"a tensor map's strides are multiples of 16 bytes below 2^40: {self.strides[1:]}",
            ),
            (
                all(1 <= count <= MOST_BOX for count in self.box),
                f"a box has 1 to 256 elements along each dimension: {self.box}",
            ),
            (row % GRANULE == 0, f"a row of a box is a multiple of 16 bytes, not {row}"),
            (
                self.swizzle in SPANS and (not self.swizzle or row <= self.swizzle),
                f"a row of a box has at most as many bytes as its swizzle, {self.swizzle}, not {row}",
            ),
            (
                all(1 <= step <= MOST_STEP for step in self.steps),
                f"a box takes every element or one of up to 8: {self.steps}",
            ),
        )
        for kept, rule in rules:
            if not kept:
                raise ArgumentError(rule)

    def encode(self) -> bytes:
        """The map's 128 bytes."""

        def five(values: Sequence[int], fill: int = 0) -> list[int]:
            return [*values, *[fill] * (5 - len(values))]

        head = MAGIC, self.address, self.element, len(self.sizes), self.swizzle
        sizes = [size - 1 for size in self.sizes]
        body = FORMAT.pack(*head, *five(sizes), *five(self.strides)[1:], *five(self.box), *five(self.steps))
        return body.ljust(BYTES, b"\0")

    @classmethod
    def decode(cls, raw: bytes) -> "Box | None":
        """The map that 128 bytes are; None if they are none."""
        magic, address, element, rank, swizzle, *rest = FORMAT.unpack(raw[: FORMAT.size])
        if magic != MAGIC:
            return None
        sizes, strides, box, steps = rest[:5], rest[5:9], rest[9:14], rest[14:]
        return cls(
            address,
            element,
            swizzle,
            tuple(size + 1 for size in sizes[:rank]),
            (element, *strides[: rank - 1]),
            tuple(box[:rank]),
            tuple(steps[:rank]),
        )

    @property
    def counts(self) -> tuple[int, ...]:
        """Elements that are copied along each dimension; the innermost takes every one."""
        return (self.box[0], *(-(-size // step) for size, step in zip(self.box[1:], self.steps[1:], strict=True)))

    @property
    def bytes(self) -> int:
        """Of a copy, in shared memory, those out of bounds too."""
        return int(np.prod(self.counts)) * self.element

    def pieces(self, coordinates: Sequence[int]) -> tuple[int, Integers, Integers, Booleans]:
        """A copy in pieces of equal size, each in bounds or not as a whole.

        Args:
            coordinates: Of the box's first element.

        Returns:
            (bytes of a piece, its place in the box, its address, whether it is in bounds), by piece.
        """
        edges = coordinates[0] * self.element, self.sizes[0] * self.element, GRANULE
        piece = int(np.gcd.reduce([abs(edge) for edge in edges]))
        inner = np.arange(self.counts[0] * self.element // piece) * piece
        first = coordinates[0] * self.element + inner
        address, inside = first, (first >= 0) & (first < self.sizes[0] * self.element)
        for dimension in range(1, len(self.sizes)):
            at = coordinates[dimension] + np.arange(self.counts[dimension]) * self.steps[dimension]
            address = (at[:, None] * self.strides[dimension] + address).reshape(-1)
            inside = (((at >= 0) & (at < self.sizes[dimension]))[:, None] & inside).reshape(-1)
        return piece, np.arange(len(address)) * piece, self.address + address, inside

    def swizzled(self, addresses: Integers) -> Integers:
        """Where bytes of a box are that would be at shared addresses without a swizzle."""
        mask = SPANS[self.swizzle] if self.swizzle else 0
        return addresses ^ (addresses >> 7 & mask) << 4


@dataclass(frozen=True, slots=True)
class TensorMap:
    """A tensor map as a kernel's argument.

    Attributes:
        array: The tensor, whose last dimension is the innermost: contiguous, or a part of a larger array of its rows.
        box: Elements of a box along each dimension of the array.
        swizzle: 0, 32, 64 or 128 bytes.
        steps: Of so many elements of the box along each dimension one is copied; None for every one.
    """

    array: Array
    box: tuple[int, ...]
    swizzle: int = 0
    steps: tuple[int, ...] | None = None

    def encode(self) -> bytes:
        """The map's 128 bytes, with no address yet.

        Raises:
            ArgumentError: If a driver would refuse it.
        """
        array, steps = self.array, self.steps or (1,) * self.array.ndim
        if not array.flags.c_contiguous:
            raise ArgumentError("a tensor map takes a contiguous array")
        if not len(self.box) == len(steps) == array.ndim:
            raise ArgumentError(f"a box of an array of {array.ndim} dimensions has as many, and so have its steps")
        sizes, strides, box, every = (tuple(reversed(part)) for part in (array.shape, array.strides, self.box, steps))
        made = Box(0, array.itemsize, self.swizzle, sizes, strides, box, every)
        made.check()
        return made.encode()
