"""Copies of a tensor's column of pixels (im2col mode): between the corners, at its offsets, zero out of bounds."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from tests.simt.tensors import F32, MULTICAST, copied, run


def column(rank, elements, coordinates, offsets):
    """As `load`, in im2col mode."""
    names = [f"${number}" for number in range(3, 2 * rank + 1)]
    text = f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
    operands = f"[$0], [$1, {{{', '.join(names[:rank])}}}], [$2], {{{', '.join(names[rank:])}}}"
    given = "".join(f", i32 {place}" for place in coordinates) + "".join(f", i16 {place}" for place in offsets)
    types = "r,l,r" + ",r" * rank + ",h" * (rank - 2)
    return copied(
        f'  call void asm sideeffect "{text} {operands};", "{types}"(i32 %d, ptr %m, i32 %b{given})', elements
    )


def unrolled(array, start, offsets, pixels, channels, corners, steps):
    """The pixels from one on, row after row between the corners, each at its offset; zero out of bounds."""
    *first, channel = start
    spatial = array.ndim - 2
    ends = [size + high for size, high in zip(array.shape[1:-1], corners[1], strict=True)]
    out = np.zeros((pixels, channels), array.dtype)
    place = list(first)
    for row in out:
        at = (place[0], *(a + b for a, b in zip(place[1:], offsets, strict=True)))
        if all(0 <= a < size for a, size in zip(at, array.shape[:-1], strict=True)):
            row[:] = array[at][channel : channel + channels]
        for dimension in range(spatial, 0, -1):
            place[dimension] += steps[dimension]
            if place[dimension] < ends[dimension - 1]:
                break
            place[dimension] = corners[0][dimension - 1]
        else:
            place[0] += 1
    return out


COLUMNS = [
    ((2, 9, 8), (0, -1, 4), (0,), ((-1,), (-1,)), None),
    ((2, 9, 8), (1, 3, 0), (2,), ((-2,), (0,)), (1, 2, 1)),
    ((2, 5, 6, 8), (0, -1, -1, 0), (0, 0), ((-1, -1), (-1, -1)), None),
    ((2, 5, 6, 8), (1, 2, 1, 4), (2, 1), ((-1, -1), (-1, -1)), None),
    ((3, 5, 6, 8), (0, 0, 2, 4), (1, 1), ((0, 0), (-2, -3)), None),
    ((3, 6, 6, 8), (0, 0, 0, 0), (1, 0), ((0, 0), (-1, -1)), (1, 2, 3, 1)),
    ((2, 3, 4, 5, 4), (0, 1, -1, 2, 0), (1, 0, 2), ((0, -1, 0), (-1, 0, -2)), None),
]


@pytest.mark.parametrize(("shape", "start", "offsets", "corners", "steps"), COLUMNS)
def test_a_column_of_pixels_is_loaded_between_its_corners(shape, start, offsets, corners, steps):
    """Of three to five dimensions, with padding, without, over the end of the tensor, and with steps."""
    array = np.arange(1, 1 + np.prod(shape), dtype=F32).reshape(shape)
    expected = unrolled(array, start, offsets, 32, 4, corners, steps or (1,) * len(shape))
    text = column(len(shape), 128, reversed(start), reversed(offsets))

    out = run(text, simt.TensorMap(array, (32, 4), steps=steps, corners=corners), np.full(128, np.nan, F32))
    np.testing.assert_array_equal(out.reshape(32, 4), expected)


@pytest.mark.parametrize("rank", [3, 4, 5])
def test_two_blocks_load_a_column_each_for_both(rank):
    """As the halves of a box; each column has eight pixels of four channels."""
    begin, end = MULTICAST.index("  %d = addrspacecast"), MULTICAST.index("  br label %wait\nwait:")
    text = f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster"
    names = [f"${number}" for number in range(3, 2 * rank + 2)]
    operands = f"[$0], [$1, {{{', '.join(names[:rank])}}}], [$2], {{{', '.join(names[rank:-1])}}}, {names[-1]}"
    outer = rank - 3
    copy = f"""  %d = ptrtoint ptr addrspace(3) %h to i32
  %b = ptrtoint ptr addrspace(3) @bar to i32
  %w = mul i32 %r, 8
  call void asm sideeffect "{text} {operands};", "r,l,r{",r" * rank}{",h" * (rank - 1)}"(
    i32 %d, ptr %m, i32 %b, i32 0, i32 %w{", i32 0" * outer}, i32 0, i16 1{", i16 0" * outer}, i16 3)
"""
    array = np.arange(68, dtype=F32).reshape(1, *[1] * outer, 17, 4)
    columns = simt.TensorMap(array, (8, 4), corners=((0,) * (rank - 2), (*[0] * outer, -1)))

    out = run(MULTICAST[:begin] + copy + MULTICAST[end:], columns, np.zeros(128, F32), block=64, cluster=2)
    np.testing.assert_array_equal(out.reshape(2, 64), np.tile(np.arange(4, 68), (2, 1)))


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        ((np.zeros((4, 4), F32), (4, 4), ((), ())), "3 to 5 dimensions, not 2"),
        ((np.zeros((4, 4, 4), F32), (2000, 4), ((0,), (0,))), "1 to 1024 pixels"),
        ((np.zeros((4, 4, 4, 4), F32), (4, 4), ((0, 0), (0, 128))), "from -128 to 127"),
        ((np.zeros((4, 4, 4, 4), F32), (4, 4), ((0,), (0,))), "have two less"),
    ],
)
def test_corners_that_a_driver_refuses_are_refused(arguments, rule):
    array, box, corners = arguments
    with pytest.raises(simt.ArgumentError, match=rule):
        run(column(4, 16, (0,) * 4, (0, 0)), simt.TensorMap(array, box, corners=corners), np.zeros(16, F32))
