"""Which lanes of a warp have what: the patterns of exchanges, and the fragments of matrices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.errors import Unsupported

__all__ = ["Form", "dpp_lanes", "swizzle_lanes"]

# Maps lanes and positions in their fragments to rows and columns of the matrix.
Layout: TypeAlias = Callable[[Integers, Integers], tuple[Integers, Integers]]


@dataclass(frozen=True)
class Form:
    """The shape of a product, and who holds what of it.

    Attributes:
        side: Rows of A and of the sum, and columns of B and of the sum.
        deep: Columns of A and rows of B.
        lanes: How many hold the fragments.
        each: Elements of a fragment of A, and of B.
        sums: Elements of a fragment of the sum.
        a, b, c: Where they lie in A, in B and in the sum.
    """

    side: int
    deep: int
    lanes: int
    each: int
    sums: int
    a: Layout
    b: Layout
    c: Layout

    def _places(self, count: int, layout: Layout) -> tuple[Integers, Integers]:
        lane, position = np.indices((self.lanes, count))
        return layout(lane, position)

    @cached_property
    def left(self) -> tuple[Integers, Integers]:
        """(row, column) in A of each element, (lanes, each)."""
        return self._places(self.each, self.a)

    @cached_property
    def right(self) -> tuple[Integers, Integers]:
        """(row, column) in B of each element, (lanes, each)."""
        return self._places(self.each, self.b)

    @cached_property
    def sum(self) -> tuple[Integers, Integers]:
        """(row, column) in the sum of each element, (lanes, sums)."""
        return self._places(self.sums, self.c)

    def gathered(self, fragments: Array, places: tuple[Integers, Integers], shape: tuple[int, int]) -> Array:
        """The matrices that warps hold: (warps, lanes, elements) to (warps, *shape)."""
        whole = np.zeros((len(fragments), *shape), fragments.dtype)
        whole[:, *places] = fragments
        return whole


def swizzle_lanes(pattern: int, lane: Integers) -> Integers:
    """The lane that each lane reads under a pattern: in its quad, turned in a group, or by a mask of 32.

    See: "Instinct MI300" ISA, DS_SWIZZLE_B32.
    """
    if pattern >= 0xE000:
        raise Unsupported("llvm.amdgcn.ds.swizzle of a fast Fourier transform")
    within: Integers
    if pattern >= 0xC000:
        fixed, amount = pattern & 31, pattern >> 5 & 31
        amount = -amount if pattern >> 10 & 1 else amount
        turned: Integers = lane & fixed | lane + amount & ~fixed & 31
        within = turned & 31
        return within | (lane & 32)
    if pattern & 0x8000:
        quad: Integers = np.array([pattern >> 2 * place & 3 for place in range(4)])
        chosen: Integers = (lane & ~3) + quad[lane & 3]
        return chosen
    within = (lane & 31 & pattern | pattern >> 5 & 31) ^ pattern >> 10 & 31
    return within | lane & 32


def dpp_lanes(control: int, lane: Integers, width: int) -> tuple[Integers, Booleans]:
    """The lane that each lane reads under a DPP control, and whether it exists."""
    row, within = lane & ~15, lane & 15
    if control <= 0xFF:
        quad = np.array([control >> 2 * n & 3 for n in range(4)])
        return (lane & ~3) | quad[lane & 3], np.ones(len(lane), bool)
    kind, amount = control & 0x1F0, control & 15
    match kind:
        case 0x100:
            return lane + amount, within + amount < 16
        case 0x110:
            return lane - amount, within >= amount
        case 0x120:
            return row | ((within - amount) & 15), np.ones(len(lane), bool)
        case 0x150:
            return row | amount, np.ones(len(lane), bool)
        case 0x160:
            return lane ^ amount, np.ones(len(lane), bool)
    match control:
        case 0x130:
            return lane + 1, lane + 1 < width
        case 0x134:
            return (lane + 1) % width, np.ones(len(lane), bool)
        case 0x138:
            return lane - 1, lane >= 1
        case 0x13C:
            return (lane - 1) % width, np.ones(len(lane), bool)
        case 0x140:
            return row | (15 - within), np.ones(len(lane), bool)
        case 0x141:
            return (lane & ~7) | (7 - (lane & 7)), np.ones(len(lane), bool)
        case 0x142:
            return row - 1, row >= 16
        case 0x143:
            return np.full(len(lane), 31), lane >= 32
    raise ValueError(f"DPP control {control:#x}")
