"""AMD's lane exchange patterns (`ds_swizzle`, DPP); layouts of matrix fragments over lanes, taints of products."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.errors import Unsupported

__all__ = ["Layout", "ProductLayout", "dpp_lanes", "swizzle_lanes"]

# Maps lanes and positions in their fragments to rows and columns of the matrix.
Place: TypeAlias = Callable[[Integers, Integers], tuple[Integers, Integers]]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The row and column in a matrix of each element that each lane holds; both arrays are (lanes, elements)."""

    rows: Integers
    columns: Integers

    @classmethod
    def of(cls, lanes: int, per_lane: int, place: Place) -> Layout:
        """Build the layout of `lanes` lanes with `per_lane` elements each; `place` maps lane and element to
        (row, column).
        """
        return cls(*place(*np.indices((lanes, per_lane))))

    def gather(self, values: Array) -> Array:
        """Return the matrices (warps, rows, columns) whose fragments are given as (warps, lanes, elements).

        They are as large as the largest row and column of the layout; elements that no lane holds are zero.
        """
        matrices = np.zeros((len(values), int(self.rows.max()) + 1, int(self.columns.max()) + 1), values.dtype)
        matrices[:, self.rows, self.columns] = values
        return matrices

    def spread(self, matrices: Array) -> Array:
        """Return the fragments (warps, lanes, elements) of matrices (warps, rows, columns)."""
        return matrices[:, self.rows, self.columns]


@dataclass(frozen=True, slots=True, eq=False)
class ProductLayout:
    """The layouts of A, of B and of the accumulator C of a matrix product."""

    a: Layout
    b: Layout
    c: Layout

    def combine_taints(self, a: Array, b: Array, c: Array) -> Array:
        """Return the taint of the result's fragments, given the taints of the fragments of A, B and C.

        An element takes the largest taint of its row of A, its column of B and its own element of C.
        """
        rows, columns = self.a.gather(a).max(2), self.b.gather(b).max(1)
        return self.c.spread(np.maximum(np.maximum(rows[:, :, None], columns[:, None, :]), self.c.gather(c)))


def swizzle_lanes(pattern: int, lane: Integers) -> Integers:
    """Return the lane that each lane reads under a pattern of `ds_swizzle`: rotated, within a quad, or by bit masks.

    Lanes exchange in groups of 32. See: "Instinct MI300" ISA, DS_SWIZZLE_B32.

    Raises:
        Unsupported: The pattern is that of a fast Fourier transform, 0xE000 and up.
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
    """Return the lane that each lane reads under a DPP control word, and whether there is such a lane.

    There is none beyond the warp, or beyond the row of 16 lanes if the control works within rows: then the number is
    meaningless and may be out of range.

    Args:
        width: The lanes of a warp.

    Raises:
        Unsupported: There is no such control.
    """
    row, within = lane & ~15, lane & 15
    if control <= 0xFF:
        quad = np.array([control >> 2 * n & 3 for n in range(4)])
        return (lane & ~3) | quad[lane & 3], np.ones(len(lane), bool)
    kind, amount = control & ~15, control & 15
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
    raise Unsupported(f"llvm.amdgcn.update.dpp with control {control:#x}, which there is not")
