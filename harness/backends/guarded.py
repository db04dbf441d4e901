"""Guarded buffers: arrays between guard words, filled with poison; make and split them, find poison and damage.

The kernel gets the slice in the middle.  Whatever was never written still
holds the poison; whatever was written outside shows in the guard words.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

__all__ = ["GUARD_ELEMENTS", "POISON", "Fill", "find_damaged", "find_poisoned", "make_guarded", "split", "view_bits"]

# What outputs and scratch hold before the launch.  `poison` is a quiet NaN with a
# payload that no arithmetic yields; `poison-2` and `poison-3` are far from it and from
# each other, so that a result made of uninitialised memory differs; `zero` is what the
# documented programs print from.  `unset` is memory as it was allocated, to its exact
# bounds, for a sanitizer that keeps account of both.
Fill = Literal["poison", "poison-2", "poison-3", "zero", "unset"]

GUARD_ELEMENTS = 64  # for 4-byte elements two 128-byte lines: neighbours stay aligned

# What never-written memory holds, as a word of 4 bytes.  The first is a quiet NaN
# with a payload that arithmetic does not produce: it shows in every sum, and marks
# what was never written.  A maximum or minimum passes NaN by, so the others are the
# floats 2.9e38 and -2.9e38, which show in one of the two.
POISON: dict[str, int] = {"poison": 0x7FC0BEEF, "poison-2": 0x7F5A5A5A, "poison-3": 0xFF5A5A5A, "zero": 0}
_GUARD = 0x7FCD0A2D


def _pattern(word: int, dtype: np.dtype, elements: int) -> np.ndarray:
    size = elements * dtype.itemsize
    words = np.full(-(-size // 4), word, np.uint32)
    return words.view(np.uint8)[:size].view(dtype)


def make_guarded(
    shape: tuple[int, ...],
    dtype: np.dtype,
    fill: str,
    elements: int = GUARD_ELEMENTS,
    content: np.ndarray | None = None,
) -> np.ndarray:
    """Return a flat array with a buffer between its guards: guard, `fill` or the content, guard.

    Args:
        shape: Of the buffer, in elements.
        dtype: Its element type.
        fill: A key of `POISON`, so not `unset`; without effect if there is a content.
        elements: Of each guard; a multiple of 4.
        content: What it holds instead, of that shape and type.

    Returns:
        Shape (guard + elements of the buffer + guard,).
    """
    dtype, size = np.dtype(dtype), math.prod(shape) + 2 * elements
    buffer = _pattern(POISON[fill], dtype, size) if content is None else np.empty(size, dtype)
    inner, *guards = split(buffer, shape, elements)
    for guard in guards:
        guard[...] = _pattern(_GUARD, dtype, elements)
    if content is not None:
        inner[...] = content
    return buffer


def split(
    buffer: np.ndarray, shape: tuple[int, ...], elements: int = GUARD_ELEMENTS
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Split an array that `make_guarded` made into the buffer, in `shape`, and the flat guards before and after it.

    All three are views. `elements` is the length of a guard: 0 for a graph's results, which have none.
    """
    buffer = buffer.reshape(-1)
    end = buffer.size - elements
    return buffer[elements:end].reshape(shape), buffer[:elements], buffer[end:]


def find_poisoned(values: np.ndarray, fill: str) -> np.ndarray:
    """Return a mask, of the array's shape, of the elements that hold the fill's bit pattern, written or not."""
    mask: np.ndarray = view_bits(values) == view_bits(_pattern(POISON[fill], values.dtype, 1))
    return mask


def view_bits(array: np.ndarray) -> np.ndarray:
    """Return the elements as unsigned integers of their size, so that arrays can be compared bit by bit."""
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}").reshape(array.shape)


def find_damaged(guard: np.ndarray) -> np.ndarray:
    """Return the indices of a guard's elements that no longer hold the guard pattern."""
    return np.flatnonzero(view_bits(guard) != view_bits(_pattern(_GUARD, guard.dtype, guard.size)))
