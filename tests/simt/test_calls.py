"""Calls through pointers: every lane calls its own function, and comes back to its own place."""

from __future__ import annotations

import numpy as np
import pytest

from tests.simt.calling import N, clean, fault, run

TABLE = """
@table = addrspace(4) constant [4 x ptr] [ptr @add, ptr @subtract, ptr @scale, ptr @add]

define i32 @add(i32 %a, i32 %b) {
  %r = add i32 %a, %b
  ret i32 %r
}
define i32 @subtract(i32 %a, i32 %b) {
  %r = sub i32 %a, %b
  ret i32 %r
}
define i32 @scale(i32 %a, i32 %b) {
  %c = icmp sgt i32 %a, 20
  br i1 %c, label %large, label %small
large:
  %r = mul i32 %a, %b
  ret i32 %r
small:
  ret i32 %b
}
define i64 @unused(i32 %a, i32 %b) {
  ret i64 0
}
define ptx_kernel void @k(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %which = and i64 %w, 3
  %at = getelementptr [4 x ptr], ptr addrspace(4) @table, i64 0, i64 %which
  %f = load ptr, ptr addrspace(4) %at
  %one = call i32 %f(i32 %t, i32 7)
  %two = call i32 %f(i32 %one, i32 %t)
  %sum = add i32 %one, %two
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %sum, ptr %p
  ret void
}
"""


@pytest.mark.parametrize("seed", [None, 5])
def test_each_lane_calls_the_function_of_its_own_pointer(seed):
    """Twice by one pointer, which outlives the first call."""
    output = np.zeros(N, np.int32)

    clean(TABLE, output, seed=seed)

    t = np.arange(N)
    functions = [np.add, np.subtract, lambda a, b: np.where(a > 20, a * b, b), np.add]

    def apply(a, b):
        return np.select([t % 4 == n for n in range(4)], [f(a, b) for f in functions])

    once = apply(t, np.full(N, 7))
    assert output.tolist() == (once + apply(once, t)).tolist()


BARRIER = """
@s = addrspace(3) global [64 x i32] undef
define i32 @straight(i32 %t) {
  %w = zext i32 %t to i64
  %own = getelementptr [64 x i32], ptr addrspace(3) @s, i64 0, i64 %w
  store i32 %t, ptr addrspace(3) %own
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = xor i64 %w, 63
  %there = getelementptr [64 x i32], ptr addrspace(3) @s, i64 0, i64 %other
  %r = load i32, ptr addrspace(3) %there
  ret i32 %r
}
define ptx_kernel void @k(ptr %o, ptr %names) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store ptr @straight, ptr %names
  %f = load ptr, ptr %names
  %r = call i32 %f(i32 %t)
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p
  ret void
}
"""


def test_lanes_meet_at_a_barrier_in_a_function_that_a_pointer_names():
    """An address goes through global memory and comes back."""
    output = np.zeros(N, np.int32)

    result = run(BARRIER, output, np.zeros(1, np.int64))

    assert not [finding for finding in result.findings if finding.severity == "error"]
    assert output.tolist() == (np.arange(N) ^ 63).tolist()


def test_a_struct_that_is_passed_by_value_is_copied_for_the_function_that_a_pointer_names():
    text = """
%pair = type { i32, i32 }
define i32 @change(ptr byval(%pair) %s) {
  %a = load i32, ptr %s
  store i32 -1, ptr %s
  ret i32 %a
}
define ptx_kernel void @k(ptr %o, i64 %which) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = alloca %pair
  store i32 %t, ptr %s
  %no = icmp eq i64 %which, 0
  %f = select i1 %no, ptr @change, ptr null
  %a = call i32 %f(ptr byval(%pair) %s)
  %b = load i32, ptr %s
  %r = add i32 %a, %b
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p
  ret void
}
"""
    output = np.zeros(N, np.int32)

    clean(text, output, 0)

    assert output.tolist() == (2 * np.arange(N)).tolist()


def test_a_pointer_to_a_function_of_another_signature_is_told_with_both():
    sentence = fault(run(TABLE.replace("ptr @scale", "ptr @unused"), np.zeros(N, np.int32)))

    assert sentence.message == "unused is i64 (i32, i32), but is called through a pointer as i32 (i32, i32)"
    assert {who.thread[0] % 4 for who in sentence.who} == {2}


@pytest.mark.parametrize(("given", "name"), [("null", "call.null"), ("inttoptr (i64 4096 to ptr)", "call.nowhere")])
def test_a_pointer_to_no_function_is_told(given, name):
    sentence = fault(run(TABLE.replace("ptr @scale", f"ptr {given}"), np.zeros(N, np.int32)))

    assert (sentence.id, sentence.count) == (name, N // 4)


def test_an_uninitialised_pointer_is_told_before_it_is_called():
    text = TABLE.replace("%f = load ptr, ptr addrspace(4) %at", "%l = alloca ptr\n  %f = load ptr, ptr %l")

    result = run(text, np.zeros(N, np.int32))

    assert [finding.id for finding in result.findings if finding.severity == "error"] == [
        "call.nowhere",
        "uninitialised.address",
    ]
