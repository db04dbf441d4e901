"""Tensor maps of 128 bytes: encode, decode, check a driver's rules, split copies of boxes (also im2col), swizzle.

NVIDIA's encoding is not public; this one is the simulator's own. Its second word is the tensor's address, so that a map
that is passed to a kernel moves with the tensor. Dimensions and coordinates have the innermost first.

See: https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TENSOR__MEMORY.html
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.errors import ArgumentError

__all__ = ["ADDRESS", "BYTES", "ELEMENTS", "GRANULE", "Box", "TensorMap"]

BYTES = 128
ADDRESS = 1  # the word with the address
MAGIC = 0x5049_4D52_534E_4554
FORMAT = struct.Struct("<QQBBB5x5I4x4Q5H6x5B3x3h3hB3x")
GRANULE = 16  # bytes
ELEMENTS = (1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4)  # bytes, by CUtensorMapDataType
# The names of dtypes, likewise.
NAMES = ("uint8", "uint16", "uint32", "int32", "uint64", "int64", "float16", "float32", "float64")
# By swizzle, which bits of a shared address are mixed into those of a chunk.
SWIZZLE_MASKS = {0: 16, 32: 1, 64: 3, 128: 7}
MOST_BOX, MOST_PIXELS, MOST_STEP = 256, 1024, 8
MOST_CORNER = {1: 1 << 15, 2: 1 << 7, 3: 1 << 4}  # by the number of dimensions that have them


@dataclass(frozen=True, slots=True)
class Box:
    """A tensor in global memory, and the box of it that one copy moves; see `TensorMap`.

    Attributes:
        address: Of its first element.
        kind: The element type, a number of CUtensorMapDataType.
        swizzle: 0, 32, 64 or 128 bytes.
        sizes: Elements of the tensor along each dimension.
        strides: Bytes from one element to the next along each dimension.
        box: Elements of the box along each dimension; in im2col mode channels of a pixel, and pixels.
        steps: Along each dimension, one of so many elements of the box is copied.
        corners: In im2col mode, for all dimensions but the innermost and the outermost: the first position, and how far
            the last one is beyond the tensor's.
    """

    address: int
    kind: int
    swizzle: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    box: tuple[int, ...]
    steps: tuple[int, ...]
    corners: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    @property
    def element(self) -> int:
        """Bytes of an element."""
        return ELEMENTS[self.kind]

    def check(self) -> None:
        """Check the rules that a driver checks: dimensions, alignment, strides, box, swizzle, steps and corners.

        Raises:
            ArgumentError: A rule is broken; the message names the first.
        """
        rank, row = len(self.sizes), self.box[0] * self.element if self.box else 0
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
                self.corners is not None or all(1 <= count <= MOST_BOX for count in self.box),
                f"a box has 1 to 256 elements along each dimension: {self.box}",
            ),
            *self._column_rules(rank),
            (row % GRANULE == 0, f"a row of a box is a multiple of 16 bytes, not {row}"),
            (
                self.swizzle in SWIZZLE_MASKS and (not self.swizzle or row <= self.swizzle),
                f"a row of a box has at most as many bytes as its swizzle, {self.swizzle}, not {row}",
            ),
            (
                all(1 <= step <= MOST_STEP for step in self.steps),
                f"a box takes every element or one of up to 8: {self.steps}",
            ),
        )
        for is_met, rule in rules:
            if not is_met:
                raise ArgumentError(rule)

    def _column_rules(self, rank: int) -> Iterator[tuple[bool, str]]:
        """Yield (whether it is met, text) of each rule of im2col mode; nothing in another mode."""
        if self.corners is None:
            return
        yield 3 <= rank <= 5, f"a tensor map in im2col mode has 3 to 5 dimensions, not {rank}"
        yield (
            1 <= self.box[0] <= MOST_BOX and 1 <= self.box[1] <= MOST_PIXELS,
            f"a column has 1 to 256 channels of 1 to 1024 pixels: {self.box}",
        )
        most = MOST_CORNER.get(rank - 2, 0)
        yield (
            all(-most <= place < most for corner in self.corners for place in corner),
            f"corners of {rank - 2} dimensions are from {-most} to {most - 1}: {self.corners}",
        )

    def encode(self) -> bytes:
        """Return the map's 128 bytes. Rules are not checked, see `check`; `struct.error` if a number is too large."""

        def filled(values: Sequence[int], count: int = 5) -> list[int]:
            return [*values, *[0] * (count - len(values))]

        head = MAGIC, self.address, self.kind, len(self.sizes), self.swizzle
        sizes = [size - 1 for size in self.sizes]
        lower, upper = self.corners or ((), ())
        corners = *filled(lower, 3), *filled(upper, 3), self.corners is not None
        body = FORMAT.pack(
            *head, *filled(sizes), *filled(self.strides)[1:], *filled(self.box), *filled(self.steps), *corners
        )
        return body.ljust(BYTES, b"\0")

    @classmethod
    def decode(cls, raw: bytes) -> "Box | None":
        """Return the map in 128 bytes; None if `encode` did not write them, or they were changed to break a rule."""
        magic, address, kind, rank, swizzle, *rest = FORMAT.unpack(raw[: FORMAT.size])
        if magic != MAGIC or kind >= len(ELEMENTS) or not 1 <= rank <= 5:
            return None
        sizes, strides, box, steps, corners = rest[:5], rest[5:9], rest[9:14], rest[14:19], rest[19:25]
        columns = bool(rest[25])
        decoded = cls(
            address,
            kind,
            swizzle,
            tuple(size + 1 for size in sizes[:rank]),
            (ELEMENTS[kind], *strides[: rank - 1]),
            tuple(box[: 2 if columns else rank]),
            tuple(steps[:rank]),
            (tuple(corners[: rank - 2]), tuple(corners[3 : rank + 1])) if columns else None,
        )
        try:
            decoded.check()
        except ArgumentError:
            return None
        return decoded

    @property
    def counts(self) -> tuple[int, ...]:
        """Elements that are copied along each dimension: a step leaves out others, except along the innermost.

        In im2col mode: the channels of a pixel, and the pixels.
        """
        if self.corners is not None:
            return self.box
        return (self.box[0], *(-(-size // step) for size, step in zip(self.box[1:], self.steps[1:], strict=True)))

    @property
    def bytes(self) -> int:
        """Bytes of a copy in shared memory, including those out of bounds."""
        return int(np.prod(self.counts)) * self.element

    def split_copy(
        self, coordinates: Sequence[int], offsets: Sequence[int] = (), granular: bool = False
    ) -> tuple[int, Integers, Integers, Booleans]:
        """Split a copy into pieces of equal size, each wholly in bounds or wholly out of bounds.

        Args:
            coordinates: Of the box's first element.
            offsets: In im2col mode, the position in the filter, which is added to that of each pixel: for all
                dimensions but the innermost and the outermost. Empty for zeros.
            granular: Whether rows end at a multiple of 16 bytes, as for a store.

        Returns:
            (bytes of a piece, its offset in the box in bytes, its global address, whether it is in bounds); the last
                three by piece.
        """
        row = self.sizes[0] * self.element
        row += -row % GRANULE if granular else 0
        edges = coordinates[0] * self.element, row, GRANULE
        piece_bytes = int(np.gcd.reduce([abs(edge) for edge in edges]))
        inner = np.arange(self.counts[0] * self.element // piece_bytes) * piece_bytes
        first = coordinates[0] * self.element + inner
        address, inside = first, (first >= 0) & (first < row)
        if self.corners is None:
            for dimension in range(1, len(self.sizes)):
                position = coordinates[dimension] + np.arange(self.counts[dimension]) * self.steps[dimension]
                address = (position[:, None] * self.strides[dimension] + address).reshape(-1)
                inside = (((position >= 0) & (position < self.sizes[dimension]))[:, None] & inside).reshape(-1)
        else:
            pixels = self._pixels(coordinates[1:]) + np.array([*offsets, 0])
            address = ((pixels * self.strides[1:]).sum(1)[:, None] + address).reshape(-1)
            within = (pixels >= 0) & (pixels < np.array(self.sizes[1:]))
            inside = (within.all(1)[:, None] & inside).reshape(-1)
        return piece_bytes, np.arange(len(address)) * piece_bytes, self.address + address, inside

    def _pixels(self, first: Sequence[int]) -> Integers:
        """Return the coordinates of a column's pixels without the innermost, (pixels, dimensions - 1).

        They run on between the corners, in steps, one row after another, and then to the next image.

        Args:
            first: The coordinates of the first pixel, also without the innermost.
        """
        assert self.corners is not None
        lower, upper = self.corners
        position, positions = list(first), []
        for _ in range(self.box[1]):
            positions.append(tuple(position))
            for dimension, (low, high) in enumerate(zip(lower, upper, strict=True)):
                position[dimension] += self.steps[dimension + 1]
                if position[dimension] < self.sizes[dimension + 1] + high:
                    break
                position[dimension] = low
            else:
                position[-1] += 1
        return np.array(positions, np.int64)

    def apply_swizzle(self, addresses: Integers) -> Integers:
        """Return the shared addresses of a box's bytes, given those that they would have without a swizzle.

        Bits from 7 on are XORed into the bits from 4 on: 1, 2 or 3 bits for a swizzle of 32, 64 or 128 bytes. Without
        a swizzle nothing changes.
        """
        mask = SWIZZLE_MASKS[self.swizzle] if self.swizzle else 0
        return addresses ^ (addresses >> 7 & mask) << 4


@dataclass(frozen=True, slots=True)
class TensorMap:
    """A tensor map as a kernel's argument.

    Attributes:
        array: The tensor, whose last dimension is the innermost; contiguous.
        box: Elements of a box along each dimension of the array.
        swizzle: 0, 32, 64 or 128 bytes.
        steps: Along each dimension, one of so many elements of the box is copied; None for all.
        corners: For im2col mode, for all dimensions but the first and the last: the first position, and how far the
            last one is beyond the array's. The box is then the pixels of a column and the channels of each.
    """

    array: Array
    box: tuple[int, ...]
    swizzle: int = 0
    steps: tuple[int, ...] | None = None
    corners: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    def encode(self) -> bytes:
        """Return the map's 128 bytes, with address 0.

        Raises:
            ArgumentError: If a driver would reject it (see `Box.check`), the array is not contiguous or has elements
                that a map cannot have, or the lengths of box, steps or corners do not fit its dimensions.
        """
        array, steps = self.array, self.steps or (1,) * self.array.ndim
        if not array.flags.c_contiguous:
            raise ArgumentError("a tensor map takes a contiguous array")
        if not len(self.box) == (array.ndim if self.corners is None else 2) or len(steps) != array.ndim:
            raise ArgumentError(f"a box of an array of {array.ndim} dimensions has as many, and so have its steps")
        sizes, strides, box, all_steps = (
            tuple(reversed(part)) for part in (array.shape, array.strides, self.box, steps)
        )
        if array.itemsize not in ELEMENTS:
            raise ArgumentError(f"a tensor map has no elements of {array.dtype}")
        kind = NAMES.index(array.dtype.name) if array.dtype.name in NAMES else ELEMENTS.index(array.itemsize)
        corners = self.corners
        if corners is not None:
            if any(len(corner) != array.ndim - 2 for corner in corners):
                raise ArgumentError(f"corners in an array of {array.ndim} dimensions have two less")
            corners = tuple(reversed(corners[0])), tuple(reversed(corners[1]))
        map_box = Box(0, kind, self.swizzle, sizes, strides, box, all_steps, corners)
        map_box.check()
        return map_box.encode()
