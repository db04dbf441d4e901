"""Matrices that the lanes of a warp hold together, each lane a fragment of them.

A `Form` says where each element of a lane's fragments lies in A, B and the sum. A product needs the
fragments of all lanes: one that is not there leaves the whole product undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, Taint
from harness.simt.intrinsics.handlers import Call
from harness.simt.intrinsics.warp import poison_of
from harness.simt.ops.undefined import settled
from harness.simt.state.lanes import LaneSet

__all__ = ["Form", "multiply"]


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


def multiply(
    call: Call,
    operation: str,
    form: Form,
    operands: tuple[Array, Array, Array],
    arguments: tuple[int, int, int] = (0, 1, 2),
) -> tuple[Array, Taint]:
    """Each warp's A times B plus C. Integers wrap; floats are summed in double precision and rounded once.

    Args:
        operands: Fragments of A, B and C, (n, elements).
        arguments: Which of the call they are.

    Returns:
        The fragments of the sum, (n, elements), and their taint.
    """
    lanes = call.lanes
    spots = lanes.get("slot")
    a, b, c = (_by_warp(lanes, operand, spots) for operand in operands)
    here = np.zeros((len(a), form.lanes), bool)
    here.reshape(-1)[spots] = True
    square, dtype = (form.side, form.side), c.dtype
    wide = np.dtype(np.int64) if dtype.kind == "i" else np.dtype(np.float64)
    left = form.gathered(a.astype(wide), form.left, (form.side, form.deep))
    right = form.gathered(b.astype(wide), form.right, (form.deep, form.side))
    total = left @ right + form.gathered(c.astype(wide), form.sum, square)
    result = total[:, *form.sum].astype(dtype).reshape(-1, form.sums)[spots]
    mark = _taint(lanes, form, spots, [call.taint(argument) for argument in arguments])
    missing: Booleans = ~np.logical_and.reduce(here, 1)[spots // form.lanes]
    if missing.any():
        result, mark = _incomplete(call, operation, missing, result, mark)
    return result, mark


def _by_warp(lanes: LaneSet, value: Array, spots: Integers) -> Array:
    """A fragment of each lane as (warps, lanes, elements), 0 where no lane is."""
    value = value[:, None] if value.ndim == 1 else value
    full = np.zeros((lanes.geometry.slots, value.shape[1]), value.dtype)
    full[spots] = value
    return full.reshape(-1, lanes.geometry.warp, value.shape[1])


def _taint(lanes: LaneSet, form: Form, spots: Integers, taints: Sequence[Taint]) -> Taint:
    """An undefined element of A spoils its row of the sum, one of B its column, one of C itself."""
    if all(taint is None for taint in taints):
        return None
    of_a, of_b, of_c = (
        _by_warp(lanes, np.zeros(1, np.int32) if taint is None else np.broadcast_to(taint, (lanes.n,)), spots)
        for taint in taints
    )
    shape = (len(of_a), form.lanes, form.each)
    rows = form.gathered(np.broadcast_to(of_a, shape), form.left, (form.side, form.deep)).max(2)
    columns = form.gathered(np.broadcast_to(of_b, shape), form.right, (form.deep, form.side)).max(1)
    spoilt = np.maximum(rows[:, :, None], columns[:, None, :])[:, *form.sum]
    return settled(np.repeat(np.maximum(spoilt, of_c).reshape(-1, form.sums)[spots], 4, 1))


def _incomplete(call: Call, operation: str, missing: Booleans, result: Array, mark: Taint) -> tuple[Array, Taint]:
    """Warps without all of their lanes have no product."""
    result[missing] = poison_of(result)
    observation, count = call.engine.observation, call.lanes.n
    if observation.tracked:
        mark = np.zeros((count, 1), np.int32) if mark is None else mark.reshape(count, -1).copy()
        mark[missing] = observation.origin("inactive-lane", operation, call.site)
        mark = settled(np.repeat(mark, 4 * result.shape[1] // mark.shape[1], 1))
    call.report("inactive-source.undefined", np.flatnonzero(missing), values={"operation": operation})
    return result, mark
