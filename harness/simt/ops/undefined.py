"""Which bytes of a value are undefined, and where they come from: its taint.

A taint is None where all is defined. Else it holds numbers of origins, 0 for what is
defined: of shape (lanes,) where a value is undefined as a whole or not at all, of shape
(lanes, bytes) where only some bytes are, in the order they have in memory (little
endian; a vector's elements one after another). One row stands for all lanes that agree.

What only moves bytes (loads, stores, vector elements, conversions, masks, shifts) keeps
them apart, so that padding, the fourth element of a vector of three or a field beside
the wanted one is no fault. What computes with a value takes it as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from harness.simt.arrays import Array, Booleans, Integers, Taint
from harness.simt.ir.values import LITERAL
from harness.simt.ops.integer import to_int64

__all__ = [
    "apart", "bytewise", "elementwise", "joined", "masked", "moved", "part", "picked", "placed", "seen", "select_taint",
    "settled", "shifted", "taints", "untold", "whole", "widened",
]  # fmt: skip

Origins: TypeAlias = NDArray[np.int32]
ZERO = np.zeros(1, np.int32)


def whole(taint: Taint) -> Taint:
    """One number for each lane: of several origins the largest."""
    return taint if taint is None or taint.ndim == 1 else taint.max(1)


def settled(taint: Origins) -> Taint:
    """A taint by byte in its shortest form."""
    if not taint.any():
        return None
    return taint[:, 0] if (taint == taint[:, :1]).all() else taint


def taints(*parts: Taint) -> Taint:
    """The taint of what is computed from several values, each taken as a whole."""
    total = None
    for taint in map(whole, parts):
        if taint is not None:
            total = taint if total is None else np.maximum(total, taint)
    return total


def _wide(taint: Taint, size: int) -> Origins:
    """By byte, whatever its form; not to be written to."""
    if taint is None:
        return np.zeros((1, size), np.int32)
    return np.broadcast_to(taint[:, None], (len(taint), size)) if taint.ndim == 1 else taint


def moved(order: Integers, *values: tuple[Taint, int], literal: Taint = None) -> Taint:
    """That of a value whose bytes are those of others.

    Args:
        order: Which byte of all of them, one after another, each byte is, -1 for one that is of none; of all lanes
            (bytes,), or of each (n, bytes).
        values: Their taints, each with its bytes.
        literal: The taint of what is of none, of length 1; None where that is defined.
    """
    if literal is None and all(taint is None for taint, _ in values):
        return None
    wide = [*(_wide(taint, size) for taint, size in values), _wide(literal, 1)]  # the last is byte -1
    places = np.atleast_2d(order)
    rows = max(len(places), *map(len, wide))
    every = np.concatenate([np.broadcast_to(taint, (rows, taint.shape[1])) for taint in wide], 1)
    return settled(every[np.arange(rows)[:, None], places])


def part(taint: Taint, start: int, stop: int) -> Taint:
    """That of some bytes of a value."""
    return taint if taint is None or taint.ndim == 1 else settled(taint[:, start:stop])


def picked(taint: Taint, index: Integers, size: int) -> Taint:
    """That of the element of `size` bytes which each lane takes out of its vector."""
    if taint is None or taint.ndim == 1:
        return taint
    first = to_int64(index) * size % taint.shape[1]
    return moved(first[:, None] + np.arange(size), (taint, taint.shape[1]))


def placed(taint: Taint, value: Taint, index: Integers, size: int, count: int) -> Taint:
    """That of a vector of `count` elements of `size` bytes after each lane has replaced one of them."""
    if taint is None and value is None:
        return None
    octets, element = np.arange(size * count), to_int64(index)[:, None] % count
    order = np.where(octets // size == element, size * count + octets % size, octets)
    return moved(order, (taint, size * count), (value, size))


def elementwise(count: int, size: int, *sources: tuple[Taint, int]) -> Taint:
    """That of a vector computed element by element.

    Args:
        count: Its elements.
        size: Bytes of each.
        sources: The operands' taints, each with the bytes of an element.
    """
    if all(taint is None or taint.ndim == 1 for taint, _ in sources):
        return taints(*(taint for taint, _ in sources))
    total = np.zeros((1, count), np.int32)
    for taint, own in sources:
        if taint is not None:
            by_element = taint[:, None] if taint.ndim == 1 else taint.reshape(len(taint), count, own).max(2)
            total = np.maximum(total, by_element)
    return settled(np.repeat(total, size, 1))


def bytewise(left: Taint, right: Taint) -> Taint:
    """That of a bitwise operation on two values of one type."""
    if left is None or right is None:
        return right if left is None else left
    if left.ndim == right.ndim:
        return np.maximum(left, right)
    return np.maximum(left if left.ndim == 2 else left[:, None], right if right.ndim == 2 else right[:, None])


def masked(taint: Taint, kept: Booleans) -> Taint:
    """That of a value of which a constant keeps some bytes; `kept` is (bytes,)."""
    return None if taint is None else moved(np.where(kept, np.arange(len(kept)), -1), (taint, len(kept)))


def widened(taint: Taint, before: int, size: int, signed: bool) -> Taint:
    """That of a number of `before` bytes extended to `size`."""
    if taint is None:
        return None
    octets = np.arange(size)
    return moved(np.where(octets < before, octets, before - 1 if signed else -1), (taint, before))


def shifted(taint: Taint, size: int, bits: int, how: str) -> Taint:
    """That of a number of `size` bytes shifted by a constant; `how` is the opcode."""
    if taint is None or not 0 <= bits < 8 * size:
        return taint
    step, beyond = -1 if how == "shl" else 1, size - 1 if how == "ashr" else -1
    nearest = np.arange(size) + step * (bits // 8)
    sources = nearest, nearest + step * (bits % 8 > 0)  # a byte that two bytes are parts of is undefined with either
    orders = (np.where((octets >= 0) & (octets < size), octets, beyond) for octets in sources)
    first, second = (moved(order, (taint, size)) for order in orders)
    return bytewise(first, second)


def select_taint(condition: Booleans, own: Taint, yes: Taint, no: Taint) -> Taint:
    """The taint of a select: that of the chosen value, or of the condition."""
    if own is None and yes is None and no is None:
        return None
    own = whole(own)
    yes = ZERO if yes is None else yes
    no = ZERO if no is None else no
    width = max((taint.shape[1] for taint in (yes, no) if taint.ndim == 2), default=0)
    if not width:
        if condition.ndim == 2:
            return taints(own, yes, no)
        chosen = np.where(condition, yes, no)
        if own is not None:
            chosen = np.where(own, own, chosen)
        return chosen if chosen.any() else None
    condition = condition[:, None] if condition.ndim == 1 else np.repeat(condition, width // condition.shape[1], 1)
    chosen = np.where(condition, _wide(yes, width), _wide(no, width))
    if own is not None:
        chosen = np.where(own[:, None], own[:, None], chosen)
    return settled(chosen)


def seen(taint: Origins, elements: int, granule: int, padded: Booleans | None = None) -> Taint:
    """What the host sees of a stored taint: undefined values, but no padding.

    Where the host's elements are of several bytes, each of them counts, but for elements
    that the compiler filled a vector up with. Where it has mere bytes, they may be structs:
    a value is undefined if all of its bytes are, or an element of a vector that memory left so.

    Args:
        elements: Of the stored vector, 0 for a scalar.
        granule: Bytes of one of the host's elements.
        padded: The lanes whose value is a part of something that is partly defined.
    """
    if granule == 1 and padded is not None:
        taint = np.where(padded, np.int32(0), taint)
    if taint.ndim == 1:
        return taint
    told = np.where(taint.all(1), taint.max(1), np.int32(0))
    if granule > 1:
        each = taint
    else:
        parts = taint.reshape(len(taint), elements or 1, -1)
        each = np.where(parts.all(2), parts.max(2), np.int32(0))
    total: Origins = np.maximum(told, np.where(each < LITERAL, each, np.int32(0)).max(1))
    return total


def untold(taint: Origins, told: Taint) -> Taint:
    """What is left of a stored taint: values that were told count as written, or each use of them would be told too.

    Args:
        taint: Of the values.
        told: What `seen` made of it.
    """
    if told is None or not told.any():
        return taint
    return settled(np.where((told != 0)[:, None], np.int32(0), taint if taint.ndim == 2 else taint[:, None]))


def joined(column: Sequence[Array]) -> list[Array]:
    """Taints or values in one form, so that they fit into one array."""
    if len({entry.ndim for entry in column}) == 1:
        return list(column)
    width = max(entry.shape[1] for entry in column if entry.ndim == 2)
    return [_wide(entry, width) for entry in column]


def apart(taint: Taint | tuple[Taint, ...], count: int) -> tuple[Taint, ...]:
    """That of each part of a struct: its own, or of all the same."""
    return taint if isinstance(taint, tuple) else (taint,) * count
