"""Calls through pointers, and functions that call themselves: every lane comes back to its own place."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt

HEAD = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
"""
N = 64


def run(text, *args, grid=1, **options):
    """Launches `@k` in blocks of 64 under all observers."""
    return simt.launch(
        HEAD + text,
        kernel="k",
        target="nvidia:sm_90",
        grid=grid,
        block=N,
        args=args,
        observers=simt.observers(),
        options=simt.Options(**options),
    )


def clean(text, *args, **options):
    result = run(text, *args, **options)
    assert result.verdict == "clean", [str(finding) for finding in result.findings]


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


FIBONACCI = """
define i32 @fibonacci(i32 %n) {
  %small = icmp slt i32 %n, 2
  br i1 %small, label %end, label %more
end:
  ret i32 %n
more:
  %m = sub i32 %n, 1
  %a = call i32 @fibonacci(i32 %m)
  %l = sub i32 %n, 2
  %b = call i32 @fibonacci(i32 %l)
  %r = add i32 %a, %b
  ret i32 %r
}
define ptx_kernel void @k(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = urem i32 %t, 11
  %r = call i32 @fibonacci(i32 %n)
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p
  ret void
}
"""


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_a_function_calls_itself_to_another_depth_in_each_lane(seed):
    output = np.zeros(N, np.int32)

    clean(FIBONACCI, output, seed=seed)

    numbers = [0, 1]
    while len(numbers) < 11:
        numbers.append(numbers[-1] + numbers[-2])
    assert output.tolist() == [numbers[t % 11] for t in range(N)]


def test_blocks_that_run_one_after_another_begin_without_frames():
    output = np.zeros(N, np.int32)

    clean(LOCAL, output, grid=3, chunk_lanes=N)

    assert output[1] == 1 + 100 + 0 + 1


def test_functions_that_call_one_another_come_back():
    """`hofstadter_f` and `hofstadter_m`, and a third that only one of them calls."""
    text = """
define i32 @female(i32 %n) {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %end, label %more
end:
  ret i32 1
more:
  %m = call i32 @before(i32 %n)
  %f = call i32 @female(i32 %m)
  %g = call i32 @male(i32 %f)
  %r = sub i32 %n, %g
  ret i32 %r
}
define i32 @male(i32 %n) {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %end, label %more
end:
  ret i32 0
more:
  %m = call i32 @before(i32 %n)
  %f = call i32 @male(i32 %m)
  %g = call i32 @female(i32 %f)
  %r = sub i32 %n, %g
  ret i32 %r
}
define i32 @before(i32 %n) {
  %m = sub i32 %n, 1
  ret i32 %m
}
define ptx_kernel void @k(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = and i32 %t, 15
  %r = call i32 @female(i32 %n)
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p
  ret void
}
"""
    output = np.zeros(N, np.int32)

    clean(text, output)

    def female(n):
        return n - male(female(n - 1)) if n else 1

    def male(n):
        return n - female(male(n - 1)) if n else 0

    assert output.tolist() == [female(t & 15) for t in range(N)]


LOCAL = """
define i32 @fill(i32 %n, ptr %above) {
  %own = alloca [2 x i32], align 4
  %up = getelementptr [2 x i32], ptr %own, i64 0, i64 1
  store i32 %n, ptr %own
  %square = mul i32 %n, %n
  store i32 %square, ptr %up
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %end, label %more
more:
  %m = sub i32 %n, 1
  %r = call i32 @fill(i32 %m, ptr %own)
  br label %end
end:
  %below = phi i32 [ 0, %0 ], [ %r, %more ]
  %a = load i32, ptr %up
  %b = load i32, ptr %above
  %c = add i32 %a, %b
  %d = add i32 %c, %below
  ret i32 %d
}
define ptx_kernel void @k(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = and i32 %t, 7
  %top = alloca i32, align 4
  store i32 100, ptr %top
  %r = call i32 @fill(i32 %n, ptr %top)
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p
  ret void
}
"""


def test_each_call_has_local_variables_of_its_own():
    """And can reach those of its callers through a pointer."""
    output = np.zeros(N, np.int32)

    clean(LOCAL, output)

    def fill(n, above):
        return n * n + above + (fill(n - 1, n) if n else 0)

    assert output.tolist() == [fill(t & 7, 100) for t in range(N)]


def test_a_local_array_is_bounded_in_its_own_frame():
    """What lies in the caller's is out of bounds."""
    output = np.zeros(N, np.int32)

    result = run(LOCAL.replace("%up = getelementptr [2 x i32], ptr %own, i64 0, i64 1",
                               "%up = getelementptr [2 x i32], ptr %own, i64 0, i64 2"), output)  # fmt: skip

    assert {finding.kind for finding in result.findings if finding.severity == "error"} == {
        "out-of-bounds",
        "uninitialised",
    }


def test_a_local_variable_of_a_new_call_is_undefined():
    """Though the last call that went so deep left a value there."""
    output = np.zeros(N, np.int32)
    text = LOCAL.replace("  store i32 %n, ptr %own\n", "  %c5 = icmp eq i32 %n, 5\n  br i1 %c5, label %no, label %yes\n"
                         "yes:\n  store i32 %n, ptr %own\n  br label %no\nno:\n").replace("%0 ]", "%no ]")  # fmt: skip

    kinds = {finding.id for finding in run(text, output).findings}

    assert kinds == {"uninitialised.output"}
    assert output[0] == 100


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


def fault(result):
    assert result.verdict == "findings"
    return result.fault.finding


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


def test_too_deep_a_recursion_names_the_function_and_the_depth():
    """One call less is clean."""
    output = np.zeros(N, np.int32)
    sentence = fault(run(FIBONACCI, output, call_depth=9))

    assert sentence.message == "a call of fibonacci goes deeper than 9: a GPU's stack is small"
    assert {who.thread[0] % 11 for who in sentence.who} == {10}
    clean(FIBONACCI, output, call_depth=10)


def test_an_endless_recursion_ends():
    text = FIBONACCI.replace("%small = icmp slt i32 %n, 2", "%small = icmp slt i32 %n, -2147483648")

    assert fault(run(text, np.zeros(N, np.int32))).id == "call.too-deep"


def test_frames_that_take_too_much_memory_are_no_fault_of_the_kernel():
    result = run(FIBONACCI, np.zeros(N, np.int32), max_bytes=4096)

    assert result.verdict == "incomplete"
    assert "4096 bytes of memory for the frames of its calls" in result.fault.finding.message


def test_local_variables_of_every_depth_count():
    """Of those 64 deep 65 take 16 bytes of each thread, and what follows them four times as much."""
    output = np.zeros(N, np.int32)

    with pytest.raises(simt.LaunchError, match=f"takes {5 * 65 * 16 * N} bytes of memory"):
        run(LOCAL, output, max_bytes=20_000)
    assert fault(run(LOCAL, output, max_bytes=20_000, call_depth=2)).id == "call.too-deep"


def test_an_undefined_value_stays_undefined_through_a_call():
    """And those of other lanes stay defined."""
    before = """  %l = alloca i32
  %known = icmp ult i32 %t, 60
  br i1 %known, label %write, label %go
write:
  store i32 5, ptr %l
  br label %go
go:
  %u = load i32, ptr %l
  %r0 = call i32 @fib"""
    text = FIBONACCI.replace("  %r = call i32 @fib", before).replace(
        "  %w = zext", "  %r = add i32 %r0, %u\n  %w = zext"
    )
    output = np.zeros(N, np.int32)

    (finding,) = run(text, output).findings

    assert finding.id == "uninitialised.output"
    assert {who.thread[0] for who in finding.who} == {60, 61, 62, 63}
    assert output[:3].tolist() == [5, 6, 6]
