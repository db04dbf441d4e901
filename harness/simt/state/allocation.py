"""`Allocation`: bytes and their undefined marks; `Access`: layout of a typed value; `Snapshot`: copy and restore."""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from harness.simt.arrays import Array, Integers
from harness.simt.errors import Unsupported
from harness.simt.ir.types import Float, Int, Type, Vector, align_of, bits_of, dtype_of, element_of, size_of
from harness.simt.ir.values import POISON_BYTES, base_of, bfloat_bits, bfloat_value, octets_of, wrap_int

__all__ = ["Access", "Allocation", "Octets", "Snapshot", "row_bytes"]

SIGN = -1 << 63
Octets: TypeAlias = NDArray[np.uint8]
NOTHING = np.empty(0, np.uint8)


class Access:
    """The layout of one type of value in memory.

    Attributes:
        width: Its size in bytes.
        count: Elements of a vector, or 0 for a scalar.
        dtype: The dtype in which an element is stored.
        align: The alignment that the compiler promises, in bytes.
        bad: Bits that no valid offset has: the sign, and those below the alignment.
        atomic: Whether it is atomic although its instruction is not one of LLVM's atomic ones.
    """

    def __init__(self, ty: Type, align: int | None = None, atomic: bool = False) -> None:
        self.type = ty
        self.atomic = atomic
        element = element_of(ty)
        self.count = ty.length if isinstance(ty, Vector) else 0
        self.element = element
        if self.count and isinstance(element, Int) and element.bits not in (8, 16, 32, 64):
            raise Unsupported(f"{ty} in memory")
        self.kind = "plain"
        self.dtype: np.dtype[Any] = dtype_of(element)
        size = size_of(element)
        if element == Int(1):
            self.kind, self.dtype = "bool", np.dtype(np.uint8)
        elif element == Float("bfloat"):
            self.kind, self.dtype = "bfloat", np.dtype(np.uint16)
        elif isinstance(element, Int) and element.bits not in (8, 16, 32, 64):
            self.kind, self.dtype = "odd", np.dtype(np.uint8)
            self.odd = (element.bits + 7) // 8
        self.width = self.odd if self.kind == "odd" else size * max(1, self.count)
        self.align = align or align_of(ty)
        self.bad = SIGN | (max(self.align, self.dtype.itemsize) - 1)

    @cached_property
    def octets(self) -> Integers:
        """The offsets of its bytes from the first, (width,)."""
        return np.arange(self.width)

    def decode(self, raw: Array) -> Array:
        """Convert stored values to those that are computed with: `i1` to bool, bfloat to float32; most stay unchanged.

        Integers of an odd width (not 1, 8, 16, 32 or 64 bits) are stored as rows of bytes (n, bytes), the lowest first.
        They become signed integers (n,), of dtype object above 64 bits.
        """
        match self.kind:
            case "plain":
                return raw
            case "bool":
                truths: Array = raw & np.uint8(1) != 0
                return truths
            case "bfloat":
                return bfloat_value(raw)
        total: Array = sum(column.astype(object) << 8 * number for number, column in enumerate(raw.T))
        return wrap_int(total, bits_of(self.element)).astype(dtype_of(self.element))

    def encode(self, values: Array) -> Array:
        """Convert values that are computed with to the form in which they are stored; the inverse of `decode`."""
        match self.kind:
            case "plain":
                return values
            case "bool":
                return values.astype(np.uint8)
            case "bfloat":
                return bfloat_bits(values)
        values = values.astype(object)
        return np.stack([(values >> 8 * n & 255).astype(np.uint8) for n in range(self.odd)], -1)


@dataclass(slots=True, eq=False, repr=False)
class Allocation:
    """A range of bytes with a name; each owner has a row, which is an instance of its own.

    Attributes:
        number: The number that its pointers carry.
        space: `global`, `shared`, `private`, `constant` or `param`.
        size: Bytes of each row.
        rows: The owner of a row: `grid` (there is one row), `block` or `lane`.
        argument: Its position among the kernel's arguments, or None.
        writable: Whether the kernel may store to it.
        data: The bytes of all rows, one after another.
        granule: Bytes of an element on the host; 1 if the host has only bytes.
        shadow: For each byte the origin of its being uninitialised, or 0;
            None while all bytes are initialised. Read it only: write to `writable_shadow`.
        freed: Whether a program freed it.
        heap: Whether threads allocated it.
        base: The address of its first byte.
        stride: Bytes from row to row.
    """

    number: int
    name: str
    space: str
    size: int
    _: KW_ONLY
    rows: str = "grid"
    argument: int | None = None
    writable: bool = True
    data: Octets = field(default_factory=lambda: NOTHING)
    granule: int = 1
    shadow: NDArray[np.int32] | None = None
    freed: bool = False
    heap: bool = False
    base: int = field(init=False)
    stride: int = field(init=False)

    def __post_init__(self) -> None:
        self.base = base_of(self.number)
        self.stride = self.size if self.rows == "grid" else row_bytes(self.size)

    def free(self) -> None:
        """Mark it as freed, with size 0: no access fits any more, and one that is tried is reported by its name."""
        self.freed, self.size = True, 0

    def reset(self, row_count: int, origin: int = 0) -> None:
        """Set `data` to so many rows of `POISON_BYTES`; in place if the length stays.

        With an origin, `shadow` marks all bytes as uninitialised by it. With 0, `shadow` stays as it is.
        """
        total = row_count * self.stride
        if len(self.data) != total:
            self.data = np.empty(total, np.uint8)
        self.data.reshape(-1, 16)[:] = POISON_BYTES
        if origin:
            self.shadow = np.full(total, origin, np.int32)

    def mark_uninitialised(self, origin: int) -> None:
        """Mark all its bytes as uninitialised, with one origin, stored once until some bytes are written."""
        self.shadow = np.broadcast_to(np.int32(origin), len(self.data))

    def copy_shadow(self) -> NDArray[np.int32] | None:
        """Return the shadow as it is now; later changes do not affect it."""
        return self.shadow.copy() if self.shadow is not None and self.shadow.flags.writeable else self.shadow

    def writable_shadow(self) -> NDArray[np.int32]:
        """Return the shadow with an entry for each byte, to write to; from now on it is the allocation's shadow."""
        if self.shadow is None:
            self.shadow = np.zeros(len(self.data), np.int32)
        elif not self.shadow.flags.writeable:
            self.shadow = self.shadow.copy()
        return self.shadow

    def starts(self, offsets: Integers, lane_rows: Integers) -> Integers:
        """Return the first bytes of accesses at offsets in rows, counted through all rows."""
        return offsets if self.rows == "grid" else offsets + lane_rows * self.stride

    def read(self, starts: Integers, access: Access) -> Array:
        """Return the decoded values at some first bytes, counted through all rows; bounds are not checked.

        The result has one entry for each start, with a vector's elements along axis 1.
        """
        raw = self.data.take(starts[:, None] + access.octets).view(access.dtype)
        return access.decode(raw if access.count or access.kind == "odd" else raw[:, 0])

    def write(self, starts: Integers, access: Access, raw: Array) -> None:
        """Write encoded values at some first bytes; if several write one byte, the last stays."""
        self.data[starts[:, None] + access.octets] = octets_of(raw)


class Snapshot:
    """A copy of the contents of allocations."""

    def __init__(self, allocations: Iterable[Allocation]) -> None:
        self._copies = [(allocation, allocation.data.copy(), allocation.copy_shadow()) for allocation in allocations]

    def restore(self) -> None:
        """Put the bytes back as they were, and their undefined marks."""
        for allocation, data, shadow in self._copies:
            allocation.data[:] = data
            allocation.shadow = shadow


def row_bytes(size: int) -> int:
    """Return the stride of rows of this size: the size rounded up to a multiple of 16, at least 16."""
    return -(-max(size, 1) // 16) * 16
