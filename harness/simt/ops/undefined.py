"""Compute taints (which bytes are undefined, by which origin) through moves, vectors, masks, shifts, `select`.

A taint is None if the value is defined in all lanes. Otherwise it is an array of origin numbers, 0 for what is defined:
(lanes,) if each value is undefined as a whole or not at all, (lanes, bytes) if only some bytes are, in memory order
(little endian; a vector's elements one after another). An array with one row holds for all lanes.

Instructions that only move bytes (loads, stores, vector elements, conversions, masks, shifts) keep a taint for each
byte. So padding, the fourth element of a vector of three, or a neighbouring field is not reported. Instructions that
compute with a value take its taint as a whole.
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
    "clear_reported",
    "collapse_taint",
    "combine_bytewise",
    "combine_elementwise",
    "combine_taints",
    "extend_taint",
    "extract_taint",
    "insert_taint",
    "mask_taint",
    "normalise_taint",
    "rearrange_taint",
    "select_taint",
    "shift_taint",
    "slice_taint",
    "split_taint",
    "taint_visible_to_host",
    "to_same_rank",
]  # fmt: skip

Origins: TypeAlias = NDArray[np.int32]
ZERO = np.zeros(1, np.int32)


def collapse_taint(taint: Taint) -> Taint:
    """Return a taint with one number for each lane: the largest origin among its bytes."""
    return taint if taint is None or taint.ndim == 1 else taint.max(1)


def normalise_taint(taint: Origins) -> Taint:
    """Return a taint by byte, (lanes, bytes), in its shortest form: None if all is defined, one number a lane if all
    its bytes agree in every lane.
    """
    if not taint.any():
        return None
    return taint[:, 0] if (taint == taint[:, :1]).all() else taint


def combine_taints(*values: Taint) -> Taint:
    """Return the taint of a result computed from several values, each of which counts as a whole.

    It is None if all of them are; else one number for each lane, the largest origin.
    """
    total = None
    for taint in map(collapse_taint, values):
        if taint is not None:
            total = taint if total is None else np.maximum(total, taint)
    return total


def _by_byte(taint: Taint, size: int) -> Origins:
    """Return a taint with `size` bytes a lane, one row of zeros for None; the array may be a read-only view.

    A taint by byte is returned as it is, whatever its size.
    """
    if taint is None:
        return np.zeros((1, size), np.int32)
    return np.broadcast_to(taint[:, None], (len(taint), size)) if taint.ndim == 1 else taint


def rearrange_taint(order: Integers, *values: tuple[Taint, int], literal: Taint = None) -> Taint:
    """Return the taint of a value whose bytes are taken from other values.

    Args:
        order: For each byte of the result its index in the bytes of `values` laid end to end, or -1 for a literal
            byte; shape (bytes,) for all lanes, or (n, bytes).
        values: Pairs of a taint and the value's size in bytes.
        literal: The taint of literal bytes, of length 1; None if they are defined.
    """
    if literal is None and all(taint is None for taint, _ in values):
        return None
    wide = [*(_by_byte(taint, size) for taint, size in values), _by_byte(literal, 1)]  # the last one is byte -1
    places = np.atleast_2d(order)
    count = max(len(places), *map(len, wide))
    every = np.concatenate([np.broadcast_to(taint, (count, taint.shape[1])) for taint in wide], 1)
    return normalise_taint(every[np.arange(count)[:, None], places])


def slice_taint(taint: Taint, start: int, stop: int) -> Taint:
    """Return the taint of bytes `start` to `stop` of a value."""
    return taint if taint is None or taint.ndim == 1 else normalise_taint(taint[:, start:stop])


def extract_taint(taint: Taint, index: Integers, size: int) -> Taint:
    """Return the taint of the element of `size` bytes that each lane extracts; an index out of range wraps."""
    if taint is None or taint.ndim == 1:
        return taint
    first = to_int64(index) * size % taint.shape[1]
    return rearrange_taint(first[:, None] + np.arange(size), (taint, taint.shape[1]))


def insert_taint(taint: Taint, value: Taint, index: Integers, size: int, count: int) -> Taint:
    """Return the taint of a vector of `count` elements of `size` bytes after each lane replaced one element.

    An index out of range wraps.

    Args:
        taint, value: The taints of the vector before that, and of the new element.
    """
    if taint is None and value is None:
        return None
    octets, element = np.arange(size * count), to_int64(index)[:, None] % count
    order = np.where(octets // size == element, size * count + octets % size, octets)
    return rearrange_taint(order, (taint, size * count), (value, size))


def combine_elementwise(count: int, size: int, *sources: tuple[Taint, int]) -> Taint:
    """Return the taint of a vector that is computed element by element.

    All bytes of an element get the largest origin in that element of the operands.

    Args:
        count: The number of its elements.
        size: Bytes of an element.
        sources: For each operand its taint and the bytes of one of its elements.
    """
    if all(taint is None or taint.ndim == 1 for taint, _ in sources):
        return combine_taints(*(taint for taint, _ in sources))
    total = np.zeros((1, count), np.int32)
    for taint, element_size in sources:
        if taint is not None:
            by_element = taint[:, None] if taint.ndim == 1 else taint.reshape(len(taint), count, element_size).max(2)
            total = np.maximum(total, by_element)
    return normalise_taint(np.repeat(total, size, 1))


def combine_bytewise(left: Taint, right: Taint) -> Taint:
    """Return the taint of a bitwise operation on two values of one type: for each byte the larger origin of both."""
    if left is None or right is None:
        return right if left is None else left
    if left.ndim == right.ndim:
        return np.maximum(left, right)
    return np.maximum(left if left.ndim == 2 else left[:, None], right if right.ndim == 2 else right[:, None])


def mask_taint(taint: Taint, is_kept: Booleans) -> Taint:
    """Return the taint of a value whose other bytes a constant mask clears; `is_kept` has a truth for each byte."""
    return (
        None
        if taint is None
        else rearrange_taint(np.where(is_kept, np.arange(len(is_kept)), -1), (taint, len(is_kept)))
    )


def extend_taint(taint: Taint, source_size: int, size: int, signed: bool) -> Taint:
    """Return the taint of a number of `source_size` bytes extended to `size`.

    If `signed`, each new byte takes the origin of the highest byte; else new bytes are defined.
    """
    if taint is None:
        return None
    octets = np.arange(size)
    return rearrange_taint(
        np.where(octets < source_size, octets, source_size - 1 if signed else -1), (taint, source_size)
    )


def shift_taint(taint: Taint, size: int, amount: int, opcode: str) -> Taint:
    """Return the taint of a number of `size` bytes that an opcode (`shl`, `lshr`, `ashr`) shifts by a constant amount
    of bits.

    A byte takes the larger origin of the bytes that its bits come from; bytes of zeros are defined. Bytes of sign bits
    count as the highest byte. An amount that is negative or the width or more returns the taint itself.
    """
    if taint is None or not 0 <= amount < 8 * size:
        return taint
    step, beyond = -1 if opcode == "shl" else 1, size - 1 if opcode == "ashr" else -1
    nearest = np.arange(size) + step * (amount // 8)
    sources = nearest, nearest + step * (amount % 8 > 0)  # a byte that is made of two bytes is undefined if either is
    orders = (np.where((octets >= 0) & (octets < size), octets, beyond) for octets in sources)
    first, second = (rearrange_taint(order, (taint, size)) for order in orders)
    return combine_bytewise(first, second)


def select_taint(condition: Booleans, condition_taint: Taint, yes: Taint, no: Taint) -> Taint:
    """Return the taint of a `select`: the condition's where it is undefined, else that of the chosen value.

    A vector's condition may be (lanes, elements). Then, if neither value has a taint by byte, each lane gets the
    largest origin of the condition and both values.
    """
    if condition_taint is None and yes is None and no is None:
        return None
    condition_taint = collapse_taint(condition_taint)
    yes = ZERO if yes is None else yes
    no = ZERO if no is None else no
    width = max((taint.shape[1] for taint in (yes, no) if taint.ndim == 2), default=0)
    if not width:
        if condition.ndim == 2:
            return combine_taints(condition_taint, yes, no)
        chosen = np.where(condition, yes, no)
        if condition_taint is not None:
            chosen = np.where(condition_taint, condition_taint, chosen)
        return chosen if chosen.any() else None
    condition = condition[:, None] if condition.ndim == 1 else np.repeat(condition, width // condition.shape[1], 1)
    chosen = np.where(condition, _by_byte(yes, width), _by_byte(no, width))
    if condition_taint is not None:
        chosen = np.where(condition_taint[:, None], condition_taint[:, None], chosen)
    return normalise_taint(chosen)


def taint_visible_to_host(taint: Origins, elements: int, granule: int, padded: Booleans | None = None) -> Taint:
    """Return, by lane, the origin of a stored value that a host would notice: undefined values, but not padding.

    A lane whose value does not count has 0; None is never returned. A value counts if it is undefined as a whole. Else
    bytes that an `undef` of the code fills are padding. Of the other undefined bytes a single byte is enough if the
    host's elements have several bytes. If those are single bytes, the memory may hold structs: then all bytes of a
    vector's element must be undefined.

    Args:
        elements: The length of the stored vector, 0 for a scalar.
        granule: Bytes of one of the host's elements.
        padded: The lanes whose value is part of a copy that also has defined bytes: no such lane counts if `granule`
            is 1.
    """
    if granule == 1 and padded is not None:
        taint = np.where(padded, np.int32(0), taint)
    if taint.ndim == 1:
        return taint
    visible = np.where(taint.all(1), taint.max(1), np.int32(0))
    if granule > 1:
        each = taint
    else:
        elements_bytes = taint.reshape(len(taint), elements or 1, -1)
        each = np.where(elements_bytes.all(2), elements_bytes.max(2), np.int32(0))
    total: Origins = np.maximum(visible, np.where(each < LITERAL, each, np.int32(0)).max(1))
    return total


def clear_reported(taint: Origins, reported: Taint) -> Taint:
    """Return a stored taint without the lanes that were reported, so that later uses are not reported again.

    It is the taint itself if none was, and None if nothing undefined is left.

    Args:
        taint: The stored values' taint.
        reported: Their `taint_visible_to_host`.
    """
    if reported is None or not reported.any():
        return taint
    return normalise_taint(
        np.where((reported != 0)[:, None], np.int32(0), taint if taint.ndim == 2 else taint[:, None])
    )


def to_same_rank(arrays: Sequence[Array]) -> list[Array]:
    """Return taints by lane or by byte in one rank, so that they can be concatenated.

    If any is by byte, a taint by lane is repeated for as many bytes as the widest has; taints by byte stay as they are.
    """
    if len({entry.ndim for entry in arrays}) == 1:
        return list(arrays)
    width = max(entry.shape[1] for entry in arrays if entry.ndim == 2)
    return [_by_byte(entry, width) for entry in arrays]


def split_taint(taint: Taint | tuple[Taint, ...], count: int) -> tuple[Taint, ...]:
    """Return a taint for each of `count` fields of a struct: its own, or the struct's."""
    return taint if isinstance(taint, tuple) else (taint,) * count
