"""What accesses of a warp cost the memory: sectors and lines of global memory, passes over shared memory.

A *request* is one instruction of one warp. Of global memory it moves 32-byte *sectors*, which lie in 128-byte *lines*.
Shared memory has 32 banks of 4 bytes; in a *pass* each bank gives one word, to all lanes that ask for it. Lanes are
served 128 bytes at a time: 32 of 4 bytes, 16 of 8, 8 of 16. Each such part takes a pass at least; what it takes more
are *conflicts*. Of an atomic each lane takes a turn of its own at its word.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Integers, distinct

__all__ = ["LINE", "SECTOR", "Row", "begins", "conflicts", "least_sectors", "parts", "summed", "units"]

SECTOR, LINE = 32, 128
BANKS, WORD = 32, 4
PASS_BYTES = BANKS * WORD
_APART = 1 << 40  # between the offsets of warps; a multiple of a line


@dataclass(slots=True)
class Row:
    """What one place of the source did, all warps together.

    Attributes:
        file: As the compiler names it.
        line: From 1; 0 where the place is not known.
        column: The same.
        what: `global load`, `global store`, `global atomic`, the same with `shared`; `branch` or `arithmetic`.
        requests: Instructions of warps.
        lanes: How often a lane was in one.
        bytes: That these lanes asked for.
        sectors: Of 32 bytes that global memory moved.
        least_sectors: Those that the same bytes of each request would take side by side.
        lines: Of 128 bytes in which the sectors lie.
        passes: Over shared memory.
        least_passes: Those without conflicts.
        divergent: Of branches: the requests in which lanes of a warp part.
        operations: On floating-point numbers, each lane's own; one that multiplies and adds is two.
    """

    file: str
    line: int
    column: int
    what: str
    requests: int = 0
    lanes: int = 0
    bytes: int = 0
    sectors: int = 0
    least_sectors: int = 0
    lines: int = 0
    passes: int = 0
    least_passes: int = 0
    divergent: int = 0
    operations: int = 0

    @property
    def conflicts(self) -> int:
        """Passes that no bank would need if its words were spread."""
        return self.passes - self.least_passes

    @property
    def place(self) -> tuple[str, int, int, str]:
        """What rows of one launch differ by."""
        return self.file, self.line, self.column, self.what

    def add(self, other: Row) -> None:
        """Counts what another one counted."""
        for name in COUNTED:
            setattr(self, name, getattr(self, name) + getattr(other, name))


COUNTED = tuple(name for name in Row.__slots__ if name not in ("file", "line", "column", "what"))


def summed(rows: Iterable[Row]) -> tuple[Row, ...]:
    """One row for each place, in the order of the source."""
    places: dict[tuple[str, int, int, str], Row] = {}
    for row in rows:
        places.setdefault(row.place, Row(*row.place)).add(row)
    return tuple(places[place] for place in sorted(places))


def begins(warp: Integers, offsets: Integers) -> tuple[Integers, int]:
    """Ascending numbers that stand for the first bytes of accesses, with room between warps, and how often they count.

    Args:
        warp: Of each lane, ascending.
        offsets: The first byte of each; (1,) when all lanes agree, and then each warp does what one lane does.
    """
    if len(offsets) == 1:
        return offsets, int(np.count_nonzero(np.diff(warp, prepend=-1)))
    found: Integers = warp * _APART + offsets
    if (found[1:] < found[:-1]).any():
        found.sort()
    return found, 1


def units(begins: Integers, size: int, unit: int) -> int:
    """How many units of so many bytes accesses of that size touch, warp by warp."""
    first, last = begins // unit, (begins + (size - 1)) // unit
    first -= 1
    np.maximum(first[1:], last[:-1], out=first[1:])  # what the access before touched is not touched again
    return int((last - first).sum())


def least_sectors(begins: Integers, size: int) -> int:
    """The sectors that the bytes of each warp would take if they lay side by side."""
    step = np.diff(begins)
    starts = np.flatnonzero(np.diff(begins // _APART, prepend=-1))
    octets = np.add.reduceat(np.minimum(np.append(step, size), size), starts)
    return int((-(-octets // SECTOR)).sum())


def parts(warp: Integers, lane: Integers, size: int) -> tuple[Integers, int]:
    """For each lane the part of a warp that it is served with, counted from 0, and the passes that all parts take.

    Args:
        warp: Of each lane, ascending.
        lane: Its number in the warp.
        size: Bytes of each access.
    """
    each = max(1, PASS_BYTES // max(size, WORD))
    part = warp * BANKS * 2 + lane // each  # no warp has more lanes than twice the banks
    least = int(np.count_nonzero(np.diff(part, prepend=-1))) * max(1, -(-size // PASS_BYTES))
    return part - part[0], least


def conflicts(part: Integers, offsets: Integers, size: int, *, atomic: bool = False) -> int:
    """The passes over shared memory beyond those that all parts take anyway.

    Args:
        part: From `parts`.
        offsets: The first byte of each lane in its block's memory; (1,) when all lanes agree.
        size: Bytes of each access.
        atomic: Whether lanes that meet at a word take turns.
    """
    if len(offsets) == 1 and not atomic:
        return 0
    words, count = np.broadcast_to(offsets // WORD, part.shape), max(1, size // WORD)
    if count > 1:
        words = (words[:, None] + np.arange(count)).reshape(-1)
        part = np.repeat(part, count)
    slot = part * BANKS + words % BANKS
    room = int(part[-1] + 1) * BANKS
    if not atomic:
        table = np.empty(room, np.int64)
        table[slot] = words
        if (table[slot] == words).all():  # no bank is asked for two words
            return 0
        slot = distinct(slot * _APART + words) // _APART
    depth = np.bincount(slot, minlength=room).reshape(-1, BANKS).max(1)
    return int(np.maximum(depth - max(1, -(-size // PASS_BYTES)), 0).sum())
