"""Lanes that wait for one another by loops: none starves, and a hand-over costs a few steps."""

import numpy as np
import pytest

from harness import simt
from tests.simt.snippets import declarations

NVIDIA, AMD = "nvidia:sm_90", "amd:gfx942"
FLAGS = """
@f1 = internal addrspace(1) global i32 0
@f2 = internal addrspace(1) global i32 0
@f3 = internal addrspace(1) global i32 0
"""
SYNC = "call void @llvm.nvvm.barrier.cta.sync.count(i32 1, i32 64)"


def wait(flag, value, label, then):
    """A loop that waits until a flag has a value."""
    return f"""{label}:
      %{label}.v = atomicrmw add ptr addrspace(1) @{flag}, i32 0 monotonic
      %{label}.c = icmp eq i32 %{label}.v, {value}
      br i1 %{label}.c, label %{then}, label %{label}"""


def raised(flag, value):
    """Sets a flag."""
    return f"store atomic i32 {value}, ptr addrspace(1) @{flag} monotonic, align 4"


def run(body, *, target=NVIDIA, block=32, grid=1, seed=None, observers=(), **options):
    """A kernel with the thread's number in %t and eight numbers to write at %o."""
    vendor, _, _ = target.partition(":")
    tid = "llvm.nvvm.read.ptx.sreg.tid.x" if vendor == "nvidia" else "llvm.amdgcn.workitem.id.x"
    head = f"{FLAGS}declare i32 @{tid}()\n{declarations(body)}"
    kind = "ptx_kernel" if vendor == "nvidia" else "amdgpu_kernel"
    output = np.zeros(8, np.int32)
    result = simt.launch(
        f"{head}define {kind} void @k(ptr addrspace(1) %o) {{\n%t = call i32 @{tid}()\n{body}\n}}",
        target=target,
        grid=grid,
        block=block,
        args=[output],
        observers=observers,
        options=simt.Options(seed=seed, max_steps=100_000, **options),
    )
    return result, output


# Thread 0 waits for thread 2, thread 1 for thread 0; their loops stand before what thread 2 does.
STARVED = f"""
switch i32 %t, label %third [ i32 0, label %one
                              i32 1, label %two ]
{wait("f1", 1, "one", "go")}
go:
  {raised("f2", 1)}
  br label %end
{wait("f2", 1, "two", "end")}
third:
  {raised("f1", 1)}
  br label %end
end:
  ret void"""


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_two_loops_that_wait_do_not_starve_a_third_lane(seed):
    result, _ = run(STARVED, block=3, seed=seed)

    assert result.verdict == "clean"
    assert result.counters["steps"] < 30


@pytest.mark.parametrize("seed", [None, 1, 2])
@pytest.mark.parametrize("order", ["%t", "%down"])
def test_a_token_goes_through_all_warps_in_a_few_steps_each(seed, order):
    """Each warp's first lane waits for its number, upwards or downwards."""
    body = f"""
      %w = lshr i32 %t, 5
      %down = sub i32 15, %w
      %turn = add i32 0, {order.replace("%t", "%w")}
      %lane = and i32 %t, 31
      %first = icmp eq i32 %lane, 0
      br i1 %first, label %loop, label %end
    loop:
      %v = load atomic i32, ptr addrspace(1) @f1 monotonic, align 4
      %c = icmp eq i32 %v, %turn
      br i1 %c, label %mine, label %loop
    mine:
      %next = add i32 %turn, 1
      store atomic i32 %next, ptr addrspace(1) @f1 monotonic, align 4
      br label %end
    end:
      ret void"""

    result, _ = run(body, block=512, seed=seed)

    assert result.verdict == "clean"
    assert result.counters["steps"] < 16 * 30


LOCK = """
  br label %try
try:
  %pair = cmpxchg ptr addrspace(1) @f1, i32 0, i32 1 acquire monotonic
  %won = extractvalue { i32, i1 } %pair, 1
  br i1 %won, label %mine, label %try
mine:
  %v = load i32, ptr addrspace(1) %o
  %n = add i32 %v, 1
  store i32 %n, ptr addrspace(1) %o
  store atomic i32 0, ptr addrspace(1) @f1 release, align 4
  ret void"""


@pytest.mark.parametrize(("block", "grid", "seed", "each"), [(32, 1, None, 6), (64, 2, None, 6), (64, 2, 1, 30)])
@pytest.mark.slow
def test_a_spin_lock_is_handed_over_in_a_few_steps(block, grid, seed, each):
    """It took 512 steps, and 8 seconds for 32 lanes."""
    result, output = run(LOCK, block=block, grid=grid, seed=seed, observers=simt.observers(counters=False))

    assert result.verdict == "clean"
    assert output[0] == block * grid
    assert result.counters["steps"] < each * block * grid


def counting(flag, label, then):
    """A loop that waits for a flag and counts its rounds, so that its state changes."""
    return f"""{label}:
      %{label}.n = phi i32 [0, %0], [%{label}.m, %{label}]
      %{label}.m = add i32 %{label}.n, 1
      %{label}.v = load atomic i32, ptr addrspace(1) @{flag} monotonic, align 4
      %{label}.c = icmp eq i32 %{label}.v, 1
      br i1 %{label}.c, label %{then}, label %{label}"""


@pytest.mark.parametrize("seed", [None, 1])
def test_loops_that_count_while_they_wait_take_turns(seed):
    """Nobody can know that they wait: each has `spin_steps` rounds before the next."""
    body = f"""
      switch i32 %t, label %third [ i32 0, label %one
                                    i32 32, label %two ]
    {counting("f1", "one", "go")}
    go:
      {raised("f2", 1)}
      ret void
    {counting("f2", "two", "end")}
    third:
      %is = icmp eq i32 %t, 64
      br i1 %is, label %set, label %end
    set:
      {raised("f1", 1)}
      ret void
    end:
      ret void"""

    result, _ = run(body, block=65, seed=seed, spin_steps=100)

    assert result.verdict == "clean"
    assert result.counters["steps"] < 1000


def test_lanes_of_one_loop_take_turns_too():
    """Thread 0 waits in an inner loop for what thread 1 does later in the same outer loop."""
    body = f"""
      br label %outer
    outer:
      %i = phi i32 [0, %0], [%j, %latch]
      %zero = icmp ne i32 %t, 0
      br i1 %zero, label %other, label %spin
    spin:
      %n = phi i32 [0, %outer], [%m, %spin]
      %m = add i32 %n, 1
      %v = load atomic i32, ptr addrspace(1) @f1 monotonic, align 4
      %c = icmp sgt i32 %v, %i
      br i1 %c, label %latch, label %spin
    other:
      %k = add i32 %i, 1
      {raised("f1", "%k")}
      br label %latch
    latch:
      %j = add i32 %i, 1
      %more = icmp slt i32 %j, 3
      br i1 %more, label %outer, label %end
    end:
      ret void"""

    result, _ = run(body, block=2, spin_steps=50)

    assert result.verdict == "clean"


def test_waiting_costs_those_little_that_work():
    """One warp waits while another stores 2,000 times: the loop that waits wakes now and then in vain."""
    body = f"""
      %c = icmp uge i32 %t, 32
      br i1 %c, label %work, label %one
    {wait("f1", 1, "one", "end")}
    work:
      %n = phi i32 [0, %0], [%m, %work]
      %m = add i32 %n, 1
      store volatile i32 %m, ptr addrspace(1) %o
      %more = icmp slt i32 %m, 2000
      br i1 %more, label %work, label %done
    done:
      {raised("f1", 1)}
      ret void
    end:
      ret void"""

    result, _ = run(body, block=64)

    assert result.verdict == "clean"
    assert result.counters["steps"] < 1.15 * 2000


def test_lanes_that_wait_for_each_other_are_a_livelock():
    """Two loops in two places: nobody sets either flag."""
    body = f"""
      %c = icmp eq i32 %t, 0
      br i1 %c, label %one, label %two
    {wait("f1", 1, "one", "end")}
    {wait("f2", 1, "two", "end")}
    end:
      ret void"""

    result, _ = run(body, block=2)

    assert isinstance(result.fault, simt.Livelock)
    assert len(result.fault.finding.sites) == 2
    assert result.counters["steps"] < 30


def test_a_warp_in_step_cannot_wait_for_itself():
    """On AMD the lanes that spin hold up the others of their wave, for ever; those of another wave go on."""
    own = f"""
      %c = icmp ne i32 %t, 0
      br i1 %c, label %set, label %one
    {wait("f1", 1, "one", "end")}
    set:
      %other = icmp eq i32 %t, OTHER
      br i1 %other, label %really, label %end
    really:
      {raised("f1", 1)}
      br label %end
    end:
      ret void"""

    same, _ = run(own.replace("OTHER", "1"), target=AMD, block=128)
    other, _ = run(own.replace("OTHER", "64"), target=AMD, block=128)
    free, _ = run(own.replace("OTHER", "1"), target=NVIDIA, block=128)

    assert isinstance(same.fault, simt.Livelock)
    assert (other.verdict, free.verdict) == ("clean", "clean")


@pytest.mark.parametrize("give", [SYNC, "call void @llvm.nvvm.barrier.cta.arrive.count(i32 1, i32 64)"])
@pytest.mark.parametrize("seed", [None, 1])
def test_a_loop_with_a_barrier_is_no_livelock_while_others_count(give, seed):
    """The first warp's state stays the same: it changes when the second has come to the barrier 20 times.

    With an arrival in place of a wait the second waits at barrier 2, so that it does not arrive twice.
    """
    back = SYNC.replace("i32 1,", "i32 2,") if "arrive" in give else ""
    body = f"""
      %c = icmp uge i32 %t, 32
      br i1 %c, label %two, label %one
    one:
      {SYNC}
      %v = load volatile i32, ptr addrspace(1) %o
      {back}
      %z = icmp eq i32 %v, 0
      br i1 %z, label %one, label %end
    two:
      %n = phi i32 [0, %0], [%m, %next]
      %m = add i32 %n, 1
      {give}
      {back}
      %last = icmp eq i32 %m, 20
      br i1 %last, label %set, label %next
    set:
      store volatile i32 1, ptr addrspace(1) %o
      br label %next
    next:
      %more = icmp slt i32 %m, 21
      br i1 %more, label %two, label %end
    end:
      ret void"""

    result, _ = run(body, block=64, seed=seed)

    assert (result.verdict, result.fault) == ("clean", None)


def test_a_livelock_of_a_loop_that_holds_nothing_but_a_barrier_has_a_place():
    """The head of the loop is empty: what stands there is the barrier that lanes come to next."""
    result, _ = run(f"br label %loop\nloop:\n{SYNC}\nbr label %loop", block=64)

    assert isinstance(result.fault, simt.Livelock)
    assert "barrier" in result.fault.finding.sites[0].instruction
