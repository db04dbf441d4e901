"""Copies of a tensor's box: what is in bounds comes where the swizzle says; the rest is zero, or left out by stores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from harness import simt
from harness.simt.state.tensor_map import Box

F32 = np.float32
HEAD = """
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [1024 x float] undef, align 1024
@bar = internal addrspace(3) global [1 x i64] undef, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cluster.arrive.aligned()
declare void @llvm.nvvm.barrier.cluster.wait.aligned()
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
declare void @llvm.nvvm.cp.async.bulk.commit.group()
declare void @llvm.nvvm.cp.async.bulk.wait.group(i32)
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
"""


def load(rank, elements, coordinates):
    """A kernel of 32 threads that loads a box and writes what shared memory holds then."""
    places = ", ".join(f"${3 + number}" for number in range(rank))
    text = f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
    given = "".join(f", i32 {place}" for place in coordinates)
    types = "r,l,r" + ",r" * rank
    return (
        HEAD
        + f"""
define ptx_kernel void @k(ptr byval([128 x i8]) align 64 %m, ptr %o) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %ready
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  %k = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 {4 * elements})
  %d = ptrtoint ptr addrspace(3) @tile to i32
  %b = ptrtoint ptr addrspace(3) @bar to i32
  call void asm sideeffect "{text} [$0], [$1, {{{places}}}], [$2];", "{types}"(i32 %d, ptr %m, i32 %b{given})
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %loop, label %wait
loop:
  %i = phi i32 [ %t, %wait ], [ %j, %loop ]
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %v = load float, ptr addrspace(3) %q, align 4
  %p = getelementptr float, ptr %o, i32 %i
  store float %v, ptr %p, align 4
  %j = add i32 %i, 32
  %more = icmp slt i32 %j, {elements}
  br i1 %more, label %loop, label %end
end:
  ret void
}}"""
    )


def run(text, *args, block=32, cluster=1, target="nvidia:sm_90"):
    """Launches it; every observer must have found nothing."""
    result = simt.launch(
        text, target=target, grid=cluster, block=block, cluster=cluster, args=args, observers=simt.observers()
    )
    assert result.verdict == "clean", [str(finding) for finding in result.findings] + [str(result.fault)]
    return args[-1]


def cut(array, start, box, steps=None):
    """A box of an array, the innermost dimension last; zero where it is out of bounds."""
    steps = steps or (1,) * array.ndim
    out = np.zeros([-(-size // step) for size, step in zip(box, steps, strict=True)], array.dtype)
    for index in np.ndindex(*out.shape):
        at = tuple(first + place * step for first, place, step in zip(start, index, steps, strict=True))
        if all(0 <= place < size for place, size in zip(at, array.shape, strict=True)):
            out[index] = array[at]
    return out


CASES = [
    ((64,), (16,), (20,), None),
    ((60,), (16,), (52,), None),
    ((12, 20), (4, 8), (3, 4), None),
    ((12, 20), (4, 8), (-2, 16), None),
    ((12, 20), (4, 8), (10, -4), None),
    ((5, 6, 8), (2, 3, 8), (4, -1, 4), None),
    ((9, 6, 8), (6, 3, 4), (1, 0, 4), (3, 2, 1)),
    ((3, 2, 4, 8), (2, 2, 2, 8), (2, 1, 3, 4), None),
    ((2, 3, 2, 4, 8), (2, 2, 1, 2, 8), (0, 2, 1, 3, 4), None),
]


@pytest.mark.parametrize(("shape", "box", "start", "steps"), CASES)
def test_a_box_is_loaded_and_what_is_out_of_bounds_is_zero(shape, box, start, steps):
    """Of one to five dimensions, at every edge, and with steps."""
    array = np.arange(1, 1 + np.prod(shape), dtype=F32).reshape(shape)
    expected = cut(array, start, box, steps)
    text = load(len(shape), expected.size, reversed(start))

    out = np.full(expected.size, np.nan, F32)
    run(text, simt.TensorMap(array, box, steps=steps), out, block=min(32, expected.size))
    np.testing.assert_array_equal(out, expected.ravel())


@pytest.mark.parametrize(("swizzle", "rows"), [(32, 16), (64, 16), (128, 16)])
def test_rows_of_a_box_are_swizzled(swizzle, rows):
    """Chunks of 16 bytes change places, by the bits of the address above 128 bytes."""
    width = swizzle // 4
    array = np.arange(64 * width, dtype=F32).reshape(64, width)
    expected = np.zeros(rows * width, F32)
    for row in range(rows):
        for column in range(width):
            at = (row * width + column) * 4
            at ^= (at >> 7 & (swizzle // 16 - 1)) << 4
            expected[at // 4] = array[8 + row, column]

    out = run(
        load(2, rows * width, (0, 8)), simt.TensorMap(array, (rows, width), swizzle), np.full_like(expected, np.nan)
    )
    np.testing.assert_array_equal(out, expected)


STORE = (
    HEAD
    + """
declare void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3), ptr, i32, i32, i64, i1)
define ptx_kernel void @k(ptr byval([128 x i8]) align 64 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %t
  %f = sitofp i32 %t to float
  store float %f, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %first = icmp eq i32 %t, 0
  br i1 %first, label %send, label %end
send:
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3) @tile, ptr %m, i32 16, i32 9, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %end
end:
  ret void
}"""
)


class Narrow(simt.TensorMap):
    """A map of all columns but the last two."""

    def encode(self):
        box = Box.decode(super().encode())
        return replace(box, sizes=(box.sizes[0] - 2, *box.sizes[1:])).encode()


def test_a_store_leaves_out_what_is_out_of_bounds():
    """A box of 4 x 8 whose last row is below the tensor, and whose last four columns are beside it."""
    array = np.full((12, 20), -1, F32)
    expected = array.copy()
    expected[9:, 16:] = np.arange(32, dtype=F32).reshape(4, 8)[:3, :4]
    result = simt.launch(
        STORE, target="nvidia:sm_90", grid=1, block=32, args=[simt.TensorMap(array, (4, 8))], observers=simt.observers()
    )

    assert result.verdict == "clean", [str(finding) for finding in result.findings] + [str(result.fault)]
    np.testing.assert_array_equal(array, expected)


def test_a_store_goes_on_to_the_end_of_sixteen_bytes():
    """As an H200 does, behind rows of 18 numbers of which each has room for 20; the map is edited to say so."""
    array = np.full((12, 20), -1, F32)
    result = simt.launch(
        STORE,
        target="nvidia:sm_90",
        grid=1,
        block=32,
        args=[Narrow(array, (4, 8))],
        observers=simt.observers(),
    )

    np.testing.assert_array_equal(array[9:, 16:], np.arange(32, dtype=F32).reshape(4, 8)[:3, :4])
    assert [(finding.id, finding.severity) for finding in result.findings] == [("tensor-copy.rest", "warning")]


MULTICAST = (
    HEAD
    + """
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d(
  ptr addrspace(7), ptr addrspace(3), ptr, i32, i16, i64, i1, i1, i32)
define ptx_kernel void @k(ptr byval([128 x i8]) align 64 %m, ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %ready
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  %k = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 256)
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  br i1 %first, label %send, label %wait
send:
  %half = mul i32 %r, 32
  %h = getelementptr float, ptr addrspace(3) @tile, i32 %half
  %d = addrspacecast ptr addrspace(3) %h to ptr addrspace(7)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d(
    ptr addrspace(7) %d, ptr addrspace(3) @bar, ptr %m, i32 %half, i16 3, i64 0, i1 true, i1 false, i32 0)
  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %read, label %wait
read:
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %t
  %v = load float, ptr addrspace(3) %q, align 4
  %own = mul i32 %r, 64
  %i = add i32 %own, %t
  %p = getelementptr float, ptr %o, i32 %i
  store float %v, ptr %p, align 4
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  ret void
}"""
)


def test_two_blocks_load_a_half_each_for_both():
    """Each block's barrier counts the bytes of both halves."""
    array = np.arange(64, dtype=F32)

    out = run(MULTICAST, simt.TensorMap(array, (32,)), np.zeros(128, F32), block=64, cluster=2)
    np.testing.assert_array_equal(out.reshape(2, 64), [array, array])


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        ((np.zeros((4, 3), F32), (4, 3)), "strides are multiples of 16 bytes"),
        ((np.zeros((4, 4), F32), (4, 2)), "a row of a box is a multiple of 16 bytes, not 8"),
        ((np.zeros((4, 64), F32), (4, 16), 32), "at most as many bytes as its swizzle, 32, not 64"),
        ((np.zeros((512, 4), F32), (257, 4)), "1 to 256 elements"),
        ((np.zeros((4, 8), F32)[:, ::2], (4, 4)), "contiguous"),
        ((np.zeros((4, 4), F32), (4,)), "as many"),
    ],
)
def test_a_map_that_a_driver_refuses_is_refused(arguments, rule):
    with pytest.raises(simt.ArgumentError, match=rule):
        run(load(2, 16, (0, 0)), simt.TensorMap(*arguments), np.zeros(16, F32))


def test_what_takes_no_map_says_so():
    text = 'target triple = "nvptx64-nvidia-cuda"\ndefine ptx_kernel void @k(i64 %x) { ret void }'

    with pytest.raises(simt.ArgumentError, match="takes no tensor map"):
        run(text, simt.TensorMap(np.zeros(16, F32), (16,)))


def reducing(rank, number, element, coordinates, elements):
    """A kernel of two blocks, each of which reduces its part of `x` into a box of a tensor."""
    given = "".join(f", i32 {place}" for place in coordinates)
    types = ", i32" * rank
    copy = f"@llvm.nvvm.cp.async.bulk.tensor.reduce.tile.{rank}d"
    return (
        HEAD.replace("1024 x float", f"1024 x {element}")
        + f"""
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void {copy}(ptr addrspace(3), ptr{types}, i64, i32, i1)
define ptx_kernel void @k(ptr byval([128 x i8]) align 64 %m, ptr %x) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %own = mul i32 %b, {elements}
  br label %loop
loop:
  %i = phi i32 [ %t, %0 ], [ %j, %loop ]
  %at = add i32 %i, %own
  %p = getelementptr {element}, ptr %x, i32 %at
  %v = load {element}, ptr %p
  %q = getelementptr {element}, ptr addrspace(3) @tile, i32 %i
  store {element} %v, ptr addrspace(3) %q
  %j = add i32 %i, 32
  %more = icmp slt i32 %j, {elements}
  br i1 %more, label %loop, label %ready
ready:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %first = icmp eq i32 %t, 0
  br i1 %first, label %send, label %end
send:
  call void {copy}(ptr addrspace(3) @tile, ptr %m{given}, i64 0, i32 {number}, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %end
end:
  ret void
}}"""
    )


def wrap_up(left, right):
    return np.where(left >= right, 0, left + 1)


def wrap_down(left, right):
    return np.where((left == 0) | (left > right), right, left - 1)


INTEGERS = {0: np.add, 1: np.minimum, 2: np.maximum, 5: np.bitwise_and, 6: np.bitwise_or, 7: np.bitwise_xor}
TABLE = {
    ("i32", np.uint32): INTEGERS | {3: wrap_up, 4: wrap_down},
    ("i32", np.int32): INTEGERS,
    ("i64", np.uint64): INTEGERS,
    ("i64", np.int64): INTEGERS,
    ("half", np.float16): {0: np.add, 1: np.fmin, 2: np.fmax},
    ("float", np.float32): {0: np.add},
    ("double", np.float64): {0: np.add},
}
REDUCTIONS = [(*types, number) for types, operations in TABLE.items() for number in operations]


@pytest.mark.parametrize(("element", "dtype", "number"), REDUCTIONS)
def test_two_blocks_reduce_into_one_box_and_what_is_out_of_bounds_is_left_out(element, dtype, number):
    """With every operation that an element's type has; no order of the blocks is a race."""
    random = np.random.default_rng(number)
    array, given = (random.integers(0, 60, shape).astype(dtype) for shape in ((12, 24), (2, 8, 16)))
    if np.issubdtype(dtype, np.signedinteger):
        array, given = array - 30, given - 30
    expected = array.copy()
    for tile in given:
        expected[-3:, 16:] = TABLE[element, dtype][number](expected[-3:, 16:], tile[:3, :8])

    text = reducing(2, number, element, (16, 9), 128)
    result = simt.launch(
        text,
        target="nvidia:sm_90",
        grid=2,
        block=32,
        args=[simt.TensorMap(array, (8, 16)), given.ravel()],
        observers=simt.observers(),
    )
    assert result.verdict == "clean", [str(finding) for finding in result.findings] + [str(result.fault)]
    np.testing.assert_array_equal(array, expected)


@pytest.mark.parametrize("rank", range(1, 6))
def test_boxes_of_every_rank_are_reduced(rank):
    shape, box, start = ((4,) * (rank - 1) + (8,), (2,) * (rank - 1) + (8,), (3,) * (rank - 1) + (0,))
    array, given = np.ones(shape, F32), np.arange(2 * np.prod(box), dtype=F32)
    expected = array.copy()
    for tile in given.reshape(2, *box):
        expected[(3,) * (rank - 1)] += tile[(0,) * (rank - 1)]

    text = reducing(rank, 0, "float", reversed(start), np.prod(box))
    simt.launch(text, target="nvidia:sm_90", grid=2, block=8, args=[simt.TensorMap(array, box), np.resize(given, 999)])
    np.testing.assert_array_equal(array, expected)


def test_what_no_document_says_how_to_reduce_is_refused_by_name():
    text = reducing(2, 1, "float", (0, 0), 128)
    args = [simt.TensorMap(np.zeros((12, 24), F32), (8, 16)), np.zeros(256, F32)]

    result = simt.launch(text, target="nvidia:sm_90", grid=2, block=32, args=args)
    assert result.verdict == "incomplete"
    assert "cp.reduce.async.bulk.tensor with min" in str(result.fault)


def column(rank, elements, coordinates, offsets):
    """As `load`, in im2col mode."""
    names = [f"${number}" for number in range(3, 2 * rank + 1)]
    text = f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
    operands = f"[$0], [$1, {{{', '.join(names[:rank])}}}], [$2], {{{', '.join(names[rank:])}}}"
    given = "".join(f", i32 {place}" for place in coordinates) + "".join(f", i16 {place}" for place in offsets)
    types = "r,l,r" + ",r" * rank + ",h" * (rank - 2)
    tiled = load(1, elements, (0,))
    begin, end = tiled.index("  call void asm"), tiled.index("  br label %ready")
    copy = f'  call void asm sideeffect "{text} {operands};", "{types}"(i32 %d, ptr %m, i32 %b{given})\n'
    return tiled[:begin] + copy + tiled[end:]


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


def test_two_blocks_load_a_column_each_for_both():
    """As the halves of a box; each column has eight pixels of four channels."""
    begin, end = MULTICAST.index("  %d = addrspacecast"), MULTICAST.index("  br label %wait\nwait:")
    text = "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster"
    copy = f"""  %d = ptrtoint ptr addrspace(3) %h to i32
  %b = ptrtoint ptr addrspace(3) @bar to i32
  %w = mul i32 %r, 8
  call void asm sideeffect "{text} [$0], [$1, {{$3, $4, $5}}], [$2], {{$6}}, $7;", "r,l,r,r,r,r,h,h"(
    i32 %d, ptr %m, i32 %b, i32 0, i32 %w, i32 0, i16 1, i16 3)
"""
    array = np.arange(68, dtype=F32).reshape(1, 17, 4)
    columns = simt.TensorMap(array, (8, 4), corners=((0,), (-1,)))

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
