"""What stops a launch, or is found, says what, where and who."""

import numpy as np
import pytest

from harness import simt

HEAD = 'target triple = "nvptx64-nvidia-cuda"\n'
TID = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"


def run(
    body,
    args,
    *,
    params="ptr %o",
    declare="",
    block=32,
    target="nvidia:sm_90",
    **options,
):
    """Launches a kernel whose body is given."""
    head = HEAD if target.startswith("nvidia") else ""
    text = f"{head}{TID}{declare}define ptx_kernel void @k({params}) {{\n{body}\n}}\n"
    return simt.launch(text, target=target, grid=1, block=block, args=args, options=simt.Options(**options))


def test_an_unknown_intrinsic_is_incomplete_by_name():
    """What is not modelled is refused, never skipped."""
    result = run(
        "call void @llvm.nvvm.nothing.such()\nret void",
        [np.zeros(1, np.int32)],
        declare="declare void @llvm.nvvm.nothing.such()\n",
    )

    assert result.verdict == "incomplete"
    assert "llvm.nvvm.nothing.such" in str(result.fault)
    assert result.fidelity["llvm.nvvm.nothing.such"] == "unknown"


def test_a_shuffle_that_waits_for_a_lane_that_never_comes_is_found():
    """Lanes 0 to 15 shuffle with a full mask; the others wait at a barrier."""
    result = run(
        """%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
        %c = icmp slt i32 %t, 16
        br i1 %c, label %a, label %b
        a:
        %v = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, i32 16, i32 31)
        br label %b
        b:
        call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
        ret void""",
        [np.zeros(32, np.int32)],
        declare="declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)\n"
        "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n",
    )

    kinds = {finding.kind for finding in result.findings}
    assert result.verdict == "findings"
    assert kinds == {"absent-lane", "inactive-source"}


def test_lanes_that_wait_for_a_barrier_nobody_else_reaches_deadlock():
    """Thread 0 waits at barrier 1, the others at barrier 2."""
    result = run(
        """%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
        %c = icmp eq i32 %t, 0
        br i1 %c, label %a, label %b
        a:
        call void @llvm.nvvm.barrier.cta.sync.all(i32 1)
        ret void
        b:
        call void @llvm.nvvm.barrier.cta.sync.all(i32 2)
        ret void""",
        [np.zeros(32, np.int32)],
        declare="declare void @llvm.nvvm.barrier.cta.sync.all(i32)\n",
    )

    assert isinstance(result.fault, simt.Deadlock)
    assert "1 thread of 1 block wait" in str(result.fault)
    assert "31 threads of 1 block wait" in str(result.fault)


def test_a_loop_that_nothing_can_end_is_a_livelock():
    """A lane spins on memory that nobody writes."""
    result = run(
        """br label %loop
        loop:
        %v = load volatile i32, ptr %o
        %c = icmp eq i32 %v, 0
        br i1 %c, label %loop, label %end
        end:
        ret void""",
        [np.zeros(1, np.int32)],
    )

    assert isinstance(result.fault, simt.Livelock)


@pytest.mark.parametrize(
    ("target", "clock"),
    [
        ("nvidia:sm_90", "llvm.nvvm.read.ptx.sreg.globaltimer"),
        ("amd:gfx942", "llvm.amdgcn.s.memtime"),
        ("amd:gfx942", "llvm.amdgcn.s.memrealtime"),
    ],
)
def test_a_loop_that_waits_for_the_clock_is_no_livelock(target, clock):
    """Time goes on while nothing else changes."""
    output = np.zeros(1, np.int32)
    result = run(
        f"""%t = call i64 @{clock}()
        br label %loop
        loop:
        %u = call i64 @{clock}()
        %d = sub i64 %u, %t
        %c = icmp ult i64 %d, 5000
        br i1 %c, label %loop, label %end
        end:
        store i32 1, ptr %o
        ret void""",
        [output],
        declare=f"declare i64 @{clock}()\n",
        target=target,
    )

    assert result.verdict == "clean"
    assert output.tolist() == [1]


def test_a_tenth_of_a_second_is_slept_in_a_hundred_turns():
    """Clocks go on by what lanes ask to sleep; without it the loop would take a hundred million segments."""
    clock, output = "llvm.nvvm.read.ptx.sreg.globaltimer", np.zeros(1, np.int32)
    result = run(
        f"""%t = call i64 @{clock}()
        br label %loop
        loop:
        %n = phi i32 [ 0, %0 ], [ %m, %loop ]
        %m = add i32 %n, 1
        call void @llvm.nvvm.nanosleep(i32 1000000)
        %u = call i64 @{clock}()
        %d = sub i64 %u, %t
        %c = icmp ult i64 %d, 100000000
        br i1 %c, label %loop, label %end
        end:
        store i32 %m, ptr %o
        ret void""",
        [output],
        declare=f"declare i64 @{clock}()\ndeclare void @llvm.nvvm.nanosleep(i32)\n",
    )

    assert result.verdict == "clean"
    assert 95 <= output[0] <= 100


def test_a_loop_that_goes_on_runs_out_of_its_budget():
    """Where nobody can say whether it ends, only the budget does."""
    result = run(
        """br label %loop
        loop:
        %v = phi i64 [1, %0], [%w, %loop]
        %x = mul i64 %v, 6364136223846793005
        %w = or i64 %x, 1
        %c = icmp ne i64 %w, 0
        br i1 %c, label %loop, label %end
        end:
        ret void""",
        [np.zeros(1, np.int32)],
        max_steps=3000,
    )

    assert isinstance(result.fault, simt.BudgetExceeded)
    assert result.verdict == "incomplete"
    assert [(finding.kind, finding.severity) for finding in result.findings] == [("budget-exceeded", "information")]
    assert result.counters["steps"] == 3001


# A call that ends the launch where it is reached, on which GPUs.
EVERY = ("nvidia:sm_90", "amd:gfx942", "apple:apple-m4")
TRAPS = {
    "llvm.trap()": EVERY,
    "llvm.ubsantrap(i8 3)": EVERY,
    "abort()": EVERY,
    "llvm.debugtrap()": ("nvidia:sm_90", "apple:apple-m4"),
}


def at_lane(call, name, args, last, target="nvidia:sm_90"):
    """Lanes from 5 up to one store 1; those of them that come to a call make it first."""
    return run(
        f"""%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
        %c = icmp sge i32 %t, 5
        %d = icmp sle i32 %t, {last}
        %e = and i1 %c, %d
        br i1 %e, label %in, label %out
        in:
        call void @{call}
        br label %out
        out:
        %p = getelementptr i32, ptr %o, i32 %t
        store i32 1, ptr %p
        ret void""",
        args,
        declare=f"declare void @{name}({'i8' if 'i8' in call else ''})\n",
        target=target,
    )


@pytest.mark.parametrize(("call", "target"), [(call, target) for call, targets in TRAPS.items() for target in targets])
def test_a_trap_ends_the_launch_for_those_who_reach_it(call, target):
    """Lanes 5 to 7 do; where none does, nothing is found."""
    name, output = call.partition("(")[0], np.zeros(32, np.int32)

    reached = at_lane(call, name, [output], 7, target)
    passed = at_lane(call, name, [output], 4, target)

    assert reached.verdict == "findings"
    assert [(found.kind, found.count, found.who[0].thread[0]) for found in reached.findings] == [("trap", 3, 5)]
    assert passed.verdict == "clean"
    assert output.tolist() == [1] * 32


def test_a_trap_for_a_debugger_goes_on_where_amd_has_none():
    """As its trap handler is documented to do."""
    output = np.zeros(32, np.int32)

    assert at_lane("llvm.debugtrap()", "llvm.debugtrap", [output], 7, "amd:gfx942").verdict == "clean"
    assert output.tolist() == [1] * 32


@pytest.mark.parametrize("target", ["nvidia:sm_90", "amd:gfx942", "apple:apple-m4"])
def test_an_assumption_that_does_not_hold_is_found(target):
    """That a thread's number is below a limit; of 32 threads those from 30 on break the one of 30, none that of 32."""

    def assume(limit):
        body = f"""%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
        %c = icmp ult i32 %t, {limit}
        call void @llvm.assume(i1 %c)
        %p = getelementptr i32, ptr %o, i32 %t
        store i32 1, ptr %p
        ret void"""
        return run(body, [np.zeros(32, np.int32)], declare="declare void @llvm.assume(i1)\n", target=target)

    assert assume(32).verdict == "clean"
    assert [(found.kind, found.count, found.who[0].thread[0]) for found in assume(30).findings] == [
        ("broken-assumption", 2, 30)
    ]


@pytest.mark.parametrize("target", ["nvidia:sm_90", "amd:gfx942", "apple:apple-m4"])
def test_one_lane_may_wait_for_another_of_a_later_place(target):
    """Thread 0 spins until thread 64, of another warp, has stored."""
    output = np.zeros(2, np.int32)
    result = run(
        """%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
        %c = icmp eq i32 %t, 0
        br i1 %c, label %loop, label %other
        loop:
        %v = load volatile i32, ptr %o
        %z = icmp eq i32 %v, 0
        br i1 %z, label %loop, label %done
        done:
        %p = getelementptr i32, ptr %o, i64 1
        store i32 5, ptr %p
        ret void
        other:
        store volatile i32 1, ptr %o
        ret void""",
        [output],
        block=65,
        target=target,
    )

    assert result.verdict == "clean"
    assert output.tolist() == [1, 5]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([np.zeros(1, np.float32)], "takes 2 arguments, but got 1"),
        ([3, np.int32(1)], "argument 0 must be a NumPy array"),
        ([np.zeros(1), np.int64(1)], "argument 1 must be i32 .4 bytes., but got int64"),
        ([np.zeros(1), np.float32(1)], "argument 1 must be i32"),
        ([np.zeros(1), 1 << 40], "argument 1 must be i32, but got 1099511627776"),
    ],
)
def test_an_argument_that_does_not_fit_is_named(args, message):
    """The error names the argument, its type and its size."""
    with pytest.raises(simt.ArgumentError, match=message):
        run("ret void", args, params="ptr %o, i32 %n")
