"""Copies of a tensor's box: what is in bounds comes where the swizzle says; the rest is zero, or left out by stores."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt

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
    ((12, 20), (4, 8), (-2, 17), None),
    ((12, 20), (4, 8), (10, -3), None),
    ((5, 6, 8), (2, 3, 4), (4, -1, 6), None),
    ((9, 6, 8), (6, 3, 4), (1, 0, 2), (3, 2, 1)),
    ((3, 2, 4, 8), (2, 2, 2, 4), (2, 1, 3, 5), None),
    ((2, 3, 2, 4, 8), (2, 2, 1, 2, 4), (0, 2, 1, 3, 6), None),
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
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3) @tile, ptr %m, i32 17, i32 -1, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %end
end:
  ret void
}"""
)


def test_a_store_leaves_out_what_is_out_of_bounds():
    """A box of 4 x 8 whose first row is above the tensor, and whose last five columns are beside it."""
    array = np.full((12, 20), -1, F32)
    expected = array.copy()
    expected[:3, 17:] = np.arange(32, dtype=F32).reshape(4, 8)[1:, :3]
    result = simt.launch(
        STORE, target="nvidia:sm_90", grid=1, block=32, args=[simt.TensorMap(array, (4, 8))], observers=simt.observers()
    )

    assert result.verdict == "clean", [str(finding) for finding in result.findings] + [str(result.fault)]
    np.testing.assert_array_equal(array, expected)


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
