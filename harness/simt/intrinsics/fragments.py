"""Matrices that the lanes of a warp hold together, each lane a fragment of them.

A `Form` says where each element of a lane's fragments lies in A, B and the sum. A product needs the
fragments of all lanes: one that is not there leaves the whole product undefined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Array, Booleans, Taint
from harness.simt.compile.registry import Effect
from harness.simt.intrinsics.handlers import Call
from harness.simt.intrinsics.warp import by_lane, incomplete, matrix, poison_of
from harness.simt.ops.lanes import ProductLayout
from harness.simt.ops.undefined import normalise_taint
from harness.simt.state.lanes import LaneSet

__all__ = ["Product", "multiply"]


@dataclass(frozen=True)
class Product(Effect):
    """A times B plus C.

    Attributes:
        form: Who holds what.
        kinds: What the elements of A and B are: `f32`, `bf16`.
    """

    form: ProductLayout
    kinds: tuple[str, str]

    exchanges = True


def multiply(
    call: Call,
    operation: str,
    form: ProductLayout,
    operands: tuple[Array, Array, Array],
    arguments: tuple[int, int, int] = (0, 1, 2),
) -> tuple[Array, Taint]:
    """Each warp's A times B plus C. Integers wrap; floats are added to C in double precision, and rounded once.

    Args:
        operands: Fragments of A, B and C, (n, elements).
        arguments: Which of the call they are.

    Returns:
        The fragments of the sum, (n, elements), and their taint.
    """
    lanes, dtype = call.lanes, operands[2].dtype
    wide = np.dtype(np.int64) if dtype.kind == "i" else np.dtype(np.float64)
    given = (matrix(lanes, value[:, None] if value.ndim == 1 else value, 0).astype(wide) for value in operands)
    left, right, total = (layout.gather(each) for layout, each in zip((form.a, form.b, form.c), given, strict=True))
    with np.errstate(all="ignore"):
        for depth in range(left.shape[2]):
            total += left[:, :, depth, None] * right[:, None, depth, :]
    result = by_lane(lanes, form.c.spread(total).astype(dtype))
    mark = _taint(lanes, form, [call.taint(argument) for argument in arguments])
    missing = incomplete(lanes)
    if missing.any():
        result, mark = _incomplete(call, operation, missing, result, mark)
    return result, mark


def _taint(lanes: LaneSet, form: ProductLayout, taints: Sequence[Taint]) -> Taint:
    """An undefined element of A spoils its row of the sum, one of B its column, one of C itself."""
    if all(taint is None for taint in taints):
        return None
    given = (matrix(lanes, np.zeros(1, np.int32) if taint is None else taint, 0)[:, :, None] for taint in taints)
    return normalise_taint(np.repeat(by_lane(lanes, form.combine_taints(*given)), 4, 1))


def _incomplete(call: Call, operation: str, missing: Booleans, result: Array, mark: Taint) -> tuple[Array, Taint]:
    """Warps without all of their lanes have no product."""
    result[missing] = poison_of(result)
    observation, count = call.engine.observation, call.lanes.n
    mark = np.zeros((count, 1), np.int32) if mark is None else mark.reshape(count, -1).copy()
    mark[missing] = observation.origin("inactive-lane", operation, call.site)
    mark = normalise_taint(np.repeat(mark, 4 * result.shape[1] // mark.shape[1], 1))
    call.report("inactive-source.undefined", np.flatnonzero(missing), values={"operation": operation})
    return result, mark
