"""Count global memory's sectors and lines and shared memory's bank conflicts for warps; split wide accesses.

A *request* is one instruction of one warp. Of global memory it moves 32-byte *sectors*, which lie in 128-byte *lines*.
Shared memory has 32 banks of 4 bytes; in a *pass* each bank gives one word, to all lanes that ask for it. Lanes are
served 128 bytes at a time: 32 of 4 bytes, 16 of 8, 8 of 16. Each such group takes a pass at least; further passes
are *conflicts*. In an atomic each lane takes a turn of its own at its word.
"""

from __future__ import annotations

import numpy as np

from harness.simt.arrays import Integers, distinct

__all__ = [
    "LINE",
    "PASS_BYTES",
    "SECTOR",
    "WORD",
    "count_conflicts",
    "count_units",
    "first_byte_keys",
    "group_lanes",
    "lanes_of_part",
    "least_sectors",
    "split_access",
]

SECTOR, LINE = 32, 128
BANKS, WORD = 32, 4
PASS_BYTES = BANKS * WORD
WIDEST = 16  # bytes that an instruction moves for a lane
_APART = 1 << 40  # between the offsets of warps; a multiple of a line


def first_byte_keys(warp: Integers, offsets: Integers) -> tuple[Integers, int]:
    """Return (keys, factor): ascending numbers for the first bytes of accesses, and how often each counts.

    There is a key for each lane, also for equal bytes; those of different warps lie far apart. If all lanes agree,
    `offsets` itself is returned, and the factor is the number of warps; else it is 1.

    Args:
        warp: Of each lane, ascending.
        offsets: The first byte of each; (1,) when all lanes agree.
    """
    if len(offsets) == 1:
        return offsets, int(np.count_nonzero(np.diff(warp, prepend=-1)))
    keys: Integers = warp * _APART + offsets
    if (keys[1:] < keys[:-1]).any():
        keys.sort()
    return keys, 1


def count_units(keys: Integers, size: int, unit: int) -> int:
    """Return how many units of `unit` bytes are touched by accesses of `size` bytes, each once for each warp.

    Args:
        keys: From `first_byte_keys`; the caller multiplies by the factor.
    """
    first, last = keys // unit, (keys + (size - 1)) // unit
    first -= 1
    np.maximum(first[1:], last[:-1], out=first[1:])  # units that the access before touched do not count again
    return int((last - first).sum())


def least_sectors(keys: Integers, size: int) -> int:
    """Return how many sectors of 32 bytes the bytes of each warp would take if they were contiguous, all together.

    Bytes that several lanes access count once.

    Args:
        keys: From `first_byte_keys`; the caller multiplies by the factor.
        size: Bytes of each access.
    """
    step = np.diff(keys)
    starts = np.flatnonzero(np.diff(keys // _APART, prepend=-1))
    octets = np.add.reduceat(np.minimum(np.append(step, size), size), starts)
    return int((-(-octets // SECTOR)).sum())


def lanes_of_part(size: int) -> int:
    """Return how many lanes are served together if each accesses so many bytes of shared memory."""
    return max(1, PASS_BYTES // max(size, WORD))


def group_lanes(warp: Integers, lane: Integers, size: int) -> tuple[Integers, int]:
    """Return for each lane the number of the group that it is served with, and the sum of the groups' least passes.

    A group is `lanes_of_part(size)` neighbouring lanes of a warp, counted from lane 0. The numbers begin at 0 and
    ascend, with gaps between warps. An access of more than 128 bytes takes several passes.

    Args:
        warp: Of each lane, ascending.
        lane: Its number in the warp.
        size: Bytes of each access.
    """
    lanes_per_group = lanes_of_part(size)
    part = warp * BANKS * 2 + lane // lanes_per_group  # no warp has more lanes than twice the banks
    least = int(np.count_nonzero(np.diff(part, prepend=-1))) * max(1, -(-size // PASS_BYTES))
    return part - part[0], least


def count_conflicts(group: Integers, offsets: Integers, size: int, *, atomic: bool = False) -> int:
    """Return how many passes over shared memory bank conflicts add to the least passes; 0 if all lanes agree.

    Args:
        group: From `group_lanes`.
        offsets: The first byte of each lane in its block's memory; (1,) when all lanes agree.
        size: Bytes of each access.
        atomic: Whether lanes that access the same word take turns, also if all lanes agree.
    """
    if len(offsets) == 1 and not atomic:
        return 0
    words, count = np.broadcast_to(offsets // WORD, group.shape), max(1, size // WORD)
    if count > 1:
        words = (words[:, None] + np.arange(count)).reshape(-1)
        group = np.repeat(group, count)
    slot = group * BANKS + words % BANKS
    slots = int(group[-1] + 1) * BANKS
    if not atomic:
        table = np.empty(slots, np.int64)
        table[slot] = words
        if (table[slot] == words).all():  # no bank is asked for two words
            return 0
        slot = distinct(slot * _APART + words) // _APART
    depth = np.bincount(slot, minlength=slots).reshape(-1, BANKS).max(1)
    return int(np.maximum(depth - max(1, -(-size // PASS_BYTES)), 0).sum())


def split_access(size: int, elements: int, align: int | None, vendor: str) -> tuple[int, range]:
    """Split a lane's access into instructions: return the bytes of each, and the offsets at which they begin.

    One instruction moves at most 16 bytes. On NVIDIA it moves no more than the alignment, or an element if that is
    larger. An access of at most 4 bytes, or with `align` None, is never split.

    Args:
        size: Bytes of the whole access of a lane.
        elements: How many elements these bytes are.
        align: The power of two that the address is known to be a multiple of; None for a single instruction.
    """
    if size <= 4 or align is None:
        return size, range(1)
    instruction_bytes = WIDEST
    if vendor == "nvidia":
        instruction_bytes = min(instruction_bytes, max(size // elements, align))
    if size <= instruction_bytes:
        return size, range(1)
    return instruction_bytes, range(0, size, instruction_bytes)
