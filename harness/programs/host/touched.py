"""A set of an allocation's bytes that were read, written or updated by atomics; whether two sets conflict."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

from harness.programs.host.pages import Bytes
from harness.simt.arrays import Booleans
from harness.simt.state.allocation import Allocation

__all__ = ["Touched", "make_touched"]


@dataclass(frozen=True, slots=True, eq=False)
class Touched:
    """Bytes of an allocation that were accessed in one way.

    Attributes:
        first, last: The first and the last of them.
        atomic: Whether only by atomics, of all threads of the device.
        bits: The bytes between them, a bit each, in whole bytes from the start of the allocation; None for all.
    """

    allocation: Allocation
    first: int
    last: int
    wrote: bool
    atomic: bool = False
    bits: Bytes | None = None

    def meets(self, other: Touched) -> bool:
        """Return whether both share a byte and their order matters: one writes, and not both are atomic.

        That they are of one allocation is not checked, here and in `covers`.
        """
        if not (self.wrote or other.wrote) or (self.atomic and other.atomic):
            return False
        first, last = max(self.first, other.first), min(self.last, other.last)
        if first > last:
            return False
        flags = [part for part in (self._part(first, last), other._part(first, last)) if part is not None]
        return not flags or bool(reduce(np.bitwise_and, flags).any())

    def covers(self, other: Touched) -> bool:
        """Return whether every access that conflicts with the other conflicts with this one too.

        It does if it has all bytes of the other, writes if the other does, and is atomic only if the other is.
        """
        inside = self.first <= other.first and other.last <= self.last
        if not inside or other.wrote > self.wrote or self.atomic > other.atomic:
            return False
        mine, theirs = self._part(other.first, other.last), other._part(other.first, other.last)
        return mine is None or (theirs is not None and not (theirs & ~mine).any())

    def __contains__(self, byte: int) -> bool:
        part = self._part(byte, byte) if self.first <= byte <= self.last else np.zeros(1, np.uint8)
        return part is None or bool(part.any())

    def _part(self, first: int, last: int) -> Bytes | None:
        """Return which of the bytes `first` to `last` are touched, a bit each, the high bit first; None if all are.

        Both count from the start of the allocation, and lie within this range. Element 0 has the bits of the 8 bytes
        around `first`, aligned; bits of bytes outside are 0.
        """
        if self.bits is None:
            return None
        part = self.bits[first // 8 - self.first // 8 : last // 8 - self.first // 8 + 1].copy()
        part[0] &= 0xFF >> first % 8
        part[-1] &= 0xFF << 7 - last % 8 & 0xFF
        return part


def make_touched(
    allocation: Allocation, flags: Booleans, wrote: bool, atomic: bool, granularity: int = 1
) -> Touched | None:
    """Return the touched bytes of an allocation, given a flag for each `granularity` bytes from its first one.

    None if no flag is set.
    """
    indices = np.flatnonzero(flags)
    if not len(indices):
        return None
    begin, end = int(indices[0]), int(indices[-1]) + 1
    bits = None
    if len(indices) < end - begin:
        start = begin * granularity // 8 * 8  # bits lie in whole bytes
        spread = np.repeat(flags[begin:end], granularity)
        bits = np.packbits(np.concatenate([np.zeros(begin * granularity - start, bool), spread]))
    return Touched(allocation, begin * granularity, end * granularity - 1, wrote, atomic, bits)
