"""Multiply matrices held as fragments by a warp's lanes, for AMD and Apple (NVIDIA: `nvvm_mma`); spread taints.

A `ProductLayout` gives the place of each element of a lane's fragments in A, B and C. A product needs the fragments of
all lanes: if a lane is inactive, the whole product is undefined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Array, Booleans, Taint
from harness.simt.compile.registry import Effect
from harness.simt.intrinsics.handlers import Call
from harness.simt.intrinsics.warp import from_warp_rows, lanes_of_incomplete_warps, make_poison, to_warp_rows
from harness.simt.ops.lanes import ProductLayout
from harness.simt.ops.undefined import normalise_taint
from harness.simt.state.lanes import LaneSet

__all__ = ["MatrixProduct", "multiply"]


@dataclass(frozen=True)
class MatrixProduct(Effect):
    """A product A times B plus C of matrices held by a warp's lanes.

    Attributes:
        layout: Which elements of A, B and C each lane holds.
        kinds: The types of the elements of A and of B, such as `f32` or `bf16`.
    """

    layout: ProductLayout
    kinds: tuple[str, str]

    exchanges = True


def multiply(
    call: Call,
    operation: str,
    form: ProductLayout,
    operands: tuple[Array, Array, Array],
    arguments: tuple[int, int, int] = (0, 1, 2),
) -> tuple[Array, Taint]:
    """Return the fragments of A times B plus C for each warp.

    Integers wrap; floats are added to C in double precision, and rounded once. The result of a warp with inactive lanes
    is undefined, and reported.

    Args:
        operation: The name in reports.
        form: Which elements of A, B and C each lane holds.
        operands: The fragments of A, B and C, (n, elements).
        arguments: Their positions among the call's arguments.

    Returns:
        The fragments of the sum, (n, elements), in the dtype of C, and their taint.
    """
    lanes, dtype = call.lanes, operands[2].dtype
    wide = np.dtype(np.int64) if dtype.kind == "i" else np.dtype(np.float64)
    fragments = (
        to_warp_rows(lanes, value[:, None] if value.ndim == 1 else value, 0).astype(wide) for value in operands
    )
    left, right, total = (layout.gather(each) for layout, each in zip((form.a, form.b, form.c), fragments, strict=True))
    with np.errstate(all="ignore"):
        for depth in range(left.shape[2]):
            total += left[:, :, depth, None] * right[:, None, depth, :]
    result = from_warp_rows(lanes, form.c.spread(total).astype(dtype))
    mark = _result_taint(lanes, form, [call.taint(argument) for argument in arguments])
    missing = lanes_of_incomplete_warps(lanes)
    if missing.any():
        result, mark = _report_incomplete(call, operation, missing, result, mark)
    return result, mark


def _result_taint(lanes: LaneSet, form: ProductLayout, taints: Sequence[Taint]) -> Taint:
    """Return the taint of the result: undefined elements spread to their row (of A), their column (of B), or one
    element (of C). None if all operands are defined; else by byte, for elements of four bytes, in its shortest form.
    """
    if all(taint is None for taint in taints):
        return None
    fragments = (
        to_warp_rows(lanes, np.zeros(1, np.int32) if taint is None else taint, 0)[:, :, None] for taint in taints
    )
    return normalise_taint(np.repeat(from_warp_rows(lanes, form.combine_taints(*fragments)), 4, 1))


def _report_incomplete(
    call: Call, operation: str, missing: Booleans, result: Array, mark: Taint
) -> tuple[Array, Taint]:
    """Report warps with inactive lanes, and make their results undefined, in `result` itself; return `result` and a new
    taint for it.

    Args:
        missing: Which of the call's lanes are in these warps, (n,).
        mark: The taint of `result` until now, which is not changed.
    """
    result[missing] = make_poison(result)
    observation, count = call.engine.observation, call.lanes.n
    mark = np.zeros((count, 1), np.int32) if mark is None else mark.reshape(count, -1).copy()
    mark[missing] = observation.origin("inactive-lane", operation, call.site)
    mark = normalise_taint(np.repeat(mark, 4 * result.shape[1] // mark.shape[1], 1))
    call.report("inactive-source.undefined", np.flatnonzero(missing), values={"operation": operation})
    return result, mark
