"""What accesses of a warp cost the memory: sectors and lines of global memory, passes over shared memory.

A *request* is one instruction of one warp. Of global memory it moves 32-byte *sectors*, which lie in 128-byte *lines*.
Shared memory has 32 banks of 4 bytes; in a *pass* each bank gives one word, to all lanes that ask for it. Lanes are
served 128 bytes at a time: 32 of 4 bytes, 16 of 8, 8 of 16. Each such part takes a pass at least; what it takes more
are *conflicts*. Of an atomic each lane takes a turn of its own at its word.
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


def count_units(first_byte_keys: Integers, size: int, unit: int) -> int:
    """How many units of so many bytes accesses of that size touch, warp by warp."""
    first, last = first_byte_keys // unit, (first_byte_keys + (size - 1)) // unit
    first -= 1
    np.maximum(first[1:], last[:-1], out=first[1:])  # what the access before touched is not touched again
    return int((last - first).sum())


def least_sectors(first_byte_keys: Integers, size: int) -> int:
    """The sectors that the bytes of each warp would take if they lay side by side."""
    step = np.diff(first_byte_keys)
    starts = np.flatnonzero(np.diff(first_byte_keys // _APART, prepend=-1))
    octets = np.add.reduceat(np.minimum(np.append(step, size), size), starts)
    return int((-(-octets // SECTOR)).sum())


def lanes_of_part(size: int) -> int:
    """Return how many lanes are served together if each accesses so many bytes of shared memory."""
    return max(1, PASS_BYTES // max(size, WORD))


def group_lanes(warp: Integers, lane: Integers, size: int) -> tuple[Integers, int]:
    """For each lane the part of a warp that it is served with, counted from 0, and the passes that all parts take.

    Args:
        warp: Of each lane, ascending.
        lane: Its number in the warp.
        size: Bytes of each access.
    """
    each = lanes_of_part(size)
    part = warp * BANKS * 2 + lane // each  # no warp has more lanes than twice the banks
    least = int(np.count_nonzero(np.diff(part, prepend=-1))) * max(1, -(-size // PASS_BYTES))
    return part - part[0], least


def count_conflicts(part: Integers, offsets: Integers, size: int, *, atomic: bool = False) -> int:
    """The passes over shared memory beyond those that all parts take anyway.

    Args:
        part: From `group_lanes`.
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


def split_access(size: int, elements: int, align: int | None, vendor: str) -> tuple[int, range]:
    """The bytes that one instruction moves for a lane, and for each such one where in all of them they begin.

    A vector that is wider than an instruction is moved in several; on NVIDIA also one of which the compiler does not
    know that its address is a multiple of its size.

    Args:
        size: Bytes of the access.
        elements: How many a lane accesses.
        align: Of which power of two the compiler knows the address to be a multiple; None for what is one instruction
            anyway.
    """
    if size <= 4 or align is None:
        return size, range(1)
    widest = WIDEST
    if vendor == "nvidia":
        widest = min(widest, max(size // elements, align))
    if size <= widest:
        return size, range(1)
    return widest, range(0, size, widest)
