"""Functions that call themselves or one another, each call with local variables of its own."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from tests.simt.calling import N, clean, fault, run

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


def test_what_is_needed_behind_several_calls_is_kept_by_each():
    text = """
define i32 @tetranacci(i32 %n) {
  %square = mul i32 %n, %n
  %small = icmp slt i32 %n, 2
  br i1 %small, label %end, label %more
end:
  ret i32 1
more:
  %l = sub i32 %n, 2
  %a = call i32 @tetranacci(i32 %l)
  %m = sub i32 %n, 3
  %b = call i32 @tetranacci(i32 %m)
  %ab = add i32 %a, %b
  %o = sub i32 %n, 4
  %c = call i32 @tetranacci(i32 %o)
  %abc = add i32 %ab, %c
  %p = sub i32 %n, 5
  %d = call i32 @tetranacci(i32 %p)
  %abcd = add i32 %abc, %d
  %r = add i32 %abcd, %square
  ret i32 %r
}
""" + FIBONACCI.replace("call i32 @fibonacci(i32 %n)", "call i32 @tetranacci(i32 %n)")
    output = np.zeros(N, np.int32)

    clean(text, output)

    def tetranacci(n):
        return 1 if n < 2 else sum(tetranacci(n - back) for back in (2, 3, 4, 5)) + n * n

    assert output.tolist() == [tetranacci(t % 11) for t in range(N)]


# n + ... + 1, each of them kept in a variable of its own while another call runs.
SUM = """
define i32 @{name}(i32 %n) {{
  %own = alloca i32{begin}
  store i32 %n, ptr %own
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %end, label %more
end:
  ret i32 0
more:
  %m = sub i32 %n, 1
  %a = call i32 @{other}(i32 %m)
  %kept = load i32, ptr %own
  %r = add i32 %a, %kept
  ret i32 %r
}}
"""
BEGINS = "\n  call void @llvm.lifetime.start.p0(i64 4, ptr %own)"


def test_functions_that_take_turns_have_local_variables_at_depths_that_come_later():
    """Lanes that begin with one of them have its variable at each odd depth, the others at each even one."""
    text = (
        SUM.format(name="ping", other="pong", begin="")
        + SUM.format(name="pong", other="ping", begin="")
        + """
define ptx_kernel void @k(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = and i32 %t, 15
  %low = icmp ult i32 %t, 32
  br i1 %low, label %first, label %second
first:
  %a = call i32 @ping(i32 %n)
  br label %end
second:
  %b = call i32 @pong(i32 %n)
  br label %end
end:
  %r = phi i32 [ %a, %first ], [ %b, %second ]
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p
  ret void
}
"""
    )
    output = np.zeros(N, np.int32)

    clean(text, output)

    assert output.tolist() == [sum(range((t & 15) + 1)) for t in range(N)]


def test_a_variable_begins_to_exist_at_the_depth_of_each_lane():
    """Where lanes come there from several depths at once, those of the others' depths are what they were."""
    text = (
        SUM.format(name="sum", other="sum", begin=BEGINS)
        + """
declare void @llvm.lifetime.start.p0(i64, ptr)
define i32 @after(i32 %n, i32 %calls) {
  %none = icmp eq i32 %calls, 0
  br i1 %none, label %end, label %more
more:
  %less = sub i32 %calls, 1
  %a = call i32 @after(i32 %n, i32 %less)
  ret i32 %a
end:
  %b = call i32 @sum(i32 %n)
  ret i32 %b
}
define ptx_kernel void @k(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = and i32 %t, 15
  %calls = lshr i32 %t, 4
  %r = call i32 @after(i32 %n, i32 %calls)
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p
  ret void
}
"""
    )
    output = np.zeros(N, np.int32)

    clean(text, output)

    assert output.tolist() == [sum(range((t & 15) + 1)) for t in range(N)]


def test_blocks_that_run_one_after_another_begin_without_frames():
    output = np.zeros(N, np.int32)

    clean(LOCAL, output, grid=3, chunk_lanes=N)

    assert output[1] == 1 + 100 + 0 + 1


HOFSTADTER = "".join(
    f"""
define i32 @{name}(i32 %n) {{
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %end, label %more
end:
  ret i32 {first}
more:
  %m = call i32 @before(i32 %n)
  %f = call i32 @{name}(i32 %m)
  %g = call i32 @{other}(i32 %f)
  %r = sub i32 %n, %g
  ret i32 %r
}}"""
    for name, other, first in (("female", "male", 1), ("male", "female", 0))
)


def test_functions_that_call_one_another_come_back():
    """`hofstadter_f` and `hofstadter_m`, and a third that only one of them calls."""
    text = (
        HOFSTADTER
        + """
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
    )
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

    assert {finding.kind for finding in result.findings if finding.severity == "error"} == {"out-of-bounds"}


def test_a_local_variable_of_a_new_call_is_undefined():
    """Though the last call that went so deep left a value there."""
    output = np.zeros(N, np.int32)
    text = LOCAL.replace("  store i32 %n, ptr %own\n", "  %c5 = icmp eq i32 %n, 5\n  br i1 %c5, label %no, label %yes\n"
                         "yes:\n  store i32 %n, ptr %own\n  br label %no\nno:\n").replace("%0 ]", "%no ]")  # fmt: skip

    kinds = {finding.id for finding in run(text, output).findings}

    assert kinds == {"uninitialised.output"}
    assert output[0] == 100


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


@pytest.mark.parametrize("seed", [None, 1])
def test_lanes_that_come_back_from_another_depth_each_meet_before_the_next_exchange(seed):
    """A wave's lanes that called together go on together: here nothing but that keeps them together."""
    text = """target triple = "amdgcn-amd-amdhsa"
define i32 @down(i32 %n) {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %end, label %more
end:
  ret i32 0
more:
  %m = sub i32 %n, 1
  %r = call i32 @down(i32 %m)
  %s = add i32 %r, 1
  ret i32 %s
}
define amdgpu_kernel void @k(ptr %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %n = and i32 %t, 7
  %other = xor i32 %t, 1
  %from = shl i32 %other, 2
  %a = call i32 @down(i32 %n)
  %x = call i32 @llvm.amdgcn.ds.bpermute(i32 %from, i32 %a)
  %b = call i32 @down(i32 %x)
  %y = call i32 @llvm.amdgcn.ds.bpermute(i32 %from, i32 %b)
  %both = mul i32 %x, 10
  %sum = add i32 %both, %y
  %p = getelementptr i32, ptr %o, i32 %t
  store i32 %sum, ptr %p
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
"""
    output = np.zeros(N, np.int32)

    result = simt.launch(
        text,
        target="amd:gfx942",
        grid=1,
        block=N,
        args=[output],
        observers=simt.observers(),
        options=simt.Options(seed=seed),
    )

    assert result.verdict == "clean", result.findings
    assert output.tolist() == [10 * ((t ^ 1) % 8) + t % 8 for t in range(N)]
