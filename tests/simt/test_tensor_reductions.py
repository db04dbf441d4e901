"""Copies that reduce into a tensor's box: every operation that an element's type has, and nothing out of bounds."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from tests.simt.tensors import F32, HEAD


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
    ("i64", np.int64): {number: INTEGERS[number] for number in (1, 2)},
    ("half", np.float16): {0: np.add, 1: np.fmin, 2: np.fmax},
    ("float", np.float32): {0: np.add},
    ("double", np.float64): {0: np.add},
}
# Wrapping around depends on the order of the blocks.
REDUCTIONS = [
    pytest.param(*types, number, marks=[pytest.mark.simulated] if number in (3, 4) else [])
    for types, operations in TABLE.items()
    for number in operations
]


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


@pytest.mark.parametrize(
    ("element", "dtype", "number", "name"), [("float", F32, 1, "min"), ("i64", np.int64, 0, "add")]
)
def test_what_no_document_says_how_to_reduce_is_refused_by_name(element, dtype, number, name):
    text = reducing(2, number, element, (0, 0), 128)
    args = [simt.TensorMap(np.zeros((12, 24), dtype), (8, 16)), np.zeros(256, dtype)]

    result = simt.launch(text, target="nvidia:sm_90", grid=2, block=32, args=args)
    assert result.verdict == "incomplete"
    assert f"cp.reduce.async.bulk.tensor with {name}" in str(result.fault)
